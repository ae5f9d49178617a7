//! What a file got that a call wrote anew, as the client compares it with the text before.

use windlass_core::{Rewritten, leftovers};

use crate::agent::claude::call::MAX_SUSPECTS;
use crate::agent::claude::field::Field;
use crate::agent::claude::wire::{FileWritten, Hunk};
use crate::{journal, redact};

/// Bytes of a line, as the journal keeps those of other calls.
const LINE: usize = 512;

/// The lines that an answer says were added to a file that was there before, where something may
/// have been left behind in them. An edit tells itself what it adds.
pub(super) fn of(answer: Field<'_>) -> Option<Rewritten> {
    // Most answers are of other tools, and some of those are long.
    if !answer.raw().contains("\"structuredPatch\"") {
        return None;
    }
    let written: FileWritten<'_> = answer.object()?;
    if written.kind.text().as_deref() != Some("update") {
        return None;
    }
    let hunks: Vec<Hunk<'_>> = written.structured_patch.list();
    let lines: Vec<_> = hunks.iter().flat_map(|it| &it.lines).filter_map(|it| it.text()).collect();
    let marked = |mark: char| lines.iter().filter_map(move |it| it.strip_prefix(mark));
    let mut added: Vec<String> = Vec::new();
    for line in marked('+') {
        let is_suspect = leftovers::suspects(line).next().is_some();
        // What only went elsewhere in the file is not new.
        if is_suspect && !marked('-').any(|it| it.trim() == line.trim()) {
            let line = redact::text(line.trim(), LINE).to_string();
            if !added.contains(&line) && added.len() < MAX_SUSPECTS {
                added.push(line);
            }
        }
    }
    let file = journal::file_name(&written.file_path.text()?).to_string();
    (!added.is_empty()).then_some(Rewritten { file, added })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn added(answer: &Value) -> Option<Vec<String>> {
        let text = answer.to_string();
        of(serde_json::from_str(&text).unwrap()).map(|it| it.added)
    }

    #[test]
    fn only_lines_that_a_file_did_not_have_before_are_told() {
        let (new, old) = (concat!("// TO", "DO: new"), concat!("// TO", "DO: old"));
        let moved = concat!("// FIX", "ME: moved");
        let lines = [
            format!("-{moved}"),
            format!(" {old}"),
            format!("+  {new}"),
            format!("+\t{moved}"),
            "+let x = 1;".to_owned(),
        ];
        let answer = |kind: Value| {
            let hunk = json!({"oldStart": 1, "newStart": 1, "lines": lines});
            json!({"type": kind, "filePath": "/p/a.rs", "structuredPatch": [hunk]})
        };
        assert_eq!(added(&answer(json!("update"))), Some(vec![new.to_owned()]));
        // An edit has no type, and a new file nothing to compare with.
        assert_eq!(added(&answer(Value::Null)), None);
        assert_eq!(added(&answer(json!("create"))), None);
        assert_eq!(added(&json!("The file was updated: structuredPatch")), None);
        assert_eq!(added(&json!({"type": "update", "structuredPatch": 7})), None);
    }
}
