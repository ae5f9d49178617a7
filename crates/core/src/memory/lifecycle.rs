//! From a candidate to a memory, and what becomes of it.

/// How something that was learned stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// It was captured, and nobody settled it.
    Candidate,
    /// It counts.
    Active,
    /// Another memory took its place.
    Superseded,
    /// It does not count any more.
    Retired,
    /// It is none, and does not come back. It keeps none of its words.
    Rejected,
    /// Nobody settled it in time.
    Expired,
}

/// What can be done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passage {
    /// It is a memory.
    Confirm,
    /// It is none.
    Reject,
    /// Another one takes its place.
    Supersede,
    /// It does not count any more.
    Retire,
    /// It is what it was.
    Restore,
    /// Its time is over.
    Expire,
}

/// What leads where; nothing else leads anywhere.
const TABLE: &[(State, Passage, State)] = &[
    (State::Candidate, Passage::Confirm, State::Active),
    (State::Candidate, Passage::Reject, State::Rejected),
    (State::Candidate, Passage::Expire, State::Expired),
    (State::Active, Passage::Supersede, State::Superseded),
    (State::Active, Passage::Retire, State::Retired),
    (State::Superseded, Passage::Restore, State::Active),
    (State::Superseded, Passage::Retire, State::Retired),
    (State::Retired, Passage::Restore, State::Active),
    (State::Expired, Passage::Confirm, State::Active),
    (State::Expired, Passage::Reject, State::Rejected),
    (State::Expired, Passage::Restore, State::Candidate),
];

impl State {
    /// Every state.
    pub const ALL: [Self; 6] = [
        Self::Candidate,
        Self::Active,
        Self::Superseded,
        Self::Retired,
        Self::Rejected,
        Self::Expired,
    ];

    /// Its word, in commands, files and the store.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Active => "active",
            Self::Superseded => "superseded",
            Self::Retired => "retired",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
        }
    }

    /// The state of a word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.word() == word)
    }

    /// Where a passage leads from here; nowhere, where it cannot be done.
    pub fn after(self, passage: Passage) -> Option<Self> {
        TABLE.iter().find(|it| (it.0, it.1) == (self, passage)).map(|it| it.2)
    }

    /// Whether somebody still has to say what it is.
    pub const fn is_unsettled(self) -> bool {
        matches!(self, Self::Candidate)
    }
}

impl Passage {
    /// Every passage.
    pub const ALL: [Self; 6] =
        [Self::Confirm, Self::Reject, Self::Supersede, Self::Retire, Self::Restore, Self::Expire];

    /// What was done, in the history.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Confirm => "confirmed",
            Self::Reject => "rejected",
            Self::Supersede => "superseded",
            Self::Retire => "retired",
            Self::Restore => "restored",
            Self::Expire => "expired",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The states that some passages lead to.
    fn reachable(from: State, passages: &[Passage]) -> BTreeSet<State> {
        let mut known = BTreeSet::from([from]);
        loop {
            let next: Vec<_> = known
                .iter()
                .flat_map(|state| passages.iter().filter_map(|passage| state.after(*passage)))
                .filter(|it| !known.contains(it))
                .collect();
            if next.is_empty() {
                return known;
            }
            known.extend(next);
        }
    }

    #[test]
    fn a_step_leads_to_one_place_and_never_stands_still() {
        for (at, row) in TABLE.iter().enumerate() {
            assert_ne!(row.0, row.2);
            assert!(TABLE[..at].iter().all(|it| (it.0, it.1) != (row.0, row.1)), "{row:?}");
        }
    }

    #[test]
    fn whatever_is_not_rejected_can_count_again_and_what_is_never_comes_back() {
        for state in State::ALL {
            let counts = reachable(state, &Passage::ALL).contains(&State::Active);
            assert_eq!(counts, state != State::Rejected, "{state:?}");
        }
        assert_eq!(reachable(State::Rejected, &Passage::ALL).len(), 1);
    }

    #[test]
    fn only_a_confirmation_makes_a_memory_of_a_candidate() {
        let others: Vec<_> =
            Passage::ALL.into_iter().filter(|it| *it != Passage::Confirm).collect();
        let reached = reachable(State::Candidate, &others);
        assert_eq!(
            reached,
            BTreeSet::from([State::Candidate, State::Rejected, State::Expired]),
            "nothing becomes active by itself"
        );
        // And a memory never becomes a candidate again.
        assert!(!reachable(State::Active, &Passage::ALL).contains(&State::Candidate));
    }

    #[test]
    fn every_state_is_reached_and_has_its_word() {
        assert_eq!(reachable(State::Candidate, &Passage::ALL).len(), State::ALL.len());
        for state in State::ALL {
            assert_eq!(State::of(state.word()), Some(state));
        }
        assert_eq!(State::of("gone"), None);
    }
}
