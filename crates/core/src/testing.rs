//! Sessions for tests: played event by event, as the shell would.

use crate::evidence::{Pattern, RunKind};
use crate::gate::states::States;
use crate::gate::{Facts, SwitchedOff};
use crate::loops::{End, Iteration, Looping, Next, Until};
use crate::memory::Memory;
use crate::{
    Decision, Digest, Effect, Ended, Event, Excerpt, Kind, Outcome, Policy, PromptAuthor,
    PromptOrigin, SeenPrompt, SessionId, Snapshot, Stop, Subagent, TaskChange, Timestamp, Tool,
    ToolCall, Verdict, Wanted, Work, decide, plan, prompt_trace, wanted,
};

/// A session that is played.
pub(crate) struct Session {
    pub(crate) policy: Policy,
    pub(crate) off: Vec<SwitchedOff>,
    pub(crate) looping: Looping,
    /// What is found in the world when it stops.
    pub(crate) facts: Facts,
    /// What was seen of loops, and what became of them.
    pub(crate) iterations: Vec<(Iteration, Next)>,
    /// Whether the user has set the mode of the gate `uncommitted`.
    pub(crate) uncommitted_is_set: bool,
    /// Whether the user has set the mode of the gate `leftovers`.
    pub(crate) leftovers_is_set: bool,
    /// What was learned and nobody settled.
    pub(crate) unsettled: Vec<Memory>,
    /// Tokens of the conversation.
    pub(crate) tokens: u64,
    /// Messages of the user that wait.
    pub(crate) queued: u32,
    pub(crate) work: Work,
    /// Where other working trees begin that hold work of the session.
    pub(crate) other_roots: Vec<String>,
    failed: Vec<String>,
    decision: Decision,
    agent: Option<Subagent>,
    cwd: String,
    now: i64,
    calls: usize,
    prompts: usize,
}

impl Session {
    pub(crate) fn new() -> Self {
        let policy = Policy::default();
        let (work, decision) = (Work::default(), Decision::default());
        let (off, failed) = (Vec::new(), Vec::new());
        let (looping, iterations, facts) = (Looping::default(), Vec::new(), Facts::default());
        let (agent, cwd, now, calls) = (None, "/p".to_owned(), 0, 0);
        Self {
            policy,
            off,
            looping,
            facts,
            iterations,
            uncommitted_is_set: false,
            leftovers_is_set: false,
            unsettled: Vec::new(),
            tokens: 0,
            queued: 0,
            work,
            other_roots: Vec::new(),
            failed,
            decision,
            agent,
            cwd,
            now,
            calls,
            prompts: 0,
        }
    }

    /// The user types a prompt, and its row is read before the agent stops.
    pub(crate) fn prompt(&mut self, text: &str) -> &mut Self {
        self.submit(text).settle(text, PromptAuthor::Typed)
    }

    /// A prompt comes whose row was not read yet.
    pub(crate) fn submit(&mut self, text: &str) -> &mut Self {
        self.prompts += 1;
        self.submit_again(text)
    }

    /// A prompt is delivered once more.
    pub(crate) fn submit_again(&mut self, text: &str) -> &mut Self {
        let (text, origin, ended) = (Excerpt::of(text), PromptOrigin::User, None);
        self.observe(Kind::Prompt { text, origin, ended })
    }

    /// The row of a prompt is read.
    pub(crate) fn settle(&mut self, text: &str, author: PromptAuthor) -> &mut Self {
        self.work.settle_prompts(&[SeenPrompt { author, trace: prompt_trace(text) }]);
        self
    }

    /// The host tells of a background task.
    pub(crate) fn notification(&mut self) -> &mut Self {
        let (text, origin, ended) = (Excerpt::default(), PromptOrigin::TaskNotification, None);
        self.observe(Kind::Prompt { text, origin, ended })
    }

    /// The host tells how the last call ended, which ran in the background.
    pub(crate) fn ended(&mut self, outcome: Outcome) -> &mut Self {
        let (text, origin) = (Excerpt::default(), PromptOrigin::TaskNotification);
        let ended = Some(Ended { call: self.last_call(), outcome });
        self.observe(Kind::Prompt { text, origin, ended })
    }

    pub(crate) fn edit(&mut self, file: &str) -> &mut Self {
        self.call(ToolCall { files: vec![file.to_owned()], ..call(Tool::Edit, Outcome::Passed) })
    }

    /// An edit of some tasks of a task file.
    pub(crate) fn edit_tasks(&mut self, file: &str, tasks: &[&str]) -> &mut Self {
        let changed_tasks = Some(tasks.iter().map(|it| (*it).to_owned()).collect());
        let files = vec![file.to_owned()];
        self.call(ToolCall { files, changed_tasks, ..call(Tool::Edit, Outcome::Passed) })
    }

    /// An edit of which nobody knows whether it was made.
    pub(crate) fn refused_edit(&mut self, file: &str) -> &mut Self {
        self.call(ToolCall { files: vec![file.to_owned()], ..call(Tool::Edit, Outcome::Unknown) })
    }

    pub(crate) fn read(&mut self, file: &str) -> &mut Self {
        self.call(ToolCall { files: vec![file.to_owned()], ..call(Tool::Read, Outcome::Unknown) })
    }

    /// Reads a file whose text the host tells.
    pub(crate) fn read_text(&mut self, file: &str, text: &str) -> &mut Self {
        let (files, output) = (vec![file.to_owned()], Excerpt::of(text));
        self.call(ToolCall { files, output, ..call(Tool::Read, Outcome::Unknown) })
    }

    pub(crate) fn shell(&mut self, line: &str, end: Result<(), i32>, output: &str) -> &mut Self {
        let outcome = end.map_or_else(|code| Outcome::Failed(Some(code)), |()| Outcome::Passed);
        let (command, output) = (Some(Excerpt::of(line)), Excerpt::of(output));
        self.call(ToolCall { command, output, ..call(Tool::Shell, outcome) })
    }

    /// A tool of a server is called.
    pub(crate) fn mcp(&mut self) -> &mut Self {
        self.call(call(Tool::Mcp, Outcome::Unknown))
    }

    /// A command whose end is not told: it runs in the background, or was cut short.
    pub(crate) fn unknown(&mut self, line: &str) -> &mut Self {
        let command = Some(Excerpt::of(line));
        self.call(ToolCall { command, ..call(Tool::Shell, Outcome::Unknown) })
    }

    /// A command that was refused.
    pub(crate) fn refused(&mut self, line: &str) -> &mut Self {
        let (command, never_ran) = (Some(Excerpt::of(line)), true);
        self.call(ToolCall { command, never_ran, ..call(Tool::Shell, Outcome::Unknown) })
    }

    /// The agent goes to another directory.
    pub(crate) fn go_to(&mut self, directory: &str) -> &mut Self {
        directory.clone_into(&mut self.cwd);
        self
    }

    pub(crate) fn tasks(&mut self, tasks: Vec<TaskChange>) -> &mut Self {
        self.call(ToolCall { tasks, ..call(Tool::Task, Outcome::Unknown) })
    }

    /// What was done so far cannot be read any more.
    pub(crate) fn lose_work(&mut self) {
        self.work = Work { lost: true, ..Work::default() };
    }

    /// The id of the last call.
    pub(crate) fn last_call(&self) -> String {
        format!("call-{}", self.calls)
    }

    /// The transcript flags a call as failed.
    pub(crate) fn failed(&mut self, call: &str) {
        self.failed.push(call.to_owned());
    }

    pub(crate) fn stop(&mut self, message: &str) -> Verdict {
        self.stop_with(message, |_| {})
    }

    pub(crate) fn stop_with(&mut self, message: &str, change: impl FnOnce(&mut Stop)) -> Verdict {
        let mut stop = Stop { message: Excerpt::of(message), ..Stop::default() };
        change(&mut stop);
        let main = self.agent.is_none();
        self.decide(if main { Kind::Stop(stop) } else { Kind::AgentStop(stop) })
    }

    /// An entry of the task list is about to be completed.
    pub(crate) fn complete_task(&mut self) -> Verdict {
        let (id, subject) = ("1".to_owned(), Excerpt::of("write"));
        self.decide(Kind::TaskCompleted { id, subject })
    }

    /// A teammate would go idle.
    pub(crate) fn idle(&mut self) -> Verdict {
        self.decide(Kind::TeammateIdle { name: "helper".to_owned() })
    }

    /// A subagent goes on, or the main agent where it has no id.
    pub(crate) fn switch_to(&mut self, id: &str, role: &str) -> &mut Self {
        let agent = Subagent { id: id.to_owned(), role: role.to_owned() };
        self.agent = Some(agent).filter(|it| !it.id.is_empty());
        self
    }

    /// What would be looked at, were it to stop so.
    pub(crate) fn wanted(&mut self, stop: Stop) -> Wanted {
        let main = self.agent.is_none();
        let event = self.event(if main { Kind::Stop(stop) } else { Kind::AgentStop(stop) });
        let snapshot = self.snapshot(&event);
        wanted(&event, &snapshot, &self.policy)
    }

    fn snapshot(&self, event: &Event) -> Snapshot {
        let plan = plan(event).under(event, &self.policy);
        let (context, most_context, queued) = (self.tokens, self.tokens, self.queued);
        let failed = self.failed.clone();
        let transcript = Digest { failed, queued, context, most_context, ..Digest::default() };
        Snapshot {
            work: plan.work.then(|| self.work.clone()),
            transcript: Some(transcript),
            off: self.off.clone(),
            looping: self.looping.clone(),
            root: Some("/p".to_owned()),
            other_roots: self.other_roots.clone(),
            uncommitted_is_set: self.uncommitted_is_set,
            leftovers_is_set: self.leftovers_is_set,
            unsettled: self.unsettled.clone(),
            ..Snapshot::default()
        }
    }

    fn decide(&mut self, kind: Kind) -> Verdict {
        let event = self.event(kind);
        self.work.observe(&event, &[]);
        let mut snapshot = self.snapshot(&event);
        // What nobody wants to know is not looked at.
        let wanted = wanted(&event, &snapshot, &self.policy);
        snapshot.facts = self.facts.clone();
        snapshot.facts.tree.take_if(|_| wanted.tree.is_none());
        snapshot.facts.lock.take_if(|_| !wanted.lock);
        if wanted.states.is_none() {
            snapshot.facts.states = States::default();
        }
        self.decision = decide(&event, &snapshot, &self.policy, || 0);
        for effect in &self.decision.effects {
            match effect {
                Effect::KeepWork(work) => self.work.clone_from(work),
                Effect::Loop { id, iteration, next, streak } => {
                    self.iterations.push((iteration.clone(), next.clone()));
                    let of_id = self.looping.loops.iter_mut().filter(|it| it.id == *id);
                    let rounds = u32::from(*next == Next::On);
                    of_id.for_each(|it| (it.streak, it.rounds) = (*streak, it.rounds + rounds));
                    match next {
                        Next::On | Next::Wait | Next::Idle => {}
                        Next::Over { .. } => self.looping.loops.retain(|it| it.id != *id),
                    }
                }
                Effect::KeepDigest(_)
                | Effect::KeepChecked { .. }
                | Effect::KeepAsk { .. }
                | Effect::KeepShown { .. }
                | Effect::KeepCloneNotice { .. }
                | Effect::ForgetShown => {}
            }
        }
        self.decision.verdict.clone()
    }

    /// How the last loop that is over came to its end.
    pub(crate) fn end(&self) -> Option<End> {
        self.iterations.iter().rev().find_map(|(_, next)| match next {
            Next::Over { end, .. } => Some(*end),
            Next::On | Next::Wait | Next::Idle => None,
        })
    }

    /// The time in the middle of the last call.
    pub(crate) fn last_call_at(&self) -> Timestamp {
        Timestamp(self.now - 500)
    }

    /// Lets time pass.
    pub(crate) fn minutes(&mut self, minutes: i64) {
        self.now += minutes * 60_000;
    }

    /// The patterns that the session's loops look for.
    fn patterns(&self) -> Vec<Pattern> {
        let seen = self.looping.loops.iter().filter_map(|it| match &it.until {
            Until::Seen(words) => Pattern::of(RunKind::Test, words).ok(),
            Until::Passes(_) | Until::Released | Until::Unlocked(_) => None,
        });
        seen.collect()
    }

    /// What the user was told at the last stop.
    pub(crate) fn notice(&self) -> Option<&str> {
        self.decision.notice.as_deref()
    }

    /// What the last stop asks to be written.
    pub(crate) fn effects(&self) -> &[Effect] {
        &self.decision.effects
    }

    /// What the rules said at the last stop.
    pub(crate) fn said(&self) -> String {
        let said: Vec<_> = self.decision.rules.iter().map(|it| it.said.as_str()).collect();
        said.join("\n")
    }

    fn call(&mut self, call: ToolCall) -> &mut Self {
        self.calls += 1;
        let id = self.last_call();
        self.observe(Kind::Tools(vec![ToolCall { id, ..call }]))
    }

    fn observe(&mut self, kind: Kind) -> &mut Self {
        let (event, own) = (self.event(kind), self.patterns());
        self.work.observe(&event, &own);
        self
    }

    fn event(&mut self, kind: Kind) -> Event {
        self.now += 1000;
        Event {
            at: Timestamp(self.now),
            session: SessionId::parse("s").unwrap(),
            agent: self.agent.clone(),
            prompt: Some(format!("p{}", self.prompts)),
            cwd: self.cwd.clone(),
            transcript: None,
            bytes: 0,
            kind,
        }
    }
}

fn call(tool: Tool, outcome: Outcome) -> ToolCall {
    ToolCall {
        id: String::new(),
        tool,
        name: String::new(),
        command: None,
        files: Vec::new(),
        outcome,
        output: Excerpt::default(),
        never_ran: false,
        took_ms: None,
        tasks: Vec::new(),
        suspects: Vec::new(),
        changed_tasks: None,
    }
}

/// Numbers that look random and are the same every time.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below a limit.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}
