//! The passages of a message: what its author says, without code, quotations, headings and plans.

use super::languages::is_plan;
use super::lexicon::{IMPERATIVES, LEAD_GUARDS, SECTION_GUARDS};

use crate::Excerpt;

/// A paragraph, an item of a list, or a row of a table.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Passage {
    pub(super) text: String,
    /// It stands in a section or below a line that speaks of what is to be done.
    pub(super) planned: bool,
    /// A row of a table: only `label: state` counts.
    pub(super) row: bool,
}

/// Words of a line that says of a list that all of it is so.
const MET: &[&str] = &["met", "fulfilled", "satisfied"];
/// Words that leave that open.
const OPEN: &[&str] = &[
    "when", "if", "once", "until", "must", "should", "will", "not", "to", "can", "need", "needs",
    "unless", "before", "except", "apart", "but",
];

/// A paragraph that was wrapped by hand has lines at least this long.
const WRAPPED: usize = 60;

/// The passages of both parts of a message.
pub(super) fn passages(message: &Excerpt) -> Vec<Passage> {
    let [(head, _), (tail, fenced)] = parts(message);
    let mut all = read(&head, false);
    all.extend(read(&tail, fenced));
    all
}

/// The lines of a message that its author says: neither in a block of code, which a fence or an
/// indentation makes, nor in a quotation. An indented item goes on with the list before it.
pub(crate) fn spoken_lines(message: &Excerpt) -> Vec<&str> {
    let mut spoken = Vec::new();
    for (lines, fenced) in parts(message) {
        let (mut opened, mut is_list) = (fenced.then_some("```"), false);
        let (mut tag, mut is_quoted) = (None, false);
        for line in lines {
            let text = line.trim();
            let within = item(text);
            if opened.is_none() && is_in_tag(text, &mut tag) {
                is_quoted = false;
                continue;
            }
            let mark = fence(within.unwrap_or(text));
            if let Some(begin) = opened {
                if mark.is_some_and(|mark| mark.starts_with(begin) && mark == text) {
                    opened = None;
                }
                continue;
            }
            opened = mark;
            let is_indented = line.starts_with("    ") || line.starts_with('\t');
            let is_code = is_indented && !(is_list && within.is_some());
            if !text.is_empty() {
                is_list = within.is_some() || is_list && line.starts_with(char::is_whitespace);
            }
            let body = within.unwrap_or(text);
            // A line behind a quotation goes on with its paragraph, unless something else begins.
            let goes_on = is_quoted && within.is_none() && heading(text).is_none();
            is_quoted = match body.strip_prefix('>') {
                Some(quoted) => has_paragraph(quoted),
                None => goes_on && mark.is_none() && !text.is_empty(),
            };
            if mark.is_none() && !is_code && !body.starts_with('>') && !is_quoted {
                spoken.push(line);
            }
        }
    }
    spoken
}

/// Elements of HTML that show a text: what stands in them is code, or the words of another.
const SHOWING_TAGS: &[(&str, &str)] = &[
    ("<code", "</code>"),
    ("<pre", "</pre>"),
    ("<blockquote", "</blockquote>"),
    ("<samp", "</samp>"),
    ("<kbd", "</kbd>"),
    ("<!--", "-->"),
];

/// Tells whether a line stands in an element that shows a text, or opens or ends one. `tag` is what
/// ends the open element.
fn is_in_tag(line: &str, tag: &mut Option<&'static str>) -> bool {
    let line = line.to_ascii_lowercase();
    if let Some(end) = *tag {
        if line.contains(end) {
            *tag = None;
        }
        return true;
    }
    let opens = |it: &&(&str, &str)| {
        let rest = line.rsplit_once(it.0).map(|it| it.1);
        rest.is_some_and(|rest| {
            !rest.contains(it.1) && !rest.starts_with(|it: char| it.is_ascii_alphanumeric())
        })
    };
    let begin = SHOWING_TAGS.iter().find(|it| line.starts_with(it.0) && opens(it));
    *tag = begin.map(|it| it.1);
    tag.is_some()
}

/// Tells whether a quoted line is part of a paragraph, so that the next line may go on with it.
fn has_paragraph(quoted: &str) -> bool {
    let text = quoted.trim_start_matches(['>', ' ']);
    !text.is_empty() && heading(text).is_none() && fence(text).is_none()
}

/// What follows the mark of an item of a list.
pub(crate) fn list_item(line: &str) -> Option<&str> {
    item(line)
}

/// The lines of the two ends of a message, and whether the first of them stands inside a block of
/// code. Where the middle is missing, the line that was cut on either side is not a line.
fn parts(message: &Excerpt) -> [(Vec<&str>, bool); 2] {
    let mut head: Vec<_> = message.head.lines().collect();
    let Some(tail) = &message.tail else { return [(head, false), (Vec::new(), false)] };
    head.pop();
    let tail: Vec<_> = tail.lines().skip(1).collect();
    let fences = tail.iter().filter(|line| fence(line).is_some()).count();
    [(head, false), (tail, fences % 2 == 1)]
}

/// Reads lines; `fenced` says that the first one stands inside a block of code.
fn read(lines: &[&str], fenced: bool) -> Vec<Passage> {
    let mut all: Vec<Passage> = Vec::new();
    let mut state = State { fenced: fenced.then_some("```"), ..State::default() };
    for (place, line) in lines.iter().enumerate() {
        if state.skips(line) {
            continue;
        }
        let text = line.trim();
        if text.starts_with('|') {
            let heads = lines.get(place + 1).is_some_and(|next| is_rule(next));
            if heads {
                state.counts = columns_of_counts(text);
            } else if !is_rule(text) {
                all.extend(row(text, state.planned(), state.counts));
            }
            state.last = Last::Other;
            continue;
        }
        if let Some(title) = heading(text) {
            state.section = names(title, SECTION_GUARDS);
            (state.lead, state.last) = (false, Last::Other);
            // A bold sentence is a sentence; a bold line that introduces something is a title.
            if state.section || text.starts_with('#') || text.trim_end_matches('*').ends_with(':') {
                continue;
            }
        }
        let item = item(text);
        if item.is_none() && state.last != Last::Text {
            state.lead = false;
        }
        let (text, checked) = match item {
            Some(rest) => match rest.get(..3).map(str::to_ascii_lowercase).as_deref() {
                Some("[ ]") => {
                    state.last = Last::Other;
                    continue;
                }
                Some("[x]") => (rest.get(3..).unwrap_or_default(), true),
                _ => (rest, false),
            },
            None => (text, false),
        };
        match all.last_mut() {
            Some(last)
                if item.is_none() && state.last == Last::Text && wrapped(&last.text, text) =>
            {
                last.text.push(' ');
                last.text.push_str(text);
            }
            _ => {
                let planned = !checked && state.planned();
                all.push(Passage { text: text.to_owned(), planned, row: false });
            }
        }
        state.last = Last::Text;
        if text.trim_end_matches('*').ends_with(':') {
            // "All acceptance criteria are met:" lists what was done.
            let is_met = has_word(text, MET)
                && !has_word(text, OPEN)
                && !has_word(text.get(..4).unwrap_or(""), &["are", "is"]);
            state.lead = names(text, LEAD_GUARDS) && !is_met || instructs(text);
        } else if item.is_none() {
            state.lead = false;
        }
    }
    all
}

/// Where in the message a line stands.
#[derive(Default)]
struct State<'a> {
    /// The fence that opened the block of code.
    fenced: Option<&'a str>,
    /// The section is a plan.
    section: bool,
    /// The line above the list says what is to be done.
    lead: bool,
    last: Last,
    /// The columns of a table that count what passed and what failed.
    counts: Option<(usize, usize)>,
}

/// What the line before was.
#[derive(Default, PartialEq, Eq)]
enum Last {
    /// Nothing; after it, an indented line is code.
    #[default]
    Blank,
    /// Words; the next line may go on with them.
    Text,
    /// A heading, a row, a fence.
    Other,
}

impl<'a> State<'a> {
    fn planned(&self) -> bool {
        self.section || self.lead
    }

    /// Code, quotations and blank lines.
    fn skips(&mut self, line: &'a str) -> bool {
        let mark = fence(line);
        if let Some(opened) = self.fenced {
            // A fence with a language begins a block inside the block.
            if mark.is_some_and(|mark| mark.starts_with(opened) && mark == line.trim()) {
                self.fenced = None;
            }
            return true;
        }
        if mark.is_some() {
            self.fenced = mark;
            self.last = Last::Other;
            return true;
        }
        if line.trim().is_empty() {
            self.last = Last::Blank;
            return true;
        }
        let indented = line.starts_with("    ") || line.starts_with('\t');
        let code = indented && self.last == Last::Blank && item(line.trim()).is_none();
        code || line.trim_start().starts_with('>')
    }
}

/// The mark that begins or ends a block of code, as long as it is.
pub(super) fn fence(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let sign = line.chars().next().filter(|sign| "`~".contains(*sign))?;
    let length = line.len() - line.trim_start_matches(sign).len();
    line.get(..length).filter(|_| length >= 3)
}

/// The title of a heading, or of a line that is bold from end to end.
pub(super) fn heading(text: &str) -> Option<&str> {
    let title = text.trim_start_matches('#');
    if title.len() < text.len() && title.starts_with(' ') {
        return Some(title);
    }
    let bold = text.strip_prefix("**")?.trim_end_matches(':').strip_suffix("**")?;
    (!bold.contains("**")).then_some(bold)
}

/// What follows the mark of a list.
fn item(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if rest.len() < text.len() {
        rest.strip_prefix(['.', ')'])?
    } else {
        rest.strip_prefix(['-', '*', '+', '•'])?
    };
    rest.starts_with(char::is_whitespace).then(|| rest.trim_start())
}

fn wrapped(last: &str, text: &str) -> bool {
    let goes_on = text.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit() || c == '`');
    last.len() >= WRAPPED && goes_on && !last.ends_with(['.', '!', '?', ':'])
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.contains("--") && line.chars().all(|c| "|-: ".contains(c))
}

/// The columns below "Passed" and "Failed".
fn columns_of_counts(head: &str) -> Option<(usize, usize)> {
    let small = head.to_lowercase();
    let names = small.trim_matches('|').split('|');
    let names: Vec<_> = names.map(|it| it.trim_matches(|it: char| !it.is_alphabetic())).collect();
    let find = |table: &[&str]| names.iter().position(|it| table.contains(it));
    find(&["passed", "pass", "passing"]).zip(find(&["failed", "fail", "failing", "failures"]))
}

fn row(text: &str, planned: bool, counts: Option<(usize, usize)>) -> Option<Passage> {
    let cells: Vec<_> = text.trim_matches('|').split('|').map(str::trim).collect();
    let label = cells.first()?;
    let count = |at: usize| cells.get(at)?.trim_matches('*').parse::<u64>().ok();
    let counted = counts.and_then(|(passed, failed)| Some((count(passed)?, count(failed)?)));
    let text = match counted {
        Some((passed, failed)) => format!("{label}: {passed} passed, {failed} failed"),
        None => format!("{label}: {}", cells.get(1)?),
    };
    Some(Passage { text, planned, row: true })
}

/// Tells whether a lead begins as an instruction does.
fn instructs(lead: &str) -> bool {
    let first = lead.trim_start_matches('*').split(|c: char| !c.is_alphanumeric()).next();
    first.is_some_and(|first| names(first, IMPERATIVES))
}

fn has_word(text: &str, words: &[&str]) -> bool {
    let lower = text.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|it| words.contains(&it))
}

/// Tells whether a title or a lead has one of the words.
pub(super) fn names(title: &str, words: &[&str]) -> bool {
    let lower = title.to_lowercase().replace('’', "'");
    let has = |word: &str| words.contains(&word) || is_plan(word);
    lower.split(|c: char| !c.is_alphanumeric() && c != '\'').any(has)
}
