//! A line that stands alone above a text and tells whose text it is, without a colon at its end.

use super::opener::{Opener, is_ticket};
use super::words;

/// Words of a rule: a line with one of them is no heading.
const RULES: [&str; 10] =
    ["always", "never", "must", "should", "immer", "nie", "toujours", "jamais", "siempre", "nunca"];

/// Words that point at a plan below.
const BELOW: &[&str] = &[
    "below",
    "following",
    "attached",
    "this",
    "these",
    "unten",
    "folgenden",
    "folgender",
    "diesen",
    "untenstehenden",
    "ci-dessous",
    "suivant",
    "siguiente",
    "abajo",
    "seguinte",
    "abaixo",
];

/// Verbs of those who let a plan begin.
const BEGINS: &[&str] = &[
    "implement",
    "execute",
    "start",
    "approved",
    "go",
    "do",
    "carry",
    "work",
    "continue",
    "proceed",
    "begin",
    "follow",
    "apply",
    "leg",
    "beginne",
    "starte",
    "umsetzen",
    "setze",
];

/// With which a line begins that names a text: not with an order.
const NAMES_A_TEXT: &[&str] = &[
    "here",
    "here's",
    "from",
    "rules",
    "guidelines",
    "excerpt",
    "quote",
    "conventions",
    "standards",
    "section",
    "notes",
    "the",
    "a",
    "an",
    "some",
    "das",
    "die",
    "der",
    "hier",
    "aus",
    "voici",
    "les",
    "estas",
    "las",
    "los",
    "it",
    "somebody",
    "someone",
];

/// Assistants that are not the one that reads this.
const ASSISTANTS: &[&str] = &[
    "claude",
    "opus",
    "sonnet",
    "haiku",
    "chatgpt",
    "gpt",
    "gemini",
    "copilot",
    "perplexity",
    "grok",
    "deepseek",
    "mistral",
    "llama",
    "codex",
    "cursor",
    "bot",
    "assistant",
];

/// Beginnings of titles that documents have.
const TITLES: &[&str] = &[
    "what's new",
    "what's changed",
    "release notes",
    "changelog",
    "contributing",
    "code of conduct",
    "security policy",
    "style guide",
    "pull request template",
    "how to contribute",
    "mitwirken",
    "versionshinweise",
    "notes de version",
    "notas de la versión",
];

/// What a line above a text tells of it. It stands alone, and a text follows; `body` is its first
/// line, and `body_lines` tells how much follows.
pub(super) fn heading(line: &str, body: &str, body_lines: usize) -> Option<Opener> {
    let bare = line.trim();
    let small = bare.to_lowercase().replace('’', "'");
    let plain = small.trim_matches(['#', '*', ' ', '_', '.']);
    let words: Vec<_> = plain
        .split(|it: char| it.is_whitespace() || matches!(it, ',' | '(' | ')' | '"' | '\'' | ':'))
        .filter(|it| !it.is_empty())
        .collect();
    let has = |some: &[&str]| words.iter().any(|it| some.contains(it));
    if words.is_empty() || words.len() > 14 || has(&RULES) || bare.ends_with(['?', '!']) {
        return None;
    }
    if let Some(opener) = plan(&words, body, body_lines) {
        return Some(opener);
    }
    if is_title(bare, plain, &words) {
        return Some(Opener::Title);
    }
    let is_sentence = bare.ends_with('.') || bare.contains(". ");
    let is_mine = has(words::MINE) && !has(words::OTHERS) || has(&["me", "i"]) && has(words::OWN);
    if is_sentence || is_mine {
        return None;
    }
    let has_address = plain.contains("https://") || plain.contains("http://");
    let got = has(words::GETS) || has(&["read", "saw", "gelesen", "gefunden"]);
    let from = words.first().is_some_and(|it| matches!(*it, "from" | "source" | "via" | "quelle"));
    let is_now = words.get(1).is_some_and(|it| matches!(*it, "now" | "here" | "today" | "then"));
    if from && has_address {
        return Some(Opener::Part);
    }
    if has_address && got || from && !is_now && words.len() <= 8 {
        return Some(Opener::Words);
    }
    let names_text = words.first().is_some_and(|it| {
        NAMES_A_TEXT.contains(it) || words::THESE.contains(it) || words::TEXTS.contains(it)
    });
    let has_text = has(words::TEXTS);
    let is_said = super::opener::ends_with_another(&words)
        || words.last().is_some_and(|it| matches!(*it, "say" | "sagen" | "disent" | "dicen"));
    let is_assistants = words.iter().take(2).any(|it| ASSISTANTS.contains(it))
        && has(words::SAYS)
        && has(words::THESE);
    let is_said = is_said || is_assistants;
    let is_others = has(words::OTHERS) && has_text && words.len() <= 6;
    let is_passed_on = has(words::GETS) && has(words::THESE) && words.len() <= 10;
    let is_output = names_text
        && has_text
        && words.windows(2).any(|it| {
            words::TEXTS.contains(&it[0]) && matches!(it[1], "of" | "from" | "von" | "de" | "aus")
        });
    let is_from = names_text
        && words.windows(2).any(|it| {
            matches!(it[0], "from" | "aus" | "von")
                && !matches!(it[1], "now" | "me" | "mir" | "here")
        });
    (is_said || is_others || is_passed_on || is_output || is_from).then_some(Opener::Words)
}

/// `go ahead with the plan below`, `The plan is approved, start with it`.
fn plan(words: &[&str], body: &str, body_lines: usize) -> Option<Opener> {
    let has = |some: &[&str]| words.iter().any(|it| some.contains(&it.trim_end_matches('.')));
    if !has(words::PLAN_NOUNS) {
        return None;
    }
    let points = has(BELOW);
    let is_long = body.starts_with('#') || body_lines >= 3;
    (points || has(BEGINS) && is_long).then_some(Opener::Document)
}

/// The first line of a document: `3.2. Requirements`, `ADR-007: Use Postgres`, `Release 2.4.0`,
/// `Coding guidelines (from our wiki)`, `Space > Team > Guidelines`, `403 Forbidden`.
fn is_title(bare: &str, plain: &str, words: &[&str]) -> bool {
    if words.len() > 10 || bare.ends_with('.') && !plain.starts_with(|it: char| it.is_ascii_digit())
    {
        return false;
    }
    let is_known = TITLES.iter().any(|it| plain.starts_with(it)) && !words.contains(&"my");
    let has_version = words.iter().any(|it| {
        let number = it.trim_start_matches('v');
        number.contains('.') && number.split('.').all(is_number)
    });
    let is_release = has_version
        && words.len() <= 5
        && words.iter().any(|it| matches!(*it, "release" | "version" | "v" | "released"));
    let has_date = words.iter().any(|it| {
        let parts: Vec<_> = it.split(['-', '.', '/']).collect();
        parts.len() == 3 && parts.iter().all(|it| is_number(it) && it.len() >= 2)
    });
    let is_minutes = has_date
        && words.len() <= 6
        && words.iter().any(|it| {
            matches!(
                *it,
                "notes" | "minutes" | "meeting" | "standup" | "retro" | "protokoll" | "sync"
            )
        });
    let source = plain.split_once('(').map_or("", |it| it.1);
    let is_sourced = ["from ", "excerpt", "source", "copied", "via ", "aus ", "auszug", "extrait"]
        .iter()
        .any(|it| source.starts_with(it))
        && !source.starts_with("from me");
    let is_part = |it: &str| it.starts_with(char::is_uppercase) && it.len() <= 30;
    let is_path = [" > ", " / ", " » ", " › "]
        .iter()
        .any(|it| bare.split(it).count() >= 3 && bare.split(it).all(is_part));
    let is_version = words.len() == 1 && has_version && plain.starts_with('v');
    let is_upgrade = bare.starts_with('#')
        && ["upgrading", "migrating", "migration guide", "upgrade guide"]
            .iter()
            .any(|it| plain.starts_with(it));
    let begins_large = bare
        .trim_start_matches(['#', ' ', '*', '['])
        .starts_with(|it: char| it.is_uppercase() || it.is_ascii_digit());
    if bare.starts_with("[![") || is_version || is_upgrade {
        return true;
    }
    if !begins_large && !is_known {
        return false;
    }
    is_known
        || is_release
        || is_minutes
        || is_sourced
        || is_path
        || is_section(bare)
        || is_status(bare)
        || is_keyed(bare)
}

/// `3.2.  Requirements`: a number of two parts or more, and a title.
fn is_section(bare: &str) -> bool {
    let Some((number, title)) = bare.split_once(' ') else { return false };
    let parts: Vec<_> = number.trim_end_matches('.').split('.').collect();
    let title = title.trim();
    parts.len() >= 2
        && parts.iter().all(|it| is_number(it) && it.len() <= 2)
        && title.starts_with(char::is_uppercase)
        && title.split_whitespace().count() <= 6
        && !title.ends_with(['.', ':'])
}

/// `403 Forbidden`, `HTTP ERROR 500`, `502 Bad Gateway`.
fn is_status(bare: &str) -> bool {
    let small = bare.to_lowercase();
    let rest =
        ["http error ", "http ", "error ", "status "].iter().find_map(|it| small.strip_prefix(it));
    let text = rest.unwrap_or(&small);
    let (code, reason) = text.split_once([' ', ':']).unwrap_or((text, ""));
    let is_code = code.len() == 3 && is_number(code) && code.starts_with(['4', '5']);
    const REASONS: [&str; 14] = [
        "forbidden",
        "unauthorized",
        "not found",
        "bad gateway",
        "bad request",
        "internal server",
        "service unavailable",
        "gateway time",
        "too many",
        "conflict",
        "gone",
        "payload",
        "method not",
        "unprocessable",
    ];
    let reason = reason.trim_start_matches([':', '-', ' ', '|']);
    is_code
        && (rest.is_some() && reason.is_empty() || REASONS.iter().any(|it| reason.starts_with(it)))
}

/// `ENG-42 Fix the importer`, `[ENG-42] Fix the importer`.
pub(super) fn is_keyed(bare: &str) -> bool {
    let plain = bare.trim_start_matches(['#', ' ']);
    let (key, title) = plain.split_once([' ', ':']).unwrap_or((plain, ""));
    let key = key.trim_matches(['[', ']', ':']);
    let is_key = is_ticket(key) && key.starts_with(char::is_uppercase);
    let title = title.trim_start_matches([':', '-', ' ', '–']);
    is_key && (title.is_empty() || title.starts_with(char::is_uppercase)) && !title.contains(". ")
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit())
}
