//! What a session does, call by call.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use crate::bench::payload::{Caller, Event, Tool, ToolCall};
use crate::bench::rounds::Dice;
use crate::bench::transcript;
use crate::bench::world::{Session, World};
use crate::error::Error;

/// The home that all sessions share.
pub(super) const HOME: &str = "soak";

/// One call of the hook.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Step {
    Event(Event),
    Batch(Caller),
}

/// One call that was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) event: Event,
    /// Records that it makes in the ledger: one, or one for each tool call.
    pub(super) records: u64,
    pub(super) took: Duration,
}

/// A session that is being played, and is replaced by a new one when it has ended.
pub(super) struct Play<'a> {
    world: &'a World,
    binary: &'a Path,
    /// Which one of those that are played at the same time.
    place: u64,
    /// How many were played in this place before.
    number: u64,
    session: Session,
    transcript: File,
    left: VecDeque<Step>,
    dice: Dice,
    /// Prompts and tool calls so far.
    prompts: u64,
    calls: u64,
}

impl<'a> Play<'a> {
    pub(super) fn new(world: &'a World, binary: &'a Path, place: u64) -> Result<Self, Error> {
        let mut dice = Dice::of(place);
        let (session, transcript) = begin(world, place, 0)?;
        let mut left = steps(&mut dice);
        // Otherwise all would start and end together.
        for _ in 0..dice.below(left.len() / 2) {
            left.remove(1);
        }
        let (number, prompts, calls) = (0, 0, 0);
        Ok(Self { world, binary, place, number, session, transcript, left, dice, prompts, calls })
    }

    /// Makes the next call.
    pub(super) fn next(&mut self) -> Result<Sample, Error> {
        let Some(step) = self.left.pop_front() else {
            self.replace()?;
            return self.next();
        };
        let (event, records, payload) = match step {
            Step::Batch(caller) => {
                let calls = self.tool_calls();
                let payload = self.session.batch(caller, &calls);
                (Event::PostToolBatch, calls.len() as u64, payload)
            }
            Step::Event(event) => {
                self.prepare(event)?;
                let bytes = 600 + self.dice.below(2_400);
                (event, 1, self.session.payload_of(event, bytes))
            }
        };
        let took = self.session.hook(self.binary).time(&payload)?;
        Ok(Sample { event, records, took })
    }

    fn prepare(&mut self, event: Event) -> Result<(), Error> {
        if event == Event::UserPromptSubmit {
            self.prompts += 1;
            self.session.prompt =
                format!("{:08x}-3d1b-4c52-9b7e-{:012x}", self.prompts, self.place);
        }
        if event == Event::Stop {
            let row = transcript::answer(&self.session.id);
            let added = self.transcript.write_all(row.as_bytes());
            added.map_err(Error::file("write", &self.session.transcript))?;
        }
        Ok(())
    }

    // Mostly short output, a listing now and then.
    fn tool_calls(&mut self) -> Vec<ToolCall> {
        let count = 1 + self.dice.below(3);
        let mut calls = Vec::with_capacity(count);
        for _ in 0..count {
            let output = match self.dice.below(20) {
                0 => 30_000,
                1..=5 => 1_500 + self.dice.below(6_500),
                _ => 100 + self.dice.below(1_400),
            };
            let tool = [Tool::Run, Tool::Run, Tool::Edit, Tool::Read][self.dice.below(4)];
            self.calls += 1;
            calls.push(ToolCall { tool, number: self.calls, output });
        }
        calls
    }

    fn replace(&mut self) -> Result<(), Error> {
        let path = &self.session.transcript;
        fs::remove_file(path).map_err(Error::file("remove", path))?;
        self.number += 1;
        (self.session, self.transcript) = begin(self.world, self.place, self.number)?;
        self.left = steps(&mut self.dice);
        Ok(())
    }
}

fn begin(world: &World, place: u64, number: u64) -> Result<(Session, File), Error> {
    let session = world.session_in(HOME, &format!("{HOME}-{place}-{number}"), 4 << 10)?;
    let file = OpenOptions::new().append(true).open(&session.transcript);
    let file = file.map_err(Error::file("open", &session.transcript))?;
    Ok((session, file))
}

/// All calls of a session. About 85 of 100 tell of tool calls.
fn steps(dice: &mut Dice) -> VecDeque<Step> {
    use Step::{Batch, Event as Other};
    let mut steps = VecDeque::from([Other(Event::SessionStart)]);
    for _ in 0..6 + dice.below(5) {
        steps.push_back(Other(Event::UserPromptSubmit));
        steps.extend([Batch(Caller::Session)].repeat(12 + dice.below(9)));
        if dice.below(3) == 0 {
            steps.push_back(Other(Event::SubagentStart));
            steps.extend([Batch(Caller::Subagent)].repeat(1 + dice.below(5)));
            steps.push_back(Other(Event::SubagentStop));
        }
        let failed = dice.below(40) == 0;
        steps.push_back(Other(if failed { Event::StopFailure } else { Event::Stop }));
    }
    steps.push_back(Other(Event::SessionEnd));
    steps
}

/// The kinds of calls that are told apart.
pub(super) const EVENTS: [Event; 8] = [
    Event::PostToolBatch,
    Event::UserPromptSubmit,
    Event::Stop,
    Event::StopFailure,
    Event::SubagentStart,
    Event::SubagentStop,
    Event::SessionStart,
    Event::SessionEnd,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_begins_ends_and_mostly_calls_tools() {
        let mut dice = Dice::of(3);
        let (mut all, mut tools) = (0, 0);
        for _ in 0..200 {
            let steps = steps(&mut dice);
            assert_eq!(steps.front(), Some(&Step::Event(Event::SessionStart)));
            assert_eq!(steps.back(), Some(&Step::Event(Event::SessionEnd)));
            all += steps.len();
            tools += steps.iter().filter(|it| matches!(it, Step::Batch(_))).count();
            let known = |it: &Step| match it {
                Step::Batch(_) => true,
                Step::Event(event) => EVENTS.contains(event),
            };
            assert!(steps.iter().all(known));
        }
        let share = 100 * tools / all;
        assert!((83..=87).contains(&share), "{share}");
    }

    #[test]
    fn a_session_that_has_ended_is_replaced() {
        let world = World::new().unwrap();
        let mut play = Play::new(&world, "/bin/true".as_ref(), 0).unwrap();
        let first = play.session.clone();
        while play.number == 0 {
            play.next().unwrap();
        }
        assert_ne!(play.session.id, first.id);
        assert!(!first.transcript.exists() && play.session.transcript.exists());
        assert_eq!(play.session.data, first.data);
    }
}
