//! One frame → the rows that it makes.

use std::rc::Rc;

use rusqlite::{CachedStatement, OptionalExtension, Params, Transaction, params};
use windlass_core::Work;
use windlass_core::evidence::Pattern;

use super::error::StoreError;
use super::known::{self, Known};
use super::{loops, projects, work};
use crate::failure;
use crate::journal::{Answer, Fields, event_of, without_texts};
use crate::surroundings::{Surrounding, Surroundings};

/// Makes rows out of the frames of one journal.
pub(super) struct Rows<'a> {
    transaction: &'a Transaction<'a>,
    around: &'a Surroundings<'a>,
    /// Up to where in the journal a frame may be in the ledger already.
    known_to: u64,
    known: Option<Known>,
    /// The session of the last frame: a journal holds one, as a rule.
    session: Option<Session>,
    agent: Option<Agent>,
    project: Option<Project>,
    /// What was done in the session, where a frame tells of more, and the runs that its loops look
    /// for.
    work: Option<(Work, Vec<Pattern>)>,
}

/// What an event belongs to.
#[derive(Clone, Copy)]
struct Of {
    session: i64,
    agent: Option<i64>,
    project: Option<i64>,
}

/// What the frames say of their session.
struct Session {
    id: i64,
    name: String,
    last_at: i64,
    /// Where it began.
    project: Option<i64>,
    keep_days: Option<u32>,
}

/// The project of the last directory.
struct Project {
    directory: String,
    id: Option<i64>,
    here: Rc<Surrounding>,
}

struct Agent {
    id: i64,
    session: i64,
    name: String,
}

const DOING: &str = "fold the journal";

/// Far more than any event has bytes, or takes microseconds.
const MOST: i64 = 1 << 40;

impl<'a> Rows<'a> {
    /// Frames that end up to `known_to` are looked for in the ledger first.
    pub(super) fn new(
        transaction: &'a Transaction<'a>,
        around: &'a Surroundings<'a>,
        known_to: u64,
    ) -> Self {
        let (known, session, agent, project, work) = (None, None, None, None, None);
        Self { transaction, around, known_to, known, session, agent, project, work }
    }

    /// Adds a frame that ends at a place in its journal, and tells the id of its event. A frame
    /// that is not an event, and one that this version cannot read, makes none.
    pub(super) fn add(&mut self, body: &[u8], end: u64) -> Result<Option<i64>, StoreError> {
        let Ok(body) = str::from_utf8(body) else { return Ok(None) };
        let Some(record) = Fields::read(body.as_bytes()) else { return Ok(None) };
        if is_deep(body) {
            return Ok(None);
        }
        match record.event.as_str() {
            Answer::EVENT => return self.answered(&record).map(|()| None),
            failure::EVENT => return self.failed(&record, end).map(|()| None),
            _ => {}
        }
        let session = self.session(&record)?;
        let agent = self.agent(session, &record)?;
        let project = self.project(&record)?;
        let words;
        let body = match &self.project {
            Some(project) if !project.here.policy.ledger.texts => {
                words = without_texts(body);
                words.as_str()
            }
            _ => body,
        };
        if end <= self.known_to {
            let frame = known::Frame { at: record.at, kind: &record.event, end, body };
            let known = Known::of(self.transaction, &mut self.known, session);
            let known = known.map_err(StoreError::doing(DOING))?;
            let event = known.take(self.transaction, frame).map_err(StoreError::doing(DOING))?;
            if event.is_some() {
                return Ok(event);
            }
        }
        let event = self.event(Of { session, agent, project }, &record, end, body)?;
        if let Some(known) = &mut self.known {
            known.add(end, event);
        }
        match record.event.as_str() {
            "session-start" => self.started(session, project, &record)?,
            "session-end" => self.ended(session, &record)?,
            "prompt" => self.prompt(session, event, &record)?,
            "agent-stop" => self.agent_stopped(agent, &record)?,
            "tool" => self.call(session, event, &record)?,
            _ => {}
        }
        if matches!(record.event.as_str(), "prompt" | "tool" | "task-created") {
            self.observe(session, body)?;
        }
        Ok(Some(event))
    }

    /// Takes into the session's work what a frame tells of it.
    fn observe(&mut self, session: i64, body: &str) -> Result<(), StoreError> {
        let Some(event) = event_of(body.as_bytes()) else { return Ok(()) };
        let (work, own) = match &mut self.work {
            Some(work) => work,
            none => {
                let work = work::load(self.transaction, session);
                let own = loops::patterns(self.transaction, session);
                let found = work.and_then(|work| Ok((work, own?)));
                none.insert(found.map_err(StoreError::doing(DOING))?)
            }
        };
        let runs = self.project.as_ref().map_or(&[][..], |it| &it.here.policy.gates.runs);
        if runs.is_empty() {
            work.observe(&event, own);
        } else {
            work.observe(&event, &[own, runs].concat());
        }
        Ok(())
    }

    /// Writes what was gathered over several frames.
    pub(super) fn finish(&mut self) -> Result<(), StoreError> {
        let Some(session) = self.session.take() else { return Ok(()) };
        self.keep_work(session.id)?;
        let write = "UPDATE sessions SET last_at = max(last_at, ?2),
            project = coalesce(project, ?3),
            keep_days = min(coalesce(keep_days, ?4), coalesce(?4, keep_days)) WHERE id = ?1";
        let Session { id, last_at, project, keep_days, .. } = session;
        self.execute(write, params![id, last_at, project, keep_days])
    }

    /// Writes what was done in the session so far; whoever wants to know it reads it again.
    fn keep_work(&mut self, session: i64) -> Result<(), StoreError> {
        let Some((work, _)) = self.work.take() else { return Ok(()) };
        work::keep(self.transaction, session, &work).map_err(StoreError::doing(DOING))
    }

    fn session(&mut self, record: &Fields) -> Result<i64, StoreError> {
        if let Some(session) = &mut self.session
            && session.name == record.session
        {
            session.last_at = record.at;
            return Ok(session.id);
        }
        self.finish()?;
        self.project = None;
        let find = "SELECT id, project FROM sessions WHERE name = ?1";
        let found = self.statement(find)?.query_row([&record.session], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, Option<i64>>(1)?))
        });
        let found = found.optional().map_err(StoreError::doing(DOING))?;
        let (id, project) = if let Some(found) = found {
            found
        } else {
            let write = "INSERT INTO sessions (name, cwd, started_at, last_at)
                VALUES (?1, ?2, ?3, ?3)";
            (self.insert(write, params![record.session, record.cwd, record.at])?, None)
        };
        let (name, last_at) = (record.session.clone(), record.at);
        self.session = Some(Session { id, name, last_at, project, keep_days: None });
        Ok(id)
    }

    fn agent(&mut self, session: i64, record: &Fields) -> Result<Option<i64>, StoreError> {
        let Some(name) = &record.agent else { return Ok(None) };
        if let Some(agent) = &self.agent
            && agent.session == session
            && agent.name == *name
        {
            return Ok(Some(agent.id));
        }
        let find = "SELECT id FROM agents WHERE session = ?1 AND name = ?2";
        let found = self.find(find, params![session, name])?;
        let id = if let Some(id) = found {
            id
        } else {
            let write = "INSERT INTO agents (session, name, role, started_at, last_at)
                VALUES (?1, ?2, ?3, ?4, ?4)";
            self.insert(write, params![session, name, record.role, record.at])?
        };
        self.agent = Some(Agent { id, session, name: name.clone() });
        Ok(Some(id))
    }

    fn project(&mut self, record: &Fields) -> Result<Option<i64>, StoreError> {
        let Some(directory) = &record.cwd else { return Ok(None) };
        if let Some(project) = self.project.as_ref().filter(|it| it.directory == *directory) {
            return Ok(project.id);
        }
        let here = self.around.of(directory);
        let seen = here.seen.as_ref();
        let home = self.session.as_ref().and_then(|it| it.project);
        let id = projects::project(self.transaction, home, directory, seen, record.at)?;
        if let Some(session) = &mut self.session {
            session.project = session.project.or(id);
            // Whichever of the directories of a session asks for the least is obeyed.
            session.keep_days = session.keep_days.into_iter().chain(here.keep_days).min();
        }
        self.project = Some(Project { directory: directory.clone(), id, here });
        Ok(id)
    }

    fn event(&self, of: Of, record: &Fields, end: u64, body: &str) -> Result<i64, StoreError> {
        let write = "INSERT INTO events
            (session, agent, project, prompt, kind, at, bytes, took_us, frame_end, body)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        let Of { session, agent, project } = of;
        let Fields { prompt, event, at, .. } = record;
        let end = end.cast_signed();
        // Sums of them must not overflow, whatever a frame says.
        let bytes = record.bytes.clamp(0, MOST);
        let us = record.us.map(|it| it.clamp(0, MOST));
        self.insert(
            write,
            params![session, agent, project, prompt, event, at, bytes, us, end, body],
        )
    }

    fn started(
        &mut self,
        session: i64,
        project: Option<i64>,
        record: &Fields,
    ) -> Result<(), StoreError> {
        let write = "UPDATE sessions SET source = coalesce(source, ?2), resumed = ?2,
            model = coalesce(?3, model), ended_at = NULL, end_reason = NULL WHERE id = ?1";
        self.execute(write, params![session, record.why, record.model])?;
        // After a compaction a session goes on as it was.
        let begins = matches!(record.why.as_deref(), Some("startup" | "resume" | "fork" | "clear"));
        let Some(project) = project.filter(|_| begins) else { return Ok(()) };
        // A loop begins after all that was done so far, and looks for runs of its own.
        self.keep_work(session)?;
        loops::claim(self.transaction, session, project, record.at)
            .map_err(StoreError::doing(DOING))
    }

    fn ended(&self, session: i64, record: &Fields) -> Result<(), StoreError> {
        let write = "UPDATE sessions SET ended_at = ?2, end_reason = ?3 WHERE id = ?1";
        self.execute(write, params![session, record.at, record.why])
    }

    /// A prompt also tells that a session goes on which had ended.
    fn prompt(&self, session: i64, event: i64, record: &Fields) -> Result<(), StoreError> {
        let write = "UPDATE sessions SET ended_at = NULL, end_reason = NULL
            WHERE id = ?1 AND ended_at IS NOT NULL";
        self.execute(write, [session])?;
        let Some(name) = &record.prompt else { return Ok(()) };
        let origin = record.why.as_deref().unwrap_or("user");
        let write = "INSERT INTO prompts (session, name, event, origin) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT DO NOTHING";
        self.execute(write, params![session, name, event, origin])
    }

    fn agent_stopped(&self, agent: Option<i64>, record: &Fields) -> Result<(), StoreError> {
        let write = "UPDATE agents SET stopped_at = ?2, last_at = ?2 WHERE id = ?1";
        self.execute(write, params![agent, record.at])
    }

    fn call(&self, session: i64, event: i64, record: &Fields) -> Result<(), StoreError> {
        let (Some(tool), Some(tool_name)) = (&record.tool, &record.name) else { return Ok(()) };
        let result = record.result.as_deref().unwrap_or("unknown");
        // The transcript has the last word, also where it was read first.
        let write = "INSERT INTO calls
            (event, session, name, tool, tool_name, result, exit, took_ms)
            VALUES (?1, ?2, ?3, ?4, ?5,
                CASE WHEN EXISTS (SELECT 1 FROM failed_calls WHERE session = ?2 AND name = ?3)
                THEN 'failed' ELSE ?6 END, ?7, ?8)";
        let Fields { call, exit, took_ms, .. } = record;
        self.execute(write, params![event, session, call, tool, tool_name, result, exit, took_ms])?;
        if record.is_edit() {
            for file in &record.files {
                let write = "INSERT INTO edits (event, file) VALUES (?1, ?2)
                    ON CONFLICT DO NOTHING";
                self.execute(write, params![event, file])?;
            }
        }
        if let Some(command) = &record.command {
            let write = "INSERT INTO runs (event, command) VALUES (?1, ?2)";
            self.execute(write, params![event, command])?;
        }
        Ok(())
    }

    fn answered(&self, record: &Fields) -> Result<(), StoreError> {
        let steps = serde_json::to_string(&record.steps).unwrap_or_default();
        let us = record.us.map(|it| it.clamp(0, MOST));
        let known = self.known.as_ref().zip(record.to);
        if let Some(event) = known.and_then(|(known, to)| known.ending_at(to)) {
            let write = "UPDATE events SET took_us = ?2, steps = ?3 WHERE id = ?1";
            return self.execute(write, params![event, us, steps]);
        }
        let write = "UPDATE events SET took_us = ?3, steps = ?4 WHERE id = (
            SELECT max(id) FROM events WHERE frame_end = ?2
            AND session = (SELECT id FROM sessions WHERE name = ?1))";
        self.execute(write, params![record.session, record.to, us, steps])
    }

    fn failed(&self, record: &Fields, end: u64) -> Result<(), StoreError> {
        let write = "INSERT INTO failures (at, doing, error) SELECT ?1, ?2, ?3 WHERE NOT ?4
            OR NOT EXISTS (SELECT 1 FROM failures WHERE at = ?1 AND doing = ?2 AND error = ?3)";
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let (doing, error) = (text(&record.doing), text(&record.error));
        self.execute(write, params![record.at, doing, error, end <= self.known_to])
    }

    fn find(&self, query: &str, values: impl Params) -> Result<Option<i64>, StoreError> {
        let found = self.statement(query)?.query_row(values, |row| row.get(0)).optional();
        found.map_err(StoreError::doing(DOING))
    }

    fn insert(&self, write: &str, values: impl Params) -> Result<i64, StoreError> {
        self.statement(write)?.insert(values).map_err(StoreError::doing(DOING))
    }

    fn execute(&self, write: &str, values: impl Params) -> Result<(), StoreError> {
        self.statement(write)?.execute(values).map(drop).map_err(StoreError::doing(DOING))
    }

    fn statement(&self, sql: &str) -> Result<CachedStatement<'_>, StoreError> {
        self.transaction.prepare_cached(sql).map_err(StoreError::doing(DOING))
    }
}

/// Tells whether a body is nested deeper than our parser goes. What a record does not know is
/// passed by whatever its depth, but SQLite could not read the row. No frame of ours has more than
/// two levels, so most have too few brackets to be looked at twice.
fn is_deep(body: &str) -> bool {
    const LEVELS: usize = 100;
    let brackets = body.bytes().filter(|it| matches!(it, b'[' | b'{'));
    brackets.count() > LEVELS && serde_json::from_str::<serde_json::Value>(body).is_err()
}
