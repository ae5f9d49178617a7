//! Whether a command changes files where they lie, and prints nothing of them.

use super::line::Word;
use super::unwrap::{program, skip_options, valued};

/// What a command changes in place.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct InPlaceEdit<'a> {
    /// The files, as the command names them.
    pub(super) files: Vec<&'a str>,
    /// Whether others decide which files these are: a patch, a script.
    pub(super) has_unnamed: bool,
}

/// What a command changes in place; `None` where it changes nothing so. `words` begin with the
/// program.
pub(super) fn in_place_edit(words: &[Word]) -> Option<InPlaceEdit<'_>> {
    let name = program(&words.first()?.text);
    let rest = &words[1..];
    let has = |flags: &[&str]| rest.iter().any(|it| flags.contains(&it.text.as_str()));
    match name {
        "sed" | "gsed" => {
            let is = |it: &str| has_letter(it, b'i', "nrEszu") || it.starts_with("--in-place");
            let scripts = ["-e", "-f", "--expression", "--file"];
            rest.iter().any(|it| is(&it.text)).then(|| edit(rest, &scripts, Script::First))
        }
        "perl" | "ruby" => {
            let is = |it: &str| has_letter(it, b'i', "pnlaw0123456789");
            let options = rest.iter().take_while(|it| it.text.starts_with('-'));
            options
                .into_iter()
                .any(|it| is(&it.text))
                .then(|| edit(rest, &["-e", "-E"], Script::First))
        }
        "awk" | "gawk" => {
            let is_pair = rest.windows(2).any(|it| {
                matches!(it[0].text.as_str(), "-i" | "--include") && it[1].text == "inplace"
            });
            let is = is_pair || has(&["-iinplace", "--include=inplace"]);
            is.then(|| edit(rest, &["-i", "--include", "-f", "-v"], Script::First))
        }
        "yq" => has(&["-i", "--inplace"]).then(|| edit(rest, &[], Script::First)),
        "sd" => {
            let found = edit(rest, &["-f", "-n"], Script::Two);
            (!found.files.is_empty()).then_some(found)
        }
        "ed" | "ex" | "sponge" | "dos2unix" | "unix2dos" => {
            Some(edit(rest, &["-c", "-p"], Script::None))
        }
        "patch" if !has(&["--dry-run"]) => {
            let found = edit(rest, &["-p", "-i", "-d", "--input", "--directory"], Script::None);
            // A patch names the files, unless one is named.
            let has_unnamed = found.files.is_empty();
            Some(InPlaceEdit { has_unnamed, ..found })
        }
        "git" => {
            let at = skip_options(words, 1, valued("git"));
            let is_apply =
                words.get(at).is_some_and(|it| matches!(it.text.as_str(), "apply" | "am"));
            let looks = ["--check", "--stat", "--numstat", "--summary", "--abort", "--cached"];
            (is_apply && !has(&looks)).then(|| InPlaceEdit { files: Vec::new(), has_unnamed: true })
        }
        _ => None,
    }
}

/// How many operands are the script that changes the files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    None,
    /// The first one, unless an option gives it.
    First,
    Two,
}

/// The files behind options, some of which take the next word with them.
fn edit<'a>(rest: &'a [Word], valued: &[&str], script: Script) -> InPlaceEdit<'a> {
    let (mut files, mut takes, mut is_given) = (Vec::new(), false, false);
    for word in rest.iter().map(|it| it.text.as_str()) {
        if takes {
            takes = false;
        } else if word.starts_with('-') && word.len() > 1 {
            let ends =
                |it: &&str| it.len() == 2 && !word.starts_with("--") && word.ends_with(&it[1..]);
            let is_valued =
                valued.contains(&word) || script == Script::First && valued.iter().any(ends);
            takes = is_valued;
            is_given |= is_valued && !matches!(word, "-i" | "-v" | "--include");
            let is_long = |it: &&str| {
                let rest = word.strip_prefix(*it).filter(|_| *it != "--include");
                it.starts_with("--") && rest.is_some_and(|it| it.starts_with('='))
            };
            is_given |= valued.iter().any(is_long);
        } else {
            files.push(word);
        }
    }
    let skipped = match script {
        Script::None => 0,
        Script::First => usize::from(!is_given),
        Script::Two => 2,
    };
    files.drain(..skipped.min(files.len()));
    InPlaceEdit { files, has_unnamed: false }
}

/// Tells whether an option in one letter is among those of a word, behind others that take no
/// value.
fn has_letter(word: &str, letter: u8, others: &str) -> bool {
    let Some(letters) = word.strip_prefix('-').filter(|it| !it.starts_with('-')) else {
        return false;
    };
    let before = letters.bytes().take_while(|it| *it != letter);
    letters.bytes().any(|it| it == letter)
        && before.into_iter().all(|it| others.as_bytes().contains(&it))
}

#[cfg(test)]
mod tests {
    use super::in_place_edit;
    use crate::evidence::line::Word;

    /// The files; `None` where nothing is changed in place.
    fn files(command: &str) -> Option<Vec<String>> {
        let words: Vec<_> = command.split(' ').map(Word::of).collect();
        in_place_edit(&words).map(|it| it.files.iter().map(|it| (*it).to_owned()).collect())
    }

    #[test]
    fn every_spelling_names_its_files() {
        for (command, expected) in [
            ("sed -i s/a/b/ x.rs", &["x.rs"][..]),
            ("sed -i.bak s/a/b/ x.rs y.rs", &["x.rs", "y.rs"]),
            ("sed -Ei s/a/b/ x.rs", &["x.rs"]),
            ("sed -ni p x.rs", &["x.rs"]),
            ("sed --in-place s/a/b/ x.rs", &["x.rs"]),
            ("sed --in-place=.bak s/a/b/ x.rs", &["x.rs"]),
            ("sed -i -e s/a/b/ -e s/c/d/ x.rs", &["x.rs"]),
            ("sed -i -f fix.sed x.rs", &["x.rs"]),
            ("sed --expression=s/a/b/ -i x.rs", &["x.rs"]),
            ("gsed -i s/a/b/ x.rs", &["x.rs"]),
            ("perl -pi -e s/a/b/ x.rs", &["x.rs"]),
            ("perl -i -pe s/a/b/ x.rs", &["x.rs"]),
            ("perl -0pi -e s/a/b/ x.rs", &["x.rs"]),
            ("perl -pi.orig -e s/a/b/ x.rs", &["x.rs"]),
            ("ruby -pi -e gsub x.rb", &["x.rb"]),
            ("awk -i inplace {print} x.txt", &["x.txt"]),
            ("gawk -i inplace -v a=1 {print} x.txt", &["x.txt"]),
            ("gawk --include=inplace {print} x.txt", &["x.txt"]),
            ("yq -i .a=1 x.yaml", &["x.yaml"]),
            ("ed -s x.rs", &["x.rs"]),
            ("ex -s x.rs", &["x.rs"]),
            ("sponge x.rs", &["x.rs"]),
            ("patch -p1", &[]),
            ("patch x.rs fix.diff", &["x.rs", "fix.diff"]),
            ("git apply fix.diff", &[]),
            ("git -C sub am fix.mbox", &[]),
            ("sd a b x.rs", &["x.rs"]),
        ] {
            let expected: Vec<_> = expected.iter().map(|it| (*it).to_owned()).collect();
            assert_eq!(files(command), Some(expected), "{command}");
        }
    }

    #[test]
    fn what_only_prints_changes_nothing() {
        for command in [
            "sed s/a/b/ x.rs",
            "sed -n 1,5p x.rs",
            "sed -e s/i/j/ x.rs",
            "sed -f script.sed x.rs",
            "perl -ne print x.rs",
            "perl -e print",
            "perl script.pl -i",
            "awk {print} x.txt",
            "yq .a x.yaml",
            "patch --dry-run -p1",
            "git apply --check fix.diff",
            "git apply --stat fix.diff",
            "git diff",
            "sd a b",
            "grep -i a x",
        ] {
            assert_eq!(files(command), None, "{command}");
        }
    }
}
