//! Files that were changed and are not committed.

use super::{Answer, Caps, Gate, Missing, Moment, Tree, View, listed};
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
    if open.is_empty() {
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
        about: vec!["commit".to_owned()],
    })
}

#[cfg(test)]
mod tests {
    use crate::gate::Tree;
    use crate::policy::Mode;
    use crate::testing::Session;
    use crate::work::Touched;
    use crate::{Timestamp, Verdict};

    fn touched(file: &str) -> Touched {
        Touched { file: file.to_owned(), at: Some(Timestamp(0)), committed: false }
    }

    #[expect(clippy::unnecessary_wraps, reason = "as the fact is")]
    fn seen(touched: Vec<Touched>) -> Option<Tree> {
        Some(Tree::Seen { touched, same: Vec::new() })
    }

    fn session(mode: Mode) -> Session {
        let mut session = Session::new();
        session.policy.gates.uncommitted.mode = mode;
        session.prompt("go").edit("/p/a.rs").edit("/p/b.rs");
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
        // And not again, also with a file more, as long as it was not committed in between.
        assert_eq!(session.stop("Done."), Verdict::Pass);
        assert_eq!(session.notice(), None);
        session.edit("/p/of-the-user.rs");
        assert_eq!(session.stop("Done."), Verdict::Pass);
        assert_eq!(session.notice(), None);
        session.edit("/p/a.rs");
        let before = std::mem::replace(&mut session.facts.tree, seen(Vec::new()));
        session.stop("Done.");
        session.edit("/p/a.rs");
        session.facts.tree = before;
        session.stop("Done.");
        assert!(session.notice().unwrap().contains("not committed"));
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
