//! What an agent has before it of what it was told in a session.

use super::Found;
use crate::Timestamp;
use crate::hash::hash;
use crate::memory::Memory;

/// What the names of lines of code begin with.
const CODE: &str = "code ";

/// Digits of the number of one line.
const DIGITS: usize = 8;

/// A number for each line of a file that says something. A name would hold whatever is written
/// there, and the place of a line is another one as soon as one above it goes.
pub(super) fn numbers(path: &str, lines: &[String]) -> Vec<String> {
    let says = |it: &&String| it.contains(char::is_alphanumeric);
    let number = |line: &String| {
        let number = hash([path, "\0", line.trim()].concat().as_bytes());
        format!("{number:016x}")[..DIGITS].to_owned()
    };
    lines.iter().filter(says).map(number).collect()
}

/// What names lines of code by their numbers.
pub(super) fn name(numbers: &[String]) -> String {
    format!("{CODE}{}", numbers.concat())
}

/// Whether an agent has most of these lines before it: three of four.
pub(super) fn has_most(numbers: &[String], told: &[String]) -> bool {
    let lines = told.iter().filter_map(|it| it.strip_prefix(CODE));
    let known: Vec<_> = lines.flat_map(|it| it.as_bytes().chunks(DIGITS)).collect();
    let new = numbers.iter().filter(|it| !known.contains(&it.as_bytes())).count();
    !numbers.is_empty() && 4 * new <= numbers.len()
}

/// Whether an agent has a memory before it as it is now.
pub(super) fn is_shown(found: &Found, memory: &Memory, now: Timestamp) -> bool {
    let shown = found.shown.iter().find(|it| it.0 == memory.id);
    // A clock that was wrong once must not have it told for ever.
    shown.is_some_and(|it| !(it.1 < memory.changed_at && memory.changed_at <= now))
}

#[cfg(test)]
mod tests {
    use super::{has_most, name, numbers};

    fn lines(from: usize, to: usize) -> Vec<String> {
        (from..=to).map(|it| format!("    let a{it} = {it};")).collect()
    }

    #[test]
    fn lines_that_were_mostly_told_are_known_wherever_they_begin() {
        let told = vec!["0123456789abcdef".to_owned(), name(&numbers("a.rs", &lines(1, 13)))];
        let is_known = |path: &str, lines: &[String]| has_most(&numbers(path, lines), &told);
        assert!(is_known("a.rs", &lines(1, 13)) && is_known("a.rs", &lines(2, 13)));
        assert!(is_known("a.rs", &lines(5, 8)) && is_known("a.rs", &lines(3, 15)));
        assert!(!is_known("a.rs", &lines(8, 20)) && !is_known("b.rs", &lines(1, 13)));
        let mut changed = lines(1, 3);
        changed[1] = "    todo!()".to_owned();
        assert!(!is_known("a.rs", &changed), "the same place, and other lines");
    }

    #[test]
    fn what_says_nothing_has_no_number() {
        let lines = ["}", "", "  ]);"].map(str::to_owned);
        assert_eq!(numbers("a.rs", &lines), [""; 0]);
        assert!(!has_most(&[], &["code ".to_owned()]));
    }
}
