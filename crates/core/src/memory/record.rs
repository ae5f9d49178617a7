//! What a memory says, and what it may say.

use std::fmt;

use super::claim::claim_of;
use super::{Category, Field, FieldValue};
use crate::is_hidden;
use crate::path::bare_file;

/// Characters of a title.
pub const MAX_TITLE: usize = 120;
/// Bytes of a text, and of each text of a field.
pub const MAX_TEXT: usize = 4000;
/// Tags, files and texts of one field.
pub(super) const MAX_MANY: usize = 50;
/// Bytes of a tag, and of the name of a file.
const MAX_NAME: usize = 512;

/// What a memory says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// What kind of knowledge it is.
    pub category: Category,
    /// It in one line.
    pub title: String,
    /// It in its own words; empty where the fields say everything.
    pub text: String,
    /// The fields of its category, in the order of their table.
    pub fields: Vec<(&'static str, FieldValue)>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// The files that it is about.
    pub files: Vec<String>,
}

/// What a memory is to say, before it was looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Draft {
    /// What kind of knowledge it is; a discovery unless told.
    pub category: Option<Category>,
    /// It in one line; the beginning of the text unless told.
    pub title: Option<String>,
    /// It in its own words.
    pub text: String,
    /// Fields by their names.
    pub fields: Vec<(String, FieldValue)>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// The files that it is about.
    pub files: Vec<String>,
}

/// What is to be other in a memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits {
    /// Another category. Fields that it does not have go.
    pub category: Option<Category>,
    /// Another title.
    pub title: Option<String>,
    /// Another text.
    pub text: Option<String>,
    /// Fields in the place of those of the same name; an empty text takes one away.
    pub fields: Vec<(String, FieldValue)>,
    /// Other tags.
    pub tags: Option<Vec<String>>,
    /// Other files.
    pub files: Option<Vec<String>>,
}

impl Edits {
    /// Whether nothing is to be other.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What is wrong with a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The category has no such field.
    Unknown {
        /// Which category.
        category: Category,
        /// What was written.
        field: String,
    },
    /// The field takes something else.
    Wrong {
        /// Which field.
        field: &'static Field,
    },
    /// It says nothing.
    Empty {
        /// What it was to be.
        category: Category,
    },
    /// Something is too long.
    Long {
        /// What.
        what: String,
        /// How many it may have.
        most: usize,
        /// Of what: bytes or characters.
        unit: &'static str,
    },
    /// There are too many of something.
    Many {
        /// What.
        what: String,
    },
}

impl Draft {
    /// Looks at it. The first thing that is wrong is told.
    pub fn check(self) -> Result<Content, Fault> {
        let category = self.category.unwrap_or_default();
        let fields = fields(category, self.fields)?;
        let text = long("the text", seen(&self.text).trim(), MAX_TEXT)?;
        let main = fields.iter().find(|it| it.0 == category.fields()[0].name);
        let main = main.and_then(|it| it.1.texts().first().map(|it| (*it).to_owned()));
        if text.is_empty() && main.is_none() {
            return Err(Fault::Empty { category });
        }
        let title = self.title.as_deref().map(|it| without_emphasis(&one_line(it)));
        let title = title.filter(|it| !is_blank(it));
        let title = match title {
            Some(title) if title.chars().count() > MAX_TITLE => {
                return Err(Fault::Long {
                    what: "the title".to_owned(),
                    most: MAX_TITLE,
                    unit: "characters",
                });
            }
            Some(title) => title,
            None => {
                title_of(if text.is_empty() { main.as_deref().unwrap_or_default() } else { &text })
            }
        };
        let (tags, files) = (names("tags", self.tags)?, names("files", self.files)?);
        Ok(Content { category, title, text, fields, tags, files })
    }
}

fn fields(
    category: Category,
    given: Vec<(String, FieldValue)>,
) -> Result<Vec<(&'static str, FieldValue)>, Fault> {
    let mut taken: Vec<(&'static Field, FieldValue)> = Vec::new();
    for (name, value) in given {
        let field = category.field(&name).ok_or(Fault::Unknown { category, field: name })?;
        let value = match value {
            FieldValue::Text(text) => FieldValue::Text(seen(&text).to_owned()),
            FieldValue::List(mut texts) => {
                texts.retain(|it| !is_blank(it));
                FieldValue::List(texts)
            }
            switch @ FieldValue::Switch(_) => switch,
        };
        let value = field.kind.take(value).ok_or(Fault::Wrong { field })?;
        // Whoever names a list several times means all of it; of other fields the last one counts.
        match (taken.iter_mut().find(|it| it.0 == field), value) {
            (Some((_, FieldValue::List(texts))), FieldValue::List(more)) => texts.extend(more),
            (Some(known), value) => known.1 = value,
            (None, value) => taken.push((field, value)),
        }
    }
    for (field, value) in &taken {
        let texts = value.texts();
        if texts.len() > MAX_MANY {
            return Err(Fault::Many { what: format!("texts in the field `{}`", field.name) });
        }
        for text in texts {
            long(&format!("the field `{}`", field.name), text, MAX_TEXT)?;
        }
    }
    let place = |name: &str| category.fields().iter().position(|it| it.name == name);
    let mut fields: Vec<_> = taken.into_iter().map(|it| (it.0.name, it.1)).collect();
    fields.sort_by_key(|it| place(it.0));
    Ok(fields)
}

fn names(what: &str, given: Vec<String>) -> Result<Vec<String>, Fault> {
    let mut names: Vec<String> = Vec::new();
    for name in given {
        let name = long(what, &one_line(&name), MAX_NAME)?;
        if !is_blank(&name) && !names.contains(&name) {
            names.push(name);
        }
    }
    if names.len() > MAX_MANY { Err(Fault::Many { what: what.to_owned() }) } else { Ok(names) }
}

fn long(what: &str, text: &str, most: usize) -> Result<String, Fault> {
    if text.len() > most {
        return Err(Fault::Long { what: what.to_owned(), most, unit: "bytes" });
    }
    Ok(text.to_owned())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether nobody sees anything of a text.
fn is_blank(text: &str) -> bool {
    // The last one is a Braille cell without a dot, which no terminal shows either.
    text.chars().all(|it| it.is_whitespace() || is_hidden(it) || it == '\u{2800}')
}

/// A text; an empty one where nobody would see anything of it.
fn seen(text: &str) -> &str {
    if is_blank(text) { "" } else { text }
}

/// The first sentence of a text, as far as it fits.
fn title_of(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|it| !is_blank(it)).unwrap_or_default();
    let line = without_emphasis(line);
    let line = one_line(without_bullet(&line));
    let end = line.find(". ").unwrap_or(line.len());
    let title = line[..end].trim_end_matches('.');
    if is_blank(title) { cut_title(&without_emphasis(&one_line(text))) } else { cut_title(title) }
}

/// A line without the marks of a list, a heading or a quotation before it. A star is one where a
/// space follows.
fn without_bullet(line: &str) -> &str {
    let mut rest = line;
    loop {
        rest = rest.trim_start_matches(['#', '-', '>', ' ']);
        match rest.strip_prefix('*') {
            Some(after) if after.is_empty() || after.starts_with([' ', '\t']) => rest = after,
            _ => return rest,
        }
    }
}

/// A line without the marks that set words in bold or italics. In `src/**/*.rs`, `2**8` and `a ** b`
/// they are no such marks, and between backticks nothing is.
fn without_emphasis(line: &str) -> String {
    if !line.contains('*') {
        return line.to_owned();
    }
    let bare = without_bold(line);
    let pieces = bare.split('`').enumerate();
    let pieces: Vec<_> = pieces
        .map(|(number, it)| if number % 2 == 0 { without_italics(it) } else { it.to_owned() })
        .collect();
    pieces.join("`")
}

/// A text without the pairs of single stars around words.
fn without_italics(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = |place: Option<usize>| place.and_then(|it| chars.get(it)).copied();
    let is_alone = |it: usize| {
        chars[it] == '*' && at(it.checked_sub(1)) != Some('*') && at(Some(it + 1)) != Some('*')
    };
    let opens = |it: usize| {
        let before = at(it.checked_sub(1));
        is_alone(it)
            && before.is_none_or(|it| it.is_whitespace() || "([{\"'“‘—".contains(it))
            && at(Some(it + 1)).is_some_and(|it| it.is_alphanumeric() || "\"'“‘(".contains(it))
    };
    let closes = |it: usize| {
        let after = at(Some(it + 1));
        is_alone(it)
            && at(it.checked_sub(1)).is_some_and(|it| !it.is_whitespace() && it != '/')
            && after.is_none_or(|it| it.is_whitespace() || ".,;:!?)]}\"'”’—".contains(it))
    };
    let mut dropped = Vec::new();
    let mut place = 0;
    while place < chars.len() {
        if opens(place)
            && let Some(end) = (place + 2..chars.len()).find(|it| closes(*it))
        {
            dropped.extend([place, end]);
            place = end;
        }
        place += 1;
    }
    let kept = chars.iter().enumerate().filter(|it| !dropped.contains(&it.0));
    kept.map(|it| it.1).collect()
}

fn without_bold(line: &str) -> String {
    if !line.contains("**") {
        return line.to_owned();
    }
    let mut bare = String::with_capacity(line.len());
    let mut is_open = false;
    for (number, piece) in line.split('`').enumerate() {
        if number > 0 {
            bare.push('`');
        }
        let mut rest = piece;
        // Behind an odd number of backticks stands code.
        while let Some(at) = rest.find("**").filter(|_| number % 2 == 0) {
            let after = rest[at..].trim_start_matches('*');
            let marks = &rest[at..rest.len() - after.len()];
            let (before, next) = (rest[..at].chars().next_back(), after.chars().next());
            let is_path = before == Some('/') || matches!(next, Some('/' | '.'));
            let is_power =
                !is_open && [before, next].iter().all(|it| it.is_some_and(char::is_alphanumeric));
            let is_operator = [before, next].iter().all(|it| it.is_some_and(char::is_whitespace));
            bare.push_str(&rest[..at]);
            if is_path || is_power || is_operator {
                bare.push_str(marks);
            } else {
                is_open = !is_open;
            }
            rest = after;
        }
        bare.push_str(rest);
    }
    bare.trim().to_owned()
}

/// A title that fits.
pub fn cut_title(title: &str) -> String {
    if title.chars().count() <= MAX_TITLE {
        return title.to_owned();
    }
    let cut: String = title.chars().take(MAX_TITLE - 1).collect();
    let end = cut.rfind(' ').filter(|it| *it > cut.len() / 2).unwrap_or(cut.len());
    format!("{}…", &cut[..end])
}

impl Content {
    /// A number that stands for what it claims.
    pub fn claim_number(&self) -> u64 {
        claim_of(self.says())
    }

    /// Whether somebody gave it a title, or it has the one that its words make.
    pub(super) fn has_own_title(&self) -> bool {
        self.title != title_of(self.says())
    }

    /// The words that it claims something with: its own, or what its first field says in their place.
    pub fn says(&self) -> &str {
        let main = self.category.fields()[0].name;
        let main = || self.field(main).and_then(|it| it.texts().first().copied());
        if self.text.is_empty() { main().unwrap_or(&self.title) } else { &self.text }
    }

    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&FieldValue> {
        self.fields.iter().find(|it| it.0 == name).map(|it| &it.1)
    }

    /// Whether a field has this value, and no other.
    pub fn has(&self, name: &str, value: &str) -> bool {
        self.field(name).is_some_and(|it| it.texts() == [value])
    }

    /// The names of the files that it is about, as others compare them.
    pub fn file_names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|it| bare_file(it))
    }

    /// Every text in it that somebody wrote; not names of files, tags, or words to choose from.
    pub fn prose(&self) -> Vec<&str> {
        let is_prose = |name: &str| self.category.field(name).is_some_and(|it| it.kind.is_prose());
        let fields = self.fields.iter().filter(|it| is_prose(it.0)).flat_map(|it| it.1.texts());
        [self.title.as_str(), &self.text].into_iter().chain(fields).collect()
    }

    /// Whether nothing is left in it of what another one says, in the same words.
    pub fn is_reworded(&self, old: &Self) -> bool {
        let said = old.prose();
        self.prose().iter().all(|it| it.is_empty() || !said.contains(it))
    }

    /// It with something other in it.
    pub fn edited(&self, edits: Edits) -> Result<Self, Fault> {
        let mut draft = self.draft();
        let category = edits.category.unwrap_or(self.category);
        let is_given = |name: &str| {
            let field = category.field(name);
            edits.fields.iter().any(|it| category.field(&it.0) == field)
        };
        draft.fields.retain(|(name, value)| {
            let field = category.field(name);
            let fits = field.is_some_and(|it| it.kind.take(value.clone()).is_some());
            fits && !is_given(name)
        });
        draft.category = Some(category);
        for (name, value) in edits.fields {
            let is_gone = matches!(&value, FieldValue::Text(text) if is_blank(text));
            if !is_gone || category.field(&name).is_none() {
                draft.fields.push((name, value));
            }
        }
        // A title that was made of the text goes with it.
        let is_made = edits.text.as_ref().is_some_and(|it| *it != self.text)
            && one_line(&without_emphasis(&self.text)).contains(self.title.trim_end_matches('…'));
        draft.title = edits.title.or(draft.title.filter(|_| !is_made));
        draft.text = edits.text.unwrap_or(draft.text);
        draft.tags = edits.tags.unwrap_or(draft.tags);
        draft.files = edits.files.unwrap_or(draft.files);
        draft.check()
    }

    /// It as a draft again.
    pub fn draft(&self) -> Draft {
        let fields = self.fields.iter().map(|it| (it.0.to_owned(), it.1.clone()));
        Draft {
            category: Some(self.category),
            title: Some(self.title.clone()),
            text: self.text.clone(),
            fields: fields.collect(),
            tags: self.tags.clone(),
            files: self.files.clone(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { category, field } => {
                let fields: Vec<_> = category.fields().iter().map(|it| it.name).collect();
                let word = category.word();
                write!(f, "`{field}` is no field of a {word}; it has {}", fields.join(", "))
            }
            Self::Wrong { field } => write!(f, "the field `{}` takes {}", field.name, field.kind),
            Self::Empty { category } => {
                let main = category.fields()[0].name;
                write!(f, "a {} needs a text, or the field `{main}`", category.word())
            }
            Self::Long { what, most, unit } => {
                write!(f, "{what} is too long: it may have {most} {unit}")
            }
            Self::Many { what } => write!(f, "too many {what}: there may be {MAX_MANY}"),
        }
    }
}

impl std::error::Error for Fault {}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> FieldValue {
        FieldValue::Text(text.to_owned())
    }

    fn draft(category: Category, fields: &[(&str, FieldValue)]) -> Draft {
        let fields = fields.iter().map(|it| (it.0.to_owned(), it.1.clone())).collect();
        Draft { category: Some(category), text: "It is so.".to_owned(), fields, ..Draft::default() }
    }

    #[test]
    fn fields_are_taken_in_the_order_of_the_table_and_lists_grow() {
        let given = [
            ("Rationale", text("fast")),
            ("decision", text("use SQLite")),
            ("rationale", text("one file")),
            ("status", text("proposed")),
            ("status", text("Accepted")),
        ];
        let content = draft(Category::Decision, &given).check().unwrap();
        let list = FieldValue::List(vec!["fast".to_owned(), "one file".to_owned()]);
        assert_eq!(
            content.fields,
            [("decision", text("use SQLite")), ("status", text("accepted")), ("rationale", list)]
        );
        assert_eq!(content.title, "It is so");
        assert_eq!(content.draft().check(), Ok(content));
    }

    #[test]
    fn what_is_wrong_is_named_with_what_is_right() {
        let wrong = |draft: Draft| draft.check().unwrap_err().to_string();
        let unknown = wrong(draft(Category::Decision, &[("steps", text("x"))]));
        assert_eq!(
            unknown,
            "`steps` is no field of a decision; it has decision, status, context, alternatives, \
             rationale, consequences"
        );
        let kind = wrong(draft(Category::Constraint, &[("severity", text("huge"))]));
        assert_eq!(kind, "the field `severity` takes one of high, medium, low");
        let day = wrong(draft(Category::Constraint, &[("expires", text("soon"))]));
        assert_eq!(day, "the field `expires` takes a day such as 2026-11-15");
        let none = Draft { category: Some(Category::Runbook), ..Draft::default() };
        assert_eq!(wrong(none), "a runbook needs a text, or the field `trigger`");
        let long = Draft { title: Some("x".repeat(121)), ..draft(Category::Discovery, &[]) };
        assert_eq!(wrong(long), "the title is too long: it may have 120 characters");
        let long = Draft { text: "x".repeat(MAX_TEXT + 1), ..Draft::default() };
        assert_eq!(wrong(long), "the text is too long: it may have 4000 bytes");
        let tags = (0..=MAX_MANY).map(|it| it.to_string()).collect();
        let many = Draft { tags, ..draft(Category::Discovery, &[]) };
        assert_eq!(wrong(many), "too many tags: there may be 50");
    }

    #[test]
    fn what_nobody_sees_is_empty() {
        for unseen in
            [" \u{200b}\u{200b} ", "\u{202e}\u{2066}", "\u{e0041}", "\u{0}\u{7}", "\u{2800}"]
        {
            let empty = Draft { text: unseen.to_owned(), ..Draft::default() };
            assert!(matches!(empty.check(), Err(Fault::Empty { .. })), "{unseen:?}");
            let field = draft(Category::Discovery, &[("finding", text(unseen))]).check();
            assert!(matches!(field, Err(Fault::Wrong { .. })), "{unseen:?}");
            let list = FieldValue::List(vec![unseen.to_owned(), "a log".to_owned()]);
            let given = Draft {
                title: Some(unseen.to_owned()),
                tags: vec![unseen.to_owned(), "tag".to_owned()],
                files: vec![unseen.to_owned()],
                ..draft(Category::Discovery, &[("evidence", list)])
            };
            let content = given.check().unwrap();
            assert_eq!((content.title.as_str(), content.tags.len()), ("It is so", 1));
            assert_eq!(content.files, Vec::<String>::new());
            assert_eq!(content.fields[0].1.texts(), ["a log"]);
            // It takes a field away as an empty text does.
            let fields = vec![("evidence".to_owned(), text(unseen))];
            let edited = content.edited(Edits { fields, ..Edits::default() }).unwrap();
            assert_eq!(edited.fields, []);
            let below = Draft { text: format!("{unseen}\nIt shows."), ..Draft::default() };
            assert_eq!(below.check().unwrap().title, "It shows");
            let behind = Draft { text: format!("# {unseen}. It shows"), ..Draft::default() };
            assert!(behind.check().unwrap().title.contains("It shows"));
        }
        // A mark between words stays.
        let marked = Draft { text: "a\u{200d}b".to_owned(), ..Draft::default() };
        assert_eq!(marked.check().unwrap().text, "a\u{200d}b");
    }

    #[test]
    fn every_field_of_every_category_is_taken_and_refused() {
        use crate::memory::FieldKind;
        for category in Category::ALL {
            for field in category.fields() {
                let good = match field.kind {
                    FieldKind::Text | FieldKind::List => text("words"),
                    FieldKind::Choice(words) => text(words[0]),
                    FieldKind::Switch => FieldValue::Switch(true),
                    FieldKind::Date => text("2026-11-15"),
                };
                let taken = draft(category, &[(field.name, good)]).check().unwrap();
                assert_eq!(taken.fields.len(), 1, "{}", field.name);
                let bad = draft(category, &[(field.name, text(" "))]).check();
                assert_eq!(bad, Err(Fault::Wrong { field }));
            }
        }
    }

    #[test]
    fn an_edit_replaces_fields_and_an_empty_one_takes_them_away() {
        let given =
            [("status", text("proposed")), ("rationale", text("fast")), ("context", text("c"))];
        let content = draft(Category::Decision, &given).check().unwrap();
        let fields = [("rationale", "small"), ("rationale", "one file"), ("context", "")];
        let fields = fields.map(|it| (it.0.to_owned(), text(it.1))).to_vec();
        let edited = content.edited(Edits { fields, ..Edits::default() }).unwrap();
        let list = FieldValue::List(vec!["small".to_owned(), "one file".to_owned()]);
        assert_eq!(edited.fields, [("status", text("proposed")), ("rationale", list)]);
        assert_eq!((&edited.title, &edited.text), (&content.title, &content.text));
        // Of another category only the fields stay that it has, with words that it knows.
        let category = Some(Category::TechDebt);
        let edited = content.edited(Edits { category, ..Edits::default() }).unwrap();
        assert_eq!(edited.fields, []);
        let unknown = vec![("steps".to_owned(), text(""))];
        let wrong = content.edited(Edits { fields: unknown, ..Edits::default() });
        assert!(matches!(wrong, Err(Fault::Unknown { .. })), "{wrong:?}");
        assert!(Edits::default().is_empty());
        assert_eq!(content.edited(Edits::default()), Ok(content));
    }

    #[test]
    fn a_title_is_the_first_sentence_as_far_as_it_fits() {
        let title = |text: &str| {
            let draft = Draft { text: text.to_owned(), ..Draft::default() };
            draft.check().unwrap().title
        };
        assert_eq!(title("- The port is reused. So it fails."), "The port is reused");
        assert_eq!(title("\n\n## One\ttwo\nthree"), "One two");
        assert_eq!(title("See store.rs for it"), "See store.rs for it");
        let long = title(&"word ".repeat(50));
        assert!(long.ends_with("word…") && long.chars().count() <= MAX_TITLE, "{long}");
        assert_eq!(title(&"長".repeat(200)).chars().count(), MAX_TITLE);
    }

    #[test]
    fn a_title_has_no_marks_of_bold_words() {
        for (text, expected) in [
            ("**Cause:** the port is reused", "Cause: the port is reused"),
            ("The **port** is reused**", "The port is reused"),
            ("1) **Never** push to main", "1) Never push to main"),
            ("**Use tabs**text", "Use tabstext"),
            ("A ***very*** loud word", "A very loud word"),
            ("Lint src/**/*.rs and **/*.ts", "Lint src/**/*.rs and **/*.ts"),
            ("2**8 is 256", "2**8 is 256"),
            ("a ** b is a power", "a ** b is a power"),
            ("*italics* matter", "italics matter"),
            ("*italics matter", "*italics matter"),
            ("All of *this and that*, please", "All of this and that, please"),
            ("Take a * b, not a*b", "Take a * b, not a*b"),
            ("Lint *.rs and *.ts", "Lint *.rs and *.ts"),
            ("`a ** b` is a power", "`a ** b` is a power"),
        ] {
            let draft = Draft { text: text.to_owned(), ..Draft::default() };
            assert_eq!(draft.check().unwrap().title, expected, "{text}");
            let title = Some(text.to_owned());
            let draft = Draft { title, text: "Other words".to_owned(), ..Draft::default() };
            assert_eq!(draft.check().unwrap().title, expected, "{text}");
        }
        // One that was made of the text goes with it, marks or not.
        let made = Draft { text: "The **port** is reused".to_owned(), ..Draft::default() };
        let edits = Edits { text: Some("Two runs share it".to_owned()), ..Edits::default() };
        assert_eq!(made.check().unwrap().edited(edits).unwrap().title, "Two runs share it");
    }

    #[test]
    fn a_memory_claims_its_text_or_its_first_field() {
        let mut content =
            draft(Category::Preference, &[("value", text("use tabs"))]).check().unwrap();
        assert_eq!(content.says(), "It is so.");
        content.text.clear();
        assert_eq!(content.says(), "use tabs");
        content.fields.clear();
        assert_eq!(content.says(), "It is so");
    }
}
