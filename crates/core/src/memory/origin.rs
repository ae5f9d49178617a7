//! Where something comes from, and how far it can be trusted.

/// How far something can be trusted, by where it comes from; the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trust {
    /// A file of somebody.
    Import,
    /// What a tool printed.
    Tool,
    /// It stands in a long text that the user gave, and may not have written.
    Note,
    /// An agent said it.
    Agent,
    /// It was seen to happen.
    Outcome,
    /// The user said it.
    User,
}

impl Trust {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Import, Self::Tool, Self::Note, Self::Agent, Self::Outcome, Self::User];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::Tool => "tool",
            Self::Note => "note",
            Self::Agent => "agent",
            Self::Outcome => "outcome",
            Self::User => "user",
        }
    }

    /// The trust of a word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.word() == word)
    }
}

/// Who did something with a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The user.
    User,
    /// An agent.
    Agent,
    /// windlass itself, for nobody asked.
    Windlass,
}

impl By {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Agent => "agent",
            Self::Windlass => "windlass",
        }
    }

    /// Whoever a word names.
    pub fn of(word: &str) -> Option<Self> {
        [Self::User, Self::Agent, Self::Windlass].into_iter().find(|it| it.word() == word)
    }

    /// How far their own words can be trusted.
    pub const fn trust(self) -> Trust {
        match self {
            Self::User => Trust::User,
            Self::Agent => Trust::Agent,
            Self::Windlass => Trust::Tool,
        }
    }
}

/// What speaks for something that was found by counting words, before anything else.
pub const BY_WORDS: &str = "has a word of its category";

/// Where something comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The session, by its name.
    pub session: Option<String>,
    /// The prompt that it came after.
    pub prompt: Option<String>,
    /// The conversation file.
    pub transcript: Option<String>,
    /// The file that it was imported from, long after it was said or written.
    pub import: Option<String>,
    /// Where its message stands in the conversation file.
    pub at: Option<u64>,
    /// Which part of the message it is.
    pub part: u32,
    /// The command that it is about, or that made it.
    pub command: Option<String>,
    /// The last commit at that time.
    pub commit: Option<String>,
    /// How far it was above the threshold, in thousandths.
    pub score: Option<i32>,
    /// What spoke for it and against it.
    pub why: Vec<String>,
    /// Whose words it has, where the user stands for it and did not write them; who said it first,
    /// where an agent put it into other words.
    pub words: Option<Trust>,
}

impl Origin {
    /// Whether it was made of a run that was seen: its first words are commands and what they
    /// printed, and nobody's sentence.
    pub fn is_of_run(&self) -> bool {
        self.command.is_some()
    }

    /// Whether it was found by counting words, and its score says how many there were.
    pub fn is_by_words(&self) -> bool {
        self.why.first().is_some_and(|it| it == BY_WORDS)
    }
}
