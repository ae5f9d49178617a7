//! A process under ptrace, counted from `execve` to its end.

use std::collections::HashMap;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use nix::errno::Errno;
use nix::sys::ptrace::{self, Event, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::calls::calls;
use crate::bench::measure::{Call, Stdin};
use crate::error::Error;

/// What one process did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    /// A repeated string instruction counts once for each repetition.
    pub(super) instructions: u64,
    /// Absent where the architecture has no such instruction, and where nobody looked.
    pub(super) cpuids: Option<u64>,
    pub(super) page_faults: u64,
    pub(super) system_calls: u64,
}

/// What is looked at beside the number of instructions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Look {
    /// Nothing: a long way is gone faster.
    Number,
    /// Which instruction each of them is.
    EachOne,
}

/// A word of every text of an event.
const WORD: &[u8] = b"parser::accepts";

/// Counts one call, after one that warms its files; nothing where ptrace is not permitted.
pub(super) fn count(call: &Call, payload: &Arc<[u8]>, look: Look) -> Result<Option<Counts>, Error> {
    // The same words again would be compared with those before, as one event of two processes.
    let told = |times: u8| -> Arc<[u8]> {
        let mut bytes = payload.to_vec();
        let place = bytes.windows(WORD.len()).position(|it| it == WORD);
        if let Some(place) = place {
            bytes[place] = b'0' + times;
        }
        bytes.into()
    };
    call.output(&told(0))?;
    // Looking at the text brings its pages in for the process, so faults need a run of their own.
    let Some(page_faults) = traced(call, &told(1), faults)? else { return Ok(None) };
    let Some(calls) = traced(call, &told(2), calls)? else { return Ok(None) };
    let is_cpuid: fn(Pid) -> Result<bool, Error> = match look {
        Look::Number => |_| Ok(false),
        Look::EachOne => at_cpuid,
    };
    let mut cpuids = 0;
    let count = |pid| {
        steps(pid, |pid| {
            cpuids += u64::from(is_cpuid(pid)?);
            Ok(())
        })
    };
    let Some(instructions) = traced(call, &told(3), count)? else { return Ok(None) };
    let looked = cfg!(target_arch = "x86_64") && look == Look::EachOne;
    let cpuids = looked.then_some(cpuids);
    let system_calls = calls.values().sum();
    Ok(Some(Counts { instructions, cpuids, page_faults, system_calls }))
}

/// The most memory that one call has at once, in KB; nothing where ptrace is not permitted.
pub(crate) fn peak(call: &Call, payload: &Arc<[u8]>) -> Result<Option<u64>, Error> {
    traced(call, payload, |pid| {
        to_exit(pid)?;
        let path = PathBuf::from(format!("/proc/{pid}/status"));
        let status = fs::read_to_string(&path).map_err(Error::file("read", &path))?;
        most_resident(&status)
            .ok_or_else(|| Error::Unexpected { program: path.display().to_string(), said: status })
    })
}

/// Which of these instructions one call comes to, in the order in which it first does; nothing where
/// ptrace is not permitted. A break stands in the place of each until it is met, so that the process
/// runs freely between them.
pub(crate) fn reached(
    call: &Call,
    payload: &Arc<[u8]>,
    addresses: &[u64],
) -> Result<Option<Vec<u64>>, Error> {
    traced(call, payload, |pid| {
        let mut breaks = Breaks::set(pid, addresses)?;
        let mut order = Vec::new();
        let mut pending = None;
        loop {
            ptrace::cont(pid, pending.take()).map_err(doing("continue"))?;
            let status = wait(pid)?;
            if is_event(status, Event::PTRACE_EVENT_EXIT)? {
                return Ok(order);
            }
            pending = signal(status);
            if let WaitStatus::Stopped(_, Signal::SIGTRAP) = status {
                order.extend(breaks.lift(pid)?);
            }
        }
    })
}

/// Instructions of a process that were replaced by one that stops it.
struct Breaks {
    memory: File,
    path: PathBuf,
    /// What stood at each address.
    replaced: HashMap<u64, Break>,
}

#[cfg(target_arch = "x86_64")]
type Break = [u8; 1];
#[cfg(target_arch = "x86_64")]
const BREAK: Break = [0xcc];
/// How far the process is behind a break when it has stopped.
#[cfg(target_arch = "x86_64")]
const BEHIND: u64 = 1;

#[cfg(target_arch = "aarch64")]
type Break = [u8; 4];
#[cfg(target_arch = "aarch64")]
const BREAK: Break = 0xd420_0000_u32.to_le_bytes();
#[cfg(target_arch = "aarch64")]
const BEHIND: u64 = 0;

impl Breaks {
    fn set(pid: Pid, addresses: &[u64]) -> Result<Self, Error> {
        let path = PathBuf::from(format!("/proc/{pid}/mem"));
        let memory = File::options().read(true).write(true).open(&path);
        let memory = memory.map_err(Error::file("open", &path))?;
        let mut replaced = HashMap::new();
        // All of them are read before one is set: two may overlap.
        for address in addresses {
            let mut bytes = Break::default();
            memory.read_exact_at(&mut bytes, *address).map_err(Error::file("read", &path))?;
            replaced.insert(*address, bytes);
        }
        let breaks = Self { memory, path, replaced };
        for address in addresses {
            breaks.write(*address, BREAK)?;
        }
        Ok(breaks)
    }

    /// The break that the process has met, if it is one: the process goes on as if there had been
    /// none.
    fn lift(&mut self, pid: Pid) -> Result<Option<u64>, Error> {
        let address = instruction(pid)?.wrapping_sub(BEHIND);
        let Some(bytes) = self.replaced.remove(&address) else { return Ok(None) };
        self.write(address, bytes)?;
        go_to(pid, address)?;
        Ok(Some(address))
    }

    fn write(&self, address: u64, bytes: Break) -> Result<(), Error> {
        self.memory.write_all_at(&bytes, address).map_err(Error::file("write", &self.path))
    }
}

// Lets `observe` take the process from its first instruction to its exit event.
pub(super) fn traced<T>(
    call: &Call,
    payload: &Arc<[u8]>,
    observe: impl FnOnce(Pid) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    let mut command = Command::new("/bin/sh");
    // The shell waits to be seized, then becomes the program.
    command.args(["-c", r#"kill -STOP $$; exec "$0" "$@""#]).arg(&call.program).args(&call.args);
    call.dress(&mut command);
    let (stdin, _writer) = Stdin::filled(payload)?;
    command.stdin(stdin).stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().map_err(|source| Error::Start { program: "sh".into(), source })?;
    let pid = Pid::from_raw(child.id().cast_signed());
    let result = seize(pid).and_then(|()| to_exec(pid)).and_then(|()| observe(pid));
    if let Err(error) = &result {
        // Best effort: the error is what matters, and the process may have ended by itself.
        #[expect(clippy::let_underscore_must_use, reason = "there is nobody to tell")]
        let _ = kill(pid, Signal::SIGKILL).and_then(|()| waitpid(pid, None));
        if let Error::Trace { source: Errno::EPERM | Errno::ENOSYS | Errno::EACCES, .. } = error {
            return Ok(None);
        }
    }
    let value = result?;
    finish(pid)?;
    Ok(Some(value))
}

fn seize(pid: Pid) -> Result<(), Error> {
    waitpid(pid, Some(WaitPidFlag::WUNTRACED)).map_err(doing("wait for the stop"))?;
    let options = Options::PTRACE_O_TRACEEXEC
        | Options::PTRACE_O_TRACEEXIT
        | Options::PTRACE_O_TRACESYSGOOD
        | Options::PTRACE_O_EXITKILL;
    ptrace::seize(pid, options).map_err(doing("seize"))?;
    kill(pid, Signal::SIGCONT).map_err(doing("continue"))
}

fn to_exec(pid: Pid) -> Result<(), Error> {
    while !is_event(wait(pid)?, Event::PTRACE_EVENT_EXEC)? {
        ptrace::cont(pid, None).map_err(doing("continue"))?;
    }
    Ok(())
}

fn to_exit(pid: Pid) -> Result<(), Error> {
    ptrace::cont(pid, None).map_err(doing("continue"))?;
    let mut status = wait(pid)?;
    while !is_event(status, Event::PTRACE_EVENT_EXIT)? {
        ptrace::cont(pid, signal(status)).map_err(doing("continue"))?;
        status = wait(pid)?;
    }
    Ok(())
}

fn faults(pid: Pid) -> Result<u64, Error> {
    let before = minor_faults(pid)?;
    to_exit(pid)?;
    Ok(minor_faults(pid)? - before)
}

/// Takes the process step by step, with a look before each, and tells how many there were.
fn steps(pid: Pid, mut look: impl FnMut(Pid) -> Result<(), Error>) -> Result<u64, Error> {
    let mut instructions = 0;
    let mut pending = None;
    loop {
        look(pid)?;
        ptrace::step(pid, pending.take()).map_err(doing("step"))?;
        let status = wait(pid)?;
        if is_event(status, Event::PTRACE_EVENT_EXIT)? {
            return Ok(instructions + 1);
        }
        pending = signal(status);
        if pending.is_none() {
            instructions += 1;
        }
    }
}

fn finish(pid: Pid) -> Result<(), Error> {
    ptrace::cont(pid, None).map_err(doing("continue"))?;
    match wait(pid)? {
        WaitStatus::Exited(_, 0) => Ok(()),
        other => Err(unexpected(&other)),
    }
}

pub(super) fn wait(pid: Pid) -> Result<WaitStatus, Error> {
    waitpid(pid, None).map_err(doing("wait"))
}

pub(super) fn is_event(status: WaitStatus, event: Event) -> Result<bool, Error> {
    match status {
        WaitStatus::PtraceEvent(_, _, number) => Ok(number == event as i32),
        WaitStatus::Stopped(..) => Ok(false),
        ended => Err(unexpected(&ended)),
    }
}

// The signal to hand on. A trap is the tracer's own, and a hook that is taken step by step would
// meet its own deadline.
pub(super) fn signal(status: WaitStatus) -> Option<Signal> {
    match status {
        WaitStatus::Stopped(_, Signal::SIGTRAP | Signal::SIGALRM) => None,
        WaitStatus::Stopped(_, signal) => Some(signal),
        _ => None,
    }
}

#[cfg(target_arch = "x86_64")]
fn instruction(pid: Pid) -> Result<u64, Error> {
    Ok(ptrace::getregs(pid).map_err(doing("read the registers"))?.rip)
}

#[cfg(target_arch = "x86_64")]
fn go_to(pid: Pid, address: u64) -> Result<(), Error> {
    let mut registers = ptrace::getregs(pid).map_err(doing("read the registers"))?;
    registers.rip = address;
    ptrace::setregs(pid, registers).map_err(doing("write the registers"))
}

/// It stands there already.
#[cfg(target_arch = "aarch64")]
fn go_to(_: Pid, _: u64) -> Result<(), Error> {
    Ok(())
}

#[cfg(target_arch = "aarch64")]
fn instruction(pid: Pid) -> Result<u64, Error> {
    Ok(ptrace::getregs(pid).map_err(doing("read the registers"))?.pc)
}

#[cfg(target_arch = "x86_64")]
fn at_cpuid(pid: Pid) -> Result<bool, Error> {
    const CPUID: [u8; 2] = [0x0f, 0xa2];
    let address = instruction(pid)?;
    // Whole words: an unaligned read near the end of a mapping could leave it.
    let word = |address: u64| {
        let pointer = std::ptr::without_provenance_mut(usize::try_from(address).unwrap_or(0));
        ptrace::read(pid, pointer).map(i64::to_le_bytes).map_err(doing("read the text"))
    };
    let (start, offset) = (address & !7, usize::try_from(address & 7).unwrap_or(0));
    let bytes = word(start)?;
    if offset < 7 {
        return Ok(bytes[offset..].starts_with(&CPUID));
    }
    Ok(bytes[7] == CPUID[0] && word(start + 8)?[0] == CPUID[1])
}

#[cfg(not(target_arch = "x86_64"))]
fn at_cpuid(_: Pid) -> Result<bool, Error> {
    Ok(false)
}

fn minor_faults(pid: Pid) -> Result<u64, Error> {
    let path = PathBuf::from(format!("/proc/{pid}/stat"));
    let stat = fs::read_to_string(&path).map_err(Error::file("read", &path))?;
    tenth_field(&stat)
        .ok_or_else(|| Error::Unexpected { program: path.display().to_string(), said: stat })
}

// The second field is a name in parentheses that may hold anything; the third follows the last one.
fn tenth_field(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(10 - 3)?.parse().ok()
}

fn most_resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

fn unexpected(status: &WaitStatus) -> Error {
    Error::Unexpected { program: "the traced process".to_owned(), said: format!("{status:?}") }
}

pub(super) fn doing(what: &'static str) -> impl FnOnce(Errno) -> Error {
    move |source| Error::Trace { doing: what, source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::cases::{FLOOR, TRUE, baselines};
    use crate::bench::world::World;

    #[test]
    fn counts_what_a_process_does() {
        let world = World::new().unwrap();
        let mut seen = Vec::new();
        let cases = baselines(&world).unwrap();
        for case in cases.into_iter().filter(|it| it.name == FLOOR || it.name == TRUE) {
            // Where tracing is not permitted there is nothing to test.
            let counts = count(&case.call, &case.payload, Look::EachOne).unwrap();
            let Some(counts) = counts else { return };
            seen.push((case.name, counts));
        }
        let of = |name: &str| seen.iter().find(|it| it.0 == name).unwrap().1;
        // Two registers and a system call.
        assert!((2..=4).contains(&of(FLOOR).instructions), "{seen:?}");
        assert_eq!((of(FLOOR).page_faults, of(FLOOR).system_calls), (1, 1), "{seen:?}");
        assert!(of(TRUE).instructions > 10_000 && of(TRUE).page_faults > 20, "{seen:?}");
    }

    #[test]
    fn tells_how_much_memory_a_process_had() {
        let world = World::new().unwrap();
        let cases = baselines(&world).unwrap();
        let of = |name: &str| {
            let case = cases.iter().find(|it| it.name == name).unwrap();
            peak(&case.call, &case.payload).unwrap()
        };
        let (Some(floor), Some(usual)) = (of(FLOOR), of(TRUE)) else { return };
        assert!(floor < usual && usual < 16 << 10, "{floor} KB and {usual} KB");
    }

    #[test]
    fn reads_the_faults_behind_an_odd_name() {
        let stat = "42 (a) b (c) R 1 42 42 0 -1 4194304 77 0 3 0 0 0";
        assert_eq!(tenth_field(stat), Some(77));
        assert_eq!(tenth_field("nothing"), None);
    }
}
