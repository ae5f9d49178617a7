//! The program inside the namespaces, the recorder, the MCP server, and `rig fetch`.

use std::process::ExitCode;

fn main() -> ExitCode {
    rig::program(std::env::args_os().skip(1))
}
