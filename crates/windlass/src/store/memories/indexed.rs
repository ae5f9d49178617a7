//! How indexes are made of memories, and how much each of them knows.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension};
use windlass_core::memory::Memory;
use windlass_core::recall::{Builder, Field, Key, Seen, key_of};

use super::rows::{self, COLUMNS, Stored};
use crate::index::{self, Index, Scope};
use crate::store::prune::{mark, set_mark};
use crate::store::{Store, StoreError};

const DOING: &str = "make the index of memories";

/// The mark that counts how often something was forgotten or taken back.
const REVISION: &str = "revision";

/// What an index has to know: memories, and what became of them. An index of SQLite has the very same
/// condition: in other words it would not be used.
pub(super) const SETTLED: &str = "state NOT IN ('candidate', 'expired', 'rejected')";

/// What of a memory is searched.
fn texts(memory: &Memory) -> Vec<(Field, &str)> {
    let content = &memory.content;
    let mut prose = content.prose().into_iter();
    let title = prose.next().map(|it| (Field::Title, it));
    let texts = title.into_iter().chain(prose.map(|it| (Field::Text, it)));
    let files = content.files.iter().map(|it| (Field::File, it.as_str()));
    let tags = content.tags.iter().map(|it| (Field::Tag, it.as_str()));
    texts.chain(files).chain(tags).filter(|it| !it.1.is_empty()).collect()
}

/// Memories of a project whose index is made while somebody waits for it: some tenths of a second.
const FEW: i64 = 5000;

/// Whether a memory is brought up for a file or a command.
pub(super) fn is_keyed(memory: &Memory) -> bool {
    !keys(memory).is_empty()
}

/// What a memory is brought up for while the agent works: only one that is sure.
fn keys(memory: &Memory) -> Vec<u64> {
    if !memory.is_sure() {
        return Vec::new();
    }
    let command = memory.origin.command.as_deref().map(|it| key_of(Key::Command, it.trim()));
    let files = memory.content.file_names().map(|it| key_of(Key::File, it));
    files.chain(command).collect()
}

/// Adds a memory to an index, with how often it was shown and used.
pub(super) fn adding(builder: &mut Builder, memory: &Memory, counts: [u8; 2]) {
    builder.add_memory(memory, counts, &texts(memory), &keys(memory));
}

/// What belongs to a scope.
pub(super) fn within(scope: Scope) -> &'static str {
    match scope {
        Scope::Global => "global = 1 AND ?1 = ?1",
        Scope::Nowhere => "project IS NULL AND ?1 = ?1",
        Scope::Project(_) => "project = ?1",
    }
}

/// What an index of a scope would know that is made now.
fn seen(connection: &Connection, scope: Scope) -> rusqlite::Result<Seen> {
    let revision = mark(connection, REVISION)?.unwrap_or_default();
    Ok(Seen { generation: generation(connection, scope)?, revision })
}

/// How often something was forgotten, or taken back with the time that it had.
pub(in crate::store) fn revision(connection: &Connection) -> rusqlite::Result<i64> {
    Ok(mark(connection, REVISION)?.unwrap_or_default())
}

/// Notes that something was changed that no time tells of: every index that was made before is old.
pub(in crate::store) fn revise(connection: &Connection) -> rusqlite::Result<()> {
    let revision = mark(connection, REVISION)?.unwrap_or_default();
    set_mark(connection, REVISION, revision + 1)
}

/// How much of a scope there is to know: it grows with every change of a memory there.
pub(super) fn generation(connection: &Connection, scope: Scope) -> rusqlite::Result<i64> {
    let mut statement = connection.prepare_cached(&latest(scope))?;
    let latest = statement.query_row([scope.number()], |row| row.get(0)).optional()?;
    Ok(latest.unwrap_or_default())
}

/// When something of a scope was changed last.
pub(super) fn latest(scope: Scope) -> String {
    format!(
        "SELECT changed_at FROM memories WHERE {} AND {SETTLED}
        ORDER BY changed_at DESC LIMIT 1",
        within(scope)
    )
}

impl Store {
    /// Makes every index anew that does not know all of its scope. Nobody waits for it.
    pub(in crate::store) fn renew_indexes(&mut self) -> Result<(), StoreError> {
        index::sweep(&self.data_dir).map_err(StoreError::Index)?;
        let mut scopes = vec![Scope::Global, Scope::Nowhere];
        let projects = "SELECT DISTINCT project FROM memories WHERE project IS NOT NULL";
        scopes.extend(self.rows(projects, [], |row| row.get(0).map(Scope::Project), DOING)?);
        for scope in index::all(&self.data_dir).map_err(StoreError::Index)? {
            if !scopes.contains(&scope) {
                index::remove(&self.data_dir, scope).map_err(StoreError::Index)?;
            }
        }
        scopes.into_iter().try_for_each(|it| self.renew_index(it))
    }

    /// Has the indexes made again where their directory is missing, by whoever tidies, and tells so.
    /// Where nothing is known an empty directory says it: a tool that runs need not ask the store.
    pub(crate) fn misses_indexes(&self) -> Result<bool, StoreError> {
        if !index::is_missing(&self.data_dir) {
            return Ok(false);
        }
        let query = format!("SELECT 1 FROM memories WHERE {SETTLED} LIMIT 1");
        if !self.rows(&query, [], |_| Ok(()), DOING)?.is_empty() {
            return Ok(true);
        }
        // A disk without room keeps nobody from going on.
        index::prepare(&self.data_dir).unwrap_or_default();
        Ok(false)
    }

    pub(super) fn renew_index(&mut self, scope: Scope) -> Result<(), StoreError> {
        let now = seen(&self.connection, scope).map_err(StoreError::doing(DOING))?;
        let known = Index::open(&self.data_dir, scope);
        let known = known.and_then(|it| it.segment().map(|it| it.seen()));
        if known == Some(now) || (known.is_none() && now.generation == 0) {
            return Ok(());
        }
        self.build_index(scope)
    }

    /// Makes indexes anew that have to know of a change at once. One of many memories is left to
    /// whoever tidies, and so is one that cannot be made: what was changed is kept by now.
    pub(super) fn renew_at_once(&mut self, scopes: impl IntoIterator<Item = Scope>) {
        for scope in scopes {
            let query = format!(
                "SELECT 1 FROM memories WHERE {} AND {SETTLED} LIMIT 1 OFFSET {FEW}",
                within(scope)
            );
            let many = self.rows(&query, [scope.number()], |_| Ok(()), DOING);
            let are_few = many.is_ok_and(|it| it.is_empty());
            self.is_behind |= !are_few || self.build_index(scope).is_err();
        }
    }

    /// Whether somebody waits for what is left to whoever tidies.
    pub(crate) fn is_behind(&self) -> bool {
        self.is_behind
    }

    /// Makes the index of a scope anew. Something may be forgotten or taken back meanwhile: then it
    /// is made again, without it or with it. Something may be changed, and another process may have
    /// made an index that knows of it, which ours took the place of: then it is made again too, a
    /// few times.
    pub(in crate::store) fn build_index(&mut self, scope: Scope) -> Result<(), StoreError> {
        const TIMES: usize = 3;
        for time in 1.. {
            let built = self.put_index(scope)?;
            let now = seen(&self.connection, scope).map_err(StoreError::doing(DOING))?;
            if built == now || (time >= TIMES && built.revision == now.revision) {
                break;
            }
        }
        Ok(())
    }

    fn put_index(&mut self, scope: Scope) -> Result<Seen, StoreError> {
        // One state of the store: what is written meanwhile is changed later than all of it.
        let reading = self.connection.transaction().map_err(StoreError::doing(DOING))?;
        let built = || {
            let seen = seen(&reading, scope)?;
            let mut builder = Builder::default();
            // What holds everywhere has an index of its own.
            let query = format!(
                "SELECT {COLUMNS} FROM memories WHERE {} AND {SETTLED} AND state = 'active'
                AND global = {} ORDER BY changed_at DESC",
                within(scope),
                u8::from(scope == Scope::Global)
            );
            let counts = uses(&reading)?;
            let mut statement = reading.prepare(&query)?;
            let mut rows = statement.query([scope.number()])?;
            while let Some(row) = rows.next()? {
                let Some(Stored { memory, .. }) = rows::read(row)? else { continue };
                let counts = counts.get(memory.id.as_str()).copied().unwrap_or_default();
                adding(&mut builder, &memory, counts);
            }
            Ok((seen, builder.build(scope.number(), seen)))
        };
        let (seen, bytes) = built().map_err(StoreError::doing(DOING))?;
        drop(reading);
        index::replace(&self.data_dir, scope, &bytes).map_err(StoreError::Index)?;
        Ok(seen)
    }
}

/// How often each memory was shown, and used. What was shown in a session that goes on may still be
/// used there.
fn uses(connection: &Connection) -> rusqlite::Result<BTreeMap<String, [u8; 2]>> {
    let query = "SELECT memory, min(count(*), 255), min(coalesce(sum(used), 0), 255)
        FROM shown WHERE used IS NOT NULL AND memory IS NOT NULL GROUP BY memory";
    let mut statement = connection.prepare(query)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, [row.get(1)?, row.get(2)?])))?;
    rows.collect()
}
