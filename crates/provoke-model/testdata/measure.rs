//! A dependency: traits with implementors, types with ways to make them.

pub mod units {
    /// Made and changed by its own functions only.
    #[derive(Clone, Debug, PartialEq, Default)]
    pub struct Meter {
        length: u32,
    }

    impl Meter {
        pub fn new(length: u32) -> Meter {
            Meter { length }
        }

        pub fn random() -> Meter {
            Meter { length: 4 }
        }

        pub fn grow(&mut self, by: u32) {
            self.length += by;
        }

        pub fn length(&self) -> u32 {
            self.length
        }
    }

    impl From<u8> for Meter {
        fn from(length: u8) -> Meter {
            Meter { length: length.into() }
        }
    }
}

mod private {
    pub trait Long: Sized {
        fn long(&self) -> u32;
    }

    impl Long for u32 {
        fn long(&self) -> u32 {
            *self
        }
    }

    impl Long for Rod {
        fn long(&self) -> u32 {
            1
        }
    }

    /// Implements a trait that std's types implement, too.
    pub struct Rod;

    /// Nothing of std implements it.
    pub trait Seeded {
        fn seed(&self) -> u64;
    }

    pub struct Wheel(u64);

    impl Wheel {
        pub fn from_seed(seed: u64) -> Wheel {
            Wheel(seed)
        }
    }

    impl Seeded for Wheel {
        fn seed(&self) -> u64 {
            self.0
        }
    }
}

pub use private::{Long, Rod, Seeded, Wheel};

pub fn parse(text: &str) -> Option<units::Meter> {
    text.parse().ok().map(units::Meter::new)
}

pub fn not_about_it() -> u32 {
    0
}

/// Nobody mentions it.
pub struct Unused;

pub type Number = u32;
