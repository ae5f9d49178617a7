//! The settings files of the client, and what stands in them.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::entry::Entry;
use super::plugin;
use crate::Host;
use crate::agent::claude::install::scan::scan;
use crate::agent::claude::{home, switches};
use crate::plain::{self, Follow, PlainError};
use crate::shell::quoted;

/// More than any settings file has.
const MAX_FILE: u64 = 8 << 20;

/// Where a project has its settings, and where the user has those for a project.
const PROJECT: &str = ".claude/settings.json";
const LOCAL: &str = ".claude/settings.local.json";

/// Whose words a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// The user's, for all projects.
    User,
    /// A project's, for everybody who works on it.
    Project,
    /// The user's, for one project.
    Local,
    /// A plugin's.
    Plugin,
    /// An administrator's.
    Managed,
}

/// A file in which hooks can be registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) origin: Origin,
    pub(crate) path: PathBuf,
    /// The root of the project that it is for; `None` where it is for all.
    pub(crate) project: Option<PathBuf>,
    /// The plugin that brought it.
    pub(crate) plugin: Option<Plugin>,
}

/// A plugin that the client loads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plugin {
    /// Its name and its marketplace.
    pub(crate) id: String,
    pub(crate) root: PathBuf,
}

/// A file that is there.
#[derive(Debug)]
pub(crate) struct Layer {
    pub(crate) source: Source,
    pub(crate) content: Result<Map<String, Value>, LayerError>,
}

/// Why the client makes nothing of a file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LayerError {
    #[error(transparent)]
    Plain(#[from] PlainError),
    #[error("it is not UTF-8 text")]
    NotText,
    #[error("it is not JSON")]
    NotJson(#[source] serde_json::Error),
    // Seen with 2.1.197 and 2.1.325: nothing of such a file is in effect.
    #[error("it has a comment or a comma too many, which Claude Code does not take")]
    Lenient(#[source] serde_json::Error),
    #[error("{place} is not an object")]
    Shape { place: &'static str },
}

impl Source {
    fn new(origin: Origin, path: PathBuf, project: Option<&Path>) -> Self {
        Self { origin, path, project: project.map(Path::to_owned), plugin: None }
    }

    /// What brings the file up to date.
    pub(crate) fn renewal(&self) -> String {
        match (self.origin, &self.plugin) {
            (Origin::User, _) => "run `windlass init` again".to_owned(),
            (Origin::Local | Origin::Project, _) => {
                let project = quoted(self.project.as_deref().unwrap_or(Path::new(".")));
                format!("run `windlass init --project` in {project}")
            }
            (Origin::Plugin, Some(plugin)) => format!("run `claude plugin update {}`", plugin.id),
            (Origin::Plugin | Origin::Managed, _) => {
                format!("ask whoever wrote {}", self.path.display())
            }
        }
    }

    /// Whether the client reads the file when it works on a project.
    pub(crate) fn is_for(&self, project: Option<&Path>) -> bool {
        self.project.is_none() || self.project.as_deref() == project
    }
}

/// Everything in which hooks can be registered: for the user, for the project that the user
/// stands in, and for other projects in which `init` was run.
pub(crate) fn layers(host: &Host, project: Option<&Path>, recorded: &[PathBuf]) -> Vec<Layer> {
    let mut sources = Vec::new();
    let mut add = |source: Source| {
        let known: &Vec<Source> = &sources;
        // In the home directory the user's file is the project's too.
        if !known.iter().any(|it| is_same(&it.path, &source.path)) {
            sources.push(source);
        }
    };
    if let Some(path) = home::settings(host) {
        add(Source::new(Origin::User, path, None));
    }
    if let Some(root) = project {
        add(Source::new(Origin::Project, root.join(PROJECT), Some(root)));
        add(Source::new(Origin::Local, root.join(LOCAL), Some(root)));
    }
    for path in recorded.iter().filter(|it| it.ends_with(LOCAL)) {
        let root = path.parent().and_then(Path::parent);
        add(Source::new(Origin::Local, path.clone(), root));
    }
    for path in switches::managed_files() {
        add(Source::new(Origin::Managed, path, None));
    }
    let mut layers: Vec<_> = sources.into_iter().filter_map(load).collect();
    let hooks = plugin::hooks(host, project, &layers);
    layers.extend(hooks);
    layers
}

/// Our entries in a file that is none of the client's.
pub(crate) fn entries_in(path: &Path) -> Vec<Entry> {
    let layer = load(Source::new(Origin::User, path.to_owned(), None));
    layer.map(|it| it.entries()).unwrap_or_default()
}

/// Reads a layer; one that is not there is `None`.
pub(super) fn load(source: Source) -> Option<Layer> {
    let content = read(&source.path).transpose()?;
    Some(Layer { source, content })
}

fn read(path: &Path) -> Result<Option<Map<String, Value>>, LayerError> {
    let object = object(path)?;
    let hooks = object.as_ref().and_then(|it| it.get("hooks"));
    if hooks.is_some_and(|it| !it.is_object()) {
        return Err(LayerError::Shape { place: "`hooks`" });
    }
    Ok(object)
}

/// Reads a JSON object as the client does; a file that is not there is `None`.
pub(super) fn object(path: &Path) -> Result<Option<Map<String, Value>>, LayerError> {
    let Some(plain) = plain::read(path, Follow::Anywhere, MAX_FILE)? else { return Ok(None) };
    let text = String::from_utf8(plain.bytes).map_err(|_| LayerError::NotText)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if text.trim().is_empty() {
        return Ok(Some(Map::new()));
    }
    let value = serde_json::from_str(text).map_err(|error| match scan(text) {
        Ok(_) => LayerError::Lenient(error),
        Err(_) => LayerError::NotJson(error),
    })?;
    match value {
        Value::Object(object) => Ok(Some(object)),
        _ => Err(LayerError::Shape { place: "the file" }),
    }
}

/// Whether two paths lead to the same file.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    one == other || real(one) == real(other)
}

#[cfg(test)]
mod tests {
    use super::{LayerError, read};
    use std::fs;

    #[test]
    fn takes_what_the_client_takes_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.json");
        let read = |text: &str| {
            fs::write(&path, text).unwrap();
            read(&path)
        };
        for good in ["", " \n", "{}", "\u{feff}{\"hooks\":{}}", "{\"hooks\":{\"Stop\":{}}}"] {
            assert!(read(good).unwrap().is_some(), "{good:?}");
        }
        for lenient in ["{} // why", "{\"hooks\":{},}"] {
            assert!(matches!(read(lenient), Err(LayerError::Lenient(_))), "{lenient}");
        }
        for broken in ["{", "{\"a\" 1}", "nothing"] {
            assert!(matches!(read(broken), Err(LayerError::NotJson(_))), "{broken}");
        }
        for shapeless in ["[]", "{\"hooks\":[]}"] {
            assert!(matches!(read(shapeless), Err(LayerError::Shape { .. })), "{shapeless}");
        }
        fs::remove_file(&path).unwrap();
        assert!(super::read(&path).unwrap().is_none());
    }
}
