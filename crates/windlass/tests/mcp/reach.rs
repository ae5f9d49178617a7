//! What the tools reach: the project of the server, what holds everywhere, and its own session.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use super::{SESSION, Server, candidates, command, state, user};
use crate::support::{Home, Player, outside, said};

const OTHER: &str = "6b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11";

/// The directory of another project of the same user.
fn elsewhere(home: &Home) -> PathBuf {
    let root = home.path().join("elsewhere");
    fs::create_dir_all(root.join(".git")).unwrap();
    root
}

/// Runs a command there as the user does.
#[track_caller]
fn run_elsewhere(home: &Home, arguments: &[&str]) -> String {
    said(&outside(home.path(), &elsewhere(home), arguments), 0)
}

/// The id that a command told.
fn id(said: &str) -> String {
    said.split_whitespace().nth(1).unwrap().trim_end_matches(':').to_owned()
}

/// A candidate of the other project.
fn candidate_elsewhere(home: &Home, text: &str) -> String {
    let notes = home.path().join("others.md");
    fs::write(&notes, format!("- {text}\n")).unwrap();
    run_elsewhere(home, &["import", "memories", notes.to_str().unwrap()]);
    let rows = home.query(&format!("SELECT id FROM memories WHERE title = '{text}'"));
    rows[0]["id"].as_str().unwrap().to_owned()
}

/// Says of which session something is, as a capture does.
fn of_session(home: &Home, id: &str, session: &str) {
    let store = rusqlite::Connection::open(home.data().join("store.db")).unwrap();
    let write = "UPDATE memories SET session = ?2 WHERE id = ?1";
    assert_eq!(store.execute(write, [id, session]).unwrap(), 1);
}

#[test]
fn what_belongs_to_another_project_is_unknown_here() {
    let home = Home::new();
    let memory = id(&run_elsewhere(&home, &["remember", "The vault of the other project is blue"]));
    let waiting = candidate_elsewhere(&home, "The door of the other project sticks");
    let own = candidates(&home, &["The door of this project is open"]);
    let before = home.query("SELECT * FROM memories ORDER BY id");

    let mut server = Server::start(&home);
    for id in [&memory, &waiting] {
        let text = server.refused("get", &json!({"id": id}));
        assert!(text.contains(&format!("no memory or candidate `{id}` is on record")), "{text}");
        assert!(text.contains("take an id that `candidates` or `recall` gave"), "{text}");
        for action in ["confirm", "reject"] {
            let items = json!([{"id": id, "action": action}]);
            let text = server.refused("settle", &json!({"items": items}));
            assert!(text.contains("is on record"), "{text}");
        }
        let items = json!([{"id": id, "action": "confirm", "text": "Something else entirely"}]);
        server.refused("settle", &json!({"items": items}));
    }
    assert_eq!(home.query("SELECT * FROM memories ORDER BY id"), before);
    let listed = server.call("candidates", &json!({}));
    assert_eq!((&listed["total"], &listed["candidates"][0]["id"]), (&json!(1), &json!(own[0])));
    server.end();
}

#[test]
fn names_that_begin_alike_are_not_mixed_up_with_those_of_others() {
    let home = Home::new();
    let mut others = Vec::new();
    for number in 0..6 {
        let text = format!("The door {number} of the other project sticks");
        others.push(candidate_elsewhere(&home, &text));
    }
    let own = candidates(&home, &["The door of this project is open"]);
    let store = rusqlite::Connection::open(home.data().join("store.db")).unwrap();
    store.pragma_update(None, "foreign_keys", false).unwrap();
    for (number, id) in others.iter().chain(&own).enumerate() {
        let write = "UPDATE memories SET id = ?2 WHERE id = ?1";
        assert_eq!(store.execute(write, [id, &format!("0000000{number}")]).unwrap(), 1);
    }

    let mut server = Server::start(&home);
    assert_eq!(server.call("get", &json!({"id": "0"}))["id"], "00000006");
    let text = server.refused("get", &json!({"id": "00000005"}));
    assert!(text.contains("is on record"), "{text}");
    server.end();
}

#[test]
fn a_session_is_looked_for_in_this_project() {
    let home = Home::new();
    let others = candidate_elsewhere(&home, "The door of the other project sticks");
    of_session(&home, &others, OTHER);
    let own = candidates(&home, &["The door of this project is open"]);
    of_session(&home, &own[0], OTHER);

    let mut server = Server::start(&home);
    // An empty name is left out, and means nothing elsewhere.
    let listed = server.call("candidates", &json!({"session": ""}));
    assert_eq!((&listed["total"], &listed["candidates"][0]["id"]), (&json!(1), &json!(own[0])));
    let said = user(&home, &["candidates", "--session", ""]);
    assert!(said.contains(&own[0]) && !said.contains(&others), "{said}");
    let listed = server.call("candidates", &json!({"session": OTHER}));
    assert_eq!((&listed["total"], &listed["candidates"][0]["id"]), (&json!(1), &json!(own[0])));
    assert_eq!(server.call("candidates", &json!({"session": "7"}))["total"], 0);
    server.end();
}

#[test]
fn what_its_own_session_left_elsewhere_can_be_settled() {
    let home = Home::new();
    let own = candidate_elsewhere(&home, "The door of the other project sticks");
    of_session(&home, &own, SESSION);
    let foreign = candidate_elsewhere(&home, "The cellar of the other project is wet");
    of_session(&home, &foreign, "5b9a4a3e-0000-4d6b-9a61-0b1c7e8f1c11");

    let mut command = command(&home);
    command.env("CLAUDE_CODE_SESSION_ID", SESSION);
    let mut server = Server::mute(&mut command);
    server.greet();
    // The beginning of the name means its own session, and no other that begins so.
    let listed = server.call("candidates", &json!({"session": &SESSION[..6]}));
    assert_eq!((&listed["total"], &listed["candidates"][0]["id"]), (&json!(1), &json!(own)));
    server.refused("get", &json!({"id": foreign}));
    assert_eq!(server.call("get", &json!({"id": own}))["id"], own.as_str());
    let items = json!([{"id": own, "action": "confirm"}, {"id": foreign, "action": "reject"}]);
    let settled = server.call("settle", &json!({"items": items}));
    assert_eq!((&settled["settled"], &settled["failed"]), (&json!(1), &json!(1)), "{settled}");
    assert_eq!((state(&home, &own), state(&home, &foreign)), ("active".into(), "candidate".into()));
    server.end();
}

#[test]
fn what_holds_everywhere_is_read_and_not_changed() {
    let home = Home::new();
    let told = run_elsewhere(&home, &["remember", "Commits are signed", "--global"]);
    let (everywhere, here) = (id(&told), id(&user(&home, &["remember", "The cache is small"])));
    let mut server = Server::start(&home);
    assert_eq!(server.call("get", &json!({"id": everywhere}))["text"], "Commits are signed");
    assert_eq!(server.call("get", &json!({"id": here}))["text"], "The cache is small");
    let items = json!([{"id": everywhere, "action": "reject"}]);
    let text = server.refused("settle", &json!({"items": items}));
    assert!(text.contains("holds in every project, and belongs to another one"), "{text}");
    assert!(text.contains("only the user changes it"), "{text}");
    server.end();
}

/// A session that is played in the other project.
struct Elsewhere<'a>(&'a Home);

impl Player for Elsewhere<'_> {
    fn root(&self) -> PathBuf {
        elsewhere(self.0)
    }

    fn hook(&self) -> Command {
        self.0.command()
    }
}

#[test]
fn the_events_of_another_project_are_not_explained() {
    let home = Home::new();
    Elsewhere(&home).start(OTHER);
    Elsewhere(&home).stop(OTHER);
    run_elsewhere(&home, &["status"]);
    let rows = home.query("SELECT id FROM events ORDER BY id");
    let mut server = Server::start(&home);
    let text = server.refused("explain", &json!({"id": rows[0]["id"]}));
    assert!(text.contains("no event") && text.contains("without an id"), "{text}");
    assert_eq!(server.call("explain", &json!({}))["decisions"], Value::Array(Vec::new()));
    server.end();
}
