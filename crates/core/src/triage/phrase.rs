//! Cues of languages without spaces: parts of sentences.
//!
//! A phrase is found by its first character. `^` at its beginning: only a sentence begins so.

use super::cues::{Group, Groups, Words};
use super::pattern::Counts;
use super::token::{Kind, Token, Tokens, sentences};

/// Places for first characters.
const PLACES: usize = 256;
/// No language has so many phrases.
pub(super) const PHRASES: usize = 640;

/// A phrase of a group.
#[derive(Debug, Clone, Copy)]
struct Phrase {
    group: u8,
    /// Without its `^`.
    text: &'static str,
    is_first: bool,
}

/// The phrases of a language.
#[derive(Debug)]
pub(super) struct Phrases {
    rows: [Phrase; PHRASES],
    count: usize,
    /// The first phrase of each place, counted from one.
    first: [u16; PLACES],
    /// The phrase behind each that has the same place.
    next: [u16; PHRASES],
}

impl Phrases {
    /// The tables of a language, made when the program is compiled.
    pub(super) const fn of(words: &Words) -> Self {
        let empty = Phrase { group: 0, text: "", is_first: false };
        let mut phrases =
            Self { rows: [empty; PHRASES], count: 0, first: [0; PLACES], next: [0; PHRASES] };
        let mut group = 0;
        while group < words.groups.len() {
            let (of, texts) = words.groups[group];
            let mut at = 0;
            while at < texts.len() {
                phrases.add(of, texts[at]);
                at += 1;
            }
            group += 1;
        }
        phrases
    }

    #[expect(clippy::cast_possible_truncation, reason = "there are few phrases and groups")]
    const fn add(&mut self, group: Group, text: &'static str) {
        let is_first = text.as_bytes()[0] == b'^';
        let text = if is_first { text.split_at(1).1 } else { text };
        self.rows[self.count] = Phrase { group: group as u8, text, is_first };
        let place = place(text.as_bytes());
        self.next[self.count] = self.first[place];
        self.count += 1;
        self.first[place] = self.count as u16;
    }

    /// Counts the phrases of some groups that occur in a text. One that is a part of a longer one
    /// that occurs does not count.
    pub(super) fn count(
        &self,
        tokens: &Tokens,
        text: &[Token],
        groups: Groups,
        counts: &mut Counts,
    ) {
        if !text.iter().any(|it| it.kind == Kind::Wide) {
            return;
        }
        let mut hits = Vec::new();
        let mut joined = String::new();
        for sentence in sentences(text) {
            join(tokens, sentence, &mut joined);
            self.find(&joined, groups, &mut hits);
        }
        hits.sort_by_key(|it: &&Phrase| std::cmp::Reverse(it.length()));
        for (at, hit) in hits.iter().enumerate() {
            let is_part = |it: &&Phrase| it.group == hit.group && it.text.contains(hit.text);
            if !hits[..at].iter().any(is_part) {
                counts[usize::from(hit.group)] = counts[usize::from(hit.group)].saturating_add(1);
            }
        }
    }

    /// Whether a text begins with a phrase of a group.
    pub(super) fn begins(&self, tokens: &Tokens, text: &[Token], group: Group) -> bool {
        let mut joined = String::new();
        join(tokens, text, &mut joined);
        self.at(&joined).any(|it| usize::from(it.group) == group as usize)
    }

    fn find<'a>(&'a self, sentence: &str, groups: Groups, hits: &mut Vec<&'a Phrase>) {
        for (at, _) in sentence.char_indices() {
            for phrase in self.at(&sentence[at..]) {
                if groups.has(phrase.group.into()) && (at == 0 || !phrase.is_first) {
                    let is_known = |it: &&Phrase| std::ptr::eq(*it, phrase);
                    if !hits.iter().any(is_known) {
                        hits.push(phrase);
                    }
                }
            }
        }
    }

    /// The phrases with which a text begins.
    fn at<'a>(&'a self, text: &str) -> impl Iterator<Item = &'a Phrase> {
        let mut next = self.first[place(text.as_bytes())];
        let rows = std::iter::from_fn(move || {
            let row = usize::from(next).checked_sub(1)?;
            next = self.next[row];
            Some(&self.rows[row])
        });
        rows.filter(move |it| text.starts_with(it.text))
    }
}

impl Phrase {
    fn length(&self) -> usize {
        self.text.len() + usize::from(self.is_first)
    }
}

fn join(tokens: &Tokens, text: &[Token], joined: &mut String) {
    joined.clear();
    for token in text {
        joined.push_str(tokens.word(*token));
    }
}

/// The place of a text, which is that of its first character.
const fn place(text: &[u8]) -> usize {
    match text {
        [first, second, third, ..] if *first >= 0xe0 => {
            (*second as usize * 67 + *third as usize) % PLACES
        }
        [first, ..] => *first as usize % PLACES,
        [] => 0,
    }
}
