//! `replay` as a user meets it: files of the real client, journals of our own, and neither.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::secrets::leaks;
use crate::support::{Home, binary, fixtures, payloads};

/// Runs `windlass replay` in a home of its own, which stays empty.
fn replay(arguments: &[&str], paths: &[&Path]) -> Output {
    let home = Home::new();
    let output = command(&home).args(arguments).args(paths).output().unwrap();
    let left = fs::read_dir(home.path()).unwrap().count();
    assert_eq!(left, 0, "nothing is written");
    assert!(output.stderr.is_empty(), "{output:?}");
    assert!(!output.stdout.contains(&0x1b), "no colour and no bar in {output:?}");
    output
}

fn command(home: &Home) -> Command {
    let mut command = Command::new(binary());
    command.arg("replay").env_clear().env("HOME", home.path()).current_dir(home.path());
    command
}

fn lines(output: &Output) -> Vec<String> {
    str::from_utf8(&output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The decisions and the summary of `--json`.
fn objects(output: &Output) -> (Vec<Value>, Value) {
    let parse = |it: String| serde_json::from_str::<Value>(&it).expect("a JSON object");
    let mut objects: Vec<_> = lines(output).into_iter().map(parse).collect();
    let summary = objects.pop().expect("a summary");
    assert_eq!(summary["kind"], "summary");
    assert!(objects.iter().all(|it| it["kind"] == "decision"));
    (objects, summary)
}

fn transcript(version: &str, case: &str) -> PathBuf {
    let directory = fixtures().join("transcripts").join(version).join(case);
    let files = fs::read_dir(directory).unwrap().map(|it| it.unwrap().path());
    files.into_iter().find(|it| it.extension().is_some()).expect("a file")
}

#[test]
fn a_transcript_is_a_story_and_a_summary() {
    let file = transcript("2.1.325", "stop_block_once_p");
    let output = replay(&["--all"], &[&file]);
    assert_eq!(output.status.code(), Some(0));
    let lines = lines(&output);
    let session = "80530205-16cf-4d75-9b78-0972375c45c2";
    let expected = [
        ("2026-11-15T18:43:19.270Z", "session-start"),
        ("2026-11-15T18:43:19.323Z", "prompt"),
        ("2026-11-15T18:43:19.446Z", "stop"),
        ("2026-11-15T18:43:19.551Z", "stop"),
        ("2026-11-15T18:43:19.619Z", "session-end"),
    ];
    for (line, (time, event)) in lines.iter().zip(expected) {
        assert_eq!(*line, format!("{time}  {session}  {event}  silent"));
    }
    let summary = &lines[expected.len()..];
    assert!(
        summary[0].starts_with("Replayed 1 file of 1 session with 5 events in "),
        "{summary:?}"
    );
    let expected = [
        "Events: 1 prompt, 1 session-end, 1 session-start, 2 stop.",
        "Decisions: 5 silent, 0 pass, 0 ask, 0 released.",
        "Asked at 0 of 2 stops (0.0 %).",
        "Corrupt rows and frames: 0.",
    ];
    assert_eq!(summary[1..], expected);
}

#[test]
fn silence_is_not_shown_unless_it_is_asked_for() {
    let file = transcript("2.1.197", "full_p");
    let (silent, summary) = objects(&replay(&["--json"], &[&file]));
    let (all, same) = objects(&replay(&["--json", "--all"], &[&file]));
    assert_eq!(silent, Vec::<Value>::new());
    let events: u64 =
        summary["events"].as_object().unwrap().values().map(|it| it.as_u64().unwrap()).sum();
    assert_eq!(all.len() as u64, events);
    for field in ["files", "sessions", "events", "decisions", "stops", "asked_stops", "corrupt"] {
        assert_eq!(summary[field], same[field], "{field}");
    }
    let expected = json!({
        "kind": "decision",
        "file": file,
        "time": "2026-11-15T17:54:32.308Z",
        "session": "249fa193-083b-42c0-8162-f0fa11835559",
        "event": "prompt",
        "verdict": "silent",
    });
    assert_eq!(all[1], expected);
}

#[test]
fn all_the_files_of_both_versions_are_understood() {
    let output = replay(&["--json"], &[&fixtures().join("transcripts")]);
    assert_eq!(output.status.code(), Some(0));
    let (_, summary) = objects(&output);
    assert_eq!((&summary["files"], &summary["sessions"]), (&json!(20), &json!(16)));
    assert_eq!((&summary["corrupt"], &summary["not_read"]), (&json!(0), &json!([])));
    let expected = json!({
        "agent-start": 4, "agent-stop": 4, "prompt": 35, "session-end": 16, "session-start": 19,
        "stop": 39, "tool": 46,
    });
    assert_eq!(summary["events"], expected);
}

#[test]
fn a_journal_is_replayed_event_by_event() {
    let home = Home::new();
    let session = "007e377e-ff9c-4683-af5a-703b980dabe0";
    for (_, _, payload) in payloads("2.1.325") {
        if payload["session_id"] == session {
            home.silent(payload.to_string());
        }
    }
    // Two calls of one message are one event.
    let call = |id: &str| {
        json!({
            "tool_name": "Bash", "tool_input": {"command": "true"}, "tool_use_id": id,
            "tool_response": "ok",
        })
    };
    let batch = json!({
        "hook_event_name": "PostToolBatch", "session_id": session,
        "tool_calls": [call("c1"), call("c2")],
    });
    home.silent(batch.to_string());
    let records = home.records();
    let journal = crate::support::journal_file(&home);

    let (decisions, summary) = objects(&replay(&["--all", "--json"], &[&journal]));
    let kinds: Vec<_> = decisions.iter().map(|it| it["event"].as_str().unwrap()).collect();
    let first = |it: &&Value| it["index"].as_u64().unwrap_or(1) == 1;
    let recorded: Vec<_> =
        records.iter().filter(first).map(|it| it["event"].as_str().unwrap()).collect();
    assert_eq!(kinds, recorded);
    assert_eq!(records.len(), recorded.len() + 1);
    assert_eq!((&summary["sessions"], &summary["corrupt"]), (&json!(1), &json!(0)));

    // The same by another name, and with half a frame at its end.
    let directory = TempDir::new().unwrap();
    let copy = directory.path().join("copy");
    let mut bytes = fs::read(&journal).unwrap();
    bytes.extend_from_slice(b"\nw1 0040 0123");
    fs::write(&copy, bytes).unwrap();
    let (same, summary) = objects(&replay(&["--all", "--json"], &[&copy]));
    assert_eq!((same.len(), &summary["corrupt"]), (decisions.len(), &json!(1)));
}

/// A directory with a file of the client, one with a broken row, one of another agent, an empty
/// one, a journal that is none, and a note.
fn mixed() -> TempDir {
    let directory = TempDir::new().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    let good = fs::read(transcript("2.1.325", "stop_additional_context_p")).unwrap();
    let other = fs::read(transcript("2.1.197", "stop_block_once_p")).unwrap();
    write("project/good.jsonl", &good);
    write("project/deep/broken.jsonl", &[b"{\"type\": \"user\", \n".as_slice(), &other].concat());
    write("foreign.jsonl", b"{\"timestamp\":\"t\",\"type\":\"session_meta\",\"payload\":{}}\n");
    write("empty.jsonl", b"");
    write("none.journal", b"this is no journal");
    write("notes.md", b"# notes");
    directory
}

#[test]
fn what_is_not_understood_is_named_and_the_rest_is_replayed() {
    let directory = mixed();
    let output = replay(&["--json"], &[directory.path()]);
    assert_eq!(output.status.code(), Some(1));
    let (_, summary) = objects(&output);
    assert_eq!((&summary["files"], &summary["sessions"]), (&json!(3), &json!(2)));
    assert_eq!(summary["corrupt"], 2, "a row, and what stands in the journal");
    let foreign = directory.path().join("foreign.jsonl");
    let none = directory.path().join("none.journal");
    let expected = json!([
        {"path": foreign, "why": "no row of the file is one of a Claude Code conversation"},
        {"path": none, "why": "no frame of the journal is whole"},
    ]);
    assert_eq!(summary["not_read"], expected);

    let text = lines(&replay(&[], &[directory.path()])).join("\n");
    assert!(text.contains("\nNot read:\n"), "{text}");
    assert!(text.contains(&format!("\n  {}: no row", foreign.display())), "{text}");
}

#[test]
fn a_file_that_is_not_there_is_named_and_the_others_are_replayed() {
    let file = transcript("2.1.325", "stop_block_once_p");
    let output = replay(&["--json"], &[Path::new("/absent.jsonl"), &file]);
    assert_eq!(output.status.code(), Some(1));
    let (_, summary) = objects(&output);
    assert_eq!((&summary["files"], &summary["stops"]), (&json!(1), &json!(2)));
    let why = summary["not_read"][0]["why"].as_str().unwrap();
    assert_eq!(summary["not_read"][0]["path"], "/absent.jsonl");
    assert!(why.starts_with("find the files: No such file"), "{why}");
}

#[test]
fn a_name_that_is_no_text_and_a_pipe_are_files_too() {
    let directory = TempDir::new().unwrap();
    let odd = directory.path().join(OsStr::from_bytes(b"\xff\n.jsonl"));
    fs::copy(transcript("2.1.325", "stop_block_once_p"), &odd).unwrap();
    let (decisions, _) = objects(&replay(&["--json", "--all"], &[directory.path()]));
    assert_eq!(decisions.len(), 5);
    fs::write(&odd, "not ours").unwrap();
    let text = lines(&replay(&[], &[directory.path()])).join("\n");
    let foreign =
        "/\u{fffd} .jsonl: no row of the file is one of a Claude Code conversation\nNext: ";
    assert!(text.contains(foreign), "{text}");

    let home = Home::new();
    let mut command = command(&home);
    let payload = fs::read(transcript("2.1.325", "stop_block_once_p")).unwrap();
    let output = crate::support::feed(command.args(["--json", "/dev/stdin"]), &payload);
    assert_eq!(objects(&output).1["stops"], 2);
}

#[test]
fn a_directory_without_files_says_what_to_name() {
    let directory = TempDir::new().unwrap();
    let output = replay(&[], &[directory.path()]);
    assert_eq!(output.status.code(), Some(0));
    assert!(lines(&output)[0].starts_with("Found nothing to replay. Name a "), "{output:?}");
}

#[test]
fn a_reader_that_has_seen_enough_is_left_in_peace() {
    let home = Home::new();
    for arguments in [&["--all"][..], &["--all", "--json"], &["--json"]] {
        let mut command = command(&home);
        command.args(arguments).arg(fixtures().join("transcripts"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let home = Home::new();
    let Ok(full) = fs::File::options().write(true).open("/dev/full") else { return };
    let mut command = command(&home);
    let output = command.arg(fixtures().join("transcripts")).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("error: could not write to stdout\n"), "{text}");
}

/// A transcript is not redacted, and what is shown of it comes from outside.
#[test]
fn no_secret_of_a_transcript_is_shown() {
    let directory = TempDir::new().unwrap();
    let canaries = windlass::testing::canaries();
    for (index, canary) in canaries.iter().enumerate() {
        let row = |kind: &str, content: Value| {
            json!({
                "type": kind, "sessionId": format!("s{index}"), "agentId": canary.text,
                "isSidechain": true, "message": {"content": content},
            })
        };
        let said = json!([{"type": "text", "text": canary.text}]);
        let file = directory.path().join(format!("{index}.jsonl"));
        let rows = [row("user", json!(canary.text)), row("assistant", said)];
        fs::write(file, rows.map(|it| format!("{it}\n")).concat()).unwrap();
    }
    for arguments in [&["--all"][..], &["--all", "--json"]] {
        let output = replay(arguments, &[directory.path()]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.lines().count() > 2 * canaries.len(), "{text}");
        assert_eq!(leaks(text.as_bytes(), &canaries), Vec::<String>::new());
    }
}
