//! The modes of the program `rig`.

mod inside;
mod mcp;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::client::{Client, VERSIONS};
use crate::error::{RunError, at};
use crate::recording;

/// Runs the program with its arguments.
pub fn program(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<_> = arguments.map(|it| it.to_string_lossy().into_owned()).collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["inside", spec] => inside::run(Path::new(spec)),
        ["pane", spec] => inside::pane(Path::new(spec)),
        ["record", file] => recording::record(Path::new(file), io::stdin()).map_err(at(file)),
        ["mcp"] => mcp::serve(io::stdin().lock(), io::stdout().lock()).map_err(at("stdin")),
        ["fetch"] => fetch(&VERSIONS),
        ["fetch", versions @ ..] => fetch(versions),
        _ => return fail("usage: rig fetch [VERSION]…"),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&chain(&error)),
    }
}

/// The program beside the running executable: cargo puts programs into the directory of the
/// profile, and tests one below.
pub(crate) fn locate() -> Result<PathBuf, RunError> {
    let executable = std::env::current_exe().map_err(at("rig"))?;
    let beside = executable.ancestors().skip(1).take(2).map(|it| it.join("rig"));
    let found = beside.into_iter().find(|it| it.is_file());
    found.ok_or(RunError::NotBuilt { executable })
}

fn fetch(versions: &[&str]) -> Result<(), RunError> {
    for version in versions {
        let client = Client::fetch(version)?;
        writeln!(io::stdout(), "{}", client.executable().display()).map_err(at("stdout"))?;
    }
    Ok(())
}

#[expect(clippy::print_stderr, reason = "the error stream is how this program tells a failure")]
fn fail(why: &str) -> ExitCode {
    eprintln!("rig: {why}");
    ExitCode::FAILURE
}

fn chain(error: &RunError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
