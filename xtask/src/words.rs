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
/// What may stand before the first word of a comment.
const COMMENTS: [&str; 5] = ["//", "/*", "#", "--", "<!--"];
/// The files that people write code in.
const SOURCES: [&str; 9] = ["rs", "c", "toml", "sh", "sql", "js", "css", "html", "yml"];
/// Folders whose files show leftovers on purpose.
const FIXTURES: [&str; 2] = ["/fixtures/", "/transcripts/"];

/// How many leftovers the tracked source has; each is printed with its place.
pub(crate) fn count() -> Result<usize, Error> {
    let listing = host::output(Command::new("git").arg("ls-files").current_dir(host::root()))?;
    let mut found = 0;
    for name in listing.lines().filter(|it| is_source(it)) {
        let path = host::root().join(name);
        // A file may be deleted and not yet committed so; a link may lead nowhere.
        if !path.is_file() {
            continue;
        }
        let text = fs::read(&path).map_err(Error::file("read", &path))?;
        for (index, line) in String::from_utf8_lossy(&text).lines().enumerate() {
            if let Some(word) = leftover(line) {
                print::line(format!("{name}:{}: {word}", index + 1));
                found += 1;
            }
        }
    }
    Ok(found)
}

fn is_source(name: &str) -> bool {
    let extension = Path::new(name).extension().and_then(|it| it.to_str()).unwrap_or_default();
    (SOURCES.contains(&extension) || name.starts_with(".ci/"))
        && !FIXTURES.iter().any(|it| name.contains(it))
}

fn leftover(line: &str) -> Option<&'static str> {
    unfinished_macro(line).or_else(|| marker(line))
}

// Between quotes the name of a macro is data: windlass itself looks for such words.
fn unfinished_macro(line: &str) -> Option<&'static str> {
    MACROS.into_iter().find(|name| {
        line.match_indices(name).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + name.len()..].chars().next();
            let quoted = line[..at].matches('"').count() % 2 == 1;
            let named = before.is_some_and(|it| it.is_alphanumeric() || matches!(it, '_' | '`'));
            matches!(after, Some('(' | '[' | '{')) && !quoted && !named
        })
    })
}

fn marker(line: &str) -> Option<&'static str> {
    let comment = COMMENTS.iter().filter_map(|it| line.find(it)).min()?;
    let first = line[comment..].trim_start_matches(|it: char| !it.is_alphanumeric());
    MARKERS.into_iter().find(|marker| {
        let rest = first.strip_prefix(marker);
        rest.is_some_and(|it| it.chars().next().is_none_or(|next| matches!(next, ':' | '(' | ' ')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_notes_to_come_back() {
        assert_eq!(leftover(&format!("let a = 1; // {}: name it", "TODO")), Some("TODO"));
        assert_eq!(leftover(&format!("# {}(me) later", "FIXME")), Some("FIXME"));
        assert_eq!(leftover(&format!("    /* {} */", "HACK")), Some("HACK"));
    }

    #[test]
    fn finds_unfinished_macros() {
        assert_eq!(leftover(&format!("    {}(value);", "dbg!")), Some("dbg!"));
        assert_eq!(leftover(&format!("_ => {}(),", "todo!")), Some("todo!"));
    }

    #[test]
    fn leaves_data_and_prose_alone() {
        assert_eq!(leftover(r#"const WORDS: [&str; 2] = ["TODO", "FIXME"];"#), None);
        assert_eq!(leftover("/// Finds every TODO in added lines."), None);
        assert_eq!(leftover(r#"assert!(scan("dbg!(x)").is_some());"#), None);
        assert_eq!(leftover("// HACKING.md tells more."), None);
    }
}
