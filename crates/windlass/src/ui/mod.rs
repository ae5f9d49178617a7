//! The only printer for people. The hook path never comes here.

mod colour;
mod table;
mod text;
mod time;

use std::error::Error;
use std::io::{
    self, BufRead, BufWriter, IsTerminal, Read, StdoutLock, Write, stderr, stdin, stdout,
};
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::error::ErrorKind;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rustix::termios::tcgetwinsize;
use serde::Serialize;

use crate::os;
use crate::visible::{self, is_hidden};

pub(crate) use colour::Colour;
pub(crate) use table::{Column, Table};
pub(crate) use text::{amount, bytes, coloured_line, line, micros, paragraph, path, tail, wrap};
pub(crate) use time::ago;

/// More than anybody types as an answer.
const MAX_ANSWER: u64 = 1024;

/// Says what was done or found.
pub(crate) fn say(text: &str) {
    note(writeln!(stdout(), "{text}"));
}

/// Shows a text that has its own line breaks.
pub(crate) fn show(text: &str) {
    note(write!(stdout(), "{text}"));
}

/// The first thing that kept us from writing to stdout.
static UNWRITTEN: OnceLock<io::Error> = OnceLock::new();

fn note(written: io::Result<()>) {
    // A reader that went away wants nothing more.
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        UNWRITTEN.get_or_init(|| error);
    }
}

/// Why something that was said or shown did not get out, if that is so. Asked at the end, so that
/// nobody who says something need think of it.
pub(crate) fn unwritten() -> Option<&'static io::Error> {
    note(stdout().flush());
    UNWRITTEN.get()
}

/// Prints one value as a line of JSON, which people look at in a terminal too: the standard leaves
/// characters in texts as they are that steer it, or turn words around.
pub(crate) fn json(value: &impl Serialize) {
    let Ok(text) = serde_json::to_string(value) else { return };
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                plain.extend(format!("\\u{unit:04x}").chars());
            }
        } else {
            plain.push(character);
        }
    }
    say(&plain);
}

/// How many characters fit into a line. Longer lines than people like to read are not made, and
/// where stdout is no terminal, lines are as long as they always were.
pub(crate) fn width() -> usize {
    const USUAL: usize = 80;
    const LONGEST: usize = 100;
    if !stdout().is_terminal() {
        return USUAL;
    }
    let columns = tcgetwinsize(stdout()).map_or(0, |it| usize::from(it.ws_col));
    if columns == 0 { USUAL } else { columns.min(LONGEST) }
}

/// Whether a person reads what we say and can answer.
pub(crate) fn has_terminal() -> bool {
    stdin().is_terminal() && stdout().is_terminal()
}

/// Asks the person at the terminal for a line.
pub(crate) fn ask(question: &str) -> io::Result<String> {
    show(question);
    stdout().flush()?;
    let mut line = String::new();
    stdin().lock().take(MAX_ANSWER).read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

/// Says what the user should look at although the command went on.
pub(crate) fn warn(text: &str) {
    #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
    let _ = writeln!(stderr(), "warning: {text}");
}

/// The words with which an error names what was to be done. Others begin a sentence about what is
/// wrong.
#[rustfmt::skip]
const TASKS: &[&str] = &[
    "act", "append", "approve", "ask", "begin", "change", "choose", "commit", "compact", "confirm", "copy", "count",
    "deprecate", "edit", "erase", "export", "find", "fit", "forget", "give", "have", "import", "keep", "let", "link",
    "look", "make", "merge", "open", "play", "promote", "put", "queue", "read", "recall", "recognise", "refine",
    "register", "reject", "remember", "remove", "restore", "retire", "run", "save", "say", "settle", "show", "start",
    "supersede", "take", "tidy", "understand", "wait", "write",
];

/// Says why a command gave up: what it was doing, the causes, and what can be done.
pub(crate) fn fail(error: &dyn Error, hint: &str) {
    let causes = std::iter::successors(error.source(), |&it| it.source());
    // They name paths, and a path can hold anything.
    let plain = |it: &dyn Error| {
        let lines: Vec<_> =
            it.to_string().lines().map(|it| visible::line(it, usize::MAX)).collect();
        lines.join("\n")
    };
    let causes: Vec<_> = causes.map(|it| format!("  because: {}\n", plain(it))).collect();
    let what = plain(error);
    let first = what.split_whitespace().next().unwrap_or_default();
    let could = if TASKS.contains(&first) { "could not " } else { "" };
    let text = format!("error: {could}{what}\n{}hint: {hint}\n", causes.concat());
    #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
    let _ = write!(stderr(), "{text}");
}

/// A table of words: every column but the last as wide as its widest cell.
pub(crate) fn table<const N: usize>(rows: &[[String; N]]) {
    let width = |column: usize| rows.iter().map(|it| it[column].chars().count()).max();
    let widths: [usize; N] = std::array::from_fn(|it| width(it).unwrap_or_default());
    for row in rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        say(cells.collect::<Vec<_>>().join("  ").trim_end());
    }
}

/// Shows the help that was asked for, or what is wrong with the arguments.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    // The help of a command that is incomplete says all there is to say.
    let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    let text = if !error.use_stderr() || is_help { text } else { complaint(&text) };
    if error.use_stderr() {
        #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
        let _ = write!(stderr(), "{text}");
    } else {
        show(&text);
    }
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// What the parser says, in the form of our own errors: what is wrong, how it is used, a hint.
fn complaint(text: &str) -> String {
    let mut complaint = String::new();
    let mut hints = Vec::new();
    let mut usage = None;
    for paragraph in text.split("\n\n").map(str::trim_end) {
        if let Some(tips) = paragraph.strip_prefix("  tip: ") {
            hints.extend(tips.split("\n  tip: "));
        } else if let Some(line) = paragraph.strip_prefix("Usage: ") {
            usage = Some(line);
        } else if !paragraph.starts_with("For more information") {
            complaint.push_str(paragraph);
            complaint.push('\n');
        }
    }
    if let Some(usage) = usage {
        complaint += &["usage: ", usage, "\n"].concat();
    }
    if hints.is_empty() {
        hints.push("`--help` shows what it takes");
    }
    for hint in hints {
        complaint += &["hint: ", hint, "\n"].concat();
    }
    complaint
}

/// Many lines on stdout, and a bar on stderr while they are made.
#[derive(Debug)]
pub(crate) struct Screen {
    out: BufWriter<StdoutLock<'static>>,
    bar: ProgressBar,
    /// The lines and the bar share a terminal.
    is_shared: bool,
}

impl Screen {
    /// Lines only.
    pub(crate) fn plain() -> Self {
        let out = BufWriter::new(stdout().lock());
        Self { out, bar: ProgressBar::hidden(), is_shared: false }
    }

    /// Lines and a bar for so many bytes, where stderr is a terminal.
    pub(crate) fn with_bar(bytes: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::stderr());
        // It has one line: a second one would be left behind where the terminal is made narrower.
        let columns = tcgetwinsize(stderr()).map_or(0, |it| it.ws_col);
        let template = match columns {
            66.. | 0 => "{bar:30} {bytes} of {total_bytes}, {eta} left",
            20.. => "{wide_bar} {percent:>3} %, {eta} left",
            _ => "{percent:>3} %",
        };
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        if !bar.is_hidden() {
            os::hold_line();
        }
        let is_shared = !bar.is_hidden() && stdout().is_terminal();
        Self { bar, is_shared, ..Self::plain() }
    }

    /// Shows a line. An error of kind `BrokenPipe` says that the reader has seen enough.
    pub(crate) fn line(&mut self, text: &str) -> io::Result<()> {
        let Self { out, bar, is_shared } = self;
        if !*is_shared {
            return writeln!(out, "{text}");
        }
        bar.suspend(|| {
            writeln!(out, "{text}")?;
            out.flush()
        })
    }

    /// Moves the bar.
    pub(crate) fn move_to(&self, bytes: u64) {
        self.bar.set_position(bytes);
    }

    /// Takes the bar away; what follows are the last lines.
    pub(crate) fn end_bar(&self) {
        let is_shown = !self.bar.is_hidden();
        self.bar.finish_and_clear();
        if is_shown {
            os::leave_line();
        }
    }

    /// Makes sure that every line is shown.
    pub(crate) fn end(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::TASKS;

    /// Words with which an error begins a sentence about what is wrong.
    const SUBJECTS: &[&str] = &[
        "a", "another", "everyone", "git", "it", "its", "line", "no", "nothing", "object", "only",
        "payload", "stdin", "the", "there", "this", "what", "you",
    ];

    /// Each error either names what could not be done, or says what is wrong.
    #[test]
    fn every_error_begins_with_a_task_or_a_subject() {
        let mut found = 0;
        let mut directories = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        while let Some(directory) = directories.pop() {
            for entry in fs::read_dir(directory).unwrap().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    directories.push(path);
                    continue;
                }
                let text = fs::read_to_string(&path).unwrap();
                let mark = format!("#[{}(", "error");
                for part in text.split(&mark).skip(1) {
                    let said = part.trim_start().strip_prefix('"').unwrap_or_default();
                    let end = said.find(|it: char| !it.is_ascii_lowercase()).unwrap_or(0);
                    let word = &said[..end];
                    found += 1;
                    let is_known =
                        word.is_empty() || TASKS.contains(&word) || SUBJECTS.contains(&word);
                    assert!(is_known, "{word} in {}: add it to TASKS or here", path.display());
                }
            }
        }
        assert!(found > 100, "{found}");
    }
}
