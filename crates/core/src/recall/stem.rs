//! Words without their endings: Porter's algorithm of 1980, and verbs that do not follow rules.
//!
//! It is written here because the published crates give back a new text for every word, and a prompt
//! is taken apart while somebody waits.

use super::fold::lower;
use super::words::{FORMS, IRREGULAR};

/// The longest word that is looked at.
pub(super) const LONGEST: usize = 64;

/// The stem of a word as somebody writes it. Gives whether it has one.
pub(super) fn stem_of(text: &str, word: &mut Vec<u8>) -> bool {
    let is_word = lower(text, LONGEST, word);
    if is_word {
        stem(word);
    }
    is_word
}

/// Takes the endings of a word off. It is in lower case; what is not English is left as it is.
pub(super) fn stem(word: &mut Vec<u8>) {
    let plain = |it: &u8| it.is_ascii_lowercase();
    if word.len() <= 2 || word.len() > LONGEST || !word.iter().all(plain) {
        return;
    }
    if let Some(place) = FORMS.place(word) {
        word.clear();
        word.extend_from_slice(IRREGULAR[place].1.as_bytes());
    }
    plurals(word);
    past_and_progress(word);
    if word.ends_with(b"y") && has_vowel(&word[..word.len() - 1]) {
        replace(word, 1, b"i");
    }
    suffixes(word, &SECOND);
    suffixes(word, &THIRD);
    drop_suffix(word);
    tidy_end(word);
}

fn replace(word: &mut Vec<u8>, ending: usize, by: &[u8]) {
    word.truncate(word.len() - ending);
    word.extend_from_slice(by);
}

fn plurals(word: &mut Vec<u8>) {
    if word.ends_with(b"sses") || word.ends_with(b"ies") {
        replace(word, 2, b"");
    } else if word.ends_with(b"s") && !word.ends_with(b"ss") {
        replace(word, 1, b"");
    }
}

fn past_and_progress(word: &mut Vec<u8>) {
    if word.ends_with(b"eed") {
        if measure(&word[..word.len() - 3]) > 0 {
            replace(word, 1, b"");
        }
        return;
    }
    let ending = if word.ends_with(b"ed") {
        2
    } else if word.ends_with(b"ing") {
        3
    } else {
        return;
    };
    if !has_vowel(&word[..word.len() - ending]) {
        return;
    }
    replace(word, ending, b"");
    let end = word.last().copied().unwrap_or_default();
    if [&b"at"[..], b"bl", b"iz"].iter().any(|it| word.ends_with(it)) {
        word.push(b'e');
    } else if is_double(word) && !b"lsz".contains(&end) {
        replace(word, 1, b"");
    } else if measure(word) == 1 && is_short(word) {
        word.push(b'e');
    }
}

/// What takes the place of an ending, where enough is left before it. The longest that fits counts,
/// so it stands first.
struct Suffixes {
    all: &'static [(&'static [u8], &'static [u8])],
    /// The last letters of all: most words have another one.
    letters: u32,
}

impl Suffixes {
    const fn of(all: &'static [(&'static [u8], &'static [u8])]) -> Self {
        let (mut letters, mut place) = (0, 0);
        while place < all.len() {
            if let [.., last] = all[place].0 {
                letters |= bit(*last);
            }
            place += 1;
        }
        Self { all, letters }
    }

    /// The ending that a word has, and what takes its place.
    fn find(&self, word: &[u8]) -> Option<(&'static [u8], &'static [u8])> {
        let last = *word.last()?;
        let fits = |it: &&(&[u8], &[u8])| it.0.last() == Some(&last) && word.ends_with(it.0);
        if self.letters & bit(last) == 0 { None } else { self.all.iter().find(fits).copied() }
    }
}

/// A bit for each small letter.
const fn bit(letter: u8) -> u32 {
    1 << (letter.wrapping_sub(b'a') % 32)
}

#[rustfmt::skip]
static SECOND: Suffixes = Suffixes::of(&[
    (b"ational", b"ate"), (b"ization", b"ize"), (b"iveness", b"ive"), (b"fulness", b"ful"),
    (b"ousness", b"ous"), (b"tional", b"tion"), (b"biliti", b"ble"), (b"entli", b"ent"),
    (b"ousli", b"ous"), (b"ation", b"ate"), (b"alism", b"al"), (b"aliti", b"al"),
    (b"iviti", b"ive"), (b"enci", b"ence"), (b"anci", b"ance"), (b"izer", b"ize"),
    (b"abli", b"able"), (b"alli", b"al"), (b"ator", b"ate"), (b"eli", b"e"),
]);

#[rustfmt::skip]
static THIRD: Suffixes = Suffixes::of(&[
    (b"icate", b"ic"), (b"ative", b""), (b"alize", b"al"), (b"iciti", b"ic"), (b"ical", b"ic"),
    (b"ness", b""), (b"ful", b""),
]);

#[rustfmt::skip]
static LAST: Suffixes = Suffixes::of(&[
    (b"ement", b""), (b"ment", b""), (b"ance", b""), (b"ence", b""), (b"able", b""),
    (b"ible", b""), (b"ant", b""), (b"ent", b""), (b"ism", b""), (b"ate", b""), (b"iti", b""),
    (b"ous", b""), (b"ive", b""), (b"ize", b""), (b"ion", b""), (b"al", b""), (b"er", b""),
    (b"ic", b""), (b"ou", b""),
]);

fn suffixes(word: &mut Vec<u8>, table: &Suffixes) {
    let Some((ending, by)) = table.find(word) else { return };
    if measure(&word[..word.len() - ending.len()]) > 0 {
        replace(word, ending.len(), by);
    }
}

fn drop_suffix(word: &mut Vec<u8>) {
    let Some((ending, _)) = LAST.find(word) else { return };
    let rest = &word[..word.len() - ending.len()];
    let fits = ending != b"ion" || rest.ends_with(b"s") || rest.ends_with(b"t");
    if measure(rest) > 1 && fits {
        replace(word, ending.len(), b"");
    }
}

fn tidy_end(word: &mut Vec<u8>) {
    if word.ends_with(b"e") {
        let rest = &word[..word.len() - 1];
        let measure = measure(rest);
        if measure > 1 || (measure == 1 && !is_short(rest)) {
            replace(word, 1, b"");
        }
    }
    if word.ends_with(b"ll") && measure(word) > 1 {
        replace(word, 1, b"");
    }
}

/// Whether a letter is a consonant: `y` is one at the beginning and after a vowel.
fn is_consonant(word: &[u8], place: usize) -> bool {
    match word[place] {
        b'a' | b'e' | b'i' | b'o' | b'u' => false,
        b'y' => place == 0 || !is_consonant(word, place - 1),
        _ => true,
    }
}

fn has_vowel(word: &[u8]) -> bool {
    (0..word.len()).any(|it| !is_consonant(word, it))
}

/// How often vowels are followed by consonants.
fn measure(word: &[u8]) -> usize {
    let (mut count, mut after_vowel) = (0, false);
    for place in 0..word.len() {
        let is_consonant = is_consonant(word, place);
        count += usize::from(after_vowel && is_consonant);
        after_vowel = !is_consonant;
    }
    count
}

fn is_double(word: &[u8]) -> bool {
    let end = word.len();
    end > 1 && word[end - 1] == word[end - 2] && is_consonant(word, end - 1)
}

/// Consonant, vowel, consonant, and the last one is not `w`, `x` or `y`.
fn is_short(word: &[u8]) -> bool {
    let end = word.len();
    end > 2
        && is_consonant(word, end - 1)
        && !is_consonant(word, end - 2)
        && is_consonant(word, end - 3)
        && !b"wxy".contains(&word[end - 1])
}

#[cfg(test)]
mod tests {
    use super::stem;

    fn stemmed(word: &str) -> String {
        let mut word = word.as_bytes().to_vec();
        stem(&mut word);
        String::from_utf8(word).unwrap()
    }

    /// The examples of the paper.
    #[test]
    fn words_lose_their_endings() {
        let pairs = [
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("cats", "cat"),
            ("agreed", "agre"),
            ("feed", "feed"),
            ("plastered", "plaster"),
            ("motoring", "motor"),
            ("sing", "sing"),
            ("conflated", "conflat"),
            ("hopping", "hop"),
            ("falling", "fall"),
            ("filing", "file"),
            ("happy", "happi"),
            ("sky", "sky"),
            ("relational", "relat"),
            ("digitizer", "digit"),
            ("operator", "oper"),
            ("triplicate", "triplic"),
            ("goodness", "good"),
            ("revival", "reviv"),
            ("adjustment", "adjust"),
            ("adoption", "adopt"),
            ("probate", "probat"),
            ("rate", "rate"),
            ("controll", "control"),
            ("generalizations", "gener"),
        ];
        for (word, stem) in pairs {
            assert_eq!(stemmed(word), stem, "{word}");
        }
    }

    #[test]
    fn forms_of_a_verb_meet() {
        for (one, other) in [("wrote", "writes"), ("rebuilt", "rebuilding"), ("broken", "breaks")] {
            assert_eq!(stemmed(one), stemmed(other));
        }
        assert_eq!(stemmed("indices"), stemmed("indexes"));
    }

    #[test]
    fn what_is_not_an_english_word_stays() {
        for word in ["e0382", "größe", "go", "utf8", "", &"a".repeat(65)] {
            assert_eq!(stemmed(word), word);
        }
    }
}
