//! The ledger beside the journals that it is folded from.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{
    Home, assert_silent, binary, by_the_user, feed, ledger, outside, records, said, tidy, tidy_up,
    write,
};

/// What a session did, as the ledger must tell it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Model {
    events: Vec<String>,
    calls: usize,
    edits: usize,
    runs: usize,
    prompts: usize,
}

/// One call of the hook, with the events that it brings: all of them are kept, or none.
#[derive(Debug)]
struct Played {
    kind: &'static str,
    ids: Vec<String>,
}

impl Played {
    fn one(kind: &'static str, id: String) -> Self {
        Self { kind, ids: vec![id] }
    }

    fn events(&self) -> impl Iterator<Item = String> {
        self.ids.iter().map(|id| format!("{} {id}", self.kind))
    }

    fn is_kept(&self, told: &BTreeSet<&String>) -> bool {
        self.events().next().is_some_and(|it| told.contains(&it))
    }
}

impl Model {
    fn of<'p>(played: impl Iterator<Item = &'p Played>) -> Self {
        let mut model = Self::default();
        for hook in played {
            model.events.extend(hook.events());
            let count = hook.ids.len();
            match hook.kind {
                "prompt" => model.prompts += 1,
                "tool" => {
                    model.calls += count;
                    model.runs += count.div_ceil(2);
                    model.edits += count / 2;
                }
                _ => {}
            }
        }
        model
    }
}

/// How many hooks were late. A busy machine can make any hook late, and then it leaves with a
/// record; no other failure is excused by that.
#[track_caller]
fn late(home: &Home) -> usize {
    let failures = home.failures();
    let is_late = |it: &&Value| {
        let error = it["error"].as_str().unwrap_or_default();
        error == "our own deadline passed" || error.contains("another process is writing")
    };
    let other: Vec<_> = failures.iter().filter(|it| !is_late(it)).collect();
    assert!(other.is_empty(), "{other:?}");
    failures.len()
}

fn prompt(session: &str, round: usize) -> String {
    json!({
        "hook_event_name": "UserPromptSubmit", "session_id": session, "cwd": "/p",
        "prompt": format!("round {round}"), "prompt_id": format!("{session}-{round}"),
    })
    .to_string()
}

fn batch(session: &str, round: usize, step: usize, size: usize) -> (Value, Vec<String>) {
    let id = |call| format!("{session}-{round}-{step}-{call}");
    let calls = (0..size).map(|call| match call % 2 {
        0 => json!({
            "tool_name": "Bash", "tool_use_id": id(call),
            "tool_input": {"command": format!("cargo test {call}")}, "tool_response": "ok",
        }),
        _ => json!({
            "tool_name": "Write", "tool_use_id": id(call),
            "tool_input": {"file_path": format!("/p/{call}.rs"), "content": "x"},
            "tool_response": "written",
        }),
    });
    let payload = json!({
        "hook_event_name": "PostToolBatch", "session_id": session, "cwd": "/p",
        "prompt_id": format!("{session}-{round}"), "tool_calls": calls.collect::<Vec<_>>(),
    });
    (payload, (0..size).map(id).collect())
}

fn stop(session: &str, round: usize) -> String {
    json!({
        "hook_event_name": "Stop", "session_id": session, "cwd": "/p",
        "prompt_id": format!("{session}-{round}"), "last_assistant_message": "done",
    })
    .to_string()
}

/// Plays one session: prompts, messages with many tool calls, stops.
fn play(home: &Home, session: &str, rounds: usize) -> Vec<Played> {
    const STEPS: usize = 8;
    const CALLS: usize = 20;
    let mut played = Vec::new();
    for round in 0..rounds {
        home.silent(prompt(session, round));
        played.push(Played::one("prompt", format!("{session}-{round}")));
        for step in 0..STEPS {
            let (payload, ids) = batch(session, round, step, CALLS);
            home.silent(payload.to_string());
            played.push(Played { kind: "tool", ids });
        }
        home.silent(stop(session, round));
        played.push(Played::one("stop", format!("{session}-{round}")));
    }
    played
}

fn count(home: &Home, session: &str, query: &str) -> usize {
    let query = format!(
        "SELECT count(*) AS n FROM {query} WHERE session IN
         (SELECT id FROM sessions WHERE name = '{session}')"
    );
    usize::try_from(home.query(&query)[0]["n"].as_u64().unwrap()).unwrap()
}

/// The same, out of the ledger.
fn told(home: &Home, session: &str) -> Model {
    let count = |query| count(home, session, query);
    let told = |event: &Value| {
        let id = event["call"].as_str().or(event["prompt"].as_str()).unwrap();
        format!("{} {id}", event["event"].as_str().unwrap())
    };
    let events = ledger(&home.data());
    Model {
        events: events.iter().filter(|it| it["session"] == session).map(told).collect(),
        calls: count("calls JOIN events ON events.id = calls.event"),
        edits: count("edits JOIN events ON events.id = edits.event"),
        runs: count("(SELECT * FROM calls WHERE command IS NOT NULL) JOIN events ON id = event"),
        prompts: count("(SELECT * FROM events WHERE kind = 'prompt')"),
    }
}

/// Runs a command of the binary that must succeed.
/// Runs a command as the user does.
fn command(home: &Home, arguments: &[&str]) -> String {
    let output = outside(home.path(), home.path(), arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn journals(home: &Home) -> Vec<PathBuf> {
    fs::read_dir(home.data().join("journal")).unwrap().map(|it| it.unwrap().path()).collect()
}

/// Sixteen sessions at once, a hundred thousand events.
#[test]
fn the_ledger_equals_the_journals_event_for_event() {
    const SESSIONS: usize = 16;
    const ROUNDS: usize = 39;
    let home = Home::new();
    let sessions: BTreeMap<String, Vec<Played>> = thread::scope(|scope| {
        let names = (0..SESSIONS).map(|it| format!("session-{it}"));
        let home = &home;
        let played = names.map(|it| scope.spawn(move || (it.clone(), play(home, &it, ROUNDS))));
        let played: Vec<_> = played.collect();
        played.into_iter().map(|it| it.join().unwrap()).collect()
    });
    let late_hooks = late(&home);
    // Quiet turns leave what they kept to others, and so does a hook that was late. While another
    // process tidies, this one does nothing.
    let waits = || {
        let query = "SELECT sum(folded_to) AS bytes FROM journals WHERE name LIKE '%.journal'";
        let folded = home.query(query)[0]["bytes"].as_u64().unwrap();
        let sizes = journals(&home).into_iter().map(|it| fs::metadata(it).unwrap().len());
        folded < sizes.sum::<u64>()
    };
    while waits() {
        command(&home, &["tidy"]);
        thread::sleep(Duration::from_millis(50));
    }
    let played: usize = sessions.values().flatten().map(|it| it.ids.len()).sum();
    assert!(played > 100_000, "{played}");

    // Frame for frame what the journals hold, in their order.
    let mut folded: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for event in ledger(&home.data()) {
        folded.entry(event["session"].as_str().unwrap().to_owned()).or_default().push(event);
    }
    let files = journals(&home);
    assert_eq!(files.len(), SESSIONS);
    for file in files {
        let mut frames = records(&fs::read(&file).unwrap());
        frames.retain(|it| it["event"] != "answer");
        let session = frames[0]["session"].as_str().unwrap();
        assert!(folded[session] == frames, "{session}: the ledger differs from the journal");
    }
    // And what was played, but for the hooks that left a record of being late.
    let (mut all, mut lost, mut undecided) = (0, 0, 0);
    for (session, played) in &sessions {
        let told = told(&home, session);
        let names: BTreeSet<_> = told.events.iter().collect();
        let kept = Model::of(played.iter().filter(|it| it.is_kept(&names)));
        assert!(told == kept, "{session}: the ledger differs from what happened");
        all += told.events.len();
        lost += played.iter().filter(|it| !it.is_kept(&names)).count();
        let decided = count(&home, session, "decisions JOIN events ON events.id = decisions.event");
        undecided += 2 * ROUNDS - decided;
    }
    assert!(lost <= late_hooks, "{lost} events are lost, and {late_hooks} hooks were late");
    assert!(undecided <= late_hooks, "{undecided} are undecided, and {late_hooks} hooks were late");

    // Once the sessions are over the journals go, and nothing else does.
    for session in sessions.keys() {
        let end = json!({"hook_event_name": "SessionEnd", "session_id": session, "cwd": "/p"});
        let mut before = None;
        // One that was late is told again.
        while before != Some(late(&home)) {
            before = Some(late(&home));
            home.silent(end.to_string());
        }
    }
    while !journals(&home).is_empty() {
        assert_silent(
            &Command::new(binary()).arg("tidy").env("HOME", home.path()).output().unwrap(),
        );
    }
    let (ends, others): (Vec<_>, _) =
        ledger(&home.data()).into_iter().partition(|it| it["event"] == "session-end");
    assert_eq!(others.len(), all);
    assert!(ends.len() >= SESSIONS, "{}", ends.len());
    assert!(command(&home, &["store", "check"]).contains("sound"));
    late(&home);
}

/// So much waits in the journal that a stop does not reach its own event: nothing is said, and the
/// decision is on record once the event is.
#[test]
fn a_decision_ahead_of_the_ledger_is_kept_by_the_fold_that_brings_its_event() {
    const AHEAD: u64 = 7 << 20;
    let home = Home::new();
    home.silent(prompt("s", 0));
    let journal = journals(&home).remove(0);
    let size = || fs::metadata(&journal).unwrap().len();
    for step in 0.. {
        home.silent(batch("s", 0, step, 60).0.to_string());
        if size() > AHEAD {
            break;
        }
    }
    home.silent(stop("s", 0));
    let stops = || count(&home, "s", "(SELECT * FROM events WHERE kind = 'stop')");
    assert_eq!(stops(), 0, "the stop was folded at once");
    while stops() == 0 {
        command(&home, &["tidy"]);
    }
    assert_eq!(count(&home, "s", "decisions JOIN events ON events.id = decisions.event"), 2);
}

/// Eight hooks at once on a directory that nobody has ever seen.
#[test]
fn eight_hooks_at_once_make_one_store() {
    for round in 0..25 {
        let home = Home::new();
        thread::scope(|scope| {
            for writer in 0..8 {
                let home = &home;
                scope.spawn(move || home.silent(stop(&format!("s{writer}"), round)));
            }
        });
        let late = late(&home);
        if late > 0 {
            command(&home, &["tidy"]);
        }
        let sessions = home.query("SELECT name FROM sessions").len();
        assert!(sessions + late >= 8, "round {round}: {sessions} sessions, {late} late");
        let left = fs::read_dir(home.data()).unwrap().map(|it| it.unwrap().file_name());
        let left: Vec<_> = left.filter(|it| it.to_string_lossy().contains(".new")).collect();
        // One that ends at its deadline cleans nothing up.
        assert!(left.is_empty() || late > 0, "{left:?}");
    }
}

#[test]
fn a_session_that_goes_on_after_its_end_gets_a_new_journal() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    let end = json!({"hook_event_name": "SessionEnd", "session_id": "s", "reason": "other"});
    home.silent(end.to_string());
    while !journals(&home).is_empty() {
        assert_silent(
            &Command::new(binary()).arg("tidy").env("HOME", home.path()).output().unwrap(),
        );
    }
    assert!(home.query("SELECT ended_at FROM sessions")[0]["ended_at"].is_i64());
    // As many bytes as before, and more: the place of the last fold means nothing here.
    for round in 1..4 {
        home.silent(prompt("s", round));
    }
    command(&home, &["status", "--json"]);
    let kinds: Vec<_> = ledger(&home.data()).iter().map(|it| it["event"].clone()).collect();
    assert_eq!(kinds, ["prompt", "session-end", "prompt", "prompt", "prompt"]);
    assert!(home.query("SELECT ended_at FROM sessions")[0]["ended_at"].is_null());
}

/// A transcript that flags a call as failed has the last word, whenever it is read.
#[test]
fn the_transcript_has_the_last_word_about_a_call() {
    let home = Home::new();
    let directory = home.projects().join("-p");
    fs::create_dir_all(&directory).unwrap();
    let file = directory.join("t.jsonl");
    let row = |call: &str| {
        let block = json!({"type": "tool_result", "tool_use_id": call, "is_error": true,
            "content": "Exit code 1\nno"});
        format!("{}\n", json!({"type": "user", "message": {"content": [block]}}))
    };
    fs::write(&file, row("s-0-0-0") + &row("s-0-1-1")).unwrap();
    home.silent(batch("s", 0, 0, 2).0.to_string());
    let stop = json!({"hook_event_name": "Stop", "session_id": "s", "transcript_path": file});
    home.silent(stop.to_string());
    home.silent(batch("s", 0, 1, 2).0.to_string());
    home.silent(stop.to_string());
    let results = home.query("SELECT name, result FROM calls ORDER BY event");
    let failed: Vec<_> = results.iter().map(|it| it["result"] == "failed").collect();
    assert_eq!(failed, [true, false, false, true]);
}

/// A first turn can be longer than a look at the end of its file.
#[test]
fn a_long_first_turn_is_read_from_its_beginning() {
    let home = Home::new();
    let directory = home.projects().join("-p");
    fs::create_dir_all(&directory).unwrap();
    let file = directory.join("t.jsonl");
    let block = json!({"type": "tool_result", "tool_use_id": "s-0-0-0", "is_error": true,
        "content": "Exit code 1\nno"});
    let failed = format!("{}\n", json!({"type": "user", "message": {"content": [block]}}));
    let said = json!({"type": "text", "text": "a long answer ".repeat(1000)});
    let row = format!("{}\n", json!({"type": "assistant", "message": {"content": [said]}}));
    fs::write(&file, failed + &row.repeat(100)).unwrap();
    home.silent(batch("s", 0, 0, 2).0.to_string());
    let stop = json!({"hook_event_name": "Stop", "session_id": "s", "transcript_path": file});
    home.silent(stop.to_string());
    assert_eq!(home.query("SELECT name FROM calls WHERE result = 'failed'").len(), 1);
    assert_eq!(home.query("SELECT rows FROM transcripts"), [json!({"rows": 101})]);
    // One that an event cannot read at once is older than we are: only its end is looked at.
    fs::write(&file, row.repeat(700)).unwrap();
    let other = json!({"hook_event_name": "Stop", "session_id": "t", "transcript_path": file});
    home.silent(other.to_string());
    let rows = home.query("SELECT rows FROM transcripts WHERE session = 2")[0]["rows"].as_i64();
    assert!(rows.unwrap() < 10, "{rows:?}");
}

/// A session goes through the rules again, whether it is in the ledger or still in the journal.
#[test]
fn a_recorded_session_is_replayed_and_nothing_is_folded_for_it() {
    let home = Home::new();
    home.silent(prompt("session-1", 0));
    home.silent(batch("session-1", 0, 0, 3).0.to_string());
    home.silent(stop("session-1", 0));
    home.silent(batch("session-1", 0, 1, 2).0.to_string());
    let folded = ledger(&home.data()).len();
    let said = command(&home, &["replay", "--session", "session", "--json"]);
    let summary: Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert_eq!(summary["events"], json!({"prompt": 1, "stop": 1, "tool": 2}), "{summary}");
    assert_eq!(ledger(&home.data()).len(), folded, "the others wait as before");
}

/// Another process writes for longer than a hook waits: silence, a record, and nothing lost.
#[test]
fn a_store_that_is_locked_costs_no_event() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    let other = rusqlite::Connection::open(home.data().join("store.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    home.silent(stop("s", 0));
    assert!(home.failures().is_empty(), "a quiet stop needs no store");
    home.silent(stop("t", 0));
    other.execute_batch("ROLLBACK").unwrap();
    assert!(home.failures()[0]["error"].as_str().unwrap().contains("another process is writing"));
    home.silent(prompt("t", 1));
    command(&home, &["tidy"]);
    assert_eq!(ledger(&home.data()).len(), 4);
}

/// Another process stands at the head of the queue and does not come to an end: a hook gives up
/// long before its deadline.
#[test]
fn a_queue_that_does_not_move_costs_no_event() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    let lock = File::open(home.data().join("write.lock")).unwrap();
    lock.lock().unwrap();
    thread::scope(|scope| {
        for round in 0..4 {
            let home = &home;
            scope.spawn(move || home.silent(stop(&format!("t{round}"), round)));
        }
    });
    drop(lock);
    let failures = home.failures();
    assert_eq!(failures.len(), 4);
    for failure in failures {
        let error = failure["error"].as_str().unwrap();
        assert_eq!(error, "begin a transaction: another process is writing to the store");
    }
    command(&home, &["tidy"]);
    assert_eq!(ledger(&home.data()).len(), 5);
    assert_eq!(home.failures().len(), 4);
}

/// Whatever stands where the store should be: silence, a record, the event in the journal.
/// The line for the user in the answer to an event.
fn notice(home: &Home, payload: &str) -> String {
    let output = home.hook(payload);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    answer["systemMessage"].as_str().unwrap().to_owned()
}

#[test]
fn a_damaged_store_is_left_alone() {
    let whole = Home::new();
    whole.silent(prompt("s", 0));
    command(&whole, &["store", "compact"]);
    let bytes = fs::read(whole.data().join("store.db")).unwrap();
    let half = &bytes[..bytes.len() / 2];
    let holes = [&bytes[..100], &vec![0xa5; bytes.len() - 100]].concat();
    for damaged in [b"not a database at all, but long enough".repeat(99), half.to_vec(), holes] {
        let home = Home::new();
        fs::create_dir_all(home.data()).unwrap();
        fs::write(home.data().join("store.db"), &damaged).unwrap();
        assert!(notice(&home, &stop("s", 1)).contains("the store is damaged"));
        assert!(!home.failures().is_empty());
        assert_eq!(records(&fs::read(&journals(&home)[0]).unwrap())[0]["event"], "stop");
        assert_eq!(fs::read(home.data().join("store.db")).unwrap(), damaged, "kept as it is");

        let mut check = Command::new(binary());
        check.args(["store", "check"]).env_clear().env("HOME", home.path());
        let output = feed(&mut check, b"");
        assert!(!output.status.success(), "{output:?}");
        let said = [output.stdout, output.stderr].concat();
        assert!(String::from_utf8_lossy(&said).contains("damaged"), "{said:?}");

        let said = command(&home, &["store", "restore", "--empty"]);
        assert!(said.contains("kept as"), "{said}");
        home.silent(stop("s", 2));
        assert_eq!(ledger(&home.data()).len(), 2, "the journal is folded into the new store");
    }
}

#[test]
fn a_store_of_a_newer_version_is_refused_and_kept() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    let connection = rusqlite::Connection::open(home.data().join("store.db")).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    assert!(notice(&home, &stop("s", 0)).contains("the store is of version 99"));
    assert!(home.failures()[0]["error"].as_str().unwrap().contains("version 99"));
    let mut check = Command::new(binary());
    check.args(["store", "check"]).env_clear().env("HOME", home.path());
    let output = feed(&mut check, b"");
    assert!(String::from_utf8_lossy(&output.stderr).contains("upgrade"), "{output:?}");
}

#[test]
fn a_backup_is_sound_and_can_be_taken_back() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    home.silent(batch("s", 0, 0, 3).0.to_string());
    let copy = home.path().join("copy.db");
    command(&home, &["store", "backup", copy.to_str().unwrap()]);
    let mode = fs::metadata(&copy).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    home.silent(prompt("t", 0));
    assert_eq!(ledger(&home.data()).len(), 5);
    command(&home, &["store", "restore", copy.to_str().unwrap()]);
    assert_eq!(ledger(&home.data()).len(), 4, "what was waiting in the journal came along");
    // The journal is still there: what the copy does not hold is folded again.
    home.silent(prompt("s", 1));
    home.silent(prompt("t", 1));
    assert_eq!(ledger(&home.data()).len(), 7);
    // Behind the first page: it is still a store.
    let mut bytes = fs::read(&copy).unwrap();
    bytes[4096..].fill(0xaa);
    fs::write(&copy, bytes).unwrap();
    let refused = outside(home.path(), home.path(), &["store", "restore", copy.to_str().unwrap()]);
    let told = said(&refused, 1);
    assert!(told.contains("damaged") || told.contains("is not sound"), "{told}");
    assert_eq!(ledger(&home.data()).len(), 7, "a damaged copy replaces nothing");
}

#[test]
fn one_event_is_not_told_as_many() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    command(&home, &["status"]);
    let said = command(&home, &["store", "check"]);
    assert!(said.contains(": 1 event of 1 session, "), "{said}");
}

/// There is no directory for the data on a new machine.
#[test]
fn a_copy_is_taken_back_where_nothing_was_recorded() {
    let old = Home::new();
    old.silent(prompt("s", 0));
    let copy = old.path().join("copy.db");
    command(&old, &["store", "backup", copy.to_str().unwrap()]);
    for what in [copy.to_str().unwrap(), "--empty"] {
        let new = Home::new();
        command(&new, &["store", "restore", what]);
        assert_eq!(fs::metadata(new.data()).unwrap().permissions().mode() & 0o777, 0o700);
        new.silent(prompt("t", 0));
        assert_eq!(ledger(&new.data()).len(), if what == "--empty" { 1 } else { 2 });
    }
}

/// It could bring back what was forgotten, and drop what holds the agent.
#[test]
fn a_copy_that_is_not_there_is_named() {
    let home = Home::new();
    let output = outside(home.path(), home.path(), &["store", "restore", "nope.db"]);
    let text = said(&output, 1);
    assert!(text.contains("error: no such file: nope.db") && text.contains("\nhint: "), "{text}");
}

/// What is no store is refused before the code is asked: these commands have no terminal.
#[test]
fn a_file_that_is_no_store_is_refused_before_the_code_is_asked() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    let other = home.path().join("other.db");
    rusqlite::Connection::open(&other).unwrap().execute_batch("CREATE TABLE a (x)").unwrap();
    let empty = home.path().join("empty.db");
    fs::write(&empty, "").unwrap();
    let text = home.path().join("text.db");
    fs::write(&text, "not a store\n".repeat(900)).unwrap();
    for path in [&other, &empty, &text] {
        let path = path.to_str().unwrap();
        let output = outside(home.path(), home.path(), &["store", "restore", path]);
        let told = said(&output, 1);
        assert!(
            told.contains(&format!("error: {path} is no copy of a store of windlass")),
            "{told}"
        );
        assert!(told.contains("hint: name a copy"), "{told}");
        // Not by the user either.
        let (told, code) = by_the_user(&home, home.path(), &[], &["store", "restore", path]);
        assert!(
            code == 1 && told.contains("is no copy of a store") && !told.contains("Type "),
            "{told}"
        );
    }
    let names = fs::read_dir(home.data()).unwrap().map(|it| it.unwrap().file_name());
    assert!(!names.into_iter().any(|it| it.to_str().unwrap().contains(".replaced-")));
}

#[test]
fn an_agent_takes_no_copy_back() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    let copy = home.path().join("copy.db");
    command(&home, &["store", "backup", copy.to_str().unwrap()]);
    for what in [copy.to_str().unwrap(), "--empty"] {
        let mut restore = Command::new(binary());
        restore.args(["store", "restore", what]).env_clear().env("HOME", home.path());
        let text = said(&feed(restore.env("CLAUDECODE", "1"), b""), 1);
        assert!(text.contains("an agent (the environment has CLAUDECODE) started it"), "{text}");
        assert!(text.contains("hint: run `windlass store restore "), "{text}");
    }
    let names = fs::read_dir(home.data()).unwrap().map(|it| it.unwrap().file_name());
    assert!(!names.into_iter().any(|it| it.to_str().unwrap().contains(".replaced-")));
}

/// A name that was mistyped costs nothing but the copy.
#[test]
fn a_copy_replaces_a_copy_and_nothing_else() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    let copy = home.path().join("copy.db");
    let precious = home.path().join("thesis.txt");
    let link = home.path().join("link.db");
    let other = home.path().join("other.db");
    fs::write(&precious, "all my work").unwrap();
    let made = "CREATE TABLE events (id INTEGER); INSERT INTO events VALUES (1)";
    rusqlite::Connection::open(&other).unwrap().execute_batch(made).unwrap();
    std::os::unix::fs::symlink(home.data().join("store.db"), &link).unwrap();
    for _ in 0..2 {
        command(&home, &["store", "backup", copy.to_str().unwrap()]);
    }
    let live = ["store.db", "store.db-wal"].map(|it| home.data().join(it));
    for target in [&precious, &other, &link, &live[0], &live[1]] {
        let before = fs::read(target).unwrap();
        let mut backup = Command::new(binary());
        backup.args(["store", "backup"]).arg(target).env_clear().env("HOME", home.path());
        let output = feed(&mut backup, b"");
        assert_eq!(output.status.code(), Some(1), "{}", target.display());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("choose another name"), "{said}");
        assert_eq!(fs::read(target).unwrap(), before, "{}", target.display());
        let is_left = |it: &PathBuf| it.extension().is_some_and(|it| it == "new");
        let beside = fs::read_dir(target.parent().unwrap()).unwrap().map(|it| it.unwrap().path());
        assert_eq!(beside.filter(is_left).count(), 0);
    }
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(command(&home, &["store", "check"]).contains("sound"));
}

/// What a restore leaves that is killed between two of its renames.
#[test]
fn the_log_of_a_store_that_was_moved_goes_with_it() {
    let home = Home::new();
    (0..3).for_each(|it| home.silent(prompt(&format!("s{it}"), 0)));
    let moved = home.data().join("store.db.replaced-1700000000000");
    fs::rename(home.data().join("store.db"), &moved).unwrap();
    home.silent(prompt("t", 0));
    let count = || -> i64 {
        let store = rusqlite::Connection::open(&moved).unwrap();
        store.query_row("SELECT count(*) FROM events", [], |row| row.get(0)).unwrap()
    };
    assert_eq!(count(), 3);
    assert!(command(&home, &["store", "check"]).contains("sound"));
}

/// Somebody reads an older state: the ledger cannot reach the disk, and the journal stays.
#[test]
fn a_journal_stays_until_the_ledger_is_on_the_disk() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    tidy(&home);
    let alone = File::create(home.data().join("tidy.lock")).unwrap();
    alone.lock().unwrap();
    let reader = rusqlite::Connection::open(home.data().join("store.db")).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM events;").unwrap();
    home.silent(prompt("s", 1));
    home.silent(
        json!({"hook_event_name": "SessionEnd", "session_id": "s", "cwd": "/p"}).to_string(),
    );
    drop(alone);
    tidy(&home);
    assert_eq!(journals(&home).len(), 1, "what it tells is in the log alone");
    drop(reader);
    tidy(&home);
    assert_eq!(journals(&home).len(), 0);
}

#[test]
fn programs_are_told_what_was_taken_back_and_what_was_kept() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    let copy = home.path().join("copy.db");
    command(&home, &["store", "backup", copy.to_str().unwrap()]);
    let restore = |what: &str| -> Value {
        serde_json::from_str(&command(&home, &["store", "restore", what, "--json"])).unwrap()
    };
    let told = restore(copy.to_str().unwrap());
    assert_eq!(told["from"], json!(copy));
    assert!(fs::exists(told["kept"].as_str().unwrap()).unwrap());
    let told = restore("--empty");
    assert_eq!(told["from"], Value::Null);
    assert!(fs::exists(told["kept"].as_str().unwrap()).unwrap());
    let told = restore("--empty");
    assert_eq!(told, json!({"from": null, "kept": null}));
}

#[test]
fn a_store_that_was_taken_back_is_private_and_has_its_log() {
    let home = Home::new();
    play(&home, "s", 1);
    let copy = home.path().join("copy.db");
    command(&home, &["store", "backup", copy.to_str().unwrap()]);
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o664)).unwrap();
    command(&home, &["store", "restore", copy.to_str().unwrap()]);
    let store = home.data().join("store.db");
    assert_eq!(fs::metadata(&store).unwrap().permissions().mode() & 0o777, 0o600);
    let mode = home.query("PRAGMA journal_mode");
    assert_eq!(mode, [json!({"journal_mode": "wal"})]);
    home.silent(prompt("s", 7));
    assert_eq!(home.failures(), Vec::<Value>::new());
}

/// Without a write-ahead log every hook would wait for the disk.
#[test]
fn a_store_that_was_taken_back_is_as_fast_as_before() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    let copy = home.path().join("copy.db");
    command(&home, &["store", "backup", copy.to_str().unwrap()]);
    command(&home, &["store", "restore", copy.to_str().unwrap()]);
    assert_eq!(home.query("PRAGMA journal_mode")[0]["journal_mode"], "wal");
}

/// SQLite would take the log of the store that is gone for the log of the new one.
#[test]
fn a_store_that_was_removed_without_its_log_is_made_anew() {
    let home = Home::new();
    // So few that no hook starts a process that tidies, which would find the store gone.
    let folded = 6;
    for number in 0..folded {
        home.silent(prompt("s", number));
    }
    command(&home, &["store", "compact"]);
    home.silent(prompt("s", folded));
    fs::remove_file(home.data().join("store.db")).unwrap();
    home.silent(prompt("s", folded + 1));
    assert!(command(&home, &["store", "check"]).contains("sound"));
    assert_eq!(ledger(&home.data()).len(), folded + 2);
    assert_eq!(home.failures(), [Value::Null; 0]);
}

/// Hooks start a process that tidies; whoever calls a command knows nothing of it.
#[test]
fn a_command_waits_for_a_process_that_tidies() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    let copy = home.path().join("copy.db");
    command(&home, &["store", "backup", copy.to_str().unwrap()]);
    let lock = home.data().join("tidy.lock");
    for arguments in [&["store", "compact"][..], &["store", "restore", copy.to_str().unwrap()]] {
        let tidying = File::options().create(true).append(true).open(&lock).unwrap();
        tidying.lock().unwrap();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| command(&home, arguments));
            thread::sleep(Duration::from_millis(300));
            assert!(!waiting.is_finished(), "it tidied beside another one");
            drop(tidying);
            waiting.join().unwrap();
        });
    }
}

/// A file system that lost power may leave it like this.
#[test]
fn an_empty_store_is_made_anew() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    fs::write(home.data().join("store.db"), "").unwrap();
    home.silent(prompt("s", 1));
    assert_eq!(home.query("PRAGMA journal_mode")[0]["journal_mode"], "wal");
    assert_eq!(ledger(&home.data()).len(), 2);
}

/// Hooks make the store, and write to it, at the very moment at which it is replaced.
#[test]
fn a_store_is_taken_back_while_hooks_run() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    let copy = home.path().join("copy.db");
    command(&home, &["store", "backup", copy.to_str().unwrap()]);
    let hooks = 40;
    thread::scope(|scope| {
        for session in ["a", "b", "c", "d"] {
            let home = &home;
            scope.spawn(move || (0..hooks).for_each(|it| home.silent(prompt(session, it))));
        }
        for _ in 0..20 {
            command(&home, &["store", "restore", copy.to_str().unwrap()]);
        }
    });
    command(&home, &["tidy"]);
    assert!(command(&home, &["store", "check"]).contains("sound"));
    assert_eq!(ledger(&home.data()).len(), 1 + 4 * hooks);
}

/// Whatever else stands among the journals: the others are folded, and the ledger can be looked at.
#[test]
fn what_is_not_a_journal_holds_up_nothing() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    let journal = home.data().join("journal");
    fs::create_dir(journal.join("0directory.journal")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", journal.join("0link.journal")).unwrap();
    let stranger = home.path().join("stranger");
    fs::write(&stranger, "precious").unwrap();
    fs::hard_link(&stranger, journal.join("0second name.journal")).unwrap();
    home.silent(batch("s", 0, 0, 1).0.to_string());
    command(&home, &["tidy"]);
    assert_eq!(home.failures(), [Value::Null; 0]);
    assert_eq!(ledger(&home.data()).len(), 2);
    assert!(command(&home, &["store", "check"]).contains("sound"));
    assert_eq!(fs::read(&stranger).unwrap(), b"precious");
}

/// SQLite looks at no name twice: a log that is somebody else's file would be written over.
#[test]
fn a_log_that_is_not_ours_is_not_written() {
    for suffix in ["-wal", "-shm"] {
        let home = Home::new();
        home.silent(prompt("s", 0));
        let log = home.data().join(format!("store.db{suffix}"));
        fs::remove_file(&log).unwrap();
        let stranger = home.path().join("stranger");
        fs::write(&stranger, "precious").unwrap();
        fs::hard_link(&stranger, &log).unwrap();
        home.silent(prompt("t", 0));
        assert_eq!(fs::read(&stranger).unwrap(), b"precious");
        assert!(home.failures()[0]["error"].as_str().unwrap().contains(suffix));
    }
}

/// Appends a frame that windlass would not write.
fn forge(home: &Home, body: &str) {
    let checksum = xxhash_rust::xxh64::xxh64(body.as_bytes(), 0);
    let frame = format!("\nw1 {:04x} {checksum:016x} {body}", body.len());
    let mut journal = fs::OpenOptions::new().append(true).open(&journals(home)[0]).unwrap();
    journal.write_all(frame.as_bytes()).unwrap();
}

/// A frame that nobody could read in the ledger does not exist.
#[test]
fn no_depth_of_a_frame_damages_the_ledger() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    for depth in [90, 200, 1500, 3900] {
        let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        forge(&home, &format!(r#"{{"event":"prompt","session":"s","at":{depth},"new":{deep}}}"#));
    }
    // Brackets in a text have no depth.
    let text = "[".repeat(1500);
    forge(&home, &format!(r#"{{"event":"prompt","session":"s","at":1,"text":"{text}"}}"#));
    home.silent(prompt("s", 1));
    assert!(command(&home, &["store", "check"]).contains("sound"));
    assert!(command(&home, &["metrics", "--json"]).contains("events_prompt"));
    let times: Vec<_> = ledger(&home.data()).iter().map(|it| it["at"].clone()).collect();
    assert_eq!((times.len(), &times[1..3]), (4, &[json!(90), json!(1)][..]));
    assert_eq!(home.failures(), [Value::Null; 0]);
}

/// Garbage that is longer than a fold reads: each hook passes by a part of it, and whatever
/// stands behind it is found.
#[test]
fn garbage_is_passed_by_part_after_part() {
    let garbages = [
        ("one line", vec![b'x'; 3 << 20]),
        ("empty lines", vec![b'\n'; 3 << 20]),
        ("headers", b"\nw1 ffff 0123456789abcdef {".repeat((3 << 20) / 26)),
    ];
    for (what, garbage) in garbages {
        let home = Home::new();
        home.silent(prompt("s", 0));
        let alone = File::create(home.data().join("tidy.lock")).unwrap();
        alone.lock().unwrap();
        let mut journal = fs::OpenOptions::new().append(true).open(&journals(&home)[0]).unwrap();
        journal.write_all(&garbage).unwrap();
        let mut last = 0;
        for round in 1..6 {
            home.silent(prompt("s", round));
            let to = home.query("SELECT folded_to FROM journals")[0]["folded_to"].as_u64().unwrap();
            assert!(to > last, "{what}: round {round}");
            last = to;
        }
        assert_eq!(ledger(&home.data()).len(), 6, "{what}");
        drop(alone);
        tidy(&home);
        assert!(command(&home, &["store", "check"]).contains("sound"), "{what}");
    }
}

/// A frame whose checksum is right says what it wants: sums and counts go on.
#[test]
fn no_number_in_a_frame_wedges_the_ledger() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    for at in [0, i64::MIN, i64::MAX] {
        let [bytes, us] = [i64::MAX; 2];
        let body = json!({"event": "stop", "session": "s", "at": at, "bytes": bytes, "us": us});
        forge(&home, &body.to_string());
    }
    assert!(command(&home, &["metrics", "--json"]).contains("events_stop"));
    command(&home, &["tidy"]);
    assert_eq!(home.failures(), [Value::Null; 0]);
    assert!(command(&home, &["metrics", "--json"]).contains("events_stop"));
}

/// JSON is looked at in terminals too.
#[test]
fn json_holds_nothing_that_steers_a_terminal() {
    let home = Home::new();
    let hostile = "/tmp/\u{9b}31m\u{202e}x\u{1f600}";
    let payload = json!({"hook_event_name": "SessionStart", "session_id": "s", "cwd": hostile});
    home.silent(payload.to_string());
    let said = command(&home, &["status", "--json"]);
    assert!(!said.contains(['\u{9b}', '\u{202e}']), "{said}");
    let value: Value = serde_json::from_str(&said).unwrap();
    assert!(value.to_string().contains(hostile), "{value}");
}

/// A message whose calls fill some pages of the journal.
fn long_batch(session: &str, round: usize) -> String {
    let call = |call: usize| {
        json!({
            "tool_name": "Bash", "tool_use_id": format!("{session}-{round}-{call}"),
            "tool_input": {"command": "make"}, "tool_response": "a line\n".repeat(200),
        })
    };
    let calls: Vec<_> = (0..40).map(call).collect();
    let payload = json!({"hook_event_name": "PostToolBatch", "session_id": session, "cwd": "/p",
        "tool_calls": calls});
    payload.to_string()
}

/// What was folded stays as it is, and what comes after it is folded once, whatever became of the
/// bytes in between.
#[test]
fn a_journal_that_was_damaged_after_its_fold_doubles_nothing() {
    type Damage = fn(&mut Vec<u8>);
    let damages: [(&str, Damage); 4] = [
        ("a byte is another one", |it| {
            let at = it.len() - 9;
            it[at] ^= 1;
        }),
        ("the end is gone", |it| it.truncate(it.len() - 40)),
        ("something stands in the middle", |it| {
            let at = it.len() / 2;
            it.splice(at..at, *b"a few bytes that nobody wrote");
        }),
        ("it is empty", Vec::clear),
    ];
    for (what, damage) in damages {
        let home = Home::new();
        home.silent(prompt("s", 0));
        // More than one fold of the hook path takes.
        (0..25).for_each(|round| home.silent(long_batch("s", round)));
        home.silent(stop("s", 0));
        tidy_up(&home);
        let before = ledger(&home.data());
        assert_eq!(before.len(), 1002);

        let journal = journals(&home).remove(0);
        let mut bytes = fs::read(&journal).unwrap();
        damage(&mut bytes);
        write(&home.path().join("damaged"), &bytes);
        fs::rename(home.path().join("damaged"), &journal).unwrap();
        (1..5).for_each(|round| home.silent(prompt("s", round)));
        tidy_up(&home);
        let after = ledger(&home.data());
        assert!(after[..before.len()] == before, "{what}: what was known has changed");
        let new: Vec<_> = after[before.len()..].iter().map(|it| it["prompt"].clone()).collect();
        assert_eq!(new, ["s-1", "s-2", "s-3", "s-4"], "{what}");
        let untold = "SELECT id FROM events WHERE kind = 'prompt' AND took_us IS NULL";
        assert!(home.query(untold).len() <= late(&home), "{what}: an answer was not found");
        assert!(command(&home, &["store", "check"]).contains("sound"), "{what}");
    }
}

#[test]
fn a_log_of_failures_that_was_damaged_doubles_nothing() {
    let home = Home::new();
    home.silent(prompt("s", 0));
    for _ in 0..3 {
        home.silent("not JSON");
    }
    command(&home, &["tidy"]);
    let log = home.data().join("failures.log");
    fs::copy(&log, home.data().join("failures.old.log")).unwrap();
    let mut bytes = fs::read(&log).unwrap();
    let last = bytes.len() - 9;
    bytes[last] ^= 1;
    fs::write(&log, bytes).unwrap();
    home.silent("not JSON");
    command(&home, &["tidy"]);
    assert_eq!(home.query("SELECT id FROM failures").len(), 4);
}
