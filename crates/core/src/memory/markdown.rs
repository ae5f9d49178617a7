//! A record as Markdown: fields between two lines of `---`, then its title, then its text.

use std::fmt;

/// A record as it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sheet {
    /// What stands above the title, in its order.
    pub fields: Vec<(String, Vec<String>)>,
    /// The title.
    pub title: String,
    /// The text.
    pub text: String,
}

/// Why a text is no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetFault {
    /// It does not begin with `---`.
    NoFields,
    /// The second `---` is missing.
    NoEnd,
    /// A line above the title cannot be read.
    Line(usize),
    /// There is no title.
    NoTitle,
}

impl fmt::Display for SheetFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFields => f.write_str("it does not begin with a line `---`, then its fields"),
            Self::NoEnd => f.write_str("the line `---` behind its fields is missing"),
            Self::Line(number) => write!(f, "line {number} is not `name: value`"),
            Self::NoTitle => f.write_str("a line `# title` is missing behind its fields"),
        }
    }
}

impl std::error::Error for SheetFault {}

impl Sheet {
    /// The texts of a field.
    pub fn field(&self, name: &str) -> Option<&[String]> {
        self.fields.iter().find(|it| it.0 == name).map(|it| it.1.as_slice())
    }

    /// Writes it.
    pub fn write(&self) -> String {
        let mut text = "---\n".to_owned();
        for (name, values) in &self.fields {
            let value = match values.as_slice() {
                [value] => scalar(value),
                values => {
                    let values: Vec<_> = values.iter().map(|it| quoted(it)).collect();
                    format!("[{}]", values.join(", "))
                }
            };
            text.extend([name, ": ", &value, "\n"]);
        }
        text.extend(["---\n\n# ", &self.title, "\n"]);
        if !self.text.is_empty() {
            text.extend(["\n", &self.text, "\n"]);
        }
        text
    }

    /// Reads it. Also lists in lines of their own are read, as other programs write them.
    pub fn read(text: &str) -> Result<Self, SheetFault> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|it| it.1.trim_end() != "---") {
            return Err(SheetFault::NoFields);
        }
        let mut fields: Vec<(String, Vec<String>)> = Vec::new();
        loop {
            let (at, line) = lines.next().ok_or(SheetFault::NoEnd)?;
            let wrong = || SheetFault::Line(at + 1);
            let line = line.trim_end();
            if line == "---" {
                break;
            }
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(item) = line.trim_start().strip_prefix("- ") {
                let last = fields.last_mut().ok_or_else(wrong)?;
                last.1.push(one(item.trim()).ok_or_else(wrong)?);
                continue;
            }
            let (name, value) = line.split_once(':').ok_or_else(wrong)?;
            if name.is_empty() || name.contains(char::is_whitespace) {
                return Err(wrong());
            }
            fields.push((name.to_owned(), values(value.trim()).ok_or_else(wrong)?));
        }
        let mut title = None;
        let mut rest = String::new();
        for (_, line) in lines {
            match &title {
                None if line.trim().is_empty() => {}
                None => title = Some(line.strip_prefix("# ").ok_or(SheetFault::NoTitle)?.trim()),
                Some(_) => rest.extend([line, "\n"]),
            }
        }
        let title = title.ok_or(SheetFault::NoTitle)?.to_owned();
        Ok(Self { fields, title, text: rest.trim().to_owned() })
    }
}

/// A value, in quotes where it would be read as something else without them.
fn scalar(text: &str) -> String {
    let is_plain =
        |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.' | ':' | '/');
    let begins = text.starts_with(|it: char| it.is_ascii_alphanumeric() || it == '/');
    if begins && text.chars().all(is_plain) { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for character in text.chars() {
        match character {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            '\n' => quoted += "\\n",
            '\t' => quoted += "\\t",
            '\r' => quoted += "\\r",
            it if it.is_control() => quoted.extend([format!("\\u{:04x}", u32::from(it))]),
            it => quoted.push(it),
        }
    }
    quoted + "\""
}

/// The values behind a name: one, a list in brackets, or none.
fn values(text: &str) -> Option<Vec<String>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let Some(mut rest) = text.strip_prefix('[') else { return one(text).map(|it| vec![it]) };
    let mut values = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(behind) = rest.strip_prefix(']') {
            return behind.trim().is_empty().then_some(values);
        }
        let (value, behind) = item(rest)?;
        values.push(value);
        rest = behind.trim_start();
        rest = match rest.strip_prefix(',') {
            Some(behind) => behind,
            None if rest.starts_with(']') => rest,
            None => return None,
        };
    }
}

fn one(text: &str) -> Option<String> {
    if !text.starts_with('"') {
        return Some(text.to_owned());
    }
    let (value, behind) = unquoted(text)?;
    behind.trim().is_empty().then_some(value)
}

/// The first value of a list, and what stands behind it.
fn item(text: &str) -> Option<(String, &str)> {
    if text.starts_with('"') {
        return unquoted(text);
    }
    let end = text.find([',', ']'])?;
    let value = text[..end].trim();
    (!value.is_empty()).then(|| (value.to_owned(), &text[end..]))
}

fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.strip_prefix('"')?.chars();
    loop {
        match characters.next()? {
            '"' => return Some((value, characters.as_str())),
            '\\' => value.push(match characters.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'u' => {
                    let digits = characters.as_str().get(..4)?;
                    characters = characters.as_str()[4..].chars();
                    char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
                }
                it @ ('"' | '\\' | '/') => it,
                _ => return None,
            }),
            it => value.push(it),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers without an order, the same in every run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(self.0 >> 33).unwrap() % end
        }
    }

    const PIECES: &[&str] = &[
        "word",
        "---",
        "# ",
        "- ",
        ": ",
        "\"",
        "\\",
        "[",
        "]",
        ",",
        "\n",
        "\n\n",
        " ",
        "\t",
        "é",
        "長",
        "\u{1}",
        "true",
        "1",
        "\\u",
        "/",
        "{",
        "`",
        "'",
        "---\n",
        "\n# not a title\n",
    ];

    fn text(numbers: &mut Numbers) -> String {
        (0..numbers.below(9)).map(|_| PIECES[numbers.below(PIECES.len())]).collect()
    }

    #[test]
    fn what_was_written_is_read() {
        let mut numbers = Numbers(7);
        for _ in 0..20_000 {
            let fields = (0..numbers.below(4)).map(|it| {
                let values = (0..numbers.below(3)).map(|_| text(&mut numbers)).collect();
                (format!("name_{it}"), values)
            });
            let fields = fields.collect();
            // A title is one line, and neither it nor a text has blanks around it.
            let title = text(&mut numbers).split_whitespace().collect::<Vec<_>>().join(" ");
            let text = text(&mut numbers).trim().to_owned();
            let sheet = Sheet { fields, title, text };
            let written = sheet.write();
            assert_eq!(Sheet::read(&written).as_ref(), Ok(&sheet), "{written}");
            let elsewhere = format!("\u{feff}{}", written.replace('\n', "\r\n"));
            assert_eq!(Sheet::read(&elsewhere), Ok(sheet), "{written}");
        }
    }

    #[test]
    fn it_looks_like_this() {
        let sheet = Sheet {
            fields: vec![
                ("id".to_owned(), vec!["01234567".to_owned()]),
                ("status".to_owned(), vec!["it is \"so\"".to_owned()]),
                ("tags".to_owned(), vec!["a".to_owned(), "b, c".to_owned()]),
                ("files".to_owned(), Vec::new()),
            ],
            title: "A title".to_owned(),
            text: "Its text.".to_owned(),
        };
        let expected = "---\nid: 01234567\nstatus: \"it is \\\"so\\\"\"\ntags: [\"a\", \"b, c\"]\n\
            files: []\n---\n\n# A title\n\nIts text.\n";
        assert_eq!(sheet.write(), expected);
    }

    #[test]
    fn lists_of_other_programs_are_read() {
        let text =
            "---\n# a note\ntags:\n  - one\n  - \"two: 2\"\nfiles: [a.rs, 'b']\n\n---\n# T\nx\n";
        let sheet = Sheet::read(text).unwrap();
        assert_eq!(sheet.field("tags").unwrap(), ["one", "two: 2"]);
        assert_eq!(sheet.field("files").unwrap(), ["a.rs", "'b'"]);
        assert_eq!((sheet.title.as_str(), sheet.text.as_str()), ("T", "x"));
    }

    #[test]
    fn what_is_no_record_says_why() {
        let cases = [
            ("", SheetFault::NoFields),
            ("# T\n", SheetFault::NoFields),
            ("---\nid: 1\n", SheetFault::NoEnd),
            ("---\nid 1\n---\n# T\n", SheetFault::Line(2)),
            ("---\n: 1\n---\n# T\n", SheetFault::Line(2)),
            ("---\n- 1\n---\n# T\n", SheetFault::Line(2)),
            ("---\na: \"x\n---\n# T\n", SheetFault::Line(2)),
            ("---\nb: 1\na: [\"x\"\n---\n# T\n", SheetFault::Line(3)),
            ("---\na: [,]\n---\n# T\n", SheetFault::Line(2)),
            ("---\na: \"\\q\"\n---\n# T\n", SheetFault::Line(2)),
            ("---\na: \"\\uD800\"\n---\n# T\n", SheetFault::Line(2)),
            ("---\na: 1\n---\n\nno title\n", SheetFault::NoTitle),
            ("---\na: 1\n---\n\n", SheetFault::NoTitle),
        ];
        for (text, expected) in cases {
            assert_eq!(Sheet::read(text), Err(expected), "{text:?}");
        }
    }
}
