//! What several measurements need: running the tool and cargo, reading lists and options, and printing tables.

pub mod cargo;
pub mod cores;
pub mod crate_list;
pub mod measurement;
pub mod option_value;
pub mod provoke;
pub mod revision;
pub mod table;
