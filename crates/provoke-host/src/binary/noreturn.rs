//! Functions that never return, by their names: what the compiler and std call to panic.
//!
//! Only for code without a table of blocks: that of other crates. Names are looked for as they are in the symbol table, in which
//! the parts of a path are readable whatever the mangling.

use std::collections::BTreeSet;

use object::{Object, ObjectSymbol};

/// Parts of names of functions that do nothing but fail.
const NAMES: [&str; 13] = [
    "9panicking",
    "panic_access_error",
    "panic_already_",
    "panic_nounwind",
    "unwrap_failed",
    "expect_failed",
    "assert_failed",
    "slice_error_fail",
    "slice_index_fail",
    "len_mismatch_fail",
    "handle_error",
    "handle_alloc_error",
    "capacity_overflow",
];

/// Addresses of the functions in an executable that never return.
pub(crate) fn dead_ends(file: &object::File<'_>) -> BTreeSet<u64> {
    let symbols = file.symbols().filter(|symbol| symbol.is_definition());
    symbols.filter(|symbol| symbol.name().is_ok_and(never_returns)).map(|symbol| symbol.address()).collect()
}

fn never_returns(symbol_name: &str) -> bool {
    let is_mangled = symbol_name.starts_with("_ZN") || symbol_name.starts_with("_R");
    is_mangled && NAMES.iter().any(|name| symbol_name.contains(name)) && !is_about_panics(symbol_name)
}

/// Some that deal with panics come back.
fn is_about_panics(symbol_name: &str) -> bool {
    ["catch_unwind", "panic_count", "9panicking3try", "9panicking9panicking", "_hook", "drop_in_place"]
        .iter()
        .any(|name| symbol_name.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_panics_is_known_by_its_name_whatever_the_mangling() {
        for name in [
            "_ZN4core9panicking18panic_bounds_check17h0123456789abcdefE",
            "_RNvNtCs1234_4core9panicking9panic_fmt",
            "_RNvNtCs1234_4core6option13unwrap_failed",
            "_ZN5alloc7raw_vec12handle_error17h0123456789abcdefE",
        ] {
            assert!(never_returns(name), "{name}");
        }
        for name in [
            "_ZN3std9panicking9panicking17h0123456789abcdefE",
            "_ZN3std9panicking3try17h0123456789abcdefE",
            "_ZN4slab4Slab6insert17h0123456789abcdefE",
            "unwrap_failed",
        ] {
            assert!(!never_returns(name), "{name}");
        }
    }
}
