//! What a client writes and what the journal holds of it: payloads, conversation files, frames.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{MemfdFlags, memfd_create};
use serde::Deserialize;
use windlass_core::policy::Policy;
use windlass_core::{Event, SessionId, Snapshot, Timestamp, Work, decide, plan};

use crate::agent::claude::transcript::{Events, Listener, Seen, digest};
use crate::agent::claude::{self, Ask, EventName};
use crate::input::{self, Payload};
use crate::journal;
use crate::load;

/// Bytes of a recorded file that are a seed: short inputs are explored faster.
const SEED_BYTES: u64 = 48 << 10;

/// Reads a payload, records its event, reads the record back and decides both.
pub(super) fn read_payload(bytes: &[u8], _: &Path) {
    let text = input::condense(bytes);
    let payload = Payload { text, bytes: bytes.len() };
    let Ok(Some((name, event))) = claude::parse(&payload, Timestamp(1), |_| None) else { return };
    judge(name, &event);
    let Ok(frames) = journal::frames_of(&event, None) else { return };
    for recorded in journal::read(&frames) {
        if let Some(event) = recorded.event {
            judge(name, &event);
        }
    }
}

/// Decides an event alone, and answers it.
fn judge(name: EventName, event: &Event) {
    let policy = Policy::default();
    let mut work = Work::default();
    work.observe(event, &[]);
    let work = Some(work).filter(|_| plan(event).under(event, &policy).work);
    let snapshot = Snapshot { work, message: load::message(event), ..Snapshot::default() };
    let decision = decide(event, &snapshot, &policy, || 0);
    let at_stop = Ask::at_stop(policy.gates.speak, None);
    claude::reply(name, &decision, at_stop);
}

/// The recorded payloads of all client versions.
pub(super) fn payloads(_: &Path) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for text in recorded_files("payloads").iter().filter_map(|it| fs::read_to_string(it).ok()) {
        let recorded = serde_json::from_str::<Vec<RecordedPayload>>(&text).unwrap_or_default();
        seeds.extend(recorded.iter().map(|it| it.payload.to_string().into_bytes()));
    }
    seeds
}

/// An entry of a file of recorded payloads.
#[derive(Deserialize)]
struct RecordedPayload {
    payload: serde_json::Value,
}

/// Reads a conversation file as `replay` does, and as a stop does.
pub(super) fn read_transcript(bytes: &[u8], _: &Path) {
    let mut work = Work::default();
    for seen in Events::new(bytes, Path::new("/p/s.jsonl")) {
        if let Ok(Seen::Event(event)) = seen {
            work.observe(&event, &[]);
        }
    }
    let Some(file) = file_of(bytes) else { return };
    let (session, mut listener) = (SessionId::unknown(), Listener::new(100));
    if let Ok(digest) = digest(&file, None, &session, None, Some(&mut listener)) {
        work.settle(&digest);
        work.settle_prompts(&digest.seen_prompts);
        load::knowledge(&listener.heard(), &Policy::default().triage);
    }
}

/// A file in memory that holds these bytes.
fn file_of(bytes: &[u8]) -> Option<File> {
    let mut file = File::from(memfd_create("transcript", MemfdFlags::CLOEXEC).ok()?);
    file.write_all(bytes).ok()?;
    file.seek(SeekFrom::Start(0)).ok()?;
    Some(file)
}

/// The beginnings of the recorded conversation files.
pub(super) fn transcripts(_: &Path) -> Vec<Vec<u8>> {
    recorded_files("transcripts").iter().filter_map(|it| beginning(it)).collect()
}

/// Reads a journal. A mutation breaks the checksum of a frame, so the lines of the input are read
/// once more as the bodies of whole frames.
pub(super) fn read_journal(bytes: &[u8], _: &Path) {
    observe_frames(bytes);
    let mut sealed = Vec::new();
    for body in bytes.split(|it| *it == b'\n').filter(|it| it.len() < journal::MAX_FRAME / 2) {
        sealed.extend_from_slice(&journal::header(body));
        sealed.extend_from_slice(body);
    }
    observe_frames(&sealed);
}

fn observe_frames(bytes: &[u8]) {
    let mut work = Work::default();
    for recorded in journal::read(bytes) {
        for body in recorded.bodies().filter_map(|it| str::from_utf8(it).ok()) {
            journal::without_texts(body);
        }
        if let Some(event) = recorded.event {
            work.observe(&event, &[]);
        }
    }
}

/// The frames of recorded payloads, and their bodies alone.
pub(super) fn journals(scratch: &Path) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for payload in payloads(scratch) {
        let payload = Payload { text: input::condense(&payload), bytes: payload.len() };
        let parsed = claude::parse(&payload, Timestamp(1), |_| None);
        let Ok(Some((_, event))) = parsed else { continue };
        let Ok(frames) = journal::frames_of(&event, None) else { continue };
        let bodies: Vec<_> =
            journal::read(&frames).flat_map(|it| it.bodies().collect::<Vec<_>>()).collect();
        seeds.push(bodies.join(&b"\n"[..]));
        seeds.push(frames);
    }
    seeds
}

/// Every file below a directory of the recordings.
fn recorded_files(kind: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/claude").join(kind);
    let mut directories = vec![root];
    let mut files = Vec::new();
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { directories.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

/// The first rows of a file.
fn beginning(path: &Path) -> Option<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(SEED_BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
