//! Words that tell what a sentence does, in groups, for each language that is understood.
//!
//! A cue of a language with spaces is a pattern of words: see `pattern`. One of Chinese and Japanese
//! is a part of a sentence: see `phrase`. The words are kept as people write them, and made into
//! tables when the program is compiled.

mod chinese;
mod english;
mod french;
mod german;
mod japanese;
mod portuguese;
mod spanish;

use super::compile::Draft;
use super::pattern::{Part, Pattern, Patterns, Slot, Step};
use super::phrase::Phrases;

/// What the words of a group tell of a sentence. The ones up to `Offer` are features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    CauseNamed,
    Because,
    Consequence,
    Mechanism,
    Mismatch,
    Silent,
    Fix,
    InsteadOf,
    But,
    Requires,
    Cannot,
    Limit,
    Decision,
    Debt,
    Insight,
    Confirmed,
    Changelog,
    Local,
    Hedge,
    Generic,
    IsFact,
    NowBehaves,
    Assume,
    Correction,
    Prefer,
    Standing,
    UserDecides,
    UserReport,
    TaskRequest,
    Status,
    Musing,
    Offer,
    /// A sentence that begins so says what comes next.
    Announce,
    /// A short sentence that begins so says nothing.
    Ack,
    /// What makes an announcement worth reading.
    Reason,
    /// A label or heading under which knowledge stands.
    TellingLabel,
    /// A label or heading under which a report stands.
    ReportingLabel,
}

impl Group {
    /// How many there are.
    pub(super) const COUNT: usize = Self::ReportingLabel as usize + 1;
    /// Those that speak for knowledge.
    pub(super) const POSITIVE: usize = Self::Confirmed as usize + 1;
    /// Those that are counted in what a unit says.
    pub(super) const OF_CONTENT: usize = Self::TaskRequest as usize + 1;
    /// Those that are features: the ones of content, and those that are counted in all of a unit.
    pub(super) const FEATURES: usize = Self::Offer as usize + 1;
}

/// Some groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Groups(u64);

impl Groups {
    /// The groups that are counted in what a unit says.
    pub(super) const CONTENT: Self = Self((1 << Group::OF_CONTENT) - 1);
    /// The groups that are counted in all of a unit.
    pub(super) const WHOLE: Self = Self(((1 << Group::FEATURES) - 1) & !Self::CONTENT.0);
    /// Both.
    pub(super) const FEATURES: Self = Self((1 << Group::FEATURES) - 1);
    /// Labels of both kinds.
    pub(super) const LABELS: Self =
        Self(1 << Group::TellingLabel as u64 | 1 << Group::ReportingLabel as u64);

    pub(super) const fn only(group: Group) -> Self {
        Self(1 << group as u64)
    }

    pub(super) const fn has(self, group: usize) -> bool {
        self.0 >> group & 1 == 1
    }
}

/// The words of a language, as people write them.
pub(super) struct Words {
    /// The most common words that no other language has as well, but for its neighbours: they tell
    /// the language.
    pub(super) common: &'static [&'static str],
    pub(super) groups: &'static [(Group, &'static [&'static str])],
}

/// A language that is understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    English,
    German,
    Spanish,
    French,
    Portuguese,
    Chinese,
    Japanese,
}

/// The patterns of a language.
macro_rules! patterns {
    ($language:ident) => {{
        const DRAFT: Draft = Draft::of(&$language::WORDS);
        static WORDS: [(&[u8], Part); DRAFT.words().count] = DRAFT.words().fit();
        static SLOTS: [Slot; DRAFT.slots.len()] = DRAFT.slots;
        static OPENINGS: [u16; DRAFT.openings.len()] = DRAFT.openings;
        static MEMBERS: [u16; DRAFT.members().count] = DRAFT.members().fit();
        static STEPS: [Step; DRAFT.steps().count] = DRAFT.steps().fit();
        static ROWS: [Pattern; DRAFT.patterns().count] = DRAFT.patterns().fit();
        static FOUND: [u16; DRAFT.words().count + 1] = DRAFT.found();
        static BEGIN: [u32; DRAFT.words().count + 1] = DRAFT.begin();
        static BY_WORD: [u16; DRAFT.by_word().count] = DRAFT.by_word().fit();
        static PATTERNS: Patterns = Patterns {
            words: &WORDS,
            slots: &SLOTS,
            openings: &OPENINGS,
            endings: DRAFT.endings,
            members: &MEMBERS,
            steps: &STEPS,
            patterns: &ROWS,
            groups: DRAFT.groups,
            found: &FOUND,
            by_word: &BY_WORD,
            begin: &BEGIN,
        };
        &PATTERNS
    }};
}

/// The phrases of a language.
macro_rules! phrases {
    ($language:ident) => {{
        static PHRASES: Phrases = Phrases::of(&$language::WORDS);
        &PHRASES
    }};
}

/// How the cues of a language are looked for.
pub(super) enum Cues {
    Patterns(&'static Patterns),
    Phrases(&'static Phrases),
}

impl Language {
    /// The languages that are told by their common words; where two have as many, the first is it.
    pub(super) const SPACED: [Self; 5] =
        [Self::English, Self::German, Self::Spanish, Self::French, Self::Portuguese];

    #[cfg(test)]
    pub(super) const ALL: [Self; 7] = [
        Self::English,
        Self::German,
        Self::Spanish,
        Self::French,
        Self::Portuguese,
        Self::Chinese,
        Self::Japanese,
    ];

    /// Its words as people write them.
    pub(super) const fn words(self) -> &'static Words {
        match self {
            Self::English => &english::WORDS,
            Self::German => &german::WORDS,
            Self::Spanish => &spanish::WORDS,
            Self::French => &french::WORDS,
            Self::Portuguese => &portuguese::WORDS,
            Self::Chinese => &chinese::WORDS,
            Self::Japanese => &japanese::WORDS,
        }
    }

    /// Its words as tables.
    pub(super) fn cues(self) -> Cues {
        match self {
            Self::English => Cues::Patterns(patterns!(english)),
            Self::German => Cues::Patterns(patterns!(german)),
            Self::Spanish => Cues::Patterns(patterns!(spanish)),
            Self::French => Cues::Patterns(patterns!(french)),
            Self::Portuguese => Cues::Patterns(patterns!(portuguese)),
            Self::Chinese => Cues::Phrases(phrases!(chinese)),
            Self::Japanese => Cues::Phrases(phrases!(japanese)),
        }
    }
}
