//! What was learned in the session and nobody has kept.

use super::{Answer, Caps, Gate, Missing, Moment, View};
use crate::foreign;
use crate::memory::Memory;

pub(super) const GATE: Gate = Gate {
    name: "unsaved",
    about: "What was learned in this session, and nobody has kept or rejected.",
    mode: |it| it.unsaved.mode,
    caps: Caps::Shared,
    look,
};

/// Things that are listed; the ids of all are named.
const LISTED: usize = 4;

/// Things that are asked about at once.
const MOST: usize = 12;

/// Characters of one of them.
const MAX_TEXT: usize = 140;

/// Things above which it is urgent.
const MANY: usize = 3;

fn look(view: &View<'_>) -> Answer {
    // What was learned belongs to the conversation with the user.
    if !view.agent.is_empty() || view.moment != Moment::Stop {
        return Answer::Pass;
    }
    let strong: Vec<_> = view.unsettled.iter().filter(|it| it.is_strong).take(MOST).collect();
    if strong.is_empty() {
        return Answer::Pass;
    }
    let count = match strong.len() {
        1 => "1 thing was learned and is not kept".to_owned(),
        count if count > MANY => format!("Urgent: {count} things were learned and are not kept"),
        count => format!("{count} things were learned and are not kept"),
    };
    let mut found = format!("{count}:");
    for memory in strong.iter().take(LISTED) {
        found.push_str("\n- ");
        found.push_str(&item(memory));
    }
    if strong.len() > LISTED {
        let more = format!("\n- {} more: `windlass candidates`", strong.len() - LISTED);
        found.push_str(&more);
    }
    found.push('\n');
    let ids: Vec<_> = strong.iter().map(|it| it.id.as_str()).collect();
    let ids = ids.join(" ");
    Answer::Ask(Missing {
        found,
        satisfy: format!(
            "Settle them in one call each: `windlass remember --candidate {ids}` keeps what is \
             true and will matter again, `windlass candidates reject ID…` drops the rest.{}",
            view.pending.map(|it| format!(" All of it: {it}")).unwrap_or_default(),
        ),
        about: strong.iter().map(|it| it.id.to_string()).collect(),
    })
}

/// One of them, as the document has it.
fn item(memory: &Memory) -> String {
    let category = memory.content.category.word().to_uppercase().replace('-', "_");
    let text =
        if memory.content.text.is_empty() { &memory.content.title } else { &memory.content.text };
    let text = foreign::line(text, MAX_TEXT);
    let score = memory.confidence.unwrap_or_default();
    format!("[{category}] {text} (score: {}.{:02}, {})", score / 100, score % 100, memory.id)
}

#[cfg(test)]
mod tests {
    use crate::Timestamp;
    use crate::Verdict;
    use crate::memory::{Candidate, Category, Memory, Role, Span, State};
    use crate::policy::Mode;
    use crate::testing::Session;

    fn memory(text: &str, is_strong: bool) -> Memory {
        let span = Span {
            role: Role::Agent,
            category: Category::TechDebt,
            text: text.to_owned(),
            at: 0,
            part: 0,
            score: 1500,
            confidence: 82,
            is_strong,
            why: Vec::new(),
        };
        let candidate = Candidate::of(&span, "s", Timestamp(1)).unwrap();
        Memory {
            id: candidate.id,
            state: State::Candidate,
            content: candidate.content,
            trust: candidate.trust,
            origin: candidate.origin,
            confidence: Some(candidate.confidence),
            is_strong,
            made_at: Timestamp(1),
            changed_at: Timestamp(1),
            superseded_by: None,
            supersedes: Vec::new(),
        }
    }

    #[test]
    fn the_user_is_told_by_default_and_once() {
        let mut session = Session::new();
        session.unsettled = vec![memory("The queue is a workaround for now.", true)];
        assert_eq!(session.prompt("go").stop("done"), Verdict::Pass);
        let notice = session.notice().unwrap().to_owned();
        assert!(notice.contains("[unsaved] 1 thing was learned"), "{notice}");
        assert!(notice.contains("[TECH_DEBT] The queue is a workaround for now. (score: 0.82"));
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
        let command = format!("`windlass remember --candidate {} {}`", ids[0], ids[1]);
        assert!(text.contains(&command), "{text}");
        assert!(!text.contains("weak") && !text.contains(&ids[2]), "{text}");
        // Nobody settles anything, and does nothing else.
        assert!(matches!(session.stop("done"), Verdict::Release(_)));
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
}
