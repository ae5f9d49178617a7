//! Tells how many tracked files of the working tree in the current directory differ from its last
//! commit. `cargo xtask bench` holds it against `git status`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use windlass::Arena;

// The same allocator as in the binary.
#[global_allocator]
static ALLOCATOR: Arena = Arena::new();

fn main() -> ExitCode {
    let (said, code) = match windlass::count_changed(Path::new(".")) {
        Ok(count) => (format!("{count}\n"), ExitCode::SUCCESS),
        Err(error) => (format!("{error}\n"), ExitCode::FAILURE),
    };
    match std::io::stdout().write_all(said.as_bytes()) {
        Ok(()) => code,
        Err(_) => ExitCode::FAILURE,
    }
}
