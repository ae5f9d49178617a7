//! The clients under test: found in a cache, fetched once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::environment;
use crate::missing::{self, Missing};

/// The versions that the suites run with.
pub const VERSIONS: [&str; 2] = ["2.1.325", "2.1.197"];

/// A client that can be run here.
#[derive(Debug, Clone)]
pub struct Client {
    version: String,
    executable: PathBuf,
}

impl Client {
    /// The client of that version in the cache, if it is there and can be isolated.
    pub fn find(version: &str) -> Result<Self, Missing> {
        let executable = place(version)?.join("claude");
        if !executable.is_file() {
            return Err(Missing::Client { version: version.to_owned(), path: executable });
        }
        missing::check()?;
        Ok(Self { version: version.to_owned(), executable })
    }

    /// Like [`Client::find`], but gets the client from the package registry when it is not there.
    pub fn fetch(version: &str) -> Result<Self, Missing> {
        match Self::find(version) {
            Err(Missing::Client { .. }) => {
                fetch_into(version, &place(version)?)?;
                Self::find(version)
            }
            other => other,
        }
    }

    /// The same client, if it can also be run in a terminal here.
    pub fn with_terminal(self) -> Result<Self, Missing> {
        missing::tool("tmux")?;
        Ok(self)
    }

    /// Its version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Its executable.
    pub fn executable(&self) -> &Path {
        &self.executable
    }
}

fn place(version: &str) -> Result<PathBuf, Missing> {
    Ok(environment::cache().ok_or(Missing::Cache)?.join(version))
}

fn fetch_into(version: &str, place: &Path) -> Result<(), Missing> {
    let npm = missing::tool("npm")?;
    let tar = missing::tool("tar")?;
    let package = format!("@anthropic-ai/claude-code-{}@{version}", platform()?);
    let failed = |why: String| Missing::Fetch { version: version.to_owned(), why };
    let cache = place.parent().unwrap_or(place);
    fs::create_dir_all(cache).map_err(|it| failed(it.to_string()))?;
    // In the cache itself, so that the last step is a rename within one file system.
    let scratch = tempfile::Builder::new()
        .prefix(".fetch-")
        .tempdir_in(cache)
        .map_err(|it| failed(it.to_string()))?;
    let within = |program: &Path, arguments: &[&str]| {
        let done = Command::new(program).args(arguments).current_dir(scratch.path()).output();
        let done = done.map_err(|it| failed(format!("{}: {it}", program.display())))?;
        if done.status.success() {
            return Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned());
        }
        let said = String::from_utf8_lossy(&done.stderr);
        Err(failed(format!(
            "{} {}: {} {}",
            program.display(),
            arguments.join(" "),
            done.status,
            said.trim()
        )))
    };
    let archive = within(&npm, &["pack", "--silent", "--ignore-scripts", &package])?;
    within(&tar, &["-xzf", &archive])?;
    let unpacked = scratch.path().join("package");
    let executable = unpacked.join("claude");
    let home = scratch.path().join("home");
    let says = Command::new(&executable)
        .arg("--version")
        .env_clear()
        .env("PATH", environment::SEARCH_PATH)
        .env("HOME", &home)
        .env("CLAUDE_CONFIG_DIR", &home)
        .env("DISABLE_AUTOUPDATER", "1")
        .output()
        .map_err(|it| failed(format!("{}: {it}", executable.display())))?;
    let says = String::from_utf8_lossy(&says.stdout);
    if says.split_whitespace().next() != Some(version) {
        return Err(failed(format!("the executable says it is {:?}", says.trim())));
    }
    match fs::rename(&unpacked, place) {
        // Somebody else was faster; what lies there has passed the same check.
        Err(_) if place.join("claude").is_file() => Ok(()),
        other => other.map_err(|it| failed(it.to_string())),
    }
}

fn platform() -> Result<&'static str, Missing> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Ok("linux-x64"),
        ("linux", "aarch64") => Ok("linux-arm64"),
        (os, architecture) => Err(Missing::Platform { os, architecture }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_that_was_never_fetched_says_how_to_get_it() {
        let missing = Client::find("0.0.0").unwrap_err();
        assert!(missing.to_string().ends_with("run `cargo run -p windlass-rig -- fetch 0.0.0`"));
    }
}
