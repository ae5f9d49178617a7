//! What was left behind: lines that were added, found again in their files.

use std::collections::BTreeMap;
use std::path::Path;

use windlass_core::gate::Left;
use windlass_core::leftovers;
use windlass_core::work::Suspect;

use crate::plain::{self, Follow};

/// Files that are looked into.
const MAX_FILES: usize = 16;
/// Bytes of a file that is looked into.
const MAX_BYTES: u64 = 1 << 20;

/// Which of the suspected lines are still there, and are what they look like.
pub(super) fn find(suspects: &[Suspect], root: Option<&Path>) -> Vec<Left> {
    let mut files: BTreeMap<&str, Vec<&Suspect>> = BTreeMap::new();
    for suspect in suspects {
        files.entry(&suspect.file).or_default().push(suspect);
    }
    let files = files.into_iter().take(MAX_FILES);
    files.flat_map(|(file, suspects)| left_in(file, &suspects, root)).collect()
}

fn left_in(file: &str, suspects: &[&Suspect], root: Option<&Path>) -> Vec<Left> {
    let path = Path::new(file);
    // A file outside of the project is the agent's own.
    let Some(name) = root.and_then(|it| path.strip_prefix(it).ok()) else { return Vec::new() };
    let read = plain::read(path, Follow::Never, MAX_BYTES);
    let Ok(Some(text)) = read.map(|it| it.map(|it| it.bytes)) else { return Vec::new() };
    let Ok(text) = str::from_utf8(&text) else { return Vec::new() };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let who = |line: usize| {
        let line = lines.get(line.checked_sub(1)?)?;
        suspects.iter().find(|it| it.text == *line)
    };
    let found = leftovers::find(&name.to_string_lossy(), text, |line| who(line).is_some());
    let left = found.into_iter().filter_map(|it| {
        let agent = who(it.line)?.agent.clone();
        Some(Left { file: file.to_owned(), line: it.line, text: it.text, agent })
    });
    left.collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_suspected_lines_that_are_still_there_count() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.js");
        let note = concat!("// TO", "DO: later");
        let old = concat!("// FIX", "ME: old");
        fs::write(&path, format!("{old}\n  {note}\nlet x = \"{note}\";\n")).unwrap();
        let suspect = |text: &str| Suspect {
            file: path.to_string_lossy().into_owned(),
            text: text.to_owned(),
            step: 1,
            agent: "a".to_owned(),
        };
        let gone = concat!("console.l", "og(gone)");
        let text = format!("let x = \"{note}\";");
        let suspects = [suspect(note), suspect(gone), suspect(&text)];
        let left = find(&suspects, Some(dir.path()));
        let places: Vec<_> = left.iter().map(|it| (it.line, it.agent.as_str())).collect();
        assert_eq!(places, [(2, "a")]);
        // Nothing is read outside of the project.
        assert_eq!(find(&suspects, Some(Path::new("/elsewhere"))), []);
        assert_eq!(find(&suspects, None), []);
    }
}
