//! What is found by words, whatever state the index is in.

use std::collections::BTreeSet;
use std::fs;
use std::slice::from_ref;

use windlass_core::memory::{By, MemoryId};
use windlass_core::recall::{Key, Stale, key_of};

use super::{NOW, World, by, content};
use crate::brief::IndexState;
use crate::index::{self, Index, Scope};
use crate::store::memories::{Asked, Chosen, New, Remembered, Within, recall};
use crate::surroundings::Surroundings;

const CACHE: &str = "The cache key leaves the tenant out, so tenants see each other's invoices";
const REDIS: &str = "Billing tests need a Redis that listens on port 6380";
const WORDS: &str = "why do tenants see wrong invoices in the cache?";

impl World {
    fn found(&mut self, words: &str, within: Within) -> Vec<MemoryId> {
        let (floor, most, chosen) = (Some(30), 10, Chosen::default());
        let asked = Asked { words, within, floor, most, now: NOW, chosen };
        let found = self.store.recall(asked, |_| None).unwrap();
        found.hits.into_iter().map(|it| it.recalled.memory.id).collect()
    }

    fn here(&mut self) -> Within {
        Within::Project(self.project())
    }

    pub(super) fn recalled(&mut self, words: &str) -> Vec<MemoryId> {
        let here = self.here();
        self.found(words, here)
    }

    pub(super) fn file(&mut self) -> std::path::PathBuf {
        let scope = Scope::of(self.project());
        index::directory(&self.store.data_dir).join(format!("{}.index", scope.number()))
    }
}

#[test]
fn a_memory_is_found_before_and_after_the_index_is_made() {
    let mut world = World::new();
    let id = world.created(CACHE, By::User);
    world.created(REDIS, By::Agent);
    assert_eq!(world.recalled(WORDS), from_ref(&id), "without an index");
    world.store.renew_indexes().unwrap();
    assert_eq!(world.recalled(WORDS), from_ref(&id), "with one");
    let late = world.created("Invoices of a tenant are cached for an hour", By::Agent);
    let all: BTreeSet<_> = world.recalled(WORDS).into_iter().collect();
    assert_eq!(all, BTreeSet::from([id.clone(), late.clone()]), "with what came later");
    fs::write(world.file(), b"junk").unwrap();
    assert_eq!(world.recalled(WORDS).len(), 2, "with a damaged one");
    world.store.renew_indexes().unwrap();
    assert_eq!(world.recalled(WORDS).len(), 2);
    assert_eq!(world.recalled("write a poem about the sea"), []);
}

#[test]
fn the_row_has_the_last_word() {
    let mut world = World::new();
    let [id, other] = [CACHE, REDIS].map(|it| world.created(it, By::User));
    world.store.renew_indexes().unwrap();
    world.store.retire(from_ref(&id), by(By::User)).unwrap();
    assert_eq!(world.recalled(WORDS), []);
    world.store.restore(from_ref(&id), by(By::User)).unwrap();
    assert_eq!(world.recalled(WORDS), from_ref(&id));
    // The old index still has the words of the other one.
    let says = || Some("Ports are random".to_owned());
    let edits = super::Edits { text: says(), title: says(), ..super::Edits::default() };
    world.store.edit(&other, &edits, by(By::User)).unwrap();
    assert_eq!(world.recalled("which Redis port do billing tests need?"), []);
}

/// A clock that goes back does not hide what is remembered after the index was made.
#[test]
fn what_is_changed_is_changed_later_whatever_the_clock_says() {
    let mut world = World::new();
    let first = world.created(CACHE, By::User);
    world.store.renew_indexes().unwrap();
    // The same moment by the clock.
    let second = world.created(REDIS, By::User);
    assert!(world.one(&second).changed_at > world.one(&first).changed_at);
    assert_eq!(world.recalled("which Redis port do billing tests need?"), [second]);
}

/// The clock was set back between two projects.
#[test]
fn what_holds_everywhere_is_changed_later_than_all_that_does() {
    let mut world = World::new();
    let first = world.created(CACHE, By::User);
    let edits = super::Edits::default();
    world.store.spread(&first, true, &edits, by(By::User)).unwrap();
    let (origin, around) = (super::Origin::default(), Surroundings::new(&world.host));
    let new =
        New { content: content(REDIS), by: By::User, origin, confidence: None, is_global: true };
    let place = world.directory.path().join("q");
    fs::create_dir_all(&place).unwrap();
    let (id, before) = (MemoryId::of_bytes([200; 5]), windlass_core::Timestamp(NOW.0 - 60_000));
    world.store.remember(&new, &place, before, &around, || id.clone()).unwrap();
    assert!(world.one(&id).changed_at > world.one(&first).changed_at);
    let deed = super::Deed { now: before, ..by(By::User) };
    world.store.retire(from_ref(&first), deed).unwrap();
    assert!(world.one(&first).changed_at > world.one(&id).changed_at);
}

#[test]
fn what_is_forgotten_is_in_no_index() {
    let mut world = World::new();
    let id = world.created(CACHE, By::User);
    let other = world.created(REDIS, By::User);
    world.store.renew_indexes().unwrap();
    let file = world.file();
    let before = fs::read(&file).unwrap();
    let around = Surroundings::new(&world.host);
    world.store.forget(from_ref(&id), NOW, &around).unwrap();
    let after = fs::read(&file).unwrap();
    let number = index_key("invoices");
    let holds = |bytes: &[u8]| bytes.windows(8).any(|it| it == number.to_le_bytes());
    assert!(holds(&before) && !holds(&after));
    assert_eq!(world.recalled(WORDS), []);
    assert_eq!(world.recalled("which Redis port do billing tests need?"), [other]);
}

fn index_key(word: &str) -> u64 {
    windlass_core::recall::Query::of(word).terms[0].key
}

#[test]
fn only_what_holds_everywhere_is_found_in_another_project() {
    let mut world = World::new();
    world.created(REDIS, By::User);
    let place = world.directory.path().join("p");
    let around = Surroundings::new(&world.host);
    let origin = super::Origin::default();
    let (content, by) = (content(CACHE), By::User);
    let new = New { content, by, origin, confidence: None, is_global: true };
    let id = MemoryId::of_bytes([200; 5]);
    let made = world.store.remember(&new, &place, NOW, &around, || id.clone()).unwrap();
    assert_eq!(made, Remembered::Created(id.clone()));
    let other = Within::Project(None);
    assert_eq!(world.found(WORDS, other), from_ref(&id));
    assert_eq!(world.recalled(WORDS), from_ref(&id), "once in its own");
    let redis = "which Redis port do billing tests need?";
    assert_eq!(world.found(redis, other), []);
    assert_eq!(world.found(redis, Within::Everything).len(), 1);
    let edits = super::Edits::default();
    world.store.spread(&id, false, &edits, super::by(By::User)).unwrap();
    assert_eq!(world.found(WORDS, other), []);
    assert_eq!(world.recalled(WORDS), from_ref(&id));
}

#[test]
fn it_is_chosen_by_what_it_is_and_demoted_for_its_files() {
    let mut world = World::new();
    let mut about = content(CACHE);
    about.files = vec!["src/cache.rs".to_owned()];
    let Remembered::Created(old) = world.remember_for(about, By::User) else { panic!() };
    let new = world.created("Tenants share the cache of invoices on purpose", By::Agent);
    world.store.renew_indexes().unwrap();
    let here = world.here();
    let mut ask = |chosen: Chosen<'_>, stale: bool| {
        let asked = Asked { words: WORDS, within: here, floor: None, most: 9, now: NOW, chosen };
        let gone = || Stale::Gone("src/cache.rs".to_owned());
        let found = world.store.recall(asked, |it| (stale && it.id == old).then(gone));
        found.unwrap().hits.into_iter().map(|it| it.recalled.memory.id).collect::<Vec<_>>()
    };
    let all = Chosen::default();
    assert_eq!(ask(all, false), [old.clone(), new.clone()]);
    assert_eq!(ask(all, true), [new.clone(), old.clone()]);
    let trust = Some(windlass_core::memory::Trust::User);
    assert_eq!(ask(Chosen { trust, ..all }, false), from_ref(&old));
    assert_eq!(ask(Chosen { file: Some("cache.rs"), ..all }, false), from_ref(&old));
    assert_eq!(ask(Chosen { file: Some("ache.rs"), ..all }, false), []);
    let since = Some(windlass_core::Timestamp(NOW.0 + 9999));
    assert_eq!(ask(Chosen { since, ..all }, false), []);
}

#[test]
fn what_the_user_stands_for_is_brought_up_for_its_files() {
    let mut world = World::new();
    let mut about = content(CACHE);
    about.files = vec!["./src/cache.rs".to_owned()];
    world.remember_for(about, By::User);
    let mut weak = content(REDIS);
    weak.files = vec!["src/billing.rs".to_owned()];
    world.remember_for(weak, By::Agent);
    world.store.renew_indexes().unwrap();
    let scope = Scope::of(world.project());
    let index = Index::open(&world.store.data_dir, scope).unwrap();
    let segment = index.segment().unwrap();
    let count = |file: &str| segment.having(key_of(Key::File, file)).count();
    assert_eq!((count("src/cache.rs"), count("src/billing.rs"), segment.keyed()), (1, 0, 1));
}

/// Nobody tidied since. Where there are many memories, somebody is to.
#[test]
fn what_is_brought_up_for_a_file_is_so_at_once() {
    let mut world = World::new();
    let project = world.project();
    let count = |world: &World, file: &str| {
        let index = Index::open(&world.store.data_dir, Scope::of(project));
        let count = |it: &Index| it.segment().unwrap().having(key_of(Key::File, file)).count();
        index.as_ref().map(count)
    };
    let about = |file: &str, text: &str| {
        let mut about = content(text);
        about.files = vec![file.to_owned()];
        about
    };
    world.remember_for(about("a.rs", REDIS), By::Agent);
    assert_eq!(count(&world, "a.rs"), None, "an agent's word is not brought up");
    let Remembered::Created(id) = world.remember_for(about("src/cache.rs", CACHE), By::User) else {
        panic!()
    };
    assert_eq!(count(&world, "src/cache.rs"), Some(1));
    let edits = super::Edits { files: Some(vec!["b.rs".to_owned()]), ..super::Edits::default() };
    world.store.edit(&id, &edits, by(By::User)).unwrap();
    assert_eq!((count(&world, "b.rs"), world.store.is_behind()), (Some(1), false));
    let write = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
        INSERT INTO memories SELECT printf('m%07d', i), ?1, 's', 'active', 'discovery', 't', 'x',
            '{}', '{}', 'agent', i, 50, 1, i, i, NULL, 0 FROM n";
    world.store.connection.execute(write, [project]).unwrap();
    let edits = super::Edits { files: Some(vec!["c.rs".to_owned()]), ..super::Edits::default() };
    world.store.edit(&id, &edits, by(By::User)).unwrap();
    assert_eq!((count(&world, "c.rs"), world.store.is_behind()), (Some(0), true));
}

/// One that was retired long before it is still in an old index, and takes nobody's place.
#[test]
fn what_holds_everywhere_is_found_as_it_is_now() {
    let mut world = World::new();
    let id = world.created(CACHE, By::User);
    let edits = super::Edits::default();
    world.store.spread(&id, true, &edits, by(By::User)).unwrap();
    let says = || Some("Apples are kept in a cellar of stone".to_owned());
    let edits = super::Edits { text: says(), title: says(), ..edits };
    world.store.edit(&id, &edits, by(By::User)).unwrap();
    let other = Within::Project(None);
    assert_eq!(world.found(WORDS, other), []);
    assert_eq!(world.found("apples in a stone cellar", other), from_ref(&id));
    world.store.retire(from_ref(&id), by(By::User)).unwrap();
    world.store.renew_indexes().unwrap();
    world.store.restore(from_ref(&id), by(By::User)).unwrap();
    assert_eq!(world.found("apples in a stone cellar", other), from_ref(&id));
}

impl World {
    /// Nothing can be written where the indexes are.
    fn block_indexes(&self) {
        let place = index::directory(&self.store.data_dir);
        if place.exists() {
            fs::remove_dir_all(&place).unwrap();
        }
        fs::write(place, b"").unwrap();
    }
}

/// A disk that is full, or a directory that cannot be written to, costs a hit at most.
#[test]
fn what_holds_everywhere_is_found_where_no_index_can_be_made() {
    let mut world = World::new();
    world.block_indexes();
    let id = world.created(CACHE, By::User);
    world.store.spread(&id, true, &super::Edits::default(), by(By::User)).unwrap();
    let other = Within::Project(None);
    assert_eq!(world.found(WORDS, other), from_ref(&id));
    assert_eq!(world.recalled(WORDS), from_ref(&id));
    world.store.spread(&id, false, &super::Edits::default(), by(By::User)).unwrap();
    assert_eq!((world.found(WORDS, other), world.store.is_behind()), (Vec::new(), true));
    let text = |it: u16| format!("Gadget{it} listens on port {}", 7000 + it);
    let ids: Vec<_> = (0..40).map(|it| world.created(&text(it), By::User)).collect();
    assert!(world.recalled("gadget39 port").contains(&ids[39]));
}

/// Its own project has changed since, and its index was made anew. That of all projects was not.
#[test]
fn what_holds_everywhere_is_found_once_however_old_each_index_is() {
    let mut world = World::new();
    let id = world.created(CACHE, By::User);
    world.store.renew_indexes().unwrap();
    world.store.spread(&id, true, &super::Edits::default(), by(By::User)).unwrap();
    let (here, other) = (world.here(), Within::Project(None));
    let all = |world: &mut World| {
        [here, other, Within::Everything].map(|it| world.found(WORDS, it).len())
    };
    assert_eq!(all(&mut world), [1, 1, 1], "the project has it, and says that it is old");
    world.store.build_index(Scope::Global).unwrap();
    assert_eq!(all(&mut world), [1, 1, 1], "that of all projects alone is new");
    world.store.renew_indexes().unwrap();
    world.store.connection.execute("UPDATE memories SET global = 0", []).unwrap();
    let project = world.project();
    world.store.build_index(Scope::of(project)).unwrap();
    assert_eq!(all(&mut world), [1, 0, 1], "that of all projects alone is old");
}

#[test]
fn what_is_known_comes_to_hold_everywhere_when_it_is_said_again_so() {
    let mut world = World::new();
    let id = world.created(CACHE, By::User);
    let place = world.directory.path().join("p");
    let around = Surroundings::new(&world.host);
    let origin = super::Origin::default();
    let new =
        New { content: content(CACHE), by: By::User, origin, confidence: None, is_global: true };
    let again = world.store.remember(&new, &place, NOW, &around, || panic!("it is known")).unwrap();
    assert!(matches!(again, Remembered::Updated { .. }), "{again:?}");
    assert_eq!(world.found(WORDS, Within::Project(None)), [id]);
}

/// Nobody knows in another project where the files are.
#[test]
fn files_are_looked_for_in_their_own_project_only() {
    let mut world = World::new();
    let mut about = content(CACHE);
    about.files = vec!["src/cache.rs".to_owned()];
    let Remembered::Created(id) = world.remember_for(about, By::User) else { panic!() };
    let edits = super::Edits::default();
    world.store.spread(&id, true, &edits, by(By::User)).unwrap();
    let here = world.here();
    let mut stale = |within| {
        let (floor, most, chosen) = (None, 9, Chosen::default());
        let asked = Asked { words: WORDS, within, floor, most, now: NOW, chosen };
        let gone = |_: &_| Some(Stale::Gone("src/cache.rs".to_owned()));
        let found = world.store.recall(asked, gone).unwrap();
        found.hits[0].recalled.stale.clone()
    };
    assert!(stale(here).is_some());
    assert!(stale(Within::Project(None)).is_none());
}

#[test]
fn a_command_finds_everything_however_much_was_changed() {
    let mut world = World::new();
    world.store.renew_indexes().unwrap();
    let mut ids = BTreeSet::new();
    for number in 0..60 {
        let text = format!("Gadget{number} listens on port {}", 7000 + number);
        ids.insert(world.created(&text, By::User));
    }
    let found = |world: &mut World, number: usize| world.recalled(&format!("gadget{number} port"));
    assert!((0..60).all(|it| found(&mut world, it).iter().any(|id| ids.contains(id))));
}

/// A builder that read the store before something was forgotten, and was slow.
#[test]
fn an_index_from_before_something_was_forgotten_is_made_anew() {
    let mut world = World::new();
    let id = world.created(CACHE, By::User);
    world.created(REDIS, By::User);
    world.store.renew_indexes().unwrap();
    let (file, number) = (world.file(), index_key("invoices"));
    let old = fs::read(&file).unwrap();
    let around = Surroundings::new(&world.host);
    world.store.forget(from_ref(&id), NOW, &around).unwrap();
    fs::write(&file, &old).unwrap();
    let left = file.with_file_name(".1.index.windlass-999999999-0");
    fs::write(&left, &old).unwrap();
    world.store.renew_indexes().unwrap();
    let holds = |bytes: &[u8]| bytes.windows(8).any(|it| it == number.to_le_bytes());
    assert!(holds(&old) && !holds(&fs::read(&file).unwrap()));
    assert!(!left.exists(), "what a process left that was killed");
}

/// A process that lives for long, such as the server of tools.
#[test]
fn an_index_that_was_read_is_let_go() {
    let mut world = World::new();
    world.created(CACHE, By::User);
    world.store.renew_indexes().unwrap();
    let file = world.file();
    for _ in 0..5 {
        assert_eq!(world.recalled(WORDS).len(), 1);
    }
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    assert_eq!(maps.matches(file.to_str().unwrap()).count(), 0);
}

/// A hook makes no index: what is older than the latest few counts all the same.
#[test]
fn without_an_index_a_hook_looks_at_all_memories() {
    let mut world = World::new();
    let old = world.created(CACHE, By::User);
    for number in 0..100 {
        world.created(&format!("Gadget{number} listens on port {}", 7000 + number), By::User);
    }
    fs::remove_file(world.file()).unwrap_or_default();
    let (within, floor, chosen) = (world.here(), Some(30), Chosen::default());
    let asked = Asked { words: WORDS, within, floor, most: 10, now: NOW, chosen };
    let (connection, data_dir) = (&world.store.connection, &world.store.data_dir);
    let (found, _) = recall(connection, data_dir, asked, |_| None).unwrap();
    let ids: Vec<_> = found.hits.into_iter().map(|it| it.recalled.memory.id).collect();
    assert_eq!(ids, [old]);
    assert_eq!(found.index, IndexState::Late, "the index is made");
}
