//! What a claim leaves out because the message has named it: `all other tests pass`.

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
    let counts = |count: usize| {
        words.contains(&count.to_string().as_str())
            || count
                .checked_sub(1)
                .and_then(|at| NUMBERS.get(at))
                .is_some_and(|names| names.iter().any(|it| words.contains(it)))
    };
    if counts(count) {
        return true;
    }
    count == 1 || !failing.iter().any(is_named) && !counts(1)
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
        ] {
            assert!(accounts_for(message, &two), "{message}");
        }
        for message in ["test_conn fails because Postgres is down.", "One test fails: no Postgres."]
        {
            assert!(!accounts_for(message, &two), "{message}");
        }
        assert!(accounts_for("The upload fails, no bucket.", &names(&["tests/a.py::test_put"])));
    }
}
