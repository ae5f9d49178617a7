//! Gates: reasons not to stop. Each is a row of [`GATES`] with a file of its own.

mod carried;
mod checks;
mod failed_words;
mod leftovers;
mod looped;
mod proof;
mod proof_kinds;
mod proof_scope;
mod proof_words;
pub mod states;
mod tasks;
pub(crate) mod uncommitted;
pub(crate) mod unsaved;

use std::cell::OnceCell;

pub(crate) use self::carried::carried;
pub(crate) use self::failed_words::failure_text;
use self::states::States;
use crate::check::Checked;
use crate::claim::{Claim, claims};
use crate::loops::{Lock, Loop, LoopAuthor, Looping, Trial, Until};
use crate::memory::{Memory, is_enough};
use crate::policy::{Gates, Mode};
use crate::work::{Edit, Touched};
use crate::{
    Event, Excerpt, Kind, Policy, Release, Snapshot, Stop, Timestamp, Work, foreign, path,
};

/// A reason not to stop.
#[derive(Debug)]
pub struct Gate {
    /// Its name, in settings, asks and `windlass gate`.
    pub name: &'static str,
    /// What it looks at, in a sentence.
    pub about: &'static str,
    /// What is set for it.
    pub mode: fn(&Gates) -> Mode,
    /// What keeps it from asking for ever.
    pub caps: Caps,
    /// What it says.
    pub look: fn(&View<'_>) -> Answer,
    /// What the user can do about what it found, in a sentence; empty where that goes without
    /// saying.
    pub next: &'static str,
}

/// What keeps a gate from asking for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caps {
    /// The caps of the settings, which such gates share. The agent may decline what they ask.
    Shared,
    /// Those, and it asks at most once for each prompt.
    Once,
    /// Limits of its own, which the user gave. It is not the agent's to decline.
    Own,
}

/// Characters of the name of a file or of a command that are shown.
const MAX_NAME: usize = 160;

/// Every gate, in the order in which their asks are listed.
pub const GATES: &[Gate] = &[
    looped::LOOP,
    looped::HOLD,
    proof::GATE,
    checks::GATE,
    tasks::GATE,
    states::GATE,
    states::LOOP_GATE,
    leftovers::GATE,
    uncommitted::GATE,
    unsaved::GATE,
];

/// All that a gate may look at.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// What was done in the session.
    pub work: &'a Work,
    /// The agent that wants to stop; empty for the main one.
    pub agent: &'a str,
    /// The directory in which it works.
    pub directory: &'a str,
    /// Where the session's project begins, if it is in one.
    pub root: Option<&'a str>,
    /// Where other working trees begin that hold work of the session.
    pub other_roots: &'a [String],
    /// What it is about to do.
    pub moment: Moment,
    /// How it stands when it stops.
    pub stop: &'a Stop,
    /// What it said last, without secrets.
    pub message: &'a Excerpt,
    /// The claims of the message, once a gate has read it for them.
    claims: &'a OnceCell<Vec<Claim>>,
    /// The loops of the session.
    pub looping: &'a Looping,
    /// What is set.
    pub gates: &'a Gates,
    /// What was read for the gates.
    pub facts: &'a Facts,
    /// What was learned in the session and nobody settled.
    pub unsettled: &'a [Memory],
    /// Whether it is enough to bother somebody with.
    pub is_enough: bool,
    /// Where the agent can read all of it.
    pub pending: Option<&'a str>,
    /// Whether the host is about to compact the conversation.
    pub is_nearly_full: bool,
    /// Messages of the user that wait for the agent to stop.
    pub queued: u32,
    /// Whether the project's checks changed since the user trusted them.
    pub checks_changed: bool,
    /// What the user has switched off.
    pub off: &'a [SwitchedOff],
    /// Variables of the environment that do not count, each in a sentence.
    pub ignored_variables: &'a [String],
    /// When it wants to stop.
    pub now: Timestamp,
}

impl<'a> View<'a> {
    /// What gates may look at when an event asks them; `None` where it does not, or nobody knows
    /// what was done. `work` and `looping` are as they are by now.
    pub(crate) fn of(
        event: &'a Event,
        (work, looping): (&'a Work, &'a Looping),
        snapshot: &'a Snapshot,
        policy: &'a Policy,
    ) -> Option<Self> {
        let moment = Moment::of(&event.kind)?;
        let stop = if let Kind::Stop(stop) | Kind::AgentStop(stop) = &event.kind {
            stop
        } else {
            Stop::SILENT
        };
        let tokens = snapshot.transcript.as_ref().map_or(0, |it| it.context);
        Some(Self {
            work,
            agent: event.agent.as_ref().map_or("", |it| it.id.as_str()),
            directory: &event.cwd,
            root: snapshot.root.as_deref(),
            other_roots: &snapshot.other_roots,
            moment,
            stop,
            message: snapshot.message.as_ref().unwrap_or(&stop.message),
            claims: &snapshot.claims,
            looping,
            gates: &policy.gates,
            facts: &snapshot.facts,
            unsettled: &snapshot.unsettled,
            is_enough: is_enough(&snapshot.unsettled, policy),
            pending: snapshot.pending.as_deref(),
            is_nearly_full: work.room.is_nearly_full(tokens),
            queued: snapshot.transcript.as_ref().map_or(0, |it| it.queued),
            checks_changed: snapshot.checks_changed,
            off: &snapshot.off,
            ignored_variables: &snapshot.ignored_variables,
            now: event.at,
        })
    }

    /// The claims of the message. It is read for them once.
    pub(crate) fn claims(&self) -> &'a [Claim] {
        self.claims.get_or_init(|| claims(self.message))
    }

    /// The loops that concern this agent: they belong to the conversation with the user.
    pub(crate) fn loops(&self) -> impl Iterator<Item = &'a Loop> + use<'a> {
        self.looping.loops.iter().filter({
            let is_theirs = self.agent.is_empty() && self.moment == Moment::Stop;
            move |_| is_theirs
        })
    }

    /// Who started the loop or the hold that a gate asks for.
    pub(crate) fn author_of(&self, gate: &str) -> LoopAuthor {
        // A hold that was set comes before one that a lock file sets.
        let first = self.loops().filter(|it| it.gate() == gate);
        let first = first.min_by_key(|it| matches!(it.until, Until::Unlocked(_)));
        first.map_or(LoopAuthor::User, |it| it.author)
    }

    /// What switches a gate off.
    pub fn switched_off(&self, gate: &str) -> Option<&SwitchedOff> {
        self.off.iter().find(|it| it.covers(gate))
    }

    /// Whether something is of the agent that wants to stop. The main one answers for all.
    pub(crate) fn is_own(&self, agent: &str) -> bool {
        self.agent.is_empty() || agent == self.agent
    }

    /// Whether a change of a file is one that a test or a build could prove.
    fn is_provable(&self, edit: &Edit) -> bool {
        let file = edit.file.as_str();
        if let Some(root) = self.tree_of(file) {
            return path::is_code(file, root);
        }
        if self.is_scratch(file) {
            return false;
        }
        if path::is_outside(file, self.root, self.directory) {
            // What an agent writes with its own tools there is a note or a trial of its own; a
            // command line that reaches out of the project changes what others use.
            let project = self.root.unwrap_or(self.directory);
            return edit.is_by_command && path::is_source_outside(file, project);
        }
        path::is_code(file, self.root.unwrap_or(self.directory))
    }

    /// Whether a run in a directory can have seen a file: both lie in one working tree, or the file
    /// lies below the directory. Where only a shell could tell, it can.
    fn is_near(&self, directory: Option<&str>, file: &str) -> bool {
        let (Some(directory), Some(root)) = (directory, self.tree_of(file)) else { return true };
        path::is_within(directory, root)
            || path::is_within(root, directory)
            || path::is_below(file, directory)
    }

    /// The working tree of the session's work that holds a file, the innermost one.
    fn tree_of(&self, file: &str) -> Option<&'a str> {
        let others = self.other_roots.iter().map(String::as_str);
        let holding = self.root.into_iter().chain(others).filter(|it| path::is_below(file, it));
        holding.max_by_key(|it| it.len())
    }

    /// Whether a file is one that the agent made for itself, outside of the session's work.
    pub(crate) fn is_scratch(&self, file: &str) -> bool {
        self.tree_of(file).is_none() && path::is_scratch(file, self.root.unwrap_or(self.directory))
    }

    /// Whether a directory has nothing to do with the session's work: it lies neither in one of its
    /// working trees nor above one.
    pub(crate) fn is_aside(&self, directory: &str) -> bool {
        let mut trees = self.root.into_iter().chain(self.other_roots.iter().map(String::as_str));
        let is_near =
            trees.any(|it| path::is_within(directory, it) || path::is_within(it, directory));
        !is_near
            && (self.root.is_some() || self.is_scratch(directory))
            && !self.is_beside_edit(directory)
    }

    /// Whether source that was edited in no working tree lies below a directory, or close to it.
    fn is_beside_edit(&self, directory: &str) -> bool {
        let is_plain = |it: &&Edit| self.tree_of(&it.file).is_none() && self.is_provable(it);
        self.work.edits.iter().filter(is_plain).any(|it| {
            // Source and tests lie side by side.
            let around = path::parent(path::parent(&it.file));
            let is_beside = !around.is_empty() && path::is_within(directory, around);
            path::is_below(&it.file, directory) || is_beside
        })
    }

    /// A file by its path from the root of the project, whatever directory the agent is in: one of
    /// another working tree with its directory.
    fn name(&self, file: &str) -> String {
        let root = self.root.unwrap_or(self.directory).trim_end_matches('/');
        let below = file.strip_prefix(root).and_then(|it| it.strip_prefix('/'));
        foreign::line(below.unwrap_or(file), MAX_NAME)
    }
}

/// The first of some things by their names, and how many more there are.
fn listed<T>(things: &[T], most: usize, name: impl Fn(&T) -> String) -> String {
    let mut names: Vec<_> = things.iter().take(most).map(name).collect();
    if things.len() > most {
        names.push(format!("{} more", things.len() - most));
    }
    names.join(", ")
}

/// What was read for the gates beside the session's work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// What stands in lines that were added, and is still there.
    pub left: Vec<Left>,
    /// What became of the conditions of loops that were tried.
    pub trials: Vec<Trial>,
    /// Files behind the commands of loops that are as the user gave them, for each loop.
    pub same_scripts: Vec<(i64, Vec<String>)>,
    /// What came of the checks that the user declares.
    pub checks: Vec<Checked>,
    /// The working tree, where it was looked at.
    pub tree: Option<Tree>,
    /// What stands in the state files of other tools.
    pub states: States,
    /// The lock file of another tool, where it was looked for.
    pub lock: Option<Lock>,
}

/// How the working tree differs from what was committed when the user spoke.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// It was looked at.
    Seen {
        /// It differs by these files.
        touched: Vec<Touched>,
        /// Files that were edited, and are as they were.
        same: Vec<Touched>,
    },
    /// Nobody can tell, and why.
    Unseen(String),
    /// There is no repository. These files of source have changed by their times; others may have,
    /// too.
    Plain(Vec<Touched>),
}

impl Tree {
    /// The files that have changed, and those that were edited and are as they were; `None` where
    /// it could not be looked at.
    pub fn found(&self) -> Option<(&[Touched], &[Touched])> {
        match self {
            Self::Seen { touched, same } => Some((touched, same)),
            Self::Plain(touched) => Some((touched, &[])),
            Self::Unseen(_) => None,
        }
    }
}

/// Something that was left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// The file, as the call named it.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// The line.
    pub text: String,
    /// The agent that added it; empty for the main one.
    pub agent: String,
    /// What it is.
    pub what: Leftover,
}

/// What was left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leftover {
    /// A note, a placeholder, a debugging statement.
    Unfinished,
    /// A key or a token.
    Secret,
}

/// What an agent is about to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// It wants to end its turn.
    Stop,
    /// It wants to complete an entry of the task list.
    Task,
    /// It would go idle.
    Idle,
}

impl Moment {
    /// The moment of an event at which gates may be asked; `None` where none are.
    pub fn of(kind: &Kind) -> Option<Self> {
        match kind {
            Kind::Stop(_) | Kind::AgentStop(_) => Some(Self::Stop),
            Kind::TeammateIdle { .. } => Some(Self::Idle),
            Kind::TaskCompleted { .. } => Some(Self::Task),
            Kind::SessionStart { .. }
            | Kind::SessionEnd { .. }
            | Kind::Prompt { .. }
            | Kind::ToolStart(_)
            | Kind::Tools(_)
            | Kind::StopFailure { .. }
            | Kind::AgentStart
            | Kind::TaskCreated { .. }
            | Kind::CompactStart { .. }
            | Kind::CompactEnd { .. } => None,
        }
    }
}

/// The user's word that gates do not ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchedOff {
    /// The gate; `None` is all of them.
    pub gate: Option<String>,
    /// By what, in a few words.
    pub by: String,
}

impl SwitchedOff {
    /// Whether it is about a gate.
    pub fn covers(&self, gate: &str) -> bool {
        self.gate.as_deref().is_none_or(|it| it == gate)
    }
}

/// The gates that settings switch off, of those that are on where nothing is set.
pub fn off_by_settings(gates: &Gates) -> impl Iterator<Item = &'static str> {
    let default = Gates::default();
    let is_off = move |it: &&Gate, gates: &Gates| {
        (it.mode)(gates) == Mode::Off && (it.mode)(&default) != Mode::Off
    };
    GATES.iter().filter(move |it| is_off(it, gates)).map(|it| it.name)
}

/// What a gate says of a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Nothing stands against it.
    Pass,
    /// Something is missing.
    Ask(Missing),
    /// The user should know of something that is no reason to go on.
    Advise(String),
    /// Something for the record alone.
    Note(String),
    /// Something is missing and nothing is asked, for this reason: the message hides nothing, or the
    /// user wants it so.
    Admitted(Missing, &'static str),
    /// It could not look. That is no reason to go on, and the user is told.
    CouldNotRun(String),
    /// It lets the agent go although what it watches over is not done.
    LetGo(Release, String),
    /// Several of these; at most one of them asks.
    Several(Vec<Self>),
}

/// What is missing, and how to bring it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// What was found, with the file or the command. The agent and the user read it.
    pub found: String,
    /// What satisfies the gate. Only the agent reads it.
    pub satisfy: String,
    /// What it is about, one by one: what the agent declines is not asked for again, whatever words
    /// it is found in.
    pub about: Vec<String>,
}

#[cfg(test)]
mod tests {
    use crate::Verdict;
    use crate::testing::Session;

    const CLAIM: &str = "All tests pass.";

    #[test]
    fn the_work_of_a_session_is_where_its_files_are_not_where_the_agent_stops() {
        let mut session = Session::new();
        session.prompt("go").edit("/p/src/a.rs").go_to("/p/sub");
        let Verdict::Ask(text) = session.stop(CLAIM) else { panic!() };
        assert!(text.contains("since src/a.rs was changed"), "{text}");
        // A file is named from the root of the project, whatever directory the agent is in.
        let mut session = Session::new();
        session.prompt("go").edit("/p/web/a.ts").go_to("/p/web");
        let Verdict::Ask(text) = session.stop(CLAIM) else { panic!() };
        assert!(text.contains("since web/a.ts was changed"), "{text}");
        // Neither does a directory for temporary files make them scratch.
        let mut session = Session::new();
        session.prompt("go").edit("/p/src/a.rs").go_to("/tmp/x");
        assert!(matches!(session.stop(CLAIM), Verdict::Ask(_)));
    }

    #[test]
    fn a_run_in_a_directory_beside_the_work_neither_fails_nor_proves_it() {
        for directory in ["/q", "/tmp/x", "/home/ada/notes"] {
            let mut session = Session::new();
            session.prompt("go").edit("/p/src/a.rs").shell("cargo test", Ok(()), "");
            session.shell(&format!("cd {directory} && cargo test"), Err(1), "1 failed");
            assert_eq!(session.stop("Done."), Verdict::Pass, "{directory}");
            let mut session = Session::new();
            session.prompt("go").edit("/p/src/a.rs");
            session.shell(&format!("cd {directory} && cargo test"), Ok(()), "");
            assert!(matches!(session.stop(CLAIM), Verdict::Ask(_)), "{directory}");
        }
    }

    #[test]
    fn a_run_in_one_working_tree_proves_nothing_of_another() {
        let mut session = Session::new();
        session.other_roots.push("/q".to_owned());
        session.prompt("go").edit("/p/src/a.rs").edit("/q/src/a.rs");
        session.shell("cd /q && cargo test", Ok(()), "test result: ok. 3 passed; 0 failed");
        let Verdict::Ask(text) = session.stop(CLAIM) else { panic!() };
        assert!(text.contains("`cargo test` in /q ran in another directory"), "{text}");
        assert!(text.contains("Run the tests in /p "), "{text}");
        session.shell("cd /p && cargo test", Ok(()), "test result: ok. 3 passed; 0 failed");
        assert_eq!(session.stop(CLAIM), Verdict::Pass);
    }

    #[test]
    fn another_working_tree_of_the_session_holds_work_and_is_named() {
        let mut session = Session::new();
        session.prompt("go").edit("/q/src/a.rs");
        assert_eq!(session.stop(CLAIM), Verdict::Pass, "it is in no working tree");
        session.other_roots.push("/q".to_owned());
        session.go_to("/q");
        let Verdict::Ask(text) = session.stop(CLAIM) else { panic!() };
        assert!(text.contains("since /q/src/a.rs was changed"), "{text}");
    }

    #[test]
    fn a_run_in_one_part_of_a_project_proves_nothing_of_another() {
        const PASSED: &str = "12 passed in 0.1s";
        for (files, line, message, is_asked) in [
            (&["frontend/b.ts"][..], "cd backend && pytest -q", CLAIM, true),
            (&["frontend/b.ts"], "cd backend && pytest -q", "The frontend tests pass.", true),
            (&["frontend/b.ts"], "cd backend && pytest -q", "The backend tests pass.", false),
            (&["frontend/b.ts"], "pytest -q", CLAIM, false),
            (&["frontend/b.ts", "backend/a.py"], "cd backend && pytest -q", CLAIM, true),
            (&["b/src/lib.rs", "a/src/lib.rs"], "cargo test -p a", CLAIM, true),
            (&["a/src/lib.rs", "b/src/lib.rs"], "cargo test -p a", CLAIM, true),
            (&["a/src/lib.rs"], "cargo test -p a", CLAIM, false),
            (&["a/x.go", "b/y.go"], "go test ./a/...", CLAIM, true),
            (&["a/x.go", "b/y.go"], "go test ./...", CLAIM, false),
            (&["packages/b/y.ts"], "pnpm --filter a test", CLAIM, true),
            (&["src/a.py"], "cd tests && pytest -q", CLAIM, false),
        ] {
            let mut session = Session::new();
            session.prompt("go");
            for file in files {
                session.edit(&format!("/p/{file}"));
            }
            session.shell(line, Ok(()), PASSED);
            let verdict = session.stop(message);
            let is_ask = matches!(verdict, Verdict::Ask(_));
            assert_eq!(is_ask, is_asked, "{files:?} {line} {message}: {verdict:?}");
        }
        // Each part has a run of its own.
        let mut session = Session::new();
        session.prompt("go").edit("/p/backend/a.py").edit("/p/frontend/b.ts");
        session.shell("cd backend && pytest -q", Ok(()), PASSED);
        session.shell("cd frontend && npx vitest run", Ok(()), "Tests  20 passed (20)");
        assert_eq!(session.stop(CLAIM), Verdict::Pass);
    }

    /// What a tree is below of says nothing of its files.
    #[test]
    fn a_file_is_judged_by_the_innermost_tree() {
        let mut session = Session::new();
        session.other_roots.push("/p/.claude/worktrees/x".to_owned());
        session.prompt("go").edit("/p/.claude/worktrees/x/src/a.rs");
        assert!(matches!(session.stop(CLAIM), Verdict::Ask(_)));
        let mut session = Session::new();
        session.other_roots.push("/p/vendor/docs".to_owned());
        session.prompt("go").edit("/p/vendor/docs/conf.py");
        assert!(matches!(session.stop(CLAIM), Verdict::Ask(_)));
    }
}
