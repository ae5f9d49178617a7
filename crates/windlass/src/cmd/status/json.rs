//! The overview as programs read it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::installed::Registration;
use super::{LedgerState, Overview};
use crate::agent::claude::switches::Switch;
use crate::cmd::gate::SwitchesJson;
use crate::cmd::json::{AlikeJson, LatencyJson, SessionJson};
use crate::cmd::looping::LoopJson;
use crate::cmd::memory::TallyJson;
use crate::failure::chain;
use crate::store::{Activity, StoreError};
use crate::time;

#[derive(Debug, Serialize)]
pub(super) struct OverviewJson<'a> {
    version: &'static str,
    now: String,
    program: Option<&'a Path>,
    registered: Vec<RegistrationJson<'a>>,
    switched_off: Vec<SwitchJson<'a>>,
    gates_off: SwitchesJson<'a>,
    /// What agents tried that only the user may do.
    attempts: &'a [String],
    /// Why events or failures were not recorded.
    unrecorded: &'a [String],
    store: StoreJson<'a>,
    sessions: Vec<SessionJson<'a>>,
    last_day: ActivityJson<'a>,
    last_week: ActivityJson<'a>,
    latencies: Option<Vec<LatencyJson<'a>>>,
    failures: Vec<AlikeJson<'a>>,
    loops: Vec<LoopJson<'a>>,
    knowledge: Option<TallyJson>,
}

#[derive(Debug, Serialize)]
struct RegistrationJson<'a> {
    file: &'a Path,
    command: &'a str,
    events: &'a [String],
}

#[derive(Debug, Serialize)]
struct SwitchJson<'a> {
    file: &'a Path,
    name: &'a str,
}

#[derive(Debug, Serialize)]
struct StoreJson<'a> {
    file: &'a Path,
    state: &'static str,
    trouble: Option<String>,
    hint: Option<&'static str>,
    bytes: u64,
    waiting_bytes: Option<u64>,
    /// What became of the store before this one, and what to do about it.
    loss: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct ActivityJson<'a> {
    events: i64,
    decisions: Option<&'a BTreeMap<String, i64>>,
    failures: i64,
}

impl<'a> OverviewJson<'a> {
    pub(super) fn of(overview: &'a Overview) -> Self {
        let ledger = &overview.ledger;
        let session = |it| {
            let session = SessionJson::of(it, overview.now);
            if ledger.knows_decisions() { session } else { session.without_decisions() }
        };
        let latencies = |it: &'a Vec<_>| it.iter().map(LatencyJson::of).collect();
        Self {
            version: env!("CARGO_PKG_VERSION"),
            now: time::utc(overview.now),
            program: overview.installed.program.as_deref(),
            registered: overview.installed.registrations.iter().map(RegistrationJson::of).collect(),
            switched_off: overview.installed.switches.iter().map(SwitchJson::of).collect(),
            gates_off: SwitchesJson::of(&overview.off),
            attempts: &overview.all_attempts,
            unrecorded: &overview.unrecorded,
            store: StoreJson {
                file: &ledger.path,
                state: ledger.reach.name(),
                trouble: ledger.trouble.as_ref().map(|it| chain(it)),
                hint: ledger.trouble.as_ref().map(StoreError::hint),
                bytes: ledger.bytes,
                waiting_bytes: ledger.waiting,
                loss: ledger.loss.as_deref(),
            },
            sessions: overview.sessions.iter().map(session).collect(),
            last_day: ActivityJson::of(&overview.last_day, ledger),
            last_week: ActivityJson::of(&overview.last_week, ledger),
            latencies: overview.latencies.as_ref().map(latencies),
            failures: overview.failures.iter().map(AlikeJson::of).collect(),
            loops: overview.loops.iter().map(LoopJson::of).collect(),
            knowledge: overview.knowledge.map(TallyJson::of),
        }
    }
}

impl<'a> RegistrationJson<'a> {
    fn of(registration: &'a Registration) -> Self {
        let Registration { file, command, events } = registration;
        Self { file, command, events }
    }
}

impl<'a> SwitchJson<'a> {
    fn of(switch: &'a Switch) -> Self {
        Self { file: &switch.file, name: switch.name }
    }
}

impl<'a> ActivityJson<'a> {
    fn of(activity: &'a Activity, ledger: &LedgerState) -> Self {
        let Activity { events, decisions, failures } = activity;
        let decisions = Some(decisions).filter(|_| ledger.knows_decisions());
        Self { events: *events, decisions, failures: *failures }
    }
}
