//! What the other commands of a line print: it stands in the same output as the words of a run.

use std::collections::BTreeSet;

use super::in_place::in_place_edit;
use super::line::{Line, Part, Simple, Step, Stream, Word};
use super::summary::Speaker;
use super::unwrap::program;
use super::{Run, RunKind, TestCounts};

/// Texts of one line that are kept.
const MAX_TEXTS: usize = 16;

/// Commands that print what stands in files.
const READERS: &[&str] = &[
    "cat", "bat", "batcat", "head", "tail", "less", "more", "nl", "tac", "strings", "sed", "gsed",
    "awk", "gawk", "jq", "yq", "cut", "sort", "uniq", "column", "grep", "egrep", "fgrep", "zcat",
];
/// Those whose first operand is no file.
const SCRIPTED: &[&str] = &["sed", "gsed", "awk", "gawk", "jq", "yq", "grep", "egrep", "fgrep"];
/// Commands that print anything: programs that are given to them, answers of others, logs.
const ANYTHING: &[&str] = &[
    "python",
    "pypy",
    "perl",
    "ruby",
    "node",
    "php",
    "lua",
    "deno",
    "osascript",
    "Rscript",
    "curl",
    "wget",
    "http",
    "journalctl",
    "gh",
    "glab",
    "ssh",
    "eval",
    "tmux",
    "screen",
];
/// Endings of files that are run by their name.
const SCRIPTS: &[&str] = &["sh", "bash", "zsh", "py", "js", "mjs", "cjs", "ts", "rb", "pl", "php"];

/// What is known of the words that are not a run's own.
#[derive(Default)]
pub(super) struct Company {
    /// The files that commands of the line write; to show them is to show what those said.
    written: BTreeSet<String>,
    /// Variables that hold a status.
    statuses: BTreeSet<String>,
    /// What is printed word for word.
    texts: Vec<String>,
    /// Something is printed that nobody knows.
    anything: bool,
}

impl Company {
    /// Takes in which files a line writes.
    pub(super) fn enter(&mut self, line: &Line) {
        collect_written(line, &mut self.written);
    }

    /// Takes in a command that is no run; `words` are those behind what wraps it.
    pub(super) fn hear(&mut self, simple: &Simple, words: &[Word]) {
        if let [word] = simple.words.as_slice()
            && let Some((name, "$?")) = word.text.split_once('=')
        {
            self.statuses.insert(name.to_owned());
        }
        let elsewhere = |file: &str| !matches!(file, "/dev/stdout" | "/dev/stderr" | "/dev/tty");
        let mut outputs = simple.outputs.iter().filter(|it| it.stream == Stream::Standard);
        if outputs.any(|it| elsewhere(&it.file)) {
            return;
        }
        let Some(first) = words.first() else { return };
        let name = program(&first.text);
        let rest = &words[1..];
        let file = first.text.rsplit_once('.').is_some_and(|it| SCRIPTS.contains(&it.1));
        let own = first.text.contains('/')
            && !["/usr/", "/bin/"].iter().any(|it| first.text.starts_with(it));
        match name {
            _ if in_place_edit(words).is_some() => {}
            "echo" | "printf" => self.text(rest),
            _ if READERS.contains(&name) => self.anything |= !self.is_harmless(name, rest),
            "docker" | "podman" | "kubectl" | "docker-compose" => {
                self.anything |= rest.iter().any(|it| it.text == "logs");
            }
            _ => self.anything |= ANYTHING.contains(&name) || own || file,
        }
    }

    fn text(&mut self, words: &[Word]) {
        let unknown = |it: &Word| {
            let text = it.text.trim_start_matches("\\n");
            !it.commands.is_empty() || text.starts_with('$') && !self.is_status(text)
        };
        if words.iter().any(unknown) || self.texts.len() == MAX_TEXTS {
            self.anything = true;
            return;
        }
        let words: Vec<_> = words.iter().map(|it| it.text.as_str()).collect();
        self.texts.push(words.join(" "));
    }

    /// A number, whatever happens: `$?`, or a variable that was given it.
    fn is_status(&self, text: &str) -> bool {
        let name = text.trim_start_matches(['$', '{']);
        let end = name.find(|it: char| !it.is_alphanumeric() && it != '_');
        let name = &name[..end.unwrap_or(name.len())];
        let special = ["$?", "$!", "$$", "$#"].iter().any(|it| text.starts_with(it));
        special || name.eq_ignore_ascii_case("pipestatus") || self.statuses.contains(name)
    }

    /// Tells whether a reader shows what the line wrote itself, or names the file on each line.
    fn is_harmless(&self, name: &str, words: &[Word]) -> bool {
        let grep = matches!(name, "grep" | "egrep" | "fgrep");
        let short = |it: &Word| it.text.starts_with('-') && !it.text.starts_with("--");
        if grep
            && words
                .iter()
                .any(|it| short(it) && it.text.contains(['r', 'R', 'n', 'H', 'c', 'l', 'q']))
        {
            return true;
        }
        let is_file = |it: &&Word| {
            !it.text.starts_with('-') && !it.text.bytes().all(|it| it.is_ascii_digit())
        };
        let mut files = words.iter().filter(is_file).skip(usize::from(SCRIPTED.contains(&name)));
        let mut any = false;
        files.all(|it| {
            any = true;
            self.written.contains(&it.text)
        }) && any
    }

    /// Says of each run whether it can be told by its words.
    pub(super) fn apply(&self, runs: &mut [Run]) {
        // Alone it is its own only peer, and the rule rather than the exception.
        if let ([run], []) = (&mut *runs, self.texts.as_slice()) {
            run.mixed = self.anything;
            return;
        }
        let known: Vec<_> =
            runs.iter().map(|it| (Speaker::of(&it.tool), it.kind == RunKind::Test)).collect();
        let told = runs.iter().zip(&known).map(|(run, (speaker, tests))| {
            let alike = |it: &&(Speaker<'_>, bool)| match (it.0.program(), speaker.program()) {
                (Some(one), Some(other)) => one == other && it.1 == *tests,
                // Whoever may speak, a linter or a build does not sum up tests.
                _ => it.1 == *tests,
            };
            let peers = known.iter().filter(alike).count();
            let mut lines = self.texts.iter().flat_map(|it| it.split("\\n").flat_map(str::lines));
            let says = |it: &str| speaker.read(run.kind, it.trim(), "Ran 1 tests").is_some();
            (peers, self.anything || lines.any(says))
        });
        let told: Vec<_> = told.collect();
        let has_tests = known.iter().any(|it| it.1);
        for (run, (peers, mixed)) in runs.iter_mut().zip(told) {
            run.peers = peers;
            run.mixed = mixed;
            if has_tests && run.kind != RunKind::Test {
                run.test_counts = TestCounts::Others;
            }
        }
    }
}

/// Adds the files that a line writes by redirection and with `tee`.
pub(super) fn collect_written(line: &Line, files: &mut BTreeSet<String>) {
    for part in line.chains.iter().flat_map(|it| &it.steps).flat_map(|it| &it.pipe) {
        match part {
            Part::Simple(simple) => {
                files.extend(simple.outputs.iter().map(|it| it.file.clone()));
                if simple.words.first().is_some_and(|it| it.text == "tee") {
                    files.extend(simple.words[1..].iter().map(|it| it.text.clone()));
                }
            }
            Part::Group(group) => {
                files.extend(group.outputs.iter().map(|it| it.file.clone()));
                group.lines.iter().for_each(|it| collect_written(it, files));
            }
        }
    }
}

/// Tells whether what the first command of a pipe prints comes out of it: no run takes it in.
pub(super) fn comes_through(step: &Step) -> bool {
    step.pipe[1..].iter().all(|it| match it {
        Part::Simple(simple) => simple
            .words
            .first()
            .is_some_and(|it| READERS.contains(&program(&it.text)) || it.text == "tee"),
        Part::Group(_) => false,
    })
}
