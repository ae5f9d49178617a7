//! Scripts that are written without spaces between words.

/// Han, Hiragana and Katakana: a few of them in a row say as much as words do.
pub(crate) fn is_ideograph(letter: char) -> bool {
    matches!(letter,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Those, and Thai, Lao, Myanmar and Khmer with the signs of their vowels and tones.
pub(crate) fn has_no_spaces(letter: char) -> bool {
    is_ideograph(letter)
        || matches!(letter,
            '\u{e01}'..='\u{e3a}' | '\u{e40}'..='\u{e4e}' | '\u{e81}'..='\u{ece}'
            | '\u{edc}'..='\u{edf}' | '\u{1000}'..='\u{103f}' | '\u{1050}'..='\u{108f}'
            | '\u{109a}'..='\u{109d}' | '\u{1780}'..='\u{17d3}' | '\u{17d7}'
            | '\u{17dc}'..='\u{17dd}' | '\u{a9e0}'..='\u{a9ef}' | '\u{a9fa}'..='\u{a9fe}'
            | '\u{aa60}'..='\u{aa7f}')
}

/// Those, and Hangul: it has spaces, and what stands between them is more than a word.
pub(crate) fn is_dense(letter: char) -> bool {
    has_no_spaces(letter) || matches!(letter, '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7af}')
}
