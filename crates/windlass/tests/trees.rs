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
        let file = self.root().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
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
    // Nothing has proven it yet.
    assert_eq!(world.stop("Done."), Value::Null);
    world.shell("cargo test", "test result: ok. 3 passed; 0 failed");
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

/// A second name of a file may lie outside of the tree: its words are neither told nor kept.
#[test]
fn what_stands_in_a_file_with_a_second_name_is_not_quoted() {
    let key = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let note = concat!("// TO", "DO: outsidewords");
    for git in [true, false] {
        let mut world = World::new();
        if !git {
            fs::remove_dir_all(world.root().join(".git")).unwrap();
        }
        let outside = world.home.path().join("outside.rs");
        fs::write(&outside, format!("{note}\nlet key = \"{key}\";\n")).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(1100));
        world.send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on"}));
        fs::create_dir_all(world.root().join("src")).unwrap();
        fs::hard_link(&outside, world.root().join("src/linked.rs")).unwrap();
        world.shell("ln ../outside.rs src/linked.rs", "");
        assert!(!world.stop("Done.").to_string().contains("outsidewords"));
        let file = world.root().join("src/linked.rs");
        let updated = format!("The file {} has been updated successfully.", file.display());
        let edit = json!({"file_path": file, "old_string": "a", "new_string": "b"});
        world.call("Edit", &edit, &updated);
        let answer = world.stop("Edited.").to_string();
        assert!(!answer.contains("outsidewords") && !answer.contains("secret"), "{answer}");
    }
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

/// A directory of source that goes after a run is a change, with and without a repository; what tools
/// made is none.
#[test]
fn source_that_goes_after_a_run_is_a_change() {
    let gone = [
        "rm -rf src/",
        "rm -f src/*.py",
        "find src -name '*.py' -delete",
        "mv src lib",
        "git rm -rq src && git commit -qm gone",
        "git mv src lib",
        "sh move.sh",
        "python3 -c \"import shutil; shutil.rmtree('src')\"",
    ];
    let kept = [
        "rm -rf build .pytest_cache src/__pycache__ tmp",
        "find . -name '*.pyc' -delete",
        "mkdir work && cp src/a.py work/x.txt && rm -rf work",
        "rm -f out.log && echo done > notes.log && rm notes.log",
    ];
    for with_git in [true, false] {
        let all = gone.iter().map(|it| (*it, true)).chain(kept.iter().map(|it| (*it, false)));
        for (command, is_asked) in all.filter(|it| with_git || !it.0.starts_with("git")) {
            let mut world = World::new();
            world.write("src/a.py", "one\n");
            world.write("move.sh", "mv src lib\n");
            world.git(&["add", "."]);
            world.git(&["commit", "-qm", "two"]);
            for name in ["build/a.py", ".pytest_cache/a", "src/__pycache__/a.pyc", "tmp/a.py"] {
                world.write(name, "x\n");
            }
            if !with_git {
                fs::remove_dir_all(world.root().join(".git")).unwrap();
            }
            // Times of commits are seconds.
            let pause = if command.contains("commit") { 1100 } else { 40 };
            std::thread::sleep(std::time::Duration::from_millis(pause));
            world.send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on"}));
            world.shell("pytest", "4 passed in 0.10s");
            std::thread::sleep(std::time::Duration::from_millis(40));
            world.run(command);
            let answer = world.stop("All tests pass.");
            assert_eq!(!ask(&answer).is_empty(), is_asked, "{with_git} {command}: {answer}");
            world.shell("pytest", "4 passed in 0.10s");
            assert_eq!(ask(&world.stop("All tests pass.")), "", "{with_git} {command}");
        }
    }
}

/// A line that the same change took from another file was there before.
#[test]
fn a_note_that_moved_with_its_file_is_not_told() {
    let old = concat!("# TO", "DO: old one");
    for command in ["git mv src/a.py src/c.py", "mv src/a.py src/c.py", "split"] {
        let mut world = World::new();
        world.write("src/a.py", &format!("{old}\ndef a():\n    return 1\n"));
        world.git(&["add", "."]);
        world.git(&["commit", "-qm", "two"]);
        std::thread::sleep(std::time::Duration::from_millis(1100));
        world.send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on"}));
        if command == "split" {
            world.write("src/a.py", "import c\n");
            world.write("src/c.py", &format!("{old}\ndef a():\n    return 1\n"));
            world.shell("python3 split.py src/a.py", "");
        } else {
            world.run(command);
        }
        assert_eq!(world.leftovers(), "", "{command}");
        // One that stands there twice now is new.
        world.write("src/d.py", &format!("{old}\nx = 1\n"));
        world.shell("./make.sh", "");
        assert!(world.leftovers().contains(old), "{command}");
    }
}

/// The words of a command tell what it adds; what it looks for and what it writes anew stood there.
#[test]
fn what_a_command_adds_without_git_is_told_and_what_stood_there_is_not() {
    let (new, old) = (concat!("# FIX", "ME: later"), concat!("# TO", "DO: old one"));
    let key = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let patch = format!("--- a/src/a.py\n+++ b/src/a.py\n@@ -2 +2,2 @@\n x = 1\n+{new}\n");
    let added = [
        format!("echo '{new}' >> src/a.py"),
        format!("printf '{new}\\n' >> src/a.py"),
        format!("echo '{new}' | tee -a src/a.py"),
        format!("{{ echo; echo '{new}'; }} >> src/a.py"),
        format!("sed -i '2a {new}' src/a.py"),
        format!("sed -i 's/x = 1/x = 1\\n{new}/' src/a.py"),
        format!("perl -pi -e 's/x = 1/x = 1 {new}/' src/a.py"),
        format!("patch -p1 <<'EOF'\n{patch}EOF"),
        format!("python3 -c \"open('src/a.py', 'a').write('{new}\\n')\""),
        format!("cat > fix.diff <<'EOF'\n{patch}EOF\npatch -p1 < fix.diff"),
        format!("echo 'key = \"{key}\"' >> src/a.py"),
    ];
    let kept = [
        format!("cat > src/a.py <<'EOF'\n{old}\nx = 2\nEOF"),
        format!("sed -i '/{old}/a y = 1' src/a.py"),
        format!("sed -i 's/{old}/{old}\\ny = 1/' src/a.py"),
        format!(
            "python3 - <<'EOF'\ns = open('src/a.py').read()\n\
            s = s.replace('{old}', '{old}\\ny = 1')\nopen('src/a.py', 'w').write(s)\nEOF"
        ),
        "mkdir made && mv src/a.py made/".to_owned(),
    ];
    for (commands, is_told) in [(&added[..], true), (&kept[..], false)] {
        for command in commands {
            let mut world = World::without_git("src/a.py", &format!("{old}\nx = 1\n"));
            world.run(command);
            let told = world.leftovers();
            assert_eq!(told.contains("src/a.py"), is_told, "{command}: {told}");
            assert!(!told.contains("a.py:1"), "{command}: {told}");
        }
    }
}

impl World {
    /// A session in a directory without a repository, in which a file has an old note.
    fn without_git(name: &str, text: &str) -> Self {
        let world = Self::new();
        fs::remove_dir_all(world.root().join(".git")).unwrap();
        world.write(name, text);
        std::thread::sleep(std::time::Duration::from_millis(40));
        world.send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on"}));
        world
    }

    /// Runs a command for real, and tells of it.
    fn run(&mut self, command: &str) {
        let mut shell = Command::new("sh");
        let done = shell.args(["-c", command]).current_dir(self.root()).output().unwrap();
        assert!(done.status.success(), "{command}: {done:?}");
        self.shell(command, "");
    }

    fn leftovers(&self) -> String {
        let answer = self.stop("Done.");
        answer["systemMessage"].as_str().unwrap_or_default().to_owned()
    }
}

/// With every C library: one of them does not tell when a file was made.
#[test]
fn leftovers_of_a_new_file_are_found_without_git() {
    let note = concat!("// TO", "DO: parse");
    let debug = concat!("db", "g!(x);");
    for command in [
        format!("cat > src/b.rs <<'EOF'\nfn b() {{\n    {debug}\n}}\n{note}\nEOF"),
        format!("printf '%s\\n' 'fn b() {{' '{debug}' '}}' '{note}' > src/b.rs"),
        format!("mkdir made && printf '%s\\n' 'fn b() {{' '{debug}' '}}' '{note}' > made/b.rs"),
        // Whatever put it there, it lies in a directory that was not there before.
        "mkdir made && sed s/of/of/ ../made.txt > made/x && mv made/x made/b.rs".to_owned(),
        "cp ../made.txt src/b.rs".to_owned(),
    ] {
        let mut world = World::without_git("src/a.rs", "one\n");
        let made = format!("fn b() {{\n    {debug}\n}}\n{note}\n");
        fs::write(world.home.path().join("made.txt"), made).unwrap();
        world.run(&command);
        let told = world.leftovers();
        assert!(told.contains("b.rs:2") && told.contains("b.rs:4"), "{command}: {told}");
    }
}

/// The file that stands there afterwards is a new one, and its lines are not.
#[test]
fn an_old_note_without_git_is_not_blamed_on_who_changed_another_line() {
    let old = concat!("// TO", "DO: old");
    for command in [
        "sed -i s/one/two/ src/a.rs",
        "sed s/one/two/ src/a.rs > new && mv new src/a.rs",
        "sed s/one/two/ src/a.rs > new && cp new src/a.rs && rm new",
        "perl -pi -e s/one/two/ src/a.rs",
        "sh ../change.sh",
    ] {
        let mut world = World::without_git("src/a.rs", &format!("{old}\nfn one() {{}}\n"));
        fs::write(world.home.path().join("change.sh"), "sed -i s/one/two/ src/a.rs\n").unwrap();
        world.run(command);
        assert_eq!(fs::read_to_string(world.root().join("src/a.rs")).unwrap().lines().count(), 2);
        assert_eq!(world.leftovers(), "", "{command}");
    }
}

/// What the file held before the transcript knows.
#[test]
fn what_a_file_got_that_was_written_anew_without_git_is_found() {
    let (old, new) = (concat!("// TO", "DO: old"), concat!("// FIX", "ME: new"));
    for is_known in [false, true] {
        let mut world = World::without_git("src/a.rs", &format!("{old}\nfn one() {{}}\n"));
        let content = format!("{old}\nfn two() {{}}\n{new}\n");
        let file = world.root().join("src/a.rs");
        // As the client does it.
        fs::write(world.root().join("new"), &content).unwrap();
        fs::rename(world.root().join("new"), &file).unwrap();
        let answer = format!("The file {} has been updated successfully.", file.display());
        world.call("Write", &json!({"file_path": file, "content": content}), &answer);
        let lines = [
            format!(" {old}"),
            "-fn one() {}".to_owned(),
            "+fn two() {}".to_owned(),
            format!("+{new}"),
        ];
        let result = json!({
            "type": "update", "filePath": file, "content": content,
            "structuredPatch": [{"oldStart": 1, "oldLines": 2, "newStart": 1, "newLines": 3,
                "lines": lines}],
            "originalFile": format!("{old}\nfn one() {{}}\n"),
        });
        let block = json!({"type": "tool_result", "tool_use_id": "toolu_1", "content": answer});
        let mut row = json!({
            "type": "user", "sessionId": "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11",
            "message": {"role": "user", "content": [block]},
        });
        if is_known {
            row["toolUseResult"] = result;
        }
        let directory = world.home.projects().join("-p");
        fs::create_dir_all(&directory).unwrap();
        let transcript = directory.join("5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11.jsonl");
        fs::write(&transcript, format!("{row}\n")).unwrap();
        let answer = world.send(&json!({
            "hook_event_name": "Stop", "stop_hook_active": false, "transcript_path": transcript,
            "last_assistant_message": "Done.", "background_tasks": [], "session_crons": [],
        }));
        let told = answer["systemMessage"].as_str().unwrap_or_default();
        assert_eq!(told.contains("src/a.rs:3"), is_known, "{told}");
        assert!(!told.contains("src/a.rs:1"), "{told}");
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
