//! The official SDK for Python as the client.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::{TOOLS, candidates, user};
use crate::support::{Home, binary, feed};

/// The Python that has the SDK; `cargo xtask test` brings one.
const PYTHON: &str = "WINDLASS_MCP_PYTHON";

#[test]
fn the_sdk_lists_and_calls_every_tool() {
    let Some(python) = std::env::var_os(PYTHON) else {
        println!("skipped: {PYTHON} names no Python with the package `mcp`");
        return;
    };
    let home = Home::new();
    let ids = candidates(&home, &["Builds need the musl target", "The cache lives a day"]);
    let said = user(&home, &["remember", "Ports are reused between runs of the tests"]);
    let known = said.split_whitespace().nth(1).unwrap().trim_end_matches(':');
    let calls = json!([
        ["remember", {"text": "The parser wants UTF-8", "category": "constraint", "tags": ["io"]}],
        ["recall", {"query": "which ports do the tests reuse"}],
        ["get", {"id": known}],
        ["candidates", {}],
        ["settle", {"items": [
            {"id": ids[0], "action": "confirm"}, {"id": ids[1], "action": "reject"},
        ]}],
        ["status", {}],
        ["explain", {}],
        ["get", {"id": "zzzzzzzz"}],
    ]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/mcp/client.py");
    let mut command = Command::new(python);
    command.arg(script).arg(binary()).arg(home.path()).arg(home.project());
    let output = feed(&mut command, calls.to_string().as_bytes());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let heard: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(heard["server"]["serverInfo"]["name"], "windlass", "{heard}");
    let names: Vec<_> = heard["tools"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(names, TOOLS);
    let answers = heard["answers"].as_array().unwrap();
    let (refused, answered) = answers.split_last().unwrap();
    for (answer, call) in answered.iter().zip(calls.as_array().unwrap()) {
        assert_eq!(answer["isError"], false, "{call}: {answer}");
        assert!(answer["structuredContent"].is_object(), "{call}: {answer}");
    }
    assert_eq!(refused["isError"], true, "{refused}");
    let told = |at: usize| &answers[at]["structuredContent"];
    assert_eq!(told(0)["outcome"], "created");
    assert_eq!(told(2)["trust"], "user");
    assert_eq!((&told(3)["total"], &told(4)["settled"]), (&json!(2), &json!(2)));
    assert_eq!(home.query("SELECT id FROM memories WHERE state = 'active'").len(), 3);
}
