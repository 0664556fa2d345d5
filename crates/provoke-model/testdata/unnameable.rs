//! Types that nobody can name but everybody can hold.

use inner::Hidden;

mod inner {
    pub struct Hidden {
        pub size: usize,
        private: u8,
    }

    impl Hidden {
        pub fn new() -> Self {
            Hidden { size: 0, private: 0 }
        }

        pub fn next(&self) -> Reached {
            Reached(self.private)
        }

        fn private(&self) {}

        pub(crate) fn for_the_crate(&self) {
            self.private()
        }
    }

    impl Default for Hidden {
        fn default() -> Self {
            Self::new()
        }
    }

    /// Only `Hidden::next` leads here.
    pub struct Reached(u8);

    impl Reached {
        pub fn get(&self) -> u8 {
            self.0
        }
    }

    /// Nothing leads here.
    pub struct Unreached;

    impl Unreached {
        pub fn get(&self) {}
    }

    impl From<Unreached> for crate::Open {
        fn from(_: Unreached) -> Self {
            crate::Open
        }
    }

    pub trait Sealed {
        fn sealed(&self) -> u8;
    }

    impl Sealed for u8 {
        fn sealed(&self) -> u8 {
            *self
        }
    }

    pub trait Unused {
        fn unused(&self);
    }

    impl Unused for u8 {
        fn unused(&self) {}
    }
}

pub struct Open;

pub fn hidden() -> Hidden {
    Hidden::default()
}

pub fn sealed<T: inner::Sealed>(value: T) -> u8 {
    value.sealed()
}

/// The private `Shadowed` hides the public one that the glob brings.
pub mod shadowed {
    #[allow(hidden_glob_reexports)]
    pub use super::shadowing::*;

    #[allow(dead_code)]
    struct Shadowed;
}

pub mod shadowing {
    pub struct Shadowed;
}

fn private() {
    hidden().for_the_crate();
}
