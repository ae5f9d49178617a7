//! `windlass trust --same`: the user says that a clone is the project that its remote is known from.

use std::borrow::Cow;
use std::io;

use windlass_core::Remote;

use super::CommandError;
use super::show::{self, ShowError};
use crate::agent::user::{self, Refusal};
use crate::cli::Trust;
use crate::store::{Joined, StoreError};
use crate::surroundings::Surroundings;
use crate::{Host, ui, visible};

/// Why a clone was not joined.
#[derive(Debug, thiserror::Error)]
pub(super) enum SameError {
    #[error("find the current directory")]
    Directory(#[source] io::Error),
    #[error("find a clone: this is not a repository with a remote")]
    NoRemote,
    #[error("find the owner of {0}: it names a host and a repository, and no owner between them")]
    NoOwner(String),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Show(#[from] ShowError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl CommandError for SameError {
    fn hint(&self) -> Cow<'static, str> {
        match self {
            Self::Directory(_) => "change to a directory that exists".into(),
            Self::NoRemote => "change to the clone, then run it again".into(),
            Self::NoOwner(_) => "leave out `--owner`".into(),
            Self::Refused(refusal) => refusal.hint().into(),
            Self::Show(error) => error.hint(),
            Self::Store(error) => error.hint().into(),
        }
    }
}

/// Joins the clone in the current directory, and later ones of its owner where that is asked.
pub(super) fn run(host: &Host, asked: &Trust) -> Result<(), SameError> {
    user::refuse_agents(host)?;
    let directory = host.current_dir().map_err(SameError::Directory)?;
    let around = Surroundings::new(host);
    let seen = around.seen(&directory.to_string_lossy());
    let remote = seen.and_then(|it| it.remote).ok_or(SameError::NoRemote)?;
    let shown = visible::line(remote.as_str(), 200);
    let owner = match (asked.owner, remote.owner()) {
        (false, _) => None,
        (true, Some(owner)) => Some(owner.to_owned()),
        (true, None) => return Err(SameError::NoOwner(shown)),
    };
    let data_dir = host.data_dir().ok_or(ShowError::Homeless)?;
    let mut store = show::open(host, &data_dir)?.store;
    if asked.revoke {
        let owner = owner.as_deref().or_else(|| Remote::owner(&remote));
        let owner = owner.ok_or_else(|| SameError::NoOwner(shown.clone()))?;
        store.join_owner(owner, false)?;
        let owner = visible::line(owner, 200);
        ui::say(&format!("Later clones from {owner} are projects of their own again."));
        return Ok(());
    }
    if owner.is_none() && !store.can_join_clone(&directory, &around)? {
        ui::say("This is the project that has the remote first: nothing to join.");
        return Ok(());
    }
    user::confirm(host, &format!("make this clone of {shown} one project with the first"))?;
    match store.join_clone(&directory, host.now, &around)? {
        Joined::Same { project } => {
            let project = visible::line(&project, 100);
            ui::say(&format!("This clone is the project `{project}` now, with its memories."));
        }
        Joined::First => ui::say("This is the project that has the remote first: nothing to join."),
        Joined::NoRemote | Joined::Nowhere => return Err(SameError::NoRemote),
    }
    if let Some(owner) = owner {
        store.join_owner(&owner, true)?;
        let owner = visible::line(&owner, 200);
        ui::say(&format!("Later clones from {owner} join by themselves."));
        ui::say("To take that back, run `windlass trust --same --owner --revoke`.");
    }
    Ok(())
}
