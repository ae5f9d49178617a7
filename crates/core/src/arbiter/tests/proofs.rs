//! What counts as proof, and what takes a failure away.

use super::{asked, edited};
use crate::testing::Session;
use crate::{Outcome, Release, Verdict};

#[test]
fn a_run_whose_end_nobody_knows_takes_no_failure_away() {
    for later in ["cargo test", "cargo test -p a"] {
        let mut session = edited();
        session.shell("cargo test", Err(101), "1 failed").unknown(later);
        let verdict = session.stop("Done.");
        let text = asked(&verdict);
        assert!(text.contains("`cargo test` failed"), "{text}");
        assert!(text.contains("neither the exit status nor a summary"), "{text}");
        // Nor does it back a claim.
        let mut session = edited();
        session.shell("cargo test", Err(101), "1 failed").unknown(later);
        asked(&session.stop("All tests pass."));
        session.shell("cargo test", Ok(()), "test result: ok. 3 passed; 0 failed");
        assert_eq!(session.stop("All tests pass."), Verdict::Pass);
    }
    // Without a failure it carries no claim either, and accuses no one who makes none.
    let mut session = edited();
    session.unknown("cargo test");
    asked(&session.stop("All tests pass."));
    let mut session = edited();
    session.unknown("cargo test");
    assert_eq!(session.stop("Done."), Verdict::Pass);
}

#[test]
fn a_failure_is_not_forgotten_for_many_other_runs() {
    let mut session = edited();
    session.shell("cargo test", Err(101), "1 failed");
    for number in 0..40 {
        session.shell(&format!("cargo clippy -p a{number}"), Ok(()), "");
    }
    asked(&session.stop("Done."));
}

#[test]
fn a_narrower_run_takes_no_failure_away() {
    let mut session = edited();
    session.shell("cargo test", Err(101), "1 failed");
    session.shell("cargo test one_test", Ok(()), "test result: ok. 1 passed; 0 failed");
    let verdict = session.stop("Done.");
    let text = asked(&verdict);
    assert!(text.contains("`cargo test one_test` passed later and does not cover it."), "{text}");
    session.shell("cargo test", Ok(()), "test result: ok. 9 passed; 0 failed");
    assert_eq!(session.stop("Done."), Verdict::Pass);
}

#[test]
fn a_pass_of_something_else_takes_no_failure_away() {
    for (failed, passed) in [
        ("cargo test one", "cargo test two"),
        ("cargo test", "cargo test -- --skip parses_empty"),
        ("cargo test --workspace", "cargo test --workspace --exclude core"),
        ("cargo test", "cargo test --lib"),
        ("pytest", "npm test"),
        ("pytest", "pytest --ignore=tests/a.py"),
        ("pytest tests/a.py", "pytest tests/b.py"),
        ("npx jest", "npx jest --shard=2/2"),
        ("cd backend && pytest", "cargo test"),
    ] {
        for message in ["Done.", "All tests pass."] {
            let mut session = edited();
            session.shell(failed, Err(1), "").shell(passed, Ok(()), "3 passed");
            let verdict = session.stop(message);
            assert!(asked(&verdict).contains("failed"), "{failed}, then {passed}: {verdict:?}");
        }
    }
    let mut session = edited();
    session.shell("cargo build", Err(101), "error[E0308]").shell("npm test", Ok(()), "");
    asked(&session.stop("Everything builds and works."));
}

#[test]
fn the_same_command_in_another_directory_takes_no_failure_away() {
    let mut session = edited();
    session.shell("cd front && npm test", Err(1), "1 failed");
    session.shell("cd back && npm test", Ok(()), "");
    assert!(asked(&session.stop("Done.")).contains("`npm test` in front failed"));
    session.shell("cd /p/front && npm test", Ok(()), "");
    assert_eq!(session.stop("Done."), Verdict::Pass);
    // Further down is less, further up is more.
    let mut session = edited();
    session.shell("cargo test", Err(1), "1 failed").go_to("/p/crates/a");
    session.shell("cargo test", Ok(()), "");
    asked(&session.stop("Done."));
    let mut session = edited();
    session.go_to("/p/crates/a").shell("cargo test", Err(1), "1 failed");
    session.go_to("/p").shell("cargo test", Ok(()), "");
    assert_eq!(session.stop("Done."), Verdict::Pass);
    // Where it is can only be known to the shell.
    let mut session = edited();
    session.shell("cd front && npm test", Err(1), "1 failed");
    session.shell("cd $OLDPWD && npm test", Ok(()), "");
    assert_eq!(session.stop("Done."), Verdict::Pass);
}

#[test]
fn a_subagents_runs_are_its_own_and_count_for_the_main_agent() {
    let mut session = Session::new();
    session.policy.gates.agents = vec!["*".to_owned()];
    session.prompt("do it").switch_to("a1", "writer").edit("/p/a.rs");
    session.shell("cargo test", Err(101), "1 failed");
    session.switch_to("", "").shell("cargo test", Ok(()), "test result: ok. 3 passed");
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
    asked(&session.switch_to("a1", "writer").stop("All tests pass."));
    assert_eq!(session.stop("All tests pass."), Verdict::Release(Release::Idle));
}

#[test]
fn what_a_claim_is_about_speaks_against_it_whatever_else_passed() {
    for (command, claim) in [
        ("cargo clippy", "Lint is clean."),
        ("npx tsc --noEmit", "No type errors."),
        ("cargo build", "The build succeeds."),
    ] {
        let mut session = edited();
        session.shell("cargo test", Ok(()), "test result: ok. 3 passed; 0 failed");
        session.shell(command, Err(1), "error: it is not");
        let verdict = session.stop(claim);
        assert!(asked(&verdict).contains(&format!("`{command}` failed")), "{verdict:?}");
        session.shell(command, Ok(()), "");
        assert_eq!(session.stop(claim), Verdict::Pass, "{claim}");
    }
    // Another kind of run, or one before the edit, says nothing against it.
    let mut session = Session::new();
    session.prompt("change it").shell("cargo clippy", Err(1), "error: it is not");
    session.edit("/p/src/a.rs").shell("cargo test", Ok(()), "test result: ok. 3 passed");
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
}

#[test]
fn what_was_not_proven_in_an_earlier_prompt_is_not_proven_in_a_later_one() {
    let mut session = edited();
    session.shell("cargo test", Err(101), "1 failed");
    asked(&session.stop("Done."));
    assert_eq!(session.stop("Done."), Verdict::Release(Release::Idle));
    session.prompt("are the tests green?");
    assert!(asked(&session.stop("Yes, all tests pass.")).contains("`cargo test` failed after"));
    // Without a claim a question is a question.
    session.prompt("what does it do?");
    assert_eq!(session.stop("It parses."), Verdict::Pass);
    session.prompt("run them").shell("cargo test", Ok(()), "test result: ok. 3 passed");
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
    session.prompt("are the tests green?");
    assert_eq!(session.stop("Yes, all tests pass."), Verdict::Pass);
}

#[test]
fn a_look_or_a_failed_command_is_no_trial() {
    let claim = "I verified that the fix works.";
    for (command, end) in [
        ("git status", Ok(())),
        ("ls -la && cat src/a.rs", Ok(())),
        ("echo done", Ok(())),
        ("./run-it", Err(1)),
    ] {
        let mut session = edited();
        session.shell(command, end, "");
        asked(&session.stop(claim));
    }
    for command in ["./run-it", "python demo.py", "curl -s localhost:3000/health", "cargo run"] {
        let mut session = edited();
        session.shell(command, Ok(()), "");
        assert_eq!(session.stop(claim), Verdict::Pass, "{command}");
    }
}

#[test]
fn an_edit_that_was_refused_changes_nothing() {
    let mut session = edited();
    session.shell("cargo test", Ok(()), "test result: ok. 3 passed").refused_edit("/p/src/b.rs");
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
    let mut session = Session::new();
    session.prompt("change it").refused_edit("/p/src/b.rs");
    session.shell("cargo test", Err(101), "1 failed");
    assert_eq!(session.stop("Done."), Verdict::Pass);
}

#[test]
fn what_is_no_code_of_the_project_is_no_reason_to_doubt() {
    for file in [
        "/p/.github/workflows/ci.yml",
        "/p/.gitignore",
        "/p/docs/conf.py",
        "/home/somebody/.bashrc",
        "/home/somebody/notes/a.py",
        "/tmp/try.py",
    ] {
        let mut session = edited();
        session.shell("cargo test", Ok(()), "test result: ok. 3 passed").edit(file);
        assert_eq!(session.stop("All tests pass."), Verdict::Pass, "{file}");
    }
    // The agent may stand anywhere in the project.
    let mut session = edited();
    session.go_to("/p/crates/a").edit("/p/crates/b/src/lib.rs");
    asked(&session.stop("All tests pass."));
}

#[test]
fn what_configures_a_run_is_code() {
    for file in [
        "/p/conftest.py",
        "/p/pytest.ini",
        "/p/jest.config.js",
        "/p/vitest.config.ts",
        "/p/.mocharc.json",
        "/p/.rspec",
        "/p/.babelrc",
        "/p/CMakeLists.txt",
        "/p/requirements.txt",
        "/p/.cargo/config.toml",
        "/p/.config/nextest.toml",
    ] {
        let mut session = edited();
        session.edit(file).shell("pytest", Ok(()), "12 passed in 0.1s");
        assert_eq!(session.stop("All tests pass."), Verdict::Pass, "{file}");
        session.edit(file);
        asked(&session.stop("All tests pass."));
    }
}

#[test]
fn an_agent_that_says_what_fails_and_why_is_not_asked() {
    for honest in [
        "2 tests still fail because the server is down; I stopped here.",
        "`test_upload` fails, unrelated: it needs the S3 bucket.",
        "I changed the parser. Which of the two formats should win?",
    ] {
        let mut session = edited();
        session.shell("cargo test", Err(101), "2 failed");
        assert_eq!(session.stop(honest), Verdict::Release(Release::Admitted), "{honest}");
        assert!(session.said().contains("`cargo test` failed"), "{}", session.said());
        // A message that says nothing of it is asked.
        session.edit("/p/src/a.rs").shell("cargo test", Err(101), "2 failed");
        asked(&session.stop("Done."));
    }
    // A claim is no honest report.
    let mut session = edited();
    session.shell("cargo test", Err(101), "2 failed");
    asked(&session.stop("All tests pass. Which format should I do next?"));
}

#[test]
fn a_failing_test_that_the_user_asked_for_is_not_sent_back() {
    for prompt in ["write a failing test for the parser", "TDD: start with the red test"] {
        let mut session = Session::new();
        session.prompt(prompt).edit("/p/src/a.rs").shell("cargo test", Err(101), "1 failed");
        assert_eq!(session.stop("Done."), Verdict::Release(Release::Admitted), "{prompt}");
        asked(&session.stop("All tests pass."));
        session.prompt("now fix it").edit("/p/src/a.rs").shell("cargo test", Err(101), "1 failed");
        asked(&session.stop("Done."));
    }
}

#[test]
fn what_failed_before_the_first_edit_is_told_to_the_user_and_not_asked_for() {
    let before = "test result: FAILED. 40 passed; 2 failed; 0 ignored; finished in 0.31s";
    let after = "test result: FAILED. 40 passed; 2 failed; 0 ignored; finished in 1.02s";
    let mut session = Session::new();
    session.prompt("change it").shell("cargo test", Err(101), before);
    session.edit("/p/src/a.rs").shell("cargo test", Err(101), after);
    assert_eq!(session.stop("Done."), Verdict::Pass);
    let notice = session.notice().unwrap();
    assert!(notice.contains("[proof] `cargo test` failed"), "{notice}");
    assert!(notice.contains("It failed in the same way before the first edit."), "{notice}");
    // It stands against a claim all the same.
    assert!(asked(&session.stop("All tests pass.")).contains("`cargo test` failed after"));
    // More failures are another matter, and so is one after a pass.
    session.shell("cargo test", Err(101), "test result: FAILED. 39 passed; 3 failed; 0 ignored");
    asked(&session.stop("Done."));
    session.shell("cargo test", Ok(()), "test result: ok. 42 passed; 0 failed; 0 ignored");
    session.edit("/p/src/a.rs").shell("cargo test", Err(101), after);
    asked(&session.stop("Done."));
}

#[test]
fn who_cannot_count_the_asks_does_not_ask() {
    let mut session = edited();
    session.lose_work();
    session.edit("/p/src/a.rs").shell("cargo test", Err(101), "1 failed");
    assert_eq!(session.stop("Done."), Verdict::Release(Release::Lost));
    session.prompt("go on").edit("/p/src/a.rs").shell("cargo test", Err(101), "1 failed");
    assert_eq!(session.stop("Done."), Verdict::Release(Release::Lost));
}

#[test]
fn the_end_of_a_run_in_the_background_is_its_result() {
    let mut session = edited();
    session.unknown("cargo test").ended(Outcome::Failed(Some(101)));
    assert!(asked(&session.stop("Done.")).contains("`cargo test` failed"));
    let mut session = edited();
    session.shell("cargo test", Err(101), "1 failed").unknown("cargo test").ended(Outcome::Passed);
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
    // What was edited while it ran was not tested.
    let mut session = edited();
    session.unknown("cargo test").ended(Outcome::Passed).edit("/p/src/b.rs");
    asked(&session.stop("All tests pass."));
    // The status of a pipe is not that of the run, and what is not told is not known.
    let mut session = edited();
    session.unknown("cargo test | tail -1").ended(Outcome::Failed(Some(1)));
    session.unknown("cargo test").ended(Outcome::Unknown);
    asked(&session.stop("All tests pass."));
}
