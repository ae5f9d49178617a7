//! The system calls of the hook path: no network, and nothing that is not in the tables.

use std::collections::BTreeMap;
use std::sync::Arc;

use nix::libc;
use nix::sys::ptrace::{self, Event};
use nix::sys::wait::WaitStatus;
use nix::unistd::Pid;

use super::Duty;
use super::trace::{doing, is_event, signal, traced, wait};
use crate::bench::measure::Call;
use crate::error::Error;

/// What every hook may ask of the system: memory, its journal, stdin and stdout, a timer, the end.
/// A hook on a tool event needs no more.
const EVERY: &[i64] = &[
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
    // The last frames of a journal that was just written: the same event may stand there.
    libc::SYS_pread64,
    libc::SYS_read,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_set_tid_address,
    libc::SYS_setitimer,
    libc::SYS_sigaltstack,
    libc::SYS_write,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_arch_prctl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
];

/// What a slower event may ask for as well: to look at the project and at settings, and what the
/// store does with its files.
const SLOWER: &[i64] = &[
    // Whose a file is, and where a link leads.
    libc::SYS_newfstatat,
    libc::SYS_readlinkat,
    libc::SYS_statx,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
    // Which indexes there are: before an edit nobody knows yet which project it is in.
    libc::SYS_getdents64,
    // The pages of the store, and its log.
    libc::SYS_pwrite64,
    libc::SYS_ftruncate,
    // A store that is made is written through, and takes its place in one step.
    libc::SYS_fdatasync,
    libc::SYS_fsync,
    libc::SYS_renameat2,
    libc::SYS_unlinkat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_unlink,
    // A file that says which store it is, and a copy of settings that were changed.
    libc::SYS_fchmod,
    libc::SYS_renameat,
    libc::SYS_utimensat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
    // Beside a store of root its log belongs to root as well.
    libc::SYS_fchown,
    // Which client runs the session, when it begins and at a prompt.
    libc::SYS_getppid,
    // SQLite seeds its random numbers, std its tables.
    libc::SYS_getpid,
    libc::SYS_getrandom,
    // SQLite waits for a lock in small steps.
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
];

/// What the end of a session may ask for as well: one process that tidies. Only what starts it is
/// seen here, not what it does.
const LAST: &[i64] = &[libc::SYS_clone, libc::SYS_pipe2, libc::SYS_wait4];

/// A system call that was made although it must not, or more often than it may.
pub(super) fn forbidden(
    duty: Duty,
    call: &Call,
    payload: &Arc<[u8]>,
) -> Result<Option<Vec<i64>>, Error> {
    let Some(calls) = traced(call, payload, calls)? else { return Ok(None) };
    let allowed = |number: &i64| match duty {
        Duty::Tool => EVERY.contains(number),
        Duty::Slower => [EVERY, SLOWER].iter().any(|it| it.contains(number)),
        Duty::Last => [EVERY, SLOWER, LAST].iter().any(|it| it.contains(number)),
    };
    let too_often = |number: i64, times: u64| number == libc::SYS_clone && times > 1;
    let found = calls.into_iter().filter(|it| !allowed(&it.0) || too_often(it.0, it.1));
    Ok(Some(found.map(|it| it.0).collect()))
}

/// How often a process made each system call.
pub(super) fn calls(pid: Pid) -> Result<BTreeMap<i64, u64>, Error> {
    let mut calls = BTreeMap::new();
    let mut inside = false;
    let mut pending = None;
    // The first stop is the end of the `execve` that made the process what it is.
    ptrace::syscall(pid, None).map_err(doing("continue"))?;
    wait(pid)?;
    loop {
        ptrace::syscall(pid, pending.take()).map_err(doing("continue"))?;
        let status = wait(pid)?;
        if let WaitStatus::PtraceSyscall(_) = status {
            // It stops on the way in and on the way out.
            inside = !inside;
            if inside {
                *calls.entry(number(pid)?).or_default() += 1;
            }
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
        let Some(calls) = forbidden(Duty::Slower, &shell, &payload).unwrap() else { return };
        let starts = [libc::SYS_clone, libc::SYS_clone3];
        #[cfg(target_arch = "x86_64")]
        let starts = [&starts[..], &[libc::SYS_fork, libc::SYS_vfork]].concat();
        assert!(starts.iter().any(|it| calls.contains(it)), "{calls:?}");
    }

    #[test]
    fn the_end_of_a_session_may_start_one_process_and_not_two() {
        let world = World::new().unwrap();
        let session = world.session("last").unwrap();
        let payload: Arc<[u8]> = Arc::from(*b"{}");
        let shell = |script| session.call(Path::new("/bin/sh"), &["-c", script]);
        let (once, twice) = (shell("(:); exit 0"), shell("(:); (:); exit 0"));
        // Where tracing is not permitted, or the shell forks in another way, there is nothing to
        // test.
        let made = traced(&once, &payload, calls).unwrap();
        if !made.is_some_and(|it| it.contains_key(&libc::SYS_clone)) {
            return;
        }
        let is_forbidden = |call| {
            let found = forbidden(Duty::Last, call, &payload).unwrap();
            found.unwrap().contains(&libc::SYS_clone)
        };
        assert!(!is_forbidden(&once));
        assert!(is_forbidden(&twice));
    }
}
