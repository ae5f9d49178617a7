//! An agent that goes elsewhere: its stops are judged by the project in which its session began, and
//! what it edits in other working trees is part of its work.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Home, by_the_user, feed, next_id, write, write_program};

/// A home with a repository `p` and a session that begins in it, played by payloads.
struct World {
    home: Home,
    /// Where the agent is.
    cwd: PathBuf,
    session: &'static str,
    calls: usize,
}

const QUIET: &str = "gates.uncommitted.mode = \"off\"\ngates.leftovers.mode = \"off\"\n";

impl World {
    fn new() -> Self {
        let home = Home::new();
        repository(&home.path().join("p"));
        let mut world = Self { cwd: home.path().join("p"), home, session: "s-elsewhere", calls: 0 };
        world.user(QUIET);
        world.begin("p");
        world
    }

    fn user(&self, text: &str) {
        write(&self.at(".config/windlass/config.toml"), text.as_bytes());
    }

    fn at(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// A session begins in a directory, and the user asks for something.
    fn begin(&mut self, directory: &str) {
        self.cwd = self.at(directory);
        self.send(&json!({"hook_event_name": "SessionStart", "source": "startup"}));
        self.prompt();
    }

    fn prompt(&self) {
        self.send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "change it",
            "prompt_id": next_id("p")}));
    }

    fn send(&self, event: &Value) -> Value {
        let mut payload = json!({
            "session_id": self.session, "prompt_id": "p1", "cwd": self.cwd,
            "permission_mode": "default",
        });
        payload.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        let mut command = self.home.command();
        command.env("PATH", "/usr/bin:/bin");
        let output = feed(&mut command, payload.to_string().as_bytes());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        assert_eq!(self.home.failures(), Vec::<Value>::new());
        if output.stdout.is_empty() {
            return Value::Null;
        }
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn call(&mut self, name: &str, input: &Value, answer: &str) {
        self.calls += 1;
        let id = format!("toolu_{}", self.calls);
        let call = json!({"tool_name": name, "tool_input": input, "tool_use_id": id,
            "tool_response": answer});
        self.send(&json!({"hook_event_name": "PostToolBatch", "tool_calls": [call]}));
    }

    /// The agent writes a file.
    fn edit(&mut self, file: &str, text: &str) -> &mut Self {
        let file = self.at(file);
        write(&file, text.as_bytes());
        let input = json!({"file_path": file, "old_string": "", "new_string": text});
        self.call("Edit", &input, "The file has been updated successfully.");
        self
    }

    fn shell(&mut self, command: &str, answer: &str) -> &mut Self {
        self.call("Bash", &json!({"command": command}), answer);
        self
    }

    /// The agent makes a repository and goes there.
    fn go_to_new_repository(&mut self, directory: &str) -> &mut Self {
        repository(&self.at(directory));
        self.shell(&format!("git init {directory} && cd {directory}"), "Initialized");
        self.go_to(directory)
    }

    fn go_to(&mut self, directory: &str) -> &mut Self {
        self.cwd = self.at(directory);
        self
    }

    /// What the agent is asked at a stop; empty where it is not.
    fn stop(&self, message: &str) -> String {
        let answer = self.answer(message);
        answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
    }

    fn answer(&self, message: &str) -> Value {
        self.send(&json!({"hook_event_name": "Stop", "stop_hook_active": false,
            "last_assistant_message": message, "background_tasks": [], "session_crons": []}))
    }

    #[track_caller]
    fn gate(&self, directory: &str, word: &str) {
        let (said, code) = by_the_user(&self.home, &self.at(directory), &[], &["gate", word]);
        assert_eq!(code, 0, "{said}");
    }

    /// The user trusts the settings of a project as they are.
    fn trust(&self, directory: &str) {
        let root = self.at(directory);
        let run = |arguments: &[&str]| {
            let (said, code) = by_the_user(&self.home, &root, &[], arguments);
            assert_eq!(code, 0, "{said}");
            said
        };
        let shown: Value = serde_json::from_str(&run(&["trust", "--show", "--json"])).unwrap();
        run(&["trust", "--hash", shown["hash"].as_str().unwrap()]);
    }
}

fn git(directory: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=n", "-c", "user.email=e@x"]).args(arguments);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let output = command.current_dir(directory).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// A repository with one commit.
fn repository(path: &Path) {
    fs::create_dir_all(path).unwrap();
    git(path, &["init", "-q"]);
    write(&path.join("README"), b"one\n");
    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "one"]);
}

/// How an agent goes elsewhere.
type Way<'a> = &'a dyn Fn(&mut World);

const CLAIM: &str = "All tests pass.";

#[test]
fn a_claim_is_asked_for_wherever_the_agent_is_by_then() {
    let nested = |world: &mut World| {
        world.go_to_new_repository("p/sub");
    };
    let vendored = |world: &mut World| {
        repository(&world.at("p/vendor/lib"));
        world.go_to("p/vendor/lib");
    };
    let submodule = |world: &mut World| {
        repository(&world.at("lib"));
        let (p, lib) = (world.at("p"), world.at("lib"));
        let add = ["-c", "protocol.file.allow=always", "submodule", "-q", "add"];
        git(&p, &[&add[..], &[lib.to_str().unwrap(), "lib"]].concat());
        world.go_to("p/lib");
    };
    let worktree = |world: &mut World| {
        git(&world.at("p"), &["worktree", "add", "-q", "../wt"]);
        world.go_to("wt");
    };
    let other = |world: &mut World| {
        world.go_to_new_repository("other");
    };
    let plain = |world: &mut World| {
        fs::create_dir_all(world.at("plain")).unwrap();
        world.go_to("plain");
    };
    let home = |world: &mut World| {
        world.go_to("");
    };
    let ways: [(&str, Way<'_>); 7] = [
        ("nested", &nested),
        ("vendored", &vendored),
        ("submodule", &submodule),
        ("worktree", &worktree),
        ("other", &other),
        ("plain", &plain),
        ("home", &home),
    ];
    for (name, go) in ways {
        let mut world = World::new();
        world.edit("p/src/parser.rs", "fn a() {}\n");
        go(&mut world);
        let asked = world.stop(CLAIM);
        assert!(asked.contains("[proof]") && asked.contains("src/parser.rs"), "{name}: {asked}");
    }
}

#[test]
fn checks_of_the_sessions_project_run_wherever_the_agent_is() {
    for directory in ["p/sub", "other"] {
        let mut world = World::new();
        let program = world.at("check.sh");
        write_program(&program, "#!/bin/sh\npwd\nexit 1\n");
        let settings = format!("[checks.unit]\ncommand = [\"{}\"]\n", program.display());
        write(&world.at("p/.windlass.toml"), settings.as_bytes());
        world.trust("p");
        world.edit("p/src/parser.rs", "fn a() {}\n").go_to_new_repository(directory);
        let asked = world.stop("The parser is changed.");
        assert!(asked.contains("[checks]") && asked.contains("`unit` failed"), "{asked}");
        // It ran in the session's project.
        assert!(asked.contains(world.at("p").to_str().unwrap()), "{asked}");
    }
}

#[test]
fn checks_run_in_every_worktree_that_holds_changes() {
    for directory in ["wt", "p/.claude/worktrees/x"] {
        let mut world = World::new();
        let path = world.at(directory);
        git(&world.at("p"), &["worktree", "add", "-q", "--detach", path.to_str().unwrap()]);
        let check = "[checks.unit]\ncommand = [\"/bin/sh\", \"-c\", \"! grep -rq broken src\"]\n";
        world.user(&format!("{QUIET}{check}"));
        world.edit("p/src/parser.rs", "fn a() {}\n");
        world.edit(&format!("{directory}/src/parser.rs"), "fn broken() {}\n");
        let asked = world.stop("Done.");
        assert!(asked.contains("`unit` failed") && asked.contains(directory), "{asked}");
        world.edit(&format!("{directory}/src/parser.rs"), "fn whole() {}\n");
        assert_eq!(world.stop("Done."), "", "{directory}");
    }
}

#[test]
fn checks_run_for_files_of_a_repository_inside_of_the_project() {
    let mut world = World::new();
    let check = "[checks.unit]\ncommand = [\"/bin/false\"]\n";
    world.user(&format!("{QUIET}{check}"));
    world.go_to_new_repository("p/sub").edit("p/sub/src/a.rs", "fn a() {}\n");
    let asked = world.stop("Done.");
    assert!(asked.contains("[checks]") && asked.contains("`unit` failed"), "{asked}");
}

#[test]
fn an_edit_in_another_working_tree_needs_proof_and_the_ask_names_its_directory() {
    for directory in ["wt", "other", "p/.claude/worktrees/x"] {
        let mut world = World::new();
        if directory == "other" {
            repository(&world.at(directory));
        } else {
            let path = world.at(directory);
            git(&world.at("p"), &["worktree", "add", "-q", "--detach", path.to_str().unwrap()]);
        }
        let file = format!("{directory}/src/parser.rs");
        world.edit(&file, "fn a() {}\n");
        let asked = world.stop(CLAIM);
        let named = asked.contains(file.trim_start_matches("p/"));
        assert!(asked.contains("[proof]") && named, "{directory}: {asked}");
        // A run there proves it.
        world.shell(
            &format!("cd {} && cargo test", world.at(directory).display()),
            "test result: ok. 3 passed; 0 failed; 0 ignored",
        );
        assert_eq!(world.stop(CLAIM), "", "{directory}");
    }
}

/// A working tree may begin behind a name with a dot. What tools keep there is nobody's work.
#[test]
fn an_edit_in_a_working_tree_behind_a_dot_needs_proof() {
    let trees = [".worktrees/wt", ".wt", ".trees/feature", ".git-worktrees/x", ".tmp/wt"];
    for (tree, is_clone) in trees.into_iter().flat_map(|it| [(it, false), (it, true)]) {
        let is_scratch = is_clone && tree.starts_with(".tmp");
        for is_inside in [false, true] {
            let mut world = World::new();
            let directory = format!("p/{tree}");
            let path = world.at(&directory);
            if is_clone {
                repository(&path);
            } else {
                git(&world.at("p"), &["worktree", "add", "-q", "--detach", path.to_str().unwrap()]);
            }
            if is_inside {
                world.go_to(&directory);
            }
            world.edit(&format!("{directory}/src/parser.rs"), "fn a() {}\n");
            let asked = world.stop(CLAIM);
            assert_eq!(asked.contains("[proof]"), !is_scratch, "{tree} {is_clone} {is_inside}");
            world.shell(
                &format!("cd {} && cargo test", path.display()),
                "test result: ok. 3 passed; 0 failed; 0 ignored",
            );
            assert_eq!(world.stop(CLAIM), "", "{tree} {is_clone} {is_inside}");
        }
    }
    for tree in [".venv/src/lib", ".cache/lib", ".tox/py/lib", ".next/lib", ".gradle/lib"] {
        let mut world = World::new();
        repository(&world.at(&format!("p/{tree}")));
        world.edit(&format!("p/{tree}/src/parser.rs"), "fn a() {}\n");
        assert_eq!(world.stop(CLAIM), "", "{tree}");
    }
    let mut world = World::new();
    world.edit("p/.config/app.rs", "fn a() {}\n");
    assert_eq!(world.stop(CLAIM), "");
}

/// What belongs to no repository is the agent's or the user's own business.
/// A link to the project, or to another working tree, is another name for the same files.
#[test]
fn an_edit_through_a_link_needs_proof() {
    for (begin, edit, stop) in [
        ("p", "link/src/parser.rs", "p"),
        ("link", "link/src/parser.rs", "q"),
        ("link", "p/src/parser.rs", "q"),
        ("p", "other-link/src/parser.rs", "p"),
    ] {
        let mut world = World::new();
        repository(&world.at("q"));
        std::os::unix::fs::symlink(world.at("p"), world.at("link")).unwrap();
        std::os::unix::fs::symlink(world.at("q"), world.at("other-link")).unwrap();
        world.session = "s-link";
        world.begin(begin);
        world.edit(edit, "fn a() {}\n").go_to(stop);
        assert!(world.stop(CLAIM).contains("parser.rs"), "{begin} {edit} {stop}");
    }
}

#[test]
fn a_file_outside_of_every_repository_needs_no_proof() {
    let mut world = World::new();
    world.edit("notes/plan.py", "x = 1\n").edit(".config/tool/init.lua", "x = 1\n");
    assert_eq!(world.stop(CLAIM), "");
}

#[test]
fn a_failed_run_in_another_working_tree_is_asked_for() {
    let mut world = World::new();
    git(&world.at("p"), &["worktree", "add", "-q", "../wt"]);
    world.edit("wt/src/parser.rs", "fn a() {}\n");
    let command = format!("cd {} && cargo test", world.at("wt").display());
    world.shell(&command, "Exit code 101\ntest result: FAILED. 1 passed; 1 failed; 0 ignored");
    let asked = world.stop("Done.");
    assert!(asked.contains("`cargo test` in /") && asked.contains("/wt failed"), "{asked}");
}

#[test]
fn a_switch_for_a_directory_holds_below_it_and_not_above_it() {
    // The session of the parent, whose agent is in a repository inside of it.
    let mut world = World::new();
    world.edit("p/src/parser.rs", "fn a() {}\n").go_to_new_repository("p/sub");
    world.gate("p/sub", "off");
    assert!(world.stop(CLAIM).contains("[proof]"), "the nested one is not the session's project");
    world.prompt();
    world.gate("p", "off");
    assert_eq!(world.stop(CLAIM), "");
    world.gate("p", "on");
    world.prompt();
    assert!(world.stop(CLAIM).contains("[proof]"));
    // A session of its own in the repository inside.
    world.gate("p/sub", "on");
    world.gate("p", "off");
    world.session = "s-nested";
    world.begin("p/sub");
    world.edit("p/sub/src/a.rs", "fn a() {}\n");
    assert_eq!(world.stop(CLAIM), "", "the user's word for the parent covers what is below it");
    // And one whose directory only begins with the same letters.
    repository(&world.at("pp"));
    world.session = "s-beside";
    world.begin("pp");
    world.edit("pp/src/a.rs", "fn a() {}\n");
    assert!(world.stop(CLAIM).contains("[proof]"));
}

#[test]
fn a_session_that_begins_in_no_project_is_judged_where_its_agent_works() {
    for start in ["", "many"] {
        let mut world = World::new();
        fs::create_dir_all(world.at("many")).unwrap();
        write(&world.at("p/.windlass.toml"), b"gates.proof.require = \"tests\"\n");
        world.session = "s-home";
        world.begin(start);
        world.go_to("p").edit("p/src/parser.rs", "fn a() {}\n");
        let asked = world.stop("The parser is changed.");
        assert!(asked.contains("[proof]"), "{start}: {asked}");
    }
}

/// A plain directory does not lose its files to a repository that the agent makes inside of it.
#[test]
fn a_plain_directory_keeps_its_files() {
    let mut world = World::new();
    fs::create_dir_all(world.at("plain")).unwrap();
    world.session = "s-plain";
    world.begin("plain");
    world.edit("plain/parser.py", "x = 1\n").go_to_new_repository("plain/sub");
    assert!(world.stop(CLAIM).contains("[proof]"));
}

#[test]
fn settings_of_the_sessions_project_hold_wherever_the_agent_is() {
    let mut world = World::new();
    write(&world.at("p/.windlass.toml"), b"gates.proof.require = \"tests\"\n");
    world.edit("p/src/parser.rs", "fn a() {}\n").go_to_new_repository("p/sub");
    assert!(world.stop("The parser is changed.").contains("No test run"), "it is required");
}

/// The hook that tells of a start may be missing: the first event says where the session began.
#[test]
fn a_session_without_a_start_began_at_its_first_event() {
    let mut world = World::new();
    world.session = "s-late";
    world.go_to("p").edit("p/src/parser.rs", "fn a() {}\n").go_to_new_repository("p/sub");
    assert!(world.stop(CLAIM).contains("[proof]"));
}

#[test]
fn uncommitted_files_and_leftovers_of_other_working_trees_are_named() {
    let note = concat!("// TO", "DO: later");
    for directory in ["p/sub", "wt", "other"] {
        let mut world = World::new();
        world.user("gates.uncommitted.mode = \"ask\"\ngates.leftovers.mode = \"ask\"\n");
        if directory == "wt" {
            git(&world.at("p"), &["worktree", "add", "-q", "../wt"]);
        } else {
            repository(&world.at(directory));
        }
        let file = format!("{directory}/a.rs");
        world.edit(&file, &format!("{note}\n"));
        let asked = world.stop("The parser is changed.");
        assert!(asked.contains("[uncommitted] 1 changed file"), "{directory}: {asked}");
        assert!(asked.contains("[leftovers]"), "{directory}: {asked}");
        assert!(asked.contains("a.rs"), "{directory}: {asked}");
    }
}

/// What a session calls a run holds also where its agent went.
#[test]
fn runs_that_the_sessions_project_names_count_wherever_the_agent_is() {
    let mut world = World::new();
    world.user(&format!("{QUIET}gates.proof.require = \"tests\"\n"));
    let settings = "gates.runs = [\"tests: verify-it\"]\n";
    write(&world.at("p/.windlass.toml"), settings.as_bytes());
    world.trust("p");
    world.edit("p/src/parser.rs", "fn a() {}\n").go_to_new_repository("p/sub");
    world.shell("verify-it", "fine");
    assert_eq!(world.stop("The parser is changed."), "");
}
