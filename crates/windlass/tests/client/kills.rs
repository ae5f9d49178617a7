//! What is learned inside the real client survives that its hooks, and the client, are killed.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use rig::{Outcome, RunError, Script, turn};
use serde_json::Value;

use super::{Done, World, worlds};
use crate::support::{rows, write_program};

const SESSION: &str = "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11";

/// Runs of one session. Two hooks are killed in each, at the stop and at the exit; in one of them,
/// which is a compaction, nobody stops.
const RUNS: usize = 8;
const KILLS: usize = 2 * RUNS - 1;

/// Stands in the place of the program. Each line of its plan says what becomes of the next event at
/// which it is listened: after how many seconds the hook is killed, or that the client is.
const KILLER: &str = r#"#!/bin/sh
[ "$1" = hook ] || exec "REAL" "$@"
input=$(cat)
hear() { printf '%s' "$input" | "$@"; }
case "$input" in
*'"hook_event_name":"Stop"'* | *'"hook_event_name":"PreCompact"'* | *'"hook_event_name":"SessionEnd"'*)
    what=$(sed -n 1p "PLAN")
    sed -i 1d "PLAN"
    case "$what" in
    '') hear "REAL" hook ;;
    crash) hear "REAL" hook > /dev/null; echo crashed >> "LOG"; kill -9 $PPID ;;
    *) hear timeout -s KILL "$what" "REAL" hook; echo $? >> "LOG" ;;
    esac ;;
*) hear "REAL" hook ;;
esac
"#;

/// Something to learn, and something else for each number.
fn sentence(number: usize) -> String {
    format!(
        "The root cause is that the cache key of shard_{number} leaves out the tenant, so one \
         tenant reads what another one wrote."
    )
}

impl World {
    fn place(&self, name: &str) -> PathBuf {
        self.sandbox.home().join(name)
    }

    /// Puts the killer in the place of the program.
    fn arm(&self) {
        let program = self.place(".local/bin/windlass");
        fs::rename(&program, self.place("real")).unwrap();
        let mut script = KILLER.to_owned();
        for (word, name) in [("REAL", "real"), ("PLAN", "plan"), ("LOG", "log")] {
            script = script.replace(word, self.place(name).to_str().unwrap());
        }
        write_program(&program, &script);
    }

    /// One prompt of the session, answered so, with this plan for its hooks.
    fn answered(
        &self,
        is_first: bool,
        prompt: &str,
        answer: &str,
        plan: &str,
    ) -> Result<Outcome, RunError> {
        fs::write(self.place("plan"), plan).unwrap();
        let script = Script::new([turn(answer)]);
        let session = if is_first { "--session-id" } else { "--resume" };
        let run = self.sandbox.run(&self.client, script).prompt(prompt);
        run.args([session, SESSION]).print()
    }

    /// What is known: how often, and how often it was captured.
    fn known(&self) -> BTreeMap<String, (i64, i64)> {
        let query = "SELECT text, count(DISTINCT id) AS n, count(memory) AS captured FROM memories
            LEFT JOIN memory_changes ON memory = id AND what = 'captured' GROUP BY text";
        let number = |it: &Value| it.as_i64().unwrap();
        let row = |it: Value| {
            let counts = (number(&it["n"]), number(&it["captured"]));
            (it["text"].as_str().unwrap().to_owned(), counts)
        };
        rows(&self.data(), query).into_iter().map(row).collect()
    }
}

/// More than twenty kills in two clients, with a compaction, an exit after each prompt, and a crash
/// of the client.
#[test]
fn what_was_learned_survives_kills_of_the_hook_and_of_the_client() -> Done {
    for world in worlds() {
        world.arm();
        let version = world.client.version().to_owned();
        let mut said = Vec::new();
        let mut acknowledged: Vec<String> = Vec::new();
        let check = |acknowledged: &mut Vec<String>, said: &[String]| {
            let known = world.known();
            for text in &*acknowledged {
                assert!(known.contains_key(text), "{version}: lost: {text}");
            }
            for (text, counts) in known {
                assert_eq!(counts, (1, 1), "{version}: {text}");
                assert!(said.contains(&text), "{version}: {text}");
                if !acknowledged.contains(&text) {
                    acknowledged.push(text);
                }
            }
        };
        // A hook on a quiet machine takes two or three milliseconds.
        let moment = |number: usize| format!("0.{:04}\n", 2 + 7 * number);
        for number in 0..RUNS {
            let plan = [moment(2 * number), moment(2 * number + 1)].concat();
            let is_compaction = number == 3;
            let text = sentence(number);
            let prompt = if is_compaction { "/compact" } else { "Why?" };
            world.answered(number == 0, prompt, &text, &plan)?;
            if !is_compaction {
                said.push(text);
            }
            check(&mut acknowledged, &said);
        }
        // The client crashes when the hook has done its work and the client does not know it yet.
        let last = sentence(RUNS);
        let crashed = world.answered(false, "And?", &last, "crash\n")?;
        said.push(last.clone());
        check(&mut acknowledged, &said);
        assert!(acknowledged.contains(&last), "{version}: the hook was through");
        assert_ne!(crashed.exit, Some(0), "{version}");
        world.answered(false, "Go on.", "That is all.", "")?;
        check(&mut acknowledged, &said);
        said.sort();
        assert_eq!(world.known().into_keys().collect::<Vec<_>>(), said, "{version}");
        let log = fs::read_to_string(world.place("log")).unwrap();
        let killed = log.lines().filter(|it| *it == "137").count();
        println!(
            "{version}: {killed} hooks killed on their way: {:?}",
            log.lines().collect::<Vec<_>>()
        );
        assert_eq!(log.lines().count(), KILLS + 1, "{version}: {log}");
        assert!(killed >= 2, "{version}: {log}");
    }
    Ok(())
}
