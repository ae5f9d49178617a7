//! What takes a sentence out: wishes, conditions, descriptions, the words of others.

use super::lexicon::{
    AFTER_GUARDS, CLAUSE_GUARDS, DETERMINERS, FAILS, IMPERATIVES, SENTENCE_GUARDS, WHOLE, subject,
};
use super::phrase::{confirms, makes_sure, shows};
use super::{Kind, Sentence};

/// Tells whether the sentence begins as an instruction does.
pub(super) fn instructs(sentence: &Sentence<'_>) -> bool {
    let first = sentence.tokens.iter().find(|token| token.kind == Kind::Word);
    // "Refactor complete" is no order.
    let is_noun = sentence.is(1, &["complete", "completed", "done", "finished", "is", "was"]);
    !is_noun && first.is_some_and(|first| first.is(IMPERATIVES))
}

/// Tells whether what stands before a claim takes it out.
pub(super) fn guarded_before(sentence: &Sentence<'_>, start: usize) -> bool {
    let mut clause = true;
    (0..start).rev().any(|at| {
        let edge = match sentence.kind(at) {
            Some(Kind::Cross | Kind::Arrow) => return true,
            Some(Kind::Word) => sentence.is(at, &["but"]),
            Some(Kind::Code(_) | Kind::Quote | Kind::Count(_) | Kind::Ratio(..)) | None => false,
            Some(_) => true,
        };
        clause &= !edge;
        let confirmed = sentence.is(at, &["can"]) && confirms(sentence, at + 1)
            || makes_sure(sentence, at)
            || sentence.is(at, &["running"]) && (at..start).any(|it| shows(sentence, it));
        // "In my head".
        let imagined = sentence.is(at, &["head", "mind"]) && at > 0 && sentence.is(at - 1, &["my"]);
        // "To be verified: …"
        let open = sentence.is(at, &["to"]) && sentence.is(at + 1, &["be"]);
        let guard = sentence.is(at, SENTENCE_GUARDS)
            && !is_noun(sentence, at)
            && !is_past(sentence, at)
            && !is_as_asked(sentence, at)
            && !is_handover(sentence, at, start)
            && !is_aside(sentence, at)
            && !shows(sentence, at);
        open || imagined || guard || (clause && sentence.is(at, CLAUSE_GUARDS) && !confirmed)
    })
}

/// "As you asked, …"
fn is_as_asked(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at, &["asked"]) && at == 2 && sentence.is(0, &["as"])
}

/// "Before handing over I ran pytest": what was done is told, and no condition.
fn is_handover(sentence: &Sentence<'_>, at: usize, start: usize) -> bool {
    let is_author = |it: usize| sentence.is(it, &["i", "we"]) && !sentence.is(it + 1, &["will"]);
    at == 0
        && sentence.is(at, &["before"])
        && sentence.word(at + 1).ends_with("ing")
        && (at + 2..=start).any(|it| is_author(it) || it > 0 && is_author(it - 1))
}

/// "As expected, …", "sorry for the earlier confusion: …"
fn is_aside(sentence: &Sentence<'_>, at: usize) -> bool {
    let mistakes = [
        "confusion",
        "mistake",
        "error",
        "message",
        "answer",
        "claim",
        "misunderstanding",
        "noise",
        "report",
        "reply",
    ];
    sentence.is(at, &["expected"]) && at > 0 && sentence.is(at - 1, &["as"])
        || sentence.is(at, &["earlier"]) && sentence.is(at + 1, &mistakes)
}

/// "All checks" and "type checks" are nouns; "it checks" is a guard. "CI is green" is a claim, "in
/// CI" tells where.
fn is_noun(sentence: &Sentence<'_>, at: usize) -> bool {
    if sentence.is(at, &["ci"]) {
        return sentence.is(at + 1, &["is", "passed", "passes", "and"]);
    }
    let Some(before) = at.checked_sub(1) else { return false };
    sentence.is(at, &["checks"])
        && (sentence.is(before, WHOLE)
            || sentence.is(before, DETERMINERS)
            || sentence.is(before, &["type", "code"])
            || subject(sentence.word(before)).is_some())
}

/// "Once I fixed it" tells when, and is no condition.
fn is_past(sentence: &Sentence<'_>, at: usize) -> bool {
    let verb = sentence.word(at + 2);
    let irregular = [
        "ran", "re-ran", "reran", "was", "were", "made", "wrote", "built", "rebuilt", "got", "did",
        "put", "found", "had", "took", "brought", "gave",
    ];
    sentence.is(at, &["once", "when"])
        && sentence.is(at + 1, &["i", "we", "i'd", "that", "this", "it"])
        && (verb.ends_with("ed") && verb != "need" || irregular.contains(&verb))
}

/// Whether a word takes back what stands before it. "Except that I …" speaks of something else.
fn is_guard(sentence: &Sentence<'_>, at: usize) -> bool {
    if is_aside(sentence, at) {
        return false;
    }
    let is_other =
        sentence.is(at, &["except"]) && sentence.is(at + 1, &["that", "there", "there's"]);
    sentence.is(at, AFTER_GUARDS) && !is_other && !is_ci_clause(sentence, at)
}

/// "…, CI has not run yet" says nothing of the tests that were run here, unless it failed there.
fn is_ci_clause(sentence: &Sentence<'_>, at: usize) -> bool {
    let verbs = [
        "is", "has", "was", "will", "hasn't", "isn't", "wasn't", "still", "did", "didn't", "needs",
    ];
    sentence.is(at, &["ci"])
        && sentence.is(at + 1, &verbs)
        && !(at..sentence.tokens.len()).any(|it| sentence.is(it, FAILS))
}

/// Tells whether what stands after a claim, in its clause, takes it out.
pub(super) fn guarded_after(sentence: &Sentence<'_>, end: usize) -> bool {
    let mut inside = false;
    for at in end..sentence.tokens.len() {
        match sentence.kind(at) {
            Some(Kind::Cross | Kind::Arrow) => return true,
            Some(Kind::Comma | Kind::Dash | Kind::Colon) if !inside => {
                let next = at + 1 + usize::from(sentence.is(at + 1, &["but"]));
                return is_guard(sentence, next);
            }
            Some(Kind::Open) => inside = true,
            Some(Kind::Close) => inside = false,
            Some(Kind::Word) if sentence.is(at, &["my"]) && sentence.is(at + 1, &["head"]) => {
                return true;
            }
            // "On the first try".
            Some(Kind::Word)
                if sentence.is(at, &["first"])
                    && sentence.is(at + 1, &["try", "attempt", "go", "run"]) => {}
            Some(Kind::Word) if is_guard(sentence, at) && !is_past(sentence, at) => {
                return true;
            }
            Some(Kind::Word) if sentence.is(at, &["and", "but", "so", "while"]) && !inside => {
                return is_guard(sentence, at + 1);
            }
            _ => {}
        }
    }
    false
}
