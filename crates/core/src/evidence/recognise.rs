//! The runs of a command line, each with what is known of its status.

use super::aside::Aside;
use super::changes::{Changes, changes_of};
use super::company::{Company, comes_through};
use super::cursor::has_control;
use super::find::Sight;
use super::line::{Group, Input, Join, Line, Nest, Part, Place, Simple, Step, Stream, Word};
use super::log_reader::{LogReaders, copied_to, lets_through, log_of, log_readers, path_from};
use super::quiet::silence;
use super::scope::{chosen_by_options, coverage};
use super::scripts::{fakes_programs, runs_elsewhere, script_files};
use super::shell::parse;
use super::status::{
    Announcement, From, Taken, branch_announcement, fates, is_harmless_part, is_retry, only, set,
};
use super::typed_lines::{TypedLines, is_suspect, printed_lines, typed_lines};
use super::unwrap::{Options, Switch, program, skip_assignments};
use super::writes::{step_writes, writes};
use super::{
    Attempt, FileChange, Pattern, Run, RunKind, RunSign, Shown, Status, TestCounts, Writes,
};
/// Command lines within command lines, as in `bash -c '…'`.
const MAX_DEPTH: usize = 4;
/// Commands of one line that are looked at, and runs that are kept of it: the last ones, since the
/// end of a line is what its status and its output tell of.
pub(super) const MAX_COMMANDS: usize = 64;
/// Characters of a command that is kept.
const MAX_COMMAND: usize = 160;
/// Bytes of a directory that many `cd` may make long.
const MAX_DIRECTORY: usize = 512;

/// The runs in a command line, in order; `own` are patterns of the user, which come first.
///
/// Of a line with more than 64 commands the last ones are looked at; one of more than 8 KiB is not
/// read at all.
pub fn recognise(command: &str, own: &[Pattern]) -> Vec<Run> {
    recognise_counted(command, own).0
}

/// The runs, and how many commands were looked at.
pub(super) fn recognise_counted(command: &str, own: &[Pattern]) -> (Vec<Run>, usize) {
    parse(command).map_or_else(Default::default, |it| runs(&it, command, own))
}

/// The same of a line that was taken apart.
pub(super) fn runs(line: &Line, command: &str, own: &[Pattern]) -> (Vec<Run>, usize) {
    let walked = walk(line, command, own, (None, None));
    (walked.runs, walked.looks)
}

/// The runs of a line, and the files that it changes by name. `executor` is a command that counts
/// as a run, too.
pub(super) fn runs_and_changes(
    line: &Line,
    command: &str,
    own: &[Pattern],
    executor: Option<&Simple>,
) -> (Vec<Run>, Vec<FileChange>) {
    let shown_run = executor.map(|simple| ShownRun { simple, kind: RunKind::Test, tool: "" });
    let printed = is_suspect(command).then(Vec::new);
    let walked = walk(line, command, own, (shown_run, printed));
    (walked.runs, walked.changes)
}

/// The run that a command of the line is by its output, with its place in the line.
pub(super) fn output_run(
    line: &Line,
    command: &str,
    own: &[Pattern],
    (simple, kind, tool): (&Simple, RunKind, &str),
) -> Option<Run> {
    let shown_run = ShownRun { simple, kind, tool };
    let runs = walk(line, command, own, (Some(shown_run), None)).runs;
    let mut run = runs.into_iter().find(|it| it.sign == RunSign::Output)?;
    // Other commands of the line only run things, too.
    (run.mixed, run.peers) = (false, 1);
    // The status may be that of another job behind the same command.
    if run.status == Status::Told {
        run.status = Status::Shared;
    }
    Some(run)
}

fn walk<'a>(
    line: &Line,
    command: &str,
    own: &'a [Pattern],
    (shown_run, printed): (Option<ShownRun<'a>>, Option<Vec<String>>),
) -> Walk<'a> {
    let passed_by = line.commands().saturating_sub(MAX_COMMANDS);
    let company = Company::default();
    let (runs, changes) = (Vec::new(), Vec::new());
    let mut walk = Walk { own, shown_run, runs, changes, company, passed_by, looks: 0, printed };
    let (status, shown) = (Status::Told, Shown::All);
    let (lines, log) = (None, None);
    let behind: &[Part] = &[];
    let scope = Scope { text: command, outer: None, status, shown, lines, log, behind, depth: 0 };
    walk.company.enter(line);
    walk.line(line, &scope, &mut State::default());
    let surplus = walk.runs.len().saturating_sub(MAX_COMMANDS);
    walk.runs.drain(..surplus);
    walk.company.apply(&mut walk.runs);
    walk
}

/// A command whose output shows which run it is.
#[derive(Clone, Copy)]
struct ShownRun<'a> {
    simple: &'a Simple,
    kind: RunKind,
    tool: &'a str,
}

struct Walk<'a> {
    own: &'a [Pattern],
    shown_run: Option<ShownRun<'a>>,
    runs: Vec<Run>,
    changes: Vec<FileChange>,
    company: Company,
    /// Commands that are still to be passed by, since too many follow.
    passed_by: usize,
    looks: usize,
    /// What the steps print around the command that is looked at, where the line holds lines that
    /// may be left behind.
    printed: Option<Vec<String>>,
}

/// Where a line stands.
#[derive(Clone, Copy)]
struct Scope<'a> {
    text: &'a str,
    /// The command that a line within it is shown as.
    outer: Option<&'a str>,
    /// What becomes of the line's own status.
    status: Status,
    shown: Shown,
    /// The lines that a `tail` or a `head` lets through.
    lines: Option<usize>,
    /// The file that takes its output.
    log: Option<&'a str>,
    /// The parts of its pipe that follow it.
    behind: &'a [Part],
    depth: usize,
}

/// What earlier commands leave to later ones.
#[derive(Clone, Default)]
struct State {
    directory: Option<String>,
    options: Options,
    /// Where the changes are.
    aside: Aside,
}

impl Walk<'_> {
    fn text(&mut self, text: &str, scope: &Scope<'_>, state: &mut State) {
        if let Some(line) = parse(text) {
            self.company.enter(&line);
            self.line(&line, scope, state);
        }
    }

    /// Takes in what a trap does when the line is over: `trap "sed -i …" EXIT; cargo test`.
    fn spring_traps(&mut self, line: &Line, first: usize, state: &State) {
        for simple in line.chains.iter().flat_map(|it| &it.steps).filter_map(only) {
            let words: Vec<_> = simple.words.iter().map(|it| it.text.as_str()).collect();
            let ["trap", action, signals @ ..] = words.as_slice() else { continue };
            if !signals.iter().any(|it| matches!(*it, "EXIT" | "0" | "exit" | "SIGEXIT")) {
                continue;
            }
            let writes = writes(action, self.own);
            let runs = self.runs[first..].iter_mut();
            runs.for_each(|it| it.written_after = it.written_after.max(writes));
            if let (Some(inner), false) = (parse(action), self.runs.is_empty()) {
                inner.any_simple(&mut |it| {
                    self.change(it, state);
                    false
                });
            }
        }
    }

    fn line(&mut self, line: &Line, scope: &Scope<'_>, state: &mut State) {
        let start = self.runs.len();
        self.chains(line, scope, state);
        if scope.text.contains("trap ") {
            self.spring_traps(line, start.min(self.runs.len()), state);
        }
    }

    fn chains(&mut self, line: &Line, scope: &Scope<'_>, state: &mut State) {
        let fates = fates(line, scope.status, state.options);
        let readers = log_readers(line);
        for (index, (chain, statuses)) in line.chains.iter().zip(&fates.steps).enumerate() {
            let taken = fates.taken.get(&index).filter(|_| chain.steps.len() == 1);
            // What runs in the background leaves nothing behind.
            let mut inner = (chain.place == Place::Background).then(|| state.clone());
            let state = inner.as_mut().unwrap_or(&mut *state);
            let mut first = self.runs.len();
            for (place, (step, status)) in chain.steps.iter().zip(statuses).enumerate() {
                let announced = fates.announced.get(&index).filter(|it| place < it.steps);
                let told = Told { taken, announced };
                let mut before = self.runs.len();
                let printed = self.printed.as_ref().map_or(0, Vec::len);
                if let Some(all) = &mut self.printed {
                    all.extend(printed_lines(step, self.own));
                }
                self.step(step, &Scope { status: *status, ..*scope }, state, &told, &readers);
                if let Some(all) = &mut self.printed {
                    all.truncate(printed);
                }
                // What is run again counts in place of what failed before.
                if step.join == Join::Or && self.falls_back(first, before) {
                    before = first;
                } else if place > 0 && is_retry(&chain.steps[place - 1], step) {
                    self.runs.drain(first..before);
                    before = first;
                    self.runs[first..].iter_mut().for_each(|it| it.attempt = Attempt::Again);
                } else {
                    first = before;
                }
                if before > 0 {
                    let writes = step_writes(step, scope.text, self.own);
                    let earlier = self.runs[..before].iter_mut();
                    earlier.for_each(|it| it.written_after = it.written_after.max(writes));
                }
            }
        }
    }

    /// Takes two steps as one run where the second one, which begins at `second`, runs in place of
    /// the first one, which begins at `first`: `uv run pytest || pytest`, `pytest || pytest --lf`.
    /// Either the first one passed, or the second one did.
    fn falls_back(&mut self, first: usize, second: usize) -> bool {
        let ([one], [other]) = (&self.runs[first..second], &self.runs[second..]) else {
            return false;
        };
        if one.kind != other.kind || one.tool != other.tool || one.directory != other.directory {
            return false;
        }
        let (command, coverage) = (one.command.clone(), one.coverage);
        self.runs.drain(first..second);
        for run in &mut self.runs[first..] {
            (run.attempt, run.command, run.coverage) = (Attempt::Again, command.clone(), coverage);
        }
        true
    }

    fn step(
        &mut self,
        step: &Step,
        scope: &Scope<'_>,
        state: &mut State,
        told: &Told<'_>,
        readers: &LogReaders<'_>,
    ) {
        if let Some(simple) = only(step) {
            set(simple, &mut state.options);
            change_directory(simple, &mut state.directory);
            state.aside.take_in(simple);
        }
        let taken = told.taken;
        let last = step.pipe.len() - 1;
        let risks = || step.pipe.iter().filter(|it| !is_harmless_part(it)).count();
        for (index, part) in step.pipe.iter().enumerate() {
            let by_first = taken.is_some_and(|it| it.from == From::First);
            let status = match (scope.status, state.options.pipefail) {
                (Status::Background, _) => Status::Background,
                (status, _) if by_first && index == 0 => status,
                (Status::Told, Switch::On) if risks() > 1 => Status::Shared,
                (status, Switch::On) => status,
                (status, Switch::Off) if index == last && !by_first => status,
                // `go test -json ./... | tparse`
                (status, Switch::Off)
                    if index + 1 == last && !by_first && hands_on(&step.pipe[last]) =>
                {
                    status
                }
                (_, Switch::Off) => Status::Hidden,
            };
            let shown = step.pipe[index + 1..].iter().map(lets_through).max();
            let shown = scope.shown.max(shown.unwrap_or(Shown::All));
            let lines = step.pipe[index + 1..].iter().filter_map(lines).min().or(scope.lines);
            let log = copied_to(&step.pipe[index + 1..]).or(scope.log);
            let behind = &step.pipe[index + 1..];
            let scope = Scope { status, shown, lines, log, behind, ..*scope };
            let is_taken = if by_first { index == 0 } else { index == last };
            match part {
                Part::Simple(simple) => {
                    let heard = index == 0 && comes_through(step);
                    // `pytest | grep -q passed && echo OK` prints how `grep` ended.
                    let decides = index == last
                        || state.options.pipefail == Switch::On
                        || index + 1 == last && hands_on(&step.pipe[last]);
                    let announced = told.announced.filter(|_| decides);
                    let words = Told { taken: taken.filter(|_| is_taken), announced };
                    let looked = self.simple(simple, &scope, state, &words, readers);
                    // A run speaks for itself; so do the commands of a line within the line.
                    if let (true, Some(from)) = (heard, looked) {
                        self.company.hear(simple, &simple.words[from..]);
                    }
                }
                Part::Group(group) if last == 0 => self.group(group, &scope, state),
                Part::Group(group) => self.group(group, &scope, &mut state.clone()),
            }
        }
    }

    fn group(&mut self, group: &Group, scope: &Scope<'_>, state: &mut State) {
        let unsure = if scope.status == Status::Background { scope.status } else { Status::Hidden };
        let shown = if group.outputs.is_empty() { scope.shown } else { Shown::Part };
        let log = log_of(&group.outputs).or(scope.log);
        let scope = Scope { shown, log, ..*scope };
        let start = self.runs.len();
        for line in &group.lines {
            let before = self.runs.len();
            match group.nest {
                Nest::Braces => self.line(line, &scope, state),
                Nest::Subshell => self.line(line, &scope, &mut state.clone()),
                Nest::Conditional => {
                    self.line(line, &Scope { status: unsure, ..scope }, state);
                    // `if pytest; then echo good; else echo bad; fi`
                    if before == start
                        && let [run] = &mut self.runs[start..]
                        && run.announced.is_none()
                    {
                        run.announced = branch_announcement(group);
                    }
                    // Of two branches with the same run one ran.
                    if before > start {
                        self.falls_back(before - 1, before);
                    }
                }
                Nest::Definition => return,
            }
        }
        let outputs = group.outputs.iter().map(|it| FileChange {
            file: it.file.clone(),
            directory: state.directory.clone(),
            is_after_run: !self.runs.is_empty(),
            is_through: true,
            typed: self.printed.clone().unwrap_or_default(),
            is_replaced: !it.is_appended,
            ..FileChange::default()
        });
        self.changes.extend(outputs);
    }

    /// Looks at a command, and gives the word with which it begins if it is no run.
    fn simple(
        &mut self,
        simple: &Simple,
        scope: &Scope<'_>,
        state: &State,
        told: &Told<'_>,
        readers: &LogReaders<'_>,
    ) -> Option<usize> {
        if self.passed_by > 0 || self.looks == MAX_COMMANDS {
            self.passed_by = self.passed_by.saturating_sub(1);
            return Some(skip_assignments(&simple.words, 0));
        }
        self.looks += 1;
        self.change(simple, state);
        let Sight { runs, line, shown: from, directory, at, .. } = simple.look(self.own);
        let (from, at) = (*from, *at);
        let output = simple.outputs.iter().find(|it| it.stream == Stream::Standard);
        let log = log_of(&simple.outputs).or(scope.log);
        // What goes into a file is seen as far as the line shows the file.
        let shown = match (output, log.and_then(|it| readers.get(it))) {
            (_, Some(reader)) if output.is_some() || scope.shown > *reader => *reader,
            (Some(_), _) => Shown::Part,
            (None, _) => scope.shown,
        };
        let mut place = state.directory.clone();
        if let Some(directory) = directory {
            enter(&mut place, directory);
        }
        let command =
            || scope.outer.map_or_else(|| typed(scope.text, &simple.words[from..]), str::to_owned);
        let shown_run = self.shown_run.filter(|it| std::ptr::eq(it.simple, simple));
        if let (Some((at, options)), None) = (*line, shown_run) {
            if scope.depth < MAX_DEPTH {
                // `docker exec web sh -c '…'` is not the same command without the container.
                let outer = (from < at && !is_shell(&simple.words[from])).then(command);
                let outer = outer.as_deref().or(scope.outer);
                let text = simple.words[at].text.as_str();
                let scope = Scope { text, outer, shown, log, depth: scope.depth + 1, ..*scope };
                let aside = state.aside.clone();
                let first = self.runs.len();
                self.text(text, &scope, &mut State { directory: place.clone(), options, aside });
                // Its directories are those of a container: `docker exec web sh -c 'cd /app && …'`.
                let outer = simple.words.get(skip_assignments(&simple.words, 0));
                if outer.is_some_and(|it| runs_elsewhere(program(&it.text))) {
                    let runs = self.runs.iter_mut().skip(first);
                    runs.for_each(|it| it.directory.clone_from(&place));
                }
            }
            return None;
        }
        let one = shown_run.map(|it| [(it.kind, it.tool.to_owned())]);
        let runs = one.as_ref().map_or(runs.as_slice(), |it| it.as_slice());
        // A function or an alias of the same name is not the program.
        let name = simple.words.get(at).map_or("", |it| it.text.as_str());
        let is_fake = || fakes_programs(&simple.words[..skip_assignments(&simple.words, 0)]);
        if runs.is_empty() || is_redefined(scope.text, name) || is_fake() {
            return Some(at.min(simple.words.len()));
        }
        let shares = scope.status == Status::Told && runs.len() > 1;
        let status = if shares { Status::Shared } else { scope.status };
        for (kind, tool) in runs {
            let directory = place.clone();
            let stashed = state.aside.covers(directory.as_deref());
            let printed = told.taken.and_then(|it| it.printed.clone());
            let words = &simple.words[at.min(simple.words.len())..];
            self.runs.push(Run {
                kind: *kind,
                tool: tool.clone(),
                command: command(),
                status,
                shown: if ends_elsewhere(simple) { Shown::Part } else { shown },
                lines: scope.lines,
                mixed: false,
                peers: 1,
                test_counts: TestCounts::Own,
                printed,
                announced: told.announced.map(|it| it.clone().within(scope.depth)),
                directory,
                written_after: Writes::No,
                overwritten: false,
                stashed,
                attempt: Attempt::First,
                coverage: match shown_run {
                    Some(_) => chosen_by_options(words),
                    None => coverage(tool, words),
                },
                scripts: script_files(simple, self.own, shown_run.is_some()),
                log: log.map(|it| path_from(state.directory.as_deref(), it)),
                silence: silence(tool, simple, scope.behind),
                sign: if shown_run.is_some() { RunSign::Output } else { RunSign::Words },
            });
        }
        None
    }
}

impl Walk<'_> {
    /// Takes in which files a command changes.
    fn change(&mut self, simple: &Simple, state: &State) {
        let Changes { files, through, has_unnamed, removed } = changes_of(simple, self.own);
        let (is_after_run, directory) = (!self.runs.is_empty(), &state.directory);
        let is_script = begins_script(simple);
        let typed = match &self.printed {
            Some(printed) if !files.is_empty() => {
                let at = simple.look(self.own).at.min(simple.words.len());
                typed_lines(simple, &simple.words[at..], printed)
            }
            _ => TypedLines::default(),
        };
        let change = |(place, file)| FileChange {
            file,
            directory: directory.clone(),
            is_after_run,
            is_script,
            is_through: place < through,
            is_removed: false,
            typed: typed.lines.clone(),
            is_replaced: typed.is_replacing,
        };
        self.changes.extend(files.into_iter().enumerate().map(change));
        let removal = |file| FileChange {
            file,
            directory: directory.clone(),
            is_after_run,
            is_removed: true,
            ..FileChange::default()
        };
        self.changes.extend(removed.into_iter().map(removal));
        if has_unnamed {
            self.runs.iter_mut().for_each(|it| it.overwritten = true);
        }
    }
}

/// Tells whether what a command writes begins like a script: `#!/bin/sh`.
fn begins_script(simple: &Simple) -> bool {
    let is_body = matches!(&simple.input, Some(Input::Text(text)) if text.starts_with("#!"));
    is_body || simple.words.iter().any(|it| it.text.starts_with("#!"))
}

/// What the line says itself of the status of a step.
#[derive(Clone, Copy)]
struct Told<'a> {
    taken: Option<&'a Taken>,
    announced: Option<&'a Announcement>,
}

/// Whether a line gives another meaning to the name of a program.
fn is_redefined(text: &str, name: &str) -> bool {
    let defines = |at: usize| {
        let before = text[..at].trim_end();
        let behind = &text[at + name.len()..];
        let is_word =
            text[..at].chars().next_back().is_none_or(|it| !it.is_alphanumeric() && it != '/');
        let is_function = behind.trim_start().starts_with("()") || before.ends_with("function");
        is_word && (is_function || before.ends_with("alias") && behind.starts_with('='))
    };
    !name.is_empty()
        && (text.contains(['(', '=']) || text.contains("function "))
        && text.match_indices(name).any(|it| defines(it.0))
}

fn is_shell(word: &Word) -> bool {
    matches!(program(&word.text), "bash" | "sh" | "zsh" | "dash" | "ksh" | "fish" | "eval")
}

/// Programs that read the results of tests and fail where one failed.
const REPORTERS: &[&str] = &["tparse", "tap-spec", "tap-dot", "tap-difflet", "faucet"];

/// Tells whether a part of a pipe hands the outcome of the tests on that it reads.
fn hands_on(part: &Part) -> bool {
    let Part::Simple(simple) = part else { return false };
    let at = simple.look(&[]).at;
    simple.words.get(at).is_some_and(|it| REPORTERS.contains(&program(&it.text)))
}

/// The lines that a `tail` or a `head` lets through.
pub(super) fn lines(part: &Part) -> Option<usize> {
    let Part::Simple(simple) = part else { return None };
    let mut words = simple.words.iter().map(|it| it.text.as_str());
    if !matches!(words.next().map(program), Some("tail" | "head")) {
        return None;
    }
    let mut lines = 10;
    while let Some(word) = words.next() {
        let number = match word {
            "-n" | "--lines" => words.next()?,
            "-q" | "-v" => continue,
            _ => word
                .strip_prefix("--lines=")
                .or(word.strip_prefix("-n"))
                .or(word.strip_prefix('-'))?,
        };
        lines = number.trim_start_matches('-').parse().ok()?;
    }
    Some(lines)
}

/// With `--no-fail-fast` a failure may stand anywhere, and only the errors at the end tell of it.
fn ends_elsewhere(simple: &Simple) -> bool {
    simple.words.iter().any(|it| it.text == "--no-fail-fast")
        && simple.outputs.iter().any(|it| it.stream == Stream::Errors)
}

pub(super) fn change_directory(simple: &Simple, directory: &mut Option<String>) {
    let mut words = simple.words.iter().map(|it| it.text.as_str());
    if matches!(words.next(), Some("cd" | "pushd"))
        && let Some(to) = words.find(|it| *it == "-" || !it.starts_with('-'))
    {
        enter(directory, to);
    }
}

/// Goes from one directory to another, as the line names them.
fn enter(directory: &mut Option<String>, to: &str) {
    let from_here = !to.starts_with(['/', '~', '$']);
    let joined = match directory.take() {
        _ if to == "-" => return,
        from if to == "." => {
            *directory = from;
            return;
        }
        Some(from) if from_here => {
            format!("{}/{}", from.trim_end_matches('/'), to.trim_start_matches("./"))
        }
        _ => to.to_owned(),
    };
    *directory = Some(joined).filter(|it| it.len() <= MAX_DIRECTORY);
}

/// The words as they stand in the line, with single blanks between them.
fn typed(text: &str, words: &[Word]) -> String {
    let length = words.iter().map(|it| it.to - it.from + 1).sum();
    let mut command = String::with_capacity(usize::min(length, 4 * MAX_COMMAND));
    for word in words {
        if command.len() > 4 * MAX_COMMAND {
            break;
        }
        let word = text.get(word.from..word.to).unwrap_or(&word.text);
        if !command.is_empty() {
            command.push(' ');
        }
        if has_control(word) {
            command.extend(word.chars().map(|it| if it.is_control() { ' ' } else { it }));
        } else {
            command.push_str(word);
        }
    }
    if command.len() <= MAX_COMMAND {
        return command;
    }
    match command.char_indices().nth(MAX_COMMAND) {
        Some(_) => command.chars().take(MAX_COMMAND - 1).chain(['…']).collect(),
        None => command,
    }
}
