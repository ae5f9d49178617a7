//! The weights that the detector is built with, made again from labelled sessions.

use std::error::Error;
use std::path::Path;

use windlass_core::memory::Role;
use windlass_core::triage::fit::{Fitted, fit};

use super::data::Data;
use super::error::EvalError;

/// The text of `core/triage/weights.rs`, from a directory of labelled sessions.
pub fn fitted(directory: &Path) -> Result<String, Box<dyn Error>> {
    let data = Data::read(directory)?;
    let agent = fit(&data.examples, Role::Agent).ok_or(EvalError::TooFew { who: "the agent" })?;
    let user = fit(&data.examples, Role::User).ok_or(EvalError::TooFew { who: "the user" })?;
    let parts = [
        HEAD.to_owned(),
        part("What the agent says.", "AGENT", &agent),
        part("What the user says.", "USER", &user),
    ];
    Ok(parts.concat())
}

const HEAD: &str = "\
//! What each feature weighs: made by `cargo xtask fit`, and not by hand.

use super::Feature;
use super::decision::Weights;
";

fn part(about: &str, name: &str, fitted: &Fitted) -> String {
    let Fitted { intercept, strong, features } = fitted;
    let mut lines = vec![
        String::new(),
        format!("/// {about}"),
        format!("pub(super) const {name}: Weights<'static> = Weights {{"),
        format!("    intercept: {},", number(*intercept)),
        format!("    strong: {},", number(*strong)),
        "    features: &[".to_owned(),
    ];
    for (feature, weight) in features.iter().filter(|it| it.1.abs() >= 0.0005) {
        lines.push(format!("        (Feature::{feature:?}, {}),", number(*weight)));
    }
    lines.extend(["    ],", "};", ""].map(str::to_owned));
    lines.join("\n")
}

/// Three places are enough: data do not tell more.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let short = text.trim_end_matches('0');
    if short.ends_with('.') { format!("{short}0") } else { short.to_owned() }
}
