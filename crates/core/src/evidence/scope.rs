//! How much of a project a run covers, by the words of its command.

use super::Coverage;
use super::line::Word;

/// Options that choose tests by their names.
#[rustfmt::skip]
const NAMING: &[&str] = &[
    "-k", "-t", "-g", "-run", "--grep", "--testNamePattern", "--tests", "-Dtest", "-Dit.test", "--only", "--exact",
    "--lf", "--last-failed", "--focus", "--match", "-R", "--example", "--example-matches", "--only-testing",
    "-only-testing", "--name", "-E",
];

/// Programs whose bare operand is a part of the names of tests.
const NAME_FILTERS: &[&str] =
    &["cargo", "cross", "jest", "vitest", "npm", "pnpm", "yarn", "bun", "ava", "zig", "npx"];

/// Options that choose a part of a project, each with a name behind it.
#[rustfmt::skip]
const CHOOSERS: &[&str] = &[
    "-p", "--package", "--test", "--bin", "-m", "--filter", "--testPathPattern", "--testPathPatterns", "--spec", "-w",
    "--workspace", "-pl", "--projects", "--scope", "-F", "--ff", "--onlyChanged", "--changed", "--related", "--include",
    "--group", "--testsuite", "--suite", "--tag", "--tags",
];

/// Options that choose a part of a project by themselves.
const BARE_CHOOSERS: &[&str] = &[
    "--lib",
    "--doc",
    "--bins",
    "--examples",
    "--benches",
    "--lf",
    "--last-failed",
    "--onlyChanged",
    "--changed",
    "-short",
    "--bail-changed",
    "--only-changed",
    "--exact",
    "--focus",
];

/// Options that leave a part of a project out.
#[rustfmt::skip]
const EXCLUDERS: &[&str] = &[
    "--skip", "-skip", "--exclude", "--ignore", "--ignore-glob", "--deselect", "--exclude-task", "--shard",
    "--testPathIgnorePatterns", "--exclude-pattern", "--exclude-tag", "--exclude-tags", "--exclude-group",
    "-Dsurefire.excludes", "-Dfailsafe.excludes", "--exclude-filter", "--grep-invert", "--invert", "-skip-testing",
    "--skip-testing", "--exclude-testsuite", "--partition", "--ignore-pattern", "--not-path",
];

/// Options that leave a part out for these programs alone.
const EXCLUDERS_OF: &[(&str, &str)] =
    &[("gradle", "-x"), ("gradlew", "-x"), ("ctest", "-E"), ("ctest", "-LE"), ("mocha", "-i")];

/// Options that take the next word with them and choose nothing.
#[rustfmt::skip]
const VALUED: &[&str] = &[
    "--tb", "--jobs", "--color", "--colour", "--reporter", "--reporters", "--format", "--config", "-c", "--maxfail",
    "--timeout", "--features", "--target", "--profile", "--manifest-path", "--target-dir", "--test-threads", "--workers",
    "--maxWorkers", "--seed", "--log-level", "--output", "--outputFile", "--cov", "--cov-report", "--durations",
    "--retries", "--rootdir", "--junitxml", "-n", "-j", "-o", "-W", "-C", "--cwd", "--dir",
    "--prefix", "--parallel", "--browser", "--device", "--environment", "--pool", "-count", "-timeout", "-coverprofile",
    "--test-dir", "--build-config", "-s", "--settings", "--project", "--file", "-f", "--require", "-r", "--loader",
    "--import", "--destination", "-destination", "-scheme", "--order",
    "-tags", "--dist", "--logger", "--verbosity", "-v:q", "--toolchain", "--message-format", "--env", "-e",
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
    let lists = [CHOOSERS, NAMING, BARE_CHOOSERS];
    lists.iter().any(|it| it.contains(&option)) && !NO_CHOICE.contains(&(program, option))
}

/// Tells whether an option of a program chooses tests by their names.
pub(super) fn is_naming(program: &str, option: &str) -> bool {
    let is_filter =
        option == "--filter" && matches!(program, "phpunit" | "pest" | "dotnet" | "swift");
    NAMING.contains(&option) && !NO_CHOICE.contains(&(program, option)) || is_filter
}

/// Tells whether an option of a program leaves a part out.
pub(super) fn is_excluder(program: &str, option: &str) -> bool {
    EXCLUDERS.contains(&option) || EXCLUDERS_OF.contains(&(program, option))
}

/// Tells whether an option of a program takes the next word as its value.
pub(super) fn has_value(program: &str, option: &str) -> bool {
    let is_known = VALUED.contains(&option) || is_chooser(program, option);
    (is_known || is_excluder(program, option)) && !BARE_CHOOSERS.contains(&option)
}

/// Tells whether an operand stands for everything.
pub(super) fn is_whole_operand(word: &str) -> bool {
    is_whole(word, &[])
}

/// How much the words of a run cover of what there is to test or to build. `words` begin with the
/// program; `tool` is its short name.
pub(super) fn coverage(tool: &str, words: &[Word]) -> Coverage {
    let program = tool.split(' ').next().unwrap_or_default();
    let own: Vec<_> = tool.split(' ').collect();
    let (mut takes_value, mut is_behind) = (false, false);
    let mut found = Coverage::Whole;
    for word in words.iter().skip(1).map(|it| it.text.as_str()) {
        let name = word.split_once('=').map_or(word, |it| it.0);
        if word == "--" {
            (is_behind, takes_value) = (true, false);
        } else if word.starts_with('-') {
            if is_naming(program, name) && !is_excluder(program, name) {
                return Coverage::Named;
            }
            if is_chooser(program, name) || is_excluder(program, name) {
                found = Coverage::Chosen;
            }
            takes_value = !word.contains('=') && has_value(program, name);
        } else if takes_value {
            takes_value = false;
        } else if !is_whole(word, &own) && (!ADDING_PROGRAMS.contains(&program) || is_behind) {
            // `cargo test parser`, `pytest a.py::test_b`, `rspec a_spec.rb:9`
            let is_place =
                word.contains('/') || word.rsplit_once('.').is_some_and(|it| it.1.len() < 5);
            let is_line =
                word.rsplit_once(':').is_some_and(|it| it.1.bytes().all(|it| it.is_ascii_digit()));
            let is_name = NAME_FILTERS.contains(&program) && !is_place;
            if word.contains("::") || is_line || is_name {
                return Coverage::Named;
            }
            found = Coverage::Chosen;
        }
    }
    found
}

/// Tells whether an operand stands for everything, or is part of the name of the tool.
fn is_whole(word: &str, own: &[&str]) -> bool {
    let bare = word.trim_start_matches("./").trim_end_matches('/');
    let is_number = word.bytes().all(|it| it.is_ascii_digit());
    is_number
        || own.contains(&word)
        || WHOLE_OPERANDS.contains(&word)
        || WHOLE_DIRECTORIES.contains(&bare)
        || word.contains('>')
}

#[cfg(test)]
mod tests {
    use crate::evidence::{Coverage, recognise};

    fn narrow(command: &str) -> bool {
        let runs = recognise(command, &[]);
        let run = runs.last().unwrap_or_else(|| panic!("no run in {command}"));
        run.coverage != Coverage::Whole
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
    fn tests_that_are_chosen_by_name_are_known() {
        for command in [
            "cargo test one_test",
            "cargo test --lib totals::rounds -- --exact",
            "pytest tests/test_a.py::test_b",
            "pytest -k parser",
            "go test -run One ./...",
            "vendor/bin/phpunit --filter testTotal",
            "bundle exec rspec spec/a_spec.rb:9",
            "ctest -R one",
            "npx jest -t rounds",
        ] {
            assert_eq!(recognise(command, &[])[0].coverage, Coverage::Named, "{command}");
        }
        for command in [
            "cargo test -p core",
            "pytest tests/test_a.py",
            "go test ./core/...",
            "mvn test -pl core",
        ] {
            assert_eq!(recognise(command, &[])[0].coverage, Coverage::Chosen, "{command}");
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
