//! The std types that hold others, one row each: how to make a value and how to take one apart.
//!
//! Rows are patterns of type names: `T0`, `T1` stand for any sized type, `U0` for any type at all, and in the types of a
//! way `Self` for the whole. Lifetimes are left out of patterns, as they are out of matching.

use provoke_api::OpKind;

use crate::plan::builtins::std_values;
use crate::plan::builtins::way::{RowLoans, StdType, both, default, deref, made, make, own, put, take, way};

/// A collection of elements: its name, its module, how one more goes in.
macro_rules! collection {
    ($pattern:literal, $name:literal, $adapter:literal, $insert:literal) => {
        both(
            $pattern,
            &[
                default(concat!($name, "::<@0>::new()")).importing(&[concat!("std::collections::", $name)]),
                make(concat!($adapter, "_2"), &["T0", "T0"], concat!($name, "::from([{0}, {1}])"))
                    .importing(&[concat!("std::collections::", $name)])
                    .bounded(),
                put(concat!($adapter, "_put"), &["&mut Self", "T0"], $insert).bounded(),
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
                default(concat!($name, "::<@0, @1>::new()")).importing(&[concat!("std::collections::", $name)]),
                make(
                    concat!($adapter, "_2"),
                    &["T0", "T1", "T0", "T1"],
                    concat!($name, "::from([({0}, {1}), ({2}, {3})])"),
                )
                .importing(&[concat!("std::collections::", $name)])
                .bounded(),
                put(concat!($adapter, "_put"), &["&mut Self", "T0", "T1"], "{.0}.insert({1}, {2})").bounded(),
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
                RowLoans::Lent,
            )],
        )
    };
}

/// All rows. The first that fits counts.
pub fn rows() -> impl Iterator<Item = &'static StdType> {
    let holders = [BASICS, VIEWS, COLLECTIONS, RC, ARC, CELLS, RANGES, WRAPPERS, COWS, ITERATORS];
    holders.into_iter().chain(std_values::ROWS).flatten()
}

const BASICS: &[StdType] = &[
    both(
        "core::option::Option<T0>",
        &[make("option_none", &[], "None::<@0>"), make("option_some", &["T0"], "Some({0})")],
        &[take("option_unwrap", "T0", "{.0}.unwrap()").being(OpKind::UnwrapSome)],
    ),
    both(
        "core::result::Result<T0, T1>",
        &[make("result_ok", &["T0"], "Ok::<_, @1>({0})"), make("result_err", &["T1"], "Err::<@0, _>({0})")],
        &[
            take("result_unwrap", "T0", "{.0}.unwrap()")
                .being(OpKind::UnwrapOk)
                .explicitly("match {0} { Ok(value) => value, Err(_) => panic!() }"),
            take("result_unwrap_err", "T1", "{.0}.err().unwrap()").being(OpKind::UnwrapErr),
        ],
    ),
    both(
        "alloc::vec::Vec<u8>",
        &[
            make("vec_0", &[], "Vec::<u8>::new()"),
            own("|bytes: &'static [u8]| bytes.to_vec()", &["&[u8]"], "{.0}.to_vec()"),
            put("vec_push", &["&mut Self", "u8"], "{.0}.push({1})"),
        ],
        &[way("vec_pop", &["&mut Self"], "core::option::Option<u8>", "{.0}.pop()", RowLoans::TakenOut)],
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
        &[way("vec_pop", &["&mut Self"], "core::option::Option<T0>", "{.0}.pop()", RowLoans::TakenOut)],
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
            RowLoans::Viewed,
        )],
    ),
    both(
        "&[T0]",
        &[way("vec_as_slice", &["&alloc::vec::Vec<T0>"], "Self", "&{.0}[..]", RowLoans::Viewed)],
        &[way("slice_first", &["Self"], "core::option::Option<&T0>", "{.0}.first()", RowLoans::Lent)],
    ),
    both(
        "&mut [T0]",
        &[way("vec_as_mut_slice", &["&mut alloc::vec::Vec<T0>"], "Self", "&mut {.0}[..]", RowLoans::Viewed)],
        &[way("slice_first_mut", &["Self"], "core::option::Option<&mut T0>", "{.0}.first_mut()", RowLoans::Lent)],
    ),
    made(
        "&std::path::Path",
        &[way(
            "|text: &'static str| ::std::path::Path::new(text)",
            &["&str"],
            "Self",
            "Path::new({0})",
            RowLoans::Viewed,
        )
        .importing(&["std::path::Path"])],
    ),
    made(
        "&std::ffi::os_str::OsStr",
        &[way(
            "|text: &'static str| ::std::ffi::OsStr::new(text)",
            &["&str"],
            "Self",
            "OsStr::new({0})",
            RowLoans::Viewed,
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
            RowLoans::Viewed,
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
            default("HashSet::<@0, @1>::default()").importing(&["std::collections::HashSet"]),
            put("hash_set_put", &["&mut Self", "T0"], "{.0}.insert({1})").bounded(),
        ],
        &[],
    ),
    both(
        "std::collections::hash::map::HashMap<T0, T1, T2>",
        &[
            default("HashMap::<@0, @1, @2>::default()").importing(&["std::collections::HashMap"]),
            put("hash_map_put", &["&mut Self", "T0", "T1"], "{.0}.insert({1}, {2})").bounded(),
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
    made("core::marker::PhantomData<T0>", &[default("PhantomData::<@0>").importing(&["std::marker::PhantomData"])]),
    both(
        "core::pin::Pin<alloc::boxed::Box<T0>>",
        &[make("box_pin", &["T0"], "Box::pin({0})")],
        &[way("pin_as_mut", &["&mut Self"], "core::pin::Pin<&mut T0>", "{.0}.as_mut()", RowLoans::Lent)],
    ),
    made(
        "core::pin::Pin<&mut T0>",
        &[way("pin_mut", &["&mut core::pin::Pin<alloc::boxed::Box<T0>>"], "Self", "{.0}.as_mut()", RowLoans::Lent)],
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
        &[take("cow_into_owned", "alloc::string::String", "{.0}.into_owned()").lending(RowLoans::Owned)],
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
        &[take("cow_into_owned", "std::path::PathBuf", "{.0}.into_owned()").lending(RowLoans::Owned)],
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

const ITERATORS: &[StdType] = &[
    made("alloc::vec::into_iter::IntoIter<T0>", &[make("vec_into_iter", &["alloc::vec::Vec<T0>"], "{.0}.into_iter()")]),
    made("core::slice::iter::Iter<T0>", &[way("slice_iter", &["&[T0]"], "Self", "{.0}.iter()", RowLoans::Lent)]),
    made(
        "core::slice::iter::IterMut<T0>",
        &[way("slice_iter_mut", &["&mut [T0]"], "Self", "{.0}.iter_mut()", RowLoans::Lent)],
    ),
    over_text!("core::str::iter::Chars", "chars"),
    over_text!("core::str::iter::CharIndices", "char_indices"),
    over_text!("core::str::iter::Bytes", "bytes"),
    over_text!("core::str::iter::Lines", "lines"),
    over_text!("core::str::iter::SplitWhitespace", "split_whitespace"),
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
