//! Memory for slots: a bump allocator whose chunks never move and are used again by the next program. Where a sanitizer watches,
//! each value has a chunk of its own instead, so that it sees whoever reaches beyond one.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};

use crate::measure::allocator;

const CHUNK_BYTES: usize = 64 << 10;
/// Chunks carry any ordinary alignment; more is had by skipping bytes.
const CHUNK_ALIGN: usize = 64;
/// What a program with large values needed is given back if it was more than this.
const KEPT_BYTES: usize = 4 << 20;

struct Chunk {
    start: *mut u8,
    layout: Layout,
}

pub(crate) struct Arena {
    chunks: Vec<Chunk>,
    /// The chunk in use; those after it are empty.
    current: usize,
    next: *mut u8,
    end: *mut u8,
    is_single: bool,
}

/// A position to return to.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    chunk: usize,
    next: *mut u8,
}

impl Arena {
    pub fn new() -> Arena {
        Arena::of(false)
    }

    /// Every value is an allocation of its own.
    pub fn of_single_values() -> Arena {
        Arena::of(true)
    }

    fn of(is_single: bool) -> Arena {
        let (next, end) = (std::ptr::null_mut(), std::ptr::null_mut());
        let mut arena = Arena { chunks: Vec::new(), current: 0, next, end, is_single };
        arena.chunks.push(Chunk::new(CHUNK_BYTES, CHUNK_ALIGN));
        arena.enter(0);
        arena
    }

    fn enter(&mut self, index: usize) {
        let chunk = &self.chunks[index];
        self.current = index;
        self.next = chunk.start;
        self.end = chunk.start.wrapping_add(chunk.layout.size());
        if self.is_single {
            // There is never room for more, so that nothing but this decides.
            self.next = self.end;
        }
    }

    /// Room for a value; valid until the arena is reset or returns to an earlier mark.
    #[inline]
    pub fn reserve(&mut self, size: usize, align: usize) -> *mut u8 {
        let skip = self.next.addr().wrapping_neg() & (align - 1);
        let left = self.end.addr() - self.next.addr();
        // Sizes are at most `isize::MAX` and alignments at most 2^29, so the sum does not wrap.
        if skip + size <= left {
            let address = self.next.wrapping_add(skip);
            self.next = address.wrapping_add(size);
            return address;
        }
        self.reserve_in_next_chunk(size, align)
    }

    #[cold]
    fn reserve_in_next_chunk(&mut self, size: usize, align: usize) -> *mut u8 {
        if self.is_single {
            return allocator::unattributed(|| {
                self.chunks.push(Chunk::new(size.max(1), align));
                self.enter(self.chunks.len() - 1);
                self.chunks[self.current].start
            });
        }
        allocator::unattributed(|| {
            let needed = size + align;
            let index = self.current + 1;
            if self.chunks.get(index).is_none_or(|c| c.layout.size() < needed) {
                self.chunks.insert(index, Chunk::new(needed.max(CHUNK_BYTES), CHUNK_ALIGN));
            }
            self.enter(index);
        });
        self.reserve(size, align)
    }

    pub fn mark(&self) -> Mark {
        Mark { chunk: self.current, next: self.next }
    }

    /// Forgets everything reserved since `mark`.
    pub fn return_to(&mut self, mark: Mark) {
        if self.is_single {
            self.chunks.truncate(mark.chunk + 1);
        }
        if mark.chunk != self.current {
            self.enter(mark.chunk);
        }
        self.next = mark.next;
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        if self.is_single {
            self.chunks.truncate(1);
        } else if self.current != 0 {
            let mut kept = 0;
            self.chunks.retain(|chunk| {
                kept += chunk.layout.size();
                kept <= KEPT_BYTES
            });
        }
        self.enter(0);
    }
}

impl Chunk {
    fn new(size: usize, align: usize) -> Chunk {
        let Ok(layout) = Layout::from_size_align(size, align) else {
            handle_alloc_error(Layout::new::<u8>());
        };
        // The size is never zero.
        let start = unsafe { alloc(layout) };
        if start.is_null() {
            handle_alloc_error(layout);
        }
        Chunk { start, layout }
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        unsafe { dealloc(self.start, self.layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_ranges_are_aligned_and_never_overlap() {
        for is_single in [false, false, true, true] {
            let mut arena = Arena::of(is_single);
            let mut ranges: Vec<(usize, usize)> = Vec::new();
            for n in 0..2000usize {
                let (size, align) = ((n * 37) % 300, 1 << (n % 13));
                let at = arena.reserve(size, align).addr();
                assert_eq!(at % align, 0);
                ranges.push((at, at + size));
            }
            ranges.retain(|(start, end)| start < end);
            ranges.sort();
            assert!(ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0));
            arena.reset();
            assert!(!is_single || arena.chunks.len() == 1);
        }
    }

    #[test]
    fn a_mark_gives_back_what_came_after_it_even_across_chunks() {
        let mut arena = Arena::new();
        arena.reserve(100, 8);
        let mark = arena.mark();
        let first = arena.reserve(16, 8);
        arena.reserve(10 * CHUNK_BYTES, 4096);
        arena.return_to(mark);
        assert_eq!(arena.reserve(16, 8), first);
    }

    #[test]
    fn single_values_are_given_back_up_to_a_mark() {
        let mut arena = Arena::of_single_values();
        arena.reserve(3, 1);
        let mark = arena.mark();
        arena.reserve(300, 16);
        arena.reserve(1, 1);
        arena.return_to(mark);
        assert_eq!(arena.chunks.len(), 2);
    }

    #[test]
    fn a_huge_value_is_not_kept_for_ever() {
        let mut arena = Arena::new();
        arena.reserve(8 << 20, 1);
        arena.reset();
        assert_eq!(arena.chunks.len(), 1);
    }
}
