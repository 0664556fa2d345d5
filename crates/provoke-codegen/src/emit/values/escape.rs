//! Text inside quotes and comments, so that a reader sees every character that is there.

/// `text` as the inside of a string literal.
pub fn in_string(text: &str) -> String {
    escaped(text, '"')
}

/// `c` as the inside of a character literal.
pub fn in_char(c: char) -> String {
    escaped(c.encode_utf8(&mut [0; 4]), '\'')
}

/// `bytes` as the inside of a byte string literal.
pub fn in_byte_string(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0 => out.push_str("\\0"),
            b'\\' | b'"' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            b' '..=b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out
}

/// `text` inside a `//` comment: one line, quotes as they are. rustc refuses characters that change the direction of
/// text in comments, too.
pub fn in_comment(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\t' {
            out.push(' ');
        } else if is_visible(c) {
            out.push(c);
        } else {
            out.extend(c.escape_unicode());
        }
    }
    out
}

fn escaped(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0' => out.push_str("\\0"),
            '\\' => out.push_str("\\\\"),
            _ if c == quote => {
                out.push('\\');
                out.push(c);
            }
            _ if is_visible(c) => out.push(c),
            _ => out.extend(c.escape_unicode()),
        }
    }
    out
}

/// Whether a reader recognises the character in the middle of source code.
fn is_visible(c: char) -> bool {
    match c {
        ' '..='~' => true,
        // Letters that show as blanks.
        '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}' => false,
        // Letters written from right to left: editors reorder the code around them.
        '\u{590}'..='\u{8ff}'
        | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{feff}'
        | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}' => false,
        // The standard library knows what cannot be printed and what joins the character before it.
        _ => c.escape_debug().len() == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visible_characters_stay_and_all_others_are_escaped() {
        let cases = [
            ("plain 'text'", "plain 'text'"),
            ("a\"b\\c", "a\\\"b\\\\c"),
            ("\n\r\t\0\u{1}\u{7f}", "\\n\\r\\t\\0\\u{1}\\u{7f}"),
            ("ß漢🦀", "ß漢🦀"),
            ("e\u{301}", "e\\u{301}"),
            ("\u{200b}\u{202e}\u{feff}", "\\u{200b}\\u{202e}\\u{feff}"),
            ("\u{a0}\u{3000}\u{2028}", "\\u{a0}\\u{3000}\\u{2028}"),
            ("א\u{3164}", "\\u{5d0}\\u{3164}"),
        ];
        for (text, expected) in cases {
            assert_eq!(in_string(text), expected);
        }
        assert_eq!(in_char('\''), "\\'");
        assert_eq!(in_char('"'), "\"");
        assert_eq!(in_byte_string(b"a\"\\\n\x00\xff~"), "a\\\"\\\\\\n\\0\\xff~");
        assert_eq!(in_comment("\"a\\b\"\u{202e}\t."), "\"a\\b\"\\u{202e} .");
    }
}
