//! Which language somebody speaks.

use super::compile::is_same;
use super::cues::Language;
use super::pattern::hash_of;
use super::token::{Kind, Letters, Token, Tokens};

/// What speaks for which language in a text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Votes {
    pub(super) letters: Letters,
    /// How many common words of each language it has.
    common: [u32; LANGUAGES],
}

/// So many common words tell a language.
const ENOUGH: u32 = 2;
const LANGUAGES: usize = Language::SPACED.len();

impl Votes {
    /// Counts the common words of a text.
    pub(super) fn add(&mut self, tokens: &Tokens, text: &[Token]) {
        let words = text.iter().filter(|it| it.kind == Kind::Word);
        for token in words {
            let languages = COMMON.languages(tokens.bytes(*token), token.hash);
            if languages != 0 {
                for (at, count) in self.common.iter_mut().enumerate() {
                    *count += u32::from(languages >> at & 1);
                }
            }
        }
    }

    /// Counts the votes of a part.
    pub(super) fn join(&mut self, other: &Self) {
        self.letters.all += other.letters.all;
        self.letters.wide += other.letters.wide;
        self.letters.kana += other.letters.kana;
        for (count, more) in self.common.iter_mut().zip(other.common) {
            *count += more;
        }
    }

    /// The language, if there is enough to tell it.
    pub(super) fn language(&self) -> Option<Language> {
        let Letters { all, wide, kana } = self.letters;
        if wide > 0 && u64::from(wide) * 5 >= u64::from(all) {
            return Some(if kana > 0 { Language::Japanese } else { Language::Chinese });
        }
        let most = *self.common.iter().max()?;
        let first = self.common.iter().position(|it| *it == most)?;
        (most >= ENOUGH).then(|| Language::SPACED[first])
    }
}

static COMMON: Common = Common::all();
const SLOTS: usize = 256;

/// The common words of all languages.
struct Common {
    slots: [(&'static [u8], u8); SLOTS],
}

impl Common {
    const fn all() -> Self {
        let mut all = Self { slots: [(&[], 0); SLOTS] };
        let mut language = 0;
        while language < LANGUAGES {
            let words = Language::SPACED[language].words().common;
            let mut at = 0;
            while at < words.len() {
                let word = words[at].as_bytes();
                let slot = all.slot(word, hash_of(word));
                all.slots[slot] = (word, all.slots[slot].1 | 1 << language);
                at += 1;
            }
            language += 1;
        }
        all
    }

    /// Where a word stands, or would.
    const fn slot(&self, word: &[u8], hash: u32) -> usize {
        let mut slot = (hash ^ (hash >> 16)) as usize % SLOTS;
        while !self.slots[slot].0.is_empty() && !is_same(self.slots[slot].0, word) {
            slot = (slot + 1) % SLOTS;
        }
        slot
    }

    /// The languages that have a word, as bits.
    fn languages(&self, word: &[u8], hash: u32) -> u8 {
        self.slots[self.slot(word, hash)].1
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, Votes};
    use crate::triage::token::Tokens;

    fn of(text: &str) -> Option<Language> {
        let (mut tokens, mut votes) = (Tokens::default(), Votes::default());
        let range = tokens.add(text, &mut votes.letters);
        votes.add(&tokens, tokens.get(range));
        votes.language()
    }

    #[test]
    fn a_language_is_told_by_its_common_words_or_its_letters() {
        assert_eq!(of("the cache is not used"), Some(Language::English));
        assert_eq!(of("die Datei wird nicht gelesen"), Some(Language::German));
        assert_eq!(of("la causa es que el archivo no existe"), Some(Language::Spanish));
        assert_eq!(of("le fichier est dans une archive"), Some(Language::French));
        assert_eq!(of("não é possível porque o arquivo não existe"), Some(Language::Portuguese));
        assert_eq!(of("原因是 cache 失效"), Some(Language::Chinese));
        assert_eq!(of("キャッシュの設定です"), Some(Language::Japanese));
    }

    #[test]
    fn too_little_tells_nothing() {
        assert_eq!(of(""), None);
        assert_eq!(of("cargo test"), None);
        assert_eq!(of("the one"), None);
        assert_eq!(of("Let me do a check: no, do it as a test"), None, "words of Portuguese too");
        let file = "a long sentence with one name of 文 in it, which the rest outweighs";
        assert_eq!(of(file), Some(Language::English));
    }

    #[test]
    fn the_first_of_two_is_it() {
        assert_eq!(of("in die it das"), Some(Language::English));
    }
}
