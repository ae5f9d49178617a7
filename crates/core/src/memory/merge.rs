//! Whether something is new, beside what is known.

use super::claim::{Gist, claims_before_more};
use super::{By, Category, Content, FieldValue, MemoryId, State};

/// Something that is known, and may be the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Its name.
    pub id: MemoryId,
    /// How it stands.
    pub state: State,
    /// Whether it is the user's: an agent does not change it.
    pub is_users: bool,
    /// Whether it belongs to the project at hand: files are named from the root of their own.
    pub is_here: bool,
    /// What it claims: all that is left of one that was rejected.
    pub claim: u64,
    /// What it says.
    pub content: Content,
}

/// How something new came here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Nobody asked for it: it was found in a conversation, or in a file.
    Found,
    /// Somebody wants it to be remembered.
    Told(By),
}

/// What is to be done with something new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Against {
    /// It is new.
    Create,
    /// It says more than what is known, or settles it.
    Update {
        /// What is known.
        id: MemoryId,
        /// What that says from now on.
        content: Content,
        /// What is other in it.
        changes: Vec<Change>,
    },
    /// It is known.
    Nothing {
        /// As what.
        id: MemoryId,
        /// How that stands.
        state: State,
    },
}

/// What became other in a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its title, its text, a field.
    pub what: String,
    /// What it was; empty where it was not there.
    pub old: String,
    /// What it is; empty where it is gone.
    pub new: String,
}

/// Decides about something new, beside what is known in the same project, and
/// everywhere. What claims the same counts;
/// what has other words is something else, be it ever so similar.
pub fn decide_against(new: &Content, source: Source, existing: &[Known]) -> Against {
    let claim = new.claim_number();
    let parts = match source {
        // What was found beside something says more than that does, and must not be lost.
        Source::Found => Vec::new(),
        Source::Told(_) => claims_before_more(new.says()),
    };
    let is_same = |known: &&Known| known.claim == claim;
    let counts = |known: &&Known| match (known.state, source) {
        // What nobody settled in time may be found again, and is a new question then.
        (State::Expired, Source::Found) => false,
        // The user may change their mind; of what was rejected there is nothing left to restore.
        (State::Rejected, Source::Told(By::User)) => false,
        _ => true,
    };
    let rank = |known: &&Known| match known.state {
        State::Active => 0,
        State::Candidate => 1,
        State::Expired => 2,
        State::Superseded | State::Retired => 3,
        State::Rejected => 4,
    };
    // What can take more up: nothing that does not count any more keeps more from being said.
    let is_part = |known: &&Known| {
        let is_open = match known.state {
            State::Active => source == Source::Told(By::User) || !known.is_users,
            State::Candidate | State::Expired => true,
            State::Superseded | State::Retired | State::Rejected => false,
        };
        is_open && parts.contains(&known.claim)
    };
    let same = existing.iter().filter(is_same).filter(counts).min_by_key(rank);
    let part = || existing.iter().filter(is_part).min_by_key(rank);
    let Some(known) = same.or_else(part) else { return Against::Create };
    let nothing = || Against::Nothing { id: known.id.clone(), state: known.state };
    let content = match (known.state, source) {
        (State::Superseded | State::Retired | State::Rejected, _) => return nothing(),
        (State::Active, Source::Found) => return nothing(),
        (State::Active, Source::Told(By::Agent | By::Windlass)) if known.is_users => {
            return nothing();
        }
        (State::Candidate | State::Expired, Source::Found) => {
            let files = united(&known.content.files, &new.files);
            Content { files, ..known.content.clone() }
        }
        (State::Active | State::Candidate | State::Expired, Source::Told(_)) => {
            let files = if known.is_here { new.files.clone() } else { Vec::new() };
            merged(&known.content, &Content { files, ..new.clone() })
        }
    };
    let changes = changes(&known.content, &content);
    if changes.is_empty() && known.state == State::Active {
        return nothing();
    }
    Against::Update { id: known.id.clone(), content, changes }
}

/// What of all that counts has most in common with something new, and claims something else: only
/// whoever said it can tell whether it takes the place of that.
pub fn similar<'a>(new: &Content, existing: &'a [Known]) -> Option<&'a Known> {
    let (claim, gist) = (new.claim_number(), Gist::of(new.says()));
    let others = existing.iter().filter(|it| it.state == State::Active && it.claim != claim);
    let shared =
        others.filter_map(|it| Some((gist.shared_with(&Gist::of(it.content.says()))?, it)));
    // Of several the first counts, which is the latest.
    shared.rev().max_by_key(|it| it.0).map(|it| it.1)
}

/// What is known, with what is said of it now: the later word counts, and lists grow. What nobody said
/// anything about stays as it is: what kind it is, and what it is called.
fn merged(known: &Content, new: &Content) -> Content {
    let (tags, files) = (united(&known.tags, &new.tags), united(&known.files, &new.files));
    let text = if new.text.is_empty() { &known.text } else { &new.text }.clone();
    let is_named = new.has_own_title() || !known.has_own_title();
    let title = if is_named { &new.title } else { &known.title }.clone();
    let is_plain = new.category == Category::default() && new.fields.is_empty();
    if known.category != new.category && !is_plain {
        return Content { title, text, tags, files, ..new.clone() };
    }
    let fields = known.category.fields().iter().filter_map(|field| {
        let value = match (known.field(field.name), new.field(field.name)) {
            (Some(FieldValue::List(old)), Some(FieldValue::List(new))) => {
                FieldValue::List(united(old, new))
            }
            (_, Some(new)) => new.clone(),
            (old, None) => old?.clone(),
        };
        Some((field.name, value))
    });
    let fields = fields.collect();
    Content { category: known.category, title, text, fields, tags, files }
}

fn united(known: &[String], new: &[String]) -> Vec<String> {
    let more = new.iter().filter(|it| !known.contains(it));
    known.iter().chain(more).take(super::record::MAX_MANY).cloned().collect()
}

/// What is other between two contents.
pub fn changes(old: &Content, new: &Content) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut compare = |what: &str, old: String, new: String| {
        if old != new {
            changes.push(Change { what: what.to_owned(), old, new });
        }
    };
    compare("category", old.category.word().to_owned(), new.category.word().to_owned());
    compare("title", old.title.clone(), new.title.clone());
    compare("text", old.text.clone(), new.text.clone());
    let mut names: Vec<_> = old.fields.iter().chain(&new.fields).map(|it| it.0).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let value = |content: &Content| {
            content.field(name).map(|it| it.texts().join("; ")).unwrap_or_default()
        };
        compare(name, value(old), value(new));
    }
    compare("tags", old.tags.join(", "), new.tags.join(", "));
    compare("files", old.files.join(", "), new.files.join(", "));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Draft, Trust};

    const TEXT: &str = "The flaky test was caused by the port being reused between runs";
    const OTHER_WORDS: &str = "The flaky test is caused by the port being reused between runs";

    fn content(text: &str, files: &[&str]) -> Content {
        let files = files.iter().map(|&it| it.to_owned()).collect();
        Draft { text: text.to_owned(), files, ..Draft::default() }.check().unwrap()
    }

    fn known(state: State, trust: Trust, text: &str) -> Known {
        let content = content(text, &["a.rs"]);
        let claim = content.claim_number();
        let (id, is_users) = (MemoryId::of_claim(text, claim), trust == Trust::User);
        Known { id, state, is_users, is_here: true, claim, content }
    }

    /// What is decided about the same claim in other words, with a file that is new.
    fn about(state: State, trust: Trust, source: Source) -> &'static str {
        let known = known(state, trust, TEXT);
        match decide_against(&content(OTHER_WORDS, &["b.rs"]), source, &[known]) {
            Against::Create => "create",
            Against::Update { content, .. } if content.text == OTHER_WORDS => "update",
            Against::Update { .. } => "add",
            Against::Nothing { .. } => "nothing",
        }
    }

    #[test]
    fn the_same_claim_is_decided_by_who_says_it_and_how_it_stands() {
        let (agent, user) = (Source::Told(By::Agent), Source::Told(By::User));
        // The states, then what follows where it is found, where an agent and where the user says it.
        let table = [
            (State::Candidate, ["add", "update", "update"]),
            (State::Active, ["nothing", "update", "update"]),
            (State::Superseded, ["nothing", "nothing", "nothing"]),
            (State::Retired, ["nothing", "nothing", "nothing"]),
            (State::Expired, ["create", "update", "update"]),
        ];
        for (state, expected) in table {
            let found = [Source::Found, agent, user].map(|it| about(state, Trust::Agent, it));
            assert_eq!(found, expected, "{state:?}");
        }
        assert_eq!(about(State::Active, Trust::User, agent), "nothing");
        assert_eq!(about(State::Active, Trust::User, user), "update");
    }

    #[test]
    fn what_was_rejected_comes_back_only_by_the_user() {
        let mut tombstone = known(State::Rejected, Trust::Agent, TEXT);
        tombstone.content = Content { text: String::new(), ..tombstone.content };
        let decide = |source| decide_against(&content(TEXT, &[]), source, &[tombstone.clone()]);
        let nothing = Against::Nothing { id: tombstone.id.clone(), state: State::Rejected };
        assert_eq!(decide(Source::Found), nothing);
        assert_eq!(decide(Source::Told(By::Agent)), nothing);
        assert_eq!(decide(Source::Told(By::User)), Against::Create);
    }

    #[test]
    fn what_is_said_again_changes_nothing() {
        let known = known(State::Active, Trust::Agent, TEXT);
        let all = std::slice::from_ref(&known);
        let again = decide_against(&known.content, Source::Told(By::Agent), all);
        assert_eq!(again, Against::Nothing { id: known.id.clone(), state: State::Active });
        let other = content("Something else is the case with the lexer", &[]);
        assert_eq!(decide_against(&other, Source::Found, &[known]), Against::Create);
    }

    #[test]
    fn the_one_that_counts_comes_first() {
        let all = [
            known(State::Retired, Trust::Agent, OTHER_WORDS),
            known(State::Active, Trust::Agent, TEXT),
        ];
        let found = decide_against(&content(OTHER_WORDS, &[]), Source::Found, &all);
        assert_eq!(found, Against::Nothing { id: all[1].id.clone(), state: State::Active });
    }

    /// What is known stands in this state; another claim with almost the same words is new.
    #[test]
    fn the_opposite_is_never_taken_for_what_is_known() {
        let new = content("Run the migration before the deploy of the server", &[]);
        for state in State::ALL {
            let known =
                [known(state, Trust::User, "Run the migration after the deploy of the server")];
            for source in [Source::Found, Source::Told(By::Agent), Source::Told(By::User)] {
                assert_eq!(decide_against(&new, source, &known), Against::Create, "{state:?}");
            }
            let is_told = state == State::Active;
            assert_eq!(similar(&new, &known).is_some(), is_told, "{state:?}");
        }
    }

    #[test]
    fn more_is_added_where_nothing_is_lost_by_it() {
        let more = content(&format!("{TEXT}. It listens on 8080."), &[]);
        let decide = |state, trust, source| match decide_against(
            &more,
            source,
            &[known(state, trust, TEXT)],
        ) {
            Against::Create => "create",
            Against::Update { content, .. } if content.text == more.text => "update",
            Against::Update { .. } | Against::Nothing { .. } => "lost",
        };
        let (agent, user) = (Source::Told(By::Agent), Source::Told(By::User));
        let table = [
            (State::Candidate, ["create", "update", "update"]),
            (State::Active, ["create", "update", "update"]),
            (State::Superseded, ["create", "create", "create"]),
            (State::Retired, ["create", "create", "create"]),
            (State::Rejected, ["create", "create", "create"]),
            (State::Expired, ["create", "update", "update"]),
        ];
        for (state, expected) in table {
            let found = [Source::Found, agent, user].map(|it| decide(state, Trust::Agent, it));
            assert_eq!(found, expected, "{state:?}");
        }
        assert_eq!(decide(State::Active, Trust::User, agent), "create");
        assert_eq!(decide(State::Active, Trust::User, user), "update");
    }

    #[test]
    fn of_similar_ones_the_nearest_is_told() {
        let all = [
            known(State::Active, Trust::User, "The staging deploy wants a vpn to be up"),
            known(State::Active, Trust::User, "The staging deploy needs the vpn to be up"),
            known(State::Active, Trust::User, "The lexer drops the last line"),
        ];
        let new = content("The production deploy needs the vpn to be up", &[]);
        assert_eq!(similar(&new, &all), Some(&all[1]));
        assert_eq!(similar(&all[1].content, &all[1..]), None, "it is the same");
    }

    #[test]
    fn what_nobody_says_anything_about_stays() {
        let fields = vec![("severity".to_owned(), FieldValue::Text("high".to_owned()))];
        let (category, title) = (Some(Category::Constraint), Some("The limit".to_owned()));
        let draft = Draft { category, title, text: TEXT.to_owned(), fields, ..Draft::default() };
        let old = draft.check().unwrap();
        let claim = old.claim_number();
        let (id, state) = (MemoryId::of_claim("s", claim), State::Active);
        let known = Known { id, state, is_users: true, is_here: true, claim, content: old.clone() };
        let said = |category, title: Option<&str>, text: String| {
            let title = title.map(str::to_owned);
            let new = Draft { category, title, text, ..Draft::default() }.check().unwrap();
            decide_against(&new, Source::Told(By::User), std::slice::from_ref(&known))
        };
        assert!(matches!(said(None, None, TEXT.to_owned()), Against::Nothing { .. }));
        let Against::Update { content, changes, .. } =
            said(None, None, format!("{TEXT}. It is 80."))
        else {
            panic!("it says more")
        };
        assert_eq!(changes.iter().map(|it| it.what.as_str()).collect::<Vec<_>>(), ["text"]);
        assert_eq!((content.category, content.fields), (old.category, old.fields));
        // What is said counts.
        let Against::Update { changes, .. } =
            said(Some(Category::Decision), Some("Ports"), TEXT.to_owned())
        else {
            panic!("it is another kind")
        };
        let changed: Vec<_> = changes.iter().map(|it| it.what.as_str()).collect();
        assert_eq!(changed, ["category", "title", "severity"]);
    }

    #[test]
    fn the_later_word_counts_and_lists_grow() {
        let with = |fields: &[(&str, &str)], title: &str| {
            let value = |it: &str| FieldValue::Text(it.to_owned());
            let fields = fields.iter().map(|it| (it.0.to_owned(), value(it.1))).collect();
            let (category, title) = (Some(Category::Decision), Some(title.to_owned()));
            Draft { category, title, text: TEXT.to_owned(), fields, ..Draft::default() }
                .check()
                .unwrap()
        };
        let old = with(&[("status", "proposed"), ("rationale", "fast"), ("context", "c")], "t");
        let claim = old.claim_number();
        let id = MemoryId::of_claim("s", claim);
        let (state, is_users) = (State::Active, true);
        let known = Known { id: id.clone(), state, is_users, is_here: true, claim, content: old };
        let new = with(&[("status", "accepted"), ("rationale", "small")], "t");
        let expected = with(
            &[
                ("status", "accepted"),
                ("rationale", "fast"),
                ("rationale", "small"),
                ("context", "c"),
            ],
            "t",
        );
        let change = |what: &str, old: &str, new: &str| Change {
            what: what.to_owned(),
            old: old.to_owned(),
            new: new.to_owned(),
        };
        let changes = vec![
            change("rationale", "fast", "fast; small"),
            change("status", "proposed", "accepted"),
        ];
        assert_eq!(
            decide_against(&new, Source::Told(By::User), &[known]),
            Against::Update { id, content: expected, changes }
        );
    }
}
