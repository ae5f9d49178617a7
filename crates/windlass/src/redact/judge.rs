//! Is this value a secret, or is it code, a placeholder, a word?

use super::class::{self, ALNUM, DASH, DIGIT, LETTER, LOWER, UPPER};
use super::rule::Act;
use super::url;
use super::value::{Link, Quoted, Value};

/// A value is judged by its first bytes, so that a long one costs no more than a short one.
const LOOK: usize = 128;

/// Values that say that there is no value, name a type, or describe one.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "null", "none", "nil", "true", "false", "undefined", "string", "number", "boolean", "bool",
    "integer", "bytes", "object", "buffer", "required", "optional", "invalid", "missing",
    "expired", "empty", "unset", "default", "disabled", "enabled", "encrypted", "incorrect",
    "wrong", "correct", "forgotten", "unknown", "hidden", "masked", "redacted", "removed",
    "secret", "password", "token", "value", "example", "placeholder", "changeme", "todo", "unused",
    "sha1", "sha256", "sha512", "md5", "base64", "utf8", "utf-8", "oauth2", "http2", "argon2",
    "pbkdf2", "x509", "ed25519", "rs256", "hs256", "es256", "bcrypt", "basic", "bearer", "inherit",
    "flag", "options", "option", "argument", "parameter", "stdin", "from", "with", "when", "must",
    "should", "that", "this", "then", "into", "which", "before", "after", "because", "instead",
    "and", "the", "for", "not", "are", "can", "was", "via", "authentication", "authorization",
    "str", "pass", "passwd", "pwd", "int", "char", "any", "self", "float", "double", "void",
    "const", "let", "var", "function", "return", "async", "await", "new", "is_none", "is_some",
    "interactive", "generated", "rotation", "management", "protected", "provided", "configured",
    "available", "accepted", "rejected", "refresh", "expiration", "validation", "verification",
    "matches", "exists", "changed",
];

/// Beginnings of values that somebody is asked to replace.
const BLANKS: &[&str] = &[
    "your",
    "<",
    "[redacted",
    "${",
    "{{",
    "$(",
    "#{",
    "%(",
    "example",
    "placeholder",
    "insert",
    "replace",
    "changeme",
    "enter ",
    "xxx",
    "todo",
];

/// Where a name and its value stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Where programs are given their settings: the value is no code.
    Setting,
    Anywhere,
}

/// Tells whether the value of a name is a secret.
pub(super) fn is_secret(bytes: &[u8], value: &Value, act: Act, place: Place) -> bool {
    let text = &bytes[value.start..value.end];
    let look = &text[..text.len().min(LOOK)];
    if is_blank(look) || is_reference(bytes, value, look) {
        return false;
    }
    let facts = Facts::of(look);
    if place == Place::Setting && is_set(&facts, look, act) {
        return true;
    }
    match act {
        Act::Password => is_password(bytes, &facts, look, value),
        Act::Phrase => is_phrase(bytes, &facts, look, value),
        Act::Token => is_token(&facts, look, value),
        Act::Query => facts.length >= 8 && (facts.digits > 0 || facts.length >= 24),
        Act::Vague => is_vague(&facts, look, value),
        Act::Header => facts.length >= 6,
        _ => false,
    }
}

/// Tells whether `text` looks drawn at random from letters and digits.
pub(super) fn is_random(text: &[u8]) -> bool {
    let facts = Facts::of(&text[..text.len().min(LOOK)]);
    facts.length >= 20
        && facts.digits >= 3
        && facts.digit_groups >= 3
        && facts.uppers >= 2
        && facts.lowers >= 2
        && bits_per_byte(text) >= 56
}

fn is_password(bytes: &[u8], facts: &Facts, text: &[u8], value: &Value) -> bool {
    if facts.length < 4 || is_path(facts, text) {
        return false;
    }
    let plain = facts.digits + facts.specials == 0;
    if value.quoted == Quoted::Yes {
        let label = plain && facts.uppers == 1 && class::is(text[0], UPPER);
        return match value.link {
            _ if facts.blanks > 0 => facts.digits > 0 && facts.blanks < 3,
            Link::Quoted => !plain && !repeats_name(text),
            _ => !label && !is_constant(facts, text) && (!plain || facts.length >= 5),
        };
    }
    match value.link {
        Link::Tight if is_name(text) => {
            facts.digits >= 2
                || !repeats_name(text)
                    && (facts.digits > 0 || facts.length >= 5 && is_line(bytes, value))
        }
        Link::Tight => true,
        Link::Flag | Link::Markup => !plain || facts.length >= 5,
        Link::Loose => !is_name(text) || facts.digits > 0 && !repeats_name(text),
        Link::Colon if plain => {
            facts.length >= 8 && facts.lowers == facts.length && is_line(bytes, value)
        }
        Link::Colon => facts.digits + facts.lowers + facts.uppers > 3 && !repeats_name(text),
        Link::Is => !plain && facts.length >= 5,
        Link::Space => {
            facts.length >= 6
                && facts.digits > 0
                && facts.lowers + facts.uppers > 2
                && facts.others <= facts.specials
        }
        Link::Quoted => false,
    }
}

/// A quoted phrase may be made of words.
fn is_phrase(bytes: &[u8], facts: &Facts, text: &[u8], value: &Value) -> bool {
    let spoken = value.quoted == Quoted::Yes && facts.blanks > 0 && class::is(text[0], LOWER);
    spoken && !repeats_name(text) || is_password(bytes, facts, text, value)
}

fn is_token(facts: &Facts, text: &[u8], value: &Value) -> bool {
    if facts.length < 8 || facts.blanks > 0 || is_path(facts, text) {
        return false;
    }
    let said = matches!(value.link, Link::Is | Link::Space);
    if facts.lowers + facts.uppers == 0 {
        return facts.digits >= 20;
    }
    if facts.digits == 0 {
        let scrambled = facts.uppers > 2 && facts.lowers > 2 && facts.changes * 3 >= facts.length;
        let strange = value.quoted == Quoted::Yes && facts.specials > 0 && !text.contains(&b'.');
        return facts.length >= 16 && scrambled && !said || strange;
    }
    match value.link {
        Link::Quoted => !repeats_name(text),
        Link::Is | Link::Space => facts.digits >= 2 && facts.digit_groups >= 2,
        _ if value.quoted == Quoted::Yes => !(is_name(text) && repeats_name(text)),
        _ if is_name(text) => !repeats_name(text) && (facts.digit_groups > 1 || facts.digits > 3),
        _ => facts.digits >= 2 || facts.length >= 16,
    }
}

/// What a program is given through its environment is a literal, whatever it looks like.
fn is_set(facts: &Facts, text: &[u8], act: Act) -> bool {
    match act {
        Act::Password | Act::Phrase => facts.length >= 4 && !is_path(facts, text),
        Act::Token => {
            facts.length >= 8
                && !is_path(facts, text)
                && facts.lowers + facts.uppers > 0
                && (facts.digits > 0
                    || facts.length >= 12 && facts.dashes == 0 && !repeats_name(text))
        }
        _ => false,
    }
}

fn is_vague(facts: &Facts, text: &[u8], value: &Value) -> bool {
    let hex = text.iter().all(|&it| class::is(it, class::HEX | DASH));
    facts.length >= 16
        && facts.blanks == 0
        && (facts.digit_groups > 1 || url::is_basic(text))
        && !hex
        && text.iter().all(|&it| class::is(it, class::PATH))
        && !matches!(value.link, Link::Is | Link::Space | Link::Quoted)
        && !is_path(facts, text)
        && facts.uppers > 1
        && facts.lowers > 1
        && facts.changes * 3 >= facts.length
}

/// Empty, masked, or there to be replaced.
fn is_blank(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let Some(&first) = text.first() else { return true };
    let masked = |it: &[u8]| {
        it == b"***"
            || it == b"..."
            || it == b"xxx"
            || it == b"XXX"
            || it == "…".as_bytes()
            || it == "•".as_bytes()
    };
    text.iter().all(|&it| it == first)
        || text.windows(3).take(12).any(masked)
        || WORDS.iter().any(|it| text.eq_ignore_ascii_case(it.as_bytes()))
        || BLANKS.iter().any(|it| class::continues(text, 0, it))
        || text.windows(10).any(|it| it == b"[redacted:")
        || text.len() >= 4 && text[text.len() - 4..].eq_ignore_ascii_case(b"here")
}

/// A variable, a call, a type, a URL: it names a value and is none.
fn is_reference(bytes: &[u8], value: &Value, text: &[u8]) -> bool {
    let second = text.get(1).copied().unwrap_or(b' ');
    let url = text.windows(3).take(24).any(|it| it == b"://");
    let variable = text[0] == b'$'
        && class::is(second, LETTER | DASH)
        && text[1..].iter().all(|&it| class::is(it, ALNUM | DASH) || matches!(it, b'}' | b':'))
        || text[0] == b'%' && text.ends_with(b"%")
        || text == b"%s"
        || text == b"%v"
        || text == b"%d"
        || text[0] == b'{' && text.ends_with(b"}");
    if url || variable {
        return true;
    }
    if value.quoted == Quoted::Yes {
        return false;
    }
    if value.link == Link::Flag && matches!(text[0], b'-' | b'|' | b'>' | b'<') {
        return true;
    }
    let called = value.link != Link::Markup
        && matches!(bytes.get(value.end), Some(b'(' | b'[' | b'{' | b'<'));
    let sign = matches!(
        text[0],
        b'&' | b'*' | b'!' | b'@' | b'|' | b'>' | b'#' | b'\\' | b'=' | b'~' | b':'
    ) && (class::is(second, LETTER | class::BLANK) || text.len() < 3)
        && !text.iter().any(|&it| class::is(it, DIGIT));
    let member =
        text.contains(&b'.') && text.split(|&it| it == b'.').all(is_name) && !is_random(text);
    let path = text.windows(2).any(|it| it == b"::" || it == b"->" || it == b"?.");
    called || sign || member || path
}

/// A path of a file or of a web page.
fn is_path(facts: &Facts, text: &[u8]) -> bool {
    let rooted = text[0] == b'/'
        || text.starts_with(b"./")
        || text.starts_with(b"../")
        || text.starts_with(b"~/");
    let slashes = text.split(|&it| it == b'/').count() - 1;
    (rooted || slashes >= 2) && facts.digit_groups < 4 && facts.specials == 0
}

/// `name: value` as a line of its own.
fn is_line(bytes: &[u8], value: &Value) -> bool {
    let before = &bytes[value.start.saturating_sub(80)..value.start];
    let line = before.rsplit(|&it| it == b'\n').next().unwrap_or_default().trim_ascii();
    !line.contains(&b' ') && matches!(bytes.get(value.end), None | Some(b'\n' | b'\r' | b'\\'))
}

/// `CLIENT_SECRET`: the name of a constant, and no value.
fn is_constant(facts: &Facts, text: &[u8]) -> bool {
    is_name(text) && facts.lowers + facts.digits == 0 && facts.dashes > 0
}

/// A name as programs have them.
fn is_name(text: &[u8]) -> bool {
    text.first().is_some_and(|&it| class::is(it, LETTER) || it == b'_')
        && text.iter().all(|&it| class::is(it, ALNUM) || it == b'_')
}

/// `password = user_password`: the value names what the name names.
fn repeats_name(text: &[u8]) -> bool {
    ["pass", "token", "secret", "key", "pwd", "cred"]
        .iter()
        .any(|word| text.windows(word.len()).any(|it| it.eq_ignore_ascii_case(word.as_bytes())))
}

/// What a value is made of.
#[derive(Debug, Default)]
struct Facts {
    length: usize,
    lowers: usize,
    uppers: usize,
    digits: usize,
    digit_groups: usize,
    dashes: usize,
    blanks: usize,
    /// All that is neither letter, digit, dash nor dot.
    others: usize,
    /// Signs that words and names do not have.
    specials: usize,
    /// Places where the class changes.
    changes: usize,
}

impl Facts {
    fn of(text: &[u8]) -> Self {
        let mut facts = Self { length: text.len(), ..Self::default() };
        let mut previous = 0;
        for &byte in text {
            let class = match byte {
                _ if class::is(byte, LOWER) => 1,
                _ if class::is(byte, UPPER) => 2,
                _ if class::is(byte, DIGIT) => 3,
                _ if class::is(byte, DASH) => 4,
                b'.' => 5,
                _ => 6,
            };
            match class {
                1 => facts.lowers += 1,
                2 => facts.uppers += 1,
                3 => {
                    facts.digits += 1;
                    facts.digit_groups += usize::from(previous != 3);
                }
                4 => facts.dashes += 1,
                5 => {}
                _ => {
                    facts.others += 1;
                    facts.blanks += usize::from(byte == b' ');
                    facts.specials += usize::from(matches!(
                        byte,
                        b'!' | b'@'
                            | b'#'
                            | b'$'
                            | b'%'
                            | b'^'
                            | b'&'
                            | b'*'
                            | b'+'
                            | b'='
                            | b'~'
                            | b'?'
                    ));
                }
            }
            facts.changes += usize::from(previous != 0 && previous != class);
            previous = class;
        }
        facts
    }
}

/// Shannon's measure of the first bytes, in sixteenths of a bit.
fn bits_per_byte(text: &[u8]) -> usize {
    let text = &text[..text.len().min(64)];
    let mut counts = [0u8; 256];
    for &byte in text {
        counts[byte as usize] += 1;
    }
    let sum: usize =
        text.iter().map(|&it| LOG2[text.len()] - LOG2[counts[it as usize] as usize]).sum();
    sum / text.len().max(1)
}

/// Sixteen times the logarithm to base two.
const LOG2: [usize; 65] = logarithms();

const fn logarithms() -> [usize; 65] {
    let mut table = [0; 65];
    let mut n = 1;
    while n < 65 {
        // log2(n) = log2(n^16) / 16, so the sixteenths are the whole bits of the 16th power.
        table[n] = (n as u128).pow(16).ilog2() as usize;
        n += 1;
    }
    table
}
