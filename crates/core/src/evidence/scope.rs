//! How much of a project a run covers, by the words of its command.

use super::line::Word;
use super::names;
use super::scope_options::{OptionEffect, option_effect};
use super::{Coverage, RunKind};

/// Options that choose tests by their names.
#[rustfmt::skip]
const NAMING: &[&str] = &[
    "-k", "-t", "-g", "-run", "--grep", "--testNamePattern", "--tests", "-Dtest", "-Dit.test", "--only", "--focus", "--match", "-R", "--example", "--example-matches", "--only-testing",
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
    "--group", "--testsuite", "--suite", "--tag", "--tags", "--shard", "--partition",
];

/// Options that leave a part of a project out, each with a name behind it.
#[rustfmt::skip]
const EXCLUDERS: &[&str] = &[
    "--skip", "-skip", "--exclude", "--ignore", "--ignore-glob", "--deselect", "--exclude-task", "--exclude-pattern",
    "--testPathIgnorePatterns", "--exclude-tag", "--exclude-tags", "--exclude-group", "-Dsurefire.excludes",
    "-Dfailsafe.excludes", "--exclude-filter", "--grep-invert", "--invert", "-skip-testing", "--skip-testing",
    "--exclude-testsuite", "--ignore-pattern", "--not-path", "--ignoreProjects", "--skip-package", "--selector-exclude",
];

/// Options that leave a part out for these programs alone.
const EXCLUDERS_OF: &[(&str, &str)] = &[
    ("ctest", "-E"),
    ("ctest", "-LE"),
    ("mocha", "-i"),
    ("robot", "-e"),
    ("behave", "-e"),
    ("flutter", "-x"),
    ("dart", "-x"),
    ("gradle", "-x"),
    ("gradlew", "-x"),
];

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
pub(super) const ADDING_PROGRAMS: &[&str] = &[
    "make", "gmake", "just", "gradle", "gradlew", "mvn", "mvnw", "ant", "ninja", "rake", "task",
    "tox", "nox", "nx", "turbo", "sbt", "mill", "poe", "inv", "invoke", "mage", "lerna", "moon",
];

/// Programs that pass what stands behind two dashes on to another one.
const PASSING_ON: &[&str] = &[
    "npm", "pnpm", "yarn", "bun", "tox", "nox", "hatch", "pdm", "composer", "lerna", "turbo", "nx",
    "poe", "make", "just", "task", "deno", "rake",
];

/// Options that choose tests by themselves.
const NAMING_ALONE: &[&str] = &[
    "--lf",
    "--last-failed",
    "--exact",
    "--only-failures",
    "--onlyFailures",
    "--failed",
    "--rerun-failed",
    "--test-only",
];

/// Operands that stand for everything.
const WHOLE_OPERANDS: &[&str] =
    &[".", "./...", "all", "*", "--", "//...", "//...:all", ":all", "::", "...", "//:all"];

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

/// Tells whether an option of a program, with its value, leaves a part out.
pub(super) fn excludes(program: &str, option: &str, value: Option<&str>) -> bool {
    // A task of gradle that is left out may be any one.
    let is_task = matches!(program, "gradle" | "gradlew");
    let is_tested = || value.is_none_or(|it| it.to_lowercase().contains("test"));
    let excludes = EXCLUDERS.contains(&option) || EXCLUDERS_OF.contains(&(program, option));
    excludes && (!is_task || is_tested())
}

/// Tells whether an option of a program takes the next word as its value.
pub(super) fn has_value(program: &str, option: &str, is_behind: bool) -> bool {
    match effect(program, option, is_behind) {
        OptionEffect::Choose | OptionEffect::Name | OptionEffect::Valued => true,
        OptionEffect::ChooseAlone | OptionEffect::NameAlone => false,
        OptionEffect::Flag => excludes(program, option, None),
    }
}

/// Tells whether an operand stands for everything.
pub(super) fn is_whole_operand(word: &str) -> bool {
    is_whole(word, &[])
}

/// Tells whether an operand names all projects: a solution.
pub(super) fn is_solution(program: &str, word: &str) -> bool {
    let ending = word.rsplit_once('.').map_or("", |it| it.1);
    program == "dotnet" && matches!(ending, "sln" | "slnx")
}

/// What an option does, by the table of its program or by what most programs mean by it. What
/// stands behind two dashes is for another program.
pub(super) fn effect(program: &str, option: &str, is_behind: bool) -> OptionEffect {
    let own = if is_behind && PASSING_ON.contains(&program) { None } else { Some(program) };
    if let Some(effect) = own.and_then(|it| option_effect(it, option)) {
        return effect;
    }
    let is_other = NO_CHOICE.contains(&(program, option));
    match option {
        _ if NAMING_ALONE.contains(&option) => OptionEffect::NameAlone,
        _ if NAMING.contains(&option) && !is_other => OptionEffect::Name,
        _ if CHOOSERS.contains(&option) && !is_other => OptionEffect::Choose,
        _ if VALUED.contains(&option) => OptionEffect::Valued,
        _ => OptionEffect::Flag,
    }
}

/// How much the words of a run cover of what there is to test or to build. `words` begin with the
/// program; `tool` is its short name.
pub(super) fn coverage(tool: &str, words: &[Word]) -> Coverage {
    let program = tool.split(' ').next().unwrap_or_default();
    let own: Vec<_> = tool.split(' ').collect();
    let (mut takes_value, mut is_behind) = (false, false);
    let mut found = Coverage::Whole;
    let mut texts = words.iter().skip(1).map(|it| it.text.as_str()).peekable();
    let mut takes_many = false;
    while let Some(word) = texts.next() {
        // `--filter=web`, `-only-testing:Web/Totals`
        let sign = if word.starts_with("-only-testing:") { ':' } else { '=' };
        let (name, value) = word.split_once(sign).map_or((word, None), |it| (it.0, Some(it.1)));
        if word == "--" {
            (is_behind, takes_value) = (true, false);
        } else if word.starts_with('-') && word.len() > 1 {
            if name == "--deselect" {
                // It leaves tests out by their names.
                return Coverage::Named;
            } else if excludes(program, name, value.or(texts.peek().copied())) {
                found = Coverage::Chosen;
            } else {
                match effect(program, name, is_behind) {
                    OptionEffect::Name | OptionEffect::NameAlone => return Coverage::Named,
                    OptionEffect::Choose | OptionEffect::ChooseAlone => found = Coverage::Chosen,
                    OptionEffect::Flag | OptionEffect::Valued => {}
                }
            }
            takes_value = value.is_none() && has_value(program, name, is_behind);
            takes_many = program == "jest" && matches!(name, "--projects" | "--selectProjects");
        } else if takes_value || takes_many {
            takes_value = false;
        } else if word.starts_with('+') && matches!(program, "cargo" | "cross") {
            // `cargo +nightly test` chooses a toolchain.
        } else if let Some(part) = chosen(program, word, &own, is_behind) {
            if part == Coverage::Named {
                return part;
            }
            found = part;
        }
    }
    found
}

/// What the options of a command choose that is known by its output alone: `./ci.sh --only a`.
pub(super) fn chosen_by_options(words: &[Word]) -> Coverage {
    const NAMES: &[&str] =
        &["--only", "--filter", "--grep", "--match", "--test", "--tests", "--case", "-k"];
    const PARTS: &[&str] =
        &["--package", "--suite", "--module", "--spec", "--file", "--dir", "--path"];
    let mut found = Coverage::Whole;
    for (at, word) in words.iter().enumerate().skip(1) {
        let text = word.text.as_str();
        let (name, value) = text.split_once('=').map_or((text, None), |it| (it.0, Some(it.1)));
        let next = words.get(at + 1);
        let has_value = value.is_some() || next.is_some_and(|it| !it.text.starts_with('-'));
        if has_value && NAMES.contains(&name) {
            return Coverage::Named;
        }
        if has_value && PARTS.contains(&name) || chooses_by_variable(text) {
            found = Coverage::Chosen;
        }
    }
    found
}

/// Variables of a task that choose tests: `make test TESTS=a`.
#[rustfmt::skip]
const CHOOSING_VARIABLES: &[&str] = &[
    "TEST", "TESTS", "T", "K", "FILTER", "ONLY", "RUN", "PKG", "PKGS", "PACKAGE", "PACKAGES", "FILE", "FILES", "SUITE", "CASE",
    "SPEC", "SPECS", "TESTSUITE", "TEST_NAME", "TEST_FILE", "TEST_PATH", "TESTPATH", "MODULE", "PATTERN", "GREP", "MATCH",
];

fn chooses_by_variable(word: &str) -> bool {
    let Some((name, value)) = word.split_once('=') else { return false };
    let is_all = matches!(value, "" | "all" | "." | "./..." | "1" | "0" | "true" | "false");
    CHOOSING_VARIABLES.contains(&name.to_ascii_uppercase().as_str()) && !is_all
}

/// Words in the name of a task that say that it tests a part: `make test-unit`.
#[rustfmt::skip]
const PART_WORDS: &[&str] = &[
    "unit", "units", "integration", "int", "e2e", "smoke", "fast", "quick", "api", "web", "ui", "frontend", "backend", "client",
    "server", "cli", "functional", "acceptance", "component", "components", "contract", "sanity", "doc", "docs", "single", "one",
    "file", "changed", "affected", "visual", "snapshot", "snapshots", "browser", "slow", "perf",
];

/// Tells whether the name of a task says that it tests a part of the project.
fn names_part_of_tests(task: &str) -> bool {
    let words = || task.split(['-', '_', ':', '.', '/']);
    let has = |table: &[&str]| words().any(|it| table.contains(&it));
    words().count() > 1 && has(&["test", "tests", "spec", "check"]) && has(PART_WORDS)
}

/// What an operand chooses; `None` where it stands for everything.
fn chosen(program: &str, word: &str, own: &[&str], is_behind: bool) -> Option<Coverage> {
    // `sbt 'testOnly a.B'`, `lein test :only a`
    if word.starts_with("testOnly ") || word.starts_with("testQuick") || word == ":only" {
        return Some(Coverage::Named);
    }
    if is_solution(program, word) {
        return None;
    }
    if own.contains(&word) && names_part_of_tests(word) || chooses_by_variable(word) {
        return Some(Coverage::Chosen);
    }
    if is_whole(word, own) {
        return None;
    }
    // `just test parser`: what follows a recipe is its argument, unless it is another recipe.
    if program == "just" && !is_behind && names::kind(word, RunKind::Lint).is_none() {
        return Some(Coverage::Chosen);
    }
    if ADDING_PROGRAMS.contains(&program) && !is_behind {
        // `gradle :web:test`, `sbt web/test`, `nx test web`
        let is_part = match program {
            "gradle" | "gradlew" => word.contains(':'),
            "sbt" | "mill" => word.contains(['/', '.']),
            "nx" => !matches!(word, "run-many" | "affected" | "test" | "lint" | "build"),
            _ => false,
        };
        return is_part.then_some(Coverage::Chosen);
    }
    // `cargo test parser`, `pytest a.py::test_b`, `rspec a_spec.rb:9`, `a_spec.rb[1:2]`
    let is_place = word.contains('/') || word.rsplit_once('.').is_some_and(|it| it.1.len() < 5);
    let is_line =
        word.rsplit_once(':').is_some_and(|it| it.1.bytes().all(|it| it.is_ascii_digit()));
    let is_name = NAME_FILTERS.contains(&program) && !is_place;
    let is_named = word.contains("::") || is_line || is_name || word.ends_with(']');
    Some(if is_named { Coverage::Named } else { Coverage::Chosen })
}

/// Tells whether a word is part of the name of a tool, which may have options between its words:
/// `cargo nextest r`, `cargo llvm-cov --workspace nextest`.
pub(super) fn is_of_tool(word: &str, own: &[&str]) -> bool {
    own.contains(&word)
        || own.contains(&"nextest") && word == "r"
        || own.contains(&"llvm-cov") && matches!(word, "nextest" | "test")
}

/// Tells whether an operand stands for everything, or is part of the name of the tool.
fn is_whole(word: &str, own: &[&str]) -> bool {
    let bare = word.trim_start_matches("./").trim_end_matches('/');
    let is_number = word.bytes().all(|it| it.is_ascii_digit());
    is_number
        || is_of_tool(word, own)
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

    #[rustfmt::skip]
    const NARROW: &[&str] = &[
        "cargo test one_test", "cargo test -p core", "cargo test --test api", "pytest tests/test_a.py",
        "pytest tests/test_a.py::test_b", "pytest -k parser", "go test ./parser", "go test -run One ./...",
        "npx jest src/a.test.ts", "npx vitest run src/a.test.ts", "npm test -- parser",
        "npm test --workspace=web", "mvn -pl web test", "mvn test -Dtest=One", "./gradlew test --tests One",
        "bundle exec rspec spec/a_spec.rb", "pnpm --filter web test", "cargo nextest run -E 'test(one)' one",
        "python -m pytest tests/unit/test_x.py -q", "phpunit tests/ATest.php", "ctest -R one",
        "pytest -x tests/test_a.py", "pytest -s tests/unit/test_a.py",
        "pytest -p no:cacheprovider tests/test_a.py", "pytest -m slow", "pytest --lf", "pytest -n 4 -k parser",
        "python -m unittest tests.test_a", "python manage.py test shop.tests", "go test -run=One ./...",
        "go test -short ./...", "go test ./parser/...", "npx jest --testPathPattern totals", "npx jest -o",
        "npx jest --shard=1/3", "npx jest --findRelatedTests src/a.ts", "npx vitest run --project web",
        "npx vitest run -t totals", "npx mocha --grep totals", "npx mocha -g totals test/",
        "npx playwright test --project=chromium", "npx playwright test -g login",
        "npx playwright test tests/login.spec.ts", "npx cypress run --spec cypress/e2e/a.cy.ts",
        "bun test --test-name-pattern totals", "deno test --filter totals",
        "node --test --test-name-pattern=totals", "npx ava --match totals", "bundle exec rspec -e totals",
        "bundle exec rspec --tag focus", "bundle exec rspec --only-failures", "bin/rails test -n test_total",
        "bin/rails test test/models/a_test.rb", "bundle exec cucumber --tags @slow", "behave -n totals",
        "robot -t Totals tests/", "phpunit --filter testTotal", "phpunit --testsuite unit",
        "php artisan test --filter Totals", "vendor/bin/pest --group slow", "mvn test -pl web -am",
        "mvn -Dtest=TotalsTest test", "./gradlew :web:test", "./gradlew test --tests 'a.B'",
        "dotnet test --filter Totals", "swift test --filter Totals",
        "xcodebuild test -scheme App -only-testing:AppTests/Totals", "mix test test/a_test.exs:12",
        "mix test --only slow", "mix test --failed", "flutter test --plain-name totals", "dart test -n totals",
        "ctest -L unit", "ctest --rerun-failed", "meson test --suite unit", "bazel test //web:all_tests",
        "bazel test --test_filter=One //...", "bats -f totals test/", "busted --filter totals",
        "zig test --test-filter totals src/main.zig", "forge test --match-test testTotal",
        "npx hardhat test --grep totals", "terraform test -filter=a.tftest.hcl", "dbt test --select totals",
        "sbt 'testOnly a.B'", "sbt web/test", "lein test :only a.b", "npx nx test web",
        "turbo run test --filter=web", "npm test -w web", "npm test -- -t totals", "npm test -- --grep totals",
        "pnpm -F web test", "cargo test --lib", "cargo test --doc", "cargo nextest run --partition count:1/3",
        "tox -- -k parser", "cargo nextest r parser", "cargo llvm-cov nextest -p core", "clojure -M:test -n app.core-test",
    ];

    #[test]
    fn a_chosen_test_or_package_is_narrow() {
        for command in NARROW {
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

    #[rustfmt::skip]
    const WHOLE: &[&str] = &[
        "cargo test", "cargo test --workspace", "cargo test -q", "cargo test --all-features -- --nocapture",
        "pytest", "pytest -x -q", "pytest tests", "pytest tests/", "pytest --tb short", "go test ./...",
        "go test -race ./...", "npx jest", "npx vitest run", "npm test", "npm run test", "make test",
        "make test lint", "./gradlew clean test", "mvn test", "python -m pytest", "python -m unittest discover",
        "bundle exec rspec", "cargo nextest run", "cargo test --jobs 2", "pytest -n 4", "just test", "tox",
        "npx playwright test", "ctest --output-on-failure", "pytest -x", "pytest -s -x -q",
        "pytest -p no:cacheprovider", "pytest -c pytest.ini", "pytest -W error", "pytest --cov src",
        "pytest --junitxml out.xml", "pytest -o log_cli=true", "pytest --ff", "make -k test", "make -j 4 test",
        "make -s -C . test", "rake -t test", "go test -p 4 ./...", "go test -count=1 -timeout 5m ./...",
        "go test -tags integration ./...", "npx jest -i --ci", "npx jest -w 4", "npx jest -c jest.config.js",
        "npx jest --coverage --maxWorkers 2", "npx vitest run -c vitest.config.ts",
        "npx vitest run --reporter verbose", "npx mocha -r ts-node/register", "npx mocha -R dot -t 5000",
        "npx mocha -p", "npx playwright test -c pw.config.ts --workers 2", "npx cypress run -b chrome",
        "bundle exec rspec -f doc", "bundle exec rspec -r spec_helper --seed 1", "phpunit -c phpunit.xml",
        "mvn -q -B test", "mvn -f pom.xml test", "./gradlew test -x lint --no-daemon",
        "dotnet test -c Release --no-build", "dotnet test -v q --logger trx",
        "swift test -c release --parallel", "xcodebuild test -scheme App -destination platform=macOS",
        "mix test --seed 0", "flutter test -j 4", "ctest -j 4 -V", "ctest --test-dir build",
        "meson test -C build -v", "bazel test //...", "bazel test -k //...", "pants test ::",
        "buck2 test //...", "bats -r test", "prove -lr t", "prove -I lib t/", "cargo test --tests",
        "cargo test --all", "cargo test --release", "cargo test -F serde", "cargo test -- --test-threads 1",
        "cargo nextest run -P ci", "npm test --silent", "npm test --prefix .", "pnpm -r test", "tox -e py311",
        "nox -s tests", "sbt test", "robot -d out tests", "node --test --test-reporter spec",
        "npx nx run-many -t test", "cargo nextest r", "cargo nextest r --all", "cargo llvm-cov nextest --workspace",
        "cargo llvm-cov --workspace nextest", "cargo llvm-cov nextest --lcov --output-path lcov.info",
        "cargo llvm-cov --lcov --output-path lcov.info", "cargo tarpaulin --out Xml", "clojure -X:test", "clj -M:dev:test",
        "clojure -M:test -m kaocha.runner", "platformio test -e native",
    ];

    #[test]
    fn a_plain_call_is_not_narrow() {
        for command in WHOLE {
            assert!(!narrow(command), "{command}");
        }
    }
}
