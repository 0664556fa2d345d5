//! `bench`: calls per second, beside other ways to call, and with and without a part of the tool.

mod cost;
pub mod coverage;
pub mod isolation;
pub mod throughput;
