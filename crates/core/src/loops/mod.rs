//! Work that was set going for long: a loop until something is proven, a hold until it is released.
//! The user starts them, or the agent of a session for itself. Each belongs to one session, and both
//! have limits of their own.

mod lock;
mod seen;
mod streak;

use crate::arbiter::Standing;
use crate::evidence::{Condition, decides_run};
use crate::excerpt::ending;
use crate::gate::View;
use crate::work::Edit;
use crate::{Excerpt, Outcome, Release, Timestamp, Verdict, Work, foreign, path, work};

pub use crate::evidence::task_words;
pub use lock::{Lock, LockState};
pub use streak::FailureStreak;

/// How often a hold sends the agent on, unless told.
pub const HOLD_ROUNDS: u32 = 100;

/// Characters of the task of a loop, and of the text of a hold: an ask shows all of them.
pub const MAX_TASK: usize = 500;

/// How often a loop may meet the same failure, where nothing is set.
pub const SAME_FAILURES: u32 = 5;

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
    /// How often its command must pass in a row at one stop.
    pub times: u32,
    /// How often it met the same failure.
    pub streak: FailureStreak,
    /// The scripts of its command, as they were when the user gave it.
    pub scripts: Vec<ScriptMark>,
    /// Calls that its session had made when the user last gave or confirmed its command.
    pub trusted_step: u64,
}

/// A script that the command of a loop names, and what was in it when the user gave the command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptMark {
    /// The script, as the command names it from its directory.
    pub file: String,
    /// A number made of its bytes; `None` where it was not there.
    pub mark: Option<u64>,
}

impl ScriptMark {
    /// The mark of every file that is not a text: who works on a program builds it again and again.
    pub const PROGRAM: u64 = 0;

    /// The mark of some bytes.
    pub fn of(bytes: &[u8]) -> u64 {
        crate::hash::hash(bytes)
    }
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
    /// How often it may meet the same failure in a row; 0 is as often as it comes.
    pub same_failures: u32,
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
    /// The end of what it printed.
    pub output: Excerpt,
    /// The scripts of the command that are not as the user gave them.
    pub changed: Vec<String>,
}

/// Files behind a command that the agent itself runs, as they were when the user gave it: whether
/// they still are is to be found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptRequest {
    /// The loop.
    pub id: i64,
    /// The files.
    pub scripts: Vec<ScriptMark>,
}

/// A command of a loop that is to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrialRequest {
    /// The loop.
    pub id: i64,
    /// The command.
    pub command: String,
    /// How often it must pass.
    pub times: u32,
    /// The scripts that it names.
    pub scripts: Vec<ScriptMark>,
}

/// All that is known of the loops of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Looping {
    /// Those that are not over.
    pub loops: Vec<Loop>,
    /// Tokens of the session so far.
    pub tokens: u64,
    /// Where the session began: the directory of its loops.
    pub directory: Option<String>,
    /// Loops and holds whose rows cannot be understood.
    pub unreadable: u32,
}

/// How a loop stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// Its condition is proven.
    Proven(Iteration),
    /// It has come to a limit.
    Over(Iteration, &'static str),
    /// It met the same failure so often, and may not more often.
    Stuck(Iteration, u32),
    /// Its command passes, with scripts that are not as the user gave them.
    Unconfirmed(Iteration, Vec<String>),
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
    /// It met the same failure again and again.
    Stuck,
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
        let (outcome, detail, is_void) = match (&self.until, trial) {
            (Until::Passes(command), Some(trial)) => {
                (trial.outcome, Some(trial.words(command)), false)
            }
            (Until::Seen(words), _) => {
                let seen = self.seen(view, words);
                (seen.outcome, seen.detail, seen.is_void)
            }
            (Until::Passes(_) | Until::Released | Until::Unlocked(_), _) => {
                (Outcome::Unknown, None, false)
            }
        };
        let detail = detail.filter(|it| !it.is_empty()).map(|it| ending(&it, MAX_DETAIL));
        let iteration = Iteration { at: view.now, outcome, detail };
        let changed = self.changed_scripts(view);
        if outcome == Outcome::Passed && changed.is_empty() {
            return Progress::Proven(iteration);
        }
        if let Some(limit) = self.limit(view.looping.tokens, view.now) {
            return Progress::Over(iteration, limit);
        }
        if outcome == Outcome::Passed {
            return Progress::Unconfirmed(iteration, changed);
        }
        let streak = self.streak_with(view, &iteration);
        let is_failure = is_void || matches!(outcome, Outcome::Failed(_));
        if is_failure && self.is_stuck(streak) && !Standing::releases(view) {
            return Progress::Stuck(iteration, streak.count);
        }
        match (&self.until, trial) {
            (Until::Passes(_), None) => Progress::Untried(iteration),
            (Until::Passes(_), Some(_)) if outcome == Outcome::Unknown => {
                Progress::Unknown(iteration)
            }
            _ => Progress::Open(iteration),
        }
    }

    /// The scripts and task files of its command that were changed since the user gave it.
    pub(crate) fn changed_scripts(&self, view: &View<'_>) -> Vec<String> {
        match &self.until {
            Until::Passes(_) => {}
            Until::Seen(words) => return self.seen(view, words).changed,
            Until::Released | Until::Unlocked(_) => return Vec::new(),
        }
        let trial = view.facts.trials.iter().find(|it| it.id == self.id);
        let mut changed = trial.map_or_else(Vec::new, |it| it.changed.clone());
        let place = view.looping.directory.as_deref().unwrap_or(view.directory);
        for file in self.edited_files(view.work, place) {
            if !changed.contains(&file) {
                changed.push(file);
            }
        }
        changed
    }

    /// The programs and task files of its command that its session edited since the user gave or
    /// confirmed it. Marks do not tell that: a build changes a program, and who works on a project
    /// its task files. `place` is the directory of the command.
    pub fn edited_files(&self, work: &Work, place: &str) -> Vec<String> {
        let Until::Passes(command) = &self.until else { return Vec::new() };
        let edited = |file: &str| {
            let whole = path::joined(place, file);
            let is_it =
                move |it: &&Edit| it.latest > self.trusted_step && Some(&it.file) == whole.as_ref();
            work.edits.iter().filter(is_it)
        };
        // A build may change a program. A command that puts a file in its place is no build.
        let programs = self.scripts.iter().filter(|it| it.mark == Some(ScriptMark::PROGRAM));
        let programs = programs.map(|it| it.file.clone());
        let mut files: Vec<String> = programs.filter(|it| edited(it).next().is_some()).collect();
        for file in Condition::of(command).task_files {
            // Another task of the same file says nothing about this command.
            let decides = |it: &Edit| {
                it.changed_tasks.as_ref().is_none_or(|it| decides_run(&file, it, command))
            };
            if edited(&file).any(decides) && !files.contains(&file) {
                files.push(file);
            }
        }
        files
    }

    /// How often it has met the same failure, with this iteration.
    pub(crate) fn streak_with(&self, view: &View<'_>, iteration: &Iteration) -> FailureStreak {
        // A pass that does not count is as good as a failure: it may come again and again.
        if let Until::Seen(words) = &self.until
            && let seen = self.seen(view, words)
            && seen.is_void
        {
            return self.streak.after_void(seen.detail.as_deref());
        }
        // What is shown of a failure may be the same where the rest of its words is not.
        let trial = view.facts.trials.iter().find(|it| it.id == self.id);
        let detail = trial.map(|it| ending(&it.detail, MAX_DETAIL)).filter(|it| !it.is_empty());
        self.streak.after(
            iteration.outcome,
            detail.as_ref().or(iteration.detail.as_ref()).map(String::as_str),
        )
    }

    fn is_stuck(&self, streak: FailureStreak) -> bool {
        let most = self.limits.same_failures;
        most > 0 && streak.count >= most
    }

    fn limit(&self, tokens: u64, now: Timestamp) -> Option<&'static str> {
        let minutes = now.0.saturating_sub(self.begun_at.0) / 60_000;
        let Limits { rounds, minutes: most_minutes, tokens: most_tokens, .. } = self.limits;
        if self.rounds >= rounds {
            Some("it sent the agent on as often as it may")
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
            Progress::Stuck(it, count) => {
                (it, over(End::Stuck, &format!("it met the same failure {count} times in a row")))
            }
            Progress::Released(it) => (it, over(End::Stopped, "its lock file is gone")),
            Progress::Unknown(it) => (it, Next::Wait),
            Progress::Unconfirmed(it, _) => {
                let detail = Some(
                    "it passed, but the user has not confirmed a script that changed".to_owned(),
                );
                (Iteration { outcome: Outcome::Unknown, detail, ..it }, Next::Wait)
            }
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

    /// How many rounds it had by now. A round begins each time it sends the agent on.
    pub fn rounds_had(&self) -> String {
        match self.rounds {
            0 => format!("no round yet, at most {}", self.limits.rounds),
            rounds => format!("round {rounds} of at most {}", self.limits.rounds),
        }
    }

    /// After how many rounds something came.
    pub fn after_rounds(&self) -> String {
        match self.rounds {
            0 => "before its first round".to_owned(),
            1 => "after 1 round".to_owned(),
            rounds => format!("after {rounds} rounds"),
        }
    }

    /// Its task in a line, or what stands for it.
    pub fn name(&self) -> String {
        match (foreign::line(&self.task, MAX_TASK), &self.until) {
            (task, _) if !task.is_empty() => task,
            (_, Until::Unlocked(_)) => "lock file".to_owned(),
            (_, Until::Passes(_) | Until::Seen(_) | Until::Released) => "keep working".to_owned(),
        }
    }
}

impl Trial {
    /// What it said of how it ended: of a run of tests or a build that failed the line that says so,
    /// of everything else its last words.
    fn words(&self, command: &str) -> String {
        let failure = match self.outcome {
            Outcome::Failed(_) => work::failure_words(command, self.outcome, &self.output),
            Outcome::Passed | Outcome::Unknown => None,
        };
        failure.unwrap_or_else(|| self.detail.clone())
    }
}

impl End {
    /// Every end, for rows and tables.
    pub const ALL: [Self; 5] =
        [Self::Proven, Self::Capped, Self::Stuck, Self::Stopped, Self::Lapsed];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Capped => "capped",
            Self::Stuck => "stuck",
            Self::Stopped => "stopped",
            Self::Lapsed => "lapsed",
        }
    }
}

#[cfg(test)]
mod tests;
