//! What the keys of other tools mean here.

/// The counterpart of a foreign key.
#[derive(Debug, Clone, Copy)]
pub(super) enum Meaning {
    Switch(&'static str),
    /// A whole number, as it is.
    Number(&'static str),
    /// Becomes whole seconds.
    Milliseconds(&'static str),
    /// A share of one, which becomes hundredths.
    Share(&'static str),
    /// Something to run.
    Script,
    Nothing,
}

use Meaning::{Milliseconds, Nothing, Number, Script, Share, Switch};

/// Every foreign key that we know. `*` is one word, `[]` an entry of a list.
#[rustfmt::skip]
pub(super) const ROWS: &[(&str, Meaning)] = &[
    // memory-config.json
    ("triage.enabled", Switch("triage.enabled")),
    ("triage.max_messages", Number("triage.max_messages")),
    ("triage.thresholds.DECISION", Share("triage.thresholds.decision")),
    ("triage.thresholds.RUNBOOK", Share("triage.thresholds.runbook")),
    ("triage.thresholds.CONSTRAINT", Share("triage.thresholds.constraint")),
    ("triage.thresholds.TECH_DEBT", Share("triage.thresholds.tech_debt")),
    ("triage.thresholds.PREFERENCE", Share("triage.thresholds.preference")),
    ("triage.thresholds.SESSION_SUMMARY", Share("triage.thresholds.session_summary")),
    ("triage.thresholds.*", Nothing),
    // The hooks of a YAML file, by name.
    ("hooks.session_start.enabled", Switch("hooks.session-start.enabled")),
    ("hooks.session_start.timeout_ms", Milliseconds("hooks.session-start.timeout_s")),
    ("hooks.session_start.inject_light_context", Nothing),
    ("hooks.user_prompt_submit.enabled", Switch("hooks.prompt.enabled")),
    ("hooks.user_prompt_submit.timeout_ms", Milliseconds("hooks.prompt.timeout_s")),
    ("hooks.user_prompt_submit.context_depth", Nothing),
    ("hooks.user_prompt_submit.token_budget", Nothing),
    ("hooks.user_prompt_submit.include_code", Nothing),
    ("hooks.ghap_checkin.enabled", Nothing),
    ("hooks.ghap_checkin.frequency", Nothing),
    ("hooks.ghap_checkin.timeout_ms", Nothing),
    ("hooks.outcome_capture.enabled", Switch("hooks.tools.enabled")),
    ("hooks.outcome_capture.timeout_ms", Milliseconds("hooks.tools.timeout_s")),
    ("hooks.outcome_capture.matchers.[]", Nothing),
    ("hooks.outcome_capture.auto_capture", Nothing),
    ("hooks.session_end.enabled", Switch("hooks.session-end.enabled")),
    ("hooks.session_end.timeout_ms", Milliseconds("hooks.session-end.timeout_s")),
    ("hooks.*.script", Script),
    // The same as lists, by event.
    ("hooks.SessionStart.[].enabled", Switch("hooks.session-start.enabled")),
    ("hooks.SessionStart.[].timeout", Milliseconds("hooks.session-start.timeout_s")),
    ("hooks.UserPromptSubmit.[].enabled", Switch("hooks.prompt.enabled")),
    ("hooks.UserPromptSubmit.[].timeout", Milliseconds("hooks.prompt.timeout_s")),
    ("hooks.PreToolCall.[].enabled", Nothing),
    ("hooks.PreToolCall.[].timeout", Nothing),
    ("hooks.PostToolCall.[].enabled", Switch("hooks.tools.enabled")),
    ("hooks.PostToolCall.[].timeout", Milliseconds("hooks.tools.timeout_s")),
    ("hooks.SessionEnd.[].enabled", Switch("hooks.session-end.enabled")),
    ("hooks.SessionEnd.[].timeout", Milliseconds("hooks.session-end.timeout_s")),
    ("hooks.*.[].command", Script),
    ("hooks.*.[].matcher", Nothing),
    ("hooks.*.[].once", Nothing),
    ("hooks.*.[].frequency", Nothing),
    ("hooks.*.[].auto_capture", Nothing),
    // .reflection_config
    ("enabled", Nothing),
    ("triggers.[]", Nothing),
    ("min_turns", Nothing),
];

/// Whether a name is the one of a row.
pub(super) fn matches(row: &str, name: &str) -> bool {
    let (mut wanted, mut given) = (row.split('.'), name.split('.'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) if wanted == given || wanted == "*" => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_is_exactly_one_word() {
        assert!(matches("a.b", "a.b") && matches("a.*", "a.b") && matches("a.*.c", "a.b.c"));
        assert!(!matches("a.*", "a") && !matches("a.*", "a.b.c") && !matches("a", "a.b"));
    }
}
