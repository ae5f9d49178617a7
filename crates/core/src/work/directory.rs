//! Where the calls of an agent ran.
//!
//! The host names the directory of an event as it is after the calls: `cd svc && pytest` comes with
//! `/p/svc`. Where the call began is known from the event before it, or from its own words.

use super::{MAX_AGENTS, Work};
use crate::evidence::CommandLine;
use crate::{Timestamp, path};

/// The directory of an agent, as its events tell it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentDirectory {
    /// The agent; empty for the main one.
    pub agent: String,
    /// Before its last calls.
    pub before: Option<String>,
    /// When these were reported. The calls of one message are told one by one.
    pub at: Timestamp,
    /// After them.
    pub after: String,
}

impl Work {
    /// Takes in where an agent is after its calls, or when the user speaks to it.
    pub(super) fn enter(&mut self, agent: &str, cwd: &str, at: Timestamp) {
        let known = self.directories.iter_mut().find(|it| it.agent == agent);
        if let Some(known) = known {
            if known.at != at {
                known.before = Some(std::mem::replace(&mut known.after, cwd.to_owned()));
                known.at = at;
            }
            return;
        }
        if self.directories.len() == MAX_AGENTS {
            self.directories.remove(0);
        }
        let (agent, after) = (agent.to_owned(), cwd.to_owned());
        self.directories.push(AgentDirectory { agent, before: None, at, after });
    }

    /// Where a command line began whose event names the directory after it.
    pub(super) fn directory_before(
        &self,
        agent: &str,
        cwd: &str,
        line: &CommandLine<'_>,
    ) -> Option<String> {
        let to = line.end_directory()?;
        let before = self.directories.iter().find(|it| it.agent == agent)?.before.as_deref();
        if before == Some(cwd) || to.starts_with('/') {
            return None;
        }
        let leads_here = |from: &&str| path::joined(from, &to).as_deref() == Some(cwd);
        let by_its_words = || cwd.strip_suffix(to.trim_matches(['.', '/']))?.strip_suffix('/');
        let before = before.filter(leads_here).or_else(|| by_its_words().filter(leads_here));
        before.map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Session;

    /// The directory of the last run, from the directories before and after its call.
    fn ran_in(before: &str, line: &str, after: &str) -> Option<String> {
        let mut session = Session::new();
        session.go_to(before).prompt("go").go_to(after).shell(line, Ok(()), "9 passed in 0.31s");
        session.work.runs.last()?.directory.clone()
    }

    #[test]
    fn a_run_behind_a_change_of_the_directory_ran_where_that_led() {
        for (before, line, after, directory) in [
            ("/p", "cd svc && pytest -q", "/p/svc", "/p/svc"),
            ("/p", "cd ./svc && pytest -q", "/p/svc", "/p/svc"),
            ("/p", "cd svc; cd api; pytest -q", "/p/svc/api", "/p/svc/api"),
            ("/p/svc", "cd .. && pytest -q", "/p", "/p"),
            ("/p/svc", "cd ../web && pytest -q", "/p/web", "/p/web"),
            ("/p", "{ cd svc; pytest -q; }", "/p/svc", "/p/svc"),
            ("/p", "cd svc && pytest -q && cd ..", "/p", "/p/svc"),
            // The shell was put back, or the line did not move it.
            ("/p", "cd svc && pytest -q", "/p", "/p/svc"),
            ("/p", "(cd svc && pytest -q)", "/p", "/p/svc"),
            ("/p", "cd /q/svc && pytest -q", "/q/svc", "/q/svc"),
            ("/p/svc", "cd svc && pytest -q", "/p/svc/svc", "/p/svc/svc"),
            ("/p/svc", "pytest -q", "/p/svc", "/p/svc"),
            // What moved it in between was not seen.
            ("/", "cd svc && pytest -q", "/p/svc", "/p/svc"),
            ("/p", "cd api && pytest -q", "/p/web", "/p/web/api"),
        ] {
            assert_eq!(
                ran_in(before, line, after).as_deref(),
                Some(directory),
                "{line} in {after}"
            );
        }
    }

    #[test]
    fn the_directories_of_a_container_are_its_own() {
        for line in [
            "docker exec dev bash -lc 'cd /app && pytest -q'",
            "docker compose exec -T web sh -c \"cd /usr/src/app; pytest -q\"",
            "podman run --rm -v $(pwd):/src py:3 sh -c \"cd /src && pytest -q\"",
        ] {
            assert_eq!(ran_in("/p", line, "/p").as_deref(), Some("/p"), "{line}");
        }
    }

    #[test]
    fn a_run_that_is_mended_in_its_directory_is_mended() {
        let mut session = Session::new();
        session.prompt("go").edit("/p/svc/cart.py");
        session.shell("cd svc && pytest -q", Err(1), "1 failed, 8 passed in 0.1s");
        session.edit("/p/svc/cart.py");
        session.go_to("/p/svc").shell("cd svc && pytest -q", Ok(()), "9 passed in 0.1s");
        let [run] = &session.work.runs[..] else { panic!("{:?}", session.work.runs) };
        assert_eq!(run.directory.as_deref(), Some("/p/svc"));
        assert_eq!(session.stop("The rate is updated. All tests pass."), crate::Verdict::Pass);
    }

    /// A subagent begins where only its words tell.
    #[test]
    fn the_first_call_of_an_agent_is_told_by_its_words() {
        assert_eq!(
            {
                let mut session = Session::new();
                session.go_to("/p/svc").shell("cd svc && pytest -q", Ok(()), "9 passed in 0.1s");
                session.work.runs[0].directory.clone()
            },
            Some("/p/svc".to_owned())
        );
    }
}
