//! Lines in which the author tells what somebody else says.
//!
//! Such a line is the author's, and the rule in it is not.

use super::words;

/// Words of a rule. A line that has one outside of what it reports is a rule of its author.
const CUES: &[&str] = &[
    "always",
    "never",
    "must",
    "should",
    "prefer",
    "avoid",
    "use",
    "immer",
    "nie",
    "niemals",
    "muss",
    "müssen",
    "sollen",
    "benutze",
    "toujours",
    "jamais",
    "doit",
    "utilise",
    "siempre",
    "nunca",
    "debe",
    "usa",
    "sempre",
    "deve",
    "всегда",
    "никогда",
];

/// The same in scripts without spaces between words.
const WIDE_CUES: &[&str] = &["必须", "不要", "始终", "必ず", "使わない", "使って"];

/// Others, where no noun names them.
const PRONOUNS: &[&str] = &[
    "he", "she", "they", "somebody", "someone", "er", "il", "elle", "él", "ella", "ele", "ela",
    "он", "она",
];

/// Verbs of an opinion.
const THINKS: &[&str] = &[
    "thinks",
    "thought",
    "believes",
    "wants",
    "wanted",
    "insists",
    "suggests",
    "suggested",
    "argues",
    "recommends",
    "prefers",
    "demands",
    "meint",
    "glaubt",
    "denkt",
    "will",
    "findet",
    "pense",
    "croit",
    "veut",
    "piensa",
    "cree",
    "quiere",
    "acha",
    "pensa",
    "vuole",
    "считает",
    "думает",
];

/// Sentences with which an author takes back what stands before them.
const RETRACTIONS: &[&str] = &[
    "just kidding",
    "i disagree",
    "i don't agree",
    "i do not agree",
    "ignore that",
    "never mind",
    "forget that",
    "he is wrong",
    "he's wrong",
    "that is wrong",
    "that's wrong",
    "they are wrong",
    "that is not true",
    "scratch that",
    "war ein scherz",
    "stimmt nicht",
    "vergiss das",
    "je plaisante",
    "pas d'accord",
    "era broma",
    "no estoy de acuerdo",
];

/// Words with which a question begins.
const ASKS: &[&str] = &[
    "should",
    "shall",
    "must",
    "do",
    "does",
    "is",
    "are",
    "can",
    "could",
    "would",
    "why",
    "what",
    "when",
    "how",
    "who",
    "sollen",
    "sollten",
    "müssen",
    "ist",
    "sind",
    "warum",
    "wann",
    "doit-on",
    "faut-il",
    "est-ce",
    "pourquoi",
    "debemos",
    "debería",
    "deberíamos",
    "devemos",
    "dobbiamo",
];

/// Verbs that have other meanings too.
const UNSURE: &[&str] = &[
    "shows", "prints", "printed", "asked", "sent", "posted", "reported", "noted", "zeigt",
    "affiche", "muestra", "mostra", "tells",
];

/// Words before the name of whose opinion follows.
const SOURCES: &[&str] =
    &["according to ", "laut ", "selon ", "según ", "segundo ", "согласно ", "secondo "];

/// Quotation marks that open and close.
const MARKS: [(char, char); 6] =
    [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」'), ('『', '』')];

/// Words between quotation marks from which on they are a sentence of somebody.
const SENTENCE: usize = 3;

/// Whether a line states no rule of its author: all its rules are those of somebody else, it asks
/// for one, or it takes one back.
pub(super) fn is_report(line: &str) -> bool {
    is_others_rule(line) || asks_or_takes_back(line)
}

/// Whether the rule of a line is a question, or taken back by the next sentence.
fn asks_or_takes_back(line: &str) -> bool {
    let small = line.to_lowercase();
    let mut has_rule = false;
    let mut is_open = false;
    for sentence in small.split_inclusive(['.', '!', '?', '？', ';']) {
        let first = sentence
            .split(|it: char| !(it.is_alphanumeric() || it == '-'))
            .find(|it| !it.is_empty());
        let is_question = sentence.trim_end().ends_with(['?', '？'])
            && (first.is_some_and(|it| ASKS.contains(&it)) || !sentence.is_ascii());
        if has_rule && RETRACTIONS.iter().any(|it| sentence.contains(it)) {
            return true;
        }
        if has_cue(sentence) {
            has_rule = true;
            is_open |= !is_question;
        }
    }
    has_rule && !is_open
}

/// Whether all rules of a line are those of somebody else.
fn is_others_rule(line: &str) -> bool {
    let (without, is_quoting) = cut_quotes(line);
    let small = without.to_lowercase();
    let mut is_reporting = is_quoting;
    let mut has_own = false;
    for sentence in small.split_inclusive(['.', '!', '?', ';']) {
        match (has_cue(sentence), is_told(sentence)) {
            (true, true) => is_reporting = true,
            (true, false) => has_own = true,
            (false, _) => {}
        }
    }
    is_reporting && !has_own
}

/// A line without the sentences between quotation marks, and whether a rule was among them.
fn cut_quotes(line: &str) -> (String, bool) {
    let mut rest = line;
    let mut kept = String::with_capacity(line.len());
    let mut is_quoting = false;
    while let Some((at, open, close)) = first_mark(rest) {
        let inside = &rest[at + open.len_utf8()..];
        let Some(end) = inside.find(close) else { break };
        kept.push_str(&rest[..at]);
        let quote = &inside[..end];
        let is_sentence = super::count_words(quote) >= SENTENCE;
        if !is_sentence {
            kept.push_str(quote);
        }
        is_quoting |= is_sentence && has_cue(&quote.to_lowercase());
        rest = &inside[end + close.len_utf8()..];
    }
    kept.push_str(rest);
    (kept, is_quoting)
}

fn first_mark(text: &str) -> Option<(usize, char, char)> {
    let found = MARKS.iter().filter_map(|it| Some((text.find(it.0)?, it.0, it.1)));
    found.min_by_key(|it| it.0)
}

/// `the reviewer says: …`, `according to the docs …`.
fn is_told(sentence: &str) -> bool {
    let sentence = sentence.trim_start();
    if SOURCES.iter().any(|it| sentence.starts_with(it)) {
        return true;
    }
    let words: Vec<_> = sentence
        .split(|it: char| !(it.is_alphanumeric() || matches!(it, '.' | '-' | '_' | '\'')))
        .filter(|it| !it.is_empty())
        .take(6)
        .collect();
    let is_verb =
        |it: &&str| words::SAYS.contains(it) && !UNSURE.contains(it) || THINKS.contains(it);
    let Some(verb) = words.iter().position(is_verb) else { return false };
    words[..verb]
        .iter()
        .rev()
        .take(2)
        .any(|it| words::OTHERS.contains(it) || words::TEXTS.contains(it) || PRONOUNS.contains(it))
}

fn has_cue(sentence: &str) -> bool {
    sentence.split(|it: char| !it.is_alphanumeric()).any(|it| CUES.contains(&it))
        || WIDE_CUES.iter().any(|it| sentence.contains(it))
}

#[cfg(test)]
mod tests {
    use super::is_report;

    #[test]
    fn a_rule_that_is_asked_for_or_taken_back_is_none() {
        for line in [
            "My colleague thinks we must never use regexes in this module. I disagree.",
            "Never commit directly to main. Just kidding, do it.",
            "Should we always use tabs instead of spaces?",
            "Sollen wir immer Tabs verwenden? Was meinst du?",
            "Der Chef meint, wir müssen immer testen.",
        ] {
            assert!(is_report(line), "{line}");
        }
        for line in [
            "Never commit to main. Is that clear?",
            "Always use pnpm, never npm.",
            "Use tabs. The old style is wrong here, always.",
            "never mind the warnings, but always run the linter",
        ] {
            assert!(!is_report(line), "{line}");
        }
    }

    #[test]
    fn the_rule_of_somebody_else_is_reported() {
        for line in [
            "He said “we must always use tabs here” and I do not agree.",
            "the app shows \"You must always be online\" and that is wrong, remove it",
            "The reviewer says: never use unwrap here. What do you think?",
            "The README says that we must always use node 18, but that is outdated.",
            "According to the docs you should never use eval. Is this true?",
            "Laut Review sollen wir immer Optional benutzen. Stimmt das?",
            "My colleague told me that we must never push on Friday.",
            "Le client dit qu'il faut toujours tester.",
            "Why does the log say \"must always be root\"?",
        ] {
            assert!(is_report(line), "{line}");
        }
    }

    #[test]
    fn a_rule_of_the_author_is_none() {
        for line in [
            "Always use the word \"tenant\", never \"customer\".",
            "Bob wrote \"always use tabs\", I say: always use spaces.",
            "The reviewer says it is slow. Never allocate in the loop.",
            "I said it before: never use npm here.",
            "Never write \"this should always work\" in a comment.",
            "The error must always say what to do.",
            "Always use \"double quotes\" in Python.",
            "we decided to keep the old API",
            "do what she says",
            "The reviewer wrote:",
            "",
            "\"",
        ] {
            assert!(!is_report(line), "{line}");
        }
    }
}
