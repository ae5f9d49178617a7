//! The tables of checks in a settings file, read and shown.

use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

use serde_json::json;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use windlass_core::check::{Bounds, Check, MAX_CHECKS, Number, Severity, Stage, What};

use super::finding::{Position, Problem};
use super::parse::{is_command, number, texts};
use crate::redact;

/// What a check may be, for the list of keys.
pub(super) const VALUES: &str = "a table for each check, by its name: `command` or `pattern`, and \
    what goes with them";

/// Bytes of a name.
const MAX_NAME: usize = 40;
/// Bytes of a text that must not be there.
const MAX_PATTERN: usize = 200;
/// Patterns of files, and bytes of each.
const MAX_FILES: usize = 32;
const MAX_FILE: usize = 200;
/// Words of a command, and bytes of all of them.
const MAX_WORDS: usize = 64;
const MAX_COMMAND: usize = 4096;
/// What a bound is, in words.
const DECIMAL: &str = "a number such as 80 or 0.5";
/// Seconds that a command may take; all commands of a stop have no more together.
const TIMEOUT: RangeInclusive<u32> = 1..=120;

/// Reads the checks of a file, by name. A wrong one is a problem, and leaves the others.
pub(super) fn read(
    text: &str,
    table: &DeTable<'_>,
    problems: &mut Vec<(Position, Problem)>,
) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    for (name, value) in table {
        let at = Position::of(text, name.span().start);
        let fields = match value.get_ref() {
            DeValue::Table(fields) if is_name(name.get_ref()) => fields,
            _ => {
                let key = format!("checks.{}", shown(name.get_ref()));
                let values = format!(
                    "a table with a name of at most {MAX_NAME} small letters, digits and hyphens"
                );
                problems.push((at, Problem::Wrong { key: key.into(), values }));
                continue;
            }
        };
        let mut reader = Reader { text, name: name.get_ref(), at, problems: Vec::new() };
        match reader.check(fields) {
            Some(_) if checks.len() == MAX_CHECKS => {
                let values = format!("at most {MAX_CHECKS} tables");
                problems.push((at, Problem::Wrong { key: "checks".into(), values }));
                break;
            }
            Some(check) => checks.push(check),
            None => problems.append(&mut reader.problems),
        }
    }
    checks.sort_by(|one, other| one.name.cmp(&other.name));
    checks
}

/// Adds checks to those that are there, as far as there is room and the name is free; the rest is
/// told.
pub(super) fn add(checks: &mut Vec<Check>, more: Vec<Check>, mut tell: impl FnMut(Problem)) {
    for check in more {
        let key = || format!("checks.{}", check.name);
        if checks.iter().any(|it| it.name == check.name) {
            tell(Problem::Yours { key: key() });
        } else if checks.len() == MAX_CHECKS {
            tell(Problem::Wrong {
                key: key().into(),
                values: format!("one of at most {MAX_CHECKS}"),
            });
        } else {
            checks.push(check);
        }
    }
}

fn is_name(name: &str) -> bool {
    let is_letter = |it: u8| matches!(it, b'a'..=b'z' | b'0'..=b'9' | b'-');
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_letter)
}

// What is written where a name should be may be a secret.
fn shown(name: &str) -> String {
    redact::text(name, 4 * MAX_NAME).to_string()
}

/// Reads one table; it counts only where there is no problem with it.
struct Reader<'t> {
    text: &'t str,
    name: &'t str,
    at: Position,
    problems: Vec<(Position, Problem)>,
}

/// The fields that are set.
#[derive(Default)]
struct Fields {
    words: Option<Vec<String>>,
    pattern: Option<String>,
    timeout_s: Option<u32>,
    at_least: Option<Number>,
    at_most: Option<Number>,
    files: Option<Vec<String>>,
    severity: Option<Severity>,
    stage: Option<Stage>,
}

impl Reader<'_> {
    fn check(&mut self, table: &DeTable<'_>) -> Option<Check> {
        let mut fields = Fields::default();
        for (field, value) in table {
            self.read(&mut fields, field, value);
        }
        if !self.problems.is_empty() {
            return None;
        }
        let Fields { at_least, at_most, timeout_s, .. } = fields;
        let bounds =
            (at_least.is_some() || at_most.is_some()).then_some(Bounds { at_least, at_most });
        let what = match (fields.words, fields.pattern) {
            (Some(words), None) => {
                What::Command { words, timeout_s: timeout_s.unwrap_or(Check::TIMEOUT_S), bounds }
            }
            (None, Some(pattern)) if bounds.is_none() && timeout_s.is_none() => {
                What::Pattern(pattern)
            }
            _ => {
                let key = format!("checks.{}", self.name).into();
                let values =
                    "either a `command`, with `timeout_s`, `at_least` and `at_most` where \
                    you want them, or a `pattern`"
                        .to_owned();
                self.problems.push((self.at, Problem::Wrong { key, values }));
                return None;
            }
        };
        Some(Check {
            name: self.name.to_owned(),
            what,
            files: fields.files.unwrap_or_default(),
            severity: fields.severity.unwrap_or(Severity::Ask),
            stage: fields.stage.unwrap_or(Stage::Correctness),
        })
    }

    fn read(
        &mut self,
        fields: &mut Fields,
        field: &Spanned<Cow<'_, str>>,
        value: &Spanned<DeValue<'_>>,
    ) {
        let it = value.get_ref();
        let taken = match field.get_ref().as_ref() {
            "command" => take(&mut fields.words, command(it), || {
                "a list of texts: a program and its arguments, run without a shell".to_owned()
            }),
            "pattern" => take(&mut fields.pattern, line(it), || {
                format!("a text of at most {MAX_PATTERN} bytes, in one line")
            }),
            "timeout_s" => take(&mut fields.timeout_s, timeout(it), || {
                format!("a whole number from {} to {}", TIMEOUT.start(), TIMEOUT.end())
            }),
            "at_least" => take(&mut fields.at_least, decimal(it), || DECIMAL.to_owned()),
            "at_most" => take(&mut fields.at_most, decimal(it), || DECIMAL.to_owned()),
            "files" => take(&mut fields.files, patterns(it), || {
                "a list of patterns as in a `.gitignore`, such as \"src/**\" or \"*.rs\"".to_owned()
            }),
            "severity" => {
                take(&mut fields.severity, word(it, &Severity::ALL, Severity::word), || {
                    one_of(&Severity::ALL.map(Severity::word))
                })
            }
            "stage" => take(&mut fields.stage, word(it, &Stage::ALL, Stage::word), || {
                one_of(&Stage::ALL.map(Stage::word))
            }),
            other => {
                let path = format!("checks.{}.{}", self.name, shown(other));
                let at = Position::of(self.text, field.span().start);
                return self.problems.push((at, Problem::Unknown(path)));
            }
        };
        if let Err(values) = taken {
            let at = Position::of(self.text, value.span().start);
            let key = format!("checks.{}.{}", self.name, field.get_ref()).into();
            self.problems.push((at, Problem::Wrong { key, values }));
        }
    }
}

/// Puts a value into its field, or says what it should be.
fn take<T>(
    field: &mut Option<T>,
    read: Option<T>,
    values: impl FnOnce() -> String,
) -> Result<(), String> {
    *field = Some(read.ok_or_else(values)?);
    Ok(())
}

fn command(value: &DeValue<'_>) -> Option<Vec<String>> {
    let words = texts(value.as_array()?)?;
    let bytes: usize = words.iter().map(String::len).sum();
    let fits = (1..=MAX_WORDS).contains(&words.len()) && bytes <= MAX_COMMAND;
    (fits && is_command(&words)).then_some(words)
}

fn line(value: &DeValue<'_>) -> Option<String> {
    let text = value.as_str()?;
    let fits = (1..=MAX_PATTERN).contains(&text.len()) && !text.contains(['\n', '\r', '\0']);
    fits.then(|| text.to_owned())
}

fn timeout(value: &DeValue<'_>) -> Option<u32> {
    number(value.as_integer()?).filter(|it| TIMEOUT.contains(it))
}

fn decimal(value: &DeValue<'_>) -> Option<Number> {
    match value {
        DeValue::Integer(digits) if digits.radix() == 10 => Number::parse(digits.as_str()),
        DeValue::Float(digits) => Number::parse(digits.as_str()),
        _ => None,
    }
}

// What begins with `!` or `#` would mean something else, and a bare `/` nothing.
fn patterns(value: &DeValue<'_>) -> Option<Vec<String>> {
    let files = texts(value.as_array()?)?;
    let is_pattern = |it: &String| {
        (1..=MAX_FILE).contains(&it.len())
            && !it.starts_with(['!', '#', ' '])
            && !it.ends_with(' ')
            && it.contains(|it| it != '/')
            && !it.contains(char::is_control)
    };
    (files.len() <= MAX_FILES && files.iter().all(is_pattern)).then_some(files)
}

fn word<T: Copy>(value: &DeValue<'_>, all: &[T], of: fn(T) -> &'static str) -> Option<T> {
    let word = value.as_str()?;
    all.iter().copied().find(|it| of(*it) == word)
}

fn one_of(words: &[&str]) -> String {
    let words: Vec<_> = words.iter().map(|it| format!("{it:?}")).collect();
    format!("one of {}", words.join(", "))
}

/// Whether a number ends a text, so that it may be the half of one.
pub(super) fn ends_with_number(value: &Spanned<DeValue<'_>>, end: usize) -> Option<Range<usize>> {
    match value.get_ref() {
        DeValue::Integer(_) | DeValue::Float(_) => Some(value.span()).filter(|it| it.end == end),
        DeValue::Table(table) => table.values().find_map(|it| ends_with_number(it, end)),
        _ => None,
    }
}

/// A check as it stands in a settings file, without what is the default.
pub(super) fn line_of(check: &Check) -> String {
    let mut parts = Vec::new();
    match &check.what {
        What::Command { words, timeout_s, .. } => {
            parts.push(format!("command = {words:?}"));
            if *timeout_s != Check::TIMEOUT_S {
                parts.push(format!("timeout_s = {timeout_s}"));
            }
        }
        What::Pattern(pattern) => parts.push(format!("pattern = {pattern:?}")),
    }
    parts.extend(bounds(check).into_iter().map(|(name, bound)| format!("{name} = {bound}")));
    if !check.files.is_empty() {
        parts.push(format!("files = {:?}", check.files));
    }
    if check.severity != Severity::Ask {
        parts.push(format!("severity = {:?}", check.severity.word()));
    }
    if check.stage != Stage::Correctness {
        parts.push(format!("stage = {:?}", check.stage.word()));
    }
    format!("{{ {} }}", parts.join(", "))
}

/// A check as JSON has it, whole.
pub(super) fn as_json(check: &Check) -> serde_json::Value {
    let mut value = json!({
        "files": check.files,
        "severity": check.severity.word(),
        "stage": check.stage.word(),
    });
    match &check.what {
        What::Command { words, timeout_s, .. } => {
            value["command"] = json!(words);
            value["timeout_s"] = json!(timeout_s);
        }
        What::Pattern(pattern) => value["pattern"] = json!(pattern),
    }
    for (name, bound) in bounds(check) {
        // A decimal number is written alike in both.
        value[name] = serde_json::from_str(&bound.to_string()).unwrap_or_default();
    }
    value
}

/// The bounds that are set, by the names of their fields.
fn bounds(check: &Check) -> Vec<(&'static str, Number)> {
    let What::Command { bounds: Some(bounds), .. } = check.what else { return Vec::new() };
    let least = bounds.at_least.map(|it| ("at_least", it));
    least.into_iter().chain(bounds.at_most.map(|it| ("at_most", it))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::key::Value;
    use super::super::parse::{Said, parse};
    use super::*;

    fn said(text: &str) -> Said {
        parse(text).unwrap()
    }

    /// The checks of a text, each as it would be written.
    fn checks(text: &str) -> Vec<String> {
        let said = said(text);
        assert!(said.problems.is_empty(), "{:?}", said.problems);
        let lines = said.settings.iter().flat_map(|it| it.value.lines(it.key.name));
        lines.map(|(name, line)| format!("{name} = {line}")).collect()
    }

    /// The problem with a line of a check; another one beside it must still count.
    fn problem(line: &str) -> String {
        let text = format!("checks.good.pattern = \"x\"\n[checks.bad]\n{line}\n");
        let said = said(&text);
        let [setting] = said.settings.as_slice() else { panic!("{:?}", said.settings) };
        let Value::Checks(checks) = &setting.value else { panic!("{:?}", setting.value) };
        assert_eq!(checks.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["good"]);
        let [(at, problem)] = said.problems.as_slice() else { panic!("{:?}", said.problems) };
        format!("{}:{} {problem}", at.line, at.column)
    }

    #[test]
    fn a_check_is_a_command_a_metric_or_a_pattern() {
        let text = "[checks.unit]\ncommand = ['make', 'check']\ntimeout_s = 90\nfiles = ['src/**']\n\
            [checks.coverage]\ncommand = ['./coverage.sh']\nat_least = 80\nat_most = 1_00.5\n\
            [checks.no-print]\npattern = 'print('\nseverity = 'advise'\nstage = 'security'\n";
        let expected = [
            r#"checks.coverage = { command = ["./coverage.sh"], at_least = 80, at_most = 100.5 }"#,
            r#"checks.no-print = { pattern = "print(", severity = "advise", stage = "security" }"#,
            r#"checks.unit = { command = ["make", "check"], timeout_s = 90, files = ["src/**"] }"#,
        ];
        assert_eq!(checks(text), expected);
        // What is shown says the same.
        let again: Vec<_> = expected.iter().map(|it| format!("{it}\n")).collect();
        assert_eq!(checks(&again.concat()), expected);
        let said = said(text);
        let json = serde_json::Value::from(&said.settings[0].value);
        assert_eq!(json["coverage"]["at_most"], serde_json::json!(100.5));
        assert_eq!(json["coverage"]["timeout_s"], 60);
        assert_eq!(json["unit"]["stage"], "correctness");
        assert_eq!(checks("[checks]\n"), [""; 0]);
        let files = r#"checks.a = { pattern = "x", files = ["src/", "/doc/*.md", "\\#x"] }"#;
        assert_eq!(checks(&format!("{files}\n")), [files]);
    }

    #[test]
    fn a_wrong_field_is_named_with_its_place_and_costs_its_check_alone() {
        let command = "command = ['a']\n";
        let with = |line: &str| problem(&format!("{command}{line}"));
        assert_eq!(problem("command = []").split(" is ").next(), Some("3:11 `checks.bad.command`"));
        assert!(problem("command = 'make check'").contains("a list of texts"));
        assert!(problem("command = ['']").contains("a list of texts"));
        assert_eq!(
            with("timeout_s = 0"),
            "4:13 `checks.bad.timeout_s` is a whole number from 1 to 120"
        );
        assert!(with("timeout_s = 121").contains("from 1 to 120"));
        assert_eq!(u64::from(*TIMEOUT.end()), crate::look::BUDGET.as_secs());
        assert!(with("at_least = 'x'").contains("`checks.bad.at_least` is a number such as"));
        assert!(
            with("at_most = 1e9").contains("a number such as")
                && with("at_most = nan").contains("a number")
        );
        for wrong in ["!x", "#x", "/", "", " x", "x "] {
            let told = with(&format!("files = ['{wrong}']"));
            assert!(told.contains("`checks.bad.files` is a list of patterns"), "{wrong}: {told}");
        }
        assert!(with("severity = 'block'").ends_with(r#"is one of "ask", "advise""#));
        assert!(with("stage = 'last'").contains(r#"one of "correctness", "quality", "security""#));
        assert_eq!(with("comand = 1"), "4:1 `checks.bad.comand` is not a setting");
        assert!(
            problem("pattern = \"a\\nb\"").contains("`checks.bad.pattern` is a text of at most")
        );
        let neither = "2:9 `checks.bad` is either a `command`";
        assert!(problem("stage = 'quality'").starts_with(neither));
        assert!(with("pattern = 'x'").starts_with(neither));
        assert!(problem("pattern = 'x'\nat_least = 1").starts_with(neither));
    }

    #[test]
    fn names_and_numbers_of_checks_have_limits() {
        for name in ["Unit", "a_b", "'a b'", "''", &"x".repeat(41)] {
            let text = format!("checks.{name}.pattern = 'x'\n");
            let said = said(&text);
            assert!(said.settings.is_empty() && said.problems.len() == 1, "{text}");
        }
        let many: Vec<_> = (0..40).map(|it| format!("checks.c{it}.pattern = 'x'\n")).collect();
        let said = said(&many.concat());
        assert_eq!(said.settings[0].value.lines("checks").len(), MAX_CHECKS);
        assert_eq!(said.problems.len(), 1);
        assert_eq!(said.problems[0].1.to_string(), "`checks` is at most 32 tables");
    }

    #[test]
    fn a_number_at_the_very_end_may_be_the_half_of_one() {
        for text in [
            "[checks.a]\ncommand = ['a']\ntimeout_s = 6",
            "[checks.a]\ncommand = ['a']\nat_least = 8.1",
        ] {
            assert!(matches!(parse(text), Err((Some(at), Problem::HalfWritten)) if at.line == 3));
        }
    }
}
