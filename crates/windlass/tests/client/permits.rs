//! The rules of `init --permit` in the real client: our commands run unasked, and no others.

use rig::{Client, Outcome, RunError, Script, VERSIONS, or_skip, turn};

use super::{Done, World};

/// A line that the rules permit, and a part of what only the program answers to it.
const LINE: &str = "windlass candidates --help";
const ANSWER: &str = "sage: windlass";

/// Lines that they do not: another command of ours, and one of others behind ours.
const OTHERS: [&str; 2] = ["windlass store --help", "windlass candidates --help; touch new"];

impl World {
    /// What becomes of a command in a client that asks before it runs one, with nobody to answer.
    fn unattended(&self, command: &str) -> Result<Outcome, RunError> {
        let programs = self.sandbox.home().join(".local/bin");
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display());
        let script = Script::new([turn("a command").bash(command), turn("done")]);
        let run = self.sandbox.run(&self.client, script).prompt("settle what was learned");
        self.played(run.env("PATH", &path).permission_mode("default"))
    }
}

#[test]
fn a_permit_spares_the_question_for_our_commands_only() -> Done {
    for client in VERSIONS.iter().filter_map(|it| or_skip(Client::find(it))) {
        let world = World::new(client)?;
        let version = world.client.version();
        assert!(!world.unattended(LINE)?.saw(ANSWER), "{version}: it ran without a rule");
        world.install_with(&["--permit"]);
        let outcome = world.unattended(LINE)?;
        assert!(outcome.saw(ANSWER), "{version}: {:?}", outcome.seen("windlass"));
        for line in OTHERS {
            assert!(!world.unattended(line)?.saw(ANSWER), "{version}: {line}");
        }
    }
    Ok(())
}
