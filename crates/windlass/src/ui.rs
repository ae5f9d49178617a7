//! The only printer for people. The hook path never comes here.

use std::error::Error;
use std::io::{Write, stderr, stdout};

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

/// Says what the user should look at although the command went on.
pub(crate) fn warn(text: &str) {
    #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
    let _ = writeln!(stderr(), "warning: {text}");
}

/// Says why a command gave up: what it was doing, the causes, and what can be done.
pub(crate) fn fail(error: &dyn Error, hint: &str) {
    let mut text = format!("error: {error}\n");
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!("  because: {error}\n"));
        cause = error.source();
    }
    text.push_str(&format!("hint: {hint}\n"));
    #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
    let _ = write!(stderr(), "{text}");
}
