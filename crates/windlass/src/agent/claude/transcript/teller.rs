//! What is known of a file while it is read, and what each row adds to it.

use std::borrow::Cow;
use std::path::Path;

use windlass_core::{Event, Excerpt, Kind, PromptOrigin, SessionId, StartSource, Timestamp, Tool};

use super::conversation::{Conversation, Place};
use super::meaning::Meaning;
use super::rows::Scope;
use super::subagents::Subagents;
use crate::agent::claude::author::unframed;
use crate::agent::claude::parse::prompt;
use crate::agent::claude::wire::{Block, Row, ToolUseResult};
use crate::time;

/// Background tasks that are counted at once.
const MAX_BACKGROUND: usize = 1024;

/// The time of a row before the first one that has a time.
const UNDATED: Timestamp = Timestamp(0);

/// Turns what rows mean into events.
#[derive(Debug)]
pub(super) struct Teller {
    /// Where the last row stands.
    place: Place,
    /// Whose file it is, once a row of a message was read.
    scope: Option<Scope>,
    main: Conversation,
    subagents: Subagents,
    /// The conversation had ended; where it goes on, it was resumed.
    left: bool,
}

impl Teller {
    pub(super) fn new(path: &Path) -> Self {
        let place = Place {
            at: UNDATED,
            bytes: 0,
            session: SessionId::unknown(),
            cwd: String::new(),
            transcript: Some(path.to_string_lossy().into_owned()),
        };
        let mut main = Conversation::default();
        main.start(start(StartSource::Startup));
        Self { place, scope: None, main, subagents: Subagents::default(), left: false }
    }

    /// Whose file it is.
    pub(super) fn scope(&self) -> Scope {
        self.scope.unwrap_or(Scope::Main)
    }

    /// Tells what a row ends.
    pub(super) fn close(&mut self, row: &Row<'_>, meaning: &Meaning<'_>) -> Vec<Event> {
        if self.scope.is_none() && matches!(row.kind.text().as_deref(), Some("user" | "assistant"))
        {
            self.scope = Some(if is_side(row) { Scope::Subagent } else { Scope::Main });
        }
        if self.is_inside(row) {
            let side = self.side();
            let agent = self.subagents.of(row);
            return agent.map_or(Vec::new(), |it| it.close(meaning, &side));
        }
        if session(row).is_some_and(|it| self.place.session.is_known() && it != self.place.session)
        {
            let events = self.end();
            self.main = Conversation::default();
            self.main.start(start(StartSource::Resume));
            return events;
        }
        let mut events = match meaning {
            Meaning::Answered(answers) => self.subagents.answered(answers, row, &self.side()),
            Meaning::Prompted { .. } => self.subagents.end(&self.side()),
            _ => Vec::new(),
        };
        events.extend(self.main.close(meaning, &self.place));
        events
    }

    /// Tells what a row begins.
    pub(super) fn open(
        &mut self,
        row: &Row<'_>,
        meaning: &Meaning<'_>,
        bytes: usize,
    ) -> Vec<Event> {
        self.move_to(row, bytes);
        if self.is_inside(row) {
            return self.open_inside(row, meaning);
        }
        if let Some(id) = row.prompt_id.text() {
            self.main.prompt = Some(id.into_owned());
        }
        let mut events = Vec::new();
        match meaning {
            Meaning::Said { message, blocks } => {
                events = self.main.say(message, blocks, &self.place);
                for block in blocks {
                    self.subagents.called(block);
                }
            }
            Meaning::Answered(answers) => self.answer(row, answers),
            Meaning::Prompted { text, is_foreign } => {
                self.prompt(row, text, *is_foreign, &mut events);
            }
            Meaning::Failed(error) => self.main.fail(error, &self.place),
            Meaning::HeldBack => self.main.hold_back(),
            Meaning::Compacted => self.main.start(start(StartSource::Compact)),
            Meaning::Summarised => self.main.tell_start(&mut events, &self.place),
            Meaning::Started(source) => match self.main.untold() {
                Some(kind) => *kind = start(*source),
                None if *source == StartSource::Resume => self.main.start(start(*source)),
                None => {}
            },
            Meaning::Cleared => {
                if let Some(kind) = self.main.untold() {
                    *kind = start(StartSource::Clear);
                    self.main.tell_start(&mut events, &self.place);
                }
            }
            Meaning::Left => match self.main.untold() {
                Some(kind) => *kind = start(StartSource::Resume),
                None => self.left = true,
            },
            Meaning::Interrupted | Meaning::Rested | Meaning::Nothing => {}
        }
        if self.place.at != UNDATED {
            self.main.date(self.place.at);
        }
        events
    }

    fn open_inside(&mut self, row: &Row<'_>, meaning: &Meaning<'_>) -> Vec<Event> {
        let side = self.side();
        let mut events = self.subagents.meet(row, meaning, &side);
        let Some(agent) = self.subagents.of(row) else { return events };
        let id = row.prompt_id.text().map(Cow::into_owned);
        agent.prompt = id.or_else(|| agent.prompt.take()).or_else(|| self.main.prompt.clone());
        match meaning {
            Meaning::Said { message, blocks } => events.extend(agent.say(message, blocks, &side)),
            Meaning::Answered(answers) => {
                for answer in answers {
                    agent.answer(answer, row.tool_denial_kind, &side);
                }
            }
            // A subagent that was done may be sent to work again.
            Meaning::Prompted { .. } => {
                agent.turn();
                agent.start(Kind::AgentStart);
            }
            Meaning::Failed(error) => agent.fail(error, &side),
            Meaning::HeldBack => agent.hold_back(),
            _ => {}
        }
        agent.date(side.at);
        // In a file of its own the agent's next row may tell its role.
        if self.scope == Some(Scope::Main) {
            agent.tell_start(&mut events, &side);
        }
        events
    }

    /// Tells what the end of the file ends.
    pub(super) fn end(&mut self) -> Vec<Event> {
        let mut events = self.subagents.end(&self.side());
        if self.scope() == Scope::Main && self.place.session.is_known() {
            events.extend(self.main.end(&self.place));
            let place = Place { bytes: 0, ..self.place.clone() };
            self.main.tell(&mut events, &place, Kind::SessionEnd { reason: "other".to_owned() });
        }
        events
    }

    fn move_to(&mut self, row: &Row<'_>, bytes: usize) {
        let place = &mut self.place;
        place.bytes = bytes;
        // A row without a time is as old as the one before it.
        if let Some(at) = row.timestamp.text().and_then(|it| time::parse(&it)) {
            place.at = at;
        }
        if let Some(session) = session(row) {
            place.session = session;
        }
        if let Some(cwd) = row.cwd.text() {
            place.cwd = cwd.into_owned();
        }
    }

    fn prompt(&mut self, row: &Row<'_>, text: &str, is_foreign: bool, events: &mut Vec<Event>) {
        if std::mem::take(&mut self.left) {
            self.main.start(start(StartSource::Resume));
        }
        // Older clients have no ids of prompts. What was typed while the agent worked belongs to
        // the prompt that it works on.
        let is_own = row.prompt_id.text().is_none() && row.message.raw().starts_with('{');
        if let Some(id) = row.uuid.text().filter(|_| is_own) {
            self.main.prompt = Some(id.into_owned());
        }
        if let Some(task) = between(text, "<task-id>", "</task-id>") {
            self.main.background.retain(|it| it != task);
        }
        self.main.turn();
        let mut kind = prompt(Excerpt::of(unframed(text)));
        // The mark of the row has the last word.
        if let Kind::Prompt { origin: origin @ PromptOrigin::User, .. } = &mut kind
            && is_foreign
        {
            *origin = PromptOrigin::Foreign;
        }
        self.main.tell(events, &self.place, kind);
    }

    fn answer(&mut self, row: &Row<'_>, answers: &[Block<'_>]) {
        for answer in answers {
            let tool = self.main.answer(answer, row.tool_denial_kind, &self.place);
            if matches!(tool, Some(Tool::Shell | Tool::Agent)) {
                self.main.background.extend(task(row));
                self.main.background.truncate(MAX_BACKGROUND);
            }
        }
    }

    fn is_inside(&self, row: &Row<'_>) -> bool {
        self.scope() == Scope::Subagent || is_side(row)
    }

    /// What a subagent's event takes from a row: in a main file it has no file of its own.
    fn side(&self) -> Place {
        let transcript = self.place.transcript.clone().filter(|_| self.scope() == Scope::Subagent);
        Place { transcript, ..self.place.clone() }
    }
}

fn start(source: StartSource) -> Kind {
    Kind::SessionStart { source, model: None }
}

fn is_side(row: &Row<'_>) -> bool {
    row.is_sidechain.flag() == Some(true)
}

fn session(row: &Row<'_>) -> Option<SessionId> {
    row.session_id.text().and_then(|it| SessionId::parse(&it))
}

/// The task that goes on in the background after an answer.
fn task(row: &Row<'_>) -> Option<String> {
    let result: ToolUseResult<'_> = row.tool_use_result.object()?;
    let agent = result.agent_id.text().filter(|_| result.is_async.flag() == Some(true));
    Some(result.background_task_id.text().or(agent)?.into_owned())
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    Some(text.split_once(before)?.1.split_once(after)?.0)
}
