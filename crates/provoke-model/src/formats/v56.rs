//! Format 56.

use rustdoc_types_56 as format;

#[path = "convert.rs"]
mod convert;

pub(super) use convert::parse;
