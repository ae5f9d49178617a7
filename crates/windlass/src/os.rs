//! The deadline of our own: a timer that ends the process quietly.
//!
//! A hook that hangs holds up the agent, and the client reports one that dies of a signal as an
//! error. So the process ends by itself, with exit code 0 and a failure record, before the
//! client's limit. A signal handler cannot be set without `unsafe`.
//!
//! A command that we run for a stop does not outlive us: whatever ends us, and can be heard, ends
//! its process group first. `SIGKILL` cannot be heard; then the command is left to end by itself.
//! A progress bar does not outlive us either.
#![expect(unsafe_code, reason = "signal handler and timer; each call says why it is sound")]

use std::ffi::{CStr, CString, OsString, c_int};
use std::io::{IoSlice, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Once, OnceLock};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use windlass_core::Timestamp;

use crate::journal::header;
use crate::step::Step;

/// What the handler needs. It is made beforehand, because the handler must not allocate.
struct Alarm {
    log: Option<CString>,
    at: Timestamp,
}

static ALARM: OnceLock<Alarm> = OnceLock::new();

/// Whether an answer is being written, which the deadline must not cut in two.
static ANSWERING: AtomicBool = AtomicBool::new(false);

/// The process group of a command that runs for us; 0 where none does.
static GROUP: AtomicI32 = AtomicI32::new(0);

/// What the client, a terminal or the system may send to end us.
const ENDINGS: [c_int; 3] = [libc::SIGTERM, libc::SIGINT, libc::SIGHUP];

/// How often the timer comes again. The first time ends the process, or wakes whoever writes the
/// answer; a signal that comes right before a call that waits would else be lost.
const AGAIN: Duration = Duration::from_millis(200);

/// The home directory of the account that this process runs under, as the system lists it. A static
/// build reads `/etc/passwd` and asks `nscd`; macOS asks its directory service.
pub(crate) fn account_home() -> Option<OsString> {
    let mut buffer = vec![0; 16 << 10];
    let mut entry = MaybeUninit::<libc::passwd>::uninit();
    let mut found = ptr::null_mut();
    // SAFETY: all pointers are valid for the call, and the length is that of the buffer. Where an
    // entry is found, its texts lie in the buffer, which outlives their use below.
    let home = unsafe {
        let buffer_start = buffer.as_mut_ptr();
        let id = libc::getuid();
        let code =
            libc::getpwuid_r(id, entry.as_mut_ptr(), buffer_start, buffer.len(), &raw mut found);
        if code != 0 || found.is_null() || (*found).pw_dir.is_null() {
            return None;
        }
        CStr::from_ptr((*found).pw_dir).to_bytes().to_vec()
    };
    Some(OsString::from_vec(home)).filter(|it| Path::new(it).is_absolute())
}

/// Ends the process after `limit`, quietly. The failure goes to `log`.
pub(crate) fn arm(limit: Duration, log: Option<PathBuf>, at: Timestamp) {
    let log = log.and_then(|it| CString::new(it.into_os_string().into_vec()).ok());
    if ALARM.set(Alarm { log, at }).is_ok() {
        // SAFETY: a zeroed `sigaction` is a valid one (no flags, empty mask), the handler calls
        // only functions that are safe in a signal handler, and the set is made before it is used.
        unsafe {
            let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
            action.sa_sigaction = on_alarm as *const () as libc::sighandler_t;
            libc::sigaction(libc::SIGALRM, &raw const action, ptr::null_mut());
            // Whoever started us may have blocked the signal.
            let mut alarm = MaybeUninit::<libc::sigset_t>::zeroed().assume_init();
            libc::sigemptyset(&raw mut alarm);
            libc::sigaddset(&raw mut alarm, libc::SIGALRM);
            libc::sigprocmask(libc::SIG_UNBLOCK, &raw const alarm, ptr::null_mut());
            // A file that may not grow is an error to record, not a reason to die.
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        }
    }
    set(limit);
}

/// Moves the deadline: from now on, `limit`.
pub(crate) fn set(limit: Duration) {
    let time = |it: Duration| libc::timeval {
        tv_sec: it.as_secs().try_into().unwrap_or(1),
        tv_usec: it.subsec_micros().into(),
    };
    let timer = libc::itimerval { it_interval: time(AGAIN), it_value: time(limit) };
    // SAFETY: the pointer is to a value that lives across the call.
    unsafe {
        libc::setitimer(libc::ITIMER_REAL, &raw const timer, ptr::null_mut());
    }
}

/// Does something that the deadline interrupts (`EINTR`), again and again, and does not end.
pub(crate) fn interrupted<T>(answer: impl FnOnce() -> T) -> T {
    ANSWERING.store(true, Ordering::Relaxed);
    let answered = answer();
    ANSWERING.store(false, Ordering::Relaxed);
    answered
}

/// A process group that ends when we are ended. Dropped once it has ended by itself.
#[derive(Debug)]
pub(crate) struct Ward(());

impl Ward {
    /// Takes a group in, by the process that leads it.
    pub(crate) fn of(leader: u32) -> Self {
        GROUP.store(i32::try_from(leader).unwrap_or(0), Ordering::Relaxed);
        handle_endings(on_ending as *const () as libc::sighandler_t);
        Self(())
    }
}

impl Drop for Ward {
    fn drop(&mut self) {
        handle_endings(libc::SIG_DFL);
        GROUP.store(0, Ordering::Relaxed);
    }
}

fn handle_endings(handler: libc::sighandler_t) {
    for signal in ENDINGS {
        // SAFETY: the handler is the default one, or one that calls only functions that are safe in
        // a signal handler.
        unsafe { libc::signal(signal, handler) };
    }
}

extern "C" fn on_ending(_signal: c_int) {
    end_group();
    // SAFETY: ends the process without running anything else.
    unsafe { libc::_exit(0) }
}

/// From now on, until `leave_line`, whatever ends us and can be heard takes the line away first that
/// the cursor of the terminal stands on. What somebody has us ignore stays ignored.
pub(crate) fn hold_line() {
    for signal in ENDINGS {
        // SAFETY: the handler calls only functions that are safe in a signal handler.
        let before =
            unsafe { libc::signal(signal, on_ending_in_line as *const () as libc::sighandler_t) };
        if before == libc::SIG_IGN {
            // SAFETY: as it was.
            unsafe { libc::signal(signal, before) };
        }
    }
}

/// Whatever ends us ends us as usual.
pub(crate) fn leave_line() {
    for signal in ENDINGS {
        // SAFETY: the handler is the default one.
        let before = unsafe { libc::signal(signal, libc::SIG_DFL) };
        if before == libc::SIG_IGN {
            // SAFETY: as it was.
            unsafe { libc::signal(signal, before) };
        }
    }
}

extern "C" fn on_ending_in_line(signal: c_int) {
    #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
    let _ = rustix::io::write(rustix::stdio::stderr(), b"\r\x1b[2K");
    // SAFETY: both are safe in a signal handler. The signal comes again when this one is done, and
    // ends us, so that whoever waits for us learns why.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

fn end_group() {
    let group = GROUP.load(Ordering::Relaxed);
    if group > 0 {
        // SAFETY: a plain system call. The group is that of a command that runs, or that ended a
        // moment ago.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
}

/// Keeps every file that is open, other than stdin, stdout and stderr, from the programs that we
/// start from now on. Ours are so already; what whoever started us left open is not.
pub(crate) fn keep_files() {
    let Ok(open) = std::fs::read_dir("/dev/fd") else { return };
    for name in open.flatten() {
        let number = name.file_name().to_str().and_then(|it| it.parse::<c_int>().ok());
        if let Some(file) = number.filter(|it| *it > 2) {
            // SAFETY: sets a flag of a descriptor and touches no memory; one that is closed by now
            // is refused.
            unsafe { libc::fcntl(file, libc::F_SETFD, libc::FD_CLOEXEC) };
        }
    }
}

extern "C" fn on_alarm(_signal: c_int) {
    if !ANSWERING.load(Ordering::Relaxed) {
        leave("our own deadline passed");
    }
}

extern "C" fn on_bus(_signal: c_int) {
    leave("a file was cut while it was read");
}

/// From now on a hook that reads a mapped file which somebody cuts ends quietly: the agent must not
/// see it die.
pub(crate) fn outlive_cut_files() {
    static SET: Once = Once::new();
    if ALARM.get().is_some() {
        // SAFETY: the handler calls only functions that are safe in a signal handler.
        SET.call_once(|| unsafe {
            libc::signal(libc::SIGBUS, on_bus as *const () as libc::sighandler_t);
        });
    }
}

/// Ends the process with a record of why.
fn leave(error: &str) -> ! {
    end_group();
    if let Some(Alarm { log: Some(log), at }) = ALARM.get() {
        let mut buffer = [0_u8; 256];
        let mut rest = &mut buffer[..];
        let doing = Step::current().doing();
        let written = write!(
            rest,
            r#"{{"event":"failure","at":{},"doing":"{doing}","error":"{error}"}}"#,
            at.0
        );
        let left = rest.len();
        let body = &buffer[..buffer.len() - left];
        if let (Ok(()), Ok(file)) = (written, open(log)) {
            let header = header(body);
            let frame = [IoSlice::new(&header), IoSlice::new(body)];
            #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
            let _ = rustix::io::writev(&file, &frame);
        }
    }
    // SAFETY: ends the process without running anything else.
    unsafe { libc::_exit(0) }
}

/// Opens the log, and makes its directories where they are missing. It allocates nothing.
fn open(log: &CStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::WRONLY
        | OFlags::APPEND
        | OFlags::CREATE
        | OFlags::NOFOLLOW
        | OFlags::NONBLOCK
        | OFlags::NOCTTY;
    let open = || rustix::fs::open(log, flags, Mode::RUSR | Mode::WUSR);
    open().or_else(|error| {
        let mut path = [0_u8; 4096];
        let bytes = log.to_bytes();
        let place = path.get_mut(..bytes.len()).ok_or(error)?;
        place.copy_from_slice(bytes);
        for at in (1..bytes.len()).filter(|it| bytes[*it] == b'/') {
            path[at] = 0;
            if let Ok(directory) = CStr::from_bytes_until_nul(&path) {
                #[expect(clippy::let_underscore_must_use, reason = "most of them are there")]
                let _ = rustix::fs::mkdir(directory, Mode::RWXU);
            }
            path[at] = b'/';
        }
        open()
    })
}
