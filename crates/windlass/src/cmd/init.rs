//! Puts the program at its stable place and its hooks into the client's settings.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::de::IgnoredAny;
use windlass_core::policy::Hooks;

use super::Mode;
use super::tools::Offer;
use crate::agent::claude::client::{self, Client, Version};
use crate::agent::claude::install::permits::{self, Change, Permit};
use crate::agent::claude::install::place::{Place, Scope};
use crate::agent::claude::install::record::{Binary, Keeper, Record, Settings};
use crate::agent::claude::install::settings::{self, Hook, Registration};
use crate::agent::claude::install::{InstallError, binary, file};
use crate::agent::claude::permissions::{self, ObstacleKind};
use crate::agent::claude::{home, register, switches};
use crate::agent::user;
use crate::project::is_git_root;
use crate::{Host, config, diff, git, index, process, shell, stage, ui};

/// How long a program may take to answer.
const LIMIT: Duration = Duration::from_secs(10);

/// How much of a permission rule is shown.
const RULE: usize = 60;

/// Registers windlass, or shows what that would change.
pub(super) fn run(
    host: &Host,
    scope: Scope,
    permit: Permit,
    mode: Mode,
) -> Result<(), InstallError> {
    // The agent does not decide what it may do unasked.
    if let (Permit::Wanted, Mode::Write) = (permit, mode) {
        user::confirm(host, "let the agent change what was learned without asking you")?;
    }
    let place = Place::find(host, scope)?;
    let program = host.program().map_err(|source| InstallError::Program { source })?;
    let registration = registration(host, &place)?;
    let offer = Offer::of(&config::load_user(host).policy);
    match mode {
        Mode::DryRun => show(&place, &program, &registration, permit, offer)?,
        Mode::Write => write(&place, &program, &registration, permit, offer)?,
    }
    warn_of_comments(&place);
    warn_of_switches(host, &place);
    warn_of_path(host, &place);
    warn_of_git(host, &place);
    match permit {
        Permit::Wanted => warn_of_permissions(host, &place),
        Permit::AsItIs => offer_permit(host, &place),
    }
    Ok(())
}

fn registration(host: &Host, place: &Place) -> Result<Registration, InstallError> {
    let version = match client::find(host, LIMIT) {
        Client::Found { path, version } => {
            ui::say(&format!("Found Claude Code {version} ({}).", ui::path(&path)));
            version
        }
        Client::Mute { path } => {
            ui::say(&format!(
                "{} does not tell its version. Assuming {}; run `windlass init` again when it does.",
                ui::path(&path),
                register::NEWEST_TESTED,
            ));
            register::NEWEST_TESTED
        }
        Client::Missing => {
            ui::say(&format!(
                "Found no Claude Code. Assuming {}; run `windlass init` again once it is there.",
                register::NEWEST_TESTED,
            ));
            register::NEWEST_TESTED
        }
    };
    let command = place.binary.to_str();
    let command = command.ok_or_else(|| InstallError::NotText { path: place.binary.clone() })?;
    warn_of_shell(version, command);
    let settings = config::load_user(host);
    for finding in &settings.findings {
        ui::warn(&finding.to_string());
    }
    let has_keys = host.data_dir().is_some_and(|it| index::has_keys(&it));
    let registration = register::registration(version, command, &settings.policy.hooks, has_keys);
    let usual = register::registration(version, command, &Hooks::default(), has_keys).events;
    match (usual.len(), registration.events.len()) {
        (0, _) => Err(InstallError::NoHooks { version: version.to_string() }),
        (_, 0) => Err(InstallError::AllOff),
        (known, _) => {
            let is_off = |hook: &&Hook| registration.events.iter().all(|it| it.event != hook.event);
            let off = usual.iter().filter(is_off).count();
            if off > 0 {
                ui::say(&format!("{off} of {known} events are switched off in your settings."));
            }
            Ok(registration)
        }
    }
}

fn show(
    place: &Place,
    program: &Path,
    registration: &Registration,
    permit: Permit,
    offer: Offer,
) -> Result<(), InstallError> {
    let record = Record::read(&place.data);
    let old = file::read(&place.target)?;
    let change =
        edit(place, old.as_deref(), &record.settings(&place.target), registration, permit)?;
    if !binary::is_same(program, &place.binary) {
        ui::say(&format!("Would copy the program to {}.", ui::path(&place.binary)));
    }
    match change {
        None => ui::say(&format!("{} needs no change.", ui::path(&place.settings))),
        Some(Change { text: new, .. }) => {
            ui::say(&format!("Would change {}:", ui::path(&place.settings)));
            let old = String::from_utf8_lossy(old.as_deref().unwrap_or_default()).into_owned();
            ui::show(&diff::unified(&ui::path(&place.settings), &old, &new));
        }
    }
    offer.show(place)?;
    ui::say("Nothing was changed. Run it without `--dry-run` to do it.");
    Ok(())
}

fn write(
    place: &Place,
    program: &Path,
    registration: &Registration,
    permit: Permit,
    offer: Offer,
) -> Result<(), InstallError> {
    // What keeps the hooks from being registered is found before anything is changed.
    if is_foreign(place) {
        return Err(InstallError::Taken { path: place.binary.clone() });
    }
    let seen = file::read(&place.target)?;
    edit(place, seen.as_deref(), &Settings::default(), registration, permit)?;
    offer.check(place)?;
    let directories = prepare(place)?;
    let done = Keeper::lock(&place.data).and_then(|keeper| {
        let mut record = keeper.read();
        let copied = copy(place, program, &mut record)?;
        keeper.save(&record)?;
        let changed = register(place, registration, permit, &directories, &keeper, &mut record)?;
        Ok((copied, changed, keeper, record))
    });
    let (copied, changed, keeper, mut record) =
        done.inspect_err(|_| stage::remove_directories(&directories))?;
    if copied {
        ui::say(&format!("Copied the program to {}.", ui::path(&place.binary)));
    }
    if changed.hooks {
        let events = ui::amount(registration.events.len(), "event");
        ui::say(&format!("Registered {events} in {}.", ui::path(&place.settings)));
    }
    if changed.rules {
        let settings = ui::path(&place.settings);
        ui::say(&format!("Permitted what the agent settles with `windlass` in {settings}."));
    }
    let offered = offer.put(place, &keeper, &mut record)?;
    if changed.hooks || changed.rules {
        let later =
            if offered.changed { ", and has the tools and skills after a new start" } else { "" };
        ui::say(&format!(
            "Next: start Claude Code. A session that is running reads its settings by itself{later}.",
        ));
        ui::say(&format!("To undo it, run `windlass uninstall{}`.", option(place)));
    } else if offered.changed {
        ui::say("Next: start Claude Code anew; a session that is running does not see the change.");
    } else {
        let settings = ui::path(&place.settings);
        ui::say(&format!("windlass is already installed in {settings}. It was not changed."));
    }
    offered.warn();
    Ok(())
}

/// Whether another program than windlass stands at our place.
fn is_foreign(place: &Place) -> bool {
    let copied = Record::read(&place.data).binary.is_some_and(|it| it.path == place.binary);
    let answer = || process::run(Command::new(&place.binary).arg("--version"), b"", LIMIT);
    let is_windlass = || answer().is_ok_and(|it| it.stdout.starts_with(b"windlass "));
    !copied && place.binary.exists() && !is_windlass()
}

/// Makes sure that the settings can be written, and says which directories that took.
fn prepare(place: &Place) -> Result<Vec<PathBuf>, InstallError> {
    let parent = place.target.parent().unwrap_or(Path::new("/"));
    // A link that leads nowhere is not ours to complete.
    if place.settings.is_symlink() && !parent.exists() {
        let source = io::Error::from(io::ErrorKind::NotFound);
        return Err(InstallError::Write { path: place.target.clone(), source });
    }
    let made = stage::make_directory(parent)
        .map_err(|source| InstallError::Write { path: place.target.clone(), source })?;
    file::probe(&place.target).inspect_err(|_| stage::remove_directories(&made))?;
    Ok(made)
}

fn copy(place: &Place, program: &Path, record: &mut Record) -> Result<bool, InstallError> {
    let is_there = binary::is_same(program, &place.binary);
    if !is_there {
        let directories = binary::copy(program, &place.binary)?;
        match &mut record.binary {
            Some(known) if known.path == place.binary => known.directories.extend(directories),
            other => {
                let path = place.binary.clone();
                *other = Some(Binary { path, directories, checksum: None });
            }
        }
    }
    // An upgrade may have put it there before us.
    if let Some(known) = record.binary.as_mut().filter(|it| it.path == place.binary) {
        known.checksum = binary::checksum(&place.binary).ok();
    }
    Ok(!is_there)
}

/// What was changed in the settings.
#[derive(Debug, Clone, Copy, Default)]
struct Changed {
    hooks: bool,
    rules: bool,
}

fn register(
    place: &Place,
    registration: &Registration,
    permit: Permit,
    directories: &[PathBuf],
    keeper: &Keeper,
    record: &mut Record,
) -> Result<Changed, InstallError> {
    let mut changed = Changed::default();
    file::update(&place.target, |old| {
        let mut known = record.settings(&place.target);
        if !directories.is_empty() {
            directories.clone_into(&mut known.directories);
        }
        let change = edit(place, old, &known, registration, permit)?;
        let new = match change {
            None => old.map(<[u8]>::to_vec),
            Some(change) => {
                changed.hooks |= change.hooks;
                changed.rules |= change.rules;
                known.made = change.made;
                known.granted = change.granted;
                Some(change.text.into_bytes())
            }
        };
        // First the record: an entry without one could not be removed to the byte.
        record.put(known);
        keeper.save(record)?;
        Ok(new)
    })?;
    Ok(changed)
}

fn edit(
    place: &Place,
    old: Option<&[u8]>,
    known: &Settings,
    registration: &Registration,
    permit: Permit,
) -> Result<Option<Change>, InstallError> {
    let insert = |text| permits::insert(text, &known.made, &known.granted, registration, permit);
    let change = old.map(settings::text).transpose().and_then(insert);
    change.map_err(|source| InstallError::Edit { path: place.settings.clone(), source })
}

/// The client reads strict JSON; of a file with comments or trailing commas it loads nothing.
fn warn_of_comments(place: &Place) {
    let Ok(Some(bytes)) = file::read(&place.target) else { return };
    let text = String::from_utf8_lossy(&bytes);
    let read = serde_json::from_str::<IgnoredAny>(text.trim_start_matches('\u{feff}'));
    if let Err(error) = read {
        ui::warn(&format!(
            "Claude Code loads nothing of {}: line {} is not strict JSON. Take out comments and \
             trailing commas, then run `windlass doctor`.",
            ui::path(&place.settings),
            error.line(),
        ));
    }
}

/// The settings files that the client reads beside an administrator's.
fn files(host: &Host, place: &Place) -> Vec<PathBuf> {
    let mut files: Vec<_> = home::settings(host).into_iter().collect();
    if let Some(project) = &place.project {
        files.push(project.join(".claude/settings.json"));
        files.push(place.settings.clone());
    }
    files
}

/// What to add to a command for this place.
fn option(place: &Place) -> &'static str {
    if place.project.is_some() { " --project" } else { "" }
}

fn offer_permit(host: &Host, place: &Place) {
    if !permissions::are_there(&files(host, place)) {
        ui::say(&format!(
            "To let the agent settle what was learned without a prompt, run `windlass init \
             --permit{}`.",
            option(place),
        ));
    }
}

fn warn_of_permissions(host: &Host, place: &Place) {
    for obstacle in permissions::in_the_way(&files(host, place)) {
        let file = ui::path(&obstacle.file);
        ui::warn(&match obstacle.kind {
            ObstacleKind::Denied { rule } => format!(
                "`{}` in permissions.deny of {file} forbids what was permitted. Remove it there.",
                ui::line(&rule, RULE),
            ),
            ObstacleKind::Asked { rule } => format!(
                "`{}` in permissions.ask of {file} makes Claude Code ask all the same. Remove it \
                 there.",
                ui::line(&rule, RULE),
            ),
            ObstacleKind::ManagedOnly { name } => format!(
                "`{name}` in {file} lets only your administrator's permissions count. Ask for \
                 these there.",
            ),
        });
    }
}

fn warn_of_switches(host: &Host, place: &Place) {
    for switch in switches::in_the_way(&files(host, place)) {
        ui::warn(&format!(
            "`{}` in {} switches hooks off. windlass will not run until it is removed.",
            switch.name,
            ui::path(&switch.file),
        ));
    }
}

fn warn_of_path(host: &Host, place: &Place) {
    let Some(directory) = place.binary.parent() else { return };
    if !host.search_path().iter().any(|it| it == directory) {
        ui::warn(&format!(
            "{} is not on PATH. The hooks work; add it to PATH to run `windlass` yourself.",
            ui::path(directory),
        ));
    }
}

/// The entry holds a path of this user, which is of no use to others.
fn warn_of_git(host: &Host, place: &Place) {
    let Some(project) = place.project.as_ref().filter(|it| is_git_root(it)) else {
        return;
    };
    if git::ignores(host, project, &place.settings) == Some(false) {
        ui::warn(&format!(
            "git does not ignore {}. Add `.claude/settings.local.json` to .git/info/exclude.",
            ui::path(&place.settings),
        ));
    }
}

fn warn_of_shell(version: Version, command: &str) {
    if version < register::KNOWS_ARGS && !command.chars().all(shell::is_plain) {
        ui::warn(&format!(
            "Claude Code {version} runs hooks in a shell, which cannot start {command}. Update it.",
        ));
    }
}
