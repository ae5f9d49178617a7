//! What may be put before an agent: the reads. Which of it is said is decided elsewhere.

use std::fs;
use std::path::Path;

use windlass_core::brief::{Found, Near, Occasion, Touched, asked, standing};
use windlass_core::memory::Category;
use windlass_core::policy::Weights;
use windlass_core::recall::{Commit, DEEP, Recalled, Snippet};
use windlass_core::{Event, Kind, Plan, Policy, Snapshot, Timestamp};

use crate::began::began_at;
use crate::index;
use crate::redact;
use crate::source::Sources;
use crate::store::{Folded, Hit, Shown, StoreError, Turn, no_index_fits};
use crate::surroundings::{Surrounding, Surroundings};
use crate::time::DAY;

/// Days for which the last session counts as recent.
const RECENT: i64 = 14;

/// Memories that stand and come first after a compaction: the rest of the room is for what the
/// session brought itself.
const RULES: usize = 4;

/// Memories that were shown before a compaction and are shown again after it.
const AGAIN: usize = 5;

/// Directories from which a file is named before it is known where its session began.
const ABOVE: usize = 16;

/// Memories whose files are looked at.
const LOOKED_AT: usize = 12;

/// How many more memories are read than may be told: some say the same, or fit worse.
const MORE: usize = 4;

/// Before anything was known.
const EVER: Timestamp = Timestamp(i64::MIN);

/// How much the indexes know that a prompt was held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexState {
    /// No index was asked.
    Unknown,
    /// They know every memory that may be told.
    Whole,
    /// Some memories changed since they were made.
    Behind,
    /// So many did that they should be made anew.
    Late,
}

/// Finds what a brief for an event may be made of, where one is made and can be kept. Tells how much
/// the indexes know.
pub(crate) fn find(
    turn: &Turn<'_>,
    plan: Plan,
    folded: Folded,
    event: &Event,
    here: &Surrounding,
    around: &Surroundings<'_>,
    snapshot: &mut Snapshot,
) -> Result<IndexState, StoreError> {
    // What is not on record is not said.
    let Some(id) = folded.event else { return Ok(IndexState::Unknown) };
    let Some(occasion) = plan.brief else { return Ok(IndexState::Unknown) };
    let root = began_at(turn, event, Some(id), here, around)?;
    let mut sources = root.as_deref().map(|it| Sources::at(it, Path::new(&event.cwd)));
    let session = redact::session(&event.session).to_string();
    let mut index = IndexState::Unknown;
    let (near, mut found) = match occasion {
        Occasion::Start => {
            let since = Timestamp(event.at.0.saturating_sub(RECENT * DAY));
            let (recent, loops) = (turn.recent(event, since)?, turn.loops(event)?);
            let (near, unread) = known(turn, event, EVER)?;
            (near, Found { recent, loops, unread, ..Found::default() })
        }
        Occasion::Clear => {
            let loops = turn.loops(event)?;
            let (near, unread) = known(turn, event, EVER)?;
            (near, Found { loops, unread, ..Found::default() })
        }
        // What was known then the agent has before it.
        Occasion::Resume => {
            let (near, unread) = match turn.last_at(event, id)? {
                Some(at) => known(turn, event, Timestamp(at.0.saturating_add(1)))?,
                None => (Vec::new(), 0),
            };
            (near, Found { shown: turn.shown(event)?.memories, unread, ..Found::default() })
        }
        Occasion::Compact => {
            let (requests, loops) = (turn.requests(event)?, snapshot.looping.loops.clone());
            (lost(turn, event)?, Found { requests, loops, ..Found::default() })
        }
        Occasion::Agent => {
            let (near, unread) = known(turn, event, EVER)?;
            (near, Found { unread, ..Found::default() })
        }
        Occasion::Prompt => {
            let (found, state) = fitting(turn, event, &session, &here.policy, sources.as_mut())?;
            index = state;
            (Vec::new(), found)
        }
        Occasion::Tool => {
            let root = root.as_deref().unwrap_or(Path::new(&event.cwd));
            let Some(touched) = touched(&unlinked(event, root), root, here) else {
                return Ok(index);
            };
            let strong = touched.strong(turn.keyed(event, &touched.keys())?, event.at);
            let shown = if strong.is_empty() { Shown::default() } else { turn.shown(event)? };
            let (Shown { memories: shown, names: told }, touched) = (shown, touched.keys());
            (strong, Found { shown, told, touched, ..Found::default() })
        }
    };
    found.memories.extend(looked_at(near, sources));
    if found.memories.iter().any(|it| it.memory.is_of(&session)) {
        found.lost_at = turn.lost_at(event)?;
    }
    found.session = session;
    snapshot.brief = Some(found);
    Ok(index)
}

/// Memories that nobody asked for, and that are known all the same; of the first ones with what
/// became of their files.
fn looked_at(near: Vec<Near>, mut sources: Option<Sources<'_>>) -> Vec<Recalled> {
    let mut look = |place: usize, near: &Near| {
        // Nobody knows here where the files of another project are.
        let is_looked_at = place < LOOKED_AT && near.is_here;
        sources.as_mut().filter(|_| is_looked_at)?.stale(&near.memory)
    };
    let recalled = near.into_iter().enumerate().map(|(place, near)| {
        let stale = look(place, &near);
        Recalled { memory: near.memory, score: 0, coverage: 100, stale }
    });
    recalled.collect()
}

/// Whether something may be known for sure about what a tool is about to touch. It is asked before
/// the store is opened: mostly nothing is. Where the session began only the store knows, so a file
/// is looked for by its names from every directory above it, and by its whole path: so a memory names
/// a file that lies outside of its project.
pub(crate) fn is_at_hand(data_dir: &Path, event: &Event, here: &Surrounding) -> bool {
    let Kind::ToolStart(call) = &event.kind else { return false };
    let directory = Path::new(&event.cwd);
    let files: Vec<_> = call.files.iter().map(|it| directory.join(it)).collect();
    // Seen from itself a file has its whole path.
    let above = files.iter().flat_map(|it| it.ancestors().take(1 + ABOVE));
    // A command has the same name everywhere.
    let names = above.chain([directory]).filter_map(|it| touched(event, it, here));
    let mut keys: Vec<_> = names.flat_map(|it| it.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    !keys.is_empty() && index::has_one_of(data_dir, &keys)
}

/// The same event with the files of a project by their own paths: a link may lead into it.
fn unlinked(event: &Event, root: &Path) -> Event {
    let mut event = event.clone();
    let Kind::ToolStart(call) = &mut event.kind else { return event };
    for file in call.files.iter_mut().filter(|it| !Path::new(it).starts_with(root)) {
        let path = Path::new(&event.cwd).join(&*file);
        let place = path.parent().and_then(|it| fs::canonicalize(it).ok());
        let own = place.zip(path.file_name()).map(|it| it.0.join(it.1));
        if let Some(own) = own.as_deref().and_then(Path::to_str) {
            own.clone_into(file);
        }
    }
    event
}

/// What a tool is about to touch in the project with this root.
fn touched(event: &Event, root: &Path, here: &Surrounding) -> Option<Touched> {
    let Kind::ToolStart(call) = &event.kind else { return None };
    Some(Touched::of(call, &root.to_string_lossy(), &here.policy.gates.runs))
}

/// What fits the words of a prompt: memories, and of the files that it names lines and commits; where
/// it names none, of one that was changed lately.
fn fitting(
    turn: &Turn<'_>,
    event: &Event,
    session: &str,
    policy: &Policy,
    mut sources: Option<&mut Sources<'_>>,
) -> Result<(Found, IndexState), StoreError> {
    let Some(words) = asked(event) else {
        return Ok((Found::default(), IndexState::Unknown));
    };
    let brief = &policy.brief;
    let (floor, most) = (u8::try_from(brief.floor).unwrap_or(100), brief.prompt.items as usize);
    let recall = |count: usize, sources: Option<&mut Sources<'_>>| {
        let mut sources = sources;
        turn.recall(event, &words, floor, count, |it| sources.as_mut()?.stale(it))
    };
    let mut found = recall(most + MORE, sources.as_deref_mut())?;
    let (code, commits) = match sources.as_deref_mut() {
        Some(sources) => of_project(sources, &words, &brief.weights),
        None => (Vec::new(), Vec::new()),
    };
    // Most prompts have nothing to do with what is known.
    let is_nothing = found.hits.is_empty() && code.is_empty() && commits.is_empty();
    let shown = if is_nothing { Shown::default() } else { turn.shown(event)? };
    let Shown { memories: shown, names: told } = shown;
    let is_new = |it: &&Hit| {
        let memory = &it.recalled.memory;
        !memory.is_of(session) && !shown.iter().any(|shown| shown.0 == memory.id)
    };
    if found.are_more && found.hits.iter().filter(is_new).count() < most {
        found = recall(DEEP, sources)?;
    }
    let memories = found.hits.into_iter().map(|it| it.recalled).collect();
    Ok((Found { memories, shown, code, commits, told, ..Found::default() }, found.index))
}

/// Whether nothing fits a prompt, as far as the indexes and the project tell. The session began in a
/// directory of a project.
pub(crate) fn finds_nothing(
    data_dir: &Path,
    event: &Event,
    here: &Surrounding,
    (began, project): (&str, Option<i64>),
    around: &Surroundings<'_>,
) -> bool {
    let Some(words) = asked(event) else { return true };
    let is_place = || {
        let seen = around.seen(began);
        seen.zip(here.seen.as_ref()).is_some_and(|it| it.0.place == it.1.place)
    };
    // Elsewhere only the store knows whose files these are.
    if began != event.cwd && !is_place() {
        return false;
    }
    let floor = u8::try_from(here.policy.brief.floor).unwrap_or(100);
    if !no_index_fits(data_dir, project, &words, floor) {
        return false;
    }
    let root = here.root();
    let Some(root) = root.as_deref() else { return true };
    let mut sources = Sources::at(root, Path::new(&event.cwd));
    let (code, commits) = of_project(&mut sources, &words, &here.policy.brief.weights);
    code.is_empty() && commits.is_empty()
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

/// What stands in the project, the most worth first, and how many more there may be.
fn known(
    turn: &Turn<'_>,
    event: &Event,
    since: Timestamp,
) -> Result<(Vec<Near>, usize), StoreError> {
    let (near, unread) = turn.standing(event, since)?;
    Ok((standing(near, event.at), unread))
}

/// What stands, what was found in the session, and what its agent was shown, each once. What another
/// session was about is no part of this one.
fn lost(turn: &Turn<'_>, event: &Event) -> Result<Vec<Near>, StoreError> {
    let (mut lost, _) = known(turn, event, EVER)?;
    lost.truncate(RULES);
    let learned = turn.learned(event)?.into_iter().map(|memory| Near::of(memory, true));
    let shown = turn.shown(event)?.memories;
    let ids: Vec<_> = shown.into_iter().map(|it| it.0).take(AGAIN).collect();
    let is_summary = |it: &Near| it.memory.content.category == Category::SessionSummary;
    let again = turn.named(event, &ids)?.into_iter().filter(|it| !is_summary(it));
    for near in learned.chain(again) {
        if !lost.iter().any(|it| it.memory.id == near.memory.id) {
            lost.push(near);
        }
    }
    Ok(lost)
}
