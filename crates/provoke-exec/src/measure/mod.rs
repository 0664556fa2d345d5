//! What a program costs and reaches: memory, time, edges, comparisons, and what it leaves behind.

pub mod allocator;
#[doc(hidden)]
pub mod compares;
pub mod cost;
pub mod coverage;
pub mod traces;
