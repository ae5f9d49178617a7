//! What was said in the new part of a conversation file, for those who listen.

use std::collections::VecDeque;

use windlass_core::memory::{Heard, Role};
use windlass_core::{Entry, Excerpt};

use crate::agent::claude::call;
use crate::agent::claude::field::Field;

/// Bytes of a text that are listened to; what is longer was pasted.
const MAX_TEXT: usize = 1 << 16;

/// Bytes of all texts that are held.
const MAX_TEXTS: usize = 1 << 20;

/// Calls that are held; only those right before a text matter.
const MAX_CALLS: usize = 4096;

/// Keeps the last of what was said.
#[derive(Debug)]
pub(crate) struct Listener {
    heard: VecDeque<Heard>,
    /// Texts that are held at most, and their bytes so far.
    most: usize,
    texts: usize,
    bytes: usize,
    calls: usize,
}

impl Listener {
    /// Listens to so many texts, the last ones.
    pub(crate) fn new(most: u32) -> Self {
        let most = most as usize;
        Self { heard: VecDeque::new(), most, texts: 0, bytes: 0, calls: 0 }
    }

    /// Hears one entry of a row that stands at a place, with its words.
    pub(super) fn hear(&mut self, entry: &Entry, words: Field<'_>, at: u64) {
        let role = match entry {
            Entry::Prompt(author) if author.speaks_for_user() => Role::User,
            Entry::Said => Role::Agent,
            Entry::Answered { mark, .. } => {
                self.calls += 1;
                self.heard.push_back(Heard::Called { failed: mark.is_failure() });
                return self.shrink();
            }
            Entry::Called => {
                if words.text().is_some_and(|it| call::edits(&it))
                    && self.heard.back() != Some(&Heard::Edited)
                {
                    self.calls += 1;
                    self.heard.push_back(Heard::Edited);
                    self.shrink();
                }
                return;
            }
            Entry::Prompt(_)
            | Entry::Rewrote(_)
            | Entry::Cost { .. }
            | Entry::HookFeedback
            | Entry::TaskNotification
            | Entry::Queued
            | Entry::Unqueued
            | Entry::Compacted { .. } => return,
        };
        let text = words.text().unwrap_or_default();
        self.say(role, &text, at);
    }

    /// Hears a text.
    pub(crate) fn say(&mut self, role: Role, text: &str, at: u64) {
        let text = match role {
            Role::User => without_reminders(&text[..text.floor_char_boundary(MAX_TEXT)]),
            Role::Agent => text[..text.floor_char_boundary(MAX_TEXT)].to_owned(),
        };
        self.texts += 1;
        self.bytes += text.len();
        self.heard.push_back(Heard::Said { role, text, at });
        self.shrink();
    }

    /// Whether nothing was said yet.
    pub(super) fn is_empty(&self) -> bool {
        self.texts == 0
    }

    /// Whether something may be let go with the next entry.
    pub(super) fn is_full(&self) -> bool {
        self.texts >= self.most || self.bytes + MAX_TEXT > MAX_TEXTS || self.calls >= MAX_CALLS
    }

    fn shrink(&mut self) {
        while self.texts > self.most || self.bytes > MAX_TEXTS || self.calls > MAX_CALLS {
            match self.heard.pop_front() {
                Some(Heard::Said { text, .. }) => {
                    self.texts -= 1;
                    self.bytes -= text.len();
                }
                Some(Heard::Called { .. } | Heard::Edited) => self.calls -= 1,
                None => return,
            }
        }
    }

    /// Whether the last words of the agent are a message, in one text or in several.
    pub(crate) fn ends_with(&self, message: &Excerpt) -> bool {
        let mut texts = self.heard.iter().rev().map_while(|it| match it {
            Heard::Said { role: Role::Agent, text, .. } => Some(text.trim()),
            Heard::Said { .. } | Heard::Called { .. } | Heard::Edited => None,
        });
        if let Some(tail) = &message.tail {
            let is_whole = |it: &str| {
                it.starts_with(message.head.trim_start()) && it.ends_with(tail.trim_end())
            };
            return texts.next().is_some_and(is_whole);
        }
        let mut rest = message.head.trim();
        while !rest.is_empty() {
            let Some(text) = texts.next().filter(|it| !it.is_empty()) else { return false };
            let Some(before) = rest.strip_suffix(text) else { return false };
            rest = before.trim_end();
        }
        true
    }

    /// The texts of the agent before the first word of the user: they end what was said before this
    /// part of the file.
    pub(crate) fn late(&self) -> impl Iterator<Item = &str> {
        let before = self.heard.iter().map_while(|it| match it {
            Heard::Said { role: Role::User, .. } => None,
            Heard::Said { text, .. } => Some(Some(text.as_str())),
            Heard::Called { .. } | Heard::Edited => Some(None),
        });
        before.flatten()
    }

    /// Forgets one of the texts of the agent before the first word of the user.
    pub(crate) fn forget_late(&mut self, is_known: impl Fn(&str) -> bool) {
        let is_user = |it: &Heard| matches!(it, Heard::Said { role: Role::User, .. });
        let mut before = self.heard.iter().enumerate().take_while(|it| !is_user(it.1));
        let known = before.find(|it| matches!(it.1, Heard::Said { text, .. } if is_known(text)));
        let place = known.map(|it| it.0);
        if let Some(Heard::Said { text, .. }) = place.and_then(|it| self.heard.remove(it)) {
            self.texts -= 1;
            self.bytes -= text.len();
        }
    }

    /// What was heard, in its order.
    pub(crate) fn heard(self) -> Vec<Heard> {
        self.heard.into()
    }
}

/// What the host puts into the user's words is not the user's.
fn without_reminders(text: &str) -> String {
    const OPEN: &str = "<system-reminder>";
    const CLOSE: &str = "</system-reminder>";
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(OPEN) {
        said.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = rest.find(CLOSE).map_or("", |end| &rest[end + CLOSE.len()..]);
    }
    said.push_str(rest);
    said
}

#[cfg(test)]
mod tests {
    use super::{Listener, without_reminders};
    use windlass_core::memory::{Heard, Role};

    #[test]
    fn the_last_texts_are_held_and_what_came_before_them_is_not() {
        let mut listener = Listener::new(2);
        for number in 0..5 {
            listener.say(Role::Agent, &format!("text {number}"), number);
        }
        let at: Vec<_> = listener
            .heard()
            .into_iter()
            .map(|it| match it {
                Heard::Said { at, .. } => at,
                Heard::Called { .. } | Heard::Edited => panic!("nothing was called"),
            })
            .collect();
        assert_eq!(at, [3, 4]);
    }

    #[test]
    fn texts_are_bounded_by_their_bytes() {
        let mut listener = Listener::new(1000);
        let long = "word ".repeat(100_000);
        (0..100).for_each(|at| listener.say(Role::User, &long, at));
        let heard = listener.heard();
        assert_eq!(heard.len(), 16);
    }

    #[test]
    fn a_reminder_of_the_host_is_not_the_users_word() {
        let text = "a<system-reminder>b</system-reminder>c<system-reminder>d";
        assert_eq!(without_reminders(text), "ac");
        assert_eq!(without_reminders("plain"), "plain");
    }
}
