//! Values that are the names of values.

use super::super::class::{self, ALNUM, DIGIT, LETTER, LOWER, UPPER};
use super::facts::Facts;

/// What names of secrets are made of.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "pass", "password", "passwd", "passwords", "passphrase", "pwd", "token", "tokens", "secret",
    "secrets", "key", "keys", "apikey", "cred", "creds", "credential", "credentials", "userpass",
    "dbpass", "userpassword", "dbpassword", "mypassword", "accesstoken", "authtoken", "secretkey",
];

/// `CLIENT_SECRET`: the name of a constant, and no value.
pub(super) fn is_constant(facts: &Facts, text: &[u8]) -> bool {
    is_name(text) && facts.lowers + facts.digits == 0 && facts.dashes > 0
}

/// A name as programs have them.
pub(super) fn is_name(text: &[u8]) -> bool {
    text.first().is_some_and(|&it| class::is(it, LETTER) || it == b'_')
        && text.iter().all(|&it| class::is(it, ALNUM) || it == b'_')
}

/// `abcDEF12`: capitals, small letters and digits, and not in the way of `Sha256Hash`, which is how
/// programs write names.
pub(super) fn is_drawn(text: &[u8]) -> bool {
    let has = |set| text.iter().any(|&it| class::is(it, set));
    let unlike = |it: &[u8]| {
        class::is(it[0], UPPER) && class::is(it[1], UPPER)
            || class::is(it[0], DIGIT) && class::is(it[1], LOWER)
    };
    text.len() > 5
        && has(LOWER)
        && has(UPPER)
        && has(DIGIT)
        && text.iter().all(|&it| class::is(it, ALNUM))
        && text.windows(2).any(unlike)
        && !repeats_name(text)
}

/// `Summer2024`: a word and a number, as people make passwords; or letters, digits and signs.
pub(super) fn is_dated(text: &[u8]) -> bool {
    let digits = text.len() - class::run_start(text, text.len(), DIGIT, text.len());
    let letters = text.iter().filter(|it| class::is(**it, LETTER)).count();
    let facts = Facts::of(text);
    let dated = digits >= 2 && letters >= 4 && digits + letters == text.len();
    let signed = facts.digits > 0 && letters > 2 && facts.specials > 0 && facts.blanks == 0;
    (dated || signed) && !repeats_name(text)
}

/// `password = user_password`: the value names what the name names. Only whole parts of a name
/// count: there is a key in `monkey7`.
pub(super) fn repeats_name(text: &[u8]) -> bool {
    let mut start = 0;
    (1..=text.len()).any(|at| {
        let ends = text.get(at).is_none_or(|&it| {
            !class::is(it, ALNUM) || class::is(it, UPPER) && !class::is(text[at - 1], UPPER)
        });
        if !ends {
            return false;
        }
        let from = start + text[start..at].iter().take_while(|it| !class::is(**it, LETTER)).count();
        start = at;
        let until = class::run_start(text, at, DIGIT, at - from);
        PARTS.iter().any(|it| text[from..until].eq_ignore_ascii_case(it.as_bytes()))
    })
}
