//! One answer to a stop: every gate is asked, and the agent is never trapped.

mod decline;
mod notice;
mod standing;
mod words;

use crate::claim::claims;
use crate::gate::states::StateLoop;
use crate::gate::{Answer, Caps, GATES, Gate, Missing, View, off_by_settings};
use crate::policy::Mode;
use crate::work::{Asked, PromptWish};
use crate::{Excerpt, Release, Verdict, foreign};

use decline::{declines, keep_last, mark, mark_told, marks};
use notice::{Notice, news};
use words::{sent_back, text};

pub use decline::is_decline;
pub(crate) use decline::{has_asked, has_declined, was_told};
pub use standing::Standing;
pub(crate) use words::reason_for_user;

/// Characters of an ask, all gates together.
pub const MAX_ASK: usize = 1500;

/// Characters of the reason why a gate could not look.
const MAX_WHY: usize = 400;

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
    /// What each gate asks the agent for, one by one, where it does.
    pub asked_for: Vec<(&'static str, Vec<String>)>,
    /// What each gate tells the user of, one by one, in place of that.
    pub told_of: Vec<(&'static str, Vec<String>)>,
    /// What the agent declines of each gate, one by one, from this stop on.
    pub declined: Vec<(&'static str, Vec<String>)>,
}

/// Asks every gate that is on, and gives one answer.
pub fn arbitrate(view: &View<'_>) -> Ruling {
    let mut ruling = Ruling { asked: view.work.asked(view.agent), ..Ruling::default() };
    let mut notices = Vec::new();
    let (mut open, mut at_end) = (Vec::new(), Vec::new());
    let (mut is_declined, mut is_admitted) = (false, false);
    let (mut let_go, mut is_off_and_open) = (None, false);
    ruling.said.extend(view.ignored_variables.iter().map(|it| ("environment", it.clone())));
    let settings = off_by_settings(view.gates).map(|it| (it, "off in the settings".to_owned()));
    ruling.said.extend(settings);
    for gate in GATES {
        let mode = (gate.mode)(view.gates);
        if mode == Mode::Off {
            continue;
        }
        if let Some(off) = view.switched_off(gate.name) {
            let is_open = view.loops().any(|it| it.gate() == gate.name);
            let open = if is_open { format!("; a {} is open", gate.name) } else { String::new() };
            ruling.said.push((gate.name, format!("switched off by {}{open}", off.by)));
            is_off_and_open |= is_open;
            continue;
        }
        let answers = match (gate.look)(view) {
            Answer::Several(answers) => answers,
            one @ (Answer::Pass
            | Answer::Ask(_)
            | Answer::Advise(_)
            | Answer::Note(_)
            | Answer::Admitted(..)
            | Answer::CouldNotRun(_)
            | Answer::LetGo(..)) => vec![one],
        };
        for answer in answers {
            match answer {
                Answer::Pass | Answer::Several(_) => {}
                Answer::CouldNotRun(why) => {
                    let why = foreign::sentence(&why, MAX_WHY);
                    notices.push(Notice::new(format!("[{}] could not look: {why}", gate.name)));
                    ruling.said.push((gate.name, format!("could not look: {why}")));
                }
                Answer::LetGo(release, found) => {
                    ruling.said.push((gate.name, found));
                    let_go = let_go.or(Some(release));
                }
                Answer::Note(found) => ruling.said.push((gate.name, found)),
                Answer::Admitted(missing, reason) => {
                    ruling.said.push((gate.name, format!("{} {reason}", missing.found)));
                    if declines(view, gate, &missing, &mut ruling, &mut notices) {
                        is_declined = true;
                    } else {
                        is_admitted = true;
                        mark_told(view, &mut ruling.asked);
                    }
                }
                Answer::Advise(found) => {
                    notices.push(Notice::new(format!("[{}] {found}", gate.name)));
                    ruling.said.push((gate.name, found));
                }
                Answer::Ask(missing) => {
                    ruling.said.push((gate.name, missing.found.clone()));
                    if mode == Mode::Advise && gate.name == "uncommitted" {
                        at_end.push(Notice::of(gate, &missing));
                    } else if mode == Mode::Advise {
                        notices.push(Notice::of(gate, &missing));
                        ruling.told_of.push((gate.name, missing.about));
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
    let mut sent_back = None;
    match rule(view, &mut ruling, open) {
        // Once for each prompt, whatever the user was told before.
        Some((verdict @ Verdict::Ask(_), told)) => {
            ruling.verdict = verdict;
            sent_back = told.filter(|_| is_first);
        }
        Some((verdict, told)) => {
            ruling.verdict = verdict;
            notices.extend(told.map(Notice::new));
        }
        None if let_go.is_some() => {
            ruling.verdict = let_go.map_or(Verdict::Pass, Verdict::Release);
        }
        None if is_declined => ruling.verdict = Verdict::Release(Release::Declined),
        None if is_admitted => ruling.verdict = Verdict::Release(Release::Admitted),
        None => {}
    }
    if ruling.verdict == Verdict::Pass {
        notices.append(&mut at_end);
        // It is no proof.
        if is_off_and_open {
            ruling.verdict = Verdict::Release(Release::SwitchedOff);
        }
    }
    let news = news(notices, &mut ruling.asked);
    let told: Vec<_> = sent_back.into_iter().chain(news).collect();
    ruling.notice = (!told.is_empty()).then(|| format!("windlass: {}", told.join("\n")));
    ruling
}

/// The verdict on what gates ask for, and what the user is told of it.
fn rule(
    view: &View<'_>,
    ruling: &mut Ruling,
    open: Vec<(&Gate, Missing)>,
) -> Option<(Verdict, Option<String>)> {
    let asked = &mut ruling.asked;
    let standing = Standing::of(view, asked);
    let shared = standing.release(view.gates);
    let sought = asked.sought.clone();
    let had_its_ask = |gate: &Gate| sought.contains(&mark(gate.name));
    let release_of = |gate: &Gate| match gate.caps {
        Caps::Shared => shared,
        Caps::Once => shared.or_else(|| had_its_ask(gate).then_some(Release::PromptCap)),
        Caps::Own => standing.release_from_own(),
    };
    let still: Vec<_> = open.iter().map(|(gate, it)| words::open(gate, it)).collect();
    // Where one may not ask, another one may.
    let release = open.iter().map(|it| release_of(it.0)).min_by_key(Option::is_some)?;
    let Some(release) = release else {
        let asking: Vec<_> = open.into_iter().filter(|it| release_of(it.0).is_none()).collect();
        for (gate, missing) in asking.iter().filter(|it| it.0.caps != Caps::Own) {
            let once = (gate.caps == Caps::Once).then(|| mark(gate.name));
            let new = marks(gate, missing).into_iter().chain(once);
            let new: Vec<_> = new.filter(|it| !asked.sought.contains(it)).collect();
            asked.sought.extend(new);
        }
        keep_last(&mut asked.sought);
        if asking.iter().any(|it| it.0.caps != Caps::Own) {
            asked.in_prompt += 1;
            asked.in_session += 1;
        }
        if asking.iter().any(|it| it.0.name == "states-loop") {
            asked.state_loop = StateLoop::after_ask(view, asked);
        }
        if asking.iter().any(|it| it.0.name == "proof") {
            asked.claim = claim_of(view.message).or(asked.claim.take());
        }
        asked.states = view.facts.states.mark();
        asked.last = Some(view.work.step);
        let (told, text) = (sent_back(&asking), text(view, &asking));
        ruling.asked_for = asking.into_iter().map(|it| (it.0.name, it.1.about)).collect();
        return Some((Verdict::Ask(text), Some(told)));
    };
    let goes_on = match open.iter().find(|it| it.0.caps == Caps::Own) {
        Some((gate, _)) => {
            let end = words::end_of(gate.name);
            format!(" It goes on at your next prompt. To end it: `windlass {end}`.")
        }
        None => String::new(),
    };
    let aside = || {
        let (gate, _) = open.iter().find(|it| it.0.caps == Caps::Own)?;
        Some(format!(
            "[{}] The agent may stop: your prompt was taken for a question beside the {}. It goes \
             on when you say “go on” or give work.",
            gate.name,
            gate.name.strip_prefix("states-").unwrap_or(gate.name),
        ))
    };
    // Who plainly asks knows it.
    let is_doubtful = view.work.prompt.as_ref().is_some_and(|it| it.wish == PromptWish::Unclear);
    let is_aside = release == Release::SideQuestion && is_doubtful;
    let told = is_aside.then(aside).flatten();
    let told = told.or_else(|| {
        release.is_final().then(|| {
            format!(
                "The agent stopped ({}), and this is still open: {}{goes_on}",
                reason_for_user(release),
                still.join(" ")
            )
        })
    });
    Some((Verdict::Release(release), told))
}

/// The strongest claim of a message, in its words.
fn claim_of(message: &Excerpt) -> Option<String> {
    claims(message).into_iter().next().map(|it| it.quote)
}

#[cfg(test)]
mod tests;
