//! A closer look at the few documents that fit best: words that follow each other as they were
//! asked for, and words that are nearly the same.

use super::beginnings::Stems;
use super::search::Query;
use super::stem::stem_of;
use super::terms::{Term, terms_like};

/// How many of the documents that fit best are looked at so. More of them find nothing more; see
/// `docs/design/0013-recall.md`.
pub const CLOSELY: usize = 12;

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
    stems: Stems,
}

impl<'a> Closer<'a> {
    /// `text` is what the question was taken from; `rarity` how rare each of its terms is.
    pub(super) fn new(text: &str, query: &'a Query, rarity: &'a [f32]) -> Self {
        let words = query.terms.iter().enumerate().filter(|it| !it.1.is_whole).take(MOST_ASKED);
        let asked = words.clone().map(|(place, term)| (place, Grams::of(word(text, term))));
        let stems = words.map(|(_, term)| {
            let mut stem = Vec::new();
            stem_of(word(text, term), &mut stem);
            stem
        });
        Self { query, rarity, asked: asked.collect(), stems: Stems::of(stems.collect()) }
    }

    /// What a text has beside the words themselves.
    pub(super) fn look(&self, text: &str) -> f32 {
        let (mut keys, mut words) = (Vec::with_capacity(64), Vec::with_capacity(64));
        terms_like(text, &self.stems, |it| {
            if !it.is_whole && keys.len() < MOST_WORDS {
                keys.push(it.key);
                words.push(word(text, &it));
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
            let follows = keys.windows(2).any(|it| it[0] == wanted[0] && it[1] == wanted[1]);
            let rarity = self.rarity(one).min(self.rarity(other));
            if follows { rarity } else { 0.0 }
        });
        IN_ORDER * pairs.fold(0.0, |sum, it| sum + it)
    }

    fn nearly(&self, keys: &[u64], words: &[&str]) -> f32 {
        let is_missing = |it: &&(usize, Grams)| !keys.contains(&self.query.terms[it.0].key);
        let mut missing: Vec<_> =
            self.asked.iter().filter(is_missing).map(|it| (it, 0.0_f32)).collect();
        // Most words have nothing in common with any of them.
        let all = missing.iter().fold(0, |bits, it| bits | it.0.1.bits);
        for word in words {
            let bits = bits(word);
            if bits & all == 0 {
                continue;
            }
            for ((_, grams), like) in &mut missing {
                if bits & grams.bits != 0 {
                    *like = like.max(grams.likeness(word));
                }
            }
        }
        let worth = missing.into_iter().map(|((place, _), like)| like * self.rarity(*place));
        NEARLY * worth.fold(0.0, |sum, it| sum + it)
    }
}

fn word<'a>(text: &'a str, term: &Term) -> &'a str {
    text.get(term.from..term.to).unwrap_or_default()
}

/// A word by every four letters that follow each other, its ends among them.
#[derive(Debug)]
struct Grams {
    /// Where nothing is in common, nothing is compared.
    bits: u64,
    all: Vec<u32>,
}

impl Grams {
    fn of(word: &str) -> Self {
        let mut all = Vec::with_capacity(word.len());
        grams(word, |it| all.push(it));
        Self { bits: bits(word), all }
    }

    /// How much another word has in common with it, between 0 and 1.
    #[expect(clippy::cast_precision_loss, reason = "letters of a word")]
    fn likeness(&self, word: &str) -> f32 {
        let (mut common, mut count) = (0, 0);
        grams(word, |gram| {
            common += usize::from(self.all.contains(&gram));
            count += 1;
        });
        (2.0 * common as f32 / (self.all.len() + count) as f32).min(1.0)
    }
}

/// Tells every four letters of a word that follow each other. A word of one letter has three.
fn grams(word: &str, mut tell: impl FnMut(u32)) {
    const END: u8 = b'_';
    let push = |gram: u32, letter: u8| gram << 8 | u32::from(letter);
    let mut gram = push(0, END);
    for (place, letter) in word.bytes().enumerate() {
        gram = push(gram, letter.to_ascii_lowercase());
        if place >= 2 {
            tell(gram);
        }
    }
    tell(push(gram, END));
}

/// A bit for each of them.
fn bits(word: &str) -> u64 {
    let mut bits = 0;
    grams(word, |it| bits |= 1 << (it.wrapping_mul(0x9e37_79b1) >> 26));
    bits
}

#[cfg(test)]
mod tests {
    use super::{Closer, Grams, Query, bits};

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
        for (one, other) in [("Timeout", "timeout"), ("a", "A"), ("ab", "AB"), ("é", "é")] {
            let like = Grams::of(one).likeness(other);
            assert!((like - 1.0).abs() < f32::EPSILON && bits(one) == bits(other), "{one}");
        }
        // Five of the seven of each.
        let like = Grams::of("timeout").likeness("timeouts");
        assert!((like - 2.0 * 5.0 / 13.0).abs() < 0.001, "{like}");
    }

    #[test]
    fn whatever_is_compared_it_is_bounded() {
        let long = "word ".repeat(100_000);
        assert!(look(&long, &long) <= 12.0);
        let same = Grams::of("aaaa").likeness("aaaaaaaa");
        assert!((same - 1.0).abs() < f32::EPSILON, "{same}");
        assert!(look("", "").abs() < f32::EPSILON && look("é", "長い").abs() < f32::EPSILON);
    }
}
