//! Format 56.

use rustdoc_types_56 as format;

#[path = "convert.rs"]
mod convert;

pub(super) use convert::parse;

/// This format does not tell which file a crate was loaded from.
fn file_of(_: &format::ExternalCrate) -> Option<String> {
    None
}
