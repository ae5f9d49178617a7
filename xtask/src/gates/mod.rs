//! `cargo xtask gates`: what one tool event costs, in counts that a busy machine cannot move, and
//! what the hook path asks of the system.

#[cfg(target_os = "linux")]
mod calls;
mod check;
#[cfg(target_os = "linux")]
mod trace;
#[cfg(not(target_os = "linux"))]
#[path = "untraced.rs"]
mod trace;

#[cfg(target_os = "linux")]
use calls::forbidden;
#[cfg(not(target_os = "linux"))]
use trace::forbidden;

pub(crate) use check::{Verdict, check, run};
