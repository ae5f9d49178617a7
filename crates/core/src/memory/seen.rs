//! What the ledger alone knows, whatever anybody said: a failure that an edit mended, and what a
//! session was about.

use super::{Candidate, Category, Content, Draft, FieldValue, MemoryId, Origin, Trust, cut_title};
use crate::policy::Profile;
use crate::triage::{Activity, is_worth_a_summary};
use crate::work::Mended;
use crate::{Event, Policy, Timestamp, path};

/// How likely it is that somebody will want to know it again, in per cent.
const CONFIDENCE: u8 = 40;

/// Bytes of what an agent said last, and of what the user wanted.
const MAX_SAID: usize = 600;
const MAX_GOAL: usize = 300;

/// A claim that is the same for every summary of a session: there is one, and it is kept up.
const SUMMARY: u64 = 0;

/// The candidate that a run makes which failed and passed after an edit: what failed, how, and
/// where it was mended. Nobody is bothered with it.
pub(super) fn runbook(
    mended: &Mended,
    root: &str,
    session: &str,
    at: Timestamp,
) -> Option<Candidate> {
    let Mended { command, detail, files, .. } = mended;
    let files: Vec<_> = files.iter().map(|it| path::below(it, root).to_owned()).collect();
    let how = detail.as_deref().map(|it| format!(" ({it})")).unwrap_or_default();
    let text = format!("`{command}` failed{how}; it passed after an edit of {}.", files.join(", "));
    let list = |it: Vec<String>| FieldValue::List(it);
    let mut fields = vec![
        ("trigger".to_owned(), FieldValue::Text(format!("`{command}` fails"))),
        ("steps".to_owned(), list(files.iter().map(|it| format!("edit {it}")).collect())),
        ("verification".to_owned(), FieldValue::Text(command.clone())),
    ];
    fields.extend(detail.clone().map(|it| ("symptoms".to_owned(), list(vec![it]))));
    let category = Some(Category::Runbook);
    let title = format!("`{command}` failed, and passed after an edit of {}", files.join(", "));
    let title = Some(cut_title(&title));
    let content =
        Draft { category, title, text, fields, files, ..Draft::default() }.check().ok()?;
    let claim = content.claim_number();
    let why = vec!["was seen to fail and to pass".to_owned()];
    let origin = Origin { command: Some(command.clone()), why, ..Origin::default() };
    Some(quiet(content, session, claim, origin, at))
}

/// What is known of a session when it ends or is about to be compacted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Course {
    /// The first prompt of the user, without secrets.
    pub goal: String,
    /// What the agent said last, without secrets; empty where that was only polite.
    pub last: String,
    /// What was done.
    pub activity: Activity,
    /// The files that were edited, the last ones last.
    pub files: Vec<String>,
    /// The entries of the task list that are open.
    pub open: Vec<String>,
}

/// The candidate that a session makes as a whole, if enough was done in it. `root` is where its
/// project begins.
pub fn summary(course: Course, event: &Event, root: &str, policy: &Policy) -> Option<Candidate> {
    // Who changed a file has done something that the next session is told of.
    let has_changed = !course.files.is_empty() && policy.triage.profile == Profile::Calibrated;
    if !has_changed && !is_worth_a_summary(&course.activity, &policy.triage) {
        return None;
    }
    let Course { goal, last, files, open, .. } = course;
    let (goal, mut text) = (beginning(&goal, MAX_GOAL), beginning(&last, MAX_SAID));
    let files: Vec<_> = files.iter().map(|it| path::below(it, root).to_owned()).collect();
    if text.is_empty() && !files.is_empty() {
        text = format!("Changed {}.", beginning(&files.join(", "), MAX_SAID));
    }
    let mut fields = vec![("goal".to_owned(), FieldValue::Text(goal.clone()))];
    let mut list = |name: &str, texts: Vec<String>| {
        if !texts.is_empty() {
            fields.push((name.to_owned(), FieldValue::List(texts)));
        }
    };
    list("key_changes", files.clone());
    list("in_progress", open);
    let category = Some(Category::SessionSummary);
    let draft = Draft { category, text, fields, files, ..Draft::default() };
    let why = vec!["sums up a busy session".to_owned()];
    let origin = Origin { transcript: event.transcript.clone(), why, ..Origin::default() };
    Some(quiet(draft.check().ok()?, event.session.as_str(), SUMMARY, origin, event.at))
}

/// A candidate of what was seen to happen.
fn quiet(content: Content, session: &str, claim: u64, origin: Origin, at: Timestamp) -> Candidate {
    Candidate {
        id: MemoryId::of_claim(session, claim),
        content,
        trust: Trust::Outcome,
        origin: Origin { session: Some(session.to_owned()), ..origin },
        confidence: CONFIDENCE,
        is_strong: false,
        at,
    }
}

/// The beginning of a text, up to the end of a paragraph where one fits.
fn beginning(text: &str, most: usize) -> String {
    let text = text.trim();
    if text.len() <= most {
        return text.to_owned();
    }
    let cut = &text[..text.floor_char_boundary(most)];
    let end = cut.rfind("\n\n").or_else(|| cut.rfind('\n')).or_else(|| cut.rfind(' '));
    cut[..end.unwrap_or(cut.len())].trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Course, beginning, runbook, summary};
    use crate::memory::{Category, FieldValue, Trust};
    use crate::triage::Activity;
    use crate::work::Mended;
    use crate::{Event, Kind, Policy, SessionId, Timestamp};

    #[test]
    fn a_mended_run_says_what_failed_and_where_it_was_mended() {
        let mended = Mended {
            command: "cargo test".to_owned(),
            detail: Some("1 failed: parse".to_owned()),
            files: vec!["/p/src/a.rs".to_owned()],
            step: 8,
            call: None,
        };
        let candidate = runbook(&mended, "/p", "s", Timestamp(3)).unwrap();
        let content = &candidate.content;
        assert_eq!((content.category, candidate.trust), (Category::Runbook, Trust::Outcome));
        assert!(!candidate.is_strong, "nobody is asked about it");
        assert_eq!(
            content.text,
            "`cargo test` failed (1 failed: parse); it passed after an edit of src/a.rs."
        );
        assert_eq!(content.files, ["src/a.rs"]);
        let steps = FieldValue::List(vec!["edit src/a.rs".to_owned()]);
        assert_eq!(content.field("steps"), Some(&steps));
        assert_eq!(candidate.origin.command.as_deref(), Some("cargo test"));
    }

    fn course(calls: u32) -> Course {
        Course {
            goal: "Make it faster".to_owned(),
            last: "It is faster now.".to_owned(),
            activity: Activity { calls, tools: 2, exchanges: 2 },
            files: vec!["/p/a.rs".to_owned()],
            open: vec!["measure it".to_owned()],
        }
    }

    #[test]
    fn a_busy_session_has_one_summary_whatever_it_says() {
        let event = Event {
            at: Timestamp(3),
            session: SessionId::parse("s").unwrap(),
            agent: None,
            prompt: None,
            cwd: "/p".to_owned(),
            transcript: None,
            bytes: 0,
            kind: Kind::CompactStart { trigger: "auto".to_owned() },
        };
        let policy = Policy::default();
        let of = |it| summary(it, &event, "/p", &policy);
        assert_eq!(of(Course { files: Vec::new(), ..course(1) }), None);
        assert!(of(course(1)).is_some(), "who changed a file has done something");
        let first = of(course(9)).unwrap();
        assert_eq!(first.content.category, Category::SessionSummary);
        let changes = FieldValue::List(vec!["a.rs".to_owned()]);
        assert_eq!(first.content.field("key_changes"), Some(&changes));
        let later = of(Course { last: "All is done.".to_owned(), ..course(20) }).unwrap();
        assert_eq!(later.id, first.id);
        assert_ne!(later.content.text, first.content.text);
        let polite = of(Course { last: String::new(), ..course(9) }).unwrap();
        assert_eq!(polite.content.text, "Changed a.rs.");
        assert_eq!(of(Course::default()), None);
    }

    #[test]
    fn a_long_text_is_cut_where_a_paragraph_ends() {
        assert_eq!(beginning("One two.\n\nThree four five", 20), "One two.");
        assert_eq!(beginning("One two three", 9), "One two");
        assert_eq!(beginning("éééé", 3), "é");
    }
}
