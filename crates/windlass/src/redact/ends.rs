//! Where words end, eight bytes at a time.
//!
//! A text is mostly words that mean nothing to us. To see each byte through a table costs twice
//! as much as to classify eight of them in one register.

/// The highest bit of each byte.
pub(super) const HIGH: u64 = each(0x80);
/// How many bytes a block has.
pub(super) const BLOCK: usize = 8;

/// The eight bytes at `at`; zeros, which are in no word, stand for what is past the end.
#[inline]
pub(super) fn block(bytes: &[u8], at: usize) -> u64 {
    if let Some(chunk) = bytes.get(at..).and_then(|it| it.first_chunk()) {
        return u64::from_le_bytes(*chunk);
    }
    let mut chunk = [0; BLOCK];
    let rest = bytes.get(at..).unwrap_or_default();
    chunk[..rest.len()].copy_from_slice(rest);
    u64::from_le_bytes(chunk)
}

/// The highest bit of each byte that is a letter, a digit, `-` or `_`.
#[inline]
pub(super) fn words(block: u64) -> u64 {
    let low = block & !HIGH;
    let lower = low | each(0x20);
    // No sum leaves its byte: each part is below 0x80.
    let letter = (lower + each(0x80 - b'a')) & !(lower + each(0x80 - b'z' - 1));
    let digit = (low + each(0x80 - b'0')) & !(low + each(0x80 - b'9' - 1));
    let dash = !((low ^ each(b'-')) + each(0x7F));
    let underscore = !((low ^ each(b'_')) + each(0x7F));
    (letter | digit | dash | underscore) & !block & HIGH
}

const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; BLOCK])
}

#[cfg(test)]
mod tests {
    use super::super::class;

    #[test]
    fn agrees_with_the_classes() {
        for byte in 0..=u8::MAX {
            let word =
                super::words(u64::from_le_bytes([byte, b' ', byte, 0, 0xFF, byte, b'a', byte]));
            let is = if class::is(byte, class::WORD) { 0x80 } else { 0 };
            assert_eq!(word.to_le_bytes(), [is, 0, is, 0, 0, is, 0x80, is], "{byte}");
        }
    }
}
