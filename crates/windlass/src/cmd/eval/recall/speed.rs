//! How long it takes to find something among many.

use std::time::Instant;
use std::{fs, io, process};

use windlass_core::recall::{DEEP, Query, Search};

use super::figures::Speed;
use super::set::{Document, Set};
use crate::Host;
use crate::index::{self, Index, Scope};

/// Of how many documents it is asked.
pub(super) const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// Questions that are asked of each size.
const ASKED: usize = 200;

/// Opens an index anew for each question, as a hook does. What the system has read of it is warm.
pub(super) fn measure(host: &Host, set: &Set, sizes: &[usize]) -> io::Result<Vec<Speed>> {
    let name = format!("windlass-eval-{}-{}", process::id(), host.now.0);
    let directory = host.temporary_dir().join(name);
    let documents: Vec<_> = set.groups.values().flatten().collect();
    let all = sizes.iter().map(|&size| {
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
                    Search::new(&segments, &query).best(&query, DEEP, None);
                }
                u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX)
            })
            .collect();
        times.sort_unstable();
        let at = |per_cent: usize| times.get(times.len() * per_cent / 100).copied();
        let [p50_us, p99_us] = [50, 99].map(|it| at(it).unwrap_or_default());
        Ok(Speed { documents: size, bytes: bytes.len(), p50_us, p99_us })
    });
    let measured: io::Result<Vec<_>> = all.collect();
    if !sizes.is_empty() {
        fs::remove_dir_all(&directory)?;
    }
    measured
}

/// Two documents of the set and a word that few have, so that there are as many as are wanted and
/// no two are the same.
fn text(documents: &[&Document], number: usize) -> String {
    let [one, other] = [number, number * 7919 + 1].map(|it| &documents[it % documents.len()].text);
    format!("{one} {other} n{}x", number % 9973)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::measure;
    use crate::Host;
    use crate::cmd::eval::recall::set::{Document, Question, Set};

    #[test]
    fn every_size_is_asked_and_nothing_is_left() {
        let document = Document { id: "a".to_owned(), text: "the cache key".to_owned() };
        let question = Question {
            text: "cache".to_owned(),
            relevant: vec!["a".to_owned()],
            category: String::new(),
            group: String::new(),
            exclude: Vec::new(),
        };
        let groups = BTreeMap::from([(String::new(), vec![document])]);
        let set = Set { groups, questions: vec![question] };
        let speeds = measure(&Host::from_process(), &set, &[10, 20]).unwrap();
        let sizes: Vec<_> = speeds.iter().map(|it| it.documents).collect();
        assert_eq!(sizes, [10, 20]);
        assert!(speeds[1].bytes > speeds[0].bytes);
    }
}
