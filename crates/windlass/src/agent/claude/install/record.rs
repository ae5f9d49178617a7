//! What `init` made, so that `uninstall` can unmake exactly that.
//!
//! It holds paths, white space and rules of ours, never a part of the settings: those may hold
//! secrets.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::InstallError;
use super::permits::Granted;
use super::servers::Added;
use super::settings::Made;
use super::skills::Written;
use crate::plain::{self, Follow};
use crate::stage;

const NAME: &str = "install.json";
const VERSION: u32 = 1;
/// More than any record has.
const MAX_FILE: u64 = 1 << 20;

/// Where the record is.
pub(crate) fn path(directory: &Path) -> PathBuf {
    directory.join(NAME)
}

/// The record as it is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    version: u32,
    /// The copy of the program, if we put it there.
    pub(crate) binary: Option<Binary>,
    /// Every settings file with our entries.
    pub(crate) files: Vec<Settings>,
    /// Every place with our server; absent in the records of older versions, as are skills.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) servers: Vec<Server>,
    /// The skills that we wrote.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) skills: Vec<Written>,
}

/// A place with our server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Server {
    pub(crate) path: PathBuf,
    /// The project that it is for; none where it is for all.
    pub(crate) project: Option<PathBuf>,
    pub(crate) added: Added,
}

/// A program that we copied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Binary {
    pub(crate) path: PathBuf,
    /// The directories that were made for it.
    pub(crate) directories: Vec<PathBuf>,
    /// What its bytes were; absent in the records of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) checksum: Option<String>,
}

/// A settings file that we changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Settings {
    pub(crate) path: PathBuf,
    /// The directories that were made for it.
    pub(crate) directories: Vec<PathBuf>,
    pub(crate) made: Made,
    /// The permission rules that we added; absent in the records of older versions.
    #[serde(default, skip_serializing_if = "Granted::is_none")]
    pub(crate) granted: Granted,
}

/// Where the record is kept, with the right to change it.
#[derive(Debug)]
pub(crate) struct Keeper {
    directory: PathBuf,
    // Two runs at once would forget each other's files.
    _lock: File,
}

impl Default for Record {
    fn default() -> Self {
        Self {
            version: VERSION,
            binary: None,
            files: Vec::new(),
            servers: Vec::new(),
            skills: Vec::new(),
        }
    }
}

impl Record {
    /// Reads the record of a data directory; one that cannot be understood counts as lost.
    pub(crate) fn read(directory: &Path) -> Self {
        let bytes = plain::read(&path(directory), Follow::Anywhere, MAX_FILE).ok().flatten();
        let bytes = bytes.map(|it| it.bytes).unwrap_or_default();
        let record: Option<Self> = serde_json::from_slice(&bytes).ok();
        record.filter(|it| it.version == VERSION).unwrap_or_default()
    }

    /// What is known of a settings file.
    pub(crate) fn settings(&self, path: &Path) -> Settings {
        let known = self.files.iter().find(|it| it.path == path);
        known.cloned().unwrap_or_else(|| Settings { path: path.to_owned(), ..Settings::default() })
    }

    /// Keeps what is known of a settings file.
    pub(crate) fn put(&mut self, settings: Settings) {
        match self.files.iter_mut().find(|it| it.path == settings.path) {
            Some(known) => *known = settings,
            None => self.files.push(settings),
        }
    }

    /// What is known of our server in a place.
    pub(crate) fn server(&self, path: &Path, project: Option<&Path>) -> Option<&Server> {
        self.servers.iter().find(|it| it.path == path && it.project.as_deref() == project)
    }

    /// Keeps what is known of our server in a place, or forgets it.
    pub(crate) fn put_server(&mut self, path: &Path, project: Option<&Path>, added: Option<Added>) {
        self.servers.retain(|it| it.path != path || it.project.as_deref() != project);
        let (path, project) = (path.to_owned(), project.map(Path::to_owned));
        self.servers.extend(added.map(|added| Server { path, project, added }));
    }

    /// Forgets a settings file.
    pub(crate) fn forget(&mut self, path: &Path) {
        self.files.retain(|it| it.path != path);
    }
}

impl Keeper {
    /// Waits for other runs, and makes the directory if it is missing.
    pub(crate) fn lock(directory: &Path) -> Result<Self, InstallError> {
        let open = || -> io::Result<File> {
            stage::make_private_directory(directory)?;
            let lock = File::open(directory)?;
            lock.lock()?;
            Ok(lock)
        };
        match open() {
            Ok(lock) => Ok(Self { directory: directory.to_owned(), _lock: lock }),
            Err(source) => Err(InstallError::Record { path: path(directory), source }),
        }
    }

    /// The record as it is.
    pub(crate) fn read(&self) -> Record {
        Record::read(&self.directory)
    }

    /// Writes the record, or removes it when nothing is left to remember.
    pub(crate) fn save(&self, record: &Record) -> Result<(), InstallError> {
        let path = path(&self.directory);
        let wrong = |source| InstallError::Record { path: path.clone(), source };
        if *record == Record::default() {
            return match fs::remove_file(&path) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => Err(wrong(source)),
                _ => Ok(()),
            };
        }
        if *record == self.read() {
            return Ok(());
        }
        let mut bytes = serde_json::to_vec_pretty(record).map_err(|it| wrong(it.into()))?;
        bytes.push(b'\n');
        stage::replace(&path, &bytes).map_err(wrong)
    }
}
