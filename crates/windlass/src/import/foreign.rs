//! A foreign file → its values by name, each with its line.
//!
//! JSON is YAML, so both are read by one parser, and both get their lines.

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

/// One value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// The keys on the way to it, with dots between them; an entry of a list is `[]`.
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) value: Foreign,
}

/// A value, as far as we look at it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Foreign {
    Switch(bool),
    Number(u64),
    /// A number with a fraction, as it is written.
    Decimal(String),
    Other,
}

/// Where a text stops being understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ForeignError {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) found: String,
}

/// What is open at a point of the text.
enum Open {
    Map { awaits_key: bool },
    List,
}

/// Reads a text.
pub(super) fn parse(text: &str) -> Result<Vec<Leaf>, ForeignError> {
    let mut reader = Reader::default();
    // Tools on Windows write one.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| ForeignError {
            line: error.marker().line(),
            column: error.marker().col() + 1,
            found: error.info().to_owned(),
        })?;
        reader.take(event, span)?;
    }
    Ok(reader.leaves)
}

#[derive(Default)]
struct Reader {
    open: Vec<Open>,
    path: Vec<String>,
    leaves: Vec<Leaf>,
    documents: usize,
}

impl Reader {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), ForeignError> {
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(at(span, "a second document begins here"));
                }
            }
            Event::Scalar(text, style, ..) => {
                if self.awaits_key() {
                    // A dot would make another name of it.
                    self.path.push(text.replace('.', "_"));
                    self.set_awaits_key(false);
                } else {
                    self.leaf(span, value(&text, style));
                    self.end_value();
                }
            }
            Event::Alias(_) => {
                self.refuse_key(span)?;
                self.leaf(span, Foreign::Other);
                self.end_value();
            }
            Event::SequenceStart(..) => {
                self.refuse_key(span)?;
                self.path.push("[]".to_owned());
                self.open.push(Open::List);
            }
            Event::MappingStart(..) => {
                self.refuse_key(span)?;
                self.open.push(Open::Map { awaits_key: true });
            }
            Event::SequenceEnd => {
                self.path.pop();
                self.open.pop();
                self.end_value();
            }
            Event::MappingEnd => {
                self.open.pop();
                self.end_value();
            }
        }
        Ok(())
    }

    fn awaits_key(&self) -> bool {
        matches!(self.open.last(), Some(Open::Map { awaits_key: true }))
    }

    fn set_awaits_key(&mut self, awaits: bool) {
        if let Some(Open::Map { awaits_key }) = self.open.last_mut() {
            *awaits_key = awaits;
        }
    }

    /// The value of a key is complete.
    fn end_value(&mut self) {
        if let Some(Open::Map { awaits_key: false }) = self.open.last() {
            self.path.pop();
            self.set_awaits_key(true);
        }
    }

    fn refuse_key(&self, span: Span) -> Result<(), ForeignError> {
        if self.awaits_key() { Err(at(span, "a key must be a word")) } else { Ok(()) }
    }

    fn leaf(&mut self, span: Span, value: Foreign) {
        let name = self.path.join(".");
        // The entries of one list are named once.
        let is_entry = matches!(self.open.last(), Some(Open::List));
        if !(is_entry && self.leaves.last().is_some_and(|it| it.name == name)) {
            self.leaves.push(Leaf { name, line: span.start.line(), value });
        }
    }
}

fn at(span: Span, found: &str) -> ForeignError {
    let marker = span.start;
    ForeignError { line: marker.line(), column: marker.col() + 1, found: found.to_owned() }
}

fn value(text: &str, style: ScalarStyle) -> Foreign {
    match text {
        _ if style != ScalarStyle::Plain => Foreign::Other,
        "true" | "True" | "TRUE" => Foreign::Switch(true),
        "false" | "False" | "FALSE" => Foreign::Switch(false),
        _ => match (text.parse(), text.parse::<f64>()) {
            (Ok(number), _) => Foreign::Number(number),
            (_, Ok(number)) if number.is_finite() => Foreign::Decimal(text.to_owned()),
            _ => Foreign::Other,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(text: &str) -> Vec<String> {
        let leaves = parse(text).unwrap();
        leaves.iter().map(|it| format!("{} {} {:?}", it.line, it.name, it.value)).collect()
    }

    #[test]
    fn json_and_yaml_are_read_alike() {
        assert_eq!(
            leaves("a: 0.45\nb: .nan\nc: '0.4'\n"),
            ["1 a Decimal(\"0.45\")", "2 b Other", "3 c Other",]
        );
        let yaml = "# mine\na:\n  b: true # yes\n  c: 12\nd:\n  - x\n  - y\ne: 'true'\n";
        let expected = ["3 a.b Switch(true)", "4 a.c Number(12)", "6 d.[] Other", "8 e Other"];
        assert_eq!(leaves(yaml), expected);
        let json = "{\n\t\"a\":\n{\"b\":true,\n\t\t\"c\": 12},\n\t\"d\": [\n\"x\", \"y\"],\n\n\t\"e\": \"true\"\n}\n";
        assert_eq!(leaves(json), expected);
        assert_eq!(leaves(&format!("\u{feff}{}", json.replace('\n', "\r\n"))), expected);
    }

    #[test]
    fn lists_of_maps_are_walked() {
        let text = "h:\n  S:\n    - c: x\n      t: 5\n    - t: 6\n  T: []\n  U: {}\n  V:\n";
        let expected =
            ["3 h.S.[].c Other", "4 h.S.[].t Number(5)", "5 h.S.[].t Number(6)", "8 h.V Other"];
        assert_eq!(leaves(text), expected);
    }

    #[test]
    fn what_cannot_be_read_names_its_place() {
        for (text, line) in [
            ("a: 1\nb: [1, 2\n", 3),
            ("a: 1\n? [x]\n: 2\n", 2),
            ("a: 1\n---\nb: 2\n", 2),
            ("{\"a\": 1,\n\"b\" 2}\n", 2),
            ("a:\n- b\n  c: 2\n", 3),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.line, line, "{text:?}: {error:?}");
        }
    }

    #[test]
    fn odd_texts_are_no_trouble() {
        assert_eq!(leaves(""), [""; 0]);
        assert_eq!(leaves("just words"), ["1  Other"]);
        assert_eq!(leaves("a: &x 1\nb: *x\n"), ["1 a Number(1)", "2 b Other"]);
        assert_eq!(leaves("a.b: 1\n"), ["1 a_b Number(1)"]);
        let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
        assert!(parse(&deep).is_ok_and(|it| it.is_empty()) || parse(&deep).is_err());
    }
}
