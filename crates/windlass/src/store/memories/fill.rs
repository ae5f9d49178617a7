//! Many memories at once, for benchmarks: made-up words, as unevenly frequent as real ones.

use std::path::Path;
use std::time::Duration;

use windlass_core::Timestamp;
use windlass_core::memory::{Category, Draft, Memory, MemoryId, Origin, State, Trust};

use super::rows;
use super::user::DOING;
use crate::Host;
use crate::store::loops::project;
use crate::store::{Patience, Store, StoreError};
use crate::surroundings::Surroundings;

/// Different words of all memories together.
const VOCABULARY: f64 = 20_000.0;
const WORDS: usize = 30;

/// Fills a store with so many memories of the project of a directory, makes their index, adds as many
/// candidates that nobody settled since, and returns words that one of the memories has most of.
pub fn fill_memories(
    data_dir: &Path,
    directory: &Path,
    count: u64,
) -> Result<String, Box<dyn std::error::Error>> {
    let host = Host::from_process();
    let around = Surroundings::new(&host);
    let mut store = Store::open(data_dir, Patience::For(Duration::from_secs(5)))?;
    let writing = store.write()?;
    let place = project(&writing, directory, host.now, &around)?;
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut asked = String::new();
    for number in 0..count {
        let words: Vec<_> = (0..WORDS).map(|_| dice.word()).collect();
        if number == count / 2 {
            asked = words[..10].join(" ");
        }
        let memory = memory(number, words.join(" "), host.now)?;
        rows::insert(&writing, &memory, place).map_err(StoreError::doing(DOING))?;
    }
    for number in count..2 * count {
        let words: Vec<_> = (0..WORDS).map(|_| dice.word()).collect();
        let memory = memory(number, words.join(" "), host.now)?;
        let candidate = Memory { state: State::Candidate, is_strong: false, ..memory };
        rows::insert(&writing, &candidate, place).map_err(StoreError::doing(DOING))?;
    }
    writing.commit()?;
    store.renew_indexes()?;
    Ok(asked)
}

fn memory(
    number: u64,
    text: String,
    now: Timestamp,
) -> Result<Memory, windlass_core::memory::Fault> {
    let content = Draft { text, ..Draft::default() }.check()?;
    let at = Timestamp(now.0 - 1_000_000 + number.cast_signed());
    // Some of what is known stands whatever is asked.
    let category = if number.is_multiple_of(10) { Category::Decision } else { Category::Discovery };
    Ok(Memory {
        id: MemoryId::of_claim("fill", number),
        state: State::Active,
        content: windlass_core::memory::Content { category, ..content },
        trust: Trust::Agent,
        origin: Origin::default(),
        confidence: Some(80),
        is_strong: true,
        made_at: at,
        changed_at: at,
        superseded_by: None,
        supersedes: Vec::new(),
        is_global: false,
    })
}

/// Xorshift: the same throws in every run.
struct Dice(u64);

impl Dice {
    /// A word whose rank is as likely as its turn: the second half as often as the first.
    fn word(&mut self) -> String {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        #[expect(clippy::cast_precision_loss, reason = "a throw")]
        let share = (self.0 >> 11) as f64 / (1_u64 << 53) as f64;
        #[expect(clippy::cast_possible_truncation, reason = "a rank")]
        #[expect(clippy::cast_sign_loss, reason = "a rank")]
        let mut rank = VOCABULARY.powf(share) as usize;
        let mut word = String::new();
        while rank > 0 || word.is_empty() {
            let [one, other] = [b"bdfgklmnprst"[rank % 12], b"aiou"[rank / 12 % 4]];
            word.extend([char::from(one), char::from(other)]);
            rank /= 48;
        }
        word + "k"
    }
}
