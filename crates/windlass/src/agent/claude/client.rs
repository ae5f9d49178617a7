//! The client on this machine and its version.

use std::fmt;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::Host;
use crate::process;

const PROGRAM: &str = "claude";

/// Where installers put the client, besides the directories of PATH.
const BELOW_HOME: &[&str] = &[".local/bin", ".claude/local", ".npm-global/bin", ".bun/bin"];
const ANYWHERE: &[&str] = &["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"];

/// The version of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(pub(crate) u32, pub(crate) u32, pub(crate) u32);

/// What the search for a client found.
#[derive(Debug)]
pub(crate) enum Client {
    Found {
        path: PathBuf,
        version: Version,
    },
    /// A program that does not tell its version.
    Mute {
        path: PathBuf,
    },
    Missing,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

impl Version {
    /// Reads the answer to `--version`, such as `2.1.325 (Claude Code)`.
    pub(crate) fn parse(answer: &str) -> Option<Self> {
        let word = answer.split_whitespace().next()?;
        let mut parts = word.trim_start_matches('v').splitn(3, '.');
        let mut number = |last: bool| {
            let part = parts.next()?;
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            // Only the end of a version may carry a suffix such as `-beta.1`.
            if digits < part.len() && !(last && part[digits..].starts_with(['-', '+'])) {
                return None;
            }
            part[..digits].parse().ok()
        };
        Some(Self(number(false)?, number(false)?, number(true)?))
    }
}

/// Looks for the client that the user would start, and asks for its version.
pub(crate) fn find(host: &Host, limit: Duration) -> Client {
    let Some(path) = locate(host) else { return Client::Missing };
    let ended = process::run(Command::new(&path).arg("--version"), b"", limit).ok();
    let version = ended.and_then(|it| Version::parse(&String::from_utf8_lossy(&it.stdout)));
    match version {
        Some(version) => Client::Found { path, version },
        None => Client::Mute { path },
    }
}

/// Looks for the client that the user would start.
fn locate(host: &Host) -> Option<PathBuf> {
    let below_home = host
        .home()
        .into_iter()
        .flat_map(|home| BELOW_HOME.iter().map(move |it| home.join(it)).collect::<Vec<_>>());
    let places = host.search_path().into_iter().chain(below_home);
    let mut places = places.chain(ANYWHERE.iter().map(PathBuf::from)).map(|it| it.join(PROGRAM));
    places.find(|it| process::is_program(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_versions_that_clients_print() {
        assert_eq!(Version::parse("2.1.325 (Claude Code)\n"), Some(Version(2, 1, 325)));
        assert_eq!(Version::parse("v1.0.38"), Some(Version(1, 0, 38)));
        assert_eq!(Version::parse("2.1.0-beta.1 (Claude Code)"), Some(Version(2, 1, 0)));
        for wrong in ["", "claude", "2.1", "2.x.1", "2.1.", "2.1.3x", "-1.0.0", "99999999999.1.1"] {
            assert_eq!(Version::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn versions_are_ordered_by_number() {
        assert!(Version(2, 1, 9) < Version(2, 1, 118) && Version(1, 9, 9) < Version(2, 0, 0));
    }
}
