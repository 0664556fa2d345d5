//! What a value shows at one moment, to be compared with what it shows later.

use std::fmt::{Debug, Write};

use crate::look::text::BoundedText;

/// Longer texts are not compared.
const LIMIT: usize = 1 << 16;

/// Nothing else takes one, so nobody but [`still_shows`] can look at it.
pub struct Snapshot {
    /// Nothing if the value has no end, or refuses to be shown.
    text: Option<String>,
}

pub fn snapshot<T: Debug>(value: &T) -> Snapshot {
    let mut text = BoundedText::default();
    text.start(LIMIT);
    let is_whole = write!(text, "{value:?}").is_ok();
    Snapshot { text: is_whole.then_some(text.text) }
}

/// Whether the value shows what it showed before, as far as that can be told.
pub fn still_shows<T: Debug>(value: &T, before: &Snapshot) -> bool {
    let now = snapshot(value);
    now.text.is_none() || before.text.is_none() || now.text == before.text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_shows_and_what_has_no_end_is_not_compared() {
        let mut numbers = vec![1, 2];
        let before = snapshot(&numbers);
        assert!(still_shows(&numbers, &before));
        numbers.push(3);
        assert!(!still_shows(&numbers, &before));
        numbers.resize(LIMIT, 0);
        assert!(still_shows(&numbers, &before));
    }
}
