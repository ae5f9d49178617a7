//! Working trees as git makes them, and ones that nobody should make. Git tells what is right.

mod broken;
mod commits;
mod history;
mod hostile;
mod ignored;
mod prints;
mod single;
mod touched;
pub(crate) mod world;
