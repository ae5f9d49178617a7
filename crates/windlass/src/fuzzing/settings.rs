//! Settings of the user and of projects.

use std::path::Path;

use crate::config::{self, KEYS};

/// Reads a settings file.
pub(super) fn read(bytes: &[u8], _: &Path) {
    if let Ok(text) = str::from_utf8(bytes) {
        drop(config::parse(text));
    }
}

/// Tables of checks, some values, and every key with a number.
pub(super) fn seeds(_: &Path) -> Vec<Vec<u8>> {
    const CHECKS: &str = "[checks.lint]\ncommand = [\"just\", \"lint\"]\nfiles = [\"**/*.rs\"]\n\
        stage = 2\nmode = \"ask\"\n[checks.size]\ncommand = [\"size\"]\nat_most = 12.5\n\
        [checks.words]\npattern = \"DO NOT MERGE\"\n";
    const VALUES: &str = "ledger.texts = false\nledger.days = 30\ngates.proof = \"ask\"\n\
        gates.runs = [\"just ci\"]\nbrief.floor = 40\n[loops]\ntimeout_s = 60\n";
    let numbers: Vec<_> = KEYS.iter().map(|it| format!("{} = 30\n", it.name)).collect();
    vec![CHECKS.into(), VALUES.into(), numbers.concat().into_bytes()]
}
