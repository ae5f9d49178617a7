//! Files of windlass that an agent has no business with: our settings, our data, our hooks in the
//! settings of the client, the program. What an agent does to them is told at its stop.

use std::path::{Component, Path, PathBuf};

use windlass_core::evidence::{Pattern, RunKind, Writes, recognise, writes};
use windlass_core::{Event, Kind, Timestamp};

use crate::agent::claude::home;
use crate::journal::Body;
use crate::learn::is_beginning;
use crate::store::{StoreError, Turn};
use crate::{Host, steering, visible};

/// Sentences that are told at one stop.
const TOLD: usize = 3;

/// Something that an agent did since its last stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AgentAct {
    Edit { file: String },
    Command { line: String },
}

/// Where our files are.
pub(crate) struct Guarded {
    home: Option<PathBuf>,
    /// Where relative names begin, as far as is known.
    root: Option<PathBuf>,
    /// Those of the project first.
    places: Vec<PathBuf>,
    program: Option<PathBuf>,
}

/// Words of which each of our files has one in its name, in the home directory or in a project.
pub(crate) const OUR_NAMES: [&str; 3] = ["windlass", "settings", ".claude.json"];

/// Whether a command line may be about one of our files.
fn may_name_ours(line: &str, places: &[PathBuf]) -> bool {
    let is_in = |it: &PathBuf| it.to_str().is_some_and(|it| line.contains(it));
    OUR_NAMES.iter().any(|it| line.contains(it)) || places.iter().any(is_in)
}

/// What the agent did to our files since its last stop, in sentences.
pub(crate) fn acts_on_ours(
    host: &Host,
    turn: &Turn<'_>,
    event: &Event,
    (id, root): (i64, Option<&str>),
) -> Result<Vec<String>, StoreError> {
    let is_begin = matches!(event.kind, Kind::SessionStart { .. } | Kind::Prompt { .. });
    if is_begin && event.agent.is_none() {
        return changes_before(host, turn, event, (id, root));
    }
    if !matches!(event.kind, Kind::Stop(_)) {
        return Ok(Vec::new());
    }
    let since = || turn.prompt_time(event, id).ok().flatten();
    let changed = steering::changed(host, root, event.at, since);
    let acts = turn.acts_since_stop(event, id)?;
    if acts.is_empty() && changed.is_empty() {
        return Ok(Vec::new());
    }
    let guarded = Guarded::of(host, root);
    let mut told: Vec<String> = Vec::new();
    for act in acts {
        if let Some(sentence) = guarded.sentence(&act)
            && !told.contains(&sentence)
        {
            told.push(sentence);
        }
    }
    // Acts on files that steer us come first: others cannot hide them.
    let changed: Vec<String> = changed.iter().map(|it| guarded.shown(it)).collect();
    told.sort_by_key(|it| !changed.iter().any(|file| it.contains(file)));
    let more = told.len().saturating_sub(TOLD);
    told.truncate(TOLD);
    // A file that an act names is told with it.
    let is_alone = |it: &&String| !told.iter().any(|sentence| sentence.contains(it.as_str()));
    let alone: Vec<String> = changed.iter().filter(is_alone).cloned().collect();
    told.extend(sentence_of_files(&alone, "changed while the agent worked"));
    told.extend((more > 0).then(|| format!("windlass: {more} more acts on files of windlass.")));
    Ok(told)
}

/// What changed since the last event at which files were compared: in a turn that never came to a
/// stop, after a stop, or between two sessions.
fn changes_before(
    host: &Host,
    turn: &Turn<'_>,
    event: &Event,
    (id, root): (i64, Option<&str>),
) -> Result<Vec<String>, StoreError> {
    let changed = steering::changed(host, root, event.at, || Some(Timestamp(i64::MAX)));
    let is_beginning = is_beginning(event);
    let earlier = if is_beginning { steering::untold(host, root) } else { Vec::new() };
    if changed.is_empty() && earlier.is_empty() {
        return Ok(Vec::new());
    }
    let guarded = Guarded::of(host, root);
    let shown =
        |all: &[PathBuf]| -> Vec<String> { all.iter().map(|it| guarded.shown(it)).collect() };
    let turns = turn.open_turns(event, id)?;
    let (in_turn, mut others): (Vec<_>, Vec<_>) =
        changed.into_iter().partition(|it| is_in_turn(it, &turns));
    let mut told: Vec<String> = Vec::new();
    told.extend(sentence_of_files(&shown(&in_turn), UNSTOPPED));
    if is_beginning {
        others.extend(earlier.into_iter().filter(|it| !in_turn.contains(it)));
        others.sort();
        others.dedup();
        told.extend(sentence_of_files(&shown(&others), "changed since the last session began"));
        // Until the answer is out.
        steering::keep_untold(host, &[in_turn, others].concat());
        return Ok(told);
    }
    // A command that goes on in the background writes when it likes.
    let acts = if others.is_empty() { Vec::new() } else { turn.acts_of_session(event, id)? };
    let late = |path: &PathBuf| acts.iter().find_map(|it| guarded.late_sentence(path, it));
    others.retain(|path| match late(path) {
        Some(sentence) => {
            told.push(sentence);
            false
        }
        None => true,
    });
    // The user may have done it: it is no matter of this turn.
    steering::keep_untold(host, &others);
    Ok(told)
}

/// Whether a file was written in a turn that never came to a stop. Nothing shows when one that is gone
/// went.
fn is_in_turn(path: &Path, turns: &[(Timestamp, Timestamp)]) -> bool {
    steering::written_at(path).is_some_and(|at| turns.iter().any(|it| it.0 <= at && at <= it.1))
}

/// One sentence for all of them: none hides another.
fn sentence_of_files(files: &[String], what: &str) -> Option<String> {
    let next = if files.len() > 1 { NEXT_MANY } else { NEXT };
    (!files.is_empty()).then(|| format!("windlass: {} {what}. {next}", files.join(", ")))
}

const UNSTOPPED: &str = "changed while the agent worked, in a turn that did not end with a stop";

impl Guarded {
    pub(crate) fn of(host: &Host, root: Option<&str>) -> Self {
        let client = home::directory(host);
        let settings = ["settings.json", "settings.local.json"];
        let settings = settings.iter().filter_map(|it| Some(client.as_ref()?.join(it)));
        let names = [".windlass.toml", ".claude/settings.json", ".claude/settings.local.json"];
        let project = names.iter().filter_map(|it| Some(Path::new(root?).join(it)));
        let state = host.home().map(|it| it.join(".claude.json"));
        let own = [host.config_dir(), host.data_dir()].into_iter().flatten();
        let home = host.home();
        let program = home.as_ref().map(|it| it.join(".local/bin/windlass"));
        let places = project.chain(own).chain(settings).chain(state).collect();
        Self { places, home, root: root.map(PathBuf::from), program }
    }

    /// Whether a call did something to our files that is told at the next stop.
    pub(crate) fn is_touched_by(&self, call: &Body<'_>) -> bool {
        let edits = call.files.iter().filter(|_| call.is_edit());
        let edits = edits.map(|it| AgentAct::Edit { file: it.to_string() });
        let command = call.command.as_deref().filter(|it| may_name_ours(it, &self.places));
        let command = command.map(|it| AgentAct::Command { line: it.to_owned() });
        edits.chain(command).any(|it| self.sentence(&it).is_some())
    }

    fn sentence(&self, act: &AgentAct) -> Option<String> {
        match act {
            AgentAct::Edit { file } => {
                let path = Path::new(file);
                let mut all = self.places.iter().chain(&self.program);
                all.any(|it| path.starts_with(it)).then(|| {
                    let file = self.shown(path);
                    format!("windlass: the agent changed {file}. {NEXT}")
                })
            }
            AgentAct::Command { line } if takes_us_out(line) => {
                let line = visible::line(line, 120);
                Some(format!("windlass: the agent took windlass out with `{line}`. {NEXT}"))
            }
            AgentAct::Command { line } => {
                let paths = self.named(line);
                let names = |it: &&PathBuf| paths.iter().any(|path| path.starts_with(it));
                let place = self.places.iter().find(names);
                let program = self.program.iter().find(names);
                let verb = match (place, program, writes(line, &[])) {
                    (_, _, Writes::No) | (None, None, _) => return None,
                    (_, _, Writes::Yes | Writes::Form) => "changed",
                    (Some(_), _, Writes::Maybe) => "may have changed",
                    // It is called by this name.
                    (None, Some(_), Writes::Maybe) => return None,
                };
                let place = self.shown(place.or(program)?);
                let line = visible::line(line, 120);
                Some(format!("windlass: the agent {verb} {place} with `{line}`. {NEXT}"))
            }
        }
    }

    /// What is said of a file that changed after a turn in which a command named it.
    fn late_sentence(&self, path: &Path, act: &AgentAct) -> Option<String> {
        let AgentAct::Command { line } = act else { return None };
        let may_write = writes(line, &[]) != Writes::No || goes_on_behind(line);
        (may_write && self.named(line).iter().any(|it| it == path)).then(|| {
            let (file, line) = (self.shown(path), visible::line(line, 120));
            format!(
                "windlass: {file} changed after the agent stopped; the agent had run `{line}`. {NEXT}"
            )
        })
    }

    /// The paths that a command line names, as far as they can be told: from the root, from the home
    /// directory, from where it goes first, or from the project.
    fn named(&self, line: &str) -> Vec<PathBuf> {
        // `"$HOME"/.config` is one word.
        let line = line.replace(['"', '\''], "");
        let is_end = |it: char| it.is_whitespace() || "(,=<>;&|`".contains(it);
        let words = line.split(is_end).map(|it| it.trim_matches(['{', '}', '[', ']']));
        let words = words.map(|it| it.trim_end_matches([')', '.']));
        let words: Vec<&str> = words.filter(|it| !it.is_empty()).collect();
        let mut bases: Vec<PathBuf> = Vec::new();
        for (at, word) in words.iter().enumerate() {
            if matches!(*word, "cd" | "pushd") {
                let to = words.get(at + 1).copied().unwrap_or("~");
                bases.extend(self.resolved(to, self.root.as_slice()));
            }
        }
        if bases.is_empty() {
            bases.extend(self.root.clone());
        }
        if HOME_WORDS.iter().any(|it| line.contains(it)) {
            bases.extend(self.home.clone());
        }
        words.iter().flat_map(|it| self.resolved(it, &bases)).collect()
    }

    /// What a word may be the path of.
    fn resolved(&self, word: &str, bases: &[PathBuf]) -> Vec<PathBuf> {
        for home in ["~", "$HOME", "${HOME}"] {
            if let Some(rest) = word.strip_prefix(home)
                && (rest.is_empty() || rest.starts_with('/'))
            {
                let home = self.home.iter();
                return home.map(|it| plain(&it.join(rest.trim_start_matches('/')))).collect();
            }
        }
        if word.starts_with('/') {
            return vec![plain(Path::new(word))];
        }
        // `$PWD/x`, `$(git rev-parse --show-toplevel)/x`: mostly the project, or our directory.
        let open = if word.starts_with('$') { word.split_once('/') } else { word.split_once(")/") };
        let Some((_, rest)) = open else {
            return bases.iter().map(|it| plain(&it.join(word))).collect();
        };
        let is_ours = |it: &&PathBuf| it.ends_with("windlass");
        let inside = INSIDE.iter().find_map(|it| rest.find(it).map(|at| &rest[at..]));
        let inside = inside.and_then(|it| it.strip_prefix("windlass/"));
        let ours = self.places.iter().filter(is_ours).filter_map(|it| Some(it.join(inside?)));
        self.root.iter().map(|it| plain(&it.join(rest))).chain(ours).collect()
    }

    fn shown(&self, path: &Path) -> String {
        let below = self.home.as_deref().and_then(|it| path.strip_prefix(it).ok());
        let text =
            below.map_or_else(|| path.display().to_string(), |it| format!("~/{}", it.display()));
        visible::line(&text, 200)
    }
}

const NEXT: &str = "Look at it; `windlass doctor` shows what is off.";
const NEXT_MANY: &str = "Look at them; `windlass doctor` shows what is off.";

/// Commands of the client that take something out of it.
const REMOVALS: &[[&str; 3]] = &[
    ["claude", "mcp", "remove"],
    ["claude", "plugin", "uninstall"],
    ["claude", "plugin", "disable"],
];

/// Whether a command of a line takes us out of the client. A line that only looks for such a command
/// does not.
fn takes_us_out(line: &str) -> bool {
    if !line.contains("claude") || !line.contains("windlass") {
        return false;
    }
    // Found as what it is behind everything that may stand before a command.
    let pattern = |it: &[&str; 3]| Pattern {
        kind: RunKind::Build,
        words: it.iter().copied().chain(["*"]).map(str::to_owned).collect(),
    };
    let patterns: Vec<Pattern> = REMOVALS.iter().map(pattern).collect();
    let is_ours = |it: &str| it == "windlass" || it.starts_with("windlass@");
    let takes = |command: &str| {
        let words: Vec<&str> = command.split_whitespace().collect();
        let is_removal = REMOVALS.iter().any(|it| words.starts_with(it));
        is_removal && words.iter().any(|it| is_ours(it))
    };
    recognise(line, &patterns).iter().any(|it| takes(&it.command))
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(whole.pop()),
            part => whole.push(part),
        }
    }
    whole
}

/// Words with which a program asks for the home directory.
const HOME_WORDS: &[&str] = &["home()", "homedir()", "expanduser", "environ"];

/// What stands in our directories, for who has their place in a variable.
const INSIDE: &[&str] =
    &["windlass/config.toml", "windlass/switches", "windlass/trust", "windlass/store.db"];

/// Whether a part of a line runs in the background: `&` that is no part of `&&` or `2>&1`.
fn goes_on_behind(line: &str) -> bool {
    let bytes = line.as_bytes();
    let is_part =
        |at: Option<usize>| at.and_then(|it| bytes.get(it)).is_some_and(|it| b"&>".contains(it));
    let signs = (0..bytes.len()).filter(|it| bytes[*it] == b'&');
    signs.into_iter().any(|it| !is_part(it.checked_sub(1)) && !is_part(Some(it + 1)))
}

#[cfg(test)]
mod tests {
    use super::{AgentAct, Guarded};
    use std::path::PathBuf;

    fn told(act: &AgentAct) -> Option<String> {
        let places = [
            "/h/p/.windlass.toml",
            "/h/p/.claude/settings.json",
            "/h/.config/windlass",
            "/h/.local/share/windlass",
            "/h/.claude/settings.json",
            "/srv/data/windlass",
        ];
        let guarded = Guarded {
            home: Some(PathBuf::from("/h")),
            root: Some(PathBuf::from("/h/p")),
            places: places.iter().map(PathBuf::from).collect(),
            program: Some(PathBuf::from("/h/.local/bin/windlass")),
        };
        guarded.sentence(act)
    }

    #[test]
    fn a_part_in_the_background_is_told_from_a_chain() {
        for (line, is_behind) in [
            ("(sleep 1; cp a b) &", true),
            ("sleep 1 & cat a", true),
            ("cat a && ls", false),
            ("cat a 2>&1", false),
            ("cat a &> b", false),
        ] {
            assert_eq!(super::goes_on_behind(line), is_behind, "{line}");
        }
    }

    #[test]
    fn edits_of_our_files_are_told_and_others_are_not() {
        for (file, expected) in [
            ("/h/.config/windlass/config.toml", Some("~/.config/windlass/config.toml")),
            ("/h/.local/share/windlass/switches/a.json", Some("switches/a.json")),
            ("/h/.claude/settings.json", Some("~/.claude/settings.json")),
            ("/h/.local/bin/windlass", Some("~/.local/bin/windlass")),
            ("/srv/data/windlass/store.db", Some("/srv/data/windlass/store.db")),
            ("/h/p/.claude/settings.json", Some("~/p/.claude/settings.json")),
            ("/h/q/.claude/settings.json", None),
            ("/h/.config/windlass2/config.toml", None),
            ("/h/p/windlass/config.toml", None),
        ] {
            let said = told(&AgentAct::Edit { file: file.to_owned() });
            assert_eq!(said.is_some(), expected.is_some(), "{file}: {said:?}");
            let is_named = said.is_none_or(|it| it.contains(expected.unwrap_or_default()));
            assert!(is_named, "{file}");
        }
    }

    #[test]
    fn commands_that_may_change_our_files_are_told() {
        for (line, expected) in [
            ("sed -i s/a/b/ ~/.config/windlass/config.toml", Some("changed")),
            ("rm -rf $HOME/.local/share/windlass/trust", Some("changed")),
            ("echo x > /h/.config/windlass/config.toml", Some("changed")),
            ("cd ~/.config && sed -i s/a/b/ windlass/config.toml", Some("changed")),
            ("python3 -c \"open('/h/.claude/settings.json','w')\"", Some("may have changed")),
            ("cp x ~/.local/bin/windlass", Some("changed")),
            (
                "(sleep 1; printf x > /h/.config/windlass/config.toml) >/dev/null 2>&1 &",
                Some("changed"),
            ),
            ("(sleep 1; rm ~/.config/windlass/config.toml) &", Some("changed")),
            ("cat ~/.config/windlass/config.toml", None),
            ("~/.local/bin/windlass recall cache", None),
            ("windlass doctor", None),
            ("sed -i s/a/b/ src/main.rs", None),
        ] {
            let said = told(&AgentAct::Command { line: line.to_owned() });
            assert_eq!(said.is_some(), expected.is_some(), "{line}: {said:?}");
            assert!(said.is_none_or(|it| it.contains(expected.unwrap_or_default())), "{line}");
        }
    }

    #[test]
    fn the_file_that_a_command_names_is_told_and_no_other() {
        for (line, expected) in [
            ("sed -i s/a/b/ .claude/settings.json", Some("~/p/.claude/settings.json")),
            ("sed -i s/a/b/ ./.claude/settings.json", Some("~/p/.claude/settings.json")),
            ("sed -i s/a/b/ $PWD/.claude/settings.json", Some("~/p/.claude/settings.json")),
            ("sed -i s/a/b/ ~/.claude/settings.json", Some("~/.claude/settings.json")),
            ("sed -i s/a/b/ \"$HOME\"/.claude/settings.json", Some("~/.claude/settings.json")),
            ("cd ~ && sed -i s/a/b/ .claude/settings.json", Some("~/.claude/settings.json")),
            ("sed -i s/a/b/ ../.config/windlass/config.toml", Some("~/.config/windlass")),
            ("rm $XDG_CONFIG_HOME/windlass/config.toml", Some("~/.config/windlass")),
            ("rm -f .windlass.toml", Some("~/p/.windlass.toml")),
            ("sed -i s/a/b/ dotfiles/.config/windlass/config.toml", None),
            ("sed -i s/a/b/ web/.claude/settings.json", None),
            ("rm ~/.config/windlass2/config.toml", None),
            ("cp .claude/settings.json.bak x", None),
        ] {
            let said = told(&AgentAct::Command { line: line.to_owned() });
            assert_eq!(said.is_some(), expected.is_some(), "{line}: {said:?}");
            let place = format!("changed {} with", expected.unwrap_or_default());
            assert!(said.is_none_or(|it| it.contains(&place)), "{line}");
        }
    }

    #[test]
    fn a_command_that_takes_us_out_is_told_and_one_that_looks_for_it_is_not() {
        for (line, is_told) in [
            ("claude mcp remove windlass", true),
            ("cd x && claude mcp remove --scope user windlass", true),
            ("bash -c 'claude plugin uninstall windlass@market'", true),
            ("claude mcp remove other", false),
            ("grep -rn \"claude mcp remove windlass\" docs/", false),
            ("echo 'run claude plugin disable windlass'", false),
        ] {
            let said = told(&AgentAct::Command { line: line.to_owned() });
            let is_out = said.as_ref().is_some_and(|it| it.contains("took windlass out"));
            assert_eq!(is_out, is_told, "{line}: {said:?}");
        }
    }
}
