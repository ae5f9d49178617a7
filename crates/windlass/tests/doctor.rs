//! `doctor` finds each fault that is planted into a healthy installation, and only that one.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    as_user, assert_silent, binary, copy_program, feed, make_repository, payloads, write_program,
};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// A healthy installation, made by `init`, in a home that nobody else sees.
struct World {
    dir: TempDir,
    /// Where the user stands.
    directory: PathBuf,
    environment: Vec<(&'static str, Option<String>)>,
    held: Option<Connection>,
}

impl World {
    fn bare(client: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        // The directory above may be anything, and must be nobody's concern here.
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o700)).unwrap();
        let directory = dir.path().join("home/project");
        make_repository(&directory);
        for path in ["bin", "tmp"] {
            fs::create_dir_all(dir.path().join(path)).unwrap();
        }
        let world = Self { dir, directory, environment: Vec::new(), held: None };
        world.client(client);
        world
    }

    fn healthy() -> Self {
        let world = Self::bare("2.1.325 (Claude Code)");
        world.run(&["init"]);
        world
    }

    fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    fn data(&self) -> PathBuf {
        self.home().join(".local/share/windlass")
    }

    fn installed(&self) -> PathBuf {
        self.home().join(".local/bin/windlass")
    }

    fn settings(&self) -> PathBuf {
        self.home().join(".claude/settings.json")
    }

    /// Where the client keeps its servers.
    fn state(&self) -> PathBuf {
        self.home().join(".claude.json")
    }

    fn skills(&self) -> PathBuf {
        self.home().join(".claude/skills")
    }

    fn bin(&self, name: &str) -> PathBuf {
        self.dir.path().join("bin").join(name)
    }

    /// Makes a client that answers like this when it is asked for its version.
    fn client(&self, answer: &str) {
        write_script(&self.bin("claude"), &format!("echo '{answer}'"));
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command.args(arguments).env_clear().current_dir(&self.directory).stdin(Stdio::null());
        let bin = self.dir.path().join("bin");
        let path = format!(
            "{}:{}:/usr/bin:/bin",
            bin.display(),
            self.installed().parent().unwrap().display()
        );
        command
            .env("HOME", self.home())
            .env("PATH", path)
            .env("TMPDIR", self.dir.path().join("tmp"));
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    fn run(&self, arguments: &[&str]) {
        let output = self.command(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    /// What `doctor` finds.
    fn doctor(&self) -> Report {
        Report::of(&self.command(&["doctor", "--json"]).output().unwrap())
    }

    /// Changes the user's settings.
    fn edit(&self, edit: impl FnOnce(&mut Value)) {
        edit_json(&self.settings(), edit);
    }

    /// Feeds one event to the installed hook.
    fn hook(&self, payload: &Value) {
        let mut command = self.command(&["hook"]);
        assert_silent(&feed(&mut command, payload.to_string().as_bytes()));
    }

    /// An event of a session.
    fn event(&self, session: &str, name: &str, more: &Value) {
        let mut payload = json!({
            "hook_event_name": name,
            "session_id": session,
            "cwd": self.directory,
            "transcript_path": self.transcript(session),
        });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.hook(&payload);
    }

    fn transcript(&self, session: &str) -> PathBuf {
        self.home().join(".claude/projects/p").join(format!("{session}.jsonl"))
    }

    /// A session with a prompt, a tool and a stop.
    fn session(&self, session: &str) {
        self.event(session, "SessionStart", &json!({"source": "startup"}));
        self.event(session, "UserPromptSubmit", &json!({"prompt_id": "1", "prompt": "go"}));
        self.tool(session);
        self.event(session, "Stop", &json!({"last_assistant_message": "done"}));
    }

    fn tool(&self, session: &str) {
        let call = json!({"tool_name": "Bash", "tool_input": {"command": "true"},
            "tool_use_id": "t", "tool_response": "ok"});
        self.event(session, "PostToolBatch", &json!({"tool_calls": [call]}));
    }

    /// The store, to plant something into it.
    fn store(&self) -> Connection {
        let store = Connection::open(self.data().join("store.db")).unwrap();
        store.busy_timeout(Duration::from_secs(20)).unwrap();
        store
    }

    /// Puts a program in the place of the registered one, for all that the hooks know.
    fn register_script(&self, script: &str) {
        let path = self.bin("windlass");
        let real = binary();
        let real = real.display();
        let version = format!("[ \"$1\" = --version ] && exec '{real}' --version");
        write_script(&path, &format!("{version}\n{}", script.replace("REAL", &real.to_string())));
        let text = fs::read_to_string(self.settings()).unwrap();
        let installed = self.installed().display().to_string();
        let text = text.replace(&installed, &path.display().to_string());
        fs::write(self.settings(), text).unwrap();
    }

    fn project(&self) -> PathBuf {
        self.directory.join(".claude")
    }
}

/// What `doctor` said.
#[derive(Debug)]
struct Report {
    findings: Vec<Value>,
    healthy: bool,
    checked: usize,
}

impl Report {
    fn of(output: &Output) -> Self {
        assert!(output.stderr.is_empty(), "{output:?}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = report["findings"].as_array().unwrap().clone();
        let healthy = report["healthy"] == true;
        let faults = findings.iter().any(|it| it["severity"] == "fault");
        assert_eq!((healthy, output.status.code()), (!faults, Some(i32::from(faults))));
        Self { findings, healthy, checked: report["checked"].as_array().unwrap().len() }
    }

    /// The findings, without what is true of a usual build wherever it is installed.
    fn besides_the_build(&self) -> Vec<&Value> {
        let is_usual_build = std::env::var_os("WINDLASS_RELEASE_BIN").is_none();
        let is_build = |it: &&Value| is_usual_build && it["check"] == "static";
        self.findings.iter().filter(|it| !is_build(it)).collect()
    }
}

/// Plants a fault, or says why that cannot be done here.
type Plant = fn(&mut World) -> Result<(), &'static str>;

/// Asserts that one check, and no other, finds what was planted, with a step to take.
#[track_caller]
fn finds(check: &str, severity: &str, words: &str, plant: Plant) {
    let mut world = World::healthy();
    if let Err(reason) = plant(&mut world) {
        println!("skipped: {reason}");
        return;
    }
    only(&world.doctor(), check, severity, words);
}

#[track_caller]
fn only(report: &Report, check: &str, severity: &str, words: &str) {
    let found = if check == "static" {
        report.findings.iter().collect()
    } else {
        report.besides_the_build()
    };
    let checks: BTreeSet<_> = found.iter().map(|it| it["check"].as_str().unwrap()).collect();
    assert_eq!(checks, BTreeSet::from([check]), "{found:#?}");
    for finding in &found {
        for field in ["found", "why", "next"] {
            assert!(!finding[field].as_str().unwrap().is_empty(), "{finding}");
        }
        assert_eq!(finding["severity"], severity, "{finding}");
    }
    let fits = |it: &&Value| it["found"].as_str().unwrap().contains(words);
    assert!(found.iter().any(fits), "{words}: {found:#?}");
}

macro_rules! planted {
    ($($name:ident: $check:literal, $severity:literal, $words:literal, $plant:expr;)*) => {
        $(#[test]
        fn $name() {
            finds($check, $severity, $words, $plant);
        })*
    };
}

planted! {
    a_home_that_is_not_set: "home", "fault", "HOME is not set", |world| {
        world.environment.push(("HOME", None));
        Ok(())
    };
    a_home_that_is_relative: "home", "fault", "not an absolute path: home", |world| {
        world.environment.push(("HOME", Some("home".to_owned())));
        Ok(())
    };
    a_data_directory_that_is_relative: "home", "warning", "XDG_DATA_HOME", |world| {
        world.environment.push(("XDG_DATA_HOME", Some("data".to_owned())));
        Ok(())
    };
    data_inside_a_repository: "home", "warning", "inside the repository", |world| {
        make_repository(&world.home());
        Ok(())
    };

    a_data_directory_that_others_can_write: "permissions", "fault", "mode 777", |world| {
        set_mode(&world.data(), 0o777);
        Ok(())
    };
    a_store_that_others_can_read: "permissions", "warning", "read by others (mode 644)", |world| {
        world.session("s");
        set_mode(&world.data().join("store.db"), 0o644);
        Ok(())
    };
    a_store_that_others_can_write: "permissions", "fault", "written by others (mode 660)", |world| {
        world.session("s");
        set_mode(&world.data().join("store.db"), 0o660);
        Ok(())
    };
    a_journal_of_another_user: "permissions", "fault", "belongs to user 65534", |world| {
        world.session("s");
        chown(&world.data().join("journal"))
    };
    settings_that_others_can_write: "permissions", "fault", "settings.json can be written", |world| {
        set_mode(&world.settings(), 0o666);
        Ok(())
    };
    settings_of_another_user: "permissions", "fault", "belongs to user 65534", |world| {
        chown(&world.settings())
    };
    a_program_that_others_can_write: "permissions", "fault", "bin/windlass can be written", |world| {
        set_mode(&world.installed(), 0o757);
        Ok(())
    };
    a_directory_above_that_everybody_can_write: "permissions", "fault", "Everybody can replace", |world| {
        set_mode(&world.home().join(".local/share"), 0o777);
        Ok(())
    };

    gates_that_are_switched_off: "gates", "note", "All gates are off everywhere", |world| {
        let output = as_user(&world.command(&["gate", "off", "--everywhere"]));
        assert!(output.status.success(), "{output:?}");
        Ok(())
    };
    a_switch_that_is_damaged: "gates", "warning", "is not a switch", |world| {
        write_config(&world.data().join("switches/0123456789abcdef.json"), "{");
        Ok(())
    };
    a_command_that_an_agent_tried: "attempts", "note", "tried `windlass uninstall`", |world| {
        let mut command = world.command(&["uninstall"]);
        let output = command.env("CLAUDECODE", "1").output().unwrap();
        assert!(!output.status.success(), "{output:?}");
        Ok(())
    };
    gates_that_the_environment_switches_off: "gates", "note", "WINDLASS_GATES=off", |world| {
        world.environment.push(("WINDLASS_GATES", Some("off".to_owned())));
        Ok(())
    };
    a_variable_that_means_nothing: "gates", "warning", "WINDLASS_GATES is `no`", |world| {
        world.environment.push(("WINDLASS_GATES", Some("no".to_owned())));
        Ok(())
    };
    gates_that_the_clients_settings_switch_off: "gates", "note", "settings.json has WINDLASS_GATES=off", |world| {
        world.edit(|it| it["env"] = json!({"WINDLASS_GATES": "off"}));
        Ok(())
    };

    a_client_that_knows_no_hooks: "client", "warning", "knows none of the events", |world| {
        world.client("1.0.20 (Claude Code)");
        Ok(())
    };
    a_client_that_is_newer_than_we_know: "client", "note", "9.0.0 is newer", |world| {
        world.client("9.0.0 (Claude Code)");
        Ok(())
    };
    a_client_that_is_older_than_we_tested: "client", "note", "2.1.190 is older", |world| {
        world.client("2.1.190 (Claude Code)");
        Ok(())
    };
    a_client_that_does_not_tell_its_version: "client", "note", "does not tell its version", |world| {
        world.client("hello");
        Ok(())
    };
    a_client_that_hangs: "client", "note", "does not tell its version", |world| {
        write_script(&world.bin("claude"), "sleep 60");
        Ok(())
    };
    no_client: "client", "note", "There is no `claude`", |world| {
        fs::remove_file(world.bin("claude")).unwrap();
        let elsewhere = ["/usr/local/bin/claude", "/opt/homebrew/bin/claude", "/usr/bin/claude"];
        let is_there = elsewhere.iter().any(|it| Path::new(it).exists());
        if is_there { Err("a client is installed on this machine") } else { Ok(()) }
    };

    a_client_elsewhere: "client", "note", "so a client is somewhere else", |world| {
        world.session("s");
        fs::remove_file(world.bin("claude")).unwrap();
        let elsewhere = ["/usr/local/bin/claude", "/opt/homebrew/bin/claude", "/usr/bin/claude"];
        let is_there = elsewhere.iter().any(|it| Path::new(it).exists());
        if is_there { Err("a client is installed on this machine") } else { Ok(()) }
    };

    settings_that_are_not_json: "settings", "fault", "it is not JSON", |world| {
        let text = fs::read_to_string(world.settings()).unwrap();
        fs::write(world.settings(), &text[..text.len() / 2]).unwrap();
        Ok(())
    };
    settings_with_a_comment: "settings", "fault", "a comment or a comma too many", |world| {
        let text = fs::read_to_string(world.settings()).unwrap();
        fs::write(world.settings(), format!("// mine\n{text}")).unwrap();
        Ok(())
    };
    settings_that_are_a_pipe: "settings", "warning", "not a plain file", |world| {
        fs::create_dir_all(world.project()).unwrap();
        let made = Command::new("mkfifo").arg(world.project().join("settings.json")).status();
        if made.is_ok_and(|it| it.success()) { Ok(()) } else { Err("there is no mkfifo") }
    };
    hooks_that_are_a_list: "settings", "warning", "`hooks` is not an object", |world| {
        fs::create_dir_all(world.project()).unwrap();
        fs::write(world.project().join("settings.json"), r#"{"hooks": []}"#).unwrap();
        Ok(())
    };
    hooks_in_a_file_that_nobody_reads: "settings", "warning", "settings.local.json", |world| {
        fs::copy(world.settings(), world.home().join(".claude/settings.local.json")).unwrap();
        Ok(())
    };
    hooks_beside_the_directory_that_counts: "settings", "note", ".claude/settings.json", |world| {
        let elsewhere = world.dir.path().join("config");
        fs::create_dir(&elsewhere).unwrap();
        fs::copy(world.settings(), elsewhere.join("settings.json")).unwrap();
        fs::copy(world.state(), elsewhere.join(".claude.json")).unwrap();
        fs::rename(world.skills(), elsewhere.join("skills")).unwrap();
        world.environment.push(("CLAUDE_CONFIG_DIR", Some(elsewhere.display().to_string())));
        Ok(())
    };

    hooks_switched_off_by_the_user: "switches", "fault", "disableAllHooks", |world| {
        world.edit(|it| it["disableAllHooks"] = json!(true));
        Ok(())
    };
    hooks_switched_off_by_the_project: "switches", "fault", "disableAllHooks", |world| {
        fs::create_dir_all(world.project()).unwrap();
        fs::write(world.project().join("settings.json"), r#"{"disableAllHooks": true}"#).unwrap();
        Ok(())
    };
    hooks_switched_off_by_a_variable_of_the_settings: "switches", "fault", "CLAUDE_CODE_SAFE_MODE", |world| {
        world.edit(|it| it["env"] = json!({"CLAUDE_CODE_SAFE_MODE": "true"}));
        Ok(())
    };
    hooks_switched_off_by_the_environment: "switches", "fault", "CLAUDE_CODE_SIMPLE", |world| {
        world.environment.push(("CLAUDE_CODE_SIMPLE", Some("1".to_owned())));
        Ok(())
    };

    a_server_that_is_not_registered: "tools", "warning", "has no server `windlass`", |world| {
        fs::remove_file(world.state()).unwrap();
        Ok(())
    };
    a_server_of_others_with_our_name: "tools", "warning", "another server with the name", |world| {
        edit_json(&world.state(), |it| it["mcpServers"]["windlass"] = json!({"url": "http://x"}));
        Ok(())
    };
    a_server_that_is_another_program: "tools", "warning", "/elsewhere/windlass", |world| {
        edit_json(&world.state(), |it| {
            it["mcpServers"]["windlass"]["command"] = json!("/elsewhere/windlass");
        });
        Ok(())
    };
    a_server_that_is_not_wanted: "tools", "warning", "your settings do not", |world| {
        write_config(&world.home().join(".config/windlass/config.toml"), "[mcp]\nenabled = false\n");
        Ok(())
    };
    a_state_that_is_not_json: "tools", "warning", "cannot be understood", |world| {
        fs::write(world.state(), "{ half").unwrap();
        Ok(())
    };
    a_skill_that_is_gone: "tools", "warning", "windlass-heal/SKILL.md is not there", |world| {
        fs::remove_file(world.skills().join("windlass-heal/SKILL.md")).unwrap();
        Ok(())
    };
    a_skill_that_the_user_wrote: "tools", "note", "is not what `init` wrote", |world| {
        fs::write(world.skills().join("windlass-heal/SKILL.md"), "mine").unwrap();
        Ok(())
    };
    skills_that_are_not_wanted: "tools", "warning", "your settings do not want it", |world| {
        let file = world.home().join(".config/windlass/config.toml");
        write_config(&file, "[skills]\nenabled = false\n");
        Ok(())
    };

    settings_of_ours_that_are_not_toml: "config", "fault", "it is not TOML", |world| {
        write_config(&world.home().join(".config/windlass/config.toml"), "ledger = \n");
        Ok(())
    };
    a_setting_of_ours_that_is_none: "config", "warning", "`ledger.dayz` is not a setting", |world| {
        write_config(&world.home().join(".config/windlass/config.toml"), "[ledger]\ndayz = 3\n");
        Ok(())
    };
    a_project_that_wants_to_run_something: "config", "note", "`statusline.command` is not trusted", |world| {
        let text = "[statusline]\ncommand = [\"./line\"]\n";
        write_config(&world.directory.join(".windlass.toml"), text);
        Ok(())
    };

    a_check_whose_program_is_missing: "commands", "warning", "`unit` names `no-such-program`", |world| {
        let text = "[checks.unit]\ncommand = [\"no-such-program\"]\n";
        write_config(&world.home().join(".config/windlass/config.toml"), text);
        Ok(())
    };

    nothing_is_registered: "registration", "fault", "not registered", |world| {
        let output = as_user(&world.command(&["uninstall"]));
        assert!(output.status.success(), "{output:?}");
        Ok(())
    };
    an_event_that_is_not_registered: "registration", "fault", "no hook for Stop", |world| {
        world.edit(|it| drop(it["hooks"].as_object_mut().unwrap().remove("Stop")));
        Ok(())
    };
    a_hook_with_another_limit: "registration", "warning", "Stop for 60 s instead of 600 s", |world| {
        world.edit(|it| it["hooks"]["Stop"][0]["hooks"][0]["timeout"] = json!(60));
        Ok(())
    };
    a_hook_that_nobody_waits_for: "registration", "warning", "Stop without waiting", |world| {
        world.edit(|it| it["hooks"]["Stop"][0]["hooks"][0]["async"] = json!(true));
        Ok(())
    };
    a_hook_for_some_tools_only: "registration", "warning", "only for `Bash`", |world| {
        world.edit(|it| it["hooks"]["PostToolBatch"][0]["matcher"] = json!("Bash"));
        Ok(())
    };
    a_hook_without_its_argument: "registration", "warning", "SessionStart as `", |world| {
        world.edit(|it| it["hooks"]["SessionStart"][0]["hooks"][0]["args"] = json!([]));
        Ok(())
    };
    a_hook_that_is_not_wanted: "registration", "warning", "a hook for PostToolUse", |world| {
        world.edit(|it| it["hooks"]["PostToolUse"] = it["hooks"]["PostToolBatch"].clone());
        Ok(())
    };

    two_spellings_of_one_hook: "twice", "fault", "Stop twice", |world| {
        world.edit(|it| {
            let mut other = it["hooks"]["Stop"][0].clone();
            let command = other["hooks"][0]["command"].as_str().unwrap().to_owned();
            other["hooks"][0] = json!({"type": "command", "command": format!("{command} hook")});
            it["hooks"]["Stop"].as_array_mut().unwrap().push(other);
        });
        Ok(())
    };
    the_user_and_the_project_in_other_words: "twice", "fault", "Registered twice", |world| {
        fs::create_dir_all(world.project()).unwrap();
        fs::copy(world.settings(), world.project().join("settings.json")).unwrap();
        edit_json(&world.project().join("settings.json"), |it| {
            for groups in it["hooks"].as_object_mut().unwrap().values_mut() {
                let hook = groups[0]["hooks"][0].as_object_mut().unwrap();
                hook.remove("args");
                hook["command"] = json!("windlass hook");
            }
        });
        Ok(())
    };
    a_plugin_besides_the_settings: "twice", "fault", "Registered twice", |world| {
        let root = world.home().join(".claude/plugins/cache/m/windlass/1.0.0");
        fs::create_dir_all(root.join("hooks")).unwrap();
        fs::create_dir_all(root.join("bin")).unwrap();
        copy_program(&binary(), &root.join("bin/windlass"));
        fs::copy(world.settings(), root.join("hooks/hooks.json")).unwrap();
        edit_json(&root.join("hooks/hooks.json"), |it| {
            for groups in it["hooks"].as_object_mut().unwrap().values_mut() {
                groups[0]["hooks"][0]["command"] = json!("${CLAUDE_PLUGIN_ROOT}/bin/windlass");
            }
        });
        let installed = json!({"version": 2, "plugins": {
            "windlass@m": [{"scope": "user", "installPath": root, "version": "1.0.0"}],
        }});
        let list = world.home().join(".claude/plugins/installed_plugins.json");
        fs::write(list, installed.to_string()).unwrap();
        world.edit(|it| it["enabledPlugins"] = json!({"windlass@m": true}));
        Ok(())
    };

    a_program_that_is_gone: "program", "fault", "is not there", |world| {
        fs::remove_file(world.installed()).unwrap();
        Ok(())
    };
    a_program_that_cannot_be_executed: "program", "fault", "cannot be executed", |world| {
        set_mode(&world.installed(), 0o644);
        Ok(())
    };
    a_program_for_another_machine: "program", "fault", "cannot be started", |world| {
        fs::write(world.installed(), b"\x7fELF\x02\x01 of another machine").unwrap();
        Ok(())
    };
    a_program_that_is_not_windlass: "program", "fault", "is not windlass", |world| {
        write_script(&world.installed(), "echo hello");
        Ok(())
    };
    a_program_of_another_version: "program", "warning", "is windlass 99.0.0", |world| {
        let real = binary();
        let script = format!("[ \"$1\" = --version ] && exec echo windlass 99.0.0\nexec '{}' \"$@\"", real.display());
        write_script(&world.installed(), &script);
        Ok(())
    };
    a_program_that_init_did_not_put_there: "program", "warning", "not the file that `init`", |world| {
        OpenOptions::new().append(true).open(world.installed()).unwrap().write_all(b"!").unwrap();
        Ok(())
    };
    a_program_that_the_shell_does_not_find: "program", "note", "not on PATH", |world| {
        let bin = world.dir.path().join("bin");
        world.environment.push(("PATH", Some(format!("{}:/usr/bin:/bin", bin.display()))));
        Ok(())
    };
    a_program_that_is_linked_when_it_starts: "static", "note", "dynamically linked", |world| {
        world.register_script("");
        copy_program(Path::new(env!("CARGO_BIN_EXE_windlass")), &world.bin("windlass"));
        Ok(())
    };

    a_hook_that_ends_with_a_code: "hooks", "fault", "ends with code 3 on SessionStart, UserPromptSubmit and 6 more", |world| {
        world.register_script("exit 3");
        Ok(())
    };
    a_hook_that_dies: "hooks", "fault", "ends with signal 9", |world| {
        world.register_script("kill -9 $$");
        Ok(())
    };
    a_hook_that_talks: "hooks", "fault", "it is not one JSON object: `hello`", |world| {
        world.register_script("echo hello; exec 'REAL' \"$@\"");
        Ok(())
    };
    a_hook_that_complains: "hooks", "fault", "writes on stderr (`no such thing`)", |world| {
        world.register_script("echo no such thing >&2; exec 'REAL' \"$@\"");
        Ok(())
    };
    a_hook_that_keeps_nothing: "hooks", "fault", "keeps nothing", |world| {
        world.register_script("cat > /dev/null");
        Ok(())
    };
    a_hook_that_fails: "hooks", "fault", "fails (parsing the event", |world| {
        world.register_script("echo '{\"broken' | 'REAL' hook");
        Ok(())
    };
    a_hook_that_hangs: "hooks", "fault", "does not end in time on SessionStart, UserPromptSubmit and 6 more", |world| {
        world.register_script("sleep 60");
        Ok(())
    };
    a_hook_that_keeps_one_kind_of_event_back: "hooks", "fault", "keeps nothing on Stop", |world| {
        world.register_script("event=$(cat); case $event in *'\"Stop\"'*) ;; *) printf %s \"$event\" | 'REAL' hook ;; esac");
        Ok(())
    };

    a_store_that_is_damaged: "store", "fault", "damaged", |world| {
        world.session("s");
        world.store().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        let path = world.data().join("store.db");
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle..middle + 3000].fill(0xa5);
        fs::write(&path, bytes).unwrap();
        Ok(())
    };
    a_store_that_is_none: "store", "fault", "damaged", |world| {
        fs::write(world.data().join("store.db"), "not a store, whatever it is called ".repeat(99)).unwrap();
        set_mode(&world.data().join("store.db"), 0o600);
        Ok(())
    };
    a_store_whose_rows_contradict_each_other: "store", "fault", "folded twice", |world| {
        world.session("s");
        let copy = "INSERT INTO events (session, kind, at, bytes, frame_end, body)
            SELECT session, kind, at, bytes, frame_end, body FROM events LIMIT 1";
        world.store().execute_batch(copy).unwrap();
        Ok(())
    };
    a_store_of_a_newer_version: "store", "fault", "newer windlass", |world| {
        world.session("s");
        world.store().pragma_update(None, "user_version", 99).unwrap();
        Ok(())
    };
    a_store_that_is_held: "store", "warning", "kept the store to itself", |world| {
        world.session("s");
        let store = world.store();
        store.execute_batch("BEGIN IMMEDIATE").unwrap();
        world.held = Some(store);
        Ok(())
    };
    a_store_that_is_a_link: "store", "fault", "not a plain file", |world| {
        let elsewhere = world.home().join("elsewhere.db");
        File::create(&elsewhere).unwrap();
        symlink(elsewhere, world.data().join("store.db")).unwrap();
        Ok(())
    };
    a_store_that_is_too_large: "store", "warning", "is the most", |world| {
        world.session("s");
        // All holes: nothing of it is on the disk, and the store passes it by.
        let log = File::create(world.data().join("store.db-wal")).unwrap();
        log.set_len(600 << 20).unwrap();
        set_mode(&world.data().join("store.db-wal"), 0o600);
        Ok(())
    };
    events_that_wait_to_be_folded: "store", "warning", "wait to be taken into the store", |world| {
        world.session("s");
        let body = json!({"event": "stop", "at": now() - 600_000, "session": "t", "bytes": 1});
        fs::write(world.data().join("journal/0123456789abcdef.journal"), frame(&body)).unwrap();
        set_mode(&world.data().join("journal/0123456789abcdef.journal"), 0o600);
        Ok(())
    };
    files_that_a_killed_process_left: "store", "note", "store.4711.new", |world| {
        for name in ["store.4711.new", "store.4711.new-wal", "store.db.restored"] {
            let path = world.data().join(name);
            File::create(&path).unwrap();
            set_modified(&path, now() - 3_600_000);
        }
        // Somebody may be at work on this one.
        File::create(world.data().join("store.4712.new")).unwrap();
        Ok(())
    };

    failures_of_the_last_days: "failures", "warning", "2 failures while parsing the event", |world| {
        for _ in 0..2 {
            assert_silent(&feed(&mut world.command(&["hook"]), b"{\"hook_event_name\":"));
        }
        Ok(())
    };
    failures_that_are_in_the_ledger: "failures", "warning", "1 failure while parsing the event", |world| {
        assert_silent(&feed(&mut world.command(&["hook"]), b"{\"hook_event_name\":"));
        world.session("s");
        world.run(&["store", "compact"]);
        Ok(())
    };

    an_event_that_fell_silent: "silence", "warning", "UserPromptSubmit is registered and was last seen 6 days ago", |world| {
        past(world, "old", 6, World::session);
        for (session, days) in [("a", 3), ("b", 2), ("c", 1)] {
            past(world, session, days, |world, session| {
                world.event(session, "SessionStart", &json!({"source": "startup"}));
                world.tool(session);
                world.event(session, "Stop", &json!({"last_assistant_message": "done"}));
            });
        }
        set_modified(&world.data().join("install.json"), now() - 6 * DAY);
        Ok(())
    };
    a_session_that_went_on_without_us: "silence", "warning", "Session s went on without windlass", |world| {
        let transcript = world.transcript("s");
        fs::create_dir_all(transcript.parent().unwrap()).unwrap();
        let row = json!({"type": "user", "message": {"role": "user", "content": "go on"}});
        fs::write(&transcript, format!("{row}\n")).unwrap();
        world.session("s");
        fs::write(&transcript, format!("{row}\n").repeat(2000)).unwrap();
        let hours = now() - 2 * 3_600_000;
        let store = world.store();
        store.execute("UPDATE sessions SET last_at = ?1", [hours]).unwrap();
        for entry in fs::read_dir(world.data().join("journal")).unwrap() {
            set_modified(&entry.unwrap().path(), hours);
        }
        Ok(())
    };

    events_from_the_future: "clock", "note", "stamped", |world| {
        world.session("s");
        world.store().execute("UPDATE sessions SET last_at = ?1", [now() + DAY]).unwrap();
        Ok(())
    };
}

#[test]
fn an_upgrade_of_the_client_that_init_has_not_seen() {
    let world = World::bare("2.1.117 (Claude Code)");
    world.run(&["init"]);
    world.client("2.1.325 (Claude Code)");
    let report = world.doctor();
    let found: Vec<_> = report.besides_the_build();
    assert!(found.iter().all(|it| it["check"] == "registration"), "{found:#?}");
    let all = found.iter().map(|it| it["found"].as_str().unwrap()).collect::<String>();
    assert!(
        all.contains("no hook for PostToolBatch") && all.contains("PostToolUseFailure"),
        "{all}"
    );
    world.run(&["init"]);
    assert_eq!(world.doctor().besides_the_build(), [&Value::Null; 0]);
}

/// Plants whose next step is a command that mends them.
const MENDED: &[(&str, Plant)] = &[
    ("a mode", |world| {
        world.session("s");
        set_mode(&world.data().join("store.db"), 0o666);
        set_mode(&world.data(), 0o777);
        set_mode(&world.home().join(".local/share"), 0o777);
        Ok(())
    }),
    ("a program without its bit", |world| {
        set_mode(&world.installed(), 0o644);
        Ok(())
    }),
    ("a program that is gone", |world| {
        fs::remove_file(world.installed()).unwrap();
        Ok(())
    }),
    ("a program that was changed", |world| {
        OpenOptions::new().append(true).open(world.installed()).unwrap().write_all(b"!").unwrap();
        Ok(())
    }),
    ("a registration that is gone", |world| {
        fs::remove_file(world.settings()).unwrap();
        Ok(())
    }),
    ("a registration that was changed", |world| {
        world.edit(|it| it["hooks"]["Stop"][0]["hooks"][0]["timeout"] = json!(1));
        world.edit(|it| drop(it["hooks"].as_object_mut().unwrap().remove("SessionEnd")));
        Ok(())
    }),
    ("a leftover", |world| {
        let path = world.data().join("store.4711.new");
        File::create(&path).unwrap();
        set_modified(&path, now() - 3_600_000);
        Ok(())
    }),
    ("a repository around the data", |world| {
        let git = Command::new("git").args(["init", "-q"]).current_dir(world.home()).status();
        git.map(drop).map_err(|_| "there is no git")
    }),
];

#[test]
fn the_next_step_mends_what_it_is_for() {
    for (name, plant) in MENDED {
        let mut world = World::healthy();
        if let Err(reason) = plant(&mut world) {
            println!("skipped: {name}: {reason}");
            continue;
        }
        let report = world.doctor();
        let steps: Vec<_> = report.besides_the_build();
        assert!(!steps.is_empty(), "{name}");
        for finding in steps {
            let next = finding["next"].as_str().unwrap();
            // A sentence has its command between back ticks.
            let command = next.split('`').nth(1).unwrap_or(next);
            let like = world.command(&[]);
            let command = match command.strip_prefix("windlass ") {
                Some(arguments) => format!("'{}' {arguments}", binary().display()),
                None => command.to_owned(),
            };
            let output = run_in_shell(&like, &command);
            assert!(output.status.success(), "{name}: {command}: {output:?}");
        }
        let left = world.doctor();
        assert_eq!(left.besides_the_build(), [&Value::Null; 0], "{name}");
    }
}

/// Runs a line in a shell that has the environment of another command.
fn run_in_shell(like: &Command, script: &str) -> Output {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", script]).env_clear().current_dir(like.get_current_dir().unwrap());
    for (name, value) in like.get_envs() {
        shell.env(name, value.unwrap());
    }
    shell.output().unwrap()
}

#[test]
fn the_check_of_the_store_agrees() {
    let world = World::healthy();
    world.session("s");
    let code = || world.command(&["store", "check"]).output().unwrap().status.code();
    assert_eq!(code(), Some(0));
    fs::write(world.data().join("store.db"), "nothing of a store ".repeat(99)).unwrap();
    assert_eq!(code(), Some(1));
    only(&world.doctor(), "store", "fault", "damaged");
}

#[test]
fn managed_settings_that_switch_hooks_off() {
    let world = World::healthy();
    let managed = r#"{"allowManagedHooksOnly": true}"#;
    let script = r#"mount -t tmpfs tmpfs /etc && mkdir /etc/claude-code || exit 9
        printf %s "$1" > /etc/claude-code/managed-settings.json
        exec "$0" doctor --json"#;
    let Some(output) = where_mounts_are_private(&world, script, managed) else { return };
    only(&Report::of(&output), "switches", "fault", "allowManagedHooksOnly");
}

#[test]
fn a_disk_that_is_nearly_full() {
    let world = World::bare("2.1.325 (Claude Code)");
    let size = fs::metadata(binary()).unwrap().len() + (20 << 20);
    let script = r#"mount -t tmpfs -o size="$1" tmpfs "$HOME" || exit 9
        cd "$HOME" && "$0" init > /dev/null && exec "$0" doctor --json"#;
    let Some(output) = where_mounts_are_private(&world, script, &size.to_string()) else { return };
    only(&Report::of(&output), "disk", "warning", "left");
}

/// Runs a script with `$0` the binary and one argument where mounts are nobody else's. Nothing
/// where the system does not let us.
fn where_mounts_are_private(world: &World, script: &str, argument: &str) -> Option<Output> {
    let root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command.args([if root { "-m" } else { "-rm" }, "--", "/bin/sh", "-c", script]);
        command.arg(binary()).arg(argument).env_clear().current_dir(&world.directory);
        for (name, value) in world.command(&[]).get_envs() {
            command.env(name, value.unwrap());
        }
        command.output()
    };
    if !unshare("mount -t tmpfs tmpfs /mnt").is_ok_and(|it| it.status.success()) {
        println!("skipped: mounts are not allowed here");
        return None;
    }
    Some(unshare(script).unwrap())
}

/// The events that are off unless the user wants them: registered, fired, and missed.
#[test]
fn events_of_tasks_and_teammates_are_known_once_they_are_switched_on() {
    let world = World::healthy();
    let config = world.home().join(".config/windlass/config.toml");
    let on = "hooks.team.enabled = true\n";
    write_config(&config, on);
    let words = "no hook for TaskCompleted and TeammateIdle";
    only(&world.doctor(), "registration", "fault", words);
    world.run(&["init"]);
    nothing_is_found(&world);
    fs::remove_file(config).unwrap();
    only(&world.doctor(), "registration", "warning", "a hook for TaskCompleted and TeammateIdle");
}

#[track_caller]
fn nothing_is_found(world: &World) {
    let report = world.doctor();
    assert_eq!(report.besides_the_build(), [&Value::Null; 0]);
    assert!(report.healthy && report.checked >= 16);
}

#[test]
fn a_healthy_installation_is_well() {
    let world = World::healthy();
    nothing_is_found(&world);
    nothing_is_found(&world);
}

/// People keep their settings in a repository of their own, and link to it.
#[test]
fn an_installation_behind_links_is_well() {
    for link in [".claude", ".claude/settings.json"] {
        let world = World::bare("2.1.325 (Claude Code)");
        let kept = world.home().join("dotfiles");
        fs::create_dir(&kept).unwrap();
        let target = kept.join("kept");
        if link == ".claude" {
            fs::create_dir(&target).unwrap();
        } else {
            fs::create_dir(world.home().join(".claude")).unwrap();
            fs::write(&target, "{}").unwrap();
        }
        symlink(&target, world.home().join(link)).unwrap();
        world.run(&["init"]);
        nothing_is_found(&world);
    }
}

#[test]
fn a_healthy_installation_of_an_older_client_is_well() {
    let world = World::bare("2.1.197 (Claude Code)");
    world.run(&["init"]);
    nothing_is_found(&world);
}

#[test]
fn a_healthy_installation_that_has_seen_every_recorded_event_is_well() {
    let world = World::healthy();
    let config = world.home().join(".claude").display().to_string();
    for (_, _, payload) in payloads("2.1.325") {
        let text = payload.to_string().replace("/CONFIG", &config);
        world.hook(&serde_json::from_str(&text).unwrap());
    }
    nothing_is_found(&world);
    world.run(&["store", "compact"]);
    nothing_is_found(&world);
}

#[test]
fn a_healthy_installation_that_has_worked_for_days_is_well() {
    let world = World::healthy();
    set_modified(&world.data().join("install.json"), now() - 9 * DAY);
    for (session, days) in [("a", 6), ("b", 5), ("c", 4), ("d", 3), ("e", 2), ("f", 0)] {
        past(&world, session, days, World::session);
    }
    nothing_is_found(&world);
}

#[test]
fn the_user_and_a_project_in_the_same_words_are_well() {
    let mut world = World::healthy();
    world.run(&["init", "--project"]);
    nothing_is_found(&world);
    // Also from outside, where the project's file is known by the record alone.
    world.directory = world.home();
    nothing_is_found(&world);
}

#[test]
fn a_registration_for_another_project_is_told_and_fired() {
    let mut world = World::bare("2.1.325 (Claude Code)");
    world.run(&["init", "--project"]);
    nothing_is_found(&world);
    let here = world.directory.clone();
    world.directory = world.home();
    only(&world.doctor(), "registration", "note", "and not here");
    edit_json(&here.join(".claude/settings.local.json"), |it| {
        it["hooks"]["Stop"][0]["hooks"][0]["timeout"] = json!(99);
    });
    let report = world.doctor();
    let found = report.besides_the_build();
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found.iter().any(|it| it["next"].as_str().unwrap().contains("project` in ")));
}

#[test]
fn a_repository_gets_nothing_run() {
    let world = World::healthy();
    let ran = world.dir.path().join("ran");
    let evil = format!("touch '{}'; echo windlass 0.1.0", ran.display());
    write_script(&world.directory.join("windlass"), &evil);
    fs::create_dir_all(world.project()).unwrap();
    let installed = world.installed().display().to_string();
    let brought = world.directory.join("windlass").display().to_string();
    let touch = format!("touch {}", ran.display());
    let hooks = [
        json!({"command": "${CLAUDE_PROJECT_DIR}/windlass", "args": ["hook"]}),
        json!({"command": "${CLAUDE_PROJECT_DIR}/windlass hook"}),
        json!({"command": "\"$CLAUDE_PROJECT_DIR\"/windlass hook"}),
        json!({"command": "./windlass", "args": ["hook"]}),
        json!({"command": "./windlass hook"}),
        json!({"command": brought, "args": ["hook"]}),
        json!({"command": format!("{installed} hook; {touch}")}),
        json!({"command": format!("{installed} hook\n{touch}")}),
        json!({"command": format!("env A=\"$({touch})\" {installed} hook")}),
    ];
    let settings = json!({"hooks": {"Stop": [{"hooks": hooks}]}}).to_string();
    for name in ["settings.json", "settings.local.json"] {
        fs::write(world.project().join(name), &settings).unwrap();
        let report = world.doctor();
        assert!(!ran.exists(), "{name}: {:#?}", report.findings);
        let is_told = |it: &&Value| it["found"].as_str().unwrap().contains("was not tried (");
        // Two of them read alike with an argument and in a shell.
        assert_eq!(report.findings.iter().filter(is_told).count(), hooks.len() - 2, "{report:#?}");
        fs::remove_file(world.project().join(name)).unwrap();
    }
    // Words of the user that start what a project brings.
    world.edit(|it| it["hooks"]["Stop"][0]["hooks"][0] = hooks[0].clone());
    world.doctor();
    assert!(!ran.exists());
}

#[test]
fn doctor_changes_nothing_and_leaves_nothing() {
    let world = World::healthy();
    world.session("s");
    let before = everything(&world.home());
    world.doctor();
    assert_eq!(everything(&world.home()), before);
    assert_eq!(fs::read_dir(world.dir.path().join("tmp")).unwrap().count(), 0);
}

#[test]
fn people_read_sentences_and_no_colour_where_there_is_no_terminal() {
    let world = World::healthy();
    let said = |arguments: &[&str]| {
        let output = world.command(arguments).output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), output.status.code())
    };
    let checks = world.doctor().checked;
    let (text, code) = said(&["doctor"]);
    if std::env::var_os("WINDLASS_RELEASE_BIN").is_some() {
        assert_eq!(text, format!("Everything is well: {checks} checks found nothing.\n"));
    }
    assert_eq!(code, Some(0));
    fs::remove_file(world.installed()).unwrap();
    let (text, code) = said(&["doctor"]);
    assert!(text.starts_with("fault: program\n  /"), "{text}");
    assert!(text.contains("\n  why: ") && text.contains("\n  next: run `windlass init` again\n"));
    assert!(
        text.ends_with(&format!("1 fault in {checks} checks.\n")) && !text.contains('\u{1b}'),
        "{text}"
    );
    assert_eq!(code, Some(1));
    assert_eq!(said(&["doctor", "--nonsense"]).1, Some(2));
}

/// Plays a session and makes it some days old.
fn past(world: &World, session: &str, days: i64, play: fn(&World, &str)) {
    play(world, session);
    let store = world.store();
    let shift = days * DAY;
    let sessions = "UPDATE sessions SET started_at = started_at - ?1, last_at = last_at - ?1
        WHERE name = ?2";
    store.execute(sessions, (shift, session)).unwrap();
    let events = "UPDATE events SET at = at - ?1
        WHERE session = (SELECT id FROM sessions WHERE name = ?2)";
    store.execute(events, (shift, session)).unwrap();
}

fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(now.as_millis()).unwrap()
}

fn set_modified(path: &Path, at: i64) {
    let time = UNIX_EPOCH + Duration::from_millis(u64::try_from(at).unwrap());
    OpenOptions::new().append(true).open(path).unwrap().set_modified(time).unwrap();
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Gives a file to nobody.
fn chown(path: &Path) -> Result<(), &'static str> {
    let given = std::os::unix::fs::chown(path, Some(65_534), None);
    given.map_err(|_| "only the superuser can give files away")
}

fn write_script(path: &Path, script: &str) {
    write_program(path, &format!("#!/bin/sh\n{script}\n"));
}

/// Writes a file that only its owner can write, whatever the umask is.
fn write_config(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    set_mode(path, 0o644);
}

fn edit_json(path: &Path, edit: impl FnOnce(&mut Value)) {
    let mut value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    edit(&mut value);
    fs::write(path, value.to_string()).unwrap();
}

/// A frame of a journal, made without the code under test.
fn frame(body: &Value) -> String {
    let body = body.to_string();
    let checksum = xxhash_rust::xxh64::xxh64(body.as_bytes(), 0);
    format!("\nw1 {:04x} {checksum:016x} {body}", body.len())
}

/// Every path below a directory, with its mode and its bytes. What SQLite shares between readers
/// is no content.
fn everything(directory: &Path) -> Vec<(PathBuf, u32, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            if metadata.is_dir() {
                open.push(path.clone());
            }
            let bytes = fs::read(&path).unwrap_or_default();
            let is_shared = path.extension().is_some_and(|it| it == "db-shm");
            found.push((path, metadata.mode(), if is_shared { Vec::new() } else { bytes }));
        }
    }
    found.sort();
    found
}
