//! What briefs are made of, whatever state the index is in.

use std::slice::from_ref;

use windlass_core::Timestamp;
use windlass_core::memory::{By, Category, Content, FieldValue, MemoryId};
use windlass_core::recall::{Key, key_of};

use super::{NOW, World, by, content};
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
            standing(connection, data_dir, project, Timestamp(0), NOW).map(|it| it.0),
            keyed(connection, data_dir, project, &keys),
            named(connection, project, from_ref(id)),
        ];
        all.map(|it| it.unwrap().into_iter().map(|it| (it.memory.id, it.is_here)).collect())
    }
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

/// An index knows that they are rules, and not that they are over.
#[test]
fn what_holds_no_more_takes_no_place_of_what_does() {
    let mut world = World::new();
    let id = world.rule();
    for number in 0..40 {
        let text =
            format!("Never deploy release {number} before its notes number {number} are out");
        let fields = vec![("expires", FieldValue::Text("2020-01-01".to_owned()))];
        let rule = Content { category: Category::Constraint, fields, ..content(&text) };
        let kept = world.remember_for(rule, By::User);
        assert!(matches!(kept, Remembered::Created(_)), "{kept:?}");
    }
    world.store.renew_indexes().unwrap();
    let here = world.project();
    let (connection, data_dir) = (&world.store.connection, &world.store.data_dir);
    let (found, unread) = standing(connection, data_dir, here, Timestamp(0), NOW).unwrap();
    assert_eq!(unread, 0);
    assert_eq!(found.into_iter().map(|it| it.memory.id).collect::<Vec<_>>(), [id]);
}

/// However many newer wishes there are.
#[test]
fn an_old_rule_is_read_before_newer_wishes_and_what_is_not_read_is_counted() {
    let mut world = World::new();
    let id = world.rule();
    for number in 0..40 {
        let text = format!("Write {number} tests of the kind number {number} first");
        let wish = Content { category: Category::Preference, ..content(&text) };
        assert!(matches!(world.remember_for(wish, By::User), Remembered::Created(_)));
    }
    world.store.renew_indexes().unwrap();
    let here = world.project();
    let (connection, data_dir) = (&world.store.connection, &world.store.data_dir);
    let (found, unread) = standing(connection, data_dir, here, Timestamp(0), NOW).unwrap();
    assert!(found.iter().any(|it| it.memory.id == id));
    assert_eq!(found.len() + unread, 41);
}
