//! The text of a settings file → what it sets.

use std::path::{Component, Path};

use toml::Spanned;
use toml::de::{DeArray, DeInteger, DeTable, DeValue};
use windlass_core::evidence::Pattern;

use super::checks::{self, ends_with_number};
use super::finding::{Position, Problem};
use super::key::{Field, Key, Value};
use super::keys::KEYS;
use crate::redact;

/// After this many the rest of a file is not told; it would be of no use to anybody.
const MAX_PROBLEMS: usize = 20;
/// Bytes of an unknown name that are shown.
const MAX_NAME: usize = 256;
/// Bytes of a path.
const MAX_PATH: usize = 512;
/// Names that one key takes.
const MAX_NAMES: usize = 64;

/// What a file says.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// In the order of the table of keys.
    pub(crate) settings: Vec<Setting>,
    pub(crate) problems: Vec<(Position, Problem)>,
    /// Whether a part of it could not be read; the first problem says where.
    pub(crate) is_broken: bool,
}

impl Said {
    /// Whether something in it does not count: what the user meant by it may be missing.
    pub(super) fn is_doubtful(&self) -> bool {
        self.is_broken || !self.problems.is_empty()
    }

    /// The names of the keys that it sets.
    pub(super) fn keys(&self) -> Vec<&'static str> {
        self.settings.iter().map(|it| it.key.name).collect()
    }
}

/// One key that a file sets.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) key: &'static Key,
    pub(crate) value: Value,
    pub(crate) at: Position,
}

/// Reads a text. A text that is not whole says nothing at all; a wrong key leaves the others.
pub(crate) fn parse(text: &str) -> Result<Said, (Option<Position>, Problem)> {
    let document = DeTable::parse(text).map_err(|error| {
        let at = error.span().map(|it| Position::of(text, it.start));
        (at, Problem::Syntax(error.message().to_owned()))
    })?;
    let mut said = Said::default();
    for key in KEYS {
        let Some(value) = find(document.get_ref(), key.name) else { continue };
        // `days = 3` may be what is left of `days = 30`.
        if let Some(number) = ends_with_number(value, text.len()) {
            return Err((Some(Position::of(text, number.start)), Problem::HalfWritten));
        }
        let at = Position::of(text, value.span().start);
        if let (Field::Checks(_), DeValue::Table(table)) = (&key.field, value.get_ref()) {
            let all = checks::read(text, table, &mut said.problems);
            if !all.is_empty() {
                said.settings.push(Setting { key, value: Value::Checks(all), at });
            }
        } else if let Some(value) = read(&key.field, value.get_ref()) {
            said.settings.push(Setting { key, value, at });
        } else {
            let values = key.field.values();
            said.problems.push((at, Problem::Wrong { key: key.name.into(), values }));
        }
    }
    find_unknown(text, document.get_ref(), "", &mut said.problems);
    Ok(said)
}

fn find<'d, 't>(table: &'d DeTable<'t>, name: &str) -> Option<&'d Spanned<DeValue<'t>>> {
    match name.split_once('.') {
        None => table.get(name),
        Some((section, rest)) => match table.get(section)?.get_ref() {
            DeValue::Table(table) => find(table, rest),
            _ => None,
        },
    }
}

fn read(field: &Field, value: &DeValue<'_>) -> Option<Value> {
    match (field, value) {
        (Field::Switch(_), DeValue::Boolean(value)) => Some(Value::Switch(*value)),
        (Field::Number(range, _), DeValue::Integer(digits)) => {
            number(digits).filter(|it| range.contains(it)).map(Value::Number)
        }
        (Field::Command(_), DeValue::Array(words)) => {
            texts(words).filter(|it| is_command(it)).map(Value::Command)
        }
        (Field::Names(_), DeValue::Array(words)) => {
            texts(words).filter(|it| are_names(it)).map(Value::Names)
        }
        (Field::File(_), DeValue::String(path)) => {
            is_below(path).then(|| Value::File(path.as_ref().to_owned()))
        }
        (Field::Runs(_), DeValue::Array(words)) => {
            let words = texts(words).filter(|it| it.len() <= MAX_NAMES)?;
            let runs: Result<_, _> = words.iter().map(|it| Pattern::parse(it)).collect();
            runs.ok().map(Value::Runs)
        }
        (Field::Word(words, ..), DeValue::String(word)) => {
            let place = words.iter().position(|it| *it == word.as_ref());
            place.map(|it| Value::Word(words[it], it))
        }
        (
            Field::Switch(_)
            | Field::Number(..)
            | Field::Word(..)
            | Field::Command(_)
            | Field::Names(_)
            | Field::File(_)
            | Field::Checks(_)
            | Field::Runs(_),
            _,
        ) => None,
    }
}

pub(super) fn texts(words: &DeArray<'_>) -> Option<Vec<String>> {
    words.iter().map(|it| it.get_ref().as_str().map(str::to_owned)).collect()
}

// A star elsewhere would look as if it meant something.
fn are_names(names: &[String]) -> bool {
    let is_name = |name: &String| {
        let beginning = name.strip_suffix('*').unwrap_or(name);
        (1..=MAX_NAME).contains(&name.len())
            && !beginning.contains(|it: char| it == '*' || it.is_control())
    };
    names.len() <= MAX_NAMES && names.iter().all(is_name)
}

/// Whether a path stays below the directory that it begins at.
fn is_below(path: &str) -> bool {
    let is_plain = |it: Component<'_>| matches!(it, Component::Normal(_) | Component::CurDir);
    let is_clean = path.len() <= MAX_PATH && !path.contains(char::is_control);
    is_clean && Path::new(path).components().all(is_plain)
}

pub(super) fn number(digits: &DeInteger<'_>) -> Option<u32> {
    u32::from_str_radix(digits.as_str(), digits.radix()).ok()
}

// No program has an empty name, and none takes a zero byte.
pub(super) fn is_command(words: &[String]) -> bool {
    words.first().is_none_or(|it| !it.is_empty()) && !words.iter().any(|it| it.contains('\0'))
}

fn find_unknown(
    text: &str,
    table: &DeTable<'_>,
    section: &str,
    problems: &mut Vec<(Position, Problem)>,
) {
    for (name, value) in table {
        if problems.len() >= MAX_PROBLEMS {
            return;
        }
        let path = format!("{section}{}", name.get_ref());
        // A quoted name may hold a dot, and is then no way into a section.
        let is_word = !name.get_ref().contains('.');
        let below = format!("{path}.");
        let is_section = is_word && KEYS.iter().any(|it| it.name.starts_with(&below));
        match value.get_ref() {
            DeValue::Table(table) if is_section => find_unknown(text, table, &below, problems),
            _ if is_word && KEYS.iter().any(|it| it.name == path) => {}
            _ => {
                // What is written where a name should be may be a secret.
                let shown = redact::text(&path, MAX_NAME).to_string();
                let at = Position::of(text, name.span().start);
                problems.push((at, Problem::Unknown(shown)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Vec<String> {
        let said = parse(text).unwrap();
        assert!(said.problems.is_empty(), "{:?}", said.problems);
        said.settings.iter().map(|it| format!("{} = {}", it.key.name, it.value)).collect()
    }

    /// The problem of a text, with its place; other settings in it must still count.
    fn problem(line: &str) -> String {
        let said = parse(&format!("transcripts.read = false\n{line}\n")).unwrap();
        assert_eq!(said.settings.len(), 1, "{:?}", said.settings);
        let [(at, problem)] = said.problems.as_slice() else { panic!("{:?}", said.problems) };
        format!("{}:{} {problem}", at.line, at.column)
    }

    #[test]
    fn tables_dots_and_braces_are_the_same() {
        let expected = ["ledger.days = 30", "hooks.stop.timeout_s = 20"];
        assert_eq!(settings("[ledger]\ndays = 30\n[hooks.stop]\ntimeout_s = 20\n"), expected);
        assert_eq!(settings("ledger.days = 0x1e\nhooks.stop.timeout_s = 2_0\n"), expected);
        assert_eq!(
            settings("ledger = { days = 30 }\nhooks = { stop = { timeout_s = 20 } }"),
            expected
        );
        assert_eq!(settings("\u{feff}# mine\r\n[ledger]\r\ndays=30\r\n"), ["ledger.days = 30"]);
        assert_eq!(settings(""), [""; 0]);
    }

    #[test]
    fn names_may_end_with_a_star() {
        let said = settings("gates.agents = [\"writer\", \"ralph-*\", \"*\"]");
        assert_eq!(said, [r#"gates.agents = ["writer", "ralph-*", "*"]"#]);
        assert_eq!(settings("gates.agents = []"), ["gates.agents = []"]);
        let many = format!("[{}]", "\"x\",".repeat(65));
        for wrong in ["\"x\"", "[1]", "[\"\"]", "[\"a*b\"]", "[\"**\"]", "[\"a\\u0000\"]", &many] {
            let said = problem(&format!("gates.agents = {wrong}"));
            assert!(said.starts_with("2:16 `gates.agents` is a list of names"), "{said}");
        }
    }

    #[test]
    fn a_file_stays_below_its_project() {
        let said = settings("knowledge.file = 'docs/knowledge.md'");
        assert_eq!(said, [r#"knowledge.file = "docs/knowledge.md""#]);
        assert_eq!(settings("knowledge.file = ''"), [r#"knowledge.file = """#]);
        let long = format!("'{}'", "x".repeat(513));
        for wrong in ["1", "['a']", "'/etc/passwd'", "'../a'", "'a/../../b'", "\"a\\nb\"", &long] {
            let said = problem(&format!("knowledge.file = {wrong}"));
            assert!(said.starts_with("2:18 `knowledge.file` is a path below"), "{said}");
        }
    }

    #[test]
    fn a_run_has_a_kind_and_a_command() {
        let said = settings("gates.runs = [\"tests: just ci *\", \"lint: 'my tool' -x\"]");
        assert_eq!(said, [r#"gates.runs = ["tests: just ci *", "lint: 'my tool' -x"]"#]);
        for wrong in ["'tests: x'", "['just ci']", "['speed: x']", "['tests: *']", "['tests: a|b']"]
        {
            let said = problem(&format!("gates.runs = {wrong}"));
            assert!(said.starts_with("2:14 `gates.runs` is a list of commands"), "{said}");
        }
    }

    #[test]
    fn a_command_is_a_list_of_words() {
        let said = settings("[statusline]\ncommand = ['my line', \"-a\\tb\"]");
        assert_eq!(said, [r#"statusline.command = ["my line", "-a\tb"]"#]);
        assert_eq!(settings("statusline.command = []"), ["statusline.command = []"]);
        for wrong in ["'sh -c x'", "['sh', 1]", "[['sh']]", "['']", "[\"a\\u0000\"]", "{ a = 1 }"] {
            let said = problem(&format!("statusline.command = {wrong}"));
            assert!(said.starts_with("2:22 `statusline.command` is a list of texts"), "{said}");
        }
    }

    #[test]
    fn a_wrong_value_costs_only_its_own_key() {
        for wrong in ["0", "3651", "-1", "'30'", "30.0", "true", "99999999999999999999", "[30]"] {
            let said = problem(&format!("ledger.days = {wrong}"));
            assert_eq!(said, "2:15 `ledger.days` is a whole number from 1 to 3650", "{wrong}");
        }
        for wrong in ["1", "'true'", "1979-05-27", "{}"] {
            let said = problem(&format!("ledger.texts = {wrong}"));
            assert_eq!(said, "2:16 `ledger.texts` is true or false", "{wrong}");
        }
    }

    #[test]
    fn an_unknown_key_is_named_and_costs_nothing_else() {
        assert_eq!(problem("ledger.day = 1"), "2:8 `ledger.day` is not a setting");
        assert_eq!(problem("[ledger.days_]\nx = 1"), "2:9 `ledger.days_` is not a setting");
        assert_eq!(problem("\"ledger.days\" = 1"), "2:1 `ledger.days` is not a setting");
        assert_eq!(
            problem("\"hooks\".\"stop.enabled\" = false"),
            "2:9 `hooks.stop.enabled` is not a setting"
        );
        assert_eq!(problem("hooks = 3"), "2:1 `hooks` is not a setting");
        assert_eq!(problem("include = 'other.toml'"), "2:1 `include` is not a setting");
        assert_eq!(problem("[[ledgers]]"), "2:3 `ledgers` is not a setting");
    }

    #[test]
    fn thousands_of_wrong_keys_are_not_thousands_of_problems() {
        let text = (0..5000).map(|it| format!("k{it} = {it}\n")).collect::<Vec<_>>().concat();
        assert_eq!(parse(&text).unwrap().problems.len(), MAX_PROBLEMS);
    }

    #[test]
    fn a_text_that_is_not_toml_says_nothing_and_tells_where() {
        let (at, problem) = parse("ledger.days = 30\n\nledger.texts = fals\n").unwrap_err();
        assert_eq!(at, Some(Position { line: 3, column: 16 }));
        assert!(matches!(problem, Problem::Syntax(_)), "{problem}");
        for twice in ["ledger.days = 1\nledger.days = 2\n", "[ledger]\n[ledger]\n"] {
            assert!(matches!(parse(twice), Err((Some(_), Problem::Syntax(_)))), "{twice}");
        }
        let deep = format!("a = {}{}\n", "[".repeat(100_000), "]".repeat(100_000));
        assert!(matches!(parse(&deep), Err((_, Problem::Syntax(_)))));
    }

    #[test]
    fn a_number_at_the_very_end_may_be_the_half_of_one() {
        let (at, problem) = parse("ledger.texts = false\nledger.days = 3").unwrap_err();
        assert_eq!(at, Some(Position { line: 2, column: 15 }));
        assert!(matches!(problem, Problem::HalfWritten));
        assert_eq!(settings("ledger.days = 30\nledger.texts = false").len(), 2);
        assert_eq!(settings("ledger.days = 30 ").len(), 1);
    }
}
