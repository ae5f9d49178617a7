//! What stands before a line that a runner of jobs passes on: the time, the host, names of jobs.

/// Bytes in which labels may stand.
const MAX_LABELS: usize = 112;
/// Labels of one line.
const MAX_COUNT: usize = 4;

/// Words with which a log names the weight of a line.
const LEVELS: &[&str] =
    &["INFO", "WARN", "WARNING", "ERROR", "DEBUG", "TRACE", "NOTICE", "info", "debug", "error"];

/// What a line says behind each of its labels, the first one first: `web-1  | `, `web:test: `,
/// `[CI/test]   | `, `[web] [test] `, `+test | `, `Nov 18 01:30:29 host ci[123]: `.
pub(super) fn bare_texts(line: &str) -> Vec<&str> {
    let (mut found, mut start) = (Vec::new(), 0);
    // What stands before a moment is names, however many words they have.
    let moment = behind_moment(line);
    found.extend(moment);
    let line = moment.unwrap_or(line);
    let bytes = line.as_bytes();
    for at in 1..bytes.len().min(MAX_LABELS) {
        if bytes[at] != b' ' || bytes[at - 1].is_ascii_alphanumeric() {
            continue;
        }
        let Some(end) = label_before(&bytes[..at]) else { continue };
        let is_label = line.get(start..end.max(start)).is_some_and(is_label);
        if !is_label || found.len() == MAX_COUNT {
            break;
        }
        let text = without_time(line[at..].trim());
        if !text.is_empty() {
            found.push(text);
        }
        start = at + 1;
    }
    found
}

/// Where a label ends that stands directly before a blank, without the sign that closes it.
fn label_before(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [rest @ .., b'|' | b':' | b']' | b'>' | b'}'] => Some(rest.len()),
        [rest @ .., 0xE2, 0x94, 0x82 | 0x83] => Some(rest.len()),
        _ => None,
    }
}

/// Tells whether a text may be the name of a job. `[main 2f1c9ab` is what git says of a commit.
fn is_label(text: &str) -> bool {
    let last = text.rsplit(' ').next().unwrap_or_default();
    let is_commit =
        text.starts_with('[') && last.len() >= 7 && last.bytes().all(|it| it.is_ascii_hexdigit());
    let is_count = text.trim_start().starts_with(|it: char| it.is_ascii_digit());
    // A log names the day, the time and the host, too.
    let has_time = || text.split_whitespace().any(is_time);
    let words = text.split_whitespace().count();
    !is_commit && !is_count && (words <= 3 || words <= 6 && has_time())
}

/// Tells whether a word is a time of the day, with or without a day before it.
fn is_time(word: &str) -> bool {
    let is_sign = |it: u8| {
        it.is_ascii_digit() || matches!(it, b':' | b'-' | b'.' | b',' | b'T' | b'Z' | b'+')
    };
    word.len() >= 8 && word.contains(':') && word.bytes().all(is_sign)
}

/// Tells whether a word is a day and a time.
fn is_moment(word: &str) -> bool {
    word.len() >= 19 && word.as_bytes()[10] == b'T' && is_time(word)
}

/// What stands behind a moment such as `2026-11-18T01:30:29Z`, which is one of the first words.
fn behind_moment(line: &str) -> Option<&str> {
    let is_between = |it: &[u8]| it[1] == b'T' && it[0].is_ascii_digit() && it[2].is_ascii_digit();
    let bytes = line.as_bytes();
    if !bytes[..bytes.len().min(MAX_LABELS)].windows(3).any(is_between) {
        return None;
    }
    let mut rest = line;
    for _ in 0..6 {
        let (word, behind) = rest.split_once(' ')?;
        rest = behind.trim_start();
        if is_moment(word) {
            return Some(rest).filter(|it| !it.is_empty());
        }
    }
    None
}

/// Tells whether a line is labels and nothing else: `tests-1  |`, `[web] [test]`, a time.
pub(super) fn is_bare_label(line: &str) -> bool {
    if line.len() > MAX_LABELS {
        return false;
    }
    // Few lines end like one.
    let is_end =
        |it: u8| it.is_ascii_digit() || it.is_ascii_uppercase() || !it.is_ascii_alphabetic();
    let is_level = line.len() < 8 && LEVELS.contains(&line);
    if !line.bytes().next_back().is_some_and(is_end) {
        return is_level;
    }
    let last = line.rsplit(' ').next().unwrap_or(line);
    if is_time(line) || is_moment(last) || is_level {
        return true;
    }
    let Some(end) = label_before(line.as_bytes()) else { return is_step(line) };
    // Each of several labels has its own sign.
    let text = bare_texts(line);
    let last = text.last().copied().unwrap_or(line);
    let end = last.len().saturating_sub(line.len() - end);
    last.is_char_boundary(end) && is_label(&last[..end])
}

/// `#12 3.456` or what is left of it, the number of a step and its time.
fn is_step(line: &str) -> bool {
    let text = line.strip_prefix('#').unwrap_or(line);
    text.matches('.').count() == 1
        && text.bytes().all(|it| it.is_ascii_digit() || matches!(it, b'.' | b' '))
}

/// A line without the time, or the number of a step, that a runner of jobs writes before it.
pub(super) fn without_time(line: &str) -> &str {
    let first = line.bytes().next().unwrap_or_default();
    if !first.is_ascii_digit() && first != b'#' {
        return line;
    }
    let is_sign = |it: char| {
        it.is_ascii_digit() || matches!(it, ':' | '-' | '.' | ',' | 'T' | 'Z' | '#' | '+')
    };
    let mut rest = line;
    for _ in 0..2 {
        let Some((word, behind)) = rest.split_once(' ') else { break };
        let is_time =
            word.len() >= 8 && word.contains(':') || word.starts_with('#') && word.len() > 1;
        let is_date = word.len() == 10 && word.matches('-').count() == 2;
        let is_step = rest.len() < line.len() && word.contains('.') && line.starts_with('#');
        if !word.chars().all(is_sign) || !(is_time || is_date || is_step) {
            break;
        }
        rest = behind.trim_start();
    }
    // A log names the weight of a line behind its time.
    match rest.split_once(' ') {
        Some((word, behind)) if rest.len() < line.len() && LEVELS.contains(&word) => {
            behind.trim_start()
        }
        _ => rest,
    }
}
