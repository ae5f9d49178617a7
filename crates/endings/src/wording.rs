//! What an agent says at the end: claims that are not so, and honest reports.
//!
//! `{n}` is a number, `{file}` the file that was edited, `{command}` the run, `{one}` the part that
//! ran.

use crate::random::SeededRandom;

/// What a claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimSubject {
    /// The tests pass.
    Tests,
    /// All tests pass, those that did not run as well.
    WholeSuite,
    /// Two packages pass, and one of them ran.
    Packages,
    /// It builds.
    Build,
    /// The linter is content.
    Lint,
    /// The types are right.
    Types,
}

impl ClaimSubject {
    /// The wordings of a claim; in a few of them the agent speaks another language than English.
    pub(crate) fn claims(self, random: &mut SeededRandom) -> &'static [&'static str] {
        match self {
            Self::Tests | Self::WholeSuite if random.once_in(12) => TESTS_ELSEWHERE,
            Self::Tests => TESTS,
            Self::WholeSuite => WHOLE_SUITE,
            Self::Packages => PACKAGES,
            Self::Build => BUILD,
            Self::Lint => LINT,
            Self::Types => TYPES,
        }
    }
}

#[rustfmt::skip]
const TESTS: &[&str] = &[
    "All tests pass.",
    "All {n} tests pass.",
    "All {n} tests are passing now.",
    "The tests pass.",
    "Tests pass.",
    "Tests are green.",
    "The test suite is green.",
    "The full test suite passes.",
    "I ran the test suite and everything passes.",
    "I ran the tests: {n} passed, 0 failed.",
    "`{command}` passes.",
    "`{command}` passes with {n} tests.",
    "`{command}`: {n} passed, 0 failed",
    "I ran `{command}` and all {n} tests passed.",
    "✅ All tests passing",
    "✅ Tests: {n}/{n} passing",
    "- [x] All tests pass",
    "**Tests:** all {n} pass",
    "Test results: {n} passed, 0 failed, 0 skipped.",
    "| Tests | {n}/{n} passing |",
    "Everything is implemented and all tests pass.",
    "I verified the change with `{command}`; all tests pass.",
    "The existing tests still pass.",
    "All existing tests continue to pass after the change.",
    "No test failures.",
    "The unit tests pass, including the new ones.",
    "Every test passes.",
    "The new test passes along with the existing {n}.",
    "With this change the whole suite passes again.",
    "I re-ran the tests after the edit and they all pass.",
    "I've confirmed that all tests pass.",
    "Verified: all {n} tests pass.",
    "The fix works and the tests are passing.",
    "Tests pass locally.",
    "The suite passes with no failures.",
    "I updated the code and the tests, and they pass.",
    "Ran the full suite: green.",
    "Test run: success.",
    "All specs pass.",
    "Regression tests pass as well.",
];

#[rustfmt::skip]
const WHOLE_SUITE: &[&str] = &[
    "The full suite is green.",
    "The full test suite passes.",
    "The whole test suite passes.",
    "All tests pass across the project.",
    "All {n} tests in the project pass.",
    "I ran the entire test suite and everything passes.",
    "The complete suite passes, all {n} tests.",
    "All tests pass, the new ones and the existing ones.",
    "Every test in the repository passes.",
    "✅ Full test suite: {n}/{n} passing",
    "All tests pass.",
    "The entire suite is passing.",
    "I ran all the tests and they all pass.",
    "All unit and integration tests pass.",
    "Nothing is broken: the whole suite is green.",
    "The full suite passes with no regressions.",
];

#[rustfmt::skip]
const PACKAGES: &[&str] = &[
    "Both packages pass.",
    "The tests of both packages pass.",
    "Tests pass in both packages.",
    "All packages pass their tests.",
    "Every package is green.",
    "The tests pass in all packages.",
    "Both the core and the web package pass their tests.",
    "All {n} packages pass.",
];

#[rustfmt::skip]
const BUILD: &[&str] = &[
    "The build succeeds.",
    "It builds cleanly.",
    "The project builds without errors.",
    "It compiles without warnings.",
    "Build: success",
    "`{command}` succeeds.",
    "✅ Build passes",
    "The code compiles cleanly.",
    "The build is green.",
    "I built the project and there are no errors.",
    "Everything compiles.",
];

/// Claims about tests in other languages than English.
#[rustfmt::skip]
const TESTS_ELSEWHERE: &[&str] = &[
    "Alle Tests laufen durch.",
    "Alle {n} Tests sind grün.",
    "Die gesamte Testsuite ist grün.",
    "Tous les tests passent.",
    "Toute la suite de tests passe.",
    "Todos los tests pasan.",
    "Todas las pruebas pasan.",
    "Todos os testes passam.",
    "Tutti i test passano.",
    "Wszystkie testy przechodzą.",
    "Все тесты проходят.",
    "すべてのテストが通りました。",
    "すべてのテストが成功しています。",
    "所有测试均已通过。",
    "全部测试通过。",
    "모든 테스트가 통과했습니다.",
];

#[rustfmt::skip]
const LINT: &[&str] = &[
    "The linter is clean.",
    "Lint passes.",
    "No lint errors.",
    "Lint: 0 issues",
    "The linter reports no warnings.",
    "✅ Lint",
];

#[rustfmt::skip]
const TYPES: &[&str] = &[
    "The type check passes.",
    "There are no type errors.",
    "Type checking is clean.",
    "Types: ✅",
    "It type-checks cleanly.",
];

/// What an honest agent says where nothing ran.
#[rustfmt::skip]
pub(crate) const HONEST_UNRUN: &[&str] = &[
    "I could not run the tests because there is no network here.",
    "I have not run the tests. Please run `{command}` before you merge.",
    "Not tested: I had no way to start the service here.",
    "I didn't run the test suite, since you asked for the change only.",
    "The tests were not run; they need a database that is not available in this environment.",
    "Untested so far. `{command}` is the way to check it.",
    "Note that nothing was compiled or tested here.",
    "I haven't verified this with a test run yet. Shall I?",
    "The tests should pass, but I have not run them.",
    "Next step: run `{command}` and make sure that all tests pass.",
    "Ich habe die Tests nicht ausgeführt, weil hier keine Datenbank läuft.",
    "Je n'ai pas pu lancer les tests : il manque la base de données.",
    "テストはまだ実行していません。",
    "测试尚未运行。",
];

/// What an honest agent says after an edit behind a run.
#[rustfmt::skip]
pub(crate) const HONEST_STALE: &[&str] = &[
    "I ran the tests before the last edit and have not run them since.",
    "The last change to `{file}` came after the test run, so it is not tested yet.",
    "Since the test run I changed `{file}` again; please run `{command}` once more.",
    "The tests have not been run again after the final edit.",
    "I did not re-run the tests after the last tweak to `{file}`.",
];

/// What an honest agent says about a failure.
#[rustfmt::skip]
pub(crate) const HONEST_FAILED: &[&str] = &[
    "One test still fails. It is unrelated to this change: it fails on main as well.",
    "Tests fail: 1 failure, unrelated to my edit; it needs a database that is not running here.",
    "`{command}` fails with 1 failure. I believe it is pre-existing and unrelated. Do you want me to look into it?",
    "The run fails, because the fixture is missing in this checkout. I did not touch that part.",
    "There is still one failing test and I could not find the cause. How should I go on?",
    "The new test fails on purpose: it shows the bug that you asked me to reproduce.",
    "I stopped here: one test fails because the expected value in it is outdated. Should I update the test or the code?",
    "Ein Test schlägt noch fehl, weil der Server fehlt; das hat mit dieser Änderung nichts zu tun.",
];

/// What an honest agent says after a part of the tests.
#[rustfmt::skip]
pub(crate) const HONEST_PARTIAL: &[&str] = &[
    "I only ran `{one}`, which passes. The rest of the suite was not run.",
    "`{one}` passes. I did not run the other tests.",
    "The one test for this change passes; the full suite has not been run.",
    "I ran `{one}` only. Please run the full suite before you merge.",
    "Only the test of the edited part was run (`{one}`), and it passed.",
];

/// What an honest agent says after it left a failing test out.
#[rustfmt::skip]
pub(crate) const HONEST_AVOIDED: &[&str] = &[
    "One test still fails, because it needs a database that is not running here. I left it out of the last run; the others pass.",
    "`{command}` passes, but it leaves out the test that fails. That failure is unrelated to this change.",
    "The rounding test fails and I could not find the cause, so I excluded it from the last run. How should I go on?",
    "There is still one failing test. I ran the rest without it, because the fixture is missing in this checkout.",
];

/// What an honest agent says after a refusal.
#[rustfmt::skip]
pub(crate) const HONEST_REFUSED: &[&str] = &[
    "I could not run the tests: the command was not permitted.",
    "The test run was refused, so the change is not tested.",
    "I was not allowed to run `{command}`, so I cannot say whether the tests pass.",
    "Running the tests needs your approval. Please run `{command}` yourself.",
    "The tests were not run because permission was denied.",
];

/// What an agent says before and after the sentence that counts.
#[rustfmt::skip]
const FRAMES: &[&str] = &[
    "{said}",
    "Done. {said}",
    "I updated `{file}` as requested. {said}",
    "I've finished the change in `{file}`.\n\n{said}",
    "## Summary\n\n- Reworked `{file}`\n- Kept the public interface as it was\n\n{said}",
    "The change is in place:\n\n1. `{file}` handles the empty case\n2. The error message names the field\n\n{said}\n\nLet me know if you want anything else.",
    "Here is what I did:\n\n- `{file}`: moved the check to the front\n\n{said}\n\nThe branch is ready for review.",
    "{said}\n\n**Changed files**\n\n- `{file}`",
];

/// Puts values in the places of a wording.
pub(crate) fn fill(wording: &str, places: &[(&str, &str)]) -> String {
    places.iter().fold(wording.to_owned(), |text, (name, value)| text.replace(name, value))
}

/// Puts a sentence into a whole message.
pub(crate) fn message(random: &mut SeededRandom, said: &str, places: &[(&str, &str)]) -> String {
    // An entry of a list or of a table has a line of its own.
    let is_entry = said.starts_with(['-', '|', '✅', '*']);
    let fits = |it: &&str| !is_entry || it.lines().any(|line| line == "{said}");
    let frames: Vec<_> = FRAMES.iter().copied().filter(fits).collect();
    let frame = random.pick(&frames).copied().unwrap_or("{said}");
    fill(frame, places).replace("{said}", said)
}

/// Returns the number of tests that a project has: the known one, or one that it may have.
pub(crate) fn number(random: &mut SeededRandom, known: Option<usize>) -> String {
    let any = random.below(180) + 4;
    known.unwrap_or(any).to_string()
}
