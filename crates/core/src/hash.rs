//! FNV-1a with 64 bits. What it makes is kept, and must mean the same to the next version.

/// Where it begins.
pub(crate) const HASH: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of some bytes.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    hashed(HASH, bytes)
}

/// The hash of what was hashed so far and some more bytes.
pub(crate) fn hashed(hash: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(hash, step)
}

#[cfg(test)]
mod tests {
    use super::{hash, hashed};

    #[test]
    fn it_is_the_one_that_is_written_down() {
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hashed(hash(b"foo"), b"bar"), 0x8594_4171_f739_67e8);
    }
}
