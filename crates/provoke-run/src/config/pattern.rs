//! Patterns that select functions: `--only` and `--omit`.
//!
//! A pattern is one or more path segments that must be found next to each other anywhere in a function's path. `*` stands for any
//! part of a segment, and a segment matches as a whole: `insert` selects `slab::Slab::insert` but not `insert_at`, `insert*` both;
//! `Slab::*` selects everything of `Slab`, as does plain `Slab`. A method of a trait impl, `<slab::Slab as Index>::index`, is found
//! through its type (`Slab::index`) and through its trait (`Index::index`). Type arguments are not looked at. A pattern with `<` in
//! it is a whole path as `cargo provoke list` prints it.

use crate::config::bad_value::BadValue;

const HINT: &str = "write path segments, with * for any part of one: insert, Slab::insert, Slab::*, *_unchecked";

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Consecutive segments.
    Segments(Vec<String>),
    /// The whole path, as it is displayed.
    Exact(String),
}

impl Pattern {
    pub fn parse(text: &str) -> Result<Pattern, BadValue> {
        if text.contains('<') {
            return Ok(Pattern::Exact(text.trim().to_string()));
        }
        if text.is_empty() {
            return Err(BadValue::new("an empty pattern selects nothing", HINT));
        }
        let segments: Vec<String> = text.split("::").map(str::to_string).collect();
        let is_segment = |segment: &String| {
            let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '*';
            let name = segment.strip_prefix("r#").unwrap_or(segment);
            !name.is_empty() && name.chars().all(is_name)
        };
        if segments.iter().all(is_segment) {
            Ok(Pattern::Segments(segments))
        } else {
            Err(BadValue::new("not a function path", HINT))
        }
    }

    /// Whether the pattern selects the function with this displayed path.
    pub fn matches(&self, function: &str) -> bool {
        match self {
            Pattern::Exact(path) => path == function,
            Pattern::Segments(pattern) => readings(function).iter().any(|path| {
                path.windows(pattern.len()).any(|window| {
                    pattern.iter().zip(window).all(|(pattern, segment)| segment_matches(pattern, segment))
                })
            }),
        }
    }
}

/// Which functions a run is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionFilter {
    pub only: Vec<Pattern>,
    pub omit: Vec<Pattern>,
}

impl FunctionFilter {
    /// `--omit` wins over `--only`; without `--only` everything is selected.
    pub fn selects(&self, function: &str) -> bool {
        self.asks_for(function) && !self.omit.iter().any(|pattern| pattern.matches(function))
    }

    /// Whether `--only` names the function, or nothing at all.
    pub fn asks_for(&self, function: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|pattern| pattern.matches(function))
    }
}

/// The paths a function can be found by: one, or two for a method of a trait impl.
fn readings(function: &str) -> Vec<Vec<String>> {
    let qualified = function.strip_prefix('<').and_then(|rest| Some((rest, closing_bracket(rest)?)));
    let Some((rest, end)) = qualified else {
        return vec![segments(function)];
    };
    let (inside, method) = (without_arguments(&rest[..end]), &rest[end + 1..]);
    match inside.split_once(" as ") {
        Some((ty, of_trait)) => vec![segments(&format!("{ty}{method}")), segments(&format!("{of_trait}{method}"))],
        None => vec![segments(&format!("{inside}{method}"))],
    }
}

fn segments(path: &str) -> Vec<String> {
    without_arguments(path)
        .split("::")
        .map(|segment| segment.trim_matches(|c: char| !c.is_alphanumeric() && c != '_' && c != '#'))
        .filter(|segment| !segment.is_empty())
        .map(str::to_string)
        .collect()
}

/// The place of the `>` that closes a bracket opened before `text`.
fn closing_bracket(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if previous == '-' => {}
            '>' if depth == 0 => return Some(at),
            '>' => depth -= 1,
            _ => {}
        }
        previous = c;
    }
    None
}

/// The text with everything inside angle brackets left out.
fn without_arguments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        plain.push_str(&rest[..open]);
        match closing_bracket(&rest[open + 1..]) {
            Some(close) => rest = &rest[open + close + 2..],
            None => return plain,
        }
    }
    plain + rest
}

/// `*` stands for any number of characters.
fn segment_matches(pattern: &str, segment: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = segment.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    // Without a `*` nothing may be left over.
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, function: &str) -> bool {
        Pattern::parse(pattern).unwrap().matches(function)
    }

    #[test]
    fn patterns_match_whole_neighbouring_segments() {
        let table = [
            ("insert", "slab::Slab::insert", true),
            ("insert", "slab::Slab::insert_at", false),
            ("insert*", "slab::Slab::insert_at", true),
            ("*sert*", "slab::Slab::insert_at", true),
            ("*_at", "slab::Slab::insert_at", true),
            ("*_at", "slab::Slab::insert_at_once", false),
            ("in*t", "slab::Slab::insert", true),
            ("in*s*t", "slab::Slab::insert", true),
            ("in*t*t", "slab::Slab::insert", false),
            ("*", "free", true),
            ("Slab", "slab::Slab::insert", true),
            ("Slab::*", "slab::Slab::insert", true),
            ("Slab::*", "slab::Slab", false),
            ("slab::insert", "slab::Slab::insert", false),
            ("slab::*::insert", "slab::Slab::insert", true),
            ("slab::Slab::insert", "slab::Slab::insert", true),
            ("lab", "slab::Slab::insert", false),
            ("a::b::c::d", "b::c", false),
            ("Slab::from", "slab::Slab<Vec<u8>>::from", true),
            ("u8", "slab::Slab<Vec<u8>>::from", false),
        ];
        for (pattern, function, expected) in table {
            assert_eq!(matches(pattern, function), expected, "{pattern} on {function}");
        }
    }

    #[test]
    fn a_trait_method_is_found_through_its_type_and_its_trait() {
        let function = "<slab::Slab<fn(u8) -> u8> as ops::Index<usize>>::index";
        for pattern in ["index", "Slab::index", "Index::index", "slab::Slab", "ops::*"] {
            assert!(matches(pattern, function), "{pattern}");
        }
        for pattern in ["Slab::Index", "usize", "as"] {
            assert!(!matches(pattern, function), "{pattern}");
        }
        assert!(matches("T::m", "<[u8] as T>::m"));
        assert!(matches("u8::m", "<[u8] as T>::m"));
    }

    #[test]
    fn a_path_copied_from_the_list_selects_just_that_function() {
        let function = "<slab::Slab as Index>::index";
        assert!(matches(function, function));
        assert!(!matches(function, "<slab::Slab as IndexMut>::index_mut"));
    }

    #[test]
    fn broken_paths_do_not_panic() {
        for function in ["", "<", "<a as b", "a<b", "::", "<>::", "a>::b"] {
            matches("x", function);
        }
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for text in ["", "::", "a::", "::a", "a::::b", "a:b", "a b", "a/b", "a-b", "[ab]"] {
            assert!(Pattern::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn omitting_wins_over_selecting() {
        let parse = |text| Pattern::parse(text).unwrap();
        let filter = FunctionFilter { only: vec![parse("Slab"), parse("free")], omit: vec![parse("insert*")] };
        assert!(filter.selects("slab::Slab::len"));
        assert!(filter.selects("slab::free"));
        assert!(!filter.selects("slab::Slab::insert_at"));
        assert!(!filter.selects("slab::Entry::key"));
        assert!(FunctionFilter::default().selects("anything"));
    }
}
