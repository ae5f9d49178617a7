//! What is wrong with a settings file, and the words for it.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use super::{Origin, UnknownKeys};
use crate::ownership::Fault;
use crate::plain::PlainError;
use crate::trust::TrustError;
use crate::visible;

/// Enough for a name, a path or a message; what is longer was written to be long.
const MAX_TEXT: usize = 300;
/// How many settings the line for people names.
const MAX_NAMED: usize = 6;

/// Something that was not taken as it is written.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) file: PathBuf,
    pub(crate) at: Option<Position>,
    /// Whose file it is.
    pub(crate) origin: Origin,
    pub(crate) problem: Problem,
}

/// A place in a text; both count from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// What was found.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    #[error(transparent)]
    Plain(#[from] PlainError),
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("it is not UTF-8 text")]
    NotText,
    #[error("it is not TOML: {0}")]
    Syntax(String),
    #[error("it ends within a number or right after it, so it may be half-written")]
    HalfWritten,
    #[error("it is empty, and was not before")]
    Emptied,
    #[error("it is gone, and set what protects you")]
    Gone,
    #[error("`{0}` is not a setting")]
    Unknown(String),
    #[error("`{key}` is {values}")]
    Wrong { key: Cow<'static, str>, values: String },
    #[error("`{key}` is the name of a check of yours, and yours counts")]
    Yours { key: String },
    #[error("`{key}` would loosen your setting")]
    Loosens { key: &'static str },
    #[error("you have set `{key}` yourself")]
    Decided { key: &'static str },
    #[error("`{key}` is read from your own settings only")]
    UserOnly { key: &'static str },
    #[error("`{key}` is not trusted")]
    NeverTrusted { key: &'static str },
    #[error("`{key}` was trusted, but the bytes have changed")]
    Changed { key: &'static str },
    #[error(transparent)]
    Trust(#[from] TrustError),
}

impl Position {
    /// The place of a byte of a text.
    pub(crate) fn of(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |it| it + 1);
        Self { line: before.matches('\n').count() + 1, column: before[start..].chars().count() + 1 }
    }
}

impl Problem {
    /// What the user can do about it.
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::Plain(error) => error.hint().to_owned(),
            Self::Fault(fault) => format!("run `{}`", fault.mend()),
            Self::NotText => "save it as UTF-8".to_owned(),
            Self::Syntax(_) => {
                "correct the line; until then the rest of the file counts, and what protects you \
                 stays as it was"
                    .to_owned()
            }
            Self::HalfWritten => "end the file with a line break".to_owned(),
            Self::Emptied | Self::Gone => {
                "write your settings again, or the line `# none` where it is to set nothing; until \
                 then what protects you stays as it was"
                    .to_owned()
            }
            Self::Unknown(_) => "run `windlass config` to see the settings there are".to_owned(),
            Self::Wrong { .. } => {
                "correct the value; until then it is not used, and what protects you stays as it was"
                    .to_owned()
            }
            Self::Yours { .. } => "rename one of the two".to_owned(),
            Self::Loosens { .. } => "remove it; a project may only tighten it".to_owned(),
            Self::Decided { .. } => {
                "remove it from your own settings if the project shall decide".to_owned()
            }
            Self::UserOnly { .. } => "put it into your own settings if you want it".to_owned(),
            Self::NeverTrusted { .. } | Self::Changed { .. } => {
                "run `windlass trust` to look at it".to_owned()
            }
            Self::Trust(error) => error.hint(),
        }
    }

    /// What is ignored and why, for the line that names everything that is.
    fn brief(&self) -> (Option<&str>, &'static str) {
        match self {
            Self::NeverTrusted { key } => (Some(key), "needs trust"),
            Self::Changed { key } => (Some(key), "changed, needs trust again"),
            Self::UserOnly { key } => (Some(key), "only in your own settings"),
            Self::Loosens { key } => (Some(key), "would loosen yours"),
            Self::Decided { key } => (Some(key), "you have set it yourself"),
            Self::Wrong { key, .. } => (Some(key), "not such a value"),
            Self::Yours { key } => (Some(key), "yours counts"),
            Self::Unknown(key) => (Some(key), "not a setting"),
            Self::Syntax(_) => (None, "not TOML"),
            Self::HalfWritten => (None, "may be half-written"),
            Self::NotText => (None, "not text"),
            Self::Emptied => (None, "empty"),
            Self::Gone => (None, "gone"),
            Self::Fault(Fault::Owner { .. }) => (None, "belongs to someone else"),
            Self::Fault(_) => (None, "others can write it"),
            Self::Plain(PlainError::TooLarge(_)) => (None, "too large"),
            Self::Plain(PlainError::LeadsOut(_)) => (None, "a link that leads out"),
            Self::Plain(PlainError::NotPlain) => (None, "not a plain file"),
            Self::Plain(PlainError::Unreadable(_)) => (None, "cannot be read"),
            Self::Trust(_) => (None, "trust cannot be checked"),
        }
    }
}

impl Finding {
    /// What was found, with its causes.
    pub(crate) fn found(&self) -> String {
        let causes = std::iter::successors(Some(&self.problem as &dyn Error), |&it| it.source());
        causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
    }
}

/// Where, what, and what to do, on one line.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible::line(&self.file.to_string_lossy(), MAX_TEXT))?;
        if let Some(Position { line, column }) = self.at {
            write!(f, ":{line}:{column}")?;
        }
        let hint = visible::line(&self.problem.hint(), MAX_TEXT);
        write!(f, ": {}. Next: {hint}.", visible::line(&self.found(), MAX_TEXT))
    }
}

/// The one line about the user's own settings, where they are broken or a key has a wrong value, with
/// the keys that stay in force from the last good copy. A key that is no setting is told there only
/// where one that protects the user is missing: it may be the same, misspelt.
pub(crate) fn broken_notice(
    findings: &[Finding],
    protected: &[(Origin, &'static str)],
) -> Option<String> {
    let protected: Vec<_> =
        protected.iter().filter(|it| it.0 == Origin::User).map(|it| it.1).collect();
    let mut own = findings.iter().filter(|it| it.origin == Origin::User);
    let is_broken = |it: &&Finding| {
        let is_lost = matches!(it.problem, Problem::Emptied | Problem::Gone);
        let is_file = is_lost || matches!(it.problem, Problem::Plain(_) | Problem::Fault(_));
        let is_part =
            matches!(it.problem, Problem::Syntax(_) | Problem::HalfWritten | Problem::NotText);
        is_file || is_part
    };
    let is_wrong = |it: &&Finding| matches!(it.problem, Problem::Wrong { .. });
    let is_misspelt =
        |it: &&Finding| matches!(it.problem, Problem::Unknown(_)) && !protected.is_empty();
    let broken = own
        .clone()
        .find(is_broken)
        .or_else(|| own.clone().find(is_wrong))
        .or_else(|| own.find(is_misspelt))?;
    let file = visible::line(&broken.file.to_string_lossy(), MAX_TEXT);
    let counts = match broken.at {
        Some(at) if matches!(broken.problem, Problem::Wrong { .. } | Problem::Unknown(_)) => {
            let found = visible::line(&broken.found(), MAX_TEXT);
            format!("line {} of {file} does not count ({found}), and the rest does", at.line)
        }
        Some(at) => format!("line {} of {file} cannot be read, and the rest counts", at.line),
        None => format!("{file} does not count ({})", broken.problem.brief().1),
    };
    let kept = match protected.split_at_checked(MAX_NAMED) {
        _ if protected.is_empty() => String::new(),
        Some((named, more)) if !more.is_empty() => {
            format!("; as before: {} and {} more", named.join(", "), more.len())
        }
        _ => format!("; as before: {}", protected.join(", ")),
    };
    Some(format!("windlass: your settings are broken: {counts}{kept}; run windlass config"))
}

/// The one line about keys in the user's file that are no settings.
pub(crate) fn unknown_notice(findings: &[Finding]) -> Option<(UnknownKeys, String)> {
    let unknown = |it: &'_ Finding| match &it.problem {
        Problem::Unknown(name) if it.origin == Origin::User => Some(name.clone()),
        _ => None,
    };
    let names: Vec<_> = findings.iter().filter_map(unknown).collect();
    let of_user = findings.iter().find(|it| unknown(it).is_some())?;
    let file = visible::line(&of_user.file.to_string_lossy(), MAX_TEXT);
    let shown = names.iter().take(MAX_NAMED).map(|it| format!("`{}`", visible::line(it, 40)));
    let mut shown: Vec<_> = shown.collect();
    if let Some(more) = names.len().checked_sub(MAX_NAMED).filter(|it| *it > 0) {
        shown.push(format!("{more} more"));
    }
    let sentence = format!(
        "windlass: not a setting in {file}: {}; it does not count; run windlass config",
        shown.join(", ")
    );
    Some((UnknownKeys::of(names.iter().map(String::as_str).collect()), sentence))
}

/// The one line that names everything that a project set in vain.
pub(crate) fn notice(findings: &[Finding]) -> Option<String> {
    // What the user decided is no news at every start.
    let is_news = |it: &&Finding| {
        it.origin == Origin::Project && !matches!(it.problem, Problem::Decided { .. })
    };
    let mut ignored: Vec<_> = findings.iter().filter(is_news).collect();
    if ignored.is_empty() {
        return None;
    }
    let wants_trust = |it: &&Finding| {
        matches!(it.problem, Problem::NeverTrusted { .. } | Problem::Changed { .. })
    };
    ignored.sort_by_key(|it| !wants_trust(it));
    let brief = |finding: &&Finding| {
        let (key, why) = finding.problem.brief();
        let line = || match (&finding.problem, finding.at) {
            (Problem::Syntax(_) | Problem::HalfWritten | Problem::NotText, Some(at)) => {
                format!("line {}", at.line)
            }
            _ => "all".to_owned(),
        };
        let name = key.map_or_else(line, |it| visible::line(it, 40));
        format!("{name} ({why})")
    };
    let mut names: Vec<_> = ignored.iter().take(MAX_NAMED).map(brief).collect();
    if let Some(more) = ignored.len().checked_sub(MAX_NAMED).filter(|it| *it > 0) {
        names.push(format!("{more} more"));
    }
    let next = if ignored.iter().any(wants_trust) { "windlass trust" } else { "windlass config" };
    Some(format!("project settings ignored: {}; run {next}", names.join(", ")))
}
