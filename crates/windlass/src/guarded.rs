//! Files of windlass that an agent has no business with: our settings, our data, our hooks in the
//! settings of the client, the program. What an agent does to them is told at its stop.

use std::path::{Path, PathBuf};

use windlass_core::evidence::{Writes, writes};
use windlass_core::{Event, Kind};

use crate::agent::claude::home;
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
struct Guarded {
    home: Option<PathBuf>,
    places: Vec<PathBuf>,
    program: Option<PathBuf>,
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
        // Whatever changed before is not the work of this turn.
        steering::changed(host, root, event.at, || None);
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
    for path in changed {
        let file = guarded.shown(&path);
        // Told with the command or the edit that named it.
        if !told.iter().any(|it| it.contains(&file)) {
            told.push(format!("windlass: {file} changed while the agent worked. {NEXT}"));
        }
    }
    let more = told.len().saturating_sub(TOLD);
    told.truncate(TOLD);
    told.extend((more > 0).then(|| format!("windlass: {more} more acts on files of windlass.")));
    Ok(told)
}

impl Guarded {
    fn of(host: &Host, root: Option<&str>) -> Self {
        let client = home::directory(host);
        let settings = ["settings.json", "settings.local.json"];
        let settings = settings.iter().filter_map(|it| Some(client.as_ref()?.join(it)));
        let names = [".windlass.toml", ".claude/settings.json", ".claude/settings.local.json"];
        let project = names.iter().filter_map(|it| Some(Path::new(root?).join(it)));
        let state = host.home().map(|it| it.join(".claude.json"));
        let settings = settings.chain(project).chain(state);
        let own = [host.config_dir(), host.data_dir()].into_iter().flatten();
        let home = host.home();
        let program = home.as_ref().map(|it| it.join(".local/bin/windlass"));
        Self { places: own.chain(settings).collect(), home, program }
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
            AgentAct::Command { line } if REMOVALS.iter().any(|it| line.contains(it)) => {
                let line = visible::line(line, 120);
                Some(format!("windlass: the agent took windlass out with `{line}`. {NEXT}"))
            }
            AgentAct::Command { line } => {
                let names = |it: &&PathBuf| self.is_named(line, it);
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

    /// Whether a command line names a place: from the root, from the home directory, or by the end of
    /// its path.
    fn is_named(&self, line: &str, place: &Path) -> bool {
        let whole = place.to_str();
        let below = self.home.as_deref().and_then(|it| place.strip_prefix(it).ok()?.to_str());
        let own = below.or(whole).is_some_and(|it| line.contains(it));
        let is_ours = place.ends_with("windlass") && Some(place) != self.program.as_deref();
        own || is_ours && INSIDE.iter().any(|it| line.contains(it))
    }

    fn shown(&self, path: &Path) -> String {
        let below = self.home.as_deref().and_then(|it| path.strip_prefix(it).ok());
        let text =
            below.map_or_else(|| path.display().to_string(), |it| format!("~/{}", it.display()));
        visible::line(&text, 200)
    }
}

const NEXT: &str = "Look at it; `windlass doctor` shows what is off.";

/// Commands of the client that take us out of it.
const REMOVALS: &[&str] = &[
    "claude mcp remove windlass",
    "claude mcp remove -s user windlass",
    "claude mcp remove --scope user windlass",
    "claude plugin uninstall windlass",
    "claude plugin disable windlass",
];

/// What stands in our directories, for who went there first.
const INSIDE: &[&str] =
    &["windlass/config.toml", "windlass/switches", "windlass/trust", "windlass/store.db"];

#[cfg(test)]
mod tests {
    use super::{AgentAct, Guarded};
    use std::path::PathBuf;

    fn told(act: &AgentAct) -> Option<String> {
        let places = [
            "/h/.config/windlass",
            "/h/.local/share/windlass",
            "/h/.claude/settings.json",
            "/srv/data/windlass",
        ];
        let guarded = Guarded {
            home: Some(PathBuf::from("/h")),
            places: places.iter().map(PathBuf::from).collect(),
            program: Some(PathBuf::from("/h/.local/bin/windlass")),
        };
        guarded.sentence(act)
    }

    #[test]
    fn edits_of_our_files_are_told_and_others_are_not() {
        for (file, expected) in [
            ("/h/.config/windlass/config.toml", Some("~/.config/windlass/config.toml")),
            ("/h/.local/share/windlass/switches/a.json", Some("switches/a.json")),
            ("/h/.claude/settings.json", Some("~/.claude/settings.json")),
            ("/h/.local/bin/windlass", Some("~/.local/bin/windlass")),
            ("/srv/data/windlass/store.db", Some("/srv/data/windlass/store.db")),
            ("/h/p/.claude/settings.json", None),
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
}
