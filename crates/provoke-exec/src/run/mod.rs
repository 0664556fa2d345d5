//! Running programs: the operations that a harness registers, and the machine that calls them.

pub mod adapt;
pub mod arena;
pub mod callback;
pub mod frame;
pub mod harness;
pub mod literals;
pub mod machine;
pub mod probe;
pub mod registry;
pub mod signature;
pub mod type_spec;
pub mod worker;
