//! Which lines a search lets through: a pattern that hides failures proves nothing.

use super::Shown;
use super::line::Word;

/// Lines with which runners sum up a failure.
const FAILURES: &[&str] = &[
    "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
    "1 failed, 2 passed in 0.12s",
    "Tests:       1 failed, 2 passed, 3 total",
    "      Tests  1 failed | 2 passed (3)",
    "FAIL\texample.com/a\t0.012s",
    "--- FAIL: TestX (0.00s)",
    "  2 failing",
    "FAILED (failures=1)",
    "5 examples, 1 failure",
    "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0",
    "Failed!  - Failed:     1, Passed:     5, Skipped:     0, Total:     6",
    "83% tests passed, 2 tests failed out of 12",
    "# fail 1",
    "BUILD FAILED in 3s",
    "error: could not compile `demo` (lib) due to 1 previous error",
    "src/a.ts(3,5): error TS2322: Type 'string' is not assignable.",
    "Found 3 errors in 2 files",
    "# FAIL:  1",
    "Result: FAIL",
    "1 out of 5 tests failed (0.00s)",
    "4 successes / 1 failure / 0 errors / 0 pending : 0.001 seconds",
    "Tests Passed: 4, Failed: 1, Skipped: 0",
    "Done. PASS=4 WARN=0 ERROR=1 SKIP=0 TOTAL=5",
    "[  FAILED  ] 1 test, listed below:",
    "[ FAIL 1 | WARN 0 | SKIP 0 | PASS 11 ]",
    "  evaluation failed :( (8.65 seconds)",
    "    checks_failed......: 93.87% 385 out of 410",
    "3 scenarios (1 failed, 2 passed)",
];

/// How much a search lets through, by its words, which begin with the program.
pub(super) fn search_filter(words: &[Word]) -> Shown {
    let mut patterns = Vec::new();
    let (mut is_inverted, mut ignores_case, mut counts, mut takes) = (false, false, false, false);
    let mut texts = words.iter().skip(1).map(|it| it.text.as_str());
    let mut following = 0;
    while let Some(word) = texts.next() {
        if let Some(lines) = lines_around(word, &mut texts) {
            following = following.max(lines);
        } else if takes {
            patterns.push(word);
            takes = false;
        } else if let Some(long) = word.strip_prefix("--") {
            is_inverted |= long == "invert-match";
            ignores_case |= long == "ignore-case";
            counts |= matches!(long, "count" | "quiet" | "silent" | "files-with-matches");
            if let Some(pattern) = long.strip_prefix("regexp=") {
                patterns.push(pattern);
            }
            takes = long == "regexp";
        } else if word.starts_with('-') && word.len() > 1 {
            let letters = &word[1..];
            is_inverted |= letters.contains('v');
            ignores_case |= letters.contains('i');
            counts |= letters.contains(['c', 'q', 'l']);
            takes = letters.ends_with('e');
        } else if patterns.is_empty() {
            patterns.push(word);
        }
    }
    if patterns.is_empty() || counts {
        return Shown::Part;
    }
    let small = |it: &str| if ignores_case { it.to_lowercase() } else { it.to_owned() };
    let alternatives: Vec<_> =
        patterns.iter().flat_map(|it| alternatives(it)).map(|it| small(&it)).collect();
    let is_found = |line: &&&str| {
        let line = small(line);
        alternatives.iter().any(|it| matches(&line, it)) != is_inverted
    };
    // `grep -A3 Results:`: below the heading Maven names the tests that failed.
    if following > 1 && !is_inverted && is_found(&&"[INFO] Results:") {
        return Shown::Matching;
    }
    // What a search leaves out it must not leave out of any runner's words.
    let shows = if is_inverted {
        FAILURES.iter().all(|it| is_found(&it))
    } else {
        FAILURES.iter().any(|it| is_found(&it))
    };
    if shows { Shown::Matching } else { Shown::Part }
}

/// The lines behind each one that is found which an option of a search lets through, too: `-A3`,
/// `-C 5`; `None` where a word is no such option.
fn lines_around<'a>(word: &str, next: &mut impl Iterator<Item = &'a str>) -> Option<usize> {
    const OPTIONS: &[(&str, bool)] = &[
        ("--after-context", true),
        ("--context", true),
        ("--before-context", false),
        ("--max-count", false),
        ("-A", true),
        ("-C", true),
        ("-B", false),
        ("-m", false),
    ];
    let (rest, follows) =
        OPTIONS.iter().find_map(|it| word.strip_prefix(it.0).map(|rest| (rest, it.1)))?;
    let number = if rest.is_empty() { next.next()? } else { rest.trim_start_matches('=') };
    let lines = number.parse().ok()?;
    Some(if follows { lines } else { 0 })
}

/// The pattern of a search that counts the lines which have it, and prints nothing else.
pub(super) fn counted_pattern(words: &[Word]) -> Option<String> {
    let mut texts = words.iter().map(|it| it.text.as_str());
    if !matches!(texts.next(), Some("grep" | "egrep" | "rg")) {
        return None;
    }
    let (mut counts, mut patterns) = (false, Vec::new());
    for text in texts {
        match text.strip_prefix('-').filter(|it| !it.is_empty()) {
            Some("-count") => counts = true,
            Some("-ignore-case" | "-extended-regexp") => {}
            // Other options may leave lines out.
            Some(letters) if letters.chars().all(|it| "ciEeF".contains(it)) => {
                counts |= letters.contains('c');
            }
            Some(_) => return None,
            None => patterns.push(text),
        }
    }
    let [pattern] = patterns[..] else { return None };
    counts.then(|| pattern.trim_end_matches('\'').to_owned())
}

/// The alternatives of a pattern: `(a|b)`, `a\|b`.
fn alternatives(pattern: &str) -> Vec<String> {
    let flat = pattern.replace("\\|", "|").replace(['(', ')'], "");
    flat.split('|').map(str::to_owned).collect()
}

/// Tells whether an alternative stands in a line, as far as it is plain text: what is no plain text
/// of it must be there in pieces, in their order.
fn matches(line: &str, pattern: &str) -> bool {
    let (pattern, starts) = pattern.strip_prefix('^').map_or((pattern, false), |it| (it, true));
    let (pattern, ends) = pattern.strip_suffix('$').map_or((pattern, false), |it| (it, true));
    let pieces = pieces(pattern);
    let mut rest = line;
    for (index, piece) in pieces.iter().enumerate() {
        let Some(at) = rest.find(piece.as_str()) else { return false };
        if index == 0 && starts && at > 0 && !pattern.starts_with(['.', '[']) {
            return false;
        }
        rest = &rest[at + piece.len()..];
    }
    !pieces.is_empty() && (!ends || rest.is_empty() || pattern.ends_with(['*', '+', ']']))
}

/// The plain pieces of a pattern, between `.*`, `[…]` and the like.
fn pieces(pattern: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut characters = pattern.chars().peekable();
    while let Some(character) = characters.next() {
        let is_plain = match character {
            '\\' => match characters.next() {
                Some('s' | 'd' | 'w' | 'b' | 'S' | 'D' | 'W' | 'B' | '+' | '?' | '<' | '>')
                | None => false,
                Some(other) => {
                    if let Some(last) = pieces.last_mut() {
                        last.push(other);
                    }
                    continue;
                }
            },
            '[' => {
                characters.find(|it| *it == ']');
                false
            }
            '.' | '*' | '+' | '?' | '{' | '}' => false,
            _ => true,
        };
        let is_optional = matches!(characters.peek(), Some('*' | '?'));
        match pieces.last_mut() {
            Some(last) if is_plain && !is_optional => last.push(character),
            _ => pieces.push(String::new()),
        }
    }
    pieces.retain(|it| !it.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use crate::evidence::{Shown, recognise};

    fn shown(filter: &str) -> Shown {
        recognise(&format!("cargo test 2>&1 | {filter}"), &[])[0].shown
    }

    #[test]
    fn a_search_that_finds_failures_too_shows_them() {
        for filter in [
            "grep 'test result'",
            "grep -E 'passed|failed'",
            "grep -E '^(ok|FAIL)'",
            "grep -i fail",
            "grep -v warning",
            "rg 'test result: (ok|FAILED)'",
            "egrep 'FAILED|ok'",
            "grep passed",
            "grep -E \"^test result|panicked\"",
            "grep 'Tests:'",
            "grep -e error -e 'test result'",
            "grep -A3 'Results:'",
            "grep -A 5 Results",
            "grep -m 5 -C2 '^test result'",
        ] {
            assert_eq!(shown(filter), Shown::Matching, "{filter}");
        }
    }

    #[test]
    fn a_search_that_hides_failures_does_not() {
        for filter in [
            "grep ok",
            "grep 'test result: ok'",
            "grep -c passed",
            "grep -v -E 'FAIL|fail|error'",
            "grep '0 failed'",
            "grep -q passed",
            "grep '^ok'",
            "grep -v -e FAILED -e panicked",
            "grep Results",
            "grep -A 3 warning",
            "grep -B3 'Results:'",
        ] {
            assert_eq!(shown(filter), Shown::Part, "{filter}");
        }
    }
}
