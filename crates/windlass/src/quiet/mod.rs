//! Quiet turns: prompts and stops at which nothing is said, decided without the store.
//!
//! At most events nothing is said, and to open the store only to find that out costs more than
//! everything else together. A quiet turn reads the cache of its session and what is new in the
//! journal and the transcript, asks the same rules as any turn, and where they stay silent and want
//! nothing kept but the work and the place in the transcript, it writes these to the cache and its
//! answer to the journal. Where anything else comes up it leaves the event to the store, as if it had
//! never looked: so far it has written nothing. The next fold makes rows of all of it.

mod cache;

use std::path::Path;

use windlass_core::brief::{Found, Occasion};
use windlass_core::gate::Moment;
use windlass_core::memory::{asks_for_unsettled, brings_candidates};
use windlass_core::work::MAX_PROVISIONAL;
use windlass_core::{
    Cursor, Decision, Digest, Effect, Event, Kind, Plan, SessionId, Snapshot, Verdict, Work,
    decide, wanted,
};

pub(crate) use self::cache::{SessionCache, forget_all, sweep};

use self::cache::{StoreMark, transcript_of};
use crate::agent::tree;
use crate::began::gates_of_directory;
use crate::guarded::Guarded;
use crate::journal::{self, Answer, Body, Frames, Reader, RuleRecord, Twins};
use crate::load::load;
use crate::settle::is_settled;
use crate::step::{self, Step};
use crate::store::{
    CachedFacts, Folded, StoreError, Turn, count_changes, never_ran, observe, rule_record,
    tells_work,
};
use crate::surroundings::{Surrounding, Surroundings};
use crate::switch::Switches;
use crate::work_trees::WorkTrees;
use crate::{Host, brief, lost_events, redact, steering};

/// Bytes of a journal that are read for one quiet turn.
const MAX_NEW: usize = 256 << 10;

/// Bytes of a transcript that quiet turns read before the ledger has to know of them: it reads them
/// again.
const MAX_UNKEPT: u64 = 1 << 20;

/// Bytes of a journal before its new part in which the last message of the agent stands.
const LAST_SAID: u64 = 64 << 10;

/// Bytes of a journal since the last process that tidies above which another one is worth it.
const LONG_BACKLOG: u64 = 128 << 10;

/// Bytes of a journal that may not be folded by then: an event that uses the store folds them.
const MAX_BACKLOG: u64 = 1 << 20;

/// Calls that are flagged as failed and kept.
const MAX_FLAGGED: usize = 64;

/// What a quiet turn came to.
pub(crate) struct QuietTurn {
    /// What the next one is decided by.
    pub(crate) cache: SessionCache,
    /// What the rules said, for the answer in the journal.
    pub(crate) rules: Vec<RuleRecord>,
    /// Whether the journal should be folded by a process that tidies.
    pub(crate) is_long: bool,
}

impl SessionCache {
    /// Keeps it for the next event of the session. Where that cannot be done, the store is asked then.
    pub(crate) fn keep(&self, data_dir: &Path, event: &Event) {
        if self.write(data_dir, event).is_err() {
            forget(data_dir, event);
        }
    }
}

/// The cache of the session of an event, where it still says how things are.
pub(crate) fn cache_of(event: &Event, data_dir: &Path) -> Option<SessionCache> {
    is_cached(event).then(|| SessionCache::read(data_dir, &event.session)).flatten()
}

/// Takes the cache of the session of an event away. One that stays is out of date, and known to be:
/// the journal goes on.
pub(crate) fn forget(data_dir: &Path, event: &Event) {
    #[expect(clippy::let_underscore_must_use, reason = "the store is asked where it stays")]
    let _ = cache::forget(data_dir, event);
}

/// Tokens of a session that its quiet turns counted and the ledger does not know.
pub(crate) fn unkept_tokens(data_dir: &Path, session: &SessionId) -> u64 {
    SessionCache::read(data_dir, session).map_or(0, |it| it.unkept_tokens)
}

/// Whether an event may be decided by a cache, and writes one.
fn is_cached(event: &Event) -> bool {
    event.agent.is_none() && matches!(event.kind, Kind::Stop(_) | Kind::Prompt { .. })
}

/// Decides an event by the cache of its session; `None` where the store must be asked. `end` is where
/// its frame ends.
pub(crate) fn decide_quietly(
    host: &Host,
    (event, end): (&Event, u64),
    plan: Plan,
    (here, around): (&Surrounding, &Surroundings<'_>),
    cache: &SessionCache,
    data_dir: &Path,
) -> Option<QuietTurn> {
    let is_stop = matches!(event.kind, Kind::Stop(_));
    if !cache.holds(data_dir, event) || !here.policy.ledger.texts {
        return None;
    }
    // The ledger takes in the prompts of all quiet turns before it reads who wrote them.
    if is_stop && cache.unkept_prompts + 1 >= MAX_PROVISIONAL {
        return None;
    }
    let began = cache.directory.as_deref();
    let home = match Moment::of(&event.kind) {
        Some(_) => gates_of_directory(Some(began?), event, around),
        None => around.of(&event.cwd),
    };
    let plan = plan.under(event, &home.policy);
    let root = home.seen.as_ref().map(|it| it.root.as_str());
    if is_anything_to_tell(host, event, &home, data_dir)
        || !steering::is_as_seen(host, root, event.at, cache.at)
        || !is_stop && tree::client_of_hook().is_some_and(|it| Some(it) != cache.client)
    {
        return None;
    }
    let journal = Reader::open(journal::directory(data_dir).join(journal::name(&event.session)));
    let journal = journal.ok()??;
    let from = cache.position.at;
    if journal.resume(cache.position).ok()? != from {
        return None;
    }

    let transcript = transcript_of(event);
    let is_known_file = plan.transcript && cache.transcript == transcript;
    let cursor = cache.cursor.filter(|_| is_known_file);
    if plan.transcript && cursor.is_none() {
        return None;
    }
    let last_said = || last_said(&journal, from);
    let (mut snapshot, read) = load(host, plan, event, &home, cursor, last_said);
    read.ok()?;
    let bytes = journal.read(from, MAX_NEW).ok()?;
    let new = NewFrames { bytes: &bytes, from, end };
    let (mut work, calls) = take_in(cache, &new, &snapshot, &journal, around, host, root)?;
    if let Some(digest) = &snapshot.transcript {
        work.settle_prompts(&digest.seen_prompts);
    }
    if is_stop {
        snapshot.work = Some(work.clone());
        if !is_settled(plan, event, &snapshot, &calls, cache.at) {
            return None;
        }
    }
    let policy = &home.policy;
    if brings_candidates(event, &snapshot, policy) || asks_for_unsettled(event, &snapshot, policy) {
        return None;
    }
    if plan.brief == Some(Occasion::Prompt) {
        let is_nothing = cache.is_indexed
            && brief::finds_nothing(data_dir, event, here, (began?, cache.project), around);
        is_nothing.then_some(())?;
        let session = redact::session(&event.session).to_string();
        snapshot.brief = Some(Found { session, ..Found::default() });
    }
    let trees = WorkTrees::find(&snapshot, (here, &home), began, around);
    trees.show(&mut snapshot);
    if !wanted(event, &snapshot, policy).is_nothing() {
        return None;
    }

    Step::Decide.enter();
    let decision = decide(event, &snapshot, policy, step::elapsed);
    let read_to = snapshot.transcript.as_ref().map_or(0, |it| it.to);
    let kept = kept_of(decision, work)?;
    let unkept = read_to.saturating_sub(cache.ledger_read_to);
    let position = journal.position(kept_end(&bytes, from)).ok()?;
    if unkept > MAX_UNKEPT || position.at.saturating_sub(cache.folded_to) > MAX_BACKLOG {
        return None;
    }
    let is_long = position.at.saturating_sub(cache.tidied_to) > LONG_BACKLOG;
    let digest = snapshot.transcript.as_ref();
    let spent = digest.map_or(0, |it| it.tokens.spent());
    let cache = SessionCache {
        at: event.at.0,
        position,
        unkept_tokens: cache.unkept_tokens.saturating_add(spent),
        unkept_prompts: cache.unkept_prompts + usize::from(!is_stop),
        tidied_to: if is_long { position.at } else { cache.tidied_to },
        cursor: digest.map_or(cache.cursor, |it| Some(cursor_of(it))),
        transcript: if plan.transcript { transcript } else { cache.transcript.clone() },
        flagged: flagged(&cache.flagged, digest)?,
        work: kept.work,
        ..cache.clone()
    };
    Some(QuietTurn { cache, rules: kept.rules, is_long })
}

/// Whether something is to be told that a quiet turn does not look at.
fn is_anything_to_tell(host: &Host, event: &Event, home: &Surrounding, data_dir: &Path) -> bool {
    if matches!(event.kind, Kind::Stop(_)) {
        let (session, seen) = (Some(&event.session), home.seen.as_ref());
        let switches = Switches::read_for(host, session, seen);
        return !switches.foreign().is_empty() || !switches.off(session, seen).is_empty();
    }
    lost_events::known(data_dir).is_some()
}

/// The part of a journal that is new since the cache was written.
struct NewFrames<'a> {
    bytes: &'a [u8],
    from: u64,
    /// Where the frame of the event ends.
    end: u64,
}

/// The work of the session with what is new in the journal, and the names of the calls in that; `None`
/// where it says more than a quiet turn knows of.
fn take_in(
    cache: &SessionCache,
    new: &NewFrames<'_>,
    snapshot: &Snapshot,
    journal: &Reader,
    around: &Surroundings<'_>,
    host: &Host,
    root: Option<&str>,
) -> Option<(Work, Vec<String>)> {
    let unrun = snapshot.transcript.as_ref().map_or(&[][..], |it| &it.never_ran);
    let guarded = Guarded::of(host, root);
    let mut twins = Twins::before(journal, new.from, new.bytes).ok()?;
    let mut work = cache.work.clone();
    let (mut calls, mut is_seen) = (Vec::new(), false);
    for frame in Frames::new(new.bytes) {
        let end = new.from + frame.end() as u64;
        let mut body = Body::read(str::from_utf8(frame.body).ok()?)?;
        is_seen |= end == new.end;
        if twins.is_twin(&body, frame.body, end) {
            continue;
        }
        match &*body.event {
            Answer::EVENT if body.asked.is_none() => continue,
            "tool" => {
                let call = body.call.as_deref();
                let is_flagged = call.is_some_and(|it| cache.flagged.iter().any(|name| name == it));
                body.never_ran = Some(never_ran(&body, unrun, is_flagged));
                if guarded.is_touched_by(&body) {
                    return None;
                }
                calls.extend(call.map(str::to_owned));
            }
            "prompt" | "stop" | "task-created" | "agent-start" | "agent-stop" => {}
            _ => return None,
        }
        let directory = body.cwd.as_deref()?.to_owned();
        let here = around.of(&directory);
        if !here.policy.ledger.texts {
            return None;
        }
        if tells_work(&body)
            && let Some(event) = body.event()
        {
            let home = (cache.directory.as_deref(), around);
            observe(&mut work, &event, &[], Some((&directory, &here)), home);
        }
    }
    is_seen.then_some((work, calls))
}

/// Where the last whole frame of some bytes ends.
fn kept_end(bytes: &[u8], from: u64) -> u64 {
    Frames::new(bytes).last().map_or(from, |it| from + it.end() as u64)
}

/// What the agent said at its last stop, as the journal keeps it.
fn last_said(journal: &Reader, before: u64) -> Option<String> {
    let from = before.saturating_sub(LAST_SAID);
    let bytes = journal.read(from, usize::try_from(before - from).ok()?).ok()?;
    let bodies = Frames::new(&bytes).filter_map(|it| Body::read(str::from_utf8(it.body).ok()?));
    let stop = bodies.filter(|it| &*it.event == "stop" && it.agent.is_none()).last()?;
    stop.said().map(str::to_owned)
}

/// What a silent decision keeps.
struct Kept {
    work: Work,
    rules: Vec<RuleRecord>,
}

/// What a decision keeps, where it says nothing and keeps nothing but what the journal and the
/// transcript tell again: the next turn that uses the store finds it there. `work` is that of the
/// session so far.
fn kept_of(decision: Decision, work: Work) -> Option<Kept> {
    let Decision { verdict, context, notice, effects, rules } = decision;
    if verdict != Verdict::Pass || context.is_some() || notice.is_some() {
        return None;
    }
    let rules = rules.iter().map(|it| rule_record(it, true)).collect();
    let mut kept = Kept { work, rules };
    for effect in effects {
        match effect {
            Effect::KeepDigest(digest) => {
                kept.work.settle(&digest);
                kept.work.settle_prompts(&digest.seen_prompts);
            }
            // How long a conversation may become is in the transcript, too.
            Effect::KeepWork(work)
                if Work { room: kept.work.room, ..*work.clone() } == kept.work =>
            {
                kept.work = *work;
            }
            Effect::KeepWork(_)
            | Effect::KeepChecked { .. }
            | Effect::KeepAsk { .. }
            | Effect::KeepShown { .. }
            | Effect::KeepCloneNotice { .. }
            | Effect::ForgetShown
            | Effect::Loop { .. } => return None,
        }
    }
    Some(kept)
}

fn cursor_of(digest: &Digest) -> Cursor {
    let Digest { to, mark, last_message, .. } = *digest;
    Cursor { to, mark, last_message }
}

/// The calls that are flagged as failed, with those that a digest flags; `None` where there are more
/// than are kept.
fn flagged(known: &[String], digest: Option<&Digest>) -> Option<Vec<String>> {
    let mut all = known.to_vec();
    for name in digest.into_iter().flat_map(|it| &it.failed) {
        let name = redact::text(name, 128).to_string();
        if !all.contains(&name) {
            all.push(name);
        }
    }
    (all.len() <= MAX_FLAGGED && digest.is_none_or(|it| it.more_failed == 0)).then_some(all)
}

/// What a turn that used the store leaves for the next quiet one.
pub(crate) struct CacheInput<'a> {
    pub(crate) event: &'a Event,
    pub(crate) folded: Folded,
    pub(crate) decision: &'a Decision,
    /// Whether the indexes know every memory, where somebody looked.
    pub(crate) is_indexed: Option<bool>,
    /// The cache that the event found.
    pub(crate) before: Option<&'a SessionCache>,
}

/// The cache that a turn leaves, read while nobody else can write; `None` where the next event must
/// ask the store as well.
pub(crate) fn next_cache(
    turn: &Turn<'_>,
    input: &CacheInput<'_>,
    data_dir: &Path,
) -> Result<Option<SessionCache>, StoreError> {
    let CacheInput { event, folded, decision, is_indexed, before } = *input;
    let Some(id) = folded.event.filter(|_| folded.all && is_cached(event)) else { return Ok(None) };
    if decision.verdict != Verdict::Pass {
        return Ok(None);
    }
    // At a stop it was looked what the agent did to our files; a prompt may come before one.
    let is_stop = matches!(event.kind, Kind::Stop(_));
    if !is_stop && !turn.acts_since_stop(event, id)?.is_empty() {
        return Ok(None);
    }
    let (work, looping) = turn.past(event)?;
    if !looping.loops.is_empty() || looping.unreadable > 0 {
        return Ok(None);
    }
    let (Some(facts), Some(store)) = (turn.cached_facts(event)?, StoreMark::now(data_dir)) else {
        return Ok(None);
    };
    let CachedFacts { directory, project, cursor, flagged } = facts;
    let journal = journal::directory(data_dir).join(journal::name(&event.session));
    let position = Reader::open(journal)
        .and_then(|it| it.map(|it| it.position(folded.to)).transpose())
        .map_err(StoreError::Journal)?;
    let Some(position) = position else { return Ok(None) };
    let changes = count_changes(data_dir);
    let before = before.filter(|it| it.changes == changes);
    let client = match event.kind {
        Kind::Prompt { .. } => tree::client_of_hook(),
        _ => before.and_then(|it| it.client),
    };
    let carried = before.is_some_and(|it| it.is_indexed && it.project == project);
    let read_to = cursor.map_or(0, |it| it.to);
    Ok(Some(SessionCache {
        store,
        changes,
        at: event.at.0,
        position,
        folded_to: folded.to,
        tidied_to: folded.to,
        ledger_read_to: read_to,
        unkept_tokens: 0,
        unkept_prompts: work.provisional.len(),
        directory,
        project,
        transcript: transcript_of(event),
        cursor,
        flagged,
        client,
        is_indexed: is_indexed.unwrap_or(carried),
        work,
    }))
}
