//! Single events, with what was decided upon them.

use rusqlite::{Params, Row, params};
use serde::Deserialize;
use windlass_core::Timestamp;

use crate::journal::Words;
use crate::store::{Store, StoreError};

/// One event of the ledger. Its id is also the id of what was decided upon it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) id: i64,
    pub(crate) session: String,
    /// The subagent it happened in, by its type or else by its id.
    pub(crate) agent: Option<String>,
    pub(crate) kind: String,
    pub(crate) at: Timestamp,
    /// Bytes of the event as the agent sent it.
    pub(crate) bytes: i64,
    /// Microseconds that the answer took.
    pub(crate) took_us: Option<i64>,
    /// How a tool call ended, the transcript's word included.
    pub(crate) result: Option<String>,
    /// The record as it stood in the journal.
    pub(crate) body: String,
    pub(crate) decision: Option<Decided>,
}

/// What was decided upon an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decided {
    pub(crate) verdict: String,
    /// What the agent was asked for.
    pub(crate) asked: Option<String>,
    /// Why the agent was let go although something was open.
    pub(crate) released: Option<String>,
    /// What the agent was told.
    pub(crate) context: Option<String>,
    /// What the user was told.
    pub(crate) notice: Option<String>,
    pub(crate) rules: Vec<Spoken>,
    /// Microseconds of each step, in order; empty where the answer was not completed.
    pub(crate) steps: Vec<u64>,
}

/// A rule that spoke.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Spoken {
    pub(crate) rule: String,
    pub(crate) said: String,
    pub(crate) us: u64,
}

impl Moment {
    /// The words of the record; none where a later version wrote it in another way.
    pub(crate) fn words(&self) -> Words {
        Words::read(&self.body)
    }
}

const QUERY: &str = "SELECT events.id, sessions.name, coalesce(nullif(role, ''), agents.name),
    kind, at, bytes, took_us, result, body, verdict, asked, context, notice, rules, steps
    FROM events JOIN sessions ON sessions.id = events.session
    LEFT JOIN agents ON agents.id = events.agent
    LEFT JOIN calls ON calls.event = events.id
    LEFT JOIN decisions ON decisions.event = events.id ";

fn moment(row: &Row<'_>) -> rusqlite::Result<Moment> {
    Ok(Moment {
        id: row.get(0)?,
        session: row.get(1)?,
        agent: row.get(2)?,
        kind: row.get(3)?,
        at: Timestamp(row.get(4)?),
        bytes: row.get(5)?,
        took_us: row.get(6)?,
        result: row.get(7)?,
        body: row.get(8)?,
        decision: decided(row)?,
    })
}

fn decided(row: &Row<'_>) -> rusqlite::Result<Option<Decided>> {
    let Some(verdict) = row.get::<_, Option<String>>(9)? else { return Ok(None) };
    // One column holds either.
    let said: Option<String> = row.get(10)?;
    let (asked, released) = if verdict == "ask" { (said, None) } else { (None, said) };
    let rules = row.get::<_, Option<String>>(13)?.unwrap_or_default();
    let steps = row.get::<_, Option<String>>(14)?.unwrap_or_default();
    Ok(Some(Decided {
        verdict,
        asked,
        released,
        context: row.get(11)?,
        notice: row.get(12)?,
        rules: serde_json::from_str(&rules).unwrap_or_default(),
        steps: serde_json::from_str(&steps).unwrap_or_default(),
    }))
}

impl Store {
    /// The event of an id.
    pub(crate) fn moment(&self, id: i64) -> Result<Option<Moment>, StoreError> {
        let found = self.find_moments("WHERE events.id = ?1", [id])?;
        Ok(found.into_iter().next())
    }

    /// The last events of a session, in order.
    pub(crate) fn timeline(&self, session: &str, last: u32) -> Result<Vec<Moment>, StoreError> {
        let which = "WHERE sessions.name = ?1 ORDER BY events.id DESC LIMIT ?2";
        let mut moments = self.find_moments(which, params![session, last])?;
        moments.reverse();
        Ok(moments)
    }

    /// The last events of a session upon which something was decided, the newest first.
    pub(crate) fn decisions(&self, session: &str, last: u32) -> Result<Vec<Moment>, StoreError> {
        let which = "WHERE sessions.name = ?1 AND verdict IS NOT NULL
            ORDER BY events.id DESC LIMIT ?2";
        self.find_moments(which, params![session, last])
    }

    /// The last events of all sessions of a session's project upon which something was decided, the
    /// newest first. One in no project stands for its directory.
    pub(crate) fn decisions_beside(
        &self,
        session: &str,
        last: u32,
    ) -> Result<Vec<Moment>, StoreError> {
        let which = "WHERE verdict IS NOT NULL AND events.session IN (
                SELECT other.id FROM sessions AS one JOIN sessions AS other
                ON other.id = one.id OR other.project = one.project
                OR one.project IS NULL AND other.project IS NULL AND other.cwd = one.cwd
                WHERE one.name = ?1)
            ORDER BY events.id DESC LIMIT ?2";
        self.find_moments(which, params![session, last])
    }

    fn find_moments(&self, which: &str, values: impl Params) -> Result<Vec<Moment>, StoreError> {
        self.rows(&format!("{QUERY}{which}"), values, moment, "read the events")
    }
}

#[cfg(test)]
mod tests {
    use super::Words;
    use crate::store::ledger::testing::{decide, ledger};
    use serde_json::json;

    #[test]
    fn an_event_is_told_in_the_words_of_its_record_with_its_decision() {
        let store = ledger(&[
            json!({"event": "tool", "session": "s", "at": 5, "bytes": 77, "us": 163, "agent": "a1",
                "role": "reviewer", "tool": "shell", "name": "Bash", "command": "cargo test",
                "result": "failed", "exit": 101, "took_ms": 1200, "new": {"later": 1}}),
            json!({"event": "stop", "session": "s", "at": 6}),
            json!({"event": "stop", "session": "other", "at": 7}),
        ]);
        decide(&store, 2, "ask");
        let tool = store.moment(1).unwrap().unwrap();
        assert_eq!((tool.agent.as_deref(), tool.took_us), (Some("reviewer"), Some(163)));
        assert_eq!((tool.result.as_deref(), tool.decision.as_ref()), (Some("failed"), None));
        let words = Words {
            role: Some("reviewer".to_owned()),
            tool: Some("shell".to_owned()),
            name: Some("Bash".to_owned()),
            command: Some("cargo test".to_owned()),
            exit: Some(101),
            took_ms: Some(1200),
            ..Words::default()
        };
        assert_eq!(tool.words(), words);
        let stop = store.moment(2).unwrap().unwrap().decision.unwrap();
        assert_eq!((stop.verdict.as_str(), stop.asked.as_deref()), ("ask", Some("go on")));
        assert_eq!(stop.released, None);
        // A stop at which nothing was asked is no ask.
        decide(&store, 3, "capped");
        let stop = store.moment(3).unwrap().unwrap().decision.unwrap();
        assert_eq!((stop.asked, stop.released.as_deref()), (None, Some("go on")));
        assert_eq!((stop.rules[0].rule.as_str(), stop.rules[0].us), ("rule", 9));
        assert_eq!(stop.steps, [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(store.moment(99).unwrap(), None);
        let ids = |moments: Vec<super::Moment>| -> Vec<i64> {
            moments.into_iter().map(|it| it.id).collect()
        };
        assert_eq!(ids(store.timeline("s", 9).unwrap()), [1, 2]);
        assert_eq!(ids(store.timeline("s", 1).unwrap()), [2]);
        assert_eq!(ids(store.decisions("s", 9).unwrap()), [2]);
    }

    #[test]
    fn a_record_of_another_shape_costs_its_words_and_not_the_event() {
        let store = ledger(&[json!({"event": "later", "session": "s", "at": 5, "text": {"a": 1}})]);
        let moment = store.moment(1).unwrap().unwrap();
        assert_eq!((moment.kind.as_str(), moment.words()), ("later", Words::default()));
    }
}
