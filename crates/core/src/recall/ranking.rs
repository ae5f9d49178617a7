//! The order of what was found: every step of it, whoever asks.

use std::borrow::Cow;

use super::closer::Closer;
use super::search::{Match, Query, Search, Wanted};
use super::segment::Segment;

/// How many of those that fit best are held against a floor: some have much of what is asked for all
/// over it, and enough of nothing.
pub const DEEP: usize = 28;

/// How documents are ranked.
#[derive(Debug, Clone, Copy)]
pub struct Ranking<'a> {
    /// What was asked.
    pub words: &'a str,
    /// The same, taken apart.
    pub query: &'a Query,
    /// How much of it a document must have, in per cent; none where everything that fits is wanted.
    pub floor: Option<u8>,
    /// How many of those that fit best are looked at closely.
    pub closely: usize,
    /// How many are wanted.
    pub most: usize,
}

/// A document that was read.
pub trait Document {
    /// What it says, for a closer look.
    fn said(&self) -> Cow<'_, str>;

    /// What it is worth beside how well it fits: a factor.
    fn worth(&self) -> f32;
}

/// A document in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked<D> {
    /// What was read.
    pub document: D,
    /// How it was found.
    pub found: Match,
    /// What a closer look gave.
    pub closer: f32,
    /// How well it fits and how much it is worth; only to be compared.
    pub score: f32,
}

/// The documents that fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranks<D> {
    /// The best first.
    pub all: Vec<Ranked<D>>,
    /// Whether there are more that nobody read.
    pub are_more: bool,
}

impl Ranking<'_> {
    /// The documents that fit, the best first: searched, left out below the floor, read, looked at
    /// closely, weighed, put in order. `read` gives nothing for what does not count any more.
    pub fn of<D: Document, E>(
        &self,
        segments: &[Segment<'_>],
        wanted: Wanted<'_>,
        mut read: impl FnMut(&Match) -> Result<Option<D>, E>,
    ) -> Result<Ranks<D>, E> {
        let search = Search::new(segments, self.query);
        let most = self.most.max(self.closely);
        let deep = if self.floor.is_some() { most.max(DEEP) } else { most };
        let matches = search.best(self.query, deep, wanted);
        let is_enough = |it: &Match| self.floor.is_none_or(|floor| it.is_relevant(floor));
        let closer = Closer::new(self.words, self.query, search.rarity());
        let mut ranked: Vec<Ranked<D>> = Vec::new();
        let mut are_more = false;
        for found in matches.into_iter().filter(is_enough) {
            if ranked.len() == most {
                are_more = true;
                break;
            }
            // One document may stand in two segments.
            if ranked.iter().any(|it| it.found.card.id == found.card.id) {
                continue;
            }
            let Some(document) = read(&found)? else { continue };
            let is_close = ranked.len() < self.closely;
            let closer = if is_close { closer.look(&document.said()) } else { 0.0 };
            let score = (found.score + closer) * document.worth();
            ranked.push(Ranked { document, found, closer, score });
        }
        ranked.sort_by(|one, other| other.score.total_cmp(&one.score));
        are_more |= ranked.len() > self.most;
        ranked.truncate(self.most);
        Ok(Ranks { all: ranked, are_more })
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{DEEP, Document, Query, Ranking, Ranks};
    use crate::Timestamp;
    use crate::memory::{Category, MemoryId, Trust};
    use crate::recall::{Builder, CLOSELY, Card, Field, Match, Seen, Segment};

    /// A text, and what it is worth.
    type Text = (&'static str, f32);

    impl Document for Text {
        fn said(&self) -> Cow<'_, str> {
            self.0.into()
        }

        fn worth(&self) -> f32 {
            self.1
        }
    }

    /// All of them have the same words.
    const POOLS: &[Text] = &[
        ("the pool is exhausted by each connection", 1.0),
        ("the connection pool is exhausted by each", 1.0),
        ("each pool by connection exhausted the is", 1.0),
    ];

    const QUESTION: &str = "connection pool";

    fn index(texts: &[Text]) -> Vec<u8> {
        let mut builder = Builder::default();
        for (number, text) in (0..).zip(texts) {
            let card = Card {
                id: MemoryId::of_claim("s", number),
                changed_at: Timestamp(0),
                category: Category::Discovery,
                trust: Trust::Agent,
                shown: 0,
                used: 0,
            };
            builder.add(card, &[(Field::Text, text.0)], &[]);
        }
        builder.build(0, Seen::default())
    }

    struct Asked {
        question: &'static str,
        floor: Option<u8>,
        closely: usize,
        most: usize,
    }

    const ASKED: Asked = Asked { question: QUESTION, floor: None, closely: CLOSELY, most: 10 };

    impl Asked {
        fn of(&self, all: &[&[Text]], is_there: impl Fn(&Match) -> bool) -> Vec<&'static str> {
            let bytes: Vec<_> = all.iter().map(|it| index(it)).collect();
            let segments: Vec<_> = bytes.iter().filter_map(|it| Segment::of(it)).collect();
            let Self { question, floor, closely, most } = *self;
            let query = Query::of(question);
            let ranking = Ranking { words: question, query: &query, floor, closely, most };
            let read = |it: &Match| {
                Ok::<_, ()>(is_there(it).then_some(all[it.segment][it.document as usize]))
            };
            let ranked = ranking.of(&segments, None, read).unwrap().all;
            assert!(ranked.is_sorted_by(|one, other| one.score >= other.score));
            ranked.into_iter().map(|it| it.document.0).collect()
        }
    }

    #[test]
    fn a_closer_look_at_the_first_ones_moves_them_up() {
        let in_order = POOLS[1].0;
        assert_eq!(ASKED.of(&[POOLS], |_| true)[0], in_order);
        for closely in [0, 1] {
            let ranked = Asked { closely, ..ASKED }.of(&[POOLS], |_| true);
            assert_eq!(ranked[0], POOLS[0].0, "{closely}");
        }
    }

    #[test]
    fn what_is_worth_little_comes_later() {
        let mut pools = POOLS.to_vec();
        pools[1].1 = 0.1;
        let ranked = ASKED.of(&[&pools], |_| true);
        assert_eq!(ranked.len(), 3);
        assert_eq!(ranked[2], POOLS[1].0);
    }

    #[test]
    fn what_is_below_the_floor_is_not_read() {
        let question = "why does the connection pool of the billing worker run dry at night?";
        let asked = Asked { question, floor: Some(90), ..ASKED };
        assert_eq!(asked.of(&[POOLS], |_| panic!("it was read")), [""; 0]);
        assert_eq!(Asked { question, ..ASKED }.of(&[POOLS], |_| true).len(), 3);
    }

    /// Those that have a little of every sentence fit better than the one that has enough of one.
    #[test]
    fn what_is_below_the_floor_takes_no_place_of_what_is_above_it() {
        let question = "The lease importer drops rows at night. The invoice parser rejects dates \
            from Oslo. The crane planner swaps equal loads. The harbour gate forgets its badge.";
        let scattered = ("importer importer rows parser dates crane loads harbour badge", 1.0);
        let mut texts = vec![scattered; DEEP - 1];
        texts.push(("the harbour gate forgets a pass", 1.0));
        let asked = Asked { question, floor: Some(60), closely: 2, most: 2 };
        assert_eq!(asked.of(&[&texts], |_| true), ["the harbour gate forgets a pass"]);
    }

    #[test]
    fn whoever_gets_fewer_than_there_are_knows() {
        let bytes = index(POOLS);
        let segments = [Segment::of(&bytes).unwrap()];
        let query = Query::of(QUESTION);
        for (most, are_more) in [(1, true), (2, true), (3, false), (9, false)] {
            let ranking =
                Ranking { words: QUESTION, query: &query, floor: Some(1), closely: 1, most };
            let read = |it: &Match| Ok::<_, ()>(Some(POOLS[it.document as usize]));
            let ranked = ranking.of(&segments, None, read).unwrap();
            assert_eq!((ranked.all.len(), ranked.are_more), (most.min(3), are_more));
        }
    }

    #[test]
    fn what_does_not_count_any_more_makes_room_for_a_closer_look() {
        let asked = Asked { closely: 1, ..ASKED };
        let ranked = asked.of(&[&POOLS[..2]], |it| it.document != 0);
        assert_eq!(ranked, [POOLS[1].0]);
        assert_eq!(asked.of(&[POOLS], |_| false), [""; 0]);
    }

    #[test]
    fn one_that_stands_twice_is_told_once_and_no_more_than_are_wanted() {
        assert_eq!(ASKED.of(&[POOLS, POOLS], |_| true).len(), 3);
        assert_eq!(Asked { most: 2, ..ASKED }.of(&[POOLS], |_| true).len(), 2);
        assert_eq!(Asked { most: 0, ..ASKED }.of(&[POOLS], |_| true), [""; 0]);
    }

    #[test]
    fn what_cannot_be_read_ends_it() {
        let bytes = index(POOLS);
        let segments = [Segment::of(&bytes).unwrap()];
        let query = Query::of(QUESTION);
        let ranking =
            Ranking { words: QUESTION, query: &query, floor: None, closely: CLOSELY, most: 10 };
        assert_eq!(ranking.of(&segments, None, |_| Err::<Option<Text>, _>(7)), Err(7));
        let none = ranking.of(&segments, Some(&|_, _| false), |_| Err::<Option<Text>, _>(7));
        assert_eq!(none, Ok(Ranks { all: Vec::new(), are_more: false }));
    }
}
