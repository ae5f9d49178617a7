//! Real repositories, made by real git, and directories that lie.

mod git;
mod hostile;
mod world;

pub(super) use world::World;
