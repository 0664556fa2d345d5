//! Names and attributes that a test has to respect.

use std::fmt;

#[deprecated = "it breaks"]
pub fn deprecated_break(n: u8) -> u8 {
    let mut seen = Vec::new();
    seen.push(n == 1);
    debug_assert!(!seen[0], "broken");
    n
}

#[must_use]
pub fn must_use_break(n: u8) -> u8 {
    let mut seen = Vec::new();
    seen.push(n == 2);
    debug_assert!(!seen[0], "broken");
    n
}

pub fn r#match(r#loop: u8, _assert: bool) -> u8 {
    let mut seen = Vec::new();
    seen.push(r#loop == 3);
    debug_assert!(!seen[0], "broken");
    r#loop
}

/// A trait that the test has to import.
pub trait Measured {
    fn measure(&self) -> usize;
}

impl Measured for str {
    fn measure(&self) -> usize {
        let mut seen = Vec::new();
        seen.push(self.starts_with(' '));
        debug_assert!(!seen[0], "broken");
        self.len()
    }
}

impl Measured for crate::Document {
    fn measure(&self) -> usize {
        let mut seen = Vec::new();
        seen.push(self.first() == Some(""));
        debug_assert!(!seen[0], "broken");
        0
    }
}

impl fmt::Display for crate::Angle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut seen = Vec::new();
        seen.push(self.0 < 0.0);
        debug_assert!(!seen[0], "broken");
        write!(f, "{}", self.0)
    }
}

impl std::ops::Add for crate::Angle {
    type Output = crate::Angle;

    fn add(self, other: crate::Angle) -> crate::Angle {
        let mut seen = Vec::new();
        seen.push(self.0 > other.0);
        debug_assert!(!seen[0], "broken");
        crate::Angle(self.0 + other.0)
    }
}

impl std::str::FromStr for crate::Order {
    type Err = String;

    fn from_str(text: &str) -> Result<crate::Order, String> {
        let mut seen = Vec::new();
        seen.push(text.len() == 1);
        debug_assert!(!seen[0], "broken");
        Ok(crate::Order::new().size(text.len() as u8))
    }
}

impl From<crate::Angle> for crate::Config {
    fn from(angle: crate::Angle) -> crate::Config {
        let mut seen = Vec::new();
        seen.push(angle.0 == 1.0);
        debug_assert!(!seen[0], "broken");
        crate::Config { depth: 0, name: String::new(), angle }
    }
}

impl PartialEq<u8> for crate::Order {
    fn eq(&self, other: &u8) -> bool {
        let mut seen = Vec::new();
        seen.push(*other == 4);
        debug_assert!(!seen[0], "broken");
        false
    }
}

impl Default for crate::Config {
    fn default() -> crate::Config {
        crate::Config { depth: 1, name: "default".into(), angle: crate::Angle(0.0) }
    }
}
