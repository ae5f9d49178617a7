//! Runs that the user of the real client refuses at the dialog, or interrupts: they did not fail.

use std::time::Duration;

use rig::{Kind, Live, Script, Step, turn};

use super::gates::{asks, with_tests};
use super::{Done, World, in_each, worlds_with_terminal};
use crate::support::rows;

/// A test that says in its first line that it fails, and then takes long.
const SLOW_TEST: &str = "echo '1 failing'; touch \"at-work-$1\"; sleep 600; exit 1\n";

/// What the dialog of the client says.
const DIALOG: &str = "Do you want to proceed?";

/// What the agent says in the end.
const HONEST: &str = "The parser is changed. The tests could not run.";

/// How the user turns a run away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// Escape at the dialog.
    Escape,
    /// The last line of the dialog.
    No,
    /// The last line of the dialog, with words for the agent, which goes on at once.
    Amended,
    /// Yes, and Escape while the command runs.
    Interrupt,
}

const ANSWERS: [Answer; 4] = [Answer::Escape, Answer::No, Answer::Amended, Answer::Interrupt];

/// The dialog takes no Enter of a user who cannot have read it yet.
const READING: Duration = Duration::from_millis(1500);

impl Answer {
    /// The keys of the user, up to the moment when the agent has the last word.
    fn steps(self, number: usize) -> Vec<Step> {
        let key = |name: &str| Step::Key(name.to_owned());
        let mut steps = vec![Step::Wait(DIALOG.to_owned()), Step::Sleep(READING)];
        match self {
            Self::Escape => steps.push(key("Escape")),
            Self::No => steps.extend([key("Up"), at_no(), key("Enter")]),
            Self::Amended => {
                let can_type = |live: &Live<'_>| live.screen().contains("No, ");
                steps.extend([key("Up"), at_no(), key("Tab")]);
                steps.push(Step::WaitFor("a place for words".to_owned(), Box::new(can_type)));
                steps.push(Step::Type("use just test".to_owned()));
                steps.extend([Step::Wait("use just test".to_owned()), key("Enter")]);
            }
            Self::Interrupt => {
                let file = format!("at-work-{number}");
                let runs = move |live: &Live<'_>| live.sandbox().project().join(&file).exists();
                steps.push(key("Enter"));
                steps.push(Step::WaitFor("the test".to_owned(), Box::new(runs)));
                steps.push(key("Escape"));
            }
        }
        let is_over = |live: &Live<'_>| !live.screen().contains(DIALOG);
        steps.push(Step::WaitFor("the end of the dialog".to_owned(), Box::new(is_over)));
        if self != Self::Amended {
            steps.push(Step::idle());
            steps.push(Step::Prompt(format!("what now {number}")));
        }
        steps
    }
}

/// Waits until the last line of the dialog is chosen.
fn at_no() -> Step {
    let is_chosen = |live: &Live<'_>| {
        live.screen().lines().any(|it| it.trim_start().starts_with('❯') && it.contains(". No"))
    };
    Step::WaitFor("the last line".to_owned(), Box::new(is_chosen))
}

impl World {
    /// Plays a session in which each way of refusing ends with these words, and returns what
    /// the model was asked.
    fn turned_away(&self, last: &[&str]) -> Result<Vec<String>, rig::RunError> {
        self.sandbox.file("test.sh", SLOW_TEST)?;
        let (mut turns, mut steps) = (Vec::new(), Vec::new());
        for (number, answer) in ANSWERS.into_iter().enumerate() {
            turns.push(self.add(&format!("parser-{answer:?}.js")));
            turns.push(turn("A test").bash(&format!("npm test -- {number}")));
            turns.extend(last.iter().map(|it| turn(it)));
            steps.push(Step::Prompt(format!("change parser {number}")));
            steps.extend(answer.steps(number));
            steps.push(Step::recorded("Stop", (number + 1) * last.len()));
            steps.push(Step::idle());
        }
        steps.push(Step::Prompt("/exit".to_owned()));
        let run = self.sandbox.run(&self.client, Script::new(turns)).permission_mode("default");
        let outcome = run.args(["--allowedTools", "Edit,Write"]).tui(steps)?;
        let version = self.client.version();
        assert_eq!(outcome.hook_errors(), Vec::<String>::new(), "{version}");
        // All that the script has was said, so nothing was refused but the runs.
        let said = ANSWERS.len() * (2 + last.len());
        assert_eq!(outcome.asked(&Kind::Main).count(), said, "{version}");
        Ok(asks(&outcome))
    }

    /// What became of the runs, as the ledger has it.
    fn results_of_runs(&self) -> Vec<String> {
        let query = "SELECT result FROM calls WHERE tool_name = 'Bash' ORDER BY event";
        let rows = rows(&self.data(), query).into_iter();
        rows.map(|it| it["result"].as_str().unwrap_or("none").to_owned()).collect()
    }
}

#[test]
fn a_run_that_the_user_turns_away_is_never_called_a_failure() -> Done {
    in_each(worlds_with_terminal().map(with_tests), |world| {
        let version = world.client.version();
        assert_eq!(world.turned_away(&[HONEST])?, Vec::<String>::new(), "{version}");
        assert_eq!(world.verdicts(), ["pass"; ANSWERS.len()], "{version}");
        let results = world.results_of_runs();
        assert!(results.iter().all(|it| it != "failed"), "{version}: {results:?}");
        Ok(())
    })
}

#[test]
fn a_run_that_the_user_turns_away_carries_no_claim() -> Done {
    in_each(worlds_with_terminal().map(with_tests), |world| {
        let asks = world.turned_away(&["All tests pass.", "I could not run them."])?;
        let context = format!("{}: {asks:?}", world.client.version());
        assert_eq!(asks.len(), ANSWERS.len(), "{context}");
        let is_right = |it: &String| it.contains("[proof]") && !it.contains("failed");
        assert!(asks.iter().all(is_right), "{context}");
        Ok(())
    })
}
