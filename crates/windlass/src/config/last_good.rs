//! The last settings that could be read as a whole, kept beside the store.
//!
//! Where a settings file is broken, or says something that does not count, what protects the user
//! stays in force from there: what keeps words from being stored, and what keeps windlass quiet.
//! Nothing else is taken from a copy, and a copy holds no words of the user's own: a command in the
//! settings may hold a secret.

use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use windlass_core::Policy;
use xxhash_rust::xxh64::xxh64;

use super::key::{Key, Rule, Value};
use super::parse::{Setting, parse};
use super::{MAX_FILE, Origin};
use crate::Host;
use crate::plain::{self, Follow};
use crate::stage;

/// Bytes of the mark of what was told.
const MAX_TOLD: u64 = 64;

/// A settings file that was read as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GoodCopy {
    name: String,
    text: String,
    /// What stays in force from the copy before, as lines.
    carried: String,
    changed_at: Option<SystemTime>,
}

impl GoodCopy {
    pub(super) fn new(file: &Path, origin: Origin, text: &str, metadata: &fs::Metadata) -> Self {
        let changed_at = metadata.modified().ok();
        let carried = String::new();
        Self { name: name(file, origin), text: text.to_owned(), carried, changed_at }
    }

    /// The same with what stays in force from the copy before, so that the next copy has it too.
    pub(super) fn carrying(self, settings: &[Setting]) -> Self {
        Self { carried: lines(settings.iter()), ..self }
    }

    /// Keeps it where it differs from the copy that is there. A copy that cannot be written costs
    /// the next broken file its protection, and no event anything.
    pub(crate) fn keep(&self, data_dir: &Path) {
        let path = directory(data_dir).join(&self.name);
        // A copy has the time of what it is a copy of.
        let is_known =
            fs::symlink_metadata(&path).is_ok_and(|it| it.modified().ok() == self.changed_at);
        // Whoever writes a file may have emptied it before.
        if is_known || self.text.trim().is_empty() {
            return;
        }
        let keep = || {
            stage::make_private_directory(&directory(data_dir))?;
            let text = without_words(&self.text) + &self.carried;
            stage::replace_unsynced(&path, text.as_bytes())?;
            let file = fs::File::options().write(true).open(&path)?;
            self.changed_at.map_or(Ok(()), |at| file.set_modified(at))
        };
        #[expect(clippy::let_underscore_must_use, reason = "the file itself still counts")]
        let _: io::Result<()> = keep();
    }
}

/// The switches, numbers and modes that a settings file sets.
fn without_words(text: &str) -> String {
    let Ok(said) = parse(text) else { return String::new() };
    let is_plain =
        |it: &&Setting| matches!(it.value, Value::Switch(_) | Value::Number(_) | Value::Word(..));
    lines(said.settings.iter().filter(is_plain))
}

fn lines<'a>(settings: impl Iterator<Item = &'a Setting>) -> String {
    settings.map(|it| format!("{} = {}\n", it.key.name, it.value)).collect::<Vec<_>>().concat()
}

/// The keys of the user's file that are no settings, and were told as such.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnknownKeys(u64);

impl UnknownKeys {
    /// The keys that are named in any order.
    pub(super) fn of(mut names: Vec<&str>) -> Self {
        names.sort_unstable();
        Self(xxh64(names.join("\n").as_bytes(), 0))
    }

    fn mark(self) -> String {
        format!("{:016x}\n", self.0)
    }

    /// Whether the user was not yet told of exactly these.
    pub(crate) fn are_untold(self, host: &Host) -> bool {
        let Some(data_dir) = host.data_dir() else { return false };
        let told = plain::read(&told(&data_dir), Follow::Never, MAX_TOLD);
        !told.is_ok_and(|it| it.is_some_and(|it| it.bytes == self.mark().as_bytes()))
    }

    /// Remembers that the user was told. Where that fails the user is told again.
    pub(crate) fn keep_told(self, data_dir: &Path) {
        let keep = || {
            stage::make_private_directory(&directory(data_dir))?;
            stage::replace_unsynced(&told(data_dir), self.mark().as_bytes())
        };
        #[expect(clippy::let_underscore_must_use, reason = "the user is told once more")]
        let _: io::Result<()> = keep();
    }
}

fn told(data_dir: &Path) -> PathBuf {
    directory(data_dir).join("user.told")
}

/// What the last good copy of a file sets that protects the user beside a policy, without what the
/// file itself still says. A file with a mistake keeps its gates quiet. Where the file is gone, the
/// gates are as they are without a setting: a user who deletes it wants that.
pub(super) fn protection(
    data_dir: &Path,
    (file, origin): (&Path, Origin),
    said: &[&str],
    policy: &Policy,
    keeps_gates: bool,
) -> Vec<Setting> {
    let path = directory(data_dir).join(name(file, origin));
    let Ok(Some(copy)) = plain::read(&path, Follow::Never, MAX_FILE) else { return Vec::new() };
    let text = String::from_utf8_lossy(&copy.bytes);
    let Ok(good) = parse(&text) else { return Vec::new() };
    let mut policy = policy.clone();
    let is_kept = |it: &Setting| keeps_gates || !it.key.name.starts_with("gates.");
    let is_unsaid = |it: &Setting| !said.contains(&it.key.name) && is_kept(it);
    let mut protects = |it: &Setting| protects(it.key, &it.key.get(&mut policy), &it.value);
    good.settings.into_iter().filter(|it| is_unsaid(it) && protects(it)).collect()
}

/// Whether a value protects the user more than the one that is in force: it keeps less, reads less
/// or asks for less.
fn protects(key: &Key, now: &Value, good: &Value) -> bool {
    let quietens = key.name.starts_with("gates.");
    match (now, good) {
        (Value::Switch(now), Value::Switch(good)) => *now && !good,
        (Value::Number(now), Value::Number(good)) => match key.rule {
            Rule::Raise => good > now,
            Rule::Tighten | Rule::TightenUnset | Rule::TightenOrTrust => good < now,
            Rule::Trust | Rule::UserOnly => quietens && good < now,
        },
        // Of words the least strict comes first.
        (Value::Word(_, now), Value::Word(_, good)) => quietens && good < now,
        _ => false,
    }
}

fn directory(data_dir: &Path) -> PathBuf {
    data_dir.join("last-good-settings")
}

fn name(file: &Path, origin: Origin) -> String {
    match origin {
        Origin::Project => {
            format!("project-{:016x}.toml", xxh64(file.as_os_str().as_encoded_bytes(), 0))
        }
        Origin::User | Origin::Default => "user.toml".to_owned(),
    }
}
