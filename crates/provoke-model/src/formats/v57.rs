//! Format 57.

use rustdoc_types_57 as format;

#[path = "convert.rs"]
mod convert;

pub(super) use convert::parse;

/// The file that rustc loaded a crate from.
fn file_of(external: &format::ExternalCrate) -> Option<String> {
    Some(external.path.to_string_lossy().into_owned()).filter(|file| !file.is_empty())
}
