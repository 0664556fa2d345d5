//! What remembers the life of an object, whatever its type: that of the crate `provoke`, which this one does not know.

use std::mem::transmute;

/// How such a thing is made, asked and freed, by functions of its own.
#[derive(Clone, Copy)]
pub struct WatchKind {
    new: *const (),
    is_kept: *const (),
    finish: *const (),
    violation: *const (),
    make: unsafe fn(*const ()) -> *mut u8,
    free: unsafe fn(*mut u8),
}

impl WatchKind {
    /// `violation` says what was broken first.
    pub fn new<W: 'static>(
        new: fn() -> W,
        is_kept: fn(&W) -> bool,
        finish: fn(&mut W),
        violation: fn(&W) -> Option<String>,
    ) -> WatchKind {
        WatchKind {
            new: new as *const (),
            is_kept: is_kept as *const (),
            finish: finish as *const (),
            violation: violation as *const (),
            make: make::<W>,
            free: free::<W>,
        }
    }

    /// # Safety
    /// None but that what is made is given back to the same kind.
    pub(crate) unsafe fn make(&self) -> *mut u8 {
        unsafe { (self.make)(self.new) }
    }

    /// # Safety
    /// `watch` was made by this kind and is freed once.
    pub(crate) unsafe fn free(&self, watch: *mut u8) {
        unsafe { (self.free)(watch) }
    }

    /// # Safety
    /// `watch` was made by this kind; a reference to a sized type is passed like its address.
    pub(crate) unsafe fn is_kept(&self, watch: *mut u8) -> bool {
        unsafe { transmute::<*const (), fn(*const u8) -> bool>(self.is_kept)(watch) }
    }

    /// # Safety
    /// As of [`is_kept`](Self::is_kept).
    pub(crate) unsafe fn finish(&self, watch: *mut u8) {
        unsafe { transmute::<*const (), fn(*mut u8)>(self.finish)(watch) }
    }

    /// # Safety
    /// As of [`is_kept`](Self::is_kept).
    pub(crate) unsafe fn violation(&self, watch: *mut u8) -> Option<String> {
        unsafe { transmute::<*const (), fn(*const u8) -> Option<String>>(self.violation)(watch) }
    }
}

unsafe fn make<W>(new: *const ()) -> *mut u8 {
    let new: fn() -> W = unsafe { transmute(new) };
    Box::into_raw(Box::new(new())).cast()
}

unsafe fn free<W>(watch: *mut u8) {
    drop(unsafe { Box::from_raw(watch.cast::<W>()) });
}
