//! What begins at a byte of code: a comment, a text, or nothing.

use super::scan::{Class, Scanner, State};
use super::syntax::{Family, Quirk, Syntax};

/// How long a regular expression may be.
const MAX_REGEX: usize = 256;
/// How long the mark of a C++ text may be, as the language has it.
const MAX_MARK: usize = 16;
/// Words after which a value stands, so that `/` begins a regular expression.
const BEFORE_VALUE: &[&str] = &[
    "return", "typeof", "case", "in", "of", "do", "else", "void", "delete", "throw", "new",
    "await", "yield", "if", "unless", "when", "and", "or", "not", "while", "until", "split",
];

/// The bytes at which something could begin or end in code.
pub(super) fn special(syntax: &Syntax, script_end: Option<&str>) -> [bool; 256] {
    let mut special = [false; 256];
    let mut mark = |text: &str| {
        if let Some(byte) = text.bytes().next() {
            special[usize::from(byte)] = true;
        }
    };
    syntax.line.iter().for_each(|it| mark(it));
    syntax.block.iter().for_each(|it| mark(it.0));
    syntax.quotes.iter().for_each(|it| mark(it.open));
    mark(script_end.unwrap_or_default());
    for sign in ["\n", "(", ")", "{", "}"] {
        mark(sign);
    }
    for quirk in syntax.quirks {
        mark(match quirk {
            Quirk::Character => "'",
            Quirk::RawText => "r",
            Quirk::HashText => "#",
            Quirk::MarkedText => "R",
            Quirk::LongBracket => "[",
            Quirk::Heredoc | Quirk::PhpHeredoc | Quirk::Scripts | Quirk::PhpTags => "<",
            Quirk::Regex => "/",
            Quirk::CodeEscape => "\\",
            Quirk::DollarCharacter => "$",
            Quirk::Pod => "=",
            Quirk::Nested
            | Quirk::SpacedComment
            | Quirk::FirstComment
            | Quirk::SpacedQuote
            | Quirk::Docstring => "",
        });
    }
    special
}

/// The part that begins at a byte of code, and how many bytes open it.
pub(super) fn at(scanner: &Scanner<'_>, at: usize) -> Option<(State, usize)> {
    comment(scanner, at).or_else(|| text(scanner, at))
}

/// Whether a script in markup ends here.
pub(super) fn ends_script(scanner: &Scanner<'_>, at: usize, end: &str) -> bool {
    let found = scanner.text.get(at..at + end.len());
    found.is_some_and(|it| it.eq_ignore_ascii_case(end.as_bytes()))
}

/// How many bytes after this one of code have no meaning.
pub(super) fn escaped(scanner: &Scanner<'_>, at: usize) -> usize {
    match scanner.text[at] {
        b'\\' if scanner.syntax.has(Quirk::CodeEscape) => 1,
        b'$' if scanner.syntax.has(Quirk::DollarCharacter) => {
            if scanner.starts(at + 1, "\\") {
                2
            } else {
                1
            }
        }
        _ => 0,
    }
}

fn comment(scanner: &Scanner<'_>, at: usize) -> Option<(State, usize)> {
    let syntax = scanner.syntax;
    if syntax.has(Quirk::LongBracket)
        && scanner.starts(at, "--")
        && let Some((close, opening)) = long_bracket(scanner, at + 2)
    {
        return Some((State::Raw(close, Class::Comment), opening + 2));
    }
    if let Some(row) = syntax.block.iter().position(|it| scanner.starts(at, it.0)) {
        return Some((State::BlockComment(row, 1), syntax.block[row].0.len()));
    }
    let before = scanner.before(at);
    if scanner.text[at] == b'=' && syntax.has(Quirk::Pod) && before == b'\n' {
        let word = scanner.text.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        let begin = scanner.starts(at, "=begin");
        let whole = begin && !scanner.text.get(at + 6).copied().is_some_and(is_word);
        return (word && (whole || syntax.family != Family::Ruby))
            .then_some((State::Documentation, 0));
    }
    let opening = syntax.line.iter().find(|it| scanner.starts(at, it))?;
    let begins = match *opening {
        // An address, whatever stands around it.
        "//" => before != b':',
        // An attribute of PHP.
        "#" if syntax.family == Family::Php => !scanner.starts(at, "#["),
        _ if syntax.has(Quirk::SpacedComment) => before.is_ascii_whitespace() || before == b';',
        _ if syntax.has(Quirk::FirstComment) => begins_line(scanner, at),
        _ => true,
    };
    begins.then_some((State::LineComment, opening.len()))
}

fn begins_line(scanner: &Scanner<'_>, at: usize) -> bool {
    let before = scanner.text[..at].iter().rev();
    before.copied().find(|it| !matches!(it, b' ' | b'\t')).is_none_or(|it| it == b'\n')
}

fn text(scanner: &Scanner<'_>, at: usize) -> Option<(State, usize)> {
    let syntax = scanner.syntax;
    match scanner.text[at] {
        b'\'' if syntax.has(Quirk::Character) => return character(scanner, at),
        b'r' if syntax.has(Quirk::RawText) => return raw_text(scanner, at),
        b'#' if syntax.has(Quirk::HashText) => return hash_text(scanner, at, at),
        b'R' if syntax.has(Quirk::MarkedText) => return marked_text(scanner, at),
        b'[' if syntax.has(Quirk::LongBracket) => {
            let (close, opening) = long_bracket(scanner, at)?;
            return Some((State::Raw(close, Class::Text), opening));
        }
        b'/' if syntax.has(Quirk::Regex) => return regex(scanner, at),
        _ => {}
    }
    let quote = syntax.quotes.iter().find(|it| scanner.starts(at, it.open))?;
    let before = scanner.before(at);
    // `1'000` in C++, `it's` in YAML.
    let apostrophe = quote.open == "'" && before.is_ascii_digit()
        || syntax.has(Quirk::SpacedQuote) && !before.is_ascii_whitespace() && !is_bracket(before);
    if apostrophe {
        return None;
    }
    let is_body = matches!(scanner.last, 0 | b':');
    let documents = quote.open.len() == 3 && syntax.has(Quirk::Docstring) && is_body;
    let class = if documents { Class::Comment } else { Class::Text };
    Some((State::Quoted(quote, class), quote.open.len()))
}

fn is_bracket(byte: u8) -> bool {
    matches!(byte, b'[' | b'{' | b'(' | b',')
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// `'x'` and `'\n'`; everything else is a lifetime, a type variable or the end of a name.
fn character(scanner: &Scanner<'_>, at: usize) -> Option<(State, usize)> {
    let before = scanner.before(at);
    let prefix = before == b'b' && !is_word(scanner.before(at - 1));
    if is_word(before) && !prefix || matches!(before, b'\'' | b')' | b']') {
        return None;
    }
    let rest = &scanner.text[at + 1..];
    let length = match rest.first()? {
        b'\\' => {
            let rest = &rest[..rest.len().min(12)];
            2 + rest.iter().skip(2).position(|it| *it == b'\'')?
        }
        b'\'' | b'\n' => return None,
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    };
    (rest.get(length) == Some(&b'\'')).then_some((State::Until(at + length + 2), 0))
}

fn raw_text(scanner: &Scanner<'_>, at: usize) -> Option<(State, usize)> {
    let before = scanner.before(at);
    let prefix = matches!(before, b'b' | b'c') && !is_word(scanner.before(at - 1));
    if is_word(before) && !prefix {
        return None;
    }
    hash_text(scanner, at, at + 1)
}

/// Any number of `#`, then a quote; it ends with a quote and as many of them.
fn hash_text(scanner: &Scanner<'_>, at: usize, from: usize) -> Option<(State, usize)> {
    let rest = scanner.text.get(from..)?;
    let hashes = rest.iter().take(256).take_while(|it| **it == b'#').count();
    if rest.get(hashes) != Some(&b'"') {
        return None;
    }
    let mut close = vec![b'"'];
    close.resize(hashes + 1, b'#');
    Some((State::Raw(close, Class::Text), from - at + hashes + 1))
}

fn marked_text(scanner: &Scanner<'_>, at: usize) -> Option<(State, usize)> {
    let before = scanner.before(at);
    let rest = scanner.text[at..].strip_prefix(b"R\"")?;
    if is_word(before) && !matches!(before, b'u' | b'U' | b'L' | b'8') {
        return None;
    }
    let mark = rest.iter().take(MAX_MARK + 1).position(|it| *it == b'(')?;
    let mut close = vec![b')'];
    close.extend_from_slice(&rest[..mark]);
    close.push(b'"');
    Some((State::Raw(close, Class::Text), mark + 3))
}

fn long_bracket(scanner: &Scanner<'_>, at: usize) -> Option<(Vec<u8>, usize)> {
    let rest = scanner.text.get(at..)?.strip_prefix(b"[")?;
    let level = rest.iter().take(256).take_while(|it| **it == b'=').count();
    if rest.get(level) != Some(&b'[') {
        return None;
    }
    let mut close = vec![b']'];
    close.resize(level + 1, b'=');
    close.push(b']');
    Some((close, level + 2))
}

/// A regular expression stands where a value could, and ends in its line.
fn regex(scanner: &Scanner<'_>, at: usize) -> Option<(State, usize)> {
    let operand = match scanner.last {
        // `</tag>` of JSX is none.
        b')' | b']' | b'"' | b'<' | b'.' => return None,
        byte => is_word(byte) || byte == b'$',
    };
    if operand && !follows_word(scanner, at) {
        return None;
    }
    let rest = &scanner.text[at + 1..];
    let mut in_class = false;
    let mut escaped = false;
    for (index, byte) in rest.iter().take(MAX_REGEX).enumerate() {
        match byte {
            b'\n' => return None,
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => return Some((State::Until(at + index + 2), 0)),
            _ => {}
        }
    }
    None
}

/// Whether the word before a place is one after which a value stands.
fn follows_word(scanner: &Scanner<'_>, at: usize) -> bool {
    // No word of the list is longer; what is further away does not matter.
    let window = scanner.text[at.saturating_sub(24)..at].trim_ascii_end();
    let length = window.iter().rev().take_while(|it| is_word(**it)).count();
    let word = &window[window.len() - length..];
    BEFORE_VALUE.iter().any(|it| it.as_bytes() == word)
}

/// The end word of a text that begins with the next line.
pub(super) fn heredoc(scanner: &Scanner<'_>, at: usize) -> Option<(usize, usize)> {
    let signs = match scanner.syntax {
        syntax if syntax.has(Quirk::PhpHeredoc) => 3,
        syntax if syntax.has(Quirk::Heredoc) => 2,
        _ => return None,
    };
    let text = scanner.text;
    let count = text[at..].iter().take(4).take_while(|it| **it == b'<').count();
    if count != signs || scanner.before(at) == b'<' || in_arithmetic(scanner, at) {
        return None;
    }
    let skip = |from: usize, any: &[u8]| {
        from + text[from..].iter().take(4).take_while(|it| any.contains(it)).count()
    };
    let dash = skip(at + signs, b"-~");
    let space = skip(dash, b" \t");
    let start = skip(space, b"'\"\\");
    let shell = scanner.syntax.family == Family::Shell;
    let length = text[start..].iter().take(64).take_while(|it| is_word(**it)).count();
    let first = *text.get(start)?;
    let plain = start == space && dash == at + signs;
    let named = first.is_ascii_uppercase()
        || first == b'_'
        || first.is_ascii_lowercase() && (!plain || shell && space == dash);
    let spaced = space > dash && !shell && signs == 2;
    (length > 0 && named && !spaced).then_some((start, start + length))
}

/// `$((1 << N))` in a shell.
fn in_arithmetic(scanner: &Scanner<'_>, at: usize) -> bool {
    let before = &scanner.text[at.saturating_sub(100)..at];
    let line = before.iter().rev().take_while(|it| **it != b'\n').count();
    before[before.len() - line..].windows(2).any(|it| it == b"((")
}
