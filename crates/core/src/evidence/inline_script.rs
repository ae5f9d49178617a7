//! The files that a script writes which stands in the command line itself: `python - <<'EOF'`,
//! `node -e '…'`.

use super::line::{Input, Simple, Word};
use super::unwrap::program;
use crate::path;

/// Programs that run a script, and the options behind which it stands.
const INTERPRETERS: &[(&str, &[&str])] = &[
    ("python", &["-c"]),
    ("pypy", &["-c"]),
    ("node", &["-e", "--eval", "-p", "--print"]),
    ("bun", &["-e", "--eval"]),
    ("deno", &["eval"]),
    ("tsx", &["-e", "--eval"]),
    ("ruby", &["-e"]),
    ("perl", &["-e", "-E"]),
    ("php", &["-r"]),
];

/// What stands in a script that writes files.
#[rustfmt::skip]
const WRITING: &[&str] = &[
    "'w", "\"w", "'a'", "\"a\"", "'a+", "\"a+", "'r+", "\"r+", "'x'", "\"x\"", "'>", "\">", "write_text", "write_bytes", ".write(",
    "writelines", "writeFile", "appendFile", "createWriteStream", "File.write", "IO.write", "file_put_contents", "os.rename",
    "os.replace", "os.remove", "os.unlink", ".unlink(", "renameSync", "unlinkSync", "copyFile", "shutil.", "FileUtils.",
    "Deno.write", "Bun.write", "fileinput", "inplace",
];

/// Files of one script that are named.
const MAX_FILES: usize = 16;

/// The files of source that a script names in quotes, where it writes files. Which of them it writes
/// only a run of it tells: in doubt it is each of them.
pub(super) fn written_files<'a>(simple: &'a Simple, words: &'a [Word]) -> Vec<&'a str> {
    let Some(script) = script_in(simple, words) else { return Vec::new() };
    if !WRITING.iter().any(|it| script.contains(it)) {
        return Vec::new();
    }
    let mut files: Vec<&str> = Vec::new();
    for name in quoted(script).filter(|it| is_name(it)) {
        if files.len() < MAX_FILES && !files.contains(&name) {
            files.push(name);
        }
    }
    files
}

/// The script that a command runs, where it stands in the line. `words` begin with the program.
pub(super) fn script_in<'a>(simple: &'a Simple, words: &'a [Word]) -> Option<&'a str> {
    let name = program(&words.first()?.text);
    let name = name.trim_end_matches(|it: char| it.is_ascii_digit() || it == '.');
    let (_, options) = INTERPRETERS.iter().find(|it| it.0 == name)?;
    let is_option = |it: &Word| options.contains(&it.text.as_str());
    if let Some(pair) = words.windows(2).find(|it| is_option(&it[0])) {
        return Some(&pair[1].text);
    }
    // A script in a file reads the document as what is typed.
    let is_file = words[1..].iter().any(|it| !it.text.starts_with('-'));
    match &simple.input {
        Some(Input::Text(text)) if !is_file => Some(text),
        _ => None,
    }
}

fn is_name(text: &str) -> bool {
    let is_plain = !text.contains([' ', '\n', '*', '?', '{', '$', '\\', '<', '(']);
    // `.py` alone is an ending.
    let is_ending = text.starts_with('.') && !text.contains('/');
    is_plain && !is_ending && path::is_source(text)
}

/// What stands between two quotes of one kind.
fn quoted(script: &str) -> impl Iterator<Item = &str> {
    let mut rest = script;
    std::iter::from_fn(move || {
        let start = rest.find(['\'', '"', '`'])?;
        let quote = &rest[start..=start];
        let inner = &rest[start + 1..];
        let end = inner.find([quote.chars().next()?, '\n']).unwrap_or(inner.len());
        rest = inner.get(end + 1..).unwrap_or_default();
        Some(&inner[..end])
    })
}
