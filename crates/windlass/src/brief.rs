//! What may be put before an agent: the reads. Which of it is said is decided elsewhere.

use std::path::Path;

use windlass_core::brief::{Found, Occasion, Touched, asked, standing};
use windlass_core::memory::Memory;
use windlass_core::recall::Recalled;
use windlass_core::{Event, Kind, Plan, Policy, Snapshot, Timestamp};

use crate::index;
use crate::store::{Folded, StoreError, Turn};
use crate::surroundings::Surrounding;
use crate::time::DAY;

/// Days for which the last session counts as recent.
const RECENT: i64 = 14;

/// Memories that were shown before a compaction and are shown again after it.
const AGAIN: usize = 5;

/// How many more memories are looked for than may be told: some were shown before.
const MORE: usize = 20;

/// Finds what a brief for an event may be made of, where one is made and can be kept. Tells whether
/// the index is late, and should be made anew.
pub(crate) fn find(
    turn: &Turn<'_>,
    plan: Plan,
    folded: Folded,
    event: &Event,
    policy: &Policy,
    snapshot: &mut Snapshot,
) -> Result<bool, StoreError> {
    // What is not on record is not said.
    let Some(id) = folded.event else { return Ok(false) };
    let Some(occasion) = plan.brief else { return Ok(false) };
    let mut is_late = false;
    snapshot.brief = Some(match occasion {
        Occasion::Start => Found {
            memories: known(turn, event, Timestamp(i64::MIN))?,
            recent: turn.recent(event, Timestamp(event.at.0.saturating_sub(RECENT * DAY)))?,
            loops: turn.loops(event)?,
            ..Found::default()
        },
        Occasion::Clear => Found {
            memories: known(turn, event, Timestamp(i64::MIN))?,
            loops: turn.loops(event)?,
            ..Found::default()
        },
        // What was known then the agent has before it.
        Occasion::Resume => Found {
            memories: match turn.last_at(event, id)? {
                Some(at) => known(turn, event, Timestamp(at.0.saturating_add(1)))?,
                None => Vec::new(),
            },
            shown: turn.shown(event)?,
            ..Found::default()
        },
        Occasion::Compact => Found {
            memories: lost(turn, event)?,
            requests: turn.requests(event)?,
            loops: snapshot.looping.loops.clone(),
            ..Found::default()
        },
        Occasion::Agent => {
            Found { memories: known(turn, event, Timestamp(i64::MIN))?, ..Found::default() }
        }
        Occasion::Prompt => {
            let (found, late) = fitting(turn, event, policy)?;
            is_late = late;
            found
        }
        Occasion::Tool => {
            let Some(touched) = touched(event, policy, snapshot.root.as_deref()) else {
                return Ok(false);
            };
            let strong = touched.strong(turn.keyed(event, &touched.keys())?);
            let shown = if strong.is_empty() { Vec::new() } else { turn.shown(event)? };
            let memories = strong.into_iter().map(whole).collect();
            Found { memories, shown, ..Found::default() }
        }
    });
    Ok(is_late)
}

/// Whether something may be known for sure about what a tool is about to touch. It is asked before
/// the store is opened: mostly nothing is.
pub(crate) fn is_at_hand(data_dir: &Path, event: &Event, here: &Surrounding) -> bool {
    let root = here.root().map(|it| it.to_string_lossy().into_owned());
    let keys = touched(event, &here.policy, root.as_deref()).map(|it| it.keys());
    keys.is_some_and(|it| !it.is_empty() && index::has_one_of(data_dir, &it))
}

/// What a tool is about to touch.
fn touched(event: &Event, policy: &Policy, root: Option<&str>) -> Option<Touched> {
    let Kind::ToolStart(call) = &event.kind else { return None };
    Some(Touched::of(call, root.unwrap_or(&event.cwd), &policy.gates.runs))
}

/// What fits the words of a prompt.
fn fitting(turn: &Turn<'_>, event: &Event, policy: &Policy) -> Result<(Found, bool), StoreError> {
    let Some(words) = asked(event) else { return Ok((Found::default(), false)) };
    let brief = &policy.brief;
    let (floor, most) = (u8::try_from(brief.floor).unwrap_or(100), brief.prompt.items as usize);
    let found = turn.recall(event, &words, floor, most + MORE, |_| None)?;
    let memories: Vec<_> = found.hits.into_iter().map(|it| it.recalled).collect();
    // Most prompts have nothing to do with what is known.
    let shown = if memories.is_empty() { Vec::new() } else { turn.shown(event)? };
    Ok((Found { memories, shown, ..Found::default() }, found.is_late))
}

/// What stands in the project, the most worth first.
fn known(turn: &Turn<'_>, event: &Event, since: Timestamp) -> Result<Vec<Recalled>, StoreError> {
    Ok(standing(turn.standing(event, since)?, event.at).into_iter().map(whole).collect())
}

/// What was found in the session, and what its agent was shown.
fn lost(turn: &Turn<'_>, event: &Event) -> Result<Vec<Recalled>, StoreError> {
    let mut ids = turn.shown(event)?;
    ids.truncate(AGAIN);
    let mut lost = turn.learned(event)?;
    for memory in turn.named(&ids)? {
        if !lost.iter().any(|it| it.id == memory.id) {
            lost.push(memory);
        }
    }
    Ok(lost.into_iter().map(whole).collect())
}

/// A memory that nobody asked for, and that is known all the same.
fn whole(memory: Memory) -> Recalled {
    Recalled { memory, score: 0, coverage: 100, stale: None }
}
