//! The weights that the detector is built with, made again from labelled sessions.

use std::error::Error;
use std::fmt::Write as _;
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
    let mut text = "//! What each feature weighs: made by `cargo xtask fit`, and not by hand.\n\n\
        use super::Feature;\nuse super::decision::Weights;\n"
        .to_owned();
    add(&mut text, "What the agent says.", "AGENT", &agent);
    add(&mut text, "What the user says.", "USER", &user);
    Ok(text)
}

fn add(text: &mut String, about: &str, name: &str, fitted: &Fitted) {
    let Fitted { intercept, strong, features } = fitted;
    let mut rows = String::new();
    for (feature, weight) in features.iter().filter(|it| it.1.abs() >= 0.0005) {
        #[expect(clippy::let_underscore_must_use, reason = "a string takes everything")]
        let _ = writeln!(rows, "        (Feature::{feature:?}, {}),", number(*weight));
    }
    *text += &format!(
        "\n/// {about}\npub(super) const {name}: Weights<'static> = Weights {{\n    intercept: {},\n    \
         strong: {},\n    features: &[\n{rows}    ],\n}};\n",
        number(*intercept),
        number(*strong)
    );
}

/// Three places are enough: data do not tell more.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let short = text.trim_end_matches('0');
    if short.ends_with('.') { format!("{short}0") } else { short.to_owned() }
}
