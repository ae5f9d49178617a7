//! Which of the open loops or holds of a project a command is about.

use std::path::Path;

use windlass_core::loops::Until;

use super::changes::{self, Given};
use super::condition::search_places;
use super::{LoopError, Site, text};
use crate::agent::user;
use crate::store::{Kept, LoopState};
use crate::{Host, ui};

/// Characters of a name.
const NAME: usize = 64;
/// Characters of a command.
const COMMAND: usize = 200;

/// Ends the loop or the hold that the user means.
pub(super) fn stop(
    host: &Host,
    site: &mut Site<'_>,
    gate: &'static str,
    name: Option<&str>,
) -> Result<(), LoopError> {
    let command = if gate == "hold" { "hold off" } else { "loop stop" };
    let chosen = choose(site, (gate, command), name, |_| true)?;
    if let Some(kept) = &chosen {
        let task = ui::line(&kept.looped.name(), NAME);
        user::confirm(host, &format!("end the {gate} “{task}”"))?;
        site.store.stop_loop(kept.looped.id, &site.directory, site.now, &site.around)?;
    }
    text::say_ended(gate, chosen.as_slice());
    Ok(())
}

/// Accepts the scripts of a loop's command as they are now.
pub(super) fn confirm(host: &Host, name: Option<&str>) -> Result<(), LoopError> {
    user::refuse_agents(host)?;
    let mut site = Site::find(host)?;
    let has_command = |it: &Kept| matches!(it.looped.until, Until::Passes(_) | Until::Seen(_));
    let chosen = choose(&mut site, ("loop", "loop confirm"), name, has_command)?;
    let Some(Kept { looped, directory, .. }) = chosen else {
        return Err(LoopError::NothingToConfirm);
    };
    let (Until::Passes(command) | Until::Seen(command)) = &looped.until else {
        return Err(LoopError::NothingToConfirm);
    };
    let directory = directory.as_deref().map_or(site.directory.as_path(), Path::new);
    // Taken before anything is shown: what is accepted is what the user looked at.
    let work = site.store.work_of_loop(looped.id)?;
    let given = Given {
        looped: &looped,
        command,
        directory,
        edited: looped.edited_files(&work, &directory.to_string_lossy()),
        steering: looped.steering_files(&work, &directory.to_string_lossy()),
    };
    let now = changes::look(&given, &search_places(host));
    let told = changes::say(host, &given, &now)?;
    if told.count == 0 {
        let (command, uncompared) = (ui::line(command, COMMAND), told.uncompared);
        return Err(LoopError::Unchanged { command, uncompared });
    }
    let files = ui::amount(told.count, "changed file");
    let task = ui::line(&looped.name(), NAME);
    user::confirm(host, &format!("accept {files} of the loop “{task}”"))?;
    now.check(directory)?;
    site.store.confirm_loop(looped.id, &now.scripts, work.step)?;
    text::say_confirmed(&looped, command, &now.scripts);
    Ok(())
}

/// Whether a name is that of a loop: its number, or the beginning of its session's name.
pub(super) fn is_named(kept: &Kept, name: &str) -> bool {
    let is_of = kept.session.as_ref().is_some_and(|it| it.starts_with(name));
    kept.looped.id.to_string() == name || is_of && name.len() >= 4
}

/// The open one with this name, or the only one; none where none is open.
fn choose(
    site: &mut Site<'_>,
    (gate, command): (&'static str, &'static str),
    name: Option<&str>,
    is_fit: impl Fn(&Kept) -> bool,
) -> Result<Option<Kept>, LoopError> {
    let mut open = site.store.loops(gate, &site.directory, site.now, &site.around)?;
    open.retain(|it| !matches!(it.state, LoopState::Over(_)) && is_fit(it));
    if let Some(name) = name {
        open.retain(|it| is_named(it, name));
        if open.is_empty() {
            return Err(LoopError::Unknown { gate, name: ui::line(name, NAME) });
        }
    }
    match open.len() {
        0 | 1 => Ok(open.pop()),
        _ => Err(LoopError::Several {
            gate,
            command,
            first: open.last().map_or(1, |it| it.looped.id),
            found: open.iter().rev().map(text::named).collect(),
        }),
    }
}
