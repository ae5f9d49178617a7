//! Every system call of a fold fails once, fails for ever, or is the last one: nothing that was
//! acknowledged is lost, nothing is doubled, and the store stays sound.

#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use nix::libc;
use nix::sys::ptrace::{self, Event, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::support::{Home, assert_silent, binary, events};

/// What happens at a system call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// It fails, and the next ones work.
    Once,
    /// It fails, and so do all after it.
    ForEver,
    /// The process is killed there.
    Kill,
}

const FAULTS: [Fault; 3] = [Fault::Once, Fault::ForEver, Fault::Kill];

/// How a process ended, and whether its fault ever came.
struct Ended {
    status: WaitStatus,
    reached: bool,
}

/// Runs the binary in a home until its `nth` system call, and lets the fault happen there.
fn run(home: &Home, argument: &str, payload: &[u8], nth: usize, fault: Fault) -> Ended {
    let input = home.path().join("payload");
    fs::write(&input, payload).unwrap();
    #[expect(clippy::zombie_processes, reason = "waited for by its id, as what it is: a tracee")]
    let child = Command::new("/bin/sh")
        // The shell waits to be seized, then becomes the program.
        .args(["-c", r#"kill -STOP $$; exec "$0" "$@""#])
        .arg(binary())
        .arg(argument)
        .env_clear()
        .env("HOME", home.path())
        .stdin(File::open(&input).unwrap())
        .stdout(File::create(home.path().join("stdout")).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let pid = Pid::from_raw(child.id().cast_signed());
    waitpid(pid, Some(WaitPidFlag::WUNTRACED)).unwrap();
    let options =
        Options::PTRACE_O_TRACEEXEC | Options::PTRACE_O_TRACESYSGOOD | Options::PTRACE_O_EXITKILL;
    ptrace::seize(pid, options).unwrap();
    kill(pid, Signal::SIGCONT).unwrap();
    loop {
        match waitpid(pid, None).unwrap() {
            WaitStatus::PtraceEvent(_, _, event) if event == Event::PTRACE_EVENT_EXEC as i32 => {
                break;
            }
            _ => ptrace::cont(pid, None).unwrap(),
        }
    }
    let mut started = false;
    let mut seen = 0;
    let mut failing = false;
    let mut reached = false;
    let mut pending = None;
    loop {
        // One that was killed cannot be told to go on; it is waited for all the same.
        ptrace::syscall(pid, pending.take()).unwrap_or_default();
        match waitpid(pid, None).unwrap() {
            WaitStatus::PtraceSyscall(_) if is_entry(pid) => {
                let number = registers::number(pid);
                // What comes before is the loader's, and the system's way to start a program.
                started |= number == libc::SYS_setitimer;
                // A lock that cannot be had, or be given back, is waited for: that is no fault.
                let endless = fault != Fault::Kill && number == libc::SYS_fcntl;
                if !started || !touches_the_world(number) || endless {
                    continue;
                }
                seen += 1;
                if seen < nth || (seen > nth && fault != Fault::ForEver) {
                    continue;
                }
                reached = true;
                if fault == Fault::Kill {
                    kill(pid, Signal::SIGKILL).unwrap();
                    continue;
                }
                failing = true;
                registers::skip(pid);
            }
            WaitStatus::PtraceSyscall(_) if std::mem::take(&mut failing) => registers::fail(pid),
            // A process that is taken step by step would meet its own deadline.
            WaitStatus::Stopped(_, Signal::SIGTRAP | Signal::SIGALRM) => {}
            WaitStatus::Stopped(_, signal) => pending = Some(signal),
            status @ (WaitStatus::Exited(..) | WaitStatus::Signaled(..)) => {
                return Ended { status, reached };
            }
            _ => {}
        }
    }
}

/// Tells whether a process is on its way into a system call. A killed one is on its way nowhere.
fn is_entry(pid: Pid) -> bool {
    ptrace::syscall_info(pid).is_ok_and(|it| it.op == libc::PTRACE_SYSCALL_INFO_ENTRY)
}

/// Calls that can fail in real life. A process cannot be kept from ending.
fn touches_the_world(number: i64) -> bool {
    let spared = [
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sigaltstack,
        libc::SYS_setitimer,
        libc::SYS_set_tid_address,
        libc::SYS_brk,
        libc::SYS_munmap,
        libc::SYS_getpid,
        libc::SYS_geteuid,
        libc::SYS_clock_gettime,
        libc::SYS_nanosleep,
        libc::SYS_clock_nanosleep,
        libc::SYS_futex,
        libc::SYS_getrandom,
        libc::SYS_gettid,
        libc::SYS_tgkill,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_arch_prctl,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_poll,
    ];
    // Memory that is not to be had ends any process; that is another test's business.
    let memory = [libc::SYS_mmap, libc::SYS_mprotect, libc::SYS_mremap, libc::SYS_madvise];
    !spared.contains(&number) && !memory.contains(&number)
}

#[cfg(target_arch = "x86_64")]
mod registers {
    use super::{Pid, libc, ptrace};

    pub(super) fn number(pid: Pid) -> i64 {
        ptrace::getregs(pid).unwrap().orig_rax.cast_signed()
    }

    /// Makes the call that was entered into none.
    pub(super) fn skip(pid: Pid) {
        let mut registers = ptrace::getregs(pid).unwrap();
        registers.orig_rax = u64::MAX;
        ptrace::setregs(pid, registers).unwrap();
    }

    /// Lets the call that ended come back as an error of the device.
    pub(super) fn fail(pid: Pid) {
        let mut registers = ptrace::getregs(pid).unwrap();
        registers.rax = i64::from(-libc::EIO).cast_unsigned();
        ptrace::setregs(pid, registers).unwrap();
    }
}

#[cfg(target_arch = "aarch64")]
mod registers {
    use super::{Pid, libc, ptrace};
    use nix::sys::ptrace::regset::NT_PRSTATUS;

    pub(super) fn number(pid: Pid) -> i64 {
        ptrace::getregs(pid).unwrap().regs[8].cast_signed()
    }

    pub(super) fn skip(pid: Pid) {
        let mut registers = ptrace::getregset::<NT_PRSTATUS>(pid).unwrap();
        registers.regs[8] = u64::MAX;
        ptrace::setregset::<NT_PRSTATUS>(pid, registers).unwrap();
    }

    pub(super) fn fail(pid: Pid) {
        let mut registers = ptrace::getregset::<NT_PRSTATUS>(pid).unwrap();
        registers.regs[0] = i64::from(-libc::EIO).cast_unsigned();
        ptrace::setregset::<NT_PRSTATUS>(pid, registers).unwrap();
    }
}

fn event(name: &str, number: usize) -> Vec<u8> {
    json!({
        "hook_event_name": name, "session_id": "s", "cwd": "/p", "prompt": "go on",
        "prompt_id": format!("p{number}"), "last_assistant_message": format!("message {number}"),
        "reason": "other",
        "tool_calls": [{
            "tool_name": "Edit", "tool_use_id": format!("c{number}"),
            "tool_input": {"file_path": format!("/p/{number}.rs"), "new_string": "x"},
            "tool_response": "done",
        }],
    })
    .to_string()
    .into_bytes()
}

/// A session with events in the ledger and events that wait in the journal.
fn template() -> Home {
    let home = Home::new();
    let names = ["SessionStart", "UserPromptSubmit", "PostToolBatch", "Stop", "UserPromptSubmit"];
    for (number, name) in names.into_iter().chain(["PostToolBatch"; 3]).enumerate() {
        home.silent(event(name, number));
    }
    assert_eq!(home.failures(), Vec::<Value>::new());
    home
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).unwrap();
        }
    }
}

/// How often each event is there, by kind, call and prompt.
fn count(home: &Home) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for event in events(&home.data()) {
        let key = format!("{} {} {}", event["event"], event["call"], event["prompt"]);
        *counts.entry(key).or_default() += 1;
    }
    counts
}

fn assert_sound(home: &Home, what: &str) {
    let mut check = Command::new(binary());
    check.args(["store", "check"]).env_clear().env("HOME", home.path());
    let output = check.output().unwrap();
    assert!(output.status.success(), "{what}: {output:?}");
}

/// A fault at each step of a stop that folds: afterwards every event is there once.
fn stop_survives(fault: Fault, template: &Home) -> usize {
    for nth in 1.. {
        let what = format!("{fault:?} at call {nth}");
        let home = Home::new();
        copy(&template.data(), &home.data());
        let before = count(&home);
        let ended = run(&home, "hook", &event("Stop", 100), nth, fault);
        if !ended.reached {
            return nth - 1;
        }
        let killed = matches!(ended.status, WaitStatus::Signaled(_, Signal::SIGKILL, _));
        let quiet = matches!(ended.status, WaitStatus::Exited(_, 0));
        assert!(if fault == Fault::Kill { killed } else { quiet }, "{what}: {:?}", ended.status);
        let said = fs::read_to_string(home.path().join("stdout")).unwrap();
        assert_eq!(said, "", "{what}");
        let failed_early = home.failures().iter().any(|it| {
            let doing = it["doing"].as_str().unwrap_or_default();
            ["reading", "parsing", "appending"].iter().any(|it| doing.starts_with(it))
        });

        // What comes next works as if nothing had been.
        home.silent(event("Stop", 101));
        let after = count(&home);
        for (key, times) in &before {
            assert_eq!(after.get(key), Some(times), "{what}: {key}");
        }
        assert_eq!(after.get(r#""stop" null "p101""#), Some(&1), "{what}");
        let own = after.get(r#""stop" null "p100""#).copied().unwrap_or(0);
        // Where it could not be said that the event is lost, it is there.
        let told = fault != Fault::Once || failed_early;
        assert!(own == 1 || (own == 0 && told), "{what}: {own} times");
        assert_sound(&home, &what);
    }
    panic!("every process makes an end")
}

#[test]
fn a_stop_survives_a_fault_at_any_call() {
    let template = template();
    for fault in FAULTS {
        let calls = stop_survives(fault, &template);
        assert!(calls > 80, "{calls} calls are fewer than a fold makes");
        println!("{fault:?}: {calls} calls");
    }
}

/// The same where there is no store yet.
#[test]
fn the_first_event_survives_a_fault_at_any_call() {
    for fault in FAULTS {
        for nth in 1.. {
            let what = format!("{fault:?} at call {nth}");
            let home = Home::new();
            let ended = run(&home, "hook", &event("Stop", 100), nth, fault);
            home.silent(event("Stop", 101));
            let after = count(&home);
            assert_eq!(after.get(r#""stop" null "p101""#), Some(&1), "{what}");
            assert!(after.values().all(|it| *it == 1), "{what}: {after:?}");
            assert_sound(&home, &what);
            if !ended.reached {
                assert!(nth > 100, "{nth} calls are fewer than making a store takes");
                break;
            }
        }
    }
}

/// The process that tidies: what it was about to delete is in the ledger.
#[test]
fn tidying_survives_a_fault_at_any_call() {
    let template = template();
    // Ended, and not tidied yet.
    let lock = File::create(template.data().join("tidy.lock")).unwrap();
    lock.lock().unwrap();
    template.silent(event("SessionEnd", 50));
    template.silent(event("PostToolBatch", 51));
    drop(lock);
    let before = count(&template);
    for fault in FAULTS {
        for nth in 1.. {
            let what = format!("{fault:?} at call {nth}");
            let home = Home::new();
            copy(&template.data(), &home.data());
            let ended = run(&home, "tidy", b"", nth, fault);
            assert_eq!(count(&home), before, "{what}");
            let mut tidy = Command::new(binary());
            tidy.arg("tidy").env_clear().env("HOME", home.path());
            assert_silent(&tidy.output().unwrap());
            assert_eq!(count(&home), before, "{what}");
            let left = fs::read_dir(home.data().join("journal")).unwrap().count();
            assert_eq!(left, 0, "{what}: the journal is still there");
            assert_sound(&home, &what);
            if !ended.reached {
                assert!(nth > 100, "{nth} calls are fewer than tidying takes");
                break;
            }
        }
    }
}
