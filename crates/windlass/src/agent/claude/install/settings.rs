//! Our entries in the text of a settings file: put in, found, taken out.
//!
//! What is put in can be taken out to the byte. Where the text alone cannot tell what was there
//! before (an empty list, an empty file), [`Made`] remembers it; without it, containers that
//! would be left empty go too.

use serde::{Deserialize, Serialize};

use super::layout::{Json, Style, apply};
use super::origin::{Origin, Removal};
use super::scan::{Document, Item, Kind, Node, ScanError, scan};
use crate::agent::claude::ours::{ARGUMENT, is_only_us};

const HOOKS: &str = "hooks";
const STATUS: &str = "statusMessage";

/// The entries that a settings file should have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Registration {
    /// The absolute path of the binary.
    pub(crate) command: String,
    pub(crate) events: Vec<Hook>,
}

/// One entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hook {
    pub(crate) event: &'static str,
    /// After how many seconds the client gives up.
    pub(crate) timeout: u32,
    /// What the client shows while it waits.
    pub(crate) status: Option<&'static str>,
    /// Which calls of tools it is for.
    pub(crate) matcher: &'static str,
}

/// What an insertion did that its text does not show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Made {
    origin: Origin,
    filled: Vec<Filled>,
}

/// A container that was there and empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Filled {
    container: Container,
    /// The white space that was put before its closing bracket.
    closer: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Container {
    Root,
    Hooks,
    Event(String),
}

/// Why a settings file cannot be edited.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SettingsError {
    #[error(transparent)]
    NotJson(#[from] ScanError),
    #[error("{place} is not {expected}")]
    Shape { place: String, expected: &'static str },
}

/// The text of a settings file.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, SettingsError> {
    str::from_utf8(bytes).map_err(|error| {
        let valid = str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        ScanError::at(valid, valid.len(), "UTF-8 text").into()
    })
}

/// Puts our entries into a text, in place of others of ours. `None` if they are there.
pub(crate) fn insert(
    text: Option<&str>,
    made: &Made,
    registration: &Registration,
) -> Result<Option<(String, Made)>, SettingsError> {
    let filled = |(text, origin)| Some((text, Made { origin, filled: Vec::new() }));
    let Some(text) = text else { return Ok(filled(Origin::create(&root(registration)))) };
    let document = scan(text)?;
    let Some(root) = &document.root else {
        return Ok(filled(Origin::fill(text, &document, &root(registration))));
    };
    check_shape(root, registration)?;
    if is_current(text, root, registration) {
        return Ok(None);
    }
    match remove(text, made)? {
        Removal::Unchanged => Ok(Some(add(text, &document, root, registration))),
        Removal::Text(bare) => insert(Some(&bare), &Made::default(), registration),
        Removal::NoFile => insert(None, &Made::default(), registration),
    }
}

/// Takes everything of ours out of a text.
pub(crate) fn remove(text: &str, made: &Made) -> Result<Removal, SettingsError> {
    let mut bare = text.to_owned();
    while let Some(shorter) = remove_one(&bare, made)? {
        bare = shorter;
    }
    if bare == text {
        return Ok(Removal::Unchanged);
    }
    made.origin.restore(bare)
}

fn root(registration: &Registration) -> Json {
    Json::object([(HOOKS, hooks(registration))])
}

fn add(
    text: &str,
    document: &Document,
    root: &Node,
    registration: &Registration,
) -> (String, Made) {
    let style = Style::of(text, document);
    let mut splices = Vec::new();
    let mut made = Made::default();
    let mut append = |container: Container, node: &Node, items: &[(Option<&str>, Json)]| {
        let addition = style.append(text, node, items);
        splices.extend(addition.splices);
        if let Some(closer) = addition.closer {
            made.filled.push(Filled { container, closer });
        }
    };
    let Some(hooks_item) = root.member(HOOKS) else {
        append(Container::Root, root, &[(Some(HOOKS), hooks(registration))]);
        return (apply(text, splices), made);
    };
    let mut missing = Vec::new();
    for hook in &registration.events {
        match hooks_item.value.member(hook.event) {
            None => missing.push((Some(hook.event), Json::Array(vec![group(registration, *hook)]))),
            Some(event) => append(
                Container::Event(hook.event.to_owned()),
                &event.value,
                &[(None, group(registration, *hook))],
            ),
        }
    }
    if !missing.is_empty() {
        append(Container::Hooks, &hooks_item.value, &missing);
    }
    (apply(text, splices), made)
}

fn hooks(registration: &Registration) -> Json {
    let event = |hook: &Hook| (hook.event, Json::Array(vec![group(registration, *hook)]));
    Json::object(registration.events.iter().map(event))
}

// Where it is for everything, the matcher changes nothing for Claude Code. Cursor reads the same
// file, and takes it for something else if no group has one.
fn group(registration: &Registration, hook: Hook) -> Json {
    let mut entry = vec![
        ("type", Json::text("command")),
        ("command", Json::text(&registration.command)),
        ("args", Json::Array(vec![Json::text(ARGUMENT)])),
        ("timeout", Json::Raw(hook.timeout.to_string())),
    ];
    entry.extend(hook.status.map(|it| (STATUS, Json::text(it))));
    let entries = Json::Array(vec![Json::object(entry)]);
    Json::object([("matcher", Json::text(hook.matcher)), (HOOKS, entries)])
}

// Only what we must write into: the rest is for its owner to mend.
fn check_shape(root: &Node, registration: &Registration) -> Result<(), SettingsError> {
    let shape = |place: &str, expected| SettingsError::Shape { place: place.to_owned(), expected };
    if root.kind != Kind::Object {
        return Err(shape("the file", "a JSON object"));
    }
    let Some(hooks) = root.member(HOOKS) else { return Ok(()) };
    if hooks.value.kind != Kind::Object {
        return Err(shape("`hooks`", "an object"));
    }
    for hook in &registration.events {
        let event = hooks.value.member(hook.event);
        if event.is_some_and(|it| it.value.kind != Kind::Array) {
            return Err(shape(&format!("`hooks.{}`", hook.event), "an array"));
        }
    }
    Ok(())
}

fn is_current(text: &str, root: &Node, registration: &Registration) -> bool {
    let wanted = registration.events.iter().all(|hook| {
        let Some(hooks) = root.member(HOOKS) else { return false };
        let Some(event) = hooks.value.member(hook.event) else { return false };
        event.value.elements().any(|group| {
            let matcher = group.member("matcher").map(|it| it.value.text(text));
            let is_matcher = matcher.flatten().as_deref() == Some(hook.matcher);
            let entries = group.member(HOOKS).into_iter().flat_map(|it| it.value.elements());
            is_matcher
                && entries.into_iter().any(|it| is_exact(text, it, &registration.command, *hook))
        })
    });
    wanted && our_entries(text, root).count() == registration.events.len()
}

fn is_exact(text: &str, entry: &Node, command: &str, hook: Hook) -> bool {
    let timeout = entry.member("timeout").map(|it| &it.value);
    is_ours(text, entry)
        && entry.member("args").is_some_and(|it| it.value.items.len() == 1)
        && entry.member("command").and_then(|it| it.value.text(text)).as_deref() == Some(command)
        && timeout.is_some_and(|it| it.literally(text, &hook.timeout.to_string()))
        && entry.member(STATUS).map(|it| it.value.text(text).unwrap_or_default()).as_deref()
            == hook.status
}

/// Whether a hook entry is ours to take out.
fn is_ours(text: &str, entry: &Node) -> bool {
    let string = |name: &str| entry.member(name).map(|it| it.value.text(text).unwrap_or_default());
    let word = |it: &Node| it.text(text).unwrap_or_default();
    let args = entry.member("args").map(|it| &it.value);
    if args.is_some_and(|it| it.kind != Kind::Array) {
        return false;
    }
    let args: Option<Vec<_>> = args.map(|it| it.elements().map(word).collect());
    is_only_us(string("type").as_deref(), &string("command").unwrap_or_default(), args.as_deref())
}

/// The way from the root to one hook entry: at each step a container and an index.
struct Route<'d> {
    root: &'d Node,
    hooks: usize,
    event: usize,
    group: usize,
    list: usize,
    entry: usize,
}

fn our_entries<'d>(text: &'d str, root: &'d Node) -> impl Iterator<Item = Route<'d>> {
    let lists = |node: &'d Node, kind: Kind, name: &'static str| {
        let fits = move |it: &Item| it.value.kind == kind && it.is(name);
        (0..node.items.len()).filter(move |at| fits(&node.items[*at]))
    };
    lists(root, Kind::Object, HOOKS).flat_map(move |hooks| {
        let hooks_node = &root.items[hooks].value;
        (0..hooks_node.items.len()).flat_map(move |event| {
            let groups = &hooks_node.items[event].value;
            (0..groups.items.len()).flat_map(move |group| {
                let group_node = &groups.items[group].value;
                lists(group_node, Kind::Array, HOOKS).flat_map(move |list| {
                    let entries = &group_node.items[list].value.items;
                    (0..entries.len())
                        .filter(move |entry| is_ours(text, &entries[*entry].value))
                        .map(move |entry| Route { root, hooks, event, group, list, entry })
                })
            })
        })
    })
}

/// Takes out one entry, with the containers that it leaves empty.
fn remove_one(text: &str, made: &Made) -> Result<Option<String>, SettingsError> {
    let document = scan(text)?;
    let Some(root) = &document.root else { return Ok(None) };
    let Some(route) = our_entries(text, root).next() else { return Ok(None) };
    let (container, index, filled) = route.target(made);
    Ok(Some(cut(text, container, index, filled.map(|it| it.closer.as_str()))))
}

impl<'d> Route<'d> {
    /// What to take out of which container, and what is known of that container.
    fn target<'m>(&self, made: &'m Made) -> (&'d Node, usize, Option<&'m Filled>) {
        let hooks = &self.root.items[self.hooks];
        let event = &hooks.value.items[self.event];
        let group = &event.value.items[self.group].value;
        let lists = group.items.iter().filter(|it| it.is(HOOKS));
        if lists.map(|it| it.value.items.len()).sum::<usize>() > 1 {
            return (&group.items[self.list].value, self.entry, None);
        }
        let filled = made.filled(&Container::Event(event.key.clone().unwrap_or_default()));
        if filled.is_some() || !can_go(event, &hooks.value) {
            return (&event.value, self.group, filled);
        }
        let filled = made.filled(&Container::Hooks);
        if filled.is_some() || !can_go(hooks, self.root) {
            return (&hooks.value, self.event, filled);
        }
        (self.root, self.hooks, made.filled(&Container::Root))
    }
}

impl Made {
    fn filled(&self, container: &Container) -> Option<&Filled> {
        self.filled.iter().find(|it| it.container == *container)
    }
}

/// Whether a member goes with the last of its items. One that hides another of its name must
/// stay: the client would find the other one.
pub(super) fn can_go(member: &Item, object: &Node) -> bool {
    let names = object.items.iter().filter(|it| it.key == member.key);
    member.value.items.len() == 1 && names.count() == 1
}

/// Cuts an item out of a container: the exact inverse of appending it. The closer is what was put
/// before the bracket of one that was empty.
pub(super) fn cut(text: &str, container: &Node, index: usize, closer: Option<&str>) -> String {
    let item = &container.items[index];
    let end = item.comma.map_or(item.end(), |it| it + 1);
    let (mut head, mut tail) = (text[..item.before].to_owned(), &text[end..]);
    if container.items.len() == 1 {
        let inside = &text[container.start + 1..item.before];
        let rest = &text[end..container.end - 1];
        tail = match closer {
            Some(closer) => tail.strip_prefix(closer).unwrap_or(tail),
            None if inside.is_empty() && rest.trim().is_empty() => &text[container.end - 1..],
            None => tail,
        };
    } else if let Some(comma) = index.checked_sub(1).and_then(|it| container.items[it].comma)
        && item.comma.is_none()
    {
        // The comma before the last item came with it, unless the list ends with a comma anyway.
        head.remove(comma);
    }
    // Others may have put something into the line behind ours; it must not become a comment.
    if item.after_line_comment && !tail.starts_with(['\n', '\r']) {
        let gap = &text[item.before..];
        head.push_str(if gap.starts_with("\r\n") { "\r\n" } else { &gap[..1] });
    }
    head + tail
}
