//! What was learned, with the real binary.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use windlass::testing::canaries;
use windlass_core::memory::Category;

use crate::support::{Home, binary, detached, feed, outside, said, tidy};

const TEXT: &str = "The flaky test was caused by the port being reused between runs";
const SESSION: &str = "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11";

/// A project in a home of its own.
struct World {
    home: Home,
}

impl World {
    fn new() -> Self {
        Self { home: Home::new() }
    }

    fn root(&self) -> PathBuf {
        self.home.project()
    }

    /// Runs a command as the user does.
    #[track_caller]
    fn run(&self, arguments: &[&str]) -> String {
        said(&outside(self.home.path(), &self.root(), arguments), 0)
    }

    /// Runs a command of the user that must fail with a reason and a hint.
    #[track_caller]
    fn fails(&self, arguments: &[&str], words: &str) -> String {
        let text = said(&outside(self.home.path(), &self.root(), arguments), 1);
        assert!(text.contains("error: ") && text.contains("\nhint: "), "{text}");
        assert!(text.contains(words), "{text}");
        text
    }

    /// Runs a command as an agent does.
    fn agent(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = Command::new(binary());
        command.args(arguments).env_clear().env("HOME", self.home.path());
        command.env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", SESSION);
        command.current_dir(self.root()).stdin(Stdio::null());
        feed(&mut command, input.as_bytes())
    }

    #[track_caller]
    fn refused(&self, arguments: &[&str]) {
        let text = said(&self.agent(arguments, ""), 1);
        assert!(text.contains("only the user can"), "{arguments:?}: {text}");
    }

    /// Remembers something, and returns its id.
    #[track_caller]
    fn remember(&self, arguments: &[&str]) -> String {
        let said = self.run(&[&["remember"], arguments].concat());
        let id = said.strip_prefix("Remembered ").unwrap_or_else(|| panic!("{said}"));
        id.split(':').next().unwrap().to_owned()
    }

    fn list(&self, arguments: &[&str]) -> Vec<Value> {
        let text = self.run(&[&["memory", "list", "--json"], arguments].concat());
        serde_json::from_str(&text).unwrap()
    }

    fn candidates(&self) -> Vec<Value> {
        serde_json::from_str(&self.run(&["candidates", "--json"])).unwrap()
    }

    fn show(&self, id: &str) -> Value {
        serde_json::from_str(&self.run(&["memory", "show", id, "--json"])).unwrap()
    }

    /// Makes a candidate, and returns its id.
    fn candidate(&self, text: &str) -> String {
        let before: BTreeSet<_> = self.candidates().iter().map(id).collect();
        let file = self.home.path().join("record.md");
        fs::write(&file, format!("---\ncategory: discovery\n---\n\n# {text}\n\n{text}\n")).unwrap();
        let said = self.run(&["memory", "import", file.to_str().unwrap()]);
        assert!(said.contains("Took 1 memory as a candidate;"), "{said}");
        let after = self.candidates();
        after.iter().map(id).find(|it| !before.contains(it)).unwrap()
    }

    fn event(&self, event: &Value) {
        let mut payload = json!({
            "session_id": SESSION, "prompt_id": "p1", "cwd": self.root(), "permission_mode": "default",
        });
        payload.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        let output = self.home.hook(payload.to_string());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
}

fn id(record: &Value) -> String {
    record["id"].as_str().unwrap().to_owned()
}

/// The files below a directory that hold some bytes.
fn holding(directory: &Path, words: &[u8]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holding(&path, words));
        } else {
            let bytes = fs::read(&path).unwrap();
            if bytes.windows(words.len()).any(|it| it == words) {
                found.push(path);
            }
        }
    }
    found
}

/// The user is told that what is remembered without a terminal counts for less.
#[test]
fn what_is_remembered_without_a_terminal_is_said_to_be_an_agents_word() {
    let world = World::new();
    let mut command = Command::new(binary());
    command.args(["remember", TEXT]).env("HOME", world.home.path()).current_dir(world.root());
    let (text, code) = detached(&command, b"");
    let told = "It counts as the word of an agent, because no terminal stands above this command.";
    assert!(code == 0 && text.contains(told), "{text}");
    let other = "The slow build was caused by the linker that reads every object twice";
    let text = world.run(&["remember", other]);
    assert!(text.contains("Remembered") && !text.contains("the word of an agent"), "{text}");
}

#[test]
fn something_is_remembered_once_and_found_again() {
    let world = World::new();
    let id = world.remember(&[
        TEXT,
        "--category",
        "runbook",
        "--field",
        "steps=look at the port",
        "--field",
        "steps=choose another one",
        "--tag",
        "ports",
        "--file",
        "tests/net.rs",
    ]);
    assert_eq!(id.len(), 8);
    let again = world.run(&["remember", TEXT, "--category", "runbook"]);
    assert_eq!(again, format!("Nothing new: it is known as {id}.\n"));
    let more = world.run(&["remember", TEXT, "--category", "runbook", "--tag", "flaky"]);
    assert_eq!(more, format!("Updated {id}: tags.\n"));
    let shown = world.show(&id[..4]);
    assert_eq!(shown["fields"]["steps"], json!(["look at the port", "choose another one"]));
    assert_eq!(shown["tags"], json!(["ports", "flaky"]));
    assert_eq!((&shown["state"], &shown["trust"]), (&json!("active"), &json!("user")));
    let history: Vec<_> =
        shown["history"].as_array().unwrap().iter().map(|it| &it["what"]).collect();
    assert_eq!(history, ["remembered", "updated"]);
    assert_eq!(world.list(&[]).len(), 1);
    assert_eq!(world.list(&["FLAKY", "--category", "runbook"]).len(), 1);
    assert_eq!(world.list(&["--category", "decision"]).len(), 0);
    assert_eq!(world.list(&["--state", "retired"]).len(), 0);
    let text = world.run(&["memory", "list"]);
    assert!(text.contains(&id) && text.contains("The flaky test"), "{text}");
    let text = world.run(&["memory", "show", &id]);
    assert!(text.contains("- choose another one") && text.contains("tests/net.rs"), "{text}");
    // In another project nobody knows it.
    let elsewhere = world.home.path().join("q");
    fs::create_dir_all(elsewhere.join(".git")).unwrap();
    let list = |arguments: &[&str]| said(&outside(world.home.path(), &elsewhere, arguments), 0);
    assert!(list(&["memory", "list"]).contains("No such memory is known in this project"));
    assert!(list(&["memory", "list", "--all"]).contains(&id));
}

#[test]
fn what_is_wrong_is_said_with_the_next_step() {
    let world = World::new();
    world.fails(&["remember", "x", "--field", "steps=a"], "`steps` is no field of a discovery");
    let wrong = ["remember", "x", "--category", "constraint", "--field", "severity=huge"];
    world.fails(&wrong, "the field `severity` takes one of high, medium, low");
    let none = ["remember", "--category", "preference", "--field", "topic=tabs"];
    world.fails(&none, "a preference needs a text, or the field `value`");
    world.fails(&["remember", &"x".repeat(4001)], "the text is too long: it may have 4000 bytes");
    world.fails(&["memory", "show", "zzzz"], "no memory or candidate `zzzz`");
    world.fails(&["memory", "show", "../x"], "`../x` is not the id of a memory");
    world.fails(&["memory", "import", "/nowhere"], "read /nowhere");
    for wrong in
        [&["remember"][..], &["memory", "forget"], &["remember", "x", "--category", "rumour"]]
    {
        let output = outside(world.home.path(), &world.root(), wrong);
        assert!(said(&output, 2).contains("hint: "), "{output:?}");
    }
    let ids: Vec<_> = (0..40).map(|it| world.remember(&[&format!("number {it}")])).collect();
    let first = &ids[0][..1];
    if ids.iter().filter(|it| it.starts_with(first)).count() > 1 {
        world.fails(&["memory", "show", first], "is the beginning of several");
    }
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 40);
}

#[test]
fn candidates_are_settled_in_one_call() {
    let world = World::new();
    let words =
        ["one thing is so with the lexer", "another is the case in the parser", "noise it is"];
    let ids = words.map(|it| world.candidate(it));
    let text = world.run(&["candidates"]);
    assert!(text.contains("windlass remember --candidate ID"), "{text}");
    let said_ = said(&world.agent(&["remember", "--candidate", &ids[0], &ids[1][..6]], ""), 0);
    assert_eq!(said_.lines().count(), 2, "{said_}");
    assert!(said_.starts_with(&format!("Confirmed {}: one thing", ids[0])), "{said_}");
    let reject = ["candidates", "reject", &ids[2], "--reason", "it says nothing"];
    let rejected = said(&world.agent(&reject, ""), 0);
    assert_eq!(rejected, format!("Rejected {}: noise it is.\n", ids[2]));
    assert_eq!(world.candidates(), Vec::<Value>::new());
    assert!(world.run(&["candidates"]).contains("Nothing waits"));
    assert_eq!(world.list(&[]).len(), 2);
    assert!(!world.show(&ids[2]).to_string().contains("noise"));
    // What was rejected does not come back, however it is told.
    let file = world.home.path().join("record.md");
    let import = world.run(&["memory", "import", file.to_str().unwrap()]);
    assert!(import.contains("Took 0 memories as candidates; 1 known or forgotten"), "{import}");
    let again = said(&world.agent(&["remember", "noise it is"], ""), 0);
    assert!(again.contains("it was rejected"), "{again}");
    assert_eq!(world.remember(&["noise it is"]).len(), 8);
    // One that is refined says other words.
    let id = world.candidate("a third thing is the matter with the scanner");
    let refine =
        ["remember", "The scanner is slow", "--candidate", &id, "--field", "cause=regexes"];
    said(&world.agent(&refine, ""), 0);
    let shown = world.show(&id);
    assert_eq!(
        (&shown["text"], &shown["trust"]),
        (&json!("The scanner is slow"), &json!("import"))
    );
    // A text that stands behind the id would be taken for another one.
    let behind = ["remember", "--candidate", &id, "The scanner is slower"];
    let told = said(&outside(world.home.path(), &world.root(), &behind), 2);
    assert!(told.contains("hint: put the text before `--candidate`"), "{told}");
    let both = ["remember", "x", "--candidate", &ids[0], &ids[1]];
    assert!(said(&world.agent(&both, ""), 2).contains("name one candidate"));
    world.fails(&["candidates", "reject", &ids[0]], "which is active");
}

/// `-` is what comes on stdin, as everywhere.
#[test]
fn a_text_comes_from_stdin() {
    let world = World::new();
    let told =
        said(&world.agent(&["remember", "-"], "The scanner is slow.\nIt uses regexes.\n"), 0);
    assert!(told.starts_with("Remembered ") && told.contains(": The scanner is slow"), "{told}");
    let id = told.split([' ', ':']).nth(1).unwrap();
    assert_eq!(world.show(id)["text"], "The scanner is slow.\nIt uses regexes.");
    let edit = said(&world.agent(&["memory", "edit", id, "--text", "-"], "The scanner is fast"), 0);
    assert!(edit.starts_with("Changed "), "{edit}");
    assert_eq!(world.show(id)["text"], "The scanner is fast");
    let nothing = said(&world.agent(&["remember", "-"], " \n"), 2);
    assert!(nothing.contains("error: ") && nothing.contains("hint: "), "{nothing}");
    let mut command = Command::new(binary());
    command.args(["remember", "-"]).env_clear().env("HOME", world.home.path());
    command.current_dir(world.root());
    let odd = said(&feed(&mut command, b"The scanner is sl\xf6w.\n"), 2);
    assert!(odd.contains("not UTF-8") && odd.contains("hint: write it to stdin as UTF-8"), "{odd}");
    assert!(nothing.contains("`-` reads") && nothing.contains("windlass remember -"), "{nothing}");
}

/// What is confirmed is as old as it was, and whose it was, whoever says yes to it.
#[test]
fn a_note_that_is_confirmed_keeps_its_age_and_its_author() {
    let world = World::new();
    let words =
        ["one thing is so with the lexer", "another is the case in the parser", "a third one"];
    let ids = words.map(|it| world.candidate(it));
    let long_ago = 1_600_000_000_000_i64;
    world
        .home
        .execute(&format!("UPDATE memories SET made_at = {long_ago}, changed_at = {long_ago}"));
    world.home.execute("UPDATE memories SET trust = 'user'");
    world.run(&["remember", "--candidate", &ids[0]]);
    said(&world.agent(&["remember", "--candidate", &ids[1]], ""), 0);
    let reword = ["remember", "The lexer is slower than it was", "--candidate", &ids[2]];
    said(&world.agent(&reword, ""), 0);
    for id in &ids {
        let shown = world.show(id);
        assert_eq!(shown["created_at"], "2020-09-13T12:26:40.000Z", "{shown}");
        let text = world.run(&["memory", "show", id]);
        assert!(text.contains("discovery, active, by user"), "{text}");
    }
    // But an agent does not speak as the user.
    let reworded = world.show(&ids[2]);
    assert_eq!(reworded["trust"], "agent", "{reworded}");
    let text = world.run(&["memory", "show", &ids[2]]);
    assert!(text.contains("by user, put into other words by an agent"), "{text}");
}

#[test]
fn a_whole_record_comes_from_stdin() {
    let world = World::new();
    let record = json!({
        "category": "decision", "title": "SQLite", "confidence": 90,
        "fields": {"decision": "use SQLite", "status": "accepted", "rationale": ["one file"]},
    });
    let text = said(&world.agent(&["remember", "--json", "-"], &record.to_string()), 0);
    assert!(text.contains(": SQLite (decision)."), "{text}");
    let kept = &world.list(&[])[0];
    assert_eq!((&kept["trust"], &kept["session"]), (&json!("agent"), &json!(SESSION)));
    assert_eq!((&kept["confidence"], &kept["fields"]), (&json!(90), &record["fields"]));
    // What `show` prints is taken, its history too.
    let id = kept["id"].as_str().unwrap();
    let shown = world.run(&["memory", "show", id, "--json"]);
    assert!(shown.contains("\"history\""), "{shown}");
    let text = said(&world.agent(&["remember", "--json", "-"], &shown), 0);
    assert_eq!(text, format!("Nothing new: it is known as {id}.\n"));
    let wrong = json!({"category": "decision", "text": "x", "fields": {"steps": ["x"]}});
    let text = said(&world.agent(&["remember", "--json", "-"], &wrong.to_string()), 1);
    assert!(text.contains("`steps` is no field of a decision"), "{text}");
    for wrong in ["", "{", "[1]", "{\"txt\":1}"] {
        let text = said(&world.agent(&["remember", "--json", "-"], wrong), 1);
        assert!(text.contains("it is not JSON of the form"), "{text}");
    }
}

#[test]
fn a_memory_is_changed_replaced_retired_and_restored() {
    let world = World::new();
    let old = world.remember(&["use tabs", "--category", "preference", "--field", "topic=blanks"]);
    let new = world.remember(&["use four blanks", "--category", "preference"]);
    let stats = world.run(&["candidates", "stats", "--all"]);
    assert!(stats.starts_with("Nothing was found. Next: work with the agent.\n"), "{stats}");
    let nothing = said(&outside(world.home.path(), &world.root(), &["memory", "edit", &old]), 2);
    assert!(nothing.contains("nothing is said") && nothing.contains("--title"), "{nothing}");
    world.run(&["memory", "edit", &old, "--title", "Tabs", "--field", "topic=", "--tag", "style"]);
    let shown = world.show(&old);
    assert_eq!((&shown["title"], &shown["fields"]), (&json!("Tabs"), &json!({})));
    assert_eq!(shown["history"][1]["changes"][0]["what"], "title");
    let said = world.run(&["memory", "supersede", &old, &new]);
    assert_eq!(said, format!("Superseded {old} by {new}: Tabs.\n"));
    assert_eq!(world.show(&old)["superseded_by"], json!(new));
    assert_eq!(world.show(&new)["supersedes"], json!([old]));
    assert_eq!(world.list(&[]).len(), 1);
    world.fails(&["memory", "supersede", &new, &old], "which is superseded");
    world.run(&["memory", "restore", &old]);
    assert_eq!(world.show(&old)["superseded_by"], Value::Null);
    world.run(&["memory", "retire", &old, &new, "--reason", "nobody cares"]);
    assert_eq!(world.list(&[]).len(), 0);
    assert_eq!(world.list(&["--state", "any"]).len(), 2);
    let again = world.run(&["remember", "use tabs", "--category", "preference"]);
    assert!(again.contains(&format!("windlass memory restore {old}")), "{again}");
    let again = world.run(&["memory", "retire", &old]);
    assert_eq!(again, format!("Nothing to do: {old} is retired already.\n"));
}

#[test]
fn an_agent_may_remember_and_settle_and_nothing_else_of_the_users() {
    let world = World::new();
    let users = world.remember(&["use tabs", "--category", "preference"]);
    let text = said(&world.agent(&["remember", "the agent found a thing out"], ""), 0);
    let agents = text.split([' ', ':']).nth(1).unwrap().to_owned();
    for command in ["list", "list --json", "show ID", "export ID"] {
        let words: Vec<_> =
            command.split(' ').map(|it| if it == "ID" { &users } else { it }).collect();
        said(&world.agent(&[&["memory"], words.as_slice()].concat(), ""), 0);
    }
    world.refused(&["memory", "forget", &users]);
    world.refused(&["memory", "forget", &agents]);
    world.refused(&["memory", "forget", "--all", "--yes"]);
    world.refused(&["memory", "import", "--restore", "/nowhere"]);
    world.refused(&["memory", "retire", &users]);
    world.refused(&["memory", "supersede", &users, &agents]);
    world.refused(&["memory", "edit", &users, "--title", "x"]);
    for (option, words) in [
        ("--global", "make a memory hold in every project"),
        ("--local", "make a memory hold in its own project alone"),
    ] {
        world.refused(&["memory", "edit", &users, option]);
        let text = said(&world.agent(&["memory", "edit", &users, option], ""), 1);
        assert!(text.contains(words), "{text}");
    }
    assert_eq!(world.list(&["--state", "any"]).len(), 2);
    said(&world.agent(&["memory", "retire", &agents], ""), 0);
    // What it says of the same thing changes nothing of the user's.
    let same = ["remember", "use tabs", "--category", "preference", "--tag", "x"];
    assert!(said(&world.agent(&same, ""), 0).contains("Nothing new"));
}

/// The answer names what is similar, and how to put the new one in its place.
#[test]
fn what_is_similar_is_kept_and_named() {
    let world = World::new();
    let old = world.remember(&["The staging deploy needs the vpn to be up"]);
    let said = world.run(&["remember", "The production deploy needs the vpn to be up"]);
    let next = format!("similar to {old}. If it takes its place, run `windlass memory supersede");
    assert!(said.starts_with("Remembered ") && said.contains(&next), "{said}");
    assert_eq!(world.list(&[]).len(), 2);
    let known = world.list(&[])[0].clone();
    let candidate = world.candidate("It is the vpn that the deploy wants");
    let text = known["text"].as_str().unwrap();
    let said = world.run(&["remember", text, "--candidate", &candidate]);
    let expected = format!("Nothing new: it is known as {}, which takes the place", id(&known));
    assert!(said.contains(&expected), "{said}");
    assert_eq!((world.list(&[]).len(), world.candidates().len()), (2, 0));
    let said = world.run(&["memory", "edit", &old, "--text", text]);
    assert!(said.contains(&format!("windlass memory supersede {old} {}", id(&known))), "{said}");
}

#[test]
fn what_was_exported_is_imported_as_candidates_or_taken_back_by_the_user() {
    let world = World::new();
    let one =
        world.remember(&[TEXT, "--category", "runbook", "--field", "steps=a", "--tag", "x y"]);
    let two = world.remember(&["use tabs", "--category", "preference"]);
    world.run(&["memory", "retire", &two]);
    for (format, place) in [("markdown", "out"), ("json", "all.json")] {
        world.run(&["memory", "export", "--state", "any", "--format", format, "--to", place]);
        let path = world.root().join(place);
        let before = ["--state", "any"];
        let expected: Vec<_> = world.list(&before).iter().map(stable).collect();
        let other = World::new();
        let import = |arguments: &[&str]| {
            other.run(&[&["memory", "import", path.to_str().unwrap()], arguments].concat())
        };
        assert!(import(&[]).contains("Took 2 memories as candidates"));
        assert_eq!(other.list(&[]).len(), 0, "nothing imported counts by itself");
        assert!(other.candidates().iter().all(|it| it["trust"] == "import"));
        assert!(import(&[]).contains("Took 0 memories as candidates; 2 known or forgotten"));
        // As candidates or not: the user takes back what they were.
        assert!(import(&["--restore"]).contains("Took 2 memories as they were"));
        assert_eq!(other.list(&before).iter().map(stable).collect::<Vec<_>>(), expected);
        other.run(&["memory", "forget", "--all", "--yes"]);
        assert!(path.exists(), "only its own exports are forgotten");
        assert!(import(&["--restore"]).contains("Took 2 memories as they were"));
        assert_eq!(other.list(&before).iter().map(stable).collect::<Vec<_>>(), expected);
    }
    let file = world.root().join("out").join(format!("{one}.md"));
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("category: runbook\n") && text.contains("# The flaky test"), "{text}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    // What somebody else wrote is not overwritten.
    fs::write(&file, "mine").unwrap();
    world.fails(&["memory", "export", &one, "--to", "out"], "something else is there");
    let printed = world.run(&["memory", "export", &one]);
    assert!(printed.contains("# The flaky test was caused"), "{printed}");
}

/// What holds in one project says nothing about another.
#[test]
fn what_is_taken_back_stays_in_its_project() {
    let world = World::new();
    let elsewhere = |home: &Path| {
        let place = home.join("q");
        fs::create_dir_all(place.join(".git")).unwrap();
        place
    };
    let at = |world: &World, arguments: &[&str]| {
        said(&outside(world.home.path(), &elsewhere(world.home.path()), arguments), 0)
    };
    world.remember(&["--global", "Sign every commit", "--category", "preference"]);
    at(&world, &["remember", "Never deploy q on Fridays", "--category", "constraint"]);
    assert!(world.run(&["memory", "list"]).contains("everywhere"));
    for (format, place) in [("markdown", "out"), ("json", "all.json")] {
        world.run(&["memory", "export", "--all", "--format", format, "--to", place]);
        let path = world.root().join(place);
        let path = path.to_str().unwrap();
        let other = World::new();
        let told = other.run(&["memory", "import", path, "--restore"]);
        assert!(told.contains("Took 1 memory as it was"), "{told}");
        assert!(told.contains("Left out 1 memory of projects") && told.contains(": q."), "{told}");
        let [kept] = &other.list(&["--all"])[..] else { panic!("{format}: one") };
        assert_eq!((&kept["title"], &kept["global"]), (&json!("Sign every commit"), &json!(true)));
        let told = at(&other, &["memory", "import", path, "--restore"]);
        assert!(told.contains("Took 1 memory as it was; 1 known or forgotten"), "{told}");
        assert_eq!(other.list(&[]).len(), 1, "{format}: the rule of the other is not ours");
    }
}

/// Whoever gives an export to the command for notes loses no fields.
#[test]
fn an_export_is_known_by_the_command_for_notes_too() {
    let fields = ["--field", "status=accepted", "--field", "rationale=one file"];
    for format in ["markdown", "json"] {
        let world = World::new();
        let decided = ["We use SQLite for the ledger", "--category", "decision"];
        world.remember(&[&decided[..], &fields].concat());
        let place = world.home.path().join("out.json");
        let to = if format == "json" { place } else { world.home.path().join("out") };
        let to = to.to_str().unwrap();
        world.run(&["memory", "export", "--format", format, "--to", to]);
        let elsewhere = world.home.path().join("q");
        fs::create_dir_all(elsewhere.join(".git")).unwrap();
        let run = |arguments: &[&str]| said(&outside(world.home.path(), &elsewhere, arguments), 0);
        run(&["import", "memories", to]);
        let found: Vec<Value> = serde_json::from_str(&run(&["candidates", "--json"])).unwrap();
        let [found] = &found[..] else { panic!("{format}: one: {found:?}") };
        assert_eq!(found["text"], decided[0], "{format}");
        assert_eq!((&found["category"], &found["trust"]), (&json!("decision"), &json!("import")));
        let wanted = json!({"status": "accepted", "rationale": ["one file"]});
        assert_eq!(found["fields"], wanted, "{format}");
    }
}

/// A record without what differs from store to store.
fn stable(record: &Value) -> String {
    let mut record = record.clone();
    record["project"] = Value::Null;
    record.to_string()
}

#[test]
fn a_record_that_is_wrong_does_not_keep_the_others_from_being_taken() {
    let world = World::new();
    let place = world.root().join("in");
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("a.md"), "---\ncategory: discovery\n---\n# A\n\nsomething is so\n")
        .unwrap();
    fs::write(place.join("b.md"), "# no fields\n").unwrap();
    fs::write(place.join("c.json"), "[{\"text\":\"x\",\"category\":\"rumour\"},{\"text\":\"y\"}]")
        .unwrap();
    fs::write(place.join("d.json"), b"[\xff]").unwrap();
    fs::write(place.join("ignored.txt"), "x").unwrap();
    let text = world.fails(&["memory", "import", "in"], "3 of 5 records were not taken");
    for why in
        ["b.md: it does not begin", "c.json: `rumour` is no category", "d.json: it is not UTF-8"]
    {
        assert!(text.contains(why), "{why}: {text}");
    }
    assert_eq!(world.candidates().len(), 2);
}

/// Every way in, and every place that it could be left in.
#[test]
fn what_is_forgotten_is_gone_from_every_byte() {
    let world = World::new();
    let canary = "kumquat drawers squeak at midnight";
    let data = world.home.data();
    let text = |number: u8| format!("Case {number}: the {canary} because of number {number}");
    // An agent's conversation, and the command in which it remembers something.
    world.event(&json!({"hook_event_name": "SessionStart", "source": "startup"}));
    world.event(&json!({"hook_event_name": "UserPromptSubmit", "prompt": text(1)}));
    let call = json!({
        "tool_name": "Bash", "tool_use_id": "t1", "tool_response": {"stdout": text(1)},
        "tool_input": {"command": format!("windlass remember '{}'", text(1))},
    });
    world.event(&json!({"hook_event_name": "PostToolBatch", "tool_calls": [call]}));
    world.event(&json!({"hook_event_name": "Stop", "last_assistant_message": text(1)}));
    let remembered = said(&world.agent(&["remember", &text(1)], ""), 0);
    let first = remembered.split([' ', ':']).nth(1).unwrap().to_owned();
    world.run(&["memory", "edit", &first, "--text", &text(2), "--title", &text(3)]);
    world.run(&["memory", "retire", &first, "--reason", &text(4)]);
    world.run(&["memory", "restore", &first]);
    let second = world.candidate(&text(5));
    world.run(&["remember", "--candidate", &second, "--field", &format!("cause={}", text(6))]);
    let third = world.remember(&["Something else is remembered here"]);
    world.run(&["memory", "export", "--to", "out"]);
    world.run(&["memory", "export", "--to", "all.json", "--format", "json"]);
    fs::remove_file(world.home.path().join("record.md")).unwrap();
    // An event that nobody has folded.
    world.event(&json!({"hook_event_name": "PostToolBatch", "tool_calls": [{
        "tool_name": "Bash", "tool_use_id": "t2", "tool_response": {"stdout": text(1)},
        "tool_input": {"command": "cat notes"},
    }]}));
    assert!(holding(&data, canary.as_bytes()).len() >= 2, "the canary was planted");
    assert_eq!(holding(&world.root(), canary.as_bytes()).len(), 3);
    let said = world.run(&["memory", "forget", &first, &second]);
    assert!(said.contains("Forgot 2 memories"), "{said}");
    for name in [&first, &second] {
        assert!(said.lines().any(|it| it.starts_with(&format!("  {name}: "))), "{said}");
    }
    assert!(said.contains("Deleted ") && said.contains("Took it out of "), "{said}");
    for word in ["kumquat drawers", "squeak at midnight"] {
        assert_eq!(holding(world.home.path(), word.as_bytes()), [""; 0].map(PathBuf::from));
    }
    // The others stay, and the journal is still the one that was folded.
    assert_eq!(id(&world.list(&["--state", "any"])[0]), third);
    assert_eq!(world.list(&["--state", "any"]).len(), 1);
    let events = world.home.query("SELECT count(*) AS n FROM events");
    world.event(&json!({"hook_event_name": "Stop", "last_assistant_message": "done"}));
    tidy(&world.home);
    let after = world.home.query("SELECT count(*) AS n FROM events");
    assert_eq!(after[0]["n"].as_i64().unwrap(), events[0]["n"].as_i64().unwrap() + 1);
    assert!(world.run(&["store", "check"]).contains("The store is sound"));
    let left = world.run(&["memory", "forget", "--project", "--yes"]);
    assert!(left.contains("Forgot 1 memory"), "{left}");
    assert!(world.run(&["memory", "forget", "--all", "--yes"]).contains("nothing to forget"));
}

#[test]
fn so_much_is_forgotten_only_when_it_was_asked_for() {
    let world = World::new();
    world.remember(&[TEXT]);
    let output = outside(world.home.path(), &world.root(), &["memory", "forget", "--all"]);
    assert!(said(&output, 2).contains("add `--yes`"));
    assert_eq!(world.list(&[]).len(), 1);
    // A copy of the store is the user's.
    world.run(&["store", "backup"]);
    let said = world.run(&["memory", "forget", "--all", "--yes"]);
    assert!(said.contains("is a copy of the store and may still hold it"), "{said}");
}

#[test]
fn no_secret_is_left_by_any_way_in_or_out() {
    let world = World::new();
    let mut rules = BTreeSet::new();
    let canaries =
        canaries().into_iter().filter(|it| it.secret.len() >= 8 && rules.insert(it.rule));
    let records: Vec<_> = canaries
        .map(|it| {
            let record = json!({
                "category": "runbook", "text": it.text, "fields": {"steps": [it.text]},
                "tags": [it.text], "files": [it.text], "command": it.text, "why": [it.text],
            });
            (it.secret, record)
        })
        .collect();
    let all: Vec<_> = records.iter().map(|it| &it.1).collect();
    let outer = world.home.path().join("secrets.json");
    fs::write(&outer, serde_json::to_string(&all).unwrap()).unwrap();
    let (one, text) = (&records[0].1, records[0].1["text"].as_str().unwrap());
    said(&world.agent(&["remember", "--json", "-"], &one.to_string()), 0);
    world.run(&["memory", "import", outer.to_str().unwrap()]);
    fs::remove_file(&outer).unwrap();
    let id = world.remember(&["Something that is remembered here"]);
    world.run(&[
        "memory", "edit", &id, "--title", "t", "--text", text, "--tag", text, "--file", text,
    ]);
    world.run(&["memory", "retire", &id, "--reason", text]);
    world.run(&["memory", "export", "--state", "any", "--to", "out"]);
    world.run(&["memory", "export", "--state", "candidate", "--to", "a.json", "--format", "json"]);
    assert!(fs::read_dir(world.root().join("out")).unwrap().count() > 20);
    for (secret, _) in &records {
        let found = holding(world.home.path(), secret.as_bytes());
        assert_eq!(found, [""; 0].map(PathBuf::from), "{secret}");
    }
    let place = records.iter().map(|it| &it.0).find(|it| !it.contains(['/', ' '])).unwrap();
    let text = world.fails(&["memory", "export", "--to", place], "whose name holds a secret");
    assert!(!text.contains(place.as_str()));
}

/// The commands of the guide, in its order, with real ids in their places.
#[test]
fn the_guide_can_be_followed() {
    let world = World::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guide = fs::read_to_string(root.join("docs/guide/memories.md")).unwrap();
    let old = world.remember(&["use blanks", "--category", "preference"]);
    let new = world.remember(&["use tabs", "--category", "preference"]);
    let confirmed = world.candidate("one thing is so with the lexer of the parser");
    let rejected = world.candidate("and another is the case with the printer there");
    for line in guide.lines().filter_map(|it| it.strip_prefix("$ windlass ")) {
        let id = match line {
            "candidates reject ID" => &rejected,
            "remember --candidate ID" => &confirmed,
            _ if line.starts_with("memory retire") || line.starts_with("memory restore") => &new,
            _ => &confirmed,
        };
        let line = line.replace("ID", id).replace("OLD", &old).replace("NEW", &new);
        let mut words: Vec<String> = Vec::new();
        for (at, part) in line.split('"').enumerate() {
            let quoted = at % 2 == 1;
            let parts = part.split(' ').filter(|it| !it.is_empty()).map(str::to_owned);
            words.extend(if quoted { vec![part.to_owned()] } else { parts.collect() });
        }
        world.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    }
    assert_eq!(world.list(&["--state", "any"]).len(), 0, "the guide ends with `forget`");
}

/// The fields in the guide are those of the table, and in its order.
#[test]
fn the_guide_names_every_field() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guide = fs::read_to_string(root.join("docs/guide/memories.md")).unwrap();
    for category in Category::ALL {
        let fields: Vec<_> = category.fields().iter().map(|it| it.name).collect();
        let (first, rest) = fields.split_first().unwrap();
        let row = format!("| **{first}**, {} |", rest.join(", "));
        let line = guide.lines().find(|it| it.starts_with(&format!("| `{}` |", category.word())));
        assert!(line.unwrap().ends_with(&row), "{row}");
    }
}

/// On a full disk, and where the user may not write, nobody gets the right to write.
#[test]
fn what_is_known_is_read_where_nothing_can_be_written() {
    let world = World::new();
    let id = world.remember(&[TEXT]);
    let lock = world.home.data().join("write.lock");
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    for (arguments, told) in [
        (&["recall", "flaky", "port"][..], "The flaky test"),
        (&["memory", "list"], "The flaky test"),
        (&["memory", "show", &id], "The flaky test"),
        (&["candidates"], ""),
        (&["loop", "status"], ""),
    ] {
        let output = outside(world.home.path(), &world.root(), arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
        assert!(String::from_utf8(output.stdout).unwrap().contains(told), "{arguments:?}");
        let warned = String::from_utf8(output.stderr).unwrap();
        assert!(warned.starts_with("warning: queue for the store: "), "{warned}");
        assert!(warned.ends_with(". The newest events may be missing.\n"), "{warned}");
    }
    world.fails(&["remember", "Another thing that is so"], "queue for the store");
}
