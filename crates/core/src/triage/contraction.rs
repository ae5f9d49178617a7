//! English contractions, which are two words.

use super::token::{AM, ARE, HAVE, IS, NOT, SHALL, Token, US, WILL, WOULD};

/// The first word of a contraction.
pub(super) enum First {
    /// So many bytes of it.
    Stem(usize),
    /// Another word.
    Given(Token),
}

const ENDINGS: &[(&str, Token)] =
    &[("n't", NOT), ("'ll", WILL), ("'re", ARE), ("'ve", HAVE), ("'m", AM), ("'d", WOULD)];
/// Words after which `'s` is `is`; after others it is a genitive.
const BEFORE_IS: &[&str] =
    &["that", "it", "there", "what", "here", "who", "where", "how", "he", "she", "this"];

/// Contractions that are written without an apostrophe.
pub(super) fn is_contraction(word: &[u8]) -> bool {
    matches!(word, b"cannot" | b"lets" | b"dont" | b"doesnt" | b"isnt")
}

/// The two words of a contraction; a genitive is one.
pub(super) fn expanded(word: &str) -> Option<(First, Option<Token>)> {
    let stem = |length: usize| First::Stem(length);
    let two = match word {
        "can't" | "cannot" => Some((stem(3), NOT)),
        "won't" => Some((First::Given(WILL), NOT)),
        "shan't" => Some((First::Given(SHALL), NOT)),
        "ain't" => Some((First::Given(IS), NOT)),
        "let's" | "lets" => Some((stem(3), US)),
        "dont" | "isnt" => Some((stem(2), NOT)),
        "doesnt" => Some((stem(4), NOT)),
        _ => None,
    };
    if let Some((first, second)) = two {
        return Some((first, Some(second)));
    }
    for (ending, full) in ENDINGS {
        if let Some(rest) = word.strip_suffix(ending).filter(|it| !it.is_empty()) {
            return Some((stem(rest.len()), Some(*full)));
        }
    }
    let rest = word.strip_suffix("'s").filter(|it| !it.is_empty())?;
    Some((stem(rest.len()), BEFORE_IS.contains(&rest).then_some(IS)))
}
