//! Names under which something stands accused.

/// `slab::Slab` for `slab::Slab<u8>`: whatever it holds, it is the same code.
pub fn generic_name(type_name: &str) -> &str {
    match type_name.find('<') {
        Some(end) if end > 0 && !type_name.starts_with(['&', '(', '[']) => &type_name[..end],
        _ => type_name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_accused_by_its_name_without_what_it_holds() {
        for (name, generic) in [
            ("slab::Slab<u8>", "slab::Slab"),
            ("slab::Slab", "slab::Slab"),
            ("&slab::Slab<u8>", "&slab::Slab<u8>"),
            ("[slab::Slab<u8>]", "[slab::Slab<u8>]"),
            ("(slab::Slab<u8>, u8)", "(slab::Slab<u8>, u8)"),
        ] {
            assert_eq!(generic_name(name), generic);
        }
    }
}
