//! `cargo xtask install`: builds the release and hands over to its own `init`.

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use crate::error::Error;
use crate::{host, print, release};

/// Builds, then runs `windlass init` with the given arguments and ends as it ends.
pub(crate) fn run(init: &[OsString]) -> Result<ExitCode, Error> {
    let binary = match release::build_static() {
        Ok(binary) => binary,
        Err(Error::NoStaticTarget { reason }) => {
            print::line(format!(
                "The static build is not possible here ({reason}). \
                 Building for the default target instead: it works the same and starts slower."
            ));
            release::build_for_host()?
        }
        Err(error) => return Err(error),
    };
    print::line(format!("Built {}.", binary.display()));
    let status = host::status(Command::new(&binary).arg("init").args(init))?;
    let code = status.code().and_then(|it| u8::try_from(it).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
