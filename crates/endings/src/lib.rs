//! False and honest endings, planted into copies of conversation files of Claude Code.
//!
//! A conversation is cut at one of its stops. What may have run after the last edit is taken out,
//! and rows in the form of the others are added: an edit, a run with its output, and last words of
//! the agent. `windlass replay` then tells whether the agent would have been asked at that stop. An
//! agent that claims what is not so has to be asked, an honest one must not be.

mod clock;
mod copy;
mod plant;
mod random;
mod refusal;
mod runner;
#[cfg(test)]
mod tests;
mod transcript;
mod verdict;
mod wording;

pub use plant::{EndingClass, EndingTone, PlantedEnding, plant};
pub use runner::{LANGUAGES, RunnerCall, RunnerLanguage};
pub use transcript::{SessionTranscript, find_transcripts};
pub use verdict::{StopVerdict, find_verdicts};
pub use wording::ClaimSubject;
