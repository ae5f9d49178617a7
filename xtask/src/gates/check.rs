//! Counts against limits.

use std::path::Path;
use std::process::ExitCode;

use super::forbidden;
use super::trace::{self, Counts};
use crate::bench::payload::{Event, Size};
use crate::bench::world::World;
use crate::error::Error;
use crate::print::Align;
use crate::{print, release};

/// The most that one tool event may cost between `execve` and its end.
struct Limit {
    what: &'static str,
    at_most: u64,
    count: fn(&Counts) -> Option<u64>,
}

const LIMITS: &[Limit] = &[
    // Each one traps into the hypervisor on a virtual machine.
    Limit { what: "CPUIDs", at_most: 0, count: |it| it.cpuids },
    Limit { what: "page faults", at_most: 45, count: |it| Some(it.page_faults) },
    // Close above what it takes: about a third each for parsing, for redaction, and for the rest.
    Limit { what: "instructions", at_most: 90_000, count: |it| Some(it.instructions) },
];

/// What the counts say.
pub(crate) enum Verdict {
    /// Every count is within its limit.
    Within,
    /// These counts are not.
    Over(String),
    /// Counting is not possible here, for this reason.
    Unknown(String),
}

/// Builds the static release and checks it.
pub(crate) fn run() -> Result<ExitCode, Error> {
    Ok(match check(&release::build_static()?)? {
        Verdict::Within => ExitCode::SUCCESS,
        Verdict::Over(what) => {
            print::line(format!("Over the limit: {what}."));
            ExitCode::FAILURE
        }
        Verdict::Unknown(reason) => {
            print::line(format!("Skipped: {reason}."));
            ExitCode::SUCCESS
        }
    })
}

/// Looks at the hook path from outside.
pub(crate) fn check(binary: &Path) -> Result<Verdict, Error> {
    let world = World::new()?;
    let (Some(counted), Some(asked)) = (counts(&world, binary)?, calls(&world, binary)?) else {
        return Ok(Verdict::Unknown("ptrace is not permitted here".to_owned()));
    };
    world.check()?;
    let over = [counted, asked].concat();
    Ok(if over.is_empty() { Verdict::Within } else { Verdict::Over(over.join(", ")) })
}

/// Counts one tool event of a warm session and names the counts that are over their limit.
fn counts(world: &World, binary: &Path) -> Result<Option<Vec<String>>, Error> {
    let session = world.session("gates")?;
    let payload = session.payload(Event::PostToolBatch, Size::Small);
    let Some(counts) = trace::count(&session.hook(binary), &payload)? else { return Ok(None) };
    let mut over = Vec::new();
    let mut rows = Vec::new();
    for limit in LIMITS {
        let Some(actual) = (limit.count)(&counts) else { continue };
        let judgement = if actual <= limit.at_most { "ok" } else { "over" };
        if actual > limit.at_most {
            over.push(format!("{} {actual} > {}", limit.what, limit.at_most));
        }
        let cells = [limit.what, &actual.to_string(), &limit.at_most.to_string(), judgement];
        rows.push(cells.map(str::to_owned));
    }
    print::line(format!("One tool event, {} bytes, from execve to exit:", payload.len()));
    let right = Align::Right;
    let columns = [("what", Align::Left), ("count", right), ("limit", right), ("", Align::Left)];
    print::table(columns, &rows);
    Ok(Some(over))
}

/// Names the events, in a new home, again in a warm one, and then in a project with settings, that
/// ask the system for something that the hook path must not do.
fn calls(world: &World, binary: &Path) -> Result<Option<Vec<String>>, Error> {
    let mut found = Vec::new();
    for round in 0..3 {
        if round == 2 {
            world.write_settings()?;
        }
        for event in Event::ALL {
            let session = world.session(&format!("calls-{event:?}"))?;
            let payload = session.payload(event, Size::Medium);
            let Some(calls) = forbidden(&session.hook(binary), &payload)? else { return Ok(None) };
            found.extend(calls.iter().map(|it| format!("system call {it} on {event:?}")));
        }
    }
    let events = Event::ALL.len();
    print::line(format!(
        "System calls that a hook must not make, {events} events: {}",
        found.len()
    ));
    Ok(Some(found))
}
