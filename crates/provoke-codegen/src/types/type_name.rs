//! Type names as `std::any::type_name` prints them, taken apart for discovery and for spelling them in tests.

use std::fmt;

use provoke_model::Model;

use crate::types::render::short_name;
use crate::types::tracked;

/// A parsed type name. Paths are definition paths, so they may be private.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeName {
    Path {
        segments: Vec<String>,
        args: Vec<TypeName>,
    },
    Ref {
        mutable: bool,
        inner: Box<TypeName>,
    },
    Slice(Box<TypeName>),
    Array(Box<TypeName>, String),
    Tuple(Vec<TypeName>),
    /// `dyn Trait`, function pointers, closures and whatever else is not taken apart.
    Other(String),
}

impl TypeName {
    pub fn parse(text: &str) -> TypeName {
        let mut parser = Parser { text, at: 0 };
        match parser.ty() {
            Some(name) if parser.at == text.len() => name,
            _ => TypeName::Other(text.to_string()),
        }
    }

    /// The type that the text begins with.
    pub fn parse_first(text: &str) -> Option<TypeName> {
        Parser { text, at: 0 }.ty()
    }

    /// Types up to a closing parenthesis, and the text behind it.
    pub fn parse_list(text: &str) -> Option<(Vec<TypeName>, &str)> {
        let mut parser = Parser { text, at: 0 };
        let parts = parser.list(")")?;
        Some((parts, &text[parser.at..]))
    }

    /// A lifetime among the arguments of a path.
    pub fn is_lifetime(&self) -> bool {
        matches!(self, TypeName::Other(text) if text.starts_with('\''))
    }

    /// The path in one string, `None` for types without one.
    pub fn path(&self) -> Option<String> {
        match self {
            TypeName::Path { segments, .. } => Some(segments.join("::")),
            _ => None,
        }
    }

    pub fn args(&self) -> &[TypeName] {
        match self {
            TypeName::Path { args, .. } => args,
            _ => &[],
        }
    }

    /// Whether a value of the type may hold a reference.
    pub fn borrows(&self) -> bool {
        match self {
            TypeName::Path { args, .. } => args.iter().any(TypeName::borrows),
            TypeName::Ref { .. } => true,
            TypeName::Slice(inner) | TypeName::Array(inner, _) => inner.borrows(),
            TypeName::Tuple(parts) => parts.iter().any(TypeName::borrows),
            TypeName::Other(text) => text.contains('&') || text.contains('\''),
        }
    }

    /// As a test writes it, with the imports it needs; `None` where it cannot be named.
    pub fn spell(&self, model: &Model, imports: &mut Vec<String>) -> Option<String> {
        Some(match self {
            TypeName::Path { segments, args } => {
                let base = match segments.as_slice() {
                    [primitive] => primitive.clone(),
                    _ => short_name(&importable(model, segments)?, imports),
                };
                let args: Option<Vec<String>> =
                    args.iter().filter(|arg| !arg.is_lifetime()).map(|arg| arg.spell(model, imports)).collect();
                let args = args?;
                if args.is_empty() { base } else { format!("{base}<{}>", args.join(", ")) }
            }
            TypeName::Ref { mutable, inner } => {
                format!("&{}{}", if *mutable { "mut " } else { "" }, inner.spell(model, imports)?)
            }
            TypeName::Slice(inner) => format!("[{}]", inner.spell(model, imports)?),
            TypeName::Array(inner, len) => format!("[{}; {len}]", inner.spell(model, imports)?),
            TypeName::Tuple(parts) => {
                let parts: Option<Vec<String>> = parts.iter().map(|p| p.spell(model, imports)).collect();
                match parts?.as_slice() {
                    [single] => format!("({single},)"),
                    parts => format!("({})", parts.join(", ")),
                }
            }
            TypeName::Other(_) => return None,
        })
    }

    /// What a variable of the type is called.
    pub fn variable(&self) -> String {
        match self {
            TypeName::Path { segments, args } => {
                let name = segments.last().map_or("value", String::as_str);
                match (name, args.as_slice()) {
                    ("Option" | "Result" | "Box" | "Rc" | "Arc", [inner, ..]) => {
                        let inner = inner.variable();
                        if matches!(inner.as_str(), "value" | "number" | "unit" | "flag") {
                            snake_case(name)
                        } else {
                            inner
                        }
                    }
                    (
                        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128"
                        | "isize" | "f32" | "f64",
                        _,
                    ) => "number".to_string(),
                    ("str" | "String", _) => "text".to_string(),
                    ("bool", _) => "flag".to_string(),
                    ("char", _) => "letter".to_string(),
                    _ => snake_case(name),
                }
            }
            TypeName::Ref { inner, .. } => inner.variable(),
            TypeName::Slice(_) => "slice".to_string(),
            TypeName::Array(..) => "array".to_string(),
            TypeName::Tuple(parts) if parts.is_empty() => "unit".to_string(),
            TypeName::Tuple(_) => "pair".to_string(),
            TypeName::Other(_) => "value".to_string(),
        }
    }
}

/// Back to the form that `type_name` prints.
impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, parts: &[TypeName]| {
            parts.iter().enumerate().try_for_each(|(index, part)| {
                if index > 0 {
                    f.write_str(", ")?;
                }
                part.fmt(f)
            })
        };
        match self {
            TypeName::Path { segments, args } => {
                f.write_str(&segments.join("::"))?;
                if args.is_empty() {
                    return Ok(());
                }
                f.write_str("<")?;
                list(f, args)?;
                f.write_str(">")
            }
            TypeName::Ref { mutable, inner } => write!(f, "&{}{inner}", if *mutable { "mut " } else { "" }),
            TypeName::Slice(inner) => write!(f, "[{inner}]"),
            TypeName::Array(inner, len) => write!(f, "[{inner}; {len}]"),
            TypeName::Tuple(parts) => {
                f.write_str("(")?;
                list(f, parts)?;
                f.write_str(if parts.len() == 1 { ",)" } else { ")" })
            }
            TypeName::Other(text) => f.write_str(text),
        }
    }
}

/// `BinomialHeap` → `binomial_heap`
pub fn snake_case(name: &str) -> String {
    let mut out = String::new();
    let mut was_lower = false;
    for c in name.chars() {
        if c.is_uppercase() {
            if was_lower {
                out.push('_');
            }
            out.extend(c.to_lowercase());
            was_lower = false;
        } else if c.is_alphanumeric() {
            out.push(c);
            was_lower = true;
        } else {
            out.push('_');
            was_lower = false;
        }
    }
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) { "value".to_string() } else { out }
}

/// A path that a test can import, from the definition path that `type_name` prints.
fn importable(model: &Model, definition: &[String]) -> Option<Vec<String>> {
    let mut same_name = model.items.iter().filter(|item| item.definition == definition);
    if let Some(item) = same_name.next() {
        // Two versions of one crate print alike.
        let is_ambiguous = same_name.any(|other| other.path != item.path);
        if is_ambiguous || item.path.is_some() {
            return item.path.clone().filter(|_| !is_ambiguous);
        }
    }
    if definition.iter().map(String::as_str).eq(tracked::DEFINITION.split("::")) {
        return Some(tracked::PATH.split("::").map(str::to_string).collect());
    }
    let krate = definition.first()?;
    if matches!(krate.as_str(), "core" | "alloc" | "std") {
        let (name, modules) = definition.split_last()?;
        let defined = modules.get(1..)?.join("::");
        let public = public_module(&defined, name)?;
        let path = format!("std::{public}::{name}");
        return Some(path.split("::").map(str::to_string).collect());
    }
    None
}

/// The module of std that exports an item, from the module it is defined in; both without the crate.
fn public_module<'m>(defined: &'m str, name: &str) -> Option<&'m str> {
    let is_collection =
        matches!(name, "HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" | "VecDeque" | "LinkedList" | "BinaryHeap");
    if is_collection && defined.starts_with("collections::") {
        return Some("collections");
    }
    let listed = EXPORTS
        .iter()
        .find(|(module, _)| defined.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::")));
    match listed {
        Some((_, public)) => Some(public),
        // A path of three segments has no private module in the middle.
        None => (!defined.is_empty() && !defined.contains("::")).then_some(defined),
    }
}

/// Private modules of std and the public ones that show what is in them.
const EXPORTS: &[(&str, &str)] = &[
    ("alloc::layout", "alloc"),
    ("array::iter", "array"),
    ("cell::once", "cell"),
    ("char::convert", "char"),
    ("collections::binary_heap", "collections::binary_heap"),
    ("collections::btree::map", "collections::btree_map"),
    ("collections::btree::set", "collections::btree_set"),
    ("collections::hash::map", "collections::hash_map"),
    ("collections::hash::set", "collections::hash_set"),
    ("collections::linked_list", "collections::linked_list"),
    ("collections::vec_deque", "collections::vec_deque"),
    ("ffi::c_str", "ffi"),
    ("ffi::os_str", "ffi"),
    ("hash::random", "hash"),
    ("io::buffered", "io"),
    ("io::cursor", "io"),
    ("io::error", "io"),
    ("io::util", "io"),
    ("iter::adapters", "iter"),
    ("iter::sources", "iter"),
    ("mem::manually_drop", "mem"),
    ("mem::maybe_uninit", "mem"),
    ("net::ip_addr", "net"),
    ("net::parser", "net"),
    ("net::socket_addr", "net"),
    ("num::dec2flt", "num"),
    ("num::error", "num"),
    ("num::nonzero", "num"),
    ("num::saturating", "num"),
    ("num::wrapping", "num"),
    ("ops::control_flow", "ops"),
    ("ops::range", "ops"),
    ("panic::location", "panic"),
    ("panic::unwind_safe", "panic"),
    ("slice::iter", "slice"),
    ("str::error", "str"),
    ("str::iter", "str"),
    ("sync::atomic", "sync::atomic"),
    ("sync::mpsc", "sync::mpsc"),
    ("sync::once_lock", "sync"),
    ("sync::poison", "sync"),
    ("task::poll", "task"),
    ("task::wake", "task"),
    ("thread::id", "thread"),
    ("thread::thread", "thread"),
    ("vec::drain", "vec"),
    ("vec::into_iter", "vec"),
];

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn list(&mut self, end: &str) -> Option<Vec<TypeName>> {
        let mut parts = Vec::new();
        while !self.eat(end) {
            parts.push(self.ty()?);
            if !self.eat(", ") {
                let _ = self.eat(",");
            }
        }
        Some(parts)
    }

    fn ty(&mut self) -> Option<TypeName> {
        // Inside function pointers and trait objects references show their lifetimes.
        if self.rest().starts_with("&'") {
            self.at += self.rest().find(' ')? + 1;
            let mutable = self.eat("mut ");
            return Some(TypeName::Ref { mutable, inner: Box::new(self.ty()?) });
        }
        if self.eat("&mut ") {
            return Some(TypeName::Ref { mutable: true, inner: Box::new(self.ty()?) });
        }
        if self.eat("&") {
            return Some(TypeName::Ref { mutable: false, inner: Box::new(self.ty()?) });
        }
        if self.eat("(") {
            return Some(TypeName::Tuple(self.list(")")?));
        }
        if self.eat("[") {
            let inner = Box::new(self.ty()?);
            if self.eat("; ") {
                let end = self.rest().find(']')?;
                let len = self.rest()[..end].to_string();
                self.at += end + 1;
                return Some(TypeName::Array(inner, len));
            }
            return self.eat("]").then_some(TypeName::Slice(inner));
        }
        let rest = self.rest();
        if rest.starts_with("dyn ")
            || rest.starts_with("fn(")
            || rest.starts_with("unsafe ")
            || rest.starts_with('*')
            || rest.starts_with("for<")
            || rest.starts_with("extern ")
            || rest.starts_with('<')
        {
            return self.other();
        }
        if rest.starts_with('\'') || rest.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '!') {
            return self.other();
        }
        let mut segments = Vec::new();
        loop {
            let end = self.rest().find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest().len());
            if end == 0 {
                return self.other();
            }
            segments.push(self.rest()[..end].to_string());
            self.at += end;
            if !self.rest().starts_with("::") {
                break;
            }
            self.at += 2;
            if self.rest().starts_with('{') {
                return self.other();
            }
        }
        let args = if self.eat("<") { self.list(">")? } else { Vec::new() };
        Some(TypeName::Path { segments, args })
    }

    /// Takes everything up to the next separator at this depth as it is. Something there must be: whoever asks again at the
    /// same place would never come to an end.
    fn other(&mut self) -> Option<TypeName> {
        let start = self.at;
        let mut depth = 0i32;
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() {
            match bytes[self.at] {
                b'<' | b'(' | b'[' | b'{' => depth += 1,
                b'>' if self.at > 0 && bytes[self.at - 1] == b'-' => {}
                b'>' | b')' | b']' | b'}' if depth == 0 => break,
                b'>' | b')' | b']' | b'}' => depth -= 1,
                b',' if depth == 0 => break,
                _ => {}
            }
            self.at += 1;
        }
        (self.at > start).then(|| TypeName::Other(self.text[start..self.at].to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_break_off_are_left_as_they_are() {
        for text in ["", "Vec<", "Vec<u8", "Vec<u8, ", "(u8", "[u8", "&", "Vec<u8>>", "a::", "&'a"] {
            assert_eq!(TypeName::parse(text), TypeName::Other(text.to_string()));
        }
    }

    #[test]
    fn names_are_taken_apart_and_named_for_variables() {
        for (text, variable) in [
            ("alloc::vec::Vec<core::option::Option<(u8, &str)>>", "vec"),
            ("core::option::Option<slab::Slab<u8>>", "slab"),
            ("&mut [u8]", "slice"),
            ("[alloc::string::String; 4]", "array"),
            ("alloc::vec::drain::Drain<'_, u8>", "drain"),
            ("core::option::Option<u8>", "option"),
            ("binomial_heap::BinomialHeap", "binomial_heap"),
        ] {
            let name = TypeName::parse(text);
            assert!(!matches!(name, TypeName::Other(_)), "{text}");
            assert_eq!(name.variable(), variable, "{text}");
        }
        for text in [
            "alloc::boxed::Box<dyn core::fmt::Debug + core::marker::Send>",
            "a::B<fn(u8, &u8) -> u8, u8>",
            "a::f::{{closure}}",
        ] {
            let name = TypeName::parse(text);
            match (&name, text) {
                (TypeName::Path { args, .. }, "a::B<fn(u8, &u8) -> u8, u8>") => {
                    assert_eq!(args.len(), 2)
                }
                (TypeName::Path { args, .. }, _) => assert_eq!(args.len(), 1),
                (other, _) => assert!(matches!(other, TypeName::Other(_))),
            }
        }
    }
}
