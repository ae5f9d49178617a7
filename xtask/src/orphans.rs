//! Processes that outlive the one that started them: a hook may start one that tidies.
//!
//! They come to us instead of to the first process of the machine. So it can be waited for them,
//! and nothing that a call left behind runs beside the next one.

#[cfg(target_os = "linux")]
use nix::errno::Errno;
#[cfg(target_os = "linux")]
use nix::sys::prctl;
#[cfg(target_os = "linux")]
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use crate::error::Error;

/// From here on, whoever loses its parent below us becomes a child of our first thread.
#[cfg(target_os = "linux")]
pub(crate) fn adopt() -> Result<(), Error> {
    prctl::set_child_subreaper(true)
        .map_err(|source| Error::Adopt { doing: "become their parent", source })
}

/// Waits until none of them is left. Only the first thread can, and only while it has no child of
/// its own.
#[cfg(target_os = "linux")]
pub(crate) fn wait_for_all() -> Result<(), Error> {
    reap(WaitPidFlag::empty())
}

/// Takes note of those that have ended, and waits for none. Only the first thread can.
#[cfg(target_os = "linux")]
pub(crate) fn bury() -> Result<(), Error> {
    reap(WaitPidFlag::WNOHANG)
}

#[cfg(target_os = "linux")]
fn reap(how: WaitPidFlag) -> Result<(), Error> {
    loop {
        // The children of other threads are waited for there.
        match waitpid(None, Some(how | WaitPidFlag::__WNOTHREAD)) {
            Ok(WaitStatus::StillAlive) | Err(Errno::ECHILD) => return Ok(()),
            Ok(_) | Err(Errno::EINTR) => {}
            Err(source) => return Err(Error::Adopt { doing: "wait for them", source }),
        }
    }
}

/// Elsewhere they belong to the first process.
#[cfg(not(target_os = "linux"))]
pub(crate) fn adopt() -> Result<(), Error> {
    Ok(())
}

/// Elsewhere nobody can wait for them.
#[cfg(not(target_os = "linux"))]
pub(crate) fn wait_for_all() -> Result<(), Error> {
    Ok(())
}

/// Elsewhere they are not ours to bury.
#[cfg(not(target_os = "linux"))]
pub(crate) fn bury() -> Result<(), Error> {
    Ok(())
}

/// How many processes live that have this variable in their environment, whoever their parent is.
/// Where the system does not show them there are none.
pub(crate) fn alive_with(variable: &str, value: &OsStr) -> usize {
    let wanted = [variable.as_bytes(), b"=", value.as_bytes()].concat();
    let Ok(entries) = fs::read_dir("/proc") else { return 0 };
    let environments = entries.flatten().filter_map(|it| fs::read(it.path().join("environ")).ok());
    environments.filter(|it| it.split(|byte| *byte == 0).any(|it| it == wanted)).count()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::Read;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_process_is_seen_by_its_environment_until_it_ends() {
        let (name, value) = ("WINDLASS_ORPHAN", "seen by its environment");
        assert_eq!(alive_with(name, value.as_ref()), 0);
        let mut command = Command::new("cat");
        command.env(name, value).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        assert_eq!(alive_with(name, value.as_ref()), 1);
        drop(child.stdin.take());
        child.stdout.take().unwrap().read_to_end(&mut Vec::new()).unwrap();
        child.wait().unwrap();
        assert_eq!(alive_with(name, value.as_ref()), 0);
    }
}
