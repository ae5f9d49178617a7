//! Sessions played to their stops.

mod agents;
mod checks;
mod claims;
mod laws;
mod proofs;
mod shell;
mod stops;
