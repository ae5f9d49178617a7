//! How a language writes comments and texts: the parts that its rows are made of.

/// A group of languages that share statements worth a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// Programs without statements of their own in the table of statements.
    Program,
    /// Settings, markup, styles, queries: only their comments are looked at.
    Data,
    CSharp,
    Dart,
    Elixir,
    JavaScript,
    Kotlin,
    Php,
    Python,
    Ruby,
    Rust,
    Scala,
    Shell,
}

/// Comments and texts of one language.
#[derive(Debug)]
pub(super) struct Syntax {
    pub(super) family: Family,
    /// What begins a comment that ends with its line.
    pub(super) line: &'static [&'static str],
    /// What begins and ends a comment of any length.
    pub(super) block: &'static [(&'static str, &'static str)],
    /// Longer openings stand before shorter ones.
    pub(super) quotes: &'static [Quote],
    pub(super) quirks: &'static [Quirk],
}

/// One way to write a text.
#[derive(Debug)]
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// The sign that takes the meaning from the next one; 0 is none.
    pub(super) escape: u8,
    /// Whether it may go on in the next line.
    pub(super) lines: Lines,
    /// What begins a piece of code in it; empty is none. It ends with the bracket that fits.
    pub(super) hole: &'static str,
}

/// Whether a text may go on in the next line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    One,
    Many,
}

/// What a language does that its neighbours do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quirk {
    /// A block comment holds block comments.
    Nested,
    /// A line comment begins a line or follows white space.
    SpacedComment,
    /// A line comment begins a line.
    FirstComment,
    /// `'` is a character between two of them, or a sign like any other.
    Character,
    /// `r#"…"#`
    RawText,
    /// `#"…"#`
    HashText,
    /// `R"mark(…)mark"`
    MarkedText,
    /// `[==[…]==]`, and a comment after `--`.
    LongBracket,
    /// `<<WORD`
    Heredoc,
    /// `<<<WORD`
    PhpHeredoc,
    /// `/…/` where a value could stand.
    Regex,
    /// `\` takes the meaning from the next sign outside of texts too.
    CodeEscape,
    /// `$"` is a character.
    DollarCharacter,
    /// Documentation from a line with `=word` to one with `=cut` or `=end`.
    Pod,
    /// A quote within a word is an apostrophe.
    SpacedQuote,
    /// A text of many lines at the beginning of a body is documentation, and so a comment: people
    /// leave notes there, and no program reads it.
    Docstring,
    /// Markup that holds scripts and styles.
    Scripts,
    /// Markup that holds PHP.
    PhpTags,
}

impl Syntax {
    pub(super) fn has(&self, quirk: Quirk) -> bool {
        self.quirks.contains(&quirk)
    }
}

/// `open … close` in one line, with `\`.
pub(super) const fn short(sign: &'static str) -> Quote {
    Quote { open: sign, close: sign, escape: b'\\', lines: Lines::One, hole: "" }
}

/// `open … close` in many lines, with `\`.
pub(super) const fn long(sign: &'static str) -> Quote {
    Quote { open: sign, close: sign, escape: b'\\', lines: Lines::Many, hole: "" }
}

/// `open … close` in many lines, as it stands.
pub(super) const fn raw(sign: &'static str) -> Quote {
    Quote { open: sign, close: sign, escape: 0, lines: Lines::Many, hole: "" }
}

impl Quote {
    pub(super) const fn with_holes(self, hole: &'static str) -> Self {
        Self { hole, ..self }
    }
}
