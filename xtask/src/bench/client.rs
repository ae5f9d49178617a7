//! The same session in the real client: without hooks, with `/bin/true` on the events that
//! windlass takes, and with windlass.

use std::path::Path;
use std::time::Duration;

use rig::{Client, EVENTS, Hook, RunError, Sandbox, VERSIONS, scenarios};

use super::report::percentile;
use super::rounds::Dice;
use crate::error::Error;
use crate::print::{self, Align};
use crate::{deps, host};

/// Tool calls in the session.
const CALLS: f64 = 40.0;

/// Who is called on the events.
struct Case {
    name: &'static str,
    hook: Option<Hook>,
    /// From the first to the last request to the model, in milliseconds.
    samples: Vec<f64>,
}

/// Measures and prints, or says why it cannot.
pub(super) fn run(binary: &Path, rounds: usize) -> Result<(), Error> {
    if let Err(reason) = deps::tools() {
        print::line(format!("\nThe real client was not measured: {reason}"));
        return Ok(());
    }
    host::run(host::cargo().args(["build", "--quiet", "--package", "windlass-rig"]))?;
    let client = match Client::fetch(VERSIONS[0]) {
        Ok(client) => client,
        Err(missing) => {
            print::line(format!("\nThe real client was not measured: {missing}"));
            return Ok(());
        }
    };
    let version = client.version();
    print::line(format!("\nForty tool calls in the client {version}, {rounds} sessions each."));
    let case = |name, hook| Case { name, hook, samples: Vec::new() };
    let mut cases = [
        case("without hooks", None),
        case("/bin/true", Some(Hook::new(Path::new("/bin/true"), []))),
        case("windlass", Some(Hook::new(binary, ["hook"]))),
    ];
    let mut order: Vec<usize> = (0..cases.len()).collect();
    let mut dice = Dice::new();
    for _ in 0..rounds {
        dice.shuffle(&mut order);
        for place in &order {
            let case = &mut cases[*place];
            let took = session(&client, case.hook.as_ref()).map_err(Error::client)?;
            case.samples.push(took.as_secs_f64() * 1e3);
        }
    }
    report(&mut cases);
    Ok(())
}

fn session(client: &Client, hook: Option<&Hook>) -> Result<Duration, RunError> {
    let sandbox = Sandbox::new()?;
    if let Some(hook) = hook {
        sandbox.register(&EVENTS, std::slice::from_ref(hook))?;
    }
    let outcomes = scenarios::forty_tool_calls().play(client, &sandbox)?;
    Ok(outcomes.iter().map(rig::Outcome::model_span).sum())
}

fn report(cases: &mut [Case]) {
    for case in cases.iter_mut() {
        case.samples.sort_by(f64::total_cmp);
    }
    let median = |case: &Case| percentile(&case.samples, 50);
    let bare = cases.first().map_or(f64::NAN, median);
    let cells = |case: &Case| {
        let p50 = median(case);
        [
            case.name.to_owned(),
            case.samples.len().to_string(),
            format!("{p50:.0}"),
            format!("{:.0}", percentile(&case.samples, 99)),
            format!("{:.3}", p50 / bare),
            format!("{:+.2}", (p50 - bare) / CALLS),
        ]
    };
    let rows: Vec<_> = cases.iter().map(cells).collect();
    let columns = [
        ("hook", Align::Left),
        ("n", Align::Right),
        ("p50 ms", Align::Right),
        ("p99 ms", Align::Right),
        ("x bare", Align::Right),
        ("ms a call", Align::Right),
    ];
    print::line("");
    print::table(columns, &rows);
}
