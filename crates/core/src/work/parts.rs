//! What a work is made of.

use crate::Timestamp;
use crate::evidence::RunKind;
use crate::gate::states::StateLoop;

/// Where changes are that are not in the files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PutAside {
    /// They are stashed.
    pub is_stashed: bool,
    /// They are on another branch than the one that is checked out.
    pub is_on_branch: bool,
}

impl PutAside {
    pub(crate) fn is_any(self) -> bool {
        self.is_stashed || self.is_on_branch
    }
}

/// What a prompt wants of the agent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PromptWish {
    /// Work.
    #[default]
    Work,
    /// Work or an answer: its words do not tell.
    Unclear,
    /// An answer.
    Answer,
}

/// A prompt of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptMark {
    /// Its id, where the host gives one.
    pub id: String,
    /// [`crate::prompt_trace`] of its text.
    pub trace: u64,
    /// When it was sent.
    pub at: Timestamp,
    /// The calls before it.
    pub step: u64,
    /// Whether it asks for a test that fails.
    pub wants_failure: bool,
    /// Output of passing runs that it, or the last prompt that has some, holds.
    pub stated: Option<Stated>,
    /// What it wants of the agent.
    pub wish: PromptWish,
    /// Whether it only tells the agent to go on.
    pub goes_on: bool,
}

/// Output of a passing run that the user pasted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// The calls before the prompt.
    pub step: u64,
    /// What the output shows.
    pub kinds: Vec<RunKind>,
    /// Whether it says itself that most tests were left out.
    pub is_partial: bool,
}

/// Commands that may have written files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrote {
    /// The first of them since the user spoke.
    pub first: u64,
    /// The last of them.
    pub last: u64,
    /// The agent, where all of them are of one; empty for the main one.
    pub agent: String,
}

/// A file that differs from what was committed when the user spoke.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// Its whole path.
    pub file: String,
    /// When the system last saw it change; `None` where the system does not tell.
    pub at: Option<Timestamp>,
    /// Whether it was committed since then, or lies where nothing is committed.
    pub committed: bool,
    /// Whether it is gone: its time is the last at which it can have gone then.
    pub is_gone: bool,
}

/// The last edit of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The file, as the call named it.
    pub file: String,
    /// The call. Of a file that one of several commands has changed, the first of them: in doubt it
    /// was that one.
    pub step: u64,
    /// The call, or the last of those commands: proof that comes after it is proof without doubt.
    pub latest: u64,
    /// The first call that changed it since the user spoke.
    pub first: u64,
    /// When it was known.
    pub at: Timestamp,
    /// The agent; empty for the main one.
    pub agent: String,
    /// The tasks of a task file that were changed or added in the session; `None` where any of them
    /// may be, or where it is another file.
    pub changed_tasks: Option<Vec<String>>,
    /// Whether a command line changed it.
    pub is_by_command: bool,
}

/// A line that was added and may hold something left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspect {
    /// The file, as the call named it.
    pub file: String,
    /// The line, without the white space around it; [`Suspect::ANY_LINE`] or [`Suspect::WRITTEN`]
    /// where the call does not tell which lines it added.
    pub text: String,
    /// The call.
    pub step: u64,
    /// The agent; empty for the main one.
    pub agent: String,
}

impl Suspect {
    /// Stands for every line that the version before the work does not have.
    pub const ANY_LINE: &str = "";
    /// As [`Suspect::ANY_LINE`], of a file that was made or written where it lies: all lines of it
    /// are new if it is younger than the work. No line is a line break.
    pub const WRITTEN: &str = "\n";

    /// Characters of a part of a line by which the line is known.
    const MIN_PART: usize = 12;

    /// Stands for a line that holds a text.
    pub fn part(text: &str) -> String {
        format!("\n{text}")
    }

    /// Whether it is this line, without the white space around it, or a large part of it.
    pub fn is_line(&self, line: &str) -> bool {
        match self.text.strip_prefix('\n') {
            Some(part) => part == line || part.len() >= Self::MIN_PART && line.contains(part),
            None => self.text == line,
        }
    }

    /// Whether a program or a patch that holds this line may have put another line, without the
    /// white space around it, into another file.
    pub fn brings(&self, line: &str) -> bool {
        let is_patch = [".diff", ".patch"].iter().any(|it| self.file.ends_with(it));
        if is_patch {
            return self.text.strip_prefix('+').is_some_and(|it| it.trim() == line);
        }
        line.len() >= Self::MIN_PART && self.text.contains(line)
    }

    /// Whether it stands for lines that the call does not tell.
    pub fn is_any(&self) -> bool {
        matches!(self.text.as_str(), Self::ANY_LINE | Self::WRITTEN)
    }
}

/// An entry of the task list that is not completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its id.
    pub id: String,
    /// Its title.
    pub subject: String,
}

/// What was asked of one agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// The agent; empty for the main one.
    pub agent: String,
    /// Asks since the last prompt of the user.
    pub in_prompt: u32,
    /// Asks in the session.
    pub in_session: u32,
    /// The call before the last ask of this prompt.
    pub last: Option<u64>,
    /// What was asked for since the last prompt, as marks, with the gates that ask once for each.
    pub sought: Vec<u64>,
    /// What of it the agent has declined.
    pub declined: Vec<u64>,
    /// The claim of the message that was sent back last since the prompt, in its words.
    pub claim: Option<String>,
    /// What the state files of another tool said at the last ask, as a number; 0 is nothing.
    pub states: u64,
    /// Asks for the loop in them.
    pub state_loop: Option<StateLoop>,
    /// What the user was told and what still holds, as marks, so that it is not told twice.
    pub noticed: Vec<u64>,
}

/// A run that failed, and passed after files were edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mended {
    /// The command, as people would type it.
    pub command: String,
    /// The words with which it failed.
    pub detail: Option<String>,
    /// The files that were edited between the two.
    pub files: Vec<String>,
    /// The call that passed.
    pub step: u64,
    /// Its id, where its status is that of the run: should the transcript flag it, nothing was
    /// mended.
    pub call: Option<String>,
}
