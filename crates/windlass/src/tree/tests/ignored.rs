//! What git passes by.

use super::history::Dice;
use super::world::{World, names, write};

#[test]
fn patterns_at_every_level_count() {
    let world = World::new();
    let root = world.init("repo", &[]);
    write(&root, ".git/info/exclude", "*.tmp\n*.keep\n");
    write(&root, ".gitignore", "*.log\n/build/\n!important.log\nvendor/*\n!vendor/kept\n");
    write(&root, "src/.gitignore", "!debug.log\n/only-here\ndeep/**/x\n");
    for name in [
        "a.log",
        "important.log",
        "build/a",
        "src/build/a",
        "src/debug.log",
        "src/only-here",
        "src/a/only-here",
        "src/deep/x",
        "src/deep/y/z/x",
        "src/deep/y/z/w",
        "vendor/gone",
        "vendor/kept",
        "x.tmp",
        "src/y.tmp",
        "src/important.log",
        "debug.log",
    ] {
        write(&root, name, "x");
    }
    let seen = world.agreed(&root);
    let kept = [
        ".gitignore",
        "important.log",
        "src/.gitignore",
        "src/a/only-here",
        "src/build/a",
        "src/debug.log",
        "src/deep/y/z/w",
        "src/important.log",
        "vendor/kept",
    ];
    assert_eq!(names(&seen), kept);
    // What is tracked is not passed by, and does not bring back what is beside it.
    write(&root, "build/b", "b");
    world.git(&root, &["add", "-f", "build/b"]);
    assert_eq!(names(&world.agreed(&root)), kept);
}

const NAMES: [&str; 24] = [
    "a",
    "b",
    "ab",
    "abc",
    "a b",
    "a.b",
    "foo.x",
    "foobar",
    "[a]",
    "!a",
    "#a",
    "a\\b",
    "A",
    "-",
    "é",
    "d/a",
    "d/foo",
    "d/b/a",
    "d/b/foo",
    "d/b/c/a",
    "foo/a",
    "foo/b/a",
    "foo/b/c/bar",
    "a-]",
];
const PIECES: [&str; 30] = [
    "a",
    "b",
    "foo",
    "bar",
    "d",
    "c",
    "/",
    "/",
    "*",
    "*",
    "**",
    "**/",
    "/**",
    "/**/",
    "?",
    "[ab]",
    "[!a]",
    "[^b-d]",
    "[[:alpha:]]",
    "[[:upper:]]",
    "[]-]",
    "[a-",
    "\\",
    "\\a",
    " ",
    "\\ ",
    "!",
    "#",
    "[[:no:]]",
    ".",
];

/// Files of patterns out of pieces that mean something, read by git and by us.
#[test]
fn git_passes_by_the_same_files() {
    let world = World::new();
    let root = world.init("repo", &[]);
    for name in NAMES {
        write(&root, name, "x");
    }
    let mut dice = Dice::new(11);
    let (mut some, mut patterns) = (0, 0);
    for round in 0..400 {
        for file in [".gitignore", "d/.gitignore", ".git/info/exclude"] {
            let mut text = String::new();
            for _ in 0..dice.below(4) {
                for _ in 0..=dice.below(5) {
                    text += dice.of(&PIECES);
                }
                text += dice.of(&["\n", "\n", "\r\n", "/\n", " \n", ""]);
                patterns += 1;
            }
            write(&root, file, &text);
        }
        let seen = super::world::ours(&root).1;
        let texts = [".gitignore", "d/.gitignore", ".git/info/exclude"]
            .map(|it| std::fs::read_to_string(root.join(it)).unwrap());
        assert_eq!(seen, world.gits(&root).1, "round {round}: {texts:?}");
        some += usize::from(seen.len() < NAMES.len() + 2 && !seen.is_empty());
    }
    assert!(some > 100, "{some} of {patterns}");
}

/// A pattern over which a careless reader thinks for years.
#[test]
fn no_pattern_takes_long() {
    let (world, root) = World::repository();
    write(&root, ".gitignore", &format!("{}b\n{}b\n", "*a".repeat(40), "**/a*/".repeat(30)));
    write(&root, "a".repeat(200), "x");
    assert_eq!(super::world::ours(&root).1.len(), 2);
    drop(world);
}
