//! The executor that is compiled into every harness: it runs programs and says what it saw. It has no policy.
//!
//! A harness binary is [`worker!`] plus a function that registers its operations and types. This crate and `provoke-wire`
//! are embedded in the tool as source, so neither has dependencies, build scripts or nested modules.
//!
//! The executor is re-entrant: while code under test runs, no Rust borrow or lock of its state is held. Everything is reached
//! through one raw pointer to the [`Machine`](machine::Machine), also from callbacks, which find it in a thread-local.

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
compile_error!("Provoke's worker runs on Linux on x86_64 and aarch64 only");

mod adapt;
mod allocator;
mod arena;
mod callback;
#[doc(hidden)]
pub mod compares;
mod confinement;
mod cost;
mod coverage;
mod frame;
mod guard;
mod harness;
mod hasher;
mod literals;
mod machine;
mod monitor;
mod observe;
mod panics;
mod probe;
mod registry;
mod signature;
mod snapshot;
mod stack;
#[doc(hidden)]
pub mod stand_ins;
mod sys;
mod text;
mod threads;
mod traces;
mod tracked;
mod type_spec;
mod watch;
mod worker;

pub use adapt::*;
pub use allocator::CountingAllocator;
pub use callback::{CallArgs, Cb};
pub use guard::*;
pub use monitor::{uphold_history, uphold_life};
pub use probe::{Of, Probe, ShapeSpec, named, probing, target_of};
pub use registry::Registry;
pub use signature::*;
pub use snapshot::{Snapshot, snapshot, still_shows};
pub use tracked::Tracked;
pub use type_spec::TypeSpec;
pub use watch::WatchKind;
pub use worker::run;
