//! One thing at a time.

use std::ffi::OsStr;
use std::fs::{self, File, FileTimes};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use sha1::{Digest, Sha1};

use super::world::{World, changes, later, names, open, write};
use crate::tree::Change::{Added, Conflicted, Deleted, Modified, Staged};
use crate::tree::{LIMIT, Tree, TreeError};

#[test]
fn a_directory_without_a_repository_has_no_tree() {
    let world = World::new();
    assert!(Tree::open(&world.path("")).unwrap().is_none());
    write(&world.path(""), ".git", "gitdir: nowhere\n");
    assert!(Tree::open(&world.path("")).unwrap().is_none());
    fs::write(world.path(".git"), "garbage").unwrap();
    assert!(Tree::open(&world.path("")).unwrap().is_none());
}

#[test]
fn every_kind_of_change_is_told() {
    let (world, root) = World::repository();
    assert_eq!(world.agreed(&root), (Vec::new(), Vec::new()));
    write(&root, "a", "other\n");
    write(&root, "b", "other\n");
    write(&root, "new", "new\n");
    world.git(&root, &["add", "b", "new"]);
    fs::remove_file(root.join("d/g")).unwrap();
    world.git(&root, &["rm", "--quiet", "--cached", "h"]);
    write(&root, "intended", "");
    world.git(&root, &["add", "-N", "intended"]);
    let seen = world.agreed(&root);
    let told = [
        ("a", Modified),
        ("b", Staged),
        ("d/g", Deleted),
        ("h", Deleted),
        ("intended", Added),
        ("new", Added),
    ];
    assert_eq!(changes(&seen), told);
    assert_eq!(names(&seen), ["h"]);
}

#[test]
fn a_renamed_file_is_one_that_went_and_one_that_came() {
    let (world, root) = World::repository();
    world.git(&root, &["mv", "a", "d/e/a"]);
    assert_eq!(changes(&world.agreed(&root)), [("a", Deleted), ("d/e/a", Added)]);
}

#[test]
fn a_mode_counts_where_the_system_tells_it() {
    let (world, root) = World::repository();
    fs::set_permissions(root.join("a"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(changes(&world.agreed(&root)), [("a", Modified)]);
    world.git(&root, &["config", "core.fileMode", "false"]);
    assert_eq!(changes(&world.agreed(&root)), []);
}

#[test]
fn links_are_what_they_say_and_not_where_they_lead() {
    let (world, root) = World::repository();
    symlink("a", root.join("link")).unwrap();
    world.git(&root, &["add", "link"]);
    world.commit(&root);
    write(&root, "a", "changed\n");
    assert_eq!(changes(&world.agreed(&root)), [("a", Modified)]);
    fs::remove_file(root.join("link")).unwrap();
    symlink("b", root.join("link")).unwrap();
    assert_eq!(changes(&world.agreed(&root)), [("a", Modified), ("link", Modified)]);
    // The same files, but behind a link.
    fs::rename(root.join("d"), world.path("elsewhere")).unwrap();
    symlink("../elsewhere", root.join("d")).unwrap();
    let seen = world.agreed(&root);
    assert_eq!(changes(&seen)[1..3], [("d/e/f", Deleted), ("d/g", Deleted)]);
    assert_eq!(names(&seen), ["d"]);
}

#[test]
fn touching_a_file_changes_nothing() {
    let (world, root) = World::repository();
    for (name, seconds) in [("a", 1_000_000_000), ("b", 4_000_000_000)] {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let file = File::options().write(true).open(root.join(name)).unwrap();
        file.set_times(FileTimes::new().set_modified(time)).unwrap();
    }
    assert_eq!(changes(&world.agreed(&root)), []);
}

/// Whoever edits in the moment in which git has looked leaves a file of the same size and times.
/// Such a moment is hard to meet, so the index is given the times that the file got.
#[test]
fn an_edit_in_the_moment_of_the_index_is_seen() {
    let (world, root) = World::repository();
    write(&root, "a", "x\n");
    let metadata = fs::metadata(root.join("a")).unwrap();
    let index = root.join(".git/index");
    let mut content = fs::read(&index).unwrap();
    content.truncate(content.len() - 20);
    // The first entry stands behind twelve bytes.
    let times = [metadata.ctime(), metadata.ctime_nsec(), metadata.mtime(), metadata.mtime_nsec()];
    for (place, time) in times.into_iter().enumerate() {
        let time = u32::try_from(time).unwrap().to_be_bytes();
        content[12 + 4 * place..16 + 4 * place].copy_from_slice(&time);
    }
    let sum = Sha1::digest(&content);
    content.extend_from_slice(&sum);
    fs::write(&index, content).unwrap();
    let written = |time| {
        let file = File::options().write(true).open(&index).unwrap();
        file.set_times(FileTimes::new().set_modified(time)).unwrap();
    };
    written(metadata.modified().unwrap());
    assert_eq!(changes(&world.agreed(&root)), [("a", Modified)]);
    // In an index that is younger the same times are proof, to git too.
    written(metadata.modified().unwrap() + Duration::from_secs(2));
    assert_eq!(changes(&world.agreed(&root)), []);
}

/// The same with the clock as it runs.
#[test]
fn edits_right_after_git_has_looked_are_seen() {
    let (world, root) = World::repository();
    for round in 0..10 {
        write(&root, "a", &format!("{round:04} before"));
        world.git(&root, &["add", "a"]);
        world.commit(&root);
        write(&root, "a", &format!("{round:04} after."));
        assert_eq!(changes(&world.agreed(&root)), [("a", Modified)], "{round}");
    }
}

#[test]
fn line_ends_count_as_git_counts_them() {
    let (world, root) = World::repository();
    write(&root, "a", "a\r\n");
    assert_eq!(changes(&world.agreed(&root)), [("a", Modified)]);
    // Checked out with two bytes, kept with one.
    world.git(&root, &["checkout", "--quiet", "a"]);
    world.git(&root, &["config", "core.autocrlf", "true"]);
    fs::remove_file(root.join("a")).unwrap();
    world.git(&root, &["checkout", "--quiet", "a"]);
    assert_eq!(fs::read(root.join("a")).unwrap(), b"a\r\n");
    assert_eq!(changes(&world.agreed(&root)), []);
    write(&root, "a", "a\r\n");
    assert_eq!(changes(&world.agreed(&root)), []);
    write(&root, "a", "x\r\n");
    assert_eq!(changes(&world.agreed(&root)), [("a", Modified)]);
}

#[test]
fn what_the_user_says_about_an_entry_counts() {
    let (world, root) = World::repository();
    for name in ["a", "b", "h"] {
        write(&root, name, "changed\n");
    }
    world.git(&root, &["update-index", "--assume-unchanged", "a"]);
    world.git(&root, &["update-index", "--skip-worktree", "b"]);
    assert_eq!(changes(&world.agreed(&root)), [("h", Modified)]);
    fs::remove_file(root.join("b")).unwrap();
    assert_eq!(changes(&world.agreed(&root)), [("h", Modified)]);
}

#[test]
fn a_sparse_checkout_lacks_files_that_nobody_deleted() {
    let (world, root) = World::repository();
    world.git(&root, &["sparse-checkout", "set", "--cone", "--no-sparse-index", "d/e"]);
    assert!(!root.join("d/x").exists());
    assert_eq!(changes(&world.agreed(&root)), []);
    world.git(&root, &["sparse-checkout", "set", "--no-cone", "--no-sparse-index", "/a"]);
    assert!(!root.join("b").exists());
    assert_eq!(changes(&world.agreed(&root)), []);
    // One that is there nevertheless is looked at.
    write(&root, "b", "changed\n");
    assert_eq!(changes(&world.agreed(&root)), [("b", Modified)]);
}

#[test]
fn a_merge_that_did_not_end_leaves_conflicts() {
    let (world, root) = World::repository();
    world.git(&root, &["checkout", "--quiet", "-b", "other"]);
    write(&root, "a", "theirs\n");
    fs::remove_file(root.join("b")).unwrap();
    world.git(&root, &["commit", "--quiet", "-a", "--message=theirs"]);
    world.git(&root, &["checkout", "--quiet", "main"]);
    for name in ["a", "b"] {
        write(&root, name, "ours\n");
    }
    world.git(&root, &["commit", "--quiet", "-a", "--message=ours"]);
    assert!(!world.try_git(&root, &["merge", "other"]).status.success());
    assert_eq!(changes(&world.agreed(&root)), [("a", Conflicted), ("b", Conflicted)]);
    let print = open(&root).fingerprint(later()).unwrap();
    write(&root, "a", "solved\n");
    assert!(!print.has_same_files(&open(&root).fingerprint(later()).unwrap()));
}

#[test]
fn a_branch_without_a_commit_has_only_additions() {
    let world = World::new();
    let root = world.init("repo", &[]);
    assert_eq!(world.agreed(&root), (Vec::new(), Vec::new()));
    write(&root, "a", "a");
    write(&root, "b", "b");
    world.git(&root, &["add", "a"]);
    let seen = world.agreed(&root);
    assert_eq!((changes(&seen), names(&seen)), (vec![("a", Added)], vec!["b"]));
    assert_eq!(open(&root).committed(Path::new("a")).unwrap(), None);
}

#[test]
fn every_way_to_name_the_last_commit_is_followed() {
    let (world, root) = World::repository();
    write(&root, "a", "second\n");
    world.git(&root, &["commit", "--quiet", "-a", "--message=second"]);
    let text = || open(&root).committed(Path::new("a")).unwrap().unwrap();
    assert_eq!(text(), b"second\n");
    world.git(&root, &["pack-refs", "--all"]);
    assert_eq!(text(), b"second\n");
    world.git(&root, &["gc", "--quiet", "--prune=now"]);
    assert_eq!(text(), b"second\n");
    world.git(&root, &["checkout", "--quiet", "--detach", "HEAD~1"]);
    assert_eq!(text(), b"a\n");
    world.git(&root, &["checkout", "--quiet", "-b", "deep/er/branch"]);
    assert_eq!(text(), b"a\n");
    world.agreed(&root);
}

#[test]
fn packed_differences_are_put_together_again() {
    let (world, root) = World::repository();
    let mut lines: Vec<String> = (0..2_000).map(|it| format!("line {it} of many\n")).collect();
    for round in 0..30 {
        lines[round * 60] = format!("changed in round {round}\n");
        lines.insert(round * 7, "one more\n".to_owned());
        write(&root, "long", &lines.concat());
        write(&root, format!("d/n{round}"), "n");
        world.git(&root, &["add", "."]);
        world.commit(&root);
    }
    world.git(&root, &["gc", "--quiet", "--aggressive", "--prune=now"]);
    for back in (0..30).step_by(4) {
        world.git(&root, &["checkout", "--quiet", "--detach", &format!("main~{back}")]);
        let text = open(&root).committed(Path::new("long")).unwrap().unwrap();
        assert_eq!(text, fs::read(root.join("long")).unwrap());
        // Without what the index remembers, all trees are read.
        world.git(&root, &["read-tree", "--empty"]);
        world.git(&root, &["add", "."]);
        assert_eq!(changes(&world.agreed(&root)), []);
        write(&root, "d/e/f", "staged\n");
        world.git(&root, &["add", "."]);
        assert_eq!(changes(&world.agreed(&root)), [("d/e/f", Staged)]);
        world.git(&root, &["reset", "--quiet", "--hard"]);
    }
}

#[test]
fn the_bytes_of_the_last_commit_are_bounded() {
    let (world, root) = World::repository();
    write(&root, "most", &"x".repeat(1 << 20));
    write(&root, "more", &"x".repeat((1 << 20) + 1));
    symlink("a", root.join("link")).unwrap();
    world.git(&root, &["add", "."]);
    world.commit(&root);
    for _ in 0..2 {
        let tree = open(&root);
        assert_eq!(tree.committed(Path::new("most")).unwrap().unwrap().len(), 1 << 20);
        let more = tree.committed(Path::new("more"));
        assert!(matches!(more, Err(TreeError::TooLarge(_))), "{more:?}");
        assert_eq!(tree.committed(Path::new("d/e/f")).unwrap().unwrap(), b"d/e/f\n");
        for none in ["d", "d/none", "a/b", "link", "", "/a", "../repo/a", "d/../a"] {
            assert_eq!(tree.committed(Path::new(none)).unwrap(), None, "{none}");
        }
        world.git(&root, &["gc", "--quiet", "--prune=now"]);
    }
}

#[test]
fn a_linked_worktree_has_its_own_index_and_commit() {
    let (world, root) = World::repository();
    world.git(&root, &["worktree", "add", "--quiet", "-b", "other", "../tree"]);
    let tree = world.path("tree");
    write(&tree, "a", "there\n");
    world.git(&tree, &["commit", "--quiet", "-a", "--message=there"]);
    write(&tree, "b", "there\n");
    assert_eq!(changes(&world.agreed(&tree)), [("b", Modified)]);
    assert_eq!(changes(&world.agreed(&root)), []);
    assert_eq!(open(&tree).committed(Path::new("a")).unwrap().unwrap(), b"there\n");
    assert_eq!(open(&root).committed(Path::new("a")).unwrap().unwrap(), b"a\n");
}

#[test]
fn a_submodule_is_a_tree_of_its_own_and_passed_by_from_outside() {
    let (world, root) = World::repository();
    let outer = world.init("outer", &[]);
    world.git(&outer, &["submodule", "--quiet", "add", root.to_str().unwrap(), "sub"]);
    world.commit(&outer);
    let sub = outer.join("sub");
    write(&sub, "a", "changed\n");
    write(&sub, "new", "new\n");
    assert_eq!(world.agreed(&outer), (Vec::new(), Vec::new()));
    assert_eq!(changes(&world.agreed(&sub)), [("a", Modified)]);
    // A repository that nobody added is passed by, too.
    world.init("outer/nested", &[]);
    write(&outer, "nested/a", "a");
    assert_eq!(world.agreed(&outer), (Vec::new(), Vec::new()));
}

#[test]
fn every_version_of_the_index_is_read() {
    let (world, root) = World::repository();
    for version in ["4", "3", "2"] {
        world.git(&root, &["update-index", "--index-version", version]);
        write(&root, "a", version);
        assert_eq!(changes(&world.agreed(&root)), [("a", Modified)], "{version}");
    }
    world.git(&root, &["config", "index.skipHash", "true"]);
    world.git(&root, &["add", "a"]);
    assert!(fs::read(root.join(".git/index")).unwrap().ends_with(&[0; 20]));
    assert_eq!(changes(&world.agreed(&root)), [("a", Staged)]);
}

#[test]
fn a_path_may_be_any_bytes() {
    let (world, root) = World::repository();
    for name in [&b"\xff\xfe"[..], b"d/\x80 \n", b"\"quoted\"", "größe".as_bytes()] {
        write(&root, OsStr::from_bytes(name), "x");
    }
    assert_eq!(world.agreed(&root).1.len(), 4);
    world.git(&root, &["add", "."]);
    assert_eq!(world.agreed(&root).0.len(), 4);
    let long = ["long".repeat(50).as_str(); 12].join("/");
    write(&root, &long, "x");
    world.git(&root, &["add", "."]);
    assert_eq!(world.agreed(&root).0.len(), 5);
    let path = Path::new(OsStr::from_bytes(b"\xff\xfe"));
    world.commit(&root);
    assert_eq!(open(&root).committed(path).unwrap().unwrap(), b"x");
}

#[test]
fn the_deadline_ends_every_look() {
    let (_world, root) = World::repository();
    write(&root, "a", "x\n");
    let tree = open(&root);
    let over = Instant::now();
    assert!(matches!(tree.changed(over), Err(TreeError::TooLong)));
    assert!(matches!(tree.untracked(over, 10), Err(TreeError::TooLong)));
    assert!(matches!(tree.fingerprint(over), Err(TreeError::TooLong)));
}

#[test]
fn a_huge_file_is_not_read_when_its_size_says_enough() {
    let (world, root) = World::repository();
    // A hole: reading it would take minutes.
    File::options().write(true).open(root.join("a")).unwrap().set_len(1 << 40).unwrap();
    let tree = open(&root);
    assert_eq!(tree.changed(later()).unwrap().len(), 1);
    let soon = Instant::now() + LIMIT;
    assert!(matches!(tree.fingerprint(soon), Err(TreeError::TooLong)));
    drop(world);
}

#[test]
fn untracked_files_are_bounded_in_number() {
    let (world, root) = World::repository();
    for number in 0..30 {
        write(&root, format!("x{}/{number}", number % 3), "x");
    }
    let all = world.agreed(&root).1;
    let some = open(&root).untracked(later(), 7).unwrap();
    assert_eq!((all.len(), some.len()), (30, 7));
    assert!(some.iter().all(|it| all.contains(it)));
}

/// More entries than one thread takes.
#[test]
fn a_large_tree_is_seen_whole() {
    let (world, root) = World::repository();
    for number in 0..2_500 {
        write(&root, format!("many/{:02}/{number}", number % 40), &number.to_string());
    }
    world.git(&root, &["add", "."]);
    world.commit(&root);
    assert_eq!(changes(&world.agreed(&root)), []);
    for number in (0..2_500).step_by(97) {
        write(&root, format!("many/{:02}/{number}", number % 40), "changed");
    }
    assert_eq!(world.agreed(&root).0.len(), 26);
}

#[test]
fn looking_writes_nothing() {
    let (world, root) = World::repository();
    write(&root, "a", "a\n");
    let state = || {
        let output = std::process::Command::new("find")
            .args([".", "-printf", "%p %T@ %C@ %s\n"])
            .current_dir(&root)
            .output()
            .unwrap();
        output.stdout
    };
    let before = state();
    let tree = open(&root);
    tree.changed(later()).unwrap();
    tree.untracked(later(), 10).unwrap();
    tree.fingerprint(later()).unwrap();
    assert_eq!(state(), before);
    drop(world);
}
