//! Projects of git and others, and what they say.

use std::fs::{self, File, FileTimes};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use windlass_core::Timestamp;
use windlass_core::memory::{Candidate, Category, Memory, Role, Span};
use windlass_core::recall::{Snippet, Stale};

use super::{Named, Sources};
use crate::tree::tests::world::{World, write};

/// A project with some files, all of them committed.
fn project() -> (World, std::path::PathBuf) {
    let world = World::new();
    let root = world.init("repo", &[]);
    for (name, text) in [
        ("src/cache.rs", "fn insert() {}\n\nfn evict_oldest() {\n    remove_first();\n}\n"),
        ("src/a/mod.rs", "mod x;\n"),
        ("src/b/mod.rs", "mod y;\n"),
        ("lib/deep/only.rs", "pub fn only() {}\n"),
        ("README.md", "# Read me\n"),
        (".gitignore", "/out/\n*.tmp.rs\n"),
    ] {
        write(&root, name, text);
    }
    world.git(&root, &["add", "."]);
    world.git(&root, &["commit", "--quiet", "-m", "first: all of it"]);
    (world, root)
}

fn named_in(root: &Path, directory: &str, prompt: &str) -> Vec<(String, Option<u32>)> {
    let found = Sources::at(root, &root.join(directory)).named(prompt);
    found.into_iter().map(|Named { path, line }| (path, line)).collect()
}

fn named(root: &Path, prompt: &str) -> Vec<String> {
    named_in(root, "", prompt).into_iter().map(|it| it.0).collect()
}

fn code(root: &Path, prompt: &str) -> Vec<Snippet> {
    let mut sources = Sources::at(root, root);
    let named = sources.named(prompt);
    sources.code(&named, prompt)
}

#[test]
fn files_are_found_where_they_are() {
    let (_world, root) = project();
    let absolute = format!("look at {}/src/cache.rs:3", root.display());
    assert_eq!(named_in(&root, "", &absolute), [("src/cache.rs".to_owned(), Some(3))]);
    for (directory, prompt, expected) in [
        ("", "fix src/cache.rs and ./README.md", &["src/cache.rs", "README.md"][..]),
        // From where the session works, then from the root.
        ("src", "fix cache.rs and README.md", &["src/cache.rs", "README.md"]),
        ("src", "a/mod.rs, ../lib/deep/only.rs", &["src/a/mod.rs", "lib/deep/only.rs"]),
        // By the end of its path, where there is only one.
        ("", "fix only.rs and deep/only.rs", &["lib/deep/only.rs"]),
        ("lib", "fix cache.rs", &["src/cache.rs"]),
        // Several: those where the session works.
        ("src/a", "what is in mod.rs", &["src/a/mod.rs"]),
        ("src", "what is in mod.rs", &["src/a/mod.rs", "src/b/mod.rs"]),
        ("lib", "what is in mod.rs", &[]),
        ("", "nothing.rs, src/nothing.rs, src/a, only", &[]),
        ("", "../repo/src/cache.rs /etc/passwd ../../x.rs", &[]),
    ] {
        let found = named_in(&root, directory, prompt);
        let found: Vec<_> = found.iter().map(|it| it.0.as_str()).collect();
        assert_eq!(found, expected, "{directory}: {prompt}");
    }
    let many: Vec<_> = (0..20).map(|it| format!("many/{it}/mod.rs")).collect();
    for name in &many {
        write(&root, name, "");
    }
    assert_eq!(named(&root, &many.join(" ")).len(), 5);
}

#[test]
fn a_prompt_that_names_nothing_looks_at_nothing() {
    let (_world, root) = project();
    let mut sources = Sources::at(&root, &root);
    let prompt = "Why is the cache so slow? We use Node.js 20.1, see https://example.com/a.html.";
    let named = sources.named(prompt);
    assert_eq!((sources.code(&named, prompt), sources.commits(&[])), (Vec::new(), Vec::new()));
    assert_eq!(sources.lately(prompt), None);
    assert!(sources.below.is_none() && sources.tree.get().is_none());
}

#[test]
fn links_pipes_and_git_itself_are_not_named() {
    let (world, root) = project();
    write(&world.path(""), "outside.rs", "fn evict_oldest() {}\n");
    symlink(world.path("outside.rs"), root.join("link.rs")).unwrap();
    symlink(world.path(""), root.join("out")).unwrap();
    let pipe = Command::new("mkfifo").arg(root.join("pipe.rs")).status().unwrap();
    assert!(pipe.success());
    write(&root, ".git/x.rs", "evict_oldest\n");
    assert_eq!(named(&root, "link.rs out/outside.rs pipe.rs .git/x.rs .git/config @src"), [""; 0]);
    let named: Vec<_> = ["link.rs", "out/outside.rs", "pipe.rs", "src", "../outside.rs"]
        .map(|it| Named { path: it.to_owned(), line: Some(1) })
        .into();
    assert_eq!(Sources::at(&root, &root).code(&named, "evict_oldest"), []);
}

#[test]
fn lines_that_fit_are_shown() {
    let (_world, root) = project();
    let found = code(&root, "why does src/cache.rs call remove_first when it evicts?");
    let [snippet] = &found[..] else { panic!("{found:?}") };
    assert_eq!((snippet.path.as_str(), snippet.line), ("src/cache.rs", 3));
    assert_eq!(snippet.text, "fn evict_oldest() {\n    remove_first();\n}");
    let written = fs::metadata(root.join("src/cache.rs")).unwrap().modified().unwrap();
    let written = written.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
    assert_eq!(i128::from(snippet.written_at.0), i128::try_from(written).unwrap());
    // Only its name.
    assert_eq!(code(&root, "improve the cache in src/cache.rs"), []);
    assert_eq!(code(&root, "why does evict_oldest not work"), []);
    // A line that was named needs no words.
    assert_eq!(code(&root, "fix src/cache.rs:4")[0].line, 1);
    assert_eq!(code(&root, "fix src/cache.rs:400"), []);
}

#[test]
fn nothing_is_shown_of_files_that_are_nobody_elses() {
    let (world, root) = project();
    let key = "-----BEGIN OPENSSH PRIVATE KEY-----\nevict_oldest\n";
    for (name, text) in [
        (".env", "evict_oldest=1\n"),
        ("deploy.pem", "evict_oldest\n"),
        ("src/secrets.yaml", "evict_oldest: 1\n"),
        ("out/made.rs", "fn evict_oldest() {}\n"),
        ("x.tmp.rs", "fn evict_oldest() {}\n"),
        ("src/key.rs", key),
        ("src/binary.rs", "evict_oldest\0\n"),
        ("src/large.rs", &"fn evict_oldest() {}\n".repeat(60_000)),
    ] {
        write(&root, name, text);
        let found = code(&root, &format!("evict_oldest in @{name}"));
        assert_eq!(found, [], "{name}");
        assert_eq!(named(&root, &format!("evict_oldest in @{name}")), [name]);
    }
    fs::write(root.join("src/latin.rs"), b"// \xe4\nfn evict_oldest() {}\n").unwrap();
    assert_eq!(code(&root, "evict_oldest in src/latin.rs"), []);
    // What git tracks is everybody's, whatever the patterns say.
    world.git(&root, &["add", "-f", "x.tmp.rs"]);
    assert_eq!(code(&root, "evict_oldest in x.tmp.rs").len(), 1);
}

#[test]
fn secrets_are_taken_out() {
    let (world, root) = project();
    let token = ["ghp_", "x7Kq2Lm9Rt4Vw8Yz1Bc5Df3Gh6Jn0PsAeUi"].concat();
    write(&root, "src/client.rs", &format!("fn connect() {{\n    login(\"{token}\");\n}}\n"));
    let found = code(&root, "why does connect() call login() in src/client.rs");
    assert!(found[0].text.contains("login(") && !found[0].text.contains(&token), "{found:?}");
    world.git(&root, &["add", "."]);
    world.git(&root, &["commit", "--quiet", "-m", &format!("use token {token} in client")]);
    let commit = &Sources::at(&root, &root).commits(&["src/client.rs"])[0];
    assert!(commit.subject.contains("client") && !commit.subject.contains(&token), "{commit:?}");
    // Also where the secret is what was looked for.
    for prompt in ["what does login() do?", &format!("is `{token}` still in use?")] {
        let found = Sources::at(&root, &root).lately(prompt).unwrap();
        assert_eq!(found.path, "src/client.rs", "{prompt}");
        assert!(!format!("{found:?}").contains(&token), "{found:?}");
    }
}

#[test]
fn commits_stand_with_the_file_that_they_touched() {
    let (world, root) = project();
    for number in 1..=4 {
        write(&root, "src/cache.rs", &format!("{number}\n"));
        if number == 4 {
            write(&root, "README.md", "4\n");
        }
        world.git(&root, &["commit", "--quiet", "-am", &format!("change {number}")]);
    }
    let sources = Sources::at(&root, &root);
    let found = sources.commits(&["src/cache.rs", "README.md", "none"]);
    let told: Vec<_> = found.iter().map(|it| (it.subject.as_str(), it.path.as_str())).collect();
    assert_eq!(
        told,
        [
            ("change 4", "src/cache.rs"),
            ("change 3", "src/cache.rs"),
            ("change 2", "src/cache.rs"),
            ("first: all of it", "README.md"),
        ]
    );
    let head = String::from_utf8(world.git(&root, &["log", "-1", "--format=%H %ct"])).unwrap();
    let (id, at) = head.trim().split_once(' ').unwrap();
    assert!(id.starts_with(&found[0].id) && found[0].id.len() == 10);
    assert_eq!(found[0].at, Timestamp(at.parse::<i64>().unwrap() * 1000));
    assert_eq!(sources.commits(&[]), []);
}

/// A limit that no look needs.
const LATE: Duration = Duration::from_mins(1);

/// Sets when a file was written.
fn set_written(file: &Path, seconds: u64) {
    let written = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    let file = File::options().write(true).open(file).unwrap();
    file.set_times(FileTimes::new().set_modified(written)).unwrap();
}

#[test]
fn what_was_changed_lately_is_found() {
    let (world, root) = project();
    for number in 0..6 {
        write(&root, format!("src/{number}.rs"), "x\n");
        write(&root, "CHANGELOG.md", &number.to_string());
        world.git(&root, &["add", "."]);
        world.git(&root, &["commit", "--quiet", "-m", "more"]);
    }
    write(&root, "src/cache.rs", "other\n");
    write(&root, "staged.rs", "x\n");
    world.git(&root, &["add", "staged.rs"]);
    fs::remove_file(root.join("src/4.rs")).unwrap();
    fs::remove_file(root.join("lib/deep/only.rs")).unwrap();
    let expect = |files: &[&str]| {
        assert_eq!(Sources::at(&root, &root).recent_files(LATE), files);
    };
    let committed = ["src/5.rs", "src/3.rs", "src/2.rs", "src/1.rs"];
    set_written(&root.join("src/cache.rs"), WRITTEN);
    expect(&[&["staged.rs", "src/cache.rs"], &committed[..]].concat());
    set_written(&root.join("staged.rs"), WRITTEN - 1);
    expect(&[&["src/cache.rs", "staged.rs"], &committed[..]].concat());
    // What cannot be looked at in time is not known; what was committed is.
    let found = Sources::at(&root, &root).recent_files(Duration::ZERO);
    assert_eq!(found, committed);
    for number in 0..20 {
        write(&root, format!("many/{number}.rs"), "x\n");
    }
    world.git(&root, &["add", "many"]);
    assert_eq!(Sources::at(&root, &root).recent_files(LATE).len(), 8);
}

fn lately(root: &Path, prompt: &str) -> Option<(String, u32, String)> {
    let found = Sources::at(root, root).lately(prompt)?;
    Some((found.path, found.line, found.has.unwrap()))
}

#[test]
fn lines_of_a_file_that_was_changed_lately_are_shown_for_a_name_of_code() {
    let (world, root) = project();
    let expected = Some(("src/cache.rs".to_owned(), 3, "evict_oldest".to_owned()));
    assert_eq!(lately(&root, "why does evict_oldest not work"), expected);
    for prompt in ["why are the oldest not evicted from the cache", "insert", "read_timeout", ""] {
        assert_eq!(lately(&root, prompt), None, "{prompt}");
    }
    // Who defines it comes before who was changed later and uses it.
    write(&root, "src/a/mod.rs", "mod x;\n\nfn tick() {\n    evict_oldest();\n}\n");
    assert_eq!(lately(&root, "why does evict_oldest not work"), expected);
    write(&root, "src/cache.rs", "fn insert() {}\n");
    let used = lately(&root, "why does evict_oldest not work").unwrap();
    assert_eq!((used.0.as_str(), used.1), ("src/a/mod.rs", 3));
    // What was changed long ago is not looked at.
    for number in 0..8 {
        write(&root, format!("src/{number}.rs"), "x\n");
        world.git(&root, &["add", "."]);
        world.git(&root, &["commit", "--quiet", "-m", "more"]);
    }
    assert_eq!(lately(&root, "why does evict_oldest not work"), None);
}

#[test]
fn nothing_is_shown_of_what_is_private_ignored_or_no_code() {
    let (world, root) = project();
    world.git(&root, &["rm", "--quiet", "src/cache.rs"]);
    let key = "-----BEGIN OPENSSH PRIVATE KEY-----\nevict_oldest\n";
    for (name, text) in [
        (".env", "evict_oldest=1\n"),
        ("deploy.pem", "evict_oldest\n"),
        ("src/secrets.yaml", "evict_oldest: 1\n"),
        ("notes.md", "evict_oldest is slow\n"),
        ("Cargo.lock", "name = \"evict_oldest\"\n"),
        ("src/key.rs", key),
        ("src/binary.rs", "evict_oldest\0\n"),
        ("src/large.rs", &format!("fn evict_oldest() {{}}\n{}", "x\n".repeat(200_000))),
    ] {
        write(&root, name, text);
    }
    // Git has one that it would pass by now.
    write(&root, "out/made.rs", "fn evict_oldest() {}\n");
    world.git(&root, &["add", "-f", "."]);
    world.git(&root, &["commit", "--quiet", "-m", "all of it"]);
    world.git(&root, &["rm", "--quiet", "--cached", "out/made.rs"]);
    write(&root, "outside.rs", "fn evict_oldest() {}\n");
    symlink(root.join("outside.rs"), root.join("src/link.rs")).unwrap();
    world.git(&root, &["add", "src/link.rs"]);
    assert_eq!(lately(&root, "why does evict_oldest not work"), None);
    write(&root, "src/cache.rs", "fn evict_oldest() {}\n");
    world.git(&root, &["add", "src/cache.rs"]);
    assert!(lately(&root, "why does evict_oldest not work").is_some());
}

/// When files were written, in seconds.
const WRITTEN: u64 = 1_700_000_000;

/// A memory about these files, kept some seconds after they were written, or before.
fn memory(files: &[&str], seconds: i64) -> Memory {
    let at = Timestamp((i64::try_from(WRITTEN).unwrap() + seconds) * 1000);
    let span = Span {
        role: Role::Agent,
        category: Category::Discovery,
        text: "The cache is never emptied.".to_owned(),
        at: 0,
        part: 0,
        score: 0,
        confidence: 50,
        is_strong: false,
        is_noted: false,
        why: Vec::new(),
    };
    let mut memory = Memory::of(Candidate::of(&span, "s", at).unwrap());
    memory.content.files = files.iter().map(|&it| it.to_owned()).collect();
    memory
}

#[test]
fn a_memory_looks_old_when_its_files_do() {
    let (world, root) = project();
    for name in ["src/cache.rs", "README.md"] {
        set_written(&root.join(name), WRITTEN);
    }
    let stale = |files: &[&str], seconds| Sources::at(&root, &root).stale(&memory(files, seconds));
    let absolute = root.join("src/cache.rs");
    let absolute = absolute.to_str().unwrap();
    for file in ["src/cache.rs", absolute, "src/cache.rs:40", "./src/../src/cache.rs"] {
        assert_eq!((stale(&[file], 50), stale(&[file], 0)), (None, None), "{file}");
        assert_eq!(stale(&[file], -50), Some(Stale::Newer("src/cache.rs".to_owned())), "{file}");
    }
    // A colon may belong to the name.
    write(&root, "src/a:b.rs", "x");
    set_written(&root.join("src/a:b.rs"), WRITTEN);
    for file in ["src/a:b.rs", "src/a:b.rs:7", "src/a:b.rs:7:1"] {
        assert_eq!(stale(&[file], 50), None, "{file}");
        assert_eq!(stale(&[file], -50), Some(Stale::Newer("src/a:b.rs".to_owned())), "{file}");
    }
    for file in ["src/cache.rs:4-9", "src/cache.rs:evict"] {
        assert_eq!(stale(&[file], 50), None, "{file}");
    }
    // What is not below the root, or no file, says nothing.
    for file in ["/etc/passwd", "/nowhere/x.rs", "../x.rs", "src", "src/*.rs", ""] {
        assert_eq!(stale(&[file], -50), None, "{file}");
    }
    let gone = |it: &str| Some(Stale::Gone(it.to_owned()));
    assert_eq!(stale(&["src/none.rs"], 50), gone("src/none.rs"));
    assert_eq!(stale(&["src/cache.rs", "src/none.rs:4"], -50), gone("src/none.rs"));
    world.git(&root, &["mv", "src/cache.rs", "lib/cache.rs"]);
    let moved = Stale::Moved { from: "src/cache.rs".to_owned(), to: "lib/cache.rs".to_owned() };
    assert_eq!(stale(&["src/cache.rs"], 50), Some(moved));
    // Several of the name: nobody knows which it became.
    assert_eq!(stale(&["src/c/mod.rs"], 50), gone("src/c/mod.rs"));
    // Deleted, and the index does not know yet.
    fs::remove_file(root.join("lib/deep/only.rs")).unwrap();
    assert_eq!(stale(&["lib/deep/only.rs"], 50), gone("lib/deep/only.rs"));
}

/// A second name of a file may be one outside of the root.
#[test]
fn a_file_with_a_second_name_is_not_quoted() {
    let (world, root) = project();
    let prompt = "why does evict_oldest in src/cache.rs fail?";
    assert!(!code(&root, prompt).is_empty());
    fs::hard_link(root.join("src/cache.rs"), world.path("second.rs")).unwrap();
    assert_eq!(code(&root, prompt), []);
    fs::remove_file(world.path("second.rs")).unwrap();
    assert!(!code(&root, prompt).is_empty());
}

/// Nobody looks behind a link, so nobody knows what is there.
#[test]
fn a_file_below_a_link_is_not_gone() {
    let world = World::new();
    let root = world.path("plain");
    write(&root, "real/deep/cache.rs", "x");
    symlink(root.join("real"), root.join("linked")).unwrap();
    write(&root, "file", "x");
    let stale = |file: &str| Sources::at(&root, &root).stale(&memory(&[file], 0));
    for file in ["linked/deep/cache.rs", "linked/none.rs", "linked"] {
        assert_eq!(stale(file), None, "{file}");
    }
    for file in ["file/cache.rs", "none/deep/cache.rs", "real/none.rs"] {
        assert_eq!(stale(file), Some(Stale::Gone(file.to_owned())), "{file}");
    }
}

#[test]
fn a_directory_without_a_repository_has_files_too() {
    let world = World::new();
    let root = world.path("plain");
    write(&root, "src/cache.rs", "fn evict_oldest() {}\n");
    assert_eq!(code(&root, "evict_oldest in src/cache.rs").len(), 1);
    assert_eq!(named(&root, "evict_oldest in cache.rs"), [""; 0]);
    let mut sources = Sources::at(&root, &root);
    assert_eq!(sources.commits(&["src/cache.rs"]), []);
    assert_eq!(sources.recent_files(LATE), [""; 0]);
    assert_eq!(sources.lately("evict_oldest"), None);
    assert_eq!(sources.stale(&memory(&["src/x.rs"], 0)), Some(Stale::Gone("src/x.rs".to_owned())));
    // A root that is not there knows nothing.
    let nowhere = world.path("nowhere");
    let mut sources = Sources::at(&nowhere, &nowhere);
    assert_eq!(sources.named("src/cache.rs cache.rs"), []);
    assert_eq!(sources.stale(&memory(&["src/x.rs"], 0)), None);
}

/// Whatever is in the place of git's files: an answer and an end.
#[test]
fn a_broken_repository_is_one_that_says_less() {
    let (world, root) = project();
    for name in ["HEAD", "index", "config", "refs/heads/main", "objects"] {
        let (path, before) = (root.join(".git").join(name), world.path("before"));
        fs::rename(&path, &before).unwrap();
        for step in 0..3 {
            match step {
                0 => fs::write(&path, "\0garbage\n").unwrap(),
                1 => symlink(&before, &path).unwrap(),
                _ => assert!(Command::new("mkfifo").arg(&path).status().unwrap().success()),
            }
            let mut sources = Sources::at(&root, &root);
            let named = sources.named("only.rs and src/cache.rs");
            assert!(named.iter().any(|it| it.path == "src/cache.rs"), "{name}");
            sources.code(&named, "evict_oldest");
            sources.commits(&["src/cache.rs"]);
            sources.recent_files(LATE);
            sources.lately("evict_oldest");
            assert!(sources.stale(&memory(&["src/none.rs"], 0)).is_some());
            fs::remove_file(&path).unwrap();
        }
        fs::rename(&before, &path).unwrap();
    }
    assert!(Sources::at(&root, &root).lately("evict_oldest").is_some());
}
