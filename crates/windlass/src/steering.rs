//! Files that steer windlass, and whether they changed while an agent was at work.
//!
//! A command need not name what it changes. So a mark of each file is kept when a prompt begins a
//! turn, and compared at the stop: its size, its time and its number, and where these differ what it
//! says to us. The user is told which file changed, and not who did it: the marks do not show that.
//!
//! What changed outside of a turn may be the user's own edit. It is told once, when the next session
//! begins: the client may have died before its agent stopped. What commands of windlass change for the
//! user is not told.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use windlass_core::{DAY, Timestamp};
use xxhash_rust::xxh64::xxh64;

use crate::agent::claude::home;
use crate::agent::tree;
use crate::plain::{self, Follow};
use crate::switch::{self, Switches};
use crate::{Host, stage, surroundings, visible};

/// Bytes of a file that are read.
const MAX_FILE: u64 = 4 << 20;
/// Bytes of a file that is read at once.
const SMALL: u64 = 64 << 10;
/// Files that are kept in mind: those of projects come and go.
const MAX_KEPT: usize = 64;

/// The name of the file with the marks.
const FILE: &str = "steering.json";
/// Files among the switches that are told at one stop.
const FOREIGN: usize = 3;

/// What a file is to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// All of it counts.
    Ours,
    /// Settings of the client: our hooks, and what switches hooks off.
    Hooks,
    /// The state of the client: our server. The client writes it all the time.
    State,
    /// Too large to be read.
    Program,
}

/// A file as it was seen last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Mark {
    /// Size, time and number; `None` where there is no such file.
    stat: Option<(u64, i64, u64)>,
    /// A number made of what it says to us.
    says: u64,
    /// When it was seen to differ from what was known before.
    changed_at: i64,
    /// When it was looked at, to the day: the file is not written for less.
    #[serde(default)]
    seen_at: i64,
    /// Whether it changed and the user was not told yet.
    #[serde(default)]
    untold: bool,
    /// By which rules the number was made.
    #[serde(default)]
    rules: u8,
}

/// The rules by which numbers are made of files now. A mark that others made is none.
const RULES: u8 = 1;

/// Notes how the files are, and returns those that changed since they were seen last, and those
/// that another session saw change after `since`.
pub(crate) fn changed(
    host: &Host,
    root: Option<&str>,
    now: Timestamp,
    since: impl FnOnce() -> Option<Timestamp>,
) -> Vec<PathBuf> {
    let Some(data_dir) = host.data_dir() else { return Vec::new() };
    let mut marks = read_marks(&data_dir);
    let (mut found, mut earlier, mut is_new) = (Vec::new(), Vec::new(), false);
    let files = files(host, root);
    for (path, kind) in files.iter().cloned() {
        let stat = stat_of(&path);
        let before = marks.get(&path).copied();
        if let Some(before) = before.filter(|it| it.stat == stat) {
            if now.0.saturating_sub(before.seen_at) >= DAY {
                marks.insert(path.clone(), Mark { seen_at: now.0, ..before });
                is_new = true;
            }
            if before.changed_at > 0 {
                earlier.push((path, before.changed_at));
            }
            continue;
        }
        is_new = true;
        let says = says_now(before, &path, kind, stat);
        let differs = before.is_some_and(|it| it.says != says);
        let changed_at = if differs { now.0 } else { before.map_or(0, |it| it.changed_at) };
        let untold = before.is_some_and(|it| it.untold);
        marks.insert(
            path.clone(),
            Mark { stat, says, changed_at, seen_at: now.0, untold, rules: RULES },
        );
        if differs {
            found.push(path);
        }
    }
    if is_new {
        forget_surplus(&mut marks, &files);
        write_marks(&data_dir, &marks);
    }
    if found.is_empty() && earlier.is_empty() {
        return found;
    }
    // Without a beginning of the work nothing changed during it.
    let Some(since) = since() else {
        keep_untold(host, &found);
        return Vec::new();
    };
    found.extend(earlier.into_iter().filter(|it| it.1 > since.0).map(|it| it.0));
    found
}

/// Keeps that these files changed, for the beginning of the next session.
pub(crate) fn keep_untold(host: &Host, paths: &[PathBuf]) {
    set_untold(host, true, |it| paths.contains(it));
}

/// The files here that changed and that the user was not told of.
pub(crate) fn untold(host: &Host, root: Option<&str>) -> Vec<PathBuf> {
    let Some(data_dir) = host.data_dir() else { return Vec::new() };
    let marks = read_marks(&data_dir);
    let is_untold = |path: &PathBuf| marks.get(path).is_some_and(|it| it.untold);
    files(host, root).into_iter().map(|it| it.0).filter(is_untold).collect()
}

/// Keeps that the user was told of the files here.
pub(crate) fn keep_told(host: &Host, root: Option<&str>) {
    let here = files(host, root);
    set_untold(host, false, |path| here.iter().any(|it| it.0 == *path));
}

fn set_untold(host: &Host, untold: bool, is_one: impl Fn(&PathBuf) -> bool) {
    let Some(data_dir) = host.data_dir() else { return };
    let mut marks = read_marks(&data_dir);
    let mut is_new = false;
    for (_, mark) in marks.iter_mut().filter(|it| it.1.untold != untold && is_one(it.0)) {
        mark.untold = untold;
        is_new = true;
    }
    if is_new {
        write_marks(&data_dir, &marks);
    }
}

/// Runs a command of the user that may write files that steer us: what it changes is not told. What
/// changed before it still is.
pub(crate) fn by_the_user<T>(host: &Host, command: impl FnOnce() -> T) -> T {
    let root = host.current_dir().ok().and_then(|it| surroundings::root_of(host, &it));
    let files = files(host, root.as_deref().and_then(Path::to_str));
    let says = |path: &Path, kind| what_it_says(path, kind, stat_of(path));
    let before: Vec<u64> = files.iter().map(|(path, kind)| says(path, *kind)).collect();
    let result = command();
    let Some(data_dir) = host.data_dir() else { return result };
    let mut marks = read_marks(&data_dir);
    let mut is_new = false;
    for ((path, kind), before) in files.into_iter().zip(before) {
        let now = says(&path, kind);
        let mark = marks.get_mut(&path).filter(|it| now != before && it.says == before);
        if let Some(mark) = mark {
            (mark.stat, mark.says) = (stat_of(&path), now);
            is_new = true;
        }
    }
    // An agent can run most of these commands, too.
    if is_new && tree::sign(host).is_none() {
        write_marks(&data_dir, &marks);
    }
    result
}

/// Whether all files say to us what they said when they were seen last, and no session saw one change
/// after `since`. Nothing is noted.
pub(crate) fn is_as_seen(host: &Host, root: Option<&str>, now: Timestamp, since: i64) -> bool {
    let Some(data_dir) = host.data_dir() else { return true };
    let marks = read_marks(&data_dir);
    files(host, root).into_iter().all(|(path, kind)| {
        let Some(before) = marks.get(&path).copied() else { return false };
        let is_known = now.0.saturating_sub(before.seen_at) < DAY && before.changed_at <= since;
        let stat = stat_of(&path);
        is_known
            && (before.stat == stat || says_now(Some(before), &path, kind, stat) == before.says)
    })
}

/// What a file says to us that is not as it was seen before. What the client writes all the time is
/// read where something was taken out of it, and a small one that did not name us.
fn says_now(before: Option<Mark>, path: &Path, kind: Kind, stat: Option<(u64, i64, u64)>) -> u64 {
    let is_longer = |it: &Mark| {
        let (old, new) = (it.stat.map(|it| it.0), stat.map(|it| it.0));
        old.is_some() && old <= new && (it.says != 0 || new > Some(SMALL))
    };
    match before.filter(|it| kind == Kind::State && is_longer(it)) {
        Some(before) => before.says,
        None => what_it_says(path, kind, stat),
    }
}

/// What stands among the switches and windlass did not put there, where that differs from what was
/// seen last. Mostly there is nothing, and nothing is read.
pub(crate) fn foreign_switches(host: &Host, switches: &Switches, now: Timestamp) -> Vec<String> {
    let foreign = switches.foreign();
    let Some(data_dir) = host.data_dir().filter(|_| !foreign.is_empty()) else { return Vec::new() };
    let parts: Vec<_> = foreign.iter().map(|it| format!("{} {}", it.0.display(), it.1)).collect();
    let says = of_parts(&parts.iter().map(String::as_str).collect::<Vec<_>>());
    let mut marks = read_marks(&data_dir);
    let path = switch::directory(&data_dir);
    if marks.get(&path).is_some_and(|it| it.says == says) {
        return Vec::new();
    }
    let mark =
        Mark { stat: None, says, changed_at: 0, seen_at: now.0, untold: false, rules: RULES };
    marks.insert(path, mark);
    write_marks(&data_dir, &marks);
    let sentence = |(path, said): (&Path, String)| {
        format!("windlass: {} {said}.", visible::line(&path.to_string_lossy(), 300))
    };
    foreign.into_iter().take(FOREIGN).map(sentence).collect()
}

/// What is put among the switches from now on is new.
pub(crate) fn forget_switches(data_dir: &Path) {
    let mut marks = read_marks(data_dir);
    if marks.remove(&switch::directory(data_dir)).is_some() {
        write_marks(data_dir, &marks);
    }
}

fn read_marks(data_dir: &Path) -> BTreeMap<PathBuf, Mark> {
    let known = plain::read(&data_dir.join(FILE), Follow::Never, MAX_FILE).ok().flatten();
    let known = known.and_then(|it| serde_json::from_slice(&it.bytes).ok());
    let mut marks: BTreeMap<PathBuf, Mark> = known.unwrap_or_default();
    marks.retain(|_, it| it.rules == RULES);
    marks
}

/// A mark that cannot be written is compared again at the next event.
fn write_marks(data_dir: &Path, marks: &BTreeMap<PathBuf, Mark>) {
    #[expect(clippy::let_underscore_must_use, reason = "the answer comes first")]
    let _ = serde_json::to_vec(marks)
        .map_err(Into::into)
        .and_then(|bytes| stage::replace_unsynced(&data_dir.join(FILE), &bytes));
}

/// When a file was written last, where it is there.
pub(crate) fn written_at(path: &Path) -> Option<Timestamp> {
    stat_of(path).map(|it| Timestamp(it.1 / 1_000_000))
}

/// Forgets the marks of files elsewhere that were not looked at for the longest time.
fn forget_surplus(marks: &mut BTreeMap<PathBuf, Mark>, here: &[(PathBuf, Kind)]) {
    let Some(surplus) = marks.len().checked_sub(MAX_KEPT).filter(|it| *it > 0) else { return };
    let is_elsewhere = |path: &&PathBuf| !here.iter().any(|it| it.0 == **path);
    let mut others: Vec<PathBuf> = marks.keys().filter(is_elsewhere).cloned().collect();
    others.sort_by_key(|it| marks.get(it).map(|it| it.seen_at));
    for path in others.into_iter().take(surplus) {
        marks.remove(&path);
    }
}

/// The files that steer us here.
fn files(host: &Host, root: Option<&str>) -> Vec<(PathBuf, Kind)> {
    let mut all = Vec::with_capacity(8);
    all.extend(host.config_dir().map(|it| (it.join("config.toml"), Kind::Ours)));
    if let Some(client) = home::directory(host) {
        all.push((client.join("settings.json"), Kind::Hooks));
        all.push((client.join("settings.local.json"), Kind::Hooks));
    }
    if let Some(home) = host.home() {
        all.push((home.join(".claude.json"), Kind::State));
        all.push((home.join(".local/bin/windlass"), Kind::Program));
    }
    if let Some(root) = root.map(Path::new) {
        all.push((root.join(".windlass.toml"), Kind::Ours));
        all.push((root.join(".claude/settings.json"), Kind::Hooks));
        all.push((root.join(".claude/settings.local.json"), Kind::Hooks));
    }
    all
}

fn stat_of(path: &Path) -> Option<(u64, i64, u64)> {
    let found = fs::metadata(path).ok()?;
    let nanos = found.mtime().wrapping_mul(1_000_000_000).wrapping_add(found.mtime_nsec());
    Some((found.len(), nanos, found.ino()))
}

/// A number made of what a file says to us; 0 where it says nothing.
fn what_it_says(path: &Path, kind: Kind, stat: Option<(u64, i64, u64)>) -> u64 {
    if kind == Kind::Program {
        return stat.map_or(0, |(size, time, number)| {
            let bytes = [size.to_le_bytes(), time.to_le_bytes(), number.to_le_bytes()].concat();
            xxh64(&bytes, 1)
        });
    }
    let Ok(Some(file)) = plain::read(path, Follow::Anywhere, MAX_FILE) else { return 0 };
    let whole = || xxh64(&file.bytes, 1);
    if kind == Kind::Ours {
        return whole();
    }
    // What cannot be read runs no hook.
    let Ok(said) = serde_json::from_slice::<Said<'_>>(&file.bytes) else { return whole() };
    let ours = said.servers.and_then(|it| serde_json::from_str::<Servers<'_>>(it.get()).ok());
    let ours = ours.and_then(|it| it.windlass).map(|it| bare(it.get())).unwrap_or_default();
    if kind == Kind::State {
        return of_parts(&[&ours]);
    }
    let text = |it: Option<&'_ RawValue>| it.map(|it| bare(it.get())).unwrap_or_default();
    of_parts(&[&ours, &text(said.hooks), &text(said.disabled)])
}

/// JSON without its layout: the client writes its files in its own.
fn bare(json: &str) -> String {
    let (mut is_text, mut is_escaped) = (false, false);
    let is_kept = |letter: &char| {
        let is_layout = !is_text && letter.is_ascii_whitespace();
        if *letter == '"' && !is_escaped {
            is_text = !is_text;
        }
        is_escaped = is_text && *letter == '\\' && !is_escaped;
        !is_layout
    };
    json.chars().filter(is_kept).collect()
}

fn of_parts(parts: &[&str]) -> u64 {
    if parts.iter().all(|it| it.is_empty()) { 0 } else { xxh64(parts.join("\0").as_bytes(), 1) }
}

/// The parts of a file of the client that are about us.
#[derive(Deserialize)]
struct Said<'a> {
    #[serde(borrow)]
    hooks: Option<&'a RawValue>,
    #[serde(borrow, rename = "disableAllHooks")]
    disabled: Option<&'a RawValue>,
    #[serde(borrow, rename = "mcpServers")]
    servers: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Servers<'a> {
    #[serde(borrow)]
    windlass: Option<&'a RawValue>,
}

#[cfg(test)]
mod tests {
    use super::{Kind, MAX_KEPT, Mark, RULES, bare, forget_surplus};
    use std::collections::BTreeMap;
    use std::path::PathBuf;

    #[test]
    fn the_layout_of_a_file_says_nothing() {
        let wide = "{ \"a\" : [\n 1 , \"b  \\\" c\\\\\" ] }";
        assert_eq!(bare(wide), "{\"a\":[1,\"b  \\\" c\\\\\"]}");
    }

    #[test]
    fn the_files_at_hand_are_kept_and_those_not_seen_for_long_go() {
        let mark = |seen_at| Mark {
            stat: None,
            says: 0,
            changed_at: 0,
            seen_at,
            untold: false,
            rules: RULES,
        };
        let names = 0..i64::try_from(MAX_KEPT).unwrap();
        let mut marks: BTreeMap<PathBuf, Mark> =
            names.map(|it| (PathBuf::from(format!("/p/{it:02}")), mark(1000 - it))).collect();
        // The last by its name, and seen long ago.
        let here = PathBuf::from("/z/.windlass.toml");
        marks.insert(here.clone(), mark(0));
        forget_surplus(&mut marks, &[(here.clone(), Kind::Ours)]);
        assert_eq!(marks.len(), MAX_KEPT);
        assert!(marks.contains_key(&here));
        let oldest = format!("/p/{}", MAX_KEPT - 1);
        assert!(!marks.contains_key(&PathBuf::from(oldest)));
    }
}
