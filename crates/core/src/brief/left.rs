//! Why something that was found is not in a brief.

/// Why it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// The agent has it before it.
    Shown,
    /// It was told of what is about to be touched, as often as anybody is.
    Touched,
    /// Others fit much better.
    Worse,
    /// It was said in this session, and is not lost.
    Own,
    /// Another one says the same.
    Said,
    /// The user switched its source off.
    Off,
    /// There are as many as there may be.
    Enough,
    /// It does not fit.
    Room,
}

impl Why {
    /// It in a few words.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Shown => "shown before",
            Self::Touched => "enough was told of what is touched",
            Self::Worse => "fits worse",
            Self::Own => "of this session",
            Self::Said => "said already",
            Self::Off => "switched off",
            Self::Enough => "enough without it",
            Self::Room => "no room",
        }
    }
}

/// What is left out, by its name.
pub(super) type Left = Vec<(String, Why)>;
