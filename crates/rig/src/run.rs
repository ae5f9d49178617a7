//! One run of the client: prepared step by step, then started with or without a terminal.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::environment;
use crate::error::{RunError, at};
use crate::missing;
use crate::outcome::Outcome;
use crate::sandbox::{KEY, Sandbox};
use crate::script::Script;
use crate::spec::{self, Spec};
use crate::terminal::{self, Step};

/// Time for the namespaces to come and go, on top of the limit of the run.
const GRACE: Duration = Duration::from_secs(10);

/// What keeps the client from looking for its maker, and from refusing to work as root.
const SWITCHES: [&str; 8] = [
    "DISABLE_TELEMETRY",
    "DISABLE_AUTOUPDATER",
    "DISABLE_ERROR_REPORTING",
    "DISABLE_BUG_COMMAND",
    "DISABLE_GROWTHBOOK",
    "DISABLE_INSTALLATION_CHECKS",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "IS_SANDBOX",
];

/// A run that is being prepared; see [`Sandbox::run`].
#[derive(Debug)]
#[must_use]
pub struct Run<'a> {
    sandbox: &'a Sandbox,
    client: &'a Client,
    script: Script,
    prompt: String,
    arguments: Vec<String>,
    environment: BTreeMap<String, String>,
    permission_mode: String,
    limit: Duration,
    linger: Duration,
}

impl<'a> Run<'a> {
    pub(crate) fn new(sandbox: &'a Sandbox, client: &'a Client, script: Script) -> Self {
        Self {
            sandbox,
            client,
            script,
            prompt: "go".to_owned(),
            arguments: Vec::new(),
            environment: sandbox.environment().clone(),
            permission_mode: "bypassPermissions".to_owned(),
            limit: Duration::from_mins(2),
            linger: Duration::ZERO,
        }
    }

    /// What the user says in a run without a terminal; a slash command is possible.
    pub fn prompt(mut self, text: &str) -> Self {
        text.clone_into(&mut self.prompt);
        self
    }

    /// Adds arguments for the client, such as `-c`.
    pub fn args<S: Into<String>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Sets a variable of the client, and so of its hooks.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    /// The permission mode; everything is allowed when it is not given.
    pub fn permission_mode(mut self, mode: &str) -> Self {
        mode.clone_into(&mut self.permission_mode);
        self
    }

    /// How long the run may take.
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// How long processes that the client leaves behind may go on; they end at once otherwise.
    pub fn linger(mut self, linger: Duration) -> Self {
        self.linger = linger;
        self
    }

    /// Runs the client without a terminal, with its prompt, until it ends.
    pub fn print(self) -> Result<Outcome, RunError> {
        let mut arguments = vec!["-p".to_owned(), self.prompt.clone()];
        let format = ["--output-format", "stream-json", "--verbose", "--include-hook-events"];
        arguments.extend(format.map(str::to_owned));
        let (spec, inside) = self.start(arguments, None)?;
        self.finish(&spec, inside, BTreeMap::new())
    }

    /// Runs the client in a terminal, takes `steps` there, and waits until the client ends.
    pub fn tui(self, steps: impl IntoIterator<Item = Step>) -> Result<Outcome, RunError> {
        missing::tool("tmux")?;
        // A socket's path may have about a hundred characters, a sandbox's alone can have more.
        let short =
            tempfile::Builder::new().prefix("rig-").tempdir_in("/tmp").map_err(at("/tmp"))?;
        let socket = short.path().join("s");
        let (spec, inside) = self.start(Vec::new(), Some(socket.clone()))?;
        let screens = terminal::drive(steps, &socket, self.sandbox, &spec)?;
        self.finish(&spec, inside, screens)
    }

    fn start(
        &self,
        mut arguments: Vec<String>,
        terminal: Option<PathBuf>,
    ) -> Result<(Spec, Inside), RunError> {
        arguments.extend(["--permission-mode".to_owned(), self.permission_mode.clone()]);
        arguments.extend(self.arguments.iter().cloned());
        let spec = Spec {
            client: self.client.executable().to_owned(),
            arguments,
            environment: self.whole_environment(terminal.is_some()),
            project: self.sandbox.project(),
            dir: self.sandbox.run_dir()?,
            script: self.script.clone(),
            terminal,
            limit_ms: milliseconds(self.limit),
            linger_ms: milliseconds(self.linger),
        };
        spec::write(&spec.file(), &spec)?;
        let log = spec.dir.join("inside.stderr");
        let stderr = File::create(&log).map_err(at(&log))?;
        let mut command = missing::unshare()?;
        command.arg(self.sandbox.program()).arg("inside").arg(spec.file()).stderr(stderr);
        let child = command.spawn().map_err(at(command.get_program()))?;
        Ok((spec, Inside { child }))
    }

    fn finish(
        &self,
        spec: &Spec,
        mut inside: Inside,
        screens: BTreeMap<String, String>,
    ) -> Result<Outcome, RunError> {
        let started = Instant::now();
        let over = self.limit + self.linger + GRACE;
        while inside.child.try_wait().map_err(at("unshare"))?.is_none() && started.elapsed() < over
        {
            thread::sleep(Duration::from_millis(5));
        }
        drop(inside);
        if !spec.exit().exists() {
            let stderr = fs::read_to_string(spec.dir.join("inside.stderr")).unwrap_or_default();
            if stderr.is_empty() {
                return Err(RunError::Limit { limit: self.limit, dir: spec.dir.clone() });
            }
            return Err(RunError::Inside { stderr });
        }
        Outcome::read(spec, self.sandbox, screens)
    }

    /// All variables of the client; nothing is inherited.
    fn whole_environment(&self, in_terminal: bool) -> BTreeMap<String, String> {
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        let terminal = if in_terminal { "screen-256color" } else { "dumb" };
        let mut whole: BTreeMap<_, _> = [
            ("PATH", environment::SEARCH_PATH.to_owned()),
            ("HOME", text(self.sandbox.home())),
            ("CLAUDE_CONFIG_DIR", text(self.sandbox.config())),
            ("TMPDIR", text(self.sandbox.tmp())),
            ("TERM", terminal.to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("SHELL", "/bin/bash".to_owned()),
            ("USER", "tester".to_owned()),
            ("ANTHROPIC_API_KEY", KEY.to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        whole.extend(SWITCHES.map(|it| (it.to_owned(), "1".to_owned())));
        whole.extend(self.environment.clone());
        whole
    }
}

/// The namespaces; they and all that runs in them end with this value.
struct Inside {
    child: Child,
}

impl Drop for Inside {
    fn drop(&mut self) {
        // Both fail only when it has ended already.
        if self.child.kill().is_ok() {
            drop(self.child.wait());
        }
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
