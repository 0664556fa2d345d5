//! Tests of all folders share a toy API, a notation for programs over it, and a stand-in for workers.

pub mod fake;
pub mod sample;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::saved_forms::{from_bytes, to_bytes};

/// What is left of it when it was saved and read back.
pub fn saved_and_read<T: Serialize + DeserializeOwned>(state: &T) -> T {
    from_bytes(&to_bytes(state), "state").unwrap()
}
