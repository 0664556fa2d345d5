//! What is typed: arguments, and what they mean.

pub mod args;
pub mod count;
pub mod duration;
pub mod options;
pub mod usage_error;
