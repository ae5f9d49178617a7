//! `cargo xtask fuzz`: hostile bytes for every reader of a file or a message that others write.
//!
//! The engine is libFuzzer. It needs coverage counters, which the compiler adds by options that the
//! stable toolchain has; a build of its own keeps them out of everything else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::error::Error;
use crate::print::Align;
use crate::{host, print};

/// Seconds for each target in the whole check.
pub(crate) const CHECK_SECONDS: u32 = 8;

/// Options that add coverage counters, and checks of arithmetic.
const COVERAGE_FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares \
    -Cdebug-assertions -Ccodegen-units=4";

/// Bytes of an input, megabytes of memory, and seconds for one input.
const LIMITS: [&str; 3] = ["-max_len=65536", "-rss_limit_mb=1024", "-timeout=10"];

/// What came of one target.
struct FuzzResult {
    target: String,
    inputs: String,
    covered: String,
    is_clean: bool,
}

/// Fuzzes the named targets, or all of them.
pub(crate) fn run(only: &[String], seconds: u32) -> Result<ExitCode, Error> {
    let binary = build()?;
    let mut list = Command::new(&binary);
    let known = host::output(list.env("WINDLASS_FUZZ_TARGET", "list"))?;
    if let Some(unknown) = only.iter().find(|it| !known.lines().any(|known| known == *it)) {
        let said =
            format!("no target `{unknown}`; there are: {}", known.trim().replace('\n', ", "));
        return Err(Error::Unexpected { program: "fuzz".to_owned(), said });
    }
    let mut results = Vec::new();
    for target in known.lines().filter(|it| only.is_empty() || only.iter().any(|only| only == it)) {
        results.push(fuzz(&binary, target, seconds)?);
    }
    let columns = [
        ("target", Align::Left),
        ("inputs", Align::Right),
        ("places", Align::Right),
        ("", Align::Left),
    ];
    let rows: Vec<_> = results
        .iter()
        .map(|it| {
            let verdict = if it.is_clean { "ok" } else { "FAILED" };
            [it.target.as_str(), &it.inputs, &it.covered, verdict].map(str::to_owned)
        })
        .collect();
    print::table(columns, &rows);
    let is_clean = results.iter().all(|it| it.is_clean);
    Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds the program of all targets.
pub(crate) fn build() -> Result<PathBuf, Error> {
    let target_dir = directory();
    let manifest = host::root().join("fuzz/Cargo.toml");
    let mut command = host::cargo();
    command.args(["build", "--manifest-path"]).arg(manifest).arg("--target-dir").arg(&target_dir);
    // With a target of its own, build scripts are built without coverage.
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    command.args(["--target", &target]).env("RUSTFLAGS", COVERAGE_FLAGS);
    host::run(command.env_remove("CARGO_ENCODED_RUSTFLAGS"))?;
    Ok(target_dir.join(target).join("debug/fuzz"))
}

/// Where the build, the inputs that reached new code, and the inputs that failed are kept.
fn directory() -> PathBuf {
    host::root().join("target/fuzz")
}

fn fuzz(binary: &Path, target: &str, seconds: u32) -> Result<FuzzResult, Error> {
    let (corpus, failed) = (directory().join("corpus").join(target), directory().join("failed"));
    for path in [&corpus, &failed] {
        fs::create_dir_all(path).map_err(Error::file("create", path))?;
    }
    print::line(format!("Fuzzing {target} for {seconds} s."));
    let mut command = Command::new(binary);
    command.arg(&corpus).args(LIMITS).arg(format!("-max_total_time={seconds}"));
    command.args(["-print_final_stats=1", "-close_fd_mask=1"]);
    command.arg(format!("-artifact_prefix={}/{target}-", failed.display()));
    command.env("WINDLASS_FUZZ_TARGET", target).env("WINDLASS_FUZZ_SEEDS", &corpus);
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|source| Error::Start { program: target.to_owned(), source })?;
    let said = String::from_utf8_lossy(&output.stderr);
    let is_clean = output.status.success();
    if !is_clean {
        print::line(&said);
        print::line(format!(
            "Run it again: WINDLASS_FUZZ_TARGET={target} {} FILE, with the file named above.",
            binary.display()
        ));
    }
    let inputs = after(&said, "stat::number_of_executed_units:").unwrap_or_default();
    let covered = said.lines().rev().find_map(|it| after(it, " cov:")).unwrap_or_default();
    Ok(FuzzResult { target: target.to_owned(), inputs, covered, is_clean })
}

/// The word behind a name.
fn after(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(name)?;
    rest.split_whitespace().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::after;

    #[test]
    fn finds_the_word_behind_a_name() {
        let said = "#9\tDONE cov: 812 ft: 1\nstat::number_of_executed_units: 4096\n";
        assert_eq!(after(said, " cov:").as_deref(), Some("812"));
        assert_eq!(after(said, "stat::number_of_executed_units:").as_deref(), Some("4096"));
        assert_eq!(after(said, "other:"), None);
    }
}
