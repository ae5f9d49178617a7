//! How the working tree differs from what was committed when the user spoke.

use std::path::Path;
use std::time::Instant;

use windlass_core::gate;
use windlass_core::work::Touched;
use windlass_core::{Timestamp, Work};

use crate::tree::{LIMIT, Tree};
use crate::{failure, journal};

/// Looks at the working tree with this root, for a moment.
pub(super) fn tree(root: Option<&Path>, work: &Work, since: Timestamp) -> gate::Tree {
    let Some(root) = root else { return gate::Tree::None };
    let deadline = Instant::now() + LIMIT;
    let sight = match Tree::open(root) {
        Ok(None) => return gate::Tree::None,
        Ok(Some(tree)) => tree.touched(since.0, deadline),
        Err(error) => Err(error),
    };
    let sight = match sight {
        Ok(sight) => sight,
        Err(error) => {
            let why = format!("{} ({})", failure::chain(&error), error.hint());
            return gate::Tree::Unseen(why);
        }
    };
    // As the journal names files, so that they are known again.
    let name = |path: &Path| journal::file_name(&root.join(path).to_string_lossy()).to_string();
    let is_same =
        |file: &str| Path::new(file).strip_prefix(root).is_ok_and(|path| sight.is_same(path));
    let edited = work.edits.iter().map(|it| &it.file);
    let same = edited.filter(|it| is_same(it)).cloned().collect();
    let touched = sight.touched.iter().map(|it| Touched {
        file: name(&it.path),
        at: it.at.map(Timestamp),
        committed: it.committed,
    });
    gate::Tree::Seen { touched: touched.collect(), same }
}
