//! The name of every environment variable that windlass reads.

/// Where windlass keeps its data, an absolute path; the default is `$XDG_DATA_HOME/windlass`.
pub(crate) const WINDLASS_HOME: &str = "WINDLASS_HOME";
/// The user's data directory; the default is `$HOME/.local/share`.
pub(crate) const XDG_DATA_HOME: &str = "XDG_DATA_HOME";
/// The user's home directory.
pub(crate) const HOME: &str = "HOME";
/// Where Claude Code keeps its settings and transcripts; the default is `$HOME/.claude`.
pub(crate) const CLAUDE_CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
/// Where `init` looks for the client; never read on the hook path.
pub(crate) const PATH: &str = "PATH";
/// Whoever sets it wants no colour, whatever its value.
pub(crate) const NO_COLOR: &str = "NO_COLOR";
/// The kind of terminal; `dumb` knows no colour.
pub(crate) const TERM: &str = "TERM";
