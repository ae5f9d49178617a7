//! What one agent did in a file so far: its open message, and how its turn would end here.

use windlass_core::{
    Event, Excerpt, Kind, SessionId, StartSource, Stop, Subagent, Timestamp, Tool, ToolCall,
};

use super::meaning::Meaning;
use crate::agent::claude::call;
use crate::agent::claude::field::Field;
use crate::agent::claude::wire::Block;

/// Calls of one message that are held; what is beyond is told as another message.
const MAX_CALLS: usize = 1024;

/// What an event takes from the row it was found in.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) at: Timestamp,
    pub(super) bytes: usize,
    pub(super) session: SessionId,
    pub(super) cwd: String,
    pub(super) transcript: Option<String>,
}

/// The part of one agent.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    /// `None` in the main conversation.
    pub(super) agent: Option<Subagent>,
    /// The prompt that is being answered.
    pub(super) prompt: Option<String>,
    /// Background tasks that still run.
    pub(super) background: Vec<String>,
    /// The start that is told before anything else is.
    start: Option<(Option<Timestamp>, Kind)>,
    message: Option<Message>,
    ending: Option<Ending>,
    /// A hook already made this turn go on.
    continued: bool,
}

/// A message whose calls are not all answered yet.
#[derive(Debug)]
struct Message {
    id: String,
    calls: Vec<Call>,
    /// When the last answer came.
    at: Timestamp,
    /// Bytes of its rows and their answers.
    bytes: usize,
}

#[derive(Debug)]
struct Call {
    call: ToolCall,
    is_answered: bool,
}

/// How a turn ends where the agent does nothing more.
#[derive(Debug)]
struct Ending {
    at: Timestamp,
    bytes: usize,
    how: How,
}

#[derive(Debug)]
enum How {
    Said(Excerpt),
    Failed(String),
}

impl Conversation {
    /// The part of a subagent that begins.
    pub(super) fn of(agent: Subagent) -> Self {
        let start = Some((None, Kind::AgentStart));
        Self { agent: Some(agent), start, ..Self::default() }
    }

    /// Tells what a row ends. It comes before what the row itself has to say.
    pub(super) fn close(&mut self, meaning: &Meaning<'_>, place: &Place) -> Vec<Event> {
        match meaning {
            Meaning::Said { message, .. } if self.is_open(message) => Vec::new(),
            Meaning::Failed(_) => self.tell_calls(place),
            Meaning::Said { .. } | Meaning::Interrupted => {
                self.ending = None;
                self.tell_calls(place)
            }
            Meaning::Prompted { .. } | Meaning::Compacted => self.end(place),
            Meaning::HeldBack | Meaning::Rested | Meaning::Cleared => self.rest(place),
            Meaning::Started(_)
            | Meaning::Answered(_)
            | Meaning::Summarised
            | Meaning::Left
            | Meaning::Nothing => Vec::new(),
        }
    }

    /// Ends the turn, where the agent had nothing more to do.
    fn rest(&mut self, place: &Place) -> Vec<Event> {
        if self.ending.is_some() { self.end(place) } else { Vec::new() }
    }

    /// Ends the open message, and the turn where the agent had nothing more to do.
    pub(super) fn end(&mut self, place: &Place) -> Vec<Event> {
        let mut events = self.tell_calls(place);
        let Some(ending) = self.ending.take() else { return events };
        let kind = match (ending.how, &self.agent) {
            (How::Said(message), None) => Kind::Stop(self.stop(message)),
            (How::Said(message), Some(_)) => Kind::AgentStop(self.stop(message)),
            (How::Failed(error), _) => Kind::StopFailure { error },
        };
        self.tell(
            &mut events,
            &Place { at: ending.at, bytes: ending.bytes, ..place.clone() },
            kind,
        );
        events
    }

    fn stop(&self, message: Excerpt) -> Stop {
        // Of what ran in the background a transcript does not say whether it would have come back.
        let running = self.background.len();
        Stop {
            continued: self.continued,
            message,
            background: running,
            awaited: running,
            scheduled: 0,
            planning: false,
        }
    }

    // Rows without an id are one message until the first answer comes.
    fn is_open(&self, id: &str) -> bool {
        self.message.as_ref().is_some_and(|it| {
            it.id == id && (!id.is_empty() || !it.calls.iter().any(|it| it.is_answered))
        })
    }

    fn tell_calls(&mut self, place: &Place) -> Vec<Event> {
        let mut events = Vec::new();
        let Some(message) = self.message.take() else { return events };
        let answered = message.calls.into_iter().filter(|it| it.is_answered);
        let calls: Vec<_> = answered.map(|it| it.call).collect();
        if !calls.is_empty() {
            let place = Place { at: message.at, bytes: message.bytes, ..place.clone() };
            self.tell(&mut events, &place, Kind::Tools(calls));
        }
        events
    }

    /// Takes a row of the agent's message in.
    pub(super) fn say(&mut self, id: &str, blocks: &[Block<'_>], place: &Place) -> Vec<Event> {
        let full = self.message.as_ref().is_some_and(|it| it.calls.len() >= MAX_CALLS);
        let events = if full { self.tell_calls(place) } else { Vec::new() };
        let message = self.message.get_or_insert_with(|| Message {
            id: id.to_owned(),
            calls: Vec::new(),
            at: place.at,
            bytes: 0,
        });
        message.bytes += place.bytes;
        for block in blocks {
            if block.kind.text().as_deref() == Some("tool_use") {
                message.calls.push(Call { call: call::made(block), is_answered: false });
                self.ending = None;
            } else if message.calls.is_empty() && block.text.raw().len() > 2 {
                let how = How::Said(block.text.excerpt());
                self.ending = Some(Ending { at: place.at, bytes: place.bytes, how });
            }
        }
        events
    }

    /// Takes an answer in, and returns the tool that gave it. `denial` is the kind of a refusal that
    /// its row names.
    pub(super) fn answer(
        &mut self,
        block: &Block<'_>,
        denial: Field<'_>,
        place: &Place,
    ) -> Option<Tool> {
        let message = self.message.as_mut()?;
        let id = block.tool_use_id.text()?;
        let call = message.calls.iter_mut().find(|it| !it.is_answered && it.call.id == id)?;
        call::answer(&mut call.call, block, denial);
        call.is_answered = true;
        message.at = place.at;
        message.bytes += place.bytes;
        Some(call.call.tool)
    }

    /// The model's service failed.
    pub(super) fn fail(&mut self, error: &str, place: &Place) {
        let how = How::Failed(error.to_owned());
        self.ending = Some(Ending { at: place.at, bytes: place.bytes, how });
    }

    /// A hook made the agent go on.
    pub(super) fn hold_back(&mut self) {
        self.continued = true;
    }

    /// A new turn begins, whoever wants it.
    pub(super) fn turn(&mut self) {
        self.continued = false;
    }

    /// The next event is preceded by this start. Its time is that of the first row with one.
    pub(super) fn start(&mut self, kind: Kind) {
        self.start = Some((None, kind));
    }

    /// The start that was not told yet.
    pub(super) fn untold(&mut self) -> Option<&mut Kind> {
        self.start.as_mut().map(|it| &mut it.1)
    }

    /// Dates a start that was not told yet.
    pub(super) fn date(&mut self, at: Timestamp) {
        if let Some((date, _)) = &mut self.start {
            date.get_or_insert(at);
        }
    }

    /// Tells the start, where it was not told yet.
    pub(super) fn tell_start(&mut self, events: &mut Vec<Event>, place: &Place) {
        if let Some((at, kind)) = self.start.take() {
            let place = Place { at: at.unwrap_or(place.at), ..place.clone() };
            events.push(self.event(&place, kind));
        }
    }

    /// Tells an event.
    pub(super) fn tell(&mut self, events: &mut Vec<Event>, place: &Place, kind: Kind) {
        self.tell_start(events, place);
        events.push(self.event(place, kind));
    }

    fn event(&self, place: &Place, kind: Kind) -> Event {
        let Place { at, bytes, session, cwd, transcript } = place.clone();
        // A session starts before its first prompt, except where a prompt made it start anew.
        let before = matches!(
            kind,
            Kind::SessionStart { source, .. }
                if !matches!(source, StartSource::Clear | StartSource::Compact)
        );
        Event {
            at,
            session,
            agent: self.agent.clone(),
            prompt: self.prompt.clone().filter(|_| !before),
            cwd,
            transcript,
            bytes,
            kind,
        }
    }
}
