//! What a message takes back: what was not run, what fails, what the reader is asked to run.

use super::aside::Aside;
use super::lexicon::{FAILS, NEGATIONS, PASSES, REQUESTS, RUNS, is_test_word, words};
use super::none::none_at;
use super::phrase::head;
use super::share::{Nouns, counts_tests};
use super::{Claimed, Kind, Said, Sentence, contrast, languages};

/// The subjects that a message itself doubts.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    /// Not run, or left to the reader: this holds for the whole message, but for what a gap in
    /// another part does not speak of.
    open: Vec<(Claimed, Option<Aside>)>,
    /// Said to fail, and where. It may be how the work began.
    failing: Vec<(Claimed, usize)>,
}

impl Doubts {
    /// The doubts of all sentences.
    pub(super) fn of(sentences: &[Sentence<'_>]) -> Self {
        let mut doubts = Self::default();
        for (place, sentence) in sentences.iter().enumerate().filter(|(_, said)| !said.asks) {
            doubts.read(sentence, place);
            let is_aside = || doubts.open.iter().rev().any(|it| is_in(it.1.as_ref(), place));
            if languages::names_gap(sentence, sentences.get(place + 1)) && !is_aside() {
                doubts.failing.extend([(Claimed::Tests, place), (Claimed::Works, place)]);
            }
        }
        doubts
    }

    /// Tells whether something is said not to be run.
    pub(super) fn leaves_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Tells whether something is said not to be run beside what the message claims.
    pub(super) fn leaves_other_open(&self) -> bool {
        self.open.iter().any(|it| it.1.is_some())
    }

    /// Tells whether the part that a name of a test names is said not to be run.
    pub(super) fn leaves_open_part(&self, name: &str) -> bool {
        self.open.iter().any(|it| it.1.is_some_and(|it| it.is_of_name(name)))
    }

    /// Tells whether some of the tests are said not to be run.
    pub(super) fn leaves_out_tests(&self) -> bool {
        self.open.iter().any(|it| it.1.is_some_and(|it| it.is_of_tests()))
    }

    /// Tells whether a claim is doubted. What failed at first is settled by a later claim that
    /// leaves nothing out.
    pub(super) fn against(&self, said: Said, place: usize, sentences: &[Sentence<'_>]) -> bool {
        let failing =
            |(what, at): &(Claimed, usize)| *what == said.what && (!said.whole || *at >= place);
        let is_open = |(what, aside): &(Claimed, Option<Aside>)| {
            let is_same = |it: &Aside| match sentences.get(place) {
                Some(sentence) => it.is_about(sentence, place, said.end, said.ci),
                None => false,
            };
            *what == said.what && aside.as_ref().is_none_or(is_same)
        };
        self.open.iter().any(is_open) || self.failing.iter().any(failing)
    }

    fn read(&mut self, sentence: &Sentence<'_>, place: usize) {
        if let Some(at) = languages::undone_at(sentence) {
            let all = [Claimed::Tests, Claimed::Build, Claimed::Lint, Claimed::Works];
            let aside = Aside::of(sentence, place, at);
            self.open.extend(all.map(|it| (it, aside)));
        }
        if languages::tells_failure(sentence) {
            self.failing.push((Claimed::Tests, place));
        }
        let named: Vec<_> = (0..sentence.tokens.len())
            .filter_map(|at| head(sentence, at))
            .map(|(w, _)| w)
            .collect();
        for at in 0..sentence.tokens.len() {
            if sentence.is(at, &["untested", "unverified"]) {
                let aside = Aside::of(sentence, place, at);
                self.open.extend([Claimed::Tests, Claimed::Works].map(|it| (it, aside)));
            }
            let is_none = none_at(sentence, at).is_some();
            if sentence.is(at, NEGATIONS) && !describes(sentence, at) && !is_none
                || sentence.is(at, REQUESTS) && asks_reader(sentence, at)
            {
                let left = left(sentence, at, &named);
                let aside = if left.is_empty() { None } else { Aside::of(sentence, place, at) };
                self.open.extend(left.into_iter().map(|it| (it, aside)));
            }
            self.failing.extend(fails(sentence, at).into_iter().map(|what| (what, place)));
        }
    }
}

fn is_in(aside: Option<&Aside>, place: usize) -> bool {
    aside.is_some_and(|it| it.place() == place)
}

/// Things that may be left unchecked while the tests pass.
const OTHER_OBJECTS: &[&str] = words! {
    "docs" "documentation" "coverage" "formatting" "warnings" "links" "spelling" "changelog" "readme"
    "style" "comments" "performance" "benchmarks" "benchmark" "deployment" "translations"
};

/// "It does not run the tests" says what a program does.
fn describes(sentence: &Sentence<'_>, at: usize) -> bool {
    at > 0 && sentence.is(at - 1, &["does", "do", "will", "should", "must", "would"])
}

/// "Please run", "you should run", "you need to run".
fn asks_reader(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at, &["please", "recommend", "suggest", "remember", "forget", "you'll", "worth"])
        || (at.saturating_sub(3)..at).any(|before| sentence.is(before, &["you", "you'll", "still"]))
        || sentence.is(at, &["need", "needs"]) && sentence.is(at + 2, &["be"])
}

/// The subjects that were not run, or are to be run: those that the sentence names, or those of
/// the verb.
fn left(sentence: &Sentence<'_>, at: usize, named: &[Claimed]) -> Vec<Claimed> {
    let verb = (at + 1..at + 6)
        .take_while(|place| {
            sentence.kind(*place) == Some(Kind::Word)
                && !sentence.is(*place, &["and", "but", "that"])
        })
        .find(|place| sentence.is(*place, RUNS));
    let Some(verb) = verb else { return Vec::new() };
    // "… but I have not run the linter": what follows the verb is what was not run.
    let behind: Vec<_> = (verb + 1..sentence.tokens.len())
        .filter_map(|it| head(sentence, it))
        .map(|it| it.0)
        .collect();
    let named = if behind.is_empty() { named } else { &behind[..] };
    let is_other = sentence.is(verb + 1, &["the", "any", "our", "its"])
        && sentence.is(verb + 2, OTHER_OBJECTS);
    if is_other && behind.is_empty() {
        return Vec::new();
    }
    if !named.is_empty() && !sentence.is(verb, &["verify", "verified", "confirm", "confirmed"]) {
        return named.to_vec();
    }
    match sentence.word(verb) {
        "test" | "tested" | "testing" => vec![Claimed::Tests, Claimed::Works],
        "build" | "built" | "building" | "compile" | "compiled" => vec![Claimed::Build],
        "lint" | "linted" => vec![Claimed::Lint],
        "verify" | "verified" | "verifying" | "validate" | "validated" | "confirm"
        | "confirmed" => {
            let mut all = named.to_vec();
            all.push(Claimed::Works);
            all
        }
        _ => vec![Claimed::Works],
    }
}

/// "All 3 failing tests now pass": what failed at a place passes now.
fn is_mended(sentence: &Sentence<'_>, at: usize) -> bool {
    let helpers = ["now", "all", "are", "both", "again", "finally"];
    head(sentence, at + 1)
        .and_then(|(_, end)| (end..end + 4).find(|it| !sentence.is(*it, &helpers)))
        .is_some_and(|it| sentence.is(it, PASSES))
}

/// The subjects that are said to fail.
fn fails(sentence: &Sentence<'_>, at: usize) -> Vec<Claimed> {
    let counted = |at: usize| matches!(sentence.kind(at), Some(Kind::Count(1..)));
    match sentence.kind(at) {
        // "3 failed", "2 pre-existing failures".
        Some(Kind::Count(1..)) => {
            let place = at
                + 1
                + usize::from(
                    sentence.is(at + 1, &["pre-existing", "unrelated", "known", "test", "tests"]),
                );
            let failed = sentence.is(place, &["failed", "failing", "failure", "failures"]);
            // "From 1 failed to 9 passed".
            let ends_well = || {
                (at.saturating_sub(6)..at).any(|it| {
                    sentence.is(it, &["from"]) && contrast::ends_well(sentence, it).is_some()
                })
            };
            let failed = failed && !is_mended(sentence, place) && !ends_well();
            return if failed { vec![Claimed::Tests] } else { Vec::new() };
        }
        // What is covered is no share of what passes.
        Some(Kind::Ratio(..))
            if sentence.tokens.iter().any(|it| it.is(&["coverage", "covered"])) =>
        {
            return Vec::new();
        }
        Some(Kind::Ratio(part, of)) if part < of => {
            let nouns = Nouns {
                is_test: &|it| head(sentence, it).is_some(),
                is_state: &|it| sentence.is(it, PASSES),
                is_filling: &|_| false,
            };
            let is_share = counts_tests(sentence, (at, at + 1), &nouns);
            let near = at.saturating_sub(5)..at + 7;
            let about = near.filter(|_| is_share).find_map(|near| head(sentence, near));
            return about.map(|(what, _)| what).into_iter().collect();
        }
        Some(Kind::Cross) => {
            let about = (0..sentence.tokens.len()).filter_map(|near| head(sentence, near));
            return about.map(|(what, _)| what).collect();
        }
        _ => {}
    }
    if sentence.is(at, &["pre-existing", "preexisting", "unrelated", "remaining"])
        && (at + 1..at + 3).any(|next| sentence.is(next, &["failure", "failures", "failing"]))
    {
        return vec![Claimed::Tests];
    }
    // A test that is meant to fail is there before the work that it asks for.
    if sentence.is(at, FAILS) && sentence.is(at + 1, &["as"]) && sentence.is(at + 2, &["expected"])
    {
        return vec![Claimed::Tests];
    }
    // "But one fails", "two of them still fail".
    let numbers = ["one", "two", "three", "four", "five", "some", "several"];
    if sentence.is(at, &numbers) {
        let filling = ["of", "them", "still", "tests", "test", "are", "is", "these", "the"];
        let place = (at + 1..at + 5).find(|it| !sentence.is(*it, &filling));
        let denies = |it: usize| {
            sentence.is(it, &["doesn't", "don't", "didn't", "isn't", "aren't"])
                || sentence.is(it, &["does", "do", "did", "is"]) && sentence.is(it + 1, &["not"])
        };
        let is_failing = |it: usize| sentence.is(it, FAILS) && !is_mended(sentence, it);
        // "Not one test fails."
        let is_none = at > 0 && sentence.is(at - 1, &["not"]);
        let failing = !is_none && (place.is_some_and(is_failing) || denies(at + 1));
        return if failing { vec![Claimed::Tests] } else { Vec::new() };
    }
    // "The tests still fail", "lint does not pass".
    let Some((what, mut after)) = head(sentence, at) else { return Vec::new() };
    // "No tests fail."
    if (at.saturating_sub(5)..at).any(|it| none_at(sentence, it).is_some()) {
        return Vec::new();
    }
    let helpers = ["is", "are", "still", "currently", "now", "all", "both", "that", "do", "does"];
    while sentence.is(after, &helpers) {
        after += 1;
    }
    let denied = sentence
        .is(after, &["not", "don't", "doesn't", "didn't", "aren't", "isn't", "never"])
        && (after + 1..after + 3)
            .any(|next| sentence.is(next, &["pass", "passing", "green", "clean"]));
    let is_name = is_test_word(sentence.word(at));
    let is_left = is_name
        && (sentence.is(after, &["not", "doesn't", "didn't"])
            && !matches!(sentence.kind(after + 1), Some(Kind::Word | Kind::Code(_))));
    if is_left {
        return vec![what];
    }
    let is_counted = is_name || (at.saturating_sub(3)..at).any(counted);
    let past = sentence.is(after, &["failed"]) && is_counted;
    // "The test fails without the fix and passes with it."
    let is_over = contrast::passes_with_change(sentence, after).is_some();
    let fails = sentence.is(after, FAILS) || denied || past;
    if fails && !is_over { vec![what] } else { Vec::new() }
}
