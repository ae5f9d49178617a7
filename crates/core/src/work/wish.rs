//! Whether a prompt asks for a test that fails.
//!
//! | shape | example |
//! | --- | --- |
//! | writes, failing, test | `add a failing unit test` |
//! | writes, test, that, fails | `write a test that currently fails` |
//! | writes, test, shows, bug | `add a test demonstrating the crash` |
//! | reproduces, bug, in, test | `reproduce the issue in a unit test` |
//! | test, should, fail | `the test should fail for now` |
//! | writes, test; it, should, fail | `Write tests for the parser. They will fail for now.` |
//! | red phase | `TDD: only the red phase now` |
//!
//! A prompt that asks for a repair as well wants a test that passes in the end, so a verb of mending
//! anywhere takes the wish out, and so does a denial before it. A repair that is denied, as in `don't
//! fix it yet`, is none. Pasted and quoted lines do not count.

use super::wish_words::{BUTS, NOTS, SOLID_NOTS, WISHES, Wish};
use crate::Excerpt;
use crate::claim::spoken_lines;
use crate::triage::{LineVoice, line_voices};

/// Verbs that ask for something new.
#[rustfmt::skip]
const WRITES: &[&str] = &[
    "write", "add", "create", "make", "give", "need", "want", "start", "begin", "produce", "build", "provide", "commit", "draft",
    "leave", "put", "prepare", "let", "develop", "craft", "introduce", "include", "contribute", "submit", "supply", "do",
    "implement", "come", "writing", "adding", "creating", "starting",
];
/// Verbs of it that may speak of a test that is there: `make the failing test …`.
const TAKES: &[&str] = &["make", "give", "leave", "let", "put", "include", "do", "commit"];
const TESTS: &[&str] = &[
    "test",
    "tests",
    "spec",
    "specs",
    "testcase",
    "testcases",
    "unittest",
    "unittests",
    "doctest",
];
/// Before a test: it is one that fails.
const FAILING: &[&str] =
    &["failing", "red", "xfail", "reproducing", "reproduction", "reproducer", "repro", "broken"];
const FAIL: &[&str] = &["fail", "fails", "failing"];
/// Words between a test and that it fails.
#[rustfmt::skip]
const THAT_IT: &[&str] = &[
    "that", "which", "it", "they", "should", "must", "will", "to", "currently", "now", "still", "is", "are", "be", "expected", "supposed",
    "meant", "can", "may", "shall", "does", "do", "first", "deliberately", "intentionally", "case", "cases", "today", "right", "would",
    "initially", "first", "at", "i", "know", "expect", "reliably", "always", "consistently", "this", "these", "the", "and", "allowed",
];
/// What a test may do with a fault.
#[rustfmt::skip]
const SHOWS: &[&str] = &[
    "demonstrating", "demonstrates", "demonstrate", "exposing", "exposes", "expose", "showing", "shows", "show", "reproducing", "reproduces",
    "reproduce", "triggering", "triggers", "trigger", "proving", "proves", "prove", "revealing", "reveals", "reveal", "exhibits", "exhibiting",
    "exhibit", "provokes", "provoking", "provoke", "captures", "capturing", "illustrates", "illustrating", "hits", "surfaces", "surfacing",
];
#[rustfmt::skip]
const FAULTS: &[&str] = &[
    "bug", "bugs", "crash", "crashes", "issue", "race", "panic", "overflow", "defect", "regression", "problem", "leak", "deadlock",
    "failure", "misbehaviour", "misbehavior", "segfault", "hang", "fault", "breakage", "corruption", "bugfix",
];
const REPRODUCES: &[&str] = &[
    "reproduce",
    "reproducing",
    "demonstrate",
    "show",
    "expose",
    "capture",
    "prove",
    "pin",
    "replicate",
];
/// Verbs and states of a repair.
#[rustfmt::skip]
const MENDS: &[&str] = &[
    "fix", "fixes", "fixed", "fixing", "mend", "mended", "mending", "repair", "repaired", "repairing", "resolve", "resolved", "resolving",
    "solve", "solved", "solving", "correct", "pass", "passes", "passing", "green", "gone", "debug", "heal", "cure", "patch", "unbreak",
    "works", "skip", "delete", "remove", "disable", "ignore", "bugfix", "refactor", "investigate", "rid",
];
/// Verbs of other work, beside which a demonstration is a part of a repair.
#[rustfmt::skip]
const WORKS: &[&str] = &[
    "handle", "address", "implement", "change", "improve", "update", "prevent", "avoid", "support", "replace", "rewrite", "finish", "complete",
    "ensure", "extend", "adjust", "adapt", "rework", "work", "stop", "guard", "tackle", "sort", "deal", "eliminate",
];
/// What denies a verb, or says that another does it, or later.
#[rustfmt::skip]
const DENIALS: &[&str] = &[
    "not", "no", "don't", "dont", "never", "without", "nor", "cannot", "can't", "won't", "doesn't", "didn't", "shouldn't", "mustn't", "isn't",
    "aren't", "none", "avoid", "rather", "instead", "nothing", "neither", "hasn't", "haven't", "wasn't",
];
const OTHERS_OR_LATER: &[&str] = &[
    "before", "until", "once", "when", "after", "i", "i'll", "we'll", "i'd", "they", "unless",
    "till", "someone", "bob",
];
/// Words behind which an object of another verb begins.
#[rustfmt::skip]
const APART: &[&str] = &[
    "to", "in", "for", "from", "about", "of", "into", "on", "around", "why", "how", "what", "whether", "then", "so", "if", "because",
    "list", "summary", "report", "code", "docs", "when", "where", "while", "until", "before", "after", "sure", "against", "by", "over",
];
/// Words that a sentence which tells what shall fail may end with.
const FOR_NOW: &[&str] = &[
    "for",
    "now",
    "first",
    "at",
    "until",
    "on",
    "currently",
    "right",
    "today",
    "as",
    "then",
    "here",
    "still",
    "because",
    "with",
];

/// Tells whether a prompt asks for a test that fails.
pub(super) fn wants_failing_test(text: &str) -> bool {
    if !names_test(text) {
        return false;
    }
    let own = own_words(text);
    let sentences: Vec<_> = sentences_of(&own).map(words_of).filter(|it| !it.is_empty()).collect();
    let is_mending = || sentences.iter().any(|it| orders(it, MENDS) || goes_on_to_work(it));
    let is_working = || sentences.iter().any(|it| orders(it, WORKS));
    let wishes = |shape: fn(&[&str]) -> bool| sentences.iter().any(|it| shape(it));
    let is_red = || {
        let clauses: Vec<_> = sentences_of(&own).flat_map(|it| it.split(';')).collect();
        let mut pairs = clauses.windows(2).map(|it| (words_of(it[0]), words_of(it[1])));
        wishes(asks_for_red_phase) || pairs.any(|it| writes_test(&it.0) && fails_at_once(&it.1))
    };
    let is_english = (wishes(asks_for_failing) || is_red()) && !is_mending()
        || wishes(asks_to_show) && !is_mending() && !is_working();
    if is_english {
        return true;
    }
    let own = without_denied_repairs(&own);
    let sentences: Vec<_> = sentences_of(&own).map(words_of).filter(|it| !it.is_empty()).collect();
    WISHES.iter().any(|it| it.is_told(&own, &sentences))
}

/// A text in small letters without the clauses that deny a repair, or a change of something else than
/// the test: `…, aber behebe ihn noch nicht`.
fn without_denied_repairs(text: &str) -> String {
    let mut spaced = text.to_owned();
    for it in BUTS {
        spaced = spaced.replace(it, &format!(",{it}"));
    }
    let ends = |it: char| ",;:.!?，；：。！？、—–\n()".contains(it);
    spaced.split_inclusive(ends).filter(|it| !denies_repair(it)).collect()
}

fn denies_repair(clause: &str) -> bool {
    let words = words_of(clause);
    let is_denied = words.iter().any(|it| NOTS.contains(it));
    let is_of_test =
        |it: &Wish| [it.tests, it.fails, it.shows].iter().any(|all| has_any(&words, all));
    if is_denied && !WISHES.iter().any(is_of_test) {
        return true;
    }
    let has = |table: &[&str]| table.iter().any(|word| clause.contains(word));
    WISHES.iter().any(|it| it.is_solid && has(it.mends)) && has(SOLID_NOTS)
}

/// Tells whether a prompt has a word for a test at all: most have none.
fn names_test(text: &str) -> bool {
    let small = text.to_lowercase();
    let stems =
        ["test", "spec", "tdd", "prueba", "тест", "测试", "測試", "用例", "テスト", "테스트"];
    stems.iter().any(|it| small.contains(it))
}

/// The words of the author in small letters: no code, no quotation, no pasted lines.
fn own_words(text: &str) -> String {
    let voices = line_voices(text);
    let message = Excerpt::of(text);
    let spoken = spoken_lines(&message);
    let is_own = |line: &&str| spoken.iter().any(|it| it == line);
    let padded = voices.into_iter().map(Some).chain(std::iter::repeat(None));
    let lines = text.lines().zip(padded);
    let own = lines.filter(|(line, voice)| *voice != Some(LineVoice::Quoted) && is_own(line));
    let own: Vec<_> = own.map(|(line, _)| unquoted(line)).collect();
    own.join("\n").to_lowercase().replace('’', "'")
}

/// A line without what stands in quotes or backticks.
fn unquoted(line: &str) -> String {
    let mut rest = line.to_owned();
    for (open, close) in [('`', '`'), ('"', '"'), ('“', '”'), ('«', '»')] {
        while let Some(from) = rest.find(open) {
            let inner = from + open.len_utf8();
            let Some(length) = rest.get(inner..).and_then(|it| it.find(close)) else { break };
            rest.replace_range(from..inner + length + close.len_utf8(), " x ");
        }
    }
    rest
}

fn sentences_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '!', '?', '。', '！', '？']).flat_map(|it| it.split(". "))
}

fn words_of(sentence: &str) -> Vec<&str> {
    let is_sign = |it: char| !it.is_alphanumeric() && !matches!(it, '\'' | '-' | '_');
    sentence.split(is_sign).filter(|it| !it.is_empty()).collect()
}

fn is_in(words: &[&str], at: usize, table: &[&str]) -> bool {
    words.get(at).is_some_and(|it| table.contains(it))
}

/// Tells whether a sentence asks for one of these deeds: no denial stands before it, nor a word that
/// leaves it to another or to a later time.
fn orders(words: &[&str], deeds: &[&str]) -> bool {
    (0..words.len()).any(|at| {
        let before = at.saturating_sub(3)..at;
        is_in(words, at, deeds)
            && !before
                .clone()
                .any(|it| is_in(words, it, DENIALS) || is_in(words, it, OTHERS_OR_LATER))
            && !(at + 1..at + 4)
                .any(|it| is_in(words, it, &["later", "afterwards", "myself", "tomorrow"]))
    })
}

/// "…, then implement it", "… until it passes".
fn goes_on_to_work(words: &[&str]) -> bool {
    (0..words.len()).any(|at| {
        let near = at + 1..at + 5;
        let goes_on = || {
            let deeds = ["make", "code", "write", "build", "develop", "the"];
            near.clone().any(|it| is_in(words, it, WORKS) || is_in(words, it, &deeds))
        };
        let passes = || {
            is_in(words, at + 1, &["it", "it's", "they", "they're", "all", "everything"])
                && near.clone().any(|it| is_in(words, it, &["pass", "passes", "green", "works"]))
        };
        is_in(words, at, &["then", "afterwards"]) && goes_on()
            || is_in(words, at, &["until"]) && passes()
    })
}

fn is_denied(words: &[&str], at: usize) -> bool {
    (at.saturating_sub(4)..at).any(|it| is_in(words, it, DENIALS))
}

/// Writes, failing, test; or writes, test, that, fails.
fn asks_for_failing(words: &[&str]) -> bool {
    let tests = (0..words.len()).filter(|at| is_in(words, *at, TESTS));
    tests.into_iter().any(|noun| {
        if is_denied(words, noun) {
            return false;
        }
        let fails = fails_behind(words, noun);
        let adjective = (noun.saturating_sub(3)..noun).find(|it| is_in(words, *it, FAILING));
        let Some(first) = adjective.or(fails.map(|_| noun)) else { return false };
        if fails.is_some_and(|at| is_wanted_so(words, noun, at)) {
            return true;
        }
        let verb = (0..first).rev().find(|it| is_in(words, *it, WRITES));
        verb.is_some_and(|verb| is_object(words, verb, first, adjective.is_some()))
    })
}

/// Tells whether what stands at `noun` is what the verb asks for.
fn is_object(words: &[&str], verb: usize, noun: usize, is_adjective: bool) -> bool {
    let between = verb + 1..noun;
    let is_there = is_adjective
        && is_in(words, verb, TAKES)
        && between
            .clone()
            .any(|it| is_in(words, it, &["the", "this", "that", "these", "those", "my"]));
    let is_near = noun - verb <= 9
        && !between.clone().any(|it| is_in(words, it, APART) || is_in(words, it, DENIALS));
    let is_question = verb > 0
        && is_in(words, verb, &["have", "do", "need", "want"])
        && is_in(words, 0, &["why", "which", "where", "does", "do"]);
    is_near && !is_there && !is_question && !is_denied(words, verb)
}

/// Where it is said that the test at `noun` fails, with nothing but helpers between them.
fn fails_behind(words: &[&str], noun: usize) -> Option<usize> {
    let mut at = noun + 1;
    // "A test for the parser that fails".
    if is_in(words, at, &["for", "of", "in"]) {
        let that = (at + 1..at + 5).find(|it| is_in(words, *it, &["that", "which"]))?;
        let fails = (that + 1..that + 4).find(|it| !is_in(words, *it, THAT_IT))?;
        let ends = fails + 1 == words.len() || is_in(words, fails + 1, FOR_NOW);
        return (is_in(words, fails, FAIL) && ends).then_some(fails);
    }
    while is_in(words, at, THAT_IT) && at < noun + 9 {
        at += 1;
    }
    is_in(words, at, FAIL).then_some(at)
}

/// "The test should fail for now", and no condition.
fn is_wanted_so(words: &[&str], noun: usize, at: usize) -> bool {
    let wish =
        ["should", "must", "shall", "may", "expected", "supposed", "meant", "allowed", "can"];
    let is_wished = (noun + 1..at).any(|it| is_in(words, it, &wish));
    let ends = at + 1 == words.len() || is_in(words, at + 1, FOR_NOW);
    is_wished && ends && !(0..noun).any(|it| is_in(words, it, &["if", "when", "why", "whether"]))
}

/// Writes, test, shows, fault; or reproduces, fault, in, test.
fn asks_to_show(words: &[&str]) -> bool {
    let tests = (0..words.len()).filter(|at| is_in(words, *at, TESTS));
    tests.into_iter().any(|noun| {
        let helper = |it: &usize| !is_in(words, *it, THAT_IT);
        let shows = (noun + 1..noun + 4).find(helper).filter(|it| is_in(words, *it, SHOWS));
        let fault = shows.and_then(|at| (at + 1..at + 7).find(|it| is_in(words, *it, FAULTS)));
        let verb = (0..noun).rev().find(|it| is_in(words, *it, WRITES));
        if fault.is_some() && verb.is_some_and(|it| is_object(words, it, noun, false)) {
            return true;
        }
        let deed = (0..noun).rev().find(|it| is_in(words, *it, REPRODUCES));
        deed.is_some_and(|deed| {
            let is_fault = (deed + 1..noun).any(|it| is_in(words, it, FAULTS));
            let is_within =
                (deed + 1..noun).any(|it| is_in(words, it, &["in", "with", "as", "by", "through"]));
            is_fault && is_within && noun - deed < 12 && !is_denied(words, deed)
        })
    })
}

/// Writes, test.
fn writes_test(words: &[&str]) -> bool {
    let is_object = |noun: usize| {
        let verb = (0..noun).rev().find(|it| is_in(words, *it, WRITES));
        verb.is_some_and(|it| is_object(words, it, noun, false))
    };
    (0..words.len()).any(|it| is_in(words, it, TESTS) && is_object(it))
}

/// It, should, fail; at the beginning of a clause.
fn fails_at_once(words: &[&str]) -> bool {
    let first = usize::from(is_in(words, 0, &["and", "but", "of"]));
    let is_it = is_in(words, first, &["it", "they", "this", "that", "these"]) || {
        is_in(words, first, &["the"]) && is_in(words, first + 1, TESTS)
    };
    let wish =
        ["should", "must", "shall", "may", "will", "can", "to", "supposed", "expected", "meant"];
    let fail = (first + 1..first + 8).find(|it| is_in(words, *it, FAIL));
    fail.is_some_and(|at| {
        let ends = at + 1 == words.len() || is_in(words, at + 1, FOR_NOW);
        is_it && ends && (first..at).any(|it| is_in(words, it, &wish)) && !is_denied(words, at)
    })
}

/// "Only the red phase now."
fn asks_for_red_phase(words: &[&str]) -> bool {
    let phases = ["phase", "step", "stage", "part"];
    let asks = ["only", "just", "start", "begin", "do", "now", "first", "stop"];
    let is_red = |at: usize| is_in(words, at, &["red"]) && is_in(words, at + 1, &phases);
    (0..words.len()).any(|at| is_red(at) && !is_denied(words, at))
        && (0..words.len()).any(|it| is_in(words, it, &asks))
}

/// Tells whether one of the words is in a table: one that ends with `*` stands for all that begin so.
fn has_any(words: &[&str], table: &[&str]) -> bool {
    words.iter().any(|word| {
        table.iter().any(|it| match it.strip_suffix('*') {
            Some(stem) => word.starts_with(stem),
            None => word == it,
        })
    })
}

impl Wish {
    fn is_told(&self, text: &str, sentences: &[Vec<&str>]) -> bool {
        if self.is_solid {
            let any = |table: &[&str]| table.iter().any(|it| text.contains(it));
            let is_asked = any(self.writes) && any(self.tests);
            return is_asked
                && (any(self.fails) || any(self.shows))
                && !any(self.mends)
                && !any(self.denials);
        }
        let any = has_any;
        let is_asked = |words: &Vec<&str>| {
            any(words, self.writes)
                && any(words, self.tests)
                && (any(words, self.fails) || any(words, self.shows))
                && !any(words, self.denials)
        };
        sentences.iter().any(is_asked) && !sentences.iter().any(|it| any(it, self.mends))
    }
}

#[cfg(test)]
mod tests {
    use super::wants_failing_test;

    #[test]
    fn a_failing_test_is_wished_for_where_one_is_to_be_written() {
        for prompt in [
            "write a failing test for the parser",
            "TDD: start with the red test",
            "Add a failing unit test, nothing else.",
            "Add a test demonstrating the bug. Leave the code as it is.",
            "Make a test that exposes the crash",
            "add a regression test which currently fails",
            "Write a test for the parser that fails on main.",
            "Reproduce the issue in a unit test.",
            "Write the test first; it is supposed to fail.",
            "Reproduce the bug with a test, don't fix it yet.",
            "Only write the failing test, I'll fix the code myself.",
            "Add the test now. The test should fail until the API is there.",
            "Schreibe einen fehlschlagenden Test für den Parser.",
            "Füge einen Test hinzu, der den Fehler reproduziert.",
            "Écris un test qui échoue.",
            "Añade una prueba que falle.",
            "Escreve um teste que falhe.",
            "Scrivi un test che fallisce.",
            "Schrijf een falende test.",
            "Skriv ett test som misslyckas.",
            "Napisz test, który pada.",
            "Напиши падающий тест.",
            "Başarısız olan bir test yaz.",
            "写一个失败的测试。",
            "失敗するテストを書いて。",
            "실패하는 테스트를 작성해줘.",
            "Schreib einen Test, der den Fehler zeigt, aber behebe ihn noch nicht.",
            "Écris un test qui échoue et montre le bug, ne corrige rien.",
            "Escribe una prueba que falle y muestre el error; no lo arregles.",
            "Ajoute un test qui reproduit le crash, ne touche pas au code et ne corrige pas le bug.",
            "Aggiungi un test che mostri il bug senza correggerlo.",
            "Escreve um teste que falhe, mas não corrijas nada.",
            "Scrivi un test che fallisce, ma non correggere ancora il codice.",
            "Schrijf een test die faalt, maar repareer niets.",
            "Skriv ett test som misslyckas, men fixa det inte.",
            "Napisz test, który pada, ale nie naprawiaj kodu.",
            "Напиши падающий тест, но ничего не исправляй.",
            "Başarısız olan bir test yaz, ama düzeltme.",
            "写一个会失败的测试来重现这个 bug，先不要修复。",
            "失敗するテストを書いてください。まだ修正しないでください。",
            "실패하는 테스트를 작성해줘. 아직 고치지 마.",
            "Start with TDD: only the red phase now.",
            "Write tests for the upcoming feature; they will fail until I implement it.",
            "Add a reproducer test for #12. It should fail on main.",
            "Write tests for the parser. They should fail for now.",
        ] {
            assert!(wants_failing_test(prompt), "{prompt}");
        }
    }

    #[test]
    fn a_failing_test_that_is_to_be_mended_is_not_wished_for() {
        for prompt in [
            "fix the failing test",
            "make the failing test pass",
            "Make the failing tests green.",
            "CI has a failing test",
            "There is a failing test. Write the release notes.",
            "do not leave a failing test",
            "no test should fail after this",
            "reproduce the bug in a test and then fix it",
            "Write a failing test, then make it pass.",
            "Handle empty input, and add a test that reproduces the crash.",
            "Add a test that proves the bug is gone.",
            "Add logging to the failing test.",
            "Write a summary of the failing tests.",
            "Add a test for the failing login.",
            "Write a test that checks what happens when the login fails.",
            "The test should fail if the token is missing.",
            "Tests should not fail.",
            "We use TDD here.",
            "We have a failing test in core.",
            "Add a failing test, then implement the feature until it passes.",
            "include stddef.h in the test",
            "compute the stddev in the test",
            "behebe den fehlschlagenden Test",
            "Schreibe den Code, der den fehlschlagenden Test repariert.",
            "corrige le test qui échoue",
            "Fais passer le test qui échoue.",
            "arregla la prueba que falla",
            "corrija o teste que falha",
            "correggi il test che fallisce",
            "исправь падающий тест",
            "修复失败的测试",
            "失敗するテストを直して",
            "실패하는 테스트를 고쳐줘",
            "Schreib einen Test, der den Fehler zeigt, und behebe ihn. Ändere sonst nichts.",
            "Écris un test qui échoue, puis corrige le bug. Ne change rien d'autre.",
            "Escribe una prueba que falle y corrige el error sin tocar la documentación.",
            "TDD: red phase, green phase, refactor.",
            "Write tests for the parser. It should fail if the token is missing.",
            "Write tests for the parser. They should not fail.",
            "写一个失败的测试，然后修复它。不要改文档。",
            "Implement the issue:\n\n> write a failing test",
            "Implement it.\n\n```\nadd a failing test\n```",
            "Look at \"write a failing test\" in the docs.",
        ] {
            assert!(!wants_failing_test(prompt), "{prompt}");
        }
    }
}
