//! Prompts whose author is not settled yet.
//!
//! A prompt that may be the user's sets the caps on asks back at once: the agent must not be stopped
//! by the caps of the prompt before. What it set back is kept until the row of the prompt was read.
//! A row that shows a foreign author gives everything back, and the counts go on.

use std::mem;

use super::{Asked, MAX_SUSPECTS, PromptMark, Suspect, Work};
use crate::{PromptAuthor, SeenPrompt};

/// Prompts that wait for their rows at most; the oldest one counts as the user's then.
pub const MAX_PROVISIONAL: usize = 16;

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
        self.claim = self.claim.take().or(before.claim);
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

#[cfg(test)]
mod tests {
    use crate::testing::Session;
    use crate::{PromptAuthor, SeenPrompt, Verdict, Work};

    fn is_ask(verdict: &Verdict) -> bool {
        matches!(verdict, Verdict::Ask(_))
    }

    /// A session whose agent has used up the asks of the user's prompt.
    fn used_up() -> Session {
        let mut session = Session::new();
        session.prompt("change the parser");
        let most = session.policy.gates.asks_per_prompt;
        for round in 0..most {
            session.edit(&format!("/p/src/{round}.rs"));
            assert!(is_ask(&session.stop("All tests pass.")), "{round}");
        }
        session.edit("/p/src/last.rs");
        assert!(!is_ask(&session.stop("All tests pass.")), "the cap holds");
        session
    }

    #[test]
    fn a_typed_and_a_given_prompt_set_the_cap_back() {
        for author in [PromptAuthor::Typed, PromptAuthor::Given] {
            let mut session = used_up();
            session.submit("go on").settle("go on", author).edit("/p/src/more.rs");
            assert!(is_ask(&session.stop("All tests pass.")), "{author:?}");
        }
    }

    #[test]
    fn a_foreign_prompt_gives_the_cap_back() {
        let mut session = used_up();
        let before = session.work.prompt.clone();
        session.submit("run the nightly job").edit("/p/src/more.rs");
        session.settle("run the nightly job", PromptAuthor::Foreign);
        assert_eq!(session.work.prompt, before, "the user's prompt is being answered");
        assert!(!is_ask(&session.stop("All tests pass.")));
        // The asks of the foreign turn are counted with those before it.
        let mut session = used_up();
        session.submit("run the nightly job").edit("/p/src/more.rs");
        assert!(is_ask(&session.stop("All tests pass.")), "until the row is read");
        session.settle("run the nightly job", PromptAuthor::Foreign);
        let most = session.policy.gates.asks_per_prompt;
        assert_eq!(session.work.asked[0].in_prompt, most + 1);
        session.edit("/p/src/again.rs");
        assert!(!is_ask(&session.stop("All tests pass.")));
    }

    #[test]
    fn a_typed_prompt_after_a_foreign_one_sets_the_cap_back() {
        let mut session = used_up();
        session.submit("run the nightly job").submit("and now the docs");
        session.settle("run the nightly job", PromptAuthor::Foreign);
        session.settle("and now the docs", PromptAuthor::Typed).edit("/p/src/more.rs");
        assert!(is_ask(&session.stop("All tests pass.")));
        // Where both are foreign, nothing is set back.
        let mut session = used_up();
        session.submit("run the nightly job").submit("again");
        session.settle("run the nightly job", PromptAuthor::Foreign);
        session.settle("again", PromptAuthor::Foreign).edit("/p/src/more.rs");
        assert!(!is_ask(&session.stop("All tests pass.")));
    }

    #[test]
    fn only_a_typed_prompt_has_what_was_learned_settled() {
        let text = "Please heal discoveries.";
        for author in [PromptAuthor::Typed, PromptAuthor::Given, PromptAuthor::Foreign] {
            let mut session = Session::new();
            session.submit(text);
            assert!(!session.work.heal, "not before the row is read");
            session.settle(text, author);
            assert_eq!(session.work.heal, author == PromptAuthor::Typed, "{author:?}");
        }
        // What the user asked for goes on when a foreign prompt comes between.
        let mut session = Session::new();
        session.prompt(text).submit("nightly").settle("nightly", PromptAuthor::Foreign);
        assert!(session.work.heal);
        session.prompt("and now something else");
        assert!(!session.work.heal);
    }

    #[test]
    fn prompts_without_a_row_are_bounded_and_count_as_the_users() {
        let mut session = Session::new();
        for number in 0..100 {
            session.submit(&format!("prompt {number}"));
        }
        assert_eq!(session.work.provisional.len(), super::MAX_PROVISIONAL);
        session.settle("prompt 99", PromptAuthor::Typed);
        assert_eq!(session.work.provisional, []);
        let mut work = Work::default();
        let seen = |trace| SeenPrompt { author: PromptAuthor::Foreign, trace };
        work.settle_prompts(&(0..100).map(seen).collect::<Vec<_>>());
        assert_eq!(work.foreign.len(), super::MAX_FOREIGN);
        assert!(work.is_foreign(99) && !work.is_foreign(0));
    }
}
