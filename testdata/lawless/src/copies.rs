//! `Clone`, and what is written and read back.

use std::fmt;
use std::str::FromStr;

/// `clone-equals`: forgets what does not fit.
#[derive(Debug, PartialEq)]
pub struct Forgetful(Vec<u8>);

impl Forgetful {
    pub fn new() -> Forgetful {
        Forgetful(Vec::new())
    }

    pub fn push(&mut self, byte: u8) {
        self.0.push(byte);
    }
}

impl Clone for Forgetful {
    fn clone(&self) -> Forgetful {
        Forgetful(self.0.iter().copied().take(2).collect())
    }
}

/// `text-round-trip`: prints no sign.
#[derive(Debug, PartialEq)]
pub struct Unsigned(pub i8);

impl fmt::Display for Unsigned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.unsigned_abs())
    }
}

impl FromStr for Unsigned {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Unsigned, Self::Err> {
        text.parse().map(Unsigned)
    }
}

/// `conversion-round-trip`: a signed number loses its sign on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Magnitude(pub i8);

impl From<Magnitude> for u8 {
    fn from(magnitude: Magnitude) -> u8 {
        magnitude.0.unsigned_abs()
    }
}

impl TryFrom<u8> for Magnitude {
    type Error = std::num::TryFromIntError;

    fn try_from(number: u8) -> Result<Magnitude, Self::Error> {
        number.try_into().map(Magnitude)
    }
}
