//! Panics announced at every place where that counts, and at some where it does not.

pub struct Plain;

impl Plain {
    pub fn quiet(&self) {}

    /// Panics if it is empty.
    pub fn loud(&self) {}
}

pub trait Loud {
    fn loud(&self);
    fn quiet(&self);
}

impl Loud for &Plain {
    fn loud(&self) {}
    fn quiet(&self) {}
}

/// The `level` must be even.
pub fn set(level: u8) {
    let _ = level;
}

/// A ring. Its methods panic if it is empty.
pub struct Ring;

impl Ring {
    pub fn turn(&self) {}
}

pub trait Careful {
    /// Panics if it is empty.
    fn check(&self);
    fn look(&self);
}

impl Careful for Plain {
    fn check(&self) {}
    fn look(&self) {}
}

/// # Panics
///
/// On a bad day.
pub trait Moody {
    fn ask(&self);
}

impl Moody for Plain {
    fn ask(&self) {}
}

/// Panics if it is empty.
impl Moody for u8 {
    fn ask(&self) {}
}

pub mod strict {
    //! All functions in this module panic on overflow.

    pub fn add() {}

    pub struct Number;

    impl Number {
        pub fn increase(&self) {}
    }

    impl<'a> From<&'a Number> for u8 {
        fn from(_: &'a Number) -> u8 {
            0
        }
    }

    impl super::Careful for &Number {
        fn check(&self) {}
        fn look(&self) {}
    }

    pub mod inner {
        pub fn deep() {}
    }
}

pub mod lax {
    //! Panics are rare: [`risky`] panics if it is called twice.

    pub fn risky() {}

    pub fn safe() {}
}

mod private {
    //! # Panics
    //!
    //! If nothing is left.

    pub fn moved() {}
}

pub use private::moved;
