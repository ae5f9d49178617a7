//! Decision → wire: what the client accepts on each event, or nothing.

use serde::Serialize;
use windlass_core::policy::Speak;
use windlass_core::{Decision, Digest, Verdict};

use super::EventName;

/// The client puts a longer text into a file and shows the model only its beginning. It counts
/// as JavaScript does, in UTF-16 units.
const MAX_UNITS: usize = 10_000;

/// The answer. The client rejects a whole answer for one `null`, so what is absent is left out.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Output {
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<HookSpecific>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct HookSpecific {
    hook_event_name: &'static str,
    additional_context: String,
}

/// What an event can carry.
struct Carries {
    /// How an ask is said.
    ask: Ask,
    /// The event has a variant with `additionalContext`.
    context: bool,
    /// `systemMessage` reaches the user and nobody else.
    notice: bool,
}

/// How the agent is asked to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// As `additionalContext`: one copy for the model, not painted as an error for the user.
    Context,
    /// As `decision: block` with a reason.
    Block,
    /// The event cannot keep the agent at work.
    Never,
}

/// The first client that goes on for `additionalContext` at a stop. An older one refuses the whole
/// answer.
const KNOWS_CONTEXT: [u32; 3] = [2, 1, 163];

impl Ask {
    /// How an ask is said when an agent stops, for the client that wrote the transcript.
    pub(crate) fn at_stop(speak: Speak, transcript: Option<&Digest>) -> Self {
        let is_old = transcript.and_then(|it| it.host).is_some_and(|it| it < KNOWS_CONTEXT);
        match speak {
            Speak::Block => Self::Block,
            Speak::Auto if is_old => Self::Block,
            Speak::Auto | Speak::Context => Self::Context,
        }
    }
}

/// Writes the answer to an event, in which an agent that stops is asked in the way of `at_stop`.
/// What the event cannot carry is left unsaid.
pub(crate) fn reply(name: EventName, decision: &Decision, at_stop: Ask) -> Option<String> {
    let carries = carries(name, at_stop);
    let mut output = Output::default();
    let mut context = decision.context.clone().filter(|_| carries.context);
    if let Verdict::Ask(ask) = &decision.verdict {
        match carries.ask {
            Ask::Context => context = Some(joined(ask, context)),
            Ask::Block => {
                output.decision = Some("block");
                output.reason = Some(clip(ask));
            }
            Ask::Never => {}
        }
    }
    output.system_message = decision.notice.as_deref().filter(|_| carries.notice).map(clip);
    output.hook_specific_output = context
        .map(|it| HookSpecific { hook_event_name: name.as_str(), additional_context: clip(&it) });
    (output != Output::default()).then(|| serde_json::to_string(&output).unwrap_or_default())
}

fn carries(name: EventName, at_stop: Ask) -> Carries {
    let (ask, context, notice) = match name {
        // A client that is spoken to with blocks may not know the other way.
        EventName::Stop | EventName::SubagentStop => (at_stop, at_stop == Ask::Context, true),
        EventName::TaskCreated | EventName::TaskCompleted | EventName::TeammateIdle => {
            (Ask::Block, false, true)
        }
        EventName::SessionStart
        | EventName::UserPromptSubmit
        | EventName::UserPromptExpansion
        | EventName::PreToolUse
        | EventName::PostToolUse
        | EventName::PostToolUseFailure
        // A block here would end the turn instead of keeping the agent at work.
        | EventName::PostToolBatch
        | EventName::Setup
        | EventName::SubagentStart
        | EventName::PostModelSwitch => (Ask::Never, true, true),
        EventName::StopFailure
        | EventName::Notification
        | EventName::PermissionDenied
        | EventName::ConfigChange
        | EventName::InstructionsLoaded
        | EventName::CwdChanged
        | EventName::FileChanged
        | EventName::DirectoryAdded
        | EventName::WorktreeRemove => (Ask::Never, false, true),
        // Whatever stands on stdout becomes part of the summariser's instructions.
        EventName::PreCompact => (Ask::Never, false, false),
        // The user would see it raw, or nobody is there any more.
        EventName::PostCompact | EventName::SessionEnd | EventName::MessageDisplay => {
            (Ask::Never, false, false)
        }
        // An answer here is a decision that is not ours to make.
        EventName::PermissionRequest
        | EventName::PreModelSwitch
        | EventName::Elicitation
        | EventName::ElicitationResult
        | EventName::WorktreeCreate => (Ask::Never, false, false),
    };
    Carries { ask, context, notice }
}

fn joined(ask: &str, context: Option<String>) -> String {
    match context {
        Some(context) => format!("{ask}\n\n{context}"),
        None => ask.to_owned(),
    }
}

/// Cuts a text to what the client hands on whole.
fn clip(text: &str) -> String {
    const MARK: &str = " … (cut)";
    if text.encode_utf16().count() <= MAX_UNITS {
        return text.to_owned();
    }
    let mut units = MARK.encode_utf16().count();
    let fits = |it: &char| {
        units += it.len_utf16();
        units <= MAX_UNITS
    };
    text.chars().take_while(fits).chain(MARK.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Ask, MAX_UNITS};
    use crate::agent::claude::EventName;
    use serde_json::Value;
    use windlass_core::policy::Speak;
    use windlass_core::{Decision, Digest, Verdict};

    fn reply(name: EventName, decision: &Decision) -> Option<String> {
        super::reply(name, decision, Ask::Context)
    }

    fn loud() -> Decision {
        Decision {
            verdict: Verdict::Ask("run the tests".to_owned()),
            context: Some("a memory".to_owned()),
            notice: Some("for the user".to_owned()),
            effects: Vec::new(),
            rules: Vec::new(),
        }
    }

    #[test]
    fn nothing_to_say_is_nothing_on_any_event() {
        for &name in EventName::ALL {
            assert_eq!(reply(name, &Decision::default()), None, "{name:?}");
        }
    }

    #[test]
    fn says_on_each_event_only_what_the_client_accepts() {
        // The events whose answer may carry `hookSpecificOutput.additionalContext`.
        let with_context = [
            "PreToolUse",
            "PostToolUse",
            "PostToolUseFailure",
            "PostToolBatch",
            "Setup",
            "SubagentStart",
            "PostModelSwitch",
            "Stop",
            "SubagentStop",
            "UserPromptSubmit",
            "UserPromptExpansion",
            "SessionStart",
        ];
        for &name in EventName::ALL {
            let Some(answer) = reply(name, &loud()) else { continue };
            let answer: Value = serde_json::from_str(&answer).unwrap();
            assert!(!answer.to_string().contains("null"), "{name:?}: {answer}");
            let specific = &answer["hookSpecificOutput"];
            assert_eq!(specific.is_object(), with_context.contains(&name.as_str()), "{name:?}");
            if specific.is_object() {
                assert_eq!(specific["hookEventName"], name.as_str());
            }
            let blocks = matches!(
                name,
                EventName::TaskCreated | EventName::TaskCompleted | EventName::TeammateIdle
            );
            assert_eq!(answer["decision"] == "block", blocks, "{name:?}: {answer}");
        }
    }

    #[test]
    fn stays_silent_where_words_do_harm() {
        for name in [
            EventName::PreCompact,
            EventName::WorktreeCreate,
            EventName::PermissionRequest,
            EventName::PreModelSwitch,
            EventName::MessageDisplay,
        ] {
            assert_eq!(reply(name, &loud()), None, "{name:?}");
        }
    }

    /// The answers that the tests with the real client give it, word for word.
    #[test]
    fn answers_are_the_ones_that_the_client_was_seen_to_take() {
        let mut answers = serde_json::Map::new();
        for &name in EventName::ALL {
            let word = name.as_str();
            let decision = Decision {
                verdict: Verdict::Ask(format!("ASK-{word}")),
                context: Some(format!("CONTEXT-{word}")),
                notice: Some(format!("NOTICE-{word}")),
                effects: Vec::new(),
                rules: Vec::new(),
            };
            if let Some(answer) = reply(name, &decision) {
                answers.insert(word.to_owned(), serde_json::from_str(&answer).unwrap());
            }
        }
        let actual = serde_json::to_string_pretty(&answers).unwrap() + "\n";
        let expected = include_str!("../../../tests/golden/answers.json");
        assert!(expected == actual, "tests/golden/answers.json should be:\n{actual}");
    }

    #[test]
    fn asks_at_stop_through_the_context() {
        let answer: Value =
            serde_json::from_str(&reply(EventName::Stop, &loud()).unwrap()).unwrap();
        let expected = serde_json::json!({
            "systemMessage": "for the user",
            "hookSpecificOutput": {
                "hookEventName": "Stop",
                "additionalContext": "run the tests\n\na memory",
            },
        });
        assert_eq!(answer, expected);
    }

    #[test]
    fn a_block_at_a_stop_brings_nothing_that_an_old_client_refuses() {
        for name in [EventName::Stop, EventName::SubagentStop] {
            let answer = super::reply(name, &loud(), Ask::Block).unwrap();
            let answer: Value = serde_json::from_str(&answer).unwrap();
            let expected = serde_json::json!({
                "decision": "block", "reason": "run the tests", "systemMessage": "for the user",
            });
            assert_eq!(answer, expected);
        }
    }

    #[test]
    fn the_version_of_the_client_decides_where_the_user_does_not() {
        let of = |speak, host| {
            let digest = Digest { host, ..Digest::default() };
            Ask::at_stop(speak, Some(&digest))
        };
        assert_eq!(Ask::at_stop(Speak::Auto, None), Ask::Context);
        assert_eq!(of(Speak::Auto, Some([2, 1, 162])), Ask::Block);
        assert_eq!(of(Speak::Auto, Some([1, 9, 999])), Ask::Block);
        assert_eq!(of(Speak::Auto, Some([2, 1, 163])), Ask::Context);
        assert_eq!(of(Speak::Auto, None), Ask::Context);
        assert_eq!(of(Speak::Context, Some([2, 1, 162])), Ask::Context);
        assert_eq!(of(Speak::Block, Some([2, 1, 325])), Ask::Block);
    }

    #[test]
    fn respects_the_limit_in_utf16_units() {
        for (letter, count) in [("a", 10_000), ("😀", 5_000)] {
            let whole = Decision { context: Some(letter.repeat(count)), ..Decision::default() };
            let over = Decision { context: Some(letter.repeat(count + 1)), ..Decision::default() };
            for decision in [whole, over] {
                let answer = reply(EventName::UserPromptSubmit, &decision).unwrap();
                let answer: Value = serde_json::from_str(&answer).unwrap();
                let text = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
                assert!(text.encode_utf16().count() <= MAX_UNITS);
                let kept = decision.context.as_deref() == Some(text);
                assert_eq!(kept, decision.context.unwrap().encode_utf16().count() <= MAX_UNITS);
            }
        }
    }
}
