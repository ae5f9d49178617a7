//! The tools that show how the sessions of this project stand, and why something was decided.

use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::{self, Refusal};
use super::argument::{Arguments, arguments};
use super::reach::Reach;
use crate::agent::tree::Sign;
use crate::cmd::explain;
use crate::cmd::gate;
use crate::cmd::json::{MomentJson, SessionJson};
use crate::cmd::looping::LoopJson;
use crate::cmd::memory::{Access, MemoryError, Site};
use crate::cmd::show::{self, ShowError};
use crate::store::{Filter, Within};
use crate::switch::Switches;
use crate::{Host, config, surroundings};

/// Sessions that are told.
const SESSIONS: u32 = 10;

/// Days of which sessions are told.
const DAYS: i64 = 7;

/// Loops and holds that are told, of each kind; those that are open come first.
const LOOPS: usize = 5;

/// What is told of a session.
const SESSION: &[&str] =
    &["id", "state", "started_at", "last_at", "last_event", "prompts", "edits", "asks"];

/// What is told of a loop or a hold.
const LOOP: &[&str] = &[
    "id",
    "kind",
    "state",
    "task",
    "until",
    "until_seen",
    "until_gone",
    "session",
    "author",
    "rounds",
    "max",
    "minutes",
    "tokens",
    "made_at",
    "ended_at",
    "why",
    "iterations",
];

/// What is told of a decision in a list, and of one alone.
const DECISION: &[&str] = &["id", "event", "at", "verdict", "rules"];
const MOMENT: &[&str] =
    &["id", "event", "session", "agent", "at", "result", "decision", "recorded"];

impl From<ShowError> for Refusal {
    fn from(error: ShowError) -> Self {
        let next = match &error {
            ShowError::NoId { .. } | ShowError::UnknownEvent { .. } => {
                Some("call `explain` without an id for the last decisions")
            }
            _ => None,
        };
        Self::of(&error, next)
    }
}

/// Tells the loops, holds and gates of this project, and its sessions.
pub(super) fn status(host: &Host, _: Arguments) -> Result<Value, Refusal> {
    let mut site = Site::of_agent(host, Sign::Mcp, Access::Read)?;
    let project = site.project()?;
    let mut loops = |kind: &str| -> Result<Vec<Value>, Refusal> {
        let mut all = site.loops(kind)?;
        all.sort_by_key(|it| it.ended_at.is_some());
        for kept in &mut all {
            let before = kept.iterations.len().saturating_sub(3);
            kept.iterations.drain(..before);
        }
        Ok(all.iter().take(LOOPS).map(|it| answer::only(&LoopJson::of(it), LOOP)).collect())
    };
    let (looping, holds) = (loops("loop")?, loops("hold")?);
    let since = show::days_before(host.now, DAYS);
    let sessions = site.store.sessions_of(project, since, SESSIONS).map_err(MemoryError::from)?;
    let own = site.session();
    let session = |it: &crate::store::Session| {
        let mut told = answer::only(&SessionJson::of(it, host.now), SESSION);
        if let (true, Some(members)) = (own.as_ref() == Some(&it.name), told.as_object_mut()) {
            members.insert("is_own".to_owned(), true.into());
        }
        told
    };
    let filter = Filter {
        within: Within::Project(project),
        states: &[windlass_core::memory::State::Candidate],
        ..Filter::default()
    };
    let waiting = site.store.count(&filter).map_err(MemoryError::from)?;
    let answer = json!({
        "loops": looping,
        "holds": holds,
        "gates": gates(host),
        "sessions": sessions.iter().map(session).collect::<Vec<_>>(),
        "candidates_waiting": waiting,
    });
    let answer = answer::fit(answer, "`windlass loop status` and `windlass status` have all.");
    Ok(answer::noted(answer, site.missing()))
}

/// The gates that may ask here, and those that are switched off.
fn gates(host: &Host) -> Value {
    let directory = host.current_dir().unwrap_or_default();
    let loaded = config::load(host, surroundings::root_of(host, &directory).as_deref());
    let gates = gate::here_with(host, &loaded, &Switches::read(host));
    let told = gates.iter().map(|it| answer::only(it, &["gate", "about", "mode", "off"]));
    told.filter(|it| it["mode"] != "off").collect()
}

#[derive(Debug, Deserialize)]
struct Explain {
    /// As people or programs write it.
    id: Option<Value>,
}

/// Tells why an event was answered as it was, or the last decisions of a session: that of the
/// client, or the latest one here.
pub(super) fn explain(host: &Host, given: Arguments) -> Result<Value, Refusal> {
    let Explain { id } = arguments(given)?;
    let id =
        id.map(|it| explain::parse(&it.as_str().map_or_else(|| it.to_string(), str::to_owned)));
    let id = id.transpose()?;
    let data_dir = host.data_dir().ok_or(ShowError::Homeless)?;
    if show::is_fresh(&data_dir) {
        return Ok(nothing_decided());
    }
    let mut site = Site::of_agent(host, Sign::Mcp, Access::Read)?;
    let reach = Reach::of(&mut site)?;
    let stored = |error| Refusal::from(ShowError::from(error));
    let here = host.current_dir().unwrap_or_default();
    let session = match site.session() {
        Some(own) => Some(own),
        None => match site.store.newest_session(&here).map_err(stored)? {
            // The nearest one may be that of a directory around the project.
            Some(nearest) if !reach.has_session(&site, &nearest)? => None,
            nearest => nearest,
        },
    };
    if let Some(id) = id {
        let unknown = || ShowError::UnknownEvent { id };
        let moment = site.store.moment(id).map_err(stored)?.ok_or_else(unknown)?;
        // What is listed without an id can be asked for.
        let is_listed = session.as_ref() == Some(&moment.session);
        if !is_listed && !reach.has_session(&site, &moment.session)? {
            return Err(unknown().into());
        }
        let told = answer::only(&MomentJson::of(&moment), MOMENT);
        let told = answer::fit(told, &format!("`windlass explain {id} --json` has all."));
        return Ok(answer::noted(told, site.missing()));
    }
    let Some(session) = session else {
        return Ok(answer::noted(nothing_decided(), site.missing()));
    };
    let moments = site.store.decisions(&session, explain::LISTED).map_err(stored)?;
    if moments.is_empty() {
        let said = "Nothing was decided in this session yet.";
        let answer = json!({"session": session, "decisions": [], "said": said});
        return Ok(answer::noted(answer, site.missing()));
    }
    let decisions: Vec<_> = moments.iter().map(|it| brief(&MomentJson::of(it))).collect();
    let next = "Call again with an id.";
    let answer = json!({"session": session, "decisions": decisions, "next": next});
    Ok(answer::noted(answer::fit(answer::plain(&answer), next), site.missing()))
}

fn nothing_decided() -> Value {
    json!({"decisions": [], "said": "Nothing was decided in this project yet."})
}

/// A decision in a few words.
fn brief(moment: &MomentJson<'_>) -> Value {
    let mut told = answer::plain(moment);
    let decision = told["decision"].take();
    told["verdict"] = decision["verdict"].clone();
    let rules = decision["rules"].as_array();
    told["rules"] = rules.into_iter().flatten().map(|it| it["rule"].clone()).collect();
    answer::only(&told, DECISION)
}
