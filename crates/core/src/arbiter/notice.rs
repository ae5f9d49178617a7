//! What the user is told, and not told twice.

use super::decline::{keep_last, mark, mark_of, marks};
use super::words::open;
use crate::gate::uncommitted::ABOUT;
use crate::gate::{Gate, Missing};
use crate::work::Asked;

/// Something that the user is to know.
#[derive(Debug)]
pub(super) struct Notice {
    text: String,
    /// What it is about. As long as that holds it is not told again, whatever the words are.
    about: Vec<u64>,
}

impl Notice {
    pub(super) fn new(text: String) -> Self {
        let about = vec![mark(&text)];
        Self { text, about }
    }

    /// What a gate found that only tells, with what the user can do about it.
    pub(super) fn of(gate: &Gate, missing: &Missing) -> Self {
        Self { text: open(gate, missing), about: marks(gate, missing) }
    }
}

/// What the user has not been told yet. What does not hold any more is forgotten: should it come
/// back, it is told again.
pub(super) fn news(notices: Vec<Notice>, asked: &mut Asked) -> Option<String> {
    let told = std::mem::take(&mut asked.noticed);
    let is_new = |it: &Notice| it.about.iter().any(|mark| !told.contains(mark));
    // It is told once in a session.
    let lasting = mark_of("uncommitted", ABOUT);
    let kept = told.contains(&lasting).then_some(lasting);
    let marks = notices.iter().flat_map(|it| it.about.iter().copied()).chain(kept);
    asked.noticed = marks.collect();
    keep_last(&mut asked.noticed);
    let new: Vec<_> = notices.into_iter().filter(is_new).map(|it| it.text).collect();
    (!new.is_empty()).then(|| new.join("\n"))
}
