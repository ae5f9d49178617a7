//! Where a score is cut: from which on a unit is taken for knowledge, and from which on it may be
//! asked about.

use super::fit::{Prior, Set, Truth};

/// Cuts that are tried.
const TRIED: usize = 55;
/// The highest share of units that the threshold may leave out.
const HIGHEST_SHARE: f64 = 0.985;
/// A cut is judged by itself and so many on each side: a peak of one is chance.
const SIDE: usize = 6;
/// Units that must be at or above the score of strong ones, and one more.
const LEAST_STRONG: usize = 8;

/// Where scores are cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cuts {
    pub(super) threshold: f64,
    pub(super) strong: f64,
}

/// A unit with its score.
#[derive(Debug, Clone, Copy)]
pub(super) struct Judged {
    pub(super) score: f64,
    pub(super) truth: Truth,
    pub(super) set: Set,
}

/// The cuts that suit some units. Nothing where there are none to judge by.
pub(super) fn cuts(judged: &[Judged], prior: &Prior) -> Option<Cuts> {
    let by: Vec<_> = judged
        .iter()
        .filter(|it| prior.judged_by.contains(&it.set))
        .filter(|it| prior.counts_borderline || it.truth != Truth::Borderline)
        .collect();
    let threshold = threshold(&by, prior.lowest_share)?;
    let whole: Vec<_> = judged.iter().filter(|it| it.set == Set::Exhaustive).collect();
    let strong = strong(whole, prior.strong_precision).unwrap_or(threshold);
    Some(Cuts { threshold, strong: strong.max(threshold) })
}

/// The cut with the best F1.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of a count"
)]
fn threshold(judged: &[&Judged], lowest: f64) -> Option<f64> {
    let mut scores: Vec<_> = judged.iter().map(|it| it.score).collect();
    scores.sort_by(f64::total_cmp);
    let last = scores.len().checked_sub(1)?;
    let share = |it: usize| lowest + (HIGHEST_SHARE - lowest) * it as f64 / (TRIED - 1) as f64;
    let tried: Vec<_> = (0..TRIED).map(|it| scores[(share(it) * last as f64) as usize]).collect();
    let all: f64 = judged.iter().map(|it| worth(it.truth)).sum();
    let quality: Vec<_> = tried.iter().map(|it| f1(judged, *it, all)).collect();
    let at = |it: usize| quality[it.saturating_sub(SIDE).min(TRIED - 1)];
    let smooth = (0..TRIED).map(|it| (it..=it + 2 * SIDE).map(at).sum::<f64>());
    let best =
        smooth.enumerate().fold((0, f64::MIN), |best, it| if it.1 > best.1 { it } else { best });
    Some(tried[best.0])
}

#[expect(clippy::cast_precision_loss, reason = "nobody labels so many units")]
fn f1(judged: &[&Judged], cut: f64, all: f64) -> f64 {
    let taken = judged.iter().filter(|it| it.score >= cut);
    let right: f64 = taken.clone().map(|it| worth(it.truth)).sum();
    2.0 * right / (taken.count() as f64 + all)
}

const fn worth(truth: Truth) -> f64 {
    match truth {
        Truth::No => 0.0,
        Truth::Borderline => 0.5,
        Truth::Yes => 1.0,
    }
}

/// The lowest cut with the wanted precision, where borderline is right.
#[expect(clippy::cast_precision_loss, reason = "nobody labels so many units")]
fn strong(mut judged: Vec<&Judged>, precision: f64) -> Option<f64> {
    judged.sort_by(|one, other| {
        let by_score = other.score.total_cmp(&one.score);
        by_score.then(worth(other.truth).total_cmp(&worth(one.truth)))
    });
    let mut cut = judged.get(LEAST_STRONG).or(judged.first())?.score;
    let mut right = 0_usize;
    for (at, it) in judged.iter().enumerate() {
        right += usize::from(it.truth != Truth::No);
        if at >= LEAST_STRONG && right as f64 / (at + 1) as f64 >= precision {
            cut = it.score;
        }
    }
    Some(cut)
}

#[cfg(test)]
mod tests {
    use super::{Judged, Set, Truth, strong, threshold};

    fn judged(score: f64, truth: Truth) -> Judged {
        Judged { score, truth, set: Set::Exhaustive }
    }

    #[test]
    fn the_threshold_parts_what_can_be_parted() {
        let mut all: Vec<_> = (0..100).map(|it| judged(f64::from(it), Truth::No)).collect();
        all.extend((0..10).map(|it| judged(200.0 + f64::from(it), Truth::Yes)));
        let found = threshold(&all.iter().collect::<Vec<_>>(), 0.7).unwrap();
        assert!((95.0..=205.0).contains(&found), "{found}");
        assert_eq!(threshold(&[], 0.7), None);
    }

    #[test]
    fn strong_units_are_right_as_often_as_wanted() {
        let mut all: Vec<_> = (0..10).map(|it| judged(f64::from(20 - it), Truth::Yes)).collect();
        all.push(judged(5.0, Truth::No));
        all.push(judged(4.0, Truth::Borderline));
        all.extend((0..3).map(|it| judged(f64::from(it), Truth::No)));
        assert_eq!(strong(all.iter().collect(), 0.9), Some(4.0));
        assert_eq!(strong(all.iter().collect(), 1.0), Some(11.0));
        assert_eq!(strong(all[..3].iter().collect(), 1.0), Some(20.0), "too few to tell");
        assert_eq!(strong(Vec::new(), 0.9), None);
    }
}
