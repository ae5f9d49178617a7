//! What the ledger knows after a step, as far as the demonstration tells it.

use super::script::TEST;
use crate::store::Moment;

/// What is known after a step.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// The events of this step.
    pub(super) news: Vec<Moment>,
    /// Files that were changed since the tests last passed, each time counted.
    pub(super) edits: usize,
    /// Whether the tests ever passed.
    pub(super) has_passed: bool,
    /// How the tests ended when they were last run.
    pub(super) last_test: Option<TestRun>,
    /// Whether any of this came with this step.
    pub(super) is_news: bool,
}

/// A run of the tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TestRun {
    pub(super) result: String,
    pub(super) exit: Option<i64>,
}

impl Known {
    /// Reads it out of all events of the session; `told` of them were told before.
    pub(super) fn of(timeline: Vec<Moment>, told: usize) -> Self {
        let mut known = Self::default();
        for (at, moment) in timeline.iter().enumerate() {
            let is_evidence = known.add(moment);
            known.is_news |= is_evidence && at >= told;
        }
        known.news = timeline.into_iter().skip(told).collect();
        known
    }

    /// Takes an event in, and tells whether it is evidence of anything.
    fn add(&mut self, moment: &Moment) -> bool {
        let words = moment.words();
        let result = moment.result.clone().unwrap_or_default();
        if words.command.as_deref() == Some(TEST) {
            if result == "passed" {
                (self.has_passed, self.edits) = (true, 0);
            }
            self.last_test = Some(TestRun { result, exit: words.exit });
            return true;
        }
        if words.is_edit() && result != "failed" {
            self.edits += words.files.len();
            return true;
        }
        false
    }

    /// The lines of the records of this step in which something was redacted.
    pub(super) fn redacted(&self) -> Vec<String> {
        let outputs = self.news.iter().filter_map(|it| it.words().output);
        let lines = outputs.flat_map(|it| it.lines().map(str::to_owned).collect::<Vec<_>>());
        lines.filter(|it| it.contains("[redacted:")).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use windlass_core::Timestamp;

    use super::{Known, TestRun};
    use crate::store::Moment;

    fn moment(id: i64, result: &str, body: &Value) -> Moment {
        Moment {
            id,
            session: "s".to_owned(),
            agent: None,
            kind: "tool".to_owned(),
            at: Timestamp(0),
            bytes: 0,
            took_us: None,
            result: Some(result.to_owned()),
            body: body.to_string(),
            decision: None,
        }
    }

    #[test]
    fn edits_count_until_the_tests_pass() {
        let edit = json!({"tool": "edit", "files": ["/p/a", "/p/b"]});
        let test = json!({"tool": "shell", "command": "cargo test", "exit": 101});
        let passing = json!({"tool": "shell", "command": "cargo test"});
        let other = json!({"tool": "shell", "command": "ls"});
        let read = json!({"tool": "read", "files": ["/p/a"]});
        let told = |steps: &[(&str, &Value)]| {
            let moments = steps.iter().zip(1..);
            let moments = moments.map(|((result, body), id)| moment(id, result, body)).collect();
            let known = Known::of(moments, 0);
            (known.edits, known.has_passed, known.last_test.map(|it| (it.result, it.exit)))
        };
        let failed = Some(("failed".to_owned(), Some(101)));
        let passed = Some(("passed".to_owned(), None));
        assert_eq!(told(&[]), (0, false, None));
        assert_eq!(told(&[("passed", &edit), ("unknown", &read)]), (2, false, None));
        assert_eq!(told(&[("failed", &edit), ("failed", &test)]), (0, false, failed));
        assert_eq!(
            told(&[("passed", &edit), ("passed", &passing), ("passed", &other)]),
            (0, true, passed.clone())
        );
        assert_eq!(told(&[("passed", &passing), ("passed", &edit)]), (2, true, passed));
    }

    #[test]
    fn only_what_is_new_is_news_and_only_redacted_lines_are_shown() {
        let output = json!({"tool": "shell", "output": "plain\nA=[redacted:x]\n"});
        let moments = vec![moment(1, "passed", &output), moment(2, "passed", &output)];
        let known = Known::of(moments, 1);
        assert_eq!(known.news.iter().map(|it| it.id).collect::<Vec<_>>(), [2]);
        assert_eq!(known.redacted(), ["A=[redacted:x]"]);
        assert_eq!(known.last_test, None::<TestRun>);
    }
}
