//! Every file, event by event, to the report.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::mem;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

use windlass_core::{Decision, Digest, Effect, Event, SessionId, Snapshot, Work, decide, plan};

use super::report::{self, Report};
use super::sources::{self, Source};
use crate::Host;
use crate::agent::claude::transcript::{Events, EventsError, Seen};
use crate::began::gates_of_directory;
use crate::cli::Replay;
use crate::cmd::show::{self, ShowError};
use crate::journal::{self, Recorded};
use crate::load;
use crate::store::Store;
use crate::surroundings::{Surrounding, Surroundings};

/// Why a file was not replayed to its end.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReplayError {
    #[error("find the files")]
    Find(#[source] io::Error),
    #[error("open the file")]
    Open(#[source] io::Error),
    #[error("read the file")]
    Read(#[source] io::Error),
    #[error("no row of the file is one of a Claude Code conversation")]
    Foreign,
    #[error("no frame of the journal is whole")]
    Torn,
    #[error("write to stdout")]
    Output(#[source] io::Error),
}

/// Replays every file and shows what would be said.
pub(in crate::cmd) fn run(host: &Host, options: &Replay) -> Result<ExitCode, ShowError> {
    let begun = Instant::now();
    let recorded = options.session.as_deref().map(|it| recorded(host, it)).transpose()?;
    let (sources, unread) = sources::find(&options.paths);
    let around = Surroundings::new(host);
    let mut report = Report::new(options, sources.iter().map(|it| it.bytes).sum());
    if let Some((source, frames)) = &recorded {
        match replay_journal(source, frames.as_slice(), &around, &mut report) {
            Err(ReplayError::Output(error)) => return Ok(report::broken(error)),
            read => report.end_of(source, read),
        }
    }
    for (path, error) in unread {
        report.not_read(&path, &ReplayError::Find(error));
    }
    for source in &sources {
        match replay(source, &around, &mut report) {
            Err(ReplayError::Output(error)) => return Ok(report::broken(error)),
            read => report.end_of(source, read),
        }
    }
    Ok(report.end(begun.elapsed()))
}

/// What the ledger and the journal hold of a session. Nothing is folded for it.
fn recorded(host: &Host, name: &str) -> Result<(Source, Vec<u8>), ShowError> {
    let data_dir = host.data_dir().ok_or(ShowError::Homeless)?;
    let store = Store::look(&data_dir, Duration::from_secs(2))?.ok_or(ShowError::Nothing)?;
    let session = show::session(&store, name)?;
    let frames = store.frames(&session.name)?;
    Ok((Source { path: session.name.into(), bytes: frames.len() as u64 }, frames))
}

fn replay(
    source: &Source,
    around: &Surroundings<'_>,
    report: &mut Report,
) -> Result<(), ReplayError> {
    let file = File::open(&source.path).map_err(ReplayError::Open)?;
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let start = reader.fill_buf().map_err(ReplayError::Read)?;
    let is_journal = source.path.extension() == Some(OsStr::new("journal"));
    if is_journal || journal::begins(start) {
        replay_journal(source, reader, around, report)
    } else {
        replay_transcript(source, reader, around, report)
    }
}

fn replay_transcript(
    source: &Source,
    reader: impl BufRead,
    around: &Surroundings<'_>,
    report: &mut Report,
) -> Result<(), ReplayError> {
    let mut past = Past::default();
    let mut digest = Digest::default();
    for seen in Events::new(reader, &source.path) {
        match seen {
            Ok(Seen::Event(event)) => {
                let here = past.surrounding(&event, around);
                let decision = past.judge(&event, Some(&mut digest), &here);
                report.decided(source, &event, &decision).map_err(ReplayError::Output)?;
            }
            Ok(Seen::Row { to, entries }) => {
                digest.to = to;
                digest.rows += 1;
                if entries.is_none() {
                    digest.corrupt += 1;
                    report.corrupt(1);
                }
                entries.into_iter().flatten().for_each(|it| digest.count(it));
                report.move_to(to);
            }
            Err(EventsError::Foreign) => return Err(ReplayError::Foreign),
            Err(EventsError::Read(error)) => return Err(ReplayError::Read(error)),
        }
    }
    Ok(())
}

fn replay_journal(
    source: &Source,
    mut reader: impl Read,
    around: &Surroundings<'_>,
    report: &mut Report,
) -> Result<(), ReplayError> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(ReplayError::Read)?;
    let mut records = journal::read(&bytes);
    let mut past = Past::default();
    let mut whole = 0;
    for recorded in records.by_ref() {
        replay_record(source, &recorded, &mut past, around, report)?;
        whole += 1;
    }
    report.corrupt(records.torn());
    if whole == 0 && records.torn() > 0 { Err(ReplayError::Torn) } else { Ok(()) }
}

fn replay_record(
    source: &Source,
    recorded: &Recorded<'_>,
    past: &mut Past,
    around: &Surroundings<'_>,
    report: &mut Report,
) -> Result<(), ReplayError> {
    report.move_to(recorded.end() as u64);
    let Some(event) = &recorded.event else {
        report.corrupt(recorded.bodies().count());
        return Ok(());
    };
    let here = past.surrounding(event, around);
    let decision = past.judge(event, None, &here);
    report.decided(source, event, &decision).map_err(ReplayError::Output)
}

/// What was done so far in the sessions of a file.
#[derive(Debug, Default)]
struct Past {
    works: HashMap<SessionId, Work>,
    /// The directories in which they began.
    began: HashMap<SessionId, String>,
}

impl Past {
    /// The surrounding by which an event of a session is judged.
    fn surrounding(&mut self, event: &Event, around: &Surroundings<'_>) -> Rc<Surrounding> {
        let began = self.began.entry(event.session.clone()).or_insert_with(|| event.cwd.clone());
        gates_of_directory(Some(began), event, around)
    }

    /// Decides one event as the hook would, on what was read of its file so far and the policy
    /// lets a rule see. A journal tells nothing of a transcript.
    fn judge(
        &mut self,
        event: &Event,
        digest: Option<&mut Digest>,
        here: &Surrounding,
    ) -> Decision {
        let policy = &here.policy;
        let plan = plan(event).under(event, policy);
        let work = self.works.entry(event.session.clone()).or_default();
        work.observe(event, &policy.gates.runs);
        if let Some(digest) = digest.as_deref().filter(|_| plan.transcript && event.agent.is_none())
        {
            work.settle_prompts(&digest.seen_prompts);
        }
        let work_so_far = plan.work.then(|| work.clone());
        let message = load::message(event).filter(|_| plan.work);
        let mut snapshot = Snapshot { work: work_so_far, message, ..here.snapshot() };
        if let Some(digest) = digest.filter(|_| plan.transcript) {
            // The next part begins where this one ends.
            let (to, last_message) = (digest.to, digest.last_message);
            let next = Digest { from: to, to, last_message, ..Digest::default() };
            snapshot.transcript = Some(mem::replace(digest, next));
        }
        let decision = decide(event, &snapshot, policy, crate::step::elapsed);
        for effect in &decision.effects {
            match effect {
                Effect::KeepWork(kept) => work.clone_from(kept),
                Effect::KeepDigest(_)
                | Effect::KeepChecked { .. }
                | Effect::KeepAsk { .. }
                | Effect::KeepShown { .. }
                | Effect::ForgetShown
                | Effect::KeepCloneNotice { .. }
                | Effect::Loop { .. } => {}
            }
        }
        decision
    }
}

#[cfg(test)]
mod tests {
    use super::{Past, Surrounding};
    use windlass_core::{
        Digest, Effect, Entry, Event, Kind, Policy, PromptAuthor, SessionId, StartSource, Timestamp,
    };

    fn under(policy: Policy) -> Surrounding {
        Surrounding {
            seen: None,
            policy,
            keep_days: None,
            has_settings: false,
            checks_changed: false,
            uncommitted_is_set: false,
            leftovers_is_set: false,
            ignored: None,
            untold_keys: None,
            good: Vec::new(),
        }
    }

    #[test]
    fn what_the_hook_would_tell_of_settings_is_told() {
        let ignored = Some("two settings do not count".to_owned());
        let here = Surrounding { ignored: ignored.clone(), ..under(Policy::default()) };
        let start = event(Kind::SessionStart { source: StartSource::Startup, model: None });
        assert_eq!(Past::default().judge(&start, None, &here).notice, ignored);
    }

    fn event(kind: Kind) -> Event {
        Event {
            at: Timestamp(0),
            session: SessionId::parse("s").unwrap(),
            agent: None,
            prompt: None,
            cwd: String::new(),
            transcript: Some("/t.jsonl".to_owned()),
            bytes: 0,
            kind,
        }
    }

    /// What the hook keeps is what the rules were shown.
    #[test]
    fn a_rule_sees_the_part_of_the_file_since_it_last_looked() {
        let end = || event(Kind::SessionEnd { reason: String::new() });
        let here = under(Policy::default());
        let mut past = Past::default();
        let mut judge =
            |event: &Event, digest: Option<&mut Digest>| past.judge(event, digest, &here);
        let mut digest = Digest { to: 100, ..Digest::default() };
        digest.count(Entry::Prompt(PromptAuthor::Typed));
        assert_eq!(judge(&event(Kind::Tools(Vec::new())), Some(&mut digest)).effects, []);

        let first = judge(&end(), Some(&mut digest)).effects;
        let expected = Digest { to: 100, prompts: 1, ..Digest::default() };
        assert_eq!(first, [Effect::KeepDigest(expected)]);

        digest.to = 150;
        let second = judge(&end(), Some(&mut digest)).effects;
        let expected = Digest { from: 100, to: 150, ..Digest::default() };
        assert_eq!(second, [Effect::KeepDigest(expected)]);
        assert_eq!(judge(&end(), None).effects, []);
    }
    #[test]
    fn what_the_policy_keeps_unread_no_rule_sees() {
        let mut policy = Policy::default();
        policy.transcripts.read = false;
        let mut digest = Digest { to: 100, ..Digest::default() };
        let end = event(Kind::SessionEnd { reason: String::new() });
        assert_eq!(Past::default().judge(&end, Some(&mut digest), &under(policy)).effects, []);
        assert_eq!(digest.to, 100, "a later event may see it");
    }
}
