//! What of a conversation is taken for knowledge.

/// What of a conversation is taken for knowledge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Triage {
    /// Whether anybody listens to conversations at all.
    pub enabled: bool,
    /// How it is found.
    pub profile: Profile,
    /// Messages that are looked at together.
    pub max_messages: u32,
    /// From how sure on something is captured, in per cent, for the profile `calibrated`.
    pub capture_at: u32,
    /// From how sure on somebody is asked about it; 0 leaves that to the detector.
    pub ask_at: u32,
    /// From which score on a category is told, for the profile `document`.
    pub thresholds: Thresholds,
}

impl Triage {
    /// From how sure on something is captured by the detector itself.
    pub const CAPTURE_AT: u32 = 50;
}

impl Default for Triage {
    fn default() -> Self {
        Self {
            enabled: true,
            profile: Profile::Calibrated,
            max_messages: 50,
            capture_at: Self::CAPTURE_AT,
            ask_at: 0,
            thresholds: Thresholds::default(),
        }
    }
}

/// How knowledge is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Profile {
    /// By the weights that windlass comes with, which were fitted to labelled sessions.
    Calibrated,
    /// By a few words for each category, counted and compared with a threshold.
    Document,
}

impl Profile {
    /// The words for them, in settings.
    pub const WORDS: &[&str] = &["calibrated", "document"];

    /// What stands at a place among the words.
    pub fn at(place: usize) -> Self {
        [Self::Calibrated, Self::Document][place.min(1)]
    }
}

/// The score from which on each category is told, in hundredths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thresholds {
    /// A choice.
    pub decision: u32,
    /// An error and what helped.
    pub runbook: u32,
    /// A limit.
    pub constraint: u32,
    /// Something put off.
    pub tech_debt: u32,
    /// A wish that lasts.
    pub preference: u32,
    /// How busy a session was.
    pub session_summary: u32,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            decision: 40,
            runbook: 40,
            constraint: 50,
            tech_debt: 40,
            preference: 40,
            session_summary: 60,
        }
    }
}
