//! Loops and holds with the real binary.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::{
    Home, Player, UserOutput, UserTerminal, binary, copy_program, feed, next_id, outside, said,
    write_program,
};

const FIRST: &str = "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11";
const SECOND: &str = "77777777-4f0f-4d6b-9a61-0b1c7e8f1c22";

/// A project in a home of its own.
struct World {
    home: Home,
}

impl World {
    fn new() -> Self {
        Self { home: Home::new() }
    }

    fn script(&self, text: &str) {
        let file = self.root().join("check.sh");
        write_program(&file, text);
    }

    fn settings(&self, text: &str) {
        let file = self.home.path().join(".config/windlass/config.toml");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
    }

    /// A command of windlass in the project.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command.args(arguments).env_clear().env("HOME", self.home.path());
        command.current_dir(self.root()).stdin(Stdio::null());
        command
    }

    fn outside(&self, arguments: &[&str]) -> Output {
        outside(self.home.path(), &self.root(), arguments)
    }

    #[track_caller]
    fn run(&self, arguments: &[&str]) -> String {
        said(&self.outside(arguments), 0)
    }

    #[track_caller]
    fn fails(&self, arguments: &[&str], words: &str) {
        let text = said(&self.outside(arguments), 1);
        assert!(text.contains("\nhint: ") && text.contains(words), "{text}");
    }

    fn list(&self, gate: &str) -> Vec<Value> {
        let output = self.command(&[gate, "status", "--json"]).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn read(&self, session: &str) {
        self.call(session, "Read", &json!({"file_path": self.root().join("a.rs")}), "text");
    }
}

impl Player for World {
    fn root(&self) -> PathBuf {
        self.home.project()
    }

    fn hook(&self) -> Command {
        let mut command = self.home.command();
        // What the client sets for its hooks.
        command.env("CLAUDECODE", "1").env("CLAUDE_PROJECT_DIR", "/nowhere");
        command.env("ANTHROPIC_API_KEY", "not-for-commands").env("PATH", "/usr/bin:/bin");
        command
    }
}

#[test]
fn a_loop_goes_on_until_its_command_passes() {
    let world = World::new();
    world.script(
        "echo x >> count; env > seen.env; test $(wc -l < count) -ge 3 || {\n  \
        echo \"only $(wc -l < count) of 3\"; exit 9; }\n",
    );
    let text = world.run(&["loop", "start", "make it three", "--until", "sh check.sh"]);
    assert!(text.contains("25 times at most") && text.contains("within 10 minutes"), "{text}");
    world.start(FIRST);
    let first = world.asked(FIRST);
    for words in ["make it three", "`sh check.sh` exits with 9", "only 1 of 3", "round 1 of"] {
        assert!(first.contains(words), "{words}: {first}");
    }
    world.read(FIRST);
    assert!(world.asked(FIRST).contains("only 2 of 3"), "the second round");
    world.read(FIRST);
    let told = world.told(FIRST);
    assert!(told.contains("“make it three” is over, proven after 2 rounds"), "{told}");
    let [looped] = &world.list("loop")[..] else { panic!() };
    assert_eq!((&looped["state"], &looped["rounds"]), (&json!("proven"), &json!(2)));
    assert_eq!(looped["session"], FIRST);
    let outcomes: Vec<_> = looped["iterations"].as_array().unwrap().iter().collect();
    let outcomes: Vec<_> = outcomes.iter().map(|it| (&it["number"], &it["outcome"])).collect();
    let [one, two, three] = [json!(1), json!(2), json!(3)];
    let (failed, passed) = (json!("failed"), json!("passed"));
    assert_eq!(outcomes, [(&one, &failed), (&two, &failed), (&three, &passed)]);
    // It is over: the next stop runs nothing.
    world.read(FIRST);
    assert_eq!(world.told(FIRST), "");
    assert_eq!(fs::read_to_string(world.root().join("count")).unwrap().lines().count(), 3);
    let seen = fs::read_to_string(world.root().join("seen.env")).unwrap();
    assert!(seen.contains("PATH=") && !seen.contains("CLAUDE") && !seen.contains("ANTHROPIC"));
    assert_eq!(world.home.failures(), Vec::<Value>::new());
}

#[test]
fn a_loop_that_never_passes_ends_at_its_cap_and_can_be_resumed() {
    let world = World::new();
    world.start(FIRST);
    world.run(&["loop", "start", "try", "--until", "false", "--max", "2", "--session", "5b9a"]);
    for round in 1..=2 {
        assert!(world.asked(FIRST).contains(&format!("round {round} of at most 2")), "{round}");
        world.read(FIRST);
    }
    let told = world.told(FIRST);
    assert!(told.contains("capped after 2 rounds") && told.contains("loop resume"), "{told}");
    let text = world.run(&["loop", "status"]);
    assert!(
        text.contains("capped, round 2 of at most 2") && text.contains("as often as it may"),
        "{text}"
    );
    world.run(&["loop", "resume"]);
    world.read(FIRST);
    assert!(world.asked(FIRST).contains("round 1 of at most 2"), "resumed");
    let text = world.run(&["loop", "stop"]);
    assert!(text.contains("Ended the loop “try” after 1 round."), "{text}");
    world.read(FIRST);
    assert_eq!(world.told(FIRST), "");
    assert_eq!(world.list("loop")[0]["state"], "stopped");
}

/// A loop whose gate is off asks nothing, is not told as in force, and is not recorded as proven.
#[test]
fn a_loop_whose_gate_is_off_is_recorded_as_such() {
    let world = World::new();
    world.start(FIRST);
    world.run(&["loop", "start", "sort the parts", "--until", "false"]);
    world.start(SECOND);
    let begins = || {
        let start = json!({"hook_event_name": "SessionStart", "source": "clear"});
        world.send(SECOND, &start).to_string()
    };
    assert!(world.asked(SECOND).contains("sort the parts"));
    assert!(begins().contains("sort the parts"));
    world.run(&["gate", "off"]);
    let told = begins();
    assert!(!told.contains("sort the parts") && !told.contains("in force now"), "{told}");
    world.read(SECOND);
    assert_eq!(world.told(SECOND), "");
    let query = "SELECT verdict, rules FROM decisions JOIN events ON events.id = event
        WHERE kind = 'stop' ORDER BY events.id DESC LIMIT 1";
    let row = world.home.query(query).pop().unwrap();
    assert_eq!(row["verdict"], "released", "{row}");
    assert!(row["rules"].as_str().unwrap().contains("a loop is open"), "{row}");
}

/// A loop that was proven at its first stop had no round.
#[test]
fn a_loop_without_a_round_is_said_to_be_proven_before_its_first() {
    let world = World::new();
    world.start(FIRST);
    world.run(&["loop", "start", "t", "--until", "true", "--session", "5b9a"]);
    world.told(FIRST);
    let text = world.run(&["loop", "status"]);
    assert!(text.contains(": proven, before its first round"), "{text}");
}

#[test]
fn a_program_that_is_missing_is_told_for_both_kinds_of_conditions() {
    let world = World::new();
    world.start(FIRST);
    for condition in [["--until", "nosuchprog x | cat"], ["--until-seen", "nosuchprog x"]] {
        let text = world.run(&["loop", "start", "t", condition[0], condition[1]]);
        assert!(
            text.contains("`nosuchprog`, the first word of the command, is not found"),
            "{text}"
        );
        world.run(&["loop", "stop"]);
    }
}

#[test]
fn another_session_in_the_same_directory_is_never_held() {
    let world = World::new();
    world.start(FIRST);
    world.run(&["hold", "on", "write more tests"]);
    world.run(&["loop", "start", "t", "--until", "false"]);
    world.start(SECOND);
    // The one that was there before has neither; the next one has both, and nobody after it.
    assert_eq!(world.told(FIRST), "");
    let text = world.asked(SECOND);
    assert!(text.contains("[hold]") && text.contains("[loop]"), "{text}");
    world.start("33333333-4f0f-4d6b-9a61-0b1c7e8f1c33");
    assert_eq!(world.told("33333333-4f0f-4d6b-9a61-0b1c7e8f1c33"), "");
    world.read(FIRST);
    assert_eq!(world.told(FIRST), "");
    // A compaction and a resumed session change nothing.
    for source in ["compact", "resume"] {
        world.send(SECOND, &json!({"hook_event_name": "SessionStart", "source": source}));
        world.read(SECOND);
        assert!(world.asked(SECOND).contains("[loop]"), "{source}");
    }
    let text = world.run(&["hold", "off"]);
    assert!(text.contains("Ended the hold “write more tests”"), "{text}");
    world.read(SECOND);
    let text = world.asked(SECOND);
    assert!(text.contains("[loop]") && !text.contains("[hold]"), "{text}");
}

#[test]
fn an_agent_that_only_talks_is_let_go_until_the_next_prompt() {
    let world = World::new();
    world.start(FIRST);
    world.run(&["hold", "on", "--session", FIRST, "--max", "9"]);
    assert!(world.asked(FIRST).contains("keep working"), "the hold");
    let told = world.told(FIRST);
    assert!(told.contains("next prompt") && told.contains("windlass hold off"), "{told}");
    assert_eq!(world.list("hold")[0]["state"], "idle");
    for _ in 0..9 {
        assert_eq!(world.told(FIRST), "", "told once");
    }
    world.prompt(FIRST);
    assert!(world.asked(FIRST).contains("round 2 of at most 9"), "it goes on");
    assert_eq!(world.list("hold")[0]["state"], "open");
}

#[test]
fn a_command_that_is_seen_counts_after_the_last_edit() {
    let world = World::new();
    world.start(FIRST);
    let seen = ["loop", "start", "t", "--until-seen", "./frob --all", "--session", FIRST];
    world.run(&seen);
    assert!(world.asked(FIRST).contains("it was not seen yet"), "nothing ran");
    let verify = json!({"command": "./frob --all"});
    world.call(FIRST, "Bash", &verify, "Exit code 2\nbroken");
    assert!(world.asked(FIRST).contains("has not passed"), "it failed");
    world.call(FIRST, "Bash", &verify, "fine");
    assert!(world.told(FIRST).contains("proven"), "it passed");
}

#[test]
fn what_cannot_be_run_asks_nothing_and_is_told() {
    let cases = [
        ("no-such-program || exit 127", "cannot be run"),
        ("sleep 600; true", "did not end within 1 s"),
        ("sleep 600 & wait", "did not end within 1 s"),
    ];
    for (command, words) in cases {
        let world = World::new();
        world.settings("loops.timeout_s = 1\n");
        world.start(FIRST);
        world.run(&["loop", "start", "t", "--until", command, "--session", FIRST]);
        let told = world.told(FIRST);
        assert!(told.contains(words), "{command}: {told}");
        let [looped] = &world.list("loop")[..] else { panic!() };
        assert_eq!((&looped["state"], &looped["rounds"]), (&json!("open"), &json!(0)));
        assert_eq!(looped["iterations"][0]["outcome"], "unknown");
        assert_eq!(world.home.failures(), Vec::<Value>::new());
    }
}

#[test]
fn a_command_that_talks_much_or_leaves_others_behind_is_heard_to_its_end() {
    let cases = [
        ("head -c 1000000000 /dev/zero | tr '\\0' x; echo; echo the end; exit 3", "the end"),
        ("sleep 600 & echo left one; exit 3", "left one"),
        ("yes & echo left a loud one; exit 3", "y"),
    ];
    for (command, words) in cases {
        let world = World::new();
        world.start(FIRST);
        world.run(&["loop", "start", "t", "--until", command, "--session", FIRST]);
        let text = world.asked(FIRST);
        assert!(text.contains(words) && text.contains("exits with 3"), "{command}: {text}");
        assert!(text.chars().count() <= 1500, "{command}");
        assert_eq!(world.home.failures(), Vec::<Value>::new());
    }
}

/// Somebody holds the store: the agent is not disturbed, and the loop goes on later.
#[test]
fn a_store_that_is_locked_is_silence_and_a_record() {
    let world = World::new();
    world.start(FIRST);
    world.run(&["loop", "start", "t", "--until", "false", "--session", FIRST]);
    let store = Connection::open(world.home.data().join("store.db")).unwrap();
    store.execute_batch("BEGIN EXCLUSIVE").unwrap();
    assert_eq!(world.stop(FIRST), Value::Null);
    assert_eq!(world.home.failures().len(), 1);
    store.execute_batch("ROLLBACK").unwrap();
    assert!(world.asked(FIRST).contains("[loop]"), "it goes on");
}

/// The command may use windlass itself, and others may write while it runs.
#[test]
fn what_is_open_is_shown_while_another_process_writes() {
    let world = World::new();
    world.start(FIRST);
    world.run(&["hold", "on", "the release is not out", "--session", FIRST]);
    let writer = Connection::open(world.home.data().join("store.db")).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    for gate in ["hold", "loop"] {
        let output = world.outside(&[gate, "status"]);
        let warning = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(warning.contains("newest events may be missing"), "{warning}");
        assert_eq!(said(&output, 0).contains("the release is not out"), gate == "hold");
    }
    assert_eq!(world.list("hold")[0]["state"], "open");
    world.fails(&["hold", "off"], "another process is writing");
}

#[test]
fn nobody_waits_for_the_store_while_a_command_runs() {
    let world = World::new();
    world.start(FIRST);
    let known = "The store is free while the command of a loop runs.";
    let command = format!("{} remember '{known}' && exit 4", binary().display());
    world.run(&["loop", "start", "t", "--until", &command, "--session", FIRST]);
    let text = world.asked(FIRST);
    assert!(text.contains("exits with 4"), "{text}");
    assert_eq!(world.home.query("SELECT title FROM memories").len(), 1);
}

/// A client that runs hooks and commands: a shell with its name. What it runs has the variables
/// that the client sets.
struct ClientShell<'a> {
    world: &'a World,
    program: PathBuf,
}

impl<'a> ClientShell<'a> {
    fn new(world: &'a World) -> Self {
        let program = world.home.path().join("claude");
        copy_program(Path::new("/bin/sh"), &program);
        Self { world, program }
    }

    /// Runs a script in a client whose first prompt is in a session, and returns what it said.
    /// `$W` is windlass.
    fn runs(&self, session: &str, script: &str) -> String {
        let payload = json!({"session_id": session, "hook_event_name": "UserPromptSubmit",
            "prompt": "go on", "cwd": self.world.root(), "prompt_id": next_id("p")});
        let prepare = "export CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=$S; echo \"$P\" | \"$W\" hook";
        let mut command = Command::new(&self.program);
        command.args(["-c", &format!("{prepare}; {script}; exit 0")]).env_clear();
        command.env("HOME", self.world.home.path()).env("PATH", "/usr/bin:/bin");
        command.env("W", binary()).env("S", session).env("P", payload.to_string());
        let output = command.current_dir(self.world.root()).stdin(Stdio::null()).output().unwrap();
        said(&output, 0)
    }
}

const START: &str = "\"$W\" loop start t --until-seen 'make check'";

#[test]
fn an_agent_starts_loops_for_itself_and_ends_its_own() {
    let world = World::new();
    let client = ClientShell::new(&world);
    // What windlass runs is what the user gave.
    let text = client.runs(FIRST, "\"$W\" loop start t --until false");
    assert!(
        text.contains("could not let windlass run the command of this loop")
            && text.contains("--until-seen")
    );
    let text = client.runs(FIRST, &format!("{START}; \"$W\" loop status"));
    assert!(text.contains("belongs to the session 5b9a4a3e"), "{text}");
    assert!(text.contains("started by the agent of session 5b9a4a3e"), "{text}");
    let asked = world.asked(FIRST);
    for words in ["The agent's own loop", "You started this loop yourself", "`windlass loop stop`"]
    {
        assert!(asked.contains(words), "{words}: {asked}");
    }
    assert!(!asked.contains("user's loop") && !asked.contains("not yours"), "{asked}");
    let [looped] = &world.list("loop")[..] else { panic!() };
    assert_eq!((&looped["author"], &looped["author_session"]), (&json!("agent"), &json!(FIRST)));
    assert!(world.run(&["status"]).contains("loop 1/25 (the agent's own)"));

    let text = client.runs(FIRST, "\"$W\" loop stop; \"$W\" loop resume");
    assert!(text.contains("Ended the loop “t” after 1 round"), "{text}");
    assert!(text.contains("run `windlass loop resume` in your own terminal"), "{text}");
    let [looped] = &world.list("loop")[..] else { panic!() };
    assert_eq!(looped["why"], "the agent that started it ended it");
    assert_eq!(world.told(FIRST), "");
    // What the user lets go on is the user's from then on.
    world.run(&["loop", "resume", "--session", FIRST]);
    assert_eq!(world.list("loop")[0]["author"], "user");
    world.read(FIRST);
    assert!(world.asked(FIRST).contains("The user's loop is open"));
}

#[test]
fn an_agent_ends_nothing_of_the_user_and_nothing_of_others() {
    let world = World::new();
    let client = ClientShell::new(&world);
    world.start(SECOND);
    client.runs(SECOND, START);
    client.runs(FIRST, "true");
    world.run(&["hold", "on", "stay", "--session", FIRST]);
    let text = client.runs(FIRST, "\"$W\" hold off; \"$W\" loop stop");
    assert!(text.contains("run `windlass hold off` in your own terminal"), "{text}");
    assert!(text.contains("No loop of this session is open"), "{text}");
    let text = client.runs(FIRST, "\"$W\" loop stop 1 2>&1");
    assert!(text.contains("the loop `1` belongs to session 7777"), "{text}");
    assert!(world.asked(FIRST).contains("The user wants the work to go on"));
    assert!(world.asked(SECOND).contains("You started this loop"));
    let text = client.runs(FIRST, "\"$W\" hold on mine");
    assert!(text.contains("a second hold"), "{text}");
}

/// Whatever names another session: the client above a command tells which one is its own.
#[test]
fn an_agent_starts_nothing_for_another_session() {
    let world = World::new();
    let client = ClientShell::new(&world);
    client.runs(SECOND, "true");
    let other = format!("CLAUDE_CODE_SESSION_ID={SECOND}");
    for script in [
        format!("{other} {START}"),
        format!("export {other}; {START}"),
        format!("env {other} sh -c '{}; true'", START.replace('\'', "\"")),
        format!("exec env {other} \"$W\" hold on"),
        format!("env {other} CLAUDE_PID=1 \"$W\" hold on --session {SECOND}"),
        format!("env {other} \"$W\" loop stop"),
    ] {
        let mut text = client.runs(FIRST, &format!("({script}) 2>&1"));
        text.make_ascii_lowercase();
        assert!(text.contains("does not run it") && text.contains("hint: "), "{script}: {text}");
    }
    let text = client.runs(FIRST, &format!("{START} --session 7777"));
    assert!(text.contains("another session"), "{text}");
    let text = client.runs(FIRST, &format!("CLAUDE_CODE_SESSION_ID=unknown-session {START}"));
    assert!(text.contains("is not on record"), "{text}");
    assert_eq!(world.list("loop"), Vec::<Value>::new());
    assert_eq!(world.list("hold"), Vec::<Value>::new());
    // Without the variable it is the session whose prompt the client took last.
    client.runs(FIRST, &format!("unset CLAUDE_CODE_SESSION_ID; {START}"));
    assert_eq!(world.list("loop")[0]["session"], FIRST);
    // A command that no client stands above.
    let mut command = world.command(&["hold", "on"]);
    command.env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", SECOND);
    assert!(said(&command.output().unwrap(), 1).contains("does not run it"));
}

/// A client that still runs keeps its session, whatever another one reports.
#[test]
fn a_session_stays_with_the_client_that_runs_it() {
    let world = World::new();
    let client = ClientShell::new(&world);
    let ready = world.home.path().join("ready");
    let done = world.home.path().join("done");
    let wait =
        format!("touch {}; until test -f {}; do sleep 0.05; done", ready.display(), done.display());
    std::thread::scope(|scope| {
        let first = scope.spawn(|| client.runs(SECOND, &wait));
        while !ready.exists() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let text = client.runs(SECOND, START);
        fs::write(&done, "").unwrap();
        first.join().unwrap();
        assert!(text.contains("does not run it"), "{text}");
    });
    assert!(client.runs(SECOND, START).contains("belongs to the session"));
}

#[test]
fn what_cannot_be_started_is_refused_with_a_hint() {
    let world = World::new();
    world.start(FIRST);
    let start = ["loop", "start", "t", "--until", "false"];
    world.fails(&["loop", "resume"], "could go on");
    world.fails(&["loop", "start", "t", "--until", "false", "--session", "nobody"], "on record");
    world.run(&start);
    world.fails(&start, "a second loop");
    let text = said(&outside(world.home.path(), world.home.path(), &start), 1);
    assert!(text.contains("find a project") && text.contains("--session"), "{text}");
    world.send(FIRST, &json!({"hook_event_name": "SessionEnd", "reason": "logout"}));
    world.fails(&["hold", "on", "--session", FIRST], "which is over");
    let secret = format!("curl -H 'Authorization: Bearer ghp_{}' x", "a1B2c3D4e5F6".repeat(3));
    let long = "x".repeat(501);
    let wrong = [
        vec!["loop", "start", &long, "--until", "false"],
        vec!["hold", "on", &long],
        vec!["loop", "start", "t", "--until-seen", "a", "--times", "3"],
        vec!["loop", "stop", "99"],
        vec!["hold", "off", "99"],
        vec!["loop", "start", "t", "--until", &secret],
        vec!["loop", "start", "t", "--until-seen", "make && make check"],
        vec!["loop", "start", "t"],
        vec!["loop", "start", "t", "--until", "a", "--until-seen", "b"],
        vec!["loop", "start", "", "--until", "a"],
    ];
    for arguments in wrong {
        said(&world.outside(&arguments), 2);
    }
    assert!(
        !fs::read(world.home.data().join("store.db")).unwrap().windows(4).any(|it| it == b"ghp_")
    );
}

#[test]
fn the_status_and_the_status_line_show_what_is_open() {
    let world = World::new();
    world.start(FIRST);
    world.run(&["loop", "start", "make it fast", "--until", "false", "--session", FIRST]);
    world.asked(FIRST);
    let text = world.run(&["status"]);
    assert!(text.contains("Open: loop 1/25, session 5b9a4a3e: “make it fast”."), "{text}");
    let overview: Value = serde_json::from_str(&world.run(&["status", "--json"])).unwrap();
    assert_eq!(overview["loops"][0]["task"], "make it fast");
    let line = feed(
        &mut world.command(&["statusline"]),
        format!("{{\"session_id\":\"{FIRST}\"}}").as_bytes(),
    );
    let line = String::from_utf8(line.stdout).unwrap();
    assert!(line.starts_with("windlass loop 1/25 · "), "{line}");
}

#[test]
fn a_loop_is_the_projects_in_every_worktree() {
    let world = World::new();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=n", "-c", "user.email=e"]).args(arguments);
        let output = command.current_dir(world.root()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    fs::remove_dir_all(world.root().join(".git")).unwrap();
    git(&["init", "-q"]);
    git(&["commit", "-q", "--allow-empty", "-m", "first"]);
    git(&["worktree", "add", "-q", "../tree"]);
    world.run(&["loop", "start", "t", "--until", "pwd; false"]);
    let tree = world.home.path().join("tree");
    let send = |event: &Value| {
        let mut event = event.clone();
        event["cwd"] = json!(tree);
        world.send(FIRST, &event)
    };
    send(&json!({"hook_event_name": "SessionStart", "source": "startup"}));
    let stop = json!({"hook_event_name": "Stop", "last_assistant_message": "Done."});
    let text = send(&stop)["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned();
    // It is tried where the session is at work.
    assert!(text.contains(tree.to_str().unwrap()), "{text}");
    assert!(world.run(&["loop", "stop"]).contains("Ended the loop"));
}

/// An agent in the home directory is in no project, and its user can end what holds it all the same.
#[test]
fn what_holds_a_session_without_a_project_is_shown_and_ended() {
    let world = World::new();
    let at_home = |event: &Value| {
        let mut event = event.clone();
        event["cwd"] = json!(world.home.path());
        world.send(FIRST, &event)
    };
    let run =
        |arguments: &[&str]| said(&outside(world.home.path(), world.home.path(), arguments), 0);
    let stop = json!({"hook_event_name": "Stop", "last_assistant_message": "Done."});
    at_home(&json!({"hook_event_name": "SessionStart", "source": "startup"}));
    for (start, gate, end) in [
        (&["hold", "on", "tidy up", "--session", FIRST][..], "hold", "off"),
        (&["loop", "start", "tidy up", "--until", "false", "--session", FIRST], "loop", "stop"),
    ] {
        run(start);
        at_home(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on",
            "prompt_id": next_id("p")}));
        let answer = at_home(&stop);
        assert!(answer.to_string().contains(&format!("[{gate}]")), "{answer}");
        let text = run(&[gate, "status"]);
        assert!(text.contains("“tidy up”: open, round 1 of"), "{text}");
        assert_eq!(world.list(gate), Vec::<Value>::new(), "a project has its own");
        let text = run(&[gate, end]);
        assert!(text.contains(&format!("Ended the {gate} “tidy up” after 1 round.")), "{text}");
        assert_eq!(at_home(&stop), Value::Null);
    }
    assert!(run(&["loop", "resume"]).contains("It belongs to the session 5b9a4a3e"));
    run(&["loop", "stop"]);
    // No next session of no project could take it.
    at_home(&json!({"hook_event_name": "SessionEnd", "reason": "logout"}));
    let resume = ["loop", "resume"];
    let text = said(&outside(world.home.path(), world.home.path(), &resume), 1);
    assert!(text.contains("find a project"), "{text}");
}

#[test]
fn the_commands_of_the_guide_do_what_it_says() {
    let world = World::new();
    world.run(&["loop", "start", "make the parser fast", "--until", "sh bench/check.sh"]);
    world.run(&["loop", "stop"]);
    let seen = "cargo test --workspace";
    world.run(&["loop", "start", "port the module", "--until-seen", seen, "--minutes", "90"]);
    world.run(&["hold", "on", "look for what is untested"]);
    let [open, stopped] = &world.list("loop")[..] else { panic!() };
    assert_eq!((&open["state"], &open["minutes"]), (&json!("waiting"), &json!(90)));
    assert_eq!((&open["until_seen"], &open["max"]), (&json!(seen), &json!(25)));
    assert_eq!(
        (&stopped["state"], &stopped["until"]),
        (&json!("stopped"), &json!("sh bench/check.sh"))
    );
    assert_eq!(
        (&world.list("hold")[0]["max"], &world.list("hold")[0]["task"]),
        (&json!(100), &json!("look for what is untested"))
    );
    world.run(&["hold", "off"]);
    assert_eq!(world.list("hold")[0]["state"], "stopped");
    let text = world.run(&["loop", "status"]);
    assert!(text.contains("“port the module”: waiting, no round yet, at most 25"), "{text}");
    assert!(text.contains("at most 90 minutes"), "{text}");
}

/// What the user wants is needed while a loop is open, and not after it.
#[test]
fn where_no_words_are_kept_those_of_a_loop_are_not() {
    let world = World::new();
    world.settings("ledger.texts = false\n");
    world.script("echo unspeakable; test -e done");
    world.start(FIRST);
    let task = "an unspeakable task";
    world.run(&["loop", "start", task, "--session", FIRST, "--until", "./check.sh"]);
    world.read(FIRST);
    assert!(world.asked(FIRST).contains(task));
    assert_eq!(world.home.columns_with("unspeakable"), ["loops.task"]);
    fs::write(world.root().join("done"), "").unwrap();
    world.read(FIRST);
    world.stop(FIRST);
    assert_eq!(world.list("loop")[0]["state"], "proven");
    assert_eq!(world.home.columns_with("unspeakable"), [""; 0]);
    // Nor are those of one that the user ends.
    world.run(&["hold", "on", "unspeakable", "--session", FIRST]);
    assert_eq!(world.home.columns_with("unspeakable"), ["loops.task"]);
    world.run(&["hold", "off"]);
    assert_eq!(world.home.columns_with("unspeakable"), [""; 0]);
}

/// The verdict that the ledger has of the last stop.
fn last_verdict(world: &World) -> String {
    let store = Connection::open(world.home.data().join("store.db")).unwrap();
    let find = "SELECT verdict FROM decisions ORDER BY event DESC LIMIT 1";
    store.query_row(find, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_limit_is_recorded_as_capped() {
    let world = World::new();
    world.start(FIRST);
    world.run(&["loop", "start", "t", "--until", "false", "--max", "1", "--session", FIRST]);
    world.asked(FIRST);
    world.read(FIRST);
    world.told(FIRST);
    assert_eq!(last_verdict(&world), "capped");
}

#[test]
fn a_command_that_is_seen_counts_in_the_directory_of_the_session_and_as_itself() {
    let world = World::new();
    world.start(FIRST);
    world.run(&["loop", "start", "t", "--until-seen", "./frob --all", "--session", FIRST]);
    for (line, words) in [
        ("cd sub && ./frob --all", "it was run in "),
        ("FROB_SKIP=1 ./frob --all", "not by itself"),
        ("PATH=/tmp/fake:$PATH ./frob --all", "has not passed"),
        ("git stash; ./frob --all; git stash pop", "has not passed"),
    ] {
        world.call(FIRST, "Bash", &json!({"command": line}), "fine");
        let text = world.asked(FIRST);
        assert!(text.contains(words), "{line}: {text}");
    }
    world.call(FIRST, "Bash", &json!({"command": "./frob --all"}), "fine");
    assert!(world.told(FIRST).contains("proven"));
}

#[test]
fn the_same_failure_ends_a_loop_as_stuck_and_the_user_reads_its_last_lines() {
    let world = World::new();
    world.settings("loops.same_failures = 3\n");
    world.script("echo one; echo 'E17: no route'; exit 4\n");
    world.start(FIRST);
    world.run(&["loop", "start", "t", "--until", "sh check.sh", "--session", FIRST]);
    for _ in 0..2 {
        world.asked(FIRST);
        world.read(FIRST);
    }
    let told = world.told(FIRST);
    for words in ["stuck after 2 rounds", "same failure 3 times", "E17: no route", "loop resume"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert_eq!(
        (world.list("loop")[0]["state"].clone(), last_verdict(&world)),
        (json!("stuck"), "capped".to_owned())
    );
    // It begins to count anew, and an option says another number.
    world.run(&["loop", "resume"]);
    world.read(FIRST);
    world.asked(FIRST);
    world.run(&["loop", "stop"]);
    let start = ["loop", "start", "t", "--until", "sh check.sh", "--same-failures", "0"];
    world.run(&[&start[..], &["--session", FIRST]].concat());
    for _ in 0..6 {
        world.read(FIRST);
        world.asked(FIRST);
    }
}

#[test]
fn a_program_that_is_missing_is_told_when_a_loop_is_started() {
    let world = World::new();
    for command in ["no-such-program --all", "./missing.sh", "timeout 60 no-such-program"] {
        let text = said(&world.outside(&["loop", "start", "t", "--until", command]), 2);
        assert!(text.contains("there is no such program") && text.contains("\nhint: "), "{text}");
    }
    assert_eq!(world.list("loop"), Vec::<Value>::new());
    let warns = |command: &str, words: &str| {
        let output = world.outside(&["loop", "start", "t", "--until", command]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && text.contains("warning: "), "{command}: {text}");
        assert!(text.contains(words), "{command}: {text}");
        world.run(&["loop", "stop"]);
    };
    warns("no-such-program && true", "`no-such-program`, the first word");
    warns("sh later.sh", "later.sh is not there yet");
    for command in ["cd /tmp && nosuch", "sh -c \"nosuch\"", "true; nosuch", "(nosuch)"] {
        warns(command, "`nosuch`");
    }
    for command in ["test -e done", "cd /tmp && true", "if true; then false; fi", "! grep x y"] {
        let output = world.outside(&["loop", "start", "t", "--until", command]);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command}");
        world.run(&["loop", "stop"]);
    }
}

#[test]
fn a_script_that_the_agent_changed_proves_nothing_until_the_user_confirms_it() {
    let world = World::new();
    world.script("exit 1\n");
    world.start(FIRST);
    world.run(&["loop", "start", "t", "--until", "./check.sh", "--session", FIRST]);
    world.script("#!/bin/sh\nexit 0\n");
    world.read(FIRST);
    let told = world.told(FIRST);
    assert!(told.contains("`check.sh` changed") && told.contains("loop confirm 1"), "{told}");
    assert_eq!(
        (world.list("loop")[0]["state"].clone(), last_verdict(&world)),
        (json!("open"), "capped".to_owned())
    );
    // Only the user can.
    let client = ClientShell::new(&world);
    assert!(client.runs(FIRST, "\"$W\" loop confirm").contains("only you may run this"));
    let text = world.run(&["loop", "confirm"]);
    assert!(text.contains("Confirmed check.sh for the loop “t”"), "{text}");
    let (before, _) = text.split_once("Confirmed").unwrap();
    assert!(before.contains("check.sh changed. windlass cannot show the difference"), "{text}");
    world.read(FIRST);
    assert!(world.told(FIRST).contains("proven"));
    assert!(said(&world.outside(&["loop", "confirm"]), 1).contains("open loop"));
}

/// A loop whose task is the file that decides what its command does.
#[test]
fn a_command_that_is_seen_with_a_changed_task_file_waits_for_the_user() {
    let world = World::new();
    let file = world.root().join("Makefile");
    let (before, after) = ("check:\n\tfalse\n", "check:\n\ttrue\n");
    fs::write(&file, before).unwrap();
    world.start(FIRST);
    let start = ["loop", "start", "t", "--until-seen", "make check", "--session", FIRST];
    world.run(&start);
    let edit = |old: &str, new: &str| {
        fs::write(&file, new).unwrap();
        let edit = json!({"file_path": file, "old_string": old, "new_string": new});
        world.call(FIRST, "Edit", &edit, "The file has been updated successfully.");
        world.call(FIRST, "Bash", &json!({"command": "make check"}), "true");
    };
    edit(before, after);
    let told = world.told(FIRST);
    assert!(told.contains("`Makefile` changed since you gave it"), "{told}");
    assert!(told.contains("loop confirm 1"), "{told}");
    assert_eq!(world.list("loop")[0]["rounds"], json!(0));
    // As it was, the pass counts.
    edit(after, before);
    assert!(world.told(FIRST).contains("proven"), "it is as it was");
    world.run(&start);
    edit(before, after);
    assert!(world.told(FIRST).contains("`Makefile` changed"), "it changed again");
    let text = world.run(&["loop", "confirm"]);
    assert!(text.contains("Makefile changed") && text.contains("Confirmed"), "{text}");
    world.read(FIRST);
    assert!(world.told(FIRST).contains("proven"), "the user has confirmed it");
}

/// The agent writes while the user reads: what was not shown is not accepted.
#[test]
fn a_script_that_changes_while_the_user_looks_is_not_accepted() {
    for (name, before, after) in [
        ("check.sh", "#!/bin/sh\nexit 0\n", "#!/bin/sh\nexit 0 # other\n"),
        ("Makefile", "check:\n\ttrue\n", "check:\n\ttrue # other\n"),
    ] {
        let world = World::new();
        world.script("exit 1\n");
        let file = world.root().join(name);
        world.start(FIRST);
        let start = ["loop", "start", "t", "--until", "make check; ./check.sh", "--session", FIRST];
        world.run(&start);
        world.script("#!/bin/sh\nexit 0\n");
        fs::write(&file, before).unwrap();
        let mut command = Command::new(binary());
        command.args(["loop", "confirm"]).env("HOME", world.home.path());
        command.current_dir(world.root());
        let mut terminal = UserTerminal::open(&command, UserOutput::Screen);
        let code = terminal.code();
        fs::write(&file, after).unwrap();
        terminal.type_line(&code);
        let (_, screen, status) = terminal.end();
        assert_eq!(status, 1, "{screen}");
        assert!(screen.contains("accept 1 changed file of the loop"), "{screen}");
        assert!(screen.contains(&format!("{name} changed while you looked")), "{screen}");
        // Looked at again, it is accepted.
        assert!(world.run(&["loop", "confirm"]).contains("Confirmed check.sh"), "{name}");
    }
}

#[test]
fn where_nothing_changed_there_is_nothing_to_confirm() {
    let world = World::new();
    world.script("exit 1\n");
    fs::write(world.root().join("Makefile"), "check:\n\ttrue\n").unwrap();
    world.start(FIRST);
    let start = ["loop", "start", "t", "--until", "make check; ./check.sh", "--session", FIRST];
    world.run(&start);
    world.fails(&["loop", "confirm"], "nothing to confirm");
    world.fails(&["loop", "confirm"], "to compare with: Makefile");
    // What the session edited is confirmed, whatever a commit says of it.
    let edit = json!({"file_path": world.root().join("Makefile"), "old_string": "check:\n\ttrue",
        "new_string": "check:\n\ttrue # as before"});
    world.call(FIRST, "Edit", &edit, "The file has been updated successfully.");
    let text = world.run(&["loop", "confirm"]);
    assert!(text.contains("Makefile was edited in the session"), "{text}");
    world.fails(&["loop", "confirm"], "nothing to confirm");
}

/// A script that was changed runs another one: both are shown.
#[test]
fn a_file_that_a_changed_script_begins_to_run_is_shown_too() {
    let world = World::new();
    world.script("exit 1\n");
    world.start(FIRST);
    world.run(&["loop", "start", "t", "--until", "./check.sh", "--session", FIRST]);
    world.script("#!/bin/sh\n. ./lib.sh\n");
    fs::write(world.root().join("lib.sh"), "exit 0 # easily\n").unwrap();
    let text = world.run(&["loop", "confirm"]);
    assert!(text.contains("lib.sh was no part of the command before"), "{text}");
    assert!(text.contains("+exit 0 # easily"), "{text}");
}

#[test]
fn a_script_behind_options_recipes_and_other_scripts_needs_the_word_of_the_user() {
    let write = |world: &World, name: &str, text: &str| {
        let file = world.root().join(name);
        write_program(&file, text);
    };
    for (command, files, edited) in [
        ("sh -o errexit check.sh", &[("check.sh", "exit 1\n")][..], "check.sh"),
        ("sh < check.sh", &[("check.sh", "exit 1\n")], "check.sh"),
        ("cat check.sh | sh", &[("check.sh", "exit 1\n")], "check.sh"),
        ("test \"$(./check.sh)\" = ok", &[("check.sh", "#!/bin/sh\necho no\n")], "check.sh"),
        (
            "env -u X timeout -s KILL 9 ./check.sh",
            &[("check.sh", "#!/bin/sh\nexit 1\n")],
            "check.sh",
        ),
        ("sh check.sh", &[("check.sh", ". ./lib.sh\n"), ("lib.sh", "exit 1\n")], "lib.sh"),
    ] {
        let world = World::new();
        for (name, text) in files {
            write(&world, name, text);
        }
        world.start(FIRST);
        world.run(&["loop", "start", "t", "--until", command, "--session", FIRST]);
        world.read(FIRST);
        world.asked(FIRST);
        write(&world, edited, "#!/bin/sh\necho ok\nexit 0\n");
        world.read(FIRST);
        let told = world.told(FIRST);
        assert!(told.contains(&format!("`{edited}` changed")), "{command}: {told}");
        world.run(&["loop", "confirm"]);
        world.read(FIRST);
        assert!(world.told(FIRST).contains("proven"), "{command}");
    }
}

/// The script is as it was, and what it runs is not.
#[test]
fn a_task_file_that_the_script_of_the_user_runs_needs_the_word_of_the_user() {
    let world = World::new();
    let file = world.root().join("package.json");
    let package =
        |test: &str| format!("{{\n  \"scripts\": {{\n    \"test\": \"{test}\"\n  }}\n}}\n");
    let script = world.root().join("ci.sh");
    fs::write(&file, package("exit 1")).unwrap();
    // Whether there is an npm here or not.
    write_program(&script, "#!/bin/sh\nnpm test 2>/dev/null\ngrep -q 'exit 0' package.json\n");
    world.start(FIRST);
    world.run(&["loop", "start", "t", "--until", "./ci.sh", "--session", FIRST]);
    fs::write(&file, package("exit 0")).unwrap();
    let edit = json!({"file_path": file, "old_string": "\"test\": \"exit 1\"",
        "new_string": "\"test\": \"exit 0\""});
    world.call(FIRST, "Edit", &edit, "The file has been updated successfully.");
    let told = world.told(FIRST);
    assert!(told.contains("`package.json` changed"), "{told}");
    assert_eq!(world.list("loop")[0]["state"], "open");
    world.run(&["loop", "confirm"]);
    world.read(FIRST);
    assert!(world.told(FIRST).contains("proven"));
}

#[test]
fn an_agent_ends_only_the_loop_that_it_names() {
    let world = World::new();
    let client = ClientShell::new(&world);
    client.runs(FIRST, START);
    let text = client.runs(FIRST, "\"$W\" loop stop 99 2>&1");
    assert!(text.contains("99"), "{text}");
    assert_eq!(world.list("loop")[0]["state"], "open");
    let text = client.runs(FIRST, "\"$W\" loop stop 1 2>&1");
    assert!(text.contains("Ended the loop"), "{text}");
}

#[test]
fn a_link_to_the_directory_of_a_loop_is_the_directory() {
    let world = World::new();
    let link = world.home.path().join("link");
    std::os::unix::fs::symlink(world.root(), &link).unwrap();
    world.start(FIRST);
    world.run(&["loop", "start", "t", "--until-seen", "make check", "--session", FIRST]);
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "make check"},
        "tool_use_id": "toolu_link", "tool_response": "ok"});
    let event = json!({"hook_event_name": "PostToolBatch", "tool_calls": [call], "cwd": link});
    world.send(FIRST, &event);
    let told = world.told(FIRST);
    assert!(told.contains("proven"), "{told}");
}

#[test]
fn a_flaky_condition_must_hold_as_often_as_the_user_says() {
    let world = World::new();
    world.script("echo x >> count; test $(wc -l < count) -ne 2\n");
    world.start(FIRST);
    let start =
        ["loop", "start", "t", "--until", "sh check.sh", "--times", "3", "--session", FIRST];
    world.run(&start);
    let text = world.asked(FIRST);
    assert!(text.contains("run 2 of 3 failed"), "{text}");
    world.read(FIRST);
    assert!(world.told(FIRST).contains("proven"));
    assert_eq!(fs::read_to_string(world.root().join("count")).unwrap().lines().count(), 5);
}

#[test]
fn a_question_during_a_loop_is_answered_and_not_sent_back() {
    let world = World::new();
    world.start(FIRST);
    world.run(&["loop", "start", "t", "--until", "false", "--session", FIRST]);
    world.asked(FIRST);
    let question = json!({"hook_event_name": "UserPromptSubmit", "prompt": "which port is it?"});
    world.send(FIRST, &question);
    world.read(FIRST);
    assert_eq!(world.told(FIRST), "");
    assert_eq!(
        (world.list("loop")[0]["state"].clone(), last_verdict(&world)),
        (json!("open"), "released".to_owned())
    );
    world.prompt(FIRST);
    assert!(world.asked(FIRST).contains("round 2"));
}

#[test]
fn of_several_loops_the_user_names_the_one_that_is_to_end() {
    let world = World::new();
    for session in [FIRST, SECOND] {
        world.start(session);
        world.run(&["loop", "start", session, "--until", "false", "--session", session]);
        world.run(&["hold", "on", session, "--session", session]);
    }
    for (gate, end) in [("loop", "stop"), ("hold", "off")] {
        let text = said(&world.outside(&[gate, end]), 2);
        for words in [FIRST, SECOND, &format!("windlass {gate} {end} ")[..], "session 5b9a4a3e"] {
            assert!(text.contains(words), "{words}: {text}");
        }
        assert!(world.list(gate).iter().all(|it| it["state"] == "open"));
        let id = world.list(gate)[0]["id"].to_string();
        assert!(world.run(&[gate, end, &id]).contains(SECOND));
        // With one left there is no doubt.
        assert!(world.run(&[gate, end]).contains(FIRST));
    }
    world.run(&["loop", "start", "by session", "--until", "false", "--session", FIRST]);
    assert!(world.run(&["loop", "stop", "5b9a"]).contains("by session"));
}

#[test]
fn a_text_that_is_too_long_is_refused_with_its_limit_and_kept_whole_below_it() {
    let world = World::new();
    world.start(FIRST);
    let text = said(&world.outside(&["hold", "on", &"ä".repeat(501)]), 2);
    assert!(text.contains("501 characters; at most 500"), "{text}");
    let whole = "ä".repeat(500);
    world.run(&["hold", "on", &whole, "--session", FIRST]);
    assert!(world.asked(FIRST).contains(&whole));
}

#[test]
fn with_a_damaged_store_the_agent_stops_and_the_user_is_told_once_in_a_session() {
    let world = World::new();
    world.start(FIRST);
    world.run(&["hold", "on", "stay", "--session", FIRST]);
    assert!(world.asked(FIRST).contains("stay"));
    let store = world.home.data().join("store.db");
    for beside in ["store.db-wal", "store.db-shm"] {
        let beside = world.home.data().join(beside);
        if beside.exists() {
            fs::remove_file(beside).unwrap();
        }
    }
    fs::write(&store, vec![0x5a; 65536]).unwrap();
    fs::set_permissions(&store, fs::Permissions::from_mode(0o600)).unwrap();
    for session in [FIRST, SECOND] {
        let told = world.told(session);
        assert!(told.contains("loops and holds of this session could not be read"), "{told}");
        assert!(told.contains("`windlass store check`"), "{told}");
        assert_eq!(world.stop(session), Value::Null, "told once");
    }
    assert_eq!(world.home.failures().len(), 4);
}
