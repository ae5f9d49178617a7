//! One frame → the rows that it makes.

use std::mem;
use std::rc::Rc;

use rusqlite::{CachedStatement, OptionalExtension, Params, Transaction, params};
use windlass_core::evidence::Pattern;
use windlass_core::{Event, Work};

use super::error::StoreError;
use super::known::{self, Known};
use super::past::Past;
use super::tidy::ABANDONED;
use super::{failed, loops, projects, work};
use crate::failure;
use crate::journal::{Answer, Body, RuleBody, Twins, without_texts};
use crate::surroundings::{Surrounding, Surroundings};

/// Makes rows out of the frames of one journal.
pub(super) struct Rows<'a> {
    transaction: &'a Transaction<'a>,
    around: &'a Surroundings<'a>,
    /// Commands that never ran, whatever their frames say.
    never_ran: &'a [String],
    /// Up to where in the journal a frame may be in the ledger already.
    known_to: u64,
    known: Option<Known>,
    /// Calls of a session that were flagged as failed before they were folded.
    flagged: Option<(i64, Vec<String>)>,
    /// The session of the last frame: a journal holds one, as a rule.
    session: Option<Session>,
    agent: Option<Agent>,
    project: Option<Project>,
    /// What was done in the session, where a frame tells of more, and the runs that its loops look
    /// for.
    past: Option<(Past, Vec<Pattern>)>,
    /// The last events, so that one that was recorded twice counts once.
    twins: Twins,
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
    /// The directory in which it began, once a frame told it.
    directory: Option<String>,
    /// Whether it has ended, for now, or was silent for so long that it counted as over.
    is_over: bool,
    /// Whether more is new than the time.
    is_changed: bool,
}

/// What is known of the session of the last frame.
pub(super) struct LastSession {
    pub(super) id: i64,
    pub(super) name: String,
    /// As it is kept now, where a frame told of it.
    pub(super) past: Option<Past>,
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
    /// Frames that end up to `known_to` are looked for in the ledger first. `twins` knows the frames
    /// before them.
    pub(super) fn new(
        transaction: &'a Transaction<'a>,
        (around, never_ran): (&'a Surroundings<'a>, &'a [String]),
        known_to: u64,
        twins: Twins,
    ) -> Self {
        Self {
            transaction,
            around,
            never_ran,
            known_to,
            known: None,
            flagged: None,
            session: None,
            agent: None,
            project: None,
            past: None,
            twins,
        }
    }

    /// Adds a frame that ends at a place in its journal, and tells the id of its event. A frame
    /// that is not an event, and one that this version cannot read, makes none.
    pub(super) fn add(&mut self, frame: &[u8], end: u64) -> Result<Option<i64>, StoreError> {
        let Ok(frame) = str::from_utf8(frame) else { return Ok(None) };
        let Some(mut body) = Body::read(frame) else { return Ok(None) };
        if is_deep(frame) {
            return Ok(None);
        }
        let is_twin = self.twins.is_twin(&body, frame.as_bytes(), end);
        match &*body.event {
            Answer::EVENT => return self.answered(&body).map(|()| None),
            failure::EVENT => return self.failed(&body, end).map(|()| None),
            _ if is_twin => return Ok(None),
            _ => {}
        }
        let session = self.session(&body)?;
        let agent = self.agent(session, &body)?;
        let project = self.project(&body)?;
        let words;
        let frame = match &self.project {
            Some(project) if !project.here.policy.ledger.texts => {
                body.forget_texts();
                words = without_texts(frame);
                words.as_str()
            }
            _ => frame,
        };
        if end <= self.known_to {
            let frame = known::Frame { at: body.at, kind: &body.event, end, body: frame };
            let known = Known::of(self.transaction, &mut self.known, session);
            let known = known.map_err(StoreError::doing(DOING))?;
            let event = known.take(self.transaction, frame).map_err(StoreError::doing(DOING))?;
            if event.is_some() {
                return Ok(event);
            }
        }
        let event = self.event(Of { session, agent, project }, &body, end, frame)?;
        if let Some(known) = &mut self.known {
            known.add(end, event);
        }
        match &*body.event {
            "session-start" => self.started(session, project, &body)?,
            "session-end" => self.ended(session, &body)?,
            "prompt" => self.prompt(session)?,
            "agent-stop" => self.agent_stopped(agent, &body)?,
            "tool" => body.never_ran = Some(self.call(session, event, &body)?),
            _ => {}
        }
        if tells_work(&body) {
            self.observe(session, body)?;
        }
        Ok(Some(event))
    }

    /// What was done in the session of the last frame, and the runs that its loops look for.
    fn past_of(&mut self, session: i64) -> Result<&mut (Past, Vec<Pattern>), StoreError> {
        let past = if let Some(past) = self.past.take() {
            past
        } else {
            let past = Past::load(self.transaction, session);
            let past = past.map_err(StoreError::doing(DOING))?;
            let own = past.patterns();
            (past, own)
        };
        Ok(self.past.insert(past))
    }

    /// Takes into the session's work what a frame tells of it.
    fn observe(&mut self, session: i64, body: Body<'_>) -> Result<(), StoreError> {
        let Some(event) = body.event() else { return Ok(()) };
        self.past_of(session)?;
        let Some((past, own)) = &mut self.past else { return Ok(()) };
        let here = self.project.as_ref().map(|it| (it.directory.as_str(), &*it.here));
        let began = self.session.as_ref().and_then(|it| it.directory.as_deref());
        observe(&mut past.work, &event, own, here, (began, self.around));
        Ok(())
    }

    /// Writes what was gathered over several frames, and tells of the last session.
    pub(super) fn finish(mut self) -> Result<Option<LastSession>, StoreError> {
        self.leave_session()
    }

    fn leave_session(&mut self) -> Result<Option<LastSession>, StoreError> {
        let Some(session) = self.session.take() else { return Ok(None) };
        let past = self.keep_past()?;
        let Session { id, name, last_at, project, keep_days, .. } = session;
        if session.is_changed {
            let write = "UPDATE sessions SET last_at = ?2, project = ?3, keep_days = ?4
                WHERE id = ?1";
            self.execute(write, params![id, last_at, project, keep_days])?;
        } else {
            self.execute("UPDATE sessions SET last_at = ?2 WHERE id = ?1", params![id, last_at])?;
        }
        Ok(Some(LastSession { id, name, past }))
    }

    /// Writes what was done in the session so far.
    fn keep_past(&mut self) -> Result<Option<Past>, StoreError> {
        let Some((past, _)) = self.past.take() else { return Ok(None) };
        let kept = work::keep(self.transaction, past.session, &past.work);
        kept.map_err(StoreError::doing(DOING))?;
        Ok(Some(past))
    }

    fn session(&mut self, body: &Body<'_>) -> Result<i64, StoreError> {
        if let Some(id) = self.known_session(body)? {
            self.begun_in(body)?;
            return Ok(id);
        }
        let write = "INSERT INTO sessions (name, cwd, started_at, last_at)
            VALUES (?1, ?2, ?3, ?3)";
        let id = self.insert(write, params![&*body.session, body.cwd.as_deref(), body.at])?;
        self.session = Some(Session {
            id,
            name: body.session.to_string(),
            last_at: body.at,
            project: None,
            keep_days: None,
            directory: body.cwd.as_deref().map(str::to_owned),
            is_over: false,
            is_changed: false,
        });
        Ok(id)
    }

    /// A session may be known before any of its frames is folded, and a frame may name no directory:
    /// the first one that does tells where it began.
    fn begun_in(&mut self, body: &Body<'_>) -> Result<(), StoreError> {
        let session = self.session.as_mut().filter(|it| it.directory.is_none());
        let (Some(session), Some(directory)) = (session, body.cwd.as_deref()) else {
            return Ok(());
        };
        session.directory = Some(directory.to_owned());
        let id = session.id;
        self.execute("UPDATE sessions SET cwd = ?2 WHERE id = ?1", params![id, directory])
    }

    /// The session of a frame, if the ledger has it.
    fn known_session(&mut self, body: &Body<'_>) -> Result<Option<i64>, StoreError> {
        if let Some(session) = &mut self.session
            && *session.name == *body.session
        {
            session.last_at = session.last_at.max(body.at);
            return Ok(Some(session.id));
        }
        self.leave_session()?;
        self.project = None;
        let find = "SELECT id, last_at, project, keep_days, ended_at, cwd FROM sessions
            WHERE name = ?1";
        let found = self.statement(find)?.query_row([&*body.session], |row| {
            let last_at: i64 = row.get(1)?;
            let is_silent = last_at < body.at.saturating_sub(ABANDONED);
            Ok(Session {
                id: row.get(0)?,
                name: body.session.to_string(),
                last_at: body.at.max(last_at),
                project: row.get(2)?,
                keep_days: row.get(3)?,
                directory: row.get(5)?,
                is_over: is_silent || row.get::<_, Option<i64>>(4)?.is_some(),
                is_changed: false,
            })
        });
        self.session = found.optional().map_err(StoreError::doing(DOING))?;
        Ok(self.session.as_ref().map(|it| it.id))
    }

    fn agent(&mut self, session: i64, body: &Body<'_>) -> Result<Option<i64>, StoreError> {
        let Some(name) = body.agent.as_deref() else { return Ok(None) };
        if let Some(agent) = &self.agent
            && agent.session == session
            && agent.name == name
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
            self.insert(write, params![session, name, body.role.as_deref(), body.at])?
        };
        self.agent = Some(Agent { id, session, name: name.to_owned() });
        Ok(Some(id))
    }

    fn project(&mut self, body: &Body<'_>) -> Result<Option<i64>, StoreError> {
        let Some(directory) = body.cwd.as_deref() else { return Ok(None) };
        if let Some(project) = self.project.as_ref().filter(|it| it.directory == directory) {
            return Ok(project.id);
        }
        let here = self.around.of(directory);
        let seen = here.seen.as_ref();
        let home = self.session.as_ref().and_then(|it| it.project);
        let id = projects::project(self.transaction, home, directory, seen, body.at)?;
        if let Some(session) = &mut self.session {
            let was = (session.project, session.keep_days);
            session.project = session.project.or(id);
            // Whichever of the directories of a session asks for the least is obeyed.
            session.keep_days = session.keep_days.into_iter().chain(here.keep_days).min();
            session.is_changed |= was != (session.project, session.keep_days);
        }
        self.project = Some(Project { directory: directory.to_owned(), id, here });
        Ok(id)
    }

    fn event(&self, of: Of, body: &Body<'_>, end: u64, frame: &str) -> Result<i64, StoreError> {
        let write = "INSERT INTO events
            (session, agent, project, prompt, kind, at, bytes, took_us, frame_end, body)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        let Of { session, agent, project } = of;
        let (prompt, kind, at) = (body.prompt.as_deref(), &*body.event, body.at);
        let end = end.cast_signed();
        // Sums of them must not overflow, whatever a frame says.
        let bytes = body.bytes.unwrap_or_default().clamp(0, MOST);
        let us = body.us.map(|it| it.clamp(0, MOST));
        self.insert(
            write,
            params![session, agent, project, prompt, kind, at, bytes, us, end, frame],
        )
    }

    fn started(
        &mut self,
        session: i64,
        project: Option<i64>,
        body: &Body<'_>,
    ) -> Result<(), StoreError> {
        self.goes_on(session)?;
        let write = "UPDATE sessions SET source = coalesce(source, ?2), resumed = ?2,
            model = coalesce(?3, model), ended_at = NULL, end_reason = NULL WHERE id = ?1";
        self.execute(write, params![session, body.why.as_deref(), body.model.as_deref()])?;
        // After a compaction a session goes on as it was.
        let begins = matches!(body.why.as_deref(), Some("startup" | "resume" | "fork" | "clear"));
        let Some(project) = project.filter(|_| begins) else { return Ok(()) };
        // A loop begins after all that was done so far, and looks for runs of its own.
        self.keep_past()?;
        loops::claim(self.transaction, session, project, body.at).map_err(StoreError::doing(DOING))
    }

    fn ended(&mut self, session: i64, body: &Body<'_>) -> Result<(), StoreError> {
        if let Some(session) = &mut self.session {
            session.is_over = true;
        }
        let write = "UPDATE sessions SET ended_at = ?2, end_reason = ?3 WHERE id = ?1";
        self.execute(write, params![session, body.at, body.why.as_deref()])
    }

    /// A prompt also tells that a session goes on which had ended.
    fn prompt(&mut self, session: i64) -> Result<(), StoreError> {
        if !self.goes_on(session)? {
            return Ok(());
        }
        let write = "UPDATE sessions SET ended_at = NULL, end_reason = NULL WHERE id = ?1";
        self.execute(write, [session])
    }

    /// The session is not over any more, and was so until now. What it did not use of that which it
    /// was shown it may use now.
    fn goes_on(&mut self, session: i64) -> Result<bool, StoreError> {
        let goes_on = self.session.as_mut().is_some_and(|it| mem::take(&mut it.is_over));
        if goes_on {
            self.execute(
                "UPDATE shown SET used = NULL WHERE session = ?1 AND used = 0",
                [session],
            )?;
        }
        Ok(goes_on)
    }

    fn agent_stopped(&self, agent: Option<i64>, body: &Body<'_>) -> Result<(), StoreError> {
        let write = "UPDATE agents SET stopped_at = ?2, last_at = ?2 WHERE id = ?1";
        self.execute(write, params![agent, body.at])
    }

    /// Adds a call, and tells whether it never ran.
    fn call(&mut self, session: i64, event: i64, body: &Body<'_>) -> Result<bool, StoreError> {
        let (Some(tool), Some(tool_name)) = (body.tool.as_deref(), body.name.as_deref()) else {
            return Ok(body.never_ran == Some(true));
        };
        let (call, command) = (body.call.as_deref(), body.command.as_deref());
        let result = body.result.as_deref().unwrap_or("unknown");
        let is_flagged = call.map(|it| self.is_flagged(session, it)).transpose()? == Some(true);
        let never_ran = never_ran(body, self.never_ran, is_flagged);
        let result = match result {
            _ if never_ran => "unknown",
            _ if is_flagged => "failed",
            result => result,
        };
        let write = "INSERT INTO calls
            (event, name, tool, tool_name, command, result, exit, took_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let Body { exit, took_ms, .. } = body;
        let values = params![event, call, tool, tool_name, command, result, exit, took_ms];
        self.execute(write, values)?;
        if body.is_edit() && !never_ran {
            for file in &body.files {
                let write = "INSERT INTO edits (event, file) VALUES (?1, ?2)
                    ON CONFLICT DO NOTHING";
                self.execute(write, params![event, &**file])?;
            }
        }
        Ok(never_ran)
    }

    /// Whether the transcript was read before the call was folded, and flags it as failed.
    fn is_flagged(&mut self, session: i64, call: &str) -> Result<bool, StoreError> {
        let names = match &mut self.flagged {
            Some((of, names)) if *of == session => names,
            other => {
                let names = failed::waiting(self.transaction, session);
                &mut other.insert((session, names.map_err(StoreError::doing(DOING))?)).1
            }
        };
        Ok(names.iter().any(|it| it == call))
    }

    fn answered(&mut self, body: &Body<'_>) -> Result<(), StoreError> {
        let Some(session) = self.known_session(body)? else { return Ok(()) };
        if let Some(asked) = body.asked {
            self.asked(session, body, asked)?;
        }
        if let Some(rules) = &body.rules {
            self.decided_quietly(session, body, rules)?;
        }
        let steps = serde_json::to_string(&body.steps).unwrap_or_default();
        let us = body.us.map(|it| it.clamp(0, MOST));
        let known = self.known.as_ref().zip(body.to);
        if let Some(event) = known.and_then(|(known, to)| known.ending_at(to)) {
            let write = "UPDATE events SET took_us = ?2, steps = ?3 WHERE id = ?1";
            return self.execute(write, params![event, us, steps]);
        }
        // A ledger that was made anew has given out other ids.
        let write = "UPDATE events SET took_us = ?4, steps = ?5
            WHERE id = ?1 AND session = ?2 AND frame_end = ?3";
        let values = params![body.id, session, body.to, us, steps];
        let written = self.statement(write)?.execute(values).map_err(StoreError::doing(DOING))?;
        if written > 0 {
            return Ok(());
        }
        let write = "UPDATE events SET took_us = ?3, steps = ?4 WHERE id = (
            SELECT max(id) FROM events WHERE session = ?1 AND frame_end = ?2)";
        self.execute(write, params![session, body.to, us, steps])
    }

    /// An answer asked the agent to go on. Mostly its decision is in the ledger, and was counted with
    /// it. Where the ledger was lost since then, the journal alone tells of it: the caps go on.
    fn asked(
        &mut self,
        session: i64,
        body: &Body<'_>,
        [in_prompt, in_session]: [u32; 2],
    ) -> Result<(), StoreError> {
        let keep = "INSERT INTO decisions (event, verdict, rules)
            SELECT max(id), 'ask', '[]' FROM events WHERE session = ?1 AND frame_end = ?2
            HAVING max(id) IS NOT NULL ON CONFLICT DO NOTHING";
        let values = params![session, body.to];
        if self.statement(keep)?.execute(values).map_err(StoreError::doing(DOING))? == 0 {
            return Ok(());
        }
        let (past, _) = self.past_of(session)?;
        let agent = body.agent.as_deref().unwrap_or_default();
        past.work.restore_asked(agent, in_prompt, in_session);
        Ok(())
    }

    /// An event was decided without the ledger, and nothing was said.
    fn decided_quietly(
        &self,
        session: i64,
        body: &Body<'_>,
        rules: &[RuleBody<'_>],
    ) -> Result<(), StoreError> {
        let rules = serde_json::to_string(rules).unwrap_or_default();
        let keep = "INSERT INTO decisions (event, verdict, rules)
            SELECT max(id), 'pass', ?3 FROM events WHERE session = ?1 AND frame_end = ?2
            HAVING max(id) IS NOT NULL ON CONFLICT DO NOTHING";
        self.execute(keep, params![session, body.to, rules])
    }

    fn failed(&self, body: &Body<'_>, end: u64) -> Result<(), StoreError> {
        let write = "INSERT INTO failures (at, doing, error) SELECT ?1, ?2, ?3 WHERE NOT ?4
            OR NOT EXISTS (SELECT 1 FROM failures WHERE at = ?1 AND doing = ?2 AND error = ?3)";
        let (doing, error) = (body.doing.as_deref(), body.error.as_deref());
        let (doing, error) = (doing.unwrap_or_default(), error.unwrap_or_default());
        self.execute(write, params![body.at, doing, error, end <= self.known_to])
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

/// Whether a frame tells of what was done in its session.
pub(crate) fn tells_work(body: &Body<'_>) -> bool {
    match &*body.event {
        "prompt" | "tool" | "task-created" => true,
        "session-start" => body.model.is_some(),
        _ => false,
    }
}

/// Whether the call of a frame never ran: its own frame says so, or the transcript does, which names
/// such commands (`named`) and flags calls as failed. A command that ran and failed told its exit
/// code.
pub(crate) fn never_ran(body: &Body<'_>, named: &[String], is_flagged: bool) -> bool {
    let is_named = body.call.as_deref().is_some_and(|it| named.iter().any(|name| name == it));
    let is_shell = body.tool.as_deref() == Some("shell");
    let is_unrun = is_shell && (is_named || is_flagged && body.exit.is_none());
    body.never_ran == Some(true) || is_unrun
}

/// Takes an event into the work of its session. `own` are the runs that its loops look for, `here` is
/// what surrounds the event, and the session began in a directory: its project names runs, too,
/// wherever its agent is.
pub(crate) fn observe(
    work: &mut Work,
    event: &Event,
    own: &[Pattern],
    here: Option<(&str, &Surrounding)>,
    (began, around): (Option<&str>, &Surroundings<'_>),
) {
    let runs = here.map_or(&[][..], |it| &it.1.policy.gates.runs);
    let began = began.filter(|it| here.is_some_and(|here| here.0 != *it));
    let home = began.map(|it| around.of(it));
    let named = home.as_ref().map_or(&[][..], |it| &it.policy.gates.runs);
    if runs.is_empty() && named.is_empty() {
        work.observe(event, own);
    } else {
        work.observe(event, &[own, runs, named].concat());
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
