use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::Path;
use std::slice::from_ref;
use std::time::Duration;

use tempfile::TempDir;
use windlass_core::Timestamp;
use windlass_core::memory::{
    BY_WORDS, By, Candidate, Category, Content, Draft, Edits, Fault, FieldValue, Memory, MemoryId,
    Origin, Role, Span, State, Trust,
};
use windlass_core::triage::tune::Sample;

use super::capture::{imported_query, left_query, query_of};
use super::indexed::latest;
use super::recall::changed;
use super::{Captured, Deed, Done, Filter, New, Offered, Remembered, capture, expire, unsettled};
use super::{Within, checked, import, offer, rows};
use crate::Host;
use crate::index::Scope;
use crate::redact::testing::{Canary, canaries};
use crate::store::{Limits, Patience, Store};
use crate::surroundings::Surroundings;
use crate::time::DAY;

mod files;
mod recall;
mod standing;
mod twice;

const NOW: Timestamp = Timestamp(1_794_768_265_728);
const TEXT: &str = "The flaky test was caused by the port being reused between runs";
const OTHER_WORDS: &str = "The flaky test is caused by the port being reused between runs";

/// A store, and a project in a directory of its own.
struct World {
    directory: TempDir,
    host: Host,
    store: Store,
    next: Cell<u8>,
}

impl World {
    fn new() -> Self {
        let directory = TempDir::new().unwrap();
        std::fs::create_dir_all(directory.path().join("p/.git")).unwrap();
        let data = directory.path().join("data");
        let store = Store::open(&data, Patience::For(Duration::from_secs(5))).unwrap();
        Self { directory, host: Host::from_process(), store, next: Cell::new(0) }
    }

    fn remember_for(&mut self, content: Content, by: By) -> Remembered {
        self.remember_in("p", content, by, false)
    }

    fn remember_in(
        &mut self,
        place: &str,
        content: Content,
        by: By,
        is_global: bool,
    ) -> Remembered {
        let (origin, confidence) = (Origin::default(), None);
        let new = New { content, by, origin, confidence, is_global };
        let around = Surroundings::new(&self.host);
        let place = self.directory.path().join(place);
        std::fs::create_dir_all(place.join(".git")).unwrap();
        let next = &self.next;
        let ids = || {
            next.set(next.get() + 1);
            MemoryId::of_bytes([next.get(); 5])
        };
        self.store.remember(&new, &place, NOW, &around, ids).unwrap()
    }

    fn created(&mut self, text: &str, by: By) -> MemoryId {
        match self.remember_for(content(text), by) {
            Remembered::Created(id) => id,
            other => panic!("{other:?}"),
        }
    }

    fn project(&mut self) -> Option<i64> {
        let around = Surroundings::new(&self.host);
        let place = self.directory.path().join("p");
        self.store.project_of(&place, NOW, &around).unwrap()
    }

    fn capture(&mut self, candidates: &[Candidate]) -> Captured {
        let project = self.project();
        capture(&self.store.connection, project, candidates).unwrap()
    }

    fn all(&self) -> Vec<Memory> {
        let found = self.store.memories(&Filter::default()).unwrap();
        found.into_iter().map(|it| it.memory).collect()
    }

    fn one(&self, id: &MemoryId) -> Memory {
        rows::find(&self.store.connection, id).unwrap().unwrap().memory
    }

    fn said(&self, id: &MemoryId) -> Vec<String> {
        let history = self.store.history(id).unwrap();
        history.into_iter().map(|it| format!("{} {}", it.by.word(), it.what)).collect()
    }
}

fn content(text: &str) -> Content {
    Draft { text: text.to_owned(), ..Draft::default() }.check().unwrap()
}

fn span(text: &str) -> Span {
    Span {
        role: Role::Agent,
        category: Category::Discovery,
        text: text.to_owned(),
        at: 70,
        part: 2,
        score: 310,
        confidence: 64,
        is_strong: false,
        is_noted: false,
        why: vec!["a cause"],
    }
}

fn candidate(session: &str, text: &str) -> Candidate {
    Candidate::of(&span(text), session, NOW).unwrap()
}

fn by(by: By) -> Deed<'static> {
    Deed { by, now: Timestamp(NOW.0 + 1), why: None }
}

#[test]
fn a_candidate_is_kept_with_where_it_comes_from() {
    let mut world = World::new();
    let mut candidate = candidate("s", TEXT);
    candidate.origin.prompt = Some("p1".to_owned());
    candidate.origin.transcript = Some("/t.jsonl".to_owned());
    candidate.origin.command = Some("cargo test".to_owned());
    candidate.origin.commit = Some("c0ffee".to_owned());
    candidate.content.files = vec!["src/a.rs".to_owned()];
    assert_eq!(world.capture(from_ref(&candidate)).created, 1);
    let kept = world.one(&candidate.id);
    let Candidate { content, trust, origin, .. } = candidate;
    assert_eq!((kept.content, kept.trust, kept.origin), (content, trust, origin));
    assert_eq!((kept.state, kept.confidence), (State::Candidate, Some(64)));
    assert_eq!(world.said(&kept.id), ["windlass captured"]);
}

#[test]
fn what_is_told_again_is_kept_once() {
    let mut world = World::new();
    let first = candidate("s", TEXT);
    let all = [first.clone(), candidate("s", "Another thing is the case with the lexer here")];
    assert_eq!(world.capture(&all), Captured { created: 2, ..Captured::default() });
    assert_eq!(world.capture(&all), Captured { dropped: 2, ..Captured::default() });
    // Another session says it in other words, and more strongly.
    let strong = Span { is_strong: true, confidence: 90, ..span(OTHER_WORDS) };
    let again = Candidate::of(&strong, "t", Timestamp(NOW.0 + 5)).unwrap();
    assert_eq!(world.capture(&[again]), Captured { merged: 1, ..Captured::default() });
    let kept = world.one(&first.id);
    assert!(kept.is_strong);
    assert_eq!((kept.confidence, kept.content.text.as_str()), (Some(90), TEXT));
    assert_eq!(world.all().len(), 2);
    // Elsewhere it is not known.
    let elsewhere = capture(&world.store.connection, None, &[candidate("u", TEXT)]).unwrap();
    assert_eq!(elsewhere.created, 1);
}

#[test]
fn what_was_rejected_leaves_no_words_and_does_not_come_back() {
    let mut world = World::new();
    let first = candidate("s", TEXT);
    world.capture(from_ref(&first));
    let edits = Edits { title: Some("Other words".to_owned()), ..Edits::default() };
    world.store.edit(&first.id, &edits, by(By::Agent)).unwrap();
    let deed = Deed { why: Some("it is noise"), ..by(By::Agent) };
    let done = world.store.reject(from_ref(&first.id), deed).unwrap();
    assert!(matches!(done.as_slice(), [Done::Changed(it)] if it.state == State::Rejected));
    let tombstone = world.one(&first.id);
    assert_eq!((tombstone.content.text.as_str(), tombstone.content.title.as_str()), ("", ""));
    assert_eq!(tombstone.origin.score, Some(310));
    // Its history says what windlass did with it, and who rejected it.
    let history = world.store.history(&first.id).unwrap();
    let did: Vec<_> = history.iter().map(|it| (it.what.as_str(), it.why.as_deref())).collect();
    assert_eq!(did, [("captured", None), ("rejected", Some("it is noise"))]);
    assert!(history.iter().all(|it| it.changes.is_empty()), "{history:?}");
    let again = Captured { dropped: 1, ..Captured::default() };
    assert_eq!(world.capture(from_ref(&first)), again);
    assert_eq!(world.capture(&[candidate("t", TEXT)]), again);
    let nothing = Remembered::Nothing { id: first.id.clone(), state: State::Rejected };
    assert_eq!(world.remember_for(content(TEXT), By::Agent), nothing);
    // The user may change their mind, and then it is not rejected any more.
    world.created(TEXT, By::User);
    assert_eq!(world.all().len(), 1);
    let done = world.store.reject(from_ref(&first.id), by(By::User)).unwrap();
    assert_eq!(done, [Done::Gone(first.id)]);
}

/// What was found by counting words has a score that means something else.
#[test]
fn what_is_settled_can_be_fitted_to_where_it_was_weighed() {
    let mut world = World::new();
    let texts =
        ["The cause is the lexer `a`", "The cause is the parser `b`", "The port `c` is taken"];
    for (at, text) in texts.into_iter().enumerate() {
        let why = if at == 2 { vec![BY_WORDS] } else { Vec::new() };
        let found = Span { is_strong: at == 0, why, confidence: 70, ..span(text) };
        let kept = Candidate::of(&found, &format!("kept {at}"), NOW).unwrap();
        let text = format!("{text}, and `{at}` too");
        let lost = Candidate::of(&Span { text, confidence: 60, ..found }, "s", NOW).unwrap();
        assert_eq!(world.capture(&[kept.clone(), lost.clone()]).created, 2);
        world.store.confirm(&[kept.id], &Edits::default(), by(By::User)).unwrap();
        world.store.reject(&[lost.id], by(By::Agent)).unwrap();
    }
    // Nobody settled these, or they were not found.
    world.capture(&[candidate("s", TEXT)]);
    world.created("Something that the user says", By::User);
    let mut found = world.store.weighed().unwrap();
    found.sort_by_key(|it| (it.is_kept, it.is_strong));
    let sample = |is_kept, is_strong| {
        let confidence = if is_kept { 70 } else { 60 };
        Sample { is_kept, confidence, is_strong }
    };
    let expected = [(false, false), (false, true), (true, false), (true, true)];
    assert_eq!(found, expected.map(|it| sample(it.0, it.1)));
}

#[test]
fn a_candidate_that_is_confirmed_keeps_its_name_and_is_refined() {
    let mut world = World::new();
    let first = candidate("s", TEXT);
    world.capture(from_ref(&first));
    assert_eq!(unsettled(&world.store.connection, "s").unwrap().len(), 1);
    let fields = vec![("cause".to_owned(), FieldValue::Text("SO_REUSEADDR".to_owned()))];
    let edits = Edits { title: Some("The port is reused".to_owned()), fields, ..Edits::default() };
    let ids = [first.id.clone()];
    let done = world.store.confirm(&ids, &edits, by(By::Agent)).unwrap();
    assert!(matches!(done.as_slice(), [Done::Changed(_)]), "{done:?}");
    let kept = world.one(&first.id);
    assert_eq!((kept.state, kept.trust), (State::Active, Trust::Agent));
    assert_eq!(kept.content.title, "The port is reused");
    assert_eq!(unsettled(&world.store.connection, "s").unwrap(), []);
    assert_eq!(world.said(&first.id), ["windlass captured", "agent confirmed"]);
    // Once more is once too often for nobody.
    let again = world.store.confirm(&ids, &Edits::default(), by(By::Agent)).unwrap();
    assert!(matches!(again.as_slice(), [Done::Already(_)]), "{again:?}");
    let edits = Edits { fields: vec![("steps".to_owned(), FieldValue::Switch(true))], ..edits };
    let wrong = world.store.confirm(&ids, &edits, by(By::Agent)).unwrap();
    assert!(matches!(wrong.as_slice(), [Done::Wrong(Fault::Unknown { .. })]), "{wrong:?}");
}

#[test]
fn what_is_remembered_twice_is_one_memory() {
    let mut world = World::new();
    let id = world.created(TEXT, By::Agent);
    let nothing = Remembered::Nothing { id: id.clone(), state: State::Active };
    assert_eq!(world.remember_for(content(TEXT), By::Agent), nothing);
    let other = Content { tags: vec!["ports".to_owned()], ..content(OTHER_WORDS) };
    let updated = world.remember_for(other, By::User);
    let Remembered::Updated { id: same, was: State::Active, changes } = updated else {
        panic!("{updated:?}")
    };
    assert_eq!(same, id);
    let changed: Vec<_> = changes.iter().map(|it| it.what.as_str()).collect();
    assert_eq!(changed, ["title", "text", "tags"]);
    assert_eq!(world.one(&id).trust, Trust::User);
    // What a user said an agent does not change.
    let more = Content { tags: vec!["more".to_owned()], ..content(TEXT) };
    assert_eq!(world.remember_for(more, By::Agent), nothing);
    // A candidate that is remembered is a memory, under its own name.
    let candidate = candidate("s", "Something else is the case with the lexer in here");
    world.capture(from_ref(&candidate));
    let settled = world.remember_for(candidate.content.clone(), By::Agent);
    let expected =
        Remembered::Updated { id: candidate.id, was: State::Candidate, changes: Vec::new() };
    assert_eq!(settled, expected);
}

/// What somebody loses otherwise: it was said, and the answer sounds as if it were kept.
#[test]
fn what_only_sounds_the_same_is_kept_beside_it() {
    let mut world = World::new();
    let (staging, production) = ["staging", "production"]
        .map(|it| format!("The {it} deploy needs the vpn to be up"))
        .into();
    let first = world.created(&staging, By::User);
    let second = world.created(&production, By::User);
    assert_eq!(world.one(&first).content.text, staging);
    assert_eq!(world.store.similar_to(&second).unwrap().map(|it| it.id).as_ref(), Some(&first));
    // One that does not count any more keeps nobody from saying the opposite.
    let old = world.created("Run the migration before the deploy of the server", By::User);
    world.store.retire(from_ref(&old), by(By::User)).unwrap();
    let new = world.created("Run the migration after the deploy of the server", By::User);
    assert_eq!(world.store.similar_to(&new).unwrap(), None, "it does not count");
    // What is found in one message is found each for itself, whatever is known.
    let found =
        ["api", "web", "mobile"].map(|it| format!("The {it} deploy needs the vpn to be up"));
    let found = found.map(|it| candidate("s", &it));
    assert_eq!(world.capture(&found), Captured { created: 3, ..Captured::default() });
    // And none is confirmed because an agent says something else.
    world.created("The desktop deploy needs the vpn to be up", By::Agent);
    assert_eq!(unsettled(&world.store.connection, "s").unwrap().len(), 3);
}

/// Whose word it is and whose words these are.
#[test]
fn what_the_user_only_confirms_stays_in_the_words_of_another() {
    let mut world = World::new();
    let whose = |world: &World, id: &MemoryId| (world.one(id).trust, world.one(id).words());
    let (confirmed, stood_for) = ((Trust::User, Trust::Agent), (Trust::User, Trust::User));
    let agents = candidate("s", TEXT);
    let users = Span { role: Role::User, ..span("Use tabs in the whole of the parser") };
    let users = Candidate::of(&users, "s", NOW).unwrap();
    world.capture(&[agents.clone(), users.clone()]);
    let ids = [agents.id.clone(), users.id.clone()];
    world.store.confirm(&ids, &Edits::default(), by(By::User)).unwrap();
    assert_eq!(whose(&world, &agents.id), confirmed);
    assert_eq!(whose(&world, &users.id), stood_for);
    // More about it is not said in other words.
    let tagged = Edits { tags: Some(vec!["ports".to_owned()]), ..Edits::default() };
    world.store.edit(&agents.id, &tagged, by(By::User)).unwrap();
    assert_eq!(whose(&world, &agents.id), confirmed);
    let reworded = Edits { text: Some("No two runs share a port".to_owned()), ..tagged };
    world.store.edit(&agents.id, &reworded, by(By::User)).unwrap();
    assert_eq!(whose(&world, &agents.id), stood_for);
    assert_eq!(world.one(&agents.id).content.title, "No two runs share a port");
    // Where it holds has nothing to do with whose word it is.
    let id = world.created("The linter wants two blanks", By::Agent);
    world.store.spread(&id, true, &Edits::default(), by(By::User)).unwrap();
    assert_eq!(whose(&world, &id), (Trust::Agent, Trust::Agent));
    // But it is the user's to change now: it holds in every project.
    assert!(matches!(world.store.edit(&id, &reworded, by(By::Agent)).unwrap(), Done::Users(_)));
    let tags = vec!["lint".to_owned()];
    let more = Content { tags, ..content("The linter wants two blanks") };
    let nothing = Remembered::Nothing { id: id.clone(), state: State::Active };
    assert_eq!(world.remember_for(more, By::Agent), nothing);
    let reworded = Edits { text: Some("Two blanks, says the linter".to_owned()), ..reworded };
    world.store.spread(&id, false, &reworded, by(By::User)).unwrap();
    assert_eq!(whose(&world, &id), stood_for);
}

#[test]
fn who_remembers_something_in_their_own_words_has_said_it() {
    let mut world = World::new();
    let whose = |world: &World, id: &MemoryId| (world.one(id).trust, world.one(id).words());
    let users = Candidate::of(&Span { role: Role::User, ..span(TEXT) }, "s", NOW).unwrap();
    world.capture(from_ref(&users));
    world.remember_for(content(OTHER_WORDS), By::Agent);
    assert_eq!(whose(&world, &users.id), (Trust::Agent, Trust::Agent), "the words are its own");
    world.remember_for(content(TEXT), By::User);
    assert_eq!(whose(&world, &users.id), (Trust::User, Trust::User));
    // What the user stands for is not said by the user because an agent says it again.
    let said = "The scheduler starts two workers for each queue";
    let agents = candidate("s", said);
    world.capture(from_ref(&agents));
    let tagged = Edits { tags: Some(vec!["queues".to_owned()]), ..Edits::default() };
    world.store.edit(&agents.id, &tagged, by(By::User)).unwrap();
    world.remember_for(content(said), By::Agent);
    assert_eq!(whose(&world, &agents.id).1, Trust::Agent);
    // What an agent added to it stays the agent's.
    let with = |text: &str, cause: &str| {
        let fields = vec![("cause".to_owned(), FieldValue::Text(cause.to_owned()))];
        let fields = if cause.is_empty() { Vec::new() } else { fields };
        Draft { text: text.to_owned(), fields, ..Draft::default() }.check().unwrap()
    };
    let text = "The lexer drops the last line of every file in here";
    let made = world.remember_for(with(text, "no newline"), By::Agent);
    let Remembered::Created(id) = made else { panic!("{made:?}") };
    world.remember_for(with(&format!("{text}. Always."), ""), By::User);
    assert_eq!(whose(&world, &id), (Trust::User, Trust::Agent));
}

#[test]
fn an_agent_does_not_touch_what_the_user_made() {
    let mut world = World::new();
    let (users, agents) = (world.created(TEXT, By::User), world.created("use tabs", By::Agent));
    let edits = Edits { title: Some("other".to_owned()), ..Edits::default() };
    let store = &mut world.store;
    let ids = [users.clone(), agents.clone()];
    assert!(matches!(store.edit(&users, &edits, by(By::Agent)).unwrap(), Done::Users(_)));
    let done = store.supersede(&users, &agents, by(By::Agent)).unwrap();
    assert!(matches!(done, Done::Users(_)));
    let done = store.retire(&ids, by(By::Agent)).unwrap();
    assert!(matches!(done.as_slice(), [Done::Users(_), Done::Changed(_)]), "{done:?}");
    let done = store.restore(&ids, by(By::User)).unwrap();
    assert!(matches!(done.as_slice(), [Done::Already(_), Done::Changed(_)]), "{done:?}");
    assert!(matches!(store.edit(&users, &edits, by(By::User)).unwrap(), Done::Changed(_)));
}

#[test]
fn a_memory_takes_the_place_of_another_and_gives_it_back() {
    let mut world = World::new();
    let (old, new) = (world.created("use tabs", By::User), world.created("use blanks", By::User));
    let project = world.project();
    let store = &mut world.store;
    assert!(matches!(store.supersede(&old, &new, by(By::User)).unwrap(), Done::Changed(_)));
    assert!(matches!(store.supersede(&old, &new, by(By::User)).unwrap(), Done::Already(_)));
    let mut named = store.memories_named(new.as_str()).unwrap();
    store.link(&mut named).unwrap();
    assert_eq!(named[0].memory.supersedes, *from_ref(&old));
    assert_eq!(named[0].project.as_deref(), Some("p"));
    assert_eq!((named[0].project_id, named[0].project_id.is_some()), (project, true));
    // Neither that nor another one can be put in its place now.
    assert!(matches!(store.supersede(&old, &old, by(By::User)).unwrap(), Done::Cannot(_)));
    store.restore(from_ref(&old), by(By::User)).unwrap();
    let restored = world.one(&old);
    assert_eq!((restored.state, restored.superseded_by), (State::Active, None));
}

#[test]
fn nobody_settles_a_candidate_and_it_expires_and_goes() {
    let mut world = World::new();
    let (old, new) = (candidate("s", TEXT), candidate("s", "Another thing is so with the lexer"));
    let new = Candidate { at: Timestamp(NOW.0 + 2 * DAY), ..new };
    world.capture(&[old.clone(), new.clone()]);
    let store = &world.store.connection;
    let at = |days: i64| Timestamp(NOW.0 + days * DAY + 1);
    assert_eq!(expire(store, at(29), 30).unwrap(), 0);
    assert_eq!(expire(store, at(30), 30).unwrap(), 1);
    let states = |world: &World| {
        let mut all = world.all();
        all.sort_by_key(|it| it.id != old.id);
        all.into_iter().map(|it| it.state).collect::<Vec<_>>()
    };
    assert_eq!(states(&world), [State::Expired, State::Candidate]);
    assert_eq!(world.said(&old.id), ["windlass captured", "windlass expired"]);
    let (confirmed, deed) = ([old.id.clone()], by(By::User));
    world.store.restore(&confirmed, deed).unwrap();
    assert_eq!(states(&world), [State::Candidate, State::Candidate]);
    assert_eq!(expire(&world.store.connection, at(40), 30).unwrap(), 2);
    assert_eq!(expire(&world.store.connection, at(71), 30).unwrap(), 0);
    assert_eq!(world.all(), []);
}

#[test]
fn strong_candidates_are_offered_once_however_many_were_before() {
    let mut world = World::new();
    let strong = |text: &str| {
        let span = Span { is_strong: true, ..span(text) };
        Candidate::of(&span, "s", NOW).unwrap()
    };
    world.capture(&[candidate("s", TEXT), strong("Another thing is so with the lexer")]);
    let project = world.project();
    let told = |world: &World| {
        let offered = offer(&world.store.connection, project, NOW).unwrap();
        (offered.captured.len(), offered.imported)
    };
    assert_eq!((told(&world), told(&world)), ((1, 0), (0, 0)));
    // Many places are no project: what was found in one of them is not told in the others.
    let nowhere = strong("A third thing is so with the printer");
    capture(&world.store.connection, None, from_ref(&nowhere)).unwrap();
    assert_eq!(offer(&world.store.connection, None, NOW).unwrap(), Offered::default());
    let words = |number: usize| {
        let named = |at: usize| format!("w{}x{at}", number * 31 + at);
        (0..9).map(named).collect::<Vec<_>>().join(" ")
    };
    let many: Vec<_> = (0..130).map(|it| strong(&words(it))).collect();
    for part in many.chunks(50) {
        world.capture(part);
    }
    assert_eq!((told(&world), told(&world), told(&world)), ((100, 0), (30, 0), (0, 0)));
}

/// Those that somebody may be asked about are not lost behind many others.
#[test]
fn a_strong_candidate_is_found_behind_many_weak_ones() {
    let mut world = World::new();
    let weak = |it: usize| candidate("s", &format!("w{it} x{it} y{it} z{it} are so, in all cases"));
    world.capture(&(0..120).map(weak).collect::<Vec<_>>());
    let last = Span { is_strong: true, ..span(TEXT) };
    let last = Candidate::of(&last, "s", Timestamp(NOW.0 + 9)).unwrap();
    world.capture(from_ref(&last));
    let found = unsettled(&world.store.connection, "s").unwrap();
    assert_eq!((&found[0].id, found.len()), (&last.id, 100));
}

/// Steps of SQLite's machine that a statement takes.
fn steps(world: &World, query: &str, values: impl rusqlite::Params) -> i32 {
    let mut statement = world.store.connection.prepare(query).unwrap();
    let mut rows = statement.query(values).unwrap();
    while rows.next().unwrap().is_some() {}
    drop(rows);
    statement.get_status(rusqlite::StatementStatus::VmStep)
}

/// What a hook looks at when a session begins does not grow with the store.
#[test]
fn a_session_begins_as_fast_in_a_project_of_many_memories() {
    let mut world = World::new();
    let project = world.project();
    let fill = |world: &World, from: i64, to: i64| {
        let write = "WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
            INSERT INTO memories SELECT printf('m%07d', i), ?3, 's', iif(i % 10, 'candidate',
                'active'), 'discovery', 't', 'x', '{}', '{}', 'agent', i, 50, 1, i, i, NULL, 0
            FROM n";
        world.store.connection.execute(write, rusqlite::params![from, to, project]).unwrap();
        let write = "INSERT INTO memory_changes SELECT id, 1, made_at, 'windlass', 'captured', '{}'
            FROM memories WHERE made_at BETWEEN ?1 AND ?2";
        world.store.connection.execute(write, [from, to]).unwrap();
    };
    let work = |world: &World| {
        let values = rusqlite::params![project, i64::MIN, 100];
        [
            steps(world, &query_of(&left_query(project)), values),
            steps(world, &imported_query(project), &values[..2]),
        ]
    };
    fill(&world, 1, 2000);
    let few = work(&world);
    fill(&world, 2001, 11_000);
    let many = work(&world);
    for (few, many) in few.into_iter().zip(many) {
        assert!(many <= few + few / 10, "{few} → {many}");
    }
    // Once the latest were offered only what is new is looked at.
    let told = |world: &World, at| offer(&world.store.connection, project, Timestamp(at)).unwrap();
    for _ in 0..10 {
        assert_eq!(told(&world, DAY).captured.len(), 100);
    }
    assert_eq!(told(&world, DAY).captured.len(), 0);
}

/// Nobody confirms anything, as it is with most people, or did so long ago.
#[test]
fn what_an_index_has_not_seen_is_read_without_a_look_at_candidates() {
    let mut world = World::new();
    let project = world.project();
    world.created(TEXT, By::User);
    let fill = |world: &World, from: i64, to: i64| {
        let write = "WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
            INSERT INTO memories SELECT printf('m%07d', i), iif(i % 3, ?3, NULL), 's',
                iif(i % 2, 'expired', 'candidate'), 'discovery', 't', 'x', '{}', '{}', 'agent', i,
                50, 1, i, i + ?4, NULL, 0 FROM n";
        let values = rusqlite::params![from, to, project, NOW.0];
        world.store.connection.execute(write, values).unwrap();
    };
    let work = |world: &World| {
        [Scope::of(project), Scope::Nowhere, Scope::Global].map(|scope| {
            let number = scope.number();
            [
                steps(world, &changed(scope), rusqlite::params![number, 0]),
                steps(world, &latest(scope), [number]),
            ]
        })
    };
    fill(&world, 1, 10);
    let few = work(&world);
    fill(&world, 11, 2000);
    assert_eq!(work(&world), few);
}

#[test]
fn what_is_imported_is_counted_once() {
    let mut world = World::new();
    let project = world.project();
    let store = &world.store.connection;
    let all = [candidate("s", TEXT), candidate("s", "Another thing is so with the lexer")];
    import(store, project, &all, NOW).unwrap();
    let told = |at: i64| {
        let offered = offer(store, project, Timestamp(NOW.0 + at)).unwrap();
        (offered.captured.len(), offered.imported)
    };
    assert_eq!((told(1), told(2)), ((0, 2), (0, 0)));
    let later = Timestamp(NOW.0 + 5);
    import(store, project, &[candidate("s", "The parser keeps no comments at all")], later)
        .unwrap();
    assert_eq!((told(6), told(7)), ((0, 1), (0, 0)));
}

/// There are more than anybody looks at, and those that were imported came last.
#[test]
fn what_is_imported_is_counted_behind_whatever_was_there() {
    let mut world = World::new();
    let project = world.project();
    let write = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO memories SELECT printf('m%07d', i), ?1, 's', 'candidate', 'discovery', 't', 'x',
            '{}', '{}', 'agent', i, 50, 0, i, i, NULL, 0 FROM n";
    world.store.connection.execute(write, [project]).unwrap();
    let all = [candidate("s", TEXT), candidate("s", "Another thing is so with the lexer")];
    import(&world.store.connection, project, &all, NOW).unwrap();
    let at = Timestamp(NOW.0 + 1);
    assert_eq!(offer(&world.store.connection, project, at).unwrap().imported, 2);
}

/// Once, however wrong the clock was.
#[test]
fn what_was_imported_ahead_of_time_is_not_told_every_time() {
    let mut world = World::new();
    let project = world.project();
    let store = &world.store.connection;
    let ahead = Timestamp(NOW.0 + 3 * DAY);
    import(store, project, &[candidate("s", TEXT)], ahead).unwrap();
    let told = |at: i64| offer(store, project, Timestamp(at)).unwrap().imported;
    let early: usize = (1..4).map(|it| told(NOW.0 + it)).sum();
    assert!(early <= 1, "{early}");
    assert_eq!((told(ahead.0 + 1), told(ahead.0 + 2)), (1, 0));
}

#[test]
fn an_import_comes_to_the_same_however_often_it_was_killed() {
    let words = |number: usize| {
        let named = |at: usize| format!("w{}x{at}", number * 31 + at);
        (0..20).map(named).collect::<Vec<_>>().join(" ")
    };
    let at = |number: usize| Timestamp(NOW.0 + i64::try_from(number * 7919 % 1000).unwrap());
    let first = (0..240).map(|it| (it, words(it)));
    // The same once more.
    let again = (0..240).map(|it| (it + 240, format!("Please, the {}.", words(it))));
    let all = first.chain(again).map(|(number, text)| {
        let candidate = candidate("s", &text);
        Candidate { at: at(number), ..candidate }
    });
    let all: Vec<_> = all.collect();
    let ids = |pause: i64| {
        let mut world = World::new();
        let project = world.project();
        let mut now = NOW.0;
        for part in all.chunks(50) {
            import(&world.store.connection, project, part, Timestamp(now)).unwrap();
            now += pause;
        }
        let mut ids: Vec<_> = world.all().into_iter().map(|it| it.id.to_string()).collect();
        ids.sort();
        ids
    };
    assert_eq!(ids(0), ids(1));
}

#[test]
fn memories_are_found_by_what_is_asked_for() {
    let mut world = World::new();
    let one = world.created("The Lexer is slow with long lines", By::User);
    let text = FieldValue::Text("cargo".to_owned());
    let fields = vec![("trigger".to_owned(), text)];
    let category = Some(Category::Runbook);
    let draft = Draft { category, fields, tags: vec!["Build".to_owned()], ..Draft::default() };
    let Remembered::Created(two) = world.remember_for(draft.check().unwrap(), By::User) else {
        panic!()
    };
    world.capture(&[candidate("s-1", TEXT)]);
    let project = world.project();
    let find = |filter: Filter<'_>| {
        let found = world.store.memories(&filter).unwrap();
        found.into_iter().map(|it| it.memory.id).collect::<Vec<_>>()
    };
    let all = Filter::default;
    assert_eq!(find(Filter { text: Some("LEXER"), ..all() }), *from_ref(&one));
    assert_eq!(find(Filter { text: Some("build"), ..all() }), *from_ref(&two));
    assert_eq!(find(Filter { category, ..all() }), [two]);
    assert_eq!(find(Filter { states: &[State::Active], ..all() }).len(), 2);
    assert_eq!(find(Filter { states: &[State::Active, State::Candidate], ..all() }).len(), 3);
    assert_eq!(find(Filter { session: Some("s-"), ..all() }).len(), 1);
    assert_eq!(find(Filter { strong_only: true, ..all() }).len(), 0);
    assert_eq!(find(Filter { within: Within::Project(project), ..all() }).len(), 3);
    assert_eq!(find(Filter { within: Within::Project(None), ..all() }).len(), 0);
    assert_eq!(world.store.memories_named("0").unwrap().len(), 2);
    assert_eq!(world.store.memories_named(&one.as_str()[..3]).unwrap().len(), 1);
}

#[test]
fn no_secret_is_written_wherever_it_stands() {
    let mut world = World::new();
    let mut rules = BTreeSet::new();
    // Each rule once: their places are for the tests of the redactor.
    for Canary { rule, secret, text } in canaries() {
        // A short one stands in other words too.
        if secret.len() < 8 || !rule.is_empty() && !rules.insert(rule) {
            continue;
        }
        let list = FieldValue::List(vec![text.clone()]);
        let draft = Draft {
            category: Some(Category::Runbook),
            title: Some(text.clone()).filter(|it| it.chars().count() <= 120),
            text: text.clone(),
            fields: vec![("steps".to_owned(), list)],
            tags: vec![text.clone()],
            files: vec![text.clone()],
        };
        let content = checked(draft).unwrap();
        let (prompt, command) = (Some(text.clone()), Some(text.clone()));
        let origin = Origin { prompt, command, ..Origin::default() };
        let candidate = Candidate { content, origin, ..candidate("s", &text) };
        world.capture(from_ref(&candidate));
        let deed = Deed { why: Some(&text), ..by(By::User) };
        let edits = Edits { text: Some(text.clone()), ..Edits::default() };
        world.store.confirm(from_ref(&candidate.id), &edits, deed).unwrap();
        for table in ["memories", "memory_changes"] {
            let columns = format!("SELECT name FROM pragma_table_info('{table}')");
            let columns = world.store.rows(&columns, [], |it| it.get::<_, String>(0), "").unwrap();
            let all = columns.iter().map(|it| format!("coalesce({it}, '')")).collect::<Vec<_>>();
            let query = format!("SELECT 1 FROM {table} WHERE instr({}, ?1)", all.join(" || "));
            let found = world.store.connection.prepare(&query).unwrap().exists([&secret]).unwrap();
            assert!(!found, "{table}: {text}");
        }
    }
    assert!(!world.all().is_empty());
}

#[test]
fn whoever_is_given_an_id_can_rely_on_it() {
    let mut world = World::new();
    let mode = |world: &World| {
        let query = "PRAGMA synchronous";
        world.store.connection.query_row(query, [], |row| row.get::<_, i64>(0)).unwrap()
    };
    assert_eq!(mode(&world), 1, "a hook does not wait for the disk");
    let writing = world.store.begin().unwrap();
    writing.commit().unwrap();
    assert_eq!(mode(&world), 1);
    world.created(TEXT, By::User);
    assert_eq!(mode(&world), 2);
}

#[test]
fn memories_have_few_tables_and_indexes() {
    let world = World::new();
    let query = "SELECT type || ' ' || name FROM sqlite_schema WHERE tbl_name LIKE 'memor%'";
    let mut found = world.store.rows(query, [], |row| row.get::<_, String>(0), "").unwrap();
    found.sort();
    let expected = [
        "index memories_by_claim",
        "index memories_everywhere",
        "index memories_of_session",
        "index memories_settled",
        "index memories_summaries",
        "index memories_unsettled",
        "table memories",
        "table memory_changes",
    ];
    assert_eq!(found, expected);
}

/// A process that is killed after it forgot something leaves bytes, and says so.
#[test]
fn what_was_forgotten_and_not_erased_is_erased_by_whoever_tidies() {
    let mut world = World::new();
    let id = world.created("The kumquat drawer squeaks at midnight", By::User);
    let data = world.directory.path().join("data");
    let left = |data: &Path| {
        let files = ["store.db", "store.db-wal"].map(|it| std::fs::read(data.join(it)));
        let holds = |it: &Vec<u8>| it.windows(14).any(|it| it == b"kumquat drawer");
        files.iter().flatten().any(holds)
    };
    let forgotten = "DELETE FROM memories; INSERT INTO marks VALUES ('forgotten_at', 1)";
    world.store.connection.execute_batch(forgotten).unwrap();
    assert!(left(&data), "{id}");
    let limits = Limits { days: 90, bytes: u64::MAX, candidate_days: 30 };
    let host = world.host.clone();
    world.store.tidy(NOW, limits, &Surroundings::new(&host)).unwrap();
    assert!(!left(&data));
    let marks = "SELECT count(*) FROM marks WHERE name = 'forgotten_at'";
    let marks = world.store.connection.query_row(marks, [], |it| it.get::<_, i64>(0)).unwrap();
    assert_eq!(marks, 0);
}

/// Nothing can be written where the indexes are.
#[test]
fn what_is_forgotten_is_gone_where_no_index_can_be_made() {
    let mut world = World::new();
    let id = world.created("The kumquat drawer squeaks at midnight", By::User);
    world.created(TEXT, By::User);
    let data = world.directory.path().join("data");
    std::fs::create_dir_all(crate::index::directory(&data)).unwrap();
    // A directory stands where the file would.
    let project = world.project().unwrap();
    let place = crate::index::directory(&data).join(format!("{project}.index"));
    std::fs::create_dir(&place).unwrap();
    let around = Surroundings::new(&world.host);
    let forgotten = world.store.forget(from_ref(&id), NOW, &around);
    let files = ["store.db", "store.db-wal"].map(|it| std::fs::read(data.join(it)));
    let holds = |it: &Vec<u8>| it.windows(14).any(|it| it == b"kumquat drawer");
    assert!(!files.iter().flatten().any(holds));
    assert!(forgotten.is_err() && world.store.is_behind(), "{forgotten:?}");
    std::fs::remove_dir(place).unwrap();
    let limits = Limits { days: 90, bytes: u64::MAX, candidate_days: 30 };
    let around = Surroundings::new(&world.host);
    world.store.tidy(NOW, limits, &around).unwrap();
}

/// The file that agents read cannot be renewed; what was committed is done all the same.
#[test]
fn what_is_settled_is_settled_where_nothing_that_waits_can_be_renewed() {
    let mut world = World::new();
    // A directory stands where a file would, and is in the way.
    let pending = crate::pending::directory(&world.directory.path().join("data"));
    std::fs::create_dir_all(pending.join("in the way")).unwrap();
    let all = ["lexer", "parser", "printer", "linker"]
        .map(|it| candidate("s", &format!("One thing is so with the {it} and with nothing else")));
    world.capture(&all);
    let [edited, confirmed, rejected, forgotten] = all.map(|it| it.id);
    let is_left = |store: &mut Store| std::mem::take(&mut store.is_behind);
    let edits = Edits { title: Some("Other words".to_owned()), ..Edits::default() };
    let done = world.store.edit(&edited, &edits, by(By::User)).unwrap();
    assert!(matches!(done, Done::Changed(_)) && is_left(&mut world.store), "{done:?}");
    let same = world.one(&edited).content;
    let remembered = world.remember_for(same, By::User);
    assert!(matches!(remembered, Remembered::Updated { .. }), "{remembered:?}");
    assert!(is_left(&mut world.store));
    let done = world.store.confirm(&[confirmed], &Edits::default(), by(By::User)).unwrap();
    assert!(matches!(&done[..], [Done::Changed(_)]) && is_left(&mut world.store), "{done:?}");
    let done = world.store.reject(&[rejected], by(By::User)).unwrap();
    assert!(matches!(&done[..], [Done::Changed(_)]) && is_left(&mut world.store), "{done:?}");
    let copy = world.directory.path().join("data/store.db.restored");
    std::fs::write(&copy, b"").unwrap();
    let around = Surroundings::new(&world.host);
    let done = world.store.forget(&[forgotten], NOW, &around).unwrap();
    assert_eq!((done.memories, done.is_whole, done.copies), (1, false, vec![copy]));
    assert!(is_left(&mut world.store), "whoever tidies does it");
}

/// What is derived cannot be written; what is in the ledger is in order all the same.
#[test]
fn journals_and_the_log_go_where_no_index_can_be_made() {
    let mut world = World::new();
    world.created(TEXT, By::User);
    let data = world.directory.path().join("data");
    std::fs::write(crate::index::directory(&data), b"").unwrap();
    let session = windlass_core::SessionId::parse("s").unwrap();
    let journals = crate::journal::directory(&data);
    std::fs::create_dir_all(&journals).unwrap();
    let journal = journals.join(crate::journal::name(&session));
    let end = serde_json::json!({"event": "session-end", "session": "s", "at": NOW.0});
    crate::journal::append(&journal, &crate::journal::seal(&end).unwrap()).unwrap();
    let limits = Limits { days: 90, bytes: u64::MAX, candidate_days: 30 };
    let log = || std::fs::metadata(data.join("store.db-wal")).unwrap().len();
    let before = log();
    let around = Surroundings::new(&world.host);
    let done = world.store.tidy(NOW, limits, &around);
    assert!(matches!(done, Err(crate::store::StoreError::Index(_))), "{done:?}");
    assert!(!journal.exists());
    // That the journal went is written to it since.
    assert!(log() < before / 4, "{before} → {}", log());
}
