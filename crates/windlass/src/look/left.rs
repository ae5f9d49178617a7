//! What was left behind: lines that were added, found again in their files.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use windlass_core::gate::{Left, Leftover};
use windlass_core::leftovers::{self, added_lines};
use windlass_core::work::{Edit, Suspect};
use windlass_core::{Timestamp, Work};

use super::moved::Versions;
use super::plain_scan::TICK;
use super::{MAX_BYTES, MAX_FILES};
use crate::plain::{self, Follow};
use crate::redact;
use crate::tree::Tree;

/// Characters of a line with a secret.
const LINE: usize = 120;

/// What stands in lines that were added since the user spoke. Files that are `gone` may have had
/// some of them before.
pub(super) fn find(work: &Work, roots: &[&Path], gone: &[&str]) -> Vec<Left> {
    let mut versions = Versions::new(work, roots, gone);
    let mut left = unfinished(work, &mut versions);
    let edits = work.edits.iter().rev().filter(|it| it.latest > work.since());
    for edit in edits.take(MAX_FILES) {
        left.extend(secrets(edit, &mut versions));
    }
    left
}

/// The working tree that holds a file, the innermost one, and the name of the file there.
pub(super) fn tree_of<'r, 'f>(file: &'f Path, roots: &[&'r Path]) -> Option<(&'r Path, &'f Path)> {
    let holding = roots.iter().filter_map(|root| Some((*root, file.strip_prefix(root).ok()?)));
    holding.max_by_key(|it| it.0.as_os_str().len())
}

/// The bytes of a file that has one name. Another name of the same file may lie outside of the tree,
/// and its words are not quoted.
fn lone_file(path: &Path) -> Option<Vec<u8>> {
    let read = plain::read(path, Follow::Never, MAX_BYTES).ok()??;
    (read.metadata.nlink() == 1).then_some(read.bytes)
}

/// The lines of a file that hold a key and that the last commit does not have. In a directory without
/// a repository those count that the words of a command added.
fn secrets(edit: &Edit, versions: &mut Versions<'_>) -> Vec<Left> {
    let path = Path::new(&edit.file);
    let Some((root, name)) = tree_of(path, versions.roots) else { return Vec::new() };
    let Some(bytes) = lone_file(path) else { return Vec::new() };
    let text = String::from_utf8_lossy(&bytes);
    let keys = redact::keys(&text);
    if keys.is_empty() {
        return Vec::new();
    }
    let added = match versions.tree(root).map(|it| it.committed(name)) {
        Some(Ok(old)) => added_lines(&String::from_utf8_lossy(&old.unwrap_or_default()), &text),
        Some(Err(_)) => return Vec::new(),
        None => {
            let lines = text.lines().enumerate();
            lines.filter(|it| versions.is_typed(&edit.file, it.1)).map(|it| it.0 + 1).collect()
        }
    };
    let raw = |line: usize| text.lines().nth(line - 1).unwrap_or_default();
    let mut lines: Vec<_> = keys.iter().map(|at| text[..*at].matches('\n').count() + 1).collect();
    lines.dedup();
    lines.retain(|it| added.binary_search(it).is_ok() && !versions.take_moved(root, raw(*it)));
    let left = lines.into_iter().map(|line| Left {
        file: edit.file.clone(),
        line,
        text: redact::text(raw(line), LINE).to_string(),
        agent: edit.agent.clone(),
        what: Leftover::Secret,
    });
    left.collect()
}

/// Which of the suspected lines are still there, and are what they look like.
fn unfinished(work: &Work, versions: &mut Versions<'_>) -> Vec<Left> {
    let mut files: BTreeMap<&str, Vec<&Suspect>> = BTreeMap::new();
    for suspect in &work.suspects {
        files.entry(&suspect.file).or_default().push(suspect);
    }
    let is_elsewhere = |it: &&Suspect| {
        let is_patch = [".diff", ".patch"].iter().any(|end| it.file.ends_with(end));
        is_patch || tree_of(Path::new(&it.file), versions.roots).is_none()
    };
    // Scripts and patches that the agent wrote aside.
    let aside: Vec<&Suspect> = work.suspects.iter().filter(is_elsewhere).collect();
    let files = files.into_iter().take(MAX_FILES);
    files.flat_map(|(file, suspects)| left_in(file, (&suspects, &aside), versions)).collect()
}

fn left_in(
    file: &str,
    (suspects, aside): (&[&Suspect], &[&Suspect]),
    versions: &mut Versions<'_>,
) -> Vec<Left> {
    let path = Path::new(file);
    // A file outside of the project is the agent's own.
    let Some((root, name)) = tree_of(path, versions.roots) else { return Vec::new() };
    let Some(bytes) = lone_file(path) else { return Vec::new() };
    let Ok(text) = str::from_utf8(&bytes) else { return Vec::new() };
    // Most files hold nothing: the version before is not looked for then.
    if leftovers::suspects(text).next().is_none() {
        return Vec::new();
    }
    let any = suspects.iter().copied().find(|it| it.is_any());
    let begun = versions.begun();
    let new_lines = any.zip(begun).and_then(|(_, begun)| {
        let tree = versions.tree(root);
        let told = new_lines(tree, name, text, begun);
        told.or_else(|| {
            let is_new = tree.is_none() && is_new(path, root, suspects, begun);
            is_new.then(|| (1..=text.lines().count()).collect())
        })
    });
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let who = |line: usize| {
        // What stood there before is no business of a call that wrote it again.
        if let (Some(new), Some(any)) = (&new_lines, any) {
            return new.binary_search(&line).is_ok().then_some(any);
        }
        let line = lines.get(line.checked_sub(1)?)?;
        let is_typed = |it: &&Suspect| !line.is_empty() && it.is_line(line);
        let typed = suspects.iter().copied().find(is_typed);
        // A command may have brought what was written for it elsewhere.
        typed.or_else(|| any.filter(|_| aside.iter().any(|it| it.brings(line))))
    };
    let mut found = leftovers::find(&name.to_string_lossy(), text, |line| who(line).is_some());
    found.retain(|it| {
        let line = lines.get(it.line - 1).copied().unwrap_or_default();
        !versions.take_moved(root, line)
    });
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
    let old = String::from_utf8_lossy(old.as_deref().unwrap_or_default());
    let mut added = added_lines(&old, text);
    // A line that only changed its place was there before.
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_suspect = |line: &str| leftovers::suspects(line).next().is_some();
    added.retain(|it| {
        let line = lines.get(it - 1).copied().unwrap_or_default();
        let count = || lines.iter().filter(|it| **it == line).count();
        !is_suspect(line) || old.lines().filter(|it| it.trim() == line).count() < count()
    });
    Some(added)
}

/// Tells whether a file was not there when the user spoke, where no repository tells. Its own age
/// counts where it was only written where it lies: `sed -i` and many tools put another file into its
/// place, which is always young. In a young directory, every young file is new.
fn is_new(path: &Path, root: &Path, suspects: &[&Suspect], begun: Timestamp) -> bool {
    let mut any = suspects.iter().filter(|it| it.is_any());
    let is_written = any.all(|it| it.text == Suspect::WRITTEN);
    let is_young = |it: &Path| plain::born(it).is_some_and(|it| it + TICK >= begun.0);
    let mut above = path.ancestors().skip(1).take_while(|it| *it != root);
    // What was moved there is as old as it was.
    is_young(path) && (is_written || above.any(is_young))
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
        let unfinished = |roots: &[&Path]| unfinished(&work, &mut Versions::new(&work, roots, &[]));
        let left = unfinished(&[dir.path()]);
        let places: Vec<_> = left.iter().map(|it| (it.line, it.agent.as_str())).collect();
        assert_eq!(places, [(2, "a")]);
        // Nothing is read outside of the project.
        assert_eq!(unfinished(&[Path::new("/elsewhere")]), []);
        assert_eq!(unfinished(&[]), []);
    }
}
