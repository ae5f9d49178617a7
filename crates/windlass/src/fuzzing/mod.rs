//! What `cargo xtask fuzz` feeds with hostile bytes: every reader of a file or a message that others
//! write.
//!
//! A target fails when it panics, overflows, takes too much memory or does not end.

mod database;
mod memory_index;
mod repository;
mod session;
mod settings;

use std::path::Path;

/// One reader under test.
#[derive(Debug)]
pub struct FuzzTarget {
    /// The name on the command line.
    pub name: &'static str,
    /// Reads some bytes. The directory is for readers that take a file.
    pub run: fn(&[u8], &Path),
    /// Well-formed inputs to begin with. The directory is for writers that need one.
    pub seeds: fn(&Path) -> Vec<Vec<u8>>,
}

/// Every target.
pub const FUZZ_TARGETS: &[FuzzTarget] = &[
    FuzzTarget { name: "payload", run: session::read_payload, seeds: session::payloads },
    FuzzTarget { name: "transcript", run: session::read_transcript, seeds: session::transcripts },
    FuzzTarget { name: "journal", run: session::read_journal, seeds: session::journals },
    FuzzTarget { name: "index", run: memory_index::read, seeds: memory_index::seeds },
    FuzzTarget { name: "settings", run: settings::read, seeds: settings::seeds },
    FuzzTarget { name: "git-index", run: repository::read_index, seeds: repository::indexes },
    FuzzTarget { name: "git-pack", run: repository::read_pack, seeds: repository::packs },
    FuzzTarget { name: "claude-mem", run: database::read, seeds: database::seeds },
];

/// The target with a name.
pub fn find_target(name: &str) -> Option<&'static FuzzTarget> {
    FUZZ_TARGETS.iter().find(|it| it.name == name)
}

#[cfg(test)]
mod tests {
    use super::FUZZ_TARGETS;

    /// A target whose seeds are refused at the first byte would explore nothing.
    #[test]
    fn every_target_reads_its_seeds_and_their_beginnings() {
        let scratch = tempfile::tempdir().unwrap();
        for target in FUZZ_TARGETS {
            let seeds = (target.seeds)(scratch.path());
            assert!(!seeds.is_empty(), "{}", target.name);
            for seed in seeds {
                (target.run)(&seed, scratch.path());
                (target.run)(&seed[..seed.len() / 2], scratch.path());
            }
            (target.run)(b"", scratch.path());
        }
    }
}
