//! What was learned: the words for it, what of a conversation may be worth keeping, and what is
//! kept of it.

mod bearing;
mod capture;
mod category;
mod claim;
mod farewell;
mod id;
mod kept;
mod lifecycle;
mod markdown;
mod merge;
mod origin;
mod over;
mod record;
mod schema;
mod seen;
mod span;
mod tally;
mod trace;
mod urgency;

pub(crate) use bearing::MOST as MOST_BEARING;
pub(crate) use capture::is_enough;
pub use capture::{
    LOOKED_AT, asks_for_unsettled, brings_candidates, candidates, is_echo, is_summed_up, may_echo,
    offers,
};
pub use category::Category;
pub use claim::{claim_of, claims_before_more, holds};
pub use farewell::is_farewell;
pub use id::MemoryId;
pub use kept::{Candidate, Memory};
pub use lifecycle::{Passage, State};
pub use markdown::{Sheet, SheetFault};
pub use merge::{Against, Change, Known, Source, changes, decide_against, similar};
pub use origin::{BY_WORDS, By, Origin, Trust};
pub use record::{Content, Draft, Edits, Fault, MAX_TEXT, MAX_TITLE, cut_title};
pub use schema::{Field, FieldKind, FieldValue};
pub use seen::{Course, summary};
pub use span::{Heard, Role, Span};
pub use tally::{Asks, Fate, Found, SessionEnd, SessionState, Settled, Tally, by_category, share};
pub use trace::Trace;
pub use urgency::Urgency;
