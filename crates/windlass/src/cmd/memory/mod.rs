//! What was learned: remembered, settled, looked at, changed, forgotten.
//!
//! An agent may remember something, settle candidates and look. What the user said is the user's to
//! change, and only the user forgets.

mod error;
mod export;
mod forget;
mod import;
mod names;
mod recall;
mod record;
mod remember;
mod stats;
mod text;

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use windlass_core::memory::{By, Edits, FieldValue, Memory, MemoryId, Origin, State};
use windlass_core::{SessionId, Timestamp};

use super::show::{self, Ledger, ShowError};
use super::tidy;
use crate::agent::tree::{self, Sign};
use crate::cli::{
    Candidates, CandidatesCommand, CandidatesList, Chosen, MemoryCommand, MemoryList, Says,
};
use crate::store::{
    Deed, Done, Filter, Kept, Listed, NAMED, Store, StoreError, Taking, Tidying, Within,
};
use crate::surroundings::{self, Surroundings};
use crate::tree::Tree;
use crate::ui::Colour;
use crate::{Host, env, redact, ui};

pub(super) use error::MemoryError;
pub(super) use import::{Own, own};
pub(super) use recall::{HitJson, Hits, recall};
pub(super) use record::{Record, Value, category};
pub(super) use remember::{Told, remember};
pub(super) use stats::TallyJson;
pub(super) use text::Shown;

/// What only the user may do: it would reach every project.
const EVERYWHERE: &str = "make a memory hold in every project";

/// What only the user may take back.
const HERE_ALONE: &str = "make a memory hold in its own project alone";

/// What settles a candidate, and keeps it.
pub(super) const CONFIRM: &str = "confirm";

/// Memories that are named where one was meant.
const SEVERAL: usize = 5;

/// What a command does with the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// It goes on with what is known while another process writes.
    Read,
    Write,
}

/// Where a command stands, and who gave it.
pub(super) struct Site<'a> {
    host: &'a Host,
    directory: PathBuf,
    pub(super) store: Store,
    around: Surroundings<'a>,
    pub(super) now: Timestamp,
    sign: Option<Sign>,
}

impl<'a> Site<'a> {
    fn find(host: &'a Host, access: Access) -> Result<Self, MemoryError> {
        let site = Self::of(host, tree::sign(host), access)?;
        if let Some(said) = site.missing() {
            ui::warn(said);
        }
        Ok(site)
    }

    /// Where a command stands that an agent gives, as this shows.
    pub(super) fn of_agent(
        host: &'a Host,
        sign: Sign,
        access: Access,
    ) -> Result<Self, MemoryError> {
        Self::of(host, Some(sign), access)
    }

    /// What may be missing in what is read, where something may.
    pub(super) fn missing(&self) -> Option<&'static str> {
        let said = "Another process is writing to the store. The newest events may be missing.";
        self.store.reads_only().then_some(said)
    }

    fn of(host: &'a Host, sign: Option<Sign>, access: Access) -> Result<Self, MemoryError> {
        let directory = host.current_dir().map_err(MemoryError::Directory)?;
        let data_dir = host.data_dir().ok_or(ShowError::Homeless)?;
        let Ledger { mut store, trouble } = show::open(host, &data_dir)?;
        match trouble {
            Some(StoreError::Busy { .. }) if access == Access::Read => store.only_read(),
            // What cannot be written to cannot keep what it gives a name to.
            Some(trouble) => return Err(trouble.into()),
            None => {}
        }
        let (around, now) = (Surroundings::new(host), host.now);
        Ok(Self { host, directory, store, around, now, sign })
    }

    fn by(&self) -> By {
        if self.sign.is_some() { By::Agent } else { By::User }
    }

    pub(super) fn deed<'d>(&self, why: Option<&'d str>) -> Deed<'d> {
        Deed { by: self.by(), now: self.now, why }
    }

    /// Refuses what only the user may do.
    fn refuse_agents(&mut self, what: &'static str) -> Result<(), MemoryError> {
        match self.sign.take() {
            Some(sign) => Err(MemoryError::Agent { what, sign }),
            None => Ok(()),
        }
    }

    /// The one memory whose id begins so.
    pub(super) fn one(&self, text: &str) -> Result<Listed, MemoryError> {
        self.one_of(text, |_| true)
    }

    /// The one memory whose id begins so, of those that can be meant. Nothing is told of others.
    pub(super) fn one_of(
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
    fn each(&self, texts: &[String]) -> Result<Vec<Listed>, MemoryError> {
        let mut all: Vec<Listed> = Vec::new();
        for text in texts {
            let one = self.one(text)?;
            if !all.iter().any(|it| it.memory.id == one.memory.id) {
                all.push(one);
            }
        }
        Ok(all)
    }

    fn ids(&self, texts: &[String]) -> Result<Vec<MemoryId>, MemoryError> {
        Ok(self.each(texts)?.into_iter().map(|it| it.memory.id).collect())
    }

    pub(super) fn within(&mut self, all: bool) -> Result<Within, MemoryError> {
        if all {
            return Ok(Within::Everything);
        }
        Ok(Within::Project(self.project()?))
    }

    /// The project that it stands in; none in `/` and in the home directory itself.
    pub(super) fn project(&mut self) -> Result<Option<i64>, MemoryError> {
        Ok(self.store.project_of(&self.directory, self.now, &self.around)?)
    }

    /// The loops or holds of this project.
    pub(super) fn loops(&mut self, gate: &str) -> Result<Vec<Kept>, MemoryError> {
        Ok(self.store.loops(gate, &self.directory, self.now, &self.around)?)
    }

    /// What the options choose, with a text in it.
    fn chosen(&mut self, chosen: &Chosen, text: Option<&str>) -> Result<Vec<Listed>, MemoryError> {
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
    pub(super) fn session(&self) -> Option<String> {
        let id = self.host.variable(env::CLAUDE_CODE_SESSION_ID)?;
        let name = redact::session(&SessionId::parse(id.to_str()?)?).to_string();
        let is_over = self.store.has_ended(&name).unwrap_or(false);
        (!is_over).then_some(name)
    }

    /// Where something comes from that somebody says now.
    fn origin(&self) -> Origin {
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

/// Shows candidates, or rejects them.
pub(super) fn candidates(host: &Host, asked: &Candidates) -> Result<(), MemoryError> {
    let access = match &asked.command {
        Some(CandidatesCommand::Reject { .. }) => Access::Write,
        _ => Access::Read,
    };
    let mut site = Site::find(host, access)?;
    match &asked.command {
        None => list_candidates(&mut site, &asked.list),
        Some(CandidatesCommand::List(list)) => list_candidates(&mut site, list),
        Some(CandidatesCommand::Show { id, listing }) => show(&site, id, listing.json),
        Some(CandidatesCommand::Stats(asked)) => stats::run(&mut site, asked),
        Some(CandidatesCommand::Reject { ids, reason }) => {
            let ids = site.ids(ids)?;
            let done = site.store.reject(&ids, site.deed(reason.as_deref()))?;
            settle("reject", "Rejected", &done)
        }
    }
}

fn list_candidates(site: &mut Site<'_>, list: &CandidatesList) -> Result<(), MemoryError> {
    let session = named(list.session.as_ref());
    // Whoever names a session means it wherever it is.
    let within = site.within(list.all || session.is_some())?;
    let filter = Filter {
        within,
        states: &[State::Candidate],
        category: list.category,
        session,
        strong_only: list.strong,
        ..Filter::default()
    };
    let found = site.store.memories(&filter)?;
    if list.listing.json {
        ui::json(&found.iter().map(Record::of).collect::<Vec<_>>());
    } else {
        text::candidates(&found, site.now, Colour::of(site.host));
    }
    Ok(())
}

/// Looks at memories, or cares for them.
pub(super) fn run(host: &Host, command: &MemoryCommand) -> Result<(), MemoryError> {
    let access = match command {
        MemoryCommand::List(_) | MemoryCommand::Show { .. } => Access::Read,
        _ => Access::Write,
    };
    let mut site = Site::find(host, access)?;
    match command {
        MemoryCommand::List(list) => list_memories(&mut site, list),
        MemoryCommand::Show { id, listing } => show(&site, id, listing.json),
        MemoryCommand::Edit { id, text, says, global, local } => {
            let Listed { memory: Memory { id, .. }, project_id, .. } = site.one(id)?;
            let edits = site.placed_edits(edits(text.clone(), says), project_id)?;
            if !global && !local {
                if edits.is_empty() {
                    return Err(MemoryError::NoEdits(id));
                }
                let done = site.store.edit(&id, &edits, site.deed(None))?;
                return settle("edit", "Changed", &[done]);
            }
            site.refuse_agents(if *global { EVERYWHERE } else { HERE_ALONE })?;
            let done = site.store.spread(&id, *global, &edits, site.deed(None))?;
            settle("edit", "Changed", &[done])
        }
        MemoryCommand::Supersede { old, new } => supersede(&mut site, old, new),
        MemoryCommand::Retire { ids, reason } => {
            let ids = site.ids(ids)?;
            let done = site.store.retire(&ids, site.deed(reason.as_deref()))?;
            settle("retire", "Retired", &done)
        }
        MemoryCommand::Restore { ids } => {
            let ids = site.ids(ids)?;
            let done = site.store.restore(&ids, site.deed(None))?;
            settle("restore", "Restored", &done)
        }
        MemoryCommand::Forget(what) => forget::run(site, what),
        MemoryCommand::Export(export) => export::run(&mut site, export),
        MemoryCommand::Import { paths, restore, here } => {
            let taking = match (restore, here) {
                (false, _) => Taking::Candidates,
                (true, false) => Taking::Own,
                (true, true) => Taking::Here,
            };
            import::run(site, paths, taking)
        }
    }
}

fn list_memories(site: &mut Site<'_>, list: &MemoryList) -> Result<(), MemoryError> {
    let found = site.chosen(&list.chosen, list.text.as_deref())?;
    if list.listing.json {
        ui::json(&found.iter().map(Record::of).collect::<Vec<_>>());
    } else {
        text::memories(&found, &list.chosen, site.now, Colour::of(site.host));
    }
    Ok(())
}

fn show(site: &Site<'_>, id: &str, as_json: bool) -> Result<(), MemoryError> {
    let mut listed = site.one(id)?;
    site.store.link([&mut listed])?;
    let history = site.store.history(&listed.memory.id)?;
    if as_json {
        ui::json(&Shown::of(&listed, &history));
    } else {
        text::memory(&listed, &history, site.now, Colour::of(site.host));
    }
    Ok(())
}

fn supersede(site: &mut Site<'_>, old: &str, new: &str) -> Result<(), MemoryError> {
    let (old, new) = (site.one(old)?.memory.id, site.one(new)?.memory);
    if old == new.id {
        return Err(MemoryError::Itself);
    }
    if new.state != State::Active {
        return Err(MemoryError::NotActive { id: new.id, state: new.state });
    }
    let done = site.store.supersede(&old, &new.id, site.deed(None))?;
    settle("supersede", "Superseded", &[done])
}

/// Says what was done, and fails for the first one that could not be.
fn settle(did: &'static str, past: &str, all: &[Done]) -> Result<(), MemoryError> {
    let mut failed = None;
    for done in all {
        match told(did, past, done) {
            Ok(said) => ui::say(&said),
            Err(error) => {
                failed.get_or_insert(error);
            }
        }
    }
    failed.map_or(Ok(()), Err)
}

/// What was done, in a sentence, or why it could not be.
pub(super) fn told(did: &'static str, past: &str, done: &Done) -> Result<String, MemoryError> {
    Err(match done {
        Done::Changed(memory) => return Ok(text::sentence(past, memory)),
        Done::Already(memory) => {
            let state = memory.state.word();
            return Ok(format!("Nothing to do: {} is {state} already.", memory.id));
        }
        Done::Known { memory: Memory { id, state, .. }, known } => {
            return Ok(match state {
                State::Superseded if did == CONFIRM => {
                    format!("Nothing new: it is known as {known}, which takes the place of {id}.")
                }
                State::Active => format!(
                    "Nothing was done: {known} says the same. To put it in the place of {id}, run \
                     `windlass memory supersede {id} {known}`."
                ),
                _ => format!("Nothing was done: {known} says the same, and counts."),
            });
        }
        Done::Cannot(it) => MemoryError::Cannot { did, id: it.id.clone(), state: it.state },
        Done::Users(it) => MemoryError::Users { did, id: it.id.clone() },
        Done::Wrong(fault) => fault.clone().into(),
        Done::Gone(id) => MemoryError::Unknown(id.to_string()),
    })
}

/// A session that is named; an empty name names none.
fn named(session: Option<&String>) -> Option<&str> {
    session.map(|it| it.trim()).filter(|it| !it.is_empty())
}

/// What options want to be other.
fn edits(text: Option<String>, says: &Says) -> Edits {
    let some = |all: &[String]| (!all.is_empty()).then(|| all.to_vec());
    Edits {
        category: says.category,
        title: says.title.clone(),
        text,
        fields: fields(says),
        tags: some(&says.tag),
        files: some(&says.file),
    }
}

fn fields(says: &Says) -> Vec<(String, FieldValue)> {
    says.field.iter().map(|it| (it.0.clone(), FieldValue::Text(it.1.clone()))).collect()
}

/// Gives names that nobody has thought of.
fn random_ids() -> Result<impl FnMut() -> MemoryId, MemoryError> {
    let mut source = File::open("/dev/urandom").map_err(MemoryError::Random)?;
    let mut bytes = [0; MemoryId::BYTES];
    source.read_exact(&mut bytes).map_err(MemoryError::Random)?;
    Ok(move || {
        let id = MemoryId::of_bytes(bytes);
        // The next one, should this one be taken. Where nothing random comes, the next number does.
        if source.read_exact(&mut bytes).is_err() {
            bytes[MemoryId::BYTES - 1] = bytes[MemoryId::BYTES - 1].wrapping_add(1);
        }
        id
    })
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
        };
        let id = MemoryId::of_claim("fill", 0).to_string();
        let of_none = |text: &str| site.one_of(text, |_| false).unwrap_err();
        assert!(matches!(of_none(&id[..1]), MemoryError::Short(_)));
        assert!(matches!(of_none(&id), MemoryError::Unknown(_)));
        assert!(matches!(site.one(&id[..1]), Err(MemoryError::Several { .. })));
        assert_eq!(site.one(&id).unwrap().memory.id.to_string(), id);
    }
}
