//! What was learned in the session and nobody has kept.

use super::{Answer, Caps, Gate, Missing, Moment, View};
use crate::memory::{Category, Memory, Urgency};
use crate::policy::Mode;
use crate::{Event, Kind, foreign};

pub(crate) const GATE: Gate = Gate {
    name: "unsaved",
    about: "What was learned in this session, and nobody has kept or rejected.",
    mode: |it| it.unsaved.mode,
    caps: Caps::Once,
    look,
    next: "`windlass candidates` lists them; `windlass remember --candidate ID` keeps one, \
           `windlass candidates reject ID` drops one.",
};

/// Things that are listed; the ids of all are named.
const LISTED: usize = 4;

/// Things that are asked about at once.
const MOST: usize = 12;

/// Characters of one of them.
const MAX_TEXT: usize = 140;

/// What the user is told who wants something settled where there is nothing.
const NOTHING: &str = "Nothing of this session waits to be settled. `windlass candidates` lists what \
    earlier sessions left.";

/// Things above which it is urgent.
const MANY: usize = 3;

/// Whether an event is one at which it is looked. What was learned belongs to the conversation with
/// the user.
pub(crate) const fn is_looked_for(event: &Event) -> bool {
    event.agent.is_none() && matches!(event.kind, Kind::Stop(_))
}

/// How urgent it is to settle so many things.
pub(crate) fn urgency(view: &View<'_>, count: usize) -> Urgency {
    match count {
        _ if view.is_nearly_full => Urgency::Critical,
        count if count > MANY => Urgency::High,
        _ => Urgency::Normal,
    }
}

/// Whether the user is told now that the agent is not asked any more.
pub(crate) fn gives_up(view: &View<'_>) -> bool {
    let healing = &view.work.healing;
    is_in_vain(view)
        && !healing.given_up
        && view.switched_off(GATE.name).is_none()
        && worth_asking(view).next().is_some()
}

/// Whether the agent was asked often enough. The user can always have it asked again.
fn is_in_vain(view: &View<'_>) -> bool {
    asks(view) && view.work.healing.is_in_vain() && !view.work.heal
}

/// Whether the agent is asked, and not only the user told.
fn asks(view: &View<'_>) -> bool {
    view.gates.unsaved.mode == Mode::Ask
}

/// What somebody may be bothered with, in the conversation with the user. Strong things are, where
/// there is enough of them; before a compaction the agent is asked about weak ones too, because
/// after it nobody can tell whether they are true. An assumption is kept quietly, and so is what
/// nobody said. What the agent has declined stays declined, unless the user wants it settled.
fn worth_asking<'a>(view: &View<'a>) -> impl Iterator<Item = &'a Memory> {
    let is_theirs = view.agent.is_empty() && view.moment == Moment::Stop;
    let is_enough = view.is_enough || view.work.heal || view.is_nearly_full;
    let takes_weak = asks(view) && view.is_nearly_full;
    let work = view.work;
    let is_worth_it = move |it: &&Memory| {
        let is_weak = it.origin.score.is_some() && it.content.category != Category::Assumption;
        let is_declined = !work.heal && work.healing.declined.iter().any(|id| it.id.as_str() == id);
        is_theirs && is_enough && !is_declined && (it.is_strong || takes_weak && is_weak)
    };
    view.unsettled.iter().filter(is_worth_it)
}

fn look(view: &View<'_>) -> Answer {
    if is_in_vain(view) {
        return if gives_up(view) { Answer::Advise(given_up(view)) } else { Answer::Pass };
    }
    // The user is told of each once; the agent is asked until it is settled.
    let is_new = |it: &&Memory| asks(view) || !view.work.healing.told.contains(&it.id.to_string());
    let open: Vec<_> = worth_asking(view).filter(is_new).take(MOST).collect();
    if open.is_empty() {
        let says_so = view.work.heal && worth_asking(view).next().is_none();
        return if says_so { Answer::Advise(NOTHING.to_owned()) } else { Answer::Pass };
    }
    let count = match open.len() {
        1 => "1 thing was learned and is not kept".to_owned(),
        count => format!("{count} things were learned and are not kept"),
    };
    let mut found = match urgency(view, open.len()) {
        Urgency::Normal => format!("{count}:"),
        Urgency::High => format!("Urgent: {count}:"),
        Urgency::Critical => {
            format!("Critical: the conversation is about to be compacted, and {count}:")
        }
    };
    for memory in open.iter().take(LISTED) {
        found.push_str("\n- ");
        found.push_str(&item(memory));
    }
    if open.len() > LISTED {
        let more = format!("\n- {} more", open.len() - LISTED);
        found.push_str(&more);
    }
    let ids: Vec<_> = open.iter().map(|it| it.id.as_str()).collect();
    let ids = ids.join(" ");
    Answer::Ask(Missing {
        found,
        // Where there is no room for all of it, the end is cut: what nobody else says comes first.
        satisfy: format!(
            "Ids: {ids}. {}`windlass remember --candidate ID…` keeps what is true and will matter \
             again, `windlass candidates reject ID…` drops the rest: two calls settle them. To \
             correct one: `windlass remember \"TEXT\" --candidate ID`.",
            view.pending.map(|it| format!("All of it: `{it}`. ")).unwrap_or_default(),
        ),
        about: open.iter().map(|it| it.id.to_string()).collect(),
    })
}

/// What the user is told in place of another ask.
fn given_up(view: &View<'_>) -> String {
    let count = match worth_asking(view).count() {
        1 => "1 thing that was learned waits".to_owned(),
        count => format!("{count} things that were learned wait"),
    };
    let asks = view.work.healing.in_vain;
    let place = view.pending.map(|it| format!(" They stand in {it}.")).unwrap_or_default();
    format!(
        "{count} to be settled. The agent was asked {asks} times, settled nothing, and is not \
         asked again in this session.{place} `windlass candidates` lists them; say “heal \
         discoveries” in a prompt to have it asked once more at the end of that prompt."
    )
}

/// One of them. Its score is how sure the detector was, from 0 to 1; elsewhere it is in per cent.
fn item(memory: &Memory) -> String {
    let category = memory.content.category.word().to_uppercase().replace('-', "_");
    let text =
        if memory.content.text.is_empty() { &memory.content.title } else { &memory.content.text };
    let text = foreign::line(text, MAX_TEXT);
    let score = memory.confidence.unwrap_or_default();
    format!("[{category}] {text} (score: {}.{:02}) {}", score / 100, score % 100, memory.id)
}

#[cfg(test)]
mod tests {
    use crate::memory::{Candidate, Category, Memory, Role, Span, Urgency};
    use crate::policy::Mode;
    use crate::testing::Session;
    use crate::{Effect, Release, TaskChange, Timestamp, Verdict};

    fn memory(text: &str, is_strong: bool) -> Memory {
        let span = Span {
            role: Role::Agent,
            category: Category::TechDebt,
            text: text.to_owned(),
            at: 0,
            part: 0,
            score: if is_strong { 2000 } else { 100 },
            is_noted: false,
            confidence: 82,
            is_strong,
            why: Vec::new(),
        };
        Memory::of(Candidate::of(&span, "s", Timestamp(1)).unwrap())
    }

    #[test]
    fn the_user_is_told_by_default_and_once() {
        let mut session = Session::new();
        session.unsettled = vec![memory("The queue is a workaround for now.", true)];
        assert_eq!(session.prompt("go").stop("done"), Verdict::Pass);
        let notice = session.notice().unwrap().to_owned();
        let id = &session.unsettled[0].id;
        let told = format!(
            "windlass: [unsaved] 1 thing was learned and is not kept:\n\
             - [TECH_DEBT] The queue is a workaround for now. (score: 0.82) {id}\n\
             `windlass candidates` lists them; `windlass remember --candidate ID` keeps one, \
             `windlass candidates reject ID` drops one."
        );
        assert_eq!(notice, told);
        session.stop("done");
        assert_eq!(session.notice(), None);
    }

    #[test]
    fn where_it_is_switched_on_the_agent_is_asked_with_the_command_and_the_ids() {
        let mut session = Session::new();
        session.policy.gates.unsaved.mode = Mode::Ask;
        let known = [memory("One.", true), memory("Two.", true), memory("Three, weak.", false)];
        let ids: Vec<_> = known.iter().map(|it| it.id.to_string()).collect();
        session.unsettled = known.into();
        let Verdict::Ask(text) = session.prompt("go").stop("done") else { panic!() };
        assert!(
            text.contains(&format!("\n- [TECH_DEBT] One. (score: 0.82) {}\n", ids[0])),
            "{text}"
        );
        // A call that is pasted as it is keeps nothing that nobody has looked at.
        assert!(text.contains("`windlass remember --candidate ID…` keeps what is true"), "{text}");
        assert!(text.contains(&format!("\nIds: {} {}. ", ids[0], ids[1])), "{text}");
        assert!(text.contains("`windlass remember \"TEXT\" --candidate ID`"), "{text}");
        assert!(!text.contains("weak") && !text.contains(&ids[2]), "{text}");
        // Nobody settles anything, and does nothing else.
        assert!(matches!(session.stop("done"), Verdict::Release(_)));
        let notice = session.notice().unwrap();
        assert!(notice.contains("still open: [unsaved] 2 things"), "{notice}");
        assert!(notice.ends_with(super::GATE.next), "{notice}");
    }

    #[test]
    fn whatever_else_is_asked_the_ids_are_told() {
        let mut session = Session::new();
        let gates = &mut session.policy.gates;
        for gate in [&mut gates.unsaved, &mut gates.tasks, &mut gates.leftovers] {
            gate.mode = Mode::Ask;
        }
        let long =
            |it: usize| memory(&format!("{it} is a workaround {}", "for now ".repeat(20)), true);
        session.unsettled = (0..super::MOST).map(long).collect();
        let ids: Vec<_> = session.unsettled.iter().map(|it| it.id.to_string()).collect();
        let open = TaskChange::Open { id: "1".to_owned(), subject: "x".to_owned() };
        session.prompt("go").tasks(vec![open]);
        session.edit("/p/a.rs").shell("cargo test", Err(101), "test result: FAILED. 1 failed");
        let Verdict::Ask(text) = session.stop("done") else { panic!() };
        assert!(text.contains("[proof]") && text.contains("[tasks]"), "{text}");
        assert!(ids.iter().all(|it| text.contains(it)), "{text}");
    }

    #[test]
    fn the_agent_is_asked_once_for_each_prompt_whatever_it_does_after_it() {
        let mut session = Session::new();
        session.policy.gates.unsaved.mode = Mode::Ask;
        session.policy.gates.tasks.mode = Mode::Ask;
        session.unsettled = vec![memory("One.", true), memory("Two.", true)];
        assert!(asks(&mut session).is_some());
        session.edit("/p/a.rs").shell("cargo test", Ok(()), "test result: ok. 3 passed");
        session.unsettled.push(memory("Three.", true));
        let Verdict::Release(release) = session.stop("done") else { panic!() };
        assert_eq!(release, Release::PromptCap);
        let notice = session.notice().unwrap();
        assert!(notice.contains("still open: [unsaved] 3 things were learned"), "{notice}");
        // Another gate may still ask, and this one keeps out of it.
        session.tasks(vec![TaskChange::Open { id: "1".to_owned(), subject: "x".to_owned() }]);
        let Verdict::Ask(text) = session.stop("done") else { panic!() };
        assert!(text.contains("[tasks]") && !text.contains("[unsaved]"), "{text}");
        // The next prompt is another one.
        session.tasks(vec![TaskChange::Closed { id: "1".to_owned() }]);
        assert!(asks(&mut session).is_some());
    }

    fn asks(session: &mut Session) -> Option<String> {
        match session.prompt("go").stop("done") {
            Verdict::Ask(text) => Some(text),
            Verdict::Pass | Verdict::Release(_) => None,
        }
    }

    #[test]
    fn the_user_is_told_of_each_thing_once_whatever_is_looked_at_between() {
        let mut session = Session::new();
        let first = memory("The queue is a workaround for now.", true);
        session.unsettled = vec![first.clone()];
        session.prompt("go").stop("done");
        assert!(session.notice().is_some());
        // Nothing was found at this stop, so nobody looks what is open.
        session.unsettled = Vec::new();
        session.stop("done");
        session.unsettled = vec![first.clone(), memory("Weak.", false)];
        session.stop("done");
        assert_eq!(session.notice(), None);
        session.unsettled = vec![first, memory("The lock is a workaround too.", true)];
        session.stop("done");
        let notice = session.notice().unwrap();
        assert!(notice.contains("1 thing") && notice.contains("The lock"), "{notice}");
        assert!(!notice.contains("The queue"), "{notice}");
    }

    #[test]
    fn an_ask_is_kept_with_what_it_names_and_only_where_it_is_given() {
        let kept = |session: &Session| {
            session.effects().iter().find_map(|it| match it {
                Effect::KeepAsk { memories, urgency, .. } => Some((memories.clone(), *urgency)),
                Effect::KeepDigest(_)
                | Effect::KeepWork(_)
                | Effect::KeepChecked { .. }
                | Effect::KeepShown { .. }
                | Effect::ForgetShown
                | Effect::KeepCloneNotice { .. }
                | Effect::Loop { .. } => None,
            })
        };
        let mut session = Session::new();
        let known = [memory("One.", true), memory("Two.", true), memory("Three, weak.", false)];
        let ids: Vec<_> = known.iter().map(|it| it.id.to_string()).collect();
        session.unsettled = known.into();
        assert_eq!(asks(&mut session), None);
        assert_eq!(kept(&session), None, "only the user was told");
        session.policy.gates.unsaved.mode = Mode::Ask;
        assert!(asks(&mut session).is_some());
        assert_eq!(kept(&session), Some((ids[..2].to_vec(), Urgency::Normal)));
        assert!(matches!(session.stop("done"), Verdict::Release(_)));
        assert_eq!(kept(&session), None, "it was let go");
        session.policy.gates.asks_per_session = 1;
        assert_eq!(asks(&mut session), None);
        assert_eq!(kept(&session), None, "the caps let it go");
    }

    #[test]
    fn before_a_compaction_it_is_critical_and_the_agent_is_asked_about_weak_things_too() {
        let mut session = Session::new();
        session.unsettled = vec![memory("Weak.", false)];
        session.tokens = 160_000;
        assert_eq!(asks(&mut session), None);
        assert_eq!(session.notice(), None, "the user is not bothered with it");
        session.policy.gates.unsaved.mode = Mode::Ask;
        let text = asks(&mut session).unwrap();
        assert!(text.contains("Critical: the conversation is about to be compacted"), "{text}");
        assert!(text.contains("1 thing was learned") && text.contains("Weak."), "{text}");
        session.unsettled[0].content.category = Category::Assumption;
        assert_eq!(asks(&mut session), None);
        // A longer one has a wide window, and much room.
        session.unsettled = vec![memory("Weak.", false), memory("Strong.", true)];
        session.tokens = 210_000;
        let text = asks(&mut session).unwrap();
        assert!(!text.contains("Critical") && !text.contains("Weak."), "{text}");
        session.tokens = 160_000;
        assert!(!asks(&mut session).unwrap().contains("Critical"));
    }

    #[test]
    fn who_settles_nothing_is_asked_three_times_and_then_the_user_is_told_once() {
        let mut session = Session::new();
        session.policy.gates.unsaved.mode = Mode::Ask;
        session.unsettled = vec![memory("One.", true), memory("Two.", true)];
        for _ in 0..3 {
            assert!(asks(&mut session).is_some());
        }
        assert_eq!(asks(&mut session), None);
        let notice = session.notice().unwrap().to_owned();
        assert!(notice.contains("2 things that were learned wait"), "{notice}");
        assert!(notice.contains("asked 3 times") && notice.contains("`windlass candidates`"));
        // Neither something new nor something settled begins it anew.
        session.unsettled.push(memory("Three.", true));
        assert_eq!((asks(&mut session), session.notice()), (None, None));
        session.unsettled.remove(0);
        assert_eq!((asks(&mut session), session.notice()), (None, None));
        // The user's word does.
        let verdict = session.prompt("heal discoveries").stop("done");
        assert!(matches!(verdict, Verdict::Ask(_)));
        assert_eq!((asks(&mut session), session.notice()), (None, None));
    }

    #[test]
    fn what_the_agent_declines_it_is_not_asked_for_again_in_the_session() {
        let mut session = Session::new();
        session.policy.gates.unsaved.mode = Mode::Ask;
        session.unsettled = vec![memory("One.", true), memory("Two.", true)];
        for _ in 0..2 {
            assert!(asks(&mut session).is_some());
        }
        let verdict = session.stop("No.\nwindlass decline unsaved: both are guesses");
        assert_eq!(verdict, Verdict::Release(Release::Declined));
        let notice = session.notice().unwrap();
        assert!(notice.contains("The agent declined [unsaved]: both are guesses"), "{notice}");
        for _ in 0..4 {
            assert_eq!((asks(&mut session), session.notice()), (None, None));
        }
        // What is new is asked for, and it was never asked in vain.
        session.unsettled.push(memory("Three.", true));
        for _ in 0..3 {
            let text = asks(&mut session).unwrap();
            assert!(text.contains("1 thing was") && text.contains("Three."), "{text}");
        }
        assert_eq!(asks(&mut session), None);
        let notice = session.notice().unwrap();
        assert!(notice.contains("1 thing that was learned waits"), "{notice}");
        // The user's word counts for more.
        let Verdict::Ask(text) = session.prompt("heal discoveries").stop("done") else { panic!() };
        assert!(text.contains("3 things") && text.contains("One."), "{text}");
    }

    #[test]
    fn who_settles_something_is_asked_again() {
        let mut session = Session::new();
        session.policy.gates.unsaved.mode = Mode::Ask;
        session.unsettled = (0..9).map(|it| memory(&format!("{it}."), true)).collect();
        for _ in 0..8 {
            assert!(asks(&mut session).is_some());
            session.unsettled.remove(0);
        }
    }

    #[test]
    fn many_are_counted_and_the_ask_stays_short() {
        let mut session = Session::new();
        session.policy.gates.unsaved.mode = Mode::Ask;
        let long = "words that go on ".repeat(40);
        session.unsettled = (0..40).map(|it| memory(&format!("{it} {long}"), true)).collect();
        let Verdict::Ask(text) = session.prompt("go").stop("done") else { panic!() };
        assert!(text.contains("Urgent: 12 things") && text.contains("8 more"), "{text}");
        assert!(text.chars().count() <= crate::arbiter::MAX_ASK);
    }

    #[test]
    fn who_says_heal_discoveries_has_the_agent_asked_for_this_prompt() {
        let mut session = Session::new();
        session.unsettled = vec![memory("One.", true)];
        let verdict = session.prompt("Please heal discoveries now").stop("done");
        assert!(matches!(verdict, Verdict::Ask(_)));
        assert!(!matches!(session.prompt("thanks").stop("done"), Verdict::Ask(_)));
    }

    #[test]
    fn who_says_heal_discoveries_is_told_where_there_is_nothing_to_heal() {
        let mut session = Session::new();
        assert_eq!(session.prompt("heal discoveries").stop("done"), Verdict::Pass);
        let notice = session.notice().unwrap();
        assert!(notice.contains("Nothing of this session waits"), "{notice}");
        session.prompt("thanks").stop("done");
        assert_eq!(session.notice(), None);
    }

    #[test]
    fn a_session_with_one_weak_finding_is_left_in_peace() {
        let mut session = Session::new();
        session.policy.gates.unsaved.mode = Mode::Ask;
        let mut single = memory("One.", true);
        single.origin.score = Some(1200);
        session.unsettled = vec![single];
        assert!(!matches!(session.prompt("go").stop("done"), Verdict::Ask(_)));
        session.unsettled.push(memory("Another.", false));
        let Verdict::Ask(text) = session.prompt("go on").stop("done") else { panic!() };
        assert!(text.contains("One.") && !text.contains("Another."), "{text}");
    }
}
