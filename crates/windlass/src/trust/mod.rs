//! The user's word for exact bytes.
//!
//! What a project may not do by itself it may do with the user's word, and the word is for bytes:
//! the project's settings, and the scripts that they name. When any of them changes, moves or
//! leads elsewhere, the word is void. It is kept in a file of its own for each place, so that it
//! holds whatever becomes of the rest of our data.

mod content;
mod place;
mod record;

use std::io;
use std::path::PathBuf;

use crate::ownership::Fault;
use crate::plain::PlainError;

pub(crate) use content::{Content, Piece};
pub(crate) use place::place;
pub(crate) use record::{Approval, Kept, approve, is_recorded, revoke, state};

/// What the user's word says about some bytes.
#[derive(Debug)]
pub(crate) enum State {
    /// These are the bytes.
    Trusted,
    /// It was never given for this place.
    Never,
    /// It was given for others.
    Changed(Approval),
}

/// Why trust cannot be looked up or given.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrustError {
    #[error("read {}, which a setting names", path.display())]
    Script { path: PathBuf, source: PlainError },
    #[error("a setting names more than {0} words")]
    Words(usize),
    #[error("a setting names a script that others control")]
    Foreign(#[source] Fault),
    #[error("read the approval {}", path.display())]
    Read { path: PathBuf, source: PlainError },
    #[error("the approval does not count")]
    Forged(#[source] Fault),
    #[error("understand the approval {}", path.display())]
    Broken { path: PathBuf },
    #[error("keep the approval {}", path.display())]
    Write { path: PathBuf, source: io::Error },
}

impl TrustError {
    /// What the user can do about it.
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::Script { source, .. } => source.hint().to_owned(),
            Self::Words(_) => "put the command into a script, and name that".to_owned(),
            Self::Foreign(fault) | Self::Forged(fault) => format!("run `{}`", fault.mend()),
            Self::Read { path, .. } | Self::Broken { path } => {
                format!("remove {}, then run `windlass trust` again", path.display())
            }
            Self::Write { .. } => {
                "make the place writable for you, or set WINDLASS_HOME".to_owned()
            }
        }
    }
}
