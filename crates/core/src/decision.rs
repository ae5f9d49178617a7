//! What windlass answers to an event.

use crate::Effect;

/// The answer to one event. The default is silence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decision {
    /// Whether the agent may do what it is about to do.
    pub verdict: Verdict,
    /// Text for the agent's context.
    pub context: Option<String>,
    /// Text for the user, which the agent does not see.
    pub notice: Option<String>,
    /// What is to be written.
    pub effects: Vec<Effect>,
    /// The rules that had something to say, in order.
    pub rules: Vec<Spoken>,
}

/// What a rule said, and how long it thought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    /// Its name.
    pub rule: &'static str,
    /// What it found, in a few words.
    pub said: String,
    /// Microseconds.
    pub us: u64,
}

/// Whether the agent may do what it is about to do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Verdict {
    /// No opinion: the agent goes its way.
    #[default]
    Pass,
    /// The agent is asked to go on working, and told what is missing.
    Ask(String),
}
