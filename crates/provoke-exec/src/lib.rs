//! The executor that is compiled into every harness: it runs programs and says what it saw. It has no policy.
//!
//! A harness binary is [`worker!`] plus a function that registers its operations and types. This crate and `provoke-wire`
//! are embedded in the tool as source, so neither has dependencies or build scripts.
//!
//! The executor is re-entrant: while code under test runs, no Rust borrow or lock of its state is held. Everything is reached
//! through one raw pointer to the [`Machine`](run::machine::Machine), also from callbacks, which find it in a thread-local.

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
compile_error!("Provoke's worker runs on Linux on x86_64 and aarch64 only");

mod env;
mod look;
mod measure;
mod run;

#[doc(hidden)]
pub use env::deterministic_env;
pub use look::guard::*;
pub use look::monitor::{uphold_history, uphold_life};
pub use look::snapshot::{Snapshot, snapshot, still_shows};
pub use look::tracked::Tracked;
pub use look::watch::WatchKind;
pub use measure::allocator::CountingAllocator;
#[doc(hidden)]
pub use measure::compares;
pub use run::adapt::*;
pub use run::callback::{CallArgs, Cb};
pub use run::probe::{Of, Probe, ShapeSpec, named, probing, target_of};
pub use run::registry::Registry;
pub use run::signature::*;
pub use run::type_spec::TypeSpec;
pub use run::worker::run;
