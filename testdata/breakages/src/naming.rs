//! Names and attributes that a test has to respect.

use std::fmt;

use crate::broken_if;

#[deprecated = "it breaks"]
pub fn deprecated_break(n: u8) -> u8 {
    broken_if(n == 1);
    n
}

#[must_use]
pub fn must_use_break(n: u8) -> u8 {
    broken_if(n == 2);
    n
}

pub fn r#match(r#loop: u8, _assert: bool) -> u8 {
    broken_if(r#loop == 3);
    r#loop
}

/// A trait that the test has to import.
pub trait Measured {
    fn measure(&self) -> usize;
}

impl Measured for str {
    fn measure(&self) -> usize {
        broken_if(self.starts_with(' '));
        self.len()
    }
}

impl Measured for crate::Document {
    fn measure(&self) -> usize {
        broken_if(self.first() == Some(""));
        0
    }
}

impl fmt::Display for crate::Angle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        broken_if(self.0 < 0.0);
        write!(f, "{}", self.0)
    }
}

impl std::ops::Add for crate::Angle {
    type Output = crate::Angle;

    fn add(self, other: crate::Angle) -> crate::Angle {
        broken_if(self.0 > other.0);
        crate::Angle(self.0 + other.0)
    }
}

impl std::str::FromStr for crate::Order {
    type Err = String;

    fn from_str(text: &str) -> Result<crate::Order, String> {
        broken_if(text.len() == 1);
        Ok(crate::Order::new().size(text.len() as u8))
    }
}

impl From<crate::Angle> for crate::Config {
    fn from(angle: crate::Angle) -> crate::Config {
        broken_if(angle.0 == 1.0);
        crate::Config { depth: 0, name: String::new(), angle }
    }
}

impl PartialEq<u8> for crate::Order {
    fn eq(&self, other: &u8) -> bool {
        broken_if(*other == 4);
        false
    }
}

impl Default for crate::Config {
    fn default() -> crate::Config {
        crate::Config { depth: 1, name: "default".into(), angle: crate::Angle(0.0) }
    }
}
