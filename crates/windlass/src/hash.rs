//! Identities of bytes, in hexadecimal, against whoever could want two of them to be the same.

use sha2::{Digest, Sha256};

/// The identity of bytes.
pub(crate) fn of(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The identity of several parts: each with its length before it, so that no two lists of parts
/// are written alike.
#[derive(Debug)]
pub(crate) struct Parts(Sha256);

impl Parts {
    /// Begins with what the identity is for, and the version of its form.
    pub(crate) fn of(purpose: &str) -> Self {
        let mut parts = Self(Sha256::new());
        parts.add(purpose.as_bytes());
        parts
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    pub(crate) fn finish(self) -> String {
        hexadecimal(&self.0.finalize())
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |it: u8| char::from_digit(it.into(), 16).unwrap_or_default();
    bytes.iter().flat_map(|it| [digit(it >> 4), digit(it & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::{Parts, of};

    #[test]
    fn parts_are_not_what_they_are_together() {
        let all = |parts: &[&str]| {
            let mut hash = Parts::of("test 1");
            for part in parts {
                hash.add(part.as_bytes());
            }
            hash.finish()
        };
        assert_ne!(all(&["ab", "c"]), all(&["a", "bc"]));
        assert_ne!(all(&["ab"]), all(&["ab", ""]));
        assert_eq!(all(&["ab"]), all(&["ab"]));
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(of(b""), empty);
    }
}
