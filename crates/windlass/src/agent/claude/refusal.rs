//! Answers to a call that never ran, and to a call that did not come to its end.
//!
//! A message of tool calls reaches us as the words that the model reads (`PostToolBatch`), without a
//! mark. The row in the conversation file has the mark, and reaches the disk a moment later.
//! `docs/design/0014-a-refused-call-never-ran.md` has what the clients 2.1.197 and 2.1.325 were seen to say.
//!
//! - A command that ran and failed begins with `Exit code N`; the row is flagged as an error. No
//!   other flagged answer of a command comes from a command that ran to its end. So the row settles
//!   every case, whatever the words are: a hook or a program of the user may refuse in any words.
//! - 2.1.325 and later name the refusal in the row, too (`toolDenialKind`).
//! - The words of the client itself stand in [`REFUSALS`]. They settle most cases before the row is
//!   there.

use windlass_core::{AnswerMark, Excerpt, Tool};

use super::field::Field;

/// How the client begins an answer to a call that never ran, and words that follow in its first
/// line.
#[rustfmt::skip]
const REFUSALS: &[(&str, &str)] = &[
    // Nobody was there to approve it: `-p`, with the permission mode `default` or `acceptEdits`.
    ("This command requires approval", ""),
    ("This ", " command contains multiple operations"),
    ("This ", " command requires approval"),
    ("This command uses ", "approv"),
    ("This command uses the ", ""),
    ("This command changes directory before running ", ""),
    ("This command creates git repository structure files", ""),
    ("This command passes a shell -c script", ""),
    ("This command could not be ", "check"),
    ("This command couldn't be checked", ""),
    ("Claude requested permissions to ", ""),
    ("Current permission mode (", " requires approval for this "),
    ("Run outside of the sandbox", ""),
    ("Tool '", "' requires approval for this "),
    ("Classifier '", "' requires approval for this "),
    ("Dangerous ", " operation"),
    ("Cannot write to ", " while in plan mode"),
    // A rule, or a mode that asks nobody.
    ("Permission to ", " has been denied"),
    ("Permission to ", " has been auto-denied"),
    ("Permission rule ", " requires "),
    ("Permission for this ", " denied"),
    ("Permission for this ", " was denied"),
    ("Permission prompt", ""),
    ("Permission request withdrawn", ""),
    ("Denied by ", " rule"),
    ("Blocked by hook", ""),
    ("Blocked by enterprise ", ""),
    ("Blocked by the organization", ""),
    ("Blocked, and retrying will not help", ""),
    ("Blocked: Claude Code ", ""),
    // The check of the permission mode `auto`.
    ("Auto mode is unavailable", ""),
    ("Auto mode could not evaluate", ""),
    ("Auto mode couldn't check", ""),
    ("Auto mode can", " check"),
    ("Auto mode's classifier ", ""),
    ("Auto mode held ", ""),
    ("Auto mode needs your confirmation", ""),
    ("Auto mode fell back ", ""),
    // A hook.
    ("PreToolUse:", ""),
    ("Hook PreToolUse:", " denied this tool"),
    ("Hook '", "' blocked this action"),
    ("Hook '", "' requires approval for this "),
    ("Execution stopped by PreToolUse hook", ""),
    // The user, or a message that came first.
    ("The user doesn't want to ", ""),
    ("The user did not ", ""),
    ("The agent proposed a plan that was rejected", ""),
    ("Tool use rejected", ""),
    ("Tool use is not allowed", ""),
    ("Tool permission ", ""),
    ("Cancelled before it started", ""),
    ("[Tool call not run", ""),
    ("[Tool call not made", ""),
    ("[Tool call not completed: an approval request", ""),
    ("[Tool call skipped", ""),
];

/// How the client begins an answer, or its last line, to a command that began and did not come to
/// its end: moved to the background, interrupted, out of time.
const CUT_SHORT: &[&str] = &[
    "Command running in background",
    "Command was manually backgrounded",
    "Command was moved to the background",
    "Command did not complete within",
    "Command timed out",
    "[Tool call",
    "[Tool use interrupted",
    "[Tool result missing",
    "[Request interrupted",
    "Interrupted: the response that made this tool call",
];

/// The end of an answer to a command that was aborted.
const ABORTED: &str = "Command was aborted before completion</error>";

/// The tag around what the client says of a call that it could not make: no such tool, no such
/// parameter, a file that was not read.
const UNMADE: &str = "<tool_use_error>";

/// The bytes with which the words of the tables begin: most answers begin with another one, and
/// every tool event asks.
static FIRST_BYTES: [bool; 256] = first_bytes();

const fn first_bytes() -> [bool; 256] {
    let mut bytes = [false; 256];
    let mut row = 0;
    while row < REFUSALS.len() {
        bytes[REFUSALS[row].0.as_bytes()[0] as usize] = true;
        row += 1;
    }
    row = 0;
    while row < CUT_SHORT.len() {
        bytes[CUT_SHORT[row].as_bytes()[0] as usize] = true;
        row += 1;
    }
    bytes[UNMADE.as_bytes()[0] as usize] = true;
    bytes
}

/// Whether a text may begin as a row of the tables does; no is sure.
fn may_begin(text: &str) -> bool {
    text.bytes().next().is_some_and(|it| FIRST_BYTES[usize::from(it)])
}

/// Whether the words of an answer say that the call never ran.
pub(super) fn is_refusal(tool: Tool, answer: &Excerpt) -> bool {
    let text = answer.head.as_str();
    if !may_begin(text) {
        return false;
    }
    let line = text.lines().next().unwrap_or_default();
    let is_row = |(begin, then): &(&str, &str)| {
        line.strip_prefix(begin).is_some_and(|rest| rest.contains(then))
    };
    tool == Tool::Shell && text.starts_with(UNMADE) || REFUSALS.iter().any(is_row)
}

/// Whether the words of an answer say that the call could not be made.
pub(super) fn is_unmade(answer: &Excerpt) -> bool {
    answer.head.starts_with(UNMADE)
}

/// Whether the words of an answer say that a command began and did not come to its end.
pub(super) fn is_cut_short(answer: &Excerpt) -> bool {
    let end = answer.tail.as_deref().unwrap_or(&answer.head).trim_end();
    // What a command printed until then stands before the notice.
    let last = end.as_bytes().iter().rposition(|it| *it == b'\n').map_or(end, |it| &end[it + 1..]);
    let begins = |text: &str| may_begin(text) && CUT_SHORT.iter().any(|it| text.starts_with(it));
    begins(&answer.head) || begins(last) || end.ends_with(ABORTED)
}

/// The exit code with which the answer to a command that failed begins.
pub(super) fn exit_code(text: &str) -> Option<i32> {
    let rest = text.strip_prefix("Exit code ")?;
    let digits = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
    let ends = matches!(rest.as_bytes().get(digits), None | Some(b'\n'));
    rest[..digits].parse().ok().filter(|code| ends && *code != 0)
}

/// How a row marks the answer to a call: `denial` is the kind of a refusal that the row names.
pub(super) fn mark(is_error: bool, answer: &Excerpt, denial: Field<'_>) -> AnswerMark {
    let kind = denial.text();
    match kind.as_deref() {
        Some("interrupted" | "cancelled") => AnswerMark::Fine,
        Some(kind) if !kind.is_empty() => AnswerMark::Refused,
        _ if !is_error => AnswerMark::Fine,
        _ if exit_code(&answer.head).is_some() => AnswerMark::Failed,
        _ if is_refusal(Tool::Other, answer) => AnswerMark::Refused,
        _ if is_cut_short(answer) => AnswerMark::Fine,
        _ => AnswerMark::Errored,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use windlass_core::{AnswerMark, Excerpt, Tool};

    use super::{exit_code, is_cut_short, is_refusal, mark};
    use crate::agent::claude::field::Field;

    /// Answers as the clients wrote them.
    fn recorded() -> Vec<Value> {
        let text = include_str!("../../../tests/fixtures/claude/refusals.json");
        serde_json::from_str(text).unwrap()
    }

    fn marked(is_error: bool, words: &str, denial: &str) -> AnswerMark {
        let denial = serde_json::to_string(denial).unwrap();
        let denial: Field<'_> = serde_json::from_str(&denial).unwrap();
        mark(is_error, &Excerpt::of(words), denial)
    }

    #[test]
    fn what_the_clients_say_of_a_call_that_never_ran_is_known() {
        for case in recorded() {
            let words = case["words"].as_str().unwrap();
            let answer = Excerpt::of(words);
            let tool = if case["tool"] == "Bash" { Tool::Shell } else { Tool::Write };
            let (ran, is_free) = (case["ran"] == true, case["free_words"] == true);
            assert_eq!(is_cut_short(&answer), ran, "{case}");
            if tool == Tool::Shell {
                assert_eq!(is_refusal(tool, &answer), !ran && !is_free, "{case}");
            }
            let denial = case["denial"].as_str().unwrap_or_default();
            let mark = marked(case["flagged"] == true, words, denial);
            assert_eq!(mark.is_no_run(), !ran, "{case}: {mark:?}");
        }
    }

    /// The structure of a row settles what no list of words can.
    #[test]
    fn a_flagged_command_without_an_exit_code_never_ran() {
        for words in ["use just test", "nicht hier", "", "Exit code", "Exit code 0\n", "code 1"] {
            assert_eq!(marked(true, words, ""), AnswerMark::Errored, "{words}");
            assert_eq!(marked(false, words, ""), AnswerMark::Fine, "{words}");
            for kind in ["user-rejected", "permission-rule", "automode-blocked", "another-kind"] {
                assert_eq!(marked(true, words, kind), AnswerMark::Refused, "{words} {kind}");
            }
        }
        assert_eq!(marked(true, "Exit code 1\nhalf", ""), AnswerMark::Failed);
        assert_eq!(marked(true, "Exit code 127\ncommand not found", ""), AnswerMark::Failed);
        // What began may have changed files.
        let aborted = "half\n<error>Command was aborted before completion</error>";
        assert_eq!(marked(true, aborted, ""), AnswerMark::Fine);
        assert_eq!(marked(true, "half", "interrupted"), AnswerMark::Fine);
    }

    #[test]
    fn the_output_of_a_command_is_no_refusal() {
        for text in [
            "test result: ok. 3 passed; 0 failed",
            "This is pytest 8.1\n12 passed",
            "Permission tests\n  3 passing",
            "The user is created\n1 passed",
            "Hook tests pass",
            "Tool versions: node 20",
            "Running 3 tests\nPermission to use Bash has been denied\nok",
            "12 passed\nThis command requires approval",
            "Blocked: 0, passed: 12",
            "",
        ] {
            assert!(!is_refusal(Tool::Shell, &Excerpt::of(text)), "{text}");
            assert!(!is_cut_short(&Excerpt::of(text)), "{text}");
        }
    }

    #[test]
    fn a_notice_behind_the_output_is_seen() {
        let notice = "Command did not complete within its 120s timeout and was moved to the \
            background (ID: b1). Output is being written to: /t/b1.output.";
        for output in [String::new(), "12 passed\n".to_owned(), "line\n".repeat(2000)] {
            assert!(is_cut_short(&Excerpt::of(format!("{output}{notice}"))), "{}", output.len());
        }
    }

    #[test]
    fn reads_the_exit_code_of_a_failing_command() {
        assert_eq!(exit_code("Exit code 3\npartial\nboom"), Some(3));
        assert_eq!(exit_code("Exit code 101"), Some(101));
        assert_eq!(exit_code("Exit code 0\n"), None);
        assert_eq!(exit_code("Exit code 3 is what it said"), None);
    }
}
