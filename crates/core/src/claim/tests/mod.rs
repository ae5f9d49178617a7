//! Tables of messages, with what each is to be taken for.

mod attack;
mod corpus;
mod laws;
mod message;
mod silent;
mod spoken;
mod tongues;

use super::{Claimed, claims};
use crate::Excerpt;

fn subjects(message: &str) -> Vec<Claimed> {
    claims(&Excerpt::of(message)).into_iter().map(|claim| claim.what).collect()
}

/// Every message of a table makes exactly these claims.
fn each_claims(table: &[(&str, &[Claimed])]) {
    let wrong: Vec<_> = table
        .iter()
        .filter(|(message, expected)| subjects(message) != *expected)
        .map(|(message, expected)| {
            format!("{message:?}: {:?}, not {expected:?}", subjects(message))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// No message of a table makes a claim.
fn none_claims(table: &[&str]) {
    let rows: Vec<(&str, &[Claimed])> = table.iter().map(|message| (*message, &[][..])).collect();
    each_claims(&rows);
}
