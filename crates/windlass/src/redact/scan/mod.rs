//! One pass over a text, word by word.
//!
//! Two things make a word worth a second look: it is long, so it may itself be a secret; or it
//! ends like a word of the table, so that a secret may follow. Both are told by a few
//! instructions, and most words are neither.

mod cells;
mod context;
mod foreign;
mod lists;
mod markup;
mod several;

use super::class::{self, BASE64, DASH, QUOTE, WORD};
use super::judge::{self, Place};
use super::link::{self, Link};
use super::reach::{self, Among};
use super::rule::{self, Act, Finding};
use super::table::{AWS_SECRET, RANDOM_NEAR_NAME, RANDOM_VARIABLE};
use super::value::{self, Quoted, Value};
use super::word::{self, Hit};
use super::{ends, follow, pem, url};

/// No form is found in a text without a word of this length.
const LONG: usize = 16;
/// How far before a long word a form may begin.
const BEFORE: usize = 12;
/// How far a name makes what follows suspect.
const NEAR: usize = 48;
/// Identifiers of messages and calls: random by nature, secret to nobody.
const IDENTIFIERS: &[&str] = &[
    "toolu_",
    "msg_",
    "req_",
    "call_",
    "chatcmpl-",
    "resp_",
    "run_",
    "thread_",
    "sha256-",
    "sha384-",
    "sha512-",
];

/// Which part of a longer text a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    Head,
    Tail,
}

/// Finds the secrets of a text, in order and apart from each other.
pub(super) fn findings(text: &str, part: Part) -> Vec<Finding> {
    let bytes = text.as_bytes();
    let mut scan = Scan {
        bytes,
        part,
        found: Vec::new(),
        beyond: Vec::new(),
        looks: 0,
        near: 0,
        blob_end: 0,
        pem: pem::Blocks::default(),
    };
    let mut at = 0;
    if matches!(bytes.first(), Some(b'p' | b'P' | b'u' | b'U' | b'l' | b'L')) {
        at = scan.first_word();
    }
    let mut carry = 0;
    // A word of sixteen bytes fills at least one half of a block.
    let mut filled = false;
    // One block past the end, where the last word ends.
    'blocks: while at <= bytes.len() {
        for words in ends::words(bytes, at) {
            let mut ends = !words & (words << 8 | carry) & ends::HIGH;
            while ends != 0 {
                let end = at + (ends.trailing_zeros() / 8) as usize;
                ends &= ends - 1;
                let next = if filled {
                    filled = false;
                    scan.long_word(end)
                } else if word::may_end_at(bytes, end) {
                    scan.short_word(end)
                } else {
                    continue;
                };
                if next != end {
                    at = next;
                    carry = 0;
                    continue 'blocks;
                }
            }
            filled |= words == ends::HIGH;
            carry = words >> 56;
            at += ends::BLOCK / 2;
        }
    }
    if !text.is_ascii() {
        foreign::add(bytes, &mut scan.found);
    }
    if !scan.beyond.is_empty() {
        several::join(bytes, &mut scan.found, scan.beyond);
    }
    scan.found
}

/// Tells whether a word between two places is as long as a secret that needs no name.
fn has_long_word(bytes: &[u8], start: usize, end: usize) -> bool {
    let between = bytes.get(start..end).unwrap_or_default();
    between.len() >= LONG && between.split(|it| !class::is(*it, WORD)).any(|it| it.len() >= LONG)
}

struct Scan<'a> {
    bytes: &'a [u8],
    part: Part,
    found: Vec<Finding>,
    /// What lies before or beyond the place that led to it.
    beyond: Vec<Finding>,
    /// How many names were looked at that may have several values.
    looks: usize,
    /// Up to here a random word counts as a secret.
    near: usize,
    /// Up to here the text was seen not to be the body of a key.
    blob_end: usize,
    pem: pem::Blocks,
}

impl Scan<'_> {
    /// Looks for a secret after the first word of a text. Short ones are a name only with what stands
    /// before them, and here is nothing. Apart from the pass, which must stay small to be fast.
    #[cold]
    #[inline(never)]
    fn first_word(&mut self) -> usize {
        let is = |word: &str| class::continues(self.bytes, 0, word);
        if is("pw") && matches!(self.bytes.get(2), Some(b':' | b'=' | b' ')) {
            return self.after(Hit { name: "password", act: Act::Password, start: 0, end: 2 });
        }
        let end = if is("use ") {
            3
        } else if is("login ") {
            5
        } else {
            return 0;
        };
        let next = self.after(Hit { name: "said-login", act: Act::Login, start: 0, end });
        if next == end { 0 } else { next }
    }

    /// Looks for a secret after the word that ends at `end` and returns where to go on.
    #[cold]
    fn short_word(&mut self, end: usize) -> usize {
        if matches!(self.bytes.get(end), Some(b':' | b'%'))
            && let Some(finding) = url::credentials(self.bytes, end)
                .or_else(|| context::password_file(self.bytes, end))
        {
            return self.keep(finding);
        }
        match word::ending_at(self.bytes, end) {
            Some(hit) => self.after(hit),
            None => end,
        }
    }

    /// Looks for a secret in the word that ends at `end`, then after it.
    #[cold]
    fn long_word(&mut self, end: usize) -> usize {
        let start = class::run_start(self.bytes, end, WORD, end - self.floor());
        let found = if end - start < LONG {
            None
        } else {
            self.form(start, end)
                .or_else(|| self.random_word(start, end))
                .or_else(|| self.key_body(start, end))
        };
        match found {
            Some(finding) => self.keep(finding),
            None if word::may_end_at(self.bytes, end) => self.short_word(end),
            None => end,
        }
    }

    /// Keeps a finding and returns where to go on. Whoever replaces a finding slices the text, so
    /// here it gets whole characters and leaves what was found before it alone.
    fn keep(&mut self, finding: Finding) -> usize {
        // What a second pass would find behind the marker is found now.
        let rest = self.near.saturating_sub(finding.start);
        self.near = if finding.name == RANDOM_NEAR_NAME { finding.end + rest } else { 0 };
        let start = value::char_start(self.bytes, finding.start).max(self.floor());
        let end = value::on_boundary(self.bytes, finding.end);
        if start < end {
            self.found.push(Finding { start, end, ..finding });
        }
        if finding.name.starts_with("aws-")
            && let Some((start, end)) = context::aws_secret_after(self.bytes, end)
        {
            self.found.push(Finding { start, end, name: AWS_SECRET });
            return end;
        }
        end
    }

    fn floor(&self) -> usize {
        self.found.last().map_or(0, |it| it.end)
    }

    fn form(&self, start: usize, end: usize) -> Option<Finding> {
        let bytes = self.bytes;
        let floor = self.floor();
        let form = |at| {
            let finding = rule::form_at(bytes, at, start..end)?;
            (finding.end > start && finding.start >= floor).then_some(finding)
        };
        // An escape before the form takes at most three bytes of the word.
        let escaped = end.min(start + 4);
        let first = if reaches_back(bytes, start) { start.saturating_sub(BEFORE) } else { start };
        (first.max(floor)..escaped)
            .find_map(|at| {
                let begun = rule::may_begin_at(bytes, at)
                    && (rule::begins(bytes, at) || rule::reaches_back(bytes, at));
                if begun { form(at) } else { None }
            })
            .or_else(|| {
                (escaped..end).find_map(|at| {
                    let parted = class::is(bytes[at], DASH) || class::is(bytes[at - 1], DASH);
                    if parted { form(at) } else { None }
                })
            })
    }

    fn random_word(&self, start: usize, end: usize) -> Option<Finding> {
        let bytes = self.bytes;
        let name = if start < self.near {
            RANDOM_NEAR_NAME
        } else if is_variable(bytes, start) {
            RANDOM_VARIABLE
        } else {
            return None;
        };
        let word = &bytes[start..end];
        if IDENTIFIERS.iter().any(|it| word.starts_with(it.as_bytes())) || !judge::is_random(word) {
            return None;
        }
        Some(Finding { start, end: class::run_end(bytes, end, BASE64 | DASH, 512), name })
    }

    fn key_body(&mut self, start: usize, end: usize) -> Option<Finding> {
        if start < self.blob_end || self.pem.is_public(start) {
            return None;
        }
        let body = pem::body(self.bytes, self.floor(), start, end);
        self.blob_end = body.seen;
        body.finding
    }

    fn after(&mut self, hit: Hit) -> usize {
        let finding = match hit.act {
            Act::Password
            | Act::Phrase
            | Act::Token
            | Act::Vague
            | Act::Line
            | Act::Query
            | Act::Pin => self.value_of(hit),
            Act::Header => follow::header(self.bytes, hit),
            // `"bearer": "value"`.
            Act::Scheme if hit.name == "bearer-token" && link::is_assigned(self.bytes, hit.end) => {
                self.named(Hit { act: Act::Token, ..hit })
            }
            Act::Scheme => follow::scheme(self.bytes, hit),
            Act::User if self.bytes[hit.end..].starts_with(b"=(") => follow::call(self.bytes, hit),
            Act::User => follow::user(self.bytes, hit),
            Act::Login => follow::login(self.bytes, hit),
            Act::Flag(_)
                if hit.name == "ssh-password" && link::is_assigned(self.bytes, hit.end) =>
            {
                self.named(Hit { act: Act::Password, ..hit })
            }
            Act::Flag(flags) => {
                let mut found = follow::flag(self.bytes, hit, flags).into_iter();
                let first = found.next();
                self.beyond.extend(found);
                let login = hit.name == "login-password";
                first.or_else(|| if login { follow::login(self.bytes, hit) } else { None })
            }
            Act::Pair(flags, sign) => {
                if hit.name == "curl-password" {
                    self.beyond.extend(follow::cookie(self.bytes, hit));
                }
                follow::pair(self.bytes, hit, flags, sign)
            }
            Act::Argument(number, other) => follow::argument(self.bytes, hit, number, other)
                .or_else(|| follow::assigned(self.bytes, hit)),
            Act::Word(number) => {
                follow::word(self.bytes, hit, number).or_else(|| follow::read_in(self.bytes, hit))
            }
            Act::Final(letter) => follow::last_word(self.bytes, hit, letter),
            Act::Beside(command) => {
                return follow::beside(self.bytes, hit, command)
                    .map_or(hit.end, |it| self.add(it, hit.end));
            }
            Act::Kept(names) => {
                let mut found = follow::kept(self.bytes, hit, names).into_iter();
                let first = found.next();
                self.beyond.extend(found);
                first
            }
            // `{ auth: "value" }` has the name of a call.
            Act::Call if matches!(self.bytes.get(hit.end), Some(b':')) => {
                self.named(Hit { act: Act::Vague, ..hit })
            }
            Act::Call => follow::call(self.bytes, hit),
            Act::FirstOfCall => follow::nth_of_call(self.bytes, hit, 0),
            Act::RandomArgument => follow::random_argument(self.bytes, hit),
            Act::SecondOfCall => follow::nth_of_call(self.bytes, hit, 1),
            Act::ThirdOfCall => follow::nth_of_call(self.bytes, hit, 2),
            Act::Fed(sign, flags) => {
                let finding = follow::flag(self.bytes, hit, flags)
                    .into_iter()
                    .next()
                    .or_else(|| follow::fed(self.bytes, hit, self.floor(), sign));
                return finding.map_or(hit.end, |it| self.add(it, hit.end));
            }
            Act::Last if self.bytes.get(hit.end) == Some(&b'(') => {
                follow::nth_of_call(self.bytes, hit, 0)
            }
            Act::Last => follow::last(self.bytes, hit),
            Act::Tight(sign) => follow::tight(self.bytes, hit, sign),
            Act::Dsn => {
                return follow::driver(self.bytes, hit, self.floor())
                    .map_or(hit.end, |it| self.add(it, hit.end));
            }
            Act::Many => {
                self.several(hit);
                None
            }
            Act::Slash => follow::slash(self.bytes, hit),
            Act::Hash => follow::hash(self.bytes, hit),
            Act::Pem => return self.block(hit),
            Act::Putty => pem::putty(self.bytes, hit),
            Act::Ending => None,
        };
        match finding {
            // Words between a name and its value may be secrets by themselves.
            Some(finding) if has_long_word(self.bytes, hit.end, finding.start) => {
                self.beyond.push(finding);
                hit.end
            }
            Some(finding) if finding.start >= hit.end => self.keep(finding),
            _ => hit.end,
        }
    }

    /// Looks for the value of the name at `hit`, and for what else the name leads to.
    fn value_of(&mut self, hit: Hit) -> Option<Finding> {
        // What stands before a short name belongs to its word in the table.
        let sign = usize::from(!class::is(self.bytes[hit.start], WORD));
        let sign = if hit.end - hit.start == 3 { sign } else { 0 };
        let hit = Hit { start: hit.start + sign, ..hit };
        let found = self.named(hit);
        if found.is_some() {
            return found;
        }
        if hit.act == Act::Line {
            return follow::protocol(self.bytes, hit);
        }
        self.several(hit);
        let pair = hit.name == "auth" && self.bytes[hit.end..].starts_with(b"=(");
        if pair { follow::call(self.bytes, hit) } else { None }
    }

    fn named(&mut self, hit: Hit) -> Option<Finding> {
        let bytes = self.bytes;
        if context::is_in_path(bytes, hit) {
            return None;
        }
        if matches!(hit.act, Act::Password | Act::Phrase | Act::Token)
            || hit.name == "key" && context::is_api_key(bytes, hit)
        {
            // A marker takes the place of what the name made suspect.
            let rest = &bytes[hit.end..bytes.len().min(hit.end + NEAR)];
            let bracket = rest.iter().position(|it| *it == b'[');
            let marked = bracket.filter(|it| bytes[hit.end + it..].starts_with(b"[redacted:"));
            self.near = hit.end + marked.unwrap_or(NEAR);
        }
        let parameter = hit.start > 0 && context::is_parameter(bytes, hit.start);
        if context::is_public(bytes, hit) || hit.act == Act::Query && !parameter {
            return None;
        }
        let mut value = value::after(bytes, hit.start, hit.end)?;
        let plain = value.quoted == Quoted::No;
        let signed = value.start == value.end;
        if plain && !parameter && value.link == Link::Colon && hit.act == Act::Password {
            value.end = context::past_ampersands(bytes, value.end);
        }
        let own = value.link == Link::Tight
            || value.link == Link::Colon && plain && judge::is_line(bytes, &value);
        let given = value.link == Link::Space && value::is_given(bytes, hit.end);
        let set = own && value::is_setting(bytes, hit.end) || given;
        let listed = value.link == Link::Tight
            && plain
            && hit.act == Act::Password
            && (parameter || context::is_connection(bytes, hit.start))
            || value.link == Link::Space
                && hit.act == Act::Password
                && context::is_netrc(bytes, hit.start);
        let stored = context::is_stored(bytes, hit, set);
        let place = if set || listed || stored { Place::Setting } else { Place::Anywhere };
        let hit = if stored { Hit { act: Act::Password, ..hit } } else { hit };
        if set && plain && !signed && !parameter {
            value.end = context::line_end(bytes, value.start);
        }
        if listed && !signed && bytes[..hit.start].ends_with(b";") {
            value.end = context::entry_end(bytes, value.start);
        }
        let name = match form_of(bytes, &value) {
            Some(finding) if finding.end >= value.end => return Some(finding),
            Some(finding) => finding.name,
            None => hit.name,
        };
        if hit.act == Act::Phrase
            && let Some(end) = context::seed_end(bytes, value.start)
        {
            value.end = end;
            return Some(Finding { start: value.start, end, name });
        }
        let among = if parameter { Among::Parameters } else { Among::Words };
        let end = reach::end_of(bytes, &value, among);
        if signed && judge::is_enclosed_secret(bytes, &value, end, hit.act, place) {
            return Some(Finding { start: value.start + 1, end, name });
        }
        if hit.name == "oauth-code" && !context::is_code(&bytes[value.start..value.end]) {
            return None;
        }
        let known = hit.name == AWS_SECRET && context::is_aws_secret(bytes, &value);
        // Where a page is asked for, a key or a session is no name.
        let asked = parameter
            && hit.act == Act::Vague
            && matches!(hit.name, "key" | "auth")
            && value.end - value.start >= 24
            && bytes[value.start..value.end].iter().all(|it| class::is(*it, class::HEX));
        let told = context::is_told_key(bytes, hit, &value, set);
        let secret = known
            || asked
            || told
            || judge::is_secret(bytes, &value, hit.act, place)
            || judge::is_woven_secret(bytes, &value, end, hit.act);
        if !secret
            && (hit.name == "credential" || context::is_auth(bytes, hit, &value))
            && let Some((start, end)) = context::user_and_password(bytes, &value)
        {
            return Some(Finding { start, end, name });
        }
        secret.then_some(Finding { start: value.start, end, name })
    }

    fn block(&mut self, hit: Hit) -> usize {
        let Some(line) = pem::line(self.bytes, hit) else { return hit.end };
        match (line.edge, line.kind) {
            (pem::Edge::Begin, pem::Kind::Private) if !line.quoted => {
                let end = self.pem.end_of(self.bytes, line.end).unwrap_or(self.bytes.len());
                self.keep(Finding { start: line.start, end, name: hit.name })
            }
            (pem::Edge::Begin, _) => {
                self.pem.note_public(self.bytes, line.end);
                line.end
            }
            (pem::Edge::End, pem::Kind::Private) => {
                let floor = self.floor();
                let start =
                    if self.part == Part::Tail && self.found.iter().all(|it| it.name != hit.name) {
                        self.found.clear();
                        0
                    } else {
                        pem::body_start(self.bytes, floor, line.start.max(floor))
                    };
                if line.start.saturating_sub(start) < 24 {
                    return line.end;
                }
                self.found.retain(|it| it.end <= start);
                self.keep(Finding { start, end: line.end, name: hit.name })
            }
            (pem::Edge::End, pem::Kind::Public) => line.end,
        }
    }
}

/// Tells whether a form that ends in the word at `start` may begin before it.
fn reaches_back(bytes: &[u8], start: usize) -> bool {
    match bytes[..start] {
        [.., before, b'/'] => matches!(before, b'/' | b'1'),
        [.., b'.' | b':' | b'~' | b'$' | b'+'] => true,
        _ => false,
    }
}

/// The form with which a value begins.
fn form_of(bytes: &[u8], value: &Value) -> Option<Finding> {
    let word = value.start..class::run_end(bytes, value.start, WORD, 8192);
    rule::form_at(bytes, value.start, word).filter(|it| it.start == value.start)
}

/// Tells whether the word at `start` is the value of a variable in capitals that begins a line.
fn is_variable(bytes: &[u8], start: usize) -> bool {
    let quote = usize::from(start > 0 && class::is(bytes[start - 1], QUOTE));
    let Some(equals) = (start - quote).checked_sub(1) else { return false };
    let name = class::run_start(bytes, equals, WORD, 64);
    let word = &bytes[name..equals];
    bytes[equals] == b'='
        && value::is_setting(bytes, equals)
        && ![&b"SHA"[..], b"SUM", b"HASH", b"DIGEST", b"INTEGRITY", b"ETAG"]
            .iter()
            .any(|it| word.windows(it.len()).any(|part| part == *it))
}
