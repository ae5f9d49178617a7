//! Levels fitted to what somebody kept and rejected.
//!
//! How likely something is kept is taken for a curve over how sure the detector was: a logistic one,
//! with two numbers. Before anything is settled the detector is believed, so the curve is its own;
//! what is settled draws it away from that, little by little. A level is where the curve reaches
//! what is wanted of it: for an ask, how sure the detector itself wants to be. It is proposed only as far as settled candidates between the old level and
//! the new one bear it out by themselves. What was never captured is not known, so nothing can speak
//! for capturing more.

use super::own_ask_at;
use crate::memory::Role;
use crate::policy::Triage;

/// Settled candidates that are enough to fit to.
pub const LEAST_SETTLED: usize = 20;
/// Of which so many are kept, and so many rejected.
pub const LEAST_OF_EACH: usize = 5;
/// The share of what is captured that must be kept, right at the level: one is worth two that have
/// to be rejected.
const CAPTURE: f64 = 1.0 / 3.0;
/// Settled candidates between two levels that can speak for the new one.
const LEAST_BETWEEN: usize = 5;
/// A smaller change is chance.
const LEAST_CHANGE: u32 = 2;
/// How far the two numbers of the curve may be off, before anything is settled.
const SPREAD: [f64; 2] = [1.5, 1.5];
/// The flattest curve that still says something.
const FLATTEST: f64 = 0.1;
/// Steps after which the curve does not move any more.
const STEPS: usize = 50;
/// The highest level.
const HIGHEST: u32 = 99;

/// Something that somebody settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// Whether it was kept.
    pub is_kept: bool,
    /// How sure the detector was, in per cent.
    pub confidence: u8,
    /// Whether it was strong.
    pub is_strong: bool,
}

/// Some of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Those that were kept.
    pub kept: usize,
    /// Those that were rejected.
    pub rejected: usize,
}

impl Count {
    fn of<'a>(samples: impl Iterator<Item = &'a Sample>) -> Self {
        let mut count = Self::default();
        for sample in samples {
            *if sample.is_kept { &mut count.kept } else { &mut count.rejected } += 1;
        }
        count
    }

    /// All of them.
    pub const fn all(self) -> usize {
        self.kept + self.rejected
    }

    /// The share that was kept, as if one more of each kind had been there, and how far that may be
    /// off by chance.
    #[expect(clippy::cast_precision_loss, reason = "nobody settles so many")]
    fn share(self) -> (f64, f64) {
        let all = (self.all() + 2) as f64;
        let share = (self.kept + 1) as f64 / all;
        (share, (share * (1.0 - share) / all).sqrt())
    }

    fn is_below(self, wanted: f64) -> bool {
        let (share, chance) = self.share();
        share + chance < wanted
    }

    fn is_above(self, wanted: f64) -> bool {
        let (share, chance) = self.share();
        share - chance > wanted
    }
}

/// A level, and what would become of what was settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// What it is.
    pub now: u32,
    /// What it should be, where the samples speak for another one.
    pub proposed: Option<u32>,
    /// What is at the level or above it now.
    pub above_now: Count,
    /// And what would be.
    pub above_then: Count,
}

/// What samples speak for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuning {
    /// All samples.
    pub settled: Count,
    /// From how sure on something is captured.
    pub capture: Level,
    /// From how sure on somebody is asked.
    pub ask: Level,
}

/// Why nothing is fitted: there is too little.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooFew(pub Count);

/// Fits the levels of some settings.
pub fn tune(samples: &[Sample], settings: &Triage) -> Result<Tuning, TooFew> {
    let settled = Count::of(samples.iter());
    let least = settled.kept.min(settled.rejected);
    if settled.all() < LEAST_SETTLED || least < LEAST_OF_EACH {
        return Err(TooFew(settled));
    }
    let curve = Curve::fit(samples).filter(|it| it.slope >= FLATTEST);
    let now = settings.capture_at;
    let highest = curve.map(|it| it.level(CAPTURE));
    let proposed = highest.and_then(|it| raised(samples, now, it, CAPTURE));
    let above = |level: u32| Count::of(samples.iter().filter(|it| it.is_above(level)));
    let capture =
        Level { now, proposed, above_now: above(now), above_then: above(proposed.unwrap_or(now)) };
    let captured = proposed.unwrap_or(now);
    let samples: Vec<_> = samples.iter().copied().filter(|it| it.is_above(captured)).collect();
    Ok(Tuning { settled, capture, ask: ask_level(&samples, curve, settings, captured) })
}

fn ask_level(samples: &[Sample], curve: Option<Curve>, settings: &Triage, captured: u32) -> Level {
    let is_own = settings.ask_at == 0;
    let now = if is_own { own_ask_at(Role::Agent) } else { settings.ask_at };
    let wanted = f64::from(own_ask_at(Role::Agent)) / 100.0;
    let level = curve.map(|it| it.level(wanted).max(captured));
    let proposed = level.and_then(|it| {
        if it > now { raised(samples, now, it, wanted) } else { lowered(samples, now, it, wanted) }
    });
    // The detector's own level is not the same for everybody who speaks.
    let is_asked = |it: &&Sample| if is_own { it.is_strong } else { it.is_above(settings.ask_at) };
    let above_now = Count::of(samples.iter().filter(is_asked));
    let then = proposed.map(|level| Count::of(samples.iter().filter(|it| it.is_above(level))));
    Level { now, proposed, above_now, above_then: then.unwrap_or(above_now) }
}

impl Sample {
    fn is_above(self, level: u32) -> bool {
        u32::from(self.confidence) >= level
    }
}

fn between(samples: &[Sample], low: u32, high: u32) -> Count {
    Count::of(samples.iter().filter(|it| it.is_above(low) && !it.is_above(high)))
}

/// The highest level up to one for which what lies below it speaks: too little of it is kept. Enough
/// must stay above it.
fn raised(samples: &[Sample], now: u32, to: u32, wanted: f64) -> Option<u32> {
    let speaks = |level: &u32| {
        let below = between(samples, now, *level);
        let above = between(samples, *level, u32::MAX);
        below.all() >= LEAST_BETWEEN && below.is_below(wanted) && above.kept >= LEAST_OF_EACH
    };
    (now + LEAST_CHANGE..=to.min(HIGHEST)).rev().find(speaks)
}

/// The lowest level down to one for which what lies above it speaks: enough of it is kept.
fn lowered(samples: &[Sample], now: u32, to: u32, wanted: f64) -> Option<u32> {
    let speaks = |level: &u32| {
        let more = between(samples, *level, now);
        more.all() >= LEAST_BETWEEN && more.is_above(wanted)
    };
    (to..=now.saturating_sub(LEAST_CHANGE)).find(speaks)
}

/// How likely something is kept, by how sure the detector was: a logistic curve.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Curve {
    shift: f64,
    slope: f64,
}

impl Curve {
    /// The likeliest curve; nothing where it is not to be found.
    fn fit(samples: &[Sample]) -> Option<Self> {
        let [shift, slope] = SPREAD.map(|it| 1.0 / (it * it));
        let mut curve = Self { shift: 0.0, slope: 1.0 };
        for _ in 0..STEPS {
            // The first and the second derivatives of the loss.
            let (mut down, mut along) = (shift * curve.shift, slope * (curve.slope - 1.0));
            let (mut first, mut mixed, mut second) = (shift, 0.0, slope);
            for sample in samples {
                let odds = odds(f64::from(sample.confidence) / 100.0);
                let likely = curve.at(odds);
                let off = likely - f64::from(u8::from(sample.is_kept));
                let weight = likely * (1.0 - likely);
                down += off;
                along += off * odds;
                first += weight;
                mixed += weight * odds;
                second += weight * odds * odds;
            }
            let whole = first * second - mixed * mixed;
            let step =
                [(second * down - mixed * along) / whole, (first * along - mixed * down) / whole];
            curve.shift -= step[0].clamp(-1.0, 1.0);
            curve.slope -= step[1].clamp(-1.0, 1.0);
            if step.iter().all(|it| it.abs() < 1e-9) {
                return Some(curve);
            }
        }
        None
    }

    fn at(self, odds: f64) -> f64 {
        1.0 / (1.0 + (-self.shift - self.slope * odds).exp())
    }

    /// From how sure on things are kept as often as is wanted, in whole per cent.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is between 0 and 100"
    )]
    fn level(self, wanted: f64) -> u32 {
        let odds = (odds(wanted) - self.shift) / self.slope;
        (100.0 / (1.0 + (-odds).exp())).ceil() as u32
    }
}

/// How much more likely something is than not, as a logarithm. Nothing is quite certain.
fn odds(likely: f64) -> f64 {
    let likely = likely.clamp(0.005, 0.995);
    (likely / (1.0 - likely)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Numbers;

    fn sample(confidence: u8, is_kept: bool) -> Sample {
        Sample { is_kept, confidence, is_strong: confidence >= 76 }
    }

    /// So many of each per cent from 50 on, of which those from a level on are kept.
    fn parted(each: usize, level: u8) -> Vec<Sample> {
        (50..100).flat_map(|it| vec![sample(it, it >= level); each]).collect()
    }

    fn tuned(samples: &[Sample]) -> Tuning {
        tune(samples, &Triage::default()).unwrap()
    }

    #[test]
    fn too_little_is_not_fitted_to() {
        let few = [vec![sample(90, true); 14], vec![sample(60, false); 5]].concat();
        assert_eq!(tune(&few, &Triage::default()), Err(TooFew(Count { kept: 14, rejected: 5 })));
        let one_kind = [vec![sample(90, true); 40], vec![sample(60, false); 4]].concat();
        assert!(tune(&one_kind, &Triage::default()).is_err());
        assert!(tune(&[few, vec![sample(60, false)]].concat(), &Triage::default()).is_ok());
    }

    #[test]
    fn levels_part_what_can_be_parted() {
        let tuning = tuned(&parted(2, 66));
        let capture = tuning.capture.proposed.unwrap();
        assert!((60..=67).contains(&capture), "{tuning:?}");
        let ask = tuning.ask.proposed.unwrap();
        assert!((65..=74).contains(&ask) && ask >= capture, "{tuning:?}");
        assert!(tuning.capture.above_then.rejected < tuning.capture.above_now.rejected);
        assert!(tuning.capture.above_then.kept >= LEAST_OF_EACH);
    }

    /// Something is kept as often as the detector says.
    #[test]
    fn who_agrees_with_the_detector_is_told_to_leave_it() {
        let mut changed = 0;
        for seed in 0..40 {
            let mut numbers = Numbers::new(seed + 1);
            let all: Vec<_> = (0..60)
                .map(|_| {
                    let confidence = u8::try_from(50 + numbers.below(50)).unwrap();
                    sample(confidence, numbers.below(100) < usize::from(confidence))
                })
                .collect();
            let Ok(tuning) = tune(&all, &Triage::default()) else { continue };
            assert_eq!(tuning.capture.proposed, None, "{seed}");
            changed += usize::from(tuning.ask.proposed.is_some());
        }
        assert!(changed <= 10, "{changed} of 40 by chance");
    }

    /// What is kept has nothing to do with how sure the detector was.
    #[test]
    fn where_nothing_can_be_parted_little_is_proposed() {
        let noise: Vec<_> =
            (50..100).flat_map(|it| [sample(it, true), sample(it, false)]).collect();
        let tuning = tuned(&noise);
        assert_eq!(tuning.capture.proposed, None);
        let contrary: Vec<_> = (50..100).map(|it| sample(it, it < 75)).collect();
        let tuning = tuned(&contrary);
        assert_eq!((tuning.capture.proposed, tuning.ask.proposed), (None, None));
    }

    #[test]
    fn capture_is_never_lowered_and_a_level_never_goes_beyond_what_was_seen() {
        let mut settings = Triage { capture_at: 70, ..Triage::default() };
        let all: Vec<_> = parted(2, 75);
        let seen: Vec<_> = all.into_iter().filter(|it| it.confidence >= 70).collect();
        let tuning = tune(&seen, &settings).unwrap();
        assert!(tuning.capture.proposed.is_none_or(|it| it > 70), "{tuning:?}");
        // Nothing was rejected between the levels: nothing speaks for a higher one.
        let gap = [vec![sample(55, false); 10], vec![sample(95, true); 20]].concat();
        settings.capture_at = 56;
        let tuning = tune(&gap, &settings).unwrap();
        assert_eq!(tuning.capture.proposed, None, "{tuning:?}");
        assert_eq!(tuning.ask.proposed, None, "{tuning:?}");
    }

    #[test]
    fn an_ask_level_of_the_users_own_counts_by_itself() {
        let settings = Triage { ask_at: 90, ..Triage::default() };
        let tuning = tune(&parted(2, 66), &settings).unwrap();
        assert_eq!(tuning.ask.now, 90);
        assert_eq!(tuning.ask.above_now, Count { kept: 20, rejected: 0 });
        assert!(tuning.ask.proposed.unwrap() < 80, "{tuning:?}");
    }
}
