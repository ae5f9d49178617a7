//! Runs behind a pipe that hides their status, and pass by what they print or leave out.

use super::super::{CommandLine, RunKind, judge};
use crate::{Excerpt, Outcome};

const PASSED: Outcome = Outcome::Passed;
const VITEST: &str = " Test Files  4 passed (4)\n      Tests  48 passed (48)\n   Duration  1.21s\n";

/// The first run of a kind: whether it passed, and the words that say so.
fn run_of(line: &str, kind: RunKind, told: Outcome, output: &str) -> (Outcome, String) {
    let output = Excerpt::of(output);
    let runs = CommandLine::of(line, &[]).runs();
    let run = runs.iter().find(|it| it.kind == kind).unwrap_or_else(|| panic!("no run in {line}"));
    let judged = judge(run, told, &output);
    (judged.outcome, judged.detail.unwrap_or_default())
}

#[test]
fn the_summary_of_the_tests_is_not_that_of_other_commands() {
    let ctest = "100% tests passed, 0 tests failed out of 6\n\nTotal Test time (real) = 0.05 sec\n";
    let dotnet = "    0 Error(s)\n\nTime Elapsed 00:00:03.11\n\
                  Passed!  - Failed:     0, Passed:    44, Skipped:     0, Total:    44\n";
    let jest = "Test Suites: 3 passed, 3 total\nTests:       33 passed, 33 total\n";
    for (line, output) in [
        ("npm run lint && npm test 2>&1 | tail -12", VITEST),
        ("npm run typecheck && npm run lint && npm test 2>&1 | tail -12", VITEST),
        ("npm run lint 2>&1 | tail -3 && npm test 2>&1 | tail -6", VITEST),
        ("npm run build; npm test 2>&1 | tail -6", VITEST),
        ("pnpm lint && pnpm test 2>&1 | tail -8", VITEST),
        ("npm run lint && npx jest 2>&1 | tail -8", jest),
        ("make build && ctest --test-dir build 2>&1 | tail -4", ctest),
        ("make -j8 2>&1 | tail -1 && ctest 2>&1 | tail -3", ctest),
        ("composer lint && composer test 2>&1 | tail -4", "OK (21 tests, 42 assertions)\n"),
        ("dotnet build 2>&1 | tail -3 && dotnet test 2>&1 | tail -8", dotnet),
    ] {
        assert_eq!(run_of(line, RunKind::Test, PASSED, output).0, PASSED, "{line}");
    }
    // Two runs of tests may share one summary.
    for line in ["npm run test:unit; npm test 2>&1 | tail -6", "make test; npm test | tail -6"] {
        let output = "Tests:       33 passed, 33 total\n";
        assert_eq!(run_of(line, RunKind::Test, PASSED, output).0, Outcome::Unknown, "{line}");
    }
    let failed = " Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 47 passed (48)\n";
    let line = "npm run lint && npm test 2>&1 | tail -12";
    assert!(matches!(run_of(line, RunKind::Test, PASSED, failed).0, Outcome::Failed(_)));
}

#[test]
fn a_linter_or_a_type_check_does_not_pass_by_the_count_of_tests() {
    let line = "npm run lint; npm run typecheck; npm test";
    for kind in [RunKind::Lint, RunKind::Types] {
        assert_eq!(run_of(line, kind, PASSED, VITEST), (Outcome::Unknown, String::new()));
    }
    assert_eq!(run_of(line, RunKind::Test, PASSED, VITEST).0, PASSED);
}

#[test]
fn a_build_passes_by_its_closing_line() {
    for (line, output) in [
        ("npm run build 2>&1 | tail -3", "dist/index.js  12.3 kB\n✓ built in 1.02s\n"),
        ("npx vite build 2>&1 | tail -2", "✓ built in 1.02s\n"),
        ("npm run build | tail -3", "webpack 5.91.0 compiled successfully in 2204 ms\n"),
        (
            "pnpm build 2>&1 | tail",
            " ✓ Compiled successfully\n ✓ Generating static pages (12/12)\n",
        ),
        ("npm run build 2>&1 | tail -3", "DTS ⚡️ Build success in 812ms\n"),
        ("cmake --build build -j 2>&1 | tail -3", "[100%] Built target app\n"),
        ("make 2>&1 | tail -3", "[100%] Linking CXX executable app\n[100%] Built target app\n"),
        ("dotnet build 2>&1 | tail -4", "    0 Warning(s)\n    0 Error(s)\n\nTime Elapsed 0\n"),
        ("docker build . 2>&1 | tail -3", "#8 naming to docker.io/library/a done\n#8 DONE 0.4s\n"),
        ("make -j8 > build.log 2>&1 && echo OK || tail -20 build.log", "OK\n"),
        ("make > b.log 2>&1 && echo OK || (tail -20 b.log; exit 1)", "OK\n"),
    ] {
        assert_eq!(run_of(line, RunKind::Build, PASSED, output).0, PASSED, "{line}");
    }
    for (line, output) in [
        ("make > b.log 2>&1 && echo OK || tail b.log", "OK\nmake: *** [Makefile:2: all] Error 1\n"),
        ("make > b.log 2>&1 && echo OK || tail b.log && echo OK", "a.c: no\nOK\n"),
        ("npm run build 2>&1 | tail", "✓ Compiled successfully\nFailed to compile.\n"),
        ("npm run build 2>&1 | tail -3", "webpack 5.91.0 compiled with 1 error in 812 ms\n"),
        ("make 2>&1 | tail -3", "[100%] Built target a\nmake: *** [all] Error 2\n"),
        ("dotnet build 2>&1 | tail -4", "    0 Warning(s)\n    3 Error(s)\n"),
        ("npm run build 2>&1 | tail -3", "✓ 412 modules transformed.\nrendering chunks...\n"),
    ] {
        assert_ne!(run_of(line, RunKind::Build, PASSED, output).0, PASSED, "{line}: {output}");
    }
}

#[test]
fn what_closes_a_build_closes_no_test() {
    for output in ["✓ built in 1.02s\n", "[100%] Built target t\n", "    0 Error(s)\n"] {
        for line in ["npm test 2>&1 | tail -3", "make test 2>&1 | tail", "dotnet test | tail -3"] {
            assert_eq!(run_of(line, RunKind::Test, PASSED, output).0, Outcome::Unknown, "{line}");
        }
    }
}

#[test]
fn silence_is_the_summary_of_a_quiet_tool() {
    let script = "> web@1.4.0 build\n> tsc -b\n\n";
    for (line, kind, told, output) in [
        ("npx tsc --noEmit 2>&1 | head -20", RunKind::Types, PASSED, ""),
        ("npx tsc --noEmit | tail -5", RunKind::Types, PASSED, "\n"),
        ("npx eslint . 2>&1 | tail -20", RunKind::Lint, PASSED, ""),
        ("go build ./... 2>&1 | head", RunKind::Build, PASSED, ""),
        ("go vet ./... | cat", RunKind::Lint, PASSED, ""),
        ("npx tsc --noEmit | grep -c 'error TS'", RunKind::Types, Outcome::Failed(Some(1)), "0\n"),
        ("npx tsc --noEmit | grep -c error || true", RunKind::Types, PASSED, "0\n"),
        ("npm run build 2>&1 | tail -3", RunKind::Build, PASSED, script),
    ] {
        assert_eq!(run_of(line, kind, told, output).0, PASSED, "{line}");
    }
    let error = "src/a.ts(3,5): error TS2322: Type 'string' is not assignable.\n";
    for (line, kind, told, output) in [
        ("npx tsc --noEmit | head", RunKind::Types, PASSED, error),
        ("npx tsc --noEmit > x.log | head", RunKind::Types, PASSED, ""),
        ("npx tsc --noEmit | grep src/b.ts", RunKind::Types, PASSED, ""),
        ("npx tsc --noEmit | grep -c 'error TS'", RunKind::Types, PASSED, "3\n"),
        ("npx tsc --noEmit | grep -c 'src/b'", RunKind::Types, Outcome::Failed(Some(1)), "0\n"),
        ("npx tsc --noEmit | grep -vc 'error'", RunKind::Types, Outcome::Failed(Some(1)), "0\n"),
        ("npx eslint . -o report.txt | tail", RunKind::Lint, PASSED, ""),
        ("go build ./... 2>/dev/null | head", RunKind::Build, PASSED, ""),
        ("npx tsc --noEmit &", RunKind::Types, PASSED, ""),
        ("npx tsc --noEmit | head", RunKind::Types, Outcome::Unknown, ""),
        ("cargo build 2>&1 | tail", RunKind::Build, PASSED, ""),
        (
            "npm run build 2>&1 | tail -3",
            RunKind::Build,
            PASSED,
            "> web@1.4.0 build\n> vite build\n",
        ),
        ("npm run build | tail", RunKind::Build, PASSED, "> w build\n> tsc -b; node x.js\n"),
    ] {
        assert_ne!(run_of(line, kind, told, output).0, PASSED, "{line}");
    }
}
