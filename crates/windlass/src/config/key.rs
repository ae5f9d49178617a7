//! What a key is: its value, where it lives in the policy, and what a project may do with it.

use std::fmt;
use std::ops::RangeInclusive;

use windlass_core::Policy;
use windlass_core::check::Check;
use windlass_core::evidence::Pattern;

use super::checks;

use super::Origin;

/// One row of the table of keys.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) field: Field,
    pub(crate) rule: Rule,
    /// One sentence for people.
    pub(crate) about: &'static str,
}

/// The field of the policy that a key sets, and the values that it takes.
#[derive(Debug)]
pub(crate) enum Field {
    Switch(fn(&mut Policy) -> &mut bool),
    Number(RangeInclusive<u32>, fn(&mut Policy) -> &mut u32),
    /// One of some words, the least strict first: its place among them is read and set.
    Word(&'static [&'static str], fn(&Policy) -> usize, fn(&mut Policy, usize)),
    /// A program and its arguments.
    Command(fn(&mut Policy) -> &mut Vec<String>),
    /// Names, each of which may end with `*` for anything.
    Names(fn(&mut Policy) -> &mut Vec<String>),
    /// A file below the root of a project; empty is none.
    File(fn(&mut Policy) -> &mut String),
    /// Checks, each with its name.
    Checks(fn(&mut Policy) -> &mut Vec<Check>),
    /// Commands that are runs, each with its kind.
    Runs(fn(&mut Policy) -> &mut Vec<Pattern>),
}

/// How a value of a project is judged. Less is tighter: off, fewer, shorter; of words, the stricter
/// one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// It counts where it is not above the user's.
    Tighten,
    /// The same, where the user has set nothing: what bothers the user is the user's to decide.
    TightenUnset,
    /// It counts where it is not above the user's, and above it once it is trusted.
    TightenOrTrust,
    /// It counts where it is not below the user's: of a level, the higher one lets less through.
    Raise,
    /// It counts once it is trusted.
    Trust,
    /// It is never read.
    UserOnly,
}

/// A value of a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Switch(bool),
    Number(u32),
    /// The word, and how strict it is.
    Word(&'static str, usize),
    Command(Vec<String>),
    Names(Vec<String>),
    File(String),
    Checks(Vec<Check>),
    Runs(Vec<Pattern>),
}

/// What becomes of a value of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judgement {
    Counts,
    NeedsTrust,
    Loosens,
    Decided,
    NotRead,
}

impl Key {
    /// The value in a policy.
    pub(crate) fn get(&self, policy: &mut Policy) -> Value {
        match &self.field {
            Field::Switch(of) => Value::Switch(*of(policy)),
            Field::Number(_, of) => Value::Number(*of(policy)),
            Field::Word(words, of, _) => {
                let place = of(policy).min(words.len() - 1);
                Value::Word(words[place], place)
            }
            Field::Command(of) => Value::Command(of(policy).clone()),
            Field::Names(of) => Value::Names(of(policy).clone()),
            Field::File(of) => Value::File(of(policy).clone()),
            Field::Checks(of) => Value::Checks(of(policy).clone()),
            Field::Runs(of) => Value::Runs(of(policy).clone()),
        }
    }

    /// Puts a value of the key's own type into a policy.
    pub(crate) fn set(&self, policy: &mut Policy, value: Value) {
        match (&self.field, value) {
            (Field::Switch(of), Value::Switch(value)) => *of(policy) = value,
            (Field::Number(_, of), Value::Number(value)) => *of(policy) = value,
            (Field::Word(_, _, set), Value::Word(_, place)) => set(policy, place),
            (Field::Command(of), Value::Command(value)) => *of(policy) = value,
            (Field::Names(of), Value::Names(value)) => *of(policy) = value,
            (Field::File(of), Value::File(value)) => *of(policy) = value,
            (Field::Checks(of), Value::Checks(value)) => *of(policy) = value,
            (Field::Runs(of), Value::Runs(value)) => *of(policy) = value,
            (
                Field::Switch(_)
                | Field::Number(..)
                | Field::Word(..)
                | Field::Command(_)
                | Field::Names(_)
                | Field::File(_)
                | Field::Checks(_)
                | Field::Runs(_),
                _,
            ) => {}
        }
    }

    /// The value where nothing is set.
    pub(crate) fn default(&self) -> Value {
        self.get(&mut Policy::default())
    }

    /// What becomes of a project's value beside the user's, which is one that the user gave or the
    /// default.
    pub(crate) fn judge(&self, user: &Value, origin: Origin, project: &Value) -> Judgement {
        match self.rule {
            Rule::UserOnly => Judgement::NotRead,
            Rule::Trust => Judgement::NeedsTrust,
            Rule::TightenUnset if origin == Origin::User && project != user => Judgement::Decided,
            Rule::Tighten | Rule::TightenUnset | Rule::TightenOrTrust
                if project.is_within(user) =>
            {
                Judgement::Counts
            }
            Rule::Raise if user.is_within(project) => Judgement::Counts,
            Rule::TightenOrTrust => Judgement::NeedsTrust,
            Rule::Tighten | Rule::TightenUnset | Rule::Raise => Judgement::Loosens,
        }
    }
}

impl Field {
    /// The values that the key takes, in words.
    pub(crate) fn values(&self) -> String {
        match self {
            Self::Switch(_) => "true or false".to_owned(),
            Self::Number(range, _) => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            Self::Word(words, ..) => {
                let words: Vec<_> = words.iter().map(|it| format!("{it:?}")).collect();
                format!("one of {}", words.join(", "))
            }
            Self::Command(_) => {
                "a list of texts: a program and its arguments, run without a shell".to_owned()
            }
            Self::Names(_) => {
                "a list of names, each of which may end with `*` for anything".to_owned()
            }
            Self::File(_) => {
                "a path below the root of the project, without `..`, or an empty text".to_owned()
            }
            Self::Checks(_) => checks::VALUES.to_owned(),
            Self::Runs(_) => {
                "a list of commands, each after its kind (`tests:`, `build:`, `lint:`, `types:`), \
                 where `*` stands for any words"
                    .to_owned()
            }
        }
    }
}

impl Rule {
    /// The class of the key.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Tighten | Self::TightenUnset | Self::TightenOrTrust | Self::Raise => "inert",
            Self::Trust => "sensitive",
            Self::UserOnly => "user-only",
        }
    }

    /// What a project may do with the key, in words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Tighten => "may only tighten it",
            Self::TightenUnset => "may only tighten it, and only where you have not set it",
            Self::TightenOrTrust => "may lower it; above yours it is sensitive and needs trust",
            Self::Raise => "may only raise it",
            Self::Trust => "is ignored until you trust it",
            Self::UserOnly => "cannot set it",
        }
    }
}

impl Value {
    /// A key with its value, in lines for people: each check has its own.
    pub(crate) fn lines(&self, key: &str) -> Vec<(String, String)> {
        match self {
            Self::Checks(all) if !all.is_empty() => {
                all.iter().map(|it| (format!("{key}.{}", it.name), checks::line_of(it))).collect()
            }
            _ => vec![(key.to_owned(), self.to_string())],
        }
    }

    fn is_within(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Switch(own), Self::Switch(other)) => own <= other,
            (Self::Number(own), Self::Number(other)) => own <= other,
            (Self::Word(_, own), Self::Word(_, other)) => own >= other,
            (
                Self::Switch(_)
                | Self::Number(_)
                | Self::Word(..)
                | Self::Command(_)
                | Self::Names(_)
                | Self::File(_)
                | Self::Checks(_)
                | Self::Runs(_),
                _,
            ) => self == other,
        }
    }
}

/// As it stands in a settings file, every hidden character written out.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch(value) => value.fmt(f),
            Self::Number(value) => value.fmt(f),
            Self::Word(word, _) => write!(f, "{word:?}"),
            Self::File(path) => write!(f, "{path:?}"),
            Self::Command(words) | Self::Names(words) => list(f, words),
            Self::Runs(runs) => list(f, &runs.iter().map(ToString::to_string).collect::<Vec<_>>()),
            Self::Checks(all) if all.is_empty() => f.write_str("{}"),
            Self::Checks(all) => {
                let all: Vec<_> =
                    all.iter().map(|it| format!("{} = {}", it.name, checks::line_of(it))).collect();
                write!(f, "{{ {} }}", all.join(", "))
            }
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, words: &[String]) -> fmt::Result {
    let words: Vec<_> = words.iter().map(|it| format!("{it:?}")).collect();
    write!(f, "[{}]", words.join(", "))
}

/// As JSON has it.
impl From<&Value> for serde_json::Value {
    fn from(value: &Value) -> Self {
        match value {
            Value::Switch(value) => Self::from(*value),
            Value::Number(value) => Self::from(*value),
            Value::Word(word, _) => Self::from(*word),
            Value::File(path) => Self::from(path.as_str()),
            Value::Command(words) | Value::Names(words) => Self::from(words.clone()),
            Value::Checks(all) => {
                all.iter().map(|it| (it.name.clone(), checks::as_json(it))).collect()
            }
            Value::Runs(runs) => runs.iter().map(ToString::to_string).collect(),
        }
    }
}
