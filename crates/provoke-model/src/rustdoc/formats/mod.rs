//! The versions of rustdoc's JSON, and nothing else, live here.
//!
//! The formats that are read differ in what was added and in little else, so one reader does for all. A format that is
//! newer than those known is read with as much as is understood of it.

mod convert;
mod depth;
mod outer;

use crate::api::NewerFormat;
use crate::rustdoc::error::ReadError;
use crate::rustdoc::raw::RawCrate;
use outer::Crate;

const OLDEST: u32 = 55;
const NEWEST: u32 = rustdoc_types::FORMAT_VERSION;
const TOOLCHAINS: &str = "Rust 1.90 to 1.99";

#[derive(serde::Deserialize)]
struct VersionOnly {
    format_version: u32,
}

pub(crate) fn parse(json: &str) -> Result<(RawCrate, Option<NewerFormat>), ReadError> {
    let VersionOnly { format_version } = serde_json::from_str(json)?;
    if format_version < OLDEST {
        return Err(unsupported(format_version));
    }
    depth::with_enough_stack(json, || {
        if format_version <= NEWEST {
            return Ok((convert::convert(Crate::read(json)?), None));
        }
        let (krate, n_unreadable) = outer::read_leniently(json).map_err(|_| unsupported(format_version))?;
        if !krate.index.contains_key(&krate.root) {
            return Err(unsupported(format_version));
        }
        let newer = NewerFormat { format: format_version, known: OLDEST..=NEWEST, n_unreadable };
        Ok((convert::convert(krate), Some(newer)))
    })
}

fn unsupported(found: u32) -> ReadError {
    ReadError::UnsupportedFormat { found, supported: OLDEST..=NEWEST, toolchains: TOOLCHAINS }
}
