//! `windlass eval` on a small set that is labelled here.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::binary;

/// What the agent of a session says, and what of it is knowledge.
const SAID: &[(&str, &str)] = &[
    ("I'll look at the log first.", "NONE"),
    (
        "**Root cause:** `NAME` failed because its file was stale; fixed by reading it again.",
        "RUNBOOK",
    ),
    ("Added a test for it.", "NONE"),
    ("The NAME server requires TLS 1.3 and doesn't support older clients.", "CONSTRAINT"),
    ("All 14 tests pass.", "NONE"),
    ("Would you like me to open an issue?", "NONE"),
];
const ASKED: &[(&str, &str)] = &[
    ("can you look at the NAME error?", "NONE"),
    ("from now on use `just test` instead of NAME, always", "PREFERENCE"),
];

fn windlass(arguments: &[&str]) -> Output {
    let mut command = Command::new(binary());
    command.args(arguments).env_clear().output().unwrap()
}

fn on(directory: &Path, more: &[&str]) -> Output {
    windlass(&[&["eval", "triage", directory.to_str().unwrap()], more].concat())
}

fn text(output: &Output) -> String {
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn complaint(output: &Output) -> String {
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A data set of so many groups, each with a session that has knowledge and one that has none.
fn data(groups: usize) -> TempDir {
    let directory = TempDir::new().unwrap();
    fs::create_dir(directory.path().join("sessions")).unwrap();
    let (mut manifest, mut units, mut sessions) = (Vec::new(), Vec::new(), Vec::new());
    for group in 0..groups {
        for is_busy in [true, false] {
            let name = format!("s{group}-{is_busy}");
            manifest.push(json!({ "session": name, "group": format!("g{group}") }));
            let file = session(directory.path(), &name, is_busy);
            let printed = windlass(&["eval", "units", file.to_str().unwrap()]);
            units.extend(text(&printed).lines().map(|it| labelled(it, &name)));
            sessions.push(session_label(&name, is_busy));
        }
    }
    write(&directory.path().join("manifest.jsonl"), &manifest);
    write(&directory.path().join("labels_sentences.jsonl"), &units);
    write(&directory.path().join("labels_sessions.jsonl"), &sessions);
    directory
}

fn session(directory: &Path, name: &str, is_busy: bool) -> PathBuf {
    let take = |all: &[(&str, &str)]| {
        let some = all.iter().filter(|it| is_busy || it.1 == "NONE");
        some.map(|it| it.0.replace("NAME", name)).collect::<Vec<_>>().join("\n")
    };
    let mut events = vec![json!({ "i": 0, "role": "user", "text": take(ASKED) })];
    for i in 1..=4 {
        events.push(json!({ "i": i, "role": "tool_use", "tool": "Bash", "text": "ls" }));
    }
    events.push(json!({ "i": 5, "role": "meta", "text": "root cause: not said by anybody" }));
    events.push(json!({ "i": 6, "role": "assistant", "text": take(SAID) }));
    let file = directory.join("sessions").join(format!("{name}.jsonl"));
    write(&file, &events);
    file
}

fn write(file: &Path, rows: &[Value]) {
    let lines: Vec<_> = rows.iter().map(Value::to_string).collect();
    fs::write(file, lines.join("\n")).unwrap();
}

fn labelled(line: &str, name: &str) -> Value {
    let mut unit: Value = serde_json::from_str(line).unwrap();
    assert_eq!((&unit["session"], &unit["label"]), (&json!(name), &json!("NONE")));
    let text = unit["text"].as_str().unwrap().to_owned();
    let mut known = SAID.iter().chain(ASKED);
    let label = known.find(|it| it.0.replace("NAME", name) == text).unwrap().1;
    unit["label"] = json!(label);
    unit
}

fn session_label(name: &str, is_busy: bool) -> Value {
    let yes = if is_busy { "yes" } else { "no" };
    json!({
        "session": name,
        "any_knowledge": yes,
        "tool_uses": 4,
        "labels": {
            "DISCOVERY": "no", "DECISION": "no", "RUNBOOK": yes, "CONSTRAINT": yes,
            "TECH_DEBT": "borderline", "PREFERENCE": yes, "SESSION_SUMMARY": "yes",
        },
    })
}

#[test]
fn each_group_is_judged_by_the_others() {
    let data = data(5);
    let figures: Value = serde_json::from_str(&text(&on(data.path(), &["--json"]))).unwrap();
    assert_eq!(figures["profile"], "calibrated");
    assert_eq!((&figures["sessions"], &figures["groups"]), (&json!(10), &json!(5)));
    assert_eq!(figures["agent"]["units"], 5 * (6 + 4));
    assert_eq!(figures["user"]["units"], 5 * (2 + 1));
    let any = &figures["agent"]["lines"][6];
    assert_eq!(any["category"], "any");
    assert_eq!((&any["true_positives"], &any["false_positives"]), (&json!(10), &json!(0)));
    assert_eq!(any["true_negatives"], 40);
    let runbook = &figures["agent"]["lines"][2];
    assert_eq!((&runbook["category"], &runbook["f1"]), (&json!("runbook"), &json!(1.0)));
    let preference = &figures["user"]["lines"][5];
    assert_eq!(preference["true_positives"], 5);
    let without = &figures["asked"]["without_knowledge"];
    assert_eq!(without, &json!({ "sessions": 5, "asked": 0 }));
    assert_eq!(figures["asked"]["with_knowledge"]["sessions"], 5);
    let by_session = figures["by_session"].as_array().unwrap();
    let names: Vec<_> = by_session.iter().map(|it| it["category"].as_str().unwrap()).collect();
    assert_eq!(names[6..], ["session-summary", "any"]);
    assert_eq!(by_session[4]["f1"], Value::Null, "borderline is left out");
    assert_eq!(by_session[7]["true_positives"], 5);
}

#[test]
fn people_get_tables() {
    let data = data(4);
    let shown = text(&on(data.path(), &[]));
    assert!(shown.starts_with("8 sessions of 4 groups, judged each group by weights"), "{shown}");
    assert!(shown.contains("What the agent says: 40 units, 0 of them borderline"), "{shown}");
    let any = shown.lines().find(|it| it.starts_with("  any")).unwrap();
    assert_eq!(any.split_whitespace().collect::<Vec<_>>()[1..4], ["8", "0", "0"]);
    assert!(shown.contains("sessions without knowledge: asked in 0 of 4"), "{shown}");
}

#[test]
fn the_profile_of_the_document_needs_no_other_groups() {
    let data = data(1);
    let shown = text(&on(data.path(), &["--profile", "document"]));
    assert!(shown.contains("by the words and thresholds of the profile `document`"), "{shown}");
    let any = shown.lines().find(|it| it.starts_with("  any")).unwrap();
    assert_eq!(any.split_whitespace().collect::<Vec<_>>()[1..4], ["1", "0", "1"]);
}

#[test]
fn the_same_data_give_the_same_weights() {
    let data = data(4);
    let first = windlass::fitted(data.path()).unwrap();
    assert_eq!(first, windlass::fitted(data.path()).unwrap());
    assert!(first.contains("(Feature::CauseNamed, "), "{first}");
    assert!(!first.contains("(Feature::CauseNamed, -"), "a sign is fixed");
}

#[test]
fn what_is_wrong_with_data_is_said_with_its_place() {
    let nowhere = complaint(&windlass(&["eval", "triage", "/nowhere"]));
    assert!(nowhere.contains("read /nowhere/manifest.jsonl"), "{nowhere}");
    assert!(nowhere.contains("hint: a data set is a directory"), "{nowhere}");
    let set = TempDir::new().unwrap();
    let questions = |documents: &str, queries: &str| {
        fs::write(set.path().join("docs.jsonl"), documents).unwrap();
        fs::write(set.path().join("queries.jsonl"), queries).unwrap();
        let output = windlass(&["eval", "recall", set.path().to_str().unwrap(), "--quick"]);
        String::from_utf8(output.stderr).unwrap()
    };
    let nowhere = windlass(&["eval", "recall", "/nowhere"]);
    let nowhere = String::from_utf8(nowhere.stderr).unwrap();
    assert!(nowhere.contains("a set is a directory with `docs.jsonl`"), "{nowhere}");
    let line = questions("{}\n", "");
    assert!(line.contains("line 1 of") && line.contains("docs/guide/recall.md"), "{line}");
    let document = json!({"id": "a", "text": "the port is reused"}).to_string();
    let query = json!({"text": "which port", "relevant": ["a", "b"]}).to_string();
    let unknown = questions(&document, &query);
    assert!(unknown.contains("1 of the ids in `relevant` are no document"), "{unknown}");

    let few = complaint(&on(data(1).path(), &[]));
    assert!(few.contains("hint: label units") && few.contains("three groups"), "{few}");

    let change = |file: &str, from: &str, to: &str| {
        let data = data(3);
        let path = data.path().join(file);
        let old = fs::read_to_string(&path).unwrap();
        let new = old.replacen(from, to, 1);
        assert_ne!(old, new);
        fs::write(&path, new).unwrap();
        complaint(&on(data.path(), &[]))
    };
    let units = "labels_sentences.jsonl";
    let broken = change(units, "{", "{{");
    assert!(broken.contains("understand line 1 of") && broken.contains(units), "{broken}");
    let label = change(units, "\"NONE\"", "\"RUMOUR\"");
    assert!(label.contains("line 1 of") && label.contains("`RUMOUR` is none"), "{label}");
    let other = change(units, "can you look", "could you look");
    assert!(other.contains("`s0-true` has no unit 0 that reads `could you look"), "{other}");
    let index = change(units, "\"idx\":1,", "\"idx\":99,");
    assert!(index.contains("has no unit 99"), "{index}");
    let unlisted = change("manifest.jsonl", "s0-true", "s9");
    assert!(unlisted.contains("`s0-true` has no line in `manifest.jsonl`"), "{unlisted}");
    let data = data(3);
    for file in ["manifest.jsonl", units, "labels_sessions.jsonl"] {
        let path = data.path().join(file);
        let text = fs::read_to_string(&path).unwrap().replace("s0-true", "../s0-true");
        fs::write(&path, text).unwrap();
    }
    let name = complaint(&on(data.path(), &[]));
    assert!(name.contains("`../s0-true` is no name of a file"), "{name}");
}
