//! What was left behind: lines that were added, found again in their files.

use std::collections::BTreeMap;
use std::path::Path;

use windlass_core::Work;
use windlass_core::gate::{Left, Leftover};
use windlass_core::leftovers::{self, added_lines};
use windlass_core::work::{Edit, Suspect};

use super::{MAX_BYTES, MAX_FILES};
use crate::plain::{self, Follow};
use crate::redact;
use crate::tree::Tree;

/// Characters of a line with a secret.
const LINE: usize = 120;

/// What stands in lines that were added since the user spoke.
pub(super) fn find(work: &Work, roots: &[&Path]) -> Vec<Left> {
    let mut left = unfinished(&work.suspects, roots);
    let edits = work.edits.iter().rev().filter(|it| it.latest > work.since());
    let mut trees = BTreeMap::new();
    for edit in edits.take(MAX_FILES) {
        left.extend(secrets(edit, roots, &mut trees));
    }
    left
}

/// The working tree that holds a file, the innermost one, and the name of the file there.
fn tree_of<'r, 'f>(file: &'f Path, roots: &[&'r Path]) -> Option<(&'r Path, &'f Path)> {
    let holding = roots.iter().filter_map(|root| Some((*root, file.strip_prefix(root).ok()?)));
    holding.max_by_key(|it| it.0.as_os_str().len())
}

/// The lines of a file that hold a key and that the last commit does not have. Where no commit can
/// be read, nobody knows which lines are new.
fn secrets<'r>(
    edit: &Edit,
    roots: &[&'r Path],
    trees: &mut BTreeMap<&'r Path, Option<Tree>>,
) -> Vec<Left> {
    let path = Path::new(&edit.file);
    let Some((root, name)) = tree_of(path, roots) else { return Vec::new() };
    let read = plain::read(path, Follow::Never, MAX_BYTES);
    let Ok(Some(text)) = read.map(|it| it.map(|it| it.bytes)) else { return Vec::new() };
    let text = String::from_utf8_lossy(&text);
    let keys = redact::keys(&text);
    if keys.is_empty() {
        return Vec::new();
    }
    let tree = trees.entry(root).or_insert_with(|| Tree::open(root).ok().flatten());
    let Some(Ok(old)) = tree.as_ref().map(|it| it.committed(name)) else { return Vec::new() };
    let added = added_lines(&String::from_utf8_lossy(&old.unwrap_or_default()), &text);
    let clean = |line: usize| redact::text(text.lines().nth(line - 1).unwrap_or_default(), LINE);
    let mut lines: Vec<_> = keys.iter().map(|at| text[..*at].matches('\n').count() + 1).collect();
    lines.dedup();
    lines.retain(|it| added.binary_search(it).is_ok());
    let left = lines.into_iter().map(|line| Left {
        file: edit.file.clone(),
        line,
        text: clean(line).to_string(),
        agent: edit.agent.clone(),
        what: Leftover::Secret,
    });
    left.collect()
}

/// Which of the suspected lines are still there, and are what they look like.
fn unfinished(suspects: &[Suspect], roots: &[&Path]) -> Vec<Left> {
    let mut files: BTreeMap<&str, Vec<&Suspect>> = BTreeMap::new();
    for suspect in suspects {
        files.entry(&suspect.file).or_default().push(suspect);
    }
    let files = files.into_iter().take(MAX_FILES);
    files.flat_map(|(file, suspects)| left_in(file, &suspects, roots)).collect()
}

fn left_in(file: &str, suspects: &[&Suspect], roots: &[&Path]) -> Vec<Left> {
    let path = Path::new(file);
    // A file outside of the project is the agent's own.
    let Some((_, name)) = tree_of(path, roots) else { return Vec::new() };
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
        Some(Left {
            file: file.to_owned(),
            line: it.line,
            text: it.text,
            agent,
            what: Leftover::Unfinished,
        })
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
        let left = unfinished(&suspects, &[dir.path()]);
        let places: Vec<_> = left.iter().map(|it| (it.line, it.agent.as_str())).collect();
        assert_eq!(places, [(2, "a")]);
        // Nothing is read outside of the project.
        assert_eq!(unfinished(&suspects, &[Path::new("/elsewhere")]), []);
        assert_eq!(unfinished(&suspects, &[]), []);
    }
}
