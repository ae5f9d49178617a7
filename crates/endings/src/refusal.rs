//! What the client puts into a conversation where a call was refused.

use crate::random::SeededRandom;

/// How a call was refused.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallRefusal {
    /// The answer that the model reads; `{command}` is the command line.
    pub(crate) answer: &'static str,
    /// What stands beside it in the row.
    pub(crate) result: &'static str,
}

#[rustfmt::skip]
const REFUSALS: &[CallRefusal] = &[
    CallRefusal { answer: "This command requires approval", result: "Error: This command requires approval" },
    CallRefusal { answer: "Permission to use Bash with command {command} has been denied.", result: "Error: Permission to use Bash with command {command} has been denied." },
    CallRefusal { answer: "Permission to use Bash has been auto-denied in dontAsk mode.", result: "Error: Permission to use Bash has been auto-denied in dontAsk mode." },
    CallRefusal { answer: "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.", result: "User rejected tool use" },
    CallRefusal { answer: "Claude requested permissions to use Bash, but you haven't granted it yet.", result: "Error: Claude requested permissions to use Bash, but you haven't granted it yet." },
    CallRefusal { answer: "Permission for this tool use was denied. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). Try a different approach or report the limitation to complete your task.", result: "Error: Permission for this tool use was denied." },
    CallRefusal { answer: "PreToolUse:Bash hook error: [/usr/local/bin/guard]: test runs are not permitted here", result: "Error: PreToolUse:Bash hook error: [/usr/local/bin/guard]: test runs are not permitted here" },
];

/// Picks a refusal.
pub(crate) fn pick_refusal(random: &mut SeededRandom) -> CallRefusal {
    random.pick(REFUSALS).copied().unwrap_or(REFUSALS[0])
}
