//! Whether an agent started us: the agent is not the user.
//!
//! What only the user may decide is refused there. The processes above us are looked at, and those
//! above the leader of our terminal's session, which a process that left its parent still has, and
//! whoever holds the other end of the terminal (`terminal`). A process that has neither a terminal
//! nor an ancestor with one was detached from whatever started it: nothing shows that it was the
//! user.
//!
//! This is a speed bump and not a wall: a process under the user's account can do whatever the user
//! can, and could hide where it comes from. It keeps an agent from approving by the way what it was
//! asked not to do.

use std::fmt;
use std::path::Path;

use super::terminal::{self, TerminalOf};
use crate::plain::{self, Follow};
use crate::{Host, env, visible};

/// Where the kernel lists processes.
pub(super) const PROCESSES: &str = "/proc";
/// Deeper trees are not looked at to the end.
pub(super) const MAX_DEPTH: usize = 64;
const MAX_FILE: u64 = 256 << 10;

/// Programs that are agents.
const PROGRAMS: &[&str] = &[
    "aider",
    "amp",
    "claude",
    "codex",
    "copilot",
    "cursor-agent",
    "gemini",
    "goose",
    "opencode",
    "qwen",
];
/// Programs that run the file which stands behind them. Behind any other, such as an editor, a name
/// is only a name.
const INTERPRETERS: &[&str] =
    &["bun", "deno", "node", "nodejs", "perl", "python", "python2", "python3", "ruby"];
/// Agents that an interpreter runs, by the package that they are in.
const PACKAGES: &[&str] = &[
    "/@anthropic-ai/claude-code/",
    "/@github/copilot/",
    "/@google/gemini-cli/",
    "/@openai/codex/",
    "/@qwen-code/qwen-code/",
    "/@sourcegraph/amp/",
    "node_modules/opencode-ai/",
];

/// Where the installer of Claude Code puts its programs, each with the number of its version as its
/// name. The client starts itself by that name.
const VERSIONS: &str = "/claude/versions/";

/// What shows that an agent, and not the user, started us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sign {
    Variable(&'static str),
    Process {
        id: u32,
        program: String,
    },
    /// A process above us was started with a variable that agents set.
    Marked {
        id: u32,
        variable: &'static str,
    },
    /// No process above us has a terminal.
    Detached,
    /// A process holds the other end of our terminal, and nothing shows a user behind it.
    Terminal {
        id: u32,
        program: String,
    },
    /// It came over the protocol that agents call tools with.
    Mcp,
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(f, "an agent (the environment has {name})"),
            Self::Mcp => f.write_str("an agent (a call of a tool)"),
            Self::Detached => f.write_str("a process without a terminal"),
            Self::Terminal { id, program } => {
                let program = visible::line(program, 40);
                let comma = if program.is_empty() { "" } else { ", " };
                write!(f, "a process on a terminal of its own (held by {program}{comma}pid {id})")
            }
            Self::Marked { id, variable } => {
                write!(f, "an agent (the environment of pid {id} has {variable})")
            }
            Self::Process { id, program } if is_name_of_client(program) => {
                write!(f, "an agent (Claude Code, pid {id})")
            }
            Self::Process { id, program } => {
                write!(f, "an agent ({}, pid {id})", visible::line(program, 40))
            }
        }
    }
}

/// Looks for a sign of an agent: in the environment, then among the processes that we descend
/// from, where the system lists them.
pub(crate) fn sign(host: &Host) -> Option<Sign> {
    let set = env::SET_BY_AGENTS.iter().find(|it| host.variable(it).is_some());
    let variable = set.map(|it| Sign::Variable(it));
    variable.or_else(|| sign_above(Path::new(PROCESSES), std::process::id()))
}

fn sign_above(processes: &Path, own: u32) -> Option<Sign> {
    let status = Status::of(processes, own)?;
    let leader = Some(status.session).filter(|it| *it != 0);
    ancestor(processes, status.parent).or_else(|| ancestor(processes, leader?)).or_else(|| {
        match terminal_above(processes, own) {
            Some(terminal) => terminal::stranger(processes, terminal),
            None => Some(Sign::Detached),
        }
    })
}

/// The first agent among a process and those above it.
pub(super) fn ancestor(processes: &Path, mut id: u32) -> Option<Sign> {
    for _ in 0..MAX_DEPTH {
        if id == 0 {
            return None;
        }
        let status = Status::of(processes, id)?;
        if let Some(program) = program(processes, id, &status.name) {
            return Some(Sign::Process { id, program });
        }
        if let Some(variable) = mark(processes, id) {
            return Some(Sign::Marked { id, variable });
        }
        id = status.parent;
    }
    None
}

/// The variable of an agent that a process was started with. Others' processes do not show theirs.
fn mark(processes: &Path, id: u32) -> Option<&'static str> {
    let bytes = read_bytes(&processes.join(id.to_string()).join("environ"))?;
    let is_set = |name: &&&str| {
        let is_row = |row: &[u8]| {
            let value = row.strip_prefix(name.as_bytes()).and_then(|it| it.strip_prefix(b"="));
            value.is_some_and(|it| !it.is_empty())
        };
        bytes.split(|it| *it == 0).any(is_row)
    };
    env::SET_BY_AGENTS.iter().find(is_set).copied()
}

/// The terminal of a process, or of the nearest one above it that has one. What was left behind has
/// come to the first process: the terminal of that one is not its own.
fn terminal_above(processes: &Path, own: u32) -> Option<TerminalOf> {
    let mut id = own;
    for _ in 0..MAX_DEPTH {
        let status = Status::of(processes, id)?;
        if status.terminal != 0 {
            return Some(TerminalOf { number: status.terminal, leader: status.session });
        }
        if status.parent <= 1 {
            return None;
        }
        id = status.parent;
    }
    None
}

/// Whether this process descends from the leader of its terminal's session. One that does not has
/// left what started it.
pub(crate) fn is_below_session_leader() -> bool {
    is_below_leader(Path::new(PROCESSES), std::process::id())
}

fn is_below_leader(processes: &Path, own: u32) -> bool {
    let Some(Status { session, .. }) = Status::of(processes, own) else { return false };
    let mut id = own;
    for _ in 0..MAX_DEPTH {
        if id == session {
            return true;
        }
        match Status::of(processes, id) {
            Some(status) if status.parent != 0 => id = status.parent,
            _ => return false,
        }
    }
    false
}

/// What the system says of a process.
#[derive(Debug)]
pub(super) struct Status {
    pub(super) name: String,
    pub(super) parent: u32,
    pub(super) session: u32,
    /// The number of its terminal; 0 where it has none.
    pub(super) terminal: u32,
}

impl Status {
    pub(super) fn of(processes: &Path, id: u32) -> Option<Self> {
        let line = read(&processes.join(id.to_string()).join("stat"))?;
        // The name stands in brackets, and may hold brackets and spaces itself.
        let (before, after) = line.rsplit_once(')')?;
        let (_, name) = before.split_once('(')?;
        let mut fields = after.split_whitespace().skip(1);
        let parent = fields.next()?.parse().ok()?;
        let session = fields.nth(1)?.parse().ok()?;
        // A signed number, though the kernel's own has no sign.
        let terminal = fields.next()?.parse::<i32>().ok()?.cast_unsigned();
        Some(Self { name: name.to_owned(), parent, session, terminal })
    }
}

/// Whether a process is Claude Code, by its name and its command line.
pub(super) fn is_client(processes: &Path, id: u32) -> bool {
    let name = parent(processes, id).map(|it| it.1);
    let program = program(processes, id, name.as_deref().unwrap_or_default());
    program.is_some_and(|it| is_name_of_client(&it))
}

fn is_name_of_client(program: &str) -> bool {
    program.contains("claude") || program == "cli.js"
}

/// The agent that a process is, by its name and its command line.
fn program(processes: &Path, id: u32, name: &str) -> Option<String> {
    if let Some(program) = agent(name) {
        return Some(program.to_owned());
    }
    let words = command_line(processes, id)?;
    let mut words = words.split('\0');
    let first = words.next();
    let second = words.next().filter(|_| first.is_some_and(is_interpreter));
    first.into_iter().chain(second).find_map(agent).map(str::to_owned)
}

/// A process, with the time of its start: the system gives an id again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProcessStamp {
    pub(crate) id: u32,
    /// Ticks of the system's clock since it was booted.
    pub(crate) start: u64,
}

/// The client that runs this hook: the process above it, or the one above a shell.
pub(crate) fn client_of_hook() -> Option<ProcessStamp> {
    let processes = Path::new(PROCESSES);
    let above = std::os::unix::process::parent_id();
    let client = if is_client(processes, above) {
        above
    } else {
        parent(processes, above).map(|it| it.0).filter(|it| is_client(processes, *it))?
    };
    stamp(processes, client)
}

/// The processes that this one descends from, the nearest first.
pub(crate) fn ancestors() -> Vec<ProcessStamp> {
    let processes = Path::new(PROCESSES);
    let mut found = Vec::new();
    let mut id = std::os::unix::process::parent_id();
    while found.len() < MAX_DEPTH {
        let Some(stamp) = stamp(processes, id) else { break };
        found.push(stamp);
        let Some((above, _)) = parent(processes, id) else { break };
        id = above;
    }
    found
}

/// Whether a process has not ended.
pub(crate) fn is_running(process: ProcessStamp) -> bool {
    stamp(Path::new(PROCESSES), process.id) == Some(process)
}

fn stamp(processes: &Path, id: u32) -> Option<ProcessStamp> {
    let line = read(&processes.join(id.to_string()).join("stat"))?;
    // It is the 22nd field; the one behind the name is the third.
    let start = line.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()?;
    Some(ProcessStamp { id, start })
}

/// The parent of a process, and the process's own name.
pub(super) fn parent(processes: &Path, id: u32) -> Option<(u32, String)> {
    Status::of(processes, id).map(|it| (it.parent, it.name))
}

fn read(path: &Path) -> Option<String> {
    Some(String::from_utf8_lossy(&read_bytes(path)?).into_owned())
}

/// The bytes of a file that the kernel makes of a process.
pub(super) fn read_bytes(path: &Path) -> Option<Vec<u8>> {
    Some(plain::read(path, Follow::Never, MAX_FILE).ok()??.bytes)
}

/// The words of a command line, with a zero behind each.
pub(super) fn command_line(processes: &Path, id: u32) -> Option<String> {
    read(&processes.join(id.to_string()).join("cmdline"))
}

/// Whether the first word of a command line runs what the second names.
pub(super) fn is_interpreter(word: &str) -> bool {
    INTERPRETERS.contains(&stem(word).unwrap_or_default())
}

/// The name of a program, without what stands behind a dot and without what a packager wrapped it in.
pub(super) fn stem(word: &str) -> Option<&str> {
    let program = unwrapped(Path::new(word).file_name()?.to_str()?);
    Some(program.split_once('.').map_or(program, |it| it.0))
}

/// The name of a program whose packager keeps it behind a script: NixOS calls `konsole`
/// `.konsole-wrapped`, of which the kernel shows 15 letters.
pub(super) fn unwrapped(name: &str) -> &str {
    let Some(bare) = name.strip_prefix('.') else { return name };
    match bare.rfind("-w") {
        Some(at) if "-wrapped".starts_with(bare[at..].trim_end_matches('_')) => &bare[..at],
        _ => bare,
    }
}

/// The agent that a word of a command line names.
fn agent(word: &str) -> Option<&str> {
    if word.contains(VERSIONS) {
        return Some("claude");
    }
    let program = Path::new(word).file_name()?.to_str()?;
    let is_packaged = || PACKAGES.iter().any(|it| word.contains(it));
    (PROGRAMS.contains(&stem(word)?) || is_packaged()).then_some(program)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A terminal, as the kernel numbers it.
    const TTY: &str = "34816";

    /// Lists processes as the kernel does: id, parent, name, command line, all in the session of the
    /// last one and on its terminal.
    fn tree(processes: &[(u32, u32, &str, &str)]) -> Option<Sign> {
        let rows: Vec<_> =
            processes.iter().map(|it| (it.0, it.1, it.2, it.3, 1, TTY, "")).collect();
        sign_in(&rows)
    }

    /// The same with the session, the terminal and the environment of each.
    type Process<'a> = (u32, u32, &'a str, &'a str, u32, &'a str, &'a str);

    fn listed(processes: &[Process<'_>]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (id, parent, name, line, session, terminal, environ) in processes {
            let place = dir.path().join(id.to_string());
            fs::create_dir(&place).unwrap();
            let stat = format!("{id} ({name}) S {parent} {id} {session} {terminal} -1 0");
            fs::write(place.join("stat"), stat).unwrap();
            fs::write(place.join("cmdline"), line.replace(' ', "\0")).unwrap();
            fs::write(place.join("environ"), environ.replace(' ', "\0")).unwrap();
        }
        dir
    }

    /// Lets a process hold the other end of `TTY`.
    fn hold(processes: &Path, id: u32) {
        let place = processes.join(id.to_string());
        fs::create_dir_all(place.join("fd")).unwrap();
        fs::create_dir_all(place.join("fdinfo")).unwrap();
        std::os::unix::fs::symlink("/dev/ptmx", place.join("fd/7")).unwrap();
        fs::write(place.join("fdinfo/7"), "pos:\t0\nflags:\t02\ntty-index:\t0\n").unwrap();
    }

    fn sign_in(processes: &[Process<'_>]) -> Option<Sign> {
        sign_above(listed(processes).path(), processes[0].0)
    }

    fn below(name: &str, line: &str) -> Option<String> {
        let own = (90, 50, "windlass", "windlass trust");
        let shell = (50, 7, "bash", "/bin/bash -c windlass");
        match tree(&[own, shell, (7, 1, name, line), (1, 0, "init", "/sbin/init")]) {
            Some(Sign::Process { id: 7, program }) => Some(program),
            None => None,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_agent_above_the_leader_of_the_session_is_one() {
        let own = (90, 1, "windlass", "windlass trust", 50, TTY, "");
        let leader = (50, 7, "bash", "bash", 50, TTY, "");
        let agent = (7, 1, "claude", "claude", 7, "0", "");
        let init = (1, 0, "init", "/sbin/init", 1, "0", "");
        assert!(matches!(sign_in(&[own, leader, agent, init]), Some(Sign::Process { id: 7, .. })));
        let other = (7, 1, "tmux: server", "tmux", 7, "0", "");
        assert_eq!(sign_in(&[own, leader, other, init]), None);
        // It left the session's leader, whoever that is.
        assert!(!is_below_leader(listed(&[own, leader, other, init]).path(), 90));
        let child = (90, 50, "windlass", "windlass trust", 50, TTY, "");
        assert!(is_below_leader(listed(&[child, leader, other, init]).path(), 90));
        // The leader is outside of what can be seen.
        let hidden = (90, 1, "windlass", "windlass trust", 0, TTY, "");
        assert!(!is_below_leader(listed(&[hidden, init]).path(), 90));
    }

    #[test]
    fn a_process_above_that_an_agent_started_shows_it_in_its_environment() {
        let own = (90, 7, "windlass", "windlass trust", 90, TTY, "");
        let init = (1, 0, "init", "/sbin/init", 1, "0", "");
        for (environ, expected) in [
            ("HOME=/h CLAUDECODE=1", Some("CLAUDECODE")),
            ("CURSOR_AGENT=1", Some("CURSOR_AGENT")),
            ("CLAUDECODE=", None),
            ("XCLAUDECODE=1 CLAUDECODEX=1", None),
            ("TERM=CLAUDECODE=1", None),
        ] {
            let server = (7, 1, "tmux: server", "tmux", 7, "0", environ);
            let expected = expected.map(|variable| Sign::Marked { id: 7, variable });
            assert_eq!(sign_in(&[own, server, init]), expected, "{environ}");
        }
    }

    #[test]
    fn a_process_without_a_terminal_above_it_is_detached() {
        let init = (1, 0, "init", "/sbin/init", 1, "0", "");
        let login = (40, 1, "login", "login", 40, "0", "");
        let shell = |terminal| (50, 40, "sh", "sh", 50, terminal, "");
        let own = (90, 50, "windlass", "windlass trust", 50, "0", "");
        assert_eq!(sign_in(&[own, shell("0"), login, init]), Some(Sign::Detached));
        assert_eq!(sign_in(&[own, shell(TTY), login, init]), None);
        let alone = (90, 1, "windlass", "windlass trust", 90, "0", "");
        assert_eq!(sign_in(&[alone, init]), Some(Sign::Detached));
        // The first process has a terminal, and what was left behind came to it.
        let first = (1, 0, "bash", "bash", 1, TTY, "");
        assert_eq!(sign_in(&[alone, first]), Some(Sign::Detached));
        // A shell that is the first process of a container.
        assert_eq!(sign_in(&[(90, 1, "windlass", "windlass", 1, TTY, ""), first]), None);
    }

    /// The sign for a command in a shell, on a terminal that the process 7 holds.
    fn held_by(seen: bool, processes: &[Process<'_>]) -> Option<Sign> {
        let own = (90, 50, "windlass", "windlass gate off", 50, TTY, "");
        let shell = (50, 7, "sh", "sh", 50, TTY, "");
        let init = (1, 0, "init", "/sbin/init", 1, "0", "");
        let list = listed(&[&[own, shell, init], processes].concat());
        if seen {
            hold(list.path(), 7);
        }
        sign_above(list.path(), 90)
    }

    #[test]
    fn a_terminal_is_a_users_where_a_program_of_terminals_holds_it() {
        let other = "34817";
        for (name, line) in [
            ("sshd", "sshd: u@pts/0"),
            ("sshd-session", "sshd-session: u@pts/0"),
            ("gnome-terminal-", "/usr/libexec/gnome-terminal-server"),
            ("xterm", "xterm"),
            ("code", "/usr/share/code/code --type=utility"),
            ("node", "/h/.vscode-server/bin/1/node /h/x/bootstrap-fork --type=ptyHost"),
            ("python3", "/usr/bin/python3 /usr/bin/terminator"),
            ("Relay(9)", "/init"),
            (".konsole-wrappe", "/nix/store/x-konsole/bin/.konsole-wrapped"),
            (".kitty-wrapped", "kitty"),
            (".alacritty-wrap", "alacritty"),
            (".tilix-wrapped_", "tilix"),
            ("python3", "/nix/store/y/bin/python3.12 /nix/store/x/bin/.terminator-wrapped"),
            ("emacs-lucid", "emacs"),
            ("emacs-pgtk", "emacs"),
            ("emacs-29.4", "emacs-29.4"),
            ("rsession", "/usr/lib/rstudio/bin/rsession"),
            ("qtcreator", "qtcreator"),
            ("dolphin", "dolphin"),
            ("kdevelop", "kdevelop"),
            ("java", "java -jar /o/eclipse/plugins/org.eclipse.equinox.launcher_1.jar"),
            ("nvim-qt", "nvim-qt"),
            ("kmscon", "kmscon"),
            ("positron", "/usr/share/positron/positron --type=utility"),
            ("kiro", "kiro"),
            ("void", "void"),
            ("tailscaled", "tailscaled be-child ssh"),
            ("coder", "coder agent"),
            ("cockpit-bridge", "cockpit-bridge"),
            ("pycharm-communi", "pycharm-community"),
            ("node", "/h/.positron-server/bin/1/node /h/x/bootstrap-fork"),
        ] {
            for seen in [true, false] {
                assert_eq!(held_by(seen, &[(7, 1, name, line, 7, "0", "")]), None, "{name}");
            }
        }
        // `script` in a shell of the user's.
        let script = (7, 6, "script", "script", 6, other, "");
        let shell = (6, 5, "bash", "bash", 6, other, "");
        let konsole = (5, 1, "konsole", "konsole", 5, "0", "");
        assert_eq!(held_by(true, &[script, shell, konsole]), None);
        // A child of a terminal that somebody else runs, and one from outside of a container.
        assert_eq!(held_by(false, &[(7, 6, "sudo", "sudo -i", 7, "0", "")]), None);
        assert_eq!(held_by(true, &[(7, 0, "runc", "runc exec", 7, "0", "")]), None);
    }

    /// A terminal that goes on without a user is a user's only while one looks at it.
    #[test]
    fn a_multiplexer_is_a_users_where_a_user_looks_at_it() {
        for (name, line) in [
            ("tmux: server", "tmux new"),
            ("screen", "SCREEN"),
            ("tmux", "tmux"),
            (".tmux-wrapped", "tmux"),
            ("screen-4.9.1", "SCREEN"),
        ] {
            let other = "34817";
            let own = (90, 50, "windlass", "windlass gate off", 50, TTY, "");
            let shell = (50, 7, "sh", "sh", 50, TTY, "");
            let server = (7, 1, name, line, 7, "0", "");
            let client = (60, 59, "tmux: client", "tmux attach", 60, other, "");
            let init = (1, 0, "init", "/sbin/init", 1, "0", "");
            let seen = |opened: bool, holder: Process<'_>| {
                let list = listed(&[own, shell, server, client, holder, init]);
                hold(list.path(), 7);
                if opened {
                    let file = list.path().join("7/fd/9");
                    std::os::unix::fs::symlink("/dev/pts/1", file).unwrap();
                }
                sign_above(list.path(), 90)
            };
            let xterm = (59, 1, "xterm", "xterm", 59, "0", "");
            assert_eq!(seen(true, xterm), None, "{name}");
            // It runs detached, whatever others look at.
            let expected = Some(Sign::Terminal { id: 7, program: name.to_owned() });
            assert_eq!(seen(false, xterm), expected, "{name}");
            // A program looks at it, or an agent does.
            let script = (59, 1, "script", "script -c tmux", 59, "0", "");
            assert_eq!(seen(true, script), expected, "{name}");
            let agent = (59, 1, "claude", "claude", 59, "0", "");
            assert!(seen(true, agent).is_some(), "{name}");
        }
        // Clients that pass on what is typed run on the terminal themselves.
        let server = (7, 1, "dtach", "dtach -n x sh", 7, "0", "");
        let client = (60, 59, "dtach", "dtach -a x", 60, "34817", "");
        let xterm = (59, 1, "xterm", "xterm", 59, "0", "");
        assert_eq!(held_by(true, &[server, client, xterm]), None);
        assert!(held_by(true, &[server, xterm]).is_some());
    }

    #[test]
    fn a_terminal_that_was_left_behind_or_is_held_below_an_agent_is_none_of_the_users() {
        for (name, line) in [
            ("python3", "python3 -c pty"),
            ("python3.12", "python3 /tmp/term.py"),
            ("script", "script -c windlass"),
            ("expect", "expect gate.exp"),
            ("socat", "socat EXEC:windlass,pty"),
            ("perl", "perl x.pl"),
            ("a) (b", "./a"),
            (".script-wrapped", "script"),
            ("xst", "xst"),
            ("stx", "stx"),
        ] {
            for seen in [true, false] {
                let said = held_by(seen, &[(7, 1, name, line, 7, "0", "")]);
                let expected = Sign::Terminal { id: 7, program: name.to_owned() };
                assert_eq!(said, Some(expected), "{name}");
            }
        }
        // Its shell has left it as well: what holds the terminal tells.
        let own = (90, 50, "windlass", "windlass gate off", 50, TTY, "");
        let shell = (50, 40, "sh", "sh", 50, TTY, "");
        let login = (40, 1, "login", "login", 40, "0", "");
        let init = (1, 0, "init", "/sbin/init", 1, "0", "");
        let holder = (7, 6, "python3", "python3", 7, "0", "");
        let agent = (6, 1, "claude", "claude", 6, "34817", "");
        let list = listed(&[own, shell, login, holder, agent, init]);
        hold(list.path(), 7);
        assert!(matches!(sign_above(list.path(), 90), Some(Sign::Process { id: 6, .. })));
        let marked = (7, 1, "tmux: server", "tmux", 7, "0", "CLAUDECODE=1");
        assert!(matches!(held_by(true, &[marked]), Some(Sign::Marked { id: 7, .. })));
    }

    #[test]
    fn finds_the_agents_among_the_ancestors() {
        let cases = [
            ("claude", "claude --resume"),
            ("node", "/usr/bin/node /home/u/.npm/bin/gemini"),
            ("MainThread", "node /x/node_modules/@anthropic-ai/claude-code/cli.js"),
            ("node", "/usr/bin/node /home/u/x/@anthropic-ai/claude-code/cli.js"),
            ("python3", "/usr/bin/python3 /home/u/.local/bin/aider"),
            ("goose", "/usr/local/bin/goose session"),
            ("amp", "/usr/local/bin/amp"),
            ("codex", "/opt/codex"),
            ("2.1.197", "/home/u/.local/share/claude/versions/2.1.197 --resume"),
            ("python3.12", "/usr/bin/python3.12 /opt/bin/opencode"),
            (".claude-wrapped", "/nix/store/x/bin/.claude-wrapped"),
            (".node-wrapped", "/nix/store/x/bin/.node-wrapped /nix/store/y/bin/.claude-wrapped"),
            ("a) (b", "/usr/local/bin/cursor-agent --x"),
        ];
        for (name, line) in cases {
            assert!(below(name, line).is_some(), "{name}: {line}");
        }
    }

    #[test]
    fn other_programs_are_none() {
        let cases = [
            ("tmux: server", "tmux"),
            ("bash", "bash /home/u/claude/run.sh"),
            ("vim", "vim -c x claude"),
            ("vim", "vim claude.txt"),
            ("less", "less gemini"),
            ("tail", "tail /x/node_modules/@openai/codex/log"),
            ("node", "node /srv/claudette/app.js"),
            ("", ""),
        ];
        for (name, line) in cases {
            assert_eq!(below(name, line), None, "{name}: {line}");
        }
    }

    #[test]
    fn a_tree_that_bites_its_tail_ends() {
        assert_eq!(tree(&[(5, 6, "a", "a"), (6, 5, "b", "b")]), None);
        assert_eq!(tree(&[(5, 6, "a", "a")]), None);
    }

    #[test]
    fn the_real_tree_can_be_read() {
        let (above, name) = parent(Path::new(PROCESSES), std::process::id()).unwrap();
        assert!(above > 0 && !name.is_empty());
    }
}
