//! The same failure again and again: a loop that meets it does not get any further.

use crate::hash::hash;
use crate::{Outcome, work};

/// How often a loop met the same failure without another one in between.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FailureStreak {
    /// The failure, as a number made of its words.
    pub mark: u64,
    /// How often it was met.
    pub count: u32,
}

impl FailureStreak {
    /// The streak after a condition ended so. What is not known neither breaks nor lengthens it.
    #[must_use]
    pub(super) fn after(self, outcome: Outcome, detail: Option<&str>) -> Self {
        let code = match outcome {
            Outcome::Failed(code) => code,
            Outcome::Passed => return Self::default(),
            Outcome::Unknown => return self,
        };
        self.met(&format!("{code:?}"), detail)
    }

    /// The streak after a pass that does not count, with the words that say why.
    #[must_use]
    pub(super) fn after_void(self, detail: Option<&str>) -> Self {
        self.met("void", detail)
    }

    fn met(self, what: &str, detail: Option<&str>) -> Self {
        let lines = lasting_lines(detail.unwrap_or_default());
        let mark = hash(format!("{what} {}", lines.join("\n")).as_bytes());
        let count =
            if self.count > 0 && self.mark == mark { self.count.saturating_add(1) } else { 1 };
        Self { mark, count }
    }
}

/// Words beside which a number says what failed, or how much of it.
#[rustfmt::skip]
const COUNTED: &[&str] = &[
    "fail", "fails", "failed", "failing", "failure", "failures", "pass", "passed", "passing", "error", "errors",
    "warning", "warnings", "test", "tests", "case", "cases", "spec", "specs", "example", "examples", "assertion",
    "assertions", "suite", "suites", "of", "total", "line", "column", "exit", "code", "status", "ok", "problem",
    "problems", "skipped", "broken", "regressions", "fehler", "fehlgeschlagen", "échecs", "errores", "fallos",
];

/// Names of days and months, and what stands beside times.
#[rustfmt::skip]
const CALENDAR: &[&str] = &[
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep",
    "oct", "nov", "dec", "am", "pm", "utc", "gmt", "cet", "cest", "est", "pst",
];

/// Units of times and sizes that may follow a number.
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "h", "m", "s", "ms", "us", "µs", "ns", "min", "sec", "secs", "%", "b", "kb", "mb", "gb", "kib", "mib", "gib",
    "it", "k",
];

/// The lines of a failure by what is the same when it happens again, in an order of their own:
/// times, ids, addresses, names of temporary files, numbers that count nothing and marks of progress
/// are left out.
fn lasting_lines(text: &str) -> Vec<String> {
    let line = |it: &str| {
        let words = work::without_times(it);
        let lasting = (0..words.len()).filter_map(|at| lasting_word(&words, at));
        lasting.collect::<Vec<_>>().join(" ")
    };
    let mut lines: Vec<String> = text.split(['\n', '\r', '|']).map(line).collect();
    lines.retain(|it| !it.is_empty());
    lines.sort();
    lines.dedup();
    lines
}

/// What of a word is the same the next time; `None` where nothing is.
fn lasting_word(words: &[&str], at: usize) -> Option<String> {
    let word = words[at];
    let bare = bare(word);
    if bare.is_empty() || is_dots(word) || is_date(words, at) {
        return None;
    }
    if is_number(bare) {
        let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        let is_counted = beside
            .filter_map(|it| words.get(it))
            .any(|it| COUNTED.contains(&self::bare(it).to_lowercase().as_str()));
        let is_named = word.starts_with('#') && !word.starts_with("#0x");
        return (is_counted || is_named).then(|| bare.to_owned());
    }
    let word = without_temporary_place(word);
    let (name, value) = word.rsplit_once(['=', ':']).map_or(("", ""), |it| it);
    let name = self::bare(name.rsplit([',', '(', '[', '{']).next().unwrap_or(name)).to_lowercase();
    // `failed=2` counts, `a.rs:12` is a place; `pid=12` and `localhost:8123` may be any.
    let ending = name.rsplit_once('.').map_or("", |it| it.1);
    let is_place = ending.contains(char::is_alphabetic);
    if !name.is_empty() && is_number(self::bare(value)) {
        if is_place || COUNTED.contains(&name.as_str()) {
            return Some(word);
        }
        return Some(name);
    }
    let is_separator = |it: char| !it.is_alphanumeric() && it != '_' && it != '-';
    let mut lasting = String::new();
    for piece in word.split_inclusive(is_separator) {
        let text = piece.trim_end_matches(is_separator);
        if is_id(text) {
            lasting.push('#');
        } else {
            // `app-3f2a9c1b7d`: the end of a name that a build or a call makes.
            let parts: Vec<_> =
                text.split('-').map(|it| if is_id(it) { "#" } else { it }).collect();
            lasting.push_str(&parts.join("-"));
        }
        lasting.push_str(&piece[text.len()..]);
    }
    let is_empty = !lasting.contains(char::is_alphanumeric);
    (!is_empty).then_some(lasting)
}

fn bare(word: &str) -> &str {
    word.trim_matches(|it: char| !it.is_alphanumeric() && it != '/')
}

/// A number, also one with a unit, or several with signs between them: `12`, `1.5`, `45%`, `3/10`,
/// `1m23s`, `12:31:02`.
fn is_number(word: &str) -> bool {
    let mut rest = word;
    if !rest.starts_with(|it: char| it.is_ascii_digit()) {
        return false;
    }
    while !rest.is_empty() {
        rest = rest.trim_start_matches(|it: char| it.is_ascii_digit() || ":.,/+-".contains(it));
        let unit = rest.find(|it: char| it.is_ascii_digit()).map_or(rest, |it| &rest[..it]);
        let unit = unit.trim_end_matches(|it: char| ":.,/+-".contains(it));
        let is_unit = unit.split('/').all(|it| UNITS.contains(&it.to_lowercase().as_str()));
        if !unit.is_empty() && !is_unit && !matches!(unit, "T" | "Z") {
            return false;
        }
        rest = &rest[unit.len()..];
    }
    true
}

/// A number of letters and digits that is made for one run: an address, a hash, a part of a UUID.
fn is_id(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_hex = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_hexdigit());
    let is_address = word.strip_prefix("0x").is_some_and(is_hex);
    let is_hash = word.len() >= 7 && is_hex(word) && digits > 0;
    let is_long = word.len() >= 5 && digits == word.len();
    let is_uuid = word.len() == 36 && word.split('-').all(is_hex) && word.contains('-');
    let is_made = word.len() > 6 && word.starts_with("tmp") && !word.contains('_') && digits > 0;
    is_address || is_hash || is_long || is_uuid || is_made
}

/// Days, months and clocks: `Nov 18 12:31:02 UTC`.
fn is_date(words: &[&str], at: usize) -> bool {
    let is_calendar = |it: &str| CALENDAR.contains(&bare(it).to_lowercase().as_str());
    let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
    let mut beside = beside.filter_map(|it| words.get(it));
    is_calendar(words[at]) && beside.any(|it| is_number(bare(it)) || is_calendar(it))
}

/// The dots and letters with which runners show their progress.
fn is_dots(word: &str) -> bool {
    word.len() >= 4 && word.contains("..") && word.bytes().all(|it| b".FEsSxXPp".contains(&it))
}

/// A path below a directory of temporary files without the names that are made for one run.
fn without_temporary_place(word: &str) -> String {
    for (root, made) in [("/var/folders/", 4), ("/dev/shm/", 1), ("/var/tmp/", 1), ("/tmp/", 1)] {
        if let Some((before, path)) = word.split_once(root) {
            let mut parts = path.split('/').skip(made).map(|it| {
                let numbered = it.rsplit_once('-').filter(|it| is_number(it.1));
                numbered.map_or(it, |it| it.0)
            });
            let rest = parts.by_ref().collect::<Vec<_>>().join("/");
            return format!("{before}{root}#/{rest}");
        }
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::FailureStreak;
    use crate::Outcome;

    fn count(details: &[&str]) -> u32 {
        let start = FailureStreak::default();
        let met =
            |it: FailureStreak, detail: &&str| it.after(Outcome::Failed(Some(1)), Some(detail));
        details.iter().fold(start, met).count
    }

    #[test]
    fn the_same_failure_is_known_by_its_lasting_words() {
        for same in [
            ["2 of 5 cases are slow", "2 of 5 cases are slow"],
            ["1 failed in 0.05s", "1 failed in 1.20s"],
            ["12:31:02 panic at 0x7f3a10", "12:33:59 panic at 0x7f9b22"],
            ["2026-01-02T03:04:05Z refused", "2026-01-02T03:09:41Z refused"],
            ["no /tmp/tmp.Xa81/out", "no /tmp/tmp.Qq07/out"],
            ["", ""],
            ["worker 1234 died", "worker 9876 died"],
            ["[4711] refused", "[4712] refused"],
            ["pid=12 port:5123 refused", "pid=7345 port:61003 refused"],
            ["connect 127.0.0.1:5432 refused", "connect 127.0.0.1:61003 refused"],
            ["expected 3, got 17", "expected 3, got 25"],
            ["at 0xdeadbeef in f", "at 0xcafebabe in f"],
            ["took 1m23s, x failed", "took 2m01s, x failed"],
            ["Wed Nov 18 07:40:06 UTC 2026 x", "Thu Nov 19 09:11:59 UTC 2026 x"],
            [
                "job 5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11 lost",
                "job 0c1d4a3e-4f0f-4d6b-8a61-5b1c7e8f1c99 lost",
            ],
            ["id=5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11", "id=0c1d4a3e-4f0f-4d6b-8a61-5b1c7e8f1c99"],
            ["deps/app-3f2a9c1b7d4e5f60 failed", "deps/app-99aa9c1b7d4e5f61 failed"],
            ["a failed | b failed", "b failed | a failed"],
            ["10% | 20% | a failed", "15% | 95% | a failed"],
            ["[=>   ] 3/10 | a failed", "[====>] 9/10 | a failed"],
            ["..F.... | a failed", ".F..... | a failed"],
            ["read /tmp/pytest-of-me/pytest-12/a/x", "read /tmp/pytest-of-me/pytest-13/a/x"],
            ["12 kB at 3.1MB/s, x", "90 kB at 2.0MB/s, x"],
        ] {
            assert_eq!(count(&same), 2, "{same:?}");
        }
        for other in [
            ["3 failed", "2 failed"],
            ["line 12: x", "line 14: x"],
            ["a", "b"],
            ["test_12 failed", "test_13 failed"],
            ["not ok 3 - parses", "not ok 4 - parses"],
            ["FAILED /tmp/p1/test_a.py::one", "FAILED /tmp/p1/test_a.py::two"],
            ["FAILED /tmp/p1/test_a.py::one", "FAILED /tmp/p1/test_b.py::one"],
            ["error at a.rs:12:4", "error at a.rs:19:4"],
            ["failures=2 errors=0", "failures=1 errors=0"],
            ["test parser::nested failed", "test parser::flat failed"],
            ["Failed: 2, Passed: 10", "Failed: 1, Passed: 11"],
        ] {
            assert_eq!(count(&other), 1, "{other:?}");
        }
    }

    #[test]
    fn another_end_breaks_a_streak_and_an_unknown_one_does_not() {
        let failed = |it: FailureStreak, code| it.after(Outcome::Failed(Some(code)), Some("no"));
        let twice = failed(failed(FailureStreak::default(), 1), 1);
        assert_eq!(failed(twice.after(Outcome::Unknown, None), 1).count, 3);
        assert_eq!(failed(twice, 2).count, 1);
        assert_eq!(twice.after(Outcome::Passed, None), FailureStreak::default());
    }
}
