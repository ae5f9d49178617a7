//! The database of claude-mem, read and never written: its observations, its summaries of sessions,
//! and what its first versions called memories and overviews.
//!
//! Neither the database nor its log is touched. One that nobody has open is read as it lies there;
//! one with a log that somebody else uses is read as SQLite lets readers in; a log without an index
//! is read in a copy, for SQLite would write one beside it.

mod budget;
mod table;

use std::cell::Cell;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use crate::{stage, visible};

pub(crate) use budget::Budget;
pub(crate) use table::{Left, Record, Session};
use table::{TABLES, Table, Values};

/// What every SQLite file begins with.
const HEADER: &[u8; 16] = b"SQLite format 3\0";

/// The name that claude-mem gives its file.
pub(crate) const NAME: &str = "claude-mem.db";

/// Rows that are read at once.
const PART: i64 = 64;

/// Bytes of one value; longer ones are passed by, unread.
const MAX_VALUE: u32 = 1 << 18;

/// Rows of one table that are read: far more than anybody has observed.
const MAX_ROWS: u64 = 1_000_000;

/// How long we wait for whoever writes.
const WAIT: Duration = Duration::from_secs(5);

/// How long one question may take. Rows come a few at a time, so that is far more than any takes
/// that comes to an end: pages of a damaged file may refer to each other in circles.
const QUESTION: Duration = Duration::from_secs(10);

/// Why a database was not read, or not to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DatabaseError {
    #[error("look at it")]
    Look(#[source] io::Error),
    #[error("copy it")]
    Copy(#[source] io::Error),
    #[error("it is no plain file")]
    NotPlain,
    #[error("it cannot be understood as a database")]
    Open(#[source] rusqlite::Error),
    #[error("it holds none of the tables of claude-mem")]
    Foreign,
    #[error("read its table `{0}`; what was read before is imported")]
    Table(&'static str, #[source] rusqlite::Error),
    #[error(
        "its table `{0}` is damaged: its rows are in no order; what was read before is imported"
    )]
    Disordered(&'static str),
    #[error("its table `{0}` has more than {MAX_ROWS} rows; those before are imported")]
    Endless(&'static str),
    #[error("it is damaged: it gives more than it can hold; what was read before is imported")]
    Overfull,
    #[error(
        "it is damaged: it has {found} of the {wanted} bytes that it names; what could be read is \
         imported"
    )]
    Truncated { found: u64, wanted: u64 },
    #[error("it is damaged ({0}); what could be read is imported")]
    Damaged(String),
    #[error("it took longer than {} minutes; what was read before is imported", .0.as_secs() / 60)]
    TooLong(Duration),
    #[error("it changed while it was read")]
    Changed,
}

impl DatabaseError {
    /// What the user can do about it.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::Look(_) => "check who may read it",
            Self::Copy(_) => "make room in windlass's directory, then run it again",
            Self::NotPlain => "give the database itself",
            Self::Open(_)
            | Self::Table(..)
            | Self::Disordered(_)
            | Self::Endless(_)
            | Self::Overfull
            | Self::Truncated { .. }
            | Self::Damaged(_)
            | Self::TooLong(_) => {
                "stop claude-mem and run it again; if it is damaged, `sqlite3 FILE .recover` may help"
            }
            Self::Foreign => "give the `claude-mem.db` of claude-mem",
            Self::Changed => "run it again when claude-mem is idle; nothing comes twice",
        }
    }
}

/// Whether a file is an SQLite database, as far as its beginning tells.
pub(crate) fn is_database(path: &Path) -> bool {
    let mut begin = [0; HEADER.len()];
    // Opening anything but a plain file could wait for ever.
    let is_file = fs::metadata(path).is_ok_and(|it| it.is_file());
    is_file
        && File::open(path).and_then(|mut it| it.read_exact(&mut begin)).is_ok()
        && begin == *HEADER
}

/// What tells whether a file was written: its size, and when.
type Stamp = Option<(u64, i64, i64)>;

fn stamp(path: &Path) -> Stamp {
    let stamp = |it: Metadata| (it.len(), it.mtime(), it.mtime_nsec());
    fs::metadata(path).ok().map(stamp)
}

/// A file beside a database.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// An open database.
#[derive(Debug)]
pub(crate) struct Database {
    connection: Connection,
    tables: Vec<(&'static Table, Vec<&'static str>)>,
    /// The file, and what it was when it was opened, where nothing keeps others from writing it.
    unlocked: Option<(PathBuf, [Stamp; 2])>,
    /// Whether its sessions took too long to look at: they are not looked at again.
    is_stuck: Cell<bool>,
    truncated: Option<DatabaseError>,
    _copy: Option<Copy>,
}

/// A copy of a database, gone when nobody needs it.
#[derive(Debug)]
struct Copy(PathBuf);

impl Drop for Copy {
    fn drop(&mut self) {
        for ending in ["", "-wal", "-shm"] {
            #[expect(clippy::let_underscore_must_use, reason = "`doctor` names what is left")]
            let _ = fs::remove_file(beside(&self.0, ending));
        }
    }
}

impl Database {
    /// Opens a database; a copy, where one is needed, lies in `data_dir`.
    pub(crate) fn open(path: &Path, data_dir: &Path) -> Result<Self, DatabaseError> {
        let metadata = fs::metadata(path).map_err(DatabaseError::Look)?;
        if !metadata.is_file() {
            return Err(DatabaseError::NotPlain);
        }
        // Who may not read it is told so, and not that it is damaged.
        File::open(path).map_err(DatabaseError::Look)?;
        // Its log stands beside the file itself.
        let path = &stage::resolve(path);
        let before = [stamp(path), stamp(&beside(path, "-wal"))];
        let has_log = before[1].is_some_and(|it| it.0 > 0);
        if !has_log {
            let connection = connect(&alone(path), OpenFlags::SQLITE_OPEN_URI)?;
            let database = Self::new(connection, Some((path.clone(), before)), None)?;
            // With a log, pages may stand in that.
            return Ok(Self { truncated: truncated(path), ..database });
        }
        if beside(path, "-shm").exists() {
            let shared = connect(path, OpenFlags::empty());
            if let Ok(it) = shared.and_then(|it| Self::new(it, None, None)) {
                return Ok(it);
            }
        }
        let copy = Copy(data_dir.join(format!("{NAME}.{}.new", process::id())));
        for ending in ["", "-wal"] {
            let from = beside(path, ending);
            fs::copy(from, beside(&copy.0, ending)).map_err(DatabaseError::Copy)?;
        }
        let connection = connect(&copy.0, OpenFlags::empty())?;
        Self::new(connection, Some((path.clone(), before)), Some(copy))
    }

    fn new(
        connection: Connection,
        unlocked: Option<(PathBuf, [Stamp; 2])>,
        copy: Option<Copy>,
    ) -> Result<Self, DatabaseError> {
        let tables = within(&connection, || tables(&connection)).map_err(DatabaseError::Open)?;
        if tables.is_empty() {
            return Err(DatabaseError::Foreign);
        }
        Ok(Self {
            connection,
            tables,
            unlocked,
            is_stuck: Cell::new(false),
            truncated: None,
            _copy: copy,
        })
    }

    /// How many tables of it are read.
    pub(crate) fn tables(&self) -> usize {
        self.tables.len()
    }

    /// The records of a table behind the last part, what of them is left out, and the last row of
    /// them; `None` at the end. Every row has a number above the last one: a damaged file ends.
    pub(crate) fn part(
        &self,
        table: usize,
        last: Option<&PartEnd>,
    ) -> Result<Option<Part>, DatabaseError> {
        let (table, columns) = &self.tables[table];
        let PartEnd { row: after, rows: count } = last.copied().unwrap_or_default();
        if count >= MAX_ROWS {
            return Err(DatabaseError::Endless(table.name));
        }
        let mut is_ordered = true;
        let read = || {
            let end = PartEnd { row: after, rows: count };
            let mut part = Part { records: Vec::new(), end, bytes: 0 };
            let mut statement = self.connection.prepare_cached(&query(table, columns))?;
            let mut rows = statement.query((after, PART))?;
            while let Some(row) = rows.next()? {
                let number = row.get(0)?;
                is_ordered = number > part.end.row || part.end.rows == 0;
                if !is_ordered {
                    break;
                }
                part.end = PartEnd { row: number, rows: part.end.rows + 1 };
                let mut values = Values::default();
                for (place, column) in columns.iter().enumerate() {
                    let value = text(row.get_ref(1 + 2 * place)?);
                    part.bytes += value.as_deref().map_or(0, str::len) as u64;
                    values.set(column, value);
                    values.is_cut |= row.get::<_, Option<bool>>(2 + 2 * place)?.unwrap_or_default();
                }
                part.records.push((table.take)(&values));
            }
            Ok(part)
        };
        let part = within(&self.connection, read);
        let part = part.map_err(|it| DatabaseError::Table(table.name, it))?;
        match part.records.is_empty() {
            true if !is_ordered => Err(DatabaseError::Disordered(table.name)),
            true => Ok(None),
            // What stands before the damage counts; the next part meets it again.
            false => Ok(Some(part)),
        }
    }

    /// The session of the client behind the name that claude-mem gave it.
    pub(crate) fn session(&self, name: &str) -> Option<String> {
        if self.is_stuck.get() {
            return None;
        }
        // The columns were called otherwise once.
        let names =
            [("content_session_id", "memory_session_id"), ("claude_session_id", "sdk_session_id")];
        names.into_iter().find_map(|(wanted, given)| {
            let query = format!("SELECT {wanted} FROM sdk_sessions WHERE {given} = ?1 LIMIT 1");
            let mut statement = self.connection.prepare_cached(&query).ok()?;
            let look = || statement.query_row([name], |row| row.get(0)).optional();
            within(&self.connection, look).unwrap_or_else(|error| {
                let code = error.sqlite_error_code();
                self.is_stuck.set(code == Some(rusqlite::ErrorCode::OperationInterrupted));
                None
            })
        })
    }

    /// Whether it is still what was opened, and whole. Pages that are missing read as empty values,
    /// and SQLite names no error.
    pub(crate) fn end(self) -> Result<(), DatabaseError> {
        let is_same = |(path, before): &(PathBuf, [Stamp; 2])| {
            *before == [stamp(path), stamp(&beside(path, "-wal"))]
        };
        if !self.unlocked.as_ref().is_none_or(is_same) {
            return Err(DatabaseError::Changed);
        }
        self.truncated.map_or(Ok(()), Err)?;
        let look = || {
            let query = "PRAGMA quick_check(1)";
            self.connection.query_row(query, [], |row| row.get::<_, String>(0))
        };
        match within(&self.connection, look) {
            Ok(found) if found == "ok" => Ok(()),
            Ok(fault) => Err(DatabaseError::Damaged(visible::line(&fault, 200))),
            // One that is too large to be looked through in that time was read to its end.
            Err(error)
                if error.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted) =>
            {
                Ok(())
            }
            Err(error) => Err(DatabaseError::Damaged(visible::line(&error.to_string(), 200))),
        }
    }
}

/// The damage of a file that has fewer pages than its header names. Programs that write no number of
/// pages are old; SQLite does not trust theirs.
fn truncated(path: &Path) -> Option<DatabaseError> {
    let mut header = [0_u8; 100];
    let mut file = File::open(path).ok()?;
    file.read_exact(&mut header).ok()?;
    let number = |at: usize| {
        let bytes = header.get(at..at + 4)?.try_into().ok()?;
        Some(u64::from(u32::from_be_bytes(bytes)))
    };
    let size = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    let (changes, pages, valid_for) = (number(24)?, number(28)?, number(92)?);
    let (found, wanted) = (file.metadata().ok()?.len(), pages.saturating_mul(size));
    (changes == valid_for && found < wanted).then_some(DatabaseError::Truncated { found, wanted })
}

/// Some rows of a table.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) records: Vec<Result<Record, Left>>,
    pub(crate) end: PartEnd,
    /// Bytes of their texts.
    pub(crate) bytes: u64,
}

/// How far a table was read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartEnd {
    /// The number of the last row.
    row: i64,
    /// Rows up to it.
    rows: u64,
}

impl Default for PartEnd {
    fn default() -> Self {
        Self { row: i64::MIN, rows: 0 }
    }
}

/// Asks a database for something, and gives up where that takes too long.
fn within<T>(
    connection: &Connection,
    ask: impl FnOnce() -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    let handle = connection.get_interrupt_handle();
    let (done, waiting) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut patience = QUESTION;
            // One that comes between two steps ends neither.
            while waiting.recv_timeout(patience) == Err(mpsc::RecvTimeoutError::Timeout) {
                handle.interrupt();
                patience = Duration::from_millis(1);
            }
        });
        let answer = ask();
        drop(done);
        answer
    })
}

/// The address of a file that SQLite is to take as it lies there: no lock is taken, and no file is
/// made beside it.
fn alone(path: &Path) -> PathBuf {
    let plain = |it: u8| it.is_ascii_alphanumeric() || b"/.-_".contains(&it);
    let written =
        |it: &u8| if plain(*it) { char::from(*it).to_string() } else { format!("%{it:02X}") };
    let path: String = path.as_os_str().as_bytes().iter().map(written).collect();
    format!("file:{path}?mode=ro&immutable=1").into()
}

fn connect(path: &Path, more: OpenFlags) -> Result<Connection, DatabaseError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | more;
    let connect = || {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(WAIT)?;
        // Whoever made the file may have put anything into it.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.execute_batch("PRAGMA query_only = ON; PRAGMA cell_size_check = ON")?;
        Ok(connection)
    };
    connect().map_err(DatabaseError::Open)
}

/// The tables that are there, and which of their columns. A view of such a name is none: to look
/// at it could take for ever.
fn tables(connection: &Connection) -> rusqlite::Result<Vec<(&'static Table, Vec<&'static str>)>> {
    let query = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = ?1";
    let columns = "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2";
    let mut found = Vec::new();
    for table in TABLES {
        if connection.prepare_cached(query)?.exists([table.name])? {
            let mut there = Vec::new();
            for column in table.columns {
                if connection.prepare_cached(columns)?.exists([table.name, column])? {
                    there.push(*column);
                }
            }
            found.push((table, there));
        }
    }
    Ok(found)
}

/// Reads rows in the order of their numbers: each value that is not too long, and whether it is.
fn query(table: &Table, columns: &[&str]) -> String {
    let value = |it: &&str| {
        let long = format!("octet_length({it}) > {MAX_VALUE}");
        format!(", CASE WHEN {long} THEN NULL ELSE {it} END, {long}")
    };
    let columns: String = columns.iter().map(value).collect();
    let name = table.name;
    format!("SELECT rowid{columns} FROM {name} WHERE rowid > ?1 ORDER BY rowid LIMIT ?2")
}

/// A value as text; what is no text at all is nothing.
fn text(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(_) | ValueRef::Null | ValueRef::Blob(_) => None,
    }
}

/// Statements that make every table of claude-mem, with two rows each.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn example() -> String {
    let table = |it: &Table| {
        let (name, columns) = (it.name, it.columns.join(", "));
        let words: Vec<_> = it.columns.iter().map(|it| format!("'the {it} of a row'")).collect();
        let numbers = vec!["'[\"1700000000\"]'"; it.columns.len()].join(", ");
        let words = words.join(", ");
        format!(
            "CREATE TABLE {name} (id INTEGER PRIMARY KEY, {columns});
            INSERT INTO {name} ({columns}) VALUES ({words}), ({numbers});"
        )
    };
    TABLES.iter().map(table).collect()
}
