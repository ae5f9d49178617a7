//! The database of claude-mem, as `import memories` reads it.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use crate::import::claude_mem::{self, Database};

/// Parts of a table that are read: a damaged file may have rows without an end.
const MOST_PARTS: usize = 64;

/// Opens a database and reads every table of it.
pub(super) fn read(bytes: &[u8], scratch: &Path) {
    let path = scratch.join("read.db");
    if fs::write(&path, bytes).is_err() {
        return;
    }
    let Ok(database) = Database::open(&path, scratch) else { return };
    for table in 0..database.tables() {
        let mut after = None;
        for _ in 0..MOST_PARTS {
            match database.part(table, after.as_ref()) {
                Ok(Some(part)) => after = Some(part.end),
                Ok(None) | Err(_) => break,
            }
        }
    }
    drop(database.end());
}

/// A database with two rows in each table of claude-mem.
pub(super) fn seeds(scratch: &Path) -> Vec<Vec<u8>> {
    let path = scratch.join("seed.db");
    let made = fs::remove_file(&path).or(Ok(())).and_then(|()| {
        let connection = Connection::open(&path).map_err(std::io::Error::other)?;
        let batch = format!("PRAGMA page_size = 512; {}", claude_mem::example());
        connection.execute_batch(&batch).map_err(std::io::Error::other)
    });
    made.and_then(|()| fs::read(&path)).into_iter().collect()
}
