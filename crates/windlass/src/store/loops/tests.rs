use std::path::Path;

use serde_json::json;
use windlass_core::loops::{
    End, FailureStreak, Iteration, Limits, Loop, LoopAuthor, Next, ScriptMark, Until,
};
use windlass_core::{Outcome, Timestamp};

use super::{CLAIM, Kept, LoopState, Made, NewLoop, Owner, Resumed, keep, of_session};
use crate::Host;
use crate::journal::Twins;
use crate::store::Store;
use crate::store::ledger::testing::{NOW, ledger};
use crate::store::past::Past;
use crate::store::rows::Rows;
use crate::surroundings::Surroundings;

const STREAK: FailureStreak = FailureStreak { mark: u64::MAX, count: 2 };

fn new(until: Until) -> NewLoop {
    let limits = Limits { rounds: 25, minutes: Some(30), tokens: Some(9000), same_failures: 5 };
    let (task, author) = ("make it fast".to_owned(), LoopAuthor::User);
    let scripts = vec![ScriptMark { file: "check.sh".to_owned(), mark: Some(u64::MAX) }];
    NewLoop { task, author, until, limits, times: 3, scripts }
}

/// A store with a running session, and a project in a directory of its own.
struct World {
    host: Host,
    directory: tempfile::TempDir,
    store: Store,
    end: u64,
}

impl World {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join(".git")).unwrap();
        let mut world = Self { host: Host::from_process(), directory, store: ledger(&[]), end: 0 };
        world.start("running", "startup", NOW - 1000);
        world
    }

    fn place(&self) -> &Path {
        self.directory.path()
    }

    fn add(&mut self, record: &serde_json::Value) {
        self.fold(std::slice::from_ref(record));
    }

    /// Folds records at once.
    fn fold(&mut self, records: &[serde_json::Value]) {
        let around = Surroundings::new(&self.host);
        let transaction = self.store.connection.transaction().unwrap();
        let mut rows = Rows::new(&transaction, (&around, &[]), 0, Twins::default());
        for record in records {
            self.end += 1;
            rows.add(record.to_string().as_bytes(), self.end).unwrap();
        }
        rows.finish().unwrap();
        transaction.commit().unwrap();
    }

    /// A session begins in the project.
    fn start(&mut self, session: &str, why: &str, at: i64) {
        let cwd = self.place().to_str().unwrap().to_owned();
        self.add(&json!({"event": "session-start", "session": session, "at": at, "why": why,
            "cwd": cwd}));
    }

    fn make(&mut self, until: Until, owner: Option<&str>) -> Made {
        let (host, place) = (self.host.clone(), self.place().to_owned());
        let owner = owner.map_or(Owner::Next(&place), Owner::Session);
        let around = Surroundings::new(&host);
        self.store.make_loop(&new(until), &owner, Timestamp(NOW), &around).unwrap()
    }

    fn list(&mut self, gate: &str, now: i64) -> Vec<Kept> {
        let (host, place) = (self.host.clone(), self.place().to_owned());
        self.store.loops(gate, &place, Timestamp(now), &Surroundings::new(&host)).unwrap()
    }

    fn stop(&mut self, gate: &str) -> Vec<Kept> {
        let (host, place) = (self.host.clone(), self.place().to_owned());
        let mut open = self.list(gate, NOW);
        open.retain(|it| !matches!(it.state, LoopState::Over(_)));
        for kept in &open {
            let around = Surroundings::new(&host);
            self.store.stop_loop(kept.looped.id, &place, Timestamp(NOW), &around).unwrap();
        }
        open
    }

    fn resume(&mut self, session: Option<&str>, now: i64) -> Resumed {
        let (host, place) = (self.host.clone(), self.place().to_owned());
        let around = Surroundings::new(&host);
        self.store.resume_loop(session, &place, Timestamp(now), &around).unwrap()
    }

    fn of(&self, session: &str) -> Vec<Loop> {
        let find = "SELECT id FROM sessions WHERE name = ?1";
        let id = self.store.connection.query_row(find, [session], |row| row.get(0)).unwrap();
        of_session(&self.store.connection, id).unwrap().0
    }
}

fn seen(outcome: Outcome) -> Iteration {
    Iteration { at: Timestamp(NOW + 5), outcome, detail: Some("1 failed".to_owned()) }
}

#[test]
fn a_loop_is_read_as_it_was_made() {
    for until in [
        Until::Passes("sh check.sh".to_owned()),
        Until::Seen("make check".to_owned()),
        Until::Released,
    ] {
        let mut world = World::new();
        let Made::Loop(id) = world.make(until.clone(), Some("running")) else { panic!() };
        let expected = Loop {
            id,
            task: "make it fast".to_owned(),
            author: LoopAuthor::User,
            until: until.clone(),
            limits: new(until.clone()).limits,
            begun_at: Timestamp(NOW),
            begun_tokens: 0,
            begun_step: 0,
            rounds: 0,
            times: 3,
            streak: FailureStreak::default(),
            scripts: new(until.clone()).scripts,
            trusted_step: 0,
        };
        assert_eq!(world.of("running"), [expected]);
        assert_eq!(world.make(until, Some("running")), Made::Taken);
    }
    let mut world = World::new();
    assert_eq!(world.make(Until::Released, Some("unknown")), Made::Nowhere);
}

#[test]
fn iterations_are_numbered_and_the_oldest_go_first() {
    let mut world = World::new();
    let Made::Loop(id) = world.make(Until::Released, Some("running")) else { panic!() };
    for _ in 0..120 {
        keep(
            &world.store.connection,
            id,
            &seen(Outcome::Failed(Some(3))),
            (&Next::On, STREAK),
            true,
        )
        .unwrap();
    }
    keep(&world.store.connection, id, &seen(Outcome::Unknown), (&Next::Idle, STREAK), true)
        .unwrap();
    let [kept] = &world.list("hold", NOW)[..] else { panic!() };
    assert_eq!((kept.looped.rounds, kept.state), (120, LoopState::Idle));
    assert_eq!(kept.looped.streak, STREAK);
    assert_eq!(
        (kept.iterations.len(), kept.iterations[0].0, kept.iterations[99].0),
        (100, 22, 121)
    );
    assert_eq!(kept.iterations[98].1, seen(Outcome::Failed(Some(3))));
    let over = Next::Over { end: End::Capped, why: "its time is up".to_owned() };
    keep(&world.store.connection, id, &seen(Outcome::Unknown), (&over, STREAK), true).unwrap();
    let [kept] = &world.list("hold", NOW)[..] else { panic!() };
    assert_eq!(kept.state, LoopState::Over(End::Capped));
    assert_eq!(kept.why.as_deref(), Some("its time is up"));
    assert_eq!(world.of("running"), []);
    assert_eq!(world.list("loop", NOW), []);
}

#[test]
fn the_next_session_takes_what_waits_and_only_one_does() {
    let mut world = World::new();
    let Made::Loop(id) = world.make(Until::Released, None) else { panic!() };
    assert_eq!(world.make(Until::Released, None), Made::Taken);
    assert_eq!(world.list("hold", NOW)[0].state, LoopState::Waiting);
    // Neither the one that runs already, nor one that was only compacted, nor one elsewhere.
    world.start("running", "compact", NOW + 1);
    let record = json!({"event": "session-start", "session": "elsewhere", "at": NOW + 2,
        "why": "startup", "cwd": "/"});
    world.add(&record);
    assert_eq!((world.of("running"), world.of("elsewhere")), (vec![], vec![]));
    world.start("next", "startup", NOW + CLAIM);
    assert_eq!(world.of("next").iter().map(|it| it.id).collect::<Vec<_>>(), [id]);
    assert_eq!(world.of("next")[0].begun_at, Timestamp(NOW + CLAIM));
    world.start("later", "startup", NOW + CLAIM);
    assert_eq!(world.of("later"), []);
    // It goes on with its session whatever happens to that.
    world.add(&json!({"event": "session-end", "session": "next", "at": NOW + CLAIM + 1}));
    world.start("next", "resume", NOW + CLAIM + 2);
    assert_eq!(world.of("next").len(), 1);
}

#[test]
fn what_nobody_takes_within_ten_minutes_lapses() {
    let mut world = World::new();
    world.make(Until::Released, None);
    world.start("late", "startup", NOW + CLAIM + 1);
    world.start("early", "startup", NOW - 1);
    assert_eq!((world.of("late"), world.of("early")), (vec![], vec![]));
    assert_eq!(world.list("hold", NOW + CLAIM + 1)[0].state, LoopState::Over(End::Lapsed));
    assert_eq!(world.store.open_loops(Timestamp(NOW + CLAIM + 1)).unwrap(), []);
    assert!(matches!(world.make(Until::Released, None), Made::Loop(_)));
}

#[test]
fn what_is_stopped_can_go_on_and_what_is_proven_cannot() {
    let mut world = World::new();
    let until = Until::Passes("true".to_owned());
    let Made::Loop(id) = world.make(until, Some("running")) else { panic!() };
    assert_eq!(world.resume(None, NOW), Resumed::Nothing, "it is open");
    keep(&world.store.connection, id, &seen(Outcome::Failed(None)), (&Next::On, STREAK), true)
        .unwrap();
    assert_eq!(world.stop("hold"), []);
    assert_eq!(world.stop("loop").len(), 1);
    assert_eq!((world.of("running"), world.stop("loop")), (vec![], vec![]));
    let Resumed::Loop(resumed) = world.resume(None, NOW + 9) else { panic!() };
    assert_eq!((resumed.state, resumed.looped.rounds), (LoopState::Open, 0));
    assert_eq!(world.of("running")[0].begun_at, Timestamp(NOW + 9));
    // Where its session is over, the next one takes it.
    world.add(&json!({"event": "session-end", "session": "running", "at": NOW + 10}));
    let Resumed::Loop(resumed) = world.resume(None, NOW + 11) else { panic!() };
    assert_eq!(resumed.state, LoopState::Waiting);
    world.start("next", "clear", NOW + 12);
    assert_eq!(world.of("next").len(), 1);
    let over = Next::Over { end: End::Proven, why: "its condition is proven".to_owned() };
    keep(&world.store.connection, id, &seen(Outcome::Passed), (&over, STREAK), true).unwrap();
    assert_eq!(world.resume(None, NOW + 13), Resumed::Nothing, "it is proven");
}

#[test]
fn what_goes_on_is_never_the_second_in_its_place() {
    let mut world = World::new();
    let until = || Until::Passes("true".to_owned());
    world.start("other", "startup", NOW);
    world.make(until(), Some("running"));
    let Made::Loop(last) = world.make(until(), Some("other")) else { panic!() };
    let over = Next::Over { end: End::Capped, why: "its time is up".to_owned() };
    keep(&world.store.connection, last, &seen(Outcome::Unknown), (&over, STREAK), true).unwrap();
    assert_eq!(world.resume(Some("running"), NOW), Resumed::Taken);
    assert_eq!(world.of("running").len(), 1);
    // It is no second one beside itself.
    assert!(matches!(world.resume(Some("other"), NOW), Resumed::Loop(_)));
    keep(&world.store.connection, last, &seen(Outcome::Unknown), (&Next::Idle, STREAK), true)
        .unwrap();
    assert!(matches!(world.resume(Some("other"), NOW), Resumed::Loop(_)));
    // Nor do two wait for the next session.
    world.stop("loop");
    world.make(until(), None);
    let Made::Loop(last) = world.make(until(), Some("other")) else { panic!() };
    keep(&world.store.connection, last, &seen(Outcome::Unknown), (&over, STREAK), true).unwrap();
    world.add(&json!({"event": "session-end", "session": "other", "at": NOW + 1}));
    assert_eq!(world.resume(None, NOW + 2), Resumed::Taken);
}

/// Only a loop makes a run of a command that nobody knows.
#[test]
fn the_fold_looks_for_the_words_of_the_sessions_own_loops() {
    let mut world = World::new();
    world.make(Until::Seen("./frob --all".to_owned()), Some("running"));
    world.start("other", "startup", NOW);
    for session in ["running", "other"] {
        world.add(&json!({"event": "tool", "session": session, "at": NOW, "tool": "shell",
            "name": "Bash", "bytes": 0, "call": "c", "command": "./frob --all", "result": "passed"}));
    }
    let runs = |session: &str| {
        let find = "SELECT id FROM sessions WHERE name = ?1";
        let id = world.store.connection.query_row(find, [session], |row| row.get(0)).unwrap();
        let past = Past::load(&world.store.connection, id).unwrap();
        let patterns = past.patterns().len();
        let runs = past.work.runs.into_iter().map(|it| (it.command, it.outcome));
        (runs.collect::<Vec<_>>(), patterns)
    };
    assert_eq!(runs("running"), (vec![("./frob --all".to_owned(), Outcome::Passed)], 1));
    assert_eq!(runs("other"), (vec![], 0));
}

/// The client may be killed, and what it did is folded together with its next start.
#[test]
fn what_was_done_before_a_loop_proves_nothing_also_in_one_fold() {
    let mut world = World::new();
    world.make(Until::Seen("./frob --all".to_owned()), None);
    let cwd = world.place().to_str().unwrap().to_owned();
    let run = |call: &str| {
        json!({"event": "tool", "session": "running", "at": NOW, "tool": "shell", "name": "Bash",
            "bytes": 0, "call": call, "command": "./frob --all", "result": "passed"})
    };
    let start = json!({"event": "session-start", "session": "running", "at": NOW + 1,
        "why": "resume", "cwd": cwd});
    world.fold(&[run("c1"), start, run("c2")]);
    let [looped] = &world.of("running")[..] else { panic!() };
    assert_eq!(looped.begun_step, 2);
    let find = "SELECT id FROM sessions WHERE name = 'running'";
    let id = world.store.connection.query_row(find, [], |row| row.get(0)).unwrap();
    let work = Past::load(&world.store.connection, id).unwrap().work;
    assert_eq!((work.step, work.runs.len()), (4, 1), "the second run is the loop's");
}
