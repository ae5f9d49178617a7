//! A store that can be read and not written: a copy of it in memory, which ends with the process.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rusqlite::Connection;

use super::lock::Patience;
use super::{BUSY, Store, StoreError, open, path, size};

/// A store that is larger is not copied: a hook takes neither the time nor the room.
const MAX_STORE: u64 = 64 << 20;

/// Tables that a brief does without, and that hold most of a store.
const LEFT_OUT: &[&str] =
    &["events", "calls", "edits", "decisions", "failures", "journals", "checked", "transcripts"];

const DOING: &str = "read a store that cannot be written";

impl Store {
    /// A copy of the store in memory, as far as briefs are made of it; `None` where there is no
    /// store, or one that is too large.
    pub(crate) fn copy_in_memory(data_dir: &Path) -> Result<Option<Self>, StoreError> {
        let store = path(data_dir);
        if !store.exists() || size(data_dir) > MAX_STORE {
            return Ok(None);
        }
        let connection = open::in_memory()?;
        copy(&connection, &store).map_err(StoreError::doing(DOING))?;
        let (data_dir, patience) = (data_dir.to_owned(), Patience::For(BUSY));
        let (file, is_behind, reads_only) = (None, false, false);
        let is_private = true;
        Ok(Some(Self { connection, data_dir, patience, file, is_behind, reads_only, is_private }))
    }
}

fn copy(connection: &Connection, store: &Path) -> rusqlite::Result<()> {
    connection.execute_batch("PRAGMA foreign_keys = OFF")?;
    let is_copied = "SELECT count(*) FROM kept.sqlite_schema";
    // The log needs a file beside it, which may be missing and cannot be made; who locks nothing and
    // takes the store for its own does without, and nobody writes what cannot be written.
    let ways = [("NORMAL", "mode=ro"), ("EXCLUSIVE", "mode=ro&vfs=unix-none")];
    let mut attached = Ok(0);
    for (locking, options) in ways {
        connection.execute_batch(&format!("PRAGMA locking_mode = {locking}"))?;
        attached = connection
            .execute("ATTACH ?1 AS kept", [address(store, options)])
            .and_then(|_| connection.query_row(is_copied, [], |row| row.get::<_, i64>(0)));
        if attached.is_ok() {
            break;
        }
        #[expect(clippy::let_underscore_must_use, reason = "mostly it is not attached")]
        let _ = connection.execute_batch("DETACH kept");
    }
    attached?;
    let tables =
        "SELECT name FROM kept.sqlite_schema JOIN main.sqlite_schema own USING (name, type)
        WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'";
    let mut statement = connection.prepare(tables)?;
    let names = statement.query_map([], |row| row.get::<_, String>(0))?;
    for name in names {
        let name = name?;
        if !LEFT_OUT.contains(&name.as_str()) {
            let copy = format!("INSERT OR REPLACE INTO main.{name} SELECT * FROM kept.{name}");
            connection.execute(&copy, [])?;
        }
    }
    drop(statement);
    connection.execute_batch("DETACH kept")
}

/// A file as SQLite takes it with options.
fn address(store: &Path, options: &str) -> String {
    let plain = |it: u8| it.is_ascii_alphanumeric() || b"/.-_".contains(&it);
    let written =
        |it: &u8| if plain(*it) { char::from(*it).to_string() } else { format!("%{it:02X}") };
    let path: String = store.as_os_str().as_bytes().iter().map(written).collect();
    format!("file:{path}?{options}")
}
