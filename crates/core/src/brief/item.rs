//! One thing in a brief: a line of ours that says what it is, who says it and when, and below it the
//! words of others, each line of them behind a bar.

use std::borrow::Cow;

use super::Last;
use super::source::Source;
use super::tokens::{CUT, cut, quarters};
use super::{told, words};
use crate::Timestamp;
use crate::foreign::inert;
use crate::hash::hash;
use crate::memory::{Category, Content, FieldValue, Memory, MemoryId, Trust};
use crate::recall::{Commit, Recalled, Snippet};

/// What every line of others begins with: nothing that they wrote stands at the beginning of one.
const BAR: &str = "| ";

/// Quarters of a token that must be left of the words of an item: less would tell nobody anything.
const LEAST: usize = 24;

/// Why lines of a file are there that nobody named.
const LATELY: &str = "changed lately";

/// One thing that may be put before an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) source: Source,
    /// The memory that it is.
    pub(super) id: Option<MemoryId>,
    /// What it is called where it is told why it was shown: the id of a memory or a commit, the
    /// place of code.
    pub(super) name: String,
    /// What it is, in words of ours.
    pub(super) head: String,
    /// Words of others, without signs that could mean more.
    pub(super) lines: Vec<String>,
    /// Whether they are the user's own.
    pub(super) is_quoted: bool,
    /// Of which file the lines are, where they are code.
    pub(super) path: Option<String>,
    /// Whether it is what the user wants of this session now: no recalled data.
    pub(super) is_wish: bool,
    /// How well it fits, or why it is there, where anybody said. It quotes nobody.
    pub(super) why: Option<String>,
}

/// An item as it stands in a brief.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) text: String,
    /// Quarters of a token that it takes.
    pub(super) size: usize,
    pub(super) is_cut: bool,
    /// How many of its lines are there as they are.
    pub(super) whole: usize,
}

impl Item {
    /// A memory. Where it was told before and is another one since, it is told so: nobody knows
    /// otherwise which of the two counts.
    pub(super) fn of_memory(found: &Recalled, is_again: bool, now: Timestamp) -> Self {
        let Recalled { memory, stale, .. } = found;
        let again = if is_again { " · changed since it was told" } else { "" };
        Self {
            source: Source::Memories,
            id: Some(memory.id.clone()),
            name: memory.id.to_string(),
            head: words::head(memory, stale.as_ref(), now) + again,
            lines: said(memory),
            is_quoted: memory.words() == Trust::User,
            path: None,
            is_wish: false,
            why: Some(format!("{:.2}", found.fit())),
        }
    }

    /// What the last busy session was about. Its words are those of the user and of an agent.
    pub(super) fn of_summary(last: &Last, now: Timestamp) -> Self {
        let Last { summary: memory, ended_at } = last;
        let Content { text, .. } = &memory.content;
        let line = |name: &str, texts: Vec<&str>| {
            let words: Vec<_> =
                texts.into_iter().flat_map(inert).map(|it| it.trim().to_owned()).collect();
            (!words.is_empty()).then(|| format!("{name}: {}", words.join(" ")))
        };
        let field =
            |name: &str| memory.content.field(name).map_or_else(Vec::new, FieldValue::texts);
        let lines = [
            line("asked for", field("goal")),
            line("left open", field("in_progress")),
            line("the agent's last words", vec![text]),
        ];
        let ended = format!("the last session here · ended {}", words::age(*ended_at, now));
        let files = words::files(memory, None).map(|it| format!(" · {it}")).unwrap_or_default();
        let head = format!("[{}] {ended}{files}", memory.id);
        let (source, id) = (Source::Session, Some(memory.id.clone()));
        let lines = lines.into_iter().flatten().collect();
        let name = memory.id.to_string();
        Self {
            source,
            id,
            name,
            head,
            lines,
            is_quoted: false,
            path: None,
            is_wish: false,
            why: None,
        }
    }

    /// Lines of a file. Where nobody named it, it is told why they are there.
    pub(super) fn of_snippet(snippet: &Snippet, now: Timestamp) -> Self {
        let Snippet { path, line, text, written_at, has } = snippet;
        let (name, own) = (format!("code {path}:{line}"), Some(path.clone()));
        let (path, age) = (words::path(path), words::age(*written_at, now));
        let why = has.as_ref().map(|_| LATELY.to_owned());
        let has = has.as_ref().map(|it| format!(" · {LATELY}, has {}", words::path(it)));
        let has = has.unwrap_or_default();
        let head = format!("code of {path} from line {line} on{has} · written {age}");
        let (source, lines) = (Source::Code, inert(text));
        Self {
            source,
            id: None,
            name,
            head,
            lines,
            is_quoted: false,
            path: own,
            is_wish: false,
            why,
        }
    }

    /// A commit.
    pub(super) fn of_commit(commit: &Commit, now: Timestamp) -> Self {
        let Commit { id, at, subject, path } = commit;
        let id = crate::foreign::inert_name(id, 12);
        let head =
            format!("commit {id} · {} · touched {}", words::age(*at, now), words::path(path));
        let (source, lines) = (Source::Commits, inert(subject));
        let name = format!("commit {id}");
        Self {
            source,
            id: None,
            name,
            head,
            lines,
            is_quoted: false,
            path: None,
            is_wish: false,
            why: None,
        }
    }

    /// What is kept of code and commits as they were told, so that they are shown once: numbers, for
    /// a name may hold whatever a file is called.
    pub(super) fn key(&self, written: &Written) -> Option<String> {
        match &self.path {
            Some(path) => Some(told::name(&told::numbers(path, &self.lines[..written.whole]))),
            None => self.number(),
        }
    }

    /// Whether an agent was told it, where these are the keys of all that it was told.
    pub(super) fn is_told(&self, told: &[String]) -> bool {
        match &self.path {
            Some(path) => told::has_most(&told::numbers(path, &self.lines), told),
            None => self.number().is_some_and(|it| told.contains(&it)),
        }
    }

    fn number(&self) -> Option<String> {
        let number = || format!("{:016x}", hash(self.name.as_bytes()));
        (self.source == Source::Commits).then(number)
    }

    /// Something that the ledger knows of the session.
    pub(super) fn of_session(head: String, lines: Vec<String>, is_quoted: bool) -> Self {
        let (source, name) = (Source::Session, "session".to_owned());
        Self {
            source,
            id: None,
            name,
            head,
            lines,
            is_quoted,
            path: None,
            is_wish: false,
            why: None,
        }
    }

    /// It within so many quarters of a token; `None` where too little of its words would be left.
    pub(super) fn written(&self, most: usize) -> Option<Written> {
        let (opening, closing) = if self.is_quoted { ("“", "”") } else { ("", "") };
        let around = quarters(&self.head) + 1 + quarters(opening) + quarters(closing);
        let mut left = most.checked_sub(around)?;
        let mut lines: Vec<Cow<'_, str>> = Vec::new();
        for (number, line) in self.lines.iter().enumerate() {
            // A cut is told, also where it falls between two lines.
            let mark = if number + 1 == self.lines.len() { 0 } else { quarters(CUT) };
            let room = left.checked_sub(quarters(BAR) + 1);
            let Some(rest) = room.and_then(|it| it.checked_sub(quarters(line) + mark)) else {
                lines.extend(room.and_then(|it| cut(line, it)).map(Cow::Owned));
                break;
            };
            left = rest + mark;
            lines.push(Cow::Borrowed(line));
        }
        let is_cut = lines.iter().map(AsRef::as_ref).ne(self.lines.iter().map(String::as_str));
        if is_cut {
            let says_nothing = |it: &Cow<'_, str>| it.is_empty() || it == CUT;
            while lines.pop_if(|it| says_nothing(it)).is_some() {}
            let last = lines.last_mut()?;
            if !last.ends_with(CUT) {
                last.to_mut().push_str(CUT);
            }
        }
        let spent = || lines.iter().map(|it| quarters(it)).sum::<usize>();
        if lines.is_empty() || is_cut && spent() < LEAST {
            return None;
        }
        let words = format!("{opening}{}{closing}", lines.join("\n"));
        let mut text = format!("{}\n", self.head);
        for line in words.lines() {
            text.push_str(BAR);
            text.push_str(line);
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        let (size, whole) = (quarters(&text), lines.len() - usize::from(is_cut));
        Some(Written { text, size, is_cut, whole })
    }
}

/// What a memory says: its title where the words below do not have it, its words, and its fields
/// where they say more. Of a run that was seen the first words say everything.
fn said(memory: &Memory) -> Vec<String> {
    let content = &memory.content;
    let says = content.says();
    let bare = content.title.trim_end_matches('…');
    let mut lines = Vec::new();
    // Mostly it is what the words begin with, as it stands.
    if !says.contains(bare) && !squeezed(says).contains(&squeezed(bare)) {
        lines.extend(inert(&content.title));
    }
    lines.extend(inert(says));
    let is_told = memory.origin.is_of_run() || content.category == Category::SessionSummary;
    let fields = content.fields.iter().filter(|_| !is_told);
    for (name, value) in fields {
        let texts = value.texts();
        // A part of a value may stand in other words by chance: only all of it is said already.
        let is_said = texts.iter().all(|it| *it == says || squeezed(it) == squeezed(says));
        let texts: Vec<_> = texts.into_iter().map(|it| inert(it).join(" ")).collect();
        if !is_said && !matches!(value, FieldValue::Switch(_)) {
            lines.push(format!("{}: {}", name.replace('_', " "), texts.join("; ")));
        }
    }
    lines.retain(|it| !it.is_empty());
    lines
}

fn squeezed(text: &str) -> String {
    text.split(|it: char| !it.is_alphanumeric()).collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::Item;
    use crate::brief::tokens::quarters;

    fn item(lines: &[&str], is_quoted: bool) -> Item {
        let lines = lines.iter().map(|&it| it.to_owned()).collect();
        Item::of_session("head".to_owned(), lines, is_quoted)
    }

    #[test]
    fn words_of_others_stand_behind_a_bar() {
        let written = item(&["one", "two"], false).written(100).unwrap();
        assert_eq!((written.text.as_str(), written.is_cut), ("head\n| one\n| two\n", false));
        let written = item(&["one", "two"], true).written(100).unwrap();
        assert_eq!(written.text, "head\n| “one\n| two”\n");
        let written = item(&["a", "", "b"], false).written(100).unwrap();
        assert_eq!(written.text, "head\n| a\n|\n| b\n");
        assert_eq!(item(&[], false).written(100), None);
    }

    #[test]
    fn an_item_is_cut_and_says_so() {
        let line = "one two three four five six seven eight nine ten";
        let written = item(&[line], true).written(50).unwrap();
        assert!(written.is_cut && written.text.ends_with("…”\n"), "{written:?}");
        assert_eq!(item(&[line], false).written(20), None);
        let lines = [line; 9];
        for is_quoted in [true, false] {
            for most in 0..600 {
                if let Some(written) = item(&lines, is_quoted).written(most) {
                    assert!(quarters(&written.text) <= most, "{most}: {written:?}");
                    assert_eq!(written.is_cut, written.text.contains('…'), "{most}: {written:?}");
                }
            }
        }
    }
}
