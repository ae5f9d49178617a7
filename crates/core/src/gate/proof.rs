//! Whether what was changed is proven: by a run that the ledger saw, after the last change.

use std::collections::BTreeSet;

use super::failed_words::{passed_of, said};
use super::proof_kinds::lacks_named_tests;
use super::proof_scope::{
    TEST_WORDS, claims_everything, holds_edit, is_mere_check, runs_named_suite, shows_packages,
    standing_proofs, untested_part,
};
use super::proof_words::{
    about_missing_tests, fact, lack, noun, unmended, unproven_claims, way_to_prove,
    way_to_prove_more,
};
use super::{Answer, Caps, Gate, MAX_NAME, Missing, View};
use crate::arbiter::{has_asked, was_told};
use crate::claim::{
    Claim, ClaimScope, Claimed, accounts_for, claimed_count, claims, is_honest_report, leaves_open,
    limits_scope, names_another, names_each, names_failure, names_some, old_failure, retracts,
    tells_breakage,
};
use crate::evidence::{self, Coverage, Gap, RunKind};
use crate::policy::Require;
use crate::work::cure::cures;
use crate::work::{Edit, Ran};
use crate::{Excerpt, Outcome, foreign, path};

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
        Some(run) if view.work.failed_without_changes(run) => (Some(run), None),
        run => (None, run),
    };
    let missing = now.zip(new).map(|(edit, run)| {
        let claim = contradicted(view, run);
        (unmended(view, edit, run, claim.as_deref()), run)
    });
    let unproven = || {
        let last = last_edits(view).into_iter();
        last.chain(missed_edits(view)).find_map(|it| claimed(view, it))
    };
    if let Some((missing, run)) = missing {
        let told = || was_told(view).then_some("An earlier message told it.");
        let Some(reason) = reason_to_accept(view, run).or_else(told) else {
            return Answer::Ask(with_claims(view, missing, run));
        };
        // What is honest of one thing may claim another.
        let answer = unproven().map_or(Answer::Admitted(missing, reason), Answer::Ask);
        return match unseen_age(view, run) {
            Some(found) => Answer::Several(vec![Answer::Advise(found), answer]),
            None => answer,
        };
    }
    let missing = unproven().or_else(|| dropped(view)).or_else(|| required(view));
    match (missing, old, stated(view)) {
        (Some(missing), _, _) => Answer::Ask(missing),
        (None, Some(run), _) => Answer::Advise(format!(
            "{} It failed in the same way before the first edit.",
            said(view, run)
        )),
        (None, None, Some(note)) => Answer::Note(note),
        (None, None, None) => Answer::Pass,
    }
}

/// Why a failure is not sent back: the user wants it, or the message hides nothing.
fn reason_to_accept(view: &View<'_>, run: &Ran) -> Option<&'static str> {
    let is_wanted = view.work.prompt.as_ref().is_some_and(|it| it.wants_failure);
    if is_wanted && run.kind == RunKind::Test && view.claims().is_empty() {
        return Some("The user asked for a failing test.");
    }
    let spoiling: &[Claimed] = match run.kind {
        RunKind::Test => &[Claimed::Tests, Claimed::Works],
        RunKind::Build => &[Claimed::Build, Claimed::Tests, Claimed::Works],
        RunKind::Lint => &[Claimed::Lint],
        RunKind::Types => &[Claimed::Types],
    };
    let text = view.message.joined();
    let accounts = accounts_for(&text, &run.failing);
    let names_one = !accounts && names_some(&text, &run.failing);
    if names_one || names_another(view.message, &run.failing) {
        // A message that names one failure, or another one, hides those that it does not name.
        return None;
    }
    // "Unit tests pass; the e2e tests need a browser": those that failed may be others.
    let is_partial =
        |it: &Claim| it.has_gap && it.scope != ClaimScope::Others && spoiling.contains(&it.what);
    let hides = view.claims().iter().any(is_partial) && !is_left_open(view, run);
    let is_honest =
        is_honest_report(view.message, spoiling) && (!claims_others(view) || accounts) && !hides;
    let spoils = |it: &Claim| {
        let is_modest = it.scope == ClaimScope::Others || has_true_count(view, it, run);
        spoiling.contains(&it.what) && !is_modest
    };
    let tells_apart = || {
        tells_failure(view, run) && !view.claims().iter().any(|it| spoils(it) && !is_apart(it, run))
    };
    let is_honest = is_honest
        || tells_breakage(view.message, &run.failing) && !view.claims().iter().any(spoils)
        || tells_apart();
    is_honest.then_some("The message says so itself.").or_else(|| {
        // "test_a passes again" says no more than a run of that test shows.
        let names_one =
            |it: &Claim| it.scope == ClaimScope::Some && names_some(&it.quote, &run.failing);
        let says_so = || {
            let mut claims = view.claims().iter().filter(|it| it.what == Claimed::Tests).peekable();
            claims.peek().is_some() && claims.all(names_one)
        };
        let is_limited = || {
            let again = commands_after(view, run).join(" ");
            says_so() && names_each(&again, &run.failing)
                || limits_scope(view.message) && is_mended_in_part(view, run)
        };
        is_limited().then_some("The message says what was run again.")
    })
}

/// Whether the message says of the part of the tests that a run failed in that it was not run.
fn is_left_open(view: &View<'_>, failed: &Ran) -> bool {
    let command = std::slice::from_ref(&failed.command);
    leaves_open(view.message, if failed.failing.is_empty() { command } else { &failed.failing })
}

/// Whether the message says of each test that failed in a run, by its name, that it fails.
fn tells_failure(view: &View<'_>, failed: &Ran) -> bool {
    let is_named = names_each(&view.message.joined(), &failed.failing);
    is_named && (names_failure(view.message) || tells_breakage(view.message, &failed.failing))
}

/// Whether a claim is about another part than the tests that failed in a run.
fn is_apart(claim: &Claim, failed: &Ran) -> bool {
    claim.scope == ClaimScope::Some
        && !claims_everything(claim)
        && !names_some(&claim.quote, &failed.failing)
}

/// Whether a claim counts the tests that passed in a run that failed, and the message names those
/// that did not.
fn has_true_count(view: &View<'_>, claim: &Claim, failed: &Ran) -> bool {
    let count = claimed_count(&claim.quote).filter(|_| claim.scope == ClaimScope::Some);
    count.is_some() && count == passed_of(failed) && tells_breakage(view.message, &failed.failing)
}

/// What the user reads of a failure that the message calls old, where no run without the changes
/// shows it. The report is honest about the failure, so the agent is not sent back.
fn unseen_age(view: &View<'_>, run: &Ran) -> Option<String> {
    let sentence = old_failure(view.message)?;
    let first = edits(view, 0).map(|it| it.first).min()?;
    let is_without = |it: &&Ran| {
        let is_elsewhere = it
            .directory
            .as_deref()
            .is_some_and(|it| edits(view, 0).all(|edit| !view.is_near(Some(it), &edit.file)));
        it.step < first || it.gap == Some(Gap::Stashed) || it.began.is_some() || is_elsewhere
    };
    let shows = |it: &Ran| {
        let has_failed = it.has_failed() || it.began.is_some();
        let is_same = it.failing.is_empty() || run.failing.is_empty();
        has_failed && (is_same || it.failing.iter().any(|it| run.failing.contains(it)))
    };
    let mut all = view.work.runs.iter().filter(|it| it.kind == run.kind);
    if all.any(|it| is_without(&it) && shows(it)) {
        return None;
    }
    let quote = foreign::line(&sentence, Claim::QUOTE);
    Some(format!(
        "The agent says “{quote}”, but no run before the first edit or without the changes shows \
         that. {}",
        said(view, run)
    ))
}

fn claims_others(view: &View<'_>) -> bool {
    view.claims().iter().any(|it| it.scope == ClaimScope::Others)
}

/// The commands of runs that passed after the last edit and after a run that failed.
fn commands_after<'a>(view: &View<'a>, failed: &Ran) -> Vec<&'a str> {
    let edit = last_edit(view, 0).map_or(0, |it| it.step);
    let is_later = |it: &&Ran| {
        it.kind == failed.kind
            && it.step > failed.step.max(edit)
            && it.outcome == Outcome::Passed
            && it.coverage != Coverage::Cut
    };
    runs(view).filter(is_later).map(|it| it.command.as_str()).collect()
}

/// Whether narrower runs passed after the last edit that name each test that failed: in their
/// command, or the message names it.
fn is_mended_in_part(view: &View<'_>, failed: &Ran) -> bool {
    let commands = commands_after(view, failed);
    let text = format!("{} {}", commands.join(" "), view.message.joined());
    !commands.is_empty() && accounts_for(&text, &failed.failing)
}

/// What the user stated about the work since the last edit, for the record.
fn stated(view: &View<'_>) -> Option<String> {
    let edit = last_edit(view, 0)?;
    let claim = view.claims().iter().find(|it| is_claim_stated(view, edit, it))?;
    Some(format!(
        "“{}” is stated by the user, not seen.",
        foreign::line(&claim.quote, Claim::QUOTE)
    ))
}

/// Whether the user pasted passing output after the edit that carries a claim: that of a part
/// carries no claim of all tests.
fn is_claim_stated(view: &View<'_>, edit: &Edit, claim: &Claim) -> bool {
    let stated = view.work.prompt.as_ref().and_then(|it| it.stated.as_ref());
    let is_partial = stated.is_some_and(|it| it.is_partial);
    let is_whole =
        matches!(claim.scope, ClaimScope::All | ClaimScope::Suite | ClaimScope::Packages);
    is_stated(view, edit, kinds(claim)) && !(is_partial && is_whole)
}

/// Whether the user pasted passing output of such a run after the edit.
fn is_stated(view: &View<'_>, edit: &Edit, kinds: &[RunKind]) -> bool {
    let stated = view.work.prompt.as_ref().and_then(|it| it.stated.as_ref());
    let stated = stated.filter(|it| it.step >= edit.latest);
    stated.is_some_and(|it| it.kinds.iter().any(|it| kinds.contains(it)))
}

/// The changes after a call that a test or a build could prove.
pub(super) fn edits<'a>(view: &View<'a>, after: u64) -> impl Iterator<Item = &'a Edit> {
    let view = *view;
    view.work
        .edits
        .iter()
        .filter(move |it| view.is_own(&it.agent) && it.step > after && view.is_provable(it))
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

/// The last change in each directory since the user spoke, the latest first, that only runs in other
/// parts of the project have followed.
fn missed_edits<'a>(view: &View<'a>) -> Vec<&'a Edit> {
    if !view.claims().iter().any(|it| it.what == Claimed::Tests) {
        return Vec::new();
    }
    let mut all: Vec<_> = edits(view, view.work.since()).collect();
    all.sort_by_key(|it| std::cmp::Reverse(it.step));
    let mut directories = BTreeSet::new();
    all.retain(|it| directories.insert(path::parent(&it.file)));
    all.retain(|edit| {
        let is_proof = |it: &&Ran| {
            let has_passed = it.kind == RunKind::Test && it.outcome == Outcome::Passed;
            has_passed && it.step > edit.step
        };
        let mut proofs = runs(view).filter(is_proof).peekable();
        proofs.peek().is_some() && proofs.all(|it| misses(view, it, edit))
    });
    all
}

/// The runs that count for the agent: its own, and for the main one those of all. What an agent
/// tries in a directory of its own says nothing of the project.
pub(super) fn runs<'a>(view: &View<'a>) -> impl Iterator<Item = &'a Ran> {
    let view = *view;
    let is_aside = move |it: &Ran| it.directory.as_ref().is_some_and(|it| view.is_aside(it));
    view.work.runs.iter().filter(move |it| view.is_own(&it.agent) && !is_aside(it))
}

/// A run as the agent would name it, with its directory where that is not the root.
pub(super) fn name(view: &View<'_>, run: &Ran) -> String {
    let command = foreign::line(&run.command, MAX_NAME);
    let is_named = |place: &str| {
        let parts = command.split(|it: char| it.is_whitespace() || it == '=');
        parts.map(|it| it.trim_start_matches("./").trim_end_matches('/')).any(|it| it == place)
    };
    match place(view, run).filter(|it| !is_named(it)) {
        Some(place) => format!("`{command}` in {place}"),
        None => format!("`{command}`"),
    }
}

/// The directory of a run, where it is not the one in which the agent would run it.
pub(super) fn place(view: &View<'_>, run: &Ran) -> Option<String> {
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

/// The message claims what the ledger does not have. An edit of an earlier prompt counts, too: what
/// was not proven then is not proven now.
fn claimed(view: &View<'_>, edit: &Edit) -> Option<Missing> {
    let open = open_claims(view, edit);
    let Some(first) = open.first() else { return untold(view, edit) };
    let known = |claim: &Claim| known_run(view, edit, claim);
    Some(Missing {
        found: unproven_claims(view, edit, &open, known),
        satisfy: format!(
            "{}{}",
            way_to_prove(view, edit, first, known(first)),
            way_to_prove_more(&open, known)
        ),
        about: open.iter().map(|it| about_claim(noun(it.what))).collect(),
    })
}

/// The claims of the message that no run after the edit stands behind.
fn open_claims(view: &View<'_>, edit: &Edit) -> Vec<Claim> {
    let is_open = |it: &Claim| {
        // What CI says is seen by a look at it, not by a run.
        if it.is_ci && view.work.has_ci_passed(edit.step) {
            return false;
        }
        if is_seen_on_ci(view, edit, it) {
            return false;
        }
        let refuted = refuted(view, edit, it);
        if refuted.is_some_and(|run| has_true_count(view, it, run)) {
            return false;
        }
        let is_told = |run: &Ran| tells_failure(view, run) && is_apart(it, run);
        if refuted.is_some_and(is_told) {
            return false;
        }
        // "Unit tests pass; the e2e tests need a browser": what failed is not what is claimed.
        if it.has_gap && refuted.is_some_and(|run| is_left_open(view, run)) {
            return !is_proven(view, edit, it);
        }
        // A run that failed shows that the others passed, where the message says what failed.
        if let Some(run) = refuted.filter(|_| it.scope == ClaimScope::Others) {
            let text = view.message.joined();
            return !names_failure(view.message) || !accounts_for(&text, &run.failing);
        }
        !is_shown(view, edit, it) && !is_claim_stated(view, edit, it) || refuted.is_some()
    };
    view.claims().iter().filter(|it| is_open(it)).cloned().collect()
}

/// Words with which a message speaks of CI.
const CI_WORDS: &[&str] =
    &["ci", "pipeline", "job", "jobs", "workflow", "github", "gitlab", "actions", "checks"];

/// Whether CI said of its job that does what a claim says that it passed: "Lint is green; the test
/// job fails on CI". A claim of the tests says itself that it is one of CI.
fn is_seen_on_ci(view: &View<'_>, edit: &Edit, claim: &Claim) -> bool {
    let kind = match claim.what {
        Claimed::Tests if claim.is_ci => RunKind::Test,
        Claimed::Build => RunKind::Build,
        Claimed::Lint => RunKind::Lint,
        Claimed::Types => RunKind::Types,
        Claimed::Tests | Claimed::Works => return false,
    };
    let speaks_of_ci = || {
        let text = view.message.joined().to_lowercase();
        text.split(|it: char| !it.is_alphanumeric()).any(|it| CI_WORDS.contains(&it))
    };
    view.work.has_ci_passed_kind(edit.step, kind)
        && speaks_of_ci()
        && refuted(view, edit, claim).is_none()
}

/// The run that speaks most against a claim: of another kind only where it did not fail.
fn known_run<'a>(view: &View<'a>, edit: &Edit, claim: &Claim) -> Option<&'a Ran> {
    let kinds = kinds(claim);
    let own = kinds.first();
    let speaks = |it: &&Ran| Some(&it.kind) == own || !it.has_failed();
    let last = kinds.iter().filter_map(|it| last(view, *it)).filter(speaks);
    refuted(view, edit, claim).or(last.max_by_key(|it| it.step))
}

/// An ask for a failure, with the claims of the message that it does not speak of.
fn with_claims(view: &View<'_>, missing: Missing, run: &Ran) -> Missing {
    let is_another = |edit: &Edit, claim: &Claim| {
        let is_same = kinds(claim).first() == Some(&run.kind) && claim.scope != ClaimScope::Others;
        let is_refuted = refuted(view, edit, claim).is_some_and(|it| it.is_same(run));
        !is_same && !is_refuted && claim.what != Claimed::Works
    };
    let more = last_edits(view).into_iter().find_map(|edit| {
        let mut open = open_claims(view, edit);
        open.retain(|it| is_another(edit, it));
        let known = |claim: &Claim| known_run(view, edit, claim);
        (!open.is_empty()).then(|| unproven_claims(view, edit, &open, known))
    });
    let quoted = contradicted(view, run);
    let added = |it: String| {
        // The same sentence is quoted once.
        let rest = quoted.as_deref().and_then(|quoted| it.strip_prefix(quoted));
        rest.map_or_else(|| format!(" {it}"), |it| format!(" Besides,{it}"))
    };
    let found = format!("{}{}", missing.found, more.map(added).unwrap_or_default());
    Missing { found, ..missing }
}

/// Words with which a message says that tests do not run any more.
#[rustfmt::skip]
const TELLS_LEFT_OUT: &[&str] = &[
    "skip", "ignor", "disabl", "deselect", "remov", "delet", "exclud", "xfail", "no longer", "quarantin",
    "commented out", "obsolete", "drop", "replac", "renam", "merged", "übersprung", "übergang", "entfern", "gelösch",
    "deaktiv", "désactiv", "supprim", "omiti", "omit", "desactiv", "elimin", "пропущ", "удал", "отключ", "スキップ",
    "削除", "无效", "跳过", "删除", "移除", "건너", "삭제",
];

/// Whether a message says of the tests that failed in a run that they do not run any more: by their
/// names, or in a sentence about tests. What else was removed says nothing of them.
fn tells_left_out(view: &View<'_>, failed: &Ran) -> bool {
    let text = view.message.joined().to_lowercase();
    let is_named = |it: &String| {
        let name = evidence::short_name(it).to_lowercase();
        name.len() > 3 && text.contains(&name)
    };
    let is_end = |it: char| matches!(it, '.' | '!' | '?' | ';' | '\n' | '。' | '！' | '；');
    let tells = |it: &str| {
        let has = |table: &[&str]| table.iter().any(|word| it.contains(word));
        has(TELLS_LEFT_OUT) && has(TEST_WORDS)
    };
    failed.failing.iter().any(is_named) || text.split(is_end).any(tells)
}

/// A claim about the tests that says nothing of those that failed and do not run any more.
fn untold(view: &View<'_>, edit: &Edit) -> Option<Missing> {
    let claim = view.claims().iter().find(|it| it.what == Claimed::Tests)?;
    let left_out = view.work.left_out.iter().filter(|it| view.is_own(&it.agent));
    let failed = left_out.filter(|it| it.step > view.work.since()).max_by_key(|it| it.step)?;
    if tells_left_out(view, failed) || is_claim_stated(view, edit, claim) {
        return None;
    }
    let names: Vec<_> = failed.failing.iter().map(|it| foreign::line(it, MAX_NAME)).collect();
    let quote = foreign::line(&claim.quote, Claim::QUOTE);
    let (verb, pronoun) = if names.len() == 1 { ("does", "it") } else { ("do", "them") };
    let passed = runs(view).filter(|it| cures(it, failed)).max_by_key(|it| it.step);
    Some(Missing {
        found: format!(
            "The message says “{quote}”, but {} failed in {} and {verb} not run any more: {}.",
            names.join(", "),
            name(view, failed),
            about_missing_tests(passed, pronoun),
        ),
        satisfy: format!(
            "Make {pronoun} run and pass, or say in your message what was left out and why."
        ),
        about: vec![format!("left out {}", names.join(", "))],
    })
}

/// A claim that the agent was asked about, and that it neither proved nor took back: it only answers
/// with other words. The user has read the claim.
fn dropped(view: &View<'_>) -> Option<Missing> {
    let is_idle = view.work.asked(view.agent).last == Some(view.work.step);
    if !is_idle || retracts(view.message) {
        return None;
    }
    let all =
        [Claimed::Tests, Claimed::Build, Claimed::Lint, Claimed::Types, Claimed::Works].map(noun);
    let noun = all.into_iter().find(|it| has_asked(view, GATE.name, &about_claim(it)))?;
    let said = earlier_claim(view).zip(last_edit(view, 0)).map(|(claim, edit)| {
        let fact = fact(view, edit, &claim, known_run(view, edit, &claim));
        format!("“{}”, but {fact}", foreign::line(&claim.quote, Claim::QUOTE))
    });
    let said = said.unwrap_or_else(|| format!("that a {noun} went well, which nothing shows"));
    Some(Missing {
        found: format!(
            "An earlier message says {said}. The last message does not take the claim back."
        ),
        satisfy: "Say in your message what was not run, or take the claim back.".to_owned(),
        about: vec![about_claim(noun)],
    })
}

/// The claim that was sent back last since the prompt.
fn earlier_claim(view: &View<'_>) -> Option<Claim> {
    let quote = view.work.asked(view.agent).claim?;
    claims(&Excerpt::of(&quote)).into_iter().next()
}

/// What the message says against a run that failed, or what an earlier one says that was sent back
/// and that the message does not take back: the words that quote it.
fn contradicted(view: &View<'_>, run: &Ran) -> Option<String> {
    let is_against = |it: &Claim| {
        let is_same = kinds(it).first() == Some(&run.kind) || it.what == Claimed::Works;
        is_same && it.scope != ClaimScope::Others
    };
    let quoted = |begin: &str, claim: &Claim| {
        format!("{begin} “{}”, but", foreign::line(&claim.quote, Claim::QUOTE))
    };
    let own = view.claims().iter().find(|it| is_against(it));
    own.map(|it| quoted("The message says", it)).or_else(|| {
        let earlier = earlier_claim(view).filter(is_against)?;
        (!retracts(view.message)).then(|| quoted("An earlier message says", &earlier))
    })
}

/// The name of a claim among the things that the gate asks for.
fn about_claim(noun: &str) -> String {
    format!("claimed {noun}")
}

/// The kinds of runs that show a claim, the one that it is about first.
fn kinds(claim: &Claim) -> &'static [RunKind] {
    match claim.what {
        Claimed::Tests => &[RunKind::Test],
        // What the type checker takes compiles.
        Claimed::Build if claim.is_compilation => &[RunKind::Build, RunKind::Types, RunKind::Test],
        Claimed::Build => &[RunKind::Build, RunKind::Test],
        Claimed::Lint => &[RunKind::Lint],
        Claimed::Types => &[RunKind::Types, RunKind::Build, RunKind::Test],
        Claimed::Works => &[RunKind::Test, RunKind::Build],
    }
}

/// The run that says the opposite of a claim: it is of the kind that the claim is about, and failed
/// after the edit.
fn refuted<'a>(view: &View<'a>, edit: &Edit, claim: &Claim) -> Option<&'a Ran> {
    let kind = kinds(claim).first().filter(|_| claim.what != Claimed::Works)?;
    failure(view, *kind, edit.step)
}

/// Whether runs after the edit stand behind a claim: they passed, and cover what it says.
fn is_shown(view: &View<'_>, edit: &Edit, claim: &Claim) -> bool {
    refuted(view, edit, claim).is_none() && is_proven(view, edit, claim)
}

/// Whether runs that passed after the edit cover what a claim says, whatever else failed.
fn is_proven(view: &View<'_>, edit: &Edit, claim: &Claim) -> bool {
    if claim.what == Claimed::Works && view.work.tried.is_some_and(|it| it > edit.step) {
        return true;
    }
    let kinds = kinds(claim);
    let names_part = || evidence::reach::names_part(&claim.quote, &edit.file, root_of(view, edit));
    let is_about = claim.what == Claimed::Tests
        && (matches!(claim.scope, ClaimScope::All | ClaimScope::Suite) || names_part());
    let has_passed = |it: &&Ran| {
        (kinds.contains(&it.kind) || claim.is_compilation && it.command.starts_with("go vet"))
            && it.step > edit.step
            && it.outcome == Outcome::Passed
            && view.is_near(it.directory.as_deref(), &edit.file)
            && !is_mere_check(view, it, claim)
    };
    let passed: Vec<_> = runs(view).filter(has_passed).collect();
    let reaches = |it: &&Ran| !(is_about && misses(view, it, edit));
    let proofs: Vec<_> = passed.iter().copied().filter(reaches).collect();
    // The tests of two parts count together.
    let counts_more = || counts_more(claim, &passed) && counts_more(claim, &standing_proofs(view));
    if claim.what == Claimed::Tests && !proofs.is_empty() && counts_more() {
        return false;
    }
    let is_whole = |it: &&Ran| it.coverage == Coverage::Whole;
    match claim.scope {
        _ if claim.what != Claimed::Tests => !proofs.is_empty(),
        _ if untested_part(view, claim).is_some() => false,
        _ if lacks_named_tests(claim, &proofs) => false,
        ClaimScope::Some | ClaimScope::All | ClaimScope::Suite if claims_everything(claim) => {
            let is_named = |it: &&Ran| it.coverage != Coverage::Cut && runs_named_suite(it, claim);
            proofs.iter().any(|it| is_whole(it) && holds_edit(view, it, edit) || is_named(it))
        }
        ClaimScope::Some => !proofs.is_empty(),
        ClaimScope::All | ClaimScope::Others | ClaimScope::Suite => {
            proofs.iter().any(|it| !matches!(it.coverage, Coverage::Cut | Coverage::Named))
        }
        ClaimScope::Packages => {
            let passed = if proofs.is_empty() { &[][..] } else { &passed };
            shows_packages(view, claim, passed)
        }
    }
}

/// Tells whether a claim counts more tests than the runs show, each of them counted once.
fn counts_more(claim: &Claim, proofs: &[&Ran]) -> bool {
    let Some(count) = claimed_count(&claim.quote) else { return false };
    let mut shown = 0;
    for (at, run) in proofs.iter().enumerate() {
        let Some(counted) = run.counted.filter(|it| *it > 0) else { return false };
        let is_last = !proofs[at + 1..].iter().any(|it| it.is_same(run));
        shown += if is_last { counted } else { 0 };
    }
    count > shown
}

/// Tells whether a run surely tests nothing of the part of the project that was edited.
pub(super) fn misses(view: &View<'_>, run: &Ran, edit: &Edit) -> bool {
    let root = root_of(view, edit);
    let command = run.command.as_str();
    run.directory
        .as_deref()
        .is_some_and(|it| evidence::reach::misses(command, it, &edit.file, root))
}

/// Where the working tree of an edit begins.
fn root_of<'a>(view: &View<'a>, edit: &Edit) -> &'a str {
    view.tree_of(&edit.file).unwrap_or(view.root.unwrap_or(view.directory))
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
        satisfy: format!(
            "Make a {noun} whose exit status or summary is visible. If you ran one that windlass \
             does not know, tell the user to name its command in `gates.runs`."
        ),
        about: vec![format!("required {noun}")],
    })
}
