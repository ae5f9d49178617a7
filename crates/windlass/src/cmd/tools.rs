//! What the agent is offered beside the hooks: the server of tools, and the skills. `init` puts
//! them where the client looks for them, `uninstall` takes them back.

use std::path::Path;

use windlass_core::policy::Policy;

use crate::agent::claude::install::origin::Removal;
use crate::agent::claude::install::place::Place;
use crate::agent::claude::install::record::{Keeper, Record, Server};
use crate::agent::claude::install::servers::{self, Added, Known};
use crate::agent::claude::install::skills::{self, SKILLS, Standing};
use crate::agent::claude::install::{InstallError, file, settings};
use crate::failure::chain;
use crate::{stage, ui};

/// What the agent is to be offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Offer {
    server: bool,
    skills: bool,
}

impl Offer {
    /// What the settings of the user want.
    pub(super) fn of(policy: &Policy) -> Self {
        Self { server: cfg!(feature = "mcp") && policy.mcp.enabled, skills: policy.skills.enabled }
    }

    /// Nothing at all.
    pub(super) const NOTHING: Self = Self { server: false, skills: false };

    /// Finds what is wrong before anything is changed: the client's state may be halfway through
    /// a change of somebody else.
    pub(super) fn check(self, place: &Place) -> Result<(), InstallError> {
        if !self.server {
            return Ok(());
        }
        let target = stage::resolve(&place.state);
        edit(self, place, file::read(&target)?.as_deref(), &Added::default()).map(drop)
    }

    /// Says what would change.
    pub(super) fn show(self, place: &Place) -> Result<bool, InstallError> {
        let record = Record::read(&place.data);
        let target = stage::resolve(&place.state);
        let old = file::read(&target)?;
        let added = record.server(&target, place.project.as_deref());
        let added = added.map(|it| it.added.clone()).unwrap_or_default();
        let state = ui::path(&place.state);
        // The file holds what is nobody's business: of it nothing is shown.
        let mut changes = true;
        match (edit(self, place, old.as_deref(), &added)?, self.server) {
            (Edit::Nothing, _) => changes = false,
            (_, true) => ui::say(&format!("Would register the server of tools in {state}.")),
            (_, false) => ui::say(&format!("Would remove the server of tools from {state}.")),
        }
        for (skill, path) in places(place) {
            match (skill.standing(&path, &record.skills), self.skills) {
                (Standing::Absent | Standing::Old, true) => {
                    ui::say(&format!("Would write {}.", ui::path(&path)));
                    changes = true;
                }
                (Standing::Current | Standing::Old, false) => {
                    ui::say(&format!("Would remove {}.", ui::path(&path)));
                    changes = true;
                }
                (Standing::Current | Standing::Changed, true)
                | (Standing::Absent | Standing::Changed, false) => {}
            }
        }
        Ok(changes)
    }

    /// Makes it so, as far as it goes: the hooks work without any of it.
    pub(super) fn put(
        self,
        place: &Place,
        keeper: &Keeper,
        record: &mut Record,
    ) -> Result<Put, InstallError> {
        let mut put = Put::default();
        match self.put_server(place, keeper, record) {
            Ok(changed) => put.changed |= changed,
            Err(error) if self.server => put.not_done("no tools of windlass", error),
            Err(error) => {
                // Where the record is lost, nobody knows whether it is there.
                let target = stage::resolve(&place.state);
                let is_there = record.server(&target, place.project.as_deref()).is_some();
                if is_there || *record == Record::default() {
                    let source = Box::new(error);
                    let stays = InstallError::Stays { path: place.state.clone(), source };
                    put.not_done("the tools of windlass still", stays);
                }
            }
        }
        self.put_skills(place, keeper, record, &mut put)?;
        Ok(put)
    }

    fn put_server(
        self,
        place: &Place,
        keeper: &Keeper,
        record: &mut Record,
    ) -> Result<bool, InstallError> {
        let target = stage::resolve(&place.state);
        let project = place.project.as_deref();
        let mut changed = false;
        file::update(&target, |old| {
            let known = record.server(&target, project).map(|it| it.added.clone());
            let done = edit(self, place, old, &known.unwrap_or_default())?;
            changed |= !matches!(done, Edit::Nothing);
            Ok(match done {
                Edit::Nothing => old.map(<[u8]>::to_vec),
                Edit::In(text, added) => {
                    // First the record: an entry without one could not be removed to the byte.
                    record.put_server(&target, project, Some(added));
                    keeper.save(record)?;
                    Some(text.into_bytes())
                }
                Edit::Out(text) => text.map(String::into_bytes),
            })
        })?;
        if !self.server {
            record.put_server(&target, project, None);
            keeper.save(record)?;
        }
        let state = ui::path(&place.state);
        match (changed, self.server) {
            (true, true) => ui::say(&format!("Registered the server of tools in {state}.")),
            (true, false) => ui::say(&format!("Removed the server of tools from {state}.")),
            (false, _) => {}
        }
        if self.server && is_other(&target, project) {
            ui::warn(&format!(
                "{state} has another server with the name `{}`. It was left as it is, and the \
                 agent has no tools of windlass. Rename it there, then run `windlass init` again.",
                servers::NAME,
            ));
        }
        Ok(changed)
    }

    fn put_skills(
        self,
        place: &Place,
        keeper: &Keeper,
        record: &mut Record,
        put: &mut Put,
    ) -> Result<(), InstallError> {
        let mut removed = Vec::new();
        for (skill, path) in places(place) {
            match (skill.standing(&path, &record.skills), self.skills) {
                (Standing::Absent | Standing::Old, true) => {
                    let written = match skill.write(&path, &record.skills) {
                        Ok(written) => written,
                        Err(error) => {
                            put.not_done(&format!("no skill {}", skill.name), error);
                            continue;
                        }
                    };
                    record.skills.retain(|it| it.path != path);
                    record.skills.push(written);
                    keeper.save(record)?;
                    ui::say(&format!("Wrote the skill {}.", skill.name));
                    put.changed = true;
                }
                (Standing::Changed, true) => {
                    ui::say(&format!("Left {}, which is not what `init` wrote.", ui::path(&path)));
                }
                (Standing::Current, true) => {}
                (standing, false) => {
                    if matches!(standing, Standing::Current | Standing::Old) {
                        if let Err(error) = skills::remove(&path) {
                            put.not_done(&format!("the skill {} still", skill.name), error);
                            continue;
                        }
                        ui::say(&format!("Removed the skill {}.", skill.name));
                        put.changed = true;
                    } else if standing == Standing::Changed {
                        ui::say(&format!(
                            "Left {}, which is not what `init` wrote. Delete it if you do not \
                             need it.",
                            ui::path(&path)
                        ));
                    }
                    removed.push(path);
                }
            }
        }
        skills::remove_directories(&removed, &record.skills);
        record.skills.retain(|it| !removed.contains(&it.path));
        keeper.save(record)
    }
}

/// What came of an offer.
#[derive(Debug, Default)]
pub(super) struct Put {
    /// Whether anything was other before.
    pub(super) changed: bool,
    /// What the agent has or has not because of what went wrong.
    left: Vec<(String, InstallError)>,
}

impl Put {
    fn not_done(&mut self, what: &str, error: InstallError) {
        self.left.push((what.to_owned(), error));
    }

    /// Tells what could not be done, as something that can be mended.
    pub(super) fn warn(self) {
        for (what, error) in self.left {
            let why = ui::line(&chain(&error), 400);
            ui::warn(&format!("The agent has {what}: {why}. Next: {}.", error.hint()));
        }
    }

    /// The first thing that could not be done; the others are told.
    pub(super) fn end(mut self) -> Result<(), InstallError> {
        if self.left.is_empty() {
            return Ok(());
        }
        let (_, first) = self.left.remove(0);
        self.warn();
        Err(first)
    }
}

/// What becomes of the client's state file.
enum Edit {
    Nothing,
    In(String, Added),
    /// Without ours; no text is no file.
    Out(Option<String>),
}

fn edit(
    offer: Offer,
    place: &Place,
    old: Option<&[u8]>,
    added: &Added,
) -> Result<Edit, InstallError> {
    let project = place.project.as_deref();
    let wrong = |source| InstallError::State { path: place.state.clone(), source };
    let text = old.map(settings::text).transpose().map_err(wrong)?;
    if offer.server {
        let command = place.binary.to_string_lossy();
        let new = servers::insert(text, added, project, &command).map_err(wrong)?;
        return Ok(new.map_or(Edit::Nothing, |(text, added)| Edit::In(text, added)));
    }
    let Some(text) = text else { return Ok(Edit::Nothing) };
    Ok(match servers::remove(text, added, project).map_err(wrong)? {
        Removal::Unchanged => Edit::Nothing,
        Removal::Text(text) => Edit::Out(Some(text)),
        Removal::NoFile => Edit::Out(None),
    })
}

fn is_other(target: &Path, project: Option<&Path>) -> bool {
    let bytes = file::read(target).ok().flatten().unwrap_or_default();
    let known = settings::text(&bytes).and_then(|it| servers::known(it, project));
    known == Ok(Known::Other)
}

/// Every skill with its place, where there is one.
fn places(place: &Place) -> impl Iterator<Item = (&'static skills::Skill, std::path::PathBuf)> {
    let directory = place.skills.as_deref();
    SKILLS.iter().filter_map(move |it| Some((it, it.path(directory?))))
}

/// Whether the client may still start our server from a place that `init` put it into.
pub(super) fn is_in_use(server: &Server) -> bool {
    // In a project that is gone nobody starts it.
    if server.project.as_ref().is_some_and(|it| !it.exists()) {
        return false;
    }
    match file::read(&server.path) {
        Ok(Some(bytes)) => {
            let known =
                settings::text(&bytes).and_then(|it| servers::known(it, server.project.as_deref()));
            !matches!(known, Ok(Known::Not | Known::Other))
        }
        Ok(None) => false,
        Err(_) => true,
    }
}
