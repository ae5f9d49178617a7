//! What a claim leaves out because the message has named it: `all other tests pass`.

use super::Kind;
use super::share::PARTS;
use super::token::{Token, tokens};

/// Words of the parts that a message has not named yet, in small letters.
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "other", "others", "rest", "remaining", "remainder", "else", "anderen", "andere", "übrigen", "restlichen", "sonstigen", "autres",
    "reste", "restants", "restantes", "demás", "otras", "otros", "resto", "outros", "outras", "demais", "altri", "altre", "restanti",
    "rimanenti", "overige", "andra", "övriga", "resten", "andre", "øvrige", "muut", "loput", "pozostałe", "inne", "reszta", "ostatní",
    "zbytek", "zbývající", "celelalte", "restul", "többi", "maradék", "diğer", "kalan", "khác", "còn lại", "lainnya", "lain", "sisanya",
    "ostali", "ostatak", "preostali", "altres", "resta", "остальные", "остальное", "астатнія", "другие", "решта", "інші", "останалите", "другите",
    "υπόλοιπα", "υπόλοιπες", "άλλα", "άλλες", "الأخرى", "الباقي", "بقية", "باقي", "المتبقية", "دیگر", "بقیه", "سایر", "שאר", "האחרים",
    "האחרות", "היתר", "הנותרים", "अन्य", "बाकी", "शेष",
];

/// The same in scripts without spaces.
#[rustfmt::skip]
const SOLID_OTHERS: &[&str] = &[
    "其他", "其它", "其余", "其餘", "剩余", "剩餘", "剩下", "余下", "別のテスト", "他のテスト", "ほかのテスト", "その他", "残り", "それ以外", "他はすべて", "他は全て",
    "나머지", "다른 테스트", "그 외", "อื่น", "ที่เหลือ",
];

/// Tells whether a sentence speaks of the others only: `the rest of the suite passes`.
pub(super) fn speaks_of_others(sentence: &str) -> bool {
    let text = sentence.to_lowercase();
    let mut words = text.split(|it: char| !it.is_alphabetic() && it != '\'');
    // "All tests pass, including the other ones" leaves nothing out.
    let is_added = text.contains("including") || text.contains("as well as");
    let is_phrase = |it: &&&str| it.contains(' ') && text.contains(**it);
    !is_added
        && (words.any(|it| OTHERS.contains(&it))
            || OTHERS.iter().find(is_phrase).is_some()
            || !text.is_ascii() && SOLID_OTHERS.iter().any(|it| text.contains(it)))
}

/// Counts in words, from one on.
const NUMBERS: &[&[&str]] = &[
    &["one", "ein", "eine", "un", "une", "uno", "una", "um", "uma", "een", "en", "ett", "один"],
    &[
        "two", "both", "zwei", "beide", "deux", "dos", "dois", "duas", "due", "twee", "två", "to",
        "два", "两个", "兩個",
    ],
    &["three", "drei", "trois", "tres", "três", "tre", "drie", "три", "三个"],
    &["four", "vier", "quatre", "cuatro", "quatro", "quattro", "fyra", "fire", "четыре"],
    &["five", "fünf", "cinq", "cinco", "cinque", "vijf", "fem", "пять"],
];

/// Beginnings of the words for what is counted.
#[rustfmt::skip]
const COUNTED: &[&str] = &[
    "test", "spec", "suite", "case", "assert", "failure", "prueb", "prova", "prove", "teszt", "тест", "тэст", "τεστ", "fehler", "échec", "fallo", "falha",
];
/// Beginnings of words that say that something fails.
#[rustfmt::skip]
const FAILING: &[&str] = &[
    "fail", "break", "broke", "scheit", "schl", "fehl", "échou", "falla", "falh", "fallis", "faal", "falen", "misslyck", "feil", "fejl", "padaj", "selh",
    "пада", "упал", "впал", "başarısız", "elbuk", "epäonn",
];
/// Words that may stand between a count and a word that says that something fails.
#[rustfmt::skip]
const BETWEEN: &[&str] = &[
    "of", "them", "the", "these", "those", "still", "are", "is", "now", "also", "both", "other", "others", "more", "remaining", "davon", "noch", "immer",
    "sind", "siguen", "todavía", "aún", "ainda", "encore", "sont", "toujours", "ancora", "nog", "zijn", "nadal", "stále", "ещё", "еще", "все", "всё", "hâlâ",
];

/// Words of a name that many names share.
const SHARED: &[&str] =
    &["test", "tests", "spec", "specs", "src", "main", "unit", "integration", "core", "lib", "it"];

/// Tells whether a message speaks of each failure of a run, where it says that the others pass: it
/// names them all, or the file or the module that holds them, or says how many they are. A message
/// that names none of them tells what fails in words of its own.
pub(crate) fn accounts_for(message: &str, failing: &[String]) -> bool {
    if failing.is_empty() {
        return true;
    }
    let text = message.to_lowercase();
    let words = words_of(&text);
    let is_named = |name: &String| is_named(&words, name);
    if failing.iter().all(is_named) {
        return true;
    }
    let count = failing.len();
    let tokens = tokens(&text);
    if counts_failures(&tokens, count) {
        return true;
    }
    count == 1 || !failing.iter().any(is_named) && !counts_failures(&tokens, 1)
}

/// Tells whether a text says how many tests or failures there are. A number of something else, as in
/// `expects 2 items`, counts no test.
fn counts_failures(tokens: &[Token<'_>], count: usize) -> bool {
    let number = u64::try_from(count).ok();
    let names = count.checked_sub(1).and_then(|at| NUMBERS.get(at)).copied().unwrap_or_default();
    let begins = |at: usize, table: &[&str]| {
        tokens.get(at).is_some_and(|it| table.iter().any(|stem| it.word.starts_with(stem)))
    };
    let is_failure =
        |at: usize| begins(at, FAILING) || tokens.get(at).is_some_and(|it| it.is(&["red", "rot"]));
    (0..tokens.len()).any(|at| {
        let is_count = match tokens[at].kind {
            Kind::Count(it) => Some(it) == number,
            Kind::Word => names.contains(&&*tokens[at].word),
            _ => false,
        };
        // The Norwegian "to" is an English word, too.
        if !is_count || &*tokens[at].word == "to" && !begins(at + 1, &["tester", "testene"]) {
            return false;
        }
        let words = |far: usize| (at + 1..at + far).take_while(|it| is_plain(tokens, *it));
        let next = words(6).find(|it| !tokens[*it].is(BETWEEN));
        // "Failures: 2", "failed: 2".
        let is_labelled =
            at > 1 && matches!(tokens[at - 1].kind, Kind::Colon) && is_failure(at - 2);
        words(4).any(|it| begins(it, COUNTED)) || next.is_some_and(is_failure) || is_labelled
    })
}

fn is_plain(tokens: &[Token<'_>], at: usize) -> bool {
    tokens.get(at).is_some_and(|it| it.kind == Kind::Word && !it.is(PARTS))
}

/// Tells whether a text names one of these tests.
pub(crate) fn names_some(text: &str, failing: &[String]) -> bool {
    let text = text.to_lowercase();
    let words = words_of(&text);
    failing.iter().any(|it| is_named(&words, it))
}

/// Tells whether a text names each of these tests, of which there are some.
pub(crate) fn names_each(text: &str, failing: &[String]) -> bool {
    let text = text.to_lowercase();
    let words = words_of(&text);
    !failing.is_empty() && failing.iter().all(|it| is_named(&words, it))
}

fn is_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

fn words_of(text: &str) -> Vec<&str> {
    text.split(|it| !is_word(it)).filter(|it| !it.is_empty()).collect()
}

/// Whether one of the words, in small letters, is a part of the name of a test.
fn is_named(words: &[&str], name: &str) -> bool {
    let name = name.to_lowercase();
    let mut parts = name.split(|it: char| !is_word(it)).filter(|it| it.len() > 2);
    parts.any(|it| !SHARED.contains(&it) && words.contains(&it))
}

#[cfg(test)]
mod tests {
    use super::{accounts_for, speaks_of_others};

    #[test]
    fn the_others_are_not_all() {
        for message in [
            "All other tests pass.",
            "The remaining 10 tests pass.",
            "Everything else passes.",
            "The rest of the suite passes.",
            "Alle anderen Tests laufen durch.",
            "Tous les autres tests passent.",
            "Las demás pruebas pasan.",
            "Остальные тесты проходят.",
            "他のテストはすべて通っています。",
            "其他测试全部通过。",
            "나머지 테스트는 모두 통과합니다.",
        ] {
            assert!(speaks_of_others(message), "{message}");
        }
        for message in
            ["All tests pass.", "All tests pass, including the other ones.", "所有测试通过。"]
        {
            assert!(!speaks_of_others(message), "{message}");
        }
    }

    #[test]
    fn a_failure_that_the_message_leaves_out_is_seen() {
        let names = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let two = names(&["tests/test_db.py::test_conn", "tests/test_api.py::test_get"]);
        for message in [
            "test_conn and test_get fail because Postgres is down.",
            "The tests in test_db and test_api fail because Postgres is down.",
            "Two tests fail because Postgres is down.",
            "2 tests fail because Postgres is down.",
            "The Postgres tests fail because the server is down.",
            "test_conn is one of 2 failures: Postgres is down.",
            "Both tests fail, test_conn first of all.",
            "Two of them still fail, test_conn and another one.",
            "Failures: 2, among them test_conn.",
            "Zwei Tests schlagen fehl, darunter test_conn.",
            "To tester feiler, test_conn er den ene.",
        ] {
            assert!(accounts_for(message, &two), "{message}");
        }
        for message in [
            "test_conn fails because Postgres is down.",
            "One test fails: no Postgres.",
            "test_conn fails because it expects 2 items.",
            "test_conn fails because it expects 0.2 and fails to round.",
            "test_conn fails since the rate went from 1 % to 2 %. All others pass.",
            "test_conn fails: it needs to test two hosts, and both are down.",
            "test_conn fails because of 2 missing rows. Everything else passes.",
        ] {
            assert!(!accounts_for(message, &two), "{message}");
        }
        assert!(accounts_for("The upload fails, no bucket.", &names(&["tests/a.py::test_put"])));
    }
}
