//! Whether the final message of an agent claims that something was verified.
//!
//! A claim that is not there annoys whoever is asked to prove it, so a sentence counts only where
//! it has the whole shape of one, and everything that is not known to belong to that shape ends
//! the search. The shapes, with the words of `lexicon`:
//!
//! | shape | example |
//! | --- | --- |
//! | opening, noun phrase, filling, state, follower | `…, and all 12 unit tests now pass.` |
//! | label, state | `Lint: 0 issues` |
//! | nothing, subject, problem | `no type errors` |
//! | verb, adverb | `it compiles cleanly` |
//! | passes, whole, subject | `it passes the whole test suite` |
//! | everything, state | `I ran the tests and everything is green` |
//! | ran, subject, pronoun, state | `I re-ran the tests and they all pass` |
//! | ran, subject, colon, state | `Ran the full suite: green.` |
//! | all, parts, state | `Every package is green.` |
//! | found, works or how | `verified that the fix works`, `tested by running …` |
//! | found, and, working | `Tested and working.` |
//! | count, passed, none, failed | `42 passed, 0 failed` |
//! | tick, subjects and nothing else | `✅ Build, tests` |
//! | subject, share and nothing else | `Tests 12/12` |
//! | nothing, subject, fails | `no tests fail anymore`, `zero failures` |
//! | all, count, passes | `all 42 pass` |
//! | thing, was, tested | `the fix has been tested` |
//! | passes, including, tests | `the build passes, including all tests` |
//! | script, count, passed | `` `ci.sh`: 12 passed `` |
//! | CI, state | `CI is green`: a look at CI carries it |
//! | ran, subject, successfully | `I successfully ran the tests` |
//! | works, tested | `Works, tested.` |
//! | testing, confirms, thing | `Manual testing confirms the fix` |
//! | covered, passing, test | `covered by a passing test` |
//! | result, count, passed | `Result: 42 passed in 1.2s` |
//! | tests, added, state, in `added` | `New tests added and passing` |
//! | name of a test, state | `test_login passes now` |
//! | thing, tested; tested alone | `Fix verified.`, `Verified.` |
//! | which, run, ended, well | `The last run was green.` |
//! | command without marks, passes, in `plain_command` | `make test passes.` |
//! | nothing, broke; works, all; tested, how well, in `unbroken` | `No regressions.` |
//! | how it was and how it is, in `contrast` | `fails without the fix and passes with it` |
//! | a block that shows a run that passed, in `transcript` | `$ pytest` … `455 passed` |
//!
//! The same in other languages is in `languages`: a file of words for each, one grammar for all.
//! `marks` lets words and sentences pass by that cannot make a claim.
//!
//! Guards take a sentence out: questions, conditions, wishes, instructions, descriptions, the
//! words of others. Doubts take a subject out of the whole message: `I could not run the tests`.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a token that a shape does not name ends the search, whatever it is"
)]

mod added;
mod aside;
mod bare;
mod breakage;
mod contrast;
mod doubt;
mod excuse;
mod grammar;
mod guard;
mod included;
mod languages;
mod last_run;
mod lexicon;
mod lines;
mod marks;
mod none;
mod others;
mod phrase;
mod plain_command;
mod question;
mod question_words;
mod ran;
mod report;
mod scope;
mod share;
mod taken_back;
#[cfg(test)]
mod tests;
mod token;
mod transcript;
mod unbroken;
mod unmended;
mod work;

use crate::Excerpt;
use lines::Passage;
use marks::Marks;
use token::{Kind, Token, tokens};

pub(crate) use breakage::{claimed_count, old_failure, tells_breakage};
pub(crate) use lexicon::is_test_word;
pub(crate) use lines::{list_item, spoken_lines};
pub(crate) use others::{accounts_for, names_each, names_some};
pub(crate) use report::{
    is_honest_report, leaves_open, limits_scope, names_another, names_failure, retracts,
};
pub use scope::ClaimScope;
pub(crate) use scope::whole_suite;

/// What a final message says was verified, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claimed {
    /// The tests pass.
    Tests,
    /// It builds.
    Build,
    /// The linter has nothing to say.
    Lint,
    /// The types are right.
    Types,
    /// It was seen to work, without a word on how: any run is proof.
    Works,
}

/// A claim, with the words in which it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What is said to be verified.
    pub what: Claimed,
    /// The sentence, or the part of a long one that makes the claim.
    pub quote: String,
    /// How much it says to be verified.
    pub scope: ClaimScope,
    /// It is said of CI, and of no run of the author.
    pub is_ci: bool,
    /// It says only that the code compiles: a type check shows that, too.
    pub is_compilation: bool,
    /// The message says of something else that it was not run.
    pub has_gap: bool,
}

impl Claim {
    /// Characters that a quote may have.
    pub const QUOTE: usize = 160;
    /// Claims that are told of one message.
    pub const MOST: usize = 3;
}

/// The claims of verification in a message: one for a subject, the strongest first, at most
/// three.
pub fn claims(message: &Excerpt) -> Vec<Claim> {
    let shown = transcript::claims(message);
    with_sentences(message, |sentences| {
        let mut said = claims_of(sentences);
        if shown.is_empty() {
            return said;
        }
        let doubts = doubt::Doubts::of(sentences);
        let is_new = |it: &Claim| {
            let in_block = Said::of(it.what, false, 0);
            !said.iter().any(|other| other.what == it.what)
                && !doubts.against(in_block, usize::MAX, sentences)
        };
        let new: Vec<_> = shown.into_iter().filter(is_new).collect();
        said.extend(new);
        said.sort_by_key(|it| it.what);
        said.truncate(Claim::MOST);
        said
    })
}

/// Reads a message sentence by sentence.
fn with_sentences<T>(message: &Excerpt, read: impl FnOnce(&[Sentence<'_>]) -> T) -> T {
    let passages = lines::passages(message);
    let tokens: Vec<_> = passages.iter().map(|passage| tokens(&passage.text)).collect();
    let sentences: Vec<_> = passages
        .iter()
        .zip(&tokens)
        .flat_map(|(passage, tokens)| {
            tokens
                .split_inclusive(|token| matches!(token.kind, Kind::Stop | Kind::Question))
                .map(|tokens| Sentence::new(passage, tokens))
        })
        .collect();
    read(&sentences)
}

fn claims_of(sentences: &[Sentence<'_>]) -> Vec<Claim> {
    let mut found: Vec<Found> = Vec::new();
    for (place, sentence) in sentences.iter().enumerate().filter(|(_, sentence)| sentence.counts) {
        let said = grammar::read(sentence).into_iter().chain(work::read(sentence));
        let said = said.chain(bare::read(sentence)).chain(ran::read(sentence));
        let said = said.chain(none::read(sentence)).chain(last_run::read(sentence));
        let said = said.chain(unbroken::read(sentence)).chain(plain_command::read(sentence));
        let said = said.chain(added::read(sentence)).chain(contrast::read(sentence));
        let before = place.checked_sub(1).and_then(|it| sentences.get(it));
        let said = said.chain(before.and_then(|it| ran::read_after(it, sentence)));
        let mut said: Vec<_> = said.collect();
        if said.is_empty() {
            said.extend(languages::read(sentence).or_else(|| unbroken::read_other(sentence)));
        }
        if !said.is_empty() {
            let of_others = others::speaks_of_others(sentence.text);
            found.extend(said.into_iter().map(|said| Found { said, place, of_others }));
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    // In a list of what was done, "✅ Tests" are tests that were written.
    let done = sentences.iter().enumerate().any(|(place, sentence)| {
        bare::is_ticked(sentence) && !found.iter().any(|claim| claim.place == place)
    });
    found.retain(|claim| !done || !bare::rests_on_tick(&sentences[claim.place]));
    let doubts = doubt::Doubts::of(sentences);
    found.retain(|claim| !doubts.against(claim.said, claim.place, sentences));
    // The claim that leaves nothing out is the one to be proven.
    found.sort_by_key(|claim| {
        let Said { what, ci, whole, .. } = claim.said;
        (what, ci, claim.of_others, !whole, claim.place)
    });
    found.dedup_by_key(|claim| claim.said.what);
    found.truncate(Claim::MOST);
    let told = |claim: Found| {
        let sentence = sentences.get(claim.place)?;
        let scope = if claim.of_others {
            ClaimScope::Others
        } else {
            ClaimScope::of(sentence.text, claim.said.whole)
        };
        // "All tests pass. I did not run the slow ones."
        let is_less = scope == ClaimScope::All && doubts.leaves_out_tests();
        let scope = if is_less { ClaimScope::Some } else { scope };
        let (what, is_ci) = (claim.said.what, claim.said.ci);
        let is_compilation = what == Claimed::Build && scope::names_compilation(sentence.text);
        let quote = sentence.quote(claim.said.end);
        let has_gap = doubts.leaves_other_open();
        Some(Claim { what, quote, scope, is_ci, is_compilation, has_gap })
    };
    found.into_iter().filter_map(told).collect()
}

/// What was said in which sentence, while doubts may still speak against it.
struct Found {
    said: Said,
    place: usize,
    /// It is said of what the message has not named.
    of_others: bool,
}

/// What a sentence says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Said {
    what: Claimed,
    /// It is said of all of it.
    whole: bool,
    /// The token after the claim.
    end: usize,
    /// It is said of runs elsewhere.
    ci: bool,
}

impl Said {
    fn of(what: Claimed, whole: bool, end: usize) -> Self {
        Self { what, whole, end, ci: false }
    }
}

/// A sentence as tokens, without the sign at its end.
struct Sentence<'a> {
    tokens: &'a [Token<'a>],
    /// Its words, with the sign.
    text: &'a str,
    passage: &'a str,
    /// It is a question.
    asks: bool,
    /// It may make a claim: it is neither a question nor part of a plan.
    counts: bool,
    /// A row of a table: only `label: state` counts.
    row: bool,
    /// The parts that its words may play.
    marks: Marks,
}

impl<'a> Sentence<'a> {
    fn new(passage: &'a Passage, tokens: &'a [Token<'a>]) -> Self {
        let text = span(&passage.text, tokens);
        let last = tokens.last().map(|last| last.kind);
        let asks = last == Some(Kind::Question);
        let ended = asks || last == Some(Kind::Stop);
        let mut tokens = tokens.get(..tokens.len() - usize::from(ended)).unwrap_or_default();
        // "1. It is right 2. The tests pass": the number begins the next item.
        if let [rest @ .., Token { kind: Kind::Count(number @ 2..10), .. }] = tokens
            && ended
            && passage.text.contains(&format!("{}. ", number - 1))
        {
            tokens = rest;
        }
        let counts = !asks && !passage.planned;
        let marks = tokens.iter().fold(Marks::default(), |marks, token| marks.or(token.marks));
        Self { tokens, text, passage: &passage.text, asks, counts, row: passage.row, marks }
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn marks_at(&self, at: usize) -> Marks {
        self.tokens.get(at).map_or(Marks::default(), |token| token.marks)
    }

    fn is(&self, at: usize, words: &[&str]) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(words))
    }

    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &token.word)
    }

    /// The sentence, cut where it is too long so that the claim, which ends before a token,
    /// stays in it.
    fn quote(&self, end: usize) -> String {
        let whole = self.text.replace("**", "");
        let room = Claim::QUOTE - 1;
        if whole.chars().count() <= Claim::QUOTE {
            return whole;
        }
        let claim = span(self.passage, self.tokens.get(..end).unwrap_or(self.tokens));
        let claim = claim.replace("**", "");
        let length = claim.chars().count();
        if length <= room {
            return whole.chars().take(room).chain(['…']).collect();
        }
        ['…'].into_iter().chain(claim.chars().skip(length - room)).collect()
    }
}

/// The text from the first to the last of the tokens.
fn span<'a>(passage: &'a str, tokens: &[Token<'_>]) -> &'a str {
    let start = tokens.first().map_or(0, |token| token.start);
    let end = tokens.last().map_or(0, |token| token.end);
    passage.get(start..end).unwrap_or_default()
}
