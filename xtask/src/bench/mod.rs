//! `cargo xtask bench`: the static release side by side with a process that only exits.

pub(crate) mod cases;
mod client;
pub(crate) mod measure;
pub(crate) mod payload;
pub(crate) mod report;
pub(crate) mod rounds;
pub(crate) mod transcript;
pub(crate) mod world;

pub(crate) use rounds::{Depth, run};
