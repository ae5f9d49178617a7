//! How much of a project a run covers, by the words of its command.

use super::Coverage;
use super::line::Word;

/// Options that choose a part, each with a name behind it.
#[rustfmt::skip]
const CHOOSERS: &[&str] = &[
    "-p", "--package", "--test", "--bin", "--example", "-k", "-m", "-t", "-g", "-run", "--grep", "--filter",
    "--testNamePattern", "--testPathPattern", "--testPathPatterns", "--tests", "-Dtest", "-Dit.test", "--only",
    "--spec", "-w", "--workspace", "-pl", "--projects", "--scope", "-F", "--lf", "--last-failed", "--ff",
    "--onlyChanged", "--changed", "--related", "--focus", "--match", "-R", "--include", "--example-matches",
    "--only-testing", "-only-testing", "--group", "--testsuite", "--suite", "--tag", "--tags", "--name",
];

/// Programs that do more, not less, when more is named.
pub(crate) const ADDING_PROGRAMS: &[&str] = &[
    "make", "gmake", "just", "gradle", "gradlew", "mvn", "mvnw", "ant", "ninja", "rake", "task",
    "tox", "nox", "nx", "turbo",
];

/// Operands that stand for everything.
pub(crate) const WHOLE_OPERANDS: &[&str] = &[".", "./...", "all", "*", "--"];

/// Directories that hold all tests or all code of a project, by convention.
const WHOLE_DIRECTORIES: &[&str] = &[
    "tests",
    "test",
    "spec",
    "specs",
    "t",
    "__tests__",
    "src",
    "lib",
    "features",
    "e2e",
    "discover",
    "run",
    "ci",
];

/// Options of cargo, which share a name with choosers and choose nothing.
const NO_CHOICE: &[(&str, &str)] =
    &[("cargo", "--workspace"), ("cargo", "-F"), ("npm", "--workspaces")];

/// Tells whether an option of a program chooses a part.
pub(crate) fn is_chooser(program: &str, option: &str) -> bool {
    CHOOSERS.contains(&option) && !NO_CHOICE.contains(&(program, option))
}

/// How much the words of a run cover of what there is to test or to build. `words` begin with the
/// program; `tool` is its short name.
pub(super) fn coverage(tool: &str, words: &[Word]) -> Coverage {
    if chooses(tool, words) { Coverage::Chosen } else { Coverage::Whole }
}

fn chooses(tool: &str, words: &[Word]) -> bool {
    let program = tool.split(' ').next().unwrap_or_default();
    let adds = ADDING_PROGRAMS.contains(&program);
    let own: Vec<_> = tool.split(' ').collect();
    let mut takes_value = false;
    let mut is_behind = false;
    for word in words.iter().skip(1).map(|it| it.text.as_str()) {
        let name = word.split_once('=').map_or(word, |it| it.0);
        if word == "--" {
            is_behind = true;
            takes_value = false;
        } else if word.starts_with('-') {
            if is_chooser(program, name) {
                return true;
            }
            takes_value = word.starts_with("--") && !word.contains('=');
        } else if takes_value {
            takes_value = false;
        } else {
            let is_number = word.bytes().all(|it| it.is_ascii_digit());
            let bare = word.trim_start_matches("./").trim_end_matches('/');
            let is_whole = own.contains(&word)
                || WHOLE_OPERANDS.contains(&word)
                || WHOLE_DIRECTORIES.contains(&bare)
                || word.ends_with("/...") && bare == "...";
            if !is_number && !is_whole && !word.contains('>') && (!adds || is_behind) {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::evidence::{Coverage, recognise};

    fn narrow(command: &str) -> bool {
        let runs = recognise(command, &[]);
        let run = runs.last().unwrap_or_else(|| panic!("no run in {command}"));
        run.coverage == Coverage::Chosen
    }

    #[test]
    fn a_chosen_test_or_package_is_narrow() {
        for command in [
            "cargo test one_test",
            "cargo test -p core",
            "cargo test --test api",
            "pytest tests/test_a.py",
            "pytest tests/test_a.py::test_b",
            "pytest -k parser",
            "go test ./parser",
            "go test -run One ./...",
            "npx jest src/a.test.ts",
            "npx vitest run src/a.test.ts",
            "npm test -- parser",
            "npm test --workspace=web",
            "mvn -pl web test",
            "mvn test -Dtest=One",
            "./gradlew test --tests One",
            "bundle exec rspec spec/a_spec.rb",
            "pnpm --filter web test",
            "cargo nextest run -E 'test(one)' one",
            "python -m pytest tests/unit/test_x.py -q",
            "phpunit tests/ATest.php",
            "ctest -R one",
        ] {
            assert!(narrow(command), "{command}");
        }
    }

    #[test]
    fn a_plain_call_is_not_narrow() {
        for command in [
            "cargo test",
            "cargo test --workspace",
            "cargo test -q",
            "cargo test --all-features -- --nocapture",
            "pytest",
            "pytest -x -q",
            "pytest tests",
            "pytest tests/",
            "pytest --tb short",
            "go test ./...",
            "go test -race ./...",
            "npx jest",
            "npx vitest run",
            "npm test",
            "npm run test",
            "make test",
            "make test lint",
            "./gradlew clean test",
            "mvn test",
            "python -m pytest",
            "python -m unittest discover",
            "bundle exec rspec",
            "cargo nextest run",
            "cargo test --jobs 2",
            "pytest -n 4",
            "just test",
            "tox",
            "npx playwright test",
            "ctest --output-on-failure",
        ] {
            assert!(!narrow(command), "{command}");
        }
    }
}
