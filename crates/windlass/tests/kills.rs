//! What was learned survives kill -9: everything that was said is captured in the end, and once.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::json;

use crate::support::{Home, tidy};

const KILLS: usize = 1000;

/// Events of one session; every one comes with something to learn.
const EVENTS: usize = 13;

/// One of so many is left alone.
const UNHARMED: usize = 6;

/// Something to learn, and something else for each number.
fn sentence(number: usize) -> String {
    format!(
        "The root cause is that the cache key of shard_{number} leaves out the tenant, so one \
         tenant reads what another one wrote."
    )
}

/// A session in a project of its own, whose conversation is written as the client writes it.
struct Session<'a> {
    home: &'a Home,
    name: String,
    root: PathBuf,
    file: PathBuf,
}

impl<'a> Session<'a> {
    fn new(home: &'a Home, number: usize) -> Self {
        let name = format!("session-{number}");
        let (root, directory) = (home.path().join(&name), home.projects().join("-p"));
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::create_dir_all(&directory).unwrap();
        Self { home, root, file: directory.join(format!("{name}.jsonl")), name }
    }

    fn said(&self, text: &str) {
        let content = json!([{"type": "text", "text": text}]);
        let row = json!({"type": "assistant", "sessionId": self.name, "cwd": self.root,
            "message": {"role": "assistant", "content": content}});
        let mut file = OpenOptions::new().create(true).append(true).open(&self.file).unwrap();
        writeln!(file, "{row}").unwrap();
    }

    fn payload(&self, event: &str, message: &str) -> String {
        let payload = json!({"hook_event_name": event, "session_id": self.name, "cwd": self.root,
            "transcript_path": self.file, "permission_mode": "default", "reason": "other",
            "trigger": "auto", "last_assistant_message": message, "stop_hook_active": false});
        payload.to_string()
    }

    /// Plays an event to its end.
    fn play(&self, event: &str, message: &str) {
        let output = self.home.hook(self.payload(event, message));
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }

    /// Plays an event and kills the hook after so long. Tells whether it had ended before.
    fn play_and_kill(&self, event: &str, message: &str, after: Duration) -> bool {
        let mut command = self.home.command();
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // The process may be gone before everything is written.
        stdin.write_all(self.payload(event, message).as_bytes()).unwrap_or_default();
        drop(stdin);
        thread::sleep(after);
        child.kill().unwrap();
        child.wait().unwrap().success()
    }
}

/// The ledger, looked at all the time: whoever opens it anew would bring its log into order.
struct Looked {
    connection: Connection,
}

impl Looked {
    /// What is known, with the number of its rows and of the entries that tell of its capture.
    fn all(&self) -> BTreeMap<String, (i64, i64)> {
        let query = "SELECT text, count(DISTINCT id), count(memory) FROM memories
            LEFT JOIN memory_changes ON memory = id AND what = 'captured' GROUP BY text";
        let mut statement = self.connection.prepare_cached(query).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))));
        rows.unwrap().map(Result::unwrap).collect()
    }

    fn knows(&self, text: &str) -> bool {
        let query = "SELECT 1 FROM memories WHERE text = ?1";
        self.connection.prepare_cached(query).unwrap().exists([text]).unwrap()
    }
}

/// How the kills fell.
#[derive(Debug, Default)]
struct Kills {
    /// Nothing of the event was known.
    before: usize,
    /// It was known, and the process was still there.
    after: usize,
    /// The process had ended.
    late: usize,
}

impl Kills {
    fn all(&self) -> usize {
        self.before + self.after + self.late
    }
}

/// Killed at random moments of a stop, a compaction or an end.
#[test]
fn a_thousand_kills_lose_and_double_nothing_that_was_said() {
    let home = Home::new();
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % below
    };
    Session::new(&home, 0).play("Stop", "");
    let looked = Looked { connection: Connection::open(home.data().join("store.db")).unwrap() };

    let (mut said, mut acknowledged) = (Vec::new(), Vec::new());
    let mut kills = Kills::default();
    // As long as an undisturbed run takes here, now: the kills are spread over more than that.
    let mut usual = 20_000;
    for number in 1.. {
        let session = Session::new(&home, number);
        for step in 0..EVENTS {
            let text = sentence(number * EVENTS + step);
            let event = match step {
                step if step == EVENTS - 1 => "SessionEnd",
                step if step % 4 == 3 => "PreCompact",
                _ => "Stop",
            };
            // What an agent says last reaches the file when it has stopped.
            let message = if event == "Stop" { text.as_str() } else { "" };
            if event != "Stop" {
                session.said(&text);
            }
            let is_acknowledged = if step % UNHARMED == 0 {
                let began = Instant::now();
                session.play(event, message);
                let took = u64::try_from(began.elapsed().as_micros()).unwrap();
                usual = (3 * usual + took) / 4;
                true
            } else {
                let moment = Duration::from_micros(random(usual * 5 / 4));
                let is_done = session.play_and_kill(event, message, moment);
                let is_known = looked.knows(&text);
                match (is_done, is_known) {
                    (true, _) => kills.late += 1,
                    (false, true) => kills.after += 1,
                    (false, false) => kills.before += 1,
                }
                is_done || is_known
            };
            if event == "Stop" {
                session.said(&text);
            }
            if is_acknowledged {
                acknowledged.push(text.clone());
            }
            said.push(text);
        }
        // What was known once, and what was done, is known for ever.
        let known = looked.all();
        let lost: Vec<_> = acknowledged.iter().filter(|it| !known.contains_key(*it)).collect();
        assert_eq!(lost, Vec::<&String>::new(), "{kills:?}");
        session.play("Stop", "That is all.");
        if kills.all() >= KILLS {
            break;
        }
    }
    println!("{kills:?}");
    assert!(kills.before > KILLS / 10 && kills.after + kills.late > KILLS / 10, "{kills:?}");

    tidy(&home);
    let expected: BTreeMap<_, _> = said.into_iter().map(|it| (it, (1, 1))).collect();
    assert!(expected.len() >= KILLS, "{}", expected.len());
    for (text, counts) in &looked.all() {
        assert_eq!(Some(counts), expected.get(text), "rows, captures: {text}");
    }
    assert_eq!(looked.all().len(), expected.len(), "something that was said is lost");
}
