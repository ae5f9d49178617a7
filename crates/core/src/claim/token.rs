//! The words of a passage. Code and quotations become opaque: what stands in them was not said.

use std::borrow::Cow;

use super::Claimed;
use super::lexicon::{command_subject, is_test_word};
use super::marks::Marks;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word, in small letters in `Token::word`.
    Word,
    /// A whole number.
    Count(u64),
    /// `12/12`, or `100%`.
    Ratio(u64, u64),
    /// Inline code; the subject is known where it is a command that verifies something.
    Code(Option<Claimed>),
    /// Words of somebody else.
    Quote,
    /// ✅ and its like.
    Tick,
    /// ❌ and its like.
    Cross,
    /// `→`: steps of a flow.
    Arrow,
    /// `,`
    Comma,
    /// `—`, or a hyphen between spaces.
    Dash,
    /// `:`
    Colon,
    /// `(`
    Open,
    /// `)`
    Close,
    /// The end of a sentence.
    Stop,
    /// The end of a question.
    Question,
    /// Any other sign; nothing is said across it.
    Other,
}

/// A token, and where it stands in its passage.
#[derive(Debug, Clone)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) word: Cow<'a, str>,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The parts that it may play.
    pub(super) marks: Marks,
}

impl Token<'_> {
    /// Tells whether the token is one of these words.
    pub(super) fn is(&self, words: &[&str]) -> bool {
        self.kind == Kind::Word && words.contains(&&*self.word)
    }
}

const TICKS: &str = "✅✓✔☑🟢💚";
const CROSSES: &str = "❌✗✘🔴⚠⏳🚧⬜🔲☐";
/// Signs that carry no meaning here: emphasis, brackets, variation selectors.
const IGNORED: &str = "*_~[]{}#\u{fe0f}\u{200d}🎉✨🚀👍";
const PAIRS: [(char, char); 6] =
    [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」'), ('『', '』')];
/// A quotation is not longer than this; a sign without its partner is no quotation.
const QUOTE_MAX: usize = 400;

/// Cuts a passage into tokens.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(sign) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let (kind, end) = token_at(text, at, sign);
        if let Some(kind) = kind {
            let raw = text.get(at..end).unwrap_or_default();
            let word = if kind == Kind::Word { small(raw) } else { Cow::Borrowed("") };
            let marks = marks_of(kind, &word);
            all.push(Token { kind, word, start: at, end, marks });
        }
        at = end.max(at + sign.len_utf8());
    }
    all
}

fn marks_of(kind: Kind, word: &str) -> Marks {
    match kind {
        Kind::Word if is_test_word(word) => Marks::of(word).or(Marks::SUBJECT),
        Kind::Word => Marks::of(word),
        Kind::Code(Some(_)) => Marks::SUBJECT,
        Kind::Tick | Kind::Ratio(..) => Marks::SIGN,
        Kind::Count(0) => Marks::NONE,
        _ => Marks::default(),
    }
}

/// The token that begins here, if one does, and where it ends.
fn token_at(text: &str, at: usize, sign: char) -> (Option<Kind>, usize) {
    let next = at + sign.len_utf8();
    let rest = text.get(next..).unwrap_or_default();
    let before = text.get(..at).and_then(|head| head.chars().next_back());
    let after = rest.chars().next();
    if sign == '`' {
        return code_at(text, at);
    }
    if let Some(end) = quote_end(text, at, sign, before) {
        return (Some(Kind::Quote), end);
    }
    if sign == ']' && after == Some('(') {
        // The address of a link is not part of the sentence.
        return (None, rest.find(')').map_or(next, |close| next + close + 1));
    }
    if sign.is_alphanumeric() {
        return word_at(text, at);
    }
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if sign == '%' && digits > 0 {
        // Some write "%100", with an ending.
        let share = rest.get(..digits).and_then(|it| it.parse().ok());
        let tail = rest.get(digits..).unwrap_or_default();
        let ending = tail
            .strip_prefix(['\'', '’'])
            .map_or(0, |it| tail.len() - it.trim_start_matches(char::is_alphabetic).len());
        return (share.map(|it| Kind::Ratio(it, 100)), next + digits + ending);
    }
    let lone = |c: Option<char>| c.is_none_or(char::is_whitespace);
    // What may follow the sign that ends a sentence: emphasis, a bracket, a tick.
    let ends = after.is_none_or(|c| c.is_whitespace() || ")*_]\"'”".contains(c) || !c.is_ascii());
    let kind = match sign {
        _ if sign.is_whitespace() || IGNORED.contains(sign) => None,
        _ if TICKS.contains(sign) => Some(Kind::Tick),
        _ if CROSSES.contains(sign) => Some(Kind::Cross),
        '.' if ends && !abbreviated(text.get(..at).unwrap_or_default()) => Some(Kind::Stop),
        '.' | '\'' | '’' => None,
        '!' if ends => Some(Kind::Stop),
        '?' if ends => Some(Kind::Question),
        // In Greek it asks.
        ';' if before.is_some_and(|it| ('\u{370}'..'\u{400}').contains(&it)) => {
            Some(Kind::Question)
        }
        ';' | '。' | '！' | '；' | '।' | '؛' => Some(Kind::Stop),
        '？' | '؟' => Some(Kind::Question),
        ',' | '，' | '、' | '،' => Some(Kind::Comma),
        '—' | '–' => Some(Kind::Dash),
        '-' if rest.starts_with('>') => return (Some(Kind::Arrow), next + 1),
        '=' if rest.starts_with('>') => return (Some(Kind::Arrow), next + 1),
        '-' if lone(after) || after == Some('-') => Some(Kind::Dash),
        '=' if lone(before) && lone(after) => Some(Kind::Colon),
        '→' | '⇒' | '➜' => Some(Kind::Arrow),
        ':' | '：' => Some(Kind::Colon),
        '(' | '（' => Some(Kind::Open),
        ')' | '）' => Some(Kind::Close),
        '/' if !lone(before) && !lone(after) => None,
        _ => Some(Kind::Other),
    };
    (kind, next)
}

/// The word in small letters; most are.
fn small(raw: &str) -> Cow<'_, str> {
    if raw.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(raw);
    }
    let small = raw.to_lowercase().replace('’', "'");
    // Letters of Bengali that have two spellings.
    let is_double = |it: char| matches!(it, '\u{9dc}' | '\u{9dd}' | '\u{9df}');
    if !small.contains(is_double) {
        return Cow::Owned(small);
    }
    let small = small.replace('\u{9dc}', "\u{9a1}\u{9bc}").replace('\u{9dd}', "\u{9a2}\u{9bc}");
    Cow::Owned(small.replace('\u{9df}', "\u{9af}\u{9bc}"))
}

fn abbreviated(before: &str) -> bool {
    let last = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    ["e.g", "i.e", "eg", "ie", "vs", "approx", "cf", "incl"]
        .iter()
        .any(|short| last.eq_ignore_ascii_case(short))
}

/// Inline code: as many backticks at its end as at its beginning.
fn code_at(text: &str, at: usize) -> (Option<Kind>, usize) {
    let rest = text.get(at..).unwrap_or_default();
    let ticks = rest.len() - rest.trim_start_matches('`').len();
    let inner = rest.get(ticks..).unwrap_or_default();
    let mut from = 0;
    while let Some(found) = inner.get(from..).and_then(|tail| tail.find('`')) {
        let begin = from + found;
        let run = inner.get(begin..).unwrap_or_default();
        let length = run.len() - run.trim_start_matches('`').len();
        if length == ticks {
            let content = inner.get(..begin).unwrap_or_default();
            return (Some(Kind::Code(command_subject(content))), at + ticks + begin + length);
        }
        from = begin + length;
    }
    (None, at + ticks)
}

fn quote_end(text: &str, at: usize, sign: char, before: Option<char>) -> Option<usize> {
    let inner = at + sign.len_utf8();
    let rest = text.get(inner..)?;
    if sign == '\'' || sign == '‘' {
        // An apostrophe stands after a letter; a quotation begins after none and ends before none.
        if before.is_some_and(char::is_alphanumeric) {
            return None;
        }
        return rest.char_indices().take(QUOTE_MAX).find_map(|(place, c)| {
            let end = place + c.len_utf8();
            let tail = rest.get(end..)?.chars().next();
            let closes = (c == '\'' || c == '’') && !tail.is_some_and(char::is_alphanumeric);
            (closes && place > 0).then_some(inner + end)
        });
    }
    let (_, close) = PAIRS.into_iter().find(|(open, _)| *open == sign)?;
    let place = rest.find(close).filter(|place| *place <= QUOTE_MAX)?;
    Some(inner + place + close.len_utf8())
}

/// A word or a number, with the signs that may stand inside one.
fn word_at(text: &str, at: usize) -> (Option<Kind>, usize) {
    let rest = text.get(at..).unwrap_or_default();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let wide = rest.get(digits..).and_then(|tail| tail.chars().next());
    if digits > 0 && wide.is_some_and(|c| c.is_alphabetic() && !c.is_ascii()) {
        // A number before a word of a script without spaces.
        return (Some(number(rest.get(..digits).unwrap_or_default())), at + digits);
    }
    let mut end = 0;
    let mut last = ' ';
    let mut signs = rest.chars().peekable();
    while let Some(sign) = signs.next() {
        let next = signs.peek().copied().unwrap_or(' ');
        let inside = match sign {
            _ if sign.is_alphanumeric() || is_mark(sign) => true,
            ',' | '/' => last.is_ascii_digit() && next.is_ascii_digit(),
            ':' => last.is_ascii_alphabetic() && next.is_ascii_alphabetic(),
            '-' | '_' | '.' | '\'' | '’' => last.is_alphanumeric() && next.is_alphanumeric(),
            _ => false,
        };
        if !inside {
            break;
        }
        end += sign.len_utf8();
        last = sign;
    }
    let raw = rest.get(..end).unwrap_or_default();
    let tail = rest.get(end..).unwrap_or_default();
    // Some write "100 %".
    let sign = tail.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    let is_prefix = sign.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    if sign.starts_with('%') && tail.len() - sign.len() <= 3 && !raw.is_empty() && !is_prefix {
        let share = raw.parse().map_or(Kind::Other, |share| Kind::Ratio(share, 100));
        return (Some(share), at + end + (tail.len() - sign.len()) + 1);
    }
    (Some(number(raw)), at + end)
}

/// Signs that belong to the letter before them, in scripts whose words would break without them.
fn is_mark(sign: char) -> bool {
    matches!(sign, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}')
        || matches!(
            sign,
            '\u{93c}' | '\u{94d}' | '\u{9bc}' | '\u{9cd}' | '\u{bcd}' | '\u{e31}'
                ..='\u{e4e}' | '\u{200c}'
        )
}

fn number(raw: &str) -> Kind {
    let whole = |text: &str| text.replace(',', "").parse::<u64>().ok();
    if let Some((part, all)) = raw.split_once('/')
        && let (Some(part), Some(all)) = (whole(part), whole(all))
    {
        return Kind::Ratio(part, all);
    }
    whole(raw).filter(|_| !raw.is_empty()).map_or(Kind::Word, Kind::Count)
}
