//! The lines with which tools say how a run ended.

use super::RunKind;
use super::built::closes_build;
use super::count::Counts;
use super::index::{Index, firsts, spread, spread_rows};
use super::needle::{Needle, NeedleIndex};
use super::phrases::{PHRASES, Phrase};
use super::trouble::{self, Trouble};

/// What a line of output says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    Passed,
    Failed,
    /// Something that was run failed, and nobody says what.
    Relayed,
    /// Nothing was tested; the run may have passed all the same.
    Empty,
    /// Some of it was left out, and nothing of the rest is in this line.
    Filtered,
    /// The run did not begin: no such command, script or target.
    NotRun,
}

/// How much a line is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// A line such as may also stand in the output of a test.
    Hint,
    /// One of several lines that sum up; another may say otherwise.
    Summary,
    /// The one line that sums up everything.
    Final,
}

/// Where a phrase stands in its line.
#[derive(Clone, Copy)]
pub(super) enum At {
    Start,
    Anywhere,
    Whole,
    End,
}

use At::{Anywhere, End, Start, Whole};
use Says::{NotRun, Passed, Relayed};
use Weight::{Final, Hint, Summary};

const SPEAKERS: usize = spread_rows(PHRASES);
static BY_SPEAKER: [(&str, &[Phrase]); SPEAKERS] = spread(PHRASES);
static SPEAKERS_INDEX: Index<(&str, &[Phrase]), SPEAKERS> =
    Index::of(&BY_SPEAKER, &firsts(&BY_SPEAKER));

/// The phrases of all of them, in their order, each with the place of its group.
const ALL: usize = phrases();
static ALL_PHRASES: [(usize, &Phrase); ALL] = all_phrases();
static ALL_INDEX: NeedleIndex<ALL> = NeedleIndex::of(all_needles());

/// Phrases that are looked at in one line.
const MAX_PHRASES: usize = 16;

const fn phrases() -> usize {
    let (mut count, mut group) = (0, 0);
    while group < PHRASES.len() {
        count += PHRASES[group].1.len();
        group += 1;
    }
    count
}

const fn all_phrases() -> [(usize, &'static Phrase); ALL] {
    let mut all = [(0, &PHRASES[0].1[0]); ALL];
    let (mut row, mut group) = (0, 0);
    while group < PHRASES.len() {
        let mut own = 0;
        while own < PHRASES[group].1.len() {
            all[row] = (group, &PHRASES[group].1[own]);
            own += 1;
            row += 1;
        }
        group += 1;
    }
    all
}

const fn all_needles() -> [Needle; ALL] {
    let all = all_phrases();
    let mut needles = [Needle::of("xxx"); ALL];
    let mut row = 0;
    while row < ALL {
        let is_start = matches!(all[row].1.0, Start | Whole);
        let is_end = matches!(all[row].1.0, End | Whole);
        needles[row] = Needle::marked(all[row].1.1, is_start, is_end);
        row += 1;
    }
    needles
}

/// What anybody may mean by a line: the plainest of the words that stand in it, of each tool the
/// ones that it lists first.
fn anybodys(line: &str) -> Option<(Says, Weight)> {
    let (mut rows, mut count) = ([0; MAX_PHRASES], 0);
    ALL_INDEX.each(line, |row| {
        if count < MAX_PHRASES {
            rows[count] = row;
            count += 1;
        }
    });
    rows[..count].sort_unstable();
    let (mut found, mut group): (Option<(Says, Weight)>, _) = (None, None);
    for row in &rows[..count] {
        let (own, phrase) = ALL_PHRASES[*row];
        if group != Some(own) && found.is_none_or(|it| phrase.3 > it.1) {
            found = Some((phrase.2, phrase.3));
        }
        group = Some(own);
    }
    found
}

/// What the shell says of a command that it cannot run, whatever it is.
const SHELL: &[Phrase] = &[
    (End, ": command not found", NotRun, Summary),
    (End, ": not found", NotRun, Hint),
    (End, ": Permission denied", NotRun, Hint),
];

/// Programs that pass on what another one says.
#[rustfmt::skip]
const RUNNERS: &[&str] = &[
    "npm", "pnpm", "yarn", "make", "gmake", "just", "task", "ninja", "bun run", "deno task", "cargo xtask",
    "cargo make", "turbo", "nx", "lerna", "rush", "moon", "tox", "nox",
];

/// Whose words are looked for in an output.
pub(super) struct Speaker<'a> {
    /// `None` where they may be anybody's.
    program: Option<&'a str>,
    /// What it says in fixed words, where it is not anybody.
    phrases: Vec<&'static [Phrase]>,
    /// How it counts.
    counts: Counts,
    /// Whether the words of every tool count.
    is_anybody: bool,
}

impl<'a> Speaker<'a> {
    /// Who speaks in a run of a tool.
    pub(super) fn of(tool: &'a str) -> Self {
        let program = tool.split(' ').next().unwrap_or(tool);
        let runs_others = RUNNERS.iter().any(|it| {
            tool.strip_prefix(it).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        });
        if !runs_others {
            let phrases: Vec<_> = SPEAKERS_INDEX.all(program).copied().collect();
            let counts = Counts::of(program);
            if !phrases.is_empty() || counts.any() {
                return Self { program: Some(program), phrases, counts, is_anybody: false };
            }
        }
        let counts = Counts::of_anybody();
        Self { program: None, phrases: Vec::new(), counts, is_anybody: true }
    }

    /// The words of a tool itself, without those of others that it passes on.
    pub(super) fn of_sign(tool: &'a str) -> Self {
        let program = tool.split(' ').next().unwrap_or(tool);
        Self { program: Some(program), ..Self::of_each(std::iter::once(tool)) }
    }

    /// The words of several tools; whose they are is open.
    pub(super) fn of_each(tools: impl Iterator<Item = &'a str> + Clone) -> Self {
        let programs = tools.map(|it| it.split(' ').next().unwrap_or(it));
        let phrases = programs.clone().flat_map(|it| SPEAKERS_INDEX.all(it).copied()).collect();
        let counts = Counts::of_each(programs.collect());
        Self { program: None, phrases, counts, is_anybody: false }
    }

    /// The same without the counts of tests, where other runs of the line are the tests.
    pub(super) fn without_tests(self) -> Self {
        if !self.is_anybody {
            return self;
        }
        Self { counts: self.counts.of_problems(), ..self }
    }

    /// The program; `None` where it may be anybody.
    pub(super) fn program(&self) -> Option<&'a str> {
        self.program
    }

    /// What a line says about a run; `before` is the line before it that is not empty.
    pub(super) fn read(&self, kind: RunKind, line: &str, before: &str) -> Option<(Says, Weight)> {
        if line.ends_with("No such file or directory") && line.contains("cd: ") {
            return Some((NotRun, Summary));
        }
        // The tests of the next command say nothing about a build.
        let of_tests = ["test result:", "error: test failed", "error: doctest failed"];
        if kind != RunKind::Test && of_tests.iter().any(|it| line.starts_with(it)) {
            return None;
        }
        let compiles = self.program.is_none_or(|it| matches!(it, "cargo" | "cross"));
        if compiles && kind != RunKind::Test && line.starts_with("Finished ") {
            return Some((Passed, Final));
        }
        let built = || (kind == RunKind::Build && closes_build(line)).then_some((Passed, Summary));
        let (first, last) = (line.bytes().next(), line.bytes().next_back());
        let is_said = |it: &&Phrase| match it.0 {
            Start => it.1.bytes().next() == first && line.starts_with(it.1),
            Anywhere => line.contains(it.1),
            Whole => line == it.1,
            End => it.1.bytes().next_back() == last && line.ends_with(it.1),
        };
        let of_shell = SHELL.iter().find(is_said).map(|it| (it.2, it.3));
        let counted = || self.counts.read(kind, line, before);
        if !self.is_anybody {
            let own = || self.phrases.iter().find_map(|it| it.iter().find(is_said));
            let said = of_shell.or_else(|| own().map(|it| (it.2, it.3)));
            return match said {
                Some((Passed, Hint)) if kind == RunKind::Test && closes_build(line) => None,
                Some((_, Hint)) => built().or(said),
                Some(said) => Some(said),
                None => counted().or_else(built),
            };
        }
        // Where anybody may speak, the plainest words count: those of another may begin the same.
        match of_shell.or_else(|| anybodys(line)) {
            Some((Passed, Hint)) if kind == RunKind::Test && closes_build(line) => None,
            Some((says, Hint)) => {
                counted().filter(|it| it.1 > Hint).or_else(built).or(Some((says, Hint)))
            }
            Some(said) => Some(said),
            None => counted().or_else(built),
        }
    }

    /// The same, where it matters whether the run could run at all.
    pub(super) fn read_closely(
        &self,
        kind: RunKind,
        line: &str,
        before: &str,
    ) -> Option<(Says, Weight)> {
        let found = self.read(kind, line, before);
        match found {
            None | Some((Relayed, _) | (NotRun, Hint)) => {}
            Some(_) => return found,
        }
        match trouble::read(line) {
            Some(Trouble::NotRun) => Some((NotRun, Summary)),
            Some(Trouble::Stopped) => Some((NotRun, Final)),
            None => found,
        }
    }
}
