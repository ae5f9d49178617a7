//! How much a claim says to be verified.

/// How much a claim says to be verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimScope {
    /// What was run, whatever that is: `tests pass`.
    Some,
    /// All that the message has not named before: `all other tests pass`.
    Others,
    /// All of it, of which the words leave open how much that is: `all tests pass`.
    All,
    /// The whole suite, in so many words: `the full test suite is green`.
    Suite,
    /// More than one package, in so many words: `both packages pass`.
    Packages,
}

/// Words for a whole suite, in small letters.
#[rustfmt::skip]
const SUITE: &[&str] = &[
    "full suite", "full test suite", "full tests", "full test run", "full unit test suite", "entire suite",
    "entire test suite", "whole suite", "whole test suite", "complete suite", "complete test suite", "all test suites",
    "all suites", "every test in the", "entire codebase", "whole codebase", "entire project", "whole project",
    "entire workspace", "whole workspace", "across the workspace", "across the whole", "across the entire",
    "across the project", "in the project", "in the repository", "in the repo", "across the repo", "across the codebase",
    "in the codebase", "in the workspace", "across all ", "full regression", "full build and test", "full pytest", "full cargo test",
    "gesamte testsuite", "gesamte test-suite", "komplette testsuite", "ganze testsuite", "kompletten testsuite",
    "gesamten testsuite", "suite complète", "toute la suite", "suite completa", "toda la suite", "suíte completa",
    "suite de testes completa", "toda a suíte", "完整的测试套件", "整个测试套件", "全量测试", "全部测试套件",
    "テストスイート全体", "全テストスイート", "全体のテスト", "intera suite", "suite intera", "volledige testsuite", "hele testsuite",
    "cały zestaw testów", "wszystkie zestawy", "весь набор тестов", "полный набор тестов", "весь набір тестів", "повний набір тестів",
    "tüm test paketi", "hela testsviten", "hele testsuiten", "hele testpakken", "koko testisarja", "celá sada testů", "întreaga suită",
    "toată suita", "teljes tesztkészlet", "ολόκληρη η σουίτα", "toàn bộ bộ test", "toàn bộ bộ kiểm thử", "seluruh rangkaian tes", "seluruh pengujian",
    "完整的測試套件", "整個測試套件", "全部測試套件", "전체 테스트", "مجموعة الاختبارات كاملة", "full run of the", "complete run of the", "entire monorepo",
    "whole monorepo", "all of the tests in the", "every single test in the", "full set of",
    "entire set of", "whole set of", "complete set of", "suite complet",
];

/// Words for what was written just now, of which all is not all there is.
#[rustfmt::skip]
const ADDED: &[&str] = &[
    "new test", "added test", "tests i added", "tests i wrote", "new unit test", "new regression test", "new integration test",
    "neuen tests", "neue tests", "nouveaux tests", "nuevas pruebas", "nuevos tests", "novos testes", "nuovi test", "nieuwe tests", "nowe testy",
    "новые тесты", "нові тести", "yeni test", "nya tester", "nye test", "uudet testit", "nové testy", "noile teste", "új teszt", "tes baru",
    "新增测试", "新增的测试", "新增測試", "新测试", "新測試", "新しいテスト", "追加したテスト", "새 테스트", "새로운 테스트", "추가한 테스트",
];

/// Words for the rest, which stand beside them.
const REST: &[&str] =
    &["including", "existing", "all tests", "as well as", "and the", "incl", "old"];

/// Words for more than one.
const SEVERAL: &[&str] = &[
    "both",
    "all",
    "every",
    "each",
    "all three",
    "all four",
    "beide",
    "alle",
    "les deux",
    "todos",
    "ambos",
    "todas",
    "tous",
    "toutes",
    "tutti",
    "entrambi",
    "oba",
    "все",
    "оба",
    "обидва",
    "alla",
    "båda",
    "begge",
    "kaikki",
    "toate",
    "minden",
    "semua",
    "kedua",
];

/// What there may be more than one of.
#[rustfmt::skip]
const PACKAGES: &[&str] = &[
    "packages", "package", "crates", "crate", "modules", "module", "workspaces", "workspace", "services", "service",
    "apps", "app", "projects", "project", "components", "libraries", "repos", "repositories", "subprojects",
    "pakete", "module", "paquetes", "pacotes", "paquets", "pacchetti", "pakketten", "pakiety", "пакеты", "пакета", "пакети", "paketen",
    "pakker", "paketit", "balíčky", "pachetele", "csomag", "paket", "monorepo", "suites",
];

impl ClaimScope {
    /// The scope of a claim by the sentence that makes it; `whole` where the claim leaves nothing out.
    pub(super) fn of(sentence: &str, whole: bool) -> Self {
        let text = sentence.to_lowercase().replace("**", "").replace('`', "");
        if names_packages(&text) {
            Self::Packages
        } else if SUITE.iter().any(|it| text.contains(it)) || whole_suite(&text).is_some() {
            Self::Suite
        } else if whole && !names_added(&text) {
            Self::All
        } else {
            Self::Some
        }
    }
}

/// Stems of the verb by which code is compiled, and of a build.
#[rustfmt::skip]
const COMPILES: &[&str] = &[
    "compil", "kompil", "компіл", "компил", "μεταγλωττ", "derleni", "derliyor", "przekłada", "编译", "編譯", "コンパイル", "컴파일",
    "biên dịch", "förhandskompil", "kääntyy", "fordul",
];
const BUILDS: &[&str] =
    &["build", "bundle", "binary", "image", "构建", "構建", "ビルド", "빌드", "сборк"];

/// Tells whether a sentence says that code compiles, and nothing of a build.
pub(super) fn names_compilation(sentence: &str) -> bool {
    let text = sentence.to_lowercase();
    let has = |table: &[&str]| table.iter().any(|it| text.contains(it));
    has(COMPILES) && !has(BUILDS)
}

/// Words for all of it, before and behind the name of a suite.
#[rustfmt::skip]
const WHOLES: &[&str] = &[
    "full", "whole", "entire", "complete", "gesamte", "gesamten", "ganze", "ganzen", "komplette", "kompletten", "vollständige",
    "vollständigen", "toute", "l'ensemble", "toda", "intera", "tutta", "volledige", "gehele", "hele", "hela", "fulla", "koko", "cały",
    "cała", "pełny", "celá", "celou", "kompletní", "întreaga", "toată", "teljes", "egész", "tüm", "bütün", "cijeli", "весь", "вся",
    "полный", "полная", "увесь", "повний", "целият", "цялата", "пълният", "ολόκληρη", "πλήρης", "seluruh",
];
const WHOLES_BEHIND: &[&str] = &[
    "complète",
    "entière",
    "completa",
    "entera",
    "íntegra",
    "inteira",
    "intera",
    "completă",
    "lengkap",
];
/// Words for a suite.
#[rustfmt::skip]
const SUITES: &[&str] = &[
    "suite", "suites", "testsuite", "test-suite", "suíte", "suita", "suită", "zestaw", "testsviten", "testsuiten", "testpakken", "testisarja",
    "sada", "tesztkészlet", "tesztcsomag", "paketi", "skup", "набор", "набір", "пакет", "комплект", "σουίτα", "rangkaian", "testreeks",
];
/// Words that cannot stand between them.
#[rustfmt::skip]
const APART: &[&str] = &[
    "and", "or", "but", "with", "in", "on", "for", "the", "to", "is", "are", "passes", "pass", "passed", "that", "which", "und", "et", "y", "e",
    "und", "och", "og", "i", "и", "і",
];

/// The words between the word for all of it and the suite: `full Maven test suite`; `None` where the
/// sentence does not name a whole suite.
pub(crate) fn whole_suite(text: &str) -> Option<Vec<&str>> {
    let words: Vec<_> = text
        .split(|it: char| !it.is_alphanumeric() && !matches!(it, '-' | '\'' | '_'))
        .filter(|it| !it.is_empty())
        .collect();
    let is_suite =
        |it: &&&str| SUITES.contains(*it) || it.ends_with("-suite") || it.ends_with("testsuite");
    let suite_at = |at: usize| words.get(at).as_ref().is_some_and(is_suite);
    (0..words.len()).find_map(|at| {
        if WHOLES.contains(&words[at]) {
            let end = (at + 1..at + 6).find(|it| suite_at(*it))?;
            let between = &words[at + 1..end];
            return (!between.iter().any(|it| APART.contains(it))).then(|| between.to_vec());
        }
        let is_behind = || {
            (at + 1..at + 5).any(|it| words.get(it).is_some_and(|it| WHOLES_BEHIND.contains(it)))
        };
        (suite_at(at) && is_behind()).then(Vec::new)
    })
}

/// A plural that ends otherwise than in English.
fn is_foreign(word: &str) -> bool {
    !word.is_ascii()
        || ["pacchetti", "pakketten", "pakiety", "paketen", "pakker", "paketit"].contains(&word)
}

/// `all new tests`, but not `all tests, including the new ones`
fn names_added(text: &str) -> bool {
    let has = |table: &[&str]| table.iter().any(|it| text.contains(it));
    has(ADDED) && !has(REST)
}

/// `both packages`, `all 4 crates`, `in the frontend and the backend`
fn names_packages(text: &str) -> bool {
    let words: Vec<_> = text
        .split(|it: char| !it.is_alphanumeric() && it != '-')
        .filter(|it| !it.is_empty())
        .collect();
    let is_several = |at: usize| {
        SEVERAL.contains(&words[at])
            || matches!(words[at], "two" | "three" | "four" | "five" | "six")
    };
    let has_plural = |at: usize| {
        words[at + 1..].iter().take(3).any(|it| {
            PACKAGES.contains(it) && (it.ends_with('s') || it.ends_with('e') || is_foreign(it))
        }) || words[at] == "both" && words[at + 1..].iter().take(8).any(|it| PACKAGES.contains(it))
            || matches!(words[at], "every" | "each")
                && words.get(at + 1).is_some_and(|it| PACKAGES.contains(it))
    };
    let several = (0..words.len()).any(|at| is_several(at) && has_plural(at));
    // "Packages a and b".
    let is_and = |at: usize| {
        let and = [
            "and", "und", "et", "y", "e", "en", "och", "og", "ja", "i", "a", "și", "és", "ve", "и",
            "і",
        ];
        words.get(at).is_some_and(|it| and.contains(it))
    };
    let named = (0..words.len()).any(|at| {
        let is_plural = words[at].ends_with('s') || is_foreign(words[at]) || words[at] == "pakete";
        PACKAGES.contains(&words[at])
            && is_plural
            && words.len() > at + 3
            && (is_and(at + 2) || is_and(at + 3))
    });
    let pair =
        ["frontend and backend", "backend and frontend", "client and server", "server and client"];
    several || named || pair.iter().any(|it| words.join(" ").replace(" the ", " ").contains(it))
}

#[cfg(test)]
mod tests {
    use super::ClaimScope;
    use crate::{Excerpt, claims};

    fn scope(message: &str) -> ClaimScope {
        claims(&Excerpt::of(message))
            .first()
            .unwrap_or_else(|| panic!("no claim in {message}"))
            .scope
    }

    #[test]
    fn a_claim_says_how_much_it_is_about() {
        for (message, expected) in [
            ("The tests pass.", ClaimScope::Some),
            ("All tests pass.", ClaimScope::All),
            ("The full test suite is green.", ClaimScope::Suite),
            ("The entire suite passes.", ClaimScope::Suite),
            ("The whole test suite passes now.", ClaimScope::Suite),
            ("Tests pass in both packages.", ClaimScope::Packages),
            ("Both the core and the web package pass their tests.", ClaimScope::Packages),
            ("All tests pass in all 4 crates.", ClaimScope::Packages),
            ("All tests pass in every package.", ClaimScope::Packages),
            ("Both packages pass all of their tests.", ClaimScope::Packages),
            ("The tests of packages a and b pass.", ClaimScope::Packages),
            ("Full Maven test suite passes.", ClaimScope::Suite),
            ("The full pytest suite passes.", ClaimScope::Suite),
            ("The complete integration test suite is green.", ClaimScope::Suite),
            ("The entire unit test suite passes.", ClaimScope::Suite),
            ("Die gesamte Unit-Test-Suite ist grün.", ClaimScope::Suite),
            ("Toute la suite de tests passe.", ClaimScope::Suite),
            ("All other tests pass.", ClaimScope::Others),
            ("Alle anderen Tests bestehen.", ClaimScope::Others),
            ("The new test passes.", ClaimScope::Some),
            ("All 3 new tests pass.", ClaimScope::Some),
            ("All new unit tests pass.", ClaimScope::Some),
            ("All tests pass, including the new tests.", ClaimScope::All),
            ("No tests fail anymore.", ClaimScope::All),
            ("100 % of the tests pass.", ClaimScope::All),
            ("CI is green.", ClaimScope::Some),
            ("Die Tests sind grün.", ClaimScope::Some),
            ("Alle Tests sind grün.", ClaimScope::All),
            ("Die gesamte Testsuite ist grün.", ClaimScope::Suite),
            ("Alle neuen Tests bestehen.", ClaimScope::Some),
            ("Tous les tests passent.", ClaimScope::All),
            ("Все тесты проходят.", ClaimScope::All),
            ("Весь набор тестов проходит.", ClaimScope::Suite),
            ("Все пакеты: тесты проходят.", ClaimScope::Packages),
            ("所有测试都通过了。", ClaimScope::All),
            ("整個測試套件通過。", ClaimScope::Suite),
            ("新增的测试全部通过。", ClaimScope::Some),
        ] {
            assert_eq!(scope(message), expected, "{message}");
        }
    }
}
