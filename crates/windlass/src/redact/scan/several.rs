//! Secrets before or beyond the place that led to them.

use super::super::follow;
use super::super::judge::{self, Place};
use super::super::link;
use super::super::rule::{Act, Finding};
use super::super::value;
use super::super::word::Hit;
use super::{Scan, cells, lists};

/// Each look may read some thousand bytes: a text that is nothing but names is not read through.
const LOOKS: usize = 256;

impl Scan<'_> {
    /// Adds a finding that may lie before others.
    pub(super) fn add(&mut self, finding: Finding, end: usize) -> usize {
        if finding.start >= self.floor() && finding.start >= end {
            return self.keep(finding);
        }
        self.beyond.push(finding);
        end
    }

    /// Looks for secrets that do not follow the name at `hit`: they are fed to its program, or are some
    /// of several.
    pub(super) fn several(&mut self, hit: Hit) {
        let bytes = self.bytes;
        let named = matches!(hit.act, Act::Password | Act::Phrase | Act::Token | Act::Many);
        if !named || self.looks == LOOKS {
            return;
        }
        self.looks += 1;
        let mut found = lists::entries(bytes, hit);
        if hit.name == "secret" {
            found.extend(lists::kubernetes(bytes, hit));
            found.extend(follow::stored(bytes, hit, self.floor()));
        }
        if found.is_empty() && hit.act != Act::Many {
            found = cells::below(bytes, hit);
        }
        if found.is_empty() && hit.act != Act::Many {
            found = lists::inserted(bytes, hit);
        }
        if found.is_empty() && hit.act == Act::Password {
            found = follow::changed(bytes, hit);
        }
        if found.is_empty()
            && hit.act == Act::Password
            && let Some(value) = follow::here(bytes, hit)
            && value.start > hit.end
            && judge::is_secret(bytes, &value, Act::Password, Place::Setting)
        {
            found.push(Finding { start: value.start, end: value.end, name: hit.name });
        }
        // `set_secret("name", "value")`, `set_password("service", "bob", "value")`.
        let kept = hit.act == Act::Password || hit.name == "secret";
        if found.is_empty()
            && kept
            && bytes.get(hit.end) == Some(&b'(')
            && link::is_keeper(bytes, hit.start)
        {
            found.extend(follow::call(bytes, hit));
        }
        if found.is_empty() && hit.act != Act::Many {
            found.extend(follow::called(bytes, hit));
        }
        if found.is_empty() && hit.act == Act::Password {
            found.extend(follow::typed(bytes, hit));
        }
        self.beyond.extend(found);
    }
}

/// Adds findings to others, in order and apart from each other.
#[cold]
pub(super) fn join(bytes: &[u8], found: &mut Vec<Finding>, beyond: Vec<Finding>) {
    found.extend(beyond.into_iter().filter_map(|it| {
        let start = value::char_start(bytes, it.start);
        let end = value::on_boundary(bytes, it.end);
        (start < end).then_some(Finding { start, end, ..it })
    }));
    found.sort_by_key(|it| it.start);
    let mut last = 0;
    found.retain_mut(|it| {
        it.start = it.start.max(last);
        last = last.max(it.end);
        it.start < it.end
    });
}
