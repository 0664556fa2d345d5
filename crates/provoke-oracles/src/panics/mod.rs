//! Panics and deaths; when a row applies is decided by the engine's rules.

pub mod crash;
pub mod debug_assert;
pub mod drop_panics;
pub mod endless_loop;
pub mod error_promised;
pub mod forbidden_panic;
pub mod memory_error;
pub mod observer_panics;
pub mod overflow;
pub mod stack_overflow;
pub mod trait_panics;
pub mod undocumented_panic;
pub mod unreachable;
