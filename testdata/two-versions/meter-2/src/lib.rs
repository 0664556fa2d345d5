//! A length in fractions of meters: the second of two versions, the types of which must not be mixed up.

/// Has to be called the same as in version 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Meter(f64);

impl Meter {
    pub fn new(meters: f64) -> Meter {
        Meter(meters)
    }

    pub fn exact(self) -> f64 {
        self.0
    }
}

/// What has a length.
pub trait Long {
    fn length(&self) -> Meter;
}
