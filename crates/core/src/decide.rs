//! Which rules speak on which event. The table of contents of the product.

use std::borrow::Cow;

use crate::arbiter::{Ruling, arbitrate};
use crate::brief::{Brief, brief};
use crate::check::{Checked, How};
use crate::gate::{Tree, View, carried, unsaved};
use crate::loops::{End, LoopAuthor, Next, Until};
use crate::memory::{LOOKED_AT, Memory};
use crate::policy::Mode;
use crate::work::{Healing, Room, Witnessed};
use crate::{
    CloneOf, Decision, Digest, Effect, Event, Kind, Policy, Release, Snapshot, Spoken, StartSource,
    Verdict, Work, foreign,
};

/// Decides one event. Pure: the same inputs give the same decision. The clock counts microseconds
/// from any point; it dates what the rules say and decides nothing.
pub fn decide(event: &Event, snapshot: &Snapshot, policy: &Policy, clock: fn() -> u64) -> Decision {
    let given = Given { event, snapshot, policy };
    let mut decision = Decision::default();
    for rule in rules(&event.kind) {
        let start = clock();
        if let Some(said) = (rule.speak)(given, &mut decision) {
            let us = clock().saturating_sub(start);
            decision.rules.push(Spoken { rule: rule.name, said, us });
        }
    }
    decision
}

/// All that a rule may look at.
#[derive(Debug, Clone, Copy)]
struct Given<'a> {
    event: &'a Event,
    snapshot: &'a Snapshot,
    policy: &'a Policy,
}

/// Something that looks at an event and adds to its decision.
struct Rule {
    name: &'static str,
    /// Adds to the decision and says what it found, or has nothing to say.
    speak: fn(Given<'_>, &mut Decision) -> Option<String>,
}

const OFFER: Rule = Rule { name: "offer", speak: offer };
const BRIEF: Rule = Rule { name: "brief", speak: tell_of_known };
const SETTINGS: Rule = Rule { name: "settings", speak: tell_of_settings };
const ATTEMPTS: Rule = Rule { name: "attempts", speak: tell_of_attempts };
const CLONE: Rule = Rule { name: "clone", speak: tell_of_clone };
const OWN_FILES: Rule = Rule { name: "own-files", speak: tell_of_own_files };
const TRANSCRIPT: Rule = Rule { name: "transcript", speak: keep_digest };
const KNOWLEDGE: Rule = Rule { name: "knowledge", speak: tell_of_spans };
const ROOM: Rule = Rule { name: "room", speak: keep_room };
const CHECKS: Rule = Rule { name: "checks", speak: keep_checked };
const GATES: Rule = Rule { name: "gates", speak: ask_gates };

fn rules(kind: &Kind) -> &'static [Rule] {
    match kind {
        Kind::SessionStart { source: StartSource::Compact, .. } => {
            &[TRANSCRIPT, ROOM, KNOWLEDGE, BRIEF]
        }
        Kind::SessionStart { .. } => {
            &[SETTINGS, OWN_FILES, ATTEMPTS, CLONE, OFFER, BRIEF, TRANSCRIPT]
        }
        Kind::Stop(_) => &[TRANSCRIPT, KNOWLEDGE, CHECKS, GATES, OWN_FILES],
        Kind::AgentStop(_) => &[TRANSCRIPT, CHECKS, GATES],
        Kind::TaskCompleted { .. } | Kind::TeammateIdle { .. } => &[CHECKS, GATES],
        Kind::CompactStart { .. } | Kind::SessionEnd { .. } => &[TRANSCRIPT, KNOWLEDGE],
        Kind::Prompt { .. } => &[BRIEF, OWN_FILES],
        Kind::ToolStart(_) | Kind::AgentStart => &[BRIEF],
        Kind::Tools(_)
        | Kind::StopFailure { .. }
        | Kind::TaskCreated { .. }
        | Kind::CompactEnd { .. } => &[],
    }
}

/// Tells the user, once a session begins, that the project asks for more than it is given.
fn tell_of_settings(given: Given<'_>, decision: &mut Decision) -> Option<String> {
    let ignored = given.snapshot.ignored_settings.clone()?;
    decision.notice = Some(ignored.clone());
    Some(ignored)
}

/// Tells the user what the agent did to files of windlass.
fn tell_of_own_files(given: Given<'_>, decision: &mut Decision) -> Option<String> {
    tell(&given.snapshot.acts_on_ours, decision)
}

/// Tells the user what agents tried that only the user may do.
fn tell_of_attempts(given: Given<'_>, decision: &mut Decision) -> Option<String> {
    tell(&given.snapshot.attempts, decision)
}

fn tell(sentences: &[String], decision: &mut Decision) -> Option<String> {
    let said = (!sentences.is_empty()).then(|| sentences.join("\n"))?;
    add_notice(decision, said.clone());
    Some(said)
}

/// Tells the user, once, that a repository is known from another place, and how to say that both
/// are the same.
fn tell_of_clone(given: Given<'_>, decision: &mut Decision) -> Option<String> {
    let CloneOf { project, remote, place } = given.snapshot.clone_of.as_ref()?;
    let (project, at) = (*project, given.event.at);
    decision.effects.push(Effect::KeepCloneNotice { project, at });
    let place = place.as_ref().map(|it| format!(" from {}", foreign::line(it, 200)));
    let owner = remote.owner().map(|it| {
        let owner = foreign::line(it, 100);
        format!(" With `--owner`, later clones from {owner} join by themselves.")
    });
    let said = format!(
        "windlass: {} is known{}. This clone is a project of its own. To share memories, run \
         `windlass trust --same` here, in your own terminal.{}",
        foreign::line(remote.as_str(), 200),
        place.unwrap_or_default(),
        owner.unwrap_or_default(),
    );
    add_notice(decision, said.clone());
    Some(said)
}

fn add_notice(decision: &mut Decision, text: String) {
    let notices: Vec<_> = decision.notice.take().into_iter().chain([text]).collect();
    decision.notice = Some(notices.join("\n"));
}

/// Titles that an offer names; the rest is counted.
const NAMED: usize = 3;

/// Tells the user, once, what strong candidates earlier sessions have left, and how many were
/// imported.
fn offer(given: Given<'_>, decision: &mut Decision) -> Option<String> {
    let Snapshot { unsettled: left, imported, .. } = given.snapshot;
    let learned = (!left.is_empty()).then(|| offered(left));
    let imported = (*imported > 0).then(|| match imported {
        1 => "windlass: 1 imported candidate is not settled: `windlass candidates` shows it".to_owned(),
        count => format!(
            "windlass: {count}{} imported candidates are not settled: `windlass candidates` lists them",
            if *count >= LOOKED_AT { " or more" } else { "" }
        ),
    });
    if learned.is_none() && imported.is_none() {
        return None;
    }
    let said = given.snapshot.imported;
    let said = (said > 0).then(|| format!("{said} imported"));
    let ids = left.iter().map(|it| it.id.to_string()).chain(said);
    let ids: Vec<_> = ids.collect();
    let notices: Vec<_> =
        decision.notice.take().into_iter().chain(learned).chain(imported).collect();
    decision.notice = Some(notices.join("\n"));
    Some(ids.join(", "))
}

fn offered(left: &[Memory]) -> String {
    let count = match left.len() {
        1 => "1 thing that was learned earlier is not settled".to_owned(),
        count => format!("{count} things that were learned earlier are not settled"),
    };
    let titles = left.iter().take(NAMED).map(|it| foreign::line(&it.content.title, 100));
    let more = left.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!("{more} more"));
    let named: Vec<_> = titles.chain(more).collect();
    format!("windlass: {count}: {} (`windlass candidates` shows all)", named.join("; "))
}

/// Puts before the agent what is known and fits, or nothing.
fn tell_of_known(given: Given<'_>, decision: &mut Decision) -> Option<String> {
    let Given { event, snapshot, policy } = given;
    if let Kind::SessionStart { source: StartSource::Compact | StartSource::Clear, .. } = event.kind
    {
        decision.effects.push(Effect::ForgetShown);
    }
    let (brief, said) = brief(event, snapshot, policy)?;
    if let Some(Brief { text, shown, told }) = brief {
        decision.context = Some(text);
        // What a subagent was shown its parent has not seen.
        if event.agent.is_none() && !(shown.is_empty() && told.is_empty()) {
            let (memories, names) = (shown, told);
            decision.effects.push(Effect::KeepShown { memories, names, at: event.at });
        }
    }
    Some(said)
}

/// Keeps what the new part of the transcript says.
fn keep_digest(given: Given<'_>, decision: &mut Decision) -> Option<String> {
    let digest = given.snapshot.transcript.clone()?;
    let Digest { from, to, rows, calls, .. } = digest;
    let failed = digest.failed.len() + digest.more_failed as usize;
    decision.effects.push(Effect::KeepDigest(digest));
    Some(format!("{rows} new rows ({from}..{to}), {calls} calls, {failed} flagged as failed"))
}

/// Keeps how long the conversation was when the host compacted it: it will do so again.
fn keep_room(given: Given<'_>, decision: &mut Decision) -> Option<String> {
    let (full, work) =
        (given.snapshot.transcript.as_ref()?.full?, given.snapshot.corrected_work()?);
    let room = Room { full: Some(full), ..work.room };
    decision.effects.push(Effect::KeepWork(Box::new(Work { room, ..work })));
    Some(format!("the host compacted {full} tokens"))
}

/// Says what was found in the conversation, and why. It was kept before anybody decides.
fn tell_of_spans(given: Given<'_>, _: &mut Decision) -> Option<String> {
    let said = given.snapshot.candidates.iter().map(|it| {
        let strong = if it.is_strong { "strong " } else { "" };
        let (category, why) = (it.content.category.word(), it.origin.why.join(", "));
        format!("{} ({strong}{category}, {} %: {why})", it.id, it.confidence)
    });
    let said: Vec<_> = said.collect();
    (!said.is_empty()).then(|| said.join("; "))
}

/// Keeps what came of the checks, and says which were run.
fn keep_checked(given: Given<'_>, decision: &mut Decision) -> Option<String> {
    let checks = &given.snapshot.facts.checks;
    for checked in checks {
        if let How::Looked(Some(key)) = &checked.how {
            let (key, checked, at) = (key.clone(), checked.clone(), given.event.at);
            decision.effects.push(Effect::KeepChecked { key, checked, at });
        }
    }
    let briefs: Vec<_> = checks.iter().map(Checked::brief).collect();
    (!briefs.is_empty()).then(|| briefs.join(", "))
}

/// Asks the gates whether the agent may do what it is about to do.
fn ask_gates(given: Given<'_>, decision: &mut Decision) -> Option<String> {
    let mut work = given.snapshot.corrected_work()?;
    let digest = given.snapshot.transcript.as_ref();
    if let Some(digest) = digest.filter(|_| given.event.agent.is_none()) {
        work.room.learn(digest);
    }
    if let Some((touched, same)) = given.snapshot.facts.tree.as_ref().and_then(Tree::found) {
        work.find(touched, same, given.event.at);
    }
    let mut looping = given.snapshot.looping.clone();
    if let Some(digest) = &given.snapshot.transcript {
        looping.tokens = looping.tokens.saturating_add(digest.tokens.spent());
    }
    let policy = in_force(&given);
    let is_asked = policy.gates.unsaved.mode == Mode::Ask;
    if is_asked && unsaved::is_looked_for(given.event) {
        work.healing.look(&given.snapshot.unsettled);
    }
    let view = View::of(given.event, (&work, &looping), given.snapshot, &policy)?;
    let witnessed = Witnessed::of_each(&view);
    work.witness(&witnessed, &policy.gates.runs, given.event.at);
    let view = View::of(given.event, (&work, &looping), given.snapshot, &policy)?;
    let ruling = arbitrate(&view);
    let healing = heal(&view, &ruling, &mut decision.effects);
    let why = (ruling.verdict == Verdict::Pass).then(|| carried(&view));
    let Ruling { verdict, notice, said, asked, asked_for, .. } = ruling;
    let asking: Vec<_> = asked_for.iter().map(|it| it.0).collect();
    let ends = go_on(&view, &verdict, &asking, &mut decision.effects);
    let notices: Vec<_> = notice.into_iter().chain(ends).collect();
    decision.notice = (!notices.is_empty()).then(|| notices.join("\n"));
    decision.verdict = verdict;
    work.keep_asked(asked);
    work.healing = healing;
    if given.snapshot.work.as_ref() != Some(&work) {
        decision.effects.push(Effect::KeepWork(Box::new(work)));
    }
    let mut said: Vec<_> = said.iter().map(|(gate, said)| format!("{gate}: {said}")).collect();
    if let Some(Tree::Unseen(why)) = &given.snapshot.facts.tree {
        said.push(format!("the working tree could not be seen: {}", foreign::line(why, 200)));
    }
    said.extend(why);
    (!said.is_empty()).then(|| said.join(" "))
}

/// What becomes of asks to settle what was learned.
fn heal(view: &View<'_>, ruling: &Ruling, effects: &mut Vec<Effect>) -> Healing {
    let mut healing = view.work.healing.clone();
    let named = |all: &[(&str, Vec<String>)]| {
        let of_gate = all.iter().filter(|it| it.0 == unsaved::GATE.name);
        of_gate.flat_map(|it| it.1.iter().cloned()).collect::<Vec<_>>()
    };
    healing.tell(&named(&ruling.told_of));
    healing.decline(&named(&ruling.declined));
    healing.given_up |= unsaved::gives_up(view);
    let memories = named(&ruling.asked_for);
    if !memories.is_empty() {
        healing.ask(&memories);
        let urgency = unsaved::urgency(view, memories.len());
        effects.push(Effect::KeepAsk { memories, urgency, at: view.now });
    }
    healing
}

/// The policy under which the gates are asked. Who has a session led phase by phase wants the work
/// committed at its end, unless the user has said something else. Who says that discoveries are to
/// be healed has them asked for.
fn in_force<'a>(given: &Given<'a>) -> Cow<'a, Policy> {
    let mut policy = Cow::Borrowed(given.policy);
    let is_led = given.snapshot.facts.states.is_orchestrated();
    let mode = policy.gates.uncommitted.mode;
    if is_led && mode == Mode::Advise && !given.snapshot.uncommitted_is_set {
        policy.to_mut().gates.uncommitted.mode = Mode::Ask;
    }
    // Who has a team report wants its files finished, unless the user has said something else.
    let is_team =
        matches!(given.event.kind, Kind::TaskCompleted { .. } | Kind::TeammateIdle { .. });
    let mode = policy.gates.leftovers.mode;
    if is_team && mode == Mode::Advise && !given.snapshot.leftovers_is_set {
        policy.to_mut().gates.leftovers.mode = Mode::Ask;
    }
    let heals = given.snapshot.work.as_ref().is_some_and(|it| it.heal);
    if heals && policy.gates.unsaved.mode == Mode::Advise {
        policy.to_mut().gates.unsaved.mode = Mode::Ask;
    }
    policy
}

/// Brings the session's loops one step on, and says what the user is to know of those that are
/// over.
fn go_on(
    view: &View<'_>,
    verdict: &Verdict,
    asking: &[&str],
    effects: &mut Vec<Effect>,
) -> Vec<String> {
    let mut notices = Vec::new();
    for looped in view.loops().filter(|it| view.switched_off(it.gate()).is_none()) {
        let progress = looped.progress(view);
        let is_released = matches!(verdict, Verdict::Release(it) if *it != Release::Stuck);
        // What another gate asks for is no round of this loop.
        let is_others = matches!(verdict, Verdict::Ask(_)) && !asking.contains(&looped.gate());
        let verdict = if is_others { &Verdict::Pass } else { verdict };
        let (iteration, next) = looped.after(progress, verdict);
        // A stop at which it could not send the agent on is no attempt.
        let streak = if is_released { looped.streak } else { looped.streak_with(view, &iteration) };
        if let Next::Over { end, why } = &next {
            let gate = looped.gate();
            let rounds = looped.after_rounds();
            let why = if *end == End::Proven { String::new() } else { format!(": {why}") };
            let more = match (end, &looped.until) {
                (End::Proven | End::Stopped, _) => "",
                (_, Until::Unlocked(_)) => " A new lock file sets it anew.",
                (_, Until::Released) => " `windlass hold on` sets it anew.",
                (_, Until::Passes(_) | Until::Seen(_)) => " `windlass loop resume` lets it go on.",
            };
            let whose = match looped.author {
                LoopAuthor::User => "the",
                LoopAuthor::Agent => "the agent's own",
            };
            let lines = match (end, &iteration.detail) {
                (End::Stuck, Some(detail)) => {
                    format!(" It says: {}.", detail.trim_end_matches('.'))
                }
                _ => String::new(),
            };
            notices.push(format!(
                "windlass: {whose} {gate} “{}” is over, {} {rounds}{why}.{lines}{more}",
                looped.name(),
                end.word(),
            ));
        }
        effects.push(Effect::Loop { id: looped.id, iteration, next, streak });
    }
    notices
}

#[cfg(test)]
mod tests {
    use super::decide;
    use crate::memory::{Candidate, Category, Memory, Role, Span};
    use crate::{Event, Kind, Policy, SessionId, Snapshot, StartSource, Timestamp};

    fn memory(text: &str) -> Memory {
        let (role, category, text) = (Role::Agent, Category::Discovery, text.to_owned());
        let (at, part, score, confidence, why) = (0, 0, 900, 90, Vec::new());
        let is_strong = true;
        let is_noted = false;
        let span =
            Span { role, category, text, at, part, score, confidence, is_strong, is_noted, why };
        Memory::of(Candidate::of(&span, "s", Timestamp(1)).unwrap())
    }

    fn told(unsettled: Vec<Memory>, imported: usize) -> Option<String> {
        let event = Event {
            at: Timestamp(9),
            session: SessionId::parse("s").unwrap(),
            agent: None,
            prompt: None,
            cwd: "/p".to_owned(),
            transcript: None,
            bytes: 0,
            kind: Kind::SessionStart { source: StartSource::Startup, model: None },
        };
        let snapshot = Snapshot { unsettled, imported, ..Snapshot::default() };
        decide(&event, &snapshot, &Policy::default(), || 0).notice
    }

    #[test]
    fn an_offer_names_a_handful_and_counts_the_rest() {
        assert_eq!(told(Vec::new(), 0), None);
        let one = told(vec![memory("The cache leaves the tenant out.")], 0).unwrap();
        assert!(one.contains(": 1 thing that") && one.contains("leaves the tenant out"), "{one}");
        let many = (0..100).map(|it| memory(&format!("Thing {it} is so."))).collect();
        let many = told(many, 0).unwrap();
        assert!(many.contains("100 things") && many.contains("Thing 2 is so; 97 more"), "{many}");
        assert!(many.lines().count() == 1 && many.contains("`windlass candidates`"), "{many}");
    }

    #[test]
    fn what_is_imported_is_one_line_with_a_count() {
        let text = told(vec![memory("The cache leaves the tenant out.")], 412).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        let imported =
            "windlass: 412 imported candidates are not settled: `windlass candidates` lists them";
        assert_eq!(lines[1], imported);
        assert!(told(Vec::new(), 1).unwrap().contains("1 imported candidate is"));
        assert!(told(Vec::new(), 1000).unwrap().contains("1000 or more imported candidates"));
    }
}
