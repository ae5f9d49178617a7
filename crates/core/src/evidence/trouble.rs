//! Words of a run that could not run: no program, no network, no lock, no time.
//!
//! They count only where nothing says that something was tried and failed.

use super::dependencies;
use super::pairs::Pairs;

/// What says so wherever it stands in a line, in small letters.
#[rustfmt::skip]
const ANYWHERE: &[&str] = &[
    // Names of hosts, and ways to them.
    "temporary failure in name resolution",
    "name or service not known", "nodename nor servname provided", "no such host", "dns error", "getaddrinfo enotfound",
    "eai_again", "unknownhostexception", "unknown host ", "network is unreachable", "network unreachable",
    "no route to host", "econnrefused", "enetunreach", "ehostunreach", "econnreset",
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
    "linker `cc` not found", "no space left on device", 
    "couldn't find the node_modules state", "command not found: ",
    "cannot find main module", "does not contain main module", "validation error: preset", "cannot find module 'jest",
    "no such file or directory (os error 2)",
    "is not recognized as an internal or external command", "is not recognized as the name of a cmdlet",
    "fish: unknown command", "could not be found within path", "canceled due to missing packages",
    "doesn't seem to have been installed", "executable doesn't exist at", "executable file not found in $path",
    "could not locate gemfile", "unable to locate a java runtime", "pyenv: version `",
    // Rights and versions.
    "sudo: a password is required", "sudo: a terminal is required", "requires rustc ", "experimental nix feature",
    "permission denied (publickey", "host key verification failed", "(running go ", "the engine \"node\" is incompatible",
    // Projects, tasks and environments that are not there.
    "no taskfile found", "does not contain recipe", "no justfile found", "there is no pom in this directory",
    "no tox.ini or setup.cfg", "provided environments not found", "no_importer_manifest", "could not find a mix.project",
    "no test configuration file found", "could not find package.swift", "no pubspec.yaml file found",
    "no environment named", "could not find `cargo.toml`", "could not find a pyproject.toml", "no rakefile found",
    "missing script:", "no such service:", "no configuration file provided", "does not contain a gradle build",
    "error: unexpected argument '", "could not read package.json",
    // A sandbox around the command.
    "<sandbox_violations>", "sandbox-exec: ", "bwrap: ", "firejail: ", "blocked by sandbox", "blocked by the sandbox",
    "denied by sandbox", "denied by the sandbox", "sandbox: operation not permitted", "no such command: `",
];

/// What says so at the start of a line, in small letters: npm shows the command before it runs it.
const STARTS: &[&str] =
    &["error: no test specified", "could not open input file: ", "task: no such task"];

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

/// Runners that are libraries of a project. Where one of them is missing nothing was tested.
#[rustfmt::skip]
const RUNNER_MODULES: &[&str] = &[
    "pytest", "nose", "nose2", "tox", "nox", "coverage", "behave", "robot", "stestr", "xdist", "pytest_cov", "mypy", "ruff",
    "flake8", "pylint", "black", "jest", "vitest", "mocha", "ava", "tap", "jasmine", "karma", "playwright", "@playwright",
    "cypress", "uvu", "@web", "react-scripts", "typescript", "ts-node", "tsx", "eslint", "prettier", "webpack", "vite",
    "turbo", "nx", "lerna", "@vitest", "@jest",
];

/// Tells whether a line names a runner as a module that is not there: `Cannot find module 'vitest'`.
fn misses_runner(line: &str) -> bool {
    const MISSING: &[&str] =
        &["no module named '", "cannot find module '", "cannot find package '"];
    let name = MISSING.iter().find_map(|it| line.split_once(it)).map(|it| it.1);
    let Some(name) = name.and_then(|it| it.split('\'').next()) else { return false };
    let name = name.rsplit_once("node_modules/").map_or(name, |it| it.1);
    let name = name.trim_start_matches(".bin/");
    let is_part = |it: &str| it.is_empty() || it.starts_with(['/', '.', '-']);
    RUNNER_MODULES.iter().any(|it| name.strip_prefix(it).is_some_and(is_part))
}

/// Tells whether a line says of a task that there is none: `task: Task "test" does not exist`.
fn misses_task(line: &str) -> bool {
    line.starts_with("task: ") && line.ends_with(" does not exist")
        || line.contains("unknown command \"") && line.contains("\" for \"")
}

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
        || dependencies::is_unresolved(&line, &pairs)
        || shell()
        || module()
        || target()
        || misses_runner(&line)
        || misses_task(&line)
        || script();
    found.then_some(Trouble::NotRun)
}
