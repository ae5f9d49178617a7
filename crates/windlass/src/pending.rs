//! What nobody settled in a session, as a file that its agent can read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;
use windlass_core::SessionId;
use windlass_core::memory::Memory;
use xxhash_rust::xxh64::xxh64;

use crate::{redact, stage, time};

const VERSION: u32 = 1;

const CONFIDENCE: &str =
    "how sure the detector was, in per cent; an ask says it as a score from 0 to 1";

/// Characters of a title that are left in a key.
const MAX_SLUG: usize = 48;

/// Where the files are.
pub(crate) fn directory(data_dir: &Path) -> PathBuf {
    data_dir.join("pending")
}

/// The file of a session; its id comes from outside and is no path component.
pub(crate) fn path(data_dir: &Path, session: &SessionId) -> PathBuf {
    let name = format!("{:016x}.json", xxh64(session.as_str().as_bytes(), 0));
    directory(data_dir).join(name)
}

#[derive(Debug, Serialize)]
struct File<'a> {
    version: u32,
    session: String,
    /// What the number of each is.
    confidence_is: &'static str,
    pending: Vec<Entry<'a>>,
}

#[derive(Debug, Serialize)]
struct Entry<'a> {
    id: &'a str,
    /// What it could be called in a knowledge base.
    key: String,
    category: &'static str,
    text: &'a str,
    confidence: Option<u8>,
    /// What spoke for it.
    why: &'a [String],
    at: String,
    files: &'a [String],
    keep: String,
    reject: String,
}

impl<'a> Entry<'a> {
    fn of(memory: &'a Memory) -> Self {
        let Memory { id, content, origin, confidence, made_at, .. } = memory;
        let id = id.as_str();
        let category = content.category.word();
        Self {
            id,
            key: format!("kb:{}:{}", &category[..3], slug(&content.title)),
            category,
            text: if content.text.is_empty() { &content.title } else { &content.text },
            confidence: *confidence,
            why: &origin.why,
            at: time::utc(*made_at),
            files: &content.files,
            keep: format!("windlass remember --candidate {id}"),
            reject: format!("windlass candidates reject {id}"),
        }
    }
}

/// A title as a part of a key.
fn slug(title: &str) -> String {
    let mut slug = String::new();
    for word in title.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()) {
        if slug.len() + word.len() > MAX_SLUG {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(&word.to_lowercase());
    }
    slug
}

/// Writes what nobody settled in a session. It is what the store has, so it has no secrets, and
/// the disk need not be waited for: the next ask writes it again.
pub(crate) fn write(data_dir: &Path, session: &SessionId, unsettled: &[Memory]) -> io::Result<()> {
    let file = File {
        version: VERSION,
        session: redact::session(session).to_string(),
        confidence_is: CONFIDENCE,
        pending: unsettled.iter().map(Entry::of).collect(),
    };
    let bytes = serde_json::to_vec_pretty(&file).map_err(io::Error::other)?;
    stage::make_private_directory(&directory(data_dir))?;
    stage::replace_unsynced(&path(data_dir, session), &bytes)
}

/// Lets the files say what is so by now: `unsettled` finds what nobody settled by its id. What is
/// settled is taken out; a file that has nothing left goes, and so does what is none. Whoever
/// writes one holds the store as well, so nobody comes between.
pub(crate) fn renew(
    data_dir: &Path,
    mut unsettled: impl FnMut(&str) -> Option<Memory>,
) -> io::Result<()> {
    let entries = match fs::read_dir(directory(data_dir)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        let file = fs::read(&path).ok();
        let file = file.and_then(|it| serde_json::from_slice::<Value>(&it).ok());
        let Some(mut file) = file.filter(|_| path.extension().is_some_and(|it| it == "json"))
        else {
            // A process was killed while it wrote this.
            fs::remove_file(&path)?;
            continue;
        };
        let Some(pending) = file.get_mut("pending").and_then(Value::as_array_mut) else {
            fs::remove_file(&path)?;
            continue;
        };
        let mut now = Vec::new();
        for id in pending.iter().filter_map(|it| it.get("id")?.as_str()) {
            if let Some(memory) = unsettled(id) {
                now.push(serde_json::to_value(Entry::of(&memory)).map_err(io::Error::other)?);
            }
        }
        if now.is_empty() {
            fs::remove_file(&path)?;
        } else if *pending != now {
            *pending = now;
            let bytes = serde_json::to_vec_pretty(&file).map_err(io::Error::other)?;
            stage::replace(&path, &bytes)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn a_title_becomes_a_key_of_whole_words() {
        assert_eq!(
            slug("The cache key: it leaves out `tenant`!"),
            "the-cache-key-it-leaves-out-tenant"
        );
        assert_eq!(slug("…"), "");
        assert!(slug(&"word ".repeat(50)).len() <= 50);
    }
}
