//! The std types that APIs pass around, one row each: how to make a value and how to take one apart.
//!
//! Rows are patterns of type names: `T0`, `T1` stand for any sized type, `U0` for any type at all, and in the types of a
//! way `Self` for the whole. Lifetimes are left out of patterns, as they are out of matching.

/// One type.
pub struct StdType {
    pub pattern: &'static str,
    pub makers: &'static [Way],
    pub takers: &'static [Way],
}

/// One operation on a type.
#[derive(Clone, Copy)]
pub struct Way {
    /// An adapter of the runtime that takes a witness of `Self`, or an expression that needs none (`::std::time::Duration::from_secs`).
    pub function: &'static str,
    pub args: &'static [&'static str],
    pub result: &'static str,
    /// As a test spells it; `@0` is the name of `T0`. Where it has none, the whole `::<…>` around it is left out.
    pub text: &'static str,
    pub explicit: Option<&'static str>,
    pub imports: &'static [&'static str],
    pub loans: Loans,
}

/// What an operation lends and passes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loans {
    /// The result holds the arguments.
    Passed,
    /// The result is another view of what the first argument refers to, written inside the statement that uses it.
    Viewed,
    /// The result borrows from the first argument.
    Lent,
    /// The result comes out of what the first argument refers to.
    TakenOut,
    /// The other arguments go into what the first refers to.
    PutIn,
    /// The result borrows nothing.
    Owned,
    /// The first argument is called with the others, which it may hand out again.
    Called,
    /// The same with an argument that may also keep the others.
    CalledMut,
}

const fn way(
    function: &'static str,
    args: &'static [&'static str],
    result: &'static str,
    text: &'static str,
    loans: Loans,
) -> Way {
    Way { function, args, result, text, explicit: None, imports: &[], loans }
}

/// A value made from parts.
const fn make(function: &'static str, args: &'static [&'static str], text: &'static str) -> Way {
    way(function, args, "Self", text, Loans::Passed)
}

/// A value made from parts, which are copied or plain.
const fn own(function: &'static str, args: &'static [&'static str], text: &'static str) -> Way {
    way(function, args, "Self", text, Loans::Owned)
}

/// A part taken out of a value that is used up.
const fn take(function: &'static str, result: &'static str, text: &'static str) -> Way {
    way(function, &["Self"], result, text, Loans::Passed)
}

/// What a smart pointer points to.
const fn deref(target: &'static str) -> Way {
    way("deref_of", &["&Self"], target, "&**{0}", Loans::Viewed)
}

const fn put(function: &'static str, args: &'static [&'static str], text: &'static str) -> Way {
    way(function, args, "()", text, Loans::PutIn)
}

impl Way {
    const fn importing(self, imports: &'static [&'static str]) -> Way {
        Way { imports, ..self }
    }

    const fn explicitly(self, text: &'static str) -> Way {
        Way { explicit: Some(text), ..self }
    }

    pub const fn lending(self, loans: Loans) -> Way {
        Way { loans, ..self }
    }

    /// The expression does without a witness.
    pub fn is_direct(&self) -> bool {
        self.function.starts_with([':', '|'])
    }
}

const fn made(pattern: &'static str, makers: &'static [Way]) -> StdType {
    StdType { pattern, makers, takers: &[] }
}

const fn both(pattern: &'static str, makers: &'static [Way], takers: &'static [Way]) -> StdType {
    StdType { pattern, makers, takers }
}

/// `NonZeroU8` and its likes, atomics.
macro_rules! numbers {
    ($($int:literal $name:literal),+) => {
        &[$(both(
            concat!("core::num::nonzero::NonZero<", $int, ">"),
            &[way(
                concat!("::std::num::", $name, "::new"),
                &[$int],
                "core::option::Option<Self>",
                concat!($name, "::new({0})"),
                Loans::Owned,
            )
            .importing(&[concat!("std::num::", $name)])],
            &[way(concat!("::std::num::", $name, "::get"), &["Self"], $int, "{.0}.get()", Loans::Owned)],
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
                Loans::Owned,
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

/// A collection of elements: its name, its module, how one more goes in.
macro_rules! collection {
    ($pattern:literal, $name:literal, $adapter:literal, $insert:literal) => {
        both(
            $pattern,
            &[
                make("default_of", &[], concat!($name, "::<@0>::new()"))
                    .importing(&[concat!("std::collections::", $name)]),
                make(concat!($adapter, "_2"), &["T0", "T0"], concat!($name, "::from([{0}, {1}])"))
                    .importing(&[concat!("std::collections::", $name)]),
                put(concat!($adapter, "_put"), &["&mut Self", "T0"], $insert),
            ],
            &[take("into_vec", "alloc::vec::Vec<T0>", "{.0}.into_iter().collect::<Vec<_>>()")],
        )
    };
}

macro_rules! map {
    ($pattern:literal, $name:literal, $adapter:literal) => {
        both(
            $pattern,
            &[
                make("default_of", &[], concat!($name, "::<@0, @1>::new()"))
                    .importing(&[concat!("std::collections::", $name)]),
                make(
                    concat!($adapter, "_2"),
                    &["T0", "T1", "T0", "T1"],
                    concat!($name, "::from([({0}, {1}), ({2}, {3})])"),
                )
                .importing(&[concat!("std::collections::", $name)]),
                put(concat!($adapter, "_put"), &["&mut Self", "T0", "T1"], "{.0}.insert({1}, {2})"),
            ],
            &[take("into_vec", "alloc::vec::Vec<(T0, T1)>", "{.0}.into_iter().collect::<Vec<_>>()")],
        )
    };
}

/// `Wrapper::new(value)` and back.
macro_rules! wrapper {
    ($pattern:literal, $adapter:literal, $make:literal, $import:literal, $take:literal) => {
        both(
            $pattern,
            &[make(concat!($adapter, "_new"), &["T0"], $make).importing(&[$import])],
            &[take(concat!($adapter, "_take"), "T0", $take)],
        )
    };
}

/// A shared pointer.
macro_rules! pointers {
    ($path:literal, $name:literal, $import:literal, $adapter:literal) => {
        &[
            both(
                concat!($path, "<str>"),
                &[own(
                    concat!("|text: &'static str| ", "::", $import, "::<str>::from(text)"),
                    &["&str"],
                    concat!($name, "::<str>::from({0})"),
                )
                .importing(&[$import])],
                &[deref("&str")],
            ),
            both(
                concat!($path, "<[T0]>"),
                &[make(concat!($adapter, "_slice"), &["alloc::vec::Vec<T0>"], concat!($name, "::<[_]>::from({0})"))
                    .importing(&[$import])],
                &[deref("&[T0]")],
            ),
            both(
                concat!($path, "<T0>"),
                &[make(concat!($adapter, "_new"), &["T0"], concat!($name, "::new({0})")).importing(&[$import])],
                &[deref("&T0")],
            ),
            both(concat!($path, "<U0>"), &[], &[deref("&U0")]),
        ]
    };
}

/// An iterator over a text.
macro_rules! over_text {
    ($path:literal, $method:literal) => {
        made(
            $path,
            &[way(
                concat!("|text: &'static str| text.", $method, "()"),
                &["&str"],
                "Self",
                concat!("{.0}.", $method, "()"),
                Loans::Lent,
            )],
        )
    };
}

/// All rows. The first that fits counts.
pub fn rows() -> impl Iterator<Item = &'static StdType> {
    [
        BASICS,
        VIEWS,
        COLLECTIONS,
        RC,
        ARC,
        CELLS,
        RANGES,
        WRAPPERS,
        COWS,
        SYSTEM_TEXT,
        NET,
        TIME,
        NON_ZERO,
        ITERATORS,
        TASKS,
        ERRORS,
        ODDS,
    ]
    .into_iter()
    .flatten()
}

const BASICS: &[StdType] = &[
    both(
        "core::option::Option<T0>",
        &[make("option_none", &[], "None::<@0>"), make("option_some", &["T0"], "Some({0})")],
        &[take("option_unwrap", "T0", "{.0}.unwrap()")],
    ),
    both(
        "core::result::Result<T0, T1>",
        &[make("result_ok", &["T0"], "Ok::<_, @1>({0})"), make("result_err", &["T1"], "Err::<@0, _>({0})")],
        &[
            take("result_unwrap", "T0", "{.0}.unwrap()")
                .explicitly("match {0} { Ok(value) => value, Err(_) => panic!() }"),
            take("result_unwrap_err", "T1", "{.0}.err().unwrap()"),
        ],
    ),
    both(
        "alloc::vec::Vec<u8>",
        &[
            make("vec_0", &[], "Vec::<u8>::new()"),
            own("|bytes: &'static [u8]| bytes.to_vec()", &["&[u8]"], "{.0}.to_vec()"),
            put("vec_push", &["&mut Self", "u8"], "{.0}.push({1})"),
        ],
        &[way("vec_pop", &["&mut Self"], "core::option::Option<u8>", "{.0}.pop()", Loans::TakenOut)],
    ),
    both(
        "alloc::vec::Vec<T0>",
        &[
            make("vec_0", &[], "Vec::<@0>::new()"),
            make("vec_1", &["T0"], "vec![{0}]"),
            make("vec_2", &["T0", "T0"], "vec![{0}, {1}]"),
            make("vec_3", &["T0", "T0", "T0"], "vec![{0}, {1}, {2}]"),
            put("vec_push", &["&mut Self", "T0"], "{.0}.push({1})"),
        ],
        &[way("vec_pop", &["&mut Self"], "core::option::Option<T0>", "{.0}.pop()", Loans::TakenOut)],
    ),
    both(
        "alloc::boxed::Box<str>",
        &[own("|text: &'static str| ::std::boxed::Box::<str>::from(text)", &["&str"], "Box::<str>::from({0})")],
        &[deref("&str")],
    ),
    both(
        "alloc::boxed::Box<[T0]>",
        &[make("vec_into_boxed_slice", &["alloc::vec::Vec<T0>"], "{.0}.into_boxed_slice()")],
        &[deref("&[T0]")],
    ),
    both("alloc::boxed::Box<T0>", &[make("boxed", &["T0"], "Box::new({0})")], &[take("unboxed", "T0", "*{0}")]),
    both("alloc::boxed::Box<U0>", &[], &[deref("&U0")]),
];

/// What stands behind a reference and has no size.
const VIEWS: &[StdType] = &[
    both("&str", &[], &[]),
    made(
        "&mut str",
        &[way(
            "|text: &'static mut String| text.as_mut_str()",
            &["&mut alloc::string::String"],
            "Self",
            "{.0}.as_mut_str()",
            Loans::Viewed,
        )],
    ),
    both(
        "&[T0]",
        &[way("vec_as_slice", &["&alloc::vec::Vec<T0>"], "Self", "&{.0}[..]", Loans::Viewed)],
        &[way("slice_first", &["Self"], "core::option::Option<&T0>", "{.0}.first()", Loans::Lent)],
    ),
    both(
        "&mut [T0]",
        &[way("vec_as_mut_slice", &["&mut alloc::vec::Vec<T0>"], "Self", "&mut {.0}[..]", Loans::Viewed)],
        &[way("slice_first_mut", &["Self"], "core::option::Option<&mut T0>", "{.0}.first_mut()", Loans::Lent)],
    ),
    made(
        "&std::path::Path",
        &[way("|text: &'static str| ::std::path::Path::new(text)", &["&str"], "Self", "Path::new({0})", Loans::Viewed)
            .importing(&["std::path::Path"])],
    ),
    made(
        "&std::ffi::os_str::OsStr",
        &[way(
            "|text: &'static str| ::std::ffi::OsStr::new(text)",
            &["&str"],
            "Self",
            "OsStr::new({0})",
            Loans::Viewed,
        )
        .importing(&["std::ffi::OsStr"])],
    ),
    made(
        "&core::ffi::c_str::CStr",
        &[way(
            "|text: &'static ::std::ffi::CString| text.as_c_str()",
            &["&alloc::ffi::c_str::CString"],
            "Self",
            "{.0}.as_c_str()",
            Loans::Viewed,
        )],
    ),
    made(
        "&core::panic::location::Location",
        &[make("|| ::std::panic::Location::caller()", &[], "Location::caller()").importing(&["std::panic::Location"])],
    ),
];

const COLLECTIONS: &[StdType] = &[
    collection!("alloc::collections::vec_deque::VecDeque<T0>", "VecDeque", "vec_deque", "{.0}.push_back({1})"),
    collection!("alloc::collections::linked_list::LinkedList<T0>", "LinkedList", "linked_list", "{.0}.push_back({1})"),
    collection!("alloc::collections::binary_heap::BinaryHeap<T0>", "BinaryHeap", "binary_heap", "{.0}.push({1})"),
    collection!("alloc::collections::btree::set::BTreeSet<T0>", "BTreeSet", "btree_set", "{.0}.insert({1})"),
    collection!("std::collections::hash::set::HashSet<T0>", "HashSet", "hash_set", "{.0}.insert({1})"),
    map!("alloc::collections::btree::map::BTreeMap<T0, T1>", "BTreeMap", "btree_map"),
    map!("std::collections::hash::map::HashMap<T0, T1>", "HashMap", "hash_map"),
    // With a hasher of its own.
    both(
        "std::collections::hash::set::HashSet<T0, T1>",
        &[
            make("default_of", &[], "HashSet::<@0, @1>::default()").importing(&["std::collections::HashSet"]),
            put("hash_set_put", &["&mut Self", "T0"], "{.0}.insert({1})"),
        ],
        &[],
    ),
    both(
        "std::collections::hash::map::HashMap<T0, T1, T2>",
        &[
            make("default_of", &[], "HashMap::<@0, @1, @2>::default()").importing(&["std::collections::HashMap"]),
            put("hash_map_put", &["&mut Self", "T0", "T1"], "{.0}.insert({1}, {2})"),
        ],
        &[],
    ),
];

const RC: &[StdType] = pointers!("alloc::rc::Rc", "Rc", "std::rc::Rc", "rc");
const ARC: &[StdType] = pointers!("alloc::sync::Arc", "Arc", "std::sync::Arc", "arc");

const CELLS: &[StdType] = &[
    wrapper!("core::cell::Cell<T0>", "cell", "Cell::new({0})", "std::cell::Cell", "{.0}.into_inner()"),
    wrapper!("core::cell::RefCell<T0>", "ref_cell", "RefCell::new({0})", "std::cell::RefCell", "{.0}.into_inner()"),
    wrapper!(
        "std::sync::poison::mutex::Mutex<T0>",
        "mutex",
        "Mutex::new({0})",
        "std::sync::Mutex",
        "{.0}.into_inner().unwrap()"
    ),
    wrapper!(
        "std::sync::poison::rwlock::RwLock<T0>",
        "rw_lock",
        "RwLock::new({0})",
        "std::sync::RwLock",
        "{.0}.into_inner().unwrap()"
    ),
    // Kept for a while, a guard would make calls that take the cell panic or wait, by no fault of theirs.
    both("core::cell::Ref<U0>", &[], &[deref("&U0")]),
    both("core::cell::RefMut<U0>", &[], &[deref("&U0")]),
    both("std::sync::poison::mutex::MutexGuard<U0>", &[], &[deref("&U0")]),
];

const RANGES: &[StdType] = &[
    made("core::ops::range::RangeFull", &[make("|| ..", &[], "..")]),
    both(
        "core::ops::range::Range<T0>",
        &[make("range", &["T0", "T0"], "{0}..{1}")],
        &[take("range_start", "T0", "{.0}.start"), take("range_end", "T0", "{.0}.end")],
    ),
    both(
        "core::ops::range::RangeInclusive<T0>",
        &[make("range_inclusive", &["T0", "T0"], "{0}..={1}")],
        &[take("range_inclusive_parts", "(T0, T0)", "{.0}.into_inner()")],
    ),
    both(
        "core::ops::range::RangeFrom<T0>",
        &[make("range_from", &["T0"], "{0}..")],
        &[take("range_from_start", "T0", "{.0}.start")],
    ),
    both(
        "core::ops::range::RangeTo<T0>",
        &[make("range_to", &["T0"], "..{0}")],
        &[take("range_to_end", "T0", "{.0}.end")],
    ),
    made("core::ops::range::RangeToInclusive<T0>", &[make("range_to_inclusive", &["T0"], "..={0}")]),
    made(
        "core::ops::range::Bound<T0>",
        &[
            make("bound_included", &["T0"], "Bound::Included({0})").importing(&["std::ops::Bound"]),
            make("bound_excluded", &["T0"], "Bound::Excluded({0})").importing(&["std::ops::Bound"]),
            make("bound_unbounded", &[], "Bound::Unbounded::<@0>").importing(&["std::ops::Bound"]),
        ],
    ),
];

const WRAPPERS: &[StdType] = &[
    wrapper!("core::num::wrapping::Wrapping<T0>", "wrapping", "Wrapping({0})", "std::num::Wrapping", "{.0}.0"),
    wrapper!(
        "core::num::saturating::Saturating<T0>",
        "saturating",
        "Saturating({0})",
        "std::num::Saturating",
        "{.0}.0"
    ),
    wrapper!("core::cmp::Reverse<T0>", "reverse", "Reverse({0})", "std::cmp::Reverse", "{.0}.0"),
    wrapper!("std::io::cursor::Cursor<T0>", "cursor", "Cursor::new({0})", "std::io::Cursor", "{.0}.into_inner()"),
    made(
        "core::marker::PhantomData<T0>",
        &[make("default_of", &[], "PhantomData::<@0>").importing(&["std::marker::PhantomData"])],
    ),
    both(
        "core::pin::Pin<alloc::boxed::Box<T0>>",
        &[make("box_pin", &["T0"], "Box::pin({0})")],
        &[way("pin_as_mut", &["&mut Self"], "core::pin::Pin<&mut T0>", "{.0}.as_mut()", Loans::Lent)],
    ),
    made(
        "core::pin::Pin<&mut T0>",
        &[way("pin_mut", &["&mut core::pin::Pin<alloc::boxed::Box<T0>>"], "Self", "{.0}.as_mut()", Loans::Lent)],
    ),
];

const COWS: &[StdType] = &[
    both(
        "alloc::borrow::Cow<str>",
        &[
            make("cow_borrowed", &["&str"], "Cow::Borrowed({0})").importing(&["std::borrow::Cow"]),
            make("cow_owned", &["alloc::string::String"], "Cow::<'static, str>::Owned({0})")
                .importing(&["std::borrow::Cow"]),
        ],
        &[take("cow_into_owned", "alloc::string::String", "{.0}.into_owned()").lending(Loans::Owned)],
    ),
    both(
        "alloc::borrow::Cow<[T0]>",
        &[
            make("cow_borrowed", &["&[T0]"], "Cow::Borrowed({0})").importing(&["std::borrow::Cow"]),
            make("cow_owned", &["alloc::vec::Vec<T0>"], "Cow::<[_]>::Owned({0})").importing(&["std::borrow::Cow"]),
        ],
        &[take("cow_into_owned", "alloc::vec::Vec<T0>", "{.0}.into_owned()")],
    ),
    both(
        "alloc::borrow::Cow<std::path::Path>",
        &[make("cow_borrowed", &["&std::path::Path"], "Cow::Borrowed({0})").importing(&["std::borrow::Cow"])],
        &[take("cow_into_owned", "std::path::PathBuf", "{.0}.into_owned()").lending(Loans::Owned)],
    ),
    both(
        "alloc::borrow::Cow<T0>",
        &[
            make("cow_borrowed", &["&T0"], "Cow::Borrowed({0})").importing(&["std::borrow::Cow"]),
            make("cow_owned", &["T0"], "Cow::<@0>::Owned({0})").importing(&["std::borrow::Cow"]),
        ],
        &[take("cow_into_owned", "T0", "{.0}.into_owned()")],
    ),
];

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
            Loans::Owned,
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
                Loans::Owned,
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

const ITERATORS: &[StdType] = &[
    made("alloc::vec::into_iter::IntoIter<T0>", &[make("vec_into_iter", &["alloc::vec::Vec<T0>"], "{.0}.into_iter()")]),
    made("core::slice::iter::Iter<T0>", &[way("slice_iter", &["&[T0]"], "Self", "{.0}.iter()", Loans::Lent)]),
    made(
        "core::slice::iter::IterMut<T0>",
        &[way("slice_iter_mut", &["&mut [T0]"], "Self", "{.0}.iter_mut()", Loans::Lent)],
    ),
    over_text!("core::str::iter::Chars", "chars"),
    over_text!("core::str::iter::CharIndices", "char_indices"),
    over_text!("core::str::iter::Bytes", "bytes"),
    over_text!("core::str::iter::Lines", "lines"),
    over_text!("core::str::iter::SplitWhitespace", "split_whitespace"),
];

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
            Loans::Owned,
        )],
    ),
    made(
        "core::str::error::Utf8Error",
        &[way(
            "|bytes: &'static [u8]| ::std::str::from_utf8(bytes)",
            &["&[u8]"],
            "core::result::Result<&str, Self>",
            "std::str::from_utf8({0})",
            Loans::Lent,
        )],
    ),
    made(
        "alloc::string::FromUtf8Error",
        &[way(
            "::std::string::String::from_utf8",
            &["alloc::vec::Vec<u8>"],
            "core::result::Result<alloc::string::String, Self>",
            "String::from_utf8({0})",
            Loans::Passed,
        )],
    ),
    made(
        "alloc::ffi::c_str::NulError",
        &[way(
            "|text: &'static str| ::std::ffi::CString::new(text)",
            &["&str"],
            "core::result::Result<alloc::ffi::c_str::CString, Self>",
            "CString::new({0})",
            Loans::Owned,
        )
        .importing(&["std::ffi::CString"])],
    ),
    made("core::alloc::layout::LayoutError", LAYOUT),
    made("core::alloc::layout::Layout", LAYOUT),
];

const LAYOUT: &[Way] = &[way(
    "::std::alloc::Layout::from_size_align",
    &["usize", "usize"],
    "core::result::Result<core::alloc::layout::Layout, core::alloc::layout::LayoutError>",
    "Layout::from_size_align({0}, {1})",
    Loans::Owned,
)
.importing(&["std::alloc::Layout"])];

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
        &[make("|| ::std::format_args!(\"text\")", &[], "format_args!(\"text\")").lending(Loans::Viewed)],
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

/// Iterators of std that hand out something with a name, and what.
pub const ITEMS: &[(&str, &str)] = &[
    ("alloc::vec::into_iter::IntoIter<T0>", "T0"),
    ("alloc::vec::drain::Drain<T0>", "T0"),
    ("alloc::string::Drain", "char"),
    ("core::slice::iter::Iter<T0>", "&T0"),
    ("core::slice::iter::IterMut<T0>", "&mut T0"),
    ("core::slice::iter::Chunks<T0>", "&[T0]"),
    ("core::slice::iter::Windows<T0>", "&[T0]"),
    ("core::str::iter::Chars", "char"),
    ("core::str::iter::CharIndices", "(usize, char)"),
    ("core::str::iter::Bytes", "u8"),
    ("core::str::iter::Lines", "&str"),
    ("core::str::iter::SplitWhitespace", "&str"),
    ("core::str::iter::Split<T0>", "&str"),
    ("core::option::IntoIter<T0>", "T0"),
    ("core::option::Iter<T0>", "&T0"),
    ("std::collections::hash::map::Iter<T0, T1>", "(&T0, &T1)"),
    ("std::collections::hash::map::IterMut<T0, T1>", "(&T0, &mut T1)"),
    ("std::collections::hash::map::IntoIter<T0, T1>", "(T0, T1)"),
    ("std::collections::hash::map::Drain<T0, T1>", "(T0, T1)"),
    ("std::collections::hash::map::Keys<T0, T1>", "&T0"),
    ("std::collections::hash::map::Values<T0, T1>", "&T1"),
    ("std::collections::hash::set::Iter<T0>", "&T0"),
    ("alloc::collections::btree::map::Iter<T0, T1>", "(&T0, &T1)"),
    ("alloc::collections::btree::map::IntoIter<T0, T1>", "(T0, T1)"),
    ("alloc::collections::btree::map::Keys<T0, T1>", "&T0"),
    ("alloc::collections::btree::map::Values<T0, T1>", "&T1"),
    ("alloc::collections::btree::map::Range<T0, T1>", "(&T0, &T1)"),
    ("alloc::collections::btree::set::Iter<T0>", "&T0"),
    ("alloc::collections::vec_deque::iter::Iter<T0>", "&T0"),
];
