//! Whether an agent started us: the agent is not the user.
//!
//! What only the user may decide is refused there. This is a speed bump and not a wall: a process
//! under the user's account can do whatever the user can, and could hide where it comes from. It
//! keeps an agent from approving by the way what it was asked not to do.

use std::fmt;
use std::path::Path;

use crate::plain::{self, Follow};
use crate::{Host, env, visible};

/// Where the kernel lists processes.
pub(super) const PROCESSES: &str = "/proc";
/// Deeper trees are not looked at to the end.
const MAX_DEPTH: usize = 64;
const MAX_FILE: u64 = 256 << 10;

/// Programs that are agents.
const PROGRAMS: &[&str] =
    &["claude", "codex", "copilot", "cursor-agent", "gemini", "opencode", "qwen"];
/// Programs that run the file which stands behind them. Behind any other, such as an editor, a name
/// is only a name.
const INTERPRETERS: &[&str] = &["bun", "deno", "node", "nodejs", "python", "python2", "python3"];
/// Agents that an interpreter runs, by the package that they are in.
const PACKAGES: &[&str] = &[
    "node_modules/@anthropic-ai/claude-code/",
    "node_modules/@github/copilot/",
    "node_modules/@google/gemini-cli/",
    "node_modules/@openai/codex/",
    "node_modules/@qwen-code/qwen-code/",
    "node_modules/opencode-ai/",
];

/// Where the installer of Claude Code puts its programs, each with the number of its version as its
/// name. The client starts itself by that name.
const VERSIONS: &str = "/claude/versions/";

/// What shows that an agent started us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sign {
    Variable(&'static str),
    Process {
        id: u32,
        program: String,
    },
    /// It came over the protocol that agents call tools with.
    Mcp,
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(f, "the environment has {name}"),
            Self::Mcp => f.write_str("it came as a call of a tool"),
            Self::Process { id, program } => {
                write!(f, "{} (process {id}) started it", visible::line(program, 40))
            }
        }
    }
}

/// Looks for a sign of an agent: in the environment, then among the processes that we descend
/// from, where the system lists them.
pub(crate) fn sign(host: &Host) -> Option<Sign> {
    let set = env::SET_BY_AGENTS.iter().find(|it| host.variable(it).is_some());
    let variable = set.map(|it| Sign::Variable(it));
    variable.or_else(|| ancestor(Path::new(PROCESSES), std::process::id()))
}

fn ancestor(processes: &Path, own: u32) -> Option<Sign> {
    let mut id = parent(processes, own)?.0;
    for _ in 0..MAX_DEPTH {
        if id == 0 {
            return None;
        }
        let (above, name) = parent(processes, id)?;
        if let Some(program) = program(processes, id, &name) {
            return Some(Sign::Process { id, program });
        }
        id = above;
    }
    None
}

/// Whether a process is Claude Code, by its name and its command line.
pub(super) fn is_client(processes: &Path, id: u32) -> bool {
    let name = parent(processes, id).map(|it| it.1);
    program(processes, id, name.as_deref().unwrap_or_default())
        .is_some_and(|it| it.contains("claude") || it == "cli.js")
}

/// The agent that a process is, by its name and its command line.
fn program(processes: &Path, id: u32, name: &str) -> Option<String> {
    if let Some(program) = agent(name) {
        return Some(program.to_owned());
    }
    let words = read(&processes.join(id.to_string()).join("cmdline"))?;
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
    let line = read(&processes.join(id.to_string()).join("stat"))?;
    // The name stands in brackets, and may hold brackets and spaces itself.
    let (before, after) = line.rsplit_once(')')?;
    let (_, name) = before.split_once('(')?;
    Some((after.split_whitespace().nth(1)?.parse().ok()?, name.to_owned()))
}

fn read(path: &Path) -> Option<String> {
    Some(String::from_utf8_lossy(&read_bytes(path)?).into_owned())
}

/// The bytes of a file that the kernel makes of a process.
pub(super) fn read_bytes(path: &Path) -> Option<Vec<u8>> {
    Some(plain::read(path, Follow::Never, MAX_FILE).ok()??.bytes)
}

/// Whether the first word of a command line runs what the second names.
fn is_interpreter(word: &str) -> bool {
    INTERPRETERS.contains(&stem(word).unwrap_or_default())
}

/// The name of a program, without what stands behind a dot.
fn stem(word: &str) -> Option<&str> {
    let program = Path::new(word).file_name()?.to_str()?;
    Some(program.split_once('.').map_or(program, |it| it.0))
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

    /// Lists processes as the kernel does: id, parent, name, command line.
    fn tree(processes: &[(u32, u32, &str, &str)]) -> Option<Sign> {
        let dir = tempfile::tempdir().unwrap();
        for (id, parent, name, line) in processes {
            let place = dir.path().join(id.to_string());
            fs::create_dir(&place).unwrap();
            fs::write(place.join("stat"), format!("{id} ({name}) S {parent} 1 1 0")).unwrap();
            fs::write(place.join("cmdline"), line.replace(' ', "\0")).unwrap();
        }
        ancestor(dir.path(), processes[0].0)
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
    fn finds_the_agents_among_the_ancestors() {
        let cases = [
            ("claude", "claude --resume"),
            ("node", "/usr/bin/node /home/u/.npm/bin/gemini"),
            ("MainThread", "node /x/node_modules/@anthropic-ai/claude-code/cli.js"),
            ("codex", "/opt/codex"),
            ("2.1.197", "/home/u/.local/share/claude/versions/2.1.197 --resume"),
            ("python3.12", "/usr/bin/python3.12 /opt/bin/opencode"),
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
