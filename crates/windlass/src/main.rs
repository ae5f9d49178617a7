//! The binary: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    windlass::run(&windlass::Host::from_process())
}
