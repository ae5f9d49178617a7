//! Two threads that call, and one that looks on.

use std::mem;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::plan::{EVENTS, HOME, Play, Sample};
use super::totals::Totals;
use super::verdict::{self, Judgement};
use super::window::{self, State, Times, Window};
use crate::bench::rounds::Dice;
use crate::bench::world::{Session, World};
use crate::error::Error;
use crate::{orphans, print, release};

/// Sessions at the same time, and the threads that play them.
const SESSIONS: u64 = 16;
const THREADS: u64 = 2;
/// Calls in a window; fewer where there are fewer windows than this.
const WINDOW: u64 = 50_000;
const WINDOWS: u64 = 8;
/// The ceiling of the store, in megabytes: low, so that it is reached.
const CEILING_MB: u64 = 64;

/// How long it goes on: until there were so many calls, or so much time has passed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    calls: u64,
    time: Option<Duration>,
}

impl Extent {
    const USUAL: u64 = 1_000_000;

    /// With neither, the usual number of calls; with only a time, as many as fit into it.
    pub(crate) fn new(calls: Option<u64>, minutes: Option<u64>) -> Self {
        let usual = if minutes.is_some() { u64::MAX } else { Self::USUAL };
        let time = minutes.map(|it| Duration::from_secs(it.saturating_mul(60)));
        Self { calls: calls.unwrap_or(usual), time }
    }

    fn window(self) -> u64 {
        (self.calls / WINDOWS).clamp(1, WINDOW)
    }
}

/// Plays, looks at what is left, and fails where something is that must not be.
pub(crate) fn run(extent: Extent) -> Result<ExitCode, Error> {
    let binary = release::build_static()?;
    orphans::adopt()?;
    let world = World::new()?;
    world.write_user_settings(&format!("ledger.max_mb = {CEILING_MB}\n"))?;
    let session = world.session_in(HOME, HOME, 0)?;
    print::line(format!(
        "{SESSIONS} sessions in {THREADS} threads. Times are p50/p99 in ms, sizes in MB.\n"
    ));
    let Played { sent, windows, largest } = play(&world, &binary, &session, extent)?;
    print::line("");
    let mut findings = verdict::judge(&session, &binary, &sent, largest, CEILING_MB << 20)?;
    findings.extend(verdict::slowdown(&windows));
    for finding in &findings {
        let mark = match finding.judgement {
            Judgement::Holds => "ok    ",
            Judgement::Warning => "slow  ",
            Judgement::Broken => "broken",
        };
        print::line(format!("{mark} {}", finding.text));
    }
    let broken = findings.iter().any(|it| it.judgement == Judgement::Broken);
    Ok(if broken { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// What was seen from outside.
#[derive(Default)]
struct Played {
    /// Everything that was sent.
    sent: Totals,
    /// What the calls of each window took.
    windows: Vec<[Times; EVENTS.len()]>,
    largest: State,
}

fn play(world: &World, binary: &Path, session: &Session, extent: Extent) -> Result<Played, Error> {
    let left = AtomicU64::new(extent.calls);
    let stop = AtomicBool::new(false);
    let (sender, samples) = mpsc::channel();
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (sender, left, stop) = (sender.clone(), &left, &stop);
            scope.spawn(move || {
                let result = call(world, binary, thread, &sender, || {
                    let one_less = |it: u64| it.checked_sub(1);
                    let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less);
                    taken.is_ok() && !stop.load(Ordering::Relaxed)
                });
                if let Err(error) = result {
                    stop.store(true, Ordering::Relaxed);
                    #[expect(clippy::let_underscore_must_use, reason = "nobody listens any more")]
                    let _ = sender.send(Err(error));
                }
            });
        }
        drop(sender);
        let watched = watch(&samples, session, extent, &stop);
        stop.store(true, Ordering::Relaxed);
        watched
    })
}

type Message = Result<Sample, Error>;

/// Plays the sessions of one thread, in an order that the dice make.
fn call(
    world: &World,
    binary: &Path,
    thread: u64,
    sender: &Sender<Message>,
    go_on: impl Fn() -> bool,
) -> Result<(), Error> {
    let places = (0..SESSIONS).filter(|it| it % THREADS == thread);
    let plays = places.map(|place| Play::new(world, binary, place));
    let mut plays = plays.collect::<Result<Vec<_>, Error>>()?;
    let mut dice = Dice::of(SESSIONS + thread);
    while go_on() {
        let which = dice.below(plays.len());
        let sample = plays[which].next()?;
        if sender.send(Ok(sample)).is_err() {
            break;
        }
    }
    Ok(())
}

/// Counts what is sent, and prints a line for each window.
fn watch(
    samples: &mpsc::Receiver<Message>,
    session: &Session,
    extent: Extent,
    stop: &AtomicBool,
) -> Result<Played, Error> {
    const LOOK: Duration = Duration::from_millis(200);
    let (mut played, mut window) = (Played::default(), Window::default());
    let (start, mut begun, mut looked) = (Instant::now(), Instant::now(), Instant::now());
    let mut calls = 0;
    let size = usize::try_from(extent.window()).unwrap_or(usize::MAX);
    print::line(window::heading());
    loop {
        match samples.recv_timeout(LOOK) {
            Ok(sample) => {
                let sample = sample?;
                played.sent.add(&sample);
                window.add(&sample);
                calls += 1;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if window.calls() == size {
            played.close(mem::take(&mut window), begun.elapsed(), calls, &session.data);
            begun = Instant::now();
        }
        if looked.elapsed() >= LOOK {
            looked = Instant::now();
            orphans::bury()?;
            if extent.time.is_some_and(|it| start.elapsed() >= it) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    }
    if window.calls() > 0 {
        played.close(window, begun.elapsed(), calls, &session.data);
    }
    Ok(played)
}

impl Played {
    fn close(&mut self, window: Window, took: Duration, calls: u64, data: &Path) {
        let state = State::of(data);
        let rate = window::rate(window.calls(), took);
        let times = window.close();
        print::line(window::line(calls, rate, &times, state));
        self.windows.push(times);
        self.largest = self.largest.largest(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_alone_sets_no_bound_to_the_calls() {
        assert_eq!(Extent::new(None, None).calls, 1_000_000);
        assert_eq!(Extent::new(None, Some(3)).calls, u64::MAX);
        let both = Extent::new(Some(20_000), Some(3));
        assert_eq!((both.calls, both.time), (20_000, Some(Duration::from_mins(3))));
        assert_eq!((both.window(), Extent::new(None, None).window()), (2_500, 50_000));
        assert_eq!(Extent::new(Some(1), None).window(), 1);
    }
}
