//! The last message of a stop is heard once, whenever the client writes it to its transcript.

use serde_json::{Value, json};

use super::refusals::{Flush, Session};
use crate::support::write;

/// A session in which knowledge is found by the profile `document`.
fn session() -> Session {
    let session = Session::new();
    let settings = session.home.path().join(".config/windlass/config.toml");
    write(&settings, b"triage.profile = \"document\"\n");
    session
}

fn found(session: &Session) -> Vec<Value> {
    session.home.query("SELECT category, text FROM memories ORDER BY text")
}

/// The next turn of the user, as the client writes it.
fn ask_more(session: &mut Session) {
    session.send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on"}));
    session.row(json!({"type": "user", "message": {"role": "user", "content": "go on"}}));
}

/// One line with a word and a supporting word counts 0.5 of 1.9, two reach the threshold.
const ONE: &str = "We decided on hooks because they never fail.";
const TWO: &str = "We decided on hooks because they never fail.\n\n\n\nWe chose Rust over C.";
const THEN: &str = "We went with files rather than tables.";

#[test]
fn one_line_is_counted_once_whenever_it_is_written() {
    for flush in [Flush::Before, Flush::During, Flush::After] {
        let mut session = session();
        session.stop(ONE, flush);
        assert_eq!(found(&session), Vec::<Value>::new(), "{flush:?}");
        // It was heard at its stop, and does not count for the next one.
        ask_more(&mut session);
        session.stop(THEN, flush);
        assert_eq!(found(&session), Vec::<Value>::new(), "{flush:?}");
    }
}

#[test]
fn what_is_enough_is_found_once_whenever_it_is_written() {
    let expected = json!([
        {"category": "decision", "text": "We chose Rust over C."},
        {"category": "decision", "text": ONE},
    ]);
    for flush in [Flush::Before, Flush::During, Flush::After] {
        let mut session = session();
        session.stop(TWO, flush);
        assert_eq!(json!(found(&session)), expected, "{flush:?}");
        ask_more(&mut session);
        session.stop("Done.", flush);
        assert_eq!(json!(found(&session)), expected, "{flush:?}");
    }
}

/// What was said before the last message, and was not written by then, is heard at the next stop.
#[test]
fn what_was_said_earlier_and_written_late_is_heard() {
    let mut session = session();
    session.row(json!({"type": "assistant", "message": {"id": "early", "role": "assistant",
        "content": [{"type": "text", "text": TWO}]}}));
    session.stop("Done.", Flush::After);
    assert_eq!(found(&session), Vec::<Value>::new());
    ask_more(&mut session);
    session.stop("Done again.", Flush::Before);
    assert_eq!(found(&session).len(), 2);
}
