//! A copy of a conversation file up to a stop, to which rows are added in the form of the others.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use crate::clock::{read_time, write_time};
use crate::random::SeededRandom;
use crate::refusal::CallRefusal;
use crate::runner::{PlantedRun, RunnerLanguage};
use crate::transcript::{SessionTranscript, TranscriptLine, answers, calls};

/// Milliseconds between two rows that are added.
const PACE: i64 = 2_000;

/// The copy.
#[derive(Debug)]
pub(crate) struct TranscriptCopy<'a> {
    lines: Vec<TranscriptLine>,
    random: &'a mut SeededRandom,
    /// A row of the agent, and one of the user, of which new ones are made.
    agent: Value,
    user: Value,
    /// The row that the next one follows.
    parent: Value,
    at: i64,
}

impl<'a> TranscriptCopy<'a> {
    /// Copies a conversation up to a stop, without the words with which it stops there.
    pub(crate) fn of(
        transcript: &SessionTranscript,
        stop: usize,
        random: &'a mut SeededRandom,
    ) -> Option<Self> {
        let mut lines = transcript.lines.get(..=stop)?.to_vec();
        let agent = lines.pop()?.row?;
        let rows = || lines.iter().rev().filter_map(|it| it.row.as_ref());
        let own = |it: &&Value| it["type"] == "user" && it["isSidechain"] != true;
        let answered = rows().filter(own).find(|it| answers(it).next().is_some());
        let user = answered.or_else(|| rows().find(own))?.clone();
        let at = agent["timestamp"].as_str().and_then(read_time)?;
        let parent = agent["parentUuid"].clone();
        Some(Self { lines, random, agent, user, parent, at })
    }

    /// The directory in which the agent stops.
    pub(crate) fn directory(&self) -> &str {
        self.agent["cwd"].as_str().unwrap_or("/srv/project")
    }

    /// The file below the directory, in a known language, that the agent edited last.
    pub(crate) fn edited_file(&self) -> Option<(usize, String)> {
        let failed: HashSet<&str> = self
            .rows()
            .flat_map(|(_, row)| answers(row))
            .filter(|it| it["is_error"] == true)
            .filter_map(|it| it["tool_use_id"].as_str())
            .collect();
        let directory = format!("{}/", self.directory());
        let edited = |call: &Value| {
            let is_edit = matches!(call["name"].as_str()?, "Edit" | "MultiEdit" | "Write");
            let file = call["input"]["file_path"].as_str()?;
            let is_ours = file.starts_with(&directory) && RunnerLanguage::of_file(file).is_some();
            let has_failed = call["id"].as_str().is_some_and(|it| failed.contains(it));
            (is_edit && is_ours && !has_failed).then(|| file.to_owned())
        };
        self.rows().filter_map(|(at, row)| Some((at, calls(row).find_map(edited)?))).last()
    }

    fn rows(&self) -> impl Iterator<Item = (usize, &Value)> {
        let rows = self.lines.iter().enumerate();
        let rows = rows.filter_map(|(at, it)| Some((at, it.row.as_ref()?)));
        rows.filter(|(_, row)| row["isSidechain"] != true)
    }

    /// Takes out every call after a line that may have run something, with its answer.
    pub(crate) fn remove_runs(&mut self, after: usize) {
        let may_run = |it: &&Value| {
            let name = it["name"].as_str().unwrap_or_default();
            matches!(name, "Bash" | "BashOutput" | "KillShell" | "Task" | "Agent" | "TaskOutput")
                || matches!(name, "Skill" | "Monitor" | "REPL")
                || name.starts_with("mcp__")
        };
        let later = self.lines.iter().skip(after + 1).filter_map(|it| it.row.as_ref());
        let runs = later.flat_map(|row| calls(row).filter(may_run));
        let runs: HashSet<String> =
            runs.filter_map(|it| it["id"].as_str().map(str::to_owned)).collect();
        let is_run = |it: &Value| it.as_str().is_some_and(|it| runs.contains(it));
        let mut parents: HashMap<String, Value> = HashMap::new();
        let mut kept = Vec::new();
        for (index, mut line) in std::mem::take(&mut self.lines).into_iter().enumerate() {
            let Some(row) = line.row.as_mut().filter(|_| index > after) else {
                kept.push(line);
                continue;
            };
            let parent = follow(&parents, &row["parentUuid"]);
            let tells_of_run = is_run(&row["toolUseID"]) || is_run(&row["parentToolUseID"]);
            let changed = take_blocks_out(row, &is_run);
            let is_empty = row["message"]["content"].as_array().is_some_and(Vec::is_empty);
            if tells_of_run || changed && is_empty {
                if let Some(uuid) = row["uuid"].as_str() {
                    parents.insert(uuid.to_owned(), parent);
                }
                continue;
            }
            if changed || row["parentUuid"] != parent {
                row["parentUuid"] = parent;
                line.text = row.to_string();
            }
            kept.push(line);
        }
        self.parent = follow(&parents, &self.parent);
        self.lines = kept;
    }

    /// Adds an edit of a file, or a new file where there was none.
    pub(crate) fn edit(&mut self, file: &str, language: &RunnerLanguage, is_new: bool) {
        let old = "        return value;";
        let new = format!("        return value + {};", self.random.below(90) + 1);
        let (name, input, answer, result) = if is_new {
            (
                "Write",
                json!({"file_path": file, "content": language.source}),
                format!("File created successfully at: {file}"),
                json!({"type": "create", "filePath": file, "content": language.source,
                    "structuredPatch": []}),
            )
        } else {
            (
                "Edit",
                json!({"file_path": file, "old_string": old, "new_string": new,
                    "replace_all": false}),
                format!("The file {file} has been updated successfully."),
                json!({"filePath": file, "oldString": old, "newString": new,
                    "structuredPatch": [], "userModified": false, "replaceAll": false}),
            )
        };
        self.call(name, &input, json!({"content": answer}), result);
    }

    /// Adds a run with its output.
    pub(crate) fn run(&mut self, run: &PlantedRun) {
        let input = json!({"command": run.command, "description": "Run the checks"});
        let output = run.output.trim_end();
        let (answer, result) = if run.status == 0 {
            (
                json!({"content": output, "is_error": false}),
                json!({"stdout": output, "stderr": "", "interrupted": false, "isImage": false}),
            )
        } else {
            let text = format!("Exit code {}\n{output}", run.status);
            (json!({"content": text, "is_error": true}), json!(format!("Error: {text}")))
        };
        self.call("Bash", &input, answer, result);
    }

    /// Adds a run that was refused.
    pub(crate) fn refuse(&mut self, command: &str, refusal: CallRefusal) {
        let input = json!({"command": command, "description": "Run the checks"});
        let [answer, result] =
            [refusal.answer, refusal.result].map(|it| it.replace("{command}", command));
        self.call("Bash", &input, json!({"content": answer, "is_error": true}), json!(result));
    }

    fn call(&mut self, name: &str, input: &Value, mut answer: Value, result: Value) {
        let id = format!("toolu_{:016x}{:08x}", self.random.number(), self.random.below(1 << 30));
        self.add_agent(json!({"type": "tool_use", "id": id, "name": name, "input": input}));
        let asked_by = self.parent.clone();
        answer["type"] = json!("tool_result");
        answer["tool_use_id"] = json!(id);
        let mut row = self.user.clone();
        row["message"] = json!({"role": "user", "content": [answer]});
        row["toolUseResult"] = result;
        if !row["sourceToolAssistantUUID"].is_null() {
            row["sourceToolAssistantUUID"] = asked_by;
        }
        self.add(row);
    }

    /// Adds the words with which the agent stops, and returns when it said them.
    pub(crate) fn say(&mut self, text: &str) -> String {
        self.add_agent(json!({"type": "text", "text": text}));
        write_time(self.at)
    }

    fn add_agent(&mut self, block: Value) {
        let mut row = self.agent.clone();
        row["message"]["id"] = json!(format!("msg_{:016x}", self.random.number()));
        row["message"]["content"] = Value::Array(vec![block]);
        self.add(row);
    }

    fn add(&mut self, mut row: Value) {
        self.at += PACE;
        let uuid = self.random.uuid();
        row["uuid"] = json!(uuid);
        row["parentUuid"] = std::mem::replace(&mut self.parent, json!(uuid));
        row["timestamp"] = json!(write_time(self.at));
        // The copy goes on where the agent stopped, whatever row was taken as the form.
        for name in ["cwd", "sessionId", "version", "gitBranch"] {
            if !self.agent[name].is_null() {
                row[name] = self.agent[name].clone();
            }
        }
        self.lines.push(TranscriptLine::of_row(row));
    }

    /// The text of the copy.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            text.push_str(&line.text);
            text.push('\n');
        }
        text
    }
}

/// Takes the blocks of some calls out of a row, and tells whether there were any.
fn take_blocks_out(row: &mut Value, is_run: &dyn Fn(&Value) -> bool) -> bool {
    let blocks = row.pointer_mut("/message/content").and_then(Value::as_array_mut);
    let Some(blocks) = blocks else { return false };
    let before = blocks.len();
    blocks.retain(|it| match it["type"].as_str() {
        Some("tool_use") => !is_run(&it["id"]),
        Some("tool_result") => !is_run(&it["tool_use_id"]),
        _ => true,
    });
    blocks.len() < before
}

/// The row that stands before another one, where those between them are gone.
fn follow(parents: &HashMap<String, Value>, parent: &Value) -> Value {
    let gone = parent.as_str().and_then(|it| parents.get(it));
    gone.unwrap_or(parent).clone()
}
