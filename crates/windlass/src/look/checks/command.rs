//! The commands of checks: remembered where nothing has changed, run where something has.

use std::path::Path;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use windlass_core::check::{Check, Checked, Ended, How, judge};
use windlass_core::{Checking, Outcome, Runs};

use super::{shown, since};
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
    root: &'a Path,
    tree: Option<&'a Tree>,
    store: &'a Store,
    deadline: Instant,
    /// The files as they are; `None` where that cannot be told.
    seen: Option<Fingerprint>,
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
        checking: &'a Checking,
        root: &'a Path,
        tree: Option<&'a Tree>,
        store: &'a Store,
        deadline: Instant,
    ) -> Self {
        let seen = look(tree);
        Self { host, checking, root, tree, store, deadline, seen }
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
            Err((why, lasts)) => (Outcome::Unknown, why, lasts),
        };
        let before = self.seen.take();
        self.seen = before.as_ref().and_then(|_| look(self.tree));
        let is_same = match (&before, &self.seen) {
            (Some(before), Some(after)) => before.has_same_files(after),
            (None, _) => true,
            (Some(_), None) => return known(outcome, detail, ms, How::Looked(None)),
        };
        if !is_same {
            let detail = "the working tree changed while it ran, so its result does not count.";
            return known(Outcome::Unknown, detail.to_owned(), ms, How::Looked(None));
        }
        let key = match outcome {
            Outcome::Passed => Key::Files,
            Outcome::Failed(_) | Outcome::Unknown => Key::Session,
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
    ) -> Result<(Outcome, String), (String, Lasts)> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let limit = Duration::from_secs(timeout_s.into()).min(left);
        if limit.is_zero() {
            return Err(("no time was left for it at this stop.".to_owned(), Lasts::No));
        }
        let Some(command) = command::words(self.host, words, self.root) else {
            let name = words.first().map_or("", String::as_str);
            return Err((format!("there is no program `{name}`."), Lasts::No));
        };
        let streams = if is_metric { Streams::Apart } else { Streams::Together };
        let ended = match process::last_words(command, streams, limit) {
            Ok(ended) => ended,
            Err(RunError::TooLong(_)) => {
                let why =
                    format!("`{}` did not end within {} s.", check.command(), limit.as_secs());
                let is_own = limit < left;
                return Err((why, if is_own { Lasts::Yes } else { Lasts::No }));
            }
            Err(error @ RunError::Start(_)) => {
                return Err((format!("it cannot be run: {}.", failure::chain(&error)), Lasts::No));
            }
        };
        let printed = String::from_utf8_lossy(&ended.stdout);
        let said = command::last_lines(&[&ended.stdout[..], &ended.stderr[..]].concat());
        Ok(judge(check, Ended { code: ended.code, printed: &printed, said: &said }))
    }

    /// A hash of the check, the place and what it sees there; every part with its length before it.
    fn key(&self, check: &Check, key: &Key) -> String {
        let mut hash = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        part(b"windlass check 1");
        part(self.root.as_os_str().as_encoded_bytes());
        // All that it is, as it is written; a program that writes it otherwise runs it again.
        part(format!("{:?}", check.what).as_bytes());
        match (&self.seen, key) {
            (Some(seen), Key::Files) => part(seen.to_string().as_bytes()),
            (Some(seen), Key::Session) => {
                part(seen.to_string().as_bytes());
                part(self.checking.change.as_bytes());
            }
            // Without a repository the session says what it changed.
            (None, _) => part(self.checking.change.as_bytes()),
        }
        let [one, other] = halves(hash.finalize().into());
        format!("{one:032x}{other:032x}")
    }
}

fn halves(hash: [u8; 32]) -> [u128; 2] {
    let mut halves = [0; 2];
    for (at, byte) in hash.iter().enumerate() {
        let half = &mut halves[at / 16];
        *half = *half << 8 | u128::from(*byte);
    }
    halves
}

/// Whether it would come out the same again.
enum Lasts {
    Yes,
    No,
}

fn look(tree: Option<&Tree>) -> Option<Fingerprint> {
    tree?.fingerprint(Instant::now() + LOOK).ok()
}
