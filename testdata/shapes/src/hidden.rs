//! A private module, the items of which are reached through re-exports only.

pub mod glob {
    pub fn through_a_glob(n: i16) -> i16 {
        n.wrapping_neg()
    }

    /// Has a public path in the root only.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct FromAGlob {
        pub field: i16,
    }

    impl FromAGlob {
        pub fn sum(self, other: FromAGlob) -> i16 {
            self.field.wrapping_add(other.field)
        }
    }
}

pub fn once(n: u8) -> u8 {
    n / 3
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed(pub u8);

impl Renamed {
    pub fn doubled(&self) -> Renamed {
        Renamed(self.0.wrapping_mul(2))
    }
}

/// Public, but nobody outside can name it: its methods are reached through values of it.
#[derive(Debug, Clone)]
pub struct Nameless(u8);

impl Nameless {
    pub fn of(n: u8) -> Nameless {
        Nameless(n)
    }

    pub fn value(&self) -> u8 {
        self.0
    }
}
