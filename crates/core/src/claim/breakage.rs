//! What a message says of tests by their names: that they broke, or that they failed before.

use super::report::is_over;
use super::share::PARTS;
use crate::evidence::short_name;
use crate::{Excerpt, claim::lines::passages};

/// Beginnings of words that say that something broke, in small letters.
#[rustfmt::skip]
const BREAKS: &[&str] = &[
    "break", "broke", "regress", "fail", "red", "kaputt", "fehl", "schlägt", "bricht", "gebrochen", "scheitert", "fehlgeschlagen", "cass", "régress", "échou", "romp", "roto", "rota", "falla", "regresi",
    "quebr", "falha", "rott", "fallisc", "regressione", "stuk", "kapot", "faalt", "trasig", "misslyck", "ødela", "feiler", "fejler", "zepsu", "padają", "rozbi", "selh", "сломал", "ломает", "сломан", "регресс", "падает", "упал", "зламав", "зламан", "bozd", "bozul",
];

/// The same in scripts without spaces.
const BREAKS_SOLID: &[&str] =
    &["壊れ", "壊し", "失敗", "破坏", "弄坏", "失败", "破壞", "깨졌", "깨뜨", "실패"];

/// What takes the breakage out of a sentence.
#[rustfmt::skip]
const NOT_BROKEN: &[&str] = &[
    "not break", "n't break", "not broke", "no regression", "never broke", "unbroken", "not regress", "n't regress", "nicht kaputt", "pas cass", "no romp", "не слом",
];

/// What says that something could not be done.
#[rustfmt::skip]
const COULD_NOT: &[&str] = &[
    "couldn't", "could not", "cannot", "can't", "unable", "not possible", "impossible", "no way", "konnte", "nicht möglich", "n'ai pas pu", "impossible", "no pude", "no puedo", "não consegui", "non sono riuscit", "не смог", "не удалось",
];

/// Tells whether a message says of each of these tests, by its name, that it broke or fails.
pub(crate) fn tells_breakage(message: &Excerpt, failing: &[String]) -> bool {
    let sentences = small_sentences(message);
    let tells = |name: &str| sentences.iter().any(|it| has_name(it, name) && breaks(it, name));
    !failing.is_empty() && failing.iter().all(|it| tells(&short_name(it).to_lowercase()))
}

/// The sentences of a message, in small letters.
fn small_sentences(message: &Excerpt) -> Vec<String> {
    let all = passages(message);
    let small = all.iter().map(|it| it.text.replace("**", "").replace('’', "'").to_lowercase());
    small
        .flat_map(|it| {
            super::report::sentences(&it).into_iter().map(str::to_owned).collect::<Vec<_>>()
        })
        .collect()
}

/// Whether a sentence has the name of a test, or that of the function of a case: `test_a[1]`.
fn has_name(sentence: &str, name: &str) -> bool {
    let base = name.split('[').next().unwrap_or(name);
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    base.len() > 2
        && sentence.match_indices(base).any(|(at, _)| {
            let before = sentence[..at].chars().next_back();
            let after = sentence[at + base.len()..].chars().next();
            !before.is_some_and(is_word) && !after.is_some_and(is_word)
        })
}

/// Whether a sentence says that something broke, and not that it did not.
fn breaks(sentence: &str, name: &str) -> bool {
    // The name of a test may have such a word.
    let base = name.split('[').next().unwrap_or(name);
    let text = sentence.replace(base, " ");
    let has = |table: &[&str]| table.iter().any(|it| text.contains(it));
    let words = || text.split(|it: char| !it.is_alphabetic() && it != '\'');
    let is_broken = words().any(|word| {
        BREAKS.iter().any(|it| if *it == "red" { word == "red" } else { word.starts_with(it) })
    });
    let is_spared = text.contains("without break") && !has(COULD_NOT);
    (is_broken || !text.is_ascii() && has(BREAKS_SOLID))
        && !has(NOT_BROKEN)
        && !is_spared
        && !is_over(&text)
}

/// Words that say of a failure that it was there before the work, in small letters.
#[rustfmt::skip]
const OLD: &[&str] = &[
    "pre-existing", "preexisting", "pre existing", "already broken", "already failing", "already failed", "already red", "already fails", "was failing before", "were failing before", "failing before my", "failed before", "fails before",
    "failing before the", "failing before this", "failing before any", "broken before", "existed before", "fails on main", "fails on master", "failing on main", "failing on master", "failed on main", "failed on master", "broken on main", "broken on master", "red on main", "red on master", "fail on main", "fail on master",
    "fails without my", "fail without my", "fails without the change", "fails without these", "fails the same without", "same failure before", "same as before my", "existing failure", "long-standing failure", "longstanding failure", "was there before", "were there before", "not introduced by", "wasn't introduced by", "not a regression", "isn't a regression", "has always failed", "always been failing", "always been broken",
    "schon vorher", "bereits vorher", "vorher schon", "schon kaputt", "bereits kaputt", "vorbestehend", "schon vor meiner", "bereits vor meiner", "ohne meine änderung", "auch auf main", "déjà cass", "déjà en échec", "préexistant", "échouait déjà", "avant mes", "avant ma", "ya estaba rot", "ya fallaba", "preexistente", "antes de mi", "antes de mis", "já estava quebrad", "já falhava", "già rott", "falliva già",
    "al kapot", "faalde al", "redan trasig", "allerede ødelagt", "już wcześniej", "už předtím", "zaten bozuk", "было сломано", "был сломан", "уже падал", "падал и раньше", "вже падав", "本来就", "之前就", "原本就", "以前から", "もともと", "변경 전", "원래부터",
];

/// Words that leave open whether it is so.
#[rustfmt::skip]
const OPEN: &[&str] = &[
    "believe", "think", "probably", "likely", "may ", "might", "maybe", "perhaps", "seem", "appear", "presumabl", "suspect", "assum", "guess", "whether", "unsure", "not sure", "not check", "n't check", "not verif", "n't verif", "unverified", "not confirm", "n't confirm",
    "not know", "n't know", "could be", "looks like", "looks pre", "as you said", "you said", "you mention", "you told", "vermutlich", "wahrscheinlich", "wohl", "glaube", "nicht geprüft", "probablement", "je pense", "je crois", "creo", "probablemente", "supongo", "penso", "probabilmente", "provavelmente", "waarschijnlijk", "troligen", "sannsynligvis", "prawdopodobnie", "вероятно", "наверное", "думаю", "可能", "おそらく", "多分", "아마",
];

/// The sentence that says of a failure that it was there before the work, where nothing leaves that
/// open.
pub(crate) fn old_failure(message: &Excerpt) -> Option<String> {
    let all = passages(message);
    all.iter().find_map(|passage| {
        let plain = passage.text.replace("**", "");
        let sentences = super::report::sentences(&plain);
        let at = sentences.iter().position(|it| {
            let small = it.to_lowercase().replace('’', "'");
            let has = |table: &[&str]| table.iter().any(|it| small.contains(it));
            has(OLD) && !has(OPEN) && !small.trim_end().ends_with(['?', '？'])
        })?;
        // The next sentence may leave it open: "I did not check it."
        let next = sentences.get(at + 1).map(|it| it.to_lowercase()).unwrap_or_default();
        let is_open = OPEN.iter().any(|it| next.contains(it));
        (!is_open).then(|| sentences[at].trim().to_owned())
    })
}

/// The count of tests that a claim has: `198 tests pass`. Of several the least counts.
pub(crate) fn claimed_count(quote: &str) -> Option<u64> {
    let small = quote.to_lowercase();
    let is_part = |it: char| it.is_whitespace() || matches!(it, ',' | ';' | '(' | ')' | '/' | ':');
    let words: Vec<_> = small.split(is_part).filter(|it| !it.is_empty()).collect();
    let is_test = |it: &&str| {
        ["test", "spec", "pass", "prueb", "тест", "тестов", "green", "prov", "check"]
            .iter()
            .any(|begin| it.starts_with(begin))
    };
    let counts = words.iter().enumerate().filter_map(|(at, word)| {
        let count: u64 = word.trim_end_matches('.').parse().ok().filter(|it| *it > 0)?;
        let after = words.get(at + 1..words.len().min(at + 4)).unwrap_or_default();
        // "12 of 40 tests", "12 files, 3 tests".
        // "21 % and all tests" counts no tests.
        let divides = |it: &str| it.starts_with('%') || PARTS.contains(&it);
        let near = after
            .iter()
            .take_while(|it| (it.parse::<u64>().is_err() || **it == *word) && !divides(it));
        near.into_iter().any(&is_test).then_some(count)
    });
    counts.min()
}

#[cfg(test)]
mod tests {
    use super::{claimed_count, old_failure, tells_breakage};
    use crate::Excerpt;

    #[test]
    fn a_claim_counts_tests() {
        for (quote, count) in [
            ("198 tests pass.", Some(198)),
            ("All 198 tests pass.", Some(198)),
            ("198/198 tests pass.", Some(198)),
            ("Fixed, 198 passed.", Some(198)),
            ("198 Tests laufen durch.", Some(198)),
            ("All 42 unit tests now pass", Some(42)),
            ("All tests pass in 12 files.", None),
            ("The tests pass.", None),
            ("The rate is 21 % and tests pass.", None),
            ("I renamed 40 files and tests pass.", None),
            ("21 % Steuer und Tests laufen.", None),
        ] {
            assert_eq!(claimed_count(quote), count, "{quote}");
        }
    }

    #[test]
    fn a_breakage_is_told_by_the_name_of_the_test() {
        let names = ["tests/test_x.py::test_x[a-1]".to_owned()];
        let tells = |text: &str| tells_breakage(&Excerpt::of(text), &names);
        for text in [
            "My change broke test_x: it expects the old format.",
            "One regression, test_x[a-1].",
            "I couldn't do it without breaking test_x.",
            "Mon changement a cassé test_x.",
            "Mi cambio rompió test_x.",
            "Meine Änderung hat test_x kaputt gemacht.",
        ] {
            assert!(tells(text), "{text}");
        }
        for text in [
            "My change broke nothing.",
            "I did it without breaking test_x.",
            "I fixed test_x, which was broken.",
            "test_x is no longer broken.",
            "My change did not break test_x.",
            "I broke test_xyz.",
        ] {
            assert!(!tells(text), "{text}");
        }
    }

    #[test]
    fn a_failure_that_is_called_old_is_quoted() {
        let found = |text: &str| old_failure(&Excerpt::of(text));
        let text = "Done. There is a pre-existing failure in test_x.";
        assert_eq!(found(text).as_deref(), Some("There is a pre-existing failure in test_x."));
        for text in [
            "test_x fails; I believe it is pre-existing.",
            "test_x fails; it is probably pre-existing.",
            "It is a pre-existing failure. I did not check that.",
            "Is it a pre-existing failure?",
            "test_x fails because the fixture is old.",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
