//! What may be put before an agent: the reads. Which of it is said is decided elsewhere.

use std::path::Path;

use windlass_core::brief::{Found, Occasion, Touched, asked, standing};
use windlass_core::memory::Memory;
use windlass_core::policy::Weights;
use windlass_core::recall::{Commit, Recalled, Snippet};
use windlass_core::{Event, Kind, Plan, Policy, Snapshot, Timestamp};

use crate::index;
use crate::source::Sources;
use crate::store::{Folded, StoreError, Turn};
use crate::surroundings::Surrounding;
use crate::time::DAY;

/// Days for which the last session counts as recent.
const RECENT: i64 = 14;

/// Memories that were shown before a compaction and are shown again after it.
const AGAIN: usize = 5;

/// Memories whose files are looked at.
const LOOKED_AT: usize = 12;

/// How many more memories are looked for than may be told: some were shown before.
const MORE: usize = 20;

/// Finds what a brief for an event may be made of, where one is made and can be kept. Tells whether
/// the index is late, and should be made anew.
pub(crate) fn find(
    turn: &Turn<'_>,
    plan: Plan,
    folded: Folded,
    event: &Event,
    here: &Surrounding,
    snapshot: &mut Snapshot,
) -> Result<bool, StoreError> {
    // What is not on record is not said.
    let Some(id) = folded.event else { return Ok(false) };
    let Some(occasion) = plan.brief else { return Ok(false) };
    let root = here.root();
    let mut sources = root.as_deref().map(|it| Sources::at(it, Path::new(&event.cwd)));
    let mut is_late = false;
    let mut found = match occasion {
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
            let (found, late) = fitting(turn, event, &here.policy, sources.as_mut())?;
            is_late = late;
            found
        }
        Occasion::Tool => {
            let Some(touched) = touched(event, here) else { return Ok(false) };
            let strong = touched.strong(turn.keyed(event, &touched.keys())?);
            let shown = if strong.is_empty() { Vec::new() } else { turn.shown(event)? };
            let memories = strong.into_iter().map(whole).collect();
            Found { memories, shown, ..Found::default() }
        }
    };
    if let Some(sources) = sources.as_mut().filter(|_| occasion != Occasion::Prompt) {
        for known in found.memories.iter_mut().take(LOOKED_AT) {
            known.stale = sources.stale(&known.memory);
        }
    }
    let is_own =
        |it: &Recalled| it.memory.origin.session.as_deref() == Some(event.session.as_str());
    if found.memories.iter().any(is_own) {
        found.lost_at = turn.lost_at(event)?;
    }
    snapshot.brief = Some(found);
    Ok(is_late)
}

/// Whether something may be known for sure about what a tool is about to touch. It is asked before
/// the store is opened: mostly nothing is.
pub(crate) fn is_at_hand(data_dir: &Path, event: &Event, here: &Surrounding) -> bool {
    let keys = touched(event, here).map(|it| it.keys());
    keys.is_some_and(|it| !it.is_empty() && index::has_one_of(data_dir, &it))
}

/// What a tool is about to touch.
fn touched(event: &Event, here: &Surrounding) -> Option<Touched> {
    let Kind::ToolStart(call) = &event.kind else { return None };
    let root = here.root().map(|it| it.to_string_lossy().into_owned());
    Some(Touched::of(call, root.as_deref().unwrap_or(&event.cwd), &here.policy.gates.runs))
}

/// What fits the words of a prompt: memories, and of the files that it names lines and commits; where
/// it names none, of one that was changed lately.
fn fitting(
    turn: &Turn<'_>,
    event: &Event,
    policy: &Policy,
    mut sources: Option<&mut Sources<'_>>,
) -> Result<(Found, bool), StoreError> {
    let Some(words) = asked(event) else { return Ok((Found::default(), false)) };
    let brief = &policy.brief;
    let (floor, most) = (u8::try_from(brief.floor).unwrap_or(100), brief.prompt.items as usize);
    let stale = |memory: &Memory| sources.as_mut()?.stale(memory);
    let found = turn.recall(event, &words, floor, most + MORE, stale)?;
    let memories: Vec<_> = found.hits.into_iter().map(|it| it.recalled).collect();
    // Most prompts have nothing to do with what is known.
    let shown = if memories.is_empty() { Vec::new() } else { turn.shown(event)? };
    let (code, commits) = match sources {
        Some(sources) => of_project(sources, &words, &brief.weights),
        None => (Vec::new(), Vec::new()),
    };
    let is_told = !code.is_empty() || !commits.is_empty();
    let told = if is_told { turn.told(event)? } else { Vec::new() };
    Ok((Found { memories, shown, code, commits, told, ..Found::default() }, found.is_late))
}

/// What the project itself says about the files that a prompt names, or about one that was changed
/// lately.
fn of_project(
    sources: &mut Sources<'_>,
    words: &str,
    weights: &Weights,
) -> (Vec<Snippet>, Vec<Commit>) {
    if weights.code == 0 && weights.commits == 0 {
        return (Vec::new(), Vec::new());
    }
    let named = sources.named(words);
    let code = match weights.code {
        0 => Vec::new(),
        _ if named.is_empty() => sources.lately(words).into_iter().collect(),
        _ => sources.code(&named, words),
    };
    let mut files: Vec<_> = named.iter().map(|it| it.path.as_str()).collect();
    if files.is_empty() {
        files.extend(code.iter().map(|it| it.path.as_str()));
    }
    let commits = if weights.commits > 0 { sources.commits(&files) } else { Vec::new() };
    (code, commits)
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
