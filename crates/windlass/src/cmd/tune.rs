//! From how sure on something is captured and asked about, fitted to what the user settled.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::Serialize;
use windlass_core::memory::Role;
use windlass_core::policy::{Profile, Triage};
use windlass_core::triage::own_ask_at;
use windlass_core::triage::tune::{
    Count, LEAST_OF_EACH, LEAST_SETTLED, Level, TooFew, Tuning, tune,
};

use super::show::{self, ShowError};
use super::{CommandError, Form};
use crate::Host;
use crate::agent::user::{self, Refusal};
use crate::cli::Tune;
use crate::config::{self, EditError, Edited, Value};
use crate::store::StoreError;
use crate::ui::{self, Colour, Column, Table};

const CAPTURE_AT: &str = "triage.capture_at";
const ASK_AT: &str = "triage.ask_at";

/// Why nothing was fitted, or not put into the settings.
#[derive(Debug, thiserror::Error)]
pub(super) enum TuneError {
    #[error(
        "fit to so little: {kept} kept and {rejected} rejected; it takes {LEAST_SETTLED} settled \
         candidates, {LEAST_OF_EACH} of each kind"
    )]
    TooFew { kept: usize, rejected: usize },
    #[error("fit the profile `document`: it counts words, and has thresholds of its own")]
    Profile,
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Show(#[from] ShowError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Settings(#[from] EditError),
}

impl CommandError for TuneError {
    fn hint(&self) -> Cow<'static, str> {
        match self {
            Self::TooFew { .. } => {
                "settle more of them: `windlass candidates --all` lists them".into()
            }
            Self::Profile => {
                "set `triage.thresholds.*`, or `triage.profile = \"calibrated\"`".into()
            }
            Self::Refused(refusal) => refusal.hint().into(),
            Self::Show(error) => error.hint(),
            Self::Store(error) => error.hint().into(),
            Self::Settings(error) => error.hint().into(),
        }
    }
}

/// Shows what would change, or changes it.
pub(super) fn run(host: &Host, asked: &Tune) -> Result<(), TuneError> {
    if asked.apply {
        user::refuse_agents(host)?;
    }
    // Candidates of all projects are fitted to, so what a project says is left out.
    let settings = config::load_user(host).policy.triage;
    if settings.profile == Profile::Document {
        return Err(TuneError::Profile);
    }
    let store = show::ledger(host)?.ok_or(ShowError::Nothing)?;
    let tuning = tune(&store.weighed()?, &settings)
        .map_err(|TooFew(Count { kept, rejected })| TuneError::TooFew { kept, rejected })?;
    let values: Vec<_> = [(CAPTURE_AT, tuning.capture), (ASK_AT, tuning.ask)]
        .into_iter()
        .filter_map(|(key, level)| Some((key, Value::Number(level.proposed?))))
        .collect();
    let is_applied = asked.apply && !values.is_empty();
    let edited = is_applied.then(|| Edited::of(host, &values)).transpose()?;
    edited.as_ref().map(Edited::write).transpose()?;
    let file = edited.map(|it| it.path);
    match asked.listing.form() {
        Form::Json => ui::json(&TuningJson::of(&tuning, &settings, file)),
        Form::Text => say(&tuning, &settings, file, Colour::of(host)),
    }
    Ok(())
}

fn say(tuning: &Tuning, settings: &Triage, file: Option<PathBuf>, colour: Colour) {
    let Count { kept, rejected } = tuning.settled;
    ui::say(&format!(
        "Settled so far: {}, {kept} kept and {rejected} rejected.",
        ui::amount(kept + rejected, "candidate")
    ));
    let mut table = Table::new([
        Column::left("setting"),
        Column::left("now"),
        Column::right("proposed"),
        Column::right("right now"),
        Column::right("right then"),
        Column::left("of the past"),
    ]);
    table.add(row(CAPTURE_AT, &tuning.capture, tuning.capture.now.to_string(), "found"));
    table.add(row(ASK_AT, &tuning.ask, own(settings), "asked about"));
    ui::show(
        &table.show(colour, |at, cell| if at == 2 { colour.bold(cell) } else { cell.to_owned() }),
    );
    ui::say(
        "What was not captured is not known, so a lower `triage.capture_at` is never proposed.",
    );
    let is_other = tuning.capture.proposed.or(tuning.ask.proposed).is_some();
    match file {
        Some(file) => ui::say(&format!("Changed {}.", ui::path(&file))),
        None if is_other => ui::say("Next: `windlass tune --apply` puts it into your settings."),
        None => ui::say("Nothing speaks for another level. Nothing is to be done."),
    }
}

/// The level in words: where nothing is set it hangs on who speaks.
fn own(settings: &Triage) -> String {
    match settings.ask_at {
        0 => format!("{} or {}", own_ask_at(Role::Agent), own_ask_at(Role::User)),
        level => level.to_string(),
    }
}

fn row(key: &str, level: &Level, now: String, did: &str) -> [String; 6] {
    let Level { proposed, above_now, above_then, .. } = *level;
    let share = |count: Count| {
        (count.kept * 100 + count.all() / 2).checked_div(count.all()).map(|it| format!("{it} %"))
    };
    let share = |count| share(count).unwrap_or_else(|| "-".to_owned());
    let (new, then) = match proposed {
        Some(level) => (level.to_string(), share(above_then)),
        None => ("-".to_owned(), "-".to_owned()),
    };
    [key.to_owned(), now, new, share(above_now), then, difference(above_now, above_then, did)]
}

/// What of the past would be other.
fn difference(now: Count, then: Count, did: &str) -> String {
    let (more, fewer) = (then.all() > now.all(), then.all() < now.all());
    let (count, kept) = (then.all().abs_diff(now.all()), then.kept.abs_diff(now.kept));
    match (more, fewer) {
        (true, _) => format!("{count} more {did}, {kept} of them kept"),
        (_, true) => format!("{count} not {did} any more, {kept} of them kept"),
        _ => "the same".to_owned(),
    }
}

#[derive(Debug, Serialize)]
struct TuningJson {
    settled: CountJson,
    capture_at: LevelJson,
    ask_at: LevelJson,
    /// Where it was put, if it was.
    applied: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
struct LevelJson {
    /// The setting as it is; 0 leaves it to the detector.
    now: u32,
    proposed: Option<u32>,
    above_now: CountJson,
    above_then: CountJson,
}

#[derive(Debug, Serialize)]
struct CountJson {
    kept: usize,
    rejected: usize,
}

impl TuningJson {
    fn of(tuning: &Tuning, settings: &Triage, applied: Option<PathBuf>) -> Self {
        Self {
            settled: CountJson::of(tuning.settled),
            capture_at: LevelJson::of(&tuning.capture, settings.capture_at),
            ask_at: LevelJson::of(&tuning.ask, settings.ask_at),
            applied,
        }
    }
}

impl LevelJson {
    fn of(level: &Level, now: u32) -> Self {
        let Level { proposed, above_now, above_then, .. } = *level;
        let (above_now, above_then) = (CountJson::of(above_now), CountJson::of(above_then));
        Self { now, proposed, above_now, above_then }
    }
}

impl CountJson {
    fn of(Count { kept, rejected }: Count) -> Self {
        Self { kept, rejected }
    }
}
