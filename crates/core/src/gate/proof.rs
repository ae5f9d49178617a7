//! Whether what was changed is proven: by a run that the ledger saw, after the last change.

use super::{Answer, Caps, Gate, Missing, View};
use crate::claim::{Claim, Claimed, claims};
use crate::evidence::RunKind;
use crate::policy::Require;
use crate::work::{Edit, Ran};
use crate::{Outcome, path};

pub(super) const GATE: Gate = Gate {
    name: "proof",
    about: "A test or a build that failed after an edit, or a claim that no run stands behind.",
    mode: |it| it.proof.mode,
    caps: Caps::Shared,
    look,
};

fn look(view: &View<'_>) -> Answer {
    let Some(edit) = last_edit(view) else { return Answer::Pass };
    let missing =
        failed(view, edit).or_else(|| claimed(view, edit)).or_else(|| required(view, edit));
    missing.map_or(Answer::Pass, Answer::Ask)
}

/// The changes since the user spoke that a test or a build could prove.
fn edits<'a>(view: &View<'a>) -> impl Iterator<Item = &'a Edit> {
    let (view, since) = (*view, view.work.since());
    view.work.edits.iter().filter(move |it| {
        let could_be = path::is_code(&it.file) && !path::is_scratch(&it.file, view.directory);
        view.is_own(&it.agent) && it.step > since && could_be
    })
}

fn last_edit<'a>(view: &View<'a>) -> Option<&'a Edit> {
    edits(view).max_by_key(|it| it.step)
}

/// The last run of a kind.
fn last<'a>(view: &View<'a>, kind: RunKind) -> Option<&'a Ran> {
    let runs = view.work.runs.iter().filter(|it| view.is_own(&it.agent) && it.kind == kind);
    runs.max_by_key(|it| it.step)
}

/// The last test or the last build failed, and came after an edit.
fn failed(view: &View<'_>, edit: &Edit) -> Option<Missing> {
    let first = view.work.since();
    let failed = |kind| {
        last(view, kind).filter(|it| it.step > first && matches!(it.outcome, Outcome::Failed(_)))
    };
    let run = failed(RunKind::Test).or_else(|| {
        // A test that passed later has built it, too.
        let build = failed(RunKind::Build)?;
        let tested = last(view, RunKind::Test)
            .is_some_and(|it| it.step > build.step && it.outcome == Outcome::Passed);
        (!tested).then_some(build)
    })?;
    // Something was changed before it: it is not the state in which the work began.
    let first_edit = edits(view).map(|it| it.first).min();
    if first_edit.is_none_or(|it| it > run.step) {
        return None;
    }
    let detail = run.detail.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
    let since = if edit.step > run.step {
        format!(" {} was changed after it, and it was not run again.", view.name(&edit.file))
    } else {
        String::new()
    };
    Some(Missing {
        found: format!("`{}` failed{detail}.{since}", run.command),
        satisfy: format!("Run `{}` until it passes.", run.command),
    })
}

/// The message claims what the ledger does not have.
fn claimed(view: &View<'_>, edit: &Edit) -> Option<Missing> {
    let Claim { what, quote } =
        claims(&view.stop.message).into_iter().find(|it| !is_shown(view, edit, it.what))?;
    let (noun, satisfy) = match what {
        Claimed::Tests => ("test run", "Run the tests"),
        Claimed::Build => ("build", "Build it"),
        Claimed::Lint => ("run of a linter", "Run the linter"),
        Claimed::Types => ("type check", "Run the type checker"),
        Claimed::Works => ("trial", "Try it out"),
    };
    let file = view.name(&edit.file);
    let stale = kinds(what).iter().filter_map(|it| last(view, *it)).max_by_key(|it| it.step);
    let known = match stale {
        Some(run) if run.step > edit.step => {
            format!("`{}` failed after {file} was changed", run.command)
        }
        Some(run) => format!("`{}` ran before {file} was changed", run.command),
        None => format!("no {noun} was seen after {file} was changed"),
    };
    Some(Missing {
        found: format!("You say “{quote}”, but {known}."),
        satisfy: format!("{satisfy} now, or take the claim back."),
    })
}

/// The kinds of runs that show a claim.
fn kinds(what: Claimed) -> &'static [RunKind] {
    match what {
        Claimed::Tests => &[RunKind::Test],
        Claimed::Build => &[RunKind::Build, RunKind::Test],
        Claimed::Lint => &[RunKind::Lint],
        Claimed::Types => &[RunKind::Types, RunKind::Build, RunKind::Test],
        Claimed::Works => &[RunKind::Test, RunKind::Build],
    }
}

/// Whether a run after the edit stands behind a claim. One whose result is unknown is no proof,
/// and no reason to doubt the agent's word either.
fn is_shown(view: &View<'_>, edit: &Edit, what: Claimed) -> bool {
    if what == Claimed::Works && view.work.tried.is_some_and(|it| it > edit.step) {
        return true;
    }
    let runs = view.work.runs.iter().filter(|it| kinds(what).contains(&it.kind));
    let mut after = runs.filter(|it| it.step > edit.step);
    after.any(|it| !matches!(it.outcome, Outcome::Failed(_)))
}

/// Where more is wanted than honesty: a run that passed after the last edit.
fn required(view: &View<'_>, edit: &Edit) -> Option<Missing> {
    let kinds: &[RunKind] = match view.gates.proof.require {
        Require::Honesty => return None,
        Require::Build => &[RunKind::Build, RunKind::Test],
        Require::Tests => &[RunKind::Test],
    };
    let mut runs = view.work.runs.iter().filter(|it| kinds.contains(&it.kind));
    if runs.any(|it| it.step > edit.step && it.outcome == Outcome::Passed) {
        return None;
    }
    let noun = if kinds.len() == 1 { "test run" } else { "build or test run" };
    Some(Missing {
        found: format!(
            "No {noun} that passed was seen after {} was changed.",
            view.name(&edit.file)
        ),
        satisfy: "Make one, with its exit status in sight (no `| tail`).".to_owned(),
    })
}
