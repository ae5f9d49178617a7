//! Records of files. Nothing that is imported counts by itself, unless the user takes their own
//! back.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use windlass_core::Timestamp;
use windlass_core::memory::{Draft, Sheet, SheetFault};

use super::export::{MAX_FILE, files_in};
use super::record::{Record, RecordError};
use super::{MemoryError, Site, text};
use crate::plain::{self, Follow, PlainError};
use crate::store::{Taken, Taking, Written};
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
pub(super) fn run(
    mut site: Site<'_>,
    paths: &[PathBuf],
    taking: Taking,
) -> Result<(), MemoryError> {
    let is_own = taking != Taking::Candidates;
    if is_own {
        site.refuse_agents("take states over")?;
    }
    let (mut all, mut failed) = (Vec::new(), 0);
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
            let mut written = Vec::new();
            for record in records {
                let memory =
                    if is_own { record.restored(site.now) } else { record.candidate(site.now) };
                match memory {
                    Ok(memory) => written.push(Written { memory, project: record.project }),
                    Err(why) => {
                        failed += 1;
                        complain(&file, &Refused::Record(why));
                    }
                }
            }
            let (by, directory) = (site.by(), &site.directory);
            let taken = site.store.adopt(&written, by, taking, directory, site.now, &site.around);
            all.extend(taken?);
        }
    }
    tell(&all, taking);
    match failed {
        0 => Ok(()),
        failed => Err(MemoryError::Part { failed, all: all.len() + failed }),
    }
}

/// Says what was taken, and how to get the rest.
fn tell(all: &[Taken], taking: Taking) {
    let count = |what: &Taken| all.iter().filter(|it| *it == what).count();
    let (here, there, known) = (count(&Taken::Here), count(&Taken::There), count(&Taken::Known));
    let what = match (taking, here + there) {
        (Taking::Candidates, 1) => "as a candidate",
        (Taking::Candidates, _) => "as candidates",
        (Taking::Own | Taking::Here, 1) => "as it was",
        (Taking::Own | Taking::Here, _) => "as they were",
    };
    let others = match there {
        0 => String::new(),
        there => format!(", {there} of them in other projects"),
    };
    let taken = text::amount(here + there);
    ui::say(&format!("Took {taken} {what}{others}; {known} known or forgotten."));
    let left = all.iter().filter_map(|it| match it {
        Taken::Elsewhere(name) => Some(ui::line(name, 64)),
        Taken::Here | Taken::There | Taken::Known => None,
    });
    let left: Vec<_> = left.collect();
    if !left.is_empty() {
        let names: Vec<_> = BTreeSet::from_iter(&left).into_iter().map(String::as_str).collect();
        ui::say(&format!(
            "Left out {} of projects that are not known here, or whose name several have: {}. \
             Next: run it in each of these, or with `--here` to take all into this project.",
            text::amount(left.len()),
            names.join(", ")
        ));
    }
    if taking == Taking::Candidates && here > 0 {
        ui::say("Next: `windlass candidates` lists them.");
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
