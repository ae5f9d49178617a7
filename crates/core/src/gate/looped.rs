//! Loops and holds: the user wants the agent to go on, or the agent set itself to go on.

use super::{Answer, Caps, Gate, MAX_NAME, Missing, View, listed};
use crate::arbiter::Standing;
use crate::excerpt::ending;
use crate::foreign;
use crate::loops::{End, Iteration, LockState, Loop, LoopAuthor, Progress, Until};
use crate::policy::Mode;
use crate::{Outcome, Release};

/// What satisfies a hold for a while.
const NEXT_STEP: &str = "Take the next useful step; look for what is unproven or unfinished.";

/// Scripts that are named.
const NAMED: usize = 5;

/// What the user is told of rows that are not understood.
const UNREADABLE: &str = "a loop or a hold of this session cannot be read, and holds nobody. Next: \
    `windlass store check`.";

/// Characters of the words beside a lock file that the agent reads.
const MAX_CONTINUATION: usize = 1000;

pub(super) const LOOP: Gate = Gate {
    name: "loop",
    about: "A loop that the user or the agent started, until its condition is proven.",
    // Who starts one wants it.
    mode: |_| Mode::Ask,
    caps: Caps::Own,
    look: |view| look(view, "loop"),
    next: "",
};

pub(super) const HOLD: Gate = Gate {
    name: "hold",
    about: "A hold that the user or the agent set, until it is released.",
    mode: |_| Mode::Ask,
    caps: Caps::Own,
    look: hold,
    next: "",
};

/// The user's own hold comes first; else the lock file of another tool may be one.
fn hold(view: &View<'_>) -> Answer {
    if let Some(own) = view.loops().find(|it| it.until == Until::Released) {
        return answer(view, own);
    }
    match view.facts.lock.as_ref().map(|it| (&it.file, &it.state)) {
        Some((_, LockState::Set { .. } | LockState::Gone)) => look(view, "hold"),
        Some((file, LockState::Unreadable(why))) if view.loops().any(|it| it.gate() == "hold") => {
            unproven(unknown(file, why))
        }
        Some((file, LockState::Unreadable(why))) => Answer::CouldNotRun(unknown(file, why)),
        // Nobody wants it read.
        None => Answer::Pass,
    }
}

/// Why nobody knows what became of a command or a file.
fn unknown(subject: &str, why: &str) -> String {
    format!("`{}`: {}.", foreign::line(subject, MAX_NAME), foreign::line(why, 400))
}

fn look(view: &View<'_>, gate: &str) -> Answer {
    let looped = view.loops().find(|it| it.gate() == gate);
    let answer = looped.map_or(Answer::Pass, |it| answer(view, it));
    // What cannot be read holds nobody, and the user is to know.
    if gate == "loop" && view.looping.unreadable > 0 && view.agent.is_empty() {
        return Answer::Several(vec![answer, Answer::CouldNotRun(UNREADABLE.to_owned())]);
    }
    answer
}

fn answer(view: &View<'_>, looped: &Loop) -> Answer {
    match looped.progress(view) {
        Progress::Proven(_) | Progress::Released(_) => Answer::Pass,
        Progress::Over(_, limit) => {
            Answer::LetGo(Release::LoopLimit, format!("{}: {limit}", End::Capped.word()))
        }
        Progress::Stuck(..) => Answer::LetGo(Release::Stuck, End::Stuck.word().to_owned()),
        Progress::Unconfirmed(_, changed) => Answer::Several(vec![
            Answer::Advise(changed_scripts(looped, &changed, true)),
            Answer::LetGo(Release::Unconfirmed, "it passes, and is not confirmed".to_owned()),
        ]),
        Progress::Unknown(iteration) => unproven(why(looped, &iteration)),
        Progress::Open(iteration) => {
            let ask = Answer::Ask(missing(view, looped, &iteration));
            match looped.changed_scripts(view) {
                changed if changed.is_empty() => ask,
                changed => {
                    let told = changed_scripts(looped, &changed, false);
                    Answer::Several(vec![ask, Answer::Advise(told)])
                }
            }
        }
        // It is let go whatever the command would say.
        Progress::Untried(iteration) if Standing::releases(view) => {
            Answer::Ask(missing(view, looped, &iteration))
        }
        Progress::Untried(iteration) => unproven(why(looped, &iteration)),
    }
}

/// The agent may stop because nobody can tell how the condition stands, and the user is told.
fn unproven(why: String) -> Answer {
    let said = "not known".to_owned();
    Answer::Several(vec![Answer::CouldNotRun(why), Answer::LetGo(Release::Unproven, said)])
}

/// What the user reads of scripts that are not as they were when the loop was given its command.
fn changed_scripts(looped: &Loop, changed: &[String], passes: bool) -> String {
    let names = listed(changed, NAMED, |it| format!("`{}`", foreign::line(it, MAX_NAME)));
    let (does, goes_on) = if passes {
        ("passes, but does not count yet", " The loop stays open.")
    } else {
        ("will not count when it passes", "")
    };
    let since = match looped.author {
        LoopAuthor::User => "since you gave it",
        LoopAuthor::Agent => "since the agent gave it",
    };
    format!(
        "The command of the loop “{}” {does}: {names} changed {since}.{goes_on} Look at \
         the change; `windlass loop confirm {}` accepts it, `windlass loop stop {}` ends the loop.",
        looped.name(),
        looped.id,
        looped.id,
    )
}

fn why(looped: &Loop, iteration: &Iteration) -> String {
    let subject = match &looped.until {
        Until::Passes(text) | Until::Seen(text) | Until::Unlocked(text) => text,
        Until::Released => "",
    };
    unknown(subject, iteration.detail.as_deref().unwrap_or("it was not run"))
}

/// Whose loop is open. The user reads this too, so an agent is not addressed here.
fn opening(author: LoopAuthor) -> &'static str {
    match author {
        LoopAuthor::User => "The user's loop is open",
        LoopAuthor::Agent => "The agent's own loop is open",
    }
}

fn missing(view: &View<'_>, looped: &Loop, iteration: &Iteration) -> Missing {
    let name = looped.name();
    // Where the agent is let go, no round begins.
    let round = if Standing::releases(view) {
        looped.rounds_had()
    } else {
        format!("round {} of at most {}", looped.rounds + 1, looped.limits.rounds)
    };
    let detail = |before: &str| match &iteration.detail {
        Some(it) => format!("{before}{}", foreign::line(&ending(it, 400), 400)),
        None => String::new(),
    };
    match &looped.until {
        Until::Released => Missing {
            found: match looped.author {
                LoopAuthor::User => format!("The user wants the work to go on ({round}): {name}."),
                LoopAuthor::Agent => format!("The agent's own hold is on ({round}): {name}."),
            },
            satisfy: NEXT_STEP.to_owned(),
            about: Vec::new(),
        },
        Until::Unlocked(_) => Missing {
            found: match view.facts.lock.as_ref().map(|it| &it.state) {
                Some(LockState::Set { text, .. }) if !text.trim().is_empty() => format!(
                    "The project's lock file keeps the work going ({round}): “{}”",
                    foreign::line(text, MAX_CONTINUATION)
                ),
                _ => format!("The project's lock file keeps the work going ({round})."),
            },
            satisfy: NEXT_STEP.to_owned(),
            about: Vec::new(),
        },
        Until::Passes(command) => {
            let command = foreign::line(command, MAX_NAME);
            let ended = match iteration.outcome {
                Outcome::Failed(Some(code)) => format!("exits with {code}"),
                Outcome::Failed(None) => "was ended by a signal".to_owned(),
                Outcome::Passed | Outcome::Unknown => "was not run".to_owned(),
            };
            let said = match detail(" It says: ") {
                said if said.is_empty() || said.ends_with('.') => said,
                said => said + ".",
            };
            Missing {
                found: format!(
                    "{} ({round}): {name}. `{command}` {ended}.{said}",
                    opening(looped.author)
                ),
                satisfy: "Go on until it exits with 0. windlass runs it again when you stop."
                    .to_owned(),
                about: Vec::new(),
            }
        }
        Until::Seen(words) => {
            let words = foreign::line(words, MAX_NAME);
            let said = detail(": ");
            Missing {
                found: format!(
                    "{} ({round}): {name}. `{words}` has not passed{said}.",
                    opening(looped.author)
                ),
                satisfy: format!(
                    "Go on until it passes. Run `{words}` as a whole command line, after your last \
                     edit: behind a pipe such as `| tail -1`, or with another command after it, it \
                     counts only where a summary that windlass knows stays visible."
                ),
                about: Vec::new(),
            }
        }
    }
}
