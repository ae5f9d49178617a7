//! The index of memories: a file that another version or a bad disk may have damaged.

use std::path::Path;

use windlass_core::Timestamp;
use windlass_core::memory::{Category, MemoryId, Trust};
use windlass_core::recall::{Builder, Card, Field, Query, Search, Seen, Segment};

/// Questions that are asked of every input.
const QUESTIONS: [&str; 3] =
    ["why does the parser fail", "cargo test --workspace", "Wie heißt die Datei src/lib.rs?"];

/// Searches an index, and reads every card and list that it says it has.
pub(super) fn read(bytes: &[u8], _: &Path) {
    let Some(segment) = Segment::of(bytes) else { return };
    for document in 0..u32::try_from(segment.documents().min(4096)).unwrap_or_default() {
        segment.card(document);
    }
    for list in segment.standing() {
        list.iter().take(4096).for_each(drop);
    }
    let segments = [segment];
    for question in QUESTIONS {
        let query = Query::of(question);
        Search::new(&segments, &query).best(&query, 8, None);
    }
}

/// An index of no, one and fifty memories.
pub(super) fn seeds(_: &Path) -> Vec<Vec<u8>> {
    [0_u8, 1, 50].map(index_of).into()
}

fn index_of(count: u8) -> Vec<u8> {
    let mut builder = Builder::default();
    for number in 0..count {
        let card = Card {
            id: MemoryId::of_claim("s", number.into()),
            changed_at: Timestamp(number.into()),
            category: Category::ALL[usize::from(number) % Category::ALL.len()],
            trust: Trust::ALL[usize::from(number) % Trust::ALL.len()],
            shown: number,
            used: number / 2,
        };
        let text = format!("{} because of number {number}", QUESTIONS[usize::from(number) % 3]);
        builder.add(card, &[(Field::Title, "parser"), (Field::Text, &text)], &[number.into()]);
    }
    builder.build(1, Seen::default())
}
