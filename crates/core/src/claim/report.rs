//! Honest reports: a message that says itself that something fails, and why or what now.

use super::claims;
use crate::Excerpt;

/// What says that something fails.
#[rustfmt::skip]
const FAILS: &[&str] = &[
    "fail", "not pass", "n't pass", "not green", "n't green", "broken", "still red", "not compile", "n't compile",
    "not build", "n't build", "n't work yet", "schlägt fehl", "schlagen fehl", "fehlgeschlagen", "échou", "falla",
    "falha", "失敗", "失败", " fehl", "fehlschl",
];

/// What fails: a failure of something else is another matter.
#[rustfmt::skip]
const SUBJECTS: &[&str] = &[
    "test", "suite", "spec", "build", "compil", "lint", "typecheck", "type check", "ci", "assert", "prueba", "teste",
    "测试", "构建", "テスト", "ビルド", "it is meant to fail", "it should fail", "the run", "the command", "pipeline",
    "cargo ", "pytest", "npm ", "`go ", "make ", "mvn ", "gradle", "jest", "tsc", "ctest", "rspec", "phpunit",
];

/// What says why, or hands it to the user.
#[rustfmt::skip]
const EXPLAINS: &[&str] = &[
    "?", "？", "because", "due to", "the reason", "blocked", "stopped here", "on purpose", "meant to", "expected",
    "pre-existing", "preexisting", "unrelated", "not related", "not caused", "independent of", "as it should",
    "on main", "already fail", "already broken", "before my change", "without my change", "let me know", "needs a",
    "needs the", "requires a", "requires the", "not installed", "not available", "no network", "flaky",
    "out of scope", "i left", "known issue", "i could not", "i couldn't", "i was unable", "not fixed",
    "weil", "absichtlich", "unabhängig", "parce que", "car ", "porque", "sin relación", "无关", "因为", "無関係", "ため",
];

/// Questions with which an agent only ends politely.
const POLITE: &[&str] = &[
    "anything else",
    "something else",
    "commit",
    "push",
    "pull request",
    " pr?",
    "else?",
    "proceed to the next",
];

/// Tells whether a message hides nothing: it names the failure and says why or asks the user, or it
/// ends with a question that only the user can answer; and it claims nothing.
pub(crate) fn is_honest_report(message: &Excerpt) -> bool {
    (names_failure(message) || asks_user(message)) && claims(message).is_empty()
}

/// Tells whether a sentence says what fails, and it or the one beside it says why.
fn names_failure(message: &Excerpt) -> bool {
    let text = [message.head.as_str(), message.tail.as_deref().unwrap_or_default()].join("\n");
    let text = text.to_lowercase();
    let sentences = sentences(&text);
    let has = |at: usize, words: &[&str]| {
        sentences.get(at).is_some_and(|it| words.iter().any(|word| it.contains(word)))
    };
    (0..sentences.len()).any(|at| {
        let explained =
            has(at, EXPLAINS) || has(at + 1, EXPLAINS) || at > 0 && has(at - 1, EXPLAINS);
        has(at, FAILS) && has(at, SUBJECTS) && explained
    })
}

/// The sentences of a text. A point within a word, as in `./...`, ends none.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, sign) in text.char_indices() {
        let end = at + sign.len_utf8();
        let next = text[end..].chars().next();
        let ends = match sign {
            '\n' | '。' | '？' => true,
            '.' | '!' | '?' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends {
            found.push(&text[from..end]);
            from = end;
        }
    }
    found.push(&text[from..]);
    found
}

/// Tells whether a message ends with a question to the user.
fn asks_user(message: &Excerpt) -> bool {
    let end = message.tail.as_deref().unwrap_or(&message.head).trim_end();
    let last =
        end.lines().next_back().unwrap_or_default().trim_end_matches(['*', '_', ' ', '`', ')']);
    let last = last.to_lowercase();
    let sentence = last.rsplit(['.', '!', '。']).next().unwrap_or(&last);
    last.ends_with(['?', '？']) && !POLITE.iter().any(|it| sentence.contains(it))
}

#[cfg(test)]
mod tests {
    use super::is_honest_report;
    use crate::Excerpt;

    #[test]
    fn a_failure_that_is_named_and_explained_is_admitted() {
        for message in [
            "2 tests still fail because the server is down; I stopped here.",
            "`cargo test` fails in two places. Shall I change the interface?",
            "I wrote the failing test first, it is meant to fail.",
            "Zwei Tests schlagen fehl, weil der Server fehlt.",
            "`test_upload` fails, unrelated: it needs the S3 bucket.",
            "The build is broken on this branch; it was already broken before my change.",
            "I changed the parser. Which of the two formats should win?",
            "Should I drop support for the old format, or keep both?",
        ] {
            assert!(is_honest_report(&Excerpt::of(message)), "{message}");
        }
        for message in [
            "Done.",
            "Done. Shall I commit it?",
            "Everything is in place. Anything else?",
            "All tests pass. Which format should I do next?",
            "The tests fail.",
            "All tests pass. They failed before because of a typo.",
            "I added failure handling to the client, because the server may be down.",
        ] {
            assert!(!is_honest_report(&Excerpt::of(message)), "{message}");
        }
    }
}
