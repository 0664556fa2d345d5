//! Running cargo, rustdoc and rustc, and reading what they say.

pub mod crate_spec;
pub mod diagnostic;
pub mod invocation;
pub mod registry;
pub mod similar;
pub mod target;
pub mod toolchain;
