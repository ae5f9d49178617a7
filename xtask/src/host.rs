//! The machine that the commands run on: environment, places, programs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use crate::error::Error;

/// A variable of the environment, absent where it is empty.
pub(crate) fn variable(name: &str) -> Option<OsString> {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    std::env::var_os(name).filter(|it| !it.is_empty())
}

/// Whether nobody is there to read about a skipped step.
pub(crate) fn in_ci() -> bool {
    variable("CI").is_some_and(|it| it == "true")
}

/// What is fetched once and kept between runs.
pub(crate) fn cache_dir() -> Result<PathBuf, Error> {
    let home = variable("HOME").map(PathBuf::from).ok_or(Error::NoHome)?;
    Ok(home.join(".cache/windlass"))
}

/// Where files go that nobody needs for long.
pub(crate) fn temporary_dir() -> PathBuf {
    variable("TMPDIR").map_or_else(|| PathBuf::from("/tmp"), PathBuf::from)
}

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}

/// A program by its name: on the search path, or where only root looks.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = variable("PATH").unwrap_or_default();
    let for_root = ["/usr/sbin", "/sbin"].map(PathBuf::from);
    let mut candidates = std::env::split_paths(&path).chain(for_root).map(|it| it.join(program));
    candidates.find(|it| it.is_file())
}

/// The cargo that runs us, at the root of the workspace.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(variable("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Keeps a command away from the places that the user has chosen.
pub(crate) fn forget_user(command: &mut Command) {
    for name in ["CLAUDE_CONFIG_DIR", "WINDLASS_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"] {
        command.env_remove(name);
    }
}

/// Lets a command with another home find the toolchain of this one.
pub(crate) fn keep_toolchain(command: &mut Command) {
    let home = variable("HOME").map(PathBuf::from).unwrap_or_default();
    for (name, place) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        command.env(name, variable(name).unwrap_or_else(|| home.join(place).into()));
    }
}

/// Runs a command to its end, in sight of the user.
pub(crate) fn run(command: &mut Command) -> Result<(), Error> {
    let status = status(command)?;
    ended_well(command, status)
}

/// How a command ended.
pub(crate) fn status(command: &mut Command) -> Result<ExitStatus, Error> {
    command.status().map_err(|source| Error::Start { program: name(command), source })
}

/// What a command says on stdout.
pub(crate) fn output(command: &mut Command) -> Result<String, Error> {
    let result = command.stderr(Stdio::inherit()).output();
    let output = result.map_err(|source| Error::Start { program: name(command), source })?;
    ended_well(command, output.status)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn ended_well(command: &Command, status: ExitStatus) -> Result<(), Error> {
    if status.success() {
        return Ok(());
    }
    let arguments = command.get_args().map(|it| it.to_string_lossy().into_owned());
    let words: Vec<String> = [name(command)].into_iter().chain(arguments).collect();
    Err(Error::Ended { command: words.join(" "), status })
}

/// The name of a command's program without its directory.
pub(crate) fn name(command: &Command) -> String {
    let program = Path::new(command.get_program());
    program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()
}
