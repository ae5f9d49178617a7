//! Is this value a secret, or is it code, a placeholder, a word?

mod blank;
mod coined;
mod facts;
mod name;
mod spelled;
mod words;

use self::blank::is_blank;
pub(super) use self::coined::is_coined;
use self::facts::{Facts, bits_per_byte};
use self::name::{is_constant, is_dated, is_drawn, is_name, repeats_name};
pub(super) use self::spelled::is_ended;
use self::spelled::{is_begun, is_spelled};
use self::words::is_common;
use super::class::{self, ALNUM, BLANK, CLOSER, DASH, DIGIT, LETTER, LOWER, QUOTE, UPPER};
use super::link::Link;
use super::reach;
use super::rule::Act;
use super::url;
use super::value::{Quoted, Value};

/// A value is judged by its first bytes, so that a long one costs no more than a short one.
const LOOK: usize = 128;

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
        Act::Token => is_token(bytes, &facts, look, value),
        Act::Query => facts.length >= 8 && (facts.digits > 0 || facts.length >= 24),
        Act::Vague => is_vague(&facts, look, value),
        Act::Line => {
            is_line_of_its_own(bytes, &facts, look, value)
                || is_given_pass(bytes, &facts, look, value)
                || is_vague(&facts, look, value)
        }
        Act::Pin => (4..=8).contains(&facts.length) && facts.digits == facts.length,
        Act::Header => facts.length >= 6,
        _ => false,
    }
}

/// Tells whether a value that goes on up to `end`, behind a sign that may end it, is one secret
/// with that sign in it. It must have what rules for passwords ask for: code seldom does.
pub(super) fn is_woven_secret(bytes: &[u8], value: &Value, end: usize, act: Act) -> bool {
    if end == value.end || !matches!(act, Act::Password | Act::Phrase | Act::Token) {
        return false;
    }
    let text = &bytes[value.start..end];
    let look = &text[..text.len().min(LOOK)];
    let facts = Facts::of(look);
    facts.length >= 8
        && facts.uppers > 0
        && facts.lowers > 0
        && (facts.digits > 0
            || value.link == Link::Tight && facts.specials > 1 && is_scrambled(&facts))
        && reach::is_woven(look, &bytes[end..])
        && (value.end == value.start || !is_blank(&bytes[value.start..value.end]))
        && (!matches!(look[0], b'&' | b'|' | b',' | b';') || is_drawn(&look[1..]))
        && !repeats_name(look)
        && is_secret(bytes, &Value { end, ..*value }, act, Place::Anywhere)
}

/// Tells whether a value that is one word in brackets, of which the second is at `end`, is a secret.
/// Most words in brackets are placeholders or names.
pub(super) fn is_enclosed_secret(
    bytes: &[u8],
    value: &Value,
    end: usize,
    act: Act,
    place: Place,
) -> bool {
    let (Some(&first), Some(&last)) = (bytes.get(value.start), bytes.get(end)) else {
        return false;
    };
    let inner = Value { start: value.start + 1, end, ..*value };
    if inner.start >= end || reach::closing(first) != Some(last) {
        return false;
    }
    let text = &bytes[inner.start..end];
    let alone = bytes.get(end + 1).is_none_or(|&it| class::is(it, BLANK | QUOTE) || it == b'\\');
    let round = matches!(first, b'(' | b'[');
    let told = match place {
        Place::Setting if round => {
            text.iter().any(|&it| class::is(it, DIGIT)) && !repeats_name(text)
        }
        Place::Setting => is_drawn(text),
        Place::Anywhere => {
            let drawn = is_drawn(text) || act == Act::Password && is_dated(text);
            round && drawn && is_ended(bytes, end + 1)
        }
    };
    alone
        && told
        && !text.iter().any(|&it| class::is(it, CLOSER))
        && is_secret(bytes, &inner, act, place)
}

/// Tells whether a value is empty, masked, or there to be replaced.
pub(super) fn is_left_open(text: &[u8]) -> bool {
    is_blank(&text[..text.len().min(LOOK)])
}

/// Tells whether a word is made as passwords are, and not as names are.
pub(super) fn is_made_up(text: &[u8]) -> bool {
    let dashed = text.contains(&b'-') && text.iter().any(u8::is_ascii_digit);
    is_drawn(text) || is_dated(text) || dashed && text.len() > 7
}

/// Tells whether an entry among secrets is a word with a number, as people choose passwords.
pub(super) fn is_chosen(text: &[u8]) -> bool {
    text.len() > 5
        && text.last().is_some_and(u8::is_ascii_digit)
        && text.iter().all(|it| class::is(*it, ALNUM))
        && is_cell_secret(text, Act::Password)
}

/// Tells whether a word of a sentence can be nothing but a password: it is drawn, or a word with digits and
/// signs, or none that a sentence has.
pub(super) fn is_said(text: &[u8]) -> bool {
    let look = &text[..text.len().min(LOOK)];
    let facts = Facts::of(look);
    let inside = |it: &u8| class::is(*it, ALNUM | DASH) || b"!#$%^&*@~+".contains(it);
    let letters = facts.lowers + facts.uppers;
    let signed = facts.digits > 0 && facts.specials > 0 && letters > 3;
    let dated = is_dated(look) && facts.digits >= 2 && facts.length >= 8 && facts.uppers > 0;
    facts.length >= 6
        && look.iter().all(inside)
        && !is_blank(look)
        && !look.starts_with(b"0x")
        && !matches!(look[0], b'#' | b'$' | b'%' | b'&' | b'-' | b'@' | b'+' | b'~')
        && !repeats_name(look)
        && (is_drawn(look)
            || signed && facts.length >= 8
            || dated
            || is_shuffled(&facts)
            || facts.length >= 12 && is_coined(look))
}

/// Tells whether a word goes on with a sentence.
pub(super) fn is_common_word(text: &[u8]) -> bool {
    is_common(text)
}

/// Tells whether a name speaks of a secret.
pub(super) fn is_secret_name(text: &[u8]) -> bool {
    repeats_name(text)
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
    if is_coined_value(bytes, text, value) || value.link != Link::Quoted && is_shuffled(facts) {
        return true;
    }
    if value.quoted == Quoted::Yes {
        let label = plain && facts.uppers == 1 && class::is(text[0], UPPER) && facts.length < 14;
        return match value.link {
            _ if facts.blanks > 0 => facts.digits > 0 && facts.blanks < 3,
            Link::Quoted => !plain && !repeats_name(text),
            Link::Space | Link::Is if plain => is_spelled(bytes, facts, text, value),
            _ => !label && !is_constant(facts, text) && (!plain || facts.length >= 5),
        };
    }
    match value.link {
        Link::Tight if is_name(text) => {
            facts.digits >= 2
                || !repeats_name(text)
                    && (facts.digits > 0 || is_spelled(bytes, facts, text, value))
        }
        Link::Tight => true,
        Link::Flag => !plain || facts.length >= 5 && !is_common(text),
        Link::Markup => !plain || facts.length >= 5,
        Link::Loose => {
            !is_name(text)
                || facts.digits > 0 && !repeats_name(text)
                || is_spelled(bytes, facts, text, value)
        }
        Link::Colon if plain => {
            is_spelled(bytes, facts, text, value) || is_scrambled(facts) && is_line(bytes, value)
        }
        Link::Colon => facts.digits + facts.lowers + facts.uppers > 3 && !repeats_name(text),
        Link::Told => {
            let strong = facts.length >= 6 && facts.uppers + facts.specials > 0;
            strong && is_made_up(text) && !is_common(text)
        }
        Link::Is => {
            !plain && facts.length >= 5
                || is_spelled(bytes, facts, text, value)
                || facts.length >= 13 && is_coined(text)
        }
        Link::Cell if plain => is_spelled(bytes, facts, text, value),
        Link::Space | Link::Cell => {
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
    let plain = value.quoted == Quoted::No && facts.digits + facts.specials == 0;
    if is_coined_value(bytes, text, value) {
        return true;
    }
    if plain && value.link == Link::Loose {
        return false;
    }
    spoken && !repeats_name(text) || is_password(bytes, facts, text, value)
}

/// Tells whether a value is a word that nobody reads in a sentence or in code, where it may be one. The
/// surer the place of a value is, the shorter the word may be.
fn is_coined_value(bytes: &[u8], text: &[u8], value: &Value) -> bool {
    let quoted = value.quoted == Quoted::Yes;
    let least = match value.link {
        Link::Flag => 8,
        Link::Markup => 9,
        Link::Tight | Link::Loose | Link::Colon if quoted => 9,
        Link::Cell => 10,
        Link::Tight if spelled::is_in_call(bytes, value.start) => 16,
        Link::Tight => 10,
        Link::Is | Link::Told | Link::Space if quoted => 10,
        Link::Loose => 12,
        Link::Is | Link::Told | Link::Space | Link::Colon => 12,
        Link::Quoted => return false,
    };
    let ended = quoted
        || matches!(value.link, Link::Flag | Link::Markup | Link::Cell | Link::Tight)
        || is_ended(bytes, value.end)
        || value.link == Link::Colon && bytes.get(value.end) == Some(&b')');
    let begun = quoted || value.link != Link::Loose || is_begun(bytes, value.start);
    text.len() >= least && ended && begun && is_coined(text)
}

fn is_token(bytes: &[u8], facts: &Facts, text: &[u8], value: &Value) -> bool {
    if facts.length < 8 || facts.blanks > 0 || is_path(facts, text) {
        return false;
    }
    if is_coined_value(bytes, text, value) {
        return true;
    }
    let said = matches!(value.link, Link::Is | Link::Told | Link::Space | Link::Cell);
    if facts.lowers + facts.uppers == 0 {
        return facts.digits >= 20;
    }
    if facts.digits == 0 {
        // Nobody joins so many words without a sign or a capital.
        let drawn = facts.length >= 20
            && facts.lowers == facts.length
            && (value.quoted == Quoted::Yes || value.link == Link::Tight);
        if drawn {
            return true;
        }
        let scrambled = facts.uppers > 2 && facts.lowers > 2 && facts.changes * 3 >= facts.length;
        let strange = value.quoted == Quoted::Yes && facts.specials > 0 && !text.contains(&b'.');
        let signed = value.link == Link::Tight
            && facts.length >= 10
            && facts.specials > 0
            && facts.uppers > 1
            && facts.lowers > 1;
        return facts.length >= 16 && scrambled && !said || strange || signed || is_shuffled(facts);
    }
    match value.link {
        _ if is_signed(facts, text) => true,
        Link::Quoted => !repeats_name(text),
        Link::Cell if facts.length >= 16 => facts.digits >= 2,
        Link::Told if facts.length < 16 => false,
        Link::Is | Link::Told | Link::Space | Link::Cell => {
            facts.digits >= 2 && facts.digit_groups >= 2 || is_shuffled(facts)
        }
        _ if value.quoted == Quoted::Yes => !(is_name(text) && repeats_name(text)),
        _ if is_name(text) => {
            !repeats_name(text)
                && (facts.digit_groups > 1
                    || facts.digits > 3
                    || is_shuffled(facts)
                    || is_scrambled(facts) && facts.length >= 16 && is_drawn(text))
        }
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

/// `pass: value` as a line: where it is no line, `pass` is what tests do.
fn is_line_of_its_own(bytes: &[u8], facts: &Facts, text: &[u8], value: &Value) -> bool {
    matches!(value.link, Link::Colon | Link::Tight | Link::Loose | Link::Is)
        && facts.length >= 6
        && facts.blanks == 0
        && facts.digits > 0
        && facts.lowers + facts.uppers > 2
        && !repeats_name(text)
        && (is_ended(bytes, value.end) || value.link == Link::Tight)
}

/// `"pass": "value"`, `pass=value`, `--pass value`: a test that passes is given no word.
fn is_given_pass(bytes: &[u8], facts: &Facts, text: &[u8], value: &Value) -> bool {
    let given = match value.link {
        Link::Flag => true,
        Link::Tight => !text.contains(&b'/'),
        Link::Is => facts.length > 11 && is_coined(text) && is_ended(bytes, value.end),
        Link::Colon | Link::Loose | Link::Markup => {
            let line = is_line(bytes, value)
                || value.link == Link::Loose
                    && is_begun(bytes, value.start)
                    && is_ended(bytes, value.end);
            value.quoted == Quoted::Yes || value.link == Link::Markup || line
        }
        _ => false,
    };
    given
        && facts.blanks == 0
        && facts.lowers + facts.uppers > 2
        && !repeats_name(text)
        && !is_common(text)
        && is_password(bytes, facts, text, value)
}

fn is_vague(facts: &Facts, text: &[u8], value: &Value) -> bool {
    let hex = text.iter().all(|&it| class::is(it, class::HEX | DASH));
    facts.length >= 16
        && facts.blanks == 0
        && (facts.digit_groups > 1 || url::is_basic(text) || is_shuffled(facts))
        && !hex
        && text.iter().all(|&it| class::is(it, class::PATH))
        && !matches!(value.link, Link::Is | Link::Told | Link::Space | Link::Cell | Link::Quoted)
        && !is_path(facts, text)
        && facts.uppers > 1
        && facts.lowers > 1
        && facts.changes * 3 >= facts.length
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
        || text[0] == b'{' && text.ends_with(b"}") && !is_drawn(&text[1..text.len() - 1]);
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
        && matches!(bytes.get(value.end), Some(b'(' | b'[' | b'{' | b'<'))
        && !bytes[value.end..].starts_with(b"</");
    let sign = matches!(
        text[0],
        b'&' | b'*' | b'!' | b'@' | b'|' | b'>' | b'#' | b'\\' | b'=' | b'~' | b':'
    ) && (class::is(second, LETTER | BLANK) || text.len() < 3)
        && !text.iter().any(|&it| class::is(it, DIGIT));
    let member =
        text.contains(&b'.') && text.split(|&it| it == b'.').all(is_name) && !is_random(text);
    let member = member && !is_tangled(&Facts::of(text));
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
    (rooted || slashes >= 2)
        && !(slashes == 1 && is_drawn(&text[1..]))
        && facts.digit_groups < 4
        && facts.specials == 0
        && !text.split(|&it| it == b'/').any(|it| is_scrambled(&Facts::of(it)))
}

/// Letters and digits as chance puts them, and no words.
fn is_scrambled(facts: &Facts) -> bool {
    facts.length >= 8 && facts.uppers > 1 && facts.lowers > 1 && facts.changes * 3 >= facts.length
}

/// Capitals and small letters by turns, far more often than words that are joined have them.
fn is_shuffled(facts: &Facts) -> bool {
    facts.length >= 16
        && facts.uppers > 2
        && facts.lowers > 2
        && facts.lowers + facts.uppers + facts.digits == facts.length
        && (facts.uppers * 2 >= facts.lowers && facts.changes * 2 + 2 >= facts.length
            || facts.uppers * 3 >= facts.length
                && facts.lowers * 3 >= facts.length
                && facts.changes * 3 >= facts.length)
}

/// Letters, digits and signs by turns, as no name of a member has them.
fn is_tangled(facts: &Facts) -> bool {
    facts.digit_groups >= 2
        && facts.uppers > 0
        && facts.lowers > 0
        && facts.changes * 5 >= facts.length * 3
}

/// Tells whether the cell of a table below the name of a secret holds one.
pub(super) fn is_cell_secret(text: &[u8], act: Act) -> bool {
    let look = &text[..text.len().min(LOOK)];
    let value = Value { link: Link::Tight, quoted: Quoted::Yes, start: 0, end: text.len() };
    if look.is_empty() || is_blank(look) || is_common(look) || is_reference(text, &value, look) {
        return false;
    }
    let facts = Facts::of(look);
    if facts.blanks > 0 || is_path(&facts, look) || repeats_name(look) {
        return false;
    }
    let letters = facts.lowers + facts.uppers;
    match act {
        Act::Password | Act::Phrase => {
            facts.length >= 4 && letters > 2 && (facts.digits > 0 || facts.length >= 6)
        }
        _ => {
            facts.length >= 16 && letters > 0 && facts.digits > 1
                || is_shuffled(&facts)
                || is_signed(&facts, look)
                || facts.length >= 10 && is_coined(look)
        }
    }
}

/// Capitals, small letters, digits and a sign, with nothing in it that code or a sentence has there.
fn is_signed(facts: &Facts, text: &[u8]) -> bool {
    let sign = |it: &u8| matches!(it, b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'^');
    facts.length >= 10
        && facts.uppers > 0
        && facts.lowers > 0
        && facts.digits > 1
        && text.iter().any(sign)
        && text.iter().all(|it| class::is(*it, ALNUM | DASH) || sign(it))
        && !matches!(text[0], b'#' | b'$' | b'%' | b'&' | b'*')
        && !repeats_name(text)
}

/// Tells whether a value in a map of secrets was drawn, and is no name of one.
pub(super) fn is_kept_secret(text: &[u8]) -> bool {
    let look = &text[..text.len().min(LOOK)];
    let facts = Facts::of(look);
    let signs = |it: &u8| class::is(*it, class::BASE64 | DASH);
    !is_blank(look)
        && (is_drawn(look)
            || is_signed(&facts, look)
            || is_scrambled(&facts) && facts.digits > 1 && look.iter().all(signs))
        && facts.length >= 10
        && !is_path(&facts, look)
}

/// `name: value` as a line of its own.
pub(super) fn is_line(bytes: &[u8], value: &Value) -> bool {
    let before = &bytes[value.start.saturating_sub(80)..value.start];
    let line = before.rsplit(|&it| it == b'\n').next().unwrap_or_default().trim_ascii();
    let line = line.strip_prefix(b"- ").unwrap_or(line);
    !line.contains(&b' ') && matches!(bytes.get(value.end), None | Some(b'\n' | b'\r' | b'\\'))
}
