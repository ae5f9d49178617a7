//! The allocator: a block of the binary first, the system's after it.
//!
//! A hook lives for a fraction of a millisecond and allocates a few kilobytes. Asking the system
//! for them, and giving them back one by one just before the process ends, costs more than the
//! work itself. So the first allocations come out of a fixed block that is never given back to the system.
#![expect(unsafe_code, reason = "an allocator hands out raw memory")]
#![expect(clippy::cast_ptr_alignment, reason = "every piece is aligned for an address")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const SIZE: usize = 768 << 10;

/// Every piece is aligned as the C library would align it. The unwinder counts on that: it stores
/// a panic with instructions that fault on anything less, whatever layout it was asked for with.
const ALIGN: usize = 16;

/// Pieces up to this size are used again once they are free: what is touched for the first time
/// costs a page, and SQLite takes and gives back small pieces all the time.
const SMALL: usize = 1 << 10;

/// Pieces above this size are the system's: one of them would leave no room for thousands of others.
/// What grows up to it where it stands may stay there.
const LARGE: usize = 128 << 10;

/// Sizes of small pieces.
const CLASSES: usize = SMALL / ALIGN;

/// The global allocator of the binary.
#[derive(Debug)]
pub struct Arena {
    block: UnsafeCell<[u8; SIZE]>,
    used: AtomicUsize,
    free: Free,
}

/// What was given back, for one at a time.
#[derive(Debug)]
struct Free {
    pieces: UnsafeCell<Pieces>,
    /// Somebody is at it. Nobody waits for them: there is always more of the block, or a piece
    /// that is not used again.
    taken: AtomicBool,
}

#[derive(Debug)]
struct Pieces {
    /// Small ones, by their sizes: each holds the address of the next one.
    small: [*mut u8; CLASSES],
    /// A large one: where it begins and ends in the block. Whoever needs less takes a part of it: its
    /// pages were touched before.
    spare: Range<usize>,
}

// SAFETY: a piece of the block is handed out by an atomic step, and belongs to whoever asked for it
// until it is given back; what was given back is handed out again by one at a time.
unsafe impl Sync for Arena {}

impl Arena {
    /// An unused block.
    #[expect(
        clippy::new_without_default,
        clippy::large_stack_arrays,
        reason = "made once, at build time, in a static"
    )]
    pub const fn new() -> Self {
        let pieces = Pieces { small: [ptr::null_mut(); CLASSES], spare: 0..0 };
        let free = Free { pieces: UnsafeCell::new(pieces), taken: AtomicBool::new(false) };
        Self { block: UnsafeCell::new([0; SIZE]), used: AtomicUsize::new(0), free }
    }

    fn start(&self) -> *mut u8 {
        self.block.get().cast()
    }

    /// Where a pointer lies in the block, if it does.
    fn place(&self, pointer: *mut u8) -> Option<usize> {
        let place = pointer.addr().wrapping_sub(self.start().addr());
        (place < SIZE).then_some(place)
    }

    /// Moves the end of the used part from `old` to `new`, if it still is at `old`.
    fn move_end(&self, old: usize, new: usize) -> bool {
        new <= SIZE
            && self.used.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }
}

impl Free {
    /// Does something with the pieces, unless somebody else is at it.
    fn with<T>(&self, act: impl FnOnce(&mut Pieces) -> T) -> Option<T> {
        if self.taken.swap(true, Ordering::Acquire) {
            return None;
        }
        // SAFETY: the flag keeps everybody else away.
        let done = unsafe { act(&mut *self.pieces.get()) };
        self.taken.store(false, Ordering::Release);
        Some(done)
    }
}

impl Pieces {
    /// A piece that would do, of a block that begins there.
    fn take(&mut self, block: *mut u8, layout: Layout) -> Option<*mut u8> {
        if let Some(first) = class(layout).map(|it| &mut self.small[it])
            && !first.is_null()
        {
            let piece = *first;
            // SAFETY: a free piece holds the address of the next one, and is aligned.
            *first = unsafe { piece.cast::<*mut u8>().read() };
            return Some(piece);
        }
        let place = aligned(block, self.spare.start, layout);
        let end = place.checked_add(room(layout)).filter(|it| *it <= self.spare.end)?;
        self.spare.start = end;
        // SAFETY: inside the block.
        Some(unsafe { block.add(place) })
    }

    /// Keeps a piece for later: a small one for its like, a larger one for whatever is smaller, unless
    /// there is more of another one.
    ///
    /// # Safety
    ///
    /// It is of the block, at this place, with this layout, and nobody uses it any more.
    unsafe fn keep(&mut self, piece: *mut u8, place: usize, layout: Layout) {
        if let Some(class) = class(layout) {
            let first = &mut self.small[class];
            // SAFETY: by the promise of the caller; the smallest piece has room for an address.
            unsafe { piece.cast::<*mut u8>().write(*first) };
            *first = piece;
        } else if layout.size() > self.spare.len() {
            self.spare = place..place + room(layout);
        }
    }
}

/// Which small pieces would do, where one would.
fn class(layout: Layout) -> Option<usize> {
    let fits = layout.size() <= SMALL && layout.align() <= ALIGN;
    fits.then(|| layout.size().saturating_sub(1) / ALIGN)
}

/// The first place from another one on that a piece may have in a block.
fn aligned(block: *mut u8, place: usize, layout: Layout) -> usize {
    let start = block.addr();
    (start + place).next_multiple_of(layout.align().max(ALIGN)) - start
}

/// The bytes that a piece takes.
fn room(layout: Layout) -> usize {
    class(layout).map_or(layout.size(), |it| (it + 1) * ALIGN)
}

// SAFETY: pieces lie inside the block, do not overlap, and are aligned as asked; what is not in
// the block is the system allocator's business.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > LARGE {
            // SAFETY: the caller's promise about the layout is handed on.
            return unsafe { System.alloc(layout) };
        }
        let free = self.free.with(|it| it.take(self.start(), layout));
        if let Some(piece) = free.flatten() {
            return piece;
        }
        let used = self.used.load(Ordering::Acquire);
        let place = aligned(self.start(), used, layout);
        if self.move_end(used, place.saturating_add(room(layout))) {
            // SAFETY: `place` is inside the block.
            return unsafe { self.start().add(place) };
        }
        // SAFETY: the caller's promise about the layout is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() > LARGE {
            // SAFETY: the caller's promise about the layout is handed on.
            return unsafe { System.alloc_zeroed(layout) };
        }
        // SAFETY: the same; a piece has the size that was asked for.
        unsafe {
            let piece = self.alloc(layout);
            if !piece.is_null() {
                piece.write_bytes(0, layout.size());
            }
            piece
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let Some(place) = self.place(pointer) else {
            // SAFETY: not from the block, so from the system allocator, with this layout.
            return unsafe { System.dealloc(pointer, layout) };
        };
        // The last piece can be used for anything again, others for their like or for smaller ones;
        // what is left waits for the end of the process.
        if !self.move_end(place + room(layout), place) {
            // SAFETY: from the block, and the caller is done with it.
            self.free.with(|it| unsafe { it.keep(pointer, place, layout) });
        }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let Some(place) = self.place(pointer) else {
            // SAFETY: not from the block, so from the system allocator, with this layout.
            return unsafe { System.realloc(pointer, layout, size) };
        };
        // SAFETY: by the caller's promise about the size.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        if self.move_end(place + room(layout), place.saturating_add(room(new)))
            || room(new) <= room(layout)
        {
            return pointer;
        }
        // SAFETY: the new piece is at least as large as what is copied, and apart from the old,
        // which nobody uses any more.
        unsafe {
            let moved = self.alloc(new);
            if !moved.is_null() {
                ptr::copy_nonoverlapping(pointer, moved, layout.size().min(size));
                self.dealloc(pointer, layout);
            }
            moved
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ALIGN, Arena, LARGE, SIZE};
    use std::alloc::{GlobalAlloc, Layout};

    /// Fills each piece with its own byte and looks later whether anybody else wrote there.
    #[test]
    fn pieces_do_not_overlap_whether_in_the_block_or_not() {
        static ARENA: Arena = Arena::new();
        let arena = &ARENA;
        let mut pieces = Vec::new();
        let mut seed = 7_usize;
        for round in (0..=255_u8).cycle().take(2000) {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            let layout =
                Layout::from_size_align(1 + (seed >> 33) % 700, 1 << ((seed >> 20) % 5)).unwrap();
            // SAFETY: the layout has a size; every piece is freed once, with its own layout.
            unsafe {
                let piece = arena.alloc(layout);
                assert!(
                    piece.addr().is_multiple_of(layout.align().max(ALIGN))
                        || arena.place(piece).is_none()
                );
                piece.write_bytes(round, layout.size());
                pieces.push((piece, layout, round));
                if seed.is_multiple_of(3) {
                    let (piece, layout, byte) = pieces.swap_remove(seed % pieces.len());
                    let size = layout.size() * 2;
                    let grown = arena.realloc(piece, layout, size);
                    assert!((0..layout.size()).all(|it| *grown.add(it) == byte));
                    grown.write_bytes(byte, size);
                    pieces.push((
                        grown,
                        Layout::from_size_align(size, layout.align()).unwrap(),
                        byte,
                    ));
                }
                if seed.is_multiple_of(5) {
                    let (piece, layout, byte) = pieces.swap_remove(seed % pieces.len());
                    assert!((0..layout.size()).all(|it| *piece.add(it) == byte));
                    arena.dealloc(piece, layout);
                }
            }
        }
        assert!(pieces.iter().any(|(it, ..)| arena.place(*it).is_some()));
        assert!(pieces.iter().any(|(it, ..)| arena.place(*it).is_none()));
        for (piece, layout, byte) in pieces {
            // SAFETY: as above.
            unsafe {
                assert!((0..layout.size()).all(|it| *piece.add(it) == byte));
                arena.dealloc(piece, layout);
            }
        }
    }

    #[test]
    fn a_growing_vector_stays_in_place() {
        static ARENA: Arena = Arena::new();
        let arena = &ARENA;
        // SAFETY: one piece, grown and freed with its own layouts.
        unsafe {
            let mut layout = Layout::from_size_align(16, 1).unwrap();
            let first = arena.alloc(layout);
            while layout.size() * 2 < SIZE {
                let grown = arena.realloc(first, layout, layout.size() * 2);
                assert_eq!(grown, first);
                layout = Layout::from_size_align(layout.size() * 2, 1).unwrap();
            }
            arena.dealloc(first, layout);
            let layout = Layout::from_size_align(LARGE, 1).unwrap();
            assert_eq!(arena.alloc(layout), first);
        }
    }

    #[test]
    fn a_piece_that_was_given_back_is_used_for_smaller_ones() {
        static ARENA: Arena = Arena::new();
        let arena = &ARENA;
        // SAFETY: each piece is freed once, with its own layout.
        unsafe {
            let [large, part, more] =
                [40_000, 15_000, 20_000].map(|it| Layout::from_size_align(it, 64).unwrap());
            let first = arena.alloc(large);
            let last = arena.alloc(part);
            arena.dealloc(first, large);
            let parts = [arena.alloc(part), arena.alloc(more)];
            let places = parts.map(|it| it.addr() - first.addr());
            assert_eq!(places, [0, 15_040]);
            assert!(parts.iter().all(|it| it.addr().is_multiple_of(64)));
            // What is left of it is too little, and nobody has it twice.
            let other = arena.alloc(part);
            assert!(other.addr() > last.addr());
            arena.dealloc(other, part);
            arena.dealloc(parts[1], more);
            assert_eq!(arena.alloc(more), parts[1]);
        }
    }

    #[test]
    fn a_large_piece_leaves_the_block_to_the_small_ones() {
        static ARENA: Arena = Arena::new();
        let arena = &ARENA;
        // SAFETY: each piece is freed once, with its own layout.
        unsafe {
            let large = Layout::from_size_align(LARGE + 1, 16).unwrap();
            let piece = arena.alloc_zeroed(large);
            assert!(arena.place(piece).is_none() && (0..=LARGE).all(|it| *piece.add(it) == 0));
            let small = Layout::from_size_align(64, 16).unwrap();
            let used = arena.alloc(small);
            used.write_bytes(1, 64);
            arena.dealloc(used, small);
            let zeroed = arena.alloc_zeroed(small);
            assert!(arena.place(zeroed).is_some() && (0..64).all(|it| *zeroed.add(it) == 0));
            arena.dealloc(zeroed, small);
            arena.dealloc(piece, large);
        }
    }
}
