//! VariableNames of variables: from types, numbered on reuse, never something that already has a meaning.

use std::collections::BTreeSet;

/// Words that no variable may be called, in any edition.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Functions in scope everywhere that a variable would hide.
const FUNCTIONS: &[&str] = &["align_of", "align_of_val", "drop", "size_of", "size_of_val"];

/// The names in scope.
#[derive(Clone, Debug)]
pub struct VariableNames {
    taken: BTreeSet<String>,
}

impl VariableNames {
    pub fn new() -> VariableNames {
        VariableNames { taken: FUNCTIONS.iter().map(|f| f.to_string()).collect() }
    }

    /// Keeps variables from being called `name`.
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_string());
    }

    /// A new name like `wish`.
    pub fn fresh(&mut self, wish: &str) -> String {
        let base = identifier(wish);
        if self.taken.insert(base.clone()) {
            return base;
        }
        let joint = if base.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        (2..)
            .map(|number| format!("{base}{joint}{number}"))
            .find(|name| self.taken.insert(name.clone()))
            .expect("there are more numbers than names")
    }

    /// A new name for a parameter of a closure: `a`, `b`, `c`…
    pub fn parameter(&mut self) -> String {
        ('a'..='z')
            .map(String::from)
            .find(|name| self.taken.insert(name.clone()))
            .unwrap_or_else(|| self.fresh("argument"))
    }
}

fn identifier(wish: &str) -> String {
    let mut name: String =
        wish.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    if name.chars().all(|c| c == '_') {
        name = "value".to_string();
    }
    if let Some(better) = primitive(&name) {
        name = better.to_string();
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if KEYWORDS.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// What a value of a primitive type is called: its type would be a confusing name.
fn primitive(name: &str) -> Option<&'static str> {
    Some(match name {
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "n",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "n",
        "f32" | "f64" => "x",
        "bool" => "flag",
        "char" => "c",
        "str" => "text",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_and_never_hide_anything() {
        let mut names = VariableNames::new();
        names.reserve("swap");
        let wishes =
            ["stack", "stack", "stack", "type", "type", "usize", "sha1", "sha1", "drop", "swap", "", "Weird-Name"];
        let given: Vec<String> = wishes.iter().map(|w| names.fresh(w)).collect();
        assert_eq!(
            given,
            [
                "stack",
                "stack2",
                "stack3",
                "type_",
                "type_2",
                "n",
                "sha1",
                "sha1_2",
                "drop2",
                "swap2",
                "value",
                "weird_name"
            ]
        );
        assert_eq!(names.parameter(), "a");
        assert_eq!(names.parameter(), "b");
    }
}
