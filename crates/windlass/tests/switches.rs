//! The user's off-switch: the next stop of the agent passes, whatever else is broken.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Home, Project, by_the_user, feed, tidy};

const SESSION: &str = "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11";

/// A session in a project whose agent claims what it did not do, again and again.
struct World {
    project: Project,
    /// Where the agent works.
    directory: PathBuf,
    session: &'static str,
}

impl World {
    fn new() -> Self {
        let project = Project::new();
        let directory = project.root();
        let world = Self { project, directory, session: SESSION };
        world.send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "change it"}), &[]);
        world
    }

    fn home(&self) -> &Home {
        &self.project.home
    }

    fn send(&self, event: &Value, environment: &[(&str, &str)]) -> String {
        let mut payload = json!({
            "session_id": self.session,
            "prompt_id": "p1",
            "cwd": self.directory,
            "permission_mode": "default",
        });
        payload.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        let mut command = self.home().command();
        command.envs(environment.iter().copied());
        let output = feed(&mut command, payload.to_string().as_bytes());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn edit(&self) {
        let file = self.directory.join("src/parser.rs");
        let call = json!({
            "tool_name": "Edit",
            "tool_input": {"file_path": file, "old_string": "a", "new_string": "b"},
            "tool_use_id": "toolu_1",
            "tool_response": "The file has been updated successfully.",
        });
        self.send(&json!({"hook_event_name": "PostToolBatch", "tool_calls": [call]}), &[]);
    }

    /// The answer to a stop after an edit, with these variables in the client's environment.
    fn stop_with(&self, environment: &[(&str, &str)]) -> String {
        self.edit();
        let stop = json!({
            "hook_event_name": "Stop",
            "stop_hook_active": false,
            "last_assistant_message": "All tests pass.",
            "background_tasks": [],
            "session_crons": [],
        });
        self.send(&stop, environment)
    }

    #[track_caller]
    fn asks(&self) {
        let answer = self.stop_with(&[]);
        assert!(answer.contains("[proof]"), "{answer}");
    }

    #[track_caller]
    fn passes(&self) {
        assert_eq!(self.stop_with(&[]), "");
    }

    /// Runs `windlass gate` as the user, in the project.
    #[track_caller]
    fn gate(&self, arguments: &[&str]) -> String {
        self.gate_at(&self.project.root(), arguments)
    }

    #[track_caller]
    fn gate_at(&self, directory: &Path, arguments: &[&str]) -> String {
        let arguments = [&["gate"], arguments].concat();
        let (said, code) = by_the_user(self.home(), directory, &[], &arguments);
        assert_eq!(code, 0, "{said}");
        said
    }

    fn list(&self) -> Value {
        serde_json::from_str(&self.project.run(&["gate", "list", "--json"])).unwrap()
    }

    /// The rules that spoke at the last stop, and its verdict.
    fn last(&self) -> (String, String) {
        let query = "SELECT verdict, rules FROM decisions JOIN events ON events.id = event
            WHERE kind = 'stop' ORDER BY events.id DESC LIMIT 1";
        let row = self.home().query(query).pop().unwrap();
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        (text("verdict"), text("rules"))
    }

    fn switches(&self) -> PathBuf {
        self.home().data().join("switches")
    }

    fn files(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.switches()) else { return Vec::new() };
        entries.map(|it| it.unwrap().path()).collect()
    }
}

#[test]
fn a_variable_in_the_environment_of_the_client_lets_the_agent_stop() {
    let world = World::new();
    world.asks();
    for value in ["off", "OFF", " off "] {
        assert_eq!(world.stop_with(&[("WINDLASS_GATES", value)]), "");
        let (verdict, rules) = world.last();
        assert!(verdict == "pass" && rules.contains("switched off by WINDLASS_GATES=off"));
    }
    for value in ["on", "0", ""] {
        let world = World::new();
        assert!(world.stop_with(&[("WINDLASS_GATES", value)]).contains("[proof]"), "{value}");
    }
}

#[test]
fn a_command_in_another_terminal_lets_the_agent_stop_and_takes_it_back() {
    let world = World::new();
    world.asks();
    let said = world.gate(&["off"]);
    assert!(
        said.contains("All gates are off in the project") && said.contains("`windlass gate on`")
    );
    world.passes();
    let (verdict, rules) = world.last();
    assert_eq!(verdict, "pass");
    assert!(
        rules.contains("proof: switched off by `windlass gate off` in this project"),
        "{rules}"
    );
    let explained = world.project.run(&["explain"]);
    let id = explained.lines().nth(2).unwrap().split_whitespace().next().unwrap();
    let explained = world.project.run(&["explain", id]);
    assert!(explained.contains("switched off by `windlass gate off`"), "{explained}");
    assert!(world.gate(&["on"]).contains("on again"));
    world.asks();
    assert_eq!(world.files(), Vec::<PathBuf>::new());
}

#[test]
fn a_switch_of_one_gate_leaves_the_others() {
    let world = World::new();
    world.gate(&["off", "tasks"]);
    world.asks();
    world.gate(&["off", "proof"]);
    world.passes();
    assert_eq!(world.files().len(), 2);
    let said = world.gate(&["on", "tasks"]);
    assert!(said.contains("`tasks` is on again"), "{said}");
    world.passes();
    // Without a name all of them are meant.
    world.gate(&["off", "tasks"]);
    world.gate(&["on"]);
    assert_eq!(world.files(), Vec::<PathBuf>::new());
    world.asks();
}

#[test]
fn all_worktrees_of_a_repository_are_one_project_and_others_are_not() {
    let mut world = World::new();
    let root = world.project.root();
    fs::remove_dir(root.join(".git")).unwrap();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(&root).env_clear().env("HOME", world.home().path());
        command.env("PATH", "/usr/bin:/bin:/usr/local/bin");
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "n").env(format!("GIT_{role}_EMAIL"), "e");
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    git(&["init", "-q"]);
    git(&["commit", "-q", "--allow-empty", "-m", "one"]);
    git(&["worktree", "add", "-q", "../linked"]);
    let linked = world.home().path().join("linked");
    fs::create_dir(linked.join("deep")).unwrap();
    let other = world.home().path().join("other");
    fs::create_dir(&other).unwrap();
    world.gate_at(&linked.join("deep"), &["off"]);
    world.passes();
    world.directory = linked;
    world.passes();
    // The session stays one of its project where its agent goes elsewhere; another one does not.
    world.directory = other;
    world.passes();
    world.session = "5b9a4a3f-4f0f-4d6b-9a61-0b1c7e8f1c11";
    world.send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "change it"}), &[]);
    world.asks();
    world.session = SESSION;
    world.gate(&["on", "--project"]);
    world.directory = root;
    world.asks();
}

#[test]
fn a_switch_can_be_for_one_session_or_for_all() {
    let mut world = World::new();
    world.gate(&["off", "--session", &SESSION[..8]]);
    world.passes();
    world.session = "5b9a4a3f-4f0f-4d6b-9a61-0b1c7e8f1c11";
    world.send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "change it"}), &[]);
    world.asks();
    // It works where there is no project, too.
    let home = world.home().path().to_owned();
    let (said, code) = by_the_user(world.home(), &home, &[], &["gate", "off"]);
    assert!(code == 1 && said.contains("hint: ") && said.contains("--everywhere"), "{said}");
    world.gate_at(&home, &["off", "--everywhere"]);
    world.passes();
    let said = world.gate(&["on"]);
    assert!(said.contains("still off everywhere"), "{said}");
    world.passes();
    world.gate(&["on", "--everywhere"]);
    world.asks();
    let (said, code) = by_the_user(world.home(), &home, &[], &["gate", "off", "--session", "../x"]);
    assert!(code == 1 && said.contains("not the id of a session"), "{said}");
}

/// Somebody holds the store in every way there is. The switch does not need it.
#[test]
fn it_works_while_the_store_is_locked() {
    let world = World::new();
    world.asks();
    let queue = fs::File::open(world.home().data().join("write.lock")).unwrap();
    queue.lock().unwrap();
    let writer = rusqlite::Connection::open(world.home().data().join("store.db")).unwrap();
    writer.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE").unwrap();
    world.gate(&["off"]);
    // Nothing is asked while nothing can be known, and nothing afterwards.
    world.passes();
    drop((queue, writer));
    world.passes();
    assert!(world.last().1.contains("switched off"));
    world.gate(&["on"]);
    world.asks();
}

#[test]
fn it_works_while_the_store_is_damaged() {
    let world = World::new();
    world.asks();
    for suffix in ["", "-wal", "-shm"] {
        let file = world.home().data().join(format!("store.db{suffix}"));
        if file.exists() {
            fs::write(&file, b"not a database at all, but long enough".repeat(99)).unwrap();
        }
    }
    world.gate(&["off"]);
    world.passes();
    assert_eq!(world.list()["off"]["switches"][0]["scope"], "project");
    world.gate(&["on"]);
}

#[test]
fn a_switch_that_has_ended_does_not_count_and_is_cleared_away() {
    let world = World::new();
    let said = world.gate(&["off", "--for", "30m"]);
    assert!(said.contains(" until "), "{said}");
    world.passes();
    let end = |file: &Path| {
        let mut switch: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        switch["until"] = json!(switch["at"].as_i64().unwrap() - 1);
        fs::write(file, switch.to_string()).unwrap();
    };
    end(&world.files()[0]);
    world.asks();
    assert_eq!(world.list()["off"]["switches"], json!([]));
    assert_eq!(world.files().len(), 1);
    tidy(world.home());
    assert_eq!(world.files(), Vec::<PathBuf>::new());
    world.gate(&["off", "proof", "--for", "2h"]);
    end(&world.files()[0]);
    world.gate(&["on", "--everywhere"]);
    assert_eq!(world.files(), Vec::<PathBuf>::new());
}

/// Whoever cannot be sure that the user wants the gates lets the agent go, and says so.
#[test]
fn a_switch_that_cannot_be_understood_switches_everything_off() {
    let break_it: [fn(&Path); 6] = [
        |file| fs::write(file, "{").unwrap(),
        |file| fs::write(file, vec![b' '; 20 << 10]).unwrap(),
        |file| fs::write(file, r#"{"version":2,"gate":null,"scope":"everywhere","at":1}"#).unwrap(),
        |file| fs::create_dir(file).unwrap(),
        |file| symlink("/dev/zero", file).unwrap(),
        |file| {
            fs::write(file, "{}").unwrap();
            fs::set_permissions(file, fs::Permissions::from_mode(0o666)).unwrap();
        },
    ];
    for (number, break_it) in break_it.iter().enumerate() {
        let world = World::new();
        fs::create_dir_all(world.switches()).unwrap();
        let file = world.switches().join("0123456789abcdef.json");
        break_it(&file);
        world.passes();
        assert!(world.last().1.contains("which cannot be understood"), "{number}");
        let listed = world.project.run(&["gate", "list"]);
        assert!(listed.contains("All gates are off because of"), "{listed}");
        if file.is_dir() {
            let (said, code) =
                by_the_user(world.home(), &world.project.root(), &[], &["gate", "on"]);
            assert!(code == 1 && said.contains("hint: look at it, then run `rm -r "), "{said}");
        } else {
            let said = world.gate(&["on"]);
            assert!(said.contains("Removed "), "{said}");
            world.asks();
        }
    }
    // Whatever else lies there is none.
    let world = World::new();
    fs::create_dir_all(world.switches()).unwrap();
    fs::write(world.switches().join(".x.json.windlass-1-0"), "{").unwrap();
    world.asks();
}

#[test]
fn an_agent_cannot_switch_gates_and_may_look_at_them() {
    let world = World::new();
    let agent = world.home().path().join("claude");
    fs::copy("/bin/sh", &agent).unwrap();
    let below: [&Path; 3] = [&agent, Path::new("-c"), Path::new("\"$0\" \"$@\"; exit $?")];
    let root = world.project.root();
    for arguments in [&["gate", "off"][..], &["gate", "on"], &["gate", "off", "--everywhere"]] {
        let (said, code) = by_the_user(world.home(), &root, &below, arguments);
        assert!(code == 1 && said.contains("claude (process "), "{said}");
        assert!(said.contains("hint: run it yourself, in a terminal of your own"), "{said}");
    }
    assert_eq!(world.files(), Vec::<PathBuf>::new());
    let (said, code) = by_the_user(world.home(), &root, &below, &["gate", "list"]);
    assert!(code == 0 && said.contains("Nothing is switched off."), "{said}");
    world.asks();
}

#[test]
fn the_list_has_every_gate_with_its_mode_and_where_that_comes_from() {
    let world = World::new();
    world.project.user("gates.proof.mode = \"advise\"\n");
    world.project.settings("gates.tasks.mode = \"ask\"\n");
    world.gate(&["off", "tasks", "--for", "1d"]);
    let list = world.list();
    let gates = list["gates"].as_array().unwrap();
    let named = |name: &str| gates.iter().find(|it| it["gate"] == name).unwrap();
    assert_eq!(
        (&named("proof")["mode"], &named("proof")["origin"]),
        (&json!("advise"), &json!("user"))
    );
    assert_eq!(
        (&named("tasks")["mode"], &named("tasks")["origin"]),
        (&json!("ask"), &json!("project"))
    );
    assert_eq!(named("proof")["off"], json!([]));
    let by = named("tasks")["off"][0].as_str().unwrap();
    assert!(by.starts_with("`windlass gate off` in this project until "), "{by}");
    assert!(gates.iter().all(|it| it["about"].as_str().unwrap().ends_with('.')));
    assert_eq!(
        list["caps"][0],
        json!({"key": "gates.asks_per_prompt", "value": 3, "origin": "default"})
    );
    let text = world.project.run(&["gate", "list"]);
    assert!(text.contains("proof  advise (user)\n  A test or a build"), "{text}");
    assert!(text.contains("  gates.asks_per_prompt   3"), "{text}");
}

#[test]
fn the_status_and_the_status_line_say_that_gates_are_off() {
    let world = World::new();
    let line = |session: &str| {
        let mut command = world.project.command(&["statusline"]);
        let payload = json!({"session_id": session, "cwd": world.project.root()}).to_string();
        String::from_utf8(feed(&mut command, payload.as_bytes()).stdout).unwrap()
    };
    world.asks();
    assert!(!line(SESSION).contains("off"), "{}", line(SESSION));
    world.gate(&["off", "proof", "--session", SESSION]);
    assert!(line(SESSION).contains(" · proof off"), "{}", line(SESSION));
    assert!(!line("another").contains("off"));
    world.gate(&["off"]);
    assert!(line("another").contains(" · gates off"));
    let text = world.project.run(&["status"]);
    assert!(
        text.contains("All gates are off in the project") && text.contains("windlass gate on`")
    );
    let json: Value = serde_json::from_str(&world.project.run(&["status", "--json"])).unwrap();
    assert_eq!(json["gates_off"]["switches"].as_array().unwrap().len(), 2);
}

#[test]
fn switches_are_private() {
    let world = World::new();
    world.gate(&["off"]);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&world.switches()), mode(&world.files()[0])), (0o700, 0o600));
}
