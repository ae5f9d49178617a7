//! What keeps us from seeing a working tree.

use std::io;
use std::path::{Path, PathBuf};

use super::object::Oid;

#[derive(Debug, thiserror::Error)]
pub(crate) enum TreeError {
    #[error("the time to look at the working tree is over")]
    TooLong,
    #[error("{0} is too large")]
    TooLarge(&'static str),
    #[error("{0} is not supported")]
    Unsupported(&'static str),
    #[error("{0} is damaged")]
    Damaged(&'static str),
    #[error("a link leads there")]
    Link,
    #[error("object {0} is not in the repository")]
    Missing(Oid),
    #[error("read {}", path.display())]
    Read { path: PathBuf, source: io::Error },
}

impl TreeError {
    /// What the user can do about it.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::TooLong | Self::TooLarge(_) => "the working tree is larger than we look at",
            Self::Unsupported(_) | Self::Link => "this repository has to do without",
            Self::Damaged(_) => "let `git fsck` look at the repository",
            Self::Missing(_) => {
                "`git repack -a` brings objects of other repositories into this one"
            }
            Self::Read { .. } => "check who may read it",
        }
    }

    pub(super) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        |source| Self::Read { path, source }
    }
}
