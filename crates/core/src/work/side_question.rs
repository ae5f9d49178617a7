//! Whether a prompt asks something, or only tells the agent to go on.

use super::PromptWish;
use super::request::{self, Requested};
use crate::Excerpt;

/// Marks that end a question.
const QUESTION_MARKS: &[char] = &['?', '？', '؟', '՞', '፧'];

/// Signs that end a clause.
const CLAUSE_ENDS: &[char] =
    &['.', '!', ',', ';', ':', '\n', '(', '–', '—', '。', '，', '！', '、', '；', '：'];

/// Words with which a prompt begins that wants an answer.
#[rustfmt::skip]
const OPENERS: &[&str] = &[
    "what", "what's", "whats", "why", "how", "which", "who", "whose", "where", "when", "explain", "describe",
    "summarize", "summarise", "tell me", "show me", "is there", "are there", "is it", "does", "did", "do we", "do you",
    "warum", "was", "wie", "welche", "wo", "wann", "erkläre", "erklär", "zeig", "pourquoi", "comment", "explique",
    "qu'est-ce", "por qué", "qué", "cómo", "explica", "perché", "spiega", "почему", "что", "как", "объясни",
    "为什么", "什么", "怎么", "解释", "なぜ", "説明",
];

/// Prompts that only tell the agent to go on.
#[rustfmt::skip]
const GO_ON: &[&str] = &[
    "go", "next", "more", "again", "do it", "yes", "ok", "okay", "y", "ja", "oui", "sí", "si", "да", "tak", "sim",
    "nochmal", "opnieuw", "jeszcze raz", "好", "好的", "是", "はい", "네",
];

/// Words with which a prompt begins that tells the agent to go on, whatever follows.
#[rustfmt::skip]
const GOES_ON: &[&str] = &[
    "go on", "go ahead", "continue", "proceed", "keep going", "keep working", "keep at it", "keep on", "carry on",
    "resume", "try again", "retry", "work on", "get on with", "back to work", "finish", "weiter", "mach weiter",
    "arbeite weiter", "fortfahren", "fahre fort", "continuer", "continuez", "poursuis", "reprends", "continúa", "sigue",
    "prosigue", "continua", "avanti", "vai avanti", "prossegue", "ga door", "ga verder", "doorgaan", "verder", "kontynuuj",
    "dalej", "pracuj dalej", "продолжай", "продолжи", "дальше", "fortsätt", "fortsæt", "fortsett", "jatka", "devam",
    "pokračuj", "继续", "接着", "続けて", "続き", "계속", "tiếp tục", "lanjut",
];

/// Words with which a prompt begins that gives the agent work.
#[rustfmt::skip]
const ORDERS: &[&str] = &[
    "fix", "make", "implement", "add", "write", "build", "create", "refactor", "work", "complete", "solve", "get the",
    "get it", "get all", "start", "begin", "do the", "do it", "do this", "do that", "do all", "run", "update", "change",
    "remove", "delete", "migrate", "convert", "port", "improve", "optimize", "optimise", "rewrite", "rename", "clean",
    "debug", "handle", "ensure", "let's", "try", "use", "set", "replace", "move", "upgrade", "install", "repair",
    "correct", "adjust", "extend", "support", "bring", "reduce", "speed", "follow", "prepare", "test", "merge", "split",
    "drop", "apply", "configure", "commit", "format", "simplify", "document", "translate", "turn", "put", "rebase",
    "revert", "loop", "keep",
    "behebe", "mach", "mache", "baue", "bau", "schreib", "schreibe", "füge", "implementiere", "arbeite", "erstelle",
    "ändere", "repariere", "korrigiere", "entferne", "lösche", "verbessere", "corrige", "fais", "ajoute", "implémente",
    "écris", "crée", "supprime", "répare", "améliore", "arregla", "haz", "añade", "implementa", "escribe", "crea",
    "elimina", "mejora", "agrega", "cambia", "correggi", "fai", "aggiungi", "scrivi", "rimuovi", "corrija", "conserte",
    "adicione", "implemente", "escreva", "repareer", "maak", "voeg", "schrijf", "los", "verwijder", "verbeter", "napraw",
    "zrób", "dodaj", "napisz", "usuń", "popraw", "zaimplementuj", "исправь", "почини", "сделай", "добавь", "напиши",
    "удали", "реализуй", "fixa", "lägg till", "skriv", "gör", "修复", "实现", "添加", "修改", "写", "编写", "创建", "删除",
    "修正", "実装", "追加", "作成", "直して", "수정", "구현", "추가",
];

/// Words before the one that tells what a prompt wants.
#[rustfmt::skip]
const BEFORE: &[&str] = &[
    "please", "ok", "okay", "yes", "now", "then", "so", "well", "and", "alright", "great", "good", "thanks", "also",
    "just", "bitte", "ja", "dann", "jetzt", "und", "oui", "et", "svp", "sí", "y", "por favor", "graag", "proszę", "да",
    "请", "пожалуйста",
];

/// What a prompt wants. One that begins with work gives it, whatever it asks then; one that asks
/// something gives none by what stands behind that.
pub(super) fn wish_of(text: &Excerpt) -> PromptWish {
    match () {
        () if is_order(text) => PromptWish::Work,
        () if is_question(text) => match request::of(text) {
            Requested::Work | Requested::GoOn => PromptWish::Work,
            Requested::Perhaps => PromptWish::Unclear,
            Requested::Nothing => PromptWish::Answer,
        },
        () if request::of(text) == Requested::Work => PromptWish::Work,
        () if holds_order(text) => PromptWish::Work,
        () => PromptWish::Unclear,
    }
}

/// Tells whether a sentence or a clause of a prompt gives the agent work.
fn holds_order(text: &Excerpt) -> bool {
    let parts = [Some(&text.head), text.tail.as_ref()].into_iter().flatten();
    parts.flat_map(|it| it.split(CLAUSE_ENDS)).any(|it| is_order(&Excerpt::of(it)))
}

/// Tells whether a prompt asks something.
fn is_question(text: &Excerpt) -> bool {
    let head = text.head.trim_start().to_lowercase();
    let begins = |it: &str| {
        let rest = head.strip_prefix(it);
        rest.is_some_and(|it| !it.starts_with(|it: char| it.is_ascii_alphanumeric()))
    };
    let ends = [Some(&text.head), text.tail.as_ref()].into_iter().flatten();
    let is_asked = ends.flat_map(|it| it.split_whitespace()).any(|it| it.ends_with(QUESTION_MARKS));
    is_asked || OPENERS.iter().any(|it| begins(it))
}

/// Tells whether a prompt says that the agent shall go on.
pub(super) fn says_go_on(text: &Excerpt) -> bool {
    let (words, rest) = wish(text);
    let is_only = |it: &str| text.tail.is_none() && GO_ON.contains(&bare(it));
    let goes_on = GOES_ON.iter().any(|it| begins_with(&rest, it));
    is_only(&words) || is_only(&rest) || goes_on || request::of(text) == Requested::GoOn
}

/// Tells whether words, in small letters, begin with one that tells the agent to go on.
pub(super) fn begins_going_on(words: &str) -> bool {
    GOES_ON.iter().any(|it| begins_with(words, it))
}

/// The word in small letters with which an order begins, and what follows it.
pub(super) fn order_of(words: &str) -> Option<(&'static str, &str)> {
    let order = ORDERS.iter().filter(|it| begins_with(words, it)).max_by_key(|it| it.len())?;
    Some((order, &words[order.len()..]))
}

/// Tells whether a prompt gives the agent work.
fn is_order(text: &Excerpt) -> bool {
    let (_, rest) = wish(text);
    ORDERS.iter().any(|it| begins_with(&rest, it))
}

/// A prompt in small letters, and the same from the word on that tells what it wants.
fn wish(text: &Excerpt) -> (String, String) {
    let words = text.head.trim().to_lowercase();
    let rest = behind_courtesy(&words).to_owned();
    (words, rest)
}

/// Words in small letters, from the one on that tells what they want.
pub(super) fn behind_courtesy(words: &str) -> &str {
    let mut rest = words;
    while let Some(word) = BEFORE.iter().find(|it| begins_with(rest, it) && rest.len() > it.len()) {
        let next = rest[word.len()..].trim_start_matches(|it: char| !it.is_alphanumeric());
        if next.is_empty() {
            break;
        }
        rest = next;
    }
    rest
}

/// Tells whether a text begins with these words. Scripts without spaces end words anywhere.
pub(super) fn begins_with(text: &str, words: &str) -> bool {
    let has_spaces = words.starts_with(|it: char| it < '\u{2e80}');
    let rest = text.strip_prefix(words);
    rest.is_some_and(|it| !has_spaces || !it.starts_with(|it: char| it.is_alphanumeric()))
}

fn bare(text: &str) -> &str {
    text.trim_matches(|it: char| !it.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::{PromptWish, is_order, is_question, says_go_on, wish_of};
    use crate::Excerpt;

    #[test]
    fn questions_are_told_from_work() {
        for text in [
            "What is the port?",
            "explain the cache",
            "Wo steht das?",
            "这是什么？",
            "how far are you",
        ] {
            assert!(is_question(&Excerpt::of(text)), "{text}");
        }
        for text in ["go on", "Make the parser fast", "fix it, please.", "whatever, do it", "howl"]
        {
            assert!(!is_question(&Excerpt::of(text)), "{text}");
        }
    }

    #[test]
    fn work_is_work_wherever_it_stands_in_the_prompt() {
        for text in [
            "fix the rounding",
            "The date parser is wrong, fix it",
            "There is a bug in totals.py. Please repair it.",
            "six.py: add a type check",
            "Fix the cache. Is that all right?",
            "bug in the parser\n\nremove the fallback",
        ] {
            assert_eq!(wish_of(&Excerpt::of(text)), PromptWish::Work, "{text}");
        }
        for text in [
            "which port do we use? the docs say 80, set by make",
            "status",
            "the address of the server, quickly",
            "why did you change it, fix or not",
        ] {
            assert_ne!(wish_of(&Excerpt::of(text)), PromptWish::Work, "{text}");
        }
    }

    #[test]
    fn a_prompt_says_go_on_gives_work_or_neither() {
        for text in [
            "go on",
            "Continue!",
            " weiter ",
            "继续",
            "go on with the docs of the cache",
            "ok, continue with the parser",
            "please keep working on it",
            "Ga verder met de parser",
            "yes",
        ] {
            assert!(says_go_on(&Excerpt::of(text)), "{text}");
        }
        for text in ["make the parser fast", "please fix it", "OK, now add a test", "修复解析器"]
        {
            assert!(is_order(&Excerpt::of(text)), "{text}");
            assert!(!says_go_on(&Excerpt::of(text)), "{text}");
        }
        for text in [
            "what now",
            "Can you tell me the port",
            "quick question: which db do we use",
            "status",
            "remind me what the flag does",
            "give me a summary of the work",
            "welke poort gebruikt de server",
            "na jakim porcie działa serwer",
            "cuál es el puerto",
            "端口是多少",
            "goal of this",
        ] {
            let text = Excerpt::of(text);
            assert!(!is_order(&text) && !says_go_on(&text), "{text:?}");
        }
    }
}
