//! The index of some memories as bytes: made whole, never changed, read where it lies.
//!
//! ```text
//! header | a card for each document | a table of terms | what documents have each of them
//! ```
//!
//! Numbers are little-endian. The table of terms is open: a term is looked for from the place that
//! its key names. An entry of the last part is a document in its upper 24 bits, and how much the
//! term counts there in the lower 8. Whoever reads believes nothing: a place outside of the bytes
//! is no place, and a document that does not exist is none.

use super::terms::terms;
use crate::Timestamp;
use crate::hash::hash;
use crate::memory::{Category, MOST_BEARING, Memory, MemoryId, Trust};

/// What the bytes begin with; another version has another one.
const MAGIC: &[u8; 16] = b"windlass index 5";
const HEADER: usize = 64;
const CARD: usize = 24;
const SLOT: usize = 16;

/// The most documents that an index holds.
const MAX_DOCUMENTS: usize = (1 << 24) - 1;

/// How soon more of the same word counts no more, and how much a long text counts less. The values
/// that most searchers of short texts use; see `docs/design/0013-recall.md`.
const SATURATION: f32 = 0.9;
const LENGTH: f32 = 0.4;

/// A text of a document, and how much a word in it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Its title. As a rule its words stand in the text too.
    Title,
    /// Its own words.
    Text,
    /// The files that it is about.
    File,
    /// Words that it is to be found by.
    Tag,
}

impl Field {
    const fn weight(self) -> f32 {
        match self {
            Self::Title | Self::Text => 1.0,
            Self::Tag => 1.5,
            Self::File => 2.0,
        }
    }

    /// Whether it makes a document longer: names do not.
    const fn is_prose(self) -> bool {
        matches!(self, Self::Title | Self::Text)
    }
}

/// What is known of a document without its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// The memory.
    pub id: MemoryId,
    /// When it was last changed.
    pub changed_at: Timestamp,
    /// What kind of knowledge it is.
    pub category: Category,
    /// How far it can be trusted.
    pub trust: Trust,
    /// In how many sessions it was shown, as far as that is counted.
    pub shown: u8,
    /// In how many of them it was used.
    pub used: u8,
}

/// What a document has to do with, as a key of its own kind: no word has the same.
pub fn key_of(kind: Key, name: &str) -> u64 {
    let kind = match kind {
        Key::File => "\0file\0",
        Key::Command => "\0command\0",
    };
    hash([kind, name].concat().as_bytes())
}

/// What all documents have that stand whatever is asked, and of which none comes before the others.
fn standing((is_users, bearing): (bool, u8)) -> u64 {
    hash(&[b"\0stands\0".as_slice(), &[u8::from(is_users), bearing]].concat())
}

/// What an agent is about to touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// A file, from the root of the project.
    File,
    /// A command line.
    Command,
}

/// How much an index knows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seen {
    /// Up to which change it knows everything.
    pub generation: i64,
    /// How often the past had been changed by then: an index that knows of fewer times is old.
    pub revision: i64,
}

/// Makes an index.
#[derive(Debug, Default)]
pub struct Builder {
    cards: Vec<Card>,
    /// Term, document, how much it counts there.
    found: Vec<(u64, u32, f32)>,
    lengths: Vec<f32>,
    keyed: u32,
}

impl Builder {
    /// Adds a document with its texts and with what it is brought up for. After 16,777,215 of them
    /// no more fit: they are left out.
    pub fn add(&mut self, card: Card, texts: &[(Field, &str)], keys: &[u64]) {
        if self.cards.len() >= MAX_DOCUMENTS {
            return;
        }
        let document = self.next();
        let (start, mut length) = (self.found.len(), 0.0);
        for &(field, text) in texts {
            terms(text, |it| {
                self.found.push((it.key, document, field.weight()));
                length += f32::from(u8::from(field.is_prose()));
            });
        }
        // A term that comes again counts for more, in one entry.
        let new = &mut self.found[start..];
        new.sort_unstable_by_key(|it| it.0);
        let mut kept = start;
        for place in start..self.found.len() {
            let found = self.found[place];
            if kept > start && self.found[kept - 1].0 == found.0 {
                self.found[kept - 1].2 += found.2;
            } else {
                self.found[kept] = found;
                kept += 1;
            }
        }
        self.found.truncate(kept);
        self.found.extend(keys.iter().map(|&key| (key, document, 1.0)));
        self.keyed += u32::from(!keys.is_empty());
        self.lengths.push(length);
        self.cards.push(card);
    }

    /// Adds a memory, with in how many sessions it was shown, and used. One that bears on whatever
    /// is done is found without a word too.
    pub fn add_memory(
        &mut self,
        memory: &Memory,
        counts: [u8; 2],
        texts: &[(Field, &str)],
        keys: &[u64],
    ) {
        let document = self.next();
        self.add(Card::of(memory, counts), texts, keys);
        if memory.content.bearing() > 0 && self.next() > document {
            self.found.push((standing(memory.precedence()), document, 1.0));
        }
    }

    /// The number of the document that is added next.
    fn next(&self) -> u32 {
        u32::try_from(self.cards.len()).unwrap_or(u32::MAX)
    }

    /// The index. `scope` says whose it is, `seen` how much it knows.
    pub fn build(mut self, scope: i64, seen: Seen) -> Vec<u8> {
        self.found.sort_unstable_by_key(|it| (it.0, it.1));
        let count = self.found.chunk_by(|one, other| one.0 == other.0).count();
        let slots = (count * 3 / 2 + 1).next_power_of_two();
        let mut bytes = Vec::new();
        bytes.extend_from_slice(MAGIC);
        bytes.extend(seen.generation.to_le_bytes());
        bytes.extend(scope.to_le_bytes());
        for count in [self.cards.len(), slots, self.found.len()] {
            bytes.extend(u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
        }
        bytes.extend(self.keyed.to_le_bytes());
        bytes.extend(seen.revision.to_le_bytes());
        bytes.extend(hash(&bytes).to_le_bytes());
        for card in &self.cards {
            card.write(&mut bytes);
        }
        let mut table = vec![0; slots * SLOT];
        let mut start = 0;
        for same in self.found.chunk_by(|one, other| one.0 == other.0) {
            let mut slot = place(same[0].0, slots);
            while table[slot * SLOT + 12..][..4] != [0; 4] {
                slot = (slot + 1) & (slots - 1);
            }
            let [from, count] = [start, same.len()].map(|it| u32::try_from(it).unwrap_or_default());
            let slot = &mut table[slot * SLOT..][..SLOT];
            slot[..8].copy_from_slice(&same[0].0.to_le_bytes());
            slot[8..12].copy_from_slice(&from.to_le_bytes());
            slot[12..].copy_from_slice(&count.to_le_bytes());
            start += same.len();
        }
        bytes.extend_from_slice(&table);
        let total: f32 = self.lengths.iter().sum();
        #[expect(clippy::cast_precision_loss, reason = "a mean")]
        let mean = (total / self.lengths.len().max(1) as f32).max(1.0);
        for &(_, document, count) in &self.found {
            let long = self.lengths.get(document as usize).map_or(1.0, |it| it / mean);
            let share = count / (count + SATURATION * (1.0 - LENGTH + LENGTH * long));
            #[expect(clippy::cast_possible_truncation, reason = "between 0 and 255")]
            #[expect(clippy::cast_sign_loss, reason = "between 0 and 255")]
            let impact = (share * 255.0).clamp(1.0, 255.0) as u32;
            bytes.extend((document << 8 | impact).to_le_bytes());
        }
        bytes
    }
}

/// Where a term is looked for first.
fn place(key: u64, slots: usize) -> usize {
    let mixed = (key ^ (key >> 32)).to_le_bytes();
    let low = u32::from_le_bytes([mixed[0], mixed[1], mixed[2], mixed[3]]);
    low as usize & (slots - 1)
}

impl Card {
    /// The card of a memory, with in how many sessions it was shown, and used.
    pub fn of(memory: &Memory, [shown, used]: [u8; 2]) -> Self {
        Self {
            id: memory.id.clone(),
            changed_at: memory.changed_at,
            category: memory.content.category,
            trust: memory.trust,
            shown,
            used,
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        bytes.extend_from_slice(self.id.as_str().as_bytes());
        bytes.resize(start + 8, 0);
        bytes.extend(self.changed_at.0.to_le_bytes());
        let category = Category::ALL.iter().position(|it| *it == self.category);
        let trust = Trust::ALL.iter().position(|it| *it == self.trust);
        let number =
            |it: Option<usize>| it.and_then(|it| u8::try_from(it).ok()).unwrap_or_default();
        bytes.extend([number(category), number(trust), self.shown, self.used]);
        bytes.resize(start + CARD, 0);
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let id = MemoryId::parse(str::from_utf8(bytes.get(..8)?).ok()?)?;
        let changed_at = i64::from_le_bytes(bytes.get(8..16)?.try_into().ok()?);
        let &[category, trust, shown, used] = bytes.get(16..20)?.first_chunk()?;
        Some(Self {
            id,
            changed_at: Timestamp(changed_at),
            category: *Category::ALL.get(usize::from(category))?,
            trust: *Trust::ALL.get(usize::from(trust))?,
            shown,
            used,
        })
    }
}

/// An index, where it lies.
#[derive(Debug, Clone, Copy)]
pub struct Segment<'a> {
    cards: &'a [u8],
    slots: &'a [u8],
    postings: &'a [[u8; 4]],
    scope: i64,
    seen: Seen,
    keyed: u32,
}

impl<'a> Segment<'a> {
    /// Reads the header. Bytes of another version, of another length or without sense are none.
    pub fn of(bytes: &'a [u8]) -> Option<Self> {
        let header = bytes.first_chunk::<HEADER>()?;
        let (told, sum) = header.split_at(HEADER - 8);
        if &header[..16] != MAGIC || hash(told).to_le_bytes() != sum {
            return None;
        }
        let long = |at: usize| Some(i64::from_le_bytes(header.get(at..at + 8)?.try_into().ok()?));
        let number = |at: usize| header.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes);
        let count = |at: usize| usize::try_from(number(at)?).ok();
        let (documents, slots, postings) = (count(32)?, count(36)?, count(40)?);
        if !slots.is_power_of_two() {
            return None;
        }
        let (cards, rest) = bytes[HEADER..].split_at_checked(documents.checked_mul(CARD)?)?;
        let (slots, rest) = rest.split_at_checked(slots.checked_mul(SLOT)?)?;
        let (postings, rest) = rest.split_at_checked(postings.checked_mul(4)?)?;
        if !rest.is_empty() {
            return None;
        }
        Some(Self {
            cards,
            slots,
            postings: postings.as_chunks().0,
            seen: Seen { generation: long(16)?, revision: long(48)? },
            scope: long(24)?,
            keyed: number(44)?,
        })
    }

    /// How much it knows.
    pub fn seen(&self) -> Seen {
        self.seen
    }

    /// Up to which change it knows everything.
    pub fn generation(&self) -> i64 {
        self.seen.generation
    }

    /// Whose it is.
    pub fn scope(&self) -> i64 {
        self.scope
    }

    /// How many documents it has.
    pub fn documents(&self) -> usize {
        self.cards.len() / CARD
    }

    /// How many of them are brought up for a file or a command.
    pub fn keyed(&self) -> usize {
        self.keyed as usize
    }

    /// What is known of a document.
    pub fn card(&self, document: u32) -> Option<Card> {
        let start = usize::try_from(document).ok()?.checked_mul(CARD)?;
        Card::read(self.cards.get(start..start + CARD)?)
    }

    /// The documents that stand whatever is asked, in the order of their precedence. Those that have
    /// the same one are in the order in which they were added.
    pub fn standing(&self) -> impl Iterator<Item = Having<'a>> {
        let bearings = || (1..=MOST_BEARING).rev();
        let all = [true, false].into_iter().flat_map(move |it| bearings().map(move |of| (it, of)));
        all.map(|it| self.having(standing(it)))
    }

    /// The documents that have a term, in order, and how much it counts in each.
    pub fn having(&self, key: u64) -> Having<'a> {
        let slots = self.slots.len() / SLOT;
        let mut slot = place(key, slots.max(1));
        for _ in 0..slots {
            let Some(bytes) = self.slots.get(slot * SLOT..(slot + 1) * SLOT) else { break };
            let number = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes);
            let (Some(start), Some(count)) = (number(8), number(12)) else { break };
            if count == 0 {
                break;
            }
            if bytes[..8] == key.to_le_bytes() {
                let (start, count) = (start as usize, count as usize);
                return Having(
                    self.postings.get(start..start.saturating_add(count)).unwrap_or(&[]),
                );
            }
            slot = (slot + 1) & (slots - 1);
        }
        Having(&[])
    }
}

/// The documents that have a term.
#[derive(Debug, Clone, Copy)]
pub struct Having<'a>(&'a [[u8; 4]]);

impl<'a> Having<'a> {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Each document, and how much the term counts there, of 255.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u8)> + use<'a> {
        self.0.iter().map(|it| {
            let [impact, document @ ..] = *it;
            (u32::from_le_bytes([document[0], document[1], document[2], 0]), impact)
        })
    }

    /// How much the term counts in one document; nothing where it does not stand there.
    pub fn of(&self, document: u32) -> Option<u8> {
        let number = |it: &[u8; 4]| u32::from_le_bytes(*it) >> 8;
        let place = self.0.binary_search_by_key(&document, number).ok()?;
        self.0.get(place).map(|it| it[0])
    }
}

#[cfg(test)]
mod tests {
    use super::{Builder, Card, Field, HEADER, Key, Seen, Segment, key_of};
    use crate::Timestamp;
    use crate::hash::hash;
    use crate::memory::{Candidate, Category, Draft, FieldValue, Memory, MemoryId, Origin, Trust};

    fn card(number: u64) -> Card {
        Card {
            id: MemoryId::of_claim("s", number),
            changed_at: Timestamp(number.cast_signed() * 1000),
            category: Category::Runbook,
            trust: Trust::Outcome,
            shown: 3,
            used: 1,
        }
    }

    fn built(texts: &[&str]) -> Vec<u8> {
        let mut builder = Builder::default();
        for (number, text) in texts.iter().enumerate() {
            let key = key_of(Key::File, &format!("src/{number}.rs"));
            builder.add(card(number as u64), &[(Field::Text, text)], &[key]);
        }
        builder.build(7, Seen { generation: 42, revision: 3 })
    }

    #[test]
    fn what_is_built_is_read() {
        let bytes = built(&["the cache leaves tenants out", "a cache of caches", "nothing"]);
        let segment = Segment::of(&bytes).unwrap();
        assert_eq!((segment.scope(), segment.generation()), (7, 42));
        assert_eq!(segment.seen().revision, 3);
        assert_eq!((segment.documents(), segment.keyed()), (3, 3));
        assert_eq!(segment.card(1), Some(card(1)));
        assert_eq!(segment.card(3), None);
        let cache = segment.having(hash(b"cach"));
        let documents: Vec<_> = cache.iter().map(|it| it.0).collect();
        assert_eq!(documents, [0, 1]);
        // Twice in a shorter text counts for more.
        assert!(cache.of(1) > cache.of(0) && cache.of(2).is_none());
        assert_eq!(segment.having(hash(b"absent")).count(), 0);
        assert!(segment.having(key_of(Key::File, "src/2.rs")).of(2).is_some());
    }

    fn memory(trust: Trust, category: Category, field: Option<(&str, &str)>) -> Memory {
        let field = field.map(|it| (it.0.to_owned(), FieldValue::Text(it.1.to_owned())));
        let (text, fields) = ("x".to_owned(), field.into_iter().collect());
        let draft = Draft { category: Some(category), text, fields, ..Draft::default() };
        Memory::of(Candidate {
            id: MemoryId::of_claim("s", 1),
            content: draft.check().unwrap(),
            trust,
            origin: Origin::default(),
            confidence: 50,
            is_strong: false,
            at: Timestamp(0),
        })
    }

    #[test]
    fn what_stands_is_found_in_the_order_of_its_precedence() {
        let [high, strong] = [("severity", "high"), ("strength", "strong")].map(Some);
        let kinds = [
            (Trust::Agent, Category::Constraint, None),
            (Trust::User, Category::Decision, None),
            (Trust::User, Category::Discovery, None),
            (Trust::User, Category::Preference, None),
            (Trust::Agent, Category::Decision, None),
            (Trust::User, Category::Constraint, None),
            (Trust::User, Category::Preference, strong),
            (Trust::User, Category::Constraint, high),
            (Trust::User, Category::Constraint, Some(("severity", "low"))),
            (Trust::Outcome, Category::Constraint, high),
        ];
        let mut builder = Builder::default();
        for (trust, category, field) in kinds {
            let memory = memory(trust, category, field);
            builder.add_memory(&memory, [0, 0], &[(Field::Text, "x")], &[]);
        }
        let bytes = builder.build(0, Seen::default());
        let segment = Segment::of(&bytes).unwrap();
        let kinds = segment.standing().map(|it| it.iter().map(|it| it.0).collect::<Vec<_>>());
        let users = [vec![6, 7], vec![5], vec![3], vec![1], vec![8]];
        let others = [vec![9], vec![0], vec![], vec![4], vec![]];
        assert_eq!(kinds.collect::<Vec<_>>(), [users, others].concat());
        assert_eq!(segment.keyed(), 0, "nobody is about to touch them");
    }

    #[test]
    fn an_index_of_nothing_is_one() {
        let bytes = Builder::default().build(0, Seen::default());
        let segment = Segment::of(&bytes).unwrap();
        assert_eq!((segment.documents(), segment.having(1).count()), (0, 0));
    }

    #[test]
    fn every_term_of_many_is_found() {
        let texts: Vec<_> = (0..2000).map(|it| format!("word{it}x common")).collect();
        let texts: Vec<_> = texts.iter().map(String::as_str).collect();
        let bytes = built(&texts);
        let segment = Segment::of(&bytes).unwrap();
        assert_eq!(segment.having(hash(b"common")).count(), 2000);
        for number in 0..2000 {
            let found = segment.having(hash(format!("word{number}x").as_bytes()));
            assert!(found.count() == 1 && found.of(number).is_some(), "{number}");
        }
    }

    #[test]
    fn damaged_bytes_are_refused_or_lead_nowhere() {
        let bytes = built(&["the cache leaves tenants out", "a cache of caches"]);
        for length in 0..bytes.len() {
            assert!(Segment::of(&bytes[..length]).is_none(), "{length}");
        }
        let mut other = bytes.clone();
        for place in 0..bytes.len() {
            other[place] ^= 0xff;
            if let Some(segment) = Segment::of(&other) {
                assert!(place >= HEADER);
                let cache = segment.having(hash(b"cach"));
                for (document, _) in cache.iter() {
                    let _card = segment.card(document);
                    let _impact = cache.of(document);
                }
            }
            other[place] = bytes[place];
        }
    }
}
