//! What was recorded, read back: the frames of a journal → events.
//!
//! A text comes back as it was kept: redacted, cut, and with the size that it had. Where such an
//! event is recorded again its frames are the same, unless a cut has left something that looks like
//! a secret by itself.

use windlass_core::{
    Ended, Event, Excerpt, Kind, Outcome, SessionId, Stop, Subagent, TaskChange, Timestamp,
    ToolCall,
};

use super::body::{Body, Task, Text};
use super::frame::{Frame, Frames};
use super::record::Answer;
use super::words;

/// Reads some bytes of a journal. What is torn or damaged is skipped, and counted.
pub(crate) fn read(bytes: &[u8]) -> Reader<'_> {
    Reader { bytes, frames: Frames::new(bytes), ahead: None }
}

/// An event as it was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Recorded<'a> {
    /// Where its first frame begins, in the bytes that were read.
    pub(crate) offset: usize,
    /// Its frames: one, or one for each tool call of a message.
    pub(crate) frames: &'a [u8],
    /// The event; `None` where a newer windlass recorded what this one does not know.
    pub(crate) event: Option<Event>,
}

impl<'a> Recorded<'a> {
    /// Where its last frame ends.
    pub(crate) fn end(&self) -> usize {
        self.offset + self.frames.len()
    }

    /// The bodies of its frames, which are JSON.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &'a [u8]> {
        Frames::new(self.frames).map(|it| it.body)
    }
}

/// The events of a journal, in order.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    frames: Frames<'a>,
    /// The frame behind the last call of a message.
    ahead: Option<(Frame<'a>, Option<Body<'a>>)>,
}

impl<'a> Reader<'a> {
    /// The pieces of frames that were skipped so far.
    pub(crate) fn torn(&self) -> usize {
        self.frames.torn
    }

    fn take(&mut self) -> Option<(Frame<'a>, Option<Body<'a>>)> {
        self.ahead.take().or_else(|| {
            loop {
                let frame = self.frames.next()?;
                let body = str::from_utf8(frame.body).ok().and_then(Body::read);
                // How an answer went is no event.
                if body.as_ref().is_none_or(|it| *it.event != *Answer::EVENT) {
                    return Some((frame, body));
                }
            }
        })
    }

    /// The other calls of the message that a call belongs to. They were written at once, so they
    /// stand right behind it.
    fn others(&mut self, last: &mut Frame<'a>, mut place: Option<(usize, usize)>) -> Vec<ToolCall> {
        let mut calls = Vec::new();
        while let Some((index, of)) = place.filter(|(index, of)| index < of)
            && let Some((frame, body)) = self.take()
        {
            match body {
                Some(body)
                    if frame.offset == last.end() && body.place() == Some((index + 1, of)) =>
                {
                    *last = frame;
                    place = body.place();
                    calls.push(body.call());
                }
                body => {
                    self.ahead = Some((frame, body));
                    break;
                }
            }
        }
        calls
    }
}

impl<'a> Iterator for Reader<'a> {
    type Item = Recorded<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let (first, body) = self.take()?;
        let mut last = first;
        let place = body.as_ref().and_then(Body::place);
        let mut event = body.and_then(Body::event);
        let others = self.others(&mut last, place);
        if let Some(Event { kind: Kind::Tools(calls), .. }) = &mut event {
            calls.extend(others);
        }
        let frames = &self.bytes[first.offset..last.end()];
        Some(Recorded { offset: first.offset, frames, event })
    }
}

impl Body<'_> {
    /// Which call of its message it is, and how many there are.
    fn place(&self) -> Option<(usize, usize)> {
        (&*self.event == "tool").then_some(())?;
        self.index.zip(self.of)
    }

    /// The event that the frame records; of a message with several calls, this one alone. `None`
    /// where it records none.
    pub(crate) fn event(mut self) -> Option<Event> {
        if self.is_part {
            return None;
        }
        let event = Event {
            at: Timestamp(self.at),
            session: SessionId::parse(&self.session).unwrap_or_else(SessionId::unknown),
            agent: self
                .agent
                .take()
                .map(|id| Subagent { id: string(Some(id)), role: string(self.role.take()) }),
            prompt: self.prompt.take().map(|it| string(Some(it))),
            cwd: string(self.cwd.take()),
            transcript: None,
            bytes: usize::try_from(self.bytes?).ok()?,
            kind: Kind::AgentStart,
        };
        Some(Event { kind: self.kind()?, ..event })
    }

    fn kind(self) -> Option<Kind> {
        Some(match &*self.event {
            "session-start" => Kind::SessionStart {
                source: words::to_start_source(&string(self.why)),
                model: self.model.map(|it| string(Some(it))),
            },
            "session-end" => Kind::SessionEnd { reason: string(self.why) },
            "prompt" => Kind::Prompt {
                origin: words::to_prompt_origin(&string(self.why)),
                ended: self.call.map(|call| Ended {
                    call: string(Some(call)),
                    outcome: outcome(self.result, self.exit),
                }),
                text: excerpt(self.text, self.text_bytes),
            },
            "tool-start" => Kind::ToolStart(self.call()),
            "tool" if self.call.is_none() => Kind::Tools(Vec::new()),
            "tool" => Kind::Tools(vec![self.call()]),
            "stop" => Kind::Stop(self.stop()),
            "stop-failure" => Kind::StopFailure { error: string(self.why) },
            "agent-start" => Kind::AgentStart,
            "agent-stop" => Kind::AgentStop(self.stop()),
            "teammate-idle" => Kind::TeammateIdle { name: string(self.task) },
            "task-created" => Kind::TaskCreated {
                id: string(self.task),
                subject: excerpt(self.text, self.text_bytes),
            },
            "task-completed" => Kind::TaskCompleted {
                id: string(self.task),
                subject: excerpt(self.text, self.text_bytes),
            },
            "compact-start" => Kind::CompactStart { trigger: string(self.why) },
            "compact-end" => Kind::CompactEnd { trigger: string(self.why) },
            _ => return None,
        })
    }

    fn call(self) -> ToolCall {
        let outcome = outcome(self.result, self.exit);
        ToolCall {
            id: string(self.call),
            tool: words::to_tool(&self.tool.unwrap_or_default()),
            name: string(self.name),
            command: self.command.map(|it| excerpt(Some(it), self.command_bytes)),
            files: self.files.into_iter().map(|it| string(Some(it))).collect(),
            outcome,
            never_ran: self.never_ran == Some(true),
            output: excerpt(self.output, self.output_bytes),
            took_ms: self.took_ms.and_then(|it| it.try_into().ok()),
            suspects: self.suspects.into_iter().map(|it| string(Some(it))).collect(),
            changed_tasks: self
                .changed_tasks
                .map(|it| it.into_iter().map(|it| string(Some(it))).collect()),
            tasks: self.tasks.into_iter().filter_map(task_change).collect(),
        }
    }

    fn stop(self) -> Stop {
        Stop {
            continued: self.continued,
            message: excerpt(self.text, self.text_bytes),
            background: self.background,
            awaited: self.awaited,
            scheduled: self.scheduled,
            planning: self.planning,
        }
    }
}

fn task_change(task: Task<'_>) -> Option<TaskChange> {
    let Task { state, id, title } = task;
    words::to_task_change(&state, id.0.into_owned(), title.0.into_owned())
}

/// How a call ended. A word of another version says nothing.
fn outcome(word: Option<Text<'_>>, exit: Option<i64>) -> Outcome {
    let exit = exit.and_then(|it| it.try_into().ok());
    word.and_then(|it| Outcome::of(&it, exit)).unwrap_or(Outcome::Unknown)
}

fn string(text: Option<Text<'_>>) -> String {
    text.unwrap_or_default().0.into_owned()
}

fn excerpt(text: Option<Text<'_>>, bytes: Option<usize>) -> Excerpt {
    let head = string(text);
    Excerpt { bytes: bytes.unwrap_or(head.len()), head, tail: None }
}

#[cfg(test)]
mod tests {
    use super::{Body, Kind};

    /// Nothing of ours writes one; a journal is a file, and anybody may.
    #[test]
    fn a_time_that_cannot_be_is_no_time() {
        let took = |ms: &str| {
            let frame = format!(
                r#"{{"event":"tool","session":"s","bytes":1,"call":"c","took_ms":{ms},"exit":{ms}}}"#
            );
            let event = Body::read(&frame).unwrap().event().unwrap();
            let Kind::Tools(calls) = event.kind else { panic!("no call") };
            calls[0].took_ms
        };
        assert_eq!(took("7"), Some(7));
        assert_eq!(took("-7"), None);
    }
}
