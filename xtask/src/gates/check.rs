//! Counts against limits.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use super::trace::{self, Counts, Look};
use super::{Duty, forbidden};
use crate::bench::payload::{Event, Size};
use crate::bench::world::World;
use crate::error::Error;
use crate::print::Align;
use crate::{orphans, print, release};

/// The most that one event may cost between `execve` and its end.
struct Limit {
    what: &'static str,
    at_most: u64,
    count: fn(&Counts) -> Option<u64>,
}

/// An event whose cost is counted, in a session that is under way.
struct Gate {
    event: Event,
    look: Look,
    limits: &'static [Limit],
}

const GATES: &[Gate] = &[
    Gate { event: Event::PostToolBatch, look: Look::EachOne, limits: OF_TOOLS },
    // With nothing in the journal but itself and the answer before it.
    Gate { event: Event::Stop, look: Look::Number, limits: OF_STOP },
];

const OF_TOOLS: &[Limit] = &[
    // Each one traps into the hypervisor on a virtual machine.
    Limit { what: "CPUIDs", at_most: 0, count: |it| it.cpuids },
    Limit { what: "system calls", at_most: 40, count: |it| Some(it.system_calls) },
    // Each window of sixteen pages that it touches is one. Where this is over, `cargo xtask layout`
    // may be what is missing: without the order of functions it makes, it was 56.
    Limit { what: "page faults", at_most: 48, count: |it| Some(it.page_faults) },
    // Close above what it takes, a comparison with an event before it included.
    Limit { what: "instructions", at_most: 120_000, count: |it| Some(it.instructions) },
];

/// Some hundredths above what it takes. Reading the last message for claims takes more than half of it,
/// SQLite reading the schema a quarter.
const OF_STOP: &[Limit] = &[
    Limit { what: "system calls", at_most: 260, count: |it| Some(it.system_calls) },
    Limit { what: "page faults", at_most: 180, count: |it| Some(it.page_faults) },
    Limit { what: "instructions", at_most: 3_600_000, count: |it| Some(it.instructions) },
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
    orphans::adopt()?;
    let world = World::new()?;
    let mut over = Vec::new();
    for gate in GATES {
        let Some(found) = counts(&world, binary, gate)? else { return Ok(unknown()) };
        over.extend(found);
    }
    for look in [calls, calls_of_recall] {
        let Some(asked) = look(&world, binary)? else { return Ok(unknown()) };
        over.extend(asked);
    }
    // What a hook left behind is still at work in there.
    orphans::wait_for_all()?;
    world.check()?;
    Ok(if over.is_empty() { Verdict::Within } else { Verdict::Over(over.join(", ")) })
}

fn unknown() -> Verdict {
    Verdict::Unknown("ptrace is not permitted here".to_owned())
}

/// Counts one event of a warm session and names the counts that are over their limit.
fn counts(world: &World, binary: &Path, gate: &Gate) -> Result<Option<Vec<String>>, Error> {
    let Gate { event, look, limits } = gate;
    let session = world.session(&format!("gates-{event:?}"))?;
    let payload = session.payload(*event, Size::Small);
    let Some(counts) = trace::count(&session.hook(binary), &payload, *look)? else {
        return Ok(None);
    };
    let mut over = Vec::new();
    let mut rows = Vec::new();
    for limit in *limits {
        let Some(actual) = (limit.count)(&counts) else { continue };
        let judgement = if actual <= limit.at_most { "ok" } else { "over" };
        if actual > limit.at_most {
            over.push(format!("{} {actual} > {} on {event:?}", limit.what, limit.at_most));
        }
        let cells = [limit.what, &actual.to_string(), &limit.at_most.to_string(), judgement];
        rows.push(cells.map(str::to_owned));
    }
    print::line(format!("One {event:?}, {} bytes, from execve to exit:", payload.len()));
    let right = Align::Right;
    let columns = [("what", Align::Left), ("count", right), ("limit", right), ("", Align::Left)];
    print::table(columns, &rows);
    Ok(Some(over))
}

/// Names the events, in a new home, again in a warm one, and then in a project with settings, that
/// ask the system for something that they must not.
fn calls(world: &World, binary: &Path) -> Result<Option<Vec<String>>, Error> {
    let mut found = BTreeSet::new();
    for round in 0..3 {
        if round == 2 {
            world.write_settings()?;
        }
        for event in Event::ALL {
            let session = world.session(&format!("calls-{event:?}"))?;
            let payload = session.payload(event, Size::Medium);
            // Behind a long log any event that uses the store starts a process that tidies.
            session.run(binary, &["tidy"])?;
            let Some(calls) = forbidden(Duty::of(event), &session.hook(binary), &payload)? else {
                return Ok(None);
            };
            found.extend(calls.iter().map(|it| format!("system call {it} on {event:?}")));
        }
    }
    let (events, found) = (Event::ALL.len(), Vec::from_iter(found));
    print::line(format!("System calls that must not be made, {events} events: {}", found.len()));
    Ok(Some(found))
}

/// What is known where something is recalled.
const KNOWN: &str = "The warehouse importer drops leases whose tenant has no quota";

/// Names what a prompt that is told something, and a look before an edit, ask the system for and must
/// not: both read an index.
fn calls_of_recall(world: &World, binary: &Path) -> Result<Option<Vec<String>>, Error> {
    let session = world.session("calls-recall")?;
    session.run(binary, &["remember", KNOWN])?;
    let (call, prompt) = (session.hook(binary), session.prompt_of(KNOWN));
    // Nobody is told what they said or were told before, unless they have lost it.
    call.output(&session.cleared())?;
    let said = call.output(&prompt)?;
    if said.is_empty() {
        return Err(Error::Unexpected { program: "windlass hook".to_owned(), said });
    }
    call.output(&session.cleared())?;
    // Whoever still tidies is in the way of the next one, who then waits for its turn in a thread.
    orphans::wait_for_all()?;
    let mut found = Vec::new();
    for (what, payload) in [("a told prompt", prompt), ("an edit", session.edit())] {
        let Some(calls) = forbidden(Duty::Slower, &call, &payload)? else { return Ok(None) };
        found.extend(calls.iter().map(|it| format!("system call {it} on {what}")));
    }
    print::line(format!("System calls that must not be made to recall: {}", found.len()));
    Ok(Some(found))
}
