//! One fault each.

use std::mem::MaybeUninit;
use std::ptr;

const CAPACITY: usize = 4;
/// Strings are refused: freeing them twice would end the process, and hide what is to be seen here.
const MAX_ELEMENT_BYTES: usize = 16;

/// Elements in place, the first `len` of them alive.
struct Cells<T> {
    cells: [MaybeUninit<T>; CAPACITY],
    len: usize,
}

impl<T> Cells<T> {
    fn new() -> Cells<T> {
        Cells { cells: [const { MaybeUninit::uninit() }; CAPACITY], len: 0 }
    }

    fn push(&mut self, element: T) -> bool {
        if self.len == CAPACITY || size_of::<T>() > MAX_ELEMENT_BYTES {
            return false;
        }
        self.cells[self.len].write(element);
        self.len += 1;
        true
    }

    fn first(&mut self) -> *mut T {
        self.cells.as_mut_ptr().cast()
    }
}

impl<T> Drop for Cells<T> {
    fn drop(&mut self) {
        for place in 0..self.len {
            unsafe { ptr::drop_in_place(self.first().add(place)) }
        }
    }
}

/// Taking an element out leaves it in.
pub struct Generous<T>(Cells<T>);

impl<T> Generous<T> {
    pub fn new() -> Generous<T> {
        Generous(Cells::new())
    }

    pub fn push(&mut self, element: T) -> bool {
        self.0.push(element)
    }

    pub fn len(&self) -> usize {
        self.0.len
    }

    /// A copy of the bits.
    pub fn take_first(&mut self) -> Option<T> {
        if self.0.len == 0 {
            return None;
        }
        Some(unsafe { ptr::read(self.0.first()) })
    }
}

/// Remembers an element that is gone.
pub struct Haunted<T> {
    cells: Cells<T>,
    last_dropped: Option<usize>,
}

impl<T> Haunted<T> {
    pub fn new() -> Haunted<T> {
        Haunted { cells: Cells::new(), last_dropped: None }
    }

    pub fn push(&mut self, element: T) -> bool {
        self.last_dropped = None;
        self.cells.push(element)
    }

    pub fn len(&self) -> usize {
        self.cells.len
    }

    pub fn drop_last(&mut self) {
        if self.cells.len > 0 {
            self.cells.len -= 1;
            let last = self.cells.len;
            unsafe { ptr::drop_in_place(self.cells.first().add(last)) }
            self.last_dropped = Some(last);
        }
    }
}

impl<T: PartialEq> Haunted<T> {
    pub fn ended_with(&mut self, element: &T) -> bool {
        self.last_dropped.is_some_and(|last| unsafe { *self.cells.first().add(last) == *element })
    }
}

/// Shortening forgets what is behind the end.
pub struct Forgetful<T>(Cells<T>);

impl<T> Forgetful<T> {
    pub fn new() -> Forgetful<T> {
        Forgetful(Cells::new())
    }

    pub fn push(&mut self, element: T) -> bool {
        self.0.push(element)
    }

    pub fn len(&self) -> usize {
        self.0.len
    }

    pub fn truncate(&mut self, len: usize) {
        self.0.len = self.0.len.min(len);
    }
}

/// A refused call drops an element that stays where it is.
pub struct Touchy<T>(Cells<T>);

impl<T> Touchy<T> {
    pub fn new() -> Touchy<T> {
        Touchy(Cells::new())
    }

    pub fn push(&mut self, element: T) -> bool {
        self.0.push(element)
    }

    /// Exchanges the first element and the one at `place`.
    ///
    /// # Panics
    /// If there is no element at `place`.
    pub fn swap_with_first(&mut self, place: usize) {
        let len = self.0.len;
        if len == 0 {
            return;
        }
        let first = unsafe { ptr::read(self.0.first()) };
        assert!(place < len, "there are only {len} elements");
        unsafe {
            let other = ptr::replace(self.0.first().add(place), first);
            ptr::write(self.0.first(), other);
        }
    }
}

/// What it lends may be kept for as long as one likes.
pub struct Loose<T>(Cells<T>);

impl<T> Loose<T> {
    pub fn new() -> Loose<T> {
        Loose(Cells::new())
    }

    pub fn push(&mut self, element: T) -> bool {
        self.0.push(element)
    }

    /// Wrong on purpose: the lifetime comes out of nowhere.
    pub fn first<'a>(&self) -> Option<&'a T> {
        (self.0.len > 0).then(|| unsafe { &*self.0.cells.as_ptr().cast() })
    }

    pub fn clear(&mut self) {
        for place in 0..std::mem::take(&mut self.0.len) {
            unsafe { ptr::drop_in_place(self.0.first().add(place)) }
        }
    }
}
