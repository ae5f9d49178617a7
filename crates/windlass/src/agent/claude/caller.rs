//! Which agent calls the hook, where it is not Claude Code.
//!
//! Grok reads the user's settings of Claude Code, Copilot those of a repository, and both run the
//! same command for the same event names. Their sessions are not sessions of Claude Code: windlass
//! stays silent there and files nothing.
//!
//! Where the environment names the session of the payload as one of Claude Code, it is one. Else the
//! payload decides, because it is written by the caller itself. Other variables decide only where
//! Claude Code did not set its own: an agent that runs in a shell of another agent inherits the
//! variables of that agent.

use std::ffi::OsString;

use serde::Deserialize;

use super::wire::{ForeignInput, Input};
use crate::env;

/// An agent other than Claude Code, with the signs by which its calls are recognised.
#[derive(Debug)]
pub(crate) struct CallerAgent {
    /// Its name, for people.
    pub(crate) name: &'static str,
    /// Whether a payload has fields that only this agent writes.
    has_fields: fn(&ForeignInput<'_>) -> bool,
    /// A part of the paths of its conversation files.
    transcript: Option<&'static str>,
    /// Variables that it sets for its hooks.
    variables: &'static [&'static str],
}

/// Every agent that is recognised. The first row that fits counts.
pub(crate) const CALLER_AGENTS: &[CallerAgent] = &[
    CallerAgent {
        name: "Cline",
        has_fields: |it| it.cline_version.is_there(),
        transcript: None,
        variables: &[],
    },
    CallerAgent {
        name: "Codex",
        has_fields: |it| it.turn_id.is_there() && it.model.is_there(),
        transcript: Some("/rollout-"),
        variables: &["CODEX_THREAD_ID"],
    },
    CallerAgent {
        name: "Droid",
        has_fields: |_| false,
        transcript: Some("/.factory/"),
        variables: &["DROID_PROJECT_DIR", "FACTORY_PROJECT_DIR"],
    },
    CallerAgent {
        name: "Gemini",
        has_fields: |_| false,
        transcript: Some("/.gemini/"),
        variables: &["GEMINI_SESSION_ID"],
    },
    CallerAgent {
        name: "Grok",
        has_fields: |it| it.camel_event_name.is_there(),
        transcript: Some("/.grok/"),
        variables: &["GROK_HOOK_EVENT"],
    },
    CallerAgent {
        name: "Kimi",
        has_fields: |it| it.client_type.is_there(),
        transcript: Some("/.kimi"),
        variables: &[],
    },
    CallerAgent {
        name: "Qwen",
        has_fields: |_| false,
        transcript: Some("/.qwen/"),
        variables: &["QWEN_CODE_SESSION_ID"],
    },
    // Its payloads have nothing of their own but the time of the event. Gemini, Grok and Qwen send
    // one too, so this row stands behind theirs.
    CallerAgent {
        name: "Copilot",
        has_fields: |it| it.timestamp.is_there(),
        transcript: Some("/.copilot/"),
        variables: &["COPILOT_CLI"],
    },
];

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
    let mut foreign = serde_json::Deserializer::from_str(payload);
    let foreign = ForeignInput::deserialize(&mut foreign).unwrap_or_default();
    let path = input.transcript_path.raw();
    let wrote = |it: &&CallerAgent| {
        (it.has_fields)(&foreign) || it.transcript.is_some_and(|part| path.contains(part))
    };
    CALLER_AGENTS.iter().find(wrote).or_else(|| caller_in(variable))
}

/// Finds the agent whose variables a hook was given, where Claude Code gave none of its own.
pub(crate) fn caller_in(
    variable: impl Fn(&str) -> Option<OsString>,
) -> Option<&'static CallerAgent> {
    if variable(env::CLAUDECODE).is_some() {
        return None;
    }
    let is_set = |it: &&CallerAgent| it.variables.iter().any(|it| variable(it).is_some());
    CALLER_AGENTS.iter().find(is_set)
}
