//! What was touched since a time.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use super::world::{World, write};
use crate::tree::Tree;

fn now() -> i64 {
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap();
    i64::try_from(now.as_millis()).unwrap()
}

/// A moment after which what is written has a later stamp.
fn later() -> i64 {
    std::thread::sleep(Duration::from_millis(40));
    now()
}

fn touched(root: &Path, since: i64) -> Vec<(String, Option<i64>)> {
    let tree = Tree::open(root).unwrap().unwrap();
    let deadline = Instant::now() + Duration::from_mins(1);
    let touched = tree.touched(since, deadline).unwrap().touched.into_iter();
    touched.map(|it| (it.path.to_str().unwrap().to_owned(), it.at)).collect()
}

fn names(root: &Path, since: i64) -> Vec<String> {
    touched(root, since).into_iter().map(|it| it.0).collect()
}

#[test]
fn new_files_are_found_where_something_appeared() {
    let (_world, root) = World::repository();
    write(&root, ".gitignore", "*.log\nout/\n");
    write(&root, "d/old", "old");
    let since = later();
    assert_eq!(names(&root, since), [""; 0]);
    for name in ["d/new", "d/new.log", "d/e/x/y/deep", "out/a", "top", "d/e/out/b"] {
        write(&root, name, "new");
    }
    assert_eq!(names(&root, since), ["top", "d/new", "d/e/x/y/deep"]);
    assert!(names(&root, 0).contains(&"d/old".to_owned()));
}

#[test]
fn tracked_files_that_differ_are_told_with_their_time() {
    let (_world, root) = World::repository();
    write(&root, "d/g", "before");
    let since = later();
    write(&root, "a", "after");
    std::fs::remove_file(root.join("b")).unwrap();
    let touched = touched(&root, since);
    let names: Vec<_> = touched.iter().map(|it| it.0.as_str()).collect();
    assert_eq!(names, ["a", "b", "d/g"]);
    assert!(touched[0].1.unwrap() >= since - 10, "{touched:?} since {since}");
    assert!(touched[1].1.unwrap() >= since - 10, "{touched:?} since {since}");
    assert!(touched[2].1.unwrap() < since, "{touched:?} since {since}");
}

/// The directory in which a file lay tells when it can have gone, unless something was made there.
#[test]
fn a_file_that_is_gone_has_the_time_of_the_directory_that_lost_it() {
    let time = |root: &Path, since: i64, name: &str| {
        touched(root, since).into_iter().find(|it| it.0 == name).unwrap().1
    };
    for (is_whole, name) in [(false, "d/g"), (true, "d/e/f")] {
        let (_world, root) = World::repository();
        let before = later();
        if is_whole {
            std::fs::remove_dir_all(root.join("d")).unwrap();
        } else {
            std::fs::remove_file(root.join("d/g")).unwrap();
        }
        assert!(time(&root, before, name).is_some_and(|it| it >= before - 10), "{name}");
        let after = later();
        assert_eq!(time(&root, after, name), None, "{name}");
        let directory = if is_whole { "" } else { "d/" };
        write(&root, format!("{directory}made.log"), "made");
        assert_eq!(time(&root, after, name), None, "{name}");
    }
    let (_world, root) = World::repository();
    let before = later();
    std::fs::rename(root.join("d"), root.join("moved")).unwrap();
    assert!(time(&root, before, "d/g").is_some_and(|it| it >= before - 10));
}

/// What git passes by stays so although something in it is tracked.
#[test]
fn an_ignored_directory_with_a_tracked_file_hides_new_ones() {
    let (world, root) = World::repository();
    write(&root, ".gitignore", "build/\n");
    write(&root, "build/kept/a", "a");
    world.git(&root, &["add", "-f", "build/kept/a", ".gitignore"]);
    world.commit(&root);
    let since = later();
    write(&root, "build/kept/b", "b");
    write(&root, "build/c", "c");
    assert_eq!(names(&root, since), [""; 0]);
}

/// A commit hides nothing of what was changed since, and a file that was taken back is as it was.
#[test]
fn what_was_committed_since_is_touched_and_what_was_taken_back_is_not() {
    let (world, root) = World::repository();
    std::thread::sleep(Duration::from_millis(1100));
    let since = later();
    write(&root, "a", "after");
    write(&root, "d/g", "after");
    world.git(&root, &["commit", "-q", "-am", "two"]);
    write(&root, "b", "after");
    write(&root, "h", "after");
    world.git(&root, &["checkout", "-q", "h"]);
    let tree = Tree::open(&root).unwrap().unwrap();
    let look = tree.touched(since, Instant::now() + Duration::from_mins(1)).unwrap();
    let mut seen: Vec<_> =
        look.touched.iter().map(|it| (it.path.to_str().unwrap(), it.committed)).collect();
    seen.sort_unstable();
    assert_eq!(seen, [("a", true), ("b", false), ("d/g", true)]);
    assert!(look.is_same(Path::new("h")) && !look.is_same(Path::new("a")));
    assert!(!look.is_same(Path::new("nobody")));
}

/// What git does not look at changes no fingerprint.
#[test]
fn a_file_that_git_passes_by_is_not_seen() {
    let (world, root) = World::repository();
    write(&root, ".gitignore", "*.log\nout/\n");
    write(&root, "d/.gitignore", "hidden\n");
    world.init("repo/nested", &[]);
    world.git(&root, &["update-index", "--assume-unchanged", "h"]);
    let tree = Tree::open(&root).unwrap().unwrap();
    let sees =
        |name: &str| tree.sees(&[name.into()], Instant::now() + Duration::from_mins(1)).unwrap();
    for name in ["a", "d/e/f", "new", "d/new", "x/y/new"] {
        assert!(sees(name), "{name}");
    }
    for name in ["a.log", "d/a.log", "out/a", "d/hidden", "nested/a", "h"] {
        assert!(!sees(name), "{name}");
    }
}
