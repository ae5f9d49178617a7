//! Which items stand in a brief: as many as its tokens and its number let in.

use super::item::{Item, Written};
use super::source::{Row, SOURCES};
use super::tokens::quarters;
use crate::policy::Weights;

/// What part of its source's tokens one item may take.
const PART: usize = 4;

/// Why an item is not in a brief.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// The user switched its source off.
    Off,
    /// There are as many as there may be.
    Enough,
    /// It does not fit.
    Room,
}

impl Why {
    /// It in a few words.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Off => "switched off",
            Self::Enough => "enough without it",
            Self::Room => "no room",
        }
    }
}

/// What was chosen, in the order of the sources.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    pub(super) taken: Vec<(Item, Written)>,
    pub(super) left: Vec<(Item, Why)>,
}

/// The items of one source on their way.
struct Lane {
    /// With how they would stand there, and how many quarters of a token that takes.
    items: Vec<(Item, Written, usize)>,
    taken: Vec<(Item, Written)>,
    /// What is left of the source's own.
    room: usize,
}

/// How long a brief may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    /// Quarters of a token.
    pub(super) whole: usize,
    /// Those of them that the words around the items take.
    pub(super) around: usize,
    /// How many items there may be.
    pub(super) number: usize,
}

/// Shares a budget out among the sources that have items, by their weights, and what one of them
/// does not need among the others. The items of each come with the best one first.
pub(super) fn choose(items: &[Item], weights: &Weights, budget: Budget) -> Chosen {
    let mut chosen = Chosen::default();
    let weight = |row: &Row| (row.weight)(weights) as usize;
    let has_items = |row: &&Row| items.iter().any(|it| it.source == row.source);
    let weights_of_all = SOURCES.iter().filter(has_items).map(weight).sum::<usize>().max(1);
    let mut lanes: Vec<Lane> = Vec::new();
    for row in SOURCES.iter().filter(has_items) {
        let share = |of: usize| of * weight(row) / weights_of_all;
        let room = share(budget.whole.saturating_sub(budget.around));
        let most = share(budget.whole) / PART;
        let mut lane = Lane { items: Vec::new(), taken: Vec::new(), room };
        for item in items.iter().filter(|it| it.source == row.source).cloned() {
            match item.written(most) {
                _ if weight(row) == 0 => chosen.left.push((item, Why::Off)),
                None => chosen.left.push((item, Why::Room)),
                Some(written) => {
                    let size = quarters(&written.text);
                    lane.items.push((item, written, size));
                }
            }
        }
        lanes.push(lane);
    }
    // Each by turns out of its own, then out of what is left of all.
    let mut number = budget.number;
    while lanes.iter_mut().filter_map(|it| it.take_own(&mut number)).count() > 0 {}
    let mut rest: usize = lanes.iter().map(|it| it.room).sum();
    while lanes.iter_mut().filter_map(|it| it.take(&mut rest, &mut number)).count() > 0 {}
    let why = if number == 0 { Why::Enough } else { Why::Room };
    for lane in lanes {
        chosen.left.extend(lane.items.into_iter().map(|it| (it.0, why)));
        chosen.taken.extend(lane.taken);
    }
    chosen
}

impl Lane {
    fn take_own(&mut self, number: &mut usize) -> Option<()> {
        let mut room = self.room;
        let taken = self.take(&mut room, number);
        self.room = room;
        taken
    }

    /// Takes the best item that fits.
    fn take(&mut self, room: &mut usize, number: &mut usize) -> Option<()> {
        let left = number.checked_sub(1)?;
        let at = self.items.iter().position(|it| it.2 <= *room)?;
        let (item, written, size) = self.items.remove(at);
        *room -= size;
        *number = left;
        self.taken.push((item, written));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Why, choose};
    use crate::brief::item::Item;
    use crate::brief::source::Source;
    use crate::brief::tokens::quarters;
    use crate::policy::Weights;

    fn items(source: Source, count: usize, words: usize) -> impl Iterator<Item = Item> {
        (0..count).map(move |number| {
            let lines = vec!["word ".repeat(words).trim_end().to_owned()];
            Item { source, ..Item::of_session(format!("{source:?} {number}"), lines, false) }
        })
    }

    fn of(whole: usize, number: usize) -> Budget {
        Budget { whole, around: 0, number }
    }

    const WEIGHTS: Weights = Weights { memories: 1, code: 2, commits: 2 };

    #[test]
    fn tokens_are_shared_out_by_weight() {
        let all = items(Source::Memories, 99, 8).chain(items(Source::Code, 99, 8));
        let chosen = choose(&all.collect::<Vec<_>>(), &WEIGHTS, of(6000, 999));
        let size = |source| {
            let own = chosen.taken.iter().filter(|it| it.0.source == source);
            own.map(|it| quarters(&it.1.text)).sum::<usize>()
        };
        let (memories, code) = (size(Source::Memories), size(Source::Code));
        assert!((1900..=2060).contains(&memories), "{memories}");
        assert!((3900..=4060).contains(&code) && memories + code <= 6000, "{code}");
    }

    #[test]
    fn what_one_source_does_not_need_is_for_the_others() {
        let all = items(Source::Memories, 99, 8).chain(items(Source::Commits, 1, 8));
        let chosen = choose(&all.collect::<Vec<_>>(), &WEIGHTS, of(3000, 999));
        let size: usize = chosen.taken.iter().map(|it| quarters(&it.1.text)).sum();
        assert!((2900..=3000).contains(&size), "{size}");
        assert_eq!(chosen.taken.iter().filter(|it| it.0.source == Source::Commits).count(), 1);
        assert!(chosen.left.iter().all(|it| it.1 == Why::Room));
    }

    #[test]
    fn no_item_takes_more_than_a_quarter_of_its_source() {
        let all = items(Source::Memories, 9, 900).chain(items(Source::Code, 9, 900));
        let chosen = choose(&all.collect::<Vec<_>>(), &WEIGHTS, of(3000, 999));
        for (item, written) in &chosen.taken {
            let most = if item.source == Source::Code { 500 } else { 250 };
            assert!(written.is_cut && quarters(&written.text) <= most, "{item:?}");
        }
        assert_eq!(chosen.taken.len(), 8);
    }

    #[test]
    fn there_are_no_more_than_may_be_and_each_source_has_its_turn() {
        let all = items(Source::Memories, 9, 4).chain(items(Source::Commits, 9, 4));
        let chosen = choose(&all.collect::<Vec<_>>(), &WEIGHTS, of(9000, 5));
        let heads: Vec<_> = chosen.taken.iter().map(|it| it.0.head.as_str()).collect();
        let expected = ["Memories 0", "Memories 1", "Memories 2", "Commits 0", "Commits 1"];
        assert_eq!(heads, expected);
        assert!(chosen.left.len() == 13 && chosen.left.iter().all(|it| it.1 == Why::Enough));
    }

    #[test]
    fn a_source_that_is_switched_off_gives_nothing() {
        let weights = Weights { memories: 0, ..WEIGHTS };
        let all = items(Source::Memories, 2, 4).chain(items(Source::Code, 1, 4));
        let chosen = choose(&all.collect::<Vec<_>>(), &weights, of(900, 9));
        assert_eq!(chosen.taken.len(), 1);
        assert!(chosen.left.len() == 2 && chosen.left.iter().all(|it| it.1 == Why::Off));
        let none = Weights { memories: 0, code: 0, commits: 0 };
        assert!(
            choose(&items(Source::Code, 3, 4).collect::<Vec<_>>(), &none, of(900, 9))
                .taken
                .is_empty()
        );
    }
}
