//! Ids of findings.

use crate::config::bad_value::BadValue;

/// An id becomes a file name, so nothing else may be in it.
pub fn parse_id(text: &str) -> Result<String, BadValue> {
    let is_id_char = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !text.is_empty() && text.chars().all(is_id_char) {
        Ok(text.to_string())
    } else {
        Err(BadValue::new("not the id of a finding", "ids are printed with each finding and are in summary.json"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_cannot_be_a_path() {
        assert_eq!(parse_id("3f2a-9c_1D"), Ok("3f2a-9c_1D".into()));
        for text in ["", "../x", "a/b", "a.rs", "a b", "ä"] {
            assert!(parse_id(text).is_err(), "{text}");
        }
    }
}
