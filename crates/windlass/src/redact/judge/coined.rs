//! Words that are in no sentence and in no program: people join two words, or write what no language has.

use super::super::class::{self, DIGIT, LOWER, UPPER};
use super::words::{is_common, is_no_value};

/// Endings of long words of English, and of names in programs. What is joined of two short words has
/// seldom one of them.
#[rustfmt::skip]
const ENDINGS: &[&str] = &[
    "able", "ability", "age", "al", "ally", "ance", "ancy", "ant", "ary", "ate", "ation", "ator", "based", "cy", "dom", "ed", "ence", "ency", "ent", "izer", "ifier", "ller", "cher", "ider", "ager", "ctor", "ptor", "ssor", "ener", "uler", "iber", "sher", "tter", "mmer", "nner", "pper", "rter", "ster", "eter", "cter", "oper", "omer", "iver", "ayer", "lder", "nder", "user", "iter", "orer", "aner", "ncer", "wer", "nter", "mber", "ader", "ister",
    "ery", "ess", "est", "ful", "graphy", "hood", "ible", "ic", "icity", "ify", "ily", "ing", "ion", "ism", "ist", "ity", "ive", "ize", "ise", "less", "like", "logy", "ly",
    "ment", "ness", "itor", "ory", "ous", "ship", "ture", "ure", "ward", "wards", "ware", "wise", "work", "script", "scope", "space", "self", "time", "name", "file", "data", "base", "path", "list", "type",
    "mente", "ción", "cion", "sión", "dade", "ung", "keit", "heit", "lich", "schaft", "isch", "iert", "ieren", "ement", "ique", "eur", "euse", "colon", "bracket", "paren", "quote", "mark", "slash", "score", "line", "through", "brace", "comma", "break", "zione", "mento", "inen", "oria", "orio", "oire", "ada", "ado", "ida", "ido", "ata", "ato", "uta", "uto", "aire", "aria", "ario", "bile", "elijk", "baar", "ende", "haft", "owany", "owane", "nego",
];

/// Parts of names that programs have for secrets, and of words that stand for one.
#[rustfmt::skip]
const NAMED: &[&str] = &[
    "password", "passwort", "passwd", "token", "secret", "apikey", "credential", "string", "your", "example", "placeholder", "sample", "dummy", "value", "config", "access", "client",
    "server", "auth", "user", "variable", "default", "undefined", "generat", "encrypt", "decrypt", "manager", "service", "account", "project", "session", "cookie", "environment", "github", "docker",
];

/// Tells whether a word is made of letters, with some digits or a sign at its end, and is none that a
/// sentence or a program would have.
pub(in super::super) fn is_coined(text: &[u8]) -> bool {
    let tail = |it: &&u8| class::is(**it, DIGIT) || matches!(**it, b'!' | b'$' | b'*');
    let tail = text.iter().rev().take(4).take_while(tail).count();
    let word = &text[..text.len() - tail];
    let letters = word.len() >= 8
        && class::is(word[0], LOWER | UPPER)
        && word[1..].iter().all(|it| class::is(*it, LOWER));
    if !letters || is_common(word) || is_no_value(word) {
        return false;
    }
    let stem = word.strip_suffix(b"s").unwrap_or(word);
    let ends = |it: &&str| {
        word.ends_with(it.as_bytes()) || stem.len() < word.len() && stem.ends_with(it.as_bytes())
    };
    // A word as long as this one is joined of others, whatever it ends with.
    let compound = word.ends_with(b"fly") || word.ends_with(b"flies");
    let derived = word.len() < 18 && !compound && ENDINGS.iter().any(ends);
    let has = |part: &str| {
        (0..=word.len().saturating_sub(part.len())).any(|at| class::continues(word, at, part))
    };
    !derived && !NAMED.iter().any(|it| has(it))
}
