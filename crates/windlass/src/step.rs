//! What the hook path is doing, for the record of a failure.

use std::sync::atomic::{AtomicU8, Ordering};

/// The steps of a turn, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Read,
    Parse,
    Journal,
    Load,
    Decide,
    Apply,
    Reply,
}

static CURRENT: AtomicU8 = AtomicU8::new(0);

impl Step {
    const ALL: [Self; 7] = [
        Self::Read,
        Self::Parse,
        Self::Journal,
        Self::Load,
        Self::Decide,
        Self::Apply,
        Self::Reply,
    ];

    /// Begins a step.
    pub(crate) fn enter(self) {
        CURRENT.store(self as u8, Ordering::Relaxed);
    }

    /// The step that was begun last.
    pub(crate) fn current() -> Self {
        let index = usize::from(CURRENT.load(Ordering::Relaxed));
        Self::ALL.get(index).copied().unwrap_or(Self::Read)
    }

    /// What is being done, to follow "while".
    pub(crate) const fn doing(self) -> &'static str {
        match self {
            Self::Read => "reading the event from stdin",
            Self::Parse => "parsing the event",
            Self::Journal => "appending the event to the journal",
            Self::Load => "loading what the event needs",
            Self::Decide => "deciding",
            Self::Apply => "applying the effects",
            Self::Reply => "writing the answer",
        }
    }
}
