//! One event in the ledger: folded, decided upon, kept, in one transaction.

use std::cell::{Cell, OnceCell, RefCell};
use std::fs;

use rusqlite::{OptionalExtension, params};
use windlass_core::gate::GATES;
use windlass_core::loops::{Lock, Looping};
use windlass_core::memory::{Candidate, Course, Memory};
use windlass_core::recall::Stale;
use windlass_core::{
    Cursor, Decision, Digest, Effect, Event, Outcome, SessionId, Spoken, Verdict, Work,
};

use super::error::StoreError;
use super::fold::{self, Folded, HOOK_LIMIT};
use super::memories::{self, Asked, Captured, Chosen, Found, Offered, Within};
use super::past::Past;
use super::transcripts::{self, TranscriptKey};
use super::{Writing, checked, course, failed, loops, work};
use crate::agent::tree::ProcessStamp;
use crate::index::Index;
use crate::journal::{self, Reader, RuleRecord};
use crate::redact;
use crate::step;
use crate::surroundings::Surroundings;

/// Bytes behind the first fold within which an event is gone on for. What is further away is left
/// to the process that tidies, and nothing is said.
const NEAR: u64 = 4 << 20;

/// Microseconds of the process after which nobody goes on for it: the deadline must not come while
/// nothing of what was folded is kept.
const LATE: u64 = 500_000;

/// Bytes of a text that was said to the agent or the user that are kept.
const SAID: usize = 4096;

/// Bytes of what a rule said that are kept: enough for every check there may be.
const RULE: usize = 1536;

const CANDIDATES: &str = "find what nobody settled";

/// A turn that nobody else can come between. What is not committed did not happen.
#[derive(Debug)]
pub(crate) struct Turn<'a> {
    pub(super) writing: Writing<'a>,
    /// The session of the event, once it is known.
    session: OnceCell<i64>,
    /// Where it began, once somebody asked.
    began: OnceCell<Began>,
    /// What was done in it, where the fold has just kept that.
    past: RefCell<Option<Past>>,
    /// Whether words are kept where the event happened.
    texts: Cell<bool>,
}

/// Where a session began.
#[derive(Debug)]
struct Began {
    project: Option<i64>,
    directory: Option<String>,
}

impl<'a> Turn<'a> {
    pub(super) fn new(writing: Writing<'a>) -> Self {
        let (session, past, texts) = (OnceCell::new(), RefCell::new(None), Cell::new(true));
        Self { writing, session, began: OnceCell::new(), past, texts }
    }

    /// Folds the journal of the event's session. `end` is where the event's last frame ended, and
    /// `never_ran` names commands that never ran, whatever their frames say.
    pub(crate) fn fold(
        &self,
        event: &Event,
        end: u64,
        around: &Surroundings<'_>,
        never_ran: &[String],
    ) -> Result<Folded, StoreError> {
        self.texts.set(around.of(&event.cwd).policy.ledger.texts);
        let (name, whose) = (journal::name(&event.session), redact::session(&event.session));
        let path = journal::directory(self.writing.data_dir).join(&name);
        let journal = Reader::open(path).map_err(StoreError::Journal)?;
        let nothing = Folded { to: 0, event: None, all: true };
        let folded = match &journal {
            Some(journal) => loop {
                let (folded, session) = fold::fold(
                    &self.writing,
                    (around, never_ran),
                    &name,
                    journal,
                    Some(end),
                    HOOK_LIMIT,
                )?;
                if let Some(session) = session.filter(|it| whose.is(&it.name)) {
                    self.session.get_or_init(|| session.id);
                    self.past.replace(session.past);
                }
                // Without the event itself nothing can be kept, and so nothing be said.
                let is_near = folded.to < end && end - folded.to <= NEAR;
                if folded.event.is_some() || folded.all || !is_near || step::elapsed() > LATE {
                    break folded;
                }
            },
            None => nothing,
        };
        // Another process of the session may have been here in between.
        let own = match folded.event {
            None => self.folded_before(event, end)?,
            found => found,
        };
        Ok(Folded { event: own, ..folded })
    }

    /// Folds an event that could not be written to its journal, into a store that ends with the
    /// process.
    pub(crate) fn fold_unkept(
        &self,
        event: &Event,
        around: &Surroundings<'_>,
    ) -> Result<Folded, StoreError> {
        self.texts.set(around.of(&event.cwd).policy.ledger.texts);
        let frames = journal::frames_of(event, None).map_err(StoreError::Journal)?;
        let (id, session) = fold::fold_unkept(&self.writing, around, &frames)?;
        if let Some(session) = session {
            self.session.get_or_init(|| session.id);
            self.past.replace(session.past);
        }
        Ok(Folded { to: 0, event: id, all: true })
    }

    /// Folds what waits in the journal of another session, and tells whether anything did.
    pub(super) fn fold_rest(
        &self,
        session: &str,
        around: &Surroundings<'_>,
    ) -> Result<bool, StoreError> {
        let Some(session) = SessionId::parse(session) else { return Ok(false) };
        let name = journal::name(&session);
        let path = journal::directory(self.writing.data_dir).join(&name);
        let Ok(file) = fs::symlink_metadata(&path) else { return Ok(false) };
        let before = fold::position(&self.writing, &name)?;
        // Mostly nothing is new.
        if file.len() <= before.at {
            return Ok(false);
        }
        let Some(journal) = Reader::open(path).map_err(StoreError::Journal)? else {
            return Ok(false);
        };
        let place = (around, &[][..]);
        let (folded, _) = fold::fold(&self.writing, place, &name, &journal, None, HOOK_LIMIT)?;
        Ok(folded.to != before.at)
    }

    fn folded_before(&self, event: &Event, end: u64) -> Result<Option<i64>, StoreError> {
        let query = "SELECT id FROM events WHERE frame_end = ?2
            AND session = (SELECT id FROM sessions WHERE name = ?1) ORDER BY id DESC LIMIT 1";
        let name = redact::session(&event.session);
        self.writing
            .query_row(query, params![name, end.cast_signed()], |row| row.get(0))
            .optional()
            .map_err(StoreError::doing("find the event in the ledger"))
    }

    /// Keeps a decision and does what it asks for.
    pub(crate) fn apply(
        &self,
        event: &Event,
        id: Option<i64>,
        decision: &Decision,
        read: Option<Cursor>,
    ) -> Result<(), StoreError> {
        if let Some(id) = id {
            self.keep(id, decision)?;
        }
        for effect in &decision.effects {
            match effect {
                Effect::KeepDigest(digest) => self.keep_digest(event, digest, read)?,
                Effect::KeepWork(work) => self.keep_work(event, work)?,
                // What came of one that failed is told in the words of its output.
                Effect::KeepChecked { checked, .. }
                    if checked.outcome != Outcome::Passed && !self.texts.get() => {}
                Effect::KeepChecked { key, checked, at } => {
                    let kept = checked::keep(&self.writing, key, checked, *at);
                    kept.map_err(StoreError::doing("keep what came of a check"))?;
                }
                // What is not on record is not said.
                Effect::KeepAsk { .. } if id.is_none() => {}
                Effect::KeepAsk { memories, urgency, at } => {
                    let kept = memories::asked(&self.writing, memories, *urgency, *at);
                    kept.map_err(StoreError::doing("keep what was asked"))?;
                }
                // What is not on record is not said, so nobody was shown it.
                Effect::KeepShown { .. } if id.is_none() => {}
                Effect::KeepShown { memories, names, at } => {
                    self.keep_shown(event, memories, names, *at)?;
                }
                Effect::KeepCloneNotice { .. } if id.is_none() => {}
                Effect::KeepCloneNotice { project, at } => self.keep_clone_notice(*project, *at)?,
                Effect::ForgetShown => self.forget_shown(event)?,
                Effect::Loop { id, iteration, next, streak } => {
                    let became = (next, *streak);
                    let kept = loops::keep(&self.writing, *id, iteration, became, self.texts.get());
                    kept.map_err(StoreError::doing("keep the loop"))?;
                }
            }
        }
        Ok(())
    }

    /// What was done in the session of an event, and its loops.
    pub(crate) fn past(&self, event: &Event) -> Result<(Work, Looping), StoreError> {
        let doing = "find what was done in the session";
        let find = || {
            let session = self.session(event)?;
            let past = match self.past.take() {
                Some(past) => past,
                None => Past::load(&self.writing, session)?,
            };
            let Past { work, loops, unreadable, .. } = past;
            if loops.is_empty() {
                return Ok((work, Looping { unreadable, ..Looping::default() }));
            }
            let tokens = loops::tokens(&self.writing, session)?;
            let directory = self.began(event)?.directory.clone();
            Ok((work, Looping { loops, tokens, directory, unreadable }))
        };
        find().map_err(StoreError::doing(doing))
    }

    /// The session of an event reported through this client.
    pub(crate) fn bind_client(
        &self,
        event: &Event,
        client: ProcessStamp,
    ) -> Result<(), StoreError> {
        let doing = "keep which client runs the session";
        let session = self.session(event).map_err(StoreError::doing(doing))?;
        loops::bind(&self.writing, session, client, event.at).map_err(StoreError::doing(doing))
    }

    /// The session of an event found the lock file of another tool so.
    pub(crate) fn meet(&self, event: &Event, lock: &Lock) -> Result<(), StoreError> {
        let doing = "keep the hold of a lock file";
        let session = self.session(event).map_err(StoreError::doing(doing))?;
        self.past.take();
        loops::meet(&self.writing, session, lock, event.at).map_err(StoreError::doing(doing))
    }

    /// The directory in which the session of an event began.
    pub(crate) fn directory(&self, event: &Event) -> Result<Option<String>, StoreError> {
        let began = self.began(event);
        let began = began.map_err(StoreError::doing("find the directory of the session"))?;
        Ok(began.directory.clone())
    }

    /// Whether an event happened in the project in which its session began.
    pub(crate) fn is_at_home(&self, event: &Event, id: i64) -> Result<bool, StoreError> {
        let find = || {
            let query = "SELECT project FROM events WHERE id = ?1";
            let project: Option<i64> = self.writing.query_row(query, [id], |row| row.get(0))?;
            Ok(project.is_some() && project == self.project(event)?)
        };
        find().map_err(StoreError::doing("find the project of the event"))
    }

    /// Keeps candidates that were found in the session of an event, in the project in which it
    /// began. Where no words are kept, none are.
    pub(crate) fn capture(
        &self,
        event: &Event,
        candidates: &[Candidate],
    ) -> Result<Captured, StoreError> {
        if !self.texts.get() || candidates.is_empty() {
            return Ok(Captured::default());
        }
        let keep = || memories::capture(&self.writing, self.project(event)?, candidates);
        keep().map_err(StoreError::doing("keep what may be worth keeping"))
    }

    /// What the session of an event was about so far.
    pub(crate) fn course(&self, event: &Event) -> Result<Option<Course>, StoreError> {
        let find = || {
            let session = self.session(event)?;
            let past = Past::load(&self.writing, session)?;
            course::course(&self.writing, session, &past.work)
        };
        find().map_err(StoreError::doing("find what the session was about"))
    }

    /// The candidates of the session of an event that nobody settled.
    pub(crate) fn unsettled(&self, event: &Event) -> Result<Vec<Memory>, StoreError> {
        let name = redact::session(&event.session).to_string();
        memories::unsettled(&self.writing, &name).map_err(StoreError::doing(CANDIDATES))
    }

    /// What is left in the project in which the session of an event began, each of it once.
    pub(crate) fn offer(&self, event: &Event) -> Result<Offered, StoreError> {
        let find = || memories::offer(&self.writing, self.project(event)?, event.at);
        find().map_err(StoreError::doing(CANDIDATES))
    }

    /// The memories of the project in which the session of an event began that fit some words.
    pub(crate) fn recall(
        &self,
        event: &Event,
        words: &str,
        floor: u8,
        most: usize,
        stale: impl FnMut(&Memory) -> Option<Stale>,
    ) -> Result<Found, StoreError> {
        let find = || {
            let within = Within::told(self.project(event)?);
            let (floor, now, chosen) = (Some(floor), event.at, Chosen::default());
            let asked = Asked { words, within, floor, most, now, chosen };
            let recalled = memories::recall(&self.writing, self.writing.data_dir, asked, stale)?;
            let (found, indexes) = recalled;
            // The process is about to end, and the system is faster at it.
            indexes.into_iter().for_each(Index::leave);
            Ok(found)
        };
        find().map_err(StoreError::doing("recall memories"))
    }

    /// Whether words are kept where the event happened.
    pub(super) fn keeps_texts(&self) -> bool {
        self.texts.get()
    }

    /// Where the session of an event began: the directory and its project.
    pub(super) fn place_of_session(
        &self,
        event: &Event,
    ) -> rusqlite::Result<(Option<String>, Option<i64>)> {
        let began = self.began(event)?;
        Ok((began.directory.clone(), began.project))
    }

    /// The project in which the session of an event began.
    pub(super) fn project(&self, event: &Event) -> rusqlite::Result<Option<i64>> {
        Ok(self.began(event)?.project)
    }

    fn began(&self, event: &Event) -> rusqlite::Result<&Began> {
        if let Some(began) = self.began.get() {
            return Ok(began);
        }
        let query = "SELECT project, cwd FROM sessions WHERE id = ?1";
        let session = self.session(event)?;
        let began = self.writing.query_row(query, [session], |row| {
            Ok(Began { project: row.get(0)?, directory: row.get(1)? })
        })?;
        Ok(self.began.get_or_init(|| began))
    }

    fn keep_work(&self, event: &Event, work: &Work) -> Result<(), StoreError> {
        let doing = "keep what was done in the session";
        let session = self.session(event).map_err(StoreError::doing(doing))?;
        let keep = |work: &Work| {
            work::keep(&self.writing, session, work).map_err(StoreError::doing(doing))
        };
        if self.texts.get() || work.asked.iter().all(|it| it.claim.is_none()) {
            return keep(work);
        }
        // Where no texts are kept, the words of a claim are none of them.
        let mut work = work.clone();
        work.asked.iter_mut().for_each(|it| it.claim = None);
        keep(&work)
    }

    /// Makes it so.
    pub(crate) fn commit(self) -> Result<(), StoreError> {
        self.writing.commit()
    }

    fn keep(&self, id: i64, decision: &Decision) -> Result<(), StoreError> {
        let words = self.texts.get();
        let said = |text: &str| {
            if words { redact::text(text, SAID) } else { redact::text(&gates_in(text), SAID) }
        };
        let (verdict, asked) = match &decision.verdict {
            Verdict::Pass => ("pass", None),
            Verdict::Ask(text) => ("ask", Some(said(text))),
            Verdict::Release(release) => {
                (release.word(), Some(redact::text(release.reason(), SAID)))
            }
        };
        let rules: Vec<_> = decision.rules.iter().map(|it| rule_record(it, words)).collect();
        let rules = serde_json::to_string(&rules).unwrap_or_default();
        let write = "INSERT INTO decisions (event, verdict, asked, context, notice, rules)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING";
        let context = decision.context.as_deref().map(said);
        let notice = decision.notice.as_deref().map(said);
        self.writing
            .execute(write, params![id, verdict, asked, context, notice, rules])
            .map(drop)
            .map_err(StoreError::doing("keep the decision"))
    }

    fn keep_digest(
        &self,
        event: &Event,
        digest: &Digest,
        read: Option<Cursor>,
    ) -> Result<(), StoreError> {
        let doing = "keep what the transcript says";
        let Digest { to, mark, last_message, .. } = *digest;
        if digest.rows == 0 && read == Some(Cursor { to, mark, last_message }) {
            return Ok(());
        }
        let key = TranscriptKey::of(event);
        let session = self.session(event).map_err(StoreError::doing(doing))?;
        let now = transcripts::cursor(&self.writing, &key);
        if now.map_err(StoreError::doing(doing))? != read {
            // Another process has read the same part and counted it.
            return Ok(());
        }
        failed::keep(&self.writing, session, digest).map_err(StoreError::doing(doing))?;
        self.settle(session, event, digest).map_err(StoreError::doing(doing))?;
        let counted = transcripts::count(&self.writing, session, &key, digest);
        counted.map_err(StoreError::doing(doing))
    }

    /// Keeps which calls have failed or never ran, what calls added to files, and who wrote the
    /// prompts, with what was done: the next digest does not tell it again, and not every event that reads one decides on the work.
    fn settle(&self, session: i64, event: &Event, digest: &Digest) -> rusqlite::Result<()> {
        let prompts: &[_] = if event.agent.is_none() { &digest.seen_prompts } else { &[] };
        let Digest { failed, never_ran, rewritten, .. } = digest;
        let is_silent = failed.is_empty() && never_ran.is_empty() && rewritten.is_empty();
        if is_silent && prompts.is_empty() {
            return Ok(());
        }
        let before = Past::load(&self.writing, session)?.work;
        let mut work = before.clone();
        work.settle(digest);
        work.settle_prompts(prompts);
        if work == before { Ok(()) } else { work::keep(&self.writing, session, &work) }
    }

    /// The session of the event. It may not have been folded yet, where the journal is long.
    pub(super) fn session(&self, event: &Event) -> rusqlite::Result<i64> {
        if let Some(session) = self.session.get() {
            return Ok(*session);
        }
        let name = redact::session(&event.session);
        let find = "SELECT id FROM sessions WHERE name = ?1";
        let known = self.writing.query_row(find, [&name], |row| row.get(0)).optional()?;
        let session = if let Some(session) = known {
            session
        } else {
            let insert = "INSERT INTO sessions (name, started_at, last_at) VALUES (?1, ?2, ?2)";
            self.writing.execute(insert, params![name, event.at.0])?;
            self.writing.last_insert_rowid()
        };
        Ok(*self.session.get_or_init(|| session))
    }
}

/// A rule that spoke, as it is kept; `words` says whether words are.
pub(crate) fn rule_record(spoken: &Spoken, words: bool) -> RuleRecord {
    let Spoken { rule, said, us } = spoken;
    // Other rules count, and quote nobody.
    let said = if words || *rule != "gates" { said } else { &gates_in(said) };
    RuleRecord { rule, said: redact::text(said, RULE), us: *us }
}

/// The gates that a text of ours names, without the words around them: it may quote what was said.
fn gates_in(text: &str) -> String {
    let is_in = |gate: &&str| {
        text.contains(&format!("[{gate}]"))
            || text.starts_with(&format!("{gate}: "))
            || text.contains(&format!(" {gate}: "))
    };
    let gates = GATES.iter().map(|it| it.name).filter(is_in);
    gates.map(|it| format!("[{it}]")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use serde_json::json;
    use windlass_core::{Event, Kind, SessionId, Timestamp};

    use crate::Host;
    use crate::journal::{self, append, seal};
    use crate::store::{Patience, Store};
    use crate::surroundings::Surroundings;

    /// A journal may be so long that something is kept of a session before any frame is folded.
    #[test]
    fn a_session_begins_where_the_first_frame_says_that_names_a_directory() {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path();
        let mut store = Store::open(data, Patience::For(Duration::from_mins(1))).unwrap();
        let event = Event {
            at: Timestamp(9),
            session: SessionId::parse("s").unwrap(),
            agent: None,
            prompt: None,
            cwd: "/later".to_owned(),
            transcript: None,
            bytes: 0,
            kind: Kind::AgentStart,
        };
        let turn = store.begin().unwrap();
        assert_eq!(turn.directory(&event).unwrap(), None);
        turn.commit().unwrap();
        fs::create_dir_all(journal::directory(data)).unwrap();
        let journal = journal::directory(data).join(journal::name(&event.session));
        for directory in [None, Some("/first"), Some("/later")] {
            let frame = json!({"event": "stop", "session": "s", "at": 1, "cwd": directory});
            append(&journal, &seal(&frame).unwrap()).unwrap();
        }
        store.catch_up(&Surroundings::new(&Host::from_process())).unwrap();
        let turn = store.begin().unwrap();
        assert_eq!(turn.directory(&event).unwrap().as_deref(), Some("/first"));
    }
}
