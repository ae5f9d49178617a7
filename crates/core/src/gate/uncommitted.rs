//! Files that were changed and are not committed.

use super::{Answer, Caps, Gate, Missing, Moment, Tree, View, listed};
use crate::Outcome;
use crate::policy::Mode;

pub(super) const GATE: Gate = Gate {
    name: "uncommitted",
    about: "Files that the agent changed and did not commit.",
    mode: |it| it.uncommitted.mode,
    caps: Caps::Shared,
    look,
    next: "",
};

/// Files that are named.
const NAMED: usize = 5;

fn look(view: &View<'_>) -> Answer {
    // Whoever completes a task or goes idle is not at the end of the work.
    if view.moment != Moment::Stop {
        return Answer::Pass;
    }
    let touched = match &view.facts.tree {
        Some(Tree::Seen { touched, .. }) => touched,
        // Who only wants to be told does not want to hear that there is nothing to tell.
        Some(Tree::Unseen(why)) if view.gates.uncommitted.mode == Mode::Ask => {
            return Answer::CouldNotRun(why.clone());
        }
        Some(Tree::Unseen(_) | Tree::Plain(_)) | None => return Answer::Pass,
    };
    let is_own =
        |file: &str| view.work.edits.iter().any(|it| it.file == file && view.is_own(&it.agent));
    let open: Vec<_> = touched.iter().filter(|it| !it.committed && is_own(&it.file)).collect();
    if open.is_empty() || view.gates.uncommitted.mode == Mode::Advise && !ends_proven(view) {
        return Answer::Pass;
    }
    let count = match open.len() {
        1 => "1 changed file is".to_owned(),
        count => format!("{count} changed files are"),
    };
    let names = listed(&open, NAMED, |it| view.name(&it.file));
    Answer::Ask(Missing {
        found: format!("{count} not committed: {names}."),
        satisfy: "Commit what belongs to the work.".to_owned(),
        // Whoever does not want to commit does not want to commit one file more.
        about: vec![ABOUT.to_owned()],
    })
}

/// What the gate asks for. The user is told of it once in a session.
pub(crate) const ABOUT: &str = "commit";

/// Whether files were changed since the user spoke, and a run that passed came after the last change
/// that one could prove.
fn ends_proven(view: &View<'_>) -> bool {
    let since = view.work.since();
    let new = || view.work.edits.iter().filter(|it| it.latest > since && view.is_own(&it.agent));
    let last = new().filter(|it| view.is_provable(it)).map(|it| it.latest).max();
    let has_passed = |edit: u64| {
        view.work.runs.iter().any(|it| it.step > edit && it.outcome == Outcome::Passed)
            && !view.work.standing_failures().any(|it| it.step > edit)
    };
    new().next().is_some() && last.is_none_or(has_passed)
}

#[cfg(test)]
mod tests {
    use crate::gate::Tree;
    use crate::policy::Mode;
    use crate::testing::Session;
    use crate::work::Touched;
    use crate::{Timestamp, Verdict};

    const PASSED: &str = "test result: ok. 3 passed; 0 failed";

    fn touched(file: &str) -> Touched {
        Touched { file: file.to_owned(), at: Some(Timestamp(0)), committed: false, is_gone: false }
    }

    #[expect(clippy::unnecessary_wraps, reason = "as the fact is")]
    fn seen(touched: Vec<Touched>) -> Option<Tree> {
        Some(Tree::Seen { touched, same: Vec::new() })
    }

    fn session(mode: Mode) -> Session {
        let mut session = Session::new();
        session.policy.gates.uncommitted.mode = mode;
        session.prompt("go").edit("/p/a.rs").edit("/p/b.rs");
        session.shell("cargo test", Ok(()), PASSED);
        session.facts.tree = seen(vec![touched("/p/a.rs"), touched("/p/of-the-user.rs")]);
        session
    }

    #[test]
    fn only_what_the_agent_changed_is_named() {
        let mut session = session(Mode::Ask);
        let Verdict::Ask(text) = session.stop("Done.") else { panic!() };
        assert!(text.contains("[uncommitted] 1 changed file is not committed: a.rs."), "{text}");
        session.edit("/p/a.rs");
        session.facts.tree = seen(Vec::new());
        assert_eq!(session.stop("Done."), Verdict::Pass);
    }

    #[test]
    fn by_default_the_user_is_told_and_nobody_is_asked() {
        let mut session = session(Mode::Advise);
        assert_eq!(session.stop("Done."), Verdict::Pass);
        assert!(session.notice().unwrap().contains("not committed: a.rs"));
        // And not again in the session, whatever changes and is committed.
        assert_eq!(session.stop("Done."), Verdict::Pass);
        assert_eq!(session.notice(), None);
        session.edit("/p/of-the-user.rs").shell("cargo test", Ok(()), PASSED);
        assert_eq!(session.stop("Done."), Verdict::Pass);
        assert_eq!(session.notice(), None);
        session.edit("/p/a.rs");
        let before = std::mem::replace(&mut session.facts.tree, seen(Vec::new()));
        session.stop("Done.");
        session.prompt("more").edit("/p/a.rs").shell("cargo test", Ok(()), PASSED);
        session.facts.tree = before;
        session.stop("Done.");
        assert_eq!(session.notice(), None);
    }

    #[test]
    fn the_user_is_told_only_where_the_work_ends_proven() {
        // After a question, before anything ran, after a failure, beside an ask.
        let mut session = session(Mode::Advise);
        session.prompt("which port is it?");
        assert_eq!(session.stop("80."), Verdict::Pass);
        assert_eq!(session.notice(), None);
        session.prompt("fix it").edit("/p/a.rs");
        assert_eq!(session.stop("Done."), Verdict::Pass);
        assert_eq!(session.notice(), None);
        session.shell("cargo test", Err(101), "test result: FAILED. 2 passed; 1 failed");
        assert!(matches!(session.stop("Done."), Verdict::Ask(_)));
        assert!(!session.notice().unwrap().contains("not committed"), "{:?}", session.notice());
        session.edit("/p/a.rs").shell("cargo test", Ok(()), PASSED);
        assert_eq!(session.stop("Done."), Verdict::Pass);
        assert!(session.notice().unwrap().contains("not committed"));
    }

    #[test]
    fn the_user_is_not_told_beside_an_ask_of_another_gate() {
        use crate::TaskChange;
        let mut session = session(Mode::Advise);
        session.policy.gates.tasks.mode = Mode::Ask;
        let open = TaskChange::Open { id: "1".to_owned(), subject: "write".to_owned() };
        session.tasks(vec![open]);
        assert!(matches!(session.stop("Done."), Verdict::Ask(_)));
        assert!(!session.notice().unwrap().contains("not committed"), "{:?}", session.notice());
    }

    #[test]
    fn a_tree_that_cannot_be_seen_asks_nothing() {
        let mut session = session(Mode::Ask);
        session.facts.tree = Some(Tree::Unseen("the index is damaged".to_owned()));
        assert_eq!(session.stop("Done."), Verdict::Pass);
        assert!(session.notice().unwrap().contains("the index is damaged"));
        session.policy.gates.uncommitted.mode = Mode::Advise;
        session.edit("/p/c.rs");
        assert_eq!(session.stop("Done."), Verdict::Pass);
        assert_eq!(session.notice(), None);
    }
}
