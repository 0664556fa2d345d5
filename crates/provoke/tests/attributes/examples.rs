//! The examples of the documentation, which doctests only see without what they show.

/// As programs, each named after the line that it starts in.
pub fn all() -> Vec<(String, String)> {
    let mut examples = Vec::new();
    let mut open: Option<(String, String)> = None;
    for (line_idx, line) in include_str!("../../src/lib.rs").lines().enumerate() {
        let Some(text) = line.strip_prefix("//!").or_else(|| line.strip_prefix("///")) else { continue };
        match (&mut open, text.trim()) {
            (None, "```") => {
                open = Some((format!("example_of_line_{}", line_idx + 1), String::from("#![allow(dead_code)]\n")))
            }
            (Some(_), "```") => examples.extend(open.take()),
            (Some((_, source)), text) => *source += &format!("{}\n", text.strip_prefix("# ").unwrap_or(text)),
            (None, _) => {}
        }
    }
    for (_, source) in &mut examples {
        *source += "fn main() {}\n";
    }
    examples
}
