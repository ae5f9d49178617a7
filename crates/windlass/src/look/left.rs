//! What was left behind: lines that were added, found again in their files.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::Path;
use std::time::UNIX_EPOCH;

use windlass_core::gate::{Left, Leftover};
use windlass_core::leftovers::{self, added_lines};
use windlass_core::work::{Edit, Suspect};
use windlass_core::{Timestamp, Work};

use super::{MAX_BYTES, MAX_FILES};
use crate::plain::{self, Follow, Plain};
use crate::redact;
use crate::tree::Tree;

/// Characters of a line with a secret.
const LINE: usize = 120;

/// What stands in lines that were added since the user spoke.
pub(super) fn find(work: &Work, roots: &[&Path]) -> Vec<Left> {
    let mut trees = BTreeMap::new();
    let mut left = unfinished(work, roots, &mut trees);
    let edits = work.edits.iter().rev().filter(|it| it.latest > work.since());
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
fn unfinished<'r>(
    work: &Work,
    roots: &[&'r Path],
    trees: &mut BTreeMap<&'r Path, Option<Tree>>,
) -> Vec<Left> {
    let mut files: BTreeMap<&str, Vec<&Suspect>> = BTreeMap::new();
    for suspect in &work.suspects {
        files.entry(&suspect.file).or_default().push(suspect);
    }
    let begun = work.prompt.as_ref().map(|it| it.at);
    let files = files.into_iter().take(MAX_FILES);
    files.flat_map(|(file, suspects)| left_in(file, &suspects, begun, roots, trees)).collect()
}

fn left_in<'r>(
    file: &str,
    suspects: &[&Suspect],
    begun: Option<Timestamp>,
    roots: &[&'r Path],
    trees: &mut BTreeMap<&'r Path, Option<Tree>>,
) -> Vec<Left> {
    let path = Path::new(file);
    // A file outside of the project is the agent's own.
    let Some((root, name)) = tree_of(path, roots) else { return Vec::new() };
    let read = plain::read(path, Follow::Never, MAX_BYTES);
    let Ok(Some(Plain { bytes, metadata })) = read else { return Vec::new() };
    let Ok(text) = str::from_utf8(&bytes) else { return Vec::new() };
    // Most files hold nothing: the version before is not looked for then.
    if leftovers::suspects(text).next().is_none() {
        return Vec::new();
    }
    let any = suspects.iter().find(|it| it.text == Suspect::ANY_LINE);
    let new_lines = any.zip(begun).and_then(|(_, begun)| {
        let tree = trees.entry(root).or_insert_with(|| Tree::open(root).ok().flatten());
        new_lines(tree.as_ref(), name, text, begun).or_else(|| {
            // Without a repository, all of a file that was not there before.
            let is_new = tree.is_none() && is_born_since(&metadata, begun);
            is_new.then(|| (1..=text.lines().count()).collect())
        })
    });
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let who = |line: usize| {
        // What stood there before is no business of a call that wrote it again.
        if let (Some(new), Some(any)) = (&new_lines, any) {
            return new.binary_search(&line).is_ok().then_some(*any);
        }
        let line = lines.get(line.checked_sub(1)?)?;
        suspects.iter().copied().find(|it| it.text == *line && !line.is_empty())
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

/// The lines of a file that it did not have when the user spoke; `None` where no repository tells.
fn new_lines(tree: Option<&Tree>, name: &Path, text: &str, begun: Timestamp) -> Option<Vec<usize>> {
    let old = tree?.before(name, begun.0).ok()?;
    Some(added_lines(&String::from_utf8_lossy(&old.unwrap_or_default()), text))
}

/// Tells whether a file was made since a time. Where the system does not know, it was not.
fn is_born_since(metadata: &Metadata, begun: Timestamp) -> bool {
    let born = metadata.created().ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok());
    born.and_then(|it| i64::try_from(it.as_millis()).ok()).is_some_and(|it| it >= begun.0)
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
        let work = Work { suspects: suspects.to_vec(), ..Work::default() };
        let unfinished = |roots: &[&Path]| unfinished(&work, roots, &mut BTreeMap::new());
        let left = unfinished(&[dir.path()]);
        let places: Vec<_> = left.iter().map(|it| (it.line, it.agent.as_str())).collect();
        assert_eq!(places, [(2, "a")]);
        // Nothing is read outside of the project.
        assert_eq!(unfinished(&[Path::new("/elsewhere")]), []);
        assert_eq!(unfinished(&[]), []);
    }
}
