//! A private home and the real binary in it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A home directory that nobody else sees.
pub(crate) struct Home {
    directory: TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self { directory: TempDir::new().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Where windlass keeps its data.
    pub(crate) fn data(&self) -> PathBuf {
        self.path().join(".local/share/windlass")
    }

    /// A project in it.
    pub(crate) fn project(&self) -> PathBuf {
        let root = self.path().join("p");
        fs::create_dir_all(root.join(".git")).unwrap();
        root
    }

    /// Where the agent keeps its transcripts.
    pub(crate) fn projects(&self) -> PathBuf {
        self.path().join(".claude/projects")
    }

    /// The hook command, with nothing in its environment but the home.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(binary());
        command.arg("hook").env_clear().env("HOME", self.path()).current_dir(self.path());
        command
    }

    /// Plays one payload and returns what came out.
    pub(crate) fn hook(&self, payload: impl AsRef<[u8]>) -> Output {
        feed(&mut self.command(), payload.as_ref())
    }

    /// Plays one payload that must be answered with silence.
    pub(crate) fn silent(&self, payload: impl AsRef<[u8]>) {
        let output = self.hook(payload);
        assert_silent(&output);
    }

    /// The recorded events of all sessions, session by session.
    pub(crate) fn records(&self) -> Vec<Value> {
        events(&self.data())
    }

    /// The rows that a query finds in the ledger.
    pub(crate) fn query(&self, query: &str) -> Vec<Value> {
        rows(&self.data(), query)
    }

    /// The columns of the ledger that hold a text, wherever it stands.
    pub(crate) fn columns_with(&self, text: &str) -> Vec<String> {
        let columns = "SELECT tables.name AS place, columns.name AS name
            FROM pragma_table_list tables, pragma_table_xinfo(tables.name) columns
            WHERE tables.schema = 'main' AND tables.type = 'table'";
        let columns = self.query(columns);
        assert!(columns.len() > 50, "{columns:?}");
        let holds = |it: &Value| {
            let (table, column) = (it["place"].as_str().unwrap(), it["name"].as_str().unwrap());
            let query = format!(
                "SELECT 1 FROM \"{table}\" WHERE instr(CAST(\"{column}\" AS TEXT), '{text}')"
            );
            (!self.query(&query).is_empty()).then(|| format!("{table}.{column}"))
        };
        columns.iter().filter_map(holds).collect()
    }

    /// The recorded failures.
    pub(crate) fn failures(&self) -> Vec<Value> {
        fs::read(self.data().join("failures.log")).map_or(Vec::new(), |it| records(&it))
    }
}

/// A project in a home of its own, with settings of both.
pub(crate) struct Project {
    pub(crate) home: Home,
}

impl Project {
    pub(crate) fn new() -> Self {
        let project = Self { home: Home::new() };
        fs::create_dir_all(project.root().join(".git")).unwrap();
        project
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.home.path().join("p")
    }

    /// Where the user's settings are.
    pub(crate) fn user_file(&self) -> PathBuf {
        self.home.path().join(".config/windlass/config.toml")
    }

    /// Where the project's settings are.
    pub(crate) fn file(&self) -> PathBuf {
        self.root().join(".windlass.toml")
    }

    /// Writes the user's settings.
    pub(crate) fn user(&self, text: impl AsRef<[u8]>) {
        write(&self.user_file(), text.as_ref());
    }

    /// Writes the project's settings.
    pub(crate) fn settings(&self, text: impl AsRef<[u8]>) {
        write(&self.file(), text.as_ref());
    }

    /// A command in the project, with nothing in its environment but the home.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command.args(arguments).env_clear().env("HOME", self.home.path());
        command.current_dir(self.root()).stdin(Stdio::null());
        command
    }

    /// Runs a command that must succeed.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        said(&self.command(arguments).output().unwrap(), 0)
    }

    /// Runs a command that must fail, with a reason and a hint.
    pub(crate) fn fails(&self, arguments: &[&str]) -> String {
        let text = said(&self.command(arguments).output().unwrap(), 1);
        assert!(text.contains("error: ") && text.contains("\nhint: "), "{text}");
        text
    }

    /// The listing of the settings.
    pub(crate) fn config(&self) -> Value {
        let output = self.command(&["config", "--json"]).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

/// Runs a program once whoever started it is gone, and its code goes to a file.
const ORPHAN: &str = r#"
    exec 3<&0
    (
        read go <&3
        "$@" < /dev/null 3<&-
        echo $? > "$0"
    ) &"#;

/// Runs a command as the user does: below no agent, whoever runs the tests.
pub(crate) fn outside(home: &Path, directory: &Path, arguments: &[&str]) -> Output {
    outside_with(home, directory, arguments, &[])
}

/// The same with more in the environment than the home.
pub(crate) fn outside_with(
    home: &Path,
    directory: &Path,
    arguments: &[&str],
    environment: &[(&str, &Path)],
) -> Output {
    let mut command = Command::new(binary());
    command.args(arguments).env("HOME", home).current_dir(directory);
    command.envs(environment.iter().copied());
    orphaned(&command, home)
}

/// Runs a command like this one below no agent, whoever runs the tests, with the variables that it
/// names and no others.
pub(crate) fn orphaned(like: &Command, place: &Path) -> Output {
    let code = place.join("code");
    let mut command = Command::new("/bin/sh");
    command.args(["-c", ORPHAN]).arg(&code).arg(like.get_program()).args(like.get_args());
    command.env_clear().envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(directory) = like.get_current_dir() {
        command.current_dir(directory);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut shell = command.spawn().unwrap();
    let mut go = shell.stdin.take().unwrap();
    assert!(shell.wait().unwrap().success());
    go.write_all(b"go\n").unwrap();
    let output = shell.wait_with_output().unwrap();
    let status: i32 = fs::read_to_string(&code).unwrap().trim().parse().unwrap();
    fs::remove_file(code).unwrap();
    Output { status: ExitStatus::from_raw(status << 8), ..output }
}

/// Runs a command on a terminal of so many columns, and returns what stood on it and the code.
pub(crate) fn on_terminal(mut command: Command, columns: u16) -> (String, Option<i32>) {
    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&screen).unwrap();
    unlockpt(&screen).unwrap();
    let window = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&screen, window).unwrap();
    let name = ptsname(&screen, Vec::new()).unwrap();
    let mut options = fs::OpenOptions::new();
    let line = options.read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let side = || Stdio::from(line.try_clone().unwrap());
    let mut child = command.stdin(side()).stdout(side()).stderr(side()).spawn().unwrap();
    // Only the child is at the other end now; the command itself would keep it open.
    drop((command, line));
    let mut text = Vec::new();
    let mut buffer = [0; 4096];
    // When the other side has closed its last end, reading is an error.
    while let Ok(count @ 1..) = rustix::io::read(&screen, &mut buffer) {
        text.extend_from_slice(&buffer[..count]);
    }
    let code = child.wait().unwrap().code();
    (String::from_utf8(text).unwrap().replace("\r\n", "\n"), code)
}

/// Plays sessions in a directory through the hook, as the client would.
pub(crate) trait Player {
    /// Where the sessions work.
    fn root(&self) -> PathBuf;

    /// The hook, in the environment that the client gives to it.
    fn hook(&self) -> Command;

    /// Plays an event, and returns the answer; null where there is none.
    fn send(&self, session: &str, event: &Value) -> Value {
        let mut payload = json!({
            "session_id": session,
            "prompt_id": "p1",
            "cwd": self.root(),
            "permission_mode": "default",
        });
        payload.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        let output = feed(&mut self.hook(), payload.to_string().as_bytes());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
    }

    fn start(&self, session: &str) {
        self.send(session, &json!({"hook_event_name": "SessionStart", "source": "startup"}));
        self.prompt(session);
    }

    fn prompt(&self, session: &str) {
        self.send(session, &json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on"}));
    }

    /// The agent calls a tool.
    fn call(&self, session: &str, tool: &str, input: &Value, answer: &str) {
        let call = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1",
            "tool_response": answer});
        let event = json!({"hook_event_name": "PostToolBatch", "tool_calls": [call]});
        self.send(session, &event);
    }

    fn stop(&self, session: &str) -> Value {
        self.send(
            session,
            &json!({"hook_event_name": "Stop", "stop_hook_active": false,
                "last_assistant_message": "Done.", "background_tasks": [], "session_crons": []}),
        )
    }

    /// The ask at a stop.
    #[track_caller]
    fn asked(&self, session: &str) -> String {
        let answer = self.stop(session);
        let text = answer["hookSpecificOutput"]["additionalContext"].as_str();
        text.unwrap_or_else(|| panic!("no ask: {answer}")).to_owned()
    }

    /// What the user is told at a stop that is no ask.
    #[track_caller]
    fn told(&self, session: &str) -> String {
        let answer = self.stop(session);
        assert_eq!(answer.get("hookSpecificOutput"), None, "{answer}");
        answer["systemMessage"].as_str().unwrap_or_default().to_owned()
    }
}

/// Runs a command of ours as a user would, with these words before it: after whoever started it is
/// gone, because the tests may be run by an agent, which may not do everything. Returns what it
/// said and its code.
pub(crate) fn by_the_user(
    home: &Home,
    directory: &Path,
    before: &[&Path],
    arguments: &[&str],
) -> (String, i32) {
    const ORPHAN: &str = r#"
        exec 3<&0
        (
            read go <&3
            "$@" < /dev/null 3<&-
            echo $?
        ) &"#;
    let mut command = Command::new("/bin/sh");
    command.args(["-c", ORPHAN, "sh"]).args(before).arg(binary()).args(arguments);
    command.env_clear().env("HOME", home.path()).env("PATH", "/usr/bin:/bin");
    let (mut reader, writer) = std::io::pipe().unwrap();
    command.current_dir(directory).stdin(Stdio::piped());
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    // Only the child is at the other end now.
    drop(command);
    let mut stdin = child.stdin.take().unwrap();
    assert!(child.wait().unwrap().success());
    stdin.write_all(b"go\n").unwrap();
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    let (said, code) = text.trim_end().rsplit_once('\n').unwrap_or(("", text.trim_end()));
    (said.to_owned(), code.parse().unwrap())
}

/// Writes a file that only its owner can write, whatever the umask is.
pub(crate) fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
}

/// All that a command said; it must have ended with this code.
#[track_caller]
pub(crate) fn said(output: &Output, code: i32) -> String {
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(output.status.code(), Some(code), "{text}");
    text
}

/// The binary under test: the static release where the caller names it.
pub(crate) fn binary() -> PathBuf {
    std::env::var_os("WINDLASS_RELEASE_BIN")
        .map_or_else(|| env!("CARGO_BIN_EXE_windlass").into(), PathBuf::from)
}

pub(crate) fn feed(command: &mut Command, payload: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(payload).unwrap();
    drop(stdin);
    child.wait_with_output().unwrap()
}

#[track_caller]
pub(crate) fn assert_silent(output: &Output) {
    assert!(output.status.success(), "{output:?}");
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
}

/// Brings the store into order, and waits until it is.
#[track_caller]
pub(crate) fn tidy(home: &Home) {
    tidy_up(home);
    assert_eq!(home.failures(), Vec::<Value>::new());
}

/// The same, whatever failed before: a busy machine can make any hook late.
pub(crate) fn tidy_up(home: &Home) {
    // A hook may have started one: what it began before the last event is waited for.
    let wait = || {
        let lock = File::options().create(true).append(true).open(home.data().join("tidy.lock"));
        lock.unwrap().lock().unwrap();
    };
    wait();
    let mut command = Command::new(binary());
    assert_silent(&command.arg("tidy").env_clear().env("HOME", home.path()).output().unwrap());
    wait();
}

/// The events of all sessions, session by session: those of the ledger, then those that are not
/// folded yet. A fold that comes in between makes it look again.
pub(crate) fn events(data: &Path) -> Vec<Value> {
    loop {
        let folded = folded(data);
        let waiting = waiting(data, &folded);
        let mut events = ledger(data);
        if self::folded(data) == folded {
            events.extend(waiting);
            events.sort_by_key(|it| it["session"].as_str().map(str::to_owned));
            return events;
        }
    }
}

/// How far each journal was folded.
fn folded(data: &Path) -> BTreeMap<String, u64> {
    let rows = rows(data, "SELECT name, folded_to FROM journals");
    let pair = |it: Value| (it["name"].as_str().unwrap().to_owned(), it["folded_to"].as_u64());
    rows.into_iter().map(pair).map(|(name, to)| (name, to.unwrap())).collect()
}

/// The events in the journals that are not in the ledger.
fn waiting(data: &Path, folded: &BTreeMap<String, u64>) -> Vec<Value> {
    let Ok(directory) = fs::read_dir(data.join("journal")) else { return Vec::new() };
    let mut names: Vec<_> = directory.map(|it| it.unwrap().file_name()).collect();
    names.sort();
    let mut events = Vec::new();
    for name in names {
        let bytes = fs::read(data.join("journal").join(&name)).unwrap_or_default();
        let from = folded.get(name.to_str().unwrap()).copied().unwrap_or(0);
        let from = usize::try_from(from).unwrap();
        events.extend(records(bytes.get(from..).unwrap_or_default()));
    }
    events.retain(|it| it["event"] != "answer");
    events
}

/// The frames that the ledger holds, in order.
pub(crate) fn ledger(data: &Path) -> Vec<Value> {
    let rows = rows(data, "SELECT body FROM events ORDER BY id");
    rows.iter().map(|it| serde_json::from_str(it["body"].as_str().unwrap()).unwrap()).collect()
}

/// The rows that a query finds in the ledger below a data directory, as objects.
pub(crate) fn rows(data: &Path, query: &str) -> Vec<Value> {
    let path = data.join("store.db");
    if !path.exists() {
        return Vec::new();
    }
    let connection = Connection::open(path).unwrap();
    let mut statement = connection.prepare(query).unwrap();
    let names: Vec<_> = statement.column_names().map(str::to_owned).collect();
    let rows = statement.query_map([], |row| {
        let value = |column| match row.get_ref_unwrap(column) {
            ValueRef::Integer(it) => json!(it),
            ValueRef::Text(it) => json!(String::from_utf8_lossy(it)),
            _ => Value::Null,
        };
        let columns = names.iter().enumerate().map(|(at, name)| (name.clone(), value(at)));
        Ok(columns.collect::<serde_json::Map<_, _>>().into())
    });
    rows.unwrap().map(Result::unwrap).collect()
}

/// Reads a journal without the code under test: one line, one frame, every one of them whole.
#[track_caller]
pub(crate) fn records(bytes: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(bytes);
    text.lines().skip(1).map(|it| record(it).unwrap_or_else(|| panic!("torn: {it}"))).collect()
}

/// The whole frames of a journal that may hold torn ones, and the number of the torn.
pub(crate) fn whole_records(bytes: &[u8]) -> (Vec<Value>, usize) {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<_> = text.lines().skip(1).map(record).collect();
    let torn = lines.iter().filter(|it| it.is_none()).count();
    (lines.into_iter().flatten().collect(), torn)
}

fn record(line: &str) -> Option<Value> {
    let (header, body) = line.split_at_checked(25)?;
    let mut words = header.split(' ');
    let magic = words.next()? == "w1";
    let length = usize::from_str_radix(words.next()?, 16).ok()? == body.len();
    let checksum = u64::from_str_radix(words.next()?, 16).ok()?;
    let sound = checksum == xxhash_rust::xxh64::xxh64(body.as_bytes(), 0);
    assert!(line.len() < 8192, "{line}");
    (magic && length && sound).then(|| serde_json::from_str(body).expect("a body is JSON"))
}

/// The one file of events.
pub(crate) fn journal_file(home: &Home) -> PathBuf {
    let directory = fs::read_dir(home.data().join("journal")).unwrap();
    let mut files = directory.map(|it| it.unwrap().path());
    files.find(|it| it.extension().is_some_and(|it| it == "journal")).expect("a journal")
}

/// The recorded payloads of one client version: event, variant, payload.
pub(crate) fn payloads(version: &str) -> Vec<(String, String, Value)> {
    let directory = fixtures().join("payloads").join(version);
    let mut files: Vec<_> = fs::read_dir(directory).unwrap().map(|it| it.unwrap().path()).collect();
    files.sort();
    let mut payloads = Vec::new();
    for file in files {
        let event = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let variants: Vec<Value> = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        for variant in variants {
            let name = variant["variant"].as_str().unwrap().to_owned();
            payloads.push((event.clone(), name, variant["payload"].clone()));
        }
    }
    payloads
}

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/claude")
}

pub(crate) fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

/// A text of ours without what differs from run to run: times, sizes, widths, throwaway places.
pub(crate) fn steady(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.replace("just now", "1 s ago").lines() {
        let mut words: Vec<String> = Vec::new();
        for word in line.split_whitespace() {
            let (bare, sign) = word.split_at(word.trim_end_matches([',', '.', ':', ')']).len());
            let is_number = |it: &String| it.trim_start_matches('(').parse::<f64>().is_ok();
            let word = match bare {
                "µs" | "ms" | "s" | "min" if words.last().is_some_and(is_number) => {
                    words.pop();
                    format!("TIME{sign}")
                }
                "KB" | "bytes" if words.last().is_some_and(is_number) => {
                    words.pop();
                    format!("SIZE{sign}")
                }
                _ if bare.len() == 24 && bare.ends_with('Z') => "DATE".to_owned(),
                _ if bare.contains("windlass-demo-") => "PLACE".to_owned(),
                _ if is_mark(bare) => "MARK]".to_owned(),
                _ if bare.starts_with("(0..") => format!("(RANGE{sign}"),
                _ => word.to_owned(),
            };
            words.push(word);
        }
        let indent = line.len() - line.trim_start().len();
        lines.push(format!("{}{}\n", " ".repeat(indent.min(2)), words.join(" ")));
    }
    lines.concat()
}

/// Whether a word ends what stands at the beginning and at the end of a brief.
fn is_mark(word: &str) -> bool {
    let number = word.strip_suffix(']').unwrap_or_default();
    number.len() == 12 && number.bytes().all(|it| it.is_ascii_hexdigit())
}

/// Compares with a golden file.
#[track_caller]
pub(crate) fn assert_golden(name: &str, actual: &str) {
    assert_same(&golden(name), actual);
}

/// Compares with a file that is rewritten when `UPDATE` is set.
#[track_caller]
pub(crate) fn assert_same(path: &Path, actual: &str) {
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, actual).unwrap();
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    let name = path.display();
    assert!(expected == actual, "{name} differs; look at it with UPDATE=1 and git diff");
}
