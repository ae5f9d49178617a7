//! An approval on disk: one file for each place.
//!
//! It holds the approved texts, so that people can be shown what changed since.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use windlass_core::Timestamp;

use super::content::{Content, Piece, name_of};
use super::{State, TrustError};
use crate::plain::{self, Follow};
use crate::{ownership, stage};

const VERSION: u32 = 1;
/// A text that is longer is known by its digest only.
const MAX_TEXT: usize = 64 << 10;
const MAX_RECORD: u64 = 64 << 20;

/// What was approved.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Approval {
    version: u32,
    /// For people who look into the file.
    place: String,
    pub(crate) hash: String,
    /// Milliseconds since 1970.
    at: i64,
    pub(crate) files: Vec<Kept>,
}

/// A file as it was approved.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) name: String,
    pub(crate) leads_to: Option<String>,
    pub(crate) executable: bool,
    pub(crate) digest: String,
    pub(crate) text: Option<String>,
}

/// Whether anything was approved for a place.
pub(crate) fn is_recorded(data: &Path, place: &Path) -> bool {
    fs::symlink_metadata(path(data, place)).is_ok()
}

/// What the approval for a place says about some content.
pub(crate) fn state(data: &Path, place: &Path, content: &Content) -> Result<State, TrustError> {
    Ok(match read(&path(data, place))? {
        None => State::Never,
        Some(approval) if approval.hash == content.hash => State::Trusted,
        Some(approval) => State::Changed(approval),
    })
}

/// Keeps the user's word.
pub(crate) fn approve(
    data: &Path,
    place: &Path,
    content: &Content,
    at: Timestamp,
) -> Result<(), TrustError> {
    let path = path(data, place);
    let approval = Approval {
        version: VERSION,
        place: place.to_string_lossy().into_owned(),
        hash: content.hash.clone(),
        at: at.0,
        files: content.pieces.iter().map(Kept::of).collect(),
    };
    let write = || -> io::Result<()> {
        stage::make_private_directory(path.parent().unwrap_or(data))?;
        let mut bytes = serde_json::to_vec_pretty(&approval)?;
        bytes.push(b'\n');
        stage::replace(&path, &bytes)
    };
    write().map_err(|source| TrustError::Write { path: path.clone(), source })
}

/// Takes the user's word back, and says whether there was one.
pub(crate) fn revoke(data: &Path, place: &Path) -> Result<bool, TrustError> {
    let path = path(data, place);
    match fs::remove_file(&path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(TrustError::Write { path, source }),
    }
}

fn path(data: &Path, place: &Path) -> PathBuf {
    data.join("trust").join(format!("{}.json", name_of(place)))
}

fn read(path: &Path) -> Result<Option<Approval>, TrustError> {
    let wrong = |source| TrustError::Read { path: path.to_owned(), source };
    let Some(file) = plain::read(path, Follow::Never, MAX_RECORD).map_err(wrong)? else {
        return Ok(None);
    };
    ownership::check(path, &file.metadata).map_err(TrustError::Forged)?;
    let approval: Option<Approval> = serde_json::from_slice(&file.bytes).ok();
    let approval = approval.filter(|it| it.version == VERSION);
    approval.map(Some).ok_or_else(|| TrustError::Broken { path: path.to_owned() })
}

impl Kept {
    fn of(piece: &Piece) -> Self {
        Self {
            name: piece.name.clone(),
            leads_to: piece.leads_to(),
            executable: piece.executable,
            digest: piece.digest(),
            text: piece.text().filter(|it| it.len() <= MAX_TEXT).map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    use super::*;

    struct World {
        dir: tempfile::TempDir,
    }

    impl World {
        fn new() -> Self {
            let world = Self { dir: tempfile::tempdir().unwrap() };
            fs::create_dir(world.root()).unwrap();
            approve(&world.data(), &world.root(), &world.content("a"), Timestamp(1)).unwrap();
            world
        }

        fn root(&self) -> PathBuf {
            self.dir.path().join("p")
        }

        fn data(&self) -> PathBuf {
            self.dir.path().join("data")
        }

        fn file(&self) -> PathBuf {
            path(&self.data(), &self.root())
        }

        fn content(&self, text: &str) -> Content {
            Content::read(&self.root(), &self.root(), "f", text.as_bytes(), &[]).unwrap()
        }

        fn state(&self, text: &str) -> Result<State, TrustError> {
            state(&self.data(), &self.root(), &self.content(text))
        }
    }

    #[test]
    fn a_word_is_for_bytes() {
        let world = World::new();
        assert!(matches!(world.state("a"), Ok(State::Trusted)));
        let Ok(State::Changed(approval)) = world.state("b") else { panic!("it changed") };
        assert_eq!(approval.files[0].text.as_deref(), Some("a"));
        assert!(revoke(&world.data(), &world.root()).unwrap());
        assert!(matches!(world.state("a"), Ok(State::Never)));
        assert!(!revoke(&world.data(), &world.root()).unwrap());
    }

    #[test]
    fn it_is_private() {
        let world = World::new();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&world.file()), mode(&world.data().join("trust"))), (0o600, 0o700));
    }

    #[test]
    fn an_approval_that_others_could_have_written_does_not_count() {
        let world = World::new();
        fs::set_permissions(world.file(), fs::Permissions::from_mode(0o602)).unwrap();
        assert!(matches!(world.state("a"), Err(TrustError::Forged(_))));
        fs::set_permissions(world.file(), fs::Permissions::from_mode(0o600)).unwrap();
        let trust = world.data().join("trust");
        fs::set_permissions(&trust, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(matches!(world.state("a"), Err(TrustError::Forged(_))));
        fs::set_permissions(&trust, fs::Permissions::from_mode(0o700)).unwrap();
        assert!(matches!(world.state("a"), Ok(State::Trusted)));
        if chown(world.file(), Some(65_533), None).is_ok() {
            assert!(matches!(world.state("a"), Err(TrustError::Forged(_))));
        }
    }

    #[test]
    fn a_link_or_half_an_approval_is_none() {
        let world = World::new();
        let whole = fs::read(world.file()).unwrap();
        for length in 0..whole.len() - 1 {
            fs::write(world.file(), &whole[..length]).unwrap();
            assert!(matches!(world.state("a"), Err(TrustError::Broken { .. })), "{length}");
        }
        let elsewhere = world.dir.path().join("elsewhere.json");
        fs::write(&elsewhere, &whole).unwrap();
        fs::remove_file(world.file()).unwrap();
        symlink(&elsewhere, world.file()).unwrap();
        assert!(matches!(world.state("a"), Err(TrustError::Read { .. })));
    }

    #[test]
    fn a_binary_or_a_long_text_is_kept_as_a_digest() {
        let world = World::new();
        let long = "x".repeat(MAX_TEXT + 1);
        for text in ["\0", &long] {
            let kept = Kept::of(&world.content(text).pieces[0]);
            assert_eq!((kept.text, kept.digest.len()), (None, 64));
        }
    }
}
