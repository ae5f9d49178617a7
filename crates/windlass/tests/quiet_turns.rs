//! Prompts and stops that are decided without the store.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Home, make_repository, outside, said};

/// A session in a project, with a conversation file.
struct Session {
    home: Home,
    /// Whether every event has to ask the store.
    uses_store: bool,
    calls: usize,
    turns: usize,
}

impl Session {
    fn new() -> Self {
        let session = Self { home: Home::new(), uses_store: false, calls: 0, turns: 0 };
        make_repository(&session.root());
        fs::create_dir_all(session.root().join("src")).unwrap();
        fs::create_dir_all(session.transcript().parent().unwrap()).unwrap();
        fs::write(session.transcript(), "").unwrap();
        session.send(&json!({"hook_event_name": "SessionStart", "source": "startup"}));
        session
    }

    fn root(&self) -> PathBuf {
        self.home.path().join("p")
    }

    fn transcript(&self) -> PathBuf {
        self.home.projects().join("-p/s.jsonl")
    }

    /// Writes the settings of the user.
    fn settings(&self, text: &str) {
        let file = self.home.path().join(".config/windlass/config.toml");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn caches(&self) -> PathBuf {
        self.home.data().join("quiet")
    }

    /// The answer to an event, without the place of the home.
    fn send(&self, event: &Value) -> String {
        if self.uses_store {
            fs::remove_dir_all(self.caches()).unwrap_or_default();
        }
        let mut payload = json!({
            "session_id": "s", "cwd": self.root(), "transcript_path": self.transcript(),
            "prompt_id": format!("p{}", self.turns),
        });
        payload.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        let output = self.home.hook(payload.to_string());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        text.replace(self.home.path().to_str().unwrap(), "HOME")
    }

    fn writes(&self, row: &Value) {
        let mut file = File::options().append(true).open(self.transcript()).unwrap();
        writeln!(file, "{row}").unwrap();
    }

    fn asks(&mut self, text: &str) -> String {
        self.turns += 1;
        let answer = self.send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": text}));
        self.writes(&json!({
            "type": "user", "sessionId": "s", "origin": {"kind": "human"},
            "message": {"role": "user", "content": text},
        }));
        answer
    }

    fn calls(&mut self, name: &str, input: &Value, answer: &str) {
        self.calls += 1;
        let id = format!("toolu_{}", self.calls);
        let call = json!({"tool_name": name, "tool_input": input, "tool_use_id": id,
            "tool_response": answer});
        self.send(&json!({"hook_event_name": "PostToolBatch", "tool_calls": [call]}));
        let is_error = answer.starts_with("Exit code");
        self.writes(&json!({
            "type": "user", "sessionId": "s", "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": id, "content": answer, "is_error": is_error},
            ]},
        }));
    }

    fn edits(&mut self, file: &str) {
        let path = self.root().join(file);
        fs::write(&path, format!("let a = {};\n", self.calls)).unwrap();
        let input = json!({"file_path": path, "old_string": "a", "new_string": "b"});
        self.calls("Edit", &input, "The file has been updated successfully.");
    }

    fn runs(&mut self, command: &str, answer: &str) {
        self.calls("Bash", &json!({"command": command}), answer);
    }

    fn stops(&self, message: &str) -> String {
        let answer = self.send(&json!({
            "hook_event_name": "Stop", "stop_hook_active": false,
            "last_assistant_message": message, "background_tasks": [], "session_crons": [],
        }));
        self.writes(&json!({
            "type": "assistant", "sessionId": "s",
            "message": {"role": "assistant", "content": [{"type": "text", "text": message}]},
        }));
        answer
    }

    fn command(&self, arguments: &[&str]) -> String {
        said(&outside(self.home.path(), &self.root(), arguments), 0)
    }

    /// The events with their decisions, once all of them are folded.
    fn decisions(&self) -> Vec<(String, String, Vec<String>)> {
        self.command(&["status", "--json"]);
        let query = "SELECT kind, coalesce(verdict, '') AS verdict, coalesce(rules, '[]') AS rules
            FROM events LEFT JOIN decisions ON decisions.event = events.id ORDER BY events.id";
        let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
        let names = |row: &Value| {
            let rules: Vec<Value> = serde_json::from_str(&text(row, "rules")).unwrap();
            rules.iter().map(|it| it["rule"].as_str().unwrap().to_owned()).collect()
        };
        let rows = self.home.query(query);
        rows.iter().map(|it| (text(it, "kind"), text(it, "verdict"), names(it))).collect()
    }

    /// How many events were decided without the store.
    fn quiet_turns(&self) -> usize {
        let journals = fs::read_dir(self.home.data().join("journal")).unwrap();
        let text = journals.map(|it| fs::read_to_string(it.unwrap().path()).unwrap());
        text.map(|it| it.matches(r#""rules":["#).count()).sum()
    }
}

/// A quiet turn leaves the store as it is, and what it decided is known all the same.
#[test]
fn what_was_decided_without_the_store_is_kept_and_shown() {
    let mut session = Session::new();
    // A process that tidies may change the store after the first events, and the client writes its
    // state all the time.
    let state = session.home.path().join(".claude.json");
    while session.quiet_turns() < 10 {
        fs::write(&state, json!({"numStartups": session.turns}).to_string()).unwrap();
        session.asks(&format!("what does the parser {} do?", session.turns));
        session.runs(&format!("cat part{}", session.turns), "a part");
        assert_eq!(session.stops(&format!("It parses {}.", session.turns)), "");
        assert!(session.turns < 100, "nothing is quiet");
    }
    let turns = session.turns;
    let decisions = session.decisions();
    assert_eq!(decisions.len(), 1 + 3 * turns);
    let stops: Vec<_> = decisions.iter().filter(|it| it.0 == "stop").collect();
    assert_eq!(stops.len(), turns);
    assert!(stops.iter().all(|it| it.1 == "pass" && !it.2.is_empty()), "{stops:?}");
    assert!(decisions.iter().filter(|it| it.0 == "prompt").all(|it| it.1 == "pass"));
    let last = session.home.query("SELECT max(id) AS id FROM events")[0]["id"].to_string();
    assert!(session.command(&["explain", &last]).contains("stop"));
}

/// Whether a turn uses the store or not, it is answered and decided alike.
#[test]
fn quiet_turns_decide_as_turns_with_the_store_do() {
    let mut quiet_turns = 0;
    for seed in 0..8_u64 {
        let mut both = [Session::new(), Session::new()];
        both[1].uses_store = true;
        // What the working tree shows depends on how fast the files are written.
        for session in &both {
            session.settings("gates.uncommitted.mode = \"off\"\n");
        }
        let mut dice = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut throw = |sides: u64| {
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            (dice >> 33) % sides
        };
        for turn in 0..12 {
            let (acts, last) = (throw(4), throw(6));
            let acts: Vec<_> = (0..acts).map(|_| throw(6)).collect();
            let answers = both.each_mut().map(|it| play(it, turn, &acts, last));
            assert_eq!(answers[0], answers[1], "seed {seed}, turn {turn}, {acts:?}, {last}");
        }
        assert_eq!(both[1].quiet_turns(), 0);
        quiet_turns += both[0].quiet_turns();
        let [quiet, stored] = both.map(|it| it.decisions());
        assert_eq!(quiet, stored, "seed {seed}");
    }
    assert!(quiet_turns > 50, "{quiet_turns}");
}

fn play(session: &mut Session, turn: u64, acts: &[u64], last: u64) -> [String; 2] {
    let told = session.asks(&format!("look at the number {turn} of the list"));
    for act in acts {
        match act {
            0 => session.edits("src/parser.rs"),
            1 => session.runs("cargo test", "test result: ok. 4 passed; 0 failed; 0 ignored"),
            2 => session.runs(
                "cargo test",
                "Exit code 101\ntest result: FAILED. 3 passed; 1 failed; 0 ignored",
            ),
            3 => session.runs(&format!("ls {turn}"), "a b c"),
            4 => session.runs("cargo build", "Finished `dev` profile in 1.0s"),
            _ => session.edits("README.md"),
        }
    }
    let message = match last {
        0 => format!("All tests pass, turn {turn}."),
        1 => format!("Done with {turn}."),
        2 => format!("The build succeeds, turn {turn}."),
        3 => format!("What do you want next, after {turn}?"),
        4 => "We decided to keep the cache in memory because the disk is slow.".to_owned(),
        _ => format!("It is the number {turn}."),
    };
    [told, session.stops(&message)]
}

/// A budget of tokens begins with its loop, however much quiet turns have counted before.
#[test]
fn a_loop_is_not_charged_for_what_was_used_before_it() {
    let mut session = Session::new();
    while session.quiet_turns() < 4 {
        session.asks("what does the parser do?");
        session.writes(&json!({
            "type": "assistant", "sessionId": "s", "message": {
                "id": format!("msg_{}", session.turns), "role": "assistant",
                "usage": {"input_tokens": 90_000, "output_tokens": 500},
                "content": [{"type": "text", "text": "It parses."}],
            },
        }));
        session.stops("It parses.");
        assert!(session.turns < 100, "nothing is quiet");
    }
    let start = ["loop", "start", "go on", "--until", "false", "--tokens", "50000"];
    session.command(&[&start[..], &["--session", "s"]].concat());
    session.edits("src/parser.rs");
    let answer = session.stops("Done.");
    assert!(answer.contains("go on") && !answer.contains("used up"), "{answer}");
}

/// The ledger takes in the prompts of quiet turns before it reads who wrote them, and remembers so
/// many of them at once.
#[test]
fn the_prompts_of_quiet_turns_in_a_row_are_bounded() {
    let mut session = Session::new();
    let (mut in_a_row, mut most) = (0, 0);
    for _ in 0..60 {
        let before = session.quiet_turns();
        session.asks("what does the parser do?");
        session.stops("It parses.");
        in_a_row = if session.quiet_turns() == before + 2 { in_a_row + 1 } else { 0 };
        most = in_a_row.max(most);
    }
    assert!((5..16).contains(&most), "{most}");
}

/// A session whose last turns were quiet is the last one, although another one ended before them.
#[test]
fn a_session_that_went_on_quietly_is_summed_up_when_the_next_one_begins() {
    let mut session = Session::new();
    session.asks("make the parser faster");
    session.edits("src/parser.rs");
    session.stops("The parser is faster now: it keeps the table.");
    let of_other = |event: Value| {
        let mut event = event;
        event["session_id"] = json!("other");
        session.send(&event);
    };
    of_other(json!({"hook_event_name": "SessionStart", "source": "startup"}));
    of_other(json!({"hook_event_name": "UserPromptSubmit", "prompt": "look at the log"}));
    of_other(json!({"hook_event_name": "SessionEnd", "reason": "other"}));
    // The process that tidies deletes the journal of the session that ended, and then nobody does.
    let journals = || fs::read_dir(session.home.data().join("journal")).unwrap().count();
    while journals() > 1 {
        session.command(&["tidy"]);
    }
    let before = session.quiet_turns();
    while session.quiet_turns() < before + 2 {
        session.asks("what does the table hold?");
        session.stops("It holds the states.");
        assert!(session.turns < 100, "nothing is quiet");
    }
    session.send(&json!({
        "session_id": "next", "hook_event_name": "SessionStart", "source": "startup",
    }));
    let query = "SELECT session FROM memories WHERE category = 'session-summary'";
    let summed_up = session.home.query(query);
    assert!(summed_up.iter().any(|it| it["session"] == "s"), "{summed_up:?}");
}

/// What the user does in another terminal counts at the next event.
#[test]
fn what_a_command_changes_is_known_at_the_next_event() {
    let mut session = Session::new();
    session.asks("look around");
    session.stops("I did.");
    session.asks("look around once more");
    assert_eq!(session.stops("I did."), "");
    session.command(&["hold", "on", "finish the list", "--session", "s"]);
    session.runs("ls", "a");
    assert!(session.stops("Done.").contains("finish the list"));
    session.command(&["hold", "off"]);
    session.runs("ls", "b");
    session.stops("Done now.");
    let memory = "The invoices of tenants are cached without the tenant in the key";
    session.command(&["remember", memory]);
    let told = session.asks("why are the invoices of tenants cached without the tenant key?");
    assert!(told.contains(memory), "{told}");
}

/// Something that is done to a session, with its name.
type Damage = (&'static str, fn(&Session));

/// A cache that is damaged, of another store or of another journal counts for nothing.
#[test]
fn a_cache_that_does_not_fit_is_passed_by() {
    let damage: [Damage; 4] = [
        ("half of it", |session| {
            for file in fs::read_dir(session.caches()).unwrap() {
                let path = file.unwrap().path();
                let bytes = fs::read(&path).unwrap();
                fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
            }
        }),
        ("a link", |session| {
            for file in fs::read_dir(session.caches()).unwrap() {
                let path = file.unwrap().path();
                fs::rename(&path, session.home.path().join("elsewhere")).unwrap();
                std::os::unix::fs::symlink(session.home.path().join("elsewhere"), &path).unwrap();
            }
        }),
        ("another journal", |session| {
            let directory = session.home.data().join("journal");
            for file in fs::read_dir(directory).unwrap() {
                fs::remove_file(file.unwrap().path()).unwrap();
            }
        }),
        ("another store", |session| {
            fs::remove_file(session.home.data().join("store.db")).unwrap();
        }),
    ];
    for (name, damage) in damage {
        let mut session = Session::new();
        session.asks("change the parser");
        session.stops("I will.");
        session.edits("src/parser.rs");
        damage(&session);
        assert!(session.stops("All tests pass.").contains("[proof]") || name == "another journal");
        session.edits("src/parser.rs");
        assert!(session.stops("All tests pass now.").contains("[proof]"), "{name}");
    }
}

/// What is quoted in a cache goes with what is forgotten.
#[test]
fn caches_go_with_what_is_forgotten_and_with_their_sessions() {
    let mut session = Session::new();
    session.asks("look around");
    session.runs("echo xylophone", "xylophone");
    session.stops("I did.");
    let caches = || fs::read_dir(session.caches()).map_or(0, Iterator::count);
    assert_eq!(caches(), 1);
    session.command(&["remember", "The xylophone is in the cellar"]);
    let list: Value =
        serde_json::from_str(&session.command(&["memory", "list", "--json"])).unwrap();
    let id = list[0]["id"].as_str().unwrap().to_owned();
    session.command(&["memory", "forget", &id, "--yes"]);
    assert_eq!(caches(), 0);
    let mut session = Session::new();
    session.asks("look around");
    session.stops("I did.");
    session.send(&json!({"hook_event_name": "SessionEnd", "reason": "other"}));
    assert_eq!(fs::read_dir(session.caches()).map_or(0, Iterator::count), 0);
}
