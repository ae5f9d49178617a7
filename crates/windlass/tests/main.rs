//! Tests of the real binary, in one test program so that it is linked once.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tests"
)]

mod agents;
mod authors;
mod briefs;
mod callers;
mod checks;
mod cli;
mod client;
mod concurrency;
mod config;
mod demo;
mod docs;
mod doctor;
mod elsewhere;
mod endings;
mod eval;
mod failures;
mod faults;
mod flushed;
mod forget;
mod garbage;
mod gates;
mod import;
mod imports;
mod init;
mod kills;
mod knowledge;
mod ledger;
mod loops;
mod losses;
mod mcp;
mod memories;
mod mounts;
mod payloads;
mod projects;
mod quiet_turns;
mod readers;
mod recall;
mod refusals;
mod replay;
mod retention;
mod secrets;
mod status;
mod support;
mod switches;
mod transcripts;
mod trees;
mod trust;
mod written;
