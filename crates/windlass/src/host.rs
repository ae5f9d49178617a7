//! The outside world as a value: arguments, environment, clock.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use windlass_core::Timestamp;

use crate::env;

/// What a command may know of the process it runs in.
#[derive(Debug, Clone)]
pub struct Host {
    /// The arguments after the program's name.
    pub args: Vec<OsString>,
    /// When it was started.
    pub now: Timestamp,
    variable: fn(&str) -> Option<OsString>,
    /// What stands in the place of the process's environment.
    instead: Option<Vec<(&'static str, OsString)>>,
}

impl Host {
    /// The process as it was started.
    pub fn from_process() -> Self {
        #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
        let variable = |name: &str| std::env::var_os(name);
        Self { args: std::env::args_os().skip(1).collect(), now: now(), variable, instead: None }
    }

    /// The same process at this moment, for one that lives long.
    pub(crate) fn at_present(&self) -> Self {
        Self { now: now(), ..self.clone() }
    }

    /// The same process as if this were all of its environment.
    pub(crate) fn with_environment(&self, variables: Vec<(&'static str, OsString)>) -> Self {
        Self { instead: Some(variables), ..self.clone() }
    }

    /// A variable of the environment, absent where it is empty.
    pub(crate) fn variable(&self, name: &str) -> Option<OsString> {
        let found = match &self.instead {
            Some(variables) => variables.iter().find(|it| it.0 == name).map(|it| it.1.clone()),
            None => (self.variable)(name),
        };
        found.filter(|it| !it.is_empty())
    }

    /// The names of all variables.
    pub(crate) fn variable_names(&self) -> Vec<OsString> {
        match &self.instead {
            Some(variables) => variables.iter().map(|it| it.0.into()).collect(),
            None => std::env::vars_os().map(|it| it.0).collect(),
        }
    }

    /// The user's home directory.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        self.directory(env::HOME)
    }

    /// Where windlass keeps its data.
    pub(crate) fn data_dir(&self) -> Option<PathBuf> {
        self.directory(env::WINDLASS_HOME)
            .or_else(|| Some(self.directory(env::XDG_DATA_HOME)?.join("windlass")))
            .or_else(|| Some(self.home()?.join(".local/share/windlass")))
    }

    /// Where the user keeps settings for windlass.
    pub(crate) fn config_dir(&self) -> Option<PathBuf> {
        let directory = self.directory(env::XDG_CONFIG_HOME);
        directory.or_else(|| Some(self.home()?.join(".config"))).map(|it| it.join("windlass"))
    }

    /// A directory that a variable names. A relative one is not taken: it would make our files land
    /// wherever the agent happens to work.
    pub(crate) fn directory(&self, name: &str) -> Option<PathBuf> {
        self.variable(name).map(PathBuf::from).filter(|it| it.is_absolute())
    }

    /// The directories in which programs are looked for.
    pub(crate) fn search_path(&self) -> Vec<PathBuf> {
        let path = self.variable(env::PATH).unwrap_or_default();
        std::env::split_paths(AsRef::<OsStr>::as_ref(&path)).filter(|it| it.is_absolute()).collect()
    }

    /// Where the user stands.
    #[expect(clippy::unused_self, reason = "the outside world is asked through the host")]
    pub(crate) fn current_dir(&self) -> io::Result<PathBuf> {
        std::env::current_dir()
    }

    /// Where files go that nobody needs for long.
    pub(crate) fn temporary_dir(&self) -> PathBuf {
        self.directory(env::TMPDIR).unwrap_or_else(|| PathBuf::from("/tmp"))
    }

    /// The program that is running.
    #[expect(clippy::unused_self, reason = "the outside world is asked through the host")]
    pub(crate) fn program(&self) -> io::Result<PathBuf> {
        std::env::current_exe()
    }
}

fn now() -> Timestamp {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(now.as_millis()).unwrap_or(i64::MAX))
}
