//! Gates for subagents, tasks and teammates: each is asked of its own work, and counted apart.

use crate::gate::{Left, Leftover};
use crate::policy::{Mode, Require};
use crate::testing::Session;
use crate::{Release, TaskChange, Verdict};

/// A session in which subagents whose type begins with `ralph-` are asked.
fn session() -> Session {
    let mut session = Session::new();
    session.policy.gates.agents = vec!["ralph-*".to_owned()];
    session.prompt("do it");
    session
}

fn failing(session: &mut Session, file: &str) {
    session.edit(file).shell("cargo test", Err(101), "test result: FAILED. 1 failed");
}

fn is_ask(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Ask(_))
}

#[test]
fn a_named_subagent_is_asked_of_its_own_work_and_an_unnamed_one_is_not() {
    let mut session = session();
    failing(session.switch_to("a1", "ralph-one"), "/p/a.rs");
    assert_eq!(session.switch_to("a2", "writer").stop("Done."), Verdict::Pass);
    assert_eq!(session.switch_to("a3", "ralph-two").stop("All tests pass."), Verdict::Pass);
    let verdict = session.switch_to("a1", "ralph-one").stop("Done.");
    let Verdict::Ask(text) = verdict else { panic!("{verdict:?}") };
    assert!(text.contains("`cargo test` failed") && text.contains("windlass decline proof"));
    session.edit("/p/a.rs").shell("cargo test", Ok(()), "");
    assert_eq!(session.stop("Done."), Verdict::Pass);
    assert_eq!(session.switch_to("", "").stop("Done."), Verdict::Pass);
}

#[test]
fn a_subagent_is_not_asked_of_what_its_parent_did() {
    let mut session = session();
    failing(&mut session, "/p/a.rs");
    assert_eq!(session.switch_to("a1", "ralph-one").stop("All tests pass."), Verdict::Pass);
    session.edit("/p/b.rs");
    assert!(is_ask(&session.stop("All tests pass.")));
    assert!(is_ask(&session.switch_to("", "").stop("Done.")));
}

#[test]
fn asks_are_counted_for_each_agent() {
    let mut session = session();
    for (id, role) in [("", ""), ("a1", "ralph-one"), ("a2", "ralph-one")] {
        session.switch_to(id, role);
        let mut asks = 0;
        for _ in 0..10 {
            failing(&mut session, &format!("/p/of{id}.rs"));
            asks += u32::from(is_ask(&session.stop("Done.")));
        }
        assert_eq!(asks, session.policy.gates.asks_per_prompt, "{id}");
    }
}

/// What others do beside it is no reason to ask a subagent again.
#[test]
fn a_subagent_that_learns_nothing_new_is_let_go() {
    let mut session = session();
    session.policy.gates.proof.require = Require::Tests;
    session.switch_to("a1", "ralph-one").edit("/p/a.rs");
    assert!(is_ask(&session.stop("Done.")));
    session.switch_to("", "").edit("/p/b.rs").shell("cargo build", Ok(()), "");
    let verdict = session.switch_to("a1", "ralph-one").stop("Done.");
    assert_eq!(verdict, Verdict::Release(Release::Unchanged));
}

#[test]
fn prompts_that_are_scheduled_wake_the_session_and_not_a_subagent() {
    let mut session = session();
    failing(session.switch_to("a1", "ralph-one"), "/p/a.rs");
    assert!(is_ask(&session.stop_with("Done.", |it| it.scheduled = 1)));
}

/// Whose asks cannot be counted is not asked; the main agent always is.
#[test]
fn many_subagents_trap_nobody() {
    let mut session = session();
    let mut asks = 0;
    for _ in 0..5 {
        for number in 0..40 {
            let id = format!("a{number}");
            failing(session.switch_to(&id, "ralph-one"), &format!("/p/{id}.rs"));
            asks += u32::from(is_ask(&session.stop("Done.")));
        }
    }
    assert_eq!(asks, 32 * session.policy.gates.asks_per_prompt);
    failing(session.switch_to("", ""), "/p/a.rs");
    assert!(is_ask(&session.stop("Done.")));
    // The user speaks: there is room again.
    session.prompt("go on");
    failing(session.switch_to("b1", "ralph-one"), "/p/b.rs");
    assert!(is_ask(&session.stop("Done.")));
}

#[test]
fn a_task_is_not_completed_on_a_failed_test_and_open_tasks_do_not_matter_there() {
    let mut session = Session::new();
    session.policy.gates.tasks.mode = Mode::Ask;
    session.prompt("do it");
    let open = |id: &str| TaskChange::Open { id: id.to_owned(), subject: "write".to_owned() };
    session.tasks(vec![open("1"), open("2")]);
    failing(&mut session, "/p/a.rs");
    assert_eq!(session.complete_task(), Verdict::Pass);
    session.policy.hooks.team.enabled = true;
    let verdict = session.complete_task();
    let Verdict::Ask(text) = verdict else { panic!("{verdict:?}") };
    assert!(text.starts_with("windlass: before this task is completed, one thing is missing."));
    assert!(text.contains("[proof]") && !text.contains("windlass decline"), "{text}");
    assert_eq!(session.complete_task(), Verdict::Release(Release::Idle));
    session.shell("cargo test", Ok(()), "");
    assert_eq!(session.complete_task(), Verdict::Pass);
}

#[test]
fn a_teammate_is_asked_of_its_own_work() {
    let mut session = Session::new();
    session.policy.hooks.team.enabled = true;
    session.prompt("do it");
    failing(&mut session, "/p/a.rs");
    assert_eq!(session.switch_to("a1", "helper").idle(), Verdict::Pass);
    failing(&mut session, "/p/b.rs");
    let verdict = session.idle();
    let Verdict::Ask(text) = verdict else { panic!("{verdict:?}") };
    assert!(text.starts_with("windlass: before you go idle"), "{text}");
    assert_eq!(session.idle(), Verdict::Release(Release::Idle));
    // Nobody knows whose work it would be about.
    assert_eq!(session.switch_to("", "").idle(), Verdict::Pass);
}

#[test]
fn a_subagents_own_list_is_its_own_and_an_unknown_entry_is_none() {
    let mut session = session();
    session.policy.gates.tasks.mode = Mode::Ask;
    let open = |id: &str| TaskChange::Open { id: id.to_owned(), subject: format!("task {id}") };
    session.tasks(vec![TaskChange::Listed, open("1"), open("2")]);
    session.switch_to("a1", "writer").tasks(vec![TaskChange::Listed]);
    session.tasks(vec![TaskChange::Listed, open("9")]);
    let unknown = TaskChange::Changed { id: "7".to_owned(), subject: String::new() };
    session.switch_to("", "").tasks(vec![unknown]);
    let verdict = session.stop("Done.");
    let Verdict::Ask(text) = verdict else { panic!("{verdict:?}") };
    assert!(text.contains("2 tasks are open: “task 1” (#1), “task 2” (#2)."), "{text}");
    // One that belongs to the session can be completed by any of its agents.
    session.switch_to("a1", "writer").tasks(vec![TaskChange::Closed { id: "1".to_owned() }]);
    let renamed = TaskChange::Changed { id: "2".to_owned(), subject: "other".to_owned() };
    session.tasks(vec![renamed]);
    let verdict = session.switch_to("", "").stop("Done.");
    let Verdict::Ask(text) = verdict else { panic!("{verdict:?}") };
    assert!(text.contains("1 task is open: “other” (#2)."), "{text}");
}

/// Who has a team report wants nothing left behind in its files, without a second switch.
#[test]
fn what_a_teammate_left_behind_is_asked_for_where_a_team_reports() {
    let left = |agent: &str| Left {
        file: "/p/a.js".to_owned(),
        line: 3,
        text: "debugger;".to_owned(),
        agent: agent.to_owned(),
        what: Leftover::Unfinished,
    };
    let mut session = Session::new();
    session.policy.hooks.team.enabled = true;
    session.facts.left.push(left("a1"));
    session.prompt("do it").switch_to("a1", "writer").edit("/p/a.js");
    for verdict in [session.idle(), session.edit("/p/a.js").complete_task()] {
        let Verdict::Ask(text) = verdict else { panic!("{verdict:?}") };
        assert!(text.contains("[leftovers] ") && text.contains("a.js:3"), "{text}");
    }
    // Another one's lines, a stop and the user's own word for it stay as they are.
    assert_eq!(session.switch_to("a2", "writer").edit("/p/b.js").idle(), Verdict::Pass);
    assert_eq!(session.switch_to("", "").stop("Done."), Verdict::Pass);
    session.leftovers_is_set = true;
    assert_eq!(session.switch_to("a1", "writer").edit("/p/a.js").idle(), Verdict::Pass);
}
