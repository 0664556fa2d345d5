//! Whether a crate has code that can break memory.

use provoke_host::Target;
use provoke_model::Model;

use crate::prepare::material::sources_of;

/// Whether the target's own sources say `unsafe` anywhere outside of comments and texts.
pub fn has_unsafe_code(target: &Target, model: &Model) -> bool {
    sources_of(target, model).iter().any(|(_, source)| says_unsafe(source))
}

fn says_unsafe(source: &str) -> bool {
    let is_word = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric() || byte >= 0x80;
    let bytes = source.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        at += match rest {
            [b'/', b'/', ..] => line_comment(rest),
            [b'/', b'*', ..] => block_comment(rest),
            [b'"', ..] => text(rest),
            [b'r', b'"' | b'#', ..] if at == 0 || !is_word(bytes[at - 1]) || bytes[at - 1] == b'b' => raw_text(rest),
            // A quote as a character; what else starts with one is a lifetime.
            [b'\'', b'"', b'\'', ..] => 3,
            [b'\'', b'\\', ..] => 3,
            [first, ..] if is_word(*first) => {
                let length = rest.iter().take_while(|byte| is_word(**byte)).count();
                if &rest[..length] == b"unsafe" {
                    return true;
                }
                // The prefix of a raw text is looked at as such.
                if length > 1 && rest[..length].ends_with(b"r") && matches!(rest.get(length), Some(b'"' | b'#')) {
                    length - 1
                } else {
                    length
                }
            }
            _ => 1,
        };
    }
    false
}

fn line_comment(rest: &[u8]) -> usize {
    rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
}

/// They nest.
fn block_comment(rest: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0usize);
    while at < rest.len() {
        match &rest[at..] {
            [b'/', b'*', ..] => {
                depth += 1;
                at += 2;
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                at += 2;
            }
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at.min(rest.len())
}

fn text(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// Or one character, where it is a raw identifier or no text at all.
fn raw_text(rest: &[u8]) -> usize {
    let n_hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
    let start = 1 + n_hashes;
    if rest.get(start) != Some(&b'"') {
        return 1;
    }
    let mut end = vec![b'"'];
    end.resize(1 + n_hashes, b'#');
    let found = rest[start + 1..].windows(end.len()).position(|window| window == end);
    found.map_or(rest.len(), |found| start + 1 + found + end.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_keyword_counts() {
        for source in
            ["unsafe { x }", "fn f() {}\nunsafe impl Send for T {}", "/* a */ pub unsafe fn f()", "'\"' unsafe"]
        {
            assert!(says_unsafe(source), "{source}");
        }
        for source in [
            "",
            "#![forbid(unsafe_code)]",
            "// unsafe",
            "/* unsafe /* nested */ unsafe */ fn f() {}",
            "\"unsafe \\\" unsafe\"",
            "r#\"unsafe \" unsafe\"# ",
            "br\"unsafe\"",
            "fn not_unsafe(r#type: u8) {}",
            "'\\'' \"unsafe\"",
            "/* unsafe",
            "\"unsafe",
        ] {
            assert!(!says_unsafe(source), "{source}");
        }
    }
}
