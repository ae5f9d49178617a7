//! Whether a program must be linked each time it starts.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// A program header that names the loader.
const PT_INTERP: u32 = 3;

/// More headers than any program has.
const MAX_HEADERS: u16 = 256;

/// Tells whether a file is an ELF program that names a loader. Whatever else it is needs none.
pub(super) fn needs_a_loader(path: &Path) -> bool {
    File::open(path).and_then(|it| has_interpreter(&it)).unwrap_or(false)
}

fn has_interpreter(mut file: &File) -> io::Result<bool> {
    let mut header = [0; 64];
    file.read_exact(&mut header)?;
    let is_wide = header[4] == 2;
    let is_little = header[5] == 1;
    if !header.starts_with(b"\x7fELF") || !is_wide || !is_little {
        return Ok(false);
    }
    let start = u64::from_le_bytes(part(&header, 32));
    let size = u16::from_le_bytes(part(&header, 54));
    let count = u16::from_le_bytes(part(&header, 56)).min(MAX_HEADERS);
    for index in 0..count {
        let mut kind = [0; 4];
        let at = start.saturating_add(u64::from(index) * u64::from(size));
        file.read_exact_at(&mut kind, at)?;
        if u32::from_le_bytes(kind) == PT_INTERP {
            return Ok(true);
        }
    }
    Ok(false)
}

fn part<const N: usize>(header: &[u8; 64], at: usize) -> [u8; N] {
    let mut part = [0; N];
    part.copy_from_slice(&header[at..at + N]);
    part
}

#[cfg(test)]
mod tests {
    use super::needs_a_loader;
    use std::fs;
    use std::path::Path;

    /// A program of as many headers as given, each of a kind.
    fn program(kinds: &[u32]) -> Vec<u8> {
        let mut bytes = vec![0; 64];
        bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
        bytes[32] = 64;
        bytes[54] = 56;
        bytes[56] = u8::try_from(kinds.len()).unwrap();
        for kind in kinds {
            bytes.extend(kind.to_le_bytes());
            bytes.extend([0; 52]);
        }
        bytes
    }

    #[test]
    fn a_loader_makes_the_difference() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("program");
        let needs = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            needs_a_loader(&path)
        };
        assert!(needs(&program(&[6, 3, 1])));
        assert!(!needs(&program(&[6, 1, 2])));
        assert!(!needs(b"#!/bin/sh\n"));
        assert!(!needs(b""));
        assert!(!needs(&program(&[6, 3])[..70]), "cut off before the loader is named");
        let mut endless = program(&[1]);
        endless[32..40].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(!needs(&endless));
        assert!(!needs_a_loader(Path::new("/nonexistent")));
    }

    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn the_usual_build_needs_one() {
        assert!(needs_a_loader(&std::env::current_exe().unwrap()));
    }
}
