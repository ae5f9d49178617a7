//! The name of every environment variable that windlass reads.

/// Where windlass keeps its data, an absolute path; the default is `$XDG_DATA_HOME/windlass`.
pub(crate) const WINDLASS_HOME: &str = "WINDLASS_HOME";
/// `off` lets the agent stop: no gate asks in a client that is started with it.
pub(crate) const WINDLASS_GATES: &str = "WINDLASS_GATES";
/// The user's data directory; the default is `$HOME/.local/share`.
pub(crate) const XDG_DATA_HOME: &str = "XDG_DATA_HOME";
/// The user's settings directory; the default is `$HOME/.config`.
pub(crate) const XDG_CONFIG_HOME: &str = "XDG_CONFIG_HOME";
/// The user's home directory.
pub(crate) const HOME: &str = "HOME";
/// Where Claude Code keeps its settings and transcripts; the default is `$HOME/.claude`.
pub(crate) const CLAUDE_CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
/// Where `init` looks for the client, and a check for its program.
pub(crate) const PATH: &str = "PATH";
/// Where `demo` and `doctor` make a home that they throw away; the default is `/tmp`.
pub(crate) const TMPDIR: &str = "TMPDIR";
/// Whoever sets it wants no colour, whatever its value.
pub(crate) const NO_COLOR: &str = "NO_COLOR";
/// The kind of terminal; `dumb` knows no colour.
pub(crate) const TERM: &str = "TERM";
/// Makes Claude Code run without hooks.
pub(crate) const CLAUDE_CODE_SIMPLE: &str = "CLAUDE_CODE_SIMPLE";
/// Makes Claude Code run without hooks, to find out whether they are to blame.
pub(crate) const CLAUDE_CODE_SAFE_MODE: &str = "CLAUDE_CODE_SAFE_MODE";
/// Where Claude Code keeps its plugins; the default is `plugins` in its directory.
pub(crate) const CLAUDE_CODE_PLUGIN_CACHE_DIR: &str = "CLAUDE_CODE_PLUGIN_CACHE_DIR";

/// Set to 1 by Claude Code for every process that it starts, whatever its settings say.
pub(crate) const CLAUDECODE: &str = "CLAUDECODE";
/// The session of Claude Code that a command runs in.
pub(crate) const CLAUDE_CODE_SESSION_ID: &str = "CLAUDE_CODE_SESSION_ID";

/// How Claude Code was started; it tells everything that it starts.
pub(crate) const CLAUDE_CODE_ENTRYPOINT: &str = "CLAUDE_CODE_ENTRYPOINT";

/// The process of Claude Code that runs a hook, from version 2.1.325 on.
pub(crate) const CLAUDE_PID: &str = "CLAUDE_PID";

/// Variables that switch something off or move our files. Below a client they count only where
/// the user gave them: `agent/started.rs` tells.
pub(crate) const GUARDED: &[&str] =
    &[WINDLASS_GATES, WINDLASS_HOME, XDG_DATA_HOME, XDG_CONFIG_HOME, HOME, CLAUDE_CONFIG_DIR, PATH];

/// Whether a variable is one of them. Every look at the environment asks, so it is not looked for
/// in the list.
pub(crate) fn is_guarded(name: &str) -> bool {
    matches!(
        name,
        WINDLASS_GATES
            | WINDLASS_HOME
            | XDG_DATA_HOME
            | XDG_CONFIG_HOME
            | HOME
            | CLAUDE_CONFIG_DIR
            | PATH
    )
}

/// Those of them that are set everywhere: where nothing tells what the user gave, the account tells
/// the home directory, and the search path loses what a repository may name.
pub(crate) const INDISPENSABLE: &[&str] = &[HOME, PATH];

/// How variables begin that are for the client and its model.
pub(crate) const PRIVATE_PREFIXES: &[&str] = &["CLAUDE", "ANTHROPIC", "OPENAI", "GEMINI", "CODEX"];
/// What stands in the names of variables that hold keys.
pub(crate) const PRIVATE_PARTS: &[&str] =
    &["API_KEY", "APIKEY", "AUTH_TOKEN", "BEARER_TOKEN", "OAUTH_TOKEN", "SECRET_KEY"];

/// What agents set for the commands that they run, and people do not.
///
/// `CODEX_HOME` and `CURSOR_TRACE_ID` are not among them: they stand in terminals of people too.
pub(crate) const SET_BY_AGENTS: &[&str] = &[
    CLAUDECODE,
    CLAUDE_CODE_ENTRYPOINT,
    CLAUDE_CODE_SESSION_ID,
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "QWEN_CODE",
    "CURSOR_AGENT",
    "OPENCODE",
    "AI_AGENT",
];

/// Those of them that an agent sets for the commands that it runs, and that a program which starts
/// the agent does not set.
pub(crate) const SET_FOR_COMMANDS: &[&str] = &[
    CLAUDECODE,
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "QWEN_CODE",
    "CURSOR_AGENT",
    "OPENCODE",
];

#[cfg(test)]
mod tests {
    use super::{CLAUDECODE, GUARDED, is_guarded};

    #[test]
    fn the_list_and_the_question_agree() {
        assert!(GUARDED.iter().all(|it| is_guarded(it)) && !is_guarded(CLAUDECODE));
    }
}
