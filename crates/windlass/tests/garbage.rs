//! Whatever comes in: exit 0, no output, nothing outside our directory touched.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::net::sockopt::set_socket_send_buffer_size;
use serde_json::{Value, json};

use crate::support::{
    Home, assert_silent, binary, feed, feed_exactly, journal_file, whole_records, write,
};

fn stop(session: &str) -> Value {
    json!({"hook_event_name": "Stop", "session_id": session, "cwd": "/p", "stop_hook_active": false})
}

/// The last recorded failure, as one line.
#[track_caller]
fn failure(home: &Home) -> String {
    let failures = home.failures();
    let last = failures.last().expect("a failure is recorded");
    format!("{} while {}", last["error"].as_str().unwrap(), last["doing"].as_str().unwrap())
}

#[test]
fn broken_input_is_silence_and_a_recorded_failure() {
    let truncated = &stop("s").to_string()[..40];
    let utf16: Vec<u8> = stop("s").to_string().encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cases: [(&str, &[u8]); 7] = [
        ("empty", b""),
        ("blank", b" \n"),
        ("text", b"hello"),
        ("truncated", truncated.as_bytes()),
        ("utf-16", &utf16),
        ("nul bytes", &[0; 64]),
        ("half an escape", br#"{"hook_event_name":"Stop\u00"#),
    ];
    for (name, bytes) in cases {
        let home = Home::new();
        home.silent(bytes);
        assert_eq!(home.failures().len(), 1, "{name}");
        assert_eq!(home.records().len(), 0, "{name}");
    }
}

#[test]
fn random_bytes_are_silence() {
    let home = Home::new();
    let mut seed = 42_u64;
    for length in 0..300_usize {
        let bytes: Vec<u8> = std::iter::repeat_with(|| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            (seed >> 56) as u8
        })
        .take(length)
        .collect();
        home.silent(&bytes);
    }
}

/// Every payload cut at every byte, and with every byte replaced.
#[test]
fn a_damaged_payload_is_silence() {
    let home = Home::new();
    let payload = stop("s").to_string().into_bytes();
    for at in 0..payload.len() {
        home.silent(&payload[..at]);
        let mut damaged = payload.clone();
        damaged[at] = 0xff;
        home.silent(&damaged);
    }
}

#[test]
fn text_that_is_not_utf8_costs_the_character_and_not_the_event() {
    let home = Home::new();
    let mut payload =
        br#"{"hook_event_name":"Stop","session_id":"s","last_assistant_message":"a"#.to_vec();
    payload.extend_from_slice(b"\xe2\x82 b\"}");
    home.silent(&payload);
    assert_eq!(home.records()[0]["text"], "a\u{fffd} b");
}

#[test]
fn deep_json_does_not_overflow_the_stack() {
    let home = Home::new();
    let deep = "[".repeat(1_000_000);
    home.silent(&deep);
    home.silent(format!(r#"{{"hook_event_name":"Stop","session_id":"s","x":{deep}"#));
    let closed = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    home.silent(format!(r#"{{"hook_event_name":"Stop","session_id":"s","x":{closed}}}"#));
    let keys: Vec<String> = (0..100_000).map(|it| format!(r#""k{it}":1"#)).collect();
    home.silent(format!(r#"{{"hook_event_name":"Stop","session_id":"s",{}}}"#, keys.join(",")));
    assert_eq!(home.records().last().unwrap()["event"], "stop");
}

#[test]
fn a_line_of_200_megabytes_is_understood_and_not_held() {
    let home = Home::new();
    let mut child = start(&home);
    let mut stdin = child.stdin.take().unwrap();
    stdin
        .write_all(br#"{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":""#)
        .unwrap();
    let chunk = vec![b'a'; 1 << 20];
    for _ in 0..200 {
        stdin.write_all(&chunk).expect("the whole line is read, or the client reports an error");
    }
    // Most of it are pages of the program, which are as many as the build has.
    assert!(peak_kilobytes(&child) < 16 << 10, "{} kB", peak_kilobytes(&child));
    stdin.write_all(b" the end\"}").unwrap();
    assert_silent(&child.wait_with_output().unwrap());
    let record = home.records().pop().unwrap();
    assert_eq!(record["text_bytes"], (200 << 20) + 8);
    assert!(record["text"].as_str().unwrap().ends_with("the end"));
    drop(stdin);
}

#[test]
fn an_event_of_many_small_parts_is_read_and_not_held() {
    let home = Home::new();
    let mut child = start(&home);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(br#"{"hook_event_name":"Stop","session_id":"s","many":["#).unwrap();
    let chunk = b"1,".repeat(1 << 19);
    for _ in 0..12 {
        stdin.write_all(&chunk).expect("everything is read, or the client reports an error");
    }
    assert!(peak_kilobytes(&child) < 40 << 10, "{} kB", peak_kilobytes(&child));
    stdin.write_all(b"1]}").unwrap();
    drop(stdin);
    assert_silent(&child.wait_with_output().unwrap());
    assert!(failure(&home).contains("larger than"), "{}", failure(&home));
}

/// A hook whose stdin is ours to write.
fn start(home: &Home) -> Child {
    home.command()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Feeds a hook byte by byte, for ever, until it ends by itself.
fn trickle_until_it_ends(mut child: Child) {
    let mut stdin = child.stdin.take().unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_secs(30), "it never ends");
        stdin.write_all(b"[").unwrap_or_default();
        thread::sleep(Duration::from_millis(100));
    }
    assert_silent(&child.wait_with_output().unwrap());
}

fn peak_kilobytes(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|it| it.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn a_complete_event_is_answered_although_stdin_stays_open() {
    let home = Home::new();
    let mut child = start(&home);
    let mut stdin = child.stdin.take().unwrap();
    // Two halves with a pause between them: the pause is no end.
    let payload = stop("s").to_string();
    stdin.write_all(&payload.as_bytes()[..20]).unwrap();
    thread::sleep(Duration::from_millis(300));
    stdin.write_all(&payload.as_bytes()[20..]).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_silent(&output);
    assert_eq!(home.records().len(), 1);
    drop(stdin);
}

#[test]
fn a_silent_stdin_is_left_after_a_while() {
    for beginning in ["", "{\"hook_event_name\":"] {
        let home = Home::new();
        let mut child = start(&home);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(beginning.as_bytes()).unwrap();
        assert_silent(&child.wait_with_output().unwrap());
        assert_eq!(home.failures().len(), 1);
        drop(stdin);
    }
}

/// Bytes that trickle in for ever: the deadline of our own ends it, quietly and on record.
#[test]
fn an_endless_stdin_meets_our_own_deadline() {
    let home = Home::new();
    trickle_until_it_ends(start(&home));
    assert_eq!(failure(&home), "our own deadline passed while reading the event from stdin");
}

#[test]
fn only_the_first_value_counts() {
    let home = Home::new();
    home.silent(format!("\u{feff}{}\n{{\"second\":1}} trailing", stop("s")));
    assert_eq!(home.records().len(), 1);
    assert_eq!(home.failures().len(), 0);
}

#[test]
fn closed_and_full_outputs_do_no_harm() {
    let home = Home::new();
    let script = r#""$0" hook >&- 2>&-"#;
    let full = r#""$0" hook > /dev/full 2> /dev/full"#;
    for script in [script, full] {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).arg(binary()).env_clear().env("HOME", home.path());
        assert_silent(&feed(&mut command, stop("s").to_string().as_bytes()));
    }
    assert_eq!(home.records().len(), 2);
}

#[test]
fn without_a_home_there_is_only_silence() {
    let home = Home::new();
    for value in [None, Some(""), Some("relative/path")] {
        let mut command = home.command();
        command.env_remove("HOME");
        if let Some(value) = value {
            command.env("HOME", value);
        }
        // More than a pipe holds: it must be read although it cannot be kept.
        let mut payload = stop("s");
        payload["last_assistant_message"] = json!("x".repeat(1 << 20));
        assert_silent(&feed(&mut command, payload.to_string().as_bytes()));
    }
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "something was written");
}

/// A read-only home: as root permissions do not bind, so a file stands in the way instead.
#[test]
fn a_home_that_cannot_be_written_is_silence() {
    let home = Home::new();
    fs::write(home.path().join(".local"), "in the way").unwrap();
    home.silent(stop("s").to_string());
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o500)).unwrap();
    home.silent(stop("s").to_string());
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(fs::read(home.path().join(".local")).unwrap(), b"in the way");
}

/// A full disk, as far as a limit on the size of a file shows it: the write comes back short.
#[test]
fn a_full_disk_is_silence_and_the_next_frame_is_whole() {
    let home = Home::new();
    home.silent(stop("s").to_string());
    let journal = journal_file(&home);
    let size = fs::metadata(&journal).unwrap().len();
    let script = r#"ulimit -f 1; trap '' XFSZ; exec "$0" hook"#;
    // The limit is in blocks of 512 or 1024 bytes: fill up to just below it.
    let filler = vec![b'x'; usize::try_from(1000 - size).unwrap()];
    File::options().append(true).open(&journal).unwrap().write_all(&filler).unwrap();
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]).arg(binary()).env_clear().env("HOME", home.path());
    assert_silent(&feed(&mut command, stop("torn").to_string().replace("torn", "s").as_bytes()));
    home.silent(stop("s").to_string());
    let bytes = fs::read(&journal).unwrap();
    let behind = &bytes[1000..];
    assert!(whole_records(behind).0.iter().any(|it| it["event"] == "stop"), "it is whole");
    assert!(failure(&home).contains("append"), "{}", failure(&home));
}

#[test]
fn hostile_session_ids_never_become_paths() {
    let long = "x".repeat(10 << 20);
    for session in ["", "null", "../../../../tmp/windlass-escape", "/etc/passwd", "a\u{0}b", &long]
    {
        let home = Home::new();
        home.silent(stop(session).to_string());
        assert_eq!(home.records()[0]["session"], "unknown", "{session:.40}");
        assert!(failure(&home).contains("no usable session"), "{}", failure(&home));
        assert_only_ours(&home);
    }
    for session in [json!(null), json!(5), json!({}), json!([])] {
        let home = Home::new();
        let mut payload = stop("s");
        payload["session_id"] = session;
        home.silent(payload.to_string());
        assert_eq!(home.records()[0]["session"], "unknown");
    }
    assert!(!Path::new("/tmp/windlass-escape").exists());
}

#[test]
fn hostile_transcript_paths_are_not_opened() {
    let home = Home::new();
    let projects = home.projects();
    fs::create_dir_all(projects.join("dir.jsonl")).unwrap();
    let secret = home.path().join("secret.jsonl");
    fs::write(&secret, "{\"type\":\"user\",\"message\":{\"content\":\"hi\"}}\n").unwrap();
    std::os::unix::fs::symlink(&secret, projects.join("link.jsonl")).unwrap();
    let fifo = projects.join("fifo.jsonl");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let inside = |name: &str| projects.join(name).display().to_string();
    let cases = [
        "/etc/shadow".to_owned(),
        "/dev/zero".to_owned(),
        secret.display().to_string(),
        inside("../../secret.jsonl"),
        inside("link.jsonl"),
        inside("fifo.jsonl"),
        inside("dir.jsonl"),
        inside("nul\u{0}.jsonl"),
        "relative.jsonl".to_owned(),
        r"\\host\share\a.jsonl".to_owned(),
    ];
    for (index, path) in cases.iter().enumerate() {
        let mut payload = stop("s");
        payload["transcript_path"] = json!(path);
        home.silent(payload.to_string());
        assert_eq!(home.failures().len(), index + 1, "not refused: {path}");
    }
    assert!(home.records().iter().all(|it| it["event"] == "stop"), "something was read");
}

#[test]
fn a_transcript_that_is_refused_costs_neither_the_event_nor_its_decision() {
    let home = Home::new();
    let mut payload = stop("s");
    payload["transcript_path"] = json!("/etc/shadow");
    home.silent(payload.to_string());
    assert_eq!(home.query("SELECT kind FROM events"), [json!({"kind": "stop"})]);
    assert_eq!(home.query("SELECT verdict FROM decisions"), [json!({"verdict": "pass"})]);
    let failures = home.failures();
    assert_eq!(failures.len(), 1);
    assert_eq!(failures[0]["doing"], "loading what the event needs");
}

#[test]
fn hostile_working_directories_are_only_text() {
    let home = Home::new();
    let long = "/x".repeat(8 << 10);
    for cwd in ["/nowhere/at/all", "-rf", "$(touch /tmp/windlass-escape)", "a\nb", "", &long] {
        let mut payload = stop("s");
        payload["cwd"] = json!(cwd);
        home.silent(payload.to_string());
    }
    assert_eq!(home.records().len(), 6);
    assert_only_ours(&home);
    assert!(!Path::new("/tmp/windlass-escape").exists());
}

/// A home, the empty place of its journal, and a file that must not change.
fn a_journal_that_was_taken_away() -> (Home, PathBuf, PathBuf) {
    let home = Home::new();
    home.silent(stop("s").to_string());
    let journal = journal_file(&home);
    let victim = home.path().join("victim");
    fs::write(&victim, "mine").unwrap();
    fs::remove_file(&journal).unwrap();
    (home, journal, victim)
}

#[test]
fn a_link_in_the_place_of_a_journal_is_refused() {
    let (home, journal, victim) = a_journal_that_was_taken_away();
    std::os::unix::fs::symlink(&victim, &journal).unwrap();
    home.silent(stop("s").to_string());
    assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
    assert!(failure(&home).contains("append"), "{}", failure(&home));
}

/// A second name for a journal, or a pipe in its place: neither is ours.
#[test]
fn a_file_that_is_not_plainly_ours_is_refused() {
    let (home, journal, victim) = a_journal_that_was_taken_away();
    fs::hard_link(&victim, &journal).unwrap();
    home.silent(stop("s").to_string());
    assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
    fs::remove_file(&journal).unwrap();
    assert!(Command::new("mkfifo").arg(&journal).status().unwrap().success());
    let reader = File::options().read(true).write(true).open(&journal).unwrap();
    home.silent(stop("s").to_string());
    assert_eq!(home.failures().len(), 2);
    drop(reader);
}

/// Whoever starts us may have blocked the signal of our deadline, or left a pipe for our log.
#[test]
fn the_deadline_holds_against_a_hostile_start() {
    let home = Home::new();
    fs::create_dir_all(home.data()).unwrap();
    assert!(
        Command::new("mkfifo").arg(home.data().join("failures.log")).status().unwrap().success()
    );
    let python = "import os, signal, sys\n\
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\n\
        os.execv(sys.argv[1], [sys.argv[1], 'hook'])";
    let mut command = Command::new("python3");
    command.args(["-c", python]).arg(binary()).env("HOME", home.path());
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(child) = piped.spawn() else { return };
    trickle_until_it_ends(child);
}

/// Whoever shares our stdin may have told it not to wait.
#[test]
fn a_stdin_that_does_not_wait_is_waited_for() {
    let home = Home::new();
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    theirs.set_nonblocking(true).unwrap();
    let mut command = home.command();
    let child = command.stdin(OwnedFd::from(theirs)).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = child.spawn().unwrap();
    drop(command);
    let mut payload = stop("s");
    payload["last_assistant_message"] = json!("x".repeat(200_000));
    let payload = payload.to_string();
    // As much as one read takes, then a pause: the next read finds nothing yet.
    let (first, rest) = payload.as_bytes().split_at(64 << 10);
    ours.write_all(first).unwrap();
    thread::sleep(Duration::from_millis(300));
    ours.write_all(rest).expect("everything is read");
    assert_silent(&child.wait_with_output().unwrap());
    assert_eq!(home.failures(), Vec::<Value>::new());
    assert_eq!(home.records().len(), 1);
}

/// A hook that has an answer of more than two kilobytes, and whose stdout holds little.
fn answering(home: &Home, stdout: UnixStream) -> Child {
    let root = home.path().join("p");
    let keys = ('a'..='f').map(|it| format!("\"{}{it}\" = 1\n", "\u{e0001}".repeat(39)));
    write(&root.join(".windlass.toml"), keys.collect::<String>().as_bytes());
    fs::create_dir_all(root.join(".git")).unwrap();
    let mut command = home.command();
    command.stdin(Stdio::piped()).stdout(OwnedFd::from(stdout)).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let payload = json!({"hook_event_name": "SessionStart", "session_id": "s", "cwd": root});
    child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    child
}

/// Two ends, of which the second holds a few kilobytes and no more.
fn narrow() -> (UnixStream, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    set_socket_send_buffer_size(&theirs, 0).unwrap();
    (ours, theirs)
}

/// Half a JSON value would be shown to the user as an error.
#[test]
fn the_deadline_does_not_cut_an_answer_in_two() {
    let home = Home::new();
    let (mut ours, mut theirs) = narrow();
    let before = [b'\n'; 1000];
    theirs.write_all(&before).unwrap();
    let child = answering(&home, theirs);
    // Nobody takes the second half until the deadline is over.
    thread::sleep(Duration::from_millis(2500));
    let mut said = String::new();
    ours.read_to_string(&mut said).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{output:?}");
    let answer: Value = serde_json::from_str(&said).unwrap_or_else(|it| panic!("{it}: {said}"));
    assert!(said.len() - before.len() > 2240, "it had to wait: {}", said.len());
    assert!(answer["systemMessage"].as_str().unwrap().contains("ignored"), "{answer}");
}

#[test]
fn a_stdout_that_nobody_reads_is_left_without_a_byte() {
    let home = Home::new();
    let (mut ours, mut theirs) = narrow();
    theirs.set_nonblocking(true).unwrap();
    let mut filled = 0;
    while let Ok(count) = theirs.write(&[b'\n'; 100]) {
        filled += count;
    }
    theirs.set_nonblocking(false).unwrap();
    let output = answering(&home, theirs).wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{output:?}");
    let mut said = Vec::new();
    ours.read_to_end(&mut said).unwrap();
    assert_eq!(said.len(), filled);
    assert_eq!(failure(&home), "write to stdout: timed out while writing the answer");
    assert_eq!(home.records().len(), 1);
}

/// The limit on the size of a file comes with a signal that kills.
#[test]
fn a_file_that_may_not_grow_is_silence() {
    let home = Home::new();
    let mut command = Command::new("/bin/sh");
    command.args(["-c", r#"ulimit -f 0; exec "$0" hook"#]).arg(binary());
    command.env_clear().env("HOME", home.path());
    assert_silent(&feed(&mut command, stop("s").to_string().as_bytes()));
}

/// A batch whose calls are not where they were is still an event.
#[test]
fn a_batch_without_calls_is_recorded() {
    let home = Home::new();
    for calls in [json!([]), json!(null), json!("new shape"), json!({"a": 1}), json!([1, "x"])] {
        home.silent(
            json!({"hook_event_name": "PostToolBatch", "session_id": "s", "tool_calls": calls})
                .to_string(),
        );
    }
    assert_eq!(home.records().len(), 5);
}

#[test]
fn a_payload_that_cannot_be_read_is_on_record() {
    let home = Home::new();
    home.silent(r#"{"hook_event_name":"Stop","session_id":"a","session_id":"b"}"#);
    assert!(failure(&home).contains("unknown shape"), "{}", failure(&home));
}

/// Sizes are those of the text, not of what is held of it.
#[test]
fn sizes_are_true() {
    let home = Home::new();
    let output = "line\n".repeat(100_000);
    let payload = json!({
        "hook_event_name": "PostToolBatch", "session_id": "s",
        "tool_calls": [
            {"tool_name": "Bash", "tool_response": output},
            {"tool_name": "Bash", "tool_response": "short \u{1b}[0m"},
        ],
    })
    .to_string();
    assert_silent(&feed_exactly(&mut home.command(), payload.as_bytes()));
    let records = home.records();
    assert_eq!(records[0]["bytes"], payload.len());
    // Of a very long text, its size on the wire.
    assert_eq!(records[0]["output_bytes"], output.len() + 100_000);
    assert_eq!(records[1]["output_bytes"], 10);
}

#[test]
fn our_files_are_private() {
    let home = Home::new();
    home.silent(stop("s").to_string());
    home.silent("broken");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let data = home.data();
    assert_eq!(mode(&data), 0o700);
    assert_eq!(mode(&data.join("journal")), 0o700);
    for entry in fs::read_dir(data.join("journal")).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
    assert_eq!(mode(&data.join("failures.log")), 0o600);
}

/// However large the parts of an event are, its frame stays within its limit.
#[test]
fn a_frame_is_never_larger_than_its_limit() {
    let home = Home::new();
    for filler in ["a", "\u{1}", "\"", "😀", "\n"] {
        let big = filler.repeat(20_000);
        let payload = json!({
            "hook_event_name": "PostToolBatch", "session_id": "s", "cwd": big, "prompt_id": big,
            "agent_id": big, "agent_type": big,
            "tool_calls": [{
                "tool_name": "Bash", "tool_use_id": big, "tool_response": big,
                "tool_input": {"command": big, "file_path": big, "notebook_path": big, "path": big},
            }],
        });
        home.silent(payload.to_string());
    }
    assert_eq!(home.records().len(), 5);
}

/// Nothing but our own directory appeared in the home.
#[track_caller]
fn assert_only_ours(home: &Home) {
    let names: Vec<_> =
        fs::read_dir(home.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names, [".local"]);
}
