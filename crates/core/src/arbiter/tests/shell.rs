//! Sessions whose commands change files without saying which.

use crate::gate::Tree;
use crate::policy::Require;
use crate::testing::Session;
use crate::work::Touched;
use crate::{Timestamp, Verdict};

fn asked(verdict: Verdict) -> String {
    match verdict {
        Verdict::Ask(text) => text,
        other @ (Verdict::Pass | Verdict::Release(_)) => panic!("no ask: {other:?}"),
    }
}

/// Files that the system saw change when the session stood at this minute.
fn touched(files: &[&str], minutes: i64) -> Tree {
    let at = Some(Timestamp(minutes * 60_000));
    let touched = files.iter().map(|it| Touched { file: (*it).to_owned(), at });
    Tree::Seen(touched.collect())
}

#[test]
fn what_a_command_changed_counts_as_an_edit() {
    let mut session = Session::new();
    session.minutes(10);
    session.prompt("go").shell("sed -i s/a/b/ a.rs", Ok(()), "");
    // It was dirty before the user spoke.
    session.facts.tree = Some(touched(&["/p/old.rs"], 5));
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
    session.shell("./generate.sh", Ok(()), "");
    session.facts.tree = Some(touched(&["/p/a.rs"], 11));
    let text = asked(session.stop("All tests pass."));
    assert!(text.contains("after a.rs was changed"), "{text}");
    session.shell("cargo test", Ok(()), "test result: ok. 4 passed; 0 failed");
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
}

/// Which of two commands it was nobody knows: the agent is not accused, and not believed either.
#[test]
fn a_test_between_two_writing_commands_is_neither_stale_nor_proof() {
    let mut session = Session::new();
    session.prompt("go").shell("./generate.sh", Ok(()), "");
    session.shell("cargo test", Ok(()), "test result: ok. 4 passed; 0 failed");
    session.shell("./other.sh", Ok(()), "");
    session.facts.tree = Some(touched(&["/p/a.rs"], 1));
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
    session.policy.gates.proof.require = Require::Tests;
    let text = asked(session.stop("Done."));
    assert!(text.contains("No test run that passed was seen after a.rs"), "{text}");
}

#[test]
fn a_formatter_after_the_test_makes_nothing_stale() {
    let mut session = Session::new();
    session.prompt("go").edit("/p/a.rs");
    session.shell("cargo test", Ok(()), "test result: ok. 4 passed; 0 failed");
    session.shell("cargo fmt --all", Ok(()), "");
    session.facts.tree = Some(touched(&["/p/a.rs"], 1));
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
}

#[test]
fn a_tree_that_cannot_be_seen_accuses_nobody() {
    let mut session = Session::new();
    session.prompt("go").shell("./generate.sh", Ok(()), "");
    session.facts.tree = Some(Tree::Unseen("too long".to_owned()));
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
    assert_eq!(session.notice(), None);
}
