//! What must be looked at in the world before a stop is decided. The work gives the reasons; an
//! event without one looks at nothing.

use crate::arbiter::{Standing, has_declined};
use crate::check::Check;
use crate::gate::View;
use crate::loops::Until;
use crate::policy::Mode;
use crate::{Event, Policy, Release, Snapshot, Timestamp, path};

/// What gates want to know beside what the ledger has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Whether what was left behind is still there.
    pub leftovers: bool,
    /// What the conditions of loops say: commands that the user gave, each with its loop.
    pub trials: Vec<(i64, String)>,
    /// What comes of the checks that are declared.
    pub checks: Option<Checking>,
}

/// What checks are about at a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checking {
    /// The checks, whatever files they are about.
    pub checks: Vec<Check>,
    /// The files that the agent has changed since the user spoke, as the calls named them.
    pub files: Vec<String>,
    /// Whether others may have changed too: a command wrote, or there were too many to remember.
    pub more: bool,
    /// When the user spoke.
    pub since: Timestamp,
    /// Names the last change of the session: where it is the same, nothing was changed in between.
    pub change: String,
    /// Whether a command may be run.
    pub runs: Runs,
}

/// Whether a command may be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// It may.
    Allowed,
    /// The agent is let go anyway: only what is known already counts.
    Needless,
}

impl Wanted {
    /// Whether nothing has to be looked at.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a command has to run.
    pub fn runs_commands(&self) -> bool {
        !self.trials.is_empty() || self.checks.is_some()
    }
}

/// Names what must be looked at before `decide`.
pub fn wanted(event: &Event, snapshot: &Snapshot, policy: &Policy) -> Wanted {
    let Some(work) = &snapshot.work else { return Wanted::default() };
    let Some(view) = View::of(event, (work, &snapshot.looping), snapshot, policy) else {
        return Wanted::default();
    };
    Wanted {
        leftovers: leftovers(&view),
        trials: trials(&view),
        checks: checks(event, &view, &policy.checks),
    }
}

fn leftovers(view: &View<'_>) -> bool {
    view.gates.leftovers.mode != Mode::Off
        && view.switched_off("leftovers").is_none()
        && !view.work.suspects.is_empty()
}

/// None where the agent is let go anyway.
fn trials(view: &View<'_>) -> Vec<(i64, String)> {
    if view.switched_off("loop").is_some() || Standing::releases(view) {
        return Vec::new();
    }
    let commands = view.loops().filter_map(|it| match &it.until {
        Until::Passes(command) => Some((it.id, command.clone())),
        Until::Seen(_) | Until::Released => None,
    });
    commands.collect()
}

/// Checks are wanted where something was changed since the user spoke, and the agent may be asked.
fn checks(event: &Event, view: &View<'_>, all: &[Check]) -> Option<Checking> {
    let is_off = view.gates.checks.mode == Mode::Off || view.switched_off("checks").is_some();
    if all.is_empty() || is_off || has_declined(view, "checks") {
        return None;
    }
    let work = view.work;
    let since = work.since();
    let own = work.edits.iter().filter(|it| view.is_own(&it.agent) && it.step > since);
    let own = own.filter(|it| !path::is_scratch(&it.file, view.directory));
    let files: Vec<_> = own.map(|it| it.file.clone()).collect();
    // Nobody knows whose command it was: the main agent answers for all.
    let wrote = view.agent.is_empty() && work.wrote.is_some_and(|it| it > since);
    if files.is_empty() && !wrote {
        return None;
    }
    let runs = match Standing::shared_release(view) {
        None => Runs::Allowed,
        // It comes back.
        Some(release) if !release.is_final() => return None,
        // What a command wrote may be what was missing.
        Some(Release::Unchanged) if work.wrote > work.asked(view.agent).last => Runs::Allowed,
        Some(_) => Runs::Needless,
    };
    let last = work.edits.iter().map(|it| it.step).chain(work.wrote).max().unwrap_or(0);
    Some(Checking {
        checks: all.to_vec(),
        files,
        more: wrote || work.more_edits > 0,
        since: work.prompt.as_ref().map_or(Timestamp(0), |it| it.at),
        change: format!("{} {last}", event.session.as_str()),
        runs,
    })
}

#[cfg(test)]
mod tests {
    use super::{Checking, Runs};
    use crate::check::{Check, Severity, Stage, What};
    use crate::gate::SwitchedOff;
    use crate::policy::Mode;
    use crate::testing::Session;
    use crate::{Stop, Verdict};

    fn session() -> Session {
        let mut session = Session::new();
        session.policy.checks.push(Check {
            name: "unit".to_owned(),
            what: What::Pattern("x".to_owned()),
            files: Vec::new(),
            severity: Severity::Ask,
            stage: Stage::Correctness,
        });
        session.prompt("do it");
        session
    }

    fn wanted(session: &mut Session) -> Option<Checking> {
        session.wanted(Stop::default()).checks
    }

    #[test]
    fn a_session_that_changes_nothing_runs_no_check() {
        let mut session = session();
        session.read("/p/a.rs").shell("cargo test", Ok(()), "").edit("/tmp/scratch.rs");
        assert_eq!(wanted(&mut session), None);
        session.edit("/p/a.rs");
        let checking = wanted(&mut session).unwrap();
        assert_eq!(checking.files, ["/p/a.rs"]);
        assert!(!checking.more && checking.runs == Runs::Allowed);
        // What was changed for another prompt is not asked of an answer.
        session.prompt("why?");
        assert_eq!(wanted(&mut session), None);
        session.shell("sed -i s/a/b/ a.rs", Ok(()), "");
        let other = wanted(&mut session).unwrap();
        assert!(other.files.is_empty() && other.more);
        assert_ne!(other.change, checking.change);
    }

    #[test]
    fn checks_that_are_off_are_not_run() {
        let mut session = session();
        session.edit("/p/a.rs");
        session.policy.gates.checks.mode = Mode::Off;
        assert_eq!(wanted(&mut session), None);
        session.policy.gates.checks.mode = Mode::Advise;
        assert!(wanted(&mut session).is_some());
        session.off.push(SwitchedOff { gate: None, by: "you".to_owned() });
        assert_eq!(wanted(&mut session), None);
    }

    #[test]
    fn an_agent_that_is_let_go_runs_no_command() {
        let mut session = session();
        session.edit("/p/a.rs").shell("cargo test", Err(101), "1 failed");
        let planning = Stop { planning: true, ..Stop::default() };
        assert_eq!(session.wanted(planning).checks, None);
        let awaiting = Stop { awaited: 1, ..Stop::default() };
        assert_eq!(session.wanted(awaiting).checks, None);
        assert!(matches!(session.stop("Done."), Verdict::Ask(_)));
        assert_eq!(wanted(&mut session).unwrap().runs, Runs::Needless, "it only talks");
        session.read("/p/a.rs");
        assert_eq!(wanted(&mut session).unwrap().runs, Runs::Needless, "nothing is new");
        session.shell("sed -i s/a/b/ a.rs", Ok(()), "");
        assert_eq!(wanted(&mut session).unwrap().runs, Runs::Allowed);
        session.edit("/p/a.rs");
        assert_eq!(wanted(&mut session).unwrap().runs, Runs::Allowed);
        session.policy.gates.asks_per_prompt = 1;
        assert_eq!(wanted(&mut session).unwrap().runs, Runs::Needless, "there is a cap");
    }

    #[test]
    fn a_gate_that_is_declined_runs_nothing() {
        let mut session = session();
        let declined = || {
            let message = crate::Excerpt::of("windlass decline checks: the disk is full");
            Stop { message, ..Stop::default() }
        };
        session.edit("/p/a.rs").shell("cargo test", Err(101), "1 failed");
        assert!(session.wanted(declined()).checks.is_some(), "nothing was asked yet");
        assert!(matches!(session.stop("Done."), Verdict::Ask(_)));
        session.edit("/p/a.rs");
        assert_eq!(session.wanted(declined()).checks, None);
    }

    #[test]
    fn an_agent_is_checked_for_its_own_files() {
        let mut session = session();
        session.policy.gates.agents = vec!["*".to_owned()];
        session.edit("/p/a.rs").shell("sed -i s/a/b/ a.rs", Ok(()), "");
        assert_eq!(wanted(session.switch_to("a1", "writer")), None);
        let checking = wanted(session.edit("/p/b.rs")).unwrap();
        assert_eq!(checking.files, ["/p/b.rs"]);
        assert!(!checking.more);
    }
}
