//! What must be looked at in the world before a stop is decided. The work gives the reasons; an
//! event without one looks at nothing.

use crate::arbiter::{Standing, has_declined};
use crate::check::Check;
use crate::gate::{Moment, View};
use crate::loops::{Loop, ScriptRequest, TrialRequest, Until};
use crate::policy::{Mode, Require};
use crate::{Event, Outcome, Policy, SessionId, Snapshot, Timestamp, Work};

/// What gates want to know beside what the ledger has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Whether something was left behind in lines that were added.
    pub leftovers: bool,
    /// How the working tree differs from the last commit; files that are new count since then.
    pub tree: Option<Timestamp>,
    /// What the conditions of loops say: commands that the user gave, each with its loop.
    pub trials: Vec<TrialRequest>,
    /// Whether the files behind commands that the agent runs are as they were given.
    pub scripts: Vec<ScriptRequest>,
    /// What comes of the checks that are declared.
    pub checks: Option<Checking>,
    /// What the state files of another tool say of this session.
    pub states: Option<SessionId>,
    /// Whether the lock file of another tool is there.
    pub lock: bool,
}

/// What checks are about at a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checking {
    /// The checks, whatever files they are about, and whether a command may be run for each.
    pub checks: Vec<(Check, Runs)>,
    /// The agent that is to stop; empty for the main one.
    pub agent: String,
    /// The calls before the user spoke.
    pub since: u64,
    /// Names the last change of the session: where it is the same, nothing was changed in between.
    pub change: String,
}

/// Whether a command may be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// It may.
    Allowed,
    /// The agent is let go anyway, or has declined it: only what is known already counts.
    Needless,
}

impl Checking {
    /// The files that the agent has changed since the user spoke.
    pub fn files<'w>(&'w self, work: &'w Work) -> impl Iterator<Item = &'w str> {
        let is_own = |agent: &str| self.agent.is_empty() || agent == self.agent;
        let own = work.edits.iter().filter(move |it| is_own(&it.agent) && it.latest > self.since);
        own.map(|it| it.file.as_str())
    }

    /// Whether a command may have changed files that are not among them.
    pub fn wrote(&self, work: &Work) -> bool {
        let is_own = |agent: &str| self.agent.is_empty() || agent == self.agent;
        work.wrote.as_ref().is_some_and(|it| is_own(&it.agent) && it.last > self.since)
    }
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
    let Some(work) = snapshot.corrected_work() else { return Wanted::default() };
    let Some(view) = View::of(event, (&work, &snapshot.looping), snapshot, policy) else {
        return Wanted::default();
    };
    let checks = checks(event, &view, &policy.checks);
    let leftovers = leftovers(&view);
    Wanted {
        leftovers,
        tree: tree(&view, checks.as_ref(), leftovers),
        trials: trials(&view),
        scripts: scripts(&view),
        checks,
        states: (policy.readers.ralph && is_theirs(&view, "states")).then(|| event.session.clone()),
        lock: policy.readers.lock_file && is_theirs(&view, "hold"),
    }
}

fn is_on(view: &View<'_>, gate: &str, mode: Mode) -> bool {
    mode != Mode::Off && view.switched_off(gate).is_none()
}

fn leftovers(view: &View<'_>) -> bool {
    let work = view.work;
    let is_new = work.edits.iter().any(|it| it.latest > work.since());
    is_on(view, "leftovers", view.gates.leftovers.mode)
        && (is_new || !work.suspects.is_empty() || work.wrote.is_some())
}

/// Only where it could change an answer.
fn tree(view: &View<'_>, checks: Option<&Checking>, leftovers: bool) -> Option<Timestamp> {
    let (work, gates) = (view.work, view.gates);
    // A schedule or another agent may have begun the session.
    let begun = work.prompt.as_ref().map(|it| it.at).or(work.looked)?;
    let new_edits = || work.edits.iter().any(|it| it.latest > work.since());
    let uncommitted =
        is_on(view, "uncommitted", gates.uncommitted.mode) && (work.wrote.is_some() || new_edits());
    let doubt = || {
        let failed = work.runs.iter().any(|it| matches!(it.outcome, Outcome::Failed(_)));
        failed || gates.proof.require != Require::Honesty || !view.claims().is_empty()
    };
    let proof = || work.wrote.is_some() && is_on(view, "proof", gates.proof.mode) && doubt();
    let seen = || {
        let looks = |it: &Loop| matches!(it.until, Until::Seen(_));
        work.wrote.is_some() && view.loops().any(looks)
    };
    let checked = || checks.is_some_and(|it| it.wrote(work));
    let left = || leftovers && work.wrote.is_some();
    let wanted = uncommitted || proof() || seen() || checked() || left();
    wanted.then(|| work.edits.iter().map(|it| it.at).fold(begun, Timestamp::min))
}

/// Whether it is the main agent that stops, and a gate is not switched off: files of other tools
/// belong to the conversation with the user.
fn is_theirs(view: &View<'_>, gate: &str) -> bool {
    let is_main = view.agent.is_empty() && view.moment == Moment::Stop;
    is_main && view.switched_off(gate).is_none()
}

/// None where the agent is let go anyway.
fn trials(view: &View<'_>) -> Vec<TrialRequest> {
    if view.switched_off("loop").is_some() || Standing::releases(view) {
        return Vec::new();
    }
    let commands = view.loops().filter_map(|it| match &it.until {
        Until::Passes(command) => Some(TrialRequest {
            id: it.id,
            command: command.clone(),
            times: it.times,
            scripts: it.scripts.clone(),
        }),
        Until::Seen(_) | Until::Released | Until::Unlocked(_) => None,
    });
    commands.collect()
}

/// Only where a pass was seen that could be proof.
fn scripts(view: &View<'_>) -> Vec<ScriptRequest> {
    let loops = view.loops().filter(|it| !it.scripts.is_empty() && it.needs_scripts(view));
    let requests = loops.map(|it| ScriptRequest { id: it.id, scripts: it.scripts.clone() });
    if view.switched_off("loop").is_some() { Vec::new() } else { requests.collect() }
}

/// The last call that changed something, or may have.
fn last_act(work: &Work) -> Option<u64> {
    let edits = work.edits.iter().map(|it| it.latest);
    edits.chain(work.written).chain(work.tried).max()
}

/// Whether the agent changed something since it was last asked, or may have.
fn has_acted(view: &View<'_>) -> bool {
    let asked = view.work.asked(view.agent).last;
    asked.is_none() || last_act(view.work) > asked
}

/// Checks are wanted where something was changed since the user spoke, and the agent may be asked.
fn checks(event: &Event, view: &View<'_>, all: &[Check]) -> Option<Checking> {
    if all.is_empty() || !is_on(view, "checks", view.gates.checks.mode) {
        return None;
    }
    let work = view.work;
    let runs = match Standing::shared_release(view) {
        None => Runs::Allowed,
        // It comes back.
        Some(release) if !release.is_final() => return None,
        // What was changed or tried since the last ask may be what was missing: before the user
        // reads that something is open, it is looked at once more.
        Some(_) if has_acted(view) => Runs::Allowed,
        Some(_) => Runs::Needless,
    };
    let runs_of = |check: &Check| {
        if has_declined(view, "checks", &check.name) { Runs::Needless } else { runs }
    };
    let last = last_act(work).unwrap_or(0);
    let checking = Checking {
        checks: all.iter().map(|it| (it.clone(), runs_of(it))).collect(),
        agent: view.agent.to_owned(),
        since: work.since(),
        change: format!("{} {last}", event.session.as_str()),
    };
    let edited = checking.files(work).any(|it| !view.is_scratch(it));
    let is_wanted = edited || checking.wrote(work);
    is_wanted.then_some(checking)
}

#[cfg(test)]
mod tests {
    use super::{Checking, Runs};
    use crate::check::{Check, Checked, How, Severity, Stage, What};
    use crate::gate::SwitchedOff;
    use crate::policy::Mode;
    use crate::testing::Session;
    use crate::{Outcome, Release, Stop, Verdict};

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

    fn runs(session: &mut Session) -> Runs {
        wanted(session).unwrap().checks[0].1
    }

    #[test]
    fn a_session_that_changes_nothing_runs_no_check() {
        let mut session = session();
        session.read("/p/a.rs").shell("cargo test", Ok(()), "").edit("/tmp/scratch.rs");
        assert_eq!(wanted(&mut session), None);
        session.edit("/p/a.rs");
        let checking = wanted(&mut session).unwrap();
        assert_eq!(runs(&mut session), Runs::Allowed);
        // What was changed for another prompt is not asked of an answer.
        session.prompt("why?");
        assert_eq!(wanted(&mut session), None);
        session.shell("sed -i s/a/b/ a.rs", Ok(()), "");
        let other = session.wanted(Stop::default());
        assert!(other.tree.is_some(), "which files it wrote is to be found out");
        assert_ne!(other.checks.unwrap().change, checking.change);
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
        assert_eq!(runs(&mut session), Runs::Needless, "it only talks");
        session.read("/p/a.rs");
        assert_eq!(runs(&mut session), Runs::Needless, "nothing is new");
        session.shell("sed -i s/a/b/ a.rs", Ok(()), "");
        assert_eq!(runs(&mut session), Runs::Allowed);
        session.edit("/p/a.rs");
        assert_eq!(runs(&mut session), Runs::Allowed);
    }

    /// The agent may have mended it after the last ask.
    #[test]
    fn at_a_cap_the_last_proof_is_still_run() {
        for cap in ["prompt", "session", "minutes"] {
            let mut session = session();
            session.edit("/p/a.rs").shell("cargo test", Err(101), "1 failed");
            assert!(matches!(session.stop("Done."), Verdict::Ask(_)));
            session.edit("/p/a.rs");
            let gates = &mut session.policy.gates;
            match cap {
                "prompt" => gates.asks_per_prompt = 1,
                "session" => gates.asks_per_session = 1,
                _ => gates.minutes = 0,
            }
            assert_eq!(runs(&mut session), Runs::Allowed, "{cap}");
            session.facts.checks.push(Checked {
                check: session.policy.checks[0].clone(),
                outcome: Outcome::Passed,
                detail: String::new(),
                ms: 0,
                how: How::Looked(None),
            });
            session.shell("cargo test", Ok(()), "test result: ok. 1 passed; 0 failed");
            assert_eq!(session.stop("Done."), Verdict::Pass, "{cap}");
            session.facts.checks[0].outcome = Outcome::Failed(None);
            session.edit("/p/a.rs");
            assert!(matches!(session.stop("Done."), Verdict::Release(_)), "{cap}");
        }
    }

    /// What a server of tools did may be what was missing.
    #[test]
    fn a_tool_of_a_server_may_have_mended_a_check() {
        let mut session = session();
        let before = wanted(session.edit("/p/a.rs")).unwrap().change;
        session.mcp();
        assert_ne!(wanted(&mut session).unwrap().change, before);
    }

    #[test]
    fn a_check_that_was_declined_is_not_run_again() {
        let mut session = session();
        session.edit("/p/a.md");
        session.facts.checks.push(Checked {
            check: session.policy.checks[0].clone(),
            outcome: Outcome::Failed(None),
            detail: "it failed.".to_owned(),
            ms: 0,
            how: How::Looked(None),
        });
        assert!(matches!(session.stop("Done."), Verdict::Ask(_)));
        session.edit("/p/a.md");
        assert_eq!(runs(&mut session), Runs::Allowed);
        let verdict = session.stop("windlass decline checks: the disk is full");
        assert_eq!(verdict, Verdict::Release(Release::Declined));
        session.edit("/p/a.md");
        assert_eq!(runs(&mut session), Runs::Needless);
        session.facts.checks[0].how = How::LetGo;
        assert_eq!(session.stop("Done."), Verdict::Release(Release::Declined));
        session.prompt("go on").edit("/p/a.md");
        assert_eq!(runs(&mut session), Runs::Allowed);
    }

    #[test]
    fn an_agent_is_checked_for_its_own_files() {
        let mut session = session();
        session.policy.gates.agents = vec!["*".to_owned()];
        session.edit("/p/a.rs").shell("sed -i s/a/b/ a.rs", Ok(()), "");
        assert_eq!(wanted(session.switch_to("a1", "writer")), None);
        let checking = wanted(session.edit("/p/b.rs")).unwrap();
        assert_eq!(checking.agent, "a1");
        assert!(wanted(session.switch_to("", "")).is_some());
    }
}
