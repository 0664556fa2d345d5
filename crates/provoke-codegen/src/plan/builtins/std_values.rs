//! The std types that are values by themselves: names, addresses, times, numbers, errors.

use provoke_api::OpKind;

use crate::types::tracked;

use crate::plan::builtins::way::{BuiltinWay, RowLoans, StdType, both, deref, made, make, own, take, way};

/// All rows of this file.
pub const ROWS: [&[StdType]; 8] = [SYSTEM_TEXT, NET, TIME, NON_ZERO, TASKS, ERRORS, ODDS, TRACKED];

/// `NonZeroU8` and its likes.
macro_rules! numbers {
    ($($int:literal $name:literal),+) => {
        &[$(both(
            concat!("core::num::nonzero::NonZero<", $int, ">"),
            &[way(
                concat!("::std::num::", $name, "::new"),
                &[$int],
                "core::option::Option<Self>",
                concat!($name, "::new({0})"),
                RowLoans::Owned,
            )
            .importing(&[concat!("std::num::", $name)])],
            &[way(concat!("::std::num::", $name, "::get"), &["Self"], $int, "{.0}.get()", RowLoans::Owned)],
        )),+]
    };
}

/// A text that does not parse gives the error.
macro_rules! parsed {
    ($error:literal, $ty:literal) => {
        parsed!($error, $ty, $ty, $ty)
    };
    ($error:literal, $name:literal, $short:literal, $path:literal $(, $import:literal)?) => {
        made(
            $error,
            &[way(
                concat!("|text: &'static str| text.parse::<", $path, ">()"),
                &["&str"],
                concat!("core::result::Result<", $name, ", Self>"),
                concat!("{.0}.parse::<", $short, ">()"),
                RowLoans::Owned,
            )
            .importing(&[$($import)?])],
        )
    };
}

/// One variant of an enum, or another constant.
macro_rules! constant {
    ($path:literal, $text:literal, $import:literal) => {
        make(concat!("|| ", $path), &[], $text).importing(&[$import])
    };
}

const SYSTEM_TEXT: &[StdType] = &[
    both(
        "std::path::PathBuf",
        &[own("|text: &'static str| ::std::path::PathBuf::from(text)", &["&str"], "PathBuf::from({0})")
            .importing(&["std::path::PathBuf"])],
        &[deref("&std::path::Path")],
    ),
    both(
        "std::ffi::os_str::OsString",
        &[own("|text: &'static str| ::std::ffi::OsString::from(text)", &["&str"], "OsString::from({0})")
            .importing(&["std::ffi::OsString"])],
        &[deref("&std::ffi::os_str::OsStr")],
    ),
    both(
        "alloc::ffi::c_str::CString",
        &[way(
            "|text: &'static str| ::std::ffi::CString::new(text)",
            &["&str"],
            "core::result::Result<Self, alloc::ffi::c_str::NulError>",
            "CString::new({0})",
            RowLoans::Owned,
        )
        .importing(&["std::ffi::CString"])],
        &[deref("&core::ffi::c_str::CStr")],
    ),
];

const NET: &[StdType] = &[
    made(
        "core::net::ip_addr::Ipv4Addr",
        &[make("::std::net::Ipv4Addr::new", &["u8", "u8", "u8", "u8"], "Ipv4Addr::new({0}, {1}, {2}, {3})")
            .importing(&["std::net::Ipv4Addr"])],
    ),
    made(
        "core::net::ip_addr::Ipv6Addr",
        &[make("|bits: u128| ::std::net::Ipv6Addr::from(bits)", &["u128"], "Ipv6Addr::from({0})")
            .importing(&["std::net::Ipv6Addr"])],
    ),
    made(
        "core::net::ip_addr::IpAddr",
        &[
            make("::std::net::IpAddr::V4", &["core::net::ip_addr::Ipv4Addr"], "IpAddr::V4({0})")
                .importing(&["std::net::IpAddr"]),
            make("::std::net::IpAddr::V6", &["core::net::ip_addr::Ipv6Addr"], "IpAddr::V6({0})")
                .importing(&["std::net::IpAddr"]),
        ],
    ),
    made(
        "core::net::socket_addr::SocketAddrV4",
        &[make(
            "::std::net::SocketAddrV4::new",
            &["core::net::ip_addr::Ipv4Addr", "u16"],
            "SocketAddrV4::new({0}, {1})",
        )
        .importing(&["std::net::SocketAddrV4"])],
    ),
    made(
        "core::net::socket_addr::SocketAddrV6",
        &[make(
            "::std::net::SocketAddrV6::new",
            &["core::net::ip_addr::Ipv6Addr", "u16", "u32", "u32"],
            "SocketAddrV6::new({0}, {1}, {2}, {3})",
        )
        .importing(&["std::net::SocketAddrV6"])],
    ),
    made(
        "core::net::socket_addr::SocketAddr",
        &[make("::std::net::SocketAddr::new", &["core::net::ip_addr::IpAddr", "u16"], "SocketAddr::new({0}, {1})")
            .importing(&["std::net::SocketAddr"])],
    ),
];

const TIME: &[StdType] = &[
    made(
        "core::time::Duration",
        &[
            make("::std::time::Duration::from_secs", &["u64"], "Duration::from_secs({0})")
                .importing(&["std::time::Duration"]),
            make("::std::time::Duration::from_millis", &["u64"], "Duration::from_millis({0})")
                .importing(&["std::time::Duration"]),
            make("::std::time::Duration::from_nanos", &["u64"], "Duration::from_nanos({0})")
                .importing(&["std::time::Duration"]),
        ],
    ),
    made(
        "std::time::SystemTime",
        &[
            constant!("::std::time::SystemTime::UNIX_EPOCH", "SystemTime::UNIX_EPOCH", "std::time::SystemTime"),
            way(
                "|after: ::std::time::Duration| ::std::time::SystemTime::UNIX_EPOCH.checked_add(after)",
                &["core::time::Duration"],
                "core::option::Option<Self>",
                "SystemTime::UNIX_EPOCH.checked_add({0})",
                RowLoans::Owned,
            )
            .importing(&["std::time::SystemTime"]),
        ],
    ),
    made(
        "std::time::Instant",
        &[make("::std::time::Instant::now", &[], "Instant::now()").importing(&["std::time::Instant"])],
    ),
];

const NON_ZERO: &[StdType] = numbers!(
    "u8" "NonZeroU8", "u16" "NonZeroU16", "u32" "NonZeroU32", "u64" "NonZeroU64", "u128" "NonZeroU128", "usize" "NonZeroUsize",
    "i8" "NonZeroI8", "i16" "NonZeroI16", "i32" "NonZeroI32", "i64" "NonZeroI64", "i128" "NonZeroI128", "isize" "NonZeroIsize"
);

const TASKS: &[StdType] = &[
    made(
        "core::task::wake::Context",
        &[make(
            "|| ::std::task::Context::from_waker(::std::task::Waker::noop())",
            &[],
            "Context::from_waker(Waker::noop())",
        )
        .importing(&["std::task::Context", "std::task::Waker"])],
    ),
    made(
        "core::task::wake::Waker",
        &[make("|| ::std::task::Waker::noop().clone()", &[], "Waker::noop().clone()").importing(&["std::task::Waker"])],
    ),
    both(
        "core::task::poll::Poll<T0>",
        &[
            make("poll_ready", &["T0"], "Poll::Ready({0})").importing(&["std::task::Poll"]),
            make("poll_pending", &[], "Poll::Pending::<@0>").importing(&["std::task::Poll"]),
        ],
        &[take(
            "poll_value",
            "core::option::Option<T0>",
            "match {0} { Poll::Ready(value) => Some(value), Poll::Pending => None }",
        )
        .importing(&["std::task::Poll"])],
    ),
];

const ERRORS: &[StdType] = &[
    made("core::fmt::Error", &[constant!("::std::fmt::Error", "fmt::Error", "std::fmt")]),
    made(
        "std::io::error::Error",
        &[
            make(
                "|kind: ::std::io::ErrorKind| ::std::io::Error::from(kind)",
                &["std::io::error::ErrorKind"],
                "io::Error::from({0})",
            )
            .importing(&["std::io"]),
            own(
                "|text: &'static str| ::std::io::Error::new(::std::io::ErrorKind::Other, text)",
                &["&str"],
                "io::Error::new(io::ErrorKind::Other, {0})",
            )
            .importing(&["std::io"]),
        ],
    ),
    made(
        "std::io::error::ErrorKind",
        &[
            constant!("::std::io::ErrorKind::NotFound", "ErrorKind::NotFound", "std::io::ErrorKind"),
            constant!("::std::io::ErrorKind::Interrupted", "ErrorKind::Interrupted", "std::io::ErrorKind"),
            constant!("::std::io::ErrorKind::UnexpectedEof", "ErrorKind::UnexpectedEof", "std::io::ErrorKind"),
        ],
    ),
    parsed!("core::num::error::ParseIntError", "i32"),
    parsed!("core::num::dec2flt::ParseFloatError", "f64"),
    parsed!("core::str::error::ParseBoolError", "bool"),
    parsed!("core::char::convert::ParseCharError", "char"),
    parsed!(
        "core::net::parser::AddrParseError",
        "core::net::ip_addr::IpAddr",
        "IpAddr",
        "::std::net::IpAddr",
        "std::net::IpAddr"
    ),
    made(
        "core::num::error::TryFromIntError",
        &[way(
            "|number: i32| u8::try_from(number)",
            &["i32"],
            "core::result::Result<u8, Self>",
            "u8::try_from({0})",
            RowLoans::Owned,
        )],
    ),
    made(
        "core::str::error::Utf8Error",
        &[way(
            "|bytes: &'static [u8]| ::std::str::from_utf8(bytes)",
            &["&[u8]"],
            "core::result::Result<&str, Self>",
            "std::str::from_utf8({0})",
            RowLoans::Lent,
        )],
    ),
    made(
        "alloc::string::FromUtf8Error",
        &[way(
            "::std::string::String::from_utf8",
            &["alloc::vec::Vec<u8>"],
            "core::result::Result<alloc::string::String, Self>",
            "String::from_utf8({0})",
            RowLoans::Passed,
        )],
    ),
    made(
        "alloc::ffi::c_str::NulError",
        &[way(
            "|text: &'static str| ::std::ffi::CString::new(text)",
            &["&str"],
            "core::result::Result<alloc::ffi::c_str::CString, Self>",
            "CString::new({0})",
            RowLoans::Owned,
        )
        .importing(&["std::ffi::CString"])],
    ),
    made("core::alloc::layout::LayoutError", LAYOUT),
    made("core::alloc::layout::Layout", LAYOUT),
];

const LAYOUT: &[BuiltinWay] = &[way(
    "::std::alloc::Layout::from_size_align",
    &["usize", "usize"],
    "core::result::Result<core::alloc::layout::Layout, core::alloc::layout::LayoutError>",
    "Layout::from_size_align({0}, {1})",
    RowLoans::Owned,
)
.importing(&["std::alloc::Layout"])];

/// Not std's, but the runtime's own.
const TRACKED: &[StdType] = &[both(
    tracked::DEFINITION,
    &[own("::provoke_exec::Tracked::new", &["u8"], "Tracked::new({0})").importing(&[tracked::PATH])],
    &[way("clone_of", &["&Self"], "Self", "{.0}.clone()", RowLoans::Owned).being(OpKind::Clone)],
)];

const ODDS: &[StdType] = &[
    made(
        "core::cmp::Ordering",
        &[
            constant!("::std::cmp::Ordering::Less", "Ordering::Less", "std::cmp::Ordering"),
            constant!("::std::cmp::Ordering::Equal", "Ordering::Equal", "std::cmp::Ordering"),
            constant!("::std::cmp::Ordering::Greater", "Ordering::Greater", "std::cmp::Ordering"),
        ],
    ),
    made(
        "core::ops::control_flow::ControlFlow<T0, T1>",
        &[
            make("control_flow_continue", &["T1"], "ControlFlow::<@0, _>::Continue({0})")
                .importing(&["std::ops::ControlFlow"]),
            make("control_flow_break", &["T0"], "ControlFlow::<_, @1>::Break({0})")
                .importing(&["std::ops::ControlFlow"]),
        ],
    ),
    made("std::io::util::Empty", &[make("|| ::std::io::empty()", &[], "io::empty()").importing(&["std::io"])]),
    made("std::io::util::Sink", &[make("|| ::std::io::sink()", &[], "io::sink()").importing(&["std::io"])]),
    made(
        "core::fmt::Arguments",
        &[make("|| ::std::format_args!(\"text\")", &[], "format_args!(\"text\")").lending(RowLoans::Viewed)],
    ),
    made(
        "core::any::TypeId",
        &[
            make("|| ::std::any::TypeId::of::<u8>()", &[], "TypeId::of::<u8>()").importing(&["std::any::TypeId"]),
            make("|| ::std::any::TypeId::of::<String>()", &[], "TypeId::of::<String>()")
                .importing(&["std::any::TypeId"]),
        ],
    ),
    made(
        "std::thread::id::ThreadId",
        &[make("|| ::std::thread::current().id()", &[], "thread::current().id()").importing(&["std::thread"])],
    ),
];
