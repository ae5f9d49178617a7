//! Claims that no run stands behind, and what an ask says of them.

use super::{asked, edited};
use crate::testing::Session;
use crate::{Release, Verdict};

const PASSED: &str = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";

#[test]
fn a_run_that_tested_nothing_did_not_fail() {
    let nothing = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
    for (command, output) in [
        ("cargo test", nothing),
        ("pytest", "===== 3 skipped in 0.01s ====="),
        ("go test ./...", "?   \texample.com/a\t[no test files]"),
    ] {
        let mut session = edited();
        session.shell(command, Ok(()), output);
        assert_eq!(session.stop("Done."), Verdict::Pass, "{command}");
        let verdict = session.stop("All tests pass.");
        let text = asked(&verdict);
        assert!(text.contains(&format!("`{command}` ran no test")), "{text}");
        assert!(!text.contains("failed"), "{text}");
    }
}

#[test]
fn a_run_whose_result_is_not_visible_carries_no_claim() {
    for (line, output) in [
        ("pytest >/dev/null && echo OK || echo FAIL", "FAIL"),
        ("pytest > /tmp/log 2>&1; true", ""),
        ("cargo test | tail -1", ""),
        ("cargo test | grep ok", "test a ... ok"),
        ("npm test &", ""),
    ] {
        let mut session = edited();
        session.shell(line, Ok(()), output);
        let verdict = session.stop("All tests pass.");
        assert!(asked(&verdict).contains("[proof]"), "{line}");
    }
}

#[test]
fn a_claim_of_the_whole_needs_a_run_of_the_whole() {
    let chosen = [
        ("cargo test one_test", PASSED),
        ("cargo test -p a", PASSED),
        ("cargo test | head -3", PASSED),
    ];
    for (command, output) in chosen {
        for claim in [
            "The full suite is green.",
            "The entire test suite passes.",
            "All tests pass in both packages.",
        ] {
            let mut session = edited();
            session.shell(command, Ok(()), output);
            let verdict = session.stop(claim);
            assert!(matches!(verdict, Verdict::Ask(_)), "{command}: {claim}: {verdict:?}");
            session.shell("cargo test --workspace", Ok(()), PASSED);
            assert_eq!(session.stop(claim), Verdict::Pass, "{command}: {claim}");
        }
        // What leaves open how much it is about is shown by what was run.
        let mut session = edited();
        session.shell(command, Ok(()), output);
        assert_eq!(session.stop("The tests pass."), Verdict::Pass, "{command}");
    }
    // What is cut off may hold a failure.
    let mut session = edited();
    session.shell("cargo test | head -3", Ok(()), PASSED);
    asked(&session.stop("All tests pass."));
    // Two packages are both packages.
    let mut session = edited();
    session.shell("cargo test -p a", Ok(()), PASSED).shell("cargo test -p b", Ok(()), PASSED);
    assert_eq!(session.stop("All tests pass in both packages."), Verdict::Pass);
}

#[test]
fn a_script_that_the_session_wrote_proves_nothing() {
    for (file, line) in [
        ("/p/ci.sh", "./ci.sh"),
        ("/p/ci.sh", "bash ci.sh"),
        ("/p/scripts/test.sh", "scripts/test.sh"),
        ("/p/Makefile", "make test"),
        ("/p/justfile", "just ci"),
        ("/p/bin/ci", "bin/ci"),
        ("/p/ci", "./ci"),
        ("/p/ci", "bash ci"),
        ("/p/ci", "bash -c 'cd . && ./ci'"),
        ("/p/tools/ci.py", "python tools/ci.py"),
        ("/p/tools/ci.py", "python -m tools.ci"),
        ("/p/scripts/ci.mjs", "node scripts/ci.mjs"),
        ("/p/ci.sh", "source ci.sh"),
        ("/p/ci.sh", "bash < ci.sh"),
        ("/p/ci.sh", "env CI=1 timeout 60 ./ci.sh"),
        ("/p/sub/ci.sh", "cd sub && ./ci.sh"),
        ("/p/docker-compose.yml", "docker compose run --rm tests"),
        ("/p/compose.yaml", "docker compose up --abort-on-container-exit"),
        ("/p/ci.yml", "docker compose -f ci.yml run tests"),
        ("/p/ci", "docker compose run web ./ci"),
        ("/p/tox.ini", "tox"),
        ("/p/noxfile.py", "nox -s tests"),
        ("/p/.github/workflows/ci.yml", "act -j ci"),
        ("/p/package.json", "npm run ci"),
        ("/p/package.json", "npm test"),
        ("/p/package.json", "pnpm test"),
        ("/p/package.json", "yarn ci"),
        ("/p/package.json", "bun run ci"),
        ("/p/Taskfile.yml", "task ci"),
        ("/p/Earthfile", "earthly +ci"),
        ("/p/dagger/main.go", "dagger call ci"),
        ("/p/.husky/pre-commit", "git commit -m x"),
        ("/p/.git/hooks/pre-push", "git push"),
        ("/p/Makefile", "make -C . ci"),
        ("/p/ci.mk", "make -f ci.mk ci"),
        ("/p/ci.mk", "make --file=ci.mk ci"),
        ("/p/Rakefile", "rake test"),
        ("/p/tasks.py", "inv ci"),
        ("/p/mise.toml", "mise run ci"),
        ("/p/xtask/src/main.rs", "cargo xtask ci"),
        ("/p/cmd/ci/main.go", "go run ./cmd/ci"),
        ("/p/src/bin/ci.rs", "cargo run --bin ci"),
        ("/p/deno.json", "deno task ci"),
        ("/p/composer.json", "composer ci"),
        ("/p/turbo.json", "turbo run test"),
        ("/p/Vagrantfile", "vagrant ssh -c ./run"),
        ("/p/lefthook.yml", "lefthook run pre-push"),
        ("/p/.gitlab-ci.yml", "gitlab-ci-local test"),
    ] {
        let mut session = edited();
        session.edit(file).shell(line, Ok(()), PASSED);
        let verdict = session.stop("All tests pass.");
        assert!(asked(&verdict).contains("changed in this session"), "{line}: {verdict:?}");
        // One that was there before does.
        let mut session = edited();
        session.shell(line, Ok(()), PASSED);
        assert_eq!(session.stop("All tests pass."), Verdict::Pass, "{line}");
        // Its failure is one, whoever wrote it.
        let mut session = edited();
        session.edit(file).shell(
            line,
            Err(1),
            "test result: FAILED. 2 passed; 1 failed; 0 ignored",
        );
        assert!(asked(&session.stop("Done.")).contains("failed"), "{line}");
    }
}

#[test]
fn a_script_that_a_command_wrote_proves_nothing() {
    for (writes, line) in [
        ("cat > ci.sh <<'EOF'\necho '3 passed in 0.1s'\nEOF", "bash ci.sh"),
        ("cat > bin/ci <<'EOF'\npytest | tail\nEOF", "bin/ci"),
        ("cat > all <<'EOF'\n#!/bin/sh\npytest\nEOF", "./all"),
        ("printf '#!/bin/sh\\necho 3 passed in 0.1s\\n' > all", "./all"),
        ("tee scripts/verify <<'EOF'\npytest\nEOF", "scripts/verify"),
        ("echo 'ci: ; echo ok' > Makefile", "make ci"),
        ("cat > docker-compose.yml <<'EOF'\nservices: {}\nEOF", "docker compose run tests"),
        ("cat > tox.ini <<'EOF'\n[tox]\nEOF", "tox"),
        ("sed -i 's/pytest/true/' tox.ini", "tox"),
        ("cat > .github/workflows/ci.yml <<'EOF'\non: push\nEOF", "act"),
        ("cat > .husky/pre-commit <<'EOF'\ntrue\nEOF", "git commit -m x"),
        ("cat > Taskfile.yml <<'EOF'\nversion: 3\nEOF", "task ci"),
        ("sed -i 's/jest/true/' package.json", "npm run ci"),
        ("perl -pi -e 's/a/b/' justfile", "just ci"),
        ("cp /tmp/x bin/ci", "bin/ci"),
        ("mv /tmp/x ci", "./ci"),
    ] {
        let mut session = edited();
        session.shell(writes, Ok(()), "").shell(line, Ok(()), "3 passed in 0.1s");
        let verdict = session.stop("All tests pass.");
        assert!(asked(&verdict).contains("changed in this session"), "{writes}: {verdict:?}");
        let mut session = edited();
        session.shell(&format!("{writes}\n{line}"), Ok(()), "3 passed in 0.1s");
        asked(&session.stop("All tests pass."));
    }
    // A program that is run itself is no script, whatever file beside it was changed.
    for (file, line) in [
        ("/p/package.json", "npx jest"),
        ("/p/package.json", "bun test"),
        ("/p/package.json", "pnpm exec vitest run"),
        ("/p/package.json", "pnpm vitest run"),
        ("/p/pyproject.toml", "uv run pytest"),
        ("/p/pyproject.toml", "pdm run pytest"),
        ("/p/Makefile", "pytest"),
        ("/p/bin/other", "bin/ci"),
        ("/p/docker-compose.yml", "pytest"),
        ("/p/Cargo.toml", "cargo test"),
    ] {
        let mut session = edited();
        let output = "3 passed in 0.1s\nTests:       3 passed, 3 total\n";
        let output = if line.starts_with("cargo") { PASSED } else { output };
        session.edit(file).shell(line, Ok(()), output);
        assert_eq!(session.stop("All tests pass."), Verdict::Pass, "{line}");
    }
}

#[test]
fn passing_output_of_the_user_silences_the_ask_and_proves_nothing() {
    let mut session = edited();
    asked(&session.stop("All tests pass."));
    session.prompt("I ran it:\n\ntests/test_a.py ...\n==== 3 passed in 0.12s ====\n");
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
    assert!(session.said().contains("stated by the user"), "{}", session.said());
    assert!(session.work.runs.is_empty());
    // An edit after it is not what the user tested.
    session.edit("/p/src/a.rs");
    asked(&session.stop("All tests pass."));
    // Failing output silences nothing.
    let mut session = edited();
    session.prompt("I ran it:\n==== 1 failed, 2 passed in 0.12s ====\n");
    asked(&session.stop("All tests pass."));
}

#[test]
fn an_ask_names_the_directory_and_what_satisfies_it() {
    let mut session = edited();
    session.shell("cd crates/a && cargo test", Err(101), "test result: FAILED. 2 passed; 1 failed");
    let verdict = session.stop("Done.");
    let text = asked(&verdict);
    assert!(text.contains("`cargo test` in crates/a failed (1 failed, 2 passed)."), "{text}");
    assert!(text.contains("Run `cargo test` in crates/a until it passes"), "{text}");
    let mut session = edited();
    let verdict = session.stop("All tests pass.");
    let text = asked(&verdict);
    assert!(text.contains("no test run was recognised since src/a.rs was changed"), "{text}");
    assert!(text.contains("`gates.runs`"), "{text}");
    assert!(!text.contains("was seen"), "{text}");
}

#[test]
fn a_run_in_another_project_proves_nothing_here() {
    let mut session = edited();
    session.shell("cd /tmp/copy && cargo test", Ok(()), PASSED);
    asked(&session.stop("All tests pass."));
    let mut session = edited();
    session.shell("cd /p/tests && cargo test", Ok(()), PASSED);
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
}

#[test]
fn hooks_of_git_need_no_proof() {
    let mut session = Session::new();
    session.prompt("add a hook").edit("/p/.git/hooks/pre-commit").edit("/q/.git/hooks/pre-push");
    assert_eq!(session.stop("All tests pass."), Verdict::Pass);
}

#[test]
fn a_package_that_cannot_be_built_is_no_failure_of_the_work() {
    for output in [
        "no non-test Go files in /p/internal/testutil",
        "package example.com/a: build constraints exclude all Go files in /p/a",
    ] {
        let mut session = edited();
        session.shell("go build ./internal/testutil", Err(1), output);
        session.shell("go vet ./internal/testutil", Ok(()), "");
        assert_eq!(session.stop("Done."), Verdict::Pass, "{output}");
    }
}

#[test]
fn a_failure_behind_a_wrapper_is_asked_for() {
    for command in
        ["just ci", "./ci.sh", "docker compose run tests", "git commit -m x", "npm run ci"]
    {
        let mut session = edited();
        session.shell(command, Err(1), "==== 1 failed, 2 passed in 0.12s ====");
        assert!(
            asked(&session.stop("Done.")).contains(&format!("`{command}` failed")),
            "{command}"
        );
        session.shell(command, Ok(()), "==== 3 passed in 0.12s ====");
        assert_eq!(session.stop("All tests pass."), Verdict::Pass, "{command}");
        assert_ne!(session.stop("All tests pass."), Verdict::Release(Release::Idle));
    }
}

#[test]
fn an_agent_is_not_sent_on_while_a_message_of_the_user_waits() {
    let mut session = edited();
    session.queued = 1;
    assert_eq!(session.stop("All tests pass."), Verdict::Release(Release::Queued));
    session.queued = 0;
    asked(&session.stop("All tests pass."));
}

#[test]
fn a_claim_about_ci_is_carried_by_a_look_at_ci_after_the_push() {
    let passed = "build\tpass\t1m2s\thttps://ci/1\ntest\tpass\t2m\thttps://ci/2";
    let claim = "CI is green on the pull request.";
    let mut session = edited();
    asked(&session.stop(claim));
    session.shell("git push", Ok(()), "").shell("gh pr checks", Ok(()), passed);
    assert_eq!(session.stop(claim), Verdict::Pass);
    // A claim about a run of its own is not what was looked at.
    asked(&session.stop("CI is green, and I ran the tests and they pass."));
    for steps in [
        // It asked before the push, or about what was pushed before the edit.
        &[("gh pr checks", passed), ("git push", "")][..],
        &[("gh pr checks", passed)],
        &[("git push", ""), ("gh pr checks", "test\tfail\t2m\thttps://ci/2")],
        &[("git push", ""), ("gh run list", "in_progress\t\tfix\tCI")],
        &[("git push", "")],
    ] {
        let mut session = edited();
        for (line, output) in steps {
            session.shell(line, Ok(()), output);
        }
        let verdict = session.stop(claim);
        let is_open = steps.iter().any(|it| it.1.contains("fail") || it.1.contains("in_progress"));
        let answer =
            if is_open { "CI answered that something failed" } else { "CI has not answered" };
        assert!(asked(&verdict).contains(answer), "{steps:?}: {verdict:?}");
    }
    // It exits with an error where something failed.
    let mut session = edited();
    session.shell("git push", Ok(()), "").shell(
        "gh pr checks",
        Err(1),
        "test\tfail\t2m\thttps://ci/2",
    );
    assert!(asked(&session.stop(claim)).contains("CI answered that something failed"));
    // What runs here stands behind it too.
    let mut session = edited();
    session.shell("cargo test", Ok(()), PASSED);
    assert_eq!(session.stop(claim), Verdict::Pass);
    for message in
        ["CI runs the tests on each push.", "CI will be green.", "When CI is green, merge."]
    {
        assert_eq!(edited().stop(message), Verdict::Pass, "{message}");
    }
}

#[test]
fn what_compiles_is_shown_by_a_type_check() {
    for (command, message) in [
        ("npx tsc --noEmit", "TypeScript compiles without errors."),
        ("npx tsc --noEmit", "The code compiles cleanly."),
        ("cargo check", "It compiles cleanly."),
        ("go vet ./...", "The code compiles without errors."),
        ("mypy src", "The project type-checks cleanly."),
    ] {
        let mut session = edited();
        session.shell(command, Ok(()), "");
        assert_eq!(session.stop(message), Verdict::Pass, "{command}: {message}");
    }
    let mut session = edited();
    session.shell("npx tsc --noEmit", Ok(()), "");
    asked(&session.stop("The production build succeeds."));
}

#[test]
fn a_suite_that_is_named_is_shown_by_a_run_of_it() {
    let run = |command: &str, message: &str| {
        let mut session = edited();
        session.shell(command, Ok(()), "12 passed in 0.20s");
        session.stop(message)
    };
    for message in [
        "Full Maven test suite passes.",
        "The full pytest suite passes.",
        "The complete integration test suite is green.",
    ] {
        asked(&run("pytest tests/test_a.py", message));
    }
    assert_eq!(run("pytest tests/unit", "The entire unit test suite passes."), Verdict::Pass);
}

#[test]
fn tests_that_a_build_left_out_are_not_claimed_with_it() {
    for (command, message) in [
        ("mvn package -DskipTests", "The Maven build passes, including all tests."),
        ("mvn package -DskipTests", "Maven build with all tests passes."),
        ("./gradlew build -x test", "The build passes, including the tests."),
        ("ruff check .", "All checks pass, including the unit tests."),
    ] {
        let mut session = edited();
        session.shell(command, Ok(()), "");
        asked(&session.stop(message));
    }
}

#[test]
fn a_part_that_a_claim_names_was_tested() {
    let session = |command: &str| {
        let mut session = Session::new();
        session.prompt("go").edit("/p/services/web/b.ts").edit("/p/services/api/a.py");
        session.shell(command, Ok(()), "12 passed in 0.20s");
        session
    };
    for message in [
        "The API tests and the web tests pass.",
        "Tests for api and web are green.",
        "API and web tests pass.",
    ] {
        asked(&session("cd services/api && pytest -q").stop(message));
        assert_eq!(session("pytest -q").stop(message), Verdict::Pass, "{message}");
        let mut both = session("cd services/api && pytest -q");
        both.shell("cd services/web && npx vitest run", Ok(()), "Tests  5 passed (5)");
        assert_eq!(both.stop(message), Verdict::Pass, "{message}");
    }
    assert_eq!(session("cd services/api && pytest -q").stop("The API tests pass."), Verdict::Pass);
}

#[test]
fn each_claim_that_nothing_carries_is_named() {
    let mut session = edited();
    session.shell("cargo test", Err(101), "test result: FAILED. 2 passed; 1 failed");
    let verdict = session.stop("Lint is clean, the build is green and all tests pass.");
    let text = asked(&verdict);
    let quoted = "[proof] The message says “Lint is clean, the build is green and all tests pass.”, but \
                  `cargo test` failed (1 failed, 2 passed). Besides, no build was recognised since";
    assert!(text.contains(quoted), "{text}");
    assert!(text.contains("; no run of a linter was recognised since src/a.rs"), "{text}");
}

#[test]
fn claims_in_several_sentences_are_named_one_by_one() {
    let verdict = edited().stop("All tests pass. Clippy is clean.");
    let text = asked(&verdict);
    assert!(text.contains("says “All tests pass.”, but no test run was recognised"), "{text}");
    assert!(text.contains("; it says “Clippy is clean.”, but no run of a linter was"), "{text}");
}

#[test]
fn an_ask_names_the_tests_that_fail_and_says_what_a_build_needs() {
    let mut session = edited();
    let output = "FAILED tests/test_core.py::test_total - assert\n1 failed, 10 passed in 1.42s";
    session.shell("pytest -q", Err(1), output);
    let verdict = session.stop("Done.");
    let text = asked(&verdict);
    assert!(text.contains("`pytest -q` failed: test_total (1 failed, 10 passed). "), "{text}");
    let mut session = edited();
    session.shell("cargo build", Err(101), "error: could not compile `p` (lib)");
    let verdict = session.stop("Done.");
    let text = asked(&verdict);
    assert!(text.contains("name in your message the error and the reason."), "{text}");
    let mut session = edited();
    session.shell("vendor/bin/phpunit", Err(1), "FAILURES!\nTests: 3, Assertions: 3, Failures: 1.");
    let verdict = session.stop("Done.");
    assert!(!asked(&verdict).contains("!."), "{verdict:?}");
    assert!(!asked(&verdict).contains(".."), "{verdict:?}");
    let mut session = edited();
    session.shell("ctest --test-dir build", Err(8), "1 tests failed out of 6");
    let verdict = session.stop("Done.");
    assert!(!asked(&verdict).contains("in build"), "{verdict:?}");
    let mut session = edited();
    session.edit("/p/package.json").shell("npm test", Ok(()), "Tests  5 passed (5)");
    let verdict = session.stop("All tests pass.");
    let script = "the script `test` in package.json was changed";
    assert!(asked(&verdict).contains(script), "{verdict:?}");
}

const CHECKS: &str = "lint\tpass\t21s\thttps://x\ntest\tfail\t1m\thttps://x\n";

#[test]
fn what_a_job_of_ci_shows_is_believed_of_that_job() {
    let is_asked = |output: &str, message: &str| {
        let mut session = edited();
        session.shell("git commit -qam tax", Ok(()), "").shell("git push", Ok(()), "To x");
        session.shell("gh pr checks 12", Err(1), output);
        matches!(session.stop(message), Verdict::Ask(_))
    };
    for message in [
        "Pushed. Lint is green; the `test` job fails on CI with a missing DATABASE_URL secret.",
        "Clippy is clean on CI. The test job fails there: the secret is missing.",
        "On CI the linter passes, the test job fails because DATABASE_URL is not set.",
    ] {
        assert!(!is_asked(CHECKS, message), "{message}");
    }
    for message in [
        "Pushed. Lint is green and the build passes; the test job fails on CI.",
        "The CI pipeline is green.",
        "All tests pass locally; only the lint job on CI is slow.",
    ] {
        assert!(is_asked(CHECKS, message), "{message}");
    }
    // The machine of a job is no part of its name.
    let latest = "lint (ubuntu-latest)\tpass\t1m\thttps://x\nunittests (ubuntu-latest)\tfail\t1m\thttps://x\n";
    assert!(!is_asked(latest, "Pushed. Lint is green; the test job fails on CI: no secret there."));
    let lints = "lint (js)\tpass\t21s\thttps://x\nlint (rust)\tfail\t1m\thttps://x\n";
    assert!(is_asked(lints, "Pushed. Lint is green; the test job on CI waits."));
    // Nothing was asked after the push.
    let mut session = edited();
    session.shell("gh pr checks 12", Err(1), CHECKS).shell("git push", Ok(()), "To x");
    assert!(matches!(session.stop("Lint is green; the test job fails on CI."), Verdict::Ask(_)));
}

#[test]
fn each_claim_that_nothing_shows_has_its_instruction() {
    let asked_of = |message: &str| asked(&edited().stop(message)).to_owned();
    let text = asked_of("ESLint and tsc both report zero errors.");
    assert!(text.contains("Run the linter"), "{text}");
    assert!(text.contains("Run the type checker, too."), "{text}");
    let text = asked_of("### Summary\n- Rate → 21 %\n- Tests ✅\n- Lint ✅");
    assert!(text.contains("Run the tests") && text.contains("Run the linter, too."), "{text}");
    let text = asked_of("Build, tests and lint all pass.");
    assert!(text.contains("Build it and run the linter, too."), "{text}");
    let text = asked_of("All tests pass.");
    assert!(!text.contains(", too."), "{text}");
    // The linter ran, the tests did not.
    let mut session = edited();
    session.shell("cargo clippy", Ok(()), "    Finished `dev` profile in 0.2s");
    let verdict = session.stop("Clippy is clean and all tests pass.");
    assert!(!asked(&verdict).contains("linter"), "{verdict:?}");
}
