//! What the transcript says of calls that the work knows from their events.

use std::mem;

use super::{Ran, Suspect, Work};
use crate::{Digest, Outcome};

impl Work {
    /// Takes in what the new part of the transcript says of calls. It has the last word.
    pub fn settle(&mut self, digest: &Digest) {
        let ran = digest.failed.iter().filter(|it| !digest.never_ran.contains(it));
        let failed: Vec<String> = ran.cloned().collect();
        self.correct(&failed);
        self.withdraw(&digest.never_ran);
        self.suspect_added(digest);
    }

    /// Takes in which lines a call added to a file that it wrote anew. A call of an earlier prompt is
    /// forgotten, and so is what it added.
    fn suspect_added(&mut self, digest: &Digest) {
        for rewritten in &digest.rewritten {
            let is_call = |it: &&Suspect| it.file == rewritten.file && it.is_any();
            let Some(agent) = self.suspects.iter().find(is_call).map(|it| it.agent.clone()) else {
                continue;
            };
            for line in &rewritten.added {
                self.suspect(&rewritten.file, line, &agent);
            }
        }
    }

    /// Takes the runs of calls back that never ran.
    fn withdraw(&mut self, calls: &[String]) {
        let runs = mem::take(&mut self.runs).into_iter();
        self.runs = runs.filter_map(|it| it.without(calls)).collect();
        self.mended.retain(|it| !it.call.as_ref().is_some_and(|call| calls.contains(call)));
    }

    /// The call of an agent's last run whose pass rests on the words of its call alone: nothing that
    /// the run printed says that it passed. The words of a refusal can look like that.
    pub fn last_bare_pass(&self, agent: &str) -> Option<&str> {
        let is_bare =
            |it: &&Ran| it.agent == agent && it.outcome == Outcome::Passed && it.detail.is_none();
        let passes = self.runs.iter().filter(is_bare);
        passes.max_by_key(|it| it.step).map(|it| it.call.as_str())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Session;
    use crate::{Digest, Outcome};

    const FAILED: &str = "test a ... FAILED\ntest result: FAILED. 2 passed; 1 failed";
    const PASSED: &str = "test result: ok. 3 passed; 0 failed";

    #[test]
    fn a_call_that_never_ran_is_no_run_whatever_its_words_were() {
        let mut session = Session::new();
        session.prompt("go").edit("/p/a.rs").shell("make test", Ok(()), "use just test");
        let call = session.last_call();
        assert_eq!(session.work.runs[0].outcome, Outcome::Passed);
        assert_eq!(session.work.last_bare_pass(""), Some(call.as_str()));
        let digest =
            Digest { failed: vec![call.clone()], never_ran: vec![call], ..Digest::default() };
        session.work.settle(&digest);
        assert_eq!(session.work.runs, []);
    }

    /// The run of the same command before it stands, whether it passed or failed.
    #[test]
    fn a_call_that_never_ran_takes_no_run_before_it_away() {
        for result in [Ok(()), Err(2)] {
            let mut session = Session::new();
            session.prompt("go").edit("/p/a.rs").shell("make test", result, "some lines");
            let before = session.work.runs.clone();
            let mut unrun = Vec::new();
            for _ in 0..2 {
                session.shell("make test", Ok(()), "use just test");
                unrun.push(session.last_call());
            }
            assert_ne!(session.work.runs, before);
            session.work.settle(&Digest { never_ran: unrun, ..Digest::default() });
            assert_eq!(session.work.runs, before, "{result:?}");
        }
    }

    #[test]
    fn a_call_that_ran_and_failed_is_a_failure() {
        let mut session = Session::new();
        session.prompt("go").edit("/p/a.rs").shell("make test", Ok(()), "");
        let digest = Digest { failed: vec![session.last_call()], ..Digest::default() };
        session.work.settle(&digest);
        assert_eq!(session.work.runs[0].outcome, Outcome::Failed(None));
    }

    #[test]
    fn a_pass_that_the_output_shows_needs_no_other_word() {
        let mut session = Session::new();
        session.prompt("go").edit("/p/a.rs").shell("cargo test", Ok(()), PASSED);
        session.shell("cargo test -p b", Err(101), FAILED);
        assert_eq!(session.work.last_bare_pass(""), None);
    }

    #[test]
    fn a_refused_call_leaves_no_trace() {
        let mut session = Session::new();
        session.prompt("go").shell("cargo test", Err(101), FAILED).edit("/p/a.rs");
        let before = session.work.clone();
        session.refused("cargo test").refused("sed -i s/a/b/ a.rs").refused("curl localhost");
        (session.work.step, session.work.seen_at) = (before.step, before.seen_at);
        session.work.directories.clone_from(&before.directories);
        assert_eq!(session.work, before);
    }
}
