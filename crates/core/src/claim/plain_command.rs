//! Claims about a command that is written without marks of code: "make test passes."

use super::lexicon::{command_subject, words};
use super::{Claimed, Said, Sentence};

/// Programs that a sentence may begin with, in small letters as they are typed.
const RUNNERS: &[&str] = words! {
    "make" "gmake" "just" "nox" "tox" "rake" "bazel" "gradle" "gradlew" "mvn" "mvnw" "mage" "npm"
    "pnpm" "yarn" "bun" "cargo" "go" "dotnet" "mix" "sbt" "ctest" "rspec" "phpunit" "composer" "deno"
};
/// Runners whose bare name runs the tests.
const BARE: &[&str] = words! { "nox" "rake" "ctest" "rspec" "phpunit" };
/// Tasks that test whatever there is.
const TASKS: &[&str] = words! { "ci" "verify" };
const PASSES: &[&str] = words! { "passes" "succeeds" "passed" "succeeded" "passing" };
const HELPERS: &[&str] = words! { "is" "now" "still" "also" "all" };
/// What may stand behind the verb.
const TAIL: &[&str] = words! {
    "now" "again" "locally" "too" "here" "cleanly" "successfully" "with" "all" "tests" "including"
    "the" "as" "well" "without" "errors" "failures" "and" "on"
};

/// What a sentence says of a command: that it passes, and nothing else.
pub(super) fn read(sentence: &Sentence<'_>) -> Option<Said> {
    if sentence.row {
        return None;
    }
    let text = sentence.text.trim().trim_end_matches(['.', '!']);
    let parts: Vec<_> = text.split(' ').map(|it| it.trim_end_matches(',')).collect();
    let verb = parts.iter().take(6).position(|it| PASSES.contains(it)).filter(|it| *it > 0)?;
    let command: Vec<_> =
        parts[..verb].iter().copied().filter(|it| !HELPERS.contains(it)).collect();
    let first = *command.first()?;
    let is_said = RUNNERS.contains(&first) && parts[verb + 1..].iter().all(|it| TAIL.contains(it));
    let is_known =
        BARE.contains(&first) && command.len() == 1 || command.iter().any(|it| TASKS.contains(it));
    let what = command_subject(&command.join(" ")).or(is_known.then_some(Claimed::Tests));
    what.filter(|_| is_said).map(|it| Said::of(it, false, sentence.tokens.len()))
}

#[cfg(test)]
mod tests {
    use crate::Excerpt;
    use crate::claim::claims;

    #[test]
    fn a_command_without_marks_is_said_to_pass() {
        for text in [
            "make test passes.",
            "make test succeeds now.",
            "just ci passes.",
            "nox passes.",
            "bazel test passes.",
            "Done. mvn verify passes, including the tests.",
        ] {
            assert!(!claims(&Excerpt::of(text)).is_empty(), "{text}");
        }
        for text in [
            "If make test passes, merge it.",
            "make test passes the flag on to pytest.",
            "Run make test until it passes.",
            "npm install succeeded.",
            "just a note: it passes.",
        ] {
            assert!(claims(&Excerpt::of(text)).is_empty(), "{text}");
        }
    }
}
