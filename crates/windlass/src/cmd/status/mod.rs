//! What windlass saw and did, and whether it is switched on.

mod installed;
mod json;
mod text;
mod timeline;

use crate::surroundings::{self, Surroundings};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use windlass_core::Timestamp;
use windlass_core::memory::Tally;

use self::installed::Installed;
use super::Form;
use super::show::{self, ShowError};
use crate::doctor::disk;
use crate::store::{self, Activity, Alike, Counted, Kept, Latency, Session, Store, StoreError};
use crate::switch::Switches;
use crate::ui::Colour;
use crate::{Host, attempt, config, lost_events, project, ui};

pub(super) use text::latency_table;
pub(super) use timeline::session;

/// Days of which sessions, times and failures are shown.
const DAYS: i64 = 7;

/// How long a look at every page of the store may take.
const CHECK_LIMIT: Duration = Duration::from_millis(300);

/// Bytes below which a disk is full.
const NO_ROOM: u64 = 256 << 10;

/// Sessions that are shown.
const SESSIONS: u32 = 20;

/// Kinds of failures that are shown.
const FAILURES: u32 = 5;

/// Everything there is to know at one glance.
#[derive(Debug)]
struct Overview {
    now: Timestamp,
    home: Option<PathBuf>,
    /// Where the project begins in which the user stands, or else the directory.
    here: Option<PathBuf>,
    installed: Installed,
    /// What the user has switched off.
    off: Switches,
    /// What agents tried that only the user may do, in sentences.
    attempts: Vec<String>,
    /// All of them, one by one.
    all_attempts: Vec<String>,
    /// Why events or failures were not recorded, in sentences.
    unrecorded: Vec<String>,
    ledger: LedgerState,
    sessions: Vec<Session>,
    last_day: Activity,
    last_week: Activity,
    /// Unknown where the store cannot be read, as are decisions.
    latencies: Option<Vec<Latency>>,
    failures: Vec<Alike>,
    /// Loops and holds that are open.
    loops: Vec<Kept>,
    /// What was found in conversations within a week, and what became of it; unknown where the store
    /// cannot be read.
    knowledge: Option<Tally>,
}

/// What can be said of the store itself.
#[derive(Debug)]
struct LedgerState {
    path: PathBuf,
    reach: Reach,
    trouble: Option<StoreError>,
    bytes: u64,
    /// Bytes of journals that are not folded; unknown where the store cannot be read.
    waiting: Option<u64>,
    /// What became of the store before this one, and what to do about it.
    loss: Option<String>,
}

/// How much of the ledger can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Nothing was recorded yet.
    Absent,
    Whole,
    /// Something is missing.
    Partly,
    /// Only what the journals still hold.
    Unreadable,
}

impl Reach {
    const fn name(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Whole => "whole",
            Self::Partly => "partly",
            Self::Unreadable => "unreadable",
        }
    }
}

/// Shows the overview. The exit code tells whether the store is as it should be.
pub(super) fn run(host: &Host, form: Form) -> Result<ExitCode, ShowError> {
    let data_dir = host.data_dir().ok_or(ShowError::Homeless)?;
    let overview = look(host, &data_dir);
    match form {
        Form::Json => ui::json(&json::OverviewJson::of(&overview)),
        Form::Text => text::show(&overview, Colour::of(host)),
    }
    let LedgerState { reach, trouble, .. } = &overview.ledger;
    let is_fine = matches!(trouble, None | Some(StoreError::Busy { .. }));
    let is_readable = *reach != Reach::Unreadable && overview.unrecorded.is_empty();
    Ok(if is_fine && is_readable { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn look(host: &Host, data_dir: &Path) -> Overview {
    let attempts = attempt::since(data_dir, show::days_before(host.now, DAYS));
    let mut overview = Overview {
        now: host.now,
        home: host.home(),
        here: host.current_dir().ok().map(|it| surroundings::root_of(host, &it).unwrap_or(it)),
        installed: Installed::find(host),
        off: switches(host),
        attempts: attempt::sentences(&attempts),
        all_attempts: attempt::all_sentences(&attempts),
        unrecorded: unrecorded(data_dir),
        ledger: LedgerState {
            path: store::path(data_dir),
            reach: Reach::Absent,
            trouble: None,
            bytes: store::size(data_dir),
            waiting: Some(0),
            loss: None,
        },
        sessions: Vec::new(),
        last_day: Activity::default(),
        last_week: Activity::default(),
        latencies: None,
        failures: Vec::new(),
        loops: Vec::new(),
        knowledge: Some(Tally::default()),
    };
    if show::is_fresh(data_dir) {
        let loss = store::known_loss(data_dir, host.now);
        overview.ledger.loss = loss.map(|it| lost(&it.sentence(), data_dir));
        return overview;
    }
    match show::open(host, data_dir) {
        Ok(ledger) => {
            overview.ledger.trouble = ledger.trouble;
            overview.read(&ledger.store);
            let loss = overview.ledger.keep(ledger.store.loss(host.now));
            overview.ledger.loss = loss.map(|it| lost(&it.sentence(), data_dir));
            overview.ledger.waiting = overview.ledger.keep(ledger.store.waiting().map(Some));
            overview.latencies = Some(overview.read_latencies(&ledger.store));
            overview.knowledge = Some(overview.read_knowledge(&ledger.store));
            if overview.ledger.trouble.is_none() {
                overview.ledger.trouble = damage(&ledger.store);
            }
            overview.tell_damage(data_dir);
            let is_whole = overview.ledger.trouble.is_none();
            overview.ledger.reach = if is_whole { Reach::Whole } else { Reach::Partly };
        }
        Err(trouble) => {
            overview.ledger.trouble = Some(trouble);
            overview.tell_damage(data_dir);
            overview.ledger.reach = Reach::Unreadable;
            overview.ledger.waiting = None;
            overview.knowledge = None;
            if let Ok(store) = Store::from_journals(data_dir, &Surroundings::new(host)) {
                overview.read(&store);
            }
        }
    }
    overview.ledger.bytes = store::size(data_dir);
    overview
}

/// Damage that none of these queries met. A store that is too large to be looked through at once is
/// left to `doctor`.
fn damage(store: &Store) -> Option<StoreError> {
    match store.check_within(CHECK_LIMIT) {
        Ok(Some(checked)) => checked.faults.into_iter().next().map(StoreError::damage),
        Ok(None) => None,
        Err(error) => error.is_damage().then_some(error),
    }
}

/// What keeps events and failures from being recorded.
fn unrecorded(data_dir: &Path) -> Vec<String> {
    let lost = lost_events::known(data_dir).map(|it| it.sentence());
    let full = disk::shortage(data_dir, NO_ROOM).map(|(place, free)| {
        format!(
            "The disk of {} has {} left: events may be lost. Next: make room on it.",
            ui::path(place),
            ui::bytes(free)
        )
    });
    lost.into_iter().chain(full).collect()
}

/// What became of the store, and the way back.
fn lost(what: &str, data_dir: &Path) -> String {
    format!("{what} Next: {}.", store::way_back(data_dir))
}

/// Everything that switches gates off here.
fn switches(host: &Host) -> Switches {
    let directory = host.current_dir().ok();
    let root = directory.as_ref().and_then(|it| surroundings::root_of(host, it));
    let seen = directory.and_then(|it| project::look(&it, host.home().as_deref()));
    Switches::read_for(host, None, seen.as_ref())
        .with_settings(&config::load(host, root.as_deref()).policy.gates)
}

impl Overview {
    /// Names the way back from a damaged store, and the failures that the logs still hold.
    fn tell_damage(&mut self, data_dir: &Path) {
        let Some(trouble) = &self.ledger.trouble else { return };
        if trouble.is_damage() {
            self.ledger.loss = Some(lost("The store is damaged.", data_dir));
        }
        if !self.failures.is_empty() {
            return;
        }
        let since = show::days_before(self.now, DAYS);
        self.failures = store::failed_in_logs(data_dir, since).map(Alike::of).unwrap_or_default();
        self.failures.truncate(usize::try_from(FAILURES).unwrap_or_default());
    }

    /// Whether all failures could be recorded and read.
    fn knows_failures(&self) -> bool {
        self.ledger.trouble.is_none() && self.unrecorded.is_empty()
    }

    /// Reads what can be read; the first trouble is remembered.
    fn read(&mut self, store: &Store) {
        let [day, week] = [1, DAYS].map(|it| show::days_before(self.now, it));
        self.sessions = self.ledger.keep(store.sessions(week, SESSIONS));
        self.last_day = self.ledger.keep(store.activity(day));
        self.last_week = self.ledger.keep(store.activity(week));
        self.failures = self.ledger.keep(store.failures(week, FAILURES));
        self.loops = self.ledger.keep(store.open_loops(self.now));
    }

    fn read_knowledge(&mut self, store: &Store) -> Tally {
        let since = Some(show::days_before(self.now, DAYS));
        let counted = Counted { since, ..Counted::default() };
        Tally::of(self.ledger.keep(store.found(counted, self.now)).values())
    }

    fn read_latencies(&mut self, store: &Store) -> Vec<Latency> {
        let since = show::day(self.now) - (DAYS - 1);
        Latency::of_all_days(&self.ledger.keep(store.latencies(since)))
    }
}

impl LedgerState {
    /// Whether it is known what was decided.
    fn knows_decisions(&self) -> bool {
        self.reach != Reach::Unreadable
    }

    fn keep<T: Default>(&mut self, found: Result<T, StoreError>) -> T {
        found.unwrap_or_else(|error| {
            self.trouble.get_or_insert(error);
            T::default()
        })
    }
}
