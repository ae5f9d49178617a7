//! What a run selects of the tests or packages of a project, and whether another run covers it.

use super::line::{Part, Word};
use super::scope::{
    ADDING_PROGRAMS, effect, excludes, has_value, is_of_tool, is_solution, is_whole_operand,
};
use super::scope_options::OptionEffect;
use super::shell::parse;
use super::unwrap::program;
use crate::path;

/// What a run selects, by the words of its command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Selection {
    runner: Runner,
    picks: Vec<Pick>,
    /// What its options leave out.
    excluded: Vec<String>,
    /// What its options add: features, tests that are otherwise left out.
    added: Vec<String>,
    /// The program, as it is called.
    name: String,
    /// Whether it looks at its own directory alone: `go test`.
    is_shallow: bool,
    /// Whether the task that stands for all tests is among its tasks.
    has_whole_task: bool,
}

/// Which test runner, compiler or linter a command starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Runner {
    /// This one, of a family.
    Known(&'static str, &'static str),
    /// Any one of a family: `npm test`.
    AnyOf(&'static str),
    /// Any one: `make test`, a script.
    Any,
}

/// One thing that a command selects.
#[derive(Debug, PartialEq, Eq)]
struct Pick {
    by: PickKind,
    /// Of a part, what it is a part of: options that choose the same thing share it.
    of: String,
    value: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PickKind {
    /// A file, a directory or a target.
    Place,
    /// A part of the names of files with tests.
    Pattern,
    /// A part of the name of tests.
    Name,
    /// A package, a suite, a tag: the value of an option.
    Part,
    /// A script of a manifest, or a target of a task file.
    Task,
}

/// Families of programs: those that are a runner themselves, and those that start any runner of the
/// family.
#[rustfmt::skip]
const FAMILIES: &[(&str, &[&str], &[&str])] = &[
    ("rust", &["cargo", "cross"], &["wasm-pack", "trunk"]),
    ("python", &["pytest", "py.test", "unittest", "nose2", "behave", "robot", "mypy", "pyright", "ruff", "flake8", "pylint",
        "stestr", "trial"],
        &["tox", "nox", "hatch", "rye", "poetry", "pdm", "uv", "python", "python3", "manage.py", "setup.py", "runtests.py"]),
    ("javascript", &["jest", "vitest", "mocha", "ava", "playwright", "cypress", "karma", "jasmine", "tsc", "eslint", "biome",
        "wtr", "testcafe", "uvu", "tap", "prettier", "vue-tsc", "svelte-check"],
        &["npm", "pnpm", "yarn", "bun", "node", "deno", "tsx", "lerna", "vite", "next", "react-scripts", "craco"]),
    ("go", &["go", "gotestsum", "ginkgo", "golangci-lint"], &[]),
    ("jvm", &["mvn", "mvnw", "gradle", "gradlew", "sbt", "lein", "ant", "mill"], &[]),
    ("dotnet", &["dotnet", "msbuild"], &[]),
    ("ruby", &["rspec", "minitest", "cucumber", "rubocop"], &["rake", "rails", "ruby", "bundle"]),
    ("php", &["phpunit", "pest", "paratest", "behat", "phpstan"], &["composer", "artisan", "php"]),
    ("elixir", &["mix"], &[]), ("swift", &["swift", "xcodebuild"], &[]), ("dart", &["flutter", "dart"], &[]),
    ("haskell", &["cabal", "stack"], &[]), ("zig", &["zig"], &[]), ("julia", &["julia"], &[]),
    ("c", &["ctest", "gcc", "clang", "g++", "clang++"], &["cmake", "ninja", "meson"]),
];

/// Names of different programs that run the same tests.
const SAME_RUNNERS: &[(&str, &str)] = &[
    ("py.test", "pytest"),
    ("gotestsum", "go"),
    ("cross", "cargo"),
    ("mvnw", "mvn"),
    ("gradlew", "gradle"),
];

/// Names of scripts and targets that stand for all of them.
const WHOLE_TASKS: &[&str] = &[
    "test",
    "tests",
    "t",
    "tst",
    "ci",
    "check",
    "all",
    "verify",
    "validate",
    "build",
    "lint",
    "typecheck",
    "install",
    "package",
];

impl Selection {
    /// What a command selects; its first command counts.
    pub(crate) fn of(command: &str) -> Self {
        let line = parse(command);
        let steps = line.iter().flat_map(|it| &it.chains).flat_map(|it| &it.steps);
        let first = steps.flat_map(|it| &it.pipe).find_map(|it| match it {
            Part::Simple(simple) => Some(simple),
            Part::Group(_) => None,
        });
        let none = Word::of("");
        let words = first.map_or(&[][..], |it| {
            let at = it.look(&[]).at;
            it.words.get(at..).unwrap_or_default()
        });
        let tool = first.and_then(|it| it.look(&[]).runs.first()).map_or("", |it| it.1.as_str());
        let name = program(&words.first().unwrap_or(&none).text).to_owned();
        let is_deep = words.iter().any(|it| it.text.contains("..."));
        let mut selection = Self {
            runner: runner(words),
            picks: Vec::new(),
            excluded: Vec::new(),
            added: Vec::new(),
            is_shallow: name == "go" && !is_deep,
            has_whole_task: false,
            name,
        };
        selection.read(tool, words);
        selection
    }

    fn read(&mut self, tool: &str, words: &[Word]) {
        let name = words.first().map_or("", |it| program(&it.text));
        let own: Vec<_> = tool.split(' ').collect();
        let is_task = is_task_runner(name) || self.runner == Runner::Any;
        let mut texts = words.iter().skip(1).map(|it| it.text.as_str()).peekable();
        let (mut is_behind, mut operands) = (false, 0);
        // `cargo test` has tests in the documentation, too.
        let is_covered = || words.iter().any(|it| it.text == "nextest");
        if own.contains(&"nextest") || own.contains(&"llvm-cov") && is_covered() {
            self.excluded.push("--doc".to_owned());
        }
        while let Some(word) = texts.next() {
            if word == "--" {
                is_behind = true;
            } else if word.starts_with('-') && word.len() > 1 {
                let (option, own) =
                    word.split_once('=').map_or((word, None), |it| (it.0, Some(it.1)));
                let takes_next = own.is_none() && has_value(name, option, is_behind);
                let value = own.or_else(|| texts.next_if(|_| takes_next));
                self.read_option(name, option, value, is_behind);
            } else if name == "yarn" && word == "workspace" {
                texts.next().into_iter().for_each(|it| self.pick_part(PACKAGE, it));
            } else if name == "nx" && !is_behind {
                operands += 1;
                match word.split_once(':') {
                    // `nx run web:test`, `nx test web`
                    Some((package, _)) => self.pick_part(PACKAGE, package),
                    None if operands > 1 => self.pick_part(PACKAGE, word),
                    None => self.pick(PickKind::Task, word),
                }
            } else if is_task && !is_behind {
                self.pick(PickKind::Task, word);
            } else if !is_of_tool(word, &own) && !is_whole_operand(word) && !is_solution(name, word)
            {
                self.pick(operand_kind(name, word), word);
            }
        }
        let is_whole = |it: &Pick| it.by == PickKind::Task && it.value == "test";
        self.has_whole_task = is_task_runner(name) && self.picks.iter().any(is_whole);
        self.picks.retain(|it| it.by != PickKind::Task || !is_filler(&it.value));
    }

    fn read_option(&mut self, name: &str, option: &str, value: Option<&str>, is_behind: bool) {
        if excludes(name, option, value) {
            self.excluded.push(value.unwrap_or(option).to_owned());
            return;
        }
        if adds(name, option) {
            // What runs only the tests that others leave out leaves the others out.
            if option == "--ignored" {
                self.excluded.push(option.to_owned());
            }
            self.added.push(value.unwrap_or(option).to_owned());
            return;
        }
        match effect(name, option, is_behind) {
            OptionEffect::Name | OptionEffect::NameAlone => {
                self.pick(PickKind::Name, value.unwrap_or(option));
            }
            OptionEffect::Choose | OptionEffect::ChooseAlone if is_target(name, option) => {
                let value = value.map_or_else(|| option.to_owned(), |it| format!("{option}={it}"));
                self.pick_part(TARGET, &value);
            }
            OptionEffect::Choose | OptionEffect::ChooseAlone
                if PACKAGE_OPTIONS.contains(&option) =>
            {
                let packages = value.unwrap_or(option).split(',');
                packages.for_each(|it| self.pick_part(PACKAGE, it.trim_start_matches(':')));
            }
            OptionEffect::Choose | OptionEffect::ChooseAlone => {
                self.pick_part(option, value.unwrap_or(option));
            }
            OptionEffect::Flag | OptionEffect::Valued => {}
        }
    }

    fn pick(&mut self, by: PickKind, value: &str) {
        let is_target = by == PickKind::Task && value.starts_with(':');
        let value = value.strip_prefix(if is_target { ":" } else { "./" }).unwrap_or(value);
        self.picks.push(Pick { by, of: String::new(), value: value.to_owned() });
    }

    fn pick_part(&mut self, of: &str, value: &str) {
        let value = value.trim_start_matches("./").to_owned();
        self.picks.push(Pick { by: PickKind::Part, of: of.to_owned(), value });
    }

    /// Tells whether a run with this selection covers all that a run with another one does.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        let is_place = |it: &&Pick| it.by == PickKind::Place;
        let is_own = |place: &Pick| {
            let mut own = self.picks.iter();
            own.any(|it| it == place || is_place(&it) && is_file_in(&it.value, &place.value))
        };
        let is_deep = !self.is_shallow || other.picks.iter().filter(is_place).all(is_own);
        self.is_of_runner(other)
            && self.leaves_no_more_out(other)
            && is_deep
            && self.covers_picks(other, |_| true)
    }

    /// The same, of a run in one directory and of another run in another one, where both name
    /// places by paths.
    pub(crate) fn covers_from(&self, here: &str, other: &Self, there: &str) -> bool {
        let is_by_path = matches!(self.runner, Runner::Known(_, name) if BY_PATH.contains(&name));
        if !is_by_path || self.runner != other.runner || !self.leaves_no_more_out(other) {
            return false;
        }
        let (own, others) = (self.places(here), other.places(there));
        let holds = |place: &String| {
            own.iter().any(|own| {
                let is_same = place == own;
                let rest = place.strip_prefix(own.trim_end_matches('/')).unwrap_or_default();
                is_same || !self.is_shallow && rest.starts_with(['/', ':', '['])
            })
        };
        self.covers_picks(other, |it| it != PickKind::Place) && others.iter().all(holds)
    }

    /// The places that it looks at, by their whole paths.
    fn places(&self, directory: &str) -> Vec<String> {
        let named = self.picks.iter().filter(|it| it.by == PickKind::Place);
        let places = named.filter_map(|it| path::joined(directory, bare_place(&it.value)));
        let places: Vec<_> = places.collect();
        if places.is_empty() { vec![directory.to_owned()] } else { places }
    }

    /// The program, as it is called.
    pub(crate) fn program(&self) -> &str {
        &self.name
    }

    /// The places that its words name, by their whole paths.
    pub(crate) fn chosen_places(&self, directory: &str) -> Vec<String> {
        let is_named = self.picks.iter().any(|it| it.by == PickKind::Place);
        if is_named { self.places(directory) } else { Vec::new() }
    }

    /// The packages that its options choose.
    pub(crate) fn package_names(&self) -> impl Iterator<Item = &str> {
        self.packages().map(|it| it.value.as_str())
    }

    /// Tells whether the packages that it chooses are that of a directory, and it chooses some.
    pub(crate) fn chooses_package_in(&self, directory: &str) -> bool {
        let name = directory.rsplit('/').next().unwrap_or_default();
        let mut packages = self.packages().peekable();
        let is_it = |it: &Pick| {
            let rest = it.value.strip_suffix(name);
            rest.is_some_and(|it| it.is_empty() || it.ends_with(['-', '_', '/']))
        };
        packages.peek().is_some() && packages.all(is_it)
    }

    /// Tells whether it chooses packages.
    pub(crate) fn chooses_package(&self) -> bool {
        self.packages().next().is_some()
    }

    fn packages(&self) -> impl Iterator<Item = &Pick> {
        self.picks.iter().filter(|it| it.by == PickKind::Part && it.of == PACKAGE)
    }

    /// Tells whether it leaves nothing out that another one tests, by its options.
    fn leaves_no_more_out(&self, other: &Self) -> bool {
        let is_tested = |it: &String| match it.as_str() {
            // Those of the documentation are left out as a matter of course.
            "--doc" => !other.picks.iter().any(|it| it.value == "--doc"),
            it => other.excluded.iter().any(|other| other == it),
        };
        let is_added = |it: &String| {
            let own = &self.added;
            own.contains(it)
                || own.iter().any(|own| own == "--all-features") && !it.starts_with('-')
                || own.iter().any(|it| it == "--include-ignored") && it == "--ignored"
        };
        self.excluded.iter().all(is_tested) && other.added.iter().all(is_added)
    }

    /// Tells whether a test run has built all that a build with another selection builds: what it
    /// chooses by name is chosen after it was built.
    pub(crate) fn builds(&self, other: &Self) -> bool {
        let is_built = |by: PickKind| matches!(by, PickKind::Part | PickKind::Place);
        self.is_of_runner(other) && self.covers_picks(other, is_built)
    }

    /// Tells whether one of the two may start anything.
    pub(crate) fn is_indirect(&self, other: &Self) -> bool {
        let is_known = |it: &Self| matches!(it.runner, Runner::Known(..));
        !is_known(self) || !is_known(other)
    }

    /// Tells whether it selects something below a directory of this name.
    pub(crate) fn names(&self, directory: &str) -> bool {
        self.picks.iter().any(|it| it.value.split(['/', ':']).any(|it| it == directory))
    }

    /// Tells whether it selects everything.
    pub(crate) fn is_whole(&self) -> bool {
        self.picks.iter().all(|it| it.by == PickKind::Task) && self.excluded.is_empty()
    }

    fn is_of_runner(&self, other: &Self) -> bool {
        match (self.runner, other.runner) {
            (Runner::Any, _) | (_, Runner::Any) => true,
            (Runner::Known(family, name), Runner::Known(same, other)) => {
                family == same && name == other
            }
            (Runner::Known(family, _) | Runner::AnyOf(family), Runner::AnyOf(same))
            | (Runner::AnyOf(family), Runner::Known(same, _)) => family == same,
        }
    }

    fn covers_picks(&self, other: &Self, counts: impl Fn(PickKind) -> bool) -> bool {
        let counted = self.picks.iter().filter(|it| counts(it.by));
        // What it does not choose from it takes as a whole.
        counted.clone().all(|pick| {
            let is_alike = |it: &&Pick| it.by == pick.by && it.of == pick.of;
            let own = || counted.clone().filter(is_alike);
            let mut others = other.picks.iter().filter(|it| is_alike(it)).peekable();
            let is_any = others.peek().is_some();
            let mut is_held = || others.all(|it| own().any(|own| own.holds(it)));
            if pick.by == PickKind::Task {
                let is_wide =
                    self.has_whole_task || own().any(|it| WHOLE_TASKS.contains(&it.value.as_str()));
                // Targets of different programs cannot be compared.
                return is_wide || (is_any || self.name != other.name) && is_held();
            }
            is_any && is_held()
        })
    }
}

/// Whether a file lies in a directory and not below it: `go test ./cart` runs `./cart/cart_test.go`.
fn is_file_in(directory: &str, file: &str) -> bool {
    let name = file.strip_prefix(directory.trim_end_matches('/'));
    let name = name.and_then(|it| it.strip_prefix('/'));
    name.is_some_and(|it| !it.contains('/') && it.rsplit_once('.').is_some_and(|it| it.1 == "go"))
}

impl Pick {
    fn holds(&self, other: &Self) -> bool {
        let (own, value) = (bare_place(&self.value), other.value.as_str());
        match self.by {
            PickKind::Name | PickKind::Pattern => value.contains(own),
            PickKind::Part => value == own || self.of == TARGET && holds_target(own, value),
            PickKind::Place | PickKind::Task => {
                let is_whole_task = || {
                    let (own, value) = (own.rsplit_once(':'), value.rsplit_once(':'));
                    let is_whole = |it: &str| matches!(it, "check" | "build" | "verify" | "all");
                    own.zip(value).is_some_and(|(own, it)| own.0 == it.0 && is_whole(own.1))
                };
                value == own
                    || value
                        .strip_prefix(own.trim_end_matches('/'))
                        .is_some_and(|it| it.starts_with(['/', ':', '[']))
                    || self.by == PickKind::Task && is_whole_task()
            }
        }
    }
}

/// Tells whether one choice of targets of cargo holds another one.
fn holds_target(own: &str, value: &str) -> bool {
    match own {
        "--tests" => value != "--doc" && !value.starts_with("--example"),
        "--bins" => value.starts_with("--bin="),
        "--examples" => value.starts_with("--example="),
        _ => false,
    }
}

/// A place without the words that stand for all below it: `./a/...`, `//web:all`.
fn bare_place(value: &str) -> &str {
    let value = value.strip_suffix(":all").or_else(|| value.strip_suffix(":*")).unwrap_or(value);
    value.trim_end_matches("/...")
}

/// Runners whose operands are paths, below which they look.
const BY_PATH: &[&str] = &[
    "pytest", "unittest", "go", "mocha", "rspec", "minitest", "phpunit", "pest", "mix", "dotnet",
    "ctest", "nose2", "behave",
];

/// What the options below choose.
const PACKAGE: &str = "package";
const PACKAGE_OPTIONS: &[&str] = &[
    "-p",
    "--package",
    "-w",
    "--workspace",
    "-F",
    "--filter",
    "-pl",
    "--projects",
    "--project",
    "--scope",
];
/// What `--lib`, `--bins` and the like of cargo choose.
const TARGET: &str = "target";

fn is_target(program: &str, option: &str) -> bool {
    const TARGETS: &[&str] = &[
        "--lib",
        "--bin",
        "--bins",
        "--test",
        "--tests",
        "--doc",
        "--example",
        "--examples",
        "--bench",
        "--benches",
    ];
    matches!(program, "cargo" | "cross") && TARGETS.contains(&option)
}

/// Tells whether an option makes a run test more than without it.
fn adds(program: &str, option: &str) -> bool {
    match program {
        "cargo" | "cross" => {
            matches!(
                option,
                "--features" | "-F" | "--all-features" | "--ignored" | "--include-ignored"
            )
        }
        "go" => matches!(option, "-race" | "-tags" | "-msan" | "-asan"),
        _ => false,
    }
}

/// Which runner a command starts.
fn runner(words: &[Word]) -> Runner {
    let name = words.first().map_or("", |it| program(&it.text));
    let name = SAME_RUNNERS.iter().find(|it| it.0 == name).map_or(name, |it| it.1);
    for (family, runners, starters) in FAMILIES {
        if let Some(known) = runners.iter().find(|it| **it == name) {
            return Runner::Known(family, known);
        }
        if starters.contains(&name) {
            return Runner::AnyOf(family);
        }
    }
    Runner::Any
}

/// Tells whether the operands of a program are scripts or targets.
fn is_task_runner(name: &str) -> bool {
    ADDING_PROGRAMS.contains(&name) || matches!(name, "npm" | "pnpm" | "yarn" | "bun" | "composer")
}

/// Words between a program and its script.
fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "run" | "run-script" | "exec" | "test" | "clean" | "run-many" | "workspaces" | "foreach"
    )
}

/// `cargo test parser` names tests, `pytest tests/a.py` a place.
fn operand_kind(name: &str, word: &str) -> PickKind {
    let is_place = word.contains('/') || word.rsplit_once('.').is_some_and(|it| it.1.len() < 5);
    match name {
        "jest" | "vitest" | "npm" | "pnpm" | "yarn" | "bun" => PickKind::Pattern,
        "cargo" | "cross" if !is_place => PickKind::Name,
        _ => PickKind::Place,
    }
}

#[cfg(test)]
mod tests {
    use super::Selection;

    fn covers(run: &str, other: &str) -> bool {
        Selection::of(run).covers(&Selection::of(other))
    }

    #[test]
    fn a_choice_behind_the_same_command_covers_less() {
        for (run, other) in [
            ("cargo test one_test", "cargo test"),
            ("cargo test -p a", "cargo test --workspace"),
            ("cargo test -q one", "cargo test -q"),
            ("cargo test -- one", "cargo test"),
            ("cargo test --lib", "cargo test"),
            ("cargo test --doc", "cargo test"),
            ("cargo test --test api", "cargo test"),
            ("pytest -k fast", "pytest"),
            ("pytest -m 'not slow'", "pytest"),
            ("pytest tests/a.py", "pytest -x"),
            ("python -m pytest tests/a.py", "python -m pytest"),
            ("python -m pytest tests/b.py", "pytest"),
            ("npm test -- parser", "npm test"),
            ("npx vitest run src/a.test.ts", "npx vitest run"),
            ("go test ./a", "go test ./..."),
            ("go test ./... -run One", "go test ./..."),
            ("go test -short ./...", "go test ./..."),
            ("./gradlew test --tests One", "./gradlew test"),
            ("mvn test -Dtest=One", "mvn test"),
        ] {
            assert!(!covers(run, other), "{run} against {other}");
        }
    }

    #[test]
    fn a_run_that_leaves_tests_out_covers_less() {
        for (run, other) in [
            ("cargo test -- --skip parses_empty", "cargo test"),
            ("cargo test --workspace --exclude core", "cargo test --workspace"),
            ("cargo nextest run -E 'not test(slow)'", "cargo nextest run"),
            ("pytest --ignore=tests/a.py", "pytest"),
            ("pytest --ignore tests/a.py", "pytest"),
            ("pytest --deselect tests/a.py::b", "pytest"),
            ("npx vitest run --exclude src/a.test.ts", "npx vitest run"),
            ("npx jest --testPathIgnorePatterns a.test", "npx jest"),
            ("npx jest --shard=2/2", "npx jest"),
            ("go test -skip One ./...", "go test ./..."),
            ("bundle exec rspec --tag ~slow", "bundle exec rspec"),
            ("./gradlew test -x integrationTest", "./gradlew test"),
            ("mvn test -Dsurefire.excludes=One", "mvn test"),
            ("ctest -E slow", "ctest"),
        ] {
            assert!(!covers(run, other), "{run} against {other}");
        }
        assert!(covers("pytest --ignore=tests/a.py -q", "pytest --ignore=tests/a.py"));
        assert!(covers("pytest", "pytest --ignore=tests/a.py"));
    }

    #[test]
    fn another_runner_package_or_file_covers_nothing_of_it() {
        for (run, other) in [
            ("npm test", "pytest"),
            ("npm test", "cargo build"),
            ("cargo test", "pytest"),
            ("cargo test -p b", "cargo test -p a"),
            ("pytest tests/b.py", "pytest tests/a.py"),
            ("npx playwright test", "npx vitest run"),
            ("npm run test:e2e", "npm run test:unit"),
            ("go test ./b/...", "go test ./a/..."),
            ("go test ./a", "go test ./a/b/c_test.go"),
            ("python -m unittest", "pytest"),
        ] {
            assert!(!covers(run, other), "{run} against {other}");
        }
    }

    #[test]
    fn a_run_that_selects_as_much_covers_it() {
        for (run, other) in [
            ("cargo test", "cargo test"),
            ("cargo test", "cargo test one_test"),
            ("cargo test", "cargo test -p a"),
            ("cargo test parser", "cargo test parser::tests::empty"),
            ("cargo test -p a -p b", "cargo test -p a"),
            ("cargo test -- --nocapture", "cargo test"),
            ("cargo test --workspace", "cargo test"),
            ("cargo test foo", "cargo test -q foo"),
            ("cargo test --jobs 2", "cargo test"),
            ("cargo nextest run", "cargo test"),
            ("cargo test --release", "cargo test"),
            ("pytest --tb short", "pytest"),
            ("pytest -n 4", "pytest"),
            ("pytest .", "pytest"),
            ("pytest tests", "pytest"),
            ("pytest tests/a.py", "pytest tests/a.py::test_b"),
            ("pytest tests/unit", "pytest tests/unit/a.py"),
            ("python -m pytest", "pytest"),
            ("uv run pytest -q", "pytest"),
            ("npx vitest run", "npm test"),
            ("npm test", "npx vitest run"),
            ("npm test", "npm run test:unit"),
            ("./gradlew clean test", "./gradlew test"),
            ("./gradlew test integrationTest", "./gradlew test"),
            ("make test lint", "make test"),
            ("make check", "pytest"),
            ("just ci", "cargo test"),
            ("cargo test", "just ci"),
            ("go test ./...", "go test ./a"),
            ("go test ./a", "go test ./a/b_test.go"),
            ("go test -count=1 ./...", "go test ./..."),
            ("gotestsum ./...", "go test ./..."),
            ("tox", "pytest"),
            ("docker compose run tests", "pytest"),
        ] {
            assert!(covers(run, other), "{run} against {other}");
        }
    }

    #[test]
    fn tests_that_are_chosen_by_name_build_everything() {
        let builds = |run: &str, other: &str| Selection::of(run).builds(&Selection::of(other));
        assert!(builds("cargo test one_test", "cargo build"));
        assert!(builds("go test -run One ./...", "go build ./..."));
        assert!(!builds("cargo test -p a", "cargo build"));
        assert!(!builds("npm test", "cargo build"));
    }
}
