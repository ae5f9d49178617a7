//! What is wrong, for people and for programs.

use std::process::ExitCode;

use serde::Serialize;

use super::Form;

use crate::Host;
use crate::doctor::{self, CHECKS, Named, Severity};
use crate::ui::{self, Colour};

/// Looks at everything and says what it found. Only a fault makes it fail.
pub(super) fn run(host: &Host, form: Form) -> ExitCode {
    let found = doctor::examine(host);
    match form {
        Form::Json => show_json(&found),
        Form::Text => show(&found, Colour::of(host)),
    }
    if has_fault(&found) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

#[derive(Serialize)]
struct ReportJson<'a> {
    healthy: bool,
    findings: Vec<FindingJson<'a>>,
    checked: Vec<CheckJson>,
}

#[derive(Serialize)]
struct FindingJson<'a> {
    check: &'a str,
    severity: &'static str,
    found: &'a str,
    why: &'a str,
    next: &'a str,
}

#[derive(Serialize)]
struct CheckJson {
    name: &'static str,
    about: &'static str,
}

fn show_json(found: &[Named]) {
    ui::json(&ReportJson {
        healthy: !has_fault(found),
        findings: found.iter().map(FindingJson::of).collect(),
        checked: CHECKS.iter().map(|it| CheckJson { name: it.name, about: it.about }).collect(),
    });
}

impl<'a> FindingJson<'a> {
    fn of(Named { check, finding }: &'a Named) -> Self {
        let (found, why, next) = (&finding.found, &finding.why, &finding.next);
        Self { check, severity: finding.severity.name(), found, why, next }
    }
}

fn has_fault(found: &[Named]) -> bool {
    found.iter().any(|it| it.finding.severity == Severity::Fault)
}

fn show(found: &[Named], colour: Colour) {
    if found.is_empty() {
        let checks = ui::amount(CHECKS.len(), "check");
        ui::say(&format!("{}: {checks} found nothing.", colour.good("Everything is well")));
        return;
    }
    for Named { check, finding } in found {
        let word = match finding.severity {
            Severity::Fault => colour.bad("fault"),
            Severity::Warning => colour.bold("warning"),
            Severity::Note => colour.faint("note"),
        };
        ui::say(&format!("{word}: {check}"));
        ui::show(&ui::paragraph(&finding.found, "  "));
        ui::show(&ui::paragraph(&format!("why: {}", finding.why), "  "));
        ui::show(&ui::paragraph(&format!("next: {}", finding.next), "  "));
        ui::say("");
    }
    let count = |severity: Severity| {
        let count = found.iter().filter(|it| it.finding.severity == severity).count();
        (count > 0).then(|| ui::amount(count, severity.name()))
    };
    let counts: Vec<_> = [Severity::Fault, Severity::Warning, Severity::Note]
        .into_iter()
        .filter_map(count)
        .collect();
    let checks = ui::amount(CHECKS.len(), "check");
    ui::say(&format!("{} in {checks}.", counts.join(", ")));
}
