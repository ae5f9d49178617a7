//! Transcripts in the client's shape: prompts, answers, tool calls and their results.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use super::payload::{quoted, text};

/// Writes whole turns until the transcript has at least this many bytes.
pub(super) fn write(file: &File, session: &str, bytes: u64) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    let mut written = 0;
    let mut number = 0;
    while written < bytes {
        for kind in [Row::Prompt, Row::Call, Row::Result, Row::Answer] {
            let row = row(kind, session, number);
            out.write_all(row.as_bytes())?;
            written += row.len() as u64;
            number += 1;
        }
    }
    out.flush()
}

/// One more answer of the assistant.
pub(crate) fn answer(session: &str) -> String {
    row(Row::Answer, session, 0)
}

/// Turns in which the two talk to each other, and do not paste what tools have printed.
pub(crate) fn turns(session: &str, count: usize) -> String {
    let kinds = [Row::Ask, Row::Call, Row::Result, Row::Tell];
    let rows = (0..count).flat_map(|_| kinds).enumerate();
    rows.map(|(number, kind)| row(kind, session, number)).collect()
}

/// The rows with which the client settles the first calls of a session, each with a short output.
pub(crate) fn results(session: &str, calls: u64) -> String {
    let numbers = 1..=usize::try_from(calls).unwrap_or_default();
    numbers.map(|number| row(Row::ShortResult, session, number)).collect()
}

#[derive(Clone, Copy)]
enum Row {
    /// A prompt and an answer in plain words.
    Ask,
    Tell,
    Prompt,
    Call,
    Result,
    /// A result of a few lines.
    ShortResult,
    Answer,
}

fn row(kind: Row, session: &str, number: usize) -> String {
    let parent = uuid(number);
    let own = uuid(number + 1);
    let common = format!(
        r#""uuid":"{own}","timestamp":"2026-11-15T18:{:02}:{:02}.510Z","userType":"external","entrypoint":"cli","cwd":"/home/ada/harbour","sessionId":"{session}","version":"2.1.325","gitBranch":"main""#,
        number / 60 % 60,
        number % 60,
    );
    // Lengths vary as they do in life: a few lines mostly, a long listing now and then.
    let long = match kind {
        Row::ShortResult => 300,
        _ if number % 40 == 2 => 24_000,
        _ => 300 + number * 37 % 1_700,
    };
    let (kind, role, content) = match kind {
        Row::Prompt => ("user", "user", quoted(&text(60 + number * 13 % 400))),
        Row::Call => (
            "assistant",
            "assistant",
            format!(
                r#"[{{"type":"tool_use","id":"toolu_{number:020}","name":"Bash","input":{{"command":"cargo test -q","description":"Run the tests"}}}}]"#
            ),
        ),
        Row::Result | Row::ShortResult => (
            "user",
            "user",
            format!(
                r#"[{{"tool_use_id":"toolu_{:020}","type":"tool_result","content":{},"is_error":false}}]"#,
                number - 1,
                quoted(&text(long)),
            ),
        ),
        Row::Answer => (
            "assistant",
            "assistant",
            format!(r#"[{{"type":"text","text":{}}}]"#, quoted(&text(400))),
        ),
        Row::Ask => ("user", "user", quoted(&talk(number, 1))),
        Row::Tell => (
            "assistant",
            "assistant",
            format!(r#"[{{"type":"text","text":{}}}]"#, quoted(&talk(number, 5))),
        ),
    };
    let message = if role == "user" {
        format!(r#"{{"role":"user","content":{content}}}"#)
    } else {
        format!(
            r#"{{"id":"msg_{number:020}","type":"message","role":"assistant","model":"claude-opus-5-5","content":{content},"stop_reason":null,"stop_sequence":null,"usage":{{"input_tokens":11761,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":210,"service_tier":"standard"}}}}"#
        )
    };
    format!(
        "{{\"parentUuid\":\"{parent}\",\"isSidechain\":false,\"type\":\"{kind}\",\"message\":{message},{common}}}\n"
    )
}

/// Some sentences as people and agents write them; none of them is worth keeping.
fn talk(number: usize, sentences: usize) -> String {
    const SENTENCES: [&str; 9] = [
        "Please have a look at `crates/crane/src/plan.rs` and tell me what you find there.",
        "I read the module and the two tests beside it.\n",
        "- `plan::order` sorts the loads by weight and keeps equal ones in their order.",
        "- The second function is called from the command line only.\n",
        "Next I will add a test for an empty list, and run everything again.",
        "All 42 tests pass, and the linter has nothing to say about the change.",
        "Could you also update the changelog and the example in the guide?",
        "Done: both files are changed, and the example was run once.\n",
        "Tell me if you would like to have the names in another order.",
    ];
    let some = (0..sentences).map(|it| SENTENCES[(number + it) % SENTENCES.len()]);
    some.collect::<Vec<_>>().join("\n")
}

fn uuid(number: usize) -> String {
    format!("{number:08x}-5c1e-4d7a-8b30-6f2e9a4c7d15")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn every_row_is_json_and_follows_the_one_before() {
        let kinds = [Row::Prompt, Row::Call, Row::Result, Row::Answer, Row::Ask, Row::Tell];
        let mut parent = Value::from(uuid(0));
        for (number, kind) in kinds.into_iter().enumerate() {
            let row: Value = serde_json::from_str(&row(kind, "s", number)).unwrap();
            assert_eq!(row["parentUuid"], parent);
            assert_eq!(row["sessionId"], "s");
            parent = row["uuid"].clone();
        }
    }
}
