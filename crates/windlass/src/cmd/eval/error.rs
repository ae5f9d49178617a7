//! Why labelled sessions cannot be judged.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use crate::cmd::CommandError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum EvalError {
    #[error("read {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("understand line {line} of {}", path.display())]
    Line { path: PathBuf, line: usize, source: serde_json::Error },
    #[error("line {line} of {}: {what} is none", path.display())]
    Word { path: PathBuf, line: usize, what: String },
    #[error("the session `{session}` has no line in `manifest.jsonl`")]
    Unlisted { session: String },
    #[error("the name of the session `{session}` is no name of a file")]
    Name { session: String },
    #[error("the session `{session}` has no unit {index} that reads `{text}`")]
    OtherUnit { session: String, index: usize, text: String },
    #[error("line {line} of {}: no document answers the question", path.display())]
    Unanswered { path: PathBuf, line: usize },
    #[error("{} and the documents beside it hold nothing", path.display())]
    NoQuestions { path: PathBuf },
    /// What is wrong with a set of questions.
    #[error(transparent)]
    Set(Box<Self>),
    #[error("make an index to measure")]
    Index(#[source] io::Error),
    #[error("nothing of what {who} says can be held out")]
    TooFew { who: &'static str },
}

/// What a set of questions is.
const SET: &str = "a set is a directory with `docs.jsonl` (id, text, group) and `queries.jsonl` \
    (text, relevant, category, group); docs/guide/recall.md tells more";

impl CommandError for EvalError {
    fn hint(&self) -> Cow<'static, str> {
        let hint = match self {
            Self::Unanswered { .. } | Self::NoQuestions { .. } => SET,
            Self::Set(error) => match **error {
                Self::Read { .. } => SET,
                Self::Line { .. } => {
                    "each line is one JSON object; docs/guide/recall.md has its keys"
                }
                _ => return error.hint(),
            },
            Self::Index(_) => "check whether the temporary directory has room",
            Self::Read { .. } => {
                "a data set is a directory with `manifest.jsonl`, `labels_sentences.jsonl`, \
                 `labels_sessions.jsonl` and `sessions/`"
            }
            Self::Line { .. } => {
                "each line is one JSON object; docs/guide/measuring-the-detector.md has its keys"
            }
            Self::Word { .. } => {
                "docs/guide/measuring-the-detector.md has the words that a label may be"
            }
            Self::Unlisted { .. } => "give it a line with `session` and `group`",
            Self::Name { .. } => {
                "a session is named as its file below `sessions/`, without `.jsonl`"
            }
            Self::OtherUnit { .. } => {
                "label the units that `windlass eval units SESSION.jsonl` prints, by their numbers"
            }
            Self::TooFew { .. } => {
                "label units of the set `exhaustive` in three groups or more: each is judged by \
                 the others"
            }
        };
        hint.into()
    }
}
