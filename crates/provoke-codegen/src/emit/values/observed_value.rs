//! Values of everyday types, read back from their `Debug` text, and the expressions that a test compares with.

use provoke_wire::{Literal, LiteralKind};

use crate::TypeName;
use crate::emit::{Demand, literal_text};

/// A value that a test can spell out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObservedValue {
    Literal(Literal),
    /// `Ordering::Less`, with what has to be imported.
    Constant {
        text: String,
        import: &'static str,
    },
    Option(Option<Box<ObservedValue>>),
    Result(Result<Box<ObservedValue>, Box<ObservedValue>>),
    Ref {
        mutable: bool,
        inner: Box<ObservedValue>,
    },
    Tuple(Vec<ObservedValue>),
    Array(Vec<ObservedValue>),
    /// Behind a reference.
    Slice(Vec<ObservedValue>),
    Vec(Vec<ObservedValue>),
}

/// More elements than these make no good reading.
const MAX_ELEMENTS: usize = 16;
/// Longer texts neither.
const MAX_TEXT: usize = 60;

impl ObservedValue {
    /// `None` where the type is not one of those, or the text is not all of it.
    pub fn read(ty: &TypeName, text: &str) -> Option<ObservedValue> {
        let mut reader = Reader { rest: text };
        let value = reader.value(ty)?;
        reader.rest.is_empty().then_some(value)
    }

    /// An expression of the value's type. `typed`: it must tell the types of numbers by itself.
    pub fn text(&self, typed: bool) -> String {
        match self {
            ObservedValue::Literal(literal) => literal_text(literal, Demand { typed, may_be_temporary: false }),
            ObservedValue::Constant { text, .. } => text.clone(),
            ObservedValue::Option(None) => "None".to_string(),
            ObservedValue::Option(Some(inner)) => format!("Some({})", inner.text(typed)),
            ObservedValue::Result(Ok(inner)) => format!("Ok({})", inner.text(typed)),
            ObservedValue::Result(Err(inner)) => format!("Err({})", inner.text(typed)),
            ObservedValue::Ref { mutable, inner } => {
                let operator = if *mutable { "&mut " } else { "&" };
                match &**inner {
                    ObservedValue::Slice(items) => format!("{operator}[{}][..]", list(items, typed)),
                    inner => format!("{operator}{}", inner.text(typed)),
                }
            }
            ObservedValue::Tuple(parts) => match parts.as_slice() {
                [single] => format!("({},)", single.text(typed)),
                parts => format!("({})", list(parts, typed)),
            },
            ObservedValue::Array(items) | ObservedValue::Slice(items) => format!("[{}]", list(items, typed)),
            ObservedValue::Vec(items) => format!("vec![{}]", list(items, typed)),
        }
    }

    /// What the text names that is not in scope everywhere.
    pub fn imports(&self) -> Vec<String> {
        match self {
            ObservedValue::Literal(_) | ObservedValue::Option(None) => Vec::new(),
            ObservedValue::Constant { import, .. } => vec![import.to_string()],
            ObservedValue::Option(Some(inner))
            | ObservedValue::Result(Ok(inner) | Err(inner))
            | ObservedValue::Ref { inner, .. } => inner.imports(),
            ObservedValue::Tuple(items)
            | ObservedValue::Array(items)
            | ObservedValue::Slice(items)
            | ObservedValue::Vec(items) => items.iter().flat_map(ObservedValue::imports).collect(),
        }
    }

    /// Not equal to itself, or holding such a value.
    pub fn is_nan(&self) -> bool {
        match self {
            ObservedValue::Literal(Literal::F32(bits)) => f32::from_bits(*bits).is_nan(),
            ObservedValue::Literal(Literal::F64(bits)) => f64::from_bits(*bits).is_nan(),
            ObservedValue::Literal(_) | ObservedValue::Constant { .. } | ObservedValue::Option(None) => false,
            ObservedValue::Option(Some(inner))
            | ObservedValue::Result(Ok(inner) | Err(inner))
            | ObservedValue::Ref { inner, .. } => inner.is_nan(),
            ObservedValue::Tuple(items)
            | ObservedValue::Array(items)
            | ObservedValue::Slice(items)
            | ObservedValue::Vec(items) => items.iter().any(ObservedValue::is_nan),
        }
    }

    /// A list without elements: nothing in its text tells what they would be.
    pub fn is_empty_list(&self) -> bool {
        match self {
            ObservedValue::Ref { inner, .. } => inner.is_empty_list(),
            ObservedValue::Array(items) | ObservedValue::Slice(items) | ObservedValue::Vec(items) => items.is_empty(),
            _ => false,
        }
    }
}

fn list(items: &[ObservedValue], typed: bool) -> String {
    let items: Vec<String> = items.iter().map(|item| item.text(typed)).collect();
    items.join(", ")
}

/// Takes a `Debug` text apart from its start.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn eat(&mut self, token: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(token)?;
        Some(())
    }

    fn value(&mut self, ty: &TypeName) -> Option<ObservedValue> {
        match ty {
            TypeName::Path { segments, args } => {
                let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
                match (segments.as_slice(), args.as_slice()) {
                    ([primitive], []) => self.primitive(primitive),
                    (["alloc", "string", "String"], []) => {
                        Some(ObservedValue::Literal(Literal::String(self.quoted_text()?)))
                    }
                    (["core", "cmp", "Ordering"], []) => self.ordering(),
                    (["core", "option", "Option"], [inner]) => self.option(inner),
                    (["core", "result", "Result"], [value, error]) => self.result(value, error),
                    (["alloc", "vec", "Vec"], [element]) => Some(ObservedValue::Vec(self.elements(element)?)),
                    _ => None,
                }
            }
            TypeName::Ref { mutable, inner } => match &**inner {
                TypeName::Path { segments, .. } if segments == &["str"] && !mutable => {
                    Some(ObservedValue::Literal(Literal::Str(self.quoted_text()?)))
                }
                inner => Some(ObservedValue::Ref { mutable: *mutable, inner: Box::new(self.value(inner)?) }),
            },
            TypeName::Slice(element) => Some(ObservedValue::Slice(self.elements(element)?)),
            TypeName::Array(element, _) => Some(ObservedValue::Array(self.elements(element)?)),
            TypeName::Tuple(parts) if parts.is_empty() => {
                self.eat("()")?;
                Some(ObservedValue::Literal(Literal::Unit))
            }
            TypeName::Tuple(parts) => {
                self.eat("(")?;
                let mut values = Vec::new();
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        self.eat(", ")?;
                    }
                    values.push(self.value(part)?);
                }
                self.eat(if parts.len() == 1 { ",)" } else { ")" })?;
                Some(ObservedValue::Tuple(values))
            }
            TypeName::Other(_) => None,
        }
    }

    fn option(&mut self, inner: &TypeName) -> Option<ObservedValue> {
        if self.eat("None").is_some() {
            return Some(ObservedValue::Option(None));
        }
        self.eat("Some(")?;
        let value = self.value(inner)?;
        self.eat(")")?;
        Some(ObservedValue::Option(Some(Box::new(value))))
    }

    fn result(&mut self, value: &TypeName, error: &TypeName) -> Option<ObservedValue> {
        let result = if self.eat("Ok(").is_some() {
            Ok(Box::new(self.value(value)?))
        } else {
            self.eat("Err(")?;
            Err(Box::new(self.value(error)?))
        };
        self.eat(")")?;
        Some(ObservedValue::Result(result))
    }

    fn elements(&mut self, element: &TypeName) -> Option<Vec<ObservedValue>> {
        self.eat("[")?;
        let mut values = Vec::new();
        while self.eat("]").is_none() {
            if !values.is_empty() {
                self.eat(", ")?;
            }
            if values.len() == MAX_ELEMENTS {
                return None;
            }
            values.push(self.value(element)?);
        }
        Some(values)
    }

    fn ordering(&mut self) -> Option<ObservedValue> {
        let name = self.word();
        matches!(name, "Less" | "Equal" | "Greater")
            .then(|| ObservedValue::Constant { text: format!("Ordering::{name}"), import: "std::cmp::Ordering" })
    }

    fn primitive(&mut self, name: &str) -> Option<ObservedValue> {
        let kind = LiteralKind::ALL.into_iter().find(|kind| kind.type_name() == name)?;
        if kind == LiteralKind::Char {
            let text = self.quoted('\'')?;
            let mut chars = text.chars();
            let c = chars.next()?;
            return chars.next().is_none().then_some(ObservedValue::Literal(Literal::Char(c)));
        }
        let word = self.word();
        let literal = match kind {
            LiteralKind::Bool => Literal::Bool(word.parse().ok()?),
            LiteralKind::U8 => Literal::U8(word.parse().ok()?),
            LiteralKind::U16 => Literal::U16(word.parse().ok()?),
            LiteralKind::U32 => Literal::U32(word.parse().ok()?),
            LiteralKind::U64 => Literal::U64(word.parse().ok()?),
            LiteralKind::U128 => Literal::U128(word.parse().ok()?),
            LiteralKind::Usize => Literal::Usize(word.parse().ok()?),
            LiteralKind::I8 => Literal::I8(word.parse().ok()?),
            LiteralKind::I16 => Literal::I16(word.parse().ok()?),
            LiteralKind::I32 => Literal::I32(word.parse().ok()?),
            LiteralKind::I64 => Literal::I64(word.parse().ok()?),
            LiteralKind::I128 => Literal::I128(word.parse().ok()?),
            LiteralKind::Isize => Literal::Isize(word.parse().ok()?),
            LiteralKind::F32 => Literal::F32(word.parse::<f32>().ok()?.to_bits()),
            LiteralKind::F64 => Literal::F64(word.parse::<f64>().ok()?.to_bits()),
            _ => return None,
        };
        Some(ObservedValue::Literal(literal))
    }

    /// Up to what can follow a value.
    fn word(&mut self) -> &'a str {
        let end = self.rest.find([',', ')', ']']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn quoted_text(&mut self) -> Option<String> {
        self.quoted('"').filter(|text| text.chars().count() <= MAX_TEXT)
    }

    /// What stands between two quotes, without the escapes of `Debug`.
    fn quoted(&mut self, quote: char) -> Option<String> {
        let mut chars = self.rest.char_indices();
        if chars.next()?.1 != quote {
            return None;
        }
        let mut text = String::new();
        loop {
            let (at, c) = chars.next()?;
            if c == quote {
                self.rest = &self.rest[at + c.len_utf8()..];
                return Some(text);
            }
            if c != '\\' {
                text.push(c);
                continue;
            }
            text.push(match chars.next()?.1 {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                '0' => '\0',
                'u' => {
                    let digits: String = chars.by_ref().map(|(_, c)| c).take_while(|c| *c != '}').collect();
                    let code = u32::from_str_radix(digits.strip_prefix('{')?, 16).ok()?;
                    char::from_u32(code)?
                }
                c @ ('\\' | '"' | '\'') => c,
                _ => return None,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(ty: &str, text: &str) -> Option<ObservedValue> {
        ObservedValue::read(&TypeName::parse(ty), text)
    }

    #[test]
    fn debug_texts_become_expressions_of_their_type() {
        for (ty, text, expected) in [
            ("u8", "255", "u8::MAX"),
            ("i64", "-3", "-3"),
            ("bool", "true", "true"),
            ("char", "'\\''", "'\\''"),
            ("char", "'\\u{301}'", "'\\u{301}'"),
            ("f64", "1e-7", "1e-7"),
            ("f32", "-inf", "f32::NEG_INFINITY"),
            ("&str", "\"a\\n\\\"b\\\"\"", "\"a\\n\\\"b\\\"\""),
            ("alloc::string::String", "\"\"", "String::new()"),
            ("core::option::Option<&u8>", "Some(7)", "Some(&7)"),
            ("core::option::Option<(usize, &mut u8)>", "Some((0, 7))", "Some((0, &mut 7))"),
            ("core::option::Option<alloc::string::String>", "None", "None"),
            ("core::option::Option<alloc::string::String>", "Some(\")\")", "Some(\")\".to_string())"),
            ("core::result::Result<(), &str>", "Ok(())", "Ok(())"),
            ("core::result::Result<u8, &str>", "Err(\"no\")", "Err(\"no\")"),
            ("core::cmp::Ordering", "Less", "Ordering::Less"),
            ("core::option::Option<core::cmp::Ordering>", "Some(Equal)", "Some(Ordering::Equal)"),
            ("(usize, core::option::Option<usize>)", "(3, Some(4))", "(3, Some(4))"),
            ("(char,)", "('a',)", "('a',)"),
            ("[u8; 2]", "[1, 2]", "[1, 2]"),
            ("&[u8]", "[1, 2]", "&[1, 2][..]"),
            ("alloc::vec::Vec<(u8, bool)>", "[(1, true), (2, false)]", "vec![(1, true), (2, false)]"),
        ] {
            let value = read(ty, text).unwrap_or_else(|| panic!("{ty} {text}"));
            assert_eq!(value.text(false), expected, "{ty} {text}");
        }
    }

    #[test]
    fn types_of_numbers_are_told_where_that_is_asked_for() {
        let value = read("core::option::Option<(u8, f32)>", "Some((1, 2.0))").unwrap();
        assert_eq!(value.text(true), "Some((1u8, 2.0f32))");
    }

    #[test]
    fn what_is_not_understood_to_its_end_is_no_value() {
        for (ty, text) in [
            ("u8", "256"),
            ("u8", "3…"),
            ("alloc::vec::Vec<u8>", "[1, 2…"),
            ("slab::Slab<u8>", "Slab { len: 0 }"),
            ("core::option::Option<slab::Key>", "Some(Key(1))"),
            ("core::result::Result<u8, slab::Error>", "Err(Full)"),
            ("&str", "\"a"),
            ("dyn core::fmt::Debug", "1"),
        ] {
            assert_eq!(read(ty, text), None, "{ty} {text}");
        }
        assert_eq!(read("&str", &format!("{:?}", "x".repeat(61))), None);
        assert_eq!(read("alloc::vec::Vec<u8>", &format!("{:?}", [0; 17])), None);
    }

    #[test]
    fn nan_is_found_wherever_it_is() {
        assert!(read("core::option::Option<f64>", "Some(NaN)").unwrap().is_nan());
        assert!(!read("f64", "1.0").unwrap().is_nan());
    }
}
