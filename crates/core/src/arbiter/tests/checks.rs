//! The gate `checks`: what came of checks, and what is made of it.

use crate::arbiter::MAX_ASK;
use crate::check::{Check, Checked, How, Severity, Stage, What};
use crate::policy::Mode;
use crate::testing::Session;
use crate::{Outcome, Release, Verdict};

const FAILED: Outcome = Outcome::Failed(Some(2));

fn checked(name: &str, outcome: Outcome, severity: Severity) -> Checked {
    let words = vec!["make".to_owned(), name.to_owned()];
    Checked {
        check: Check {
            name: name.to_owned(),
            what: What::Command { words, timeout_s: 60, bounds: None },
            files: Vec::new(),
            severity,
            stage: Stage::Correctness,
        },
        outcome,
        detail: format!("what {name} says."),
        ms: 1200,
        how: How::Looked(None),
    }
}

fn session(checks: Vec<Checked>) -> Session {
    let mut session = Session::new();
    session.facts.checks = checks;
    session.prompt("do it").edit("/p/notes.md");
    session
}

fn asked(verdict: &Verdict) -> &str {
    let Verdict::Ask(text) = verdict else { panic!("{verdict:?}") };
    text
}

#[test]
fn checks_that_fail_are_asked_for_in_one_answer() {
    let mut session = session(vec![
        checked("unit", FAILED, Severity::Ask),
        checked("lint", Outcome::Passed, Severity::Ask),
        checked("types", FAILED, Severity::Ask),
    ]);
    let verdict = session.stop("Done.");
    let text = asked(&verdict);
    assert!(text.contains("[checks] The check `unit` failed: what unit says."), "{text}");
    assert!(text.contains("`types` failed") && !text.contains("`lint`"), "{text}");
    assert_eq!(text.matches("(Stage: correctness.)").count(), 2, "{text}");
    assert!(
        text.contains("Make `make unit` exit with 0. Make `make types` exit with 0."),
        "{text}"
    );
    assert!(text.contains("windlass decline checks: REASON"), "{text}");
    assert!(session.said().contains("unit failed (1.200 s), lint passed (1.200 s)"));
    session.facts.checks.clear();
    session.edit("/p/notes.md");
    assert_eq!(session.stop("Done."), Verdict::Pass);
}

#[test]
fn what_could_not_run_never_asks_and_the_user_is_told() {
    let mut session = session(vec![checked("unit", Outcome::Unknown, Severity::Ask)]);
    assert_eq!(session.stop("Done."), Verdict::Pass);
    let notice = session.notice().unwrap();
    assert!(notice.contains("[checks] could not look: `unit`: what unit says."), "{notice}");
}

#[test]
fn advice_goes_to_the_user_beside_an_ask_and_what_could_not_run() {
    let mut session = session(vec![
        checked("unit", FAILED, Severity::Ask),
        checked("style", FAILED, Severity::Advise),
        checked("deps", Outcome::Unknown, Severity::Advise),
    ]);
    let verdict = session.stop("Done.");
    let text = asked(&verdict);
    assert!(text.contains("`unit`") && !text.contains("style") && !text.contains("deps"), "{text}");
    let notice = session.notice().unwrap();
    assert!(notice.contains("[checks] `style`: what style says."), "{notice}");
    assert_eq!(notice.matches("`unit`").count(), 1, "{notice}");
    assert!(notice.contains("could not look: `deps`"), "{notice}");
}

#[test]
fn a_gate_that_advises_asks_nobody() {
    let mut session = session(vec![checked("unit", FAILED, Severity::Ask)]);
    session.policy.gates.checks.mode = Mode::Advise;
    assert_eq!(session.stop("Done."), Verdict::Pass);
    assert!(session.notice().unwrap().contains("The check `unit` failed"));
}

/// Nobody may think that they passed.
#[test]
fn checks_that_a_cap_kept_from_running_are_told() {
    let mut unrun = checked("unit", Outcome::Unknown, Severity::Ask);
    unrun.how = How::LetGo;
    let mut session = session(vec![unrun.clone()]);
    // Should there be no cap any more, it is no reason to ask.
    assert_eq!(session.stop("Done."), Verdict::Pass);
    session.policy.gates.asks_per_prompt = 0;
    assert_eq!(session.stop("Done."), Verdict::Release(Release::PromptCap));
    let notice = session.notice().unwrap();
    assert!(notice.contains("still open: [checks] After the last change"), "{notice}");
    assert!(session.said().contains("unit was not run"));
}

#[test]
fn a_long_list_of_failures_fits_into_an_ask() {
    let long = "x".repeat(40);
    let checks = (0..32).map(|it| {
        let mut checked = checked(&format!("{long}{it}"), FAILED, Severity::Ask);
        checked.detail = "word ".repeat(100);
        checked
    });
    let verdict = session(checks.collect()).stop("Done.");
    let text = asked(&verdict);
    assert!(text.chars().count() <= MAX_ASK && text.contains("exit with 0"), "{text}");
}

#[test]
fn a_check_that_never_passes_asks_no_more_than_its_caps() {
    let mut session = session(vec![checked("unit", FAILED, Severity::Ask)]);
    let mut asks = 0;
    for _ in 0..1_000 {
        session.edit("/p/notes.md");
        asks += u32::from(matches!(session.stop("Done."), Verdict::Ask(_)));
    }
    assert_eq!(asks, session.policy.gates.asks_per_prompt);
}

/// What mended the first stage may lie where nobody sees a change.
#[test]
fn a_later_stage_is_asked_for_when_the_first_one_was_mended_out_of_sight() {
    let mut session = session(vec![checked("unit", FAILED, Severity::Ask)]);
    assert!(asked(&session.stop("Done.")).contains("`unit` failed"));
    session.shell("npm install", Ok(()), "");
    session.facts.checks = vec![
        checked("unit", Outcome::Passed, Severity::Ask),
        checked("lint", FAILED, Severity::Ask),
    ];
    assert!(asked(&session.stop("Done.")).contains("`lint` failed"));
    // The same failure is no news, and neither is one that is only remembered.
    session.shell("npm install", Ok(()), "");
    assert_eq!(session.stop("Done."), Verdict::Release(Release::Unchanged));
    let mut known = checked("types", FAILED, Severity::Ask);
    known.how = How::Remembered;
    session.facts.checks.push(known);
    session.shell("npm install", Ok(()), "");
    assert_eq!(session.stop("Done."), Verdict::Release(Release::Unchanged));
}
