//! Prompts whose author is not settled yet.
//!
//! A prompt that may be the user's sets the caps on asks back at once: the agent must not be stopped
//! by the caps of the prompt before. What it set back is kept until the row of the prompt was read.
//! A row that shows a foreign author gives everything back, and the counts go on.

use std::mem;

use super::{Asked, MAX_SUSPECTS, PromptMark, Suspect, Work};
use crate::{PromptAuthor, SeenPrompt};

/// Prompts that wait for their rows at most; the oldest one counts as the user's then.
const MAX_PROVISIONAL: usize = 4;

/// Traces of foreign prompts that are remembered, the latest ones.
const MAX_FOREIGN: usize = 32;

/// A prompt that may be the user's, until its row was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvisionalPrompt {
    /// [`crate::prompt_trace`] of its text.
    pub trace: u64,
    /// Whether it asks to settle what was learned. Only a typed prompt may do so.
    pub asks_heal: bool,
    /// What it set back.
    pub before: BeforePrompt,
}

/// The part of the work that a prompt of the user sets back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BeforePrompt {
    /// The prompt that was being answered.
    pub prompt: Option<PromptMark>,
    /// What was asked of each agent.
    pub asked: Vec<Asked>,
    /// Lines that may hold something left behind.
    pub suspects: Vec<Suspect>,
    /// Whether the user wanted what was learned to be settled.
    pub heal: bool,
}

impl BeforePrompt {
    /// Adds what came before a foreign prompt, as if that prompt had not been.
    fn resume(&mut self, earlier: Self) {
        let Self { prompt, asked, mut suspects, heal } = earlier;
        self.prompt = prompt;
        self.heal = heal;
        for before in asked {
            match self.asked.iter_mut().find(|it| it.agent == before.agent) {
                Some(now) => now.resume(before),
                None => self.asked.push(before),
            }
        }
        suspects.append(&mut self.suspects);
        let surplus = suspects.len().saturating_sub(MAX_SUSPECTS);
        suspects.drain(..surplus);
        self.suspects = suspects;
    }
}

impl Asked {
    /// Adds the counts of the prompt that goes on.
    fn resume(&mut self, before: Self) {
        self.in_prompt = self.in_prompt.saturating_add(before.in_prompt);
        self.last = self.last.or(before.last);
        let missing = |now: &[u64], before: Vec<u64>| {
            let new: Vec<_> = before.into_iter().filter(|it| !now.contains(it)).collect();
            new
        };
        self.sought.splice(0..0, missing(&self.sought, before.sought));
        self.declined.splice(0..0, missing(&self.declined, before.declined));
    }
}

impl Work {
    /// Keeps what a prompt is about to set back.
    pub(super) fn expect_row(&mut self, trace: u64, asks_heal: bool) {
        let before = BeforePrompt {
            prompt: self.prompt.clone(),
            asked: self.asked.clone(),
            suspects: self.suspects.clone(),
            heal: self.heal,
        };
        if self.provisional.len() == MAX_PROVISIONAL {
            self.provisional.remove(0);
        }
        self.provisional.push(ProvisionalPrompt { trace, asks_heal, before });
    }

    /// Takes in which prompts the conversation file shows, in its order, and who wrote them.
    pub fn settle_prompts(&mut self, seen: &[SeenPrompt]) {
        for SeenPrompt { author, trace } in seen {
            if *author == PromptAuthor::Foreign && !self.foreign.contains(trace) {
                let surplus = (self.foreign.len() + 1).saturating_sub(MAX_FOREIGN);
                self.foreign.drain(..surplus);
                self.foreign.push(*trace);
            }
            let Some(at) = self.provisional.iter().position(|it| it.trace == *trace) else {
                continue;
            };
            // The rows of the prompts before it would have been read by now.
            let settled = self.provisional.drain(..=at).next_back();
            let Some(ProvisionalPrompt { asks_heal, before, .. }) = settled else { continue };
            if *author == PromptAuthor::Foreign {
                self.give_back(before);
                continue;
            }
            let heal = asks_heal && author.may_command();
            match self.provisional.first_mut() {
                Some(next) => next.before.heal = heal,
                None => self.heal = heal,
            }
        }
    }

    /// Whether a prompt with this trace was found to be foreign.
    pub fn is_foreign(&self, trace: u64) -> bool {
        self.foreign.contains(&trace)
    }

    /// Undoes what a foreign prompt has set back. Where another prompt came after it, that one has
    /// set back the rest.
    fn give_back(&mut self, before: BeforePrompt) {
        if let Some(next) = self.provisional.first_mut() {
            next.before.resume(before);
            return;
        }
        let mut now = BeforePrompt {
            prompt: self.prompt.take(),
            asked: mem::take(&mut self.asked),
            suspects: mem::take(&mut self.suspects),
            heal: self.heal,
        };
        now.resume(before);
        let BeforePrompt { prompt, asked, suspects, heal } = now;
        (self.prompt, self.asked, self.suspects, self.heal) = (prompt, asked, suspects, heal);
    }
}
