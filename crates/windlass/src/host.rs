//! The outside world as a value: arguments, environment, clock.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use windlass_core::Timestamp;

use crate::agent::started::{Starter, outside_path};
use crate::{env, os};

/// Where `init` puts the program, below the home directory.
const INSTALLED: &[u8] = b"/.local/bin/windlass";

/// What a command may know of the process it runs in.
#[derive(Debug, Clone)]
pub struct Host {
    /// The arguments after the program's name.
    pub args: Vec<OsString>,
    /// When it was started.
    pub now: Timestamp,
    /// The path by which the program was called.
    called_as: Option<OsString>,
    variable: fn(&str) -> Option<OsString>,
    /// The process that gave us our environment, found where a variable is in doubt.
    starter: OnceLock<Starter>,
    /// What stands in the place of the process's environment.
    instead: Option<Vec<(&'static str, OsString)>>,
}

impl Host {
    /// The process as it was started.
    pub fn from_process() -> Self {
        #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
        let variable = |name: &str| std::env::var_os(name);
        let mut args = std::env::args_os();
        let called_as = args.next();
        let (args, starter) = (args.collect(), OnceLock::new());
        Self { args, now: now(), called_as, variable, starter, instead: None }
    }

    /// The same process at this moment, for one that lives long.
    pub(crate) fn at_present(&self) -> Self {
        Self { now: now(), ..self.clone() }
    }

    /// The same process as if this were all of its environment.
    pub(crate) fn with_environment(&self, variables: Vec<(&'static str, OsString)>) -> Self {
        Self { instead: Some(variables), ..self.clone() }
    }

    /// A variable of the environment, absent where it is empty. What switches something off or
    /// moves our files has the value that the user gave to it.
    pub(crate) fn variable(&self, name: &str) -> Option<OsString> {
        let found = match &self.instead {
            Some(variables) => variables.iter().find(|it| it.0 == name).map(|it| it.1.clone()),
            None => (self.variable)(name).and_then(|it| self.trusted(name, it)),
        };
        found.filter(|it| !it.is_empty())
    }

    /// The value that counts for a variable that is set to `own`.
    fn trusted(&self, name: &str, own: OsString) -> Option<OsString> {
        if !self.is_in_doubt(name, &own) {
            return Some(own);
        }
        let is_indispensable = env::INDISPENSABLE.contains(&name);
        match self.starter.get_or_init(|| Starter::find(self)) {
            Starter::NotClient => Some(own),
            Starter::Client(started) => {
                started.trusted_value(name, &own).or_else(|| is_indispensable.then_some(own))
            }
            Starter::Hidden => hidden_value(name, own),
        }
    }

    /// Whether a variable is set, to whatever value.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        (self.variable)(name).is_some()
    }

    /// Whether a repository may have set a variable. The program was installed by the user: where
    /// it was called from below a home directory, that one is the user's.
    fn is_in_doubt(&self, name: &str, own: &OsStr) -> bool {
        let is_own_home = || {
            let called_as = self.called_as.as_ref().map(|it| it.as_bytes());
            called_as.and_then(|it| it.strip_suffix(INSTALLED)) == Some(own.as_bytes())
        };
        env::is_guarded(name)
            && !(name == env::HOME && is_own_home())
            && (self.variable)(env::CLAUDECODE).is_some()
    }

    /// The variables that do not count because the user did not give them, with the reason.
    pub(crate) fn ignored_variables(&self) -> Vec<IgnoredVariable> {
        let ignored = |name: &&'static str| {
            let own = (self.variable)(name)?;
            let trusted = self.trusted(name, own.clone());
            let is_hidden = self.starter.get() == Some(&Starter::Hidden);
            (trusted.as_ref() != Some(&own)).then_some(IgnoredVariable { name, is_hidden })
        };
        match self.instead {
            Some(_) => Vec::new(),
            // Others than a project change the search path too, and it switches nothing off.
            None => {
                env::GUARDED.iter().filter(|it| **it != env::PATH).filter_map(ignored).collect()
            }
        }
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

    /// Where a second mark of the data is kept, which outlives their directory. Data that were put
    /// into a place of their own leave nothing elsewhere.
    pub(crate) fn state_dir(&self) -> Option<PathBuf> {
        if self.directory(env::WINDLASS_HOME).is_some() {
            return None;
        }
        Some(self.home()?.join(".local/state/windlass"))
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

/// A variable that does not count, because the user did not give it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IgnoredVariable {
    pub(crate) name: &'static str,
    /// Whether the system hides what the client was started with.
    is_hidden: bool,
}

impl IgnoredVariable {
    /// What is ignored and why, in a sentence.
    pub(crate) fn sentence(self) -> String {
        let name = self.name;
        if self.is_hidden {
            return format!(
                "{name} is ignored: the system does not show whether it comes from the shell that \
                 started the client."
            );
        }
        format!(
            "{name} is ignored: it comes from settings of a project, and not from the shell that \
             started the client or from your own settings."
        )
    }
}

/// The value of a variable where the system does not tell what the user gave: an account that the
/// system does not list has no other home than its variable.
fn hidden_value(name: &str, own: OsString) -> Option<OsString> {
    match name {
        env::HOME => Some(os::account_home().unwrap_or(own)),
        env::PATH => Some(outside_path(&own, std::env::current_dir().ok().as_deref())),
        _ => None,
    }
}

fn now() -> Timestamp {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(now.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod account_tests {
    use std::ffi::OsString;
    use std::path::Path;

    use super::{env, hidden_value, os};

    /// What the system lists for the account that runs the tests.
    fn listed_home() -> Option<String> {
        let id = rustix::process::getuid().as_raw().to_string();
        let list = std::fs::read_to_string("/etc/passwd").ok()?;
        let rows = list.lines().map(|it| it.split(':').collect::<Vec<_>>());
        let mut own = rows.filter(|it| it.get(2) == Some(&id.as_str()));
        own.next().and_then(|it| it.get(5).map(|it| (*it).to_owned()))
    }

    /// A variable that a project may have set moves no home.
    #[test]
    fn the_home_is_that_of_the_account_where_its_variable_may_be_another_ones() {
        let Some(home) = listed_home() else { return };
        assert_eq!(os::account_home().as_deref(), Some(home.as_ref()));
        for other in ["/nonexistent/home", "", "relative"] {
            let value = hidden_value(env::HOME, OsString::from(other));
            assert_eq!(value.as_deref().map(Path::new), Some(Path::new(&home)), "{other}");
        }
    }
}
