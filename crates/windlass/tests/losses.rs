//! What is lost is noticed, told once, and can be brought back; caps hold whatever is lost.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::mounts::with_mounts;
use crate::support::{Home, Player, binary, feed, feed_exactly, outside, said, tidy, write};

const RULE: &str = "Never share a cache between tenants, because the keys do not name them.";

/// A project in a home of its own, in which sessions are played.
struct World {
    home: Home,
}

impl Player for World {
    fn root(&self) -> PathBuf {
        self.home.project()
    }

    fn hook(&self) -> Command {
        self.home.command()
    }
}

impl World {
    fn new() -> Self {
        Self { home: Home::new() }
    }

    #[track_caller]
    fn run(&self, arguments: &[&str]) -> String {
        said(&outside(self.home.path(), &self.root(), arguments), 0)
    }

    fn remember(&self, text: &str) -> String {
        let said = self.run(&["remember", "--category", "constraint", text]);
        said.strip_prefix("Remembered ").unwrap().split(':').next().unwrap().to_owned()
    }

    fn begins(&self, session: &str) -> Value {
        self.send(session, &json!({"hook_event_name": "SessionStart", "source": "startup"}))
    }

    /// What the user is told when a session begins.
    fn told_at_start(&self, session: &str) -> String {
        self.begins(session)["systemMessage"].as_str().unwrap_or_default().to_owned()
    }

    /// The agent edits, and a test fails.
    fn fails(&self, session: &str) {
        let file = self.root().join("a.rs");
        self.call(
            session,
            "Edit",
            &json!({"file_path": file, "old_string": "a",
            "new_string": "b"}),
            "The file a.rs has been updated successfully.",
        );
        self.call(
            session,
            "Bash",
            &json!({"command": "cargo test"}),
            "Exit code 101\ntest result: FAILED. 3 passed; 1 failed; 0 ignored",
        );
    }

    fn is_asked(&self, session: &str) -> bool {
        self.stop(session)["hookSpecificOutput"].is_object()
    }

    /// The store is gone, with its log.
    fn lose_store(&self) {
        for name in ["store.db", "store.db-wal", "store.db-shm"] {
            fs::remove_file(self.home.data().join(name)).unwrap_or_default();
        }
    }

    fn backups(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.home.data().join("backups")).into_iter().flatten();
        let mut all: Vec<_> = entries.map(|it| it.unwrap().path()).collect();
        all.sort();
        all
    }

    /// Makes a file look as if it was written so many days ago.
    fn age(path: &Path, days: u64) {
        let at = std::time::SystemTime::now() - std::time::Duration::from_secs(days * 86_400);
        fs::File::options().write(true).open(path).unwrap().set_modified(at).unwrap();
    }
}

#[test]
fn caps_hold_although_the_store_is_lost_between_two_stops() {
    let world = World::new();
    let file = world.home.path().join(".config/windlass/config.toml");
    write(&file, b"gates.asks_per_session = 7\n");
    world.start("s");
    let mut asks = 0;
    for _ in 0..8 {
        world.fails("s");
        asks += usize::from(world.is_asked("s"));
        world.lose_store();
    }
    assert_eq!(asks, 3, "as many as one prompt has");
    // The user speaks, and the session has its cap.
    for _ in 0..3 {
        world.prompt("s");
        for _ in 0..4 {
            world.fails("s");
            asks += usize::from(world.is_asked("s"));
        }
        world.lose_store();
    }
    assert_eq!(asks, 7);
}

#[test]
fn an_ask_is_counted_once_whether_the_store_is_lost_or_not() {
    let world = World::new();
    world.start("s");
    world.fails("s");
    assert!(world.is_asked("s"));
    world.fails("s");
    let asks = "SELECT count(*) AS count FROM decisions WHERE verdict = 'ask'";
    world.run(&["status"]);
    assert_eq!(world.home.query(asks), [json!({"count": 1})]);
    world.lose_store();
    world.run(&["status"]);
    assert_eq!(world.home.query(asks), [json!({"count": 1})]);
}

#[test]
fn a_store_that_vanished_is_told_of_once_with_the_way_back() {
    for how in ["gone", "empty"] {
        let world = World::new();
        world.start("a");
        world.remember(RULE);
        tidy(&world.home);
        let [backup] = world.backups().try_into().unwrap();
        assert!(backup.to_str().unwrap().contains("backups/automatic-weekly-2"), "{backup:?}");
        world.lose_store();
        if how == "empty" {
            fs::write(world.home.data().join("store.db"), "").unwrap();
        }
        world.stop("a");
        let command = format!("windlass store restore {}", backup.display());
        for shown in [world.run(&["status"]), world.doctor()] {
            assert!(shown.contains("The store was gone or empty on"), "{shown}");
            assert!(shown.contains(&command), "{shown}");
        }
        let told = world.told_at_start("b");
        assert!(told.contains("gone or empty") && told.contains(&command), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        assert_eq!(world.told_at_start("c"), "", "once");
        assert!(world.run(&["status"]).contains("gone or empty"), "it is still so");
        // The command brings it back, and nothing is lost any more.
        world.run(&["store", "restore", backup.to_str().unwrap()]);
        assert!(!world.run(&["status"]).contains("gone or empty"));
        let brief = world.begins("d")["hookSpecificOutput"]["additionalContext"].to_string();
        assert!(brief.contains("Never share a cache"), "{brief}");
        assert_eq!(world.told_at_start("e"), "");
    }
}

/// Nobody reads the answer: whoever begins the next session is told.
#[test]
fn a_loss_that_could_not_be_said_is_told_at_the_next_start() {
    let world = World::new();
    world.start("a");
    world.remember(RULE);
    tidy(&world.home);
    world.lose_store();
    world.stop("a");
    let lost = format!("{:020} {:020} {:020}\n", 3, 1_700_000_000_000_i64, 1_700_000_060_000_i64);
    fs::write(world.home.data().join("lost-events"), lost).unwrap();
    let mut hook = Command::new("/bin/sh");
    hook.args(["-c", r#""$0" hook > /dev/full"#]).arg(binary()).env_clear();
    hook.env("HOME", world.home.path());
    let start = json!({"hook_event_name": "SessionStart", "session_id": "b", "source": "startup",
        "cwd": world.root()});
    feed(&mut hook, start.to_string().as_bytes());
    for (session, is_told) in [("c", true), ("d", false)] {
        let told = world.told_at_start(session);
        for words in ["gone or empty", "3 events could not be recorded"] {
            assert_eq!(told.contains(words), is_told, "{session}: {told}");
        }
    }
}

impl World {
    fn doctor(&self) -> String {
        let output = outside(self.home.path(), &self.root(), &["doctor"]);
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    }
}

#[test]
fn a_store_that_was_replaced_is_told_of() {
    let world = World::new();
    world.start("a");
    tidy(&world.home);
    let store = world.home.data().join("store.db");
    let old = fs::read(&store).unwrap();
    world.remember(RULE);
    tidy(&world.home);
    // An older state of the same store.
    world.lose_store();
    write(&store, &old);
    assert!(world.run(&["status"]).contains("An older copy stands in the place of the store"));
    let told = world.told_at_start("b");
    assert!(told.contains("An older copy") && told.contains("windlass store restore "), "{told}");
    assert_eq!(world.told_at_start("c"), "");
    // The store of another home.
    let other = World::new();
    other.start("x");
    tidy(&other.home);
    world.lose_store();
    fs::copy(other.home.data().join("store.db"), &store).unwrap();
    // Whoever tidies first hides nothing.
    tidy(&world.home);
    assert!(world.doctor().contains("Another store stands in the place of yours"));
    let told = world.told_at_start("d");
    assert!(told.contains("Another store stands in the place of yours"), "{told}");
}

#[test]
fn a_damaged_store_is_told_of_when_a_session_begins() {
    let world = World::new();
    world.start("a");
    tidy(&world.home);
    let store = world.home.data().join("store.db");
    let whole = fs::read(&store).unwrap();
    let [backup] = world.backups().try_into().unwrap();
    // What `store restore` refuses is not offered.
    fs::write(world.home.data().join("backup-9.db"), "").unwrap();
    for damage in [&whole[..whole.len() / 2], &vec![7; 9000]] {
        world.lose_store();
        write(&store, damage);
        let told = world.told_at_start("b");
        let command = format!("windlass store restore {}", backup.display());
        assert!(told.contains("The store is damaged") && told.contains(&command), "{told}");
        assert_eq!(world.stop("b"), Value::Null);
        let output = outside(world.home.path(), &world.root(), &["status"]);
        let status = String::from_utf8(output.stdout).unwrap();
        assert!(status.contains(&command), "{status}");
        assert!(world.doctor().contains(&command));
    }
}

#[test]
fn what_the_user_chose_is_no_loss() {
    let world = World::new();
    world.start("a");
    tidy(&world.home);
    world.run(&["store", "restore", "--empty"]);
    assert_eq!(world.told_at_start("b"), "");
    tidy(&world.home);
    world.run(&["store", "compact"]);
    assert_eq!(world.told_at_start("c"), "");
    assert!(!world.run(&["status"]).contains("stands in the place"));
}

#[test]
fn two_copies_are_kept_and_one_is_made_a_week() {
    let world = World::new();
    world.start("a");
    tidy(&world.home);
    tidy(&world.home);
    assert_eq!(world.backups().len(), 1, "not each time");
    for round in 0..3 {
        // As if the last one was made on another day.
        for (place, backup) in world.backups().iter().rev().enumerate() {
            let name = format!("automatic-weekly-1999-0{}-0{}.db", 9 - round, 9 - place);
            let renamed = backup.with_file_name(name);
            fs::rename(backup, &renamed).unwrap();
            World::age(&renamed, 8 + 8 * place as u64);
        }
        tidy(&world.home);
    }
    let all = world.backups();
    assert_eq!(all.len(), 2, "{all:?}");
    use std::os::unix::fs::PermissionsExt;
    for backup in all {
        assert_eq!(fs::metadata(&backup).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn a_copy_is_kept_before_the_schema_changes() {
    let world = World::new();
    world.start("a");
    let id = world.remember(RULE);
    // What an older windlass left: the last step was not done yet. It adds columns.
    let store = Connection::open(world.home.data().join("store.db")).unwrap();
    let version: i64 = store.query_row("PRAGMA user_version", [], |it| it.get(0)).unwrap();
    store.pragma_update(None, "user_version", version - 1).unwrap();
    drop(store);
    // The step may fail on what is there already; the copy was made before it.
    outside(world.home.path(), &world.root(), &["status"]);
    let [backup] = world.backups().try_into().unwrap();
    let name = backup.file_name().unwrap().to_str().unwrap();
    let expected = format!("automatic-before-update-of-version-{}-2", version - 1);
    assert!(name.starts_with(&expected) && name.contains(".db"), "{name}");
    let copy = Connection::open(&backup).unwrap();
    let found: i64 = copy
        .query_row("SELECT count(*) FROM memories WHERE id = ?1", [id], |it| it.get(0))
        .unwrap();
    assert_eq!(found, 1, "with what stood in the log");
}

#[test]
fn what_is_forgotten_is_in_no_copy_that_windlass_made() {
    let world = World::new();
    world.start("a");
    let id = world.remember("The kumquatdrawer key leaves out the zanzibarshelf of a tenant.");
    tidy(&world.home);
    let holds = |path: &PathBuf| {
        let bytes = fs::read(path).unwrap();
        bytes.windows(13).any(|it| it == b"kumquatdrawer")
    };
    assert!(world.backups().iter().any(holds));
    world.run(&["memory", "forget", &id, "--yes"]);
    assert!(!world.backups().iter().any(holds), "{:?}", world.backups());
    tidy(&world.home);
    assert_eq!(world.backups().len(), 1, "a new one is made");
    assert!(!world.backups().iter().any(holds));
}

/// User settings and a plugin: the client starts both at once.
#[test]
fn who_is_registered_twice_records_asks_and_briefs_once() {
    let world = World::new();
    world.remember(RULE);
    let at_once = |event: &Value| -> Vec<String> {
        let mut payload = json!({"session_id": "s", "prompt_id": "p1", "cwd": world.root(),
            "permission_mode": "default"});
        payload.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        let text = payload.to_string();
        let spawn = |_| {
            let mut command = world.home.command();
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
            command.spawn().unwrap()
        };
        let mut children: Vec<_> = (0..2).map(spawn).collect();
        // Both have begun once they wait for the event.
        for child in &children {
            let stat = format!("/proc/{}/stat", child.id());
            while !fs::read_to_string(&stat).unwrap().contains(") S ") {
                std::thread::yield_now();
            }
        }
        for child in &mut children {
            use std::io::Write as _;
            child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        }
        let outputs = children.into_iter().map(|it| it.wait_with_output().unwrap().stdout);
        outputs.map(|it| String::from_utf8(it).unwrap()).filter(|it| !it.is_empty()).collect()
    };
    let brief = at_once(&json!({"hook_event_name": "SessionStart", "source": "startup"}));
    assert_eq!(brief.len(), 1, "{brief:?}");
    at_once(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "fix it"}));
    let call = |id: &str, tool: &str, input: Value, answer: &str| {
        let call = json!({"tool_name": tool, "tool_input": input, "tool_use_id": id,
            "tool_response": answer});
        at_once(&json!({"hook_event_name": "PostToolBatch", "tool_calls": [call]}));
    };
    for round in 0..3 {
        let file = world.root().join("a.rs");
        call(
            &format!("e{round}"),
            "Edit",
            json!({"file_path": file, "old_string": "a",
            "new_string": "b"}),
            "The file a.rs has been updated successfully.",
        );
        call(
            &format!("t{round}"),
            "Bash",
            json!({"command": "cargo test"}),
            "Exit code 101\ntest result: FAILED. 3 passed; 1 failed; 0 ignored",
        );
        let asked = at_once(&json!({"hook_event_name": "Stop", "stop_hook_active": round > 0,
            "last_assistant_message": "Done.", "background_tasks": [], "session_crons": []}));
        assert_eq!(asked.len(), 1, "{asked:?}");
        assert!(asked[0].contains("additionalContext"), "{asked:?}");
    }
    world.run(&["status"]);
    let count = |query: &str| world.home.query(query)[0]["count"].as_i64().unwrap();
    assert_eq!(count("SELECT count(*) AS count FROM decisions WHERE verdict = 'ask'"), 3);
    assert_eq!(count("SELECT count(*) AS count FROM events WHERE kind = 'stop'"), 3);
    assert_eq!(count("SELECT count(*) AS count FROM events WHERE kind = 'prompt'"), 1);
    assert_eq!(count("SELECT count(*) AS count FROM calls"), 6);
    assert_eq!(world.home.failures(), Vec::<Value>::new());
}

/// One after the other is twice, too, where the client gave it a name.
#[test]
fn a_call_that_is_reported_again_is_recorded_once() {
    let world = World::new();
    world.start("s");
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "ls"},
        "tool_use_id": "toolu_7", "tool_response": "a"});
    let mut payload = json!({"session_id": "s", "cwd": world.root(), "tool_calls": [call],
        "hook_event_name": "PostToolBatch"});
    payload["permission_mode"] = "default".into();
    for _ in 0..2 {
        feed_exactly(&mut world.hook(), payload.to_string().as_bytes());
    }
    let records = world.home.records();
    assert_eq!(records.iter().filter(|it| it["event"] == "tool").count(), 1, "{records:?}");
}

/// The second process may be started late.
#[test]
fn a_stop_that_is_reported_again_a_moment_later_is_one_stop() {
    let world = World::new();
    world.start("s");
    world.fails("s");
    let stop = |continued: bool| {
        let stop = json!({"hook_event_name": "Stop", "session_id": "s", "cwd": world.root(),
            "prompt_id": "p1", "permission_mode": "default", "stop_hook_active": continued,
            "last_assistant_message": "Done.", "background_tasks": [], "session_crons": []});
        let output = feed_exactly(&mut world.hook(), stop.to_string().as_bytes());
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(stop(false).contains("additionalContext"));
    std::thread::sleep(std::time::Duration::from_millis(120));
    assert_eq!(stop(false), "");
    world.run(&["status"]);
    let stops = "SELECT id FROM events WHERE kind = 'stop'";
    assert_eq!(world.home.query(stops).len(), 1);
    // It was sent back, and stops again in the same words.
    assert!(stop(true).contains("The agent stopped"));
    assert_eq!(stop(true), "");
    world.run(&["status"]);
    assert_eq!(world.home.query(stops).len(), 2);
}

/// An agent that worked in between stops again in the same words; a prompt with an id comes once.
#[test]
fn a_second_stop_after_a_call_is_answered() {
    let world = World::new();
    world.start("s");
    world.run(&["loop", "start", "t", "--until", "false", "--session", "s"]);
    let exactly = |event: &Value| {
        let mut payload = json!({"session_id": "s", "cwd": world.root(), "prompt_id": "p1",
            "permission_mode": "default"});
        payload.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        let output = feed_exactly(&mut world.hook(), payload.to_string().as_bytes());
        serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
    };
    let stop = json!({"hook_event_name": "Stop", "stop_hook_active": false,
        "last_assistant_message": "Done.", "background_tasks": [], "session_crons": []});
    let is_ask = |answer: &Value| !answer["hookSpecificOutput"]["additionalContext"].is_null();
    for round in 0..3 {
        world.call("s", "Read", &json!({"file_path": format!("/p/{round}")}), "x");
        assert!(is_ask(&exactly(&stop)), "a stop of its own");
    }
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "prompt": "now", "prompt_id": "p2"});
    for _ in 0..2 {
        exactly(&prompt);
        std::thread::sleep(std::time::Duration::from_millis(60));
    }
    world.run(&["status"]);
    let count = |query: &str| world.home.query(query)[0]["count"].as_i64().unwrap();
    assert_eq!(count("SELECT count(*) AS count FROM events WHERE kind = 'stop'"), 3);
    assert_eq!(count("SELECT count(*) AS count FROM events WHERE kind = 'prompt'"), 2);
}

#[test]
fn a_prompt_that_is_delivered_again_resets_no_cap() {
    let world = World::new();
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "prompt": "fix it",
        "prompt_id": "p7"});
    world.send("s", &prompt);
    let mut asks = 0;
    for _ in 0..6 {
        world.fails("s");
        asks += usize::from(world.is_asked("s"));
        world.send("s", &prompt);
    }
    assert_eq!(asks, 3);
}

#[test]
fn a_brief_comes_from_a_store_that_cannot_be_written() {
    let script = |how: &str| {
        format!(
            r#"
        mount -t tmpfs tmpfs "$HOME" || exit 9
        mkdir -p "$HOME/p/.git"; cd "$HOME/p"
        "$0" remember --category constraint "{RULE}" > /dev/null || exit 8
        "$0" hook < "$1" > /dev/null
        {how}
        "$0" hook < "$1.start"; echo
        "$0" hook < "$1.prompt"; echo
        "$0" recall "tenants share cache keys" 2> /dev/null || echo "failed $?""#
        )
    };
    let data = r#""$HOME/.local/share/windlass""#;
    let ways = [
        r#"mount -o remount,ro "$HOME" || exit 7"#.to_owned(),
        format!("mount --bind {data} {data} && mount -o remount,bind,ro {data} || exit 7"),
        format!(
            "mount --bind {data}/store.db {data}/store.db && \
            mount -o remount,bind,ro {data}/store.db || exit 7"
        ),
        // The files that SQLite wants beside it are missing.
        format!("rm -f {data}/store.db-shm; mount -o remount,ro \"$HOME\" || exit 7"),
    ];
    for way in ways {
        let start = json!({"hook_event_name": "SessionStart", "session_id": "n",
            "source": "startup", "cwd": "HOME/p"});
        let prompt = json!({"hook_event_name": "UserPromptSubmit", "session_id": "n",
            "prompt": "may tenants share one cache, or do the keys name them?", "cwd": "HOME/p"});
        let more = [("start", start), ("prompt", prompt)];
        let Some((_, said)) = with_mounts(&script(&way), &more) else { return };
        let lines: Vec<_> = said.lines().filter(|it| !it.is_empty()).collect();
        let recalled = lines.get(2..).unwrap_or_default().join(" ");
        assert!(recalled.contains("Never share a cache"), "{way}: {said}");
        for (line, event) in lines.iter().zip(["SessionStart", "UserPromptSubmit"]) {
            let answer: Value = serde_json::from_str(line).unwrap();
            assert_eq!(answer["hookSpecificOutput"]["hookEventName"], event, "{way}");
            let text = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
            assert!(text.contains("Never share a cache"), "{way}: {text}");
        }
    }
}

#[test]
fn events_that_a_full_disk_lost_are_counted_and_told() {
    let script = r#"
        mount -t tmpfs -o size=2m tmpfs "$HOME" || exit 9
        "$0" hook < "$1.start" > /dev/null
        dd if=/dev/zero of="$HOME/fill" bs=1k count=4000 2> /dev/null
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            sed "s/NUMBER/$i/" "$1.tool" | "$0" hook || echo "failed $?"
        done
        "$0" status > "$1.full"; cat "$1.full" | sed "s/^/full: /"
        rm "$HOME/fill"
        "$0" hook < "$1.prompt"; echo
        "$0" hook < "$1.again"; echo
        "$0" status"#;
    let start = json!({"hook_event_name": "SessionStart", "session_id": "n", "source": "startup",
        "cwd": "/p"});
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "ls"},
        "tool_use_id": "toolu_NUMBER", "tool_response": "words ".repeat(1000)});
    let tool = json!({"hook_event_name": "PostToolBatch", "session_id": "n", "cwd": "/p",
        "tool_calls": [call]});
    let prompt = |text: &str| {
        json!({"hook_event_name": "UserPromptSubmit", "session_id": "n",
        "prompt": text, "cwd": "/p"})
    };
    let more = [
        ("start", start),
        ("tool", tool),
        ("prompt", prompt("go on")),
        ("again", prompt("and on")),
    ];
    let Some((_, said)) = with_mounts(script, &more) else { return };
    let told: Vec<_> = said.lines().filter(|it| it.contains("systemMessage")).collect();
    assert_eq!(told.len(), 1, "once: {said}");
    let told: Value = serde_json::from_str(told[0]).unwrap();
    let told = told["systemMessage"].as_str().unwrap();
    assert!(told.contains(" events could not be recorded ("), "{told}");
    let count: i64 = told.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!((10..=20).contains(&count), "{told}");
    assert!(said.contains("events could not be recorded"), "{said}");
    let full: Vec<_> = said.lines().filter(|it| it.starts_with("full: ")).collect();
    let full = full.join("\n");
    assert!(
        full.contains(" events could not be recorded (") && full.contains("The disk of "),
        "{full}"
    );
    assert!(!full.contains("No failures") && full.contains("may be missing"), "{full}");
}

#[test]
fn a_broken_settings_file_still_protects() {
    let world = World::new();
    let file = world.home.path().join(".config/windlass/config.toml");
    write(&file, b"[ledger]\ntexts = false\n\n[gates.proof]\nmode = \"off\"\n");
    world.start("a");
    let broken = [
        "[ledger]\ntexts = fal\n\n[gates.proof\nmode = \"off\"\n".to_owned().into_bytes(),
        b"[ledger\ntexts = false\n".to_vec(),
        b"\xff\xfe\n[ledg".to_vec(),
        vec![b'x'; 300 << 10],
    ];
    for (round, text) in broken.iter().enumerate() {
        write(&file, text);
        let session = format!("s{round}");
        let told = world.told_at_start(&session);
        assert!(told.contains("your settings are broken"), "{told}");
        assert!(told.contains("ledger.texts") && told.contains("gates.proof.mode"), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        world.prompt(&session);
        world.fails(&session);
        assert!(!world.is_asked(&session));
    }
    let held = world.home.columns_with("go on");
    assert_eq!(held, Vec::<String>::new());
    // What can be read counts, and says the last word.
    write(&file, b"broken\n[ledger]\ntexts = true\n[transcripts]\nread = false\n");
    let config = world.run(&["config", "--json"]);
    let config: Value = serde_json::from_str(&config).unwrap();
    let value = |key: &str| {
        let all = config["settings"].as_array().unwrap();
        all.iter().find(|it| it["key"] == key).unwrap()["value"].clone()
    };
    assert_eq!(value("ledger.texts"), json!(true));
    assert_eq!(value("transcripts.read"), json!(false));
    assert_eq!(value("gates.proof.mode"), json!("off"));
    // Mended, it counts as it is.
    write(&file, b"[ledger]\ntexts = true\n");
    assert_eq!(world.told_at_start("m"), "");
}

/// The value of a setting that is in force.
fn setting(world: &World, key: &str) -> Value {
    let output = Command::new(binary())
        .args(["config", "--json"])
        .env_clear()
        .env("HOME", world.home.path())
        .current_dir(world.root())
        .output()
        .unwrap();
    let config: Value = serde_json::from_slice(&output.stdout).unwrap();
    let all = config["settings"].as_array().unwrap();
    all.iter().find(|it| it["key"] == key).unwrap()["value"].clone()
}

/// TOML that is whole and says nothing of what it is to say: a wrong value, a wrong name, a value in
/// the place of a table.
#[test]
fn a_wrong_value_or_name_takes_no_protection_away() {
    let cases = [
        ("ledger.texts", "[ledger]\ntexts = false\n", "[ledger]\ntexts = \"false\"\n"),
        ("ledger.texts", "[ledger]\ntexts = false\n", "[ledger]\ntexts = []\n"),
        ("ledger.texts", "[ledger]\ntexts = false\n", "[legder]\ntexts = false\n"),
        ("ledger.texts", "[ledger]\ntexts = false\n", "[ledger]\ntext = false\n"),
        ("ledger.texts", "[ledger]\ntexts = false\n", "ledger = false\n"),
        ("ledger.texts", "[ledger]\ntexts = false\n", "[[ledger]]\ntexts = false\n"),
        ("transcripts.read", "transcripts.read = false\n", "\"transcripts.read\" = false\n"),
        ("gates.proof.mode", "[gates.proof]\nmode = \"off\"\n", "[gates.proof]\nmode = 0\n"),
        ("gates.proof.mode", "[gates.proof]\nmode = \"off\"\n", "[gates.proof]\nmode = \"of\"\n"),
        ("gates.proof.mode", "[gates.proof]\nmode = \"off\"\n", "[gates.prof]\nmode = \"off\"\n"),
        ("gates.asks_per_prompt", "gates.asks_per_prompt = 1\n", "gates.asks_per_prompt = -1\n"),
        ("gates.asks_per_prompt", "gates.asks_per_prompt = 1\n", "gates.asks_per_prompts = 1\n"),
    ];
    for (key, good, wrong) in cases {
        let world = World::new();
        let file = world.home.path().join(".config/windlass/config.toml");
        write(&file, good.as_bytes());
        assert_eq!(world.told_at_start("a"), "");
        let wanted = setting(&world, key);
        write(&file, wrong.as_bytes());
        for session in ["b", "c"] {
            let told = world.told_at_start(session);
            let is_told = told.contains("your settings are broken: line ");
            assert!(is_told && told.contains(&format!("as before: {key};")), "{wrong}: {told}");
            assert_eq!(told.lines().count(), 1, "{told}");
            world.prompt(session);
            assert_eq!(setting(&world, key), wanted, "{wrong}");
        }
        if key == "ledger.texts" {
            assert_eq!(world.home.columns_with("go on"), Vec::<String>::new(), "{wrong}");
        }
        // A file that is broken after that is no way around it.
        write(&file, b"[ledg");
        assert!(world.told_at_start("d").contains(key), "{wrong}");
        assert_eq!(setting(&world, key), wanted, "{wrong}");
        write(&file, b"[ledger]\ndays = 20\n");
        assert_eq!(world.told_at_start("e"), "");
        assert_ne!(setting(&world, key), wanted, "taken out on purpose");
    }
}

#[test]
fn a_key_that_is_no_setting_is_told_once() {
    let world = World::new();
    let file = world.home.path().join(".config/windlass/config.toml");
    write(&file, b"[ledger]\ntexts = false\ncolour = 1\n");
    let told = world.told_at_start("a");
    assert!(told.contains("not a setting in ") && told.contains(": `ledger.colour`;"), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert_eq!(world.told_at_start("b"), "");
    write(&file, b"size = 2\n[ledger]\ntexts = false\ncolour = 1\n");
    assert!(world.told_at_start("c").contains("`size`"));
    assert_eq!(world.told_at_start("d"), "");
    // What is misspelt before anything was known is told as long as it is wrong.
    write(&file, b"[ledger]\ntexts = false\ndays = \"two\"\n");
    for session in ["e", "f"] {
        assert!(world.told_at_start(session).contains("`ledger.days` is a whole number"));
    }
}

#[test]
fn a_broken_settings_file_of_a_project_still_protects() {
    let world = World::new();
    let file = world.root().join(".windlass.toml");
    write(&file, b"[transcripts]\nread = false\n");
    world.start("a");
    write(&file, b"[transcripts\nread = false\n[ledger]\ntexts = false\n");
    let told = world.told_at_start("b");
    assert!(told.contains("project settings ignored: line 1 (not TOML)"), "{told}");
    let output = Command::new(binary())
        .args(["config", "--json"])
        .env_clear()
        .env("HOME", world.home.path())
        .current_dir(world.root())
        .output()
        .unwrap();
    let config: Value = serde_json::from_slice(&output.stdout).unwrap();
    let value = |key: &str| {
        let all = config["settings"].as_array().unwrap();
        all.iter().find(|it| it["key"] == key).unwrap()["value"].clone()
    };
    assert_eq!(value("transcripts.read"), json!(false), "as it was");
    assert_eq!(value("ledger.texts"), json!(false), "as it is");
}

/// A payload may name the file of another session, by mistake or on purpose.
#[test]
fn what_was_said_in_another_session_is_not_captured_here() {
    const OWN: &str = "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11";
    const OTHER: &str = "9d0c1f2e-3a4b-4c5d-8e6f-7a8b9c0d1e2f";
    const CAUSE: &str = "The root cause is that the cache key leaves the tenant out, so one tenant \
        reads what another one wrote.";
    let row = |session: Option<&str>| {
        let mut row = json!({"type": "assistant", "cwd": "/p", "message": {"role": "assistant",
            "content": [{"type": "text", "text": CAUSE}]}});
        if let Some(session) = session {
            row["sessionId"] = json!(session);
        }
        format!("{row}\n")
    };
    let cases = [
        (OTHER, Some(OTHER), false),
        (OTHER, None, false),
        (OWN, Some(OTHER), false),
        ("notes", Some(OTHER), false),
        (OWN, Some(OWN), true),
        (OWN, None, true),
        (OTHER, Some(OWN), true),
        ("notes", Some(OWN), true),
    ];
    for (name, session, is_captured) in cases {
        let world = World::new();
        let file = world.home.projects().join(format!("-p/{name}.jsonl"));
        write(&file, row(session).as_bytes());
        let stop = json!({"hook_event_name": "Stop", "session_id": OWN, "cwd": world.root(),
            "transcript_path": file, "stop_hook_active": false, "last_assistant_message": "Done."});
        let output = feed(&mut world.home.command(), stop.to_string().as_bytes());
        assert!(output.status.success());
        let kept = world.home.query("SELECT id FROM memories").len();
        assert_eq!(kept, usize::from(is_captured), "{name} {session:?}");
    }
}

#[test]
fn the_loss_of_the_whole_directory_is_told() {
    let world = World::new();
    world.start("s");
    tidy(&world.home);
    fs::remove_dir_all(world.home.data()).unwrap();
    assert!(world.run(&["status"]).contains("The store is gone"));
    let doctor = said(&outside(world.home.path(), &world.root(), &["doctor"]), 1);
    assert!(doctor.contains("The store is gone"), "{doctor}");
    let told = world.told_at_start("t");
    assert!(told.contains("The store was gone or empty on"), "{told}");
    assert!(!world.told_at_start("u").contains("The store was gone"), "it is told once");
    let place = world.home.path().join(".local/state/windlass");
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(place).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn what_stands_in_the_place_of_the_store_is_told() {
    let directory = |path: &Path| fs::create_dir(path).unwrap();
    let link = |path: &Path| std::os::unix::fs::symlink("/nowhere", path).unwrap();
    for plant in [directory as fn(&Path), link] {
        let world = World::new();
        world.start("s");
        world.lose_store();
        plant(&world.home.data().join("store.db"));
        let told = world.told_at_start("t");
        assert!(told.contains("Something else stands in the place of the store"), "{told}");
        let status = said(&outside(world.home.path(), &world.root(), &["status"]), 1);
        assert!(status.contains("The store is in trouble"), "{status}");
        let doctor = said(&outside(world.home.path(), &world.root(), &["doctor"]), 1);
        assert!(doctor.contains("store.db"), "{doctor}");
    }
}

/// Damage that no event meets is found when the store is tidied.
#[test]
fn damage_in_the_middle_is_found_and_told() {
    use std::os::unix::fs::FileExt;

    let world = World::new();
    world.start("s");
    for number in 0..60 {
        let text = format!("Rule {number} is about the part {number}, {}", "and more ".repeat(30));
        world.call("s", "Bash", &json!({"command": format!("echo {text}")}), &text);
    }
    world.stop("s");
    tidy(&world.home);
    let store = world.home.data().join("store.db");
    let pages: i64 = {
        let connection = Connection::open(&store).unwrap();
        // A page that no hook looks at.
        let query = "SELECT rootpage FROM sqlite_schema WHERE name = 'calls'";
        connection.query_row(query, [], |row| row.get(0)).unwrap()
    };
    let file = fs::File::options().write(true).open(&store).unwrap();
    let at = u64::try_from(pages - 1).unwrap() * 4096;
    file.write_all_at(&[0xff; 4096], at).unwrap();
    // `status` says so before any process tidies.
    let status = outside(world.home.path(), &world.root(), &["status"]);
    let status = said(&status, 1);
    assert!(
        status.contains("The store is damaged. Next: run `windlass store restore "),
        "{status}"
    );
    assert!(!status.contains("No failures"), "{status}");
    assert!(status.contains("Failures of the last 7 days may be missing"), "{status}");
    let mut command = Command::new(binary());
    command.arg("tidy").env_clear().env("HOME", world.home.path()).output().unwrap();
    let status = outside(world.home.path(), &world.root(), &["status"]);
    let status = String::from_utf8(status.stdout).unwrap();
    assert!(status.contains("The store is damaged"), "{status}");
    let doctor = said(&outside(world.home.path(), &world.root(), &["doctor"]), 1);
    assert!(doctor.contains("The store is damaged"), "{doctor}");
    let told = world.told_at_start("t");
    assert!(told.contains("The store is damaged"), "{told}");
}
