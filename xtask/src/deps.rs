//! What the release and the tests need beside a Rust toolchain, and how it comes here.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use rig::{Client, VERSIONS};

use crate::error::Error;
use crate::{host, print};

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

/// SQLite is C, and the static release links it to musl.
const MUSL: Tool = Tool { program: "musl-gcc", package: "musl-tools" };

/// Makes sure that every tool of the table is there; the error is a reason to skip.
pub(crate) fn tools() -> Result<(), String> {
    let missing: Vec<&Tool> =
        TOOLS.iter().filter(|tool| host::find(tool.program).is_none()).collect();
    bring(&missing)
}

/// A C compiler for musl on this machine, brought where it is missing; the error says what the
/// user can do.
pub(crate) fn musl_compiler() -> Result<PathBuf, String> {
    let own = format!("{}-linux-musl-gcc", std::env::consts::ARCH);
    let find = || host::find(&own).or_else(|| host::find(MUSL.program));
    if let Some(found) = find() {
        return Ok(found);
    }
    let brought = bring(&[&MUSL]);
    find().ok_or_else(|| {
        let why = brought.err().unwrap_or_default();
        format!("no C compiler for musl ({why}); install {}, then run it again", MUSL.package)
    })
}

/// Installs what is missing, and says what is missing still.
fn bring(missing: &[&Tool]) -> Result<(), String> {
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

/// Makes sure that every client is in the cache.
pub(crate) fn clients() -> Result<(), String> {
    for version in VERSIONS {
        Client::fetch(version).map_err(|missing| missing.to_string())?;
    }
    Ok(())
}

/// The official SDK for Python that the server of tools is tested with.
const SDK: &str = "mcp==2.3.0";

/// A Python that has the SDK, in an environment of its own; made once.
pub(crate) fn python_with_sdk() -> Result<PathBuf, String> {
    let place = host::cache_dir().map_err(|error| error.with_causes())?.join("python").join(SDK);
    let python = place.join("bin/python");
    let has_sdk = || {
        let mut probe = Command::new(&python);
        probe.args(["-c", "import mcp"]).stdout(Stdio::null()).stderr(Stdio::null());
        python.is_file() && probe.status().is_ok_and(|it| it.success())
    };
    if has_sdk() {
        return Ok(python);
    }
    let own = host::find("python3").ok_or("python3 is not installed")?;
    print::line(format!("Installing {SDK} for Python, once."));
    let made = host::run(Command::new(own).args(["-m", "venv", "--clear"]).arg(&place));
    let installed = made.and_then(|()| {
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", SDK]);
        host::run(&mut pip)
    });
    match installed {
        Ok(()) if has_sdk() => Ok(python),
        Ok(()) => Err(format!("{SDK} cannot be imported")),
        Err(error) => Err(format!("no {SDK} for Python: {}", error.with_causes())),
    }
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
