//! The files that decide what a command does: a script that it runs, a task file that it reads.

use super::line::Word;
use super::unwrap::program;

/// Task files by the programs that read them.
#[rustfmt::skip]
const TASK_FILES: &[(&str, &[&str])] = &[
    ("make", &["Makefile", "makefile", "GNUmakefile"]), ("gmake", &["Makefile", "makefile", "GNUmakefile"]),
    ("just", &["justfile", "Justfile", ".justfile"]),
    ("task", &["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"]),
    ("rake", &["Rakefile", "rakefile"]), ("nox", &["noxfile.py"]), ("invoke", &["tasks.py"]),
    ("inv", &["tasks.py"]), ("mage", &["magefile.go"]), ("earthly", &["Earthfile"]),
];

/// Options that name another task file.
const FILE_OPTIONS: &[&str] = &["-f", "--file", "--makefile", "--justfile", "-t", "--taskfile"];

/// Endings of scripts. A program in another language that is called a test is a test, and no
/// script around one.
const SCRIPT_ENDINGS: &[&str] = &["sh", "bash", "zsh", "ksh", "fish", "ps1", "bat", "cmd"];

/// Files that hold the hooks of a repository.
const HOOK_FILES: &[&str] = &[
    ".git/hooks/pre-commit",
    ".git/hooks/pre-push",
    ".git/hooks/commit-msg",
    ".husky/pre-commit",
    ".husky/pre-push",
    ".pre-commit-config.yaml",
    "lefthook.yml",
];

/// The files that decide what a command does, as its words name them. `words` begin with the
/// program. Where only the output shows a run, every file that the command runs is one.
pub(super) fn script_files(words: &[Word], is_run_shown: bool) -> Vec<String> {
    let Some(first) = words.first().map(|it| it.text.as_str()) else { return Vec::new() };
    if let Some((_, files)) = TASK_FILES.iter().find(|it| it.0 == program(first)) {
        let named = words.windows(2).find(|it| FILE_OPTIONS.contains(&it[0].text.as_str()));
        return match named {
            Some(pair) => vec![pair[1].text.clone()],
            None => files.iter().map(|it| (*it).to_owned()).collect(),
        };
    }
    if is_run_shown && program(first) == "git" {
        return HOOK_FILES.iter().map(|it| (*it).to_owned()).collect();
    }
    let file = first.rsplit('/').next().unwrap_or(first);
    let is_script = match file.rsplit_once('.') {
        Some((_, ending)) => is_run_shown || SCRIPT_ENDINGS.contains(&ending),
        None => {
            first.contains('/')
                && !["/usr/", "/bin/", "/opt/"].iter().any(|it| first.starts_with(it))
        }
    };
    if is_script { vec![first.to_owned()] } else { Vec::new() }
}
