//! From what rustdoc wrote to the model of an API.

pub mod adopt;
pub mod build;
pub mod error;
pub mod formats;
pub mod importable;
pub mod loose_loan;
pub mod lost_specifications;
pub mod raw;
pub mod std_paths;
pub mod walk;
