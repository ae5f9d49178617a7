//! What the tests need beside a Rust toolchain, and how it comes here.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::Error;
use crate::{host, print};

/// The clients that windlass is tested with: the newest, and the oldest with the same hooks.
pub(crate) const CLIENTS: [&str; 2] = ["2.1.325", "2.1.197"];

/// A program and the Debian package that brings it.
struct Tool {
    program: &'static str,
    package: &'static str,
}

const TOOLS: &[Tool] = &[
    Tool { program: "git", package: "git" },
    Tool { program: "ip", package: "iproute2" },
    Tool { program: "npm", package: "npm" },
    Tool { program: "tar", package: "tar" },
    Tool { program: "tmux", package: "tmux" },
    Tool { program: "unshare", package: "util-linux" },
];

/// Makes sure that every tool of the table is there; the error is a reason to skip.
pub(crate) fn tools() -> Result<(), String> {
    let missing: Vec<&Tool> =
        TOOLS.iter().filter(|tool| host::find(tool.program).is_none()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages: Vec<&str> = missing.iter().map(|tool| tool.package).collect();
    print::line(format!("Installing {}.", packages.join(", ")));
    let attempt = apt_get(&["update"]).and_then(|()| {
        apt_get(&[&["install", "--yes", "--no-install-recommends"], &*packages].concat())
    });
    let still: Vec<&str> = missing.iter().map(|tool| tool.program).collect();
    let still: Vec<&str> = still.into_iter().filter(|it| host::find(it).is_none()).collect();
    match attempt {
        _ if still.is_empty() => Ok(()),
        Ok(()) => Err(format!("{} not found even though apt-get succeeded", still.join(", "))),
        Err(error) => Err(format!("{} not installed: {}", still.join(", "), error.with_causes())),
    }
}

fn apt_get(arguments: &[&str]) -> Result<(), Error> {
    let mut command = if is_root()? {
        Command::new("apt-get")
    } else {
        let mut sudo = Command::new("sudo");
        sudo.args(["-n", "apt-get"]);
        sudo
    };
    command.env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
    host::run(command.arg("--quiet").args(arguments))
}

fn is_root() -> Result<bool, Error> {
    Ok(host::output(Command::new("id").arg("-u"))?.trim() == "0")
}

/// Makes sure that every client of the table is in the cache.
pub(crate) fn clients() -> Result<(), String> {
    let cache = host::cache_dir().map_err(|error| error.with_causes())?;
    for version in CLIENTS {
        client(version, &cache.join("client"))
            .map_err(|error| format!("no client {version}: {}", error.with_causes()))?;
    }
    Ok(())
}

// The program of one version. It appears under its name only after it has said its version, so a
// broken download never looks like a client.
fn client(version: &str, cache: &Path) -> Result<PathBuf, Error> {
    let place = cache.join(version).join("claude");
    if place.is_file() {
        return Ok(place);
    }
    print::line(format!("Fetching the client {version}."));
    fs::create_dir_all(cache.join(version)).map_err(Error::file("create", cache))?;
    let work = tempfile::tempdir_in(cache).map_err(Error::file("create a directory in", cache))?;
    let architecture = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let package = format!("@anthropic-ai/claude-code-linux-{architecture}@{version}");
    let mut pack = Command::new("npm");
    pack.args(["pack", "--silent", "--ignore-scripts", &package]).current_dir(&work);
    let tarball = host::output(&mut pack)?;
    let mut unpack = Command::new("tar");
    unpack.args(["-xzf", tarball.trim(), "package/claude"]).current_dir(&work);
    host::run(&mut unpack)?;
    let program = work.path().join("package/claude");
    let said = host::output(Command::new(&program).arg("--version").env("HOME", work.path()))?;
    if !said.starts_with(version) {
        return Err(Error::Unexpected { program: "claude --version".to_owned(), said });
    }
    fs::rename(&program, &place).map_err(Error::file("move the client to", &place))?;
    Ok(place)
}

/// The checker of licences, bans and sources; built once where it is not installed.
pub(crate) fn cargo_deny() -> Result<PathBuf, String> {
    let own = host::cache_dir().map_err(|error| error.with_causes())?.join("tools");
    let built = own.join("bin/cargo-deny");
    if let Some(program) =
        host::find("cargo-deny").or_else(|| built.is_file().then(|| built.clone()))
    {
        return Ok(program);
    }
    print::line("Building cargo-deny, once; this takes some minutes.");
    let mut install = host::cargo();
    install.args(["install", "cargo-deny", "--locked", "--root"]).arg(&own);
    host::run(&mut install).map_err(|error| format!("no cargo-deny: {}", error.with_causes()))?;
    Ok(built)
}
