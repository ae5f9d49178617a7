//! Readers of git's files on bytes and files of a fuzz target.

use std::path::Path;

use super::index::Index;
use super::inflate::Inflater;
use super::object::{Allowance, MOST, Oid};
use super::pack;

/// Reads an index and asks it about its own entries.
pub(crate) fn read_index_bytes(bytes: &[u8]) {
    let Ok(index) = Index::parse(bytes) else { return };
    for entry in index.entries.iter().take(256) {
        let path = index.path(entry);
        index.is_known(path);
        index.form(path);
        index.below(path, 0..index.entries.len());
    }
    index.trees().take(1024).for_each(drop);
}

/// Reads every object of the packs in a directory that the bytes of an index name.
pub(crate) fn read_pack_files(directory: &Path, index: &[u8]) {
    let Ok(packs) = pack::all(directory) else { return };
    let names = index.get(8 + 256 * 4..).unwrap_or_default().chunks_exact(Oid::LENGTH);
    let mut inflater = Inflater::default();
    for oid in names.take(64).filter_map(Oid::of_bytes) {
        for pack in &packs {
            if let Ok(Some(place)) = pack.offset(oid) {
                drop(pack.object(place, &mut inflater, &mut Allowance::of(MOST)));
            }
        }
    }
}
