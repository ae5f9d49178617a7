//! A conversation file as rows, and the places where an agent stopped.

use std::collections::HashSet;
use std::path::Path;
use std::{fs, io};

use serde_json::Value;

/// A line of a conversation file.
#[derive(Debug, Clone)]
pub(crate) struct TranscriptLine {
    /// Its text, as the client wrote it.
    pub(crate) text: String,
    /// Its meaning; `None` where it cannot be read.
    pub(crate) row: Option<Value>,
}

impl TranscriptLine {
    pub(crate) fn of_row(row: Value) -> Self {
        Self { text: row.to_string(), row: Some(row) }
    }
}

/// A conversation file.
#[derive(Debug, Clone)]
pub struct SessionTranscript {
    /// The name of its file, without what stands after the last dot.
    pub name: String,
    pub(crate) lines: Vec<TranscriptLine>,
}

impl SessionTranscript {
    /// Reads a file.
    pub fn read(path: &Path) -> io::Result<Self> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self::parse(&name, &String::from_utf8_lossy(&fs::read(path)?)))
    }

    /// Takes the text of a file apart.
    pub fn parse(name: &str, text: &str) -> Self {
        let line = |text: &str| TranscriptLine {
            text: text.to_owned(),
            row: serde_json::from_str(text).ok().filter(Value::is_object),
        };
        let lines = text.split('\n').filter(|it| !it.trim().is_empty()).map(line).collect();
        Self { name: name.to_owned(), lines }
    }

    /// The lines at which the agent said its last words before the user spoke again, or the file
    /// ended. A stop with work in the background is left out: an agent may stop and wait there.
    pub fn stops(&self) -> Vec<usize> {
        let (mut stops, mut last) = (Vec::new(), None);
        let mut prompted = false;
        for (index, line) in self.lines.iter().enumerate() {
            let Some(row) = line.row.as_ref().filter(|it| it["isSidechain"] != true) else {
                continue;
            };
            if starts_background(row) {
                break;
            }
            match row["type"].as_str() {
                Some("assistant") if has_call(row) => last = None,
                Some("assistant") if says_something(row) => last = Some(index),
                Some("user") if is_prompt(row) => {
                    stops.extend(last.take().filter(|_| prompted));
                    prompted = true;
                }
                Some("user") => last = None,
                _ => {}
            }
        }
        stops.extend(last.filter(|_| prompted));
        stops
    }
}

/// Finds the conversation files below directories, in the order of their names.
pub fn find_transcripts(directories: &[impl AsRef<Path>]) -> io::Result<Vec<SessionTranscript>> {
    let mut found = Vec::new();
    for directory in directories {
        let entries: io::Result<Vec<_>> = fs::read_dir(directory)?.collect();
        let mut paths: Vec<_> = entries?.into_iter().map(|it| it.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                found.extend(find_transcripts(&[path])?);
            } else if path.extension().is_some_and(|it| it == "jsonl") {
                found.push(SessionTranscript::read(&path)?);
            }
        }
    }
    // What tells of no stop is no conversation, or one that was broken off.
    let mut names = HashSet::new();
    found.retain(|it| !it.stops().is_empty() && names.insert(it.name.clone()));
    Ok(found)
}

/// The blocks of a message.
pub(crate) fn blocks(row: &Value) -> &[Value] {
    row["message"]["content"].as_array().map_or(&[], Vec::as_slice)
}

/// The calls of a message.
pub(crate) fn calls(row: &Value) -> impl Iterator<Item = &Value> {
    let is_agent = row["type"] == "assistant";
    blocks(row).iter().filter(move |it| is_agent && it["type"] == "tool_use")
}

/// The answers to calls in a row.
pub(crate) fn answers(row: &Value) -> impl Iterator<Item = &Value> {
    blocks(row).iter().filter(|it| it["type"] == "tool_result")
}

fn has_call(row: &Value) -> bool {
    calls(row).next().is_some()
}

fn says_something(row: &Value) -> bool {
    let is_made_up = row["message"]["model"] == "<synthetic>" || row["isApiErrorMessage"] == true;
    let has_words = |it: &Value| {
        it["type"] == "text" && it["text"].as_str().is_some_and(|it| !it.trim().is_empty())
    };
    !is_made_up && blocks(row).iter().any(has_words)
}

fn is_prompt(row: &Value) -> bool {
    let content = &row["message"]["content"];
    let text = content.as_str().or_else(|| {
        blocks(row).iter().find(|it| it["type"] == "text").and_then(|it| it["text"].as_str())
    });
    let is_meta = row["isMeta"] == true || row["isCompactSummary"] == true;
    let has_answer = answers(row).next().is_some();
    !is_meta && !has_answer && text.is_some_and(|it| !it.trim_start().starts_with(['<', '[']))
}

/// Tells whether work goes on in the background after this row.
fn starts_background(row: &Value) -> bool {
    let result = &row["toolUseResult"];
    result["backgroundTaskId"].is_string() || result["isAsync"] == true
}

#[cfg(test)]
mod tests {
    use super::SessionTranscript;

    #[test]
    fn a_stop_is_the_last_word_before_the_user_speaks() {
        let said = |text: &str| {
            format!(
                r#"{{"type":"assistant","message":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
            )
        };
        let call = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t"}]}}"#;
        let answer =
            r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t"}]}}"#;
        let prompt = r#"{"type":"user","message":{"content":"go"}}"#;
        let broken_off = r#"{"type":"user","message":{"content":"[Request interrupted by user]"}}"#;
        let background = r#"{"type":"user","toolUseResult":{"backgroundTaskId":"b"},"message":{}}"#;
        let rows = [
            said("before anything"),
            prompt.to_owned(),
            said("let me look"),
            call.to_owned(),
            answer.to_owned(),
            "not a row".to_owned(),
            said("done"),
            prompt.to_owned(),
            said("half"),
            broken_off.to_owned(),
            prompt.to_owned(),
            said("again"),
        ];
        assert_eq!(SessionTranscript::parse("t", &rows.join("\n")).stops(), [6, 11]);
        let rows = [prompt, &said("a"), prompt, background, &said("b")].join("\n");
        assert_eq!(SessionTranscript::parse("t", &rows).stops(), [1]);
    }
}
