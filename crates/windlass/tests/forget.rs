//! What is forgotten leaves no byte, and does not come back.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::{Home, binary, feed, outside, said, tidy, tidy_up, write};

const SESSION: &str = "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11";

/// Something to learn, with words that stand nowhere else.
const CAUSE: &str = "The root cause is that the kumquatdrawer key leaves out the zanzibarshelf, so \
    one tenant reads what another one wrote.";
const OTHER: &str =
    "It turns out that the port 5432 is taken by a second server, which is why the tests hang.";

/// Words of the first that betray it, each by itself.
const WORDS: [&str; 3] = ["kumquatdrawer", "Kumquatdrawer", "zanzibarshelf"];

/// A project whose agent is asked for what it learned, and its conversation.
struct World {
    home: Home,
}

impl World {
    fn new() -> Self {
        let world = Self { home: Home::new() };
        fs::create_dir_all(world.home.projects().join("-p")).unwrap();
        write(
            &world.home.path().join(".config/windlass/config.toml"),
            b"gates.unsaved.mode = \"ask\"\n",
        );
        world
    }

    fn root(&self) -> PathBuf {
        self.home.project()
    }

    fn transcript(&self, session: &str) -> PathBuf {
        self.home.projects().join(format!("-p/{session}.jsonl"))
    }

    fn said_in(&self, session: &str, text: &str) {
        let row = json!({"type": "assistant", "sessionId": session, "cwd": self.root(),
            "message": {"role": "assistant", "content": [{"type": "text", "text": text}]}});
        self.write_row(session, &row);
    }

    fn write_row(&self, session: &str, row: &Value) {
        let file = self.transcript(session);
        let mut file = OpenOptions::new().create(true).append(true).open(file).unwrap();
        writeln!(file, "{row}").unwrap();
    }

    fn payload(&self, session: &str, event: &str, more: &Value) -> Value {
        let mut payload = json!({"hook_event_name": event, "session_id": session,
            "cwd": self.root(), "transcript_path": self.transcript(session), "prompt_id": "p1",
            "permission_mode": "default"});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        payload
    }

    fn send(&self, session: &str, event: &str, more: &Value) -> Value {
        let output = self.home.hook(self.payload(session, event, more).to_string());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap_or_default()
    }

    /// The agent says something and is asked about it.
    fn learns(&self, session: &str, text: &str) -> Value {
        let prompt = "Why? And heal discoveries.";
        self.send(session, "UserPromptSubmit", &json!({"prompt": prompt}));
        let row = json!({"type": "user", "sessionId": session, "origin": {"kind": "human"},
            "message": {"role": "user", "content": prompt}});
        self.write_row(session, &row);
        self.said_in(session, text);
        self.stop(session, text)
    }

    fn stop(&self, session: &str, message: &str) -> Value {
        let more = json!({"last_assistant_message": message, "stop_hook_active": false});
        self.send(session, "Stop", &more)
    }

    /// The id of what has a word in it.
    fn id(&self, word: &str) -> String {
        let query = format!("SELECT id FROM memories WHERE instr(text, '{word}')");
        let found = self.home.query(&query);
        assert_eq!(found.len(), 1, "{found:?}");
        found[0]["id"].as_str().unwrap().to_owned()
    }

    fn texts(&self) -> Vec<Value> {
        let rows = self.home.query("SELECT text FROM memories ORDER BY text");
        rows.into_iter().map(|it| it["text"].clone()).collect()
    }

    /// Runs a command as the user does.
    #[track_caller]
    fn run(&self, arguments: &[&str], code: i32) -> String {
        said(&outside(self.home.path(), &self.root(), arguments), code)
    }

    /// Runs a command as an agent does.
    fn agent(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(binary());
        command.args(arguments).env_clear().env("HOME", self.home.path());
        command.env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", SESSION);
        said(&feed(command.current_dir(self.root()).stdin(Stdio::null()), b""), 0)
    }

    /// The files of ours, and of the project, that hold a word.
    fn holding(&self, word: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for place in [self.home.data(), self.root()] {
            holding(&place, word.as_bytes(), &mut found);
        }
        found
    }

    #[track_caller]
    fn assert_gone(&self) {
        for word in WORDS {
            assert_eq!(self.holding(word), Vec::<PathBuf>::new(), "{word}");
        }
    }
}

fn holding(directory: &Path, word: &[u8], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            holding(&path, word, found);
        } else if fs::read(&path).unwrap().windows(word.len()).any(|it| it == word) {
            found.push(path);
        }
    }
}

/// The ask, its decision and the file that it names quote what they ask for.
#[test]
fn what_was_asked_for_is_gone_from_every_file() {
    let world = World::new();
    let answer = world.learns(SESSION, CAUSE);
    assert!(answer.to_string().contains(WORDS[0]), "{answer}");
    world.said_in(SESSION, OTHER);
    world.send(SESSION, "UserPromptSubmit", &json!({"prompt": "And?", "prompt_id": "p2"}));
    world.stop(SESSION, "Done.");
    let pending = world.home.data().join("pending");
    // What moves from the log of the store into the store is for a moment in neither.
    tidy_up(&world.home);
    let files = world.holding(WORDS[0]);
    assert!(files.iter().any(|it| it.starts_with(&pending)), "it was planted: {files:?}");
    assert!(files.len() >= 3, "it was planted: {files:?}");
    let said = world.run(&["memory", "forget", &world.id(WORDS[0])], 0);
    assert!(said.contains("Forgot 1 memory, and "), "{said}");
    world.assert_gone();
    // What is not ours is named, and what others wait for is still there.
    let transcript = world.transcript(SESSION);
    assert!(
        said.contains(transcript.to_str().unwrap()) && said.contains("still holds it"),
        "{said}"
    );
    let left = world.holding("second server").into_iter().filter(|it| it.starts_with(&pending));
    assert_eq!(left.count(), 1);
    assert_eq!(world.texts(), [OTHER]);
    tidy(&world.home);
    world.assert_gone();
}

/// Read again by the same session, by a copy of it, and by an import.
#[test]
fn what_is_forgotten_does_not_come_back_with_its_conversation() {
    let world = World::new();
    world.learns(SESSION, CAUSE);
    let id = world.id(WORDS[0]);
    world.run(
        &["remember", "The drawer is the culprit, and nothing else is", "--candidate", &id],
        0,
    );
    world.run(&["memory", "forget", &id], 0);
    world.assert_gone();
    // The client writes the file anew, so all of it is read again.
    let text = fs::read_to_string(world.transcript(SESSION)).unwrap();
    fs::write(world.transcript(SESSION), format!("{{\"type\":\"summary\"}}\n{text}")).unwrap();
    world.stop(SESSION, "Done.");
    fs::copy(world.transcript(SESSION), world.transcript("copy")).unwrap();
    world.stop("copy", "Done.");
    world.said_in("old", CAUSE);
    world.run(&["import", "transcripts"], 0);
    assert_eq!(world.texts(), [""; 0]);
    let told = world.agent(&["remember", CAUSE]);
    assert!(told.contains("the user had it forgotten"), "{told}");
    assert_eq!(world.texts(), [""; 0]);
    // The user may change their mind.
    world.run(&["remember", CAUSE], 0);
    assert_eq!(world.texts(), [CAUSE]);
    let id = world.id(WORDS[0]);
    world.run(&["memory", "retire", &id], 0);
    world.run(&["memory", "forget", &id], 0);
    // Elsewhere nobody forgot anything.
    let elsewhere = world.home.path().join("q");
    fs::create_dir_all(elsewhere.join(".git")).unwrap();
    let remember = outside(world.home.path(), &elsewhere, &["remember", CAUSE]);
    assert!(said(&remember, 0).contains("Remembered"));
}

/// What was rejected, and what was confirmed, does not wait in a file.
#[test]
fn what_is_settled_is_in_no_file_that_agents_read() {
    let known = &["remember", CAUSE][..];
    for settle in [&["candidates", "reject"][..], &["remember", "--candidate"], known] {
        let world = World::new();
        world.learns(SESSION, CAUSE);
        let pending = world.home.data().join("pending");
        assert_eq!(fs::read_dir(&pending).unwrap().count(), 1);
        // A process that was killed while it wrote one left this.
        fs::write(pending.join(".x.json.windlass-1-0"), CAUSE).unwrap();
        let id = world.id(WORDS[0]);
        let ids = if settle == known { &[][..] } else { &[id.as_str()] };
        world.agent(&[settle, ids].concat());
        assert_eq!(fs::read_dir(&pending).unwrap().count(), 0, "{settle:?}");
    }
}

/// A candidate that says something else now says it there too.
#[test]
fn what_is_changed_and_not_settled_waits_in_its_new_words() {
    let world = World::new();
    world.learns(SESSION, CAUSE);
    let (id, pending) = (world.id(WORDS[0]), world.home.data().join("pending"));
    world.run(&["memory", "edit", &id, "--text", OTHER, "--title", "The port is taken"], 0);
    let file = fs::read_dir(&pending).unwrap().next().unwrap().unwrap().path();
    let file: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    assert_eq!(file["pending"][0]["text"], OTHER, "{file}");
    assert_eq!(file["pending"][0]["key"], "kb:run:the-port-is-taken", "{file}");
}

/// Texts that a memory had before, and what took its place.
#[test]
fn the_past_of_a_memory_is_forgotten_with_it() {
    let world = World::new();
    let id = |said: String| said.split([' ', ':']).nth(1).unwrap().to_owned();
    let old = id(world.run(&["remember", CAUSE], 0));
    world
        .run(&["memory", "edit", &old, "--title", "The zanzibarshelf title", "--text", "x y z"], 0);
    let new = id(world.run(&["remember", OTHER], 0));
    world.run(&["memory", "supersede", &old, &new], 0);
    world.run(&["memory", "export", "--state", "any", "--to", "out"], 0);
    world.run(&["memory", "export", "--state", "any", "--to", "moved"], 0);
    fs::rename(world.root().join("moved"), world.home.path().join("elsewhere")).unwrap();
    fs::write(world.home.data().join("store.db.restored"), "left by a killed process").unwrap();
    let said = world.run(&["memory", "forget", &old], 0);
    world.assert_gone();
    assert!(said.contains("moved/") && said.contains("is not there any more"), "{said}");
    assert!(said.contains("store.db.restored is a copy of the store"), "{said}");
    assert_eq!(world.texts(), [OTHER]);
    let shown = world.run(&["memory", "show", &new, "--json"], 0);
    assert!(!shown.contains(&old), "{shown}");
}

/// Where a candidate was written to is known after its words are gone from the store.
#[test]
fn what_was_rejected_is_forgotten_in_the_file_that_it_was_exported_to() {
    let world = World::new();
    world.learns(SESSION, CAUSE);
    let id = world.id(WORDS[0]);
    world.run(&["memory", "export", &id, "--format", "json", "--to", "f.json"], 0);
    assert!(world.holding(WORDS[0]).contains(&world.root().join("f.json")), "it was planted");
    world.run(&["candidates", "reject", &id], 0);
    let said = world.run(&["memory", "forget", &id], 0);
    assert!(said.contains("f.json"), "{said}");
    assert!(!world.holding(WORDS[0]).contains(&world.root().join("f.json")), "{said}");
}

/// A memory of few words is gone from the command that made it.
#[test]
fn a_short_memory_is_gone_from_our_own_commands() {
    let world = World::new();
    let command = "windlass remember 'ask Quixote' --category preference";
    let call = json!({"tool_name": "Bash", "tool_use_id": "t1", "tool_response": "Remembered",
        "tool_input": {"command": command}});
    world.send(SESSION, "PostToolBatch", &json!({"tool_calls": [call]}));
    world.agent(&["remember", "ask Quixote", "--category", "preference"]);
    world.stop(SESSION, "Done.");
    assert!(!world.holding("Quixote").is_empty());
    world.run(&["memory", "forget", &world.id("Quixote")], 0);
    assert_eq!(world.holding("Quixote"), Vec::<PathBuf>::new());
}

/// A call as the client tells of it when it is over.
fn call(id: &str, command: &str, response: &str) -> Value {
    let call = json!({"tool_name": "Bash", "tool_use_id": id, "tool_response": response,
        "tool_input": {"command": command}});
    json!({"tool_calls": [call]})
}

impl World {
    /// A run fails, an edit mends it, and it passes.
    fn mends(&self, session: &str) {
        self.send(session, "UserPromptSubmit", &json!({"prompt": "Mend the parser"}));
        let test = "cargo test --workspace --locked";
        let failed = "Exit code 101\ntest parse ... FAILED\n\ntest result: FAILED. 1 failed";
        self.send(session, "PostToolBatch", &call("toolu_1", test, failed));
        let edit = json!({"tool_calls": [{"tool_name": "Edit", "tool_use_id": "toolu_2",
            "tool_response": "The file has been updated.",
            "tool_input": {"file_path": self.root().join("src/parse.rs"),
                "old_string": "a", "new_string": "b"}}]});
        self.send(session, "PostToolBatch", &edit);
        self.send(session, "PostToolBatch", &call("toolu_3", test, "test result: ok. 2 passed"));
        self.stop(session, "Done.");
    }

    fn ids_of(&self, category: &str) -> Vec<String> {
        let query = format!("SELECT id FROM memories WHERE category = '{category}' AND text <> ''");
        let found = self.home.query(&query);
        found.iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect()
    }
}

/// The summary of a session quotes what was said last; the user wrote it down elsewhere too.
#[test]
fn what_other_memories_quote_is_gone_from_them_too() {
    let world = World::new();
    world.mends(SESSION);
    world.send(SESSION, "PostToolBatch", &call("toolu_4", "ls src", "parse.rs"));
    world.learns(SESSION, &format!("All of it passes.\n\n{CAUSE}\n\nNothing is left to do."));
    world.send(SESSION, "SessionEnd", &json!({"reason": "other"}));
    let summary = world.ids_of("session-summary");
    let [summary] = &summary[..] else { panic!("it was planted: {summary:?}") };
    // The user made a memory of it in another project, and changed one so that its past has it.
    let elsewhere = world.home.path().join("q");
    fs::create_dir_all(elsewhere.join(".git")).unwrap();
    let run = |arguments: &[&str]| said(&outside(world.home.path(), &elsewhere, arguments), 0);
    let id = |said: String| said.split([' ', ':']).nth(1).unwrap().to_owned();
    let noted = id(run(&["remember", &format!("Mind this: {CAUSE} And mind the gap.")]));
    let past = id(run(&["remember", OTHER]));
    run(&["memory", "edit", &past, "--text", &format!("We thought so once. {CAUSE}")]);
    run(&["memory", "edit", &past, "--text", OTHER]);
    let open = "SELECT id FROM memories WHERE strong AND state = 'candidate'";
    let open = world.home.query(open);
    let [open] = &open[..] else { panic!("one: {open:?}") };
    let said = world.run(&["memory", "forget", open["id"].as_str().unwrap()], 0);
    world.assert_gone();
    assert!(said.contains(&format!("gone too: {summary}.")), "{said}");
    assert!(said.contains(&noted) && said.contains(&past), "{said}");
    // What others wrote around it is theirs.
    let texts = world.texts();
    let left = texts.iter().filter_map(Value::as_str).find(|it| it.contains("mind the gap"));
    assert_eq!(left.unwrap(), "Mind this: [forgotten]. And mind the gap.");
    assert!(texts.contains(&json!(OTHER)), "{texts:?}");
    // The session goes on, and is not summed up again with the words.
    world.stop(SESSION, "Done.");
    world.send(SESSION, "SessionEnd", &json!({"reason": "other"}));
    tidy(&world.home);
    world.assert_gone();
}

/// What a runbook is made of are commands, which stand wherever they ran.
#[test]
fn a_runbook_that_is_forgotten_takes_no_evidence_with_it() {
    let world = World::new();
    world.mends(SESSION);
    let found = world.ids_of("runbook");
    let [id] = &found[..] else { panic!("one: {found:?}") };
    // Another session is at work, and its run has failed.
    world.send("other", "UserPromptSubmit", &json!({"prompt": "Mend the lexer"}));
    let edit = json!({"tool_calls": [{"tool_name": "Edit", "tool_use_id": "toolu_8",
        "tool_response": "The file has been updated.",
        "tool_input": {"file_path": world.root().join("src/lex.rs"),
            "old_string": "a", "new_string": "b"}}]});
    world.send("other", "PostToolBatch", &edit);
    let failed = "Exit code 101\ntest lex ... FAILED\n\ntest result: FAILED. 1 failed";
    let test = "cargo test --workspace --locked";
    world.send("other", "PostToolBatch", &call("toolu_9", test, failed));
    world.run(&["remember", "--candidate", id], 0);
    world.run(&["memory", "forget", id], 0);
    assert_eq!(world.holding("[forgotten]"), Vec::<PathBuf>::new());
    let ran = format!("SELECT count(*) AS n FROM calls WHERE command = '{test}'");
    assert_eq!(world.home.query(&ran), [json!({"n": 3})]);
    let answer = world.stop("other", "Done.");
    assert!(answer.to_string().contains("cargo test --workspace"), "still known: {answer}");
    // What was mended is still known of the first session, and makes no candidate again.
    world.stop(SESSION, "Done.");
    assert_eq!(world.texts(), [""; 0]);
}

/// Whoever reads or writes at the same time.
#[test]
fn who_is_busy_is_waited_for_or_told() {
    let world = World::new();
    world.learns(SESSION, CAUSE);
    let id = world.id(WORDS[0]);
    // A program that reads the store keeps its log from being emptied.
    let reader = Connection::open(world.home.data().join("store.db")).unwrap();
    reader.execute_batch("BEGIN").unwrap();
    let count = |it: &Connection| {
        it.query_row("SELECT count(*) FROM memories", [], |row| row.get::<_, i64>(0)).unwrap()
    };
    assert_eq!(count(&reader), 1);
    let told = world.run(&["memory", "forget", &id], 1);
    assert!(told.contains("Forgot 1 memory"), "{told}");
    assert!(told.contains("another process uses the store") && told.contains("hint: "), "{told}");
    drop(reader);
    // Whoever tidies next does the rest.
    tidy(&world.home);
    world.assert_gone();

    // One who holds the store for a while holds it up, and nothing is half done.
    world.said_in(SESSION, OTHER);
    world.stop(SESSION, "Done.");
    let lock = File::options().append(true).open(world.home.data().join("write.lock")).unwrap();
    lock.lock().unwrap();
    let told = world.run(&["memory", "forget", &world.id("second server")], 1);
    assert!(told.contains("another process") && told.contains("hint: "), "{told}");
    drop(lock);
    assert_eq!(world.texts(), [OTHER]);
    world.run(&["memory", "forget", &world.id("second server")], 0);
    assert_eq!(world.holding("second server"), Vec::<PathBuf>::new());
}

/// The command of a loop runs between what was found and what is decided; by then it is settled.
#[test]
fn what_is_settled_while_a_command_runs_is_not_asked_for() {
    let world = World::new();
    let program = world.home.path().join("settle.sh");
    let script = format!(
        "id=$({0} candidates --all --json | sed -n 's/.*\"id\": *\"\\([^\"]*\\)\".*/\\1/p')\n\
         {0} candidates reject $id\n",
        binary().display()
    );
    fs::write(&program, script).unwrap();
    let until = format!("sh {}", program.display());
    world.send(SESSION, "UserPromptSubmit", &json!({"prompt": "Why?"}));
    let start = ["loop", "start", "settle it", "--session", SESSION, "--until", &until];
    world.run(&start, 0);
    world.said_in(SESSION, CAUSE);
    let answer = world.stop(SESSION, "Done.");
    let states = world.home.query("SELECT state FROM memories");
    assert_eq!(states, [json!({"state": "rejected"})], "the command has run: {answer}");
    assert!(!answer.to_string().contains(WORDS[0]), "{answer}");
    let columns = world.home.columns_with(WORDS[0]);
    assert!(!columns.iter().any(|it| it.starts_with("decisions.")), "{columns:?}");
    assert!(!world.home.data().join("pending").exists());
}

/// Hooks of the same session run all the time.
#[test]
fn what_is_forgotten_while_hooks_run_is_forgotten() {
    let world = World::new();
    for round in 0..4 {
        let session = format!("session-{round}");
        world.learns(&session, &CAUSE.replace("zanzibarshelf", &format!("zanzibarshelf_{round}")));
        let id = world.id(WORDS[0]);
        let output = thread::scope(|scope| {
            let hooks = scope.spawn(|| (0..12).for_each(|_| drop(world.stop(&session, "Done."))));
            let output = outside(world.home.path(), &world.root(), &["memory", "forget", &id]);
            hooks.join().unwrap();
            output
        });
        // Whoever could not forget all of it was told so.
        if output.status.code() != Some(0) {
            let told = said(&output, 1);
            assert!(told.contains("another process") && told.contains("hint: "), "{told}");
        }
        if !world.texts().is_empty() {
            world.run(&["memory", "forget", &id], 0);
        }
        world.stop(&session, "Done.");
        tidy(&world.home);
        assert_eq!(world.texts(), [""; 0]);
        world.assert_gone();
    }
}
