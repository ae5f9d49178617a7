//! What is measured of a unit.

use super::cues::Group;

/// Makes the features, with their names and words.
macro_rules! features {
    ($($feature:ident $name:literal $words:literal,)*) => {
        /// Something that speaks for or against a unit.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(missing_docs, reason = "their words stand beside them")]
        pub enum Feature {
            $($feature,)*
        }

        impl Feature {
            /// Every feature.
            pub const ALL: &[Self] = &[$(Self::$feature,)*];

            /// Its name, as data have it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$feature => $name,)*
                }
            }

            /// What it says of a unit, for people.
            pub const fn words(self) -> &'static str {
                match self {
                    $(Self::$feature => $words,)*
                }
            }
        }
    };
}

// The features of groups of cues come first, in the order of the groups.
features! {
    CauseNamed "cause-named" "names a cause",
    Because "because" "gives a reason",
    Consequence "consequence" "says what follows",
    Mechanism "mechanism" "says how it works",
    Mismatch "mismatch" "tells of a mismatch",
    Silent "silent" "tells of a hidden fault",
    Fix "fix" "says what helps",
    InsteadOf "instead-of" "says what to do instead",
    But "but" "names an exception",
    Requires "requires" "says what is needed",
    Cannot "cannot" "says what cannot be",
    Limit "limit" "names a limit",
    Decision "decision" "tells a choice",
    Debt "debt" "tells what was put off",
    Insight "insight" "is marked as worth knowing",
    Confirmed "confirmed" "was checked",
    Changelog "changelog" "lists a change",
    Local "local" "is about this change only",
    Hedge "hedge" "is not sure",
    Generic "generic" "is general",
    IsFact "is-fact" "states a fact",
    NowBehaves "now-behaves" "says what is new",
    Assume "assume" "takes something for granted",
    Correction "correction" "corrects something",
    Prefer "prefer" "wishes something",
    Standing "standing" "is meant to last",
    UserDecides "user-decides" "settles something",
    UserReport "user-report" "reports what was seen",
    TaskRequest "task-request" "asks for work",
    Status "status" "reports the state of the work",
    Musing "musing" "thinks aloud",
    Offer "offer" "offers something",
    AnnouncesFirst "announces-first" "announces what comes next",
    Question "question" "is a question",
    HasQuestion "has-question" "asks something",
    ColonEnd "colon-end" "leads to something else",
    Heading "heading" "is a heading",
    TellingLabel "telling-label" "has a telling label",
    ReportingLabel "reporting-label" "has the label of a report",
    TellingSection "telling-section" "stands below a telling heading",
    TableRow "table-row" "is a row of a table",
    Emoji "emoji" "has a picture",
    Length "length" "says something",
    Short "short" "is short",
    Code "code" "names code",
    Path "path" "names a file",
    Specific "specific" "names a version, a flag or an error",
    Past "past" "tells what was",
    LooksLikeCode "looks-like-code" "looks like code",
    Place "place" "comes late in its message",
    Paste "paste" "stands in a long message",
    Far "far" "stands far down",
    AfterBug "after-bug" "was said about something broken",
    LimitAfterFailure "limit-after-failure" "names a limit after a failed call",
    CorrectionAfterEdit "correction-after-edit" "corrects what was just edited",
    Neighbours "neighbours" "stands among other knowledge",
}

impl Feature {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// The feature of a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.name() == name)
    }
}

/// The measures of one unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Features([f64; Feature::COUNT]);

impl Default for Features {
    fn default() -> Self {
        Self([0.0; Feature::COUNT])
    }
}

impl Features {
    /// One measure.
    pub const fn get(&self, feature: Feature) -> f64 {
        self.0[feature as usize]
    }

    /// Whether there is any of it.
    pub fn has(&self, feature: Feature) -> bool {
        self.get(feature) > 0.0
    }

    pub(super) const fn set(&mut self, feature: Feature, value: f64) {
        self.0[feature as usize] = value;
    }

    pub(super) fn switch(&mut self, feature: Feature, is_so: bool) {
        self.set(feature, f64::from(u8::from(is_so)));
    }

    /// Sets the feature of a group of cues.
    pub(super) const fn set_group(&mut self, group: usize, count: f64) {
        if group < Group::FEATURES {
            self.0[group] = count;
        }
    }

    /// How many of the groups that speak for knowledge have a cue in it.
    pub(super) fn positive_groups(&self) -> usize {
        self.0[..Group::POSITIVE].iter().filter(|it| **it > 0.0).count()
    }

    /// What it weighs.
    pub fn weigh(&self, weights: &[(Feature, f64)]) -> f64 {
        weights.iter().map(|(feature, weight)| weight * self.get(*feature)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{Feature, Features};
    use crate::triage::cues::Group;

    #[test]
    fn the_groups_of_cues_are_the_first_features() {
        assert_eq!(Feature::Offer as usize, Group::Offer as usize);
        assert_eq!(Feature::Confirmed as usize, Group::Confirmed as usize);
        assert_eq!(Feature::TaskRequest as usize, Group::TaskRequest as usize);
        for (at, feature) in Feature::ALL.iter().enumerate() {
            assert_eq!(*feature as usize, at);
            assert_eq!(Feature::of(feature.name()), Some(*feature));
        }
    }

    #[test]
    fn a_measure_weighs_by_its_weight() {
        let mut features = Features::default();
        features.set(Feature::Fix, 2.0);
        features.switch(Feature::Heading, true);
        assert!((features.weigh(&[(Feature::Fix, 0.5), (Feature::Heading, -0.25)]) - 0.75) < 1e-9);
        assert_eq!(features.positive_groups(), 1);
    }
}
