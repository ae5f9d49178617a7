//! Texts that nobody writes: whatever comes in, the findings can be cut out of it.

use windlass_core::Excerpt;

use super::super::corpus::Random;
use super::super::rule::How;
use super::super::scan::{Part, findings};
use super::super::table::RULES;
use super::super::testing::canaries;
use super::super::{excerpt, text};

/// Signs, markers and characters of every length in bytes.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "é", "鉴", "😀", "\u{a0}", "…", "“", "”", "：", "\u{feff}", "\u{200b}", "\u{301}", "ß", "是",
    "\"", "'", "`", "\\\"", "\\n", "\\", "\n", "\r\n", " ", "\t", "=", ": ", ":", "|", "%", "%3a%2f%2f", "%40",
    "://", "@", "//", "/", "?", "&", "#", ",", ";", "(", ")", "[", "]", "{", "}", "<", ">", "*", "**", ".", "-",
    "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----", "-----BEGIN", "-----END", "-----",
    "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----", "Private-Lines: 1", "Private-MAC",
    "Authorization", "Cookie", "Bearer", "Basic ", "token", "value", "is ", "_PROD", "2", "x", "$", "$2y$", "&quot;",
    "\u{1b}[0m", "aaaaaaaaaaaaaaaaaaaa", "a1B2c3D4e5F6g7H8i9J0", "postgres", "echo ", " | ", "sudo -S", "u:p", " -p", " -u",
];

/// Checks what the callers of `findings` rely on.
fn check(whole: &str) {
    for part in [Part::Whole, Part::Head, Part::Tail] {
        let mut last = 0;
        for it in findings(whole, part) {
            let sliced = whole.get(last..it.start).zip(whole.get(it.start..it.end));
            assert!(sliced.is_some() && it.start < it.end, "{part:?} {it:?} in {whole:?}");
            last = it.end;
        }
    }
}

fn pieces() -> Vec<String> {
    let mut pieces: Vec<String> = PIECES.iter().map(|&it| it.to_owned()).collect();
    for rule in RULES {
        pieces.push(rule.example.before.to_owned());
        pieces.push(rule.example.secret.concat());
        pieces.extend(rule.example.secret.iter().map(|&it| it.to_owned()));
        if let How::After(words, _) = rule.how {
            pieces.extend(words.iter().map(|&it| it.to_owned()));
        }
    }
    pieces
}

#[test]
fn any_text_has_findings_that_can_be_cut_out() {
    let pieces = pieces();
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for _ in 0..40_000 {
        let mut whole = String::new();
        for _ in 0..=random.below(12) {
            // Every second piece is a short one: the long ones would hide them.
            let among = if random.below(2) == 0 { PIECES.len() } else { pieces.len() };
            whole.push_str(&pieces[random.below(among)]);
        }
        check(&whole);
        let max = random.below(400);
        assert!(text(&whole, max).0.len() <= max);
        assert!(excerpt(&Excerpt::of(&whole), max).0.len() <= max);
    }
}

#[test]
fn long_texts_have_findings_that_can_be_cut_out() {
    let pieces = pieces();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..400 {
        let mut whole = String::new();
        while whole.len() < 3 * Excerpt::PART {
            whole.push_str(&pieces[random.below(pieces.len())]);
            whole.push_str(PIECES[random.below(PIECES.len())]);
        }
        check(&whole);
        assert!(excerpt(&Excerpt::of(&whole), 2048).0.len() <= 2048);
    }
}

#[test]
fn a_character_anywhere_in_a_canary_does_no_harm() {
    for canary in canaries() {
        for (index, (at, _)) in canary.text.char_indices().enumerate() {
            let (before, after) = canary.text.split_at(at);
            check(&[before, ["\u{a0}", "鉴", "😀"][index % 3], after].concat());
        }
    }
}

#[test]
fn findings_that_were_cut_wrong_are_cut_right() {
    for whole in [
        "{\"Authorization\": \"Bearer\u{a0}abcdef123456\"}",
        "\"authorization\": \"token鉴权方式说明\"",
        "Authorization = \"Bearer“abcdef”\"",
        ">keymysql-----BEGINAuthorization\"😀**authorization: \\\"Basic…passphrase",
        "8Q~passphraseCookie=DB_PASSWORD_PRODsqlcmd-----BEGIN RSA PRIVATE KEY-----é",
        "sha256~\u{a0}x%3a%2f%2f8Q~passphraseCookie=DB_PASSWORD_PRODsqlcmd-----BEGIN RSA PRIVATE KEY-----é",
        "8Q~passphraseCookie=DB_PASSWORD_PROD-sqlcmd-----END RSA PRIVATE KEY-----é",
    ] {
        check(whole);
        let _clean = text(whole, 2048);
    }
}
