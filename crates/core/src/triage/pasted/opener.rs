//! Lines that say that what follows was pasted.

use super::words;

/// What a line says of the text below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opener {
    /// A text of somebody else follows, down to the end of the message.
    Document,
    /// The same, and the author may go on in a last paragraph.
    Text,
    /// The same, and one line below is text enough.
    Words,
    /// The same, and the line itself is a part of the text.
    Part,
    /// The first line of a document, which lasts to the end of the message.
    Title,
}

/// What a line says of what follows it; nothing where it announces no text of somebody else.
pub(super) fn opener(line: &str) -> Option<Opener> {
    let small = line.trim().trim_matches(['*', '#', ' ']).to_lowercase();
    let raw = line.trim().to_lowercase();
    if words::PLANS.iter().any(|it| small.contains(it)) && small.split_whitespace().count() <= 25 {
        return Some(Opener::Document);
    }
    if words::DOCUMENTS.iter().any(|it| raw.starts_with(it)) || is_title(&raw) {
        return Some(Opener::Title);
    }
    if is_forwarded(&small) {
        return Some(Opener::Part);
    }
    let before = small.strip_suffix([':', '：'])?.trim_end();
    announced(before)
}

/// What a line before its colon announces.
fn announced(before: &str) -> Option<Opener> {
    let words: Vec<_> = before
        .split(|it: char| it.is_whitespace() || matches!(it, ',' | '(' | ')' | '"' | '\''))
        .filter(|it| !it.is_empty())
        .collect();
    let has = |some: &[&str]| words.iter().any(|it| some.contains(it));
    // A longer line may end with a sentence of its own, and the colon belongs to that.
    if words.len() > 20 || has(&["always", "never"]) {
        return None;
    }
    // `From Stack Overflow:`, and not `From now on:`
    let is_source = words.len() <= 8
        && matches!(words[..], ["from" | "via" | "von" | "aus" | "source" | "quelle" | "fuente", next, ..]
            if !matches!(next, "now" | "here" | "today" | "me" | "then" | "this" | "the" | "mir" | "jetzt"));
    if is_source {
        return Some(Opener::Words);
    }
    let is_others = has(words::OTHERS);
    let is_passed_on = has(words::GETS) && has(words::THESE) || has(words::GETS) && is_others;
    let is_said = ends_with_another(&words) || is_others && words.len() <= 12;
    let is_from = has_text(&words) && is_from_another(&words);
    let is_wide_mine = ["我的", "我们的", "私の", "내 "].iter().any(|it| before.contains(it));
    let is_mine = is_wide_mine || has(words::MINE) || is_from_me(&words);
    if is_mine && !is_said && !is_passed_on && !is_from {
        return None;
    }
    if has(words::PLAN_NOUNS) || words::PLAN_NOUNS.iter().any(|it| is_wide(it, before)) {
        return Some(Opener::Document);
    }
    let is_worked_on = words.first().is_some_and(|it| words::WORKS.contains(it))
        || has(words::THESE) && has(words::OBJECTS);
    if is_said || is_from || is_passed_on || is_worked_on && !has(words::OWN) {
        return Some(Opener::Words);
    }
    let is_text = has_text(&words)
        || words::WIDE_TEXTS.iter().any(|it| before.contains(it))
        || is_named_file(&words)
        || words.iter().any(|it| is_ticket(it));
    (is_text && !has(words::OWN)).then_some(Opener::Text)
}

/// Whether a line says that what stands above it was pasted: `^^ got this mail`, `the above is from
/// the docs`.
pub(super) fn is_backward(line: &str) -> bool {
    let small = line.trim().to_lowercase();
    let has_text =
        || small.split(|it: char| !it.is_alphanumeric()).any(|it| words::TEXTS.contains(&it));
    let points_up = small.starts_with('^') || small.starts_with('↑') || small.starts_with("(^");
    let is_above = ["the above ", "above is ", "das obige ", "ci-dessus", "lo de arriba"]
        .iter()
        .any(|it| small.starts_with(it));
    let is_got = [
        "got this ",
        "i got this ",
        "just got this ",
        "received this ",
        "that is the ",
        "that's the ",
        "this is what ",
    ]
    .iter()
    .any(|it| small.starts_with(it));
    let tells_source =
        small.contains(" from ") || small.contains(" says") || small.contains(" wrote");
    let is_source = ["source:", "quelle:", "via:", "via http", "fuente:"]
        .iter()
        .any(|it| small.starts_with(it))
        && small.contains("://");
    is_source
        || points_up && (has_text() || tells_source)
        || (is_above || is_got) && (has_text() || tells_source)
}

/// Whether a word in a script without spaces stands in a text.
fn is_wide(word: &str, text: &str) -> bool {
    word.chars().all(super::tongue::is_wide) && text.contains(word)
}

/// `comments from Anna`, and not `feedback from me`.
fn is_from_another(words: &[&str]) -> bool {
    let is_from = |it: &[&str]| matches!(it[0], "from" | "by" | "von" | "vom" | "par");
    words.windows(2).any(|it| is_from(it) && !words::ARTICLES.contains(&it[1]))
        && !is_from_me(words)
}

/// `feedback from me`.
fn is_from_me(words: &[&str]) -> bool {
    words.windows(2).any(|it| matches!(it, ["from" | "by", "me"] | ["von", "mir"] | ["de", "moi"]))
}

/// Whether a noun of a text stands there that is not the topic of the author's own list: `the logs`,
/// and not `about the logs`.
fn has_text(words: &[&str]) -> bool {
    (0..words.len()).filter(|it| words::TEXTS.contains(&words[*it])).any(|at| {
        let before = words[..at].iter().rfind(|it| !words::ARTICLES.contains(it));
        !before.is_some_and(|it| words::TOPICS.contains(it))
    })
}

/// `PROJ-123`, `#123`.
pub(super) fn is_ticket(word: &str) -> bool {
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let is_key = |it: &str| it.len() >= 2 && it.bytes().all(|it| it.is_ascii_alphabetic());
    word.strip_prefix('#').is_some_and(is_number)
        || word.split_once('-').is_some_and(|it| is_key(it.0) && is_number(it.1))
}

/// A heading of a document: `# Implementation plan`, `## [1.2.0] - 2026-11-17`.
fn is_title(raw: &str) -> bool {
    let Some(title) = raw.strip_prefix('#').map(|it| it.trim_start_matches('#').trim()) else {
        return false;
    };
    let words: Vec<_> = title.split(|it: char| !it.is_alphanumeric()).collect();
    let is_mine = words.iter().any(|it| words::MINE.contains(it));
    let is_named = words.len() <= 8 && words.iter().any(|it| words::TITLE_NOUNS.contains(it));
    let version = title.trim_start_matches(['[', 'v']);
    let is_version =
        version.split('.').count() >= 3 && version.starts_with(|it: char| it.is_ascii_digit());
    !is_mine && (is_named || is_version)
}

/// `Anna wrote:`, and not `I said:`.
pub(super) fn ends_with_another(words: &[&str]) -> bool {
    let Some((last, before)) = words.split_last() else { return false };
    let is_verb = |it: &&str| words::SAYS.contains(it);
    // `told me this`, `wrote to me`.
    let speaks = is_verb(last) || before.iter().rev().take(2).any(is_verb);
    let own = ["i", "we", "ich", "wir", "je", "j", "nous", "yo", "eu", "я", "мы"];
    speaks && !before.is_empty() && !words.iter().any(|it| own.contains(it))
}

/// `from docs/setup.md:`, `contents of package.json:`.
fn is_named_file(words: &[&str]) -> bool {
    const ENDINGS: [&str; 9] =
        [".md", ".txt", ".log", ".json", ".yaml", ".yml", ".toml", ".rst", ".adoc"];
    words.last().is_some_and(|word| ENDINGS.iter().any(|it| word.ends_with(it)))
}

/// Lines that a mail program puts above a mail.
fn is_forwarded(small: &str) -> bool {
    const LINES: [&str; 6] = [
        "original message",
        "forwarded message",
        "begin forwarded message",
        "ursprüngliche nachricht",
        "message d'origine",
        "mensaje original",
    ];
    const WROTE: [&str; 6] = [" wrote", " schrieb", " écrit", " escribió", " escreveu", "写道"];
    let bare = small.trim_matches(['-', ' ', ':', '_']);
    let is_wrote = small.ends_with([':', '：']) && WROTE.iter().any(|it| small.contains(it));
    let is_dated = small.bytes().any(|it| it.is_ascii_digit()) && small.contains(['@', ',']);
    LINES.contains(&bare) || is_wrote && is_dated
}
