//! Who wrote a prompt: the user at the keyboard, a program for the user, or another party.
//!
//! A hook event carries no mark of the author. The row of the conversation file does, and it is
//! written after the event. So the event gives a first answer, and the row gives the last one.

use crate::hash::hash;

/// Who wrote a prompt, as its row tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptAuthor {
    /// The user typed it: the host says so.
    Typed,
    /// A program gave it, or the host does not mark its rows. It counts as the user's word for
    /// memories and for the caps on asks, and never as a command to windlass.
    Given,
    /// Another agent, a channel, a schedule, a hook or the host wrote it. It is never the user's
    /// word.
    Foreign,
}

impl PromptAuthor {
    /// Whether the text counts as the user's word.
    pub const fn speaks_for_user(self) -> bool {
        matches!(self, Self::Typed | Self::Given)
    }

    /// Whether the text may command windlass.
    pub const fn may_command(self) -> bool {
        matches!(self, Self::Typed)
    }
}

/// A prompt whose row was read: its author, and the trace of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenPrompt {
    /// Who wrote it.
    pub author: PromptAuthor,
    /// [`prompt_trace`] of its text without secrets.
    pub trace: u64,
}

/// Words of a prompt by which its event and its row are matched.
const TRACED_WORDS: usize = 24;

/// A number that stands for the beginning of a prompt. The event and the row of one prompt have the
/// same one, although they may differ in white space and in what was cut from their middle.
pub fn prompt_trace(text: &str) -> u64 {
    let words: Vec<_> = text.split_whitespace().take(TRACED_WORDS).collect();
    hash(words.join(" ").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::{PromptAuthor, prompt_trace};

    #[test]
    fn only_what_was_typed_commands_and_nothing_foreign_speaks_for_the_user() {
        let all = [PromptAuthor::Typed, PromptAuthor::Given, PromptAuthor::Foreign];
        assert_eq!(all.map(PromptAuthor::speaks_for_user), [true, true, false]);
        assert_eq!(all.map(PromptAuthor::may_command), [true, false, false]);
    }

    #[test]
    fn the_trace_is_of_the_beginning_and_not_of_white_space() {
        assert_eq!(prompt_trace(" go  on\nnow "), prompt_trace("go on now"));
        assert_ne!(prompt_trace("go on"), prompt_trace("go on now"));
        let long = "word ".repeat(100);
        assert_eq!(prompt_trace(&long), prompt_trace(&format!("{long} and an end")));
    }
}
