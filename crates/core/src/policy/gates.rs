//! Reasons not to stop: what each gate does, and how often the agent may be asked.

use crate::evidence::Pattern;

/// Reasons not to stop, and how often the agent may be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gates {
    /// Whether what was changed is proven.
    pub proof: Proof,
    /// Open entries of the task list.
    pub tasks: GateSettings,
    /// What was left behind in lines that were added.
    pub leftovers: GateSettings,
    /// Checks that the user declares.
    pub checks: GateSettings,
    /// What was changed and not committed.
    pub uncommitted: GateSettings,
    /// What was learned and not kept.
    pub unsaved: GateSettings,
    /// Commands that the user says are runs, beside those that everybody knows.
    pub runs: Vec<Pattern>,
    /// The types of subagents that are asked too; `*` at the end stands for anything.
    pub agents: Vec<String>,
    /// How an ask is said at a stop.
    pub speak: Speak,
    /// Asks that one prompt may have.
    pub asks_per_prompt: u32,
    /// Asks that one session may have.
    pub asks_per_session: u32,
    /// Minutes after a prompt in which the agent may be asked.
    pub minutes: u32,
}

impl Gates {
    /// Whether subagents of a type are asked. One that the host runs for itself has none.
    pub fn ask_agents_of(&self, role: &str) -> bool {
        let is_named = |name: &String| match name.strip_suffix('*') {
            Some(beginning) => role.starts_with(beginning),
            None => role == name,
        };
        !role.is_empty() && self.agents.iter().any(is_named)
    }
}

impl Default for Gates {
    fn default() -> Self {
        Self {
            proof: Proof { mode: Mode::Ask, require: Require::Honesty },
            tasks: GateSettings { mode: Mode::Off },
            leftovers: GateSettings { mode: Mode::Advise },
            // There are none until the user declares some.
            checks: GateSettings { mode: Mode::Ask },
            uncommitted: GateSettings { mode: Mode::Advise },
            unsaved: GateSettings { mode: Mode::Advise },
            runs: Vec::new(),
            agents: Vec::new(),
            speak: Speak::Auto,
            asks_per_prompt: 3,
            asks_per_session: 50,
            minutes: 240,
        }
    }
}

/// What a gate does when something is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// It does not look.
    Off,
    /// It tells the user.
    Advise,
    /// It asks the agent.
    Ask,
}

impl Mode {
    /// The words for them, in settings.
    pub const WORDS: &[&str] = &["off", "advise", "ask"];

    /// The mode at a place among the words.
    pub fn at(place: usize) -> Self {
        [Self::Off, Self::Advise, Self::Ask][place.min(2)]
    }
}

/// How an ask is said at a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Speak {
    /// As the host's version takes it.
    Auto,
    /// As context for the agent, which makes it go on.
    Context,
    /// As a block with a reason.
    Block,
}

impl Speak {
    /// The words for them, in settings.
    pub const WORDS: &[&str] = &["auto", "context", "block"];

    /// What stands at a place among the words.
    pub fn at(place: usize) -> Self {
        [Self::Auto, Self::Context, Self::Block][place.min(2)]
    }
}

/// The settings of the gate `proof`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// What it does.
    pub mode: Mode,
    /// What it is content with.
    pub require: Require,
}

/// What the gate `proof` is content with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Require {
    /// No failed run is left behind, and nothing is claimed that was not seen.
    Honesty,
    /// A build or a test passed after the last edit.
    Build,
    /// A test passed after the last edit.
    Tests,
}

impl Require {
    /// The words for them, in settings.
    pub const WORDS: &[&str] = &["honesty", "build", "tests"];

    /// What stands at a place among the words.
    pub fn at(place: usize) -> Self {
        [Self::Honesty, Self::Build, Self::Tests][place.min(2)]
    }
}

/// The settings of a gate that has no others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateSettings {
    /// What it does.
    pub mode: Mode,
}
