//! Settings files that the client cannot read, and entries where it does not look.

use std::path::PathBuf;

use super::Finding;
use super::installation::Installation;
use crate::agent::claude::home;
use crate::agent::claude::registered::{Origin, entries_in, is_same};
use crate::failure::chain;

/// Places below a `.claude` directory that look right and are not read.
const NEARLY: &[&str] = &["hooks.json", "hooks/hooks.json", "setting.json", "settings.jsonc"];

/// Finds files that the client does not load, and entries of ours in files that it never reads.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let mut findings = unreadable(it);
    findings.extend(unread(it));
    findings
}

fn unreadable(it: &Installation<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for layer in &it.layers {
        let Err(error) = &layer.content else { continue };
        let path = &layer.source.path;
        let found = format!("{}: {}.", path.display(), chain(error));
        let next = format!("correct {}", path.display());
        let is_ours = layer.source.origin == Origin::User
            || it.record.files.iter().any(|it| is_same(&it.path, path));
        findings.push(if is_ours {
            Finding::fault(found, "the client loads nothing of it, our hooks included", next)
        } else {
            Finding::warning(found, "the client loads nothing of it", next)
        });
    }
    findings
}

fn unread(it: &Installation<'_>) -> Vec<Finding> {
    let is_layer = |path: &PathBuf| it.layers.iter().any(|it| is_same(&it.source.path, path));
    let has_hooks = |path: &PathBuf| !is_layer(path) && !entries_in(path).is_empty();
    let never = never_read(it).into_iter().filter(has_hooks).map(|path| {
        Finding::warning(
            format!("{} has hooks of windlass, and the client does not read it.", path.display()),
            "they are never called",
            format!("take them out of {}, then run `windlass init`", path.display()),
        )
    });
    let not_here = read_elsewhere(it).into_iter().filter(has_hooks).map(|path| {
        let found = format!("{} has hooks of windlass.", path.display());
        let why = "a client that is started with this CLAUDE_CONFIG_DIR does not read it";
        Finding::note(found, why, "unset CLAUDE_CONFIG_DIR if that is not meant".to_owned())
    });
    never.chain(not_here).collect()
}

/// Files that look as if the client read them.
fn never_read(it: &Installation<'_>) -> Vec<PathBuf> {
    let mut files: Vec<_> = it.home.iter().map(|it| it.join(".claude.json")).collect();
    let mut directories = Vec::new();
    if let Some(user) = home::directory(it.host) {
        files.push(user.join("settings.local.json"));
        directories.push(user);
    }
    directories.extend(it.project.iter().map(|it| it.join(".claude")));
    directories.dedup();
    for directory in directories {
        files.extend(NEARLY.iter().map(|it| directory.join(it)));
    }
    files
}

/// Settings of the user that a client with another `CLAUDE_CONFIG_DIR` reads.
fn read_elsewhere(it: &Installation<'_>) -> Vec<PathBuf> {
    let usual = it.home.iter().map(|it| it.join(".claude/settings.json"));
    let recorded = it.record.files.iter().map(|it| it.path.clone());
    let mut files: Vec<_> = usual.chain(recorded).collect();
    files.sort();
    files.dedup();
    files
}
