//! Whether the client is told to call us on every event that we want, and as we want it.

use std::collections::BTreeMap;
use std::path::Path;

use super::installation::Installation;
use super::{Finding, listed};
use crate::agent::claude::EventName;
use crate::agent::claude::install::settings::{self, Hook, Made};
use crate::agent::claude::registered::{Entry, Source};
use crate::plain::{self, Follow};

/// More than any settings file has.
const MAX_FILE: u64 = 8 << 20;

/// Compares what is registered with what `init` would register.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    // A file that cannot be read may say anything; a client without events is told elsewhere.
    if it.home.is_none() || it.is_unreadable_here() || !it.knows_events {
        return Vec::new();
    }
    let here: Vec<_> = it.entries_here().collect();
    let mut findings = match here.first() {
        Some(first) => outdated(it, &here, &first.source),
        None => vec![absent(it)],
    };
    findings.extend(outdated_elsewhere(it));
    findings
}

fn absent(it: &Installation<'_>) -> Finding {
    let why = "the client calls it on no event";
    if it.entries.is_empty() {
        let found = "windlass is not registered with Claude Code.".to_owned();
        return Finding::fault(found, why, "run `windlass init`".to_owned());
    }
    let mut projects: Vec<_> =
        it.entries.iter().filter_map(|it| it.source.project.as_deref()).collect();
    projects.dedup();
    let projects: Vec<_> = projects.iter().map(|it| it.display().to_string()).collect();
    let found = format!("windlass is registered for {}, and not here.", listed(&projects));
    let next = "run `windlass init --project` here, or `windlass init` for all projects";
    Finding::note(found, "the client calls it on no event of this project", next.to_owned())
}

/// What is missing, other than wanted, or wanted no longer, in the project that the user stands in.
fn outdated(it: &Installation<'_>, here: &[&Entry], first: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut missing = Vec::new();
    let mut other: BTreeMap<&Path, (&Source, Vec<String>)> = BTreeMap::new();
    for hook in &it.wanted.events {
        let mut found = here.iter().filter(|it| it.event == hook.event).peekable();
        let Some(entry) = found.peek() else {
            missing.push(hook.event);
            continue;
        };
        let (source, difference) = (&entry.source, differences(entry, *hook));
        if found.all(|it| !differences(it, *hook).is_empty()) {
            let list = &mut other.entry(&source.path).or_insert_with(|| (source, Vec::new())).1;
            list.push(format!("{} {}", hook.event, listed(&difference)));
        }
    }
    let known = EventName::PreToolUse.as_str();
    let (briefed, missing): (Vec<_>, Vec<_>) = missing.into_iter().partition(|it| *it == known);
    let no_hook =
        |events: &[&str]| format!("{} has no hook for {}.", first.path.display(), listed(events));
    if !missing.is_empty() {
        let why = "what happens there is neither seen nor recorded";
        findings.push(Finding::fault(no_hook(&missing), why, first.renewal()));
    }
    if !briefed.is_empty() {
        let why = "something is known about files or commands now, and is not told before they \
                   are touched";
        findings.push(Finding::warning(no_hook(&briefed), why, first.renewal()));
    }
    for (path, (source, wrong)) in other {
        let found = format!("{} registers {}.", path.display(), listed(&wrong));
        let why = "the client would not wait, not call us, or call us otherwise than was tested";
        findings.push(Finding::warning(found, why, source.renewal()));
    }
    findings.extend(needless(it, here));
    findings
}

fn needless(it: &Installation<'_>, here: &[&Entry]) -> Vec<Finding> {
    let mut files: BTreeMap<&Path, (&Source, Vec<&str>)> = BTreeMap::new();
    let is_wanted = |event: &str| it.wanted.events.iter().any(|hook| hook.event == event);
    for entry in here.iter().filter(|it| !is_wanted(&it.event)) {
        let events =
            &mut files.entry(&entry.source.path).or_insert_with(|| (&entry.source, Vec::new())).1;
        events.push(&entry.event);
    }
    let finding = |(path, (source, events)): (&Path, (&Source, Vec<&str>))| {
        // Wanted only where something is known to tell.
        let is_idle = |event: &&str| *event == EventName::PreToolUse.as_str() && !it.has_keys;
        let (idle, other): (Vec<_>, Vec<_>) = events.into_iter().partition(is_idle);
        let unknown = "nothing is known for sure about a file or a command now, and it costs a \
                       process each time";
        let unwanted = "this version does not want it from this client, and it costs a process";
        let told = |(events, why): (Vec<&str>, &'static str)| {
            let found = format!("{} has a hook for {}.", path.display(), listed(&events));
            (!events.is_empty()).then(|| Finding::warning(found, why, source.renewal()))
        };
        [(idle, unknown), (other, unwanted)].into_iter().filter_map(told).collect::<Vec<_>>()
    };
    files.into_iter().flat_map(finding).collect()
}

/// How an entry differs from the one that `init` would write, apart from the program.
fn differences(entry: &Entry, hook: Hook) -> Vec<String> {
    let mut found = Vec::new();
    if entry.args.as_deref() != Some(&["hook".to_owned()]) {
        found.push(format!("as `{}`", entry.line()));
    }
    match entry.timeout {
        Some(seconds) if (seconds - f64::from(hook.timeout)).abs() < f64::EPSILON => {}
        Some(seconds) => found.push(format!("for {seconds} s instead of {} s", hook.timeout)),
        None => found.push(format!("without a limit of {} s", hook.timeout)),
    }
    if entry.is_async {
        found.push("without waiting for the answer".to_owned());
    }
    if let Some(condition) = &entry.condition {
        found.push(format!("only if `{condition}`"));
    }
    let matcher = entry.matcher.as_deref().filter(|it| !matches!(*it, "" | "*" | ".*"));
    match matcher {
        Some(matcher) if matcher != hook.matcher => found.push(format!("only for `{matcher}`")),
        None if hook.matcher != "*" => found.push("for every tool".to_owned()),
        Some(_) | None => {}
    }
    found
}

/// Files of other projects that `init` would change.
fn outdated_elsewhere(it: &Installation<'_>) -> Vec<Finding> {
    let here = it.project.as_deref();
    let elsewhere = it.layers.iter().map(|it| &it.source).filter(|it| !it.is_for(here));
    let is_outdated = |source: &&Source| {
        let bytes =
            plain::read(&source.path, Follow::Anywhere, MAX_FILE).ok().flatten().map(|it| it.bytes);
        let text = bytes.and_then(|it| String::from_utf8(it).ok());
        let change = text.map(|text| settings::insert(Some(&text), &Made::default(), &it.wanted));
        matches!(change, Some(Ok(Some(_))))
    };
    let finding = |source: &Source| {
        let found = format!("{} is not what `init` would write.", source.path.display());
        let why = "in that project hooks are missing, or other than this version wants them";
        Finding::warning(found, why, source.renewal())
    };
    elsewhere.filter(is_outdated).map(finding).collect()
}
