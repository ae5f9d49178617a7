//! The gates as they are here, and the user's off-switch.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use windlass_core::gate::{Caps, GATES, Gate};
use windlass_core::policy::Mode;
use windlass_core::{Seen, SessionId, Timestamp};

use super::{CommandError, Form};
use crate::agent::user::{self, Refusal};
use crate::cli::{GateChoice, GateCommand};
use crate::config::{self, Loaded};
use crate::shell::quoted;
use crate::switch::{self, Scope, Switch, Switches, Variable};
use crate::ui::{self, Colour};
use crate::{Host, env, project, redact, steering, surroundings, time, visible};

/// Why gates are neither shown nor switched.
#[derive(Debug, thiserror::Error)]
pub(super) enum GateError {
    #[error("find the current directory")]
    Directory(#[source] io::Error),
    #[error("find a project: there is none in `/`, nor in the home directory itself")]
    NoProject,
    #[error("find a place for the switch: HOME is not set to an absolute path")]
    Homeless,
    #[error("`{0}` is not the id of a session")]
    NoSession(String),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("write below {}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("remove {}, which is not a switch", path.display())]
    Remove { path: PathBuf, source: io::Error },
}

impl CommandError for GateError {
    fn hint(&self) -> Cow<'static, str> {
        match self {
            Self::Directory(_) => "change to a directory that exists, or use `--everywhere`".into(),
            Self::NoProject => {
                "change to the project, or use `--session ID` or `--everywhere`".into()
            }
            Self::Homeless => "set HOME, or WINDLASS_HOME".into(),
            Self::NoSession(_) => "`windlass status` lists the sessions".into(),
            Self::Refused(refusal @ Refusal::Agent { .. }) => format!(
                "{}; an agent that thinks an ask is wrong declines it with the line that the ask \
                 names",
                refusal.hint(),
            )
            .into(),
            Self::Refused(refusal) => refusal.hint().into(),
            Self::Remove { path, .. } => {
                format!("look at it, then run `rm -r {}`", quoted(path)).into()
            }
            Self::Write { .. } => {
                "make the place writable for you, or start the client with WINDLASS_GATES=off"
                    .into()
            }
        }
    }
}

/// Lists gates, or switches them.
pub(super) fn run(host: &Host, command: &GateCommand) -> Result<(), GateError> {
    match command {
        GateCommand::List(listing) => list(host, listing.form()),
        GateCommand::Off { which, span } => switch_off(host, which, *span),
        GateCommand::On { which } => switch_on(host, which),
    }
}

fn switch_off(host: &Host, which: &GateChoice, span: Option<Duration>) -> Result<(), GateError> {
    user::refuse_agents(host)?;
    let (data, scope) = prepare(host, which)?;
    let gates = match &which.gate {
        Some(gate) => format!("the gate `{}`", visible::line(gate, 64)),
        None => "all gates".to_owned(),
    };
    user::confirm(host, &format!("switch {gates} off {}", scope.place()))?;
    let ends = |span: Duration| {
        let span = i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
        Timestamp(host.now.0.saturating_add(span))
    };
    let until = span.map(ends);
    let switch = Switch { gate: which.gate.clone(), scope, until };
    switch.keep(&data, host.now).map_err(wrong(&data))?;
    let then = match &which.gate {
        Some(_) => "The other gates may still ask.",
        None => "The next stop of the agent passes.",
    };
    ui::say(&format!("{} {then}", switch.sentence()));
    let back = switch.way_back_here();
    match (span, &switch.scope) {
        (Some(span), _) => {
            let micros = u64::try_from(span.as_micros()).unwrap_or(u64::MAX);
            let span = ui::micros(micros);
            ui::say(&format!(
                "That ends by itself in {span}. To switch back before, run `{back}`."
            ));
        }
        (None, Scope::Session(_)) => ui::say(&format!(
            "It holds until that session ends or you switch back. To switch back, run `{back}`."
        )),
        (None, Scope::Everywhere | Scope::Project(_)) => ui::say(&format!(
            "It holds until you switch back, in later sessions too. To switch back, run `{back}`; \
             `--for 30m` would have ended it by itself."
        )),
    }
    Ok(())
}

fn switch_on(host: &Host, which: &GateChoice) -> Result<(), GateError> {
    user::refuse_agents(host)?;
    let (data, scope) = prepare(host, which)?;
    let before = Switches::read_for(host, None, here(host).as_ref());
    let mut removed = 0;
    // Without a gate all of them are meant, also those that were switched off one by one.
    let gates = before.kept.iter().filter(|it| it.scope == scope).map(|it| it.gate.clone());
    let gates: Vec<_> = match &which.gate {
        Some(gate) => vec![Some(gate.clone())],
        None => gates.collect(),
    };
    for gate in gates {
        let there = switch::switch_on(&data, &scope, gate.as_deref(), host.now);
        let there = there.map_err(wrong(&data))?;
        removed += usize::from(there);
    }
    for broken in before.broken.iter().filter(|it| it.is_removable) {
        let stays = |source| GateError::Remove { path: broken.path.clone(), source };
        switch::remove(&broken.path).map_err(stays)?;
        ui::say(&format!("Removed {}: {}.", shown(&broken.path), broken.why));
    }
    steering::forget_switches(&data);
    match (removed, &which.gate) {
        (0, _) if !before.broken.iter().any(|it| it.is_removable) => {
            ui::say(&format!("There is nothing to switch on {}.", scope.place()));
        }
        (_, Some(gate)) => ui::say(&format!("The gate `{gate}` is on again {}.", scope.place())),
        (_, None) => ui::say(&format!("The gates are on again {}.", scope.place())),
    }
    tell_what_is_left(host, which.gate.as_deref());
    Ok(())
}

/// Says what still switches the same gates off.
fn tell_what_is_left(host: &Host, gate: Option<&str>) {
    let here = here(host);
    let left = Switches::read_for(host, None, here.as_ref());
    let same = |it: &&Switch| gate.is_none() || it.gate.is_none() || it.gate.as_deref() == gate;
    let holds = |it: &&Switch| it.scope.holds(None, here.as_ref());
    for switch in left.kept.iter().filter(same).filter(holds) {
        let what = switch.gates();
        ui::say(&format!(
            "{what} still off {}. To switch back, run `{}`.",
            switch.scope.place(),
            switch.way_back_here()
        ));
    }
}

/// Finds out where a switch is to count, and clears away what has ended.
fn prepare(host: &Host, which: &GateChoice) -> Result<(PathBuf, Scope), GateError> {
    let data = host.data_dir().ok_or(GateError::Homeless)?;
    let scope = match &which.session {
        _ if which.everywhere => Scope::Everywhere,
        Some(id) => {
            let session = SessionId::parse(id);
            let session = session.ok_or_else(|| GateError::NoSession(visible::line(id, 64)))?;
            Scope::Session(redact::session(&session).to_string())
        }
        None => {
            let directory = host.current_dir().map_err(GateError::Directory)?;
            let seen = project::look(&directory, host.home().as_deref());
            Scope::Project(seen.ok_or(GateError::NoProject)?.place.as_str().to_owned())
        }
    };
    Switches::read(host).forget_ended().map_err(wrong(&data))?;
    Ok((data, scope))
}

fn wrong(data: &Path) -> impl Fn(io::Error) -> GateError {
    let path = switch::directory(data);
    move |source| GateError::Write { path: path.clone(), source }
}

fn here(host: &Host) -> Option<Seen> {
    project::look(&host.current_dir().ok()?, host.home().as_deref())
}

fn shown(path: &Path) -> String {
    visible::line(&path.to_string_lossy(), 300)
}

/// What switches gates off, each in a sentence.
pub(super) fn said(switches: &Switches) -> Vec<String> {
    let variable = (switches.variable == Variable::Off)
        .then(|| format!("All gates are off: the environment has {}=off.", env::WINDLASS_GATES));
    let kept = switches
        .kept
        .iter()
        .map(|it| format!("{} To switch back, run `{}`.", it.sentence(), it.way_back()));
    let broken = switches.broken.iter().map(|it| {
        let (file, why) = (shown(&it.path), &it.why);
        let next = if it.is_removable {
            "run `windlass gate on` to remove it"
        } else {
            "look at it, and remove what you did not put there"
        };
        format!("{file} switches nothing off: {why}. Next: {next}.")
    });
    let settings = switches.in_settings.iter().map(|it| {
        format!("The gate `{it}` is off in the settings. `windlass config` shows where.")
    });
    let ignored = switches.ignored.iter().map(|it| it.sentence());
    variable.into_iter().chain(kept).chain(broken).chain(settings).chain(ignored).collect()
}

/// A switch as programs read it.
#[derive(Debug, Serialize)]
pub(super) struct SwitchJson<'a> {
    /// Null is all gates.
    gate: Option<&'a str>,
    scope: &'static str,
    of: Option<&'a str>,
    until: Option<String>,
}

/// Everything that switches gates off, as programs read it.
#[derive(Debug, Serialize)]
pub(super) struct SwitchesJson<'a> {
    environment: bool,
    switches: Vec<SwitchJson<'a>>,
    broken: Vec<&'a Path>,
    /// Gates that the settings switch off.
    settings: Vec<&'static str>,
    /// Variables that do not count because the user did not give them.
    ignored: Vec<&'static str>,
}

impl<'a> SwitchesJson<'a> {
    pub(super) fn of(switches: &'a Switches) -> Self {
        let switch = |it: &'a Switch| SwitchJson {
            gate: it.gate.as_deref(),
            scope: it.scope.word(),
            of: it.scope.of(),
            until: it.until.map(time::utc),
        };
        Self {
            environment: switches.variable == Variable::Off,
            switches: switches.kept.iter().map(switch).collect(),
            broken: switches.broken.iter().map(|it| it.path.as_path()).collect(),
            settings: switches.in_settings.clone(),
            ignored: switches.ignored.iter().map(|it| it.name).collect(),
        }
    }
}

/// A gate as programs read it.
#[derive(Debug, Serialize)]
pub(super) struct GateJson {
    gate: &'static str,
    about: &'static str,
    mode: &'static str,
    origin: &'static str,
    /// What switches it off here; empty where nothing does.
    off: Vec<String>,
}

#[derive(Debug, Serialize)]
struct CapJson {
    key: &'static str,
    value: u32,
    origin: &'static str,
}

#[derive(Debug, Serialize)]
struct ListJson<'a> {
    gates: Vec<GateJson>,
    caps: Vec<CapJson>,
    off: SwitchesJson<'a>,
}

/// The gates as they are here.
pub(super) fn here_with(host: &Host, loaded: &Loaded, switches: &Switches) -> Vec<GateJson> {
    let off = switches.off(None, here(host).as_ref());
    let gates = GATES.iter().map(|gate| {
        let off = off.iter().filter(|it| it.covers(gate.name));
        GateJson {
            gate: gate.name,
            about: gate.about,
            mode: Mode::WORDS[mode(loaded, gate) as usize],
            origin: origin(loaded, gate),
            off: off.map(|it| it.by.clone()).collect(),
        }
    });
    gates.collect()
}

fn list(host: &Host, form: Form) -> Result<(), GateError> {
    let directory = host.current_dir().map_err(GateError::Directory)?;
    let loaded = config::load(host, surroundings::root_of(host, &directory).as_deref());
    let switches = Switches::read_for(host, None, here(host).as_ref());
    let switches = switches.with_settings(&loaded.policy.gates);
    let gates = here_with(host, &loaded, &switches);
    let list = ListJson { gates, caps: caps(&loaded), off: SwitchesJson::of(&switches) };
    match form {
        Form::Json => ui::json(&list),
        Form::Text => show(&list, &switches, Colour::of(host)),
    }
    Ok(())
}

/// The switch of a gate that has no mode of its own: it asks where that is on.
fn switch_of(gate: &Gate) -> Option<&'static str> {
    gate.name.starts_with("states").then_some("readers.ralph")
}

fn mode(loaded: &Loaded, gate: &Gate) -> Mode {
    let is_off = switch_of(gate).is_some() && !loaded.policy.readers.ralph;
    if is_off { Mode::Off } else { (gate.mode)(&loaded.policy.gates) }
}

fn origin(loaded: &Loaded, gate: &Gate) -> &'static str {
    if gate.caps == Caps::Own {
        // It has no setting: nothing asks until the user has started it.
        return "on demand";
    }
    let key = switch_of(gate).map_or_else(|| format!("gates.{}.mode", gate.name), str::to_owned);
    loaded.origin_of(&key).as_str()
}

fn caps(loaded: &Loaded) -> Vec<CapJson> {
    let gates = &loaded.policy.gates;
    let cap = |key, value| CapJson { key, value, origin: loaded.origin_of(key).as_str() };
    vec![
        cap("gates.asks_per_prompt", gates.asks_per_prompt),
        cap("gates.asks_per_session", gates.asks_per_session),
        cap("gates.minutes", gates.minutes),
    ]
}

fn show(list: &ListJson<'_>, switches: &Switches, colour: Colour) {
    for gate in &list.gates {
        ui::say(&format!("{}  {} ({})", colour.bold(gate.gate), gate.mode, gate.origin));
        ui::say(&format!("  {}", gate.about));
        for by in &gate.off {
            ui::say(&format!("  {}", colour.bad(&format!("Switched off by {by}."))));
        }
    }
    ui::say("");
    ui::say(&colour.bold("Caps"));
    let row = |it: &CapJson| [format!("  {}", it.key), it.value.to_string(), it.origin.to_owned()];
    ui::table(&list.caps.iter().map(row).collect::<Vec<_>>());
    ui::say("");
    let said = said(switches);
    for text in &said {
        ui::say(&colour.bad(text));
    }
    if said.is_empty() {
        ui::say("Nothing is switched off. To let the agent stop, run `windlass gate off`.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::KEYS;

    #[test]
    fn every_gate_has_a_key_for_its_mode() {
        for gate in GATES.iter().filter(|it| it.caps != Caps::Own) {
            let mode = || format!("gates.{}.mode", gate.name);
            let name = switch_of(gate).map_or_else(mode, str::to_owned);
            assert!(KEYS.iter().any(|it| it.name == name), "{name}");
        }
    }
}
