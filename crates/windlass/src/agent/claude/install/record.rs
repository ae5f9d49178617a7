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
use super::settings::Made;
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
        Self { version: VERSION, binary: None, files: Vec::new() }
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
