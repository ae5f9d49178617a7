//! Which phrases a text cannot hold, without a search for each of them.

/// Words of bits, each of which stands for some pairs of bytes.
const WORDS: usize = 16;

/// The neighbours in a text: a phrase with a pair that is not among them is not in it.
pub(super) struct Pairs([u64; WORDS]);

impl Pairs {
    pub(super) fn of(text: &str) -> Self {
        let mut words = [0; WORDS];
        for pair in text.as_bytes().windows(2) {
            let (word, bit) = place(pair);
            words[word] |= bit;
        }
        Self(words)
    }

    /// Tells whether a phrase may stand in the text; no is sure.
    pub(super) fn may_hold(&self, phrase: &str) -> bool {
        phrase.as_bytes().windows(2).all(|pair| {
            let (word, bit) = place(pair);
            self.0[word] & bit != 0
        })
    }
}

/// The bit of two neighbours.
fn place(pair: &[u8]) -> (usize, u64) {
    let place = usize::from(pair[0]).wrapping_mul(37) ^ usize::from(pair[1]);
    (place / 64 % WORDS, 1 << (place % 64))
}

#[cfg(test)]
mod tests {
    use super::Pairs;

    #[test]
    fn what_stands_in_a_text_is_never_ruled_out() {
        let text = "error: could not compile `ünit` (lib) due to 2 previous errors";
        let pairs = Pairs::of(text);
        let ends = || (0..=text.len()).filter(|it| text.is_char_boundary(*it));
        for from in ends() {
            for to in ends().filter(|to| *to >= from) {
                assert!(pairs.may_hold(&text[from..to]), "{}", &text[from..to]);
            }
        }
        assert!(!pairs.may_hold("warning"));
        assert!(!Pairs::of("").may_hold("an"));
    }
}
