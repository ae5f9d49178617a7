//! Candidates and memories: what is kept of what was learned.

use super::record::MAX_TEXT;
use super::{Content, Draft, MemoryId, Origin, Role, Span, State, Trust};
use crate::Timestamp;

/// Something that was captured and that nobody settled yet, before it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its name.
    pub id: MemoryId,
    /// What it says.
    pub content: Content,
    /// How far it can be trusted.
    pub trust: Trust,
    /// Where it comes from.
    pub origin: Origin,
    /// How likely it is to be knowledge, in per cent.
    pub confidence: u8,
    /// Whether it is strong enough to bother somebody with.
    pub is_strong: bool,
    /// When it was said.
    pub at: Timestamp,
}

impl Candidate {
    /// The candidate that a span of a session makes; nothing where it has no words.
    pub fn of(span: &Span, session: &str, at: Timestamp) -> Option<Self> {
        let text = &span.text[..span.text.floor_char_boundary(MAX_TEXT)];
        let category = Some(span.category);
        let draft = Draft { category, text: text.to_owned(), ..Draft::default() };
        let content = draft.check().ok()?;
        let trust = match span.role {
            Role::User => Trust::User,
            Role::Agent => Trust::Agent,
        };
        Some(Self {
            id: MemoryId::of_claim(session, content.claim_number()),
            content,
            trust,
            origin: Origin {
                session: Some(session.to_owned()),
                at: Some(span.at),
                part: span.part,
                score: Some(span.score),
                why: span.why.iter().map(|&it| it.to_owned()).collect(),
                ..Origin::default()
            },
            confidence: span.confidence,
            is_strong: span.is_strong,
            at,
        })
    }
}

/// A record of what was learned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// Its name.
    pub id: MemoryId,
    /// How it stands.
    pub state: State,
    /// What it says.
    pub content: Content,
    /// How far it can be trusted.
    pub trust: Trust,
    /// Where it comes from.
    pub origin: Origin,
    /// How likely it is to be so, in per cent, where anybody said.
    pub confidence: Option<u8>,
    /// Whether it is strong enough to bother somebody with.
    pub is_strong: bool,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it was last changed.
    pub changed_at: Timestamp,
    /// The one that took its place.
    pub superseded_by: Option<MemoryId>,
    /// Those whose place it took.
    pub supersedes: Vec<MemoryId>,
}
