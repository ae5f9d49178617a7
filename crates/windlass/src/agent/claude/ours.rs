//! Which hook entries are ours, whoever wrote them.
//!
//! Two questions: whether the client would start windlass, which `status` and `doctor` want to
//! know, and whether an entry does nothing else, so that `init` and `uninstall` may take it out.
//! A line such as `windlass hook; notify` is the user's to edit.

use std::ffi::OsStr;
use std::path::Path;

/// The name of our program, wherever it stands.
const PROGRAM: &str = "windlass";

/// What a hook is called with. Some agents drop it, so that none is a hook call too.
pub(crate) const ARGUMENT: &str = "hook";

/// Whether an entry of a type, with a command and arguments, starts windlass as a hook, in
/// whatever words. Without arguments a shell reads the command.
pub(crate) fn calls_us(kind: Option<&str>, command: &str, args: Option<&[String]>) -> bool {
    if !is_command(kind) {
        return false;
    }
    let is_argument = |it: &String| it == ARGUMENT;
    if let Some(args) = args {
        return is_program(command.trim()) && args.first().is_none_or(is_argument);
    }
    let words = words(command);
    let place = words.iter().position(|it| is_program(it));
    place.is_some_and(|at| words.get(at + 1).is_none_or(is_argument))
}

/// Whether an entry is a call of windlass and nothing else: what `init` writes, or wrote before.
pub(crate) fn is_only_us(kind: Option<&str>, command: &str, args: Option<&[String]>) -> bool {
    let is_plain = args.is_none_or(|it| it.len() < 2);
    is_plain && is_program(command) && calls_us(kind, command, args)
}

/// Whether a word of a command names our program.
pub(crate) fn is_program(word: &str) -> bool {
    Path::new(word).file_name() == Some(OsStr::new(PROGRAM))
}

fn is_command(kind: Option<&str>) -> bool {
    kind.is_none_or(|it| it == "command")
}

/// The words of the first command in a shell line, without their quotes.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some('\''), _) => word.get_or_insert_default().push(letter),
            (_, '\\') => word.get_or_insert_default().extend(letters.next()),
            (Some(_), _) => word.get_or_insert_default().push(letter),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ' | '\t') => words.extend(word.take()),
            (None, ';' | '|' | '&' | '\n' | '<' | '>') => break,
            (None, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::{calls_us, is_only_us, words};

    #[test]
    fn what_does_more_than_call_us_is_seen_and_not_taken_out() {
        let hook = ["hook".to_owned()];
        for (command, args) in [("/b/windlass", Some(&hook[..])), ("/b/windlass", Some(&[]))] {
            assert!(is_only_us(Some("command"), command, args), "{command}");
            assert!(calls_us(Some("command"), command, args), "{command}");
            assert!(!is_only_us(Some("prompt"), command, args), "{command}");
        }
        assert!(is_only_us(None, "/my dir/windlass", None));
        for line in ["windlass hook; notify", "env A=1 windlass", "windlass hook"] {
            assert!(calls_us(None, line, None) && !is_only_us(None, line, None), "{line}");
        }
        assert!(!is_only_us(None, "/b/windlass", Some(&["store".to_owned()])));
    }

    #[test]
    fn shell_words_end_with_the_first_command() {
        assert_eq!(words(r#"a "b c" d'e f'g h\ i; j"#), ["a", "b c", "de fg", "h i"]);
        assert_eq!(words("''"), [""]);
        assert_eq!(words("a>b"), ["a"]);
        assert_eq!(words("  "), Vec::<String>::new());
    }
}
