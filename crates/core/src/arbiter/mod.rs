//! One answer to a stop: every gate is asked, and the agent is never trapped.

mod admits;

use std::hash::Hasher;

use crate::excerpt::shortened;
use crate::gate::{Answer, Caps, GATES, Gate, Missing, Moment, View};
use crate::policy::{Gates, Mode};
use crate::work::Asked;
use crate::{Excerpt, Release, Verdict, foreign};

/// Characters of an ask, all gates together.
pub const MAX_ASK: usize = 1500;

/// What was asked for, and what of it was declined, that is remembered.
const MAX_MARKS: usize = 128;

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
    let mut is_declined = false;
    for gate in GATES {
        let mode = (gate.mode)(view.gates);
        if mode == Mode::Off {
            continue;
        }
        if let Some(off) = view.switched_off(gate.name) {
            ruling.said.push((gate.name, format!("switched off by {}", off.by)));
            continue;
        }
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
                    if mode == Mode::Advise {
                        notices.push(format!("[{}] {}", gate.name, missing.found));
                    } else if declines(view, gate, &missing, &mut ruling, &mut notices) {
                        is_declined = true;
                    } else {
                        open.push((gate, missing));
                    }
                }
            }
        }
    }
    let is_first = ruling.asked.last.is_none();
    let mut sent_on = None;
    match rule(view, &mut ruling.asked, open) {
        // Once for each prompt, whatever the user was told before.
        Some((verdict @ Verdict::Ask(_), told)) => {
            ruling.verdict = verdict;
            sent_on = told.filter(|_| is_first);
        }
        Some((verdict, told)) => {
            ruling.verdict = verdict;
            notices.extend(told);
        }
        None if is_declined => ruling.verdict = Verdict::Release(Release::Declined),
        None => {}
    }
    let news = news(&notices, &mut ruling.asked);
    let told: Vec<_> = sent_on.into_iter().chain(news).collect();
    ruling.notice = (!told.is_empty()).then(|| format!("windlass: {}", told.join("\n")));
    ruling
}

/// The verdict on what gates ask for, and what the user is told of it.
fn rule(
    view: &View<'_>,
    asked: &mut Asked,
    open: Vec<(&Gate, Missing)>,
) -> Option<(Verdict, Option<String>)> {
    let standing = Standing::of(view, asked);
    let shared = standing.release(view.gates);
    let release_of = |gate: &Gate| match gate.caps {
        Caps::Shared => shared,
        Caps::Own => standing.release_from_own(),
    };
    let still: Vec<_> =
        open.iter().map(|(gate, it)| format!("[{}] {}", gate.name, it.found)).collect();
    // Where one may not ask, another one may.
    let release = open.iter().map(|it| release_of(it.0)).min_by_key(Option::is_some)?;
    let Some(release) = release else {
        let asking: Vec<_> = open.into_iter().filter(|it| release_of(it.0).is_none()).collect();
        for (gate, missing) in asking.iter().filter(|it| it.0.caps == Caps::Shared) {
            asked.sought.extend(marks(gate, missing));
        }
        keep_last(&mut asked.sought);
        if asking.iter().any(|it| it.0.caps == Caps::Shared) {
            asked.in_prompt += 1;
            asked.in_session += 1;
        }
        asked.last = Some(view.work.step);
        let told = sent_on(&asking);
        return Some((Verdict::Ask(text(view.moment, &asking)), Some(told)));
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

/// What the user is told of an ask: that the agent goes on, why, and how to end that.
fn sent_on(asking: &[(&Gate, Missing)]) -> String {
    let names: Vec<_> = asking.iter().map(|it| format!("[{}]", it.0.name)).collect();
    format!("{} sent the agent on. `windlass gate off` lets it stop.", names.join(" "))
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
    /// The message says itself that something fails, and why or what now.
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
            admitted: last.is_some() && admits::admits(view.message),
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
            (self.asked && self.admitted, Release::Admitted),
            (self.lost, Release::Lost),
            (self.in_prompt >= gates.asks_per_prompt, Release::PromptCap),
            (self.in_session >= gates.asks_per_session, Release::SessionCap),
            (self.minutes >= u64::from(gates.minutes), Release::TimeCap),
        ];
        rows.into_iter().find_map(|(holds, release)| holds.then_some(release))
    }
}

/// Whether the agent declines what a gate found missing, now or since the prompt. Only what was
/// asked for can be declined: what is new is asked for.
fn declines(
    view: &View<'_>,
    gate: &Gate,
    missing: &Missing,
    ruling: &mut Ruling,
    notices: &mut Vec<String>,
) -> bool {
    let marks = marks(gate, missing);
    let asked = &mut ruling.asked;
    let is_declined =
        |asked: &Asked| !marks.is_empty() && marks.iter().all(|it| asked.declined.contains(it));
    if gate.caps == Caps::Own || is_declined(asked) {
        return gate.caps == Caps::Shared;
    }
    let Some(reason) = reason(view.message, gate.name) else { return false };
    let new = marks.iter().filter(|it| asked.sought.contains(it) && !asked.declined.contains(it));
    let new: Vec<_> = new.copied().collect();
    if new.is_empty() {
        return false;
    }
    asked.declined.extend(new);
    keep_last(&mut asked.declined);
    let reason = foreign::line(reason, 300);
    notices.push(format!("The agent declined [{}]: {reason}", gate.name));
    let declined = is_declined(asked);
    ruling.said.push((gate.name, format!("declined: {reason}")));
    declined
}

/// Whether the agent has declined something that a gate asked for, since the prompt.
pub(crate) fn has_declined(view: &View<'_>, gate: &str, about: &str) -> bool {
    view.work.asked(view.agent).declined.contains(&mark(&format!("{gate} {about}")))
}

/// What a gate found, each as a number that stays the same.
fn marks(gate: &Gate, missing: &Missing) -> Vec<u64> {
    missing.about.iter().map(|it| mark(&format!("{} {it}", gate.name))).collect()
}

fn mark(text: &str) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Keeps a list of marks bounded.
fn keep_last(marks: &mut Vec<u64>) {
    marks.drain(..marks.len().saturating_sub(MAX_MARKS));
}

/// The reason with which a message declines what a gate asks.
fn reason<'a>(message: &'a Excerpt, gate: &str) -> Option<&'a str> {
    let lines = message.head.lines().chain(message.tail.iter().flat_map(|it| it.lines()));
    let mut declines = lines.filter_map(|line| {
        let line = line.trim().trim_matches('`');
        let (name, reason) = line.strip_prefix(DECLINE)?.split_once(':')?;
        let (name, reason) = (name.trim(), reason.trim());
        (!reason.is_empty() && !reason.starts_with("REASON")).then_some((name, reason))
    });
    declines.find(|it| it.0 == gate).map(|it| it.1)
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
    for (gate, Missing { found, satisfy, .. }) in open {
        let room = each.saturating_sub(gate.name.len() + "\n\n[]  ".len());
        // What is missing may be cut; how to bring it is cut only where it takes most of the room.
        let satisfy = shortened(satisfy, room * 2 / 3);
        let found = shortened(found, room - satisfy.chars().count());
        text.extend(["\n\n[", gate.name, "] ", &found, " ", &satisfy]);
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
    let mark = mark(&text);
    if text.is_empty() || mark == asked.noticed {
        return None;
    }
    asked.noticed = mark;
    Some(text)
}

#[cfg(test)]
mod agents;
#[cfg(test)]
mod checks;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod proofs;
#[cfg(test)]
mod shell;
#[cfg(test)]
mod tests;
