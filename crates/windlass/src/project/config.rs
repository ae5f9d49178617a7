//! Git's own settings format.
//!
//! The reader follows git's byte by byte, its oddities included: a test lets git read the same
//! files. Where git gives up on a file, the entries before that line still count.

use super::file::Extent;

/// The URL of the remote that stands for the repository: of `origin`, otherwise of the first remote
/// in the file.
pub(super) fn remote_url(text: &[u8], extent: Extent) -> Option<Vec<u8>> {
    let mut origin = None;
    let mut other: Option<(Vec<u8>, Vec<u8>)> = None;
    for (key, value) in Entries::new(text, extent) {
        let Some(name) = key.strip_prefix(b"remote.").and_then(|it| it.strip_suffix(b".url"))
        else {
            continue;
        };
        // Of several URLs git fetches from the first; an empty one takes back those before it.
        let url = value.unwrap_or_default();
        let is_other = other.as_ref().is_some_and(|it| it.0 == name);
        match (name, url.is_empty()) {
            (b"origin", true) => origin = None,
            (b"origin", false) => origin = origin.or(Some(url)),
            (_, true) if is_other => other = None,
            (_, true) => {}
            (_, false) => other = other.or_else(|| Some((name.to_vec(), url))),
        }
    }
    origin.or(other.map(|it| it.1))
}

/// The entries of a file that was read whole, in its order, up to the first line that is not one.
pub(crate) fn entries(text: &[u8]) -> impl Iterator<Item = Entry> {
    Entries::new(text, Extent::Whole)
}

/// A key such as `remote.origin.url`: section and name in lower case, the part between them as it
/// is written. A key without `=` has no value.
pub(crate) type Entry = (Vec<u8>, Option<Vec<u8>>);

/// The entries of a file, in its order, up to the first line that is not one.
struct Entries<'a> {
    text: Text<'a>,
    extent: Extent,
    /// The section with its dot.
    section: Vec<u8>,
}

/// What is not written as git writes it.
struct Broken;

impl<'a> Entries<'a> {
    fn new(text: &'a [u8], extent: Extent) -> Self {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        Self { text: Text { rest: text, ended: false }, extent, section: Vec::new() }
    }

    fn entry(&mut self) -> Result<Option<Entry>, Broken> {
        loop {
            match self.text.next() {
                b'\n' if self.text.ended => return Ok(None),
                byte if is_space(byte) => {}
                b'#' | b';' => self.text.skip_line(),
                b'[' => self.section = self.text.section()?,
                byte if byte.is_ascii_alphabetic() => return self.assignment(byte).map(Some),
                _ => return Err(Broken),
            }
        }
    }

    fn assignment(&mut self, first: u8) -> Result<Entry, Broken> {
        let mut key = self.section.clone();
        let mut byte = first;
        while is_name(byte) {
            key.push(byte.to_ascii_lowercase());
            byte = self.text.next();
        }
        while matches!(byte, b' ' | b'\t') {
            byte = self.text.next();
        }
        let value = match byte {
            b'\n' => None,
            b'=' => Some(self.text.value()?),
            _ => return Err(Broken),
        };
        Ok((key, value))
    }
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let entry = self.entry().ok().flatten();
        if entry.is_none() {
            self.text = Text { rest: b"", ended: true };
        }
        // An entry that reaches the end of what was read may go on behind it.
        entry.filter(|_| self.extent == Extent::Whole || !self.text.ended)
    }
}

/// The bytes of a file, whose end counts as a line break.
struct Text<'a> {
    rest: &'a [u8],
    ended: bool,
}

impl Text<'_> {
    fn next(&mut self) -> u8 {
        let (byte, rest) = match self.rest {
            [] => {
                self.ended = true;
                return b'\n';
            }
            [b'\r', b'\n', rest @ ..] => (b'\n', rest),
            [byte, rest @ ..] => (*byte, rest),
        };
        self.rest = rest;
        byte
    }

    fn skip_line(&mut self) {
        while self.next() != b'\n' {}
    }

    /// The rest of `[section]`, `[section.part]` or `[section "part"]`, with a dot at its end.
    fn section(&mut self) -> Result<Vec<u8>, Broken> {
        let mut section = Vec::new();
        loop {
            match self.next() {
                b']' => break,
                byte if is_name(byte) || byte == b'.' => section.push(byte.to_ascii_lowercase()),
                byte if is_space(byte) => {
                    self.part(byte, &mut section)?;
                    break;
                }
                _ => return Err(Broken),
            }
        }
        section.push(b'.');
        Ok(section)
    }

    fn part(&mut self, space: u8, section: &mut Vec<u8>) -> Result<(), Broken> {
        let mut byte = space;
        while is_space(byte) {
            if byte == b'\n' {
                return Err(Broken);
            }
            byte = self.next();
        }
        if byte != b'"' {
            return Err(Broken);
        }
        section.push(b'.');
        loop {
            let byte = match self.next() {
                b'"' => break,
                b'\\' => self.next(),
                byte => byte,
            };
            if byte == b'\n' {
                return Err(Broken);
            }
            section.push(byte);
        }
        if self.next() == b']' { Ok(()) } else { Err(Broken) }
    }

    /// What follows a `=`, up to the end of its line or of the lines that it continues on.
    fn value(&mut self) -> Result<Vec<u8>, Broken> {
        let mut value = Vec::new();
        let mut quoted = false;
        // Where the space begins that is dropped if nothing follows it.
        let mut end = None;
        loop {
            let byte = self.next();
            match byte {
                b'\n' if quoted => return Err(Broken),
                b'\n' => break,
                _ if is_space(byte) && !quoted => {
                    if !value.is_empty() {
                        end = end.or(Some(value.len()));
                        value.push(byte);
                    }
                    continue;
                }
                b'#' | b';' if !quoted => {
                    self.skip_line();
                    break;
                }
                b'"' => quoted = !quoted,
                b'\\' => match self.next() {
                    b'\n' => {}
                    b't' => value.push(b'\t'),
                    b'b' => value.push(b'\x08'),
                    b'n' => value.push(b'\n'),
                    byte @ (b'\\' | b'"') => value.push(byte),
                    _ => return Err(Broken),
                },
                _ => value.push(byte),
            }
            end = None;
        }
        value.truncate(end.unwrap_or(value.len()));
        Ok(value)
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Entries, Entry, remote_url};
    use crate::project::file::Extent;
    use crate::project::tests::World;

    fn entries(text: &str) -> Vec<(String, Option<String>)> {
        let text_of = |it: Vec<u8>| String::from_utf8(it).unwrap();
        Entries::new(text.as_bytes(), Extent::Whole)
            .map(|(key, value)| (text_of(key), value.map(text_of)))
            .collect()
    }

    /// Texts whose one entry is `a.b.c` or `a.c`, and its value.
    const VALUES: &[(&str, &str)] = &[
        ("[a]c=v", "v"),
        ("[a] c = v", "v"),
        ("[A]\n\tC\t=\tv\t\n", "v"),
        ("\u{feff}[a]\r\nc = v\r\n", "v"),
        ("# comment\n; [x]\n[a] # comment\nc = v # comment\n", "v"),
        ("[a]\nc = v;comment", "v"),
        ("[a]\nc = \"v # ; v\"", "v # ; v"),
        ("[a]\nc = \" v \"  ", " v "),
        ("[a]\nc = v  w", "v  w"),
        ("[a]\nc = \"v\"\"w\" x", "vw x"),
        ("[a]\nc = v\\\nw", "vw"),
        ("[a]\nc = v \\\n  w", "v   w"),
        ("[a]\nc = v\\\r\nw", "vw"),
        ("[a]\nc = v\\", "v"),
        ("[a]\nc = \\t\\b\\n\\\\\\\"", "\t\u{8}\n\\\""),
        ("[a]\nc =", ""),
        ("[a]\nc = \"\"", ""),
        ("[a]\nc = # comment", ""),
        ("[a \"b\"]\nc = v", "v"),
        ("[A   \"b\"] C = v", "v"),
        ("[a.B]\nc = v", "v"),
        ("[a \"\\b\"]\nc = v", "v"),
    ];

    #[test]
    fn values_are_read_as_git_reads_them() {
        for (text, value) in VALUES {
            let [(key, read)] = &entries(text)[..] else { panic!("{text:?}: {:?}", entries(text)) };
            assert!(key == "a.c" || key == "a.b.c", "{text:?}: {key}");
            assert_eq!(read.as_deref(), Some(*value), "{text:?}");
        }
    }

    #[test]
    fn keys_are_read_as_git_reads_them() {
        for (text, key) in [
            ("[Remote \"Origin\"] URL = v", "remote.Origin.url"),
            ("[Remote.Origin] URL = v", "remote.origin.url"),
            ("[remote \"a.b c\"] url = v", "remote.a.b c.url"),
            ("[remote \"a\\\"b\\\\c]\"] url = v", "remote.a\"b\\c].url"),
            ("[remote \"\"] url = v", "remote..url"),
            ("[a.b \"C\"] push-url2 = v", "a.b.C.push-url2"),
            ("c = v", "c"),
        ] {
            assert_eq!(entries(text), [(key.to_owned(), Some("v".to_owned()))], "{text:?}");
        }
        assert_eq!(entries("[a]\nb\nc = v")[0], ("a.b".to_owned(), None));
    }

    #[test]
    fn what_stands_before_a_broken_line_counts() {
        for broken in [
            "=",
            "1 = v",
            "_ = v",
            "c d = v",
            "c: v",
            "[",
            "[a",
            "[a b]",
            "[a \"b]",
            "[a \"b\" ]",
            "[a\n\"b\"]",
            "[a \"b\n\"]",
            "[a_b]",
            "c = \"v",
            "c = \"v\nw\"",
            "c = \\q",
            "c = \\",
            "\"c\" = v",
            "]",
        ] {
            let text = format!("[x]\ny = 1\n{broken}\nz = 2\n");
            let read = entries(&text);
            // A backslash at the end of a line continues it, and breaks nothing.
            let count = if broken == "c = \\" { 2 } else { 1 };
            assert_eq!(read.len(), count, "{broken:?}: {read:?}");
        }
    }

    #[test]
    fn the_url_is_that_of_origin_or_of_the_first_remote() {
        let of = |text: &str| remote_url(text.as_bytes(), Extent::Whole);
        for (text, url) in [
            ("[remote \"a\"] url = 1\n[remote \"origin\"] url = 2", "2"),
            ("[remote \"b\"] url = 1\n[remote \"a\"] url = 2", "1"),
            ("[remote \"a\"] pushurl = 1\nfetch = 2\n[remote \"b\"] url = 3", "3"),
            ("[remote \"origin\"] url = 1\nurl = 2", "1"),
            ("[remote \"origin\"] url = 1\nurl =\nurl = 2", "2"),
            ("[remote \"a\"] url = 1\nurl\n[remote \"b\"] url = 2", "2"),
            ("[remote \"Origin\"] url = 1\n[REMOTE \"origin\"] URL = 2", "2"),
            ("[remote.ORIGIN] url = 2\n[remote \"a\"] url = 1", "2"),
            ("[remote] url = 1\nurl.url = 2\n[remote \"a\"] url = 3", ""),
            ("[branch \"a\"] remote = origin\nurl = 1", ""),
            ("[remote \"origin\"] url", ""),
            ("", ""),
        ] {
            let expected = (!url.is_empty()).then(|| url.as_bytes().to_vec());
            assert_eq!(of(text), expected, "{text:?}");
        }
    }

    #[test]
    fn an_entry_at_the_cut_does_not_count() {
        let text = b"[remote \"origin\"]\nurl = one\n[remote \"two\"]\nurl = tw";
        let entries = |extent| Entries::new(text, extent).count();
        assert_eq!((entries(Extent::Whole), entries(Extent::Cut)), (2, 1));
    }

    /// How a line begins, mostly as it should.
    const STARTS: [&str; 8] =
        ["url = ", "URL=", "\tc-1", "[A.b] k = ", "[r \"x\\\" Y\"]\n", "# ", " k\t=", "é"];
    /// How it goes on.
    const PIECES: [&str; 16] = [
        "v", "w x", " ", "\t", "\r", "\\\n", "\\t", "\\\"", "\"a b\"", "\"", "#", ";", "\r\n",
        "\n", "=", "\\",
    ];

    /// Files out of pieces that mean something, read by git and by us.
    #[test]
    fn git_reads_the_same_files_the_same_way() {
        let world = World::new();
        let file = world.path("config");
        let mut random = 0x2545_F491_4F6C_DD1D_u64;
        let mut below = |limit: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            usize::try_from(random >> 33).unwrap() % limit
        };
        let (mut read, mut refused) = (0, 0);
        for _ in 0..150 {
            let mut text = String::from("[s]\n");
            for _ in 0..4 {
                text += STARTS[below(STARTS.len())];
                for _ in 0..below(4) {
                    text += PIECES[below(PIECES.len())];
                }
                text.push('\n');
            }
            fs::write(&file, &text).unwrap();
            let output = world.try_git(world.path(""), &["config", "-f", "config", "-l", "-z"]);
            let ours = listed(Entries::new(text.as_bytes(), Extent::Whole));
            // Git lists what it read before it refuses the rest, and so do we. Which blank stands
            // between two words depends on the version of git.
            let blank = |it: u8| if matches!(it, b'\t' | b'\r') { b' ' } else { it };
            let [ours, gits] =
                [ours, output.stdout].map(|list| list.into_iter().map(blank).collect::<Vec<_>>());
            assert_eq!(ours, gits, "{text:?}");
            *if output.status.success() { &mut read } else { &mut refused } += 1;
        }
        assert!(read > 30 && refused > 30, "{read} read, {refused} refused");
    }

    /// The entries as git lists them.
    fn listed(entries: impl Iterator<Item = Entry>) -> Vec<u8> {
        let mut list = Vec::new();
        for (key, value) in entries {
            list.extend(key);
            list.extend(value.map(|it| [b"\n", &it[..]].concat()).unwrap_or_default());
            list.push(0);
        }
        list
    }
}
