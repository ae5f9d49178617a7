//! What the name of a target, a script or a recipe says about it.

use super::RunKind;

/// Words that say what something does.
#[rustfmt::skip]
const KINDS: &[(RunKind, &[&str])] = &[
    (RunKind::Types, &["typecheck", "types", "type", "typing", "tsc", "mypy", "pyright", "typescript"]),
    (RunKind::Lint, &["lint", "lints", "linter", "eslint", "clippy", "ruff", "flake8", "pylint", "rubocop",
        "ktlint", "detekt", "golangci", "stylelint", "checkstyle", "shellcheck", "vet", "linting", "credo"]),
    (RunKind::Build, &["build", "builds", "compile", "dist", "assemble", "bundle"]),
    (RunKind::Test, &["test", "tests", "testing", "spec", "specs", "unit", "e2e", "integration", "pytest",
        "jest", "vitest", "mocha", "rspec", "phpunit", "playwright", "cypress", "nextest",
        "coverage", "cov", "smoke", "runtests", "unittest", "unittests"]),
];

/// Words that make it something else, whatever stands beside them.
#[rustfmt::skip]
const NEVER: &[&str] = &[
    "watch", "watcher", "clean", "dev", "serve", "start", "stop", "deploy", "publish", "install", "uninstall",
    "help", "list", "fix", "setup", "prepare", "upload", "open", "ui", "remove",
    "logs", "log", "shell", "init", "create", "new", "add",
];

/// Words that make it no test: they prepare one or belong to one.
const NO_TEST: &[&str] = &[
    "db", "data", "fixture", "fixtures", "deps", "env", "server", "up", "down", "seed", "image",
    "report", "generate", "gen", "update", "migrate", "schema", "reset",
];

/// What the name says, where `check` is what a mere check means.
///
/// Of several words the one that promises less is believed: a `test:types` checks types, and
/// `build-tests` builds.
pub(super) fn kind(name: &str, check: RunKind) -> Option<RunKind> {
    let mut found = None;
    let mut checks = false;
    let mut formats = false;
    for word in words(name) {
        let is = |it: &&str| it.eq_ignore_ascii_case(word);
        if NEVER.iter().any(is) {
            return None;
        }
        checks |= ["check", "checks", "verify", "validate"].iter().any(is);
        formats |= ["format", "fmt", "formatting", "prettier", "style", "spotless", "black"]
            .iter()
            .any(is);
        let place = KINDS.iter().position(|it| it.1.iter().any(is));
        found = match (found, place) {
            (Some(one), Some(other)) => Some(usize::min(one, other)),
            (one, other) => one.or(other),
        };
    }
    let kind = match found {
        Some(place) => KINDS[place].0,
        None if checks && formats => RunKind::Lint,
        None if checks => check,
        None => return None,
    };
    let other = kind == RunKind::Test
        && words(name).any(|word| NO_TEST.iter().any(|it| it.eq_ignore_ascii_case(word)));
    (!other).then_some(kind)
}

/// The words of a name, however it joins them: `test:unit`, `run_tests`, `testDebugUnitTest`.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|it: char| !it.is_alphanumeric()).flat_map(humps).filter(|it| !it.is_empty())
}

fn humps(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let bytes = rest.as_bytes();
        let hump =
            |at: &usize| bytes[*at].is_ascii_uppercase() && bytes[*at - 1].is_ascii_lowercase();
        let end = (1..bytes.len()).find(hump).unwrap_or(bytes.len());
        let (word, left) = rest.split_at(end);
        rest = left;
        Some(word)
    })
}
