//! The user's off-switch for gates.
//!
//! A switch is a small file of its own in the data directory and not a row of the store: it must
//! work while the store is locked or damaged. It carries a sum of its words and stands under a name
//! made of them: a file that windlass did not write switches nothing off, and is a finding.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use windlass_core::gate::{GATES, SwitchedOff, off_by_settings};
use windlass_core::policy::Gates;
use windlass_core::{Seen, SessionId, Timestamp};
use xxhash_rust::xxh64::xxh64;

use crate::host::IgnoredVariable;
use crate::plain::{self, Follow, PlainError};
use crate::shell::quoted;
use crate::switched::Switched;
use crate::{Host, env, ownership, redact, stage, time, visible};

const VERSION: u32 = 2;
/// Far more than a switch needs.
const MAX_FILE: u64 = 16 << 10;
/// More entries than this are not looked at, but for those that may count; nobody made them by hand.
const MAX_ENTRIES: usize = 512;
/// Characters of a session's id that mean the one session that begins so.
const SHORTEST_ID: usize = 8;

/// Gates that are off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Switch {
    /// The gate; `None` is all of them.
    pub(crate) gate: Option<String>,
    pub(crate) scope: Scope,
    /// When it ends by itself.
    pub(crate) until: Option<Timestamp>,
}

/// Where a switch counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scope {
    Everywhere,
    /// In the project with this place, which all worktrees of a repository share.
    Project(String),
    /// In the session whose id this is, or begins so.
    Session(String),
}

/// A switch as it is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    version: u32,
    gate: Option<String>,
    scope: ScopeRow,
    /// The place of the project, or the id of the session.
    of: Option<String>,
    /// Milliseconds since 1970.
    at: i64,
    until: Option<i64>,
    /// Of everything above.
    sum: String,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ScopeRow {
    Everywhere,
    Project,
    Session,
}

/// What the environment says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Variable {
    Unset,
    Off,
    /// Something that means nothing.
    Other(OsString),
}

/// A file among the switches that is none.
#[derive(Debug)]
pub(crate) struct Broken {
    pub(crate) path: PathBuf,
    pub(crate) why: String,
    /// Whether `gate on` takes it away: it stands in the directory, and is not the directory.
    pub(crate) is_removable: bool,
    /// Whether the system refused to tell what stands there.
    is_unread: bool,
}

/// Everything that switches gates off.
#[derive(Debug)]
pub(crate) struct Switches {
    pub(crate) variable: Variable,
    /// Those that have not ended.
    pub(crate) kept: Vec<Switch>,
    /// What stands among them and is none: it switches nothing off.
    pub(crate) broken: Vec<Broken>,
    /// Variables of the environment that do not count.
    pub(crate) ignored: Vec<IgnoredVariable>,
    /// Gates that the settings switch off.
    pub(crate) in_settings: Vec<&'static str>,
    /// Files of those that count and of which no record says that windlass made them.
    strange: Vec<PathBuf>,
    /// Files of those that have ended.
    ended: Vec<PathBuf>,
}

impl Switches {
    /// Reads what is switched off now.
    pub(crate) fn read(host: &Host) -> Self {
        Self::read_for(host, None, None)
    }

    /// The same for a session and a project: where too much else stands among the switches, theirs
    /// are found by their names.
    pub(crate) fn read_for(host: &Host, session: Option<&SessionId>, seen: Option<&Seen>) -> Self {
        let variable = match host.variable(env::WINDLASS_GATES) {
            None => Variable::Unset,
            Some(value) if is_off(&value) => Variable::Off,
            Some(value) => Variable::Other(value),
        };
        let mut found = Self {
            variable,
            kept: Vec::new(),
            broken: Vec::new(),
            ignored: host.ignored_variables(),
            in_settings: Vec::new(),
            strange: Vec::new(),
            ended: Vec::new(),
        };
        if let Some(data) = host.data_dir() {
            found.look(&directory(&data), host.now, || expected_names(session, seen));
        }
        found
    }

    /// The same, with the gates that these settings switch off.
    pub(crate) fn with_settings(mut self, gates: &Gates) -> Self {
        self.in_settings = off_by_settings(gates).collect();
        self
    }

    fn look(&mut self, directory: &Path, now: Timestamp, expected: impl FnOnce() -> Vec<OsString>) {
        let entries: io::Result<Vec<DirEntry>> =
            fs::read_dir(directory).and_then(|it| it.take(MAX_ENTRIES + 1).collect());
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => {
                let (path, why) = (directory.to_owned(), error.to_string());
                self.broken.push(Broken { path, why, is_removable: false, is_unread: true });
                return;
            }
        };
        let mut names: Vec<_> = Vec::new();
        if entries.len() > MAX_ENTRIES {
            entries.truncate(MAX_ENTRIES);
            self.broken(directory, format!("it has more than {MAX_ENTRIES} entries"), false);
            // Whatever stands beside it, the user's own switch counts.
            names = expected();
        }
        let mut others: Vec<_> = entries.iter().map(DirEntry::file_name).collect();
        others.sort();
        others.retain(|it| !names.contains(it));
        names.append(&mut others);
        // Mostly there is none.
        let mut switched = None;
        for name in names {
            let path = directory.join(&name);
            if path.extension().is_none_or(|it| it != "json") {
                self.look_at_other(&path, &name);
                continue;
            }
            match read(&path) {
                Ok(Some((switch, _))) if switch.until.is_some_and(|it| it <= now) => {
                    self.ended.push(path);
                }
                Ok(Some((switch, at))) => {
                    let data = directory.parent().unwrap_or(directory);
                    let switched = switched.get_or_insert_with(|| Switched::read(data));
                    let name = name.to_string_lossy();
                    if switched.is_over(&name, at) {
                        let why = "it is an old switch that was put back".to_owned();
                        self.broken(&path, why, true);
                        continue;
                    }
                    if !switched.is_known(&name) {
                        self.strange.push(path);
                    }
                    self.kept.push(switch);
                }
                // Switched on in between.
                Ok(None) => {}
                Err(why) => self.broken(&path, why, true),
            }
        }
    }

    /// A name that no switch has. One that is being written is no finding.
    fn look_at_other(&mut self, path: &Path, name: &OsStr) {
        let is_staged = path.extension().is_some_and(|it| it == "new");
        if is_staged && !stage::is_abandoned(name) {
            return;
        }
        self.broken(path, "windlass did not write it".to_owned(), true);
    }

    fn broken(&mut self, path: &Path, why: String, is_removable: bool) {
        let path = path.to_owned();
        self.broken.push(Broken { path, why, is_removable, is_unread: false });
    }

    /// What is off in a session and a project.
    pub(crate) fn off(&self, session: Option<&SessionId>, seen: Option<&Seen>) -> Vec<SwitchedOff> {
        let session = session.map(|it| redact::session(it).to_string());
        let session = session.as_deref();
        let everything = |by: String| SwitchedOff { gate: None, by };
        let variable = (self.variable == Variable::Off)
            .then(|| everything(format!("{}=off", env::WINDLASS_GATES)));
        let kept = self.kept.iter().filter(|it| it.scope.holds(session, seen));
        let kept = kept.map(|it| SwitchedOff { gate: it.gate.clone(), by: it.by() });
        variable.into_iter().chain(kept).collect()
    }

    /// Every switch that is active in a session and a project, each in a few words.
    pub(crate) fn words(&self, session: Option<&SessionId>, seen: Option<&Seen>) -> Vec<String> {
        let off = self.off(session, seen);
        let switch = |it: &SwitchedOff| {
            let gates = it.gate.as_deref().unwrap_or("gates");
            format!("{} off ({})", visible::line(gates, 64), it.by)
        };
        let settings = self.in_settings.iter().map(|it| format!("{it} off (settings)"));
        let ignored = self.ignored.iter().map(|it| format!("{} ignored", it.name));
        off.iter().map(switch).chain(settings).chain(ignored).collect()
    }

    /// What stands among them and windlass did not put there, as far as is known: each file with a
    /// sentence for the user.
    pub(crate) fn foreign(&self) -> Vec<(&Path, String)> {
        let broken = self.broken.iter().filter(|it| !it.is_unread).map(|it| {
            let said =
                format!("switches nothing off: {}. Next: `windlass gate on` removes it", it.why);
            (it.path.as_path(), said)
        });
        let strange = self.strange.iter().map(|it| {
            let said = "switches gates off, and windlass has no record of it. Next: look at \
                `windlass gate list`; `windlass gate on` switches them on";
            (it.as_path(), said.to_owned())
        });
        broken.chain(strange).collect()
    }

    /// Removes those that have ended.
    pub(crate) fn forget_ended(&self) -> io::Result<()> {
        self.ended.iter().try_for_each(|it| remove(it).map(drop))
    }
}

impl Switch {
    /// What it is, in a few words.
    pub(crate) fn by(&self) -> String {
        let until = self.until.map(|it| format!(" until {}", minute(it))).unwrap_or_default();
        let place = match &self.scope {
            Scope::Everywhere => "everywhere",
            Scope::Project(_) => "in this project",
            Scope::Session(_) => "in this session",
        };
        format!("`windlass gate off` {place}{until}")
    }

    /// What it does, in a sentence.
    pub(crate) fn sentence(&self) -> String {
        let until = self.until.map(|it| format!(" until {}", minute(it))).unwrap_or_default();
        format!("{} off {}{until}.", self.gates(), self.scope.place())
    }

    /// The beginning of such a sentence.
    pub(crate) fn gates(&self) -> String {
        match &self.gate {
            None => "All gates are".to_owned(),
            Some(gate) => format!("The gate `{}` is", visible::line(gate, 64)),
        }
    }

    /// The command that takes it back, wherever the user stands.
    pub(crate) fn way_back(&self) -> String {
        match &self.scope {
            Scope::Project(place) => {
                let place = place.strip_suffix("/.git").unwrap_or(place);
                format!("cd {} && {}", quoted(Path::new(place)), self.way_back_here())
            }
            Scope::Everywhere | Scope::Session(_) => self.way_back_here(),
        }
    }

    /// The same for one who stands in the project.
    pub(crate) fn way_back_here(&self) -> String {
        let gate = self.gate.as_deref().map(|it| format!(" {}", visible::line(it, 64)));
        let scope = match &self.scope {
            Scope::Everywhere => " --everywhere".to_owned(),
            Scope::Project(_) => String::new(),
            Scope::Session(id) => format!(" --session {}", visible::line(id, 128)),
        };
        format!("windlass gate on{}{scope}", gate.unwrap_or_default())
    }

    /// Keeps it, in the place of one for the same gates.
    pub(crate) fn keep(&self, data: &Path, at: Timestamp) -> io::Result<()> {
        let path = path(data, &self.scope, self.gate.as_deref());
        let name = file_name(&self.scope, self.gate.as_deref());
        let name = name.to_string_lossy();
        let switched = Switched::read(data);
        let at = switched.next(&name, at);
        let (scope, of) = match &self.scope {
            Scope::Everywhere => (ScopeRow::Everywhere, None),
            Scope::Project(place) => (ScopeRow::Project, Some(place.clone())),
            Scope::Session(id) => (ScopeRow::Session, Some(id.clone())),
        };
        let (gate, until) = (self.gate.clone(), self.until.map(|it| it.0));
        let sum = String::new();
        let mut row = Row { version: VERSION, gate, scope, of, at: at.0, until, sum };
        row.sum = row.made_sum()?;
        let mut bytes = serde_json::to_vec(&row)?;
        bytes.push(b'\n');
        stage::make_private_directory(&directory(data))?;
        stage::replace(&path, &bytes)?;
        switched.made(data, &name, at)
    }
}

impl Scope {
    /// Whether it counts in a session and a project. The user's word for a directory covers all
    /// that is below it, also a repository inside of another one.
    pub(crate) fn holds(&self, session: Option<&str>, seen: Option<&Seen>) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Project(own) => seen.is_some_and(|it| {
                let directory = own.strip_suffix("/.git").unwrap_or(own);
                let below = it.root.as_str().strip_prefix(directory);
                it.place.as_str() == own || below.is_some_and(|it| it.starts_with('/'))
            }),
            Self::Session(own) => session.is_some_and(|it| {
                it == own || own.len() >= SHORTEST_ID && it.starts_with(own.as_str())
            }),
        }
    }

    /// Where that is, for people.
    pub(crate) fn place(&self) -> String {
        match self {
            Self::Everywhere => "everywhere".to_owned(),
            Self::Project(place) => {
                let place = place.strip_suffix("/.git").unwrap_or(place);
                format!("in the project {}", visible::line(place, 300))
            }
            Self::Session(id) => format!("in session {}", visible::line(id, 128)),
        }
    }

    /// The word for it.
    pub(crate) const fn word(&self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::Project(_) => "project",
            Self::Session(_) => "session",
        }
    }

    /// The place of the project, or the id of the session.
    pub(crate) fn of(&self) -> Option<&str> {
        match self {
            Self::Everywhere => None,
            Self::Project(it) | Self::Session(it) => Some(it),
        }
    }
}

/// Removes the switch for a gate, or for all of them, and says whether there was one.
pub(crate) fn switch_on(
    data: &Path,
    scope: &Scope,
    gate: Option<&str>,
    now: Timestamp,
) -> io::Result<bool> {
    let is_removed = remove(&path(data, scope, gate))?;
    if is_removed {
        Switched::read(data).ended(data, &file_name(scope, gate).to_string_lossy(), now)?;
    }
    Ok(is_removed)
}

/// Removes a file, and says whether it was there.
pub(crate) fn remove(path: &Path) -> io::Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Where switches are.
pub(crate) fn directory(data: &Path) -> PathBuf {
    data.join("switches")
}

/// Whether a value of the variable switches gates off.
pub(crate) fn is_off(value: &OsString) -> bool {
    value.to_str().is_some_and(|it| it.trim().eq_ignore_ascii_case("off"))
}

/// A time to the minute.
pub(crate) fn minute(at: Timestamp) -> String {
    let text = time::utc(at);
    text.get(..16).map_or_else(|| text.clone(), |it| format!("{it}Z"))
}

/// The names of all switches that may count for a session and a project.
fn expected_names(session: Option<&SessionId>, seen: Option<&Seen>) -> Vec<OsString> {
    let mut scopes = vec![Scope::Everywhere];
    if let Some(seen) = seen {
        scopes.push(Scope::Project(seen.place.as_str().to_owned()));
        // The word for a directory covers what is below it.
        for directory in Path::new(seen.root.as_str()).ancestors().filter_map(Path::to_str) {
            scopes.push(Scope::Project(directory.to_owned()));
            scopes.push(Scope::Project(format!("{}/.git", directory.trim_end_matches('/'))));
        }
    }
    if let Some(session) = session {
        let id = redact::session(session).to_string();
        let ends = id.char_indices().map(|it| it.0).filter(|it| *it >= SHORTEST_ID);
        scopes.extend(ends.map(|end| Scope::Session(id[..end].to_owned())));
        scopes.push(Scope::Session(id));
    }
    let gates = || GATES.iter().map(|it| Some(it.name)).chain([None]);
    let names = scopes.iter().flat_map(|scope| gates().map(|gate| file_name(scope, gate)));
    names.collect()
}

/// What a switch is about comes from outside, so the name of its file is a hash.
fn path(data: &Path, scope: &Scope, gate: Option<&str>) -> PathBuf {
    directory(data).join(file_name(scope, gate))
}

fn file_name(scope: &Scope, gate: Option<&str>) -> OsString {
    let text = [scope.word(), scope.of().unwrap_or_default(), gate.unwrap_or_default()].join("\0");
    format!("{:016x}.json", xxh64(text.as_bytes(), 0)).into()
}

/// A switch with the time in it.
fn read(path: &Path) -> Result<Option<(Switch, Timestamp)>, String> {
    let why = |error: PlainError| error.to_string();
    let Some(file) = plain::read(path, Follow::Never, MAX_FILE).map_err(why)? else {
        return Ok(None);
    };
    ownership::check(path, &file.metadata).map_err(|it| it.to_string())?;
    let row: Option<Row> = serde_json::from_slice(&file.bytes).ok();
    let is_sound = |it: &Row| it.version == VERSION && it.made_sum().is_ok_and(|sum| sum == it.sum);
    let switch = row.filter(is_sound).and_then(|it| {
        let at = Timestamp(it.at);
        Some((it.switch()?, at))
    });
    let is_in_place = |it: &(Switch, Timestamp)| {
        path.file_name() == Some(&file_name(&it.0.scope, it.0.gate.as_deref()))
    };
    let switch = switch.filter(is_in_place);
    switch.map(Some).ok_or_else(|| "windlass did not write it".to_owned())
}

impl Row {
    /// The sum of everything but itself.
    fn made_sum(&self) -> serde_json::Result<String> {
        let Self { version, gate, scope, of, at, until, .. } = self;
        let bytes = serde_json::to_vec(&(version, gate, scope, of, at, until))?;
        Ok(format!("{:016x}", xxh64(&bytes, u64::from(VERSION))))
    }

    fn switch(self) -> Option<Switch> {
        let scope = match (self.scope, self.of) {
            (ScopeRow::Everywhere, None) => Scope::Everywhere,
            (ScopeRow::Project, Some(place)) => Scope::Project(place),
            (ScopeRow::Session, Some(id)) => Scope::Session(id),
            (ScopeRow::Everywhere | ScopeRow::Project | ScopeRow::Session, _) => return None,
        };
        Some(Switch { gate: self.gate, scope, until: self.until.map(Timestamp) })
    }
}
