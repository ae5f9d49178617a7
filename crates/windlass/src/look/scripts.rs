//! The files that decide what the command of a loop does, and what is in them: the scripts that it
//! names, the files that these source and run, the scripts that recipes of task files run, and the
//! programs that the shell finds for it outside the places of installed programs.

use std::path::{Path, PathBuf};

use windlass_core::evidence::{Condition, is_installed};
use windlass_core::loops::{ScriptMark, task_words};

use super::recipes::recipes;
use crate::plain::{self, Follow, PlainError};

/// Bytes of a script.
const MAX_BYTES: u64 = 1 << 20;

/// Bytes at the beginning of a file that tell whether it is a text.
const HEAD: usize = 8 << 10;

/// Files of one command.
const MAX_FILES: usize = 48;

/// Names in one file that are looked for.
const MAX_WORDS: usize = 256;

/// How far files are followed from one to the next.
const MAX_DEPTH: usize = 4;

/// Places before a program in which another one of its name would be found first.
const MAX_PLACES: usize = 8;

/// The mark of every file that is not read.
const UNREAD: u64 = 1;

/// Endings of files that are no shell scripts.
#[rustfmt::skip]
const OTHER_LANGUAGES: &[&str] = &[
    "py", "js", "mjs", "cjs", "ts", "rb", "pl", "php", "lua", "awk", "R", "jl", "exs", "json", "toml", "yml", "yaml",
];

/// Endings of files that a task file in another language may run.
#[rustfmt::skip]
const SCRIPTS: &[&str] = &["sh", "bash", "zsh", "py", "js", "mjs", "ts", "rb", "pl", "php", "lua", "awk"];

/// The scripts of a command as they are now in a directory. `places` is where programs are looked
/// for.
pub(crate) fn scripts_of(command: &str, directory: &Path, places: &[PathBuf]) -> Vec<ScriptMark> {
    let condition = Condition::of(command);
    let named = &condition.task_files;
    let mut found = Found { directory, named, marks: Vec::new(), followed: Vec::new() };
    for file in &condition.scripts {
        found.add(file, directory, 0);
    }
    for module in &condition.modules {
        found.add(&format!("{module}.py"), directory, 0);
        found.add(&format!("{module}/__main__.py"), directory, 0);
    }
    for file in named {
        found.follow_tasks(file, file, command, 0);
    }
    for program in &condition.programs {
        found.add_program(program, places);
    }
    found.marks
}

/// What was found so far.
struct Found<'a> {
    directory: &'a Path,
    /// The task files that the command itself names. They are not marked: the edits of the session
    /// tell which of their tasks changed.
    named: &'a [String],
    marks: Vec<ScriptMark>,
    /// Task files that were followed, with the text whose words name their tasks: they may take
    /// each other in.
    followed: Vec<(String, String)>,
}

impl Found<'_> {
    /// Adds a file that stands in the command itself or in a file in `from`. A file that another
    /// one names counts where it is there.
    fn add(&mut self, file: &str, from: &Path, depth: usize) {
        if self.marks.len() >= MAX_FILES {
            return;
        }
        let Some(file) = self.find(file, from, depth) else { return };
        if self.marks.iter().any(|it| it.file == file) {
            return;
        }
        let path = self.directory.join(&file);
        let (mark, text) = look_at(&path);
        let ending = path.extension().and_then(|it| it.to_str()).unwrap_or_default().to_owned();
        self.marks.push(ScriptMark { file, mark });
        let Some(text) = text.filter(|_| depth < MAX_DEPTH) else { return };
        let is_shell = match text.lines().next().and_then(|it| it.strip_prefix("#!")) {
            Some(interpreter) => interpreter.contains("sh"),
            None => !OTHER_LANGUAGES.contains(&ending.as_str()),
        };
        if is_shell {
            let from = path.parent().unwrap_or(self.directory).to_owned();
            self.follow(&text, &from, depth + 1);
        }
    }

    /// Adds what a shell script needs.
    fn follow(&mut self, script: &str, from: &Path, depth: usize) {
        let condition = Condition::of_script(script);
        for file in &condition.scripts {
            self.add(file, from, depth);
        }
        for module in &condition.modules {
            self.add(&format!("{module}.py"), from, depth);
            self.add(&format!("{module}/__main__.py"), from, depth);
        }
        for file in condition.task_files.iter().filter(|_| depth < MAX_DEPTH) {
            self.add_tasks((file, file), from, script, depth);
        }
    }

    /// Adds a task file that a file in `from` names, with what its tasks run. `form` is the name of
    /// a file that is written as it is. Whether it is looked for beside that file or in the directory
    /// of the command is up to whoever runs it: either counts.
    fn add_tasks(&mut self, (file, form): (&str, &str), from: &Path, words: &str, depth: usize) {
        if file.is_empty() || file.contains(['$', '*', '?', '`', '{']) {
            return;
        }
        let mut paths = vec![from.join(file)];
        if from != self.directory {
            paths.push(self.directory.join(file));
        }
        if !paths.iter().any(|it| it.is_file()) {
            paths.push(from.join("..").join(file));
        }
        for path in paths {
            let path = path.strip_prefix(self.directory).unwrap_or(&path);
            let Some(file) = path.to_str().map(str::to_owned) else { continue };
            // One that takes the place of another later has to be made first.
            let is_awaited = depth <= 1 && path.parent() == Some(Path::new(""));
            let is_known = self.named.contains(&file)
                || self.marks.iter().any(|it| it.file == file)
                || self.marks.len() >= MAX_FILES;
            if !is_known {
                let mark = mark(&self.directory.join(&file));
                if mark.is_some() || is_awaited {
                    self.marks.push(ScriptMark { file: file.clone(), mark });
                }
            }
            self.follow_tasks(&file, form, words, depth);
        }
    }

    /// Adds what the tasks of a task file run that a text names, and the task files that it takes in.
    fn follow_tasks(&mut self, file: &str, form: &str, words: &str, depth: usize) {
        let is_same = |it: &(String, String)| it.0 == file && it.1 == words;
        if self.followed.len() >= MAX_FILES || self.followed.iter().any(is_same) {
            return;
        }
        let path = self.directory.join(file);
        let (_, Some(text)) = look_at(&path) else { return };
        self.followed.push((file.to_owned(), words.to_owned()));
        let place = path.parent().unwrap_or(self.directory).to_owned();
        let names: Vec<&str> = task_words(words).collect();
        let known = recipes(file, &text, &names).or_else(|| recipes(form, &text, &names));
        let Some((script, included)) = known else {
            // Words of a text in another form: those that name a script.
            let is_end = |it: char| it.is_whitespace() || "'\"`,;()[]{}=&|".contains(it);
            let is_script = |it: &&str| {
                let ending = it.rsplit_once('.').map_or("", |it| it.1);
                it.len() > 3 && (SCRIPTS.contains(&ending) || it.starts_with("./"))
            };
            for word in text.split(is_end).filter(is_script).take(MAX_WORDS) {
                self.add(word, &place, depth + 1);
            }
            return;
        };
        for file in included.iter().filter(|_| depth < MAX_DEPTH).take(MAX_WORDS) {
            self.add_tasks((file, form), &place, words, depth + 1);
        }
        self.follow(&script, &place, depth + 1);
    }

    /// Adds the program that the shell finds, unless it is an installed one, and the places in which
    /// another one would be found before it.
    fn add_program(&mut self, program: &str, places: &[PathBuf]) {
        let Some(at) = places.iter().position(|it| it.join(program).is_file()) else { return };
        let is_open = |it: &&PathBuf| !is_installed(&format!("{}/", it.display()));
        let before = places[..at].iter().filter(is_open).take(MAX_PLACES);
        for place in before.chain(Some(&places[at]).filter(is_open)) {
            let path = place.join(program);
            if let Some(file) = path.to_str().filter(|_| self.marks.len() < MAX_FILES) {
                self.marks.push(ScriptMark { file: file.to_owned(), mark: mark(&path) });
            }
        }
    }

    /// The place of a file, seen from the directory of the command. Variables at the beginning of a
    /// path mostly stand for the directory of the script, or for the one that it runs in.
    fn find(&self, file: &str, from: &Path, depth: usize) -> Option<String> {
        let is_open = file.contains(['$', '`', '{']);
        if depth == 0 && !is_open {
            return Some(file.to_owned());
        }
        let rest = if is_open {
            let end = file.rfind([')', '}', '`']).map(|it| it + 1);
            let rest = &file[end.unwrap_or(0)..];
            let rest = &rest[rest.find('/')?..];
            rest.trim_start_matches('/')
        } else {
            file.strip_prefix("./").unwrap_or(file)
        };
        if rest.is_empty() || rest.contains(['$', '*', '?']) {
            return None;
        }
        let places = [self.directory.to_owned(), from.to_owned(), from.join("..")];
        let place = places.iter().find(|it| it.join(rest).is_file())?;
        if place == self.directory {
            return Some(rest.to_owned());
        }
        let path = place.join(rest);
        let path = path.strip_prefix(self.directory).unwrap_or(&path);
        path.to_str().map(str::to_owned)
    }
}

/// The scripts that are not as they were marked.
pub(crate) fn changed(scripts: &[ScriptMark], directory: &Path) -> Vec<String> {
    let is_other = |it: &&ScriptMark| mark(&directory.join(&it.file)) != it.mark;
    scripts.iter().filter(is_other).map(|it| it.file.clone()).collect()
}

/// Files of a directory as they are now.
pub(crate) fn marks_of(files: Vec<String>, directory: &Path) -> Vec<ScriptMark> {
    let marked = |file: String| ScriptMark { mark: mark(&directory.join(&file)), file };
    files.into_iter().map(marked).collect()
}

fn mark(path: &Path) -> Option<u64> {
    look_at(path).0
}

/// The mark of a file, and its text where it is one.
fn look_at(path: &Path) -> (Option<u64>, Option<String>) {
    match plain::read(path, Follow::Anywhere, MAX_BYTES) {
        Ok(Some(file)) => {
            let is_text = !file.bytes.iter().take(HEAD).any(|it| *it == 0);
            if !is_text {
                return (Some(ScriptMark::PROGRAM), None);
            }
            let text = String::from_utf8_lossy(&file.bytes).into_owned();
            (Some(ScriptMark::of(&file.bytes)), Some(text))
        }
        Ok(None) => (None, None),
        Err(PlainError::TooLarge(_)) => (Some(ScriptMark::PROGRAM), None),
        Err(PlainError::Unreadable(_) | PlainError::NotPlain | PlainError::LeadsOut(_)) => {
            (Some(UNREAD), None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ScriptMark, changed};
    use std::fs;
    use std::path::Path;

    fn scripts_of(command: &str, directory: &Path) -> Vec<ScriptMark> {
        super::scripts_of(command, directory, &[])
    }

    #[test]
    fn what_a_script_or_a_recipe_runs_is_followed() {
        let makefile = "check:\n\tsh check.sh\n";
        /// A command, files with their texts, and the one that is edited.
        type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str);
        let cases: &[Case<'_>] = &[
            ("sh check.sh", &[("check.sh", ". ./lib.sh\n"), ("lib.sh", "")], "lib.sh"),
            (
                "./ci/check.sh",
                &[
                    ("ci/check.sh", "#!/bin/bash\nsource \"$(dirname \"$0\")/lib.sh\"\n"),
                    ("ci/lib.sh", ""),
                ],
                "ci/lib.sh",
            ),
            ("sh a.sh", &[("a.sh", "sh b.sh"), ("b.sh", "python3 c.py"), ("c.py", "")], "c.py"),
            ("python3 -m verify", &[("verify.py", "")], "verify.py"),
            ("python3 -m verify", &[("verify/__main__.py", "")], "verify/__main__.py"),
            ("make check", &[("Makefile", makefile), ("check.sh", "exit 1")], "check.sh"),
            ("make -f b.mk", &[("b.mk", makefile), ("check.sh", "exit 1")], "check.sh"),
            (
                "make -C sub check",
                &[("sub/Makefile", makefile), ("sub/check.sh", "")],
                "sub/check.sh",
            ),
            ("just check", &[("justfile", "check:\n  ./check.sh\n"), ("check.sh", "")], "check.sh"),
            (
                "npm run check",
                &[("package.json", r#"{"scripts":{"check":"node c.js"}}"#), ("c.js", "")],
                "c.js",
            ),
            (
                "task check",
                &[("Taskfile.yml", "check:\n  cmds: [sh ./c.sh]\n"), ("c.sh", "")],
                "c.sh",
            ),
        ];
        for (command, files, edited) in cases {
            let place = tempfile::tempdir().unwrap();
            let write = |name: &str, text: &str| {
                let path = place.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            };
            files.iter().for_each(|it| write(it.0, it.1));
            let scripts = scripts_of(command, place.path());
            assert_eq!(changed(&scripts, place.path()), [""; 0], "{command}");
            write(edited, "true\n");
            assert_eq!(changed(&scripts, place.path()), [*edited], "{command}");
        }
    }

    /// Files with their texts, in a directory of their own.
    fn place(files: &[(&str, &str)]) -> tempfile::TempDir {
        let place = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        place
    }

    fn names(scripts: &[ScriptMark]) -> Vec<&str> {
        scripts.iter().filter(|it| it.mark.is_some()).map(|it| it.file.as_str()).collect()
    }

    #[test]
    fn a_task_file_that_a_script_or_another_task_file_runs_counts_as_a_whole() {
        let package = r#"{"scripts":{"test":"node t.js","other":"node o.js"}}"#;
        let place = place(&[
            ("ci.sh", "#!/bin/sh\nnpm test\n"),
            ("package.json", package),
            ("t.js", ""),
            ("o.js", ""),
        ]);
        assert_eq!(names(&scripts_of("./ci.sh", place.path())), ["ci.sh", "package.json", "t.js"]);
        // One that the command names itself is compared task by task.
        assert_eq!(names(&scripts_of("npm test", place.path())), ["t.js"]);
        assert_eq!(names(&scripts_of("npm test; sh ci.sh", place.path())), ["ci.sh", "t.js"]);
        // Another one that would be read instead of it.
        fs::write(place.path().join("ci.sh"), "make check\n").unwrap();
        fs::write(place.path().join("Makefile"), "check:\n\ttrue\n").unwrap();
        let scripts = scripts_of("sh ci.sh", place.path());
        fs::write(place.path().join("GNUmakefile"), "check:\n").unwrap();
        assert_eq!(changed(&scripts, place.path()), ["GNUmakefile"]);
    }

    #[test]
    fn what_a_task_file_takes_in_is_found_beside_it() {
        let place = place(&[
            ("web/Makefile", "include check.mk\n"),
            ("web/check.mk", "check:\n\tsh check.sh\n"),
            ("web/check.sh", "make -C sub all"),
            ("web/sub/Makefile", "all:\n\ttrue\n"),
        ]);
        let scripts = scripts_of("make -C web check", place.path());
        assert_eq!(names(&scripts), ["web/check.mk", "web/check.sh", "web/sub/Makefile"]);
    }

    #[test]
    fn task_files_that_take_each_other_in_are_read_once() {
        let itself = "include Makefile other.mk\n".repeat(200);
        let place = place(&[
            ("Makefile", &format!("{itself}check:\n\tsh check.sh\n")),
            ("other.mk", &itself),
            ("check.sh", ""),
        ]);
        assert_eq!(names(&scripts_of("make check", place.path())), ["other.mk", "check.sh"]);
    }

    #[test]
    fn a_program_of_the_user_counts_and_one_that_would_hide_another() {
        let place = tempfile::tempdir().unwrap();
        let places = ["bin", "tools"].map(|it| place.path().join(it));
        for place in &places {
            fs::create_dir(place).unwrap();
        }
        fs::write(places[1].join("verify"), "exit 1").unwrap();
        let scripts = super::scripts_of("verify --all", place.path(), &places);
        fs::write(places[0].join("verify"), "exit 0").unwrap();
        let first = places[0].join("verify").to_str().unwrap().to_owned();
        assert_eq!(changed(&scripts, place.path()), [first]);
    }

    #[test]
    fn a_script_that_is_written_made_or_gone_has_changed_and_a_program_that_is_built_has_not() {
        let place = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &[u8]| fs::write(place.path().join(name), text).unwrap();
        write("check.sh", b"exit 1\n");
        write("bench", b"\x7fELF\0one");
        let scripts = scripts_of("sh check.sh && ./bench && ./later.sh", place.path());
        assert_eq!(changed(&scripts, place.path()), [""; 0]);
        write("bench", b"\x7fELF\0two");
        assert_eq!(changed(&scripts, place.path()), [""; 0]);
        write("check.sh", b"exit 0\n");
        write("later.sh", b"exit 0\n");
        assert_eq!(changed(&scripts, place.path()), ["check.sh", "later.sh"]);
        write("bench", b"#!/bin/sh\nexit 0\n");
        fs::remove_file(place.path().join("check.sh")).unwrap();
        assert_eq!(changed(&scripts, place.path()), ["check.sh", "bench", "later.sh"]);
    }
}
