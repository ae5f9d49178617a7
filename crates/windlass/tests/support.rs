//! A private home and the real binary in it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use rustix::fs::{CWD, FileType, Mode, mknodat};
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
        make_repository(&root);
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

    /// Changes the ledger behind the back of windlass.
    pub(crate) fn execute(&self, change: &str) {
        let connection = Connection::open(self.data().join("store.db")).unwrap();
        connection.execute(change, []).unwrap();
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

/// Makes a directory what git takes for a repository without a commit.
pub(crate) fn make_repository(root: &Path) {
    if root.join(".git/HEAD").exists() {
        return;
    }
    for name in ["objects", "refs"] {
        fs::create_dir_all(root.join(".git").join(name)).unwrap();
    }
    fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
}

/// A project in a home of its own, with settings of both.
pub(crate) struct Project {
    pub(crate) home: Home,
}

impl Project {
    pub(crate) fn new() -> Self {
        let project = Self { home: Home::new() };
        make_repository(&project.root());
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
    as_user(&command)
}

/// Runs a command like this one as the user does, with the variables that it names and no others.
pub(crate) fn as_user(like: &Command) -> Output {
    let mut terminal = UserTerminal::open(like, UserOutput::Pipe);
    let mut answered = false;
    while terminal.read() {
        if let Some(code) = terminal.asked().filter(|_| !answered) {
            terminal.type_line(&code);
            answered = true;
        }
    }
    let (stdout, screen, code) = terminal.end();
    // The question and the answer are of the terminal, and not of the command.
    let screen = match screen.split_once("Type ") {
        Some((before, rest)) => [before, rest.split_once('\n').unwrap_or_default().1].concat(),
        None => screen,
    };
    let status = ExitStatus::from_raw(code << 8);
    Output { status, stdout, stderr: screen.into_bytes() }
}

/// Runs a program in a pane of a multiplexer: the tests may be run by an agent, and what only the
/// user may do is refused below one, and on a terminal that nothing of a user holds.
const PANE: &str = r#"
    place="$1" output="$2"
    shift 2
    read go <"$place/go"
    if [ "$output" = screen ]; then
        /usr/bin/env -i "$@"
    else
        /usr/bin/env -i "$@" >"$place/stdout"
    fi
    echo $? >"$place/code"
    printf '%s\n' "@@over@@"
    read go <"$place/go""#;

/// What stands on the screen when the program is over.
const OVER: &str = "@@over@@";

/// Where what a command says goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UserOutput {
    /// To the terminal, as its errors and questions do.
    Screen,
    Pipe,
}

/// A terminal of the user with a command on it, which nothing of the tests is above.
pub(crate) struct UserTerminal {
    shown: File,
    screen: String,
    place: TempDir,
}

impl UserTerminal {
    pub(crate) fn open(like: &Command, output: UserOutput) -> Self {
        let terminal = Self::make(like, output);
        attach(terminal.place.path());
        terminal.begin()
    }

    /// The same, at which no user looks.
    pub(crate) fn open_detached(like: &Command, output: UserOutput) -> Self {
        Self::make(like, output).begin()
    }

    fn make(like: &Command, output: UserOutput) -> Self {
        let place = TempDir::new().unwrap();
        for name in ["go", "screen"] {
            let mode = Mode::RUSR | Mode::WUSR;
            mknodat(CWD, place.path().join(name), FileType::Fifo, mode, 0).unwrap();
        }
        fs::write(place.path().join("pane.sh"), PANE).unwrap();
        fs::write(place.path().join("stdout"), "").unwrap();
        let mut pane = vec![OsString::from("/bin/sh")];
        pane.push(place.path().join("pane.sh").into());
        pane.push(place.path().into());
        pane.push(if output == UserOutput::Screen { "screen" } else { "pipe" }.into());
        for (name, value) in like.get_envs().filter_map(|(name, value)| Some((name, value?))) {
            pane.push([name, value].join(OsStr::new("=")));
        }
        pane.push(like.get_program().into());
        pane.extend(like.get_args().map(OsString::from));
        let new = ["-f", "/dev/null", "new-session", "-d", "-x", "200", "-y", "50"];
        let mut command = tmux(place.path());
        command.args(new).arg("--").args(pane);
        if let Some(directory) = like.get_current_dir() {
            command.current_dir(directory);
        }
        run_tmux(&mut command);
        let copy = format!("exec cat >'{}'", place.path().join("screen").display());
        run_tmux(tmux(place.path()).args(["pipe-pane", &copy]));
        let shown = File::open(place.path().join("screen")).unwrap();
        Self { shown, screen: String::new(), place }
    }

    fn begin(self) -> Self {
        fs::write(self.place.path().join("go"), "go\n").unwrap();
        self
    }

    pub(crate) fn type_line(&mut self, line: &str) {
        run_tmux(tmux(self.place.path()).args(["send-keys", "-l", "--", line]));
        run_tmux(tmux(self.place.path()).args(["send-keys", "Enter"]));
    }

    /// Reads on; false when the command is over.
    pub(crate) fn read(&mut self) -> bool {
        if self.screen.contains(OVER) {
            return false;
        }
        let mut buffer = [0; 4096];
        let count = self.shown.read(&mut buffer).unwrap();
        self.screen.push_str(&String::from_utf8_lossy(&buffer[..count]));
        count > 0
    }

    /// The code of the question that stands on the screen.
    fn asked(&self) -> Option<String> {
        asked(&self.screen)
    }

    /// Waits for the question, and returns its code.
    pub(crate) fn code(&mut self) -> String {
        loop {
            if let Some(code) = self.asked() {
                return code;
            }
            assert!(self.read(), "no question: {}", self.screen);
        }
    }

    /// What the command wrote to its pipe, what stood on the screen, and the code.
    pub(crate) fn end(mut self) -> (Vec<u8>, String, i32) {
        while self.read() {}
        let stdout = fs::read(self.place.path().join("stdout")).unwrap();
        let code = fs::read_to_string(self.place.path().join("code")).unwrap();
        let screen = self.screen.split(OVER).next().unwrap().replace("\r\n", "\n");
        (stdout, screen, code.trim().parse().unwrap())
    }
}

impl Drop for UserTerminal {
    fn drop(&mut self) {
        run_tmux(tmux(self.place.path()).arg("kill-server"));
    }
}

/// The code of a question that stands on a screen.
fn asked(screen: &str) -> Option<String> {
    let (question, _) = screen.split_once("anything else to leave it: ")?;
    Some(question.rsplit_once("Type ")?.1.split_once(' ')?.0.to_owned())
}

/// A multiplexer with a server of its own. No variable of an agent reaches it.
fn tmux(place: &Path) -> Command {
    let mut command = Command::new("/usr/bin/tmux");
    command.env_clear().env("PATH", "/usr/bin:/bin").arg("-S").arg(place.join("socket"));
    command
}

/// Writes a program. Another process writes it: while this one has it open, a test beside this one may
/// start a process that has it open too, and the system refuses to run it.
pub(crate) fn write_program(path: &Path, script: &str) {
    make_program(path, script.as_bytes(), "cat >\"$0\"");
}

/// Copies a program, in another process for the same reason.
pub(crate) fn copy_program(from: &Path, to: &Path) {
    make_program(to, from.as_os_str().as_encoded_bytes(), "cp -- \"$(cat)\" \"$0\"");
}

fn make_program(path: &Path, input: &[u8], make: &str) {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &format!("{make} && chmod 755 \"$0\"")]).arg(path);
    let mut shell = command.stdin(Stdio::piped()).spawn().unwrap();
    shell.stdin.take().unwrap().write_all(input).unwrap();
    assert!(shell.wait().unwrap().success(), "{}", path.display());
}

/// Looks at the multiplexer, as a user does: a client of it on a terminal that a terminal program
/// holds. Nothing above that program is an agent.
fn attach(place: &Path) {
    const ATTACH: &str = r#"
        exec 3<>"$0/keys"
        setsid "$0/xterm" -qfc "/usr/bin/tmux -S '$0/socket' attach" /dev/null \
            <&3 >/dev/null 2>&1 &
    "#;
    copy_program(Path::new("/usr/bin/script"), &place.join("xterm"));
    mknodat(CWD, place.join("keys"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let mut command = Command::new("/bin/sh");
    command.env_clear().env("PATH", "/usr/bin:/bin").env("TERM", "xterm");
    let status = command.args(["-c", ATTACH]).arg(place).status().unwrap();
    assert!(status.success());
    for _ in 0..500 {
        let clients = tmux(place).arg("list-clients").output().unwrap();
        if !clients.stdout.is_empty() {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("no client is attached");
}

fn run_tmux(command: &mut Command) {
    let output = command.stdin(Stdio::null()).output().unwrap();
    // A server ends by itself with its last window.
    let said = String::from_utf8_lossy(&output.stderr);
    let is_over = said.contains("no server running") || said.contains("server exited");
    assert!(output.status.success() || is_over, "{command:?}: {output:?}");
}

/// Runs a command on a terminal that this process holds and types the code that it shows, after
/// whoever started it is gone, as an agent that wants to get away from its own processes does.
/// Returns what stood on the screen, and the code.
pub(crate) fn on_stray_terminal(like: &Command) -> (String, i32) {
    const STRAY: &str = r#"
        code="$0" terminal="$1"
        shift
        exec 3<&0
        (
            read go <&3
            exec 3<&-
            /usr/bin/setsid -c -w "$@" <"$terminal" >"$terminal" 2>&1
            echo $? >"$code"
        ) &"#;
    let mut keys = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).map(File::from).unwrap();
    grantpt(&keys).unwrap();
    unlockpt(&keys).unwrap();
    let name = ptsname(&keys, Vec::new()).unwrap().into_string().unwrap();
    let place = TempDir::new().unwrap();
    let code = place.path().join("code");
    let mut command = Command::new("/bin/sh");
    command.args(["-c", STRAY]).arg(&code).arg(name).arg(like.get_program()).args(like.get_args());
    command.env_clear().envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(directory) = like.get_current_dir() {
        command.current_dir(directory);
    }
    let mut shell = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut go = shell.stdin.take().unwrap();
    assert!(shell.wait().unwrap().success());
    go.write_all(b"go\n").unwrap();
    let (mut screen, mut buffer, mut answered) = (String::new(), [0; 4096], false);
    let is_over = || fs::read_to_string(&code).is_ok_and(|it| it.ends_with('\n'));
    while !is_over() {
        // Nobody is at the other end before the command begins, and when it is over.
        let count = keys.read(&mut buffer).unwrap_or_else(|_| {
            thread::sleep(Duration::from_millis(5));
            0
        });
        screen.push_str(&String::from_utf8_lossy(&buffer[..count]));
        if let Some(code) = asked(&screen).filter(|_| !answered) {
            keys.write_all(format!("{code}\n").as_bytes()).unwrap();
            answered = true;
        }
    }
    (screen.replace("\r\n", "\n"), fs::read_to_string(&code).unwrap().trim().parse().unwrap())
}

/// Runs a command after whoever started it is gone, without a terminal, as an agent that wants to
/// get away from its own processes does.
pub(crate) fn detached(like: &Command, input: &[u8]) -> (String, i32) {
    const DETACHED: &str = r#"
        code="$0"
        exec 3<&0
        (
            read go <&3
            /usr/bin/setsid -w "$@" <&3 3<&-
            echo $? >"$code"
        ) &"#;
    let place = TempDir::new().unwrap();
    let mut command = Command::new("/bin/sh");
    command.args(["-c", DETACHED]).arg(place.path().join("code"));
    command.arg(like.get_program()).args(like.get_args()).env_clear();
    command.envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(directory) = like.get_current_dir() {
        command.current_dir(directory);
    }
    let (mut reader, writer) = std::io::pipe().unwrap();
    command.stdin(Stdio::piped()).stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut shell = command.spawn().unwrap();
    drop(command);
    let mut go = shell.stdin.take().unwrap();
    assert!(shell.wait().unwrap().success());
    go.write_all(&[b"go\n", input].concat()).unwrap();
    drop(go);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    let code = fs::read_to_string(place.path().join("code")).unwrap();
    (text, code.trim().parse().unwrap())
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

/// The id of the next prompt or call, which begins so: the client gives none twice.
pub(crate) fn next_id(begin: &str) -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    format!("{begin}{}", NEXT.fetch_add(1, Ordering::Relaxed))
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
        let id = next_id("p");
        let prompt =
            json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on", "prompt_id": id});
        self.send(session, &prompt);
    }

    /// The agent calls a tool.
    fn call(&self, session: &str, tool: &str, input: &Value, answer: &str) {
        let id = next_id("toolu_");
        let call = json!({"tool_name": tool, "tool_input": input, "tool_use_id": id,
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

/// Runs a command of ours as a user would, with these words before it. Returns what it said and its
/// code.
pub(crate) fn by_the_user(
    home: &Home,
    directory: &Path,
    before: &[&Path],
    arguments: &[&str],
) -> (String, i32) {
    let program = binary();
    let mut words = before.iter().copied().chain([program.as_path()]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words).args(arguments).current_dir(directory);
    command.env("HOME", home.path()).env("PATH", "/usr/bin:/bin");
    let output = as_user(&command);
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (text.trim_end().to_owned(), output.status.code().unwrap())
}

/// Gives a switch that was edited the sum that windlass would give it.
pub(crate) fn seal_switch(switch: &mut Value) {
    let words = ["version", "gate", "scope", "of", "at", "until"].map(|it| switch[it].clone());
    let bytes = serde_json::to_vec(&words).unwrap();
    switch["sum"] = json!(format!("{:016x}", xxhash_rust::xxh64::xxh64(&bytes, 2)));
}

/// Writes a file that only its owner can write, whatever the umask is.
pub(crate) fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
    // Settings are the user's, who writes them between two turns: without marks nothing changed.
    let levels = if path.ends_with(".config/windlass/config.toml") { Some(3) } else { None };
    let levels = levels.or(path.ends_with(".windlass.toml").then_some(2));
    if let Some(home) = levels.and_then(|it| path.ancestors().nth(it)) {
        fs::remove_file(home.join(".local/share/windlass/steering.json")).unwrap_or_default();
    }
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

/// Feeds a payload to a command. A test repeats an event faster than any agent does, and the hook
/// would take it for one event that two processes report: each payload gets a size of its own.
pub(crate) fn feed(command: &mut Command, payload: &[u8]) -> Output {
    const STEP: usize = 4096;
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let size = (payload.len() / STEP + 1) * STEP + COUNT.fetch_add(1, Ordering::Relaxed) % STEP;
    feed_exactly(command, &[payload, " ".repeat(size - payload.len()).as_bytes()].concat())
}

/// Feeds exactly these bytes to a command.
pub(crate) fn feed_exactly(command: &mut Command, payload: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A command that refuses at once reads nothing.
    match stdin.write_all(payload) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
        written => written.unwrap(),
    }
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
                "MB" | "KB" | "bytes" if words.last().is_some_and(is_number) => {
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
