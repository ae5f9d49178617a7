//! The words of the English grammar, by their part in a sentence.
//!
//! | part | words | what it does |
//! | --- | --- | --- |
//! | subject | `subject`, `command_subject`, `COMPOUNDS`, `COMPILED` | what passes |
//! | noun phrase | `WHOLE`, `DETERMINERS`, `MODIFIERS`, `PARTIAL`, `NOT_MODIFIERS` | how much of it |
//! | opening | `OPENINGS`, `FOUND` | what may stand before the noun phrase |
//! | filling | `FILLING`, `PREPOSITIONS` | what may stand between subject and state |
//! | state | `PASSES`, `PROBLEMS` | that it passes |
//! | seen | `FOUND`, `SEEN`, `DONE`, `READ` | that the author saw it work, and did not only read |
//! | follower | `FOLLOWERS` | what may stand after the state |
//! | guard | `…_GUARDS`, `IMPERATIVES` | what makes it a wish, a condition, a description or the word of somebody else |
//! | doubt | `NEGATIONS`, `RUNS`, `REQUESTS`, `FAILS` | what the message takes back |

use super::Claimed;
use super::marks::Marks;

/// A list of words, as many as fit on a line.
macro_rules! words {
    ($($word:literal)*) => { &[$($word),*] };
}
pub(super) use words;

/// The nouns that name a subject.
pub(super) const SUBJECTS: &[(&[&str], Claimed)] = &[
    (
        words! {
            "test" "tests" "suite" "suites" "testsuite" "spec" "specs" "pytest" "jest" "vitest"
            "rspec" "phpunit" "ctest" "nextest" "doctests" "unittests" "mocha" "karma" "jasmine" "junit"
            "minitest" "testng" "xunit" "nunit" "gtest" "bats" "tox" "unittest" "testcafe" "qa"
        },
        Claimed::Tests,
    ),
    (words! { "build" "builds" "compilation" }, Claimed::Build),
    (
        words! {
            "lint" "lints" "linter" "linters" "linting" "clippy" "eslint" "ruff" "golangci-lint"
            "biome" "rubocop" "pylint" "flake8" "shellcheck" "stylelint"
        },
        Claimed::Lint,
    ),
    (
        words! {
            "types" "typecheck" "typechecks" "typechecker" "typechecking" "type-check" "type-checks"
            "type-checker" "type-checking" "tsc" "mypy" "pyright"
        },
        Claimed::Types,
    ),
];

/// The subject that a noun names.
pub(super) fn subject(word: &str) -> Option<Claimed> {
    if is_test_word(word) {
        return Some(Claimed::Tests);
    }
    if !Marks::of(word).has(Marks::SUBJECT) {
        return None;
    }
    // A script of a manifest: `test:unit`.
    let word = word.split(':').next().unwrap_or(word);
    SUBJECTS.iter().find(|(nouns, _)| nouns.contains(&word)).map(|(_, what)| *what)
}

/// Nouns that only together name a subject; the first may be one by itself.
pub(super) const COMPOUNDS: &[(&str, &[&str], Claimed)] = &[
    (
        "test",
        &["suite", "suites", "case", "cases", "run", "runs", "files", "execution", "session"],
        Claimed::Tests,
    ),
    ("pytest", TOOL_RUNS, Claimed::Tests),
    ("jest", TOOL_RUNS, Claimed::Tests),
    ("vitest", TOOL_RUNS, Claimed::Tests),
    ("rspec", TOOL_RUNS, Claimed::Tests),
    ("phpunit", TOOL_RUNS, Claimed::Tests),
    ("ctest", TOOL_RUNS, Claimed::Tests),
    ("nextest", TOOL_RUNS, Claimed::Tests),
    ("type", &["check", "checks", "checking", "checker"], Claimed::Types),
    ("typescript", &["check", "checks", "compilation", "compiler"], Claimed::Types),
    ("lint", &["check", "checks", "run"], Claimed::Lint),
    ("linter", &["check", "checks", "run"], Claimed::Lint),
    ("build", &["check", "checks", "pipeline", "pipelines"], Claimed::Build),
    ("typescript", &["reports", "is", "has", "shows", "finds"], Claimed::Types),
    ("compiler", &["reports", "is", "has", "shows", "finds"], Claimed::Build),
    ("ci", CI_RUNS, Claimed::Tests),
    ("github", &["actions", "checks", "action", "workflow", "workflows"], Claimed::Tests),
    ("gitlab", &["ci", "pipeline", "pipelines"], Claimed::Tests),
    ("pr", &["checks", "pipeline"], Claimed::Tests),
    ("status", &["checks"], Claimed::Tests),
    ("workflow", &["run", "runs", "job", "jobs"], Claimed::Tests),
    ("actions", &["run", "runs", "workflow"], Claimed::Tests),
    ("regression", &["run", "runs", "testing"], Claimed::Tests),
    ("full", &["run"], Claimed::Tests),
    ("sanity", &["check", "checks"], Claimed::Works),
    ("smoke", &["check", "checks", "testing"], Claimed::Works),
    ("manual", &["testing", "tests", "test", "verification", "check", "checks"], Claimed::Works),
    ("local", &["testing", "verification"], Claimed::Works),
    ("pre-commit", &["hook", "hooks", "checks", "run"], Claimed::Works),
];

const TOOL_RUNS: &[&str] = words! { "suite" "suites" "run" "tests" "specs" };

/// What runs elsewhere what the project verifies.
pub(super) const CI: &[&str] = words! { "ci" "pipeline" "pipelines" "ci/cd" };
const CI_RUNS: &[&str] = words! {
    "checks" "check" "run" "runs" "pipeline" "pipelines" "jobs" "job" "build" "builds" "status"
    "workflow" "workflows" "tests"
};

/// The subject of a problem: `no type errors`.
pub(super) fn problem_subject(word: &str) -> Option<Claimed> {
    match word {
        "type" | "typing" | "typescript" | "ts" => Some(Claimed::Types),
        "compile" | "compiler" | "compilation" => Some(Claimed::Build),
        _ => subject(word),
    }
}

/// Programs that run something; a piece of code that begins otherwise is no command.
const RUNNERS: &[&str] = words! {
    "bazel" "bun" "bundle" "bunx" "cargo" "cmake" "composer" "deno" "docker" "dotnet" "go"
    "gradle" "gradlew" "hatch" "just" "lerna" "make" "meson" "mise" "mix" "moon" "mvn" "mvnw"
    "ninja" "node" "nox" "npm" "npx" "nx" "pdm" "php" "pixi" "pnpm" "poetry" "python" "python3"
    "rake" "rye" "sbt" "stack" "swift" "task" "tox" "turbo" "uv" "uvx" "xcodebuild" "yarn" "zig"
};

/// The subject of a command, such as `cargo test -p core`.
pub(super) fn command_subject(code: &str) -> Option<Claimed> {
    let mut words = code
        .split(|c: char| c.is_whitespace() || c == '&' || c == '/')
        .map(|word| word.trim_start_matches(['.', '$']))
        .filter(|word| !word.is_empty() && !word.contains('='));
    let first = words.next()?;
    if let Some(found) = subject(first) {
        return Some(found);
    }
    if !RUNNERS.contains(&first) {
        return is_test_name(code).then_some(Claimed::Tests);
    }
    // A command may lint and test; the tests are what is asked for.
    let named = |word: &str| match word {
        "check" => Some(Claimed::Build),
        "verify" | "ci" | "validate" => Some(Claimed::Tests),
        word => subject(word),
    };
    words.filter_map(named).min()
}

/// What a name says that begins with `test_` and is no test.
const NO_TESTS: &[&str] = words! {
    "data" "utils" "util" "helper" "helpers" "config" "env" "mode" "dir" "db" "fixture" "fixtures"
    "file" "files" "path" "paths" "runner" "settings" "server" "client" "database" "user" "name"
};

/// Tells whether a word in small letters is the name of a test, or of a file of tests.
pub(crate) fn is_test_word(word: &str) -> bool {
    if !word.contains(['_', '.']) || !word.contains("test") && !word.contains("spec") {
        return false;
    }
    let rest = word.strip_prefix("test_").unwrap_or_default();
    is_test_name(word) && !NO_TESTS.contains(&rest)
}

/// `test_login`, `TestLogin`, `login_test`, `login.test.ts`
fn is_test_name(code: &str) -> bool {
    let named = code.starts_with("test_")
        || code.strip_prefix("Test").is_some_and(|it| it.starts_with(char::is_uppercase))
        || [".test.", ".spec.", "_test.", "_spec.", "::test_"].iter().any(|it| code.contains(it))
        || code.ends_with("_test");
    named && !code.contains(char::is_whitespace)
}

/// Everything of it.
pub(super) const WHOLE: &[&str] = words! {
    "all" "every" "whole" "entire" "full" "complete" "everything" "both"
};
pub(super) const DETERMINERS: &[&str] = words! {
    "the" "these" "those" "this" "our" "my" "its" "their" "each" "all" "every" "both"
};
pub(super) const MODIFIERS: &[&str] = words! {
    "unit" "integration" "e2e" "end-to-end" "regression" "smoke" "snapshot" "golden" "functional" "doc"
    "acceptance" "existing" "new" "added" "updated" "related" "relevant" "remaining" "affected"
    "focused" "targeted" "whole" "entire" "full" "complete" "corresponding" "frontend" "backend"
    "cargo" "go" "npm" "pnpm" "yarn" "rust" "python" "typescript" "javascript" "production"
    "release" "debug" "project" "workspace" "package" "core" "api" "ui" "cli" "local" "other"
    "previous" "final" "extension" "maven" "gradle" "dotnet" "php" "ruby" "rails" "django" "java"
    "kotlin" "swift" "web" "mobile" "server" "client" "playwright" "cypress" "docker" "c++" "node"
};
pub(super) const PARTIAL: &[&str] = words! {
    "some" "most" "many" "several" "few" "half" "only" "no" "none" "any" "neither" "certain"
    "partial" "nearly" "almost" "not" "first" "second" "third"
};
/// Words that are never part of a noun phrase: verbs that cause, helpers, prepositions, pronouns.
pub(super) const NOT_MODIFIERS: &[&str] = words! {
    "make" "makes" "made" "making" "let" "lets" "help" "helps" "keep" "keeps" "get" "gets" "got"
    "have" "has" "had" "see" "sees" "watch" "ensure" "ensures" "run" "runs" "ran" "running" "fix"
    "fixes" "fixed" "add" "adds" "write" "wrote" "is" "are" "was" "were" "be" "been" "to" "in"
    "on" "of" "for" "with" "by" "from" "at" "as" "into" "through" "during" "and" "or" "but" "so"
    "that" "which" "who" "when" "if" "once" "until" "unless" "before" "after" "while" "because"
    "since" "than" "then" "not" "i" "we" "you" "they" "it" "he" "she" "can" "could" "should"
    "would" "will" "may" "might" "must" "do" "does" "did" "said" "passes" "pass" "passed" "your"
    "failing" "broken" "failed" "flaky" "what" "how" "why" "where" "shows" "showed" "confirms"
    "reports" "brings" "brought" "turned" "turns"
};
/// What a test was until it was mended.
pub(super) const MENDED: &[&str] = words! { "failing" "broken" "failed" "flaky" "red" "skipped" };
/// When it was so.
pub(super) const ONCE: &[&str] = words! { "previously" "formerly" "originally" "once" "earlier" };

/// What may stand before a noun phrase, besides the beginning and punctuation.
pub(super) const OPENINGS: &[&str] = words! {
    "and" "but" "plus" "now" "also" "finally" "though" "with" "yes" "done"
};
/// What the author found out.
pub(super) const FOUND: &[&str] = words! {
    "confirmed" "verified" "checked" "validated" "tested" "double-checked" "re-verified" "reverified"
    "re-checked" "rechecked" "ensured" "re-tested" "retested" "re-confirmed"
};
pub(super) const FILLING: &[&str] = words! {
    "are" "is" "was" "were" "have" "has" "been" "all" "both" "now" "still" "also" "currently"
    "again" "successfully" "fully" "completely" "finally" "just" "continue" "continues" "to"
    "come" "comes" "came" "back" "out" "run" "runs" "ran" "complete" "completes" "completed"
    "finish" "finishes" "finished" "report" "reports" "reported" "show" "shows" "showed" "return"
    "returns" "returned" "remain" "remains" "stay" "stays" "each" "them" "with" "found" "finds"
    "says" "result" "results" "status" "went" "goes" "go" "turned" "turns" "stayed" "ended" "up"
    "executed" "re-run" "rerun" "reran" "re-ran" "confirmed" "verified" "once" "more" "consistently"
    "it's" "they're" "together" "then" "did" "do" "look" "looks" "looking" "looked" "locally" "fixed" "resolved" "mended" "repaired" "stable"
    "through" "certainly" "definitely" "indeed" "really" "actually"
};
pub(super) const PREPOSITIONS: &[&str] = words! {
    "in" "for" "of" "across" "under" "from" "within" "with" "against" "including"
};
pub(super) const PASSES: &[&str] = words! {
    "pass" "passes" "passed" "passing" "green" "succeed" "succeeds" "succeeded" "succeeding"
    "successful" "successfully" "success" "ok" "okay" "clean" "cleanly" "happy" "lint-clean"
    "all-green" "satisfied"
};
/// A state that is one only after a verb: `the tests are fine`.
pub(super) const FINE: &[&str] = words! { "fine" "good" "flawlessly" "smoothly" };
pub(super) const PROBLEMS: &[&str] = words! {
    "issue" "issues" "error" "errors" "warning" "warnings" "failure" "failures" "failed" "failing"
    "problems" "violations" "findings" "offenses" "complaints" "diagnostics" "regressions"
    "regression" "crashes" "problem" "complaint" "hitch" "hiccup" "hiccups" "glitch"
};
/// Problems that only a test run counts.
pub(super) const FAILURES: &[&str] = words! { "failures" "failure" };
pub(super) const FOLLOWERS: &[&str] = words! {
    "and" "but" "now" "again" "too" "with" "without" "in" "for" "on" "after" "across" "locally"
    "cleanly" "successfully" "including" "so" "both" "at" "under" "still" "throughout" "against"
    "plus" "though" "while" "along" "apart" "aside" "except" "as" "too" "everywhere" "perfectly" "clean"
    "if" "when"
    "remain" "found" "reported" "consistently" "reliably" "repeatedly" "using" "via" "everywhere"
    "this" "every" "fully" "fine" "end-to-end" "anymore" "either" "there" "here" "today" "left"
};

/// What is said to compile.
pub(super) const COMPILED: &[&str] = words! {
    "code" "project" "everything" "it" "crate" "workspace" "package" "app" "binary" "application"
    "module" "all" "both" "library" "this" "now" "still" "also" "site" "typescript" "frontend"
    "backend" "extension" "image" "images" "container" "wheel" "bundle" "archive" "apk" "jar"
};
/// How it was seen, or that it works.
pub(super) const SEEN: &[&str] = words! {
    "works" "work" "working" "fixed" "behaves" "resolved" "end-to-end" "e2e" "manually" "locally"
    "live" "browser" "boots" "responds" "renders" "launches"
};
/// What was done besides the verification.
pub(super) const DONE: &[&str] = words! {
    "implemented" "fixed" "done" "applied" "complete" "completed" "deployed" "built"
    "re-implemented" "updated" "resolved" "finished" "added"
};
/// Where looking is not running.
pub(super) const READ: &[&str] = words! {
    "reading" "inspection" "inspecting" "review" "grep" "docs" "source" "diff" "statically" "looking"
    "re-reading" "reread" "read" "eye" "reviewing"
};

/// Before the claim, anywhere in its sentence: conditions, descriptions, words of others.
pub(super) const SENTENCE_GUARDS: &[&str] = words! {
    "if" "when" "whenever" "once" "until" "till" "unless" "whether" "assuming" "provided"
    "suppose" "before" "previously" "earlier" "originally" "initially" "yesterday" "ensures"
    "checks" "verifies" "validates" "asserts" "requires" "guarantees" "ensure" "ensuring" "said"
    "say" "says" "mentioned" "reported" "claims" "claimed" "claim" "told" "stated" "states"
    "thought" "think" "assume" "assumes" "assumed" "believe" "expect" "expects" "expected" "hope"
    "hopefully" "want" "wants" "wanted" "asked" "goal" "criteria" "criterion" "requirement" "todo"
    "plan" "step" "target" "condition" "definition" "scenario" "example" "precondition" "where"
    "upstream" "ci" "otherwise" "wait" "waiting" "instead" "theoretically" "presumably" "likely"
    "probably" "suggests" "implies" "supposedly" "apparently" "ideally" "eventually" "according"
    "requirements"
};
/// Before the claim, in its clause: wishes, commands, possibilities.
pub(super) const CLAUSE_GUARDS: &[&str] = words! {
    "should" "would" "could" "might" "may" "will" "must" "can" "cannot" "need" "needs" "going"
    "let" "let's" "please" "not" "never" "no" "you" "you'll" "i'll" "we'll" "it'll" "won't"
    "can't" "couldn't" "shouldn't" "wouldn't" "don't" "doesn't" "didn't" "haven't" "hasn't"
    "isn't" "aren't" "wasn't" "weren't" "they" "he" "she" "user" "make" "makes" "making" "sure"
    "to" "require" "want" "try" "how"
    "verifying" "checking" "confirming" "running"
};
/// After the claim, in its clause.
pub(super) const AFTER_GUARDS: &[&str] = words! {
    "if" "when" "whenever" "once" "until" "unless" "before" "because" "regardless" "even" "only"
    "provided" "assuming" "main" "master" "upstream" "ci" "develop" "staging" "you" "your"
    "previously" "earlier" "except" "apart" "aside" "whether" "should" "would" "might" "likely"
    "presumably" "theory" "theoretically" "expected" "initially" "originally" "hopefully" "then"
    "vacuously" "trivially" "silently" "accidentally" "incorrectly" "wrongly" "despite" "fail"
    "fails" "yesterday" "rather"
    "first" "previous" "week" "month" "older" "paper" "principle" "imagination" "mind"
};
/// First words of an instruction.
pub(super) const IMPERATIVES: &[&str] = words! {
    "run" "rerun" "re-run" "make" "ensure" "verify" "check" "confirm" "validate" "wait" "keep"
    "try" "let" "let's" "please" "consider" "write" "remember" "implement" "refactor" "watch"
    "get" "iterate" "repeat" "finish" "use" "see" "require" "expect" "assert"
};
/// Words of a heading that makes its section a plan or a description.
pub(super) const SECTION_GUARDS: &[&str] = words! {
    "plan" "plans" "planned" "next" "todo" "steps" "step" "how" "acceptance" "criteria" "expected"
    "before" "example" "examples" "scenario" "scenarios" "problem" "proposal" "proposed"
    "recommendation" "recommendations" "recommended" "suggestion" "suggestions" "suggested"
    "option" "options" "workflow" "why" "when" "if" "should" "would" "approach" "background"
    "requirement" "requirements" "goal" "goals" "remaining" "usage" "troubleshooting" "phase"
    "instructions" "ci" "strategy" "benefits" "tasks" "definition" "guide" "pros" "cons"
    "gate" "gates" "checklist" "process" "codes" "conditions" "rules" "idea"
};
/// Words of a line with a colon that makes the list below it a plan or a description.
pub(super) const LEAD_GUARDS: &[&str] = words! {
    "plan" "next" "todo" "steps" "how" "acceptance" "criteria" "expected" "before" "example"
    "option" "options" "workflow" "when" "if" "once" "should" "would" "could" "will" "must" "can"
    "need" "needs" "to" "you" "you'll" "that" "ensures" "verifies" "checks"
    "until" "goal" "goals" "requirements" "recommend" "suggest" "scenario"
    "benefits" "where" "ci" "means"
    "codes" "conditions" "gate" "rules" "checklist" "require" "requires" "follows"
};

pub(super) const NEGATIONS: &[&str] = words! {
    "not" "never" "unable" "cannot" "can't" "couldn't" "haven't" "hasn't" "didn't" "wasn't"
    "weren't" "isn't" "aren't" "without" "don't" "nothing" "skipped"
};
pub(super) const RUNS: &[&str] = words! {
    "run" "ran" "running" "rerun" "re-run" "execute" "executed" "executing" "verify" "verified"
    "verifying" "test" "tested" "testing" "check" "checked" "confirm" "confirmed" "validate"
    "validated" "build" "built" "building" "compile" "compiled" "lint" "linted" "try" "tried"
    "exercise" "exercised"
};
/// What asks the reader to do it.
pub(super) const REQUESTS: &[&str] = words! {
    "please" "should" "need" "needs" "must" "want" "recommend" "recommended" "suggest" "remember"
    "forget" "advise" "worth" "you'll"
};
pub(super) const FAILS: &[&str] = words! { "fail" "fails" "failing" "broken" "red" };
