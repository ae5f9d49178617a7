//! How the proof gate says what is missing.

use super::failed_words::said;
use super::proof::{misses, name, runs};
use super::proof_scope::is_mere_check;
use super::{MAX_NAME, Missing, View};
use crate::claim::{Claim, ClaimScope, Claimed, claimed_count};
use crate::evidence::{self, Coverage, Gap, RunKind};
use crate::work::{Edit, Ran};
use crate::{Outcome, foreign};

/// A failure that nothing has mended, and how to mend it; with the words that quote what is claimed
/// in spite of it.
pub(super) fn unmended(view: &View<'_>, edit: &Edit, run: &Ran, claim: Option<&str>) -> Missing {
    let later = runs(view).filter(|it| it.kind == run.kind && it.step > run.step);
    let since = match later.max_by_key(|it| it.step) {
        Some(it) if it.outcome == Outcome::Unknown => {
            format!(" After that {}.", lack(view, it))
        }
        Some(it) if it.outcome == Outcome::Passed && edit.step > run.step => {
            let name = name(view, it);
            format!(" Only a part was run after the fix: {name} passed and does not cover it.")
        }
        Some(it) if it.outcome == Outcome::Passed => {
            format!(" {} passed later and does not cover it.", name(view, it))
        }
        _ if edit.step > run.step => {
            format!(" {} was changed after it, and it was not run again.", view.name(&edit.file))
        }
        _ => String::new(),
    };
    let thing = match run.kind {
        RunKind::Test => "the test that fails",
        RunKind::Build | RunKind::Lint | RunKind::Types => "the error",
    };
    let name = name(view, run);
    let way = match claim {
        Some(_) => format!(
            "Mend it and run {name} until it passes, or take the claim back: name in your message \
             {thing} and the reason."
        ),
        None => {
            format!("Run {name} until it passes, or name in your message {thing} and the reason.")
        }
    };
    let said = said(view, run);
    let begin = claim.map(|it| format!("{it} ")).unwrap_or_default();
    let about = vec![format!("failed {}", run.command)];
    Missing { found: format!("{begin}{said}{since}"), satisfy: way, about }
}

/// Why a run that did not fail proves nothing.
pub(super) fn lack(view: &View<'_>, run: &Ran) -> String {
    let name = name(view, run);
    match run.gap {
        Some(Gap::NoTest) => format!("{name} ran no test"),
        Some(Gap::NotStarted) => match &run.detail {
            Some(detail) if detail != evidence::NOT_STARTED => {
                format!("{name} could not start: {}", foreign::line(detail, 120))
            }
            _ => format!("{name} could not start"),
        },
        Some(Gap::Stopped) => format!("{name} was stopped before its end"),
        Some(Gap::Stashed) => format!("{name} ran while the changes were put aside"),
        Some(Gap::Overwritten) => format!("the command that ran {name} changed files after it"),
        Some(Gap::OwnScript) => {
            let file = run.script.as_ref().map(|it| view.name(it));
            let script = file.map_or_else(|| "a script".to_owned(), |it| script_of(run, &it));
            format!("{name} does not count: {script} was changed in this session")
        }
        Some(Gap::Hidden) | None if evidence::forgives(&run.command) => {
            format!("{name} passes whatever fails, by its options, and no summary of it is visible")
        }
        Some(Gap::Hidden) | None => match &run.detail {
            Some(detail) if !is_summary(detail) => format!(
                "the exit status of {name} is not visible, and “{}” at the end of what is visible is \
                 no summary",
                foreign::line(detail, 120)
            ),
            Some(detail) => {
                let detail = foreign::line(detail, 120);
                format!(
                    "the exit status of {name} is not visible, and “{detail}” may be the result of \
                     a part of it"
                )
            }
            None => format!("neither the exit status nor a summary of {name} is visible"),
        },
    }
}

/// Tells whether a detail is the closing line of a run; Cargo's is kept without its first words.
fn is_summary(detail: &str) -> bool {
    evidence::closes_a_run(detail) || evidence::closes_a_run(&format!("test result: {detail}"))
}

/// The script or target of a task file that a run names.
fn script_of(run: &Ran, file: &str) -> String {
    let base = file.rsplit('/').next().unwrap_or(file);
    let kind = match base {
        "package.json" | "composer.json" | "pyproject.toml" | "deno.json" => "script",
        "Makefile" | "makefile" | "GNUmakefile" | "justfile" | "Justfile" | "Taskfile.yml" => {
            "target"
        }
        _ => return file.to_owned(),
    };
    let tools =
        ["run", "run-script", "npm", "pnpm", "yarn", "bun", "make", "just", "task", "composer"];
    let is_name = |it: &&str| !it.starts_with('-') && !it.contains('=') && !tools.contains(it);
    match run.command.split_whitespace().find(is_name) {
        Some(task) => format!("the {kind} `{}` in {file}", foreign::line(task, MAX_NAME)),
        None => file.to_owned(),
    }
}

/// What became of tests that failed and do not run any more, by the run that passed.
pub(super) fn about_missing_tests(passed: Option<&Ran>, pronoun: &str) -> String {
    let detail = passed.and_then(|it| it.detail.as_deref()).map(str::to_lowercase);
    let words = ["skipped", "ignored", "deselected", "pending", "todo", "xfailed", "excluded"];
    let is_skipped = |text: &String| {
        words.iter().any(|word| {
            let Some(at) = text.find(word) else { return false };
            let number = |it: &str| it.chars().any(|it| ('1'..='9').contains(&it));
            let before = text[..at].rsplit([',', ';', '|', '(']).next().unwrap_or_default();
            let after = text[at + word.len()..].split([',', ';', '|', ')']).next();
            number(before) || after.is_some_and(|it| it.starts_with(':') && number(it))
        })
    };
    match detail {
        Some(text) if is_skipped(&text) => format!("the run that passed skips {pronoun}"),
        Some(_) => "the run that passed counts fewer tests".to_owned(),
        None => format!("the run that passed left {pronoun} out"),
    }
}

/// What would show a claim.
pub(super) fn noun(what: Claimed) -> &'static str {
    match what {
        Claimed::Tests => "test run",
        Claimed::Build => "build",
        Claimed::Lint => "run of a linter",
        Claimed::Types => "type check",
        Claimed::Works => "run of the program or its tests",
    }
}

/// What the message says, and what is known in place of it, claim by claim.
pub(super) fn unproven_claims<'a>(
    view: &View<'a>,
    edit: &Edit,
    open: &[Claim],
    known: impl Fn(&Claim) -> Option<&'a Ran>,
) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut quoted: Option<&str> = None;
    for claim in open {
        let fact = fact(view, edit, claim, known(claim));
        if quoted == Some(&claim.quote) {
            parts.push(fact);
            continue;
        }
        let quote = foreign::line(&claim.quote, Claim::QUOTE);
        let begin = if parts.is_empty() { "The message says" } else { "it says" };
        parts.push(format!("{begin} “{quote}”, but {fact}"));
        quoted = Some(&claim.quote);
    }
    format!("{}.", parts.join("; "))
}

/// What the ledger knows in place of a claim; `known` is the run that speaks most against it.
pub(super) fn fact(view: &View<'_>, edit: &Edit, claim: &Claim, known: Option<&Ran>) -> String {
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
            Outcome::Passed if misses(view, run, edit) => {
                format!("{} does not test the part of the project with {file}", name(view, run))
            }
            Outcome::Passed if is_mere_check(view, run, claim) => {
                format!("{} passed and shows no test", name(view, run))
            }
            Outcome::Passed => narrower(view, run, claim),
        },
        None if claim.is_ci && view.work.has_ci_denied(edit.step) => {
            "CI answered that something failed or still runs".to_owned()
        }
        None if claim.is_ci => {
            format!("CI has not answered that all passed since {file} was changed")
        }
        None => format!("no {} was recognised since {file} was changed", noun(claim.what)),
    }
}

/// What the agent can do about a claim that is not shown.
pub(super) fn way_to_prove(
    view: &View<'_>,
    edit: &Edit,
    claim: &Claim,
    known: Option<&Ran>,
) -> String {
    let act = act(claim.what);
    let visible = "so that the exit status or a summary is visible, or take the claim back.";
    match known {
        None if claim.is_ci && view.work.has_ci_denied(edit.step) => {
            "Ask CI again when it is done (`gh pr checks`), mend what failed, or take the claim back."
                .to_owned()
        }
        None if claim.is_ci => {
            "Ask CI for the result of what was pushed (`gh pr checks`), run the tests here, or take \
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
        Some(run)
            if run.step > edit.step
                && run.outcome == Outcome::Passed
                && is_mere_check(view, run, claim) =>
        {
            format!("{act} by their own command, or say what {} checks.", name(view, run))
        }
        Some(run) if run.step > edit.step && run.outcome == Outcome::Passed => {
            "Run all of them with the whole output visible, or say which part you ran.".to_owned()
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
        Some(run) if evidence::forgives(&run.command) => {
            format!("{act} without the option that lets failures pass, or take the claim back.")
        }
        Some(run) if run.gap == Some(Gap::OwnScript) => {
            format!("Run the command behind the script itself {visible}")
        }
        Some(run) => format!("Run {} again {visible}", name(view, run)),
        None if claim.what == Claimed::Works => format!("{act} {visible}"),
        None => format!(
            "{act} {visible} If you made a {} that windlass does not know, tell the user to name its \
             command in `gates.runs`.",
            noun(claim.what)
        ),
    }
}

/// What is to be done to show a claim.
fn act(what: Claimed) -> &'static str {
    match what {
        Claimed::Tests => "Run the tests",
        Claimed::Build => "Build it",
        Claimed::Lint => "Run the linter",
        Claimed::Types => "Run the type checker",
        Claimed::Works => "Run the program or its tests",
    }
}

/// The same for the claims behind the first one, which the run that shows the first does not show.
pub(super) fn way_to_prove_more<'a>(
    open: &[Claim],
    known: impl Fn(&Claim) -> Option<&'a Ran>,
) -> String {
    let Some((first, more)) = open.split_first() else { return String::new() };
    let is_another = |it: &&Claim| {
        let is_same = known(first).zip(known(it)).is_some_and(|(one, two)| one.is_same(two));
        // A run of the tests shows that it works.
        !is_same && it.what != first.what && it.what != Claimed::Works && !it.is_ci
    };
    let acts: Vec<_> = more.iter().filter(is_another).map(|it| act(it.what)).collect();
    match acts[..] {
        [] => String::new(),
        [one] => format!(" {one}, too."),
        [one, two, ..] => {
            let mut second = two.to_owned();
            second[..1].make_ascii_lowercase();
            format!(" {one} and {second}, too.")
        }
    }
}

/// What a run that passed leaves open of a claim.
fn narrower(view: &View<'_>, run: &Ran, claim: &Claim) -> String {
    let name = name(view, run);
    let said = claimed_count(&claim.quote);
    match (run.coverage, claim.scope) {
        _ if said.zip(run.counted).is_some_and(|(said, counted)| said > counted) => {
            let counted = run.counted.unwrap_or_default();
            let noun = if counted == 1 { "test" } else { "tests" };
            format!("{name} ran {counted} {noun}")
        }
        (Coverage::Cut, _) => format!("only a part of the output of {name} is visible"),
        (_, ClaimScope::Packages) => format!("{name} covers one package"),
        _ => format!("{name} covers a part of the tests"),
    }
}
