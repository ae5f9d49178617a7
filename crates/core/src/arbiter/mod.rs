//! One answer to a stop: every gate is asked, and the agent is never trapped.

use std::hash::Hasher;

use crate::excerpt::shortened;
use crate::gate::{Answer, Caps, GATES, Gate, Missing, Moment, View};
use crate::policy::{Gates, Mode};
use crate::work::Asked;
use crate::{Excerpt, Release, Verdict};

/// Characters of an ask, all gates together.
pub const MAX_ASK: usize = 1500;

/// Characters that the way to satisfy a gate may have in any case.
const LEAST_SATISFY: usize = 100;

/// What begins the line with which an agent declines: `windlass decline GATE: REASON`.
const DECLINE: &str = "windlass decline ";

/// What the arbiter makes of a stop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ruling {
    /// Whether the agent may stop.
    pub verdict: Verdict,
    /// What the user is told.
    pub notice: Option<String>,
    /// What each gate said that had something to say.
    pub said: Vec<(&'static str, String)>,
    /// What was asked of this agent, as it is now.
    pub asked: Asked,
}

/// Asks every gate that is on, and gives one answer.
pub fn arbitrate(view: &View<'_>) -> Ruling {
    let mut ruling = Ruling { asked: view.work.asked(view.agent), ..Ruling::default() };
    let mut notices = Vec::new();
    let mut open = Vec::new();
    decline(&view.stop.message, &mut ruling, &mut notices);
    for gate in GATES {
        let mode = (gate.mode)(view.gates);
        if mode == Mode::Off {
            continue;
        }
        if let Some(off) = view.switched_off(gate.name) {
            ruling.said.push((gate.name, format!("switched off by {}", off.by)));
            continue;
        }
        let declined = ruling.asked.declined.iter().any(|it| it == gate.name);
        let answers = match (gate.look)(view) {
            Answer::Several(answers) => answers,
            one @ (Answer::Pass | Answer::Ask(_) | Answer::Advise(_) | Answer::CouldNotRun(_)) => {
                vec![one]
            }
        };
        for answer in answers {
            match answer {
                Answer::Pass | Answer::Several(_) => {}
                Answer::CouldNotRun(why) => {
                    notices.push(format!("[{}] could not look: {why}", gate.name));
                    ruling.said.push((gate.name, format!("could not look: {why}")));
                }
                Answer::Advise(found) => {
                    notices.push(format!("[{}] {found}", gate.name));
                    ruling.said.push((gate.name, found));
                }
                Answer::Ask(missing) => {
                    ruling.said.push((gate.name, missing.found.clone()));
                    match mode {
                        Mode::Ask if !declined => open.push((gate, missing)),
                        Mode::Advise => notices.push(format!("[{}] {}", gate.name, missing.found)),
                        Mode::Ask | Mode::Off => {}
                    }
                }
            }
        }
    }
    if let Some((verdict, told)) = rule(view, &mut ruling.asked, open) {
        ruling.verdict = verdict;
        notices.extend(told);
    }
    ruling.notice = news(&notices, &mut ruling.asked);
    ruling
}

/// The verdict on what gates ask for, and what the user is told of it.
fn rule(
    view: &View<'_>,
    asked: &mut Asked,
    open: Vec<(&Gate, Missing)>,
) -> Option<(Verdict, Option<String>)> {
    if open.is_empty() {
        // Other words are no proof: what was asked for is still missing. What a loop asked for is
        // looked at again, so that nothing is left of it.
        let only_spoke = asked.last == Some(view.work.step)
            && asked.declined.is_empty()
            && asked.in_prompt > 0
            && view.off.is_empty();
        let told = format!("The agent was let go ({}).", Release::Idle.reason());
        return only_spoke.then_some((Verdict::Release(Release::Idle), Some(told)));
    }
    let standing = Standing::of(view, asked);
    let shared = standing.release(view.gates);
    let release_of = |gate: &Gate| match gate.caps {
        Caps::Shared => shared,
        Caps::Own => standing.release_from_own(),
    };
    let still: Vec<_> =
        open.iter().map(|(gate, it)| format!("[{}] {}", gate.name, it.found)).collect();
    // Where one may not ask, another one may.
    let release = open.iter().map(|it| release_of(it.0)).min_by_key(Option::is_some).flatten();
    let Some(release) = release else {
        let asking: Vec<_> = open.into_iter().filter(|it| release_of(it.0).is_none()).collect();
        if asking.iter().any(|it| it.0.caps == Caps::Shared) {
            asked.in_prompt += 1;
            asked.in_session += 1;
        }
        asked.last = Some(view.work.step);
        return Some((Verdict::Ask(text(view.moment, &asking)), None));
    };
    let goes_on = match open.iter().find(|it| it.0.caps == Caps::Own) {
        Some((gate, _)) => format!(
            " The {0} goes on at your next prompt; `windlass {0} {1}` ends it.",
            gate.name,
            if gate.name == "hold" { "off" } else { "stop" },
        ),
        None => String::new(),
    };
    let told = release.is_final().then(|| {
        format!(
            "The agent was let go ({}), and this is still open: {}{goes_on}",
            release.reason(),
            still.join(" ")
        )
    });
    Some((Verdict::Release(release), told))
}

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
    /// It was asked before in this prompt.
    pub asked: bool,
    /// A tool was called since then.
    pub called: bool,
    /// Something is known that was not known then.
    pub changed: bool,
    /// Asks in this prompt.
    pub in_prompt: u32,
    /// Asks in this session.
    pub in_session: u32,
    /// Minutes since the prompt.
    pub minutes: u64,
}

impl Standing {
    fn of(view: &View<'_>, asked: &Asked) -> Self {
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
            asked: last.is_some(),
            called: last.is_none_or(|it| view.work.step > it),
            changed: last.is_none_or(|it| changed > it),
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
            (self.asked && !self.called, Release::Idle),
            (self.asked && !self.changed, Release::Unchanged),
            (self.in_prompt >= gates.asks_per_prompt, Release::PromptCap),
            (self.in_session >= gates.asks_per_session, Release::SessionCap),
            (self.minutes >= u64::from(gates.minutes), Release::TimeCap),
        ];
        rows.into_iter().find_map(|(holds, release)| holds.then_some(release))
    }
}

/// Takes in what the agent declines. Only one that was asked can decline.
fn decline(message: &Excerpt, ruling: &mut Ruling, notices: &mut Vec<String>) {
    if ruling.asked.last.is_none() {
        return;
    }
    for (name, reason) in declines(message) {
        let of_name = |it: &&Gate| it.name == name && it.caps == Caps::Shared;
        let Some(gate) = GATES.iter().find(of_name) else { continue };
        if !ruling.asked.declined.iter().any(|it| it == gate.name) {
            ruling.asked.declined.push(gate.name.to_owned());
        }
        let reason = shortened(reason, 300);
        notices.push(format!("The agent declined [{}]: {reason}", gate.name));
        ruling.said.push((gate.name, format!("declined: {reason}")));
    }
}

/// Whether the agent has declined a gate, by now.
pub(crate) fn has_declined(view: &View<'_>, gate: &str) -> bool {
    let asked = view.work.asked(view.agent);
    let declines_now = || declines(&view.stop.message).any(|it| it.0 == gate);
    asked.declined.iter().any(|it| it == gate) || asked.last.is_some() && declines_now()
}

/// The gates that a message declines, each with the reason.
fn declines(message: &Excerpt) -> impl Iterator<Item = (&str, &str)> {
    let lines = message.head.lines().chain(message.tail.iter().flat_map(|it| it.lines()));
    lines.filter_map(|line| {
        let line = line.trim().trim_matches('`');
        let (name, reason) = line.strip_prefix(DECLINE)?.split_once(':')?;
        let (name, reason) = (name.trim(), reason.trim());
        (!reason.is_empty() && !reason.starts_with("REASON")).then_some((name, reason))
    })
}

/// The words for the agent: what is missing, how to bring it, how to decline.
fn text(moment: Moment, open: &[(&Gate, Missing)]) -> String {
    let before = match moment {
        Moment::Stop => "before you stop",
        Moment::Task => "before this task is completed",
        Moment::Idle => "before you go idle",
    };
    let mut text = match open.len() {
        1 => format!("windlass: {before}, one thing is missing."),
        count => format!("windlass: {before}, {count} things are missing."),
    };
    let first = |caps| open.iter().find(|it| it.0.caps == caps).map(|it| it.0.name);
    let own = first(Caps::Own).map(|gate| {
        format!(
            "\n\nThe {gate} is the user's, and not yours to end or to decline. If only the user \
             can help, say what you need and stop without another tool call: you are let go, and \
             it waits for the user's next prompt."
        )
    });
    let shared = first(Caps::Shared).map(|gate| way_to_decline(moment, gate));
    let tail: String = own.into_iter().chain(shared).collect();
    let room = MAX_ASK - text.chars().count() - tail.chars().count();
    let each = room / open.len().max(1);
    for (gate, Missing { found, satisfy }) in open {
        let satisfy = shortened(satisfy, (each / 2).max(LEAST_SATISFY));
        let fixed = gate.name.len() + satisfy.chars().count() + "\n\n[] ".len() + 1;
        let found = shortened(found, each.saturating_sub(fixed));
        text.extend(["\n\n[", gate.name, "] ", &found, " ", satisfy.as_str()]);
    }
    text.push_str(&tail);
    text
}

fn way_to_decline(moment: Moment, gate: &str) -> String {
    match moment {
        Moment::Stop => format!(
            "\n\nIf an ask does not apply, stop again with a line in your message that says why; \
             the user will see it: `{DECLINE}{gate}: REASON`"
        ),
        // No message comes with these.
        Moment::Task | Moment::Idle => {
            "\n\nIf an ask does not apply, say why in your message and try again; without \
             something new you are not asked twice."
                .to_owned()
        }
    }
}

/// What the user has not been told yet.
fn news(notices: &[String], asked: &mut Asked) -> Option<String> {
    let text = notices.join("\n");
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(text.as_bytes());
    let mark = hasher.finish();
    if text.is_empty() || mark == asked.noticed {
        return None;
    }
    asked.noticed = mark;
    Some(format!("windlass: {text}"))
}

#[cfg(test)]
mod agents;
#[cfg(test)]
mod checks;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
