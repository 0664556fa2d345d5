//! What a run leaves behind.

pub mod coverage;
pub mod directory;
pub mod growth;
pub mod outlook;
pub mod troubles;
pub mod uncovered;
pub mod written_tests;
