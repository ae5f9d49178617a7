//! Takes back what `init` did, and nothing else.

use std::fs;
use std::path::Path;

use super::Mode;
use super::tools::{self, Offer};
use crate::agent::claude::install::origin::Removal;
use crate::agent::claude::install::place::{Place, Scope};
use crate::agent::claude::install::record::{Binary, Keeper, Record, Settings};
use crate::agent::claude::install::settings;
use crate::agent::claude::install::{InstallError, binary, file, permits};
use crate::agent::user;
use crate::failure::chain;
use crate::{Host, diff, stage, ui};

/// Removes windlass, or shows what that would change.
pub(super) fn run(host: &Host, scope: Scope, mode: Mode) -> Result<(), InstallError> {
    // What an agent may not switch off it may not take out either.
    if mode == Mode::Write {
        user::confirm(host, "take windlass out")?;
    }
    let place = Place::find(host, scope)?;
    let program = host.program().map_err(|source| InstallError::Program { source })?;
    match mode {
        Mode::DryRun => show(&place, &program),
        Mode::Write => write(&place, &program),
    }
}

/// What becomes of the copy of the program.
enum Fate {
    Remove(Binary),
    /// Other settings files still call it.
    InUse,
    /// It was there before us, or is another program.
    NotOurs,
    Gone,
}

fn show(place: &Place, program: &Path) -> Result<(), InstallError> {
    let mut record = Record::read(&place.data);
    let is_lost = record == Record::default();
    let old = file::read(&place.target)?;
    let known = record.settings(&place.target);
    let removal = edit(place, old.as_deref(), &known)?;
    let removes = removal != Removal::Unchanged;
    match removal {
        Removal::Unchanged => say_absent(place),
        Removal::Text(new) => show_change(place, old.as_deref(), &new, "change"),
        Removal::NoFile => show_change(place, old.as_deref(), "", "remove"),
    }
    record.forget(&place.target);
    let offered = match Offer::NOTHING.show(place) {
        Ok(offered) => {
            let target = stage::resolve(&place.state);
            record.put_server(&target, place.project.as_deref(), None);
            offered
        }
        Err(error) => {
            let why = ui::line(&chain(&error), 400);
            ui::warn(&format!("Would leave the server of tools where it is: {why}."));
            false
        }
    };
    keep_used(&mut record);
    let copy = (is_lost && (removes || offered)).then(|| copy_of(program, place)).flatten();
    match fate(place, &record, copy) {
        Fate::Remove(copy) => ui::say(&format!("Would remove {}.", ui::path(&copy.path))),
        fate @ (Fate::InUse | Fate::NotOurs | Fate::Gone) => say_kept(place, &fate, &record),
    }
    ui::say("Nothing was changed. Run it without `--dry-run` to do it.");
    Ok(())
}

fn show_change(place: &Place, old: Option<&[u8]>, new: &str, verb: &str) {
    ui::say(&format!("Would {verb} {}:", ui::path(&place.settings)));
    let old = String::from_utf8_lossy(old.unwrap_or_default()).into_owned();
    ui::show(&diff::unified(&ui::path(&place.settings), &old, new));
}

fn write(place: &Place, program: &Path) -> Result<(), InstallError> {
    // Found before anything is made for the lock.
    edit(place, file::read(&place.target)?.as_deref(), &Settings::default())?;
    let keeper = Keeper::lock(&place.data)?;
    let mut record = keeper.read();
    let is_lost = record == Record::default();
    let known = record.settings(&place.target);
    let mut removed = false;
    file::update(&place.target, |old| {
        let removal = edit(place, old, &known)?;
        removed |= removal != Removal::Unchanged;
        Ok(match removal {
            Removal::Unchanged => old.map(<[u8]>::to_vec),
            Removal::Text(text) => Some(text.into_bytes()),
            Removal::NoFile => None,
        })
    })?;
    let offered = Offer::NOTHING.put(place, &keeper, &mut record)?;
    stage::remove_directories(&known.directories);
    record.forget(&place.target);
    keep_used(&mut record);
    keeper.save(&record)?;
    if removed {
        let permissions = if known.granted.is_none() { "" } else { " and the permissions" };
        let settings = ui::path(&place.settings);
        ui::say(&format!("Removed the hooks{permissions} from {settings}."));
    } else {
        say_absent(place);
    }
    say_permitted(place);
    let copy = (is_lost && (removed || offered.changed)).then(|| copy_of(program, place)).flatten();
    match fate(place, &record, copy) {
        Fate::Remove(copy) => {
            binary::remove(&copy.path, &copy.directories)?;
            record.binary = None;
            keeper.save(&record)?;
            ui::say(&format!("Removed {}.", ui::path(&copy.path)));
        }
        fate @ (Fate::InUse | Fate::NotOurs | Fate::Gone) => say_kept(place, &fate, &record),
    }
    say_data(place);
    offered.end()
}

/// What `init` must have copied if its record is lost.
fn copy_of(program: &Path, place: &Place) -> Option<Binary> {
    let is_copy = binary::is_same(program, &place.binary);
    let path = place.binary.clone();
    is_copy.then_some(Binary { path, directories: Vec::new(), checksum: None })
}

fn fate(place: &Place, record: &Record, copy: Option<Binary>) -> Fate {
    if !record.files.is_empty() || !record.servers.is_empty() {
        return Fate::InUse;
    }
    if fs::symlink_metadata(&place.binary).is_err() {
        return Fate::Gone;
    }
    let recorded = record.binary.clone().filter(|it| it.path == place.binary);
    recorded.or(copy).map_or(Fate::NotOurs, Fate::Remove)
}

/// Forgets places in which nothing of ours is any more.
fn keep_used(record: &mut Record) {
    record.files.retain(is_in_use);
    record.servers.retain(tools::is_in_use);
}

/// Whether a settings file may still have our entries. A project that is gone has none; a file
/// that cannot be read or understood may.
fn is_in_use(known: &Settings) -> bool {
    let bytes = match file::read(&known.path) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return false,
        Err(_) => return true,
    };
    let remove = |text| permits::remove(text, &known.made, &known.granted);
    let removal = settings::text(&bytes).and_then(remove);
    removal.map_or(true, |it| it != Removal::Unchanged)
}

fn edit(place: &Place, old: Option<&[u8]>, known: &Settings) -> Result<Removal, InstallError> {
    let Some(old) = old else { return Ok(Removal::Unchanged) };
    let remove = |text| permits::remove(text, &known.made, &known.granted);
    let removal = settings::text(old).and_then(remove);
    removal.map_err(|source| InstallError::Edit { path: place.settings.clone(), source })
}

fn say_absent(place: &Place) {
    ui::say(&format!("{} has no hooks of windlass.", ui::path(&place.settings)));
}

/// A rule does not tell who wrote it; what no record names stays.
fn say_permitted(place: &Place) {
    let Ok(Some(bytes)) = file::read(&place.target) else { return };
    let rules = settings::text(&bytes).and_then(permits::present).unwrap_or_default();
    if !rules.is_empty() {
        ui::say(&format!(
            "Left in permissions.allow, as `init` is not known to have put it there: {}.",
            rules.join(", "),
        ));
    }
}

fn say_kept(place: &Place, fate: &Fate, record: &Record) {
    let copy = ui::path(&place.binary);
    match fate {
        Fate::Remove(_) | Fate::Gone => {}
        Fate::NotOurs => ui::say(&format!(
            "Left {copy}, which `init` did not put there. Delete it if you do not need it.",
        )),
        Fate::InUse => {
            ui::say(&format!("Left {copy}, which these settings still call:"));
            let servers = record.servers.iter().map(|it| it.path.as_path());
            for path in record.files.iter().map(|it| it.path.as_path()).chain(servers) {
                ui::say(&format!("  {}", ui::path(path)));
            }
            ui::say("Next: run `windlass uninstall`, with `--project` in a project, for each.");
        }
    }
}

fn say_data(place: &Place) {
    let data = ui::path(&place.data);
    if fs::remove_dir(&place.data).is_err() && place.data.exists() {
        ui::say(&format!("Your data stay in {data}. Delete that directory to erase them."));
    }
}
