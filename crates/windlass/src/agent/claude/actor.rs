//! Claude Code as an actor: what it sends to its hooks and writes into its conversation files
//! while a scripted session goes on. The demonstration has no other client at hand.
//!
//! The shapes are those of recorded sessions. The tools are played too: an edit changes its file,
//! a read shows what is there; only commands have a scripted answer.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::EventName;
use super::register::NEWEST_TESTED;

const SESSIONS: [&str; 2] =
    ["6f1d2c3a-8b4e-4d5f-9a60-7b8c9d0e1f23", "b2e84d17-05c9-4f3e-8a71-6c5d4e3f2a10"];
const AGENT: &str = "a5b7c9d1e3f5a7b9c";
const MODEL: &str = "claude-opus-5-5";

/// One thing that happens in a session: one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// The session begins.
    Start,
    /// The user says something.
    Prompt(&'static str),
    /// The tool calls of one message have ended.
    Calls(Who, &'static [Call]),
    /// A subagent begins.
    AgentStart,
    /// The subagent has said its last word.
    AgentStop(&'static str),
    /// The agent has said its last word.
    Stop(&'static str),
    /// The user leaves.
    End,
}

/// Who works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    Agent,
    Subagent,
}

/// A tool call. Files are named from the root of the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    Read { file: &'static str },
    Edit { file: &'static str, old: &'static str, new: &'static str },
    Run { command: &'static str, exit: i32, output: &'static str },
    Delegate { task: &'static str, answer: &'static str },
}

/// The type of the one subagent.
pub(crate) const SUBAGENT: &str = "reviewer";

/// What the client is told by a hook, and whom it tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heard {
    pub(crate) by: Hearer,
    pub(crate) words: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hearer {
    /// The agent, who is asked to go on.
    Asked,
    /// The agent.
    Told,
    /// The user.
    User,
}

/// The client in one session.
#[derive(Debug)]
pub(crate) struct Actor {
    session: &'static str,
    project: PathBuf,
    /// Where the conversation files of the project are.
    files: PathBuf,
    main: Conversation,
    side: Conversation,
    prompts: usize,
    calls: usize,
    /// What stands for a secret in the script, and the secret.
    secret: (&'static str, String),
}

/// A conversation file.
#[derive(Debug)]
struct Conversation {
    path: PathBuf,
    /// When everything in it happens.
    time: String,
    rows: usize,
    messages: usize,
}

impl Actor {
    /// A client that keeps its files in `config` and works in `project`.
    pub(crate) fn new(
        config: &Path,
        project: &Path,
        time: &str,
        secret: (&'static str, String),
    ) -> Self {
        // The client names the directory of a project after its path.
        let name = project.to_string_lossy().replace(|it: char| !it.is_ascii_alphanumeric(), "-");
        let files = config.join("projects").join(name);
        let [session, _] = SESSIONS;
        let (main, side) = conversations(&files, session, time);
        let project = project.to_owned();
        Self { session, project, files, main, side, prompts: 0, calls: 0, secret }
    }

    /// The session's id.
    pub(crate) const fn session(&self) -> &'static str {
        self.session
    }

    /// From now on the user is in another session.
    pub(crate) fn leave(&mut self) {
        let [_, later] = SESSIONS;
        self.session = later;
        (self.main, self.side) = conversations(&self.files, later, &self.main.time);
    }

    /// Does what the act says, and gives the event that the hooks are told.
    pub(crate) fn play(&mut self, act: Act) -> io::Result<(EventName, String)> {
        let (event, parts) = match act {
            Act::Start => (EventName::SessionStart, json!({"source": "startup", "model": MODEL})),
            Act::Prompt(text) => {
                self.prompts += 1;
                self.say(Who::Agent, "user", &json!(text))?;
                (EventName::UserPromptSubmit, json!({"prompt": text}))
            }
            Act::Calls(who, calls) => {
                let calls = self.call(who, calls)?;
                (EventName::PostToolBatch, json!({"tool_calls": calls}))
            }
            Act::AgentStart => {
                self.say(Who::Subagent, "user", &json!("Review the change."))?;
                (EventName::SubagentStart, json!({}))
            }
            Act::AgentStop(text) => {
                self.answer(Who::Subagent, &json!([{"type": "text", "text": text}]))?;
                (EventName::SubagentStop, stop(text))
            }
            Act::Stop(text) => (EventName::Stop, stop(text)),
            Act::End => (EventName::SessionEnd, json!({"reason": "prompt_input_exit"})),
        };
        Ok((event, self.payload(event, act, parts).to_string()))
    }

    /// What the client does once its hooks have answered: the last words of a turn reach the
    /// conversation file only then, and what a hook says to the agent stands behind them.
    pub(crate) fn rest(&mut self, act: Act, heard: &[Heard]) -> io::Result<()> {
        match act {
            Act::Stop(text) => {
                self.answer(Who::Agent, &json!([{"type": "text", "text": text}]))?;
                let mut asks = heard.iter().filter(|it| it.by == Hearer::Asked);
                asks.try_for_each(|it| self.attach(&it.words))
            }
            Act::Start
            | Act::Prompt(_)
            | Act::Calls(..)
            | Act::AgentStart
            | Act::AgentStop(_)
            | Act::End => Ok(()),
        }
    }

    fn payload(&self, event: EventName, act: Act, parts: Value) -> Value {
        let mut payload = json!({
            "session_id": self.session,
            "transcript_path": self.main.path,
            "cwd": self.project,
            "hook_event_name": event.as_str(),
        });
        let mut add = |parts: Value| {
            let (Value::Object(all), Value::Object(parts)) = (&mut payload, parts) else { return };
            all.extend(parts);
        };
        add(parts);
        if !matches!(act, Act::Start) {
            add(json!({"prompt_id": self.prompt_id()}));
        }
        if matches!(act, Act::Prompt(_) | Act::Calls(..) | Act::AgentStop(_) | Act::Stop(_)) {
            add(json!({"permission_mode": "default"}));
        }
        let is_side = matches!(act, Act::Calls(Who::Subagent, _) | Act::AgentStart);
        if is_side || matches!(act, Act::AgentStop(_)) {
            add(json!({"agent_id": AGENT, "agent_type": SUBAGENT}));
        }
        if matches!(act, Act::AgentStop(_)) {
            add(json!({"agent_transcript_path": self.side.path}));
        }
        payload
    }

    fn prompt_id(&self) -> String {
        format!("d7d3dadd-adcc-4d66-ba22-{:012x}", self.prompts)
    }

    /// Plays the calls of one message: question, work, answers.
    fn call(&mut self, who: Who, calls: &[Call]) -> io::Result<Vec<Value>> {
        let mut played = Vec::new();
        for call in calls {
            self.calls += 1;
            played.push(self.use_tool(*call, format!("toolu_{:020}", self.calls))?);
        }
        let uses = played.iter().map(Played::block).collect();
        self.answer(who, &uses)?;
        for result in played.iter().map(Played::result) {
            self.say(who, "user", &json!([result]))?;
        }
        Ok(played.into_iter().map(Played::in_batch).collect())
    }

    fn use_tool(&self, call: Call, id: String) -> io::Result<Played> {
        let path = |file: &str| self.project.join(file);
        let (name, input, answer) = match call {
            Call::Read { file } => {
                let text = fs::read_to_string(path(file))?;
                let lines = text.lines().enumerate();
                let lines: Vec<_> = lines.map(|(at, it)| format!("{}\t{it}", at + 1)).collect();
                ("Read", json!({"file_path": path(file)}), lines.join("\n"))
            }
            Call::Edit { file, old, new } => {
                let path = path(file);
                let text = fs::read_to_string(&path)?;
                fs::write(&path, text.replacen(old, new, 1))?;
                let input = json!({"file_path": path, "old_string": old, "new_string": new,
                    "replace_all": false});
                let said = format!("The file {} has been updated successfully.", path.display());
                ("Edit", input, said)
            }
            Call::Run { command, exit, output } => {
                let input = json!({"command": command, "description": "Run it"});
                let output = output.replace(self.secret.0, &self.secret.1);
                let failed = format!("Exit code {exit}\n{output}");
                ("Bash", input, if exit == 0 { output } else { failed })
            }
            Call::Delegate { task, answer } => {
                let input = json!({"description": task, "prompt": task, "subagent_type": SUBAGENT});
                ("Agent", input, answer.to_owned())
            }
        };
        let is_error = matches!(call, Call::Run { exit, .. } if exit != 0);
        Ok(Played { id, name, input, answer, is_error })
    }

    /// Writes a row of the model.
    fn answer(&mut self, who: Who, content: &Value) -> io::Result<()> {
        let conversation = self.conversation(who);
        conversation.messages += 1;
        let message = json!({
            "id": format!("msg_{:020}", conversation.messages),
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": content,
            "usage": {"input_tokens": 11_762, "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 0, "output_tokens": 64},
        });
        self.write(who, "assistant", &message)
    }

    /// Writes a row of the user, or of a tool, which speaks in the user's place.
    fn say(&mut self, who: Who, role: &str, content: &Value) -> io::Result<()> {
        self.write(who, role, &json!({"role": role, "content": content}))
    }

    /// Writes what a hook says to the agent at a stop.
    fn attach(&mut self, words: &str) -> io::Result<()> {
        let attachment = json!({
            "type": "hook_additional_context",
            "content": [words],
            "hookName": "Stop",
            "hookEvent": "Stop",
        });
        self.row(Who::Agent, "attachment", ("attachment", &attachment))
    }

    fn write(&mut self, who: Who, kind: &str, message: &Value) -> io::Result<()> {
        self.row(who, kind, ("message", message))
    }

    fn row(&mut self, who: Who, kind: &str, (name, content): (&str, &Value)) -> io::Result<()> {
        let (prompt, session) = (self.prompt_id(), self.session);
        let project = self.project.clone();
        let conversation = self.conversation(who);
        let id = |row: usize| format!("0c4f1a52-77aa-4e0b-8d11-{row:012x}");
        let parent = (conversation.rows > 0).then(|| id(conversation.rows));
        conversation.rows += 1;
        let mut row = json!({
            "parentUuid": parent,
            "isSidechain": who == Who::Subagent,
            "promptId": prompt,
            "type": kind,
            name: content,
            "uuid": id(conversation.rows),
            "timestamp": conversation.time,
            "cwd": project,
            "sessionId": session,
            "version": NEWEST_TESTED.to_string(),
            "gitBranch": "main",
        });
        // The client marks a prompt that the user typed.
        if who == Who::Agent && kind == "user" && content["content"].is_string() {
            row["origin"] = json!({"kind": "human"});
            row["promptSource"] = json!("typed");
        }
        if who == Who::Subagent {
            row["agentId"] = json!(AGENT);
        }
        conversation.append(&row)
    }

    fn conversation(&mut self, who: Who) -> &mut Conversation {
        match who {
            Who::Agent => &mut self.main,
            Who::Subagent => &mut self.side,
        }
    }
}

/// The files of a session: its own, and its subagent's.
fn conversations(files: &Path, session: &str, time: &str) -> (Conversation, Conversation) {
    let conversation = |path| Conversation { path, time: time.to_owned(), rows: 0, messages: 0 };
    let side = files.join(session).join("subagents").join(format!("agent-{AGENT}.jsonl"));
    (conversation(files.join(format!("{session}.jsonl"))), conversation(side))
}

impl Conversation {
    fn append(&self, row: &Value) -> io::Result<()> {
        fs::create_dir_all(self.path.parent().unwrap_or(&self.path))?;
        let mut file = File::options().create(true).append(true).open(&self.path)?;
        file.write_all(format!("{row}\n").as_bytes())
    }
}

fn stop(text: &str) -> Value {
    json!({
        "stop_hook_active": false,
        "last_assistant_message": text,
        "background_tasks": [],
        "session_crons": [],
    })
}

/// A call that has ended.
struct Played {
    id: String,
    name: &'static str,
    input: Value,
    answer: String,
    is_error: bool,
}

impl Played {
    fn block(&self) -> Value {
        json!({"type": "tool_use", "id": self.id, "name": self.name, "input": self.input})
    }

    fn result(&self) -> Value {
        json!({"type": "tool_result", "tool_use_id": self.id, "content": self.answer,
            "is_error": self.is_error})
    }

    fn in_batch(self) -> Value {
        json!({"tool_name": self.name, "tool_input": self.input, "tool_use_id": self.id,
            "tool_response": self.answer})
    }
}

/// What an answer of ours says to whom; `None` where it is none that the client understands.
pub(crate) fn hear(event: EventName, answer: &str) -> Option<Vec<Heard>> {
    if answer.is_empty() {
        return Some(Vec::new());
    }
    let answer: Map<String, Value> = serde_json::from_str(answer).ok()?;
    let context = answer.get("hookSpecificOutput").and_then(|it| it.get("additionalContext"));
    let is_stop = matches!(event, EventName::Stop | EventName::SubagentStop);
    let words = [
        (Hearer::Asked, answer.get("reason")),
        (if is_stop { Hearer::Asked } else { Hearer::Told }, context),
        (Hearer::User, answer.get("systemMessage")),
    ];
    let said = words.into_iter().filter_map(|(by, it)| {
        let words = it?.as_str()?.to_owned();
        Some(Heard { by, words })
    });
    Some(said.collect())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use windlass_core::{Kind, Outcome, Timestamp};

    use super::{Act, Actor, Call, EventName, Heard, Hearer, Who, hear};
    use crate::agent::claude;
    use crate::input::Payload;

    #[test]
    fn what_it_sends_is_understood() {
        let home = tempfile::tempdir().unwrap();
        let secret = ("<secret>", "hidden".to_owned());
        let mut actor = Actor::new(home.path(), home.path(), "2026-11-15T18:44:25.728Z", secret);
        fs::write(home.path().join("a"), "one\ntwo\n").unwrap();
        let calls = &[
            Call::Read { file: "a" },
            Call::Edit { file: "a", old: "two", new: "2" },
            Call::Run { command: "cat b", exit: 0, output: "<secret>" },
            Call::Run { command: "cargo test", exit: 101, output: "failed" },
        ];
        let mut play = |act| {
            let (name, text) = actor.play(act).unwrap();
            let payload = Payload { bytes: text.len(), text };
            let (parsed, event) = claude::parse(&payload, Timestamp(0), |_| None).unwrap().unwrap();
            assert_eq!(parsed, name);
            event
        };
        let event = play(Act::Calls(Who::Subagent, calls));
        assert_eq!(event.agent.unwrap().role, "reviewer");
        let Kind::Tools(calls) = event.kind else { panic!("{:?}", event.kind) };
        let outcomes: Vec<_> = calls.iter().map(|it| it.outcome).collect();
        let passed = Outcome::Passed;
        assert_eq!(outcomes, [Outcome::Unknown, passed, passed, Outcome::Failed(Some(101))]);
        assert_eq!(calls[2].output.head, "hidden");
        assert_eq!(fs::read_to_string(home.path().join("a")).unwrap(), "one\n2\n");
        let acts = [
            Act::Start,
            Act::Prompt("p"),
            Act::AgentStart,
            Act::AgentStop("a"),
            Act::Stop("s"),
            Act::End,
        ];
        for act in acts {
            assert!(play(act).session.is_known(), "{act:?}");
        }
    }

    #[test]
    fn what_it_hears_is_every_word_and_for_whom() {
        let heard = |by, words: &str| Heard { by, words: words.to_owned() };
        let context = r#"{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"c"},"systemMessage":"m"}"#;
        assert_eq!(
            hear(EventName::Stop, context).unwrap(),
            [heard(Hearer::Asked, "c"), heard(Hearer::User, "m")]
        );
        assert_eq!(hear(EventName::SessionStart, context).unwrap()[0].by, Hearer::Told);
        let block = r#"{"decision":"block","reason":"r"}"#;
        assert_eq!(hear(EventName::TaskCompleted, block).unwrap(), [heard(Hearer::Asked, "r")]);
        assert_eq!(hear(EventName::Stop, "").unwrap(), []);
        assert_eq!(hear(EventName::Stop, "words"), None);
    }
}
