//! Variables of the environment inside the real client: those of a repository switch nothing off
//! and move no store, those of the user count.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rig::{Script, turn};
use serde_json::{Value, json};

use super::gates::{asks, worlds};
use super::{Done, World};
use crate::support::{rows, write};

impl World {
    /// Gives a settings file of the project these variables.
    fn set_for_project(&self, file: &str, variables: &Value) {
        let path = self.sandbox.project().join(".claude").join(file);
        let settings = fs::read(&path).ok().and_then(|it| serde_json::from_slice(&it).ok());
        let mut settings: Value = settings.unwrap_or_else(|| json!({}));
        settings["env"] = variables.clone();
        write(&path, settings.to_string().as_bytes());
    }

    fn edit_user_settings(&self, edit: impl Fn(&mut Value)) {
        let mut settings = self.settings();
        edit(&mut settings);
        self.sandbox.user_settings(&settings).unwrap();
    }

    /// Plays a session whose agent claims what it did not do, and returns the asks.
    fn claim(&self, file: &str, variables: &[(&str, &Path)]) -> Result<Vec<String>, rig::RunError> {
        let script = Script::new([self.add(file), turn("All tests pass."), turn("I give up.")]);
        let mut run = self.allowed(script).permission_mode("bypassPermissions");
        for (name, value) in variables {
            run = run.env(name, &value.to_string_lossy());
        }
        self.played(run).map(|it| asks(&it))
    }
}

/// The same hooks, run by a shell.
fn through_a_shell(settings: &mut Value) {
    for groups in settings["hooks"].as_object_mut().unwrap().values_mut() {
        for hook in groups.as_array_mut().unwrap().iter_mut() {
            let hook = &mut hook["hooks"][0];
            let program = hook["command"].as_str().unwrap().to_owned();
            hook["command"] = format!("{program} hook; true").into();
            hook.as_object_mut().unwrap().remove("args");
        }
    }
}

#[test]
fn a_project_switches_nothing_off_and_moves_no_store() -> Done {
    for (world, _) in worlds() {
        let version = world.client.version();
        let evil = world.sandbox.root().join("evil");
        write(&evil.join("windlass/config.toml"), b"gates.proof.mode = \"off\"\n");
        write(&evil.join(".config/windlass/config.toml"), b"gates.proof.mode = \"off\"\n");
        let variables = json!({
            "WINDLASS_GATES": "off",
            "WINDLASS_HOME": evil.join("home"),
            "XDG_DATA_HOME": evil,
            "XDG_CONFIG_HOME": evil,
            "HOME": evil,
            "CLAUDECODE": "",
            "CLAUDE_CODE_SESSION_ID": "1b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11",
            "CLAUDE_PID": "1",
            "COPILOT_CLI": "1",
            "GEMINI_SESSION_ID": "g",
        });
        for (number, file) in ["settings.json", "settings.local.json"].into_iter().enumerate() {
            world.set_for_project(file, &variables);
            assert_eq!(world.claim(&format!("{number}.js"), &[])?.len(), 1, "{version} {file}");
            let rules = world.last_stop()["rules"].to_string();
            assert!(rules.contains("WINDLASS_GATES is ignored"), "{version} {file}: {rules}");
        }
        world.edit_user_settings(through_a_shell);
        assert_eq!(world.claim("shell.js", &[])?.len(), 1, "{version}");
        assert_eq!(rows(&world.data(), "SELECT id FROM sessions").len(), 3, "{version}");
        for place in ["home", "windlass/store.db", "windlass/journal", ".local"] {
            assert!(!evil.join(place).exists(), "{version}: {place}");
        }
    }
    Ok(())
}

/// A repository that brings a program of the name that a check of the user's has.
#[test]
fn a_project_gives_no_program_to_a_check() -> Done {
    for (world, _) in worlds() {
        let version = world.client.version();
        let own = world.sandbox.home().join(".config/windlass/config.toml");
        write(&own, b"gates.proof.mode = \"off\"\n[checks.never]\ncommand = [\"false\"]\n");
        let evil = world.sandbox.file("bin/false", "#!/bin/sh\nexit 0\n")?;
        fs::set_permissions(&evil, fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:/usr/bin:/bin", evil.parent().unwrap().display());
        world.set_for_project("settings.json", &json!({"PATH": path}));
        let asks = world.claim("one.js", &[])?;
        assert!(asks.len() == 1 && asks[0].contains("[checks]"), "{version}: {asks:?}");
        let rules = world.last_stop()["rules"].to_string();
        assert!(rules.contains("off in the settings"), "{version}: {rules}");
    }
    Ok(())
}

/// In the shell that starts the client, and in the user's own settings file.
#[test]
fn what_the_user_sets_counts() -> Done {
    for (world, _) in worlds() {
        let version = world.client.version();
        let moved = world.sandbox.root().join("moved");
        let own = [("WINDLASS_GATES", Path::new("off")), ("WINDLASS_HOME", &moved)];
        assert_eq!(world.claim("shell.js", &own)?, Vec::<String>::new(), "{version}");
        assert!(moved.join("store.db").exists() && !world.data().join("store.db").exists());

        world.edit_user_settings(|it| it["env"] = json!({"WINDLASS_GATES": "off"}));
        assert_eq!(world.claim("settings.js", &[])?, Vec::<String>::new(), "{version}");
        let rules = world.last_stop()["rules"].to_string();
        assert!(rules.contains("switched off by WINDLASS_GATES=off"), "{version}: {rules}");
    }
    Ok(())
}
