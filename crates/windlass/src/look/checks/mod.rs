//! Checks that the user declares: which of them are about what was changed, and what comes of them.

mod command;
mod files;
mod pattern;

use std::path::Path;
use std::time::{Duration, Instant};

use windlass_core::check::{Check, Checked, How, Severity, Stage, What};
use windlass_core::{Checking, Outcome, Runs};

use crate::store::{Store, StoreError};
use crate::tree::{Globs, Tree};
use crate::{Host, redact};

use command::Runner;
pub(super) use files::{Changes, Files};

/// How long all commands of one stop may take together.
pub(crate) const BUDGET: Duration = Duration::from_mins(2);

/// Bytes of a word of a command that are shown.
const MAX_WORD: usize = 1024;

/// Looks at the checks, stage by stage, until one that asks has failed. `limit` is for all of them.
pub(super) fn look(
    host: &Host,
    checking: &Checking,
    files: &Files,
    root: &Path,
    store: &Store,
    limit: Duration,
) -> Result<Vec<Checked>, StoreError> {
    // One that cannot be understood is as good as none: nothing is remembered then.
    let tree = Tree::open(root).ok().flatten();
    let is_about = |it: &&(Check, Runs)| files.has_any(&Globs::of(&it.0.files));
    let mut checks: Vec<_> = checking.checks.iter().filter(is_about).collect();
    checks.sort_by_key(|it| (it.0.stage, &it.0.name));
    let deadline = Instant::now() + limit.min(BUDGET);
    let mut runner = Runner::new(host, (checking, files), root, tree.as_ref(), store, deadline);
    let mut all = Vec::new();
    for stage in Stage::ALL {
        for (check, runs) in checks.iter().filter(|it| it.0.stage == stage) {
            all.push(match &check.what {
                What::Command { words, timeout_s, bounds } => {
                    runner.check((check, *runs), words, *timeout_s, bounds.is_some())?
                }
                What::Pattern(text) => {
                    let begun = Instant::now();
                    let (outcome, detail) = pattern::look(text, check, files, root, tree.as_ref());
                    let how = How::Looked(None);
                    Checked { check: shown(check), outcome, detail, ms: since(begun), how }
                }
            });
        }
        let has_failed = |it: &Checked| {
            it.check.severity == Severity::Ask && matches!(it.outcome, Outcome::Failed(_))
        };
        if all.iter().any(has_failed) {
            break;
        }
    }
    Ok(all)
}

/// A check as it is shown: its command may hold a secret, and the agent reads it.
fn shown(check: &Check) -> Check {
    let mut check = check.clone();
    if let What::Command { words, .. } = &mut check.what {
        for word in words {
            *word = redact::text(word, MAX_WORD).to_string();
        }
    }
    check
}

/// Milliseconds since something began.
fn since(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX)
}
