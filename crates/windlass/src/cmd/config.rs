//! The settings that are in force, and where each comes from.

use serde_json::{Map, json};

use super::{Form, NoDirectory};
use crate::config::{self, Finding, KEYS, Loaded, Origin, Value};
use crate::{Host, surroundings, ui};

/// Lists every key.
pub(super) fn run(host: &Host, form: Form) -> Result<(), NoDirectory> {
    let directory = host.current_dir().map_err(NoDirectory)?;
    let mut loaded = config::load(host, surroundings::root_of(host, &directory).as_deref());
    match form {
        Form::Json => ui::say(&format!("{:#}", as_json(&mut loaded))),
        Form::Text => show(&mut loaded),
    }
    Ok(())
}

fn show(loaded: &mut Loaded) {
    let mut rows = Vec::new();
    for key in KEYS {
        let value = key.get(&mut loaded.policy);
        for (place, (name, shown)) in value.lines(key.name).into_iter().enumerate() {
            let origin = match &value {
                Value::Checks(_) if place < loaded.own_checks => Origin::User,
                _ => loaded.origin(key),
            };
            rows.push([name, shown, origin.as_str().to_owned()]);
        }
    }
    ui::table(&rows);
    for finding in &loaded.findings {
        ui::warn(&finding.to_string());
    }
    if let Some(notice) = config::notice(&loaded.findings) {
        ui::warn(&notice);
    }
}

fn as_json(loaded: &mut Loaded) -> serde_json::Value {
    let settings: Vec<_> = KEYS
        .iter()
        .map(|key| {
            json!({
                "key": key.name,
                "value": serde_json::Value::from(&key.get(&mut loaded.policy)),
                "origin": loaded.origin(key).as_str(),
                "default": serde_json::Value::from(&key.default()),
                "values": key.field.values(),
                "class": key.rule.class(),
                "project": key.rule.words(),
                "about": key.about,
            })
        })
        .collect();
    let findings: Vec<_> = loaded.findings.iter().map(finding).collect();
    json!({
        "settings": settings,
        "findings": findings,
        "ignored": config::notice(&loaded.findings),
    })
}

fn finding(finding: &Finding) -> serde_json::Value {
    let mut value = Map::new();
    value.insert("file".to_owned(), finding.file.to_string_lossy().into());
    if let Some(at) = finding.at {
        value.insert("line".to_owned(), at.line.into());
        value.insert("column".to_owned(), at.column.into());
    }
    value.insert("origin".to_owned(), finding.origin.as_str().into());
    value.insert("found".to_owned(), finding.found().into());
    value.insert("hint".to_owned(), finding.problem.hint().into());
    serde_json::Value::Object(value)
}
