//! Settings that keep Claude Code from running our hooks.

use std::fs;
use std::path::{Path, PathBuf};

use crate::agent::claude::install::scan::{Node, scan};
use crate::plain::{self, Follow};
use crate::{Host, env};

/// Where an administrator's settings are.
#[cfg(not(target_os = "macos"))]
const MANAGED: &str = "/etc/claude-code";
#[cfg(target_os = "macos")]
const MANAGED: &str = "/Library/Application Support/ClaudeCode";

/// Variables that make the client run without hooks, in the environment or in `env` of a
/// settings file.
const VARIABLES: &[&str] = &[env::CLAUDE_CODE_SIMPLE, env::CLAUDE_CODE_SAFE_MODE];

/// What the client takes for yes.
const YES: &[&str] = &["1", "true", "yes", "on"];

/// More than any settings file has.
const MAX_FILE: u64 = 8 << 20;

/// A setting that is in the way.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Switch {
    pub(crate) name: &'static str,
    pub(crate) file: PathBuf,
}

/// Finds what keeps the hooks of these settings files from running.
pub(crate) fn in_the_way(files: &[PathBuf]) -> Vec<Switch> {
    in_the_way_of(files, Path::new(MANAGED))
}

/// Finds the variables of the environment that keep all hooks from running.
pub(crate) fn in_the_environment(host: &Host) -> Vec<&'static str> {
    let is_on = |name: &&&str| {
        host.variable(name).and_then(|it| it.into_string().ok()).is_some_and(|it| is_yes(&it))
    };
    VARIABLES.iter().filter(is_on).copied().collect()
}

/// The settings files of an administrator, the weakest first.
pub(crate) fn managed_files() -> Vec<PathBuf> {
    managed_files_below(Path::new(MANAGED))
}

fn managed_files_below(managed: &Path) -> Vec<PathBuf> {
    let mut files = vec![managed.join("managed-settings.json")];
    let parts = fs::read_dir(managed.join("managed-settings.d")).into_iter().flatten().flatten();
    let mut parts: Vec<_> = parts.map(|it| it.path()).collect();
    parts.retain(|it| it.extension().is_some_and(|it| it == "json"));
    parts.sort();
    files.extend(parts);
    files
}

fn is_yes(text: &str) -> bool {
    YES.contains(&text.trim().to_lowercase().as_str())
}

fn in_the_way_of(files: &[PathBuf], managed: &Path) -> Vec<Switch> {
    let managed_files = managed_files_below(managed);
    let is_true = |text: &str, value: &Node| value.literally(text, "true");
    let names_hooks = |text: &str, value: &Node| {
        is_true(text, value) || value.elements().any(|it| it.text(text).as_deref() == Some("hooks"))
    };
    let mut found = Vec::new();
    for file in files.iter().chain(&managed_files) {
        look(&mut found, file, "disableAllHooks", is_true);
        for name in VARIABLES {
            look_at_variable(&mut found, file, name);
        }
    }
    for file in &managed_files {
        look(&mut found, file, "allowManagedHooksOnly", is_true);
        look(&mut found, file, "strictPluginOnlyCustomization", names_hooks);
    }
    found
}

fn look(
    found: &mut Vec<Switch>,
    file: &Path,
    name: &'static str,
    is_on: impl Fn(&str, &Node) -> bool,
) {
    let Some((text, root)) = read(file) else { return };
    if root.member(name).is_some_and(|it| is_on(&text, &it.value)) {
        found.push(Switch { name, file: file.to_owned() });
    }
}

/// What `env` of a settings file gives to a variable.
pub(crate) fn variable(file: &Path, name: &str) -> Option<String> {
    let (text, root) = read(file)?;
    root.member("env")?.value.member(name)?.value.text(&text)
}

fn look_at_variable(found: &mut Vec<Switch>, file: &Path, name: &'static str) {
    if variable(file, name).is_some_and(|it| is_yes(&it)) {
        found.push(Switch { name, file: file.to_owned() });
    }
}

/// Whether a setting of a file is `true`.
pub(super) fn is_true(file: &Path, name: &str) -> bool {
    let Some((text, root)) = read(file) else { return false };
    root.member(name).is_some_and(|it| it.value.literally(&text, "true"))
}

/// The text of a settings file and its values. One that cannot be read or understood is the
/// client's to complain about.
pub(super) fn read(file: &Path) -> Option<(String, Node)> {
    let text =
        String::from_utf8(plain::read(file, Follow::Anywhere, MAX_FILE).ok()??.bytes).ok()?;
    let root = scan(&text).ok()?.root?;
    Some((text, root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_switch_where_it_counts() {
        let dir = tempfile::tempdir().unwrap();
        let managed = dir.path().join("managed");
        fs::create_dir_all(managed.join("managed-settings.d")).unwrap();
        let user = dir.path().join("settings.json");
        let write = |path: &Path, text: &str| fs::write(path, text).unwrap();
        write(&user, "{ // mine\n \"disableAllHooks\": true, \"allowManagedHooksOnly\": true }");
        let first = managed.join("managed-settings.json");
        write(
            &first,
            r#"{"disableAllHooks": false, "env": {"CLAUDE_CODE_SIMPLE": "Yes", "CLAUDE_CODE_SAFE_MODE": "0"}}"#,
        );
        let part = managed.join("managed-settings.d/10-hooks.json");
        write(
            &part,
            "{\"allowManagedHooksOnly\":true,\"strictPluginOnlyCustomization\":[\"hooks\"]}",
        );
        write(&managed.join("managed-settings.d/readme.txt"), "{\"disableAllHooks\": true}");

        let found = in_the_way_of(std::slice::from_ref(&user), &managed);
        let switch = |name, file: &Path| Switch { name, file: file.to_owned() };
        assert_eq!(
            found,
            [
                switch("disableAllHooks", &user),
                switch("CLAUDE_CODE_SIMPLE", &first),
                switch("allowManagedHooksOnly", &part),
                switch("strictPluginOnlyCustomization", &part),
            ],
        );
    }

    #[test]
    fn nothing_is_in_the_way_by_default() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(in_the_way_of(&[dir.path().join("settings.json")], dir.path()), []);
    }
}
