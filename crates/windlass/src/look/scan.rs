//! How the working tree differs from what was committed when the user spoke.

use std::path::Path;
use std::time::Instant;

use windlass_core::gate;
use windlass_core::work::Touched;
use windlass_core::{Timestamp, Work};

use super::plain_scan;
use crate::tree::{LIMIT, Tree, TreeError};
use crate::{failure, journal};

/// Looks at the working tree with this root and at others that hold work, for a moment.
pub(super) fn tree(
    root: Option<&Path>,
    others: &[&Path],
    work: &Work,
    since: Timestamp,
) -> gate::Tree {
    let deadline = Instant::now() + LIMIT;
    let (mut touched, mut same, mut is_seen) = (Vec::new(), Vec::new(), false);
    let mut plain: Vec<Touched> = Vec::new();
    for root in root.into_iter().chain(others.iter().copied()) {
        match one(root, work, since, deadline) {
            Ok(None) => plain.extend(plain_scan::touched(root, work, since, deadline)),
            Ok(Some(difference)) => {
                touched.extend(difference.touched);
                same.extend(difference.same);
                is_seen = true;
            }
            Err(error) => {
                let why = format!("{} ({})", failure::chain(&error), error.hint());
                return gate::Tree::Unseen(why);
            }
        }
    }
    if !is_seen {
        return gate::Tree::Plain(plain);
    }
    // Nobody commits what lies in no repository.
    touched.extend(plain.into_iter().map(|it| Touched { committed: true, ..it }));
    gate::Tree::Seen { touched, same }
}

/// How one working tree differs.
struct Difference {
    /// The files by which it differs.
    touched: Vec<Touched>,
    /// Files that were edited, and are as they were.
    same: Vec<Touched>,
}

/// Looks at one working tree; `None` where there is none.
fn one(
    root: &Path,
    work: &Work,
    since: Timestamp,
    deadline: Instant,
) -> Result<Option<Difference>, TreeError> {
    let Some(tree) = Tree::open(root)? else { return Ok(None) };
    let sight = tree.touched(since.0, deadline)?;
    // As the journal names files, so that they are known again.
    let name = |path: &Path| journal::file_name(&root.join(path).to_string_lossy()).to_string();
    let same = |file: &String| {
        let path = Path::new(file).strip_prefix(root).ok().filter(|it| sight.is_same(it))?;
        let at = tree.changed_at(path).map(Timestamp);
        Some(Touched { file: file.clone(), at, committed: true, is_gone: false })
    };
    let same = work.edits.iter().filter_map(|it| same(&it.file)).collect();
    let touched = sight.touched.iter().map(|it| Touched {
        file: name(&it.path),
        at: it.at.map(Timestamp),
        committed: it.committed,
        is_gone: it.is_gone,
    });
    Ok(Some(Difference { touched: touched.collect(), same }))
}
