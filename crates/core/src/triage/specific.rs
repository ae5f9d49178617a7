//! What a unit names: files, and versions, flags, variables and errors.

/// Signs around a word that do not belong to it.
const AROUND: &[char] =
    &['.', ',', ':', ';', '!', '?', '(', ')', '[', ']', '{', '}', '"', '\'', '*', '<', '>', '|'];

/// How many files a unit names, and how many other things that can be looked up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Specifics {
    pub(super) paths: usize,
    pub(super) others: usize,
}

/// What a byte says of the word that it stands in.
#[derive(Clone, Copy)]
enum Sort {
    /// Nothing.
    Plain,
    /// It may be the name of something: all of these have such a byte.
    Telling,
    /// It ends the word.
    Space,
}

static SORTS: [Sort; 256] = {
    let mut sorts = [Sort::Plain; 256];
    let mut byte = 0;
    while byte < sorts.len() {
        sorts[byte] = match byte {
            0x20 => Sort::Space,
            // Flags, errors, paths and files, versions, variables; and what is not ASCII.
            0x2d..=0x39 | 0x45 | 0x5f | 0x7e | 0x80.. => Sort::Telling,
            _ => Sort::Plain,
        };
        byte += 1;
    }
    sorts
};

impl Specifics {
    /// Counts the things that a text names.
    pub(super) fn add(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let (mut start, mut may_be) = (0, false);
        for (at, byte) in bytes.iter().enumerate() {
            match SORTS[usize::from(*byte)] {
                Sort::Plain => {}
                Sort::Telling => may_be = true,
                Sort::Space => {
                    if may_be {
                        self.add_words(&text[start..at]);
                    }
                    (start, may_be) = (at + 1, false);
                }
            }
        }
        if may_be {
            self.add_words(&text[start..]);
        }
    }

    /// What stands between two spaces may have other white space in it.
    fn add_words(&mut self, text: &str) {
        for raw in text.split_whitespace() {
            self.add_word(raw, raw.trim_matches(AROUND));
        }
    }

    fn add_word(&mut self, raw: &str, word: &str) {
        if is_flag(raw) {
            self.others += 1;
            return;
        }
        if is_error(word) {
            self.others += 1;
        }
        if is_path(word) || is_file(word) {
            self.paths += 1;
        } else if let Some(is_version) = version(word) {
            self.others += usize::from(is_version);
        } else if is_variable(word) {
            self.others += 1;
        }
    }
}

fn is_flag(raw: &str) -> bool {
    let name = raw.strip_prefix("--");
    name.is_some_and(|it| it.starts_with(char::is_alphabetic) && it.chars().nth(1).is_some())
}

fn is_error(word: &str) -> bool {
    let ends = ["Error", "Exception", "Err"].iter().any(|it| word.ends_with(it));
    ends && word.chars().nth(6).is_some()
}

fn is_path(word: &str) -> bool {
    let last = word.chars().next_back().map_or(0, char::len_utf8);
    word[..word.len() - last].contains('/') && word.contains(char::is_alphabetic)
        || word.starts_with('~') && word.len() > 1
}

fn is_file(word: &str) -> bool {
    let Some((stem, ending)) = word.rsplit_once('.') else { return false };
    (1..=5).contains(&ending.chars().count())
        && ending.chars().all(char::is_alphabetic)
        && stem.ends_with(char::is_alphanumeric)
        && !word.eq_ignore_ascii_case("e.g")
        && !word.eq_ignore_ascii_case("i.e")
}

/// Whether a word that begins as a number is a version.
fn version(word: &str) -> Option<bool> {
    let word = word.strip_prefix('v').unwrap_or(word);
    word.starts_with(char::is_numeric)
        .then(|| word.contains('.') && word.chars().all(|it| it == '.' || it.is_numeric()))
}

fn is_variable(word: &str) -> bool {
    word.chars().nth(3).is_some()
        && word.contains('_')
        && word.chars().all(|it| it == '_' || it.is_uppercase())
}

#[cfg(test)]
mod tests {
    use super::Specifics;

    fn of(text: &str) -> (usize, usize) {
        let mut specifics = Specifics::default();
        specifics.add(text);
        (specifics.paths, specifics.others)
    }

    #[test]
    fn files_and_paths() {
        assert_eq!(of("see src/lib.rs, `main.rs:4` (Cargo.toml) and ~/.config"), (3, 0));
        assert_eq!(of("e.g. this i.e. that. 1/2 and/"), (0, 0));
        assert_eq!(of("and/or a.b.c"), (2, 0));
    }

    #[test]
    fn flags_versions_variables_and_errors() {
        assert_eq!(of("--offline --x -- --1a"), (0, 1));
        assert_eq!(of("v2.3.1 and 1.0, 42 or 3x"), (0, 2));
        assert_eq!(of("RUST_LOG A_B X_Y_Z RUSTLOG"), (0, 2));
        assert_eq!(of("IoError an Error, ParseException"), (0, 2));
    }
}
