//! What betrays a text wherever it is quoted, so that it can be forgotten there too.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::ops::Range;

use super::claim::each_word;
use crate::recall::script::is_ideograph;

/// Words in a row that betray a text.
const ROW: usize = 4;

/// Words in a row that are surely a quote: four of them may stand in anybody's sentence.
const QUOTE: usize = 6;

/// Bytes below which a text of fewer words stands everywhere, and betrays itself only in words about
/// us: a command of ours, an ask.
const TELLING: usize = 12;

/// What stands in those.
const OURS: &str = "windlass";

/// What betrays texts wherever they were quoted, whole or in part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// With how many words in a row are a quote of the text.
    rows: BTreeMap<Vec<String>, usize>,
    /// Very short texts.
    faint: BTreeSet<Vec<String>>,
}

impl Trace {
    /// What betrays some texts.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut trace = Self::default();
        for text in texts {
            let words = words(text);
            let quote = words.len().min(QUOTE);
            let mut add = |row: Vec<String>| {
                let known = trace.rows.entry(row).or_insert(quote);
                *known = quote.min(*known);
            };
            if words.len() >= ROW {
                words.windows(ROW).for_each(|it| add(it.to_vec()));
            } else if text.len() >= TELLING && !words.is_empty() {
                add(words);
            } else if !words.is_empty() && words != [OURS] {
                trace.faint.insert(words);
            }
        }
        trace
    }

    /// Whether there is nothing to be betrayed.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.faint.is_empty()
    }

    /// Whether a text holds some of it.
    pub fn is_in(&self, text: &str) -> bool {
        let words = words(text);
        let is_ours = !self.faint.is_empty() && words.iter().any(|it| it == OURS);
        let betrays =
            |row: &[String]| self.rows.contains_key(row) || (is_ours && self.faint.contains(row));
        (1..=ROW).any(|length| words.windows(length).any(betrays))
    }

    /// A text with `place` where it quotes some of it; `None` where it quotes nothing. What others
    /// wrote around it stays.
    pub fn taken_out(&self, text: &str, place: &str) -> Option<String> {
        let (mut words, mut ranges) = (Vec::new(), Vec::new());
        each_word(text, is_ideograph, |word, range| {
            words.push(word.to_owned());
            ranges.push(range);
        });
        let (mut out, mut end) = (String::new(), 0);
        for run in self.quotes(&words) {
            out.push_str(&text[end..ranges[run.start].start]);
            out.push_str(place);
            end = ranges[run.end - 1].end;
        }
        out.push_str(&text[end..]);
        (end > 0).then_some(out)
    }

    /// Where words are a quote.
    fn quotes(&self, words: &[String]) -> Vec<Range<usize>> {
        if self.faint.contains(words) {
            return iter::once(0..words.len()).collect();
        }
        let mut runs: Vec<(Range<usize>, usize)> = Vec::new();
        for from in 0..words.len() {
            let lengths = (1..=ROW.min(words.len() - from)).rev();
            let row = |length| Some((from + length, *self.rows.get(&words[from..from + length])?));
            let Some((to, least)) = lengths.into_iter().find_map(row) else { continue };
            match runs.last_mut() {
                Some((run, known)) if from <= run.end => {
                    run.end = run.end.max(to);
                    *known = least.min(*known);
                }
                _ => runs.push((from..to, least)),
            }
        }
        runs.into_iter().filter(|(run, least)| run.len() >= *least).map(|it| it.0).collect()
    }
}

/// The words of a text, in small letters and without what stands between them. Letters of Thai and its
/// like are no words here: four of them stand in every text.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, is_ideograph, |word, _| words.push(word.to_owned()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_betrayed_by_a_part_of_it() {
        let trace =
            Trace::of(["The cache key leaves out the feature flags", "kumquat-7781", "short"]);
        assert!(trace.is_in("{\"text\":\"… key leaves out THE feature…\"}"));
        assert!(trace.is_in("say kumquat 7781 aloud"));
        assert!(!trace.is_in("the key leaves the house"));
        assert!(!trace.is_in("short"));
        assert!(!trace.is_in(""));
        assert!(Trace::of(["", "…"]).is_empty());
        let taken = |it: &str| trace.taken_out(it, "[…]");
        let quote =
            "I say: “The cache-key leaves out the feature flags” to kumquat-7781, and so on.";
        assert_eq!(taken(quote).unwrap(), "I say: “[…]” to […], and so on.");
        assert_eq!(
            taken("A cache key leaves out the index."),
            None,
            "it may be anybody's sentence"
        );
        assert_eq!(taken("short and sweet"), None);
        assert_eq!(taken("short!").unwrap(), "[…]!");
        // A short one stands everywhere, and betrays itself where it was remembered.
        let trace = Trace::of(["use tabs"]);
        assert!(trace.is_in("windlass remember \"use tabs\" --category preference"));
        assert!(!trace.is_in("we use tabs here"));
        assert!(!trace.is_in("windlass remember \"use blanks\""));
    }
}
