//! Values of the ledger as programs read them. The keys are a promise: they may become more.

use serde::Serialize;
use serde_json::value::RawValue;
use windlass_core::Timestamp;

use crate::step::Step;
use crate::store::{Alike, Decided, Latency, Moment, Session, Spoken};
use crate::time;

/// A session.
#[derive(Debug, Serialize)]
pub(super) struct SessionJson<'a> {
    id: &'a str,
    state: &'static str,
    project: Option<&'a str>,
    cwd: Option<&'a str>,
    model: Option<&'a str>,
    started_at: String,
    last_at: String,
    last_event: Option<&'a str>,
    ended_at: Option<String>,
    end_reason: Option<&'a str>,
    events: i64,
    prompts: i64,
    tool_calls: i64,
    failed_calls: i64,
    edits: i64,
    subagents: i64,
    asks: Option<i64>,
}

impl<'a> SessionJson<'a> {
    pub(super) fn of(session: &'a Session, now: Timestamp) -> Self {
        let counts = session.counts;
        Self {
            id: &session.name,
            state: session.state(now).name(),
            project: session.project.as_deref(),
            cwd: session.cwd.as_deref(),
            model: session.model.as_deref(),
            started_at: time::utc(session.started_at),
            last_at: time::utc(session.last_at),
            last_event: session.last_event.as_deref(),
            ended_at: session.ended_at.map(time::utc),
            end_reason: session.end_reason.as_deref(),
            events: counts.events,
            prompts: counts.prompts,
            tool_calls: counts.calls,
            failed_calls: counts.failed_calls,
            edits: counts.edits,
            subagents: counts.agents,
            asks: Some(counts.asks),
        }
    }

    /// The session where it is not known what was decided.
    pub(super) fn without_decisions(self) -> Self {
        Self { asks: None, ..self }
    }
}

/// An event with what was decided upon it.
#[derive(Debug, Serialize)]
pub(super) struct MomentJson<'a> {
    id: i64,
    event: &'a str,
    session: &'a str,
    agent: Option<&'a str>,
    at: String,
    bytes: i64,
    took_us: Option<i64>,
    result: Option<&'a str>,
    /// What the journal said, as it said it.
    recorded: Option<&'a RawValue>,
    decision: Option<DecidedJson<'a>>,
}

impl<'a> MomentJson<'a> {
    pub(super) fn of(moment: &'a Moment) -> Self {
        Self {
            id: moment.id,
            event: &moment.kind,
            session: &moment.session,
            agent: moment.agent.as_deref(),
            at: time::utc(moment.at),
            bytes: moment.bytes,
            took_us: moment.took_us,
            result: moment.result.as_deref(),
            recorded: serde_json::from_str(&moment.body).ok(),
            decision: moment.decision.as_ref().map(DecidedJson::of),
        }
    }
}

#[derive(Debug, Serialize)]
struct DecidedJson<'a> {
    verdict: &'a str,
    asked: Option<&'a str>,
    released: Option<&'a str>,
    context: Option<&'a str>,
    notice: Option<&'a str>,
    rules: Vec<SpokenJson<'a>>,
    steps: Vec<StepJson>,
}

#[derive(Debug, Serialize)]
struct SpokenJson<'a> {
    rule: &'a str,
    said: &'a str,
    us: u64,
}

#[derive(Debug, Serialize)]
struct StepJson {
    step: &'static str,
    us: u64,
}

impl<'a> DecidedJson<'a> {
    fn of(decided: &'a Decided) -> Self {
        let spoken = |it: &'a Spoken| SpokenJson { rule: &it.rule, said: &it.said, us: it.us };
        let steps = Step::timed(&decided.steps);
        Self {
            verdict: &decided.verdict,
            asked: decided.asked.as_deref(),
            released: decided.released.as_deref(),
            context: decided.context.as_deref(),
            notice: decided.notice.as_deref(),
            rules: decided.rules.iter().map(spoken).collect(),
            steps: steps.map(|(step, us)| StepJson { step: step.name(), us }).collect(),
        }
    }
}

/// How long the answers to one kind of event took.
#[derive(Debug, Serialize)]
pub(super) struct LatencyJson<'a> {
    event: &'a str,
    count: i64,
    p50_us: u64,
    p95_us: u64,
    p99_us: u64,
}

impl<'a> LatencyJson<'a> {
    pub(super) fn of(latency: &'a Latency) -> Self {
        let [p50_us, p95_us, p99_us] = percentiles(latency);
        Self { event: &latency.kind, count: latency.count(), p50_us, p95_us, p99_us }
    }
}

/// The percentiles 50, 95 and 99, in microseconds.
pub(super) fn percentiles(latency: &Latency) -> [u64; 3] {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a time is positive and far below 2^64 microseconds"
    )]
    [0.5, 0.95, 0.99].map(|share| latency.percentile(share).round() as u64)
}

/// Failures that are alike.
#[derive(Debug, Serialize)]
pub(super) struct AlikeJson<'a> {
    doing: &'a str,
    error: &'a str,
    count: i64,
    first_at: String,
    last_at: String,
}

impl<'a> AlikeJson<'a> {
    pub(super) fn of(alike: &'a Alike) -> Self {
        Self {
            doing: &alike.doing,
            error: &alike.error,
            count: alike.count,
            first_at: time::utc(alike.first_at),
            last_at: time::utc(alike.last_at),
        }
    }
}
