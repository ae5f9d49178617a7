//! The difference of two texts, in the format that `patch` reads.

use std::fmt::Write;
use std::ops::Range;

use crate::visible::is_hidden;

const CONTEXT: usize = 3;
/// Above this many pairs of lines, the part that differs is shown as replaced.
const MAX_PAIRS: usize = 16_000_000;

/// One line of the difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change<'t> {
    Keep(&'t str),
    Remove(&'t str),
    Add(&'t str),
}

/// Shows how one text becomes another.
pub(crate) fn unified(name: &str, old: &str, new: &str) -> String {
    let changes = changes(old, new);
    let mut text = format!("--- {name}\n+++ {name}\n");
    for hunk in hunks(&changes) {
        let before = &changes[..hunk.start];
        let within = &changes[hunk.clone()];
        header(&mut text, before, within);
        for change in within {
            line(&mut text, *change);
        }
    }
    text
}

fn changes<'t>(old: &'t str, new: &'t str) -> Vec<Change<'t>> {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_middle, end) = old_rest.split_at(old_rest.len() - tail);
    let new_middle = &new_rest[..new_rest.len() - tail];
    let mut changes: Vec<_> = old[..head].iter().map(|it| Change::Keep(it)).collect();
    changes.extend(middle(old_middle, new_middle));
    changes.extend(end.iter().map(|it| Change::Keep(it)));
    changes
}

/// The shortest way between two lists of lines, by their longest common subsequence.
fn middle<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Change<'t>> {
    let mut changes = Vec::new();
    let (mut i, mut j) = (0, 0);
    if old.len().saturating_mul(new.len()) <= MAX_PAIRS {
        let width = new.len() + 1;
        let mut common = vec![0_u32; (old.len() + 1) * width];
        for i in (0..old.len()).rev() {
            for j in (0..new.len()).rev() {
                common[i * width + j] = if old[i] == new[j] {
                    common[(i + 1) * width + j + 1] + 1
                } else {
                    common[(i + 1) * width + j].max(common[i * width + j + 1])
                };
            }
        }
        while i < old.len() && j < new.len() {
            if old[i] == new[j] {
                changes.push(Change::Keep(old[i]));
                (i, j) = (i + 1, j + 1);
            } else if common[(i + 1) * width + j] >= common[i * width + j + 1] {
                changes.push(Change::Remove(old[i]));
                i += 1;
            } else {
                changes.push(Change::Add(new[j]));
                j += 1;
            }
        }
    }
    changes.extend(old[i..].iter().map(|it| Change::Remove(it)));
    changes.extend(new[j..].iter().map(|it| Change::Add(it)));
    changes
}

/// Groups of changes that are near each other, with the lines around them.
fn hunks(changes: &[Change<'_>]) -> Vec<Range<usize>> {
    let mut hunks: Vec<Range<usize>> = Vec::new();
    for (at, change) in changes.iter().enumerate() {
        if matches!(change, Change::Keep(_)) {
            continue;
        }
        let range = at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(changes.len());
        match hunks.last_mut() {
            Some(last) if last.end >= range.start => last.end = range.end,
            _ => hunks.push(range),
        }
    }
    hunks
}

fn header(text: &mut String, before: &[Change<'_>], within: &[Change<'_>]) {
    let old = |it: &&Change<'_>| !matches!(it, Change::Add(_));
    let new = |it: &&Change<'_>| !matches!(it, Change::Remove(_));
    let range = |start: usize, length: usize| {
        // An empty range names the line before it.
        let start = if length == 0 { start } else { start + 1 };
        format!("{start},{length}")
    };
    let old = range(before.iter().filter(old).count(), within.iter().filter(old).count());
    let new = range(before.iter().filter(new).count(), within.iter().filter(new).count());
    #[expect(clippy::let_underscore_must_use, reason = "a String takes everything")]
    let _ = writeln!(text, "@@ -{old} +{new} @@");
}

fn line(text: &mut String, change: Change<'_>) {
    let (mark, line) = match change {
        Change::Keep(line) => (' ', line),
        Change::Remove(line) => ('-', line),
        Change::Add(line) => ('+', line),
    };
    // A file of someone else could hold commands for the terminal, or turn words around.
    let hides = |it: char| is_hidden(it) && !['\n', '\r', '\t'].contains(&it);
    text.push(mark);
    text.extend(line.chars().map(|it| if hides(it) { '\u{fffd}' } else { it }));
    if !line.ends_with('\n') {
        text.push_str("\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_an_insertion_with_the_lines_around_it() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = "1\n2\n3\n4\n5\n+\n6\n7\n8\n9\n";
        let expected = "--- f\n+++ f\n@@ -3,6 +3,7 @@\n 3\n 4\n 5\n++\n 6\n 7\n 8\n";
        assert_eq!(unified("f", old, new), expected);
    }

    #[test]
    fn far_changes_are_hunks_of_their_own() {
        let old = (1..=20).map(|it| format!("{it}\n")).collect::<Vec<_>>().concat();
        let new = old.replace("2\n3\n", "2\nb\n3\n").replace("19\n", "");
        let text = unified("f", &old, &new);
        assert_eq!(text.matches("@@ -").count(), 2, "{text}");
        assert!(text.contains("@@ -1,5 +1,6 @@\n 1\n 2\n+b\n 3\n 4\n 5\n"), "{text}");
        assert!(text.contains("@@ -16,5 +17,4 @@\n 16\n 17\n 18\n-19\n 20\n"), "{text}");
    }

    #[test]
    fn a_file_from_nothing_and_back() {
        assert_eq!(unified("f", "", "a\n"), "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n");
        assert_eq!(unified("f", "a\n", ""), "--- f\n+++ f\n@@ -1,1 +0,0 @@\n-a\n");
    }

    #[test]
    fn marks_a_missing_line_break_and_hides_control_characters() {
        let text = unified("f", "a\u{1b}[2J", "a\u{1b}[2J\n");
        let end = "-a\u{fffd}[2J\n\\ No newline at end of file\n+a\u{fffd}[2J\n";
        assert!(text.ends_with(end), "{text}");
        assert!(unified("f", "", "a\u{202e}b\n").ends_with("+a\u{fffd}b\n"));
    }
}
