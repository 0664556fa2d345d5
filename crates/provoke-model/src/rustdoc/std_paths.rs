//! Public paths of the standard library.
//!
//! rustdoc tells where an item is defined (`core::slice::iter::Iter`), which is often a private module. The rule: `core`
//! and `alloc` are seen as `std`, and an item is exported by the innermost public module on its way. Where std moves things
//! elsewhere, a table says so.

pub(crate) fn is_std_crate(name: &str) -> bool {
    matches!(name, "core" | "alloc" | "std")
}

/// The path to import an item of std by, from the path of its definition. `None` where stable code cannot name it.
pub(crate) fn std_path(definition: &[String]) -> Option<Vec<String>> {
    let [_crate, modules @ .., name] = definition else {
        return None;
    };
    let inner = modules.join("::");
    if is_unstable(&inner, name) {
        return None;
    }
    let module = moved(&inner, name).or_else(|| innermost_public(&inner))?;
    let mut path = vec!["std".to_owned()];
    path.extend(module.split("::").map(str::to_owned));
    path.push(name.clone());
    Some(path)
}

fn innermost_public(modules: &str) -> Option<&str> {
    let mut module = modules;
    loop {
        if PUBLIC_MODULES.contains(&module) {
            return Some(module);
        }
        module = module.rsplit_once("::")?.0;
    }
}

/// Items that are exported from another module than the one they are defined in or below.
fn moved(modules: &str, name: &str) -> Option<&'static str> {
    let is_collection =
        matches!(name, "HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" | "VecDeque" | "LinkedList" | "BinaryHeap");
    if modules.starts_with("collections::") && is_collection {
        return Some("collections");
    }
    if modules == "ffi::os_str" && name != "Display" {
        return Some("ffi");
    }
    MOVED
        .iter()
        .find(|(defined, _)| {
            modules.strip_prefix(defined).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        })
        .map(|(_, public)| *public)
}

const MOVED: &[(&str, &str)] = &[
    ("collections::hash::map", "collections::hash_map"),
    ("collections::hash::set", "collections::hash_set"),
    ("collections::btree::map", "collections::btree_map"),
    ("collections::btree::set", "collections::btree_set"),
];

/// Things that a stable compiler refuses, though a public module has them.
fn is_unstable(modules: &str, name: &str) -> bool {
    UNSTABLE_MODULES
        .iter()
        .any(|unstable| modules.strip_prefix(unstable).is_some_and(|rest| rest.is_empty() || rest.starts_with("::")))
        || UNSTABLE_ITEMS.contains(&name)
}

const UNSTABLE_MODULES: &[&str] = &[
    "str::pattern",
    "ops::try_trait",
    "ops::coroutine",
    "ops::unsize",
    "fmt::rt",
    "simd",
    "sync::mpmc",
    "sync::nonpoison",
    "sync::oneshot",
];

const UNSTABLE_ITEMS: &[&str] = &[
    "Allocator",
    "Global",
    "Step",
    "TrustedLen",
    "TrustedStep",
    "InPlaceIterable",
    "SourceIter",
    "StructuralPartialEq",
    "CloneToUninit",
    "Tuple",
    "Unsize",
    "Freeze",
];

const PUBLIC_MODULES: &[&str] = &[
    "alloc",
    "any",
    "array",
    "ascii",
    "backtrace",
    "borrow",
    "boxed",
    "cell",
    "char",
    "clone",
    "cmp",
    "collections",
    "collections::binary_heap",
    "collections::btree_map",
    "collections::btree_set",
    "collections::hash_map",
    "collections::hash_set",
    "collections::linked_list",
    "collections::vec_deque",
    "convert",
    "default",
    "env",
    "error",
    "f32",
    "f64",
    "ffi",
    "ffi::os_str",
    "fmt",
    "fs",
    "future",
    "hash",
    "hint",
    "io",
    "iter",
    "marker",
    "mem",
    "net",
    "num",
    "ops",
    "option",
    "os",
    "os::fd",
    "os::linux::fs",
    "os::linux::process",
    "os::unix",
    "os::unix::ffi",
    "os::unix::fs",
    "os::unix::io",
    "os::unix::net",
    "os::unix::process",
    "os::unix::thread",
    "panic",
    "path",
    "pin",
    "process",
    "ptr",
    "rc",
    "result",
    "slice",
    "str",
    "string",
    "sync",
    "sync::atomic",
    "sync::mpsc",
    "task",
    "thread",
    "time",
    "vec",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// From one list: the table that the rule is held against, and imports that rustc holds the table against.
    macro_rules! std_paths {
        ($($definition:literal => $($segment:ident)::+;)*) => {
            const TABLE: &[(&str, &[&str])] = &[$(($definition, &[$(stringify!($segment)),+])),*];

            $(const _: () = {
                #[allow(unused_imports)]
                use $($segment)::+ as _;
            };)*
        };
    }

    std_paths! {
        "alloc::borrow::Cow" => std::borrow::Cow;
        "alloc::boxed::Box" => std::boxed::Box;
        "alloc::collections::TryReserveError" => std::collections::TryReserveError;
        "alloc::collections::binary_heap::BinaryHeap" => std::collections::BinaryHeap;
        "alloc::collections::binary_heap::PeekMut" => std::collections::binary_heap::PeekMut;
        "alloc::collections::btree::map::BTreeMap" => std::collections::BTreeMap;
        "alloc::collections::btree::map::Iter" => std::collections::btree_map::Iter;
        "alloc::collections::btree::map::entry::Entry" => std::collections::btree_map::Entry;
        "alloc::collections::btree::set::BTreeSet" => std::collections::BTreeSet;
        "alloc::collections::btree::set::Range" => std::collections::btree_set::Range;
        "alloc::collections::linked_list::LinkedList" => std::collections::LinkedList;
        "alloc::collections::vec_deque::VecDeque" => std::collections::VecDeque;
        "alloc::collections::vec_deque::drain::Drain" => std::collections::vec_deque::Drain;
        "alloc::ffi::c_str::CString" => std::ffi::CString;
        "alloc::rc::Rc" => std::rc::Rc;
        "alloc::string::FromUtf8Error" => std::string::FromUtf8Error;
        "alloc::string::String" => std::string::String;
        "alloc::string::ToString" => std::string::ToString;
        "alloc::sync::Arc" => std::sync::Arc;
        "alloc::vec::Vec" => std::vec::Vec;
        "alloc::vec::into_iter::IntoIter" => std::vec::IntoIter;
        "core::alloc::layout::Layout" => std::alloc::Layout;
        "core::any::Any" => std::any::Any;
        "core::array::TryFromSliceError" => std::array::TryFromSliceError;
        "core::array::iter::IntoIter" => std::array::IntoIter;
        "core::borrow::Borrow" => std::borrow::Borrow;
        "core::cell::RefCell" => std::cell::RefCell;
        "core::cell::once::OnceCell" => std::cell::OnceCell;
        "core::char::ToLowercase" => std::char::ToLowercase;
        "core::char::convert::ParseCharError" => std::char::ParseCharError;
        "core::clone::Clone" => std::clone::Clone;
        "core::cmp::Ordering" => std::cmp::Ordering;
        "core::convert::Infallible" => std::convert::Infallible;
        "core::convert::TryFrom" => std::convert::TryFrom;
        "core::error::Error" => std::error::Error;
        "core::ffi::c_str::CStr" => std::ffi::CStr;
        "core::fmt::Formatter" => std::fmt::Formatter;
        "core::fmt::builders::DebugStruct" => std::fmt::DebugStruct;
        "core::future::future::Future" => std::future::Future;
        "core::hash::BuildHasher" => std::hash::BuildHasher;
        "core::iter::adapters::rev::Rev" => std::iter::Rev;
        "core::iter::sources::once::Once" => std::iter::Once;
        "core::iter::traits::collect::FromIterator" => std::iter::FromIterator;
        "core::iter::traits::iterator::Iterator" => std::iter::Iterator;
        "core::marker::PhantomData" => std::marker::PhantomData;
        "core::marker::Send" => std::marker::Send;
        "core::mem::maybe_uninit::MaybeUninit" => std::mem::MaybeUninit;
        "core::net::ip_addr::IpAddr" => std::net::IpAddr;
        "core::net::socket_addr::SocketAddr" => std::net::SocketAddr;
        "core::num::dec2flt::ParseFloatError" => std::num::ParseFloatError;
        "core::num::error::ParseIntError" => std::num::ParseIntError;
        "core::num::nonzero::NonZero" => std::num::NonZero;
        "core::num::nonzero::NonZeroU8" => std::num::NonZeroU8;
        "core::num::wrapping::Wrapping" => std::num::Wrapping;
        "core::ops::arith::Add" => std::ops::Add;
        "core::ops::async_function::AsyncFn" => std::ops::AsyncFn;
        "core::ops::control_flow::ControlFlow" => std::ops::ControlFlow;
        "core::ops::deref::Deref" => std::ops::Deref;
        "core::ops::drop::Drop" => std::ops::Drop;
        "core::ops::function::FnMut" => std::ops::FnMut;
        "core::ops::index::Index" => std::ops::Index;
        "core::ops::range::Bound" => std::ops::Bound;
        "core::ops::range::RangeInclusive" => std::ops::RangeInclusive;
        "core::option::Option" => std::option::Option;
        "core::panic::unwind_safe::UnwindSafe" => std::panic::UnwindSafe;
        "core::pin::Pin" => std::pin::Pin;
        "core::ptr::non_null::NonNull" => std::ptr::NonNull;
        "core::result::Result" => std::result::Result;
        "core::slice::index::SliceIndex" => std::slice::SliceIndex;
        "core::slice::iter::Iter" => std::slice::Iter;
        "core::str::error::Utf8Error" => std::str::Utf8Error;
        "core::str::iter::Chars" => std::str::Chars;
        "core::str::traits::FromStr" => std::str::FromStr;
        "core::sync::atomic::AtomicUsize" => std::sync::atomic::AtomicUsize;
        "core::task::poll::Poll" => std::task::Poll;
        "core::task::wake::Waker" => std::task::Waker;
        "core::time::Duration" => std::time::Duration;
        "std::collections::hash::map::Entry" => std::collections::hash_map::Entry;
        "std::collections::hash::map::HashMap" => std::collections::HashMap;
        "std::collections::hash::set::HashSet" => std::collections::HashSet;
        "std::collections::hash::set::Union" => std::collections::hash_set::Union;
        "std::ffi::os_str::Display" => std::ffi::os_str::Display;
        "std::ffi::os_str::OsString" => std::ffi::OsString;
        "std::fs::File" => std::fs::File;
        "std::hash::random::RandomState" => std::hash::RandomState;
        "std::io::Read" => std::io::Read;
        "std::io::buffered::bufreader::BufReader" => std::io::BufReader;
        "std::io::cursor::Cursor" => std::io::Cursor;
        "std::io::error::Error" => std::io::Error;
        "std::net::tcp::TcpStream" => std::net::TcpStream;
        "std::path::PathBuf" => std::path::PathBuf;
        "std::process::ExitCode" => std::process::ExitCode;
        "std::sync::lazy_lock::LazyLock" => std::sync::LazyLock;
        "std::sync::mpsc::Sender" => std::sync::mpsc::Sender;
        "std::sync::poison::PoisonError" => std::sync::PoisonError;
        "std::sync::poison::mutex::Mutex" => std::sync::Mutex;
        "std::thread::local::LocalKey" => std::thread::LocalKey;
        "std::time::SystemTime" => std::time::SystemTime;
    }

    fn path_of(definition: &str) -> Option<String> {
        let segments: Vec<String> = definition.split("::").map(str::to_owned).collect();
        std_path(&segments).map(|path| path.join("::"))
    }

    #[test]
    fn definitions_lead_to_the_paths_that_rustc_accepts() {
        for (definition, path) in TABLE {
            assert_eq!(path_of(definition), Some(path.join("::")), "{definition}");
        }
    }

    #[test]
    fn what_stable_code_cannot_name_has_no_path() {
        for definition in [
            "alloc::alloc::Global",
            "core::str::pattern::Pattern",
            "core::ops::try_trait::Try",
            "core::iter::traits::marker::TrustedLen",
            "core::core_arch::x86::__m128i",
            "core::lonely",
            "core",
        ] {
            assert_eq!(path_of(definition), None, "{definition}");
        }
    }
}
