//! Whatever somebody says, it is listened to, and comes to an end.

use super::{agent, of, triage, user};
use crate::policy::Triage;

/// Pieces that mean something to one step or another.
const PIECES: &[&str] = &[
    "`",
    "``",
    "```",
    "*",
    "**",
    "[",
    "](",
    ")",
    "<details>",
    "</details>",
    "<!--",
    "-->",
    "\n",
    " ",
    ".",
    "。",
    "!",
    "?",
    ":",
    "|",
    ">",
    "#",
    "- ",
    "1. ",
    "'",
    "n't",
    "'s",
    "§",
    "根",
    "か",
    "・",
    "é",
    "İ",
    "ß",
    "\0",
    "\u{fffd}",
    "🎉",
    "because",
    "root cause",
    "the",
    "is",
    "weil",
    "-",
    "->",
    "--",
    "10.5",
    "_",
    "~",
    "/",
    "A_B_C",
    "Error",
    "\r",
    "\t",
    "\u{2028}",
    "...",
    "$",
    "^",
];

/// Numbers that look like chance and are always the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

#[test]
fn any_text_is_taken_apart_without_harm() {
    let mut dice = Dice(5);
    for _ in 0..4000 {
        let length = dice.roll(60);
        let text: String = (0..length).map(|_| PIECES[dice.roll(PIECES.len())]).collect();
        for span in of(&[user(&text), agent(&text)]) {
            assert!(!span.text.is_empty() && span.confidence <= 100);
            assert!(!span.why.is_empty(), "{}", span.text);
        }
    }
}

#[test]
fn megabytes_of_one_line_come_to_an_end() {
    const SIZE: usize = 2_000_000;
    for piece in
        ["a", "`", "because ", "根", "。", ". A", "](", "<details>", "<!--", "```\n", "- ", "\0"]
    {
        let text = piece.repeat(SIZE / piece.len());
        of(&[agent(&text)]);
    }
    let mut fences = String::new();
    for length in (1..1400).rev() {
        fences.push_str(&"`".repeat(length));
        fences.push(' ');
    }
    of(&[agent(&fences)]);
}

#[test]
fn what_is_beyond_a_long_unit_does_not_count() {
    let cause = "The root cause is that `mtime` stays the same, so the cache is stale";
    let text = format!("{cause} {}", "and more of the same ".repeat(400));
    let found = of(&[agent(&text)]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].text, text.trim(), "it is kept whole");
    let text = format!("{} {cause}", "x".repeat(5000));
    assert_eq!(of(&[agent(&text)]), []);
}

#[test]
fn nothing_is_found_in_nothing() {
    assert_eq!(triage(&[], &Triage::default()), []);
    assert_eq!(of(&[agent(""), user("\n\n"), agent("```\nroot cause\n```")]), []);
}
