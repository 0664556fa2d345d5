//! Text from code under test, made safe to print: a panic message must not be able to move the cursor or recolour a terminal.

/// Escapes every control character but newline and tab.
pub fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || c == '\t' || !is_disruptive(c) {
            safe.push(c);
        } else {
            safe.extend(c.escape_default());
        }
    }
    safe
}

/// The same on one line: newlines become spaces, runs of white space become one.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    printable(&words.join(" "))
}

/// Control characters, and the marks that reorder what is displayed.
fn is_disruptive(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// At most `limit` characters, one of them an ellipsis where something was cut. Both ends of a value tell more than its
/// beginning alone.
pub fn shortened_in_the_middle(text: &str, limit: usize) -> String {
    let n_chars = text.chars().count();
    if n_chars <= limit {
        return text.to_string();
    }
    let n_kept = limit.saturating_sub(1);
    let n_end = n_kept / 3;
    let start: String = text.chars().take(n_kept - n_end).collect();
    let end: String = text.chars().skip(n_chars - n_end).collect();
    format!("{start}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_the_target_says_can_steer_the_terminal() {
        assert_eq!(printable("a\u{1b}[31mb\r\n\tc\u{202e}"), "a\\u{1b}[31mb\\r\n\tc\\u{202e}");
        assert_eq!(printable("größe ≤ 3 · 🦀"), "größe ≤ 3 · 🦀");
    }

    #[test]
    fn several_lines_become_one() {
        assert_eq!(one_line("left:  1\n right: 2\n"), "left: 1 right: 2");
    }

    #[test]
    fn shortening_cuts_between_characters() {
        assert_eq!(shortened_in_the_middle("äöü", 3), "äöü");
        assert_eq!(shortened_in_the_middle("äöü", 2), "ä…");
        assert_eq!(shortened_in_the_middle("[ä, ö, ü, 1, 2, 3]", 8), "[ä, ö…3]");
        assert_eq!(shortened_in_the_middle("äöü", 0), "…");
    }
}
