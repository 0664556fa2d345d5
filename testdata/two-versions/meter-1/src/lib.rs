//! A length in whole meters: the first of two versions, the types of which must not be mixed up.

/// Has to be called the same as in version 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Meter(u32);

impl Meter {
    pub fn new(meters: u32) -> Meter {
        Meter(meters)
    }

    pub fn whole(self) -> u32 {
        self.0
    }
}

/// What has a length.
pub trait Long {
    fn length(&self) -> Meter;
}
