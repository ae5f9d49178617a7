//! Files that take the output of a run, and commands that show them.

use std::collections::BTreeMap;

use super::command::CommandLine;
use super::judge::{Judged, judge};
use super::line::{Line, Output, Part, Simple, Step, Stream};
use super::recognise::{change_directory, lines, output_run};
use super::search_filter::search_filter;
use super::status::only;
use super::unwrap::program;
use super::{Run, RunKind, Shown, Status};
use crate::{Excerpt, Outcome};

/// The files that a line shows, each with how much of it.
pub(super) type LogReaders<'a> = BTreeMap<&'a str, Shown>;

/// Commands beside which a file is still all that a line shows.
const QUIET: &[&str] = &[
    "cd", "sleep", "wait", "true", ":", "date", "pwd", "ls", "clear", "set", "export", "[", "test",
    "wc", "stat", "file", "du",
];

/// How much of a log a command shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogView {
    /// The file, as the line names it from the directory of the call.
    pub file: String,
    shown: Shown,
    lines: Option<usize>,
}

impl LogView {
    /// A file that is read as a whole.
    pub fn whole(file: &str) -> Self {
        Self { file: file.to_owned(), shown: Shown::End, lines: None }
    }
}

/// The file that takes the standard output.
pub(super) fn log_of(outputs: &[Output]) -> Option<&str> {
    let mut files = outputs.iter().filter(|it| it.stream == Stream::Standard);
    files.find(|it| !it.file.starts_with("/dev/")).map(|it| it.file.as_str())
}

/// The file into which the parts behind a command copy all that it prints.
pub(super) fn copied_to(parts: &[Part]) -> Option<&str> {
    for part in parts {
        let Part::Simple(simple) = part else { return None };
        let mut words = simple.words.iter().map(|it| it.text.as_str());
        if words.next() == Some("tee") {
            return words.find(|it| !it.starts_with('-'));
        }
        if lets_through(part) != Shown::All {
            return None;
        }
    }
    None
}

/// A file as it is named from the directory of the call.
pub(super) fn path_from(directory: Option<&str>, file: &str) -> String {
    match directory {
        Some(directory) if !file.starts_with(['/', '~', '$']) => {
            format!("{}/{file}", directory.trim_end_matches('/'))
        }
        _ => file.to_owned(),
    }
}

/// The files that a line shows, and how much of each.
pub(super) fn log_readers(line: &Line) -> LogReaders<'_> {
    let mut readers = LogReaders::new();
    for step in line.chains.iter().flat_map(|it| &it.steps) {
        let Some(Part::Simple(simple)) = step.pipe.first() else { continue };
        let Some(shown) = reader_view(simple) else { continue };
        let shown = step.pipe[1..].iter().map(lets_through).fold(shown, Ord::max);
        for word in &simple.words[1..] {
            let known = readers.entry(word.text.as_str()).or_insert(shown);
            *known = shown.min(*known);
        }
    }
    readers
}

/// How much a command shows of the files that it names.
fn reader_view(simple: &Simple) -> Option<Shown> {
    let shown = match simple.words.first().map_or("", |it| it.text.as_str()) {
        "tail" | "cat" | "bat" | "less" | "nl" => Shown::End,
        "head" => Shown::Start,
        "grep" | "egrep" | "rg" => search_filter(&simple.words),
        "sed" => sed_view(simple)?,
        _ => return None,
    };
    simple.outputs.iter().all(|it| it.stream != Stream::Standard).then_some(shown)
}

/// How much `sed -n` shows: `$p` and `40,$p` are the end of a file, `1,40p` is its beginning.
fn sed_view(simple: &Simple) -> Option<Shown> {
    let [_, option, script, _] = simple.words.as_slice() else { return None };
    let script = script.text.strip_suffix('p').filter(|_| option.text == "-n")?;
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    match script.split_once(',') {
        None if script == "$" => Some(Shown::End),
        Some((from, "$")) if is_number(from) => Some(Shown::End),
        Some(("1", to)) if is_number(to) => Some(Shown::Start),
        _ => None,
    }
}

/// Whether a script of `sed` puts words in the place of others: `s/failed/passed/`, `3c\\OK`.
fn replaces(script: &str) -> bool {
    script.split([';', '\n', '{']).map(str::trim_start).any(|it| {
        let it = it.trim_start_matches(|it: char| it.is_ascii_digit() || matches!(it, ',' | '$'));
        let mut characters = it.chars();
        let (verb, sign) = (characters.next(), characters.next());
        let is_sign = |it: char| !it.is_alphanumeric() && it != ' ';
        let is_made = sign == Some('\\') && matches!(verb, Some('c' | 'i' | 'a'));
        let Some(sign) = sign.filter(|it| verb == Some('s') && is_sign(*it)) else {
            return is_made;
        };
        // `s/^ *//` only takes something away.
        it[1 + sign.len_utf8()..].split(sign).nth(1).is_some_and(|it| !it.is_empty())
    })
}

/// Whether a set of `tr` has only signs that are no part of a word: `\\r`, `[:cntrl:]`.
fn is_control_set(set: &str) -> bool {
    set.starts_with('\\') || set == "[:cntrl:]"
}

/// How much of its input a part of a pipe lets through.
pub(super) fn lets_through(part: &Part) -> Shown {
    let Part::Simple(simple) = part else { return Shown::Part };
    let mut words = simple.words.iter().map(|it| it.text.as_str());
    let shown = match words.next().map_or("", program) {
        "tee" | "cat" | "ts" | "less" | "more" | "nl" | "fold" | "col" | "ansi2txt"
        | "strip-ansi" | "stdbuf" | "expand" => Shown::All,
        // Colours and ends of lines are no words.
        "tr" if words.next() == Some("-d") && words.next().is_some_and(is_control_set) => {
            Shown::All
        }
        "sed" if words.clone().count() == 1 && words.next().is_some_and(strips_colours) => {
            Shown::All
        }
        "cut" if words.next().is_some_and(|it| it.starts_with("-c1-") || it.starts_with("-c-")) => {
            Shown::All
        }
        "tail" => Shown::End,
        // All lines, in another order.
        "sort" | "uniq" => Shown::Matching,
        "head" => Shown::Start,
        "grep" | "egrep" | "rg" | "ag" | "ack" | "ugrep" => search_filter(&simple.words),
        "sed" | "gsed" if simple.words.iter().skip(1).any(|it| replaces(&it.text)) => {
            Shown::Rewritten
        }
        "awk" | "gawk" | "mawk" if simple.words.iter().any(|it| it.text.contains("print \"")) => {
            Shown::Rewritten
        }
        "tr" | "perl" | "python" | "ruby" | "xargs" => Shown::Rewritten,
        "cut" if simple.words.iter().any(|it| it.text.starts_with("-f")) => Shown::Rewritten,
        _ => Shown::Part,
    };
    let lost = simple.outputs.iter().any(|it| it.stream == Stream::Standard);
    if lost { Shown::Part } else { shown }
}

/// `s/\x1b\[[0-9;]*m//g` takes colours away, and nothing else.
fn strips_colours(script: &str) -> bool {
    let begins = ["s/\\x1b", "s/\\x1B", "s/\\o33", "s/\\e\\[", "s/\u{1b}"];
    begins.iter().any(|it| script.starts_with(it))
        && script.matches('/').count() == 3
        && script.contains("//")
}

impl CommandLine<'_> {
    /// The log that a line shows, where it does nothing else; `None` where it may print other words.
    pub fn log_view(&self) -> Option<LogView> {
        let line = self.line().filter(|_| !self.has_hole())?;
        let mut directory = None;
        let mut found: Option<LogView> = None;
        for step in line.chains.iter().flat_map(|it| &it.steps) {
            if let Some(simple) = only(step) {
                change_directory(simple, &mut directory);
            }
            let Some(view) = step_view(step, directory.as_deref())? else { continue };
            match &mut found {
                Some(known) if known.file != view.file => return None,
                Some(known) if known.shown <= view.shown => {}
                found => *found = Some(view),
            }
        }
        found
    }

    /// The files that take the output of its runs, seen from the directory of the call. `named` are
    /// the runs that its words name.
    pub fn log_files(&self, named: &[&Run]) -> Vec<String> {
        let mut files: Vec<_> = named.iter().filter_map(|it| it.log.clone()).collect();
        if named.is_empty() && may_write_log(self.text()) {
            files.extend(self.unnamed_run().and_then(|it| it.log));
        }
        files.dedup();
        files
    }

    fn unnamed_run(&self) -> Option<Run> {
        let line = self.line()?;
        let simple = super::command_output::executor(line, self.own())?;
        output_run(line, self.text(), self.own(), (simple, RunKind::Test, ""))
    }

    /// The runs of a line whose output went into a log, and how they ended, by what a view of the
    /// log shows. A log of the whole line has no name in it.
    pub fn runs_in_log(
        &self,
        log: Option<&str>,
        view: &LogView,
        told: Outcome,
        output: &Excerpt,
    ) -> Vec<(Run, Judged)> {
        let is_in_log = |it: &Run| log.is_none() || it.log.as_deref() == log;
        let see = |run: &mut Run| {
            run.shown = if log.is_none() { run.shown.max(view.shown) } else { view.shown };
            run.lines = view.lines.or(run.lines.filter(|_| log.is_none()));
        };
        let named = self.runs();
        let shown = self.shown_runs(&named, told, output, see);
        // The words of runs with logs of their own stand elsewhere.
        let peers = named.iter().filter(|it| is_in_log(it)).count().max(1);
        let judged = named.into_iter().map(|mut run| {
            see(&mut run);
            run.peers = run.peers.min(peers);
            let judged = judge(&run, told, output);
            (run, judged)
        });
        let mut found: Vec<_> = judged.chain(shown).filter(|it| is_in_log(&it.0)).collect();
        found.retain(|(run, judged)| {
            let is_running = run.status == Status::Background || told == Outcome::Unknown;
            !(is_running && judged.outcome == Outcome::Passed) || has_ended(run, told, output)
        });
        found
    }
}

/// Tells whether a line may write a file by a redirection or with `tee`. Most lines do not.
fn may_write_log(text: &str) -> bool {
    let names_file = |(at, _): (usize, &str)| {
        let rest = text[at + 1..].trim_start_matches(['>', '|', ' ']);
        !rest.starts_with(['&', '(']) && !rest.starts_with("/dev/")
    };
    text.contains("tee ") || text.match_indices('>').any(names_file)
}

/// What a step shows of a log: `None` where it may print anything, `Some(None)` where it prints
/// nothing of weight.
#[expect(clippy::option_option, reason = "nothing of weight is not the same as anything")]
fn step_view(step: &Step, directory: Option<&str>) -> Option<Option<LogView>> {
    let Some(Part::Simple(simple)) = step.pipe.first() else { return None };
    let name = simple.words.first().map_or("", |it| it.text.as_str());
    let is_fixed = || simple.words.iter().all(|it| it.commands.is_empty());
    if QUIET.contains(&name) {
        return Some(None);
    }
    if matches!(name, "echo" | "printf") {
        let text: Vec<_> = simple.words[1..].iter().map(|it| it.text.as_str()).collect();
        let says = super::output_run::closes_a_run(&text.join(" "));
        return (is_fixed() && !says && simple.outputs.is_empty()).then_some(None);
    }
    let shown = reader_view(simple)?;
    let parts = &step.pipe[1..];
    let shown = parts.iter().map(lets_through).fold(shown, Ord::max);
    let is_pattern = matches!(name, "grep" | "egrep" | "rg" | "sed");
    let mut files = simple.words[1..].iter().map(|it| it.text.as_str()).filter(|it| {
        let is_count = it.trim_start_matches('+').bytes().all(|it| it.is_ascii_digit());
        !it.starts_with('-') && !is_count
    });
    let has_option = simple.words.iter().any(|it| matches!(it.text.as_str(), "-e" | "--regexp"));
    if is_pattern && !has_option {
        files.next();
    }
    let file = files.next_back()?;
    let is_one = files.next().is_none() || has_option;
    let own = lines(&step.pipe[0]);
    let lines = parts.iter().filter_map(lines).chain(own).min();
    let file = path_from(directory, file);
    is_one.then_some(Some(LogView { file, shown, lines }))
}

/// Tells whether a run that was going on when it was looked at has come to its end: its last lines
/// sum up, and nothing begins behind them.
fn has_ended(run: &Run, told: Outcome, output: &Excerpt) -> bool {
    let text = output.tail.as_deref().unwrap_or(&output.head);
    let last: Vec<_> = text.lines().filter(|it| !it.trim().is_empty()).rev().take(5).collect();
    let begins = |it: &&&str| {
        let line = it.trim_start();
        line.starts_with("Running ")
            || line.starts_with("Doc-tests ")
            || line.starts_with("running ")
    };
    let kept = last.iter().position(|it| begins(&it)).unwrap_or(last.len());
    let end: Vec<_> = last[..kept].iter().rev().copied().collect();
    let end = Excerpt::of(end.join("\n"));
    judge(run, told, &end).outcome == Outcome::Passed
}
