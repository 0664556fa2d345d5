//! Patterns of type names: a name with `T0`, `U1` or `Self` in the place of parts.

use crate::types::type_name::TypeName;

/// What the placeholders of a pattern stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bindings(Vec<(String, TypeName)>);

impl Bindings {
    pub fn get(&self, placeholder: &str) -> Option<&TypeName> {
        self.0.iter().find(|(name, _)| name == placeholder).map(|(_, bound)| bound)
    }

    pub fn with_self(mut self, whole: &TypeName) -> Bindings {
        self.0.push(("Self".to_string(), whole.clone()));
        self
    }
}

/// Whether `name` has the form of `pattern`. Lifetimes do not count.
pub fn bind(pattern: &TypeName, name: &TypeName) -> Option<Bindings> {
    let mut bindings = Bindings::default();
    is_bound(pattern, name, &mut bindings).then_some(bindings)
}

fn is_bound(pattern: &TypeName, name: &TypeName, bindings: &mut Bindings) -> bool {
    if let Some(placeholder) = placeholder(pattern) {
        if placeholder.starts_with('T') && !is_sized(name) {
            return false;
        }
        return match bindings.get(placeholder) {
            Some(bound) => bound == name,
            None => {
                bindings.0.push((placeholder.to_string(), name.clone()));
                true
            }
        };
    }
    match (pattern, name) {
        (TypeName::Path { segments: a, args: left }, TypeName::Path { segments: b, args: right }) => {
            let left: Vec<&TypeName> = left.iter().filter(|arg| !arg.is_lifetime()).collect();
            let right: Vec<&TypeName> = right.iter().filter(|arg| !arg.is_lifetime()).collect();
            a == b && left.len() == right.len() && left.iter().zip(right).all(|(p, n)| is_bound(p, n, bindings))
        }
        (TypeName::Ref { mutable: a, inner: left }, TypeName::Ref { mutable: b, inner: right }) => {
            a == b && is_bound(left, right, bindings)
        }
        (TypeName::Slice(left), TypeName::Slice(right)) => is_bound(left, right, bindings),
        _ => pattern == name,
    }
}

/// The pattern with its placeholders filled; `None` if one is not bound.
pub fn substitute(pattern: &TypeName, bindings: &Bindings) -> Option<TypeName> {
    if let Some(placeholder) = placeholder(pattern) {
        return bindings.get(placeholder).cloned();
    }
    let all = |parts: &[TypeName]| parts.iter().map(|part| substitute(part, bindings)).collect::<Option<Vec<_>>>();
    Some(match pattern {
        TypeName::Path { segments, args } => TypeName::Path { segments: segments.clone(), args: all(args)? },
        TypeName::Ref { mutable, inner } => {
            TypeName::Ref { mutable: *mutable, inner: Box::new(substitute(inner, bindings)?) }
        }
        TypeName::Slice(inner) => TypeName::Slice(Box::new(substitute(inner, bindings)?)),
        TypeName::Array(inner, len) => TypeName::Array(Box::new(substitute(inner, bindings)?), len.clone()),
        TypeName::Tuple(parts) => TypeName::Tuple(all(parts)?),
        TypeName::Other(text) => TypeName::Other(text.clone()),
    })
}

fn placeholder(pattern: &TypeName) -> Option<&str> {
    let TypeName::Path { segments, args } = pattern else {
        return None;
    };
    match segments.as_slice() {
        [name] if args.is_empty() && is_placeholder(name) => Some(name),
        _ => None,
    }
}

fn is_placeholder(name: &str) -> bool {
    name == "Self"
        || name.strip_prefix(['T', 'U']).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether values of the type have a size, as far as its name tells.
pub fn is_sized(name: &TypeName) -> bool {
    match name {
        TypeName::Slice(_) => false,
        TypeName::Other(text) => !text.starts_with("dyn "),
        TypeName::Path { .. } => !matches!(
            name.path().as_deref(),
            Some("str" | "std::path::Path" | "std::ffi::os_str::OsStr" | "core::ffi::c_str::CStr")
        ),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_stand_for_sized_types_or_for_any() {
        let cases = [
            ("a::B<T0, T1>", "a::B<u8, &str>", "&[T1]", Some("&[&str]")),
            ("a::B<T0>", "a::B<'_, u8>", "(T0, Self)", Some("(u8, a::B<'_, u8>)")),
            ("a::B<T0, T0>", "a::B<u8, u16>", "T0", None),
            ("a::B<T0, T0>", "a::B<u8, u8>", "T0", Some("u8")),
            ("a::B<T0>", "a::B<str>", "T0", None),
            ("a::B<U0>", "a::B<dyn a::C>", "&U0", Some("&dyn a::C")),
            ("&mut [T0]", "&[u8]", "T0", None),
            ("a::B", "a::C", "u8", None),
        ];
        for (pattern, name, result, expected) in cases {
            let name = TypeName::parse(name);
            let found = bind(&TypeName::parse(pattern), &name)
                .and_then(|bindings| substitute(&TypeName::parse(result), &bindings.with_self(&name)));
            assert_eq!(found.map(|name| name.to_string()).as_deref(), expected, "{pattern}");
        }
    }
}
