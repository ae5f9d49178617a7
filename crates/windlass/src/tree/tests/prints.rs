//! Fingerprints: the same for the same files, another one for others.

use std::fs::{self, File, FileTimes};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::world::{World, later, open, write};
use crate::tree::{Fingerprint, TreeError};

fn print(root: &Path) -> Fingerprint {
    open(root).fingerprint(later()).unwrap()
}

#[test]
fn times_make_no_difference() {
    let (world, root) = World::repository();
    write(&root, "a", "changed\n");
    write(&root, "new", "new\n");
    let before = print(&root);
    for name in ["a", "b", "new"] {
        let file = File::options().write(true).open(root.join(name)).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        file.set_times(FileTimes::new().set_modified(time)).unwrap();
    }
    assert_eq!(print(&root), before);
    world.git(&root, &["status"]);
    world.git(&root, &["update-index", "-q", "--refresh"]);
    assert_eq!(print(&root), before);
    // Away and back.
    write(&root, "a", "other\n");
    assert_ne!(print(&root), before);
    write(&root, "a", "changed\n");
    assert_eq!(print(&root), before);
}

#[test]
fn every_difference_that_a_check_could_see_is_one() {
    let (world, root) = World::repository();
    write(&root, ".gitignore", "*.log\n");
    let mut seen = vec![print(&root)];
    let mut step = |name: &str, done: &dyn Fn()| {
        done();
        let now = print(&root);
        assert!(seen.iter().all(|it| !it.has_same_files(&now)), "{name}");
        seen.push(now);
    };
    step("change", &|| write(&root, "a", "x\n"));
    step("same size", &|| write(&root, "a", "y\n"));
    step("untracked", &|| write(&root, "new", "1"));
    step("untracked, other content", &|| write(&root, "new", "2"));
    step("mode", &|| {
        fs::set_permissions(root.join("new"), fs::Permissions::from_mode(0o755)).unwrap();
    });
    step("deleted", &|| fs::remove_file(root.join("b")).unwrap());
    step("moved", &|| fs::rename(root.join("new"), root.join("newer")).unwrap());
    step("link", &|| std::os::unix::fs::symlink("a", root.join("link")).unwrap());
    let before = print(&root);
    write(&root, "x.log", "ignored");
    assert_eq!(print(&root), before);
    drop(world);
}

#[test]
fn staging_and_committing_leave_the_files_as_they_are() {
    let (world, root) = World::repository();
    write(&root, "a", "x\n");
    write(&root, "d/new", "new\n");
    fs::remove_file(root.join("b")).unwrap();
    let mut prints = vec![print(&root)];
    world.git(&root, &["add", "a"]);
    prints.push(print(&root));
    world.git(&root, &["add", "-A"]);
    prints.push(print(&root));
    world.commit(&root);
    prints.push(print(&root));
    for (place, one) in prints.iter().enumerate() {
        for other in &prints[..place] {
            assert_ne!(one, other);
            assert!(one.has_same_files(other));
        }
    }
}

#[test]
fn too_many_untracked_files_are_not_guessed_at() {
    let (_world, root) = World::repository();
    for number in 0..=super::super::fingerprint::MOST {
        let name = format!("many/{}", number / 500);
        if number % 500 == 0 {
            fs::create_dir_all(root.join(&name)).unwrap();
        }
        File::create(root.join(name).join(number.to_string())).unwrap();
    }
    let seen = open(&root).fingerprint(later());
    assert!(matches!(seen, Err(TreeError::TooLarge(_))), "{seen:?}");
}
