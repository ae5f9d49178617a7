//! The system calls of the hook path: no process, no network, nothing that is not in the table.

use std::collections::BTreeSet;
use std::sync::Arc;

use nix::libc;
use nix::sys::ptrace::{self, Event};
use nix::sys::wait::WaitStatus;
use nix::unistd::Pid;

use super::trace::{doing, is_event, signal, traced, wait};
use crate::bench::measure::Call;
use crate::error::Error;

/// What a hook may ask of the system: memory, its own files, stdin and stdout, a timer, the end.
const ALLOWED: &[i64] = &[
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_clock_gettime,
    libc::SYS_close,
    libc::SYS_exit_group,
    libc::SYS_fcntl,
    libc::SYS_flock,
    libc::SYS_fstat,
    libc::SYS_geteuid,
    libc::SYS_lseek,
    libc::SYS_mkdirat,
    libc::SYS_openat,
    libc::SYS_ppoll,
    libc::SYS_pread64,
    libc::SYS_read,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_set_tid_address,
    libc::SYS_setitimer,
    libc::SYS_sigaltstack,
    libc::SYS_statx,
    libc::SYS_write,
    // Whose a settings file is, and where a link leads.
    libc::SYS_newfstatat,
    libc::SYS_readlinkat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_arch_prctl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
];

/// The system calls of one hook that are not in the table, by number; nothing where ptrace is not
/// permitted.
pub(super) fn forbidden(call: &Call, payload: &Arc<[u8]>) -> Result<Option<Vec<i64>>, Error> {
    let calls = traced(call, payload, calls)?;
    Ok(calls.map(|it| it.into_iter().filter(|call| !ALLOWED.contains(call)).collect()))
}

fn calls(pid: Pid) -> Result<BTreeSet<i64>, Error> {
    let mut calls = BTreeSet::new();
    let mut pending = None;
    // The first stop is the end of the `execve` that made the process what it is.
    ptrace::syscall(pid, None).map_err(doing("continue"))?;
    wait(pid)?;
    loop {
        ptrace::syscall(pid, pending.take()).map_err(doing("continue"))?;
        let status = wait(pid)?;
        if let WaitStatus::PtraceSyscall(_) = status {
            // Once on the way in and once on the way out: the same number twice.
            calls.insert(number(pid)?);
            continue;
        }
        if is_event(status, Event::PTRACE_EVENT_EXIT)? {
            return Ok(calls);
        }
        pending = signal(status);
    }
}

#[cfg(target_arch = "x86_64")]
fn number(pid: Pid) -> Result<i64, Error> {
    Ok(ptrace::getregs(pid).map_err(doing("read the registers"))?.orig_rax.cast_signed())
}

#[cfg(target_arch = "aarch64")]
fn number(pid: Pid) -> Result<i64, Error> {
    Ok(ptrace::getregs(pid).map_err(doing("read the registers"))?.regs[8].cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::world::World;
    use std::path::Path;

    #[test]
    fn a_program_that_starts_another_is_noticed() {
        let world = World::new().unwrap();
        let session = world.session("calls").unwrap();
        let payload: Arc<[u8]> = Arc::from(*b"{}");
        let shell = session.call(Path::new("/bin/sh"), &["-c", "/bin/true; exit 0"]);
        // Where tracing is not permitted there is nothing to test.
        let Some(calls) = forbidden(&shell, &payload).unwrap() else { return };
        let starts = [libc::SYS_clone, libc::SYS_clone3];
        #[cfg(target_arch = "x86_64")]
        let starts = [&starts[..], &[libc::SYS_fork, libc::SYS_vfork]].concat();
        assert!(starts.iter().any(|it| calls.contains(it)), "{calls:?}");
    }
}
