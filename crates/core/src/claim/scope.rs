//! How much a claim says to be verified.

/// How much a claim says to be verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimScope {
    /// What was run, whatever that is: `tests pass`.
    Some,
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
    "テストスイート全体", "全テストスイート", "全体のテスト",
];

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
];

/// What there may be more than one of.
#[rustfmt::skip]
const PACKAGES: &[&str] = &[
    "packages", "package", "crates", "crate", "modules", "module", "workspaces", "workspace", "services", "service",
    "apps", "app", "projects", "project", "components", "libraries", "repos", "repositories", "subprojects",
    "pakete", "module", "paquetes", "pacotes", "paquets",
];

impl ClaimScope {
    /// The scope of a claim by the sentence that makes it; `whole` where the claim leaves nothing out.
    pub(super) fn of(sentence: &str, whole: bool) -> Self {
        let text = sentence.to_lowercase().replace("**", "").replace('`', "");
        if names_packages(&text) {
            Self::Packages
        } else if SUITE.iter().any(|it| text.contains(it)) {
            Self::Suite
        } else if whole {
            Self::All
        } else {
            Self::Some
        }
    }
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
        words[at + 1..]
            .iter()
            .take(3)
            .any(|it| PACKAGES.contains(it) && (it.ends_with('s') || it.ends_with('e')))
            || words[at] == "both" && words[at + 1..].iter().take(8).any(|it| PACKAGES.contains(it))
            || matches!(words[at], "every" | "each")
                && words.get(at + 1).is_some_and(|it| PACKAGES.contains(it))
    };
    let several = (0..words.len()).any(|at| is_several(at) && has_plural(at));
    let pair =
        ["frontend and backend", "backend and frontend", "client and server", "server and client"];
    several || pair.iter().any(|it| words.join(" ").replace(" the ", " ").contains(it))
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
        ] {
            assert_eq!(scope(message), expected, "{message}");
        }
    }
}
