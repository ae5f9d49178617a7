//! Work that was set going for long: a loop until something is proven, a hold until it is released.
//! The user starts them, or the agent of a session for itself. Each belongs to one session, and both
//! have limits of their own.

mod lock;

use crate::evidence::{Pattern, RunKind};
use crate::excerpt::ending;
use crate::gate::View;
use crate::{Outcome, Release, Timestamp, Verdict, foreign};

pub use lock::{Lock, LockState};

/// How often a hold sends the agent on, unless told.
pub const HOLD_ROUNDS: u32 = 100;

/// Characters of what a condition said that are kept.
pub const MAX_DETAIL: usize = 400;

/// Characters of the words of a command that are looked for; what the ledger keeps of a run is not
/// much longer.
pub const MAX_SEEN: usize = 120;

/// A loop or a hold that is not over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// Our id.
    pub id: i64,
    /// What is to be done, in the words of its author; a hold may have none.
    pub task: String,
    /// Who started it.
    pub author: LoopAuthor,
    /// When it is over.
    pub until: Until,
    /// When it is over in any case.
    pub limits: Limits,
    /// When its session began with it.
    pub begun_at: Timestamp,
    /// Tokens that its session had used by then.
    pub begun_tokens: u64,
    /// Calls that its session had made by then.
    pub begun_step: u64,
    /// How often it has sent the agent on.
    pub rounds: u32,
}

/// Who started a loop or a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopAuthor {
    /// The user, or a lock file that the user has windlass read.
    User,
    /// The agent of its session, which may end it too.
    Agent,
}

impl LoopAuthor {
    /// Every author, for rows and tables.
    pub const ALL: [Self; 2] = [Self::User, Self::Agent];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Agent => "agent",
        }
    }
}

/// When a loop is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Until {
    /// This command, which windlass runs itself, exits with 0.
    Passes(String),
    /// This command was seen to pass after the last edit.
    Seen(String),
    /// The user says so: it is a hold.
    Released,
    /// This lock file of another tool is gone: it is a hold too.
    Unlocked(String),
}

/// When a loop is over in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How often it may send the agent on.
    pub rounds: u32,
    /// Minutes.
    pub minutes: Option<u32>,
    /// Tokens.
    pub tokens: Option<u64>,
}

/// What was seen when the agent wanted to stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Iteration {
    /// When.
    pub at: Timestamp,
    /// How the condition stood.
    pub outcome: Outcome,
    /// The words that say so.
    pub detail: Option<String>,
}

/// What windlass found out about a condition by running it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// The loop.
    pub id: i64,
    /// How the command ended; unknown where it could not be run, or not to its end.
    pub outcome: Outcome,
    /// What it said last, or why it could not be run.
    pub detail: String,
}

/// All that is known of the loops of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Looping {
    /// Those that are not over.
    pub loops: Vec<Loop>,
    /// Tokens of the session so far.
    pub tokens: u64,
}

/// How a loop stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// Its condition is proven.
    Proven(Iteration),
    /// It has come to a limit.
    Over(Iteration, &'static str),
    /// What held the agent is gone.
    Released(Iteration),
    /// It goes on.
    Open(Iteration),
    /// It could not be found out. That is no reason to go on.
    Unknown(Iteration),
    /// Nobody tried.
    Untried(Iteration),
}

/// What becomes of a loop after a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// It sends the agent on.
    On,
    /// The agent may stop this time.
    Wait,
    /// The agent only talks: it goes on at the next prompt.
    Idle,
    /// It is over.
    Over {
        /// How.
        end: End,
        /// Why, in a few words.
        why: String,
    },
}

/// How a loop ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Its condition was proven.
    Proven,
    /// It came to a limit.
    Capped,
    /// The user ended it.
    Stopped,
    /// No session took it in time.
    Lapsed,
}

impl Loop {
    /// The gate that asks for it.
    pub fn gate(&self) -> &'static str {
        match self.until {
            Until::Released | Until::Unlocked(_) => "hold",
            Until::Passes(_) | Until::Seen(_) => "loop",
        }
    }

    /// Looks at how it stands.
    pub fn progress(&self, view: &View<'_>) -> Progress {
        if matches!(self.until, Until::Unlocked(_)) {
            return self.locked(view);
        }
        let trial = view.facts.trials.iter().find(|it| it.id == self.id);
        let (outcome, detail) = match (&self.until, trial) {
            (Until::Passes(_), Some(trial)) => (trial.outcome, Some(trial.detail.clone())),
            (Until::Seen(words), _) => self.seen(view, words),
            (Until::Passes(_) | Until::Released | Until::Unlocked(_), _) => {
                (Outcome::Unknown, None)
            }
        };
        let detail = detail.filter(|it| !it.is_empty()).map(|it| ending(&it, MAX_DETAIL));
        let iteration = Iteration { at: view.now, outcome, detail };
        if outcome == Outcome::Passed {
            return Progress::Proven(iteration);
        }
        if let Some(limit) = self.limit(view.looping.tokens, view.now) {
            return Progress::Over(iteration, limit);
        }
        match (&self.until, trial) {
            (Until::Passes(_), None) => Progress::Untried(iteration),
            (Until::Passes(_), Some(_)) if outcome == Outcome::Unknown => {
                Progress::Unknown(iteration)
            }
            _ => Progress::Open(iteration),
        }
    }

    /// The last run of the command since the loop began; a pass counts where no edit came after it.
    fn seen(&self, view: &View<'_>, words: &str) -> (Outcome, Option<String>) {
        let work = view.work;
        let Ok(pattern) = Pattern::of(RunKind::Test, words) else {
            return (Outcome::Unknown, Some("it cannot be understood".to_owned()));
        };
        let since = work.runs.iter().filter(|it| it.step > self.begun_step);
        let Some(run) = since.filter(|it| pattern.is(&it.command)).max_by_key(|it| it.step) else {
            return (Outcome::Unknown, Some("it was not seen yet".to_owned()));
        };
        let edits = work.edits.iter().filter(|it| !view.is_scratch(&it.file));
        let wrote = work.wrote.as_ref().map(|it| it.last);
        let edited = edits.map(|it| it.latest).chain(wrote).max().unwrap_or(0);
        match run.outcome {
            // What its own line wrote may have come after it.
            Outcome::Passed if edited + 1 >= run.step => {
                (Outcome::Unknown, Some("it passed, and files may have changed since".to_owned()))
            }
            Outcome::Unknown => (Outcome::Unknown, Some("nobody can tell how it ended".to_owned())),
            outcome @ (Outcome::Passed | Outcome::Failed(_)) => (outcome, run.detail.clone()),
        }
    }

    fn limit(&self, tokens: u64, now: Timestamp) -> Option<&'static str> {
        let minutes = now.0.saturating_sub(self.begun_at.0) / 60_000;
        let Limits { rounds, minutes: most_minutes, tokens: most_tokens } = self.limits;
        if self.rounds >= rounds {
            Some("as many rounds as it may have")
        } else if most_minutes.is_some_and(|it| minutes >= i64::from(it)) {
            Some("its time is up")
        } else if most_tokens.is_some_and(|it| tokens.saturating_sub(self.begun_tokens) >= it) {
            Some("its tokens are used up")
        } else {
            None
        }
    }

    /// What becomes of it after a stop that was answered so.
    pub fn after(&self, progress: Progress, verdict: &Verdict) -> (Iteration, Next) {
        let over = |end, why: &str| Next::Over { end, why: why.to_owned() };
        match progress {
            Progress::Proven(it) => (it, over(End::Proven, "its condition is proven")),
            Progress::Over(it, limit) => (it, over(End::Capped, limit)),
            Progress::Released(it) => (it, over(End::Stopped, "its lock file is gone")),
            Progress::Unknown(it) => (it, Next::Wait),
            // Another gate may have asked.
            Progress::Untried(it) if matches!(verdict, Verdict::Ask(_)) => (it, Next::Wait),
            Progress::Open(it) | Progress::Untried(it) => match verdict {
                Verdict::Ask(_) => (it, Next::On),
                Verdict::Release(release) => {
                    let next = if *release == Release::Idle { Next::Idle } else { Next::Wait };
                    let detail = Some(format!("let go: {}", release.reason()));
                    (Iteration { detail, ..it }, next)
                }
                Verdict::Pass => (it, Next::Wait),
            },
        }
    }

    /// Its task in a line, or what stands for it.
    pub fn name(&self) -> String {
        match (foreign::line(&self.task, 300), &self.until) {
            (task, _) if !task.is_empty() => task,
            (_, Until::Unlocked(_)) => "lock file".to_owned(),
            (_, Until::Passes(_) | Until::Seen(_) | Until::Released) => "keep working".to_owned(),
        }
    }
}

impl End {
    /// Every end, for rows and tables.
    pub const ALL: [Self; 4] = [Self::Proven, Self::Capped, Self::Stopped, Self::Lapsed];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Capped => "capped",
            Self::Stopped => "stopped",
            Self::Lapsed => "lapsed",
        }
    }
}

#[cfg(test)]
mod tests;
