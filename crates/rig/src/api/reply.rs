//! A turn of the script in the words of the Messages API.

use serde_json::{Value, json};

use super::http;
use crate::script::{ApiError, Turn};

/// What of the request shapes the answer.
pub(super) struct Shape<'a> {
    pub(super) number: usize,
    pub(super) model: &'a str,
    pub(super) streams: bool,
    pub(super) request_bytes: usize,
}

/// The bytes to send for `turn`.
pub(super) fn write(turn: &Turn, shape: &Shape<'_>) -> Vec<u8> {
    if let Some(error) = &turn.error {
        return write_error(error);
    }
    let blocks = blocks(turn, shape.number);
    let stop_reason = if turn.tools.is_empty() { "end_turn" } else { "tool_use" };
    // Four bytes for a token, so that the client's idea of the context grows with it.
    let input_tokens = turn.input_tokens.unwrap_or((shape.request_bytes / 4) as u64);
    let usage = json!({
        "input_tokens": input_tokens,
        "output_tokens": 10,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    });
    let message = |content: Value, stop_reason: Value| {
        json!({
            "id": format!("msg_rig_{:04}", shape.number),
            "type": "message",
            "role": "assistant",
            "model": shape.model,
            "content": content,
            "stop_reason": stop_reason,
            "stop_sequence": null,
            "usage": usage,
        })
    };
    if !shape.streams {
        return http::json(200, &message(Value::Array(blocks), stop_reason.into()));
    }
    let start = message(json!([]), Value::Null);
    let mut events = vec![json!({"type": "message_start", "message": start})];
    for (index, block) in blocks.iter().enumerate() {
        push_block(&mut events, index, block);
    }
    let delta = json!({"stop_reason": stop_reason, "stop_sequence": null});
    events.push(json!({"type": "message_delta", "delta": delta, "usage": usage}));
    events.push(json!({"type": "message_stop"}));
    http::event_stream(&events)
}

/// The bytes of an error answer.
pub(super) fn write_error(error: &ApiError) -> Vec<u8> {
    let inner = json!({"type": error.kind, "message": error.message});
    http::json(error.status, &json!({"type": "error", "error": inner}))
}

fn blocks(turn: &Turn, number: usize) -> Vec<Value> {
    let mut blocks = Vec::new();
    if let Some(thinking) = &turn.thinking {
        blocks.push(json!({"type": "thinking", "thinking": thinking, "signature": "c2lnbmVk"}));
    }
    if let Some(text) = &turn.text {
        blocks.push(json!({"type": "text", "text": text}));
    }
    for (index, tool) in turn.tools.iter().enumerate() {
        blocks.push(json!({
            "type": "tool_use",
            "id": format!("toolu_rig_{number:04}_{index}"),
            "name": tool.name,
            "input": tool.input,
        }));
    }
    blocks
}

fn push_block(events: &mut Vec<Value>, index: usize, block: &Value) {
    let (empty, deltas) = match block["type"].as_str() {
        Some("thinking") => (
            json!({"type": "thinking", "thinking": "", "signature": ""}),
            vec![
                json!({"type": "thinking_delta", "thinking": block["thinking"]}),
                json!({"type": "signature_delta", "signature": block["signature"]}),
            ],
        ),
        Some("tool_use") => (
            json!({"type": "tool_use", "id": block["id"], "name": block["name"], "input": {}}),
            vec![json!({"type": "input_json_delta", "partial_json": block["input"].to_string()})],
        ),
        _ => (
            json!({"type": "text", "text": ""}),
            vec![json!({"type": "text_delta", "text": block["text"]})],
        ),
    };
    events.push(json!({"type": "content_block_start", "index": index, "content_block": empty}));
    for delta in deltas {
        events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
    }
    events.push(json!({"type": "content_block_stop", "index": index}));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::turn;

    fn text(turn: &Turn, streams: bool) -> String {
        let shape = Shape { number: 7, model: "m", streams, request_bytes: 400 };
        String::from_utf8(write(turn, &shape)).unwrap()
    }

    #[test]
    fn streams_thinking_text_and_tools_in_order() {
        let wire = text(&turn("hello").thinking("hm").bash("true"), true);
        let places: Vec<_> =
            ["thinking_delta", "signature_delta", "text_delta", "toolu_rig_0007_0"]
                .iter()
                .map(|it| wire.find(it).unwrap())
                .collect();
        assert!(places.is_sorted());
        assert!(wire.contains(r#""stop_reason":"tool_use""#));
        assert!(wire.contains(r#""input_tokens":100"#));
        assert!(
            wire.ends_with(
                "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n\r\n0\r\n\r\n"
            )
        );
    }

    #[test]
    fn an_error_takes_the_place_of_the_answer() {
        let wire = text(&turn("").error(529, "overloaded_error", "busy"), true);
        assert!(wire.starts_with("HTTP/1.1 529 "));
        assert!(wire.contains(r#""type":"overloaded_error""#));
    }
}
