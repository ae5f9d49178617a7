//! Stops in real repositories: what commands changed is found in the working tree.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::Home;

/// A session in a repository with one commit.
struct World {
    home: Home,
    calls: usize,
}

impl World {
    fn new() -> Self {
        Self::begun_by(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on"}))
    }

    /// The session begins with this event.
    fn begun_by(event: &Value) -> Self {
        let world = Self { home: Home::new(), calls: 0 };
        fs::create_dir_all(world.root().join("src")).unwrap();
        world.git(&["init", "-q"]);
        for name in ["src/a.rs", "src/old.rs"] {
            world.write(name, "one\n");
        }
        world.git(&["add", "."]);
        world.git(&["commit", "-q", "-m", "one"]);
        // The user was here before the agent.
        world.write("src/old.rs", "of the user\n");
        world.write("src/new-of-the-user.rs", "new\n");
        std::thread::sleep(std::time::Duration::from_millis(40));
        world.send(event);
        world
    }

    fn root(&self) -> PathBuf {
        self.home.path().join("p")
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.root().join(name), text).unwrap();
    }

    fn git(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(self.root()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", self.home.path());
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "n").env(format!("GIT_{role}_EMAIL"), "e@e");
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    fn send(&self, event: &Value) -> Value {
        let mut payload = json!({
            "session_id": "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11",
            "cwd": self.root(), "permission_mode": "default",
        });
        payload.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        let output = self.home.hook(payload.to_string());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        assert_eq!(self.home.failures(), Vec::<Value>::new());
        if output.stdout.is_empty() {
            return Value::Null;
        }
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn call(&mut self, tool: &str, input: &Value, answer: &str) {
        self.calls += 1;
        let call = json!({
            "tool_name": tool, "tool_input": input, "tool_response": answer,
            "tool_use_id": format!("toolu_{}", self.calls),
        });
        self.send(&json!({"hook_event_name": "PostToolBatch", "tool_calls": [call]}));
    }

    fn shell(&mut self, command: &str, answer: &str) {
        self.call("Bash", &json!({"command": command}), answer);
    }

    fn stop(&self, message: &str) -> Value {
        self.send(&json!({
            "hook_event_name": "Stop", "stop_hook_active": false,
            "last_assistant_message": message, "background_tasks": [], "session_crons": [],
        }))
    }
}

fn ask(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default()
}

#[test]
fn a_file_that_a_command_changed_is_an_edit() {
    let mut world = World::new();
    world.write("src/a.rs", "two\n");
    world.shell("./replace.sh one two", "");
    let answer = world.stop("All tests pass.");
    assert!(ask(&answer).contains("since src/a.rs was changed"), "{answer}");
    world.shell("cargo test", "test result: ok. 4 passed; 0 failed; 0 ignored");
    assert_eq!(ask(&world.stop("All tests pass.")), "");
}

/// Neither the words of the command nor the author of the first prompt matter.
#[test]
fn a_file_that_a_command_changed_after_the_run_makes_the_run_stale() {
    let commands = [
        "git apply fix.patch",
        "patch -p1 < fix.patch",
        "git merge feature",
        "git cherry-pick feature",
        "python scripts/codegen.py",
        "make gen",
        "./gen.sh",
        "npx jscodeshift -t x.js src",
        "python3 - <<'EOF'\nfor p in ['src/a.rs']:\n    open(p, 'w').write('two')\nEOF",
        "find src -name '*.rs' | xargs sed -i 's/one/two/'",
        "grep -rl one src | xargs sed -i 's/one/two/g'",
    ];
    let prompt = |text: &str| json!({"hook_event_name": "UserPromptSubmit", "prompt": text});
    let foreign = "<teammate-message teammate_id=\"lead\">\ngo on\n</teammate-message>";
    let session = json!({"hook_event_name": "SessionStart", "source": "startup"});
    for (index, command) in commands.into_iter().enumerate() {
        let first = [prompt("go on"), prompt(foreign), session.clone()];
        let mut world = World::begun_by(&first[index % 3]);
        world.write("src/old.rs", "of the agent\n");
        let file = world.root().join("src/old.rs");
        world.call("Edit", &json!({"file_path": file}), "The file has been updated successfully.");
        world.shell("pytest -q", "12 passed in 0.2s");
        std::thread::sleep(std::time::Duration::from_millis(40));
        if command.starts_with("git merge") || command.starts_with("git cherry") {
            world.git(&["stash", "-q"]);
            world.git(&["checkout", "-q", "-b", "feature"]);
            world.write("src/a.rs", "two\n");
            world.git(&["commit", "-q", "-a", "-m", "two"]);
            world.git(&["checkout", "-q", "-"]);
            world.git(&command.split(' ').skip(1).collect::<Vec<_>>());
        } else {
            world.write("src/a.rs", "two\n");
        }
        world.shell(command, "");
        let answer = world.stop("All tests pass.");
        assert!(ask(&answer).contains("before src/a.rs was changed"), "{command}: {answer}");
    }
}

#[test]
fn a_file_that_a_command_made_is_an_edit_and_what_the_user_did_is_not() {
    let mut world = World::new();
    world.shell("./look.sh", "");
    assert_eq!(world.stop("All tests pass."), Value::Null);
    world.write("src/made.rs", "new\n");
    world.shell("cat > src/made.rs <<EOF\nnew\nEOF", "");
    let answer = world.stop("All tests pass.");
    assert!(ask(&answer).contains("since src/made.rs was changed"), "{answer}");
}

#[test]
fn what_is_not_committed_is_told_once_and_a_commit_ends_it() {
    let mut world = World::new();
    let file = world.root().join("src/a.rs");
    world.write("src/a.rs", "two\n");
    let updated = format!("The file {} has been updated successfully.", file.display());
    let edit = json!({"file_path": file, "old_string": "one", "new_string": "two"});
    world.call("Edit", &edit, &updated);
    let answer = world.stop("Done.");
    let told = answer["systemMessage"].as_str().unwrap();
    assert_eq!(told, "windlass: [uncommitted] 1 changed file is not committed: src/a.rs.");
    assert_eq!(ask(&answer), "");
    assert_eq!(world.stop("Done."), Value::Null);

    let settings = world.home.path().join(".config/windlass");
    fs::create_dir_all(&settings).unwrap();
    fs::write(settings.join("config.toml"), "gates.uncommitted.mode = \"ask\"\n").unwrap();
    let answer = world.stop("Done.");
    assert!(ask(&answer).contains("[uncommitted] 1 changed file"), "{answer}");
    world.git(&["commit", "-q", "-m", "two", "src/a.rs"]);
    world.shell("git commit -m two src/a.rs", "1 file changed");
    assert_eq!(world.stop("Done."), Value::Null);
}

/// A key that was committed long ago is nobody's news.
#[test]
fn a_secret_in_an_added_line_is_told_without_its_words() {
    let mut world = World::new();
    let key = |letter: &str| format!("ghp_{}", format!("{letter}1B2c3D4e5F6").repeat(3));
    world.write("src/a.rs", &format!("let old = \"{}\";\n", key("a")));
    world.git(&["commit", "-q", "-a", "-m", "two"]);
    let file = world.root().join("src/a.rs");
    let text = format!("let old = \"{}\";\n\nlet new = \"{}\";\n", key("a"), key("b"));
    world.write("src/a.rs", &text);
    let updated = format!("The file {} has been updated successfully.", file.display());
    world.call("Edit", &json!({"file_path": file, "old_string": "", "new_string": "x"}), &updated);
    let answer = world.stop("Done.");
    let told = answer["systemMessage"].as_str().unwrap();
    let expected = "[leftovers] An added line holds a secret: src/a.rs:3 'let new = \"[redacted:";
    assert!(told.replace('`', "'").contains(expected), "{told}");
    assert!(!told.contains(&key("a")[..8]) && !told.contains(&key("b")[..8]), "{told}");
}

/// The lines that a call added are told by the version before it, whoever wrote the file.
#[test]
fn leftovers_are_found_whatever_wrote_them_and_old_ones_never() {
    let (new, old) = (concat!("// TO", "DO: parse"), concat!("// FIX", "ME: old"));
    let content = format!("{old}\nfn a() {{}}\n{new}\n");
    let heredoc = format!("cat > src/a.rs <<'EOF'\n{content}EOF");
    let script = format!("python3 - <<'EOF'\nopen('src/a.rs', 'w').write(\"{new}\")\nEOF");
    for (tool, command) in [
        ("Write", ""),
        ("Bash", heredoc.as_str()),
        ("Bash", concat!("sed -i '$a // TO", "DO: parse' src/a.rs")),
        ("Bash", concat!("echo '// TO", "DO: parse' | tee -a src/a.rs")),
        ("Bash", "cp other.rs src/a.rs"),
        ("Bash", "./generate.sh"),
        ("Bash", script.as_str()),
    ] {
        for is_committed in [false, true] {
            // What a commit brings and no command names may be somebody else's.
            if is_committed && command == "./generate.sh" {
                continue;
            }
            let mut world = World::new();
            world.write("src/a.rs", &format!("{old}\nfn a() {{}}\n"));
            world.git(&["commit", "-q", "-a", "-m", "two"]);
            std::thread::sleep(std::time::Duration::from_millis(1100));
            world.send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on"}));
            world.write("src/a.rs", &content);
            let file = world.root().join("src/a.rs");
            if tool == "Write" {
                let input = json!({"file_path": file, "content": content});
                let answer = format!("The file {} has been updated successfully.", file.display());
                world.call(tool, &input, &answer);
            } else {
                world.shell(command, "");
            }
            if is_committed {
                world.git(&["commit", "-q", "-a", "-m", "three"]);
                world.shell("git commit -qam three", "");
            }
            let answer = world.stop("Done.");
            let told = answer["systemMessage"].as_str().unwrap_or_default();
            let name = format!("{tool} {command} {is_committed}");
            assert!(told.contains("src/a.rs:3"), "{name}: {answer}");
            assert!(!told.contains("src/a.rs:1"), "{name}: {told}");
        }
    }
}

/// Who writes a file again with what stood in it has added nothing.
#[test]
fn an_old_note_in_a_file_that_was_written_anew_is_not_told() {
    let old = concat!("// TO", "DO: old");
    let mut world = World::new();
    world.write("src/a.rs", &format!("{old}\nfn a() {{}}\n"));
    world.git(&["commit", "-q", "-a", "-m", "two"]);
    // The user was about to commit another one.
    let staged = concat!("// FIX", "ME: of the user");
    world.write("src/a.rs", &format!("{old}\n{staged}\nfn a() {{}}\n"));
    world.git(&["add", "src/a.rs"]);
    std::thread::sleep(std::time::Duration::from_millis(1100));
    world.send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on"}));
    let content = format!("fn b() {{}}\n{old}\n{staged}\nfn a() {{}}\n");
    world.write("src/a.rs", &content);
    let file = world.root().join("src/a.rs");
    let answer = format!("The file {} has been updated successfully.", file.display());
    world.call("Write", &json!({"file_path": file, "content": content}), &answer);
    world.shell(&format!("cat > src/a.rs <<'EOF'\n{content}EOF"), "");
    let told = world.stop("Done.")["systemMessage"].as_str().unwrap_or_default().to_owned();
    assert!(!told.contains("leftovers"), "{told}");
}

/// Without a repository the words of a command and the times of files tell what was changed.
#[test]
fn a_project_without_git_is_not_out_of_sight() {
    let note = concat!("# TO", "DO: parse");
    for command in [
        "sed -i s/one/two/ src/a.py",
        "cat > src/a.py <<'EOF'\ntwo\nEOF",
        "patch -p1 < fix.diff",
        "python3 tools/rewrite.py",
        "python3 - <<'EOF'\nopen('src/a.py', 'w').write('two')\nEOF",
    ] {
        let mut world = World::new();
        fs::remove_dir_all(world.root().join(".git")).unwrap();
        world.write("src/a.py", "one\n");
        std::thread::sleep(std::time::Duration::from_millis(40));
        world.send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on"}));
        world.shell("pytest", "4 passed in 0.10s");
        assert_eq!(ask(&world.stop("All tests pass.")), "", "{command}");
        world.write("src/a.py", &format!("two\n{note}\n"));
        world.shell(command, "");
        let answer = world.stop("All tests pass.");
        assert!(ask(&answer).contains("src/a.py"), "{command}: {answer}");
        assert!(!answer.to_string().contains("uncommitted"), "{answer}");
        world.shell("pytest", "4 passed in 0.10s");
        assert_eq!(ask(&world.stop("All tests pass.")), "", "{command}");
    }
}

#[test]
fn a_file_outside_that_a_command_line_changes_needs_proof() {
    let mut world = World::new();
    let outside = world.home.path().join("lib/core.py");
    fs::create_dir_all(outside.parent().unwrap()).unwrap();
    fs::write(&outside, "one\n").unwrap();
    world.shell("cargo test", "test result: ok. 4 passed; 0 failed; 0 ignored");
    world.shell(&format!("sed -i s/one/two/ {}", outside.display()), "");
    let answer = world.stop("All tests pass.");
    assert!(ask(&answer).contains("lib/core.py was changed"), "{answer}");
    world.shell("cd ../lib && pytest", "4 passed in 0.10s");
    assert_eq!(ask(&world.stop("All tests pass.")), "");
}
