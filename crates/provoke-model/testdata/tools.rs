//! A dependency that passes on parts of another one.

pub use measure::units;
pub use measure::{Long as Lengthy, Wheel};

pub trait Tool: measure::Seeded {}
