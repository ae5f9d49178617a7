//! What a conversation file says, and its digest.

/// One thing that a transcript row tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// The user said something.
    Prompt(String),
    /// The agent said something.
    Said(String),
    /// The agent called a tool.
    Called {
        /// The call's id.
        id: String,
    },
    /// A tool answered.
    Answered {
        /// The call's id.
        id: String,
        /// The model was told that it failed.
        failed: bool,
    },
    /// What the message cost, once for each message.
    Cost {
        /// The message's id; several rows share one.
        message: String,
        /// Its tokens.
        tokens: Tokens,
    },
    /// A hook spoke to the agent.
    HookFeedback,
    /// The host told of a background task.
    TaskNotification,
    /// The conversation was compacted here.
    Compacted,
}

/// Tokens as the model's service counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Sent and not cached.
    pub input: u64,
    /// Written to the cache.
    pub cache_write: u64,
    /// Read from the cache.
    pub cache_read: u64,
    /// Received.
    pub output: u64,
}

impl Tokens {
    /// The sum of two counts.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            cache_write: self.cache_write.saturating_add(other.cache_write),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            output: self.output.saturating_add(other.output),
        }
    }
}

/// The new part of a transcript, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Digest {
    /// Where the new part began.
    pub from: u64,
    /// Where the next read begins.
    pub to: u64,
    /// Marks the bytes before `to`, so that a rewritten file is noticed.
    pub mark: u64,
    /// Rows seen, of whatever type.
    pub rows: u32,
    /// Rows that could not be read.
    pub corrupt: u32,
    /// Prompts of the user.
    pub prompts: u32,
    /// Texts of the agent.
    pub said: u32,
    /// Tool calls.
    pub calls: u32,
    /// Ids of the calls that the model was told had failed.
    pub failed: Vec<String>,
    /// Messages of hooks to the agent.
    pub hook_feedback: u32,
    /// Notifications of background tasks.
    pub task_notifications: u32,
    /// Compactions.
    pub compactions: u32,
    /// Tokens of the messages, each message once.
    pub tokens: Tokens,
    /// The message counted last; its rows may go on in the next part.
    pub last_message: String,
}

impl Digest {
    /// Failed calls that a digest names at most; their number is bounded, not the file.
    pub const MAX_FAILED: usize = 64;

    /// Counts one entry.
    pub fn count(&mut self, entry: Entry) {
        match entry {
            Entry::Prompt(_) => self.prompts += 1,
            Entry::Said(_) => self.said += 1,
            Entry::Called { .. } => self.calls += 1,
            Entry::Answered { id, failed } => {
                if failed && self.failed.len() < Self::MAX_FAILED {
                    self.failed.push(id);
                }
            }
            Entry::Cost { message, tokens } => {
                if message != self.last_message {
                    self.tokens = self.tokens.plus(tokens);
                    self.last_message = message;
                }
            }
            Entry::HookFeedback => self.hook_feedback += 1,
            Entry::TaskNotification => self.task_notifications += 1,
            Entry::Compacted => self.compactions += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Digest, Entry, Tokens};

    #[test]
    fn counts_the_tokens_of_a_message_once() {
        let tokens = Tokens { input: 5, output: 7, ..Tokens::default() };
        let mut digest = Digest::default();
        for message in ["a", "a", "b"] {
            digest.count(Entry::Cost { message: message.to_owned(), tokens });
        }
        assert_eq!((digest.tokens.input, digest.tokens.output), (10, 14));
    }

    #[test]
    fn names_the_failed_calls_only() {
        let mut digest = Digest::default();
        digest.count(Entry::Answered { id: "ok".to_owned(), failed: false });
        digest.count(Entry::Answered { id: "bad".to_owned(), failed: true });
        assert_eq!(digest.failed, ["bad"]);
    }
}
