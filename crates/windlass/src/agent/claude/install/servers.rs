//! Our server in the file in which the client keeps its own state, `mcpServers` among it.
//!
//! The client rewrites that file all the time. So only the one member is put in and taken out, by
//! the text, as in the settings; what else the file holds is never looked at.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::layout::{Json, Style, apply};
use super::origin::{Origin, Removal};
use super::scan::{Kind, Node, scan};
use super::settings::{SettingsError, can_go, cut};
use crate::agent::claude::ours::is_program;

/// The name of the server; the client calls its tools `mcp__windlass__NAME`.
pub(crate) const NAME: &str = "windlass";
const SERVERS: &str = "mcpServers";
const PROJECTS: &str = "projects";
const ARGUMENT: &str = "mcp";

/// What an insertion did that its text does not show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Added {
    origin: Origin,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    filled: Option<Filled>,
}

/// The container that was there and empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Filled {
    /// How many members lead to it.
    depth: usize,
    /// The white space that was put before its closing bracket.
    closer: String,
}

/// How the client knows a server of our name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Known {
    Not,
    /// It starts this program with our command.
    Ours {
        command: String,
    },
    /// It is something else.
    Other,
}

/// The members that lead to our server: that of the user, or that of one project.
fn path(project: Option<&Path>) -> Vec<String> {
    let mut path = Vec::new();
    if let Some(root) = project {
        path.extend([PROJECTS.to_owned(), root.to_string_lossy().into_owned()]);
    }
    path.extend([SERVERS.to_owned(), NAME.to_owned()]);
    path
}

/// How a text knows a server of our name.
pub(crate) fn known(text: &str, project: Option<&Path>) -> Result<Known, SettingsError> {
    let document = scan(text)?;
    let found = path(project)
        .iter()
        .try_fold(document.root.as_ref(), |node, name| Some(Some(&node?.member(name)?.value)));
    Ok(found.flatten().map_or(Known::Not, |it| judge(text, it)))
}

fn judge(text: &str, entry: &Node) -> Known {
    let member = |name: &str| entry.member(name).map(|it| &it.value);
    let command = member("command").and_then(|it| it.text(text));
    let arguments: Vec<_> = member("args").into_iter().flat_map(Node::elements).collect();
    let arguments: Vec<_> = arguments.into_iter().map(|it| it.text(text)).collect();
    match command {
        Some(command) if is_program(&command) && arguments == [Some(ARGUMENT.to_owned())] => {
            Known::Ours { command }
        }
        _ => Known::Other,
    }
}

fn entry(command: &str) -> Json {
    Json::object([
        ("type", Json::text("stdio")),
        ("command", Json::text(command)),
        ("args", Json::Array(vec![Json::text(ARGUMENT)])),
    ])
}

/// Puts our server into a text, in place of another of ours. `None` if it is there, or if another
/// server has the name.
pub(crate) fn insert(
    text: Option<&str>,
    added: &Added,
    project: Option<&Path>,
    command: &str,
) -> Result<Option<(String, Added)>, SettingsError> {
    let names = path(project);
    let filled = |(text, origin)| Some((text, Added { origin, filled: None }));
    let Some(text) = text else { return Ok(filled(Origin::create(&nested(&names, command)))) };
    let document = scan(text)?;
    let Some(root) = &document.root else {
        return Ok(filled(Origin::fill(text, &document, &nested(&names, command))));
    };
    match known(text, project)? {
        Known::Other => return Ok(None),
        Known::Ours { command: there } if there == command => return Ok(None),
        Known::Ours { .. } => {
            return match remove(text, added, project)? {
                Removal::Unchanged => Ok(None),
                Removal::Text(bare) => insert(Some(&bare), &Added::default(), project, command),
                Removal::NoFile => insert(None, &Added::default(), project, command),
            };
        }
        Known::Not => {}
    }
    let (mut node, mut depth) = (root, 0);
    loop {
        if node.kind != Kind::Object {
            let place = names[..depth].last().map_or("the file".to_owned(), |it| format!("`{it}`"));
            return Err(SettingsError::Shape { place, expected: "an object" });
        }
        match node.member(&names[depth]) {
            Some(member) => (node, depth) = (&member.value, depth + 1),
            None => break,
        }
    }
    let value = nested(&names[depth + 1..], command);
    let style = Style::of(text, &document);
    let addition = style.append(text, node, &[(Some(&names[depth]), value)]);
    let filled = addition.closer.map(|closer| Filled { depth, closer });
    let origin = Origin::Object;
    Ok(Some((apply(text, addition.splices), Added { origin, filled })))
}

/// Our entry within the members that lead to it.
fn nested(names: &[String], command: &str) -> Json {
    names.iter().rfold(entry(command), |value, name| Json::object([(name.as_str(), value)]))
}

/// Takes our server out of a text, with the containers that it leaves empty and that were not
/// there before.
pub(crate) fn remove(
    text: &str,
    added: &Added,
    project: Option<&Path>,
) -> Result<Removal, SettingsError> {
    if !matches!(known(text, project)?, Known::Ours { .. }) {
        return Ok(Removal::Unchanged);
    }
    let document = scan(text)?;
    let Some(root) = &document.root else { return Ok(Removal::Unchanged) };
    // Each container on the way, and where in it the way goes on.
    let mut way = Vec::new();
    let mut node = root;
    for name in path(project) {
        let Some(index) = node.items.iter().rposition(|it| it.is(&name)) else {
            return Ok(Removal::Unchanged);
        };
        way.push((node, index));
        node = &node.items[index].value;
    }
    let filled = |depth: usize| added.filled.as_ref().filter(|it| it.depth == depth);
    let mut depth = way.len() - 1;
    while let Some((above, index)) = depth.checked_sub(1).map(|it| way[it])
        && filled(depth).is_none()
        && can_go(&above.items[index], above)
    {
        depth -= 1;
    }
    let (container, index) = way[depth];
    let closer = filled(depth).map(|it| it.closer.as_str());
    added.origin.restore(cut(text, container, index, closer))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAND: &str = "/home/u/.local/bin/windlass";
    const ROOT: &str = "/home/u/p \"q\"";

    fn both() -> [Option<&'static Path>; 2] {
        [None, Some(Path::new(ROOT))]
    }

    #[test]
    fn what_is_put_in_is_taken_out_to_the_byte() {
        let texts = [
            "{}",
            "{\n}\n",
            "",
            " \n",
            "{\"mcpServers\":{}}",
            "{\n  \"mcpServers\": {}\n}",
            "{\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}\n  }\n}\n",
            "{\"a\":1,\"projects\":{\"/other\":{}}}",
            "{\"projects\":{}}",
            "{\n\t\"projects\": {\n\t\t\"/home/u/p \\\"q\\\"\": {\n\t\t\t\"mcpServers\": {}\n\t\t}\n\t},\n\t\"z\": 1\n}",
            "\u{feff}{\r\n    \"numStartups\": 3\r\n}\r\n",
        ];
        for project in both() {
            for text in texts {
                let (new, added) =
                    insert(Some(text), &Added::default(), project, COMMAND).unwrap().unwrap();
                let ours = Known::Ours { command: COMMAND.to_owned() };
                assert_eq!(known(&new, project).unwrap(), ours, "{new}");
                assert_eq!(insert(Some(&new), &added, project, COMMAND).unwrap(), None);
                let strict = new.trim_start_matches('\u{feff}');
                assert!(serde_json::from_str::<serde_json::Value>(strict).is_ok(), "{new}");
                let back = remove(&new, &added, project).unwrap();
                assert_eq!(back, Removal::Text(text.to_owned()), "{project:?} {new}");
                let kept = serde_json::to_string(&added).unwrap();
                assert_eq!(serde_json::from_str::<Added>(&kept).unwrap(), added);
            }
            let (new, added) = insert(None, &Added::default(), project, COMMAND).unwrap().unwrap();
            assert_eq!(remove(&new, &added, project).unwrap(), Removal::NoFile);
        }
    }

    #[test]
    fn what_others_added_since_stays() {
        let (new, added) = insert(None, &Added::default(), None, COMMAND).unwrap().unwrap();
        // The client writes the whole file anew, in its own way.
        let mut value: serde_json::Value = serde_json::from_str(&new).unwrap();
        value["numStartups"] = 1.into();
        value["mcpServers"]["other"] = serde_json::json!({"command": "x"});
        let text = serde_json::to_string_pretty(&value).unwrap();
        let Removal::Text(left) = remove(&text, &added, None).unwrap() else { panic!() };
        value["mcpServers"].as_object_mut().unwrap().remove("windlass");
        assert_eq!(left, serde_json::to_string_pretty(&value).unwrap());
    }

    #[test]
    fn another_place_of_the_program_takes_the_place_of_the_first() {
        let text = "{\n  \"a\": 1\n}";
        let (old, added) =
            insert(Some(text), &Added::default(), None, "/old/windlass").unwrap().unwrap();
        let (new, added) = insert(Some(&old), &added, None, COMMAND).unwrap().unwrap();
        assert!(new.contains(COMMAND) && !new.contains("/old"), "{new}");
        assert_eq!(remove(&new, &added, None).unwrap(), Removal::Text(text.to_owned()));
    }

    #[test]
    fn a_server_of_others_with_our_name_is_left_alone() {
        for entry in [
            r#"{"type":"http","url":"https://x"}"#,
            r#"{"command":"/x/other","args":["mcp"]}"#,
            r#"{"command":"/x/windlass","args":["mcp","--more"]}"#,
            r#"{"command":"/x/windlass"}"#,
            "7",
        ] {
            let text = format!(r#"{{"mcpServers":{{"windlass":{entry}}}}}"#);
            assert_eq!(known(&text, None).unwrap(), Known::Other, "{text}");
            assert_eq!(insert(Some(&text), &Added::default(), None, COMMAND).unwrap(), None);
            assert_eq!(remove(&text, &Added::default(), None).unwrap(), Removal::Unchanged);
        }
    }

    #[test]
    fn a_file_of_another_shape_is_not_touched() {
        for text in ["[]", "{\"mcpServers\": 5}", "{\"mcpServers\": []}", "{"] {
            assert!(insert(Some(text), &Added::default(), None, COMMAND).is_err(), "{text}");
        }
    }
}
