//! Our rules in `permissions.allow`, laid over the hooks of the same file.
//!
//! The hooks go in first and come out last, so that each layer finds the text that it knows. A
//! rule says nothing of who wrote it: only what [`Granted`] remembers is ours to take out.

use serde::{Deserialize, Serialize};

use super::layout::{Json, Style, apply};
use super::origin::Removal;
use super::scan::{Kind, Node, scan};
use super::settings::{self, Made, Registration, SettingsError, can_go, cut};
use crate::agent::claude::permissions::{ALLOW, PERMISSIONS, RULES};

/// The rules that we added, and what their text does not show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Granted {
    rules: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    filled: Option<Filled>,
}

/// The container that was there and empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Filled {
    container: Container,
    /// The white space that was put before its closing bracket.
    closer: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Container {
    Permissions,
    Allow,
}

/// Whether the agent may call us without asking the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permit {
    /// The rules are put in where they are missing.
    Wanted,
    /// What is there stays.
    AsItIs,
}

/// A new text of a settings file, with what is to be remembered of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) text: String,
    pub(crate) made: Made,
    pub(crate) granted: Granted,
    /// Whether the hooks are other than they were.
    pub(crate) hooks: bool,
    /// Whether rules were added that were not there.
    pub(crate) rules: bool,
}

impl Granted {
    /// Whether nothing was added.
    pub(crate) fn is_none(&self) -> bool {
        self.rules.is_empty()
    }

    fn closer(&self, container: Container) -> Option<&str> {
        let filled = self.filled.as_ref().filter(|it| it.container == container);
        filled.map(|it| it.closer.as_str())
    }
}

/// Puts our hooks into a text, and our rules if they are wanted. `None` if all is there.
pub(crate) fn insert(
    text: Option<&str>,
    made: &Made,
    granted: &Granted,
    registration: &Registration,
    permit: Permit,
) -> Result<Option<Change>, SettingsError> {
    let hooks = settings::insert(text, made, registration)?;
    let missing = match permit {
        Permit::Wanted => missing(text.unwrap_or_default(), RULES)?,
        Permit::AsItIs => Vec::new(),
    };
    if hooks.is_none() && missing.is_empty() {
        return Ok(None);
    }
    // Only below our rules do the hooks find the text that they were put into.
    let (bare, withdrawn) = match text {
        Some(text) => withdraw(text, granted)?,
        None => (String::new(), Vec::new()),
    };
    let below = settings::insert(text.map(|_| bare.as_str()), made, registration)?;
    let (under, made) = below.unwrap_or_else(|| (bare, made.clone()));
    let wanted: Vec<&str> = match permit {
        Permit::Wanted => RULES.to_vec(),
        Permit::AsItIs => withdrawn.iter().map(String::as_str).collect(),
    };
    let (text, granted) = grant(&under, &wanted)?;
    Ok(Some(Change { text, made, granted, hooks: hooks.is_some(), rules: !missing.is_empty() }))
}

/// Takes everything of ours out of a text.
pub(crate) fn remove(text: &str, made: &Made, granted: &Granted) -> Result<Removal, SettingsError> {
    let (bare, withdrawn) = withdraw(text, granted)?;
    Ok(match settings::remove(&bare, made)? {
        Removal::Unchanged if !withdrawn.is_empty() => Removal::Text(bare),
        removal => removal,
    })
}

/// Those of our rules that a text has.
pub(crate) fn present(text: &str) -> Result<Vec<&'static str>, SettingsError> {
    let missing = missing(text, RULES)?;
    Ok(RULES.iter().copied().filter(|it| !missing.contains(it)).collect())
}

fn missing<'r>(text: &str, rules: &[&'r str]) -> Result<Vec<&'r str>, SettingsError> {
    let document = scan(text)?;
    let allow = document.root.as_ref().and_then(|it| it.member(PERMISSIONS));
    let allow = allow.and_then(|it| it.value.member(ALLOW));
    let known: Vec<_> = allow
        .into_iter()
        .flat_map(|it| it.value.elements())
        .filter_map(|it| it.text(text))
        .collect();
    Ok(rules.iter().copied().filter(|rule| !known.iter().any(|it| it == rule)).collect())
}

/// Adds those of the rules that are missing.
fn grant(text: &str, rules: &[&str]) -> Result<(String, Granted), SettingsError> {
    let missing = missing(text, rules)?;
    let document = scan(text)?;
    let Some(root) = document.root.as_ref().filter(|_| !missing.is_empty()) else {
        return Ok((text.to_owned(), Granted::default()));
    };
    let shape = |place: &str, expected| SettingsError::Shape { place: place.to_owned(), expected };
    let style = Style::of(text, &document);
    let list: Vec<_> = missing.iter().map(|it| Json::text(it)).collect();
    let permissions = root.member(PERMISSIONS).map(|it| &it.value);
    if permissions.is_some_and(|it| it.kind != Kind::Object) {
        return Err(shape("`permissions`", "an object"));
    }
    let allow = permissions.and_then(|it| it.member(ALLOW)).map(|it| &it.value);
    if allow.is_some_and(|it| it.kind != Kind::Array) {
        return Err(shape("`permissions.allow`", "an array"));
    }
    let (container, addition) = match (permissions, allow) {
        (_, Some(allow)) => {
            let items: Vec<_> = list.into_iter().map(|it| (None, it)).collect();
            (Container::Allow, style.append(text, allow, &items))
        }
        (Some(permissions), None) => {
            let items = [(Some(ALLOW), Json::Array(list))];
            (Container::Permissions, style.append(text, permissions, &items))
        }
        (None, None) => {
            let permissions = Json::object([(ALLOW, Json::Array(list))]);
            // The hooks are there, so that the root is not empty.
            (Container::Permissions, style.append(text, root, &[(Some(PERMISSIONS), permissions)]))
        }
    };
    let granted = Granted {
        rules: missing.into_iter().map(str::to_owned).collect(),
        filled: addition.closer.map(|closer| Filled { container, closer }),
    };
    Ok((apply(text, addition.splices), granted))
}

/// Takes out the rules that we added, and says which of them were there.
fn withdraw(text: &str, granted: &Granted) -> Result<(String, Vec<String>), SettingsError> {
    let mut bare = text.to_owned();
    let mut found = Vec::new();
    for rule in &granted.rules {
        if let Some(shorter) = withdraw_one(&bare, rule, granted)? {
            bare = shorter;
            found.push(rule.clone());
        }
    }
    Ok((bare, found))
}

/// Takes out one rule, with the containers that it leaves empty.
fn withdraw_one(
    text: &str,
    rule: &str,
    granted: &Granted,
) -> Result<Option<String>, SettingsError> {
    let document = scan(text)?;
    let Some(root) = &document.root else { return Ok(None) };
    let Some((at, permissions)) = last(root, PERMISSIONS) else { return Ok(None) };
    let Some((list, allow)) = last(permissions, ALLOW) else { return Ok(None) };
    let Some(index) = allow.elements().position(|it| it.text(text).as_deref() == Some(rule)) else {
        return Ok(None);
    };
    let closer = granted.closer(Container::Allow);
    if closer.is_some() || !can_go(&permissions.items[list], permissions) {
        return Ok(Some(cut(text, allow, index, closer)));
    }
    let closer = granted.closer(Container::Permissions);
    if closer.is_some() || !can_go(&root.items[at], root) {
        return Ok(Some(cut(text, permissions, list, closer)));
    }
    Ok(Some(cut(text, root, at, None)))
}

/// The member that counts, and where it is.
fn last<'n>(node: &'n Node, name: &str) -> Option<(usize, &'n Node)> {
    let index = node.items.iter().rposition(|it| it.is(name))?;
    Some((index, &node.items[index].value))
}
