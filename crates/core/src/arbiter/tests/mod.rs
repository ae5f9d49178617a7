//! Sessions played to their stops.

mod agents;
mod checks;
mod claims;
mod gaps;
mod laws;
mod proofs;
mod reports;
mod runs;
mod shares;
mod shell;
mod stops;
mod taken_back;
mod trial;

use crate::Verdict;
use crate::testing::Session;

/// The words of an ask.
fn asked(verdict: &Verdict) -> &str {
    match verdict {
        Verdict::Ask(text) => text,
        other @ (Verdict::Pass | Verdict::Release(_)) => panic!("no ask: {other:?}"),
    }
}

/// A session in which a file was changed.
fn edited() -> Session {
    let mut session = Session::new();
    session.prompt("change it").edit("/p/src/a.rs");
    session
}

/// A command line with how it ended and what it printed.
type ShellCall<'a> = (&'a str, Result<(), i32>, &'a str);

/// Whether an agent that edited a file and made these calls is asked for its last message.
fn is_asked_after(calls: &[ShellCall<'_>], message: &str) -> bool {
    let mut session = Session::new();
    session.prompt("go").edit("/p/shop/cart.py");
    for (line, end, output) in calls {
        session.shell(line, *end, output);
    }
    matches!(session.stop(message), Verdict::Ask(_))
}
