//! What is known is found by words, with the real binary.

use std::fs;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Home, binary, feed, outside, said, tidy};

const CACHE: &str = "The cache key leaves the tenant out, so tenants see each other's invoices";
const REDIS: &str = "Billing tests need a Redis that listens on port 6380";
const TABS: &str = "Never use tabs in Python files";

struct World {
    home: Home,
}

impl World {
    fn new() -> Self {
        Self { home: Home::new() }
    }

    #[track_caller]
    fn run_in(&self, project: &str, arguments: &[&str]) -> String {
        fs::create_dir_all(self.home.path().join(project).join(".git")).unwrap();
        self.at(project, arguments)
    }

    #[track_caller]
    fn at(&self, place: &str, arguments: &[&str]) -> String {
        said(&outside(self.home.path(), &self.home.path().join(place), arguments), 0)
    }

    #[track_caller]
    fn run(&self, arguments: &[&str]) -> String {
        self.run_in("project", arguments)
    }

    #[track_caller]
    fn remember(&self, arguments: &[&str]) -> String {
        let said = self.run(&[&["remember"], arguments].concat());
        let id = said.strip_prefix("Remembered ").unwrap_or_else(|| panic!("{said}"));
        id.split(':').next().unwrap().to_owned()
    }

    /// The titles of what is found.
    fn found(&self, project: &str, arguments: &[&str]) -> Vec<String> {
        let text = self.run_in(project, &[&["recall", "--json"], arguments].concat());
        let all: Vec<Value> = serde_json::from_str(&text).unwrap();
        all.iter().map(|it| it["title"].as_str().unwrap().to_owned()).collect()
    }

    fn agent(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(binary());
        command.args(arguments).env_clear().env("HOME", self.home.path());
        command.env("CLAUDECODE", "1").current_dir(self.home.path()).stdin(Stdio::null());
        feed(&mut command, b"")
    }
}

#[test]
fn memories_are_found_by_what_they_are_about() {
    let world = World::new();
    world.remember(&[CACHE, "--file", "src/cache.rs", "--tag", "billing"]);
    world.remember(&[REDIS, "--category", "constraint"]);
    world.remember(&["`E0382` comes from moving the guard into the closure"]);
    let asked = ["why", "do", "tenants", "see", "wrong", "invoices"];
    let text = world.run(&[&["recall"], &asked[..]].concat());
    assert!(
        text.contains(CACHE) && text.contains("you said it") && text.contains("Next: "),
        "{text}"
    );
    assert!(text.contains("src/cache.rs is gone"), "{text}");
    assert_eq!(world.found("project", &asked), [CACHE]);
    let source = world.home.path().join("project/src");
    fs::create_dir(&source).unwrap();
    fs::write(source.join("cache.rs"), "").unwrap();
    let text = world.run(&["recall", "tenants", "invoices"]);
    assert!(text.contains("src/cache.rs was written later"), "{text}");
    let text = world.run(&["recall", "redis", "port", "--explain"]);
    assert!(text.contains("fit ") && text.contains("redis ") && text.contains("× age"), "{text}");
    assert_eq!(world.found("elsewhere", &["E0382", "--all"]).len(), 1);
    assert_eq!(world.found("project", &["cache.rs"]), [CACHE]);
    assert_eq!(world.found("project", &["redis", "--category", "decision"]), [""; 0]);
    assert_eq!(world.found("project", &["tenants", "--file", "src/cache.rs"]), [CACHE]);
    assert_eq!(world.found("project", &["tenants", "--since", "1h", "--trust", "user"]), [CACHE]);
    let text = world.run(&["recall", "zebra"]);
    assert!(text.contains("Nothing that is known fits") && text.contains("--all"), "{text}");
    assert!(!text.contains("Without the filters") && !text.contains("unconfirmed"), "{text}");
    let text = world.run(&["recall", "redis", "--category", "decision"]);
    assert!(text.contains("Without the filters there may be more."), "{text}");
}

#[test]
fn a_file_is_named_from_the_root_wherever_somebody_stands() {
    let world = World::new();
    let root = world.home.path().join("tree");
    for directory in [".git/objects", ".git/refs", "crates/core/src"] {
        fs::create_dir_all(root.join(directory)).unwrap();
    }
    fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(root.join("crates/core/src/lib.rs"), "x").unwrap();
    let files = |id: &str| {
        let text = world.run(&["memory", "show", id, "--json"]);
        serde_json::from_str::<Value>(&text).unwrap()["files"].clone()
    };
    let lib = "crates/core/src/lib.rs";
    let absolute = root.join(lib);
    let absolute = absolute.to_str().unwrap();
    let text = world.at("tree/crates/core", &["remember", CACHE, "--file", "src/lib.rs:3"]);
    let id = text.strip_prefix("Remembered ").unwrap().split(':').next().unwrap().to_owned();
    assert_eq!(files(&id), json!([lib]));
    for file in [absolute, "src/lib.rs", "lib.rs"] {
        assert_eq!(world.found("tree/crates/core", &["tenant", "--file", file]), [CACHE], "{file}");
    }
    assert_eq!(world.found("tree", &["tenant", "--file", "src/main.rs"]), [""; 0]);
    let edit = ["memory", "edit", &id, "--file", "./src/lib.rs", "--file", absolute];
    world.at("tree/crates/core", &edit);
    assert_eq!(files(&id), json!([lib]));
    // A plain directory below the one in which a session began is no project of its own.
    let plain = world.home.path().join("plain");
    fs::create_dir_all(plain.join("src")).unwrap();
    let start = json!({"session_id": "a", "cwd": plain, "hook_event_name": "SessionStart",
        "source": "startup"});
    world.home.hook(start.to_string());
    let within = plain.join("src");
    let output = outside(world.home.path(), &within, &["remember", REDIS, "--file", "a.rs"]);
    let text = said(&output, 0);
    let id = text.strip_prefix("Remembered ").unwrap().split(':').next().unwrap();
    assert_eq!(files(id), json!(["src/a.rs"]));
}

/// It is still found: whoever asks wants to know that it was so.
#[test]
fn what_is_over_says_so() {
    let world = World::new();
    world.remember(&["--category", "constraint", "--field", "expires=2020-01-01", TABS]);
    world.remember(&["--category", "discovery", CACHE]);
    let text = world.run(&["recall", "tabs in python"]);
    assert!(text.contains("\n  constraint, expired, you said it, "), "{text}");
    let over = |words: &str| {
        let found = world.run(&["recall", "--json", words]);
        serde_json::from_str::<Value>(&found).unwrap()[0]["over"].clone()
    };
    assert_eq!((over("tabs in python"), over("cache key")), (json!("expired"), Value::Null));
}

#[test]
fn an_explanation_adds_up() {
    let world = World::new();
    world.remember(&[CACHE]);
    let text = world.run(&["recall", "tenant", "invoices", "--json", "--explain"]);
    let hit = &serde_json::from_str::<Vec<Value>>(&text).unwrap()[0];
    let why = &hit["explain"];
    let number = |name: &str| why[name].as_f64().unwrap();
    let words: f64 =
        why["words"].as_array().unwrap().iter().map(|it| it["gave"].as_f64().unwrap()).sum();
    let factors = ["category", "trust", "age", "used", "stale"].map(number);
    let fit = (words + number("closer")) * factors.iter().product::<f64>();
    assert!((fit - hit["fit"].as_f64().unwrap()).abs() < 0.01, "{text}");
    assert_eq!(hit["coverage"], 100);
}

#[test]
fn what_holds_everywhere_is_the_users_to_say() {
    let world = World::new();
    let id = world.remember(&["--global", TABS, "--category", "preference"]);
    let other = world.remember(&[REDIS]);
    assert_eq!(world.found("elsewhere", &["python", "tabs"]), [TABS]);
    assert_eq!(world.found("elsewhere", &["redis", "port"]), [""; 0]);
    world.run(&["memory", "edit", &other, "--global"]);
    assert_eq!(world.found("elsewhere", &["redis", "port"]), [REDIS]);
    world.run(&["memory", "edit", &id, "--local"]);
    assert_eq!(world.found("elsewhere", &["python", "tabs"]), [""; 0]);
    let refused = said(&world.agent(&["remember", "--global", "Use nano"]), 1);
    assert!(refused.contains("only the user can"), "{refused}");
    let refused = said(&world.agent(&["memory", "edit", &id, "--global"]), 1);
    assert!(refused.contains("only the user can"), "{refused}");
    assert_eq!(world.found("project", &["nano"]), [""; 0]);
}

#[test]
fn words_of_a_memory_do_nothing_to_a_terminal() {
    let world = World::new();
    world.remember(&["The \u{1b}[31mtenant\u{1b}]52;c;eA==\u{7} is \u{202e}red"]);
    let text = world.run(&["recall", "tenant", "red"]);
    assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{text:?}");
}

fn set(documents: &[Value], questions: &[Value]) -> TempDir {
    let directory = TempDir::new().unwrap();
    let lines = |all: &[Value]| {
        let lines: Vec<_> = all.iter().map(ToString::to_string).collect();
        lines.join("\n")
    };
    fs::write(directory.path().join("docs.jsonl"), lines(documents)).unwrap();
    fs::write(directory.path().join("queries.jsonl"), lines(questions)).unwrap();
    directory
}

#[test]
fn a_set_of_questions_is_measured() {
    let document =
        |id: &str, group: &str, text: &str| json!({"id": id, "group": group, "text": text});
    let documents = [
        document("a1", "a", CACHE),
        document("a2", "a", TABS),
        document("b1", "b", REDIS),
        document("b2", "b", "Nothing else is of interest"),
    ];
    let question = |group: &str, text: &str, relevant: &str| json!({"group": group, "text": text, "relevant": [relevant], "category": "c"});
    let questions = [
        question("a", "why do tenants see the invoices of others?", "a1"),
        question("b", "which Redis port do billing tests need?", "b1"),
        question("b", "which zebra?", "b2"),
    ];
    let set = set(&documents, &questions);
    let path = set.path().to_str().unwrap();
    let eval = |more: &[&str]| {
        let mut command = Command::new(binary());
        command.args([&["eval", "recall", path], more].concat()).env_clear().output().unwrap()
    };
    let figures: Value = serde_json::from_slice(&eval(&["--json", "--quick"]).stdout).unwrap();
    let recall = figures["closely"]["all"]["recall_5"].as_f64().unwrap();
    assert!((recall - 2.0 / 3.0).abs() < 1e-9, "{figures}");
    assert_eq!(
        (&figures["silence"]["unrelated"], &figures["silence"]["told"]),
        (&json!(3), &json!(0))
    );
    let text = String::from_utf8(eval(&["--quick"]).stdout).unwrap();
    assert!(text.contains("nDCG@10") && text.contains("100.0 % of 3 questions"), "{text}");
    fs::write(set.path().join("queries.jsonl"), "{\"text\": \"x\", \"relevant\": []}\n").unwrap();
    let failed = said(&eval(&["--quick"]), 1);
    assert!(failed.contains("line 1 of") && failed.contains("hint: "), "{failed}");
}

#[test]
fn what_is_taken_back_is_found_again() {
    let world = World::new();
    let id = world.remember(&[CACHE]);
    world.remember(&[REDIS]);
    tidy(&world.home);
    let file = world.home.path().join("all.json");
    let path = file.to_str().unwrap();
    world.run(&["memory", "export", &id, "--to", path, "--format", "json"]);
    let kept = fs::read(&file).unwrap();
    world.run(&["store", "backup"]);
    world.run(&["memory", "forget", &id, "--yes"]);
    assert_eq!(world.found("project", &["tenant", "invoices"]), [""; 0]);
    fs::write(&file, kept).unwrap();
    world.run(&["memory", "import", "--restore", path]);
    tidy(&world.home);
    assert_eq!(world.found("project", &["tenant", "invoices"]), [CACHE]);
    world.run(&["memory", "forget", &id, "--yes"]);
    let copy = fs::read_dir(world.home.data()).unwrap().flatten().map(|it| it.path());
    let copy = copy.into_iter().find(|it| it.to_str().unwrap().contains("backup-")).unwrap();
    world.run(&["store", "restore", copy.to_str().unwrap()]);
    tidy(&world.home);
    assert_eq!(world.found("project", &["tenant", "invoices"]), [CACHE]);
}

/// What nobody confirmed is not told, but that it is there is.
#[test]
fn a_candidate_that_fits_is_counted_where_nothing_else_fits() {
    let world = World::new();
    let session = "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11";
    let root = world.home.path().join("project");
    fs::create_dir_all(root.join(".git")).unwrap();
    let directory = world.home.projects().join("-p");
    fs::create_dir_all(&directory).unwrap();
    let (file, prompt) = (directory.join(format!("{session}.jsonl")), "Why do tenants see it?");
    let row = json!({"type": "user", "sessionId": session, "version": "2.1.325", "cwd": root,
        "origin": {"kind": "human"}, "message": {"role": "user", "content": prompt}});
    fs::write(&file, format!("{row}\n")).unwrap();
    let send = |event: &str, key: &str, text: &str| {
        let payload = json!({"hook_event_name": event, "session_id": session, "cwd": root,
            "transcript_path": file, "permission_mode": "default", "prompt_id": "p1", key: text});
        assert!(world.home.hook(payload.to_string()).status.success());
    };
    send("UserPromptSubmit", "prompt", prompt);
    let said = "The root cause is that the cache key leaves out the tenant, so one tenant reads \
        what another one wrote.";
    send("Stop", "last_assistant_message", said);
    assert!(world.run(&["candidates"]).contains("tenant"));
    let text = world.run(&["recall", "tenant", "cache"]);
    assert!(text.contains("Nothing that is known fits"), "{text}");
    assert!(text.contains("1 unconfirmed candidate fits"), "{text}");
    assert!(!world.run(&["recall", "zebra", "stripes"]).contains("unconfirmed"));
}
