//! Format 55.

use rustdoc_types_55 as format;

#[path = "convert.rs"]
mod convert;

pub(super) use convert::parse;
