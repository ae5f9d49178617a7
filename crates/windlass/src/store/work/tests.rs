use windlass_core::evidence::{Coverage, Gap, RunKind, TestTally};
use windlass_core::gate::states::StateLoop;
use windlass_core::work::{
    AgentDirectory, Asked, BeforePrompt, Edit, Healing, Mended, PromptMark, PromptWish,
    ProvisionalPrompt, PutAside, Ran, Removal, Room, RunLog, Stated, Suspect, Task, Wrote,
};
use windlass_core::{Outcome, Subagent, Timestamp, Work};

use super::Row;

/// A run of the tests.
fn run(outcome: Outcome, detail: Option<&str>) -> Ran {
    Ran {
        call: "toolu_1".to_owned(),
        kind: RunKind::Test,
        command: "cargo test".to_owned(),
        directory: Some("/p".to_owned()),
        step: 4,
        agent: "a1".to_owned(),
        outcome,
        detail: detail.map(str::to_owned),
        told: true,
        gap: None,
        coverage: Coverage::Whole,
        is_itself: true,
        at: Timestamp(7),
        began: detail.map(str::to_owned),
        failing: vec!["a::b".to_owned()],
        tally: Some(TestTally { part: 1, ran: 11, left_out: 2 }),
        counted: Some(13),
        script: Some("/p/justfile".to_owned()),
        scripts: vec!["/p/justfile".to_owned()],
        before: None,
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one value with every field")]
fn a_work_is_read_as_it_was_written() {
    let agent = Subagent { id: "a1".to_owned(), role: String::new() }.id;
    let stated =
        Some(Stated { step: 2, kinds: vec![RunKind::Test, RunKind::Types], is_partial: true });
    let (id, at) = ("p".to_owned(), Timestamp(5));
    let work = Work {
        step: 9,
        changed: 8,
        prompt: Some(PromptMark {
            id,
            trace: u64::MAX,
            at,
            step: 2,
            wants_failure: true,
            stated,
            wish: PromptWish::Answer,
            goes_on: true,
        }),
        edits: vec![Edit {
            file: "/p/a.rs".to_owned(),
            step: 3,
            latest: 4,
            first: 2,
            at: Timestamp(6),
            agent: agent.clone(),
            changed_tasks: Some(vec!["e2e".to_owned()]),
            is_by_command: true,
        }],
        more_edits: 1,
        runs: vec![
            run(Outcome::Failed(Some(101)), Some("2 failed")),
            Ran {
                kind: RunKind::Lint,
                before: Some(Box::new(run(Outcome::Failed(None), Some("3 failed")))),
                ..run(Outcome::Passed, None)
            },
            Ran {
                kind: RunKind::Build,
                told: false,
                gap: Some(Gap::OwnScript),
                coverage: Coverage::Cut,
                ..run(Outcome::Unknown, None)
            },
        ],
        left_out: vec![run(Outcome::Failed(None), Some("1 failed"))],
        logs: vec![RunLog {
            file: "/p/run.log".to_owned(),
            name: Some("run.log".to_owned()),
            line: "pytest > run.log; true".to_owned(),
            call: "toolu_2".to_owned(),
            directory: "/p".to_owned(),
            step: 6,
            at: Timestamp(6),
            agent: agent.clone(),
            outcome: Outcome::Failed(Some(2)),
        }],
        put_aside: PutAside { is_stashed: true, is_on_branch: true },
        written_scripts: vec!["/tmp/ci.sh".to_owned()],
        removals: vec![Removal {
            path: "/p/src".to_owned(),
            ending: Some(".py".to_owned()),
            step: 4,
            agent: "w".to_owned(),
        }],
        mended: vec![Mended {
            command: "cargo test".to_owned(),
            detail: Some("1 failed".to_owned()),
            files: vec!["/p/a.rs".to_owned()],
            step: 9,
            call: Some("toolu_1".to_owned()),
        }],
        wrote: Some(Wrote { first: 5, last: 6, agent: "w".to_owned() }),
        written: Some(6),
        seen_at: Some(Timestamp(9)),
        looked: Some(Timestamp(8)),
        tried: Some(7),
        pushed: Some(3),
        ci_passed: Some(5),
        ci_denied: Some(4),
        ci_kinds: vec![RunKind::Lint],
        heal: true,
        healing: Healing {
            asked: vec!["ab".to_owned()],
            in_vain: 2,
            given_up: true,
            told: vec!["cd".to_owned()],
            declined: vec!["ef".to_owned()],
        },
        room: Room { wide: true, full: Some(400_000) },
        lost: true,
        tasks: vec![Task { id: "1".to_owned(), subject: "write".to_owned() }],
        suspects: vec![Suspect {
            file: "/p/a.rs".to_owned(),
            text: "// FIX".to_owned(),
            step: 3,
            agent: String::new(),
        }],
        asked: vec![Asked {
            states: u64::MAX,
            claim: Some("All tests pass.".to_owned()),
            state_loop: Some(StateLoop { task: 4, first: 3, asked: 2 }),
            agent,
            in_prompt: 1,
            in_session: 2,
            last: Some(8),
            sought: vec![3, u64::MAX],
            declined: vec![u64::MAX],
            noticed: vec![77],
        }],
        provisional: vec![ProvisionalPrompt {
            trace: 7,
            asks_heal: true,
            before: BeforePrompt {
                prompt: Some(PromptMark {
                    wish: PromptWish::Answer,
                    goes_on: true,
                    id: "o".to_owned(),
                    trace: 3,
                    at: Timestamp(3),
                    step: 1,
                    wants_failure: false,
                    stated: None,
                }),
                asked: vec![Asked { in_prompt: 3, ..Asked::default() }],
                suspects: vec![Suspect {
                    file: "/p/b.rs".to_owned(),
                    text: "// LATER".to_owned(),
                    step: 1,
                    agent: String::new(),
                }],
                heal: true,
            },
        }],
        foreign: vec![9, u64::MAX],
        directories: vec![AgentDirectory {
            agent: "a1".to_owned(),
            before: Some("/p".to_owned()),
            at: Timestamp(8),
            after: "/p/svc".to_owned(),
        }],
    };
    let text = serde_json::to_string(&Row::of(&work)).unwrap();
    let row: Row = serde_json::from_str(&text).unwrap();
    assert_eq!(Work::from(row), work);
    let empty = serde_json::to_string(&Row::of(&Work::default())).unwrap();
    assert_eq!(empty, r#"{"step":0,"changed":0}"#);
}
