//! One program for all fuzz targets. `cargo xtask fuzz` builds it with coverage and runs it.
//!
//! `WINDLASS_FUZZ_TARGET` names the target; `list` lists them. Where `WINDLASS_FUZZ_SEEDS` is set, the first inputs of
//! the target are written to that directory before libFuzzer reads it.

#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;
use windlass::fuzzing::{FUZZ_TARGETS, FuzzTarget, find_target};

/// The variable that names the target.
const TARGET_VARIABLE: &str = "WINDLASS_FUZZ_TARGET";

/// The target, and a directory that it may write to.
static FUZZ_RUN: LazyLock<(&FuzzTarget, TempDir)> = LazyLock::new(|| {
    let name = std::env::var(TARGET_VARIABLE).expect("WINDLASS_FUZZ_TARGET names a target");
    let target = find_target(&name).expect("a name of a target");
    (target, tempfile::tempdir().expect("a temporary directory"))
});

/// Lists the targets, or writes the first inputs of one.
fn prepare() {
    if std::env::var(TARGET_VARIABLE).is_ok_and(|it| it == "list") {
        FUZZ_TARGETS.iter().for_each(|it| println!("{}", it.name));
        std::process::exit(0);
    }
    let (target, scratch) = &*FUZZ_RUN;
    let Some(directory) = std::env::var_os("WINDLASS_FUZZ_SEEDS") else { return };
    for (number, seed) in (target.seeds)(scratch.path()).into_iter().enumerate() {
        let path = Path::new(&directory).join(format!("{}-{number}", target.name));
        std::fs::write(path, seed).expect("write a seed");
    }
}

fuzz_target!(init: prepare(), |bytes: &[u8]| {
    let (target, scratch) = &*FUZZ_RUN;
    (target.run)(bytes, scratch.path());
});
