//! `cargo xtask soak`: a long time of mixed traffic through the static release, and what is left
//! of it.

mod plan;
mod run;
mod totals;
mod verdict;
mod window;

pub(crate) use run::{Extent, run};
