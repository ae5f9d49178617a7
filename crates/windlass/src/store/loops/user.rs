//! What the user does with loops. A command that holds a secret never comes here.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use windlass_core::loops::{End, Limits, LoopAuthor, MAX_TASK, ScriptMark, Until};
use windlass_core::{SessionId, Timestamp, Work};

use super::list::{Kept, kept};
use super::{CLAIM, IS_HOLD, begin, forget, over, scripts};
use crate::quiet::unkept_tokens;
use crate::redact;
use crate::store::past::Past;
use crate::store::tidy::ABANDONED;
use crate::store::{Store, StoreError, Writing, projects};
use crate::surroundings::Surroundings;

/// Bytes of a task that are kept: it is refused before it is that long.
const TASK: usize = 8 * MAX_TASK;

const DOING: &str = "keep the loop";

/// A loop or a hold that is to be.
#[derive(Debug)]
pub(crate) struct NewLoop {
    pub(crate) task: String,
    pub(crate) author: LoopAuthor,
    pub(crate) until: Until,
    pub(crate) limits: Limits,
    /// How often the command must pass in a row at one stop.
    pub(crate) times: u32,
    /// The scripts of the command, as they are when the user gives it.
    pub(crate) scripts: Vec<ScriptMark>,
}

/// Who a loop belongs to.
#[derive(Debug)]
pub(crate) enum Owner<'a> {
    /// A session on record, by its name.
    Session(&'a str),
    /// The next session of the project of a directory.
    Next(&'a Path),
}

/// What became of a loop that was to go on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Resumed {
    /// It goes on.
    Loop(Box<Kept>),
    /// One of its kind is open there already.
    Taken,
    /// It has no project, and so no next session.
    Nowhere,
    /// There is none that could.
    Nothing,
}

/// What became of a loop that was to be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Made {
    /// It is there.
    Loop(i64),
    /// One of its kind is open there already.
    Taken,
    /// Nothing is known of the session or of the project.
    Nowhere,
}

impl Store {
    /// Makes a loop or a hold.
    pub(crate) fn make_loop(
        &mut self,
        new: &NewLoop,
        owner: &Owner<'_>,
        now: Timestamp,
        around: &Surroundings<'_>,
    ) -> Result<Made, StoreError> {
        let writing = self.write_change()?;
        let made = make(&writing, new, owner, now, around)?;
        writing.commit()?;
        Ok(made)
    }

    /// Ends one loop or hold of the project of a directory, whatever session has it.
    pub(crate) fn stop_loop(
        &mut self,
        id: i64,
        directory: &Path,
        now: Timestamp,
        around: &Surroundings<'_>,
    ) -> Result<(), StoreError> {
        let writing = self.write_change()?;
        let project = project(&writing, directory, now, around)?;
        let ended = over(&writing, id, End::Stopped, "the user ended it", now.0);
        ended.map_err(StoreError::doing(DOING))?;
        forget_texts(&writing, project, directory, around).map_err(StoreError::doing(DOING))?;
        writing.commit()
    }

    /// What was done so far in the session of a loop.
    pub(crate) fn work_of_loop(&self, id: i64) -> Result<Work, StoreError> {
        let find = "SELECT session FROM loops WHERE id = ?1";
        let session = self.connection.query_row(find, [id], |row| row.get::<_, Option<i64>>(0));
        let work = session.and_then(|it| match it {
            Some(session) => Ok(Past::load(&self.connection, session)?.work),
            None => Ok(Work::default()),
        });
        work.map_err(StoreError::doing("read the work of a loop"))
    }

    /// The user takes the command of a loop as it was at a step of its session, with these scripts.
    pub(crate) fn confirm_loop(
        &mut self,
        id: i64,
        scripts: &[ScriptMark],
        step: u64,
    ) -> Result<(), StoreError> {
        let writing = self.write_change()?;
        let write = "UPDATE loops SET scripts = ?2, trusted_step = ?3 WHERE id = ?1";
        let values = params![id, scripts::write(scripts), step.cast_signed()];
        writing.execute(write, values).map_err(StoreError::doing(DOING))?;
        writing.commit()
    }

    /// Ends those of the loops or the holds with these numbers that the agent of a session started
    /// for it.
    pub(crate) fn stop_own_loops(
        &mut self,
        gate: &str,
        session: &str,
        ids: &[i64],
        now: Timestamp,
    ) -> Result<Vec<Kept>, StoreError> {
        let writing = self.write_change()?;
        let condition = format!(
            "ended_at IS NULL AND ({IS_HOLD}) = ?1 AND author = 'agent'
            AND session = (SELECT id FROM sessions WHERE name = ?2)"
        );
        let found = kept(&writing, &condition, params![gate == "hold", session], 100);
        let mut found = found.map_err(StoreError::doing(DOING))?;
        found.retain(|it| ids.contains(&it.looped.id));
        for kept in &found {
            let why = "the agent that started it ended it";
            let ended = over(&writing, kept.looped.id, End::Stopped, why, now.0);
            ended.map_err(StoreError::doing(DOING))?;
        }
        writing.commit()?;
        Ok(found)
    }

    /// Lets a loop go on that came to its end without being proven, or whose session is over: in
    /// its session where that is still running, else in the next one of its project.
    pub(crate) fn resume_loop(
        &mut self,
        session: Option<&str>,
        directory: &Path,
        now: Timestamp,
        around: &Surroundings<'_>,
    ) -> Result<Resumed, StoreError> {
        let writing = self.write_change()?;
        let project = project(&writing, directory, now, around)?;
        let resumed = resume(&writing, session, project, now);
        let resumed = resumed.map_err(StoreError::doing(DOING))?;
        writing.commit()?;
        Ok(resumed)
    }
}

fn make(
    writing: &Writing<'_>,
    new: &NewLoop,
    owner: &Owner<'_>,
    now: Timestamp,
    around: &Surroundings<'_>,
) -> Result<Made, StoreError> {
    let doing = || StoreError::doing(DOING);
    lapse(writing, now).map_err(doing())?;
    let (project, session) = match owner {
        Owner::Session(name) => {
            let query = "SELECT project, id FROM sessions WHERE name = ?1";
            let found = writing.query_row(query, [name], |row| {
                Ok((row.get::<_, Option<i64>>(0)?, Some(row.get::<_, i64>(1)?)))
            });
            match found.optional().map_err(doing())? {
                Some(found) => found,
                None => return Ok(Made::Nowhere),
            }
        }
        Owner::Next(directory) => match project(writing, directory, now, around)? {
            Some(project) => (Some(project), None),
            None => return Ok(Made::Nowhere),
        },
    };
    let is_hold = matches!(new.until, Until::Released | Until::Unlocked(_));
    if is_taken(writing, is_hold, session, project, None).map_err(doing())? {
        return Ok(Made::Taken);
    }
    let (until, command) = match &new.until {
        Until::Passes(command) => ("passes", Some(command)),
        Until::Seen(words) => ("seen", Some(words)),
        Until::Released => ("released", None),
        Until::Unlocked(file) => ("unlocked", Some(file)),
    };
    let Limits { rounds, minutes, tokens, same_failures } = new.limits;
    let write = "INSERT INTO loops
        (project, task, until, command, max_rounds, max_minutes, max_tokens, made_at, author,
            author_session, max_failures, times, scripts)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    let task = redact::text(&new.task, TASK);
    let tokens = tokens.map(u64::cast_signed);
    let author_session = match (new.author, owner) {
        (LoopAuthor::Agent, Owner::Session(name)) => Some(*name),
        (LoopAuthor::Agent | LoopAuthor::User, _) => None,
    };
    let (author, at) = (new.author.word(), now.0);
    let scripts = scripts::write(&new.scripts);
    let values = params![
        project,
        task,
        until,
        command,
        rounds,
        minutes,
        tokens,
        at,
        author,
        author_session,
        same_failures,
        new.times,
        scripts
    ];
    writing.execute(write, values).map_err(doing())?;
    let id = writing.last_insert_rowid();
    if let Some(session) = session {
        begin_now(writing, id, session, now).map_err(doing())?;
    }
    Ok(Made::Loop(id))
}

/// A session that goes on begins with a loop. What its quiet turns counted was used before.
fn begin_now(writing: &Writing<'_>, id: i64, session: i64, now: Timestamp) -> rusqlite::Result<()> {
    begin(writing, id, session, now.0)?;
    let find = "SELECT name FROM sessions WHERE id = ?1";
    let name: String = writing.query_row(find, [session], |row| row.get(0))?;
    let unkept = SessionId::parse(&name).map_or(0, |it| unkept_tokens(writing.data_dir, &it));
    let write = "UPDATE loops SET begun_tokens = begun_tokens + ?2 WHERE id = ?1";
    writing.execute(write, params![id, unkept.cast_signed()]).map(drop)
}

/// Whether another one of its kind is open in a session, or waits for the next one of a project.
fn is_taken(
    connection: &Connection,
    is_hold: bool,
    session: Option<i64>,
    project: Option<i64>,
    itself: Option<i64>,
) -> rusqlite::Result<bool> {
    let query = format!(
        "SELECT EXISTS (SELECT 1 FROM loops WHERE ended_at IS NULL
        AND ({IS_HOLD}) = ?1 AND id IS NOT ?4 AND CASE WHEN ?2 IS NULL
        THEN session IS NULL AND project = ?3 ELSE session = ?2 END)"
    );
    connection.query_row(&query, params![is_hold, session, project, itself], |row| row.get(0))
}

fn resume(
    writing: &Writing<'_>,
    session: Option<&str>,
    project: Option<i64>,
    now: Timestamp,
) -> rusqlite::Result<Resumed> {
    lapse(writing, now)?;
    let condition = format!(
        "NOT ({IS_HOLD}) AND project IS ?1 AND end IS NOT 'proven' AND id =
        (SELECT max(id) FROM loops WHERE project IS ?1 AND NOT ({IS_HOLD}))
        AND (ended_at IS NOT NULL OR idle OR session IN
            (SELECT id FROM sessions WHERE ended_at IS NOT NULL))"
    );
    let Some(last) = kept(writing, &condition, [project], 1)?.pop() else {
        return Ok(Resumed::Nothing);
    };
    let id = last.looped.id;
    // Only the user resumes one: from now on it is the user's.
    let write = "UPDATE loops SET author = 'user', author_session = NULL WHERE id = ?1";
    let query = "SELECT id FROM sessions WHERE CASE WHEN ?1 IS NULL
        THEN id = (SELECT session FROM loops WHERE id = ?2) AND ended_at IS NULL
        AND last_at > ?3 ELSE name = ?1 END";
    let values = params![session, id, now.0.saturating_sub(ABANDONED)];
    let owner = writing.query_row(query, values, |row| row.get(0)).optional()?;
    if is_taken(writing, false, owner, project, Some(id))? {
        return Ok(Resumed::Taken);
    }
    if let Some(owner) = owner {
        begin_now(writing, id, owner, now)?;
    } else if project.is_some() {
        let write = "UPDATE loops SET session = NULL, begun_at = NULL, made_at = ?2, rounds = 0,
            failure = 0, failures = 0, idle = 0, ended_at = NULL, end = NULL, why = NULL WHERE id = ?1";
        writing.execute(write, params![id, now.0])?;
    } else {
        return Ok(Resumed::Nowhere);
    }
    writing.execute(write, [id])?;
    let resumed = kept(writing, "loops.id = ?1", [id], 1)?.pop();
    Ok(resumed.map_or(Resumed::Nothing, |it| Resumed::Loop(Box::new(it))))
}

/// Forgets what was wanted with the loops of a project that are over, where no words are kept.
pub(super) fn forget_texts(
    connection: &Connection,
    project: Option<i64>,
    directory: &Path,
    around: &Surroundings<'_>,
) -> rusqlite::Result<()> {
    let here = around.of(&directory.to_string_lossy());
    if here.policy.ledger.texts { Ok(()) } else { forget(connection, "project IS ?1", [project]) }
}

/// The project of a directory; none in `/` and in the home directory itself.
pub(in crate::store) fn project(
    writing: &Transaction<'_>,
    directory: &Path,
    now: Timestamp,
    around: &Surroundings<'_>,
) -> Result<Option<i64>, StoreError> {
    let (directory, home) = placed(writing, directory)?;
    let here = around.of(&directory);
    projects::project(writing, home, &directory, here.seen.as_ref(), now.0)
}

/// The same as far as it is known: nothing is written.
pub(in crate::store) fn known_project(
    connection: &Connection,
    directory: &Path,
    around: &Surroundings<'_>,
) -> Result<Option<i64>, StoreError> {
    let (directory, home) = placed(connection, directory)?;
    let here = around.of(&directory);
    projects::known_project(connection, home, &directory, here.seen.as_ref())
}

/// A directory as the journal names it, and the project around it: a plain directory below one in
/// which a session began is no project of its own.
fn placed(connection: &Connection, directory: &Path) -> Result<(String, Option<i64>), StoreError> {
    let directory = redact::text(&directory.to_string_lossy(), 512).to_string();
    let home = "SELECT sessions.project FROM sessions
        JOIN places ON places.project = sessions.project AND kind = 'directory'
        WHERE substr(?1, 1, length(path) + 1) = path || '/' ORDER BY length(path) DESC LIMIT 1";
    let home = connection.query_row(home, [&directory], |row| row.get(0)).optional();
    Ok((directory, home.map_err(StoreError::doing(DOING))?))
}

/// The loops that nobody took in time are over.
pub(super) fn lapse(connection: &Connection, now: Timestamp) -> rusqlite::Result<()> {
    let write = "UPDATE loops SET ended_at = made_at + ?2, end = 'lapsed',
        why = 'no session began within ten minutes'
        WHERE session IS NULL AND ended_at IS NULL AND made_at + ?2 < ?1";
    connection.execute(write, params![now.0, CLAIM]).map(drop)
}
