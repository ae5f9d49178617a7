//! How long it takes to find something among many.

use std::time::Instant;
use std::{fs, io, process};

use windlass_core::recall::{Query, Search};

use super::figures::Speed;
use super::set::{Document, Set};
use crate::Host;
use crate::index::{self, Index, Scope};

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// Questions that are asked of each size.
const ASKED: usize = 200;

/// Opens an index anew for each question, as a hook does. What the system has read of it is warm.
pub(super) fn measure(host: &Host, set: &Set) -> io::Result<Vec<Speed>> {
    let name = format!("windlass-eval-{}-{}", process::id(), host.now.0);
    let directory = host.temporary_dir().join(name);
    let documents: Vec<_> = set.groups.values().flatten().collect();
    let all = SIZES.map(|size| {
        let texts: Vec<_> = (0..size).map(|it| text(&documents, it)).collect();
        let bytes = super::build(texts.iter().map(String::as_str));
        index::replace(&directory, Scope::Nowhere, &bytes)?;
        let mut times: Vec<_> = set
            .questions
            .iter()
            .take(ASKED)
            .map(|it| {
                let start = Instant::now();
                if let Some(index) = Index::open(&directory, Scope::Nowhere) {
                    let segments: Vec<_> = index.segment().into_iter().collect();
                    let query = Query::of(&it.text);
                    Search::new(&segments, &query).best(&query, super::CLOSELY, |_| true);
                }
                u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX)
            })
            .collect();
        times.sort_unstable();
        let at = |per_cent: usize| times.get(times.len() * per_cent / 100).copied();
        let [p50_us, p99_us] = [50, 99].map(|it| at(it).unwrap_or_default());
        Ok(Speed { documents: size, bytes: bytes.len(), p50_us, p99_us })
    });
    let measured = all.into_iter().collect();
    fs::remove_dir_all(&directory)?;
    measured
}

/// Two documents of the set and a word that few have, so that there are as many as are wanted and
/// no two are the same.
fn text(documents: &[&Document], number: usize) -> String {
    let [one, other] = [number, number * 7919 + 1].map(|it| &documents[it % documents.len()].text);
    format!("{one} {other} n{}x", number % 9973)
}
