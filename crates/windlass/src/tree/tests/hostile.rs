//! Repositories that would like to run something, or to have something else read.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::world::{World, changes, later, open, ours, write};
use crate::tree::Change::Modified;
use crate::tree::TreeError;

#[test]
fn nothing_that_a_repository_names_is_run() {
    let (world, root) = World::repository();
    let program = world.path("program");
    let mark = world.path("mark");
    fs::write(&program, format!("#!/bin/sh\ntouch '{}'\ncat\n", mark.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let program = program.to_str().unwrap();
    let hooks = world.path("hooks");
    fs::create_dir(&hooks).unwrap();
    for name in ["post-index-change", "query-watchman", "post-checkout", "fsmonitor-watchman"] {
        fs::copy(program, hooks.join(name)).unwrap();
    }
    for (key, value) in [
        ("core.fsmonitor", program),
        ("core.hooksPath", hooks.to_str().unwrap()),
        ("filter.evil.clean", program),
        ("filter.evil.smudge", program),
        ("filter.evil.process", program),
        ("filter.evil.required", "true"),
        ("diff.evil.textconv", program),
        ("diff.evil.command", program),
        ("diff.external", program),
        ("core.sshCommand", program),
        ("core.pager", program),
        ("core.alternateRefsCommand", program),
    ] {
        world.git(
            Path::new("/"),
            &["config", "-f", root.join(".git/config").to_str().unwrap(), key, value],
        );
    }
    write(&root, ".git/info/attributes", "* filter=evil diff=evil\n");
    write(&root, "a", "x\n");
    let tree = open(&root);
    assert_eq!(changes(&ours(&root)), [("a", Modified)]);
    tree.committed(Path::new("a")).unwrap();
    tree.fingerprint(later()).unwrap();
    assert!(!mark.exists());
    // Git itself would have run it.
    world.try_git(&root, &["status"]);
    assert!(mark.exists());
}

/// Objects of another repository are not this one's: what they say would be told as its own.
#[test]
fn objects_of_another_repository_are_not_read() {
    let (world, root) = World::repository();
    world.git(&world.path(""), &["clone", "--quiet", "--shared", root.to_str().unwrap(), "clone"]);
    let clone = world.path("clone");
    let error = open(&clone).changed(later()).unwrap_err();
    assert!(matches!(error, TreeError::Missing(_)), "{error:?}");
    assert!(error.hint().contains("`git repack -a`"));
    world.git(&clone, &["repack", "--quiet", "-a"]);
    assert_eq!(changes(&world.agreed(&clone)), []);
}

#[test]
fn settings_that_lead_out_are_not_followed() {
    let (world, root) = World::repository();
    write(&world.path(""), "more", "[core]\n\tfileMode = false\n");
    write(&world.path(""), "excludes", "*\n");
    write(&root, "new", "new");
    for (key, value) in [
        ("include.path", world.path("more")),
        ("core.excludesFile", world.path("excludes")),
        ("core.worktree", world.path("")),
    ] {
        world.git(&root, &["config", key, value.to_str().unwrap()]);
    }
    fs::set_permissions(root.join("a"), fs::Permissions::from_mode(0o755)).unwrap();
    let seen = ours(&root);
    assert_eq!((changes(&seen), seen.1.len()), (vec![("a", Modified)], 1));
}

#[test]
fn pipes_and_links_in_the_place_of_files_are_not_waited_for() {
    let (world, root) = World::repository();
    for name in ["a", ".gitignore", "d/new"] {
        drop(fs::remove_file(root.join(name)));
        let made = std::process::Command::new("mkfifo").arg(root.join(name)).status();
        assert!(made.unwrap().success());
    }
    assert_eq!(changes(&ours(&root)), [("a", Modified)]);
    open(&root).fingerprint(later()).unwrap();
    for name in ["index", "HEAD", "config"] {
        let path = root.join(".git").join(name);
        let before = world.path(name);
        fs::rename(&path, &before).unwrap();
        std::os::unix::fs::symlink(&before, &path).unwrap();
        let seen = crate::tree::Tree::open(&root);
        let failed = seen.map_or(true, |it| it.is_none_or(|it| it.changed(later()).is_err()));
        assert!(failed, "{name}");
        fs::rename(&before, &path).unwrap();
    }
}
