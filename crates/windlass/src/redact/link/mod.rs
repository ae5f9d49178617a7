//! What stands between a name and its value.

mod start;

use super::class::{self, BLANK, DOTTED, QUOTE, WORD};
use super::lines::Lines;
use super::names::{VERBS, WIDE_VERBS};
use super::value::{entity, skip_spaces, slashes, trim_spaces};

/// What stands between a name and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// `name=value`, with nothing between.
    Tight,
    /// `name = value`, `name := value`, `name => value`.
    Loose,
    /// `name: value`.
    Colon,
    /// `<name>value`.
    Markup,
    /// `name is value`.
    Is,
    /// `name and some words: value`.
    Told,
    /// `--name value`.
    Flag,
    /// `name value`.
    Space,
    /// `| name | value |`.
    Cell,
    /// `"name", "value"` or `name == "value"`: only a quoted value counts.
    Quoted,
}

/// The link of the name at `name_start..name_end`, and where its value starts.
pub(super) fn find(bytes: &[u8], name_start: usize, name_end: usize) -> Option<(Link, usize)> {
    let word = class::run_start(bytes, name_start, WORD, 64);
    if bytes[name_end..].starts_with(b"'s ") {
        return Some((Link::Is, name_end + 3));
    }
    let (after_name, closed) = past_name(bytes, name_end);
    let at = skip_spaces(bytes, after_name);
    let spaced = at > after_name;
    let next = bytes.get(at + 1).copied();
    let (link, at) = match *bytes.get(at)? {
        // The default of a variable: `${NAME:-value}`.
        b':' if bytes[..word].ends_with(b"${") => {
            (Link::Tight, at + 1 + usize::from(next == Some(b'-')))
        }
        b':' if next == Some(b'=') => (Link::Loose, at + 2),
        b':' if next == Some(b':') => {
            // A command of a workflow: `::set-output name=token::value`.
            if !bytes[..word].ends_with(b"name=") {
                return None;
            }
            (Link::Tight, at + 2)
        }
        b':' if is_switch(bytes, word) => (Link::Tight, at + 1),
        b':' => (Link::Colon, at + 1),
        b'=' if next == Some(b'>') => (Link::Loose, at + 2),
        b'=' if bytes[at..].starts_with(b"=&gt;") => (Link::Loose, at + 5),
        b'<' if bytes[at..].starts_with(b"<- ") => (Link::Loose, at + 3),
        b'=' if next == Some(b'=') => {
            (Link::Quoted, at + 2 + usize::from(bytes.get(at + 2) == Some(&b'=')))
        }
        b'=' if spaced || class::is_at(bytes, at + 1, BLANK) => (Link::Loose, at + 1),
        b'=' => (Link::Tight, at + 1),
        b'%' if class::continues(bytes, at, "%3d") => (Link::Tight, at + 3),
        b'%' if class::continues(bytes, at, "%3a") => (Link::Colon, at + 3),
        _ if let Some(at) = start::element(bytes, word, at, closed) => (Link::Markup, at),
        _ if let Some(at) = pair(bytes, word, at) => (Link::Colon, at),
        b',' if closed && is_definition(&bytes[..word]) => {
            (Link::Flag, quote(bytes, skip_spaces(bytes, at + 1))?)
        }
        b',' if closed && bytes[at..].starts_with(b", with: ") => {
            (Link::Flag, quote(bytes, at + 8)?)
        }
        b',' if closed => (Link::Quoted, at + 1),
        _ if let Some(found) = odd(bytes, word, name_end, at, closed) => found,
        b'{' if closed => (Link::Loose, default(bytes, at + 1)?),
        b'(' if !spaced && is_setter(&bytes[word..name_start]) => {
            (Link::Flag, quote(bytes, encoded(bytes, at + 1))?)
        }
        b'(' if !spaced && is_check(bytes, word, name_start, at) => (Link::Flag, at + 1),
        b'"' | b'\'' | b'\\' | b'&' if closed && spaced => (Link::Quoted, quote(bytes, at)?),
        b'\\' if let Some(found) = wide_escape(bytes, at) => found,
        _ if spaced && bytes[..name_end].ends_with(b" BY") => (Link::Flag, at),
        _ if spaced && bytes[..name_end].ends_with(b" by") => (Link::Flag, quote(bytes, at)?),
        b'(' | b'[' if let Some(at) = bracketed(bytes, at) => (Link::Colon, at),
        b'(' if spaced && let Some(at) = told(bytes, at) => (Link::Told, at),
        b'|' | b'?' if spaced && let Some(at) = fallback(bytes, at) => (Link::Space, at),
        b')' | b']' if let Some(at) = chained(bytes, at) => (Link::Flag, at),
        b'"' | b'\'' | b'\\' if let Some(at) = chained(bytes, at) => (Link::Flag, at),
        b')' if closed && let Some(at) = fallback(bytes, skip_spaces(bytes, at + 1)) => {
            (Link::Space, at)
        }
        b'w' if closed && spaced && bytes[at..].starts_with(b"with ") => {
            (Link::Flag, quote(bytes, at + 5)?)
        }
        b'A' if spaced && bytes[at..].starts_with(b"As String = ") => {
            (Link::Loose, quote(bytes, at + 12)?)
        }
        b's' if spaced && bytes[at..].starts_with(b"string = ") => {
            (Link::Loose, quote(bytes, at + 9)?)
        }
        b'(' if spaced => (Link::Space, at + 1),
        b'\n' | b'\r' | b'\\' if closed => (Link::Tight, form_field(bytes, word, at)?),
        0x80.. if let Some(found) = wide(bytes, at) => found,
        b'|' if next == Some(b' ') && is_cell(bytes, name_start, at) => (Link::Cell, at + 2),
        _ if spaced && let Some(at) = native(&bytes[..name_end], bytes, at) => (Link::Is, at),
        _ if spaced && let Some(found) = owner(bytes, at) => found,
        _ if spaced && let Some(at) = dash(bytes, at) => (Link::Told, at),
        _ if spaced && let Some(at) = verb(bytes, at) => match told(bytes, at) {
            Some(at) => (Link::Told, at),
            None => (Link::Is, at),
        },
        _ if spaced
            && !closed
            && let Some(at) = told(bytes, at).or_else(|| clause(bytes, at)) =>
        {
            (Link::Told, at)
        }
        // `-no-pass` has no value.
        _ if spaced
            && (bytes[word..].starts_with(b"-no-") || bytes[word..].starts_with(b"--no-")) =>
        {
            return None;
        }
        _ if spaced && !closed && bytes[word..].starts_with(b"-") => (Link::Flag, at),
        _ if spaced && !closed => (Link::Space, at),
        _ => return None,
    };
    let mut at = skip_spaces(bytes, at);
    at = start::of(bytes, word, link, at);
    if bytes[at..].starts_with(b"**") && !bytes[at..].starts_with(b"***") {
        at = skip_spaces(bytes, at + 2);
    }
    Some((link, at))
}

/// Where a name ends with its quote, its bracket and its emphasis, and whether it has a quote.
fn past_name(bytes: &[u8], name_end: usize) -> (usize, bool) {
    let mut at = name_end;
    let slashes = slashes(bytes, at);
    let entity = entity(bytes, at);
    let closed = class::is_at(bytes, at + slashes, QUOTE);
    if closed {
        at += slashes + 1;
    } else if let Some(entity) = entity {
        at += entity;
    }
    if bytes.get(at) == Some(&b']') {
        at += 1;
    }
    if bytes[at..].starts_with(b"**") {
        at += 2;
    }
    (at, closed || entity.is_some())
}

/// Tells whether the name that ends at `end` is given a value: `name=`, `name = `, `name: `,
/// `"name": ` or `"name", "value": `.
pub(super) fn is_assigned(bytes: &[u8], end: usize) -> bool {
    let end = end + slashes(bytes, end);
    let closed = class::is_at(bytes, end, QUOTE);
    let end = end + usize::from(closed);
    let at = skip_spaces(bytes, end);
    match bytes.get(at) {
        Some(b'=') => bytes.get(at + 1) != Some(&b'='),
        Some(b':') => at == end && (closed || class::is_at(bytes, at + 1, BLANK)),
        _ => closed && pair(bytes, end, at).is_some(),
    }
}

/// `/name:value`, as programs of Windows are told.
pub(super) fn is_switch(bytes: &[u8], word: usize) -> bool {
    let Some(slash) = word.checked_sub(1) else { return false };
    bytes[slash] == b'/' && (slash == 0 || class::is(bytes[slash - 1], BLANK))
}

/// What follows a verb.
fn verb(bytes: &[u8], at: usize) -> Option<usize> {
    if let Some((0xE8 | 0xE9, end)) = escape(bytes, at) {
        return class::is_at(bytes, end, BLANK).then_some(end);
    }
    VERBS.iter().find_map(|it| {
        let end = at + it.len();
        let colon = skip_spaces(bytes, end);
        let told = bytes.get(colon) == Some(&b':');
        let after = if told { colon + 1 } else { end };
        let apart = class::is_at(bytes, after, BLANK);
        (apart && class::continues(bytes, at, it)).then_some(after)
    })
}

/// What follows a dash between blanks, which may as well be followed by an explanation.
fn dash(bytes: &[u8], at: usize) -> Option<usize> {
    ["- ", "– ", "— "]
        .iter()
        .find(|it| bytes[at..].starts_with(it.as_bytes()))
        .map(|it| at + it.len())
}

/// `password you asked for: value`: words up to a colon lead from the name to its value.
fn told(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..bytes.len().min(at + 72)];
    let word = |it: &u8| class::is(*it, WORD) || b" '@.()".contains(it) || !it.is_ascii();
    let colon = rest.iter().position(|it| !word(it))?;
    let told = rest[colon] == b':' && class::is_at(rest, colon + 1, BLANK);
    let made = MADE.iter().any(|it| rest[..colon] == *it.as_bytes());
    let words = rest[..colon].contains(&b' ') || rest[0] == b'(' || made;
    let after = at + colon + 1;
    // `failed: tried "value"`.
    let tried = [" tried ", " got ", " with ", " used ", " given "]
        .iter()
        .find(|it| bytes[after..].starts_with(it.as_bytes()));
    (told && words).then_some(after + tried.map_or(0, |it| it.len()))
}

/// Links that are no sign of an assignment: `password, use value`, `password? value`, `s/name/value/`,
/// `private-key <(echo value)`.
fn odd(
    bytes: &[u8],
    word: usize,
    name_end: usize,
    at: usize,
    closed: bool,
) -> Option<(Link, usize)> {
    match bytes[at] {
        b',' => Some((Link::Told, aside(bytes, at + 1)?)),
        b'?' if !closed && bytes.get(at + 1) == Some(&b' ') => Some((Link::Told, at + 2)),
        b'<' if bytes[at..].starts_with(b"<(echo ") => Some((Link::Flag, at + 7)),
        b'/' | b'|' | b'#' | b'_' | b'}' | b'@' | b'%' | b'>' => {
            Some((Link::Flag, replaced(bytes, word, name_end)?))
        }
        _ => None,
    }
}

/// What is said of a secret before it is told.
const MADE: &[&str] = &[
    "created",
    "generated",
    "issued",
    "provided",
    "given",
    "supplied",
    "entered",
    "received",
    "used",
    "tried",
    "expected",
    "found",
    "returned",
    "expired",
    "invalid",
    "rejected",
    "revoked",
    "accepted",
];

/// `key that we got is value`: a clause in small letters leads from the name to its verb.
fn clause(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..bytes.len().min(at + 40)];
    let inside = |it: &u8| it.is_ascii_lowercase() || matches!(it, b' ' | b'\'');
    let rest = &rest[..rest.iter().position(|it| !inside(it)).unwrap_or(rest.len())];
    let verb = rest.windows(4).position(|it| it == b" is ")?;
    Some(at + verb + 4)
}

/// `password, use value`: what is asked for is told in the same sentence.
fn aside(bytes: &[u8], at: usize) -> Option<usize> {
    [
        " give it ",
        " use ",
        " it is ",
        " it's ",
        " try ",
        " which is ",
        " type ",
        " enter ",
        " namely ",
    ]
    .iter()
    .find(|it| bytes[at..].starts_with(it.as_bytes()))
    .map(|it| at + it.len())
}

/// `s/__NAME__/value/`: what is put in the place of a name.
fn replaced(bytes: &[u8], word: usize, name_end: usize) -> Option<usize> {
    let marks = |it: &&u8| matches!(**it, b'_' | b'}' | b'{' | b'$' | b'<' | b'@' | b'%');
    let before = word - bytes[..word].iter().rev().take(4).take_while(marks).count();
    let [.., b's', sign] = bytes[..before] else { return None };
    let at = name_end + bytes[name_end..].iter().take(4).take_while(marks).count();
    let begun = before < 3 || matches!(bytes[before - 3], b' ' | b'"' | b'\'' | b';');
    (begun
        && class::is(sign, class::PLUS_SLASH) | matches!(sign, b'|' | b'#')
        && bytes.get(at) == Some(&sign))
    .then_some(at + 1)
}

/// Verbs that are other words in English, behind names of their language.
const NATIVE: &[(&str, &str)] = &[
    ("salasana", "on "),
    ("salasanani", "on "),
    ("avain", "on "),
    ("koodi", "on "),
    ("parool", "on "),
    ("geslo", "je "),
    ("lozinka", "je "),
    ("heslo", "je "),
    ("adgangskode", "er "),
];

/// What follows the verb of a name in its own language.
fn native(before: &[u8], bytes: &[u8], at: usize) -> Option<usize> {
    let ends = |it: &&(&str, &str)| {
        class::continues(bytes, at, it.1)
            && before
                .len()
                .checked_sub(it.0.len())
                .is_some_and(|from| class::continues(before, from, it.0))
    };
    NATIVE.iter().find(ends).map(|it| at + it.1.len())
}

/// `password (again): value`, `Password [bob]: value`.
fn bracketed(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at + 1..bytes.len().min(at + 26)];
    let close = rest.iter().position(|it| matches!(it, b')' | b']' | b'\n' | b'"'))?;
    let told = matches!(rest[close..], [b')' | b']', b':', b' ', ..]);
    (told && close > 1).then_some(at + close + 3)
}

/// The value that stands in for one that is not set: `password || "value"`.
fn fallback(bytes: &[u8], at: usize) -> Option<usize> {
    let sign = ["|| ", "?? ", "?: "].iter().find(|it| bytes[at..].starts_with(it.as_bytes()))?;
    quote(bytes, at + sign.len())
}

/// `field("password").fill("value")`: what the field of this name is given.
fn chained(bytes: &[u8], at: usize) -> Option<usize> {
    let ends = |it: &&u8| matches!(**it, b')' | b']' | b'"' | b'\'' | b'\\');
    let at = at + bytes[at..].iter().take(6).take_while(ends).count();
    // `type("input[name=password]", "value")`.
    if let Some(rest) = bytes[at..].strip_prefix(b", ")
        && class::is_at(rest, slashes(rest, 0), QUOTE)
    {
        let before = &bytes[at.saturating_sub(64)..at];
        let typed =
            [&b".type("[..], b".fill("].iter().any(|it| before.windows(6).any(|part| part == *it));
        return typed.then_some(at + 2);
    }
    let verb = [
        ".fill(",
        ".type(",
        ".send_keys(",
        ".sendKeys(",
        ".setValue(",
        ".set(",
        ".val(",
        ".toHaveValue(",
    ]
    .iter()
    .find(|it| bytes[at..].starts_with(it.as_bytes()))?;
    quote(bytes, at + verb.len())
}

/// `password for bob: value`, `password of bob is value`, `PASSWORD FOR 'bob' = 'value'`.
fn owner(bytes: &[u8], at: usize) -> Option<(Link, usize)> {
    let word = ["for ", "of ", "für ", "von ", "pour ", "de ", "del ", "para ", "do "]
        .iter()
        .find(|it| class::continues(bytes, at, it))?;
    let start = at + word.len();
    let rest = &bytes[start..bytes.len().min(start + 96)];
    for (index, byte) in rest.iter().enumerate() {
        let after = start + index + 1;
        match byte {
            b'\n' => return None,
            b'=' => {
                let given = quote(bytes, skip_spaces(bytes, after));
                return Some(given.map_or((Link::Quoted, after), |it| (Link::Is, it)));
            }
            b':' if index < 40 && class::is_at(bytes, after, BLANK) => {
                return Some((Link::Is, after));
            }
            b' ' if index < 40
                && let Some(at) = being(bytes, after) =>
            {
                return Some((Link::Is, at));
            }
            _ => {}
        }
    }
    None
}

/// What follows a word for `is`.
fn being(bytes: &[u8], at: usize) -> Option<usize> {
    ["is ", "ist ", "lautet ", "est ", "es ", "é ", "è ", "jest ", "är ", "er "]
        .iter()
        .find(|it| class::continues(bytes, at, it))
        .map(|it| at + it.len())
}

/// Signs and words of scripts with wide characters.
fn wide(bytes: &[u8], at: usize) -> Option<(Link, usize)> {
    let starts = |it: &str| bytes[at..].starts_with(it.as_bytes());
    [("：", Link::Colon), ("＝", Link::Loose)]
        .iter()
        .find(|it| starts(it.0))
        .map(|it| (it.1, at + it.0.len()))
        .or_else(|| WIDE_VERBS.iter().find(|it| starts(it)).map(|it| (Link::Is, at + it.len())))
}

/// The same, as JSON may write them.
fn wide_escape(bytes: &[u8], at: usize) -> Option<(Link, usize)> {
    let (sign, end) = escape(bytes, at)?;
    match sign {
        0xFF1A => Some((Link::Colon, end)),
        0xFF1D => Some((Link::Loose, end)),
        0x662F | 0x4E3A | 0x70BA | 0x306F | 0x2192 => Some((Link::Is, end)),
        _ => None,
    }
}

/// The character that is written as `\uXXXX` at `at`, and where it ends.
fn escape(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let start = at + slashes(bytes, at);
    let digits = bytes.get(start + 1..start + 5)?;
    let known = start > at && bytes[start] == b'u';
    let digits = str::from_utf8(digits).ok().filter(|_| known)?;
    Some((u32::from_str_radix(digits, 16).ok()?, start + 5))
}

/// Tells whether the name is the only word of its cell, and the cell after it has one word, too.
/// Else the bar connects two commands.
fn is_cell(bytes: &[u8], name_start: usize, bar: usize) -> bool {
    let word = class::run_start(bytes, name_start, WORD, 64);
    let escaped = bytes[..word].ends_with(b"\\") && bytes[word..].starts_with(b"n")
        || matches!(bytes[..word], [.., b'0'..=b'9', b'\t']);
    let before = trim_spaces(&bytes[..word]);
    let starts = escaped || before.is_empty() || before.ends_with(b"|") || before.ends_with(b"\n");
    let rest = &bytes[bar + 1..bytes.len().min(bar + 256)];
    let rest =
        rest.split(|it| matches!(it, b'\n' | b'|' | b'\\' | b'"')).next().unwrap_or_default();
    starts && !rest.trim_ascii().contains(&b' ')
}

/// The place of the value where name and value are two entries: `name: X`, then `value: Y`.
fn pair(bytes: &[u8], word: usize, at: usize) -> Option<usize> {
    let mut at = at;
    for _ in 0..40 {
        if let Some(entity) = entity(bytes, at) {
            at += entity;
            continue;
        }
        match bytes.get(at)? {
            b',' | b'"' | b'\'' | b' ' | b'\t' => at += 1,
            b'\n' | b'\r' | b'\\' => {
                let lines = Lines::around(bytes, at);
                let next = lines.end(bytes, at) == at;
                at = if next { lines.below(bytes, word, at)? } else { at + 1 };
            }
            _ => break,
        }
    }
    // `Value`, `ParameterValue`, `StringValue`; `content` in the head of a page.
    let end = class::run_end(bytes, at, class::LETTER, 24);
    let key = &bytes[at..end];
    let named = |it: &str| key.len() >= it.len() && class::continues(key, key.len() - it.len(), it);
    let begun = class::continues(bytes, at, "value");
    if !begun && !named("Value") && !key.eq_ignore_ascii_case(b"content") {
        return None;
    }
    let at = if begun { at + 5 } else { end };
    let at = at + entity(bytes, at).unwrap_or(0);
    let at = at + slashes(bytes, at);
    let at = at + usize::from(class::is_at(bytes, at, QUOTE));
    matches!(bytes.get(at), Some(b':' | b'=')).then(|| skip_spaces(bytes, at + 1))
}

/// The value of `default` in the block of a variable that begins at `at`.
fn default(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..bytes.len().min(at + 240)];
    let rest = rest.split(|it| *it == b'}').next().unwrap_or_default();
    let word = b"default";
    let found = rest.windows(word.len()).position(|it| it == word)?;
    let equals = skip_spaces(bytes, at + found + word.len());
    if bytes.get(equals) != Some(&b'=') {
        return None;
    }
    quote(bytes, skip_spaces(bytes, equals + 1))
}

/// The place `at`, if there is a quote.
fn quote(bytes: &[u8], at: usize) -> Option<usize> {
    let quoted = class::is_at(bytes, at + slashes(bytes, at), QUOTE) || entity(bytes, at).is_some();
    quoted.then_some(at)
}

/// A call of this name sets a value: `PASSWORD('x')`, `.setPassword("x")`.
fn is_setter(before: &[u8]) -> bool {
    let before = unmarked(before);
    ["", "set", "with", "set_", "with_", "user", "db"]
        .iter()
        .any(|it| before.eq_ignore_ascii_case(it.as_bytes()))
}

/// A call whose name ends with the name at `start` keeps a secret: `set_secret("name", "value")`.
pub(super) fn is_keeper(bytes: &[u8], start: usize) -> bool {
    let word = class::run_start(bytes, start, WORD, 24);
    ["set", "put", "add", "create", "store", "save", "update", "write"].iter().any(|it| {
        unmarked(&bytes[word..start])
            .trim_ascii_end()
            .strip_suffix(b"_")
            .unwrap_or(&bytes[word..start])
            .eq_ignore_ascii_case(it.as_bytes())
    })
}

/// A call of this name is given nothing but a password: `check_password("x")`.
fn is_check(bytes: &[u8], word: usize, name: usize, at: usize) -> bool {
    let before = unmarked(&bytes[word..name]);
    let known = ["check", "check_", "verify", "verify_", "new", "new_"]
        .iter()
        .any(|it| before.eq_ignore_ascii_case(it.as_bytes()));
    let Some(open) = quote(bytes, at + 1).filter(|_| known) else { return false };
    let start = open + slashes(bytes, open) + 1;
    let rest = &bytes[start.min(bytes.len())..bytes.len().min(start + 128)];
    let end = rest.iter().position(|it| matches!(it, b'"' | b'\'' | b'\n'));
    end.is_some_and(|it| rest[it..].get(1) == Some(&b')'))
}

/// What is encoded for a setter: `password(encoder.encode("x"))`.
fn encoded(bytes: &[u8], at: usize) -> usize {
    let end = class::run_end(bytes, at, DOTTED, 40);
    let call = bytes[at..end].ends_with(b"encode") || bytes[at..end].ends_with(b"hash");
    if call && bytes.get(end) == Some(&b'(') { end + 1 } else { at }
}

/// A word without the mark of a removed line.
fn unmarked(word: &[u8]) -> &[u8] {
    &word[word.iter().take_while(|it| **it == b'-').count()..]
}

/// Calls that give a name its value.
#[rustfmt::skip]
const DEFINITIONS: &[&str] = &[
    "define(", "setenv(", "getenv(", "environ.get(", "env(", "putenv(", "put(", "setproperty(", "setitem(", "set_var(", "environmentvariable(", "viper.set(", "config.set(", "conf.set(", "secrets.set(",
    ".fill(", ".type(", "fill_in(", ".setvalue(",
];

/// `define("name", "value")`: a call that gives a name its value.
fn is_definition(before: &[u8]) -> bool {
    let name = before.iter().rev().take(64).take_while(|it| class::is(**it, DOTTED)).count();
    let before = before[..before.len() - name].trim_ascii_end();
    let before = before.strip_suffix(b"#").unwrap_or(before);
    let quotes = before.iter().rev().take(4).take_while(|it| matches!(it, b'"' | b'\'' | b'\\'));
    let before = &before[..before.len() - quotes.count()];
    DEFINITIONS.iter().any(|it| {
        before.len().checked_sub(it.len()).is_some_and(|at| class::continues(before, at, it))
    })
}

/// The value of the field of a form whose name is in quotes before `at`: the line after an empty one.
fn form_field(bytes: &[u8], word: usize, at: usize) -> Option<usize> {
    let before = &bytes[word.saturating_sub(12)..word];
    let named = ["name=\"", "name=\\\"", "name=\\\\\\\"", "name=&quot;"]
        .iter()
        .any(|it| before.ends_with(it.as_bytes()));
    if !named {
        return None;
    }
    let lines = Lines::around(bytes, at);
    let empty = lines.below(bytes, word, at)?;
    let empty = skip_spaces(bytes, empty);
    if lines.end(bytes, empty) != empty {
        return None;
    }
    Some(skip_spaces(bytes, lines.below(bytes, word, empty)?))
}
