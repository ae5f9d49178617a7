//! Lines of logs, and of what tools print.

use super::line::{LineMark, PasteKind};

const STRONG: LineMark = LineMark::Strong(PasteKind::Log);
const WEAK: LineMark = LineMark::Weak(PasteKind::Log);

/// Levels that nobody writes before a sentence of their own.
const LEVELS: [&str; 14] = [
    "ERROR", "WARN", "INFO", "DEBUG", "TRACE", "FATAL", "CRITICAL", "SEVERE", "VERBOSE", "EMERG",
    "ERR", "PANIC", "FINE", "CRIT",
];

/// Levels that somebody may write before a sentence of their own.
const LOUD_WORDS: [&str; 6] = ["WARNING", "NOTICE", "ALERT", "FAIL", "FAILED", "PASS"];

/// Beginnings of what tools print.
const BEGINNINGS: &[&str] = &[
    "npm ERR!",
    "npm WARN",
    "npm error",
    "npm warn",
    "npm notice",
    "yarn error",
    "make: ***",
    "make[",
    "=== RUN",
    "--- FAIL",
    "--- PASS",
    "##[",
    "::error",
    "::warning",
    "::group",
    "Caused by:",
    "Traceback (most recent",
    "Exception in thread",
    "goroutine ",
    "stack backtrace:",
    "error[",
    "warning[",
    "error: ",
    "fatal: ",
    "panic: ",
    "remote: ",
    "! [rejected]",
    "E/",
    "W/",
    "Error: Process completed",
    "Segmentation fault",
    "CONFLICT (",
    "ERROR:",
    "BUILD FAILED",
    "FAILURE: ",
    "PHP Fatal error",
    "PHP Warning",
    "PHP Notice",
    "Unhandled exception",
    "Uncaught (in promise)",
    "** (",
    "TASK [",
    "PLAY [",
    "PLAY RECAP",
    "HTTP/1.",
    "HTTP/2 ",
    "WEBVTT",
    "Changes not staged for commit",
    "Changes to be committed",
    "(use \"git ",
    "Your branch is ",
    "Terraform will perform",
    "test result: ",
];

/// The same, where a person may begin like this too.
const WEAK_BEGINNINGS: &[&str] = &[
    "warning: ",
    "note: ",
    "hint: ",
    "help: ",
    "info: ",
    "debug: ",
    "Compiling ",
    "Downloading ",
    "Step ",
    "Collecting ",
    "Error: ",
    "Warning: ",
    "Failures:",
    "Finished ",
    "Installing ",
    "Resolving ",
    "Successfully ",
    "Reading ",
    "Untracked files:",
    "On branch ",
    "modified: ",
    "Stack trace:",
    "Usage: ",
    "usage: ",
    "running ",
    "Module not found",
    "Found ",
    "Expected: ",
    "Received: ",
    "nit: ",
    "E: ",
    "W: ",
    "N: ",
    "Get:",
    "Hit:",
    "< ",
];

/// Fields of structured logs.
const FIELDS: [&str; 7] =
    ["level=", "lvl=", "severity=", " msg=\"", "\"level\":", "\"msg\":", "\"severity\":"];

pub(super) fn log_mark(bare: &str) -> LineMark {
    let is_field = FIELDS.iter().any(|it| bare.contains(it));
    if is_dated(bare) || is_field || is_prefixed(bare) || is_numbered(bare) || is_commit(bare) {
        return STRONG;
    }
    let word = bare.split([' ', '\t', ':']).next().unwrap_or_default();
    let word = word.trim_matches(['[', ']', '(', ')', '<', '>', '*', '|']);
    if LEVELS.contains(&word) || BEGINNINGS.iter().any(|it| bare.starts_with(it)) {
        return STRONG;
    }
    if (bare.starts_with("Usage: ") || bare.starts_with("usage: ")) && bare.contains('[') {
        return STRONG;
    }
    let is_weak = LOUD_WORDS.contains(&word)
        || WEAK_BEGINNINGS.iter().any(|it| bare.starts_with(it))
        || has_bracket_tag(bare)
        || is_hash(bare.split_whitespace().next().unwrap_or_default())
        || is_count(bare)
        || bare.ends_with("... Done")
        || bare.starts_with(['✓', '✔', '✗', '✘', '✕', '×', '●', '○', '►', '▶', '⚠', 'ℹ', '⠋', '✖']);
    if is_weak { WEAK } else { LineMark::Prose }
}

/// Whether a line begins with the time at which it was written.
fn is_dated(bare: &str) -> bool {
    let open = bare.trim_start_matches(['[', '(', '<', '"', ' ']);
    is_date_and_time(open)
        || is_clock(open)
        || is_syslog(open)
        || is_seconds(bare)
        || is_glog(open)
        || is_epoch(open)
        || is_access(bare)
}

/// `2026-11-17T10:00`, `2026/11/17 10:00`, `17.11.2026 10:00`, `17/Nov/2026:10:00`.
fn is_date_and_time(text: &str) -> bool {
    let end = text.find([' ', 'T', ',', '_']).unwrap_or(text.len());
    if !text.is_char_boundary(end) {
        return false;
    }
    let (date, rest) = text.split_at(end);
    let parts: Vec<_> = date.split(['-', '/', '.']).collect();
    let is_number =
        |it: &&str| !it.is_empty() && it.len() <= 4 && it.bytes().all(|it| it.is_ascii_digit());
    let are_numbers = parts.iter().all(is_number);
    let rest = rest.trim_start_matches([' ', 'T', ',', '_', '-', '|', '[']);
    let is_dated = are_numbers && parts.len() == 3 && starts_with_time(rest, 2);
    // `11-17 10:00:00`, without the year.
    let is_short = are_numbers && parts.len() == 2 && starts_with_time(rest, 3);
    is_dated || is_short || is_access_date(date)
}

/// `10:00:00`, with or without a fraction.
fn is_clock(text: &str) -> bool {
    starts_with_time(text, 3)
}

/// Whether a text begins with a time of so many parts or more.
fn starts_with_time(text: &str, least: usize) -> bool {
    let end = text.find(|it: char| !(it.is_ascii_digit() || it == ':')).unwrap_or(text.len());
    let parts: Vec<_> = text[..end].split(':').collect();
    parts.len() >= least && parts.iter().all(|it| (1..=2).contains(&it.len()))
}

/// A time such as `10:32` or `10:32:07`, and nothing else.
pub(super) fn is_time(word: &str) -> bool {
    let bare = word.trim_end_matches(['a', 'p', 'm', 'A', 'P', 'M']);
    let parts: Vec<_> = bare.split(':').collect();
    (2..=3).contains(&parts.len())
        && parts
            .iter()
            .all(|it| (1..=2).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_digit()))
}

/// `Nov 17 10:00:00 host`.
fn is_syslog(text: &str) -> bool {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let mut words = text.split_whitespace().peekable();
    words.next_if(|it| DAYS.contains(&it.trim_end_matches(',')));
    let is_month = words.next().is_some_and(|it| MONTHS.contains(&it));
    let is_day = words.next().is_some_and(|it| {
        let day = it.trim_end_matches(',');
        !day.is_empty() && day.len() <= 2 && day.bytes().all(|it| it.is_ascii_digit())
    });
    is_month && is_day && words.any(|it| starts_with_time(it, 3))
}

/// `[   12.345678] text`, as a kernel writes it.
fn is_seconds(bare: &str) -> bool {
    let Some((inside, _)) = bare.strip_prefix('[').and_then(|it| it.split_once(']')) else {
        return false;
    };
    let Some((whole, part)) = inside.trim().split_once('.') else { return false };
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    is_number(whole) && is_number(part) && part.len() >= 3
}

/// `I1117 10:00:00.000 file.go:12] text`.
fn is_glog(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['I', 'W', 'E', 'F', 'D']) else { return false };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    digits == 4 && starts_with_time(rest[digits..].trim_start(), 3)
}

/// Seconds or milliseconds since 1970 before the text.
fn is_epoch(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (10..=19).contains(&digits) && text[digits..].starts_with([' ', '.', '\t', ']'])
}

/// `127.0.0.1 - - [17/Nov/2026:10:00:00 +0000] "GET /`.
fn is_access(bare: &str) -> bool {
    let first = bare.split_whitespace().next().unwrap_or_default();
    first.split('.').count() == 4
        && first.bytes().all(|it| it.is_ascii_digit() || it == b'.' || it == b':')
        && (bare.contains("] \"") || bare.contains(" - - "))
}

fn is_access_date(date: &str) -> bool {
    let mut parts = date.split('/');
    let (day, month, rest) = (parts.next(), parts.next(), parts.next());
    day.is_some_and(|it| it.len() == 2 && it.bytes().all(|it| it.is_ascii_digit()))
        && month.is_some_and(|it| it.len() == 3 && it.bytes().all(|it| it.is_ascii_alphabetic()))
        && rest.is_some_and(|it| it.contains(':'))
}

/// `web-1  | text`, as several programs print beside each other.
fn is_prefixed(bare: &str) -> bool {
    let Some((name, _)) = bare.split_once(" | ") else { return false };
    let name = name.trim_end();
    let is_part = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_' | b'.');
    let has_sign = name.bytes().any(|it| it.is_ascii_digit() || it == b'-' || it == b'_');
    let is_wide = bare.contains("  | ");
    !name.is_empty() && name.bytes().all(is_part) && (has_sign || is_wide)
}

/// `==123== text`, `#8 12.31 text`, `#8 [1/6] text`, `TASK [x] ******`: the number of a process, of a
/// step, or a rule to the end of the line.
fn is_numbered(bare: &str) -> bool {
    let digits = |it: &str| it.bytes().take_while(u8::is_ascii_digit).count();
    let is_process = bare.strip_prefix("==").is_some_and(|it| {
        let count = digits(it);
        count > 0 && it[count..].starts_with("==")
    });
    let is_step = bare.strip_prefix('#').is_some_and(|it| {
        let count = digits(it);
        let rest = it[count..].strip_prefix(' ').unwrap_or_default();
        count > 0 && (rest.starts_with(['[', '.']) || digits(rest) > 0 || rest.starts_with("ERROR"))
    });
    is_process
        || is_step
        || is_listed(bare)
        || is_tested(bare)
        || bare.ends_with("*****") && bare.contains(' ')
}

/// `-rw-r--r-- 1 ann ann 120 Nov 17 10:00 a.txt`.
fn is_listed(bare: &str) -> bool {
    let first = bare.split(' ').next().unwrap_or_default().trim_end_matches(['.', '+', '@']);
    first.len() == 10
        && first.starts_with(['-', 'd', 'l'])
        && first[1..].bytes().all(|it| matches!(it, b'r' | b'w' | b'x' | b'-' | b's' | b't'))
}

/// `test name ... ok`.
fn is_tested(bare: &str) -> bool {
    let ends = [" ... ok", " ... FAILED", " ... ignored", " PASSED", " FAILED", " SKIPPED"];
    (bare.starts_with("test ") || bare.contains("::")) && ends.iter().any(|it| bare.ends_with(it))
}

/// `commit 3f2a…`, `pick 3f2a9c1 text`.
fn is_commit(bare: &str) -> bool {
    let mut words = bare.split_whitespace();
    let is_verb = words.next().is_some_and(|it| {
        matches!(it, "commit" | "pick" | "reword" | "squash" | "fixup" | "edit" | "drop" | "Merge:")
    });
    is_verb && words.next().is_some_and(is_hash)
}

/// The id of a commit, whole or short.
fn is_hash(word: &str) -> bool {
    let is_hex = |it: u8| it.is_ascii_digit() || matches!(it, b'a'..=b'f');
    (7..=40).contains(&word.len())
        && word.bytes().all(is_hex)
        && word.bytes().any(|it| it.is_ascii_digit())
        && word.bytes().any(|it| it.is_ascii_alphabetic())
}

/// `3 passing (12ms)`, `3 examples, 1 failure`, `(2 rows)`.
fn is_count(bare: &str) -> bool {
    const COUNTED: [&str; 15] = [
        "passing", "failing", "pending", "passed", "failed", "examples", "example", "failures",
        "errors", "warnings", "rows", "tests", "files", "file", "problems",
    ];
    let mut words = bare.trim_start_matches('(').split([' ', ',', ')']);
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    bare.split_whitespace().count() <= 8
        && words.next().is_some_and(is_number)
        && words.next().is_some_and(|it| COUNTED.contains(&it))
}

/// `[webpack] text`; a box of a list and a link are none.
fn has_bracket_tag(bare: &str) -> bool {
    let Some((tag, rest)) = bare.strip_prefix('[').and_then(|it| it.split_once(']')) else {
        return false;
    };
    let is_part =
        |it: char| it.is_alphanumeric() || matches!(it, ':' | '.' | '/' | '-' | '_' | '@' | '%');
    tag.len() > 1 && tag.chars().all(is_part) && rest.starts_with([' ', ':', '['])
}
