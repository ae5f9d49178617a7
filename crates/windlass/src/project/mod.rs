//! What the file system says about the project that a directory belongs to.
//!
//! Git is read by hand and never run: on the hook path there is no child process, and a repository
//! can make git run programs of its choice. A project must not steer us either: of all that a
//! repository says only the address of a remote is taken. Its `include`, `insteadOf`,
//! `core.worktree` and `config.worktree`, the user's own git settings and git's variables in the
//! environment are not followed, because each of them would let one directory speak for another,
//! or make the same directory another project from another terminal.
//!
//! What cannot be read is evidence that is missing, never a failure.

pub(crate) mod config;
mod file;
mod git_dir;
mod look;
pub(crate) mod pointer;

#[cfg(test)]
mod tests;

pub(crate) use git_dir::{GitClaim, GitDirs, is_git_root};
pub(crate) use look::{look, still_there};
