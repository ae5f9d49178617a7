//! A server of the Model Context Protocol with one tool that works and one that fails.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

/// Answers each line of `input` until its end.
pub(super) fn serve(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    for line in input.lines() {
        let message: Value = serde_json::from_str(&line?)?;
        // What has no number is a notification and wants no answer.
        let Some(id) = message.get("id") else { continue };
        let mut answer = json!({"jsonrpc": "2.0", "id": id});
        match result(&message) {
            Some(result) => answer["result"] = result,
            None => answer["error"] = json!({"code": -32601, "message": "not in the script"}),
        }
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

fn result(message: &Value) -> Option<Value> {
    let parameters = &message["params"];
    match message["method"].as_str()? {
        "initialize" => Some(json!({
            "protocolVersion": parameters["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "scripted", "version": "1"},
        })),
        "ping" => Some(json!({})),
        "tools/list" => Some(json!({"tools": [
            {
                "name": "echo",
                "description": "says the text again",
                "inputSchema": {
                    "type": "object",
                    "properties": {"text": {"type": "string"}},
                    "required": ["text"],
                },
            },
            {
                "name": "fail",
                "description": "always fails",
                "inputSchema": {"type": "object", "properties": {}},
            },
        ]})),
        "tools/call" => match parameters["name"].as_str()? {
            "echo" => {
                let text = parameters["arguments"]["text"].as_str().unwrap_or_default();
                Some(json!({"content": [{"type": "text", "text": format!("echo: {text}")}]}))
            }
            "fail" => {
                let content = json!([{"type": "text", "text": "failed as asked"}]);
                Some(json!({"content": content, "isError": true}))
            }
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_calls_and_passes_over_notifications() {
        let input = concat!(
            r#"{"id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}}"#,
            "\n",
            r#"{"method":"notifications/initialized"}"#,
            "\n",
            r#"{"id":2,"method":"tools/call","params":{"name":"fail"}}"#,
            "\n",
            r#"{"id":3,"method":"resources/list"}"#,
        );
        let mut output = Vec::new();
        serve(input.as_bytes(), &mut output).unwrap();
        let answers: Vec<Value> = output
            .split(|it| *it == b'\n')
            .filter(|it| !it.is_empty())
            .map(|it| serde_json::from_slice(it).unwrap())
            .collect();
        assert_eq!("echo: x", answers[0]["result"]["content"][0]["text"]);
        assert_eq!(true, answers[1]["result"]["isError"]);
        assert_eq!(-32601, answers[2]["error"]["code"]);
        assert_eq!(3, answers.len());
    }
}
