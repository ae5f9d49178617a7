//! What a project is, and which of the known ones a directory belongs to.

use crate::{PathText, Remote};

/// A project that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProjectId(pub i64);

/// What stands at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceKind {
    /// A repository: the place is the directory that all its worktrees share.
    Repository,
    /// A directory that is in no repository.
    Directory,
}

/// Which directory it is, whatever its name: it stays when the directory is renamed, and a copy or
/// a later directory of the same name has another one.
///
/// Two marks are the same when everything about them is: a mark without a time of birth says less
/// than one with it, and the number of a directory is given again after it was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mark {
    /// The file system it is on.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
    /// When it was made, in nanoseconds since 1970; absent where the file system does not tell.
    pub born: Option<i64>,
}

/// What a directory says about the project that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Where the working tree begins: of a linked worktree its own root, of a bare repository or a
    /// plain directory the directory itself.
    pub root: PathText,
    /// Which directory the root is.
    pub root_mark: Mark,
    /// The directory that stands for the project: of a repository the one that all its worktrees
    /// share (`.git` of the main one), otherwise the root.
    pub place: PathText,
    /// Which directory the place is.
    pub mark: Mark,
    /// Where the repository is shared.
    pub remote: Option<Remote>,
    /// What stands at the place.
    pub kind: PlaceKind,
}

/// A place where a project was seen before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownPlace {
    /// The project.
    pub project: ProjectId,
    /// Its place, as in [`Seen`].
    pub place: PathText,
    /// Which directory the place was.
    pub mark: Mark,
    /// Where the repository was shared.
    pub remote: Option<Remote>,
    /// What stood at the place.
    pub kind: PlaceKind,
}

/// Which project was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identity {
    /// One that is known. What was seen of it may have changed, its remote for example.
    Known(ProjectId),
    /// One that is known and left its place.
    Moved {
        /// The project.
        project: ProjectId,
        /// The place that it left.
        from: PathText,
    },
    /// One that was never seen.
    New,
}

/// Whether a clone joins the project that its remote is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clones {
    /// The user said so for every clone of this host and owner.
    Join,
    /// It is a project of its own until the user says that it is the same: anybody can write any
    /// address into the settings of a repository.
    Apart,
}

/// Finds the project that was seen among the known places.
///
/// The rules are asked from the strongest evidence to the weakest; the first one that holds for any
/// place decides, and of several places the first in `known`, so that the caller puts the most
/// recent first. `still_there` tells whether a known place still is the directory of its mark.
///
/// | rule | place | mark | remote | then |
/// | --- | --- | --- | --- | --- |
/// | `unchanged` | same | same | any | known: a remote may be renamed |
/// | `same_directory` | other | same | any | moved, or known where the old place is still there too: a directory with two names |
/// | `made_again` | same | other | same | known: cloned again |
/// | `made_again` | same | other | none on either side | known: the path is all there is |
/// | `same_submodule` | other, in the git directory of the same repository | other | same | known: a submodule in another worktree |
/// | `shared` | other | other | same | known where clones join: the project that was seen first |
/// | `now_a_repository` | other | other, but the root's is the known one | any | known: `git init` in a plain directory |
/// | none of them | same | other | different, or only one | new: another repository was put there |
/// | none of them | other | other | different, or missing | new |
/// | none of them | other | other | same, and clones stay apart | new |
pub fn identify(
    seen: &Seen,
    known: &[KnownPlace],
    clones: Clones,
    still_there: impl Fn(&KnownPlace) -> bool,
) -> Identity {
    let first = |rule: fn(&Seen, &KnownPlace) -> bool| known.iter().find(|it| rule(seen, it));
    if let Some(it) = first(unchanged) {
        return Identity::Known(it.project);
    }
    if let Some(it) = first(same_directory) {
        return if still_there(it) {
            Identity::Known(it.project)
        } else {
            Identity::Moved { project: it.project, from: it.place.clone() }
        };
    }
    let joined = || {
        let joins = |it: &&KnownPlace| clones == Clones::Join && shared(seen, it);
        known.iter().filter(joins).min_by_key(|it| it.project)
    };
    let weaker = first(made_again)
        .or_else(|| first(same_submodule))
        .or_else(joined)
        .or_else(|| first(now_a_repository));
    weaker.map_or(Identity::New, |it| Identity::Known(it.project))
}

fn unchanged(seen: &Seen, known: &KnownPlace) -> bool {
    seen.place == known.place && seen.mark == known.mark
}

fn same_directory(seen: &Seen, known: &KnownPlace) -> bool {
    seen.mark == known.mark
}

fn made_again(seen: &Seen, known: &KnownPlace) -> bool {
    seen.place == known.place && seen.remote == known.remote
}

fn shared(seen: &Seen, known: &KnownPlace) -> bool {
    seen.remote.is_some() && seen.remote == known.remote
}

/// Each worktree has submodules of its own, in the git directory of the repository.
fn same_submodule(seen: &Seen, known: &KnownPlace) -> bool {
    let around = |it: &PathText| {
        let (around, own) = it.as_str().split_once("/.git/")?;
        own.contains("modules/").then(|| around.to_owned())
    };
    shared(seen, known) && around(&seen.place).is_some_and(|it| Some(it) == around(&known.place))
}

/// The weakest, because a clone into a directory that we already knew brings its own project.
fn now_a_repository(seen: &Seen, known: &KnownPlace) -> bool {
    seen.root_mark == known.mark
}

#[cfg(test)]
mod tests {
    use super::{Clones, Identity, KnownPlace, Mark, PlaceKind, ProjectId, Seen, identify};
    use crate::{PathText, Remote};

    const A: &str = "host/a";
    const B: &str = "host/b";
    const NONE: &str = "";

    fn path(text: &str) -> PathText {
        PathText::of(text.as_bytes())
    }

    fn mark(inode: u64) -> Mark {
        Mark { device: 1, inode, born: Some(7) }
    }

    fn remote(text: &str) -> Option<Remote> {
        (!text.is_empty()).then(|| Remote::stored(text.to_owned()))
    }

    /// A repository whose root is `/w`, made as directory 99.
    fn seen(place: &str, inode: u64, from: &str) -> Seen {
        Seen {
            root: path("/w"),
            root_mark: mark(99),
            place: path(place),
            mark: mark(inode),
            remote: remote(from),
            kind: PlaceKind::Repository,
        }
    }

    fn known(project: i64, place: &str, inode: u64, from: &str) -> KnownPlace {
        KnownPlace {
            project: ProjectId(project),
            place: path(place),
            mark: mark(inode),
            remote: remote(from),
            kind: PlaceKind::Repository,
        }
    }

    fn is(project: i64) -> Identity {
        Identity::Known(ProjectId(project))
    }

    fn moved(project: i64, from: &str) -> Identity {
        Identity::Moved { project: ProjectId(project), from: path(from) }
    }

    const GONE: bool = false;
    const THERE: bool = true;

    #[test]
    fn each_row_of_the_table_holds() {
        let was = |inode, from| vec![known(1, "/w/.git", inode, from)];
        let at = |inode, from| seen("/w/.git", inode, from);
        let elsewhere = |inode, from| seen("/new/.git", inode, from);
        let plain = |inode| {
            let kind = PlaceKind::Directory;
            vec![KnownPlace { kind, ..known(1, "/w", inode, NONE) }]
        };
        for (what, seen, known, old, identity) in [
            ("nothing is known", at(5, A), vec![], THERE, Identity::New),
            ("unchanged", at(5, A), was(5, A), THERE, is(1)),
            ("unchanged, and no remote", at(5, NONE), was(5, NONE), THERE, is(1)),
            ("the remote was renamed", at(5, B), was(5, A), THERE, is(1)),
            ("a remote was added", at(5, A), was(5, NONE), THERE, is(1)),
            ("the remote was removed", at(5, NONE), was(5, A), THERE, is(1)),
            ("cloned again", at(6, A), was(5, A), GONE, is(1)),
            ("made again, no remote", at(6, NONE), was(5, NONE), GONE, is(1)),
            ("another one was put there", at(6, B), was(5, A), GONE, Identity::New),
            ("one with a remote was put there", at(6, A), was(5, NONE), GONE, Identity::New),
            ("one without was put there", at(6, NONE), was(5, A), GONE, Identity::New),
            ("moved", elsewhere(5, A), was(5, A), GONE, moved(1, "/w/.git")),
            ("moved, no remote", elsewhere(5, NONE), was(5, NONE), GONE, moved(1, "/w/.git")),
            ("moved, remote renamed", elsewhere(5, B), was(5, A), GONE, moved(1, "/w/.git")),
            ("two names, one directory", elsewhere(5, NONE), was(5, NONE), THERE, is(1)),
            ("two names, other remote", elsewhere(5, B), was(5, A), THERE, is(1)),
            ("a second clone", elsewhere(6, A), was(5, A), THERE, Identity::New),
            ("a copy without a remote", elsewhere(6, NONE), was(5, NONE), THERE, Identity::New),
            ("an unrelated one", elsewhere(6, B), was(5, A), THERE, Identity::New),
            ("git init", at(5, NONE), plain(99), THERE, is(1)),
            ("git init and a remote", at(5, A), plain(99), THERE, is(1)),
            ("a clone where a directory was", at(5, A), plain(98), GONE, Identity::New),
            ("git init, then moved", elsewhere(5, NONE), plain(99), GONE, is(1)),
        ] {
            assert_eq!(identify(&seen, &known, Clones::Apart, |_| old), identity, "{what}");
        }
    }

    #[test]
    fn the_strongest_evidence_wins_wherever_it_stands() {
        let plain = KnownPlace { kind: PlaceKind::Directory, ..known(6, "/w", 99, NONE) };
        let mut places = vec![
            plain,
            known(5, "/other/.git", 50, A),
            known(4, "/w/.git", 40, A),
            known(3, "/old/.git", 5, B),
            known(2, "/w/.git", 5, B),
        ];
        let seen = seen("/w/.git", 5, A);
        for winner in [is(2), moved(3, "/old/.git"), is(4), is(5), is(6), Identity::New] {
            assert_eq!(identify(&seen, &places, Clones::Join, |_| false), winner);
            places.pop();
        }
    }

    #[test]
    fn of_equals_the_first_wins() {
        for (first, second) in [
            (known(1, "/w/.git", 5, NONE), known(2, "/w/.git", 5, NONE)),
            (known(1, "/x/.git", 5, NONE), known(2, "/y/.git", 5, NONE)),
            (known(1, "/w/.git", 6, A), known(2, "/w/.git", 7, A)),
        ] {
            let seen = seen("/w/.git", 5, A);
            assert_eq!(
                identify(&seen, &[first.clone(), second.clone()], Clones::Apart, |_| true),
                is(1)
            );
            assert_eq!(identify(&seen, &[second, first], Clones::Apart, |_| true), is(2));
        }
    }

    #[test]
    fn clones_that_join_join_the_project_that_was_seen_first() {
        let seen = seen("/new/.git", 9, A);
        let places = [known(4, "/x/.git", 6, A), known(2, "/y/.git", 7, A), known(1, "/z", 8, B)];
        assert_eq!(identify(&seen, &places, Clones::Join, |_| true), is(2));
        assert_eq!(identify(&seen, &places, Clones::Apart, |_| true), Identity::New);
    }

    #[test]
    fn a_submodule_is_one_project_in_every_worktree() {
        let one = known(1, "/w/.git/modules/sub", 6, A);
        let other = |place: &str, from: &str| {
            identify(&seen(place, 9, from), std::slice::from_ref(&one), Clones::Apart, |_| true)
        };
        assert_eq!(other("/w/.git/worktrees/t/modules/sub", A), is(1));
        assert_eq!(other("/w/.git/worktrees/t/modules/sub", B), Identity::New);
        assert_eq!(other("/v/.git/modules/sub", A), Identity::New, "of another repository");
        assert_eq!(other("/w/.git", A), Identity::New, "the repository itself");
    }

    #[test]
    fn whether_the_old_place_is_there_is_asked_of_the_place_that_won() {
        let places = [known(1, "/x/.git", 5, NONE), known(2, "/y/.git", 5, NONE)];
        let seen = seen("/w/.git", 5, NONE);
        let there = |it: &KnownPlace| it.place == path("/y/.git");
        assert_eq!(identify(&seen, &places, Clones::Apart, there), moved(1, "/x/.git"));
    }

    #[test]
    fn a_mark_with_a_time_of_birth_is_not_one_without() {
        let mark = |born| Mark { device: 1, inode: 5, born };
        let seen = |born| Seen { mark: mark(born), ..seen("/new/.git", 5, NONE) };
        let known = |born| [KnownPlace { mark: mark(born), ..known(1, "/w/.git", 5, NONE) }];
        for (now, then, identity) in [
            (None, None, is(1)),
            (Some(7), Some(7), is(1)),
            (Some(7), None, Identity::New),
            (None, Some(7), Identity::New),
            (Some(7), Some(8), Identity::New),
        ] {
            assert_eq!(
                identify(&seen(now), &known(then), Clones::Apart, |_| true),
                identity,
                "{now:?} {then:?}"
            );
        }
    }

    #[test]
    fn the_same_number_on_another_device_is_another_directory() {
        let known = [known(1, "/w/.git", 5, NONE)];
        let seen = seen("/new/.git", 5, NONE);
        let seen = Seen { mark: Mark { device: 2, ..seen.mark }, ..seen };
        assert_eq!(identify(&seen, &known, Clones::Apart, |_| true), Identity::New);
    }
}
