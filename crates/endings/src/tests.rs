//! What a planted copy looks like, on the sessions in `fixtures`.

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;

use crate::transcript::{answers, calls};
use crate::{EndingClass, EndingTone, PlantedEnding, SessionTranscript, find_transcripts, plant};

const EACH: usize = 30;

fn transcripts() -> Vec<SessionTranscript> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    find_transcripts(&[fixtures]).unwrap()
}

fn all() -> Vec<(EndingTone, PlantedEnding)> {
    let transcripts = transcripts();
    let plant = |class, tone| plant(&transcripts, class, tone, EACH, 7);
    let untrue = EndingClass::FALSE.into_iter().flat_map(|it| plant(it, EndingTone::False));
    let honest = EndingClass::HONEST.into_iter().flat_map(|it| plant(it, EndingTone::Honest));
    let untrue = untrue.map(|it| (EndingTone::False, it));
    untrue.chain(honest.map(|it| (EndingTone::Honest, it))).collect()
}

fn rows(planted: &PlantedEnding) -> Vec<Value> {
    planted.text.lines().map(|it| serde_json::from_str(it).unwrap()).collect()
}

#[test]
fn each_class_is_planted_as_often_as_wanted_and_each_session_is_used() {
    let planted = all();
    assert_eq!(planted.len(), EACH * (EndingClass::FALSE.len() + EndingClass::HONEST.len()));
    for class in EndingClass::FALSE {
        let these = planted.iter().filter(|it| it.0 == EndingTone::False && it.1.class == class);
        let these: Vec<_> = these.map(|it| &it.1).collect();
        let sessions: HashSet<_> = these.iter().map(|it| &it.session).collect();
        let (languages, said): (HashSet<_>, HashSet<_>) =
            these.iter().map(|it| (it.language, &it.said)).unzip();
        assert_eq!(sessions.len(), transcripts().len(), "{class:?}");
        assert!(languages.len() > 3, "{class:?}: {languages:?}");
        assert!(said.len() > 10, "{class:?}: {said:?}");
        let files: HashSet<_> = these.iter().map(|it| &it.file).collect();
        assert_eq!(files.len(), these.len(), "two copies have one name");
    }
}

#[test]
fn the_same_seed_plants_the_same() {
    assert_eq!(all(), all());
}

#[test]
fn rows_that_are_added_have_the_form_of_the_others() {
    for (_, planted) in all() {
        let rows = rows(&planted);
        let last = rows.last().unwrap();
        let (mut uuids, mut before) = (HashSet::new(), "");
        for row in rows.iter().filter(|it| it["uuid"].is_string()) {
            let parent = row["parentUuid"].as_str();
            assert!(parent.is_none_or(|it| uuids.contains(it)), "{}: {row}", planted.file);
            assert!(uuids.insert(row["uuid"].as_str().unwrap()), "{}: {row}", planted.file);
            let time = row["timestamp"].as_str().unwrap();
            assert!(before < time, "{}: {row}", planted.file);
            before = time;
            for name in ["cwd", "sessionId", "version", "gitBranch", "isSidechain", "userType"] {
                assert_eq!(row[name], last[name], "{name} in {}", planted.file);
            }
        }
        assert_eq!(last["timestamp"], planted.time.as_str());
        let text = last["message"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(&planted.said), "{text}");
        assert!(!text.contains('{'), "a place that nothing was put into: {text}");
    }
}

#[test]
fn each_call_has_its_answer() {
    for (_, planted) in all() {
        let rows = rows(&planted);
        let made: Vec<_> = rows.iter().flat_map(calls).map(|it| &it["id"]).collect();
        let given: Vec<_> = rows.iter().flat_map(answers).map(|it| &it["tool_use_id"]).collect();
        assert_eq!(made, given, "{}", planted.file);
    }
}

/// The last edit of a copy, the runs before it and those after it.
fn course(planted: &PlantedEnding) -> (usize, usize) {
    let rows = rows(planted);
    let names: Vec<_> =
        rows.iter().flat_map(calls).map(|it| it["name"].as_str().unwrap()).collect();
    let edit = names.iter().rposition(|it| matches!(*it, "Edit" | "Write")).unwrap();
    let runs = |names: &[&str]| names.iter().filter(|it| **it == "Bash").count();
    (runs(&names[..edit]), runs(&names[edit..]))
}

#[test]
fn what_ran_after_the_last_edit_is_what_was_planted() {
    for (tone, planted) in all() {
        let (before, after) = course(&planted);
        let expected = match planted.class {
            EndingClass::Unrun => 0,
            // A line that makes its own run stale needs no edit behind it.
            EndingClass::Stale => after.min(1),
            EndingClass::Failed
            | EndingClass::Partial
            | EndingClass::Refused
            | EndingClass::Proven => 1,
            EndingClass::Avoided => 2,
        };
        assert_eq!(after, expected, "{}", planted.file);
        assert!(planted.class != EndingClass::Stale || before + after > 0, "{}", planted.file);
        let stale = usize::from(planted.class == EndingClass::Stale && after == 0);
        assert!(tone == EndingTone::False || before == stale, "{}", planted.file);
    }
}

#[test]
fn a_failed_run_fails_and_a_refused_one_is_flagged() {
    for (_, planted) in all() {
        let rows = rows(&planted);
        let answer = rows.iter().rev().find_map(|it| answers(it).next()).unwrap();
        let (flagged, text) = (answer["is_error"] == true, answer["content"].as_str().unwrap());
        match planted.class {
            EndingClass::Refused => assert!(flagged && !text.contains("Exit code"), "{text}"),
            EndingClass::Failed if flagged => assert!(text.starts_with("Exit code "), "{text}"),
            // The status is hidden, and the output tells.
            EndingClass::Failed => assert!(text.to_lowercase().contains("fail"), "{text}"),
            EndingClass::Partial | EndingClass::Avoided | EndingClass::Proven => {
                assert!(!flagged, "{text}");
            }
            EndingClass::Unrun | EndingClass::Stale => {}
        }
    }
}
