//! The reader of transcripts, on files that the real client wrote.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{Home, assert_golden, fixtures};

/// Plays a Stop whose transcript is `file`, and returns the digest that was recorded.
fn stop_with(home: &Home, file: &Path, agent: Option<&str>) -> Value {
    let mut payload = json!({
        "hook_event_name": "Stop", "session_id": file.file_stem().unwrap().to_str(), "cwd": "/p",
        "transcript_path": file,
    });
    if let Some(agent) = agent {
        payload["hook_event_name"] = json!("SubagentStop");
        payload["agent_id"] = json!(agent);
        payload["agent_transcript_path"] = json!(file);
    }
    let before = totals(home, file);
    let known = failed(home);
    home.silent(payload.to_string());
    assert_eq!(home.failures(), Vec::<Value>::new());
    let mut digest = totals(home, file);
    for (key, value) in digest.as_object_mut().unwrap() {
        let less = if key == "read_to" { 0 } else { before[key].as_i64().unwrap_or(0) };
        *value = json!(value.as_i64().unwrap() - less);
    }
    let named: Vec<_> = failed(home).into_iter().filter(|it| !known.contains(it)).collect();
    digest["named"] = json!(named);
    digest
}

/// What the ledger says of one transcript.
fn totals(home: &Home, file: &Path) -> Value {
    let columns = "read_to, rows, corrupt, prompts, said, calls, failed, hook_feedback,
        task_notifications, compactions, input_tokens, cache_write_tokens, cache_read_tokens,
        output_tokens";
    let query = format!("SELECT {columns} FROM transcripts WHERE path = '{}'", file.display());
    home.query(&query).pop().unwrap_or_default()
}

/// The calls that the ledger knows to have failed.
fn failed(home: &Home) -> Vec<Value> {
    let rows = home.query("SELECT name FROM failed_calls ORDER BY name");
    rows.into_iter().map(|it| it["name"].clone()).collect()
}

fn place(home: &Home, name: &str, bytes: &[u8]) -> PathBuf {
    let directory = home.projects().join("-p");
    fs::create_dir_all(&directory).unwrap();
    let file = directory.join(name);
    fs::write(&file, bytes).unwrap();
    file
}

#[test]
fn reads_the_files_of_both_versions() {
    let mut text = String::new();
    let mut files = Vec::new();
    collect(&fixtures().join("transcripts"), &mut files);
    files.sort();
    for source in files {
        let home = Home::new();
        let agent = source.components().any(|it| it.as_os_str() == "subagents");
        let bytes = fs::read(&source).unwrap();
        let file = place(&home, &format!("{}.jsonl", session_of(&bytes)), &bytes);
        // The whole file: what is beyond the first look is another test's business.
        let size = fs::metadata(&file).unwrap().len();
        let digest = whole(&home, &file, size, agent.then_some("a1"));
        let name = source.strip_prefix(fixtures().join("transcripts")).unwrap();
        writeln!(text, "{}\n  {digest}", name.display()).unwrap();
    }
    assert_golden("transcripts.txt", &text);
}

/// The session that the rows of a file name.
fn session_of(bytes: &[u8]) -> String {
    let rows = bytes.split(|it| *it == b'\n').filter_map(|it| serde_json::from_slice(it).ok());
    let mut names = rows.filter_map(|it: Value| it["sessionId"].as_str().map(str::to_owned));
    names.next_back().unwrap_or_else(|| "t".to_owned())
}

/// Reads a file from its beginning: first while it is empty, then with its content.
fn whole(home: &Home, file: &Path, size: u64, agent: Option<&str>) -> Value {
    let bytes = fs::read(file).unwrap();
    fs::write(file, "").unwrap();
    stop_with(home, file, agent);
    fs::write(file, bytes).unwrap();
    let digest = stop_with(home, file, agent);
    assert_eq!(digest["read_to"].as_u64(), Some(size));
    digest
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

fn user(text: &str) -> String {
    format!("{}\n", json!({"type": "user", "message": {"role": "user", "content": text}}))
}

fn assistant(id: &str, block: &Value) -> String {
    let message = json!({
        "id": id, "model": "m", "content": [block],
        "usage": {"input_tokens": 10, "output_tokens": 3, "cache_read_input_tokens": 100},
    });
    format!("{}\n", json!({"type": "assistant", "message": message}))
}

fn result(call: &str, failed: bool) -> String {
    let block =
        json!({"type": "tool_result", "tool_use_id": call, "is_error": failed, "content": "x"});
    format!("{}\n", json!({"type": "user", "message": {"role": "user", "content": [block]}}))
}

#[test]
fn reads_only_what_is_new() {
    let home = Home::new();
    let file = place(&home, "t.jsonl", b"");
    let append = |text: &str| {
        File::options().append(true).open(&file).unwrap().write_all(text.as_bytes()).unwrap();
    };
    stop_with(&home, &file, None);

    let first = [
        user("fix it"),
        assistant("m1", &json!({"type": "text", "text": "Looking."})),
        assistant("m1", &json!({"type": "tool_use", "id": "c1", "name": "Bash", "input": {}})),
        result("c1", true),
    ]
    .concat();
    append(&first);
    let digest = stop_with(&home, &file, None);
    assert_eq!(digest["rows"], 4);
    assert_eq!(
        (&digest["prompts"], &digest["said"], &digest["calls"]),
        (&json!(1), &json!(1), &json!(1))
    );
    assert_eq!((&digest["failed"], &digest["named"]), (&json!(1), &json!(["c1"])));
    assert_eq!(digest["output_tokens"], 3, "a message is counted once");

    // The same message goes on in the next part: still once. A row without its end waits.
    let second =
        assistant("m1", &json!({"type": "tool_use", "id": "c2", "name": "Bash", "input": {}}));
    append(&second);
    append(r#"{"type":"user","mess"#);
    let digest = stop_with(&home, &file, None);
    assert_eq!((&digest["rows"], &digest["output_tokens"]), (&json!(1), &json!(0)));
    assert_eq!(digest["read_to"].as_u64(), Some((first.len() + second.len()) as u64));

    append("age\":{\"content\":\"go on\"}}\n");
    let digest = stop_with(&home, &file, None);
    assert_eq!((&digest["rows"], &digest["prompts"]), (&json!(1), &json!(1)));
    let digest = stop_with(&home, &file, None);
    assert_eq!(digest["rows"], 0, "nothing is read twice");
}

#[test]
fn a_file_that_was_rewritten_is_looked_at_again() {
    let home = Home::new();
    let file = place(&home, "t.jsonl", user("one").repeat(5).as_bytes());
    assert_eq!(stop_with(&home, &file, None)["prompts"], 5);
    fs::write(&file, user("two").repeat(5)).unwrap();
    assert_eq!(stop_with(&home, &file, None)["prompts"], 5, "same size, other content");
    fs::write(&file, user("three")).unwrap();
    assert_eq!(stop_with(&home, &file, None)["prompts"], 1, "shorter");
}

#[test]
fn an_unknown_past_is_looked_at_from_its_end() {
    let home = Home::new();
    let row = user(&"old ".repeat(100));
    let file = place(&home, "t.jsonl", row.repeat(30_000).as_bytes());
    let digest = stop_with(&home, &file, None);
    let rows = usize::try_from(digest["rows"].as_u64().unwrap()).unwrap();
    assert!(rows * row.len() <= 64 << 10 && (rows + 2) * row.len() > 64 << 10, "{digest}");
    assert_eq!((&digest["corrupt"], &digest["read_to"]), (&json!(0), &json!(row.len() * 30_000)));
}

#[test]
fn corrupt_rows_are_counted_and_passed_by() {
    let home = Home::new();
    let mut bytes = b"\0\0\0".to_vec();
    bytes.extend_from_slice(user("after a crash").as_bytes());
    bytes.extend_from_slice(b"{\"type\":\"user\",\"message\":\n\xff\xfe\xfd\n\n[1]\n\"text\"\n");
    bytes.extend_from_slice(user("after the damage").as_bytes());
    let file = place(&home, "t.jsonl", &bytes);
    let digest = stop_with(&home, &file, None);
    assert_eq!(
        (&digest["rows"], &digest["corrupt"], &digest["prompts"]),
        (&json!(7), &json!(5), &json!(2))
    );
}

#[test]
fn a_row_of_ten_megabytes_is_passed_by() {
    let home = Home::new();
    let file = place(&home, "t.jsonl", b"");
    stop_with(&home, &file, None);
    fs::write(&file, [user(&"x".repeat(10 << 20)), user("next")].concat()).unwrap();
    let mut prompts = 0;
    for _ in 0..3 {
        prompts += stop_with(&home, &file, None)["prompts"].as_u64().unwrap();
    }
    assert_eq!(prompts, 1, "the row after it is found");
}

#[test]
fn each_agent_has_its_own_cursor() {
    let home = Home::new();
    let main = place(&home, "main.jsonl", user("one").as_bytes());
    let side = json!({"type": "user", "isSidechain": true, "message": {"content": "sub"}});
    let agent = place(&home, "agent-a1.jsonl", format!("{side}\n{side}\n").as_bytes());
    assert_eq!(stop_with(&home, &main, None)["prompts"], 1);
    assert_eq!(stop_with(&home, &agent, Some("a1"))["prompts"], 2);
    assert_eq!(stop_with(&home, &main, None)["prompts"], 0);
    assert_eq!(stop_with(&home, &agent, Some("a1"))["prompts"], 0);
    assert_eq!(stop_with(&home, &main, None)["rows"], 0);
}

/// Ids that are cut, escaped or redacted in the journal still find their own cursor.
#[test]
fn an_odd_agent_id_finds_its_cursor() {
    let long = "a".repeat(500);
    let secret = ["ghp_", "A1b2C3d4E5f6G7h8I9j0", "K1l2M3n4O5p6Q7r8"].concat();
    for id in [long.as_str(), "quote\" and \\ slash\n", "[redacted:x]", &secret] {
        let home = Home::new();
        let side = json!({"type": "user", "isSidechain": true, "message": {"content": "sub"}});
        let file = place(&home, "agent.jsonl", format!("{side}\n").as_bytes());
        assert_eq!(stop_with(&home, &file, Some(id))["prompts"], 1, "{id:.40}");
        assert_eq!(stop_with(&home, &file, Some(id))["prompts"], 0, "{id:.40}");
    }
}

/// Two stops at once: the rows are counted by one of them.
#[test]
fn two_readers_at_once_count_nothing_twice() {
    let home = Home::new();
    let file = place(&home, "t.jsonl", b"");
    stop_with(&home, &file, None);
    let payload = json!({
        "hook_event_name": "Stop", "session_id": "s", "cwd": "/p", "transcript_path": file,
    });
    let mut rows = 0;
    for _ in 0..20 {
        let more = user("more").repeat(50);
        File::options().append(true).open(&file).unwrap().write_all(more.as_bytes()).unwrap();
        rows += 50;
        // A quiet stop leaves the count to the next one that uses the store.
        fs::remove_dir_all(home.data().join("quiet")).unwrap_or_default();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| home.silent(payload.to_string()));
            }
        });
    }
    fs::remove_dir_all(home.data().join("quiet")).unwrap_or_default();
    home.silent(payload.to_string());
    assert_eq!(totals(&home, &file)["rows"], rows);
}

/// The cost of a stop does not grow with the session: no journal is searched for a cursor.
#[test]
fn a_new_subagent_in_a_long_session_is_as_cheap_as_any() {
    let home = Home::new();
    home.silent(json!({"hook_event_name": "SubagentStart", "session_id": "s"}).to_string());
    let journal = crate::support::journal_file(&home);
    File::options().append(true).open(&journal).unwrap().set_len(4 << 30).unwrap();
    let side = json!({"type": "user", "isSidechain": true, "message": {"content": "sub"}});
    let file = place(&home, "agent.jsonl", format!("{side}\n").as_bytes());
    assert_eq!(stop_with_unread_journal(&home, &file, "new"), 1);
}

/// Plays a `SubagentStop` where the journal is too large to be read, and returns the rows.
fn stop_with_unread_journal(home: &Home, file: &Path, agent: &str) -> u64 {
    let payload = json!({
        "hook_event_name": "SubagentStop", "session_id": "s", "agent_id": agent,
        "transcript_path": file, "agent_transcript_path": file,
    });
    home.silent(payload.to_string());
    totals(home, file)["rows"].as_u64().unwrap()
}

#[test]
fn the_host_and_its_hooks_are_not_the_user() {
    let home = Home::new();
    let meta =
        json!({"type": "user", "isMeta": true, "message": {"content": "Stop hook feedback:\nrun"}});
    let side = json!({"type": "user", "isSidechain": true, "message": {"content": "sub"}});
    let summary =
        json!({"type": "user", "isCompactSummary": true, "message": {"content": "This session"}});
    let boundary = json!({"type": "system", "subtype": "compact_boundary"});
    let queued = json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "and this"}});
    let context = json!({"type": "attachment", "attachment": {"type": "hook_additional_context"}});
    let rows: String = [meta, side, summary, boundary, queued, context]
        .map(|it| format!("{it}\n"))
        .into_iter()
        .chain(["<command-name>/x</command-name>", "<task-notification>\n<task-id>"].map(user))
        .collect();
    let digest = stop_with(&home, &place(&home, "t.jsonl", rows.as_bytes()), None);
    assert_eq!(digest["rows"], 8);
    assert_eq!(digest["prompts"], 1, "what was typed while the agent worked");
    assert_eq!(digest["hook_feedback"], 2);
    assert_eq!(digest["task_notifications"], 1);
    assert_eq!(digest["compactions"], 1);
}
