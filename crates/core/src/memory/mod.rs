//! What was learned: the words for it, and what of a conversation may be worth keeping.

mod category;
mod span;

pub use category::Category;
pub use span::{Heard, Role, Span};
