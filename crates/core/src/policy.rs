//! Every tunable, resolved: what is in force after all settings were read.
//!
//! A field is named as its key: `policy.ledger.days` is `ledger.days`, and `_` in the name of an
//! event is `-` in the key.

use crate::check::Check;
use crate::evidence::Pattern;
use crate::recall;

/// What the user allows and wants. [`Policy::default`] is what holds where nothing is set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// What is kept of events, and for how long.
    pub ledger: Ledger,
    /// The agent's conversation files.
    pub transcripts: Transcripts,
    /// The events that the agent is asked for.
    pub hooks: Hooks,
    /// Reasons not to stop, and how often the agent may be asked.
    pub gates: Gates,
    /// Checks that the user declares.
    pub checks: Vec<Check>,
    /// Loops that the user starts.
    pub loops: Loops,
    /// What was captured, and nobody settled.
    pub candidates: Candidates,
    /// What a project keeps of its knowledge itself.
    pub knowledge: Knowledge,
    /// What is put before an agent of all that is known.
    pub brief: Brief,
    /// Files of other tools that are read.
    pub readers: Readers,
    /// What of a conversation is taken for knowledge.
    pub triage: Triage,
    /// A status line of the user's own.
    pub statusline: Statusline,
    /// The server of tools that the agent may call.
    pub mcp: Mcp,
    /// What the agent is told of how to use us, where it asks.
    pub skills: Skills,
    /// What an approval of project settings covers.
    pub trust: Trust,
}

/// What is kept of events, and for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    /// Whether words are kept, or only names, files, commands, sizes and results.
    pub texts: bool,
    /// The age at which events are dropped.
    pub days: u32,
    /// The ceiling of the store's size.
    pub max_mb: u32,
}

/// The agent's conversation files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcripts {
    /// Whether their new part is read.
    pub read: bool,
}

/// The events that the agent is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hooks {
    /// A session starts, or goes on after a compaction.
    pub session_start: Hook,
    /// The user says something.
    pub prompt: Hook,
    /// A tool is about to run.
    pub tool_start: Hook,
    /// Tools have run.
    pub tools: Hook,
    /// An agent is started by another one.
    pub agent_start: Hook,
    /// Such an agent stops.
    pub agent_stop: Hook,
    /// The agent stops.
    pub stop: Hook,
    /// The agent stops because something failed.
    pub stop_failure: Hook,
    /// An entry of the task list is about to be completed.
    pub task_completed: Hook,
    /// A teammate would go idle.
    pub teammate_idle: Hook,
    /// A session ends.
    pub session_end: Hook,
}

/// One event that the agent is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// Whether it is asked for at all.
    pub enabled: bool,
    /// After how many seconds the agent gives up on us.
    pub timeout_s: u32,
}

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

impl Require {
    /// The words for them, in settings.
    pub const WORDS: &[&str] = &["honesty", "build", "tests"];

    /// What stands at a place among the words.
    pub fn at(place: usize) -> Self {
        [Self::Honesty, Self::Build, Self::Tests][place.min(2)]
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

/// The settings of the gate `proof`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// What it does.
    pub mode: Mode,
    /// What it is content with.
    pub require: Require,
}

/// The settings of a gate that has no others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateSettings {
    /// What it does.
    pub mode: Mode,
}

/// Loops that the user starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loops {
    /// How long the commands of one stop may take.
    pub timeout_s: u32,
}

/// What was captured, and nobody settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidates {
    /// The age at which they expire.
    pub days: u32,
}

/// What a project keeps of its knowledge itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Knowledge {
    /// A file below the root of the project; empty is none.
    pub file: String,
}

/// What is put before an agent of all that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brief {
    /// When a session begins, or goes on.
    pub start: BriefAt,
    /// When a session goes on after a compaction.
    pub compact: BriefAt,
    /// When the user says something.
    pub prompt: BriefAt,
    /// When a tool is about to run.
    pub tool: BriefAt,
    /// When an agent is started by another one.
    pub agent: BriefAt,
    /// How much of what was asked a memory must have, in per cent.
    pub floor: u32,
    /// How the tokens are shared out.
    pub weights: Weights,
}

/// What is put before an agent at one kind of event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BriefAt {
    /// Whether anything is.
    pub enabled: bool,
    /// How many things at most.
    pub items: u32,
    /// How many tokens at most.
    pub tokens: u32,
}

/// The share of each source in the tokens of a brief; 0 switches one off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// What was learned.
    pub memories: u32,
    /// Lines of files.
    pub code: u32,
    /// Commits that touched files.
    pub commits: u32,
}

/// Files of other tools that are read, for those who change over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Readers {
    /// The state files below `~/.ralph/state`.
    pub ralph: bool,
    /// The lock file of a project.
    pub lock_file: bool,
}

/// What of a conversation is taken for knowledge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Triage {
    /// Whether anybody listens to conversations at all.
    pub enabled: bool,
    /// How it is found.
    pub profile: Profile,
    /// Messages that are looked at together.
    pub max_messages: u32,
    /// From how sure on something is captured, in per cent, for the profile `calibrated`.
    pub capture_at: u32,
    /// From how sure on somebody is asked about it; 0 leaves that to the detector.
    pub ask_at: u32,
    /// From which score on a category is told, for the profile `document`.
    pub thresholds: Thresholds,
}

impl Triage {
    /// From how sure on something is captured by the detector itself.
    pub const CAPTURE_AT: u32 = 50;
}

/// How knowledge is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Profile {
    /// By the weights that windlass comes with, which were fitted to labelled sessions.
    Calibrated,
    /// By a few words for each category, counted and compared with a threshold.
    Document,
}

impl Profile {
    /// The words for them, in settings.
    pub const WORDS: &[&str] = &["calibrated", "document"];

    /// What stands at a place among the words.
    pub fn at(place: usize) -> Self {
        [Self::Calibrated, Self::Document][place.min(1)]
    }
}

/// The score from which on each category is told, in hundredths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thresholds {
    /// A choice.
    pub decision: u32,
    /// An error and what helped.
    pub runbook: u32,
    /// A limit.
    pub constraint: u32,
    /// Something put off.
    pub tech_debt: u32,
    /// A wish that lasts.
    pub preference: u32,
    /// How busy a session was.
    pub session_summary: u32,
}

/// A status line of the user's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statusline {
    /// The program and its arguments; empty is none.
    pub command: Vec<String>,
    /// How long it may take.
    pub timeout_ms: u32,
}

/// The server of tools that the agent may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mcp {
    /// Whether `init` registers it.
    pub enabled: bool,
}

/// What the agent is told of how to use us, where it asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skills {
    /// Whether `init` writes them.
    pub enabled: bool,
}

/// What an approval of project settings covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trust {
    /// Whether it counts in all worktrees of a repository.
    pub worktrees: bool,
}

impl Default for Ledger {
    fn default() -> Self {
        Self { texts: true, days: 90, max_mb: 512 }
    }
}

impl Default for Transcripts {
    fn default() -> Self {
        Self { read: true }
    }
}

impl Default for Hooks {
    fn default() -> Self {
        Self {
            session_start: Hook::within(5),
            prompt: Hook::within(5),
            tool_start: Hook::within(5),
            tools: Hook::within(5),
            agent_start: Hook::within(5),
            // Commands of loops and checks may take their time; our own deadline keeps other stops
            // short.
            agent_stop: Hook::within(600),
            stop: Hook::within(600),
            stop_failure: Hook::within(5),
            // Nothing is recorded there that other events do not tell.
            task_completed: Hook { enabled: false, ..Hook::within(600) },
            teammate_idle: Hook { enabled: false, ..Hook::within(600) },
            session_end: Hook::within(5),
        }
    }
}

impl Hook {
    const fn within(timeout_s: u32) -> Self {
        Self { enabled: true, timeout_s }
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

impl Default for Loops {
    fn default() -> Self {
        Self { timeout_s: 120 }
    }
}

impl Default for Triage {
    fn default() -> Self {
        Self {
            enabled: true,
            profile: Profile::Calibrated,
            max_messages: 50,
            capture_at: Self::CAPTURE_AT,
            ask_at: 0,
            thresholds: Thresholds::default(),
        }
    }
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            decision: 40,
            runbook: 40,
            constraint: 50,
            tech_debt: 40,
            preference: 40,
            session_summary: 60,
        }
    }
}

impl Default for Brief {
    fn default() -> Self {
        Self {
            start: BriefAt::of(5, 500),
            compact: BriefAt::of(12, 1000),
            prompt: BriefAt::of(20, 2000),
            tool: BriefAt::of(1, 300),
            // Its parent tells it what it needs.
            agent: BriefAt { enabled: false, ..BriefAt::of(5, 500) },
            floor: recall::FLOOR.into(),
            weights: Weights { memories: 1, code: 2, commits: 2 },
        }
    }
}

impl BriefAt {
    const fn of(items: u32, tokens: u32) -> Self {
        Self { enabled: true, items, tokens }
    }
}

impl Default for Candidates {
    fn default() -> Self {
        Self { days: 30 }
    }
}

impl Default for Statusline {
    fn default() -> Self {
        Self { command: Vec::new(), timeout_ms: 300 }
    }
}

impl Default for Mcp {
    fn default() -> Self {
        Self { enabled: true }
    }
}

impl Default for Skills {
    fn default() -> Self {
        Self { enabled: true }
    }
}

impl Default for Trust {
    fn default() -> Self {
        Self { worktrees: true }
    }
}
