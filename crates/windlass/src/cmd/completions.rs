//! Completions for a shell.

use clap_complete::Shell;

use crate::{help, ui};

/// Prints the script that a shell reads.
pub(super) fn run(shell: Shell) {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut help::visible(), "windlass", &mut script);
    ui::show(&String::from_utf8_lossy(&script));
}
