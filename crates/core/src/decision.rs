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
    /// Something is missing, and the agent may stop all the same.
    Release(Release),
}

/// Why a stop is let go although a gate asks. It is never proof that the work is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// The agent may only plan.
    Planning,
    /// Prompts will wake the session later.
    Scheduled,
    /// Another agent, a test or a build is running, and will come back.
    Running,
    /// A message of the user waits for the agent to stop.
    Queued,
    /// No tool was called since the last ask.
    Idle,
    /// Nothing is known that was not known at the last ask.
    Unchanged,
    /// The agent was asked, and says itself what is open.
    Admitted,
    /// The agent was asked, and says why it does not do it.
    Declined,
    /// How often the agent was asked cannot be read.
    Lost,
    /// As many asks as a prompt may have.
    PromptCap,
    /// As many asks as a session may have.
    SessionCap,
    /// The prompt has been answered for too long.
    TimeCap,
    /// A loop or a hold is open, and the user has switched its gate off.
    SwitchedOff,
    /// The user asked something during a loop, and the answer changed nothing.
    SideQuestion,
    /// A loop or a hold came to its limit.
    LoopLimit,
    /// A loop met the same failure again and again.
    Stuck,
    /// How a loop or a hold stands could not be found out.
    Unproven,
    /// A script changed that the condition of a loop rests on, and the user has not confirmed it.
    Unconfirmed,
}

impl Release {
    /// Every reason, for tests and tables.
    pub const ALL: [Self; 18] = [
        Self::Planning,
        Self::Scheduled,
        Self::Running,
        Self::Queued,
        Self::Idle,
        Self::Unchanged,
        Self::Admitted,
        Self::Declined,
        Self::Lost,
        Self::PromptCap,
        Self::SessionCap,
        Self::TimeCap,
        Self::SwitchedOff,
        Self::SideQuestion,
        Self::LoopLimit,
        Self::Stuck,
        Self::Unproven,
        Self::Unconfirmed,
    ];

    /// Whether the agent is done with the prompt, so that what is open stays open.
    pub fn is_final(self) -> bool {
        match self {
            Self::Planning
            | Self::Scheduled
            | Self::Running
            | Self::Queued
            | Self::SwitchedOff
            | Self::SideQuestion => false,
            Self::Idle
            | Self::Unchanged
            | Self::Admitted
            | Self::Declined
            | Self::Lost
            | Self::PromptCap
            | Self::SessionCap
            | Self::TimeCap
            | Self::LoopLimit
            | Self::Stuck
            | Self::Unproven
            | Self::Unconfirmed => true,
        }
    }

    /// The word under which it is kept. None of them says that the work is done.
    pub fn word(self) -> &'static str {
        match self {
            Self::Planning
            | Self::Scheduled
            | Self::Running
            | Self::Queued
            | Self::SwitchedOff
            | Self::SideQuestion => "released",
            Self::Declined => "declined",
            Self::Admitted => "reported",
            Self::Idle
            | Self::Unchanged
            | Self::Lost
            | Self::PromptCap
            | Self::SessionCap
            | Self::TimeCap
            | Self::LoopLimit
            | Self::Stuck
            | Self::Unproven
            | Self::Unconfirmed => "capped",
        }
    }

    /// The reason in a few words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Planning => "planning: the agent may only plan",
            Self::Scheduled => "scheduled: the session will be woken later",
            Self::Running => "running: something in the background will come back",
            Self::Queued => "queued: a message of the user waits",
            Self::Idle => "capped: it called no tool after it was sent back",
            Self::Unchanged => "capped: nothing changed after it was sent back",
            Self::Admitted => "reported: its message says what is open",
            Self::Declined => "declined: the agent says why it does not do it",
            Self::Lost => "capped: how often it was sent back cannot be read",
            Self::PromptCap => "capped: it was sent back as often as one prompt allows",
            Self::SessionCap => "capped: it was sent back as often as one session allows",
            Self::TimeCap => "capped: the prompt has been answered for too long",
            Self::SwitchedOff => "switched off: a loop or a hold is open, and its gate is off",
            Self::SideQuestion => "question: the answer to the user changed nothing",
            Self::LoopLimit => "capped: the loop or the hold came to its limit",
            Self::Stuck => "capped: the loop met the same failure again and again",
            Self::Unproven => "capped: the condition could not be checked",
            Self::Unconfirmed => "capped: a script of the condition changed, and is not confirmed",
        }
    }
}
