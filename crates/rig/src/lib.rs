//! Runs the real client against a scripted model, without a network.
//!
//! A [`Sandbox`] is the whole world of the client: its home, its settings, one project. Each run in
//! it starts the client in namespaces of its own, where only the loopback device exists and where a
//! scripted API plays the model. The [`Outcome`] holds what the model saw and what the client said.
//! A second run in the same sandbox finds the sessions of the first.
//!
//! ```ignore
//! let Some(client) = or_skip(Client::find(VERSIONS[0])) else { return Ok(()) };
//! let sandbox = Sandbox::new()?;
//! sandbox.register(&EVENTS, &[sandbox.recorder(), Hook::new(windlass, ["hook"])])?;
//! let script = Script::new([turn("a test").bash("cargo test"), turn("done")]);
//! let outcome = sandbox.run(&client, script).prompt("fix it").print()?;
//! assert!(outcome.hook_errors().is_empty());
//! assert!(!outcome.saw("windlass"));
//! ```
//!
//! The library starts the program `rig` of the same build, so `cargo build -p windlass-rig` comes
//! first. With `WINDLASS_RIG_KEEP` set, sandboxes stay where they are.

mod api;
mod client;
mod environment;
mod error;
mod hook;
mod missing;
mod outcome;
mod program;
mod recording;
mod request;
mod run;
mod sandbox;
pub mod scenarios;
mod script;
mod spec;
mod terminal;

pub use client::{Client, VERSIONS};
pub use error::RunError;
pub use hook::{EVENTS, Hook};
pub use missing::{Missing, or_skip};
pub use outcome::{HookCall, Outcome};
pub use program::program;
pub use recording::{Recorded, strands};
pub use request::{Kind, Request};
pub use run::Run;
pub use sandbox::Sandbox;
pub use script::{Agent, ApiError, Script, ToolUse, Turn, turn};
pub use terminal::{Condition, Live, Step};
