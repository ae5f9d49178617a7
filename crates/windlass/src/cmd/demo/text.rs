//! The session as people read it: what happened, what windlass answered, what the ledger knew.

use std::path::Path;
use std::time::Duration;

use super::known::{Known, TestRun};
use super::play::{DemoError, End, Ran, Scene};
use super::script::PROJECT;
use crate::Host;
use crate::agent::claude::actor::{Act, Call, Hearer, SUBAGENT, Who};
use crate::cli::{Candidates, CandidatesList};
use crate::cmd::{explain, memory};
use crate::store::Session;
use crate::ui::{self, Colour};

/// How wide the left column is: a number and the longest name of an event.
const LEFT: usize = 22;

/// Below this width there is one column.
const NARROW: usize = 60;

/// How a piece of text is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    Plain,
    Strong,
    Good,
    Bad,
    Faint,
}

type Piece = (Tone, String);

/// Says what is about to happen.
pub(super) fn begin(colour: Colour) {
    let title = "Two sessions of an agent, played through windlass in a throwaway home";
    for line in ui::wrap(title, ui::width()) {
        ui::say(&colour.bold(&line));
    }
    paragraph(
        "The agent and its commands are scripted; windlass is not: each event starts \
         `windlass hook`, as Claude Code does. Nothing of yours is read or written.",
    );
    ui::say("");
}

/// What was told, and at which step.
#[derive(Debug, Default)]
pub(super) struct Told(Vec<(String, usize)>);

impl Told {
    /// The words, or where they were told before: nobody reads the same thing twice.
    fn once(&mut self, words: &str, number: usize) -> String {
        if let Some((_, before)) = self.0.iter().find(|it| it.0 == words) {
            return format!("the same as at step {before}");
        }
        self.0.push((words.to_owned(), number));
        words.to_owned()
    }
}

/// Tells one step.
pub(super) fn step(scene: &Scene, told: &mut Told, colour: Colour) {
    let head = format!("{:>2}  {}", scene.number, scene.event.as_str());
    row(&head, Tone::Strong, &[(Tone::Plain, did(scene.step.act))], colour);
    let windlass = format!("    windlass {:>7}", micros(scene.waited));
    if scene.heard.is_empty() {
        row(&windlass, Tone::Plain, &[(Tone::Faint, "silence".to_owned())], colour);
    }
    for (place, heard) in scene.heard.iter().enumerate() {
        // One answer has one time.
        let windlass = if place == 0 { windlass.as_str() } else { "" };
        let to = match heard.by {
            Hearer::Asked => "asks the agent:",
            Hearer::Told => "tells the agent:",
            Hearer::User => "tells you:",
        };
        let words = told.once(&heard.words, scene.number);
        let pieces = [(Tone::Plain, to.to_owned()), (Tone::Strong, words)];
        row(windlass, Tone::Plain, &pieces, colour);
    }
    row("    ledger", Tone::Plain, &facts(scene), colour);
    for line in scene.known.redacted() {
        let pieces = [(Tone::Plain, "keeps:".to_owned()), (Tone::Good, ui::line(&line, 200))];
        row("", Tone::Plain, &pieces, colour);
    }
    if let Some(note) = scene.step.note {
        row("", Tone::Plain, &[(Tone::Faint, note.to_owned())], colour);
    }
}

/// Tells what the user ran between the sessions.
pub(super) fn command(ran: &Ran, colour: Colour) {
    ui::say("");
    ui::say(&colour.bold(&format!("$ {}", ran.line)));
    paragraph(ran.said.trim_end());
    ui::say("");
}

/// What happens, in a few words.
pub(super) fn did(act: Act) -> String {
    match act {
        Act::Start => format!("Claude Code opens the project {PROJECT}"),
        Act::Prompt(text) => format!("you: \"{text}\""),
        Act::Calls(who, calls) => {
            let who = match who {
                Who::Agent => "the agent".to_owned(),
                Who::Subagent => format!("the {SUBAGENT}"),
            };
            let calls: Vec<_> = calls.iter().map(|it| called(*it)).collect();
            format!("{who} {}", calls.join(", "))
        }
        Act::AgentStart => format!("a {SUBAGENT} starts"),
        Act::AgentStop(text) => format!("the {SUBAGENT}: \"{text}\""),
        Act::Stop(text) => format!("the agent: \"{text}\""),
        Act::End => "you leave".to_owned(),
    }
}

fn called(call: Call) -> String {
    match call {
        Call::Read { file } => format!("reads {file}"),
        Call::Edit { file, .. } => format!("edits {file}"),
        Call::Run { command, exit: 0, .. } => format!("runs `{command}`"),
        Call::Run { command, exit, .. } => format!("runs `{command}`: exit code {exit}"),
        Call::Delegate { .. } => format!("hears what the {SUBAGENT} found"),
    }
}

/// What the ledger knows, piece by piece: what is evident only where it changed, or where the agent
/// would stop.
fn facts(scene: &Scene) -> Vec<Piece> {
    let known = &scene.known;
    let ids: Vec<_> = known.news.iter().map(|it| it.id.to_string()).collect();
    let decision = known.news.iter().find_map(|it| it.decision.as_ref());
    let recorded = match (decision, ids.len()) {
        (Some(decision), _) => format!("decision {}: {}", ids.join(", "), decision.verdict),
        (None, 1) => format!("event {}", ids.join("")),
        (None, _) => format!("events {}", ids.join(" and ")),
    };
    let mut facts = vec![(Tone::Faint, recorded)];
    if known.is_news || matches!(scene.step.act, Act::Stop(_)) {
        facts.extend(evidence(known));
    }
    let last = facts.len() - 1;
    for (_, text) in &mut facts[..last] {
        text.push_str(" ·");
    }
    facts
}

fn evidence(known: &Known) -> Vec<Piece> {
    let mut evidence = Vec::new();
    let has_just_passed = known.last_test.as_ref().is_some_and(|it| it.result == "passed");
    if let Some(TestRun { result, exit }) = &known.last_test {
        let exit = exit.map(|it| format!(" (exit {it})")).unwrap_or_default();
        let tone = match result.as_str() {
            "passed" => Tone::Good,
            "failed" => Tone::Bad,
            _ => Tone::Plain,
        };
        evidence.push((tone, format!("last test run {result}{exit}")));
    }
    let edits = ui::amount(known.edits, "edit");
    match (known.edits, known.has_passed) {
        (0, false) => {}
        (0, true) => evidence.push((Tone::Good, "no edit after it".to_owned())),
        (_, true) if has_just_passed => evidence.push((Tone::Bad, format!("{edits} after it"))),
        (_, true) => {
            evidence.push((Tone::Bad, format!("{edits} after the last passing test run")));
        }
        (_, false) => evidence.push((Tone::Bad, format!("{edits} unproven"))),
    }
    evidence
}

/// Tells how it ended, explains one decision, and says what comes next.
pub(super) fn end(
    end: &End,
    inside: &Host,
    kept: Option<&Path>,
    colour: Colour,
) -> Result<(), DemoError> {
    ui::say("");
    ui::say(&colour.bold("The first session, as the ledger has it"));
    if let Some(session) = &end.session {
        paragraph(&counts(session));
    }
    paragraph(&waits(&end.waits));
    let size = ui::bytes(end.search.bytes as u64);
    let searched = format!("{}, {size}", ui::amount(end.search.files, "file"));
    if end.search.found.is_empty() {
        paragraph(&format!("The token is in none of the files that windlass wrote ({searched})."));
    }
    if let Some(id) = end.explained {
        ui::say("");
        ui::say(&colour.bold(&format!("$ windlass explain {id}")));
        explain::decision(inside, id)?;
    }
    ui::say("");
    ui::say(&colour.bold("$ windlass candidates --all"));
    let everywhere = CandidatesList { all: true, ..CandidatesList::default() };
    memory::candidates(inside, &Candidates { command: None, list: everywhere })?;
    for fault in &end.faults {
        ui::say(&colour.bad(&format!("Fault: {fault}.")));
    }
    if !end.faults.is_empty() {
        paragraph("That should not be. Please report it, with these lines.");
    }
    ui::say("");
    if let Some(kept) = kept {
        ui::say(&format!("Kept: {}", kept.display()));
        let data = kept.join(".local/share/windlass");
        ui::say(&format!("Look: WINDLASS_HOME={} windlass status", data.display()));
        ui::say("");
    }
    ui::say(&colour.bold("Next"));
    ui::say("  windlass init    register windlass with Claude Code");
    ui::say("  windlass doctor  see whether everything is well");
    Ok(())
}

fn counts(session: &Session) -> String {
    let counts = session.counts;
    format!(
        "{}: {}, {} ({} failed), {}, {}, {}.",
        ui::amount(counts.events, "event"),
        ui::amount(counts.prompts, "prompt"),
        ui::amount(counts.calls, "tool call"),
        counts.failed_calls,
        ui::amount(counts.edits, "edit"),
        ui::amount(counts.agents, "subagent"),
        ui::amount(counts.asks, "ask"),
    )
}

fn waits(waits: &[Duration]) -> String {
    let mut sorted = waits.to_vec();
    sorted.sort_unstable();
    let all = micros(sorted.iter().sum());
    let middle = micros(sorted.get(sorted.len() / 2).copied().unwrap_or_default());
    let longest = micros(sorted.last().copied().unwrap_or_default());
    let count = sorted.len();
    format!("The agent waited {all} for {count} processes (median {middle}, longest {longest}).")
}

pub(super) fn micros(time: Duration) -> String {
    ui::micros(u64::try_from(time.as_micros()).unwrap_or(u64::MAX))
}

fn paragraph(text: &str) {
    for line in ui::wrap(text, ui::width()) {
        ui::say(&line);
    }
}

/// Shows a label and, beside it, pieces of text; below it where there is no room.
fn row(label: &str, tone: Tone, pieces: &[Piece], colour: Colour) {
    for line in lines(label, tone, pieces, ui::width(), colour) {
        ui::say(line.trim_end());
    }
}

fn lines(label: &str, tone: Tone, pieces: &[Piece], width: usize, colour: Colour) -> Vec<String> {
    let is_narrow = width < NARROW;
    let indent = if is_narrow { 6 } else { LEFT };
    let mut rows = flow(pieces, width.saturating_sub(indent).max(10)).into_iter();
    let padding = " ".repeat(LEFT.saturating_sub(label.chars().count()));
    let mut lines = Vec::new();
    if is_narrow && !label.is_empty() {
        lines.push(paint(tone, label, colour));
    } else {
        let first = rows.next().unwrap_or_default();
        let padding = if is_narrow { " ".repeat(indent) } else { padding };
        lines.push(format!("{}{padding}{}", paint(tone, label, colour), painted(&first, colour)));
    }
    lines.extend(rows.map(|it| format!("{}{}", " ".repeat(indent), painted(&it, colour))));
    lines
}

/// Words in lines of so many characters, each with its tone.
fn flow(pieces: &[Piece], width: usize) -> Vec<Vec<Piece>> {
    let mut rows: Vec<Vec<Piece>> = Vec::new();
    let mut left = 0;
    for (tone, word) in
        pieces.iter().flat_map(|(tone, it)| it.split_whitespace().map(move |it| (*tone, it)))
    {
        let length = word.chars().count();
        let fits = length < left;
        let Some(row) = rows.last_mut().filter(|_| fits) else {
            rows.push(vec![(tone, word.to_owned())]);
            left = width.saturating_sub(length);
            continue;
        };
        left -= length + 1;
        match row.last_mut() {
            Some((last, text)) if *last == tone => {
                text.push(' ');
                text.push_str(word);
            }
            _ => row.push((tone, word.to_owned())),
        }
    }
    rows
}

fn painted(row: &[Piece], colour: Colour) -> String {
    let pieces: Vec<_> = row.iter().map(|(tone, text)| paint(*tone, text, colour)).collect();
    pieces.join(" ")
}

fn paint(tone: Tone, text: &str, colour: Colour) -> String {
    match tone {
        Tone::Plain => text.to_owned(),
        Tone::Strong => colour.bold(text),
        Tone::Good => colour.good(text),
        Tone::Bad => colour.bad(text),
        Tone::Faint => colour.faint(text),
    }
}

#[cfg(test)]
mod tests {
    use super::{Tone, lines};
    use crate::redact;
    use crate::ui::Colour;

    fn pieces() -> Vec<(Tone, String)> {
        vec![
            (Tone::Faint, "event 7;".to_owned()),
            (Tone::Bad, "last test run failed (exit 101)".to_owned()),
        ]
    }

    #[test]
    fn a_row_has_two_columns_and_wraps_in_the_right_one() {
        let wide = lines("    ledger", Tone::Plain, &pieces(), 80, Colour::Off);
        assert_eq!(wide, ["    ledger            event 7; last test run failed (exit 101)"]);
        let less = lines("    ledger", Tone::Plain, &pieces(), 60, Colour::Off);
        let wrapped = [
            "    ledger            event 7; last test run failed (exit",
            "                      101)",
        ];
        assert_eq!(less, wrapped);
    }

    #[test]
    fn on_a_narrow_terminal_the_text_stands_below_its_label() {
        let narrow = lines("    ledger", Tone::Plain, &pieces(), 30, Colour::Off);
        assert_eq!(
            narrow,
            ["    ledger", "      event 7; last test run", "      failed (exit 101)"]
        );
        assert!(narrow.iter().all(|it| it.chars().count() <= 30));
    }

    #[test]
    fn colour_moves_nothing() {
        for width in [20, 40, 60, 80, 100] {
            let plain = lines(" 7  Stop", Tone::Strong, &pieces(), width, Colour::Off);
            let painted = lines(" 7  Stop", Tone::Strong, &pieces(), width, Colour::On);
            let stripped: Vec<_> = painted.iter().map(|it| redact::plain(it)).collect();
            assert_eq!(stripped, plain);
            assert_ne!(painted, plain);
        }
    }
}
