//! Calls that the transcript flags as failed. It has the last word, also where it was read before
//! they were folded.

use rusqlite::{Connection, OptionalExtension, params};
use windlass_core::{Digest, Event, Kind, Timestamp};

use super::{StoreError, Turn};
use crate::redact;

/// Events of a session that are looked at for them, the last ones: the new part of a transcript
/// tells of what was just done.
const RECENT: usize = 10_000;

/// The calls of a session that were flagged before they were folded.
pub(super) fn waiting(connection: &Connection, session: i64) -> rusqlite::Result<Vec<String>> {
    let query = "SELECT name FROM failed_calls WHERE session = ?1";
    let mut find = connection.prepare_cached(query)?;
    find.query_map([session], |row| row.get(0))?.collect()
}

/// Takes in which calls the new part of a transcript flags, and which of them never ran.
pub(super) fn keep(connection: &Connection, session: i64, digest: &Digest) -> rusqlite::Result<()> {
    let clean = |it: &String| redact::text(it, 128).to_string();
    let mut names: Vec<String> = digest.failed.iter().chain(&digest.never_ran).map(clean).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return Ok(());
    }
    let query = "SELECT calls.event, calls.name FROM events JOIN calls ON calls.event = events.id
        WHERE events.session = ?1 ORDER BY events.id DESC";
    let mut find = connection.prepare(query)?;
    let mut rows = find.query([session])?;
    let (mut found, mut seen) = (Vec::new(), 0);
    while !names.is_empty()
        && seen < RECENT
        && let Some(row) = rows.next()?
    {
        seen += 1;
        let name = row.get_ref(1)?.as_str_or_null()?;
        if let Some(at) = names.iter().position(|it| Some(it.as_str()) == name) {
            found.push((row.get::<_, i64>(0)?, names.swap_remove(at)));
        }
    }
    drop(rows);
    let failed: Vec<String> = digest.failed.iter().map(clean).collect();
    let never_ran: Vec<String> = digest.never_ran.iter().map(clean).collect();
    for (event, name) in found {
        // What is flagged in other words than an exit code failed where it is no command, and never
        // ran where it is one.
        let update = match (failed.contains(&name), never_ran.contains(&name)) {
            (true, false) => "UPDATE calls SET result = 'failed' WHERE event = ?1",
            (false, _) => "UPDATE calls SET result = 'unknown' WHERE event = ?1",
            (true, true) => {
                "UPDATE calls SET result = CASE tool WHEN 'shell' THEN 'unknown' ELSE 'failed' END
                WHERE event = ?1"
            }
        };
        connection.execute(update, [event])?;
    }
    for name in names.iter().filter(|it| failed.contains(it)) {
        let insert = "INSERT INTO failed_calls (session, name) VALUES (?1, ?2)
            ON CONFLICT DO NOTHING";
        connection.execute(insert, params![session, name])?;
    }
    Ok(())
}

impl Turn<'_> {
    /// When a call of the session of an event ended; `None` where its agent stopped after that and
    /// before the event. That stop has read the row of the call, or waited for it.
    pub(crate) fn call_ended(
        &self,
        event: &Event,
        call: &str,
    ) -> Result<Option<Timestamp>, StoreError> {
        let find = || {
            let query = "SELECT id, at, agent FROM events JOIN calls ON calls.event = events.id
                WHERE events.session = ?1 AND calls.name = ?2 ORDER BY events.id DESC LIMIT 1";
            let session = self.session(event)?;
            let of_call = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
            let ended = self.writing.query_row(query, params![session, call], of_call);
            let ended: Option<(i64, i64, Option<i64>)> = ended.optional()?;
            let Some((id, at, agent)) = ended else { return Ok(None) };
            let own = i64::from(matches!(event.kind, Kind::Stop(_) | Kind::AgentStop(_)));
            let query = "SELECT count(*) FROM events WHERE session = ?1 AND id > ?2
                AND agent IS ?3 AND kind IN ('stop', 'agent-stop')";
            let stops: i64 =
                self.writing.query_row(query, params![session, id, agent], |row| row.get(0))?;
            Ok((stops <= own).then_some(Timestamp(at)))
        };
        find().map_err(StoreError::doing("find when a call ended"))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use serde_json::json;
    use windlass_core::{Event, Excerpt, Kind, SessionId, Stop, Timestamp};

    use crate::Host;
    use crate::journal::{self, append, seal};
    use crate::store::{Patience, Store};
    use crate::surroundings::Surroundings;

    /// The first stop has read the row of a call, or waited for it; the cursor of the transcript is
    /// behind the row by then.
    #[test]
    fn a_stop_after_a_stop_waits_for_no_row() {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path();
        let mut store = Store::open(data, Patience::For(Duration::from_mins(1))).unwrap();
        let stop = Stop { message: Excerpt::of("Done."), ..Stop::default() };
        let event = Event {
            at: Timestamp(90),
            session: SessionId::parse("s").unwrap(),
            agent: None,
            prompt: None,
            cwd: "/p".to_owned(),
            transcript: None,
            bytes: 0,
            kind: Kind::Stop(stop),
        };
        fs::create_dir_all(journal::directory(data)).unwrap();
        let journal = journal::directory(data).join(journal::name(&event.session));
        let mut ended = |frame: &serde_json::Value| {
            append(&journal, &seal(frame).unwrap()).unwrap();
            store.catch_up(&Surroundings::new(&Host::from_process())).unwrap();
            store.begin().unwrap().call_ended(&event, "c1").unwrap()
        };
        let stop = |at: i64, agent: Option<&str>| {
            let kind = if agent.is_some() { "agent-stop" } else { "stop" };
            json!({"event": kind, "session": "s", "at": at, "cwd": "/p", "agent": agent})
        };
        let call = json!({"event": "tool", "session": "s", "at": 50, "cwd": "/p", "call": "c1",
            "tool": "shell", "name": "Bash", "command": "make test", "result": "passed"});
        assert_eq!(ended(&stop(40, None)), None);
        ended(&call);
        assert_eq!(ended(&stop(60, None)), Some(Timestamp(50)), "the first stop after it");
        assert_eq!(ended(&stop(65, Some("a1"))), Some(Timestamp(50)), "another agent");
        assert_eq!(ended(&stop(70, None)), None, "the second one");
    }
}
