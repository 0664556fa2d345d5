//! The crate's own traits, and std's on its own types.

use std::fmt;
use std::ops::{Add, Index, Neg};
use std::str::FromStr;

/// Has an implementor, and a method that is written once for all.
pub trait Area {
    fn area(&self) -> u64;

    fn is_flat(&self) -> bool {
        self.area() == 0
    }

    fn unit() -> Self
    where
        Self: Sized;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Square {
    pub side: u32,
}

impl Area for Square {
    fn area(&self) -> u64 {
        u64::from(self.side) * u64::from(self.side)
    }

    fn unit() -> Square {
        Square { side: 1 }
    }
}

/// On a type of std.
impl Area for u8 {
    fn area(&self) -> u64 {
        0
    }

    fn unit() -> u8 {
        0
    }
}

/// Methods for types that exist already.
pub trait Shout {
    fn shout(&self) -> String;
}

impl Shout for str {
    fn shout(&self) -> String {
        self.to_uppercase()
    }
}

/// Takes any implementor.
pub fn larger<A: Area>(one: A, other: A) -> A {
    if other.area() > one.area() { other } else { one }
}

/// Takes any implementor behind a reference.
pub fn measure(area: &impl Area) -> u64 {
    area.area()
}

impl Add for Square {
    type Output = Square;

    fn add(self, other: Square) -> Square {
        Square { side: self.side.wrapping_add(other.side) }
    }
}

impl Neg for Square {
    type Output = bool;

    fn neg(self) -> bool {
        self.side == 0
    }
}

impl Index<u8> for Square {
    type Output = u32;

    fn index(&self, _place: u8) -> &u32 {
        &self.side
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}x{0}", self.side)
    }
}

impl FromStr for Square {
    type Err = NotASquare;

    fn from_str(text: &str) -> Result<Square, NotASquare> {
        text.split('x').next().unwrap_or_default().parse().map(|side| Square { side }).map_err(|_| NotASquare)
    }
}

impl TryFrom<i64> for Square {
    type Error = NotASquare;

    fn try_from(side: i64) -> Result<Square, NotASquare> {
        u32::try_from(side).map(|side| Square { side }).map_err(|_| NotASquare)
    }
}

impl From<Square> for u64 {
    fn from(square: Square) -> u64 {
        square.area()
    }
}

impl PartialEq<u32> for Square {
    fn eq(&self, other: &u32) -> bool {
        self.side == *other
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotASquare;

impl fmt::Display for NotASquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a square")
    }
}

impl std::error::Error for NotASquare {}
