//! What the ledger knows of a session, as its cache keeps it.

use windlass_core::{Cursor, Event, Work};

use super::error::StoreError;
use super::transcripts::{self, TranscriptKey};
use super::turn::Turn;
use super::{failed, work};

/// What of the ledger decides the next quiet event of a session.
#[derive(Debug)]
pub(crate) struct CachedFacts {
    /// Where the session began.
    pub(crate) directory: Option<String>,
    pub(crate) project: Option<i64>,
    /// Where the last read of the transcript of the event ended.
    pub(crate) cursor: Option<Cursor>,
    /// Calls that the transcript flagged as failed before they were folded.
    pub(crate) flagged: Vec<String>,
}

/// The work of a session as text, as it is kept.
pub(crate) struct WorkText;

impl WorkText {
    pub(crate) fn write(work: &Work) -> String {
        work::write(work)
    }

    /// Reads it; `None` where it is not as it was written.
    pub(crate) fn read(text: &str) -> Option<Work> {
        work::parse(text)
    }
}

impl Turn<'_> {
    /// What the cache of the session of an event is made of; `None` where no words are kept.
    pub(crate) fn cached_facts(&self, event: &Event) -> Result<Option<CachedFacts>, StoreError> {
        if !self.keeps_texts() {
            return Ok(None);
        }
        let find = || {
            let (directory, project) = self.place_of_session(event)?;
            let cursor = transcripts::cursor(&self.writing, &TranscriptKey::of(event))?;
            let flagged = failed::waiting(&self.writing, self.session(event)?)?;
            Ok(Some(CachedFacts { directory, project, cursor, flagged }))
        };
        find().map_err(StoreError::doing("find what the cache of the session keeps"))
    }
}
