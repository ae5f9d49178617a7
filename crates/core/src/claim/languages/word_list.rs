//! The words of a language that have one part in a claim.

use std::ops::Deref;

/// Words and phrases, as a static list.
pub(super) type Words = &'static WordList;

/// A list with a sign of the words that begin its phrases: most words of a sentence begin none of
/// them, and are passed by without a comparison.
#[derive(Debug)]
pub(super) struct WordList {
    pub(super) all: &'static [&'static str],
    signs: [u64; 4],
}

impl WordList {
    pub(super) const fn new(all: &'static [&'static str]) -> Self {
        let (mut signs, mut at) = ([0; 4], 0);
        while at < all.len() {
            let phrase = all[at].as_bytes();
            if has_short_stem(phrase) {
                signs = [u64::MAX; 4];
            } else {
                let sign = sign(phrase);
                signs[sign / 64] |= 1 << (sign % 64);
            }
            at += 1;
        }
        Self { all, signs }
    }

    /// Whether a phrase may begin with this word.
    pub(super) fn may_begin(&self, word: &str) -> bool {
        let sign = sign(word.as_bytes());
        self.signs[sign / 64] & 1 << (sign % 64) != 0
    }
}

impl Deref for WordList {
    type Target = [&'static str];

    fn deref(&self) -> &Self::Target {
        self.all
    }
}

/// Bytes of a word that make its sign.
const SIGN: usize = 4;

/// A number below 256 for the first bytes of a word.
const fn sign(word: &[u8]) -> usize {
    let (mut sum, mut at) = (0_u32, 0);
    while at < SIGN && at < word.len() && word[at] != b' ' {
        sum = sum << 8 | word[at] as u32;
        at += 1;
    }
    (sum.wrapping_mul(0x9e37_79b1) >> 24) as usize
}

/// Whether a phrase begins with a stem that has fewer bytes than a sign.
const fn has_short_stem(phrase: &[u8]) -> bool {
    let mut at = 0;
    while at < SIGN && at < phrase.len() && phrase[at] != b' ' {
        if phrase[at] == b'*' {
            return true;
        }
        at += 1;
    }
    false
}

/// A list of words, as many as fit on a line.
macro_rules! words {
    ($($word:literal)*) => {
        const { &$crate::claim::languages::word_list::WordList::new(&[$($word),*]) }
    };
}
pub(super) use words;

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn a_word_that_begins_a_phrase_is_never_passed_by() {
        let list: Words = words! { "test" "100" "passed all" "kompil*" "ок" };
        for word in ["test", "100", "passed", "kompiliert", "kompil", "ок"] {
            assert!(list.may_begin(word), "{word}");
        }
        let others = ["tests", "build", "the", "and", "green", "parser", "kom", "pass"];
        assert!(others.iter().any(|it| !list.may_begin(it)));
        let short: Words = words! { "ok*" };
        assert!(short.may_begin("okay"));
    }
}
