//! Reports that a test, by its name, is not mended: `I gave up on test_a after three attempts`.
//!
//! The name stands in the sentence, and so do the words for it, or the sentence beside it has them:
//! `Current state: red. test_a → AssertionError`.

use super::languages::names_test_in;
use super::report::is_over;
use super::{Kind, Sentence};

/// Words that say that it was tried, and is not mended, in small letters.
#[rustfmt::skip]
const GIVEN_UP: &[&str] = &[
    "gave up", "given up", "giving up", "give up on", "none works", "none worked", "none of them work", "none of them help", "none of which work", "none of these work", "none helped", "nothing works", "nothing worked", "nothing helped",
    "nothing i tried", "no luck", "without success", "without luck", "no success", "to no avail", "in vain", "unsuccessful", "incomplete", "not complete", "not done", "unfinished", "not finished", "unsolved", "not solved", "unmended",
    "not mended", "not been able", "n't been able", "not managed", "n't managed", "n't manage", "not manage", "n't figured out", "not figured out", "n't figure out", "not figure out", "failed to fix", "failed to mend", "failed to make", "failed to get", "failed to repair",
    "n't found a way", "not found a way", "n't found the cause", "not found the cause", "out of ideas", "no idea how to fix", "know how to fix", "sure how to fix", "is beyond me", "n't fixed", "not fixed", "n't solved", "n't resolved", "not resolved",
    "state: red", "status: red", "state is red", "status is red", "result: red", "still red", "suite is red", "tests are red", "run is red", "is still open",
    "aufgegeben", "gebe auf", "ohne erfolg", "erfolglos", "nicht geschafft", "nicht gelungen", "nicht hinbekommen", "nicht beheben", "nicht behoben", "nicht lösen", "nicht gelöst", "nicht reparieren", "nicht zum laufen", "unvollständig", "nicht fertig",
    "abandonné", "sans succès", "pas réussi", "pas pu corriger", "pas résolu", "incomplet", "sin éxito", "no he podido", "no he conseguido", "no logré", "no pude", "me rendí", "sin resolver", "incompleto", "não consegui", "sem sucesso", "desisti", "não resolvi",
    "non sono riuscit", "senza successo", "rinunciato", "incompleta", "non risolto", "niet gelukt", "zonder succes", "opgegeven", "niet kunnen", "onvolledig", "nie udało", "bez powodzenia", "poddał", "niekompletn", "не смог", "не удалось", "безуспешно", "сдался", "не завершен", "не получилось",
    "не вдалося", "не зміг", "безуспішно", "nepodařilo", "bez úspěchu", "vzdal", "nem sikerült", "feladtam", "başaramadım", "çözemedim", "düzeltemedim", "vazgeçtim", "lyckades inte", "utan framgång", "gav upp", "lykkedes ikke", "lyktes ikke", "klarte ikke", "uden held", "uten hell", "opgav", "ga opp",
    "en onnistunut", "luovutin", "nu am reușit", "fără succes", "am renunțat", "δεν κατάφερα", "لم أتمكن", "לא הצלחתי", "नहीं कर सका", "không thể sửa", "tidak berhasil", "nisam uspio",
];

/// The same in scripts without spaces.
#[rustfmt::skip]
const GIVEN_UP_SOLID: &[&str] = &[
    "直せませんでした", "修正できませんでした", "解決できません", "うまくいきません", "諦め", "あきらめ", "未解決", "没能", "无法修复", "無法修復", "未能", "没有成功", "沒有成功", "没修好", "放弃", "放棄", "不成功", "未完成", "고치지 못", "해결하지 못", "포기", "미완성", "แก้ไม่ได้",
];

/// What a test shows that fails, behind its name.
const SHOWN: &[&str] = &["assertionerror", "assertion failed", "assertion error", "panicked at"];

/// Tells whether a sentence names a test and says, or the one beside it, that it is not mended.
pub(super) fn tells_unmended(all: &[Sentence<'_>], place: usize) -> bool {
    let Some(sentence) = all.get(place).filter(|it| !it.asks && it.counts && names_test_in(it))
    else {
        return false;
    };
    let text = small(sentence);
    let denied = [
        "n't fixed",
        "n't solved",
        "n't resolved",
        "gave up",
        "given up",
        "unsolved",
        "unresolved",
    ];
    if is_over(&text) && !has(&text, &denied) {
        return false;
    }
    let before = place.checked_sub(1).and_then(|it| all.get(it));
    let mut beside = before.into_iter().chain(all.get(place + 1)).filter(|it| !it.asks);
    let is_beside = |it: &Sentence<'_>| !names_test_in(it) && gives_up(&small(it));
    gives_up(&text) || shows_error(sentence, &text) || beside.any(is_beside)
}

fn small(sentence: &Sentence<'_>) -> String {
    sentence.text.to_lowercase().replace('’', "'").replace("**", "")
}

fn has(text: &str, table: &[&str]) -> bool {
    table.iter().any(|it| text.contains(it))
}

fn gives_up(text: &str) -> bool {
    has(text, GIVEN_UP) || !text.is_ascii() && has(text, GIVEN_UP_SOLID)
}

/// `test_a → TypeError`, `test_a: AssertionError`.
fn shows_error(sentence: &Sentence<'_>, text: &str) -> bool {
    let tokens = sentence.tokens;
    let arrow = tokens.iter().position(|it| it.kind == Kind::Arrow);
    let is_error = |word: &str| {
        let ends = ["Error", "Exception"].iter().any(|it| word.ends_with(it));
        ends && word.starts_with(char::is_uppercase)
    };
    let behind = arrow.and_then(|at| sentence.passage.get(tokens.get(at)?.end..tokens.last()?.end));
    let mut words = behind.unwrap_or_default().split(|it: char| !it.is_alphanumeric());
    words.any(is_error) || has(text, SHOWN)
}

#[cfg(test)]
mod tests {
    use crate::Excerpt;
    use crate::claim::names_failure;

    #[test]
    fn a_test_that_is_named_and_not_mended_is_a_failure_that_is_named() {
        for message in [
            "I haven't been able to fix test_a (three approaches).",
            "I tried three approaches for test_a, none works.",
            "I tried a stack and a regex for `test_a`. None of them worked.",
            "I gave up on test_a after three attempts.",
            "The work is incomplete: test_a → AssertionError, since the reducer flattens.",
            "Current state: red. `test_a` → TypeError.",
            "Tried to mend test_a without success.",
            "test_a is unsolved.",
            "Ich habe test_a nicht hinbekommen.",
            "Je n'ai pas réussi à corriger test_a.",
            "No he conseguido arreglar test_a.",
            "Мне не удалось починить test_a.",
            "test_a は修正できませんでした。",
            "我没能修好 test_a。",
        ] {
            assert!(names_failure(&Excerpt::of(message)), "{message}");
        }
        for message in [
            "I gave up on the old parser and wrote a new one.",
            "I haven't been able to find a nicer name for it.",
            "I added test_a.",
            "- test_a: raises TypeError for empty input",
            "The flow is parse → TypeError.",
            "I fixed test_a, which was incomplete.",
        ] {
            assert!(!names_failure(&Excerpt::of(message)), "{message}");
        }
    }
}
