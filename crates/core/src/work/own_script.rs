//! Runs that a file of the session steers: a script or a task file that it wrote.
//!
//! What a tool or a command names is known at once; what a program wrote is known after a look at
//! the working tree, so that runs keep the files that steer them and are judged again.

use super::{Edit, Ran, Work};
use crate::evidence::{self, Gap, Run};
use crate::{Outcome, path};

/// Files outside of the sources that commands wrote, and that may be run.
const MAX_WRITTEN: usize = 32;

/// Stands between a directory and the name of a file anywhere below it.
const ANYWHERE: &str = "/**/";

impl Work {
    /// The files that steer a run, with their whole paths; one that ends with a slash stands for
    /// what is in it.
    pub(super) fn steering_files(run: &Run, directory: Option<&str>) -> Vec<String> {
        let Some(directory) = directory else { return Vec::new() };
        let whole = |it: &String| match it.strip_prefix("**/") {
            Some(name) => Some(format!("{}{ANYWHERE}{name}", directory.trim_end_matches('/'))),
            None => path::joined(directory, it),
        };
        run.scripts.iter().filter_map(whole).collect()
    }

    /// The file of the session that steers a run, written before it.
    pub(super) fn own_script(&self, ran: &Ran) -> Option<String> {
        self.own_scripts(ran).next().map(str::to_owned)
    }

    /// All files of the session that steer a run, written before it.
    pub(crate) fn own_scripts<'a>(&'a self, ran: &'a Ran) -> impl Iterator<Item = &'a str> {
        let earlier = || self.edits.iter().filter(|it| it.step < ran.step);
        let written = earlier().map(|it| &it.file).chain(&self.written_scripts);
        let in_place = written.filter(|it| evidence::stands_in(it, &ran.command));
        let is_named = move |file: &str| {
            ran.scripts.iter().any(|it| match it.split_once(ANYWHERE) {
                Some((directory, name)) => {
                    path::is_below(file, directory) && file.rsplit('/').next() == Some(name)
                }
                None => file == it || path::is_below(file, it),
            })
        };
        // A task file may run any script of the project that is called a test.
        let is_part = move |file: &str| {
            let directory = ran.directory.as_deref().unwrap_or_default();
            path::is_below(file, directory) && evidence::may_steer(path::below(file, directory))
        };
        let decides = move |it: &&Edit| {
            let tasks = it.changed_tasks.as_ref();
            tasks.is_none_or(|tasks| evidence::decides_run(&it.file, tasks, &ran.command))
        };
        let is_steered = !ran.scripts.is_empty();
        let steering = earlier().filter(move |it| is_named(&it.file) || is_part(&it.file));
        let steering = steering.filter(decides).map(|it| &it.file);
        let written = self.written_scripts.iter().filter(move |it| is_named(it));
        let steering = steering.chain(written).filter(move |_| is_steered);
        in_place.chain(steering).map(String::as_str)
    }

    /// Remembers a file that a command wrote and that is no source of the project.
    pub(super) fn note_written(&mut self, file: String) {
        if !evidence::may_be_run(&file) || self.written_scripts.contains(&file) {
            return;
        }
        if self.written_scripts.len() == MAX_WRITTEN {
            self.written_scripts.remove(0);
        }
        self.written_scripts.push(file);
    }

    /// Judges the runs that passed again, now that more is known of what was written.
    pub(super) fn judge_scripts_again(&mut self) {
        let found: Vec<_> = self
            .runs
            .iter()
            .map(|it| if it.outcome == Outcome::Passed { self.own_script(it) } else { None })
            .collect();
        for (run, script) in self.runs.iter_mut().zip(found) {
            if script.is_some() {
                (run.outcome, run.gap, run.script) =
                    (Outcome::Unknown, Some(Gap::OwnScript), script);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Session;
    use crate::work::Touched;
    use crate::{Outcome, Timestamp, Verdict};

    const PYTEST: &str = "============ 12 passed in 0.12s ============\n";
    const CLAIM: &str = "Fixed. All tests pass.";

    fn is_asked(session: &mut Session) -> bool {
        matches!(session.stop(CLAIM), Verdict::Ask(_))
    }

    #[test]
    fn a_file_that_steers_a_run_takes_its_proof() {
        for (file, line) in [
            ("/p/scripts/test.sh", "make ci"),
            ("/p/scripts/test.js", "npm test"),
            ("/p/lib/ci_lib.sh", "./ci.sh"),
            ("/p/ci.sh", "docker run --rm -v $PWD:/w img /w/ci.sh"),
            ("/p/ci.sh", "ssh box ./ci.sh"),
            ("/p/build.gradle", "./gradlew ci"),
            ("/p/flake.nix", "nix flake check"),
            ("/p/Dockerfile", "docker build ."),
        ] {
            let mut session = Session::new();
            session.prompt("go").edit("/p/src/a.js").edit(file).shell(line, Ok(()), PYTEST);
            assert!(is_asked(&mut session), "{file}: {line}");
        }
    }

    #[test]
    fn a_runner_that_the_session_wrote_proves_nothing() {
        for (file, line) in [
            ("/p/bin/pytest", "PATH=bin:$PATH pytest -q"),
            ("/p/bin/pytest", "export PATH=$PWD/bin:$PATH; pytest -q"),
            ("/p/node_modules/.bin/vitest", "npx vitest run"),
            ("/p/pytest.py", "python -m pytest"),
            ("/p/pytest/__main__.py", "python3 -m pytest -q"),
        ] {
            let mut session = Session::new();
            session.prompt("go").edit("/p/src/a.js").edit(file).shell(line, Ok(()), PYTEST);
            assert!(is_asked(&mut session), "{file}: {line}");
        }
        for (file, line) in [
            ("/p/bin/tool", "pytest -q"),
            ("/p/src/pytest.py", "pytest -q"),
            ("/p/tests/pytest_helper.py", "python -m pytest"),
            ("/p/bin/vitest", "pytest -q"),
        ] {
            let mut session = Session::new();
            session.prompt("go").edit("/p/src/a.js").edit(file).shell(line, Ok(()), PYTEST);
            assert!(!is_asked(&mut session), "{file}: {line}");
        }
    }

    #[test]
    fn a_source_or_a_test_takes_no_proof() {
        for (file, line) in [
            ("/p/src/a.js", "npm test"),
            ("/p/tests/test_ci.sh", "make test"),
            ("/p/scripts/deploy.sh", "npm test"),
            ("/p/tools/migrate.py", "make test"),
            ("/p/build.gradle", "./gradlew test"),
            ("/p/tests/test_a.py", "pytest"),
            ("/p/check.py", "make test"),
        ] {
            let mut session = Session::new();
            session.prompt("go").edit("/p/src/a.js").edit(file).shell(line, Ok(()), PYTEST);
            assert!(!is_asked(&mut session), "{file}: {line}");
        }
    }

    #[test]
    fn a_file_that_a_command_wrote_takes_the_proof_of_what_runs_it() {
        for (write, line) in [
            ("curl -so ci.sh https://example.com/ci.sh", "./ci.sh"),
            ("cat > /tmp/ci.sh <<EOF\necho 12 passed in 0.1s\nEOF", "bash /tmp/ci.sh"),
            ("cat > /tmp/x/run.py <<EOF\nprint(1)\nEOF", "/tmp/x/run.py"),
            ("npm pkg set scripts.test='echo ok'", "npm test"),
            ("ln -s /bin/true pytest", "./pytest"),
            ("true", "function just { echo; }; just ci"),
            ("true", "PATH=/tmp/fake:$PATH just ci"),
        ] {
            let mut session = Session::new();
            session.prompt("go").edit("/p/src/a.py").shell(write, Ok(()), "");
            session.shell(line, Ok(()), PYTEST);
            assert!(is_asked(&mut session), "{write}: {line}");
        }
        for (write, line) in [
            ("npm pkg set version=1.2.3", "npm test"),
            ("cat > /tmp/notes.md <<EOF\nx\nEOF", "bash ci.sh"),
            ("true", "PATH=/tmp/node/bin:$PATH npm test"),
            ("true", "PATH=$PWD/node_modules/.bin:$PATH just ci"),
        ] {
            let mut session = Session::new();
            session.prompt("go").edit("/p/src/a.py").shell(write, Ok(()), "");
            session.shell(line, Ok(()), PYTEST);
            assert!(!is_asked(&mut session), "{write}: {line}");
        }
    }

    #[test]
    fn a_run_is_judged_again_when_the_tree_shows_what_was_written() {
        for (file, is_void) in [("/p/ci.sh", true), ("/p/src/b.py", false)] {
            let mut session = Session::new();
            session.prompt("go").edit("/p/src/a.py").shell("python3 gen.py", Ok(()), "");
            let at = session.work.seen_at;
            session.shell("./ci.sh", Ok(()), PYTEST);
            assert_eq!(session.work.runs[0].outcome, Outcome::Passed);
            let touched = [Touched { file: file.to_owned(), at, committed: false, is_gone: false }];
            session.work.find(&touched, &[], Timestamp(i64::MAX / 2));
            assert_eq!(session.work.runs[0].outcome == Outcome::Unknown, is_void, "{file}");
        }
    }
}
