//! Candidates and memories: what is kept of what was learned.

use std::borrow::Cow;

use super::record::{MAX_TEXT, cut_title};
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
        let title = Some(title(text));
        let draft = Draft { category, title, text: text.to_owned(), ..Draft::default() };
        let content = draft.check().ok()?;
        let trust = match span.role {
            Role::User if span.is_noted => Trust::Note,
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

/// The longest sentence of what was said: short ones around it mostly lead there.
fn title(text: &str) -> String {
    let sentences = text.split_inclusive(['.', '!', '?', '\n']).fold(Vec::new(), joined);
    let longest = sentences.into_iter().rev().max_by_key(|it| it.len()).unwrap_or_default();
    let bare = longest.trim().trim_start_matches(['#', '-', '*', '>', ' ']);
    cut_title(bare.trim_end_matches(['.', ' ']))
}

/// A mark that no white space follows ends no sentence.
fn joined<'a>(mut sentences: Vec<Cow<'a, str>>, piece: &'a str) -> Vec<Cow<'a, str>> {
    match sentences.last_mut() {
        Some(last) if !piece.starts_with(char::is_whitespace) && !last.ends_with('\n') => {
            last.to_mut().push_str(piece);
        }
        _ => sentences.push(Cow::Borrowed(piece)),
    }
    sentences
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
    /// Whether it holds in every project.
    pub is_global: bool,
}

impl Memory {
    /// What a candidate is once it is kept.
    pub fn of(candidate: Candidate) -> Self {
        let Candidate { id, content, trust, origin, confidence, is_strong, at } = candidate;
        Self {
            id,
            state: State::Candidate,
            content,
            trust,
            origin,
            confidence: Some(confidence),
            is_strong,
            made_at: at,
            changed_at: at,
            superseded_by: None,
            supersedes: Vec::new(),
            is_global: false,
        }
    }

    /// Whether an agent may not change it. A candidate is for whoever settles it; a memory that the
    /// user made is the user's, and so is what holds in every project: the user made it do so.
    pub fn is_users(&self) -> bool {
        self.trust == Trust::User && !self.state.is_unsettled() || self.is_global
    }

    /// Whether it was found in the session that is kept under this name.
    pub fn is_of(&self, session: &str) -> bool {
        self.origin.session.as_deref() == Some(session)
    }

    /// Whether the user stands for it, or it was seen to happen.
    pub fn is_sure(&self) -> bool {
        matches!(self.trust, Trust::User | Trust::Outcome)
    }

    /// Whose words it has. The user may stand for what another said.
    pub fn words(&self) -> Trust {
        self.origin.words.map_or(self.trust, |it| it.min(self.trust))
    }

    /// Who said it first. An agent that put it into other words is not its author.
    pub fn author(&self) -> Trust {
        self.origin.words.filter(|it| *it > self.trust).unwrap_or_else(|| self.words())
    }

    /// Whether an agent put what somebody of more weight said into other words.
    pub fn is_reworded(&self) -> bool {
        self.author() > self.trust
    }

    /// It as far as it can be trusted from now on. To confirm words makes them nobody else's: only
    /// whoever writes them anew has said them.
    #[must_use]
    pub fn trusted(self, trust: Trust, is_reworded: bool) -> Self {
        let author = self.author();
        let words = if is_reworded { trust } else { self.words() };
        let words = match trust {
            Trust::User => Some(words).filter(|it| *it != trust),
            // The words are another's from now on, and the author stays who it was.
            Trust::Import | Trust::Tool | Trust::Note | Trust::Agent | Trust::Outcome => {
                Some(author).filter(|it| *it > trust && (is_reworded || self.is_reworded()))
            }
        };
        Self { trust, origin: Origin { words, ..self.origin }, ..self }
    }

    /// It saying something else, or the same, as somebody of this trust wants it to.
    #[must_use]
    pub fn saying(self, content: Content, trust: Trust) -> Self {
        let is_reworded = content.is_reworded(&self.content);
        Self { content, ..self }.trusted(trust, is_reworded)
    }
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn the_title_is_the_sentence_that_says_most() {
        let title_of = |it: &str| title(it);
        assert_eq!(
            title_of("Now it works. The cause was that `lib.rs` had two keys. Good!"),
            "The cause was that `lib.rs` had two keys"
        );
        assert_eq!(title_of("- one thing only"), "one thing only");
        assert_eq!(title_of("a\nbcd e\nf"), "bcd e");
        assert_eq!(title_of(""), "");
    }
}
