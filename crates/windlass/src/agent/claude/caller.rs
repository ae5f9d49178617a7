//! Which agent calls the hook, where it is not Claude Code.
//!
//! Grok reads the user's settings of Claude Code, Copilot those of a repository, and both run the
//! same command for the same event names. Their sessions are not sessions of Claude Code: windlass
//! stays silent there and files nothing.
//!
//! Where the environment names the session of the payload as one of Claude Code, it is one. Else the
//! payload decides, because the caller writes it itself: names of fields, names of tools, permission
//! modes and places that Claude Code does not have. Several signs stand in each row, because a field
//! may be missing, or have another spelling in another version. Variables decide last, and only where
//! Claude Code did not set its own: an agent that runs in a shell of another agent inherits the
//! variables of that agent.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, Visitor};

use super::name::EventName;
use super::wire::Input;
use crate::env;

/// An agent other than Claude Code, with the signs by which its calls are recognised. One of them is
/// enough.
#[derive(Debug)]
pub(crate) struct CallerAgent {
    /// Its name, for people.
    pub(crate) name: &'static str,
    /// Fields of its payloads that Claude Code does not write. A name in small letters stands for
    /// its other spelling too: `turn_id` and `turnId`.
    fields: &'static [&'static str],
    /// Whether it names the model with every event. Claude Code does when a session starts.
    names_model: bool,
    /// Whether the ids of its sessions begin with a time (UUID, version 7). Those of Claude Code do
    /// not, unless the user gave one.
    dates_session: bool,
    /// Permission modes that Claude Code does not have.
    modes: &'static [&'static str],
    /// Tools that Claude Code does not have.
    tools: &'static [&'static str],
    /// How the ids of its sessions begin; those of Claude Code are bare UUIDs.
    session: &'static str,
    /// Parts of the paths of its conversation files.
    transcripts: &'static [&'static str],
    /// Variables that it sets for its hooks.
    variables: &'static [&'static str],
}

/// An agent without a sign: what the rows below begin from.
const NO_SIGN: CallerAgent = CallerAgent {
    name: "",
    fields: &[],
    names_model: false,
    dates_session: false,
    modes: &[],
    tools: &[],
    session: "",
    transcripts: &[],
    variables: &[],
};

/// Every agent that is recognised. The first row that fits counts.
pub(crate) const CALLER_AGENTS: &[CallerAgent] = &[
    CallerAgent {
        name: "Cline",
        fields: &["clineVersion", "taskId", "workspaceRoots", "sessionContext", "workspaceInfo"],
        transcripts: &["/.cline/"],
        ..NO_SIGN
    },
    // Its hooks have no variable of their own.
    CallerAgent {
        name: "Codex",
        fields: &["turn_id"],
        names_model: true,
        dates_session: true,
        tools: &["apply_patch", "update_plan", "create_goal", "update_goal", "tool_search"],
        transcripts: &["/.codex/", "/rollout-"],
        variables: &["CODEX_THREAD_ID"],
        ..NO_SIGN
    },
    CallerAgent {
        name: "Cursor",
        fields: &["conversation_id", "generation_id", "cursor_version", "workspace_roots"],
        transcripts: &["/.cursor/"],
        variables: &["CURSOR_PROJECT_DIR"],
        ..NO_SIGN
    },
    CallerAgent {
        name: "Droid",
        fields: &[
            "CLAUDE_ENV_FILE",
            "tool_execution_count",
            "session_duration_ms",
            "message_count",
            "elapsed_time",
        ],
        modes: &["off", "auto-low", "auto-medium", "auto-high", "spec"],
        tools: &["Execute", "Create", "ApplyPatch"],
        transcripts: &["/.factory/"],
        variables: &["DROID_PROJECT_DIR", "DROID_PLUGIN_ROOT", "FACTORY_PROJECT_DIR"],
        ..NO_SIGN
    },
    CallerAgent {
        name: "Grok",
        fields: &["hookEventName", "workspaceRoot", "stopHookActive", "lastAssistantMessage"],
        tools: &["run_terminal_command", "search_replace"],
        transcripts: &["/.grok/"],
        variables: &["GROK_HOOK_EVENT", "GROK_HOOK_NAME", "GROK_SESSION_ID"],
        ..NO_SIGN
    },
    CallerAgent {
        name: "Kimi",
        fields: &["client_type", "clientType", "origin_kind", "is_steer", "tool_output"],
        session: "session_",
        transcripts: &["/.kimi"],
        ..NO_SIGN
    },
    CallerAgent {
        name: "opencode",
        fields: &["sessionID", "hook_source"],
        session: "ses_",
        transcripts: &["/opencode/", "/.opencode/"],
        ..NO_SIGN
    },
    // It is made of Gemini, and names tools and variables as that does.
    CallerAgent {
        name: "Qwen",
        fields: &["submitted_prompt", "tool_call_id", "context_usage", "crons", "todo_id"],
        modes: &["yolo"],
        tools: &["todo_write"],
        transcripts: &["/.qwen/"],
        variables: &["QWEN_CODE_SESSION_ID", "QWEN_PROJECT_DIR", "QWEN_CODE_PROJECT_DIR"],
        ..NO_SIGN
    },
    CallerAgent {
        name: "Gemini",
        fields: &["llm_request", "llm_response", "prompt_response", "mcp_context"],
        modes: &["auto_edit", "auto-edit"],
        tools: &["run_shell_command", "write_file", "read_file", "replace", "read_many_files"],
        transcripts: &["/.gemini/"],
        variables: &["GEMINI_SESSION_ID", "GEMINI_PROJECT_DIR"],
        ..NO_SIGN
    },
    CallerAgent { name: "Windsurf", fields: &["agent_action_name", "trajectory_id"], ..NO_SIGN },
    // Others write the time of the event too, so this row stands behind theirs.
    CallerAgent {
        name: "Copilot",
        fields: &[
            "timestamp",
            "initial_prompt",
            "stop_reason",
            "tool_result",
            "parent_agent_id",
            "agent_name",
            "toolArgs",
            "hookName",
        ],
        transcripts: &["/.copilot/"],
        variables: &["COPILOT_CLI", "COPILOT_PROJECT_DIR", "COPILOT_HOOK_DIR"],
        ..NO_SIGN
    },
    OTHER,
];

/// An agent that no row names.
const OTHER: CallerAgent = CallerAgent { name: "Another agent", ..NO_SIGN };

/// Whether Claude Code called: it names the session of the payload to its hooks. A newer one may
/// write fields that only others write today.
pub(super) fn is_claude(input: &Input<'_>, variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let own = variable(env::CLAUDE_CODE_SESSION_ID);
    own.is_some_and(|own| input.session_id.text().is_some_and(|it| *own == *it.as_ref()))
}

/// Finds the agent that wrote a payload that Claude Code did not claim; `None` is Claude Code all
/// the same.
#[cold]
pub(super) fn caller_of(
    payload: &str,
    input: &Input<'_>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Option<&'static CallerAgent> {
    let mut fields = serde_json::Deserializer::from_str(payload);
    let fields = FieldNames::deserialize(&mut fields).unwrap_or_default();
    let signs = PayloadSigns::of(input, &fields);
    let named = CALLER_AGENTS.iter().find(|it| signs.are_of(it));
    named.or_else(|| signs.of_nobody()).or_else(|| {
        // A session of Claude Code that is not that of the payload is of the shell around the agent.
        let own = variable(env::CLAUDE_CODE_SESSION_ID);
        let is_below = own.is_some() && input.session_id.text().is_some();
        if is_below { agent_of_variables(&variable) } else { caller_in(&variable) }
    })
}

/// What a payload shows of who wrote it.
struct PayloadSigns<'a> {
    fields: &'a [Cow<'a, str>],
    session: Cow<'a, str>,
    mode: Cow<'a, str>,
    tool: Cow<'a, str>,
    transcript: Cow<'a, str>,
    event: Option<EventName>,
}

impl<'a> PayloadSigns<'a> {
    fn of(input: &Input<'a>, fields: &'a FieldNames<'a>) -> Self {
        Self {
            fields: &fields.0,
            session: input.session_id.text().unwrap_or_default(),
            mode: input.permission_mode.text().unwrap_or_default(),
            tool: input.tool_name.text().unwrap_or_default(),
            transcript: input.transcript_path.text().unwrap_or_default(),
            event: input.hook_event_name.text().and_then(|it| EventName::parse(&it)),
        }
    }

    fn are_of(&self, agent: &CallerAgent) -> bool {
        let has = |name: &&str| self.fields.iter().any(|it| is_spelling(it, name));
        // Claude Code tells what it displays with the id of the turn.
        let has_own = |it: &&str| has(it) && self.event != Some(EventName::MessageDisplay);
        agent.fields.iter().any(has_own)
            || agent.names_model && self.event != Some(EventName::SessionStart) && has(&"model")
            || agent.dates_session && self.transcript.is_empty() && is_dated(&self.session)
            || agent.modes.contains(&&*self.mode)
            || agent.tools.contains(&&*self.tool)
            || !agent.session.is_empty() && self.session.starts_with(agent.session)
            || agent.transcripts.iter().any(|it| self.transcript.contains(it))
    }

    /// A payload that is not of Claude Code, whatever agent wrote it: Claude Code spells the names of
    /// its fields in small letters.
    fn of_nobody(&self) -> Option<&'static CallerAgent> {
        let is_other = |it: &Cow<'_, str>| it.bytes().any(|it| it.is_ascii_uppercase());
        self.fields.iter().any(is_other).then_some(&OTHER)
    }
}

/// Whether a field has this name, or its other spelling: `turnId` for `turn_id`.
fn is_spelling(field: &str, name: &str) -> bool {
    let letters = name.bytes().filter(|it| *it != b'_');
    let is_plain = || !name.bytes().any(|it| it.is_ascii_uppercase());
    field == name || is_plain() && field.bytes().map(|it| it.to_ascii_lowercase()).eq(letters)
}

/// Whether an id is a UUID of version 7.
fn is_dated(id: &str) -> bool {
    let parts: Vec<_> = id.split('-').map(str::len).collect();
    parts == [8, 4, 4, 4, 12] && id.as_bytes().get(14) == Some(&b'7')
}

/// The names of the fields of an object that have a value.
#[derive(Debug, Default)]
struct FieldNames<'a>(Vec<Cow<'a, str>>);

impl<'de> Deserialize<'de> for FieldNames<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor;
        impl<'de> Visitor<'de> for NameVisitor {
            type Value = FieldNames<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut names = Vec::new();
                while let Some((name, value)) =
                    map.next_entry::<FieldName<'de>, Option<IgnoredAny>>()?
                {
                    names.extend(value.map(|_| name.0));
                }
                Ok(FieldNames(names))
            }
        }
        deserializer.deserialize_map(NameVisitor)
    }
}

/// The name of a field, borrowed where it has no escape.
#[derive(Deserialize)]
#[serde(transparent)]
struct FieldName<'a>(#[serde(borrow)] Cow<'a, str>);

/// Finds the agent whose variables a hook was given, where Claude Code gave none of its own.
pub(crate) fn caller_in(
    variable: impl Fn(&str) -> Option<OsString>,
) -> Option<&'static CallerAgent> {
    if variable(env::CLAUDECODE).is_some() {
        return None;
    }
    agent_of_variables(variable)
}

fn agent_of_variables(variable: impl Fn(&str) -> Option<OsString>) -> Option<&'static CallerAgent> {
    let is_set = |it: &&CallerAgent| it.variables.iter().any(|it| variable(it).is_some());
    CALLER_AGENTS.iter().find(is_set)
}
