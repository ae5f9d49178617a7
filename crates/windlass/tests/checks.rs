//! Checks that are declared in settings, run by the real binary.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Project, by_the_user, feed, next_id, write, write_program};

const SESSION: &str = "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11";

/// A session in a repository with one commit, played by payloads.
struct World {
    project: Project,
    calls: usize,
    environment: Vec<(&'static str, &'static str)>,
}

impl World {
    fn new() -> Self {
        let world = Self::bare();
        world.put("a.py", "import os\nprint(1)\n");
        world.git(&["init", "-q"]);
        world.commit();
        world.user("");
        world.prompt();
        world
    }

    /// Without a repository.
    fn bare() -> Self {
        let project = Project::new();
        fs::remove_dir_all(project.root().join(".git")).unwrap();
        Self { project, calls: 0, environment: vec![("PATH", "/usr/bin:/bin")] }
    }

    /// Writes the user's settings, with no other gate that has something to say.
    fn user(&self, text: impl AsRef<str>) {
        let quiet = "gates.uncommitted.mode = \"off\"\n";
        self.project.user(format!("{quiet}{}", text.as_ref()));
    }

    fn git(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=n", "-c", "user.email=e@x"]).args(arguments);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        let output = command.current_dir(self.project.root()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    fn commit(&self) {
        self.git(&["add", "."]);
        self.git(&["commit", "-qm", "x"]);
    }

    /// A file below the home, outside of the project.
    fn outside(&self, name: &str) -> PathBuf {
        self.project.home.path().join(name)
    }

    fn put(&self, name: &str, text: &str) {
        write(&self.project.root().join(name), text.as_bytes());
    }

    /// A program below the home, outside of the project.
    fn program(&self, name: &str, text: &str) -> String {
        let path = self.outside(name);
        program(&path, text);
        path.to_str().unwrap().to_owned()
    }

    /// A program that counts its runs, then does something else.
    fn counting(&self, then: &str) -> String {
        let count = self.outside("count");
        self.program("counting.sh", &format!("echo run >> {}\n{then}\n", count.display()))
    }

    fn runs(&self) -> usize {
        fs::read_to_string(self.outside("count")).unwrap_or_default().lines().count()
    }

    fn payload(&self, event: &Value) -> Vec<u8> {
        let mut payload = json!({
            "session_id": SESSION,
            "prompt_id": "p1",
            "cwd": self.project.root(),
            "permission_mode": "default",
        });
        payload.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        payload.to_string().into_bytes()
    }

    fn hook(&self) -> Command {
        let mut command = self.project.home.command();
        command.envs(self.environment.iter().copied());
        command
    }

    /// The answer to an event; null where there is none.
    fn send(&self, event: &Value) -> Value {
        let output = feed(&mut self.hook(), &self.payload(event));
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        if output.stdout.is_empty() {
            return Value::Null;
        }
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn prompt(&self) {
        let prompt = json!({"hook_event_name": "UserPromptSubmit", "prompt": "do it",
            "prompt_id": next_id("p")});
        self.send(&prompt);
    }

    fn call(&mut self, name: &str, input: &Value, answer: &str) {
        self.calls += 1;
        let call = json!({
            "tool_name": name,
            "tool_input": input,
            "tool_use_id": format!("toolu_{}", self.calls),
            "tool_response": answer,
        });
        self.send(&json!({"hook_event_name": "PostToolBatch", "tool_calls": [call]}));
    }

    /// The agent writes a file.
    fn edit(&mut self, name: &str, text: &str) {
        self.put(name, text);
        let file = self.project.root().join(name);
        let answer = format!("The file {} has been updated successfully.", file.display());
        let input = json!({"file_path": file, "old_string": "a", "new_string": "b"});
        self.call("Edit", &input, &answer);
    }

    fn stop(&self) -> Value {
        self.send(&stop())
    }

    /// What the agent is asked at a stop.
    #[track_caller]
    fn asked(&self) -> String {
        let answer = self.stop();
        let text = answer["hookSpecificOutput"]["additionalContext"].as_str();
        text.unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    /// What the user is told at a stop at which the agent is asked nothing.
    #[track_caller]
    fn told(&self) -> String {
        let answer = self.stop();
        assert!(answer.get("hookSpecificOutput").is_none(), "{answer}");
        answer["systemMessage"].as_str().unwrap_or_default().to_owned()
    }

    /// What the rule `checks` said at the last stop.
    fn said(&self) -> String {
        let query = "SELECT events.id, rules FROM decisions JOIN events
            ON events.id = decisions.event WHERE kind = 'stop' ORDER BY events.id DESC LIMIT 1";
        let row = self.project.home.query(query).remove(0);
        let rules: Vec<Value> = serde_json::from_str(row["rules"].as_str().unwrap()).unwrap();
        let said = rules.iter().find(|it| it["rule"] == "checks");
        said.map(|it| it["said"].as_str().unwrap().to_owned()).unwrap_or_default()
    }

    /// The user trusts the project's settings as they are.
    fn trust(&self) {
        let shown = self.project.run(&["trust", "--show", "--json"]);
        let shown: Value = serde_json::from_str(&shown).unwrap();
        let hash = shown["hash"].as_str().unwrap();
        let (home, root) = (&self.project.home, self.project.root());
        let (said, code) = by_the_user(home, &root, &[], &["trust", "--hash", hash]);
        assert_eq!(code, 0, "{said}");
    }
}

fn program(path: &Path, text: &str) {
    write_program(path, &format!("#!/bin/sh\n{text}\n"));
}

fn stop() -> Value {
    json!({
        "hook_event_name": "Stop",
        "stop_hook_active": false,
        "last_assistant_message": "Done.",
        "background_tasks": [],
        "session_crons": [],
    })
}

/// A check of the user that runs a program.
fn unit(program: &str, more: &str) -> String {
    format!("[checks.unit]\ncommand = [\"{program}\"]\n{more}\n")
}

#[test]
fn a_check_that_fails_is_asked_for_until_it_passes() {
    let mut world = World::new();
    let program = world.counting("echo the tests are red; grep -q fixed a.py");
    world.user(unit(&program, ""));
    // A session that changes nothing runs nothing.
    assert_eq!(world.stop(), Value::Null);
    assert_eq!(world.runs(), 0);
    world.edit("a.py", "broken\n");
    let text = world.asked();
    assert!(text.contains("[checks] The check `unit` failed"), "{text}");
    assert!(text.contains("exits with 1. Its last words: the tests are red"), "{text}");
    assert!(text.contains("Make `") && text.contains("` exit with 0."), "{text}");
    assert!(text.contains("windlass decline checks: REASON") && text.len() < 1500, "{text}");
    world.edit("a.py", "fixed\n");
    assert_eq!(world.stop(), Value::Null);
    assert_eq!(world.runs(), 2);
    let explained = world.project.run(&["explain", "--json"]);
    assert!(explained.contains("unit passed ("), "{explained}");
}

#[test]
fn an_unchanged_tree_is_not_checked_again() {
    let mut world = World::new();
    let program = world.counting("true");
    world.user(unit(&program, ""));
    world.edit("a.py", "one\n");
    assert_eq!(world.stop(), Value::Null);
    assert_eq!(world.stop(), Value::Null);
    assert!(world.said().starts_with("unit passed (remembered, "), "{}", world.said());
    // The same bytes are the same tree, whoever wrote them again and for which prompt.
    world.prompt();
    world.edit("a.py", "one\n");
    assert_eq!(world.stop(), Value::Null);
    assert_eq!(world.runs(), 1);
    world.edit("b.py", "a file that git does not know\n");
    assert_eq!(world.stop(), Value::Null);
    assert_eq!(world.runs(), 2);
    // Another command is another check.
    world.user(unit(&program, "timeout_s = 30"));
    assert_eq!(world.stop(), Value::Null);
    assert_eq!(world.runs(), 3);
}

/// The fingerprint does not tell it, but the agent did.
#[test]
fn a_pass_is_not_believed_after_a_change_that_git_does_not_see() {
    let mut world = World::new();
    world.put(".gitignore", "hidden\n");
    world.commit();
    let program = world.counting("! grep -q BAD hidden 2>/dev/null");
    world.user(unit(&program, ""));
    world.prompt();
    world.edit("src/a.rs", "two\n");
    assert_eq!(world.stop(), Value::Null);
    world.edit("hidden", "BAD\n");
    assert!(world.asked().contains("[checks]"), "{}", world.runs());
}

/// A commit hides no change.
#[test]
fn what_a_command_wrote_and_committed_is_checked() {
    let mut world = World::new();
    let program = world.counting("exit 1");
    world.user(unit(&program, "files = [\"src/**\"]"));
    sleep(Duration::from_millis(1100));
    world.prompt();
    world.put("src/a.rs", "two\n");
    world.commit();
    world.call("Bash", &json!({"command": "sed -i s/one/two/ src/a.rs; git commit -qam x"}), "");
    assert!(world.asked().contains("[checks]"), "{}", world.runs());
}

#[test]
fn a_failure_is_known_until_something_is_changed() {
    let mut world = World::new();
    let program = world.counting("exit 3");
    world.user(unit(&program, ""));
    world.edit("a.py", "one\n");
    world.asked();
    world.call("Read", &json!({"file_path": world.project.root().join("a.py")}), "one");
    let told = world.told();
    assert!(told.contains("still open: [checks] The check `unit` failed"), "{told}");
    assert!(world.said().starts_with("unit failed (remembered, "), "{}", world.said());
    assert_eq!(world.runs(), 1);
    // What git does not see may be what was missing.
    world.call("Bash", &json!({"command": "touch installed"}), "");
    world.told();
    assert_eq!(world.runs(), 2);
}

#[test]
fn without_a_repository_every_change_is_checked() {
    let mut world = World::bare();
    world.prompt();
    let program = world.counting("exit 3");
    world.user(unit(&program, ""));
    world.edit("a.py", "one\n");
    world.asked();
    world.edit("a.py", "one\n");
    world.asked();
    assert_eq!(world.runs(), 2);
    let told = world.told();
    assert!(
        told.contains("The agent stopped (it called no tool") && told.contains("`unit` failed"),
        "{told}"
    );
    assert_eq!(world.runs(), 2, "it only talks");
}

#[test]
fn checks_of_a_project_run_once_they_are_trusted_and_as_they_were_trusted() {
    let mut world = World::new();
    let marker = world.outside("marker");
    let script = world.project.root().join("check.sh");
    program(&script, &format!("echo run >> {}; exit 1", marker.display()));
    world.project.settings(unit("./check.sh", ""));
    world.commit();
    let line = "project settings ignored: checks (needs trust); run windlass trust";
    let start = json!({"hook_event_name": "SessionStart", "source": "startup"});
    assert_eq!(world.send(&start)["systemMessage"], line);
    world.edit("a.py", "one\n");
    assert_eq!(world.stop(), Value::Null);
    assert!(!marker.exists() && world.said().is_empty());

    let shown = world.project.run(&["trust", "--show"]);
    assert!(shown.contains(r#"checks.unit = { command = ["./check.sh"] }"#), "{shown}");
    world.trust();
    let text = world.asked();
    assert!(text.contains("The check `unit` failed: `./check.sh` exits with 1."), "{text}");
    assert_eq!(fs::read_to_string(&marker).unwrap(), "run\n");

    world.edit("check.sh", &format!("#!/bin/sh\necho run >> {}; exit 0\n", marker.display()));
    let told = world.told();
    assert!(told.contains("changed since you trusted them"), "{told}");
    assert!(told.contains("`windlass trust`"), "{told}");
    assert_eq!(fs::read_to_string(&marker).unwrap(), "run\n");
}

#[test]
fn checks_of_a_project_stand_beside_those_of_the_user() {
    let mut world = World::new();
    let program = world.counting("exit 1");
    world.user(unit(&program, ""));
    let more = "[checks.unit]\ncommand = [\"false\"]\n[checks.other]\npattern = \"never\"\n";
    world.project.settings(more);
    world.commit();
    world.trust();
    let listed = world.project.config();
    let found: Vec<_> = listed["findings"].as_array().unwrap().iter().collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        found[0]["found"],
        "`checks.unit` is the name of a check of yours, and yours counts"
    );
    let text = world.project.run(&["config"]);
    let row = |name: &str| text.lines().find(|it| it.starts_with(name)).unwrap().to_owned();
    assert!(row("checks.unit").ends_with("user") && row("checks.other").ends_with("project"));
    world.edit("a.py", "one\n");
    assert!(world.asked().contains("`unit` failed"));
    assert_eq!(world.runs(), 1);
}

#[test]
fn a_command_gets_nothing_that_is_the_clients() {
    let mut world = World::new();
    let dump = world.outside("dump");
    let text = format!(
        "env > {0}; pwd >> {0}; ls -l /proc/self/fd | wc -l >> {0}; test ! -t 0; cat >> {0}",
        dump.display()
    );
    let program = world.program("dump.sh", &text);
    world.user(unit(&program, ""));
    world.edit("a.py", "one\n");
    world.environment.extend([
        ("ANTHROPIC_API_KEY", "value-of-a-key"),
        ("CLAUDECODE", "1"),
        ("CLAUDE_CODE_SESSION_ID", "value-of-a-session"),
        ("SERVICE_AUTH_TOKEN", "value-of-a-token"),
        ("LANG", "C.UTF-8"),
    ]);
    assert_eq!(world.stop(), Value::Null);
    let dump = fs::read_to_string(dump).unwrap();
    for private in ["ANTHROPIC", "CLAUDE", "TOKEN", "value-of"] {
        assert!(!dump.contains(private), "{dump}");
    }
    assert!(dump.contains("LANG=C.UTF-8") && dump.contains("HOME="), "{dump}");
    let root = fs::canonicalize(world.project.root()).unwrap();
    assert!(dump.lines().any(|it| Path::new(it) == root), "{dump}");
    // The three streams, what lists them, and a line for the total.
    assert_eq!(dump.lines().last().unwrap().trim(), "5", "{dump}");
}

/// Processes whose command line holds a text.
fn running(text: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|it| fs::read(it.path().join("cmdline")).ok());
    lines.filter(|it| String::from_utf8_lossy(it).contains(text)).count()
}

#[test]
fn a_command_is_ended_with_its_children_and_asks_for_nothing() {
    let mut world = World::new();
    let program = world.counting("(sleep 987601 & sleep 987601) & sleep 987601");
    world.user(unit(&program, "timeout_s = 1"));
    world.edit("a.py", "one\n");
    let told = world.told();
    assert!(told.contains("could not look: `unit`: ") && told.contains("did not end within 1 s"));
    while running("987601") > 0 {
        sleep(Duration::from_millis(20));
    }
    // It would take as long again.
    assert_eq!(world.stop(), Value::Null);
    assert_eq!(world.runs(), 1);
}

#[test]
fn a_command_does_not_outlive_a_hook_that_is_ended() {
    let mut world = World::new();
    let program = world.counting("(sleep 987602 & sleep 987602) & sleep 987602");
    world.user(unit(&program, ""));
    world.edit("a.py", "one\n");
    let payload = world.payload(&stop());
    let mut command = world.hook();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), &payload).unwrap();
    while running("987602") < 3 {
        assert!(child.try_wait().unwrap().is_none(), "it did not wait for the command");
        sleep(Duration::from_millis(20));
    }
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    child.wait().unwrap();
    while running("987602") > 0 {
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_command_that_changes_the_tree_says_nothing() {
    let mut world = World::new();
    let program = world.program("format.sh", "echo more >> a.py; exit 1");
    world.user(unit(&program, ""));
    world.edit("a.py", "one\n");
    let told = world.told();
    assert!(told.contains("the working tree changed while it ran"), "{told}");
    // A result that does not count is not remembered.
    world.stop();
    assert_eq!(fs::read_to_string(world.project.root().join("a.py")).unwrap(), "one\nmore\nmore\n");
}

#[test]
fn a_stop_has_so_much_time_and_no_more() {
    let mut world = World::new();
    let slow = world.program("slow.sh", "sleep 987603");
    let program = world.counting("true");
    let text = format!(
        "hooks.stop.timeout_s = 18\n[checks.a]\ncommand = [\"{slow}\"]\n{}",
        unit(&program, "")
    );
    world.user(text);
    world.edit("a.py", "one\n");
    let told = world.told();
    assert!(told.contains("`a`: ") && told.contains("did not end within"), "{told}");
    assert!(told.contains("`unit`: no time was left for it at this stop."), "{told}");
    assert_eq!(world.runs(), 0);
    assert_eq!(running("987603"), 0);
}

#[test]
fn a_metric_is_the_last_number_that_is_printed() {
    let mut world = World::new();
    let program = world.program("coverage.sh", "echo covered: $(cat number)%; echo 3 warnings >&2");
    world.user(unit(&program, "at_least = 80\nat_most = 100"));
    world.put("number", "79.9");
    world.edit("a.py", "one\n");
    let text = world.asked();
    assert!(text.contains("gives 79.9, and at least 80 and at most 100 is wanted."), "{text}");
    assert!(text.contains("to at least 80 and at most 100."), "{text}");
    world.put("number", "80.0");
    world.edit("a.py", "two\n");
    assert_eq!(world.stop(), Value::Null);
    world.put("number", "none");
    world.edit("a.py", "three\n");
    assert!(world.told().contains("prints no number"));
}

#[test]
fn a_later_stage_waits_for_an_earlier_one() {
    let mut world = World::new();
    let log = world.outside("log");
    let text = format!("echo $1 >> {}; test ! -e $1.red", log.display());
    let program = world.program("stage.sh", &text);
    let check = |name: &str, stage: &str, severity: &str| {
        format!(
            "[checks.{name}]\ncommand = [\"{program}\", \"{name}\"]\nstage = \"{stage}\"\n\
             severity = \"{severity}\"\n"
        )
    };
    world.user(
        check("safe", "security", "ask")
            + &check("good", "quality", "advise")
            + &check("right", "correctness", "ask")
            + &check("exact", "correctness", "ask"),
    );
    for red in ["right.red", "good.red"] {
        world.put(red, "");
    }
    world.edit("a.py", "one\n");
    assert!(world.asked().contains("`right` failed"));
    let ran = || fs::read_to_string(&log).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(ran(), "exact right");
    fs::remove_file(world.project.root().join("right.red")).unwrap();
    world.edit("a.py", "two\n");
    // Advice stops nothing.
    let told = world.told();
    assert!(told.contains("[checks] `good`: ") && told.contains("exits with 1"), "{told}");
    assert_eq!(ran(), "exact right exact right good safe");
}

/// Two stages, each with a program that fails while a file that git passes by is not there.
fn two_stages(world: &World) -> String {
    world.put(".gitignore", "*.ok\n");
    world.commit();
    let program = world.program("stage.sh", "test -e $1.ok");
    let check = |name: &str, stage: &str| {
        format!("[checks.{name}]\ncommand = [\"{program}\", \"{name}\"]\nstage = \"{stage}\"\n")
    };
    check("right", "correctness") + &check("good", "quality")
}

/// Nobody sees a change: what mended the first stage lies where git does not look.
#[test]
fn a_later_stage_is_asked_for_when_the_first_was_mended_in_ignored_files() {
    for tool in ["Bash", "mcp__files__write"] {
        let mut world = World::new();
        let checks = two_stages(&world);
        world.user(checks);
        world.prompt();
        world.edit("a.py", "one\n");
        assert!(world.asked().contains("`right` failed"), "{tool}");
        world.put("right.ok", "");
        world.call(tool, &json!({"command": "make -s prepare"}), "done");
        let text = world.asked();
        assert!(text.contains("`good` failed") && !text.contains("`right`"), "{tool}: {text}");
        world.put("good.ok", "");
        world.call(tool, &json!({"command": "make -s prepare"}), "done");
        assert_eq!(world.stop(), Value::Null, "{tool}");
    }
}

/// The agent may have mended it after the last ask.
#[test]
fn at_the_cap_the_last_proof_is_run_before_anybody_reads_capped() {
    for is_mended in [true, false] {
        let mut world = World::new();
        let program = world.counting("grep -q fixed a.py");
        world.user("gates.asks_per_prompt = 2\n".to_owned() + &unit(&program, ""));
        world.edit("a.py", "one\n");
        world.asked();
        world.edit("a.py", "two\n");
        world.asked();
        world.edit("a.py", if is_mended { "fixed\n" } else { "three\n" });
        let told = world.told();
        assert_eq!(world.runs(), 3);
        let query = "SELECT verdict FROM decisions ORDER BY event DESC LIMIT 1";
        let verdict = world.project.home.query(query).remove(0);
        if is_mended {
            assert_eq!((told.as_str(), verdict["verdict"].as_str()), ("", Some("pass")));
        } else {
            assert!(told.contains("still open: [checks] The check `unit` failed"), "{told}");
            assert_ne!(verdict["verdict"], "pass");
        }
    }
}

#[test]
fn a_check_is_about_the_files_that_it_names() {
    let mut world = World::new();
    let program = world.counting("true");
    world.user(unit(&program, "files = [\"src/**\", \"*.rs\"]"));
    world.edit("a.py", "one\n");
    assert_eq!(world.stop(), Value::Null);
    assert_eq!(world.runs(), 0);
    world.edit("src/deep/b.py", "one\n");
    assert_eq!(world.stop(), Value::Null);
    assert_eq!(world.runs(), 1);
    // A command does not say what it wrote, and the tree does.
    world.prompt();
    world.put("a.py", "two\n");
    world.call("Bash", &json!({"command": "echo two > a.py"}), "");
    assert_eq!(world.stop(), Value::Null);
    assert_eq!(world.runs(), 1);
    world.put("c.rs", "two\n");
    world.call("Bash", &json!({"command": "echo two > c.rs"}), "");
    assert_eq!(world.stop(), Value::Null);
    assert_eq!(world.runs(), 2);
}

#[test]
fn a_pattern_must_not_stand_in_a_line_that_was_added() {
    let mut world = World::new();
    world.user("[checks.no-print]\npattern = \"print(\"\nfiles = [\"*.py\"]\n");
    world.edit("a.py", "import os\nimport sys\nprint(1)\n");
    assert_eq!(world.stop(), Value::Null, "the line was there before");
    world.edit("b.txt", "print(2)\n");
    assert_eq!(world.stop(), Value::Null);
    world.edit("a.py", "import os\nprint(1)\n    print(2)\n");
    world.edit("new.py", "print(3)\n");
    let text = world.asked();
    assert!(text.contains("`print(` stands in added lines: a.py:3, new.py:1."), "{text}");
    assert!(text.contains("Take `print(` out of what you added."), "{text}");
    world.edit("a.py", "import os\nprint(1)\n");
    fs::remove_file(world.project.root().join("new.py")).unwrap();
    assert_eq!(world.stop(), Value::Null);
}

#[test]
fn what_cannot_be_run_asks_for_nothing() {
    let mut world = World::new();
    let text = "[checks.none]\ncommand = [\"no-such-program\"]\n\
        [checks.path]\ncommand = [\"./no-such-file\"]\n";
    world.user(text);
    world.edit("a.py", "one\n");
    let told = world.told();
    assert!(told.contains("`none`: there is no program `no-such-program`."), "{told}");
    assert!(told.contains("`path`: there is no program `./no-such-file`."), "{told}");
    // It is not told twice.
    assert_eq!(world.stop(), Value::Null);
    // A file of the project is not a program of that name.
    program(&world.project.root().join("no-such-program"), "exit 1");
    world.edit("a.py", "two\n");
    assert_eq!(world.stop(), Value::Null);
    let mut bare = World::bare();
    bare.prompt();
    bare.user("[checks.no-print]\npattern = \"print(\"\n");
    bare.edit("a.py", "print(1)\n");
    assert!(bare.told().contains("there is no git repository"));
}

#[test]
fn a_gate_that_is_off_runs_nothing() {
    let mut world = World::new();
    let program = world.counting("exit 1");
    world.user(unit(&program, "") + "[gates.checks]\nmode = \"off\"\n");
    world.edit("a.py", "one\n");
    assert_eq!(world.stop(), Value::Null);
    assert_eq!(world.runs(), 0);
    world.user(unit(&program, "") + "[gates.checks]\nmode = \"advise\"\n");
    assert!(world.told().contains("The check `unit` failed"));
    world.environment.push(("WINDLASS_GATES", "off"));
    world.edit("a.py", "two\n");
    assert_eq!(world.stop(), Value::Null);
    assert_eq!(world.runs(), 1);
}

#[test]
fn where_no_words_are_kept_those_of_a_check_are_not() {
    let mut world = World::new();
    let program = world.counting("echo unspeakable; exit 1");
    world.user("ledger.texts = false\n".to_owned() + &unit(&program, ""));
    world.edit("a.py", "one\n");
    assert!(world.asked().contains("unspeakable"));
    assert!(!world.project.home.query("SELECT * FROM decisions").is_empty());
    assert_eq!(world.project.home.columns_with("unspeakable"), [""; 0]);
}

#[test]
fn the_agent_reads_no_secret_of_a_command_or_its_words() {
    let mut world = World::new();
    let given = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let said = format!("ghp_{}", "Z9y8X7w6V5u4".repeat(3));
    let program = world.program("say.sh", &format!("echo {said}; test \"$1\" = {given} && exit 7"));
    world.user(format!("[checks.unit]\ncommand = [\"{program}\", \"{given}\"]\n"));
    world.edit("a.py", "one\n");
    let text = world.asked();
    assert!(text.contains("exits with 7"), "{text}");
    assert!(!text.contains(&given) && !text.contains(&said), "{text}");
}
