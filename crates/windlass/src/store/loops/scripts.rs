//! The scripts of a loop's command as the user gave them, in one column.

use serde::{Deserialize, Serialize};
use windlass_core::loops::ScriptMark;

#[derive(Serialize, Deserialize)]
struct ScriptRow {
    file: String,
    mark: Option<u64>,
}

/// Reads the column; `None` where it is not as it was written.
pub(super) fn read(text: &str) -> Option<Vec<ScriptMark>> {
    if text == "[]" {
        return Some(Vec::new());
    }
    let rows: Vec<ScriptRow> = serde_json::from_str(text).ok()?;
    Some(rows.into_iter().map(|ScriptRow { file, mark }| ScriptMark { file, mark }).collect())
}

/// The column of some scripts.
pub(super) fn write(scripts: &[ScriptMark]) -> String {
    let row = |it: &ScriptMark| ScriptRow { file: it.file.clone(), mark: it.mark };
    let rows: Vec<_> = scripts.iter().map(row).collect();
    serde_json::to_string(&rows).unwrap_or_else(|_| "[]".to_owned())
}
