//! Plan → snapshot: the reads.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use windlass_core::gate::SwitchedOff;
use windlass_core::memory::{Heard, MAX_TEXT, Memory, Role, Span, holds};
use windlass_core::policy::Triage;
use windlass_core::triage::{most_messages, triage_all};
use windlass_core::{Cursor, Digest, Event, Excerpt, Kind, Plan, Snapshot, listens};

use crate::Host;
use crate::agent::claude::transcript::{self, Listener, TranscriptError};
use crate::host::IgnoredVariable;
use crate::journal;
use crate::plain::{self, Follow};
use crate::surroundings::Surrounding;
use crate::switch::Switches;
use crate::tree::Tree;
use crate::{redact, steering};

/// Bytes of the file in which a project keeps its knowledge.
const MAX_KNOWLEDGE: u64 = 1 << 20;

/// Reads what the plan names. `cursor` is where the transcript was last read, and `last_said` tells
/// what the agent said at its last stop, as it is kept. A transcript that cannot be read is missing from the
/// snapshot, and costs the event nothing else.
pub(crate) fn load(
    host: &Host,
    plan: Plan,
    event: &Event,
    here: &Surrounding,
    cursor: Option<Cursor>,
    last_said: impl FnOnce() -> Option<String>,
) -> (Snapshot, Result<(), TranscriptError>) {
    let path = event.transcript.as_deref().filter(|_| plan.transcript).map(Path::new);
    let policy = &here.policy;
    let mut listener = (plan.transcript && listens(event, policy))
        .then(|| Listener::new(most_messages(&policy.triage)));
    let digest = path.map(|it| digest(host, it, event, cursor, listener.as_mut())).transpose();
    let (transcript, read) = match digest {
        Ok(digest) => (digest.flatten(), Ok(())),
        Err(error) => (None, Err(error)),
    };
    let end = transcript.as_ref().map_or(0, |it| it.to);
    if let Some(listener) = listener.as_mut().filter(|_| cursor.is_some()) {
        forget_told(listener, last_said);
    }
    let spans = listener.map_or_else(Vec::new, |it| spans(it, event, end, &policy.triage));
    let (off, acts_on_ours) = match event.kind {
        _ if plan.work => off_and_foreign(host, event, here),
        // A brief says which loops are in force.
        Kind::SessionStart { .. } => (off(host, event, here), Vec::new()),
        _ => (Vec::new(), Vec::new()),
    };
    let ignored_variables = if plan.work { ignored_variables(host) } else { Vec::new() };
    let message = if plan.work { message(event) } else { None };
    let checks_changed = here.checks_changed;
    let read_here = here.snapshot();
    let snapshot = Snapshot {
        transcript,
        spans,
        off,
        acts_on_ours,
        ignored_variables,
        message,
        checks_changed,
        ..read_here
    };
    (snapshot, read)
}

/// Forgets the message of the last stop, which was heard there, where the client wrote it after that.
/// Of a long one only the two ends were heard.
fn forget_told(listener: &mut Listener, said_last: impl FnOnce() -> Option<String>) {
    let is_short = |it: &&str| it.len() <= 2 * Excerpt::PART;
    if listener.late().find(is_short).is_none() {
        return;
    }
    if let Some(kept) = said_last() {
        listener.forget_late(|it| is_short(&it) && journal::is_kept_as(it, &kept));
    }
}

/// What of the conversation is knowledge. The last message of an agent that stops reaches the file
/// after us, as a rule: it would begin where the file ends. Where it is there, it is heard already.
fn spans(mut listener: Listener, event: &Event, end: u64, settings: &Triage) -> Vec<Span> {
    if let Kind::Stop(stop) = &event.kind
        && !listener.ends_with(&stop.message)
    {
        let Excerpt { head, tail, .. } = &stop.message;
        // What lies at an edge between the two may be half of something.
        let head = if tail.is_some() { head.rsplit_once('\n').map_or("", |it| it.0) } else { head };
        listener.say(Role::Agent, head, end);
        if let Some((_, tail)) = tail.as_deref().and_then(|it| it.split_once('\n')) {
            listener.say(Role::Agent, tail, end);
        }
    }
    knowledge(&listener.heard(), settings)
}

/// What of that which was heard is knowledge, without secrets.
pub(crate) fn knowledge(heard: &[Heard], settings: &Triage) -> Vec<Span> {
    let mut spans = triage_all(heard, settings);
    let mut safe = BTreeMap::new();
    for span in &mut spans {
        let at = span.at;
        let safe = safe.entry(at).or_insert_with(|| {
            // What an agent said last may come in two parts.
            let messages = heard.iter().filter_map(|it| match it {
                Heard::Said { text, at: place, .. } if *place == at => Some(text.as_str()),
                _ => None,
            });
            Safe::of(messages)
        });
        span.text = safe.clean(&span.text);
    }
    spans
}

/// The last commit of the working tree.
pub(crate) fn commit(root: &Path) -> Option<String> {
    Tree::open(root).ok()??.commit_name()
}

/// The words of a message that are left when its secrets are taken out. What is a secret only by
/// what stands around it, such as a line of a key, is seen there, however long that is.
struct Safe {
    /// None where the message has no secrets.
    words: Option<BTreeSet<String>>,
}

impl Safe {
    fn of<'a>(messages: impl Iterator<Item = &'a str>) -> Self {
        let (mut words, mut has_secrets) = (BTreeSet::new(), false);
        for message in messages {
            let seen = redact::document(message);
            has_secrets |= !seen.is(message);
            words.extend(pieces(&seen.to_string()).map(str::to_owned));
        }
        Self { words: has_secrets.then_some(words) }
    }

    /// The words of a span without secrets. It may be put together of sentences of the message, so
    /// it is looked at word by word.
    fn clean(&self, span: &str) -> String {
        let clean = redact::text(span, MAX_TEXT).to_string();
        let Some(words) = &self.words else { return clean };
        let mut out = String::with_capacity(clean.len());
        for word in clean.split_inclusive(char::is_whitespace) {
            let bare = word.trim_end();
            out.push_str(if pieces(bare).all(|it| words.contains(it)) {
                bare
            } else {
                "[redacted]"
            });
            out.push_str(&word[bare.len()..]);
        }
        out
    }
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty())
}

/// What the user has switched off for an event, and at a stop what else was put among the switches.
fn off_and_foreign(
    host: &Host,
    event: &Event,
    here: &Surrounding,
) -> (Vec<SwitchedOff>, Vec<String>) {
    let (session, seen) = (Some(&event.session), here.seen.as_ref());
    let switches = Switches::read_for(host, session, seen);
    let is_told = matches!(event.kind, Kind::Stop(_)) && event.agent.is_none();
    let foreign =
        if is_told { steering::foreign_switches(host, &switches, event.at) } else { Vec::new() };
    (switches.off(session, seen), foreign)
}

/// What the user has switched off for an event by now.
pub(crate) fn off(host: &Host, event: &Event, here: &Surrounding) -> Vec<SwitchedOff> {
    let (session, seen) = (Some(&event.session), here.seen.as_ref());
    Switches::read_for(host, session, seen).off(session, seen)
}

/// Variables of the environment that do not count, each in a sentence.
fn ignored_variables(host: &Host) -> Vec<String> {
    host.ignored_variables().into_iter().map(IgnoredVariable::sentence).collect()
}

/// The last message of an agent that wants to stop, without secrets.
pub(crate) fn message(event: &Event) -> Option<Excerpt> {
    let (Kind::Stop(stop) | Kind::AgentStop(stop)) = &event.kind else { return None };
    let head = redact::excerpt(&stop.message, 2 * Excerpt::PART).to_string();
    Some(Excerpt { head, tail: None, bytes: stop.message.bytes })
}

/// Drops what stands in the file in which the project keeps its knowledge: that is kept as well.
pub(crate) fn drop_known(unsettled: &mut Vec<Memory>, here: &Surrounding) {
    let file = &here.policy.knowledge.file;
    let Some(root) = here.root().filter(|_| !file.is_empty() && !unsettled.is_empty()) else {
        return;
    };
    let Ok(Some(file)) = plain::read(&root.join(file), Follow::Within(&root), MAX_KNOWLEDGE) else {
        return;
    };
    let document = String::from_utf8_lossy(&file.bytes);
    unsettled.retain(|it| !holds(&document, &it.content.text));
}

fn digest(
    host: &Host,
    path: &Path,
    event: &Event,
    cursor: Option<Cursor>,
    listener: Option<&mut Listener>,
) -> Result<Option<Digest>, TranscriptError> {
    let Some(file) = transcript::open(host, path)? else { return Ok(None) };
    transcript::check_session(&file, path, &event.session)?;
    transcript::digest(&file, cursor, &event.session, event.agent.as_ref(), listener).map(Some)
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::Safe;

    fn clean(span: &str, message: &str) -> String {
        Safe::of(iter::once(message)).clean(span)
    }

    #[test]
    fn a_line_of_a_key_is_seen_by_the_lines_around_it() {
        let line = ["AAAAa1B2c3D4e5F6g7H8", "i9J0k1L2m3N4o5P6q7R8a1B2c3D4e5F6"].concat();
        let message = format!(
            "PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 1\n{line}\nPrivate-MAC: 0f\n\n\
             so it is."
        );
        assert_eq!(clean(&line, ""), line);
        assert_eq!(clean(&line, &message), "[redacted]");
        assert_eq!(clean("so it is.", &message), "so it is.");
    }

    /// A span that is put together of the message, a long key, and the short end of its last line.
    #[test]
    fn a_secret_is_seen_wherever_in_the_message_it_is_one() {
        let lines = ["AAAAa1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8a1B2c3D4e5F6"; 40].join("\n");
        let message = format!(
            "The cause <!-- hidden --> is this.\nPuTTY-User-Key-File-2: ssh-rsa\n\
             Private-Lines: 41\n{lines}\nzQ7=\nPrivate-MAC: 0f\n\nSo it is."
        );
        let span = format!("The cause  is this. {} zQ7= So it is.", &lines[..52]);
        assert_eq!(clean(&span, &message), "The cause  is this. [redacted] [redacted] So it is.");
    }
}
