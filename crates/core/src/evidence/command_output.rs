//! Whose words the output of a command is: text that it only shows, or what it ran.
//!
//! A summary of a test runner in the output of a command is a run only where the command can have
//! run one. `cat old.log` shows the same words and proves nothing.

use std::collections::BTreeSet;

use super::company::collect_written;
use super::habits::LOOKING;
use super::in_place::in_place_edit;
use super::line::{Group, Input, Line, Nest, Part, Simple, Step, Stream, Word};
use super::output_habits::{
    BATCH_EDITORS, CONTAINER_RUNS, CONTAINERS, GIT_HOOKS, GIT_QUIET, INLINE, INTERPRETERS,
    SERVICES, SHOWING, SHOWING_WORDS, SILENT, TESTING_TOOLS, TEXT_ENDINGS,
};
use super::output_run::closes_a_run;
use super::recognise::recognise;
use super::shell::parse;
use super::table::{ASKING, ASKING_OF_INDEX};
use super::unwrap::{SHELLS, program, skip_assignments, skip_options, valued};
use super::{Pattern, RunKind};

/// Lines within lines, as in `bash -c '…'`.
const MAX_DEPTH: usize = 4;

/// What the output of a command is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OutputKind {
    /// It prints nothing that could be a summary.
    Silent,
    /// It shows a text: a file, a log, a literal, an answer of a server.
    Shows,
    /// It may run anything, and passes on what that prints.
    Runs,
}

/// The command of a line that may have run what its output shows; `None` where no command can, or
/// where the output may be a text that another command only shows.
pub(super) fn executor<'l>(line: &'l Line, own: &[Pattern]) -> Option<&'l Simple> {
    let mut reader = OutputReader { own, written: BTreeSet::new(), found: None, shows: false };
    collect_written(line, &mut reader.written);
    reader.line(line, 0);
    reader.found.filter(|_| !reader.shows)
}

struct OutputReader<'a, 'l> {
    own: &'a [Pattern],
    /// Files that the line writes itself: to show them is to show what ran.
    written: BTreeSet<String>,
    found: Option<&'l Simple>,
    shows: bool,
}

impl<'l> OutputReader<'_, 'l> {
    fn line(&mut self, line: &'l Line, depth: usize) {
        for step in line.chains.iter().flat_map(|it| &it.steps) {
            self.step(step, depth);
        }
    }

    /// A pipe prints the words of its first command, unless another command runs on them.
    fn step(&mut self, step: &'l Step, depth: usize) {
        let mut kind = OutputKind::Silent;
        let mut printing = None;
        for (index, part) in step.pipe.iter().enumerate() {
            match part {
                Part::Group(group) => {
                    self.group(group, depth);
                    kind = OutputKind::Silent;
                }
                Part::Simple(simple) => {
                    let own = self.output_kind(simple, depth);
                    let takes = index > 0 && is_fed(simple);
                    kind = match (index, own) {
                        (0, own) => own,
                        // `… | bash`, `… | xargs make`
                        (_, OutputKind::Runs) if takes || kind == OutputKind::Silent => {
                            OutputKind::Runs
                        }
                        // `echo y | ./ci.sh`: the program reads the answer and prints its own words.
                        (_, OutputKind::Runs) if printing.is_some_and(is_literal) => {
                            OutputKind::Runs
                        }
                        _ => kind,
                    };
                    if index == 0 || own == OutputKind::Runs {
                        printing = Some(simple);
                    }
                }
            }
        }
        let is_lost = step.pipe.last().is_some_and(|it| match it {
            Part::Simple(simple) => {
                goes_elsewhere(simple) || in_place_edit(&simple.words).is_some()
            }
            Part::Group(_) => false,
        });
        match (kind, printing) {
            (OutputKind::Shows, _) if !is_lost => self.shows = true,
            (OutputKind::Runs, Some(simple)) => self.found = Some(simple),
            _ => {}
        }
    }

    fn group(&mut self, group: &'l Group, depth: usize) {
        if group.nest != Nest::Definition {
            group.lines.iter().for_each(|it| self.line(it, depth));
        }
    }

    fn output_kind(&mut self, simple: &'l Simple, depth: usize) -> OutputKind {
        let words = simple.words.as_slice();
        let start = skip_assignments(words, 0);
        if start == words.len() {
            return self.captured_kind(words, depth);
        }
        let sight = simple.look(self.own);
        if let Some((at, _)) = sight.line {
            return self.inner(&words[at].text, depth);
        }
        // A tool of the table is this run and no other; what builds may run tests, too.
        if sight.is_tool {
            let is_quiet = !runs_tests_too(simple, self.own);
            return if is_quiet { OutputKind::Silent } else { OutputKind::Runs };
        }
        let kind = self.own_output(simple, (start, sight.at));
        // What it reads may be what it prints.
        if matches!(kind, OutputKind::Runs) || program(&words[start].text) == "tee" {
            return if self.reads_text(simple) { OutputKind::Shows } else { kind };
        }
        kind
    }

    /// What `OUT=$(pytest 2>&1)` keeps for a later `echo "$OUT"`.
    fn captured_kind(&mut self, words: &[Word], depth: usize) -> OutputKind {
        let [word] = words else { return OutputKind::Silent };
        let captured = word.text.split_once("=$(");
        let Some((name, inner)) = captured.and_then(|it| Some((it.0, it.1.strip_suffix(')')?)))
        else {
            return OutputKind::Silent;
        };
        let kind = self.inner(inner, depth);
        let is_run = kind == OutputKind::Runs || !recognise(inner, self.own).is_empty();
        if kind == OutputKind::Shows || !is_run {
            return OutputKind::Silent;
        }
        self.written.insert(format!("${name}"));
        OutputKind::Runs
    }

    /// Tells whether a command reads a text that may be the words of a run.
    fn reads_text(&self, simple: &Simple) -> bool {
        match &simple.input {
            Some(Input::File(file)) => {
                let is_script = is_shell_call(simple) && !is_text_file(file);
                !file.starts_with("/dev/") && !is_script && !self.written.contains(file)
            }
            Some(Input::Text(text)) => text.contains('$') || closes_a_run(text),
            None => false,
        }
    }

    /// What a command prints by its words, whatever it reads.
    fn own_output(&self, simple: &Simple, (start, at): (usize, usize)) -> OutputKind {
        let words = simple.words.as_slice();
        let at = at.min(words.len() - 1);
        // What wraps the command runs it; what follows says whether that shows.
        let outer = program(&words[start].text);
        // `bash < ci.sh`
        if is_shell_call(simple) && matches!(simple.input, Some(Input::File(_))) {
            return OutputKind::Runs;
        }
        if INTERPRETERS.contains(&outer) {
            if matches!(&simple.input, Some(Input::Text(script)) if calls_runner(script)) {
                return OutputKind::Runs;
            }
            return interpreter(&words[start..]);
        }
        let inner = output_kind_of(&words[at..], &self.written);
        if at == start {
            return inner;
        }
        if CONTAINERS.contains(&outer) && container(outer, &words[start..]) == OutputKind::Shows {
            return OutputKind::Shows;
        }
        if inner == OutputKind::Silent { OutputKind::Runs } else { inner }
    }

    /// A line within the line prints what its commands do.
    fn inner(&mut self, text: &str, depth: usize) -> OutputKind {
        if depth == MAX_DEPTH {
            return OutputKind::Shows;
        }
        let Some(line) = parse(text) else { return OutputKind::Shows };
        let mut reader = OutputReader {
            own: self.own,
            written: self.written.clone(),
            found: None,
            shows: false,
        };
        collect_written(&line, &mut reader.written);
        reader.line(&line, depth + 1);
        match (reader.shows, reader.found.is_some()) {
            (true, _) => OutputKind::Shows,
            (false, true) => OutputKind::Runs,
            (false, false) => OutputKind::Silent,
        }
    }
}

/// Tells whether a command is a tool that builds or checks, and may run tests in the course of it.
pub(super) fn runs_tests_too(simple: &Simple, own: &[Pattern]) -> bool {
    let sight = simple.look(own);
    let name = simple.words.get(sight.at).map_or("", |it| program(&it.text));
    let is_other = sight.runs.iter().all(|it| it.0 != RunKind::Test);
    sight.is_tool && is_other && !sight.runs.is_empty() && TESTING_TOOLS.contains(&name)
}

/// Tells whether an editor runs a program of its own and shows no file.
fn is_batch_edit(name: &str, words: &[Word]) -> bool {
    const SHOWS: &[&str] = &["insert-file", "princ", "%p", "%print", "%number", "%l"];
    let Some((_, flags)) = BATCH_EDITORS.iter().find(|it| it.0.contains(&name)) else {
        return false;
    };
    let has_flag = words.iter().any(|it| flags.contains(&it.text.as_str()));
    let shows = |it: &Word| SHOWS.iter().any(|word| it.text.contains(word));
    has_flag && !words.iter().any(shows) && !is_text_operand(words)
}

/// Tells whether a command is a shell that reads its commands.
fn is_shell_call(simple: &Simple) -> bool {
    let mut words = simple.words.iter().map(|it| it.text.as_str());
    words.next().is_some_and(|it| SHELLS.contains(&program(it)))
        && words.all(|it| it.starts_with('-'))
}

/// Tells whether a part of a pipe runs what it reads.
fn is_fed(simple: &Simple) -> bool {
    let name = simple.words.first().map_or("", |it| program(&it.text));
    matches!(name, "xargs" | "parallel" | "bash" | "sh" | "zsh" | "entr")
}

/// Tells whether a command prints a literal that answers a question.
fn is_literal(simple: &Simple) -> bool {
    simple.words.first().is_some_and(|it| matches!(it.text.as_str(), "echo" | "printf" | "yes"))
}

fn goes_elsewhere(simple: &Simple) -> bool {
    let is_elsewhere = |file: &str| !matches!(file, "/dev/stdout" | "/dev/stderr" | "/dev/tty");
    simple.outputs.iter().any(|it| it.stream == Stream::Standard && is_elsewhere(&it.file))
}

/// What a command prints by its words, which begin with the program.
fn output_kind_of(words: &[Word], written: &BTreeSet<String>) -> OutputKind {
    let name = program(&words[0].text);
    let rest = &words[1..];
    let own = ASKING_OF_INDEX.get(name).copied().unwrap_or_default();
    let asks = |it: &Word| {
        let text = it.text.as_str();
        ASKING.contains(&text) && text != "--watch" || own.contains(&text)
    };
    if rest.iter().any(asks) {
        return OutputKind::Shows;
    }
    if in_place_edit(words).is_some() {
        return OutputKind::Silent;
    }
    if INTERPRETERS.contains(&name) {
        return interpreter(words);
    }
    match name {
        // A reader of what the line wrote itself shows what ran.
        "cat" | "head" | "tail" | "grep" | "egrep" | "rg" | "sed" | "awk" | "less"
            if rest.iter().any(|it| written.contains(&it.text)) =>
        {
            OutputKind::Silent
        }
        "git" => {
            let at = skip_options(words, 1, valued("git"));
            let sub = words.get(at).map_or("", |it| it.text.as_str());
            let next = words.get(at + 1).map_or("", |it| it.text.as_str());
            let is_quiet = GIT_QUIET.contains(&sub) && !matches!(next, "show" | "list");
            match sub {
                "bisect" if !rest.iter().any(|it| it.text == "run") => OutputKind::Shows,
                _ if GIT_HOOKS.contains(&sub) => OutputKind::Runs,
                _ if is_quiet => OutputKind::Silent,
                _ => OutputKind::Shows,
            }
        }
        _ if CONTAINERS.contains(&name) => container(name, words),
        "echo" | "printf" => literal(rest, written),
        _ if SERVICES.contains(&name) => service(words),
        "source" | "." => OutputKind::Runs,
        _ if is_batch_edit(name, rest) => OutputKind::Runs,
        _ if SILENT.contains(&name) => OutputKind::Silent,
        _ if SHOWING.contains(&name) => OutputKind::Shows,
        _ if looks(name, words) || says_that_it_shows(words) => OutputKind::Shows,
        _ => OutputKind::Runs,
    }
}

/// A text that is no closing line of a runner is no one's summary.
fn literal(words: &[Word], written: &BTreeSet<String>) -> OutputKind {
    let is_open = |it: &Word| {
        let variable = it.text.split_once('$').map(|it| it.1);
        let is_status =
            |it: &str| it.starts_with(['?', '!', '#', '$']) || it.starts_with("{PIPESTATUS");
        let is_captured = |it: &str| {
            let name = it.trim_start_matches('{').trim_end_matches('}');
            written.contains(&format!("${name}"))
        };
        !it.commands.is_empty() || variable.is_some_and(|it| !is_status(it) && !is_captured(it))
    };
    if words.iter().any(is_open) {
        return OutputKind::Shows;
    }
    let text = words.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(" ");
    if closes_a_run(&text.replace("\\n", "\n")) { OutputKind::Shows } else { OutputKind::Silent }
}

/// A service is asked; only a command that it runs elsewhere prints words of its own.
fn service(words: &[Word]) -> OutputKind {
    let mut operands = words[1..].iter().filter(|it| !it.text.starts_with('-')).take(3);
    let runs =
        operands.any(|it| matches!(it.text.as_str(), "ssh" | "exec" | "run" | "local" | "execute"));
    let is_hub = matches!(words[0].text.as_str(), "gh" | "glab" | "hub");
    if runs && !is_hub && !is_text_operand(&words[1..]) && !words[1..].iter().any(names_showing) {
        OutputKind::Runs
    } else {
        OutputKind::Shows
    }
}

/// Code that prints, or reads what it prints, in any of the languages that are given inline.
#[rustfmt::skip]
const PRINTS: &[&str] = &[
    "print", "console.", "puts", "echo", "say ", "open(", "read", "write", "cat", "fetch", "http", "log", "dump",
    "format", "$<", "<>", "STDIN", "stdin",
];

/// Calls with which a script runs tests.
const RUNNER_CALLS: &[&str] = &[
    "pytest.main(",
    "unittest.main(",
    "TextTestRunner(",
    "doctest.testmod(",
    "nose.run(",
    "nose2.discover(",
    "Minitest.run",
    "RSpec::Core::Runner.run",
];

/// Tells whether a script in the line runs tests, and has no words of a result itself.
fn calls_runner(script: &str) -> bool {
    RUNNER_CALLS.iter().any(|it| script.contains(it)) && !script.contains("passed")
}

/// A file is run; a program in an option, or from the input, prints what its author wrote there.
fn interpreter(words: &[Word]) -> OutputKind {
    let (name, rest) = (program(&words[0].text), &words[1..]);
    let is_shell = SHELLS.contains(&name);
    let mut inline = rest.iter().take_while(|it| it.text.starts_with('-') || it.text == "eval");
    let is_inline = inline.any(|it| INLINE.contains(&it.text.as_str()));
    if in_place_edit(words).is_some() {
        return OutputKind::Silent;
    }
    let has_operand = rest.iter().any(|it| !it.text.starts_with('-'));
    match (is_inline && !is_shell, has_operand) {
        (true, true) if !rest.iter().any(|it| PRINTS.iter().any(|word| it.text.contains(word))) => {
            OutputKind::Runs
        }
        (true, _) | (_, false) => OutputKind::Shows,
        (false, true) if is_text_operand(rest) || names_showing(&rest[0]) => OutputKind::Shows,
        (false, true) => OutputKind::Runs,
    }
}

fn container(name: &str, words: &[Word]) -> OutputKind {
    let operands = words[1..].iter().filter(|it| !it.text.starts_with('-'));
    let mut subs = operands.map(|it| it.text.as_str()).take(4);
    let is_compose = name == "docker-compose";
    let runs =
        subs.clone().any(|it| CONTAINER_RUNS.contains(&it) && it != "compose" && it != "container");
    let shows = subs.any(|it| {
        matches!(it, "logs" | "ps" | "images" | "inspect" | "attach" | "get" | "describe" | "top")
    });
    if runs && (is_compose || !shows) { OutputKind::Runs } else { OutputKind::Shows }
}

/// Tells whether a subcommand only looks, by the table of habits.
fn looks(name: &str, words: &[Word]) -> bool {
    let sub = words.get(skip_options(words, 1, valued(name))).map_or("", |it| it.text.as_str());
    LOOKING.iter().any(|it| it.0 == name && it.1.contains(&sub))
}

/// Tells whether the words of an unknown program, a target or a script say that it shows a text.
fn says_that_it_shows(words: &[Word]) -> bool {
    let operands = words.iter().skip(1).filter(|it| !it.text.starts_with('-')).take(3);
    names_showing(&words[0]) || operands.clone().any(names_showing) || is_text_operand(&words[1..])
}

fn is_text_operand(words: &[Word]) -> bool {
    words.iter().any(|it| !it.text.starts_with('-') && is_text_file(&it.text))
}

fn is_text_file(text: &str) -> bool {
    let ending = text.rsplit_once('.').filter(|it| !it.0.is_empty());
    text.contains("://") || ending.is_some_and(|it| TEXT_ENDINGS.contains(&it.1))
}

fn names_showing(word: &Word) -> bool {
    let file = word.text.rsplit('/').next().unwrap_or(&word.text);
    let stem = file.split('.').next().unwrap_or(file);
    stem.split(|it: char| !it.is_alphanumeric())
        .any(|it| SHOWING_WORDS.iter().any(|word| word.eq_ignore_ascii_case(it)))
}
