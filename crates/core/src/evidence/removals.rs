//! The files and directories that a command removes or moves away, as far as its words name them.

use super::inline_script::script_in;
use super::line::{Simple, Word};
use super::unwrap::{program, skip_options, valued};

/// Paths of one command that are kept.
const MAX_PATHS: usize = 16;
/// Words before a program that runs a script.
const MAX_BEFORE: usize = 6;
/// Bytes between a call in a script and the path that it takes.
const MAX_GAP: usize = 24;

/// Calls of scripts that remove or move the path that comes next.
#[rustfmt::skip]
const REMOVING: &[&str] = &[
    "rmtree(", "os.remove(", "os.unlink(", "os.removedirs(", "os.rename(", "os.renames(", "os.replace(", "shutil.move(",
    "rmSync(", "rmdirSync(", "unlinkSync(", "renameSync(", "removeSync(", "fs.rm(", "fs.rename(", "Deno.remove",
    "rm_rf", "rm_r(", "rm_r ", "remove_dir", "FileUtils.mv", "File.delete", "File.rename",
];

/// The paths that a command removes or moves away. `words` begin with its program. A pattern stands
/// as it is typed; what `find` deletes stands as a pattern, whatever the depth.
pub(super) fn removed_paths(simple: &Simple, words: &[Word]) -> Vec<String> {
    let Some(first) = words.first() else { return Vec::new() };
    let mut paths = match program(&first.text) {
        "rm" | "unlink" | "shred" | "rimraf" | "trash" | "trash-put" => owned(operands(words)),
        "mv" => moved(words),
        "git" => removed_by_git(words),
        "find" => removed_by_find(words),
        _ => removed_by_script(simple),
    };
    paths.retain(|it| !it.is_empty() && !it.contains(['$', '`', '\n']));
    paths.truncate(MAX_PATHS);
    paths
}

fn operands(words: &[Word]) -> impl Iterator<Item = &str> {
    words[1..].iter().map(|it| it.text.as_str()).filter(|it| !it.starts_with('-'))
}

fn owned<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<String> {
    paths.map(str::to_owned).collect()
}

fn moved(words: &[Word]) -> Vec<String> {
    let has_target = words.iter().any(|it| it.text.starts_with("--target-directory="));
    let target = words.windows(2).find(|it| it[0].text == "-t").map(|it| it[1].text.as_str());
    let mut paths = owned(operands(words).filter(|it| Some(*it) != target));
    if !has_target && target.is_none() {
        paths.pop();
    }
    paths
}

fn removed_by_git(words: &[Word]) -> Vec<String> {
    let at = skip_options(words, 1, valued("git"));
    let rest = words.get(at..).unwrap_or_default();
    match rest.first().map_or("", |it| it.text.as_str()) {
        "rm" if !rest.iter().any(|it| matches!(&*it.text, "--cached" | "-n" | "--dry-run")) => {
            owned(operands(rest))
        }
        "mv" => moved(rest),
        _ => Vec::new(),
    }
}

/// What `find` deletes: each place where it looks, with each name that it looks for.
fn removed_by_find(words: &[Word]) -> Vec<String> {
    let runs = words.windows(2).find(|it| it[0].text.starts_with("-exec"));
    let is_removing = words.iter().any(|it| it.text == "-delete")
        || runs.is_some_and(|it| matches!(program(&it[1].text), "rm" | "unlink" | "shred"));
    if !is_removing {
        return Vec::new();
    }
    let is_place = |it: &&Word| !it.text.starts_with(['-', '(', '!', '\\']);
    let mut places = owned(words[1..].iter().take_while(is_place).map(|it| it.text.as_str()));
    if places.is_empty() {
        places.push(".".to_owned());
    }
    let is_name = |it: &str| matches!(it, "-name" | "-iname" | "-path" | "-wholename");
    let mut names: Vec<&str> = Vec::new();
    for (at, pair) in words.windows(2).enumerate().filter(|it| is_name(&it.1[0].text)) {
        let before = at.checked_sub(1).map_or("", |it| words[it].text.as_str());
        if !matches!(before, "!" | "\\!" | "-not") {
            names.push(&pair[1].text);
        }
    }
    if names.is_empty() {
        names.push("*");
    }
    let ending = |it: &str| it.rfind('*').map_or(it.to_owned(), |at| it[at + 1..].to_owned());
    let below = |place: &String| {
        let place = place.trim_end_matches('/').to_owned();
        names.iter().map(move |it| format!("{place}/*{}", ending(it))).collect::<Vec<_>>()
    };
    places.iter().flat_map(below).collect()
}

/// What a script in the line removes by name.
fn removed_by_script(simple: &Simple) -> Vec<String> {
    let mut places = (0..simple.words.len()).take(MAX_BEFORE);
    let Some(script) = places.find_map(|it| script_in(simple, &simple.words[it..])) else {
        return Vec::new();
    };
    let calls = REMOVING.iter().flat_map(|call| script.match_indices(call));
    let path = |(at, call): (usize, &str)| {
        let rest = &script[at + call.len()..];
        let start = rest.find(['\'', '"']).filter(|it| *it <= MAX_GAP)?;
        let quote = char::from(*rest.as_bytes().get(start)?);
        let inner = &rest[start + 1..];
        Some(inner[..inner.find([quote, '\n'])?].to_owned())
    };
    calls.filter_map(path).collect()
}

#[cfg(test)]
mod tests {
    use crate::evidence::CommandLine;

    fn removed(line: &str) -> Vec<String> {
        let changes = CommandLine::of(line, &[]).file_changes(false);
        changes.into_iter().filter(|it| it.is_removed).map(|it| it.file).collect()
    }

    #[test]
    fn every_spelling_names_what_goes() {
        for (line, expected) in [
            ("rm -rf src/", &["src/"][..]),
            ("sudo rm -r src lib", &["src", "lib"]),
            ("rm -f src/*", &["src/*"]),
            ("git rm -rq src", &["src"]),
            ("git -C sub rm -r -- src", &["src"]),
            ("mv src lib", &["src"]),
            ("git mv src lib", &["src"]),
            ("mv -t lib a b", &["a", "b"]),
            ("mv src/* lib/", &["src/*"]),
            ("npx rimraf src", &["src"]),
            ("find src -name '*.py' -delete", &["src/*.py"]),
            ("find src lib -type f -exec rm {} +", &["src/*", "lib/*"]),
            ("find . -not -name '*.py' -delete", &["./*"]),
            ("python3 -c \"import shutil;shutil.rmtree('src')\"", &["src"]),
            ("python3 - <<'EOF'\nimport os\nos.rename('src', 'lib')\nEOF", &["src"]),
            ("node -e \"require('fs').rmSync('src', {recursive: true})\"", &["src"]),
            ("ruby -e 'FileUtils.rm_rf(\"src\")'", &["src"]),
        ] {
            assert_eq!(removed(line), expected, "{line}");
        }
        for line in [
            "git rm --cached src",
            "find src -name '*.py'",
            "cp -r src lib",
            "ls src",
            "python3 -c \"print(open('src').read())\"",
            "rm -rf $DIRECTORY",
        ] {
            assert_eq!(removed(line), [""; 0], "{line}");
        }
    }
}
