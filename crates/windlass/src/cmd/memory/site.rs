//! Where a command stands, and who gave it.

use std::path::PathBuf;

use windlass_core::memory::{By, MemoryId, Origin, State};
use windlass_core::{SessionId, Timestamp};

use super::MemoryError;
use crate::agent::tree::{self, Sign};
use crate::agent::user;
use crate::cli::Chosen;
use crate::cmd::show::{self, Ledger, ShowError};
use crate::cmd::tidy;
use crate::store::{Deed, Filter, Kept, Listed, NAMED, Store, Tidying, Within};
use crate::surroundings::{self, Surroundings};
use crate::tree::Tree;
use crate::{Host, env, redact, ui};

/// Memories that are named where one was meant.
const SEVERAL: usize = 5;

/// What a command does with the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cmd) enum Access {
    /// It goes on with what is known where nothing can be written.
    Read,
    Write,
}

/// Where a command stands, and who gave it.
pub(in crate::cmd) struct Site<'a> {
    pub(super) host: &'a Host,
    pub(super) directory: PathBuf,
    pub(in crate::cmd) store: Store,
    pub(super) around: Surroundings<'a>,
    pub(in crate::cmd) now: Timestamp,
    sign: Option<Sign>,
    /// What may be missing in what is read, and why.
    missing: Option<String>,
}

impl<'a> Site<'a> {
    pub(super) fn find(host: &'a Host, access: Access) -> Result<Self, MemoryError> {
        let site = Self::of(host, tree::sign(host), access)?;
        if let Some(said) = site.missing() {
            ui::warn(said);
        }
        Ok(site)
    }

    /// Where a command stands that an agent gives, as this shows.
    pub(in crate::cmd) fn of_agent(
        host: &'a Host,
        sign: Sign,
        access: Access,
    ) -> Result<Self, MemoryError> {
        Self::of(host, Some(sign), access)
    }

    /// What may be missing in what is read, where something may.
    pub(in crate::cmd) fn missing(&self) -> Option<&str> {
        self.missing.as_deref()
    }

    fn of(host: &'a Host, sign: Option<Sign>, access: Access) -> Result<Self, MemoryError> {
        let directory = host.current_dir().map_err(MemoryError::Directory)?;
        let data_dir = host.data_dir().ok_or(ShowError::Homeless)?;
        let opened = match show::open(host, &data_dir) {
            // As hooks do: SQLite wants a file beside the store that cannot be made.
            Err(trouble) if access == Access::Read && trouble.is_read_only() => {
                match Store::copy_in_memory(&data_dir) {
                    Ok(Some(store)) => Ok(Ledger { store, trouble: Some(trouble) }),
                    Ok(None) | Err(_) => Err(trouble),
                }
            }
            opened => opened,
        };
        let Ledger { mut store, trouble } = opened?;
        let missing = trouble.as_ref().map(show::behind);
        match trouble {
            Some(_) if access == Access::Read => store.only_read(),
            // What cannot be written to cannot keep what it gives a name to.
            Some(trouble) => return Err(trouble.into()),
            None => {}
        }
        let (around, now) = (Surroundings::new(host), host.now);
        Ok(Self { host, directory, store, around, now, sign, missing })
    }

    pub(super) fn by(&self) -> By {
        if self.sign.is_some() { By::Agent } else { By::User }
    }

    /// Why what is said here counts as the word of an agent although no agent is seen.
    pub(super) fn why_agent(&self) -> Option<&'static str> {
        match self.sign {
            Some(Sign::Detached) => Some("no terminal stands above this command"),
            Some(Sign::Terminal { .. }) => Some("nothing shows a user at its terminal"),
            _ => None,
        }
    }

    pub(in crate::cmd) fn deed<'d>(&self, why: Option<&'d str>) -> Deed<'d> {
        Deed { by: self.by(), now: self.now, why }
    }

    /// Refuses what only the user may do.
    pub(super) fn refuse_agents(&mut self, what: &'static str) -> Result<(), MemoryError> {
        match self.sign.take() {
            Some(sign) => {
                let hint = user::refused(self.host, sign.clone()).hint();
                Err(MemoryError::Agent { what, sign, hint })
            }
            None => Ok(()),
        }
    }

    /// The one memory whose id begins so.
    pub(in crate::cmd) fn one(&self, text: &str) -> Result<Listed, MemoryError> {
        self.one_of(text, |_| true)
    }

    /// The one memory whose id begins so, of those that can be meant. Nothing is told of others.
    pub(in crate::cmd) fn one_of(
        &self,
        text: &str,
        can_be_meant: impl Fn(&Listed) -> bool,
    ) -> Result<Listed, MemoryError> {
        let shown = || ui::line(text, 64);
        let prefix = MemoryId::prefix(text).ok_or_else(|| MemoryError::NoId(shown()))?;
        let mut found = self.store.memories_named(&prefix)?;
        // Behind those that were looked at there may be more that can be meant.
        let are_all = found.len() < usize::from(NAMED);
        found.retain(can_be_meant);
        found.truncate(SEVERAL);
        match (found.pop(), found.is_empty()) {
            (None, _) if are_all => Err(MemoryError::Unknown(shown())),
            (None, _) => Err(MemoryError::Short(shown())),
            (Some(one), true) if are_all => Ok(one),
            (Some(last), _) => {
                let all = found.into_iter().chain([last]);
                let found = all.map(|it| it.memory.id.to_string()).collect();
                Err(MemoryError::Several { id: shown(), found })
            }
        }
    }

    /// The memories whose ids begin so, each once.
    pub(super) fn each(&self, texts: &[String]) -> Result<Vec<Listed>, MemoryError> {
        let mut all: Vec<Listed> = Vec::new();
        for text in texts {
            let one = self.one(text)?;
            if !all.iter().any(|it| it.memory.id == one.memory.id) {
                all.push(one);
            }
        }
        Ok(all)
    }

    pub(super) fn ids(&self, texts: &[String]) -> Result<Vec<MemoryId>, MemoryError> {
        Ok(self.each(texts)?.into_iter().map(|it| it.memory.id).collect())
    }

    pub(in crate::cmd) fn within(&mut self, all: bool) -> Result<Within, MemoryError> {
        if all {
            return Ok(Within::Everything);
        }
        Ok(Within::Project(self.project()?))
    }

    /// The project that it stands in; none in `/` and in the home directory itself.
    pub(in crate::cmd) fn project(&mut self) -> Result<Option<i64>, MemoryError> {
        Ok(self.store.project_of(&self.directory, self.now, &self.around)?)
    }

    /// The loops or holds of this project.
    pub(in crate::cmd) fn loops(&mut self, gate: &str) -> Result<Vec<Kept>, MemoryError> {
        Ok(self.store.loops(gate, &self.directory, self.now, &self.around)?)
    }

    /// What the options choose, with a text in it.
    pub(super) fn chosen(
        &mut self,
        chosen: &Chosen,
        text: Option<&str>,
    ) -> Result<Vec<Listed>, MemoryError> {
        let within = self.within(chosen.all)?;
        let states: Vec<_> = State::of(&chosen.state).into_iter().collect();
        let filter = Filter {
            within,
            states: &states,
            category: chosen.category,
            text,
            ..Filter::default()
        };
        Ok(self.store.memories(&filter)?)
    }

    /// The session of the agent that gives the command, as its client named it. One that is over
    /// is not meant: a server lives as long as its client, which may have begun another session
    /// since and tells nobody.
    pub(in crate::cmd) fn session(&self) -> Option<String> {
        let id = self.host.variable(env::CLAUDE_CODE_SESSION_ID)?;
        let name = redact::session(&SessionId::parse(id.to_str()?)?).to_string();
        let is_over = self.store.has_ended(&name).unwrap_or(false);
        (!is_over).then_some(name)
    }

    /// Where something comes from that somebody says now.
    pub(super) fn origin(&self) -> Origin {
        let root = surroundings::root_of(self.host, &self.directory);
        let tree = root.and_then(|it| Tree::open(&it).ok().flatten());
        Origin {
            session: self.session(),
            commit: tree.and_then(|it| it.commit_name()),
            ..Origin::default()
        }
    }
}

impl Drop for Site<'_> {
    /// What takes too long to wait for is done by a process that nobody waits for.
    fn drop(&mut self) {
        let data_dir = self.host.data_dir().filter(|_| self.store.is_behind());
        if data_dir.is_some_and(|it| Tidying::is_free(&it)) {
            #[expect(clippy::let_underscore_must_use, reason = "the next session starts it too")]
            let _ = tidy::start(self.host);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use windlass_core::memory::MemoryId;

    use super::{MemoryError, Site};
    use crate::Host;
    use crate::store::{Patience, Store, fill_memories};
    use crate::surroundings::Surroundings;

    /// Behind those that were looked at there may be the one that is meant.
    #[test]
    fn nothing_is_unknown_before_all_were_looked_at() {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path().join("data");
        fill_memories(&data, directory.path(), 1500).unwrap();
        let host = Host::from_process();
        let site = Site {
            host: &host,
            directory: directory.path().to_owned(),
            store: Store::open(&data, Patience::For(Duration::from_secs(5))).unwrap(),
            around: Surroundings::new(&host),
            now: host.now,
            sign: None,
            missing: None,
        };
        let id = MemoryId::of_claim("fill", 0).to_string();
        let of_none = |text: &str| site.one_of(text, |_| false).unwrap_err();
        assert!(matches!(of_none(&id[..1]), MemoryError::Short(_)));
        assert!(matches!(of_none(&id), MemoryError::Unknown(_)));
        assert!(matches!(site.one(&id[..1]), Err(MemoryError::Several { .. })));
        assert_eq!(site.one(&id).unwrap().memory.id.to_string(), id);
    }
}
