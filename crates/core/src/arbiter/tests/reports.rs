//! Messages that report a gap, that show a run nobody saw, or that say "verified" and no more.

use super::{asked, edited};
use crate::testing::Session;
use crate::{Release, Timestamp, Verdict};

const PASSED: &str = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
const FAILED: &str = "test result: FAILED. 3 passed; 1 failed; 0 ignored";

fn failed() -> Session {
    let mut session = edited();
    session.shell("cargo test", Err(101), FAILED);
    session
}

#[test]
fn a_gap_that_is_named_is_not_sent_back() {
    for message in [
        "All tests pass except test_a, which needs Postgres.",
        "3 of 4 tests pass; test_a needs Postgres.",
        "Could not get test_a to pass: it needs a running server.",
        "Everything but the e2e suite passes.",
        "The tests cannot run here because there is no Postgres.",
        "Only test_a is left: it needs a live S3 bucket.",
        "test_a is the one remaining problem; it expects the old format.",
        "I left test_a unresolved: it needs Postgres.",
        "test_a remains unfixed because the schema is missing.",
        "test_a: expected 3, got 4 - still open.",
        "Alle Tests bestehen außer test_a, der Postgres braucht.",
        "除 test_a 外所有测试都通过，它需要 Postgres。",
    ] {
        assert_eq!(failed().stop(message), Verdict::Release(Release::Admitted), "{message}");
    }
}

#[test]
fn a_gap_without_a_name_or_a_reason_is_sent_back() {
    for message in [
        "All tests pass except nothing.",
        "Everything passes except for minor things.",
        "The failing test is unrelated.",
        "Done, and the remaining failure is pre-existing.",
        "One test fails, but it was already broken.",
        "The failing test was already broken.",
        "One test fails; this is a known issue.",
        "One test fails. It is flaky.",
        "The failing tests are out of scope.",
        "Ignore the failing test.",
        "Tests fail but that's expected.",
        "One test fails, it can be ignored.",
        "One test failed because of the environment.",
        "One test is failing due to timing.",
        "I've confirmed that test failures existed before my change.",
        "The failing test is unrelated. It failed before my change, too.",
        "Ein Test schlägt fehl, er war schon vorher kaputt.",
        "Un test échoue, c'est un problème connu.",
    ] {
        let verdict = failed().stop(message);
        assert!(asked(&verdict).contains("`cargo test` failed"), "{message}");
    }
    let verdict = failed().stop("The failing test is unrelated.");
    let way = "name in your message the test that fails and the reason";
    assert!(asked(&verdict).contains(way), "{verdict:?}");
    for message in [
        "The failing test is unrelated: it needs a server.",
        "The failing test, `test_upload`, is unrelated.",
        "One test fails because of the environment: the variable DB_URL is not set here.",
        "One test fails, it is flaky because the port 8080 is used by another process.",
    ] {
        assert_eq!(failed().stop(message), Verdict::Release(Release::Admitted), "{message}");
    }
}

#[test]
fn a_failure_that_is_told_in_plain_words_is_not_sent_back() {
    let failed = || {
        let mut session = edited();
        let output = "FAILED tests/test_x.py::test_x - assert 1 == 2\n1 failed, 11 passed in 0.30s";
        session.shell("pytest", Err(1), output);
        session
    };
    for message in [
        "pytest: 11 pass, test_x fails, unrelated to this change (it needs a server).",
        "1 failed, 11 passed. The failing one is test_x, which may have failed before.",
        "Blocked: test_x needs a running Postgres, which is not available here. All other tests pass.",
        "Tests: 11 ✅, 1 ❌ (test_x: assert 1 == 2, unrelated to this change).",
        "I was unable to make the tests green. test_x: assert 1 == 2.",
        "Should I go on with test_x?\n\n- yes, I change it\n- no, I leave it",
        "How do you want me to handle test_x?\n\nA) update it\nB) skip it\n\nI recommend A.",
        "The other 11 tests pass, test_x does not.",
    ] {
        assert_eq!(failed().stop(message), Verdict::Release(Release::Admitted), "{message}");
    }
    for message in [
        "The change is complete, no test fails because of it.",
        "My change breaks no test.",
        "Nothing fails because of this change.",
        "What did I change?\n\n- the parser\n- the lexer",
    ] {
        assert!(matches!(failed().stop(message), Verdict::Ask(_)), "{message}");
    }
}

#[test]
fn the_user_reads_that_no_run_shows_the_age_of_a_failure() {
    let output = "FAILED tests/test_x.py::test_x - assert 1 == 2\n1 failed, 11 passed in 0.30s";
    let message = "test_x still fails. It is unrelated: it fails on main as well.";
    let mut session = edited();
    session.shell("pytest", Err(1), output);
    assert_eq!(session.stop(message), Verdict::Release(Release::Admitted));
    let notice = session.notice().unwrap_or_default();
    assert!(notice.contains("“It is unrelated: it fails on main as well.”"), "{notice}");
    assert!(notice.contains("no run before the first edit"), "{notice}");
    // A run before the first edit shows it, and what is left open is no claim.
    let mut session = Session::new();
    session.prompt("go").shell("pytest", Err(1), output).edit("/p/a.py");
    session.shell("pytest", Err(1), output).stop(message);
    assert!(!session.notice().unwrap_or_default().contains("no run before"));
    let mut session = edited();
    session.shell("pytest", Err(1), output).stop("test_x still fails, probably on main, too.");
    assert!(!session.notice().unwrap_or_default().contains("no run before"));
}

#[test]
fn a_block_that_shows_a_run_is_a_claim_of_it() {
    let invented = [
        "Done.\n\n```\n$ pytest\n===== 455 passed in 3.21s =====\n```",
        "Ran the tests:\n\n```console\n$ cargo test\ntest result: ok. 12 passed; 0 failed; 0 ignored\n```",
        "$ pytest\n===== 455 passed in 3.21s =====",
        "❯ pytest\n===== 455 passed in 3.21s =====",
        "Result:\n\n    $ pytest\n    ===== 455 passed in 3.21s =====",
    ];
    for message in invented {
        let verdict = edited().stop(message);
        assert!(asked(&verdict).contains("no test run was recognised"), "{message}");
        let mut seen = edited();
        seen.shell("cargo test", Ok(()), &PASSED.replace("3 passed", "455 passed"));
        assert_eq!(seen.stop(message), Verdict::Pass, "{message}");
        assert!(matches!(failed().stop(message), Verdict::Ask(_)), "{message}");
    }
    for message in [
        "Run it like this; you should see:\n\n```\n$ pytest\n===== 455 passed in 3.21s =====\n```",
        "Example output:\n\n```\n===== 455 passed in 3.21s =====\n```",
        "Before the change:\n\n```\n===== 455 passed in 3.21s =====\n```",
        "The old log says:\n\n```\n===== 455 passed in 3.21s =====\n```",
        "The parser reads lines such as\n\n```\n===== 455 passed in 3.21s =====\n```",
        "## Expected output\n\n```\n===== 455 passed in 3.21s =====\n```",
        "The test:\n\n```python\nassert line == \"== 455 passed in 3.21s ==\"\n```",
        "```\n# expected\n===== 455 passed in 3.21s =====\n```",
        "```\n===== 2 failed, 453 passed in 3.21s =====\n```",
    ] {
        assert_eq!(edited().stop(message), Verdict::Pass, "{message}");
    }
}

#[test]
fn verified_without_any_run_is_a_claim_and_reading_is_none() {
    for message in [
        "Verified.",
        "Verified the fix.",
        "Fix verified end-to-end.",
        "Tested and working.",
        "Confirmed working.",
        "I've validated the change locally.",
        "Done. Verified.",
    ] {
        assert!(
            asked(&edited().stop(message))
                .contains("no run of the program or its tests was recognised"),
            "{message}"
        );
        let mut tried = edited();
        tried.shell("cargo run", Ok(()), "hello");
        assert_eq!(tried.stop(message), Verdict::Pass, "{message}");
        let mut unchanged = Session::new();
        unchanged.prompt("look at it");
        assert_eq!(unchanged.stop(message), Verdict::Pass, "{message}");
    }
    for message in [
        "I verified that the config is read in main.rs.",
        "Verified by reading the code.",
        "Verified users can log in.",
        "Verified the change in the diff.",
        "I confirmed that the function has two callers.",
        "Not verified.",
        "Verified?",
    ] {
        assert_eq!(edited().stop(message), Verdict::Pass, "{message}");
    }
}

#[test]
fn the_user_reads_what_the_agent_was_sent_back_for() {
    let mut session = edited();
    asked(&session.stop("All tests pass."));
    assert_eq!(
        session.notice(),
        Some(
            "windlass: [proof] sent the agent back: The message says “All tests pass.”, but no test \
             run was recognised since src/a.rs was changed. `windlass gate off` switches the gates of \
             this project off until `windlass gate on`."
        )
    );
}

#[test]
fn an_ask_says_what_was_visible_of_a_run() {
    for (line, output, words) in [
        (
            "pytest | head -3",
            "platform linux\ncollected 12 items",
            "“collected 12 items” at the end",
        ),
        ("cargo test | head -2", "running 12 tests\ntest a ... ok", "“test a ... ok” at the end"),
        ("pytest > /dev/null; true", "", "neither the exit status nor a summary of `pytest`"),
    ] {
        let mut session = edited();
        session.shell(line, Ok(()), output);
        let verdict = session.stop("All tests pass.");
        assert!(asked(&verdict).contains(words), "{line}: {verdict:?}");
    }
}

#[test]
fn an_ask_for_a_run_says_whose_command_is_unknown() {
    let verdict = edited().stop("All tests pass.");
    let way = "If you made a test run that windlass does not know, tell the user to name its \
               command in `gates.runs`.";
    assert!(asked(&verdict).contains(way), "{verdict:?}");
}

#[test]
fn a_failure_with_its_reason_and_others_that_pass_is_an_honest_report() {
    let output = "FAILED tests/test_db.py::test_conn - refused\n1 failed, 10 passed in 0.42s";
    for message in [
        "`test_conn` fails since no Postgres is running on this machine. All other tests pass.",
        "test_conn fails because Postgres is down. The remaining 10 tests pass.",
        "test_conn fails (no Postgres here). The other tests pass.",
        "All other tests pass; test_conn fails because Postgres is down.",
        "test_conn fails because Postgres is down. Everything else passes.",
        "test_conn schlägt fehl, weil Postgres fehlt. Alle anderen Tests laufen durch.",
        "test_conn échoue car Postgres manque. Tous les autres tests passent.",
        "test_conn falla porque falta Postgres. Todas las demás pruebas pasan.",
        "test_conn は Postgres がないため失敗します。他のテストはすべて通っています。",
        "test_conn 失败，因为没有 Postgres。其他测试全部通过。",
    ] {
        let mut session = edited();
        session.shell("pytest -q", Err(1), output);
        assert_eq!(session.stop(message), Verdict::Release(Release::Admitted), "{message}");
        // The same failure before the change.
        session.shell("git stash", Ok(()), "Saved working directory");
        session.shell("pytest -q", Err(1), output).shell("git stash pop", Ok(()), "Dropped");
        let verdict = session.stop(message);
        assert!(!matches!(verdict, Verdict::Ask(_)), "{message}: {verdict:?}");
    }
    // One of two failures is told.
    let two = "FAILED tests/test_db.py::test_conn - refused\nFAILED tests/test_api.py::test_get - 500\n\
               2 failed, 9 passed in 0.42s";
    for message in [
        "`test_conn` fails since no Postgres is running. All other tests pass.",
        "All other tests pass.",
        "test_conn fails because Postgres is down. All other tests pass. All tests pass.",
    ] {
        let mut session = edited();
        session.shell("pytest -q", Err(1), two);
        asked(&session.stop(message));
    }
}

#[test]
fn a_failure_that_is_there_without_the_changes_is_old_by_whatever_command() {
    let all = "FAILED tests/test_a.py::test_a - x\n1 failed, 11 passed in 0.12s";
    let one = "FAILED tests/test_a.py::test_a - x\n1 failed in 0.02s";
    let other = "FAILED tests/test_a.py::test_b - x\n1 failed in 0.02s";
    for (aside, output, is_asked) in [
        ("git stash -q; pytest tests/test_a.py -q; git stash pop -q", one, false),
        ("git stash -u -q && pytest -q | tail -3; git stash pop", all, false),
        ("git stash -q; pytest tests/test_a.py -q; git stash pop -q", other, true),
    ] {
        for is_first in [true, false] {
            let mut session = edited();
            if is_first {
                session.shell(aside, Ok(()), output).shell("pytest", Err(1), all);
            } else {
                session.shell("pytest", Err(1), all).shell(aside, Ok(()), output);
            }
            let verdict = session.stop("Done.");
            assert_eq!(matches!(verdict, Verdict::Ask(_)), is_asked, "{aside}: {verdict:?}");
        }
    }
}

#[test]
fn a_failure_that_was_told_is_not_asked_for_while_nothing_changes() {
    let told = "`test_total` fails because the rounding changed. Update the test?";
    for (prompt, answer) in
        [("no, leave it", "OK."), ("what does Decimal do?", "Exact base-10 arithmetic.")]
    {
        let mut session = failed();
        assert_eq!(session.stop(told), Verdict::Release(Release::Admitted));
        session.prompt(prompt);
        assert_eq!(session.stop(answer), Verdict::Pass, "{prompt}");
        asked(&session.stop("All tests pass."));
        // A prompt that nobody typed goes on with the same work.
        let mut session = failed();
        session.stop(told);
        session.notification();
        assert_eq!(session.stop(answer), Verdict::Release(Release::Admitted), "{prompt}");
        asked(&session.stop("All tests pass."));
        session.shell("cargo test", Err(101), FAILED);
        asked(&session.stop("Done."));
    }
}

#[test]
fn what_was_run_again_and_what_was_not_is_an_honest_report() {
    let output = "FAILED tests/test_a.py::test_a - x\nFAILED tests/test_b.py::test_b - y\n\
                  2 failed, 9 passed in 0.42s";
    let mended = |command: &str| {
        let mut session = edited();
        session.shell("pytest -q", Err(1), output).edit("/p/src/a.rs");
        session.shell(command, Ok(()), "6 passed in 0.20s");
        session
    };
    for message in [
        "test_a and test_b pass again (I re-ran those two files only, not the whole suite).",
        "Both pass now. I have not run the other tests again.",
        "test_a und test_b laufen wieder; nur diese beiden Dateien habe ich ausgeführt.",
    ] {
        let mut session = mended("pytest -q tests/test_a.py tests/test_b.py");
        assert_eq!(session.stop(message), Verdict::Release(Release::Admitted), "{message}");
    }
    let command = "pytest -q tests/test_a.py tests/test_b.py";
    asked(&mended(command).stop("Fixed."));
    asked(&mended(command).stop("All tests pass, I only re-ran the two files."));
    // One of them was not run again, and is not told.
    asked(&mended("pytest -q tests/test_a.py").stop("test_a passes now (re-ran only that one)."));
}

#[test]
fn nothing_is_asked_of_work_that_was_taken_back() {
    let mut session = failed();
    session.shell("git checkout -- .", Ok(()), "");
    let same = vec![super::shell::same("/p/src/a.rs", Timestamp(0))];
    session.facts.tree = Some(crate::gate::Tree::Seen { touched: Vec::new(), same });
    assert_eq!(session.stop("I reverted everything."), Verdict::Pass);
}
