//! The step `words`: nothing half-done is left in our own source.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::error::Error;
use crate::{host, print};

/// A comment that begins with one of these is a note to come back.
const MARKERS: [&str; 4] = ["TODO", "FIXME", "XXX", "HACK"];
/// Macros of unfinished work; the compiler sees them only where it compiles.
const MACROS: [&str; 3] = ["dbg!", "todo!", "unimplemented!"];
/// The files that people write code in, and how a comment begins there.
const SOURCES: &[(&str, &[&str])] = &[
    ("rs", &["//", "/*"]),
    ("c", &["//", "/*"]),
    ("js", &["//", "/*"]),
    ("css", &["/*"]),
    ("html", &["<!--"]),
    ("sql", &["--"]),
    ("toml", &["#"]),
    ("sh", &["#"]),
    ("yml", &["#"]),
    // The scripts in `.ci` have no extension.
    ("", &["#"]),
];
/// Folders whose files show leftovers on purpose.
const FIXTURES: [&str; 2] = ["/fixtures/", "/transcripts/"];

/// How many leftovers the tracked source has; each is printed with its place.
pub(crate) fn count() -> Result<usize, Error> {
    let listing = host::output(Command::new("git").arg("ls-files").current_dir(host::root()))?;
    let mut found = 0;
    for name in listing.lines() {
        let Some(comments) = comments(name) else { continue };
        let path = host::root().join(name);
        // A file may be deleted and not yet committed so; a link may lead nowhere.
        if !path.is_file() {
            continue;
        }
        let text = fs::read(&path).map_err(Error::file("read", &path))?;
        for (index, line) in String::from_utf8_lossy(&text).lines().enumerate() {
            if let Some(word) = leftover(line, comments) {
                print::line(format!("{name}:{}: {word}", index + 1));
                found += 1;
            }
        }
    }
    Ok(found)
}

// How a comment begins in a file; nothing where the file is not our source.
fn comments(name: &str) -> Option<&'static [&'static str]> {
    let extension = Path::new(name).extension().unwrap_or_default();
    let is_ours = !extension.is_empty() || name.starts_with(".ci/");
    let is_fixture = FIXTURES.iter().any(|it| name.contains(it));
    let row = SOURCES.iter().find(|row| extension == row.0);
    row.filter(|_| is_ours && !is_fixture).map(|row| row.1)
}

fn leftover(line: &str, comments: &[&str]) -> Option<&'static str> {
    unfinished_macro(line).or_else(|| marker(line, comments))
}

// Between quotes the name of a macro is data: windlass itself looks for such words.
fn unfinished_macro(line: &str) -> Option<&'static str> {
    MACROS.into_iter().find(|name| {
        line.match_indices(name).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + name.len()..].chars().next();
            let named = before.is_some_and(|it| it.is_alphanumeric() || matches!(it, '_' | '`'));
            matches!(after, Some('(' | '[' | '{')) && !is_quoted(line, at) && !named
        })
    })
}

fn marker(line: &str, comments: &[&str]) -> Option<&'static str> {
    let starts = comments.iter().flat_map(|it| line.match_indices(it));
    let mut starts = starts.map(|it| it.0).filter(|at| !is_quoted(line, *at));
    starts.find_map(|at| {
        let first = line[at..].trim_start_matches(|it: char| !it.is_alphanumeric());
        MARKERS.into_iter().find(|marker| {
            let next = first.strip_prefix(marker).map(|rest| rest.chars().next());
            next.is_some_and(|it| it.is_none_or(|it| matches!(it, ':' | '(' | ' ')))
        })
    })
}

fn is_quoted(line: &str, at: usize) -> bool {
    let before = &line[..at];
    let quotes = before.match_indices('"').filter(|it| !before[..it.0].ends_with('\\'));
    quotes.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rust(line: &str) -> Option<&'static str> {
        leftover(line, comments("src/lib.rs").unwrap())
    }

    #[test]
    fn finds_notes_to_come_back() {
        assert_eq!(rust(&format!("let a = 1; // {}: name it", "TODO")), Some("TODO"));
        assert_eq!(rust(&format!("    /* {} */", "HACK")), Some("HACK"));
        assert_eq!(rust(&format!("open(\"https://a.b\"); // {}", "XXX")), Some("XXX"));
        let script = comments(".ci/run").unwrap();
        assert_eq!(leftover(&format!("# {}(me) later", "FIXME"), script), Some("FIXME"));
    }

    #[test]
    fn finds_unfinished_macros() {
        assert_eq!(rust(&format!("    {}(value);", "dbg!")), Some("dbg!"));
        assert_eq!(rust(&format!("_ => {}(),", "todo!")), Some("todo!"));
    }

    #[test]
    fn leaves_data_and_prose_alone() {
        assert_eq!(rust(r#"const WORDS: [&str; 2] = ["TODO", "FIXME"];"#), None);
        assert_eq!(rust("/// Finds every TODO in added lines."), None);
        assert_eq!(rust(&format!("assert!(scan(\"{}(x)\").is_some());", "dbg!")), None);
        assert_eq!(rust("let line = \"// TODO: later\";"), None);
        assert_eq!(rust("// HACKING.md tells more."), None);
    }

    #[test]
    fn knows_our_source() {
        assert!(comments("LICENSE-MIT").is_none());
        assert!(comments("docs/guide.md").is_none());
        assert!(comments("crates/windlass/tests/fixtures/left.rs").is_none());
    }
}
