//! Names of functions, compared across the ways in which they can be written.
//!
//! One function has many names: through a re-export or by where it is defined, with type arguments or without, at the
//! trait or at an impl.

/// `slab::Slab::insert` or `<slab::Slab as FromIterator>::from_iter`, without type arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionName {
    /// The path of the type, or of the module for a free function.
    owner: Vec<String>,
    of_trait: Option<Vec<String>>,
    name: String,
}

impl FunctionName {
    pub fn parse(text: &str) -> FunctionName {
        // Names that would still be the same are numbered.
        let text = text.split('#').next().unwrap_or(text);
        let Some((inside, after)) = text.strip_prefix('<').and_then(split_at_closing) else {
            let mut path = segments(text);
            let name = path.pop().unwrap_or_default();
            return FunctionName { owner: path, of_trait: None, name };
        };
        let name = segments(after).pop().unwrap_or_default();
        match split_at_as(inside) {
            Some((owner, of_trait)) => {
                FunctionName { owner: segments(owner), of_trait: Some(segments(of_trait)), name }
            }
            None => FunctionName { owner: segments(inside), of_trait: None, name },
        }
    }

    /// Whether both can be names of one function.
    pub fn is_same(&self, other: &FunctionName) -> bool {
        if self.name != other.name {
            return false;
        }
        match (&self.of_trait, &other.of_trait) {
            (None, None) => is_same_path(&self.full_path(), &other.full_path()),
            (Some(a), Some(b)) => is_same_path(a, b) && is_same_path(&self.owner, &other.owner),
            // At the trait instead of at an impl.
            (Some(of_trait), None) => is_same_path(of_trait, &other.owner),
            (None, Some(of_trait)) => is_same_path(&self.owner, of_trait),
        }
    }

    fn full_path(&self) -> Vec<String> {
        let mut path = self.owner.clone();
        path.push(self.name.clone());
        path
    }
}

/// The same item at the end, and nothing but modules in what one path has and the other has not.
fn is_same_path(a: &[String], b: &[String]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if short.is_empty() || short.last() != long.last() {
        return false;
    }
    let mut expected = short.iter().peekable();
    for segment in long {
        if expected.peek() == Some(&segment) {
            expected.next();
        } else if !segment.starts_with(|c: char| c.is_lowercase() || c == '_') {
            return false;
        }
    }
    expected.next().is_none()
}

/// The segments of a path, without references in front and without type arguments.
fn segments(path: &str) -> Vec<String> {
    let plain = without_arguments(path);
    let mut plain = plain.trim();
    while let Some(rest) = ["&", "mut ", "dyn "].iter().find_map(|prefix| plain.strip_prefix(prefix)) {
        plain = rest.trim_start();
    }
    plain.split("::").map(str::trim).filter(|segment| !segment.is_empty()).map(str::to_owned).collect()
}

fn without_arguments(path: &str) -> String {
    let mut plain = String::new();
    let mut depth = 0_usize;
    let mut before = ' ';
    for c in path.chars() {
        match c {
            '<' => depth += 1,
            // Not the end of an arrow.
            '>' if before != '-' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
        before = c;
    }
    plain
}

/// What is before and after the `>` that closes a `<` just before the text.
fn split_at_closing(text: &str) -> Option<(&str, &str)> {
    let mut depth = 1_usize;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[..at], &text[at + 1..]));
        }
        before = c;
    }
    None
}

/// The two sides of an ` as ` that is not inside of type arguments.
fn split_at_as(text: &str) -> Option<(&str, &str)> {
    let mut found = text.match_indices(" as ").filter(|(at, _)| {
        let before = &text[..*at];
        before.matches('<').count() == before.matches('>').count() - before.matches("->").count()
    });
    found.next().map(|(at, separator)| (&text[..at], &text[at + separator.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_function_are_the_same_and_others_are_not() {
        for (a, b, expected) in [
            ("slab::Slab::insert", "slab::Slab::insert", true),
            ("slab::Slab::insert", "slab::Slab<u8>::insert", true),
            ("slab::Slab::insert", "slab::Slab::remove", false),
            ("slab::Slab::insert", "slab::VacantEntry::insert", false),
            ("im::Vector::iter", "im::vector::Vector::iter", true),
            ("im::vector::Iter::next", "im::hashmap::Iter::next", false),
            ("ipnet::ip_mask_to_prefix", "ipnet::mask::ip_mask_to_prefix", true),
            ("json::stringify", "json::JsonValue::stringify", false),
            ("<a::T as Iterator>::next", "<a::b::T<'a, u8> as Iterator>::next", true),
            ("<a::T as TryFrom>::try_from", "<a::T as TryFrom<&str>>::try_from", true),
            ("<a::T as Iterator>::next", "<a::U as Iterator>::next", false),
            ("<a::T as Iterator>::next", "<a::T as DoubleEndedIterator>::next", false),
            ("<a::T as Iterator>::next", "a::T::next", false),
            ("<Vec as insert_many::InsertMany>::insert_many", "insert_many::InsertMany::insert_many", true),
            ("<Vec as insert_many::InsertMany>::insert_many", "<Vec<T> as InsertMany<T>>::insert_many", true),
            ("insert_many::InsertMany::insert_many", "<Vec<T> as InsertMany>::insert_many", true),
            ("<a::T as Index>::index", "<&mut a::T<fn(u8) -> u8> as Index<u8>>::index#2", true),
            ("<a::T as Add>::add", "<a::T<<u8 as B>::C> as Add>::add", true),
        ] {
            let is_same = FunctionName::parse(a).is_same(&FunctionName::parse(b));
            assert_eq!(is_same, expected, "{a} and {b}");
            assert_eq!(FunctionName::parse(b).is_same(&FunctionName::parse(a)), expected, "{b} and {a}");
        }
    }

    #[test]
    fn text_that_is_no_name_is_nobody_s_name() {
        for text in ["", "<", "<>", "<a", "> as <", "as", "a -> b > c", "::"] {
            assert!(!FunctionName::parse(text).is_same(&FunctionName::parse("a::b")), "{text}");
        }
    }
}
