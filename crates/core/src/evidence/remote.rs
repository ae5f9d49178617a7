//! Looks at what runs elsewhere: a command that asks CI how a push did, and what it was answered.

use crate::Excerpt;

/// Tells whether a command line asks CI for its result.
pub(crate) fn asks_ci(line: &str) -> bool {
    const QUESTIONS: &[(&str, &str, &[&str])] = &[
        ("gh", "run", &["view", "watch", "list"]),
        ("gh", "pr", &["checks", "view", "status"]),
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
    words.windows(3).any(is_question)
}

/// Tells whether a command line hands commits to where CI runs.
pub(crate) fn pushes(line: &str) -> bool {
    line.contains("push")
        && line.split_whitespace().any(|it| it == "git" || it == "jj")
        && line.split_whitespace().any(|it| it == "push")
}

/// Tells whether the answer of CI says that all passed: something did, nothing failed or runs yet.
pub(crate) fn says_success(output: &Excerpt) -> bool {
    const GOOD: &[&str] =
        &["success", "successful", "succeeded", "pass", "passed", "passing", "✓", "✅"];
    const BAD: &[&str] = &[
        "fail",
        "failed",
        "failing",
        "failure",
        "failures",
        "pending",
        "in_progress",
        "queued",
        "cancelled",
        "canceled",
        "running",
        "waiting",
        "error",
        "x",
        "timed_out",
        "startup_failure",
        "action_required",
        "✗",
        "❌",
        "⏳",
    ];
    let parts = [Some(output.head.as_str()), output.tail.as_deref()];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join("\n").to_lowercase();
    let is_edge = |it: char| !it.is_alphanumeric() && it != '_' && !"✓✅✗❌⏳".contains(it);
    let words: Vec<_> = text.split(is_edge).filter(|it| !it.is_empty()).collect();
    // "0 failing" is good.
    let is_none = |at: usize| at > 0 && words[at - 1] == "0";
    let is_bad = (0..words.len()).any(|at| BAD.contains(&words[at]) && !is_none(at));
    !is_bad && (0..words.len()).any(|at| GOOD.contains(&words[at]) && !is_none(at))
}

/// Tells whether the answer of CI says that something failed or runs yet.
pub(crate) fn says_open(output: &Excerpt) -> bool {
    const OPEN: &[&str] = &[
        "fail",
        "failing",
        "failure",
        "pending",
        "in_progress",
        "queued",
        "cancelled",
        "timed_out",
        "✗",
        "❌",
        "⏳",
    ];
    let text = output.joined().to_lowercase();
    let is_edge = |it: char| !it.is_alphanumeric() && it != '_' && !"✗❌⏳".contains(it);
    let words: Vec<_> = text.split(is_edge).filter(|it| !it.is_empty()).collect();
    let is_none = |at: usize| at > 0 && words[at - 1] == "0";
    (0..words.len()).any(|at| OPEN.contains(&words[at]) && !is_none(at))
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
        assert!(pushes("git push -u origin work") && pushes("git add -A && git push"));
        assert!(!pushes("git stash list") && !pushes("echo push"));
    }

    #[test]
    fn only_an_answer_without_failure_is_success() {
        for output in [
            "build\tpass\t1m2s\thttps://ci/1\nlint\tpass\t9s\thttps://ci/2",
            "All checks were successful\n0 cancelled, 0 failing, 3 successful, 0 skipped, and 0 pending checks",
            "{\"conclusion\":\"success\",\"status\":\"completed\"}",
            "✓ main CI · 77\nJOBS\n✓ test in 40s",
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
            "no checks reported on the 'work' branch",
        ] {
            assert!(!says_success(&Excerpt::of(output)), "{output}");
        }
    }
}
