//! What tools, reviews and other assistants put before their words.

use super::line::{LineMark, PasteKind};

const LOG: LineMark = LineMark::Strong(PasteKind::Log);
/// What follows such a line in its paragraph belongs to it.
const HEAD: LineMark = LineMark::Strong(PasteKind::Shell);
const REMARK: LineMark = LineMark::Strong(PasteKind::Chat);

/// Levels of diagnostics, in small letters.
const LEVELS: [&str; 9] =
    ["error", "warning", "warn", "info", "note", "hint", "notice", "fatal", "deprecated"];

/// Labels with which reviewers begin a remark, and others do not.
const REMARK_LABELS: [&str; 8] =
    ["nit", "nitpick", "blocking", "non-blocking", "blocker", "praise", "thought", "quibble"];

/// Labels that others use too: two of them, or a bracket behind one, make a review.
const WEAK_LABELS: [&str; 10] = [
    "todo",
    "suggestion",
    "issue",
    "minor",
    "major",
    "optional",
    "critical",
    "typo",
    "chore",
    "polish",
];

/// Signs before the words of an assistant and of what its tools print.
const ASSISTANT_SIGNS: [char; 6] = ['⏺', '⎿', '※', '✻', '✽', '✶'];

/// Signs before a line of a program that greets, works or warns.
pub(super) const PICTURES: [char; 22] = [
    '❌', '✅', '🚀', '⛔', '🛑', '💡', '🔴', '🟢', '🟡', '✨', '📦', '🔥', '👉', '❗', '❓', '🎉',
    '🔧', '🔨', '📝', '🚨', '💥', '👀',
];

/// Whose subject a specification speaks of, before a keyword in capital letters.
const PARTIES: [&str; 34] = [
    "author",
    "authors",
    "application",
    "applications",
    "implementer",
    "implementers",
    "processor",
    "processors",
    "peer",
    "peers",
    "node",
    "nodes",
    "host",
    "hosts",
    "proxy",
    "proxies",
    "gateway",
    "gateways",
    "resolver",
    "resolvers",
    "client",
    "clients",
    "server",
    "servers",
    "sender",
    "senders",
    "receiver",
    "receivers",
    "recipient",
    "implementation",
    "implementations",
    "agent",
    "agents",
    "endpoint",
];

pub(super) fn tool_mark(line: &str, bare: &str) -> LineMark {
    let is_level = is_tagged_level(bare) || is_numbered_level(bare) || is_named_level(bare);
    if is_positioned(bare) || is_level || is_coded(bare) || is_option(line) {
        return LOG;
    }
    if is_head(bare) || bare.starts_with(ASSISTANT_SIGNS) || is_assistants(bare) {
        return HEAD;
    }
    if is_remark(bare) || is_specified(bare) {
        return REMARK;
    }
    let is_weak = bare.starts_with(is_drawing) || label(bare).is_some_and(is_weak_label);
    if is_weak { LineMark::Weak(PasteKind::Log) } else { LineMark::Prose }
}

/// `3:5  error  text  rule`, as a linter lists what it found in a file.
fn is_positioned(bare: &str) -> bool {
    let mut words = bare.split_whitespace();
    let is_place = |it: &str| {
        it.split_once(':').is_some_and(|(line, column)| is_number(line) && is_number(column))
    };
    let is_sign = |it: &str| {
        LEVELS.contains(&it.trim_end_matches(':').to_lowercase().as_str())
            || matches!(it, "✖" | "×" | "⚠" | "ℹ")
    };
    words.next().is_some_and(is_place) && words.next().is_some_and(is_sign)
}

/// `[vite] warning: text`, `▲ [WARNING] text`, `(node:12) text`.
fn is_tagged_level(bare: &str) -> bool {
    let plain = bare.trim_start_matches(['▲', '✘', '✖', ' ']);
    let is_drawn = plain.len() < bare.len() && plain.starts_with('[');
    let is_process = bare.strip_prefix("(node:").is_some_and(|it| it.starts_with(is_digit));
    let tagged = plain.strip_prefix('[').and_then(|it| it.split_once(']'));
    let has_level = tagged.is_some_and(|(tag, rest)| {
        let first = rest.trim_start_matches([' ', ':']).split([' ', ':', '[']).next();
        let first = first.unwrap_or_default();
        let is_level = |it: &str| LEVELS.contains(&it.to_lowercase().as_str());
        !tag.contains(' ') && is_level(first) && rest.contains(':') || is_drawn && is_level(tag)
    });
    let is_ruled = bare.to_lowercase().starts_with("warning: [");
    is_process || has_level || is_ruled || bare.starts_with("(!) ")
}

/// `Dockerfile:3 DL3007 warning: text`, `C0103: text`.
fn is_numbered_level(bare: &str) -> bool {
    let mut words = bare.split_whitespace();
    let first = words.next().unwrap_or_default().trim_end_matches(':');
    let is_place =
        first.split_once(':').is_some_and(|it| !it.0.is_empty() && it.1.split(':').all(is_number));
    let has_level = words
        .by_ref()
        .take(2)
        .any(|it| LEVELS.contains(&it.trim_end_matches(':').to_lowercase().as_str()));
    is_place && has_level
}

/// `ld: warning: text`, `DEPRECATION WARNING: text`, `CMake Warning at CMakeLists.txt:3 (message):`: a
/// program, a file or a place before the level.
fn is_named_level(bare: &str) -> bool {
    let words: Vec<_> = bare.split_whitespace().take(8).collect();
    let is_sign = |it: char| matches!(it, ':' | '-' | '[' | ']' | '(' | ')');
    let is_level = |it: &&str| {
        let level = it.trim_matches(is_sign).to_lowercase();
        matches!(level.as_str(), "warning" | "error" | "warn" | "deprecation" | "fatal" | "info")
    };
    let Some(at) = (1..words.len()).find(|it| is_level(&words[*it])) else { return false };
    let next = words.get(at + 1).copied().unwrap_or_default();
    let is_closed = words[at].ends_with([':', ']']) || matches!(next, "-" | "•");
    let is_program = |it: &&str| {
        it.ends_with([':', ','])
            || it.starts_with("=>")
            || it.len() > 1 && it.bytes().all(|it| it.is_ascii_uppercase() || it == b'_')
            || it.contains(['/', '@'])
            || it.bytes().all(|it| it.is_ascii_digit())
    };
    let is_placed = at == 1 && next == "at" && words[0].starts_with(char::is_uppercase);
    let has_place = words[..at].iter().any(|it| it.contains('/') && it.ends_with(':'));
    is_placed || is_closed && (has_place || words[..at].iter().all(is_program))
}

/// `YN0060: text`, `(security.W004) text`, `ERR_PNPM_LOCKFILE  text`: the number of what was found.
fn is_coded(bare: &str) -> bool {
    let mut words = bare.split_whitespace().take(3);
    let has_number = words.any(|word| {
        let is_closed = word.ends_with(':') || word.starts_with('(') && word.ends_with(')');
        let code = word.trim_matches([':', '(', ')', '[', ']']);
        let code = code.rsplit_once('.').map_or(code, |it| it.1);
        let letters = code.bytes().take_while(u8::is_ascii_uppercase).count();
        let digits = code.len() - letters;
        let is_code = (1..=4).contains(&letters) && (3..=5).contains(&digits);
        is_closed && is_code && code[letters..].bytes().all(|it| it.is_ascii_digit())
    });
    let first = bare.split(' ').next().unwrap_or_default();
    let is_constant = first.len() >= 6
        && first.contains('_')
        && first.bytes().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == b'_');
    has_number || is_constant && bare[first.len()..].starts_with("  ")
}

/// Signs that programs draw before a line, and that no list of a person begins with.
fn is_drawing(sign: char) -> bool {
    PICTURES.contains(&sign)
        || matches!(sign, '\u{2300}'..='\u{23ff}' | '\u{2500}'..='\u{27bf}' | '\u{2900}'..='\u{2bff}')
}

/// `-f, --force`, set in, as a manual lists what a program takes.
fn is_option(line: &str) -> bool {
    let bare = line.trim_start();
    if bare.len() == line.len() {
        return false;
    }
    let first = bare.split([' ', ',', '=']).next().unwrap_or_default();
    let is_short = first.len() == 2 && first.starts_with('-') && bare[2..].starts_with(", --");
    let is_long = first.len() > 3 && first.starts_with("--");
    is_short || is_long
}

/// Lines above what a tool, a page of documentation or a chart prints.
fn is_head(bare: &str) -> bool {
    const BEGINNINGS: [&str; 14] = [
        "==> ",
        "WARNING in ",
        "ERROR in ",
        "!!! ",
        ":::",
        "Deprecated Gradle",
        "??? ",
        "[!] ",
        "[Deprecation] ",
        "[Violation] ",
        "[Intervention] ",
        "[Warning] ",
        "[Error] ",
        "=> ",
    ];
    // `WARNING  text`, in a column.
    let is_column = ["WARNING  ", "CRITICAL  ", "NOTICE  "].iter().any(|it| bare.starts_with(it));
    let is_directive = bare.starts_with(".. ") && bare.contains("::");
    // `In deploy.sh line 3:`.
    let is_place = bare.starts_with("In ")
        && bare.ends_with(':')
        && bare.contains(" line ")
        && bare.contains('.');
    BEGINNINGS.iter().any(|it| bare.starts_with(it))
        || is_column
        || is_directive
        || is_place
        || matches!(bare, "NOTES:" | "CAVEATS" | "Caveats")
}

/// `● I'll run the tests`: an assistant speaks of itself behind its sign.
fn is_assistants(bare: &str) -> bool {
    let Some(rest) = bare.strip_prefix(['●', '•']) else { return false };
    let small = rest.trim_start().to_lowercase().replace('’', "'");
    ["i'll ", "i will ", "i've ", "i have ", "let me ", "now i", "i'm "]
        .iter()
        .any(|it| small.starts_with(it))
}

/// `nit: text`, `suggestion (non-blocking): text`, `Comment on lines +12 to +15`.
fn is_remark(bare: &str) -> bool {
    let is_place = ["Comment on line", "Comment on file"].iter().any(|it| bare.starts_with(it));
    let is_marked = label(bare).is_some_and(|name| {
        let (word, bracket) = name.split_once(" (").unwrap_or((name, ""));
        let is_bracket = bracket.contains("blocking") || bracket.contains("minor");
        let is_known = is_bracket || REMARK_LABELS.contains(&word) || is_weak_label(word);
        REMARK_LABELS.contains(&name) || is_known && !bracket.is_empty()
    });
    let padded = format!(" {} ", bare.to_lowercase());
    is_place || is_marked && ![" i ", " my ", " me "].iter().any(|it| padded.contains(it))
}

/// What stands before the first colon of a line.
fn label(bare: &str) -> Option<&str> {
    let plain = bare.trim_start_matches(['-', '*', ' ']);
    let (name, said) = plain.split_once(": ")?;
    (name.len() <= 30 && !said.trim().is_empty()).then(|| name.trim_matches('*'))
}

fn is_weak_label(name: &str) -> bool {
    WEAK_LABELS.contains(&name)
}

/// `The client MUST verify it`: a specification speaks of parties, with keywords in capital letters.
fn is_specified(bare: &str) -> bool {
    const KEYWORDS: [&str; 4] = ["MUST", "SHOULD", "SHALL", "MAY"];
    let words: Vec<_> = bare.split(|it: char| !it.is_alphanumeric()).collect();
    words
        .windows(2)
        .any(|it| KEYWORDS.contains(&it[1]) && PARTIES.contains(&&*it[0].to_lowercase()))
}

/// Whether a line is advice of a tool, by its beginning: `Warning: text` without an order, or a single
/// line behind a sign of programs. Such a line may be the author's as well.
pub(super) fn is_advice(lines: &[&str], at: usize) -> bool {
    let bare = lines[at].trim();
    if bare.starts_with(|it| is_drawing(it) && !matches!(it, '✅' | '✓' | '✔' | '☑' | '☐'))
    {
        // What not to do beside what to do is a list of its author.
        let is_done = |it: Option<usize>| {
            it.and_then(|it| lines.get(it)).is_some_and(|it| it.trim().starts_with('✅'))
        };
        return !is_done(at.checked_sub(1)) && !is_done(Some(at + 1));
    }
    let warned = ["Warning: ", "warning: ", "WARNING: ", "Error: ", "error: ", "deprecated: "]
        .iter()
        .find_map(|it| bare.strip_prefix(it));
    warned.is_some_and(|it| !is_order(it))
}

/// Whether a text begins as people begin what they want: `never …`, `do not …`, `please …`.
fn is_order(text: &str) -> bool {
    const ORDERS: [&str; 30] = [
        "never", "always", "do", "don't", "dont", "please", "use", "avoid", "prefer", "no", "keep",
        "we", "i", "is", "are", "was", "be", "make", "only", "stop", "the", "if", "when", "this",
        "our", "my", "ask", "run", "nie", "immer",
    ];
    let first = text.split([' ', ',', ':']).next().unwrap_or_default().to_lowercase();
    ORDERS.contains(&first.as_str())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit())
}

fn is_digit(it: char) -> bool {
    it.is_ascii_digit()
}
