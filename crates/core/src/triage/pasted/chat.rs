//! Lines of chats and of reviews: who speaks, and when.

use super::line::{LineMark, PasteKind};
use super::{log, tongue};

pub(super) fn chat_mark(bare: &str) -> LineMark {
    let strong =
        is_commented(bare) || is_nick(bare) || is_chat_head(bare) || is_timed_speaker(bare);
    if strong || is_dated_head(bare) || is_cue(bare) || is_spoken(bare) || is_furniture(bare) {
        LineMark::Strong(PasteKind::Chat)
    } else if speaker(bare).is_some() {
        LineMark::Weak(PasteKind::Chat)
    } else {
        LineMark::Prose
    }
}

/// What a host of code shows above a comment: `@anna commented on src/lib.rs`.
pub(super) fn is_commented(bare: &str) -> bool {
    const VERBS: [&str; 9] = [
        " commented",
        " reviewed",
        " requested changes",
        " left a comment",
        " suggested changes",
        " approved these changes",
        " opened this issue",
        " opened a pull request",
        " replied",
    ];
    const AFTER: [&str; 13] = [
        " on ",
        " ago",
        " yesterday",
        " last ",
        " just now",
        ":",
        " 1",
        " 2",
        " 3",
        " 4",
        " 5",
        " 6",
        " now",
    ];
    if bare.split_whitespace().count() > 14 {
        return false;
    }
    let is_patch_set = bare.starts_with("Patch Set ") && bare.contains(':');
    if is_patch_set || bare.starts_with("Actionable comments posted") {
        return true;
    }
    VERBS.iter().any(|verb| {
        let Some((who, rest)) = bare.split_once(verb) else { return false };
        let is_name = who.split_whitespace().count() <= 3 && !who.is_empty();
        let is_handle = who.trim_matches(['*', ' ']).starts_with('@');
        let is_person =
            !["i", "you", "we", "they", "nobody", "who"].contains(&&*who.to_lowercase());
        let follows = rest.is_empty() || AFTER.iter().any(|it| rest.contains(it));
        let is_name = is_name || who.split_whitespace().last().is_some_and(|it| it == "bot");
        is_name && is_person && (is_handle || follows)
    })
}

/// `<anna> text`, as in a channel.
fn is_nick(bare: &str) -> bool {
    let Some((nick, rest)) = bare.strip_prefix('<').and_then(|it| it.split_once('>')) else {
        return false;
    };
    let is_name =
        |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '@' | '+' | '[' | ']');
    !nick.is_empty()
        && nick.len() <= 20
        && nick.trim_start_matches(['@', '+', ' ']).chars().all(is_name)
        && rest.starts_with(' ')
        && rest.trim().contains(' ')
        && !rest.contains('<')
}

/// `Anna Meyer  10:32 AM`, `anna — Today at 10:32`: a name and a time, and nothing else.
fn is_chat_head(bare: &str) -> bool {
    let words: Vec<_> = bare.split_whitespace().collect();
    let Some(last) = words.last() else { return false };
    let has_time = |it: &str| log::is_time(it.trim_matches(['[', ']', '(', ')', ',']));
    let half = last.trim_matches(['[', ']', '(', ')']).to_lowercase();
    let time = if matches!(&*half, "am" | "pm") {
        words.len().checked_sub(2)
    } else {
        words.len().checked_sub(1)
    };
    let Some(time) = time.filter(|it| *it >= 1) else { return false };
    words.len() <= 8
        && has_time(words[time])
        && words[0].chars().next().is_some_and(char::is_alphabetic)
        && !bare.contains(['.', '?', '!'])
        && words[..time].iter().all(|it| {
            let first = it.chars().next();
            matches!(*it, "at" | "um" | "à" | "—" | "-" | "·" | "APP" | "a" | "las")
                || first.is_some_and(|it| {
                    it.is_uppercase() || it.is_ascii_digit() || matches!(it, '[' | '(')
                })
                || time == 1
        })
}

/// `10:32 AM` alone, `[Yesterday 10:32] Anna`, `anna — 17.11.2026 10:32`, `Anna, [17.11.2026 10:32]`,
/// `Anna @anna · 2 hours ago`: a time, its day, and at most three words of a name.
fn is_dated_head(bare: &str) -> bool {
    const DAYS: [&str; 8] =
        ["today", "yesterday", "heute", "gestern", "hier", "ayer", "hoje", "ontem"];
    let is_past = bare.ends_with(" ago") || bare.contains(" ago |") || bare.contains(" ago •");
    if is_past && bare.contains(['@', '·', '•', '|']) {
        return bare.split_whitespace().count() <= 12;
    }
    // `Anna Meyer @anna · Nov 17`.
    let is_posted = bare.contains(" @") && bare.contains(" · ");
    if is_posted && bare.split_whitespace().count() <= 9 {
        return true;
    }
    let is_sign =
        |it: char| matches!(it, '[' | ']' | '(' | ')' | ',' | '—' | '–' | '-' | '·' | '•');
    let (mut times, mut days, mut names) = (0, 0, 0);
    for word in bare.split_whitespace() {
        let plain = word.trim_matches(is_sign);
        let small = plain.to_lowercase();
        let is_half = matches!(small.as_str(), "am" | "pm" | "a.m." | "p.m.");
        if log::is_time(plain) {
            times += 1;
        } else if is_half || DAYS.contains(&&*small) || is_date(plain) || plain.is_empty() {
            days += 1;
        } else if plain.contains(['.', '?', '!', ':']) {
            return false;
        } else {
            names += 1;
        }
    }
    times == 1 && days > 0 && names <= 3
}

/// `pg 3 hours ago | next [–]`: who wrote a comment, and how long ago.
pub(super) fn is_past_head(bare: &str) -> bool {
    is_dated_head(bare) && bare.contains(" ago")
}

/// `17.11.2026`, `2026-11-17`, `11/17/26`.
fn is_date(word: &str) -> bool {
    let parts: Vec<_> = word.split(['.', '/', '-']).collect();
    let is_number =
        |it: &&str| (1..=4).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_digit());
    parts.len() == 3 && parts.iter().all(is_number)
}

/// `00:01:12 Anna Meyer`: when somebody speaks, and nothing else.
fn is_spoken(bare: &str) -> bool {
    let mut words = bare.split_whitespace();
    let is_timed = words.next().is_some_and(|it| log::is_time(it.trim_matches(['[', ']'])));
    let names: Vec<_> = words.collect();
    is_timed
        && (1..=3).contains(&names.len())
        && names.iter().all(|it| {
            it.starts_with(char::is_uppercase)
                && it.chars().all(|it| it.is_alphabetic() || it == '-')
        })
}

/// What a page puts around an answer: `answered Nov 17 at 10:00`, `Improve this answer`.
pub(super) fn is_furniture(bare: &str) -> bool {
    let stamped = |text: &str, most: usize| {
        ["answered ", "asked ", "edited "].iter().any(|it| {
            let rest = text.strip_prefix(it);
            rest.is_some_and(|it| {
                let has_digit = it.contains(|it: char| it.is_ascii_digit());
                it.split_whitespace().count() <= most && has_digit
            })
        })
    };
    // In a capital letter it may be a sentence, which names no day and nobody's reputation.
    let is_signed = || {
        let small = bare.to_lowercase();
        small.contains("reputation") && stamped(&small, 12)
    };
    is_button(bare) || stamped(bare, 6) || is_signed()
}

/// What a page puts below an answer, to be clicked.
pub(super) fn is_button(bare: &str) -> bool {
    const LINES: [&str; 9] = [
        "Share Improve this question Follow",
        "Share Follow",
        "Share Edit Follow Flag",
        "Improve this answer",
        "Improve this question",
        "Share Improve this answer Follow",
        "Add a comment",
        "Show more replies",
        "Was this page helpful?",
    ];
    LINES.contains(&bare)
}

/// `00:00:01.000 --> 00:00:04.000`: when a line of a film is spoken.
fn is_cue(bare: &str) -> bool {
    let is_clock = |it: &str| {
        it.contains(':')
            && it.bytes().all(|it| it.is_ascii_digit() || matches!(it, b':' | b'.' | b','))
    };
    bare.split_once(" --> ").is_some_and(|it| is_clock(it.0) && is_clock(it.1))
}

/// `[10:32] anna: text`, `10:32 anna: text`, `10:32 - Anna: text`.
fn is_timed_speaker(bare: &str) -> bool {
    let open = bare.trim_start_matches(['[', '(']);
    let Some((first, rest)) = open.split_once([' ', ']', ')']) else { return false };
    if !log::is_time(first.trim_end_matches([',', ':'])) {
        return false;
    }
    let rest = rest.trim_start_matches(['-', '–', ']', ')', ' ']);
    let rest = rest.strip_prefix("AM").or_else(|| rest.strip_prefix("PM")).unwrap_or(rest);
    let rest = rest.trim_start_matches([']', ')', '-', ' ']);
    let Some((name, said)) = rest.split_once(':') else { return false };
    !said.is_empty() && name.split_whitespace().count() <= 3 && !name.is_empty()
}

/// Words before a colon that are no names.
const LABELS: [&str; 48] = [
    "so",
    "now",
    "therefore",
    "anyway",
    "note",
    "notes",
    "rule",
    "rules",
    "important",
    "warning",
    "also",
    "please",
    "ps",
    "p.s.",
    "edit",
    "update",
    "question",
    "goal",
    "task",
    "context",
    "requirements",
    "constraint",
    "constraints",
    "example",
    "expected",
    "actual",
    "fix",
    "hint",
    "tip",
    "caution",
    "reminder",
    "decision",
    "preference",
    "todo",
    "result",
    "style",
    "tests",
    "test",
    "background",
    "summary",
    "problem",
    "solution",
    "steps",
    "step",
    "regel",
    "wichtig",
    "règle",
    "regla",
];

/// The name before a colon, where it may be the name of who speaks: one or two words that begin with
/// a capital letter, or a handle.
pub(super) fn speaker(bare: &str) -> Option<&str> {
    let plain = bare.trim_start_matches(['*', '-', ' ']);
    let (name, said) = plain.split_once([':', '：'])?;
    let name = name.trim_matches('*');
    let said = said.trim_start_matches('*');
    let words: Vec<_> = name.split_whitespace().collect();
    let is_name = |it: &&str| {
        let letters = it.trim_start_matches('@');
        let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | '\'');
        letters.chars().all(is_part)
            && (it.starts_with('@') || letters.chars().next().is_some_and(char::is_uppercase))
    };
    // `Speaker 1`.
    let is_number = |it: &&str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let are_names = words.split_first().is_some_and(|(first, rest)| {
        is_name(first) && rest.iter().all(|it| is_name(it) || is_number(it))
    });
    let is_label = LABELS.contains(&&*name.to_lowercase());
    let speaks = !said.trim().is_empty() && !said.starts_with("//");
    ((1..=2).contains(&words.len()) && are_names && !is_label && speaks).then_some(name)
}

/// A name in small letters before a colon: `anna: never npm`; or one in a script without them.
pub(super) fn small_speaker(bare: &str) -> Option<&str> {
    let (name, said) = bare.split_once([':', '：'])?;
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.');
    let is_small = name.starts_with(char::is_lowercase) && name.chars().all(is_part);
    let speaks = said.starts_with(' ') && !said.trim().is_empty();
    let is_wide = (2..=4).contains(&name.chars().count()) && name.chars().all(tongue::is_wide);
    let is_name = is_small && speaks || is_wide && !said.is_empty();
    (is_name && !LABELS.contains(&name)).then_some(name)
}
