//! Changes one file while others may write it too.
//!
//! The client rewrites its settings whenever it likes, and takes no lock. So the text that we
//! displace is compared with the text that we edited; if they differ, the edit is done again on
//! what was displaced. A write of another program is never lost, and a reader never sees half a
//! file.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use super::InstallError;
use super::scan::scan;
use crate::stage::{self, Stage, StageError};

const ATTEMPTS: u32 = 200;
const PAUSE: Duration = Duration::from_millis(5);
/// How long a text that looks half-written must stay the same to be taken as it is.
const PATIENCE: u32 = 10;

/// Replaces the bytes of a file by what `edit` makes of them; `None` is no file.
pub(crate) fn update(
    path: &Path,
    edit: impl FnMut(Option<&[u8]>) -> Result<Option<Vec<u8>>, InstallError>,
) -> Result<(), InstallError> {
    update_by(Means::Exchange, path, edit, |_| {})
}

/// Proves that the file can be replaced, without a change.
pub(crate) fn probe(path: &Path) -> Result<(), InstallError> {
    stage(path, b"", metadata(path)?.as_ref()).map(drop)
}

/// Reads a file; one that seems half-written is given the time to become whole.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, InstallError> {
    let wrong = |source| InstallError::Read { path: path.to_owned(), source };
    let once = || match metadata(path)? {
        None => Ok(None),
        Some(it) if !it.is_file() => Err(wrong(io::Error::other("it is not a regular file"))),
        Some(_) => match fs::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(source) if source.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(wrong(source)),
        },
    };
    settle(once)
}

/// How two files change places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Means {
    /// In one step.
    Exchange,
    /// For file systems that cannot: compare, then rename.
    Rename,
}

/// When another program could come in between; tests do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    BeforeSwap,
    AfterSwap,
}

fn update_by(
    mut means: Means,
    path: &Path,
    mut edit: impl FnMut(Option<&[u8]>) -> Result<Option<Vec<u8>>, InstallError>,
    mut pass: impl FnMut(Moment),
) -> Result<(), InstallError> {
    sweep(path);
    let mut there = read(path)?;
    // The newest bytes that someone else wrote. They differ from what is `there` when our own
    // edit of something older displaced them; then they must go back, edited or as they are.
    let mut theirs = there.clone();
    let mut debt = Debt { stage: None, path };
    let mut failure = None;
    for attempt in 1.. {
        if attempt == ATTEMPTS {
            failure = failure.or(Some(InstallError::Busy { path: path.to_owned() }));
        }
        let wanted = match &failure {
            Some(_) => theirs.clone(),
            None => match edit(theirs.as_deref()) {
                Ok(wanted) => wanted,
                Err(error) => {
                    failure = Some(error);
                    theirs.clone()
                }
            },
        };
        if wanted == there {
            break;
        }
        let stage = stage(path, wanted.as_deref().unwrap_or_default(), metadata(path)?.as_ref())?;
        let now = read(path)?;
        if now != there {
            theirs.clone_from(&now);
            there = now;
            debt.stage = None;
            continue;
        }
        pass(Moment::BeforeSwap);
        let step = swap(&mut means, &stage, path, there.as_deref(), wanted.is_some());
        pass(Moment::AfterSwap);
        let wrong = |source| InstallError::Write { path: path.to_owned(), source };
        let Step::Done(displaced) = step.map_err(wrong)? else {
            sleep(PAUSE);
            continue;
        };
        let displaced = displaced.map(last_words).transpose().map_err(wrong)?;
        let expected = std::mem::replace(&mut there, wanted);
        if displaced == expected {
            break;
        }
        theirs = displaced;
        debt.stage = Some(stage);
    }
    debt.stage = None;
    failure.map_or(Ok(()), Err)
}

/// Bytes of someone else that we displaced and did not put back yet.
struct Debt<'p> {
    stage: Option<Stage>,
    path: &'p Path,
}

impl Drop for Debt<'_> {
    fn drop(&mut self) {
        if let Some(stage) = self.stage.take() {
            #[expect(clippy::let_underscore_must_use, reason = "another error is being told")]
            let _ = stage.put(self.path);
        }
    }
}

enum Step {
    /// Something else is there by now.
    Refused,
    /// What was there before.
    Done(Option<File>),
}

fn swap(
    means: &mut Means,
    stage: &Stage,
    path: &Path,
    there: Option<&[u8]>,
    stays: bool,
) -> io::Result<Step> {
    let displaced = match (there, stays) {
        (None, _) => match rename(stage.path(), path, RenameFlags::NOREPLACE) {
            Err(Errno::EXIST) => return Ok(Step::Refused),
            Err(error) if is_unsupported(error) => {
                if path.exists() {
                    return Ok(Step::Refused);
                }
                fs::rename(stage.path(), path)?;
                None
            }
            other => {
                other?;
                None
            }
        },
        (Some(_), true) => {
            if *means == Means::Exchange {
                match rename(stage.path(), path, RenameFlags::EXCHANGE) {
                    Err(Errno::NOENT) => return Ok(Step::Refused),
                    Err(error) if is_unsupported(error) => *means = Means::Rename,
                    other => other?,
                }
            }
            Some(match *means {
                Means::Exchange => File::open(stage.path())?,
                Means::Rename => {
                    let displaced = File::open(path)?;
                    fs::rename(stage.path(), path)?;
                    displaced
                }
            })
        }
        (Some(_), false) => {
            fs::rename(path, stage.path())?;
            Some(File::open(stage.path())?)
        }
    };
    stage::sync_directory(path);
    Ok(Step::Done(displaced))
}

fn rename(from: &Path, to: &Path, flags: RenameFlags) -> rustix::io::Result<()> {
    renameat_with(CWD, from, CWD, to, flags)
}

fn is_unsupported(error: Errno) -> bool {
    [Errno::INVAL, Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP].contains(&error)
}

// A program that opened the file before it was displaced still writes into it.
fn last_words(mut file: File) -> io::Result<Vec<u8>> {
    let mut once = || -> io::Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        file.read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    };
    let mut bytes = settle(&mut once)?;
    for _ in 0..ATTEMPTS {
        // Opening and writing are two steps for the other side.
        sleep(4 * PAUSE);
        let again = settle(&mut once)?;
        let is_quiet = again == bytes;
        bytes = again;
        if is_quiet {
            break;
        }
    }
    Ok(bytes.unwrap_or_default())
}

/// Reads until the text is whole, or broken for good.
fn settle<E>(mut once: impl FnMut() -> Result<Option<Vec<u8>>, E>) -> Result<Option<Vec<u8>>, E> {
    let mut bytes = once()?;
    let mut same = 0;
    while same < PATIENCE && bytes.as_deref().is_some_and(|it| !is_whole(it)) {
        sleep(PAUSE);
        let again = once()?;
        same = if again == bytes { same + 1 } else { 0 };
        bytes = again;
    }
    Ok(bytes)
}

fn is_whole(bytes: &[u8]) -> bool {
    let document = str::from_utf8(bytes).ok().and_then(|it| scan(it).ok());
    document.is_some_and(|it| it.root.is_some())
}

fn stage(path: &Path, bytes: &[u8], like: Option<&Metadata>) -> Result<Stage, InstallError> {
    Stage::like(path, bytes, like).map_err(|error| match error {
        StageError::Write(source) => InstallError::Write { path: path.to_owned(), source },
        StageError::Owner(source) => InstallError::Owner { path: path.to_owned(), source },
    })
}

fn metadata(path: &Path) -> Result<Option<Metadata>, InstallError> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(source) if source.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(InstallError::Read { path: path.to_owned(), source }),
    }
}

/// Removes what a run that was killed left beside the file.
fn sweep(target: &Path) {
    let Some(entries) = target.parent().and_then(|it| fs::read_dir(it).ok()) else { return };
    let family = stage::family(target);
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|it| it.starts_with(&family));
        if is_ours && stage::is_abandoned(&name) {
            #[expect(clippy::let_underscore_must_use, reason = "the next run tries again")]
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    use super::*;

    struct Place {
        dir: tempfile::TempDir,
    }

    impl Place {
        fn with(text: &str) -> Self {
            let place = Self { dir: tempfile::tempdir().unwrap() };
            fs::write(place.path(), text).unwrap();
            place
        }

        fn path(&self) -> PathBuf {
            self.dir.path().join("settings.json")
        }

        fn text(&self) -> String {
            fs::read_to_string(self.path()).unwrap()
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(self.dir.path()).unwrap();
            entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect()
        }
    }

    fn mark(old: Option<&[u8]>) -> Vec<u8> {
        let old = str::from_utf8(old.unwrap()).unwrap();
        old.replace('}', ", \"ours\": 1}").into_bytes()
    }

    #[test]
    fn both_means_replace_the_bytes_and_keep_the_mode() {
        for means in [Means::Exchange, Means::Rename] {
            let place = Place::with("{\"a\": 1}");
            fs::set_permissions(place.path(), fs::Permissions::from_mode(0o640)).unwrap();
            update_by(means, &place.path(), |old| Ok(Some(mark(old))), |_| {}).unwrap();
            assert_eq!(place.text(), "{\"a\": 1, \"ours\": 1}");
            assert_eq!(fs::metadata(place.path()).unwrap().permissions().mode() & 0o777, 0o640);
            assert_eq!(place.names(), ["settings.json"]);
        }
    }

    /// Runs an update during which others write once, at one moment.
    fn disturbed(place: &Place, at: Moment, mut write: impl FnMut()) -> Result<(), InstallError> {
        let mut is_done = false;
        let edit = |old: Option<&[u8]>| {
            let is_broken = old.is_some_and(|it| !is_whole(it));
            if is_broken { Err(InstallError::Home) } else { Ok(Some(mark(old))) }
        };
        update_by(Means::Exchange, &place.path(), edit, |moment| {
            if moment == at && !is_done {
                write();
                is_done = true;
            }
        })
    }

    #[test]
    fn a_file_that_was_replaced_just_before_ours_is_edited_too() {
        let place = Place::with("{\"a\": 1}");
        let theirs = place.dir.path().join("theirs");
        fs::write(&theirs, "{\"a\": 2}").unwrap();
        let replace = || fs::rename(&theirs, place.path()).unwrap();
        disturbed(&place, Moment::BeforeSwap, replace).unwrap();
        assert_eq!(place.text(), "{\"a\": 2, \"ours\": 1}");
        assert_eq!(place.names(), ["settings.json"]);
    }

    #[test]
    fn a_write_into_the_file_just_before_the_swap_is_edited_too() {
        let place = Place::with("{\"a\": 1}");
        let write = || fs::write(place.path(), "{\"a\": 2}").unwrap();
        disturbed(&place, Moment::BeforeSwap, write).unwrap();
        assert_eq!(place.text(), "{\"a\": 2, \"ours\": 1}");
    }

    #[test]
    fn a_write_into_the_displaced_file_is_edited_too() {
        let place = Place::with("{\"a\": 1}");
        let mut theirs = OpenOptions::new().write(true).open(place.path()).unwrap();
        let write = || theirs.write_all(b"{\"a\": 2}").unwrap();
        disturbed(&place, Moment::AfterSwap, write).unwrap();
        assert_eq!(place.text(), "{\"a\": 2, \"ours\": 1}");
    }

    #[test]
    fn a_write_after_the_swap_is_the_last_word() {
        let place = Place::with("{\"a\": 1}");
        let write = || fs::write(place.path(), "{\"a\": 2}").unwrap();
        disturbed(&place, Moment::AfterSwap, write).unwrap();
        assert_eq!(place.text(), "{\"a\": 2}");
    }

    #[test]
    fn bytes_that_cannot_be_edited_go_back_where_they_were() {
        let place = Place::with("{\"a\": 1}");
        let write = || fs::write(place.path(), "{\"a\": ").unwrap();
        let result = disturbed(&place, Moment::BeforeSwap, write);
        assert!(matches!(result, Err(InstallError::Home)), "{result:?}");
        assert_eq!((place.text().as_str(), place.names().len()), ("{\"a\": ", 1));
    }

    #[test]
    fn a_file_that_changes_while_it_is_removed_comes_back() {
        let place = Place::with("{}");
        let mut theirs = OpenOptions::new().write(true).open(place.path()).unwrap();
        let mut calls = 0;
        let edit = |old: Option<&[u8]>| {
            calls += 1;
            Ok(old.filter(|_| calls > 1).map(<[u8]>::to_vec))
        };
        let write = |moment| {
            if moment == Moment::AfterSwap && theirs.metadata().unwrap().len() == 2 {
                theirs.write_all(b"{\"a\": 2}").unwrap();
            }
        };
        update_by(Means::Exchange, &place.path(), edit, write).unwrap();
        assert_eq!((place.text().as_str(), place.names().len()), ("{\"a\": 2}", 1));
    }

    #[test]
    fn a_file_that_appears_in_between_is_edited_and_not_replaced() {
        let place = Place::with("");
        fs::remove_file(place.path()).unwrap();
        update(&place.path(), |old| {
            if old.is_none() {
                fs::write(place.path(), "{\"a\": 1}").unwrap();
                return Ok(Some(b"{}".to_vec()));
            }
            Ok(Some(mark(old)))
        })
        .unwrap();
        assert_eq!(place.text(), "{\"a\": 1, \"ours\": 1}");
    }

    #[test]
    fn a_file_is_removed_only_as_it_was_seen() {
        let place = Place::with("{}");
        let mut calls = 0;
        update(&place.path(), |old| {
            calls += 1;
            if calls == 1 {
                fs::write(place.path(), "{\"a\": 1}").unwrap();
                return Ok(None);
            }
            Ok(old.map(<[u8]>::to_vec))
        })
        .unwrap();
        assert_eq!(place.text(), "{\"a\": 1}");
        update(&place.path(), |_| Ok(None)).unwrap();
        assert_eq!(place.names(), [""; 0]);
    }

    #[test]
    fn the_last_write_of_others_is_there_whenever_it_comes() {
        for round in 0..40 {
            let place = Place::with("{\"n\": 0}");
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    for n in 1..=8_u32 {
                        // Each round meets the update at other moments.
                        (0..round * 500 * n)
                            .for_each(|it| assert!(std::hint::black_box(it) < u32::MAX));
                        let text = format!("{{\"n\": {n}}}");
                        if (round + n) % 2 == 0 {
                            fs::write(place.path(), text).unwrap();
                        } else {
                            let temporary = place.dir.path().join("client.tmp");
                            fs::write(&temporary, text).unwrap();
                            fs::rename(temporary, place.path()).unwrap();
                        }
                    }
                });
                update(&place.path(), |old| Ok(Some(mark(old)))).unwrap();
            });
            assert!(place.text().starts_with("{\"n\": 8"), "round {round}: {}", place.text());
            assert_eq!(place.names(), ["settings.json"]);
        }
    }

    #[test]
    fn gives_up_on_a_file_that_never_rests() {
        let place = Place::with("{\"a\": 0}");
        let mut calls = 0;
        let result = update(&place.path(), |old| {
            calls += 1;
            fs::write(place.path(), format!("{{\"a\": {calls}}}")).unwrap();
            Ok(Some(mark(old)))
        });
        assert!(matches!(result, Err(InstallError::Busy { .. })), "{result:?}");
        assert_eq!(place.text(), format!("{{\"a\": {calls}}}"));
        assert_eq!(place.names(), ["settings.json"]);
    }

    #[test]
    fn an_edit_that_fails_changes_nothing() {
        let place = Place::with("{\"a\": 1}");
        let result = update(&place.path(), |_| Err(InstallError::Home));
        assert!(matches!(result, Err(InstallError::Home)));
        assert_eq!((place.text().as_str(), place.names().len()), ("{\"a\": 1}", 1));
    }

    #[test]
    fn what_was_displaced_goes_back_if_the_run_ends_early() {
        let place = Place::with("{\"ours\": 1}");
        let stage = stage(&place.path(), b"{\"theirs\": 1}", None).unwrap();
        let path = place.path();
        drop(Debt { stage: Some(stage), path: &path });
        assert_eq!((place.text().as_str(), place.names().len()), ("{\"theirs\": 1}", 1));
    }

    #[test]
    fn leftovers_of_dead_runs_are_swept() {
        let place = Place::with("{}");
        // Above the largest process id that Linux gives.
        fs::write(place.dir.path().join(".settings.json.windlass-99999999-0"), "{}").unwrap();
        fs::write(place.dir.path().join(".settings.json.windlass-notes"), "").unwrap();
        update(&place.path(), |old| Ok(old.map(<[u8]>::to_vec))).unwrap();
        let mut names = place.names();
        names.sort();
        assert_eq!(names, [".settings.json.windlass-notes", "settings.json"]);
    }

    #[test]
    fn a_socket_is_refused_and_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let socket = dir.path().join("settings.json");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert!(matches!(read(&socket), Err(InstallError::Read { .. })));
    }
}
