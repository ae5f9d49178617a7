//! The release build: static and at a fixed address wherever the target for it can be had.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::error::Error;
use crate::{deps, host, print};

/// The static release of windlass.
pub(crate) fn build_static() -> Result<PathBuf, Error> {
    build(&mut static_cargo("build")?)
}

/// The static release without what only `windlass mcp` needs, beside the whole one.
pub(crate) fn build_hook_only() -> Result<PathBuf, Error> {
    let mut command = static_cargo("build")?;
    build(command.args(["--no-default-features", "--target-dir", "target/hook-only"]))
}

/// The scan of a working tree, built as the static release is.
pub(crate) fn build_scan() -> Result<PathBuf, Error> {
    // Not together with the release, which would get the feature too.
    let mut command = static_of("build", &["--example", "scan", "--features", "testing"])?;
    let messages = messages(&mut command)?;
    executable(&messages, "scan").ok_or_else(nowhere)
}

/// What fills a store with memories: not measured, so it is built without the long last step.
pub(crate) fn build_fill() -> Result<PathBuf, Error> {
    let mut command = release_cargo("build", &["--example", "fill", "--features", "testing"]);
    command.args(["--target-dir", "target/fill"]);
    command.env("CARGO_PROFILE_RELEASE_LTO", "off");
    command.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    let messages = messages(&mut command)?;
    executable(&messages, "fill").ok_or_else(nowhere)
}

/// The release for the host's own target, which starts slower.
pub(crate) fn build_for_host() -> Result<PathBuf, Error> {
    build(&mut release_cargo("build", BINARY))
}

/// A build that is made fast and runs slower, for what is counted and not timed.
pub(crate) fn build_for_tests() -> Result<PathBuf, Error> {
    let mut command = host::cargo();
    build(command.args(["build", "--package", "windlass"]).args(BINARY))
}

/// A command of cargo for the static release. The target's flags are in `.cargo/config.toml`.
pub(crate) fn static_cargo(word: &str) -> Result<Command, Error> {
    static_of(word, BINARY)
}

const BINARY: &[&str] = &["--bin", "windlass"];

fn static_of(word: &str, what: &[&str]) -> Result<Command, Error> {
    let target = static_target()?;
    let mut command = release_cargo(word, what);
    command.args(["--target", &target]);
    if let Some(compiler) = compiler(&target)? {
        command.env(compiler_variable(&target), compiler);
    }
    Ok(command)
}

fn release_cargo(word: &str, what: &[&str]) -> Command {
    let mut command = host::cargo();
    command.args([word, "--release", "--package", "windlass"]).args(what);
    // These two would replace the flags that make the build static.
    command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    command
}

fn build(command: &mut Command) -> Result<PathBuf, Error> {
    let messages = messages(command)?;
    executable(&messages, "windlass").ok_or_else(nowhere)
}

fn messages(command: &mut Command) -> Result<String, Error> {
    command.arg("--message-format=json-render-diagnostics");
    host::output(command.stdin(Stdio::null()))
}

fn nowhere() -> Error {
    Error::Unexpected {
        program: "cargo build".to_owned(),
        said: "no path of an executable".to_owned(),
    }
}

/// The C compiler of the static build; none where the user has chosen one, or where the system's
/// own compiles for musl.
fn compiler(target: &str) -> Result<Option<PathBuf>, Error> {
    let chosen = [compiler_variable(target).as_str(), &format!("CC_{target}"), "TARGET_CC"]
        .into_iter()
        .any(|it| host::variable(it).is_some());
    if chosen || rustc(&["-vV"])?.contains(&format!("host: {target}\n")) {
        return Ok(None);
    }
    deps::musl_compiler().map(Some).map_err(|reason| Error::NoStaticTarget { reason })
}

// Said outright, because a `CC` of the user's would be taken for this target too.
fn compiler_variable(target: &str) -> String {
    format!("CC_{}", target.replace('-', "_"))
}

fn rustc(arguments: &[&str]) -> Result<String, Error> {
    let mut rustc = Command::new(host::variable("RUSTC").unwrap_or_else(|| "rustc".into()));
    host::output(rustc.args(arguments).current_dir(host::root()))
}

// Cargo says itself where it put the program, whatever its target directory is.
fn executable(messages: &str, program: &str) -> Option<PathBuf> {
    let messages = messages.lines().filter_map(|it| serde_json::from_str::<Value>(it).ok());
    let mut paths = messages.filter_map(|it| it["executable"].as_str().map(PathBuf::from));
    paths.find(|it| it.file_name().is_some_and(|name| name == program))
}

// Adds the target where it is missing and rustup is there to add it.
fn static_target() -> Result<String, Error> {
    if !cfg!(target_os = "linux") {
        let reason = format!("{} has no static libc", std::env::consts::OS);
        return Err(Error::NoStaticTarget { reason });
    }
    let target = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    let library = rustc(&["--print", "target-libdir", "--target", &target])?;
    if PathBuf::from(library.trim()).is_dir() {
        return Ok(target);
    }
    if host::find("rustup").is_none() {
        let reason = format!("{target} is not installed, and there is no rustup to add it");
        return Err(Error::NoStaticTarget { reason });
    }
    print::line(format!("Adding the target {target}."));
    let mut add = Command::new("rustup");
    match host::run(add.args(["target", "add", &target]).current_dir(host::root())) {
        Ok(()) => Ok(target),
        Err(error) => Err(Error::NoStaticTarget { reason: error.with_causes() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_is_named_as_the_build_script_looks_for_it() {
        let name = compiler_variable("x86_64-unknown-linux-musl");
        assert_eq!(name, "CC_x86_64_unknown_linux_musl");
    }

    #[test]
    fn finds_the_executable_among_the_messages() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","executable":null}"#,
            "\n",
            r#"{"reason":"compiler-artifact","executable":"/w/target/release/windlass"}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        assert_eq!(
            executable(messages, "windlass"),
            Some(PathBuf::from("/w/target/release/windlass"))
        );
        assert_eq!(executable(messages, "scan"), None);
        assert_eq!(executable("not JSON", "windlass"), None);
    }
}
