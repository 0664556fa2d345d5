//! The checksum line.

use crate::error::Problem;

/// What is to be read of a text, and the checksum that its last line states.
pub fn split(text: &str) -> (&str, Option<&str>) {
    let text = text.trim_end();
    let (content, last) = text.rsplit_once('\n').unwrap_or(("", text));
    match last.strip_prefix("#sum=") {
        Some(stated) => (content, Some(stated)),
        None => (text, None),
    }
}

/// Whether the checksum is the one that was stated.
pub fn verify(content: &str, stated: &str) -> Result<(), Problem> {
    let stated = u32::from_str_radix(stated, 16).map_err(|_| Problem::BadSum)?;
    if sum(content) == stated { Ok(()) } else { Err(Problem::WrongSum) }
}

fn sum(content: &str) -> u32 {
    let bytes = content.bytes().map(u32::from);
    bytes.fold(7, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte))
}
