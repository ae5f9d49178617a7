//! What the hook path is doing and since when, for the record of a failure and for the times of
//! an answer.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Instant;

/// The steps of a turn, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Read,
    Parse,
    Journal,
    Load,
    Capture,
    Recall,
    Look,
    Decide,
    Apply,
    Reply,
    Tidy,
}

static CURRENT: AtomicU8 = AtomicU8::new(0);
static STARTED: OnceLock<Instant> = OnceLock::new();
static ENTERED: [AtomicU64; Step::COUNT] = [const { AtomicU64::new(0) }; Step::COUNT];

/// Microseconds since the first step was begun.
pub(crate) fn elapsed() -> u64 {
    let started = STARTED.get_or_init(Instant::now);
    u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX)
}

impl Step {
    /// How many are timed: all but the last, which comes after the answer.
    pub(crate) const COUNT: usize = Self::ALL.len() - 1;

    const ALL: [Self; 11] = [
        Self::Read,
        Self::Parse,
        Self::Journal,
        Self::Load,
        Self::Capture,
        Self::Recall,
        Self::Look,
        Self::Decide,
        Self::Apply,
        Self::Reply,
        Self::Tidy,
    ];

    /// The steps that are timed, each with its time. What a version took that had other steps
    /// cannot be told apart.
    pub(crate) fn timed(times: &[u64]) -> impl Iterator<Item = (Self, u64)> {
        let is_ours = times.len() == Self::COUNT;
        Self::ALL.into_iter().zip(times.iter().copied()).filter(move |_| is_ours)
    }

    /// Begins a step.
    pub(crate) fn enter(self) {
        CURRENT.store(self as u8, Ordering::Relaxed);
        if let Some(entered) = ENTERED.get(usize::from(self as u8)) {
            entered.store(elapsed(), Ordering::Relaxed);
        }
    }

    /// The step that was begun last.
    pub(crate) fn current() -> Self {
        let index = usize::from(CURRENT.load(Ordering::Relaxed));
        Self::ALL.get(index).copied().unwrap_or(Self::Read)
    }

    /// Microseconds that each step took, if all of them were gone through and end now.
    pub(crate) fn times() -> [u64; Self::COUNT] {
        let mut end = elapsed();
        let mut times = [0; Self::COUNT];
        for (step, time) in times.iter_mut().enumerate().rev() {
            let entered = ENTERED[step].load(Ordering::Relaxed);
            *time = end.saturating_sub(entered);
            end = entered;
        }
        times
    }

    /// The step's name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Parse => "parse",
            Self::Journal => "journal",
            Self::Load => "load",
            Self::Capture => "capture",
            Self::Recall => "recall",
            Self::Look => "look",
            Self::Decide => "decide",
            Self::Apply => "apply",
            Self::Reply => "reply",
            Self::Tidy => "tidy",
        }
    }

    /// What is being done, to follow "while".
    pub(crate) const fn doing(self) -> &'static str {
        match self {
            Self::Read => "reading the event from stdin",
            Self::Parse => "parsing the event",
            Self::Journal => "appending the event to the journal",
            Self::Load => "loading what the event needs",
            Self::Capture => "keeping what was learned",
            Self::Recall => "finding what is known for a brief",
            Self::Look => "looking at what the gates want to know",
            Self::Decide => "deciding",
            Self::Apply => "applying the effects",
            Self::Reply => "writing the answer",
            Self::Tidy => "starting the process that tidies",
        }
    }
}
