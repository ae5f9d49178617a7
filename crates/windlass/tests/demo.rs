//! The demonstration: a whole session through the real hook, and nothing left of it.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Home, as_user, assert_golden, binary, on_terminal, rows, steady, write};

/// The demonstration in a home of its own, with a directory for what is thrown away.
fn demo(home: &Home, arguments: &[&str]) -> Command {
    let scratch = home.path().join("scratch");
    fs::create_dir_all(&scratch).unwrap();
    let mut command = Command::new(binary());
    command.arg("demo").args(arguments).env_clear();
    command.env("HOME", home.path()).env("TMPDIR", scratch);
    command.current_dir(home.path()).stdin(Stdio::null());
    command
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "a command is made for one run")]
fn said(command: Command) -> String {
    let output = as_user(&command);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn objects(text: &str) -> (Vec<Value>, Value) {
    let mut objects: Vec<Value> =
        text.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    let summary = objects.pop().unwrap();
    assert_eq!(summary["kind"], "summary");
    (objects, summary)
}

/// The steps, without what the user ran between the sessions.
fn steps(objects: Vec<Value>) -> (Vec<Value>, Value) {
    let (ran, steps): (Vec<_>, Vec<_>) =
        objects.into_iter().partition(|it| it["kind"] == "command");
    let [ran] = &ran[..] else { panic!("{ran:?}") };
    (steps, ran.clone())
}

/// What lies in the directory for what is thrown away.
fn scratch(home: &Home) -> Vec<PathBuf> {
    let directory = fs::read_dir(home.path().join("scratch")).unwrap();
    directory.map(|it| it.unwrap().path()).collect()
}

#[test]
fn a_session_is_played_and_told_and_nothing_is_left() {
    let home = Home::new();
    let text = said(demo(&home, &[]));
    assert_golden("demo.txt", &steady(&text));
    // What the commands say stands as they say it.
    let story = text.split("$ windlass explain").next().unwrap();
    assert!(story.lines().all(|it| it.chars().count() <= 80), "{text}");
    assert_eq!(scratch(&home), Vec::<PathBuf>::new());
}

/// What somebody was told once need not be read again.
#[test]
fn nothing_is_told_twice() {
    let home = Home::new();
    let text = said(demo(&home, &[]));
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for once in [
        "project settings ignored: statusline.command",
        "before you stop, one thing is missing.",
        "`2m` was 2 seconds. [/windlass",
        "[proof] sent the agent back:",
    ] {
        assert_eq!(words.matches(once).count(), 1, "{once}\n{text}");
    }
    // One answer has one time.
    let steps: Vec<_> = text.split("\n    windlass ").collect();
    assert_eq!(steps.len() - 1, 24, "{text}");
}

#[test]
fn programs_get_one_object_for_each_step() {
    let home = Home::new();
    let (objects, summary) = objects(&said(demo(&home, &["--json"])));
    let (steps, ran) = steps(objects);
    let keys = |value: &Value| -> BTreeSet<String> {
        value.as_object().unwrap().keys().cloned().collect()
    };
    let set =
        |names: &str| -> BTreeSet<String> { names.split_whitespace().map(str::to_owned).collect() };
    for (number, step) in steps.iter().enumerate() {
        assert_eq!(keys(step), set("kind step event did answer said waited_us ledger note"));
        assert_eq!(
            keys(&step["ledger"]),
            set(
                "events verdict took_us edits_after_passing_test test_has_passed last_test redacted"
            )
        );
        assert_eq!(step["step"], number + 1);
        assert!(step["waited_us"].as_u64().unwrap() > 0 && step["ledger"]["took_us"].is_u64());
    }
    assert_eq!(
        keys(&summary),
        set("kind steps waited_us explained learned files bytes secret_in_files faults kept")
    );
    assert_eq!((&summary["faults"], &summary["secret_in_files"]), (&json!([]), &json!(0)));
    assert_eq!((summary["steps"].as_u64(), &summary["kept"]), (Some(24), &Value::Null));

    // Every event of ours is played, and each is in the ledger once.
    let events: BTreeSet<_> = steps.iter().map(|it| it["event"].as_str().unwrap()).collect();
    let registered = "PostToolBatch SessionEnd SessionStart Stop SubagentStart SubagentStop
        UserPromptSubmit";
    assert_eq!(events, registered.split_whitespace().collect());
    let ids = steps.iter().flat_map(|it| it["ledger"]["events"].as_array().unwrap());
    let ids: Vec<_> = ids.map(|it| it.as_i64().unwrap()).collect();
    assert_eq!(ids, (1..=26).collect::<Vec<_>>());

    let words = "project settings ignored: statusline.command (needs trust); run windlass trust";
    assert_eq!(steps[0]["said"], json!([{"to": "user", "asked": false, "words": words}]));
    assert_eq!(steps[0]["answer"], json!({"systemMessage": words}));
    // The claim without proof is asked about, and nothing else is said.
    let (first, later) = steps.split_at(20);
    let loud: Vec<_> = first[1..].iter().filter(|it| !it["answer"].is_null()).collect();
    let [asked] = loud[..] else { panic!("{loud:?}") };
    assert_eq!((asked["step"].as_u64(), &asked["said"][0]["asked"]), (Some(14), &json!(true)));
    assert_eq!(asked["ledger"]["verdict"], "ask");
    let ledger = |step: usize| &steps[step - 1]["ledger"];
    assert_eq!(ledger(5)["last_test"], json!({"result": "failed", "exit": 101}));
    assert_eq!(ledger(6)["redacted"], json!(["REGISTRY_TOKEN=[redacted:github-token]"]));
    let proof = |step: usize| {
        let it = ledger(step);
        (it["last_test"]["result"].clone(), it["edits_after_passing_test"].clone())
    };
    assert_eq!(proof(14), (json!("passed"), json!(1)));
    assert_eq!(proof(16), (json!("passed"), json!(0)));
    assert_eq!(summary["explained"], ledger(14)["events"][0]);

    // What the user keeps comes back where it fits, and only there.
    let id =
        ran["command"].as_str().unwrap().strip_prefix("windlass remember --candidate ").unwrap();
    assert!(ran["said"].as_str().unwrap().starts_with(&format!("Confirmed {id}: ")), "{ran}");
    let told = |step: &Value| step["said"][0]["words"].as_str().unwrap_or_default().to_owned();
    let [start, asked, other, end] = later else { panic!("{later:?}") };
    assert!(told(start).contains("the last session here"), "{start}");
    assert!(told(asked).contains(id) && told(asked).contains("`2m` was 2 seconds"), "{asked}");
    assert_eq!((&other["answer"], &end["answer"]), (&Value::Null, &Value::Null));
}

#[test]
fn what_is_kept_can_be_looked_at_and_holds_no_secret() {
    let home = Home::new();
    let text = said(demo(&home, &["--keep"]));
    let [kept] = &scratch(&home)[..] else { panic!("{text}") };
    let kept = fs::canonicalize(kept).unwrap();
    assert!(text.contains(&format!("Kept: {}\n", kept.display())), "{text}");
    let data = kept.join(".local/share/windlass");
    assert!(text.contains(&format!("WINDLASS_HOME={} windlass status", data.display())), "{text}");
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o700);

    let mut status = Command::new(binary());
    status.args(["status", "--json"]).env_clear().env("HOME", &kept).env("WINDLASS_HOME", &data);
    let status: Value = serde_json::from_str(&said(status)).unwrap();
    // The younger one first.
    let session = &status["sessions"][1];
    assert_eq!((&session["project"], &session["state"]), (&json!("tally"), &json!("ended")));
    assert_eq!((&session["failed_calls"], &status["failures"]), (&json!(1), &json!([])));

    // What the agent saw stands in its own files, and in none of ours.
    let secret = fs::read_to_string(kept.join("tally/.env")).unwrap();
    let secret = secret.trim().strip_prefix("REGISTRY_TOKEN=").unwrap().to_owned();
    let holders: BTreeSet<_> = files(&kept)
        .into_iter()
        .filter(|it| String::from_utf8_lossy(&fs::read(it).unwrap()).contains(&secret))
        .map(|it| it.strip_prefix(&kept).unwrap().components().next().unwrap().as_os_str().into())
        .collect::<BTreeSet<PathBuf>>();
    assert_eq!(holders, [PathBuf::from(".claude"), PathBuf::from("tally")].into());

    // The conversation files are such as the client writes: they can be replayed.
    let mut replay = Command::new(binary());
    replay.args(["replay", "--json"]).arg(kept.join(".claude/projects")).env_clear();
    let (_, summary) = objects(&said(replay));
    assert_eq!((&summary["corrupt"], &summary["not_read"]), (&json!(0), &json!([])));
    assert_eq!((summary["stops"].as_u64(), summary["sessions"].as_u64()), (Some(3), Some(2)));
    let flagged = "SELECT sum(failed) AS failed, sum(calls) AS calls FROM transcripts";
    assert_eq!(rows(&data, flagged), [json!({"failed": 1, "calls": 13})]);
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

/// Names, bytes and times of everything below a directory.
fn tree(directory: &Path) -> Vec<(PathBuf, Vec<u8>, i64, i64)> {
    let mut tree: Vec<_> = files(directory)
        .into_iter()
        .map(|it| {
            let metadata = fs::metadata(&it).unwrap();
            let bytes = fs::read(&it).unwrap();
            (it, bytes, metadata.mtime(), metadata.mtime_nsec())
        })
        .collect();
    tree.sort();
    tree
}

/// Settings that would change what is told, if anybody read them; and places to write to, if
/// anybody believed the environment.
#[test]
fn nothing_of_the_users_home_is_read_or_written() {
    let outside = Home::new();
    let user = Home::new();
    write(&user.path().join(".claude/settings.json"), b"{\"canary\": true}");
    let settings = b"[ledger]\ntexts = false\n[transcripts]\nread = false\n";
    write(&user.path().join(".config/windlass/config.toml"), settings);
    write(&user.path().join("data/windlass/store.db"), b"no store");
    write(&user.path().join("windlass/journal/x.journal"), b"no journal");
    write(&user.path().join(".gitconfig"), b"[user]\n");
    let directories = [
        ".claude",
        ".config/windlass",
        ".config",
        "data/windlass",
        "data",
        "windlass/journal",
        "windlass",
        "",
    ];
    let set_mode = |mode| {
        for directory in directories {
            let path = user.path().join(directory);
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    set_mode(0o555);
    let before = tree(user.path());
    let mut command = demo(&outside, &["--json"]);
    command.env("HOME", user.path()).current_dir(user.path());
    command.env("WINDLASS_HOME", user.path().join("windlass"));
    command.env("XDG_DATA_HOME", user.path().join("data"));
    command.env("XDG_CONFIG_HOME", user.path().join(".config"));
    command.env("CLAUDE_CONFIG_DIR", user.path().join(".claude"));
    let (steps, summary) = objects(&said(command));
    assert_eq!(tree(user.path()), before);
    set_mode(0o755);
    let usual = objects(&said(demo(&outside, &["--json"])));
    assert_eq!(told(&steps), told(&usual.0));
    assert_eq!(summary["faults"], json!([]));
}

/// The steps without times, and without the answers: their words stand beside them.
fn told(steps: &[Value]) -> Vec<Value> {
    let mut steps = steps.to_vec();
    for step in steps.iter_mut().filter(|it| it["kind"] == "step") {
        step["waited_us"] = json!(0);
        step["ledger"]["took_us"] = json!(0);
        step["answer"] = json!(step["answer"].is_null());
        for said in step["said"].as_array_mut().unwrap() {
            said["words"] = json!(steady(said["words"].as_str().unwrap()));
        }
    }
    steps
}

#[test]
fn it_needs_no_home_and_nobody_who_listens() {
    let home = Home::new();
    let mut homeless = demo(&home, &[]);
    homeless.env_remove("HOME").current_dir("/");
    assert!(said(homeless).contains("\nNext\n"));

    // The reader goes after the first line.
    let mut child = demo(&home, &[]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");

    // Nobody was ever there.
    let mut closed = Command::new("sh");
    closed
        .args(["-c", "exec \"$0\" demo >&-"])
        .arg(binary())
        .env("TMPDIR", home.path().join("scratch"));
    assert!(closed.status().unwrap().success());
    assert_eq!(scratch(&home), Vec::<PathBuf>::new());
}

#[test]
fn without_a_place_for_it_the_next_step_is_said() {
    let home = Home::new();
    for arguments in [&[][..], &["--json"]] {
        let mut command = demo(&home, arguments);
        let output = command.env("TMPDIR", home.path().join("nowhere")).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{output:?}");
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert!(complaint.starts_with("error: could not make a throwaway home in "), "{complaint}");
        assert!(complaint.ends_with("hint: set TMPDIR to a directory that you can write\n"));
    }
}

#[test]
fn a_terminal_gets_lines_that_fit_and_colour_only_if_it_is_wanted() {
    let home = Home::new();
    let plain = |columns| {
        let mut command = demo(&home, &[]);
        command.env("NO_COLOR", "1").env("TERM", "xterm");
        let (screen, code) = on_terminal(command, columns);
        assert_eq!(code, Some(0), "{screen}");
        assert!(!screen.contains('\u{1b}'), "{screen}");
        screen
    };
    for columns in [46, 60, 80, 200] {
        let screen = plain(columns);
        let (story, _) = screen.split_once("$ windlass explain").unwrap();
        let widest = story.lines().map(|it| it.chars().count()).max().unwrap();
        assert!(widest <= usize::from(columns.min(100)), "{columns}: {story}");
    }
    let mut command = demo(&home, &[]);
    command.env("TERM", "xterm");
    let (screen, code) = on_terminal(command, 80);
    assert_eq!(code, Some(0));
    assert!(screen.contains("\u{1b}[31mlast test run failed (exit 101)"), "{screen}");
    assert!(screen.contains("\u{1b}[32mREGISTRY_TOKEN=[redacted:github-token]"), "{screen}");
}
