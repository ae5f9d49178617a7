//! What was done in a session, and the loops that hold it.

use rusqlite::{Connection, OptionalExtension};
use windlass_core::Work;
use windlass_core::evidence::{Pattern, RunKind};
use windlass_core::loops::{Loop, Until};

use super::{loops, work};

/// What a stop of a session is judged by.
#[derive(Debug)]
pub(super) struct Past {
    /// Whose it is.
    pub(super) session: i64,
    pub(super) work: Work,
    /// The loops that are not over.
    pub(super) loops: Vec<Loop>,
    /// Rows of loops that cannot be read.
    pub(super) unreadable: u32,
}

impl Past {
    /// Most sessions have no loop, and to find that out costs less than to look for loops.
    pub(super) fn load(connection: &Connection, session: i64) -> rusqlite::Result<Self> {
        let mut find = connection.prepare_cached("SELECT body FROM works WHERE session = ?1")?;
        let body: Option<String> = find.query_row([session], |row| row.get(0)).optional()?;
        let work = work::read(connection, session, body.as_deref())?;
        let query = "SELECT 1 FROM loops WHERE session = ?1 AND ended_at IS NULL";
        let has_loops = connection.prepare_cached(query)?.exists([session])?;
        let (loops, unreadable) =
            if has_loops { loops::of_session(connection, session)? } else { (Vec::new(), 0) };
        Ok(Self { session, work, loops, unreadable })
    }

    /// The runs that the loops look for.
    pub(super) fn patterns(&self) -> Vec<Pattern> {
        let seen = self.loops.iter().filter_map(|it| match &it.until {
            Until::Seen(command) => Pattern::of(RunKind::Test, command).ok(),
            Until::Passes(_) | Until::Released | Until::Unlocked(_) => None,
        });
        seen.collect()
    }
}
