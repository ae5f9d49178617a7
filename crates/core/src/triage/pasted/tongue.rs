//! Paragraphs in another language than the author's.
//!
//! Who pastes a text in another language writes little around it: the language of which there is
//! less is the author's.

use std::ops::Range;

use super::region::paragraphs;

/// How much longer the text in another language is.
const TIMES: usize = 2;

/// Words that tell a language, where a paragraph has so many of them.
const LEAST: usize = 3;

/// Function words that no two of these languages share.
const WORDS: [&[&str]; 5] = [
    &[
        "the", "and", "you", "with", "this", "that", "must", "should", "never", "always", "not",
        "are",
    ],
    &["der", "die", "das", "und", "nicht", "mit", "wir", "sie", "muss", "immer", "bitte", "ist"],
    &[
        "les", "des", "une", "pas", "nous", "vous", "avec", "dans", "toujours", "jamais", "est",
        "sur",
    ],
    &[
        "los", "las", "una", "siempre", "nunca", "con", "por", "usted", "pero", "está", "hay",
        "este",
    ],
    &["não", "sempre", "uma", "você", "com", "são", "mas", "deve", "esse", "isso", "foi", "também"],
];

/// Whether a letter belongs to a script that has no spaces between words.
pub(super) fn is_wide(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// Quotes the paragraphs that are in another language than the author's.
pub(super) fn quote_other_tongue(lines: &[&str], quoted: &mut [bool]) {
    let open = |quoted: &[bool], it: &Range<usize>| it.clone().any(|at| !quoted[at]);
    let found: Vec<(Range<usize>, usize, usize)> = paragraphs(lines)
        .filter(|it| open(quoted, it))
        .filter_map(|it| {
            let text = lines[it.clone()].join(" ");
            Some((it, tongue(&text)?, text.chars().filter(|it| it.is_alphabetic()).count()))
        })
        .collect();
    let mut sizes: Vec<(usize, usize)> = Vec::new();
    for (_, tongue, size) in &found {
        match sizes.iter_mut().find(|it| it.0 == *tongue) {
            Some(known) => known.1 += size,
            None => sizes.push((*tongue, *size)),
        }
    }
    let Some(own) = sizes.iter().min_by_key(|it| it.1).copied().filter(|_| sizes.len() == 2) else {
        return;
    };
    for (range, tongue, _) in found {
        let other = sizes.iter().find(|it| it.0 == tongue).map_or(0, |it| it.1);
        if tongue != own.0 && other >= TIMES * weight(own) {
            quoted[range].fill(true);
        }
    }
}

/// The letters of a language, as if it had an alphabet.
fn weight((tongue, letters): (usize, usize)) -> usize {
    if tongue == WIDE { letters * 3 } else { letters }
}

const WIDE: usize = 100;
const CYRILLIC: usize = 101;
const ARABIC: usize = 102;

/// A script: its number, and which letters belong to it.
type Script = (usize, fn(char) -> bool);

/// The language of a paragraph, as a number, where it is plain.
fn tongue(text: &str) -> Option<usize> {
    let count = |is: fn(char) -> bool| text.chars().filter(|it| is(*it)).count();
    let letters = count(char::is_alphabetic);
    let scripts: [Script; 3] = [
        (WIDE, is_wide),
        (CYRILLIC, |it| matches!(it, '\u{400}'..='\u{4ff}')),
        (ARABIC, |it| matches!(it, '\u{600}'..='\u{6ff}')),
    ];
    for (number, is) in scripts {
        if count(is) * 3 > letters {
            return Some(number);
        }
    }
    let small = text.to_lowercase();
    let words: Vec<_> = small.split(|it: char| !it.is_alphabetic()).collect();
    let hits = |some: &&[&str]| words.iter().filter(|it| some.contains(it)).count();
    let (best, most) = WORDS.iter().map(hits).enumerate().max_by_key(|it| it.1)?;
    (most >= LEAST).then_some(best)
}
