//! Which paths a test imports, and how names that cannot be imported are written instead.

use std::collections::{BTreeMap, BTreeSet};

use crate::OpText;
use crate::types::prelude::{PRELUDE, is_prelude_name};
use crate::types::render::raw;
use crate::types::tracked;

use crate::emit::Style;

/// The imports of one test, gathered while it is written.
#[derive(Clone, Debug)]
pub struct Imports {
    crate_name: String,
    /// From the imported name to its path.
    paths: BTreeMap<String, String>,
    /// Traits whose name is taken by something else: `use path as _;`.
    nameless: BTreeSet<String>,
}

impl Imports {
    pub fn new(crate_name: &str) -> Imports {
        Imports { crate_name: crate_name.to_string(), paths: BTreeMap::new(), nameless: BTreeSet::new() }
    }

    /// Writes `text`, which names things by the last segments of `paths`: imports what it names, and spells out what cannot
    /// be imported because its name means something else already.
    pub fn write(&mut self, text: &str, paths: &[String]) -> String {
        let mut text = text.to_string();
        for path in paths {
            let name = name_of(path);
            if !is_importable(path) || !names_in(&text).any(|(_, found)| found == name) {
                continue;
            }
            if !self.import(name, path) {
                text = with_path(&text, name, path);
            }
        }
        text
    }

    /// Imports the traits that the text of an operation needs without naming them: those of its methods.
    pub fn bring_traits(&mut self, op: &OpText, style: Style) {
        for path in &op.imports {
            let name = name_of(path);
            let is_in = |text: &str| {
                let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                words.any(|word| word == name)
            };
            if !is_importable(path) || is_in(&op.pretty) {
                continue;
            }
            let is_unnamed = !is_in(&op.explicit) && !op.result_type.as_deref().is_some_and(is_in);
            // Spelled out it is `<Type as Trait>::method`: the short form needs the trait in scope.
            let is_trait = |text: &str| {
                text.split(" as ").skip(1).any(|after| {
                    let end = after.find(['<', '>', ')', ' ']).unwrap_or(after.len());
                    name_of(&after[..end]) == name
                })
            };
            let is_left_out = style == Style::Pretty && is_trait(&op.explicit);
            if (is_unnamed || is_left_out) && !self.import(name, path) {
                self.nameless.insert(path.clone());
            }
        }
    }

    fn import(&mut self, name: &str, path: &str) -> bool {
        // An import named like the crate would change what the crate's paths mean.
        if name == self.crate_name || is_prelude_name(name) {
            return false;
        }
        self.paths.entry(name.to_string()).or_insert_with(|| path.to_string()) == path
    }

    /// Whether the text names the tracked element, for which every test has a struct of its own.
    pub fn name_element(&self) -> bool {
        self.paths.values().any(|path| path == tracked::PATH)
    }

    /// One `use` line each, in rustfmt's order.
    pub fn lines(&self) -> Vec<String> {
        let named = self
            .paths
            .values()
            .filter(|path| **path != tracked::PATH)
            .map(|path| (path.clone(), format!("use {};", spelled(path))));
        let nameless = self.nameless.iter().map(|path| (path.clone(), format!("use {} as _;", spelled(path))));
        let mut lines: Vec<(String, String)> = named.chain(nameless).collect();
        lines.sort_by_cached_key(|(path, _)| {
            let segments: Vec<(u8, String)> = path.split("::").map(|s| (letter_case(s), s.to_string())).collect();
            segments
        });
        lines.into_iter().map(|(_, line)| line).collect()
    }
}

/// Keywords among the segments, such as the name of a crate, are written as raw identifiers.
fn spelled(path: &str) -> String {
    let segments = |path: &str| path.split("::").map(raw).collect::<Vec<_>>().join("::");
    match path.split_once(" as ") {
        Some((path, alias)) => format!("{} as {alias}", segments(path)),
        None => segments(path),
    }
}

/// The name that an import brings into scope.
pub fn name_of(path: &str) -> &str {
    let path = path.rsplit(" as ").next().unwrap_or(path);
    path.rsplit("::").next().unwrap_or(path)
}

/// rustfmt puts `snake_case` before `CamelCase` before `UPPER_CASE`.
fn letter_case(segment: &str) -> u8 {
    if !segment.starts_with(|c: char| c.is_uppercase()) {
        0
    } else if segment.len() == 1 || segment.chars().any(|c| c.is_lowercase()) {
        1
    } else {
        2
    }
}

/// Not in scope anyway: neither in the prelude nor the crate itself.
fn is_importable(path: &str) -> bool {
    let Some((root, inner)) = path.split_once("::") else {
        return false;
    };
    !(matches!(root, "std" | "core" | "alloc") && PRELUDE.contains(&inner))
}

/// The names in `text` that are not behind a `::` or a dot, each with its place.
fn names_in(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    let mut quote = None;
    std::iter::from_fn(move || {
        while at < text.len() {
            let rest = &text[at..];
            let c = rest.chars().next()?;
            if let Some(open) = quote {
                if c == open {
                    quote = None;
                }
                at += c.len_utf8();
                if c == '\\' {
                    at += text[at..].chars().next().map_or(0, char::len_utf8);
                }
                continue;
            }
            if !is_part(c) {
                if c == '"' {
                    quote = Some('"');
                }
                at += c.len_utf8();
                continue;
            }
            let start = at;
            at += rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
            let before = &text[..start];
            let is_own = !before.ends_with("::")
                && !before.ends_with('\'')
                && (!before.ends_with('.') || before.ends_with(".."));
            if is_own {
                return Some((start, &text[start..at]));
            }
        }
        None
    })
}

fn with_path(text: &str, name: &str, path: &str) -> String {
    let places: Vec<usize> = names_in(text).filter(|(_, found)| *found == name).map(|(at, _)| at).collect();
    let mut out = text.to_string();
    for at in places.into_iter().rev() {
        out.replace_range(at..at + name.len(), &spelled(path));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(paths: &[&str]) -> Vec<String> {
        paths.iter().map(|p| p.to_string()).collect()
    }

    #[test]
    fn only_what_a_text_names_is_imported() {
        let mut imports = Imports::new("slab");
        let all = paths(&["slab::Slab", "std::time::Duration", "std::vec::Vec"]);
        assert_eq!(imports.write("{.0}.insert({1})", &all), "{.0}.insert({1})");
        assert_eq!(imports.lines(), Vec::<String>::new());
        imports.write("Slab::<Vec<u8>>::new()", &all);
        assert_eq!(imports.lines(), ["use slab::Slab;"]);
    }

    #[test]
    fn a_name_that_is_taken_is_spelled_out() {
        let mut imports = Imports::new("slab");
        imports.write("Error::new()", &paths(&["a::Error"]));
        let text = imports.write("f::<Error>(Error::b, x.Error, c::Error)", &paths(&["b::Error"]));
        assert_eq!(text, "f::<b::Error>(b::Error::b, x.Error, c::Error)");
        assert_eq!(imports.write("Result<u8>", &paths(&["a::Result"])), "a::Result<u8>");
        assert_eq!(imports.lines(), ["use a::Error;"]);
        let mut imports = Imports::new("match");
        let text = imports.write("Error::new(Result)", &paths(&["match::Error", "match::gen::Result"]));
        assert_eq!(text, "Error::new(r#match::r#gen::Result)");
        assert_eq!(imports.lines(), ["use r#match::Error;"]);
    }

    #[test]
    fn the_trait_of_a_method_is_imported_where_the_method_syntax_needs_it() {
        let op = OpText {
            pretty: "{.0}.read({1})".into(),
            explicit: "<Source as Read>::read({0}, {1})".into(),
            imports: paths(&["std::io::Read", "a::Source"]),
            ..OpText::default()
        };
        let mut pretty = Imports::new("slab");
        pretty.write(&op.pretty, &op.imports);
        pretty.bring_traits(&op, Style::Pretty);
        assert_eq!(pretty.lines(), ["use std::io::Read;"]);
        let mut explicit = Imports::new("slab");
        explicit.write(&op.explicit, &op.imports);
        explicit.bring_traits(&op, Style::Explicit);
        assert_eq!(explicit.lines(), ["use a::Source;", "use std::io::Read;"]);
    }

    #[test]
    fn a_trait_whose_name_is_taken_is_imported_without_it() {
        let mut imports = Imports::new("slab");
        imports.write("Read", &paths(&["a::Read"]));
        let op = OpText {
            pretty: "{.0}.read()".into(),
            explicit: "{.0}.read()".into(),
            imports: paths(&["std::io::Read"]),
            ..OpText::default()
        };
        imports.bring_traits(&op, Style::Pretty);
        assert_eq!(imports.lines(), ["use a::Read;", "use std::io::Read as _;"]);
    }
}
