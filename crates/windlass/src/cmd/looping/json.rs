//! Loops as programs read them.

use serde::Serialize;
use windlass_core::loops::{Iteration, Until};

use crate::store::Kept;
use crate::time;

/// A loop or a hold.
#[derive(Debug, Serialize)]
pub(in crate::cmd) struct LoopJson<'a> {
    id: i64,
    kind: &'static str,
    state: &'static str,
    task: &'a str,
    until: Option<&'a str>,
    until_seen: Option<&'a str>,
    until_gone: Option<&'a str>,
    session: Option<&'a str>,
    /// Who started it: `user` or `agent`.
    author: &'static str,
    /// The session of the agent that started it.
    author_session: Option<&'a str>,
    rounds: u32,
    max: u32,
    minutes: Option<u32>,
    tokens: Option<u64>,
    /// How often the command must pass in a row at one stop.
    times: u32,
    /// After how many times of the same failure it ends as stuck; 0 is never.
    same_failures: u32,
    /// How often it met the last failure in a row.
    failures: u32,
    /// The scripts of the command, which count as the user gave them.
    scripts: Vec<&'a str>,
    made_at: String,
    begun_at: Option<String>,
    ended_at: Option<String>,
    why: Option<&'a str>,
    iterations: Vec<IterationJson<'a>>,
}

#[derive(Debug, Serialize)]
struct IterationJson<'a> {
    number: i64,
    at: String,
    outcome: &'static str,
    exit: Option<i32>,
    detail: Option<&'a str>,
}

impl<'a> LoopJson<'a> {
    pub(in crate::cmd) fn of(kept: &'a Kept) -> Self {
        let looped = &kept.looped;
        let (until, until_seen, until_gone) = match &looped.until {
            Until::Passes(command) => (Some(command.as_str()), None, None),
            Until::Seen(words) => (None, Some(words.as_str()), None),
            Until::Unlocked(file) => (None, None, Some(file.as_str())),
            Until::Released => (None, None, None),
        };
        Self {
            id: looped.id,
            kind: looped.gate(),
            state: kept.state.word(),
            task: &looped.task,
            until,
            until_seen,
            until_gone,
            session: kept.session.as_deref(),
            author: looped.author.word(),
            author_session: kept.author_session.as_deref(),
            rounds: looped.rounds,
            max: looped.limits.rounds,
            minutes: looped.limits.minutes,
            tokens: looped.limits.tokens,
            times: looped.times,
            same_failures: looped.limits.same_failures,
            failures: looped.streak.count,
            scripts: looped.scripts.iter().map(|it| it.file.as_str()).collect(),
            made_at: time::utc(kept.made_at),
            begun_at: kept.session.as_ref().map(|_| time::utc(looped.begun_at)),
            ended_at: kept.ended_at.map(time::utc),
            why: kept.why.as_deref(),
            iterations: kept.iterations.iter().map(IterationJson::of).collect(),
        }
    }
}

impl<'a> IterationJson<'a> {
    fn of((number, iteration): &'a (i64, Iteration)) -> Self {
        let (outcome, exit) = (iteration.outcome.word(), iteration.outcome.exit());
        let (number, at) = (*number, time::utc(iteration.at));
        Self { number, at, outcome, exit, detail: iteration.detail.as_deref() }
    }
}
