//! `cargo xtask names`: the types of the workspace that share their name with another one.
//!
//! A name that means two things cannot be searched for. This is a report and no gate.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::error::Error;
use crate::print::Align;
use crate::{host, print};

/// Words with which the definition of a type begins.
const DEFINITIONS: [&str; 5] = ["struct", "enum", "trait", "union", "type"];

/// Prints the shared names with their places, and how many of all types share one.
pub(crate) fn run() -> Result<ExitCode, Error> {
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut functions, mut letters) = (0, 0);
    for file in sources()? {
        let path = host::root().join(&file);
        let text = fs::read_to_string(&path).map_err(Error::file("read", &path))?;
        for (index, line) in without_tests(&text).lines().enumerate() {
            if let Some(name) = defined(line, &DEFINITIONS) {
                types.entry(name.to_owned()).or_default().push(format!("{file}:{}", index + 1));
            } else if let Some(name) = defined(line, &["fn"]) {
                functions += 1;
                letters += name.len();
            }
        }
    }
    report(&types);
    let all: usize = types.values().map(Vec::len).sum();
    let shared: usize = types.values().map(Vec::len).filter(|it| *it > 1).sum();
    let length: usize = types.iter().map(|(name, places)| name.len() * places.len()).sum();
    print::line(format!(
        "\n{shared} of {all} types ({:.1} %) share their name. A name has {:.1} letters, that of a \
         function {:.1}.",
        share(100 * shared, all),
        share(length, all),
        share(letters, functions),
    ));
    Ok(ExitCode::SUCCESS)
}

#[expect(clippy::cast_precision_loss, reason = "counts of one tree")]
fn share(part: usize, all: usize) -> f64 {
    part as f64 / all.max(1) as f64
}

fn report(types: &BTreeMap<String, Vec<String>>) {
    let mut shared: Vec<_> = types.iter().filter(|it| it.1.len() > 1).collect();
    shared.sort_by_key(|it| std::cmp::Reverse(it.1.len()));
    let rows: Vec<_> = shared
        .into_iter()
        .map(|(name, places)| [places.len().to_string(), name.clone(), places.join(" ")])
        .collect();
    let columns = [("types", Align::Right), ("name", Align::Left), ("places", Align::Left)];
    print::table(columns, &rows);
}

/// The files of our source that are no tests.
fn sources() -> Result<Vec<String>, Error> {
    let listing =
        host::output(Command::new("git").args(["ls-files", "*.rs"]).current_dir(host::root()))?;
    Ok(listing.lines().filter(|it| !is_test(it)).map(str::to_owned).collect())
}

fn is_test(file: &str) -> bool {
    let name = Path::new(file).file_name().unwrap_or_default();
    file.starts_with("fuzz/")
        || file.contains("/tests/")
        || name == "tests.rs"
        || name == "testing.rs"
}

/// A source without the module of its tests, which stands at the end.
fn without_tests(text: &str) -> &str {
    text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

/// The name that a line defines with one of these words. Types of a trait or an implementation are
/// indented, and no names of the workspace.
fn defined<'a>(line: &'a str, words: &[&str]) -> Option<&'a str> {
    let mut rest = line.trim_start();
    let is_indented = rest.len() < line.len();
    if let Some(behind) = rest.strip_prefix("pub") {
        rest = behind.trim_start();
        if let Some(behind) = rest.strip_prefix('(') {
            rest = behind.split_once(')')?.1.trim_start();
        }
    }
    for word in ["const ", "async ", "unsafe "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let (word, rest) = rest.split_once(' ')?;
    if !words.contains(&word) || word == "type" && is_indented {
        return None;
    }
    let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len());
    Some(&rest[..end]).filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{DEFINITIONS, defined, is_test, without_tests};

    #[test]
    fn a_definition_is_known_by_its_first_word() {
        for (line, name) in [
            ("pub struct Work {", Some("Work")),
            ("pub(crate) enum Kind<'a> {", Some("Kind")),
            ("struct Unit;", Some("Unit")),
            ("pub(in crate::store) type Rows = Vec<Row>;", Some("Rows")),
            ("    struct Inner(u8);", Some("Inner")),
            ("    type Item = u8;", None),
            ("structure of a line", None),
            ("fn run() {", None),
        ] {
            assert_eq!(defined(line, &DEFINITIONS), name, "{line}");
        }
        assert_eq!(defined("pub(super) const fn take(self) -> u8 {", &["fn"]), Some("take"));
    }

    #[test]
    fn tests_are_left_out() {
        assert!(
            is_test("crates/core/src/work/tests.rs") && is_test("crates/core/src/a/tests/b.rs")
        );
        assert!(!is_test("xtask/src/names.rs"));
        assert_eq!(without_tests("a\n#[cfg(test)]\nmod tests {\nstruct A;\n}"), "a");
    }
}
