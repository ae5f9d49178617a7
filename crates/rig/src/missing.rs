//! What the rig needs from outside, and how to get it.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::environment;

/// A part that is not there. A suite may be skipped with it as the reason.
#[derive(Debug, thiserror::Error)]
pub enum Missing {
    /// The client is not in the cache.
    #[error(
        "client {version} is not in {}: run `cargo run -p windlass-rig -- fetch {version}`",
        path.display()
    )]
    Client {
        /// Its version.
        version: String,
        /// Where it should be.
        path: PathBuf,
    },
    /// The client could not be fetched.
    #[error("fetch client {version}: {why}")]
    Fetch {
        /// Its version.
        version: String,
        /// What went wrong.
        why: String,
    },
    /// A program is not installed.
    #[error("`{name}` is not installed: on Debian it is in the package `{package}`")]
    Tool {
        /// The program.
        name: &'static str,
        /// The package that brings it.
        package: &'static str,
    },
    /// The system does not let this user make namespaces.
    #[error("namespaces are not allowed here, be root or allow unprivileged ones: {why}")]
    Namespaces {
        /// What `unshare` said.
        why: String,
    },
    /// There is no cache directory to look into.
    #[error("neither XDG_CACHE_HOME nor HOME is set, so there is no place for a client")]
    Cache,
    /// There is no client for this kind of machine.
    #[error("no client is known for {os} on {architecture}")]
    Platform {
        /// Operating system.
        os: &'static str,
        /// Processor.
        architecture: &'static str,
    },
}

/// The value, or `None` after the reason has been said on the error stream.
///
/// # Panics
///
/// With `WINDLASS_RIG_REQUIRED` set, when a part is missing: a suite that is always skipped proves
/// nothing.
#[expect(clippy::print_stderr, reason = "the harness has no other way to report a skipped test")]
#[expect(clippy::panic, reason = "a test ends that way")]
pub fn or_skip<T>(found: Result<T, Missing>) -> Option<T> {
    match found {
        Ok(value) => Some(value),
        Err(missing) if environment::is_set(environment::REQUIRED) => panic!("{missing}"),
        Err(missing) => {
            eprintln!("skipped: {missing}");
            None
        }
    }
}

/// Where `name` is installed.
pub(crate) fn tool(name: &'static str) -> Result<PathBuf, Missing> {
    let found = environment::path().into_iter().map(|it| it.join(name)).find(|it| it.is_file());
    found.ok_or(Missing::Tool { name, package: package(name) })
}

/// The command that starts a program in namespaces of its own, without an environment.
pub(crate) fn unshare() -> Result<Command, Missing> {
    let mut command = Command::new(tool("unshare")?);
    // With the first process of the PID namespace everything in it ends; `--kill-child` makes that
    // process end with `unshare`.
    command.args(["-n", "-p", "-f", "--kill-child", "--mount-proc"]);
    if !rustix::process::geteuid().is_root() {
        command.arg("-r");
    }
    command.arg("--").env_clear().env("PATH", environment::SEARCH_PATH).stdin(Stdio::null());
    Ok(command)
}

/// Makes sure that a run is possible at all.
pub(crate) fn check() -> Result<(), Missing> {
    tool("ip")?;
    let refused = |why: String| Missing::Namespaces { why };
    let probe = unshare()?.arg("true").output().map_err(|it| refused(it.to_string()))?;
    if probe.status.success() {
        return Ok(());
    }
    Err(refused(String::from_utf8_lossy(&probe.stderr).trim().to_owned()))
}

fn package(name: &str) -> &'static str {
    match name {
        "ip" => "iproute2",
        "npm" => "npm",
        "tar" => "tar",
        "tmux" => "tmux",
        _ => "util-linux",
    }
}
