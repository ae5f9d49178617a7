//! Records of files. Nothing that is imported counts by itself, unless the user takes their own
//! back.

use std::path::{Path, PathBuf};

use windlass_core::Timestamp;
use windlass_core::memory::{Draft, Sheet, SheetFault};

use super::export::{MAX_FILE, files_in};
use super::record::{Record, RecordError};
use super::{MemoryError, Site, text};
use crate::plain::{self, Follow, PlainError};
use crate::store::Remembered;
use crate::ui;

/// Why a file or a record of it was not taken.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(transparent)]
    File(PlainError),
    #[error("it is not there")]
    Absent,
    #[error("it is not UTF-8")]
    NoText,
    #[error(transparent)]
    Sheet(SheetFault),
    #[error("it is not an array of records: {0}")]
    Json(serde_json::Error),
    #[error(transparent)]
    Record(RecordError),
}

/// Takes over what files hold.
pub(super) fn run(mut site: Site<'_>, paths: &[PathBuf], restore: bool) -> Result<(), MemoryError> {
    if restore {
        site.refuse_agents("take states over for an agent")?;
    }
    let (mut taken, mut known, mut failed) = (0, 0, 0);
    for path in paths {
        let files = files_in(path);
        let files = files.map_err(|source| MemoryError::Read { path: path.clone(), source })?;
        for file in files {
            let records = match read(&file) {
                Ok(records) => records,
                Err(why) => {
                    failed += 1;
                    complain(&file, &why);
                    continue;
                }
            };
            let mut memories = Vec::new();
            for record in records {
                let memory =
                    if restore { record.restored(site.now) } else { record.candidate(site.now) };
                match memory {
                    Ok(memory) => memories.push(memory),
                    Err(why) => {
                        failed += 1;
                        complain(&file, &Refused::Record(why));
                    }
                }
            }
            let (by, directory) = (site.by(), &site.directory);
            let adopted =
                site.store.adopt(&memories, by, restore, directory, site.now, &site.around)?;
            for done in adopted {
                match done {
                    Remembered::Created(_) => taken += 1,
                    Remembered::Updated { .. }
                    | Remembered::Nothing { .. }
                    | Remembered::Forgotten => known += 1,
                }
            }
        }
    }
    let what = if restore { "as they were" } else { "as candidates" };
    ui::say(&format!("Took {} {what}; {known} were known.", text::amount(taken)));
    if taken > 0 && !restore {
        ui::say("Next: `windlass candidates` lists them.");
    }
    match failed {
        0 => Ok(()),
        failed => Err(MemoryError::Part { failed, all: taken + known + failed }),
    }
}

/// What the records of a text say, with how sure they are and since when, where it is what `export`
/// wrote; or why one of them is not taken.
pub(in crate::cmd) fn own(text: &str) -> Option<Result<Vec<Own>, RecordError>> {
    let own = |it: &Record| {
        let (draft, confidence) = (it.content()?.draft(), it.confidence());
        Ok(Own { draft, confidence, at: it.made_at() })
    };
    Record::own(text).map(|all| all.iter().map(own).collect())
}

/// What a record of ours says.
#[derive(Debug)]
pub(in crate::cmd) struct Own {
    pub(in crate::cmd) draft: Draft,
    pub(in crate::cmd) confidence: Option<u8>,
    pub(in crate::cmd) at: Option<Timestamp>,
}

fn complain(file: &Path, why: &Refused) {
    ui::warn(&format!("{}: {why}", ui::path(file)));
}

fn read(path: &Path) -> Result<Vec<Record>, Refused> {
    let file = plain::read(path, Follow::Anywhere, MAX_FILE).map_err(Refused::File)?;
    let bytes = file.ok_or(Refused::Absent)?.bytes;
    let text = String::from_utf8(bytes).map_err(|_| Refused::NoText)?;
    match text.trim_start().chars().next() {
        Some('[') => return serde_json::from_str(&text).map_err(Refused::Json),
        // One record is as good as many.
        Some('{') => {
            return serde_json::from_str(&text).map(|it| vec![it]).map_err(Refused::Json);
        }
        _ => {}
    }
    let sheet = Sheet::read(&text).map_err(Refused::Sheet)?;
    Ok(vec![Record::of_sheet(sheet)])
}
