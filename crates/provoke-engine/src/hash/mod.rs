//! Hashes that stay the same: from one version of a library to the next, and in a bounded memory.

pub mod seen;
pub mod stable;
