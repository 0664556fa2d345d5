//! What every edition of Rust has in scope.

/// Paths without their crate: `std::option::Option` is `option::Option` here.
pub const PRELUDE: &[&str] = &[
    "borrow::ToOwned",
    "boxed::Box",
    "clone::Clone",
    "cmp::Eq",
    "cmp::Ord",
    "cmp::PartialEq",
    "cmp::PartialOrd",
    "convert::AsMut",
    "convert::AsRef",
    "convert::From",
    "convert::Into",
    "default::Default",
    "iter::DoubleEndedIterator",
    "iter::ExactSizeIterator",
    "iter::Extend",
    "iter::IntoIterator",
    "iter::Iterator",
    "marker::Copy",
    "marker::Send",
    "marker::Sized",
    "marker::Sync",
    "marker::Unpin",
    "mem::drop",
    "ops::Drop",
    "ops::Fn",
    "ops::FnMut",
    "ops::FnOnce",
    "option::Option",
    "option::Option::None",
    "option::Option::Some",
    "result::Result",
    "result::Result::Err",
    "result::Result::Ok",
    "string::String",
    "string::ToString",
    "vec::Vec",
];

/// Whether the path leads to something that needs no import: `std::vec::Vec`.
pub fn is_in_prelude(path: &[String]) -> bool {
    path.split_first().is_some_and(|(krate, rest)| krate == "std" && PRELUDE.contains(&rest.join("::").as_str()))
}

/// Whether the name means something already.
pub fn is_prelude_name(name: &str) -> bool {
    PRELUDE.iter().any(|item| item.rsplit("::").next() == Some(name))
}
