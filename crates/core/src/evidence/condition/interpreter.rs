//! What a shell or an interpreter runs: a file, a text, a module, or what it reads.

use crate::evidence::line::Word;
use crate::evidence::unwrap::SHELLS;

/// What an interpreter runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ran<'a> {
    /// The word at this place is a command line.
    Line(usize),
    /// The word at this place names a file.
    File(usize),
    /// A Python module.
    Module(&'a str),
    /// What it reads.
    Input,
    /// A text in another language.
    Nothing,
}

/// A program that runs a file.
struct Interpreter {
    name: &'static str,
    /// Options that take the next word with them.
    valued: &'static [&'static str],
    /// Options that bring a text in the place of a file.
    text: &'static [&'static str],
    /// Options that name the file.
    file: &'static [&'static str],
    /// Words between the program and the file.
    subs: &'static [&'static str],
}

const fn row(
    name: &'static str,
    valued: &'static [&'static str],
    text: &'static [&'static str],
    file: &'static [&'static str],
) -> Interpreter {
    Interpreter { name, valued, text, file, subs: &[] }
}

const NODE: &[&str] = &[
    "-r",
    "--require",
    "--import",
    "--loader",
    "--experimental-loader",
    "--env-file",
    "-C",
    "--conditions",
    "--tsconfig",
    "-P",
    "--project",
    "-O",
    "--preload",
    "-c",
    "--config",
    "--title",
];
const NODE_TEXT: &[&str] = &["-e", "-p", "-pe", "--eval", "--print", "--run"];

#[rustfmt::skip]
const INTERPRETERS: &[Interpreter] = &[
    row("python", &["-W", "-X", "--check-hash-based-pycs"], &["-c"], &[]),
    row("pypy", &["-W", "-X"], &["-c"], &[]),
    row("node", NODE, NODE_TEXT, &[]), row("nodejs", NODE, NODE_TEXT, &[]), row("ts-node", NODE, NODE_TEXT, &[]),
    Interpreter { subs: &["watch"], ..row("tsx", NODE, NODE_TEXT, &[]) },
    row("ruby", &["-I", "-r", "-C", "-E", "-K", "-T", "-W"], &["-e", "-ne", "-pe"], &[]),
    row("perl", &["-I", "-M", "-m"], &["-e", "-E", "-ne", "-pe", "-we", "-lne", "-lpe"], &[]),
    row("php", &["-d", "-c", "-z", "-B", "-R", "-E"], &["-r"], &["-f", "--file", "-F"]),
    row("lua", &["-l"], &["-e"], &[]), row("luajit", &["-l", "-j", "-O"], &["-e"], &[]),
    row("Rscript", &[], &["-e"], &["-f"]), row("julia", &["-J", "-L", "-t", "-p", "-C"], &["-e", "-E"], &[]),
    row("pwsh", &["-ExecutionPolicy", "-WorkingDirectory"], &["-Command", "-c"], &["-File", "-f"]),
    row("awk", &["-F", "-v"], &[], &["-f", "--file"]), row("gawk", &["-F", "-v"], &[], &["-f", "--file"]),
    row("mawk", &["-F", "-v"], &[], &["-f"]),
    row("expect", &[], &["-c"], &["-f"]), row("tclsh", &[], &[], &[]), row("groovy", &["-cp"], &["-e"], &[]),
    row("elixir", &["-r", "-pa"], &["-e"], &[]), row("escript", &[], &[], &[]), row("guile", &["-L"], &["-c"], &["-s"]),
    row("racket", &[], &["-e"], &["-f"]), row("osascript", &["-l"], &["-e"], &[]),
    Interpreter { subs: &["run"], ..row("bun", NODE, NODE_TEXT, &[]) },
    Interpreter { subs: &["run"], ..row("deno", &["-c", "--config", "--import-map"], &["eval"], &[]) },
    row("bats", &["-f", "-j", "-F", "-o"], &[], &[]),
];

/// Programs that run files only behind a word of theirs, or whose files end so.
const WITH_ENDING: &[&str] = &["bun", "deno"];

fn interpreter(name: &str) -> Option<&'static Interpreter> {
    INTERPRETERS.iter().find(|it| it.name == name)
}

pub(super) fn is_interpreter(name: &str) -> bool {
    interpreter(name).is_some()
}

/// What a call of the program `name` runs; `None` where it is no shell and no interpreter. `words`
/// begin with it.
pub(super) fn ran_by<'a>(name: &str, words: &'a [Word]) -> Option<Ran<'a>> {
    match name {
        "." | "source" => Some(operand(words, 1).map_or(Ran::Nothing, Ran::File)),
        "eval" => Some(if words.len() > 1 { Ran::Line(1) } else { Ran::Nothing }),
        _ if SHELLS.contains(&name) => Some(by_shell(words)),
        _ => interpreter(name).and_then(|it| by_interpreter(it, words)),
    }
}

/// The files that options of a call name beside the one that is run.
pub(super) fn extra_files<'a>(name: &str, words: &'a [Word]) -> impl Iterator<Item = &'a str> {
    let flags: &[&str] = match name {
        "node" | "nodejs" | "tsx" | "ts-node" => &["-r", "--require", "--import", "--loader"],
        "bun" => &["-r", "--preload"],
        _ => &[],
    };
    let pairs = words.windows(2).filter(|it| flags.contains(&it[0].text.as_str()));
    pairs.map(|it| it[1].text.as_str()).filter(|it| it.starts_with(['.', '/']))
}

fn operand(words: &[Word], from: usize) -> Option<usize> {
    let is_operand = |it: &Word| !it.text.starts_with('-') || it.text.len() == 1;
    (from..words.len()).find(|at| is_operand(&words[*at]))
}

fn by_shell(words: &[Word]) -> Ran<'_> {
    let (mut is_line, mut is_input) = (false, false);
    let mut at = 1;
    while let Some(word) = words.get(at).filter(|it| it.text.starts_with(['-', '+'])) {
        let text = word.text.as_str();
        at += 1;
        match text {
            "--" | "-" => break,
            "--rcfile" | "--init-file" | "--init-command" => at += 1,
            "--command" => is_line = true,
            _ if text.starts_with("--") => {}
            _ => {
                is_line |= text.starts_with('-') && text.contains('c');
                is_input |= text.starts_with('-') && text.contains('s');
                at += usize::from(text.ends_with(['o', 'O']));
            }
        }
    }
    match words.get(at) {
        Some(_) if is_line => Ran::Line(at),
        Some(_) if !is_input => Ran::File(at),
        _ => Ran::Input,
    }
}

fn by_interpreter<'a>(row: &Interpreter, words: &'a [Word]) -> Option<Ran<'a>> {
    let is_python = matches!(row.name, "python" | "pypy");
    let mut at = 1;
    let mut has_sub = false;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if text == "-" {
            return Some(Ran::Input);
        }
        if row.text.contains(&text) {
            return Some(Ran::Nothing);
        }
        if row.subs.contains(&text) && !has_sub {
            has_sub = true;
            at += 1;
            continue;
        }
        if !text.starts_with('-') {
            break;
        }
        at += 1;
        if text == "--" {
            break;
        }
        if row.file.contains(&text) {
            return Some(words.get(at).map_or(Ran::Nothing, |_| Ran::File(at)));
        }
        if is_python && !text.starts_with("--") {
            // The letters of a word stand for options, and one with a value takes the rest.
            let Some(letter) = text.find(['c', 'm', 'W', 'X']) else { continue };
            let rest = &text[letter + 1..];
            let value =
                if rest.is_empty() { words.get(at).map(|it| it.text.as_str()) } else { Some(rest) };
            match text.as_bytes()[letter] {
                b'c' => return Some(Ran::Nothing),
                b'm' => return Some(value.map_or(Ran::Nothing, Ran::Module)),
                _ => at += usize::from(rest.is_empty()),
            }
            continue;
        }
        at += usize::from(row.valued.contains(&text));
    }
    let Some(word) = words.get(at) else { return Some(Ran::Input) };
    // The first word is the program itself where none is in a file.
    if row.name.ends_with("awk") {
        return Some(Ran::Nothing);
    }
    // `bun test` and `deno task` run no file.
    if WITH_ENDING.contains(&row.name) && !word.text.contains(['.', '/']) {
        return None;
    }
    Some(Ran::File(at))
}
