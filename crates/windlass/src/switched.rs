//! What the user did with switches, by the names of their files.
//!
//! A switch is a file, and a copy of an old one is as sound as the old one was. So it is kept which
//! switch was made last, and when the gates were on again: one that is older is put back by somebody
//! else, and switches nothing off. It stands beside the directory of the switches, so that it works
//! while the store does not.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use windlass_core::Timestamp;

use crate::plain::{self, Follow};
use crate::stage;

/// Far more than is kept.
const MAX_FILE: u64 = 256 << 10;
/// Switches that are remembered; the oldest go first.
const MAX_KEPT: usize = 512;

/// What was done last with the switch of one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Deed {
    /// The time in the switch, or when the gates were on again.
    at: i64,
    /// Whether the gates are on again.
    is_on: bool,
}

/// All that was done with switches.
#[derive(Debug, Default)]
pub(crate) struct Switched {
    deeds: BTreeMap<String, Deed>,
}

impl Switched {
    pub(crate) fn read(data: &Path) -> Self {
        let file = plain::read(&data.join(FILE), Follow::Never, MAX_FILE).ok().flatten();
        let deeds = file.and_then(|it| serde_json::from_slice(&it.bytes).ok());
        Self { deeds: deeds.unwrap_or_default() }
    }

    /// Whether a switch was over before it stood there: a later one took its place, or the gates were
    /// on again.
    pub(crate) fn is_over(&self, name: &str, at: Timestamp) -> bool {
        let deed = self.deeds.get(name);
        deed.is_some_and(|it| at.0 < it.at || it.is_on && at.0 == it.at)
    }

    /// Whether windlass made it, as far as is known.
    pub(crate) fn is_known(&self, name: &str) -> bool {
        self.deeds.contains_key(name)
    }

    /// The time of a new switch: none before it has the same, whatever the clock says.
    pub(crate) fn next(&self, name: &str, now: Timestamp) -> Timestamp {
        let last = self.deeds.get(name).map_or(i64::MIN, |it| it.at.saturating_add(1));
        Timestamp(now.0.max(last))
    }

    /// Keeps that a switch was made.
    pub(crate) fn made(mut self, data: &Path, name: &str, at: Timestamp) -> io::Result<()> {
        self.deeds.insert(name.to_owned(), Deed { at: at.0, is_on: false });
        self.write(data)
    }

    /// Keeps that the gates of a switch are on again.
    pub(crate) fn ended(mut self, data: &Path, name: &str, now: Timestamp) -> io::Result<()> {
        let at = self.deeds.get(name).map_or(now.0, |it| it.at.max(now.0));
        self.deeds.insert(name.to_owned(), Deed { at, is_on: true });
        self.write(data)
    }

    fn write(mut self, data: &Path) -> io::Result<()> {
        while self.deeds.len() > MAX_KEPT {
            let oldest = self.deeds.iter().min_by_key(|it| it.1.at).map(|it| it.0.clone());
            let Some(oldest) = oldest else { break };
            self.deeds.remove(&oldest);
        }
        let bytes = serde_json::to_vec(&self.deeds)?;
        stage::make_private_directory(data)?;
        stage::replace(&data.join(FILE), &bytes)
    }
}

const FILE: &str = "switched.json";

#[cfg(test)]
mod tests {
    use super::Switched;
    use windlass_core::Timestamp;

    #[test]
    fn a_switch_that_was_ended_or_replaced_is_over() {
        let place = tempfile::tempdir().unwrap();
        let data = place.path();
        let is_over = |at| Switched::read(data).is_over("a", Timestamp(at));
        assert!(!is_over(5) && !Switched::read(data).is_known("a"));
        Switched::read(data).made(data, "a", Timestamp(5)).unwrap();
        assert!(!is_over(5) && is_over(4));
        Switched::read(data).ended(data, "a", Timestamp(3)).unwrap();
        assert!(is_over(5));
        // The clock was set back.
        let next = Switched::read(data).next("a", Timestamp(2));
        assert_eq!(next, Timestamp(6));
        Switched::read(data).made(data, "a", next).unwrap();
        assert!(!is_over(6) && is_over(5));
        assert!(!Switched::read(data).is_over("b", Timestamp(0)));
    }
}
