//! The words for the agent and for the user.

use super::MAX_ASK;
use super::decline::DECLINE;
use crate::Release;
use crate::excerpt::{shortened, shortened_lines};
use crate::gate::{Caps, Gate, Missing, Moment, View};
use crate::loops::LoopAuthor;

/// The words for the agent: what is missing, how to bring it, how to decline.
pub(super) fn text(view: &View<'_>, open: &[(&Gate, Missing)]) -> String {
    let moment = view.moment;
    let before = match moment {
        Moment::Stop => "before you stop",
        Moment::Task => "before this task is completed",
        Moment::Idle => "before you go idle",
    };
    let mut text = match open.len() {
        1 => format!("windlass: {before}, one thing is missing."),
        count => format!("windlass: {before}, {count} things are missing."),
    };
    let first = |is_own| open.iter().find(|it| (it.0.caps == Caps::Own) == is_own);
    let own = first(true).map(|it| way_out(it.0.name, view.author_of(it.0.name)));
    let shared = first(false).map(|it| way_to_decline(moment, it.0.name));
    let tail: String = own.into_iter().chain(shared).collect();
    let room = MAX_ASK - text.chars().count() - tail.chars().count();
    let each = room / open.len().max(1);
    for (gate, Missing { found, satisfy, .. }) in open {
        let room = each.saturating_sub(gate.name.len() + "\n\n[]  ".len());
        // What is missing may be cut; how to bring it is cut only where it takes most of the room.
        let satisfy = shortened(satisfy, room * 2 / 3);
        let found = shortened_lines(found, room - satisfy.chars().count());
        text.extend(["\n\n[", gate.name, "] ", &found, gap_after(&found), &satisfy]);
    }
    text.push_str(&tail);
    text
}

/// How the agent gets out of a loop or a hold.
fn way_out(gate: &str, author: LoopAuthor) -> String {
    match author {
        LoopAuthor::User if gate == "states-loop" => "\n\nThis loop is not yours to end or to \
            decline: the tool that keeps loop.json ends it. If only the user can help, say what you \
            need and stop without another tool call: you are let go until the next prompt."
            .to_owned(),
        LoopAuthor::User => format!(
            "\n\nThe {gate} is the user's, and not yours to end or to decline. If only the user \
             can help, say what you need and stop without another tool call: you are let go, and \
             it waits for the user's next prompt."
        ),
        LoopAuthor::Agent => format!(
            "\n\nYou started this {gate} yourself, and may end it: `windlass {}`. If only the \
             user can help, say what you need and stop without another tool call: you are let go, \
             and it waits for the next prompt.",
            end_of(gate),
        ),
    }
}

/// The command that ends what a gate with limits of its own asks for.
pub(super) fn end_of(gate: &str) -> &'static str {
    match gate {
        "hold" => "hold off",
        "loop" => "loop stop",
        _ => "gate off states-loop",
    }
}

/// What a gate found, for the user, with what can be done about it.
pub(super) fn open(gate: &Gate, missing: &Missing) -> String {
    let found = &missing.found;
    let gap = if gate.next.is_empty() { "" } else { gap_after(found) };
    format!("[{}] {found}{gap}{}", gate.name, gate.next)
}

/// What stands between what was found and the next sentence: a list ends with its line.
fn gap_after(found: &str) -> &'static str {
    if found.contains('\n') { "\n" } else { " " }
}

fn way_to_decline(moment: Moment, gate: &str) -> String {
    match moment {
        Moment::Stop => format!(
            "\n\nIf this does not apply, stop again and end your message with this line, which the \
             user reads: `{DECLINE}{gate}: REASON`"
        ),
        // No message comes with these.
        Moment::Task | Moment::Idle => {
            "\n\nIf this does not apply, say why in your message and try again: without something new \
             windlass does not ask a second time."
                .to_owned()
        }
    }
}

/// Characters of what a gate found, in the line for the user.
const MAX_FOUND: usize = 240;

/// The user's line about an ask: what each gate sent the agent back for, and how to end that.
pub(super) fn sent_back(asking: &[(&Gate, Missing)]) -> String {
    let each = asking.iter().map(|(gate, missing)| {
        format!("[{}] sent the agent back: {}", gate.name, found_line(&missing.found))
    });
    let each: Vec<_> = each.collect();
    let mut own: Vec<_> = asking.iter().map(|it| it.0).filter(|it| it.caps == Caps::Own).collect();
    own.dedup_by_key(|it| it.name);
    let end = |gate: &&Gate| match gate.name {
        "states-loop" => format!("`windlass {}` lets the agent stop.", end_of(gate.name)),
        name => format!("`windlass {}` ends the {name}.", end_of(name)),
    };
    let ends: Vec<_> = own.iter().map(end).collect();
    let way_out = if ends.is_empty() {
        "`windlass gate off` switches the gates of this project off until `windlass gate on`."
            .to_owned()
    } else {
        ends.join(" ")
    };
    format!("{} {way_out}", each.join(" "))
}

/// What a gate found, in one line.
pub(super) fn found_line(found: &str) -> String {
    let found = found.lines().next().unwrap_or_default();
    // A list begins with its title.
    let found = shortened(found.trim_end_matches(':'), MAX_FOUND);
    let end = if found.ends_with(['.', '…']) { "" } else { "." };
    format!("{found}{end}")
}

/// Why the agent was let go, without the word under which that is recorded.
pub(crate) fn reason_for_user(release: Release) -> &'static str {
    let reason = release.reason();
    reason.split_once(": ").map_or(reason, |it| it.1)
}
