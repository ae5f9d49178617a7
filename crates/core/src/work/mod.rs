//! What the agents of a session have done, as far as gates care: edits, runs, tasks, asks.
//!
//! It is made of the events, of what was asked, and of what a look at the working tree found. Order
//! is that of the calls; the time of a file tells only whether a command has changed it since the
//! user spoke. Everything in it is bounded.

pub(crate) mod cure;
mod healing;
mod parts;
mod provisional;
mod ran;
mod settled;
mod wish;

use crate::evidence::{
    self, CommandLine, Coverage, FileChange, Gap, Judged, Pattern, Run, RunSign, Status, Writes,
};
use crate::{
    Ended, Event, Excerpt, Kind, Outcome, PromptOrigin, TaskChange, Timestamp, Tool, ToolCall,
    path, prompt_trace,
};

pub use healing::{Healing, Room};
pub use parts::{Asked, Edit, Mended, PromptMark, Stated, Suspect, Task, Touched, Wrote};
pub use provisional::{BeforePrompt, ProvisionalPrompt};
pub use ran::Ran;
use wish::wants_failing_test;

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
    /// Runs that failed and passed after an edit, in this prompt and the one before.
    pub mended: Vec<Mended>,
    /// Commands that may have written files without saying which, since somebody last looked.
    pub wrote: Option<Wrote>,
    /// The last command that may have written files, whoever has looked since.
    pub written: Option<u64>,
    /// When the last event was seen.
    pub seen_at: Option<Timestamp>,
    /// When somebody last looked which files they were.
    pub looked: Option<Timestamp>,
    /// The last call that may have tried something out: a command that does more than look, a tool
    /// of a server.
    pub tried: Option<u64>,
    /// The last call that pushed commits to where CI runs.
    pub pushed: Option<u64>,
    /// The last call that asked CI, where it was answered that all passed.
    pub ci_passed: Option<u64>,
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
}

impl Work {
    /// Takes an event in.
    pub fn observe(&mut self, event: &Event, own: &[Pattern]) {
        self.take_in(event, own);
        self.seen_at = Some(event.at);
    }

    fn take_in(&mut self, event: &Event, own: &[Pattern]) {
        let agent = event.agent.as_ref().map_or("", |it| it.id.as_str());
        match &event.kind {
            Kind::Prompt { origin: PromptOrigin::User, text, .. } => {
                let asks_heal = text.head.to_lowercase().contains(HEAL);
                self.expect_row(prompt_trace(&text.head), asks_heal);
                self.begin(event, text);
                self.heal = false;
            }
            Kind::Tools(calls) => {
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
            Some(Stated { step: self.step, kinds })
        };
        self.prompt = Some(PromptMark { id, at: event.at, step: self.step, wants_failure, stated });
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
                for file in &call.files {
                    let changed_tasks = self.changed_tasks(file, call);
                    self.edit(file, agent, at, (self.step, self.step));
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
            Tool::Mcp if !matches!(call.outcome, Outcome::Failed(_)) => {
                self.tried = Some(self.step);
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

    fn edit(&mut self, file: &str, agent: &str, at: Timestamp, (step, latest): (u64, u64)) {
        self.changed = self.changed.max(step);
        let since = self.since();
        let known = self.edits.iter().find(|it| it.file == file && it.first > since);
        let first = known.map_or(step, |it| it.first.min(step));
        self.edits.retain(|it| it.file != file);
        if self.edits.len() == MAX_EDITS {
            self.edits.remove(0);
            self.more_edits += 1;
        }
        let (file, agent) = (file.to_owned(), agent.to_owned());
        self.edits.push(Edit { file, step, latest, first, at, agent, changed_tasks: None });
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
        if matches!(call.outcome, Outcome::Failed(_)) {
            return;
        }
        if evidence::remote::pushes(line) {
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

    fn shell(
        &mut self,
        call: &ToolCall,
        command: &Excerpt,
        (agent, cwd, at): (&str, &str, Timestamp),
        own: &[Pattern],
    ) {
        let text = command.joined();
        let line = CommandLine::with_gap(&text, own, command.gap());
        let writes = line.writes();
        let only_looks = writes == Writes::No;
        let runs = judged_runs(&line, call);
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
        let changes = if only_looks { Vec::new() } else { line.file_changes(is_shown) };
        for change in changes {
            self.change_file(&change, !runs.is_empty(), (agent, cwd, at));
        }
        // Who asks a server tries it out.
        let asks = || text.contains("curl") && text.split_whitespace().any(|it| it == "curl");
        let tries = !only_looks || !runs.is_empty() || asks();
        if tries && !matches!(call.outcome, Outcome::Failed(_)) {
            self.tried = Some(self.step);
        }
        self.look_at_ci(&text, call);
        for (run, judged) in runs {
            let is_stale = writes_after(&run);
            let directory = path::joined(cwd, run.directory.as_deref().unwrap_or_default());
            let Judged { mut outcome, detail, mut gap, is_cut } = judged;
            if outcome == Outcome::Passed && self.is_own_script(&run, directory.as_deref()) {
                (outcome, gap) = (Outcome::Unknown, Some(Gap::OwnScript));
            }
            self.ran(Ran {
                call: call.id.clone(),
                kind: run.kind,
                command: run.command,
                directory,
                step: self.step - u64::from(is_stale),
                agent: agent.to_owned(),
                outcome,
                detail,
                told: run.status == Status::Told,
                gap,
                began: None,
                coverage: if is_cut { Coverage::Cut } else { run.coverage },
                at: if is_stale { self.seen_at.unwrap_or(at) } else { at },
            });
        }
    }

    /// A formatter takes no proof away: what ran before it counts as if it ran after it.
    fn keep_proofs(&mut self, at: Timestamp) {
        let written = self.written.unwrap_or(0);
        self.runs.iter_mut().filter(|it| it.step > written).for_each(|it| it.at = at);
    }

    /// Takes in a file that a command changed by name.
    fn change_file(
        &mut self,
        change: &FileChange,
        has_run: bool,
        (agent, cwd, at): (&str, &str, Timestamp),
    ) {
        let directory = path::joined(cwd, change.directory.as_deref().unwrap_or_default());
        let file = directory.and_then(|it| path::joined(&it, &change.file));
        // Directories above the project may have any name.
        let is_source = |it: &String| path::is_source(path::below(it, cwd));
        let counts = |it: &String| change.is_script || is_source(it) || evidence::is_task_file(it);
        let Some(file) = file.filter(counts) else { return };
        // In doubt a line writes before it runs.
        let step = self.step - u64::from(has_run && !change.is_after_run);
        self.edit(&file, agent, at, (step, step));
    }

    /// Whether the session wrote the script that decides what a run does.
    fn is_own_script(&self, run: &Run, directory: Option<&str>) -> bool {
        let Some(directory) = directory.filter(|_| !run.scripts.is_empty()) else { return false };
        let mut files = run.scripts.iter().filter_map(|it| path::joined(directory, it));
        files.any(|file| {
            let is_it = |it: &Edit| it.file == file || path::is_below(&it.file, &file);
            let decides = |it: &Edit| match &it.changed_tasks {
                Some(tasks) => {
                    run.command.split_whitespace().any(|it| tasks.iter().any(|task| task == it))
                }
                None => true,
            };
            self.edits.iter().any(|it| is_it(it) && decides(it))
        })
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
    /// Files that are `same` as before are no edits any more: somebody took them back.
    pub fn find(&mut self, touched: &[Touched], same: &[String], now: Timestamp) {
        let (Some(wrote), Some(prompt)) = (self.wrote.take(), &self.prompt) else { return };
        self.edits.retain(|it| it.first <= prompt.step || !same.contains(&it.file));
        let since = self.looked.map_or(prompt.at, |it| it.max(prompt.at));
        for Touched { file, at, .. } in touched {
            let Some(at) = at.filter(|it| it.0 + TICK >= since.0) else { continue };
            let is_known = |it: &Edit| it.file == *file && it.at >= at;
            if !self.edits.iter().any(is_known) {
                // A run that was over before the file changed did not see the change.
                let before = self.runs.iter().filter(|it| it.at.0 + TICK < at.0).map(|it| it.step);
                let first = before.chain([wrote.first]).max().unwrap_or(wrote.first);
                self.edit(file, &wrote.agent, now, (first, wrote.last.max(first)));
            }
        }
        self.looked = Some(now);
    }

    fn ran(&mut self, mut run: Ran) {
        self.changed = self.step;
        let untouched = self.edits.is_empty() && self.more_edits == 0 && self.written.is_none();
        run.began = match run.outcome {
            Outcome::Passed => None,
            Outcome::Failed(_) if untouched => run.detail.clone(),
            Outcome::Failed(_) | Outcome::Unknown => self.runs.iter().find_map(|it| it.begun(&run)),
        };
        self.mend(&run);
        // That nobody can tell how it ended takes no failure away.
        let is_known = run.outcome != Outcome::Unknown;
        self.runs.retain(|it| !it.is_same(&run) || !is_known && it.has_failed());
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

    /// The call with which the prompt that is being answered began.
    pub fn since(&self) -> u64 {
        self.prompt.as_ref().map_or(0, |it| it.step)
    }
}

/// The runs of a line and how they ended: those that its words name, and those that only its
/// output shows.
fn judged_runs(line: &CommandLine<'_>, call: &ToolCall) -> Vec<(Run, Judged)> {
    let named = line.runs();
    let witnessed = line.output_runs(&named, call.outcome, &call.output);
    let judge = |run: Run| {
        let judged = evidence::judge(&run, call.outcome, &call.output);
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
