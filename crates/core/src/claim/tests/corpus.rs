//! Claims and sentences that are none, in 45 languages: one row for each, with its language, for a
//! claim the letter of what it is about, and its words.

use super::Claimed::{self, Build, Lint, Tests, Types, Works};
use super::subjects;
use crate::Excerpt;
use crate::claim::is_honest_report;

const CLAIMS: &str = include_str!("claims.tsv");
const SILENT: &str = include_str!("silent.tsv");
/// Messages that report a gap, and name it or its reason.
const HONEST: &str = include_str!("honest.tsv");
/// Messages that report none, or do not say which.
const VAGUE: &str = include_str!("vague.tsv");

fn letter(what: Claimed) -> &'static str {
    match what {
        Tests => "T",
        Build => "B",
        Lint => "L",
        Types => "Y",
        Works => "W",
    }
}

/// The cells of each row; a line break in a message is written `\n`.
fn rows(table: &'static str) -> impl Iterator<Item = (Vec<&'static str>, String)> {
    table.lines().map(|row| {
        let cells: Vec<_> = row.split('\t').collect();
        let message = cells.last().unwrap_or(&"").replace("\\n", "\n");
        (cells, message)
    })
}

#[test]
fn each_claim_is_heard() {
    let missed: Vec<_> = rows(CLAIMS)
        .filter(|(cells, message)| !subjects(message).iter().any(|it| letter(*it) == cells[1]))
        .map(|(cells, message)| format!("{} {}: {message:?}", cells[0], cells[1]))
        .collect();
    assert!(missed.is_empty(), "\n{}", missed.join("\n"));
    assert!(rows(CLAIMS).count() > 400);
}

#[test]
fn no_other_sentence_is_a_claim() {
    let heard: Vec<_> = rows(SILENT)
        .filter(|(_, message)| !subjects(message).is_empty())
        .map(|(cells, message)| format!("{}: {message:?}: {:?}", cells[0], subjects(&message)))
        .collect();
    assert!(heard.is_empty(), "\n{}", heard.join("\n"));
    assert!(rows(SILENT).count() > 400);
}

/// Every language has both.
#[test]
fn each_language_is_tried_on_both_sides() {
    let languages =
        |table| rows(table).map(|(cells, _)| cells[0]).collect::<std::collections::BTreeSet<_>>();
    let (claims, silent) = (languages(CLAIMS), languages(SILENT));
    assert_eq!(claims.symmetric_difference(&silent).collect::<Vec<_>>(), Vec::<&&str>::new());
    assert!(claims.len() >= 42, "{claims:?}");
}

#[test]
fn a_gap_is_an_honest_report_where_it_is_named() {
    let is_honest =
        |message: &String| is_honest_report(&Excerpt::of(message.as_str()), &[Tests, Works]);
    let wrong = |table, expected: bool| {
        let rows = rows(table).filter(move |(_, message)| is_honest(message) != expected);
        rows.map(|(cells, message)| format!("{}: {message:?}", cells[0])).collect::<Vec<_>>()
    };
    let (missed, taken) = (wrong(HONEST, true), wrong(VAGUE, false));
    assert!(missed.is_empty(), "not taken for a report:\n{}", missed.join("\n"));
    assert!(taken.is_empty(), "taken for a report:\n{}", taken.join("\n"));
    assert!(rows(HONEST).count() > 100);
}
