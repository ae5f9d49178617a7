//! The table of keys: parsing, defaults, listing and the reference are derived from it.
//!
//! A new setting is a row here and a field of `Policy`; the tests below miss either.

use std::ops::RangeInclusive;

use super::key::{Field, Key, Rule};
use crate::agent::claude::EventName;
use crate::agent::claude::register::least_timeout;
use windlass_core::policy::{Mode, Profile, Require, Speak, Triage};

use Field::{Checks, Command, File, Names, Number, Runs, Switch, Word};

/// The most seconds that a client is told to wait for us.
const LONGEST: u32 = 600;
/// How many things a brief may hold.
const ITEMS: RangeInclusive<u32> = 1..=50;
/// How many tokens a brief may have: four times as many characters, which the client hands on whole.
const TOKENS: RangeInclusive<u32> = 200..=2400;
/// The share of a source.
const WEIGHT: RangeInclusive<u32> = 0..=10;
/// The range of a score.
const HUNDREDTHS: RangeInclusive<u32> = 0..=100;

/// Every key.
#[rustfmt::skip]
pub(crate) const KEYS: &[Key] = &[
    Key {
        name: "ledger.texts",
        field: Switch(|it| &mut it.ledger.texts),
        rule: Rule::Tighten,
        about: "Whether the words of prompts, messages and commands' output are kept; without them the store keeps only names, files, commands, sizes and results.",
    },
    Key {
        name: "ledger.days",
        field: Number(1..=3650, |it| &mut it.ledger.days),
        rule: Rule::Tighten,
        about: "How many days events are kept.",
    },
    Key {
        name: "ledger.max_mb",
        field: Number(16..=1_048_576, |it| &mut it.ledger.max_mb),
        rule: Rule::UserOnly,
        about: "The ceiling of the store's size, in megabytes.",
    },
    Key {
        name: "transcripts.read",
        field: Switch(|it| &mut it.transcripts.read),
        rule: Rule::Tighten,
        about: "Whether the new part of the conversation file is read when an agent stops.",
    },
    enabled(
        "hooks.session-start.enabled", Switch(|it| &mut it.hooks.session_start.enabled),
        "Whether the client reports the start of a session; without it the ledger does not know how a session began. Run `windlass init` after a change.",
    ),
    timeout("hooks.session-start.timeout_s", Number(least_timeout(EventName::SessionStart)..=LONGEST, |it| &mut it.hooks.session_start.timeout_s)),
    enabled(
        "hooks.prompt.enabled", Switch(|it| &mut it.hooks.prompt.enabled),
        "Whether the client reports what you say; without it the ledger has no prompts. Run `windlass init` after a change.",
    ),
    timeout("hooks.prompt.timeout_s", Number(least_timeout(EventName::UserPromptSubmit)..=LONGEST, |it| &mut it.hooks.prompt.timeout_s)),
    enabled(
        "hooks.tool-start.enabled", Switch(|it| &mut it.hooks.tool_start.enabled),
        "Whether the client reports that a file is about to be edited or a command to be run, once something is known for sure about files or commands; without it nothing is told there. Run `windlass init` after a change.",
    ),
    timeout("hooks.tool-start.timeout_s", Number(least_timeout(EventName::PreToolUse)..=LONGEST, |it| &mut it.hooks.tool_start.timeout_s)),
    enabled(
        "hooks.tools.enabled", Switch(|it| &mut it.hooks.tools.enabled),
        "Whether the client reports tool calls; without it the ledger has no commands, no edits and no results. Run `windlass init` after a change.",
    ),
    timeout("hooks.tools.timeout_s", Number(least_timeout(EventName::PostToolBatch)..=LONGEST, |it| &mut it.hooks.tools.timeout_s)),
    enabled(
        "hooks.agent-start.enabled", Switch(|it| &mut it.hooks.agent_start.enabled),
        "Whether the client reports the start of a subagent; without it the ledger has a gap there. Run `windlass init` after a change.",
    ),
    timeout("hooks.agent-start.timeout_s", Number(least_timeout(EventName::SubagentStart)..=LONGEST, |it| &mut it.hooks.agent_start.timeout_s)),
    enabled(
        "hooks.agent-stop.enabled", Switch(|it| &mut it.hooks.agent_stop.enabled),
        "Whether the client reports the stop of a subagent; without it the ledger has a gap there, and the subagent's conversation is not read. Run `windlass init` after a change.",
    ),
    timeout("hooks.agent-stop.timeout_s", Number(least_timeout(EventName::SubagentStop)..=LONGEST, |it| &mut it.hooks.agent_stop.timeout_s)),
    enabled(
        "hooks.stop.enabled", Switch(|it| &mut it.hooks.stop.enabled),
        "Whether the client reports the stop of an agent; without it the ledger has no stops, and the conversation is read only when the session ends. Run `windlass init` after a change.",
    ),
    timeout("hooks.stop.timeout_s", Number(least_timeout(EventName::Stop)..=LONGEST, |it| &mut it.hooks.stop.timeout_s)),
    enabled(
        "hooks.stop-failure.enabled", Switch(|it| &mut it.hooks.stop_failure.enabled),
        "Whether the client reports a stop that an error caused; without it the ledger has a gap there. Run `windlass init` after a change.",
    ),
    timeout("hooks.stop-failure.timeout_s", Number(least_timeout(EventName::StopFailure)..=LONGEST, |it| &mut it.hooks.stop_failure.timeout_s)),
    enabled(
        "hooks.team.enabled", Switch(|it| &mut it.hooks.team.enabled),
        "Whether the client reports that an entry of the task list is about to be completed and that a teammate would go idle, and the gates are asked there, of its own work; `leftovers` asks there unless you set its mode. It costs a process for each. Run `windlass init` after a change.",
    ),
    timeout("hooks.team.timeout_s", Number(least_timeout(EventName::TaskCompleted)..=LONGEST, |it| &mut it.hooks.team.timeout_s)),
    enabled(
        "hooks.session-end.enabled", Switch(|it| &mut it.hooks.session_end.enabled),
        "Whether the client reports the end of a session; without it the ledger does not know that it ended, nor the last answer. Run `windlass init` after a change.",
    ),
    timeout("hooks.session-end.timeout_s", Number(least_timeout(EventName::SessionEnd)..=LONGEST, |it| &mut it.hooks.session_end.timeout_s)),
    Key {
        name: "gates.proof.mode",
        field: Word(Mode::WORDS, |it| it.gates.proof.mode as usize, |it, place| it.gates.proof.mode = Mode::at(place)),
        rule: Rule::TightenUnset,
        about: "What the gate `proof` does where a test or a build failed after an edit, or a claim has no run behind it: nothing, tell you, or ask the agent.",
    },
    Key {
        name: "gates.proof.require",
        field: Word(Require::WORDS, |it| it.gates.proof.require as usize, |it, place| it.gates.proof.require = Require::at(place)),
        rule: Rule::TightenUnset,
        about: "What the gate `proof` is content with: that nothing failed and nothing false is claimed, that a build passed after the last edit, or that tests did.",
    },
    Key {
        name: "gates.tasks.mode",
        field: Word(Mode::WORDS, |it| it.gates.tasks.mode as usize, |it, place| it.gates.tasks.mode = Mode::at(place)),
        rule: Rule::TightenUnset,
        about: "What the gate `tasks` does where entries of the agent's task list are open: nothing, tell you, or ask the agent.",
    },
    Key {
        name: "gates.leftovers.mode",
        field: Word(Mode::WORDS, |it| it.gates.leftovers.mode as usize, |it, place| it.gates.leftovers.mode = Mode::at(place)),
        rule: Rule::TightenUnset,
        about: "What the gate `leftovers` does where notes, placeholders or debugging statements stand in lines that the agent added: nothing, tell you, or ask the agent.",
    },
    Key {
        name: "gates.checks.mode",
        field: Word(Mode::WORDS, |it| it.gates.checks.mode as usize, |it, place| it.gates.checks.mode = Mode::at(place)),
        rule: Rule::UserOnly,
        about: "What the gate `checks` does where one of the checks that are declared fails: it is not run at all, you are told, or the agent is asked.",
    },
    Key {
        name: "gates.uncommitted.mode",
        field: Word(Mode::WORDS, |it| it.gates.uncommitted.mode as usize, |it, place| it.gates.uncommitted.mode = Mode::at(place)),
        rule: Rule::TightenUnset,
        about: "What the gate `uncommitted` does where files that the agent changed are not committed: nothing, tell you, or ask the agent.",
    },
    Key {
        name: "gates.unsaved.mode",
        field: Word(Mode::WORDS, |it| it.gates.unsaved.mode as usize, |it, place| it.gates.unsaved.mode = Mode::at(place)),
        rule: Rule::UserOnly,
        about: "What the gate `unsaved` does where something was learned and nobody has kept or rejected it: nothing, tell you, or ask the agent.",
    },
    Key {
        name: "gates.runs",
        field: Runs(|it| &mut it.gates.runs),
        rule: Rule::Trust,
        about: "Commands that are tests, builds, linters or type checks beside those that windlass knows, such as `[\"tests: just ci\", \"lint: ./check.sh *\"]`: found wherever they stand in a command line, and believed before anything else.",
    },
    Key {
        name: "gates.agents",
        field: Names(|it| &mut it.gates.agents),
        rule: Rule::UserOnly,
        about: "The types of subagents that the gates ask too when they stop, each of its own work, such as `[\"ralph-*\"]`; without them only the main agent is asked.",
    },
    Key {
        name: "gates.speak",
        field: Word(Speak::WORDS, |it| it.gates.speak as usize, |it, place| it.gates.speak = Speak::at(place)),
        rule: Rule::UserOnly,
        about: "How an ask is said when the agent stops: as context, which the agent reads once and the client does not paint as an error, as a block, which clients before 2.1.163 need, or as the version of the client wants it.",
    },
    Key {
        name: "gates.asks_per_prompt",
        field: Number(0..=7, |it| &mut it.gates.asks_per_prompt),
        rule: Rule::UserOnly,
        about: "How often the agent may be asked to go on for one prompt of yours; loops and holds have limits of their own.",
    },
    Key {
        name: "gates.asks_per_session",
        field: Number(0..=1000, |it| &mut it.gates.asks_per_session),
        rule: Rule::UserOnly,
        about: "How often the agent may be asked to go on in one session; loops and holds have limits of their own.",
    },
    Key {
        name: "gates.minutes",
        field: Number(1..=1440, |it| &mut it.gates.minutes),
        rule: Rule::UserOnly,
        about: "For how many minutes after a prompt of yours the agent may be asked to go on.",
    },
    Key {
        name: "checks",
        field: Checks(|it| &mut it.checks),
        rule: Rule::Trust,
        about: "Checks that are run when the agent stops after a change: a command that must exit with 0, a number that it must print, or a text that must not stand in an added line. Those of a project are added to yours.",
    },
    Key {
        name: "loops.timeout_s",
        field: Number(1..=540, |it| &mut it.loops.timeout_s),
        rule: Rule::UserOnly,
        about: "How many seconds the command of `windlass loop start --until` may take at a stop; `hooks.stop.timeout_s` must leave room for it.",
    },
    Key {
        name: "loops.same_failures",
        field: Number(0..=1000, |it| &mut it.loops.same_failures),
        rule: Rule::UserOnly,
        about: "How often a loop may meet the same failure in a row before it ends as stuck; 0 is never. `windlass loop start --same-failures` says it for one loop.",
    },
    Key {
        name: "candidates.days",
        field: Number(1..=3650, |it| &mut it.candidates.days),
        rule: Rule::Tighten,
        about: "How many days a candidate waits for somebody to settle it; then it expires, and is gone after as many days again.",
    },
    Key {
        name: "knowledge.file",
        field: File(|it| &mut it.knowledge.file),
        rule: Rule::Trust,
        about: "A Markdown file in which the project keeps what it learned, such as `\"docs/knowledge/discoveries.md\"`: a candidate that stands in it is settled. An empty text is none.",
    },
    brief_at("brief.start.enabled", Switch(|it| &mut it.brief.start.enabled), "Whether the agent is told, when a session begins, what is known of the project: your wishes, limits and decisions, the last session, an open loop or hold; when one is resumed, what is new since."),
    items("brief.start.items", Number(ITEMS, |it| &mut it.brief.start.items)),
    tokens("brief.start.tokens", Number(TOKENS, |it| &mut it.brief.start.tokens)),
    brief_at("brief.compact.enabled", Switch(|it| &mut it.brief.compact.enabled), "Whether the agent is told after a compaction what that may have lost: what you asked for, what was found in the session, open tasks, failing runs and files in play."),
    items("brief.compact.items", Number(ITEMS, |it| &mut it.brief.compact.items)),
    tokens("brief.compact.tokens", Number(TOKENS, |it| &mut it.brief.compact.tokens)),
    brief_at("brief.prompt.enabled", Switch(|it| &mut it.brief.prompt.enabled), "Whether the agent is told what is known that fits your prompt."),
    items("brief.prompt.items", Number(ITEMS, |it| &mut it.brief.prompt.items)),
    tokens("brief.prompt.tokens", Number(TOKENS, |it| &mut it.brief.prompt.tokens)),
    brief_at("brief.tool.enabled", Switch(|it| &mut it.brief.tool.enabled), "Whether the agent is told what is known for sure about a file or a command, right before it edits or runs it. Run `windlass init` after a change."),
    items("brief.tool.items", Number(1..=3, |it| &mut it.brief.tool.items)),
    tokens("brief.tool.tokens", Number(TOKENS, |it| &mut it.brief.tool.tokens)),
    brief_at("brief.agent.enabled", Switch(|it| &mut it.brief.agent.enabled), "Whether a subagent is told, when it begins, your wishes and the limits and decisions of the project."),
    items("brief.agent.items", Number(ITEMS, |it| &mut it.brief.agent.items)),
    tokens("brief.agent.tokens", Number(TOKENS, |it| &mut it.brief.agent.tokens)),
    Key {
        name: "brief.floor",
        field: Number(HUNDREDTHS, |it| &mut it.brief.floor),
        rule: Rule::Raise,
        about: "How much of what a prompt asks a memory must have to be told, in per cent; below it there is silence.",
    },
    weight("brief.weights.memories", Number(WEIGHT, |it| &mut it.brief.weights.memories)),
    weight("brief.weights.code", Number(WEIGHT, |it| &mut it.brief.weights.code)),
    weight("brief.weights.commits", Number(WEIGHT, |it| &mut it.brief.weights.commits)),
    Key {
        name: "readers.ralph",
        field: Switch(|it| &mut it.readers.ralph),
        rule: Rule::UserOnly,
        about: "Whether the gate `states` reads the state files that another tool keeps in `~/.ralph/state/SESSION`, and asks the agent while they say that the work is not done.",
    },
    Key {
        name: "readers.lock_file",
        field: Switch(|it| &mut it.readers.lock_file),
        rule: Rule::UserOnly,
        about: "Whether the file `.claude/runtime/locks/.lock_active` of a project is a hold: the first session that stops while it is there goes on until it is gone, with the words in `.continuation_prompt` beside it.",
    },
    Key {
        name: "triage.enabled",
        field: Switch(|it| &mut it.triage.enabled),
        rule: Rule::Tighten,
        about: "Whether conversations are listened to for what is worth keeping.",
    },
    Key {
        name: "triage.profile",
        field: Word(Profile::WORDS, |it| it.triage.profile as usize, |it, at| it.triage.profile = Profile::at(at)),
        rule: Rule::UserOnly,
        about: "How knowledge is found in a conversation: by weights that were fitted to labelled sessions, or by the words and thresholds of a published design.",
    },
    Key {
        name: "triage.max_messages",
        field: Number(1..=10_000, |it| &mut it.triage.max_messages),
        rule: Rule::Tighten,
        about: "How many messages are looked at together for knowledge. A longer turn is looked at in pieces, the last 20 of them.",
    },
    Key {
        name: "triage.capture_at",
        field: Number(Triage::CAPTURE_AT..=99, |it| &mut it.triage.capture_at),
        rule: Rule::Raise,
        about: "From how sure on something is captured, in per cent as `windlass candidates` shows it, with the profile `calibrated`. Assumptions, which nobody is asked about, are captured by a rule of their own.",
    },
    Key {
        name: "triage.ask_at",
        field: Number(0..=99, |it| &mut it.triage.ask_at),
        rule: Rule::Trust,
        about: "From how sure on somebody is asked about it, on the same scale. 0 leaves that to the detector, which asks from 76 on about what the agent says, and from 78 on about what you say.",
    },
    threshold("triage.thresholds.decision", Number(HUNDREDTHS, |it| &mut it.triage.thresholds.decision)),
    threshold("triage.thresholds.runbook", Number(HUNDREDTHS, |it| &mut it.triage.thresholds.runbook)),
    threshold("triage.thresholds.constraint", Number(HUNDREDTHS, |it| &mut it.triage.thresholds.constraint)),
    threshold("triage.thresholds.tech_debt", Number(HUNDREDTHS, |it| &mut it.triage.thresholds.tech_debt)),
    threshold("triage.thresholds.preference", Number(HUNDREDTHS, |it| &mut it.triage.thresholds.preference)),
    threshold("triage.thresholds.session_summary", Number(HUNDREDTHS, |it| &mut it.triage.thresholds.session_summary)),
    Key {
        name: "mcp.enabled",
        field: Switch(|it| &mut it.mcp.enabled),
        rule: Rule::UserOnly,
        about: "Whether `init` registers the server of tools (`windlass mcp`), so that the agent can keep and settle what it learned without a shell. Run `windlass init` after a change.",
    },
    Key {
        name: "skills.enabled",
        field: Switch(|it| &mut it.skills.enabled),
        rule: Rule::UserOnly,
        about: "Whether `init` writes the skills `windlass-remember` and `windlass-heal`. Run `windlass init` after a change.",
    },
    Key {
        name: "statusline.command",
        field: Command(|it| &mut it.statusline.command),
        rule: Rule::Trust,
        about: "A status line of your own: the first line that this program writes is put before ours; an empty list is none.",
    },
    Key {
        name: "statusline.timeout_ms",
        field: Number(10..=2000, |it| &mut it.statusline.timeout_ms),
        rule: Rule::TightenOrTrust,
        about: "How many milliseconds that program may take.",
    },
    Key {
        name: "trust.worktrees",
        field: Switch(|it| &mut it.trust.worktrees),
        rule: Rule::UserOnly,
        about: "Whether the worktrees of one repository share what you trusted in one of them.",
    },
];

const fn enabled(name: &'static str, field: Field, about: &'static str) -> Key {
    Key { name, field, rule: Rule::UserOnly, about }
}

const fn timeout(name: &'static str, field: Field) -> Key {
    let about = "After how many seconds the client gives up on us; our own limit is below it. Run `windlass init` after a change.";
    Key { name, field, rule: Rule::UserOnly, about }
}

const fn threshold(name: &'static str, field: Field) -> Key {
    let about =
        "From which score on this category is told, in hundredths, with the profile `document`.";
    Key { name, field, rule: Rule::UserOnly, about }
}

const fn brief_at(name: &'static str, field: Field, about: &'static str) -> Key {
    Key { name, field, rule: Rule::Tighten, about }
}

const fn items(name: &'static str, field: Field) -> Key {
    let about = "How many things are told there at most.";
    Key { name, field, rule: Rule::Tighten, about }
}

const fn tokens(name: &'static str, field: Field) -> Key {
    let about = "How many tokens that may take, estimated; one thing has at most a quarter of what its source gets, or 120, and its part of all where fewer than four are told.";
    Key { name, field, rule: Rule::Tighten, about }
}

const fn weight(name: &'static str, field: Field) -> Key {
    let about =
        "The share of this source in the tokens of a brief, beside the others; 0 switches it off.";
    Key { name, field, rule: Rule::Tighten, about }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use windlass_core::Policy;
    use windlass_core::check::{Check, Severity, Stage, What};
    use windlass_core::evidence::Pattern;

    use super::super::key::Value;
    use super::*;

    /// The fields of a policy by the names of their keys, with their values. Read from the debug
    /// output, because that cannot forget a field.
    fn fields(policy: &Policy) -> BTreeMap<String, String> {
        let text = format!("{policy:#?}");
        let mut path: Vec<&str> = Vec::new();
        let mut fields = BTreeMap::new();
        for line in text.lines().skip(1) {
            let depth = (line.len() - line.trim_start().len()) / 4;
            let Some((name, value)) = line.trim().split_once(": ") else { continue };
            path.truncate(depth - 1);
            path.push(name);
            if !value.ends_with('{') {
                let mut names = path.clone();
                let last = names.pop().unwrap();
                let mut path: Vec<_> = names.iter().map(|it| it.replace('_', "-")).collect();
                path.push(last.to_owned());
                fields.insert(path.join("."), value.to_owned());
            }
        }
        fields
    }

    fn another(key: &Key) -> Value {
        match (&key.field, key.default()) {
            (Number(range, _), Value::Number(value)) => {
                Value::Number(if value == *range.end() { *range.start() } else { *range.end() })
            }
            (_, Value::Switch(value)) => Value::Switch(!value),
            (Word(words, ..), Value::Word(_, place)) => {
                let other = if place == 0 { words.len() - 1 } else { 0 };
                Value::Word(words[other], other)
            }
            (_, Value::Word(..)) => panic!("{} has a word of another type", key.name),
            (_, Value::Command(_)) => Value::Command(vec!["x".to_owned()]),
            (_, Value::Names(_)) => Value::Names(vec!["x-*".to_owned()]),
            (_, Value::File(_)) => Value::File("docs/x.md".to_owned()),
            (_, Value::Checks(_)) => Value::Checks(vec![Check {
                name: "x".to_owned(),
                what: What::Pattern("x".to_owned()),
                files: Vec::new(),
                severity: Severity::Ask,
                stage: Stage::Quality,
            }]),
            (_, Value::Runs(_)) => Value::Runs(vec![Pattern::parse("tests: just ci").unwrap()]),
            (_, Value::Number(_)) => panic!("{} has a number of another type", key.name),
        }
    }

    #[test]
    fn every_field_of_the_policy_is_a_key_of_the_same_name() {
        let fields = fields(&Policy::default());
        let mut names: Vec<_> = KEYS.iter().map(|it| it.name).collect();
        names.sort_unstable();
        assert_eq!(fields.keys().map(String::as_str).collect::<Vec<_>>(), names);
    }

    #[test]
    fn a_key_sets_its_own_field_and_no_other() {
        let before = fields(&Policy::default());
        for key in KEYS {
            let mut policy = Policy::default();
            key.set(&mut policy, another(key));
            assert_eq!(key.get(&mut policy), another(key));
            let after = fields(&policy);
            let changed: Vec<_> = before.keys().filter(|it| before[*it] != after[*it]).collect();
            assert_eq!(changed, [key.name]);
        }
    }

    #[test]
    fn every_default_is_a_value_that_the_key_takes() {
        for key in KEYS {
            if let (Number(range, _), Value::Number(value)) = (&key.field, key.default()) {
                assert!(range.contains(&value), "{}", key.name);
            }
            assert!(key.about.ends_with('.'), "{} has no sentence", key.name);
        }
    }
}
