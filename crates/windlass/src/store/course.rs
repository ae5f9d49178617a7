//! What a session was about, for its summary.

use rusqlite::{Connection, OptionalExtension, params};
use windlass_core::arbiter::is_decline;
use windlass_core::brief::{Request, latest, wanted};
use windlass_core::memory::{Course, is_farewell};
use windlass_core::triage::Activity;
use windlass_core::{Excerpt, Kind, PromptOrigin, Work, prompt_trace};

use super::memories::FORGOTTEN;
use crate::journal::Body;

/// Calls that are counted; a session with more is a busy one.
const MOST_CALLS: i64 = 1000;

/// Events that are looked at, from the beginning or the end: a session may have any number.
const EVENTS: i64 = 4000;

/// Prompts among which one is looked for that tells what the user wants.
const PROMPTS: i64 = 50;

/// What stands behind the last words of an agent whose last stop was let go at a cap.
const CAPPED: &str = "(windlass: the last stop was let go with something still open)";

/// Files and open tasks that are named.
const NAMED: usize = 20;

/// The course of a session so far; `None` where the user wanted nothing, or the agent said nothing. An
/// agent that was only polite has said nothing, and what it changed is told all the same.
pub(super) fn course(
    connection: &Connection,
    session: i64,
    work: &Work,
) -> rusqlite::Result<Option<Course>> {
    let goal = match request(connection, session, work, ("ASC", Which::First))? {
        Some((_, request)) => Some(request.text),
        // Nothing but commands: the first of them.
        None => first_prompt(connection, session, work)?,
    };
    let last = last_words(connection, session, work)?;
    let has_stopped = || {
        let query = "SELECT EXISTS (SELECT 1 FROM (SELECT kind, agent FROM events
            WHERE session = ?1 ORDER BY id DESC LIMIT ?2) WHERE kind = 'stop' AND agent IS NULL)";
        connection.query_row(query, [session, EVENTS], |row| row.get::<_, bool>(0))
    };
    let last = match last {
        None if !work.edits.is_empty() && has_stopped()? => Some(String::new()),
        last => last,
    };
    let (Some(goal), Some(mut last)) = (goal, last) else {
        return Ok(None);
    };
    if is_capped(connection, session)? {
        if !last.is_empty() {
            last.push('\n');
        }
        last.push_str(CAPPED);
    }
    let query = "SELECT count(*), count(DISTINCT tool_name) FROM (
        SELECT tool_name FROM (SELECT id FROM events WHERE session = ?1 LIMIT ?3) found
        JOIN calls ON calls.event = found.id LIMIT ?2)";
    let counted = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let (calls, tools) =
        connection.query_row(query, params![session, MOST_CALLS, EVENTS], counted)?;
    let query = "SELECT count(*) FROM (SELECT kind FROM events WHERE session = ?1 LIMIT ?2)
        WHERE kind IN ('prompt', 'stop')";
    let exchanges = connection.query_row(query, [session, EVENTS], |row| row.get(0))?;
    let activity = Activity { calls, tools, exchanges };
    let edits = work.edits.iter().rev().take(NAMED).rev();
    let files = edits.map(|it| it.file.clone()).collect();
    let open = work.tasks.iter().take(NAMED).map(|it| it.subject.clone()).collect();
    Ok(Some(Course { goal, last, activity, files, open }))
}

/// What the user wanted in a session: first, then the last prompt that tells what is wanted, and the
/// latest of all, where these are others: "fix tests" is the latest request, and says little by itself.
pub(super) fn requests(
    connection: &Connection,
    session: i64,
    work: &Work,
) -> rusqlite::Result<Vec<Request>> {
    let mut found = Vec::new();
    for (order, which) in [("ASC", Which::First), ("DESC", Which::Telling), ("DESC", Which::Any)] {
        found.extend(request(connection, session, work, (order, which))?);
    }
    found.sort_by_key(|it| it.0);
    found.dedup_by_key(|it| it.0);
    Ok(found.into_iter().map(|it| it.1).collect())
}

/// Which prompt is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// One that tells by itself what is wanted.
    Telling,
    /// The same, or one of two words that is more than "go on": "simplify negate".
    First,
    /// The first that is met and does more than to say "go on".
    Any,
}

/// The first or the last prompt that tells what the user wants, with its event; where none does, the
/// one that says anything.
fn request(
    connection: &Connection,
    session: i64,
    work: &Work,
    (order, which): (&str, Which),
) -> rusqlite::Result<Option<(i64, Request)>> {
    let query = format!(
        "SELECT id, body FROM (SELECT id, kind, agent, body FROM events WHERE session = ?1
        ORDER BY id {order} LIMIT ?2) WHERE kind = 'prompt' AND agent IS NULL LIMIT ?3"
    );
    let mut find = connection.prepare(&query)?;
    let mut rows = find.query(params![session, EVENTS, PROMPTS])?;
    let mut found = None;
    while let Some(row) = rows.next()? {
        let event = Body::read(row.get_ref(1)?.as_str()?).and_then(Body::event);
        let event = event.filter(|it| !is_foreign(&it.kind, work));
        let wanted = event.and_then(|it| {
            let wanted = match which {
                Which::Telling => wanted(&it)?,
                Which::First => {
                    let (text, tells) = wanted(&it)?;
                    let is_short = || text.contains(' ') && latest(&it).is_some();
                    (text.clone(), tells || is_short())
                }
                Which::Any => (latest(&it)?, true),
            };
            Some((it.at, wanted))
        });
        let Some((at, (text, tells))) = wanted.filter(|it| is_left(&it.1.0)) else { continue };
        let request = Some((row.get(0)?, Request { at, text }));
        if tells {
            return Ok(request);
        }
        found = found.or(request);
    }
    Ok(found)
}

/// Whether the last stop of a session was let go although something was open.
fn is_capped(connection: &Connection, session: i64) -> rusqlite::Result<bool> {
    let query = "SELECT verdict FROM events JOIN decisions ON decisions.event = events.id
        WHERE session = ?1 AND kind = 'stop' AND agent IS NULL ORDER BY events.id DESC LIMIT 1";
    let mut find = connection.prepare(query)?;
    let verdict = find.query_row([session], |row| row.get::<_, String>(0)).optional()?;
    Ok(verdict.is_some_and(|it| it == "capped"))
}

/// A message without the line with which it declined an ask: that was said to windlass.
fn without_decline(text: &str) -> String {
    let is_said = |it: &&str| !is_decline(it);
    text.lines().filter(is_said).collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// What the agent said last in answer to the last prompt after which it did something; where it never
/// did anything, what it said last. "I am glad that it works" is no word about the work.
fn last_words(
    connection: &Connection,
    session: i64,
    work: &Work,
) -> rusqlite::Result<Option<String>> {
    let query = "SELECT kind, body FROM (SELECT kind, agent, body FROM events WHERE session = ?1
        ORDER BY id DESC LIMIT ?2)
        WHERE kind IN ('prompt', 'stop', 'tool') AND agent IS NULL";
    let mut find = connection.prepare(query)?;
    let mut rows = find.query([session, EVENTS])?;
    let (mut latest, mut words, mut has_done) = (None, None, false);
    while let Some(row) = rows.next()? {
        match row.get_ref(0)?.as_str()? {
            "tool" => has_done = true,
            "stop" if words.is_none() => {
                words = said(row.get_ref(1)?.as_str()?, work).filter(|it| is_left(it));
            }
            "prompt" if is_of_user(row.get_ref(1)?.as_str()?, work) => {
                if has_done && words.is_some() {
                    return Ok(words);
                }
                latest = latest.or(words.take());
                has_done = false;
            }
            _ => {}
        }
    }
    Ok(if has_done { words.or(latest) } else { latest.or(words) })
}

/// Whether the user wrote a prompt.
fn is_of_user(body: &str, work: &Work) -> bool {
    let kind = Body::read(body).and_then(Body::event).map(|it| it.kind);
    kind.is_some_and(|it| {
        let is_own = matches!(it, Kind::Prompt { origin: PromptOrigin::User, .. });
        is_own && !is_foreign(&it, work)
    })
}

/// The words of the first prompt.
fn first_prompt(
    connection: &Connection,
    session: i64,
    work: &Work,
) -> rusqlite::Result<Option<String>> {
    let query = "SELECT body FROM (SELECT kind, agent, body FROM events WHERE session = ?1
        ORDER BY id LIMIT ?2) WHERE kind = 'prompt' AND agent IS NULL";
    let mut find = connection.prepare(query)?;
    let mut rows = find.query([session, EVENTS])?;
    while let Some(row) = rows.next()? {
        let words = said(row.get_ref(0)?.as_str()?, work);
        if let Some(words) = words.filter(|it| is_left(it)) {
            return Ok(Some(words));
        }
    }
    Ok(None)
}

/// Whether nothing of a text was forgotten: what is left of it would be told as if somebody had said
/// it.
fn is_left(text: &str) -> bool {
    !text.contains(FORGOTTEN)
}

/// Whether the row of a prompt has shown that the user did not write it.
fn is_foreign(kind: &Kind, work: &Work) -> bool {
    matches!(kind, Kind::Prompt { text, .. } if work.is_foreign(prompt_trace(&text.head)))
}

/// How a message begins that the client writes where the service did not answer: nobody said it.
const ERROR: &str = "API Error";

/// Whether a last message tells what was done. Politeness does not.
fn says_something(message: &Excerpt) -> bool {
    let is_whole = message.tail.is_none();
    !(message.head.starts_with(ERROR) || is_whole && is_farewell(&message.head))
}

/// The words of a prompt of the user, or of an agent that stopped.
fn said(body: &str, work: &Work) -> Option<String> {
    let kind = Body::read(body)?.event().map(|it| it.kind).filter(|it| !is_foreign(it, work))?;
    let text = match kind {
        Kind::Prompt { text, origin: PromptOrigin::User, .. } => text,
        Kind::Stop(stop) if says_something(&stop.message) => stop.message,
        _ => return None,
    };
    let head = without_decline(&text.head);
    (!head.is_empty()).then_some(head)
}
