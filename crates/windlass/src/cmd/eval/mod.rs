//! How right windlass is on what somebody labelled.

mod data;
mod error;
mod events;
mod figures;
mod predict;
mod recall;
mod text;
mod units;
#[cfg(any(test, feature = "testing"))]
mod weights;

use std::process::ExitCode;

use windlass_core::policy::{Profile, Triage};

use crate::cli::{EvalCommand, EvalProfile, EvalTriage};
use crate::ui::Colour;
use crate::{Host, ui};

use data::Data;
use error::EvalError;
use figures::Figures;

#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub use weights::fitted;

/// Measures, or shows what can be labelled.
pub(super) fn run(host: &Host, command: &EvalCommand) -> Result<ExitCode, EvalError> {
    match command {
        EvalCommand::Triage(options) => triage(host, options)?,
        EvalCommand::Recall(options) => recall::run(host, options)?,
        EvalCommand::Units { file } => units::show(file)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads labelled sessions, judges them and shows how that went.
fn triage(host: &Host, options: &EvalTriage) -> Result<(), EvalError> {
    let data = Data::read(&options.data)?;
    let profile = match options.profile {
        EvalProfile::Calibrated => Profile::Calibrated,
        EvalProfile::Document => Profile::Document,
    };
    // A session is judged whole, whatever is looked at when an agent stops.
    let settings = Triage { profile, max_messages: u32::MAX, ..Triage::default() };
    let predictions = match profile {
        Profile::Calibrated => predict::held_out(&data, &settings)?,
        Profile::Document => predict::by_document(&data, &settings),
    };
    let figures = Figures::of(&data, &predictions, profile);
    if options.json {
        ui::json(&figures);
    } else {
        text::show(&figures, Colour::of(host));
    }
    Ok(())
}
