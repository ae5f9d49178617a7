//! Loops as people read them.

use std::fs;

use windlass_core::Timestamp;
use windlass_core::loops::{Iteration, Loop, LoopAuthor, ScriptMark, Until};

use crate::store::{CLAIM, Kept, LoopState, NewLoop};
use crate::ui;

/// Characters of a task, and of a command, in a line.
const TASK: usize = 80;

/// Characters of a path that the user may want to copy.
const PATH: usize = 512;

/// Characters of what was seen.
const DETAIL: usize = 160;

/// Characters of a session's id that are shown; `--session` takes as few.
const ID: usize = 8;

/// Iterations of a loop that are shown.
const ITERATIONS: usize = 10;

/// What was made, and what comes next.
pub(super) fn say_made(gate: &str, new: &NewLoop, session: Option<&str>) {
    let end = if gate == "hold" { "off" } else { "stop" };
    let most = ui::amount(new.limits.rounds, "time");
    let condition = until(&new.until, new.times);
    ui::say(&format!("The {gate} sends the agent on {condition}, {most} at most."));
    if gate == "loop" && new.limits.same_failures > 0 {
        let failures = ui::amount(new.limits.same_failures, "time");
        ui::say(&format!("It ends as stuck when the same failure comes {failures} in a row."));
    }
    match session {
        Some(name) => {
            ui::say(&format!("It belongs to the session {}, from its next stop on.", id(name)));
        }
        None => ui::say(&format!(
            "It waits for the next session of this project. Next: start Claude Code here within {} \
             minutes.",
            CLAIM / 60_000
        )),
    }
    ui::say(&format!(
        "`windlass {gate} status` shows how far it is; `windlass {gate} {end}` ends it."
    ));
}

/// The scripts of a command count as they are from now on.
pub(super) fn say_confirmed(looped: &Loop, command: &str, scripts: &[ScriptMark]) {
    let names: Vec<_> =
        scripts.iter().filter(|it| it.mark.is_some()).map(|it| ui::line(&it.file, PATH)).collect();
    let names = if names.is_empty() { "its task files".to_owned() } else { names.join(", ") };
    let command = ui::line(command, TASK);
    ui::say(&format!(
        "Confirmed {names} for the loop “{}”. It ends as proven at the next stop at which `{command}` \
         passes, unless one of these files changes again.",
        ui::line(&looped.name(), TASK)
    ));
}

/// One of several, as the user may name it.
pub(super) fn named(kept: &Kept) -> String {
    let owner = owner(kept);
    let round = kept.looped.rounds_had();
    format!("{} “{}” ({owner}, {round})", kept.looped.id, task(kept))
}

/// The session that has one.
pub(super) fn owner(kept: &Kept) -> String {
    match &kept.session {
        Some(name) => format!("session {}", id(name)),
        None => "no session yet".to_owned(),
    }
}

/// What was ended.
pub(super) fn say_ended(gate: &str, ended: &[Kept]) {
    if ended.is_empty() {
        ui::say(&format!("No {gate} is open in this project."));
    }
    for kept in ended {
        let rounds = kept.looped.after_rounds();
        ui::say(&format!("Ended the {gate} “{}” {rounds}.", task(kept)));
        if let Until::Unlocked(file) = &kept.looped.until
            && fs::symlink_metadata(file).is_ok()
        {
            ui::say(&format!(
                "Its lock file is still there, and holds nobody here any more. Next: remove {}, so \
                 that other tools let go too.",
                ui::line(file, PATH)
            ));
        }
    }
}

/// Everything about the loops of a project.
pub(super) fn show(gate: &str, found: &[Kept], now: Timestamp) {
    if found.is_empty() {
        let start = if gate == "hold" { "hold on" } else { "loop start" };
        ui::say(&format!("This project has no {gate}. Next: `windlass {start} --help`."));
    }
    for (index, kept) in found.iter().enumerate() {
        if index > 0 {
            ui::say("");
        }
        show_one(kept, now);
    }
}

fn show_one(kept: &Kept, now: Timestamp) {
    let looped = &kept.looped;
    ui::say(&format!(
        "{} {} “{}”: {}, {}",
        looped.gate(),
        looped.id,
        task(kept),
        kept.state.word(),
        if looped.rounds == 0 && matches!(kept.state, LoopState::Over(_)) {
            looped.after_rounds()
        } else {
            looped.rounds_had()
        }
    ));
    let owner = match &kept.session {
        Some(name) => {
            format!("session {}, begun {}", id(name), ui::ago(looped.begun_at, now))
        }
        None => format!("no session has it, made {}", ui::ago(kept.made_at, now)),
    };
    ui::say(&format!("  {}; {owner}; {}", until(&looped.until, looped.times), started_by(kept)));
    let mut limits = Vec::new();
    limits.extend(looped.limits.minutes.map(|it| ui::amount(it, "minute")));
    limits.extend(looped.limits.tokens.map(|it| ui::amount(it, "token")));
    if !limits.is_empty() {
        ui::say(&format!("  at most {}", limits.join(" and ")));
    }
    let hidden = kept.iterations.len().saturating_sub(ITERATIONS);
    if hidden > 0 {
        ui::say(&format!("  … {} before", ui::amount(hidden, "stop")));
    }
    for (number, iteration) in kept.iterations.iter().skip(hidden) {
        let when = ui::ago(iteration.at, now);
        ui::say(&format!(
            "  stop {number:>3}  {:<10}  {when}{}",
            outcome(iteration),
            detail(iteration)
        ));
    }
    match (kept.state, kept.ended_at) {
        (LoopState::Over(_), Some(at)) => {
            let why = ui::line(kept.why.as_deref().unwrap_or_default(), DETAIL);
            ui::say(&format!("  over {}: {why}", ui::ago(at, now)));
        }
        (LoopState::Idle, _) => ui::say("  the agent only talked; it goes on at your next prompt"),
        (LoopState::Waiting, _) => {
            ui::say("  Next: start Claude Code here, within ten minutes of its making");
        }
        (LoopState::Open | LoopState::Over(_), _) => {}
    }
}

/// One that is open, in a few words.
pub(in crate::cmd) fn short(kept: &Kept) -> String {
    let looped = &kept.looped;
    let state = match kept.state {
        LoopState::Waiting => " waits for a session",
        LoopState::Idle => " (idle)",
        LoopState::Open | LoopState::Over(_) => "",
    };
    let author = match looped.author {
        LoopAuthor::User => "",
        LoopAuthor::Agent => " (the agent's own)",
    };
    format!("{} {}/{}{author}{state}", looped.gate(), looped.rounds, looped.limits.rounds)
}

/// Who started it.
fn started_by(kept: &Kept) -> String {
    match (kept.looped.author, &kept.author_session) {
        (LoopAuthor::User, _) => "started by the user".to_owned(),
        (LoopAuthor::Agent, Some(name)) => format!("started by the agent of session {}", id(name)),
        (LoopAuthor::Agent, None) => "started by an agent".to_owned(),
    }
}

fn task(kept: &Kept) -> String {
    ui::line(&kept.looped.name(), TASK)
}

fn id(name: &str) -> String {
    ui::line(&name.chars().take(ID).collect::<String>(), ID)
}

fn until(until: &Until, times: u32) -> String {
    match until {
        Until::Passes(command) if times > 1 => {
            format!(
                "until `{}` exits with 0, {times} times in a row at one stop",
                ui::line(command, TASK)
            )
        }
        Until::Passes(command) => format!("until `{}` exits with 0", ui::line(command, TASK)),
        Until::Seen(words) => {
            format!(
                "until `{}` was seen to pass in the session's directory after the last edit",
                ui::line(words, TASK)
            )
        }
        Until::Released => "until it is released".to_owned(),
        Until::Unlocked(file) => format!("set by the lock file {}", ui::tail(file, DETAIL)),
    }
}

fn outcome(iteration: &Iteration) -> String {
    let word = iteration.outcome.word();
    iteration.outcome.exit().map_or_else(|| word.to_owned(), |code| format!("{word}, {code}"))
}

fn detail(iteration: &Iteration) -> String {
    let detail = iteration.detail.as_deref().unwrap_or_default();
    if detail.is_empty() { String::new() } else { format!(": {}", ui::tail(detail, DETAIL)) }
}
