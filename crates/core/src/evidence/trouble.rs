//! Words of a run that could not run: no program, no network, no lock, no time.
//!
//! They count only where nothing says that something was tried and failed.

use super::pairs::Pairs;

/// What says so wherever it stands in a line, in small letters.
#[rustfmt::skip]
const ANYWHERE: &[&str] = &[
    // Names of hosts, and ways to them.
    "could not resolve host", "couldn't resolve host", "temporary failure in name resolution",
    "name or service not known", "nodename nor servname provided", "no such host", "dns error", "getaddrinfo enotfound",
    "eai_again", "unknownhostexception", "unknown host ", "network is unreachable", "network unreachable",
    "no route to host", "econnrefused", "enetunreach", "ehostunreach", "code enotfound", "code etimedout", "econnreset",
    // What is fetched before a run.
    "spurious network error", "failed to download", "failed to fetch", "unable to download", "could not download",
    "--offline was specified", "err_pnpm_no_offline", "could not transfer artifact", "could not get 'http",
    "could not head 'http", "unable to load the service index", "unable to access 'http", "npm error network",
    "npm err! network", "connection to the registry", "registry is unreachable", "net.offline",
    // Daemons and locks.
    "cannot connect to the docker daemon", "is the docker daemon running", "error during connect:",
    "trying to connect to the docker daemon", "cannot connect to podman",
    "unable to acquire lock", "could not acquire lock", "timeout waiting to lock", "acquiring the state lock",
    "could not get lock", "another instance of ", "is being used by another process",
    // Programs and scripts that are not there.
    "couldn't find a script named", "script not found \"", "task not found:",
    "could not determine executable to run", "failed to spawn: `", "don't know how to build task",
    "] error 127", "npm error signal sig", "npm err! signal sig",
    // Containers and clusters.
    "error response from daemon", "no such container", "\" is not running", "error from server (", "unable to find image",
    // Toolchains and dependencies that are not there.
    "java_home is not set", "toolchain '", "is not installed", "component 'miri'", "you must install or update .net",
    "linker `cc` not found", "no space left on device", "in locally installed gems", "can't continue due to errors on dep",
    "couldn't find the node_modules state", "command not found: ", "as a dependency of package", "failed to get `",
    "cannot find main module", "does not contain main module", "validation error: preset", "cannot find module 'jest",
    "no such file or directory (os error 2)",
    // A sandbox around the command.
    "<sandbox_violations>", "sandbox-exec: ", "bwrap: ", "firejail: ", "blocked by sandbox", "blocked by the sandbox",
    "denied by sandbox", "denied by the sandbox", "sandbox: operation not permitted", "no such command: `",
];

/// What says so at the start of a line, in small letters: npm shows the command before it runs it.
const STARTS: &[&str] = &["error: no test specified"];

/// What says so only as a whole line, in small letters.
const WHOLE: &[&str] = &["requirestack: []", "terminated", "killed"];

/// Shells, as they begin what they say.
const SHELLS: &[&str] = &[
    "bash: ",
    "sh: ",
    "/bin/sh: ",
    "/bin/bash: ",
    "zsh: ",
    "dash: ",
    "env: ",
    "/usr/bin/env: ",
    "timeout: ",
    "make: ",
];

/// How they end it.
const ENDS: &[&str] = &[
    "not found",
    "no such file or directory",
    "permission denied",
    "cannot execute",
    "operation not permitted",
    "read-only file system",
];

/// What stopped a run before its end, whatever it said until then.
#[rustfmt::skip]
const STOPPED: &[&str] = &[
    "command timed out after ", "request interrupted by user", "command was aborted",
    "the user interrupted", "!!! keyboardinterrupt !!!",
];

/// What a line says of a run that could not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// It did not begin.
    NotRun,
    /// It did not come to its end.
    Stopped,
}

/// Reads a line.
pub(super) fn read(line: &str) -> Option<Trouble> {
    let line = line.to_ascii_lowercase();
    let pairs = Pairs::of(&line);
    let holds = |it: &&str| pairs.may_hold(it) && line.contains(*it);
    if STOPPED.iter().any(&holds) {
        return Some(Trouble::Stopped);
    }
    let shell = || {
        let says = SHELLS.iter().any(|it| line.starts_with(it));
        let denied =
            line.contains(": permission denied: ") || line.contains(": command not found: ");
        says && !line.starts_with("make: ***")
            && (denied || ENDS.iter().any(|it| line.ends_with(it)))
    };
    // `python3: No module named pytest`, and not the error of a module that a test imports.
    let module =
        || line.contains("python") && line.contains(": no module named ") && !line.contains('\'');
    // What another target needs is part of a build, and a build that fails.
    let target = || line.contains("no rule to make target") && !line.contains("needed by");
    let script = || {
        line.contains(": can't open file '") || line.ends_with("no such file or directory.  stop.")
    };
    let found = WHOLE.contains(&line.as_str())
        || STARTS.iter().any(|it| line.starts_with(it))
        || ANYWHERE.iter().any(holds)
        || shell()
        || module()
        || target()
        || script();
    found.then_some(Trouble::NotRun)
}
