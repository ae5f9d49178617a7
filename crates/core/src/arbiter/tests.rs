//! A session played to its stops, and what the arbiter says.

use crate::arbiter::MAX_ASK;
use crate::gate::SwitchedOff;
use crate::policy::{Mode, Require};
use crate::testing::Session;
use crate::{Policy, Release, TaskChange, Verdict};

fn asked(verdict: &Verdict) -> &str {
    match verdict {
        Verdict::Ask(text) => text,
        other @ (Verdict::Pass | Verdict::Release(_)) => panic!("no ask: {other:?}"),
    }
}

#[test]
fn a_question_is_answered_without_a_word() {
    let mut session = Session::new();
    session.prompt("how does it work?").shell("cargo test", Err(101), "test result: FAILED");
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
}

#[test]
fn a_test_that_failed_after_an_edit_is_asked_for_once_and_named() {
    let mut session = Session::new();
    session.prompt("fix it").edit("/p/src/a.rs");
    session.shell(
        "cargo test -p a",
        Err(101),
        "test result: FAILED. 40 passed; 2 failed; 0 ignored",
    );
    let verdict = session.stop("Done.");
    let text = asked(&verdict);
    assert!(text.contains("[proof]") && text.contains("`cargo test -p a`"), "{text}");
    assert!(text.contains("windlass decline proof: REASON"), "{text}");
    // It says nothing new: the second stop is let go, and is not called done.
    assert_eq!(session.stop("Done."), Verdict::Release(Release::Idle));
    assert!(session.notice().unwrap().contains("cargo test -p a"), "{:?}", session.notice());
}

#[test]
fn once_it_passes_the_agent_may_stop() {
    let mut session = Session::new();
    session.prompt("fix it").edit("/p/src/a.rs").shell("cargo test", Err(101), "1 failed");
    asked(&session.stop("Done."));
    session.edit("/p/src/a.rs").shell("cargo test", Ok(()), "test result: ok. 41 passed; 0 failed");
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
}

#[test]
fn a_claim_needs_a_run_after_the_last_edit() {
    let mut session = Session::new();
    session.prompt("change it").edit("/p/src/a.rs");
    let verdict = session.stop("I changed the parser. All tests pass.");
    let text = asked(&verdict);
    assert!(text.contains(" src/a.rs was changed") && text.contains("All tests pass"), "{text}");
    // Proof that is older than an edit is none.
    let mut session = Session::new();
    session.prompt("change it").edit("/p/a.rs").shell(
        "cargo test",
        Ok(()),
        "test result: ok. 3 passed",
    );
    session.edit("/p/a.rs");
    assert!(asked(&session.stop("All tests pass.")).contains("before"));
    // A text for people needs none.
    let mut session = Session::new();
    session.prompt("change it").edit("/p/a.rs").shell(
        "cargo test",
        Ok(()),
        "test result: ok. 3 passed",
    );
    session.edit("/p/README.md");
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
}

#[test]
fn a_working_tree_below_the_agents_directory_is_worked_in() {
    let mut session = Session::new();
    session.prompt("change it").edit("/p/.claude/worktrees/fix/src/a.rs");
    asked(&session.stop("All tests pass."));
    let mut session = Session::new();
    session.prompt("change it").edit("/p/.claude/settings.json");
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
}

#[test]
fn a_linter_that_failed_after_the_edit_is_said_to_have_failed() {
    let mut session = Session::new();
    session.prompt("change it").edit("/p/a.ts").shell("npx eslint .", Err(1), "");
    assert!(asked(&session.stop("Lint is clean.")).contains("`npx eslint .` failed after a.ts"));
}

#[test]
fn a_claim_in_other_words_is_no_proof() {
    let mut session = Session::new();
    session.prompt("change it").edit("/p/a.rs");
    asked(&session.stop("All tests pass."));
    assert_eq!(session.stop("As I said."), Verdict::Release(Release::Idle));
    assert!(session.notice().unwrap().contains("capped"));
    // Once it has done something, what it says counts again.
    session.read("/p/a.rs");
    assert_eq!(session.stop("I did not run the tests."), Verdict::Pass);
}

#[test]
fn an_unknown_result_is_neither_proof_nor_failure() {
    let mut session = Session::new();
    session.prompt("change it").edit("/p/a.rs").shell("cargo test | tail -1", Ok(()), "");
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
    session.policy.gates.proof.require = Require::Tests;
    assert!(asked(&session.stop("All tests pass.")).contains("No test run that passed"));
}

#[test]
fn without_a_change_of_the_evidence_it_does_not_ask_again() {
    let mut session = Session::new();
    session.prompt("fix it").edit("/p/a.rs").shell("cargo test", Err(101), "1 failed");
    asked(&session.stop("Done."));
    session.read("/p/a.rs");
    assert_eq!(session.stop("Done."), Verdict::Release(Release::Unchanged));
}

#[test]
fn never_more_than_three_asks_for_a_prompt() {
    let mut session = Session::new();
    session.prompt("fix it");
    for _ in 0..3 {
        session.edit("/p/a.rs").shell("cargo test", Err(101), "1 failed");
        asked(&session.stop("Done."));
    }
    session.edit("/p/a.rs").shell("cargo test", Err(101), "1 failed");
    assert_eq!(session.stop("Done."), Verdict::Release(Release::PromptCap));
    // A prompt of the host is none of the user's.
    session.notification();
    session.edit("/p/a.rs").shell("cargo test", Err(101), "1 failed");
    assert_eq!(session.stop("Done."), Verdict::Release(Release::PromptCap));
    session.prompt("go on").edit("/p/a.rs").shell("cargo test", Err(101), "1 failed");
    asked(&session.stop("Done."));
}

#[test]
fn what_runs_or_will_come_is_waited_for_without_a_word() {
    let mut session = Session::new();
    session.prompt("fix it").edit("/p/a.rs").shell("cargo test", Err(101), "1 failed");
    assert_eq!(session.stop_with("Done.", |it| it.awaited = 1), Verdict::Release(Release::Running));
    assert_eq!(
        session.stop_with("Done.", |it| it.scheduled = 1),
        Verdict::Release(Release::Scheduled)
    );
    assert_eq!(
        session.stop_with("Done.", |it| it.planning = true),
        Verdict::Release(Release::Planning)
    );
    assert_eq!(session.notice(), None);
    // A server in the background is nothing to wait for.
    asked(&session.stop_with("Done.", |it| it.background = 1));
}

#[test]
fn what_the_host_says_of_itself_decides_nothing() {
    for continued in [false, true] {
        let mut session = Session::new();
        session.prompt("fix it").edit("/p/a.rs").shell("cargo test", Err(101), "1 failed");
        asked(&session.stop_with("Done.", |it| it.continued = continued));
    }
}

#[test]
fn an_agent_that_declines_is_let_go_and_the_user_reads_why() {
    let mut session = Session::new();
    session.prompt("write a failing test").edit("/p/a.rs").shell(
        "cargo test",
        Err(101),
        "1 failed",
    );
    asked(&session.stop("Done."));
    session.edit("/p/b.rs");
    let message = "As you wished.\n\nwindlass decline proof: the test is meant to fail";
    assert_eq!(session.stop(message), Verdict::Pass);
    assert!(session.notice().unwrap().contains("the test is meant to fail"));
    // Before it was asked there is nothing to decline.
    let mut session = Session::new();
    session.prompt("fix it").edit("/p/a.rs").shell("cargo test", Err(101), "1 failed");
    asked(&session.stop(message));
}

#[test]
fn the_transcript_has_the_last_word_on_a_result() {
    let mut session = Session::new();
    session.prompt("fix it").edit("/p/a.rs").shell("cargo test", Ok(()), "");
    let call = session.last_call();
    session.failed(&call);
    asked(&session.stop("Done."));
}

#[test]
fn a_gate_can_be_off_or_only_advise() {
    let mut session = Session::new();
    session.policy.gates.proof.mode = Mode::Off;
    session.prompt("fix it").edit("/p/a.rs").shell("cargo test", Err(101), "1 failed");
    assert_eq!(session.stop("Done."), Verdict::Pass);
    assert_eq!(session.notice(), None);
    session.policy.gates.proof.mode = Mode::Advise;
    assert_eq!(session.stop("Done."), Verdict::Pass);
    assert!(session.notice().unwrap().contains("cargo test"));
    // It is not told twice.
    assert_eq!(session.stop("Done."), Verdict::Pass);
    assert_eq!(session.notice(), None);
}

#[test]
fn what_the_user_switched_off_does_not_ask_and_the_decision_says_so() {
    let by = |gate: Option<&str>| {
        vec![SwitchedOff { gate: gate.map(str::to_owned), by: "the user".to_owned() }]
    };
    let mut session = Session::new();
    session.policy.gates.tasks.mode = Mode::Ask;
    session.prompt("fix it").edit("/p/src/a.rs").shell("cargo test", Err(101), "");
    let open = TaskChange::Open { id: "1".to_owned(), subject: "write".to_owned() };
    session.tasks(vec![open]);
    assert!(matches!(session.stop("Done."), Verdict::Ask(_)));
    // The very next stop passes, and is not called capped.
    session.off = by(None);
    assert_eq!(session.stop("Done."), Verdict::Pass);
    assert_eq!(session.notice(), None);
    for gate in ["proof", "checks", "tasks"] {
        assert!(session.said().contains(&format!("{gate}: switched off by the user")), "{gate}");
    }
    session.off = by(Some("proof"));
    session.edit("/p/src/a.rs");
    let verdict = session.stop("Done.");
    let text = asked(&verdict);
    assert!(text.contains("[tasks]") && !text.contains("[proof]"), "{text}");
    // Once it is switched on again, it asks as before.
    session.off.clear();
    session.edit("/p/src/a.rs");
    assert!(asked(&session.stop("Done.")).contains("[proof]"));
}

#[test]
fn open_tasks_are_listed_and_settled() {
    let mut session = Session::new();
    session.policy.gates.tasks.mode = Mode::Ask;
    let open = |id: &str, subject: &str| TaskChange::Open {
        id: id.to_owned(),
        subject: subject.to_owned(),
    };
    session.prompt("do it").tasks(vec![open("1", "write"), open("2", "test")]);
    let verdict = session.stop("Done.");
    let text = asked(&verdict);
    assert!(text.contains("2 tasks are open") && text.contains("“write” (#1)"), "{text}");
    session.tasks(vec![TaskChange::Closed { id: "1".to_owned() }]);
    session.tasks(vec![TaskChange::Closed { id: "2".to_owned() }]);
    assert_eq!(session.stop("Done."), Verdict::Pass);
}

#[test]
fn all_asks_fit_into_one_short_answer() {
    let mut session = Session::new();
    session.policy = Policy::default();
    session.policy.gates.tasks.mode = Mode::Ask;
    let subject = "x".repeat(4000);
    session
        .prompt("do it")
        .tasks(vec![TaskChange::Open { id: "1".to_owned(), subject: subject.clone() }]);
    session.edit(&format!("/p/{subject}.rs")).shell(
        "cargo test",
        Err(101),
        &format!("{subject} failed"),
    );
    session.edit(&format!("/p/{subject}.rs"));
    let verdict = session.stop("Done.");
    let text = asked(&verdict);
    assert!(text.chars().count() <= MAX_ASK, "{}", text.chars().count());
    assert!(
        text.contains("[proof]") && text.contains("[tasks]") && text.contains("decline"),
        "{text}"
    );
}
