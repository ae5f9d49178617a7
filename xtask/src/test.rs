//! `cargo xtask test`: every check, in order; a step asks the ground for what it needs.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::print::Align;
use crate::{deps, fuzz, gates, host, print, release, words};

/// One row of the check.
struct Step {
    name: &'static str,
    run: fn(&mut Ground) -> Result<(), Trouble>,
}

const STEPS: &[Step] = &[
    Step { name: "fmt", run: fmt },
    Step { name: "clippy", run: clippy },
    Step { name: "doc", run: doc },
    Step { name: "deny", run: deny },
    Step { name: "words", run: leftovers },
    Step { name: "release", run: |ground| ground.release().map(drop) },
    Step { name: "unit", run: unit },
    Step { name: "sdk", run: sdk },
    Step { name: "client", run: client },
    Step { name: "fuzz", run: hostile_bytes },
    Step { name: "gates", run: count },
    Step { name: "demo", run: demo },
    Step { name: "install", run: install },
];

/// Why a step did not pass.
#[derive(Clone, Debug)]
enum Trouble {
    /// It ran and found something.
    Failed(String),
    /// Something that it needs cannot be had here.
    Skipped(String),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Failed(error.with_causes())
    }
}

/// What the steps stand on; each thing is brought once, when the first step asks for it.
#[derive(Default)]
struct Ground {
    /// The release while it is built beside the first steps: most of that keeps one core busy.
    building: Option<Receiver<Result<PathBuf, Trouble>>>,
    release: Option<Result<PathBuf, Trouble>>,
    tools: Option<Result<(), Trouble>>,
    clients: Option<Result<(), Trouble>>,
}

/// The names of the steps.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    STEPS.iter().map(|step| step.name)
}

/// Runs the steps, or only the named ones, and says what became of each.
pub(crate) fn run(only: &[String]) -> ExitCode {
    let wanted = |step: &&Step| only.is_empty() || only.iter().any(|it| it == step.name);
    let mut ground = Ground::default();
    // A single step waits for what it needs.
    if STEPS.iter().filter(wanted).count() > 1 {
        ground.build_beside(STEPS.iter().filter(wanted).any(|it| it.name == "fuzz"));
    }
    let mut results = Vec::new();
    for step in STEPS.iter().filter(wanted) {
        print::line(format!("\n== {}", step.name));
        let start = Instant::now();
        let outcome = (step.run)(&mut ground);
        results.push((step.name, outcome, start.elapsed()));
    }
    summary(&results)
}

impl Ground {
    /// Begins to build the static release, and after it the program of the fuzz targets: each has a
    /// directory of its own, so the other steps build at the same time.
    fn build_beside(&mut self, with_fuzz: bool) {
        let (tell, told) = mpsc::channel();
        self.building = Some(told);
        thread::spawn(move || {
            let is_wanted = tell.send(build_release()).is_ok();
            if is_wanted && with_fuzz {
                // The step builds it again, and says what is wrong.
                drop(fuzz::build());
            }
        });
    }

    /// The static release.
    fn release(&mut self) -> Result<PathBuf, Trouble> {
        let building = self.building.take();
        let build = || match building.and_then(|it| it.recv().ok()) {
            Some(built) => built,
            None => build_release(),
        };
        self.release.get_or_insert_with(build).clone()
    }

    /// The programs and clients that the tests of the workspace call.
    fn tools_and_clients(&mut self) -> Result<(), Trouble> {
        self.tools.get_or_insert_with(|| deps::tools().map_err(Trouble::Skipped)).clone()?;
        self.clients.get_or_insert_with(|| deps::clients().map_err(Trouble::Skipped)).clone()
    }
}

fn build_release() -> Result<PathBuf, Trouble> {
    match release::build_static() {
        Ok(binary) => Ok(binary),
        Err(Error::NoStaticTarget { reason }) => Err(Trouble::Skipped(reason)),
        Err(error) => Err(error.into()),
    }
}

fn fmt(_: &mut Ground) -> Result<(), Trouble> {
    Ok(host::run(host::cargo().args(["fmt", "--all", "--check"]))?)
}

fn clippy(_: &mut Ground) -> Result<(), Trouble> {
    let arguments = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    host::run(host::cargo().args(arguments))?;
    // The build that the bench compares with.
    let arguments = ["clippy", "--package", "windlass", "--no-default-features"];
    Ok(host::run(host::cargo().args(arguments).args(["--", "-D", "warnings"]))?)
}

fn doc(_: &mut Ground) -> Result<(), Trouble> {
    let arguments = ["doc", "--workspace", "--no-deps", "--document-private-items"];
    Ok(host::run(host::cargo().args(arguments).env("RUSTDOCFLAGS", "-D warnings"))?)
}

// Advisories come over the network and change by themselves: they are no property of this tree.
fn deny(_: &mut Ground) -> Result<(), Trouble> {
    let program = deps::cargo_deny().map_err(Trouble::Skipped)?;
    let mut command = Command::new(program);
    command.args(["check", "licenses", "bans", "sources"]);
    Ok(host::run(command.current_dir(host::root()))?)
}

fn leftovers(_: &mut Ground) -> Result<(), Trouble> {
    if host::find("git").is_none() || !host::root().join(".git").exists() {
        return Err(Trouble::Skipped("not a git checkout, or no git".to_owned()));
    }
    match words::count()? {
        0 => Ok(()),
        found => Err(Trouble::Failed(format!("leftovers: {found}"))),
    }
}

/// Everything but the real client.
fn unit(ground: &mut Ground) -> Result<(), Trouble> {
    let mut command = tests(ground)?;
    command.args(["--workspace", "--exclude", "windlass-rig", "--no-fail-fast", "--"]);
    command.args(["--skip", "client::", "--skip", "mounts::", "--skip", "mcp::sdk::"]);
    Ok(host::run(&mut command)?)
}

/// The server of tools with the official SDK as its client.
fn sdk(ground: &mut Ground) -> Result<(), Trouble> {
    let python = deps::python_with_sdk().map_err(Trouble::Skipped)?;
    let mut command = tests(ground)?;
    command.args(["--package", "windlass", "--test", "main", "--", "mcp::sdk::"]);
    Ok(host::run(command.env("WINDLASS_MCP_PYTHON", python))?)
}

/// What needs namespaces: the real client, the rig that runs it, and disks of our own.
fn client(ground: &mut Ground) -> Result<(), Trouble> {
    ground.tools_and_clients()?;
    let mut command = tests(ground)?;
    command.args(["--package", "windlass-rig"]);
    host::run(&mut command)?;
    let mut command = tests(ground)?;
    command.args(["--package", "windlass", "--test", "main", "--", "client::", "mounts::"]);
    // What could not be had was found out before: from here on a skipped test is a failed one.
    Ok(host::run(command.env("WINDLASS_RIG_REQUIRED", "1"))?)
}

/// The tests, with the static release as the program under test; without one, the usual build.
fn tests(ground: &mut Ground) -> Result<Command, Trouble> {
    let mut command = host::cargo();
    command.arg("test");
    match ground.release() {
        Ok(binary) => command.env("WINDLASS_RELEASE_BIN", binary),
        Err(Trouble::Skipped(_)) => &mut command,
        Err(failed) => return Err(failed),
    };
    Ok(command)
}

fn count(ground: &mut Ground) -> Result<(), Trouble> {
    match gates::check(&ground.release()?)? {
        gates::Verdict::Within => Ok(()),
        gates::Verdict::Over(what) => Err(Trouble::Failed(format!("over the limit: {what}"))),
        gates::Verdict::Unknown(reason) => Err(Trouble::Skipped(reason)),
    }
}

fn hostile_bytes(_: &mut Ground) -> Result<(), Trouble> {
    match fuzz::run(&[], fuzz::CHECK_SECONDS)? {
        ExitCode::SUCCESS => Ok(()),
        _ => Err(Trouble::Failed("an input failed; it is named above".to_owned())),
    }
}

/// The README's first command, `cargo run --release -- demo`, for the target of the release that is
/// built already: for the host's own target all of it would be built once more.
fn demo(ground: &mut Ground) -> Result<(), Trouble> {
    ground.release()?;
    let place = host::temporary_dir();
    let home = tempfile::tempdir_in(&place).map_err(Error::file("create in", &place))?;
    let mut command = release::static_cargo("run")?;
    host::forget_user(command.args(["--", "demo"]).env("HOME", home.path()));
    host::keep_toolchain(&mut command);
    host::run(&mut command)?;
    let left = fs::read_dir(home.path()).map_err(Error::file("read", home.path()))?;
    match left.count() {
        0 => Ok(()),
        _ => Err(Trouble::Failed("it left something in the home".to_owned())),
    }
}

/// The README's own command, in a home that was never seen before, and back again.
fn install(ground: &mut Ground) -> Result<(), Trouble> {
    ground.release()?;
    let place = host::temporary_dir();
    let home = tempfile::tempdir_in(&place).map_err(Error::file("create in", &place))?;
    let xtask = |arguments: &[&str]| {
        let mut command = host::cargo();
        command.args(["xtask", "install"]).args(arguments).env("HOME", home.path());
        host::forget_user(&mut command);
        host::keep_toolchain(&mut command);
        host::run(&mut command)
    };
    let installed = home.path().join(".local/bin/windlass");
    xtask(&["--dry-run"])?;
    if installed.exists() {
        return Err(Trouble::Failed("a dry run installed something".to_owned()));
    }
    xtask(&[])?;
    // To take it back wants a person at a terminal, which the tests of `uninstall` have.
    let mut undo = Command::new(&installed);
    undo.args(["uninstall", "--dry-run"]).env("HOME", home.path());
    run_apart(&undo, home.path())?;
    if !home.path().join(".claude/settings.json").exists() {
        return Err(Trouble::Failed("no hook was registered".to_owned()));
    }
    Ok(())
}

/// Runs a command once whoever started it is gone, and its code goes to a file.
const ORPHAN: &str = r#"
    exec 3<&0
    (
        read go <&3
        "$@" < /dev/null 3<&-
        echo $? > "$0"
    ) &"#;

/// Runs a command below nobody, with the variables that it names and no others: an agent may run the
/// tests, and below one `uninstall` refuses.
fn run_apart(like: &Command, place: &Path) -> Result<(), Trouble> {
    let code = place.join("code");
    let mut command = Command::new("/bin/sh");
    command.args(["-c", ORPHAN]).arg(&code).arg(like.get_program()).args(like.get_args());
    command.env_clear().envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let start = |source| Error::Start { program: "/bin/sh".to_owned(), source };
    let mut shell = command.spawn().map_err(start)?;
    let go = shell.stdin.take();
    shell.wait().map_err(start)?;
    // The shell is gone; the line lets the command begin, and its output ends when it does.
    if let Some(mut go) = go {
        go.write_all(b"go\n").map_err(start)?;
    }
    let output = shell.wait_with_output().map_err(start)?;
    io::stdout().write_all(&output.stdout).map_err(start)?;
    let code = fs::read_to_string(&code).map_err(Error::file("read", &code))?;
    match code.trim() {
        "0" => Ok(()),
        code => Err(Trouble::Failed(format!("it ended with {code}"))),
    }
}

fn summary(results: &[(&str, Result<(), Trouble>, Duration)]) -> ExitCode {
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    let mut rows = Vec::new();
    for (name, outcome, took) in results {
        let (word, why) = match outcome {
            Ok(()) => ("passed", ""),
            Err(Trouble::Failed(why)) => ("failed", why.as_str()),
            Err(Trouble::Skipped(why)) => ("skipped", why.as_str()),
        };
        match outcome {
            Ok(()) => passed += 1,
            Err(Trouble::Failed(_)) => failed += 1,
            Err(Trouble::Skipped(_)) => skipped += 1,
        }
        let seconds = format!("{:.1}", took.as_secs_f64());
        rows.push([(*name).to_owned(), word.to_owned(), seconds, why.to_owned()]);
    }
    let columns =
        [("step", Align::Left), ("result", Align::Left), ("s", Align::Right), ("why", Align::Left)];
    print::line("");
    print::table(columns, &rows);
    print::line(format!("\n{passed} passed, {failed} failed, {skipped} skipped"));
    // Only a person at the terminal can judge whether a skipped step matters.
    let gap = skipped > 0 && host::in_ci();
    if failed > 0 || gap { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
