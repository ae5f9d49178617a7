//! Statuses that tell nothing, trees that are not the changed ones, and runs that are repeated.

use super::super::{CommandLine, Gap, RunKind, Status, judge, recognise};
use crate::{Excerpt, Outcome};

const PASSED: &str = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
const FAILED: &str =
    "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";

/// The outcomes of the tests of a line, with why one proves nothing.
fn tests(command: &str, told: Outcome, output: &str) -> Vec<(Outcome, Option<Gap>)> {
    let line = CommandLine::of(command, &[]);
    let (named, output) = (line.runs(), Excerpt::of(output));
    let shown = line.output_runs(&named, told, &output);
    let named = named.into_iter().map(|it| {
        let judged = judge(&it, told, &output);
        (it, judged)
    });
    let all = named.chain(shown).filter(|it| it.0.kind == RunKind::Test);
    all.map(|it| (it.1.outcome, it.1.gap)).collect()
}

#[test]
fn a_status_that_the_line_swallows_tells_nothing() {
    let lines = [
        "trap 'exit 0' EXIT; cargo test",
        "trap \"exit 0\" EXIT\ncargo test",
        "trap 'rm -f x; exit 0' EXIT ERR; cargo test",
        "bash -c \"trap 'exit 0' EXIT; cargo test\"",
        "bash <<'EOF'\ntrap 'exit 0' EXIT\ncargo test\nEOF",
        "set +e; cargo test; exit 0",
        "set +e\ncargo test\nexit 0",
        "set -e; set +e; cargo test; echo done; exit 0",
        "cargo test || true",
        "cargo test || :",
        "cargo test || exit 0",
        "cargo test || (exit 0)",
        "cargo test || { true; }",
        "{ cargo test; } || true",
        "(cargo test; true)",
        "(cargo test) || true",
        "cargo test; true",
        "cargo test; :",
        "cargo test; exit 0",
        "cargo test; (exit 0)",
        "! cargo test",
        "! (cargo test)",
        "cargo test | cat",
        "cargo test & wait",
        "if cargo test; then :; fi",
        "cargo test; rc=$?; exit 0",
        "bash -c 'cargo test || true'",
        "bash -c 'cargo test; true'",
        "timeout 60 cargo test || true",
        "env CI=1 cargo test || true",
        "make -C sub x; cargo test || true",
    ];
    let mut wrong = Vec::new();
    for line in lines {
        let runs = recognise(line, &[]);
        let run = runs.iter().find(|it| it.tool == "cargo test");
        let is_lost =
            run.is_some_and(|it| matches!(it.status, Status::Hidden | Status::Background));
        if !is_lost {
            wrong.push(format!("{line}: {:?}", run.map(|it| it.status)));
        }
        for (output, passes) in [("", "unknown"), (FAILED, "failed")] {
            let found = tests(line, Outcome::Passed, output);
            let is_right = match passes {
                "unknown" => matches!(found[..], [(Outcome::Unknown, _)]),
                _ => matches!(found[..], [(Outcome::Failed(_), _)]),
            };
            if !is_right && !line.contains(" & wait") {
                wrong.push(format!("{line}: {output:?}: {found:?}"));
            }
        }
    }
    // A trap that keeps the status, and one that only cleans up, take nothing away.
    for line in [
        "trap 'rm -f x' EXIT; cargo test",
        "trap 'rc=$?; rm -f x; exit $rc' EXIT; cargo test",
        "trap cleanup EXIT; cargo test",
        "cargo test || exit 1",
        "cargo test && true",
    ] {
        let runs = recognise(line, &[]);
        if !matches!(runs[0].status, Status::Told | Status::Shared) {
            wrong.push(format!("{line}: {:?}", runs[0].status));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_run_on_another_tree_proves_nothing() {
    let away = [
        "git checkout main && cargo test",
        "git switch main && cargo test",
        "git switch --detach HEAD~1 && cargo test",
        "git checkout HEAD~3; cargo test",
        "git checkout -f main && cargo test",
        "git checkout -q origin/main && cargo test",
        "git checkout v1.2.3 && cargo test",
        "git stash && cargo test",
        "git stash -u && cargo test",
        "git stash push -m wip && cargo test",
        "git stash -m wip && cargo test",
        "git stash --include-untracked -q && cargo test",
        "git reset --hard && cargo test",
        "git reset --hard HEAD~1 && cargo test",
        "git checkout -- . && cargo test",
        "git checkout . && cargo test",
        "git checkout HEAD -- . && cargo test",
        "git restore . && cargo test",
        "git restore --source=HEAD~1 . && cargo test",
        "git restore :/ && cargo test",
        "git worktree add ../base main && cd ../base && cargo test",
        "git worktree add -b x /tmp/base && (cd /tmp/base && cargo test)",
        "git worktree add /tmp/base HEAD && cargo test --manifest-path /tmp/base/Cargo.toml",
        "hg shelve && cargo test",
        "hg update -C default && cargo test",
        "git -C . stash && cargo test",
        "bash -c 'git stash; cargo test'",
        "git checkout main && ./ci.sh",
        "git stash && just ci",
    ];
    let mut wrong = Vec::new();
    for line in away {
        let found = tests(line, Outcome::Passed, PASSED);
        if !matches!(found[..], [(Outcome::Unknown, Some(Gap::Stashed))]) {
            wrong.push(format!("{line}: {found:?}"));
        }
    }
    for line in [
        "git checkout -b fix && cargo test",
        "git switch -c fix && cargo test",
        "git checkout src/a.rs && cargo test",
        "git checkout -- src/a.rs && cargo test",
        "git restore src/a.rs && cargo test",
        "git restore --staged . && cargo test",
        "git reset && cargo test",
        "git reset HEAD~1 && cargo test",
        "git stash; git stash pop; cargo test",
        "git stash list && cargo test",
        "git checkout main; git checkout - && cargo test",
        "git worktree list && cargo test",
        "git worktree add ../base main && cargo test",
        "git pull && cargo test",
        "git rebase main && cargo test",
        "git fetch && cargo test",
    ] {
        let found = tests(line, Outcome::Passed, PASSED);
        if !matches!(found[..], [(Outcome::Passed, _)]) {
            wrong.push(format!("{line}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_run_that_passes_when_it_is_repeated_passed() {
    let both = format!("{FAILED}{PASSED}");
    let lines = [
        "cargo test || cargo test",
        "cargo test -q || cargo test",
        "cargo test || cargo test -- --test-threads=1",
        "cargo test || { sleep 5; cargo test; }",
        "cargo test || (sleep 1 && cargo test)",
        "cargo test || cargo test || cargo test",
        "cd a && cargo test || cargo test",
        "./ci.sh || ./ci.sh",
        "just ci || just ci",
        "make ci || make ci",
    ];
    let mut wrong = Vec::new();
    for line in lines {
        let found = tests(line, Outcome::Passed, &both);
        if !matches!(found[..], [(Outcome::Passed, _)]) {
            wrong.push(format!("{line}: {found:?}"));
        }
        let twice = format!("{FAILED}{FAILED}");
        let found = tests(line, Outcome::Failed(Some(1)), &twice);
        if !matches!(found[..], [(Outcome::Failed(_), _)]) {
            wrong.push(format!("{line}: {found:?}"));
        }
    }
    // Another run behind the sign is no repetition.
    for line in [
        "cargo test || cargo build",
        "cargo test -p a || cargo test -p b || true",
        "cargo test || echo no",
    ] {
        let found = tests(line, Outcome::Passed, FAILED);
        if !found.iter().any(|it| matches!(it.0, Outcome::Failed(_))) {
            wrong.push(format!("{line}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_command_reads_is_what_it_shows() {
    let mut wrong = Vec::new();
    for line in [
        "./ci.sh < old.log",
        "./ci.sh 0< old.log",
        "just ci < out.txt",
        "tee < old.log",
        "tee copy.log < old.log",
        "tee copy.log <<< \"$LOG\"",
        "./filter <<< \"$(cat old.log)\"",
        "./filter <<'EOF'\n3 passed in 0.12s\nEOF",
        "./filter <<< '3 passed in 0.12s'",
        "bash < old.log",
        "sudo tee < old.log",
        "env A=1 ./ci.sh < old.log",
    ] {
        for output in [PASSED, FAILED, "3 passed in 0.12s\n"] {
            let found = tests(line, Outcome::Passed, output);
            if !found.is_empty() {
                wrong.push(format!("{line}: {found:?}"));
            }
        }
    }
    for line in [
        "./ci.sh < /dev/null",
        "./ci.sh <<< y",
        "./ci.sh <<'EOF'\nyes\nEOF",
        "bash < ci.sh",
        "bash -s < ci.sh",
        "./ci.sh 3< x",
    ] {
        let found = tests(line, Outcome::Passed, PASSED);
        if !matches!(found[..], [(Outcome::Passed, _)]) {
            wrong.push(format!("{line}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
