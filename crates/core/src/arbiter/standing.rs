//! The truth table of convergence: when the arbiter may ask, and when the agent is let go.

use super::decline::mark_of;
use crate::check::{How, Severity};
use crate::claim::retracts;
use crate::gate::View;
use crate::gate::states::StateLoop;
use crate::loops::Loop;
use crate::policy::Gates;
use crate::work::{Asked, PromptWish};
use crate::{Outcome, Release};

/// What decides whether the arbiter may ask.
#[expect(clippy::struct_excessive_bools, reason = "they are the columns of a truth table")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The agent may only plan.
    pub planning: bool,
    /// Prompts will wake the session later.
    pub scheduled: bool,
    /// Another agent, a test or a build is running, and will come back.
    pub awaited: bool,
    /// A message of the user waits for the agent to stop.
    pub queued: bool,
    /// The user asked something during a loop, and the answer changed nothing.
    pub side: bool,
    /// It was asked before in this prompt.
    pub asked: bool,
    /// A tool was called since then.
    pub called: bool,
    /// Something is known that was not known then.
    pub changed: bool,
    /// The message says itself that something fails, that it was not run, or takes back what was
    /// claimed.
    pub admitted: bool,
    /// How often it was asked cannot be read.
    pub lost: bool,
    /// Asks in this prompt.
    pub in_prompt: u32,
    /// Asks in this session.
    pub in_session: u32,
    /// Minutes since the prompt.
    pub minutes: u64,
}

impl Standing {
    pub(super) fn of(view: &View<'_>, asked: &Asked) -> Self {
        let now = view.now;
        let last = asked.last;
        let begun = view.work.prompt.as_ref().map_or(now, |it| it.at);
        let is_main = view.agent.is_empty();
        // A subagent works beside others: what they learn is no reason to ask it again.
        let changed = if is_main { view.work.changed } else { view.work.changed_by(view.agent) };
        Self {
            planning: view.stop.planning,
            // They wake the session, and not a subagent of it.
            scheduled: is_main && view.stop.scheduled > 0,
            awaited: view.stop.awaited > 0,
            queued: is_main && view.queued > 0,
            side: is_main && last.is_none() && is_side_question(view),
            asked: last.is_some(),
            called: last.is_none_or(|it| view.work.step > it),
            changed: last.is_none_or(|it| changed > it)
                || asked.states != view.facts.states.mark()
                || has_new_failure(view, asked),
            admitted: last.is_some() && retracts(view.message),
            lost: view.work.lost,
            in_prompt: asked.in_prompt,
            in_session: asked.in_session,
            minutes: u64::try_from((now.0 - begun.0) / 60_000).unwrap_or(0),
        }
    }

    /// Whether the agent is let go for now whatever a gate with limits of its own finds.
    pub(crate) fn releases(view: &View<'_>) -> bool {
        Self::of(view, &view.work.asked(view.agent)).release_from_own().is_some()
    }

    /// Why a gate that shares its caps with others may not ask at this stop.
    pub(crate) fn shared_release(view: &View<'_>) -> Option<Release> {
        Self::of(view, &view.work.asked(view.agent)).release(view.gates)
    }

    /// Why a gate with limits of its own may not ask. An agent that only talks is let go.
    pub fn release_from_own(&self) -> Option<Release> {
        let rows = [
            (self.planning, Release::Planning),
            (self.scheduled, Release::Scheduled),
            (self.awaited, Release::Running),
            (self.queued, Release::Queued),
            (self.side, Release::SideQuestion),
            (self.asked && !self.called, Release::Idle),
        ];
        rows.into_iter().find_map(|(holds, release)| holds.then_some(release))
    }

    /// Why it may not ask; `None` where it may. The first row that holds counts.
    pub fn release(&self, gates: &Gates) -> Option<Release> {
        let rows = [
            (self.planning, Release::Planning),
            (self.scheduled, Release::Scheduled),
            (self.awaited, Release::Running),
            (self.queued, Release::Queued),
            (self.asked && !self.called, Release::Idle),
            (self.asked && !self.changed, Release::Unchanged),
            (self.asked && self.admitted, Release::Admitted),
            (self.lost, Release::Lost),
            (self.in_prompt >= gates.asks_per_prompt, Release::PromptCap),
            (self.in_session >= gates.asks_per_session, Release::SessionCap),
            (self.minutes >= u64::from(gates.minutes), Release::TimeCap),
        ];
        rows.into_iter().find_map(|(holds, release)| holds.then_some(release))
    }
}

/// Whether the user typed something beside the loops of the session, and the agent only answered:
/// the prompt came after they began, it does not tell the agent to go on, and no file changed since.
/// An order is the work of the loop itself.
fn is_side_question(view: &View<'_>) -> bool {
    let Some(prompt) = &view.work.prompt else { return false };
    let mut loops = view.loops().peekable();
    let is_beside = |it: &Loop| {
        let is_later = prompt.at >= it.begun_at && prompt.step >= it.begun_step;
        is_later && !prompt.goes_on && prompt.wish != PromptWish::Work
    };
    let is_any = loops.peek().is_some() || StateLoop::is_known(view);
    let is_state_beside = !prompt.goes_on && prompt.wish != PromptWish::Work;
    is_any && is_state_beside && loops.all(is_beside) && !view.work.may_have_changed()
}

/// Tells whether a check failed that the agent was not asked about: an earlier stage hid it, and what
/// mended that stage may lie where nobody sees a change.
fn has_new_failure(view: &View<'_>, asked: &Asked) -> bool {
    view.facts.checks.iter().any(|it| {
        it.check.severity == Severity::Ask
            && matches!(it.outcome, Outcome::Failed(_))
            && matches!(it.how, How::Looked(_))
            && !asked.sought.contains(&mark_of("checks", &it.check.name))
    })
}
