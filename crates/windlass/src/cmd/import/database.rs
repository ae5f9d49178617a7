//! What claude-mem keeps, as candidates of the projects that it was learned in.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fs, mem};

use super::TakeError;
use super::memories::Import;
use crate::import::Foreigner;
use crate::import::claude_mem::{Budget, Database, DatabaseError, Record, Session};
use crate::surroundings::root_of;
use crate::ui::Screen;
use crate::{failure, ui, visible};

impl Import<'_> {
    /// Imports a database of claude-mem.
    pub(super) fn database(&mut self, file: &Path) -> Result<(), TakeError> {
        let data_dir = self.host.data_dir().ok_or(TakeError::Homeless)?;
        match Database::open(file, &data_dir) {
            Ok(database) => {
                self.tally.files += 1;
                self.records(file, database)
            }
            Err(error) => {
                self.tell(file, &error);
                Ok(())
            }
        }
    }

    fn tell(&mut self, file: &Path, error: &DatabaseError) {
        self.tally.not_read(file, &failure::chain(error), error.hint());
    }

    fn records(&mut self, file: &Path, database: Database) -> Result<(), TakeError> {
        let mut places = Places::default();
        let mut found = Found::default();
        let size = fs::metadata(file).map_or(0, |it| it.len());
        let screen = if self.is_quiet { Screen::plain() } else { Screen::with_bar(size) };
        let (mut read, mut is_told) = (0, false);
        let log = fs::metadata(file.with_extension("db-wal")).map_or(0, |it| it.len());
        let mut budget = Budget::of(size.saturating_add(log), Instant::now());
        'tables: for table in 0..database.tables() {
            let mut last = None;
            loop {
                let part = match database.part(table, last.as_ref()) {
                    Ok(None) => break,
                    Ok(Some(part)) => part,
                    // The other tables may be whole.
                    Err(error) => {
                        self.tell(file, &error);
                        is_told = true;
                        break;
                    }
                };
                if let Err(error) = budget.take(&part, Instant::now()) {
                    self.tell(file, &error);
                    is_told = true;
                    break 'tables;
                }
                last = Some(part.end);
                read += part.bytes;
                // Texts take the most of a file, and not all of it.
                screen.move_to(read.min(size));
                for record in part.records {
                    match record {
                        Ok(record) => {
                            let place = self.place(&record, &database, &mut places);
                            let root = self.around.of(&place.to_string_lossy()).root();
                            let record = below(record.foreigner, root.as_ref().unwrap_or(&place));
                            found.add(place, record);
                        }
                        Err(left) => self.tally.left_out(visible::line(&left.0, 100)),
                    }
                }
                for (directory, records) in found.many() {
                    self.keep(records, file, &directory)?;
                }
            }
        }
        screen.end_bar();
        for (directory, records) in found.of {
            self.keep(records, file, &directory)?;
        }
        for (name, count) in places.unknown {
            let named = if name.is_empty() {
                "without a project".to_owned()
            } else {
                format!("of `{}`", visible::line(&name, 60))
            };
            let here = ui::path(&self.here);
            let count = ui::amount(count, "record");
            self.tally
                .hint(format!("{count} {named}: nothing tells where that is, so here: {here}."));
        }
        // Damage is told once.
        match database.end() {
            Ok(()) => {}
            Err(error @ DatabaseError::Changed) => self.tell(file, &error),
            Err(error) if !is_told => self.tell(file, &error),
            Err(_) => {}
        }
        Ok(())
    }

    /// The directory that a record belongs to.
    fn place(&self, record: &Record, database: &Database, places: &mut Places) -> PathBuf {
        let session = record.session.as_ref();
        let by_session = session.and_then(|session| {
            let name = match session {
                Session::Client(name) | Session::ClaudeMem(name) => name.clone(),
            };
            let look = || {
                let name = match session {
                    Session::Client(name) => name.clone(),
                    Session::ClaudeMem(name) => database.session(name)?,
                };
                self.origins.of_session(&name)
            };
            places.sessions.entry(name).or_insert_with(look).clone()
        });
        let by_name = || {
            let look = || self.origins.of_name(&record.project);
            places.names.entry(record.project.clone()).or_insert_with(look).clone()
        };
        // Whoever is in it means it.
        let is_here = || {
            let root = root_of(self.host, &self.here).unwrap_or_else(|| self.here.clone());
            let name = root.file_name().and_then(|it| it.to_str());
            name.is_some_and(|it| record.project.split('/').next() == Some(it))
        };
        by_session.or_else(by_name).unwrap_or_else(|| {
            if !is_here() {
                *places.unknown.entry(record.project.clone()).or_default() += 1;
            }
            self.here.clone()
        })
    }
}

/// Records of one project that are kept at once: each time, what is known there is read.
const MANY: usize = 64;

/// Records that wait, of all projects together.
const MOST: usize = 2048;

/// What was found and is not kept yet, by the directory it is for.
#[derive(Debug, Default)]
struct Found {
    of: BTreeMap<PathBuf, Vec<Foreigner>>,
    count: usize,
}

impl Found {
    fn add(&mut self, directory: PathBuf, record: Foreigner) {
        self.of.entry(directory).or_default().push(record);
        self.count += 1;
    }

    /// Takes what is worth a transaction, or all of it where too much waits.
    fn many(&mut self) -> BTreeMap<PathBuf, Vec<Foreigner>> {
        let is_full = self.count >= MOST;
        let (taken, rest) =
            mem::take(&mut self.of).into_iter().partition(|it| is_full || it.1.len() >= MANY);
        self.of = rest;
        self.count = self.of.values().map(Vec::len).sum();
        taken
    }
}

/// Where sessions and projects are, each looked for once.
#[derive(Debug, Default)]
struct Places {
    sessions: HashMap<String, Option<PathBuf>>,
    names: HashMap<String, Option<PathBuf>>,
    /// Projects that are nowhere, and how much of them there is.
    unknown: BTreeMap<String, usize>,
}

/// Names files as the project does.
fn below(mut found: Foreigner, place: &Path) -> Foreigner {
    for file in &mut found.draft.files {
        let below = Path::new(file.as_str()).strip_prefix(place).ok().and_then(Path::to_str);
        if let Some(below) = below.filter(|it| !it.is_empty()).map(str::to_owned) {
            *file = below;
        }
    }
    found
}
