//! How a run ended: what was told, and what the output says.

use std::borrow::Cow;

use super::cursor::has_control;
use super::dependencies::says_unresolved;
use super::forgiving::forgives;
use super::labels::{bare_texts, is_bare_label, without_time};
use super::lone_project::is_lone_project;
use super::output_run::tools_in;
use super::quiet::judge_silence;
use super::runner_signs::job_kind;
use super::summary::{Says, Speaker, Weight};
use super::{Announcement, Attempt, Run, RunKind, RunSign, Shown, Status, TestCounts};
use crate::{Excerpt, Outcome};

/// What is said of a run that its status alone shows not to have started.
pub(crate) const NOT_STARTED: &str = "it could not be started";
/// Characters of a detail.
const MAX_DETAIL: usize = 120;
/// Empty lines at the two ends of an output that a host leaves out.
const TRIMMED: usize = 2;

/// How a run ended, with the few words of the output that say so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// Whether it passed. `Unknown` is neither proof nor failure.
    pub outcome: Outcome,
    /// A line of the output, at most 120 characters.
    pub detail: Option<String>,
    /// Why it proves nothing, where its outcome is unknown.
    pub gap: Option<Gap>,
    /// Whether it could not start because a dependency is not to be had.
    pub lacks_dependency: bool,
    /// Whether it passed as far as its output is visible, and a part of that is cut off.
    pub is_cut: bool,
}

/// Why a run proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gap {
    /// It ran no test.
    NoTest,
    /// It could not start.
    NotStarted,
    /// It was stopped before its end.
    Stopped,
    /// Neither its exit status nor a summary is visible.
    Hidden,
    /// It ran while the changes were put aside: stashed, reset, or left on another branch.
    Stashed,
    /// The same command changed files after it.
    Overwritten,
    /// A script that was written in the session decides what it does.
    OwnScript,
}

impl Judged {
    fn because(self, gap: Gap) -> Self {
        Self { gap: Some(gap), ..self }
    }
}

/// Judges a run by the status that the agent was told and by what can be seen of the output.
///
/// A pass is believed where the status is the run's own, or where its summary stands at the end of
/// the output. A failure is believed wherever it is said.
pub fn judge(run: &Run, told: Outcome, output: &Excerpt) -> Judged {
    // Whoever was told that it passed does not ask whether it could run.
    let passed = matches!(run.status, Status::Told | Status::Shared)
        && told == Outcome::Passed
        && !forgives(&run.command);
    let read = if passed && run.printed.is_none() { Speaker::read } else { Speaker::read_closely };
    let is_shown = run.sign == RunSign::Output;
    let speaker = if is_shown { Speaker::of_sign(&run.tool) } else { Speaker::of(&run.tool) };
    let has_others = run.test_counts == TestCounts::Others;
    let speaker = if has_others { speaker.without_tests() } else { speaker };
    let mut seen = Seen::of(run, output, read, &speaker);
    // A known program may have run another runner, whose words these are.
    if !is_shown && run.kind == RunKind::Test && seen.program.is_some() && !seen.has_ended() {
        let tools = tools_in(output, run.kind);
        if !tools.is_empty() {
            let own = std::iter::once(run.tool.as_str());
            let speaker = Speaker::of_each(own.chain(tools.iter().copied()));
            seen = Seen::of(run, output, read, &speaker);
        }
    }
    let judged = match judge_silence(run, told, output) {
        Some(outcome) => seen.judged(outcome, None),
        None => seen.judge(run, told),
    };
    if judged.outcome != Outcome::Passed {
        return judged;
    }
    if run.shown == Shown::Rewritten && !passed {
        return Judged { outcome: Outcome::Unknown, ..judged }.because(Gap::Hidden);
    }
    // What it ran on are not the files as they are now.
    let gap = match (run.stashed, run.overwritten) {
        (true, _) => Gap::Stashed,
        (false, true) => Gap::Overwritten,
        (false, false) => return judged,
    };
    Judged { outcome: Outcome::Unknown, ..judged }.because(gap)
}

type Read<'a> = fn(&Speaker<'a>, RunKind, &str, &str) -> Option<(Says, Weight)>;

/// What can be seen of an output.
struct Seen<'a> {
    /// Whose words are looked for; `None` where they may be anybody's.
    program: Option<&'a str>,
    lines: Vec<Cow<'a, str>>,
    /// The marks, and in which line each stands.
    marks: Vec<(Says, Weight, usize)>,
    /// Where the end of the output begins, behind what is missing in the middle.
    end: usize,
}

impl<'a> Seen<'a> {
    fn of(run: &Run, output: &'a Excerpt, read: Read<'a>, speaker: &Speaker<'a>) -> Self {
        let clean = |text: &'a str| text.split('\n').map(plain);
        let (head, tail) = ends(output);
        let mut lines: Vec<_> = clean(head).collect();
        let mut end = 0;
        if let Some(tail) = tail {
            // What stands at the cut may be half a line: `0 failed` of `10 failed`.
            lines.pop();
            end = lines.len() + 1;
            lines.extend(clean(tail));
            lines[end - 1] = Cow::Borrowed("");
        }
        let is_shown = run.sign == RunSign::Output;
        let is_forgiving = run.kind == RunKind::Test && forgives(&run.command);
        let mut marks = Vec::new();
        let mut before = "";
        for (index, line) in lines.iter().enumerate() {
            if line.is_empty() {
                continue;
            }
            let line = without_time(line);
            // The job of another kind says nothing of this one.
            let is_other = || is_shown && job_kind(line).is_some_and(|it| it != run.kind);
            let mut said = read(speaker, run.kind, line, before).filter(|_| !is_other());
            if said.is_none() && (is_shown || speaker.program().is_none()) {
                // A runner of several jobs names the job before each of its lines.
                let texts = bare_texts(line);
                let befores = bare_texts(if texts.is_empty() { "" } else { before });
                let befores = befores.iter().chain(std::iter::repeat(&""));
                said = texts.iter().zip(befores).find_map(|(it, before)| {
                    let is_other = is_shown && job_kind(it).is_some_and(|it| it != run.kind);
                    read(speaker, run.kind, it, before).filter(|_| !is_other)
                });
            }
            // `| sort | uniq -c` counts the lines.
            if said.is_none() && run.shown == Shown::Matching {
                let counted =
                    line.split_once(' ').filter(|it| it.0.bytes().all(|it| it.is_ascii_digit()));
                said = counted.and_then(|it| read(speaker, run.kind, it.1, before));
            }
            // Go says `PASS` of a package without a test that fits, too.
            let is_vain = || line == "PASS" && before.ends_with("warning: no tests to run");
            // Whatever failed, the build is said to have succeeded.
            let is_forgiven = || is_forgiving && is_built(line);
            if let Some((says, weight)) = said.filter(|_| !is_vain() && !is_forgiven()) {
                marks.push((says, weight, index));
            }
            if !is_bare_label(line) {
                before = line;
            }
        }
        forget_failures(run, &mut marks);
        marks.extend(idle(run, &lines).map(|it| (Says::Empty, Weight::Final, it)));
        Self { program: speaker.program(), lines, marks, end }
    }

    /// How the run ended, by what the line says of its status.
    fn judge(&self, run: &Run, told: Outcome) -> Judged {
        let announced = run.announced.as_ref().and_then(|it| Some((self.announced(it)?, it)));
        match announced {
            Some((true, _)) => return self.after_pass(run),
            Some((false, words)) if !words.shared => return self.after_failure(None),
            Some((false, _)) => return self.alone(run, Weight::Hint),
            None => {}
        }
        let printed = run.printed.as_deref().and_then(|it| self.printed(it));
        match (printed, run.status, told) {
            (Some(0), _, _) => self.after_pass(run),
            (Some(code), _, _) => self.after_failure(Some(code)),
            (None, Status::Told | Status::Shared, Outcome::Passed) if self.is_forgiven(run) => {
                self.alone(run, Weight::Hint)
            }
            (None, Status::Told | Status::Shared, Outcome::Passed) => self.after_pass(run),
            (None, Status::Told, Outcome::Failed(code)) => self.after_failure(code),
            (None, Status::Shared, Outcome::Failed(_)) => self.alone(run, Weight::Hint),
            (None, Status::Hidden, Outcome::Passed | Outcome::Failed(_)) => {
                self.alone(run, Weight::Hint)
            }
            (None, Status::Background, _) | (None, _, Outcome::Unknown) => {
                self.alone(run, Weight::Summary)
            }
        }
    }

    /// Whether the line printed the words of a pass or those of a failure behind the run.
    fn announced(&self, words: &Announcement) -> Option<bool> {
        let is = |line: &str, text: &Option<String>| text.as_deref() == Some(line);
        let mut lines = self.lines.iter().rev();
        if words.has_fallback {
            let last = lines.find(|it| !it.is_empty());
            return last.is_some_and(|it| is(it, &words.passed)).then_some(true);
        }
        let said = lines.find_map(|it| match &**it {
            line if is(line, &words.failed) => Some(false),
            line if is(line, &words.passed) => Some(true),
            _ => None,
        });
        // Where only a failure has words, none of them are the words of a pass.
        said.or_else(|| (words.passed.is_none() && self.end == 0).then_some(true))
    }

    /// The status that the line printed behind these words.
    fn printed(&self, before: &str) -> Option<i32> {
        let number = |text: &str| -> Option<i32> {
            let rest = text.strip_prefix(before)?.trim_start();
            let end = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
            // Other words may follow a prefix, but only an empty line follows a bare number.
            if before.is_empty() && end < rest.len() {
                return None;
            }
            rest[..end].parse::<u8>().ok().map(i32::from)
        };
        let mut lines = self.lines.iter().rev().map(|it| &**it).filter(|it| !it.is_empty());
        if before.is_empty() { number(lines.next()?) } else { lines.find_map(number) }
    }

    /// The run passed, unless it plainly says otherwise.
    fn after_pass(&self, run: &Run) -> Judged {
        let tests = run.kind == RunKind::Test;
        // A build may succeed although tests failed: `mvn -fn`, `ignoreFailures`. Those that passed
        // when they were tried again are not among them.
        let is_tried_again = self.lines.iter().any(|it| it.contains("Flakes: "));
        let is_weighty = |it: &&(Says, Weight, usize)| {
            let is_build = tests && !is_tried_again && is_built(&self.lines[it.2]);
            it.1 >= Weight::Summary && it.0 != Says::NotRun && !is_build
        };
        let last = self.marks.iter().rfind(is_weighty);
        match last {
            // Somebody swallowed the status, or shows what was once.
            Some((Says::Failed | Says::Relayed, _, _)) if tests && run.mixed => {
                self.judged(Outcome::Unknown, None)
            }
            Some((Says::Failed | Says::Relayed, _, line)) if tests => {
                self.judged(Outcome::Failed(None), Some(*line))
            }
            // One of several failed, and the status is that of the last.
            Some(_) if tests && self.is_anybodys(run) && self.has_plain(Weight::Summary) => {
                self.judged(Outcome::Unknown, self.failure(Weight::Summary))
            }
            _ if run.kind != RunKind::Build && self.nothing_ran(run) => {
                let empty = self.marks.iter().rfind(|it| is_empty(it.0));
                self.judged(Outcome::Unknown, empty.map(|it| it.2)).because(Gap::NoTest)
            }
            _ => self.judged(Outcome::Passed, self.last(Says::Passed)),
        }
    }

    /// Tells whether the run passes whatever fails. A tool that prints only what it finds has found
    /// nothing where it prints nothing.
    fn is_forgiven(&self, run: &Run) -> bool {
        let is_silent = || self.lines.iter().all(|it| it.is_empty());
        forgives(&run.command) && (run.kind == RunKind::Test || !is_silent())
    }

    /// Tells whether the words may be those of several programs.
    fn is_anybodys(&self, run: &Run) -> bool {
        self.program.is_none() || run.sign == RunSign::Output
    }

    /// Tells whether everything can be seen, and no test is there.
    fn nothing_ran(&self, run: &Run) -> bool {
        let built = |it: &&(Says, Weight, usize)| {
            let line = &self.lines[it.2];
            let is_end = run.tool.ends_with("test") && is_built(line) || counts_nothing(line);
            it.0 == Says::Passed && is_end
        };
        let marks = self.marks.iter().filter(|it| it.0 != Says::NotRun && !built(it));
        let one = self.marks.iter().any(|it| it.0 == Says::Empty && it.1 == Weight::Final);
        let mut any = false;
        let empty = marks.fold(true, |all, it| {
            any = true;
            all && is_empty(it.0)
        });
        let tasks = || self.lines.iter().any(|it| is_tested(it));
        empty && any && (one || self.is_whole(run)) && !tasks()
    }

    /// Tells whether nothing of the output is missing.
    fn is_whole(&self, run: &Run) -> bool {
        let lines = self.lines.iter().rposition(|it| !it.is_empty()).map_or(0, |it| it + 1);
        let is_end = matches!(run.shown, Shown::End | Shown::Start);
        let shorter = is_end && run.lines.is_some_and(|it| lines + TRIMMED < it);
        self.end == 0 && (run.shown == Shown::All || shorter)
    }

    fn after_failure(&self, code: Option<i32>) -> Judged {
        let failed = self.failure(Weight::Hint);
        match code {
            Some(126 | 127) if !self.has(Says::Failed) => {
                let said = self.first(Says::NotRun, Weight::Hint);
                self.unknown(said, NOT_STARTED).because(Gap::NotStarted)
            }
            // It was stopped before it could say how it ends.
            Some(124 | 130 | 137 | 143) if !self.has_plain(Weight::Summary) => {
                self.unknown(None, "stopped before its end").because(Gap::Stopped)
            }
            _ => match self.trouble() {
                Some(trouble) => self.troubled(trouble),
                // With this status they say that no test was chosen.
                None if code == Some(5)
                    && self.is_of(&["pytest", "unittest"])
                    && !self.has_plain(Weight::Hint) =>
                {
                    self.judged(Outcome::Unknown, None).because(Gap::NoTest)
                }
                None => self.judged(Outcome::Failed(code), failed),
            },
        }
    }

    fn is_of(&self, programs: &[&str]) -> bool {
        self.program.is_some_and(|it| programs.contains(&it))
    }

    /// The line that says why nothing was tried, where nothing says that something failed.
    fn trouble(&self) -> Option<(usize, Gap)> {
        if self.has_plain(Weight::Hint) {
            return None;
        }
        let stopped = || self.first(Says::NotRun, Weight::Final).map(|it| (it, Gap::Stopped));
        let not_run = || self.first(Says::NotRun, Weight::Summary).map(|it| (it, Gap::NotStarted));
        let empty = || self.first(Says::Empty, Weight::Final).map(|it| (it, Gap::NoTest));
        stopped().or_else(not_run).or_else(empty)
    }

    /// A run that could not do what it was for, by the line that says why.
    fn troubled(&self, (line, gap): (usize, Gap)) -> Judged {
        let says =
            |it: &(Says, Weight, usize)| it.0 == Says::NotRun && says_unresolved(&self.lines[it.2]);
        let lacks_dependency = gap == Gap::NotStarted && self.marks.iter().any(says);
        Judged { lacks_dependency, ..self.judged(Outcome::Unknown, Some(line)) }.because(gap)
    }

    /// Tells whether something failed of which it is said what.
    fn has_plain(&self, least: Weight) -> bool {
        self.marks.iter().any(|it| it.0 == Says::Failed && it.1 >= least)
    }

    fn unknown(&self, line: Option<usize>, else_say: &str) -> Judged {
        let judged = self.judged(Outcome::Unknown, line);
        Judged { detail: judged.detail.or_else(|| Some(else_say.to_owned())), ..judged }
    }

    /// Judges by the output alone; a failure must be at least so plain.
    fn alone(&self, run: &Run, floor: Weight) -> Judged {
        // Whose words they are is not known.
        if run.mixed {
            return self.judged(Outcome::Unknown, None);
        }
        let all = self.marks.iter().filter(|it| it.0 == Says::Passed);
        // Each of several runs has to say so for itself.
        let enough = run.peers < 2
            || all.clone().count() >= run.peers
                && self.first(Says::NotRun, Weight::Summary).is_none();
        let stopped = self.first(Says::NotRun, Weight::Final).is_some();
        let passed = all.clone().next_back().filter(|it| it.2 >= self.end && enough && !stopped);
        let whole = self.is_whole(run);
        let passed = passed.filter(|it| match it.1 {
            Weight::Final => true,
            Weight::Summary => run.shown < Shown::Matching || whole,
            // Another line like it may stand where nobody can see it.
            Weight::Hint => whole || is_lone_project(run, &self.lines, it.2),
        });
        // Behind a pipe all words are those of the run; elsewhere they may be another command's.
        let is_piped = run.status == Status::Hidden && run.shown != Shown::All;
        let has_ended = floor == Weight::Hint && is_piped && run.printed.is_none();
        // Words such as `error:` may be part of a test that passes, or anybody's.
        let vague = passed.is_some() || self.program.is_none();
        let floor = if vague { Weight::Summary } else { floor };
        if let Some(line) = self.failure(floor) {
            return match self.trouble() {
                Some(trouble) => self.troubled(trouble),
                None => self.judged(Outcome::Failed(None), Some(line)),
            };
        }
        if run.kind == RunKind::Test && self.nothing_ran(run) {
            let empty = self.marks.iter().rfind(|it| is_empty(it.0));
            return self.judged(Outcome::Unknown, empty.map(|it| it.2)).because(Gap::NoTest);
        }
        // A suite without tests may end a run of many that had some.
        let last = self.marks.iter().rfind(|it| it.1 >= Weight::Summary);
        let quiet =
            last.filter(|it| it.0 == Says::Empty && it.1 == Weight::Summary && it.2 >= self.end);
        // `| grep result | tail -1` shows the last of the lines that match.
        let is_end = run.shown < Shown::Matching
            || run.shown == Shown::Matching && run.lines.is_some() && self.end == 0;
        let cut = !self.is_whole(run) && is_end && run.peers < 2;
        // One that goes on after a failure comes to its last suite all the same.
        let goes_on = run.command.contains("--no-fail-fast");
        let quiet = quiet.filter(|_| cut && !goes_on && !self.has(Says::Filtered));
        if let Some(passed) = passed.or(quiet) {
            return self.judged(Outcome::Passed, Some(passed.2));
        }
        if let Some(trouble) = self.trouble() {
            return self.troubled(trouble);
        }
        // A summary of a part counts for what it shows.
        let shows_part = matches!(run.shown, Shown::Matching | Shown::Start) && enough && !stopped;
        if let Some(part) = all.clone().next_back().filter(|_| shows_part) {
            let is_cut = !whole && (run.shown == Shown::Start || self.end > 0);
            return Judged { is_cut, ..self.judged(Outcome::Passed, Some(part.2)) };
        }
        let hint = || self.last(Says::Passed).filter(|_| run.peers < 2);
        // What stands at the end of what is visible tells the agent what was seen.
        let seen = || self.lines.iter().rposition(|it| it.contains(char::is_alphanumeric));
        let seen = || seen().filter(|_| has_ended && run.peers < 2);
        self.judged(Outcome::Unknown, last.map(|it| it.2).or_else(hint).or_else(seen))
    }

    /// Tells whether a line says how it ended.
    fn has_ended(&self) -> bool {
        let says =
            |it: Says| matches!(it, Says::Passed | Says::Failed | Says::Empty | Says::Filtered);
        self.marks.iter().any(|it| it.1 >= Weight::Summary && says(it.0))
    }

    fn has(&self, says: Says) -> bool {
        self.marks.iter().any(|it| it.0 == says)
    }

    fn first(&self, says: Says, least: Weight) -> Option<usize> {
        self.marks.iter().find(|it| it.0 == says && it.1 >= least).map(|it| it.2)
    }

    fn last(&self, says: Says) -> Option<usize> {
        self.marks.iter().rfind(|it| it.0 == says).map(|it| it.2)
    }

    /// The line that tells best what failed: the one that sums up, or else the first.
    fn failure(&self, least: Weight) -> Option<usize> {
        let first = |least| {
            let is = |it: &&(Says, Weight, usize)| {
                matches!(it.0, Says::Failed | Says::Relayed) && it.1 >= least
            };
            self.marks.iter().find(is).map(|it| it.2)
        };
        first(least)?;
        first(Weight::Final).or_else(|| first(Weight::Hint))
    }

    fn judged(&self, outcome: Outcome, line: Option<usize>) -> Judged {
        let detail = line.map(|it| {
            let text = self.lines[it].trim_matches(['=', ' ']);
            let text = text
                .strip_prefix("test result: ")
                .map_or(text, |it| it.match_indices(';').nth(1).map_or(it, |(end, _)| &it[..end]));
            text.chars().take(MAX_DETAIL).collect()
        });
        let gap = (outcome == Outcome::Unknown).then_some(Gap::Hidden);
        Judged { outcome, detail, gap, lacks_dependency: false, is_cut: false }
    }
}

/// Where a run was repeated and its end is good, what failed before it is over.
fn forget_failures(run: &Run, marks: &mut Vec<(Says, Weight, usize)>) {
    let last = marks.iter().rfind(|it| it.1 >= Weight::Summary && it.0 != Says::NotRun);
    if run.attempt == Attempt::Again && last.is_some_and(|it| it.0 == Says::Passed) {
        marks.retain(|it| !matches!(it.0, Says::Failed | Says::Relayed | Says::NotRun));
    }
}

fn is_empty(says: Says) -> bool {
    matches!(says, Says::Empty | Says::Filtered)
}

/// Tells whether a line is about a build with tests in it, if there are any.
fn is_built(line: &str) -> bool {
    line.starts_with("BUILD SUCCESSFUL") || line.ends_with("BUILD SUCCESS")
}

/// Tells whether a line says that all passed whatever there was to test.
fn counts_nothing(line: &str) -> bool {
    line.starts_with("[success] ")
        || line.starts_with("OK, but ")
        || line.contains("congratulations :) (")
        || line == "** TEST SUCCEEDED **"
}

/// `> Task :web:test`, which had something to test.
pub(super) fn is_tested(line: &str) -> bool {
    let task = line.strip_prefix("> Task ").unwrap_or_default();
    let (name, how) = task.split_once(' ').unwrap_or((task, ""));
    (name.ends_with("test") || name.ends_with("Test")) && how != "NO-SOURCE"
}

/// The line with which make says that it did nothing for a target. A build may be there already;
/// a test is not.
fn idle(run: &Run, lines: &[Cow<'_, str>]) -> Option<usize> {
    let (name, target) = run.tool.split_once(' ')?;
    if !matches!(name, "make" | "gmake") || run.kind == RunKind::Build {
        return None;
    }
    let own = |line: &str| {
        let rest = line.strip_prefix(name)?;
        let rest = rest
            .strip_prefix(": ")
            .or_else(|| rest.strip_prefix('[')?.split_once("]: ").map(|it| it.1));
        rest.map(str::to_owned)
    };
    let idles = |line: &str| {
        line.starts_with("Nothing to be done for ") || line.ends_with(" is up to date.")
    };
    let named = |line: &str| {
        let said = line.strip_prefix(name).and_then(|it| it.strip_prefix(": ")).unwrap_or_default();
        let quoted = said.split(['\'', '`', '"', '‘', '’', '“', '”']).nth(1);
        idles(said) && quoted == Some(target)
    };
    if let Some(line) = lines.iter().position(|it| named(it)) {
        return Some(line);
    }
    let mut said = lines.iter().filter(|it| !it.is_empty());
    said.all(|it| own(it).is_some())
        .then(|| lines.iter().position(|it| own(it).is_some_and(|it| idles(&it))))?
}

/// The two ends of an output, or all of it. A text that was kept before has its gap in the middle.
pub(super) fn ends(output: &Excerpt) -> (&str, Option<&str>) {
    let head = output.head.as_str();
    match &output.tail {
        Some(tail) => (head, Some(tail)),
        None if output.bytes > head.len() => {
            let (head, tail) = head.split_at(head.floor_char_boundary(head.len() / 2));
            (head, Some(tail))
        }
        None => (head, None),
    }
}

/// A line without colours and control characters.
pub(super) fn plain(line: &str) -> Cow<'_, str> {
    if !has_control(line) {
        return Cow::Borrowed(line.trim());
    }
    // A line that was written over shows what came last.
    let line = line.strip_suffix('\r').unwrap_or(line);
    let line = line.rsplit('\r').next().unwrap_or(line);
    let mut text = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            skip_escape(&mut characters);
        } else if character == '\t' {
            text.push(' ');
        } else if !character.is_control() {
            text.push(character);
        }
    }
    Cow::Owned(text.trim().to_owned())
}

/// Goes over what follows an escape: `[1;31m`, or a title until its end.
fn skip_escape(characters: &mut std::str::Chars<'_>) {
    match characters.next() {
        Some('[') => {
            characters.find(|it| matches!(it, '@'..='~'));
        }
        Some(']') => {
            characters.find(|it| *it == '\u{7}' || *it == '\\');
        }
        _ => {}
    }
}
