//! The subagents of a file: whose row is it, and when is an agent done?
//!
//! Newer clients give each subagent a file of its own. Older ones write its rows into the main
//! file, marked as a side chain, and tell the chains apart only by the row that each row follows.

use std::collections::VecDeque;

use windlass_core::{Event, Subagent};
use xxhash_rust::xxh64::xxh64;

use super::conversation::{Conversation, Place};
use super::meaning::Meaning;
use crate::agent::claude::call;
use crate::agent::claude::wire::{AgentInput, Block, Row, ToolUseResult};

/// Subagents that are followed at once; the oldest ends where there are more.
const MAX_AGENTS: usize = 64;

/// Rows of a chain that a next row may follow.
const MAX_LINKS: usize = 256;

/// Calls for an agent that are remembered until the agent speaks.
const MAX_CALLS: usize = 256;

/// The subagents that are at work.
#[derive(Debug, Default)]
pub(super) struct Subagents {
    chains: VecDeque<Chain>,
    calls: VecDeque<AgentCall>,
}

/// What one subagent does.
#[derive(Debug)]
struct Chain {
    conversation: Conversation,
    /// Its last rows.
    links: VecDeque<u64>,
    /// The call that it answers.
    call: Option<String>,
}

/// A call for an agent, whose rows begin with the same prompt.
#[derive(Debug)]
struct AgentCall {
    id: String,
    prompt: u64,
    role: String,
}

impl Subagents {
    /// The agent that a row belongs to.
    pub(super) fn of(&mut self, row: &Row<'_>) -> Option<&mut Conversation> {
        let index = self.position(row)?;
        let chain = self.chains.get_mut(index)?;
        chain.follow(row);
        Some(&mut chain.conversation)
    }

    /// Makes an agent known by its first row, unless it is. Where there are too many, the oldest
    /// ends.
    pub(super) fn meet(
        &mut self,
        row: &Row<'_>,
        meaning: &Meaning<'_>,
        place: &Place,
    ) -> Vec<Event> {
        let speaks = matches!(meaning, Meaning::Said { .. } | Meaning::Prompted { .. });
        if !speaks || self.position(row).is_some() {
            return Vec::new();
        }
        self.chains.push_back(self.begin(row, meaning));
        let full = self.chains.len() > MAX_AGENTS;
        full.then(|| self.chains.pop_front()).flatten().map_or(Vec::new(), |it| it.end(place))
    }

    fn position(&self, row: &Row<'_>) -> Option<usize> {
        if let Some(id) = row.agent_id.text() {
            return self.chains.iter().position(|it| it.id() == id);
        }
        let known = |uuid: &str, chain: &Chain| chain.links.contains(&link(uuid));
        let (own, parent) = (row.uuid.text(), row.parent_uuid.text());
        self.chains.iter().position(|chain| {
            own.as_deref().is_some_and(|it| known(it, chain))
                || parent.as_deref().is_some_and(|it| known(it, chain))
        })
    }

    fn begin(&self, row: &Row<'_>, meaning: &Meaning<'_>) -> Chain {
        let call = match meaning {
            Meaning::Prompted { text, .. } => {
                let prompt = link(text);
                self.calls.iter().rev().find(|it| it.prompt == prompt)
            }
            _ => None,
        };
        let id = row.agent_id.text().or_else(|| row.uuid.text()).unwrap_or_default().into_owned();
        let role = call.map(|it| it.role.clone()).unwrap_or_default();
        let conversation = Conversation::of(Subagent { id, role });
        let call = call.map(|it| it.id.clone());
        let mut chain = Chain { conversation, links: VecDeque::new(), call };
        chain.follow(row);
        chain
    }

    /// Remembers a call, if it is for an agent.
    pub(super) fn called(&mut self, block: &Block<'_>) {
        if !call::starts_agent(block) {
            return;
        }
        let input: AgentInput<'_> = block.input.object().unwrap_or_default();
        let Some(prompt) = input.prompt.text() else { return };
        if self.calls.len() >= MAX_CALLS {
            self.calls.pop_front();
        }
        self.calls.push_back(AgentCall {
            id: block.id.string(),
            prompt: link(&prompt),
            role: input.subagent_type.string(),
        });
    }

    /// Ends the agents whose call is answered here.
    pub(super) fn answered(
        &mut self,
        answers: &[Block<'_>],
        row: &Row<'_>,
        place: &Place,
    ) -> Vec<Event> {
        if self.chains.is_empty() {
            return Vec::new();
        }
        let result: ToolUseResult<'_> = row.tool_use_result.object().unwrap_or_default();
        let agent = result.agent_id.text();
        let is_answered =
            |call: &str| answers.iter().any(|it| it.tool_use_id.text().as_deref() == Some(call));
        let mut events = Vec::new();
        for chain in std::mem::take(&mut self.chains) {
            let is_done = agent.as_deref() == Some(chain.id())
                || chain.call.as_deref().is_some_and(is_answered);
            if is_done {
                events.extend(chain.end(place));
            } else {
                self.chains.push_back(chain);
            }
        }
        events
    }

    /// Ends all agents.
    pub(super) fn end(&mut self, place: &Place) -> Vec<Event> {
        self.chains.drain(..).flat_map(|it| it.end(place)).collect()
    }
}

impl Chain {
    fn id(&self) -> &str {
        self.conversation.agent.as_ref().map_or("", |it| &it.id)
    }

    fn follow(&mut self, row: &Row<'_>) {
        if let Some(link) = row.uuid.text().map(|it| link(&it))
            && self.links.back() != Some(&link)
        {
            self.links.push_back(link);
            if self.links.len() > MAX_LINKS {
                self.links.pop_front();
            }
        }
        // The newest clients say it in each row of the agent.
        if let (Some(agent), Some(role)) =
            (&mut self.conversation.agent, row.attribution_agent.text())
        {
            agent.role = role.into_owned();
        }
    }

    fn end(mut self, place: &Place) -> Vec<Event> {
        let mut events = self.conversation.end(place);
        self.conversation.tell_start(&mut events, place);
        events
    }
}

fn link(text: &str) -> u64 {
    xxh64(text.as_bytes(), 0)
}
