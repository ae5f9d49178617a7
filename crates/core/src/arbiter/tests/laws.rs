//! What holds whatever happens: the agent is never trapped.

use crate::arbiter::Standing;
use crate::check::{Check, Checked, How, Severity, Stage, What};
use crate::gate::{Facts, Left, Leftover, Tree};
use crate::policy::{Gates, Mode, Require};
use crate::testing::{Numbers, Session};
use crate::work::Touched;
use crate::{Outcome, Release, TaskChange, Verdict};

/// Every gate that shares its caps finds something at every stop.
fn everything_is_wrong(session: &mut Session) {
    let gates = &mut session.policy.gates;
    for mode in [
        &mut gates.tasks.mode,
        &mut gates.leftovers.mode,
        &mut gates.uncommitted.mode,
        &mut gates.checks.mode,
    ] {
        *mode = Mode::Ask;
    }
    let file = "/p/a.rs".to_owned();
    let touched = Touched { file: file.clone(), at: None, committed: false, is_gone: false };
    let (text, agent) = ("left".to_owned(), String::new());
    let left = Left { file, line: 1, text, agent, what: Leftover::Unfinished };
    let check = Check {
        name: "unit".to_owned(),
        what: What::Pattern("x".to_owned()),
        files: Vec::new(),
        severity: Severity::Ask,
        stage: Stage::Correctness,
    };
    session.policy.checks.push(check.clone());
    let checked = Checked {
        check,
        outcome: Outcome::Failed(None),
        detail: "it failed.".to_owned(),
        ms: 0,
        how: How::Looked(None),
    };
    session.facts = Facts {
        left: vec![left],
        tree: Some(Tree::Seen { touched: vec![touched], same: Vec::new() }),
        checks: vec![checked],
        ..Facts::default()
    };
}

/// Ten thousand stops with gates that never pass.
#[test]
fn a_gate_that_can_never_pass_asks_no_more_than_its_caps() {
    for busy in [false, true] {
        let mut session = Session::new();
        session.policy.gates.proof.require = Require::Tests;
        everything_is_wrong(&mut session);
        session.prompt("do it").edit("/p/a.rs");
        let mut asks = 0;
        for _ in 0..10_000 {
            if busy {
                session.edit("/p/a.rs").shell("cargo test", Err(1), "1 failed");
            }
            asks += u32::from(matches!(session.stop("Done."), Verdict::Ask(_)));
        }
        let expected = if busy { session.policy.gates.asks_per_prompt } else { 1 };
        assert_eq!(asks, expected);
    }
}

/// The same with prompts in between: the cap of the session holds.
#[test]
fn a_session_has_a_cap_too() {
    let mut session = Session::new();
    let mut asks = 0;
    for _ in 0..1_000 {
        session.prompt("go on").edit("/p/a.rs").shell("cargo test", Err(1), "1 failed");
        asks += u32::from(matches!(session.stop("Done."), Verdict::Ask(_)));
    }
    assert_eq!(asks, session.policy.gates.asks_per_session);
}

/// Random sessions: between two asks of a prompt a tool was called and something new was learned;
/// no prompt has more than its asks; what the host counts never comes near its cap.
#[test]
fn random_sessions_keep_the_rules() {
    for seed in 1..300 {
        let mut numbers = Numbers::new(seed);
        let mut session = Session::new();
        session.policy.gates.tasks.mode = Mode::Ask;
        session.policy.gates.proof.require = Require::at(numbers.below(3));
        everything_is_wrong(&mut session);
        let (mut in_prompt, mut in_session) = (0, 0);
        let (mut called, mut learned) = (true, true);
        for step in 0..200 {
            match numbers.below(8) {
                0 => {
                    session.prompt("go on");
                    (in_prompt, called, learned) = (0, true, true);
                }
                1 => {
                    session.edit(["/p/a.rs", "/p/b.ts", "/p/c.md"][numbers.below(3)]);
                    (called, learned) = (true, true);
                }
                2 => {
                    let end = if numbers.below(2) == 0 { Ok(()) } else { Err(1) };
                    session.shell(["cargo test", "make", "npm test"][numbers.below(3)], end, "");
                    (called, learned) = (true, true);
                }
                3 => {
                    session.read("/p/a.rs");
                    called = true;
                }
                4 => {
                    let (id, subject) = (step.to_string(), "task".to_owned());
                    session.tasks(vec![TaskChange::Open { id, subject }]);
                    (called, learned) = (true, true);
                }
                _ => {
                    let claims = numbers.below(2) == 0;
                    let message = if claims { "All tests pass." } else { "Done." };
                    if let Verdict::Ask(_) = session.stop(message) {
                        (in_prompt, in_session) = (in_prompt + 1, in_session + 1);
                        assert!(called && learned, "seed {seed}, step {step}");
                        // The user is told once, and never left without the way out.
                        let told = session.notice().is_some_and(|it| it.contains("gate off"));
                        assert_eq!(told, in_prompt == 1, "seed {seed}, step {step}");
                        (called, learned) = (false, false);
                    }
                    assert!(in_prompt <= session.policy.gates.asks_per_prompt, "seed {seed}");
                    assert!(in_session <= session.policy.gates.asks_per_session, "seed {seed}");
                }
            }
        }
    }
}

/// The truth table: every standing, row by row.
#[test]
fn the_table_of_releases() {
    let gates = Gates::default();
    let free = Standing {
        planning: false,
        scheduled: false,
        awaited: false,
        queued: false,
        side: false,
        asked: true,
        called: true,
        changed: true,
        admitted: false,
        lost: false,
        in_prompt: 1,
        in_session: 1,
        minutes: 0,
    };
    assert_eq!(free.release(&gates), None);
    let rows = [
        (Standing { planning: true, ..free }, Release::Planning),
        (Standing { scheduled: true, ..free }, Release::Scheduled),
        (Standing { awaited: true, ..free }, Release::Running),
        (Standing { queued: true, ..free }, Release::Queued),
        (Standing { called: false, changed: false, ..free }, Release::Idle),
        (Standing { changed: false, ..free }, Release::Unchanged),
        (Standing { admitted: true, ..free }, Release::Admitted),
        (Standing { lost: true, asked: false, ..free }, Release::Lost),
        (Standing { in_prompt: gates.asks_per_prompt, ..free }, Release::PromptCap),
        (Standing { in_session: gates.asks_per_session, ..free }, Release::SessionCap),
        (Standing { minutes: gates.minutes.into(), ..free }, Release::TimeCap),
    ];
    for (standing, release) in rows {
        assert_eq!(standing.release(&gates), Some(release), "{standing:?}");
        // Limits of its own stand in for the shared caps, and for nothing else.
        let holds = !release.is_final() || release == Release::Idle;
        assert_eq!(standing.release_from_own(), holds.then_some(release), "{standing:?}");
    }
    let side = Standing { side: true, asked: false, ..free };
    assert_eq!(
        (side.release(&gates), side.release_from_own()),
        (None, Some(Release::SideQuestion))
    );
    // Every reason has its row, but those that a gate gives for what it found.
    let of_gates = [
        Release::Declined,
        Release::SwitchedOff,
        Release::SideQuestion,
        Release::LoopLimit,
        Release::Stuck,
        Release::Unproven,
        Release::Unconfirmed,
    ];
    for release in Release::ALL {
        let has_row = rows.iter().any(|it| it.1 == release);
        assert_eq!(has_row, !of_gates.contains(&release), "{release:?}");
        assert!(release.reason().starts_with(release.word()) || !release.is_final());
    }
    // The first ask is never spared for words.
    let first = Standing { asked: false, admitted: true, in_prompt: 0, in_session: 0, ..free };
    assert_eq!(first.release(&gates), None);
}
