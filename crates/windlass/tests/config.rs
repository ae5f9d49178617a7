//! Settings as a user and a project write them: the real program in a home of its own.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Project, as_user, assert_same, assert_silent, binary, feed, said, write};

/// Everything that a project could wish for.
const HOSTILE: &str = r#"
trusted = true
include = "/etc/passwd"
ledger.texts = true
ledger.days = 3650
ledger.max_mb = 1048576
transcripts.read = true
hooks.stop.enabled = false
hooks.tools.timeout_s = 600
statusline.command = ["sh", "-c", "touch /tmp/never"]
statusline.timeout_ms = 2000
trust.worktrees = false
trust.paths = ["/"]
"#;

const STRICT: &str = "
ledger.texts = false
ledger.days = 30
transcripts.read = false
statusline.timeout_ms = 100
";

fn settings(listing: &Value) -> Vec<(String, Value)> {
    let rows = listing["settings"].as_array().unwrap();
    rows.iter().map(|it| (it["key"].as_str().unwrap().to_owned(), it["value"].clone())).collect()
}

fn row(listing: &Value, key: &str) -> Value {
    let rows = listing["settings"].as_array().unwrap();
    rows.iter().find(|it| it["key"] == key).unwrap_or_else(|| panic!("no {key}")).clone()
}

fn found(listing: &Value) -> Vec<String> {
    let findings = listing["findings"].as_array().unwrap();
    findings.iter().map(|it| it["found"].as_str().unwrap().to_owned()).collect()
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// What holds without a project file must hold with this one, and one line says that it is
/// ignored.
#[track_caller]
fn weakens_nothing(prepare: impl Fn(&Project)) -> String {
    let project = Project::new();
    project.user(STRICT);
    let without = settings(&project.config());
    prepare(&project);
    let with = project.config();
    assert_eq!(settings(&with), without);
    let line = with["ignored"].as_str().unwrap_or_else(|| panic!("no word: {with}")).to_owned();
    assert!(line.starts_with("project settings ignored: ") && !line.contains('\n'), "{line}");
    line
}

#[test]
fn without_files_everything_is_a_default() {
    let listing = Project::new().config();
    let rows = listing["settings"].as_array().unwrap();
    assert!(rows.iter().all(|it| it["origin"] == "default" && it["value"] == it["default"]));
    assert_eq!((&listing["findings"], &listing["ignored"]), (&json!([]), &Value::Null));
}

#[test]
fn the_listing_says_where_a_value_comes_from() {
    let project = Project::new();
    project.user("ledger.days = 60\nstatusline.command = ['my line']\n");
    project.settings("ledger.texts = false\nledger.days = 60\n");
    let text = project.run(&["config"]);
    let line = |key: &str| {
        let line = text.lines().find(|it| it.starts_with(key)).unwrap();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("ledger.days"), "ledger.days 60 user");
    assert_eq!(line("ledger.texts"), "ledger.texts false project");
    assert_eq!(line("ledger.max_mb"), "ledger.max_mb 512 default");
    assert_eq!(line("statusline.command"), "statusline.command [\"my line\"] user");
    let reference = include_str!("../../../docs/reference/config.md");
    for key in reference.lines().filter_map(|it| it.strip_prefix("## `")?.strip_suffix('`')) {
        assert!(!line(key).is_empty(), "{key}");
    }
}

#[test]
fn the_settings_directory_can_be_elsewhere() {
    let project = Project::new();
    project.user("ledger.days = 60\n");
    let elsewhere = project.home.path().join("etc");
    write(&elsewhere.join("windlass/config.toml"), b"ledger.days = 61\n");
    let days = |value: &Path| {
        let mut command = project.command(&["config", "--json"]);
        let output = command.env("XDG_CONFIG_HOME", value).output().unwrap();
        let listing: Value = serde_json::from_slice(&output.stdout).unwrap();
        row(&listing, "ledger.days")["value"].clone()
    };
    assert_eq!(days(&elsewhere), 61);
    assert_eq!(days(Path::new("relative")), 60);
}

#[test]
fn a_hostile_project_weakens_nothing() {
    let line = weakens_nothing(|it| it.settings(HOSTILE));
    assert!(line.contains("statusline.command (needs trust)"), "{line}");
    assert!(line.contains("statusline.timeout_ms (needs trust)"), "{line}");
    assert!(line.ends_with(", 6 more; run windlass trust"), "{line}");
}

#[test]
fn every_key_that_a_hostile_project_sets_is_named() {
    let project = Project::new();
    project.user(STRICT);
    project.settings(HOSTILE);
    let found = found(&project.config()).join("\n");
    for key in ["ledger.texts", "ledger.days", "transcripts.read"] {
        assert!(found.contains(&format!("`{key}` would loosen your setting")), "{found}");
    }
    for key in ["ledger.max_mb", "hooks.stop.enabled", "trust.worktrees"] {
        assert!(found.contains(&format!("`{key}` is read from your own settings only")), "{found}");
    }
    for key in ["trusted", "include", "trust.paths"] {
        assert!(found.contains(&format!("`{key}` is not a setting")), "{found}");
    }
}

#[test]
fn a_project_may_tighten() {
    let project = Project::new();
    project.user("ledger.days = 60\n");
    project.settings(STRICT);
    let listing = project.config();
    for (key, value) in [
        ("ledger.texts", json!(false)),
        ("ledger.days", json!(30)),
        ("transcripts.read", json!(false)),
        ("statusline.timeout_ms", json!(100)),
    ] {
        let row = row(&listing, key);
        assert_eq!((&row["value"], &row["origin"]), (&value, &json!("project")), "{key}");
    }
    assert_eq!(found(&listing), [""; 0]);
}

#[test]
fn a_link_out_of_the_project_is_not_followed() {
    let line = weakens_nothing(|project| {
        write(&project.home.path().join("elsewhere.toml"), b"ledger.days = 1\n");
        symlink("../elsewhere.toml", project.file()).unwrap();
    });
    assert_eq!(line, "project settings ignored: all (a link that leads out); run windlass config");
    let project = Project::new();
    write(&project.root().join("etc/w.toml"), b"ledger.days = 1\n");
    symlink("etc/w.toml", project.file()).unwrap();
    assert_eq!(row(&project.config(), "ledger.days")["value"], 1);
}

#[test]
fn pipes_directories_and_endless_files_are_not_waited_for() {
    let line = weakens_nothing(|it| fifo(&it.file()));
    assert!(line.contains("all (not a plain file)"), "{line}");
    let line = weakens_nothing(|it| fs::create_dir(it.file()).unwrap());
    assert!(line.contains("all (not a plain file)"), "{line}");
    let line = weakens_nothing(|it| symlink("/dev/zero", it.file()).unwrap());
    assert!(line.contains("all (a link that leads out)"), "{line}");
    let line = weakens_nothing(|it| {
        it.settings(STRICT);
        let file = fs::OpenOptions::new().write(true).open(it.file()).unwrap();
        file.set_len(1 << 30).unwrap();
    });
    assert!(line.contains("all (too large)"), "{line}");
}

#[test]
fn files_that_others_can_write_do_not_count() {
    let line = weakens_nothing(|it| {
        it.settings("ledger.days = 1\n");
        mode(&it.file(), 0o646);
    });
    assert!(line.contains("all (others can write it)"), "{line}");
    let line = weakens_nothing(|it| {
        it.settings("ledger.days = 1\n");
        mode(&it.root(), 0o777);
    });
    assert!(line.contains("all (others can write it)"), "{line}");
    let project = Project::new();
    project.user("ledger.days = 1\n");
    mode(&project.user_file(), 0o666);
    let listing = project.config();
    assert_eq!(row(&listing, "ledger.days")["origin"], "default");
    let hint = listing["findings"][0]["hint"].as_str().unwrap();
    assert_eq!(hint, format!("run `chmod go-w {}`", project.user_file().display()));
}

/// The program under a umask, with what it is told on its stdin.
fn under_umask(project: &Project, umask: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "umask $0; exec \"$@\"", umask]).arg(binary()).args(arguments);
    command.env_clear().env("HOME", project.home.path()).current_dir(project.root());
    command
}

/// Where each user has a group of their own, their editor makes files that it may write.
#[test]
fn settings_that_only_the_users_own_group_can_write_count() {
    let project = Project::new();
    project.user("ledger.days = 7\n");
    project.settings("ledger.days = 3\n");
    for file in [project.user_file(), project.file()] {
        mode(&file, 0o664);
        let metadata = fs::metadata(&file).unwrap();
        if metadata.gid() != metadata.uid() {
            println!("skipped: this user has no group of their own");
            return;
        }
    }
    let listing = project.config();
    assert_eq!(found(&listing), [""; 0]);
    assert_eq!(row(&listing, "ledger.days")["value"], 3);
    if chown(project.file(), None, Some(65_533)).is_err() {
        println!("skipped: only the superuser can give a file away");
        return;
    }
    let listing = project.config();
    assert_eq!(row(&listing, "ledger.days")["value"], 7, "a group of others");
    assert!(found(&listing)[0].contains("can be written by others (mode 664)"), "{listing}");
}

#[test]
fn what_windlass_makes_is_private_whatever_the_umask_is() {
    let project = Project::new();
    write(&project.root().join("hooks.yaml"), b"hooks:\n  session_start:\n    timeout_ms: 7500\n");
    let run = |arguments: &[&str], input: &str| {
        let output = feed(&mut under_umask(&project, "000", arguments), input.as_bytes());
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    };
    let event = |name: &str| json!({"hook_event_name": name, "session_id": "s"}).to_string();
    run(&["hook"], "no JSON");
    run(&["hook"], &event("UserPromptSubmit"));
    let import = under_umask(&project, "000", &["import", "config", "hooks.yaml"]);
    said(&as_user(&import), 0);
    run(&["init"], "");
    run(&["store", "backup"], "");
    let restore = under_umask(&project, "000", &["store", "restore", "--empty"]);
    said(&as_user(&restore), 0);
    run(&["hook"], &event("Stop"));
    run(&["tidy"], "");
    let home = project.home.path();
    let mut open = vec![home.join(".local/share"), home.join(".config")];
    let mut files = 0;
    while let Some(path) = open.pop() {
        let metadata = fs::symlink_metadata(&path).unwrap();
        let private = if metadata.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(metadata.mode() & 0o777, private, "{}", path.display());
        if metadata.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|it| it.unwrap().path()));
        } else {
            files += 1;
        }
    }
    assert!(files > 8, "{files}");
    for path in [".claude", ".claude/settings.json", ".local/bin"] {
        let mode = fs::metadata(home.join(path)).unwrap().mode();
        assert_eq!(mode & 0o002, 0, "{path} {mode:o}");
    }
}

#[test]
fn a_file_of_someone_else_does_not_count() {
    let project = Project::new();
    project.settings("ledger.days = 1\n");
    if chown(project.file(), Some(65_533), None).is_err() {
        println!("skipped: only the superuser can give a file away");
        return;
    }
    let line = weakens_nothing(|it| {
        it.settings("ledger.days = 1\n");
        chown(it.file(), Some(65_533), None).unwrap();
    });
    assert!(line.contains("all (belongs to someone else)"), "{line}");
    project.user("ledger.days = 2\n");
    chown(project.user_file(), Some(65_533), None).unwrap();
    let listing = project.config();
    assert_eq!(row(&listing, "ledger.days")["origin"], "default");
    assert!(found(&listing)[0].ends_with("config.toml belongs to user 65533"), "{listing}");
}

#[test]
fn of_a_file_that_cannot_be_understood_the_rest_counts() {
    let cases: [(&[u8], &str, Value); 4] = [
        (b"ledger.days = 1\nledger.texts = fals\n", "line 2 (not TOML)", json!(1)),
        (b"ledger.days = 1\n# \xff\n", "line 2 (not text)", json!(1)),
        (b"ledger.texts = false\nledger.days = 1", "line 2 (may be half-written)", json!(90)),
        (b"ledger.days = 1\nledger.days = 2\n", "line 2 (not TOML)", json!(1)),
    ];
    for (bytes, why, days) in cases {
        let project = Project::new();
        project.settings(bytes);
        let listing = project.config();
        assert!(listing["ignored"].as_str().unwrap().contains(why), "{listing}");
        assert_eq!(row(&listing, "ledger.days")["value"], days);
        let project = Project::new();
        project.user(bytes);
        let listing = project.config();
        assert_eq!(row(&listing, "ledger.days")["value"], days);
        assert_eq!(listing["findings"].as_array().unwrap().len(), 1);
        assert!(listing["findings"][0]["line"].as_u64().unwrap() >= 1, "{listing}");
    }
}

#[test]
fn a_finding_has_no_power_over_the_terminal() {
    let project = Project::new();
    project.settings("\"\\u001b[2J\\u202egnirts\" = 1\nledger.days = \"\u{9b}\"\n");
    let text = project.run(&["config"]);
    assert!(text.contains(r"`\u{202e}gnirts` is not a setting"), "{text}");
    let is_quiet = |it: char| it == '\n' || (!it.is_control() && it != '\u{202e}');
    assert!(text.chars().all(is_quiet), "{text:?}");
}

#[test]
fn half_a_file_is_never_a_mixture_that_nobody_wrote() {
    let whole = "# mine\n[ledger]\ndays = 45 # enough\nmax_mb = 1234\ntexts = false\n\n\
                 [statusline]\ncommand = [\"my\", \"line\"]\ntimeout_ms = 250\n\n\
                 [hooks.session-end]\ntimeout_s = 17\nenabled = false\n";
    let project = Project::new();
    let defaults = settings(&project.config());
    project.user(whole);
    let written = settings(&project.config());
    for length in 0..whole.len() {
        let half = &whole[..length];
        project.user(half);
        let listing = project.config();
        let settings = settings(&listing);
        for (at, (key, value)) in settings.iter().enumerate() {
            let known = [&defaults[at].1, &written[at].1];
            assert!(known.contains(&value), "{key} = {value} after {half:?}");
        }
        let is_toml = toml::de::DeTable::parse(half).is_ok();
        let may_go_on = half.ends_with(|it: char| it.is_ascii_digit());
        let findings = listing["findings"].as_array().unwrap().len();
        if is_toml && !may_go_on {
            assert_eq!(findings, 0, "{half:?}");
        } else {
            assert_eq!(findings, 1, "{half:?}");
        }
    }
}

/// Numbers without a pattern, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn file(&mut self) -> String {
        let mut text = String::new();
        let switch = |it: u64| ["true", "false"][usize::try_from(it).unwrap()];
        for key in ["ledger.texts", "transcripts.read"] {
            match self.below(4) {
                it @ (0 | 1) => writeln!(text, "{key} = {}", switch(it)).unwrap(),
                2 => writeln!(text, "{key} = {}", self.below(2)).unwrap(),
                _ => {}
            }
        }
        for (key, limit) in [("ledger.days", 5000), ("statusline.timeout_ms", 2500)] {
            match self.below(4) {
                0 => {}
                1 => writeln!(text, "{key} = '{}'", self.below(limit)).unwrap(),
                _ => writeln!(text, "{key} = {}", self.below(limit)).unwrap(),
            }
        }
        text
    }
}

#[test]
fn whatever_a_project_sets_the_policy_is_never_looser_than_the_users() {
    let mut random = Random(0x5eed);
    let project = Project::new();
    let mut tightened = 0;
    for _ in 0..150 {
        let (user, theirs) = (random.file(), random.file());
        project.user(&user);
        fs::remove_file(project.file()).unwrap_or_default();
        let own = settings(&project.config());
        project.settings(&theirs);
        let both = settings(&project.config());
        for ((key, own), (_, both)) in own.iter().zip(&both) {
            let is_tighter = match (own, both) {
                (Value::Bool(own), Value::Bool(both)) => both <= own,
                (Value::Number(own), Value::Number(both)) => both.as_u64() <= own.as_u64(),
                _ => own == both,
            };
            assert!(is_tighter, "{key}: {own} became {both}\nuser:\n{user}\nproject:\n{theirs}");
            tightened += usize::from(own != both);
        }
    }
    assert!(tightened > 50, "{tightened}");
}

#[test]
fn a_switched_off_transcript_is_not_read() {
    let project = Project::new();
    let transcript = project.home.projects().join("p/s.jsonl");
    write(
        &transcript,
        b"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"hello\"}}\n",
    );
    let stop = |session: &str| {
        let payload = json!({
            "hook_event_name": "Stop", "session_id": session, "cwd": project.root(),
            "transcript_path": transcript, "stop_hook_active": false,
        });
        assert_silent(&feed(&mut project.home.command(), payload.to_string().as_bytes()));
        project.home.query("SELECT * FROM transcripts").len()
    };
    assert_eq!(stop("a"), 1);
    project.settings("transcripts.read = false\n");
    assert_eq!(stop("b"), 1);
    project.user("transcripts.read = false\n");
    project.settings("transcripts.read = true\n");
    assert_eq!(stop("c"), 1);
    project.user("# none\n");
    assert_eq!(stop("d"), 2);
}

#[test]
fn no_settings_break_a_hook() {
    let prepare: [fn(&Project); 6] = [
        |it| it.user("ledger."),
        |it| fifo(&it.file()),
        |it| symlink("/dev/zero", it.file()).unwrap(),
        |it| it.settings(HOSTILE),
        |it| it.settings(vec![b'['; 256 << 10]),
        |it| it.settings(vec![0xff; 300 << 10]),
    ];
    for prepare in prepare {
        let project = Project::new();
        prepare(&project);
        let transcript = project.home.projects().join("p/s.jsonl");
        write(&transcript, b"{}\n");
        let payload = json!({
            "hook_event_name": "Stop", "session_id": "s", "cwd": project.root(),
            "transcript_path": transcript,
        });
        assert_silent(&feed(&mut project.home.command(), payload.to_string().as_bytes()));
        assert_eq!(project.home.failures(), [Value::Null; 0]);
        assert_eq!(project.home.records().len(), 1);
    }
}

/// Listings are pasted into reports.
#[test]
fn a_secret_where_a_name_should_be_is_not_shown() {
    let secret = ["ghp_", "0123456789abcdefghijABCDEFGHIJ012345"].concat();
    for text in
        [format!("{secret} = 1\n"), format!("[{secret}]\n"), format!("ledger.{secret} = 1\n")]
    {
        let project = Project::new();
        project.settings(&text);
        let listing = project.config().to_string();
        assert!(listing.contains("redacted") && !listing.contains(&secret), "{listing}");
    }
}

/// Nested tables cost the parser a microsecond for each byte, and every hook reads the file.
#[test]
fn a_long_file_of_a_project_costs_itself() {
    let project = Project::new();
    let long = "#".repeat(16 << 10);
    project.settings(format!("transcripts.read = false\n{long}\n"));
    let findings = project.config()["findings"].to_string();
    assert!(findings.contains(".windlass.toml"), "{findings}");
    project.user(format!("transcripts.read = false\n{long}\n"));
    fs::remove_file(project.file()).unwrap();
    assert_eq!(project.config()["findings"], json!([]));
}

#[test]
fn the_reference_is_the_table() {
    let listing = Project::new().config();
    let mut page = String::from(
        "# Settings\n\n\
         Your settings are in `~/.config/windlass/config.toml` (or below `$XDG_CONFIG_HOME`), those of a project in `.windlass.toml` at the root of its working tree.\n\
         [Settings and trust](../guide/settings-and-trust.md) says how they go together.\n\n\
         This page is made from the program's own table.\n",
    );
    for row in listing["settings"].as_array().unwrap() {
        let word = |name: &str| row[name].as_str().unwrap();
        write!(
            page,
            "\n## `{}`\n\n{}\n\n- Value: {}.\n- Default: `{}`.\n- Class: {}. A project {}.\n",
            word("key"),
            word("about").replace(". ", ".\n"),
            word("values"),
            row["default"],
            word("class"),
            word("project"),
        )
        .unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/config.md");
    assert_same(&path, &page);
}

#[test]
fn a_project_may_raise_the_level_of_what_is_captured_and_not_lower_it() {
    let project = Project::new();
    project.user("triage.capture_at = 60\n");
    for (wanted, value, origin) in [(70, 70, "project"), (55, 60, "user")] {
        project.settings(format!("triage.capture_at = {wanted}\ntriage.ask_at = 60\n"));
        let listing = project.config();
        let row = row(&listing, "triage.capture_at");
        assert_eq!((&row["value"], &row["origin"]), (&json!(value), &json!(origin)));
        let found = found(&listing).join("\n");
        assert_eq!(found.contains("triage.capture_at"), wanted < 60, "{found}");
        assert!(found.contains("triage.ask_at"), "what bothers the user needs trust: {found}");
    }
}

/// A file that was cut to nothing loosens nothing, until its user says that it is to be empty.
#[test]
fn an_emptied_settings_file_keeps_what_protects() {
    for rest in [Some(""), Some(" \n\n"), None] {
        let project = Project::new();
        let start = |session: &str| {
            let event = json!({"hook_event_name": "SessionStart", "session_id": session,
                "cwd": project.root(), "source": "startup"});
            let output = feed(&mut project.home.command(), event.to_string().as_bytes());
            String::from_utf8(output.stdout).unwrap()
        };
        project.user("ledger.texts = false\ngates.proof.mode = \"off\"\n");
        assert!(!start("5b9a4a3e-0000-4d6b-9a61-0b1c7e8f1c11").contains("broken"));
        let file = project.home.path().join(".config/windlass/config.toml");
        match rest {
            Some(rest) => fs::write(&file, rest).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        let value = |name: &str| {
            let settings = settings(&project.config());
            settings.into_iter().find(|it| it.0 == name).unwrap().1
        };
        let texts = || value("ledger.texts");
        assert_eq!(texts(), json!(false), "{rest:?}");
        // Who deletes the file wants the gates as they are without it.
        assert_eq!(value("gates.proof.mode"), json!("ask"), "{rest:?}");
        let said = start("5b9a4a3e-0001-4d6b-9a61-0b1c7e8f1c11");
        assert!(
            said.contains("your settings are broken") && said.contains("as before: ledger.texts")
        );
        assert!(project.run(&["config"]).contains("`# none`"), "{rest:?}");
        project.user("# none\n");
        assert_eq!(texts(), json!(true), "{rest:?}");
        assert!(!start("5b9a4a3e-0002-4d6b-9a61-0b1c7e8f1c11").contains("broken"));
        project.user("");
        assert_eq!(texts(), json!(true), "{rest:?}");
    }
}
