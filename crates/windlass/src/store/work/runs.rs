//! Runs as they are written.

use serde::{Deserialize, Serialize};
use windlass_core::evidence::{Coverage, Gap, RunKind};
use windlass_core::work::Ran;
use windlass_core::{Outcome, Timestamp};

use super::is_default;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RunRow {
    pub(super) call: String,
    pub(super) kind: Kind,
    pub(super) command: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) directory: Option<String>,
    pub(super) step: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) agent: String,
    pub(super) result: Result,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) exit: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) detail: Option<String>,
    #[serde(default)]
    pub(super) told: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) gap: Option<GapRow>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) began: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) coverage: CoverageRow,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) at: i64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum CoverageRow {
    #[default]
    Whole,
    Chosen,
    Named,
    Cut,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    Test,
    Build,
    Lint,
    Types,
}

impl Kind {
    pub(super) fn of(kind: RunKind) -> Self {
        match kind {
            RunKind::Test => Self::Test,
            RunKind::Build => Self::Build,
            RunKind::Lint => Self::Lint,
            RunKind::Types => Self::Types,
        }
    }

    pub(super) fn run_kind(self) -> RunKind {
        match self {
            Self::Test => RunKind::Test,
            Self::Build => RunKind::Build,
            Self::Lint => RunKind::Lint,
            Self::Types => RunKind::Types,
        }
    }
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Result {
    Passed,
    Failed,
    Unknown,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum GapRow {
    NoTest,
    NotStarted,
    Stopped,
    Hidden,
    Stashed,
    Overwritten,
    OwnScript,
}

impl RunRow {
    pub(super) fn of(ran: Ran) -> Self {
        let Ran {
            call,
            kind,
            command,
            directory,
            step,
            agent,
            outcome,
            detail,
            told,
            gap,
            began,
            coverage,
            at,
        } = ran;
        let kind = Kind::of(kind);
        let coverage = match coverage {
            Coverage::Whole => CoverageRow::Whole,
            Coverage::Chosen => CoverageRow::Chosen,
            Coverage::Named => CoverageRow::Named,
            Coverage::Cut => CoverageRow::Cut,
        };
        let (result, exit) = match outcome {
            Outcome::Passed => (Result::Passed, None),
            Outcome::Failed(exit) => (Result::Failed, exit),
            Outcome::Unknown => (Result::Unknown, None),
        };
        Self {
            call,
            kind,
            command,
            directory,
            step,
            agent,
            result,
            exit,
            detail,
            told,
            gap: gap.map(GapRow::of),
            began,
            coverage,
            at: at.0,
        }
    }

    pub(super) fn ran(self) -> Ran {
        let Self {
            call,
            kind,
            command,
            directory,
            step,
            agent,
            result,
            exit,
            detail,
            told,
            gap,
            began,
            coverage,
            at,
        } = self;
        let kind = kind.run_kind();
        let coverage = match coverage {
            CoverageRow::Whole => Coverage::Whole,
            CoverageRow::Chosen => Coverage::Chosen,
            CoverageRow::Named => Coverage::Named,
            CoverageRow::Cut => Coverage::Cut,
        };
        let outcome = match result {
            Result::Passed => Outcome::Passed,
            Result::Failed => Outcome::Failed(exit),
            Result::Unknown => Outcome::Unknown,
        };
        let gap = gap.map(GapRow::gap);
        Ran {
            call,
            kind,
            command,
            directory,
            step,
            agent,
            outcome,
            detail,
            told,
            gap,
            began,
            coverage,
            at: Timestamp(at),
        }
    }
}

impl GapRow {
    pub(super) fn of(gap: Gap) -> Self {
        match gap {
            Gap::NoTest => Self::NoTest,
            Gap::NotStarted => Self::NotStarted,
            Gap::Stopped => Self::Stopped,
            Gap::Hidden => Self::Hidden,
            Gap::Stashed => Self::Stashed,
            Gap::Overwritten => Self::Overwritten,
            Gap::OwnScript => Self::OwnScript,
        }
    }

    pub(super) fn gap(self) -> Gap {
        match self {
            Self::NoTest => Gap::NoTest,
            Self::NotStarted => Gap::NotStarted,
            Self::Stopped => Gap::Stopped,
            Self::Hidden => Gap::Hidden,
            Self::Stashed => Gap::Stashed,
            Self::Overwritten => Gap::Overwritten,
            Self::OwnScript => Gap::OwnScript,
        }
    }
}
