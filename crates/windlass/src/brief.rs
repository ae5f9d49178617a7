//! What may be put before an agent: the reads. Which of it is said is decided elsewhere.

use windlass_core::brief::{Found, Occasion, standing};
use windlass_core::memory::Memory;
use windlass_core::recall::Recalled;
use windlass_core::{Event, Plan, Snapshot, Timestamp};

use crate::store::{Folded, StoreError, Turn};
use crate::time::DAY;

/// Days for which the last session counts as recent.
const RECENT: i64 = 14;

/// Memories that were shown before a compaction and are shown again after it.
const AGAIN: usize = 5;

/// Finds what a brief for an event may be made of, where one is made and can be kept.
pub(crate) fn find(
    turn: &Turn<'_>,
    plan: Plan,
    folded: Folded,
    event: &Event,
    snapshot: &mut Snapshot,
) -> Result<(), StoreError> {
    // What is not on record is not said.
    let Some(id) = folded.event else { return Ok(()) };
    let Some(occasion) = plan.brief else { return Ok(()) };
    snapshot.brief = Some(match occasion {
        Occasion::Start => Found {
            memories: known(turn, event, Timestamp(i64::MIN))?,
            recent: turn.recent(event, Timestamp(event.at.0.saturating_sub(RECENT * DAY)))?,
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
        Occasion::Prompt | Occasion::Tool => return Ok(()),
    });
    Ok(())
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
