//! Looks at what runs elsewhere: a command that asks CI how a push did, and what it was answered.

use super::RunKind;
use crate::Excerpt;

/// Tells whether a command line asks CI for its result. What shows a pull request shows its title,
/// too: that counts only where it asks for nothing but the checks.
pub(crate) fn asks_ci(line: &str) -> bool {
    const QUESTIONS: &[(&str, &str, &[&str])] = &[
        ("gh", "run", &["view", "watch", "list"]),
        ("gh", "pr", &["checks"]),
        ("glab", "ci", &["status", "view", "get", "list"]),
    ];
    if !line.contains("gh ") && !line.contains("glab ") {
        return false;
    }
    let words: Vec<_> = line.split_whitespace().collect();
    let is_question = |at: &[&str]| {
        let named = |it: &&(&str, &str, &[&str])| it.0 == at[0] && it.1 == at[1];
        QUESTIONS.iter().find(named).is_some_and(|it| it.2.contains(&at[2]))
    };
    let asks_checks = || {
        let mut fields = words.windows(2).filter(|it| it[0] == "--json").map(|it| it[1]);
        words.windows(3).any(|it| it == ["gh", "pr", "view"])
            && fields.any(|it| it == "statusCheckRollup")
    };
    words.windows(3).any(is_question) || asks_checks() || asks_api(&words)
}

/// `gh api repos/a/b/commits/HEAD/check-runs --jq '.check_runs[].conclusion'`: the words ask for
/// nothing but states.
fn asks_api(words: &[&str]) -> bool {
    const PLACES: &[&str] = &["/check-runs", "/check-suites", "/status", "/actions/runs"];
    const STATES: &[&str] = &["conclusion", "status", "state"];
    let is_question = words.windows(2).any(|it| it == ["gh", "api"])
        && words.iter().any(|it| PLACES.iter().any(|place| it.contains(place)));
    let mut filters = words.windows(2).filter(|it| matches!(it[0], "--jq" | "-q")).map(|it| it[1]);
    let is_state = |it: &str| {
        let last = it.trim_matches(['\'', '"', ']', ')']).rsplit('.').next().unwrap_or_default();
        STATES.contains(&last)
    };
    is_question && filters.next().is_some_and(is_state)
}

/// Tells whether a command line handed commits to where CI runs.
pub(crate) fn pushes(line: &str, output: &Excerpt) -> bool {
    const NOTHING: &[&str] = &["--dry-run", "-n", "--delete", "-d", "--prune"];
    let words = || line.split_whitespace();
    line.contains("push")
        && words().any(|it| it == "git" || it == "jj")
        && words().any(|it| it == "push")
        && !words().any(|it| NOTHING.contains(&it))
        && !["Everything up-to-date", "Nothing changed."].iter().any(|it| output.head.contains(it))
}

/// Words for a state in which all is well.
const GOOD: &[&str] =
    &["success", "successful", "succeeded", "pass", "passed", "passing", "✓", "✅"];
/// Words for a state in which something failed or runs yet.
#[rustfmt::skip]
const BAD: &[&str] = &[
    "fail", "failed", "failing", "failure", "failures", "pending", "in_progress", "queued", "cancelled", "canceled",
    "running", "waiting", "error", "timed_out", "startup_failure", "action_required", "✗", "❌", "⏳",
];
/// Those that say so wherever they stand.
#[rustfmt::skip]
const OPEN: &[&str] = &[
    "fail", "failing", "failure", "pending", "in_progress", "queued", "cancelled", "timed_out", "✗", "❌", "⏳",
];

/// Tells whether the answer of CI says that all passed: something did, nothing failed or runs yet.
pub(crate) fn says_success(output: &Excerpt) -> bool {
    !says_one(output, BAD) && says_one(output, GOOD) && !says_nothing(output)
}

/// Whether a list of bare states has an empty one: a check that runs yet has no conclusion.
fn says_nothing(output: &Excerpt) -> bool {
    let text = output.joined();
    let mut lines = text.trim_end().lines().map(str::trim);
    let is_state = |it: &str| it.is_empty() || it == "null" || GOOD.contains(&it);
    lines.clone().all(is_state) && lines.any(|it| !GOOD.contains(&it))
}

/// Tells whether the answer of CI says that something failed or runs yet.
pub(crate) fn says_open(output: &Excerpt) -> bool {
    says_one(output, OPEN)
}

/// Words in the names of jobs, and what such a job runs.
const JOBS: &[(RunKind, &[&str])] = &[
    (RunKind::Test, &["test", "spec", "e2e", "unit", "integration"]),
    (RunKind::Lint, &["lint", "clippy", "ruff", "fmt", "format", "style"]),
    (RunKind::Types, &["type", "mypy", "tsc", "pyright"]),
    (RunKind::Build, &["build", "compile", "package"]),
];

/// The kinds of jobs that passed by the answer of CI, where each job of a kind did: a line names a
/// job and its state, `lint  pass  21s`.
pub(crate) fn passed_kinds(output: &Excerpt) -> Vec<RunKind> {
    let text = output.joined().to_lowercase();
    let job = |line: &str| -> Option<(RunKind, bool)> {
        let mut columns = line.split('\t').map(str::trim);
        let (name, state) = (columns.next()?, columns.next()?);
        // `build (ubuntu-latest)`: what stands in brackets is where it ran.
        let name = name.split('(').next().unwrap_or(name);
        let words = || name.split(|it: char| !it.is_alphanumeric());
        let named = |row: &&(RunKind, &[&str])| {
            words().any(|word| row.1.iter().any(|it| is_job_word(word, it)))
        };
        let kind = JOBS.iter().find(named)?.0;
        let is_state = GOOD.contains(&state) || BAD.contains(&state);
        is_state.then(|| (kind, GOOD.contains(&state)))
    };
    let jobs: Vec<_> = text.lines().filter_map(job).collect();
    let has_passed = |kind: &RunKind| {
        let mut all = jobs.iter().filter(|it| it.0 == *kind).peekable();
        all.peek().is_some() && all.all(|it| it.1)
    };
    JOBS.iter().map(|it| it.0).filter(has_passed).collect()
}

/// Whether a word in the name of a job tells of a kind: `tests`, `unittest`, and not `latest`.
fn is_job_word(word: &str, kind: &str) -> bool {
    let is_test =
        || kind == "test" && word != "latest" && word.trim_end_matches('s').ends_with(kind);
    word.starts_with(kind) || is_test()
}

/// Whether one of the states of an answer is among these.
fn says_one(output: &Excerpt, states: &[&str]) -> bool {
    let text = output.joined().to_lowercase();
    text.lines().any(|line| {
        let is_edge = |it: char| !it.is_alphanumeric() && it != '_' && !"✓✅✗❌⏳".contains(it);
        let words: Vec<_> = state_of(line).split(is_edge).filter(|it| !it.is_empty()).collect();
        // "0 failing" is good.
        let is_none = |at: usize| at > 0 && words[at - 1] == "0";
        // `X main CI`: elsewhere it is a part of a name, such as `build (18.x)`.
        let is_crossed = states.contains(&"✗") && words.first() == Some(&"x");
        is_crossed || (0..words.len()).any(|at| states.contains(&words[at]) && !is_none(at))
    })
}

/// The part of a line that tells a state. Jobs and titles have any name: `error-handling`.
fn state_of(line: &str) -> &str {
    let mut columns = line.split('\t');
    let (first, second) = (columns.next().unwrap_or(line), columns.next());
    let is_state = |it: &&str| GOOD.contains(it) || BAD.contains(it);
    second
        .map(str::trim)
        .filter(is_state)
        .or(second.map(|_| first.trim()).filter(is_state))
        .unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::{asks_ci, pushes, says_success};
    use crate::Excerpt;

    #[test]
    fn a_question_to_ci_is_known_by_its_words() {
        for line in
            ["gh pr checks 12", "sleep 60 && gh run view 7 --json conclusion", "glab ci status"]
        {
            assert!(asks_ci(line), "{line}");
        }
        for line in ["gh pr create --fill", "gh run rerun 7", "echo high run", "git push"] {
            assert!(!asks_ci(line), "{line}");
        }
        assert!(asks_ci("gh pr view 7 --json statusCheckRollup"));
        let api = "gh api repos/a/p/commits/HEAD/check-runs --jq";
        assert!(asks_ci(&format!("{api} '.check_runs[].conclusion'")));
        assert!(asks_ci("gh api repos/a/p/commits/1a2b/status -q .state"));
        assert!(!asks_ci(&format!("{api} '.check_runs[].name'")));
        assert!(!asks_ci("gh api repos/a/p/issues/1 --jq .state"));
        assert!(!asks_ci("gh pr view 7") && !asks_ci("gh pr status"));
    }

    #[test]
    fn a_push_hands_commits_over() {
        let pushes = |line: &str, output: &str| pushes(line, &Excerpt::of(output));
        let moved = "To example.com:a.git\n   1..2  work -> work";
        assert!(pushes("git push -u origin work", moved) && pushes("git add -A && git push", ""));
        assert!(!pushes("git stash list", "") && !pushes("echo push", ""));
        assert!(!pushes("git push", "Everything up-to-date"));
        assert!(!pushes("git push --dry-run", moved) && !pushes("git push --delete origin x", ""));
    }

    #[test]
    fn only_an_answer_without_failure_is_success() {
        for output in [
            "build\tpass\t1m2s\thttps://ci/1\nlint\tpass\t9s\thttps://ci/2",
            "All checks were successful\n0 cancelled, 0 failing, 3 successful, 0 skipped, and 0 pending checks",
            "{\"conclusion\":\"success\",\"status\":\"completed\"}",
            "✓ main CI · 77\nJOBS\n✓ test in 40s",
            "build (18.x)\tpass\t1m\thttps://ci/1\nerror-handling\tpass\t9s\t",
            "completed\tsuccess\tMend the failing test\tci\tmain",
            "success\nsuccess\n",
        ] {
            assert!(says_success(&Excerpt::of(output)), "{output}");
        }
        for output in [
            "",
            "build\tpass\t1m\t\nlint\tfail\t9s\t",
            "build\tpending\t0\t",
            "build\tpass\t1m\ntest\tpending\t0",
            "{\"conclusion\":\"\",\"status\":\"in_progress\"}",
            "X main CI · 77",
            "success\n\nsuccess",
            "success\nnull",
            "success\nfailure",
            "no checks reported on the 'work' branch",
        ] {
            assert!(!says_success(&Excerpt::of(output)), "{output}");
        }
    }
}
