//! The copy of the program at a place that upgrades and build directories do not move.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh64::Xxh64;

use super::InstallError;
use crate::stage::{self, Stage};

/// Below the home directory.
const STABLE: &str = ".local/bin/windlass";
const MODE: u32 = 0o755;

/// Where the hooks find the program.
pub(crate) fn stable_path(home: &Path) -> PathBuf {
    home.join(STABLE)
}

/// Whether one file has the bytes of another.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    compare(one, other).unwrap_or(false)
}

/// What tells the bytes of a program from those of another; no protection against somebody who
/// wants two to look alike.
pub(crate) fn checksum(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut sum = Xxh64::new(0);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(format!("{:016x}", sum.digest())),
            length => sum.update(&buffer[..length]),
        }
    }
}

/// Copies a program, whole or not at all, and says which directories were made.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<Vec<PathBuf>, InstallError> {
    let wrong = |source| InstallError::Copy { path: to.to_owned(), source };
    let directories = stage::make_directory(to.parent().unwrap_or(to)).map_err(wrong)?;
    let copy = || -> io::Result<()> {
        let mut source = File::open(from)?;
        let stage = Stage::write(to, |file| io::copy(&mut source, file).map(drop), MODE)?;
        stage.put(to)
    };
    copy().map(|()| directories.clone()).map_err(|source| {
        stage::remove_directories(&directories);
        wrong(source)
    })
}

/// Removes the copy and the directories that were made for it.
pub(crate) fn remove(path: &Path, directories: &[PathBuf]) -> Result<(), InstallError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            return Err(InstallError::Remove { path: path.to_owned(), source });
        }
        _ => stage::remove_directories(directories),
    }
    Ok(())
}

fn compare(one: &Path, other: &Path) -> io::Result<bool> {
    if fs::canonicalize(one)? == fs::canonicalize(other)? {
        return Ok(true);
    }
    if fs::metadata(one)?.len() != fs::metadata(other)?.len() {
        return Ok(false);
    }
    let open = |path| io::Result::Ok(BufReader::with_capacity(1 << 16, File::open(path)?));
    let (mut one, mut other) = (open(one)?, open(other)?);
    let (mut left, mut right) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let length = one.read(&mut left)?;
        if length == 0 {
            return Ok(true);
        }
        other.read_exact(&mut right[..length])?;
        if left[..length] != right[..length] {
            return Ok(false);
        }
    }
}
