//! Format 57.

use rustdoc_types_57 as format;

#[path = "convert.rs"]
mod convert;

pub(super) use convert::parse;
