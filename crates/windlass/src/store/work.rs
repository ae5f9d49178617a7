//! What was done in a session, between two folds. It is made of frames, which are redacted, and of
//! names of ours.

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use windlass_core::evidence::{Coverage, Gap, RunKind};
use windlass_core::work::{
    Asked, BeforePrompt, Edit, Healing, Mended, PromptMark, ProvisionalPrompt, Ran, Room, Stated,
    Suspect, Task, Wrote,
};
use windlass_core::{Outcome, Timestamp, Work};

/// Reads the work of a session as it was kept. One that cannot be read is lost, and so is the count
/// of asks: that is kept, and recorded once.
pub(super) fn read(
    connection: &Connection,
    session: i64,
    body: Option<&str>,
) -> rusqlite::Result<Work> {
    let Some(body) = body else { return Ok(Work::default()) };
    match serde_json::from_str::<Row>(body) {
        Ok(row) => Ok(row.into()),
        Err(error) => {
            let work = Work { lost: true, ..Work::default() };
            keep(connection, session, &work)?;
            let write = "INSERT INTO failures (at, doing, error)
                SELECT last_at, 'read what was done in the session', ?2
                FROM sessions WHERE id = ?1";
            // Its message may quote what was written there.
            let place = format!("not as it was written, at column {}", error.column());
            connection.prepare_cached(write)?.execute(params![session, place])?;
            Ok(work)
        }
    }
}

/// Keeps the work of a session.
pub(super) fn keep(connection: &Connection, session: i64, work: &Work) -> rusqlite::Result<()> {
    let body = serde_json::to_string(&Row::of(work)).unwrap_or_default();
    let write = "INSERT INTO works (session, body) VALUES (?1, ?2)
        ON CONFLICT (session) DO UPDATE SET body = excluded.body";
    connection.prepare_cached(write)?.execute(params![session, body]).map(drop)
}

/// A work as it is written. What is empty is left out: most of it is.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Row {
    step: u64,
    changed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<PromptRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    edits: Vec<EditRow>,
    #[serde(skip_serializing_if = "is_default")]
    more_edits: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    runs: Vec<RunRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mended: Vec<MendedRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wrote: Option<WroteRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen_at: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    looked: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tried: Option<u64>,
    #[serde(skip_serializing_if = "is_default")]
    heal: bool,
    #[serde(skip_serializing_if = "is_default")]
    healing: HealingRow,
    #[serde(skip_serializing_if = "is_default")]
    wide: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    full: Option<u64>,
    #[serde(skip_serializing_if = "is_default")]
    lost: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tasks: Vec<TaskRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suspects: Vec<SuspectRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    asked: Vec<AskedRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    provisional: Vec<ProvisionalRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    foreign: Vec<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
struct ProvisionalRow {
    trace: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    asks_heal: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prompt: Option<PromptRow>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    asked: Vec<AskedRow>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    suspects: Vec<SuspectRow>,
    #[serde(default, skip_serializing_if = "is_default")]
    heal: bool,
}

impl ProvisionalRow {
    fn of(provisional: ProvisionalPrompt) -> Self {
        let ProvisionalPrompt { trace, asks_heal, before } = provisional;
        let BeforePrompt { prompt, asked, suspects, heal } = before;
        Self {
            trace,
            asks_heal,
            prompt: prompt.map(PromptRow::of),
            asked: asked.into_iter().map(AskedRow::of).collect(),
            suspects: suspects.into_iter().map(SuspectRow::of).collect(),
            heal,
        }
    }
}

impl From<ProvisionalRow> for ProvisionalPrompt {
    fn from(row: ProvisionalRow) -> Self {
        let ProvisionalRow { trace, asks_heal, prompt, asked, suspects, heal } = row;
        let before = BeforePrompt {
            prompt: prompt.map(Into::into),
            asked: asked.into_iter().map(AskedRow::asked).collect(),
            suspects: suspects.into_iter().map(Into::into).collect(),
            heal,
        };
        Self { trace, asks_heal, before }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct PromptRow {
    id: String,
    at: i64,
    step: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    wants_failure: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stated: Option<StatedRow>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StatedRow {
    step: u64,
    kinds: Vec<Kind>,
}

impl StatedRow {
    fn of(stated: Stated) -> Self {
        let Stated { step, kinds } = stated;
        Self { step, kinds: kinds.into_iter().map(Kind::of).collect() }
    }
}

impl From<StatedRow> for Stated {
    fn from(row: StatedRow) -> Self {
        let StatedRow { step, kinds } = row;
        Self { step, kinds: kinds.into_iter().map(Kind::run_kind).collect() }
    }
}

impl PromptRow {
    fn of(mark: PromptMark) -> Self {
        let PromptMark { id, at, step, wants_failure, stated } = mark;
        Self { id, at: at.0, step, wants_failure, stated: stated.map(StatedRow::of) }
    }
}

impl From<PromptRow> for PromptMark {
    fn from(row: PromptRow) -> Self {
        let PromptRow { id, at, step, wants_failure, stated } = row;
        Self { id, at: Timestamp(at), step, wants_failure, stated: stated.map(Into::into) }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct EditRow {
    file: String,
    step: u64,
    latest: u64,
    first: u64,
    at: i64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    agent: String,
}

impl EditRow {
    fn of(edit: Edit) -> Self {
        let Edit { file, step, latest, first, at, agent } = edit;
        Self { file, step, latest, first, at: at.0, agent }
    }
}

impl From<EditRow> for Edit {
    fn from(row: EditRow) -> Self {
        let EditRow { file, step, latest, first, at, agent } = row;
        Self { file, step, latest, first, at: Timestamp(at), agent }
    }
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct HealingRow {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    asked: Vec<String>,
    #[serde(skip_serializing_if = "is_default")]
    in_vain: u32,
    #[serde(skip_serializing_if = "is_default")]
    given_up: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    told: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    declined: Vec<String>,
}

impl HealingRow {
    fn of(healing: Healing) -> Self {
        let Healing { asked, in_vain, given_up, told, declined } = healing;
        Self { asked, in_vain, given_up, told, declined }
    }
}

impl From<HealingRow> for Healing {
    fn from(row: HealingRow) -> Self {
        let HealingRow { asked, in_vain, given_up, told, declined } = row;
        Self { asked, in_vain, given_up, told, declined }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct MendedRow {
    command: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    files: Vec<String>,
    step: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<String>,
}

impl MendedRow {
    fn of(mended: Mended) -> Self {
        let Mended { command, detail, files, step, call } = mended;
        Self { command, detail, files, step, call }
    }
}

impl From<MendedRow> for Mended {
    fn from(row: MendedRow) -> Self {
        let MendedRow { command, detail, files, step, call } = row;
        Self { command, detail, files, step, call }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct WroteRow {
    first: u64,
    last: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    agent: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct RunRow {
    call: String,
    kind: Kind,
    command: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    directory: Option<String>,
    step: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    agent: String,
    result: Result,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exit: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    #[serde(default)]
    told: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gap: Option<GapRow>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    began: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    coverage: CoverageRow,
    #[serde(default, skip_serializing_if = "is_default")]
    at: i64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum CoverageRow {
    #[default]
    Whole,
    Chosen,
    Named,
    Cut,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Test,
    Build,
    Lint,
    Types,
}

impl Kind {
    fn of(kind: RunKind) -> Self {
        match kind {
            RunKind::Test => Self::Test,
            RunKind::Build => Self::Build,
            RunKind::Lint => Self::Lint,
            RunKind::Types => Self::Types,
        }
    }

    fn run_kind(self) -> RunKind {
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
enum Result {
    Passed,
    Failed,
    Unknown,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum GapRow {
    NoTest,
    NotStarted,
    Stopped,
    Hidden,
    Stashed,
    Overwritten,
    OwnScript,
}

#[derive(Debug, Serialize, Deserialize)]
struct TaskRow {
    id: String,
    subject: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct SuspectRow {
    file: String,
    text: String,
    step: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    agent: String,
}

impl SuspectRow {
    fn of(suspect: Suspect) -> Self {
        let Suspect { file, text, step, agent } = suspect;
        Self { file, text, step, agent }
    }
}

impl From<SuspectRow> for Suspect {
    fn from(row: SuspectRow) -> Self {
        let SuspectRow { file, text, step, agent } = row;
        Self { file, text, step, agent }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct AskedRow {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    agent: String,
    in_prompt: u32,
    in_session: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sought: Vec<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    declines: Vec<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    noticed: Vec<u64>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Row {
    fn of(work: &Work) -> Self {
        let Work {
            step,
            changed,
            prompt,
            edits,
            more_edits,
            runs,
            mended,
            wrote,
            written,
            seen_at,
            looked,
            tried,
            heal,
            healing,
            room: Room { wide, full },
            lost,
            tasks,
            suspects,
            asked,
            provisional,
            foreign,
        } = work.clone();
        Self {
            step,
            changed,
            prompt: prompt.map(PromptRow::of),
            edits: edits.into_iter().map(EditRow::of).collect(),
            more_edits,
            runs: runs.into_iter().map(RunRow::of).collect(),
            mended: mended.into_iter().map(MendedRow::of).collect(),
            wrote: wrote.map(|Wrote { first, last, agent }| WroteRow { first, last, agent }),
            written,
            seen_at: seen_at.map(|it| it.0),
            looked: looked.map(|it| it.0),
            tried,
            heal,
            healing: HealingRow::of(healing),
            wide,
            full,
            lost,
            tasks: tasks.into_iter().map(|Task { id, subject }| TaskRow { id, subject }).collect(),
            suspects: suspects.into_iter().map(SuspectRow::of).collect(),
            asked: asked.into_iter().map(AskedRow::of).collect(),
            provisional: provisional.into_iter().map(ProvisionalRow::of).collect(),
            foreign,
        }
    }
}

impl From<Row> for Work {
    fn from(row: Row) -> Self {
        let Row {
            step,
            changed,
            prompt,
            edits,
            more_edits,
            runs,
            mended,
            wrote,
            written,
            seen_at,
            looked,
            tried,
            heal,
            healing,
            wide,
            full,
            lost,
            tasks,
            suspects,
            asked,
            provisional,
            foreign,
        } = row;
        Self {
            step,
            changed,
            prompt: prompt.map(Into::into),
            edits: edits.into_iter().map(Edit::from).collect(),
            more_edits,
            runs: runs.into_iter().map(RunRow::ran).collect(),
            mended: mended.into_iter().map(Into::into).collect(),
            wrote: wrote.map(|WroteRow { first, last, agent }| Wrote { first, last, agent }),
            written,
            seen_at: seen_at.map(Timestamp),
            looked: looked.map(Timestamp),
            tried,
            heal,
            healing: healing.into(),
            room: Room { wide, full },
            lost,
            tasks: tasks.into_iter().map(|TaskRow { id, subject }| Task { id, subject }).collect(),
            suspects: suspects.into_iter().map(Into::into).collect(),
            asked: asked.into_iter().map(AskedRow::asked).collect(),
            provisional: provisional.into_iter().map(Into::into).collect(),
            foreign,
        }
    }
}

impl RunRow {
    fn of(ran: Ran) -> Self {
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

    fn ran(self) -> Ran {
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
    fn of(gap: Gap) -> Self {
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

    fn gap(self) -> Gap {
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

impl AskedRow {
    fn of(asked: Asked) -> Self {
        let Asked { agent, in_prompt, in_session, last, sought, declined: declines, noticed } =
            asked;
        Self { agent, in_prompt, in_session, last, sought, declines, noticed }
    }

    fn asked(self) -> Asked {
        let Self { agent, in_prompt, in_session, last, sought, declines: declined, noticed } = self;
        Asked { agent, in_prompt, in_session, last, sought, declined, noticed }
    }
}

#[cfg(test)]
mod tests {
    use windlass_core::Subagent;

    use super::*;

    #[test]
    fn a_work_is_read_as_it_was_written() {
        let run = |outcome, detail: Option<&str>| Ran {
            call: "toolu_1".to_owned(),
            kind: RunKind::Test,
            command: "cargo test".to_owned(),
            directory: Some("/p".to_owned()),
            step: 4,
            agent: "a1".to_owned(),
            outcome,
            detail: detail.map(str::to_owned),
            told: true,
            gap: None,
            coverage: Coverage::Whole,
            at: Timestamp(7),
            began: detail.map(str::to_owned),
        };
        let agent = Subagent { id: "a1".to_owned(), role: String::new() }.id;
        let work = Work {
            step: 9,
            changed: 8,
            prompt: Some(PromptMark {
                id: "p".to_owned(),
                at: Timestamp(5),
                step: 2,
                wants_failure: true,
                stated: Some(Stated { step: 2, kinds: vec![RunKind::Test, RunKind::Types] }),
            }),
            edits: vec![Edit {
                file: "/p/a.rs".to_owned(),
                step: 3,
                latest: 4,
                first: 2,
                at: Timestamp(6),
                agent: agent.clone(),
            }],
            more_edits: 1,
            runs: vec![
                run(Outcome::Failed(Some(101)), Some("2 failed")),
                Ran { kind: RunKind::Lint, ..run(Outcome::Passed, None) },
                Ran {
                    kind: RunKind::Build,
                    told: false,
                    gap: Some(Gap::OwnScript),
                    coverage: Coverage::Cut,
                    ..run(Outcome::Unknown, None)
                },
            ],
            mended: vec![Mended {
                command: "cargo test".to_owned(),
                detail: Some("1 failed".to_owned()),
                files: vec!["/p/a.rs".to_owned()],
                step: 9,
                call: Some("toolu_1".to_owned()),
            }],
            wrote: Some(Wrote { first: 5, last: 6, agent: "w".to_owned() }),
            written: Some(6),
            seen_at: Some(Timestamp(9)),
            looked: Some(Timestamp(8)),
            tried: Some(7),
            heal: true,
            healing: Healing {
                asked: vec!["ab".to_owned()],
                in_vain: 2,
                given_up: true,
                told: vec!["cd".to_owned()],
                declined: vec!["ef".to_owned()],
            },
            room: Room { wide: true, full: Some(400_000) },
            lost: true,
            tasks: vec![Task { id: "1".to_owned(), subject: "write".to_owned() }],
            suspects: vec![Suspect {
                file: "/p/a.rs".to_owned(),
                text: "// FIX".to_owned(),
                step: 3,
                agent: String::new(),
            }],
            asked: vec![Asked {
                agent,
                in_prompt: 1,
                in_session: 2,
                last: Some(8),
                sought: vec![3, u64::MAX],
                declined: vec![u64::MAX],
                noticed: vec![77],
            }],
            provisional: vec![ProvisionalPrompt {
                trace: 7,
                asks_heal: true,
                before: BeforePrompt {
                    prompt: Some(PromptMark {
                        id: "o".to_owned(),
                        at: Timestamp(3),
                        step: 1,
                        wants_failure: false,
                        stated: None,
                    }),
                    asked: vec![Asked { in_prompt: 3, ..Asked::default() }],
                    suspects: vec![Suspect {
                        file: "/p/b.rs".to_owned(),
                        text: "// LATER".to_owned(),
                        step: 1,
                        agent: String::new(),
                    }],
                    heal: true,
                },
            }],
            foreign: vec![9, u64::MAX],
        };
        let text = serde_json::to_string(&Row::of(&work)).unwrap();
        let row: Row = serde_json::from_str(&text).unwrap();
        assert_eq!(Work::from(row), work);
        let empty = serde_json::to_string(&Row::of(&Work::default())).unwrap();
        assert_eq!(empty, r#"{"step":0,"changed":0}"#);
    }
}
