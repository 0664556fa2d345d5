//! Public items of every shape that the tool must be able to call; none of them can fail.

pub mod arguments;
pub mod generics;
mod hidden;
pub mod lazy;
pub mod material;
pub mod results;
pub mod traits;
pub mod types;

pub use hidden::glob::*;
pub use hidden::once as twice_exported;
pub use hidden::{Renamed as Exported, once};

/// A module that is there under two names.
pub use types as kinds;

/// Only through a path with a name that needs `r#`.
pub mod r#type {
    /// A function with a name that needs it too.
    pub fn r#match(r#in: u8) -> u8 {
        r#in / 2
    }
}

/// A value that nobody can compute.
pub const ANSWER: types::Secret = types::Secret::of(42);

/// Takes what only the constant gives.
pub fn tell(secret: types::Secret) -> u32 {
    secret.into_inner()
}

/// Not API: nobody sees it in the documentation.
#[doc(hidden)]
pub fn not_to_be_seen() {}

/// Not called: its caller has to promise something.
///
/// # Safety
/// `n` is even.
pub unsafe fn not_to_be_called(n: u8) -> u8 {
    n
}

/// Called all the same.
#[deprecated = "use `once`"]
pub fn out_of_fashion(n: u8) -> u8 {
    hidden::once(n)
}
