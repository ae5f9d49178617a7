//! Secrets that pass through the real binary, and the raw bytes that it leaves on disk.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use windlass::testing::{Canary, canaries};

use crate::support::{Home, outside, write};

/// Bytes of a secret that may not be found in a row.
const PIECE: usize = 12;

/// Everything below a directory, as one text. A job that a hook started may be at work: files that
/// vanish between the listing and the read hold nothing.
fn raw(directory: &Path, bytes: &mut Vec<u8>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        bytes.extend_from_slice(path.to_string_lossy().as_bytes());
        if path.is_dir() {
            raw(&path, bytes);
            continue;
        }
        match fs::read(&path) {
            Ok(content) => bytes.extend_from_slice(&content),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
}

/// The ways in which a text can reach us.
fn payloads(text: &str) -> [Value; 6] {
    let event = |name: &str| json!({"hook_event_name": name, "session_id": "s", "cwd": "/p"});
    let mut prompt = event("UserPromptSubmit");
    prompt["prompt"] = json!(text);
    let mut command = event("PostToolBatch");
    command["tool_calls"] = json!([{"tool_name": "Bash", "tool_input": {"command": text}}]);
    let mut output = event("PostToolBatch");
    output["tool_calls"] = json!([
        {"tool_name": "Bash", "tool_input": {"command": "env"}, "tool_response": text},
        {"tool_name": "mcp__a__b", "tool_response": [{"type": "text", "text": text}]},
    ]);
    let mut failure = event("PostToolUseFailure");
    failure["tool_name"] = json!("Bash");
    failure["error"] = json!(format!("Exit code 1\n{text}"));
    let mut stop = event("Stop");
    stop["last_assistant_message"] = json!(text);
    let mut paths = event("PostToolBatch");
    paths["cwd"] = json!(text);
    paths["prompt_id"] = json!(text);
    paths["tool_calls"] = json!([{
        "tool_name": text, "tool_use_id": text, "tool_input": {"file_path": text, "path": text},
    }]);
    [prompt, command, output, failure, stop, paths]
}

#[test]
fn no_canary_reaches_the_disk() {
    let home = Home::new();
    let canaries = canaries();
    assert!(canaries.len() >= 300, "{}", canaries.len());
    // One of each rule alone, and all of them packed into texts of the size of real outputs.
    let mut texts: Vec<String> = Vec::new();
    let mut last = "";
    for canary in &canaries {
        if canary.rule != last {
            texts.push(canary.text.clone());
            last = canary.rule;
        }
    }
    for batch in canaries.chunks(9) {
        let lines: Vec<&str> = batch.iter().map(|it| it.text.as_str()).collect();
        texts.push(lines.join("\nan ordinary line of output between them\n"));
    }
    for (index, text) in texts.iter().enumerate() {
        // Every way for some, one way for each: a process for each takes its time.
        let payloads = payloads(text);
        home.silent(payloads[index % payloads.len()].to_string());
        if index % 10 == 0 {
            for payload in &payloads {
                home.silent(payload.to_string());
            }
        }
    }
    let mut disk = Vec::new();
    raw(home.path(), &mut disk);
    let text = String::from_utf8_lossy(&disk);
    assert!(text.contains("[redacted:") && text.contains("an ordinary line of output"));
    let leaked = leaks(&disk, &canaries);
    assert!(leaked.is_empty(), "{} of {}: {leaked:#?}", leaked.len(), canaries.len());
}

/// The canaries of which a piece is on disk.
pub(crate) fn leaks(disk: &[u8], canaries: &[Canary]) -> Vec<String> {
    let mut pieces: HashMap<&[u8], &Canary> = HashMap::new();
    // Two letters stand anywhere by chance.
    for canary in canaries.iter().filter(|it| it.secret.len() >= 6) {
        let secret = canary.secret.as_bytes();
        pieces.extend(secret.windows(PIECE.min(secret.len())).map(|it| (it, canary)));
    }
    let lengths: BTreeSet<usize> = pieces.keys().map(|it| it.len()).collect();
    let windows = lengths.iter().flat_map(|it| disk.windows(*it));
    let found: BTreeSet<String> = windows
        .filter_map(|it| pieces.get(it))
        .map(|it| format!("{}: {}", it.rule, it.text))
        .collect();
    found.into_iter().collect()
}

/// A secret anywhere in a long output, also across the places where it is cut.
#[test]
fn a_secret_across_a_cut_does_not_reach_the_disk() {
    let home = Home::new();
    let secret = ["ghp_", "A1b2C3d4E5f6G7h8I9j0", "K1l2M3n4O5p6Q7r8"].concat();
    let positions = (0..40).map(|it| it * 7).flat_map(|it| {
        [900, 1950, 16 << 10, (64 << 10) - 150, 98_000 - 2100, 98_000 - 1080, 97_650]
            .map(|at| at + it)
    });
    for position in positions {
        let mut text = "some output ".repeat(8200);
        text.truncate(98_000);
        text.replace_range(position..=position + secret.len(), &format!(" {secret}"));
        let payload = json!({
            "hook_event_name": "PostToolBatch", "session_id": "s",
            "tool_calls": [{"tool_name": "Bash", "tool_response": text}],
        });
        home.silent(payload.to_string());
    }
    let mut bytes = Vec::new();
    raw(home.path(), &mut bytes);
    let disk = String::from_utf8_lossy(&bytes);
    for piece in secret.as_bytes().windows(8) {
        assert!(!disk.contains(&*String::from_utf8_lossy(piece)), "a piece is on disk");
    }
}

/// A secret longer than any window, and output of which a window holds little text.
#[test]
fn a_secret_at_the_end_of_odd_output_does_not_reach_the_disk() {
    let home = Home::new();
    let token = |length: usize| -> String {
        let letters = b"Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7".iter().cycle().map(|it| char::from(*it));
        ["eyJhbGciOiJIUzI1NiJ9.", "eyJzdWIiOiIx"].concat()
            + &letters.take(length).collect::<String>()
    };
    let progress = "\r\u{1b}[K".repeat(60_000);
    let key = ["ghp_", "A1b2C3d4E5f6G7h8I9j0", "K1l2M3n4O5p6Q7r8"].concat();
    let texts = [
        format!("{} {}.{}", "output ".repeat(20_000), token(3000), "Zz9".repeat(100)),
        format!("{} ACCESS_TOKEN={}", "output ".repeat(20_000), "Zz9Yy8".repeat(500)),
        format!("{progress}{key} done{}", "\r\u{1b}[K".repeat(150)),
        format!("{progress}{key}{progress}"),
        format!("{key}{}", "\r\u{1b}[K".repeat(2000)),
    ];
    for text in &texts {
        for payload in payloads(text) {
            home.silent(payload.to_string());
        }
    }
    let mut disk = Vec::new();
    raw(home.path(), &mut disk);
    let disk = String::from_utf8_lossy(&disk);
    for piece in ["Zz9Zz9Zz9", "Zz9Yy8Zz9", "A1b2C3d4", "K1l2M3n4", "pQ8sT1vW4"] {
        assert!(!disk.contains(piece), "{piece} is on disk");
    }
}

/// Text that breaks the redactor itself would cost the event; whatever it is, the event is kept.
#[test]
fn odd_characters_at_the_edge_of_a_secret_cost_no_event() {
    let home = Home::new();
    let mut sent = 0;
    let texts = [
        "{\"Authorization\": \"Bearer\u{a0}abcdef123456\"}",
        "\"authorization\": \"token鉴权方式说明\"",
        "Authorization = \"Bearer“abcdef”\"",
        "8Q~passphraseCookie=DB_PASSWORD_PRODsqlcmd-----BEGIN RSA PRIVATE KEY-----é",
    ];
    for text in texts {
        // The length before it moves what is allocated, and with it a panic, should there be one.
        for length in 0..20 {
            let text = format!("{}{text}", "x ".repeat(length));
            for payload in payloads(&text) {
                home.silent(payload.to_string());
                sent += 1;
            }
        }
    }
    assert!(home.records().len() >= sent);
    assert_eq!(home.failures(), Vec::<Value>::new());
}

/// A failure of ours does not carry what we failed on.
#[test]
fn a_failure_names_no_secret() {
    let home = Home::new();
    let secret = ["sk_live_", "51H8abcDEFghiJKLmnoPQRst"].concat();
    home.silent(format!("{{\"session_id\": \"{secret}\", broken {secret}"));
    home.silent(format!(r#"{{"hook_event_name":"Stop","session_id":"{secret}/.."}}"#));
    let mut bytes = Vec::new();
    raw(home.path(), &mut bytes);
    assert_eq!(home.failures().len(), 2);
    assert!(!String::from_utf8_lossy(&bytes).contains("51H8abcDEF"));
}

/// Whoever names sessions by their tokens still has as many sessions as tokens.
#[test]
fn sessions_that_are_named_by_secrets_stay_apart() {
    let learner = Learner::new("gates.unsaved.mode = \"ask\"\n");
    let home = &learner.home;
    let secrets = [1, 2].map(|it| format!("{}51H8abcDEFghiJKLmnoPQRst{it}", "sk_live_"));
    for (secret, number) in secrets.iter().zip(1..) {
        let cause = format!(
            "The root cause is that the kumquatdrawer key leaves out the shelf_{number}, so one \
             tenant reads what another one wrote."
        );
        let transcript = learner.conversation(secret, std::slice::from_ref(&cause));
        let event = |name: &str| {
            json!({"hook_event_name": name, "session_id": secret, "cwd": learner.root(),
                "transcript_path": transcript, "prompt": "heal discoveries", "prompt_id": "p1", "permission_mode": "default",
                "last_assistant_message": cause, "stop_hook_active": false})
        };
        home.silent(event("UserPromptSubmit").to_string());
        let answer = home.hook(event("Stop").to_string()).stdout;
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.contains(&cause), "its own candidate is asked for: {answer}");
        assert_eq!(answer.matches("root cause").count(), 1, "{answer}");
    }
    let sessions = home.query("SELECT count(DISTINCT session) AS n FROM memories");
    assert_eq!(sessions, [json!({"n": 2})]);
    let counts = home.query(
        "SELECT count(*) AS events, count(decisions.event) AS decisions FROM events
         LEFT JOIN decisions ON decisions.event = events.id GROUP BY session",
    );
    assert_eq!(
        counts,
        [json!({"events": 2, "decisions": 2}), json!({"events": 2, "decisions": 2})]
    );
    let untold = "SELECT id FROM events WHERE kind = 'prompt' AND took_us IS NULL";
    assert_eq!(home.query(untold), [Value::Null; 0]);
    // The conversation files are the client's.
    fs::remove_dir_all(home.path().join(".claude")).unwrap();
    let mut bytes = Vec::new();
    raw(home.path(), &mut bytes);
    assert!(!String::from_utf8_lossy(&bytes).contains("51H8abcDEF"));
    assert_eq!(home.failures(), [Value::Null; 0]);
}

/// A project whose agent is asked for what it learned; everything that is said or printed there.
struct Learner {
    home: Home,
    printed: Vec<u8>,
}

impl Learner {
    fn new(settings: &str) -> Self {
        let learner = Self { home: Home::new(), printed: Vec::new() };
        fs::create_dir_all(learner.root().join(".git")).unwrap();
        fs::create_dir_all(learner.home.projects().join("-p")).unwrap();
        write(&learner.home.path().join(".config/windlass/config.toml"), settings.as_bytes());
        learner
    }

    fn root(&self) -> PathBuf {
        self.home.path().join("p")
    }

    /// Rows of a conversation, in which both say something.
    fn conversation(&self, session: &str, texts: &[String]) -> PathBuf {
        let file = self.home.projects().join(format!("-p/{session}.jsonl"));
        let row = |(at, text): (usize, &String)| {
            let role = if at % 2 == 0 { "assistant" } else { "user" };
            let row = json!({"type": role, "sessionId": session, "cwd": self.root(),
                "message": {"role": role, "content": [{"type": "text", "text": text}]}});
            format!("{row}\n")
        };
        let typed = json!({"type": "user", "sessionId": session, "origin": {"kind": "human"},
            "message": {"role": "user", "content": "heal discoveries"}});
        let rows: String = texts.iter().enumerate().map(row).collect();
        fs::write(&file, format!("{typed}\n{rows}")).unwrap();
        file
    }

    fn send(&mut self, session: &str, file: &Path, event: &str, message: &str) {
        let payload = json!({"hook_event_name": event, "session_id": session, "cwd": self.root(),
            "transcript_path": file, "permission_mode": "default", "reason": "other",
            "trigger": "auto", "prompt": "heal discoveries", "prompt_id": "p1",
            "last_assistant_message": message});
        let output = self.home.hook(payload.to_string());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        self.printed.extend(output.stdout);
    }

    /// Runs a command of the user; whatever comes of it.
    fn run(&mut self, arguments: &[&str]) {
        let output = outside(self.home.path(), &self.root(), arguments);
        self.printed.extend(output.stdout);
    }
}

/// A canary behind a sentence: what is one only as a line has its own.
fn placed(canary: &Canary) -> String {
    let is_line = canary.text.contains('\n') || canary.rule == "random-variable";
    format!("{}{}", if is_line { "\n" } else { " " }, canary.text)
}

/// Every way in of what was learned, every way out, and every file that is left.
#[test]
fn no_canary_is_learned() {
    let mut rules = BTreeSet::new();
    let mut canaries = canaries();
    canaries.retain(|it| it.secret.len() >= PIECE && rules.insert(it.rule));
    let named = canaries.iter().find(|it| it.rule == "github-token" || it.secret.starts_with("gh"));
    let named = named.unwrap().secret.clone();
    let mut world = Learner::new(&format!(
        "gates.unsaved.mode = \"ask\"\nknowledge.file = \"docs/{named}.md\"\n"
    ));
    let cause = |(at, it): (usize, &Canary)| {
        format!("The root cause is that shard_{at} is refused because of this:{}", placed(it))
    };
    let rule = |(at, it): (usize, &Canary)| {
        format!("We must never write to shard_{at}, because others can read this:{}", placed(it))
    };
    // What both say, what the agent says last, and what is asked for.
    for (at, batch) in canaries.chunks(20).enumerate() {
        let session = format!("session-{at}");
        let texts: Vec<_> = batch.iter().enumerate().flat_map(|it| [cause(it), rule(it)]).collect();
        let file = world.conversation(&session, &texts);
        world.send(&session, &file, "UserPromptSubmit", "");
        world.send(&session, &file, "Stop", &texts.join("\n\n"));
        world.send(&session, &file, "PreCompact", "");
        world.send(&session, &file, "SessionEnd", "");
    }
    // What is imported: a session that nobody heard, notes, records.
    let texts: Vec<_> = canaries.iter().enumerate().map(rule).collect();
    world.conversation("unheard", &texts);
    world.run(&["import", "transcripts"]);
    let place = world.root().join("in");
    fs::create_dir_all(&place).unwrap();
    let note = |it: &Canary| format!("- A note about it:{}\n", placed(it));
    fs::write(place.join("MEMORY.md"), canaries.iter().map(note).collect::<String>()).unwrap();
    for (at, it) in canaries.iter().enumerate() {
        let record = json!({"category": "DECISION", "content": it.text, "title": it.text,
            "metadata": {"why": it.text}});
        fs::write(place.join(format!("{at}.json")), record.to_string()).unwrap();
    }
    world.run(&["import", "memories", "in", "--json"]);
    fs::remove_dir_all(&place).unwrap();
    // What is told, changed and let go.
    let mut kept = Vec::new();
    for it in canaries.iter().step_by(16) {
        let (text, field) = (it.text.as_str(), format!("cause={}", it.text));
        world.run(&["remember", text, "--field", &field, "--tag", text, "--file", text]);
        world.run(&["remember", "something", "--title", text]);
        kept.push(text);
    }
    let ids = world.home.query("SELECT id FROM memories ORDER BY id");
    let ids: Vec<_> = ids.iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect();
    assert!(ids.len() > 100, "{}", ids.len());
    for (id, text) in ids.iter().zip(&kept) {
        world.run(&["memory", "edit", id, "--text", text, "--title", text, "--field", text]);
        world.run(&["remember", text, "--candidate", id]);
        world.run(&["candidates", "reject", id, "--reason", text]);
        world.run(&["memory", "retire", id, "--reason", text]);
        world.run(&["memory", "show", id]);
        world.run(&["memory", "list", text]);
        world.run(&["memory", "show", text]);
    }
    for command in [
        "candidates --all",
        "candidates --all --json",
        "memory list --state any --all --json",
        "memory list --state any --all",
        "memory export --state any --all",
        "memory export --state any --all --format json",
        "memory export --state any --all --to out",
        "memory export --state any --all --to all.json --format json",
        "status",
        "status --json",
        "explain 2",
        "explain 2 --json",
        "doctor",
    ] {
        world.run(&command.split(' ').collect::<Vec<_>>());
    }
    // What the client and the user keep is theirs.
    fs::remove_dir_all(world.home.path().join(".claude")).unwrap();
    fs::remove_dir_all(world.home.path().join(".config")).unwrap();
    let mut disk = world.printed;
    raw(world.home.path(), &mut disk);
    let text = String::from_utf8_lossy(&disk);
    assert!(text.matches("[redacted:").count() > 500, "{}", text.matches("[redacted:").count());
    let leaked = leaks(&disk, &canaries);
    assert!(leaked.is_empty(), "{} of {}: {leaked:#?}", leaked.len(), canaries.len());
}
