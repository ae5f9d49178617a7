//! What was found and what became of it, counted.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use windlass_core::Timestamp;
use windlass_core::memory::{
    Asks, By, Found, SessionEnd, SessionState, Settled, State, Tally, by_category, share,
};

use super::{MemoryError, Site};
use crate::cli::Stats;
use crate::cmd::show;
use crate::load::drop_known;
use crate::store::{Counted, Filter, Within};
use crate::ui::{self, Colour, Column, Table};
use crate::{time, ui::line};

/// Sessions that are shown, those with something that waits first.
const SESSIONS: usize = 12;

/// Characters of a session id that are shown.
const ID: usize = 8;

/// A session, and what was found in it.
#[derive(Debug)]
struct Session {
    name: String,
    state: SessionState,
    tally: Tally,
}

pub(super) fn run(site: &mut Site<'_>, asked: &Stats) -> Result<(), MemoryError> {
    let named = asked.session.as_deref().map(|it| show::session(&site.store, it)).transpose()?;
    let within = site.within(asked.all || named.is_some())?;
    let since = asked.since.map(|it| before(site.now, it.as_millis()));
    let session = named.as_ref().map(|it| it.name.as_str());
    let counted = Counted { within, since, session };
    let mut found = site.store.found(counted, site.now)?;
    // What stands in the file of this project is kept there.
    let waiting = Filter { within, states: &[State::Candidate], session, ..Filter::default() };
    let (waiting, here) = (site.store.memories(&waiting)?, site.project()?);
    let of_here = waiting.into_iter().filter(|it| it.project_id == here);
    let mut open: Vec<_> = of_here.map(|it| it.memory).collect();
    let all: BTreeSet<_> = open.iter().map(|it| it.id.clone()).collect();
    drop_known(&mut open, &site.around.of(&site.directory.to_string_lossy()));
    let open: BTreeSet<_> = open.into_iter().map(|it| it.id).collect();
    for id in all.difference(&open) {
        if let Some(found) = found.get_mut(id) {
            found.in_file = true;
        }
    }
    let found: Vec<_> = found.into_values().collect();
    let mut sessions = sessions(&found);
    if let Some(named) = named.filter(|_| sessions.is_empty()) {
        let (name, tally) = (named.name, Tally::default());
        let state = SessionState::of(tally, SessionEnd::Open);
        sessions.push(Session { name, state, tally });
    }
    if asked.listing.json {
        ui::json(&StatsJson::of(&found, &sessions, since));
    } else {
        show(&found, &sessions, within, Colour::of(site.host));
    }
    Ok(())
}

pub(super) fn before(now: Timestamp, millis: u128) -> Timestamp {
    Timestamp(now.0.saturating_sub(i64::try_from(millis).unwrap_or(i64::MAX)))
}

/// The sessions in which something was found, those with something that waits first.
fn sessions(found: &[Found]) -> Vec<Session> {
    let mut by_name: BTreeMap<&str, Vec<&Found>> = BTreeMap::new();
    for one in found {
        if let Some(name) = one.session.as_deref() {
            by_name.entry(name).or_default().push(one);
        }
    }
    let session = |(name, all): (&str, Vec<&Found>)| {
        let tally = Tally::of(all.iter().copied());
        let end = all.first().map_or(SessionEnd::Lost, |it| it.end);
        Session { name: name.to_owned(), state: SessionState::of(tally, end), tally }
    };
    let mut sessions: Vec<_> = by_name.into_iter().map(session).collect();
    sessions.sort_by_key(|it| std::cmp::Reverse((it.tally.waiting, it.tally.found)));
    sessions
}

fn show(found: &[Found], sessions: &[Session], within: Within, colour: Colour) {
    let tally = Tally::of(found);
    if tally.found == 0 {
        ui::say(match within {
            Within::Everything => "Nothing was found. Next: work with the agent.",
            Within::Project(_) | Within::Everywhere => {
                "Nothing was found here. Next: work with the agent, or look with `--all`."
            }
        });
        show_sessions(sessions, colour);
        return;
    }
    let counts = ["found", "kept", "rejected", "wait", "expired", "health"];
    let columns = [Column::left("category")].into_iter().chain(counts.map(Column::right));
    let mut table = Table::new(columns.collect::<Vec<_>>());
    for (category, tally) in by_category(found) {
        table.add(row(category.word().to_owned(), tally));
    }
    table.add(row("all".to_owned(), tally));
    ui::show(&table.show(colour, |_, cell| cell.to_owned()));
    let by: Vec<_> = [By::User, By::Agent, By::Windlass]
        .into_iter()
        .filter_map(|who| said(who, Settled::by(found, who)))
        .collect();
    if !by.is_empty() {
        ui::say(&format!("By whom: {}.", by.join("; ")));
    }
    let in_file = found.iter().filter(|it| it.in_file).count();
    if in_file > 0 {
        ui::say(&format!("Kept in the project's own file: {in_file}."));
    }
    say_asks(Asks::of(found));
    show_sessions(sessions, colour);
    if tally.waiting > 0 {
        ui::say("Next: `windlass candidates` lists what waits.");
    }
}

fn row(name: String, tally: Tally) -> Vec<String> {
    let Tally { found, kept, rejected, waiting, expired, .. } = tally;
    let counts = [found, kept, rejected, waiting, expired].map(|it| it.to_string());
    [name].into_iter().chain(counts).chain([health(tally)]).collect()
}

fn health(tally: Tally) -> String {
    let health = tally.health().zip(tally.health_word());
    health.map_or_else(|| "-".to_owned(), |(share, word)| format!("{share} %, {word}"))
}

fn said(who: By, settled: Settled) -> Option<String> {
    let Settled { kept, rejected, expired } = settled;
    let parts = [(kept, "kept"), (rejected, "rejected"), (expired, "let go")];
    let parts: Vec<_> =
        parts.iter().filter(|it| it.0 > 0).map(|(count, did)| format!("{did} {count}")).collect();
    let who = if who == By::User { "you" } else { who.word() };
    (!parts.is_empty()).then(|| format!("{who} {}", parts.join(", ")))
}

fn say_asks(asks: Asks) {
    let Asks { given, saved, rejected, waiting, nothing, named, healed, healed_by_user } = asks;
    if given == 0 {
        ui::say("The agent was not asked about any of it.");
        return;
    }
    ui::say(&format!(
        "The agent was asked {}: {saved} led to a save, {rejected} to a rejection, {nothing} to \
         nothing{}.",
        ui::amount(i64::from(given), "time"),
        if waiting > 0 { format!(", {waiting} waiting for an answer") } else { String::new() }
    ));
    let completed = share(healed, named).unwrap_or_default();
    ui::say(&format!(
        "Healing completed: {completed} % ({healed} of {named} things it was asked about), \
         {healed_by_user} of them by you."
    ));
}

fn show_sessions(sessions: &[Session], colour: Colour) {
    let counts = ["found", "kept", "rejected", "wait", "expired", "health"];
    let columns = [Column::left("session"), Column::left("state")]
        .into_iter()
        .chain(counts.map(Column::right));
    let mut table = Table::new(columns.collect::<Vec<_>>());
    for Session { name, state, tally } in sessions.iter().take(SESSIONS) {
        let name = line(&name.chars().take(ID).collect::<String>(), ID);
        let mut row = row(name, *tally);
        row.insert(1, state.word().to_owned());
        table.add(row);
    }
    if table.is_empty() {
        return;
    }
    ui::say("");
    ui::show(&table.show(colour, |_, cell| cell.to_owned()));
    if sessions.len() > SESSIONS {
        ui::say(&format!("{} more sessions: `--json` has all.", sessions.len() - SESSIONS));
    }
}

#[derive(Debug, Serialize)]
struct StatsJson<'a> {
    since: Option<String>,
    #[serde(flatten)]
    all: TallyJson,
    in_file: usize,
    categories: BTreeMap<&'static str, TallyJson>,
    by: BTreeMap<&'static str, SettledJson>,
    asks: AsksJson,
    sessions: Vec<SessionJson<'a>>,
}

/// What was found, as programs read it.
#[derive(Debug, Serialize)]
pub(in crate::cmd) struct TallyJson {
    found: u32,
    kept: u32,
    rejected: u32,
    waiting: u32,
    expired: u32,
    /// Per cent of what was found and not rejected that are kept.
    health: Option<u32>,
}

#[derive(Debug, Serialize)]
struct SettledJson {
    kept: u32,
    rejected: u32,
    expired: u32,
}

#[derive(Debug, Serialize)]
struct AsksJson {
    given: u32,
    saved: u32,
    rejected: u32,
    waiting: u32,
    nothing: u32,
    named: u32,
    healed: u32,
    healed_by_user: u32,
    /// Per cent of what was named that was settled after an ask.
    completed: Option<u32>,
}

#[derive(Debug, Serialize)]
struct SessionJson<'a> {
    session: &'a str,
    state: &'static str,
    #[serde(flatten)]
    tally: TallyJson,
}

impl TallyJson {
    pub(in crate::cmd) fn of(tally: Tally) -> Self {
        let Tally { found, kept, rejected, waiting, expired, .. } = tally;
        Self { found, kept, rejected, waiting, expired, health: tally.health() }
    }
}

impl<'a> StatsJson<'a> {
    fn of(found: &[Found], sessions: &'a [Session], since: Option<Timestamp>) -> Self {
        let by = |who| {
            let Settled { kept, rejected, expired } = Settled::by(found, who);
            (who.word(), SettledJson { kept, rejected, expired })
        };
        let asks = Asks::of(found);
        let Asks { given, saved, rejected, waiting, nothing, named, healed, healed_by_user } = asks;
        let completed = share(healed, named);
        let session = |it: &'a Session| SessionJson {
            session: &it.name,
            state: it.state.word(),
            tally: TallyJson::of(it.tally),
        };
        let category = |(it, tally): (windlass_core::memory::Category, Tally)| {
            (it.word(), TallyJson::of(tally))
        };
        Self {
            since: since.map(time::utc),
            all: TallyJson::of(Tally::of(found)),
            in_file: found.iter().filter(|it| it.in_file).count(),
            categories: by_category(found).into_iter().map(category).collect(),
            by: [By::User, By::Agent, By::Windlass].map(by).into(),
            asks: AsksJson {
                given,
                saved,
                rejected,
                waiting,
                nothing,
                named,
                healed,
                healed_by_user,
                completed,
            },
            sessions: sessions.iter().map(session).collect(),
        }
    }
}
