//! Memories as files. Where they were written is kept, so that they can be forgotten there too.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use windlass_core::memory::{MemoryId, Sheet};

use super::record::Record;
use super::{MemoryError, Site};
use crate::cli::{Export, ExportFormat};
use crate::plain::{self, Follow};
use crate::store::Listed;
use crate::{redact, stage, ui};

/// Bytes of a file that are read.
pub(super) const MAX_FILE: u64 = 64 << 20;

/// Writes memories.
pub(super) fn run(site: &mut Site<'_>, asked: &Export) -> Result<(), MemoryError> {
    let found = if asked.ids.is_empty() {
        site.chosen(&asked.chosen, None)?
    } else {
        let mut found = asked.ids.iter().map(|it| site.one(it)).collect::<Result<Vec<_>, _>>()?;
        site.store.link(&mut found)?;
        found
    };
    // Of those that were rejected there is nothing to write.
    let found: Vec<_> =
        found.into_iter().filter(|it| !it.memory.content.title.is_empty()).collect();
    let Some(to) = &asked.to else {
        match asked.format {
            ExportFormat::Json => ui::json(&found.iter().map(Record::of).collect::<Vec<_>>()),
            ExportFormat::Markdown => {
                for listed in &found {
                    ui::show(&ui::paragraph(&Record::of(listed).markdown(), ""));
                }
            }
        }
        return Ok(());
    };
    let to = site.directory.join(to);
    // It is kept where they were written, and a name without its secret would be another one.
    let name = to.to_str().filter(|it| !redact::sees_secret(it)).ok_or(MemoryError::SecretPlace)?;
    let files = match asked.format {
        ExportFormat::Json => {
            found.iter().map(|it| (it.memory.id.clone(), name.to_owned())).collect()
        }
        ExportFormat::Markdown => {
            let file = |it: &Listed| format!("{name}/{}.md", it.memory.id);
            found.iter().map(|it| (it.memory.id.clone(), file(it))).collect::<Vec<_>>()
        }
    };
    // First it is kept where they will be: a process that is killed leaves no file unknown.
    refuse_others(&files, asked.format)?;
    site.store.exported(&files, site.deed(None))?;
    match asked.format {
        ExportFormat::Json => write_json(&to, &found)?,
        ExportFormat::Markdown => {
            fs::create_dir_all(&to).map_err(failed(&to))?;
            for ((_, file), listed) in files.iter().zip(&found) {
                let file = Path::new(file);
                let text = Record::of(listed).markdown();
                stage::replace(file, text.as_bytes()).map_err(failed(file))?;
            }
        }
    }
    ui::say(&format!("Wrote {} to {}.", super::text::amount(found.len()), ui::path(&to)));
    Ok(())
}

fn write_json(to: &Path, found: &[Listed]) -> Result<(), MemoryError> {
    let records: Vec<_> = found.iter().map(Record::of).collect();
    let text = serde_json::to_string_pretty(&records).unwrap_or_default() + "\n";
    if let Some(directory) = to.parent() {
        fs::create_dir_all(directory).map_err(failed(directory))?;
    }
    stage::replace(to, text.as_bytes()).map_err(failed(to))
}

fn failed(path: &Path) -> impl Fn(io::Error) -> MemoryError {
    let path = path.to_owned();
    move |source| MemoryError::Write { path: path.clone(), source }
}

/// Whoever mistypes a name loses nothing by it.
fn refuse_others(files: &[(MemoryId, String)], format: ExportFormat) -> Result<(), MemoryError> {
    for (id, file) in files {
        let path = Path::new(file);
        let found = match format {
            ExportFormat::Markdown => {
                read_sheet(path).map(|it| it.id.as_deref() == Some(id.as_str()))
            }
            ExportFormat::Json => read_array(path).map(|_| true),
        };
        if fs::symlink_metadata(path).is_ok() && found != Some(true) {
            return Err(MemoryError::Taken { path: path.to_owned() });
        }
    }
    Ok(())
}

fn read_sheet(path: &Path) -> Option<Record> {
    Sheet::read(&text(path)?).ok().map(Record::of_sheet)
}

fn read_array(path: &Path) -> Option<Vec<Record>> {
    serde_json::from_str(&text(path)?).ok()
}

fn text(path: &Path) -> Option<String> {
    let file = plain::read(path, Follow::Never, MAX_FILE).ok()??;
    String::from_utf8(file.bytes).ok()
}

/// What became of a file that memories were written to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It holds none of them.
    Gone,
    /// It is not there any more.
    Missing,
    /// It was deleted.
    Deleted,
    /// It was written without them.
    Rewritten,
    /// It may hold them, and is not what we wrote.
    Other,
}

/// Takes memories out of a file that they were written to.
pub(super) fn forget(path: &Path, ids: &[MemoryId]) -> io::Result<Fate> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(Fate::Missing);
    }
    let is_meant = |it: &Record| ids.iter().any(|id| it.id.as_deref() == Some(id.as_str()));
    if let Some(record) = read_sheet(path) {
        if !is_meant(&record) {
            return Ok(Fate::Gone);
        }
        fs::remove_file(path)?;
        return Ok(Fate::Deleted);
    }
    let Some(mut records) = read_array(path) else { return Ok(Fate::Other) };
    let before = records.len();
    records.retain(|it| !is_meant(it));
    if records.len() == before {
        return Ok(Fate::Gone);
    }
    if records.is_empty() {
        fs::remove_file(path)?;
        return Ok(Fate::Deleted);
    }
    let text = serde_json::to_string_pretty(&records).unwrap_or_default() + "\n";
    stage::replace(path, text.as_bytes())?;
    Ok(Fate::Rewritten)
}

/// The files in a place that may be records.
pub(super) fn files_in(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !fs::metadata(path)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let file = entry?.path();
        if file.extension().is_some_and(|it| it == "md" || it == "json") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}
