//! What a conversation file says, and its digest.

use crate::{PromptAuthor, SeenPrompt};

/// One thing that a transcript row tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A prompt, by its author.
    Prompt(PromptAuthor),
    /// The agent said something.
    Said,
    /// The agent called a tool.
    Called,
    /// A tool answered.
    Answered {
        /// The call's id.
        id: String,
        /// How the host marks the answer.
        mark: AnswerMark,
    },
    /// A tool wrote a file anew that was there before.
    Rewrote(Rewritten),
    /// What the message cost, once for each message.
    Cost {
        /// Stands for the message's id; several rows share one.
        message: u64,
        /// Its tokens.
        tokens: Tokens,
    },
    /// A hook spoke to the agent.
    HookFeedback,
    /// The host told of a background task.
    TaskNotification,
    /// A message of the user waits for the agent to stop.
    Queued,
    /// A message waits no more.
    Unqueued,
    /// The conversation was compacted here.
    Compacted {
        /// The tokens that it had, where the host did it by itself.
        full: Option<u64>,
    },
}

/// What a file got that a tool wrote anew. The call has only the new text, and without a repository
/// the host alone knows the old one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    /// The file, as calls name it.
    pub file: String,
    /// Lines that it did not have before and that may hold something left behind.
    pub added: Vec<String>,
}

/// How the host marks the answer to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerMark {
    /// Not as an error, or as a call that was stopped on its way.
    Fine,
    /// As an error, with the exit code of a command: the command ran and failed.
    Failed,
    /// As an error in other words. The tool of a server fails so. A command that ran tells its exit
    /// code, so a command with such an answer never ran.
    Errored,
    /// As a refusal: the call never ran.
    Refused,
}

impl AnswerMark {
    /// Whether the model was told that a call failed which ran.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::Errored)
    }

    /// Whether a command with this answer never ran.
    pub fn is_no_run(self) -> bool {
        matches!(self, Self::Errored | Self::Refused)
    }
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
    /// Those that count against a budget: what is read from the cache is the same text again.
    pub fn spent(self) -> u64 {
        self.input.saturating_add(self.cache_write).saturating_add(self.output)
    }

    /// All that the model had before it, and what it said: what the next message begins with.
    pub fn context(self) -> u64 {
        self.spent().saturating_add(self.cache_read)
    }

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

/// Where the last read of a transcript ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cursor {
    /// How many bytes were read.
    pub to: u64,
    /// Stands for the bytes before that place: whether it is still the same file.
    pub mark: u64,
    /// Stands for the message whose cost was counted last; its next row must not count again.
    pub last_message: u64,
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
    /// The last prompts, whoever wrote them, in their order.
    pub seen_prompts: Vec<SeenPrompt>,
    /// Texts of the agent.
    pub said: u32,
    /// Tool calls.
    pub calls: u32,
    /// Ids of the calls that the model was told had failed, the first of them.
    pub failed: Vec<String>,
    /// How many more there were.
    pub more_failed: u32,
    /// Ids of the calls that never ran if they are commands, the last of them.
    pub never_ran: Vec<String>,
    /// Ids of the calls that were answered, the last of them.
    pub answered: Vec<String>,
    /// Files that were written anew with something that may be left behind, the last of them.
    pub rewritten: Vec<Rewritten>,
    /// Messages of hooks to the agent.
    pub hook_feedback: u32,
    /// Notifications of background tasks.
    pub task_notifications: u32,
    /// Messages of the user that wait for the agent to stop.
    pub queued: u32,
    /// Compactions.
    pub compactions: u32,
    /// Tokens of the messages, each message once.
    pub tokens: Tokens,
    /// The message counted last; its rows may go on in the next part.
    pub last_message: u64,
    /// Tokens of the conversation after its last message; none where it was compacted since then.
    pub context: u64,
    /// The most that it had.
    pub most_context: u64,
    /// The tokens that it had when the host last compacted it by itself.
    pub full: Option<u64>,
    /// The version of the host that wrote the last row in which one stands.
    pub host: Option<[u32; 3]>,
}

impl Digest {
    /// Failed calls that a digest names at most; their number is bounded, not the file.
    pub const MAX_FAILED: usize = 64;

    /// Calls that never ran, and calls that were answered, which a digest names at most.
    pub const MAX_CALLS: usize = 256;

    /// Files that were written anew, which a digest names at most.
    pub const MAX_REWRITTEN: usize = 64;

    /// Prompts that a digest names at most, the last ones.
    pub const MAX_SEEN_PROMPTS: usize = 64;

    /// Names a prompt, so that the event of the same prompt can be settled.
    pub fn see_prompt(&mut self, seen: SeenPrompt) {
        if self.seen_prompts.len() == Self::MAX_SEEN_PROMPTS {
            self.seen_prompts.remove(0);
        }
        self.seen_prompts.push(seen);
    }

    /// Counts one entry.
    pub fn count(&mut self, entry: Entry) {
        match entry {
            Entry::Prompt(author) => self.prompts += u32::from(author.speaks_for_user()),
            Entry::Said => self.said += 1,
            Entry::Called => self.calls += 1,
            Entry::Answered { id, mark } => self.count_answer(id, mark),
            Entry::Rewrote(file) => {
                if self.rewritten.len() == Self::MAX_REWRITTEN {
                    self.rewritten.remove(0);
                }
                self.rewritten.push(file);
            }
            Entry::Cost { message, tokens } => {
                self.context = tokens.context();
                self.most_context = self.most_context.max(self.context);
                if message != self.last_message {
                    self.tokens = self.tokens.plus(tokens);
                    self.last_message = message;
                }
            }
            Entry::HookFeedback => self.hook_feedback += 1,
            Entry::TaskNotification => self.task_notifications += 1,
            Entry::Queued => self.queued += 1,
            Entry::Unqueued => self.queued = self.queued.saturating_sub(1),
            Entry::Compacted { full } => {
                self.compactions += 1;
                self.context = 0;
                self.full = full.or(self.full);
            }
        }
    }

    fn count_answer(&mut self, id: String, mark: AnswerMark) {
        if mark.is_failure() {
            if self.failed.len() < Self::MAX_FAILED {
                self.failed.push(id.clone());
            } else {
                self.more_failed += 1;
            }
        }
        if mark.is_no_run() {
            push_last(&mut self.never_ran, id.clone());
        }
        push_last(&mut self.answered, id);
    }
}

/// Adds the id of a call to a list that holds the last of them.
fn push_last(calls: &mut Vec<String>, id: String) {
    if calls.len() == Digest::MAX_CALLS {
        calls.remove(0);
    }
    calls.push(id);
}

#[cfg(test)]
mod tests {
    use super::{AnswerMark, Digest, Entry, Tokens};

    #[test]
    fn counts_the_tokens_of_a_message_once() {
        let tokens = Tokens { input: 5, output: 7, ..Tokens::default() };
        let mut digest = Digest::default();
        for message in [1, 1, 2] {
            digest.count(Entry::Cost { message, tokens });
        }
        assert_eq!((digest.tokens.input, digest.tokens.output), (10, 14));
    }

    #[test]
    fn knows_how_long_the_conversation_is_by_its_last_message() {
        let mut digest = Digest::default();
        let cost = |message, cache_read| Entry::Cost {
            message,
            tokens: Tokens { input: 1, cache_write: 20, cache_read, output: 300 },
        };
        digest.count(cost(1, 4000));
        assert_eq!((digest.context, digest.most_context), (4321, 4321));
        digest.count(Entry::Compacted { full: Some(5000) });
        assert_eq!((digest.context, digest.full), (0, Some(5000)));
        digest.count(cost(2, 1000));
        digest.count(Entry::Compacted { full: None });
        digest.count(cost(3, 2000));
        assert_eq!((digest.context, digest.most_context, digest.full), (2321, 4321, Some(5000)));
    }

    #[test]
    fn names_the_failed_calls_only() {
        let mut digest = Digest::default();
        let marks = [
            ("fine", AnswerMark::Fine),
            ("failed", AnswerMark::Failed),
            ("errored", AnswerMark::Errored),
            ("refused", AnswerMark::Refused),
        ];
        for (id, mark) in marks {
            digest.count(Entry::Answered { id: id.to_owned(), mark });
        }
        assert_eq!(digest.failed, ["failed", "errored"]);
        assert_eq!(digest.never_ran, ["errored", "refused"]);
        assert_eq!(digest.answered.len(), 4);
    }

    #[test]
    fn counts_the_failed_calls_that_it_does_not_name() {
        let mut digest = Digest::default();
        for call in 0..100 {
            digest.count(Entry::Answered { id: call.to_string(), mark: AnswerMark::Failed });
        }
        assert_eq!((digest.failed.len(), digest.more_failed), (Digest::MAX_FAILED, 36));
    }
}
