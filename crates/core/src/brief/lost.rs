//! What a session is about: what the user wanted, what is in play, what is open. After a compaction
//! all of it may be lost, and the ledger has it.

use super::item::Item;
use super::words::{self, age};
use super::{Found, Request};
use crate::foreign::{inert, inert_name};
use crate::loops::{Loop, LoopAuthor, Until};
use crate::memory::Memory;
use crate::work::Ran;
use crate::{Snapshot, Timestamp, Work, path};

/// Files, tasks and runs that are named.
const NAMED: usize = 12;

/// Characters of the title of a task, of a command, and of what it printed.
const LINE: usize = 160;

/// What was going on when the conversation was compacted.
pub(super) fn lost(found: &Found, snapshot: &Snapshot, cwd: &str, now: Timestamp) -> Vec<Item> {
    let mut items = Vec::new();
    let last = found.requests.len().saturating_sub(1);
    let requests = found.requests.iter().enumerate();
    items.extend(requests.map(|(number, it)| request((number, last), it, now)));
    items.extend(in_force(found, snapshot).map(looped));
    if let Some(work) = snapshot.corrected_work() {
        let root = snapshot.root.as_deref().unwrap_or(cwd);
        items
            .extend([tasks(&work), failing(&work, root), files(&work, root)].into_iter().flatten());
    }
    items
}

fn request((number, last): (usize, usize), request: &Request, now: Timestamp) -> Item {
    let which = match number {
        0 => "the first request",
        it if it == last => "the latest request",
        _ => "a later request",
    };
    let head = format!("{which} of this session · the user said {}", age(request.at, now));
    Item::of_session(head, prose(&request.text), true)
}

/// The lines of a text that say something.
fn prose(text: &str) -> Vec<String> {
    inert(text).into_iter().filter(|it| !it.is_empty()).collect()
}

/// The loops and holds whose gate the user has not switched off.
pub(super) fn in_force<'f>(
    found: &'f Found,
    snapshot: &'f Snapshot,
) -> impl Iterator<Item = &'f Loop> {
    let is_off = |it: &&Loop| snapshot.off.iter().any(|off| off.covers(it.gate()));
    found.loops.iter().filter(move |it| !is_off(it))
}

/// A loop or a hold that is not over.
pub(super) fn looped(it: &Loop) -> Item {
    let is_hold = matches!(it.until, Until::Released | Until::Unlocked(_));
    let what = if is_hold { "a hold" } else { "a loop" };
    let until = match &it.until {
        Until::Passes(command) => format!("until `{}` passes", inert_name(command, LINE)),
        Until::Seen(command) => format!("until `{}` was seen to pass", inert_name(command, LINE)),
        Until::Released if it.author == LoopAuthor::Agent => "until you release it".to_owned(),
        Until::Released | Until::Unlocked(_) => "until the user releases it".to_owned(),
    };
    let whose = match it.author {
        LoopAuthor::User => "of the user's",
        LoopAuthor::Agent => "that you started in this session",
    };
    let round = format!("round {} of {}", it.rounds, it.limits.rounds);
    let head = format!("{what} {whose} is on · {round} · it goes on {until}");
    let task = if it.task.trim().is_empty() { "go on working" } else { &it.task };
    // Only what the user said stands in quotes of the user's.
    let is_said = it.author == LoopAuthor::User && !it.task.trim().is_empty();
    let is_wish = it.author == LoopAuthor::User;
    Item { is_wish, ..Item::of_session(head, prose(task), is_said) }
}

fn tasks(work: &Work) -> Option<Item> {
    let lines = work.tasks.iter().take(NAMED).map(|it| inert_name(&it.subject, LINE));
    listed("open entries of the task list", lines.collect(), work.tasks.len())
}

fn failing(work: &Work, root: &str) -> Option<Item> {
    let is_here = |it: &&Ran| {
        let directory = it.directory.as_deref();
        directory.is_none_or(|it| path::is_within(it, root))
    };
    let mut failed: Vec<_> = work.standing_failures().filter(is_here).collect();
    failed.reverse();
    let line = |it: &&Ran| {
        let detail = it.detail.as_deref().map(|it| format!(": {}", inert_name(it, LINE)));
        format!("{}{}", inert_name(&it.command, LINE), detail.unwrap_or_default())
    };
    let lines = failed.iter().take(NAMED).map(line).collect();
    listed("runs whose last end was a failure · seen to happen", lines, failed.len())
}

fn files(work: &Work, root: &str) -> Option<Item> {
    let number = work.edits.len() + work.more_edits as usize;
    let latest = work.edits.iter().rev().take(NAMED);
    let lines = latest.map(|it| words::path(path::below(&it.file, root)));
    let lines: Vec<_> = lines.collect();
    let more = number.saturating_sub(lines.len());
    let joined = if lines.is_empty() { Vec::new() } else { vec![lines.join(", ")] };
    let head = match more {
        0 => "files that were edited, the latest first".to_owned(),
        more => format!("files that were edited, the latest first; {more} more"),
    };
    listed(&head, joined, 0)
}

fn listed(head: &str, mut lines: Vec<String>, number: usize) -> Option<Item> {
    lines.retain(|it| !it.is_empty());
    let more = number.saturating_sub(lines.len());
    if !lines.is_empty() && more > 0 {
        lines.push(format!("and {more} more"));
    }
    (!lines.is_empty()).then(|| Item::of_session(head.to_owned(), lines, false))
}

/// Titles of candidates that are named.
const TITLES: usize = 3;

/// What earlier sessions found and nobody settled, in one item.
pub(super) fn unsettled(left: &[Memory], has_tools: bool) -> Option<Item> {
    let named = left.iter().take(TITLES);
    let lines = named.map(|it| format!("[{}] {}", it.id, inert_name(&it.content.title, LINE)));
    let tool = if has_tools { ", or its tool `candidates`," } else { "" };
    let head = format!(
        "found in earlier sessions, and nobody confirmed it · `windlass candidates`{tool} lists it"
    );
    listed(&head, lines.collect(), left.len())
}
