//! Runs that only the user knows.

use std::fmt;

use super::RunKind;
use super::line::{Line, Part, Word};
use super::shell::parse;
use super::unwrap::First;

/// Words of a pattern: what people would type, not a script.
const MAX_WORDS: usize = 32;

/// A command that the user says is a run.
///
/// It is written `KIND: COMMAND`.
///
/// - `KIND` says what the command shows when it passes: `tests`, `build`, `lint` or `types`.
/// - `COMMAND` is the whole command, word by word, with quotes as in a shell. `*` stands for any
///   words, or none: `just ci` is that alone, `just ci *` is also `just ci --fast`.
///
/// The command is found wherever it stands: behind `cd x &&`, variables, `timeout 60` and `bash`,
/// before `| tail`. A leading `./` of a path may be left out. Patterns come before what windlass
/// knows by itself.
///
/// ```text
/// tests: just ci
/// tests: make ci *
/// lint: ./run-checks.sh --fast
/// types: task verify
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// What it shows when it passes.
    pub kind: RunKind,
    /// The words of the whole command; `*` stands for any words, or none.
    pub words: Vec<String>,
}

/// Why a text is no pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternError {
    /// No kind stands before it.
    NoKind,
    /// The kind is none of the four.
    Kind(String),
    /// No command stands in it.
    NoCommand,
    /// It is not understood: a quote is open, say.
    Unclear,
    /// It is more than one command, or has redirections or variables.
    NotOne,
    /// It begins with `*`, which would be any command.
    AnyProgram,
    /// It has more words than people would type.
    Long,
}

impl fmt::Display for PatternError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKind => write!(
                formatter,
                "what the command shows is missing; write `tests: just ci`, or `build:`, `lint:`, `types:`"
            ),
            Self::Kind(kind) => write!(
                formatter,
                "`{}` is no kind of run; write `tests:`, `build:`, `lint:` or `types:`",
                kind.escape_debug()
            ),
            Self::NoCommand => {
                write!(formatter, "the command is missing; write it behind the colon")
            }
            Self::Unclear => {
                write!(formatter, "the command is not complete; close its quotes and brackets")
            }
            Self::NotOne => write!(
                formatter,
                "this is more than one plain command; leave out `&&`, `|`, `>` and variables, which are seen through"
            ),
            Self::AnyProgram => {
                write!(formatter, "`*` in front would be any command; begin with the program")
            }
            Self::Long => write!(formatter, "more than {MAX_WORDS} words; end it with `*`"),
        }
    }
}

impl std::error::Error for PatternError {}

/// As the user writes it.
impl fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            RunKind::Test => "tests",
            RunKind::Build => "build",
            RunKind::Lint => "lint",
            RunKind::Types => "types",
        };
        write!(formatter, "{kind}:")?;
        let is_plain = |it: &str| {
            let plain = |it: char| it.is_ascii_alphanumeric() || "*-_./:=+,@%".contains(it);
            !it.is_empty() && it.chars().all(plain)
        };
        for word in &self.words {
            if is_plain(word) {
                write!(formatter, " {word}")?;
            } else {
                write!(formatter, " '{}'", word.replace('\'', "'\\''"))?;
            }
        }
        Ok(())
    }
}

impl Pattern {
    /// Reads a pattern as the user writes it, such as `tests: just ci *`.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let (kind, command) = text.split_once(':').ok_or(PatternError::NoKind)?;
        let kind = match kind.trim() {
            "tests" | "test" => RunKind::Test,
            "build" => RunKind::Build,
            "lint" => RunKind::Lint,
            "types" => RunKind::Types,
            // `make test` has no kind, whatever stands behind a colon later.
            other if other.contains(char::is_whitespace) => return Err(PatternError::NoKind),
            other => return Err(PatternError::Kind(other.to_owned())),
        };
        Self::of(kind, command)
    }

    /// The pattern of a command as people type it.
    pub fn of(kind: RunKind, command: &str) -> Result<Self, PatternError> {
        if command.trim().is_empty() {
            return Err(PatternError::NoCommand);
        }
        let line = parse(command.trim()).ok_or(PatternError::Unclear)?;
        let words = only(&line)?;
        if words.len() > MAX_WORDS {
            return Err(PatternError::Long);
        }
        let words: Vec<_> = words.iter().map(|it| it.text.clone()).collect();
        match words.first().map(String::as_str) {
            None => Err(PatternError::NoCommand),
            Some("*") => Err(PatternError::AnyProgram),
            Some(_) => Ok(Self { kind, words }),
        }
    }

    /// Tells whether a line is one command of this form, whatever wraps it.
    pub fn is(&self, command: &str) -> bool {
        let Some(line) = parse(command) else { return false };
        let fits = |it: &[Word]| (0..it.len()).any(|at| self.fits(&it[at..], First::Program));
        only(&line).is_ok_and(fits)
    }

    /// Tells whether these are the words of a command of the pattern.
    pub(super) fn fits(&self, words: &[Word], first: First) -> bool {
        let is = |place: usize, pattern: &str| {
            let word = words[place].text.as_str();
            pattern == word || (place == 0 && is_same_file(pattern, word, first))
        };
        let (mut here, mut at) = (0, 0);
        let mut star: Option<(usize, usize)> = None;
        while at < words.len() {
            match self.words.get(here) {
                Some(it) if it == "*" => {
                    star = Some((here, at));
                    here += 1;
                }
                Some(it) if is(at, it) => {
                    here += 1;
                    at += 1;
                }
                _ => {
                    let Some((place, from)) = star else { return false };
                    star = Some((place, from + 1));
                    here = place + 1;
                    at = from + 1;
                }
            }
        }
        !self.words.is_empty() && self.words[here..].iter().all(|it| it == "*")
    }
}

/// The words of the one command in a line.
fn only(line: &Line) -> Result<&[Word], PatternError> {
    let [chain] = line.chains.as_slice() else {
        let none = line.chains.is_empty();
        return Err(if none { PatternError::NoCommand } else { PatternError::NotOne });
    };
    let simple = match chain.steps.as_slice() {
        [step] => match step.pipe.as_slice() {
            [Part::Simple(simple)] => simple,
            _ => return Err(PatternError::NotOne),
        },
        _ => return Err(PatternError::NotOne),
    };
    let plain = simple.outputs.is_empty()
        && simple.words.iter().all(|it| it.commands.is_empty())
        && !simple.words.first().is_some_and(Word::is_assignment);
    if plain { Ok(&simple.words) } else { Err(PatternError::NotOne) }
}

/// Tells whether two paths name one file: `./ci` is not the program `ci`, but `bash ci` runs it.
fn is_same_file(pattern: &str, word: &str, first: First) -> bool {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let word = word.strip_prefix("./").unwrap_or(word);
    pattern == word && (word.contains('/') || first == First::File)
}
