//! One identity where it should be one, two where two: projects, sessions and agents in the
//! ledger, as hooks that run in real repositories make them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Home, as_user, binary, detached, outside, said};

/// A home in which git works and nobody's settings count.
struct World {
    home: Home,
}

impl World {
    fn new() -> Self {
        Self { home: Home::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn git(&self, directory: &str, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(self.path(directory)).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", self.home.path());
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "n").env(format!("GIT_{role}_EMAIL"), "e@e");
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    /// A repository with one commit, shared at an address.
    fn repository(&self, name: &str, remote: Option<&str>) {
        fs::create_dir_all(self.path(name)).unwrap();
        self.git(name, &["init", "-q"]);
        self.git(name, &["commit", "-q", "--allow-empty", "-m", "one"]);
        if let Some(remote) = remote {
            self.git(name, &["remote", "add", "origin", remote]);
        }
    }

    /// The project of a prompt that is sent in a directory.
    fn project(&self, directory: &str) -> Value {
        self.project_at(&self.path(directory), "s")
    }

    fn project_at(&self, directory: &Path, session: &str) -> Value {
        let payload = json!({
            "hook_event_name": "UserPromptSubmit", "session_id": session,
            "cwd": directory, "prompt": "go on",
        });
        self.home.silent(payload.to_string());
        assert_eq!(self.home.failures(), Vec::<Value>::new());
        let query = "SELECT project FROM events ORDER BY id DESC LIMIT 1";
        self.home.query(query)[0]["project"].clone()
    }

    fn count(&self, table: &str) -> usize {
        self.home.query(&format!("SELECT * FROM {table}")).len()
    }
}

#[test]
fn three_worktrees_and_a_renamed_remote_are_one_project() {
    let world = World::new();
    world.repository("main", Some("git@example.org:team/tool.git"));
    let main = world.project("main");
    assert!(main.is_i64(), "{main}");
    for name in ["../one", "../two", "../three"] {
        world.git("main", &["worktree", "add", "-q", "--detach", name]);
        assert_eq!(world.project(&name[3..]), main, "{name}");
    }
    fs::create_dir_all(world.path("two/src/deep")).unwrap();
    assert_eq!(world.project("two/src/deep"), main);
    world.git("main", &["remote", "rename", "origin", "upstream"]);
    assert_eq!(world.project("one"), main, "the remote's name is another");
    world.git("main", &["remote", "set-url", "upstream", "https://example.com/new/home.git"]);
    assert_eq!(world.project("main"), main, "the remote's address is another");
    assert_eq!(world.project("three"), main);
    fs::rename(world.path("main"), world.path("moved")).unwrap();
    assert_eq!(world.project("moved"), main, "the repository was moved");
    assert_eq!((world.count("projects"), world.count("places")), (1, 1));
}

#[test]
fn a_worktree_that_is_gone_still_belongs_to_its_project() {
    let world = World::new();
    world.repository("main", None);
    world.git("main", &["worktree", "add", "-q", "--detach", "../gone"]);
    let main = world.project("gone");
    fs::remove_dir_all(world.path("gone")).unwrap();
    assert_eq!(world.project("gone"), main);
}

#[test]
fn clones_and_copies_are_projects_of_their_own() {
    let world = World::new();
    world.repository("first", Some("https://user:secret-token@example.org/team/tool"));
    let first = world.project("first");
    world.repository("second", Some("ssh://git@example.org/team/tool.git"));
    assert_ne!(world.project("second"), first, "two clones");
    world.repository("other", Some("https://example.org/team/other"));
    assert_ne!(world.project("other"), first);
    world.repository("alone", None);
    let alone = world.project("alone");
    assert!(
        Command::new("cp")
            .arg("-r")
            .args([world.path("alone"), world.path("copy")])
            .status()
            .unwrap()
            .success()
    );
    assert_ne!(world.project("copy"), alone, "two copies that share nothing");
    for entry in fs::read_dir(world.home.data()).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap_or_default();
        assert!(!bytes.windows(12).any(|it| it == b"secret-token"), "a credential on the disk");
    }
}

/// What the user is told when a session starts in a directory.
fn told_at_start(world: &World, directory: &str, session: &str) -> String {
    let payload = json!({
        "hook_event_name": "SessionStart", "session_id": session,
        "cwd": world.path(directory), "source": "startup",
    });
    let output = world.home.hook(payload.to_string());
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    answer["systemMessage"].as_str().unwrap_or_default().to_owned()
}

/// Runs a command as the user, in a directory.
#[track_caller]
fn user(world: &World, directory: &str, arguments: &[&str]) -> String {
    said(&outside(world.home.path(), &world.path(directory), arguments), 0)
}

#[test]
fn a_clone_joins_its_project_once_the_user_says_so() {
    const REMOTE: &str = "https://example.org/team/tool";
    let world = World::new();
    world.repository("first", Some(REMOTE));
    let first = world.project("first");
    assert_eq!(told_at_start(&world, "first", "s0"), "");
    user(&world, "first", &["remember", "The cache key leaves the tenant out."]);
    world.repository("second", Some(REMOTE));
    let told = told_at_start(&world, "second", "s1");
    let first_root = world.path("first").canonicalize().unwrap();
    assert!(told.contains(&format!("known from {}", first_root.display())), "{told}");
    assert!(told.contains("run `windlass trust --same` here"), "{told}");
    assert!(told.contains("later clones from example.org/team join"), "{told}");
    assert_eq!(told_at_start(&world, "second", "s2"), "", "it is told once");
    let own = world.project("second");
    assert_ne!(own, first);
    let found = |directory: &str| user(&world, directory, &["recall", "tenant cache key"]);
    assert!(!found("second").contains("leaves the tenant out"), "{}", found("second"));
    user(&world, "second", &["remember", "The build needs the flag --locked here."]);

    let joined = user(&world, "second", &["trust", "--same"]);
    assert!(joined.contains("This clone is the project `tool` now"), "{joined}");
    assert_eq!(world.project("second"), first);
    assert!(found("second").contains("leaves the tenant out"), "{}", found("second"));
    let kept = user(&world, "first", &["recall", "build flag locked"]);
    assert!(kept.contains("--locked"), "what the clone knew is kept: {kept}");
    assert_eq!(world.count("projects"), 1);
    let again = user(&world, "first", &["trust", "--same"]);
    assert!(again.contains("nothing to join"), "{again}");

    // The word was for this clone alone.
    world.repository("third", Some(REMOTE));
    assert_ne!(world.project("third"), first);
    user(&world, "third", &["trust", "--same", "--owner"]);
    assert_eq!(world.project("third"), first);
    world.repository("fourth", Some(REMOTE));
    assert_eq!(told_at_start(&world, "fourth", "s4"), "");
    assert_eq!(world.project("fourth"), first, "clones of this owner join by themselves");
    world.repository("foreign", Some("https://example.org/others/tool"));
    assert_ne!(world.project("foreign"), first);
    user(&world, "third", &["trust", "--same", "--owner", "--revoke"]);
    world.repository("fifth", Some(REMOTE));
    assert_ne!(world.project("fifth"), first);
}

#[test]
fn only_the_user_says_that_a_clone_is_the_same() {
    let world = World::new();
    for name in ["first", "second"] {
        world.repository(name, Some("https://example.org/team/tool"));
        world.project(name);
    }
    let mut command = Command::new(binary());
    command.args(["trust", "--same", "--owner"]).current_dir(world.path("second"));
    command.env("HOME", world.home.path());
    let (text, code) = detached(&command, b"BBBB\n");
    assert!(code == 1 && text.contains("only you may run this"), "{text}");
    let output = as_user(command.env("CLAUDECODE", "1"));
    let text = said(&output, 1);
    assert!(text.contains("run `windlass trust --same --owner` in your own terminal"), "{text}");
    assert_eq!(world.count("projects"), 2);
}

#[test]
fn a_look_alike_gets_no_memory_of_the_repository_that_it_names() {
    let world = World::new();
    world.repository("victim", Some("https://example.org/team/tool"));
    let victim = world.project("victim");
    world.git("victim", &["worktree", "add", "-q", "--detach", "../tree"]);
    user(&world, "victim", &["remember", "The cache key leaves the tenant out."]);
    let found = |directory: &str| user(&world, directory, &["recall", "tenant cache key"]);
    assert!(found("tree").contains("leaves the tenant out"), "{}", found("tree"));
    fs::create_dir(world.path("thief")).unwrap();
    let dot_git = world.path("thief/.git");
    let plant: [&dyn Fn(); 4] = [
        &|| fs::copy(world.path("tree/.git"), &dot_git).map(drop).unwrap(),
        &|| fs::hard_link(world.path("tree/.git"), &dot_git).unwrap(),
        &|| fs::write(&dot_git, "gitdir: ../victim/.git\n").unwrap(),
        &|| std::os::unix::fs::symlink("../victim/.git", &dot_git).unwrap(),
    ];
    for (number, plant) in plant.iter().enumerate() {
        plant();
        assert_ne!(world.project("thief"), victim, "{number}");
        let found = found("thief");
        assert!(!found.contains("leaves the tenant out"), "{number}: {found}");
        fs::remove_file(&dot_git).unwrap();
    }
}

#[test]
fn another_repository_at_the_same_place_is_another_project() {
    let world = World::new();
    world.repository("place", Some("https://example.org/team/one"));
    let one = world.project("place");
    fs::remove_dir_all(world.path("place")).unwrap();
    world.repository("place", Some("https://example.org/team/two"));
    assert_ne!(world.project("place"), one);
    fs::remove_dir_all(world.path("place")).unwrap();
    world.repository("place", Some("https://example.org/team/one"));
    assert_eq!(world.project("place"), one, "cloned again");
}

#[test]
fn a_plain_directory_is_a_project_and_what_lies_below_it_is_not_another() {
    let world = World::new();
    fs::create_dir_all(world.path("notes/deep")).unwrap();
    let notes = world.project("notes");
    assert!(notes.is_i64());
    assert_eq!(world.project("notes/deep"), notes);
    world.repository("notes/inner", None);
    assert_ne!(world.project("notes/inner"), notes, "a repository is its own project");
}

#[test]
fn the_home_and_the_root_are_no_projects() {
    let world = World::new();
    assert_eq!(world.project(""), Value::Null);
    assert_eq!(world.project_at(Path::new("/"), "s"), Value::Null);
    assert_eq!(world.project_at(Path::new("relative"), "s"), Value::Null);
    assert_eq!(world.project_at(Path::new("/nonexistent/directory"), "s"), Value::Null);
    assert_eq!(world.count("projects"), 0);
}

#[test]
fn an_agent_that_walks_into_another_repository_is_there_and_its_session_is_not() {
    let world = World::new();
    world.repository("one", None);
    world.repository("two", None);
    let one = world.project("one");
    let two = world.project("two");
    assert_ne!(one, two);
    assert_eq!(world.home.query("SELECT project FROM sessions")[0]["project"], one);
    assert_eq!(world.project_at(&world.path("two"), "other"), two, "two agents in one project");
}

#[test]
fn a_session_is_one_through_resume_and_compaction_and_ends_once() {
    let home = Home::new();
    let play = |name: &str, session: &str, more: Value| {
        let mut payload = json!({"hook_event_name": name, "session_id": session, "cwd": "/p"});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        home.silent(payload.to_string());
    };
    play("SessionStart", "a", json!({"source": "startup", "model": "m1"}));
    play("SessionEnd", "a", json!({"reason": "clear"}));
    play("SessionStart", "b", json!({"source": "clear"}));
    play("SessionStart", "b", json!({"source": "compact", "model": "m2"}));
    play("SessionEnd", "b", json!({"reason": "other"}));
    play("SessionStart", "b", json!({"source": "resume"}));
    play("SessionStart", "c", json!({"source": "fork"}));
    let query = "SELECT name, source, resumed, model, end_reason FROM sessions ORDER BY id";
    let expected = [
        json!({"name": "a", "source": "startup", "resumed": "startup", "model": "m1",
            "end_reason": "clear"}),
        json!({"name": "b", "source": "clear", "resumed": "resume", "model": "m2",
            "end_reason": null}),
        json!({"name": "c", "source": "fork", "resumed": "fork", "model": null,
            "end_reason": null}),
    ];
    assert_eq!(home.query(query), expected);
}

#[test]
fn subagents_are_apart_and_one_that_never_stops_stays_open() {
    let home = Home::new();
    for (name, agent) in
        [("SubagentStart", "a1"), ("SubagentStart", "a2"), ("SubagentStop", "a1"), ("Stop", "")]
    {
        let mut payload = json!({"hook_event_name": name, "session_id": "s", "cwd": "/p"});
        if !agent.is_empty() {
            payload["agent_id"] = json!(agent);
            payload["agent_type"] = json!("general-purpose");
        }
        home.silent(payload.to_string());
    }
    let agents = home.query("SELECT name, role, stopped_at IS NOT NULL AS over FROM agents");
    let agent = |name, over| json!({"name": name, "role": "general-purpose", "over": over});
    assert_eq!(agents, [agent("a1", 1), agent("a2", 0)]);
    let own = home.query("SELECT kind FROM events WHERE agent IS NULL");
    assert_eq!(own, [json!({"kind": "stop"})]);
}
