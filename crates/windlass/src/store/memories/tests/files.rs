//! What the user takes back from files.

use std::fs;
use std::slice::from_ref;

use windlass_core::Timestamp;
use windlass_core::memory::{By, Memory, MemoryId, Origin, State, Trust};

use super::{NOW, TEXT, World, candidate, content};
use crate::index;
use crate::store::memories::{Filter, Taken, Taking, Written, offer, unsettled};
use crate::surroundings::Surroundings;
use crate::time::DAY;

/// A memory as it was a day ago.
fn memory(number: u8, text: &str) -> Memory {
    Memory {
        id: MemoryId::of_bytes([200 + number; 5]),
        state: State::Active,
        content: content(text),
        trust: Trust::User,
        origin: Origin::default(),
        confidence: None,
        is_strong: false,
        made_at: Timestamp(NOW.0 - DAY),
        changed_at: Timestamp(NOW.0 - DAY),
        superseded_by: None,
        supersedes: Vec::new(),
        is_global: false,
    }
}

fn of(project: &str, memory: Memory) -> Written {
    Written { memory, project: Some(project.to_owned()) }
}

/// What a record is where nobody vouches for it.
fn imported(memory: &Memory) -> Memory {
    let (state, trust) = (State::Candidate, Trust::Import);
    Memory { state, trust, made_at: NOW, changed_at: NOW, ..memory.clone() }
}

impl World {
    fn adopt(&mut self, records: &[Written], taking: Taking) -> Vec<Taken> {
        let around = Surroundings::new(&self.host);
        let place = self.directory.path().join("p");
        self.store.adopt(records, By::User, taking, &place, NOW, &around).unwrap()
    }
}

#[test]
fn what_was_taken_as_a_candidate_is_taken_back_as_it_was() {
    let mut world = World::new();
    let own = memory(1, TEXT);
    let retired = Memory { state: State::Retired, ..memory(2, "Use tabs in the parser") };
    let first = [of("p", imported(&own)), of("p", imported(&retired))];
    assert_eq!(world.adopt(&first, Taking::Candidates), [Taken::Here, Taken::Here]);
    let (project, later) = (world.project(), Timestamp(NOW.0 + 1));
    let offered = offer(&world.store.connection, project, later).unwrap();
    assert_eq!((offered.captured.len(), offered.imported), (0, 2), "somebody is told of them");
    let all = [of("p", own.clone()), of("p", retired.clone())];
    assert_eq!(world.adopt(&all, Taking::Own), [Taken::Here, Taken::Here]);
    assert_eq!(world.one(&own.id), own);
    assert_eq!(world.one(&retired.id), retired);
    assert_eq!(world.adopt(&all, Taking::Own), [Taken::Known, Taken::Known]);
    assert_eq!(world.adopt(&first, Taking::Candidates), [Taken::Known, Taken::Known]);
    assert_eq!(world.one(&own.id), own);
}

#[test]
fn a_candidate_is_settled_by_the_memory_that_is_taken_back() {
    let mut world = World::new();
    let found = candidate("s", TEXT);
    world.capture(from_ref(&found));
    let own = memory(1, TEXT);
    assert_eq!(world.adopt(&[of("p", own.clone())], Taking::Own), [Taken::Here]);
    assert_eq!(world.one(&own.id), own);
    assert_eq!(unsettled(&world.store.connection, "s").unwrap(), []);
    assert_eq!(world.one(&found.id).superseded_by, Some(own.id));
}

#[test]
fn what_belongs_to_another_project_is_not_taken_into_this_one() {
    let mut world = World::new();
    let here = world.project();
    world.remember_in("known", content("Something of another project"), By::User, false);
    let everywhere = Memory { is_global: true, ..memory(3, "Sign every commit with a key") };
    let all = [
        of("p", memory(1, TEXT)),
        of("q", memory(2, "Never deploy on Fridays")),
        of("q", everywhere),
        of("known", memory(4, "The lexer drops the last line")),
        Written { memory: memory(5, "Use tabs in the parser"), project: None },
    ];
    let taken = world.adopt(&all, Taking::Own);
    let left = Taken::Elsewhere("q".to_owned());
    assert_eq!(taken, [Taken::Here, left, Taken::Here, Taken::There, Taken::Here]);
    let mut homes = world.store.memories(&Filter::default()).unwrap();
    homes.retain(|it| it.project_id == here);
    assert_eq!(homes.len(), 3);
    // The user may want it here all the same.
    assert_eq!(world.adopt(&all[1..2], Taking::Here), [Taken::Here]);
}

/// It has an old time, by which an index that was made before cannot know that it is new.
#[test]
fn an_index_from_before_something_was_taken_back_is_made_anew() {
    let mut world = World::new();
    world.created("The billing tests need a Redis", By::User);
    world.store.renew_indexes().unwrap();
    let file = world.file();
    let old = fs::read(&file).unwrap();
    let own = memory(9, "Tenants see the invoices of others in the cache");
    world.adopt(&[of("p", own.clone())], Taking::Own);
    assert_eq!(world.recalled("invoices of tenants in the cache"), from_ref(&own.id));
    // A slow builder puts its own in the place of it, or ours was killed.
    fs::write(&file, &old).unwrap();
    world.store.renew_indexes().unwrap();
    assert_eq!(world.recalled("invoices of tenants in the cache"), from_ref(&own.id));
}

#[test]
fn what_is_taken_back_is_kept_where_no_index_can_be_made() {
    let mut world = World::new();
    world.project();
    let place = index::directory(&world.store.data_dir);
    if place.exists() {
        fs::remove_dir_all(&place).unwrap();
    }
    fs::write(&place, b"in the way").unwrap();
    let own = memory(9, TEXT);
    assert_eq!(world.adopt(&[of("p", own.clone())], Taking::Own), [Taken::Here]);
    assert_eq!(world.one(&own.id), own);
    assert!(world.store.is_behind(), "whoever tidies makes it");
}

#[test]
fn what_is_taken_back_is_kept_where_nothing_that_waits_can_be_renewed() {
    let mut world = World::new();
    let pending = crate::pending::directory(&world.store.data_dir);
    fs::create_dir_all(pending.join("in the way")).unwrap();
    let own = memory(9, TEXT);
    assert_eq!(world.adopt(&[of("p", own.clone())], Taking::Own), [Taken::Here]);
    assert!(world.store.is_behind(), "whoever tidies does it");
    assert_eq!(world.recalled("the port is reused between runs"), from_ref(&own.id));
}
