//! Kinds of knowledge.

/// What kind of knowledge something is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// How something really is: a cause, a mechanism, a surprise. It is what something is of which
    /// nobody says more.
    #[default]
    Discovery,
    /// What was taken for granted and not looked at.
    Assumption,
    /// What was chosen, and over what.
    Decision,
    /// What to do when something goes wrong.
    Runbook,
    /// What must be, or cannot be.
    Constraint,
    /// What was put off.
    TechDebt,
    /// How the user wants things to be done.
    Preference,
    /// What a session was about, and how far it came.
    SessionSummary,
}

impl Category {
    /// Every category.
    pub const ALL: [Self; 8] = [
        Self::Discovery,
        Self::Assumption,
        Self::Decision,
        Self::Runbook,
        Self::Constraint,
        Self::TechDebt,
        Self::Preference,
        Self::SessionSummary,
    ];

    /// Its word, in settings, commands and the store.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Discovery => "discovery",
            Self::Assumption => "assumption",
            Self::Decision => "decision",
            Self::Runbook => "runbook",
            Self::Constraint => "constraint",
            Self::TechDebt => "tech-debt",
            Self::Preference => "preference",
            Self::SessionSummary => "session-summary",
        }
    }

    /// The category of a word. People and other tools write `TECH_DEBT` too.
    pub fn of(word: &str) -> Option<Self> {
        let word = word.trim().to_ascii_lowercase().replace(['_', ' '], "-");
        Self::ALL.into_iter().find(|it| it.word() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::Category;

    #[test]
    fn a_word_is_understood_however_it_is_written() {
        for category in Category::ALL {
            assert_eq!(Category::of(category.word()), Some(category));
            let shouted = category.word().to_uppercase().replace('-', "_");
            assert_eq!(Category::of(&shouted), Some(category));
        }
        assert_eq!(Category::of("rumour"), None);
    }
}
