//! Whether the agent is offered what the settings want: our server of tools, and our skills.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::Finding;
use super::installation::Installation;
use super::program::Program;
use crate::agent::claude::home;
use crate::agent::claude::install::servers::{self, Known};
use crate::agent::claude::install::skills::{SKILLS, Standing};
use crate::agent::claude::registered::Origin;
use crate::plain::{self, Follow};
use crate::{process, stage};

/// More than the client's state has.
const MAX_FILE: u64 = 64 << 20;

/// How long the server may take to answer.
const LIMIT: Duration = Duration::from_secs(5);

/// What a client says first.
const HELLO: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","#,
    r#""capabilities":{},"clientInfo":{"name":"windlass doctor","version":"1"}}}"#,
    "\n"
);

/// Looks for the server and the skills where `init` puts them.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    // Where no hook of ours is registered, that is the finding.
    let mut origins = it.entries_here().map(|it| it.source.origin);
    let Some(first) = origins.next() else { return Vec::new() };
    let is_users = first == Origin::User || origins.any(|it| it == Origin::User);
    if !is_users && first != Origin::Local {
        // A plugin or an administrator brings what it wants.
        return Vec::new();
    }
    let mut findings: Vec<_> = server(it, is_users).into_iter().collect();
    if is_users {
        findings.extend(skills(it));
    }
    findings
}

fn again(is_users: bool) -> String {
    let option = if is_users { "" } else { " --project" };
    format!("run `windlass init{option}` again")
}

fn server(it: &Installation<'_>, is_users: bool) -> Option<Finding> {
    let path = home::state(it.host)?;
    let shown = path.display();
    let file = plain::read(&stage::resolve(&path), Follow::Anywhere, MAX_FILE).ok()?;
    let text = file.map(|it| String::from_utf8_lossy(&it.bytes).into_owned()).unwrap_or_default();
    let look = |project: Option<&Path>| servers::known(&text, project);
    // The client takes that of the project first.
    let known = match look(it.project.as_deref()) {
        Ok(Known::Not) => look(None),
        known => known,
    };
    let is_wanted = cfg!(feature = "mcp") && it.config.policy.mcp.enabled;
    let why = "the agent cannot call the tools of windlass";
    match (known, is_wanted) {
        (Err(error), true) => Some(Finding::warning(
            format!("{shown} cannot be understood: {error}."),
            why,
            format!("correct {shown}, then {}", again(is_users)),
        )),
        (Ok(Known::Not), true) => {
            let found = format!("{shown} has no server `{}`.", servers::NAME);
            Some(Finding::warning(found, why, again(is_users)))
        }
        (Ok(Known::Other), true) => Some(Finding::warning(
            format!("{shown} has another server with the name `{}`.", servers::NAME),
            why,
            format!("rename it there, then {}", again(is_users)),
        )),
        (Ok(Known::Ours { command }), true) if command != it.wanted.command => {
            let found = format!("The server in {shown} is {command}.");
            let why = "it is not the program that the hooks call";
            Some(Finding::warning(found, why, again(is_users)))
        }
        (Ok(Known::Ours { command }), true) => mute(it, &command, is_users),
        (Ok(Known::Ours { .. }), false) => {
            let found = format!("{shown} has the server of tools, and your settings do not.");
            Some(Finding::warning(found, "the client starts it all the same", again(is_users)))
        }
        (Err(_) | Ok(Known::Not | Known::Other), false) => None,
    }
}

/// Whether the server, which is the program that `init` installed, does not answer.
fn mute(it: &Installation<'_>, command: &str, is_users: bool) -> Option<Finding> {
    let program = Path::new(command);
    // Where it is no windlass, that is told of the hooks.
    if !matches!(it.programs.get(program), Some(Program::Windlass { .. })) {
        return None;
    }
    let answer = process::run(Command::new(program).arg("mcp"), HELLO.as_bytes(), LIMIT);
    let answers = answer.is_ok_and(|it| String::from_utf8_lossy(&it.stdout).contains("serverInfo"));
    (!answers).then(|| {
        let found = format!("`{command} mcp` does not answer a client.");
        Finding::fault(found, "the agent cannot call the tools of windlass", again(is_users))
    })
}

fn skills(it: &Installation<'_>) -> Vec<Finding> {
    let Some(directory) = home::skills(it.host) else { return Vec::new() };
    let is_wanted = it.config.policy.skills.enabled;
    let mut findings = Vec::new();
    for skill in SKILLS {
        let path = skill.path(&directory);
        let shown = path.display();
        match (skill.standing(&path, &it.record.skills), is_wanted) {
            (Standing::Absent, true) => findings.push(Finding::warning(
                format!("{shown} is not there."),
                "the agent does not know the skill",
                again(true),
            )),
            (Standing::Old, true) => findings.push(Finding::warning(
                format!("{shown} is of another version."),
                "it may name what is called otherwise by now",
                again(true),
            )),
            (Standing::Changed, true) => findings.push(Finding::note(
                format!("{shown} is not what `init` wrote."),
                "what you wrote counts, and an upgrade does not change it",
                "to have ours, remove it and run `windlass init`".to_owned(),
            )),
            (Standing::Current | Standing::Old, false) => findings.push(Finding::warning(
                format!("{shown} is there, and your settings do not want it."),
                "the client offers it all the same",
                again(true),
            )),
            (Standing::Current, true) | (Standing::Absent | Standing::Changed, false) => {}
        }
    }
    findings
}
