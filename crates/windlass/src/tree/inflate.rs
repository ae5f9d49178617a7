//! Compressed bytes, into no more room than they may take.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_PARSE_ZLIB_HEADER,
    TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use super::error::TreeError;

const DAMAGED: TreeError = TreeError::Damaged("an object of the repository");

/// Inflates exactly `size` bytes. `fill` puts the next deflated bytes into a buffer and tells how
/// many; none are the end.
pub(super) fn inflate(
    size: usize,
    mut fill: impl FnMut(&mut [u8]) -> Result<usize, TreeError>,
) -> Result<Vec<u8>, TreeError> {
    let mut state = DecompressorOxide::new();
    let mut piece = [0; 4096];
    // One byte more: what is longer than it says must be seen.
    let mut out = vec![0; size + 1];
    let mut filled = 0;
    loop {
        let length = fill(&mut piece)?;
        let more = if length == 0 { 0 } else { TINFL_FLAG_HAS_MORE_INPUT };
        let flags = TINFL_FLAG_PARSE_ZLIB_HEADER | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF | more;
        let (status, _, written) =
            decompress(&mut state, &piece[..length], &mut out, filled, flags);
        filled += written;
        match status {
            TINFLStatus::NeedsMoreInput if length > 0 => {}
            TINFLStatus::Done if filled == size => {
                out.truncate(size);
                return Ok(out);
            }
            _ => return Err(DAMAGED),
        }
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
