use windlass_core::{Excerpt, SessionId};

use super::corpus::{self, Random};
use super::table::RULES;
use super::testing::canaries;
use super::{document, excerpt, session, text, whole};

mod cases;
mod classes;
mod fuzz;
mod shapes;

fn clean(it: &str) -> String {
    whole(it, usize::MAX)
}

#[test]
fn finds_every_canary() {
    let canaries = canaries();
    assert!(canaries.len() >= 300, "{}", canaries.len());
    let left: Vec<_> = canaries
        .iter()
        .filter(|it| leaks(&clean(&it.text), &it.secret))
        .map(|it| format!("{}: {:?} -> {:?}", it.rule, it.text, clean(&it.text)))
        .collect();
    assert!(left.is_empty(), "{} of {} left:\n{}", left.len(), canaries.len(), left.join("\n"));
}

#[test]
fn changes_nothing_the_second_time() {
    for canary in canaries() {
        let once = clean(&canary.text);
        assert_eq!(clean(&once), once, "{:?}", canary.text);
    }
}

/// A marker takes less room than the word whose place it takes, and brings the next one nearer.
#[test]
fn several_words_after_a_name_change_nothing_the_second_time() {
    let mut random = Random(3);
    for before in ["token ran:\n", "the api key\n", "token ", "secret key:\n", "password:\n"] {
        for _ in 0..100 {
            let words = [24, 24, 24].map(|it| random.base62(it));
            let once = clean(&format!("{before}{}\n", words.join("\n")));
            assert_eq!(clean(&once), once, "{before:?} {words:?}");
        }
    }
}

#[test]
fn every_rule_finds_its_example_by_itself() {
    let wrong: Vec<_> = RULES
        .iter()
        .filter(|it| it.name != "name-ending")
        .filter_map(|rule| {
            let canary = canaries().into_iter().find(|it| it.rule == rule.name)?;
            let clean = clean(&canary.text);
            (!clean.contains(&format!("[redacted:{}]", rule.name)))
                .then(|| format!("{}: {:?} -> {clean:?}", rule.name, canary.text))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// It is read back and recorded again, as the same one.
#[test]
fn the_id_of_a_session_that_was_hidden_is_hidden_no_more() {
    for number in 0..2000 {
        let secret = SessionId::parse(&format!("ghp_{:036}", number * 7919)).unwrap();
        let hidden = session(&secret).to_string();
        assert!(hidden.starts_with("session-"), "{hidden}");
        let again = session(&SessionId::parse(&hidden).unwrap());
        assert_eq!(again.to_string(), hidden);
    }
    let usual = SessionId::parse("345835e9-03d1-41f0-84e3-98ca1cfd9e98").unwrap();
    assert_eq!(session(&usual).to_string(), usual.as_str());
}

/// Tells whether a piece of eight bytes of the secret is left.
fn leaks(text: &str, secret: &str) -> bool {
    let piece = secret.len().min(8);
    secret.as_bytes().windows(piece).any(|it| text.as_bytes().windows(piece).any(|left| left == it))
}

#[test]
fn leaves_ordinary_lines_alone() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let lines: Vec<_> = (0..20_000).map(|_| corpus::line(&mut random)).collect();
    let mut changed: Vec<_> = lines.iter().filter(|it| clean(it) != **it).collect();
    let count = changed.len();
    changed.truncate(40);
    let shown: Vec<_> = changed.iter().map(|it| format!("{it} -> {}", clean(it))).collect();
    println!("{count} of {} lines changed:\n{}", lines.len(), shown.join("\n"));
    assert!(count * 100 <= lines.len(), "{count} changed:\n{}", shown.join("\n"));
    let joined = lines.join("\n");
    let kept = clean(&joined).lines().zip(joined.lines()).filter(|(a, b)| a == b).count();
    assert!(
        (lines.len() - kept) * 100 <= lines.len(),
        "{} changed in one text",
        lines.len() - kept
    );
}

#[test]
fn a_cut_leaves_no_piece_of_a_secret() {
    let secret = ["gh", "p_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].concat();
    for before in 0..220 {
        let whole = format!("{} {secret} {}", "ä.".repeat(before), "ö,".repeat(220 - before));
        for max in [0, 1, 5, 40, 100, 101, 102, 103, 300, 400] {
            let cut = text(&whole, max);
            assert!(cut.0.len() <= max, "{} > {max}", cut.0.len());
            assert!(!leaks(&cut.0, &secret), "{cut:?}");
        }
    }
}

#[test]
fn a_cut_keeps_both_ends_and_says_how_much_is_gone() {
    let whole = format!("begin{}end", "-".repeat(500));
    let cut = text(&whole, 60);
    assert_eq!(cut.0, "begin--------------- … [469 bytes] … ----------------end");
    assert_eq!(text("short", 60).0, "short");
    assert!(text("", 60).is_empty());
}

#[test]
fn the_edge_of_a_window_leaves_no_piece_of_a_secret() {
    let secret = ["gh", "p_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].concat();
    let size = 12_000;
    let part = Excerpt::PART;
    let edges = [part / 2, part, size - part, size - part / 2];
    for position in edges.into_iter().flat_map(|it| it - 60..it + 60) {
        let filling = ". ".repeat(size);
        let whole = format!("{} {secret} {}", &filling[..position], &filling[..size - position]);
        for max in [64, 1000, 2048, 10_000] {
            let cut = excerpt(&Excerpt::of(&whole), max);
            assert!(cut.0.len() <= max);
            assert!(!leaks(&cut.0, &secret), "{position} {max}: {cut:?}");
        }
    }
}

#[test]
fn an_excerpt_of_a_short_text_is_the_text() {
    let whole = "short ".repeat(20);
    assert_eq!(excerpt(&Excerpt::of(&whole), 2048).0, whole);
    assert_eq!(excerpt(&Excerpt::default(), 2048).0, "");
}

#[test]
fn a_key_across_windows_leaves_nothing() {
    let mut random = Random(7);
    let lines: Vec<_> = (0..200).map(|_| random.base64(64)).collect();
    let body = lines.join("\n");
    let begin = ["-----BEGIN RSA PRIV", "ATE KEY-----\n"].concat();
    let end = ["\n-----END RSA PRIV", "ATE KEY-----\n"].concat();
    for separator in ["\n", "\\n"] {
        let body = body.replace('\n', separator);
        for whole in [
            format!("{}{begin}{body}{end}", "log\n".repeat(100)),
            format!("{begin}{body}{end}{}", "log\n".repeat(100)),
            format!("{begin}{body}{end}"),
            body.clone(),
            format!("x{body}"),
            format!("{}{begin}{body}", "log\n".repeat(300)),
        ] {
            let cut = excerpt(&Excerpt::of(&whole), 2048);
            for line in &lines {
                assert!(!leaks(&cut.0, line), "{cut:?}");
            }
        }
    }
}

#[test]
fn public_blocks_are_kept() {
    let mut random = Random(7);
    let lines: Vec<_> = (0..9).map(|_| random.base64(64)).collect();
    let block =
        format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"));
    assert_eq!(clean(&block), block);
}

#[test]
fn speaking_of_a_key_is_no_key() {
    let code = ["if text.contains(\"-----BEGIN RSA PRIV", "ATE KEY-----\") {\n    return 1;\n}\n"]
        .concat();
    assert_eq!(clean(&code), code);
}

#[test]
fn any_cut_of_any_text_is_valid() {
    let whole = canaries().into_iter().map(|it| it.text).collect::<Vec<_>>().join(" ü\n");
    let mut random = Random(11);
    for _ in 0..300 {
        let start = whole.ceil_char_boundary(random.below(whole.len()));
        let end = whole.floor_char_boundary((start + random.below(9000)).min(whole.len()));
        if start < end {
            let max = random.below(5000);
            assert!(text(&whole[start..end], max).0.len() <= max);
            assert!(excerpt(&Excerpt::of(&whole[start..end]), max).0.len() <= max);
        }
    }
}

#[test]
fn serializes_as_a_plain_string() {
    let json = serde_json::to_string(&text("a \"b\"", 100)).expect("a string");
    assert_eq!(json, r#""a \"b\"""#);
}

#[test]
fn hostile_texts_take_linear_time() {
    let begin = "-----BEGIN RSA PRIVATE KEY-----\"";
    let hostile = [
        "a",
        "eyJ",
        "eyJ-",
        "eyJaaaaaaaaaaaaaaaa.",
        "-----BEGIN",
        "-----BEGIN CERTIFICATE-----",
        begin,
        "-----END PRIVATE KEY-----",
        "://",
        "://a:b",
        "=",
        "password=",
        "password: ",
        "password=\"",
        "token is ",
        "sk-",
        "ghp_",
        "aaaaaaaaaaaaaaaa/",
        "aaaaaaaaaaaaaaaaaaaaaaaa1B2/",
        "mysql ",
        " -u a:",
        "Cookie: ",
        "Authorization: Bearer ",
        "\\\\\\",
        "\"",
        "A3-",
        "MT",
        "_",
        "-",
        "api key ",
        "AAAA",
        "password\"\n\n\n\n",
        "Private-Lines: 1\n",
        "%3a%2f%2f",
        "login ",
        "1",
        "password1",
    ];
    for piece in hostile {
        let _cut = text(&piece.repeat(500_000 / piece.len()), 2048);
    }
}

/// Names that may have several values make a look beyond them, and such a look has a price.
#[test]
fn a_document_of_names_takes_linear_time() {
    let row = "password,".repeat(100) + "\n";
    let pieces = [
        "tokens: [",
        "| password |\n",
        "kind: Secret\ndata:\n",
        "password: |\n",
        " -u a -p ",
        &row,
    ];
    for piece in pieces {
        let clean = document(&piece.repeat(2_000_000 / piece.len())).to_string();
        assert!(clean.len() > 1_000_000);
    }
}

/// The short way for the ids of the client comes to the same as the long one.
#[test]
fn a_uuid_is_no_secret() {
    let mut hash = 7;
    for _ in 0..2000 {
        let halves = [1, 2].map(|it| {
            hash = xxhash_rust::xxh64::xxh64(&[it], hash);
            format!("{hash:016x}")
        });
        let digits = halves.concat();
        let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
        let id = parts.join("-");
        assert_eq!(text(&id, id.len()).to_string(), id);
        let uuid = SessionId::parse(&id).unwrap();
        assert_eq!(session(&uuid).to_string(), id);
    }
}

#[test]
fn a_sentence_with_as_many_commas_is_no_row_of_the_table_below_it() {
    for sentence in ["Never write there, others can read this:", "Here, as agreed", "all;of them:"]
    {
        let sign = if sentence.contains(';') { ';' } else { ',' };
        let text = format!("{sentence}\nuser{sign}password\nbob{sign}hunter2-s3cret\n");
        assert!(!clean(&text).contains("hunter2"), "{text}");
    }
}
