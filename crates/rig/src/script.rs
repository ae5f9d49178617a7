//! What the model says: a script that the scripted API plays turn by turn.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The answers of the model in one run of the client.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Script {
    /// Answers to the main conversation, in order.
    pub turns: Vec<Turn>,
    /// Answers to subagents.
    pub agents: Vec<Agent>,
    /// The answer when a list of turns is used up.
    pub otherwise: Turn,
    /// The answer to small requests beside the conversation, such as a title.
    pub side: Turn,
    /// The answer to the request that compacts the conversation.
    pub summary: String,
}

/// The answers to one subagent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Agent {
    /// Text that only this subagent's prompt contains.
    pub marker: String,
    /// Its answers, in order.
    pub turns: Vec<Turn>,
}

/// One answer of the model. Begin with [`turn`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Turn {
    /// A thinking block before the text.
    pub thinking: Option<String>,
    /// The visible text.
    pub text: Option<String>,
    /// Tool calls; more than one are parallel calls.
    pub tools: Vec<ToolUse>,
    /// Time to wait before the answer.
    pub delay_ms: u64,
    /// Answers with this error and nothing else.
    pub error: Option<ApiError>,
    /// Input tokens to report; the size of the request when absent.
    pub input_tokens: Option<u64>,
}

/// A tool call of the model.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ToolUse {
    /// Name of the tool.
    pub name: String,
    /// Its arguments.
    pub input: Value,
}

/// An error answer of the API.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ApiError {
    /// HTTP status.
    pub status: u16,
    /// Error type of the API, for example `overloaded_error`.
    pub kind: String,
    /// Text of the error.
    pub message: String,
}

/// A turn that says `text`.
pub fn turn(text: &str) -> Turn {
    Turn { text: Some(text.to_owned()), ..Turn::default() }
}

impl Script {
    /// A script of the main conversation.
    pub fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self {
            turns: turns.into_iter().collect(),
            agents: Vec::new(),
            otherwise: turn("nothing more to say"),
            side: turn("ok"),
            summary: "<analysis>none</analysis>\n<summary>A SUMMARY OF THE WORK</summary>"
                .to_owned(),
        }
    }

    /// Adds the answers to the subagent whose prompt contains `marker`.
    #[must_use]
    pub fn agent(mut self, marker: &str, turns: impl IntoIterator<Item = Turn>) -> Self {
        let turns = turns.into_iter().collect();
        self.agents.push(Agent { marker: marker.to_owned(), turns });
        self
    }

    /// Replaces the answer that is given when a list is used up.
    #[must_use]
    pub fn otherwise(mut self, turn: Turn) -> Self {
        self.otherwise = turn;
        self
    }

    /// Replaces the answer to a compaction.
    #[must_use]
    pub fn summary(mut self, text: &str) -> Self {
        text.clone_into(&mut self.summary);
        self
    }
}

impl Turn {
    /// Calls a tool.
    #[must_use]
    pub fn tool(mut self, name: &str, input: Value) -> Self {
        self.tools.push(ToolUse { name: name.to_owned(), input });
        self
    }

    /// Runs a shell command.
    #[must_use]
    pub fn bash(self, command: &str) -> Self {
        self.tool("Bash", json!({"command": command, "description": "a command"}))
    }

    /// Writes a file.
    #[must_use]
    pub fn write(self, path: &Path, content: &str) -> Self {
        self.tool("Write", json!({"file_path": path, "content": content}))
    }

    /// Reads a file.
    #[must_use]
    pub fn read(self, path: &Path) -> Self {
        self.tool("Read", json!({"file_path": path}))
    }

    /// Replaces `before` by `after` in a file.
    #[must_use]
    pub fn edit(self, path: &Path, before: &str, after: &str) -> Self {
        self.tool("Edit", json!({"file_path": path, "old_string": before, "new_string": after}))
    }

    /// Starts a subagent with `prompt` and waits for it.
    #[must_use]
    pub fn agent(self, prompt: &str) -> Self {
        self.subagent(prompt, false)
    }

    /// Starts a subagent with `prompt` and goes on.
    #[must_use]
    pub fn agent_in_background(self, prompt: &str) -> Self {
        self.subagent(prompt, true)
    }

    // Clients differ in the default of `run_in_background`, so it is always given.
    fn subagent(self, prompt: &str, in_background: bool) -> Self {
        self.tool(
            "Agent",
            json!({
                "description": "some work",
                "prompt": prompt,
                "subagent_type": "general-purpose",
                "run_in_background": in_background,
            }),
        )
    }

    /// Thinks before it speaks.
    #[must_use]
    pub fn thinking(mut self, text: &str) -> Self {
        self.thinking = Some(text.to_owned());
        self
    }

    /// Answers only after `delay`.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay_ms = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
        self
    }

    /// Reports this many input tokens.
    #[must_use]
    pub fn input_tokens(mut self, tokens: u64) -> Self {
        self.input_tokens = Some(tokens);
        self
    }

    /// Answers with an error of the API.
    #[must_use]
    pub fn error(mut self, status: u16, kind: &str, message: &str) -> Self {
        self.error = Some(ApiError { status, kind: kind.to_owned(), message: message.to_owned() });
        self
    }
}
