//! Many small steps, each of which git and we see in the same way.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use super::world::{World, ours, write};

/// Numbers that are the same in every run.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    pub(super) fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

/// Names that stand beside, before and below each other.
const NAMES: [&str; 14] = [
    "a", "a.b", "a-b", "d", "d/a", "d/b/c", "d/b/d", "d.x", "d/b.x", "e/f/g/h", "e/f/g/i", "z",
    "out/a", "e/x.log",
];
const TEXTS: [&str; 6] = ["", "one\n", "two\n", "one\r\n", "longer than the others\n", "\0\x01"];
const IGNORES: [&str; 5] = ["*.log\n", "out/\n!*.log\n", "/d/b\n", "*\n!*/\n!*.x\n", "# nothing\n"];

#[test]
fn git_and_we_agree_after_every_step() {
    let mut told = BTreeMap::new();
    let mut untracked = 0;
    for seed in 1..=6 {
        let world = World::new();
        let root = world.init("repo", &[]);
        let mut dice = Dice::new(seed);
        let mut done = Vec::new();
        for _ in 0..60 {
            for _ in 0..=dice.below(3) {
                done.push(step(&world, &root, &mut dice));
            }
            let seen = ours(&root);
            assert_eq!(seen, world.gits(&root), "seed {seed}: {done:#?}");
            seen.0.iter().for_each(|it| *told.entry(it.1).or_insert(0) += 1);
            untracked += seen.1.len();
        }
    }
    let enough = told.len() == 4 && told.values().all(|it| *it > 50) && untracked > 50;
    assert!(enough, "{told:?}, {untracked} untracked");
}

/// Does something, and tells what.
fn step(world: &World, root: &Path, dice: &mut Dice) -> String {
    let name = dice.of(&NAMES);
    let path = root.join(name);
    let try_git = |args: &[&str]| {
        let done = world.try_git(root, args).status.success();
        format!("git {args:?}: {done}")
    };
    match dice.below(26) {
        0..=6 => {
            let text = dice.of(&TEXTS);
            clear(root, name);
            write(root, name, text);
            format!("write {name} {text:?}")
        }
        7 => {
            let text = dice.of(&IGNORES);
            let name = dice.of(&[".gitignore", "d/.gitignore", "e/f/.gitignore"]);
            clear(root, name);
            write(root, name, text);
            format!("write {name} {text:?}")
        }
        8 | 9 => {
            // What is gone already may stay so.
            format!("remove {name}: {:?}", remove(&path))
        }
        10 => {
            clear(root, name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            symlink(dice.of(&["a", "d", "nowhere"]), &path).unwrap();
            format!("link {name}")
        }
        11 if path.is_file() => {
            let mode = if dice.below(2) == 0 { 0o755 } else { 0o644 };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            format!("mode {name} {mode:o}")
        }
        12 if path.is_file() => {
            fs::write(&path, fs::read(&path).unwrap()).unwrap();
            format!("touch {name}")
        }
        13..=15 => try_git(&["add", "-A", "--", "."]),
        16 => try_git(&["add", "-f", "--", name]),
        17 | 18 => try_git(&["commit", "--quiet", "--allow-empty", "--message=m"]),
        19 => try_git(&["rm", "-r", "--quiet", "--cached", "--", name]),
        20 => try_git(&["mv", "-k", "--", name, dice.of(&NAMES)]),
        21 => try_git(&["reset", "--quiet", dice.of(&["--mixed", "--hard", "--soft"]), "HEAD~1"]),
        22 => try_git(&["add", "-N", "--", name]),
        23 => try_git(&["gc", "--quiet", "--prune=now"]),
        24 => try_git(&["update-index", "--index-version", dice.of(&["2", "4"])]),
        _ => try_git(&["checkout", "--quiet", "--force", dice.of(&["HEAD", "HEAD~1", "main"])]),
    }
}

/// Makes room for a file.
fn clear(root: &Path, name: &str) {
    let mut path = root.to_owned();
    let parts: Vec<_> = name.split('/').collect();
    for (place, part) in parts.iter().enumerate() {
        path.push(part);
        let Ok(metadata) = path.symlink_metadata() else { return };
        if !metadata.is_dir() || place + 1 == parts.len() {
            remove(&path).unwrap();
        }
    }
}

fn remove(path: &Path) -> std::io::Result<()> {
    if path.symlink_metadata()?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}
