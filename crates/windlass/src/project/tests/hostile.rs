//! Directories that lie, hang, belong to somebody else or are not there.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, lchown, symlink};
use std::path::Path;
use std::process::Command;

use windlass_core::{Identity, PlaceKind, Seen};

use super::World;
use super::world::{SAME, identity, known, remote, text};
use crate::project::look::{User, look_as};
use crate::project::{look, still_there};
use crate::tree::Tree;

#[test]
fn there_is_no_project_in_the_root_at_home_or_nowhere() {
    let world = World::new();
    world.git(world.home(), &["init", "--quiet"]);
    let file = world.init("repo").join("file");
    fs::write(&file, "").unwrap();
    symlink("loop", world.path("loop")).unwrap();
    symlink("tree", world.path("link")).unwrap();
    symlink(world.home(), world.path("to-home")).unwrap();
    let deleted = world.directory("deleted");
    fs::remove_dir(&deleted).unwrap();
    let long = world.path("d/".repeat(2500));
    for cwd in [
        Path::new("/"),
        world.home(),
        &world.path("to-home"),
        &world.path("loop"),
        &world.path("loop/below"),
        &world.path("link"),
        &file,
        &deleted,
        &long,
        Path::new(""),
        Path::new("."),
        Path::new("src"),
        Path::new("/\0"),
    ] {
        assert_eq!(world.look(cwd), None, "{}", cwd.display());
    }
    let home = world.directory("home");
    symlink("home", world.path("link-to-home")).unwrap();
    assert_eq!(look(&home, Some(&world.path("link-to-home"))), None);
}

#[test]
fn a_home_that_is_missing_or_not_a_path_bounds_nothing() {
    let world = World::new();
    let root = world.init("repo");
    let seen = world.repository(&root);
    for home in [None, Some(Path::new("")), Some(Path::new(".")), Some(Path::new("/no/where"))] {
        assert_eq!(look(&root, home), Some(seen.clone()), "{home:?}");
    }
}

#[test]
fn a_repository_at_home_does_not_own_what_is_below() {
    let world = World::new();
    world.git(world.home(), &["init", "--quiet"]);
    let below = world.directory("notes/2024");
    world.plain(&below, &below);
}

#[test]
fn a_dot_git_that_is_no_repository_is_passed_by_and_a_pointer_that_leads_nowhere_is_not() {
    let world = World::new();
    let outer = world.init("outer");
    let seen = world.repository(&outer);
    let inner = world.directory("outer/inner");
    let dot_git = inner.join(".git");

    fs::create_dir(&dot_git).unwrap();
    assert_eq!(world.repository(&inner), seen, "an empty directory");
    fs::remove_dir(&dot_git).unwrap();
    for target in ["nowhere", ".git", "/dev/null"] {
        symlink(target, &dot_git).unwrap();
        assert_eq!(world.repository(&inner), seen, "a link to {target}");
        fs::remove_file(&dot_git).unwrap();
    }
    world.run("mkfifo", &["outer/inner/.git"]);
    assert_eq!(world.repository(&inner), seen, "a pipe");
    fs::remove_file(&dot_git).unwrap();

    let pointers: [&[u8]; 12] = [
        b"",
        b"\n",
        b"gitdir:",
        b"gitdir: ",
        b"gitdir: \n",
        b"gitdir:../.git",
        b"gitdir: .git",
        b"gitdir: nowhere",
        b"gitdir: /etc",
        b"gitdir: ../.git\0",
        b"\xff\xfe gitdir",
        b"GITDIR: ../.git",
    ];
    for pointer in pointers {
        fs::write(&dot_git, pointer).unwrap();
        world.plain(&inner, &inner);
    }
    fs::write(&dot_git, "gitdir: ../.git").unwrap();
    world.plain(&inner, &inner);
}

#[test]
fn the_way_to_the_shared_directory_is_one_step() {
    let world = World::new();
    let root = world.init("repo");
    for name in ["one", "two"] {
        world.git(&root, &["worktree", "add", "--quiet", &format!("../{name}")]);
    }
    let tree = world.path("one");
    let pointer = root.join(".git/worktrees/one/commondir");
    for lie in ["", "\n", ".", "../two", "../one", "../../worktrees", "nowhere", "/etc", "a\0b"] {
        fs::write(&pointer, lie).unwrap();
        world.plain(&tree, &tree);
    }
    fs::remove_file(&pointer).unwrap();
    symlink("/dev/zero", &pointer).unwrap();
    world.plain(&tree, &tree);
    fs::remove_file(&pointer).unwrap();
    world.run("mkfifo", &["repo/.git/worktrees/one/commondir"]);
    world.plain(&tree, &tree);
    assert_eq!(world.repository(world.path("two")).place, text(root.join(".git")));
}

#[test]
fn pointers_without_an_end_are_not_read() {
    let world = World::new();
    let root = world.directory("repo");
    let path = root.join(".git");
    fs::write(&path, "gitdir: ").unwrap();
    File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
    world.plain(&root, &root);

    // What is too long is not believed in part, even if only line breaks are left out.
    let place = world.init("place").join(".git");
    let back = root.to_str().unwrap();
    world.git(world.path("place"), &["config", "core.worktree", back]);
    for (bytes, kind) in [(4096, PlaceKind::Repository), (4097, PlaceKind::Directory)] {
        let mut pointer = format!("gitdir: {}", place.display());
        pointer += &"\n".repeat(bytes - pointer.len());
        fs::write(&path, pointer).unwrap();
        assert_eq!(world.look(&root).unwrap().kind, kind, "{bytes} bytes");
    }
}

#[test]
fn settings_that_hang_lie_elsewhere_or_are_locked_cost_the_remote_only() {
    let world = World::new();
    let root = world.shared("repo", "https://host/repo");
    let config = root.join(".git/config");
    let kept = world.path("kept");
    let seen = world.repository(&root);
    assert_eq!(remote(&seen), Some("host/repo"));
    fs::rename(&config, &kept).unwrap();
    let without = |what: &str| {
        let now = world.repository(&root);
        assert_eq!((&now.remote, &now.place, now.mark), (&None, &seen.place, seen.mark), "{what}");
    };
    without("missing");
    world.run("mkfifo", &["repo/.git/config"]);
    without("a pipe");
    // A pipe forgets what is in it when nobody has it open.
    let pipe = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(&config).unwrap();
    fs::write(&config, fs::read(&kept).unwrap()).unwrap();
    without("a pipe with something in it");
    drop(pipe);
    fs::remove_file(&config).unwrap();
    for target in [&kept, Path::new("/dev/zero"), &config] {
        symlink(target, &config).unwrap();
        without("a link");
        fs::remove_file(&config).unwrap();
    }
    fs::create_dir(&config).unwrap();
    without("a directory");
    fs::remove_dir(&config).unwrap();
    fs::write(&config, "[remote \"origin\"]\nurl = https://host/\\q\n").unwrap();
    without("broken");
    fs::write(&config, b"[remote \"origin\"]\nurl = https://host/\xff\n").unwrap();
    without("not a text");
}

#[test]
fn of_endless_settings_the_beginning_counts() {
    let world = World::new();
    let root = world.shared("repo", "https://host/repo");
    let config = root.join(".git/config");
    File::options().write(true).open(&config).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(remote(&world.repository(&root)), Some("host/repo"));

    // What the limit cuts in two does not count, and what stands behind it is not seen.
    let entry = "\n[remote \"origin\"]\nurl = https://host/repo/";
    let filler = |bytes: usize| "#".repeat((1 << 16) - bytes);
    fs::write(&config, filler(entry.len() + 1) + entry + "\n#\n").unwrap();
    assert_eq!(remote(&world.repository(&root)), Some("host/repo"));
    for cut in [0, 1, 10] {
        fs::write(&config, filler(entry.len() - cut) + entry + "more\n").unwrap();
        assert_eq!(world.repository(&root).remote, None, "cut {cut} before the end");
    }
}

#[test]
fn nothing_in_the_settings_leads_elsewhere_or_runs() {
    let world = World::new();
    let root = world.shared("repo", "gh:team/repo");
    let other = world.shared("other", "https://host/other");
    let before = world.repository(&root);
    let marker = world.path("ran");
    let touch = format!("touch {}", marker.display());
    let other = other.join(".git");
    for (key, value) in [
        ("core.fsmonitor", touch.as_str()),
        ("core.hooksPath", "../hooks"),
        ("core.sshCommand", &touch),
        ("core.worktree", "/"),
        ("core.bare", "true"),
        ("include.path", &other.join("config").display().to_string()),
        ("includeIf.gitdir:/**.path", &other.join("config").display().to_string()),
        ("url.https://host/.insteadOf", "gh:"),
        ("extensions.worktreeConfig", "true"),
    ] {
        world.git(&root, &["config", "--file", ".git/config", key, value]);
    }
    fs::write(root.join(".git/config.worktree"), "[remote \"origin\"]\nurl = /x\n").unwrap();
    assert_eq!(world.repository(&root), before);
    assert_eq!(remote(&before), Some("gh/team/repo"));
    assert!(!marker.exists());
}

/// Every way to name a repository that does not name the directory: none gets its project, its
/// remote or its commits.
#[test]
fn a_look_alike_is_a_project_of_its_own() {
    let world = World::new();
    let victim = world.shared("victim", "https://host/victim");
    world.git(&victim, &["worktree", "add", "--quiet", "../tree"]);
    let git = victim.join(".git").display().to_string();
    let thief = world.directory("thief");
    let dot_git = thief.join(".git");
    let forged = world.directory("thief/forged");
    let gitdir = |name: &Path| format!("gitdir: {}\n", name.display());
    let plant = |names: &[(&str, &str)]| {
        for (name, text) in names {
            fs::write(forged.join(name), text).unwrap();
        }
        fs::write(&dot_git, gitdir(&forged)).unwrap();
    };
    let back = dot_git.display().to_string();
    let cases: [(&str, &dyn Fn()); 9] = [
        ("the pointer of a worktree", &|| {
            fs::copy(world.path("tree/.git"), &dot_git).map(drop).unwrap();
        }),
        ("the same file as that of a worktree", &|| {
            fs::hard_link(world.path("tree/.git"), &dot_git).unwrap();
        }),
        ("a pointer to the repository", &|| fs::write(&dot_git, gitdir(Path::new(&git))).unwrap()),
        ("a link to the repository", &|| symlink(&git, &dot_git).unwrap()),
        ("a link to a worktree's pointer", &|| symlink("../tree/.git", &dot_git).unwrap()),
        ("a forged worktree", &|| plant(&[("commondir", &git), ("gitdir", &back), ("HEAD", "x")])),
        ("a forged submodule", &|| {
            plant(&[("HEAD", "ref: refs/heads/main\n"), ("config", "[core]\nworktree = ..\n")]);
            symlink(victim.join(".git/objects"), forged.join("objects")).unwrap();
            symlink(victim.join(".git/refs"), forged.join("refs")).unwrap();
        }),
        ("a shared directory", &|| {
            fs::create_dir_all(&dot_git).unwrap();
            fs::write(dot_git.join("commondir"), &git).unwrap();
            fs::write(dot_git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        }),
        ("objects of another", &|| {
            fs::create_dir_all(&dot_git).unwrap();
            fs::write(dot_git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
            symlink(victim.join(".git/objects"), dot_git.join("objects")).unwrap();
            symlink(victim.join(".git/refs"), dot_git.join("refs")).unwrap();
        }),
    ];
    for (what, make) in cases {
        make();
        let seen = world.plain(&thief, &thief);
        assert_eq!(seen.remote, None, "{what}");
        assert!(Tree::open(&thief).unwrap().is_none(), "{what}");
        assert_eq!(identity(&world.repository(&victim), &seen), Identity::New, "{what}");
        for name in [&dot_git, &forged] {
            fs::remove_dir_all(name).or_else(|_| fs::remove_file(name)).unwrap();
            world.directory("thief/forged");
        }
    }
}

/// Commits of another repository, behind a link inside of a repository that is a tree's own.
#[test]
fn nothing_is_read_through_a_link_inside_of_a_repository() {
    let world = World::new();
    let victim = world.init("victim").join(".git");
    assert!(Tree::open(&world.path("victim")).unwrap().unwrap().commit_name().is_some());
    let thief = world.directory("thief");
    world.git(&thief, &["init", "--quiet"]);
    let heads = thief.join(".git/refs/heads");
    fs::remove_dir_all(&heads).unwrap();
    symlink(victim.join("refs/heads"), &heads).unwrap();
    let tree = Tree::open(&thief).unwrap().unwrap();
    assert_eq!(tree.commit_name(), None);
}

#[test]
fn a_worktree_that_was_moved_is_a_project_of_its_own_until_it_is_repaired() {
    let world = World::new();
    let root = world.init("repo");
    world.git(&root, &["worktree", "add", "--quiet", "../tree"]);
    let before = world.repository(world.path("tree"));
    fs::rename(world.path("tree"), world.path("moved")).unwrap();
    world.plain(world.path("moved"), world.path("moved"));
    world.git(world.path("moved"), &["worktree", "repair"]);
    assert_eq!(world.repository(world.path("moved")).place, before.place);
}

/// What a cloned repository can bring: a directory that looks like a bare repository of another.
#[test]
fn a_bare_repository_inside_of_a_working_tree_does_not_speak() {
    let world = World::new();
    let root = world.shared("repo", "https://host/repo");
    let fixture = world.directory("repo/tests/fixture.git/objects");
    world.git(fixture.parent().unwrap(), &["init", "--quiet", "--bare"]);
    world.git(&fixture, &["remote", "add", "origin", "https://host/victim"]);
    assert_eq!(world.repository(&fixture), world.repository(&root));
    fs::rename(fixture.parent().unwrap(), world.path("free.git")).unwrap();
    assert_eq!(remote(&world.repository(world.path("free.git/objects"))), Some("host/victim"));
}

#[test]
fn what_belongs_to_somebody_else_is_a_plain_directory() {
    let world = World::new();
    let root = world.shared("repo", "https://host/repo");
    world.git(&root, &["worktree", "add", "--quiet", "../tree"]);
    world.git(world.home(), &["init", "--quiet", "--bare", "bare.git"]);
    let deep = world.directory("repo/deep");
    let people = People::of(&world);
    for cwd in [deep, world.path("tree"), world.path("bare.git")] {
        let look = |user| look_as(user, &cwd, Some(world.home())).unwrap();
        assert_eq!(look(people.owner).kind, PlaceKind::Repository, "{}", cwd.display());
        let seen = look(people.stranger);
        assert_eq!((seen.kind, seen.root), (PlaceKind::Directory, text(&cwd)));
        assert_eq!((seen.place, seen.remote), (text(&cwd), None));
    }
}

#[test]
fn every_step_on_the_way_to_a_repository_must_be_believed() {
    // Nobody else can give a file away.
    if me() != 0 {
        return;
    }
    let world = World::new();
    let root = world.init("repo");
    world.git(&root, &["worktree", "add", "--quiet", "../tree"]);
    world.init("repo/inner");
    for (cwd, steps) in [
        ("repo", &["repo/.git"][..]),
        ("repo/inner", &["repo/inner/.git"]),
        ("tree", &["tree/.git", "repo/.git/worktrees/tree", "repo/.git"]),
    ] {
        let kind = || world.look(world.path(cwd)).unwrap().kind;
        for step in steps {
            let step = world.path(step);
            lchown(&step, Some(OWNER), None).unwrap();
            assert_eq!(kind(), PlaceKind::Directory, "{}", step.display());
            lchown(&step, Some(0), None).unwrap();
            assert_eq!(kind(), PlaceKind::Repository, "{}", step.display());
        }
    }
}

#[test]
fn a_repository_that_is_not_believed_takes_nothing_below_it() {
    let world = World::new();
    world.init("shared");
    let plain = world.directory("shared/me/notes");
    let people = People::of(&world);
    let seen = look_as(people.stranger, &plain, Some(world.home())).unwrap();
    assert_eq!((seen.kind, seen.root), (PlaceKind::Directory, text(&plain)));
}

#[test]
fn a_broken_pointer_takes_no_bare_repository_below_it() {
    let world = World::new();
    let bare = world.directory("around/bare.git");
    world.git(&bare, &["init", "--quiet", "--bare"]);
    fs::write(world.path("around/.git"), "gitdir: nowhere").unwrap();
    assert_eq!(world.repository(bare.join("refs")).place, text(&bare));
}

#[test]
fn names_of_every_kind_are_kept_exactly() {
    let world = World::new();
    let long = "l".repeat(255);
    let names: [&[u8]; 14] = [
        b"$test",
        b"space dir",
        b" ",
        b"evil$(touch ran)`touch ran`;touch ran",
        b"-rf",
        b"line\nbreak\r\n",
        b"\"quoted\" and 'quoted'",
        b"back\\slash \\x41",
        "emoji 🦀, ü, 重跑".as_bytes(),
        "\u{202e}thgir ot tfel".as_bytes(),
        b"\x1b]0;title\x07",
        b"not \xff\xfe text",
        b"...",
        long.as_bytes(),
    ];
    for name in names.map(OsStr::from_bytes) {
        let root = world.path(name);
        world.init(name);
        world.git(&root, &["worktree", "add", "--quiet", "--detach", "tree\nof\n"]);
        let seen = world.repository(&root);
        assert_eq!(bytes(&root), seen.root.to_bytes());
        assert_eq!(bytes(&root.join(".git")), seen.place.to_bytes());
        assert!(still_there(&known(&seen)), "{name:?}");
        assert_eq!(world.repository(root.join("tree\nof\n")).place, seen.place, "{name:?}");
    }
    assert!(!world.path("ran").exists());
}

#[test]
fn two_names_that_are_no_text_are_two_projects() {
    let world = World::new();
    let [one, two] = [b"a\xff", b"a\xfe"].map(|it| {
        let path = world.directory(OsStr::from_bytes(it));
        world.plain(&path, &path)
    });
    assert_ne!(one.place, two.place);
    assert_ne!(identity(&one, &two), SAME);
}

#[test]
fn a_directory_that_is_too_deep_is_a_plain_one() {
    let world = World::new();
    let root = world.init("repo");
    let below = |levels: usize| world.directory(["repo", &"/d".repeat(levels)].concat());
    assert_eq!(world.repository(below(63)), world.repository(root));
    let deep = below(64);
    world.plain(&deep, &deep);
    let deepest = below(1500);
    world.plain(&deepest, &deepest);
}

#[test]
fn a_directory_that_may_not_be_read_is_still_a_directory() {
    let world = World::new();
    let root = world.shared("repo", "https://host/repo");
    let below = world.directory("repo/below");
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let before = world.repository(&below);
    mode(&root.join(".git/config"), 0o000);
    mode(&below, 0o000);
    let after = world.repository(&below);
    assert_eq!((after.place, after.mark), (before.place, before.mark));
    mode(&below, 0o700);
}

#[test]
fn a_directory_that_is_mounted_twice_is_one_project() {
    let world = World::new();
    let root = world.init("repo");
    let again = world.directory("again");
    let unshare = |script: &str| {
        Command::new("unshare")
            .args([if me() == 0 { "-m" } else { "-rm" }, "--", "/bin/sh", "-c", script])
            .args([&std::env::current_exe().unwrap(), &root, &again])
            .arg(PRINTS)
            .output()
    };
    let mount = r#"mount --bind "$1" "$2""#;
    if !unshare(mount).is_ok_and(|it| it.status.success()) {
        println!("skipped: mounts are not allowed here");
        return;
    }
    let output = unshare(&[mount, r#" && cd "$2" && "$0" --nocapture --exact "$3""#].concat());
    let said = String::from_utf8(output.unwrap().stdout).unwrap();
    let first = world.repository(&root);
    let second = Seen { root: text(&again), place: text(again.join(".git")), ..first.clone() };
    assert!(said.contains(&format!("{second:?}")), "{said}\nis not\n{second:?}");
    assert_eq!(identity(&first, &second), SAME);
}

/// The variables that make git look elsewhere, and a `git` of somebody's own.
#[test]
fn the_environment_does_not_steer() {
    let world = World::new();
    let root = world.shared("repo", "https://host/repo");
    let other = world.shared("other", "https://host/other").join(".git");
    let evil = world.directory("bin").join("git");
    fs::write(&evil, format!("#!/bin/sh\ntouch '{}'\n", world.path("ran").display())).unwrap();
    fs::set_permissions(&evil, fs::Permissions::from_mode(0o755)).unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--nocapture", "--exact", PRINTS])
        .current_dir(root.join("."))
        .env("PATH", world.path("bin"))
        .env("GIT_DIR", &other)
        .env("GIT_COMMON_DIR", &other)
        .env("GIT_WORK_TREE", world.path("other"))
        .env("GIT_CEILING_DIRECTORIES", &root)
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "remote.origin.url")
        .env("GIT_CONFIG_VALUE_0", "https://host/other")
        .env("GIT_CONFIG_PARAMETERS", "'remote.origin.url=https://host/other'")
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let seen = format!("{:?}", world.repository(&root));
    assert!(said.contains(&seen), "{said}\nis not\n{seen}");
    assert!(!world.path("ran").exists());
}

/// The other half of the tests above, which run it in a directory of their choice.
#[test]
fn prints_what_it_sees() {
    let cwd = std::env::current_dir().unwrap();
    let seen = look(&cwd, None).unwrap();
    println!("{seen:?}");
    assert!(cwd.starts_with(OsStr::from_bytes(&seen.root.to_bytes())));
}

const PRINTS: &str = "project::tests::hostile::prints_what_it_sees";

/// Whose the files of a world are, and somebody else. What belongs to root is believed by
/// everybody, so that root gives its files away first.
struct People {
    owner: User,
    stranger: User,
}

const OWNER: u32 = 54_321;

impl People {
    fn of(world: &World) -> Self {
        let owner = if me() == 0 { OWNER } else { me() };
        world.run("chown", &["-R", &owner.to_string(), "."]);
        Self { owner: User(owner), stranger: User(owner + 1) }
    }
}

fn me() -> u32 {
    rustix::process::geteuid().as_raw()
}

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}
