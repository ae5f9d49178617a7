//! The first process of the namespaces: it starts the API and the client, and ends with them.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{WaitOptions, wait};

use crate::api;
use crate::error::{RunError, at};
use crate::spec::{self, Exit, Spec};
use crate::terminal;

const GLANCE: Duration = Duration::from_millis(5);

/// Runs what `file` specifies. No `exit.json` afterwards means that the limit came first.
pub(super) fn run(file: &Path) -> Result<(), RunError> {
    let mut spec: Spec = spec::read(file)?;
    raise_loopback()?;
    let port = api::start(spec.script.clone(), &spec.requests()).map_err(at(spec.requests()))?;
    let address = format!("http://127.0.0.1:{port}");
    spec.environment.insert("ANTHROPIC_BASE_URL".to_owned(), address);
    spec::write(file, &spec)?;
    let limit = Instant::now() + Duration::from_millis(spec.limit_ms);
    match &spec.terminal {
        None => run_plain(&spec, limit)?,
        Some(socket) => run_in_terminal(file, &spec, socket, limit)?,
    }
    let linger = Instant::now() + Duration::from_millis(spec.linger_ms);
    reap_until(linger, |_| false)?;
    Ok(())
}

/// Runs the client on the terminal of this process.
pub(super) fn pane(file: &Path) -> Result<(), RunError> {
    let spec: Spec = spec::read(file)?;
    let started = Instant::now();
    let mut child = client(&spec)?.spawn().map_err(at(&spec.client))?;
    let status = child.wait().map_err(at(&spec.client))?;
    write_exit(&spec, status.code(), started)
}

fn run_plain(spec: &Spec, limit: Instant) -> Result<(), RunError> {
    let stdout = File::create(spec.stdout()).map_err(at(spec.stdout()))?;
    let started = Instant::now();
    let mut command = client(spec)?;
    let child = command.stdin(Stdio::null()).stdout(stdout).spawn().map_err(at(&spec.client))?;
    match reap_until(limit, |it| it.pid == child.id())? {
        Reaping::Found(client) => write_exit(spec, client.code, started),
        Reaping::Late | Reaping::Nobody => Ok(()),
    }
}

fn run_in_terminal(
    file: &Path,
    spec: &Spec,
    socket: &Path,
    limit: Instant,
) -> Result<(), RunError> {
    let program = std::env::current_exe().map_err(at("rig"))?;
    let mut command = terminal::tmux(socket);
    command.args(["new-session", "-d", "-s", "rig", "-x", "160", "-y", "50"]);
    let status = command.arg(program).arg("pane").arg(file).status().map_err(at("tmux"))?;
    if !status.success() {
        return Err(RunError::Inside { stderr: format!("tmux: {status}") });
    }
    // The terminal's server has become a child of this process and ends with its only window.
    while !spec.exit().exists() && Instant::now() < limit {
        if let Reaping::Nobody = reap_until(Instant::now() + GLANCE, |_| false)?
            && !spec.exit().exists()
        {
            let stderr = "the terminal ended before the client".to_owned();
            return Err(RunError::Inside { stderr });
        }
    }
    Ok(())
}

fn client(spec: &Spec) -> Result<Command, RunError> {
    let stderr = File::create(spec.stderr()).map_err(at(spec.stderr()))?;
    let mut command = Command::new(&spec.client);
    command
        .args(&spec.arguments)
        .env_clear()
        .envs(&spec.environment)
        .current_dir(&spec.project)
        .stderr(stderr);
    Ok(command)
}

fn write_exit(spec: &Spec, code: Option<i32>, started: Instant) -> Result<(), RunError> {
    let wall_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    spec::write(&spec.exit(), &Exit { code, wall_us })
}

/// A child that has ended.
struct Reaped {
    pid: u32,
    code: Option<i32>,
}

/// How a wait for children went.
enum Reaping {
    Found(Reaped),
    Late,
    Nobody,
}

/// Takes leave of children, orphans of other processes among them, until one is `sought`, the time
/// is over, or none is left.
fn reap_until(end: Instant, sought: impl Fn(&Reaped) -> bool) -> Result<Reaping, RunError> {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) => {
                let pid = pid.as_raw_nonzero().get().unsigned_abs();
                let reaped = Reaped { pid, code: status.exit_status() };
                if sought(&reaped) {
                    return Ok(Reaping::Found(reaped));
                }
            }
            Ok(None) if Instant::now() < end => thread::sleep(GLANCE),
            Ok(None) => return Ok(Reaping::Late),
            Err(Errno::CHILD) => return Ok(Reaping::Nobody),
            Err(error) => return Err(at("wait")(error.into())),
        }
    }
}

fn raise_loopback() -> Result<(), RunError> {
    let done = Command::new("ip").args(["link", "set", "lo", "up"]).output().map_err(at("ip"))?;
    if done.status.success() {
        return Ok(());
    }
    Err(RunError::Inside { stderr: String::from_utf8_lossy(&done.stderr).into_owned() })
}
