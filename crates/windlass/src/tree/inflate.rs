//! Compressed bytes, into no more room than they may take.

use std::fmt;

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_PARSE_ZLIB_HEADER,
    TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use super::error::TreeError;

/// Bytes that are read at once.
const PIECE: usize = 4096;

const DAMAGED: TreeError = TreeError::Damaged("an object of the repository");

/// What inflates one object after the other: some kilobytes that need not be made anew for each.
pub(super) struct Inflater {
    state: Box<DecompressorOxide>,
    buffer: Box<[u8]>,
}

impl Default for Inflater {
    fn default() -> Self {
        Self { state: Box::default(), buffer: vec![0; PIECE].into() }
    }
}

impl Inflater {
    /// Inflates exactly `size` bytes. `first` are the first deflated bytes, and `fill` puts the next
    /// ones into a buffer and tells how many; none are the end.
    pub(super) fn inflate(
        &mut self,
        size: usize,
        first: &[u8],
        mut fill: impl FnMut(&mut [u8]) -> Result<usize, TreeError>,
    ) -> Result<Vec<u8>, TreeError> {
        self.state.init();
        // One byte more: what is longer than it says must be seen.
        let mut out = vec![0; size + 1];
        let mut filled = 0;
        let mut piece = first;
        loop {
            let more = if piece.is_empty() { 0 } else { TINFL_FLAG_HAS_MORE_INPUT };
            let flags =
                TINFL_FLAG_PARSE_ZLIB_HEADER | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF | more;
            let (status, _, written) = decompress(&mut self.state, piece, &mut out, filled, flags);
            filled += written;
            match status {
                TINFLStatus::NeedsMoreInput if more != 0 => {}
                TINFLStatus::Done if filled == size => {
                    out.truncate(size);
                    return Ok(out);
                }
                _ => return Err(DAMAGED),
            }
            let length = fill(&mut self.buffer)?;
            piece = &self.buffer[..length];
        }
    }
}

impl fmt::Debug for Inflater {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Inflater")
    }
}

/// Inflates the beginning: as much as fits into `out`. Tells how much that was.
pub(super) fn beginning(deflated: &[u8], out: &mut [u8]) -> Result<usize, TreeError> {
    let mut state = DecompressorOxide::new();
    let flags = TINFL_FLAG_PARSE_ZLIB_HEADER
        | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
        | TINFL_FLAG_HAS_MORE_INPUT;
    let (status, _, written) = decompress(&mut state, deflated, out, 0, flags);
    match status {
        TINFLStatus::Done | TINFLStatus::HasMoreOutput | TINFLStatus::NeedsMoreInput => Ok(written),
        _ => Err(DAMAGED),
    }
}
