//! The condition of a new loop: what the user gives is looked at before anybody waits for it.

use std::path::{Path, PathBuf};

use windlass_core::evidence::{Condition, Pattern, RunKind};
use windlass_core::loops::{MAX_SEEN, MAX_TASK, ScriptMark, Until};

use super::LoopError;
use super::changes::seen_scripts;
use crate::cli::LoopStart;
use crate::look::scripts_of;
use crate::process::is_program;
use crate::{Host, redact, ui};

/// Where a shell looks for programs whose environment names no place.
const DEFAULT_PATH: &[&str] = &["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/// Programs whose operands are not only what they run.
const NAME_MORE: &[&str] =
    &["su", "runuser", "script", "flock", "sg", "watch", "parallel", "env", "find", "fd"];

/// Characters of a name.
const NAME: usize = 80;

/// The condition that the arguments give.
pub(super) fn until(start: &LoopStart) -> Result<Until, LoopError> {
    let (text, is_seen) = match (&start.until, &start.until_seen) {
        (Some(command), _) => (command, false),
        (None, words) => (words.as_ref().ok_or(LoopError::NotPlain)?, true),
    };
    // Without its secret it would be another command.
    if redact::sees_secret(text) {
        return Err(LoopError::Secret);
    }
    if !is_seen {
        return Ok(Until::Passes(text.clone()));
    }
    let is_short = text.chars().count() <= MAX_SEEN;
    let pattern = Pattern::of(RunKind::Test, text).ok().filter(|_| is_short);
    pattern.map(|_| Until::Seen(text.clone())).ok_or(LoopError::NotPlain)
}

/// Refuses a text that an ask could not show whole.
pub(super) fn check_length(what: &'static str, text: &str) -> Result<(), LoopError> {
    match text.chars().count() {
        length if length > MAX_TASK => Err(LoopError::TooLong { what, length }),
        _ => Ok(()),
    }
}

/// Looks whether a command can be run in a directory, and returns its scripts as they are there. One
/// command without its program is refused; of a line that might bring it, the user is warned.
pub(super) fn look_at(
    host: &Host,
    until: &Until,
    directory: &Path,
) -> Result<Vec<ScriptMark>, LoopError> {
    let command = match until {
        Until::Passes(command) => command,
        // The agent runs it, and may find another program there.
        Until::Seen(command) => {
            let program = Condition::of(command).program;
            if let Some(program) = program.filter(|it| !is_there(host, it, directory)) {
                ui::warn(&format!(
                    "`{}`, the first word of the command, is not found from here; the loop stays \
                     open until the agent was seen to run it",
                    ui::line(&program, NAME)
                ));
            }
            return Ok(seen_scripts(command, directory, &search_places(host)));
        }
        Until::Released | Until::Unlocked(_) => return Ok(Vec::new()),
    };
    let Condition { program, is_one_command, scripts: named, programs, .. } =
        Condition::of(command);
    // Behind some programs stand names of users, files and numbers beside the one that is run.
    let is_clear = !command.split_whitespace().any(|it| NAME_MORE.contains(&it));
    let is_later = |it: &&String| is_clear && Some(*it) != program.as_ref();
    for later in programs.iter().filter(is_later).filter(|it| !is_there(host, it, directory)) {
        let later = ui::line(later, NAME);
        ui::warn(&format!(
            "`{later}`, which the command runs, is not found from here; at a stop where the command \
             cannot be run, the loop asks nothing and you are told"
        ));
    }
    if let Some(program) = program.filter(|it| !is_there(host, it, directory)) {
        let program = ui::line(&program, NAME);
        if is_one_command {
            let is_file = program.contains('/') && directory.join(&program).is_file();
            let why =
                if is_file { "the file is not executable" } else { "there is no such program" };
            return Err(LoopError::NoProgram { program, why });
        }
        ui::warn(&format!(
            "`{program}`, the first word of the command, is not found from here; at a stop where \
             the command cannot be run, the loop asks nothing and you are told"
        ));
    }
    let scripts = scripts_of(command, directory, &search_places(host));
    for missing in scripts.iter().filter(|it| it.mark.is_none() && named.contains(&it.file)) {
        ui::warn(&format!(
            "{} is not there yet; what is written there later counts after `windlass loop confirm`",
            ui::line(&missing.file, NAME)
        ));
    }
    Ok(scripts)
}

fn is_there(host: &Host, program: &str, directory: &Path) -> bool {
    if program.contains('/') {
        return is_program(&directory.join(program));
    }
    search_places(host).iter().any(|it| is_program(&it.join(program)))
}

/// Where a shell looks for programs.
pub(super) fn search_places(host: &Host) -> Vec<PathBuf> {
    let places = host.search_path();
    if places.is_empty() { DEFAULT_PATH.iter().map(PathBuf::from).collect() } else { places }
}
