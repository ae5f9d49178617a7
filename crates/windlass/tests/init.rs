//! `init` and `uninstall` as a user meets them: the real program in a home of its own.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    Home, UserOutput, UserTerminal, as_user, binary, copy_program, make_repository, outside_with,
    said, write_program,
};

/// Events that a recent client is asked for.
const EVENTS: usize = 8;

/// Comments, tabs, odd order and a missing line break at the end, with hooks of many tools.
fn odd_settings() -> String {
    let group = |it: usize| {
        format!("{{ \"hooks\":[ {{\"command\" : \"tool-{it} --x\",\n\"type\":\"command\"}} ] }}")
    };
    let groups = (0..19).map(group).collect::<Vec<_>>().join(" ,\n\t\t");
    let lines = [
        "\u{feff}// mine",
        "{",
        "\t\"env\": {\"TOKEN\":\"secret-value\"}, /* keep */",
        "\t\"hooks\" : {",
        &format!("\t\t\"Stop\": [ {groups}, ],"),
        &format!("\t\t\"PreToolUse\":[{}],\"SessionStart\":[ ],", group(19)),
        "\t},",
        "\t\"model\":\"opus\" // last",
        "  }",
    ];
    lines.join("\r\n")
}

struct World {
    dir: TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir_all(world.home()).unwrap();
        world.client("2.1.325 (Claude Code)");
        world
    }

    fn with_settings(text: &str) -> Self {
        let world = Self::new();
        fs::create_dir(world.home().join(".claude")).unwrap();
        fs::write(world.settings(), text).unwrap();
        world
    }

    /// Where the client keeps its servers.
    fn state(&self) -> PathBuf {
        self.home().join(".claude.json")
    }

    fn client(&self, answer: &str) {
        self.client_script(&format!("echo '{answer}'"));
    }

    fn client_script(&self, script: &str) {
        let bin = self.dir.path().join("bin");
        fs::create_dir_all(&bin).unwrap();
        let script = format!("#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n");
        write_program(&bin.join("claude"), &script);
    }

    fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    fn settings(&self) -> PathBuf {
        self.home().join(".claude/settings.json")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.settings()).unwrap()
    }

    fn binary(&self) -> PathBuf {
        self.home().join(".local/bin/windlass")
    }

    fn record(&self) -> PathBuf {
        self.home().join(".local/share/windlass/install.json")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command.args(arguments).env_clear().current_dir(self.home()).stdin(Stdio::null());
        command.env("HOME", self.home()).env("PATH", self.dir.path().join("bin"));
        command
    }

    fn run(&self, arguments: &[&str]) -> String {
        self.ends(&self.command(arguments), 0)
    }

    /// Runs a command as the user does: an agent takes nothing out.
    #[track_caller]
    #[expect(clippy::unused_self, reason = "every command belongs to a world")]
    fn ends(&self, command: &Command, code: i32) -> String {
        said(&as_user(command), code)
    }

    /// Runs a command below no agent, whoever runs the tests.
    #[track_caller]
    fn by_the_user(&self, arguments: &[&str], code: i32) -> String {
        let path = self.dir.path().join("bin");
        let home = self.home();
        said(&outside_with(&home, &home, arguments, &[("PATH", &path)]), code)
    }

    fn fails(&self, arguments: &[&str]) -> String {
        let text = self.ends(&self.command(arguments), 1);
        assert!(text.contains("error: ") && text.contains("\nhint: "), "{text}");
        text
    }

    /// Every path below the home directory, with its bytes.
    fn everything(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut found = Vec::new();
        walk(&self.home(), &mut found);
        found.retain(|it| !it.0.ends_with("attempts.log"));
        found.sort();
        found
    }

    fn value(&self) -> Value {
        serde_json::from_str(&self.text()).unwrap()
    }

    fn events(&self) -> Vec<String> {
        self.value()["hooks"].as_object().unwrap().keys().cloned().collect()
    }
}

fn walk(path: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            walk(&path, found);
        }
        found.push((path.clone(), fs::read(&path).unwrap_or_default()));
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect()
}

/// A directory may be called anything.
#[test]
fn a_path_steers_no_terminal() {
    let home = Home::new();
    let odd = home.path().join("a\u{1b}[31mb\u{202e}c");
    make_repository(&odd);
    let run = |arguments: &[&str]| {
        let mut command = Command::new(binary());
        command.args(arguments).env_clear().env("HOME", &odd).current_dir(&odd);
        let output = command.stdin(Stdio::null()).output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    for arguments in [
        &["init", "--dry-run"][..],
        &["init"],
        &["init", "--project"],
        &["status"],
        &["store", "backup", "/nowhere/\u{9b}31m"],
        &["uninstall", "--dry-run"],
        &["uninstall"],
    ] {
        let said = run(arguments);
        assert!(!said.contains(['\u{1b}', '\u{202e}', '\u{9b}']), "{arguments:?}: {said:?}");
        assert!(!said.is_empty());
    }
}

#[test]
fn a_file_full_of_other_hooks_comes_back_to_the_byte() {
    let old = odd_settings();
    let world = World::with_settings(&old);
    fs::set_permissions(world.settings(), fs::Permissions::from_mode(0o640)).unwrap();
    let text = world.run(&["init"]);
    assert!(text.contains("Found Claude Code 2.1.325"), "{text}");
    assert!(text.contains("Registered 8 events"), "{text}");
    assert!(text.contains("loads nothing of") && text.contains("comments"), "{text}");
    assert_eq!(world.text().matches(".local/bin/windlass\"").count(), EVENTS);
    assert_eq!(world.text().matches("tool-").count(), 20);
    assert_eq!(mode(&world.settings()), 0o640);
    world.run(&["uninstall"]);
    assert_eq!(world.text(), old);
    assert_eq!(mode(&world.settings()), 0o640);
}

#[test]
fn every_kind_of_file_comes_back_to_the_byte() {
    let files = [
        "",
        "\n",
        " \t\r\n",
        "// none",
        "\u{feff}",
        "\u{feff}{}",
        "{}",
        "{}\n",
        "{ }",
        "{\n}\n",
        "{\"a\":1}",
        "{\"hooks\":{}}",
        "{\n  \"hooks\": {}\n}",
        "{\"hooks\":{\"Stop\":[]}}",
        "{\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t],\n\t},\n}",
        "{\"hooks\":{\"Stop\":[1]},\"hooks\":{\"Stop\":[ ]}}",
    ];
    for old in files {
        let world = World::with_settings(old);
        world.run(&["init"]);
        assert!(world.text().contains("windlass"), "{old:?}");
        world.run(&["uninstall"]);
        assert_eq!(world.text(), old);
    }
}

#[test]
fn nothing_is_left_where_nothing_was() {
    let world = World::new();
    world.run(&["init"]);
    assert_eq!(mode(&world.settings()), 0o600);
    assert_eq!(mode(&world.binary()), 0o755);
    assert_eq!(mode(&world.record()), 0o600);
    assert_eq!(mode(world.record().parent().unwrap()), 0o700);
    let text = world.run(&["uninstall"]);
    assert!(text.contains("Removed the hooks") && text.contains("bin/windlass."), "{text}");
    let left: Vec<_> = world.everything().into_iter().map(|(path, _)| path).collect();
    assert_eq!(left, [world.home().join(".local"), world.home().join(".local/share")]);
}

#[test]
fn the_server_of_tools_comes_and_goes_with_the_hooks() {
    let world = World::new();
    let old = "{\n  \"numStartups\": 3,\n  \"oauthAccount\": {\"token\": \"secret-value\"}\n}";
    fs::write(world.state(), old).unwrap();
    let text = world.run(&["init", "--dry-run"]);
    assert!(text.contains("Would register the server of tools in "), "{text}");
    assert!(!text.contains("secret-value") && fs::read_to_string(world.state()).unwrap() == old);
    let text = world.run(&["init"]);
    assert!(
        text.contains("Registered the server of tools in ") && text.contains("/.claude.json."),
        "{text}"
    );
    let state: Value = serde_json::from_slice(&fs::read(world.state()).unwrap()).unwrap();
    assert_eq!(
        state["mcpServers"],
        json!({"windlass": {"type": "stdio", "command": world.binary(), "args": ["mcp"]}})
    );
    let before = world.everything();
    world.run(&["init"]);
    assert_eq!(world.everything(), before);
    let record = fs::read_to_string(world.record()).unwrap();
    assert!(!record.contains("secret-value"), "{record}");
    let text = world.run(&["uninstall"]);
    assert!(
        text.contains("Removed the server of tools from ") && text.contains("/.claude.json."),
        "{text}"
    );
    assert_eq!(fs::read_to_string(world.state()).unwrap(), old);
}

#[test]
fn what_the_settings_do_not_want_is_not_offered() {
    let world = World::new();
    world.run(&["init"]);
    let skill = world.home().join(".claude/skills/windlass-heal/SKILL.md");
    assert!(world.state().exists() && skill.exists());
    let config = world.home().join(".config/windlass");
    fs::create_dir_all(&config).unwrap();
    let settings = "[mcp]\nenabled = false\n[skills]\nenabled = false\n";
    fs::write(config.join("config.toml"), settings).unwrap();
    let text = world.run(&["init"]);
    assert!(text.contains("Removed the server") && text.contains("Removed the skill"), "{text}");
    assert!(!world.state().exists() && !world.home().join(".claude/skills").exists());
    assert_eq!(world.events().len(), EVENTS);
    let text = world.run(&["init"]);
    assert!(text.contains("already installed"), "{text}");
}

#[test]
fn a_skill_that_the_user_changed_stays_the_users() {
    let world = World::new();
    world.run(&["init"]);
    let skills = world.home().join(".claude/skills");
    let mine = skills.join("windlass-remember/SKILL.md");
    fs::write(&mine, "my own words").unwrap();
    let text = world.run(&["init"]);
    assert!(text.contains("which is not what `init` wrote"), "{text}");
    world.run(&["uninstall"]);
    assert_eq!(fs::read_to_string(&mine).unwrap(), "my own words");
    assert_eq!(names(&skills), ["windlass-remember"]);
}

#[test]
fn a_server_of_others_with_our_name_is_left_and_told() {
    let world = World::new();
    let old = r#"{"mcpServers":{"windlass":{"type":"http","url":"https://example.invalid"}}}"#;
    fs::write(world.state(), old).unwrap();
    let text = world.run(&["init"]);
    assert!(text.contains("has another server with the name `windlass`"), "{text}");
    world.run(&["uninstall"]);
    assert_eq!(fs::read_to_string(world.state()).unwrap(), old);
}

#[test]
fn the_server_of_a_project_stands_below_its_root() {
    let world = World::new();
    let project = world.home().join("app");
    make_repository(&project);
    let run =
        |command: &str| world.ends(world.command(&[command, "--project"]).current_dir(&project), 0);
    run("init");
    let state: Value = serde_json::from_slice(&fs::read(world.state()).unwrap()).unwrap();
    let server = &state["projects"][project.to_str().unwrap()]["mcpServers"]["windlass"];
    assert_eq!(server["command"], json!(world.binary()), "{state}");
    // A skill of a project would be for git.
    assert!(!project.join(".claude/skills").exists() && !world.home().join(".claude").exists());
    run("uninstall");
    assert!(!world.state().exists() && !world.binary().exists());
}

#[test]
fn a_state_that_is_not_json_is_found_before_anything_is_changed() {
    let world = World::new();
    fs::write(world.state(), "{ half").unwrap();
    let output = world.command(&["init"]).output().unwrap();
    let text = said(&output, 1);
    assert!(text.contains("error: could not edit ") && text.contains(".claude.json"), "{text}");
    assert!(!world.settings().exists() && !world.binary().exists());
}

/// It holds the client's login: nobody is told to move it away.
#[test]
fn a_state_that_is_not_json_keeps_only_the_server() {
    let world = World::with_settings("{}");
    world.run(&["init"]);
    let state = fs::read(world.state()).unwrap();
    fs::write(world.state(), "{ half").unwrap();
    let text = world.ends(&world.command(&["uninstall", "--dry-run"]), 0);
    assert!(text.contains("Would leave the server of tools where it is"), "{text}");
    let text = world.fails(&["uninstall"]);
    assert!(text.contains("Removed the hooks") && text.contains("Removed the skill"), "{text}");
    assert!(text.contains("error: could not take the server of tools out of "), "{text}");
    assert!(text.contains("keep it, for it holds your login"), "{text}");
    assert_eq!(world.text(), "{}");
    assert_eq!(fs::read(world.state()).unwrap(), b"{ half");
    assert!(world.binary().exists(), "the server may still be started");
    fs::write(world.state(), state).unwrap();
    world.run(&["uninstall"]);
    assert!(!world.state().exists() && !world.binary().exists() && !world.record().exists());
}

/// The hooks work without the tools and the skills.
#[test]
fn what_is_offered_beside_the_hooks_is_offered_as_far_as_it_goes() {
    let skills = |world: &World| world.home().join(".claude/skills");
    let world = World::with_settings("{}");
    fs::write(skills(&world), "a file").unwrap();
    let text = world.run(&["init"]);
    assert!(text.contains("warning: The agent has no skill windlass-heal: "), "{text}");
    assert!(text.contains("something else stands in its way"), "{text}");
    assert_eq!(world.events().len(), EVENTS);
    world.run(&["uninstall"]);
    assert_eq!(world.text(), "{}");

    let world = World::with_settings("{}");
    fs::create_dir(skills(&world)).unwrap();
    symlink("/nowhere/at/all", skills(&world).join("windlass-heal")).unwrap();
    let text = world.run(&["init"]);
    assert!(text.contains("Wrote the skill windlass-remember."), "{text}");
    assert!(text.contains("warning: The agent has no skill windlass-heal: "), "{text}");

    let world = World::with_settings("{}");
    symlink("/nowhere/at/all.json", world.state()).unwrap();
    let text = world.run(&["init"]);
    assert!(text.contains("warning: The agent has no tools of windlass: "), "{text}");
    assert!(text.contains("mend the link that leads there"), "{text}");
    assert!(text.contains("Wrote the skill windlass-heal."), "{text}");
    assert_eq!(world.events().len(), EVENTS);
}

#[test]
fn the_first_run_says_what_a_running_session_sees() {
    let world = World::new();
    let text = world.run(&["init"]);
    assert!(text.contains("reads its settings by itself, and has the tools"), "{text}");
    let world = World::new();
    let config = world.home().join(".config/windlass/config.toml");
    crate::support::write(&config, b"mcp.enabled = false\nskills.enabled = false\n");
    let text = world.run(&["init"]);
    assert!(text.contains("reads its settings by itself.\n"), "{text}");
}

#[test]
fn the_entry_is_what_the_client_runs_without_a_shell() {
    let world = World::new();
    world.run(&["init"]);
    let value = world.value();
    let group = &value["hooks"]["Stop"][0];
    let command = world.binary();
    let entry = json!({
        "type": "command", "command": command.to_str().unwrap(), "args": ["hook"], "timeout": 600,
        "statusMessage": "windlass: looking at the work",
    });
    assert_eq!(*group, json!({"matcher": "*", "hooks": [entry]}));
    assert_eq!(value["hooks"]["SessionStart"][0]["hooks"][0]["timeout"], 5);
    assert_eq!(fs::read(command).unwrap(), fs::read(binary()).unwrap());
}

#[test]
fn twice_is_once() {
    let world = World::with_settings(&odd_settings());
    world.run(&["init"]);
    let before = world.everything();
    let inode = fs::metadata(world.settings()).unwrap().ino();
    let text = world.run(&["init"]);
    assert!(text.contains("already installed"), "{text}");
    assert_eq!(world.everything(), before);
    assert_eq!(fs::metadata(world.settings()).unwrap().ino(), inode);
}

#[test]
fn a_permit_is_offered_given_once_and_taken_back_to_the_byte() {
    let old = "{\n  \"permissions\": {\n    \"allow\": [\"Bash(windlass remember:*)\"]\n  }\n}\n";
    let world = World::with_settings(old);
    let offer = "run `windlass init --permit`.";
    let text = world.run(&["init"]);
    assert!(text.contains(&format!(" without a prompt, {offer}\n")), "{text}");
    assert!(!world.text().contains("candidates"), "{}", world.text());
    let text = world.run(&["init", "--permit", "--dry-run"]);
    assert!(text.contains("+    \"allow\": [\"Bash(windlass remember:*)\", \"Bash("), "{text}");

    let text = world.by_the_user(&["init", "--permit"], 0);
    assert!(text.contains("Permitted") && !text.contains("Registered"), "{text}");
    assert!(!text.contains(offer), "{text}");
    let added = json!(["Bash(windlass candidates:*)", "mcp__windlass__*"]);
    let rules = json!(["Bash(windlass remember:*)", added[0], added[1]]);
    assert_eq!(world.value()["permissions"]["allow"], rules);
    let record: Value = serde_json::from_slice(&fs::read(world.record()).unwrap()).unwrap();
    assert_eq!(record["files"][0]["granted"]["rules"], added);

    let before = world.everything();
    for again in [&["init", "--permit"][..], &["init"]] {
        let text = world.by_the_user(again, 0);
        assert!(text.contains("already installed") && !text.contains(offer), "{text}");
    }
    assert_eq!(world.everything(), before);
    let text = world.run(&["uninstall"]);
    assert!(text.contains("Removed the hooks and the permissions"), "{text}");
    assert!(text.contains("not known to have put it there: Bash(windlass remember:*)."), "{text}");
    assert_eq!(world.text(), old);
}

#[test]
fn a_permit_leaves_nothing_where_nothing_was() {
    let world = World::new();
    world.by_the_user(&["init", "--permit"], 0);
    let doctor = world.command(&["doctor"]).output().unwrap();
    let doctor = String::from_utf8([doctor.stdout, doctor.stderr].concat()).unwrap();
    assert!(!doctor.to_lowercase().contains("permi"), "{doctor}");
    world.run(&["uninstall"]);
    assert!(!world.settings().exists() && !world.record().exists());

    let world = World::with_settings(&odd_settings());
    world.by_the_user(&["init", "--permit"], 0);
    world.run(&["uninstall"]);
    assert_eq!(world.text(), odd_settings());
}

#[test]
fn what_forbids_a_permit_is_told() {
    let old =
        r#"{"permissions":{"deny":["Bash(windlass:*)"],"ask":["Bash(windlass candidates *)"]}}"#;
    let world = World::with_settings(old);
    assert!(!world.run(&["init"]).contains("permissions.deny"));
    let text = world.by_the_user(&["init", "--permit"], 0);
    assert!(text.contains("`Bash(windlass:*)` in permissions.deny of "), "{text}");
    assert!(text.contains("`Bash(windlass candidates *)` in permissions.ask of "), "{text}");
    world.run(&["uninstall"]);
    assert_eq!(world.text(), old);

    let world = World::with_settings(r#"{"permissions": {"allow": {}}}"#);
    let before = world.everything();
    assert!(
        world.by_the_user(&["init", "--permit"], 1).contains("`permissions.allow` is not an array")
    );
    assert_eq!(world.everything(), before);
}

/// An agent may look at the change, and not make it.
#[test]
fn a_permit_is_the_users_to_give() {
    let world = World::new();
    world.run(&["init"]);
    let before = world.everything();
    for option in [&["init", "--permit"][..], &["init", "--permit", "--project"]] {
        let mut command = world.command(option);
        let text = said(&command.env("CLAUDECODE", "1").output().unwrap(), 1);
        assert!(text.contains("an agent (the environment has CLAUDECODE) started it"), "{text}");
        let next = format!("hint: run `windlass {}` in your own terminal", option.join(" "));
        assert!(text.contains(&next), "{text}");
    }
    // Nor does a process that nobody types for.
    let text = said(&world.command(&["init", "--permit"]).output().unwrap(), 1);
    assert!(text.contains("only you may run this: "), "{text}");
    let permit = world.command(&["init", "--permit"]);
    let mut terminal = UserTerminal::open(&permit, UserOutput::Screen);
    terminal.code();
    terminal.type_line("WRONG");
    let (_, screen, code) = terminal.end();
    assert!(code == 1 && screen.contains("the code was not typed"), "{screen}");
    let mut show = world.command(&["init", "--permit", "--dry-run"]);
    let text = said(&show.env("CLAUDECODE", "1").output().unwrap(), 0);
    assert!(text.contains("Bash(windlass remember:*)"), "{text}");
    assert_eq!(world.everything(), before);
}

/// Who could take windlass out could do without the gates.
#[test]
fn an_agent_takes_nothing_out() {
    let world = World::new();
    world.run(&["init"]);
    let before = world.everything();
    for option in [&["uninstall"][..], &["uninstall", "--project"]] {
        let mut command = world.command(option);
        let text = said(&command.env("CLAUDECODE", "1").output().unwrap(), 1);
        assert!(text.contains("an agent (the environment has CLAUDECODE) started it"), "{text}");
        let next = format!("hint: run `windlass {}` in your own terminal", option.join(" "));
        assert!(text.contains(&next), "{text}");
    }
    let mut show = world.command(&["uninstall", "--dry-run"]);
    let text = said(&show.env("CLAUDECODE", "1").output().unwrap(), 0);
    assert!(text.contains("Would remove "), "{text}");
    assert_eq!(world.everything(), before);
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    let world = World::with_settings("{\n  \"model\": \"opus\"\n}\n");
    let before = world.everything();
    let text = world.run(&["init", "--dry-run"]);
    assert!(text.contains("Would copy the program to "), "{text}");
    assert!(text.contains("\n-  \"model\": \"opus\"\n+  \"model\": \"opus\",\n"), "{text}");
    assert!(text.contains("@@ -1,3 +1,110 @@\n {\n"), "{text}");
    assert_eq!(world.everything(), before);

    world.run(&["init"]);
    let before = world.everything();
    let text = world.run(&["uninstall", "--dry-run"]);
    assert!(text.contains("+  \"model\": \"opus\"\n") && text.contains("Would remove "), "{text}");
    assert_eq!(world.everything(), before);
}

#[test]
fn a_dry_run_in_an_empty_home_makes_no_directory() {
    let world = World::new();
    world.run(&["init", "--dry-run"]);
    world.run(&["uninstall", "--dry-run"]);
    assert_eq!(world.everything(), []);
    let text = world.run(&["uninstall"]);
    assert!(text.contains("has no hooks of windlass"), "{text}");
}

#[test]
fn a_link_stays_a_link() {
    let world = World::new();
    let dotfiles = world.home().join("dotfiles");
    fs::create_dir(&dotfiles).unwrap();
    fs::create_dir(world.home().join(".claude")).unwrap();
    fs::write(dotfiles.join("claude.json"), odd_settings()).unwrap();
    symlink("../dotfiles/claude.json", world.settings()).unwrap();
    world.run(&["init"]);
    assert!(world.settings().is_symlink());
    let text = fs::read_to_string(dotfiles.join("claude.json")).unwrap();
    assert!(text.contains("/.local/bin/windlass"), "{text}");
    world.run(&["uninstall"]);
    assert!(world.settings().is_symlink());
    assert_eq!(fs::read_to_string(dotfiles.join("claude.json")).unwrap(), odd_settings());
    assert_eq!(names(&dotfiles), ["claude.json"]);
}

#[test]
fn a_link_to_nothing_stays_one() {
    let world = World::new();
    fs::create_dir(world.home().join(".claude")).unwrap();
    symlink("../dotfiles/claude.json", world.settings()).unwrap();
    fs::create_dir(world.home().join("dotfiles")).unwrap();
    world.run(&["init"]);
    assert!(world.settings().is_symlink() && world.text().contains("windlass"));
    world.run(&["uninstall"]);
    let dotfiles = world.home().join("dotfiles");
    assert!(world.settings().is_symlink() && names(&dotfiles).is_empty());
}

#[test]
fn a_home_behind_a_link_is_one_home() {
    let world = World::new();
    let link = world.dir.path().join("link");
    symlink(world.home(), &link).unwrap();
    for command in ["init", "uninstall"] {
        world.ends(world.command(&[command]).env("HOME", &link), 0);
    }
    assert!(!world.home().join(".claude").exists() && !world.record().exists());
}

#[test]
fn what_is_not_json_is_left_alone() {
    for (text, reason) in [
        ("{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: expected a comma"),
        ("[]", "the file is not a JSON object"),
        ("{\"hooks\": []}", "`hooks` is not an object"),
        ("{\"hooks\": {\"Stop\": {}}}", "`hooks.Stop` is not an array"),
    ] {
        let world = World::with_settings(text);
        let before = world.everything();
        let said = world.fails(&["init"]);
        assert!(said.contains(reason) && said.contains("settings.json"), "{said}");
        assert_eq!(world.everything(), before);
    }
    let world = World::with_settings("");
    fs::write(world.settings(), b"{\"a\":\"\xff\"}").unwrap();
    let before = world.everything();
    assert!(world.fails(&["init"]).contains("line 1, column 7: expected UTF-8 text"));
    world.fails(&["uninstall"]);
    assert_eq!(world.everything(), before);
}

#[test]
fn a_read_only_place_is_left_alone() {
    let world = World::with_settings("{}");
    let directory = world.home().join(".claude");
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o555)).unwrap();
    let is_root = fs::metadata(world.home()).unwrap().uid() == 0;
    let before = world.everything();
    let mut command = world.command(&["init"]);
    if is_root {
        // Modes do not stop root; this file system does.
        command.env("CLAUDE_CONFIG_DIR", "/sys/kernel");
    }
    let text = said(&command.output().unwrap(), 1);
    assert!(text.contains("error: could not write ") && text.contains("\nhint: "), "{text}");
    assert_eq!(world.everything(), before);
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_place_for_the_program_that_is_taken_leaves_all_as_it_was() {
    let world = World::new();
    fs::create_dir_all(world.binary().join("not-a-program")).unwrap();
    let text = world.fails(&["init"]);
    assert!(text.contains("another program"), "{text}");
    assert!(!world.home().join(".claude").exists());
    assert_eq!(names(world.binary().parent().unwrap()), ["windlass"]);
}

#[test]
fn a_link_that_leads_nowhere_is_not_completed() {
    let world = World::new();
    fs::create_dir(world.home().join(".claude")).unwrap();
    let nowhere = world.dir.path().join("missing/settings.json");
    symlink(&nowhere, world.settings()).unwrap();
    let text = world.fails(&["init"]);
    assert!(text.contains("missing/settings.json"), "{text}");
    assert!(!nowhere.parent().unwrap().exists() && !world.binary().exists());
}

#[test]
fn another_program_of_our_name_is_not_replaced() {
    let world = World::new();
    fs::create_dir_all(world.binary().parent().unwrap()).unwrap();
    fs::write(world.binary(), "#!/bin/sh\necho something else\n").unwrap();
    fs::set_permissions(world.binary(), fs::Permissions::from_mode(0o755)).unwrap();
    let text = world.fails(&["init"]);
    assert!(text.contains("move that program away"), "{text}");
    assert!(fs::read_to_string(world.binary()).unwrap().contains("something else"));
}

#[test]
fn a_directory_in_the_place_of_the_file_is_left_alone() {
    let world = World::new();
    fs::create_dir_all(world.settings()).unwrap();
    let text = world.fails(&["init"]);
    assert!(text.contains("not a regular file"), "{text}");
    assert!(!world.binary().exists());
}

#[test]
fn wrong_usage_ends_with_two() {
    let world = World::new();
    let output = world.command(&["init", "--nonsense"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn without_a_home_nothing_is_guessed() {
    let world = World::new();
    let output = world.command(&["init"]).env_remove("HOME").output().unwrap();
    assert!(said(&output, 1).contains("find the home directory"));
}

#[test]
fn an_older_client_gets_the_events_it_knows() {
    let world = World::new();
    world.client("2.1.117 (Claude Code)");
    world.run(&["init"]);
    let events = world.events();
    assert!(events.contains(&"PostToolUse".to_owned()) && events.len() == EVENTS + 1, "{events:?}");

    world.client("2.1.118 (Claude Code)");
    world.run(&["init"]);
    let events = world.events();
    assert!(!events.contains(&"PostToolUse".to_owned()), "{events:?}");
    assert!(events.contains(&"PostToolBatch".to_owned()) && events.len() == EVENTS, "{events:?}");

    world.client("2.1.70 (Claude Code)");
    world.run(&["init"]);
    assert!(!world.events().contains(&"StopFailure".to_owned()));

    world.client("1.0.30 (Claude Code)");
    let before = world.text();
    assert!(world.fails(&["init"]).contains("register hooks with Claude Code 1.0.30"));
    assert_eq!(world.text(), before);
    world.run(&["uninstall"]);
    assert!(!world.settings().exists());
}

#[test]
fn a_client_that_says_nothing_useful_is_taken_as_recent() {
    for script in ["echo hello", "exit 3", "head -c 100000 /dev/zero", "cat"] {
        let world = World::new();
        world.client_script(script);
        let text = world.run(&["init"]);
        assert!(text.contains("does not tell its version. Assuming 2.1.325"), "{script}: {text}");
        assert_eq!(world.events().len(), EVENTS);
    }
}

#[test]
fn an_upgrade_replaces_our_entries_only() {
    let entry =
        r#"{"type":"command","command":"/old/place/windlass","args":["hook"],"timeout":60}"#;
    let lint = r#"{"type":"command","command":"lint"}"#;
    let old = format!(
        r#"{{"hooks":{{"Stop":[{{"hooks":[{lint},{entry}]}}],"Notification":[{{"hooks":[{entry}]}}]}}}}"#
    );
    let world = World::with_settings(&old);
    world.run(&["init"]);
    let text = world.text();
    assert!(!text.contains("/old/place") && !text.contains("Notification"), "{text}");
    assert_eq!(text.matches("/.local/bin/windlass\"").count(), EVENTS);
    world.run(&["uninstall"]);
    assert_eq!(world.text(), format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{lint}]}}]}}}}"#));
}

#[test]
fn edits_of_others_in_between_stay() {
    let world = World::with_settings("{\n  \"model\": \"opus\"\n}\n");
    world.run(&["init"]);
    // As the client writes it: another layout, a new key, another tool's hook before ours.
    let lint = json!({"hooks": [{"type": "command", "command": "lint"}]});
    let mut value = world.value();
    value["theme"] = "dark".into();
    value["hooks"]["Stop"].as_array_mut().unwrap().insert(0, lint.clone());
    fs::write(world.settings(), serde_json::to_string_pretty(&value).unwrap()).unwrap();
    world.run(&["uninstall"]);
    let expected = json!({"model": "opus", "theme": "dark", "hooks": {"Stop": [lint]}});
    assert_eq!(world.value(), expected);
}

#[test]
fn a_lost_record_still_takes_our_entries_out() {
    let world = World::with_settings("{\n  \"model\": \"opus\"\n}\n");
    world.run(&["init"]);
    for text in ["", "{\"version\": 99}"] {
        fs::write(world.record(), text).unwrap();
        assert!(world.run(&["init"]).contains("already installed"));
    }
    fs::remove_file(world.record()).unwrap();
    world.run(&["uninstall"]);
    assert_eq!(world.text(), "{\n  \"model\": \"opus\"\n}\n");
    assert!(!world.binary().exists());
}

#[test]
fn the_users_data_stay_and_the_place_is_told() {
    let world = World::new();
    world.run(&["init"]);
    let data = world.record().with_file_name("windlass.db");
    fs::write(&data, "memories").unwrap();
    let text = world.run(&["uninstall"]);
    assert!(text.contains("Your data stay in ") && text.contains("share/windlass"), "{text}");
    assert_eq!(fs::read_to_string(data).unwrap(), "memories");
    assert!(!world.record().exists() && !world.binary().exists());
}

#[test]
fn a_program_that_was_there_before_stays() {
    let world = World::new();
    fs::create_dir_all(world.binary().parent().unwrap()).unwrap();
    copy_program(&binary(), &world.binary());
    let text = world.run(&["init"]);
    assert!(!text.contains("Copied"), "{text}");
    let text = world.run(&["uninstall"]);
    assert!(text.contains("`init` did not put there"), "{text}");
    assert!(world.binary().exists());
}

#[test]
fn another_copy_is_replaced_and_can_take_itself_away() {
    let world = World::new();
    world.run(&["init"]);
    fs::remove_file(world.binary()).unwrap();
    fs::write(world.binary(), "#!/bin/sh\n").unwrap();
    let text = world.run(&["init"]);
    assert!(text.contains("Copied the program") && text.contains("already installed"), "{text}");
    assert_eq!(fs::read(world.binary()).unwrap(), fs::read(binary()).unwrap());
    let mut copy = Command::new(world.binary());
    copy.arg("uninstall").env_clear().env("HOME", world.home()).stdin(Stdio::null());
    world.ends(&copy, 0);
    assert!(!world.binary().exists() && !world.settings().exists());
}

#[test]
fn one_project_has_its_own_file() {
    let world = World::new();
    let project = world.home().join("work/app");
    make_repository(&project);
    fs::create_dir_all(project.join("src/deep")).unwrap();
    let run = |command: &str, directory: &Path| {
        world.ends(world.command(&[command, "--project"]).current_dir(directory), 0)
    };
    run("init", &project.join("src/deep"));
    let local = project.join(".claude/settings.local.json");
    assert!(fs::read_to_string(&local).unwrap().contains("windlass"));
    assert!(!world.settings().exists() && !project.join("src/deep/.claude").exists());

    world.run(&["init"]);
    let text = world.run(&["uninstall"]);
    assert!(text.contains("settings.local.json") && text.contains("still call"), "{text}");
    assert!(world.binary().exists(), "the project still needs it");

    run("uninstall", &project);
    assert!(!project.join(".claude").exists() && !world.binary().exists());
    assert!(!world.record().exists());
}

fn installed_for_a_project_and_the_user() -> (World, PathBuf) {
    let world = World::new();
    let project = world.home().join("app");
    make_repository(&project);
    let mut command = world.command(&["init", "--project"]);
    said(&command.current_dir(&project).output().unwrap(), 0);
    world.run(&["init"]);
    (world, project)
}

#[test]
fn a_project_whose_settings_are_broken_still_counts() {
    let (world, project) = installed_for_a_project_and_the_user();
    fs::write(project.join(".claude/settings.local.json"), "{ half").unwrap();
    world.run(&["uninstall"]);
    assert!(world.binary().exists(), "its hooks may still call the program");
}

#[test]
fn a_project_that_is_gone_holds_nothing_back() {
    let (world, project) = installed_for_a_project_and_the_user();
    fs::remove_dir_all(&project).unwrap();
    world.run(&["uninstall"]);
    assert!(!world.binary().exists() && !world.record().exists());
}

#[test]
fn a_project_file_that_git_would_take_is_told() {
    let Some(git) = ["/usr/bin/git", "/usr/local/bin/git"].iter().find(|it| Path::new(it).exists())
    else {
        return;
    };
    let world = World::new();
    let project = world.home().join("app");
    fs::create_dir_all(&project).unwrap();
    symlink(git, world.dir.path().join("bin/git")).unwrap();
    assert!(Command::new(git).arg("init").arg("-q").arg(&project).status().unwrap().success());
    let init = || {
        let mut command = world.command(&["init", "--project"]);
        said(&command.current_dir(&project).output().unwrap(), 0)
    };
    assert!(init().contains("git does not ignore "));
    fs::write(project.join(".gitignore"), ".claude/settings.local.json\n").unwrap();
    assert!(!init().contains("git does not ignore "));
}

#[test]
fn hooks_that_are_switched_off_are_told() {
    let world = World::with_settings("{\"disableAllHooks\": true}");
    let text = world.run(&["init"]);
    assert!(text.contains("warning: `disableAllHooks` in "), "{text}");
    assert!(text.contains("is not on PATH"), "{text}");
}

#[test]
fn a_moved_configuration_is_found() {
    let world = World::new();
    let other = world.home().join("elsewhere");
    let run =
        |command: &str| world.ends(world.command(&[command]).env("CLAUDE_CONFIG_DIR", &other), 0);
    run("init");
    assert!(other.join("settings.json").exists() && !world.settings().exists());
    run("uninstall");
    assert!(!other.exists());
}

#[test]
fn the_record_holds_no_settings() {
    let world = World::with_settings(&odd_settings());
    world.run(&["init"]);
    let record = fs::read_to_string(world.record()).unwrap();
    assert!(!record.contains("secret-value") && !record.contains("tool-"), "{record}");
}

#[test]
fn a_busy_writer_loses_nothing() {
    let world = World::with_settings("{\"count\": 0}\n");
    let is_done = AtomicBool::new(false);
    let directory = world.home().join(".claude");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for count in 1..=200 {
                let text = format!("{{\n  \"count\": {count},\n  \"env\": {{\"A\": \"b\"}}\n}}\n");
                if count % 2 == 0 {
                    fs::write(world.settings(), text).unwrap();
                } else {
                    fs::write(directory.join("client.tmp"), text).unwrap();
                    fs::rename(directory.join("client.tmp"), world.settings()).unwrap();
                }
                // The writer is busy and at rest in turn, as programs are.
                std::thread::sleep(Duration::from_millis(count % 16));
            }
            is_done.store(true, Ordering::SeqCst);
        });
        let mut runs = 0;
        while !is_done.load(Ordering::SeqCst) || runs < 4 {
            world.run(&[if runs % 2 == 0 { "init" } else { "uninstall" }]);
            runs += 1;
        }
    });
    assert_eq!(world.value()["count"], 200, "{}", world.text());
    world.run(&["init"]);
    assert_eq!((&world.value()["count"], world.events().len()), (&json!(200), EVENTS));
    world.run(&["uninstall"]);
    assert_eq!(world.text(), "{\n  \"count\": 200,\n  \"env\": {\"A\": \"b\"}\n}\n");
    assert_eq!(names(&directory), ["settings.json"]);
}

#[test]
fn many_at_once_are_as_good_as_one() {
    let world = World::with_settings(&odd_settings());
    let start = |_| {
        let mut command = world.command(&["init"]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let children: Vec<_> = (0..4).map(start).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(world.text().matches(".local/bin/windlass\"").count(), EVENTS);
    world.run(&["uninstall"]);
    assert_eq!(world.text(), odd_settings());
}

#[test]
fn an_event_that_is_switched_off_is_not_registered_and_comes_back() {
    let world = World::with_settings(&odd_settings());
    let config = world.home().join(".config/windlass/config.toml");
    crate::support::write(
        &config,
        b"[hooks.tools]\nenabled = false\n[hooks.stop]\ntimeout_s = 30\n",
    );
    let text = world.run(&["init"]);
    assert!(text.contains("1 of 8 events are switched off in your settings."), "{text}");
    assert!(!world.text().contains("PostToolBatch"), "{}", world.text());
    assert!(world.text().contains("\"timeout\": 30"), "{}", world.text());
    assert!(world.run(&["init"]).contains("already installed"));
    fs::remove_file(&config).unwrap();
    world.run(&["init"]);
    assert!(world.text().contains("PostToolBatch"), "{}", world.text());
    assert!(!world.text().contains("\"timeout\": 30"), "{}", world.text());
    world.run(&["uninstall"]);
    assert_eq!(world.text(), odd_settings());
}

#[test]
fn with_every_event_off_nothing_is_touched() {
    let world = World::new();
    let events = [
        "session-start",
        "prompt",
        "tools",
        "agent-start",
        "agent-stop",
        "stop",
        "stop-failure",
        "session-end",
    ];
    let text = events.map(|it| format!("hooks.{it}.enabled = false\n")).concat();
    crate::support::write(&world.home().join(".config/windlass/config.toml"), text.as_bytes());
    let before = world.everything();
    assert!(world.fails(&["init"]).contains("switched off"));
    assert_eq!(world.everything(), before);
}

#[test]
fn broken_settings_are_told_and_the_defaults_are_installed() {
    let world = World::new();
    let config = world.home().join(".config/windlass/config.toml");
    crate::support::write(&config, b"[hooks.tools]\nenabled = fals\n");
    let text = world.run(&["init"]);
    assert!(text.contains("config.toml:2:11: it is not TOML"), "{text}");
    assert_eq!(world.events().len(), EVENTS);
}
