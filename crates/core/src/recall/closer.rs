//! A closer look at the few documents that fit best: words that follow each other as they were
//! asked for, and words that are nearly the same.

use super::search::Query;
use super::terms::{Term, terms};

/// How many of the documents that fit best are looked at so.
pub const CLOSELY: usize = 20;

/// What two words in the order of the question are worth, of the rarity of the less rare one.
const IN_ORDER: f32 = 0.5;

/// What a word is worth that is nearly the same, of its rarity.
const NEARLY: f32 = 0.5;

/// Words of a text that are compared.
const MOST_WORDS: usize = 400;

/// Words of a question that are compared.
const MOST_ASKED: usize = 24;

/// A question, as it is compared with texts.
#[derive(Debug)]
pub(super) struct Closer<'a> {
    query: &'a Query,
    rarity: &'a [f32],
    asked: Vec<(usize, Grams)>,
}

impl<'a> Closer<'a> {
    /// `text` is what the question was taken from; `rarity` how rare each of its terms is.
    pub(super) fn new(text: &str, query: &'a Query, rarity: &'a [f32]) -> Self {
        let words = query.terms.iter().enumerate().filter(|it| !it.1.is_whole).take(MOST_ASKED);
        let asked = words.map(|(place, term)| (place, Grams::of(word(text, term)))).collect();
        Self { query, rarity, asked }
    }

    /// What a text has beside the words themselves.
    pub(super) fn look(&self, text: &str) -> f32 {
        let (mut keys, mut words) = (Vec::new(), Vec::new());
        terms(text, |it| {
            if !it.is_whole && keys.len() < MOST_WORDS {
                keys.push(it.key);
                words.push(Grams::of(word(text, &it)));
            }
        });
        self.in_order(&keys) + self.nearly(&keys, &words)
    }

    fn rarity(&self, place: usize) -> f32 {
        self.rarity.get(place).copied().unwrap_or_default()
    }

    fn in_order(&self, keys: &[u64]) -> f32 {
        let pairs = self.asked.windows(2).map(|it| {
            let [one, other] = [it[0].0, it[1].0];
            let wanted = [one, other].map(|it| self.query.terms[it].key);
            let follows = keys.windows(2).any(|it| it == wanted);
            let rarity = self.rarity(one).min(self.rarity(other));
            if follows { rarity } else { 0.0 }
        });
        IN_ORDER * pairs.fold(0.0, |sum, it| sum + it)
    }

    fn nearly(&self, keys: &[u64], words: &[Grams]) -> f32 {
        let missing = self.asked.iter().filter(|it| !keys.contains(&self.query.terms[it.0].key));
        let worth = missing.map(|(place, grams)| {
            let like = words.iter().map(|it| it.likeness(grams)).fold(0.0, f32::max);
            like * self.rarity(*place)
        });
        NEARLY * worth.fold(0.0, |sum, it| sum + it)
    }
}

fn word<'a>(text: &'a str, term: &Term) -> &'a str {
    text.get(term.from..term.to).unwrap_or_default()
}

/// Every four letters of a word that follow each other, its ends among them.
#[derive(Debug, Default)]
struct Grams {
    /// Where nothing is in common, nothing is compared.
    bits: u64,
    all: Vec<u32>,
}

impl Grams {
    const LENGTH: usize = 4;

    fn of(word: &str) -> Self {
        let mut letters = Vec::with_capacity(word.len() + 2);
        letters.push(b'_');
        letters.extend(word.bytes().map(|it| it.to_ascii_lowercase()));
        letters.push(b'_');
        let mut grams = Self::default();
        for gram in letters.windows(Self::LENGTH.min(letters.len())) {
            let mut bytes = [0; Self::LENGTH];
            bytes[..gram.len()].copy_from_slice(gram);
            let number = u32::from_le_bytes(bytes);
            grams.bits |= 1 << (number.wrapping_mul(0x9e37_79b1) >> 26);
            grams.all.push(number);
        }
        grams
    }

    /// How much two words have in common, between 0 and 1.
    #[expect(clippy::cast_precision_loss, reason = "letters of a word")]
    fn likeness(&self, other: &Self) -> f32 {
        if self.bits & other.bits == 0 {
            return 0.0;
        }
        let common = self.all.iter().filter(|it| other.all.contains(it)).count();
        2.0 * common as f32 / (self.all.len() + other.all.len()) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::{Closer, Grams, Query};

    fn look(question: &str, text: &str) -> f32 {
        let query = Query::of(question);
        Closer::new(question, &query, &[1.0; 300]).look(text)
    }

    #[test]
    fn words_in_the_order_of_the_question_count() {
        let question = "connection pool exhausted";
        assert!(look(question, "the connection pool") > look(question, "the pool of connection"));
    }

    #[test]
    fn a_word_with_a_slip_is_nearly_the_same() {
        assert!(look("authentification broke", "authentication of users") > 0.2);
        assert!(look("cache", "window") < f32::EPSILON);
        let like = Grams::of("Timeout").likeness(&Grams::of("timeout"));
        assert!((like - 1.0).abs() < f32::EPSILON);
    }

    #[test]
    fn whatever_is_compared_it_is_bounded() {
        let long = "word ".repeat(100_000);
        assert!(look(&long, &long) >= 0.0);
        assert!(look("", "").abs() < f32::EPSILON && look("é", "長い").abs() < f32::EPSILON);
    }
}
