//! Things that the tested crate takes and returns.

#[cfg(feature = "not-asked-for")]
compile_error!("a feature that the tested crate does not ask for is on");

mod inner {
    /// Can only be made here.
    #[derive(Debug, Clone)]
    pub struct Gauge {
        level: u32,
        is_open: bool,
    }

    impl Gauge {
        pub fn with_level(level: u32) -> Gauge {
            Gauge { level, is_open: false }
        }

        pub fn open(&mut self) {
            self.is_open = true;
        }

        /// Fails for reasons of its own.
        pub fn shut(&mut self) {
            assert!(self.is_open, "shut twice");
            self.is_open = false;
        }

        pub fn level(&self) -> u32 {
            self.level
        }

        pub fn is_open(&self) -> bool {
            self.is_open
        }
    }

    /// Breaks laws, which is none of the tested crate's business.
    impl PartialEq for Gauge {
        fn eq(&self, other: &Gauge) -> bool {
            self.level < other.level
        }
    }

    /// What can be read.
    pub trait Readable {
        fn read(&self) -> u32;
    }

    impl Readable for u16 {
        fn read(&self) -> u32 {
            u32::from(*self)
        }
    }

    impl Readable for Gauge {
        fn read(&self) -> u32 {
            self.level
        }
    }
}

pub use inner::{Gauge, Readable};

#[cfg(feature = "scale")]
pub mod scale {
    /// Nothing of std implements it.
    pub trait Scale {
        fn factor(&self) -> u32;
    }

    #[derive(Debug, Clone, Copy)]
    pub struct Metric {
        factor: u32,
    }

    pub fn metric(factor: u32) -> Metric {
        Metric { factor }
    }

    impl Scale for Metric {
        fn factor(&self) -> u32 {
            self.factor
        }
    }
}
