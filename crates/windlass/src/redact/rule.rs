//! What a rule is made of, and the index that leads from a few bytes to the rules they may begin.

use std::ops::Range;

use super::class::{self, ALNUM, DASH, DIGIT, HEX, LOWER, PLUS_SLASH, UPPER, WORD};
use super::table::RULES;

/// One kind of secret.
pub(super) struct Rule {
    /// What stands in the place of the secret.
    pub(super) name: &'static str,
    pub(super) how: How,
    /// A text in which the rule finds its secret. A rule cannot be written without one.
    #[cfg_attr(not(any(test, feature = "testing")), expect(dead_code, reason = "for the tests"))]
    pub(super) example: Example,
}

/// A made-up secret and what must stand before it to be found. The secret is in pieces, so that
/// no source file holds anything that looks like a live key.
pub(super) struct Example {
    #[cfg_attr(not(any(test, feature = "testing")), expect(dead_code, reason = "for the tests"))]
    pub(super) before: &'static str,
    #[cfg_attr(not(any(test, feature = "testing")), expect(dead_code, reason = "for the tests"))]
    pub(super) secret: &'static [&'static str],
}

/// How a secret is known.
pub(super) enum How {
    /// By its own form, which begins with a literal.
    Form(&'static [Part]),
    /// By the word that ends just before it.
    After(&'static [&'static str], Act),
    /// By the place in a URL, after `://`.
    Host(&'static str),
    /// By code that looks at whole lines or URLs.
    Elsewhere,
}

/// A piece of a form.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// Exactly these bytes.
    Is(&'static str),
    /// At least and at most so many bytes of a set.
    Run(u16, usize, usize),
    /// The run before has a digit, a capital and a small letter.
    Mixed,
    /// One of these bytes.
    One(&'static str),
    /// All that follows of a set; only at the end.
    Rest(u16),
    /// At least and at most so many bytes of a set before the literal; only at the start.
    Back(u16, usize, usize),
    /// No longer name and no text in base 64 leads up to the form.
    Apart,
}

/// What to do after a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    /// A password: nearly any literal value counts.
    Password,
    /// A password that may be made of words.
    Phrase,
    /// A token: the value must not look like a word.
    Token,
    /// A name that also has harmless meanings: the value must look random.
    Vague,
    /// The same, but a line of its own that gives it a value counts as well.
    Line,
    /// A parameter of a URL.
    Query,
    /// A header whose whole value is secret.
    Header,
    /// A scheme of the Authorization header.
    Scheme,
    /// `user:password` as an argument.
    User,
    /// A user and a password in a sentence.
    Login,
    /// The value of one of these flags of a command.
    Flag(&'static [&'static str]),
    /// `user:password`, with this sign between them, as the value of one of these flags of a command.
    Pair(&'static [&'static str], &'static str),
    /// The argument with this number, the first being zero, if this is among the others.
    Argument(usize, &'static str),
    /// The argument with this number among those that are no flags, the first being zero.
    Word(usize),
    /// The last argument of a command, if one of its flags has this letter.
    Final(char),
    /// The argument before or behind this one, of a command that begins so.
    Beside(&'static str),
    /// What a program is told to keep: `NAME=SECRET`, or `NAME SECRET`.
    Kept(Names),
    /// The second of two quoted arguments of a call.
    Call,
    /// The first argument of a call, if it is quoted.
    FirstOfCall,
    /// The value of a flag, if it was drawn at random.
    RandomArgument,
    /// The second argument of a call.
    SecondOfCall,
    /// The third argument of a call.
    ThirdOfCall,
    /// What a program reads, from behind this sign on: what the command before the bar prints, or
    /// what follows `<<<`; or the value of one of these flags.
    Fed(&'static str, &'static [&'static str]),
    /// The last argument of a command, if it looks like a token.
    Last,
    /// Nearly any value right behind this sign; of another assignment, its value.
    Tight(&'static str),
    /// `user:password` before the name of a driver.
    Dsn,
    /// A number.
    Pin,
    /// The name of several: only the entries of a list count.
    Many,
    /// `user/password@`.
    Slash,
    /// The rest of the hash of a password.
    Hash,
    /// The first or the last line of a block of PEM.
    Pem,
    /// The key lines of a `PuTTY` file.
    Putty,
    /// An ending of a longer name, which itself may be one of the others.
    Ending,
}

/// Which names of values make a secret of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// Any: the program keeps nothing but secrets.
    All,
    /// Those that speak of a secret.
    Secret,
}

/// A rule that is known by its form.
pub(super) const fn form(
    name: &'static str,
    parts: &'static [Part],
    secret: &'static [&'static str],
) -> Rule {
    Rule { name, how: How::Form(parts), example: Example { before: "", secret } }
}

/// A rule that is known by the word before the secret.
pub(super) const fn after(
    name: &'static str,
    act: Act,
    words: &'static [&'static str],
    before: &'static str,
    secret: &'static [&'static str],
) -> Rule {
    Rule { name, how: How::After(words, act), example: Example { before, secret } }
}

/// A rule that is known by the start of a URL.
pub(super) const fn host(
    name: &'static str,
    start: &'static str,
    before: &'static str,
    secret: &'static [&'static str],
) -> Rule {
    Rule { name, how: How::Host(start), example: Example { before, secret } }
}

/// A rule that is known by code.
pub(super) const fn elsewhere(
    name: &'static str,
    before: &'static str,
    secret: &'static [&'static str],
) -> Rule {
    Rule { name, how: How::Elsewhere, example: Example { before, secret } }
}

/// A secret in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) name: &'static str,
}

/// Tells whether a word may begin at `at`: nothing of a longer one stands before it, unless that
/// is the end of an escape.
#[inline]
pub(super) fn begins(bytes: &[u8], at: usize) -> bool {
    if at == 0 || !class::is(bytes[at - 1], ALNUM) || !class::is(bytes[at], ALNUM) {
        return true;
    }
    match bytes[at - 1] {
        b'n' | b'r' | b't' if at > 1 && bytes[at - 2] == b'\\' => true,
        b'm' => {
            class::is_at(bytes, at.wrapping_sub(2), DIGIT)
                && bytes[at.saturating_sub(8)..at].contains(&b'[')
        }
        last => {
            at > 2 && bytes[at - 3] == b'%' && class::is(last, HEX) && class::is(bytes[at - 2], HEX)
        }
    }
}

/// Tells whether the form at `at` has letters and digits before its literal.
pub(super) fn reaches_back(bytes: &[u8], at: usize) -> bool {
    bytes[at..].starts_with(b"8Q~")
}

/// Tells by three bytes whether the literal of a form may be at `at`.
#[inline]
pub(super) fn may_begin_at(bytes: &[u8], at: usize) -> bool {
    let Some(&[first, second, third]) = bytes.get(at..at + 3) else { return false };
    let hash = hash3(first, second, third);
    INDEX.seen[hash / 64] & (1 << (hash % 64)) != 0
}

/// Finds the form whose literal is at `at`. `word` is the word around it.
#[inline]
pub(super) fn form_at(bytes: &[u8], at: usize, word: Range<usize>) -> Option<Finding> {
    if may_begin_at(bytes, at) { look_up(bytes, at, word) } else { None }
}

#[cold]
fn look_up(bytes: &[u8], at: usize, word: Range<usize>) -> Option<Finding> {
    let mut next = INDEX.first[bytes[at] as usize];
    while next != NONE {
        let rule = &RULES[next as usize];
        if let How::Form(parts) = rule.how
            && let Some((start, end)) = matches(bytes, at, parts, &word)
        {
            return Some(Finding { start, end, name: rule.name });
        }
        next = INDEX.next[next as usize];
    }
    None
}

/// The rule of the URL that starts with `rest`, and where its secret part starts.
pub(super) fn host_at(bytes: &[u8], at: usize) -> Option<(usize, &'static str)> {
    // A host that is written with a dot in front has a name of its own for each owner.
    let dot = class::run_end(bytes, at, WORD, 64);
    HOSTS.iter().find_map(|&index| {
        let rule = &RULES[index as usize];
        let How::Host(start) = rule.how else { return None };
        let at = if start.starts_with('.') { dot } else { at };
        class::continues(bytes, at, start).then_some((at + start.len(), rule.name))
    })
}

fn matches(bytes: &[u8], at: usize, parts: &[Part], word: &Range<usize>) -> Option<(usize, usize)> {
    let mut start = at;
    let mut end = at;
    let mut run = at;
    for part in parts {
        match *part {
            Part::Is(literal) => {
                if !bytes[end..].starts_with(literal.as_bytes()) {
                    return None;
                }
                end += literal.len();
            }
            Part::Run(set, min, max) => {
                run = end;
                // The end of the word is known: to look for it again from each place where a
                // form may begin would make a long word cost its square.
                end = if set == WORD && (word.start..=word.end).contains(&end) {
                    word.end.min(end + max)
                } else {
                    class::run_end(bytes, end, set, max)
                };
                if end - run < min {
                    return None;
                }
            }
            Part::One(letters) => {
                if !bytes.get(end).is_some_and(|it| letters.as_bytes().contains(it)) {
                    return None;
                }
                end += 1;
            }
            Part::Mixed => {
                let run = &bytes[run..end.min(run + 256)];
                let has = |set| run.iter().any(|&it| class::is(it, set));
                if !(has(DIGIT) && has(UPPER) && has(LOWER)) {
                    return None;
                }
            }
            Part::Rest(set) => end = class::run_end(bytes, end, set, usize::MAX),
            Part::Back(set, min, max) => {
                let longest = at - class::run_start(bytes, at, set, max);
                start = (min..=longest).rev().map(|it| at - it).find(|&it| begins(bytes, it))?;
            }
            Part::Apart => {
                if at > 0 && class::is(bytes[at - 1], DASH | PLUS_SLASH) && !is_marked(bytes, at) {
                    return None;
                }
            }
        }
    }
    (!class::is_at(bytes, end, ALNUM)).then_some((start, end))
}

/// Tells whether the sign before `at` is the mark of an added or a removed line.
fn is_marked(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[..at - 1];
    matches!(bytes[at - 1], b'+' | b'-')
        && (before.is_empty() || before.ends_with(b"\n") || before.ends_with(b"\\n"))
}

const NONE: u16 = u16::MAX;
const COUNT: usize = RULES.len();
const _: () = assert!(COUNT < NONE as usize);

struct Index {
    /// A bit for each hash of three bytes with which a form begins.
    seen: [u64; 128],
    /// The first rule whose form begins with a byte.
    first: [u16; 256],
    /// The rule after each that begins with the same byte, in the order of the table.
    next: [u16; COUNT],
}

static INDEX: Index = index();
static HOSTS: [u16; host_count()] = hosts();

#[expect(
    clippy::cast_possible_truncation,
    reason = "there are fewer rules than two bytes can count"
)]
const fn index() -> Index {
    let mut index = Index { seen: [0; 128], first: [NONE; 256], next: [NONE; COUNT] };
    let mut rule = COUNT;
    while rule > 0 {
        rule -= 1;
        let How::Form(parts) = RULES[rule].how else { continue };
        let literal = match parts {
            [Part::Is(literal), ..] | [Part::Apart | Part::Back(..), Part::Is(literal), ..] => {
                literal.as_bytes()
            }
            _ => b"",
        };
        assert!(literal.len() > 1, "a form begins with a literal");
        let first = literal[0] as usize;
        index.next[rule] = index.first[first];
        index.first[first] = rule as u16;
        if literal.len() > 2 {
            let hash = hash3(literal[0], literal[1], literal[2]);
            index.seen[hash / 64] |= 1 << (hash % 64);
        } else {
            let mut third = 0u8;
            while third < 128 {
                if third.is_ascii_alphanumeric() {
                    let hash = hash3(literal[0], literal[1], third);
                    index.seen[hash / 64] |= 1 << (hash % 64);
                }
                third += 1;
            }
        }
    }
    index
}

const fn host_count() -> usize {
    let mut count = 0;
    let mut rule = 0;
    while rule < COUNT {
        if matches!(RULES[rule].how, How::Host(_)) {
            count += 1;
        }
        rule += 1;
    }
    count
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "there are fewer rules than two bytes can count"
)]
const fn hosts() -> [u16; host_count()] {
    let mut hosts = [0; host_count()];
    let mut count = 0;
    let mut rule = 0;
    while rule < COUNT {
        if matches!(RULES[rule].how, How::Host(_)) {
            hosts[count] = rule as u16;
            count += 1;
        }
        rule += 1;
    }
    hosts
}

/// A hash of 13 bits.
pub(super) const fn hash3(first: u8, second: u8, third: u8) -> usize {
    let key = first as u32 | (second as u32) << 8 | (third as u32) << 16;
    (key.wrapping_mul(0x9E37_79B1) >> 19) as usize
}
