//! `cargo xtask gates`: what one tool event costs, in counts that a busy machine cannot move.

mod check;
#[cfg(target_os = "linux")]
mod trace;
#[cfg(not(target_os = "linux"))]
#[path = "untraced.rs"]
mod trace;

pub(crate) use check::{Verdict, check, run};
