//! Many processes at once, and processes that are killed.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{Home, journal_file, whole_records};

fn tool_event(session: &str, call: &str) -> String {
    json!({
        "hook_event_name": "PostToolBatch",
        "session_id": session,
        "cwd": "/p",
        "tool_calls": [{
            "tool_name": "Bash",
            "tool_input": {"command": "cargo test"},
            "tool_use_id": call,
            "tool_response": "running 3 tests\n".repeat(40),
        }],
    })
    .to_string()
}

#[test]
fn sixteen_processes_at_once_lose_and_double_nothing() {
    const WRITERS: usize = 16;
    const EVENTS: usize = 625;
    let home = Home::new();
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let home = &home;
            scope.spawn(move || {
                for event in 0..EVENTS {
                    // Half of them share one session, as an agent and its subagents do.
                    let session =
                        if writer % 2 == 0 { "shared".to_owned() } else { format!("s{writer}") };
                    home.silent(tool_event(&session, &format!("{writer}-{event}")));
                }
            });
        }
    });
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for record in home.records() {
        *seen.entry(record["call"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    assert_eq!(seen.len(), WRITERS * EVENTS);
    assert!(seen.values().all(|it| *it == 1));
    assert_eq!(home.failures(), Vec::<serde_json::Value>::new());
}

/// The file that holds the events of a session.
fn journal_of(home: &Home, session: &str) -> PathBuf {
    let files = fs::read_dir(home.data().join("journal")).unwrap().map(|it| it.unwrap().path());
    let holds = |it: &PathBuf| {
        whole_records(&fs::read(it).unwrap()).0.iter().any(|it| it["session"] == session)
    };
    files.into_iter().find(holds).unwrap()
}

/// Killed at random moments: what was written whole is read back, and the next one works.
#[test]
fn a_thousand_kills_leave_a_readable_journal() {
    const KILLS: u64 = 1000;
    let home = Home::new();
    let mut finished = 0;
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    // As long as an undisturbed run takes here, now: the kills are spread over twice that time.
    let started = Instant::now();
    (0..20).for_each(|it| home.silent(tool_event("warm", &it.to_string())));
    let usual = u64::try_from(started.elapsed().as_micros() / 20).unwrap();
    for kill in 0..KILLS {
        let mut child = home
            .command()
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // The process may be gone before everything is written.
        stdin.write_all(tool_event("s", &format!("kill-{kill}")).as_bytes()).unwrap_or_default();
        drop(stdin);
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        thread::sleep(Duration::from_micros((seed >> 33) % (2 * usual)));
        child.kill().unwrap();
        finished += u64::from(child.wait().unwrap().success());
    }
    home.silent(tool_event("s", "last"));
    fs::remove_file(journal_of(&home, "warm")).unwrap();

    let (records, torn) = whole_records(&fs::read(journal_file(&home)).unwrap());
    let mut calls: Vec<_> = records.iter().map(|it| it["call"].as_str().unwrap()).collect();
    assert_eq!(calls.last(), Some(&"last"));
    calls.sort_unstable();
    let all = calls.len();
    calls.dedup();
    assert_eq!(calls.len(), all, "an event was doubled");
    assert!(all as u64 > finished, "an event that was answered is missing");
    assert!(finished < KILLS && all > 1, "the kills came too late or too early: {finished}, {all}");
    println!("{KILLS} kills: {finished} answered, {all} written whole, {torn} torn");
    assert_eq!(home.failures(), Vec::<serde_json::Value>::new());
}
