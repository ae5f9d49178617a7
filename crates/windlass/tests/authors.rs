//! Who wrote a prompt: what others say is not the user's word, and resets no cap.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Home, outside, write};

const SESSION: &str = "1f3c1c0e-70a5-4c9b-8a43-5b8d5b6d7c01";

const RULE: &str = "Always use pnpm here, never npm, because the lock file is pnpm's.";

/// A session whose hook events and rows come in the order in which the client sends them.
struct World {
    home: Home,
    file: PathBuf,
    version: &'static str,
}

/// The marks of a prompt that the user typed.
fn typed() -> Value {
    json!({"origin": {"kind": "human"}, "promptSource": "typed", "entrypoint": "cli"})
}

/// The marks of a prompt that a schedule sent, as 2.1.197 writes them.
fn scheduled() -> Value {
    json!({"isMeta": true, "promptSource": "system", "queuePriority": "later", "entrypoint": "cli"})
}

impl World {
    fn new(version: &'static str, settings: &str) -> Self {
        let home = Home::new();
        let directory = home.projects().join("-p");
        fs::create_dir_all(&directory).unwrap();
        write(&home.path().join(".config/windlass/config.toml"), settings.as_bytes());
        Self { file: directory.join(format!("{SESSION}.jsonl")), home, version }
    }

    fn write_row(&self, row: &Value) {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.file).unwrap();
        writeln!(file, "{row}").unwrap();
    }

    /// Writes the row of a prompt.
    fn row(&self, marks: &Value, text: &str) {
        let mut row = json!({"type": "user", "sessionId": SESSION, "version": self.version,
            "cwd": "/p", "message": {"role": "user", "content": text}});
        row.as_object_mut().unwrap().extend(marks.as_object().unwrap().clone());
        self.write_row(&row);
    }

    fn send(&self, event: &str, more: &Value) -> Value {
        let mut payload = json!({"hook_event_name": event, "session_id": SESSION, "cwd": "/p",
            "transcript_path": self.file, "permission_mode": "default"});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let output = self.home.hook(payload.to_string());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        assert_eq!(self.home.failures(), Vec::<Value>::new());
        serde_json::from_slice(&output.stdout).unwrap_or_default()
    }

    /// The hook of a prompt comes before its row.
    fn submit(&self, text: &str) {
        self.send("UserPromptSubmit", &json!({"prompt": text, "prompt_id": "p1"}));
    }

    fn edit(&self, file: &str) {
        self.send(
            "PostToolUse",
            &json!({"tool_name": "Write", "tool_use_id": format!("t-{file}"),
                "tool_input": {"file_path": format!("/p/src/{file}"), "content": "fn a() {}\n"},
                "tool_response": {"type": "create", "filePath": format!("/p/src/{file}")}}),
        );
    }

    /// Whether the agent is sent back when it stops with a claim that nothing proves.
    fn is_asked(&self, file: &str) -> bool {
        self.edit(file);
        let message = format!("{file} is changed. All tests pass.");
        let answer = self
            .send("Stop", &json!({"last_assistant_message": message, "stop_hook_active": false}));
        let text = answer.to_string();
        text.contains("windlass: before you stop")
    }

    fn stop(&self) {
        self.send("Stop", &json!({"last_assistant_message": "Done.", "stop_hook_active": false}));
    }

    /// What was captured as the word of the user.
    fn users_words(&self) -> Vec<String> {
        let rows = self.home.query("SELECT text FROM memories WHERE trust = 'user' ORDER BY text");
        rows.iter().map(|it| it["text"].as_str().unwrap().to_owned()).collect()
    }
}

/// Rows of others, with the marks that were recorded in the client; the hook of some of them comes
/// first, with the bare text.
fn foreign() -> Vec<(&'static str, Value, String, bool)> {
    let teammate = format!(
        "Another Claude session sent a message:\n<teammate-message teammate_id=\"helper\" \
         color=\"blue\" summary=\"rule\">\n{RULE}\n</teammate-message>\n\nThis came from another \
         Claude session."
    );
    let peer = json!({"origin": {"kind": "peer", "from": "uds:/x"}, "promptSource": "system"});
    let channel =
        json!({"origin": {"kind": "channel", "server": "chat"}, "promptSource": "system"});
    let plan = json!({"origin": {"kind": "auto-continuation"}, "promptSource": "typed"});
    let unknown = json!({"origin": {"kind": "telepathy"}, "promptSource": "typed"});
    vec![
        ("a teammate", json!({"entrypoint": "cli"}), teammate, false),
        (
            "a teammate without words around it",
            json!({"entrypoint": "cli"}),
            RULE.to_owned(),
            false,
        ),
        ("a schedule", scheduled(), RULE.to_owned(), true),
        ("a peer", peer, RULE.to_owned(), true),
        ("a channel", channel, format!("<channel source=\"chat\">\n{RULE}\n</channel>"), true),
        ("an accepted plan", plan, format!("Implement the following plan:\n\n{RULE}"), true),
        ("a party that is not known yet", unknown, RULE.to_owned(), true),
        (
            "a host",
            json!({"isMeta": true, "origin": {"kind": "unclassified"}, "promptSource": "system"}),
            format!("[MESSAGE FROM NON-USER SOURCE - NOT USER INPUT]\n{RULE}"),
            true,
        ),
    ]
}

#[test]
fn the_rule_of_another_party_is_not_captured_as_the_users() {
    for version in ["2.1.197", "2.1.325"] {
        for (who, marks, text, _) in foreign() {
            let world = World::new(version, "");
            world.submit("please look at the build");
            world.row(&typed(), "please look at the build");
            world.row(&marks, &text);
            world.stop();
            assert_eq!(world.users_words(), [""; 0], "{version}: {who}");
        }
        // The same words, typed, and given by a program.
        for marks in [typed(), json!({"promptSource": "sdk", "entrypoint": "sdk-cli"})] {
            let world = World::new(version, "");
            world.submit(RULE);
            world.row(&marks, RULE);
            world.stop();
            assert_eq!(world.users_words(), [RULE], "{version}: {marks}");
        }
    }
}

#[test]
fn what_was_queued_is_the_users_only_where_the_user_typed_it() {
    let queued = |marks: Value| {
        let mut attachment = json!({"type": "queued_command", "prompt": RULE});
        attachment.as_object_mut().unwrap().extend(marks.as_object().unwrap().clone());
        json!({"type": "attachment", "sessionId": SESSION, "version": "2.1.197",
            "entrypoint": "cli", "attachment": attachment})
    };
    let cases = [
        (json!({"commandMode": "prompt", "origin": {"kind": "human"}}), true),
        (json!({"commandMode": "prompt", "origin": {"kind": "peer", "from": "x"}}), false),
        (json!({"commandMode": "task-notification"}), false),
        (json!({"commandMode": "prompt"}), false),
    ];
    for (marks, is_users) in cases {
        let world = World::new("2.1.197", "");
        world.row(&typed(), "please begin");
        world.write_row(&queued(marks.clone()));
        world.stop();
        assert_eq!(!world.users_words().is_empty(), is_users, "{marks}");
    }
}

/// The hook of a scheduled prompt looks like one of the user. The row comes after it, as a rule
/// before the agent stops, in a quick turn after that.
#[test]
fn a_prompt_of_another_party_resets_no_cap() {
    for (who, marks, text, has_hook) in foreign() {
        if !has_hook {
            continue;
        }
        for is_late in [false, true] {
            let world = World::new("2.1.325", "gates.asks_per_prompt = 1\n");
            world.submit("change the parser");
            world.row(&typed(), "change the parser");
            assert!(world.is_asked("a.rs"));
            assert!(!world.is_asked("b.rs"), "the cap holds");
            let sent = text.split_once("INPUT]\n").map_or(&*text, |it| it.1);
            world.submit(sent);
            if is_late {
                // Until the row is read nobody knows, and the agent may be asked once more.
                world.is_asked("c.rs");
            }
            world.row(&marks, &text);
            assert!(!world.is_asked("d.rs"), "{who}, late: {is_late}");
            assert!(!world.is_asked("e.rs"), "{who}, late: {is_late}");
            world.submit("now the docs");
            world.row(&typed(), "now the docs");
            assert!(world.is_asked("f.rs"), "the user is back: {who}");
        }
    }
}

#[test]
fn a_program_gives_a_prompt_that_resets_the_cap_and_commands_nothing() {
    let world = World::new("2.1.325", "gates.asks_per_prompt = 1\n");
    let given = json!({"promptSource": "sdk", "entrypoint": "sdk-cli"});
    for file in ["a.rs", "b.rs"] {
        let text = format!("change {file}");
        world.submit(&text);
        world.row(&given, &text);
        assert!(world.is_asked(file), "{file}");
    }
    let said = "The root cause is that the cache key leaves out the tenant, so one tenant reads \
        what another one wrote.";
    for (marks, is_asked) in [(given, false), (scheduled(), false), (typed(), true)] {
        let world = World::new("2.1.325", "");
        world.submit("Why? And heal discoveries.");
        world.row(&marks, "Why? And heal discoveries.");
        let answer = world.send("Stop", &json!({"last_assistant_message": said}));
        let text = answer.to_string();
        assert_eq!(text.contains("windlass: before you stop"), is_asked, "{marks}: {text}");
    }
}

/// A turn may end before the row of its prompt is on the disk. What the user commands is heard then.
#[test]
fn a_command_of_the_user_is_heard_when_its_row_comes_late() {
    let world = World::new("2.1.325", "");
    let said = "The root cause is that the cache key leaves out the tenant, so one tenant reads \
        what another one wrote.";
    world.row(&typed(), "Why?");
    world.submit("heal discoveries");
    let answer = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(60));
            world.row(&typed(), "heal discoveries");
        });
        world.send("Stop", &json!({"last_assistant_message": said}))
    });
    assert!(answer.to_string().contains("windlass: before you stop"), "{answer}");
}

/// The summary of a session names what the user wanted, and not what a schedule wanted.
#[test]
fn a_session_is_not_about_what_a_schedule_wanted() {
    let world = World::new("2.1.197", "");
    let nightly = "Compile the nightly report of all the tenants.";
    world.submit(nightly);
    world.row(&scheduled(), nightly);
    world.stop();
    let wish = "Please find out why the tenants see each other's pages.";
    world.submit(wish);
    world.row(&typed(), wish);
    for file in ["a.rs", "b.rs", "c.rs", "d.rs", "e.rs"] {
        world.edit(file);
    }
    world.stop();
    world.send("SessionEnd", &json!({"reason": "other"}));
    let rows = world.home.query("SELECT * FROM memories WHERE category = 'session-summary'");
    let text = rows.first().unwrap().to_string();
    assert!(text.contains("see each other's pages"), "{text}");
    assert!(!text.contains("nightly report"), "{text}");
}

/// Files are read by the same table.
#[test]
fn an_import_and_a_replay_go_by_the_same_table() {
    for (who, marks, text, _) in foreign() {
        let world = World::new("2.1.325", "");
        world.row(&typed(), "please look at the build");
        world.row(&marks, &text);
        let run = |arguments: &[&str]| {
            let output = outside(world.home.path(), world.home.path(), arguments);
            assert!(output.status.success(), "{output:?}");
            String::from_utf8(output.stdout).unwrap()
        };
        run(&["import", "transcripts"]);
        assert_eq!(world.users_words(), [""; 0], "{who}");
    }
}
