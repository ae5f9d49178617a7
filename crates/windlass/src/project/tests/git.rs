//! Repositories as git makes them.

use std::fs;
use std::os::unix::fs::symlink;

use windlass_core::{Identity, ProjectId};

use super::World;
use super::world::{SAME, identity, known, remote, text};
use crate::project::still_there;

#[test]
fn a_repository_is_seen_from_its_root_and_from_deep_inside() {
    let world = World::new();
    let root = world.shared("repo", "git@Host.example:team/repo.git");
    let deep = world.directory("repo/a/b/c");
    let seen = world.repository(&root);
    assert_eq!((&seen.root, &seen.place), (&text(&root), &text(root.join(".git"))));
    assert_eq!(remote(&seen), Some("host.example/team/repo"));
    assert_ne!(seen.mark, seen.root_mark);
    assert_eq!(world.repository(deep), seen);
    assert_eq!(world.repository(root.join(".git/objects")), seen);
}

#[test]
fn a_repository_without_a_commit_or_a_remote_is_one() {
    let world = World::new();
    let root = world.directory("repo");
    world.git(&root, &["init", "--quiet"]);
    let seen = world.repository(&root);
    assert_eq!((seen.place, seen.remote), (text(root.join(".git")), None));
}

#[test]
fn the_main_worktree_and_all_linked_ones_are_one_project() {
    let world = World::new();
    let root = world.shared("repo", "https://host/team/repo");
    let main = world.repository(&root);
    let relative = ["-c", "worktree.useRelativePaths=true", "worktree", "add", "--quiet"];
    let trees = ["../one", "../space dir/two", ".claude/worktrees/three"];
    for tree in trees {
        world.git(&root, &[&relative[..], &[tree]].concat());
        let path = fs::canonicalize(root.join(tree)).unwrap();
        let seen = world.repository(&path);
        assert_eq!(seen.root, text(&path));
        assert_ne!(seen.root_mark, main.root_mark);
        assert_eq!((&seen.place, seen.mark), (&main.place, main.mark));
        assert_eq!((&seen.remote, identity(&main, &seen)), (&main.remote, SAME));
    }

    let tree = world.path("one");
    world.git(&root, &["worktree", "remove", "../one"]);
    assert_eq!(world.look(&tree), None);
    fs::remove_dir_all(world.path("space dir")).unwrap();
    assert_eq!(world.look(world.path("space dir/two")), None);
    assert_eq!(world.repository(&root), main);
    assert_eq!(world.repository(root.join(trees[2])).place, main.place);
}

#[test]
fn a_pointer_may_be_relative() {
    let world = World::new();
    let root = world.init("repo");
    world.git(&root, &["worktree", "add", "--quiet", "../tree"]);
    let before = world.repository(world.path("tree"));
    fs::write(world.path("tree/.git"), "gitdir: ../repo/.git/worktrees/tree\r\n").unwrap();
    assert_eq!(world.repository(world.path("tree")), before);
}

#[test]
fn a_worktree_whose_repository_moved_away_is_a_plain_directory_until_it_is_repaired() {
    let world = World::new();
    let root = world.init("repo");
    world.git(&root, &["worktree", "add", "--quiet", "../tree"]);
    let tree = world.path("tree");
    let before = world.repository(&tree);
    fs::rename(&root, world.path("moved")).unwrap();
    let deep = world.directory("tree/deep");
    world.plain(&deep, &tree);
    world.git(world.path("moved"), &["worktree", "repair", "../tree"]);
    let after = world.repository(&deep);
    let from = before.place.clone();
    assert_eq!(identity(&before, &after), Identity::Moved { project: ProjectId(1), from });
}

#[test]
fn a_worktree_that_git_forgot_is_a_plain_directory() {
    let world = World::new();
    let root = world.init("repo");
    world.git(&root, &["worktree", "add", "--quiet", "../tree"]);
    fs::remove_dir_all(root.join(".git/worktrees/tree")).unwrap();
    world.plain(world.path("tree"), world.path("tree"));
}

#[test]
fn the_innermost_repository_counts() {
    let world = World::new();
    let outer = world.shared("outer", "https://host/outer");
    let inner = world.shared("outer/vendor/inner", "https://host/inner");
    assert_eq!(remote(&world.repository(inner.join(".git/refs"))), Some("host/inner"));
    assert_eq!(remote(&world.repository(outer.join("vendor"))), Some("host/outer"));
}

#[test]
fn a_submodule_is_its_own_project() {
    let world = World::new();
    let library = world.init("library");
    let outer = world.shared("outer", "https://host/outer");
    let url = library.to_str().unwrap();
    world.git(&outer, &["submodule", "--quiet", "add", url, "sub"]);
    let seen = world.repository(outer.join("sub"));
    assert_eq!(seen.root, text(outer.join("sub")));
    assert_eq!(seen.place, text(outer.join(".git/modules/sub")));
    assert_eq!(remote(&seen), Some(url));
    assert_eq!(identity(&world.repository(&outer), &seen), Identity::New);

    // Its copy in another worktree is shared at the same address.
    world.git(&outer, &["commit", "--quiet", "--message=sub"]);
    world.git(&outer, &["worktree", "add", "--quiet", "../tree"]);
    world.git(world.path("tree"), &["submodule", "--quiet", "update", "--init"]);
    let other = world.repository(world.path("tree/sub"));
    assert_ne!(other.place, seen.place);
    assert_eq!(identity(&seen, &other), SAME);
}

#[test]
fn a_bare_repository_and_its_worktrees_are_one_project() {
    let world = World::new();
    let source = world.init("source");
    world.git(world.home(), &["clone", "--quiet", "--bare", "source", "bare.git"]);
    let bare = world.path("bare.git");
    let seen = world.repository(&bare);
    assert_eq!((&seen.root, &seen.place), (&text(&bare), &text(&bare)));
    assert_eq!((seen.root_mark, remote(&seen)), (seen.mark, source.to_str()));
    assert_eq!(world.repository(bare.join("objects/pack")), seen);
    world.git(&bare, &["worktree", "add", "--quiet", "../tree", "-b", "tree"]);
    let tree = world.repository(world.path("tree"));
    assert_eq!((&tree.place, tree.mark), (&seen.place, seen.mark));
}

#[test]
fn a_bare_repository_beside_its_worktrees_is_one_project_with_them() {
    let world = World::new();
    world.init("source");
    let root = world.directory("project");
    world.git(&root, &["clone", "--quiet", "--bare", "../source", ".bare"]);
    fs::write(root.join(".git"), "gitdir: ./.bare\n").unwrap();
    world.git(&root, &["worktree", "add", "--quiet", "tree", "-b", "tree"]);
    let place = text(root.join(".bare"));
    for cwd in ["", "tree", ".bare", ".bare/refs"] {
        assert_eq!(world.repository(root.join(cwd)).place, place, "{cwd:?}");
    }
}

/// Git writes no way back from it; whoever wants one sets `core.worktree`.
#[test]
fn a_separate_git_directory_is_the_place_once_it_names_the_tree() {
    let world = World::new();
    let root = world.directory("repo");
    world.git(&root, &["init", "--quiet", "--separate-git-dir=../elsewhere"]);
    world.plain(&root, &root);
    world.git(&root, &["config", "core.worktree", root.to_str().unwrap()]);
    let seen = world.repository(&root);
    assert_eq!((seen.root, seen.place), (text(&root), text(world.path("elsewhere"))));
}

#[test]
fn a_link_named_dot_git_leads_to_another_project() {
    let world = World::new();
    let root = world.init("repo");
    fs::rename(root.join(".git"), world.path("store")).unwrap();
    symlink("../store", root.join(".git")).unwrap();
    world.plain(&root, &root);
}

#[test]
fn a_linked_working_directory_is_where_it_leads() {
    let world = World::new();
    let root = world.init("repo");
    let deep = world.directory("repo/deep");
    symlink(&deep, world.path("link")).unwrap();
    assert_eq!(world.repository(world.path("link")), world.repository(root));
}

#[test]
fn a_second_clone_and_its_source_are_projects_of_their_own() {
    let world = World::new();
    let source = world.init("source");
    for name in ["one", "two"] {
        world.git(world.home(), &["clone", "--quiet", "source", name]);
    }
    let [one, two] = ["one", "two"].map(|it| world.repository(world.path(it)));
    assert_eq!((remote(&one), identity(&one, &two)), (source.to_str(), Identity::New));
    assert_eq!(identity(&world.repository(&source), &one), Identity::New);
}

#[test]
fn a_repository_that_is_cloned_again_in_its_place_is_the_same_project() {
    let world = World::new();
    world.init("source");
    let clone = || {
        world.git(world.home(), &["clone", "--quiet", "source", "clone"]);
        world.repository(world.path("clone"))
    };
    let before = clone();
    fs::rename(world.path("clone"), world.path("old")).unwrap();
    let after = clone();
    assert_ne!(before.mark, after.mark);
    assert_eq!(identity(&before, &after), SAME);
}

#[test]
fn another_repository_in_the_place_of_one_is_another_project() {
    let world = World::new();
    let before = world.repository(world.shared("repo", "https://host/one"));
    fs::rename(world.path("repo"), world.path("old")).unwrap();
    let after = world.repository(world.shared("repo", "https://host/two"));
    assert_eq!((&before.place, identity(&before, &after)), (&after.place, Identity::New));
}

#[test]
fn a_moved_repository_is_the_same_project_from_its_old_place() {
    let world = World::new();
    let before = world.repository(world.init("repo"));
    world.run("mv", &["repo", "moved"]);
    let after = world.repository(world.path("moved"));
    assert!(!still_there(&known(&before)) && still_there(&known(&after)));
    let from = before.place.clone();
    assert_eq!(identity(&before, &after), Identity::Moved { project: ProjectId(1), from });

    // Another one in the old place changes nothing.
    world.init("repo");
    assert_ne!(identity(&before, &after), SAME);
    fs::remove_dir_all(world.path("repo")).unwrap();

    // A link in the old place: the directory has two names, and did not leave the first.
    symlink("moved", world.path("repo")).unwrap();
    assert_eq!(identity(&before, &after), SAME);
}

#[test]
fn a_copy_is_another_project_with_or_without_a_remote() {
    let world = World::new();
    let root = world.init("repo");
    world.run("cp", &["-r", "repo", "copy"]);
    let copy = world.path("copy");
    assert_eq!(identity(&world.repository(&root), &world.repository(&copy)), Identity::New);
    for path in [&root, &copy] {
        world.git(path, &["remote", "add", "origin", "https://host/repo"]);
    }
    assert_eq!(identity(&world.repository(&root), &world.repository(&copy)), Identity::New);
}

#[test]
fn a_renamed_or_changed_remote_leaves_the_project_as_it_is() {
    let world = World::new();
    let root = world.shared("repo", "https://old.example/team/repo.git");
    let before = world.repository(&root);
    world.git(&root, &["remote", "rename", "origin", "upstream"]);
    let renamed = world.repository(&root);
    assert_eq!((&renamed.remote, identity(&before, &renamed)), (&before.remote, SAME));
    world.git(&root, &["remote", "set-url", "upstream", "git@new.example:team/repo"]);
    let changed = world.repository(&root);
    assert_eq!(remote(&changed), Some("new.example/team/repo"));
    assert_eq!(identity(&before, &changed), SAME);
    world.git(&root, &["remote", "add", "origin", "https://origin.example/repo"]);
    assert_eq!(remote(&world.repository(&root)), Some("origin.example/repo"));
}

#[test]
fn a_directory_that_becomes_a_repository_stays_the_same_project() {
    let world = World::new();
    let root = world.directory("idea");
    let before = world.plain(&root, &root);
    world.git(&root, &["init", "--quiet"]);
    assert_eq!(identity(&before, &world.repository(&root)), SAME);
    world.git(&root, &["remote", "add", "origin", "https://host/idea"]);
    assert_eq!(identity(&before, &world.repository(&root)), SAME);
    let below = world.repository(world.init("idea/vendor/other"));
    assert_eq!(identity(&before, &below), Identity::New);
}

#[test]
fn a_plain_directory_is_itself_and_the_one_below_is_another() {
    let world = World::new();
    let root = world.directory("notes");
    let below = world.directory("notes/below");
    let seen = world.plain(&root, &root);
    assert_eq!(identity(&seen, &world.plain(&below, &below)), Identity::New);
    world.run("mv", &["notes", "moved"]);
    let moved = world.plain(world.path("moved"), world.path("moved"));
    let from = seen.place.clone();
    assert_eq!(identity(&seen, &moved), Identity::Moved { project: ProjectId(1), from });
}

#[test]
fn a_token_in_the_address_is_left_out() {
    let world = World::new();
    let token = ["ghp_", "0123456789abcdefghijABCDEFGHIJ012345"].concat();
    let root = world.shared("repo", &format!("https://me:{token}@host/team/repo.git"));
    assert_eq!(remote(&world.repository(&root)), Some("host/team/repo"));
    for url in [format!("https://{token}@host/team/repo"), format!("{token}@host:team/repo")] {
        world.git(&root, &["remote", "set-url", "origin", &url]);
        assert_eq!(remote(&world.repository(&root)), Some("host/team/repo"));
    }
    for url in [format!("https://host/{token}/repo"), format!("https://{token}/team/repo")] {
        world.git(&root, &["remote", "set-url", "origin", &url]);
        assert_eq!(world.repository(&root).remote, None, "{url}");
    }
}
