//! `import config` as a user meets it: files of other tools, settings of the user's own.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::{Project, outside, said, write};

const HOOKS: &str = "\
hooks:
  # Session lifecycle
  session_start:
    enabled: true
    script: .claude/hooks/session_start.sh
    timeout_ms: 7500
    inject_light_context: true
  user_prompt_submit:
    enabled: true
    timeout_ms: 500
    context_depth: rich  # light | rich
    token_budget: 2000
    include_code: true
  ghap_checkin:
    enabled: true
    frequency: 10
    timeout_ms: 100
  outcome_capture:
    timeout_ms: 12000
    matchers:
      - \"pytest\"
      - \"cargo test\"
    auto_capture: true
  session_end:
    enabled: false  # not yet
    color: blue
";

fn value(project: &Project, key: &str) -> Value {
    let listing = project.config();
    let rows = listing["settings"].as_array().unwrap();
    rows.iter().find(|it| it["key"] == key).unwrap()["value"].clone()
}

/// Imports as the user does, and must succeed.
#[track_caller]
fn run(project: &Project, files: &[&str]) -> String {
    said(&import(project, files), 0)
}

/// The same where it must fail, with a reason and a hint.
#[track_caller]
fn fails(project: &Project, files: &[&str]) -> String {
    let text = said(&import(project, files), 1);
    assert!(text.contains("error: ") && text.contains("\nhint: "), "{text}");
    text
}

fn import(project: &Project, files: &[&str]) -> Output {
    outside(project.home.path(), &project.root(), &[&["import", "config"], files].concat())
}

/// A project with a foreign file in it.
fn with(name: &str, text: &str) -> Project {
    let project = Project::new();
    write(&project.root().join(name), text.as_bytes());
    project
}

#[test]
fn hooks_become_settings_and_the_rest_is_named_line_by_line() {
    let project = with("hooks.yaml", HOOKS);
    project.user("# my own\n[hooks.prompt] # keep\nenabled = false\n");
    let text = run(&project, &["hooks.yaml"]);
    let own = fs::read_to_string(project.user_file()).unwrap();
    let expected = "# my own\n[hooks.prompt] # keep\nenabled = true\n\n\
                    [hooks.session-start]\ntimeout_s = 8\n\n[hooks.tools]\ntimeout_s = 12\n\n\
                    [hooks.session-end]\nenabled = false\n";
    assert_eq!(own, expected);
    assert!(text.contains("\n+[hooks.session-end]\n"), "{text}");
    for line in [
        "hooks.yaml:5: hooks.session_start.script: a script is never imported",
        "hooks.yaml:7: hooks.session_start.inject_light_context: no counterpart in this version",
        "hooks.yaml:10: hooks.user_prompt_submit.timeout_ms: 500 ms is less than the least, 5 s",
        "hooks.yaml:15: hooks.ghap_checkin.enabled: no counterpart in this version",
        "hooks.yaml:21: hooks.outcome_capture.matchers.[]: no counterpart in this version",
        "hooks.yaml:26: hooks.session_end.color: not known to windlass",
        "Next: run `windlass init`",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    let again = run(&project, &["hooks.yaml"]);
    assert!(again.contains("needs no change.") && !again.contains("windlass init"), "{again}");
    let again = run(&project, &["hooks.yaml", "--dry-run"]);
    assert!(!again.contains("windlass init"), "{again}");
    assert_eq!(fs::read_to_string(project.user_file()).unwrap(), expected);
}

#[test]
fn nothing_in_a_foreign_file_is_dropped_silently() {
    let project = with("hooks.yaml", HOOKS);
    let text = run(&project, &["--dry-run", "hooks.yaml"]);
    for (at, line) in HOOKS.lines().enumerate() {
        let Some((_, value)) = line.split_once(": ").filter(|it| !it.0.contains('#')) else {
            continue;
        };
        let is_changed = ["7500", "12000", "false  # not yet"].contains(&value);
        let place = format!("hooks.yaml:{}: ", at + 1);
        assert!(text.contains(&place) != is_changed, "{line}\n{text}");
    }
}

#[test]
fn a_dry_run_changes_nothing() {
    let project = with("hooks.yaml", HOOKS);
    let text = run(&project, &["hooks.yaml", "--dry-run"]);
    assert!(text.contains("Would change ") && text.contains("\n+[hooks.session-end]\n"), "{text}");
    assert!(text.contains("Nothing was changed.") && text.contains("`windlass init`"), "{text}");
    assert!(!project.user_file().exists() && !project.home.path().join(".config").exists());
}

#[test]
fn hooks_in_lists_are_understood_too() {
    let project = with(
        "list.yaml",
        "hooks:\n  SessionStart:\n    - command: .claude/hooks/a.sh\n      timeout: 6000\n      once: true\n  \
         PostToolCall:\n    - matcher: \"*\"\n      command: b.sh\n      timeout: 5200\n    - timeout: 9000\n",
    );
    let text = run(&project, &["list.yaml"]);
    assert_eq!(value(&project, "hooks.session-start.timeout_s"), 6);
    assert_eq!(value(&project, "hooks.tools.timeout_s"), 6);
    assert!(
        text.contains("list.yaml:3: hooks.SessionStart.[].command: a script is never imported")
    );
    let second = "list.yaml:10: hooks.PostToolCall.[].timeout: `hooks.tools.timeout_s` is already taken from list.yaml:9";
    assert!(text.contains(second), "{text}");
    assert!(!fs::read_to_string(project.user_file()).unwrap().contains(".sh"));
}

#[test]
fn what_has_no_counterpart_yet_is_named_and_changes_nothing() {
    let project = with(
        "memory-config.json",
        "{\n  \"triage\": {\n    \"enabled\": true,\n    \"max_messages\": 50,\n    \"thresholds\": {\n      \"DECISION\": 0.4,\n      \"GOSSIP\": 0.1\n    }\n  },\n  \"retrieval\": {\"max_inject\": 3}\n}\n",
    );
    let reflection = project.root().join(".reflection_config");
    write(
        &reflection,
        b"{\"enabled\": true, \"triggers\": [\"session_end\"],\n\t\"min_turns\": 5}",
    );
    let text = run(&project, &["memory-config.json", ".reflection_config"]);
    for line in [
        "memory-config.json:3: triage.enabled: `triage.enabled` is true already",
        "memory-config.json:4: triage.max_messages: `triage.max_messages` is 50 already",
        "memory-config.json:6: triage.thresholds.DECISION: `triage.thresholds.decision` is 40 already",
        "memory-config.json:7: triage.thresholds.GOSSIP: no counterpart in this version",
        "memory-config.json:10: retrieval.max_inject: not known to windlass",
        ".reflection_config:1: enabled: no counterpart in this version",
        ".reflection_config:1: triggers.[]: no counterpart in this version",
        ".reflection_config:2: min_turns: no counterpart in this version",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(!project.user_file().exists());
}

#[test]
fn thresholds_of_a_published_design_become_hundredths() {
    let project = with(
        "memory-config.json",
        "{\"triage\": {\"enabled\": false, \"max_messages\": 30,\n\"thresholds\": {\"RUNBOOK\": 0.55, \
         \"CONSTRAINT\": 0.474, \"SESSION_SUMMARY\": 1}}}",
    );
    let text = run(&project, &["memory-config.json"]);
    assert_eq!(value(&project, "triage.enabled"), false);
    assert_eq!(value(&project, "triage.max_messages"), 30);
    assert_eq!(value(&project, "triage.thresholds.runbook"), 55);
    assert_eq!(value(&project, "triage.thresholds.constraint"), 47);
    assert_eq!(value(&project, "triage.thresholds.session_summary"), 100);
    assert!(text.contains("CONSTRAINT: 0.474 is 47 hundredths here"), "{text}");
    assert!(text.contains("Thresholds count where `triage.profile` is `document`"), "{text}");
    assert!(text.contains("Next: `windlass config` shows what is in force."), "{text}");
}

#[test]
fn bad_input_names_its_line_and_changes_nothing() {
    for (text, said) in [
        (
            "hooks:\n  session_end:\n    enabled: maybe\n",
            "f:3: `hooks.session_end.enabled` is not true or false",
        ),
        (
            "hooks:\n  session_end:\n    timeout_ms: 1.5\n",
            "f:3: `hooks.session_end.timeout_ms` is not a whole number",
        ),
        (
            "triage:\n  thresholds:\n    RUNBOOK: 40\n",
            "f:3: `triage.thresholds.RUNBOOK` is not a number from 0 to 1",
        ),
        ("triage:\n  max_messages: few\n", "f:2: `triage.max_messages` is not a whole number"),
        ("hooks:\n  session_end: {\n    timeout_ms: 1\n", "understand f:"),
        ("{\n  \"hooks\": {]\n", "understand f:2:"),
        ("a: 1\n", "recognise f"),
        ("", "recognise f"),
    ] {
        let project = with("f", text);
        let error = fails(&project, &["f"]);
        assert!(error.contains(said), "{error}");
        assert!(!project.user_file().exists());
    }
    let project = with("f", HOOKS);
    assert!(fails(&project, &["f", "none"]).contains("there is no such file"));
    assert!(Command::new("mkfifo").arg(project.root().join("pipe")).status().unwrap().success());
    assert!(fails(&project, &["pipe"]).contains("it is not a plain file"));
    project.user("[hooks\n");
    assert!(fails(&project, &["f"]).contains("config.toml:1:"));
    assert_eq!(fs::read_to_string(project.user_file()).unwrap(), "[hooks\n");
    project.user("hooks = 3\n");
    assert!(fails(&project, &["f"]).contains("put `hooks."));
    assert_eq!(fs::read_to_string(project.user_file()).unwrap(), "hooks = 3\n");
}

#[test]
fn settings_behind_a_link_stay_there() {
    let project = with("f", "hooks:\n  session_end:\n    enabled: false\n");
    let dotfiles = project.home.path().join("dotfiles/w.toml");
    write(&dotfiles, b"# mine\n");
    fs::create_dir_all(project.user_file().parent().unwrap()).unwrap();
    symlink(&dotfiles, project.user_file()).unwrap();
    run(&project, &["f"]);
    assert!(project.user_file().is_symlink());
    assert_eq!(
        fs::read_to_string(&dotfiles).unwrap(),
        "# mine\n\n[hooks.session-end]\nenabled = false\n"
    );
}

#[test]
fn an_agent_does_not_change_the_users_settings() {
    let project = with("hooks.yaml", HOOKS);
    let by_agent =
        |arguments: &[&str]| project.command(arguments).env("CLAUDECODE", "1").output().unwrap();
    let text = said(&by_agent(&["import", "config", "hooks.yaml"]), 1);
    assert!(text.contains("an agent (the environment has CLAUDECODE) started it"), "{text}");
    let next = "hint: run `windlass import config hooks.yaml` in your own terminal";
    assert!(text.contains(next), "{text}");
    assert!(!project.user_file().exists());
    let text = said(&by_agent(&["import", "config", "hooks.yaml", "--dry-run"]), 0);
    assert!(text.contains("Would change "), "{text}");
}
