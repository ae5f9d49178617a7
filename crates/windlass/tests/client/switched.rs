//! The user's off-switch, while the real client is at work.

use std::fs;
use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rig::{Script, turn};

use super::gates::{asks, worlds};
use super::{Done, World};
use crate::support::{outside, said};

/// What `explain` says of a gate that would have asked.
const OFF: &str = "proof: switched off by";

impl World {
    /// The user waits in another terminal until the agent is at work, and switches the gates off.
    fn switch_off_meanwhile(&self) -> JoinHandle<()> {
        let (home, project) = (self.sandbox.home(), self.sandbox.project());
        thread::spawn(move || {
            wait_for(&project.join("at-work"));
            said(&outside(&home, &project, &["gate", "off"]), 0);
            fs::write(project.join("switched"), "").unwrap();
        })
    }
}

fn wait_for(file: &Path) {
    let started = Instant::now();
    while !file.exists() {
        assert!(started.elapsed() < Duration::from_mins(1), "{} never came", file.display());
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_next_stop_passes_when_the_gates_are_switched_off() -> Done {
    for (world, mode) in worlds() {
        let context = format!("{} {mode}", world.client.version());
        let claim = || turn("All tests pass.");
        let user = world.switch_off_meanwhile();
        let outcome = world.play(
            mode,
            [
                world.add("one.js"),
                claim(),
                turn("work").bash("touch at-work; until test -f switched; do sleep 0.1; done"),
                world.add("two.js"),
                claim(),
            ],
        )?;
        user.join().unwrap();
        assert_eq!(asks(&outcome).len(), 1, "{context}");
        assert_eq!(world.verdicts(), ["ask", "pass"], "{context}");
        assert!(world.last_stop()["rules"].to_string().contains(OFF), "{context}");

        said(&outside(&world.sandbox.home(), &world.sandbox.project(), &["gate", "on"]), 0);
        let script = Script::new([world.add("three.js"), claim()]);
        let run = world.allowed(script).permission_mode(mode).env("WINDLASS_GATES", "off");
        assert_eq!(asks(&world.played(run)?), Vec::<String>::new(), "{context}");
        assert_eq!(world.verdicts(), ["ask", "pass", "pass"], "{context}");
        assert!(world.last_stop()["rules"].to_string().contains(OFF), "{context}");
    }
    Ok(())
}
