//! The world of the client: a home, settings and one project, all private and thrown away.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Client, VERSIONS};
use crate::environment;
use crate::error::{RunError, at};
use crate::hook::{self, Hook};
use crate::program;
use crate::recording::{self, Recorded};
use crate::run::Run;
use crate::script::Script;

/// A key that no server would accept; the client wants to have one.
pub(crate) const KEY: &str = "sk-ant-scripted-0000-0000-0000";

/// One private world. Runs in the same sandbox see each other's sessions.
#[derive(Debug)]
pub struct Sandbox {
    root: PathBuf,
    program: PathBuf,
    environment: BTreeMap<String, String>,
    runs: Cell<usize>,
    // Removes the directory when it is dropped.
    _dir: TempDir,
}

impl Sandbox {
    /// An empty project, and a client that has nothing left to ask at its first start.
    pub fn new() -> Result<Self, RunError> {
        let program = program::locate()?;
        let dir = tempfile::Builder::new()
            .prefix("rig-")
            .disable_cleanup(environment::is_set(environment::KEEP))
            .tempdir()
            .map_err(at(std::env::temp_dir()))?;
        // The client resolves links before it looks up whether the project is trusted.
        let root = dir.path().canonicalize().map_err(at(dir.path()))?;
        let sandbox =
            Self { root, program, environment: BTreeMap::new(), runs: Cell::new(0), _dir: dir };
        for part in [sandbox.project(), sandbox.config(), sandbox.home(), sandbox.tmp()] {
            fs::create_dir_all(&part).map_err(at(&part))?;
        }
        write(&sandbox.config().join(".claude.json"), &sandbox.accepted_dialogs().to_string())?;
        Ok(sandbox)
    }

    /// Directory of everything.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Directory in which the client works.
    pub fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    /// Directory of the client's settings and sessions.
    pub fn config(&self) -> PathBuf {
        self.root.join("config")
    }

    /// Home of the user.
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    pub(crate) fn tmp(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// Sets a variable for each run.
    pub fn set_env(&mut self, name: &str, value: &str) {
        self.environment.insert(name.to_owned(), value.to_owned());
    }

    /// Writes a file of the project and returns its path.
    pub fn file(&self, path: &str, content: &str) -> Result<PathBuf, RunError> {
        let path = self.project().join(path);
        write(&path, content)?;
        Ok(path)
    }

    /// Registers all `hooks` on each of the `events`, in the settings of the project.
    pub fn register(&self, events: &[&str], hooks: &[Hook]) -> Result<(), RunError> {
        self.project_settings(&hook::settings(events, hooks))
    }

    /// Replaces the settings of the project.
    pub fn project_settings(&self, settings: &Value) -> Result<(), RunError> {
        write(&self.project().join(".claude/settings.json"), &settings.to_string())
    }

    /// Replaces the settings of the user.
    pub fn user_settings(&self, settings: &Value) -> Result<(), RunError> {
        write(&self.config().join("settings.json"), &settings.to_string())
    }

    /// A hook that writes each call down for [`Sandbox::recorded`] and says nothing.
    pub fn recorder(&self) -> Hook {
        Hook::new(&self.program, ["record", &*self.recording().to_string_lossy()])
    }

    /// The calls of the recorder in all runs so far, in order.
    pub fn recorded(&self) -> Result<Vec<Recorded>, RunError> {
        recording::read(&self.recording())
    }

    /// Arguments that give the client a server `scripted` with the tools `echo` and `fail`.
    pub fn mcp_arguments(&self) -> [String; 2] {
        let server = json!({"command": self.program, "args": ["mcp"]});
        let config = json!({"mcpServers": {"scripted": server}});
        ["--mcp-config".to_owned(), config.to_string()]
    }

    /// Prepares a run of `client` in which the model says `script`.
    pub fn run<'a>(&'a self, client: &'a Client, script: Script) -> Run<'a> {
        Run::new(self, client, script)
    }

    pub(crate) fn environment(&self) -> &BTreeMap<String, String> {
        &self.environment
    }

    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// Makes the directory of one more run.
    pub(crate) fn run_dir(&self) -> Result<PathBuf, RunError> {
        self.runs.set(self.runs.get() + 1);
        let dir = self.root.join("runs").join(self.runs.get().to_string());
        fs::create_dir_all(&dir).map_err(at(&dir))?;
        Ok(dir)
    }

    fn recording(&self) -> PathBuf {
        self.root.join("recording.jsonl")
    }

    /// The state of a client whose user has been through all dialogs of a first start.
    fn accepted_dialogs(&self) -> Value {
        let project = json!({
            "hasTrustDialogAccepted": true,
            "hasCompletedProjectOnboarding": true,
            "projectOnboardingSeenCount": 4,
            "allowedTools": [],
        });
        json!({
            "hasCompletedOnboarding": true,
            "lastOnboardingVersion": VERSIONS[0],
            "theme": "dark",
            "numStartups": 5,
            "autoUpdates": false,
            "bypassPermissionsModeAccepted": true,
            // The client remembers a key by its last twenty characters.
            "customApiKeyResponses": {"approved": [&KEY[KEY.len() - 20..]], "rejected": []},
            "projects": {self.project().to_string_lossy(): project},
        })
    }
}

fn write(path: &Path, content: &str) -> Result<(), RunError> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(at(parent))?;
    }
    fs::write(path, content).map_err(at(path))
}
