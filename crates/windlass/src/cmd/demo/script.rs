//! The session that is played, and the project that it is about, as data.

use crate::agent::claude::actor::{Act, Call, Who};

/// One step of the session.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) act: Act,
    /// What to notice, where it is not plain.
    pub(super) note: Option<&'static str>,
    /// Whether the decision upon it is explained at the end.
    pub(super) explained: bool,
}

const fn step(act: Act) -> Step {
    Step { act, note: None, explained: false }
}

const fn noted(act: Act, note: &'static str) -> Step {
    Step { act, note: Some(note), explained: false }
}

/// The name of the project.
pub(super) const PROJECT: &str = "tally";

/// The command that proves something here.
pub(super) const TEST: &str = "cargo test";

/// What stands for the secret in a text.
pub(super) const SECRET: &str = "<secret>";

/// A token that nobody gave out. It is put together here, so that no search for secrets in our own
/// source finds it.
pub(super) fn secret() -> String {
    ["gh", "p_", "k7Tq2mZx9Rw4Lc8Vb3Nf6Hs1Jd5Gy0Pa2E4u"].concat()
}

/// Directories of the project; git looks for the first two.
pub(super) const DIRECTORIES: &[&str] = &[".git/objects", ".git/refs/heads", "src", "tests"];

/// Files of the project.
pub(super) const FILES: &[(&str, &str)] = &[
    (".git/HEAD", "ref: refs/heads/main\n"),
    (
        ".git/config",
        "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://example.com/tally.git\n",
    ),
    (".gitignore", "/.env\n/target\n"),
    (".env", "REGISTRY_TOKEN=<secret>\n"),
    // A project that would like to have something run.
    (".windlass.toml", "[statusline]\ncommand = [\"./line.sh\"]\n"),
    ("line.sh", "#!/bin/sh\necho tally\n"),
    ("README.md", "# tally\n\n`seconds` reads `90s`.\n"),
    ("Cargo.toml", "[package]\nname = \"tally\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
    (
        "src/lib.rs",
        "/// Seconds in a text such as `90s`.\n\
         pub fn seconds(text: &str) -> Option<u64> {\n    \
             text.strip_suffix('s')?.parse().ok()\n\
         }\n",
    ),
    (
        "tests/seconds.rs",
        "use tally::seconds;\n\n\
         #[test]\nfn counts_seconds() {\n    assert_eq!(seconds(\"90s\"), Some(90));\n}\n",
    ),
];

const SOURCE: &str = "src/lib.rs";
const TESTS: &str = "tests/seconds.rs";
const README: &str = "README.md";

const FAILED: &str = "running 2 tests\n\
    test counts_seconds ... ok\n\
    test counts_minutes ... FAILED\n\n\
    assertion `left == right` failed\n  left: Some(2)\n right: Some(120)\n\n\
    test result: FAILED. 1 passed; 1 failed";

const PASSED: &str = "running 2 tests\n\
    test counts_seconds ... ok\n\
    test counts_minutes ... ok\n\n\
    test result: ok. 2 passed; 0 failed";

/// The first session, in order.
pub(super) const FIRST: &[Step] = &[
    noted(
        Act::Start,
        "This project names a program for the status line: it is not run. The first event also \
         makes the store.",
    ),
    step(Act::Prompt("Let `seconds` understand minutes too, and prove it.")),
    step(Act::Calls(Who::Agent, &[Call::Read { file: SOURCE }, Call::Read { file: TESTS }])),
    step(Act::Calls(
        Who::Agent,
        &[
            Call::Edit {
                file: SOURCE,
                old: "    text.strip_suffix('s')?.parse().ok()\n",
                new: "    match text.strip_suffix('m') {\n        \
                        Some(minutes) => minutes.parse().ok(),\n        \
                        None => text.strip_suffix('s')?.parse().ok(),\n    }\n",
            },
            Call::Edit {
                file: TESTS,
                old: "Some(90));\n}\n",
                new: "Some(90));\n}\n\n#[test]\nfn counts_minutes() {\n    \
                      assert_eq!(seconds(\"2m\"), Some(120));\n}\n",
            },
        ],
    )),
    step(Act::Calls(Who::Agent, &[Call::Run { command: TEST, exit: 101, output: FAILED }])),
    noted(
        Act::Calls(
            Who::Agent,
            &[Call::Run { command: "cat .env", exit: 0, output: "REGISTRY_TOKEN=<secret>" }],
        ),
        "The agent read a token. What is kept of it was redacted before the first write.",
    ),
    step(Act::Calls(
        Who::Agent,
        &[Call::Edit {
            file: SOURCE,
            old: "minutes.parse().ok(),",
            new: "minutes.parse::<u64>().ok().map(|it| it * 60),",
        }],
    )),
    step(Act::Calls(Who::Agent, &[Call::Run { command: TEST, exit: 0, output: PASSED }])),
    step(Act::AgentStart),
    step(Act::Calls(Who::Subagent, &[Call::Read { file: SOURCE }])),
    step(Act::AgentStop("`it * 60` can overflow. Use `checked_mul`.")),
    step(Act::Calls(
        Who::Agent,
        &[Call::Delegate {
            task: "Review the change",
            answer: "`it * 60` can overflow. Use `checked_mul`.",
        }],
    )),
    step(Act::Calls(
        Who::Agent,
        &[Call::Edit {
            file: SOURCE,
            old: "ok().map(|it| it * 60),",
            new: "ok()?.checked_mul(60),",
        }],
    )),
    Step {
        act: Act::Stop("Done: `seconds` understands minutes, and all tests pass."),
        note: Some("They passed before the last edit, so windlass asks, and the agent goes on."),
        explained: true,
    },
    step(Act::Calls(Who::Agent, &[Call::Run { command: TEST, exit: 0, output: PASSED }])),
    noted(
        Act::Stop(
            "Now I did: 2 tests, both pass. The root cause of the failure was that `parse` gives \
             minutes as they are written, so `2m` was 2 seconds.",
        ),
        "The agent said why it broke. That is kept before anybody is asked about it.",
    ),
    step(Act::Prompt("Name minutes in the readme, too.")),
    step(Act::Calls(
        Who::Agent,
        &[Call::Edit { file: README, old: "`90s`", new: "`90s` and `2m`" }],
    )),
    noted(
        Act::Stop("The readme names minutes now."),
        "No test could prove a text, and the agent claims none: it may stop.",
    ),
    step(Act::End),
];

/// A later session, once the user has kept what was learned.
pub(super) const LATER: &[Step] = &[
    noted(Act::Start, "A new agent, who knows nothing of the first session, is told what it did."),
    noted(
        Act::Prompt("Now `1h` fails: are hours parsed as they are written, like minutes were?"),
        "What was learned comes back where it fits, as data, and once.",
    ),
    noted(
        Act::Prompt("Thanks. And please sort the imports by their names."),
        "Nothing that is known fits this, so nothing is said.",
    ),
    step(Act::End),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Act, Call, DIRECTORIES, FILES, FIRST, LATER};

    #[test]
    fn every_edit_finds_what_it_replaces() {
        let mut files: BTreeMap<&str, String> =
            FILES.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
        let calls = FIRST.iter().chain(LATER).filter_map(|it| match it.act {
            Act::Calls(_, calls) => Some(calls),
            _ => None,
        });
        for call in calls.flatten() {
            match call {
                Call::Edit { file, old, new } => {
                    let text = files.get_mut(file).unwrap();
                    assert!(text.contains(old), "{file} has no {old:?}:\n{text}");
                    *text = text.replacen(old, new, 1);
                }
                Call::Read { file } => assert!(files.contains_key(file)),
                Call::Run { .. } | Call::Delegate { .. } => {}
            }
        }
        assert!(files["src/lib.rs"].contains("checked_mul(60)"));
    }

    #[test]
    fn every_file_has_a_directory_and_one_decision_is_explained() {
        for (name, _) in FILES {
            let (above, _) = name.rsplit_once('/').unwrap_or_default();
            assert!(DIRECTORIES.iter().any(|it| it.starts_with(above)), "{name}");
        }
        assert_eq!(FIRST.iter().chain(LATER).filter(|it| it.explained).count(), 1);
    }
}
