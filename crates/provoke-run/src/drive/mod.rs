//! The search of one package, from its start to its end.

pub mod sanitizer_share;
pub mod search_run;
