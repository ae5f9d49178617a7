//! How the words begin that are looked for: most words of a text begin otherwise, and need no key.

use super::words::{FORMS, IRREGULAR};

/// Letters at the end of a stem that its words may not have: of `sensibilities` it is `sensibl`.
const OTHER: usize = 2;

/// Words that are looked for in a few texts, by their stems.
#[derive(Debug)]
pub(super) struct Stems {
    beginnings: Beginnings,
    all: Vec<Vec<u8>>,
}

impl Stems {
    pub(super) fn of(all: Vec<Vec<u8>>) -> Self {
        Self { beginnings: Beginnings::of(all.iter()), all }
    }

    /// Whether a word may be one of them, or a form of one.
    pub(super) fn may_have(&self, word: &[u8]) -> bool {
        let begins = |it: &Vec<u8>| word.starts_with(&it[..it.len().saturating_sub(OTHER)]);
        self.beginnings.has(word) && (self.all.iter().any(begins) || FORMS.has(word))
    }
}

/// The two letters that words begin with. The stem of a word begins as the word does, unless it
/// follows no rule; only a `y` may become an `i`.
#[derive(Debug)]
pub(super) struct Beginnings([u32; 27]);

impl Beginnings {
    /// Of words by their stems.
    pub(super) fn of(stems: impl Iterator<Item = impl AsRef<[u8]>>) -> Self {
        let mut all = Self([0; 27]);
        for stem in stems {
            all.add(stem.as_ref());
        }
        for (form, word) in IRREGULAR {
            if all.has(word.as_bytes()) {
                all.add(form.as_bytes());
            }
        }
        all
    }

    fn add(&mut self, stem: &[u8]) {
        if let Some((row, bit)) = Self::place(stem) {
            self.0[row] |= bit;
        } else if let [letter] = stem
            && let Some(row) = Self::number(*letter)
        {
            // Whatever ending it has lost.
            self.0[row] = u32::MAX;
        }
    }

    /// Whether a word may be one of them, or a form of one.
    pub(super) fn has(&self, word: &[u8]) -> bool {
        Self::place(word).is_none_or(|(row, bit)| self.0[row] & bit != 0)
    }

    /// `None` where there are no two letters, or one may become another when it is folded.
    fn place(word: &[u8]) -> Option<(usize, u32)> {
        let [one, other, ..] = *word else { return None };
        let other = if other.eq_ignore_ascii_case(&b'y') { b'i' } else { other };
        Some((Self::number(one)?, 1 << Self::number(other)?))
    }

    fn number(letter: u8) -> Option<usize> {
        match letter.to_ascii_lowercase() {
            letter @ b'a'..=b'z' => Some(usize::from(letter - b'a')),
            other if other.is_ascii() => Some(26),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Beginnings, IRREGULAR, Stems};
    use crate::recall::stem::stem;

    fn stemmed(word: &str) -> Vec<u8> {
        let mut word = word.as_bytes().to_vec();
        stem(&mut word);
        word
    }

    /// Of every two words with the same stem each leads to the other.
    #[test]
    fn what_has_the_stem_of_a_word_begins_like_it() {
        let roots = ["t", "sens", "oper"];
        let ends = "ational ization iveness fulness ousness tional bility ently ously ation alism \
            ality ivity ency ancy izer ably ally ator ely ies ied ying yed ed ing eed ement ate y";
        let made = ends.split_whitespace().flat_map(|end| roots.map(|root| format!("{root}{end}")));
        let text = made.collect::<Vec<_>>().join(" ") + &include_str!("search.rs").to_lowercase();
        let text = text.split(|it: char| !it.is_alphanumeric());
        let forms = IRREGULAR.iter().flat_map(|it| [it.0, it.1]);
        let odd =
            ["oed", "o", "oing", "ays", "ais", "eyed", "eying", "ayed", "e0382", "größe", "a"];
        let mut words: Vec<_> = forms.chain(odd).chain(text).collect();
        words.sort_unstable();
        words.dedup();
        let stems: Vec<_> = words.iter().map(|it| stemmed(it)).collect();
        for stem in &stems {
            let beginnings = Beginnings::of([stem].into_iter());
            let asked = Stems::of(vec![stem.clone()]);
            for (word, other) in words.iter().zip(&stems).filter(|it| it.1 == stem) {
                assert!(beginnings.has(word.as_bytes()), "{word} {other:?}");
                assert!(asked.may_have(word.as_bytes()), "{word} {other:?}");
            }
        }
        let beginnings = Beginnings::of(["cach"].into_iter());
        assert!(beginnings.has(b"Caches") && !beginnings.has(b"key") && !beginnings.has(b"cold"));
        let asked = Stems::of(vec![b"cach".to_vec(), b"tenant".to_vec()]);
        assert!(asked.may_have(b"caching") && asked.may_have(b"tenancy"));
        assert!(!asked.may_have(b"tent") && !asked.may_have(b"key"));
    }
}
