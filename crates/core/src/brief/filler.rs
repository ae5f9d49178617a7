//! Prompts that only say to go on.

use crate::memory::is_farewell;

/// What people type to have an agent go on, without the marks around it.
#[rustfmt::skip]
const FILLERS: &[&str] = &[
    "go", "go on", "go ahead", "continue", "please continue", "continue please", "keep going", "carry on", "proceed", "please proceed",
    "resume", "next", "yes", "yes please", "yep", "yeah", "y", "sure", "ok", "okay", "k", "do it", "do that", "fine", "right", "correct",
    "exactly", "good", "very good", "looks good", "lgtm", "no", "n", "try again", "retry", "again", "and", "and now", "so", "hm", "hmm",
    "weiter", "mach weiter", "bitte weiter", "ja", "ja bitte", "gut", "genau", "nein", "nochmal", "oui", "vas-y", "continuez", "non",
    "sí", "si", "sigue", "continúa", "continua", "adelante", "dale", "sim", "prossiga", "não", "sì", "vai", "avanti", "procedi", "ga door",
    "ga verder", "fortsätt", "fortsæt", "fortsett", "tak", "dalej", "kontynuuj", "да", "дальше", "продолжай", "давай", "так", "далі",
    "evet", "devam", "devam et", "是", "是的", "继续", "好", "好的", "可以", "對", "繼續", "はい", "続けて", "続き", "お願いします", "네", "예", "계속",
];

/// Tells whether a prompt only says to go on, or is polite: it is no request of its own.
pub(super) fn is_filler(prompt: &str) -> bool {
    let bare = prompt.trim().trim_matches(|it: char| !it.is_alphanumeric()).to_lowercase();
    FILLERS.contains(&bare.as_str()) || is_farewell(prompt)
}

#[cfg(test)]
mod tests {
    use super::is_filler;

    #[test]
    fn to_go_on_is_no_request_and_two_words_may_be() {
        for prompt in ["go on", "Continue.", "yes!", "ok", "weiter", "继续", "Thanks!", "да"] {
            assert!(is_filler(prompt), "{prompt}");
        }
        for prompt in
            ["fix tests", "revert it", "use tabs", "deploy", "回滚", "go on with the lexer"]
        {
            assert!(!is_filler(prompt), "{prompt}");
        }
    }
}
