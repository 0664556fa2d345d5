//! Literals from sources and from the examples in documentation: values that mean something to the crate.

use std::collections::HashSet;
use std::hash::Hash;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use syn::Lit;

use crate::sources::docs::is_fence;

const MAX_VALUES: usize = 4000;
/// Longer ones are texts to read rather than inputs.
const MAX_BYTES: usize = 200;
/// Sources come from outside; nobody nests deeper than this on purpose.
const MAX_NESTING: usize = 200;

/// Without repetitions, in the order in which they were met: first those from documentation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mined {
    pub integers: Vec<i128>,
    pub floats: Vec<f64>,
    pub strings: Vec<String>,
    pub chars: Vec<char>,
    pub bytes: Vec<Vec<u8>>,
}

/// Collects the literals of Rust sources, and of the examples in documentation texts.
///
/// What does not lex is ignored. Left out are attributes and what is told to people only: messages of panics and
/// assertions, format strings.
pub fn mine(sources: &[&str], docs: &[&str]) -> Mined {
    let mut miner = Miner::default();
    for text in docs {
        for example in examples(text) {
            miner.source(&example);
        }
    }
    for source in sources {
        miner.source(source);
    }
    Mined {
        integers: miner.integers.values,
        floats: miner.floats.values.into_iter().map(f64::from_bits).collect(),
        strings: miner.strings.values,
        chars: miner.chars.values,
        bytes: miner.bytes.values,
    }
}

/// The fenced Rust blocks, with rustdoc's hidden lines.
fn examples(docs: &str) -> Vec<String> {
    let mut examples = Vec::new();
    let mut current: Option<(bool, String)> = None;
    for line in docs.lines() {
        if is_fence(line) {
            match current.take() {
                Some((true, example)) => examples.push(example),
                Some((false, _)) => {}
                None => current = Some((is_rust(line), String::new())),
            }
        } else if let Some((_, example)) = &mut current {
            let trimmed = line.trim_start();
            let shown = match trimmed.strip_prefix('#') {
                Some(rest) if rest.is_empty() || rest.starts_with(' ') => rest,
                Some(rest) if rest.starts_with('#') => rest,
                _ => line,
            };
            example.push_str(shown);
            example.push('\n');
        }
    }
    examples
}

fn is_rust(fence: &str) -> bool {
    let info = fence.trim().trim_start_matches(['`', '~']);
    info.split([',', ' ']).all(|word| {
        matches!(word.trim(), "" | "rust" | "should_panic" | "no_run" | "ignore" | "compile_fail")
            || word.trim().starts_with("edition")
    })
}

struct Values<T> {
    values: Vec<T>,
    seen: HashSet<T>,
}

impl<T> Default for Values<T> {
    fn default() -> Self {
        Values { values: Vec::new(), seen: HashSet::new() }
    }
}

impl<T: Eq + Hash + Clone> Values<T> {
    fn add(&mut self, value: T) {
        if self.values.len() < MAX_VALUES && self.seen.insert(value.clone()) {
            self.values.push(value);
        }
    }
}

#[derive(Default)]
struct Miner {
    integers: Values<i128>,
    /// As bits: floats cannot be hashed.
    floats: Values<u64>,
    strings: Values<String>,
    chars: Values<char>,
    bytes: Values<Vec<u8>>,
}

/// What to do with the arguments of a macro.
enum Arguments {
    All,
    None,
    /// Those before the given comma; the rest is a message.
    Before(usize),
    /// All but the first string: a format.
    NotFormat,
}

fn macro_arguments(name: &str) -> Arguments {
    match name {
        "panic" | "unreachable" | "todo" | "unimplemented" | "cfg" | "env" | "option_env" | "include"
        | "include_str" | "include_bytes" | "compile_error" => Arguments::None,
        "assert" | "debug_assert" => Arguments::Before(1),
        "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => Arguments::Before(2),
        "format" | "format_args" | "print" | "println" | "eprint" | "eprintln" | "write" | "writeln" => {
            Arguments::NotFormat
        }
        _ => Arguments::All,
    }
}

impl Miner {
    fn source(&mut self, source: &str) {
        if let Ok(tokens) = source.parse::<TokenStream>() {
            self.tokens(tokens.into_iter().collect(), 0);
        }
    }

    fn group(&mut self, group: &Group, depth: usize) {
        self.tokens(group.stream().into_iter().collect(), depth + 1);
    }

    fn tokens(&mut self, tokens: Vec<TokenTree>, depth: usize) {
        if depth > MAX_NESTING {
            return;
        }
        for (at, token) in tokens.iter().enumerate() {
            let before = &tokens[..at];
            match token {
                TokenTree::Group(group) => {
                    if is_attribute(before, group) || is_message(before, group) {
                        continue;
                    }
                    match macro_name(before) {
                        Some(name) => self.macro_call(&name.to_string(), group, depth),
                        None => self.group(group, depth),
                    }
                }
                TokenTree::Literal(literal) if !is_tuple_index(before) => {
                    self.literal(Lit::new(literal.clone()), is_negative(before));
                }
                _ => {}
            }
        }
    }

    fn macro_call(&mut self, name: &str, group: &Group, depth: usize) {
        let tokens: Vec<TokenTree> = match macro_arguments(name) {
            Arguments::All => return self.group(group, depth),
            Arguments::None => return,
            Arguments::Before(n_arguments) => {
                let mut n_commas = 0;
                group
                    .stream()
                    .into_iter()
                    .take_while(|token| {
                        n_commas += usize::from(is_punct(token, ','));
                        n_commas < n_arguments
                    })
                    .collect()
            }
            Arguments::NotFormat => {
                let mut has_met_format = false;
                group
                    .stream()
                    .into_iter()
                    .filter(|token| {
                        let is_format = !has_met_format && is_string(token);
                        has_met_format |= is_format;
                        !is_format
                    })
                    .collect()
            }
        };
        self.tokens(tokens, depth + 1);
    }

    fn literal(&mut self, literal: Lit, is_negative: bool) {
        match literal {
            Lit::Str(text) => {
                let text = text.value();
                if !text.is_empty() && text.len() <= MAX_BYTES {
                    self.strings.add(text);
                }
            }
            Lit::ByteStr(bytes) => {
                let bytes = bytes.value();
                if !bytes.is_empty() && bytes.len() <= MAX_BYTES {
                    self.bytes.add(bytes);
                }
            }
            Lit::Byte(byte) => self.integers.add(i128::from(byte.value())),
            Lit::Char(char) => self.chars.add(char.value()),
            Lit::Int(int) => {
                if let Ok(value) = int.base10_digits().parse::<i128>() {
                    // `1f64` is an integer to the lexer only.
                    if matches!(int.suffix(), "f32" | "f64") {
                        self.float(value as f64, is_negative);
                    } else {
                        self.integers.add(if is_negative { -value } else { value });
                    }
                }
            }
            Lit::Float(float) => {
                if let Ok(value) = float.base10_digits().parse::<f64>() {
                    self.float(value, is_negative);
                }
            }
            _ => {}
        }
    }

    fn float(&mut self, value: f64, is_negative: bool) {
        if value.is_finite() {
            let value = if is_negative { -value } else { value };
            self.floats.add(value.to_bits());
        }
    }
}

fn is_punct(token: &TokenTree, punct: char) -> bool {
    matches!(token, TokenTree::Punct(found) if found.as_char() == punct)
}

fn is_string(token: &TokenTree) -> bool {
    match token {
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            text.starts_with('"') || text.starts_with('r')
        }
        _ => false,
    }
}

/// `#[..]`, `#![..]`; doc comments are such too.
fn is_attribute(before: &[TokenTree], group: &Group) -> bool {
    group.delimiter() == Delimiter::Bracket
        && match before {
            [.., hash, bang] if is_punct(bang, '!') => is_punct(hash, '#'),
            [.., hash] => is_punct(hash, '#'),
            [] => false,
        }
}

/// `.expect("..")`
fn is_message(before: &[TokenTree], group: &Group) -> bool {
    matches!(before, [.., dot, TokenTree::Ident(name)]
        if is_punct(dot, '.') && (name == "expect" || name == "expect_err"))
        && group.stream().into_iter().next().is_some_and(|token| is_string(&token))
}

fn macro_name(before: &[TokenTree]) -> Option<&Ident> {
    match before {
        [.., TokenTree::Ident(name), bang] if is_punct(bang, '!') => Some(name),
        _ => None,
    }
}

/// `pair.0`, but not `..0`.
fn is_tuple_index(before: &[TokenTree]) -> bool {
    match before {
        [.., earlier, dot] => is_punct(dot, '.') && !is_punct(earlier, '.'),
        _ => false,
    }
}

/// A minus with nothing to subtract from.
fn is_negative(before: &[TokenTree]) -> bool {
    let [earlier @ .., minus] = before else {
        return false;
    };
    is_punct(minus, '-')
        && match earlier.last() {
            None | Some(TokenTree::Punct(_)) => true,
            Some(TokenTree::Ident(word)) => word == "return" || word == "in" || word == "else",
            Some(_) => false,
        }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn literals_of_all_kinds_are_found_also_inside_macros() {
        let source = r##"
            #![cfg_attr(feature = "nope", doc = "nope")]
            /// A comment with a "nope" and 99.
            const MAX: usize = 0x1_00;
            fn f(x: i32) -> Result<u8, Error> {
                let pair = (-3, 2.5e3, 7 - 4, b'a', 'ß', b"raw\x00", r#"a"b"#, 1f64, pair.0, 5..6);
                my_macro!(inner => { "deep", -1.5 });
                "x".parse().expect("nope");
                return -8;
            }
        "##;
        expect![[r#"
            Mined {
                integers: [
                    256,
                    -3,
                    7,
                    4,
                    97,
                    5,
                    6,
                    -8,
                ],
                floats: [
                    2500.0,
                    1.0,
                    -1.5,
                ],
                strings: [
                    "a\"b",
                    "deep",
                    "x",
                ],
                chars: [
                    'ß',
                ],
                bytes: [
                    [
                        114,
                        97,
                        119,
                        0,
                    ],
                ],
            }
        "#]]
        .assert_debug_eq(&mine(&[source], &[]));
    }

    #[test]
    fn messages_are_left_out_and_what_they_tell_of_is_kept() {
        let source = r#"
            assert!(x.starts_with("kept 1"), "nope {}", 1);
            assert_eq!(x, "kept 2", "nope");
            panic!("nope");
            let s = format!("nope {}", f("kept 3"));
            write!(out, "nope", "kept 4");
            if cfg!(feature = "nope") {}
            expect("kept 5");
        "#;
        assert_eq!(mine(&[source], &[]).strings, ["kept 1", "kept 2", "kept 3", "kept 4", "kept 5"]);
    }

    #[test]
    fn examples_in_documentation_come_first_and_prose_is_not_mined() {
        let docs = "Says \"nope\".\n\n```\n# let hidden = \"hidden\";\nlet url = \"https://example.com\";\n```\n\
                    ```text\n\"nope\"\n```\n```rust,should_panic\nparse(\"bad\");\n```\n```\nunclosed(\"nope\")";
        let mined = mine(&["f(\"source\", \"bad\")"], &[docs]);
        assert_eq!(mined.strings, ["hidden", "https://example.com", "bad", "source"]);
    }

    #[test]
    fn what_does_not_lex_is_ignored() {
        assert_eq!(mine(&["fn f( {", "\"open"], &["```\n)\n```"]), Mined::default());
    }

    #[test]
    fn the_yield_is_bounded() {
        let long = format!("\"{}\"", "x".repeat(MAX_BYTES + 1));
        let many: String = (0..MAX_VALUES + 10).map(|n| format!("\"{n}\" {n} ")).collect();
        let mined = mine(&[&long, &many], &[]);
        assert_eq!(mined.strings.len(), MAX_VALUES);
        assert_eq!(mined.integers.len(), MAX_VALUES);
        assert_eq!(mined.strings[0], "0");
        let deep = "(".repeat(100_000) + "1" + &")".repeat(100_000);
        assert_eq!(mine(&[&deep], &[]), Mined::default());
    }
}
