//! Events that would call windlass more than once.
//!
//! The client calls entries that are the same hook once, wherever they stand. Another spelling of
//! the command line is another hook, and so is the entry of a plugin.

use super::installation::Installation;
use super::{Finding, listed};
use crate::agent::claude::registered::{Entry, Origin};
use crate::shell::quoted;

/// Two hooks that are called on the same events.
struct Pair<'e> {
    keep: &'e Entry,
    drop: &'e Entry,
    events: Vec<&'e str>,
}

/// Finds events on which the client would start windlass twice.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let entries: Vec<_> = it.entries_here().collect();
    let mut pairs: Vec<Pair<'_>> = Vec::new();
    for (at, one) in entries.iter().enumerate() {
        for other in &entries[at + 1..] {
            if one.event != other.event || one.is_same_hook(other) {
                continue;
            }
            let (keep, drop) = order(it, one, other);
            let is_like = |it: &&mut Pair<'_>| is_like(it.keep, keep) && is_like(it.drop, drop);
            match pairs.iter_mut().find(is_like) {
                Some(pair) => pair.events.push(&one.event),
                None => pairs.push(Pair { keep, drop, events: vec![&one.event] }),
            }
        }
    }
    pairs.iter().map(finding).collect()
}

fn is_like(one: &Entry, other: &Entry) -> bool {
    one.source == other.source && one.line() == other.line()
}

/// The entry to keep comes first: the one that `init` wrote, and that of the user.
fn order<'e>(it: &Installation<'_>, one: &'e Entry, other: &'e Entry) -> (&'e Entry, &'e Entry) {
    let is_written = |entry: &Entry| {
        entry.command == it.wanted.command && entry.args.as_deref() == Some(&["hook".to_owned()])
    };
    let rank = |entry: &Entry| (!is_written(entry), entry.source.origin);
    if rank(one) <= rank(other) { (one, other) } else { (other, one) }
}

fn finding(pair: &Pair<'_>) -> Finding {
    let Pair { keep, drop, events } = pair;
    let (one, other) = (&keep.source.path, &drop.source.path);
    let found = if one == other {
        let (one, other) = (keep.line(), drop.line());
        let file = keep.source.path.display();
        format!("{file} registers {} twice: as `{one}` and as `{other}`.", listed(events))
    } else {
        let (one, other) = (one.display(), other.display());
        format!("Registered twice, in {one} and in {other}: {}.", listed(events))
    };
    let next = match (&drop.source.plugin, drop.source.origin, &drop.source.project) {
        (Some(plugin), ..) => format!("run `claude plugin disable {}`", plugin.id),
        (None, Origin::Local, Some(root)) if one != other => {
            format!("run `windlass uninstall --project` in {}", quoted(root))
        }
        _ => {
            let file = drop.source.path.display();
            format!("edit {file}: remove the entries with the command `{}`", drop.line())
        }
    };
    Finding::fault(
        found,
        "windlass is started twice, and one of the two has to find out and stay silent",
        next,
    )
}
