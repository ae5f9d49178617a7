//! Languages whose words stand apart.

use std::cell::Cell;

use super::{Language, Reading, Script, Words};
use crate::claim::share::reaches;
use crate::claim::{Claimed, Kind, Said, Sentence};

/// Words that may stand between noun and state although no list has them.
const UNKNOWN: usize = 3;

/// How the lists write a share that is all of it.
const HUNDRED: &str = "100";

/// What a sentence says to pass; `near` are the places where a claim in Latin letters may begin.
pub(super) fn read(language: &Language, sentence: &Sentence<'_>, near: &[usize]) -> Reading {
    let reader = Reader { language, sentence, is_guarded: Cell::new(false) };
    let named = |at: usize| {
        let noun = reader.noun(at)?;
        reader
            .passes(at, noun)
            .or_else(|| reader.passes_before(at, noun))
            .or_else(|| reader.none_fails(at, noun))
            .or_else(|| reader.ran_and_none_fails(at, noun))
    };
    let other = |at: usize| {
        let said = reader.tested_alone(at).or_else(|| reader.compiles(at));
        let said = said.or_else(|| reader.tested(at)).or_else(|| reader.tested_and_none_fails(at));
        said.or_else(|| reader.everything(at)).or_else(|| reader.all_fine(at))
    };
    let places = || near.iter().copied();
    match places().find_map(named).or_else(|| places().find_map(other)) {
        Some(said) => Reading::Claim(said),
        None if reader.is_guarded.get() => Reading::Guarded,
        None => Reading::Nothing,
    }
}

/// Tells whether a sentence says that tests fail.
pub(super) fn fails(language: &Language, sentence: &Sentence<'_>, near: &[usize]) -> bool {
    let reader = Reader { language, sentence, is_guarded: Cell::new(false) };
    let named = |at: usize| {
        reader.noun(at).is_some_and(|noun| {
            noun.what == Claimed::Tests
                && reader.none_before(at).is_none()
                && (noun.end..noun.end + 6)
                    .any(|it| reader.is_failure(noun.end, it) && reader.none_before(it).is_none())
        })
    };
    near.iter().copied().any(named)
}

/// Where a sentence says that something was not run. The last word of a phrase may go on.
pub(super) fn undone_at(language: &Language, sentence: &Sentence<'_>) -> Option<usize> {
    let reader = Reader { language, sentence, is_guarded: Cell::new(false) };
    let begins = |at: usize, phrase: &str| {
        let (head, last) = phrase.rsplit_once(' ').unwrap_or(("", phrase));
        let words = head.split(' ').filter(|it| !it.is_empty());
        let mut end = at;
        for word in words {
            if !reader.is_word(end, word) {
                return false;
            }
            end += 1;
        }
        sentence.word(end).starts_with(last)
    };
    (0..sentence.tokens.len()).find(|at| language.undone.iter().any(|it| begins(*at, it)))
}

/// A sentence in which phrases of a language are looked for.
pub(super) struct Phrases<'a>(Reader<'a>);

impl<'a> Phrases<'a> {
    pub(super) fn new(language: &'a Language, sentence: &'a Sentence<'a>) -> Self {
        Self(Reader { language, sentence, is_guarded: Cell::new(false) })
    }

    /// The first place of one of the phrases.
    pub(super) fn find(&self, phrases: Words) -> Option<usize> {
        (0..self.0.sentence.tokens.len()).find(|at| self.at(*at, phrases))
    }

    pub(super) fn any(&self, phrases: Words) -> bool {
        self.find(phrases).is_some()
    }

    pub(super) fn at(&self, at: usize, phrases: Words) -> bool {
        self.0.at(at, phrases).is_some()
    }
}

/// What a noun names.
#[derive(Debug, Clone, Copy)]
struct Noun {
    what: Claimed,
    ci: bool,
    /// The token after it.
    end: usize,
}

struct Reader<'a> {
    language: &'a Language,
    sentence: &'a Sentence<'a>,
    /// A word took a claim out.
    is_guarded: Cell<bool>,
}

impl Reader<'_> {
    /// The end of one of the phrases that begins here, the longest.
    fn at(&self, at: usize, phrases: Words) -> Option<usize> {
        let word = self.sentence.word(at);
        let word = if word.is_empty() && self.is_hundred(at) { HUNDRED } else { word };
        let may_begin = |word: &str| phrases.may_begin(word);
        if !may_begin(word) && !self.joined(at).is_some_and(may_begin) {
            return None;
        }
        let ends = phrases.iter().filter_map(|phrase| {
            let mut end = at;
            for word in phrase.split(' ') {
                if !self.is_word(end, word) {
                    return None;
                }
                end += 1;
            }
            Some(end)
        });
        ends.max()
    }

    fn is_word(&self, at: usize, wanted: &str) -> bool {
        let word = self.sentence.word(at);
        let fits = |word: &str| match wanted.strip_suffix('*') {
            Some(stem) => word.starts_with(stem),
            None => word == wanted,
        };
        if word.is_empty() {
            return wanted == HUNDRED && self.is_hundred(at);
        }
        fits(word) || self.joined(at).is_some_and(fits)
    }

    /// "100 %" is all of it.
    fn is_hundred(&self, at: usize) -> bool {
        self.sentence.kind(at) == Some(Kind::Ratio(100, 100))
    }

    /// The word without the letter that is "and".
    fn joined(&self, at: usize) -> Option<&str> {
        match self.language.script {
            Script::Arabic => self.sentence.word(at).strip_prefix('و'),
            Script::Hebrew => self.sentence.word(at).strip_prefix('ו'),
            _ => None,
        }
    }

    fn noun(&self, at: usize) -> Option<Noun> {
        let it = self.language;
        let rows = [
            (it.tests, Claimed::Tests, false),
            (it.ci, Claimed::Tests, true),
            (it.builds, Claimed::Build, false),
            (it.lints, Claimed::Lint, false),
        ];
        rows.into_iter()
            .find_map(|(nouns, what, ci)| self.at(at, nouns).map(|end| Noun { what, ci, end }))
    }

    fn state(&self, at: usize) -> Option<usize> {
        self.at(at, self.language.states).max(self.at(at, self.language.faultless))
    }

    /// "In order", "ok" at the end of a clause. Tests that are good may be well written.
    fn fine(&self, at: usize) -> Option<usize> {
        let good = [
            "gut",
            "bon",
            "correct",
            "bien",
            "correcto",
            "bem",
            "certo",
            "correto",
            "bene",
            "corretto",
            "goed",
            "bra",
            "fint",
            "godt",
            "hyvin",
            "dobrze",
            "dobře",
            "bine",
            "jó",
            "tốt",
            "baik",
            "dobro",
            "bé",
            "correcte",
            "хорошо",
            "добре",
            "нормально",
            "καλά",
            "σωστά",
            "خوب",
            "درست",
            "सही",
            "normal",
        ];
        let end = self.at(at, self.language.fine).filter(|_| !self.sentence.is(at, &good))?;
        let closes = !matches!(self.sentence.kind(end), Some(Kind::Word | Kind::Code(_)));
        closes.then_some(end)
    }

    fn is_guard(&self, at: usize) -> bool {
        let it = self.language;
        [it.guards, it.conditions, it.that].iter().any(|words| self.at(at, words).is_some())
    }

    /// Noun, filling, state; or noun, ran, comma, state.
    fn passes(&self, at: usize, noun: Noun) -> Option<Said> {
        let end = self.state_after(noun.end, self.ran_before(at))?;
        let whole = self.is_whole(at.saturating_sub(4), end);
        let is_part = self.is_part(at);
        (!is_part && self.is_free(at, end)).then_some(Said {
            what: noun.what,
            whole,
            end,
            ci: noun.ci,
        })
    }

    /// The end of a state that nothing but filling stands before.
    fn state_after(&self, from: usize, mut ran: bool) -> Option<usize> {
        let mut unknown = 0;
        let mut at = from;
        while at < from + 10 {
            if let Some(end) = self.state(at).or_else(|| self.fine(at)) {
                let is_object = self.at(end, self.language.objects).is_some();
                return (!is_object).then_some(end);
            }
            ran |= self.at(at, self.language.ran).is_some();
            match self.sentence.kind(at)? {
                Kind::Count(_) | Kind::Tick | Kind::Colon | Kind::Open | Kind::Close => {}
                Kind::Code(_) | Kind::Dash => {}
                Kind::Arrow if at == from => {}
                Kind::Ratio(part, of) if part == of => {}
                Kind::Comma if ran => unknown = 0,
                // "48 Tests, alle bestanden".
                Kind::Comma if self.at(at + 1, self.language.all).is_some() => {}
                Kind::Word if self.is_guard(at) => {
                    let would = (at + 1..at + 6).any(|it| self.state(it).is_some());
                    self.is_guarded.set(self.is_guarded.get() || would);
                    return None;
                }
                Kind::Word if self.at(at, self.language.filling).is_some() => {}
                Kind::Word if self.at(at, self.language.all).is_some() => {}
                Kind::Word if self.at(at, self.language.fails).is_some() => return None,
                Kind::Word if self.at(at, self.language.ran).is_some() => {}
                Kind::Word if unknown < UNKNOWN => unknown += 1,
                _ => return None,
            }
            at += 1;
        }
        None
    }

    /// State, all, noun.
    fn passes_before(&self, at: usize, noun: Noun) -> Option<Said> {
        let from = at.saturating_sub(5);
        let all = (from..at).rev().find(|it| self.at(*it, self.language.all).is_some())?;
        let start = (all.saturating_sub(3)..all).rev().find(|it| self.state(*it).is_some())?;
        let words = (start..at).all(|it| {
            matches!(
                self.sentence.kind(it),
                Some(Kind::Word | Kind::Count(_) | Kind::Ratio(..) | Kind::Colon | Kind::Tick)
            ) && !self.is_guard(it)
        });
        let stands = words && !self.is_part(at) && self.is_free(start, noun.end);
        stands.then_some(Said { what: noun.what, whole: true, end: noun.end, ci: noun.ci })
    }

    fn none_before(&self, at: usize) -> Option<usize> {
        (at.saturating_sub(5)..at).find(|it| {
            self.at(*it, self.language.none).is_some()
                || self.sentence.kind(*it) == Some(Kind::Count(0))
        })
    }

    /// None, noun, fails; or none, failing, noun.
    fn none_fails(&self, at: usize, noun: Noun) -> Option<Said> {
        let start = self.none_before(at)?;
        let words = |from: usize, to: usize| {
            (from..to).all(|it| {
                matches!(self.sentence.kind(it), Some(Kind::Word | Kind::Count(_) | Kind::Code(_)))
            })
        };
        if !words(start, at) {
            return None;
        }
        let between = (start + 1..at).find_map(|it| self.at(it, self.language.fails));
        let after = (noun.end..noun.end + 6)
            .take_while(|it| words(noun.end, *it))
            .find_map(|it| self.at(it, self.language.fails));
        let end = match (between, after) {
            (Some(_), _) => noun.end,
            (None, Some(end)) => end,
            (None, None) => return None,
        };
        let stands = self.is_free(start, end);
        stands.then_some(Said { what: noun.what, whole: true, end, ci: noun.ci })
    }

    /// Noun, ran; none, fails.
    fn ran_and_none_fails(&self, at: usize, noun: Noun) -> Option<Said> {
        let row = self.language;
        let none = (noun.end..noun.end + 8).find(|it| self.at(*it, row.none).is_some())?;
        let ran = self.ran_before(none)
            || (0..none).any(|it| self.at(it, row.tested).is_some())
                && !(0..none).any(|it| self.is_guard(it));
        let after = self.at(none, row.none)?;
        // "Ошибок нет".
        let failing = (none.saturating_sub(2)..none).find_map(|it| self.at(it, row.fails));
        let is_behind = failing == Some(none);
        let end = (after..after + 3).find_map(|it| self.at(it, row.fails));
        let end = end.or(is_behind.then_some(after))?;
        let stands = ran && !self.is_part(at) && self.is_free(none, end);
        stands.then_some(Said { what: noun.what, whole: true, end, ci: noun.ci })
    }

    /// Compiles, faultless.
    fn compiles(&self, at: usize) -> Option<Said> {
        let after = self.at(at, self.language.compiles)?;
        let before = at.checked_sub(1).is_some_and(|it| self.state(it) == Some(at));
        let end = if before { Some(after) } else { self.state_after(after, false) }?;
        let stands = self.is_free(at, end);
        stands.then_some(Said { what: Claimed::Build, whole: true, end, ci: false })
    }

    /// Thing and tested, or tested and works.
    fn tested(&self, at: usize) -> Option<Said> {
        let after = self.at(at, self.language.tested)?;
        let is_word =
            |it: &usize| matches!(self.sentence.kind(*it), Some(Kind::Word | Kind::Code(_)));
        let thing = |it: usize| self.at(it, self.language.things).is_some();
        let is_near = (at.saturating_sub(6)..at).rev().take_while(is_word).any(thing)
            || (after..after + 4).take_while(is_word).any(thing);
        let works = (after..after + 5)
            .take_while(|it| {
                is_word(it) || matches!(self.sentence.kind(*it), Some(Kind::Comma | Kind::Colon))
            })
            .find_map(|it| self.at(it, self.language.works));
        let end = works.unwrap_or(after);
        // "I verified in the code that …" tells what was read.
        let is_clause = (at..after + 6).any(|it| self.at(it, self.language.that).is_some());
        let stands = (is_near && !is_clause || works.is_some()) && self.is_free(at, end);
        stands.then_some(Said { what: Claimed::Works, whole: false, end, ci: false })
    }

    /// Tested, and nothing else.
    fn tested_alone(&self, at: usize) -> Option<Said> {
        let is_filling = |it: usize| {
            let row = self.language;
            self.at(it, row.filling).or(self.at(it, row.states)) == Some(it + 1)
        };
        let end =
            self.at(at, self.language.tested).filter(|_| at < 2 && (0..at).all(is_filling))?;
        let rest = end..self.sentence.tokens.len();
        let is_sign = |it: usize| self.sentence.kind(it) == Some(Kind::Tick);
        let stands = rest.into_iter().all(is_sign);
        stands.then_some(Said { what: Claimed::Works, whole: false, end, ci: false })
    }

    /// Everything, state, and nothing else.
    fn everything(&self, at: usize) -> Option<Said> {
        let after = self.at(at, self.language.everything)?;
        let opens = at == 0
            || self.sentence.kind(at - 1) != Some(Kind::Word)
            || at == 1
            || self.sentence.kind(at - 2) != Some(Kind::Word);
        let end = (after..after + 4)
            .take_while(|it| !self.is_guard(*it))
            .find_map(|it| self.state(it))?;
        let filled = (after..end)
            .all(|it| self.sentence.kind(it) == Some(Kind::Word) && self.noun(it).is_none());
        let closes = !matches!(self.sentence.kind(end), Some(Kind::Word | Kind::Code(_)));
        let stands = opens && filled && closes && self.is_free(at, end);
        let named = (0..at).find_map(|it| self.noun(it)).filter(|_| self.ran_before(at));
        let what = named.map_or(Claimed::Works, |it| it.what);
        stands.then_some(Said { what, whole: true, end, ci: false })
    }

    /// Tested, everything, fine, and nothing else.
    fn all_fine(&self, at: usize) -> Option<Said> {
        let it = self.language;
        let after = self.at(at, it.tested)?;
        let opens = (0..at).all(|it| self.sentence.kind(it) == Some(Kind::Word)) && at < 4;
        let thing = (after..after + 4).find(|place| self.at(*place, it.everything).is_some())?;
        let from = self.at(thing, it.everything)?;
        let end = (from..from + 4)
            .take_while(|place| !self.is_guard(*place))
            .find_map(|place| self.at(place, it.fine))?;
        let closes = !matches!(self.sentence.kind(end), Some(Kind::Word | Kind::Code(_)));
        let stands = opens && closes && self.is_free(at, end);
        stands.then_some(Said { what: Claimed::Works, whole: false, end, ci: false })
    }

    /// Tested everything, no errors.
    fn tested_and_none_fails(&self, at: usize) -> Option<Said> {
        let it = self.language;
        let after = self.at(at, it.tested)?;
        let is_word = |it: usize| self.sentence.kind(it) == Some(Kind::Word);
        let opens = at < 4 && (0..at).all(is_word);
        let sign = (after..after + 4).find(|it| !is_word(*it))?;
        let is_sign =
            matches!(self.sentence.kind(sign), Some(Kind::Comma | Kind::Dash | Kind::Colon));
        let is_all = |place: usize| {
            let lists = [it.everything, it.all, it.things, it.filling];
            lists.iter().any(|list| self.at(place, list).is_some()) || self.noun(place).is_some()
        };
        let none = self.at(sign + 1, it.none);
        let end = none.and_then(|none| self.at(none, it.fails));
        let end = end.or_else(|| self.at(sign + 1, it.faultless))?;
        let rest = self.sentence.tokens.len() - end;
        let is_end = rest < 3 && (end..end + rest).all(|it| is_word(it) && !self.is_guard(it));
        let is_plain = (after..sign).all(is_all);
        let stands = opens && is_sign && is_plain && is_end && self.is_free(at, sign);
        stands.then_some(Said { what: Claimed::Works, whole: true, end, ci: false })
    }

    fn ran_before(&self, at: usize) -> bool {
        (0..at).any(|it| self.at(it, self.language.ran).is_some())
    }

    fn is_whole(&self, from: usize, to: usize) -> bool {
        (from..to).any(|it| self.at(it, self.language.all).is_some())
    }

    /// "40 of 42 tests", "40/42".
    fn is_part(&self, at: usize) -> bool {
        let near = || (at.saturating_sub(5)..at).filter(|it| reaches(self.sentence, *it, at));
        let counts = near().filter_map(|it| match self.sentence.kind(it) {
            Some(Kind::Count(count)) => Some(count),
            _ => None,
        });
        let counts: Vec<_> = counts.collect();
        let is_part =
            |it: usize| matches!(self.sentence.kind(it), Some(Kind::Ratio(part, of)) if part != of);
        counts.windows(2).any(|pair| pair[0] != pair[1]) || near().any(is_part)
    }

    /// Tells whether nothing around a claim takes it out.
    fn is_free(&self, start: usize, end: usize) -> bool {
        let is_guarded = self.is_guarded_before(start) || self.is_guarded_after(end);
        self.is_guarded.set(self.is_guarded.get() || is_guarded);
        !is_guarded
    }

    /// Tells whether a word says that something fails, unless "without" stands before it.
    fn is_failure(&self, from: usize, at: usize) -> bool {
        let is_clear = |it: usize| self.at(it, self.language.faultless).is_some_and(|end| end > at);
        self.at(at, self.language.fails).is_some() && !(from..=at).any(is_clear)
    }

    fn is_guarded_before(&self, start: usize) -> bool {
        let it = self.language;
        let mut clause = true;
        for at in (0..start).rev() {
            match self.sentence.kind(at) {
                Some(Kind::Word) => {}
                Some(Kind::Cross | Kind::Arrow) => return true,
                Some(Kind::Code(_) | Kind::Quote | Kind::Count(_) | Kind::Ratio(..)) | None => {}
                Some(_) => clause = false,
            }
            let confirmed =
                || (at.saturating_sub(2)..at).any(|place| self.at(place, it.confirmed).is_some());
            if self.at(at, it.conditions).is_some()
                || clause && self.at(at, it.guards).is_some()
                || clause && self.at(at, it.that).is_some() && !confirmed()
            {
                return true;
            }
        }
        false
    }

    fn is_guarded_after(&self, end: usize) -> bool {
        let it = self.language;
        let (mut clause, mut clear) = (true, end);
        for at in end..self.sentence.tokens.len() {
            // "Without errors" names errors, and none is there.
            clear = clear.max(self.at(at, it.faultless).unwrap_or(0));
            if at < clear {
                continue;
            }
            match self.sentence.kind(at) {
                Some(Kind::Cross | Kind::Arrow) => return true,
                Some(Kind::Word) => {}
                Some(Kind::Comma | Kind::Dash) => {
                    clause = false;
                    if self.at(at + 1, it.conditions).is_some() {
                        return true;
                    }
                }
                _ => {}
            }
            let denied = at < end + 2 && self.at(at, it.guards).is_some();
            let condition = clause && self.at(at, it.conditions).is_some();
            let failing = self.at(at, it.fails).is_some() && self.none_before(at).is_none();
            if clause && denied || condition || failing {
                return true;
            }
        }
        false
    }
}
