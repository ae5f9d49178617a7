//! The only printer for people. The hook path never comes here.

mod colour;
mod table;
mod text;
mod time;

use std::error::Error;
use std::io::{Write, stderr, stdout};
use std::process::ExitCode;

use serde::Serialize;

pub(crate) use colour::Colour;
pub(crate) use table::{Column, Table};
pub(crate) use text::{amount, bytes, coloured_line, line, micros, paragraph, tail};
pub(crate) use time::{ago, day, utc};

/// Says what was done or found.
pub(crate) fn say(text: &str) {
    // A reader that went away wants nothing more.
    #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
    let _ = writeln!(stdout(), "{text}");
}

/// Shows a text that has its own line breaks.
pub(crate) fn show(text: &str) {
    #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
    let _ = write!(stdout(), "{text}");
}

/// Prints one value as a line of JSON.
pub(crate) fn json(value: &impl Serialize) {
    if let Ok(text) = serde_json::to_string(value) {
        say(&text);
    }
}

/// Says what the user should look at although the command went on.
pub(crate) fn warn(text: &str) {
    #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
    let _ = writeln!(stderr(), "warning: {text}");
}

/// Says why a command gave up: what it was doing, the causes, and what can be done.
pub(crate) fn fail(error: &dyn Error, hint: &str) {
    let causes = std::iter::successors(error.source(), |&it| it.source());
    let causes: Vec<_> = causes.map(|it| format!("  because: {it}\n")).collect();
    let text = format!("error: {error}\n{}hint: {hint}\n", causes.concat());
    #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
    let _ = write!(stderr(), "{text}");
}

/// Shows the help that was asked for, or what is wrong with the arguments.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
    let _ = error.print();
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}
