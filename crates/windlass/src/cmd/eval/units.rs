//! The units of a session, as lines to label.

use std::path::Path;

use serde::Serialize;
use windlass_core::memory::Role;
use windlass_core::triage::measure;

use super::data;
use super::error::EvalError;
use super::events;
use crate::ui;

/// A line of `labels_sentences.jsonl` that says nothing yet.
#[derive(Debug, Serialize)]
struct UnitLine<'a> {
    session: &'a str,
    idx: usize,
    role: &'static str,
    msg: u64,
    text: &'a str,
    label: &'static str,
    secondary: Option<&'static str>,
    confidence: &'static str,
    set: &'static str,
}

pub(super) fn show(file: &Path) -> Result<(), EvalError> {
    let (heard, _) = events::heard(&data::events(file)?);
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let mut idx = 0;
    measure(&heard, u32::MAX, |unit| {
        ui::json(&UnitLine {
            session: &name,
            idx,
            role: if unit.role == Role::User { "user" } else { "assistant" },
            msg: unit.at,
            text: unit.text,
            label: "NONE",
            secondary: None,
            confidence: "clear",
            set: "exhaustive",
        });
        idx += 1;
    });
    Ok(())
}
