//! What changed in the files that decide what the command of a loop does, since the user gave it.

use std::fs;
use std::path::{Path, PathBuf};

use windlass_core::evidence::Condition;
use windlass_core::loops::{Loop, ScriptMark, Until};

use super::LoopError;
use crate::look::{changed_scripts, marks_of, scripts_of};
use crate::tree::Tree;
use crate::{Host, diff, surroundings, ui, visible};

/// Lines of a difference that are shown.
const LINES: usize = 60;
/// Characters of a line, and of a name.
const WIDTH: usize = 400;
/// Bytes of a file that is compared.
const MAX_BYTES: u64 = 1 << 20;

/// A loop whose command is looked at again.
pub(super) struct Given<'a> {
    pub(super) looped: &'a Loop,
    pub(super) command: &'a str,
    pub(super) directory: &'a Path,
    /// Files of the command that the session edited since the user last gave or confirmed it.
    pub(super) edited: Vec<String>,
    /// Files of the session's agent behind its last run of a command that windlass does not run.
    pub(super) steering: Vec<String>,
}

/// The files of a command as they were before the user was shown anything of them.
pub(super) struct Now {
    pub(super) scripts: Vec<ScriptMark>,
    /// The task files that the command names itself: compared, and not kept.
    task_files: Vec<ScriptMark>,
}

/// What the user was told.
#[derive(Debug)]
pub(super) struct Told {
    /// Files that changed.
    pub(super) count: usize,
    /// Task files of which no earlier text is known.
    pub(super) uncompared: Vec<String>,
}

/// Takes the marks of the files that decide what a command does.
pub(super) fn look(given: &Given<'_>, places: &[PathBuf]) -> Now {
    let Given { looped, command, directory, steering, .. } = given;
    if matches!(looped.until, Until::Seen(_)) {
        let mut scripts = seen_scripts(command, directory, places);
        let is_new = |it: &&String| !scripts.iter().any(|mark| mark.file == **it);
        let more: Vec<_> = steering.iter().filter(is_new).cloned().collect();
        scripts.extend(marks_of(more, directory));
        return Now { scripts, task_files: Vec::new() };
    }
    Now {
        scripts: scripts_of(command, directory, places),
        task_files: marks_of(Condition::of(command).task_files, directory),
    }
}

/// The files behind a command that the agent itself runs, its task files among them: what the session
/// edited tells which of them count.
pub(super) fn seen_scripts(command: &str, directory: &Path, places: &[PathBuf]) -> Vec<ScriptMark> {
    let mut scripts = scripts_of(command, directory, places);
    scripts.extend(marks_of(Condition::of(command).task_files, directory));
    scripts
}

impl Now {
    /// Refuses what is not as it was when it was looked at.
    pub(super) fn check(&self, directory: &Path) -> Result<(), LoopError> {
        let mut changed = changed_scripts(&self.scripts, directory);
        changed.extend(changed_scripts(&self.task_files, directory));
        match changed.first() {
            Some(file) => Err(changed_meanwhile(file)),
            None => Ok(()),
        }
    }
}

fn changed_meanwhile(file: &str) -> LoopError {
    LoopError::ChangedMeanwhile { file: ui::line(file, WIDTH) }
}

/// Names the files that changed, each with its difference or why there is none to show.
pub(super) fn say(host: &Host, given: &Given<'_>, now: &Now) -> Result<Told, LoopError> {
    let Given { looped, directory, edited, .. } = given;
    let root = surroundings::root_of(host, directory);
    let committed = |file: &Path| committed(root.as_deref()?, file);
    let known = |file: &String| looped.scripts.iter().find(|it| it.file == *file);
    let mut told = Told { count: 0, uncompared: Vec::new() };
    let changed = changed_scripts(&looped.scripts, directory);
    for mark in looped.scripts.iter().filter(|it| changed.contains(&it.file)) {
        told.count += 1;
        let seen = now.scripts.iter().find(|it| it.file == mark.file);
        let new = as_marked(directory, &mark.file, seen)?;
        ui::say(&told_of(mark, directory, committed(&directory.join(&mark.file)), new));
    }
    // What a changed file runs now, and did not before, counts as much as the file itself.
    let is_new = |it: &&ScriptMark| it.mark.is_some() && known(&it.file).is_none();
    for mark in now.scripts.iter().filter(is_new) {
        told.count += 1;
        ui::say(&told_of_new(directory, &mark.file, as_marked(directory, &mark.file, Some(mark))?));
    }
    // Of a task file no mark is kept: who works on a project changes it often.
    for mark in now.task_files.iter().filter(|it| it.mark.is_some()) {
        let path = directory.join(&mark.file);
        let new = as_marked(directory, &mark.file, Some(mark))?;
        let name = ui::line(&mark.file, WIDTH);
        match (committed(&path), new) {
            (Some(old), Some(new)) if old != new => {
                told.count += 1;
                ui::say(&format!("{name} differs from the last commit:"));
                ui::show(&shown(&name, &old, &new));
            }
            (old, new) if edited.contains(&mark.file) => {
                told.count += 1;
                let is_committed = old.is_some() && old == new;
                ui::say(&told_of_edited(directory, &mark.file, is_committed));
            }
            (Some(_), Some(_)) => {}
            (None, _) | (_, None) => told.uncompared.push(name),
        }
    }
    let is_left = |it: &&String| {
        !changed.contains(it) && !now.task_files.iter().any(|mark| mark.file == **it)
    };
    for file in edited.iter().filter(is_left) {
        told.count += 1;
        ui::say(&told_of_edited(directory, file, false));
    }
    Ok(told)
}

/// The text of a file, which is the one that was marked.
fn as_marked(
    directory: &Path,
    file: &str,
    seen: Option<&ScriptMark>,
) -> Result<Option<String>, LoopError> {
    let text = read(&directory.join(file));
    let is_other = |it: &String, mark| mark != Some(ScriptMark::of(it.as_bytes()));
    match (&text, seen) {
        (Some(text), Some(seen)) if !text.contains('\0') && is_other(text, seen.mark) => {
            Err(changed_meanwhile(file))
        }
        _ => Ok(text),
    }
}

/// What is said of a script that is not as it was marked.
fn told_of(
    mark: &ScriptMark,
    directory: &Path,
    committed: Option<String>,
    new: Option<String>,
) -> String {
    let name = ui::line(&mark.file, WIDTH);
    let Some(new) = new else {
        return format!("{name} changed: it is not there any more, or is no text.");
    };
    let is_given = |it: &String| mark.mark == Some(ScriptMark::of(it.as_bytes()));
    match (mark.mark, committed.filter(is_given)) {
        (None, _) => format!("{name} is new:\n{}", shown(&name, "", &new)),
        (Some(_), Some(old)) => format!("{name} changed:\n{}", shown(&name, &old, &new)),
        (Some(_), None) => format!(
            "{name} changed. windlass cannot show the difference, because the text that you gave is \
             in no commit. Read {} before you go on.",
            place(directory, &mark.file)
        ),
    }
}

/// What is said of a file that decides now, and did not when the user gave the command.
fn told_of_new(directory: &Path, file: &str, text: Option<String>) -> String {
    let name = ui::line(file, WIDTH);
    match text {
        Some(text) => {
            format!("{name} was no part of the command before:\n{}", shown(&name, "", &text))
        }
        None => format!(
            "{name} was no part of the command before, and is no text. Look at {} before you go on.",
            place(directory, file)
        ),
    }
}

/// What is said of a file that the session edited and that has no difference to show.
fn told_of_edited(directory: &Path, file: &str, is_committed: bool) -> String {
    let name = ui::line(file, WIDTH);
    let why = if is_committed {
        "it is as in the last commit"
    } else {
        "no commit has an earlier text of it"
    };
    format!(
        "{name} was edited in the session since you gave the command. windlass cannot show the \
         difference: {why}. Read {} before you go on.",
        place(directory, file)
    )
}

fn place(directory: &Path, file: &str) -> String {
    ui::line(&directory.join(file).to_string_lossy(), WIDTH)
}

/// The text of a file in the last commit.
fn committed(root: &Path, file: &Path) -> Option<String> {
    let name: PathBuf = file.strip_prefix(root).ok()?.to_owned();
    let bytes = Tree::open(root).ok()??.committed(&name).ok()??;
    String::from_utf8(bytes).ok()
}

fn read(path: &Path) -> Option<String> {
    let is_short = fs::metadata(path).is_ok_and(|it| it.is_file() && it.len() <= MAX_BYTES);
    is_short.then(|| fs::read_to_string(path).ok()).flatten()
}

/// The difference of two texts, cut to what fits on a screen.
fn shown(name: &str, old: &str, new: &str) -> String {
    let text = diff::unified(name, old, new);
    let mut lines: Vec<_> = text.lines().map(|it| visible::line(it, WIDTH)).collect();
    let more = lines.len().saturating_sub(LINES);
    lines.truncate(LINES);
    if more > 0 {
        lines.push(format!("… {}", ui::amount(more, "more line")));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_named_with_its_difference_or_why_there_is_none() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("check.sh"), "exit 0\n").unwrap();
        let mark = |text: &str| ScriptMark {
            file: "check.sh".to_owned(),
            mark: Some(ScriptMark::of(text.as_bytes())),
        };
        let told = |mark: &ScriptMark, committed: Option<String>| {
            let new = as_marked(place.path(), "check.sh", None).unwrap();
            told_of(mark, place.path(), committed, new)
        };
        let given = || Some("exit 1\n".to_owned());
        let text = told(&mark("exit 1\n"), given());
        assert!(text.starts_with("check.sh changed:\n"), "{text}");
        assert!(text.contains("\n-exit 1") && text.contains("\n+exit 0"), "{text}");
        // What is committed is not what the user gave.
        let text = told(&mark("exit 2\n"), given());
        assert!(text.contains("cannot show the difference"), "{text}");
        let new = ScriptMark { mark: None, ..mark("") };
        assert!(told(&new, None).contains("is new:\n"), "a new one");
        // A text that is not the one that was marked is not shown.
        assert!(as_marked(place.path(), "check.sh", Some(&mark("exit 1\n"))).is_err());
        fs::remove_file(place.path().join("check.sh")).unwrap();
        assert!(told(&mark("exit 1\n"), given()).contains("not there any more"));
    }
}
