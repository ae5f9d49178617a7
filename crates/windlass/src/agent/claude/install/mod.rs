//! What `init` and `uninstall` share: the settings file, the stable copy of the binary, the record.
//!
//! Invariant: `uninstall` directly after `init` restores every byte of every file. All edits are
//! splices of text; nothing is parsed and written anew.

pub(crate) mod binary;
mod error;
pub(crate) mod file;
mod layout;
pub(crate) mod origin;
pub(crate) mod permits;
pub(crate) mod place;
pub(crate) mod record;
pub(crate) mod scan;
pub(crate) mod servers;
pub(crate) mod settings;
pub(crate) mod skills;

#[cfg(test)]
mod laws;

pub(crate) use error::InstallError;
