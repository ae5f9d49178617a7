//! How the working tree differs from the last commit.

use std::path::Path;
use std::time::Instant;

use windlass_core::Timestamp;
use windlass_core::gate;
use windlass_core::work::Touched;

use crate::failure;
use crate::tree::{LIMIT, Tree};

/// Looks at the working tree with this root, for a moment.
pub(super) fn tree(root: Option<&Path>, since: Timestamp) -> gate::Tree {
    let Some(root) = root else { return gate::Tree::None };
    let deadline = Instant::now() + LIMIT;
    let touched = match Tree::open(root) {
        Ok(None) => return gate::Tree::None,
        Ok(Some(tree)) => tree.touched(since.0, deadline),
        Err(error) => Err(error),
    };
    match touched {
        Ok(touched) => gate::Tree::Seen(
            touched
                .into_iter()
                .map(|it| Touched {
                    file: root.join(it.path).to_string_lossy().into_owned(),
                    at: it.at.map(Timestamp),
                })
                .collect(),
        ),
        Err(error) => gate::Tree::Unseen(failure::chain(&error)),
    }
}
