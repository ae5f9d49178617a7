//! `import` of knowledge as a user meets it: everything becomes a candidate, and nothing twice.

use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::{scope, sleep};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Home, binary, on_terminal, outside, said, write};

pub(crate) const SESSION: &str = "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11";

pub(crate) const CAUSE: &str = "The root cause is that the cache key leaves out the tenant, so one tenant \
    reads what another one wrote.";

pub(crate) const RULE: &str =
    "We must never share a cache between tenants, because the keys do not name them.";

/// A home with a project, and conversations in the client's directory.
pub(crate) struct World {
    pub(crate) home: Home,
}

impl World {
    pub(crate) fn new() -> Self {
        let home = Home::new();
        fs::create_dir_all(home.path().join("p/.git")).unwrap();
        write(&home.path().join("p/.git/HEAD"), b"ref: refs/heads/main\n");
        fs::create_dir_all(home.projects().join("-p")).unwrap();
        Self { home }
    }

    pub(crate) fn transcript(&self, name: &str) -> PathBuf {
        self.home.projects().join(format!("-p/{name}.jsonl"))
    }

    fn row(&self, role: &str, content: &Value) -> String {
        let cwd = self.home.path().join("p");
        let row = json!({"type": role, "sessionId": SESSION, "cwd": cwd,
            "timestamp": "2020-03-04T05:06:07.000Z", "message": {"role": role, "content": content}});
        format!("{row}\n")
    }

    fn prompt(&self, text: &str) -> String {
        self.row("user", &json!(text))
    }

    pub(crate) fn said(&self, text: &str) -> String {
        self.row("assistant", &json!([{"type": "text", "text": text}]))
    }

    /// Two turns with something worth keeping in each.
    pub(crate) fn conversation(&self) -> String {
        let rows = [
            self.prompt("Why do tenants see each other's pages?"),
            self.said(CAUSE),
            self.prompt("Then mend it."),
            self.said(RULE),
        ];
        rows.concat()
    }

    pub(crate) fn run(&self, arguments: &[&str], code: i32) -> String {
        said(&outside(self.home.path(), self.home.path(), arguments), code)
    }

    pub(crate) fn memories(&self) -> Vec<Value> {
        let columns = "id, project, session, state, category, text, trust, origin, made_at";
        self.home.query(&format!("SELECT {columns} FROM memories ORDER BY text, id"))
    }

    /// All that an import could change.
    pub(crate) fn everything(&self) -> [Vec<Value>; 3] {
        [
            self.home.query("SELECT * FROM memories ORDER BY id"),
            self.home.query("SELECT * FROM memory_changes ORDER BY memory, number"),
            self.home.query("SELECT * FROM marks ORDER BY name"),
        ]
    }
}

pub(crate) fn append(path: &PathBuf, text: &str) {
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[test]
fn past_sessions_become_candidates_of_their_project_once() {
    let world = World::new();
    let file = world.transcript(SESSION);
    append(&file, &world.conversation());
    append(&world.transcript("agent-1"), &world.said(&CAUSE.replace("cache", "agent")));
    let text = world.run(&["import", "transcripts"], 0);
    assert!(text.contains("Imported 1 file with 4 messages: 2 new candidates, 0 known"), "{text}");
    let kept = world.memories();
    let texts: Vec<_> = kept.iter().map(|it| it["text"].as_str().unwrap()).collect();
    assert_eq!(texts, [CAUSE, RULE]);
    for memory in &kept {
        assert_eq!((&memory["state"], &memory["trust"]), (&json!("candidate"), &json!("agent")));
        assert_eq!(memory["session"], SESSION);
        assert!(memory["project"].is_i64(), "{memory}");
        assert_eq!(memory["made_at"], 1_583_298_367_000_i64, "when it was said");
        let origin: Value = serde_json::from_str(memory["origin"].as_str().unwrap()).unwrap();
        assert_eq!(origin["import"], json!(file), "{origin}");
        assert_eq!(origin["transcript"], json!(file), "{origin}");
    }
    let before = world.everything();
    let again = world.run(&["import", "transcripts"], 0);
    assert!(
        again.contains("0 new candidates") && again.contains("1 file has nothing new"),
        "{again}"
    );
    assert_eq!(world.everything(), before);

    // What is still being written waits; what is new is taken.
    append(&file, &world.prompt("And the ports?"));
    let more = world.said(
        "It turns out that the port 5432 is taken by a second server, which is \
        why the tests hang.",
    );
    let (begun, rest) = more.split_at(more.len() - 9);
    append(&file, begun);
    assert!(world.run(&["import", "transcripts"], 0).contains("with 1 message: 0 new candidates"));
    append(&file, rest);
    assert!(world.run(&["import", "transcripts"], 0).contains("with 1 message: 1 new candidate,"));
}

#[test]
fn what_was_said_long_ago_is_not_let_go_before_anybody_saw_it() {
    let world = World::new();
    append(&world.transcript(SESSION), &world.conversation());
    world.run(&["import", "transcripts"], 0);
    crate::support::tidy(&world.home);
    assert!(world.memories().iter().all(|it| it["state"] == "candidate"));
}

#[test]
fn what_a_hook_kept_or_the_user_rejected_does_not_come_back() {
    let world = World::new();
    let file = world.transcript(SESSION);
    append(&file, &world.conversation());
    let payload = json!({"hook_event_name": "Stop", "session_id": SESSION,
        "cwd": world.home.path().join("p"), "transcript_path": file,
        "permission_mode": "default", "last_assistant_message": "Done.", "stop_hook_active": false});
    world.home.hook(payload.to_string());
    let before = world.memories();
    assert_eq!(before.len(), 2);
    // As `reject` leaves it.
    let bury = "UPDATE memories SET state = 'rejected', title = '', text = '', body = '{}'
        WHERE text LIKE '%root cause%' RETURNING id";
    assert_eq!(world.home.query(bury).len(), 1);
    // The same words, in another session too.
    append(&world.transcript("another"), &world.conversation());
    let text = world.run(&["import", "transcripts"], 0);
    assert!(text.contains("0 new candidates"), "{text}");
    let after = world.memories();
    assert_eq!(after.len(), 2);
    assert!(after.iter().all(|it| it["text"] != CAUSE), "{after:?}");
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let world = World::new();
    append(&world.transcript(SESSION), &world.conversation());
    append(&world.transcript("a-foreign-one"), "{\"type\": \"message\"}\n");
    symlink("/etc/passwd", world.transcript("a-link")).unwrap();
    let output = outside(world.home.path(), world.home.path(), &["import", "transcripts"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("a-foreign-one.jsonl: no row of it is one of a Claude Code"),
        "{errors}"
    );
    assert!(errors.contains("a-link.jsonl: the transcript is not a plain file"), "{errors}");
    assert!(errors.contains("; move it out of the client's directory"), "{errors}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("2 files could not be read."));
    assert_eq!(world.memories().len(), 2);
}

#[test]
fn odd_files_and_links_in_circles_are_no_trouble() {
    let world = World::new();
    let file = world.transcript(SESSION);
    append(&file, &world.conversation());
    let projects = world.home.projects();
    symlink(&projects, projects.join("-loop")).unwrap();
    symlink("-self", projects.join("-self")).unwrap();
    symlink(projects.join("-p"), projects.join("-again")).unwrap();
    symlink("/nowhere", projects.join("-nowhere")).unwrap();
    fs::create_dir_all(world.transcript("a-directory")).unwrap();
    append(&world.transcript("empty"), "");
    append(&world.transcript("begun"), "{\"type\": \"user\"");
    append(
        &world.transcript("rubbish"),
        &(world.said(CAUSE) + "{\"type\": \"us\n\0\u{fffd}{{{\n[]\n"),
    );
    let folder = projects.join(OsStr::from_bytes(b"-odd\xff"));
    fs::create_dir_all(&folder).unwrap();
    append(
        &folder.join(OsStr::from_bytes(b"\xfe\n.jsonl")),
        &world.said("It turns out that the port 5432 is taken by a second server, which is why the tests hang."),
    );
    let output = outside(world.home.path(), world.home.path(), &["import", "transcripts"]);
    let (text, errors) = (String::from_utf8(output.stdout), String::from_utf8(output.stderr));
    let (text, errors) = (text.unwrap(), errors.unwrap());
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("a-directory.jsonl: the transcript is not a plain file"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(text.contains("Imported 3 files with 6 messages: 3 new candidates, 1 known"), "{text}");
    assert!(text.contains("2 files have nothing new.\n1 file could not be read."), "{text}");
    assert!(text.contains("rows could not be read."), "{text}");
}

#[test]
fn settings_that_let_nobody_listen_are_kept_to_and_old_files_can_be_left_out() {
    let world = World::new();
    let file = world.transcript(SESSION);
    append(&file, &world.conversation());
    let long_ago = fs::FileTimes::new().set_modified(std::time::UNIX_EPOCH);
    OpenOptions::new().write(true).open(&file).unwrap().set_times(long_ago).unwrap();
    assert!(world.run(&["import", "transcripts", "--since", "2d"], 0).contains("0 files"));
    let settings = world.home.path().join(".config/windlass");
    fs::create_dir_all(&settings).unwrap();
    write(&settings.join("config.toml"), b"ledger.texts = false\n");
    let text = world.run(&["import", "transcripts"], 0);
    assert!(text.contains("1 file is left out by your settings."), "{text}");
    assert_eq!(world.memories(), Vec::<Value>::new());
    write(&settings.join("config.toml"), b"");
    world.run(&["import", "transcripts"], 0);
    assert_eq!(world.memories().len(), 2);
}

#[test]
fn no_secret_is_imported() {
    let world = World::new();
    let secret = "AKIAQ3EGRIXSZ7QKHBLM";
    let text = format!("{} The key was {secret} all the time.", CAUSE.trim_end_matches('.'));
    append(&world.transcript(SESSION), &(world.prompt("Why?") + &world.said(&text)));
    world.run(&["import", "transcripts"], 0);
    assert_eq!(world.memories().len(), 1);
    assert_eq!(world.home.columns_with(secret), Vec::<String>::new());
}

#[test]
fn whoever_is_killed_goes_on_where_the_last_part_ended() {
    let world = World::new();
    let file = world.transcript(SESSION);
    let text = long(&world);
    append(&file, &text);
    let mut import = Command::new(binary());
    import.args(["import", "transcripts"]).env_clear().env("HOME", world.home.path());
    import.current_dir(world.home.path()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = import.spawn().unwrap();
    while reached(&world).is_none() && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let to = reached(&world).unwrap();
    assert!(to > 0 && to < text.len() as u64, "it was killed on its way: {to}");
    let half = world.memories().len();
    world.run(&["import", "transcripts"], 0);
    let after = world.memories();
    assert!(half < after.len(), "{half}");

    let whole = World::new();
    let moved =
        text.replace(world.home.path().to_str().unwrap(), whole.home.path().to_str().unwrap());
    append(&whole.transcript(SESSION), &moved);
    whole.run(&["import", "transcripts"], 0);
    let words = |memories: Vec<Value>| -> Vec<_> {
        memories.into_iter().map(|it| (it["id"].clone(), it["text"].clone())).collect()
    };
    assert_eq!(words(after), words(whole.memories()));
    let before = world.everything();
    world.run(&["import", "transcripts"], 0);
    assert_eq!(world.everything(), before);
}

/// A long conversation with something to keep all over.
fn long(world: &World) -> String {
    let content = json!([{"type": "tool_result", "tool_use_id": "t", "content": "x".repeat(2000)}]);
    let filler = world.row("user", &content).repeat(4);
    let turn = |number: usize| {
        let said = world.said(&CAUSE.replace("tenant", &format!("client{number}")));
        world.prompt("Go on.") + &said + &filler
    };
    (0..1500).map(turn).collect()
}

/// How far the only file was imported.
fn reached(world: &World) -> Option<u64> {
    let exists = "SELECT 1 FROM sqlite_schema WHERE name = 'marks'";
    let query = "SELECT value FROM marks WHERE name LIKE 'imported_to:%'";
    let is_there =
        world.home.data().join("store.db").exists() && !world.home.query(exists).is_empty();
    let found = if is_there { world.home.query(query) } else { Vec::new() };
    found.first().and_then(|it| it["value"].as_u64())
}

#[test]
fn a_bar_has_one_line_and_is_taken_away_whatever_ends_it() {
    const BAR: char = '\u{2591}';
    let world = World::new();
    append(&world.transcript(SESSION), &long(&world));
    let go = world.home.path().join("go");
    let script = r#""$0" import transcripts & until [ -e "$1" ]; do sleep 0.01; done
        kill -TERM $! 2> /dev/null; wait $!; echo "code $?""#;
    let mut import = Command::new("/bin/sh");
    import.args(["-c", script]).arg(binary()).arg(&go).env_clear();
    import.env("HOME", world.home.path()).env("TERM", "xterm").current_dir(world.home.path());
    let text = scope(|scope| {
        scope.spawn(|| {
            while reached(&world).is_none() {
                sleep(Duration::from_millis(2));
            }
            write(&go, b"");
        });
        on_terminal(import, 40).0
    });
    assert!(text.contains(BAR) && text.contains("left") && !text.contains("[1A"), "{text:?}");
    let (before, code) = text.rsplit_once("code ").unwrap();
    assert_eq!(code.trim(), "143", "it ended as whoever sent the signal expects");
    let after = before.rsplit_once("\r\u{1b}[2K").unwrap().1;
    assert!(!after.contains(BAR) && !after.contains("left"), "{before:?}");

    let mut again = Command::new(binary());
    again.args(["import", "transcripts"]).env_clear().env("HOME", world.home.path());
    again.env("TERM", "xterm").current_dir(world.home.path());
    let (text, code) = on_terminal(again, 80);
    assert_eq!(code, Some(0));
    assert!(text.contains(" of ") && !text.contains("[1A"), "{text:?}");
    let last = text.rsplit_once("\r\u{1b}[2K").unwrap().1;
    assert!(last.starts_with("Imported 1 file"), "{last:?}");
}

#[test]
fn notes_and_memories_of_other_tools_become_candidates_that_nobody_trusts_yet() {
    let world = World::new();
    let project = world.home.path().join("p");
    fs::create_dir_all(project.join("old")).unwrap();
    let secret = "AKIAQ3EGRIXSZ7QKHBLM";
    let notes = format!("# Notes\n\n- {CAUSE}\n- Deploys need the key {secret} in the shell.\n");
    write(&project.join("old/MEMORY.md"), notes.as_bytes());
    let record = json!({"schema_version": "1.0", "category": "constraint", "id": "limit",
        "title": "Rate limit", "confidence": 0.8, "record_status": "active", "mood": "good",
        "content": {"rule": "The service takes 100 requests a minute.", "severity": "high",
            "kind": "other"}});
    write(&project.join("old/limit.json"), record.to_string().as_bytes());
    write(&project.join("old/broken.json"), b"{");
    let run = || said(&outside(world.home.path(), &project, &["import", "memories", "old"]), 1);
    let text = run();
    assert!(text.contains("Imported 2 files with 3 statements: 3 new candidates"), "{text}");
    assert!(text.contains("old/broken.json: it is no JSON"), "{text}");
    assert!(text.contains("limit.json: `mood`: not known to windlass"), "{text}");
    assert!(text.contains("limit.json: `content.kind`: the field `kind` takes one of"), "{text}");
    let kept = world.memories();
    assert_eq!(kept.len(), 3);
    for memory in &kept {
        assert_eq!((&memory["state"], &memory["trust"]), (&json!("candidate"), &json!("import")));
        assert!(memory["project"].is_i64() && memory["origin"].as_str().unwrap().contains("old/"));
    }
    assert_eq!(world.home.columns_with(secret), Vec::<String>::new());
    let before = world.everything();
    assert!(run().contains("0 new candidates, 0 known, 3 dropped"));
    assert_eq!(world.everything(), before);
}
