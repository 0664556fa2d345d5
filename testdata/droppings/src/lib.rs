//! Containers that treat their elements badly, each in its own way, and some that do not.

pub mod bad;
pub mod good;
