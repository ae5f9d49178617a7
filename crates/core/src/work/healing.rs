//! What became of asks to settle what was learned, and how much room the conversation has.

use crate::Digest;
use crate::memory::Memory;

/// Asks in a row after which nothing was settled that are enough.
const ENOUGH: u32 = 3;
/// Things that the user was told of, or the agent has declined, that are remembered.
const MAX_NAMES: usize = 128;

/// What became of asks to settle what was learned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Healing {
    /// What the agent was last asked to settle, by the names.
    pub asked: Vec<String>,
    /// Asks since something of that was settled.
    pub in_vain: u32,
    /// Whether the user was told that the agent is not asked any more.
    pub given_up: bool,
    /// What the user was told of, by the names.
    pub told: Vec<String>,
    /// What the agent has declined to settle, by the names: it gave its reason, and is not asked
    /// for it again.
    pub declined: Vec<String>,
}

impl Healing {
    /// Looks whether something of what was asked for is settled by now.
    pub fn look(&mut self, unsettled: &[Memory]) {
        let is_open = |name: &String| unsettled.iter().any(|it| it.id.as_str() == name);
        if !self.asked.iter().all(is_open) {
            self.asked.clear();
            self.in_vain = 0;
        }
    }

    /// The agent is asked to settle these.
    pub fn ask(&mut self, names: &[String]) {
        self.asked = names.to_vec();
        self.in_vain += 1;
    }

    /// Whether the agent does not do it, however often it is asked.
    pub const fn is_in_vain(&self) -> bool {
        self.in_vain >= ENOUGH || self.given_up
    }

    /// The user is told of these.
    pub fn tell(&mut self, names: &[String]) {
        remember(&mut self.told, names);
    }

    /// The agent has declined to settle these. That is an answer: it was not asked in vain.
    pub fn decline(&mut self, names: &[String]) {
        if !names.is_empty() {
            remember(&mut self.declined, names);
            self.asked.clear();
            self.in_vain = 0;
        }
    }
}

/// Puts in what is new, and lets the oldest go where there is too much.
fn remember(known: &mut Vec<String>, names: &[String]) {
    let new: Vec<_> = names.iter().filter(|it| !known.contains(it)).cloned().collect();
    known.extend(new);
    known.drain(..known.len().saturating_sub(MAX_NAMES));
}

/// Tokens that most models take.
const WINDOW: u64 = 200_000;
/// Tokens that models with a wide window take.
const WIDE: u64 = 1_000_000;
/// Tokens that the host keeps free for an answer, and beside that, before it compacts.
const KEPT_FREE: u64 = 20_000 + 13_000;
/// The share of what fits that counts as the end of it: about what one prompt costs.
const END: u64 = 10;
/// What the host adds to the name of a model to give it a wide window.
const WIDE_MARK: &str = "[1m]";

/// How long a conversation may become before the host compacts it, as far as it was seen.
///
/// No file says so. The host compacts when its window is full but for some room, and the window
/// hangs on the model, the plan and settings. So the narrow one is taken for granted until something
/// speaks for the wide one: a conversation that is longer, or the name of the model. Where the host
/// has compacted by itself, it will do so again at the same length. Who takes the narrow window for
/// granted in vain is asked with more urgency than needed, for a few prompts; the other way round
/// nobody would ever be asked in time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Room {
    /// Whether the window is the wide one.
    pub wide: bool,
    /// The tokens at which the host last compacted the conversation by itself.
    pub full: Option<u64>,
}

impl Room {
    /// Takes in what a model is called.
    pub fn hear(&mut self, model: &str) {
        self.wide |= model.ends_with(WIDE_MARK);
    }

    /// Takes in how long the conversation was.
    pub fn learn(&mut self, digest: &Digest) {
        self.wide |= digest.most_context > WINDOW;
        self.full = digest.full.or(self.full);
        // It was longer and not compacted: another model has taken over.
        let is_more = |full: u64| digest.most_context > full.saturating_add(full / END);
        self.full.take_if(|it| is_more(*it));
    }

    /// Whether the conversation is about to be compacted with so many tokens.
    pub fn is_nearly_full(self, tokens: u64) -> bool {
        let window = if self.wide { WIDE } else { WINDOW };
        let full = self.full.unwrap_or(window - KEPT_FREE);
        tokens >= full - full / END
    }
}

#[cfg(test)]
mod tests {
    use super::Room;
    use crate::Digest;

    fn after(digests: &[(u64, Option<u64>)]) -> Room {
        let mut room = Room::default();
        for &(most_context, full) in digests {
            room.learn(&Digest { most_context, full, ..Digest::default() });
        }
        room
    }

    #[test]
    fn the_narrow_window_is_taken_for_granted_until_something_speaks_for_the_wide_one() {
        let narrow = after(&[(150_000, None)]);
        assert!(!narrow.is_nearly_full(150_000) && narrow.is_nearly_full(151_000));
        let wide = after(&[(150_000, None), (200_001, None), (30_000, None)]);
        assert!(!wide.is_nearly_full(800_000) && wide.is_nearly_full(900_000));
        let mut named = Room::default();
        named.hear("claude-opus-4-8");
        assert_eq!(named, Room::default());
        named.hear("claude-opus-4-8[1m]");
        assert!(named.wide);
    }

    #[test]
    fn where_the_host_has_compacted_it_will_again() {
        let seen = after(&[(367_000, Some(367_000)), (90_000, None)]);
        assert!(!seen.is_nearly_full(320_000) && seen.is_nearly_full(340_000));
        // A longer one was not compacted since then.
        let longer = after(&[(367_000, Some(367_000)), (500_000, None)]);
        assert_eq!(longer, Room { wide: true, full: None });
    }
}
