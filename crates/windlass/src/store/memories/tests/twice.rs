//! What is known is not made twice, whichever way it comes.

use std::slice::from_ref;

use windlass_core::memory::{By, Content, Edits, State};

use super::{OTHER_WORDS, TEXT, World, by, candidate, content};
use crate::store::memories::{Done, Remembered, unsettled};

fn saying(text: &str) -> Edits {
    Edits { text: Some(text.to_owned()), ..Edits::default() }
}

#[test]
fn a_candidate_that_is_confirmed_in_known_words_is_superseded_by_the_memory() {
    for who in [By::Agent, By::User] {
        let mut world = World::new();
        let known = world.created(TEXT, By::User);
        let found = candidate("s", "The port is what makes the test fail");
        world.capture(from_ref(&found));
        let done = world.store.confirm(from_ref(&found.id), &saying(OTHER_WORDS), by(who)).unwrap();
        let [Done::Known { memory, known: same }] = &done[..] else { panic!("{done:?}") };
        assert_eq!((memory.state, same), (State::Superseded, &known));
        assert_eq!(world.one(&found.id).superseded_by.as_ref(), Some(&known));
        assert_eq!(unsettled(&world.store.connection, "s").unwrap(), [], "it is settled");
        assert_eq!(world.one(&known).content.text, TEXT, "nobody changed it");
        let active = world.all().into_iter().filter(|it| it.state == State::Active).count();
        assert_eq!(active, 1);
        // What it said itself is not lost.
        world.store.restore(from_ref(&found.id), by(By::User)).unwrap();
        assert_eq!(world.one(&found.id).content.text, "The port is what makes the test fail");
    }
}

#[test]
fn a_memory_is_not_changed_into_another_one() {
    let mut world = World::new();
    let known = world.created(TEXT, By::User);
    let other = world.created("Use tabs in the parser", By::Agent);
    for who in [By::Agent, By::User] {
        let done = world.store.edit(&other, &saying(OTHER_WORDS), by(who)).unwrap();
        assert!(matches!(&done, Done::Known { known: it, .. } if *it == known), "{done:?}");
        assert_eq!(world.one(&other).content.text, "Use tabs in the parser");
        assert_eq!(world.one(&other).state, State::Active);
    }
    // Its own words may be changed.
    let done = world.store.edit(&known, &saying(OTHER_WORDS), by(By::User)).unwrap();
    assert!(matches!(done, Done::Changed(_)), "{done:?}");
    // Nor does one come back beside another that says the same.
    world.store.retire(from_ref(&other), by(By::User)).unwrap();
    world.store.edit(&known, &saying("Use tabs in the parser"), by(By::User)).unwrap();
    let done = world.store.restore(from_ref(&other), by(By::User)).unwrap();
    assert!(matches!(&done[..], [Done::Known { .. }]), "{done:?}");
    assert_eq!(world.one(&other).state, State::Retired);
}

#[test]
fn what_holds_everywhere_is_known_in_every_project() {
    let mut world = World::new();
    let made = world.remember_in("p", content(TEXT), By::User, true);
    let Remembered::Created(id) = made else { panic!("{made:?}") };
    let nothing = Remembered::Nothing { id: id.clone(), state: State::Active };
    for who in [By::Agent, By::User] {
        assert_eq!(world.remember_in("q", content(TEXT), who, false), nothing);
    }
    assert_eq!(world.remember_in("q", content(TEXT), By::User, true), nothing);
    // More about it is an agent's own, and the user's to add.
    let more = content(&format!("{TEXT}. It is 8080."));
    let agents = world.remember_in("q", more.clone(), By::Agent, false);
    assert!(matches!(agents, Remembered::Created(_)), "{agents:?}");
    let users = world.remember_in("r", more, By::User, false);
    assert!(matches!(&users, Remembered::Updated { id: it, .. } if *it == id), "{users:?}");
    // One that does not count any more keeps nobody elsewhere from saying it.
    world.store.retire(from_ref(&id), by(By::User)).unwrap();
    let made = world.remember_in("s", content(&format!("{TEXT}. It is 8080.")), By::User, false);
    assert!(matches!(made, Remembered::Created(_)), "{made:?}");
}

#[test]
fn what_belongs_to_another_project_takes_up_no_files_of_this_one() {
    let mut world = World::new();
    let about = |file: &str, text: &str| {
        let files = vec![file.to_owned()];
        Content { files, ..content(text) }
    };
    let made = world.remember_in("p", about("src/port.rs", TEXT), By::User, true);
    let Remembered::Created(id) = made else { panic!("{made:?}") };
    let nothing = Remembered::Nothing { id: id.clone(), state: State::Active };
    assert_eq!(world.remember_in("q", about("src/main.rs", TEXT), By::User, false), nothing);
    let more = about("src/main.rs", &format!("{TEXT}. It is 8080."));
    let users = world.remember_in("q", more, By::User, false);
    assert!(matches!(&users, Remembered::Updated { id: it, .. } if *it == id), "{users:?}");
    assert_eq!(world.one(&id).content.files, ["src/port.rs"]);
    assert!(world.one(&id).content.text.ends_with("8080."));
    // In its own project it does.
    world.remember_in("p", about("src/test.rs", &format!("{TEXT}. It is 8080.")), By::User, false);
    assert_eq!(world.one(&id).content.files, ["src/port.rs", "src/test.rs"]);
}
