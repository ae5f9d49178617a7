//! The store: sound, in order, and not held up.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use windlass_core::Timestamp;

use super::installation::Installation;
use super::{Finding, listed, modified};
use crate::failure::chain;
use crate::shell::quoted;
use crate::store::{self, Checked, Store, StoreError, StoreLoss};
use crate::ui;

/// How long a look at every page may take.
const CHECK_LIMIT: Duration = Duration::from_secs(3);

/// How long one process may keep all others from writing.
const HELD_LIMIT: Duration = Duration::from_secs(1);

/// Milliseconds that a hook may need to fold what it has just written.
const FOLD_LIMIT: i64 = 60 * 1000;

/// Milliseconds after which a file that was begun is no longer worked on.
const LEFT_BEHIND: i64 = 60 * 1000;

/// Finds damage, a backlog, a store that grows, and what killed processes left behind.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let Some(data) = &it.data else { return Vec::new() };
    let mut findings = match &it.store {
        // An event makes it anew; journals may still be folded then.
        Ok(None) => lost(store::known_loss(data, it.host.now), data).into_iter().collect(),
        Ok(Some(store)) => {
            let mut found = look_into(store, data, it.host.now);
            found.extend(lost(store.loss(it.host.now).ok().flatten(), data));
            found
        }
        Err(error) => refused(data, error).into_iter().collect(),
    };
    findings.extend(oversize(data, u64::from(it.config.policy.ledger.max_mb) << 20));
    findings.extend(leftovers(data, it.host.now));
    findings
}

fn look_into(store: &Store, data: &Path, now: Timestamp) -> Vec<Finding> {
    let mut findings = Vec::new();
    match store.check_within(CHECK_LIMIT) {
        Ok(Some(Checked { faults, .. })) if faults.is_empty() => {}
        Ok(Some(Checked { faults, .. })) => findings.push(damaged(&listed(&faults), data)),
        Ok(None) => findings.push(Finding::note(
            "The store is too large to be looked through here.".to_owned(),
            "nobody has said that it is sound",
            "run `windlass store check`".to_owned(),
        )),
        Err(error) => findings.extend(refused(data, &error)),
    }
    match Store::is_held(data, HELD_LIMIT) {
        Ok(false) => {}
        Ok(true) => findings.push(Finding::warning(
            format!("Another process has kept the store to itself for {} s.", HELD_LIMIT.as_secs()),
            "hooks give up waiting, and what they decide is lost",
            format!("run `fuser {}` and see who it is", quoted(&store::path(data))),
        )),
        Err(error) => findings.extend(refused(data, &error)),
    }
    match store.backlog(Timestamp(now.0 - FOLD_LIMIT)) {
        Ok(waiting) => findings.extend(backlog(&waiting, now)),
        Err(error) => findings.extend(refused(data, &error)),
    }
    findings.dedup();
    findings
}

fn backlog(waiting: &[store::Backlog], now: Timestamp) -> Option<Finding> {
    let bytes: u64 = waiting.iter().map(|it| it.bytes).sum();
    let since = waiting.iter().map(|it| it.since).min()?;
    let (bytes, since) = (ui::bytes(bytes), ui::ago(since, now));
    let count = ui::amount(waiting.len(), "session");
    Some(Finding::warning(
        format!("Events of {count} wait to be taken into the store: {bytes}, since {since}."),
        "a hook should have taken them, and decides without them",
        "run `windlass store compact`".to_owned(),
    ))
}

fn damaged(how: &str, data: &Path) -> Finding {
    Finding::fault(
        format!("The store is damaged: {how}."),
        "what it tells cannot be relied upon",
        format!("{}; `windlass store restore --empty` begins anew", store::way_back(data)),
    )
}

fn lost(loss: Option<StoreLoss>, data: &Path) -> Option<Finding> {
    loss.map(|it| {
        Finding::warning(
            it.sentence(),
            "memories, loops and what was recorded before are missing",
            store::way_back(data),
        )
    })
}

fn refused(data: &Path, error: &StoreError) -> Option<Finding> {
    let lost = "hooks can record nothing but the journal";
    let path = store::path(data);
    Some(match error {
        // Whose it is and who may write it is told elsewhere.
        StoreError::Foreign { .. } if fs::symlink_metadata(&path).is_ok_and(|it| it.is_file()) => {
            return None;
        }
        StoreError::Foreign { .. } => Finding::fault(
            format!("{} is not a plain file.", path.display()),
            lost,
            format!("look at it with `ls -l {}`, and move it away", quoted(&path)),
        ),
        StoreError::Newer { .. } => Finding::fault(
            format!("The store was written by a newer windlass: {error}."),
            lost,
            "upgrade this windlass, then run `windlass init` again".to_owned(),
        ),
        StoreError::Damaged { source, .. } => damaged(&source.to_string(), data),
        error => Finding::fault(
            format!("The store cannot be used: {}.", chain(error)),
            lost,
            format!("see that you can read and write everything in {}", quoted(data)),
        ),
    })
}

fn oversize(data: &Path, most: u64) -> Option<Finding> {
    let bytes = store::size(data);
    (bytes > most).then(|| {
        let (bytes, most) = (ui::bytes(bytes), ui::bytes(most));
        Finding::warning(
            format!("The store has {bytes}; {most} is the most that it should have."),
            "it should have been pruned, and every start of a session reads more",
            "run `windlass store compact`".to_owned(),
        )
    })
}

/// Files that were to become the store, or were taken from it, and that nobody works on.
fn leftovers(data: &Path, now: Timestamp) -> Option<Finding> {
    let entries = fs::read_dir(data).ok()?.flatten().map(|it| it.path());
    let is_old = |it: &PathBuf| modified(it).is_some_and(|at| at < now.0 - LEFT_BEHIND);
    let mut left: Vec<_> = entries.filter(|it| is_unfinished(it) && is_old(it)).collect();
    left.sort();
    let names: Vec<_> = left.iter().map(|it| it.display().to_string()).collect();
    let quoted: Vec<_> = left.iter().map(|it| quoted(it)).collect();
    (!left.is_empty()).then(|| {
        Finding::note(
            format!("Processes that were killed left {} behind.", listed(&names)),
            "they take room and are of no use",
            format!("rm {}", quoted.join(" ")),
        )
    })
}

fn is_unfinished(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|it| it.to_str()) else { return false };
    let is_copy = name.starts_with("store.") || name.starts_with("backup-");
    (is_copy && name.contains(".new")) || name.ends_with(".restored")
}
