//! Recorded sessions through the rules of today: what would be said, and how often?
//!
//! Nothing is written and nothing is remembered: a rule sees what this run has read, no store.

mod report;
mod run;
mod sources;

pub(super) use run::run;
