//! The environment that the client was started with.
//!
//! Claude Code puts `env` of its settings files into the environment of everything that it starts,
//! and a repository brings such a file (`.claude/settings.json`, `.claude/settings.local.json`).
//! What switches something off or moves our files counts only from the user: from the shell in
//! which the client was started, or from the user's own settings file.
//!
//! On Linux `/proc/PID/environ` of the client shows what it was started with. The client cannot be
//! found where that is hidden, and nowhere on macOS: then such a variable does not count, the home
//! directory is that of the account, and the search path has no place of the working directory.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::parent_id;
use std::path::{Path, PathBuf};

use super::claude::switches;
use super::tree::{self, PROCESSES};
use crate::{Host, env};

/// How many processes are looked at on the way to the client.
const MAX_DEPTH: usize = 16;

/// Which process gave us our environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Starter {
    /// No client is between us and the user, as far as the process tree tells.
    NotClient,
    /// A client, which itself was started with this environment.
    Client(StartEnvironment),
    /// The system does not tell.
    Hidden,
}

/// What our own environment tells of the client that runs us.
#[derive(Debug)]
struct ClientSigns<'a> {
    session: Option<&'a OsStr>,
    /// The process that the client names.
    claimed: Option<u32>,
    /// Whether we have what the client gives to everything that it starts.
    is_marked: bool,
}

/// The search path without places that a repository may name: relative ones, and those below the
/// working directory.
pub(crate) fn outside_path(path: &OsStr, working: Option<&Path>) -> OsString {
    let is_outside = |it: &&[u8]| {
        let place = Path::new(OsStr::from_bytes(it));
        place.is_absolute() && !working.is_some_and(|it| place.starts_with(it))
    };
    let kept: Vec<&[u8]> = path.as_bytes().split(|it| *it == b':').filter(is_outside).collect();
    OsString::from_vec(kept.join(&b':'))
}

/// The variables that a process was started with, as the kernel lists them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StartEnvironment {
    bytes: Vec<u8>,
}

impl Starter {
    /// Finds the client above this process.
    ///
    /// Between it and us there may be a shell or a wrapper. Claude Code gives all of them the same
    /// session; the first process with another one, or with none, is the client, or it is not a
    /// client that started us. Its name tells, the id that the client gives to its hooks, or that we
    /// have a mark which the process itself was not started with: a client may have any name.
    pub(crate) fn find(host: &Host) -> Self {
        let session = host.variable(env::CLAUDE_CODE_SESSION_ID);
        let claimed = host.variable(env::CLAUDE_PID).and_then(|it| it.to_str()?.parse().ok());
        let is_marked = host.is_set(env::CLAUDE_CODE_ENTRYPOINT) && session.is_some();
        let signs = ClientSigns { session: session.as_deref(), claimed, is_marked };
        Self::above(Path::new(PROCESSES), parent_id(), &signs)
    }

    fn above(processes: &Path, mut id: u32, signs: &ClientSigns<'_>) -> Self {
        let mut is_found = false;
        for _ in 0..MAX_DEPTH {
            let Some(environment) = StartEnvironment::of(processes, id) else {
                return Self::Hidden;
            };
            let is_between = |it: &StartEnvironment| {
                it.is_set(env::CLAUDECODE)
                    && it.variable(env::CLAUDE_CODE_SESSION_ID).as_deref() == signs.session
            };
            if !is_found && !is_between(&environment) {
                let gave_mark = || {
                    signs.is_marked
                        && !environment.is_set(env::CLAUDE_CODE_ENTRYPOINT)
                        && !environment.is_set(env::CLAUDECODE)
                };
                is_found =
                    signs.claimed == Some(id) || tree::is_client(processes, id) || gave_mark();
                if !is_found {
                    return Self::NotClient;
                }
            }
            // A client that an agent started has its environment from that agent.
            let is_started_by_agent = env::SET_FOR_COMMANDS.iter().any(|it| environment.is_set(it));
            if is_found && !is_started_by_agent {
                return Self::Client(environment);
            }
            let Some((above, _)) = tree::parent(processes, id) else { return Self::Hidden };
            if above == 0 {
                return if is_found { Self::Hidden } else { Self::NotClient };
            }
            id = above;
        }
        Self::Hidden
    }
}

impl StartEnvironment {
    fn of(processes: &Path, id: u32) -> Option<Self> {
        let bytes = tree::read_bytes(&processes.join(id.to_string()).join("environ"))?;
        Some(Self { bytes })
    }

    /// The value of a variable, which may be empty.
    pub(crate) fn variable(&self, name: &str) -> Option<OsString> {
        let value = |row: &[u8]| {
            let value = row.strip_prefix(name.as_bytes())?.strip_prefix(b"=")?;
            Some(OsString::from_vec(value.to_vec()))
        };
        self.bytes.split(|it| *it == 0).find_map(value)
    }

    fn is_set(&self, name: &str) -> bool {
        self.variable(name).is_some()
    }

    /// The value that the user's own settings file of Claude Code gives to a variable.
    pub(crate) fn user_setting(&self, name: &str) -> Option<OsString> {
        let directory = |name: &str| {
            let path = self.variable(name).map(PathBuf::from);
            path.filter(|it| it.is_absolute())
        };
        let config = directory(env::CLAUDE_CONFIG_DIR)
            .or_else(|| Some(directory(env::HOME)?.join(".claude")))?;
        switches::variable(&config.join("settings.json"), name).map(OsString::from)
    }

    /// The value that counts for a variable that this process has with the value `own`.
    pub(crate) fn trusted_value(&self, name: &str, own: &OsStr) -> Option<OsString> {
        let given = self.variable(name);
        if given.as_deref().is_some_and(|it| it.as_bytes() == own.as_bytes()) {
            return given;
        }
        self.user_setting(name).or(given)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const SESSION: &str = "s1";

    /// A process: id, parent, name, variables.
    type Process<'a> = (u32, u32, &'a str, &'a [&'a str]);

    /// Finds the starter of the first process among these.
    fn starter(processes: &[Process<'_>]) -> Starter {
        let dir = tempfile::tempdir().unwrap();
        for (id, parent, name, variables) in processes {
            let place = dir.path().join(id.to_string());
            fs::create_dir(&place).unwrap();
            fs::write(place.join("stat"), format!("{id} ({name}) S {parent} 1 1 0")).unwrap();
            fs::write(place.join("cmdline"), format!("{name}\0")).unwrap();
            fs::write(place.join("environ"), variables.join("\0")).unwrap();
        }
        let marks = processes[0].3;
        let is_marked = marks.iter().any(|it| it.starts_with("CLAUDE_CODE_ENTRYPOINT="));
        let signs = ClientSigns { session: Some(OsStr::new(SESSION)), claimed: None, is_marked };
        Starter::above(dir.path(), processes[0].1, &signs)
    }

    fn value(found: &Starter, name: &str, own: &str) -> Option<OsString> {
        let Starter::Client(environment) = found else { panic!("{found:?}") };
        environment.trusted_value(name, OsStr::new(own))
    }

    const OWN: Process<'_> = (9, 8, "windlass", &[]);
    const INSIDE: &[&str] = &["CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=s1", "WINDLASS_GATES=off"];

    #[test]
    fn a_client_has_what_its_shell_gave_to_it() {
        let started = ["WINDLASS_GATES=off", "WINDLASS_HOME=/a", "XDG_DATA_HOME="];
        let between: [&[Process<'_>]; 3] = [
            &[(8, 1, "claude", &started)],
            &[(8, 7, "sh", INSIDE), (7, 1, "claude", &started)],
            &[(8, 7, "timeout", INSIDE), (7, 6, "sh", INSIDE), (6, 1, "claude", &started)],
        ];
        for above in between {
            let found = starter(&[&[OWN], above].concat());
            assert_eq!(value(&found, "WINDLASS_GATES", "off"), Some("off".into()));
            assert_eq!(value(&found, "WINDLASS_HOME", "/evil"), Some("/a".into()));
            assert_eq!(value(&found, "XDG_DATA_HOME", "/evil"), Some("".into()));
            assert_eq!(value(&found, "XDG_CONFIG_HOME", "/evil"), None);
        }
    }

    /// What an agent gives to a client that it starts is not the user's.
    #[test]
    fn a_client_below_an_agent_has_what_the_outer_one_was_given() {
        let inner = &["CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=s0", "WINDLASS_GATES=off"];
        let outer = &["HOME=/h"];
        let found = starter(&[
            OWN,
            (8, 7, "claude", inner),
            (7, 6, "bash", inner),
            (6, 5, "claude", outer),
            (5, 1, "bash", &["WINDLASS_GATES=off"]),
        ]);
        assert_eq!(value(&found, "WINDLASS_GATES", "off"), None);
    }

    /// A test or a script that plays the client.
    #[test]
    fn others_are_not_clients() {
        assert_eq!(starter(&[OWN, (8, 7, "pytest", &["HOME=/h"])]), Starter::NotClient);
        let agents = &["CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=s0"];
        let above = [OWN, (8, 7, "cargo", agents), (7, 1, "claude", &["HOME=/h"])];
        assert_eq!(starter(&above), Starter::NotClient);
    }

    /// The program of a client may have any name: what it gives to a hook it does not have itself.
    #[test]
    fn a_client_under_another_name_is_found() {
        let own: Process<'_> = (9, 8, "windlass", &["CLAUDE_CODE_ENTRYPOINT=cli"]);
        let inside = &["CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=s1", "CLAUDE_CODE_ENTRYPOINT=cli"];
        for name in ["cc", "node", "main.js", "agent"] {
            let client: Process<'_> = (7, 1, name, &["HOME=/h"]);
            let found = starter(&[own, (8, 7, "sh", inside), client]);
            assert_eq!(value(&found, "WINDLASS_GATES", "off"), None, "{name}");
            assert_eq!(value(&found, "HOME", "/evil"), Some("/h".into()), "{name}");
        }
        // A test that an agent runs has what that agent's client gave to it.
        let agents = &["CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=s0", "CLAUDE_CODE_ENTRYPOINT=cli"];
        let above = [own, (8, 7, "cargo", agents), (7, 1, "cc", &["HOME=/h"])];
        assert_eq!(starter(&above), Starter::NotClient);
        let ide = &["CLAUDE_CODE_ENTRYPOINT=ide"];
        assert_eq!(starter(&[own, (8, 1, "pytest", ide)]), Starter::NotClient);
    }

    #[test]
    fn a_path_of_a_repository_is_cut() {
        let cut = |path: &str| outside_path(OsStr::new(path), Some(Path::new("/p")));
        assert_eq!(cut("bin:./bin::.:/usr/bin:/p/bin:/p:/pp/bin:/bin"), "/usr/bin:/pp/bin:/bin");
        assert_eq!(cut("."), "");
        assert_eq!(outside_path(OsStr::new("/p/bin:."), None), "/p/bin");
    }

    #[test]
    fn what_cannot_be_read_is_hidden() {
        assert_eq!(starter(&[OWN]), Starter::Hidden);
        assert_eq!(starter(&[OWN, (8, 7, "sh", INSIDE)]), Starter::Hidden);
        assert_eq!(starter(&[OWN, (8, 8, "sh", INSIDE)]), Starter::Hidden);
    }

    #[test]
    fn the_users_own_settings_file_counts() {
        let config = tempfile::tempdir().unwrap();
        let settings = r#"{"env": {"WINDLASS_GATES": "off", "WINDLASS_HOME": "/mine"}}"#;
        fs::write(config.path().join("settings.json"), settings).unwrap();
        let given = format!("CLAUDE_CONFIG_DIR={}", config.path().display());
        let found = starter(&[OWN, (8, 1, "claude", &[&given])]);
        assert_eq!(value(&found, "WINDLASS_GATES", "off"), Some("off".into()));
        assert_eq!(value(&found, "WINDLASS_HOME", "/evil"), Some("/mine".into()));
        assert_eq!(value(&found, "XDG_DATA_HOME", "/evil"), None);
    }
}
