//! One pattern of a `.gitignore`, read and matched as git does it.
//!
//! A match costs at most the length of the pattern times that of the path: whoever writes the
//! pattern must not decide how long we think about it.

/// A line of a `.gitignore`.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) says: Says,
    applies: Applies,
    shape: Shape,
}

/// What a match means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    Ignored,
    Kept,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Applies {
    Everywhere,
    ToDirectories,
}

/// What a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    File,
    Directory,
}

#[derive(Debug)]
enum Shape {
    /// This name, in any directory.
    Name(Vec<u8>),
    /// A name that ends like this.
    End(Vec<u8>),
    /// A name that matches.
    Wild(Vec<Token>),
    /// A path that begins like this, and whose rest matches.
    Path(Vec<u8>, Vec<Token>),
    /// Nothing: git gives up on it, too.
    Broken,
}

#[derive(Debug, Clone)]
enum Token {
    Byte(u8),
    /// One byte of a set, never a `/` in a path.
    Set(Box<[bool; 256]>),
    /// Any bytes but `/`.
    Star,
    /// Nothing; or nothing in the place of the two tokens that follow, `**` and `/`.
    Skip,
    /// Any bytes.
    Deep,
}

/// What `*` stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    Name,
    Path,
}

impl Pattern {
    /// Reads a line without its end; `None` where it has no pattern.
    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        if line.is_empty() || line.starts_with(b"#") {
            return None;
        }
        let line = trimmed(line);
        let (says, line) = match line {
            [b'!', rest @ ..] => (Says::Kept, rest),
            _ => (Says::Ignored, line),
        };
        let (applies, line) = match line {
            [rest @ .., b'/'] => (Applies::ToDirectories, rest),
            _ => (Applies::Everywhere, line),
        };
        if line.is_empty() {
            return None;
        }
        Some(Self { says, applies, shape: Shape::of(line) })
    }

    /// Whether it matches a path, which is told from the directory of the file of patterns on.
    pub(super) fn matches(&self, path: &[u8], target: Target) -> bool {
        if self.applies == Applies::ToDirectories && target == Target::File {
            return false;
        }
        let slash = path.iter().rposition(|it| *it == b'/');
        let name = slash.map_or(path, |it| &path[it + 1..]);
        match &self.shape {
            Shape::Name(it) => name == it,
            Shape::End(it) => name.ends_with(it),
            Shape::Wild(tokens) => is_match(tokens, name),
            Shape::Path(begin, tokens) => {
                path.strip_prefix(&begin[..]).is_some_and(|it| is_match(tokens, it))
            }
            Shape::Broken => false,
        }
    }
}

impl Shape {
    fn of(pattern: &[u8]) -> Self {
        let is_special = |it: &u8| matches!(it, b'*' | b'?' | b'[' | b'\\');
        if !pattern.contains(&b'/') {
            return match pattern {
                [b'*', rest @ ..] if !rest.iter().any(is_special) => Self::End(rest.to_vec()),
                _ if !pattern.iter().any(is_special) => Self::Name(pattern.to_vec()),
                _ => tokens(pattern, Scope::Name).map_or(Self::Broken, Self::Wild),
            };
        }
        // Git compares what stands before the first special byte first, and forgets it.
        let pattern = pattern.strip_prefix(b"/").unwrap_or(pattern);
        let plain = pattern.iter().position(is_special).unwrap_or(pattern.len());
        let (begin, rest) = pattern.split_at(plain);
        tokens(rest, Scope::Path).map_or(Self::Broken, |it| Self::Path(begin.to_vec(), it))
    }
}

/// Spaces at the end do not count, unless there is a backslash before them.
fn trimmed(line: &[u8]) -> &[u8] {
    let mut end = None;
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        match byte {
            b' ' => end = end.or(Some(at)),
            b'\\' if at + 1 == line.len() => return line,
            b'\\' => (at, end) = (at + 1, None),
            _ => end = None,
        }
        at += 1;
    }
    &line[..end.unwrap_or(line.len())]
}

fn tokens(pattern: &[u8], scope: Scope) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(byte) = pattern.get(at) {
        match byte {
            b'\\' => {
                tokens.push(Token::Byte(*pattern.get(at + 1)?));
                at += 2;
            }
            b'?' => {
                tokens.push(Token::Set(set(scope, |_| true)));
                at += 1;
            }
            b'[' => {
                let (token, end) = class(pattern, at + 1, scope)?;
                tokens.push(token);
                at = end;
            }
            b'*' => {
                let stars = pattern[at..].iter().take_while(|it| **it == b'*').count();
                let before = at.checked_sub(1).map(|it| pattern[it]);
                let rest = &pattern[at + stars..];
                let stands_alone = stars > 1
                    && matches!(before, None | Some(b'/'))
                    && matches!(rest, [] | [b'/', ..] | [b'\\', b'/', ..]);
                if scope == Scope::Name || !stands_alone {
                    tokens.push(Token::Star);
                } else if rest.first() == Some(&b'/') {
                    tokens.extend([Token::Skip, Token::Deep]);
                } else {
                    tokens.push(Token::Deep);
                }
                at += stars;
            }
            byte => {
                tokens.push(Token::Byte(*byte));
                at += 1;
            }
        }
    }
    Some(tokens)
}

fn set(scope: Scope, is_in: impl Fn(u8) -> bool) -> Box<[bool; 256]> {
    let mut set = Box::new([false; 256]);
    for byte in 0..=u8::MAX {
        set[usize::from(byte)] = is_in(byte) && (scope == Scope::Name || byte != b'/');
    }
    set
}

/// A class from behind its `[`, and where it ends.
fn class(pattern: &[u8], from: usize, scope: Scope) -> Option<(Token, usize)> {
    let mut at = from;
    let is_negated = matches!(pattern.get(at), Some(b'!' | b'^'));
    at += usize::from(is_negated);
    let mut has = [false; 256];
    let mut before = None;
    // A `]` that comes first is one of the class.
    let mut is_first = true;
    loop {
        let byte = *pattern.get(at)?;
        if byte == b']' && !is_first {
            break;
        }
        is_first = false;
        match (byte, before, pattern.get(at + 1)) {
            (b'\\', _, next) => {
                let next = *next?;
                has[usize::from(next)] = true;
                before = Some(next);
                at += 2;
            }
            (b'-', Some(low), Some(next)) if *next != b']' => {
                at += 1 + usize::from(*next == b'\\');
                let high = *pattern.get(at)?;
                (low..=high).for_each(|it| has[usize::from(it)] = true);
                before = None;
                at += 1;
            }
            (b'[', _, Some(b':')) => {
                let start = at + 2;
                let end = start + pattern[start..].iter().position(|it| *it == b']')?;
                if let Some(name) = pattern[start..end].strip_suffix(b":") {
                    let is_in = named(name)?;
                    (0..=u8::MAX).for_each(|it| has[usize::from(it)] |= is_in(it));
                    before = None;
                    at = end + 1;
                } else {
                    has[usize::from(b'[')] = true;
                    before = Some(b'[');
                    at += 1;
                }
            }
            (byte, ..) => {
                has[usize::from(byte)] = true;
                before = Some(byte);
                at += 1;
            }
        }
    }
    Some((Token::Set(set(scope, |it| has[usize::from(it)] != is_negated)), at + 1))
}

fn named(name: &[u8]) -> Option<fn(u8) -> bool> {
    Some(match name {
        b"alnum" => |it| it.is_ascii_alphanumeric(),
        b"alpha" => |it| it.is_ascii_alphabetic(),
        b"blank" => |it| matches!(it, b' ' | b'\t'),
        b"cntrl" => |it| it.is_ascii_control(),
        b"digit" => |it| it.is_ascii_digit(),
        b"graph" => |it| it.is_ascii_graphic(),
        b"lower" => |it| it.is_ascii_lowercase(),
        b"print" => |it| it.is_ascii_graphic() || it == b' ',
        b"punct" => |it| it.is_ascii_punctuation(),
        b"space" => |it| matches!(it, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c),
        b"upper" => |it| it.is_ascii_uppercase(),
        b"xdigit" => |it| it.is_ascii_hexdigit(),
        _ => return None,
    })
}

/// Goes through the text once, with all places of the pattern that it may have come to.
fn is_match(tokens: &[Token], text: &[u8]) -> bool {
    let mut places = vec![false; tokens.len() + 1];
    places[0] = true;
    pass_by(tokens, &mut places);
    let mut next = vec![false; tokens.len() + 1];
    for byte in text {
        next.fill(false);
        for (place, token) in tokens.iter().enumerate().filter(|it| places[it.0]) {
            match token {
                Token::Byte(it) => next[place + 1] |= it == byte,
                Token::Set(set) => next[place + 1] |= set[usize::from(*byte)],
                Token::Star => next[place] |= *byte != b'/',
                Token::Skip => {}
                Token::Deep => next[place] = true,
            }
        }
        pass_by(tokens, &mut next);
        std::mem::swap(&mut places, &mut next);
        if !places.contains(&true) {
            return false;
        }
    }
    places[tokens.len()]
}

/// What may stand for nothing is passed by.
fn pass_by(tokens: &[Token], places: &mut [bool]) {
    for (place, token) in tokens.iter().enumerate() {
        if !places[place] {
            continue;
        }
        match token {
            Token::Star | Token::Deep => places[place + 1] = true,
            Token::Skip => (places[place + 1], places[place + 3]) = (true, true),
            Token::Byte(_) | Token::Set(_) => {}
        }
    }
}
