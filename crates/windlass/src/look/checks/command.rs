//! The commands of checks: remembered where nothing has changed, run where something has.

use std::cell::OnceCell;
use std::path::Path;
use std::time::{Duration, Instant};

use windlass_core::check::{Check, Checked, Ended, How, judge};
use windlass_core::{Checking, Outcome, Runs};

use super::files::Files;
use super::{shown, since};
use crate::hash::Parts;
use crate::process::{self, RunError, Streams};
use crate::store::{Store, StoreError};
use crate::tree::{Fingerprint, Tree};
use crate::{Host, failure};

use super::super::command;

/// How long the fingerprint of a working tree may take. A command that need not run is worth more
/// than that.
const LOOK: Duration = Duration::from_secs(1);

/// Runs what has to be run.
pub(super) struct Runner<'a> {
    host: &'a Host,
    checking: &'a Checking,
    files: &'a Files,
    root: &'a Path,
    tree: Option<&'a Tree>,
    store: &'a Store,
    deadline: Instant,
    /// The files as they are, once somebody asked; `None` where that cannot be told.
    seen: OnceCell<Option<Fingerprint>>,
    /// Whether something was changed that they do not tell.
    is_blind: OnceCell<bool>,
}

/// What a result holds for.
enum Key {
    /// The same files; they are all that a check that passed is asked for.
    Files,
    /// The same files, and nothing was changed in between: what git does not know, such as what was
    /// installed, may be what was missing.
    Session,
}

impl<'a> Runner<'a> {
    pub(super) fn new(
        host: &'a Host,
        (checking, files): (&'a Checking, &'a Files),
        root: &'a Path,
        tree: Option<&'a Tree>,
        store: &'a Store,
        deadline: Instant,
    ) -> Self {
        Self {
            host,
            checking,
            files,
            root,
            tree,
            store,
            deadline,
            seen: OnceCell::new(),
            is_blind: OnceCell::new(),
        }
    }

    /// The files as they were when somebody first asked, or after the last command.
    fn seen(&self) -> Option<&Fingerprint> {
        self.seen.get_or_init(|| self.look()).as_ref()
    }

    /// Looks at the files, never longer than the commands themselves may take.
    fn look(&self) -> Option<Fingerprint> {
        let deadline = self.deadline.min(Instant::now() + LOOK);
        self.tree?.fingerprint(deadline).ok()
    }

    /// Whether one of the files that were changed is none that git looks at.
    fn is_blind(&self) -> bool {
        *self.is_blind.get_or_init(|| {
            let deadline = self.deadline.min(Instant::now() + LOOK);
            !self.tree.is_some_and(|it| it.sees(&self.files.known, deadline).unwrap_or(false))
        })
    }

    /// What comes of a check.
    pub(super) fn check(
        &mut self,
        (check, runs): (&Check, Runs),
        words: &[String],
        timeout_s: u32,
        is_metric: bool,
    ) -> Result<Checked, StoreError> {
        let shown = shown(check);
        let known = |outcome, detail, ms, how| {
            Ok(Checked { check: shown.clone(), outcome, detail, ms, how })
        };
        for key in [Key::Files, Key::Session] {
            if matches!(key, Key::Files) && self.is_blind() {
                continue;
            }
            let key = self.key(check, &key);
            if let Some(it) = self.store.remembered(&key, self.host.now)? {
                return known(it.outcome, it.detail, it.ms, How::Remembered);
            }
        }
        if runs == Runs::Needless {
            let detail = "it was not run, because the agent is let go.".to_owned();
            return known(Outcome::Unknown, detail, 0, How::LetGo);
        }
        let begun = Instant::now();
        let ran = self.run(&shown, words, timeout_s, is_metric);
        let ms = since(begun);
        let (outcome, detail, lasts) = match ran {
            Ok((outcome, detail)) => (outcome, detail, Lasts::Yes),
            Err(Unknown::NotRun(why)) => {
                return known(Outcome::Unknown, why, ms, How::Looked(None));
            }
            Err(Unknown::Ended(why, lasts)) => (Outcome::Unknown, why, lasts),
        };
        let before = self.seen.take().flatten();
        let after = before.as_ref().and_then(|_| self.look());
        let is_same = match (&before, self.seen.get_or_init(|| after)) {
            (Some(before), Some(after)) => before.has_same_files(after),
            (None, _) => true,
            (Some(_), None) => return known(outcome, detail, ms, How::Looked(None)),
        };
        if !is_same {
            let detail = "the working tree changed while it ran, so its result does not count.";
            return known(Outcome::Unknown, detail.to_owned(), ms, How::Looked(None));
        }
        let key = match outcome {
            Outcome::Passed if !self.is_blind() => Key::Files,
            Outcome::Passed | Outcome::Failed(_) | Outcome::Unknown => Key::Session,
        };
        let key = matches!(lasts, Lasts::Yes).then(|| self.key(check, &key));
        known(outcome, detail, ms, How::Looked(key))
    }

    /// Runs the words of a check; the check itself is what is shown of it.
    fn run(
        &self,
        check: &Check,
        words: &[String],
        timeout_s: u32,
        is_metric: bool,
    ) -> Result<(Outcome, String), Unknown> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let limit = Duration::from_secs(timeout_s.into()).min(left);
        if limit.is_zero() {
            return Err(Unknown::NotRun("no time was left for it at this stop.".to_owned()));
        }
        let Some(command) = command::words(self.host, words, self.root) else {
            let name = words.first().map_or("", String::as_str);
            return Err(Unknown::NotRun(format!("there is no program `{name}`.")));
        };
        let streams = if is_metric { Streams::Apart } else { Streams::Together };
        let ended = match process::last_words(command, streams, limit) {
            Ok(ended) => ended,
            Err(RunError::TooLong(_)) => {
                let why =
                    format!("`{}` did not end within {} s.", check.command(), limit.as_secs());
                let is_own = limit < left;
                return Err(Unknown::Ended(why, if is_own { Lasts::Yes } else { Lasts::No }));
            }
            Err(error @ RunError::Start(_)) => {
                let why = format!("it cannot be run: {}.", failure::chain(&error));
                return Err(Unknown::NotRun(why));
            }
        };
        let printed = String::from_utf8_lossy(&ended.stdout);
        let said = command::last_lines(&[&ended.stdout[..], &ended.stderr[..]].concat());
        let ended = Ended { code: ended.code, printed: &printed, said: &said };
        let (outcome, detail) = judge(check, ended);
        if ended.is_killed() {
            // It may come to its end the next time.
            return Err(Unknown::Ended(detail, Lasts::No));
        }
        Ok((outcome, detail))
    }

    /// A hash of the check, the place and what it sees there.
    fn key(&self, check: &Check, key: &Key) -> String {
        let mut parts = Parts::of("windlass check 1");
        parts.add(self.root.as_os_str().as_encoded_bytes());
        // All that it is, as it is written; a program that writes it otherwise runs it again.
        parts.add(format!("{:?}", check.what).as_bytes());
        match (self.seen(), key) {
            (Some(seen), Key::Files) => parts.add(seen.to_string().as_bytes()),
            (Some(seen), Key::Session) => {
                parts.add(seen.to_string().as_bytes());
                parts.add(self.checking.change.as_bytes());
            }
            // Without a repository the session says what it changed.
            (None, _) => parts.add(self.checking.change.as_bytes()),
        }
        parts.finish()
    }
}

/// Why nobody knows what came of a check.
enum Unknown {
    /// Nothing ran, so nothing can have changed.
    NotRun(String),
    /// It was ended.
    Ended(String, Lasts),
}

/// Whether it would come out the same again.
enum Lasts {
    Yes,
    No,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Patience;
    use std::fs;
    use windlass_core::check::{Severity, Stage, What};

    /// A repository without a commit, in which a file can be changed.
    struct World {
        host: Host,
        checking: Checking,
        directory: tempfile::TempDir,
        store: Store,
    }

    impl World {
        fn new() -> Self {
            let directory = tempfile::tempdir().unwrap();
            let git = directory.path().join("p/.git");
            for name in ["objects", "refs"] {
                fs::create_dir_all(git.join(name)).unwrap();
            }
            fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
            fs::write(git.join("config"), "[core]\n\trepositoryformatversion = 0\n").unwrap();
            let (checks, agent, change) = (Vec::new(), String::new(), "s 1".to_owned());
            let checking = Checking { checks, agent, since: 0, change };
            let store = Store::open(&directory.path().join("data"), Patience::Hook).unwrap();
            let world = Self { host: Host::from_process(), checking, directory, store };
            world.change("one");
            world
        }

        fn root(&self) -> std::path::PathBuf {
            self.directory.path().join("p")
        }

        fn change(&self, text: &str) {
            fs::write(self.root().join("file"), text).unwrap();
        }
    }

    const NONE: Files = Files { known: Vec::new(), others: false };

    fn check(runner: &mut Runner<'_>, word: &str) -> Checked {
        let words = vec![word.to_owned()];
        let check = Check {
            name: "unit".to_owned(),
            what: What::Command { words: words.clone(), timeout_s: 9, bounds: None },
            files: Vec::new(),
            severity: Severity::Ask,
            stage: Stage::Correctness,
        };
        runner.check((&check, Runs::Allowed), &words, 9, false).unwrap()
    }

    #[test]
    fn the_tree_is_looked_at_when_a_command_is_to_run_and_after_it_ran() {
        let world = World::new();
        let (root, deadline) = (world.root(), Instant::now() + Duration::from_mins(1));
        let tree = Tree::open(&root).unwrap();
        let about = (&world.checking, &NONE);
        let mut runner =
            Runner::new(&world.host, about, &root, tree.as_ref(), &world.store, deadline);
        // Nobody has looked yet.
        world.change("two");
        let checked = check(&mut runner, "/bin/true");
        assert_eq!(checked.outcome, Outcome::Passed, "{checked:?}");
        assert!(matches!(checked.how, How::Looked(Some(_))), "{checked:?}");
        // Where nothing ran, nobody looks again.
        world.change("three");
        let checked = check(&mut runner, "/nonexistent/program");
        assert_eq!(checked.detail, "there is no program `/nonexistent/program`.");
    }

    #[test]
    fn nobody_looks_at_the_tree_when_time_is_up() {
        let world = World::new();
        let (root, deadline) = (world.root(), Instant::now());
        let tree = Tree::open(&root).unwrap();
        let about = (&world.checking, &NONE);
        let mut runner =
            Runner::new(&world.host, about, &root, tree.as_ref(), &world.store, deadline);
        assert_eq!(runner.seen(), None);
        let checked = check(&mut runner, "/bin/true");
        assert_eq!(checked.detail, "no time was left for it at this stop.");
        assert_eq!(checked.how, How::Looked(None));
    }
}
