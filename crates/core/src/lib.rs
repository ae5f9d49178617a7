//! The decisions of windlass: values in, values out.
//!
//! This crate performs no IO, reads no clock and knows no agent's wire format. The same event and
//! the same snapshot give the same decision, which is what makes a decision explainable and
//! replayable. Its types are not serializable on purpose: wire, rows and journal have their own.

#![warn(missing_docs, clippy::wildcard_enum_match_arm)]

pub mod arbiter;
mod author;
pub mod brief;
pub mod check;
mod claim;
mod decide;
mod decision;
mod effect;
mod event;
pub mod evidence;
mod excerpt;
mod foreign;
pub mod gate;
mod hash;
mod id;
pub mod leftovers;
mod look;
pub mod loops;
pub mod memory;
mod path;
mod plan;
pub mod policy;
mod project;
pub mod recall;
mod remote;
mod snapshot;
#[cfg(test)]
mod testing;
mod tool;
mod transcript;
pub mod triage;
pub mod work;

pub use author::{PromptAuthor, SeenPrompt, prompt_trace};
pub use claim::{Claim, ClaimScope, Claimed, claims};
pub use decide::decide;
pub use decision::{Decision, Release, Spoken, Verdict};
pub use effect::Effect;
pub use event::{Ended, Event, Kind, PromptOrigin, StartSource, Stop, Subagent};
pub use excerpt::{Excerpt, gap_mark};
pub use foreign::{inert, is_hidden, word_end};
pub use id::{DAY, SessionId, Timestamp};
pub use look::{Checking, Runs, Wanted, wanted};
pub use path::{PathText, bare_file, is_scratch, is_source};
pub use plan::{Plan, listens, plan};
pub use policy::Policy;
pub use project::{Clones, Identity, KnownPlace, Mark, PlaceKind, ProjectId, Seen, identify};
pub use remote::Remote;
pub use snapshot::{CloneOf, Snapshot};
pub use tool::{Outcome, TaskChange, Tool, ToolCall};
pub use transcript::{AnswerMark, Cursor, Digest, Entry, Rewritten, Tokens};
pub use work::Work;
