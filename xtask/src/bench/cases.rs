//! What is measured: the floor, windlass on every event, and what people use instead.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::measure::Call;
use super::payload::{self, Caller, Event, Size, Tool, ToolCall};
use super::transcript;
use super::world::{Session, World};
use crate::error::Error;
use crate::{host, print, release};

/// A static process that only exits.
pub(crate) const FLOOR: &str = "floor";
/// The usual way to do nothing.
pub(crate) const TRUE: &str = "/bin/true";
/// A stop in a short session and in a very long one, each with one new message a call.
pub(super) const SHORT: &str = "Stop, transcript of 50 KB";
pub(super) const LONG: &str = "Stop, transcript of 50 MB";

/// A stop after fifty new messages: with somebody who listens, with nobody who does, and a stop with
/// nothing new.
pub(super) const HEARD: &str = "Stop, 50 new messages";
pub(super) const UNHEARD: &str = "Stop, 50 new messages, nobody listens";
pub(super) const ALONE: &str = "Stop, nothing new, nobody listens";
/// Each is a prompt, a call with its result, and an answer.
const TURNS: usize = 25;

/// A working tree looked at by us and by git.
pub(super) const SCAN: &str = "scan of 10,000 files";
pub(super) const STATUS: &str = "git status -uno";
/// Files in that tree.
const FILES: usize = 10_000;

/// The events on which the release is measured beside one that has the hook and the commands only:
/// what the server of tools brings must cost the hook nothing.
pub(super) const BESIDE: [Event; 3] = [Event::PostToolBatch, Event::UserPromptSubmit, Event::Stop];

/// How much the ledger holds already when a journal is folded into it.
pub(super) const ROWS: [Rows; 2] = [Rows(10_000), Rows(100_000)];
/// The events that fold a journal while the user waits.
pub(super) const FOLDING: [Event; 3] = [Event::Stop, Event::UserPromptSubmit, Event::SessionEnd];
/// Tool calls that wait in the journal when it is folded.
const WAITING: u64 = 10;

/// How many memories a project has when a session begins or a prompt is held against them, and how
/// long that may take.
pub(super) const MEMORIES: [(Memories, f64); 2] =
    [(Memories(10_000), 3.0), (Memories(100_000), 8.0)];
/// A prompt that has nothing to do with any of them.
const UNRELATED: &str = "please look at the failing pipeline and tell me what the reviewers wanted";

/// Memories of a project.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memories(u64);

/// Rows of a ledger.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows(u64);

/// One program on one payload.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) call: Call,
    pub(crate) payload: Arc<[u8]>,
    pub(super) pace: Pace,
    pub(super) before: Before,
    pub(super) samples: Vec<Duration>,
    /// The most memory that it had at once, in KB, where that can be seen.
    pub(super) peak: Option<u64>,
}

/// How often a case is called.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Pace {
    /// In every round.
    Every,
    /// In some rounds: it is slow.
    Some,
}

/// What happens before each call, while no clock runs.
pub(super) enum Before {
    Nothing,
    /// A transcript gets longer.
    Growth(Growth),
    /// The same program is called with this.
    Call(Arc<[u8]>),
    /// The same program is called with calls that ended, and the client writes their rows.
    Batch(Arc<[u8]>, Growth),
}

/// What is added to a transcript.
pub(super) struct Growth {
    pub(super) file: File,
    pub(super) row: String,
}

/// The name of windlass on an event.
pub(super) fn of_event(event: Event, size: Size) -> String {
    if event.sizes().len() == 1 {
        return event.name().to_owned();
    }
    format!("{} {}", event.name(), size.label())
}

/// The name of windlass on an event that folds what waits into a ledger.
pub(super) fn of_fold(event: Event, rows: Rows) -> String {
    format!("{}, fold of {WAITING} on {}k rows", event.name(), rows.0 / 1000)
}

/// The name of windlass on a prompt that some memories fit.
pub(super) fn of_brief(memories: Memories) -> String {
    format!("UserPromptSubmit, brief of {}k memories", memories.0 / 1000)
}

/// The name of windlass on a prompt that none of them fits.
pub(super) fn of_silence(memories: Memories) -> String {
    format!("UserPromptSubmit, none of {}k memories fits", memories.0 / 1000)
}

/// The name of windlass on the beginning of a session among some memories.
pub(super) fn of_start(memories: Memories) -> String {
    format!("SessionStart, {}k memories", memories.0 / 1000)
}

/// The name of a release without the server of tools on an event.
pub(super) fn of_hook_only(event: Event) -> String {
    format!("{}, hook only", of_event(event, Size::Small))
}

/// The name of merely reading a payload.
pub(super) fn of_reading(size: Size) -> String {
    format!("read only {}", size.label())
}

/// All cases, in the order of the report.
pub(super) fn all(world: &World, binary: &Path) -> Result<Vec<Case>, Error> {
    let mut cases = baselines(world)?;
    for event in Event::ALL {
        for size in event.sizes() {
            let session = world.session(&of_event(event, *size))?;
            let payload = session.payload(event, *size);
            cases.push(Case::new(of_event(event, *size), session.hook(binary), payload));
        }
    }
    let hook_only = release::build_hook_only()?;
    for event in BESIDE {
        let session = world.session(&of_hook_only(event))?;
        let payload = session.payload(event, Size::Small);
        cases.push(Case::new(of_hook_only(event), session.hook(&hook_only), payload));
    }
    cases.extend(folds(world, binary)?);
    cases.extend(recalls(world, binary)?);
    for (name, bytes) in [(SHORT, 50 << 10), (LONG, 50 << 20)] {
        let session = world.session_with(name, bytes)?;
        let payload = session.payload(Event::Stop, Size::Small);
        let mut case = Case::new(name.to_owned(), session.hook(binary), payload);
        let row = transcript::answer(&session.id);
        case.before = Before::Growth(Growth::of(&session, row)?);
        cases.push(case);
    }
    cases.extend(talks(world, binary)?);
    cases.extend(scans(world)?);
    cases.extend(scripts(world)?);
    Ok(cases)
}

impl Case {
    fn new(name: String, call: Call, payload: Arc<[u8]>) -> Self {
        let (pace, before, samples) = (Pace::Every, Before::Nothing, Vec::new());
        Self { name, call, payload, pace, before, samples, peak: None }
    }
}

impl Growth {
    fn of(session: &Session, row: String) -> Result<Self, Error> {
        let path = &session.transcript;
        let file = OpenOptions::new().append(true).open(path);
        let file = file.map_err(Error::file("open", path))?;
        Ok(Self { file, row })
    }
}

/// Events that find tool calls in the journal, on ledgers that are full already.
fn folds(world: &World, binary: &Path) -> Result<Vec<Case>, Error> {
    let mut cases = Vec::new();
    for rows in ROWS {
        print::line(format!("Filling {} ledgers with {} rows.", FOLDING.len(), rows.0));
        for event in FOLDING {
            let name = of_fold(event, rows);
            let session = world.session(&name)?;
            fill(world, &session, binary, rows)?;
            let payload = session.payload(event, Size::Small);
            let mut case = Case::new(name, session.hook(binary), payload);
            let batch = session.batch(Caller::Session, &calls(0, WAITING));
            let rows = transcript::results(&session.id, WAITING);
            case.before = Before::Batch(batch, Growth::of(&session, rows)?);
            cases.push(case);
        }
    }
    Ok(cases)
}

/// Prompts and beginnings in projects where much is known.
fn recalls(world: &World, binary: &Path) -> Result<Vec<Case>, Error> {
    let fill = release::build_fill()?;
    let mut cases = Vec::new();
    for (memories, _) in MEMORIES {
        print::line(format!("Filling 3 stores with {} memories.", memories.0));
        for name in [of_brief(memories), of_silence(memories), of_start(memories)] {
            let session = world.session(&name)?;
            let (data, count) = (session.data.to_string_lossy(), memories.0.to_string());
            let words = session.run(&fill, &[&data, &count])?;
            session.run(binary, &["tidy"])?;
            let start = session.payload(Event::SessionStart, Size::Small);
            let is_start = name == of_start(memories);
            let is_silent = name == of_silence(memories);
            let words = if is_silent { UNRELATED } else { words.trim() };
            let payload = if is_start { start.clone() } else { session.prompt_of(words) };
            let before = if is_start { start } else { session.cleared() };
            // What is said once must be said every time.
            for _ in 0..2 {
                session.hook(binary).output(&before)?;
                let said = session.hook(binary).output(&payload)?;
                if said.is_empty() != is_silent {
                    return Err(Error::Unexpected { program: name, said });
                }
            }
            let mut case = Case::new(name, session.hook(binary), payload);
            if !is_start {
                case.before = Before::Call(before);
            }
            cases.push(case);
        }
    }
    Ok(cases)
}

/// Stops after a long talk, in projects that let somebody listen and that do not.
fn talks(world: &World, binary: &Path) -> Result<Vec<Case>, Error> {
    let mut cases = Vec::new();
    for (name, listens, grows) in
        [(ALONE, false, false), (UNHEARD, false, true), (HEARD, true, true)]
    {
        let mut session = world.session(name)?;
        session.project = world.path().join(if listens { "heard" } else { "unheard" });
        write(&session.project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
        for directory in [".git/objects", ".git/refs"] {
            let directory = session.project.join(directory);
            fs::create_dir_all(&directory).map_err(Error::file("create", &directory))?;
        }
        let settings = format!("triage.enabled = {listens}\n");
        write(&session.project.join(".windlass.toml"), &settings)?;
        let payload = session.payload(Event::Stop, Size::Small);
        let mut case = Case::new(name.to_owned(), session.hook(binary), payload);
        if grows {
            let rows = transcript::turns(&session.id, TURNS);
            case.before = Before::Growth(Growth::of(&session, rows)?);
        }
        cases.push(case);
    }
    Ok(cases)
}

/// The scan of a working tree in which a few files are modified, and git's.
fn scans(world: &World) -> Result<Vec<Case>, Error> {
    let Some(git) = host::find("git") else {
        print::line(format!("Not measured, because git is not installed: {SCAN}."));
        return Ok(Vec::new());
    };
    let root = world.path().join("tree");
    let name =
        |number: usize| root.join(format!("{:02}/{:02}/{number}", number / 500, number / 20 % 25));
    for number in 0..FILES {
        write(&name(number), &payload::text(200 + number % 40 * 50))?;
    }
    let session = world.session("scan")?;
    let call = |program: &Path, args: &[&str]| Call {
        directory: root.clone(),
        ..session.call(program, args)
    };
    let nothing: Arc<[u8]> = Arc::new([]);
    let user = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com"];
    for args in [&["init", "--quiet"][..], &["add", "."], &["commit", "--quiet", "--message=all"]] {
        call(&git, &[&user[..], args].concat()).output(&nothing)?;
    }
    for number in (0..FILES).step_by(FILES / 20) {
        write(&name(number), "modified\n")?;
    }
    // Git must not write down what it learns, so that both always do the same work.
    let status = ["--no-optional-locks", "status", "-uno", "--porcelain"];
    let (scan, status) = (call(&release::build_scan()?, &[]), call(&git, &status));
    let counts = (scan.output(&nothing)?, status.output(&nothing)?.lines().count());
    if counts.0.trim() != counts.1.to_string() {
        return Err(Error::Unexpected { program: SCAN.to_owned(), said: format!("{counts:?}") });
    }
    Ok([(SCAN, scan), (STATUS, status)]
        .map(|(name, call)| {
            let mut case = Case::new(name.to_owned(), call, Arc::clone(&nothing));
            case.pace = Pace::Some;
            case
        })
        .into())
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    let directory = path.parent().unwrap_or(path);
    fs::create_dir_all(directory).map_err(Error::file("create", directory))?;
    fs::write(path, text).map_err(Error::file("write", path))
}

// Every second row belongs to the session itself, the others to sessions of usual length.
fn fill(world: &World, session: &Session, binary: &Path, rows: Rows) -> Result<(), Error> {
    const AT_ONCE: u64 = 250;
    const LENGTH: u64 = 1_000;
    let home = session.home();
    for first in (0..rows.0).step_by(2 * usize::try_from(AT_ONCE).unwrap_or(1)) {
        let other = world.session_in(&home, &format!("{home}-{}", first / (2 * LENGTH)), 0)?;
        for (owner, first) in [(session, first), (&other, first + AT_ONCE)] {
            let batch = owner.batch(Caller::Session, &calls(first, AT_ONCE));
            owner.hook(binary).output(&batch)?;
        }
    }
    session.run(binary, &["tidy"])?;
    let said = session.run(binary, &["store", "check", "--json"])?;
    let checked: Value = serde_json::from_str(&said).unwrap_or_default();
    if checked["events"].as_u64().is_some_and(|it| it >= rows.0) {
        return Ok(());
    }
    Err(Error::Unexpected { program: "windlass store check".to_owned(), said })
}

fn calls(first: u64, count: u64) -> Vec<ToolCall> {
    let call = |number| ToolCall { tool: Tool::Run, number, output: 300 };
    (first..first + count).map(call).collect()
}

/// What any program costs, and what any reader costs.
pub(crate) fn baselines(world: &World) -> Result<Vec<Case>, Error> {
    let session = world.session("baseline")?;
    let nothing: Arc<[u8]> = Arc::new([]);
    let floor = session.call(&compile(world, "floor")?, &[]);
    let usual = session.call(Path::new(TRUE), &[]);
    let mut cases = vec![
        Case::new(FLOOR.to_owned(), floor, Arc::clone(&nothing)),
        Case::new(TRUE.to_owned(), usual, nothing),
    ];
    let reader = compile(world, "read")?;
    for size in [Size::Small, Size::Medium, Size::Large] {
        let payload = session.payload(Event::PostToolBatch, size);
        cases.push(Case::new(of_reading(size), session.call(&reader, &[]), payload));
    }
    Ok(cases)
}

fn compile(world: &World, name: &str) -> Result<PathBuf, Error> {
    let source = host::root().join("xtask/bench").join(name).with_extension("c");
    let program = world.path().join(name);
    let mut command = Command::new("cc");
    command.args(["-nostdlib", "-static", "-O2", "-o"]).args([&program, &source]);
    host::run(&mut command)?;
    Ok(program)
}

/// A hook as people write it: reads the payload as JSON and adds one line to a file.
struct Script {
    name: &'static str,
    program: &'static str,
    also: Option<&'static str>,
    args: &'static [&'static str],
}

const PYTHON: &str = "import json, sys; \
     open(sys.argv[1], 'a').write(json.load(sys.stdin)['hook_event_name'] + '\\n')";
const NODE: &str = "const fs = require('fs'); fs.appendFileSync(process.argv[1], \
     JSON.parse(fs.readFileSync(0, 'utf8')).hook_event_name + '\\n')";
const BASH: &str = r#"name=$(jq -r .hook_event_name) && printf '%s\n' "$name" >>"$0""#;

const SCRIPTS: &[Script] = &[
    Script {
        name: "python3 -S -E",
        program: "python3",
        also: None,
        args: &["-S", "-E", "-c", PYTHON],
    },
    Script { name: "python3", program: "python3", also: None, args: &["-c", PYTHON] },
    Script { name: "bash + jq", program: "bash", also: Some("jq"), args: &["-c", BASH] },
    Script { name: "node", program: "node", also: None, args: &["-e", NODE] },
];

fn scripts(world: &World) -> Result<Vec<Case>, Error> {
    let session = world.session("script")?;
    let payload = session.payload(Event::PostToolBatch, Size::Small);
    let file = world.path().join("script.log").to_string_lossy().into_owned();
    let mut cases = Vec::new();
    for script in SCRIPTS {
        let there = script.also.is_none_or(|it| host::find(it).is_some());
        let Some(program) = interpreter(script.program).filter(|_| there) else {
            print::line(format!("Not measured, because it is not installed: {}.", script.name));
            continue;
        };
        let args: Vec<&str> = script.args.iter().copied().chain([file.as_str()]).collect();
        let call = session.call(&program, &args);
        let mut case = Case::new(script.name.to_owned(), call, Arc::clone(&payload));
        case.pace = Pace::Some;
        cases.push(case);
    }
    Ok(cases)
}

// A version manager puts a shell script before python3; the comparison is with python3 itself.
fn interpreter(name: &str) -> Option<PathBuf> {
    let found = host::find(name)?;
    if name != "python3" {
        return Some(found);
    }
    let said = host::output(Command::new(&found).args(["-c", "import sys; print(sys.executable)"]));
    said.ok().map(|it| PathBuf::from(it.trim())).filter(|it| it.is_file())
}
