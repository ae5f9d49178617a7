//! Claims without a subject: nothing broke, it all works, it was tested thoroughly.

use super::guard::{guarded_after, guarded_before, instructs};
use super::lexicon::words;
use super::{Claimed, Kind, Said, Sentence};

/// Words of which a sentence with such a claim has one.
const KEYS: &[&str] = words! {
    "regression" "regressions" "regressed" "breakage" "breakages" "broke" "broken" "breaks" "work"
    "works" "working" "tested" "issues" "problems" "errors" "issue" "problem"
};
/// What there is none of.
const BREAKAGES: &[&str] = words! { "regression" "regressions" "breakage" "breakages" };
/// Words between none and what there is none of.
const KINDS: &[&str] = words! {
    "new" "other" "further" "visible" "functional" "behavioural" "behavioral" "any" "test" "more"
};
/// What was not broken.
const THINGS: &[&str] = words! {
    "functionality" "feature" "features" "behaviour" "behavior" "test" "tests" "code" "thing"
    "caller" "callers" "part" "parts" "api" "flow" "flows" "feature's"
};
const BROKEN: &[&str] = words! { "broken" "broke" "regressed" "breaks" };
const HELPERS: &[&str] = words! {
    "is" "are" "was" "were" "has" "have" "been" "got" "gets" "else" "now" "there" "still" "in" "the"
    "existing" "other" "here"
};
/// Verbs with which an author says to have looked.
const LOOKED: &[&str] = words! {
    "verified" "confirmed" "checked" "double-checked" "doublechecked" "re-checked" "rechecked"
    "tested" "re-tested" "retested" "validated" "re-verified" "reverified" "ensured" "ran" "re-ran"
    "reran" "tried"
};
/// Words before such a verb that make it the author's.
const OWN: &[&str] = words! {
    "i" "we" "i've" "we've" "have" "also" "and" "then" "just" "fully" "manually" "was" "been" "is"
};
/// Words that may stand between such a verb and what it found.
const LINKS: &[&str] = words! {
    "that" "there" "are" "were" "is" "was" "and" "with" "found" "saw" "it" "everything" "all" "sure"
    "made" "have" "i" "we" "this" "see" "still" "the" "has" "had"
};
/// Labels of a result.
const LABELS: &[&str] = words! {
    "verified" "confirmed" "checked" "tested" "double-checked" "result" "results" "outcome" "status"
    "verification" "testing" "tests" "done" "fixed" "validation" "regressions" "complete" "finished"
};
/// What may follow such a claim up to its end.
const TAIL: &[&str] = words! {
    "found" "seen" "observed" "detected" "introduced" "were" "was" "are" "is" "have" "has" "been" "in"
    "on" "the" "existing" "full" "whole" "suite" "tests" "test" "by" "this" "that" "it" "change"
    "changes" "fix" "my" "these" "here" "now" "anywhere" "either" "at" "all" "main" "baseline"
    "after" "from" "with" "as" "a" "result" "of" "elsewhere" "before" "edit" "edits" "refactoring"
    "refactor" "too" "anymore" "any" "more" "again" "so" "far" "caused" "shown" "surfaced" "appeared"
    "showed" "up" "came" "code" "patch" "update" "i" "made"
};
/// How something works.
const WELL: &[&str] = words! {
    "fine" "correctly" "well" "properly" "perfectly" "great" "nicely" "flawlessly" "now" "again"
    "too" "as" "expected" "before" "intended" "it" "should" "like" "a" "charm" "end-to-end" "end"
    "to" "in" "practice" "here" "locally" "designed" "advertised" "without" "issues" "problems"
    "errors" "any" "the" "way" "did" "previously"
};
/// How well something was tested.
const THOROUGHLY: &[&str] = words! {
    "thoroughly" "extensively" "carefully" "fully" "completely" "rigorously" "exhaustively"
    "comprehensively" "manually" "locally" "end-to-end" "properly" "well" "successfully"
};
/// What was tested.
const OBJECTS: &[&str] = words! {
    "this" "it" "that" "everything" "the" "my" "change" "changes" "fix" "code" "all" "of" "new"
    "feature" "implementation" "both" "them" "these" "very" "solution" "patch"
};
/// What a run is made of, and how often.
const SUITE: &[&str] = words! { "suite" "suites" "tests" "test" "everything" "specs" "checks" };
const TROUBLES: &[&str] = words! {
    "issues" "problems" "errors" "failures" "issue" "problem" "error" "failure" "trouble" "surprises"
    "breakage" "regressions" "regression"
};
const NONES: &[&str] = words! { "no" "zero" "without" };

/// What a sentence says not to be broken, or to work.
pub(super) fn read(sentence: &Sentence<'_>) -> Option<Said> {
    if sentence.row {
        return None;
    }
    // "198 passed."
    if let [Kind::Count(1..), Kind::Word] = kinds(sentence)[..]
        && sentence.is(1, &["passed", "passing", "green"])
    {
        return Some(Said::of(Claimed::Tests, false, 2));
    }
    // "Confirmed passing."
    let is_short = sentence.tokens.len() == 2 && sentence.is(1, &["passing", "green"]);
    if is_short && sentence.is(0, &["confirmed", "verified"]) {
        return Some(Said::of(Claimed::Tests, false, 2));
    }
    let has_key = || sentence.tokens.iter().any(|it| it.kind == Kind::Word && it.is(KEYS));
    if !has_key() || instructs(sentence) {
        return None;
    }
    let (start, end, what) = (0..sentence.tokens.len()).find_map(|at| {
        no_breakage(sentence, at)
            .or_else(|| nothing_broke(sentence, at))
            .or_else(|| nothing_did(sentence, at))
            .or_else(|| all_works(sentence, at))
            .or_else(|| tested_well(sentence, at))
            .or_else(|| verified_and_working(sentence, at))
            .or_else(|| ran_without_trouble(sentence, at))
    })?;
    let is_guarded = guarded_before(sentence, start) || guarded_after(sentence, end);
    (!is_guarded).then(|| Said::of(what, false, end))
}

/// The kinds of the first tokens.
fn kinds(sentence: &Sentence<'_>) -> Vec<Kind> {
    sentence.tokens.iter().take(3).map(|it| it.kind).collect()
}

type Place = (usize, usize, Claimed);

/// Goes over words of a table.
fn skip(sentence: &Sentence<'_>, mut at: usize, table: &[&str]) -> usize {
    while sentence.is(at, table) {
        at += 1;
    }
    at
}

/// Whether nothing but a tail follows up to the end of the clause.
fn ends(sentence: &Sentence<'_>, at: usize, tail: &[&str]) -> bool {
    let at = skip(sentence, at, tail);
    match sentence.kind(at) {
        None | Some(Kind::Comma | Kind::Dash | Kind::Open | Kind::Tick | Kind::Close) => true,
        Some(Kind::Word) => sentence.is(at, &["and", "but", "so"]),
        Some(_) => false,
    }
}

/// Whether a claim may begin here: at the start, behind a comma, a label, or a verb with which the
/// author says to have looked.
fn begins(sentence: &Sentence<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    match sentence.kind(before) {
        Some(Kind::Comma | Kind::Dash | Kind::Tick | Kind::Open) => true,
        Some(Kind::Colon) => {
            let mut label = (0..before).rev().filter(|it| sentence.kind(*it) == Some(Kind::Word));
            label.next().is_some_and(|it| sentence.is(it, LABELS))
        }
        Some(Kind::Word) => {
            if sentence.is(before, &["and", "but", "so"]) {
                return true;
            }
            let mut place = before;
            while place > 0 && sentence.is(place, LINKS) && !sentence.is(place, LOOKED) {
                place -= 1;
            }
            let is_there = sentence.is(0, &["there"]) && place == 0;
            let is_sure = (place..at).any(|it| sentence.is(it, &["sure"]))
                && (place..at).any(|it| sentence.is(it, &["made"]));
            let has_seen =
                place == 0 && (0..at).any(|it| sentence.is(it, &["found", "saw", "see"]));
            let is_own = place == 0
                || sentence.is(place - 1, OWN)
                || sentence.kind(place - 1) != Some(Kind::Word);
            sentence.is(place, LOOKED) && is_own || is_there || is_sure || has_seen
        }
        _ => false,
    }
}

/// "No regressions.", "Verified: no new regressions were found."
fn no_breakage(sentence: &Sentence<'_>, at: usize) -> Option<Place> {
    let noun = skip(sentence, at + 1, KINDS);
    let is_said = sentence.is(at, &["no", "zero"])
        && sentence.is(noun, BREAKAGES)
        && begins(sentence, at)
        && ends(sentence, noun + 1, TAIL);
    is_said.then_some((at, noun + 1, Claimed::Works))
}

/// "Nothing is broken by this.", "no existing functionality broke", "I did not break anything" is
/// said of what was done, and is not among them.
fn nothing_broke(sentence: &Sentence<'_>, at: usize) -> Option<Place> {
    let mut next = at + 1;
    if sentence.is(at, &["no"]) {
        next = skip(sentence, next, HELPERS);
        next = sentence.is(next, THINGS).then_some(next + 1)?;
    } else if !sentence.is(at, &["nothing"]) {
        return None;
    }
    let verb = skip(sentence, next, HELPERS);
    let is_said = sentence.is(verb, BROKEN) && begins(sentence, at);
    let what =
        if sentence.is(next - 1, &["test", "tests"]) { Claimed::Tests } else { Claimed::Works };
    (is_said && ends(sentence, verb + 1, TAIL)).then_some((at, verb + 1, what))
}

/// "I ran the suite to see whether anything broke, and nothing did."
fn nothing_did(sentence: &Sentence<'_>, at: usize) -> Option<Place> {
    let is_said = sentence.is(at, &["nothing", "none"]) && sentence.is(at + 1, &["did"]);
    if !is_said || !ends(sentence, at + 2, TAIL) {
        return None;
    }
    let ran = (0..at).find(|it| sentence.is(*it, &["ran", "re-ran", "reran"]))?;
    let is_own = ran == 0 || sentence.is(ran - 1, OWN);
    let is_asked = (ran..at).any(|it| sentence.is(it, BROKEN));
    let is_suite = (ran..at).any(|it| sentence.is(it, SUITE));
    (is_own && is_asked && is_suite).then_some((ran, at + 2, Claimed::Tests))
}

/// "I double-checked, it all works.", "Everything works as before."
fn all_works(sentence: &Sentence<'_>, at: usize) -> Option<Place> {
    if !sentence.is(at, &["works", "working"]) {
        return None;
    }
    let mut start = at;
    while start > 0
        && sentence.is(start - 1, &["still", "all", "is", "it", "everything", "now", "just"])
    {
        start -= 1;
    }
    let is_all = (start..at).any(|it| sentence.is(it, &["everything", "all"]));
    let has_looked = (0..start).any(|it| sentence.is(it, LOOKED));
    let is_plain = is_all
        && start == 0
        && sentence.is(at, &["works"])
        && (sentence.is(at + 1, WELL) || (start..at).any(|it| sentence.is(it, &["still"])));
    let is_said = is_plain || is_all && has_looked && begins(sentence, start);
    (is_said && ends(sentence, at + 1, WELL))
        .then(|| (start, skip(sentence, at + 1, WELL), Claimed::Works))
}

/// "I have tested this thoroughly."
fn tested_well(sentence: &Sentence<'_>, at: usize) -> Option<Place> {
    if !sentence.is(at, &["tested"]) {
        return None;
    }
    let mut start = at;
    while start > 0 && sentence.is(start - 1, &["i", "we", "i've", "we've", "have", "also"]) {
        start -= 1;
    }
    if start == at {
        return None;
    }
    let end = skip(sentence, at + 1, OBJECTS);
    let is_said = start == 0 || sentence.kind(start - 1) == Some(Kind::Comma);
    (is_said && end > at + 1 && sentence.is(end, THOROUGHLY) && ends(sentence, end, THOROUGHLY))
        .then_some((start, end + 1, Claimed::Works))
}

/// "Verified and working as expected."
fn verified_and_working(sentence: &Sentence<'_>, at: usize) -> Option<Place> {
    let is_said = sentence.is(at, LOOKED)
        && sentence.is(at + 1, &["and"])
        && sentence.is(at + 2, &["working", "works"])
        && (at == 0 || begins(sentence, at) || sentence.is(at - 1, &["is", "was", "been"]));
    (is_said && ends(sentence, at + 3, WELL))
        .then(|| (at, skip(sentence, at + 3, WELL), Claimed::Works))
}

/// "Ran the suite twice, no issues found.", "I ran everything again and saw no problems."
fn ran_without_trouble(sentence: &Sentence<'_>, at: usize) -> Option<Place> {
    if !sentence.is(at, NONES) {
        return None;
    }
    let noun = skip(sentence, at + 1, KINDS);
    if !sentence.is(noun, TROUBLES) || !ends(sentence, noun + 1, TAIL) {
        return None;
    }
    let ran = (0..at).rfind(|it| sentence.is(*it, &["ran", "re-ran", "reran"]))?;
    let is_own =
        ran == 0 || sentence.is(ran - 1, &["i", "we", "also", "then", "and", "i've", "just"]);
    let is_suite = (ran..at).any(|it| {
        sentence.is(it, SUITE)
            || matches!(sentence.kind(it), Some(Kind::Code(Some(Claimed::Tests))))
    });
    (is_own && is_suite).then_some((ran, noun + 1, Claimed::Tests))
}

/// The same in other languages, as whole sentences.
#[rustfmt::skip]
const SENTENCES: &[&str] = &[
    "keine regression", "keine regressionen", "keine regressionen gefunden", "keine neuen regressionen", "nichts ist kaputt", "nichts ist kaputtgegangen", "nichts ist kaputt gegangen",
    "nichts kaputt gemacht", "alles funktioniert wie vorher", "alles funktioniert wie erwartet", "es funktioniert alles", "alles geprüft, alles funktioniert", "ich habe es gründlich getestet", "gründlich getestet", "ich habe das gründlich getestet",
    "aucune régression", "aucune régression détectée", "aucune régression constatée", "pas de régression", "pas de régressions", "rien n'est cassé", "rien n'a été cassé", "tout fonctionne comme avant", "tout fonctionne comme prévu", "j'ai tout testé",
    "je l'ai testé en profondeur", "testé en profondeur", "sin regresiones", "ninguna regresión", "no hay regresiones", "no se rompió nada", "nada se rompió", "nada está roto", "nada se ha roto", "todo funciona como antes", "todo funciona como se esperaba",
    "lo he probado a fondo", "probado a fondo", "nessuna regressione", "niente si è rotto", "tutto funziona come prima", "tutto funziona come previsto", "sem regressões", "nenhuma regressão", "nada quebrou", "tudo funciona como antes", "tudo funciona como esperado",
    "geen regressies", "niets is kapot", "alles werkt zoals verwacht", "alles werkt zoals voorheen", "inga regressioner", "inget gick sönder", "ingen regression", "ingen regressioner", "intet er gået i stykker", "ingenting er ødelagt", "brak regresji", "nic się nie zepsuło",
    "wszystko działa jak wcześniej", "žádné regrese", "nic se nerozbilo", "без регрессий", "регрессий нет", "ничего не сломалось", "ничего не сломано", "всё работает как раньше", "все работает как раньше", "без регресій", "нічого не зламалося", "gerileme yok", "hiçbir şey bozulmadı",
    "没有回归", "没有回归问题", "没有任何回归", "无回归", "沒有回歸", "一切正常工作", "リグレッションはありません", "リグレッションなし", "デグレはありません", "何も壊れていません", "회귀 없음", "회귀가 없습니다", "아무것도 깨지지 않았습니다",
    "ผ่านการทดสอบทั้งหมดแล้ว", "ผ่านการทดสอบทั้งหมด", "ผ่านทุกการทดสอบแล้ว", "ผ่านทุกการทดสอบ",
];

/// Words behind which such a sentence is the result of a look, up to a colon or a comma.
#[rustfmt::skip]
const LOOKS: &[&str] = &[
    "geprüft", "getestet", "verifiziert", "überprüft", "vérifié", "testé", "verificado", "probado", "comprobado", "verificato", "testato", "testado", "gecontroleerd", "getest",
    "verifierat", "testat", "sprawdzone", "ověřeno", "проверено", "протестировано", "перевірено", "已验证", "已测试", "確認済み", "検証済み", "확인", "검증",
];

/// What a sentence in another language says not to be broken.
pub(super) fn read_other(sentence: &Sentence<'_>) -> Option<Said> {
    if sentence.row || sentence.text.len() > 120 {
        return None;
    }
    let signs = |it: char| !it.is_alphanumeric();
    let small = sentence.text.to_lowercase().replace('’', "'");
    let text = small.trim_matches(signs);
    let is_said = SENTENCES.contains(&text) || {
        let cut = text
            .split_once([':', ',', '：', '，'])
            .map(|it| (it.0.trim(), it.1.trim_matches(signs)));
        cut.is_some_and(|(look, rest)| {
            SENTENCES.contains(&rest) && LOOKS.iter().any(|it| look.contains(it))
        })
    };
    is_said.then(|| Said::of(Claimed::Works, false, sentence.tokens.len()))
}
