//! The templates of operations: text with places for arguments.

use crate::emit::layout::expression::{Binding, binding};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplatePart {
    Text(String),
    /// `{0}`: the argument as it is passed.
    Argument(usize),
    /// `{.0}`: the argument in receiver position.
    Receiver(usize),
}

/// A template taken apart. Braces that do not enclose a number are text.
pub fn parse(template: &str) -> Vec<TemplatePart> {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let inside = &rest[open + 1..];
        let place = inside.find('}').and_then(|close| {
            let (number, is_receiver) = match inside[..close].strip_prefix('.') {
                Some(number) => (number, true),
                None => (&inside[..close], false),
            };
            let is_number = number.bytes().all(|b| b.is_ascii_digit());
            let number = number.parse().ok().filter(|_| is_number)?;
            let part = if is_receiver { TemplatePart::Receiver(number) } else { TemplatePart::Argument(number) };
            Some((part, close))
        });
        match place {
            Some((part, close)) => {
                text.push_str(&rest[..open]);
                if !text.is_empty() {
                    parts.push(TemplatePart::Text(std::mem::take(&mut text)));
                }
                parts.push(part);
                rest = &inside[close + 1..];
            }
            None => {
                text.push_str(&rest[..=open]);
                rest = inside;
            }
        }
    }
    text.push_str(rest);
    if !text.is_empty() {
        parts.push(TemplatePart::Text(text));
    }
    parts
}

/// Whether all elements of the template have one type, so that the first settles it: `vec![{0}, {1}]`, `{0}..{1}`.
pub fn is_uniform(parts: &[TemplatePart]) -> bool {
    match parts.first() {
        Some(TemplatePart::Text(text)) => text.starts_with("vec![") || text.starts_with('['),
        Some(TemplatePart::Argument(_)) => {
            matches!(parts.get(1), Some(TemplatePart::Text(text)) if text.starts_with(".."))
        }
        _ => false,
    }
}

/// What stands around a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// A method or a field follows.
    pub is_called: bool,
    /// An operator that looks through one reference stands next to it: `{.0} == {.1}`, `{.0} += {1}`.
    pub is_operand: bool,
}

/// Whether the template evaluates all its arguments once, one after the other.
pub fn is_straight(parts: &[TemplatePart]) -> bool {
    !parts
        .iter()
        .any(|part| matches!(part, TemplatePart::Text(text) if ["|", "&&", "match ", "if "].iter().any(|s| text.contains(s))))
}

/// The template with its places filled, where needed in parentheses; `argument` gives the text for a part.
pub fn fill(parts: &[TemplatePart], mut argument: impl FnMut(&TemplatePart, CallSite) -> String) -> String {
    let mut out = String::new();
    for (idx, part) in parts.iter().enumerate() {
        if let TemplatePart::Text(text) = part {
            out.push_str(text);
            continue;
        }
        let after = match parts.get(idx + 1) {
            Some(TemplatePart::Text(text)) => text.trim_start(),
            _ => "",
        };
        let filling = argument(part, surroundings(out.trim_end(), after));
        if let Some(place) = dereferenced(&filling, &out) {
            out.pop();
            out.push_str(place);
        } else if needs_parentheses(&filling, out.trim_end(), after) {
            out.push_str(&format!("({filling})"));
        } else {
            out.push_str(&filling);
        }
    }
    out
}

fn surroundings(before: &str, after: &str) -> CallSite {
    let is_compared = ["==", "!=", "<=", ">=", " <", " >"];
    CallSite {
        is_called: after.starts_with('.') && !after.starts_with(".."),
        is_operand: after.starts_with(['=', '!', '<', '>', '+', '-', '*', '/', '%', '&', '|', '^'])
            || is_compared.iter().any(|operator| before.ends_with(operator)),
    }
}

/// `*&mut x` is `x`.
fn dereferenced<'t>(filling: &'t str, before: &str) -> Option<&'t str> {
    let place = filling.strip_prefix("&mut ").or_else(|| filling.strip_prefix('&'))?;
    let is_place = matches!(binding(place), Binding::Tight | Binding::Prefix);
    (before.ends_with('*') && is_place && !place.starts_with('&')).then_some(place)
}

fn needs_parentheses(filling: &str, before: &str, after: &str) -> bool {
    let binding = binding(filling);
    let is_postfix_next = after.starts_with(['[', '?', '(']) || after.starts_with('.') && !after.starts_with("..");
    if is_postfix_next {
        return binding != Binding::Tight;
    }
    let is_open = before.is_empty() || before.ends_with(['(', '[', ',', '{', ':', '=', '|']);
    let is_closed = after.is_empty() || after.starts_with([')', ']', ',', '}', ';']);
    if is_open && is_closed {
        return false;
    }
    binding == Binding::Loose || filling.starts_with('-') && before.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_in_braces_are_places() {
        assert_eq!(
            parse("Point { x: {0}, y: {.12}.z() }{}"),
            [
                TemplatePart::Text("Point { x: ".into()),
                TemplatePart::Argument(0),
                TemplatePart::Text(", y: ".into()),
                TemplatePart::Receiver(12),
                TemplatePart::Text(".z() }{}".into()),
            ]
        );
    }

    #[test]
    fn parentheses_stand_only_where_the_meaning_needs_them() {
        let cases = [
            ("f({0})", "-5", "f(-5)"),
            ("{.0}.abs()", "-5i32", "(-5i32).abs()"),
            ("{.0}.pow(2)", "5u8", "5u8.pow(2)"),
            ("{.0}.len()", "&v[..]", "(&v[..]).len()"),
            ("{.0}.len()", "a.b::<c>(d)", "a.b::<c>(d).len()"),
            ("{0}..=9", "-5", "-5..=9"),
            ("{0}.contains(&3)", "0..5", "(0..5).contains(&3)"),
            ("&{0}", "0..5", "&(0..5)"),
            ("-{0}", "-5", "-(-5)"),
            ("{0} + 1", "|a| a", "(|a| a) + 1"),
            ("f({0}, 1)", "|a| a", "f(|a| a, 1)"),
            ("{0}[{0}]", "x", "x[x]"),
            ("*{0} = 1", "&mut *x", "*x = 1"),
            ("*{0} = 1", "&mut x", "x = 1"),
            ("*{0}", "x", "*x"),
            ("a * {0}", "&x", "a * &x"),
            ("P { x: {0} }", "1..2", "P { x: 1..2 }"),
        ];
        for (template, filling, expected) in cases {
            assert_eq!(fill(&parse(template), |_, _| filling.to_string()), expected);
        }
    }
}
