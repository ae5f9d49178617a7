//! What the agents of a session have done, as far as gates care: edits, runs, tasks, asks.
//!
//! It is made of the events, of what was asked, and of what a look at the working tree found. Order
//! is that of the calls; the time of a file tells only whether a command has changed it since the
//! user spoke. Everything in it is bounded.

pub(crate) mod cure;
mod directory;
mod healing;
mod left_out;
mod logs;
mod own_script;
mod parts;
mod provisional;
mod ran;
mod removals;
mod request;
mod settled;
mod side_question;
mod wish;
mod wish_words;
mod witnessed;

use crate::evidence::{
    self, CommandLine, Coverage, FileChange, Gap, Judged, Pattern, Run, RunKind, RunSign, Shown,
    Status, Writes,
};
use crate::{
    Ended, Event, Excerpt, Kind, Outcome, PromptOrigin, TaskChange, Timestamp, Tool, ToolCall,
    path, prompt_trace,
};

pub use directory::AgentDirectory;
pub use healing::{Healing, Room};
pub use logs::RunLog;
pub use parts::{
    Asked, Edit, Mended, PromptMark, PromptWish, PutAside, Stated, Suspect, Task, Touched, Wrote,
};
pub use provisional::{BeforePrompt, MAX_PROVISIONAL, ProvisionalPrompt};
use ran::MAX_BEFORE;
pub use ran::Ran;
pub(crate) use ran::without_times;
pub use removals::Removal;
use wish::wants_failing_test;
pub(crate) use witnessed::{Witnessed, failure_words};

/// Files that are remembered one by one.
const MAX_EDITS: usize = 256;
/// Runs that are remembered, the latest of each command.
const MAX_RUNS: usize = 24;
/// Lines that may hold something left behind.
const MAX_SUSPECTS: usize = 64;
/// Entries of the task list.
const MAX_TASKS: usize = 100;
/// Runs that were mended and are remembered, the latest ones.
const MAX_MENDED: usize = 4;
/// Files that mended a run; where more were edited nobody knows what it was.
const MAX_MENDING: usize = 4;
/// Agents whose asks are counted.
const MAX_AGENTS: usize = 32;

/// What the user says to have the agent settle what was learned.
const HEAL: &str = "heal discoveries";

/// Milliseconds by which the system's times of files may be behind the clock.
const TICK: i64 = 10;

/// What changed a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Editor {
    /// A tool that edits files.
    Tool,
    /// A command line.
    Command,
}

/// What was done in a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Work {
    /// The order of everything here: two for each tool call, because what a command line writes
    /// comes before what it runs, as far as anybody knows.
    pub step: u64,
    /// The call after which something was last known that was not known before: an edit, a run, a
    /// change of the task list.
    pub changed: u64,
    /// The prompt of the user that is being answered.
    pub prompt: Option<PromptMark>,
    /// The last edit of each file.
    pub edits: Vec<Edit>,
    /// Edits of files that are not in the list any more.
    pub more_edits: u32,
    /// The last run of each command; one whose end nobody knows stands beside a failure.
    pub runs: Vec<Ran>,
    /// Runs with tests that failed, and that a later run left out when it passed.
    pub left_out: Vec<Ran>,
    /// Files that commands wrote, that are no sources of the project and may be run, the latest ones.
    pub written_scripts: Vec<String>,
    /// What commands removed or moved away by name, and files that went otherwise, the latest ones.
    pub removals: Vec<Removal>,
    /// The files that took the output of runs, the latest ones.
    pub logs: Vec<RunLog>,
    /// Where the changes are that are not in the files.
    pub put_aside: PutAside,
    /// Runs that failed and passed after an edit, in this prompt and the one before.
    pub mended: Vec<Mended>,
    /// Commands that may have written files without saying which, since somebody last looked.
    pub wrote: Option<Wrote>,
    /// The last command that may have written files, whoever has looked since.
    pub written: Option<u64>,
    /// When the last event was seen.
    pub seen_at: Option<Timestamp>,
    /// When somebody last looked which files they were, or the first event of a session that no
    /// prompt of the user began.
    pub looked: Option<Timestamp>,
    /// The last call that may have tried something out: a command that does more than look, a tool
    /// of a server.
    pub tried: Option<u64>,
    /// The last call that pushed commits to where CI runs.
    pub pushed: Option<u64>,
    /// The last call that asked CI, where it was answered that all passed.
    pub ci_passed: Option<u64>,
    /// The last call that asked CI, where it was answered that something failed or runs yet.
    pub ci_denied: Option<u64>,
    /// What of it passed by that answer, in jobs of its own: the linter, the build.
    pub ci_kinds: Vec<RunKind>,
    /// Whether the user wants what was learned to be settled before this prompt is answered.
    pub heal: bool,
    /// What became of asks to settle it.
    pub healing: Healing,
    /// How long the conversation may become.
    pub room: Room,
    /// What was done before cannot be read: nobody knows how often the agent was asked.
    pub lost: bool,
    /// The agents' task list.
    pub tasks: Vec<Task>,
    /// Lines that were added since the user spoke, and may hold something left behind.
    pub suspects: Vec<Suspect>,
    /// What was asked of each agent; the main one has no name.
    pub asked: Vec<Asked>,
    /// Prompts that may be the user's and whose rows were not read yet, the oldest first.
    pub provisional: Vec<ProvisionalPrompt>,
    /// Traces of prompts that their rows have shown to be foreign.
    pub foreign: Vec<u64>,
    /// Where the agents are.
    pub directories: Vec<AgentDirectory>,
}

impl Work {
    /// Takes an event in.
    pub fn observe(&mut self, event: &Event, own: &[Pattern]) {
        // Where no prompt of the user marks a beginning, the work begins with the first event.
        if self.prompt.is_none() && self.looked.is_none() {
            self.looked = self.seen_at.or(Some(event.at));
        }
        self.take_in(event, own);
        self.seen_at = Some(event.at);
    }

    fn take_in(&mut self, event: &Event, own: &[Pattern]) {
        let agent = event.agent.as_ref().map_or("", |it| it.id.as_str());
        match &event.kind {
            // Delivered again: the user has said nothing new, so nothing begins.
            Kind::Prompt { origin: PromptOrigin::User, text, .. }
                if self.is_being_answered(event, text) => {}
            Kind::Prompt { origin: PromptOrigin::User, text, .. } => {
                self.enter(agent, &event.cwd, event.at);
                let asks_heal = text.head.to_lowercase().contains(HEAL);
                self.expect_row(prompt_trace(&text.head), asks_heal);
                self.begin(event, text);
                self.heal = false;
            }
            Kind::Tools(calls) => {
                self.enter(agent, &event.cwd, event.at);
                for call in calls {
                    self.step += 2;
                    self.call(call, (agent, &event.cwd, event.at), own);
                }
            }
            Kind::Prompt { ended: Some(ended), .. } => self.end(ended),
            Kind::SessionStart { model: Some(model), .. } => self.room.hear(model),
            Kind::TaskCreated { id, subject } => self.open_task(id, &subject.head),
            Kind::SessionStart { model: None, .. }
            | Kind::SessionEnd { .. }
            | Kind::Prompt {
                origin: PromptOrigin::TaskNotification | PromptOrigin::Foreign,
                ended: None,
                ..
            }
            | Kind::ToolStart(_)
            | Kind::Stop(_)
            | Kind::StopFailure { .. }
            | Kind::AgentStart
            | Kind::AgentStop(_)
            | Kind::TeammateIdle { .. }
            // It is about to be: a gate may stand against it.
            | Kind::TaskCompleted { .. }
            | Kind::CompactStart { .. }
            | Kind::CompactEnd { .. } => {}
        }
    }

    /// Takes in which calls the transcript says have failed. It has the last word.
    fn correct(&mut self, failed: &[String]) {
        for run in self.runs.iter_mut().filter(|it| it.told && failed.contains(&it.call)) {
            if run.outcome == Outcome::Passed {
                run.outcome = Outcome::Failed(None);
            }
        }
        self.mended.retain(|it| !it.call.as_ref().is_some_and(|call| failed.contains(call)));
    }

    /// Takes in how a call in the background ended. It says something only of a run whose status is
    /// the call's.
    fn end(&mut self, ended: &Ended) {
        let ours = self.runs.iter_mut().filter(|it| it.told && it.call == ended.call);
        for run in ours.filter(|it| it.outcome == Outcome::Unknown) {
            run.outcome = ended.outcome;
        }
    }

    /// Whether a prompt is the one that is being answered: its id and its words are the same.
    fn is_being_answered(&self, event: &Event, text: &Excerpt) -> bool {
        let id = event.prompt.as_deref().filter(|it| !it.is_empty());
        self.prompt
            .as_ref()
            .is_some_and(|it| Some(it.id.as_str()) == id && it.trace == prompt_trace(&text.head))
    }

    fn begin(&mut self, event: &Event, text: &Excerpt) {
        let id = event.prompt.clone().unwrap_or_default();
        // Who was interrupted never stopped: what was mended before this prompt is told after it.
        let before = self.since();
        self.mended.retain(|it| it.step > before);
        let mut parts = [Some(&text.head), text.tail.as_ref()].into_iter().flatten();
        let wants_failure = parts.any(|it| wants_failing_test(it));
        let kinds = evidence::passing_kinds(text);
        let stated = if kinds.is_empty() {
            self.prompt.take().and_then(|it| it.stated)
        } else {
            let is_partial = evidence::leaves_most_out(text);
            Some(Stated { step: self.step, kinds, is_partial })
        };
        self.left_out.clear();
        let wish = side_question::wish_of(text);
        let goes_on = side_question::says_go_on(text);
        self.prompt = Some(PromptMark {
            id,
            trace: prompt_trace(&text.head),
            at: event.at,
            step: self.step,
            wants_failure,
            stated,
            wish,
            goes_on,
        });
        // What was left before is what the user has seen.
        self.suspects.clear();
        // Most agents do not outlive a prompt, and the user is here: the oldest make room.
        let agents = self.asked.iter().filter(|it| !it.agent.is_empty()).count();
        let mut leave = agents.saturating_sub(MAX_AGENTS / 2);
        self.asked.retain(|it| {
            let goes = !it.agent.is_empty() && leave > 0;
            leave -= usize::from(goes);
            !goes
        });
        for asked in &mut self.asked {
            asked.in_prompt = 0;
            asked.last = None;
            asked.sought.clear();
            asked.declined.clear();
            asked.claim = None;
        }
    }

    fn call(
        &mut self,
        call: &ToolCall,
        (agent, cwd, at): (&str, &str, Timestamp),
        own: &[Pattern],
    ) {
        if call.never_ran {
            return;
        }
        match call.tool {
            // One that was refused, or of which nobody knows, has changed nothing.
            Tool::Edit | Tool::Write if call.outcome == Outcome::Passed => {
                self.put_aside = PutAside::default();
                for file in &call.files {
                    self.logs.retain(|it| it.file != *file);
                    let changed_tasks = self.changed_tasks(file, call);
                    self.edit(file, agent, at, (self.step, self.step), Editor::Tool);
                    if let Some(edit) = self.edits.iter_mut().find(|it| it.file == *file) {
                        edit.changed_tasks = changed_tasks;
                    }
                    call.suspects.iter().for_each(|it| self.suspect(file, it, agent));
                }
            }
            Tool::Shell => {
                if let Some(command) = &call.command {
                    self.shell(call, command, (agent, cwd, at), own);
                }
            }
            Tool::Read if !self.logs.is_empty() => self.read_log_file(call, own),
            Tool::Mcp if !matches!(call.outcome, Outcome::Failed(_)) => {
                self.tried = Some(self.step);
                if evidence::writes_by_name(&call.name) {
                    self.write(agent, self.step);
                }
            }
            // A list that is written as a whole is its author's own, and only the main agent's is
            // asked about. Entries with an id belong to the session.
            Tool::Task if !agent.is_empty() && call.tasks.first() == Some(&TaskChange::Listed) => {}
            Tool::Task => call.tasks.iter().for_each(|it| self.task(it)),
            Tool::Edit
            | Tool::Write
            | Tool::Read
            | Tool::Search
            | Tool::Agent
            | Tool::Mcp
            | Tool::Other => {}
        }
    }

    fn edit(
        &mut self,
        file: &str,
        agent: &str,
        at: Timestamp,
        (step, latest): (u64, u64),
        by: Editor,
    ) {
        self.changed = self.changed.max(step);
        let since = self.since();
        let is_by_command = self.edits.iter().any(|it| it.file == file && it.is_by_command);
        let known = self.edits.iter().find(|it| it.file == file && it.first > since);
        let first = known.map_or(step, |it| it.first.min(step));
        self.edits.retain(|it| it.file != file);
        if self.edits.len() == MAX_EDITS {
            self.edits.remove(0);
            self.more_edits += 1;
        }
        let (file, agent) = (file.to_owned(), agent.to_owned());
        let (changed_tasks, is_by_command) = (None, by == Editor::Command || is_by_command);
        self.edits.push(Edit {
            file,
            step,
            latest,
            first,
            at,
            agent,
            changed_tasks,
            is_by_command,
        });
    }

    /// The tasks of a file that were changed, this call included; `None` where any may be.
    fn changed_tasks(&self, file: &str, call: &ToolCall) -> Option<Vec<String>> {
        let mut tasks = call.changed_tasks.clone()?;
        if let Some(edit) = self.edits.iter().find(|it| it.file == file) {
            tasks.extend(edit.changed_tasks.clone()?);
        }
        Some(tasks)
    }

    fn suspect(&mut self, file: &str, text: &str, agent: &str) {
        self.suspects.retain(|it| it.file != file || it.text != text);
        if self.suspects.len() == MAX_SUSPECTS {
            self.suspects.remove(0);
        }
        let (file, text, agent) = (file.to_owned(), text.to_owned(), agent.to_owned());
        self.suspects.push(Suspect { file, text, step: self.step, agent });
    }

    /// Remembers a push, and what CI answered. A line that pushes and asks has asked after it.
    fn look_at_ci(&mut self, line: &str, call: &ToolCall) {
        // `gh pr checks` exits with an error where something failed or runs yet.
        if evidence::remote::asks_ci(line) && evidence::remote::says_open(&call.output) {
            (self.ci_denied, self.ci_passed) = (Some(self.step), None);
            self.ci_kinds = evidence::remote::passed_kinds(&call.output);
            self.changed = self.changed.max(self.step);
        }
        if matches!(call.outcome, Outcome::Failed(_)) {
            return;
        }
        if evidence::remote::pushes(line, &call.output) {
            self.pushed = Some(self.step);
        }
        if evidence::remote::asks_ci(line) {
            let is_success = evidence::remote::says_success(&call.output);
            self.ci_passed = is_success.then_some(self.step);
            self.changed = self.changed.max(self.step);
        }
    }

    /// Whether CI was asked after a push that came after a call, and said that all passed.
    pub(crate) fn has_ci_passed(&self, after: u64) -> bool {
        let pushed = self.pushed.filter(|it| *it > after);
        pushed.zip(self.ci_passed).is_some_and(|(pushed, passed)| passed >= pushed)
    }

    /// Whether CI was asked after a push that came after a call, and said of the jobs of a kind that
    /// they passed, whatever it said of others.
    pub(crate) fn has_ci_passed_kind(&self, after: u64, kind: RunKind) -> bool {
        let pushed = self.pushed.filter(|it| *it > after);
        let asked = pushed.zip(self.ci_denied).is_some_and(|(pushed, denied)| denied >= pushed);
        self.has_ci_passed(after) || asked && self.ci_kinds.contains(&kind)
    }

    /// Whether CI was asked after a call, and last said that not all passed.
    pub(crate) fn has_ci_denied(&self, after: u64) -> bool {
        self.ci_denied.is_some_and(|it| it > after && self.ci_passed.is_none_or(|pass| it > pass))
    }

    fn shell(
        &mut self,
        call: &ToolCall,
        command: &Excerpt,
        (agent, cwd, at): (&str, &str, Timestamp),
        own: &[Pattern],
    ) {
        let text = command.joined();
        let line = CommandLine::with_gap(&text, own, command.gap());
        let before = self.directory_before(agent, cwd, &line);
        let cwd = before.as_deref().unwrap_or(cwd);
        let writes = line.writes();
        let only_looks = writes == Writes::No;
        let is_undone = line.reverts() && self.has_own_edits();
        let is_away = self.put_aside.is_any() || is_undone;
        let runs = judged_runs(&line, call.outcome, &call.output, is_away);
        let is_reading = runs.is_empty() && self.read_log_line(&line, call, cwd, own);
        // A redirection may write a file that is no source.
        if !is_reading && (!only_looks || text.contains(['>', '|'])) {
            self.forget_logs(&text);
        }
        let writes_after = |it: &Run| it.written_after > Writes::Form;
        if writes > Writes::Form {
            // In doubt a line writes before it runs, but for one that is not known as a whole.
            let is_before =
                !runs.is_empty() && !line.has_hole() && !runs.iter().any(|it| writes_after(&it.0));
            self.write(agent, self.step - u64::from(is_before));
        } else if writes == Writes::Form {
            self.keep_proofs(at);
        }
        let is_shown = runs.iter().any(|it| it.0.sign == RunSign::Output);
        // Who works among temporary files changes what matters there.
        // In the home of the user stand files that decide what later commands mean.
        let is_in_home = || text.contains("~/") || text.contains("HOME");
        let is_looked_at = !only_looks || path::is_temporary(cwd) || is_in_home();
        let may_write = is_looked_at || names_write(&text);
        let changes = if may_write { line.file_changes(is_shown) } else { Vec::new() };
        for change in changes {
            let has_run = !runs.is_empty();
            if change.is_removed {
                self.note_removal(&change, has_run, (agent, cwd));
                continue;
            }
            if !is_looked_at || !Self::counts(&change, cwd) {
                let directory = change.directory.as_deref().unwrap_or_default();
                let file = path::named(cwd, directory, &change.file);
                if let Some(file) = file {
                    // A script or a patch may put them into another file.
                    change.typed.iter().for_each(|it| self.suspect(&file, it, agent));
                    self.note_written(file);
                }
                continue;
            }
            let Some(file) = self.change_file(&change, has_run, (agent, cwd, at)) else { continue };
            // Of a file that is written anew as a whole, its words do not tell which lines are new.
            if !change.is_replaced {
                change.typed.iter().for_each(|it| self.suspect(&file, it, agent));
            }
        }
        // Who asks a server tries it out.
        let asks = || text.contains("curl") && text.split_whitespace().any(|it| it == "curl");
        let tries = !only_looks || !runs.is_empty() || asks();
        if tries && !matches!(call.outcome, Outcome::Failed(_)) {
            self.tried = Some(self.step);
        }
        self.look_at_ci(&text, call);
        self.look_at_stash(&line, call);
        let named: Vec<_> = runs.iter().map(|it| &it.0).collect();
        let is_stale = named.iter().any(|it| writes_after(it));
        self.keep_logs(&line, &named, call, (agent, cwd, at), is_stale);
        for (run, judged) in runs {
            let is_stale = writes_after(&run);
            let step = self.step - u64::from(is_stale);
            let at = if is_stale { self.seen_at.unwrap_or(at) } else { at };
            let is_named = |it: &&Pattern| it.is(&run.command);
            let is_itself = run.written_after == Writes::No
                && own.iter().filter(is_named).any(|it| line.runs_itself(it));
            let mut ran =
                self.ran_of((run, judged), &call.id, (agent, cwd, at), (step, &call.output));
            // Without names and counts its last words say more.
            let is_bare = ran.failing.is_empty() && ran.tally.is_none();
            if is_itself && is_bare && matches!(ran.outcome, Outcome::Failed(_)) {
                ran.detail = ran::last_lines(&call.output).or(ran.detail);
            }
            self.ran(Ran { is_itself, ..ran });
        }
    }

    /// A run as it is remembered; `output` is what can be seen of it.
    fn ran_of(
        &mut self,
        (run, judged): (Run, Judged),
        call: &str,
        (agent, cwd, at): (&str, &str, Timestamp),
        (step, output): (u64, &Excerpt),
    ) -> Ran {
        let directory = path::joined(cwd, run.directory.as_deref().unwrap_or_default());
        let Judged { mut outcome, detail, mut gap, lacks_dependency, is_cut } = judged;
        let scripts = Self::steering_files(&run, directory.as_deref());
        let mut began = None;
        // What fails without the changes is no failure of them.
        if run.stashed && matches!(outcome, Outcome::Failed(_)) {
            (outcome, gap, began) = (Outcome::Unknown, Some(Gap::Stashed), detail.clone());
        }
        // A dependency that the session itself asked for is part of the work.
        if lacks_dependency && self.has_changed_manifest(step) {
            (outcome, gap) = (Outcome::Failed(None), None);
        }
        let is_whole = run.shown == Shown::All;
        let has_failed = matches!(outcome, Outcome::Failed(_)) || began.is_some();
        let is_failed_test = run.kind == RunKind::Test && has_failed;
        let failing = if is_failed_test { evidence::failing_tests(output) } else { Vec::new() };
        let counts = !failing.is_empty()
            || is_failed_test && left_out::is_one_count(&run.command, output, is_whole);
        let tally = counts.then(|| evidence::last_tally(output, is_whole)).flatten();
        let has_passed = run.kind == RunKind::Test && outcome == Outcome::Passed;
        let counted = has_passed.then(|| evidence::counted_tests(output, is_whole)).flatten();
        let is_partial = run.kind == RunKind::Test && evidence::leaves_most_out(output);
        let coverage = match run.coverage {
            _ if is_cut => Coverage::Cut,
            Coverage::Whole | Coverage::Chosen if is_partial => Coverage::Named,
            coverage @ (Coverage::Whole | Coverage::Chosen | Coverage::Named | Coverage::Cut) => {
                coverage
            }
        };
        let counted = counted.map(|(ran, left_out)| match coverage {
            Coverage::Named => ran,
            Coverage::Whole | Coverage::Chosen | Coverage::Cut => ran + left_out,
        });
        let mut ran = Ran {
            call: call.to_owned(),
            kind: run.kind,
            command: run.command,
            directory,
            step,
            agent: agent.to_owned(),
            outcome,
            detail,
            told: run.status == Status::Told,
            gap,
            began,
            coverage,
            at,
            failing,
            tally,
            counted,
            script: None,
            scripts,
            before: None,
            is_itself: false,
        };
        if ran.outcome == Outcome::Passed {
            ran.script = self.own_script(&ran);
            if ran.script.is_some() {
                (ran.outcome, ran.gap) = (Outcome::Unknown, Some(Gap::OwnScript));
            }
        }
        self.note_left_out(&ran, output, is_whole);
        ran
    }

    /// Whether the session changed a file that names dependencies, before a call.
    fn has_changed_manifest(&self, before: u64) -> bool {
        self.edits.iter().any(|it| it.step < before && evidence::is_manifest(&it.file))
    }

    /// Remembers whether the changes are stashed.
    fn look_at_stash(&mut self, line: &CommandLine<'_>, call: &ToolCall) {
        let has_nothing = || call.output.head.contains("No local changes");
        if matches!(call.outcome, Outcome::Failed(_)) || has_nothing() {
            return;
        }
        if let Some(is_stashed) = line.stashes() {
            self.put_aside.is_stashed = is_stashed;
        }
        if let Some(is_away) = line.leaves_changes() {
            // Changes that are not committed go along to another branch: `M  src/a.rs`.
            let output = &call.output.head;
            let goes_along =
                output.lines().any(|it| it.starts_with("M\t") || it.starts_with("A\t"));
            let stays = output.starts_with("Already on ") || goes_along;
            // The name of the branch that was left is not known: the next move leads back to it.
            let is_second = self.put_aside.is_on_branch;
            let is_on_branch = is_away && !stays && !is_second && self.has_own_edits();
            self.put_aside.is_on_branch = is_on_branch;
        }
    }

    /// Whether a tool changed files since the user spoke.
    fn has_own_edits(&self) -> bool {
        self.edits.iter().any(|it| !it.is_by_command && it.step > self.since())
    }

    /// A formatter takes no proof away: what ran before it counts as if it ran after it.
    fn keep_proofs(&mut self, at: Timestamp) {
        let written = self.written.unwrap_or(0);
        self.runs.iter_mut().filter(|it| it.step > written).for_each(|it| it.at = at);
    }

    /// Whether a file that a command changed by name counts as an edit.
    fn counts(change: &FileChange, cwd: &str) -> bool {
        let file = path::named(cwd, change.directory.as_deref().unwrap_or_default(), &change.file);
        // Directories above the project may have any name.
        let is_source = |it: &String| {
            let below = path::below(it, cwd);
            let is_temporary = path::is_temporary(cwd);
            path::is_source(if is_temporary { path::below_temporary(below) } else { below })
        };
        let decides = |it: &str| evidence::is_task_file(it) || path::is_shell_file(it);
        // What an agent tries out in a directory for temporary files is no part of its work, unless
        // the work lies in the same place.
        let is_trial = |it: &String| path::is_temporary(it) && !path::shares_temporary(it, cwd);
        let file = file.filter(|it| !is_trial(it));
        file.is_some_and(|it| change.is_script || is_source(&it) || decides(&it))
    }

    /// Takes in a file that a command changed by name, and returns it.
    fn change_file(
        &mut self,
        change: &FileChange,
        has_run: bool,
        (agent, cwd, at): (&str, &str, Timestamp),
    ) -> Option<String> {
        let file = path::named(cwd, change.directory.as_deref().unwrap_or_default(), &change.file)?;
        // In doubt a line writes before it runs.
        let step = self.step - u64::from(has_run && !change.is_after_run);
        self.edit(&file, agent, at, (step, step), Editor::Command);
        let lines = if change.is_through { Suspect::WRITTEN } else { Suspect::ANY_LINE };
        self.suspect(&file, lines, agent);
        Some(file)
    }

    fn write(&mut self, agent: &str, step: u64) {
        let since = self.since();
        self.written = Some(step);
        let known = self.wrote.take().filter(|it| it.first > since);
        let new = Wrote { first: step, last: step, agent: agent.to_owned() };
        self.wrote = Some(known.map_or(new, |it| Wrote {
            last: step,
            agent: if it.agent == agent { it.agent } else { String::new() },
            ..it
        }));
    }

    /// Takes in which files commands have changed: those that the system saw change since the user
    /// spoke and somebody last looked. Which of the commands it was nobody knows.
    /// Files that are the `same` as before are edits no more, unless a run passed before they were taken
    /// back: it ran on something else.
    pub fn find(&mut self, touched: &[Touched], same: &[Touched], now: Timestamp) {
        let begun = self.prompt.as_ref().map(|it| it.at);
        let (Some(wrote), Some(since)) = (self.wrote.take(), begun.max(self.looked)) else {
            return;
        };
        let step = self.since();
        let is_same = |file: &String| same.iter().any(|it| it.file == *file);
        let taken_back: Vec<_> = same.iter().filter_map(|it| self.taken_back(it)).collect();
        self.edits.retain(|it| it.first <= step || !is_same(&it.file));
        self.removals.retain(|it| !is_same(&it.path));
        for (file, run) in taken_back {
            let steps = (run.max(wrote.first), run.max(wrote.last));
            self.edit(file, &wrote.agent, now, steps, Editor::Command);
        }
        for Touched { file, at, committed, is_gone } in touched {
            if *is_gone && self.find_removed(file, now) {
                continue;
            }
            let Some(at) = at.filter(|it| it.0 + TICK >= since.0) else { continue };
            let is_known = |it: &Edit| it.file == *file && it.at >= at;
            if !self.edits.iter().any(is_known) {
                // A run that was over before the file changed did not see the change.
                let before = self.runs.iter().filter(|it| it.at.0 + TICK < at.0).map(|it| it.step);
                let first = before.chain([wrote.first]).max().unwrap_or(wrote.first);
                let steps = (first, wrote.last.max(first));
                self.edit(file, &wrote.agent, now, steps, Editor::Command);
                // What came with a commit may be what others wrote: a pull, another branch.
                if *is_gone {
                    self.keep_removal(Removal::of_file(file, steps.0, &wrote.agent));
                } else if !committed {
                    self.suspect(file, Suspect::ANY_LINE, &wrote.agent);
                }
            }
        }
        self.looked = Some(now);
        self.judge_scripts_again();
    }

    /// A file that was taken back after a run with its edit passed, and the step of the last such run.
    fn taken_back<'a>(&self, same: &'a Touched) -> Option<(&'a str, u64)> {
        let at = same.at?;
        let edit = self.edits.iter().find(|it| it.file == same.file)?;
        let passed = self.runs.iter().filter(|it| it.outcome == Outcome::Passed);
        let with_edit = passed.filter(|it| it.step >= edit.first && it.at.0 + TICK < at.0);
        Some((&same.file, with_edit.map(|it| it.step).max()?))
    }

    fn ran(&mut self, mut run: Ran) {
        self.changed = self.step;
        let untouched = self.edits.is_empty() && self.more_edits == 0 && self.written.is_none();
        if run.gap == Some(Gap::Stashed) && run.began.is_some() {
            let is_same = |it: &&mut Ran| it.command == run.command && it.kind == run.kind;
            let failed = self.runs.iter_mut().filter(is_same).filter(|it| it.has_failed());
            failed.for_each(|it| it.began.clone_from(&run.began));
        }
        run.began = match run.outcome {
            Outcome::Unknown if run.began.is_some() => run.began,
            Outcome::Passed => None,
            Outcome::Failed(_) if untouched => run.detail.clone(),
            Outcome::Failed(_) | Outcome::Unknown => self.runs.iter().find_map(|it| it.begun(&run)),
        };
        self.mend(&run);
        // That nobody can tell how it ended takes no failure away.
        let is_known = run.outcome != Outcome::Unknown;
        let stays = |it: &mut Ran| !it.is_same(&run) || !is_known && it.has_failed();
        let replaced = self.runs.extract_if(.., |it| !stays(it)).last();
        run.before = replaced.filter(|_| run.detail.is_none()).map(Box::new);
        run.forget_before(MAX_BEFORE);
        if self.runs.len() >= MAX_RUNS {
            let oldest = self.runs.iter().position(|it| !it.has_failed()).unwrap_or(0);
            self.runs.remove(oldest);
        }
        self.runs.push(run);
    }

    /// Remembers what a run that passed was mended by, if it failed before.
    fn mend(&mut self, run: &Ran) {
        if run.outcome != Outcome::Passed {
            return;
        }
        let Some(failed) = self.runs.iter().find(|it| it.is_same(run) && it.has_failed()) else {
            return;
        };
        let edits = self.edits.iter().filter(|it| it.step > failed.step);
        let files: Vec<_> = edits.map(|it| it.file.clone()).collect();
        if files.is_empty() || files.len() > MAX_MENDING {
            return;
        }
        let (command, detail) = (run.command.clone(), failed.detail.clone());
        if self.mended.len() == MAX_MENDED {
            self.mended.remove(0);
        }
        let call = run.told.then(|| run.call.clone());
        self.mended.push(Mended { command, detail, files, step: run.step, call });
    }

    fn task(&mut self, change: &TaskChange) {
        match change {
            TaskChange::Listed => self.tasks.clear(),
            TaskChange::Open { id, subject } => self.open_task(id, subject),
            TaskChange::Changed { id, subject } => {
                if self.tasks.iter().any(|it| it.id == *id) {
                    self.open_task(id, subject);
                }
            }
            TaskChange::Closed { id } => self.close_task(id),
        }
    }

    fn open_task(&mut self, id: &str, subject: &str) {
        self.changed = self.step;
        if let Some(known) = self.tasks.iter_mut().find(|it| it.id == id) {
            if !subject.is_empty() {
                subject.clone_into(&mut known.subject);
            }
        } else if self.tasks.len() < MAX_TASKS {
            self.tasks.push(Task { id: id.to_owned(), subject: subject.to_owned() });
        }
    }

    fn close_task(&mut self, id: &str) {
        let before = self.tasks.len();
        self.tasks.retain(|it| it.id != id);
        if self.tasks.len() != before {
            self.changed = self.step;
        }
    }

    /// What was asked of an agent.
    pub fn asked(&self, agent: &str) -> Asked {
        let known = self.asked.iter().find(|it| it.agent == agent).cloned();
        // Whose asks cannot be counted is not asked.
        let in_session = if self.has_room_for(agent) { 0 } else { u32::MAX };
        known.unwrap_or_else(|| Asked { agent: agent.to_owned(), in_session, ..Asked::default() })
    }

    /// Takes in that an agent was asked just now, and how often it was asked with that in this
    /// prompt and in this session, where nothing else is left that tells.
    pub fn restore_asked(&mut self, agent: &str, in_prompt: u32, in_session: u32) {
        let asked = self.asked(agent);
        self.keep_asked(Asked {
            in_prompt: asked.in_prompt.max(in_prompt),
            in_session: asked.in_session.max(in_session),
            last: Some(self.step),
            ..asked
        });
    }

    /// Puts in what was asked of an agent.
    pub fn keep_asked(&mut self, asked: Asked) {
        let before = self.asked.len();
        self.asked.retain(|it| it.agent != asked.agent);
        let is_known = self.asked.len() < before;
        let is_empty = asked == Asked { agent: asked.agent.clone(), ..Asked::default() };
        if is_known || !is_empty && self.has_room_for(&asked.agent) {
            self.asked.push(asked);
        }
    }

    /// The main agent always has a place.
    fn has_room_for(&self, agent: &str) -> bool {
        agent.is_empty() || self.asked.iter().filter(|it| !it.agent.is_empty()).count() < MAX_AGENTS
    }

    /// The last call of an agent after which something was known that was not known before.
    pub fn changed_by(&self, agent: &str) -> u64 {
        let edits = self.edits.iter().filter(|it| it.agent == agent).map(|it| it.step);
        let runs = self.runs.iter().filter(|it| it.agent == agent).map(|it| it.step);
        edits.chain(runs).max().unwrap_or(0)
    }

    /// Whether files may have changed since the prompt that is being answered. A run of tests for an
    /// answer changes none.
    pub(crate) fn may_have_changed(&self) -> bool {
        let since = self.since();
        let edits = self.edits.iter().map(|it| it.latest);
        edits.chain(self.written).any(|it| it > since)
    }

    /// The call with which the prompt that is being answered began.
    pub fn since(&self) -> u64 {
        self.prompt.as_ref().map_or(0, |it| it.step)
    }
}

/// Tells whether a line may write files outside of the sources by name.
fn names_write(text: &str) -> bool {
    const WRITERS: &[&str] = &["tee ", "cp ", "mv ", "ln ", "curl ", "wget ", "install "];
    text.contains('>') || WRITERS.iter().any(|it| text.contains(it))
}

/// The runs of a line and how they ended: those that its words name, and those that only its
/// output shows.
fn judged_runs(
    line: &CommandLine<'_>,
    outcome: Outcome,
    output: &Excerpt,
    is_stashed: bool,
) -> Vec<(Run, Judged)> {
    let mut named = line.runs();
    let is_back = is_stashed && line.stashes() == Some(false);
    let is_away = is_stashed && !is_back;
    for run in &mut named {
        run.stashed |= is_away;
    }
    let mut witnessed = line.output_runs(&named, outcome, output);
    for (run, judged) in witnessed.iter_mut().filter(|_| is_away) {
        run.stashed = true;
        if judged.outcome == Outcome::Passed {
            (judged.outcome, judged.gap) = (Outcome::Unknown, Some(Gap::Stashed));
        }
    }
    let judge = |run: Run| {
        let judged = evidence::judge(&run, outcome, output);
        (run, judged)
    };
    named.into_iter().map(judge).chain(witnessed).collect()
}

#[cfg(test)]
mod tests {
    use super::Mended;
    use crate::evidence::Gap;
    use crate::testing::Session;
    use crate::{Outcome, Verdict};

    const FAILED: &str = "test a ... FAILED\ntest result: FAILED. 2 passed; 1 failed";
    const PASSED: &str = "test result: ok. 3 passed; 0 failed";

    #[test]
    fn a_long_line_is_known_where_only_a_text_was_left_out() {
        let long = "x = 1\n".repeat(900);
        for (line, is_known) in [
            (format!("cat > /tmp/a.py <<'EOF'\n{long}EOF\ncargo test"), true),
            (format!("python3 -c '{long}' && cargo test"), true),
            (format!("bash <<'EOF'\n{long}EOF\ncargo test"), false),
            (format!("bash -c '{long}' && cargo test"), false),
            (format!("{long}cargo test"), false),
        ] {
            let mut session = Session::new();
            session.prompt("go").shell(&line, Ok(()), PASSED);
            let [run] = &session.work.runs[..] else { panic!("{:?}", session.work.runs) };
            let step = session.work.step;
            assert_eq!(run.step, step, "{}", &line[..20]);
            // A file that the hidden part changed is changed after the run, as far as is known.
            let is_after = session.work.written.is_some_and(|it| it >= step);
            assert_eq!(!is_after, is_known, "{}", &line[..20]);
        }
    }

    #[test]
    fn a_run_in_a_part_of_a_line_that_is_not_known_carries_no_claim() {
        let blank = "x".repeat(3000);
        let line = format!("echo {blank}; echo {blank}");
        for (told, output, outcome) in [
            (Ok(()), PASSED, Outcome::Unknown),
            (Ok(()), FAILED, Outcome::Unknown),
            (Err(101), FAILED, Outcome::Failed(None)),
        ] {
            let mut session = Session::new();
            session.prompt("go").edit("/p/a.rs").shell(&line, told, output);
            let [run] = &session.work.runs[..] else { panic!("{:?}", session.work.runs) };
            assert_eq!(run.outcome, outcome, "{output}");
            assert!(matches!(session.stop("All tests pass."), Verdict::Ask { .. }), "{output}");
        }
    }

    #[test]
    fn of_a_run_and_its_fallback_one_counts() {
        let missing = "bash: line 1: uv: command not found\n455 passed in 0.1s";
        for (line, told, output, outcome) in [
            ("uv run pytest -q || pytest -q", Ok(()), missing, Outcome::Passed),
            (
                "poetry run pytest 2>/dev/null || python -m pytest",
                Ok(()),
                "455 passed in 0.1s",
                Outcome::Passed,
            ),
            (
                "OUT=$(pytest -q 2>&1); echo \"$OUT\" | tail -1",
                Ok(()),
                "455 passed in 0.1s",
                Outcome::Passed,
            ),
            (
                "out=$(just ci); printf '%s' \"${out}\"",
                Ok(()),
                "455 passed in 0.1s",
                Outcome::Passed,
            ),
            ("pytest -q || pytest -q --lf", Ok(()), "455 passed in 0.1s", Outcome::Passed),
            (
                "if command -v uv; then uv run pytest -q; else pytest -q; fi",
                Ok(()),
                "455 passed in 0.1s",
                Outcome::Passed,
            ),
            (
                "uv run pytest -q || pytest -q",
                Err(1),
                "1 failed, 4 passed in 0.1s",
                Outcome::Failed(None),
            ),
            (
                "pytest -q || echo failed",
                Ok(()),
                "1 failed, 4 passed in 0.1s",
                Outcome::Failed(None),
            ),
        ] {
            let mut session = Session::new();
            session.prompt("go").edit("/p/a.py").shell(line, told, output);
            let [run] = &session.work.runs[..] else { panic!("{line}: {:?}", session.work.runs) };
            let is_same = match outcome {
                Outcome::Failed(_) => run.has_failed(),
                Outcome::Passed | Outcome::Unknown => run.outcome == outcome,
            };
            assert!(is_same, "{line}: {run:?}");
            let verdict = session.stop("All tests pass.");
            assert_eq!(verdict == Verdict::Pass, outcome == Outcome::Passed, "{line}: {verdict:?}");
        }
        // What runs one after the other counts twice.
        let mut session = Session::new();
        session.prompt("go").edit("/p/a.py");
        session.shell("pytest a; if true; then pytest b; fi", Ok(()), "1 passed in 0.1s");
        assert_eq!(session.work.runs.len(), 2);
    }

    #[test]
    fn a_script_that_the_line_itself_writes_proves_nothing() {
        for line in [
            "printf 'echo 455 passed in 0.1s' > ci.sh; sh ci.sh",
            "echo 'echo 455 passed in 0.1s' > ci.sh && chmod +x ci.sh && ./ci.sh",
            "cat > ci.sh <<'EOF'\necho 455 passed in 0.1s\nEOF\nbash ci.sh",
        ] {
            let mut session = Session::new();
            session.go_to("/var/tmp/x/p").prompt("go").edit("/var/tmp/x/p/a.py");
            session.shell(line, Ok(()), "455 passed in 0.1s\n");
            let [run] = &session.work.runs[..] else { panic!("{line}: {:?}", session.work.runs) };
            assert_eq!((run.outcome, run.gap), (Outcome::Unknown, Some(Gap::OwnScript)), "{line}");
        }
    }

    #[test]
    fn a_project_among_temporary_files_is_work_with_all_that_lies_beside_it() {
        for (cwd, file, is_edit) in [
            ("/tmp/x/p", "/tmp/x/p/src/a.py", true),
            ("/tmp/x/p/docs", "/tmp/x/p/src/a.py", true),
            ("/tmp/x/p", "/tmp/x/lib/a.py", true),
            ("/tmp/x/p", "/tmp/trial.py", false),
            ("/tmp/x/p", "/tmp/xy/trial.py", false),
            ("/srv/p", "/tmp/x/trial.py", false),
        ] {
            let mut session = Session::new();
            session.go_to(cwd).prompt("go").shell(&format!("sed -i s/a/b/ {file}"), Ok(()), "");
            let edited = session.work.edits.iter().any(|it| it.file == file);
            assert_eq!(edited, is_edit, "{cwd} {file}");
        }
    }

    #[test]
    fn a_run_that_fails_is_mended_by_the_edits_before_it_passes() {
        let mut session = Session::new();
        session.prompt("go").edit("/p/old.rs").shell("cargo test", Err(101), FAILED);
        session.edit("/p/a.rs").shell("cargo test", Ok(()), PASSED);
        let [Mended { command, detail, files, .. }] = &session.work.mended[..] else { panic!() };
        assert_eq!((command.as_str(), &files[..]), ("cargo test", &["/p/a.rs".to_owned()][..]));
        assert!(detail.as_deref().is_some_and(|it| it.contains("1 failed")), "{detail:?}");
        // It passed all the time, or nobody knows what helped.
        session.edit("/p/b.rs").shell("cargo test", Ok(()), PASSED);
        session.shell("cargo test", Err(101), FAILED).shell("cargo test", Ok(()), PASSED);
        session.shell("cargo test", Err(101), FAILED);
        for number in 0..9 {
            session.edit(&format!("/p/{number}.rs"));
        }
        session.shell("cargo test", Ok(()), PASSED);
        assert_eq!(session.work.mended.len(), 1);
    }

    #[test]
    fn a_run_that_the_transcript_flags_has_mended_nothing() {
        let mut session = Session::new();
        session.prompt("go").shell("cargo test", Err(101), FAILED).edit("/p/a.rs");
        session.shell("cargo test", Ok(()), PASSED);
        let call = session.last_call();
        session.work.correct(&["another".to_owned()]);
        assert_eq!(session.work.mended.len(), 1);
        session.work.correct(&[call]);
        assert_eq!(session.work.mended, []);
        // Here the status is that of another command, and says nothing of the run.
        session.shell("cargo test", Err(101), FAILED).edit("/p/b.rs");
        session.shell("cargo test; grep -c x log", Ok(()), PASSED);
        session.work.correct(&[session.last_call()]);
        assert_eq!(session.work.mended.len(), 1);
    }

    #[test]
    fn what_was_mended_is_known_for_one_more_prompt() {
        let mut session = Session::new();
        session.prompt("go").shell("cargo test", Err(101), FAILED).edit("/p/a.rs");
        session.shell("cargo test", Ok(()), PASSED).prompt("and?");
        assert_eq!(session.work.mended.len(), 1);
        session.read("/p/a.rs").prompt("and now?");
        assert_eq!(session.work.mended, []);
    }
}
