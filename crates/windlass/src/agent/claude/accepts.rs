//! Whether the client would take what a hook wrote on stdout.

use serde_json::{Map, Value};

use super::EventName;

/// Tells whether a value is what the client wants.
type Fits = fn(&Value) -> bool;

/// Fields of an answer and what the client wants them to be.
const FIELDS: &[(&str, Fits)] = &[
    ("continue", Value::is_boolean),
    ("stopReason", Value::is_string),
    ("suppressOutput", Value::is_boolean),
    ("decision", |it| matches!(it.as_str(), Some("approve" | "block"))),
    ("reason", Value::is_string),
    ("systemMessage", Value::is_string),
    ("terminalSequence", Value::is_string),
    ("hookSpecificOutput", Value::is_object),
];

/// Says why the client would not take this answer to an event. Silence is an answer.
pub(crate) fn accepts(event: EventName, stdout: &[u8]) -> Result<(), String> {
    let Ok(text) = str::from_utf8(stdout) else { return Err("it is not text".to_owned()) };
    if text.trim().is_empty() {
        return Ok(());
    }
    // On some events the client would hand a plain text to the model.
    let answer: Map<String, Value> =
        serde_json::from_str(text).map_err(|_| "it is not one JSON object".to_owned())?;
    for (name, fits) in FIELDS {
        if answer.get(*name).is_some_and(|it| !fits(it)) {
            return Err(format!("`{name}` is not what the client takes"));
        }
    }
    let Some(specific) = answer.get("hookSpecificOutput") else { return Ok(()) };
    if specific.get("hookEventName").and_then(Value::as_str) != Some(event.as_str()) {
        return Err(format!("`hookEventName` is not {}", event.as_str()));
    }
    if specific.get("additionalContext").is_some_and(|it| !it.is_string()) {
        return Err("`additionalContext` is not text".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::accepts;
    use crate::agent::claude::{Ask, EventName, reply};
    use windlass_core::{Decision, Verdict};

    #[test]
    fn whatever_we_answer_is_taken() {
        let loud = Decision {
            verdict: Verdict::Ask("go on".to_owned()),
            context: Some("context".to_owned()),
            notice: Some("notice".to_owned()),
            ..Decision::default()
        };
        for &event in EventName::ALL {
            for at_stop in [Ask::Context, Ask::Block] {
                let answer = reply(event, &loud, at_stop).unwrap_or_default();
                assert_eq!(accepts(event, answer.as_bytes()), Ok(()), "{event:?}: {answer}");
            }
        }
    }

    #[test]
    fn says_what_the_client_would_not_take() {
        let wrong = |text: &str| accepts(EventName::Stop, text.as_bytes()).unwrap_err();
        assert_eq!(wrong("hello"), "it is not one JSON object");
        assert_eq!(wrong("{} {}"), "it is not one JSON object");
        assert_eq!(wrong("[]"), "it is not one JSON object");
        assert!(wrong(r#"{"decision":"deny"}"#).contains("decision"));
        assert!(wrong(r#"{"systemMessage":null}"#).contains("systemMessage"));
        let other = r#"{"hookSpecificOutput":{"hookEventName":"SessionStart"}}"#;
        assert_eq!(wrong(other), "`hookEventName` is not Stop");
        assert_eq!(accepts(EventName::Stop, br#" {"unknown": null} "#), Ok(()));
        assert!(accepts(EventName::Stop, b"\xff").is_err());
    }
}
