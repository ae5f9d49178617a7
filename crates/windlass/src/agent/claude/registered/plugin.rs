//! Hooks of the plugins that are switched on, as far as they can be found on disk.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::layer::{self, Layer, Origin, Plugin, Source};
use crate::agent::claude::home;
use crate::{Host, env};

/// The hooks of every plugin that the client would load in a project, given its settings.
pub(super) fn hooks(host: &Host, project: Option<&Path>, settings: &[Layer]) -> Vec<Layer> {
    let directory = host
        .directory(env::CLAUDE_CODE_PLUGIN_CACHE_DIR)
        .or_else(|| home::directory(host).map(|it| it.join("plugins")));
    let Some(directory) = directory else { return Vec::new() };
    let installed = layer::object(&directory.join("installed_plugins.json"));
    let Ok(Some(installed)) = installed else { return Vec::new() };
    let Some(plugins) = installed.get("plugins").and_then(Value::as_object) else {
        return Vec::new();
    };
    let is_on = |id: &&String| is_enabled(id, project, settings);
    let roots = plugins
        .keys()
        .filter(is_on)
        .filter_map(|id| Some(Plugin { id: id.clone(), root: root(&plugins[id], project)? }));
    roots.flat_map(|it| hooks_of(&it)).collect()
}

/// Whether the strongest of the settings that name a plugin switches it on.
fn is_enabled(id: &str, project: Option<&Path>, settings: &[Layer]) -> bool {
    let named = settings.iter().filter(|it| it.source.is_for(project)).filter_map(|layer| {
        let content = layer.content.as_ref().ok()?;
        let switch = content.get("enabledPlugins")?.get(id)?.as_bool()?;
        Some((layer.source.origin, switch))
    });
    named.max_by_key(|(origin, _)| *origin).is_some_and(|(_, switch)| switch)
}

/// Where a plugin was installed: for this project, or for all.
fn root(installed: &Value, project: Option<&Path>) -> Option<PathBuf> {
    let one = std::slice::from_ref(installed);
    let places = installed.as_array().map_or(one, Vec::as_slice);
    let of = |it: &Value| it.get("projectPath").and_then(Value::as_str).map(PathBuf::from);
    let here = places.iter().find(|it| of(it).is_some_and(|it| Some(it.as_path()) == project));
    let place = here.or_else(|| places.iter().find(|it| of(it).is_none()))?;
    Some(PathBuf::from(place.get("installPath")?.as_str()?))
}

/// What may register hooks in a plugin: the usual file, and what its manifest names or holds.
fn hooks_of(plugin: &Plugin) -> Vec<Layer> {
    let source = |path: PathBuf| Source {
        origin: Origin::Plugin,
        path,
        project: None,
        plugin: Some(plugin.clone()),
    };
    let usual = layer::load(source(plugin.root.join("hooks/hooks.json")));
    let manifest = plugin.root.join(".claude-plugin/plugin.json");
    let named = layer::object(&manifest).ok().flatten().and_then(|mut it| it.remove("hooks"));
    let named = match named {
        Some(Value::Array(several)) => several,
        one => one.into_iter().collect(),
    };
    let layer = |named: Value| match named {
        Value::String(path) => layer::load(source(plugin.root.join(path))),
        Value::Object(hooks) => {
            let content = Map::from_iter([("hooks".to_owned(), Value::Object(hooks))]);
            Some(Layer { source: source(manifest.clone()), content: Ok(content) })
        }
        _ => None,
    };
    usual.into_iter().chain(named.into_iter().filter_map(layer)).collect()
}

#[cfg(test)]
mod tests {
    use super::{hooks_of, root};
    use crate::agent::claude::registered::layer::Plugin;
    use serde_json::json;
    use std::fs;
    use std::path::{Path, PathBuf};

    #[test]
    fn a_plugin_of_this_project_comes_before_one_for_all() {
        let installed = json!([
            {"scope": "project", "projectPath": "/old", "installPath": "/cache/1"},
            {"scope": "user", "installPath": "/cache/2"},
            {"scope": "project", "projectPath": "/p", "installPath": "/cache/3"},
        ]);
        let root = |project: &str| root(&installed, Some(Path::new(project)));
        assert_eq!(root("/p"), Some(PathBuf::from("/cache/3")));
        assert_eq!(root("/elsewhere"), Some(PathBuf::from("/cache/2")));
        let first = json!({"version": "1", "installPath": "/cache/4"});
        assert_eq!(super::root(&first, None), Some(PathBuf::from("/cache/4")));
    }

    #[test]
    fn a_manifest_may_name_more_hooks_or_hold_them() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let plugin = || Plugin { id: "p@m".to_owned(), root: dir.path().to_owned() };
        assert_eq!(hooks_of(&plugin()).len(), 0);
        write("hooks/hooks.json", r#"{"hooks":{}}"#);
        write(".claude-plugin/plugin.json", r#"{"name":"p"}"#);
        assert_eq!(hooks_of(&plugin()).len(), 1);
        write("more.json", r#"{"hooks":{"Stop":[]}}"#);
        let manifest = r#"{"name":"p","hooks":["./more.json",{"Stop":[]},"./absent.json"]}"#;
        write(".claude-plugin/plugin.json", manifest);
        let layers = hooks_of(&plugin());
        assert_eq!(layers.len(), 3);
        for layer in &layers[1..] {
            assert!(layer.content.as_ref().unwrap()["hooks"]["Stop"].is_array());
        }
    }
}
