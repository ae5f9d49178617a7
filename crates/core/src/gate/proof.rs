//! Whether what was changed is proven: by a run that the ledger saw, after the last change.

use super::cure::cures;
use super::{Answer, Caps, Gate, MAX_NAME, Missing, View};
use crate::claim::{Claim, Claimed, claims};
use crate::evidence::RunKind;
use crate::policy::Require;
use crate::work::{Edit, Ran};
use crate::{Outcome, foreign};

pub(super) const GATE: Gate = Gate {
    name: "proof",
    about: "A test or a build that failed after an edit, or a claim that no run stands behind.",
    mode: |it| it.proof.mode,
    caps: Caps::Shared,
    look,
    next: "",
};

fn look(view: &View<'_>) -> Answer {
    let since = view.work.since();
    let now = last_edit(view, since);
    let run = now.and_then(|_| failed(view));
    // One that was there before the work began is nobody's fault, but the user should know.
    let (old, new) = match run {
        Some(run) if run.failed_before() => (Some(run), None),
        run => (None, run),
    };
    let missing = now.zip(new).map(|(edit, run)| unmended(view, edit, run));
    let missing = missing.or_else(|| claimed(view, last_edit(view, 0)?));
    match (missing.or_else(|| required(view)), old) {
        (Some(missing), _) => Answer::Ask(missing),
        (None, Some(run)) => {
            Answer::Advise(format!("{} It failed the same before the first edit.", said(run)))
        }
        (None, None) => Answer::Pass,
    }
}

/// The changes after a call that a test or a build could prove.
fn edits<'a>(view: &View<'a>, after: u64) -> impl Iterator<Item = &'a Edit> {
    let view = *view;
    view.work
        .edits
        .iter()
        .filter(move |it| view.is_own(&it.agent) && it.step > after && view.is_provable(&it.file))
}

fn last_edit<'a>(view: &View<'a>, after: u64) -> Option<&'a Edit> {
    edits(view, after).max_by_key(|it| it.step)
}

/// The runs that count for the agent: its own, and for the main one those of all.
fn runs<'a>(view: &View<'a>) -> impl Iterator<Item = &'a Ran> {
    let view = *view;
    view.work.runs.iter().filter(move |it| view.is_own(&it.agent))
}

/// A run as the agent would name it.
fn name(run: &Ran) -> String {
    foreign::line(&run.command, MAX_NAME)
}

/// The last run of a kind.
fn last<'a>(view: &View<'a>, kind: RunKind) -> Option<&'a Ran> {
    runs(view).filter(|it| it.kind == kind).max_by_key(|it| it.step)
}

/// The last failure of a kind after a call that no later run has taken away.
fn failure<'a>(view: &View<'a>, kind: RunKind, after: u64) -> Option<&'a Ran> {
    let failed = runs(view).filter(|it| it.kind == kind && it.has_failed() && it.step > after);
    failed.filter(|it| !runs(view).any(|run| cures(run, it))).max_by_key(|it| it.step)
}

/// A test or a build that failed after an edit, and that nothing has taken away.
fn failed<'a>(view: &View<'a>) -> Option<&'a Ran> {
    // Something was changed before it: it is not the state in which the work began.
    let since = view.work.since();
    let first_edit = edits(view, since).map(|it| it.first).min()?;
    let kinds = [RunKind::Test, RunKind::Build];
    kinds.into_iter().find_map(|it| failure(view, it, first_edit.max(since)))
}

/// What a failed run said.
fn said(run: &Ran) -> String {
    let detail = run.detail.as_ref().map(|it| format!(": {}", foreign::line(it, 120)));
    format!("`{}` failed{}.", name(run), detail.unwrap_or_default())
}

fn unmended(view: &View<'_>, edit: &Edit, run: &Ran) -> Missing {
    let later = runs(view).filter(|it| it.kind == run.kind && it.step > run.step);
    let since = match later.max_by_key(|it| it.step) {
        Some(it) if it.outcome == Outcome::Unknown => {
            format!("How `{}` ended after that cannot be seen. ", name(it))
        }
        Some(it) if it.outcome == Outcome::Passed => {
            format!("That `{}` passed says less. ", name(it))
        }
        _ if edit.step > run.step => {
            format!("{} was changed after it, and it was not run again. ", view.name(&edit.file))
        }
        _ => String::new(),
    };
    Missing {
        found: said(run),
        satisfy: format!("{since}Run `{}` until it passes.", name(run)),
        about: vec![format!("failed {}", run.command)],
    }
}

/// The message claims what the ledger does not have. An edit of an earlier prompt counts, too: what
/// was not proven then is not proven now.
fn claimed(view: &View<'_>, edit: &Edit) -> Option<Missing> {
    let Claim { what, quote } =
        claims(view.message).into_iter().find(|it| !is_shown(view, edit, it.what))?;
    let (noun, satisfy) = match what {
        Claimed::Tests => ("test run", "Run the tests"),
        Claimed::Build => ("build", "Build it"),
        Claimed::Lint => ("run of a linter", "Run the linter"),
        Claimed::Types => ("type check", "Run the type checker"),
        Claimed::Works => ("trial", "Try it out"),
    };
    let (file, quote) = (view.name(&edit.file), foreign::line(&quote, Claim::QUOTE));
    let stale = kinds(what).iter().filter_map(|it| last(view, *it)).max_by_key(|it| it.step);
    let known = match refuted(view, edit, what).or(stale) {
        Some(run) if run.step > edit.step => {
            format!("`{}` failed after {file} was changed", name(run))
        }
        Some(run) => format!("`{}` ran before {file} was changed", name(run)),
        None => format!("no {noun} was seen after {file} was changed"),
    };
    Some(Missing {
        found: format!("The message says “{quote}”, but {known}."),
        satisfy: format!("{satisfy} now, or take the claim back."),
        about: vec![format!("claimed {noun}")],
    })
}

/// The kinds of runs that show a claim, the one that it is about first.
fn kinds(what: Claimed) -> &'static [RunKind] {
    match what {
        Claimed::Tests => &[RunKind::Test],
        Claimed::Build => &[RunKind::Build, RunKind::Test],
        Claimed::Lint => &[RunKind::Lint],
        Claimed::Types => &[RunKind::Types, RunKind::Build, RunKind::Test],
        Claimed::Works => &[RunKind::Test, RunKind::Build],
    }
}

/// The run that says the opposite of a claim: it is of the kind that the claim is about, and failed
/// after the edit.
fn refuted<'a>(view: &View<'a>, edit: &Edit, what: Claimed) -> Option<&'a Ran> {
    let kind = kinds(what).first().filter(|_| what != Claimed::Works)?;
    failure(view, *kind, edit.step)
}

/// Whether a run after the edit stands behind a claim. One whose result is unknown is no proof,
/// and no reason to doubt the agent's word either.
fn is_shown(view: &View<'_>, edit: &Edit, what: Claimed) -> bool {
    if refuted(view, edit, what).is_some() {
        return false;
    }
    if what == Claimed::Works && view.work.tried.is_some_and(|it| it > edit.step) {
        return true;
    }
    let runs = runs(view).filter(|it| kinds(what).contains(&it.kind));
    let mut after = runs.filter(|it| it.step > edit.step);
    after.any(|it| !it.has_failed() && !it.void)
}

/// Where more is wanted than honesty: a run that passed after the last edit.
fn required(view: &View<'_>) -> Option<Missing> {
    let edit = edits(view, view.work.since()).max_by_key(|it| it.latest)?;
    let kinds: &[RunKind] = match view.gates.proof.require {
        Require::Honesty => return None,
        Require::Build => &[RunKind::Build, RunKind::Test],
        Require::Tests => &[RunKind::Test],
    };
    let mut runs = runs(view).filter(|it| kinds.contains(&it.kind));
    if runs.any(|it| it.step > edit.latest && it.outcome == Outcome::Passed) {
        return None;
    }
    let noun = if kinds.len() == 1 { "test run" } else { "build or test run" };
    Some(Missing {
        found: format!(
            "No {noun} that passed was seen after {} was changed.",
            view.name(&edit.file)
        ),
        satisfy: "Make one, with its exit status in sight (no `| tail`).".to_owned(),
        about: vec![format!("required {noun}")],
    })
}
