//! The client's permission rules, as far as they speak of our own commands.
//!
//! The client asks `deny` first, then `ask`, then `allow`, in all settings files together; the
//! first rule that fits decides, however narrow another one is.

use std::path::{Path, PathBuf};

use super::switches;

pub(crate) const PERMISSIONS: &str = "permissions";
pub(crate) const ALLOW: &str = "allow";

/// What lets the agent settle what was learned. By name, for that is how it is told to call us;
/// the path of the program would be another command to the client.
pub(crate) const RULES: &[&str] =
    &["Bash(windlass remember:*)", "Bash(windlass candidates:*)", "mcp__windlass__*"];

/// Lines that the rules are there for.
const LINES: &[&str] = &["windlass remember --candidate x", "windlass candidates reject x"];

/// A tool of our server that the rules are there for.
const TOOL: &str = "mcp__windlass__settle";

/// An administrator's word that no rules but his own count.
const MANAGED_ONLY: &str = "allowManagedPermissionRulesOnly";

/// What keeps our rules from having an effect.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Obstacle {
    pub(crate) kind: ObstacleKind,
    pub(crate) file: PathBuf,
}

/// Which kind of setting it is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ObstacleKind {
    /// The client refuses the commands.
    Denied { rule: String },
    /// The client asks the user all the same.
    Asked { rule: String },
    /// The client reads the administrator's rules only.
    ManagedOnly { name: &'static str },
}

/// Finds what keeps our rules in these settings files from having an effect.
pub(crate) fn in_the_way(files: &[PathBuf]) -> Vec<Obstacle> {
    in_the_way_of(files, &switches::managed_files())
}

/// Whether the rules of these settings files let the agent call us.
pub(crate) fn are_there(files: &[PathBuf]) -> bool {
    let rules: Vec<_> = files.iter().flat_map(|it| rules(it, ALLOW)).collect();
    LINES.iter().all(|line| rules.iter().any(|it| fits(it, line)))
        && rules.iter().any(|it| fits_tool(it))
}

fn in_the_way_of(files: &[PathBuf], managed: &[PathBuf]) -> Vec<Obstacle> {
    let mut found = Vec::new();
    for file in files.iter().chain(managed) {
        let mut add = |kind| found.push(Obstacle { kind, file: file.clone() });
        let meant = |list| {
            let concerns_us =
                |rule: &String| fits_tool(rule) || LINES.iter().any(|line| fits(rule, line));
            rules(file, list).into_iter().filter(concerns_us)
        };
        meant("deny").for_each(|rule| add(ObstacleKind::Denied { rule }));
        meant("ask").for_each(|rule| add(ObstacleKind::Asked { rule }));
    }
    for file in managed.iter().filter(|it| switches::is_true(it, MANAGED_ONLY)) {
        let kind = ObstacleKind::ManagedOnly { name: MANAGED_ONLY };
        found.push(Obstacle { kind, file: file.clone() });
    }
    found
}

/// The rules of one list of a settings file.
fn rules(file: &Path, list: &str) -> Vec<String> {
    let Some((text, root)) = switches::read(file) else { return Vec::new() };
    let list = root.member(PERMISSIONS).and_then(|it| it.value.member(list));
    list.into_iter().flat_map(|it| it.value.elements()).filter_map(|it| it.text(&text)).collect()
}

/// Whether a rule speaks of our tools. The name of a server stands for all of its tools.
fn fits_tool(rule: &str) -> bool {
    let rule = rule.trim();
    rule.starts_with("mcp__") && (rule == "mcp__windlass" || is_like(TOOL, rule))
}

/// Whether a rule speaks of a line of the shell.
fn fits(rule: &str, line: &str) -> bool {
    let Some(rest) = rule.trim().strip_prefix("Bash") else { return false };
    if rest.is_empty() {
        return true;
    }
    let Some(pattern) = rest.strip_prefix('(').and_then(|it| it.strip_suffix(')')) else {
        return false;
    };
    let prefix = pattern.strip_suffix(":*").or_else(|| {
        // One star at the end, behind a space, may stand for nothing.
        pattern.strip_suffix(" *").filter(|it| !it.contains('*'))
    });
    match prefix {
        Some(prefix) => {
            line.strip_prefix(prefix).is_some_and(|it| it.is_empty() || it.starts_with(' '))
        }
        None => is_like(line, pattern),
    }
}

/// Whether a text is a pattern in which `*` stands for anything.
fn is_like(text: &str, pattern: &str) -> bool {
    let Some((head, mut rest)) = pattern.split_once('*') else { return text == pattern };
    let Some(mut text) = text.strip_prefix(head) else { return false };
    while let Some((piece, after)) = rest.split_once('*') {
        let Some(at) = text.find(piece) else { return false };
        text = &text[at + piece.len()..];
        rest = after;
    }
    text.ends_with(rest)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_rule_fits_as_the_client_reads_it() {
        for rule in [
            "Bash",
            "Bash(*)",
            "Bash(windlass:*)",
            "Bash(windlass *)",
            "Bash(windlass remember:*)",
            "Bash(windlass remember *)",
            "Bash(windlass * x)",
            "Bash(*remember*)",
            "Bash(windlass remember --candidate x)",
        ] {
            assert!(fits(rule, LINES[0]), "{rule}");
        }
        for rule in [
            "Read",
            "Bashful",
            "BashOutput(windlass:*)",
            "Bash()",
            "Bash(wind:*)",
            "Bash(windlass)",
            "Bash(windlass rem:*)",
            "Bash(windlass candidates:*)",
            "Bash(/home/u/.local/bin/windlass remember:*)",
            "Bash(windlass * y)",
            "Bash(windlass remember:*",
        ] {
            assert!(!fits(rule, LINES[0]), "{rule}");
        }
        for (rule, line) in RULES.iter().zip(LINES) {
            assert!(fits(rule, line), "{rule}");
        }
    }

    #[test]
    fn a_rule_speaks_of_our_tools_by_the_server_or_by_a_pattern() {
        for rule in [RULES[2], "mcp__windlass", "mcp__windlass__settle", "mcp__*"] {
            assert!(fits_tool(rule), "{rule}");
        }
        for rule in ["mcp__windlass2__*", "mcp__other__*", "mcp__windlass__get", "*", "Bash"] {
            assert!(!fits_tool(rule), "{rule}");
        }
    }

    #[test]
    fn every_obstacle_is_found_where_it_counts() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let user = write(
            "settings.json",
            r#"{"allowManagedPermissionRulesOnly":true,"permissions":{
                "allow":["Bash(windlass remember:*)"],
                "deny":["Bash(rm:*)","Bash(windlass:*)",7],
                "ask":["Bash(windlass candidates reject *)"]}}"#,
        );
        let managed = write("managed.json", r#"{"allowManagedPermissionRulesOnly": true}"#);
        let missing = dir.path().join("missing.json");
        let kinds: Vec<_> = in_the_way_of(&[user.clone(), missing], std::slice::from_ref(&managed))
            .into_iter()
            .map(|it| (it.kind, it.file))
            .collect();
        assert_eq!(
            kinds,
            [
                (ObstacleKind::Denied { rule: "Bash(windlass:*)".to_owned() }, user.clone()),
                (
                    ObstacleKind::Asked { rule: "Bash(windlass candidates reject *)".to_owned() },
                    user.clone()
                ),
                (ObstacleKind::ManagedOnly { name: MANAGED_ONLY }, managed),
            ],
        );
        assert!(!are_there(&[user]));
    }
}
