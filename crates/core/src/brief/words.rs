//! How old something is, who says it and what became of its files, in words.

use crate::foreign::inert_name;
use crate::memory::{Memory, State, Trust};
use crate::path::bare_file;
use crate::recall::{Stale, is_end};
use crate::{DAY, Timestamp};

const MINUTE: i64 = 60 * 1000;
const HOUR: i64 = 60 * MINUTE;

/// How long ago something was.
pub(super) fn age(at: Timestamp, now: Timestamp) -> String {
    let span = now.0.saturating_sub(at.0);
    let (count, unit) = match span {
        // Clocks are set back.
        ..MINUTE => return "just now".to_owned(),
        MINUTE..HOUR => (span / MINUTE, "minute"),
        HOUR..DAY => (span / HOUR, "hour"),
        DAY.. => match span / DAY {
            days @ ..14 => (days, "day"),
            days @ 14..60 => (days / 7, "week"),
            days @ 60..730 => (days / 30, "month"),
            days => (days / 365, "year"),
        },
    };
    let many = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{many} ago")
}

/// Whose words it is.
fn whose(trust: Trust) -> &'static str {
    match trust {
        Trust::User => "the user said",
        Trust::Outcome => "seen to happen",
        Trust::Agent => "an agent said",
        Trust::Note => "stands in a long prompt",
        Trust::Tool => "a tool printed",
        Trust::Import => "imported",
    }
}

/// Files that are named.
const FILES: usize = 3;

/// Characters of a path.
const PATH: usize = 80;

/// A path between signs that it does not have.
pub(super) fn path(path: &str) -> String {
    format!("`{}`", inert_name(path, PATH))
}

/// The files of a memory, with what became of one of them.
pub(super) fn files(memory: &Memory, stale: Option<&Stale>) -> Option<String> {
    // What became of one is told of its path from the root.
    let is = |path: &str, file: &str| {
        let file = bare_file(file);
        file == path || file.starts_with('/') && is_end(file, path)
    };
    let mark = |file: &str| match stale {
        Some(Stale::Gone(path)) if is(path, file) => " (gone)".to_owned(),
        Some(Stale::Moved { from, to }) if is(from, file) => format!(" (now {}?)", path(to)),
        Some(Stale::Newer(path)) if is(path, file) => " (changed since)".to_owned(),
        _ => String::new(),
    };
    let all = &memory.content.files;
    let mut named: Vec<_> =
        all.iter().take(FILES).map(|it| format!("{}{}", path(it), mark(it))).collect();
    let more = all.len().saturating_sub(FILES);
    if more > 0 {
        named.push(format!("{more} more"));
    }
    (!named.is_empty()).then(|| named.join(", "))
}

/// What an item of a memory begins with.
pub(super) fn head(memory: &Memory, stale: Option<&Stale>, now: Timestamp) -> String {
    let since = match () {
        () if memory.is_reworded() => ", an agent put it into other words",
        () if memory.words() != memory.trust => ", the user confirmed it",
        () => "",
    };
    let said = format!("{} {}{since}", whose(memory.author()), age(memory.made_at, now));
    let open = match memory.state {
        State::Candidate | State::Expired => Some("nobody confirmed it".to_owned()),
        State::Superseded | State::Retired | State::Rejected => {
            Some("does not count any more".to_owned())
        }
        State::Active => None,
    };
    let id = format!("[{}] {}", memory.id, memory.content.category.word());
    let over = memory.content.over(now).map(str::to_owned);
    let parts = [Some(id), over, Some(said), open, files(memory, stale)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::{HOUR, MINUTE, age};
    use crate::{DAY, Timestamp};

    #[test]
    fn an_age_is_told_in_words() {
        let cases = [
            (-5, "just now"),
            (MINUTE - 1, "just now"),
            (MINUTE, "1 minute ago"),
            (5 * HOUR, "5 hours ago"),
            (DAY, "1 day ago"),
            (13 * DAY, "13 days ago"),
            (15 * DAY, "2 weeks ago"),
            (70 * DAY, "2 months ago"),
            (800 * DAY, "2 years ago"),
        ];
        for (span, expected) in cases {
            assert_eq!(age(Timestamp(0), Timestamp(span)), expected);
        }
    }
}
