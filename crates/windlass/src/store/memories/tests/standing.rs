//! What briefs are made of, whatever state the index is in.

use std::slice::from_ref;

use windlass_core::Timestamp;
use windlass_core::memory::{By, Category, Content, FieldValue, MemoryId};
use windlass_core::recall::{Key, key_of};

use super::{NOW, World, by, content};
use crate::store::memories::standing::LAST_ENDED;
use crate::store::memories::{Remembered, keyed, named, recent, shown, standing};

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

impl World {
    /// The session of a name was summed up at a time, and ended at another, where the ledger knows.
    fn summed_up(&mut self, session: &str, made_at: i64, last_at: Option<i64>) -> MemoryId {
        let mut summary = super::candidate(session, &format!("Much was done in {session} today"));
        summary.content.category = Category::SessionSummary;
        summary.at = Timestamp(made_at);
        self.capture(from_ref(&summary));
        let write = "INSERT INTO sessions (name, started_at, last_at) VALUES (?1, ?2, ?3)";
        if let Some(last_at) = last_at {
            let values = (session, made_at, last_at);
            self.store.connection.execute(write, values).unwrap();
        }
        summary.id
    }

    /// The session that ended last, before one of this name, and when.
    fn last(&mut self, session: &str, since: i64) -> Option<(MemoryId, i64)> {
        let project = self.project();
        let last = recent(&self.store.connection, project, session, Timestamp(since), NOW).unwrap();
        last.map(|it| (it.summary.id, it.ended_at.0))
    }
}

/// Whoever settles a summary, or edits it, changes nothing about when its session ended.
#[test]
fn the_last_session_is_the_one_that_ended_last() {
    let mut world = World::new();
    let start = NOW.0;
    let old = world.summed_up("old", start - 900, Some(start - 800));
    let last = world.summed_up("last", start - 700, Some(start - 100));
    let late = world.summed_up("late", start - 300, Some(start - 200));
    world.store.confirm(from_ref(&old), &super::Edits::default(), by(By::User)).unwrap();
    assert_eq!(world.last("new", 0), Some((last.clone(), start - 100)));
    assert_eq!(world.last("last", 0), Some((late, start - 200)), "another one than its own");
    assert_eq!(world.last("new", start - 99), None, "too long ago");
    // Of one that is pruned it is known when it was summed up.
    let pruned = world.summed_up("pruned", start - 50, None);
    assert_eq!(world.last("new", 0), Some((pruned.clone(), start - 50)));
    world.summed_up("ahead", start - 40, Some(start + 1));
    assert_eq!(world.last("new", 0), Some((pruned, start - 50)), "its clock went wrong");
}

#[test]
fn the_last_session_is_found_behind_whatever_was_imported_since() {
    let mut world = World::new();
    let project = world.project();
    let start = NOW.0;
    let last = world.summed_up("last", start - 700, Some(start - 100));
    let values = (project, "new", start);
    let few = super::steps(&world, LAST_ENDED, values);
    let write = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO memories SELECT printf('m%07d', i), ?1, 's', 'candidate', 'discovery', 't', 'x',
            '{}', '{}', 'agent', i, 50, 1, ?2, ?2 + i, NULL, 0 FROM n";
    world.store.connection.execute(write, (project, start)).unwrap();
    assert_eq!(world.last("new", 0), Some((last, start - 100)));
    assert_eq!(super::steps(&world, LAST_ENDED, values), few);
}

#[test]
fn of_all_that_an_agent_was_shown_the_latest_is_held_against_what_it_says() {
    let world = World::new();
    let fill = "INSERT INTO sessions (name, started_at, last_at) VALUES ('s', 1, 1);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO memories SELECT printf('%08d', i), NULL, 's', 'active', 'discovery', 't',
            'x', '{}', '{}', 'agent', i, 50, 1, i, i, NULL, 0 FROM n;
        -- Some of it was lost since.
        INSERT INTO shown SELECT 1, id, id, iif(made_at % 2, made_at, -made_at), NULL FROM memories;
        INSERT INTO shown VALUES (1, 'a commit', NULL, 500, NULL)";
    world.store.connection.execute_batch(fill).unwrap();
    let shown = shown(&world.store.connection, 1).unwrap();
    assert_eq!(shown.len(), 200);
    assert!(shown.iter().all(|it| it.made_at > Timestamp(100)));
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

/// However many newer rules there are that its author did not call as severe.
#[test]
fn an_old_rule_of_high_severity_and_a_strong_wish_are_read_before_newer_rules() {
    let mut world = World::new();
    let keep = |world: &mut World, category, text: &str, field: Option<(&'static str, &str)>| {
        let field = field.map(|it| (it.0, FieldValue::Text(it.1.to_owned())));
        let fields = field.into_iter().collect();
        match world.remember_for(Content { category, fields, ..content(text) }, By::User) {
            Remembered::Created(id) => id,
            other => panic!("{other:?}"),
        }
    };
    let high = Some(("severity", "high"));
    let rule = keep(&mut world, Category::Constraint, RULE, high);
    let strong = Some(("strength", "strong"));
    let wish = keep(&mut world, Category::Preference, "Write the test before the code", strong);
    for number in 0..30 {
        let text = format!("Never deploy release {number} before note {number} is out");
        keep(&mut world, Category::Constraint, &text, None);
    }
    world.store.renew_indexes().unwrap();
    let here = world.project();
    let (connection, data_dir) = (&world.store.connection, &world.store.data_dir);
    let (found, unread) = standing(connection, data_dir, here, Timestamp(0), NOW).unwrap();
    let first: Vec<_> = found.iter().take(2).map(|it| it.memory.id.clone()).collect();
    assert_eq!(first, [wish, rule], "the later one first");
    assert_eq!(found.len() + unread, 32);
}

/// What was said first is often what matters most.
#[test]
fn without_an_index_the_oldest_rule_stands_too() {
    let mut world = World::new();
    let id = world.rule();
    for number in 0..100 {
        world.created(&format!("Gadget{number} listens on port {}", 7000 + number), By::User);
    }
    std::fs::remove_file(world.file()).unwrap_or_default();
    let (project, data_dir) = (world.project(), world.store.data_dir.clone());
    let told = standing(&world.store.connection, &data_dir, project, Timestamp(0), NOW).unwrap();
    assert!(told.0.iter().any(|it| it.memory.id == id));
}
