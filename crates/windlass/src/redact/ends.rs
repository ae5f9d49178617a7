//! Where words end, sixteen bytes at a time.
//!
//! A text is mostly words that mean nothing to us. To see each byte through a table costs three
//! times as much as to classify sixteen of them at once, which compilers do in vector registers
//! that every processor of the architecture has.

/// How many bytes a block has.
pub(super) const BLOCK: usize = 16;
/// The highest bit of each byte.
pub(super) const HIGH: u64 = u64::from_le_bytes([0x80; 8]);

/// For the sixteen bytes at `at` the highest bit of each byte that is a letter, a digit, `-` or
/// `_`. What is past the end is in no word.
#[inline]
pub(super) fn words(bytes: &[u8], at: usize) -> [u64; 2] {
    let rest = bytes.get(at..).unwrap_or_default();
    if let Some(chunk) = rest.first_chunk() {
        return classify(chunk);
    }
    let mut chunk = [0; BLOCK];
    chunk[..rest.len()].copy_from_slice(rest);
    classify(&chunk)
}

#[inline]
fn classify(chunk: &[u8; BLOCK]) -> [u64; 2] {
    // Sums of bytes, and neither branch nor comparison: else it is not vectorised.
    let words = chunk.map(|byte| {
        let letter = 26u8.saturating_sub((byte | 0x20).wrapping_sub(b'a'));
        let digit = 10u8.saturating_sub(byte.wrapping_sub(b'0'));
        let dash = 1u8.saturating_sub(byte ^ b'-') | 1u8.saturating_sub(byte ^ b'_');
        (letter | digit | dash) + 0x7F
    });
    let (halves, _) = words.as_chunks();
    [u64::from_le_bytes(halves[0]) & HIGH, u64::from_le_bytes(halves[1]) & HIGH]
}

#[cfg(test)]
mod tests {
    use super::super::class;

    #[test]
    fn agrees_with_the_classes() {
        for byte in 0..=u8::MAX {
            let chunk = [byte, b' ', byte, 0, 0xFF, byte, b'a', byte, b'.', byte];
            let is = if class::is(byte, class::WORD) { 0x80 } else { 0 };
            let [first, second] = super::words(&chunk, 0);
            assert_eq!(first.to_le_bytes(), [is, 0, is, 0, 0, is, 0x80, is], "{byte}");
            assert_eq!(second.to_le_bytes(), [0, is, 0, 0, 0, 0, 0, 0], "{byte}");
        }
    }
}
