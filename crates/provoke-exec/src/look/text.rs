//! `Debug` text with a limit: a value under test may have no end.

use std::fmt::{self, Write};

use crate::run::probe::DebugFn;

/// A reused buffer that refuses what goes beyond its limit, so that formatting stops.
#[derive(Default)]
pub(crate) struct BoundedText {
    pub text: String,
    pub is_truncated: bool,
    limit: usize,
}

impl BoundedText {
    /// Empties the buffer for a text of up to `limit` bytes.
    pub fn start(&mut self, limit: usize) {
        self.text.clear();
        self.is_truncated = false;
        self.limit = limit;
    }
}

impl Write for BoundedText {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        let room = self.limit - self.text.len();
        if s.len() <= room {
            self.text.push_str(s);
            return Ok(());
        }
        self.text.push_str(&s[..s.floor_char_boundary(room)]);
        self.is_truncated = true;
        Err(fmt::Error)
    }
}

/// A value in a slot, for `write!`.
pub(crate) struct Shown {
    pub address: *const u8,
    pub debug: DebugFn,
}

impl fmt::Debug for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Whoever makes one vouches for the address.
        unsafe { (self.debug)(self.address, f) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_at_a_character_and_says_so() {
        let mut text = BoundedText::default();
        text.start(4);
        assert!(write!(text, "ab").is_ok());
        assert!(write!(text, "cé").is_err());
        assert_eq!((text.text.as_str(), text.is_truncated), ("abc", true));
        text.start(4);
        assert!(write!(text, "abcd").is_ok());
        assert!(!text.is_truncated);
    }
}
