//! Gates that are switched off.

use super::Finding;
use super::installation::Installation;
use crate::agent::claude::switches;
use crate::switch::{self, Switches, Variable};
use crate::{env, visible};

const WHY: &str = "agents stop there without being asked for what is missing";

/// Finds switches of the user, and whatever else has their effect.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let switches = Switches::read(it.host);
    let name = env::WINDLASS_GATES;
    let mut findings = Vec::new();
    for broken in &switches.broken {
        let file = visible::line(&broken.path.to_string_lossy(), 300);
        findings.push(Finding::warning(
            format!("{file} is not a switch: {}.", broken.why),
            "it switches nothing off, but something else writes there",
            "windlass gate on".to_owned(),
        ));
    }
    match &switches.variable {
        Variable::Unset => {}
        Variable::Off => findings.push(Finding::note(
            format!("The environment has {name}=off, which switches every gate off."),
            "a client that is started here is never asked for what is missing",
            format!("unset {name}"),
        )),
        Variable::Other(value) => findings.push(Finding::warning(
            format!("{name} is `{}`.", visible::line(&value.to_string_lossy(), 40)),
            "that means nothing: only `off` does",
            format!("unset {name}"),
        )),
    }
    for variable in &switches.ignored {
        findings.push(Finding::note(
            variable.sentence(),
            "a repository switches nothing off and moves no store",
            format!("set {} in the shell that starts the client, or not at all", variable.name),
        ));
    }
    for layer in &it.layers {
        let file = &layer.source.path;
        if switches::variable(file, name).is_some_and(|it| switch::is_off(&it.into())) {
            if layer.source.project.is_some() {
                findings.push(Finding::note(
                    format!("`env` in {} has {name}=off, which does not count.", file.display()),
                    "a project switches no gate off",
                    format!("remove {name} from {}", file.display()),
                ));
                continue;
            }
            findings.push(Finding::note(
                format!("`env` in {} has {name}=off.", file.display()),
                WHY,
                format!("remove {name} from {}", file.display()),
            ));
        }
    }
    for switch in &switches.kept {
        findings.push(Finding::note(switch.sentence(), WHY, switch.way_back()));
    }
    findings
}
