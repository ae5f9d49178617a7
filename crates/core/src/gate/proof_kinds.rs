//! Kinds of tests, versions and features that a claim names, and which of them the runs show.

use crate::claim::Claim;
use crate::work::Ran;

/// Kinds of tests that a message may name, with the words for each.
const TEST_KINDS: &[&[&str]] = &[
    &["unit"],
    &["integration"],
    &["e2e", "end-to-end"],
    &["doc", "doctest", "doctests", "documentation"],
    &["functional"],
    &["acceptance"],
    &["smoke"],
];

/// What an option of cargo chooses, as places in `TEST_KINDS`.
const CARGO_OPTIONS: &[(&str, &[usize])] = &[
    ("--lib", &[0]),
    ("--bins", &[0]),
    ("--bin", &[0]),
    ("--tests", &[0, 1]),
    ("--all-targets", &[0, 1]),
    ("--test", &[1]),
    ("--doc", &[3]),
];
/// What the kinds are that cargo knows.
const CARGO_KINDS: &[usize] = &[0, 1, 3];

/// What has versions that a run chooses one of.
const VERSIONED: &[&str] =
    &["python", "py", "cpython", "node", "ruby", "php", "java", "jdk", "go", "rust", "django"];

/// Whether a claim names kinds of tests, versions or features of which the runs choose others:
/// `pytest tests/unit` and “Unit and integration tests pass.”
pub(super) fn lacks_named_tests(claim: &Claim, proofs: &[&Ran]) -> bool {
    let quote = claim.quote.to_lowercase();
    lacks_kinds(&quote, proofs) || lacks_versions(&quote, proofs) || lacks_features(&quote, proofs)
}

fn lacks_kinds(quote: &str, proofs: &[&Ran]) -> bool {
    let words = words_of(quote);
    // "All tests pass and the documentation is updated" names no tests of documents.
    let is_near = |at: usize| {
        let near = &words[at.saturating_sub(2)..words.len().min(at + 5)];
        near.iter().any(|it| it.contains("test") || it.contains("spec"))
    };
    let is_named = |kind: &usize| {
        let mut places = (0..words.len()).filter(|it| TEST_KINDS[*kind].contains(&words[*it]));
        places.any(is_near)
    };
    let named: Vec<_> = (0..TEST_KINDS.len()).filter(is_named).collect();
    let shows = |run: &Ran, kind: usize| {
        if let Some(kinds) = cargo_kinds(&run.command) {
            return kinds.contains(&kind) || !CARGO_KINDS.contains(&kind);
        }
        let command = run.command.to_lowercase().replace(['-', '_'], " ");
        let words = words_of(&command);
        let has = |it: &usize| TEST_KINDS[*it].iter().any(|it| words.contains(it));
        (0..TEST_KINDS.len()).find(has).is_none_or(|it| it == kind)
    };
    let is_shown = |kind: &usize| proofs.iter().any(|it| shows(it, *kind));
    // Of a kind alone the words of other runners may be others: `functional`, `integration`.
    let is_cargo = || proofs.iter().all(|it| cargo_kinds(&it.command).is_some());
    let is_told = named.len() > 1 || !named.is_empty() && is_cargo();
    is_told && !proofs.is_empty() && !named.iter().all(is_shown)
}

/// The kinds of tests that a command of cargo chooses; `None` where it runs all, or is another's.
fn cargo_kinds(command: &str) -> Option<Vec<usize>> {
    let words: Vec<_> = command.split_whitespace().collect();
    let at = words.iter().position(|it| *it == "cargo")?;
    let own: Vec<_> = words[at..].iter().copied().take_while(|it| *it != "--").collect();
    let name = |it: &str| it.split('=').next().unwrap_or_default().to_owned();
    let chosen = |word: &str| CARGO_OPTIONS.iter().find(|it| it.0 == name(word)).map(|it| it.1);
    let mut kinds: Vec<_> = own.iter().filter_map(|it| chosen(it)).flatten().copied().collect();
    // It runs no tests of documents.
    if kinds.is_empty() && own.contains(&"nextest") {
        kinds = vec![0, 1];
    }
    let is_test = own.iter().any(|it| matches!(*it, "test" | "t" | "nextest"));
    (is_test && !kinds.is_empty()).then_some(kinds)
}

/// “Tests pass on Python 3.11 and 3.12” after `tox -e py311`.
fn lacks_versions(quote: &str, proofs: &[&Ran]) -> bool {
    let words: Vec<_> = quote
        .split(|it: char| !it.is_alphanumeric() && it != '.')
        .map(|it| it.trim_matches('.'))
        .filter(|it| !it.is_empty())
        .collect();
    let Some(at) = words.iter().position(|it| VERSIONED.contains(it)) else { return false };
    let is_version = |it: &&str| it.starts_with(|it: char| it.is_ascii_digit());
    let joins =
        |it: &str| ["and", "or", "und", "et", "y", "e"].contains(&it) || VERSIONED.contains(&it);
    let listed = words[at + 1..].iter().copied().take_while(|it| is_version(it) || joins(it));
    let named: Vec<_> = listed.filter(|it| is_version(it)).collect();
    let has = |run: &Ran, version: &str| {
        let command = run.command.to_lowercase();
        let is_part = |it: char| !it.is_alphanumeric() && it != '.';
        let plain = version.replace('.', "");
        let mut words = command.split(is_part).map(|it| it.trim_matches('.'));
        words.any(|it| {
            let number = it.trim_start_matches(|it: char| it.is_ascii_alphabetic());
            number == version || number == plain && plain.len() > 1
        })
    };
    let is_shown = |version: &&&str| proofs.iter().any(|it| has(it, version));
    let shown = named.iter().filter(is_shown).count();
    // A run that chooses none of them may be one of all: `tox`.
    named.len() > 1 && shown > 0 && shown < named.len()
}

/// “Tests pass with all features” after `cargo test`.
fn lacks_features(quote: &str, proofs: &[&Ran]) -> bool {
    let has = |words: &[&str]| words.iter().any(|it| quote.contains(it));
    let option = if has(&[
        "with all features",
        "--all-features",
        "with every feature",
        "mit allen features",
    ]) {
        "--all-features"
    } else if has(&["no default features", "no-default-features", "without default features"]) {
        "--no-default-features"
    } else {
        return false;
    };
    let lacks = |run: &&Ran| {
        let mut words = run.command.split_whitespace();
        words.next() == Some("cargo")
            && words.next().is_some_and(|it| matches!(it, "test" | "t" | "nextest"))
            && !run.command.contains(option)
    };
    !proofs.is_empty() && proofs.iter().all(lacks)
}

fn words_of(text: &str) -> Vec<&str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '-').collect()
}

#[cfg(test)]
mod tests {
    use crate::Verdict;
    use crate::testing::Session;

    const CARGO: &str =
        "test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
    const PYTEST: &str = "============ 9 passed in 0.12s ============\n";

    fn is_asked(file: &str, calls: &[(&str, &str)], message: &str) -> bool {
        let mut session = Session::new();
        session.prompt("go").edit(file);
        for (line, output) in calls {
            session.shell(line, Ok(()), output);
        }
        matches!(session.stop(message), Verdict::Ask(_))
    }

    #[test]
    fn a_run_of_one_kind_of_tests_shows_no_other() {
        for (line, message, is_ask) in [
            ("cargo test --lib", "Unit tests, integration tests and doc tests all pass.", true),
            ("cargo test --lib", "All unit, integration and doc tests pass.", true),
            ("cargo test --lib", "The doc tests pass.", true),
            ("cargo test --lib", "The unit tests pass.", false),
            ("cargo test --lib --test api", "Unit and integration tests pass.", false),
            ("cargo test --doc", "The unit tests pass.", true),
            ("cargo test --test api", "The integration tests pass.", false),
            ("cargo test --tests", "Unit and integration tests pass.", false),
            ("cargo test --tests", "Unit tests, integration tests and doctests pass.", true),
            ("cargo nextest run", "All unit and doc tests pass.", true),
            ("cargo nextest run", "Unit and integration tests pass.", false),
            ("cargo nextest run", "All tests pass and the documentation is updated.", false),
            (
                "cargo nextest run",
                "All tests pass and the docs and unit prices are updated.",
                false,
            ),
            ("cargo test", "Unit tests, integration tests and doc tests all pass.", false),
            ("cargo test -- --test-threads=1", "Unit and doc tests pass.", false),
        ] {
            let asked = is_asked("/p/src/lib.rs", &[(line, CARGO)], message);
            assert_eq!(asked, is_ask, "{line}: {message}");
        }
        let both = [("cargo test --lib", CARGO), ("cargo test --doc", CARGO)];
        assert!(!is_asked("/p/src/lib.rs", &both, "Unit and doc tests pass."));
    }

    #[test]
    fn a_run_of_one_version_shows_no_other() {
        for (line, message, is_ask) in [
            ("tox -e py311", "Tests pass on Python 3.11 and 3.12.", true),
            ("tox -e py311,py312", "Tests pass on Python 3.11 and 3.12.", false),
            ("tox -e py311", "Tests pass on Python 3.11.", false),
            ("tox", "Tests pass on Python 3.11 and 3.12.", false),
            ("python3.12 -m pytest", "The tests pass on Python 3.10, 3.11 and 3.12.", true),
            ("nox -s tests-3.11", "Tests pass with Python 3.11 and 3.12.", true),
            ("pytest", "Tests pass on Python 3.12, 9 in all.", false),
        ] {
            let asked = is_asked("/p/shop/a.py", &[(line, PYTEST)], message);
            assert_eq!(asked, is_ask, "{line}: {message}");
        }
        let both = [("tox -e py311", PYTEST), ("tox -e py312", PYTEST)];
        assert!(!is_asked("/p/shop/a.py", &both, "Tests pass on Python 3.11 and 3.12."));
    }

    #[test]
    fn a_run_without_an_option_shows_nothing_of_it() {
        for (line, message, is_ask) in [
            ("cargo test", "Tests pass with all features enabled.", true),
            ("cargo test --all-features", "Tests pass with all features enabled.", false),
            ("cargo test", "All tests pass, also without default features.", true),
            ("cargo test --no-default-features", "Tests pass without default features.", false),
            ("make test", "Tests pass with all features enabled.", false),
            ("cargo test", "All tests pass; all features are documented.", false),
        ] {
            let asked = is_asked("/p/src/lib.rs", &[(line, CARGO)], message);
            assert_eq!(asked, is_ask, "{line}: {message}");
        }
    }
}
