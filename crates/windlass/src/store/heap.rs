//! SQLite's memory comes out of our own allocator.
//!
//! The C library asks the system for every page and gives it back at once; in a process that lives
//! a millisecond that is a fifth of the time. Ours hands out a block of the binary and never looks
//! back.
#![expect(unsafe_code, reason = "SQLite asks for memory through C functions")]
#![expect(clippy::cast_ptr_alignment, reason = "every piece is aligned to its header")]

use std::alloc::{Layout, alloc, dealloc, realloc};
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::Once;

use rusqlite::ffi;

/// Bytes before each piece, in which its size stands; as many as keep the alignment.
const HEADER: usize = 16;

static CONFIGURED: Once = Once::new();

/// Tells SQLite where its memory comes from. It listens only before it is first used; a process
/// in which it was used before goes on with what it has.
pub(super) fn configure() {
    CONFIGURED.call_once(|| {
        let methods = ffi::sqlite3_mem_methods {
            xMalloc: Some(take),
            xFree: Some(give_back),
            xRealloc: Some(resize),
            xSize: Some(size),
            xRoundup: Some(round_up),
            xInit: Some(begin),
            xShutdown: Some(end),
            pAppData: ptr::null_mut(),
        };
        // SAFETY: the methods are copied, and live as long as the program.
        unsafe {
            ffi::sqlite3_config(ffi::SQLITE_CONFIG_MALLOC, &raw const methods);
        }
    });
}

/// The layout of a piece with so many bytes for SQLite.
fn layout(size: c_int) -> Option<Layout> {
    let size = usize::try_from(size).ok()?;
    Layout::from_size_align(size.checked_add(HEADER)?, HEADER).ok()
}

unsafe extern "C" fn take(size: c_int) -> *mut c_void {
    let Some(layout) = layout(size) else { return ptr::null_mut() };
    // SAFETY: the layout has a size, and the header lies at the beginning of the piece.
    unsafe { sign(alloc(layout), size) }
}

unsafe extern "C" fn give_back(piece: *mut c_void) {
    // SAFETY: SQLite gives back what `take` or `resize` gave to it, once.
    unsafe {
        let Some(layout) = layout(size(piece)) else { return };
        dealloc(piece.cast::<u8>().sub(HEADER), layout);
    }
}

unsafe extern "C" fn resize(piece: *mut c_void, to: c_int) -> *mut c_void {
    // SAFETY: as above; the new size is not zero and does not overflow, or nothing is done.
    unsafe {
        let (Some(old), Some(new)) = (layout(size(piece)), layout(to)) else {
            return ptr::null_mut();
        };
        sign(realloc(piece.cast::<u8>().sub(HEADER), old, new.size()), to)
    }
}

/// Writes the size into the header and returns what comes after it.
///
/// # Safety
///
/// The block is null, or at least as long as the header and aligned to it.
unsafe fn sign(block: *mut u8, size: c_int) -> *mut c_void {
    if block.is_null() {
        return ptr::null_mut();
    }
    // SAFETY: by the promise of the caller.
    unsafe {
        block.cast::<c_int>().write(size);
        block.add(HEADER).cast()
    }
}

unsafe extern "C" fn size(piece: *mut c_void) -> c_int {
    // SAFETY: the header of a piece that SQLite holds.
    unsafe { piece.cast::<u8>().sub(HEADER).cast::<c_int>().read() }
}

unsafe extern "C" fn round_up(size: c_int) -> c_int {
    size.checked_add(7).map_or(size, |it| it & !7)
}

unsafe extern "C" fn begin(_: *mut c_void) -> c_int {
    ffi::SQLITE_OK
}

unsafe extern "C" fn end(_: *mut c_void) {}

#[cfg(test)]
mod tests {
    use super::{give_back, resize, size, take};

    #[test]
    fn a_piece_keeps_its_bytes_and_knows_its_size() {
        // SAFETY: every piece is written within its size and given back once.
        unsafe {
            let piece = take(100);
            assert!(piece.addr().is_multiple_of(16));
            piece.cast::<u8>().write_bytes(7, 100);
            let grown = resize(piece, 5000);
            assert_eq!(size(grown), 5000);
            assert!((0..100).all(|it| *grown.cast::<u8>().add(it) == 7));
            let shrunk = resize(grown, 10);
            assert_eq!((size(shrunk), *shrunk.cast::<u8>()), (10, 7));
            give_back(shrunk);
            assert!(take(-1).is_null());
        }
    }
}
