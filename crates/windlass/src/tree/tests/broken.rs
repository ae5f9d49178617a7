//! Indexes and objects that are damaged, cut, or of a kind that we do not read.

use std::fs;
use std::path::Path;

use sha1::{Digest, Sha1};

use super::history::Dice;
use super::world::{World, later, open, write};
use crate::tree::index::Index;
use crate::tree::{Tree, TreeError};

fn summed(mut content: Vec<u8>) -> Vec<u8> {
    let sum = Sha1::digest(&content);
    content.extend_from_slice(&sum);
    content
}

#[test]
fn an_index_that_is_cut_or_changed_is_refused() {
    let (world, root) = World::repository();
    for version in ["2", "4"] {
        world.git(&root, &["update-index", "--index-version", version]);
        let whole = fs::read(root.join(".git/index")).unwrap();
        for length in 0..whole.len() {
            assert!(Index::parse(&whole[..length]).is_err(), "{length}");
        }
        for place in 0..whole.len() {
            let mut changed = whole.clone();
            changed[place] ^= 0x41;
            assert!(Index::parse(&changed).is_err(), "{place}");
        }
        // With a sum that is right, whatever it is must do no harm.
        let content = &whole[..whole.len() - 20];
        for length in 0..content.len() {
            drop(Index::parse(&summed(content[..length].to_vec())));
        }
        let mut dice = Dice::new(7);
        for _ in 0..5_000 {
            let mut changed = content.to_vec();
            for _ in 0..=dice.below(3) {
                let place = dice.below(changed.len());
                changed[place] = u8::try_from(dice.below(256)).unwrap();
            }
            if let Ok(index) = Index::parse(&summed(changed)) {
                index.trees().for_each(drop);
                assert!(index.entries.iter().all(|it| !index.path(it).is_empty()));
            }
        }
    }
    fs::write(root.join(".git/index"), "garbage").unwrap();
    assert!(matches!(open(&root).changed(later()), Err(TreeError::Damaged(_))));
}

#[test]
fn an_index_names_nothing_outside_of_the_working_tree() {
    let (_world, root) = World::repository();
    let whole = fs::read(root.join(".git/index")).unwrap();
    let content = &whole[..whole.len() - 20];
    let place = content.windows(5).position(|it| it == b"d/e/f").unwrap();
    assert!(Index::parse(&summed(content.to_vec())).is_ok());
    for name in
        [b"../ef", b"/d/ef", b"d//ef", b"d/./f", b"d/../", b"./d/e", b".git/", b".GiT/", b"d/ef/"]
    {
        let mut changed = content.to_vec();
        changed[place..place + name.len()].copy_from_slice(name);
        let read = Index::parse(&summed(changed));
        assert!(matches!(read, Err(TreeError::Damaged(_))), "{name:?}");
    }
}

#[test]
fn what_is_not_understood_is_said() {
    let (world, root) = World::repository();
    world.git(&root, &["update-index", "--split-index"]);
    let seen = open(&root).changed(later());
    assert!(matches!(seen, Err(TreeError::Unsupported(_))), "{seen:?}");
    world.git(&root, &["update-index", "--no-split-index"]);
    assert!(open(&root).changed(later()).is_ok());

    world.git(&root, &["sparse-checkout", "set", "--cone", "--sparse-index", "none"]);
    assert!(matches!(open(&root).changed(later()), Err(TreeError::Unsupported(_))));
    world.git(&root, &["sparse-checkout", "disable"]);
    assert!(open(&root).changed(later()).is_ok());

    let index = root.join(".git/index");
    let whole = fs::read(&index).unwrap();
    for (name, is_read) in [(b"WHAT", true), (b"what", false)] {
        let mut content = whole[..whole.len() - 20].to_vec();
        content.extend_from_slice(name);
        content.extend_from_slice(&[0, 0, 0, 2, 1, 2]);
        fs::write(&index, summed(content)).unwrap();
        assert_eq!(open(&root).changed(later()).is_ok(), is_read, "{name:?}");
    }

    for format in ["--object-format=sha256", "--ref-format=reftable"] {
        let other = world.init(format, &[format]);
        assert!(matches!(Tree::open(&other), Err(TreeError::Unsupported(_))), "{format}");
    }
    for (key, value) in [("core.repositoryFormatVersion", "2"), ("extensions.unheardOf", "true")] {
        let other = world.init(key, &[]);
        world.git(&other, &["config", key, value]);
        assert!(matches!(Tree::open(&other), Err(TreeError::Unsupported(_))), "{key}");
    }
}

/// Objects with random bytes in them: an error or another text, and an end.
#[test]
fn objects_that_are_damaged_do_no_harm() {
    let (world, root) = World::repository();
    for round in 0..10 {
        write(&root, "long", &format!("{round}\n").repeat(300 + round));
        write(&root, "d/e/f", &format!("{round}\n"));
        world.git(&root, &["add", "."]);
        world.commit(&root);
    }
    let mut dice = Dice::new(3);
    let (mut read, mut refused) = (0, 0);
    for packed in [false, true] {
        if packed {
            world.git(&root, &["gc", "--quiet", "--aggressive", "--prune=now"]);
        }
        world.git(&root, &["read-tree", "--empty"]);
        let files = objects(&root.join(".git/objects"));
        assert!(files.len() > 1);
        for round in 0..400 {
            let file = &files[dice.below(files.len())];
            let whole = fs::read(file).unwrap();
            let mut changed = whole.clone();
            if round % 8 == 0 {
                changed.truncate(dice.below(whole.len()));
            } else {
                let place = dice.below(whole.len());
                changed[place] = u8::try_from(dice.below(256)).unwrap();
            }
            fs::remove_file(file).unwrap();
            fs::write(file, changed).unwrap();
            let tree = open(&root);
            let looks = [
                tree.changed(later()).is_ok(),
                tree.committed(Path::new("long")).is_ok(),
                tree.committed(Path::new("d/e/f")).is_ok(),
            ];
            read += looks.iter().filter(|it| **it).count();
            refused += looks.iter().filter(|it| !**it).count();
            fs::write(file, whole).unwrap();
        }
    }
    assert!(read > 100 && refused > 100, "{read} read, {refused} refused");
}

pub(super) fn objects(directory: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(objects(&path));
        } else if path.extension().is_none_or(|it| it == "idx" || it == "pack") {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn references_that_lead_in_a_ring_or_out_end() {
    let (_world, root) = World::repository();
    for text in ["ref: refs/heads/ring\n", "ref: ../../secret\n", "ref: /etc/passwd", "garbage", ""]
    {
        fs::write(root.join(".git/HEAD"), text).unwrap();
        fs::write(root.join(".git/refs/heads/ring"), "ref: refs/heads/ring\n").unwrap();
        assert!(matches!(open(&root).changed(later()), Err(TreeError::Damaged(_))), "{text}");
    }
}
