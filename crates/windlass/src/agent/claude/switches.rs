//! Settings that keep Claude Code from running our hooks.

use std::fs;
use std::path::{Path, PathBuf};

use crate::agent::claude::install::scan::{Node, scan};

/// Where an administrator's settings are.
#[cfg(not(target_os = "macos"))]
const MANAGED: &str = "/etc/claude-code";
#[cfg(target_os = "macos")]
const MANAGED: &str = "/Library/Application Support/ClaudeCode";

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

fn in_the_way_of(files: &[PathBuf], managed: &Path) -> Vec<Switch> {
    let mut managed_files = vec![managed.join("managed-settings.json")];
    let parts = fs::read_dir(managed.join("managed-settings.d")).into_iter().flatten().flatten();
    let mut parts: Vec<_> = parts.map(|it| it.path()).collect();
    parts.retain(|it| it.extension().is_some_and(|it| it == "json"));
    parts.sort();
    managed_files.extend(parts);
    let is_true = |text: &str, value: &Node| value.literally(text, "true");
    let names_hooks = |text: &str, value: &Node| {
        is_true(text, value) || value.elements().any(|it| it.text(text).as_deref() == Some("hooks"))
    };
    let mut found = Vec::new();
    for file in files.iter().chain(&managed_files) {
        look(&mut found, file, "disableAllHooks", is_true);
    }
    for file in &managed_files {
        look(&mut found, file, "allowManagedHooksOnly", is_true);
        look(&mut found, file, "strictPluginOnlyCustomization", names_hooks);
    }
    found
}

// A file that cannot be read or understood is the client's to complain about.
fn look(
    found: &mut Vec<Switch>,
    file: &Path,
    name: &'static str,
    is_on: impl Fn(&str, &Node) -> bool,
) {
    let Ok(text) = fs::read_to_string(file) else { return };
    let root = scan(&text).ok().and_then(|it| it.root);
    if root.and_then(|it| Some(is_on(&text, &it.member(name)?.value))) == Some(true) {
        found.push(Switch { name, file: file.to_owned() });
    }
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
        write(&managed.join("managed-settings.json"), "{\"disableAllHooks\": false}");
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
