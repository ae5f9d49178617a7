//! Prints the weights that labelled sessions give, as the source that windlass is built with.
//! `cargo xtask fit` writes it there.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let directory = std::env::args_os().nth(1).unwrap_or_default();
    let text = match windlass::fitted(Path::new(&directory)) {
        Ok(text) => text,
        Err(error) => {
            let cause = error.source().map(|it| format!(": {it}")).unwrap_or_default();
            return match writeln!(std::io::stderr(), "{error}{cause}") {
                Ok(()) | Err(_) => ExitCode::FAILURE,
            };
        }
    };
    match std::io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
