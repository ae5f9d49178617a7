//! What code does that nobody wants to keep: it is not finished, or it shows its insides.

use super::line::{Line, Part};
use super::scan::Class;
use super::syntax::Family;
use super::{Leftover, contract, suspect};

/// A statement that is left behind in the languages of a family.
struct Row {
    family: Family,
    word: &'static str,
    shape: Shape,
    kind: Leftover,
}

/// What must stand around a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A bracket behind it.
    Call,
    /// A bracket behind it, and no owner or keyword before it.
    Function,
    /// Nothing else in the statement.
    Alone,
    /// As a call, and not where printing is the work of the file.
    Print,
    /// As it stands.
    Word,
}

const ROWS: &[Row] = &[
    unfinished(Family::Rust, "todo!", Shape::Call),
    unfinished(Family::Rust, "unimplemented!", Shape::Call),
    unfinished(Family::Kotlin, "TODO", Shape::Function),
    unfinished(Family::Scala, "???", Shape::Word),
    debug(Family::Rust, "dbg!", Shape::Call),
    debug(Family::JavaScript, "console.log", Shape::Print),
    debug(Family::JavaScript, "console.debug", Shape::Print),
    debug(Family::JavaScript, "debugger", Shape::Alone),
    debug(Family::Python, "breakpoint", Shape::Function),
    debug(Family::Python, "set_trace", Shape::Call),
    debug(Family::Ruby, "binding.pry", Shape::Word),
    debug(Family::Ruby, "binding.irb", Shape::Word),
    debug(Family::Ruby, "byebug", Shape::Alone),
    debug(Family::Ruby, "debugger", Shape::Alone),
    debug(Family::Php, "var_dump", Shape::Function),
    debug(Family::Php, "dump", Shape::Function),
    debug(Family::Php, "dd", Shape::Function),
    debug(Family::Elixir, "IO.inspect", Shape::Print),
    debug(Family::Elixir, "IEx.pry", Shape::Word),
    debug(Family::Elixir, "dbg", Shape::Function),
    debug(Family::Dart, "debugger", Shape::Function),
    debug(Family::CSharp, "Debugger.Break", Shape::Call),
    debug(Family::CSharp, "Debugger.Launch", Shape::Call),
];

/// Words that end a function with a complaint.
const COMPLAINTS: &[&str] = &[
    "throw",
    "raise",
    "panic",
    "panic!",
    "fatalError",
    "preconditionFailure",
    "bail!",
    "anyhow!",
    "Err",
    "die",
    "croak",
    "confess",
    "failwith",
    "failwithf",
    "error",
    "reject",
    "stop",
];
/// What such a complaint says, alone or at its end.
const EXCUSES: &[&str] = &["not implemented", "not yet implemented", "not implemented yet"];
/// What it says and nothing else.
const LONE_EXCUSES: &[&str] = &["implement me", "unimplemented", "todo", "todo implement me"];
/// Types of complaints that need no words.
const EXCEPTIONS: &[&str] =
    &["NotImplementedError", "NotImplementedException", "UnimplementedError"];
/// Functions that print.
const PRINTS: &[&str] = &[
    "print",
    "println",
    "printf",
    "puts",
    "pp",
    "echo",
    "Print",
    "Println",
    "Printf",
    "WriteLine",
    "NSLog",
    "fprintf",
    "cout",
    "cerr",
    "prn",
    "debugPrint",
    "print_r",
    "var_export",
    "putStrLn",
];
/// Messages that a program prints because its user waits for them.
const ANNOUNCEMENTS: &[&str] =
    &["listening", "running on", "running at", "http://", "started", "on port"];
/// Keywords that make the next word a name of somebody's own.
const DECLARATIONS: &[&str] = &["def", "function", "fn", "fun", "func", "defp", "sub", "class"];

const fn unfinished(family: Family, word: &'static str, shape: Shape) -> Row {
    Row { family, word, shape, kind: Leftover::Unfinished }
}

const fn debug(family: Family, word: &'static str, shape: Shape) -> Row {
    Row { family, word, shape, kind: Leftover::Debug }
}

/// What the code of a line is, if nobody wants to keep it.
pub(super) fn judge(line: &Line<'_>) -> Option<(Leftover, &'static str)> {
    let mut complains = false;
    for (index, part) in line.parts.iter().enumerate() {
        let found = match part.class {
            Class::Code => {
                complains |= is_complaint(part);
                statement(line, part).or_else(|| exception(line, part))
            }
            // The answer of a server that knows what it cannot do.
            Class::Text if complains && !line.whole.contains("501") => excuse(part.text),
            Class::Text => index.checked_sub(1).and_then(|it| marked(line, &line.parts[it], part)),
            Class::Comment => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn statement(line: &Line<'_>, part: &Part<'_>) -> Option<(Leftover, &'static str)> {
    let rows = ROWS.iter().filter(|row| row.family == part.family);
    let mut rows = rows.filter(|row| {
        let mut places = words(part.text, row.word);
        places.any(|(before, after)| stands(row, before, after))
            && (row.shape != Shape::Print || !is_meant(line))
    });
    rows.next().map(|row| (row.kind, row.word))
}

/// Whether a word has the shape of its row.
fn stands(row: &Row, before: &str, after: &str) -> bool {
    // `dd` is short: it counts with a value right behind it.
    let values = row.word != "dd" || after.starts_with("($");
    let after = after.trim_start();
    let before = before.trim_end();
    let called = after.starts_with('(');
    let last = before.rsplit(|it: char| !is_word(it)).next().unwrap_or_default();
    let declares = DECLARATIONS.contains(&last);
    match row.shape {
        Shape::Word => true,
        Shape::Print => called,
        Shape::Call => {
            let macro_called = row.word.ends_with('!') && after.starts_with(['[', '{']);
            (called || macro_called) && !declares && !before.ends_with("self.")
        }
        Shape::Function => {
            let owned = ["->", "::", ".", "$", "@"].iter().any(|it| before.ends_with(it));
            called && !owned && values && !declares
        }
        Shape::Alone => {
            let begins = before.is_empty() || before.ends_with([';', '{', '}', ')', ':']);
            let modified = after.starts_with("if ") || after.starts_with("unless ");
            begins && (after.is_empty() || after.starts_with([';', '}']) || modified)
        }
    }
}

/// Whether a line prints because it should.
fn is_meant(line: &Line<'_>) -> bool {
    let lower = line.whole.to_ascii_lowercase();
    let code = line.parts.iter().filter(|it| it.class == Class::Code);
    line.prints
        || ANNOUNCEMENTS.iter().any(|it| lower.contains(it))
        || lower.contains("no-console")
        || is_guarded(&code.map(|it| it.text).collect::<String>())
        || line.above(1).any(|it| it.contains("no-console") || is_guarded(it))
}

/// Whether the user switches on what a line does.
fn is_guarded(code: &str) -> bool {
    let lower = code.to_ascii_lowercase().replace("console.debug", "");
    let switch = lower.contains("debug") || lower.contains("verbose");
    switch && words(&lower, "if").next().is_some()
}

fn is_complaint(part: &Part<'_>) -> bool {
    let complains = COMPLAINTS.iter().any(|word| {
        // Something that is written to a log ends nothing.
        words(part.text, word).any(|(before, _)| !before.ends_with('.') || *word == "reject")
    });
    let returns = words(part.text, "return").next().is_some();
    part.family != Family::Data && (complains || returns && part.text.contains("rror"))
}

/// `throw new NotImplementedException`, unless others are meant to write the body.
fn exception(line: &Line<'_>, part: &Part<'_>) -> Option<(Leftover, &'static str)> {
    let word = EXCEPTIONS.iter().find(|word| {
        words(part.text, word).any(|(before, _)| {
            ["throw", "raise"].iter().any(|it| words(before, it).next().is_some())
        })
    })?;
    (!contract::is_contract(line)).then_some((Leftover::Unfinished, word))
}

fn excuse(text: &str) -> Option<(Leftover, &'static str)> {
    let lower = text.to_ascii_lowercase();
    // What stands before the text, such as `f`, is part of the code.
    let said = lower.trim_matches(|it: char| !it.is_alphanumeric());
    let says = EXCUSES.iter().any(|it| said.ends_with(it) || said.starts_with(&format!("{it}:")));
    // The same word in small letters is what half of all examples are about.
    let begin = text.trim_start_matches(|it: char| !it.is_alphanumeric());
    let lone = LONE_EXCUSES.contains(&said) || begin.starts_with("TODO:");
    (says || lone).then_some((Leftover::Unfinished, "not implemented"))
}

/// A text that is printed and marked as nothing to keep.
fn marked(line: &Line<'_>, code: &Part<'_>, text: &Part<'_>) -> Option<(Leftover, &'static str)> {
    let said = text.text.trim_start_matches(|it: char| !it.is_alphanumeric());
    let is_marked = |word: &&str| {
        let rest = said.strip_prefix(word);
        rest.is_some_and(|it| !it.starts_with(is_word) && suspect::may_follow_short(it))
    };
    let word = ["DEBUG", "XXX"].into_iter().find(is_marked).or_else(|| lone_mark(text.text))?;
    // `println!` is how a Rust program talks, and a script has little else.
    let silent = matches!(code.family, Family::Rust | Family::Shell | Family::Data);
    let prints = PRINTS.iter().any(|it| words(code.text, it).next().is_some());
    (code.class == Class::Code && !silent && prints && !is_meant(line))
        .then_some((Leftover::Debug, word))
}

/// The mark of a text that only shows that its line was reached: `debug`, `debug: x`, `[debug] x`.
fn lone_mark(text: &str) -> Option<&'static str> {
    let begin = text.trim_start_matches(|it: char| !it.is_alphanumeric());
    let rest = begin.strip_prefix("debug").or_else(|| begin.strip_prefix("Debug"))?;
    let is_end = rest.chars().all(|it| matches!(it, '"' | '\'' | ' '));
    let is_quoted = rest.is_empty() || rest.starts_with(['"', '\'']);
    (is_end && is_quoted || rest.starts_with([':', ']', '='])).then_some("debug")
}

/// The places of a whole word in a text: what stands before it and behind it.
fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    text.match_indices(word).filter_map(move |(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        let whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        whole.then_some((before, after))
    })
}

fn is_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}
