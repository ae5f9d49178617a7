//! The parts of a work as they are written.

use serde::{Deserialize, Serialize};
use windlass_core::gate::states::StateLoop;
use windlass_core::work::{
    AgentDirectory, Asked, BeforePrompt, Edit, Healing, Mended, PromptMark, PromptWish,
    ProvisionalPrompt, PutAside, Removal, Stated, Suspect,
};
use windlass_core::{Claim, Timestamp};

use super::is_default;
use super::runs::Kind;
use crate::redact;

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PutAsideRow {
    #[serde(default, skip_serializing_if = "is_default")]
    stashed: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    on_branch: bool,
}

impl PutAsideRow {
    pub(super) fn of(PutAside { is_stashed, is_on_branch }: PutAside) -> Self {
        Self { stashed: is_stashed, on_branch: is_on_branch }
    }
}

impl From<PutAsideRow> for PutAside {
    fn from(PutAsideRow { stashed, on_branch }: PutAsideRow) -> Self {
        Self { is_stashed: stashed, is_on_branch: on_branch }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct DirectoryRow {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    agent: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    at: i64,
    after: String,
}

impl DirectoryRow {
    pub(super) fn of(directory: AgentDirectory) -> Self {
        let AgentDirectory { agent, before, at, after } = directory;
        Self { agent, before, at: at.0, after }
    }
}

impl From<DirectoryRow> for AgentDirectory {
    fn from(DirectoryRow { agent, before, at, after }: DirectoryRow) -> Self {
        Self { agent, before, at: Timestamp(at), after }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ProvisionalRow {
    pub(super) trace: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) asks_heal: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) prompt: Option<PromptRow>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) asked: Vec<AskedRow>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) suspects: Vec<SuspectRow>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) heal: bool,
}

impl ProvisionalRow {
    pub(super) fn of(provisional: ProvisionalPrompt) -> Self {
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

#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own")]
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PromptRow {
    pub(super) id: String,
    #[serde(default)]
    pub(super) trace: u64,
    pub(super) at: i64,
    pub(super) step: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) wants_failure: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) stated: Option<StatedRow>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) is_question: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) asks: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) goes_on: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StatedRow {
    pub(super) step: u64,
    pub(super) kinds: Vec<Kind>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) is_partial: bool,
}

impl StatedRow {
    pub(super) fn of(stated: Stated) -> Self {
        let Stated { step, kinds, is_partial } = stated;
        Self { step, kinds: kinds.into_iter().map(Kind::of).collect(), is_partial }
    }
}

impl From<StatedRow> for Stated {
    fn from(row: StatedRow) -> Self {
        let StatedRow { step, kinds, is_partial } = row;
        Self { step, kinds: kinds.into_iter().map(Kind::run_kind).collect(), is_partial }
    }
}

impl PromptRow {
    pub(super) fn of(mark: PromptMark) -> Self {
        let PromptMark { id, trace, at, step, wants_failure, stated, wish, goes_on } = mark;
        let stated = stated.map(StatedRow::of);
        let (is_question, asks) = (wish != PromptWish::Work, wish == PromptWish::Answer);
        Self { id, trace, at: at.0, step, wants_failure, stated, is_question, asks, goes_on }
    }
}

impl From<PromptRow> for PromptMark {
    fn from(row: PromptRow) -> Self {
        let PromptRow { id, trace, at, step, wants_failure, stated, is_question, asks, goes_on } =
            row;
        let (at, stated) = (Timestamp(at), stated.map(Into::into));
        let wish = match (is_question, asks) {
            (false, _) => PromptWish::Work,
            (true, false) => PromptWish::Unclear,
            (true, true) => PromptWish::Answer,
        };
        Self { id, trace, at, step, wants_failure, stated, wish, goes_on }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct EditRow {
    pub(super) file: String,
    pub(super) step: u64,
    pub(super) latest: u64,
    pub(super) first: u64,
    pub(super) at: i64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) agent: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) changed_tasks: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) is_by_command: bool,
}

impl EditRow {
    pub(super) fn of(edit: Edit) -> Self {
        let Edit { file, step, latest, first, at, agent, changed_tasks, is_by_command } = edit;
        Self { file, step, latest, first, at: at.0, agent, changed_tasks, is_by_command }
    }
}

impl From<EditRow> for Edit {
    fn from(row: EditRow) -> Self {
        let EditRow { file, step, latest, first, at, agent, changed_tasks, is_by_command } = row;
        let at = Timestamp(at);
        Self { file, step, latest, first, at, agent, changed_tasks, is_by_command }
    }
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct HealingRow {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) asked: Vec<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) in_vain: u32,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) given_up: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) told: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) declined: Vec<String>,
}

impl HealingRow {
    pub(super) fn of(healing: Healing) -> Self {
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
pub(super) struct MendedRow {
    pub(super) command: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) detail: Option<String>,
    pub(super) files: Vec<String>,
    pub(super) step: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) call: Option<String>,
}

impl MendedRow {
    pub(super) fn of(mended: Mended) -> Self {
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
pub(super) struct WroteRow {
    pub(super) first: u64,
    pub(super) last: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) agent: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TaskRow {
    pub(super) id: String,
    pub(super) subject: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SuspectRow {
    pub(super) file: String,
    pub(super) text: String,
    pub(super) step: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) agent: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RemovalRow {
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ending: Option<String>,
    step: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    agent: String,
}

impl RemovalRow {
    pub(super) fn of(removal: Removal) -> Self {
        let Removal { path, ending, step, agent } = removal;
        Self { path, ending, step, agent }
    }
}

impl From<RemovalRow> for Removal {
    fn from(row: RemovalRow) -> Self {
        let RemovalRow { path, ending, step, agent } = row;
        Self { path, ending, step, agent }
    }
}

impl SuspectRow {
    pub(super) fn of(suspect: Suspect) -> Self {
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
pub(super) struct AskedRow {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) agent: String,
    pub(super) in_prompt: u32,
    pub(super) in_session: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) sought: Vec<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) declines: Vec<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) noticed: Vec<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) states: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) state_loop: Option<(u64, u64, u32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) claim: Option<String>,
}

impl AskedRow {
    pub(super) fn of(asked: Asked) -> Self {
        let Asked { agent, in_prompt, in_session, last, sought, declined, .. } = asked;
        let state_loop = asked.state_loop.map(|it| (it.task, it.first, it.asked));
        let (declines, noticed, states) = (declined, asked.noticed, asked.states);
        // The words of the message come from the event itself, not from a frame.
        let claim = asked.claim.map(|it| redact::text(&it, Claim::QUOTE).to_string());
        Self {
            agent,
            in_prompt,
            in_session,
            last,
            sought,
            declines,
            noticed,
            states,
            state_loop,
            claim,
        }
    }

    pub(super) fn asked(self) -> Asked {
        let Self { agent, in_prompt, in_session, last, sought, declines: declined, .. } = self;
        let loop_of = |(task, first, asked)| StateLoop { task, first, asked };
        let state_loop = self.state_loop.map(loop_of);
        let (noticed, states, claim) = (self.noticed, self.states, self.claim);
        Asked {
            agent,
            in_prompt,
            in_session,
            last,
            sought,
            declined,
            claim,
            noticed,
            states,
            state_loop,
        }
    }
}
