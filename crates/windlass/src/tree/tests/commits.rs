//! Histories, and which commits touched a file. Git tells what is right.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::history::Dice;
use super::world::{World, open, write};
use crate::tree::{Limits, Logged, TreeError};

const ALL: Limits = Limits { commits: usize::MAX, objects: usize::MAX, bytes: usize::MAX };
const NAMES: [&str; 8] = ["a", "a.b", "d/a", "d/b/c", "d/b/d", "d", "e/f/g/h", "e/f/i"];

/// A history with branches and merges, made by one process of git.
pub(super) fn history(world: &World, name: &str, dice: &mut Dice, commits: usize) -> PathBuf {
    let root = world.init(name, &[]);
    let mut stream = String::new();
    // Where each branch is, as a commit of the stream.
    let mut tips: Vec<usize> = Vec::new();
    for number in 1..=commits {
        let branch = dice.below(3);
        // Some at the same time, some before their parents.
        let time = 1_700_000_000 + 10 * number - dice.below(40);
        let subject = format!("commit {number} {}", dice.of(&["", "ü", "fix: it"]));
        writeln!(stream, "commit refs/heads/b{branch}\nmark :{number}").unwrap();
        writeln!(stream, "committer T <t@example.com> {time} +0100").unwrap();
        writeln!(stream, "data {}\n{subject}", subject.len()).unwrap();
        match (tips.get(branch).copied(), tips.first().copied()) {
            (Some(own), _) => {
                writeln!(stream, "from :{own}").unwrap();
                let other = tips[dice.below(tips.len())];
                if dice.below(4) == 0 && other != own {
                    writeln!(stream, "merge :{other}").unwrap();
                }
                tips[branch] = number;
            }
            (None, first) => {
                if let Some(first) = first {
                    writeln!(stream, "from :{first}").unwrap();
                }
                tips.push(number);
            }
        }
        for _ in 0..dice.below(3) {
            let name = dice.of(&NAMES);
            match dice.below(6) {
                0 => writeln!(stream, "D {name}").unwrap(),
                1 => writeln!(stream, "M 100755 inline {name}\ndata 1\nx").unwrap(),
                _ => writeln!(stream, "M 100644 inline {name}\ndata 1\n{}", dice.below(3)).unwrap(),
            }
        }
        stream.push('\n');
    }
    // Branch 0 has everything.
    writeln!(stream, "reset refs/heads/main\nfrom :{}\n", tips[0]).unwrap();
    let import = ["-c", "fastimport.unpackLimit=100000", "fast-import", "--quiet"];
    world.feed(&root, &import, stream.as_bytes());
    root
}

/// What git says.
fn gits(world: &World, root: &Path, args: &[&str]) -> Vec<Logged> {
    let args = [&["log", "--format=%H%x00%ct%x00%s%x00"], args].concat();
    let said = String::from_utf8_lossy(&world.git(root, &args)).into_owned();
    let mut parts = said.split('\0').map(|it| it.trim_start_matches('\n'));
    let mut found = Vec::new();
    while let (Some(id), Some(at), Some(subject)) = (parts.next(), parts.next(), parts.next()) {
        let (at, subject) = (at.parse().unwrap(), subject.trim_end().to_owned());
        found.push(Logged { id: id.to_owned(), at, subject });
    }
    found
}

fn ours(root: &Path, name: &str, most: usize, limits: Limits) -> Vec<Logged> {
    open(root).touching(&[Path::new(name)], most, limits).unwrap().remove(0)
}

#[test]
fn git_and_we_find_the_same_commits() {
    let world = World::new();
    let (mut found, mut merges) = (0, 0);
    for seed in 1..=5 {
        let root = history(&world, &format!("repo{seed}"), &mut Dice::new(seed), 120);
        merges += gits(&world, &root, &["--merges"]).len();
        for packed in [false, true] {
            if packed {
                world.git(&root, &["repack", "--quiet", "-adf", "--depth=50", "--window=50"]);
            }
            for name in NAMES.into_iter().chain(["d/b", "e", "none", "a/below"]) {
                let gits = gits(&world, &root, &["-n", "1000", "--", name]);
                assert_eq!(ours(&root, name, 1000, ALL), gits, "seed {seed} {name}");
                let three = &gits[..gits.len().min(3)];
                assert_eq!(ours(&root, name, 3, ALL), three);
                found += gits.len();
            }
        }
    }
    assert!(found > 300 && merges > 40, "{found} found, {merges} merges");
}

/// What is found within limits is a beginning of what there is.
#[test]
fn limits_cut_the_end() {
    let world = World::new();
    let root = history(&world, "repo", &mut Dice::new(3), 150);
    world.git(&root, &["repack", "--quiet", "-ad"]);
    for name in NAMES {
        let whole = ours(&root, name, 1000, ALL);
        assert!(!whole.is_empty(), "{name}");
        let mut lengths = Vec::new();
        for number in [0, 1, 2, 5, 20, 60, 150, 500, 5000] {
            for limits in [
                Limits { commits: number, ..ALL },
                Limits { objects: number, ..ALL },
                Limits { bytes: 50 * number, ..ALL },
            ] {
                let found = ours(&root, name, 1000, limits);
                assert_eq!(found, whole[..found.len()], "{name} {limits:?}");
                lengths.push(found.len());
            }
        }
        assert!(lengths.contains(&0) && lengths.contains(&whole.len()), "{name} {lengths:?}");
    }
    // What is left of the objects is shared: a file with a long way leaves something to the next.
    let names = [Path::new("none"), Path::new("a")];
    let found = open(&root).touching(&names, 3, Limits { objects: 40, ..ALL }).unwrap();
    assert_eq!((found[0].len(), &found[1][..1]), (0, &ours(&root, "a", 1, ALL)[..]));
}

#[test]
fn nothing_is_found_where_nothing_was_committed() {
    let world = World::new();
    let root = world.init("repo", &[]);
    assert_eq!(ours(&root, "a", 3, ALL), []);
    assert!(open(&root).committed_lately(3, 10, ALL).unwrap().is_empty());
    for path in ["", ".", "/etc/passwd", "../repo/a", "a/../a"] {
        write(&root, "a", "a\n");
        world.git(&root, &["add", "."]);
        world.commit(&root);
        assert_eq!(ours(&root, path, 3, ALL), [], "{path}");
    }
}

#[test]
fn a_shallow_clone_ends_without_a_guess() {
    let world = World::new();
    let root = history(&world, "repo", &mut Dice::new(5), 60);
    let address = format!("file://{}", root.display());
    let args = ["clone", "--quiet", "--depth=10", "--branch=main", &address, "clone"];
    world.git(&world.path(""), &args);
    let clone = world.path("clone");
    let known = fs::read_to_string(clone.join(".git/shallow")).unwrap();
    let mut fewer = 0;
    for name in NAMES {
        let (found, gits) = (ours(&clone, name, 100, ALL), gits(&world, &clone, &["--", name]));
        // Git says of the commits at the edge that they made every file.
        let sure: Vec<_> = gits.iter().filter(|it| !known.contains(&it.id)).cloned().collect();
        assert_eq!(found, sure, "{name}");
        fewer += gits.len() - sure.len();
    }
    assert!(fewer > 0);
}

#[test]
fn a_clone_without_trees_ends_without_an_error() {
    let world = World::new();
    let root = history(&world, "repo", &mut Dice::new(5), 40);
    world.git(&root, &["config", "uploadpack.allowFilter", "true"]);
    let address = format!("file://{}", root.display());
    let args = ["clone", "--quiet", "--filter=tree:0", "--branch=main", &address, "clone"];
    world.git(&world.path(""), &args);
    let clone = world.path("clone");
    let lately = open(&root).committed_lately(5, 10, ALL).unwrap();
    let found = open(&clone).committed_lately(5, 10, ALL).unwrap();
    assert!(found.iter().all(|it| lately.contains(it)), "{found:?}");
    for name in NAMES {
        let found = ours(&clone, name, 100, ALL);
        assert_eq!(found, ours(&root, name, 100, ALL)[..found.len()], "{name}");
    }
}

#[test]
fn a_worktree_a_tag_and_a_submodule_have_histories() {
    let (world, root) = World::repository();
    write(&root, "a", "2\n");
    world.git(&root, &["commit", "--quiet", "-am", "second"]);
    let other = world.path("other");
    world.git(&root, &["worktree", "add", "--quiet", other.to_str().unwrap(), "-b", "o", "HEAD~1"]);
    assert_eq!(ours(&other, "a", 3, ALL), gits(&world, &other, &["--", "a"]));
    assert_eq!(ours(&root, "a", 3, ALL).len(), 2);

    // A branch that is the name of a tag, which leads to another.
    world.git(&root, &["tag", "-a", "one", "-m", "one"]);
    world.git(&root, &["tag", "-a", "two", "one", "-m", "two"]);
    let tag = world.git(&root, &["rev-parse", "two"]);
    let before = ours(&root, "a", 3, ALL);
    fs::write(root.join(".git/refs/heads/main"), tag).unwrap();
    assert_eq!(ours(&root, "a", 3, ALL), before);
    world.git(&root, &["checkout", "--quiet", "--detach", "one^{commit}"]);

    let module = world.init("module", &[]);
    world.commit(&module);
    world.git(&root, &["submodule", "--quiet", "add", module.to_str().unwrap(), "sub"]);
    world.git(&root, &["commit", "--quiet", "-m", "module"]);
    world.commit(&root);
    let found = ours(&root, "sub", 3, ALL);
    assert_eq!(found, gits(&world, &root, &["--", "sub"]));
    assert_eq!(found.len(), 1);
    assert_eq!(ours(&root, "sub/a", 3, ALL), []);
}

#[test]
fn replacements_and_grafts_are_not_followed() {
    let (world, root) = World::repository();
    write(&root, "a", "2\n");
    world.git(&root, &["commit", "--quiet", "-am", "second"]);
    let before = ours(&root, "a", 3, ALL);
    assert_eq!(before.len(), 2);
    world.git(&root, &["replace", "--graft", "HEAD"]);
    assert_eq!(gits(&world, &root, &["--", "a"]).len(), 1);
    assert_eq!(ours(&root, "a", 3, ALL), before);
}

#[test]
fn subjects_and_names_are_what_they_are() {
    let world = World::new();
    let root = world.init("repo", &[]);
    for name in ["line\nbreak", "sp ace", "ü", "-n"] {
        write(&root, name, "x\n");
        world.git(&root, &["add", "."]);
        let message = b"\n\ncaf\xe9 \x1b[31mred\n\nmore\n".to_vec();
        let commit = ["commit", "--quiet", "--cleanup=verbatim", "-F", "-"];
        // Otherwise git writes it anew.
        let args = [&["-c", "i18n.commitEncoding=ISO-8859-1"], &commit[..]].concat();
        world.feed(&root, &args, &message);
        let found = ours(&root, name, 3, ALL);
        let said = world.git(&root, &["log", "--format=%H", "--", name]);
        assert_eq!(found[0].id, String::from_utf8_lossy(&said).trim());
        assert_eq!(found[0].subject, "caf\u{fffd} \u{1b}[31mred");
    }
    let lately = open(&root).committed_lately(2, 10, ALL).unwrap();
    assert_eq!(lately, [Path::new("-n"), Path::new("ü")]);
}

#[test]
fn the_files_of_the_last_commits_are_told() {
    let world = World::new();
    for seed in 1..=4 {
        let root = history(&world, &format!("repo{seed}"), &mut Dice::new(seed), 60);
        let args = ["log", "--no-merges", "-n", "10", "--name-status", "--no-renames", "--format="];
        let said = String::from_utf8(world.git(&root, &args)).unwrap();
        let mut gits: Vec<PathBuf> = Vec::new();
        for (status, name) in said.lines().filter_map(|it| it.split_once('\t')) {
            let name = PathBuf::from(name);
            if status != "D" && !gits.contains(&name) {
                gits.push(name);
            }
        }
        let found = open(&root).committed_lately(10, 100, ALL).unwrap();
        assert_eq!(found, gits, "seed {seed}");
        assert!(found.len() > 1);
        assert_eq!(open(&root).committed_lately(10, 2, ALL).unwrap(), gits[..2]);
        let mut lengths = Vec::new();
        for objects in 0..120 {
            let limits = Limits { objects, ..ALL };
            let found = open(&root).committed_lately(10, 100, limits).unwrap();
            assert_eq!(found, gits[..found.len()], "seed {seed}, {objects} objects");
            lengths.push(found.len());
        }
        assert!(lengths.contains(&0) && lengths.contains(&gits.len()), "{lengths:?}");
    }
}

/// Histories that lead in a ring: nobody checks that an object has the name of its content.
#[test]
fn rings_end() {
    let (world, root) = World::repository();
    let directory = root.join(".git/objects");
    let name = |commit: &str| {
        let oid = world.git(&root, &["rev-parse", commit]);
        String::from_utf8(oid).unwrap().trim().to_owned()
    };
    let place = |oid: &str| directory.join(&oid[..2]).join(&oid[2..]);
    let first = name("HEAD");
    write(&root, "a", "2\n");
    world.git(&root, &["commit", "--quiet", "-am", "second"]);
    let second = name("HEAD");
    // The first commit becomes a copy of the second one: its own parent.
    fs::remove_file(place(&first)).unwrap();
    fs::copy(place(&second), place(&first)).unwrap();
    assert_eq!(ours(&root, "a", 3, ALL), []);
    assert!(open(&root).committed_lately(10, 100, ALL).unwrap().is_empty());
    // A tree that holds itself.
    let tree = name("HEAD^{tree}");
    let below = name("HEAD:d");
    fs::remove_file(place(&below)).unwrap();
    fs::copy(place(&tree), place(&below)).unwrap();
    let long = "d/".repeat(500) + "a";
    ours(&root, &long, 3, ALL);
    open(&root).committed_lately(10, 100, ALL).unwrap();
}

#[test]
fn a_giant_tree_is_passed_by() {
    let world = World::new();
    let root = world.init("repo", &[]);
    let mut stream = String::from("blob\nmark :1\ndata 1\nx\n");
    for commit in 1..=3 {
        writeln!(stream, "commit refs/heads/main\ncommitter T <t> {commit}0 +0000").unwrap();
        writeln!(stream, "data 1\nm").unwrap();
        for number in 0..30_000 * (commit - 1) {
            writeln!(stream, "M 100644 :1 a/file-of-a-giant-tree-{number:010}").unwrap();
        }
        writeln!(stream, "M 100644 inline b\ndata 1\n{commit}").unwrap();
        writeln!(stream, "M 100644 inline a/c\ndata 1\n{commit}\n").unwrap();
    }
    world.feed(&root, &["fast-import", "--quiet"], stream.as_bytes());
    assert_eq!(ours(&root, "b", 5, ALL).len(), 3);
    assert_eq!(ours(&root, "a/c", 5, ALL), []);
    assert!(open(&root).committed_lately(1, 5, ALL).unwrap().is_empty());
}

/// Objects with random bytes in them: an error or another history, and an end.
#[test]
fn damaged_histories_do_no_harm() {
    let world = World::new();
    let mut dice = Dice::new(7);
    let root = history(&world, "repo", &mut dice, 40);
    let (mut read, mut refused) = (0, 0);
    for packed in [false, true] {
        if packed {
            world.git(&root, &["repack", "--quiet", "-adf"]);
        }
        let files = super::broken::objects(&root.join(".git/objects"));
        for _ in 0..400 {
            let file = &files[dice.below(files.len())];
            let whole = fs::read(file).unwrap();
            let mut changed = whole.clone();
            let place = dice.below(whole.len());
            changed[place] = u8::try_from(dice.below(256)).unwrap();
            fs::remove_file(file).unwrap();
            fs::write(file, changed).unwrap();
            let tree = open(&root);
            let paths = [Path::new("a"), Path::new("d/b/c"), Path::new("e/f/i")];
            let looks = [
                tree.touching(&paths, 50, ALL).is_ok(),
                tree.committed_lately(20, 100, ALL).is_ok(),
            ];
            read += looks.iter().filter(|it| **it).count();
            refused += looks.iter().filter(|it| !**it).count();
            fs::write(file, whole).unwrap();
        }
    }
    assert!(read > 100 && refused > 100, "{read} read, {refused} refused");
}

#[test]
fn a_commit_that_is_none_is_damaged() {
    let (world, root) = World::repository();
    let tree = world.git(&root, &["rev-parse", "HEAD^{tree}"]);
    fs::write(root.join(".git/refs/heads/main"), tree).unwrap();
    let error = open(&root).touching(&[Path::new("a")], 3, ALL).unwrap_err();
    assert!(matches!(error, TreeError::Damaged(_)), "{error:?}");
}
