//! A private place for the programs under test: a project, the client's files, a home per session.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::measure::Call;
use super::payload::{self, Caller, Event, PROMPT, Scene, Size, ToolCall};
use super::transcript;
use crate::error::Error;
use crate::host;

/// A directory that goes when the run ends.
pub(crate) struct World {
    directory: TempDir,
}

/// One session of the client, with a home of its own, so that no case pays for another.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) transcript: PathBuf,
    /// The prompt that its events belong to.
    pub(crate) prompt: String,
    /// The directory that windlass keeps its data in.
    pub(crate) data: PathBuf,
    pub(super) project: PathBuf,
    variables: Vec<(&'static str, std::ffi::OsString)>,
}

impl World {
    /// A project and the client's directory, on the disk that holds the build: a directory for
    /// temporary files may be memory.
    pub(crate) fn new() -> Result<Self, Error> {
        let target = host::root().join("target");
        fs::create_dir_all(&target).map_err(Error::file("create", &target))?;
        let directory = tempfile::Builder::new().prefix("world-").tempdir_in(&target);
        let world = Self { directory: directory.map_err(Error::file("create in", &target))? };
        for place in ["project/.git/objects", "project/.git/refs/heads", "home", "client"] {
            let path = world.path().join(place);
            fs::create_dir_all(&path).map_err(Error::file("create", &path))?;
        }
        let head = world.path().join("project/.git/HEAD");
        fs::write(&head, "ref: refs/heads/main\n").map_err(Error::file("write", &head))?;
        Ok(world)
    }

    /// The directory.
    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Makes sure that no hook has failed: one that gives up early is fast, and worth nothing.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let homes = self.path().join("windlass");
        let Ok(entries) = fs::read_dir(&homes) else { return Ok(()) };
        for entry in entries {
            let log = entry.map_err(Error::file("list", &homes))?.path().join("failures.log");
            if let Ok(said) = fs::read_to_string(&log) {
                return Err(Error::Unexpected { program: "windlass hook".to_owned(), said });
            }
        }
        Ok(())
    }

    /// Settings of the user and of a project that would like to have something run.
    pub(crate) fn write_settings(&self) -> Result<(), Error> {
        self.write_user_settings("ledger.days = 30\n")?;
        let theirs = self.path().join("project/.windlass.toml");
        write_plain(&theirs, "ledger.days = 7\nstatusline.command = [\"sh\", \"line.sh\"]\n")
    }

    /// Settings of the user.
    pub(crate) fn write_user_settings(&self, text: &str) -> Result<(), Error> {
        let own = self.path().join("home/.config/windlass");
        fs::create_dir_all(&own).map_err(Error::file("create", &own))?;
        write_plain(&own.join("config.toml"), text)
    }

    /// A session with a transcript of 50 KB.
    pub(crate) fn session(&self, name: &str) -> Result<Session, Error> {
        self.session_with(name, 50 << 10)
    }

    /// A session with a transcript of this many bytes.
    pub(crate) fn session_with(&self, name: &str, bytes: u64) -> Result<Session, Error> {
        self.session_in(name, name, bytes)
    }

    /// A session in a home that it may share with others.
    pub(crate) fn session_in(&self, home: &str, name: &str, bytes: u64) -> Result<Session, Error> {
        let home = home.to_lowercase().replace([' ', ',', '.'], "-");
        let projects = self.path().join("client/projects/-project");
        let data = self.path().join("windlass").join(&home);
        for path in [&projects, &data] {
            fs::create_dir_all(path).map_err(Error::file("create", path))?;
        }
        let id = session_id(name);
        let transcript = projects.join(format!("{id}.jsonl"));
        let file = File::create(&transcript).map_err(Error::file("create", &transcript))?;
        transcript::write(&file, &id, bytes).map_err(Error::file("write", &transcript))?;
        let project = self.path().join("project");
        let variables = vec![
            ("HOME", self.path().join("home").into()),
            ("PATH", host::variable("PATH").unwrap_or_default()),
            // `CLAUDECODE` is left out: no client stands above us that was started with these, and
            // windlass would look for it at every event.
            ("CLAUDE_CONFIG_DIR", self.path().join("client").into()),
            ("CLAUDE_PROJECT_DIR", project.clone().into()),
            ("CLAUDE_CODE_SESSION_ID", id.clone().into()),
            ("WINDLASS_HOME", data.clone().into()),
        ];
        let prompt = PROMPT.to_owned();
        Ok(Session { id, transcript, prompt, data, project, variables })
    }
}

impl Session {
    /// The name of its home.
    pub(crate) fn home(&self) -> String {
        self.data.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The payload of one event.
    pub(crate) fn payload(&self, event: Event, size: Size) -> Arc<[u8]> {
        self.payload_of(event, size.bytes())
    }

    /// The payload of one event, filled up to this many bytes.
    pub(crate) fn payload_of(&self, event: Event, bytes: usize) -> Arc<[u8]> {
        self.with_scene(|scene| payload::payload(event, bytes, scene))
    }

    /// The tool calls of one message.
    pub(crate) fn batch(&self, caller: Caller, calls: &[ToolCall]) -> Arc<[u8]> {
        self.with_scene(|scene| payload::batch(caller, calls, scene))
    }

    /// A prompt with these words.
    pub(crate) fn prompt_of(&self, words: &str) -> Arc<[u8]> {
        self.with_scene(|scene| payload::prompt(words, scene))
    }

    /// A file is about to be edited.
    pub(crate) fn edit(&self) -> Arc<[u8]> {
        self.with_scene(payload::edit)
    }

    /// The session begins anew: what it was shown may be shown again.
    pub(crate) fn cleared(&self) -> Arc<[u8]> {
        self.with_scene(payload::cleared)
    }

    fn with_scene(&self, write: impl FnOnce(Scene<'_>) -> Arc<[u8]>) -> Arc<[u8]> {
        let transcript = self.transcript.to_string_lossy();
        let directory = self.project.to_string_lossy();
        write(Scene {
            session: &self.id,
            transcript: &transcript,
            directory: &directory,
            prompt: &self.prompt,
        })
    }

    /// windlass as the client calls it.
    pub(crate) fn hook(&self, binary: &Path) -> Call {
        self.call(binary, &["hook"])
    }

    /// Runs a command of windlass and returns what it said.
    pub(crate) fn run(&self, binary: &Path, args: &[&str]) -> Result<String, Error> {
        self.call(binary, args).output(&Arc::default())
    }

    /// Any program in this session's surroundings.
    pub(crate) fn call(&self, program: &Path, args: &[&str]) -> Call {
        Call {
            program: program.to_path_buf(),
            args: args.iter().map(Into::into).collect(),
            variables: self.variables.clone(),
            directory: self.project.clone(),
        }
    }
}

fn write_plain(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(Error::file("write", path))?;
    let mode = fs::Permissions::from_mode(0o644);
    fs::set_permissions(path, mode).map_err(Error::file("change the mode of", path))
}

// The name's bytes in the place of a random number, so that a run can be repeated.
fn session_id(name: &str) -> String {
    let number = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{:08x}-{:04x}-4000-8000-{:012x}", number >> 32, number & 0xffff, number >> 16)
}
