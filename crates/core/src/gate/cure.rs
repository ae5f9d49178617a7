//! Whether a run that passed takes an earlier failure away. Where nobody can tell, it does.

use crate::evidence::RunKind;
use crate::evidence::scope::{ADDING_PROGRAMS, WHOLE_OPERANDS, is_chooser};
use crate::work::Ran;
use crate::{Outcome, path};

/// Tells whether a run takes a failure away: it passed later, shows the same, and looked at no less.
pub(super) fn cures(run: &Ran, failed: &Ran) -> bool {
    // A test that passed has built it, too.
    let builds = failed.kind == RunKind::Build && run.kind == RunKind::Test;
    let is_later = run.step > failed.step && run.outcome == Outcome::Passed;
    is_later && (run.kind == failed.kind || builds) && !is_less(run, failed)
}

/// Whether a run looked at less than another one, or at something else.
fn is_less(run: &Ran, than: &Ran) -> bool {
    let (Some(here), Some(there)) = (&run.directory, &than.directory) else { return false };
    if here == there {
        return is_narrower(&run.command, &than.command);
    }
    // From further up it is as wide; from further down only the same words are surely less.
    if path::is_below(there, here) {
        return false;
    }
    if path::is_below(here, there) {
        return run.command == than.command || is_narrower(&run.command, &than.command);
    }
    true
}

/// Whether a command is another one with a choice behind it.
fn is_narrower(command: &str, than: &str) -> bool {
    let (own, whole) = (parts(command, Values::Dropped), parts(than, Values::Kept));
    let more = own.strip_prefix(whole.as_slice()).unwrap_or_default();
    let program = own.first().map_or("", |it| it.rsplit('/').next().unwrap_or(it));
    let chooses = |it: &&str| match it.split_once('=') {
        Some((name, _)) => is_chooser(program, name),
        None => is_chooser(program, it),
    };
    more.iter().any(chooses) || !more.is_empty() && !ADDING_PROGRAMS.contains(&program)
}

/// What becomes of a word that may be the value of an option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    Kept,
    Dropped,
}

/// The words of a command that say what it looks at.
fn parts(command: &str, values: Values) -> Vec<&str> {
    let mut kept = Vec::new();
    let program = command.split_whitespace().next().unwrap_or_default();
    let mut before = "";
    for word in command.split_whitespace() {
        let name = word.split_once('=').map_or(word, |it| it.0);
        let is_flag = word.starts_with('-') && !is_chooser(program, name);
        let takes_value = before.len() > 2 && before.starts_with("--") && !before.contains('=');
        let may_be_value = takes_value && !is_chooser(program, before) && values == Values::Dropped;
        let is_number = word.bytes().all(|it| it.is_ascii_digit());
        if !is_flag && !may_be_value && !is_number && !WHOLE_OPERANDS.contains(&word) {
            kept.push(word);
        }
        before = word;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::is_narrower;

    #[test]
    fn a_choice_behind_the_same_command_is_less() {
        for (command, than) in [
            ("cargo test one_test", "cargo test"),
            ("cargo test -p a", "cargo test --workspace"),
            ("cargo test -q one", "cargo test -q"),
            ("cargo test -- one", "cargo test"),
            ("pytest -k fast", "pytest"),
            ("pytest tests/a.py", "pytest -x"),
            ("python -m pytest tests/a.py", "python -m pytest"),
            ("npm test -- parser", "npm test"),
            ("npx vitest run src/a.test.ts", "npx vitest run"),
            ("go test ./a", "go test ./..."),
            ("go test ./... -run One", "go test ./..."),
            ("./gradlew test --tests One", "./gradlew test"),
            ("mvn test -Dtest=One", "mvn test"),
        ] {
            assert!(is_narrower(command, than), "{command} against {than}");
        }
    }

    #[test]
    fn what_may_be_as_much_is_not_less() {
        for (command, than) in [
            ("cargo test", "cargo test"),
            ("cargo test", "cargo test one_test"),
            ("cargo test -p b", "cargo test -p a"),
            ("cargo test -- --nocapture", "cargo test"),
            ("cargo test --workspace", "cargo test"),
            ("cargo test foo", "cargo test -q foo"),
            ("cargo test --jobs 2", "cargo test"),
            ("pytest --tb short", "pytest"),
            ("pytest -n 4", "pytest"),
            ("pytest .", "pytest"),
            ("npx vitest run", "npm test"),
            ("./gradlew clean test", "./gradlew test"),
            ("./gradlew test integrationTest", "./gradlew test"),
            ("make test lint", "make test"),
            ("cargo nextest run", "cargo test"),
        ] {
            assert!(!is_narrower(command, than), "{command} against {than}");
        }
    }
}
