//! The binary: everything is in the library.

use std::process::ExitCode;

use windlass::{Arena, Host};

#[global_allocator]
static ALLOCATOR: Arena = Arena::new();

fn main() -> ExitCode {
    windlass::run(&Host::from_process())
}
