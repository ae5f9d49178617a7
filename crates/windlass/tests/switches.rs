//! The user's off-switch: the next stop of the agent passes, whatever else is broken.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{
    Home, Project, UserOutput, UserTerminal, as_user, binary, by_the_user, copy_program, detached,
    feed, on_stray_terminal, seal_switch, tidy,
};

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
    assert!(said.contains("It holds until you switch back, in later sessions too."), "{said}");
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
    fs::remove_dir_all(root.join(".git")).unwrap();
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
    assert!(said.contains("That ends by itself in 30.0 min."), "{said}");
    assert!(said.contains(" until "), "{said}");
    world.passes();
    let end = |file: &Path| {
        let mut switch: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        switch["until"] = json!(switch["at"].as_i64().unwrap() - 1);
        seal_switch(&mut switch);
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

/// A copy of an old switch is as sound as the old one, and switches nothing off.
#[test]
fn a_switch_that_was_taken_back_cannot_be_put_back() {
    let world = World::new();
    world.gate(&["off"]);
    let [file] = &world.files()[..] else { panic!() };
    let old = fs::read(file).unwrap();
    world.passes();
    world.gate(&["on"]);
    world.asks();
    fs::write(file, &old).unwrap();
    let answer = world.stop_with(&[]);
    assert!(answer.contains("[proof]") || answer.contains("still open"), "{answer}");
    assert!(answer.contains("it is an old switch that was put back"), "{answer}");
    assert!(!world.stop_with(&[]).contains("put back"), "it is told once");
    assert!(world.project.run(&["gate", "list"]).contains("switches nothing off"));
    world.gate(&["on"]);
    // A new one of the user counts, and no notice comes with it.
    world.gate(&["off"]);
    world.passes();
    // One that a later switch has replaced is old too.
    let forever = fs::read(file).unwrap();
    world.gate(&["off", "--for", "1h"]);
    fs::write(file, &forever).unwrap();
    assert!(world.stop_with(&[]).contains("put back"));
}

/// A file that windlass did not write is a finding, and no off-switch.
#[test]
fn what_windlass_did_not_write_switches_nothing_off() {
    const PLAIN: &str =
        r#"{"version":2,"gate":null,"scope":"everywhere","of":null,"at":1,"until":null}"#;
    let plant: [fn(&Path); 9] = [
        |file| fs::write(file, "{").unwrap(),
        |file| fs::write(file, "").unwrap(),
        |file| fs::write(file, vec![b' '; 20 << 10]).unwrap(),
        |file| fs::write(file, PLAIN).unwrap(),
        |file| {
            let sum = r#","sum":"0000000000000000"}"#;
            fs::write(file, [PLAIN.strip_suffix('}').unwrap(), sum].concat()).unwrap();
        },
        // One that windlass could have written, under another name.
        |file| {
            let mut switch: Value = serde_json::from_str(PLAIN).unwrap();
            seal_switch(&mut switch);
            fs::write(file, switch.to_string()).unwrap();
        },
        |file| fs::create_dir(file).unwrap(),
        |file| symlink("/dev/zero", file).unwrap(),
        |file| {
            fs::write(file, "{}").unwrap();
            fs::set_permissions(file, fs::Permissions::from_mode(0o666)).unwrap();
        },
    ];
    for (number, plant) in plant.iter().enumerate() {
        let world = World::new();
        fs::create_dir_all(world.switches()).unwrap();
        let file = world.switches().join("0123456789abcdef.json");
        plant(&file);
        world.asks();
        let listed = world.project.run(&["gate", "list"]);
        assert!(listed.contains("abcdef.json switches nothing off: "), "{number}: {listed}");
        let status = world.project.run(&["status"]);
        assert!(status.contains("abcdef.json switches nothing off: "), "{number}: {status}");
        if file.is_dir() {
            let (said, code) =
                by_the_user(world.home(), &world.project.root(), &[], &["gate", "on"]);
            assert!(code == 1 && said.contains("hint: look at it, then run `rm -r "), "{said}");
        } else {
            let said = world.gate(&["on"]);
            assert!(said.contains("Removed "), "{said}");
        }
        // The user's own counts beside it.
        world.gate(&["off"]);
        world.passes();
    }
    // Whatever else lies there is none.
    let world = World::new();
    fs::create_dir_all(world.switches()).unwrap();
    fs::write(world.switches().join(".x.json.windlass-1-0"), "{").unwrap();
    world.asks();
}

/// Every way to get away from the agent's own processes, with the code typed wherever one is asked.
#[test]
fn who_is_detached_from_a_terminal_cannot_switch_gates() {
    let world = World::new();
    let root = world.project.root();
    let like = |line: &str, arguments: &[&str]| {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", line]).arg(binary()).args(arguments).current_dir(&root);
        command.env("HOME", world.home().path()).env("PATH", "/usr/bin:/bin");
        command
    };
    let plain = r#""$0" "$@"; exit $?"#;
    for arguments in [&["gate", "off"][..], &["gate", "on"], &["gate", "off", "--for", "1h"]] {
        let (said, code) = detached(&like(plain, arguments), b"y\nBBBB\n");
        assert!(code == 1 && said.contains("a process without a terminal started it"), "{said}");
        let next = format!("run `windlass {}` in your own terminal", arguments.join(" "));
        assert!(said.contains(&next), "{said}");
    }
    for line in [
        // It leaves the session of the terminal, and opens that again.
        r#"setsid -w "$0" "$@" <"$(tty)" 2>"$(tty)"; exit $?"#,
        // It leaves its parent, and keeps the terminal.
        r#"(sleep 0.3; exec "$0" "$@") & exit 0"#,
        // It has the terminal, and an answer in a pipe.
        r#"echo BBBB | "$0" "$@"; exit $?"#,
        r#"yes | "$0" "$@"; exit $?"#,
        // What an agent sets, above it in the tree alone.
        r#"CLAUDECODE=1 sh -c 'env -u CLAUDECODE "$0" "$@"; exit $?' "$0" "$@"; exit $?"#,
    ] {
        as_user(&like(line, &["gate", "off"]));
        std::thread::sleep(std::time::Duration::from_millis(500));
        assert_eq!(world.files(), Vec::<PathBuf>::new(), "{line}");
    }
    world.asks();
}

#[test]
fn the_user_is_told_when_the_agent_changes_our_settings() {
    let world = World::new();
    let home = world.home().path().to_owned();
    let call = |tool: &str, input: Value| {
        let call = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_9",
            "tool_response": "done"});
        world.send(&json!({"hook_event_name": "PostToolBatch", "tool_calls": [call]}), &[]);
    };
    let stop = || world.stop_with(&[]);
    let config = home.join(".config/windlass/config.toml");
    call("Write", json!({"file_path": config, "content": "gates.proof.mode = \"off\"\n"}));
    let answer = stop();
    assert!(answer.contains("the agent changed ~/.config/windlass/config.toml"), "{answer}");
    assert!(!stop().contains("the agent changed"), "it is told once");
    call("Bash", json!({"command": "sed -i s/windlass/true/ ~/.claude/settings.json"}));
    let answer = stop();
    assert!(answer.contains("the agent changed ~/.claude/settings.json with `sed -i"), "{answer}");
    call("Bash", json!({"command": "cat ~/.config/windlass/config.toml"}));
    call("Read", json!({"file_path": config}));
    assert!(!stop().contains("config.toml"));
}

/// A script changed them, or a command that does not name them.
#[test]
fn the_user_is_told_which_file_changed_while_the_agent_worked() {
    let world = World::new();
    let home = world.home().path().to_owned();
    let root = world.project.root();
    let put = |path: &Path, text: &str| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let hooks = r#"{"hooks":{"Stop":[]},"model":"a"}"#;
    let files = [
        (home.join(".config/windlass/config.toml"), "ledger.days = 30\n", "ledger.days = 31\n"),
        (home.join(".claude/settings.json"), hooks, r#"{"model":"a"}"#),
        (root.join(".claude/settings.local.json"), hooks, r#"{"disableAllHooks":true}"#),
        (home.join(".claude.json"), r#"{"mcpServers":{"windlass":{"command":"w"}}}"#, "{}"),
        (root.join(".windlass.toml"), "ledger.days = 20\n", "ledger.days = 21\n"),
    ];
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on"});
    for (path, before, after) in &files {
        put(path, before);
        world.send(&prompt, &[]);
        assert!(!world.stop_with(&[]).contains("changed while"), "{path:?}");
        put(path, after);
        let answer = world.stop_with(&[]);
        let name = path.strip_prefix(&home).unwrap().display();
        let told = format!("~/{name} changed while the agent worked");
        assert!(answer.contains(&told), "{path:?}: {answer}");
        assert!(!world.stop_with(&[]).contains("changed while"), "{path:?}: it is told once");
        // What the user does between two turns is the user's.
        put(path, before);
        world.send(&prompt, &[]);
        assert!(!world.stop_with(&[]).contains("changed while"), "{path:?}");
        fs::remove_file(path).unwrap();
        assert!(world.stop_with(&[]).contains(&told), "{path:?}: it is gone");
    }
    // The client keeps other things in its files.
    put(&files[1].0, hooks);
    world.send(&prompt, &[]);
    put(&files[1].0, r#"{"hooks":{"Stop":[]},"model":"b"}"#);
    assert!(!world.stop_with(&[]).contains("changed while"));
}

/// The session ended before the agent stopped, or the user interrupted it.
#[test]
fn what_changed_in_a_turn_without_a_stop_is_told_when_the_next_one_begins() {
    let world = World::new();
    let config = world.home().path().join(".config/windlass/config.toml");
    let put = |text: &str| {
        fs::create_dir_all(config.parent().unwrap()).unwrap();
        fs::write(&config, text).unwrap();
    };
    let event = |name: &str, more: Value| {
        let mut event = json!({"hook_event_name": name});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        world.send(&event, &[])
    };
    let prompt = || event("UserPromptSubmit", json!({"prompt": "go on"}));
    let command = || {
        let call = json!({"tool_name": "Bash", "tool_input": {"command": "sh fix.sh"},
            "tool_use_id": "t", "tool_response": ""});
        event("PostToolBatch", json!({"tool_calls": [call]}))
    };
    put("ledger.days = 30\n");
    prompt();
    world.stop_with(&[]);
    prompt();
    put("ledger.days = 31\n");
    command();
    event("SessionEnd", json!({"reason": "other"}));
    let told = "config.toml changed while the agent worked, in a turn that did not end with a stop";
    let start = || event("SessionStart", json!({"source": "startup"}));
    let answer = start();
    assert!(answer.contains(told), "{answer}");
    assert!(!start().contains(told), "it is told once");
    prompt();
    put("ledger.days = 32\n");
    command();
    let answer = prompt();
    assert!(answer.contains(told), "{answer}");
    // What changed after the last call, the user may have changed.
    prompt();
    command();
    std::thread::sleep(std::time::Duration::from_millis(5));
    put("ledger.days = 34\n");
    let answer = prompt();
    assert!(!answer.contains(told), "{answer}");
    world.stop_with(&[]);
    // What changes between two sessions is not said to be the agent's.
    event("SessionEnd", json!({"reason": "other"}));
    put("ledger.days = 33\n");
    assert!(!start().contains(told));
}

/// The client was killed: no event tells that the turn is over, and one of a later session tells.
#[test]
fn what_changed_since_the_last_session_is_told_once_when_the_next_one_begins() {
    let world = World::new();
    let home = world.home().path().to_owned();
    let config = home.join(".config/windlass/config.toml");
    let settings = home.join(".claude/settings.json");
    let put = |path: &Path, text: &str| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let send = |session: &str, event: Value| {
        let mut event = event;
        event["session_id"] = json!(session);
        world.send(&event, &[])
    };
    let start =
        |session| send(session, json!({"hook_event_name": "SessionStart", "source": "startup"}));
    let prompt =
        |session| send(session, json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on"}));
    put(&config, "ledger.days = 30\n");
    put(&settings, r#"{"hooks":{"Stop":[]}}"#);
    start("a");
    prompt("a");
    put(&config, "ledger.days = 31\n");
    put(&settings, "{}");
    let answer = start("b");
    let told = "~/.config/windlass/config.toml, ~/.claude/settings.json changed since the last \
                session began. Look at them";
    let other = "~/.claude/settings.json, ~/.config/windlass/config.toml changed since the last \
                 session began. Look at them";
    assert!(answer.contains(told) || answer.contains(other), "{answer}");
    assert!(!start("b").contains("changed since"), "it is told once");
    // A file that goes, and an edit between two turns: a prompt does not tell it, and does not hide it.
    fs::remove_file(&config).unwrap();
    assert!(!prompt("b").contains("changed"));
    assert!(!world.stop_with(&[]).contains("config.toml changed"));
    let answer = start("c");
    let told = "~/.config/windlass/config.toml changed since the last session began. Look at it";
    assert!(answer.contains(told), "{answer}");
    assert!(!start("c").contains("changed since"), "it is told once");
    // What the user has windlass do is the user's.
    let (said, code) = by_the_user(world.home(), &world.project.root(), &[], &["init"]);
    assert!(code == 0 && said.contains("Registered"), "{said}");
    assert!(!start("d").contains("changed since"));
    // The client writes the file in its own layout.
    let written = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, written.replace('\n', "\n     ")).unwrap();
    assert!(!start("d").contains("changed since"));
    fs::write(&settings, "{}").unwrap();
    assert!(start("d").contains("~/.claude/settings.json changed since"));
}

/// A command that goes on in the background after the agent stopped.
#[test]
fn what_a_command_changes_after_the_stop_is_told_at_the_next_prompt() {
    let world = World::new();
    let config = world.home().path().join(".config/windlass/config.toml");
    let line = format!("(sleep 1; printf x > {}) >/dev/null 2>&1 &", config.display());
    let call = json!({"tool_name": "Bash", "tool_input": {"command": line},
        "tool_use_id": "t", "tool_response": ""});
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on"});
    let start = json!({"hook_event_name": "SessionStart", "source": "startup"});
    world.send(&start, &[]);
    world.send(&prompt, &[]);
    world.send(&json!({"hook_event_name": "PostToolBatch", "tool_calls": [call]}), &[]);
    world.stop_with(&[]);
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    fs::write(&config, "ledger.days = 31\n").unwrap();
    let answer = world.send(&prompt, &[]);
    let told = "~/.config/windlass/config.toml changed after the agent stopped; the agent had run \
                `(sleep 1; printf";
    assert!(answer.contains(told), "{answer}");
    assert!(!world.send(&prompt, &[]).contains("changed"), "it is told once");
    assert!(!world.send(&start, &[]).contains("changed since"), "it is told once");
}

#[test]
fn the_user_is_told_what_an_agent_tried() {
    let world = World::new();
    let agent = world.home().path().join("claude");
    copy_program(Path::new("/bin/sh"), &agent);
    let below: [&Path; 3] = [&agent, Path::new("-c"), Path::new("\"$0\" \"$@\"; exit $?")];
    let root = world.project.root();
    for _ in 0..2 {
        by_the_user(world.home(), &root, &below, &["gate", "off", "--for", "1h"]);
    }
    let told = "an agent (Claude Code, pid ";
    let what = "tried `windlass gate off --for 1h` 2 times, last at ";
    let status = world.project.run(&["status"]);
    assert!(status.contains(told) && status.contains(what), "{status}");
    let start = json!({"hook_event_name": "SessionStart", "source": "startup"});
    let answer = world.send(&start, &[]);
    assert!(answer.contains(told) && answer.contains(what), "{answer}");
    assert!(!world.send(&start, &[]).contains("tried"), "it is told once");
    let status = world.project.run(&["status"]);
    assert!(status.contains(what), "{status}");
}

/// A process that has left its agent, with a terminal of its own: it reads the code and types it.
#[test]
fn a_terminal_that_no_user_sits_at_switches_nothing_off() {
    let world = World::new();
    let mut off = Command::new(binary());
    off.args(["gate", "off"]).current_dir(world.project.root());
    off.env("HOME", world.home().path()).env("PATH", "/usr/bin:/bin");
    let (screen, code) = on_stray_terminal(&off);
    assert!(code == 1 && screen.contains("only you may run this: "), "{screen}");
    assert!(screen.contains("run `windlass gate off` in your own terminal"), "{screen}");
    assert!(screen.contains("a text console") && screen.contains("does not know `"), "{screen}");
    assert_eq!(world.files(), Vec::<PathBuf>::new());
    world.asks();
    let start = json!({"hook_event_name": "SessionStart", "source": "startup"});
    let answer = world.send(&start, &[]);
    assert!(answer.contains("tried `windlass gate off` at "), "{answer}");
}

/// A multiplexer whose terminal nobody looks at: whoever started it types the code.
#[test]
fn a_detached_multiplexer_switches_nothing_off() {
    let world = World::new();
    let mut off = Command::new(binary());
    off.args(["gate", "off"]).current_dir(world.project.root());
    off.env("HOME", world.home().path()).env("PATH", "/usr/bin:/bin");
    let (_, screen, code) = UserTerminal::open_detached(&off, UserOutput::Screen).end();
    assert!(code == 1 && screen.contains("only you may run this: "), "{screen}");
    assert!(screen.contains("run `windlass gate off` in your own terminal"), "{screen}");
    assert_eq!(world.files(), Vec::<PathBuf>::new());
}

/// However much stands among the switches that windlass did not write.
#[test]
fn garbage_hides_no_switch_of_the_user_and_is_told() {
    let world = World::new();
    world.asks();
    fs::create_dir_all(world.switches()).unwrap();
    fs::set_permissions(world.switches(), fs::Permissions::from_mode(0o700)).unwrap();
    for number in 0..700 {
        let end = if number % 2 == 0 { ".json" } else { "" };
        fs::write(world.switches().join(format!("{number:016x}{end}")), "{}").unwrap();
    }
    world.gate(&["off"]);
    let is_told = |world: &World| {
        let answer = world.stop_with(&[]);
        assert!(answer.contains("more than 512 entries"), "{answer}");
        assert!(!answer.contains("[proof]"), "{answer}");
        world.passes();
    };
    is_told(&world);
    assert!(world.project.run(&["status"]).contains("more than 512 entries"));
    world.gate(&["on"]);
    world.asks();
    let mut shorter = World::new();
    shorter.session = "77777777-4f0f-4d6b-9a61-0b1c7e8f1c11";
    shorter.send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "change it"}), &[]);
    fs::create_dir_all(shorter.switches()).unwrap();
    for number in 0..700 {
        fs::write(shorter.switches().join(format!("{number:016x}.json")), "{}").unwrap();
    }
    shorter.gate(&["off", "proof", "--session", "77777777-4f"]);
    is_told(&shorter);
}

#[test]
fn a_file_of_another_name_among_the_switches_is_told() {
    let world = World::new();
    fs::create_dir_all(world.switches()).unwrap();
    fs::write(world.switches().join("off"), "off").unwrap();
    fs::create_dir(world.switches().join("directory")).unwrap();
    let said = world.project.run(&["gate", "list"]);
    for name in ["switches/off", "switches/directory"] {
        assert!(said.contains(&format!("{name} switches nothing off")), "{name}: {said}");
    }
    fs::remove_dir(world.switches().join("directory")).unwrap();
    let said = world.gate(&["on"]);
    assert!(said.contains("Removed ") && !world.switches().join("off").exists(), "{said}");
}

/// What is refused at the terminal itself is told as well.
#[test]
fn a_wrong_code_and_a_pipe_are_attempts() {
    let world = World::new();
    let mut off = Command::new(binary());
    off.args(["gate", "off"]).current_dir(world.project.root());
    off.env("HOME", world.home().path()).env("PATH", "/usr/bin:/bin");
    let mut terminal = UserTerminal::open(&off, UserOutput::Screen);
    terminal.code();
    terminal.type_line("WRONG");
    assert_eq!(terminal.end().2, 1);
    let before: [&Path; 3] =
        [Path::new("/bin/sh"), Path::new("-c"), Path::new(r#"echo BBBB | "$0" "$@""#)];
    let root = world.project.root();
    let (said, code) = by_the_user(world.home(), &root, &before, &["gate", "off", "tasks"]);
    assert!(code == 1 && said.contains("there is none"), "{said}");
    let below = world.home().path().join("claude");
    copy_program(Path::new("/bin/sh"), &below);
    let below: [&Path; 3] = [&below, Path::new("-c"), Path::new("\"$0\" \"$@\"; exit $?")];
    let until = ["loop", "start", "go on", "--until", "true"];
    let (said, code) = by_the_user(world.home(), &root, &below, &until);
    assert!(code == 1, "{said}");
    let start = json!({"hook_event_name": "SessionStart", "source": "startup"});
    let answer = world.send(&start, &[]);
    for command in ["gate off` at", "gate off tasks` at", "loop start 'go on' --until true` at"] {
        assert!(answer.contains(&format!("tried `windlass {command}")), "{command}: {answer}");
    }
}

/// What it says goes through a pipe; the user sits at the terminal all the same.
#[test]
fn the_code_is_asked_on_the_terminal_where_errors_go_through_a_pipe() {
    let world = World::new();
    let root = world.project.root();
    for line in [r#""$0" "$@" 2>&1 | cat; exit 0"#, r#""$0" "$@" 2>/dev/null; exit 0"#] {
        let before: [&Path; 3] = [Path::new("/bin/sh"), Path::new("-c"), Path::new(line)];
        let (said, _) = by_the_user(world.home(), &root, &before, &["gate", "off", "--for", "1h"]);
        assert!(!said.contains("error"), "{said}");
        assert_eq!(world.files().len(), 1, "{said}");
        world.gate(&["on"]);
    }
    // Without a terminal the pipe helps no process.
    let mut off = Command::new("/bin/sh");
    off.args(["-c", r#""$0" "$@" 2>&1 | cat"#]).arg(binary()).args(["gate", "off"]);
    off.current_dir(&root).env("HOME", world.home().path()).env("PATH", "/usr/bin:/bin");
    let (said, _) = detached(&off, b"BBBB\n");
    assert!(said.contains("only you may run this"), "{said}");
    assert_eq!(world.files(), Vec::<PathBuf>::new());
}

/// The user reads the question and presses Enter.
#[test]
fn an_empty_answer_is_no_attempt() {
    let world = World::new();
    let mut off = Command::new(binary());
    off.args(["gate", "off"]).current_dir(world.project.root());
    off.env("HOME", world.home().path()).env("PATH", "/usr/bin:/bin");
    let mut terminal = UserTerminal::open(&off, UserOutput::Screen);
    terminal.code();
    terminal.type_line("");
    let (_, screen, code) = terminal.end();
    assert!(code == 1 && screen.contains("nothing was changed"), "{screen}");
    let start = json!({"hook_event_name": "SessionStart", "source": "startup"});
    let answer = world.send(&start, &[]);
    assert!(!answer.contains("tried"), "{answer}");
}

#[test]
fn an_agent_cannot_switch_gates_and_may_look_at_them() {
    let world = World::new();
    let agent = world.home().path().join("claude");
    copy_program(Path::new("/bin/sh"), &agent);
    let below: [&Path; 3] = [&agent, Path::new("-c"), Path::new("\"$0\" \"$@\"; exit $?")];
    let root = world.project.root();
    for arguments in [&["gate", "off"][..], &["gate", "on"], &["gate", "off", "--everywhere"]] {
        let (said, code) = by_the_user(world.home(), &root, &below, arguments);
        assert!(code == 1 && said.contains("an agent (Claude Code, pid "), "{said}");
        let next = format!("hint: run `windlass {}` in your own terminal", arguments.join(" "));
        assert!(said.contains(&next), "{said}");
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
