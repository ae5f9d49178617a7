//! How inserted text looks: as if the file's author had written it.

use super::scan::{Comment, Document, Node, comment};

/// A value that we write.
#[derive(Debug, Clone)]
pub(super) enum Json {
    /// A scalar, already as JSON.
    Raw(String),
    Array(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Json {
    pub(super) fn text(text: &str) -> Self {
        Self::Raw(serde_json::Value::from(text).to_string())
    }

    pub(super) fn object<'k>(members: impl IntoIterator<Item = (&'k str, Self)>) -> Self {
        Self::Object(members.into_iter().map(|it| (it.0.to_owned(), it.1)).collect())
    }
}

/// The habits of a file.
#[derive(Debug)]
pub(super) struct Style {
    newline: &'static str,
    unit: String,
    /// What follows a colon or a comma within a line.
    space: &'static str,
    /// All of the file is in one line.
    one_line: bool,
}

/// Where a piece of text goes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Flow<'a> {
    /// Each item in its own line, with this indentation.
    Lines(&'a str),
    /// In the line that is there.
    Inline,
}

/// Text put in at a place.
#[derive(Debug)]
pub(super) struct Splice {
    pub(super) at: usize,
    pub(super) text: String,
}

/// What it takes to add items to a container.
#[derive(Debug)]
pub(super) struct Addition {
    pub(super) splices: Vec<Splice>,
    /// For a container that was empty: the white space put before its closing bracket.
    pub(super) closer: Option<String>,
}

impl Style {
    /// The habits of a text, with two spaces where it has none.
    pub(super) fn of(text: &str, document: &Document) -> Self {
        let crlf = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
        let root = document.root.as_ref();
        let space = root
            .filter(|it| !it.items.is_empty())
            .and_then(|it| text[it.start..it.end].split_once("\":"))
            .is_none_or(|(_, after)| after.starts_with([' ', '\t', '\r', '\n']));
        Self {
            newline: if crlf { "\r\n" } else { "\n" },
            unit: root.and_then(|it| unit(text, it)).unwrap_or("  ").to_owned(),
            space: if space { " " } else { "" },
            one_line: root.is_some_and(|it| {
                !it.items.is_empty() && !text[it.start..it.end].contains(['\n', '\r'])
            }),
        }
    }

    /// A whole document.
    pub(super) fn document(&self, value: &Json) -> String {
        self.render(value, Flow::Lines(""))
    }

    /// The line break of the file.
    pub(super) fn newline(&self) -> &'static str {
        self.newline
    }

    /// Adds items behind those of a container. A key makes a member.
    ///
    /// Every splice begins right behind a token or a comment, and a trailing comma stays one, so
    /// that what was added can be told from what was there.
    pub(super) fn append(
        &self,
        text: &str,
        container: &Node,
        items: &[(Option<&str>, Json)],
    ) -> Addition {
        let Some(last) = container.items.last() else {
            return self.fill(text, container, items);
        };
        let end = last.comma.map_or(last.end(), |it| it + 1);
        let (at, last_comment) = after_comments(text, end);
        let own_line = indentation(text, last.start);
        let flow = own_line.map_or(Flow::Inline, Flow::Lines);
        let separator = match own_line {
            Some(indent) => format!("{}{indent}", self.newline),
            None if last_comment == Some(Ends::WithItsLine) => self.newline.to_owned(),
            None => self.space.to_owned(),
        };
        let mut body = self.list(items, flow, &separator);
        let mut splices = Vec::new();
        match last.comma {
            Some(_) => body.push(','),
            None => splices.push(Splice { at: end, text: ",".to_owned() }),
        }
        splices.push(Splice { at, text: body });
        Addition { splices, closer: None }
    }

    fn fill(&self, text: &str, container: &Node, items: &[(Option<&str>, Json)]) -> Addition {
        let at = container.tail;
        let rest = &text[at..container.end - 1];
        let base = line_indentation(text, container.start);
        let child = format!("{base}{}", self.unit);
        let (flow, separator, closer) = if self.one_line {
            (Flow::Inline, String::new(), String::new())
        } else {
            let closer =
                if rest.contains('\n') { String::new() } else { format!("{}{base}", self.newline) };
            (Flow::Lines(child.as_str()), format!("{}{child}", self.newline), closer)
        };
        let mut body = match flow {
            Flow::Lines(_) => self.list(items, flow, &separator),
            // Nothing stands before the first item, so only the others need the space.
            Flow::Inline => self.list(items, flow, self.space).trim_start().to_owned(),
        };
        body.push_str(&closer);
        Addition { splices: vec![Splice { at, text: body }], closer: Some(closer) }
    }

    fn list(&self, items: &[(Option<&str>, Json)], flow: Flow<'_>, separator: &str) -> String {
        let item = |(key, value): &(Option<&str>, Json)| {
            let value = self.render(value, flow);
            match key {
                Some(key) => {
                    let key = serde_json::Value::from(*key);
                    format!("{separator}{key}:{}{value}", self.space_in(flow))
                }
                None => format!("{separator}{value}"),
            }
        };
        items.iter().map(item).collect::<Vec<_>>().join(",")
    }

    fn render(&self, value: &Json, flow: Flow<'_>) -> String {
        match value {
            Json::Raw(raw) => raw.clone(),
            // A list of one scalar is easier to read within the line.
            Json::Array(items) if items.iter().all(|it| matches!(it, Json::Raw(_))) => {
                self.wrap(['[', ']'], Flow::Inline, items.iter().map(|it| (None, it)))
            }
            Json::Array(items) => self.wrap(['[', ']'], flow, items.iter().map(|it| (None, it))),
            Json::Object(items) => {
                self.wrap(['{', '}'], flow, items.iter().map(|(key, it)| (Some(key.as_str()), it)))
            }
        }
    }

    fn wrap<'j>(
        &self,
        [open, close]: [char; 2],
        flow: Flow<'_>,
        items: impl Iterator<Item = (Option<&'j str>, &'j Json)>,
    ) -> String {
        let items: Vec<_> = items.map(|(key, value)| (key, value.clone())).collect();
        match flow {
            Flow::Inline => {
                let body = self.list(&items, flow, self.space);
                format!("{open}{}{close}", body.trim_start())
            }
            Flow::Lines(indent) => {
                let child = format!("{indent}{}", self.unit);
                let separator = format!("{}{child}", self.newline);
                let body = self.list(&items, Flow::Lines(&child), &separator);
                format!("{open}{body}{}{indent}{close}", self.newline)
            }
        }
    }

    fn space_in(&self, flow: Flow<'_>) -> &'static str {
        match flow {
            Flow::Lines(_) => " ",
            Flow::Inline => self.space,
        }
    }
}

/// Puts all splices into a text.
pub(super) fn apply(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|it| it.at);
    let mut result = String::with_capacity(text.len() + 4096);
    let mut done = 0;
    for splice in splices {
        result.push_str(&text[done..splice.at]);
        result.push_str(&splice.text);
        done = splice.at;
    }
    result.push_str(&text[done..]);
    result
}

/// How far a comment reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ends {
    WithItsLine,
    ByItself,
}

/// The end of the comments that begin in the line of `from`, and how the last of them ends.
fn after_comments(text: &str, from: usize) -> (usize, Option<Ends>) {
    let (mut at, mut end, mut last) = (from, from, None);
    loop {
        at += text[at..].bytes().take_while(|it| b" \t".contains(it)).count();
        match comment(&text[at..]) {
            Some(Comment::Complete(length)) => {
                let is_line = text[at..].starts_with("//");
                last = Some(if is_line { Ends::WithItsLine } else { Ends::ByItself });
                at += length;
                end = at;
            }
            Some(Comment::Open) | None => return (end, last),
        }
    }
}

/// The white space before a place, if nothing else is before it in its line.
fn indentation(text: &str, at: usize) -> Option<&str> {
    let line = text[..at].rfind('\n')? + 1;
    let indent = &text[line..at];
    indent.bytes().all(|it| b" \t".contains(&it)).then_some(indent)
}

fn line_indentation(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let end = text[line..].bytes().take_while(|it| b" \t".contains(it)).count();
    &text[line..(line + end).min(at)]
}

/// By how much the items of the first indented container are indented.
fn unit<'t>(text: &'t str, node: &Node) -> Option<&'t str> {
    let base = line_indentation(text, node.start);
    node.items.iter().find_map(|it| {
        let step = indentation(text, it.start).and_then(|indent| indent.strip_prefix(base));
        step.filter(|step| !step.is_empty()).or_else(|| unit(text, &it.value))
    })
}
