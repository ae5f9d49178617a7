//! Runs as they are written.

use serde::{Deserialize, Serialize};
use windlass_core::evidence::{Coverage, Gap, RunKind, TestTally};
use windlass_core::work::{Ran, RunLog};
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
    pub(super) is_itself: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) at: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) failing: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tally: Option<(u32, u64, u64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) counted: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) script: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) scripts: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) before: Option<Box<Self>>,
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

impl Result {
    pub(super) fn of(outcome: Outcome) -> (Self, Option<i32>) {
        match outcome {
            Outcome::Passed => (Self::Passed, None),
            Outcome::Failed(exit) => (Self::Failed, exit),
            Outcome::Unknown => (Self::Unknown, None),
        }
    }

    pub(super) fn outcome(self, exit: Option<i32>) -> Outcome {
        match self {
            Self::Passed => Outcome::Passed,
            Self::Failed => Outcome::Failed(exit),
            Self::Unknown => Outcome::Unknown,
        }
    }
}

/// A log of a run as it is written.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LogRow {
    file: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    line: String,
    call: String,
    directory: String,
    step: u64,
    at: i64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    agent: String,
    result: Result,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exit: Option<i32>,
}

impl LogRow {
    pub(super) fn of(log: RunLog) -> Self {
        let RunLog { file, name, line, call, directory, step, at, agent, outcome } = log;
        let (result, exit) = Result::of(outcome);
        Self { file, name, line, call, directory, step, at: at.0, agent, result, exit }
    }
}

impl From<LogRow> for RunLog {
    fn from(row: LogRow) -> Self {
        let LogRow { file, name, line, call, directory, step, at, agent, result, exit } = row;
        let (at, outcome) = (Timestamp(at), result.outcome(exit));
        Self { file, name, line, call, directory, step, at, agent, outcome }
    }
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
            is_itself,
            at,
            failing,
            tally,
            counted,
            script,
            scripts,
            before,
        } = ran;
        let kind = Kind::of(kind);
        let coverage = match coverage {
            Coverage::Whole => CoverageRow::Whole,
            Coverage::Chosen => CoverageRow::Chosen,
            Coverage::Named => CoverageRow::Named,
            Coverage::Cut => CoverageRow::Cut,
        };
        let (result, exit) = Result::of(outcome);
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
            is_itself,
            at: at.0,
            failing,
            tally: tally.map(|TestTally { part, ran, left_out }| (part, ran, left_out)),
            counted,
            script,
            scripts,
            before: before.map(|it| Box::new(Self::of(*it))),
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
            is_itself,
            at,
            failing,
            tally,
            counted,
            script,
            scripts,
            before,
        } = self;
        let kind = kind.run_kind();
        let coverage = match coverage {
            CoverageRow::Whole => Coverage::Whole,
            CoverageRow::Chosen => Coverage::Chosen,
            CoverageRow::Named => Coverage::Named,
            CoverageRow::Cut => Coverage::Cut,
        };
        let outcome = result.outcome(exit);
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
            is_itself,
            at: Timestamp(at),
            failing,
            tally: tally.map(|(part, ran, left_out)| TestTally { part, ran, left_out }),
            counted,
            script,
            scripts,
            before: before.map(|it| Box::new(it.ran())),
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
