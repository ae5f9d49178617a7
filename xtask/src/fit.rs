//! The weights of the detector, made again from labelled sessions.

use std::fs;
use std::path::{Path, absolute};
use std::process::ExitCode;

use crate::error::Error;
use crate::{host, print};

const WEIGHTS: &str = "crates/core/src/triage/weights.rs";

pub(crate) fn run(data: &Path, print: bool) -> Result<ExitCode, Error> {
    // Cargo runs at the root of the workspace.
    let data = absolute(data).map_err(Error::file("find", data))?;
    let mut command = host::cargo();
    command.args(["run", "--quiet", "--package", "windlass", "--features", "testing"]);
    let text = host::output(command.args(["--example", "fit", "--"]).arg(&data))?;
    if print {
        print::line(text.trim_end());
        return Ok(ExitCode::SUCCESS);
    }
    let path = host::root().join(WEIGHTS);
    fs::write(&path, text).map_err(Error::file("write", &path))?;
    print::line(format!("The weights are in {WEIGHTS}. Next: `cargo xtask test --only unit`."));
    Ok(ExitCode::SUCCESS)
}
