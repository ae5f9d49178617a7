//! Checks that the user declares: a command that must end well, a number that it must print, a text
//! that must not stand in an added line.

mod checked;
mod number;

pub use checked::{Checked, Ended, How, judge, judge_lines, tells_kill};
pub use number::{Number, last_number};

/// Checks that may be in force at once.
pub const MAX_CHECKS: usize = 32;

/// A check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Its name, in settings and asks.
    pub name: String,
    /// What must hold.
    pub what: What,
    /// Patterns of the files that it is about; none is all files.
    pub files: Vec<String>,
    /// What a failure means.
    pub severity: Severity,
    /// When it is run.
    pub stage: Stage,
}

/// What must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A command exits with 0, and prints a number within bounds where there are some.
    Command {
        /// The program and its arguments.
        words: Vec<String>,
        /// How many seconds it may take.
        timeout_s: u32,
        /// The bounds of the last number that it prints.
        bounds: Option<Bounds>,
    },
    /// This text does not stand in an added line.
    Pattern(String),
}

/// The bounds of a number; at least one of them is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The least that it may be.
    pub at_least: Option<Number>,
    /// The most that it may be.
    pub at_most: Option<Number>,
}

/// What a failure means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The agent is asked.
    Ask,
    /// The user is told.
    Advise,
}

/// When a check is run: a later stage only where nothing that asks has failed in an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Whether it is right.
    Correctness,
    /// Whether it is good.
    Quality,
    /// Whether it is safe.
    Security,
}

impl Check {
    /// Seconds that a command may take where nothing is set.
    pub const TIMEOUT_S: u32 = 60;

    /// The program and its arguments, where it has them.
    pub fn words(&self) -> &[String] {
        match &self.what {
            What::Command { words, .. } => words,
            What::Pattern(_) => &[],
        }
    }

    /// The command as people would write it, or what stands for it.
    pub fn command(&self) -> String {
        let quoted = |word: &String| {
            let is_plain = |it: char| it.is_alphanumeric() || "-_./=:,+@%".contains(it);
            let is_plain = !word.is_empty() && word.chars().all(is_plain);
            if is_plain { word.clone() } else { format!("{word:?}") }
        };
        self.words().iter().map(quoted).collect::<Vec<_>>().join(" ")
    }
}

impl Bounds {
    /// Whether a number is within them.
    pub fn hold(self, number: Number) -> bool {
        self.at_least.is_none_or(|it| number >= it) && self.at_most.is_none_or(|it| number <= it)
    }

    /// What is wanted, in words.
    pub fn words(self) -> String {
        let least = self.at_least.map(|it| format!("at least {it}"));
        let most = self.at_most.map(|it| format!("at most {it}"));
        least.into_iter().chain(most).collect::<Vec<_>>().join(" and ")
    }
}

impl Severity {
    /// Each of them, the stricter one first.
    pub const ALL: [Self; 2] = [Self::Ask, Self::Advise];

    /// The word for it, in settings.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Advise => "advise",
        }
    }
}

impl Stage {
    /// Each of them, in order.
    pub const ALL: [Self; 3] = [Self::Correctness, Self::Quality, Self::Security];

    /// The word for it, in settings.
    pub fn word(self) -> &'static str {
        match self {
            Self::Correctness => "correctness",
            Self::Quality => "quality",
            Self::Security => "security",
        }
    }
}
