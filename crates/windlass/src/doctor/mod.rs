//! `windlass doctor`: what is wrong with an installation, and what can be done about it.
//!
//! Nothing that it looks at is changed. A row of [`CHECKS`] is all that a new check needs.

mod attempts;
mod callers;
mod client;
mod clock;
mod commands;
mod config;
pub(crate) mod disk;
mod elf;
mod failures;
mod fire;
mod gates;
mod home;
mod installation;
mod permissions;
mod program;
mod registration;
mod sample;
mod settings;
mod silence;
mod store;
mod switches;
mod throwaway;
mod tools;
mod twice;

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use crate::Host;

use installation::Installation;

/// Something that is looked at.
#[derive(Debug)]
pub(crate) struct Check {
    pub(crate) name: &'static str,
    /// What is true where nothing is found.
    pub(crate) about: &'static str,
    run: fn(&Installation<'_>) -> Vec<Finding>,
}

/// Every check, from the ground up.
#[rustfmt::skip]
pub(crate) const CHECKS: &[Check] = &[
    Check { name: "home", about: "there is a private place for the data", run: home::check },
    Check { name: "disk", about: "the disk has room, and can hold a store", run: disk::check },
    Check { name: "permissions", about: "you can write what windlass keeps, and nobody else can read it or write what it trusts", run: permissions::check },
    Check { name: "client", about: "the client is one that windlass knows", run: client::check },
    Check { name: "callers", about: "no other agent calls windlass", run: callers::check },
    Check { name: "settings", about: "the client can read its settings files", run: settings::check },
    Check { name: "switches", about: "nothing switches hooks off", run: switches::check },
    Check { name: "config", about: "every setting of windlass is understood and counts", run: config::check },
    Check { name: "commands", about: "the program of every check is there", run: commands::check },
    Check { name: "gates", about: "no gate is switched off", run: gates::check },
    Check { name: "attempts", about: "no agent tried what only you may do", run: attempts::check },
    Check { name: "registration", about: "every event that windlass wants is registered as it wants it", run: registration::check },
    Check { name: "twice", about: "no event calls windlass twice", run: twice::check },
    Check { name: "program", about: "the registered program is there, and is this windlass", run: program::check },
    Check { name: "static", about: "the registered program starts fast", run: program::check_static },
    Check { name: "hooks", about: "every registered hook answers a recorded event and keeps it", run: fire::check },
    Check { name: "tools", about: "the agent is offered the tools and skills that your settings want", run: tools::check },
    Check { name: "store", about: "the store is sound and up to date", run: store::check },
    Check { name: "failures", about: "the last seven days went without a failure", run: failures::check },
    Check { name: "silence", about: "no event has fallen silent", run: silence::check },
    Check { name: "clock", about: "no event comes from the future", run: clock::check },
];

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    /// Something does not work.
    Fault,
    /// It works, but not as it should, or not for long.
    Warning,
    /// Good to know.
    Note,
}

impl Severity {
    /// The word for it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Fault => "fault",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) severity: Severity,
    /// What was found, as a sentence.
    pub(crate) found: String,
    /// Why that matters, as half a sentence.
    pub(crate) why: String,
    /// A command, or what to edit.
    pub(crate) next: String,
}

/// A finding with the name of its check.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) check: &'static str,
    pub(crate) finding: Finding,
}

impl Finding {
    fn new(severity: Severity, found: String, why: &str, next: String) -> Self {
        Self { severity, found, why: why.to_owned(), next }
    }

    fn fault(found: String, why: &str, next: String) -> Self {
        Self::new(Severity::Fault, found, why, next)
    }

    fn warning(found: String, why: &str, next: String) -> Self {
        Self::new(Severity::Warning, found, why, next)
    }

    fn note(found: String, why: &str, next: String) -> Self {
        Self::new(Severity::Note, found, why, next)
    }
}

/// Runs every check. The worst comes first, then what stands closer to the ground.
pub(crate) fn examine(host: &Host) -> Vec<Named> {
    let installation = Installation::look(host);
    let named = |check: &'static Check| {
        let findings = (check.run)(&installation).into_iter();
        findings.map(|finding| Named { check: check.name, finding })
    };
    let mut found: Vec<_> = CHECKS.iter().flat_map(named).collect();
    found.sort_by_key(|it| it.finding.severity);
    found
}

/// When a file was last changed, in milliseconds since 1970.
fn modified(path: &Path) -> Option<i64> {
    let time = fs::metadata(path).ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(time.as_millis()).ok()
}

/// Words as people list them: `a`, `a and b`, `a, b and 3 more`.
fn listed<T: AsRef<str>>(words: &[T]) -> String {
    const SHOWN: usize = 3;
    let words: Vec<_> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [some @ .., last] if words.len() <= SHOWN => format!("{} and {last}", some.join(", ")),
        _ => {
            let shown = words[..SHOWN - 1].join(", ");
            format!("{shown} and {} more", words.len() + 1 - SHOWN)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CHECKS, listed};

    #[test]
    fn every_check_has_a_name_of_its_own_and_a_sentence() {
        for (at, check) in CHECKS.iter().enumerate() {
            assert!(CHECKS[at + 1..].iter().all(|it| it.name != check.name), "{}", check.name);
            assert!(check.name.bytes().all(|it| it.is_ascii_lowercase() || it == b'-'));
            assert!(!check.about.is_empty() && !check.about.ends_with('.'));
        }
    }

    #[test]
    fn lists_are_read_by_people() {
        assert_eq!(listed::<&str>(&[]), "");
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b"]), "a and b");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(listed(&["a", "b", "c", "d", "e"]), "a, b and 3 more");
    }
}
