//! The detector as a whole.

mod fit;
mod hostile;
mod languages;
mod parity;
mod tables;

use super::triage;
use crate::memory::{Category, Heard, Role, Span};
use crate::policy::Triage;

fn agent(text: &str) -> Heard {
    Heard::Said { role: Role::Agent, text: text.to_owned(), at: 7 }
}

fn user(text: &str) -> Heard {
    Heard::Said { role: Role::User, text: text.to_owned(), at: 3 }
}

fn of(heard: &[Heard]) -> Vec<Span> {
    triage(heard, &Triage::default())
}

#[test]
fn a_cause_is_found_where_it_stands() {
    let message = "I'll look at the log.\n\
        **Root cause:** the watcher reads `TMPDIR` at startup, so a later value is ignored.\n\
        All tests pass.";
    let found = of(&[user("The upload fails, why?"), agent(message)]);
    assert_eq!(found.len(), 1, "{found:?}");
    let span = &found[0];
    assert_eq!((span.role, span.category), (Role::Agent, Category::Runbook));
    assert_eq!((span.at, span.part), (7, 1));
    assert!(span.text.starts_with("**Root cause:**") && span.is_strong);
    assert!(span.score > 1000 && span.confidence > 80, "{span:?}");
    assert_eq!(span.why[0], "says how it works");
    assert!(span.why.contains(&"names a cause"), "{:?}", span.why);
}

#[test]
fn what_is_planned_reported_or_offered_is_no_knowledge() {
    let message = "Let me read the configuration first.\n\
        Now I'll run the tests.\n\
        All 14 tests pass, the build is green.\n\
        Would you like me to open a pull request?\n\
        Added a helper and updated the docs.\n\
        ## Summary\n\
        | File | Change |";
    assert_eq!(of(&[agent(message)]), []);
    assert_eq!(of(&[user("please run the tests\ncan you look at the log?\nthanks")]), []);
}

#[test]
fn a_test_that_fails_now_is_no_clear_knowledge() {
    for message in [
        "`test_tax` still fails because it expects 0.2.",
        "Only test_upload fails now, because the bucket is missing.",
        "test_handler is failing since the fixture is stale.",
    ] {
        let found = of(&[agent(message)]);
        assert!(found.iter().all(|it| !it.is_strong && it.score < 100), "{message}: {found:?}");
    }
    // What explains it for the next time is.
    let cause = "**Root cause:** `test_tax` fails because `TZ` is read once at startup.";
    assert!(of(&[agent(cause)])[0].is_strong);
}

#[test]
fn a_standing_wish_of_the_user_is_a_preference() {
    let found = of(&[user("from now on use `just test` instead of cargo test")]);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].role, found[0].category), (Role::User, Category::Preference));
}

#[test]
fn an_assumption_is_kept_quietly() {
    let text = "I assume that the parser keeps comments, because the old one did, \
        but that is probably not verified anywhere.";
    let found = of(&[agent(text)]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].category, Category::Assumption);
    assert!(found[0].score < 0 && !found[0].is_strong);
    assert_eq!(
        of(&[user(text)]).iter().filter(|it| it.category == Category::Assumption).count(),
        0
    );
}

#[test]
fn a_limit_counts_for_more_after_a_failed_call() {
    let limit = agent("The sandbox doesn't allow writes outside `/tmp`, so the test can't run.");
    let score = |heard: &[Heard]| of(heard)[0].score;
    let plain = score(std::slice::from_ref(&limit));
    let failed = Heard::Called { failed: true };
    let passed = Heard::Called { failed: false };
    assert!(score(&[failed.clone(), limit.clone()]) > plain);
    assert!(score(&[failed.clone(), passed.clone(), limit.clone()]) > plain);
    assert_eq!(score(&[failed.clone(), passed.clone(), passed, limit.clone()]), plain);
    let answered = [failed, user("go on"), limit];
    assert_eq!(score(&answered), plain);
}

#[test]
fn a_correction_counts_for_more_after_an_edit() {
    let wish = user("No, don't do it like that, we always keep one test in each file instead.");
    let score = |heard: &[Heard]| {
        let found = of(heard);
        assert_eq!(found.last().map(|it| it.category), Some(Category::Preference), "{found:?}");
        found.last().map(|it| it.score)
    };
    let plain = score(std::slice::from_ref(&wish));
    assert!(score(&[Heard::Edited, wish.clone()]) > plain);
    assert!(score(&[Heard::Edited, agent("done"), wish.clone()]) > plain);
    assert_eq!(score(&[Heard::Edited, user("go on"), agent("ok"), wish]), plain);
}

#[test]
fn only_the_last_messages_are_looked_at() {
    let cause = agent("The root cause was that `mtime` stays the same, so the cache is stale.");
    let heard: Vec<_> = (0..60).map(|_| cause.clone()).collect();
    assert_eq!(of(&heard).len(), 50);
    let few = Triage { max_messages: 3, ..Triage::default() };
    assert_eq!(triage(&heard, &few).len(), 3);
    let none = Triage { max_messages: 0, ..Triage::default() };
    assert_eq!(triage(&heard, &none), []);
    // What the user wanted is known although it stands before them.
    let heard = [user("there is a bug"), agent("ok then"), cause];
    let last = Triage { max_messages: 1, ..Triage::default() };
    assert_eq!(triage(&heard, &last).len(), 1);
}

#[test]
fn a_long_turn_is_looked_at_in_pieces() {
    let cause = agent("The root cause was that `mtime` stays the same, so the cache is stale.");
    let few = Triage { max_messages: 3, ..Triage::default() };
    let mut heard = vec![agent("ok then"); 9];
    heard.insert(1, cause.clone());
    assert_eq!(triage(&heard, &few), []);
    assert_eq!(super::triage_all(&heard, &few).len(), 1);
    let all = vec![cause; 100];
    assert_eq!(super::triage_all(&all, &few).len(), 60);
    assert_eq!(super::triage_all(&all[..7], &few).len(), 7, "none is found twice");
    let none = Triage { max_messages: 0, ..Triage::default() };
    assert_eq!(super::triage_all(&all, &none), []);
}

#[test]
fn a_session_with_one_weak_finding_is_left_in_peace() {
    use super::{Margin, has_knowledge, may_ask};
    let may = |scores: &[i32]| {
        may_ask(&scores.iter().map(|it| Margin::of(*it, Role::Agent)).collect::<Vec<_>>())
    };
    assert!(!may(&[1200]) && may(&[1200, 10]) && may(&[1900]));
    assert!(!may(&[1200, -300]), "an assumption is no item");
    let knowledge = |scores: &[f64]| {
        let margins: Vec<_> = scores.iter().map(|it| Margin { score: *it, strong: 1.0 }).collect();
        has_knowledge(&margins)
    };
    assert!(!knowledge(&[0.4]) && knowledge(&[0.5]));
    assert!(knowledge(&[0.0, 0.1]) && !knowledge(&[0.4, -0.1]) && !knowledge(&[]));
}
