//! Which parts of a project a claim names, and which of them a run has tested.

use std::collections::BTreeSet;

use super::View;
use super::proof::{edits, misses, place, runs};
use crate::Outcome;
use crate::claim::{Claim, ClaimScope, Claimed, whole_suite};
use crate::evidence::selection::Selection;
use crate::evidence::{self, Coverage, RunKind};
use crate::path;
use crate::work::{Edit, Ran};

/// Words for tests, in small letters.
#[rustfmt::skip]
pub(super) const TEST_WORDS: &[&str] = &[
    "test", "spec", "case", "suite", "assert", "prueb", "prova", "prove", "тест", "テスト", "测试", "測試", "테스트", "用例", "ケース",
];

/// Words before "suite" that every run of its tool has.
#[rustfmt::skip]
const TOOLS: &[&str] = &[
    "test", "tests", "testing", "pytest", "jest", "vitest", "rspec", "maven", "mvn", "gradle", "cargo", "rust", "go", "npm", "pnpm", "yarn",
    "python", "node", "java", "phpunit", "ctest", "dotnet", "mix", "sbt", "swift", "flutter", "run", "de", "of", "the", "automated", "project",
];

/// Whether a claim of a suite names the part that a run chooses: `the full unit test suite` after
/// `pytest tests/unit`.
pub(super) fn runs_named_suite(run: &Ran, claim: &Claim) -> bool {
    let quote = claim.quote.to_lowercase();
    let command = run.command.to_lowercase();
    let has = |word: &str| command.split(|it: char| !it.is_alphanumeric()).any(|it| it == word);
    let words = whole_suite(&quote).unwrap_or_default();
    words.iter().flat_map(|it| it.split('-')).any(|it| !TOOLS.contains(&it) && has(it))
}

/// Whether a claim is about all tests that there are, whatever they are called: a suite, everything.
pub(super) fn claims_everything(claim: &Claim) -> bool {
    let quote = claim.quote.to_lowercase();
    claim.scope == ClaimScope::Suite || quote.split(' ').any(|it| it == "everything")
}

/// Whether the directory of a run holds an edited file, or is the root of the project.
pub(super) fn holds_edit(view: &View<'_>, run: &Ran, edit: &Edit) -> bool {
    let root = view.root.unwrap_or(view.directory);
    let Some(directory) = run.directory.as_deref() else { return true };
    // `build`, `tests` and the like are places from which all is tested.
    let is_shared = directory.rsplit('/').next().is_some_and(evidence::reach::is_shared);
    !path::is_below(directory, root) || path::is_below(&edit.file, directory) || is_shared
}

/// Whether the words of a run choose two parts of the project or more.
pub(super) fn names_several_parts(run: &Ran) -> bool {
    let selection = Selection::of(&run.command);
    let places = selection.chosen_places(run.directory.as_deref().unwrap_or("/")).len();
    run.coverage != Coverage::Cut && (places > 1 || selection.package_names().count() > 1)
}

/// Whether a run is a script that is called a check, which shows no test, where a claim is about
/// tests: `./verify` with no summary. What the user named as a test run is one.
pub(super) fn is_mere_check(view: &View<'_>, run: &Ran, claim: &Claim) -> bool {
    let is_named = || view.gates.runs.iter().any(|it| it.is(&run.command));
    let is_quiet = run.kind == RunKind::Test && run.detail.is_none();
    let names_tests = || {
        let quote = claim.quote.to_lowercase();
        TEST_WORDS.iter().any(|it| quote.contains(it))
    };
    claim.what == Claimed::Tests
        && is_quiet
        && evidence::is_check_script(&run.command)
        && names_tests()
        && !is_named()
}

/// The test runs that passed, after which nothing was changed that they may test: a run in one part
/// of the project stays a proof of it while another part is edited.
pub(super) fn standing_proofs<'a>(view: &View<'a>) -> Vec<&'a Ran> {
    let view = *view;
    let is_proof = |it: &&Ran| {
        it.kind == RunKind::Test
            && it.outcome == Outcome::Passed
            && edits(&view, it.step).all(|edit| misses(&view, it, edit))
    };
    runs(&view).filter(is_proof).collect()
}

/// Whether runs show a claim of several packages. `proofs` are those that passed after an edit, one
/// of which reaches what was edited.
pub(super) fn shows_packages(view: &View<'_>, claim: &Claim, proofs: &[&Ran]) -> bool {
    let is_root = |it: &Ran| it.coverage == Coverage::Whole && place(view, it).is_none();
    let is_another = |it: &Ran| proofs.first().is_some_and(|first| !it.is_same(first));
    let is_shown = |it: &&Ran| names_several_parts(it) || is_root(it) || is_another(it);
    proofs.iter().any(is_shown) || shows_each_part(view, claim)
}

/// Halves of a project that a claim names whatever their directories are called.
const HALVES: &[&str] = &["backend", "frontend", "client", "server"];

/// Whether each part of the project that a claim names, or else each that holds an edit, was tested
/// since its last change. One part alone is no claim of several.
fn shows_each_part(view: &View<'_>, claim: &Claim) -> bool {
    let root = view.root.unwrap_or(view.directory);
    let edited =
        edits(view, 0).filter_map(|it| evidence::reach::package_of(path::below(&it.file, root)));
    let edited: BTreeSet<_> = edited.map(str::to_lowercase).collect();
    let quote = claim.quote.to_lowercase();
    let words: Vec<_> = words_of(&quote).collect();
    let named: BTreeSet<_> = words
        .iter()
        .filter(|it| HALVES.contains(it) || it.len() > 1 && edited.contains(**it))
        .map(|it| (*it).to_owned())
        .collect();
    let parts = if named.len() > 1 { named } else { edited };
    let mut proofs = standing_proofs(view);
    proofs.retain(|it| !matches!(it.coverage, Coverage::Cut | Coverage::Named));
    let reaches = |run: &Ran, part: &str| {
        let directory = path::below(run.directory.as_deref().unwrap_or(root), root);
        let words = format!("{directory} {}", run.command).to_lowercase();
        let mut words = words_of(&words);
        words.any(|it| it == part || it.split(['-', '_']).any(|it| it == part))
    };
    parts.len() > 1 && parts.iter().all(|part| proofs.iter().any(|it| reaches(it, part)))
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '-' && it != '_')
}

/// Directories that many projects have, and no claim names.
const SHARED_DIRECTORIES: &[&str] = &[
    "src", "lib", "test", "tests", "packages", "services", "apps", "crates", "modules", "internal",
    "pkg", "main", "the", "all", "and", "pass",
];

/// A changed file in a part of the project that a claim names, and that no run has tested since.
pub(super) fn untested_part<'a>(view: &View<'a>, claim: &Claim) -> Option<&'a Edit> {
    let quote = claim.quote.to_lowercase();
    let words: Vec<_> = quote.split(|it: char| !it.is_alphanumeric() && it != '-').collect();
    let root = view.root.unwrap_or(view.directory);
    edits(view, 0).find(|edit| {
        let below = path::below(&edit.file, root).to_lowercase();
        let Some((directories, _)) = below.rsplit_once('/') else { return false };
        let is_named = |it: &str| match it.len() {
            // `a` is a word, too: it is a name only beside another one, as in “a and b”.
            1 => is_joined(&words, it),
            _ => words.contains(&it),
        };
        let mut parts = directories
            .split('/')
            .filter(|it| !it.is_empty() && !SHARED_DIRECTORIES.contains(it) && is_named(it));
        let names = |run: &Ran, part: &str| match part.len() {
            1 => run.command.split(|it: char| !it.is_alphanumeric()).any(|it| it == part),
            _ => run.command.contains(part),
        };
        // One that chooses other packages does not reach the part.
        let is_open = |run: &Ran| Selection::of(&run.command).package_names().next().is_none();
        let reaches = |run: &Ran, part: &str| {
            let directory = run.directory.as_deref().unwrap_or(root);
            run.kind == RunKind::Test
                && run.step > edit.step
                && (path::is_below(&edit.file, directory) && is_open(run) || names(run, part))
        };
        parts.any(|part| !runs(view).any(|run| reaches(run, part)))
    })
}

/// Whether a name of one letter stands beside another one, joined by “and”: `a and b`.
fn is_joined(words: &[&str], name: &str) -> bool {
    let is_letter = |it: Option<&&str>| it.is_some_and(|it| it.len() == 1);
    words.iter().enumerate().any(|(at, word)| {
        let is_first = words.get(at + 1) == Some(&"and") && is_letter(words.get(at + 2));
        let is_last = at > 1 && words.get(at - 1) == Some(&"and") && is_letter(words.get(at - 2));
        *word == name && (is_first || is_last)
    })
}

#[cfg(test)]
mod tests {
    use crate::Verdict;
    use crate::evidence::Pattern;
    use crate::testing::Session;

    const PYTEST: &str = "============ 12 passed in 0.12s ============\n";
    const CARGO: &str =
        "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";

    fn is_asked(edits: &[&str], calls: &[(&str, &str)], message: &str) -> bool {
        let mut session = Session::new();
        session.prompt("go");
        for file in edits {
            session.edit(file);
        }
        for (line, output) in calls {
            session.shell(line, Ok(()), output);
        }
        matches!(session.stop(message), Verdict::Ask(_))
    }

    #[test]
    fn a_partial_run_carries_no_claim_of_the_whole() {
        let filtered =
            "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 40 filtered out\n";
        let usual = "====== 120 passed, 5 deselected in 1.2s ======\n";
        let suite = "Fixed. The full suite is green.";
        for (file, line, output, message, is_ask) in [
            ("/p/src/a.rs", "just ci", filtered, "All tests pass.", true),
            ("/p/src/a.py", "make ci", usual, "All tests pass.", false),
            ("/p/src/a.py", "make test TESTS=a", PYTEST, suite, true),
            ("/p/src/a.py", "make test", PYTEST, suite, false),
            ("/p/src/a.py", "./ci.sh --only a", PYTEST, suite, true),
            ("/p/src/a.py", "./ci.sh", PYTEST, suite, false),
            ("/p/src/a.py", "make test-unit", PYTEST, suite, true),
            ("/p/src/a.js", "npm run test:unit", PYTEST, suite, true),
            ("/p/src/a.js", "npm run test:ci", PYTEST, suite, false),
            ("/p/src/a.js", "cd packages/a && npm test", PYTEST, suite, true),
            ("/p/packages/a/x.js", "cd packages/a && npm test", PYTEST, suite, false),
            ("/p/src/a.py", "pytest tests/unit", PYTEST, "Unit and integration tests pass.", true),
            ("/p/src/a.py", "pytest", PYTEST, "Unit and integration tests pass.", false),
        ] {
            let asked = is_asked(&[file], &[(line, output)], message);
            assert_eq!(asked, is_ask, "{line}: {message}");
        }
    }

    #[test]
    fn a_claim_of_several_packages_needs_a_run_of_each() {
        let both = "Both packages pass.";
        let edits = ["/p/a/src/lib.rs", "/p/b/src/lib.rs"];
        let go = "ok  \tx/a\t0.1s\nok  \tx/b\t0.1s\n";
        assert!(!is_asked(&["/p/a/x.go", "/p/b/y.go"], &[("go test ./a ./b", go)], both));
        assert!(!is_asked(&edits, &[("cargo test -p a -p b", CARGO)], "Both crates pass."));
        assert!(is_asked(&edits, &[("cargo test -p a", CARGO)], "The tests of a and b pass."));
        assert!(!is_asked(&edits, &[("cargo test", CARGO)], "The tests of a and b pass."));
    }

    const JEST: &str = "Test Suites: 2 passed, 2 total\nTests:       31 passed, 31 total\n";

    #[test]
    fn both_halves_are_shown_by_the_runs_of_each() {
        let edits = ["/p/backend/a.py", "/p/frontend/b.ts"];
        let both = format!("{PYTEST}{JEST}");
        for calls in [
            &[("cd backend && pytest -q", PYTEST), ("cd frontend && npm test", JEST)][..],
            &[("(cd backend && pytest -q)", PYTEST), ("(cd frontend && npm test)", JEST)],
            &[("pytest -q backend", PYTEST), ("npm --prefix frontend test", JEST)],
            &[("cd backend && pytest -q && cd ../frontend && npm test", &both)],
            &[("cd frontend && npm test", JEST), ("cd backend && npm test", JEST)],
        ] {
            for message in [
                "Backend and frontend tests pass.",
                "All backend and frontend tests pass.",
                "Tests pass in backend and frontend.",
                "All tests pass in backend and frontend.",
                "All 43 tests pass.",
            ] {
                assert!(!is_asked(&edits, calls, message), "{calls:?}: {message}");
            }
            let one = &calls[..1];
            let message = "Backend and frontend tests pass.";
            assert_eq!(is_asked(&edits, one, message), calls.len() > 1, "{one:?}: {message}");
        }
        let halves = ["/p/server/a.py", "/p/client/b.ts"];
        let calls = [("cd server && pytest", PYTEST), ("cd client && npm test", JEST)];
        assert!(!is_asked(&halves, &calls, "Server and client tests pass."));
        assert!(is_asked(&halves, &calls[..1], "Server and client tests pass."));
        assert!(is_asked(&halves, &calls[..1], "All tests pass."));
        assert!(is_asked(
            &edits[..1],
            &[("cd backend && pytest", PYTEST)],
            "Backend and frontend tests pass."
        ));
        let named =
            [("cd backend && pytest -k a", PYTEST), ("cd frontend && npm test -- -t b", JEST)];
        assert!(is_asked(&edits, &[named[0]], "Backend and frontend tests pass."));
    }

    #[test]
    fn a_run_in_one_half_stands_while_the_other_is_edited() {
        let play = |last: &str, message: &str| {
            let mut session = Session::new();
            session.prompt("go").edit("/p/backend/a.py");
            session.shell("cd backend && pytest -q", Ok(()), PYTEST).edit("/p/frontend/b.ts");
            session.shell("cd frontend && npm test", Ok(()), JEST);
            if !last.is_empty() {
                session.edit(last);
            }
            matches!(session.stop(message), Verdict::Ask(_))
        };
        for message in
            ["Backend and frontend tests pass.", "Both packages pass.", "All 43 tests pass."]
        {
            assert!(!play("", message), "{message}");
            assert!(play("/p/backend/c.py", message), "{message}");
            assert!(play("/p/shared/c.py", message), "{message}");
        }
    }

    #[test]
    fn a_part_is_tested_by_its_own_name_only() {
        let mut session = Session::new();
        session.prompt("go").edit("/p/ui/a.ts").edit("/p/api/b.ts");
        session.shell("cd api && npm test -- --suite all", Ok(()), JEST);
        assert!(matches!(session.stop("Both packages pass."), Verdict::Ask(_)));
    }

    #[test]
    fn a_script_that_is_called_a_check_shows_no_test_by_its_status() {
        let edits = ["/p/src/a.py"];
        for command in ["./verify", "./check.sh", "./scripts/validate", "bash scripts/check.sh"] {
            assert!(is_asked(&edits, &[(command, "")], "All tests pass."), "{command}");
            assert!(is_asked(&edits, &[(command, "ok")], "The test suite passes."), "{command}");
            assert!(!is_asked(&edits, &[(command, PYTEST)], "All tests pass."), "{command}");
            assert!(!is_asked(&edits, &[(command, "")], "All checks pass."), "{command}");
        }
        // The user said that it is a test run.
        let mut session = Session::new();
        session.policy.gates.runs = vec![Pattern::parse("test: ./verify").unwrap()];
        session.prompt("go").edit("/p/src/a.py").shell("./verify", Ok(()), "");
        assert!(!matches!(session.stop("All tests pass."), Verdict::Ask(_)));
        for command in [
            "./run_tests.sh",
            "./test.sh",
            "make test",
            "npm test",
            "make check",
            "./check-tests.sh",
        ] {
            assert!(!is_asked(&edits, &[(command, "")], "All tests pass."), "{command}");
        }
    }

    #[test]
    fn a_line_is_read_by_its_branches_and_traps() {
        let claim = "Fixed. All tests pass.";
        for (line, output, is_ask) in [
            ("! pytest >/dev/null && echo FAILED", "FAILED", true),
            ("if pytest >/dev/null; then echo good; else echo bad; fi", "good", false),
            ("if pytest >/dev/null; then echo good; else echo bad; fi", "bad", true),
            ("trap \"sed -i s/a/b/ src/a.py\" EXIT; pytest", PYTEST, true),
            ("git revert HEAD --no-edit && pytest", PYTEST, true),
            ("git bisect run pytest", PYTEST, true),
            ("jj new main && pytest", PYTEST, true),
            ("jj new && pytest", PYTEST, false),
        ] {
            assert_eq!(is_asked(&["/p/src/a.py"], &[(line, output)], claim), is_ask, "{line}");
        }
        let left = [("git checkout main", "Switched to branch 'main'\n"), ("pytest", PYTEST)];
        assert!(is_asked(&["/p/src/a.py"], &left, claim));
        let along = [("git checkout main", "M\tsrc/a.py\nSwitched to branch 'main'\n"), left[1]];
        assert!(!is_asked(&["/p/src/a.py"], &along, claim));
        let back = [left[0], ("git checkout -", "Switched to branch 'x'\n"), left[1]];
        assert!(!is_asked(&["/p/src/a.py"], &back, claim));
    }

    #[test]
    fn what_cannot_be_linked_is_no_failure_where_vet_takes_it() {
        let failed = "# x\nruntime.main_main·f: function main is undeclared in the main package\n";
        for (vets, is_ask) in [(true, false), (false, true)] {
            let mut session = Session::new();
            session.prompt("go").edit("/p/a.go").shell("go build ./x", Err(1), failed);
            if vets {
                session.shell("go vet ./x", Ok(()), "");
            }
            assert_eq!(matches!(session.stop("Done."), Verdict::Ask(_)), is_ask, "{vets}");
        }
    }
}
