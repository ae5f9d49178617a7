//! Runs that only their output shows, and texts that are only shown.

use super::super::{CommandLine, Gap, RunKind, passing_kinds};
use crate::{Excerpt, Outcome};

/// Closing lines of runs that passed, as the tools print them.
const PASSING: &[&str] = &[
    "running 3 tests\ntest a ... ok\n\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
    "collected 3 items\n\ntests/test_a.py ...   [100%]\n\n============ 3 passed in 0.12s ============\n",
    "ok  \texample.com/a\t0.012s\nok  \texample.com/b\t(cached)\n",
    "Test Suites: 1 passed, 1 total\nTests:       2 passed, 2 total\nTime:        0.334 s\n",
    " Test Files  2 passed (2)\n      Tests  9 passed (9)\n",
    "..\n----------------------------------------------------------------------\nRan 2 tests in 0.001s\n\nOK\n",
    "5 examples, 0 failures\n",
    "100% tests passed, 0 tests failed out of 12\n",
    "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n",
    "[==========] 5 tests ran.\n[  PASSED  ] 5 tests.\n",
    "  5 passing (10ms)\n",
    "> Task :compileJava\n> Task :test\n\nBUILD SUCCESSFUL in 3s\n4 actionable tasks: 4 executed\n",
    "tests-1  | ..\ntests-1  | Ran 2 tests in 0.001s\ntests-1  |\ntests-1  | OK\n",
    "2026-11-17T22:10:01.123Z test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
    "#12 3.456 ============ 3 passed in 0.12s ============\n",
    "web-1  | ============ 3 passed in 0.12s ============\n",
    "web:test:  Test Files  2 passed (2)\nweb:test:       Tests  9 passed (9)\n",
    "[CI/test]   | test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
];

/// Closing lines of runs that failed.
const FAILING: &[&str] = &[
    "test b ... FAILED\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n",
    "FAILED tests/test_a.py::test_b\n============ 1 failed, 2 passed in 0.12s ============\n",
    "--- FAIL: TestX (0.00s)\n    a_test.go:9: no\nFAIL\nFAIL\texample.com/a\t0.012s\n",
    "Tests:       1 failed, 2 passed, 3 total\n",
    " Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 9 passed (10)\n",
    "Ran 2 tests in 0.001s\n\nFAILED (failures=1)\n",
    "5 examples, 1 failure\n",
    "83% tests passed, 2 tests failed out of 12\n\nErrors while running CTest\n",
    "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n",
    "[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.b\n\n 1 FAILED TEST\n",
    "  5 passing (10ms)\n  2 failing\n",
    "web-1  | ============ 1 failed, 2 passed in 0.12s ============\n",
    "web:test:       Tests  1 failed | 9 passed (10)\n",
    "[CI/test]   | test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n",
];

/// Commands whose words do not say that they test.
#[rustfmt::skip]
const RUNNING: &[&str] = &[
    "just ci", "just", "./ci.sh", "bash ci.sh", "bash scripts/ci.sh --fast", "make ci", "make -C sub all-ci", "task ci",
    "npm run ci", "pnpm ci:all", "yarn ci", "bun run ci", "docker compose run tests", "docker compose run --rm web ./ci",
    "docker run --rm -v $PWD:/src img ./ci.sh", "podman run img ci", "kubectl exec pod -- ./ci", "earthly +all",
    "dagger call ci", "act -j ci", "act push", "git commit -m 'x'", "git push", "git push origin main", "nix develop -c just ci",
    "nix-shell --run './ci.sh'", "mise run ci", "pixi run ci", "poe ci", "inv ci", "rake ci", "./scripts/all", "bin/ci",
    "python tools/ci.py", "node scripts/ci.mjs", "ruby ci.rb", "cargo xtask ci", "cargo run --bin ci", "go run ./cmd/ci",
    "cmake --build build --target test", "cmake --build build --target check", "meson compile", "scons check", "pre-commit run -a",
    "docker build .", "docker buildx build .", "nix build", "emacs -batch -l ert -l t.el -f ert-run-tests-batch-and-exit",
    "nvim --headless -c 'PlenaryBustedDirectory tests'", "vim -Es -c 'Vader! tests/*'", "devcontainer exec ./ci", "ssh host ./ci.sh", "vagrant ssh -c './ci.sh'", "env CI=1 ./ci.sh", "CI=1 just ci",
    "timeout 600 ./ci.sh", "time ./ci.sh", "cd sub && ./ci.sh", "(cd sub && ./ci.sh)", "bash -c './ci.sh'",
    "sh -ec 'just ci'", "bash <<'EOF'\n./ci.sh\nEOF", "set -e; ./ci.sh", "./ci.sh 2>&1", "./ci.sh > log 2>&1; tail -20 log",
    "echo start; ./ci.sh", "mkdir -p out && ./ci.sh", "lefthook run pre-push", "circleci local execute", "tox-docker",
];

/// Commands that only show text.
#[rustfmt::skip]
const SHOWING: &[&str] = &[
    "cat old.log", "cat target/out.txt", "less old.log", "more old.log", "head -50 ci.log", "tail -n 20 ci.log",
    "tail -f ci.log", "bat ci.log", "tac ci.log", "nl ci.log", "sed -n '1,50p' ci.log", "awk '/pass|fail/' ci.log",
    "grep -E 'passed|failed' ci.log", "rg passed logs/", "zcat ci.log.gz", "xz -dc ci.log.xz", "gunzip -c ci.log.gz",
    "unzip -p logs.zip ci.log", "tar -xOf logs.tar ci.log", "strings core", "jq -r .output report.json",
    "docker logs web", "docker compose logs web", "podman logs web", "kubectl logs pod", "stern web", "journalctl -u ci",
    "dmesg", "gh run view 123 --log", "gh run view --log-failed", "gh pr checks", "gh pr view 5 --comments",
    "glab ci trace", "az pipelines runs show --id 1", "aws logs tail group", "heroku logs", "fly logs", "vercel logs x",
    "curl -s http://localhost/log", "wget -qO- http://localhost/log", "http localhost/log",
    "git show HEAD", "git log -p", "git diff", "git diff HEAD~1", "git stash show -p", "git blame ci.log",
    "git cat-file -p HEAD:ci.log", "git grep passed", "hg log", "jj show", "svn cat ci.log",
    "echo 'test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out'", "echo '3 passed in 0.12s'",
    "printf '3 passed in 0.12s\\n'", "cat <<'EOF'\n3 passed in 0.12s\nEOF", "tee notes.md <<'EOF'\n3 passed in 0.12s\nEOF",
    "python -c 'print(open(\"ci.log\").read())'", "python - <<'EOF'\nprint('x')\nEOF", "node -e 'console.log(1)'",
    "perl -ne 'print if /pass/' ci.log", "ruby -e 'puts File.read(\"ci.log\")'", "tmux capture-pane -p", "screen -X hardcopy -h x; cat x2",
    "asciinema cat demo.cast", "pbpaste", "xclip -o", "psql -c 'select log from runs'", "sqlite3 ci.db 'select log'",
    "redis-cli get log", "windlass explain 12", "claude -p 'run the tests'", "man pytest", "pandoc ci.md", "glow ci.md",
    "diff old.log new.log", "comm old.log new.log", "sort ci.log", "column -t ci.txt", "xargs cat < list", "find . -name '*.log' -exec cat {} +",
    "sudo cat ci.log", "ssh host cat ci.log", "ssh host 'tail ci.log'", "docker exec web cat ci.log", "kubectl exec pod -- tail ci.log",
    "bash -c 'cat ci.log'", "cd logs && cat ci.log", "./show-log.sh", "make logs", "npm run logs", "just show-log",
    "python tools/summarize.py ci.log", "cat ci.log | tail -5", "cat ci.log | ./parse.sh", "./ci.sh --help", "history",
    "elixir -e 'IO.puts File.read!(\"ci.log\")'", "groovy -e 'println 1'", "scala -e 'println(1)'", "escript x", "brotli -dc x.br",
    "frawk 1 x", "goawk 1 x", "hck x", "sqlplus x", "influx query x", "linear issue X", "vimdiff a b", "just --show ci",
    "emacs --batch --eval '(princ (insert-file-contents \"ci.log\"))'", "vim -es -c '%print' ci.log", "./ci.sh; cat old.log", "cat old.log && just ci", "lnav -n ci.log", "logcli query x", "mytool view run 5", "buildtool trace ci.log",
];

fn outcomes(command: &str, told: Outcome, output: &str) -> Vec<(RunKind, Outcome)> {
    let line = CommandLine::of(command, &[]);
    let (named, output) = (line.runs(), Excerpt::of(output));
    let shown = line.output_runs(&named, told, &output);
    let named = named.iter().map(|it| (it.kind, super::super::judge(it, told, &output).outcome));
    named.chain(shown.into_iter().map(|it| (it.0.kind, it.1.outcome))).collect()
}

fn tests(command: &str, told: Outcome, output: &str) -> Vec<Outcome> {
    let all = outcomes(command, told, output).into_iter();
    all.filter(|it| it.0 == RunKind::Test).map(|it| it.1).collect()
}

/// Fails with every case that is wrong.
fn report(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_run_behind_any_command_is_known_by_its_closing_line() {
    let mut wrong = Vec::new();
    for command in RUNNING {
        for output in PASSING {
            let found = tests(command, Outcome::Passed, output);
            if found != [Outcome::Passed] {
                wrong.push(format!("{command}: {output:?}: {found:?}"));
            }
        }
        for output in FAILING {
            for told in [Outcome::Failed(Some(1)), Outcome::Passed] {
                let found = tests(command, told, output);
                if !matches!(found[..], [Outcome::Failed(_)]) {
                    wrong.push(format!("{command}: {told:?}: {output:?}: {found:?}"));
                }
            }
        }
    }
    report(&wrong);
}

#[test]
fn a_failing_run_is_seen_where_its_status_is_hidden() {
    let mut wrong = Vec::new();
    for command in RUNNING.iter().filter(|it| !it.contains(['\n', ';', '&'])) {
        for behind in ["|| true", "| tail -40", "; echo done", "2>&1 | grep -iE 'fail|pass'"] {
            let hidden = format!("{command} {behind}");
            for output in FAILING {
                let found = tests(&hidden, Outcome::Passed, output);
                if !matches!(found[..], [Outcome::Failed(_)]) {
                    wrong.push(format!("{hidden}: {output:?}: {found:?}"));
                }
            }
        }
    }
    report(&wrong);
}

#[test]
fn a_text_that_is_only_shown_neither_proves_nor_fails_anything() {
    assert!(SHOWING.len() >= 60);
    let mut wrong = Vec::new();
    for command in SHOWING {
        for output in PASSING.iter().chain(FAILING) {
            for told in [Outcome::Passed, Outcome::Failed(Some(1))] {
                let found = outcomes(command, told, output);
                if found.iter().any(|it| it.1 != Outcome::Unknown) {
                    wrong.push(format!("{command}: {told:?}: {output:?}: {found:?}"));
                }
            }
        }
    }
    report(&wrong);
}

#[test]
fn a_command_that_failed_for_another_reason_proves_nothing() {
    let output = "3 passed in 0.12s\nupload: connection refused\n";
    assert_eq!(tests("just ci", Outcome::Failed(Some(1)), output), [Outcome::Unknown]);
    // Here the linter says what failed.
    let output = "3 passed in 0.12s\n✖ 3 problems (1 error, 2 warnings)\n";
    assert_eq!(tests("just ci", Outcome::Failed(Some(1)), output), [Outcome::Passed]);
}

#[test]
fn nothing_tested_is_neither_a_pass_nor_a_failure() {
    for (command, told, output) in [
        (
            "cargo test",
            Outcome::Passed,
            "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
        ),
        ("pytest", Outcome::Passed, "===== 3 skipped in 0.01s =====\n"),
        ("pytest", Outcome::Failed(Some(5)), "===== no tests ran in 0.01s =====\n"),
        ("go test ./...", Outcome::Passed, "?   \texample.com/a\t[no test files]\n"),
        ("python -m unittest", Outcome::Passed, "Ran 3 tests in 0.000s\n\nOK (skipped=3)\n"),
        ("npx jest", Outcome::Failed(Some(1)), "No tests found, exiting with code 1\n"),
        ("bun test", Outcome::Failed(Some(1)), "No tests found!\n"),
        ("deno test", Outcome::Failed(Some(1)), "error: No test modules found\n"),
        (
            "swift test",
            Outcome::Failed(Some(1)),
            "error: no tests found; create a target in the 'Tests' directory\n",
        ),
        (
            "just ci",
            Outcome::Passed,
            "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
        ),
        ("./ci.sh", Outcome::Passed, "===== 3 skipped in 0.01s =====\n"),
        ("turbo run test", Outcome::Passed, " Tasks:    0 successful, 0 total\n"),
    ] {
        let line = CommandLine::of(command, &[]);
        let (named, output) = (line.runs(), Excerpt::of(output));
        let shown = line.output_runs(&named, told, &output);
        let judged = named.iter().map(|it| super::super::judge(it, told, &output));
        let judged: Vec<_> = judged.chain(shown.into_iter().map(|it| it.1)).collect();
        let is_empty =
            |gap| judged.iter().any(|it| it.outcome == Outcome::Unknown && it.gap == Some(gap));
        assert!(
            is_empty(Gap::NoTest) && judged.iter().all(|it| it.outcome == Outcome::Unknown),
            "{command}: {judged:?}"
        );
    }
}

#[test]
fn what_the_line_prints_of_a_run_tells_how_it_ended() {
    for (command, output, expected) in [
        ("pytest >/dev/null && echo OK || echo FAIL", "FAIL", "failed"),
        ("pytest >/dev/null && echo OK || echo FAIL", "OK", "passed"),
        ("cargo test -q >/dev/null 2>&1 && echo PASS || echo FAIL", "FAIL", "failed"),
        (
            "cd a && cargo test -q >/dev/null && echo PASS || { echo FAIL; exit 1; }",
            "FAIL",
            "failed",
        ),
        ("cargo test -q >/dev/null 2>&1 || echo broken", "broken", "failed"),
        ("cargo test -q >/dev/null 2>&1 || echo broken", "", "passed"),
        ("pytest >/dev/null && echo OK || echo OK", "OK", "unknown"),
        ("pytest >/dev/null && echo $X || echo FAIL", "", "passed"),
        // The words tell how the last part of a pipe ended.
        ("pytest -q | grep -q passed && echo good", "good", "unknown"),
        ("pytest -q 2>&1 | grep -c passed && echo good || echo bad", "1\ngood", "unknown"),
        ("cargo test 2>&1 | tail -1 >/dev/null && echo green", "green", "unknown"),
        ("if npm test | grep -q ok; then echo good; else echo bad; fi", "good", "unknown"),
        ("set -o pipefail; pytest -q | grep -v warn >/dev/null && echo good", "good", "passed"),
        ("pytest -q | tail -1 && echo good", "9 passed in 0.3s\ngood", "passed"),
        ("pytest -q | tail -1 && echo good", "1 failed, 8 passed in 0.3s\ngood", "failed"),
    ] {
        let found = tests(command, Outcome::Passed, output);
        let found = match found[..] {
            [Outcome::Passed] => "passed",
            [Outcome::Failed(_)] => "failed",
            _ => "unknown",
        };
        assert_eq!(found, expected, "{command}: {output}");
    }
}

#[test]
fn output_that_somebody_pastes_is_told_by_its_kind() {
    for output in PASSING {
        assert!(passing_kinds(&Excerpt::of(*output)).contains(&RunKind::Test), "{output}");
    }
    for output in FAILING {
        assert!(!passing_kinds(&Excerpt::of(*output)).contains(&RunKind::Test), "{output}");
    }
    for text in
        ["please run the tests", "3 of the 5 tests fail", "all tests passed yesterday", "", "OK"]
    {
        assert_eq!(passing_kinds(&Excerpt::of(text)), [], "{text}");
    }
}
