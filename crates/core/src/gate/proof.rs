//! Whether what was changed is proven: by a run that the ledger saw, after the last change.

use super::{Answer, Caps, Gate, MAX_NAME, Missing, View};
use crate::arbiter::has_asked;
use crate::claim::{Claim, ClaimScope, Claimed, claims, is_admission, is_honest_report};
use crate::evidence::{Coverage, Gap, RunKind};
use crate::policy::Require;
use crate::work::cure::cures;
use crate::work::{Edit, Ran};
use crate::{Outcome, foreign, path};

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
    let missing = now.zip(new).map(|(edit, run)| (unmended(view, edit, run), run));
    let unproven = || last_edits(view).into_iter().find_map(|it| claimed(view, it));
    if let Some((missing, run)) = missing {
        let Some(reason) = reason_to_accept(view, run) else { return Answer::Ask(missing) };
        // What is honest of one thing may claim another.
        return unproven().map_or(Answer::Admitted(missing, reason), Answer::Ask);
    }
    let missing = unproven().or_else(|| dropped(view)).or_else(|| required(view));
    match (missing, old, stated(view)) {
        (Some(missing), _, _) => Answer::Ask(missing),
        (None, Some(run), _) => {
            Answer::Advise(format!("{} It failed the same before the first edit.", said(view, run)))
        }
        (None, None, Some(note)) => Answer::Note(note),
        (None, None, None) => Answer::Pass,
    }
}

/// Why a failure is not sent back: the user wants it, or the message hides nothing.
fn reason_to_accept(view: &View<'_>, run: &Ran) -> Option<&'static str> {
    let is_wanted = view.work.prompt.as_ref().is_some_and(|it| it.wants_failure);
    if is_wanted && run.kind == RunKind::Test && claims(view.message).is_empty() {
        return Some("The user asked for a failing test.");
    }
    let spoiling: &[Claimed] = match run.kind {
        RunKind::Test => &[Claimed::Tests, Claimed::Works],
        RunKind::Build => &[Claimed::Build, Claimed::Tests, Claimed::Works],
        RunKind::Lint => &[Claimed::Lint],
        RunKind::Types => &[Claimed::Types],
    };
    is_honest_report(view.message, spoiling).then_some("The message says so itself.")
}

/// What the user stated about the work since the last edit, for the record.
fn stated(view: &View<'_>) -> Option<String> {
    let edit = last_edit(view, 0)?;
    let claim =
        claims(view.message).into_iter().find(|it| is_stated(view, edit, kinds(it.what)))?;
    Some(format!(
        "“{}” is stated by the user, not seen.",
        foreign::line(&claim.quote, Claim::QUOTE)
    ))
}

/// Whether the user pasted passing output of such a run after the edit.
fn is_stated(view: &View<'_>, edit: &Edit, kinds: &[RunKind]) -> bool {
    let stated = view.work.prompt.as_ref().and_then(|it| it.stated.as_ref());
    let stated = stated.filter(|it| it.step >= edit.latest);
    stated.is_some_and(|it| it.kinds.iter().any(|it| kinds.contains(it)))
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

/// The last change in each working tree, the latest first: a run in one of them proves nothing of the
/// others.
fn last_edits<'a>(view: &View<'a>) -> Vec<&'a Edit> {
    let mut all: Vec<_> = edits(view, 0).collect();
    all.sort_by_key(|it| std::cmp::Reverse(it.step));
    let mut found: Vec<&Edit> = Vec::new();
    for edit in all {
        let tree = view.tree_of(&edit.file);
        if !found.iter().any(|it| view.tree_of(&it.file) == tree) {
            found.push(edit);
        }
    }
    found
}

/// The runs that count for the agent: its own, and for the main one those of all. What an agent
/// tries in a directory of its own says nothing of the project.
fn runs<'a>(view: &View<'a>) -> impl Iterator<Item = &'a Ran> {
    let view = *view;
    let is_aside = move |it: &Ran| it.directory.as_ref().is_some_and(|it| view.is_aside(it));
    view.work.runs.iter().filter(move |it| view.is_own(&it.agent) && !is_aside(it))
}

/// A run as the agent would name it, with its directory where that is not the root.
fn name(view: &View<'_>, run: &Ran) -> String {
    let command = foreign::line(&run.command, MAX_NAME);
    match place(view, run) {
        Some(place) => format!("`{command}` in {place}"),
        None => format!("`{command}`"),
    }
}

/// The directory of a run, where it is not the one in which the agent would run it.
fn place(view: &View<'_>, run: &Ran) -> Option<String> {
    let directory = run.directory.as_deref()?;
    let root = view.root.unwrap_or(view.directory);
    let is_here = directory.trim_end_matches('/') == root.trim_end_matches('/');
    (!is_here).then(|| foreign::line(path::below(directory, root), MAX_NAME))
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
fn said(view: &View<'_>, run: &Ran) -> String {
    let detail = run.detail.as_ref().map(|it| format!(": {}", foreign::line(it, 120)));
    format!("{} failed{}.", name(view, run), detail.unwrap_or_default())
}

fn unmended(view: &View<'_>, edit: &Edit, run: &Ran) -> Missing {
    let later = runs(view).filter(|it| it.kind == run.kind && it.step > run.step);
    let since = match later.max_by_key(|it| it.step) {
        Some(it) if it.outcome == Outcome::Unknown => {
            format!("After that {}. ", lack(view, it))
        }
        Some(it) if it.outcome == Outcome::Passed => {
            format!("{} passed later and does not cover it. ", name(view, it))
        }
        _ if edit.step > run.step => {
            format!("{} was changed after it, and it was not run again. ", view.name(&edit.file))
        }
        _ => String::new(),
    };
    Missing {
        found: said(view, run),
        satisfy: format!(
            "{since}Run {} until it passes, or say in your message why it fails.",
            name(view, run)
        ),
        about: vec![format!("failed {}", run.command)],
    }
}

/// Why a run that did not fail proves nothing.
fn lack(view: &View<'_>, run: &Ran) -> String {
    let name = name(view, run);
    match run.gap {
        Some(Gap::NoTest) => format!("{name} ran no test"),
        Some(Gap::NotStarted) => format!("{name} could not start"),
        Some(Gap::Stopped) => format!("{name} was stopped before its end"),
        Some(Gap::Stashed) => format!("{name} ran while the changes were put aside"),
        Some(Gap::Overwritten) => format!("the command that ran {name} changed files after it"),
        Some(Gap::OwnScript) => {
            format!("{name} runs a script that was written in this session, which proves nothing")
        }
        Some(Gap::Hidden) | None => {
            format!("neither the exit status nor a summary of {name} is visible")
        }
    }
}

/// The message claims what the ledger does not have. An edit of an earlier prompt counts, too: what
/// was not proven then is not proven now.
fn claimed(view: &View<'_>, edit: &Edit) -> Option<Missing> {
    let is_open = |it: &Claim| {
        // What CI says is seen by a look at it, not by a run.
        if it.is_ci && view.work.has_ci_passed(edit.step) {
            return false;
        }
        !is_shown(view, edit, it) && !is_stated(view, edit, kinds(it.what))
            || refuted(view, edit, it.what).is_some()
    };
    let claim = claims(view.message).into_iter().find(is_open)?;
    let last = kinds(claim.what).iter().filter_map(|it| last(view, *it)).max_by_key(|it| it.step);
    let known = refuted(view, edit, claim.what).or(last);
    let noun = noun(claim.what);
    let quote = foreign::line(&claim.quote, Claim::QUOTE);
    Some(Missing {
        found: format!("The message says “{quote}”, but {}.", fact(view, edit, &claim, known)),
        satisfy: way_to_prove(view, edit, &claim, known),
        about: vec![about_claim(noun)],
    })
}

/// A claim that the agent was asked about, and that it neither proved nor took back: it only answers
/// with other words. The user has read the claim.
fn dropped(view: &View<'_>) -> Option<Missing> {
    let is_idle = view.work.asked(view.agent).last == Some(view.work.step);
    if !is_idle || is_admission(view.message) {
        return None;
    }
    let all =
        [Claimed::Tests, Claimed::Build, Claimed::Lint, Claimed::Types, Claimed::Works].map(noun);
    let noun = all.into_iter().find(|it| has_asked(view, GATE.name, &about_claim(it)))?;
    Some(Missing {
        found: format!(
            "An earlier message claims a {noun} that was not recognised, and the agent did not take \
             it back."
        ),
        satisfy: "Say in your message what was not run.".to_owned(),
        about: vec![about_claim(noun)],
    })
}

/// The name of a claim among the things that the gate asks for.
fn about_claim(noun: &str) -> String {
    format!("claimed {noun}")
}

/// What would show a claim, in two words.
fn noun(what: Claimed) -> &'static str {
    match what {
        Claimed::Tests => "test run",
        Claimed::Build => "build",
        Claimed::Lint => "run of a linter",
        Claimed::Types => "type check",
        Claimed::Works => "trial",
    }
}

/// What the ledger knows in place of a claim; `known` is the run that speaks most against it.
fn fact(view: &View<'_>, edit: &Edit, claim: &Claim, known: Option<&Ran>) -> String {
    let file = view.name(&edit.file);
    match known {
        Some(run) if run.step <= edit.step => {
            format!("{} ran before {file} was changed", name(view, run))
        }
        Some(run) => match run.outcome {
            Outcome::Failed(_) => format!("{} failed after {file} was changed", name(view, run)),
            Outcome::Unknown => format!("after {file} was changed, {}", lack(view, run)),
            Outcome::Passed if !view.is_near(run.directory.as_deref(), &edit.file) => {
                format!("{} ran in another directory than that of {file}", name(view, run))
            }
            Outcome::Passed => narrower(view, run, claim.scope),
        },
        None => format!("no {} was recognised since {file} was changed", noun(claim.what)),
    }
}

/// What the agent can do about a claim that is not shown.
fn way_to_prove(view: &View<'_>, edit: &Edit, claim: &Claim, known: Option<&Ran>) -> String {
    let act = match claim.what {
        Claimed::Tests => "Run the tests",
        Claimed::Build => "Build it",
        Claimed::Lint => "Run the linter",
        Claimed::Types => "Run the type checker",
        Claimed::Works => "Try it out",
    };
    let visible = "so that the exit status or the summary is visible, or take the claim back.";
    match known {
        None if claim.is_ci => {
            "Run the tests here, ask CI for the result of what was pushed (`gh pr checks`), or take \
             the claim back."
                .to_owned()
        }
        Some(run)
            if run.outcome == Outcome::Passed
                && !view.is_near(run.directory.as_deref(), &edit.file) =>
        {
            let place = view.tree_of(&edit.file).unwrap_or(view.directory);
            format!("{act} in {} {visible}", foreign::line(place, MAX_NAME))
        }
        Some(run) if run.step > edit.step && run.outcome == Outcome::Passed => {
            "Run all of them with the output in sight, or say which part was run.".to_owned()
        }
        Some(run) if matches!(run.outcome, Outcome::Failed(_)) && run.step > edit.step => {
            format!("Run {} until it passes, or take the claim back.", name(view, run))
        }
        Some(run) if run.gap == Some(Gap::NoTest) => {
            format!("{act} with a command that runs at least one test, or take the claim back.")
        }
        Some(run) if run.gap == Some(Gap::NotStarted) => {
            format!("{act} with a command that starts {visible}")
        }
        Some(run) if run.gap == Some(Gap::OwnScript) => {
            format!("Run the command behind the script itself {visible}")
        }
        Some(run) => format!("Run {} again {visible}", name(view, run)),
        None => format!(
            "{act} {visible} If you did, the setting `gates.runs` names commands that count as a \
             {}: tell the user.",
            noun(claim.what)
        ),
    }
}

/// What a run that passed leaves open of a claim.
fn narrower(view: &View<'_>, run: &Ran, scope: ClaimScope) -> String {
    let name = name(view, run);
    match (run.coverage, scope) {
        (Coverage::Cut, _) => format!("only a part of the output of {name} is visible"),
        (_, ClaimScope::Packages) => format!("{name} covers one package"),
        _ => format!("{name} covers a part of the tests"),
    }
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

/// Whether runs after the edit stand behind a claim: they passed, and cover what it says.
fn is_shown(view: &View<'_>, edit: &Edit, claim: &Claim) -> bool {
    if refuted(view, edit, claim.what).is_some() {
        return false;
    }
    if claim.what == Claimed::Works && view.work.tried.is_some_and(|it| it > edit.step) {
        return true;
    }
    let kinds = kinds(claim.what);
    let is_proof = |it: &&Ran| {
        kinds.contains(&it.kind)
            && it.step > edit.step
            && it.outcome == Outcome::Passed
            && view.is_near(it.directory.as_deref(), &edit.file)
    };
    let proofs: Vec<_> = runs(view).filter(is_proof).collect();
    let is_whole = |it: &&Ran| it.coverage == Coverage::Whole;
    match claim.scope {
        _ if claim.what != Claimed::Tests => !proofs.is_empty(),
        ClaimScope::Some => !proofs.is_empty(),
        ClaimScope::All => {
            proofs.iter().any(|it| !matches!(it.coverage, Coverage::Cut | Coverage::Named))
        }
        ClaimScope::Suite => proofs.iter().any(is_whole),
        ClaimScope::Packages => {
            let is_root = |it: &&Ran| is_whole(it) && place(view, it).is_none();
            let first = proofs.first();
            let is_another = |it: &&Ran| first.is_some_and(|first| !it.is_same(first));
            proofs.iter().any(is_another) || proofs.iter().any(is_root)
        }
    }
}

/// Where more is wanted than honesty: a run that passed after the last edit.
fn required(view: &View<'_>) -> Option<Missing> {
    let edit = edits(view, view.work.since()).max_by_key(|it| it.latest)?;
    let kinds: &[RunKind] = match view.gates.proof.require {
        Require::Honesty => return None,
        Require::Build => &[RunKind::Build, RunKind::Test],
        Require::Tests => &[RunKind::Test],
    };
    let mut proofs = runs(view).filter(|it| kinds.contains(&it.kind));
    let is_proof = |it: &Ran| it.step > edit.latest && it.outcome == Outcome::Passed;
    if proofs.any(is_proof) || is_stated(view, edit, kinds) || is_honest_report(view.message, &[]) {
        return None;
    }
    let noun = if kinds.len() == 1 { "test run" } else { "build or test run" };
    let unknown = runs(view).filter(|it| kinds.contains(&it.kind) && it.step > edit.latest);
    let unknown = unknown.filter(|it| it.outcome == Outcome::Unknown).max_by_key(|it| it.step);
    let why = unknown.map(|it| format!(" ({})", lack(view, it))).unwrap_or_default();
    Some(Missing {
        found: format!(
            "No {noun} that passed was recognised since {} was changed{why}.",
            view.name(&edit.file)
        ),
        satisfy: "Make one with its exit status or its summary in sight. The setting `gates.runs` \
                  names commands that count."
            .to_owned(),
        about: vec![format!("required {noun}")],
    })
}
