//! Memories as people look for them.

use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, ToSql, params};
use windlass_core::memory::{Category, Memory, MemoryId, State};
use windlass_core::{PathText, Timestamp};

use super::rows::{self, COLUMNS, Entry, Stored};
use crate::store::loops::{known_project, project};
use crate::store::{Store, StoreError};
use crate::surroundings::Surroundings;

const DOING: &str = "look for memories";

/// Memories that are read where many names begin as somebody typed it.
pub(crate) const NAMED: u16 = 64;

/// Those whose names begin so. Behind every letter of a name comes `~`.
const BY_NAME: &str = "memories.id >= ?1 AND memories.id < ?1 || '~' ORDER BY memories.id LIMIT ?2";

/// Where memories are looked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Within {
    #[default]
    Everything,
    /// What belongs to a project, or to none.
    Project(Option<i64>),
    /// What holds in every project, and nothing else.
    Everywhere,
}

/// Which memories are looked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filter<'a> {
    pub(crate) within: Within,
    /// In one of these states; in any where nothing is said.
    pub(crate) states: &'a [State],
    pub(crate) category: Option<Category>,
    /// With a text in them, whatever its case.
    pub(crate) text: Option<&'a str>,
    /// Of the session whose name begins so.
    pub(crate) session: Option<&'a str>,
    /// Strong enough to bother somebody with.
    pub(crate) strong_only: bool,
}

/// A memory with its project, and what people call that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) memory: Memory,
    pub(crate) project_id: Option<i64>,
    pub(crate) project: Option<String>,
}

impl Within {
    /// What an agent is told of by itself: where no project is, what holds everywhere.
    pub(crate) fn told(project: Option<i64>) -> Self {
        project.map_or(Self::Everywhere, |it| Self::Project(Some(it)))
    }
}

impl Store {
    /// The project of a directory; none in `/` and in the home directory itself.
    pub(crate) fn project_of(
        &mut self,
        directory: &Path,
        now: Timestamp,
        around: &Surroundings<'_>,
    ) -> Result<Option<i64>, StoreError> {
        if self.reads_only() {
            return known_project(&self.connection, directory, around);
        }
        let writing = self.write()?;
        let project = project(&writing, directory, now, around)?;
        writing.commit()?;
        Ok(project)
    }

    /// Where a project without a repository begins, around a directory of it.
    pub(crate) fn plain_root(
        &self,
        project: i64,
        directory: &PathText,
    ) -> Result<Option<PathBuf>, StoreError> {
        let query = "SELECT path FROM places WHERE project = ?1 AND kind = 'directory'
            AND substr(?2 || '/', 1, length(path) + 1) = path || '/'
            ORDER BY length(path) LIMIT 1";
        let found = self.connection.query_row(query, params![project, directory.as_str()], |row| {
            let path = PathText::stored(row.get(0)?).to_bytes();
            Ok(PathBuf::from(OsString::from_vec(path)))
        });
        found.optional().map_err(StoreError::doing(DOING))
    }

    /// The memories that a filter lets through, the latest first, and those whose places they took.
    pub(crate) fn memories(&self, filter: &Filter<'_>) -> Result<Vec<Listed>, StoreError> {
        let mut found = list(&self.connection, filter).map_err(StoreError::doing(DOING))?;
        self.link(&mut found)?;
        Ok(found)
    }

    /// How many memories there are; a text is not looked for in them.
    pub(crate) fn count(&self, filter: &Filter<'_>) -> Result<i64, StoreError> {
        let (condition, values) = conditions(filter);
        let query = format!("SELECT count(*) FROM memories WHERE {condition}");
        let values: Vec<_> = values.iter().map(AsRef::as_ref).collect();
        let count = self.connection.query_row(&query, values.as_slice(), |row| row.get(0));
        count.map_err(StoreError::doing(DOING))
    }

    /// The memories whose names begin so; a few of them where there are many.
    pub(crate) fn memories_named(&self, prefix: &str) -> Result<Vec<Listed>, StoreError> {
        let found = select(&self.connection, BY_NAME, params![prefix, NAMED]);
        found.map_err(StoreError::doing(DOING))
    }

    /// Finds those whose places some memories took. All memories are looked at for it, once: only
    /// who shows them needs it.
    pub(crate) fn link<'a>(
        &self,
        found: impl IntoIterator<Item = &'a mut Listed>,
    ) -> Result<(), StoreError> {
        let mut links = links(&self.connection).map_err(StoreError::doing(DOING))?;
        for Listed { memory, .. } in found {
            memory.supersedes = links.remove(memory.id.as_str()).unwrap_or_default();
        }
        Ok(())
    }

    /// What was done with a memory, the first thing first.
    pub(crate) fn history(&self, id: &MemoryId) -> Result<Vec<Entry>, StoreError> {
        rows::history(&self.connection, id).map_err(StoreError::doing(DOING))
    }
}

fn list(connection: &Connection, filter: &Filter<'_>) -> rusqlite::Result<Vec<Listed>> {
    let (condition, values) = conditions(filter);
    let condition = format!("{condition} ORDER BY changed_at DESC, memories.id");
    let values: Vec<_> = values.iter().map(AsRef::as_ref).collect();
    let mut found = select(connection, &condition, values.as_slice())?;
    if let Some(text) = filter.text {
        let text = text.to_lowercase();
        found.retain(|it| holds(&it.memory, &text));
    }
    Ok(found)
}

/// What a filter asks of a row, and the values in it.
fn conditions(filter: &Filter<'_>) -> (String, Vec<Box<dyn ToSql>>) {
    let mut conditions = vec!["true".to_owned()];
    let mut values: Vec<Box<dyn ToSql>> = Vec::new();
    let mut add = |condition: &str, value: Box<dyn ToSql>| {
        values.push(value);
        conditions.push(condition.replace("??", &format!("?{}", values.len())));
    };
    match filter.within {
        Within::Everything => {}
        Within::Project(project) => add("project IS ??", Box::new(project)),
        Within::Everywhere => add("global = ??", Box::new(1)),
    }
    if let Some(category) = filter.category {
        add("category = ??", Box::new(category.word()));
    }
    if let Some(session) = filter.session {
        add("substr(session, 1, length(??)) = ??", Box::new(session.to_owned()));
    }
    if filter.strong_only {
        add("strong >= ??", Box::new(1));
    }
    if !filter.states.is_empty() {
        let words: Vec<_> = filter.states.iter().map(|it| format!("'{}'", it.word())).collect();
        conditions.push(format!("state IN ({})", words.join(", ")));
    }
    (conditions.join(" AND "), values)
}

/// Whether a text in small letters stands in a memory.
fn holds(memory: &Memory, text: &str) -> bool {
    let content = &memory.content;
    let names = content.tags.iter().chain(&content.files).map(String::as_str);
    content.prose().into_iter().chain(names).any(|it| it.to_lowercase().contains(text))
}

fn select(
    connection: &Connection,
    condition: &str,
    values: impl rusqlite::Params,
) -> rusqlite::Result<Vec<Listed>> {
    let query = format!(
        "SELECT {COLUMNS}, (SELECT name FROM projects WHERE projects.id = memories.project)
        FROM memories WHERE {condition}"
    );
    let mut statement = connection.prepare(&query)?;
    let rows = statement.query_map(values, |row| {
        let Some(Stored { memory, project, .. }) = rows::read(row)? else { return Ok(None) };
        Ok(Some(Listed { memory, project_id: project, project: row.get(rows::WIDTH)? }))
    })?;
    Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// Those that were superseded, by what took their places.
fn links(connection: &Connection) -> rusqlite::Result<HashMap<String, Vec<MemoryId>>> {
    let query = "SELECT superseded_by, id FROM memories WHERE superseded_by IS NOT NULL";
    let mut statement = connection.prepare(query)?;
    let mut rows = statement.query([])?;
    let mut links: HashMap<String, Vec<MemoryId>> = HashMap::new();
    while let Some(row) = rows.next()? {
        links.entry(row.get(0)?).or_default().extend(MemoryId::parse(row.get_ref(1)?.as_str()?));
    }
    Ok(links)
}

#[cfg(test)]
mod tests {
    use super::BY_NAME;
    use crate::store::open::in_memory;

    #[test]
    fn a_memory_is_found_by_its_name_without_a_look_at_the_others() {
        let connection = in_memory().unwrap();
        let query = format!("EXPLAIN QUERY PLAN SELECT * FROM memories WHERE {BY_NAME}");
        let mut statement = connection.prepare(&query).unwrap();
        let plan = statement.query_map(("0a", 5), |row| row.get::<_, String>(3)).unwrap();
        let plan: Vec<_> = plan.map(Result::unwrap).collect();
        assert_eq!(plan, ["SEARCH memories USING PRIMARY KEY (id>? AND id<?)"]);
    }
}
