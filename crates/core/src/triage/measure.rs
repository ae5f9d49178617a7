//! A conversation, measured unit by unit.

use std::borrow::Cow;
use std::ops::Range;

use super::content::{Listener, Said};
use super::cues::Language;
use super::feature::{Feature, Features};
use super::language::Votes;
use super::marker::{self, Shape};
use super::pasted::{LineVoice, line_voices};
use super::pattern::hash_of;
use super::specific::Specifics;
use super::token::{self, Kind, Letters, Token, Tokens, count_words};
use super::unit;
use crate::memory::{Heard, Role};

/// Bytes of a unit that are looked at: nobody states a fact in more.
const LONGEST_UNIT: usize = 4096;
/// Units of a user's message that may say what the work is about; what follows is a paste.
const FIRST_UNITS: usize = 14;
/// Units after which one is far down.
const NEAR_UNITS: usize = 6;
/// Words of a label.
const LABEL: usize = 5;
/// Words of a line with a colon at its end that is a heading.
const SHORT_HEADING: usize = 8;
/// Words of a long unit. With more it does not say more: it was pasted.
const LONG: usize = 40;
/// Words of a short unit.
const SHORT: usize = 5;
/// Calls since the last failure that are near it.
const NEAR_CALLS: u32 = 1;
/// The hashes of words that tell what was.
const PAST: [u32; 4] = [hash_of(b"was"), hash_of(b"were"), hash_of(b"had"), hash_of(b"did")];
/// More than any session has: nothing failed since the user spoke.
const NO_FAILURE: u32 = u32::MAX;

/// A unit that was measured.
#[derive(Debug)]
pub struct Measured<'a> {
    /// Who said it.
    pub role: Role,
    /// Where its message stands.
    pub at: u64,
    /// Which part of its message it is, from 0.
    pub part: u32,
    /// Its words.
    pub text: &'a str,
    /// Whose words they are, in a message of the user.
    pub voice: LineVoice,
    /// Its measures.
    pub features: Features,
}

/// Measures every unit of the last messages of a conversation, in their order.
pub fn measure(heard: &[Heard], max_messages: u32, mut tell: impl FnMut(&Measured<'_>)) {
    let begin = beginning(heard, max_messages);
    let mut book = Book::default();
    // The user's message that the first ones answer says what the work is about.
    let asked = heard[..begin].iter().rposition(|it| said(it).is_some_and(|it| it.0 == Role::User));
    let before: Vec<_> = asked.into_iter().filter_map(|it| said(&heard[it])).collect();
    let texts: Vec<_> = before
        .iter()
        .copied()
        .chain(heard[begin..].iter().filter_map(said))
        .map(|(role, text, at)| (role, unit::clean(text), at))
        .collect();
    let messages: Vec<_> =
        texts.iter().map(|(role, text, at)| book.message(*role, text, *at)).collect();
    let mut whole = Votes::default();
    for message in &messages {
        whole.join(&message.votes);
    }
    let usual = whole.language().unwrap_or(Language::English);

    let mut listener = Listener::default();
    let mut is_about_bug = false;
    let (skipped, messages) = messages.split_at(before.len());
    for message in skipped {
        is_about_bug = book.is_about_bug(message, is_about_bug);
    }
    let mut messages = messages.iter();
    let mut since_failure = since_failure(&heard[..begin]);
    let mut is_edited = is_edited(&heard[..begin]);
    for it in &heard[begin..] {
        match it {
            Heard::Called { failed: true } => since_failure = 0,
            Heard::Called { failed: false } => since_failure = since_failure.saturating_add(1),
            Heard::Edited => is_edited = true,
            Heard::Said { role, .. } => {
                if *role == Role::User {
                    since_failure = NO_FAILURE;
                }
                let Some(message) = messages.next() else { break };
                let is_user = *role == Role::User;
                if is_user {
                    is_about_bug = book.is_about_bug(message, is_about_bug);
                }
                let language = message.votes.language().unwrap_or(usual);
                let is_near_failure = since_failure <= NEAR_CALLS;
                let is_after_edit = is_user && std::mem::take(&mut is_edited);
                let around = Around { language, is_about_bug, is_near_failure, is_after_edit };
                book.measure(message, &around, &mut listener).iter().for_each(&mut tell);
            }
        }
    }
}

fn said(heard: &Heard) -> Option<(Role, &str, u64)> {
    match heard {
        Heard::Said { role, text, at } => Some((*role, text, *at)),
        Heard::Called { .. } | Heard::Edited => None,
    }
}

/// Where the last messages begin.
pub(super) fn beginning(heard: &[Heard], max_messages: u32) -> usize {
    let max = usize::try_from(max_messages).unwrap_or(usize::MAX);
    let mut places = heard.iter().enumerate().rev().filter(|it| said(it.1).is_some());
    match max.checked_sub(1) {
        Some(more) => places.nth(more).map_or(0, |it| it.0),
        None => heard.len(),
    }
}

fn since_failure(heard: &[Heard]) -> u32 {
    heard.iter().fold(NO_FAILURE, |since, it| match it {
        Heard::Called { failed: true } => 0,
        Heard::Called { failed: false } => since.saturating_add(1),
        Heard::Said { role: Role::User, .. } => NO_FAILURE,
        Heard::Said { role: Role::Agent, .. } | Heard::Edited => since,
    })
}

/// Whether something was edited since the user last spoke.
fn is_edited(heard: &[Heard]) -> bool {
    let last = heard
        .iter()
        .rev()
        .find(|it| matches!(it, Heard::Edited | Heard::Said { role: Role::User, .. }));
    last == Some(&Heard::Edited)
}

/// What holds for all units of a message.
struct Around {
    language: Language,
    is_about_bug: bool,
    is_near_failure: bool,
    is_after_edit: bool,
}

/// A message, taken apart.
struct Message<'a> {
    role: Role,
    at: u64,
    units: Vec<Unit<'a>>,
    votes: Votes,
}

/// A unit, taken apart, and what its words are whatever the language.
struct Unit<'a> {
    text: Cow<'a, str>,
    voice: LineVoice,
    shape: Shape,
    tokens: Range<usize>,
    label: Label,
    is_heading: bool,
    words: usize,
    code: usize,
    specifics: Specifics,
    has_picture: bool,
    looks_like_code: bool,
}

/// The words with which a unit is labelled.
enum Label {
    None,
    Tokens(Range<usize>),
    /// Those of a heading: what is no code among them.
    Heading,
}

/// The words of a conversation.
#[derive(Default)]
struct Book {
    tokens: Tokens,
    plain: String,
}

impl Book {
    fn message<'a>(&mut self, role: Role, text: &'a str, at: u64) -> Message<'a> {
        // What was pasted does not tell which language the user speaks.
        let (mut votes, mut pasted) = (Votes::default(), Votes::default());
        let voices = match role {
            Role::User => line_voices(text),
            Role::Agent => Vec::new(),
        };
        let voice = |line: usize| voices.get(line).copied().unwrap_or(LineVoice::Said);
        let units = unit::units(text)
            .map(|(line, it)| {
                let voice = voice(line);
                let is_pasted = voice == LineVoice::Quoted;
                let votes = if is_pasted { &mut pasted } else { &mut votes };
                Unit { voice, ..self.unit(it, votes) }
            })
            .collect();
        Message { role, at, units, votes }
    }

    fn unit<'a>(&mut self, text: Cow<'a, str>, votes: &mut Votes) -> Unit<'a> {
        let looked_at = &text[..text.floor_char_boundary(LONGEST_UNIT)];
        let (shape, body) = marker::shape(looked_at);
        let mut code = Vec::new();
        self.plain.clear();
        marker::plain(body, &mut self.plain, &mut code);
        let tokens = self.tokens.add(&self.plain, &mut votes.letters);
        votes.add(&self.tokens, self.tokens.get(tokens.clone()));
        let mut specifics = Specifics::default();
        specifics.add(&self.plain);
        for piece in &code {
            specifics.add(piece);
        }
        let code = code.len();
        let words = count_words(&self.tokens, self.tokens.get(tokens.clone()));
        let has_picture = !looked_at.is_ascii() && looked_at.chars().any(is_picture);
        let looks_like_code = looks_like_code(body);
        let is_heading = is_heading(shape, body, words);
        let label = self.label(shape, body, &tokens);
        Unit {
            text,
            voice: LineVoice::Said,
            shape,
            tokens,
            label,
            is_heading,
            words,
            code,
            specifics,
            has_picture,
            looks_like_code,
        }
    }

    /// The label of a unit: a heading itself, bold words at its beginning, or a few words before a
    /// colon.
    fn label(&mut self, shape: Shape, body: &str, tokens: &Range<usize>) -> Label {
        if shape == Shape::Heading {
            return Label::Heading;
        }
        if let Some(rest) = body.strip_prefix("**")
            && let Some(end) = rest.find("**")
        {
            self.plain.clear();
            marker::plain(&rest[..end], &mut self.plain, &mut Vec::new());
            let all = self.tokens.add(&self.plain, &mut Letters::default());
            return Label::Tokens(all);
        }
        let some = self.tokens.get(tokens.clone());
        let end = some.iter().take(LABEL + 1).position(|it| it.is_end());
        match end {
            Some(end) if end > 0 && some[end].kind == Kind::Colon => {
                let is_list = some[..end].iter().any(|it| self.tokens.word(*it) == ",");
                let range = tokens.start..tokens.start + end;
                if is_list { Label::None } else { Label::Tokens(range) }
            }
            _ => Label::None,
        }
    }

    fn label_of(&self, unit: &Unit<'_>) -> Vec<Token> {
        let first = |range: &Range<usize>, may: fn(Token) -> bool| {
            let some = self.tokens.get(range.clone()).iter().copied();
            some.filter(|it| may(*it)).take(LABEL).collect()
        };
        match &unit.label {
            Label::None => Vec::new(),
            Label::Heading => first(&unit.tokens, |it| it.is_word() && it.kind != Kind::Code),
            // Before a colon every token belongs to the label.
            Label::Tokens(range)
                if unit.tokens.start <= range.start && range.end <= unit.tokens.end =>
            {
                self.tokens.get(range.clone()).to_vec()
            }
            Label::Tokens(range) => first(range, Token::is_word),
        }
    }

    /// Whether a message of the user is about something that does not work. One without words is
    /// about the same as before.
    fn is_about_bug(&self, message: &Message<'_>, before: bool) -> bool {
        const WORDS: [&str; 9] =
            ["bug", "error", "fail", "broken", "issue", "wrong", "fix", "problem", "crash"];
        if message.units.is_empty() {
            return before;
        }
        let tokens = message.units.iter().take(FIRST_UNITS).flat_map(|it| self.all(it));
        let mut words = tokens.map(|it| self.tokens.word(*it));
        words.any(|it| WORDS.iter().any(|word| it.starts_with(word)))
    }

    fn all(&self, unit: &Unit<'_>) -> &[Token] {
        self.tokens.get(unit.tokens.clone())
    }

    fn measure<'a>(
        &self,
        message: &'a Message<'_>,
        around: &Around,
        listener: &mut Listener,
    ) -> Vec<Measured<'a>> {
        let mut is_telling = false;
        let mut all: Vec<_> = Vec::with_capacity(message.units.len());
        for (part, unit) in message.units.iter().enumerate() {
            let label = self.label_of(unit);
            let said = listener.listen(
                &self.tokens,
                self.all(unit),
                &label,
                message.role,
                around.language,
            );
            if unit.is_heading {
                is_telling = said.has_telling_label;
            }
            let mut features = self.features(unit, &said);
            features.switch(Feature::TellingSection, is_telling && !unit.is_heading);
            features.switch(Feature::AfterBug, around.is_about_bug);
            let is_limit = [Feature::Limit, Feature::Requires, Feature::Cannot]
                .iter()
                .any(|it| features.has(*it));
            features.switch(Feature::LimitAfterFailure, around.is_near_failure && is_limit);
            let corrects = around.is_after_edit && features.has(Feature::Correction);
            features.switch(Feature::CorrectionAfterEdit, corrects);
            all.push(Measured {
                role: message.role,
                at: message.at,
                part: u32::try_from(part).unwrap_or(u32::MAX),
                text: &unit.text,
                voice: unit.voice,
                features,
            });
        }
        place(&mut all);
        all
    }

    fn features(&self, unit: &Unit<'_>, said: &Said) -> Features {
        let tokens = self.all(unit);
        let last = tokens.last().map(|it| self.tokens.word(*it));
        let asks = tokens.contains(&token::ASKS);
        let is_past = tokens.iter().any(|it| PAST.contains(&it.hash));
        let mut features = said.features;
        features.switch(Feature::AnnouncesFirst, said.announces_first);
        features.switch(Feature::Question, last == Some("?"));
        features.switch(Feature::HasQuestion, asks);
        features.switch(Feature::ColonEnd, last == Some(":"));
        features.switch(Feature::Heading, unit.is_heading);
        features.switch(Feature::TellingLabel, said.has_telling_label);
        features.switch(Feature::ReportingLabel, said.has_reporting_label);
        features.switch(Feature::TableRow, unit.shape == Shape::Row);
        features.switch(Feature::Emoji, unit.has_picture);
        features.set(Feature::Length, number(said.words.min(LONG)).ln_1p());
        features.switch(Feature::Short, unit.words <= SHORT);
        features.set(Feature::Code, number(unit.code.min(3)) / 3.0);
        features.set(Feature::Path, number(unit.specifics.paths.min(2)));
        features.set(Feature::Specific, number(unit.specifics.others.min(2)));
        features.switch(Feature::Past, is_past);
        features.switch(Feature::LooksLikeCode, unit.looks_like_code);
        features
    }
}

/// Measures where each unit stands in its message, and among what.
fn place(all: &mut [Measured<'_>]) {
    let count = all.len();
    let others = number(count.saturating_sub(1).max(1));
    let telling = |it: &Measured<'_>| number(it.features.positive_groups().min(3));
    let sum: f64 = all.iter().map(telling).sum();
    for (at, it) in all.iter_mut().enumerate() {
        let around = sum - telling(it);
        it.features.set(Feature::Place, number(at) / others);
        it.features.switch(Feature::Paste, count > FIRST_UNITS);
        it.features.switch(Feature::Far, at >= NEAR_UNITS);
        it.features.set(Feature::Neighbours, around / others);
    }
}

fn is_heading(shape: Shape, body: &str, words: usize) -> bool {
    let is_bold = || {
        shape == Shape::Plain
            && body.starts_with("**")
            && body.matches("**").count() == 2
            && body.trim_end_matches([':', ' ']).ends_with("**")
    };
    let is_short = words <= SHORT_HEADING && body.trim_end_matches('*').ends_with(':');
    shape == Shape::Heading || is_short || is_bold()
}

fn is_picture(character: char) -> bool {
    matches!(character, '\u{2600}'..='\u{2fff}' | '\u{1f000}'..)
}

fn looks_like_code(body: &str) -> bool {
    let is_letter = |it: char| it == ' ' || it.is_alphabetic();
    let (all, letters) = if body.is_ascii() {
        let is_letter = |it: u8| it == b' ' || it.is_ascii_alphabetic();
        (body.len(), token::count_bytes(body.as_bytes(), is_letter))
    } else {
        (body.chars().count(), body.chars().filter(|it| is_letter(*it)).count())
    };
    letters * 4 < all * 3
        || body.starts_with(['<', '{', '}', '/', '$', '@'])
        || body.ends_with(['{', ';', '}', '>'])
}

#[expect(clippy::cast_precision_loss, reason = "no message has so many units")]
fn number(count: usize) -> f64 {
    count as f64
}
