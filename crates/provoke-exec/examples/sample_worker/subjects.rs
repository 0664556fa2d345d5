//! Types that misbehave in the ways an executor has to survive.

use std::cell::RefCell;
use std::fmt;

thread_local! {
    static LOG: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn log(id: u8) {
    LOG.with_borrow_mut(|log| log.push(id));
}

/// Writes its number to a log when it is dropped; with number 66 it then panics.
#[derive(Debug)]
pub struct Loud(pub u8);

pub const BAD_LUCK: u8 = 66;

impl Drop for Loud {
    fn drop(&mut self) {
        log(self.0);
        assert!(self.0 != BAD_LUCK, "bad luck");
    }
}

/// The numbers dropped since the log was last taken.
pub fn take_log() -> Vec<u8> {
    LOG.take()
}

pub fn consume_and_panic(_loud: Loud, n: u8) -> u8 {
    panic!("consumed {n}")
}

/// Has no size, but a destructor.
#[derive(Debug)]
pub struct Marker;

pub const MARKER_ID: u8 = 200;

impl Drop for Marker {
    fn drop(&mut self) {
        log(MARKER_ID);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(align(256))]
pub struct Wide(pub u8);

impl Wide {
    pub fn check(&self) -> bool {
        (&raw const *self).addr().is_multiple_of(256)
    }
}

/// Cannot be looked at.
pub struct BadDebug;

impl fmt::Debug for BadDebug {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("bad debug")
    }
}

/// Its text has no end, and it does not expect to be stopped.
pub struct EndlessDebug;

impl fmt::Debug for EndlessDebug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        loop {
            f.write_str("endless ").unwrap();
        }
    }
}

/// Never probed.
pub struct Opaque;
