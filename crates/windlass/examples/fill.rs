//! Fills a store with memories of the project in the current directory: `fill DATA COUNT`. Prints
//! words that one of them has most of. For `cargo xtask bench`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let data = args.next().unwrap_or_default();
    let count = args.next().and_then(|it| it.parse().ok()).unwrap_or_default();
    let here = std::env::current_dir().unwrap_or_default();
    let (said, code) = match windlass::fill_memories(Path::new(&data), &here, count) {
        Ok(words) => (format!("{words}\n"), ExitCode::SUCCESS),
        Err(error) => (format!("{error}\n"), ExitCode::FAILURE),
    };
    match std::io::stdout().write_all(said.as_bytes()) {
        Ok(()) => code,
        Err(_) => ExitCode::FAILURE,
    }
}
