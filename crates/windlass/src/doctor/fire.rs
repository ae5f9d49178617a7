//! Every registered hook, run by the very command line that the client would run.
//!
//! Each gets a recorded event, in a home that is thrown away. What the client would complain of or
//! pass by in silence is found here: a wrong exit code, words on a stream, an event that is not
//! kept, a process that hangs.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

use super::installation::Installation;
use super::program::Program;
use super::sample::Sample;
use super::throwaway::Throwaway;
use super::{Finding, Severity, listed};
use crate::agent::claude::accepts;
use crate::agent::claude::registered::Entry;
use crate::process::{self, Ended, RunError};
use crate::{env, ui};

/// How long all hooks may take together; those that are left are not fired, and that is told.
const LIMIT: Duration = Duration::from_secs(6);

/// Time that a hook must have left.
const ENOUGH: Duration = Duration::from_secs(1);

/// How long one hook is waited for, though the client may wait longer.
const PATIENCE: f64 = 3.0;

/// How often a hook is run to see how long it takes, after the run that is judged.
const ROUNDS: usize = 3;

/// A hook that takes so many times as long as `/bin/true`, and so long, is slow.
const SLOW: u32 = 20;
const NOTICEABLE: Duration = Duration::from_millis(100);

/// What is wrong with a hook. Hooks with the same wrong are told together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Wrong {
    command: String,
    what: What,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    NotStarted(String),
    Hangs,
    Code(String),
    Stdout(String),
    Stderr(String),
    Failed(String),
    NotRecorded,
    /// So many tenths of a second, at least.
    Slow(u128),
    NotFired,
    Untried(&'static str),
}

/// Fires every hook of ours that can be started.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let mut wrongs: BTreeMap<Wrong, Vec<&str>> = BTreeMap::new();
    for entry in &it.entries {
        if let Some(why) = it.why_untried(entry) {
            let wrong = Wrong { command: entry.line(), what: What::Untried(why) };
            wrongs.entry(wrong).or_default().push(&entry.event);
        }
    }
    let hooks = hooks(it);
    if hooks.is_empty() {
        return told(&wrongs);
    }
    let home = match Throwaway::make(it.host) {
        Ok(home) => home,
        Err(error) => {
            let place = it.host.temporary_dir();
            let found = format!("No directory can be made in {}: {error}.", place.display());
            let next = "set TMPDIR to a directory that you can write".to_owned();
            return vec![Finding::warning(found, "the hooks were not tried", next)];
        }
    };
    let deadline = Instant::now() + LIMIT;
    for (number, (entry, sample)) in hooks.into_iter().enumerate() {
        let left = deadline.saturating_duration_since(Instant::now());
        let command = entry.line();
        // One that hangs once would hang again, and nobody has the time.
        let hangs = Wrong { command: command.clone(), what: What::Hangs };
        if let Some(events) = wrongs.get_mut(&hangs) {
            events.push(&entry.event);
        } else if let Some(what) = fire(it, &home, (entry, number), sample, left) {
            wrongs.entry(Wrong { command, what }).or_default().push(&entry.event);
        }
    }
    told(&wrongs)
}

fn told(wrongs: &BTreeMap<Wrong, Vec<&str>>) -> Vec<Finding> {
    wrongs.iter().map(|(wrong, events)| wrong.finding(events)).collect()
}

/// The hooks to fire: each once, wherever it stands, and only if there is a windlass to start and
/// nothing else would be started with it.
fn hooks<'i>(it: &'i Installation<'_>) -> Vec<(&'i Entry, &'static Sample)> {
    let mut hooks: Vec<(&Entry, &Sample)> = Vec::new();
    for entry in it.entries.iter().filter(|entry| it.why_untried(entry).is_none()) {
        let program = it.program(entry).and_then(|path| it.programs.get(&path));
        let is_known =
            hooks.iter().any(|(known, _)| known.event == entry.event && known.is_same_hook(entry));
        if let (Some(Program::Windlass { .. }), Some(sample), false) =
            (program, Sample::of(&entry.event), is_known)
        {
            hooks.push((entry, sample));
        }
    }
    hooks.sort_by_key(|(_, sample)| sample.turn());
    hooks
}

/// A payload of a session with another number.
fn in_session(payload: &str, number: usize) -> String {
    let parsed = serde_json::from_str::<serde_json::Value>(payload).unwrap_or_default();
    let session = parsed["session_id"].as_str().unwrap_or_default();
    match session.get(..session.len().saturating_sub(4)) {
        Some(start) if !start.is_empty() => {
            payload.replace(session, &format!("{start}{number:04x}"))
        }
        _ => payload.to_owned(),
    }
}

fn fire(
    it: &Installation<'_>,
    home: &Throwaway,
    (entry, number): (&Entry, usize),
    sample: &Sample,
    left: Duration,
) -> Option<What> {
    let patience = Duration::from_secs_f64(entry.timeout.unwrap_or(PATIENCE).clamp(0.1, PATIENCE));
    // With less than that a good hook would look like one that hangs.
    if left < ENOUGH {
        return Some(What::NotFired);
    }
    let limit = patience.min(left);
    // Each has a session of its own: of two that report the same event one stays silent.
    let payload = in_session(&sample.payload(&home.config(), &home.project()), number);
    let run = || {
        let mut command = entry.process(&it.whereabouts());
        home.settle(&mut command);
        let project = entry.source.project.as_deref().or(it.project.as_deref());
        command
            .env(env::CLAUDECODE, "1")
            // The session of an agent that runs us is not that of the hook.
            .env_remove(env::CLAUDE_CODE_SESSION_ID)
            .env_remove(env::CLAUDE_PID)
            .env("CLAUDE_PROJECT_DIR", project.unwrap_or(&home.project()));
        if let Some(plugin) = &entry.source.plugin {
            command.env("CLAUDE_PLUGIN_ROOT", &plugin.root);
        }
        process::run(&mut command, payload.as_bytes(), limit)
    };
    let (recorded, failures) = (home.recorded(sample.kind), home.failures().len());
    let ended = match run() {
        Ok(ended) => ended,
        Err(RunError::Start(error)) => return Some(What::NotStarted(error.to_string())),
        Err(RunError::TooLong(_)) => return Some(What::Hangs),
    };
    if let Some(what) = judge(&ended, sample) {
        return Some(what);
    }
    if let Some(failed) = home.failures().get(failures) {
        return Some(What::Failed(format!("{}: {}", failed.doing, failed.error)));
    }
    if home.recorded(sample.kind) <= recorded {
        return Some(What::NotRecorded);
    }
    measure(run, left)
}

fn judge(ended: &Ended, sample: &Sample) -> Option<What> {
    let shown = |bytes: &[u8]| ui::line(&String::from_utf8_lossy(bytes), 80);
    match (ended.code, ended.signal) {
        (Some(0), _) => {}
        (Some(code), _) => return Some(What::Code(format!("code {code}"))),
        (None, signal) => {
            return Some(What::Code(format!("signal {}", signal.unwrap_or_default())));
        }
    }
    if !ended.stderr.is_empty() {
        return Some(What::Stderr(shown(&ended.stderr)));
    }
    let refused = accepts(sample.event, &ended.stdout).err()?;
    Some(What::Stdout(format!("{refused}: `{}`", shown(&ended.stdout))))
}

/// Compares with a program that does nothing, run in between: a busy machine slows down both. A
/// hook is slow if it was never fast; how long it takes as a rule is told.
fn measure(run: impl Fn() -> Result<Ended, RunError>, left: Duration) -> Option<What> {
    let started = Instant::now();
    let (mut ours, mut others) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        if started.elapsed() * 2 > left {
            return None;
        }
        let other = process::run(&mut Command::new("/bin/true"), b"", left);
        ours.push(run().ok()?.took);
        others.push(other.ok()?.took);
    }
    ours.sort_unstable();
    others.sort_unstable();
    let (fastest, median, other) = (ours[0], ours[ROUNDS / 2], others[ROUNDS / 2]);
    is_slow(fastest, other).then_some(What::Slow(median.as_millis() / 100))
}

fn is_slow(ours: Duration, other: Duration) -> bool {
    ours > NOTICEABLE && ours > other * SLOW
}

impl Wrong {
    fn finding(&self, events: &[&str]) -> Finding {
        let (command, events) = (&self.command, listed(events));
        let (severity, found, why, next) = self.what.words();
        let found = format!("`{command}` {found} on {events}.");
        Finding::new(severity, found, why, next.replace("COMMAND", command))
    }
}

impl What {
    /// How bad it is, what is found, why it matters, and what to do.
    fn words(&self) -> (Severity, String, &'static str, String) {
        let fault = |found: String, why, next: &str| (Severity::Fault, found, why, next.to_owned());
        let by_hand = "run `echo '{}' | COMMAND` and see what it says";
        match self {
            Self::NotStarted(error) => fault(
                format!("cannot be started ({error})"),
                "the client calls nobody",
                "run `windlass init` again",
            ),
            Self::Hangs => fault(
                "does not end in time".to_owned(),
                "the agent waits for it until the client gives up",
                by_hand,
            ),
            Self::Code(code) => fault(
                format!("ends with {code}"),
                "the client takes that for an error of the hook, or for a refusal",
                by_hand,
            ),
            Self::Stdout(what) => fault(
                format!("writes on stdout what the client does not take ({what})"),
                "it is shown to the user or the model as it is, or thrown away",
                by_hand,
            ),
            Self::Stderr(said) => fault(
                format!("writes on stderr (`{said}`)"),
                "the client shows it to the user as an error",
                by_hand,
            ),
            Self::Failed(what) => fault(
                format!("fails ({what})"),
                "what was to be done is not done",
                "report it, with this line and `windlass --version`",
            ),
            Self::NotRecorded => fault(
                "answers and keeps nothing".to_owned(),
                "the event is lost without a word",
                "run `windlass init` again",
            ),
            Self::Untried(why) => (
                Severity::Note,
                format!("was not tried ({why})"),
                "whether it works is not known",
                "read it, then run it by hand if you know what it does".to_owned(),
            ),
            Self::NotFired => (
                Severity::Note,
                "was not tried: there was no time left".to_owned(),
                "whether it works is not known",
                "see what the other findings say, then run `windlass doctor` again".to_owned(),
            ),
            Self::Slow(tenths) => (
                Severity::Warning,
                format!("takes {}.{} s or more", tenths / 10, tenths % 10),
                "the agent waits for it on every event",
                "install the static release, and see whether something watches every start of a \
                 program"
                    .to_owned(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_slow;
    use std::time::Duration;

    #[test]
    fn slow_is_what_can_be_noticed_and_is_not_the_machines_fault() {
        let is_slow =
            |ours, other| is_slow(Duration::from_millis(ours), Duration::from_millis(other));
        assert!(is_slow(300, 2));
        assert!(!is_slow(90, 1), "nobody notices");
        assert!(!is_slow(900, 60), "everything is slow here");
    }
}
