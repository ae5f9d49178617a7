//! The rounds: every case in each of them, in an order that no round repeats.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use super::cases::{self, Before, Case, Growth, Pace};
use super::world::World;
use super::{client, report};
use crate::error::Error;
use crate::{gates, orphans, print, release};

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

    // How often the session in the real client is played with each hook.
    const fn sessions(self) -> usize {
        match self {
            Self::Quick => 2,
            Self::Full => 9,
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
    orphans::adopt()?;
    let world = World::new()?;
    let mut cases = cases::all(&world, &binary)?;
    // The first call makes the files and brings the programs into memory.
    for case in &mut cases {
        case.call.output(&case.payload)?;
        orphans::wait_for_all()?;
    }
    print::line(format!("Measuring {} cases in {} rounds.", cases.len(), depth.rounds()));
    let mut order: Vec<usize> = (0..cases.len()).collect();
    let mut dice = Dice::new();
    for round in 0..depth.rounds() {
        // With fixed neighbours a case would pay for the caches that the one before it emptied.
        dice.shuffle(&mut order);
        for place in &order {
            let case = &mut cases[*place];
            if case.pace == Pace::Every || round % (depth.rounds() / depth.some()) == 0 {
                sample(case)?;
            }
        }
    }
    for case in &mut cases {
        prepare(case)?;
        case.peak = gates::peak(&case.call, &case.payload)?;
        orphans::wait_for_all()?;
    }
    world.check()?;
    let report = report::Report::new(&cases);
    report.print();
    if let Some(path) = json {
        report.save(path)?;
    }
    client::run(&binary, depth.sessions())?;
    Ok(ExitCode::SUCCESS)
}

fn sample(case: &mut Case) -> Result<(), Error> {
    prepare(case)?;
    case.samples.push(case.call.time(&case.payload)?);
    // What a call left behind must not run beside the next one.
    orphans::wait_for_all()
}

fn prepare(case: &mut Case) -> Result<(), Error> {
    match &mut case.before {
        Before::Nothing => {}
        Before::Growth(growth) => grow(growth, &case.call.directory)?,
        Before::Call(payload) => drop(case.call.output(payload)?),
        Before::Batch(payload, growth) => {
            drop(case.call.output(payload)?);
            grow(growth, &case.call.directory)?;
        }
    }
    Ok(())
}

fn grow(growth: &mut Growth, directory: &Path) -> Result<(), Error> {
    let added = growth.file.write_all(growth.row.as_bytes());
    added.map_err(Error::file("grow a transcript in", directory))
}

/// Xorshift: the same throws in every run.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// Dice that fall otherwise than those of another number.
    pub(crate) fn of(number: u64) -> Self {
        Self(0x9e37_79b9_7f4a_7c15 ^ (number + 1).wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    pub(super) fn shuffle(&mut self, order: &mut [usize]) {
        for last in (1..order.len()).rev() {
            order.swap(last, self.below(last + 1));
        }
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffled_order_holds_every_case_once() {
        let mut order: Vec<usize> = (0..30).collect();
        let before = order.clone();
        Dice(7).shuffle(&mut order);
        assert_ne!(order, before);
        order.sort_unstable();
        assert_eq!(order, before);
    }
}
