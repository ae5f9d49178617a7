//! How a failed run is told: the tests that failed, and how many.

use super::proof::name;
use super::{MAX_NAME, View};
use crate::evidence::{self, MAX_FAILING_NAMES};
use crate::foreign;
use crate::work::Ran;

/// Failing tests that are named.
const MAX_FAILING: usize = 3;
/// Characters of a summary that counts nothing.
const MAX_SUMMARY: usize = 120;

/// What a failed run said: the tests that failed, and its counts.
pub(super) fn said(view: &View<'_>, run: &Ran) -> String {
    let name = name(view, run);
    match failure_text(&run.failing, run.detail.as_deref(), run.tally.map(|it| it.ran)) {
        Some(text) if text.starts_with('(') => format!("{name} failed {text}."),
        Some(text) if text.ends_with(['.', '…']) => format!("{name} failed: {text}"),
        Some(text) => format!("{name} failed: {text}."),
        None => format!("{name} failed."),
    }
}

/// The tests that failed in a run, and in brackets how many; of a run that counts nothing its
/// summary. `ran` is how many tests it ran.
pub(crate) fn failure_text(
    failing: &[String],
    detail: Option<&str>,
    ran: Option<u64>,
) -> Option<String> {
    let names = failing.iter().take(MAX_FAILING);
    let names = names.map(|it| foreign::line(evidence::short_name(it), MAX_NAME));
    let more = (failing.len() > MAX_FAILING).then(|| "…".to_owned());
    let listed = names.chain(more).collect::<Vec<_>>().join(", ");
    let summary = detail.map(summary_of);
    let counts = summary.and_then(|it| counts(it, ran)).or_else(|| tallied(failing, ran));
    match (listed.is_empty(), counts) {
        (false, Some(counts)) => Some(format!("{listed} ({counts})")),
        (true, Some(counts)) => Some(format!("({counts})")),
        (false, None) => Some(listed),
        (true, None) => {
            let says_more = |it: &String| it.contains(char::is_alphanumeric) && !is_verdict(it);
            summary.map(|it| foreign::line(it, MAX_SUMMARY)).filter(says_more)
        }
    }
}

/// A summary without the marks of its tool, the time that it took, and signs at its end.
fn summary_of(detail: &str) -> &str {
    let mut text = detail.trim().trim_matches('=').trim();
    for mark in ["[ERROR]", "[INFO]", "[WARNING]", "FAILED.", "test result:"] {
        text = text.strip_prefix(mark).unwrap_or(text).trim_start();
    }
    text = text.split(", Time elapsed").next().unwrap_or(text);
    if let Some((counts, time)) = text.rsplit_once(" in ") {
        let number = time.trim_end_matches(|it: char| it.is_alphabetic() || it == '.');
        text = if number.parse::<f64>().is_ok() { counts } else { text };
    }
    text.trim_end_matches(['.', '!', ':', ';', ',', ' ', '<'])
}

/// Words that say only that it failed.
fn is_verdict(detail: &str) -> bool {
    let word = detail.trim_matches(|it: char| !it.is_alphanumeric()).to_lowercase();
    let verdicts = ["failures", "failure", "failed", "fail", "error", "errors", "build failure"];
    verdicts.contains(&word.as_str())
}

/// What a summary counts.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    failed: Option<u64>,
    errors: Option<u64>,
    passed: Option<u64>,
    left_out: Option<u64>,
    all: Option<u64>,
}

impl Counts {
    /// The count that a word names.
    fn of(&mut self, word: &str) -> Option<&mut Option<u64>> {
        match word {
            "failed" | "failing" | "failure" | "failures" | "fail" => Some(&mut self.failed),
            "error" | "errors" | "errored" => Some(&mut self.errors),
            "passed" | "passing" | "pass" | "succeeded" => Some(&mut self.passed),
            "skipped" | "ignored" | "pending" | "deselected" | "todo" => Some(&mut self.left_out),
            "total" | "run" | "tests" | "test" | "examples" | "example" | "completed" | "specs" => {
                Some(&mut self.all)
            }
            _ => None,
        }
    }

    /// Counts before their words: `1 failed, 5 passed`.
    fn read_before(words: &[&str]) -> Self {
        let mut found = Self::default();
        for (at, word) in words.iter().enumerate() {
            let Ok(count) = word.parse::<u64>() else { continue };
            let is_noun = |it: &&&str| matches!(**it, "tests" | "test" | "suites" | "files");
            let next = words.get(at + 1);
            let named = match next {
                Some(_) if next.as_ref().is_some_and(is_noun) => {
                    let after = words.get(at + 2).filter(|it| found.of(it).is_some());
                    after.filter(|it| !is_noun(it)).or(next)
                }
                other => other,
            };
            if at > 1 && words[at - 1] == "of" && words[at - 2] == "out" {
                found.all = Some(count);
                continue;
            }
            let Some(slot) = named.and_then(|it| found.of(it)) else { continue };
            if slot.is_none() {
                *slot = Some(count);
            }
        }
        found
    }

    /// Counts behind their labels: `Tests run: 3, Failures: 1`.
    fn read_after(text: &str) -> Self {
        let mut found = Self::default();
        for part in text.split([',', '|', '(', ';']) {
            let Some((label, count)) = part.split_once([':', '=']) else { continue };
            let label = label.rsplit_once(' ').map_or(label, |it| it.1);
            // `Failed!  - Failed:     1`
            let Ok(count) = count.trim_matches(|it: char| !it.is_ascii_digit()).parse() else {
                continue;
            };
            let Some(slot) = found.of(label.trim()) else { continue };
            *slot = Some(count);
        }
        found
    }
}

/// How many tests passed in a run that failed, by its summary.
pub(super) fn passed_of(run: &Ran) -> Option<u64> {
    let summary = run.detail.as_deref().map(summary_of)?;
    read_counts(summary, run.tally.map(|it| it.ran))?.2
}

/// The counts of a summary in the same words for each runner: `1 failed, 197 passed`.
fn counts(summary: &str, ran: Option<u64>) -> Option<String> {
    read_counts(summary, ran).map(|(failed, errors, passed)| told(failed, errors, passed))
}

/// What failed, what could not be tried, and what passed.
fn read_counts(summary: &str, ran: Option<u64>) -> Option<(u64, u64, Option<u64>)> {
    let text = summary.to_lowercase();
    if is_diagnostic(&text) {
        return None;
    }
    // `83%` is no count, and a bar parts a number from the word behind it: `E 17 | failed`.
    let is_gap = |it: char| !it.is_alphanumeric() && it != '%' && it != '|';
    let apart = text.replace('|', " | ");
    let words: Vec<_> = apart.split(is_gap).filter(|it| !it.is_empty()).collect();
    let labelled = Counts::read_after(&text);
    let has_any = |it: &Counts| it.failed.is_some() || it.errors.is_some();
    let counts = if has_any(&labelled) { labelled } else { Counts::read_before(&words) };
    let (failed, errors) = (counts.failed.unwrap_or(0), counts.errors.unwrap_or(0));
    if failed + errors == 0 {
        return None;
    }
    let left_out = counts.left_out.unwrap_or(0);
    let rest = |all: u64| all.checked_sub(failed + errors + left_out);
    let passed = counts
        .passed
        .or_else(|| counts.all.and_then(rest))
        .or_else(|| ran.filter(|_| counts.all.is_none())?.checked_sub(failed + errors));
    Some((failed, errors, passed))
}

/// Whether a text is a line of a compiler, whose numbers are a place: `a.c:1:24: error: …`,
/// `A.cs(12,44): error CS1002`.
fn is_diagnostic(text: &str) -> bool {
    ["error", "fatal error"].iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let place = text[..at].trim_end().strip_suffix(':').map(str::trim_end);
            place.is_some_and(|it| it.ends_with(|it: char| it.is_ascii_digit() || it == ')'))
        })
    })
}

/// The counts of a run whose summary has none, where each test that failed is named.
fn tallied(failing: &[String], ran: Option<u64>) -> Option<String> {
    let failed = u64::try_from(failing.len()).ok()?;
    let is_known = failed > 0 && failing.len() < MAX_FAILING_NAMES;
    let passed = ran.filter(|_| is_known)?.checked_sub(failed)?;
    Some(told(failed, 0, Some(passed)))
}

fn told(failed: u64, errors: u64, passed: Option<u64>) -> String {
    let failed = (failed > 0).then(|| format!("{failed} failed"));
    let noun = if errors == 1 { "error" } else { "errors" };
    let errors = (errors > 0).then(|| format!("{errors} {noun}"));
    let passed = passed.map(|it| format!("{it} passed"));
    let parts: Vec<_> = failed.into_iter().chain(errors).chain(passed).collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::failure_text;

    #[test]
    fn the_place_of_an_error_is_no_count_of_errors() {
        for line in [
            "src/cart.cpp:1:24: error: expected ';' before '}' token",
            "/w/src/Cart.cs(12,44): error CS1002: ; expected",
            "src/cart.ts(2,10): error TS2322: Type 'string' is not assignable",
            "Sources/Cart.swift:10:39: error: missing return",
            "a.f90:7:12: fatal error: cannot open module",
        ] {
            let text = failure_text(&[], Some(line), None).unwrap();
            assert!(!text.contains("errors"), "{text}");
        }
        assert_eq!(failure_text(&[], Some("Found 3 errors."), None).as_deref(), Some("(3 errors)"));
    }
}
