//! What becomes of every payload that was recorded from the real client.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::support::{Home, assert_golden, assert_silent, binary, feed, feed_exactly, payloads};

fn golden(version: &str) -> String {
    let mut text = String::new();
    for (event, variant, payload) in payloads(version) {
        let home = Home::new();
        // The recorded paths; no such directory exists, so no transcript is there to be read.
        let mut command = home.command();
        let output = feed_exactly(
            command.env("CLAUDE_CONFIG_DIR", "/CONFIG"),
            payload.to_string().as_bytes(),
        );
        assert_silent(&output);
        assert_eq!(home.failures(), Vec::<Value>::new(), "{event}: {variant}");
        writeln!(text, "{event}: {variant}").unwrap();
        let records = home.records();
        if records.is_empty() {
            writeln!(text, "  ignored").unwrap();
        }
        for mut record in records {
            let at = record["at"].take().as_i64().unwrap();
            assert!(at > 1_700_000_000_000, "{record}");
            record.as_object_mut().unwrap().remove("at");
            record.as_object_mut().unwrap().remove("us");
            assert_eq!(record["session"], payload["session_id"]);
            assert_eq!(record.get("agent"), payload.get("agent_id"));
            assert_eq!(record.get("prompt"), payload.get("prompt_id"));
            writeln!(text, "  {record}").unwrap();
        }
    }
    text
}

#[test]
fn every_payload_of_2_1_325_is_understood() {
    assert_golden("payloads-2.1.325.txt", &golden("2.1.325"));
}

#[test]
fn every_payload_of_2_1_197_is_understood() {
    assert_golden("payloads-2.1.197.txt", &golden("2.1.197"));
}

#[test]
fn all_thirty_three_events_were_recorded() {
    let mut events: Vec<_> = payloads("2.1.325").into_iter().map(|it| it.0).collect();
    events.dedup();
    assert_eq!(events.len(), 33);
}

/// A newer client may add, drop and retype fields: none of that may cost us the event.
#[test]
fn unknown_fields_values_and_types_are_tolerated() {
    let home = Home::new();
    let mut kept = 0;
    for (_, variant, payload) in payloads("2.1.325") {
        let known = {
            let before = home.records().len();
            home.silent(payload.to_string());
            home.records().len() > before
        };
        if !known || payload["hook_event_name"] == "PostToolBatch" {
            continue;
        }
        let mut fields: Vec<_> = payload.as_object().unwrap().keys().cloned().collect();
        fields.retain(|it| it != "hook_event_name" && it != "session_id");
        let field = &fields[variant.len() % fields.len()];
        for value in [json!(null), json!(7), json!({"new": [1]}), json!([[]]), json!("new-word")] {
            let mut changed = payload.clone();
            changed[field] = value;
            changed["a_field_of_tomorrow"] = json!({"deep": [null, {"x": 1.5e300}]});
            let before = home.records().len();
            home.silent(changed.to_string());
            assert!(home.records().len() > before, "lost: {changed}");
            kept += 1;
        }
    }
    assert!(kept > 200, "{kept}");
}

#[test]
fn an_unknown_event_is_silence() {
    let home = Home::new();
    home.silent(json!({"hook_event_name": "EventOfTomorrow", "session_id": "s"}).to_string());
    home.silent(json!({"session_id": "s"}).to_string());
    home.silent("[1,2,3]");
    assert_eq!(home.records(), Vec::<Value>::new());
    assert_eq!(home.failures(), Vec::<Value>::new());
}

#[test]
fn a_bare_call_is_a_hook_call() {
    let home = Home::new();
    let payload = json!({"hook_event_name": "SubagentStart", "session_id": "s", "agent_id": "a"});
    let mut command = std::process::Command::new(binary());
    command.env_clear().env("HOME", home.path());
    let output = feed(&mut command, payload.to_string().as_bytes());
    assert_silent(&output);
    assert_eq!(home.records().len(), 1);
}
