//! Files of git: the index, packs and loose objects of a repository that somebody else made.

use std::fs;
use std::path::Path;

use crate::tree;

/// Reads an index, with and without its checksum.
pub(super) fn read_index(bytes: &[u8], _: &Path) {
    tree::read_index_bytes(bytes);
    // A checksum of zeros is none: what a mutation breaks is read all the same.
    tree::read_index_bytes(&[bytes, &[0; 20][..]].concat());
}

/// Indexes of version 2 with no, one and three entries.
pub(super) fn indexes(_: &Path) -> Vec<Vec<u8>> {
    [&[][..], &["a.rs"], &["a.rs", "src/b.rs", "src/c/d.rs"]].map(index_of).into()
}

fn index_of(paths: &[&str]) -> Vec<u8> {
    let count = u32::try_from(paths.len()).unwrap_or_default();
    let mut bytes = [b"DIRC".as_slice(), &2_u32.to_be_bytes(), &count.to_be_bytes()].concat();
    for path in paths {
        let start = bytes.len();
        bytes.extend([0; 24]);
        bytes.extend(0o100_644_u32.to_be_bytes());
        bytes.extend([0; 12]);
        bytes.extend([7; 20]);
        bytes.extend(u16::try_from(path.len()).unwrap_or_default().to_be_bytes());
        bytes.extend(path.as_bytes());
        // At least one zero, up to a multiple of eight.
        bytes.resize(bytes.len() + 8 - (bytes.len() - start) % 8, 0);
    }
    bytes
}

/// Reads a pack: the first part of the input is its index, the second the pack.
pub(super) fn read_pack(bytes: &[u8], scratch: &Path) {
    let Some((length, rest)) = bytes.split_first_chunk::<4>() else { return };
    let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or_default();
    let (index, pack) = rest.split_at(length.min(rest.len()));
    let directory = scratch.join("pack");
    let written = fs::create_dir_all(&directory)
        .and_then(|()| fs::write(directory.join("p.idx"), index))
        .and_then(|()| fs::write(directory.join("p.pack"), pack));
    if written.is_ok() {
        tree::read_pack_files(&directory, index);
    }
}

/// A pack with a commit, a tree, and a blob that is a difference to another.
pub(super) fn packs(_: &Path) -> Vec<Vec<u8>> {
    let objects = [
        object(1, b"tree 0707070707070707070707070707070707070707\n\nmessage\n"),
        object(2, b"100644 a.rs\0\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07"),
        object(3, b"fn main() {}\n"),
        // A difference to the object right before it: copy all of it, then add one byte.
        difference(b"\x0d\x0e\x90\x0d\x01\n"),
    ];
    let mut pack = [b"PACK".as_slice(), &2_u32.to_be_bytes(), &4_u32.to_be_bytes()].concat();
    let mut places = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        places.push(u32::try_from(pack.len()).unwrap_or_default());
        if number == 3 {
            // The head of a difference says how far back its base lies.
            let back = u8::try_from(objects[2].len()).unwrap_or_default();
            pack.extend([object[0], back]);
            pack.extend(&object[1..]);
        } else {
            pack.extend(object);
        }
    }
    let mut index = b"\xfftOc\x00\x00\x00\x02".to_vec();
    for first in 0..256_u32 {
        index.extend((first + 1).min(4).to_be_bytes());
    }
    for name in 0..4_u8 {
        index.extend([name; 20]);
    }
    index.extend([0; 16]);
    for place in places {
        index.extend(place.to_be_bytes());
    }
    let length = u32::try_from(index.len()).unwrap_or_default().to_be_bytes();
    vec![[&length[..], &index, &pack].concat()]
}

/// An object of a pack that is shorter than 128 bytes.
fn object(kind: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let low = u8::try_from(length & 0xf).unwrap_or_default();
    let high = u8::try_from(length >> 4).unwrap_or_default();
    let deflated = miniz_oxide::deflate::compress_to_vec_zlib(content, 6);
    [&[0x80 | kind << 4 | low, high][..], &deflated].concat()
}

/// A difference by place, without the number that says where its base is.
fn difference(content: &[u8]) -> Vec<u8> {
    let low = u8::try_from(content.len()).unwrap_or_default();
    let deflated = miniz_oxide::deflate::compress_to_vec_zlib(content, 6);
    [&[6 << 4 | low][..], &deflated].concat()
}
