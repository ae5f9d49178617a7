use super::claims;
use crate::Excerpt;
use crate::claim::Claim;

/// Pieces from which messages are put together: words of the grammar, signs, and what breaks
/// careless slicing.
const PIECES: &[&str] = &[
    "all",
    "tests",
    "pass",
    "passes",
    "the",
    "build",
    "lint",
    "is",
    "clean",
    "not",
    "if",
    "and",
    "no",
    "type",
    "errors",
    "0",
    "12/12",
    "42",
    "40/42",
    "100%",
    "99999999999999999999999",
    "of",
    "verified",
    "that",
    "it",
    "works",
    "by",
    "running",
    "everything",
    "green",
    "but",
    "without",
    "compiles",
    "exits",
    "with",
    "code",
    "continue",
    "to",
    "in",
    "for",
    "`cargo test`",
    "`",
    "``",
    "```",
    "\n```\n",
    "~~~",
    "\"",
    "“",
    "”",
    "'",
    "’",
    "don't",
    "(",
    ")",
    "[",
    "](",
    "]",
    ":",
    "：",
    ",",
    "—",
    "-",
    "->",
    "→",
    ".",
    "!",
    "?",
    "。",
    "？",
    "✅",
    "❌",
    "\u{fe0f}",
    "é",
    "ä",
    "İ",
    "ß",
    "测试",
    "全部",
    "通过",
    "テスト",
    "通りました",
    "が",
    "tests:ci",
    "a.b",
    "a/b",
    "1,000",
    "|",
    "\n|",
    "|---|",
    "\n- ",
    "\n- [ ] ",
    "\n- [x] ",
    "\n> ",
    "\n# ",
    "\n**",
    "**",
    "\n\n    ",
    "\n",
    "\t",
    "\0",
    "\u{202e}",
    "👩‍👩‍👧",
    "tous",
    "les",
    "passent",
    "alle",
    "sind",
    "grün",
    "failed",
    "untested",
    "run",
];

/// A deterministic source of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (limit as u64)).unwrap_or_default()
    }
}

fn holds(message: &Excerpt) {
    let found = claims(message);
    assert_eq!(found, claims(message));
    assert!(found.len() <= Claim::MOST);
    assert!(found.windows(2).all(|pair| pair[0].what < pair[1].what), "{found:?}");
    for claim in &found {
        let length = claim.quote.chars().count();
        assert!(length > 0 && length <= Claim::QUOTE, "{claim:?}");
    }
}

#[test]
fn any_message_is_read_without_a_panic() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for _ in 0..2000 {
        let mut message = String::new();
        for _ in 0..dice.below(60) {
            message.push_str(PIECES[dice.below(PIECES.len())]);
            if dice.below(3) > 0 {
                message.push(' ');
            }
        }
        holds(&Excerpt::of(&message));
        let cut = message.floor_char_boundary(dice.below(message.len() + 1));
        let (head, tail) = message.split_at(cut);
        holds(&Excerpt { head: head.into(), tail: Some(tail.into()), bytes: message.len() });
    }
}

#[test]
fn any_characters_are_read_without_a_panic() {
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    for _ in 0..300 {
        let length = dice.below(6000);
        let signs = (0..length).filter_map(|_| {
            let limit = [0x80, 0x800, 0x1_0000, 0x11_0000][dice.below(4)];
            char::from_u32(u32::try_from(dice.below(limit)).ok()?)
        });
        holds(&Excerpt::of(signs.collect::<String>()));
    }
}

#[test]
fn a_message_of_one_sign_only_is_read() {
    for piece in PIECES {
        holds(&Excerpt::of(piece.repeat(4096 / piece.len())));
        holds(&Excerpt::of(piece.repeat(9000 / piece.len())));
    }
}
