//! What became of what was found: counted, by session, and by the asks that led to it.

use std::collections::BTreeMap;

use super::{By, Category, State};
use crate::Timestamp;

/// Per cent of what was found that are kept in a session that is well.
const WELL: u32 = 80;
/// And in one that is not lost.
const FAIR: u32 = 50;
/// Milliseconds after an ask for which its session is taken to go on, where nobody knows.
const SILENT: i64 = 24 * 60 * 60 * 1000;

/// Something that was found, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The session in which it was, by its name.
    pub session: Option<String>,
    /// What kind of knowledge it is.
    pub category: Category,
    /// How it stands.
    pub state: State,
    /// Whether it stands in the project's own file, which keeps it as well.
    pub in_file: bool,
    /// Who said yes or no to it, and when.
    pub settled: Option<(By, Timestamp)>,
    /// When the agent was asked for it, the first time first.
    pub asked: Vec<Timestamp>,
    /// How far its session is.
    pub end: SessionEnd,
}

/// How far a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionEnd {
    /// It goes on.
    Open,
    /// It was over then: it was ended, or nothing came any more.
    At(Timestamp),
    /// It is over, and nobody knows since when.
    Lost,
}

/// What became of one that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is kept, here or in the project's own file.
    Kept,
    /// It is nothing.
    Rejected,
    /// Nobody settled it yet.
    Waiting,
    /// Nobody settled it in time.
    Expired,
}

impl Found {
    /// What became of it.
    pub const fn fate(&self) -> Fate {
        match self.state {
            State::Active | State::Superseded | State::Retired => Fate::Kept,
            State::Rejected => Fate::Rejected,
            State::Candidate | State::Expired if self.in_file => Fate::Kept,
            State::Candidate => Fate::Waiting,
            State::Expired => Fate::Expired,
        }
    }

    /// The ask that led to its end: the last one before somebody said yes or no, while the session
    /// went on.
    fn healed_by(&self) -> Option<Timestamp> {
        let (_, at) =
            self.settled.filter(|_| matches!(self.fate(), Fate::Kept | Fate::Rejected))?;
        let asked = self.asked.iter().copied().rfind(|it| *it <= at)?;
        let is_within = match self.end {
            SessionEnd::Open => true,
            SessionEnd::At(end) => at <= end,
            SessionEnd::Lost => at.0 - asked.0 <= SILENT,
        };
        is_within.then_some(asked)
    }
}

/// How much was found, and what became of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// All of it.
    pub found: u32,
    /// What is kept.
    pub kept: u32,
    /// What was nothing.
    pub rejected: u32,
    /// What nobody settled yet.
    pub waiting: u32,
    /// What nobody settled in time.
    pub expired: u32,
    /// What nobody settled yet in sessions that go on.
    pub early: u32,
}

impl Tally {
    /// Counts.
    pub fn of<'a>(all: impl IntoIterator<Item = &'a Found>) -> Self {
        let mut tally = Self::default();
        for found in all {
            tally.found += 1;
            let is_early = found.fate() == Fate::Waiting && found.end == SessionEnd::Open;
            tally.early += u32::from(is_early);
            *match found.fate() {
                Fate::Kept => &mut tally.kept,
                Fate::Rejected => &mut tally.rejected,
                Fate::Waiting => &mut tally.waiting,
                Fate::Expired => &mut tally.expired,
            } += 1;
        }
        tally
    }

    /// Per cent of what was found that are kept; what was rejected was nothing to keep, and of what
    /// waits in a session that goes on nobody can tell.
    pub fn health(self) -> Option<u32> {
        share(self.kept, self.found - self.rejected - self.early)
    }

    /// The same in a word.
    pub fn health_word(self) -> Option<&'static str> {
        self.health().map(|it| match it {
            WELL.. => "good",
            FAIR.. => "fair",
            _ => "poor",
        })
    }
}

/// Per cent of something; nothing where there is none.
pub fn share(part: u32, whole: u32) -> Option<u32> {
    (part * 100 + whole / 2).checked_div(whole)
}

/// What was found, by its category.
pub fn by_category(all: &[Found]) -> Vec<(Category, Tally)> {
    let of = |category| Tally::of(all.iter().filter(|it| it.category == category));
    let tallies = Category::ALL.into_iter().map(|it| (it, of(it)));
    tallies.filter(|it| it.1.found > 0).collect()
}

/// What somebody settled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Settled {
    /// What they kept.
    pub kept: u32,
    /// What they rejected.
    pub rejected: u32,
    /// What they let go.
    pub expired: u32,
}

impl Settled {
    /// What somebody settled of what was found. What nobody settled in time windlass lets go.
    pub fn by(all: &[Found], who: By) -> Self {
        let mut settled = Self::default();
        for found in all {
            let by = found.settled.map(|it| it.0);
            match found.fate() {
                Fate::Kept => settled.kept += u32::from(by == Some(who)),
                Fate::Rejected => settled.rejected += u32::from(by == Some(who)),
                Fate::Expired => settled.expired += u32::from(who == By::Windlass),
                Fate::Waiting => {}
            }
        }
        settled
    }
}

/// What asks led to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asks {
    /// All that were given.
    pub given: u32,
    /// Those after which something was kept.
    pub saved: u32,
    /// Those after which something was rejected, and nothing kept.
    pub rejected: u32,
    /// Those that led to nothing yet, and whose session goes on.
    pub waiting: u32,
    /// Those that led to nothing.
    pub nothing: u32,
    /// Things that were named in them, each once.
    pub named: u32,
    /// Those of them that were settled after an ask, while the session went on.
    pub healed: u32,
    /// Those of these that the user settled.
    pub healed_by_user: u32,
}

impl Asks {
    /// Counts. All that was asked at one time in one session is one ask.
    pub fn of(all: &[Found]) -> Self {
        let mut asks: BTreeMap<(Option<&str>, Timestamp), (bool, bool, bool)> = BTreeMap::new();
        let mut counted = Self::default();
        for found in all.iter().filter(|it| !it.asked.is_empty()) {
            counted.named += 1;
            let session = found.session.as_deref();
            for &at in &found.asked {
                let is_open = found.end == SessionEnd::Open && found.fate() == Fate::Waiting;
                asks.entry((session, at)).or_default().2 |= is_open;
            }
            if let Some(at) = found.healed_by() {
                let (saved, rejected, _) = asks.entry((session, at)).or_default();
                *saved |= found.fate() == Fate::Kept;
                *rejected |= found.fate() == Fate::Rejected;
                counted.healed += 1;
                let is_users = matches!(found.settled, Some((By::User, _)));
                counted.healed_by_user += u32::from(is_users);
            }
        }
        for answer in asks.into_values() {
            counted.given += 1;
            *match answer {
                (true, _, _) => &mut counted.saved,
                (false, true, _) => &mut counted.rejected,
                (false, false, true) => &mut counted.waiting,
                (false, false, false) => &mut counted.nothing,
            } += 1;
        }
        counted
    }
}

/// How a session stands with what was found in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionState {
    /// Nothing waits.
    NoPending,
    /// Something waits, and the session goes on.
    Pending,
    /// Something waits, and the session does not go on.
    StaleSession,
    /// Everything that was found is settled.
    AllCaptured,
}

impl SessionState {
    /// The state of a session in which this was found.
    pub const fn of(tally: Tally, end: SessionEnd) -> Self {
        match (tally, end) {
            (Tally { waiting: 1.., .. }, SessionEnd::Open) => Self::Pending,
            (Tally { waiting: 1.., .. }, SessionEnd::At(_) | SessionEnd::Lost) => {
                Self::StaleSession
            }
            (Tally { found: 1.., expired: 0, .. }, _) => Self::AllCaptured,
            _ => Self::NoPending,
        }
    }

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::NoPending => "no-pending",
            Self::Pending => "pending",
            Self::StaleSession => "stale-session",
            Self::AllCaptured => "all-captured",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(state: State, asked: &[i64], settled: Option<(By, i64)>) -> Found {
        Found {
            session: Some("s".to_owned()),
            category: Category::Discovery,
            state,
            in_file: false,
            settled: settled.map(|it| (it.0, Timestamp(it.1))),
            asked: asked.iter().map(|it| Timestamp(*it)).collect(),
            end: SessionEnd::Open,
        }
    }

    #[test]
    fn health_is_what_is_kept_of_what_was_something() {
        let all = [
            found(State::Active, &[], Some((By::User, 1))),
            found(State::Retired, &[], Some((By::Agent, 1))),
            found(State::Rejected, &[], Some((By::Agent, 1))),
            Found { end: SessionEnd::At(Timestamp(9)), ..found(State::Candidate, &[], None) },
            found(State::Expired, &[], None),
            Found { in_file: true, ..found(State::Candidate, &[], None) },
        ];
        let tally = Tally::of(&all);
        let expected = Tally { found: 6, kept: 3, rejected: 1, waiting: 1, expired: 1, early: 0 };
        assert_eq!(tally, expected);
        // Of what was found a moment ago nobody can tell.
        let early = Tally::of(&[found(State::Candidate, &[], None)]);
        assert_eq!((early.waiting, early.early, early.health()), (1, 1, None));
        assert_eq!((tally.health(), tally.health_word()), (Some(60), Some("fair")));
        assert_eq!(Tally::default().health(), None);
        let rejected = Tally { found: 2, rejected: 2, ..Tally::default() };
        assert_eq!(rejected.health(), None);
        let windlass = Settled { expired: 1, ..Settled::default() };
        assert_eq!(Settled::by(&all, By::Windlass), windlass);
        assert_eq!(Settled::by(&all, By::Agent), Settled { kept: 1, rejected: 1, expired: 0 });
    }

    #[test]
    fn an_ask_is_credited_with_what_is_settled_after_it_and_before_the_next_one() {
        let all = [
            found(State::Active, &[10, 20], Some((By::Agent, 21))),
            found(State::Rejected, &[10], Some((By::User, 11))),
            found(State::Candidate, &[10, 20, 30], None),
            // It was settled before anybody was asked, which nobody does twice.
            found(State::Active, &[40], Some((By::User, 5))),
            found(State::Active, &[], Some((By::User, 5))),
        ];
        let asks = Asks::of(&all);
        assert_eq!((asks.given, asks.saved, asks.rejected), (4, 1, 1));
        // The last one may be answered yet.
        assert_eq!((asks.waiting, asks.nothing), (1, 1));
        assert_eq!((asks.named, asks.healed, asks.healed_by_user), (4, 2, 1));
    }

    #[test]
    fn what_is_settled_after_the_session_ended_no_ask_led_to() {
        let late = Found {
            end: SessionEnd::At(Timestamp(15)),
            ..found(State::Active, &[10], Some((By::User, 20)))
        };
        assert_eq!(Asks::of(&[late]), Asks { given: 1, nothing: 1, named: 1, ..Asks::default() });
    }

    #[test]
    fn asks_of_two_sessions_at_one_time_are_two() {
        let other = Found { session: None, ..found(State::Candidate, &[10], None) };
        assert_eq!(Asks::of(&[found(State::Candidate, &[10], None), other]).given, 2);
    }

    #[test]
    fn a_session_stands_by_what_waits_and_whether_it_goes_on() {
        let tally = |waiting, expired| Tally { found: 3, waiting, expired, ..Tally::default() };
        let end = SessionEnd::At(Timestamp(1));
        let table = [
            (Tally::default(), SessionEnd::Open, "no-pending"),
            (tally(1, 0), SessionEnd::Open, "pending"),
            (tally(1, 0), end, "stale-session"),
            (tally(1, 1), SessionEnd::Lost, "stale-session"),
            (tally(0, 0), end, "all-captured"),
            (tally(0, 1), end, "no-pending"),
        ];
        for (tally, end, word) in table {
            assert_eq!(SessionState::of(tally, end).word(), word);
        }
    }
}
