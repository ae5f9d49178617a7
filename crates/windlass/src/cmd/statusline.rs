//! One line for the status line of the client.
//!
//! It is drawn again and again while the agent works, so it reads the store without folding,
//! hardly waits, and whatever goes wrong, a short line and exit code 0 come out.

use std::io::{IsTerminal, stdin};
use std::panic::set_hook;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::value::RawValue;
use windlass_core::evidence::RunKind;
use windlass_core::policy::{Gates, Statusline};
use windlass_core::{Outcome, SessionId, Timestamp};

use super::{looping, show};
use crate::store::{Glance, LastRun, Store, StoreError};
use crate::switch::Switches;
use crate::{Host, config, failure, input, process, project, redact, surroundings, ui};

/// How long the store is waited for.
const STORE_WAIT: Duration = Duration::from_millis(50);

/// How long stdin may take. A client writes at once.
const INPUT_LIMIT: Duration = Duration::from_secs(1);

/// How long everything may take, should a disk or a pipe hang; the user's own line takes two
/// seconds at most.
const LIMIT: Duration = Duration::from_secs(5);

/// Characters of a command that are shown.
const COMMAND: usize = 40;

/// Characters of a line, the user's own or ours.
const WIDTH: usize = 400;

/// What is printed when nothing better is known in time.
const PLAIN: &str = "windlass";

/// Prints the line. A status line of the user's own stands before ours.
pub(super) fn run(host: &Host) -> ExitCode {
    // A panic costs the line and not the peace of the user.
    set_hook(Box::new(|_| {}));
    let scene = Scene::of(host);
    let (sender, receiver) = mpsc::channel();
    // A thread, because a pipe or a disk that hangs must not hang the line.
    let drawn = thread::Builder::new().spawn(move || sender.send(scene.line()));
    let line = match drawn {
        Ok(_) => receiver.recv_timeout(LIMIT).ok(),
        Err(_) => None,
    };
    ui::say(line.as_deref().unwrap_or(PLAIN));
    ExitCode::SUCCESS
}

/// A session, and what is open in it.
type Seen = (Glance, Vec<String>);

/// Where and when the line is drawn.
#[derive(Debug)]
struct Scene {
    host: Host,
    now: Timestamp,
    data_dir: Option<PathBuf>,
    current_dir: Option<PathBuf>,
}

impl Scene {
    fn of(host: &Host) -> Self {
        let current_dir = host.current_dir().ok();
        Self { host: host.clone(), now: host.now, data_dir: host.data_dir(), current_dir }
    }

    fn line(&self) -> String {
        let payload = payload();
        let input = Input::parse(&payload);
        let directory = input.directory.as_deref().or(self.current_dir.as_deref());
        let root = directory.and_then(|it| surroundings::root_of(&self.host, it));
        let policy = config::load(&self.host, root.as_deref()).policy;
        // What a project names was looked for below its root when it was trusted.
        let place = root.as_deref().or(directory).unwrap_or(Path::new("/"));
        let theirs = theirs(&policy.statusline, place, &payload);
        let ours = self.ours(&input, &policy.gates);
        theirs.into_iter().chain([ours]).collect::<Vec<_>>().join(" | ")
    }

    fn ours(&self, input: &Input, gates: &Gates) -> String {
        let Some(data_dir) = &self.data_dir else {
            return "windlass: HOME is not set".to_owned();
        };
        let since = show::days_before(self.now, 1);
        let failures = failure::count_since(data_dir, since).unwrap_or(0);
        let failures = (failures > 0)
            .then(|| format!("{} today, run windlass doctor", ui::amount(failures, "failure")));
        let (sign, words) = match self.glance(data_dir, input, gates) {
            Ok(Some((glance, open))) => (" ", open.into_iter().chain(words(&glance)).collect()),
            Ok(None) if failures.is_some() => (": ", Vec::new()),
            Ok(None) => (": ", vec!["no events yet".to_owned()]),
            Err(error) => (": ", vec![trouble(&error).to_owned()]),
        };
        let directory = input.directory.as_deref().or(self.current_dir.as_deref());
        let seen = directory.and_then(|it| project::look(it, self.host.home().as_deref()));
        let (session, seen) = (input.session.as_ref(), seen.as_ref());
        let switches = Switches::read_for(&self.host, session, seen).with_settings(gates);
        let off = switches.words(session, seen);
        let words: Vec<_> = words.into_iter().chain(off).chain(failures).collect();
        ui::line(&format!("{PLAIN}{sign}{}", words.join(" · ")), WIDTH)
    }

    /// Looks at the session that the client names, or at the newest one of the directory.
    fn glance(
        &self,
        data_dir: &Path,
        input: &Input,
        gates: &Gates,
    ) -> Result<Option<Seen>, StoreError> {
        let Some(store) = Store::look(data_dir, STORE_WAIT)? else { return Ok(None) };
        let mut session = input.session.clone();
        if session.is_none() {
            let directory = input.directory.as_deref().or(self.current_dir.as_deref());
            let newest = directory.map(|it| store.newest_session(it)).transpose()?.flatten();
            session = newest.as_deref().and_then(SessionId::parse);
        }
        let Some(session) = session else { return Ok(None) };
        let glance = store.glance(&session, &gates.runs)?;
        // A store that no hook has opened since an upgrade has no place for them yet.
        let open = store.loops_of(&redact::session(&session).to_string()).unwrap_or_default();
        let open = open.iter().map(looping::short).collect();
        Ok((glance.events > 0).then_some((glance, open)))
    }
}

/// The user's own line, where the settings name a program for it.
fn theirs(settings: &Statusline, place: &Path, payload: &str) -> Option<String> {
    let timeout = Duration::from_millis(settings.timeout_ms.into());
    own_line(&settings.command, place, timeout, payload)
}

/// What is wrong with the store, in a few words.
fn trouble(error: &StoreError) -> &'static str {
    match error {
        StoreError::Replaced | StoreError::Busy { .. } => "the store is busy",
        StoreError::Outdated { .. } => "the store waits for its update",
        StoreError::Damaged { .. } => "the store is damaged, run windlass store check",
        StoreError::Newer { .. } => "the store is newer than this program",
        StoreError::Create { .. }
        | StoreError::Foreign { .. }
        | StoreError::Sqlite { .. }
        | StoreError::Unsound { .. }
        | StoreError::NoStore { .. }
        | StoreError::Taken { .. }
        | StoreError::Itself { .. }
        | StoreError::Lock(_)
        | StoreError::Journal(_)
        | StoreError::Pending(_)
        | StoreError::Index(_)
        | StoreError::Changes(_)
        | StoreError::Caches(_)
        | StoreError::Identity(_) => "the store cannot be read, run windlass doctor",
    }
}

fn words(glance: &Glance) -> Vec<String> {
    let mut words = vec![ui::amount(glance.events, "event"), ui::amount(glance.edits, "edit")];
    words.extend(glance.last_run.as_ref().and_then(last_run));
    words.push(ui::amount(glance.asks, "ask"));
    words
}

/// How the last test or build ended; nothing where that is neither proof nor failure.
fn last_run(run: &LastRun) -> Option<String> {
    let noun = if run.kind == RunKind::Test { "test run" } else { "build" };
    match (run.outcome, run.edits_after) {
        (Outcome::Failed(_), _) => {
            Some(format!("last {noun} failed: {}", ui::line(&run.command, COMMAND)))
        }
        (Outcome::Passed, 0) => Some(format!("last {noun} passed")),
        (Outcome::Passed, _) => Some(format!("last {noun} passed before the last edit")),
        (Outcome::Unknown, _) => None,
    }
}

/// Runs the user's own program, without a shell, on what the client gave to us.
fn own_line(command: &[String], place: &Path, timeout: Duration, payload: &str) -> Option<String> {
    let (program, arguments) = command.split_first()?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(place);
    let line = process::first_line(&mut command, payload.as_bytes(), timeout)?;
    let line = ui::coloured_line(&line, WIDTH);
    (!line.is_empty()).then_some(line)
}

/// What the client wrote, whatever it is; nothing where nobody writes.
fn payload() -> String {
    if stdin().is_terminal() {
        return String::new();
    }
    let end = Instant::now() + INPUT_LIMIT;
    let payload = input::read_while(INPUT_LIMIT, || Instant::now() < end);
    payload.map_or_else(|_| String::new(), |it| it.text)
}

/// What the client says of itself, as far as we need it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Input {
    session: Option<SessionId>,
    directory: Option<PathBuf>,
}

impl Input {
    /// Takes what is there and of the right type.
    fn parse(payload: &str) -> Self {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Wire<'a> {
            #[serde(borrow)]
            session_id: Option<&'a RawValue>,
            #[serde(borrow)]
            cwd: Option<&'a RawValue>,
        }
        let wire: Wire<'_> =
            serde_json::from_str(payload.trim_start_matches('\u{feff}')).unwrap_or_default();
        let text = |raw: Option<&RawValue>| serde_json::from_str::<String>(raw?.get()).ok();
        Self {
            session: text(wire.session_id).as_deref().and_then(SessionId::parse),
            directory: text(wire.cwd).map(PathBuf::from).filter(|it| it.is_absolute()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Input, own_line};
    use std::path::{Path, PathBuf};
    use std::time::Duration;
    use windlass_core::SessionId;

    #[test]
    fn takes_what_the_client_says_and_nothing_of_another_type() {
        let full = Input {
            session: SessionId::parse("345835e9-03d1"),
            directory: Some(PathBuf::from("/p \u{e4}")),
        };
        let cases = [
            (r#"{"session_id":"345835e9-03d1","cwd":"/p \u00e4","model":{"id":"m"}}"#, full),
            (r#"{"session_id":5,"cwd":["/p"]}"#, Input::default()),
            (r#"{"session_id":"../../x","cwd":"relative"}"#, Input::default()),
            (r#"{"session_id":null}"#, Input::default()),
            ("[]", Input::default()),
            ("", Input::default()),
            ("garbage", Input::default()),
        ];
        for (payload, expected) in cases {
            assert_eq!(Input::parse(payload), expected, "{payload}");
        }
    }

    #[test]
    fn the_users_own_line_is_the_first_one_that_its_program_writes() {
        let line = |limit: u64, script: &str| {
            let command = ["/bin/sh", "-c", script].map(str::to_owned);
            own_line(&command, Path::new("/"), Duration::from_millis(limit), "{\"cwd\":\"/p\"}\n")
        };
        let long = 20_000;
        assert_eq!(line(long, "cat; echo second").as_deref(), Some("{\"cwd\":\"/p\"}"));
        assert_eq!(
            line(long, "printf '\\033[31mred\\033[2J\\007'").as_deref(),
            Some("\u{1b}[31mred\u{1b}[0m")
        );
        assert_eq!(line(long, "true"), None);
        assert_eq!(line(long, "echo wrong; exit 3"), None);
        assert_eq!(line(200, "sleep 60; echo late"), None);
        assert_eq!(own_line(&[], Path::new("/"), Duration::ZERO, ""), None);
        let missing = ["/nonexistent/program".to_owned()];
        assert_eq!(own_line(&missing, Path::new("/"), Duration::from_secs(9), "{}"), None);
    }
}
