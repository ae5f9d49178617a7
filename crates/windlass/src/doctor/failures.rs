//! What the hook path could not do in the last days.

use std::collections::BTreeMap;

use windlass_core::Timestamp;

use super::Finding;
use super::installation::Installation;
use crate::failure::Failed;
use crate::store;
use crate::time::DAY;
use crate::ui;

/// Days that are looked back.
const DAYS: i64 = 7;

/// Characters of an error that are shown.
const ERROR: usize = 200;

/// What can be done: words of an error or of what was being done, and the step that follows. The
/// first that fits counts.
const STEPS: &[(&str, &str)] = &[
    ("panic at", "report it, with this line and `windlass --version`"),
    ("the store is damaged", "run `windlass store check`"),
    ("newer", "upgrade windlass, then run `windlass init` again"),
    ("the store is of version", "upgrade windlass, then run `windlass init` again"),
    ("another process is writing", "nothing if it stays rare; else run `windlass store compact`"),
    ("No space left", "make room on the disk"),
    ("Read-only file system", "set WINDLASS_HOME to a directory that can be written"),
    ("Permission denied", "see what `windlass doctor` says of permissions"),
    ("not a plain file of this user", "see what `windlass doctor` says of permissions"),
    ("not a private, plain file", "see what `windlass doctor` says of permissions"),
    ("HOME is not set", "start the client with HOME set"),
    ("transcript", "nothing: one reading of a transcript was passed over"),
    ("reading the event from stdin", "update Claude Code: it did not send a whole event in time"),
    ("parsing the event", "update Claude Code and windlass: an event could not be understood"),
    ("our own deadline passed", "see whether the disk is slow or the machine is busy"),
    ("tidying the store", "run `windlass store compact`"),
];

/// Tells the failures, by what was being done.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let Some(data) = &it.data else { return Vec::new() };
    let since = Timestamp(it.host.now.0 - DAYS * DAY);
    let failures = match &it.store {
        Ok(Some(store)) => store.failed_since(since),
        Ok(None) | Err(_) => store::failed_in_logs(data, since),
    };
    let mut kinds: BTreeMap<String, Vec<Failed>> = BTreeMap::new();
    for failed in failures.unwrap_or_default() {
        kinds.entry(failed.doing.clone()).or_default().push(failed);
    }
    let findings = kinds.into_iter().filter_map(|(doing, failed)| {
        let last = failed.iter().max_by_key(|it| it.at)?;
        let ago = ui::ago(Timestamp(last.at), it.host.now);
        let (count, error) = (ui::amount(failed.len(), "failure"), ui::line(&last.error, ERROR));
        let found = format!("{count} while {doing}, the last one {ago}: {error}.");
        let why = "what those events told or asked for may be missing";
        Some(Finding::warning(found, why, step(last).to_owned()))
    });
    findings.collect()
}

fn step(failed: &Failed) -> &'static str {
    let fits = |words: &str| failed.error.contains(words) || failed.doing.contains(words);
    let known = STEPS.iter().find(|it| fits(it.0)).map(|it| it.1);
    known.unwrap_or("report it, with this line and `windlass --version`")
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::io;
    use std::path::PathBuf;

    use super::step;
    use crate::agent::claude::transcript::TranscriptError;
    use crate::failure::{Failed, chain};
    use crate::step::Step;
    use crate::store::StoreError;

    fn next(doing: &str, error: &str) -> &'static str {
        step(&Failed { at: 0, doing: doing.to_owned(), error: error.to_owned() })
    }

    #[test]
    fn the_error_says_more_than_what_was_being_done() {
        let doing = Step::Load.doing();
        assert!(next(doing, "open the store: the store is damaged: …").contains("store check"));
        assert!(next(doing, "begin: another process is writing to the store").contains("rare"));
        assert!(next(Step::Journal.doing(), "append: No space left on device").contains("room"));
        assert!(next(Step::Parse.doing(), "panic at src/x.rs:1:2").contains("report"));
        assert!(next(Step::Read.doing(), "our own deadline passed").contains("Claude Code"));
        assert!(next("tidying the store", "checkpoint").contains("compact"));
        assert!(next("doing something new", "who knows").contains("report"));
    }

    /// A log keeps words, and the words are made elsewhere: these errors are the real ones.
    #[test]
    fn the_words_of_an_error_lead_to_its_step() {
        let system = |code: i32| StoreError::Lock(io::Error::from_raw_os_error(code));
        let sqlite = || rusqlite::Error::QueryReturnedNoRows;
        let path = || PathBuf::from("/p");
        let doing = "begin a transaction";
        let cases: [(&dyn Error, &str); 9] = [
            (&StoreError::Damaged { doing, source: sqlite() }, "store check"),
            (&StoreError::Newer { found: 9, known: 1 }, "upgrade"),
            (&StoreError::Busy { doing }, "rare"),
            (&StoreError::Foreign { path: path() }, "permissions"),
            (&system(libc::ENOSPC), "room"),
            (&system(libc::EROFS), "WINDLASS_HOME"),
            (&system(libc::EACCES), "permissions"),
            (&TranscriptError::Foreign, "passed over"),
            (&TranscriptError::Read(io::Error::from_raw_os_error(libc::EIO)), "passed over"),
        ];
        for (error, step) in cases {
            let error = chain(error);
            assert!(next(Step::Load.doing(), &error).contains(step), "{error}");
        }
    }
}
