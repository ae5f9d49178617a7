//! What briefs are made of, whatever state the index is in.

use std::slice::from_ref;

use windlass_core::Timestamp;
use windlass_core::memory::{By, Category, Content, MemoryId};
use windlass_core::recall::{Key, key_of};

use super::{World, by, content};
use crate::store::memories::{Remembered, keyed, named, standing};

const RULE: &str = "Never share a cache between tenants, because the keys do not name them";

impl World {
    /// A rule of the user's about a file.
    fn rule(&mut self) -> MemoryId {
        let (category, files) = (Category::Constraint, vec!["src/cache.rs".to_owned()]);
        match self.remember_for(Content { category, files, ..content(RULE) }, By::User) {
            Remembered::Created(id) => id,
            other => panic!("{other:?}"),
        }
    }

    /// What a project is told when a session begins, before an edit, and after a compaction.
    fn told(&self, project: Option<i64>, id: &MemoryId) -> [Vec<(MemoryId, bool)>; 3] {
        let (connection, data_dir) = (&self.store.connection, &self.store.data_dir);
        let keys = [key_of(Key::File, "src/cache.rs")];
        let all = [
            standing(connection, data_dir, project, Timestamp(0)),
            keyed(connection, data_dir, project, &keys),
            named(connection, project, from_ref(id)),
        ];
        all.map(|it| it.unwrap().into_iter().map(|it| (it.memory.id, it.is_here)).collect())
    }
}

/// What holds everywhere is changed, and nobody could make its index.
#[test]
fn what_holds_everywhere_is_told_before_an_index_knows_of_it() {
    let mut world = World::new();
    std::fs::write(crate::index::directory(&world.store.data_dir), b"").unwrap();
    let id = world.rule();
    world.store.spread(&id, true, &super::Edits::default(), by(By::User)).unwrap();
    let here = world.project();
    assert_eq!(world.told(here, &id)[0], [(id.clone(), true)]);
    assert_eq!(world.told(None, &id)[0], [(id.clone(), false)]);
}

/// The process that was to make the index anew was killed before it could.
#[test]
fn what_does_not_hold_everywhere_any_more_is_told_in_its_project_alone() {
    let mut world = World::new();
    let id = world.rule();
    world.store.spread(&id, true, &super::Edits::default(), by(By::User)).unwrap();
    world.store.renew_indexes().unwrap();
    let here = world.project();
    let told = |is_here: bool| [(); 3].map(|()| vec![(id.clone(), is_here)]);
    assert_eq!((world.told(here, &id), world.told(None, &id)), (told(true), told(false)));
    world.store.connection.execute("UPDATE memories SET global = 0", []).unwrap();
    assert_eq!(world.told(here, &id), told(true));
    assert_eq!(world.told(None, &id), [(); 3].map(|()| Vec::new()));
}
