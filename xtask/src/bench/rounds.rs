//! The rounds: every case in each of them, each round in another order.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use super::cases::{self, Case, Pace};
use super::report;
use super::world::World;
use crate::error::Error;
use crate::{print, release};

/// How long to measure.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Depth {
    Quick,
    Full,
}

impl Depth {
    const fn rounds(self) -> usize {
        match self {
            Self::Quick => 60,
            Self::Full => 600,
        }
    }

    // How often a case of `Pace::Some` is called in all rounds together.
    const fn some(self) -> usize {
        match self {
            Self::Quick => 5,
            Self::Full => 40,
        }
    }
}

/// Measures and reports; a missed bar is said, not punished, because time is not repeatable.
pub(crate) fn run(depth: Depth, json: Option<&Path>) -> Result<ExitCode, Error> {
    let binary = release::build_static()?;
    let world = World::new()?;
    let mut cases = cases::all(&world, &binary)?;
    // The first call makes the files and brings the programs into memory.
    for case in &mut cases {
        case.call.output(&case.payload)?;
    }
    print::line(format!("Measuring {} cases in {} rounds.", cases.len(), depth.rounds()));
    for round in 0..depth.rounds() {
        let count = cases.len();
        for place in 0..count {
            let case = &mut cases[(place + round) % count];
            if case.pace == Pace::Every || round % (depth.rounds() / depth.some()) == 0 {
                sample(case)?;
            }
        }
    }
    let report = report::Report::new(&cases);
    report.print();
    if let Some(path) = json {
        report.save(path)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn sample(case: &mut Case) -> Result<(), Error> {
    if let Some(growth) = &mut case.growth {
        let added = growth.file.write_all(growth.row.as_bytes());
        added.map_err(Error::file("grow a transcript in", &case.call.directory))?;
    }
    case.samples.push(case.call.time(&case.payload)?);
    Ok(())
}
