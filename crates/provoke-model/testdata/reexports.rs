//! Many ways to the same items.

/// Named by nobody, but what is in it is re-exported.
mod private {
    pub struct Plain;
    pub struct Renamed;
    pub struct Globbed;
    pub struct Lost;

    pub mod inner {
        pub struct Deep;
        pub fn deep_function() {}
    }

    pub trait Sealed {}
}

pub use private::inner;
pub use private::Plain;
pub use private::Renamed as Better;

/// A chain: `chain::Plain` is `first::Plain` is `Plain`.
pub mod chain {
    pub use super::first::Plain;
}

pub mod first {
    pub use crate::Plain;
}

pub mod globs {
    pub use crate::private::*;

    /// Hides `private::Renamed`.
    pub struct Renamed;
}

/// Both globs bring `Twice`: nobody can use that name.
pub mod ambiguous {
    pub use super::one::*;
    pub use super::two::*;
}

pub mod one {
    pub struct Twice;
    pub struct OnlyOne;
}

pub mod two {
    pub struct Twice;
}

pub mod cycle {
    pub use super::cycle as again;
    pub use super::*;
    pub struct InCycle;
}

pub mod prelude {
    pub use crate::types::Thing;
}

pub mod types {
    pub struct Thing;
}

/// A function and a type of one name.
#[allow(non_camel_case_types)]
pub struct same;
pub mod same_name {
    pub fn same() {}
    pub mod same {
        pub fn inside() {}
    }
}

pub use std::collections::hash_map::HashMap as Map;
pub use std::mem::swap;

#[doc(hidden)]
pub mod hidden {
    pub struct InHidden;
}

pub fn names(_: Map<inner::Deep, one::OnlyOne>, _: globs::Renamed, _: Better) -> hidden::InHidden {
    hidden::InHidden
}

pub fn lost() -> private::Lost {
    private::Lost
}
