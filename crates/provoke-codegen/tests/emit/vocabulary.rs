//! Operations on std types, written as a plan would write them.

use provoke_codegen::OpText;

const NONE: &str = "";

struct Row {
    key: &'static str,
    pretty: &'static str,
    explicit: &'static str,
    imports: &'static [&'static str],
    variable: &'static str,
    /// Empty where the type cannot be named.
    ty: &'static str,
    generic_args: &'static [u8],
    needs_drop: bool,
    is_inline: bool,
    element_traits: &'static [&'static str],
}

const fn row(
    key: &'static str,
    pretty: &'static str,
    explicit: &'static str,
    variable: &'static str,
    ty: &'static str,
) -> Row {
    Row {
        key,
        pretty,
        explicit,
        imports: &[],
        variable,
        ty,
        generic_args: &[],
        needs_drop: false,
        is_inline: false,
        element_traits: &[],
    }
}

impl Row {
    const fn imports(self, imports: &'static [&'static str]) -> Row {
        Row { imports, ..self }
    }

    const fn generic(self, generic_args: &'static [u8]) -> Row {
        Row { generic_args, ..self }
    }

    const fn asking(self, element_traits: &'static [&'static str]) -> Row {
        Row { element_traits, ..self }
    }

    const fn needs_drop(self) -> Row {
        Row { needs_drop: true, ..self }
    }

    const fn inline(self) -> Row {
        Row { is_inline: true, ..self }
    }
}

const ROWS: &[Row] = &[
    row("vec_new", "Vec::new()", "<Vec<u8>>::new()", "vec", "Vec<u8>").needs_drop(),
    row("vec_with_capacity", "Vec::with_capacity({0})", "<Vec<u8>>::with_capacity({0})", "vec", "Vec<u8>").needs_drop(),
    row("vec_of_1", "vec![{0}]", "vec![{0}]", "vec", "Vec<u8>").generic(&[0]).needs_drop(),
    row("vec_of_3", "vec![{0}, {1}, {2}]", "vec![{0}, {1}, {2}]", "vec", "Vec<u8>").generic(&[0, 1, 2]).needs_drop(),
    row("push", "{.0}.push({1})", "<Vec<u8>>::push({0}, {1})", NONE, "()").generic(&[1]),
    row("insert", "{.0}.insert({1}, {2})", "<Vec<u8>>::insert({0}, {1}, {2})", NONE, "()").generic(&[2]),
    row("len", "{.0}.len()", "<Vec<u8>>::len({0})", "usize", "usize"),
    row("pop", "{.0}.pop()", "<Vec<u8>>::pop({0})", "option", "Option<u8>"),
    row("truncate", "{.0}.truncate({1})", "<Vec<u8>>::truncate({0}, {1})", NONE, "()"),
    row("clear", "{.0}.clear()", "<Vec<u8>>::clear({0})", NONE, "()"),
    row("slice", "&{.0}[..]", "&{.0}[..]", "slice", "&[u8]").inline(),
    row("slice_mut", "&mut {.0}[..]", "&mut {.0}[..]", "slice", "&mut [u8]").inline(),
    row("slice_first", "{.0}.first()", "<[u8]>::first({0})", "option", "Option<&u8>"),
    row("slice_contains", "{.0}.contains({1})", "<[u8]>::contains({0}, {1})", "bool", "bool"),
    row("slice_get_mut", "{.0}.get_mut({1})", "<[u8]>::get_mut::<usize>({0}, {1})", "option", "Option<&mut u8>")
        .generic(&[1]),
    row("slice_copy", "{.0}.copy_from_slice({1})", "<[u8]>::copy_from_slice({0}, {1})", NONE, "()"),
    row("slice_iter", "{.0}.iter()", "<[u8]>::iter({0})", "iter", "Iter<'_, u8>").imports(&["std::slice::Iter"]),
    row("vec_ref_iter", "{.0}.into_iter()", "<&Vec<u8> as IntoIterator>::into_iter({0})", "iter", "Iter<'_, u8>")
        .imports(&["std::slice::Iter"]),
    row("iter_next", "{.0}.next()", "<Iter<u8> as Iterator>::next({0})", "option", "Option<&u8>")
        .imports(&["std::slice::Iter", "std::iter::Iterator"]),
    row("iter_rev", "{.0}.rev()", "{.0}.rev()", "rev", "std::iter::Rev<Iter<'_, u8>>").imports(&["std::slice::Iter"]),
    row("rev_count", "{.0}.count()", "{.0}.count()", "usize", "usize"),
    row("drain_all", "{.0}.drain(..)", "<Vec<u8>>::drain({0}, ..)", "drain", "Drain<'_, u8>")
        .imports(&["std::vec::Drain"])
        .needs_drop(),
    row("unwrap_mut", "{.0}.unwrap()", "<Option<&mut u8>>::unwrap({0})", "type", "&mut u8"),
    row("write", "*{0} = {1}", "*{0} = {1}", NONE, "()"),
    row("read", "*{0}", "*{0}", "u8", "u8"),
    row("replace", "std::mem::replace({0}, {1})", "std::mem::replace::<u8>({0}, {1})", "u8", "u8").generic(&[1]),
    row("swap", "swap({0}, {1})", "swap::<Vec<u8>>({0}, {1})", NONE, "()").imports(&["std::mem::swap"]),
    row("take", "take({0})", "take::<Vec<u8>>({0})", "take", "Vec<u8>").imports(&["std::mem::take"]).needs_drop(),
    row("some", "Some({0})", "Some({0})", "option", "Option<u8>").generic(&[0]),
    row("some_unit", "Some({0})", "Some({0})", "option", "Option<()>").generic(&[0]),
    row("is_some_unit", "{.0}.is_some()", "<Option<()>>::is_some({0})", "bool", "bool"),
    row("is_some", "{.0}.is_some()", "<Option<u8>>::is_some({0})", "bool", "bool"),
    row("unwrap_or", "{.0}.unwrap_or({1})", "<Option<u8>>::unwrap_or({0}, {1})", "u8", "u8").generic(&[1]),
    row("map_new", "HashMap::new()", "<HashMap<u16, String>>::new()", "map", "HashMap<u16, String>")
        .imports(&["std::collections::HashMap"])
        .needs_drop(),
    row(
        "map_insert",
        "{.0}.insert({1}, {2})",
        "<HashMap<u16, String>>::insert({0}, {1}, {2})",
        "option",
        "Option<String>",
    )
    .imports(&["std::collections::HashMap"])
    .generic(&[1, 2])
    .needs_drop(),
    row("map_get", "{.0}.get({1})", "<HashMap<u16, String>>::get::<u16>({0}, {1})", "option", "Option<&String>")
        .imports(&["std::collections::HashMap"]),
    row("parse", "{.0}.parse::<u8>()", "<str>::parse::<u8>({0})", "result", "Result<u8, ParseIntError>")
        .imports(&["std::num::ParseIntError"]),
    row("unwrap", "{.0}.unwrap()", "<Result<u8, ParseIntError>>::unwrap({0})", "u8", "u8")
        .imports(&["std::num::ParseIntError"]),
    row("is_err", "{.0}.is_err()", "<Result<u8, ParseIntError>>::is_err({0})", "bool", "bool")
        .imports(&["std::num::ParseIntError"]),
    row("str_len", "{.0}.len()", "<str>::len({0})", "usize", "usize"),
    row("str_find", "{.0}.find({1})", "<str>::find::<&str>({0}, {1})", "option", "Option<usize>").generic(&[1]),
    row("trim", "{.0}.trim()", "<str>::trim({0})", "str", "&str"),
    row("as_str", "{.0}.as_str()", "{.0}.as_str()", "str", "&str").inline(),
    row("push_str", "{.0}.push_str({1})", "<String>::push_str({0}, {1})", NONE, "()"),
    row("string_len", "{.0}.len()", "<String>::len({0})", "usize", "usize"),
    row("string_push", "{.0}.push({1})", "<String>::push({0}, {1})", NONE, "()"),
    row("into_bytes", "{.0}.into_bytes()", "<String>::into_bytes({0})", "vec", "Vec<u8>").needs_drop(),
    row("split_at", "{.0}.split_at({1})", "<str>::split_at({0}, {1})", "pair", "(&str, &str)"),
    row("abs", "{.0}.abs()", "<i32>::abs({0})", "i32", "i32"),
    row("pow", "{.0}.pow({1})", "<u8>::pow({0}, {1})", "u8", "u8"),
    row("i64_min", "{.0}.min({1})", "<i64 as Ord>::min({0}, {1})", "i64", "i64"),
    row("hypot", "{.0}.hypot({1})", "<f64>::hypot({0}, {1})", "f64", "f64"),
    row("f32_max", "{.0}.max({1})", "<f32>::max({0}, {1})", "f32", "f32"),
    row("range", "{0}..{1}", "{0}..{1}", "range", "std::ops::Range<usize>").generic(&[0, 1]),
    row(
        "range_struct",
        "Range { start: {0}, end: {1} }",
        "Range::<usize> { start: {0}, end: {1} }",
        "range",
        "Range<usize>",
    )
    .imports(&["std::ops::Range"])
    .generic(&[0, 1]),
    row("range_contains", "{.0}.contains({1})", "<Range<usize>>::contains::<usize>({0}, {1})", "bool", "bool")
        .imports(&["std::ops::Range"]),
    row("from_secs", "Duration::from_secs({0})", "<Duration>::from_secs({0})", "duration", "Duration")
        .imports(&["std::time::Duration"]),
    row("duration_mul", "{.0}.mul_f64({1})", "<Duration>::mul_f64({0}, {1})", "duration", "Duration")
        .imports(&["std::time::Duration"]),
    row("duration_add", "{.0}.checked_add({1})", "<Duration>::checked_add({0}, {1})", "option", "Option<Duration>")
        .imports(&["std::time::Duration"]),
    row("builder_new", "Builder::new()", "<Builder>::new()", "builder", "Builder")
        .imports(&["std::thread::Builder"])
        .needs_drop(),
    row("builder_name", "{.0}.name({1})", "<Builder>::name({0}, {1})", "builder", "Builder")
        .imports(&["std::thread::Builder"])
        .needs_drop(),
    row("builder_stack", "{.0}.stack_size({1})", "<Builder>::stack_size({0}, {1})", "builder", "Builder")
        .imports(&["std::thread::Builder"])
        .needs_drop(),
    row("write_all", "{.0}.write_all({1})", "<Vec<u8> as Write>::write_all({0}, {1})", "result", "std::io::Result<()>")
        .imports(&["std::io::Write"])
        .needs_drop(),
    row("fmt_error", "Error", "Error", "error", "Error").imports(&["std::fmt::Error"]),
    row("io_error", "Error::other({0})", "Error::other::<&str>({0})", "error", "Error")
        .imports(&["std::io::Error"])
        .generic(&[0])
        .needs_drop(),
    row(
        "io_error_source",
        "std::io::Error::other({0})",
        "std::io::Error::other::<std::fmt::Error>({0})",
        "error",
        "std::io::Error",
    )
    .generic(&[0])
    .needs_drop(),
    row("mutex_new", "Mutex::new({0})", "<Mutex<u8>>::new({0})", "mutex", "Mutex<u8>")
        .imports(&["std::sync::Mutex"])
        .generic(&[0])
        .needs_drop(),
    row("lock", "{.0}.lock()", "<Mutex<u8>>::lock({0})", "guard", "LockResult<MutexGuard<'_, u8>>")
        .imports(&["std::sync::Mutex", "std::sync::LockResult", "std::sync::MutexGuard"])
        .needs_drop(),
    row("retain", "{.0}.retain({1})", "<Vec<u8>>::retain({0}, {1})", NONE, "()"),
    row("dedup_by", "{.0}.dedup_by({1})", "<Vec<u8>>::dedup_by({0}, {1})", NONE, "()"),
    row("resize_with", "{.0}.resize_with({1}, {2})", "<Vec<u8>>::resize_with({0}, {1}, {2})", NONE, "()"),
    row("from_fn", "std::array::from_fn({0})", "std::array::from_fn::<u8, 3, _>({0})", "array", "[u8; 3]"),
    row("array_len", "<[u8; 3]>::as_slice(&{.0}).len()", "<[u8; 3]>::as_slice(&{.0}).len()", "usize", "usize"),
    row("is_gt", "{0} > {1}", "{0} > {1}", "bool", "bool"),
    row("lt", "{.0}.lt({1})", "<u8 as PartialOrd>::lt({0}, {1})", "bool", "bool"),
    row("u8_eq", "{.0} == {.1}", "<u8 as PartialEq>::eq({0}, {1})", "bool", "bool"),
    row("str_eq", "{.0} == {.1}", "<str as PartialEq>::eq({0}, {1})", "bool", "bool"),
    row("add_assign", "{.0} += {1}", "<u8 as std::ops::AddAssign>::add_assign({0}, {1})", NONE, "()"),
    row("format", "format!(\"{:?}\", {.0})", "format!(\"{:?}\", {.0})", "string", "String").needs_drop(),
    row(
        "array_cloned",
        "std::array::from_fn(|_| {0}.clone())",
        "std::array::from_fn(|_| {0}.clone())",
        "array",
        "[Vec<u8>; 2]",
    )
    .generic(&[0])
    .needs_drop(),
    row("array_take", "drop::<[Vec<u8>; 2]>({0})", "drop::<[Vec<u8>; 2]>({0})", NONE, "()"),
    row("repeat_count", "std::iter::repeat({0}).count()", "std::iter::repeat::<u8>({0}).count()", "usize", "usize")
        .generic(&[0]),
    row("abort", "std::process::abort()", "std::process::abort()", NONE, "()"),
    row(
        "ipv6",
        "Ipv6Addr::new({0}, {1}, {2}, {3}, {4}, {5}, {6}, {7})",
        "<Ipv6Addr>::new({0}, {1}, {2}, {3}, {4}, {5}, {6}, {7})",
        "address",
        "Ipv6Addr",
    )
    .imports(&["std::net::Ipv6Addr"]),
    row("is_loopback", "{.0}.is_loopback()", "<Ipv6Addr>::is_loopback({0})", "bool", "bool")
        .imports(&["std::net::Ipv6Addr"]),
    row(
        "long_name",
        "std::collections::BTreeMap::<u8, u8>::from_iter(std::iter::zip({0}, {1}))",
        "<std::collections::BTreeMap<u8, u8> as std::iter::FromIterator<_>>::from_iter(std::iter::zip({0}, {1}))",
        "ordered_map_of_small_numbers",
        "std::collections::BTreeMap<u8, u8>",
    )
    .imports(&["std::iter::FromIterator"])
    .needs_drop(),
    row(
        "array_12",
        "[{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}, {11}]",
        "[{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}, {11}]",
        "array",
        "[u64; 12]",
    )
    .generic(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
    row("tracked", "Tracked::new({0})", "Tracked::new({0})", "tracked", "Tracked")
        .imports(&["provoke_exec::Tracked"])
        .needs_drop(),
    row("tracked_clone", "{.0}.clone()", "Clone::clone({0})", "tracked", "Tracked")
        .imports(&["provoke_exec::Tracked"])
        .needs_drop(),
    row("tracked_vec", "Vec::<Tracked>::new()", "Vec::<Tracked>::new()", "vec", "Vec<Tracked>")
        .imports(&["provoke_exec::Tracked"])
        .needs_drop(),
    row("tracked_push", "{.0}.push({1})", "Vec::<Tracked>::push({0}, {1})", "unit", "()")
        .imports(&["provoke_exec::Tracked"]),
    row("tracked_contains", "{.0}.contains({1})", "<[Tracked]>::contains({0}, {1})", "flag", "bool")
        .imports(&["provoke_exec::Tracked"])
        .asking(&["PartialEq"]),
    row("tracked_remove", "{.0}.remove({1})", "Vec::<Tracked>::remove({0}, {1})", "tracked", "Tracked")
        .imports(&["provoke_exec::Tracked"])
        .needs_drop(),
];

/// The number of an operation.
pub fn op(key: &str) -> u32 {
    let place = ROWS.iter().position(|row| row.key == key);
    place.unwrap_or_else(|| panic!("no operation {key}")) as u32
}

pub fn ops() -> Vec<OpText> {
    let text = |row: &Row| OpText {
        pretty: row.pretty.into(),
        explicit: row.explicit.into(),
        imports: row.imports.iter().map(|path| path.to_string()).collect(),
        variable: row.variable.into(),
        result_type: (!row.ty.is_empty()).then(|| row.ty.into()),
        is_unit: row.ty == "()",
        is_inline: row.is_inline,
        generic_args: row.generic_args.to_vec(),
        needs_drop: row.needs_drop,
        element_traits: row.element_traits.iter().map(|name| name.to_string()).collect(),
        is_specification: false,
    };
    ROWS.iter().map(text).collect()
}
