//! Whether something is new, beside what is known.

use super::{By, Claim, Content, FieldValue, MemoryId, State, Trust};

/// Something that is known, and may be the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Its name.
    pub id: MemoryId,
    /// How it stands.
    pub state: State,
    /// How far it can be trusted.
    pub trust: Trust,
    /// What it claims. Of one that was rejected the number is all that is left.
    pub claim: Claim,
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

/// Decides about something new, beside what is known in the same project.
pub fn decide_against(new: &Content, source: Source, existing: &[Known]) -> Against {
    let claim = new.claim();
    let is_same = |known: &&Known| known.claim.is_like(&claim);
    let counts = |known: &&Known| match (known.state, source) {
        // What nobody settled in time may be found again, and is a new question then.
        (State::Expired, Source::Found) => false,
        // The user may change their mind; of what was rejected there is nothing left to restore.
        (State::Rejected, Source::Told(By::User)) => false,
        _ => true,
    };
    let rank = |state: State| match state {
        State::Active => 0,
        State::Candidate => 1,
        State::Expired => 2,
        State::Superseded | State::Retired => 3,
        State::Rejected => 4,
    };
    // The same words come before other words for the same.
    let order = |known: &&Known| (rank(known.state), known.claim.hash() != claim.hash());
    let same = existing.iter().filter(is_same).filter(counts).min_by_key(order);
    let Some(known) = same else { return Against::Create };
    let nothing = || Against::Nothing { id: known.id.clone(), state: known.state };
    let content = match (known.state, source) {
        (State::Superseded | State::Retired | State::Rejected, _) => return nothing(),
        (State::Active, Source::Found) => return nothing(),
        // An agent does not change what the user said.
        (State::Active, Source::Told(By::Agent | By::Windlass)) if known.trust == Trust::User => {
            return nothing();
        }
        (State::Candidate | State::Expired, Source::Found) => {
            let files = united(&known.content.files, &new.files);
            Content { files, ..known.content.clone() }
        }
        (State::Active | State::Candidate | State::Expired, Source::Told(_)) => {
            merged(&known.content, new)
        }
    };
    let changes = changes(&known.content, &content);
    if changes.is_empty() && known.state == State::Active {
        return nothing();
    }
    Against::Update { id: known.id.clone(), content, changes }
}

/// What is known, with what is said of it now: the later word counts, and lists grow.
fn merged(known: &Content, new: &Content) -> Content {
    let (tags, files) = (united(&known.tags, &new.tags), united(&known.files, &new.files));
    let text = if new.text.is_empty() { &known.text } else { &new.text }.clone();
    if known.category != new.category {
        return Content { text, tags, files, ..new.clone() };
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
    Content { category: known.category, title: new.title.clone(), text, fields, tags, files }
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
    use crate::memory::{Category, Draft};

    const TEXT: &str = "The flaky test was caused by the port being reused between runs";
    const OTHER_WORDS: &str = "The flaky test is caused by the port being reused between runs";

    fn content(text: &str, files: &[&str]) -> Content {
        let files = files.iter().map(|&it| it.to_owned()).collect();
        Draft { text: text.to_owned(), files, ..Draft::default() }.check().unwrap()
    }

    fn known(state: State, trust: Trust, text: &str) -> Known {
        let content = content(text, &["a.rs"]);
        let claim = content.claim();
        Known { id: MemoryId::of_claim("s", claim.hash()), state, trust, claim, content }
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
        tombstone.claim = Claim::of_hash(tombstone.claim.hash());
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
    fn the_one_that_counts_comes_first_and_the_same_words_before_others() {
        let all = [
            known(State::Retired, Trust::Agent, OTHER_WORDS),
            known(State::Active, Trust::Agent, TEXT),
            known(State::Active, Trust::Agent, OTHER_WORDS),
        ];
        let found = decide_against(&content(OTHER_WORDS, &[]), Source::Found, &all);
        assert_eq!(found, Against::Nothing { id: all[2].id.clone(), state: State::Active });
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
        let claim = old.claim();
        let id = MemoryId::of_claim("s", claim.hash());
        let (state, trust) = (State::Active, Trust::User);
        let known = Known { id: id.clone(), state, trust, claim, content: old };
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
