//! Which items stand in a brief: as many as its tokens and its number let in.

use super::item::{Item, Written};
use super::left::Why;
use super::source::{Row, SOURCES};
use crate::policy::Weights;

/// What part of its source's tokens one item may take; where fewer things may be told than this,
/// each may take its part of them.
const PART: usize = 4;

/// Quarters of a token that one item may take however little its source has: an ordinary rule with
/// its files fits in. Half a rule may say the opposite of it.
const ORDINARY: usize = 4 * 120;

/// What was chosen, in the order of the sources.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    pub(super) taken: Vec<(Item, Written)>,
    pub(super) left: Vec<(Item, Why)>,
}

/// The items of one source on their way.
struct Lane {
    /// Each with how it would stand there, where it can.
    items: Vec<(Item, Option<Written>)>,
    /// Those that may stand there.
    written: Vec<(Item, Written)>,
    taken: Vec<(Item, Written)>,
    /// What is left of the source's own.
    room: usize,
    /// What one item may take.
    most: usize,
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
pub(super) fn choose(items: Vec<Item>, weights: &Weights, budget: Budget) -> Chosen {
    let mut chosen = Chosen::default();
    let mut lanes = lanes(items, weights, budget, &mut chosen.left);
    let part = budget.number.clamp(1, PART);
    let most = |room: usize| (room / part).max(ORDINARY);
    // An item has its part of all that its source gets, and that is what others leave too.
    let spare = lanes.iter_mut().map(|it| it.spare(most(it.room), budget.number));
    let spare: Vec<_> = spare.collect();
    let spare_of_all: usize = spare.iter().sum();
    for (lane, own) in lanes.iter_mut().zip(spare) {
        lane.write(most(lane.room + spare_of_all - own), &mut chosen.left);
    }
    // Each by turns out of its own, then out of what is left of all: first those that have nothing
    // yet, whose best one is cut where it must be.
    let mut number = budget.number;
    while lanes.iter_mut().filter_map(|it| it.take_own(&mut number)).count() > 0 {}
    let mut rest: usize = lanes.iter().map(|it| it.room).sum();
    for lane in lanes.iter_mut().filter(|it| it.taken.is_empty()) {
        lane.take_cut(&mut rest, &mut number);
    }
    while lanes.iter_mut().filter_map(|it| it.take(&mut rest, &mut number)).count() > 0 {}
    let why = if number == 0 { Why::Enough } else { Why::Room };
    for lane in lanes {
        chosen.left.extend(lane.written.into_iter().map(|it| (it.0, why)));
        chosen.taken.extend(lane.taken);
    }
    chosen
}

/// The sources that have items, each with its share. Those of a source that is switched off are
/// left out.
fn lanes(
    mut items: Vec<Item>,
    weights: &Weights,
    budget: Budget,
    left: &mut Vec<(Item, Why)>,
) -> Vec<Lane> {
    let weight = |row: &Row| (row.weight)(weights) as usize;
    let has_items = |row: &&Row| items.iter().any(|it| it.source == row.source);
    let rows: Vec<_> = SOURCES.iter().filter(has_items).collect();
    let weights_of_all = rows.iter().map(|it| weight(it)).sum::<usize>().max(1);
    let whole = budget.whole.saturating_sub(budget.around);
    let mut lanes = Vec::new();
    for row in rows {
        let own = items.extract_if(.., |it| it.source == row.source);
        if weight(row) == 0 {
            left.extend(own.map(|it| (it, Why::Off)));
            continue;
        }
        let items = own.map(|it| (it, None)).collect();
        let room = whole * weight(row) / weights_of_all;
        lanes.push(Lane { items, written: Vec::new(), taken: Vec::new(), room, most: 0 });
    }
    lanes
}

impl Lane {
    /// What the source does not need of its own, with so many items that each take so much at most.
    fn spare(&mut self, most: usize, number: usize) -> usize {
        for (item, written) in &mut self.items {
            *written = item.written(most);
        }
        let written = self.items.iter().filter_map(|it| it.1.as_ref());
        let needed: usize = written.take(number).map(|it| it.size).sum();
        self.room.saturating_sub(needed)
    }

    /// Settles how its items stand there, with at least as much for each as before. Those that cannot
    /// are left out.
    fn write(&mut self, most: usize, left: &mut Vec<(Item, Why)>) {
        self.most = most;
        for (item, written) in self.items.drain(..) {
            // One that is whole is the same with more room.
            let written = written.filter(|it| !it.is_cut).or_else(|| item.written(most));
            match written {
                None => left.push((item, Why::Room)),
                Some(written) => self.written.push((item, written)),
            }
        }
    }

    fn take_own(&mut self, number: &mut usize) -> Option<()> {
        let mut room = self.room;
        let taken = self.take(&mut room, number);
        self.room = room;
        taken
    }

    /// Takes the best item that fits.
    fn take(&mut self, room: &mut usize, number: &mut usize) -> Option<()> {
        let left = number.checked_sub(1)?;
        let at = self.written.iter().position(|it| it.1.size <= *room)?;
        let taken = self.written.remove(at);
        *room -= taken.1.size;
        *number = left;
        self.taken.push(taken);
        Some(())
    }

    /// Takes the best item, as much of it as fits.
    fn take_cut(&mut self, room: &mut usize, number: &mut usize) -> Option<()> {
        let (item, written) = self.written.first_mut()?;
        if written.size > *room {
            *written = item.written(self.most.min(*room))?;
        }
        self.take(room, number)
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
        let chosen = choose(all.collect(), &WEIGHTS, of(6000, 999));
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
        let chosen = choose(all.collect(), &WEIGHTS, of(3000, 999));
        let size: usize = chosen.taken.iter().map(|it| quarters(&it.1.text)).sum();
        assert!((2900..=3000).contains(&size), "{size}");
        assert_eq!(chosen.taken.iter().filter(|it| it.0.source == Source::Commits).count(), 1);
        assert!(chosen.left.iter().all(|it| it.1 == Why::Room));
    }

    #[test]
    fn no_item_takes_more_than_a_quarter_of_its_source() {
        let all = items(Source::Memories, 9, 900).chain(items(Source::Code, 9, 900));
        let chosen = choose(all.collect(), &WEIGHTS, of(12_000, 999));
        for (item, written) in &chosen.taken {
            let most = if item.source == Source::Code { 2000 } else { 1000 };
            assert!(written.is_cut && quarters(&written.text) <= most, "{item:?}");
        }
        assert_eq!(chosen.taken.len(), 8);
    }

    #[test]
    fn an_item_has_its_part_of_what_other_sources_leave_too() {
        let all = items(Source::Memories, 9, 900).chain(items(Source::Commits, 1, 8));
        let chosen = choose(all.collect(), &WEIGHTS, of(6000, 999));
        let sizes = chosen.taken.iter().map(|it| quarters(&it.1.text));
        let longest = sizes.max().unwrap();
        assert!((1400..=1500).contains(&longest), "{longest}");
    }

    #[test]
    fn an_ordinary_item_fits_whole_however_small_the_share_of_its_source_is() {
        let all = items(Source::Memories, 1, 80).chain(items(Source::Code, 9, 900));
        let chosen = choose(all.collect(), &WEIGHTS, of(1500, 999));
        let [(memory, written), ..] = &chosen.taken[..] else { panic!("{chosen:?}") };
        assert!(memory.source == Source::Memories && !written.is_cut, "{written:?}");
        let size: usize = chosen.taken.iter().map(|it| quarters(&it.1.text)).sum();
        assert!((1000..=1500).contains(&size), "{size}");
    }

    #[test]
    fn the_best_of_a_source_that_would_have_nothing_is_cut_to_what_is_left() {
        let all = items(Source::Memories, 1, 900).chain(items(Source::Code, 9, 40));
        let chosen = choose(all.collect(), &WEIGHTS, of(900, 999));
        let [(memory, written), ..] = &chosen.taken[..] else { panic!("{chosen:?}") };
        assert!(memory.source == Source::Memories && written.is_cut, "{written:?}");
        let size: usize = chosen.taken.iter().map(|it| quarters(&it.1.text)).sum();
        assert!((700..=900).contains(&size), "{size}");
    }

    #[test]
    fn where_one_thing_is_told_it_may_have_everything() {
        let all: Vec<_> = items(Source::Memories, 2, 190).collect();
        let chosen = choose(all.clone(), &WEIGHTS, of(1000, 1));
        assert!(chosen.taken.len() == 1 && !chosen.taken[0].1.is_cut, "{chosen:?}");
        let halves = choose(all, &WEIGHTS, of(1200, 2));
        assert!(halves.taken.len() == 2 && halves.taken.iter().all(|it| it.1.is_cut));
    }

    #[test]
    fn there_are_no_more_than_may_be_and_each_source_has_its_turn() {
        let all = items(Source::Memories, 9, 4).chain(items(Source::Commits, 9, 4));
        let chosen = choose(all.collect(), &WEIGHTS, of(9000, 5));
        let heads: Vec<_> = chosen.taken.iter().map(|it| it.0.head.as_str()).collect();
        let expected = ["Memories 0", "Memories 1", "Memories 2", "Commits 0", "Commits 1"];
        assert_eq!(heads, expected);
        assert!(chosen.left.len() == 13 && chosen.left.iter().all(|it| it.1 == Why::Enough));
    }

    #[test]
    fn a_source_that_is_switched_off_gives_nothing() {
        let weights = Weights { memories: 0, ..WEIGHTS };
        let all = items(Source::Memories, 2, 4).chain(items(Source::Code, 1, 4));
        let chosen = choose(all.collect(), &weights, of(900, 9));
        assert_eq!(chosen.taken.len(), 1);
        assert!(chosen.left.len() == 2 && chosen.left.iter().all(|it| it.1 == Why::Off));
        let none = Weights { memories: 0, code: 0, commits: 0 };
        assert!(choose(items(Source::Code, 3, 4).collect(), &none, of(900, 9)).taken.is_empty());
    }
}
