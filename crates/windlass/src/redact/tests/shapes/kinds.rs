//! What secrets are made of.

use super::super::super::corpus::Random;

/// Words that people take for passwords. No template has one of them.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "sunshine", "dragonfly", "letmeinn", "opensesame", "butterfly", "blackbird", "swordfish", "pineapple", "moonlight",
    "trampoline", "cinnamon", "mongoose", "raspberry", "hedgehog", "tangerine", "waterfall", "bubblegum", "zeppelin",
    "nightingale", "buttercup", "marshmallow", "gingerbread", "kingfisher", "rhinoceros", "snowflake", "thunderbolt",
];

const SAFE: &str = "!*-_.~^+";
const NASTY: &str = "&;,|";

/// A secret of the kind that a letter names:
/// `w` a word, `m` `Falcon2024`, `l` `falcon77`, `s` letters, digits and signs, `x` the same with signs that
/// end values, `r` letters and digits, `h` hexadecimal, `b` base 64 with `/`, `+` and `=`, `u` a UUID,
/// `p` words and a number with dashes, `f` words with dashes, `d` digits, `k` the key of a provider,
/// `j` a JSON web token; `c` words with capitals, `g` with letters of German,
/// `y` two words in one, `z` letters and digits with a sign,
/// `q` with signs of shells, `t` 64 hexadecimal digits.
pub(super) fn secret(random: &mut Random, kind: char) -> String {
    let word = WORDS[random.below(WORDS.len())];
    match kind {
        'w' => word.to_owned(),
        'm' => capital(word) + &number(random, 4),
        'l' => word.to_owned() + &number(random, 2),
        's' => signed(random, SAFE),
        'x' => signed(random, NASTY),
        'r' => random.base62(24),
        'h' => random.hex(32),
        'b' => base64(random),
        'u' => [8, 4, 4, 4, 12].map(|it| random.hex(it)).join("-"),
        'p' => format!("{word}-{}-{}", number(random, 2), WORDS[random.below(WORDS.len())]),
        'f' => format!("{word}-{}", WORDS[random.below(WORDS.len())]),
        'd' => number(random, 6),
        'k' => provider(random),
        'j' => {
            ["eyJhbGciOi", "JIUzI1NiJ9.", "eyJ"].concat()
                + &random.base62(40)
                + "."
                + &random.base62(43)
        }
        'c' => capital(word) + &capital(WORDS[random.below(WORDS.len())]),
        'g' => format!("Grüße-{word}{}", number(random, 2)),
        'q' => signed(random, "@#$%"),
        't' => random.hex(64),
        'y' => word.to_owned() + WORDS[random.below(WORDS.len())],
        'z' => random.base62(4) + &random.of("!%*^", 1) + &random.base62(6) + &number(random, 2),
        other => panic!("no kind {other}"),
    }
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

fn number(random: &mut Random, digits: usize) -> String {
    random.of("23456789", 1) + &random.of("0123456789", digits - 1)
}

/// Three signs between letters and digits.
fn signed(random: &mut Random, signs: &str) -> String {
    let mut text = random.of("ABCDEFGHJKLMNPQRSTUVWXYZ", 1);
    for _ in 0..3 {
        text += &random.of("abcdefghijkmnopqrstuvwxyz", 2);
        text += &random.of("23456789", 1);
        text += &random.of(signs, 1);
    }
    text + &random.of("ABCDEFGHJKLMNPQRSTUVWXYZ", 2)
}

fn base64(random: &mut Random) -> String {
    let parts = [9, 12, 20].map(|it| random.base62(it));
    format!("{}/{}+{}=", parts[0], parts[1], parts[2])
}

fn provider(random: &mut Random) -> String {
    let (start, length) = [
        (["gh", "p_"], 36),
        (["gl", "pat-"], 20),
        (["np", "m_"], 36),
        (["sk-", "ant-api03-"], 40),
        (["xo", "xb-"], 40),
        (["py", "pi-"], 60),
        (["hv", "s."], 24),
        (["dckr", "_pat_"], 27),
    ][random.below(8)];
    start.concat() + &random.base62(length)
}
