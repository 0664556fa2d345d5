//! The versions of rustdoc's JSON, and nothing else, live here.
//!
//! The formats that are read differ little in shape, so one source file (`convert.rs`) is compiled once for each, against
//! the release of `rustdoc-types` made for it. A format that differs more gets a file of its own.

// `convert.rs` is loaded three times on purpose.
#![allow(clippy::duplicate_mod)]

mod depth;
mod v55;
mod v56;
mod v57;

use crate::error::ReadError;
use crate::raw::RawCrate;

const SUPPORTED: &[(u32, &str)] = &[(55, "Rust 1.90"), (56, "Rust 1.91 and 1.92"), (57, "Rust 1.93 to 1.97")];

#[derive(serde::Deserialize)]
struct VersionOnly {
    format_version: u32,
}

pub(crate) fn parse(json: &str) -> Result<RawCrate, ReadError> {
    let VersionOnly { format_version } = serde_json::from_str(json)?;
    let parse = match format_version {
        55 => v55::parse,
        56 => v56::parse,
        57 => v57::parse,
        found => {
            return Err(ReadError::UnsupportedFormat { found, supported: SUPPORTED });
        }
    };
    depth::with_enough_stack(json, || parse(json))
}
