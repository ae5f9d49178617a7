//! Whether a run that passed takes an earlier failure away.

use super::{Ran, Work};
use crate::evidence::selection::Selection;
use crate::evidence::{MAX_FAILING_NAMES, RunKind};
use crate::{Outcome, path};

impl Work {
    /// The failures that no later run has taken away, in the order of the calls.
    pub(crate) fn standing_failures(&self) -> impl Iterator<Item = &Ran> {
        let failed = self.runs.iter().filter(|it| it.has_failed());
        failed.filter(|failed| !self.runs.iter().any(|it| cures(it, failed)))
    }
}

impl Work {
    /// Whether each test that failed in a run failed without the changes, too: before the first edit,
    /// or while they were put aside, by whatever command.
    pub(crate) fn failed_without_changes(&self, run: &Ran) -> bool {
        // Of a longer list the rest is not known.
        let is_known = !run.failing.is_empty() && run.failing.len() < MAX_FAILING_NAMES;
        let began = || {
            let began = self.runs.iter().filter(|it| it.kind == run.kind && it.began.is_some());
            began.filter(|it| !it.has_failed() || it.failed_before())
        };
        let is_old = |name: &String| began().any(|it| it.failing.contains(name));
        run.failed_before() || is_known && run.failing.iter().all(is_old)
    }
}

/// Tells whether a run takes a failure away: it passed later, shows the same, and covers all of it.
pub(crate) fn cures(run: &Ran, failed: &Ran) -> bool {
    let has_passed = run.outcome == Outcome::Passed;
    if has_passed && (vets_unlinkable(run, failed) || checks_types_of(run, failed)) {
        return true;
    }
    let is_later = run.step > failed.step && run.outcome == Outcome::Passed;
    // A test that passed has built it, too.
    let builds = failed.kind == RunKind::Build && run.kind == RunKind::Test;
    if !is_later || run.kind != failed.kind && !builds {
        return false;
    }
    let (own, other) = (Selection::of(&run.command), Selection::of(&failed.command));
    let covers = if builds { own.builds(&other) } else { own.covers(&other) };
    match (run.directory.as_deref(), failed.directory.as_deref()) {
        (Some(here), Some(there)) if here != there => {
            reaches(&own, here, &other, there) && (covers || names_place(&own, there))
                || own.covers_from(here, &other, there)
                // `cargo test -p a`, and then `cargo test` in a.
                || covers && path::is_below(here, there) && other.chooses_package_in(here)
        }
        _ => covers,
    }
}

/// Tells whether `go vet` takes a package that `go build` cannot link, since it has no `main`.
fn vets_unlinkable(run: &Ran, failed: &Ran) -> bool {
    let says = |it: &str| it.contains("function main is undeclared in the main package");
    let is_near = run.step + 4 > failed.step && run.directory == failed.directory;
    is_near
        && run.command.starts_with("go vet")
        && failed.command.starts_with("go build")
        && failed.detail.as_deref().is_some_and(says)
}

/// Tells whether the type checker of TypeScript passes behind a build that its errors ended.
fn checks_types_of(run: &Ran, failed: &Ran) -> bool {
    let mut words = run.command.split_whitespace();
    let is_checker = words.any(|it| matches!(it, "tsc" | "vue-tsc"));
    let is_of_files = words.any(|it| it.contains(".ts"));
    is_checker
        && !is_of_files
        && run.step > failed.step
        && run.directory == failed.directory
        && run.kind == RunKind::Types
        && matches!(failed.kind, RunKind::Build | RunKind::Types)
        && failed.detail.as_deref().is_some_and(|it| it.contains("error TS"))
}

/// Tells whether a run in one directory looks at another one.
fn reaches(own: &Selection, here: &str, other: &Selection, there: &str) -> bool {
    if path::is_below(there, here) {
        return own.is_whole() || names_place(own, there);
    }
    // A task may go to any directory. Other commands look below their own.
    let is_task = own.is_indirect(other) && own != other && !other.chooses_package();
    path::is_below(here, there) && is_task
}

fn names_place(own: &Selection, directory: &str) -> bool {
    directory.rsplit('/').next().is_some_and(|it| own.names(it))
}

#[cfg(test)]
mod tests {
    use crate::testing::Session;

    #[test]
    fn a_type_check_mends_a_build_that_its_errors_ended() {
        let errors = "> tsc -p . && vite build\n\nsrc/a.ts(2,10): error TS2322: not a number";
        for (failed, run, is_mended) in [
            (errors, "npx tsc -p .", true),
            (errors, "npx vue-tsc --noEmit", true),
            (errors, "npx tsc --noEmit src/a.ts", false),
            (errors, "npx eslint .", false),
            ("vite: could not resolve ./b.ts", "npx tsc -p .", false),
        ] {
            let mut session = Session::new();
            session.prompt("go").edit("/p/src/a.ts").shell("npm run build", Err(2), failed);
            session.edit("/p/src/a.ts").shell(run, Ok(()), "");
            assert_eq!(session.work.standing_failures().count() == 0, is_mended, "{failed} {run}");
        }
    }

    #[test]
    fn a_failure_stands_until_a_run_that_covers_it_passes() {
        let mut session = Session::new();
        session.prompt("go").edit("/p/a.py").shell("pytest -q", Err(1), "4 failed");
        session.shell("pytest tests/a.py -q", Err(1), "1 failed");
        let standing = |session: &Session| {
            session.work.standing_failures().map(|it| it.command.clone()).collect::<Vec<_>>()
        };
        assert_eq!(standing(&session), ["pytest -q", "pytest tests/a.py -q"]);
        session.shell("pytest tests/a.py -q", Ok(()), "3 passed");
        assert_eq!(standing(&session), ["pytest -q"]);
        session.shell("python -m pytest", Ok(()), "455 passed");
        assert_eq!(standing(&session), Vec::<String>::new());
    }
}
