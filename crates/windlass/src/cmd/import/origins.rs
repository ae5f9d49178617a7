//! Where something comes from that is kept outside of its project: the directory in which the
//! sessions were that it was learned in.
//!
//! The client names a folder after a directory and writes a dash for whatever is neither a letter
//! nor a digit, so the name alone does not tell which directory it was. The conversations in it do,
//! and so do all directories that were worked in: only one of them has that name, as a rule.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Host;
use crate::agent::claude::home;
use crate::agent::claude::transcript::{self, directory};
use crate::surroundings::root_of;

/// Conversations of one folder that are asked for their directory.
const ASKED: usize = 16;

/// The folders of the client, and the directories that are known.
#[derive(Debug)]
pub(super) struct Origins<'a> {
    host: &'a Host,
    /// The folders in which the client keeps what belongs to one directory.
    folders: Vec<PathBuf>,
    /// Directories that the store knows.
    known: Vec<PathBuf>,
    /// Those that the conversations of each folder tell.
    told: OnceCell<HashMap<PathBuf, Vec<PathBuf>>>,
}

impl<'a> Origins<'a> {
    pub(super) fn new(host: &'a Host, known: Vec<PathBuf>) -> Self {
        let root = home::projects(host);
        let entries = root.and_then(|it| fs::read_dir(it).ok()).into_iter().flatten().flatten();
        // A link may lead anywhere, and back.
        let folders = entries.filter(|it| it.file_type().is_ok_and(|it| it.is_dir()));
        let mut folders: Vec<_> = folders.map(|it| it.path()).collect();
        folders.sort();
        Self { host, folders, known, told: OnceCell::new() }
    }

    /// The folders of the client, in order.
    pub(super) fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The directory that a folder belongs to, if that can be told.
    pub(super) fn of_folder(&self, folder: &Path) -> Option<PathBuf> {
        let name = folder.file_name()?;
        let told = self.told().get(folder).map(Vec::as_slice).unwrap_or_default();
        let fits = |it: &&PathBuf| encoded(it).as_str() == name && self.is_known(it);
        if let Some(it) = told.iter().find(fits) {
            return Some(it.clone());
        }
        // Sessions below it have folders of their own, and its notes are here.
        let above = self.all().flat_map(Path::ancestors);
        let fitting: BTreeSet<_> = above.filter(|it| encoded(it).as_str() == name).collect();
        let mut fitting = fitting.into_iter().filter(|it| self.is_known(it));
        match (fitting.next(), fitting.next()) {
            (Some(one), None) => Some(one.to_owned()),
            (Some(_), Some(_)) => None,
            (None, _) => told.iter().find(|it| self.is_known(it)).cloned(),
        }
    }

    /// The directory in which a session of the client began, if its conversation is still there.
    pub(super) fn of_session(&self, name: &str) -> Option<PathBuf> {
        let is_name = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            return None;
        }
        let files = self.folders.iter().map(|it| it.join(format!("{name}.jsonl")));
        let file = files.into_iter().find(|it| it.is_file())?;
        self.ask(&file).filter(|it| self.is_known(it))
    }

    /// The only project whose directory has this name, as far as is known.
    pub(super) fn of_name(&self, name: &str) -> Option<PathBuf> {
        // What was done in a worktree has the name of both, and the project is the first one.
        let name = OsStr::new(name.split('/').next().filter(|it| !it.is_empty())?);
        let places = self.all().filter(|it| it.iter().any(|it| it == name));
        let roots = places.filter_map(|it| root_of(self.host, it));
        let roots: BTreeSet<_> = roots.filter(|it| it.file_name() == Some(name)).collect();
        let mut roots = roots.into_iter();
        match (roots.next(), roots.next()) {
            (Some(one), None) => Some(one),
            _ => None,
        }
    }

    /// Every directory that anything tells of.
    fn all(&self) -> impl Iterator<Item = &Path> {
        let told = self.told().values().flatten();
        told.chain(&self.known).map(PathBuf::as_path)
    }

    /// Whether a directory has a project: it is there, or the store knows where it belonged.
    fn is_known(&self, directory: &Path) -> bool {
        directory.is_dir() || self.known.iter().any(|it| it == directory)
    }

    fn told(&self) -> &HashMap<PathBuf, Vec<PathBuf>> {
        self.told.get_or_init(|| {
            let folders = self.folders.iter();
            folders.map(|it| (it.clone(), self.conversations(it))).collect()
        })
    }

    /// The directories in which the conversations of a folder began, each once.
    fn conversations(&self, folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<_> = entries.map(|it| it.path()).collect();
        files.retain(|it| it.extension() == Some(OsStr::new("jsonl")));
        files.sort();
        let mut told: Vec<PathBuf> = Vec::new();
        for directory in files.iter().take(ASKED).filter_map(|it| self.ask(it)) {
            if !told.contains(&directory) {
                told.push(directory);
            }
        }
        told
    }

    fn ask(&self, file: &Path) -> Option<PathBuf> {
        let file = transcript::open(self.host, file).ok()??;
        directory(&file).ok()?.map(PathBuf::from).filter(|it| it.is_absolute())
    }
}

/// The name of the folder that the client gives a directory.
fn encoded(directory: &Path) -> String {
    let dashed = |it: char| if it.is_ascii_alphanumeric() { it } else { '-' };
    directory.to_string_lossy().chars().map(dashed).collect()
}
